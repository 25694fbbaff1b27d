//! `Numeric`.

use crate::class;
use crate::vm::Vm;

class! { "Numeric" < "Object"; }

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}
