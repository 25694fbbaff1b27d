//! `Data`.

use crate::class;
use crate::vm::Vm;

class! { "Data" < "Object"; }

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}
