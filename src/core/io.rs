//! `IO`.

use crate::class;
use crate::vm::Vm;

class! { "IO" < "Object"; }

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}
