//! `Enumerable`.

use crate::class;
use crate::vm::Vm;

class! { module "Enumerable"; }

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}
