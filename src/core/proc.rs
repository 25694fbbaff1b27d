//! `Proc`.

use crate::class;
use crate::vm::Vm;

class! { "Proc" < "Object"; }

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}
