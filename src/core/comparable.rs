//! `Comparable`.

use crate::class;
use crate::vm::Vm;

class! { module "Comparable"; }

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}
