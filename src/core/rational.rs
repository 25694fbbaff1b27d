//! `Rational`.

use crate::class;
use crate::vm::Vm;

class! { "Rational" < "Numeric"; }

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}
