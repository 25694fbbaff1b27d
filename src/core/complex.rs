//! `Complex`: a number with an imaginary part; the parts are any real numbers.

use super::number_text::{int_from_digits, str_to_float, trim};
use super::numeric::{self, no_new};
use super::rational::{self, parse_decimal, undefine};
use crate::class;
use crate::heap::{Marker, flags};
use crate::object::{Data, RData, RString, sym};
use crate::value::{FALSE, NIL, Ruby, Sym, Value};
use crate::vm::arith::{ArithOp, int_zero, num_op};
use crate::vm::equal::mix;
use crate::vm::native::ClassDef;
use crate::vm::{Args, Vm};
use std::f64::consts::PI;

class! { "Complex" < "Numeric";
    self ["rectangular", "rect"] opt(1, 2) => s_rect;
    self ["polar"]               opt(1, 2) => s_polar;
    ["real"]                 req(0) => real;
    ["imaginary", "imag"]    req(0) => imag;
    ["-@"]                   req(0) => negate;
    ["+"]                    req(1) => add;
    ["-"]                    req(1) => sub;
    ["*"]                    req(1) => mul;
    ["/", "quo"]             req(1) => div;
    ["fdiv"]                 req(1) => fdiv;
    ["**", "pow"]            req(1) => pow;
    ["=="]                   req(1) => eq;
    ["<=>"]                  req(1) => cmp;
    ["coerce"]               req(1) => coerce;
    ["abs", "magnitude"]     req(0) => abs;
    ["abs2"]                 req(0) => abs2;
    ["arg", "angle", "phase"] req(0) => arg;
    ["polar"]                req(0) => polar;
    ["rectangular", "rect"]  req(0) => rectangular;
    ["conjugate", "conj"]    req(0) => conjugate;
    ["real?"]                req(0) => no;
    ["finite?"]              req(0) => finite;
    ["infinite?"]            req(0) => infinite;
    ["denominator"]          req(0) => denominator;
    ["numerator"]            req(0) => numerator;
    ["hash"]                 req(0) => hash;
    ["eql?"]                 req(1) => eql;
    ["to_s"]                 req(0) => to_s;
    ["inspect"]              req(0) => inspect;
    ["to_i"]                 req(0) => to_i;
    ["to_f"]                 req(0) => to_f;
    ["to_r"]                 req(0) => to_r;
    ["rationalize"]          opt(0, 1) => rationalize;
    ["to_c"]                 req(0) => itself;
    private ["marshal_dump"] req(0) => rectangular;
}

const KERNEL: ClassDef = {
    class! { module "Kernel";
        module_fn ["Complex"] kw(1, 2) => kernel_complex;
    }
    CLASS
};

/// Both parts are real numbers: Integer, Float, Rational or another Numeric that says so.
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
    no_new(vm, c);
    numeric::private_convert(vm, c, |vm, _, args| convert(vm, args.or_nil(0), args.get(1)));
    undefine(
        vm,
        c,
        &[
            "%",
            "<",
            "<=",
            ">",
            ">=",
            "between?",
            "clamp",
            "div",
            "divmod",
            "floor",
            "ceil",
            "modulo",
            "remainder",
            "round",
            "step",
            "truncate",
            "i",
            "positive?",
            "negative?",
        ],
    );
    let i = raw(vm, Value::fixnum(0), Value::fixnum(1));
    vm.set_const(c, vm.intern("I"), i);
    vm.define_table(&KERNEL);
    vm.hooks.new_imaginary.set(Some(|vm, n| Ok(raw(vm, Value::fixnum(0), n))));
}
/// A Complex of two real numbers.
pub fn raw(vm: Vm, real: Value, imag: Value) -> Value {
    let v = RData::alloc(&vm, vm.classes.complex.get(), Complex { real, imag });
    if let Some(h) = v.header() {
        h.set(flags::FROZEN)
    }
    v
}

/// `abs * e^(i * pi * turns)`: what a negative base to a broken power is. Exact on the axes.
pub fn polar_pi(vm: Vm, abs: f64, turns: f64) -> Ruby {
    let (whole, part) = (turns.trunc(), turns.fract());
    let odd = whole % 2.0 != 0.0;
    if part == 0.0 {
        return Ok(vm.float(if odd { -abs } else { abs }));
    }
    if part.abs() == 0.5 {
        let down = odd != (part < 0.0);
        let zero = vm.float(0.0);
        return Ok(raw(vm, zero, vm.float(if down { -abs } else { abs })));
    }
    let (sin, cos) = (PI * turns).sin_cos();
    let real = vm.float(abs * cos);
    Ok(raw(vm, real, vm.float(abs * sin)))
}

// ---- arithmetic of the parts

fn op(vm: Vm, a: Value, op: ArithOp, s: Sym, b: Value) -> Ruby {
    match num_op(vm, op, a, b) {
        Some(r) => r,
        None => vm.send(a, s, &[b]),
    }
}
fn plus(vm: Vm, a: Value, b: Value) -> Ruby {
    op(vm, a, ArithOp::Add, sym::PLUS, b)
}
fn minus(vm: Vm, a: Value, b: Value) -> Ruby {
    op(vm, a, ArithOp::Sub, sym::MINUS, b)
}
fn times(vm: Vm, a: Value, b: Value) -> Ruby {
    op(vm, a, ArithOp::Mul, sym::MUL, b)
}
fn neg(vm: Vm, a: Value) -> Ruby {
    vm.send(a, sym::NEG, &[])
}
fn zero(vm: Vm, a: Value) -> Ruby<bool> {
    vm.num_zero(a)
}
fn exact_zero(a: Value) -> bool {
    a.is_integer() && int_zero(a) || rational::parts(a).is_some_and(|(n, _)| int_zero(n))
}
/// Exact division: an Integer when it comes out even.
fn quotient(vm: Vm, a: Value, b: Value) -> Ruby {
    if a.is_integer() && b.is_integer() { canonical(rational::new(vm, a, b)?) } else { vm.call(a, "quo", &[b]) }
}
/// A Rational with denominator 1 as an Integer.
fn canonical(v: Value) -> Ruby {
    Ok(match v.data::<rational::Rational>() {
        Some(r) if r.den == Value::fixnum(1) => r.num,
        _ => v,
    })
}
/// `a * b`, where infinite times zero keeps only the sign.
fn safe_times(vm: Vm, a: Value, b: Value) -> Ruby {
    let sign = |f: f64| vm.float(1f64.copysign(f));
    let (az, bz) = (zero(vm, a)?, zero(vm, b)?);
    let (mut a, mut b) = (a, b);
    if !az
        && bz
        && let Some(f) = a.as_float()
        && !f.is_nan()
    {
        a = sign(f);
    }
    if !bz
        && az
        && let Some(f) = b.as_float()
        && !f.is_nan()
    {
        b = sign(f);
    }
    times(vm, a, b)
}
fn product(vm: Vm, (a, b): (Value, Value), (c, d): (Value, Value)) -> Ruby<(Value, Value)> {
    let real = minus(vm, safe_times(vm, a, c)?, safe_times(vm, b, d)?)?;
    let imag = plus(vm, safe_times(vm, a, d)?, safe_times(vm, b, c)?)?;
    Ok((real, imag))
}

fn of(vm: Vm, this: Value) -> Ruby<(Value, Value)> {
    parts(this).ok_or_else(|| vm.type_error("not a Complex"))
}
/// Real and imaginary part of a Complex.
pub fn parts(v: Value) -> Option<(Value, Value)> {
    v.data::<Complex>().map(|c| (c.real, c.imag))
}
/// A Numeric whose `real?` is true.
fn is_real(vm: Vm, v: Value) -> Ruby<bool> {
    if v.is_integer() || v.is_float() || rational::parts(v).is_some() {
        return Ok(true);
    }
    Ok(parts(v).is_none() && vm.is_numeric(v) && vm.call(v, "real?", &[])?.truthy())
}
fn must_be_real(vm: Vm, v: Value) -> Ruby {
    if let Some((re, im)) = parts(v)
        && exact_zero(im)
    {
        return Ok(re);
    }
    if is_real(vm, v)? { Ok(v) } else { Err(vm.type_error("not a real")) }
}

fn s_rect(vm: Vm, _: Value, args: Args) -> Ruby {
    let re = must_be_real(vm, args.or_nil(0))?;
    let im = args.get(1).map_or(Ok(Value::fixnum(0)), |v| must_be_real(vm, v))?;
    Ok(raw(vm, re, im))
}
fn s_polar(vm: Vm, _: Value, args: Args) -> Ruby {
    let abs = must_be_real(vm, args.or_nil(0))?;
    let arg = args.get(1).map_or(Ok(Value::fixnum(0)), |v| must_be_real(vm, v))?;
    from_polar(vm, abs, arg)
}
fn from_polar(vm: Vm, abs: Value, arg: Value) -> Ruby {
    let nothing = vm.float(0.0);
    if zero(vm, abs)? || zero(vm, arg)? {
        return Ok(raw(vm, abs, nothing));
    }
    let a = vm.to_f64(arg)?;
    if arg.is_float() {
        if a == PI {
            return Ok(raw(vm, neg(vm, abs)?, nothing));
        }
        if a == PI / 2.0 {
            return Ok(raw(vm, nothing, abs));
        }
        if a == PI / 2.0 + PI {
            return Ok(raw(vm, nothing, neg(vm, abs)?));
        }
    }
    let re = times(vm, abs, vm.float(a.cos()))?;
    let im = times(vm, abs, vm.float(a.sin()))?;
    Ok(raw(vm, re, im))
}

fn itself(_: Vm, this: Value, _: Args) -> Ruby {
    Ok(this)
}
fn no(_: Vm, _: Value, _: Args) -> Ruby {
    Ok(FALSE)
}
fn real(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(of(vm, this)?.0)
}
fn imag(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(of(vm, this)?.1)
}
fn negate(vm: Vm, this: Value, _: Args) -> Ruby {
    let (a, b) = of(vm, this)?;
    let re = neg(vm, a)?;
    Ok(raw(vm, re, neg(vm, b)?))
}
fn conjugate(vm: Vm, this: Value, _: Args) -> Ruby {
    let (a, b) = of(vm, this)?;
    Ok(raw(vm, a, neg(vm, b)?))
}
fn add(vm: Vm, this: Value, args: Args) -> Ruby {
    let other = args.or_nil(0);
    let (a, b) = of(vm, this)?;
    if let Some((c, d)) = parts(other) {
        let re = plus(vm, a, c)?;
        return Ok(raw(vm, re, plus(vm, b, d)?));
    }
    if is_real(vm, other)? {
        return Ok(raw(vm, plus(vm, a, other)?, b));
    }
    vm.coerce_bin(this, other, sym::PLUS)
}
fn sub(vm: Vm, this: Value, args: Args) -> Ruby {
    let other = args.or_nil(0);
    let (a, b) = of(vm, this)?;
    if let Some((c, d)) = parts(other) {
        let re = minus(vm, a, c)?;
        return Ok(raw(vm, re, minus(vm, b, d)?));
    }
    if is_real(vm, other)? {
        return Ok(raw(vm, minus(vm, a, other)?, b));
    }
    vm.coerce_bin(this, other, sym::MINUS)
}
fn mul(vm: Vm, this: Value, args: Args) -> Ruby {
    let other = args.or_nil(0);
    let (a, b) = of(vm, this)?;
    if let Some(o) = parts(other) {
        let (re, im) = product(vm, (a, b), o)?;
        return Ok(raw(vm, re, im));
    }
    if is_real(vm, other)? {
        let re = times(vm, a, other)?;
        return Ok(raw(vm, re, times(vm, b, other)?));
    }
    vm.coerce_bin(this, other, sym::MUL)
}

/// Division by `f`, `quo` or `fdiv` of the parts.
fn divide(vm: Vm, this: Value, other: Value, s: Sym, f: fn(Vm, Value, Value) -> Ruby) -> Ruby {
    let (a, b) = of(vm, this)?;
    if let Some((c, d)) = parts(other) {
        let one = Value::fixnum(1);
        let inexact = [a, b, c, d].iter().any(|v| v.is_float());
        let big = |v| vm.call(v, "abs", &[]);
        let (x, y) = if vm.compare(big(c)?, big(d)?)?.is_gt() {
            let r = f(vm, d, c)?;
            let n = times(vm, c, plus(vm, one, times(vm, r, r)?)?)?;
            let x = f(vm, plus(vm, a, times(vm, b, r)?)?, n)?;
            (x, f(vm, minus(vm, b, times(vm, a, r)?)?, n)?)
        } else {
            let r = f(vm, c, d)?;
            let n = times(vm, d, plus(vm, one, times(vm, r, r)?)?)?;
            let x = f(vm, plus(vm, times(vm, a, r)?, b)?, n)?;
            (x, f(vm, minus(vm, times(vm, b, r)?, a)?, n)?)
        };
        return Ok(if inexact { raw(vm, x, y) } else { raw(vm, canonical(x)?, canonical(y)?) });
    }
    if is_real(vm, other)? {
        let re = canonical(f(vm, a, other)?)?;
        let im = canonical(f(vm, b, other)?)?;
        return Ok(raw(vm, re, im));
    }
    vm.coerce_bin(this, other, s)
}
fn div(vm: Vm, this: Value, args: Args) -> Ruby {
    divide(vm, this, args.or_nil(0), sym::DIV, quotient)
}
fn fdiv(vm: Vm, this: Value, args: Args) -> Ruby {
    divide(vm, this, args.or_nil(0), vm.intern("fdiv"), |vm, a, b| vm.call(a, "fdiv", &[b]))
}

/// `complex ** other`.
fn pow(vm: Vm, this: Value, args: Args) -> Ruby {
    let mut other = args.or_nil(0);
    let one = Value::fixnum(1);
    if exact_zero(other) {
        return Ok(raw(vm, one, Value::fixnum(0)));
    }
    if let Some(r) = other.data::<rational::Rational>()
        && r.den == one
    {
        other = r.num;
    }
    if let Some((re, im)) = parts(other)
        && exact_zero(im)
    {
        other = re;
    }
    let (a, b) = of(vm, this)?;
    if other == one {
        return Ok(raw(vm, a, b));
    }
    if let Some((c, d)) = parts(other) {
        if zero(vm, a)? && zero(vm, b)? {
            return Ok(raw(vm, Value::fixnum(0), Value::fixnum(0)));
        }
        let (c, d) = (vm.to_f64(c)?, vm.to_f64(d)?);
        let (r, theta) = (vm.to_f64(abs_of(vm, a, b)?)?, arg_of(vm, a, b)?);
        let ln = r.ln();
        let abs = vm.float((c * ln - d * theta).exp());
        return from_polar(vm, abs, vm.float(theta * c + d * ln));
    }
    if other.is_integer() {
        if let Some(r) = on_axis(vm, a, b, other)? {
            return Ok(r);
        }
        let Some(mut n) = other.as_fixnum() else {
            return Err(vm.arg_error("exponent is too large"));
        };
        let (mut x, mut z) = ((a, b), None);
        if n < 0 {
            let r = divide(vm, raw(vm, one, Value::fixnum(0)), this, sym::DIV, quotient)?;
            x = of(vm, r)?;
            n = -n;
        }
        loop {
            if n & 1 == 1 {
                z = Some(match z {
                    None => x,
                    Some(z) => product(vm, z, x)?,
                });
            }
            n >>= 1;
            if n == 0 {
                break;
            }
            let re = minus(vm, times(vm, x.0, x.0)?, times(vm, x.1, x.1)?)?;
            let im = times(vm, times(vm, Value::fixnum(2), x.0)?, x.1)?;
            x = (re, im);
        }
        let (re, im) = z.unwrap_or((one, Value::fixnum(0)));
        return Ok(raw(vm, re, im));
    }
    if is_real(vm, other)? {
        let r = vm.send(abs_of(vm, a, b)?, sym::POW, &[other])?;
        let theta = times(vm, vm.float(arg_of(vm, a, b)?), other)?;
        return from_polar(vm, r, theta);
    }
    vm.coerce_bin(this, other, sym::POW)
}
/// An Integer power of a number on an axis or a diagonal, without rounding.
fn on_axis(vm: Vm, a: Value, b: Value, n: Value) -> Ruby<Option<Value>> {
    let (mut x, mut dir) = if zero(vm, b)? {
        (a, 0)
    } else if zero(vm, a)? {
        (b, 2)
    } else if vm.eq(a, b)? {
        (a, 1)
    } else if vm.eq(a, neg(vm, b)?)? {
        (b, 3)
    } else {
        return Ok(None);
    };
    if vm.num_negative(x)? {
        x = neg(vm, x)?;
        dir += 4;
    }
    let two = Value::fixnum(2);
    let z = if dir % 2 == 0 {
        vm.send(x, sym::POW, &[n])?
    } else {
        let square = times(vm, times(vm, two, x)?, x)?;
        let z = vm.send(square, sym::POW, &[vm.int_div(n, two)?])?;
        if vm.int_even(n) { z } else { times(vm, z, x)? }
    };
    let turn = vm.int_mod(vm.int_mul(Value::fixnum(dir), n), Value::fixnum(8))?.fix() as usize;
    const DIRS: [(i8, i8); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
    let part = |d: i8| match d {
        1 => Ok(z),
        -1 => neg(vm, z),
        _ if z.is_float() => Ok(vm.float(0.0)),
        _ => Ok(Value::fixnum(0)),
    };
    let re = part(DIRS[turn].0)?;
    Ok(Some(raw(vm, re, part(DIRS[turn].1)?)))
}

// ---- comparison

fn eq(vm: Vm, this: Value, args: Args) -> Ruby {
    let other = args.or_nil(0);
    let (a, b) = of(vm, this)?;
    if let Some((c, d)) = parts(other) {
        return Ok((vm.eq(a, c)? && vm.eq(b, d)?).into());
    }
    if is_real(vm, other)? {
        return Ok((vm.eq(a, other)? && zero(vm, b)?).into());
    }
    vm.eq_swapped(this, other)
}
fn cmp(vm: Vm, this: Value, args: Args) -> Ruby {
    let other = args.or_nil(0);
    let (a, b) = of(vm, this)?;
    if !vm.is_numeric(other) {
        return vm.coerce_cmp(this, other, sym::CMP);
    }
    if !exact_zero(b) {
        return Ok(NIL);
    }
    if let Some((c, d)) = parts(other) {
        return if exact_zero(d) { vm.send(a, sym::CMP, &[c]) } else { Ok(NIL) };
    }
    vm.send(a, sym::CMP, &[other])
}
fn coerce(vm: Vm, this: Value, args: Args) -> Ruby {
    let other = args.or_nil(0);
    if parts(other).is_some() {
        return Ok(vm.array(&[other, this]));
    }
    if is_real(vm, other)? {
        let c = raw(vm, other, Value::fixnum(0));
        return Ok(vm.array(&[c, this]));
    }
    let from = vm.class_name(vm.real_class_of(other));
    Err(vm.type_error(&format!("{from} can't be coerced into Complex")))
}
fn hash(vm: Vm, this: Value, _: Args) -> Ruby {
    let (a, b) = of(vm, this)?;
    let h = mix(vm.hash_of(a)? ^ vm.hash_of(b)?.rotate_left(17));
    Ok(vm.int(h as i64 >> 2))
}
fn eql(vm: Vm, this: Value, args: Args) -> Ruby {
    let (a, b) = of(vm, this)?;
    let Some((c, d)) = parts(args.or_nil(0)) else { return Ok(FALSE) };
    Ok((vm.real_class_of(a) == vm.real_class_of(c)
        && vm.real_class_of(b) == vm.real_class_of(d)
        && vm.eq(a, c)?
        && vm.eq(b, d)?)
    .into())
}
fn finite(vm: Vm, this: Value, _: Args) -> Ruby {
    let (a, b) = of(vm, this)?;
    Ok((vm.call(a, "finite?", &[])?.truthy() && vm.call(b, "finite?", &[])?.truthy()).into())
}
fn infinite(vm: Vm, this: Value, _: Args) -> Ruby {
    let (a, b) = of(vm, this)?;
    let any = vm.call(a, "infinite?", &[])?.truthy() || vm.call(b, "infinite?", &[])?.truthy();
    Ok(if any { Value::fixnum(1) } else { NIL })
}

// ---- polar form

fn abs_of(vm: Vm, a: Value, b: Value) -> Ruby {
    for (this, other) in [(a, b), (b, a)] {
        if zero(vm, this)? {
            let m = vm.call(other, "abs", &[])?;
            return if this.is_float() && !m.is_float() { vm.send(m, sym::TO_F, &[]) } else { Ok(m) };
        }
    }
    Ok(vm.float(vm.to_f64(a)?.hypot(vm.to_f64(b)?)))
}
fn arg_of(vm: Vm, a: Value, b: Value) -> Ruby<f64> {
    Ok(vm.to_f64(b)?.atan2(vm.to_f64(a)?))
}
fn abs(vm: Vm, this: Value, _: Args) -> Ruby {
    let (a, b) = of(vm, this)?;
    let m = abs_of(vm, a, b)?;
    if m.is_float() { Ok(m) } else { vm.send(m, sym::TO_F, &[]) }
}
fn abs2(vm: Vm, this: Value, _: Args) -> Ruby {
    let (a, b) = of(vm, this)?;
    plus(vm, times(vm, a, a)?, times(vm, b, b)?)
}
fn arg(vm: Vm, this: Value, _: Args) -> Ruby {
    let (a, b) = of(vm, this)?;
    Ok(vm.float(arg_of(vm, a, b)?))
}
fn polar(vm: Vm, this: Value, args: Args) -> Ruby {
    let m = abs(vm, this, args)?;
    let a = arg(vm, this, args)?;
    Ok(vm.array(&[m, a]))
}
fn rectangular(vm: Vm, this: Value, _: Args) -> Ruby {
    let (a, b) = of(vm, this)?;
    Ok(vm.array(&[a, b]))
}
fn denominator(vm: Vm, this: Value, _: Args) -> Ruby {
    let (a, b) = of(vm, this)?;
    let c = vm.call(a, "denominator", &[])?;
    vm.call(c, "lcm", &[vm.call(b, "denominator", &[])?])
}
fn numerator(vm: Vm, this: Value, args: Args) -> Ruby {
    let d = denominator(vm, this, args)?;
    let (a, b) = of(vm, this)?;
    let scaled = |v| {
        let n = vm.call(v, "numerator", &[])?;
        let q = vm.send(d, sym::DIV, &[vm.call(v, "denominator", &[])?])?;
        times(vm, n, q)
    };
    let re = scaled(a)?;
    Ok(raw(vm, re, scaled(b)?))
}

// ---- conversions

fn text(vm: Vm, this: Value, part: fn(Vm, Value) -> Ruby<crate::object::Str>) -> Ruby<String> {
    let (a, b) = of(vm, this)?;
    let minus = match b.as_float() {
        Some(f) => f.is_sign_negative() && !f.is_nan(),
        None => vm.num_negative(b)?,
    };
    let re = part(vm, a)?.text().into_owned();
    let im = part(vm, vm.call(b, "abs", &[])?)?.text().into_owned();
    let star = if im.ends_with(|c: char| c.is_ascii_digit()) { "" } else { "*" };
    Ok(format!("{re}{}{im}{star}i", if minus { '-' } else { '+' }))
}
fn to_s(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(RString::ascii(&vm, &text(vm, this, Vm::to_s)?).value())
}
fn inspect(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(RString::ascii(&vm, &format!("({})", text(vm, this, Vm::inspect)?)).value())
}
fn only_real(vm: Vm, this: Value, into: &str) -> Ruby {
    let (a, b) = of(vm, this)?;
    if exact_zero(b) || !b.is_float() && zero(vm, b)? || into == "Rational" && b.as_float() == Some(0.0) {
        return Ok(a);
    }
    let s = text(vm, this, Vm::to_s)?;
    Err(vm.range_error(&format!("can't convert {s} into {into}")))
}
fn to_i(vm: Vm, this: Value, _: Args) -> Ruby {
    vm.send(only_real(vm, this, "Integer")?, sym::TO_I, &[])
}
fn to_f(vm: Vm, this: Value, _: Args) -> Ruby {
    vm.send(only_real(vm, this, "Float")?, sym::TO_F, &[])
}
fn to_r(vm: Vm, this: Value, _: Args) -> Ruby {
    vm.send(only_real(vm, this, "Rational")?, sym::TO_R, &[])
}
fn rationalize(vm: Vm, this: Value, args: Args) -> Ruby {
    vm.call(only_real(vm, this, "Rational")?, "rationalize", args.slice())
}

// ---- Complex(), String#to_c

/// `Complex(real, imag = 0, exception: true)`.
fn kernel_complex(vm: Vm, _: Value, args: Args) -> Ruby {
    args.only_keywords(vm, &["exception"])?;
    numeric::or_exception(vm, args, || convert(vm, args.or_nil(0), args.get(1)))
}

/// What `Complex(x, y)` gives.
fn convert(vm: Vm, x: Value, y: Option<Value>) -> Ruby {
    if x.is_nil() || y == Some(NIL) {
        return Err(vm.type_error("can't convert nil into Complex"));
    }
    if y.is_none() && parts(x).is_some() {
        return Ok(x);
    }
    let x = simplify(vm, x)?;
    let Some(y) = y else {
        if parts(x).is_some() {
            return Ok(x);
        }
        if !vm.is_numeric(x) {
            let from = vm.describe(x);
            return match vm.send_if_responds(x, sym::TO_C, &[])? {
                Some(c) if parts(c).is_some() => Ok(c),
                Some(c) => {
                    let got = vm.describe(c);
                    Err(vm.type_error(&format!("can't convert {from} into Complex ({from}#to_c gives {got})")))
                }
                None => Err(vm.type_error(&format!("can't convert {from} into Complex"))),
            };
        }
        return Ok(raw(vm, must_be_real(vm, x)?, Value::fixnum(0)));
    };
    let y = simplify(vm, y)?;
    if parts(x).is_some() && exact_zero(y) {
        return Ok(x);
    }
    if vm.is_numeric(x) && vm.is_numeric(y) && !(is_real(vm, x)? && is_real(vm, y)?) {
        let i = raw(vm, Value::fixnum(0), Value::fixnum(1));
        return plus(vm, x, times(vm, y, i)?);
    }
    Ok(raw(vm, must_be_real(vm, x)?, must_be_real(vm, y)?))
}
fn simplify(vm: Vm, v: Value) -> Ruby {
    if let Some((re, im)) = parts(v) {
        return Ok(if im == Value::fixnum(0) { re } else { v });
    }
    let Some(s) = v.as_str() else { return Ok(v) };
    vm.must_be_ascii_compatible(s)?;
    if s.bytes().contains(&0) {
        return Err(vm.arg_error("string contains null byte"));
    }
    let bytes = s.bytes().to_vec();
    match parse(vm, &bytes)? {
        (c, Some(rest)) if trim(rest).is_empty() => Ok(match parts(c) {
            Some((re, im)) if im == Value::fixnum(0) => re,
            _ => c,
        }),
        _ => {
            let text = vm.inspect(v)?;
            Err(vm.arg_error(&format!("invalid value for convert(): {}", text.text())))
        }
    }
}
/// `String#to_c`: the Complex a text begins with, 0 if none.
pub fn from_text(vm: Vm, text: &[u8]) -> Ruby {
    Ok(parse(vm, text)?.0)
}

/// An optionally signed number: `12`, `1.5e3`, `1/3`. A sign alone is not one.
fn real_number(vm: Vm, s: &[u8]) -> Ruby<Option<(Value, &[u8])>> {
    let negative = s.first() == Some(&b'-');
    let body = if matches!(s.first(), Some(b'-' | b'+')) { &s[1..] } else { s };
    let Some((digits, scale, rest)) = parse_decimal(body) else { return Ok(None) };
    if let [b'/', tail @ ..] = rest
        && let Some((den, den_scale, after)) = parse_decimal(tail)
        && scale.unsigned_abs() < 1 << 20
        && den_scale == 0
    {
        let n = int_from_digits(vm, &digits, 10, negative);
        let d = int_from_digits(vm, &den, 10, false);
        let ten = super::integer::ten_to(vm, scale.unsigned_abs() as u32);
        let (n, d) = if scale >= 0 { (n, vm.int_mul(d, ten)) } else { (vm.int_mul(n, ten), d) };
        return Ok(Some((rational::new(vm, n, d)?, after)));
    }
    let written = &s[..s.len() - rest.len()];
    let v = if written.iter().any(|b| matches!(b, b'.' | b'e' | b'E')) {
        vm.float(str_to_float(written))
    } else {
        int_from_digits(vm, &digits, 10, negative)
    };
    Ok(Some((v, rest)))
}

/// A Complex at the beginning of `text`; the rest is `None` when what is there is no whole number.
fn parse(vm: Vm, text: &[u8]) -> Ruby<(Value, Option<&[u8]>)> {
    let zero = Value::fixnum(0);
    let unit = |b: Option<&u8>| matches!(b, Some(b'i' | b'I' | b'j' | b'J'));
    let s = trim(text);
    let sign_unit = |s: &[u8]| match s {
        [b'-', u, ..] if unit(Some(u)) => Some((Value::fixnum(-1), 2)),
        [b'+', u, ..] if unit(Some(u)) => Some((Value::fixnum(1), 2)),
        _ => None,
    };
    if let Some((n, len)) = sign_unit(s).or(unit(s.first()).then_some((Value::fixnum(1), 1))) {
        return Ok((raw(vm, zero, n), Some(&s[len..])));
    }
    let Some((num, rest)) = real_number(vm, s)? else { return Ok((raw(vm, zero, zero), None)) };
    if unit(rest.first()) {
        return Ok((raw(vm, zero, num), Some(&rest[1..])));
    }
    match rest.first() {
        Some(b'@') => match real_number(vm, &rest[1..])? {
            Some((arg, after)) => Ok((from_polar(vm, num, arg)?, Some(after))),
            None => Ok((raw(vm, num, zero), None)),
        },
        Some(b'+' | b'-') => {
            if let Some((n, len)) = sign_unit(rest) {
                return Ok((raw(vm, num, n), Some(&rest[len..])));
            }
            match real_number(vm, rest)? {
                Some((im, after)) if unit(after.first()) => Ok((raw(vm, num, im), Some(&after[1..]))),
                _ => Ok((raw(vm, num, zero), None)),
            }
        }
        _ => Ok((raw(vm, num, zero), Some(rest))),
    }
}
