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
    file!("kernel.rb"),
    file!("integer.rb"),
    file!("numeric.rb"),
    file!("mutex.rb"),
    file!("argf.rb"),
    ("array.rb", include_str!("../prelude/array.rb")),
    ("enumerable.rb", include_str!("../prelude/enumerable.rb")),
    ("hash.rb", include_str!("../prelude/hash.rb")),
    ("range.rb", include_str!("../prelude/range.rb")),
    ("struct.rb", include_str!("../prelude/struct.rb")),
    ("set.rb", include_str!("../prelude/set.rb")),
    ("enumerator.rb", include_str!("../prelude/enumerator.rb")),
];

pub fn boot(vm: Vm) {
    for (name, text) in FILES {
        vm.run_prelude(name, text);
    }
}
