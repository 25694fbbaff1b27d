//! `Time`.

use crate::class;
use crate::vm::Vm;

class! { "Time" < "Object"; }

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}
