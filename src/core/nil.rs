//! `NilClass`.

use crate::class;
use crate::vm::Vm;

class! { "NilClass" < "Object"; }

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}
