//! `Hash`.

use crate::class;
use crate::vm::Vm;

class! { "Hash" < "Object"; }

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}
