//! Operators on core numbers without a method call: what the VM's fast paths and `Integer`'s natives share.
//!
//! Nothing here calls Ruby; the only error raised is ZeroDivisionError (and RangeError for a shift that could never fit
//! in memory). `num_op` answers `None` when an operand is no core number or the pair needs the coerce protocol.

use super::Vm;
use super::convert::big_to_f64;
use crate::value::{NIL, Ruby, TRUE, Value};
use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive, Zero};
use std::cmp::Ordering;

/// The binary operators that have a fast path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArithOp {
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    And,
    Or,
    Xor,
    Shl,
    Shr,
}

/// Most bits an Integer may have: 1 GiB. CRuby's own limit is 2 GiB.
pub const MAX_BITS: u64 = 1 << 33;

/// Two Integers as big ones, for the length of `f`.
pub fn with_bigs<R>(a: Value, b: Value, f: impl FnOnce(&BigInt, &BigInt) -> R) -> R {
    with_big(a, |x| with_big(b, |y| f(x, y)))
}

/// An Integer as a big one, for the length of `f`; anything else counts as 0.
pub fn with_big<R>(a: Value, f: impl FnOnce(&BigInt) -> R) -> R {
    match a.as_bignum() {
        Some(r) => f(&r.value),
        None => f(&BigInt::from(a.as_fixnum().unwrap_or(0))),
    }
}

/// Ruby's `%` of floats: the result has the sign of `y`, which is not zero.
#[inline]
pub fn float_mod(x: f64, y: f64) -> f64 {
    if x == 0.0 && !y.is_nan() {
        return x;
    }
    if y.is_infinite() && x.is_finite() {
        return if (x < 0.0) == (y < 0.0) { x } else { y };
    }
    let m = x % y;
    if y * m < 0.0 { m + y } else { m }
}

/// Floor division and modulo of machine integers; `b` is not 0 and the pair is not (MIN, -1).
#[inline(always)]
fn fix_divmod(a: i64, b: i64) -> (i64, i64) {
    let (q, r) = (a / b, a % b);
    if r != 0 && (r < 0) != (b < 0) { (q - 1, r + b) } else { (q, r) }
}

/// The double nearest to an Integer or Float.
#[inline]
fn to_double(v: Value) -> Option<f64> {
    if v.is_fixnum() {
        return Some(v.fix() as f64);
    }
    v.as_float().or_else(|| v.as_bignum().map(|b| big_to_f64(&b.value)))
}

/// Computes `a op b` when both are Integer or Float; see the module's text.
#[inline]
pub fn num_op(vm: Vm, op: ArithOp, a: Value, b: Value) -> Option<Ruby> {
    if Value::both_fixnum(a, b) {
        return Some(fix_op(vm, op, a.fix(), b.fix()));
    }
    if Value::both_flonum(a, b) {
        return float_op(vm, op, a.flo(), b.flo());
    }
    mixed_op(vm, op, a, b)
}

#[inline]
fn fix_op(vm: Vm, op: ArithOp, x: i64, y: i64) -> Ruby {
    Ok(match op {
        // Fixnums have 62 bits: sum and difference cannot overflow.
        ArithOp::Add => vm.int(x + y),
        ArithOp::Sub => vm.int(x - y),
        ArithOp::Mul => match x.checked_mul(y) {
            Some(n) => vm.int(n),
            None => vm.bigint(BigInt::from(x) * y),
        },
        ArithOp::Div | ArithOp::Mod if y == 0 => return Err(vm.zero_division()),
        ArithOp::Div => vm.int(fix_divmod(x, y).0),
        ArithOp::Mod => vm.int(fix_divmod(x, y).1),
        ArithOp::Lt => Value::bool(x < y),
        ArithOp::Le => Value::bool(x <= y),
        ArithOp::Gt => Value::bool(x > y),
        ArithOp::Ge => Value::bool(x >= y),
        ArithOp::Eq => Value::bool(x == y),
        ArithOp::And => Value::fixnum(x & y),
        ArithOp::Or => Value::fixnum(x | y),
        ArithOp::Xor => Value::fixnum(x ^ y),
        ArithOp::Shl if y >= 0 => return shift_left(vm, Value::fixnum(x), y as u64),
        ArithOp::Shr if y < 0 => return shift_left(vm, Value::fixnum(x), y.unsigned_abs()),
        ArithOp::Shl | ArithOp::Shr => Value::fixnum(x >> y.unsigned_abs().min(63)),
    })
}

#[inline]
fn float_op(vm: Vm, op: ArithOp, x: f64, y: f64) -> Option<Ruby> {
    Some(Ok(match op {
        ArithOp::Add => vm.float(x + y),
        ArithOp::Sub => vm.float(x - y),
        ArithOp::Mul => vm.float(x * y),
        ArithOp::Div => vm.float(x / y),
        ArithOp::Mod if y == 0.0 => return Some(Err(vm.zero_division())),
        ArithOp::Mod => vm.float(float_mod(x, y)),
        ArithOp::Lt => Value::bool(x < y),
        ArithOp::Le => Value::bool(x <= y),
        ArithOp::Gt => Value::bool(x > y),
        ArithOp::Ge => Value::bool(x >= y),
        ArithOp::Eq => Value::bool(x == y),
        _ => return None,
    }))
}

fn mixed_op(vm: Vm, op: ArithOp, a: Value, b: Value) -> Option<Ruby> {
    match (a.is_integer(), b.is_integer()) {
        (true, true) => return Some(big_op(vm, op, a, b)),
        (false, false) => {
            let (x, y) = (a.as_float()?, b.as_float()?);
            return float_op(vm, op, x, y);
        }
        _ => {}
    }
    let (x, y) = (to_double(a)?, to_double(b)?);
    if matches!(op, ArithOp::Lt | ArithOp::Le | ArithOp::Gt | ArithOp::Ge | ArithOp::Eq) {
        let order = if a.is_integer() { vm.cmp_int_float(a, y) } else { vm.cmp_int_float(b, x).map(Ordering::reverse) };
        return Some(Ok(compared(op, order)));
    }
    float_op(vm, op, x, y)
}

/// The truth of a comparison operator, given the order (`None`: NaN was involved).
fn compared(op: ArithOp, order: Option<Ordering>) -> Value {
    Value::bool(match op {
        ArithOp::Lt => order == Some(Ordering::Less),
        ArithOp::Le => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        ArithOp::Gt => order == Some(Ordering::Greater),
        ArithOp::Ge => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        _ => order == Some(Ordering::Equal),
    })
}

/// Both are Integers, at least one is big.
fn big_op(vm: Vm, op: ArithOp, a: Value, b: Value) -> Ruby {
    let n = match op {
        ArithOp::Add => with_bigs(a, b, |x, y| x + y),
        ArithOp::Sub => with_bigs(a, b, |x, y| x - y),
        ArithOp::Mul => with_bigs(a, b, |x, y| x * y),
        ArithOp::Div | ArithOp::Mod if b == Value::fixnum(0) => return Err(vm.zero_division()),
        ArithOp::Div => with_bigs(a, b, |x, y| x.div_floor(y)),
        ArithOp::Mod => with_bigs(a, b, |x, y| x.mod_floor(y)),
        ArithOp::Lt | ArithOp::Le | ArithOp::Gt | ArithOp::Ge | ArithOp::Eq => {
            return Ok(compared(op, Some(int_cmp(a, b))));
        }
        ArithOp::And => with_bigs(a, b, |x, y| x & y),
        ArithOp::Or => with_bigs(a, b, |x, y| x | y),
        ArithOp::Xor => with_bigs(a, b, |x, y| x ^ y),
        ArithOp::Shl | ArithOp::Shr => {
            let left = (op == ArithOp::Shl) != int_negative(b);
            let by = with_big(b, |y| y.abs().to_u64()).unwrap_or(u64::MAX);
            return if left { shift_left(vm, a, by) } else { Ok(shift_right(vm, a, by)) };
        }
    };
    Ok(vm.bigint(n))
}

fn shift_left(vm: Vm, a: Value, by: u64) -> Ruby {
    if let Some(x) = a.as_fixnum() {
        if x == 0 {
            return Ok(a);
        }
        if by < 62 && (x << by) >> by == x {
            return Ok(vm.int(x << by));
        }
    }
    if by.saturating_add(with_big(a, BigInt::bits)) > MAX_BITS {
        return Err(vm.range_error("shift width too big"));
    }
    Ok(vm.bigint(with_big(a, |x| x << by)))
}

fn shift_right(vm: Vm, a: Value, by: u64) -> Value {
    if let Some(x) = a.as_fixnum() {
        return Value::fixnum(x >> by.min(63));
    }
    if by > with_big(a, BigInt::bits) {
        return Value::fixnum(if int_negative(a) { -1 } else { 0 });
    }
    vm.bigint(with_big(a, |x| x >> by))
}

/// Order of two Integers.
pub fn int_cmp(a: Value, b: Value) -> Ordering {
    if Value::both_fixnum(a, b) { a.fix().cmp(&b.fix()) } else { with_bigs(a, b, |x, y| x.cmp(y)) }
}

/// An Integer below zero?
pub fn int_negative(a: Value) -> bool {
    match a.as_bignum() {
        Some(b) => b.value.sign() == Sign::Minus,
        None => a.as_fixnum().is_some_and(|n| n < 0),
    }
}

/// Sign of an Integer: -1, 0 or 1.
pub fn int_sign(a: Value) -> i64 {
    match a.as_bignum() {
        Some(b) => b.value.signum().to_i64().unwrap_or(0),
        None => a.as_fixnum().unwrap_or(0).signum(),
    }
}

/// Arithmetic on values known to be Integers.
impl Vm {
    /// An operator on two Integers.
    pub fn int_op(self, op: ArithOp, a: Value, b: Value) -> Ruby {
        if Value::both_fixnum(a, b) { fix_op(self, op, a.fix(), b.fix()) } else { big_op(self, op, a, b) }
    }
    pub fn int_add(self, a: Value, b: Value) -> Value {
        self.int_op(ArithOp::Add, a, b).unwrap_or(NIL)
    }
    pub fn int_sub(self, a: Value, b: Value) -> Value {
        self.int_op(ArithOp::Sub, a, b).unwrap_or(NIL)
    }
    pub fn int_mul(self, a: Value, b: Value) -> Value {
        self.int_op(ArithOp::Mul, a, b).unwrap_or(NIL)
    }
    /// Floor division.
    pub fn int_div(self, a: Value, b: Value) -> Ruby {
        self.int_op(ArithOp::Div, a, b)
    }
    /// Modulo with the sign of `b`.
    pub fn int_mod(self, a: Value, b: Value) -> Ruby {
        self.int_op(ArithOp::Mod, a, b)
    }
    pub fn int_neg(self, a: Value) -> Value {
        match a.as_fixnum() {
            Some(n) => self.int(-n),
            None => self.bigint(with_big(a, |x| -x)),
        }
    }
    pub fn int_abs(self, a: Value) -> Value {
        if int_negative(a) { self.int_neg(a) } else { a }
    }
    /// Greatest common divisor, never negative.
    pub fn int_gcd(self, a: Value, b: Value) -> Value {
        if Value::both_fixnum(a, b) {
            return self.int(a.fix().gcd(&b.fix()));
        }
        self.bigint(with_bigs(a, b, |x, y| x.gcd(y)))
    }
    /// Is this Integer even?
    pub fn int_even(self, a: Value) -> bool {
        match a.as_fixnum() {
            Some(n) => n & 1 == 0,
            None => with_big(a, BigInt::is_even),
        }
    }
    /// `a == b` of two core numbers as `num_op` sees it; false for anything else.
    pub fn num_eq(self, a: Value, b: Value) -> bool {
        matches!(num_op(self, ArithOp::Eq, a, b), Some(Ok(TRUE)))
    }
}

/// Is this the Integer 0?
pub fn int_zero(a: Value) -> bool {
    match a.as_bignum() {
        Some(b) => b.value.is_zero(),
        None => a == Value::fixnum(0),
    }
}
