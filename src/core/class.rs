//! `Class`.

use crate::class;
use crate::vm::Vm;

class! { "Class" < "Module"; }

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}
