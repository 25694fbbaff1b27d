//! `Math`: libm, with DomainError where CRuby raises it.

use crate::class;
use crate::object::Class;
use crate::value::{Raised, Ruby, Value};
use crate::vm::arith::{int_negative, with_big};
use crate::vm::{Args, Vm};
use num_bigint::BigInt;

class! { module "Math";
    module_fn ["sin"]   req(1) => sin;
    module_fn ["cos"]   req(1) => cos;
    module_fn ["tan"]   req(1) => tan;
    module_fn ["asin"]  req(1) => asin;
    module_fn ["acos"]  req(1) => acos;
    module_fn ["atan"]  req(1) => atan;
    module_fn ["atan2"] req(2) => atan2;
    module_fn ["sinh"]  req(1) => sinh;
    module_fn ["cosh"]  req(1) => cosh;
    module_fn ["tanh"]  req(1) => tanh;
    module_fn ["asinh"] req(1) => asinh;
    module_fn ["acosh"] req(1) => acosh;
    module_fn ["atanh"] req(1) => atanh;
    module_fn ["exp"]   req(1) => exp;
    module_fn ["expm1"] req(1) => expm1;
    module_fn ["log"]   opt(1, 2) => log;
    module_fn ["log2"]  req(1) => log2;
    module_fn ["log10"] req(1) => log10;
    module_fn ["log1p"] req(1) => log1p;
    module_fn ["sqrt"]  req(1) => sqrt;
    module_fn ["cbrt"]  req(1) => cbrt;
    module_fn ["hypot"] req(2) => hypot;
    module_fn ["frexp"] req(1) => frexp;
    module_fn ["ldexp"] req(2) => ldexp;
    module_fn ["erf"]   req(1) => erf;
    module_fn ["erfc"]  req(1) => erfc;
    module_fn ["gamma"] req(1) => gamma;
    module_fn ["lgamma"] req(1) => lgamma;
}

/// Functions of libm that std lacks or computes differently.
mod libm {
    unsafe extern "C" {
        pub safe fn asinh(x: f64) -> f64;
        pub safe fn acosh(x: f64) -> f64;
        pub safe fn atanh(x: f64) -> f64;
        pub safe fn erf(x: f64) -> f64;
        pub safe fn erfc(x: f64) -> f64;
        pub safe fn tgamma(x: f64) -> f64;
        pub safe fn ldexp(x: f64, e: i32) -> f64;
        pub unsafe fn lgamma_r(x: f64, sign: *mut i32) -> f64;
        pub unsafe fn frexp(x: f64, e: *mut i32) -> f64;
    }
}

pub fn boot(vm: Vm) {
    let c = vm.define_table(&CLASS);
    vm.classes.math.set(c);
    vm.set_const(c, vm.intern("PI"), vm.float(std::f64::consts::PI));
    vm.set_const(c, vm.intern("E"), vm.float(std::f64::consts::E));
    vm.define_class("Math::DomainError", Some(vm.classes.argument_error.get()));
}

/// `Math::DomainError`.
pub fn domain_class(vm: Vm) -> Class {
    vm.const_path("Math::DomainError").unwrap_or_else(|| vm.classes.argument_error.get())
}
/// `Numerical argument is out of domain - name`.
pub fn domain_error(vm: Vm, name: &str) -> Raised {
    vm.raise(domain_class(vm), &format!("Numerical argument is out of domain - {name}"))
}

/// Argument `i` as a double; TypeError for what is no number.
fn num(vm: Vm, args: Args, i: usize) -> Ruby<f64> {
    vm.to_f64(args.or_nil(i))
}

macro_rules! plain { ($($name:ident = $f:expr;)+) => { $(
    fn $name(vm: Vm, _: Value, args: Args) -> Ruby {
        let f: fn(f64) -> f64 = $f;
        Ok(vm.float(f(num(vm, args, 0)?)))
    }
)+ } }
plain! {
    sin = f64::sin;
    cos = f64::cos;
    tan = f64::tan;
    atan = f64::atan;
    sinh = f64::sinh;
    cosh = f64::cosh;
    tanh = f64::tanh;
    asinh = |x| libm::asinh(x);
    exp = f64::exp;
    expm1 = f64::exp_m1;
    cbrt = cube_root;
    erf = |x| libm::erf(x);
    erfc = |x| libm::erfc(x);
}

macro_rules! bounded { ($($name:ident = $ok:expr, $f:expr;)+) => { $(
    fn $name(vm: Vm, _: Value, args: Args) -> Ruby {
        let (ok, f): (fn(f64) -> bool, fn(f64) -> f64) = ($ok, $f);
        let x = num(vm, args, 0)?;
        // NaN passes: the result is NaN.
        if !x.is_nan() && !ok(x) {
            return Err(domain_error(vm, stringify!($name)));
        }
        Ok(vm.float(f(x)))
    }
)+ } }
bounded! {
    asin = |x| x.abs() <= 1.0, f64::asin;
    acos = |x| x.abs() <= 1.0, f64::acos;
    acosh = |x| x >= 1.0, |x| libm::acosh(x);
    atanh = |x| x.abs() <= 1.0, |x| libm::atanh(x);
    log1p = |x| x >= -1.0, f64::ln_1p;
    gamma = |x| x != f64::NEG_INFINITY && !(x < 0.0 && x == x.floor()), exact_gamma;
}

/// The root, one Newton step better than libm's.
fn cube_root(x: f64) -> f64 {
    let r = x.cbrt();
    if r.is_finite() && r != 0.0 { (2.0 * r + x / r / r) / 3.0 } else { r }
}
fn atan2(vm: Vm, _: Value, args: Args) -> Ruby {
    let (y, x) = (num(vm, args, 0)?, num(vm, args, 1)?);
    Ok(vm.float(y.atan2(x)))
}
fn hypot(vm: Vm, _: Value, args: Args) -> Ruby {
    let (x, y) = (num(vm, args, 0)?, num(vm, args, 1)?);
    Ok(vm.float(x.hypot(y)))
}
/// `Math.sqrt(x)`; -0.0 gives 0.0.
fn sqrt(vm: Vm, _: Value, args: Args) -> Ruby {
    let x = num(vm, args, 0)?;
    if x < 0.0 {
        return Err(domain_error(vm, "sqrt"));
    }
    Ok(vm.float(if x == 0.0 { 0.0 } else { x.sqrt() }))
}

/// The number and how many binary digits were taken off it: logarithms work beyond the range of doubles.
fn scaled(vm: Vm, v: Value, name: &str) -> Ruby<(f64, f64)> {
    let (x, bits) = match v.as_bignum() {
        Some(_) if int_negative(v) => (-1.0, 0),
        Some(_) => {
            let drop = with_big(v, BigInt::bits).saturating_sub(1000);
            (super::integer::to_double(vm.bigint(with_big(v, |b| b >> drop))), drop)
        }
        None => (vm.to_f64(v)?, 0),
    };
    if x < 0.0 {
        return Err(domain_error(vm, name));
    }
    Ok((x, bits as f64))
}
/// `Math.log(x, base = e)`.
fn log(vm: Vm, _: Value, args: Args) -> Ruby {
    let ln = |v| {
        let (x, bits) = scaled(vm, v, "log")?;
        Ok(if x == 0.0 { f64::NEG_INFINITY } else { x.ln() + bits * std::f64::consts::LN_2 })
    };
    let Some(base) = args.get(1) else { return Ok(vm.float(ln(args.or_nil(0))?)) };
    // Powers of two and ten come out whole.
    let (x, b) = (scaled(vm, args.or_nil(0), "log")?, scaled(vm, base, "log")?);
    if b == (2.0, 0.0) {
        return Ok(vm.float(x.0.log2() + x.1));
    }
    if b == (10.0, 0.0) {
        return Ok(vm.float(x.0.log10() + x.1 * std::f64::consts::LOG10_2));
    }
    let x = ln(args.or_nil(0))?;
    Ok(vm.float(x / ln(base)?))
}
fn log2(vm: Vm, _: Value, args: Args) -> Ruby {
    let (x, bits) = scaled(vm, args.or_nil(0), "log2")?;
    Ok(vm.float(x.log2() + bits))
}
fn log10(vm: Vm, _: Value, args: Args) -> Ruby {
    let (x, bits) = scaled(vm, args.or_nil(0), "log10")?;
    Ok(vm.float(x.log10() + bits * std::f64::consts::LOG10_2))
}

/// `Math.frexp(x) -> [fraction, exponent]`.
fn frexp(vm: Vm, _: Value, args: Args) -> Ruby {
    let x = num(vm, args, 0)?;
    let mut e = 0;
    // SAFETY: writes to our own integer.
    let f = unsafe { libm::frexp(x, &mut e) };
    Ok(vm.array(&[vm.float(f), Value::fixnum(e as i64)]))
}
/// `Math.ldexp(fraction, exponent)`.
fn ldexp(vm: Vm, _: Value, args: Args) -> Ruby {
    let (x, e) = (num(vm, args, 0)?, vm.to_i64(args.or_nil(1))?);
    Ok(vm.float(libm::ldexp(x, e.clamp(-10_000, 10_000) as i32)))
}

/// Exact for whole numbers whose factorial a double holds.
fn exact_gamma(x: f64) -> f64 {
    if x == x.floor() && (1.0..=23.0).contains(&x) {
        return (1..x as u64).map(|n| n as f64).product();
    }
    libm::tgamma(x)
}
/// `Math.lgamma(x) -> [log |gamma(x)|, sign of gamma(x)]`.
fn lgamma(vm: Vm, _: Value, args: Args) -> Ruby {
    let x = num(vm, args, 0)?;
    if x == f64::NEG_INFINITY {
        return Err(domain_error(vm, "lgamma"));
    }
    let (value, sign) = if x.is_infinite() {
        (x, 1)
    } else if x == 0.0 {
        (f64::INFINITY, if x.is_sign_negative() { -1 } else { 1 })
    } else {
        let mut sign = 1;
        // SAFETY: writes to our own integer.
        let v = unsafe { libm::lgamma_r(x, &mut sign) };
        (v, if sign < 0 { -1 } else { 1 })
    };
    Ok(vm.array(&[vm.float(value), Value::fixnum(sign)]))
}
