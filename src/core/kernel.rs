//! `Kernel`.

use crate::class;
use crate::vm::Vm;

class! { module "Kernel"; }

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}
