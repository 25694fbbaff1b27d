//! `Encoding`.

use crate::class;
use crate::vm::Vm;

class! { "Encoding" < "Object"; }

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}
