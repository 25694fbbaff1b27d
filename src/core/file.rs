//! `File`.

use crate::class;
use crate::vm::Vm;

class! { "File" < "IO"; }

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}
