//! `Integer`: machine words that grow into big numbers. Loops with a block (`times`, `upto`, ...) are in
//! `prelude/integer.rb`; rounding to digits is in `rounding.rs`.

use super::number_text::{ratio_to_f64, str_to_int};
use super::numeric::{self, no_new};
use super::{float, rational, rounding};
use crate::class;
use crate::object::{Enc, RArray, RString, sym};
use crate::value::{NIL, Ruby, TRUE, Value};
use crate::vm::arith::{ArithOp, MAX_BITS, int_cmp, int_negative, int_sign, int_zero, num_op, with_big, with_bigs};
use crate::vm::convert::big_to_f64;
use crate::vm::native::ClassDef;
use crate::vm::{Args, Vm};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::Pow;
use std::cmp::Ordering;

class! { "Integer" < "Numeric";
    self ["sqrt"]         req(1)    => sqrt;
    self ["try_convert"]  req(1)    => try_convert;
    ["+"]                 req(1)    => add;
    ["-"]                 req(1)    => sub;
    ["*"]                 req(1)    => mul;
    ["/"]                 req(1)    => quotient;
    ["%", "modulo"]       req(1)    => modulo;
    ["**"]                req(1)    => power;
    ["pow"]               opt(1, 2) => pow;
    ["div"]               req(1)    => div;
    ["divmod"]            req(1)    => divmod;
    ["fdiv"]              req(1)    => fdiv;
    ["remainder"]         req(1)    => remainder;
    ["ceildiv"]           req(1)    => ceildiv;
    ["<"]                 req(1)    => lt;
    ["<="]                req(1)    => le;
    [">"]                 req(1)    => gt;
    [">="]                req(1)    => ge;
    ["==", "==="]         req(1)    => eq;
    ["<=>"]               req(1)    => cmp;
    ["&"]                 req(1)    => and;
    ["|"]                 req(1)    => or;
    ["^"]                 req(1)    => xor;
    ["<<"]                req(1)    => shl;
    [">>"]                req(1)    => shr;
    ["[]"]                opt(1, 2) => aref;
    ["~"]                 req(0)    => complement;
    ["-@"]                req(0)    => negate;
    ["abs", "magnitude"]  req(0)    => abs;
    ["hash"]              req(0)    => hash;
    ["coerce"]            req(1)    => coerce;
    ["to_s", "inspect"]   opt(0, 1) => to_s;
    ["to_i", "to_int", "ord", "numerator"] req(0) => itself;
    ["to_f"]              req(0)    => to_f;
    ["to_r"]              req(0)    => to_r;
    ["rationalize"]       opt(0, 1) => to_r;
    ["denominator"]       req(0)    => one;
    ["chr"]               opt(0, 1) => chr;
    ["succ", "next"]      req(0)    => succ;
    ["pred"]              req(0)    => pred;
    ["size"]              req(0)    => size;
    ["bit_length"]        req(0)    => bit_length;
    ["bit_count"]         req(0)    => bit_count;
    ["digits"]            opt(0, 1) => digits;
    ["integer?"]          req(0)    => yes;
    ["zero?"]             req(0)    => is_zero;
    ["even?"]             req(0)    => even;
    ["odd?"]              req(0)    => odd;
    ["allbits?"]          req(1)    => allbits;
    ["anybits?"]          req(1)    => anybits;
    ["nobits?"]           req(1)    => nobits;
    ["gcd"]               req(1)    => gcd;
    ["lcm"]               req(1)    => lcm;
    ["gcdlcm"]            req(1)    => gcdlcm;
    ["floor"]             opt(0, 1) => floor;
    ["ceil"]              opt(0, 1) => ceil;
    ["round"]             kw(0, 1)  => round;
    ["truncate"]          opt(0, 1) => truncate;
}

const KERNEL: ClassDef = {
    class! { module "Kernel";
        module_fn ["Integer"] kw(1, 2) => kernel_integer;
    }
    CLASS
};

pub fn boot(vm: Vm) {
    let c = vm.define_table(&CLASS);
    vm.classes.integer.set(c);
    no_new(vm, c);
    vm.define_table(&KERNEL);
}

fn itself(_: Vm, this: Value, _: Args) -> Ruby {
    Ok(this)
}
fn yes(_: Vm, _: Value, _: Args) -> Ruby {
    Ok(TRUE)
}
fn one(_: Vm, _: Value, _: Args) -> Ruby {
    Ok(Value::fixnum(1))
}

// ---- operators: core numbers directly, others by the coerce protocol. Float shares these.

macro_rules! operators { ($($name:ident = $op:ident, $sym:ident, $else:ident;)+) => { $(
    #[doc = concat!("`a ", stringify!($op), " b` of any numbers.")]
    pub fn $name(vm: Vm, this: Value, args: Args) -> Ruby {
        let other = args.or_nil(0);
        match num_op(vm, ArithOp::$op, this, other) {
            Some(r) => r,
            None => vm.$else(this, other, sym::$sym),
        }
    }
)+ } }
operators! {
    add = Add, PLUS, coerce_bin;
    sub = Sub, MINUS, coerce_bin;
    mul = Mul, MUL, coerce_bin;
    quotient = Div, DIV, coerce_bin;
    modulo = Mod, MOD, coerce_bin;
    lt = Lt, LT, coerce_relop;
    le = Le, LE, coerce_relop;
    gt = Gt, GT, coerce_relop;
    ge = Ge, GE, coerce_relop;
    and = And, AND, coerce_bit;
    or = Or, OR, coerce_bit;
    xor = Xor, XOR, coerce_bit;
}

/// `a == b` of any number and anything.
pub fn eq(vm: Vm, this: Value, args: Args) -> Ruby {
    let other = args.or_nil(0);
    match num_op(vm, ArithOp::Eq, this, other) {
        Some(r) => r,
        None => vm.eq_swapped(this, other),
    }
}

/// `a <=> b` of any number and anything.
pub fn cmp(vm: Vm, this: Value, args: Args) -> Ruby {
    let other = args.or_nil(0);
    let order = match (this.is_integer(), other.is_integer()) {
        (true, true) => Some(int_cmp(this, other)),
        (true, false) => match other.as_float() {
            Some(f) => vm.cmp_int_float(this, f),
            None => return vm.coerce_cmp(this, other, sym::CMP),
        },
        (false, true) => this.as_float().and_then(|f| vm.cmp_int_float(other, f)).map(Ordering::reverse),
        (false, false) => match (this.as_float(), other.as_float()) {
            (Some(x), Some(y)) => x.partial_cmp(&y),
            (Some(x), None) if x.is_infinite() => return float::cmp_infinite(vm, x, this, other),
            _ => return vm.coerce_cmp(this, other, sym::CMP),
        },
    };
    Ok(order.map_or(NIL, |o| Value::fixnum(o as i64)))
}

fn shift(vm: Vm, op: ArithOp, this: Value, by: Value) -> Ruby {
    let by = vm.to_int(by)?;
    vm.int_op(op, this, by)
}
fn shl(vm: Vm, this: Value, args: Args) -> Ruby {
    shift(vm, ArithOp::Shl, this, args.or_nil(0))
}
fn shr(vm: Vm, this: Value, args: Args) -> Ruby {
    shift(vm, ArithOp::Shr, this, args.or_nil(0))
}

fn complement(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(match this.as_fixnum() {
        Some(n) => Value::fixnum(!n),
        None => vm.bigint(with_big(this, |x| -x - 1)),
    })
}
fn negate(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(vm.int_neg(this))
}
fn abs(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(vm.int_abs(this))
}
fn succ(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(vm.int_add(this, Value::fixnum(1)))
}
fn pred(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(vm.int_sub(this, Value::fixnum(1)))
}
fn hash(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(vm.int(vm.hash_of(this)? as i64 >> 2))
}

/// `int.div(other)`: floor of the quotient; ZeroDivisionError also for 0.0.
fn div(vm: Vm, this: Value, args: Args) -> Ruby {
    let other = args.or_nil(0);
    if other.is_integer() {
        return vm.int_div(this, other);
    }
    match other.as_float() {
        Some(0.0) => Err(vm.zero_division()),
        Some(f) => vm.float_to_int((to_double(this) / f).floor()),
        None => vm.coerce_bin(this, other, vm.intern("div")),
    }
}
/// `int.divmod(other) -> [quotient, modulus]`.
fn divmod(vm: Vm, this: Value, args: Args) -> Ruby {
    let other = args.or_nil(0);
    if other.is_integer() {
        let q = vm.int_div(this, other)?;
        let m = vm.int_mod(this, other)?;
        return Ok(vm.array(&[q, m]));
    }
    match other.as_float() {
        Some(f) => float::divmod_of(vm, to_double(this), f),
        None => vm.coerce_bin(this, other, vm.intern("divmod")),
    }
}
/// `int.fdiv(other) -> float`.
fn fdiv(vm: Vm, this: Value, args: Args) -> Ruby {
    let other = args.or_nil(0);
    if other.is_integer() {
        return Ok(vm.float(fdiv_of(this, other)));
    }
    match other.as_float() {
        Some(f) => Ok(vm.float(to_double(this) / f)),
        None => vm.coerce_bin(this, other, vm.intern("fdiv")),
    }
}
/// The double nearest to the quotient of two Integers; NaN or infinite when `b` is 0.
pub fn fdiv_of(a: Value, b: Value) -> f64 {
    let small = |v: Value| v.as_fixnum().filter(|n| n.unsigned_abs() <= 1 << 53);
    match (small(a), small(b)) {
        (Some(x), Some(y)) => x as f64 / y as f64,
        _ if int_zero(b) => int_sign(a) as f64 / 0.0,
        _ => with_bigs(a, b, ratio_to_f64),
    }
}
/// `int.remainder(other)`: with the sign of `int`.
fn remainder(vm: Vm, this: Value, args: Args) -> Ruby {
    let other = args.or_nil(0);
    if !other.is_integer() {
        return numeric::remainder(vm, this, args);
    }
    if int_zero(other) {
        return Err(vm.zero_division());
    }
    if Value::both_fixnum(this, other) {
        return Ok(vm.int(this.fix() % other.fix()));
    }
    Ok(vm.bigint(with_bigs(this, other, |x, y| x % y)))
}
/// `int.ceildiv(other)`: quotient rounded up.
fn ceildiv(vm: Vm, this: Value, args: Args) -> Ruby {
    let minus = vm.send(Value::fixnum(0), sym::MINUS, &[args.or_nil(0)])?;
    let q = vm.call(this, "div", &[minus])?;
    vm.send(q, sym::NEG, &[])
}

/// `10 ** digits`, for rounding; `digits` is small.
pub fn ten_to(vm: Vm, digits: u32) -> Value {
    match 10i64.checked_pow(digits) {
        Some(n) => vm.int(n),
        None => vm.bigint(BigInt::from(10).pow(digits)),
    }
}

/// `a ** b` of two Integers, `b` not negative; ArgumentError when the result could not be held.
pub fn int_pow(vm: Vm, a: Value, b: Value) -> Ruby {
    if let Some(x) = a.as_fixnum() {
        match x {
            0 => return Ok(Value::fixnum(int_zero(b) as i64)),
            1 => return Ok(a),
            -1 => return Ok(Value::fixnum(if vm.int_even(b) { 1 } else { -1 })),
            _ => {}
        }
    }
    let too_large = || vm.arg_error("exponent is too large");
    let n = b.as_fixnum().ok_or_else(too_large)? as u64;
    if let Some(x) = a.as_fixnum()
        && n < 64
        && let Some(r) = x.checked_pow(n as u32)
    {
        return Ok(vm.int(r));
    }
    let bits = with_big(a, BigInt::bits);
    if bits.checked_mul(n).is_none_or(|total| total > MAX_BITS) {
        return Err(too_large());
    }
    if a == Value::fixnum(2) {
        return Ok(vm.bigint(BigInt::from(1) << n));
    }
    Ok(vm.bigint(with_big(a, |x| Pow::pow(x, n))))
}

/// `int ** other`: Integer, Rational for a negative exponent, Float or Complex.
fn power(vm: Vm, this: Value, args: Args) -> Ruby {
    let other = args.or_nil(0);
    if other.is_integer() {
        if !int_negative(other) {
            return int_pow(vm, this, other);
        }
        if int_zero(this) {
            return Err(vm.zero_division());
        }
        let p = int_pow(vm, this, vm.int_neg(other))?;
        if this.as_fixnum().is_some_and(|n| n.abs() == 1) {
            return Ok(p);
        }
        let one = Value::fixnum(if int_negative(p) { -1 } else { 1 });
        return Ok(rational::raw(vm, one, vm.int_abs(p)));
    }
    match other.as_float() {
        Some(y) => float::pow_of(vm, to_double(this), y),
        None => vm.coerce_bin(this, other, sym::POW),
    }
}

/// `int.pow(exponent, modulus = nil)`.
fn pow(vm: Vm, this: Value, args: Args) -> Ruby {
    let Some(m) = args.get(1) else { return power(vm, this, args) };
    let b = args.or_nil(0);
    if !b.is_integer() {
        return Err(vm.type_error("Integer#pow() 2nd argument not allowed unless a 1st argument is integer"));
    }
    if int_negative(b) {
        return Err(vm.range_error("Integer#pow() 1st argument cannot be negative when 2nd argument specified"));
    }
    if !m.is_integer() {
        return Err(vm.type_error("Integer#pow() 2nd argument not allowed unless all arguments are integers"));
    }
    if int_zero(this) && !int_zero(b) {
        return Ok(Value::fixnum(0));
    }
    if int_zero(m) {
        return Err(vm.zero_division());
    }
    if vm.int_abs(m) == Value::fixnum(1) {
        return Ok(Value::fixnum(0));
    }
    Ok(vm.bigint(with_big(m, |m| with_bigs(this, b, |a, b| a.modpow(b, m)))))
}

// ---- bits

/// `int[i]`, `int[i, len]`, `int[range]`.
fn aref(vm: Vm, this: Value, args: Args) -> Ruby {
    let first = args.or_nil(0);
    if let Some(len) = args.get(1) {
        let (at, len) = (vm.to_int(first)?, vm.to_int(len)?);
        return bits(vm, this, at, len);
    }
    let Some(r) = first.as_range() else { return bit(vm, this, first) };
    let (lo, hi, excl) = (r.lo.get(), r.hi.get(), r.exclusive.get());
    let one = Value::fixnum(1);
    if lo.is_nil() {
        let hi = vm.to_int(hi)?;
        if int_negative(hi) {
            return Ok(Value::fixnum(0));
        }
        let end = if excl { hi } else { vm.int_add(hi, one) };
        let low = bits(vm, this, Value::fixnum(0), end)?;
        if int_zero(low) {
            return Ok(low);
        }
        return Err(vm.arg_error("The beginless range for Integer#[] results in infinity"));
    }
    let lo = vm.to_int(lo)?;
    if hi.is_nil() {
        return vm.int_op(ArithOp::Shr, this, lo);
    }
    let hi = vm.to_int(hi)?;
    match int_cmp(lo, hi) {
        Ordering::Less => {
            let span = vm.int_sub(hi, lo);
            bits(vm, this, lo, if excl { span } else { vm.int_add(span, one) })
        }
        Ordering::Equal if excl => Ok(Value::fixnum(0)),
        Ordering::Equal => bit(vm, this, lo),
        Ordering::Greater => vm.int_op(ArithOp::Shr, this, lo),
    }
}
fn bits(vm: Vm, n: Value, at: Value, len: Value) -> Ruby {
    let shifted = vm.int_op(ArithOp::Shr, n, at)?;
    let top = vm.int_op(ArithOp::Shl, Value::fixnum(1), len)?;
    vm.int_op(ArithOp::And, shifted, vm.int_sub(top, Value::fixnum(1)))
}
fn bit(vm: Vm, n: Value, i: Value) -> Ruby {
    let i = vm.to_int(i)?;
    if int_negative(i) {
        return Ok(Value::fixnum(0));
    }
    let at = i.as_fixnum().map_or(u64::MAX, |i| i as u64);
    let set = match n.as_fixnum() {
        Some(n) => n >> at.min(63) & 1 == 1,
        None if at > with_big(n, BigInt::bits) => int_negative(n),
        None => with_big(n, |x| x.bit(at)),
    };
    Ok(Value::fixnum(set as i64))
}
fn bit_length(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(match this.as_fixnum() {
        Some(n) => Value::fixnum((64 - (n ^ n >> 63).leading_zeros()) as i64),
        None if int_negative(this) => vm.int(with_big(this, |x| (-x - 1i32).bits()) as i64),
        None => vm.int(with_big(this, BigInt::bits) as i64),
    })
}
/// `int.bit_count`: how many ones; ArgumentError for negative numbers.
fn bit_count(vm: Vm, this: Value, _: Args) -> Ruby {
    if int_negative(this) {
        return Err(vm.arg_error("bit_count is undefined for negative integers"));
    }
    Ok(match this.as_fixnum() {
        Some(n) => Value::fixnum(n.count_ones() as i64),
        None => vm.int(with_big(this, |x| x.magnitude().count_ones()) as i64),
    })
}
fn size(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(if this.is_fixnum() { Value::fixnum(8) } else { vm.int(with_big(this, |x| x.bits().div_ceil(8)).max(8) as i64) })
}
fn masked(vm: Vm, this: Value, args: Args) -> Ruby<(Value, Value)> {
    let mask = vm.to_int(args.or_nil(0))?;
    Ok((vm.int_op(ArithOp::And, this, mask)?, mask))
}
fn allbits(vm: Vm, this: Value, args: Args) -> Ruby {
    let (got, mask) = masked(vm, this, args)?;
    Ok((int_cmp(got, mask) == Ordering::Equal).into())
}
fn anybits(vm: Vm, this: Value, args: Args) -> Ruby {
    Ok((!int_zero(masked(vm, this, args)?.0)).into())
}
fn nobits(vm: Vm, this: Value, args: Args) -> Ruby {
    Ok(int_zero(masked(vm, this, args)?.0).into())
}
fn is_zero(_: Vm, this: Value, _: Args) -> Ruby {
    Ok(int_zero(this).into())
}
fn even(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(vm.int_even(this).into())
}
fn odd(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok((!vm.int_even(this)).into())
}

// ---- number theory

fn other_int(vm: Vm, args: Args) -> Ruby {
    let other = args.or_nil(0);
    if other.is_integer() { Ok(other) } else { Err(vm.type_error("not an integer")) }
}
fn lcm_of(vm: Vm, a: Value, b: Value) -> Value {
    if int_zero(a) || int_zero(b) {
        return Value::fixnum(0);
    }
    vm.bigint(with_bigs(a, b, |x, y| x.lcm(y)))
}
fn gcd(vm: Vm, this: Value, args: Args) -> Ruby {
    Ok(vm.int_gcd(this, other_int(vm, args)?))
}
fn lcm(vm: Vm, this: Value, args: Args) -> Ruby {
    Ok(lcm_of(vm, this, other_int(vm, args)?))
}
fn gcdlcm(vm: Vm, this: Value, args: Args) -> Ruby {
    let other = other_int(vm, args)?;
    let (g, l) = (vm.int_gcd(this, other), lcm_of(vm, this, other));
    Ok(vm.array(&[g, l]))
}
/// `Integer.sqrt(n)`: the integer part of the root.
fn sqrt(vm: Vm, _: Value, args: Args) -> Ruby {
    let n = vm.to_int(args.or_nil(0))?;
    if int_negative(n) {
        return Err(super::math::domain_error(vm, "\"isqrt\""));
    }
    Ok(match n.as_fixnum() {
        Some(x) => Value::fixnum(x.isqrt()),
        None => vm.bigint(with_big(n, BigInt::sqrt)),
    })
}
fn try_convert(vm: Vm, _: Value, args: Args) -> Ruby {
    let v = args.or_nil(0);
    if v.is_integer() {
        return Ok(v);
    }
    match vm.send_if_responds(v, sym::TO_INT, &[])? {
        None | Some(NIL) => Ok(NIL),
        Some(r) if r.is_integer() => Ok(r),
        Some(r) => {
            let (from, got) = (vm.describe(v), vm.describe(r));
            Err(vm.type_error(&format!("can't convert {from} into Integer ({from}#to_int gives {got})")))
        }
    }
}

/// `int.digits(base = 10)`, least significant first.
fn digits(vm: Vm, this: Value, args: Args) -> Ruby {
    if int_negative(this) {
        return Err(vm.raise(super::math::domain_class(vm), "out of domain"));
    }
    let base = match args.get(0) {
        Some(b) => vm.to_int(b)?,
        None => Value::fixnum(10),
    };
    if int_negative(base) {
        return Err(vm.arg_error("negative radix"));
    }
    if base.is_fixnum() && base.fix() < 2 {
        return Err(vm.arg_error(&format!("invalid radix {}", base.fix())));
    }
    let list = RArray::new(&vm, 8);
    if Value::both_fixnum(this, base) {
        let (mut n, b) = (this.fix(), base.fix());
        while n > 0 || list.is_empty() {
            list.push(&vm, Value::fixnum(n % b));
            n /= b;
        }
        return Ok(list.value());
    }
    if let Some(b) = base.as_fixnum().filter(|b| *b <= 256) {
        for d in with_big(this, |x| x.magnitude().to_radix_le(b as u32)) {
            list.push(&vm, Value::fixnum(d as i64));
        }
        return Ok(list.value());
    }
    let mut n = this;
    loop {
        list.push(&vm, vm.int_mod(n, base)?);
        n = vm.int_div(n, base)?;
        if int_zero(n) {
            return Ok(list.value());
        }
    }
}

// ---- conversions

/// The double nearest to an Integer.
pub fn to_double(v: Value) -> f64 {
    match v.as_bignum() {
        Some(b) => big_to_f64(&b.value),
        None => v.as_fixnum().unwrap_or(0) as f64,
    }
}
fn to_f(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(vm.float(to_double(this)))
}
fn to_r(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(rational::raw(vm, this, Value::fixnum(1)))
}
fn coerce(vm: Vm, this: Value, args: Args) -> Ruby {
    let other = args.or_nil(0);
    if other.is_integer() {
        return Ok(vm.array(&[other, this]));
    }
    let y = vm.float(float::convert(vm, other)?);
    let x = vm.float(to_double(this));
    Ok(vm.array(&[y, x]))
}
/// Text of an Integer in a base of 2..=36.
pub fn int_to_s(v: Value, base: u32) -> String {
    match v.as_fixnum() {
        Some(n) if base == 10 => n.to_string(),
        _ => with_big(v, |x| x.to_str_radix(base)),
    }
}
/// A radix argument, checked.
pub fn radix(vm: Vm, v: Value) -> Ruby<u32> {
    let base = vm.to_i32(v)?;
    if (2..=36).contains(&base) { Ok(base as u32) } else { Err(vm.arg_error(&format!("invalid radix {base}"))) }
}
fn to_s(vm: Vm, this: Value, args: Args) -> Ruby {
    let base = match args.get(0) {
        Some(b) => radix(vm, b)?,
        None => 10,
    };
    Ok(RString::ascii(&vm, &int_to_s(this, base)).value())
}

/// `int.chr(encoding)`: one character.
fn chr(vm: Vm, this: Value, args: Args) -> Ruby {
    let out_of_range = || match this.as_fixnum() {
        Some(n) => vm.range_error(&format!("{n} out of char range")),
        None => vm.range_error("bignum out of char range"),
    };
    let n = this.as_fixnum().and_then(|n| u32::try_from(n).ok()).ok_or_else(out_of_range)?;
    let enc = match args.get(0) {
        None if n < 0x80 => Enc::Ascii,
        None if n <= 0xff => Enc::Binary,
        None => return Err(out_of_range()),
        Some(e) => encoding_named(vm, e)?,
    };
    match encode_char(n, enc) {
        Some(bytes) => Ok(RString::from_vec(&vm, bytes, enc).value()),
        None if enc.single_byte() || n > 0x10ffff => Err(out_of_range()),
        None => Err(vm.range_error(&format!("invalid codepoint 0x{n:X} in {}", enc.name()))),
    }
}

/// The bytes of code point `n`; `None` if the encoding has no such character.
pub fn encode_char(n: u32, enc: Enc) -> Option<Vec<u8>> {
    Some(match enc {
        Enc::Utf8 => char::from_u32(n)?.to_string().into_bytes(),
        Enc::Utf16Le | Enc::Utf16Be | Enc::Utf16 => {
            let mut units = [0u16; 2];
            let units = char::from_u32(n)?.encode_utf16(&mut units).iter();
            units.flat_map(|u| if enc == Enc::Utf16Le { u.to_le_bytes() } else { u.to_be_bytes() }).collect()
        }
        Enc::Utf32Le => (char::from_u32(n)? as u32).to_le_bytes().to_vec(),
        Enc::Utf32Be | Enc::Utf32 => (char::from_u32(n)? as u32).to_be_bytes().to_vec(),
        Enc::Ascii if n > 0x7f => return None,
        _ if n <= 0xff => vec![n as u8],
        Enc::EucJp | Enc::ShiftJis | Enc::Windows31J if n <= 0xffff => vec![(n >> 8) as u8, n as u8],
        _ => return None,
    })
}

/// An Encoding object or its name.
fn encoding_named(vm: Vm, v: Value) -> Ruby<Enc> {
    let name = if vm.class_of(v) == vm.classes.encoding.get() { vm.to_s(v)? } else { vm.to_str(v)? };
    let name = name.text();
    let known = match name.to_ascii_uppercase().as_str() {
        "ASCII-8BIT" => Some(Enc::Binary),
        "ASCII" => Some(Enc::Ascii),
        upper => Enc::ALL.into_iter().find(|e| e.name().eq_ignore_ascii_case(upper)),
    };
    known.ok_or_else(|| vm.arg_error(&format!("unknown encoding name - {name}")))
}

// ---- rounding

fn digits_arg(vm: Vm, args: Args) -> Ruby<i32> {
    args.get(0).map_or(Ok(0), |d| vm.to_i32(d))
}
fn floor(vm: Vm, this: Value, args: Args) -> Ruby {
    rounding::int_floor(vm, this, digits_arg(vm, args)?)
}
fn ceil(vm: Vm, this: Value, args: Args) -> Ruby {
    rounding::int_ceil(vm, this, digits_arg(vm, args)?)
}
fn truncate(vm: Vm, this: Value, args: Args) -> Ruby {
    rounding::int_truncate(vm, this, digits_arg(vm, args)?)
}
fn round(vm: Vm, this: Value, args: Args) -> Ruby {
    let digits = digits_arg(vm, args)?;
    let half = rounding::Half::of(vm, args)?;
    rounding::int_round(vm, this, digits, half)
}

// ---- Integer()

/// `Integer(arg, base = 0, exception: true)`.
fn kernel_integer(vm: Vm, _: Value, args: Args) -> Ruby {
    args.only_keywords(vm, &["exception"])?;
    let base = args.or_nil(1);
    numeric::or_exception(vm, args, || convert(vm, args.or_nil(0), base))
}

/// What `Integer(v, base)` gives.
pub fn convert(vm: Vm, v: Value, base: Value) -> Ruby {
    let based = if base.is_nil() { None } else { Some(vm.to_i32(base)?) };
    let text = match v.as_str() {
        Some(s) => Some(s),
        None if v.is_ptr() && !vm.is_numeric(v) => vm.check_str(v)?,
        None => None,
    };
    if let Some(s) = text {
        let base = based.unwrap_or(0);
        if base == 1 || base.unsigned_abs() > 36 || base == -1 {
            return Err(vm.arg_error(&format!("invalid radix {base}")));
        }
        vm.must_be_ascii_compatible(s)?;
        if s.bytes().contains(&0) {
            return Err(vm.arg_error("string contains null byte"));
        }
        return match str_to_int(vm, s.bytes(), base, true) {
            Some(n) => Ok(n),
            None => {
                let text = vm.inspect(s.value())?;
                Err(vm.arg_error(&format!("invalid value for Integer(): {}", text.text())))
            }
        };
    }
    if based.is_some() {
        return Err(vm.arg_error("base specified for non string value"));
    }
    if v.is_integer() {
        return Ok(v);
    }
    if let Some(f) = v.as_float() {
        return vm.float_to_int(f);
    }
    if v.is_nil() {
        return Err(vm.type_error("can't convert nil into Integer"));
    }
    if let Some(r) = vm.send_if_responds(v, sym::TO_INT, &[])?
        && r.is_integer()
    {
        return Ok(r);
    }
    let from = vm.describe(v);
    match vm.send_if_responds(v, sym::TO_I, &[])? {
        Some(r) if r.is_integer() => Ok(r),
        Some(r) => {
            let got = vm.describe(r);
            Err(vm.type_error(&format!("can't convert {from} into Integer ({from}#to_i gives {got})")))
        }
        None => Err(vm.type_error(&format!("can't convert {from} into Integer"))),
    }
}
