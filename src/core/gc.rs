//! `GC`.

use crate::class;
use crate::vm::Vm;

class! { module "GC"; }

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}
