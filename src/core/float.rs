//! `Float`.

use crate::class;
use crate::vm::Vm;

class! { "Float" < "Numeric"; }

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}
