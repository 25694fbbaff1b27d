//! `Fiber`.

use crate::class;
use crate::vm::Vm;

class! { "Fiber" < "Object"; }

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}
