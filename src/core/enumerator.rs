//! `Enumerator`.

use crate::class;
use crate::vm::Vm;

class! { "Enumerator" < "Object"; }

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}
