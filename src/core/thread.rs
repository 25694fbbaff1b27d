//! `Thread`.

use crate::class;
use crate::vm::Vm;

class! { "Thread" < "Object"; }

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}
