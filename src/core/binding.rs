//! `Binding`.

use crate::class;
use crate::vm::Vm;

class! { "Binding" < "Object"; }

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}
