//! `Process`.

use crate::class;
use crate::vm::Vm;

class! { module "Process"; }

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}
