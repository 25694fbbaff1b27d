//! `Method`.

use crate::class;
use crate::vm::Vm;

class! { "Method" < "Object"; }

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}
