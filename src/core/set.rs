//! `Set`.

use crate::class;
use crate::vm::Vm;

class! { "Set" < "Object"; }

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}
