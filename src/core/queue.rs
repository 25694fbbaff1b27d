//! `Thread::Queue`.

use crate::class;
use crate::vm::Vm;

class! { "Thread::Queue" < "Object"; }

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}
