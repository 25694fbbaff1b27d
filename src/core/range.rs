//! `Range`.

use crate::class;
use crate::vm::Vm;

class! { "Range" < "Object"; }

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}
