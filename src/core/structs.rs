//! `Struct`.

use crate::class;
use crate::vm::Vm;

class! { "Struct" < "Object"; }

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}
