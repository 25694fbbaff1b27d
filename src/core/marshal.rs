//! `Marshal`.

use crate::class;
use crate::vm::Vm;

class! { module "Marshal"; }

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}
