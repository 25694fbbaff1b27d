//! `Complex`.

use crate::class;
use crate::vm::Vm;

class! { "Complex" < "Numeric"; }

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}
