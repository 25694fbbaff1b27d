//! `Complex`: a number with an imaginary part; the parts are any real numbers.

use crate::class;
use crate::heap::{Marker, flags};
use crate::object::{Data, RData};
use crate::value::{Ruby, Value};
use crate::vm::Vm;

class! { "Complex" < "Numeric"; }

pub struct Complex {
    pub real: Value,
    pub imag: Value,
}
impl Data for Complex {
    fn trace(&self, m: &mut Marker) {
        m.value(self.real);
        m.value(self.imag);
    }
}

pub fn boot(vm: Vm) {
    let c = vm.define_table(&CLASS);
    vm.classes.complex.set(c);
}

/// A Complex of two real numbers.
pub fn raw(vm: Vm, real: Value, imag: Value) -> Value {
    let v = RData::alloc(&vm, vm.classes.complex.get(), Complex { real, imag });
    if let Some(h) = v.header() {
        h.set(flags::FROZEN)
    }
    v
}

/// `abs * e^(i * pi * turns)`: what a negative base to a broken power is.
pub fn polar_pi(vm: Vm, abs: f64, turns: f64) -> Ruby {
    let (sin, cos) = (std::f64::consts::PI * turns).sin_cos();
    let real = vm.float(abs * cos);
    Ok(raw(vm, real, vm.float(abs * sin)))
}
