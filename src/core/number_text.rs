//! Numbers from and to text: what `Integer()`, `Float()`, `String#to_i`, `String#to_f` and `Float#to_s` share.

use crate::value::Value;
use crate::vm::Vm;
use num_bigint::{BigInt, BigUint, Sign};

/// Shortest digits that read back as `f` (finite, not zero), and where the point stands: 0.DIGITS * 10^point.
pub fn shortest(f: f64) -> (String, i32) {
    let text = format!("{:e}", f.abs());
    let (mantissa, exp) = text.split_once('e').unwrap_or((&text, "0"));
    let mut digits: String = mantissa.chars().filter(|c| *c != '.').collect();
    even_tie(f.abs(), &mut digits);
    (digits, exp.parse::<i32>().unwrap_or(0) + 1)
}

/// Where `f` lies exactly between two shortest texts, std takes the upper one and CRuby the even one.
fn even_tie(f: f64, digits: &mut String) {
    let n = digits.len();
    let Some(last) = digits.bytes().last().filter(|b| n >= 16 && b & 1 == 1) else { return };
    let exact = format!("{f:.*e}", n + 25);
    let exact: Vec<u8> = exact.bytes().filter(|b| *b != b'.').take_while(|b| *b != b'e').collect();
    let head = &digits.as_bytes()[..n - 1];
    let tie = exact[n] == b'5' && exact[n + 1..].iter().all(|b| *b == b'0');
    if tie && exact[..n - 1] == *head && exact[n - 1] == last - 1 {
        digits.pop();
        digits.push((last - 1) as char);
    }
}

/// `Float#to_s`: shortest round trip; exponent form below 1e-4, and for whole numbers from 1e15.
pub fn float_to_s(f: f64) -> String {
    if f.is_nan() {
        return "NaN".into();
    }
    let sign = if f.is_sign_negative() { "-" } else { "" };
    if f.is_infinite() {
        return format!("{sign}Infinity");
    }
    if f == 0.0 {
        return format!("{sign}0.0");
    }
    let (digits, point) = shortest(f);
    let n = digits.len() as i32;
    if 0 < point && point < n {
        let (whole, rest) = digits.split_at(point as usize);
        return format!("{sign}{whole}.{rest}");
    }
    if 0 < point && point <= 15 {
        return format!("{sign}{digits}{}.0", "0".repeat((point - n) as usize));
    }
    if -4 < point && point <= 0 {
        return format!("{sign}0.{}{digits}", "0".repeat(-point as usize));
    }
    let (first, rest) = digits.split_at(1);
    let rest = if rest.is_empty() { "0" } else { rest };
    let e = point - 1;
    let esign = if e < 0 { '-' } else { '+' };
    format!("{sign}{first}.{rest}e{esign}{:02}", e.abs())
}

fn is_space(b: u8) -> bool {
    matches!(b, b' ' | b'\t'..=b'\r')
}
/// Without the white space in front, as C's isspace has it.
pub fn trim(mut s: &[u8]) -> &[u8] {
    while let [first, rest @ ..] = s
        && is_space(*first)
    {
        s = rest
    }
    s
}
fn digit(b: u8, base: u32) -> bool {
    (b as char).is_digit(base)
}

/// Reads digits with single underscores between them. Gives the digits and what follows; an underscore that is not
/// between two digits ends them.
fn digits(s: &[u8], base: u32) -> (Vec<u8>, &[u8]) {
    let mut out = Vec::new();
    let mut i = 0;
    while i < s.len() {
        if digit(s[i], base) {
            out.push(s[i]);
        } else if !(s[i] == b'_' && i > 0 && s[i - 1] != b'_' && s.get(i + 1).is_some_and(|&b| digit(b, base))) {
            break;
        }
        i += 1;
    }
    (out, &s[i..])
}

/// An Integer written in text. `base` 0: by prefix, 10 without; 2..36: that base, its own prefix allowed; below 0: by
/// prefix, `-base` without. `strict`: the whole text must be a number, else `None`; otherwise the longest beginning
/// counts, 0 if there is none.
pub fn str_to_int(vm: Vm, text: &[u8], base: i32, strict: bool) -> Option<Value> {
    let none = if strict { None } else { Some(Value::fixnum(0)) };
    let mut s = trim(text);
    let negative = s.first() == Some(&b'-');
    if matches!(s.first(), Some(b'-' | b'+')) {
        s = &s[1..];
    }
    let prefix = match s {
        [b'0', b'x' | b'X', ..] => 16,
        [b'0', b'b' | b'B', ..] => 2,
        [b'0', b'o' | b'O', ..] => 8,
        [b'0', b'd' | b'D', ..] => 10,
        _ => 0,
    };
    let mut radix = base.unsigned_abs();
    if prefix != 0 && (base <= 0 || radix == prefix) {
        radix = prefix;
        s = &s[2..];
        if !s.first().is_some_and(|&b| digit(b, radix)) {
            return none;
        }
    } else if base <= 0 {
        if let [b'0', next, ..] = s
            && (digit(*next, 10) || *next == b'_')
        {
            radix = 8;
        } else if base == 0 || radix < 2 {
            radix = 10;
        }
    }
    if !(2..=36).contains(&radix) {
        return None;
    }
    let (d, rest) = digits(s, radix);
    if d.is_empty() || strict && !trim(rest).is_empty() {
        return none;
    }
    Some(int_from_digits(vm, &d, radix, negative))
}

/// An Integer from ASCII digits of `radix` (2..=36), without sign or underscores.
pub fn int_from_digits(vm: Vm, d: &[u8], radix: u32, negative: bool) -> Value {
    if d.len() <= 11 {
        let n = d.iter().fold(0i64, |n, &b| n * radix as i64 + (b as char).to_digit(radix).unwrap_or(0) as i64);
        return vm.int(if negative { -n } else { n });
    }
    let n = BigUint::parse_bytes(d, radix).unwrap_or_default();
    vm.bigint(BigInt::from_biguint(if negative { Sign::Minus } else { Sign::Plus }, n))
}

/// A Float at the beginning of `text`, and what follows it; `None` if there is none. Exact (correctly rounded).
fn float_prefix(text: &[u8]) -> Option<(f64, &[u8])> {
    let s = trim(text);
    let mut out = String::new();
    let mut rest = s;
    if let [sign @ (b'-' | b'+'), tail @ ..] = rest {
        if *sign == b'-' {
            out.push('-');
        }
        rest = tail;
    }
    let push = |out: &mut String, d: &[u8]| out.extend(d.iter().map(|&b| b as char));
    let (whole, mut rest) = digits(rest, 10);
    push(&mut out, &whole);
    if whole.is_empty() {
        out.push('0');
    }
    let mut seen = !whole.is_empty();
    if let [b'.', tail @ ..] = rest {
        let (frac, after) = digits(tail, 10);
        if !frac.is_empty() {
            out.push('.');
            push(&mut out, &frac);
            seen = true;
            rest = after;
        } else if seen {
            // "1." and "1.e5" are numbers since 3.4
            rest = tail;
        }
    }
    if !seen {
        return None;
    }
    if let [b'e' | b'E', tail @ ..] = rest {
        let (sign, tail) = match tail {
            [c @ (b'-' | b'+'), t @ ..] => (*c as char, t),
            t => ('+', t),
        };
        let (exp, after) = digits(tail, 10);
        if !exp.is_empty() {
            out.push('e');
            out.push(sign);
            let exp: Vec<u8> = exp.into_iter().skip_while(|&b| b == b'0').collect();
            match exp.len() {
                0 => out.push('0'),
                1..=9 => push(&mut out, &exp),
                _ => out.push_str("999999999"),
            }
            rest = after;
        }
    }
    out.parse().ok().map(|f| (f, rest))
}

/// `0x1.8p3`: hexadecimal floats, for `Float()` only.
fn hex_float(text: &[u8]) -> Option<(f64, &[u8])> {
    let mut s = trim(text);
    let negative = s.first() == Some(&b'-');
    if matches!(s.first(), Some(b'-' | b'+')) {
        s = &s[1..];
    }
    let [b'0', b'x' | b'X', s @ ..] = s else { return None };
    let (mut d, mut rest) = digits(s, 16);
    let mut exp = 0i64;
    if let [b'.', tail @ ..] = rest {
        let (frac, after) = digits(tail, 16);
        if frac.is_empty() && d.is_empty() {
            return None;
        }
        exp -= 4 * frac.len() as i64;
        d.extend(frac);
        rest = after;
    }
    if let [b'p' | b'P', tail @ ..] = rest {
        let (minus, tail) = match tail {
            [c @ (b'-' | b'+'), t @ ..] => (*c == b'-', t),
            t => (false, t),
        };
        let (e, after) = digits(tail, 10);
        if e.is_empty() {
            return None;
        }
        let e = e.iter().fold(0i64, |n, b| (n * 10 + (b - b'0') as i64).min(1 << 30));
        exp += if minus { -e } else { e };
        rest = after;
    }
    if d.is_empty() {
        return None;
    }
    let n = BigInt::from(BigUint::parse_bytes(&d, 16)?);
    let f = scale(&n, exp);
    Some((if negative { -f } else { f }, rest))
}

/// `n * 2^exp`, rounded once.
pub fn scale(n: &BigInt, exp: i64) -> f64 {
    if n.sign() == Sign::NoSign {
        return 0.0;
    }
    let bits = n.bits() as i64 + exp;
    if bits > 1100 {
        return if n.sign() == Sign::Minus { f64::NEG_INFINITY } else { f64::INFINITY };
    }
    if bits < -1200 {
        return if n.sign() == Sign::Minus { -0.0 } else { 0.0 };
    }
    let one = BigInt::from(1);
    if exp >= 0 { ratio_to_f64(&(n << exp), &one) } else { ratio_to_f64(n, &(one << -exp)) }
}

/// `String#to_f`: the longest beginning that is a number, 0.0 if none.
pub fn str_to_float(text: &[u8]) -> f64 {
    float_prefix(text).map_or(0.0, |(f, _)| f)
}

/// `Float("...")`: the whole text, spaces around it allowed.
pub fn str_to_float_strict(text: &[u8]) -> Option<f64> {
    let (f, rest) = hex_float(text).or_else(|| {
        let s = trim(text);
        let body = s.strip_prefix(b"-").or(s.strip_prefix(b"+")).unwrap_or(s);
        if matches!(body, [b'0', b'x' | b'X', ..]) { None } else { float_prefix(text) }
    })?;
    trim(rest).is_empty().then_some(f)
}

/// The double nearest to `n / d` (`d` is not zero), rounded once.
pub fn ratio_to_f64(n: &BigInt, d: &BigInt) -> f64 {
    use num_integer::Integer;
    use num_traits::{ToPrimitive, Zero};
    if n.is_zero() {
        return 0.0;
    }
    let negative = (n.sign() == Sign::Minus) != (d.sign() == Sign::Minus);
    let (n, d) = (n.magnitude(), d.magnitude());
    let exponent = n.bits() as i64 - d.bits() as i64;
    if !(-1100..=1100).contains(&exponent) {
        let f = if exponent > 0 { f64::INFINITY } else { 0.0 };
        return if negative { -f } else { f };
    }
    // 64 bits of quotient and a sticky bit; a subnormal result is rounded by hand, so that it is rounded only once.
    let subnormal = exponent < -1021;
    let want = if subnormal { (exponent + 1076).max(2) } else { 64 };
    let shift = want - exponent;
    let (mut q, r) = if shift >= 0 { (n << shift as u64).div_rem(d) } else { n.div_rem(&(d << shift.unsigned_abs())) };
    if subnormal {
        // Whole units of 2^-1074; at least two bits are dropped.
        let drop = (shift - 1074) as u64;
        let (whole, low) = (&q >> drop, &q & ((BigUint::from(1u8) << drop) - 1u8));
        let half = BigUint::from(1u8) << (drop - 1);
        let up = low > half || low == half && (!r.is_zero() || whole.is_odd());
        let f = f64::from_bits((whole + up as u8).to_u64().unwrap_or(0));
        return if negative { -f } else { f };
    }
    if !r.is_zero() {
        q |= BigUint::from(1u8);
    }
    let f = q.to_f64().unwrap_or(f64::NAN);
    // Two steps: 2^-shift alone may be out of range.
    let half = (-shift / 2) as i32;
    let f = f * 2f64.powi(half) * 2f64.powi((-shift) as i32 - half);
    if negative { -f } else { f }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_print_as_cruby_does() {
        for (f, s) in [
            (1.0, "1.0"),
            (1e16, "1.0e+16"),
            (1e14, "100000000000000.0"),
            (1e15, "1.0e+15"),
            (1000000000000000.1, "1000000000000000.1"),
            (1e15 + 0.25, "1000000000000000.2"),
            (1e-5, "1.0e-05"),
            (0.0001, "0.0001"),
            (-0.0, "-0.0"),
            (123456.789, "123456.789"),
            (1e100, "1.0e+100"),
            (f64::NAN, "NaN"),
            (5e-324, "5.0e-324"),
        ] {
            assert_eq!(float_to_s(f), s);
        }
    }

    #[test]
    fn ratios_are_rounded_once() {
        let r = |a: i64, b: i64| ratio_to_f64(&BigInt::from(a), &BigInt::from(b));
        assert_eq!(r(1, 3), 1.0 / 3.0);
        assert_eq!(r(-22, 7), -22.0 / 7.0);
        assert_eq!(r(i64::MAX, 1), i64::MAX as f64);
        let tiny = BigInt::from(1) << 1074;
        assert_eq!(ratio_to_f64(&BigInt::from(1), &tiny), 5e-324);
        assert_eq!(ratio_to_f64(&BigInt::from(3), &(&tiny << 1)), 1e-323);
        assert_eq!(ratio_to_f64(&BigInt::from(1), &(&tiny << 1)), 0.0);
    }

    #[test]
    fn text_reads_as_floats() {
        assert_eq!(str_to_float(b" 12.5abc"), 12.5);
        assert_eq!(str_to_float(b"1_000.5e1_0"), 1000.5e10);
        assert_eq!(str_to_float_strict(b"1__0"), None);
        assert_eq!(str_to_float_strict(b"0x1.8p1"), Some(3.0));
        assert_eq!(str_to_float_strict(b"1."), Some(1.0));
        assert_eq!(str_to_float_strict(b".5 "), Some(0.5));
        assert_eq!(str_to_float_strict(b""), None);
    }
}
