//! `Signal`.

use crate::class;
use crate::vm::Vm;

class! { module "Signal"; }

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}
