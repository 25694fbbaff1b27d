//! `Module`.

use crate::class;
use crate::vm::Vm;

class! { "Module" < "Object"; }

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}
