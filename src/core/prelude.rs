//! Core methods written in Ruby (`src/prelude/*.rb`), compiled at boot.

use crate::vm::Vm;

/// File name and source, in load order.
pub const FILES: &[(&str, &str)] =
    &[("integer.rb", include_str!("../prelude/integer.rb")), ("numeric.rb", include_str!("../prelude/numeric.rb"))];

pub fn boot(vm: Vm) {
    for (name, text) in FILES {
        vm.run_prelude(name, text);
    }
}
