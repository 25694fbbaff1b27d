//! Core methods written in Ruby (`src/prelude/*.rb`), compiled at boot.

use crate::vm::Vm;

/// Name and text of a prelude file.
macro_rules! file {
    ($name:literal) => {
        ($name, include_str!(concat!("../prelude/", $name)))
    };
}

/// File name and source, in load order.
#[rustfmt::skip]
pub const FILES: &[(&str, &str)] = &[
    file!("integer.rb"),
    file!("numeric.rb"),
    file!("mutex.rb"),
];

pub fn boot(vm: Vm) {
    for (name, text) in FILES {
        vm.run_prelude(name, text);
    }
}
