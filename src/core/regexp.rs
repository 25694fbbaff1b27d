//! `Regexp`.

use crate::class;
use crate::vm::Vm;

class! { "Regexp" < "Object"; }

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}
