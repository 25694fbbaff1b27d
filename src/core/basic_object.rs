//! `BasicObject`.

use crate::class;
use crate::vm::Vm;

class! { module "BasicObject"; }

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}
