//! `Array`.

use crate::class;
use crate::vm::Vm;

class! { "Array" < "Object"; }

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}
