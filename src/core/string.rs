//! `String`.

use crate::class;
use crate::vm::Vm;

class! { "String" < "Object"; }

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}
