//! `Dir`.

use crate::class;
use crate::vm::Vm;

class! { "Dir" < "Object"; }

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}
