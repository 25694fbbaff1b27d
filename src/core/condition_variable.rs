//! `Thread::ConditionVariable`.

use crate::class;
use crate::vm::Vm;

class! { "Thread::ConditionVariable" < "Object"; }

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}
