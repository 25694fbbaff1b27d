//! `Math`.

use crate::class;
use crate::vm::Vm;

class! { module "Math"; }

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}
