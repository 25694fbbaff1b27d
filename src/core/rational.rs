//! `Rational`: an exact fraction in lowest terms with a positive denominator.

use crate::class;
use crate::heap::{Marker, flags};
use crate::object::{Data, RData};
use crate::value::{Ruby, Value};
use crate::vm::Vm;

class! { "Rational" < "Numeric"; }

/// R1  both are Integers, `den` is positive, they have no common divisor
pub struct Rational {
    pub num: Value,
    pub den: Value,
}
impl Data for Rational {
    fn trace(&self, m: &mut Marker) {
        m.value(self.num);
        m.value(self.den);
    }
}

pub fn boot(vm: Vm) {
    let c = vm.define_table(&CLASS);
    vm.classes.rational.set(c);
}

/// A Rational of parts that fulfil R1 already.
pub fn raw(vm: Vm, num: Value, den: Value) -> Value {
    let v = RData::alloc(&vm, vm.classes.rational.get(), Rational { num, den });
    if let Some(h) = v.header() {
        h.set(flags::FROZEN)
    }
    v
}
/// Numerator and denominator of an Integer or a Rational.
pub fn parts(v: Value) -> Option<(Value, Value)> {
    if v.is_integer() {
        return Some((v, Value::fixnum(1)));
    }
    v.data::<Rational>().map(|r| (r.num, r.den))
}
/// The simplest Rational within `eps` of `r`.
pub fn simplest_within(vm: Vm, _r: Value, _eps: Value) -> Ruby {
    Err(vm.not_implemented("rationalize"))
}
/// The simplest Rational that reads back as `f`.
pub fn rationalize_float(vm: Vm, _f: f64) -> Ruby {
    Err(vm.not_implemented("rationalize"))
}
