//! `Warning`.

use crate::class;
use crate::vm::Vm;

class! { module "Warning"; }

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}
