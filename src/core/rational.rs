//! `Rational`: an exact fraction in lowest terms with a positive denominator.

use super::integer::{fdiv_of, int_pow};
use super::number_text::{int_from_digits, trim};
use super::rounding::{self, Half, ratio_ceil, ratio_round};
use super::{float, numeric};
use crate::class;
use crate::heap::{Marker, flags};
use crate::object::{Data, MethodBody, RData, RString, Visibility, sym};
use crate::value::{NIL, Ruby, Value};
use crate::vm::arith::{int_cmp, int_negative, int_zero, with_big};
use crate::vm::equal::mix;
use crate::vm::native::ClassDef;
use crate::vm::{Args, Vm};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Zero};
use std::cmp::Ordering;

class! { "Rational" < "Numeric";
    ["numerator"]        req(0)    => numerator;
    ["denominator"]      req(0)    => denominator;
    ["+"]                req(1)    => add;
    ["-"]                req(1)    => sub;
    ["*"]                req(1)    => mul;
    ["/", "quo"]         req(1)    => div;
    ["**"]               req(1)    => pow;
    ["fdiv"]             req(1)    => fdiv;
    ["-@"]               req(0)    => negate;
    ["abs", "magnitude"] req(0)    => abs;
    ["<=>"]              req(1)    => cmp;
    ["=="]               req(1)    => eq;
    ["coerce"]           req(1)    => coerce;
    ["hash"]             req(0)    => hash;
    ["zero?"]            req(0)    => is_zero;
    ["positive?"]        req(0)    => positive;
    ["negative?"]        req(0)    => negative;
    ["floor"]            opt(0, 1) => floor;
    ["ceil"]             opt(0, 1) => ceil;
    ["truncate"]         opt(0, 1) => truncate;
    ["to_i"]             req(0)    => truncate;
    ["round"]            kw(0, 1)  => round;
    ["to_f"]             req(0)    => to_f;
    ["to_r"]             req(0)    => itself;
    ["rationalize"]      opt(0, 1) => rationalize;
    ["to_s"]             req(0)    => to_s;
    ["inspect"]          req(0)    => inspect;
    private ["marshal_dump"] req(0) => marshal_dump;
}

const KERNEL: ClassDef = {
    class! { module "Kernel";
        module_fn ["Rational"] kw(1, 2) => kernel_rational;
    }
    CLASS
};

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
    numeric::no_new(vm, c);
    numeric::private_convert(vm, c, |vm, _, args| convert(vm, args.or_nil(0), args.get(1)));
    vm.define_table(&KERNEL);
    vm.hooks.new_rational.set(Some(new));
}
/// Undefines methods a number class does not have.
pub fn undefine(vm: Vm, class: crate::object::Class, names: &[&str]) {
    for name in names {
        vm.add_method(class, vm.intern(name), Visibility::Public, MethodBody::Undef);
    }
}

/// A Rational of parts that fulfil R1 already.
pub fn raw(vm: Vm, num: Value, den: Value) -> Value {
    let v = RData::alloc(&vm, vm.classes.rational.get(), Rational { num, den });
    if let Some(h) = v.header() {
        h.set(flags::FROZEN)
    }
    v
}
/// `num / den` of any two Integers, reduced; ZeroDivisionError.
pub fn new(vm: Vm, num: Value, den: Value) -> Ruby {
    if int_zero(den) {
        return Err(vm.zero_division());
    }
    let (mut num, mut den) = (num, den);
    if int_negative(den) {
        (num, den) = (vm.int_neg(num), vm.int_neg(den));
    }
    let g = vm.int_gcd(num, den);
    if g != Value::fixnum(1) {
        num = vm.int_div(num, g)?;
        den = vm.int_div(den, g)?;
    }
    Ok(raw(vm, num, den))
}
/// A Rational as `Marshal` reads it: TypeError unless both are Integers.
pub fn load(vm: Vm, num: Value, den: Value) -> Ruby {
    if !num.is_integer() || !den.is_integer() {
        return Err(vm.type_error("not an integer"));
    }
    new(vm, num, den)
}
/// Numerator and denominator of an Integer or a Rational.
pub fn parts(v: Value) -> Option<(Value, Value)> {
    if v.is_integer() {
        return Some((v, Value::fixnum(1)));
    }
    v.data::<Rational>().map(|r| (r.num, r.den))
}
/// The receiver's parts.
fn of(vm: Vm, this: Value) -> Ruby<(Value, Value)> {
    parts(this).ok_or_else(|| vm.type_error("not a Rational"))
}
/// The double nearest to an Integer or Rational.
pub fn to_double(v: Value) -> f64 {
    parts(v).map_or(f64::NAN, |(n, d)| fdiv_of(n, d))
}

fn itself(_: Vm, this: Value, _: Args) -> Ruby {
    Ok(this)
}
fn numerator(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(of(vm, this)?.0)
}
fn denominator(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(of(vm, this)?.1)
}

// ---- arithmetic

fn add_parts(vm: Vm, (a, b): (Value, Value), (c, d): (Value, Value)) -> Ruby {
    if b == Value::fixnum(1) && d == b {
        return Ok(raw(vm, vm.int_add(a, c), b));
    }
    let n = vm.int_add(vm.int_mul(a, d), vm.int_mul(c, b));
    new(vm, n, vm.int_mul(b, d))
}
fn add(vm: Vm, this: Value, args: Args) -> Ruby {
    let other = args.or_nil(0);
    match (parts(other), other.as_float()) {
        (Some(o), _) => add_parts(vm, of(vm, this)?, o),
        (_, Some(f)) => Ok(vm.float(to_double(this) + f)),
        _ => vm.coerce_bin(this, other, sym::PLUS),
    }
}
fn sub(vm: Vm, this: Value, args: Args) -> Ruby {
    let other = args.or_nil(0);
    match (parts(other), other.as_float()) {
        (Some((c, d)), _) => add_parts(vm, of(vm, this)?, (vm.int_neg(c), d)),
        (_, Some(f)) => Ok(vm.float(to_double(this) - f)),
        _ => vm.coerce_bin(this, other, sym::MINUS),
    }
}
fn mul(vm: Vm, this: Value, args: Args) -> Ruby {
    let other = args.or_nil(0);
    match (parts(other), other.as_float()) {
        (Some((c, d)), _) => {
            let (a, b) = of(vm, this)?;
            new(vm, vm.int_mul(a, c), vm.int_mul(b, d))
        }
        (_, Some(f)) => Ok(vm.float(to_double(this) * f)),
        _ => vm.coerce_bin(this, other, sym::MUL),
    }
}
fn div(vm: Vm, this: Value, args: Args) -> Ruby {
    let other = args.or_nil(0);
    match (parts(other), other.as_float()) {
        (Some((c, d)), _) => {
            let (a, b) = of(vm, this)?;
            new(vm, vm.int_mul(a, d), vm.int_mul(b, c))
        }
        (_, Some(f)) => Ok(vm.float(to_double(this) / f)),
        _ => vm.coerce_bin(this, other, sym::DIV),
    }
}
fn fdiv(vm: Vm, this: Value, args: Args) -> Ruby {
    let other = args.or_nil(0);
    if other.is_integer() && int_zero(other) {
        return Ok(vm.float(to_double(this) / 0.0));
    }
    let q = div(vm, this, args)?;
    if parts(q).is_some() { Ok(vm.float(to_double(q))) } else { vm.send(q, sym::TO_F, &[]) }
}
/// `rational ** other`: Rational for an Integer exponent, Float or Complex otherwise.
fn pow(vm: Vm, this: Value, args: Args) -> Ruby {
    let mut other = args.or_nil(0);
    let one = Value::fixnum(1);
    if let Some(r) = other.data::<Rational>()
        && r.den == one
    {
        other = r.num;
    }
    let (a, b) = of(vm, this)?;
    if let Some((n, _)) = parts(other) {
        if int_zero(n) {
            return Ok(raw(vm, one, one));
        }
        if b == one {
            if a == one {
                return Ok(raw(vm, one, one));
            }
            if a == Value::fixnum(-1) && other.is_integer() {
                return Ok(raw(vm, if vm.int_even(other) { one } else { a }, one));
            }
            if int_zero(a) {
                return if int_negative(n) { Err(vm.zero_division()) } else { Ok(raw(vm, a, one)) };
            }
        }
    }
    if other.is_integer() {
        if !other.is_fixnum() {
            return Err(vm.arg_error("exponent is too large"));
        }
        let k = vm.int_abs(other);
        let (p, q) = (int_pow(vm, a, k)?, int_pow(vm, b, k)?);
        return if int_negative(other) { new(vm, q, p) } else { Ok(raw(vm, p, q)) };
    }
    let exp = match other.as_float() {
        Some(f) => f,
        None if parts(other).is_some() => to_double(other),
        None => return vm.coerce_bin(this, other, sym::POW),
    };
    float::pow_of(vm, to_double(this), exp)
}
fn negate(vm: Vm, this: Value, _: Args) -> Ruby {
    let (a, b) = of(vm, this)?;
    Ok(raw(vm, vm.int_neg(a), b))
}
fn abs(vm: Vm, this: Value, _: Args) -> Ruby {
    let (a, b) = of(vm, this)?;
    Ok(raw(vm, vm.int_abs(a), b))
}

// ---- comparison

fn cmp_parts(vm: Vm, (a, b): (Value, Value), (c, d): (Value, Value)) -> Ordering {
    if b == d { int_cmp(a, c) } else { int_cmp(vm.int_mul(a, d), vm.int_mul(c, b)) }
}
fn cmp(vm: Vm, this: Value, args: Args) -> Ruby {
    let other = args.or_nil(0);
    let order = match (parts(other), other.as_float()) {
        (Some(o), _) => Some(cmp_parts(vm, of(vm, this)?, o)),
        (_, Some(f)) if f.is_infinite() => Some(if f > 0.0 { Ordering::Less } else { Ordering::Greater }),
        (_, Some(f)) => to_double(this).partial_cmp(&f),
        _ => return vm.coerce_cmp(this, other, sym::CMP),
    };
    Ok(order.map_or(NIL, |o| Value::fixnum(o as i64)))
}
fn eq(vm: Vm, this: Value, args: Args) -> Ruby {
    let other = args.or_nil(0);
    match (parts(other), other.as_float()) {
        (Some(o), _) => Ok(cmp_parts(vm, of(vm, this)?, o).is_eq().into()),
        (_, Some(f)) => Ok((to_double(this) == f).into()),
        _ => vm.eq_swapped(this, other),
    }
}
fn coerce(vm: Vm, this: Value, args: Args) -> Ruby {
    let other = args.or_nil(0);
    if other.is_integer() {
        return Ok(vm.array(&[raw(vm, other, Value::fixnum(1)), this]));
    }
    if other.is_float() {
        return Ok(vm.array(&[other, vm.float(to_double(this))]));
    }
    if other.data::<Rational>().is_some() {
        return Ok(vm.array(&[other, this]));
    }
    if let Some(c) = other.data::<super::complex::Complex>() {
        if c.imag == Value::fixnum(0) {
            let r = convert(vm, c.real, None)?;
            return Ok(vm.array(&[r, this]));
        }
        let c = super::complex::raw(vm, this, Value::fixnum(0));
        return Ok(vm.array(&[other, c]));
    }
    let (a, b) = (vm.describe(other), "Rational");
    Err(vm.type_error(&format!("{a} can't be coerced into {b}")))
}
fn hash(vm: Vm, this: Value, _: Args) -> Ruby {
    let (a, b) = of(vm, this)?;
    let h = mix(vm.hash_of(a)? ^ vm.hash_of(b)?.rotate_left(32));
    Ok(vm.int(h as i64 >> 2))
}
fn is_zero(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(int_zero(of(vm, this)?.0).into())
}
fn positive(vm: Vm, this: Value, _: Args) -> Ruby {
    let (a, _) = of(vm, this)?;
    Ok((!int_negative(a) && !int_zero(a)).into())
}
fn negative(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(int_negative(of(vm, this)?.0).into())
}

// ---- rounding

/// Applies `f`, which rounds `num / den` to an Integer, at so many digits after the point.
fn rounded(vm: Vm, this: Value, args: Args, f: impl FnOnce(Value, Value) -> Ruby) -> Ruby {
    let (a, b) = of(vm, this)?;
    let Some(digits) = args.get(0) else { return f(a, b) };
    if !digits.is_integer() {
        return Err(vm.type_error("not an integer"));
    }
    let scale = int_pow(vm, Value::fixnum(10), vm.int_abs(digits))?;
    if int_negative(digits) || int_zero(digits) {
        let whole = f(a, vm.int_mul(b, scale))?;
        return Ok(vm.int_mul(whole, scale));
    }
    let whole = f(vm.int_mul(a, scale), b)?;
    new(vm, whole, scale)
}
fn floor(vm: Vm, this: Value, args: Args) -> Ruby {
    rounded(vm, this, args, |n, d| vm.int_div(n, d))
}
fn ceil(vm: Vm, this: Value, args: Args) -> Ruby {
    rounded(vm, this, args, |n, d| ratio_ceil(vm, n, d))
}
fn truncate(vm: Vm, this: Value, args: Args) -> Ruby {
    rounded(vm, this, args, |n, d| if int_negative(n) { ratio_ceil(vm, n, d) } else { vm.int_div(n, d) })
}
fn round(vm: Vm, this: Value, args: Args) -> Ruby {
    let half = Half::of(vm, args)?;
    rounded(vm, this, args, |n, d| ratio_round(vm, n, d, half))
}

// ---- conversions

fn to_f(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(vm.float(to_double(this)))
}
fn text(vm: Vm, this: Value) -> Ruby<String> {
    let (a, b) = of(vm, this)?;
    Ok(with_big(a, |a| with_big(b, |b| format!("{a}/{b}"))))
}
fn to_s(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(RString::ascii(&vm, &text(vm, this)?).value())
}
fn inspect(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(RString::ascii(&vm, &format!("({})", text(vm, this)?)).value())
}
fn marshal_dump(vm: Vm, this: Value, _: Args) -> Ruby {
    let (a, b) = of(vm, this)?;
    Ok(vm.array(&[a, b]))
}

/// `rational.rationalize(eps = nil)`: itself, or the simplest one within `eps`.
fn rationalize(vm: Vm, this: Value, args: Args) -> Ruby {
    match args.get(0) {
        Some(eps) => simplest_within(vm, this, eps),
        None => Ok(this),
    }
}

/// The simplest Rational no farther than `|eps|` from `r` (a Rational, Integer or finite Float).
pub fn simplest_within(vm: Vm, r: Value, eps: Value) -> Ruby {
    let negative = vm.num_negative(r)?;
    let r = if negative { vm.send(r, sym::NEG, &[])? } else { r };
    let eps = vm.call(eps, "abs", &[])?;
    let low = vm.send(r, sym::MINUS, &[eps])?;
    let high = vm.send(r, sym::PLUS, &[eps])?;
    let (a, b) = (exact_parts(vm, low)?, exact_parts(vm, high)?);
    let (p, q) = if &a.0 * &b.1 == &b.0 * &a.1 { exact_parts(vm, r)? } else { simplest_between(a, b) };
    let p = vm.bigint(if negative { -p } else { p });
    new(vm, p, vm.bigint(q))
}
/// The simplest Rational that reads back as `f` (finite).
pub fn rationalize_float(vm: Vm, f: f64) -> Ruby {
    let (n, d) = rounding::exact(f.abs());
    if n.is_zero() || d.is_one() {
        let n = vm.bigint(if f < 0.0 { -n } else { n });
        return Ok(raw(vm, n, Value::fixnum(1)));
    }
    // Half a unit in the last place to both sides of the 53-bit mantissa.
    let e = rounding::binary_exponent(f) - 53;
    let (unit, den) = if e > 0 {
        (BigInt::from(1) << (e as u64), BigInt::from(2))
    } else {
        (BigInt::from(1), BigInt::from(1) << (e.unsigned_abs() as u64 + 1))
    };
    let center = n * (&den / &d);
    let (p, q) = simplest_between((&center - &unit, den.clone()), (&center + &unit, den));
    let p = vm.bigint(if f < 0.0 { -p } else { p });
    new(vm, p, vm.bigint(q))
}
/// Any real number as an exact ratio.
fn exact_parts(vm: Vm, v: Value) -> Ruby<(BigInt, BigInt)> {
    let r = if parts(v).is_some() { v } else { vm.send(v, sym::TO_R, &[])? };
    let (n, d) = of(vm, r)?;
    Ok(with_big(n, |n| with_big(d, |d| (n.clone(), d.clone()))))
}

type Ratio = (BigInt, BigInt);

/// The fraction of smallest denominator in [a, b), by continued fractions (Stern-Brocot); 0 <= a < b.
fn simplest_between(mut a: Ratio, mut b: Ratio) -> Ratio {
    let (mut p0, mut p1, mut q0, mut q1) = (BigInt::zero(), BigInt::one(), BigInt::one(), BigInt::zero());
    loop {
        let c = Integer::div_ceil(&a.0, &a.1);
        if &c * &b.1 < b.0 {
            return (&c * &p1 + p0, &c * &q1 + q0);
        }
        let k = c - 1;
        let p2 = &k * &p1 + p0;
        let q2 = &k * &q1 + q0;
        let t = (b.1.clone(), b.0 - &k * &b.1);
        b = (a.1.clone(), a.0 - &k * &a.1);
        a = t;
        (p0, p1, q0, q1) = (p1, p2, q1, q2);
    }
}

// ---- Rational(), String#to_r

/// `Rational(x, y = 1, exception: true)`.
fn kernel_rational(vm: Vm, _: Value, args: Args) -> Ruby {
    args.only_keywords(vm, &["exception"])?;
    numeric::or_exception(vm, args, || convert(vm, args.or_nil(0), args.get(1)))
}

/// What `Rational(x, y)` gives.
pub fn convert(vm: Vm, x: Value, y: Option<Value>) -> Ruby {
    if x.is_nil() || y == Some(NIL) {
        return Err(vm.type_error("can't convert nil into Rational"));
    }
    let x = prepare(vm, x)?;
    let Some(y) = y else {
        return if x.is_integer() { Ok(raw(vm, x, Value::fixnum(1))) } else { must_be(vm, x) };
    };
    let y = prepare(vm, y)?;
    if x.is_integer() && y.is_integer() {
        return new(vm, x, y);
    }
    // A number that cannot become a Rational, as Complex, divides as it is.
    let x = match vm.is_numeric(x) && parts(x).is_none() {
        true => vm.rescue(vm.classes.standard_error.get(), || must_be(vm, x))?.unwrap_or(x),
        false if parts(x).is_some() => x,
        false => must_be(vm, x)?,
    };
    let y = if vm.is_numeric(y) { y } else { must_be(vm, y)? };
    let x = if x.is_integer() { raw(vm, x, Value::fixnum(1)) } else { x };
    vm.send(x, sym::DIV, &[y])
}
/// Strings and Floats become exact; a Complex without imaginary part its real part.
fn prepare(vm: Vm, v: Value) -> Ruby {
    if let Some(c) = v.data::<super::complex::Complex>()
        && c.imag == Value::fixnum(0)
    {
        return prepare(vm, c.real);
    }
    if let Some(f) = v.as_float() {
        return float::exact_rational(vm, f);
    }
    if let Some(s) = v.as_str() {
        vm.must_be_ascii_compatible(s)?;
        return match parse(vm, s.bytes()) {
            Some((r, rest)) if trim(rest).is_empty() => r,
            _ => {
                let text = vm.inspect(v)?;
                Err(vm.arg_error(&format!("invalid value for convert(): {}", text.text())))
            }
        };
    }
    if parts(v).is_none() && !vm.responds_to(v, sym::TO_R, true)? && vm.responds_to(v, sym::TO_INT, true)? {
        return vm.to_int(v);
    }
    Ok(v)
}
/// A Rational, or what `to_r` makes one of; TypeError otherwise.
pub fn must_be(vm: Vm, v: Value) -> Ruby {
    if v.data::<Rational>().is_some() {
        return Ok(v);
    }
    let from = vm.describe(v);
    match vm.send_if_responds(v, sym::TO_R, &[])? {
        Some(r) if r.data::<Rational>().is_some() => Ok(r),
        Some(r) => {
            let got = vm.describe(r);
            Err(vm.type_error(&format!("can't convert {from} into Rational ({from}#to_r gives {got})")))
        }
        None => Err(vm.type_error(&format!("can't convert {from} into Rational"))),
    }
}

/// `String#to_r`: the Rational a text begins with, 0 if none.
pub fn from_text(vm: Vm, text: &[u8]) -> Ruby {
    match parse(vm, text) {
        Some((r, _)) => r,
        None => Ok(raw(vm, Value::fixnum(0), Value::fixnum(1))),
    }
}

/// Digits with single underscores between them, and what follows.
fn digits(s: &[u8]) -> (Vec<u8>, &[u8]) {
    let mut out = Vec::new();
    let mut i = 0;
    while i < s.len() {
        if s[i].is_ascii_digit() {
            out.push(s[i]);
        } else if !(s[i] == b'_' && i > 0 && s[i - 1] != b'_' && s.get(i + 1).is_some_and(u8::is_ascii_digit)) {
            break;
        }
        i += 1;
    }
    (out, &s[i..])
}

/// An unsigned decimal `12.5e-3` as digits and the power of ten they are divided by.
pub fn parse_decimal(s: &[u8]) -> Option<(Vec<u8>, i64, &[u8])> {
    let (mut d, mut rest) = digits(s);
    let mut scale = 0i64;
    if let [b'.', tail @ ..] = rest {
        let (frac, after) = digits(tail);
        if !frac.is_empty() {
            scale = frac.len() as i64;
            d.extend(frac);
            rest = after;
        }
    }
    if d.is_empty() {
        return None;
    }
    if let [b'e' | b'E', tail @ ..] = rest {
        let (minus, tail) = match tail {
            [c @ (b'-' | b'+'), t @ ..] => (*c == b'-', t),
            t => (false, t),
        };
        let (e, after) = digits(tail);
        if !e.is_empty() {
            let e = e.iter().fold(0i64, |n, b| (n * 10 + (b - b'0') as i64).min(1 << 40));
            scale += if minus { e } else { -e };
            rest = after;
        }
    }
    Some((d, scale, rest))
}

/// A Rational at the beginning of `text`, and what follows; `None` without one. The inner error is ZeroDivisionError or
/// an exponent out of bounds.
fn parse(vm: Vm, text: &[u8]) -> Option<(Ruby, &[u8])> {
    let s = trim(text);
    let negative = s.first() == Some(&b'-');
    let s = if matches!(s.first(), Some(b'-' | b'+')) { &s[1..] } else { s };
    // "1.5r" is a literal's way to write it.
    let suffixed = |s| -> Option<(Vec<u8>, i64, &[u8])> {
        let (d, scale, rest) = parse_decimal(s)?;
        let plain = !s[..s.len() - rest.len()].iter().any(|b| matches!(b, b'e' | b'E'));
        Some((
            d,
            scale,
            if let [b'r' | b'R', tail @ ..] = rest
                && plain
            {
                tail
            } else {
                rest
            },
        ))
    };
    let (d, mut scale, mut rest) = suffixed(s)?;
    let num = int_from_digits(vm, &d, 10, negative);
    let mut den = Value::fixnum(1);
    if let [b'/', tail @ ..] = rest
        && let Some((d, s, after)) = suffixed(tail)
    {
        den = int_from_digits(vm, &d, 10, false);
        scale -= s;
        rest = after;
    }
    let value = || {
        if scale.unsigned_abs() > 1 << 26 {
            return match scale > 0 || int_zero(num) {
                true => Ok(raw(vm, Value::fixnum(0), Value::fixnum(1))),
                false => Err(vm.raise(vm.classes.float_domain_error.get(), "Infinity")),
            };
        }
        let ten = super::integer::ten_to(vm, scale.unsigned_abs() as u32);
        if scale >= 0 { new(vm, num, vm.int_mul(den, ten)) } else { new(vm, vm.int_mul(num, ten), den) }
    };
    Some((value(), rest))
}
