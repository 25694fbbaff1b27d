//! `ObjectSpace`.

use crate::class;
use crate::vm::Vm;

class! { module "ObjectSpace"; }

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}
