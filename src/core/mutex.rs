//! `Thread::Mutex`.

use crate::class;
use crate::vm::Vm;

class! { "Thread::Mutex" < "Object"; }

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}
