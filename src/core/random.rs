//! `Random`.

use crate::class;
use crate::vm::Vm;

class! { "Random" < "Object"; }

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}
