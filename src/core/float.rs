//! `Float`: IEEE doubles. Text is `number_text.rs`, rounding `rounding.rs`, operators are shared with Integer.

use super::integer::{self, to_double};
use super::number_text::{float_to_s, str_to_float_strict};
use super::numeric::{self, no_new};
use super::rounding::{self, Half};
use super::{complex, rational};
use crate::class;
use crate::object::{RString, sym};
use crate::value::{FALSE, NIL, Ruby, TRUE, Value};
use crate::vm::arith::{float_mod, int_sign};
use crate::vm::native::ClassDef;
use crate::vm::{Args, Vm};

class! { "Float" < "Numeric";
    ["+"]                 req(1)    => integer::add;
    ["-"]                 req(1)    => integer::sub;
    ["*"]                 req(1)    => integer::mul;
    ["/"]                 req(1)    => integer::quotient;
    ["quo", "fdiv"]       req(1)    => integer::quotient;
    ["%", "modulo"]       req(1)    => integer::modulo;
    ["**", "pow"]         req(1)    => power;
    ["divmod"]            req(1)    => divmod;
    ["<"]                 req(1)    => integer::lt;
    ["<="]                req(1)    => integer::le;
    [">"]                 req(1)    => integer::gt;
    [">="]                req(1)    => integer::ge;
    ["==", "==="]         req(1)    => integer::eq;
    ["<=>"]               req(1)    => integer::cmp;
    ["eql?"]              req(1)    => eql;
    ["hash"]              req(0)    => hash;
    ["coerce"]            req(1)    => coerce;
    ["-@"]                req(0)    => negate;
    ["abs", "magnitude"]  req(0)    => abs;
    ["to_s", "inspect"]   req(0)    => to_s;
    ["to_f"]              req(0)    => itself;
    ["to_i", "to_int"]    req(0)    => to_i;
    ["to_r"]              req(0)    => to_r;
    ["rationalize"]       opt(0, 1) => rationalize;
    ["numerator"]         req(0)    => numerator;
    ["denominator"]       req(0)    => denominator;
    ["floor"]             opt(0, 1) => floor;
    ["ceil"]              opt(0, 1) => ceil;
    ["round"]             kw(0, 1)  => round;
    ["truncate"]          opt(0, 1) => truncate;
    ["nan?"]              req(0)    => is_nan;
    ["infinite?"]         req(0)    => infinite;
    ["finite?"]           req(0)    => finite;
    ["zero?"]             req(0)    => is_zero;
    ["positive?"]         req(0)    => positive;
    ["negative?"]         req(0)    => negative;
    ["next_float"]        req(0)    => next_float;
    ["prev_float"]        req(0)    => prev_float;
    ["arg", "angle", "phase"] req(0) => arg;
}

const KERNEL: ClassDef = {
    class! { module "Kernel";
        module_fn ["Float"] kw(1, 1) => kernel_float;
    }
    CLASS
};

pub fn boot(vm: Vm) {
    let c = vm.define_table(&CLASS);
    vm.classes.float.set(c);
    no_new(vm, c);
    for (name, v) in [
        ("RADIX", 2),
        ("MANT_DIG", 53),
        ("DIG", 15),
        ("MIN_EXP", -1021),
        ("MAX_EXP", 1024),
        ("MIN_10_EXP", -307),
        ("MAX_10_EXP", 308),
    ] {
        vm.set_const(c, vm.intern(name), Value::fixnum(v));
    }
    for (name, f) in [
        ("MIN", f64::MIN_POSITIVE),
        ("MAX", f64::MAX),
        ("EPSILON", f64::EPSILON),
        ("INFINITY", f64::INFINITY),
        ("NAN", f64::NAN),
    ] {
        vm.set_const(c, vm.intern(name), vm.float(f));
    }
    vm.define_table(&KERNEL);
}

fn itself(_: Vm, this: Value, _: Args) -> Ruby {
    Ok(this)
}
/// The receiver's number.
fn num(this: Value) -> f64 {
    this.as_float().unwrap_or(f64::NAN)
}

/// `base ** exp`; Complex for a negative base and a broken exponent.
pub fn pow_of(vm: Vm, base: f64, exp: f64) -> Ruby {
    if base < 0.0 && exp != exp.round() {
        return complex::polar_pi(vm, (-base).powf(exp), exp);
    }
    Ok(vm.float(base.powf(exp)))
}
fn power(vm: Vm, this: Value, args: Args) -> Ruby {
    let other = args.or_nil(0);
    if other == Value::fixnum(2) {
        return Ok(vm.float(num(this) * num(this)));
    }
    if other.is_integer() {
        return Ok(vm.float(num(this).powf(to_double(other))));
    }
    match other.as_float() {
        Some(y) => pow_of(vm, num(this), y),
        None => vm.coerce_bin(this, other, sym::POW),
    }
}

/// `[floor(x / y), x % y]`; ZeroDivisionError for a zero `y`, FloatDomainError when the quotient is no number.
pub fn divmod_of(vm: Vm, x: f64, y: f64) -> Ruby {
    if y == 0.0 {
        return Err(vm.zero_division());
    }
    let m = if y.is_nan() { y } else { float_mod(x, y) };
    let q = if y.is_nan() {
        y
    } else if x.is_infinite() && y.is_finite() {
        x
    } else if y.is_infinite() && x.is_finite() {
        if m == x { 0.0 } else { -1.0 }
    } else {
        ((x - m) / y).round()
    };
    let q = vm.float_to_int(q)?;
    Ok(vm.array(&[q, vm.float(m)]))
}
fn divmod(vm: Vm, this: Value, args: Args) -> Ruby {
    let other = args.or_nil(0);
    let y = if other.is_integer() { Some(to_double(other)) } else { other.as_float() };
    match y {
        Some(y) => divmod_of(vm, num(this), y),
        None => vm.coerce_bin(this, other, vm.intern("divmod")),
    }
}

/// An infinity against something that is no core number: `infinite?` of the other decides.
pub fn cmp_infinite(vm: Vm, x: f64, this: Value, other: Value) -> Ruby {
    if let Some(i) = vm.send_if_responds(other, vm.intern("infinite?"), &[])? {
        let sign = if x > 0.0 { 1 } else { -1 };
        if !i.truthy() {
            return Ok(Value::fixnum(sign));
        }
        let j = if i.is_integer() { int_sign(i) } else { 1 };
        return Ok(Value::fixnum(if j == sign { 0 } else { sign }));
    }
    vm.coerce_cmp(this, other, sym::CMP)
}
fn eql(_: Vm, this: Value, args: Args) -> Ruby {
    Ok(args.or_nil(0).as_float().is_some_and(|y| y == num(this)).into())
}
fn hash(vm: Vm, this: Value, _: Args) -> Ruby {
    let v = if num(this) == 0.0 { crate::value::ZERO } else { this };
    Ok(vm.int(vm.hash_of(v)? as i64 >> 2))
}
fn coerce(vm: Vm, this: Value, args: Args) -> Ruby {
    let y = convert(vm, args.or_nil(0))?;
    let y = vm.float(y);
    Ok(vm.array(&[y, this]))
}
fn negate(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(vm.float(-num(this)))
}
fn abs(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(vm.float(num(this).abs()))
}
fn to_s(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(RString::ascii(&vm, &float_to_s(num(this))).value())
}
fn to_i(vm: Vm, this: Value, _: Args) -> Ruby {
    vm.float_to_int(num(this))
}

fn check_finite(vm: Vm, f: f64) -> Ruby<()> {
    if f.is_finite() { Ok(()) } else { vm.float_to_int(f).map(|_| ()) }
}
/// `float.to_r`: exactly.
fn to_r(vm: Vm, this: Value, _: Args) -> Ruby {
    exact_rational(vm, num(this))
}
/// The Rational a double is exactly; FloatDomainError for NaN and infinities.
pub fn exact_rational(vm: Vm, f: f64) -> Ruby {
    check_finite(vm, f)?;
    let (n, d) = rounding::exact(f);
    let n = vm.bigint(n);
    Ok(rational::raw(vm, n, vm.bigint(d)))
}
/// `float.rationalize(eps = nil)`: the simplest Rational that near.
fn rationalize(vm: Vm, this: Value, args: Args) -> Ruby {
    let f = num(this);
    check_finite(vm, f.abs())?;
    match args.get(0) {
        Some(eps) => {
            let r = exact_rational(vm, f)?;
            rational::simplest_within(vm, r, eps)
        }
        None => rational::rationalize_float(vm, f),
    }
}
fn numerator(vm: Vm, this: Value, _: Args) -> Ruby {
    if !num(this).is_finite() {
        return Ok(this);
    }
    Ok(vm.bigint(rounding::exact(num(this)).0))
}
fn denominator(vm: Vm, this: Value, _: Args) -> Ruby {
    let f = num(this);
    if !f.is_finite() {
        return Ok(Value::fixnum(1));
    }
    Ok(vm.bigint(rounding::exact(f).1))
}

fn digits_arg(vm: Vm, args: Args) -> Ruby<i32> {
    args.get(0).map_or(Ok(0), |d| vm.to_i32(d))
}
fn floor(vm: Vm, this: Value, args: Args) -> Ruby {
    rounding::float_floor(vm, num(this), digits_arg(vm, args)?)
}
fn ceil(vm: Vm, this: Value, args: Args) -> Ruby {
    rounding::float_ceil(vm, num(this), digits_arg(vm, args)?)
}
fn truncate(vm: Vm, this: Value, args: Args) -> Ruby {
    rounding::float_truncate(vm, num(this), digits_arg(vm, args)?)
}
fn round(vm: Vm, this: Value, args: Args) -> Ruby {
    rounding::float_round(vm, num(this), digits_arg(vm, args)?, Half::of(vm, args)?)
}

fn is_nan(_: Vm, this: Value, _: Args) -> Ruby {
    Ok(num(this).is_nan().into())
}
fn infinite(_: Vm, this: Value, _: Args) -> Ruby {
    let f = num(this);
    Ok(match f.is_infinite() {
        true => Value::fixnum(if f > 0.0 { 1 } else { -1 }),
        false => NIL,
    })
}
fn finite(_: Vm, this: Value, _: Args) -> Ruby {
    Ok(num(this).is_finite().into())
}
fn is_zero(_: Vm, this: Value, _: Args) -> Ruby {
    Ok(if num(this) == 0.0 { TRUE } else { FALSE })
}
fn positive(_: Vm, this: Value, _: Args) -> Ruby {
    Ok((num(this) > 0.0).into())
}
fn negative(_: Vm, this: Value, _: Args) -> Ruby {
    Ok((num(this) < 0.0).into())
}
fn next_float(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(vm.float(num(this).next_up()))
}
fn prev_float(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(vm.float(num(this).next_down()))
}
fn arg(vm: Vm, this: Value, _: Args) -> Ruby {
    let f = num(this);
    Ok(if f.is_nan() {
        this
    } else if f.is_sign_negative() {
        vm.float(std::f64::consts::PI)
    } else {
        Value::fixnum(0)
    })
}

// ---- Float()

/// `Float(arg, exception: true)`.
fn kernel_float(vm: Vm, _: Value, args: Args) -> Ruby {
    args.only_keywords(vm, &["exception"])?;
    numeric::or_exception(vm, args, || convert(vm, args.or_nil(0)).map(|f| vm.float(f)))
}

/// What `Float(v)` gives: text must be a number as a whole.
pub fn convert(vm: Vm, v: Value) -> Ruby<f64> {
    if let Some(f) = v.as_float() {
        return Ok(f);
    }
    if v.is_integer() {
        return Ok(to_double(v));
    }
    if let Some(s) = v.as_str() {
        vm.must_be_ascii_compatible(s)?;
        if s.bytes().contains(&0) {
            return Err(vm.arg_error("string for Float contains null byte"));
        }
        return match str_to_float_strict(s.bytes()) {
            Some(f) => Ok(f),
            None => {
                let text = vm.inspect(v)?;
                Err(vm.arg_error(&format!("invalid value for Float(): {}", text.text())))
            }
        };
    }
    if v.is_ptr()
        && let Some(r) = vm.send_if_responds(v, sym::TO_F, &[])?
    {
        if let Some(f) = r.as_float() {
            return Ok(f);
        }
        let (from, got) = (vm.describe(v), vm.describe(r));
        return Err(vm.type_error(&format!("can't convert {from} into Float ({from}#to_f gives {got})")));
    }
    let from = vm.describe(v);
    Err(vm.type_error(&format!("can't convert {from} into Float")))
}
