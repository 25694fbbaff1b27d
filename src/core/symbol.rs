//! `Symbol`.

use crate::class;
use crate::vm::Vm;

class! { "Symbol" < "Object"; }

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}
