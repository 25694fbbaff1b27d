//! `MatchData`.

use crate::class;
use crate::vm::Vm;

class! { "MatchData" < "Object"; }

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}
