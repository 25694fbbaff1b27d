//! `String`: reading numbers.

use super::number_text::{str_to_float, str_to_int};
use super::string::me;
use crate::class;
use crate::object::Str;
use crate::value::{Ruby, Value};
use crate::vm::{Args, Vm};
use num_bigint::BigInt;
use num_traits::{One, Pow, Zero};

class! { "String" < "Object";
    ["to_i"]  opt(0, 1) => to_i;
    ["to_f"]  req(0)    => to_f;
    ["to_r"]  req(0)    => to_r;
    ["to_c"]  req(0)    => to_c;
    ["hex"]   req(0)    => hex;
    ["oct"]   req(0)    => oct;
}

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}

/// Only ASCII can be read as a number: CompatibilityError for UTF-16 and the like.
fn ascii(vm: Vm, this: Value) -> Ruby<Str> {
    let s = me(vm, this)?;
    if !s.enc().ascii_compatible() {
        let text = format!("ASCII incompatible encoding: {}", s.enc().describe());
        return Err(vm.raise(vm.classes.compatibility_error.get(), &text));
    }
    Ok(s)
}

fn to_i(vm: Vm, this: Value, args: Args) -> Ruby {
    let base = args.get(0).map_or(Ok(10), |v| vm.to_i64(v))?;
    if base < 0 || base == 1 || base > 36 {
        return Err(vm.arg_error(&format!("invalid radix {base}")));
    }
    let s = ascii(vm, this)?;
    Ok(str_to_int(vm, s.bytes(), base as i32, false).unwrap_or(Value::fixnum(0)))
}
fn to_f(vm: Vm, this: Value, _args: Args) -> Ruby {
    let s = ascii(vm, this)?;
    Ok(vm.float(str_to_float(s.bytes())))
}
fn hex(vm: Vm, this: Value, _args: Args) -> Ruby {
    let s = ascii(vm, this)?;
    Ok(str_to_int(vm, s.bytes(), 16, false).unwrap_or(Value::fixnum(0)))
}
/// Octal unless a prefix says otherwise.
fn oct(vm: Vm, this: Value, _args: Args) -> Ruby {
    let s = ascii(vm, this)?;
    Ok(str_to_int(vm, s.bytes(), -8, false).unwrap_or(Value::fixnum(0)))
}

/// Reads from a text, byte by byte.
struct Reader<'a> {
    b: &'a [u8],
    at: usize,
}

/// A number as a fraction, or a float where the text had a fraction or exponent and floats are wanted.
enum Number {
    Int(BigInt),
    Ratio(BigInt, BigInt),
    Float(f64),
}

/// Exponents beyond this are not worked out exactly.
const MAX_EXPONENT: u32 = 1 << 20;

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.b.get(self.at).copied()
    }
    fn spaces(&mut self) {
        while self.peek().is_some_and(|c| matches!(c, b' ' | 9..=13)) {
            self.at += 1
        }
    }
    fn sign(&mut self) -> Option<bool> {
        match self.peek() {
            Some(b'-') => {
                self.at += 1;
                Some(true)
            }
            Some(b'+') => {
                self.at += 1;
                Some(false)
            }
            _ => None,
        }
    }
    /// Digits, single underscores between them allowed.
    fn digits(&mut self) -> Vec<u8> {
        let mut out = Vec::new();
        while let Some(c) = self.peek() {
            if c.is_ascii_digit() {
                out.push(c);
            } else if !(c == b'_'
                && !out.is_empty()
                && self.b[self.at - 1] != b'_'
                && self.b.get(self.at + 1).is_some_and(u8::is_ascii_digit))
            {
                break;
            }
            self.at += 1;
        }
        out
    }
    /// `12`, `1.5`, `2e3`, unsigned: mantissa digits, power of ten, and whether it looked like a float.
    fn decimal(&mut self) -> Option<(BigInt, i64, bool)> {
        let mut all = self.digits();
        let mut scale = 0i64;
        let mut float = false;
        if all.is_empty() {
            return None;
        }
        if self.peek() == Some(b'.') && self.b.get(self.at + 1).is_some_and(u8::is_ascii_digit) {
            self.at += 1;
            let frac = self.digits();
            scale -= frac.len() as i64;
            all.extend(frac);
            float = true;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            let back = self.at;
            self.at += 1;
            let negative = self.sign().unwrap_or(false);
            let e = self.digits();
            if e.is_empty() {
                self.at = back;
            } else {
                let text = std::str::from_utf8(&e).unwrap_or("0");
                let e = text.parse::<i64>().unwrap_or(i64::MAX / 4).min(i64::MAX / 4);
                scale += if negative { -e } else { e };
                float = true;
            }
        }
        let n = BigInt::parse_bytes(&all, 10).unwrap_or_default();
        Some((n, scale, float))
    }
    /// An unsigned number with an optional `/denominator`.
    fn number(&mut self, floats: bool) -> Option<Number> {
        let from = self.at;
        let (n, scale, float) = self.decimal()?;
        if self.peek() == Some(b'/') && self.b.get(self.at + 1).is_some_and(u8::is_ascii_digit) {
            let back = self.at;
            self.at += 1;
            if let Some((d, dscale, _)) = self.decimal() {
                return ratio(n, d, scale - dscale);
            }
            self.at = back;
        }
        if float && floats {
            let text: Vec<u8> = self.b[from..self.at].to_vec();
            return Some(Number::Float(str_to_float(&text)));
        }
        if !float {
            return Some(Number::Int(n));
        }
        ratio(n, BigInt::one(), scale)
    }
}
fn ratio(n: BigInt, d: BigInt, scale: i64) -> Option<Number> {
    let e = u32::try_from(scale.unsigned_abs()).ok().filter(|&e| e <= MAX_EXPONENT)?;
    let ten = BigInt::from(10).pow(e);
    Some(if scale >= 0 { Number::Ratio(n * ten, d) } else { Number::Ratio(n, d * ten) })
}

fn negate(n: Number) -> Number {
    match n {
        Number::Int(i) => Number::Int(-i),
        Number::Ratio(n, d) => Number::Ratio(-n, d),
        Number::Float(f) => Number::Float(-f),
    }
}
/// A Ruby number; ZeroDivisionError for a zero denominator.
fn to_value(vm: Vm, n: Number) -> Ruby {
    match n {
        Number::Int(i) => Ok(vm.bigint(i)),
        Number::Float(f) => Ok(vm.float(f)),
        Number::Ratio(n, d) => {
            if d.is_zero() {
                return Err(vm.zero_division());
            }
            let g = num_integer::Integer::gcd(&n, &d);
            let (n, d) = (vm.bigint(&n / &g), vm.bigint(&d / &g));
            match vm.hooks.new_rational.get() {
                Some(f) => f(vm, n, d),
                None => Err(vm.not_implemented("Rational")),
            }
        }
    }
}

fn to_r(vm: Vm, this: Value, _args: Args) -> Ruby {
    let s = ascii(vm, this)?;
    let mut r = Reader { b: s.bytes(), at: 0 };
    r.spaces();
    let negative = r.sign().unwrap_or(false);
    let n = match r.number(false) {
        Some(Number::Int(i)) => Number::Ratio(i, BigInt::one()),
        Some(n) => n,
        None => Number::Ratio(BigInt::zero(), BigInt::one()),
    };
    to_value(vm, if negative { negate(n) } else { n })
}

/// `"1+2i"`, `"3@1.5"`, `"i"`: parts that are missing are 0; what follows is ignored.
fn to_c(vm: Vm, this: Value, _args: Args) -> Ruby {
    let s = ascii(vm, this)?;
    let mut r = Reader { b: s.bytes(), at: 0 };
    r.spaces();
    let zero = Value::fixnum(0);
    let (mut re, mut im) = (zero, zero);
    let complex = |re: Value, im: Value, name: &str| {
        let class = vm.classes.complex.get().value();
        vm.send(class, vm.intern(name), &[re, im])
    };
    let is_unit = |c: Option<u8>| matches!(c, Some(b'i' | b'I' | b'j' | b'J'));
    let sign = r.sign();
    if sign.is_some() && is_unit(r.peek()) || is_unit(r.peek()) {
        return complex(zero, Value::fixnum(if sign == Some(true) { -1 } else { 1 }), "rect");
    }
    if let Some(n) = r.number(true) {
        let v = to_value(vm, if sign == Some(true) { negate(n) } else { n })?;
        if is_unit(r.peek()) {
            return complex(zero, v, "rect");
        }
        re = v;
        if r.peek() == Some(b'@') {
            r.at += 1;
            let sign = r.sign();
            if let Some(n) = r.number(true) {
                let angle = to_value(vm, if sign == Some(true) { negate(n) } else { n })?;
                return complex(re, angle, "polar");
            }
        } else if let Some(negative) = r.sign() {
            if is_unit(r.peek()) {
                im = Value::fixnum(if negative { -1 } else { 1 });
            } else if let Some(n) = r.number(true)
                && is_unit(r.peek())
            {
                im = to_value(vm, if negative { negate(n) } else { n })?;
            }
        }
    }
    complex(re, im, "rect")
}
