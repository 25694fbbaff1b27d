//! `Integer`.

use crate::class;
use crate::vm::Vm;

class! { "Integer" < "Numeric"; }

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}
