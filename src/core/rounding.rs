//! Rounding of Integers and Floats to a number of decimal digits (`floor`, `ceil`, `round`, `truncate`).
//!
//! Float rules follow CRuby's numeric.c: digits beyond what a double holds change nothing, up to 14 digits are
//! computed in doubles, the rest exactly through a ratio of big integers.

use super::integer::ten_to;
use super::number_text::ratio_to_f64;
use crate::value::{NIL, Ruby, Value};
use crate::vm::arith::{int_cmp, int_negative, with_big};
use crate::vm::{Args, Vm};
use num_bigint::BigInt;
use std::cmp::Ordering;

/// Which way a tie goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Half {
    Up,
    Even,
    Down,
}

impl Half {
    /// The `half:` keyword.
    pub fn of(vm: Vm, args: Args) -> Ruby<Half> {
        args.only_keywords(vm, &["half"])?;
        let v = args.keyword(vm, "half")?.unwrap_or(NIL);
        if v.is_nil() {
            return Ok(Half::Up);
        }
        let name = match v.as_symbol() {
            Some(s) => Some(vm.name_of(s)),
            None => match vm.check_str(v)? {
                Some(s) => {
                    vm.must_be_ascii_compatible(s)?;
                    Some(s.text().into_owned())
                }
                None => None,
            },
        };
        match name.as_deref().map(str::to_ascii_lowercase).as_deref() {
            Some("up") => Ok(Half::Up),
            Some("even") => Ok(Half::Even),
            Some("down") => Ok(Half::Down),
            _ => {
                let text = match name {
                    Some(n) => n,
                    None => vm.inspect(v)?.text().into_owned(),
                };
                Err(vm.arg_error(&format!("invalid rounding mode: {text}")))
            }
        }
    }
}

/// Is `10 ** -digits` more than twice any number of this size?
fn vanishes(n: Value, digits: i32) -> bool {
    let bytes = if n.is_fixnum() { 8 } else { with_big(n, |x| x.bits().div_ceil(8)) };
    -0.415241 * digits as f64 - 0.125 > bytes as f64
}

/// The unit to round to, when `digits` is negative; ArgumentError-free: huge units are refused as CRuby's power is.
fn unit(vm: Vm, digits: i32) -> Ruby {
    let k = digits.unsigned_abs();
    if k > 1 << 28 {
        return Err(vm.arg_error("exponent is too large"));
    }
    Ok(ten_to(vm, k))
}

pub fn int_floor(vm: Vm, n: Value, digits: i32) -> Ruby {
    if digits >= 0 {
        return Ok(n);
    }
    let f = unit(vm, digits)?;
    Ok(vm.int_sub(n, vm.int_mod(n, f)?))
}
pub fn int_ceil(vm: Vm, n: Value, digits: i32) -> Ruby {
    if digits >= 0 {
        return Ok(n);
    }
    let f = unit(vm, digits)?;
    let m = vm.int_mod(vm.int_neg(n), f)?;
    Ok(vm.int_add(n, m))
}
pub fn int_truncate(vm: Vm, n: Value, digits: i32) -> Ruby {
    if digits < 0 && vanishes(n, digits) {
        return Ok(Value::fixnum(0));
    }
    if int_negative(n) { int_ceil(vm, n, digits) } else { int_floor(vm, n, digits) }
}
pub fn int_round(vm: Vm, n: Value, digits: i32, half: Half) -> Ruby {
    if digits >= 0 {
        return Ok(n);
    }
    if vanishes(n, digits) {
        return Ok(Value::fixnum(0));
    }
    let f = unit(vm, digits)?;
    let below = vm.int_mod(n, f)?;
    let floor = vm.int_sub(n, below);
    let up = match int_cmp(vm.int_mul(below, Value::fixnum(2)), f) {
        Ordering::Less => false,
        Ordering::Greater => true,
        Ordering::Equal => match half {
            Half::Up => !int_negative(n),
            Half::Down => int_negative(n),
            Half::Even => !vm.int_even(vm.int_div(floor, f)?),
        },
    };
    Ok(if up { vm.int_add(floor, f) } else { floor })
}

// ---- floats

/// Exponent of the number as C's `frexp` gives it: `x = m * 2^e`, 0.5 <= m < 1. `x` is finite and not zero.
pub fn binary_exponent(x: f64) -> i32 {
    let bits = (x.to_bits() >> 52 & 0x7ff) as i32;
    if bits != 0 {
        return bits - 1022;
    }
    let mantissa = x.to_bits() & ((1 << 52) - 1);
    -1074 + (64 - mantissa.leading_zeros() as i32)
}
/// So many digits that the number has no more.
fn overflows(digits: i32, e: i32) -> bool {
    digits >= 17 - if e > 0 { e / 4 } else { e / 3 - 1 }
}
/// So few digits that nothing is left.
fn underflows(digits: i32, e: i32) -> bool {
    digits < -(if e > 0 { e / 3 + 1 } else { e / 4 })
}
/// Powers of ten up to here are exact enough for rounding in doubles.
const EXACT_DIGITS: i32 = 14;

fn half_up(x: f64, s: f64) -> f64 {
    let f = (x * s).round();
    if s == 1.0 {
        return f;
    }
    if x > 0.0 {
        if (f + 0.5) / s <= x { f + 1.0 } else { f }
    } else if (f - 0.5) / s >= x {
        f - 1.0
    } else {
        f
    }
}
fn half_down(x: f64, s: f64) -> f64 {
    let f = (x * s).round();
    if x > 0.0 {
        if (f - 0.5) / s >= x { f - 1.0 } else { f }
    } else if (f + 0.5) / s <= x {
        f + 1.0
    } else {
        f
    }
}
fn half_even(x: f64, s: f64) -> f64 {
    let u = x.trunc();
    let (us, vs) = (u * s, (x - u) * s);
    if x == 0.0 {
        return us;
    }
    let sign = x.signum();
    // Work on the side of positive numbers.
    let f = vs.abs().floor();
    let whole = us.abs() + f;
    let d = vs.abs() - f;
    let step = if d > 0.5 {
        1.0
    } else if d == 0.5 || (whole + 0.5) / s <= x.abs() {
        whole % 2.0
    } else {
        0.0
    };
    us + sign * (f + step)
}
fn round_scaled(x: f64, s: f64, half: Half) -> f64 {
    match half {
        Half::Up => half_up(x, s),
        Half::Down => half_down(x, s),
        Half::Even => half_even(x, s),
    }
}

/// A finite double as a ratio of big integers; the denominator is a power of two.
pub fn exact(x: f64) -> (BigInt, BigInt) {
    if x == 0.0 {
        return (BigInt::from(0), BigInt::from(1));
    }
    let bits = x.to_bits();
    let e = (bits >> 52 & 0x7ff) as i64;
    let fraction = bits & ((1 << 52) - 1);
    let (m, e) = if e == 0 { (fraction, -1074) } else { (fraction | 1 << 52, e - 1075) };
    let m = BigInt::from(if x < 0.0 { -(m as i64) } else { m as i64 });
    let zeros = m.trailing_zeros().unwrap_or(0).min(e.min(0).unsigned_abs());
    if e >= 0 { (m << e, BigInt::from(1)) } else { (m >> zeros, BigInt::from(1) << (e.unsigned_abs() - zeros)) }
}

/// Rounds exactly: `f` gets numerator and denominator of `x * 10^digits` and gives the whole number wanted.
fn by_ratio(vm: Vm, x: f64, digits: i32, f: impl FnOnce(Value, Value) -> Ruby) -> Ruby {
    let (n, d) = exact(x);
    let ten = BigInt::from(10).pow(digits as u32);
    let whole = f(vm.bigint(n * &ten), vm.bigint(d))?;
    Ok(vm.float(with_big(whole, |w| ratio_to_f64(w, &ten))))
}

/// `n / d` rounded to a whole number; `d` is positive.
pub fn ratio_round(vm: Vm, n: Value, d: Value, half: Half) -> Ruby {
    let floor = vm.int_div(n, d)?;
    let rest = vm.int_sub(n, vm.int_mul(floor, d));
    let up = match int_cmp(vm.int_mul(rest, Value::fixnum(2)), d) {
        Ordering::Less => false,
        Ordering::Greater => true,
        Ordering::Equal => match half {
            Half::Up => !int_negative(n),
            Half::Down => int_negative(n),
            Half::Even => !vm.int_even(floor),
        },
    };
    Ok(if up { vm.int_add(floor, Value::fixnum(1)) } else { floor })
}

/// `n / d` rounded up; `d` is positive.
pub fn ratio_ceil(vm: Vm, n: Value, d: Value) -> Ruby {
    Ok(vm.int_neg(vm.int_div(vm.int_neg(n), d)?))
}

pub fn float_floor(vm: Vm, x: f64, digits: i32) -> Ruby {
    if x == 0.0 {
        return Ok(if digits > 0 { vm.float(x) } else { Value::fixnum(0) });
    }
    if digits <= 0 {
        let n = vm.float_to_int(x.floor())?;
        return int_floor(vm, n, digits);
    }
    if !x.is_finite() {
        return Ok(vm.float(x));
    }
    let e = binary_exponent(x);
    if overflows(digits, e) {
        return Ok(vm.float(x));
    }
    if x > 0.0 && underflows(digits, e) {
        return Ok(vm.float(0.0));
    }
    if digits > EXACT_DIGITS {
        return by_ratio(vm, x, digits, |n, d| vm.int_div(n, d));
    }
    let s = 10f64.powi(digits);
    let whole = (x * s).floor();
    let next = (whole + 1.0) / s;
    Ok(vm.float(if next > x { whole / s } else { next }))
}
pub fn float_ceil(vm: Vm, x: f64, digits: i32) -> Ruby {
    if x == 0.0 {
        return Ok(if digits > 0 { vm.float(x) } else { Value::fixnum(0) });
    }
    if digits <= 0 {
        let n = vm.float_to_int(x.ceil())?;
        return int_ceil(vm, n, digits);
    }
    if !x.is_finite() {
        return Ok(vm.float(x));
    }
    let e = binary_exponent(x);
    if overflows(digits, e) {
        return Ok(vm.float(x));
    }
    if x < 0.0 && underflows(digits, e) {
        return Ok(vm.float(0.0));
    }
    if digits > EXACT_DIGITS {
        return by_ratio(vm, x, digits, |n, d| ratio_ceil(vm, n, d));
    }
    let s = 10f64.powi(digits);
    Ok(vm.float((x * s).ceil() / s))
}
pub fn float_truncate(vm: Vm, x: f64, digits: i32) -> Ruby {
    if x > 0.0 { float_floor(vm, x, digits) } else { float_ceil(vm, x, digits) }
}
pub fn float_round(vm: Vm, x: f64, digits: i32, half: Half) -> Ruby {
    if x == 0.0 {
        return Ok(if digits > 0 { vm.float(x) } else { Value::fixnum(0) });
    }
    if digits < 0 {
        let n = vm.float_to_int(x)?;
        return int_round(vm, n, digits, half);
    }
    if digits == 0 {
        return vm.float_to_int(round_scaled(x, 1.0, half));
    }
    if !x.is_finite() {
        return Ok(vm.float(x));
    }
    let e = binary_exponent(x);
    if overflows(digits, e) {
        return Ok(vm.float(x));
    }
    if underflows(digits, e) {
        return Ok(vm.float(0.0));
    }
    if digits > EXACT_DIGITS {
        return by_ratio(vm, x, digits, |n, d| ratio_round(vm, n, d, half));
    }
    let s = 10f64.powi(digits);
    Ok(vm.float(round_scaled(x, s, half) / s))
}
