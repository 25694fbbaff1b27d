//! Equality, hashing and comparison of any two values, with short cuts for core classes.

use super::Vm;
use crate::object::{sym, ty};
use crate::value::{Ruby, Value};
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

/// A fast keyless mix; Ruby-visible hashes are salted per process by `seed`.
pub fn mix(h: u64) -> u64 {
    let mut x = h ^ 0x9e37_79b9_7f4a_7c15;
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// Hash of bytes.
pub fn hash_bytes(b: &[u8]) -> u64 {
    let mut h = std::hash::DefaultHasher::new();
    b.hash(&mut h);
    h.finish()
}

impl Vm {
    /// `a == b`.
    pub fn eq(self, a: Value, b: Value) -> Ruby<bool> {
        if a == b && !a.is_float() {
            return Ok(true);
        }
        if self.redefined.get() == 0 {
            if a.is_fixnum() && b.is_fixnum() || a.is_symbol() {
                return Ok(a == b);
            }
            if let (Some(x), Some(y)) = (a.as_str(), b.as_str()) {
                return Ok(self.str_eq(x, y));
            }
            if let (Some(x), Some(y)) = (a.as_float(), b.as_float()) {
                return Ok(x == y);
            }
        }
        Ok(self.send(a, sym::EQ, &[b])?.truthy())
    }

    /// Same bytes in comparable encodings.
    pub fn str_eq(self, x: crate::object::Str, y: crate::object::Str) -> bool {
        x.bytes() == y.bytes() && (x.enc() == y.enc() || x.is_ascii_only() && y.is_ascii_only() || x.is_empty())
    }

    /// `a.eql?(b)`.
    pub fn eql(self, a: Value, b: Value) -> Ruby<bool> {
        if a == b {
            return Ok(true);
        }
        if !a.is_ptr() {
            // Immediates are equal only when identical; but -0.0 lives in a cell.
            return Ok(a == crate::value::ZERO && b.as_float() == Some(0.0));
        }
        if let (Some(x), Some(y)) = (a.as_str(), b.as_str()) {
            return Ok(self.str_eq(x, y));
        }
        if let Some(x) = a.as_bignum() {
            return Ok(b.as_bignum().is_some_and(|y| x.value == y.value));
        }
        if a.is_type(ty::FLOAT) {
            return Ok(match (a.as_float(), b.as_float()) {
                (Some(x), Some(y)) => x == y,
                _ => false,
            });
        }
        Ok(self.send(a, sym::EQL, &[b])?.truthy())
    }

    /// The number a Hash files a key under.
    pub fn hash_of(self, v: Value) -> Ruby<u64> {
        if !v.is_ptr() {
            return Ok(mix(v.bits()));
        }
        if let Some(s) = v.as_str() {
            return Ok(hash_bytes(s.bytes()));
        }
        if let Some(b) = v.as_bignum() {
            let mut h = std::hash::DefaultHasher::new();
            b.value.hash(&mut h);
            return Ok(h.finish());
        }
        if v.is_type(ty::FLOAT)
            && let Some(f) = v.as_float()
        {
            return Ok(mix(if f == 0.0 { crate::value::ZERO.bits() } else { f.to_bits() }));
        }
        let h = self.send(v, sym::HASH, &[])?;
        if h.is_fixnum() {
            return Ok(mix(h.fix() as u64));
        }
        if let Some(b) = h.as_bignum() {
            let mut s = std::hash::DefaultHasher::new();
            b.value.hash(&mut s);
            return Ok(s.finish());
        }
        Ok(mix(self.to_i64(h)? as u64))
    }

    /// `a <=> b` for sorting: ArgumentError "comparison of X with Y failed" when there is no order.
    pub fn compare(self, a: Value, b: Value) -> Ruby<Ordering> {
        match self.compare_opt(a, b)? {
            Some(o) => Ok(o),
            None => Err(self.comparison_failed(a, b)),
        }
    }
    /// `a <=> b`, `None` for nil.
    pub fn compare_opt(self, a: Value, b: Value) -> Ruby<Option<Ordering>> {
        if self.redefined.get() == 0 {
            if a.is_fixnum() && b.is_fixnum() {
                return Ok(Some(a.fix().cmp(&b.fix())));
            }
            if let (Some(x), Some(y)) = (a.as_str(), b.as_str()) {
                return Ok(Some(x.bytes().cmp(y.bytes()).then_with(|| {
                    if self.str_eq(x, y) { Ordering::Equal } else { (x.enc() as u8).cmp(&(y.enc() as u8)) }
                })));
            }
            if let (Some(x), Some(y)) = (a.as_float(), b.as_float()) {
                return Ok(x.partial_cmp(&y));
            }
        }
        let r = self.send(a, sym::CMP, &[b])?;
        if r.is_nil() { Ok(None) } else { self.ordering(r, a, b).map(Some) }
    }
    /// What a `<=>` result means.
    pub fn ordering(self, r: Value, a: Value, b: Value) -> Ruby<Ordering> {
        if r.is_fixnum() {
            return Ok(r.fix().cmp(&0));
        }
        if r.is_nil() {
            return Err(self.comparison_failed(a, b));
        }
        if let Some(n) = r.as_bignum() {
            return Ok(n.value.sign().cmp(&num_bigint::Sign::NoSign));
        }
        if self.send(r, sym::GT, &[Value::fixnum(0)])?.truthy() {
            return Ok(Ordering::Greater);
        }
        if self.send(r, sym::LT, &[Value::fixnum(0)])?.truthy() {
            return Ok(Ordering::Less);
        }
        Ok(Ordering::Equal)
    }
    #[cold]
    pub fn comparison_failed(self, a: Value, b: Value) -> crate::value::Raised {
        let x = self.class_name(self.real_class_of(a));
        let y = if !b.is_ptr() || b.is_float() {
            match self.inspect(b) {
                Ok(s) => s.text().into_owned(),
                Err(r) => return r,
            }
        } else {
            self.class_name(self.real_class_of(b))
        };
        self.arg_error(&format!("comparison of {x} with {y} failed"))
    }

    /// `pattern === value`.
    pub fn case_eq(self, pattern: Value, value: Value) -> Ruby<bool> {
        Ok(self.send(pattern, sym::EQQ, &[value])?.truthy())
    }

    /// Compares an Integer with a float exactly.
    pub fn cmp_int_float(self, i: Value, f: f64) -> Option<Ordering> {
        if f.is_nan() {
            return None;
        }
        if f.is_infinite() {
            return Some(if f > 0.0 { Ordering::Less } else { Ordering::Greater });
        }
        if i.is_fixnum() && i.fix().unsigned_abs() < 1 << 53 {
            return (i.fix() as f64).partial_cmp(&f);
        }
        let whole = <num_bigint::BigInt as num_traits::FromPrimitive>::from_f64(f.trunc())?;
        let big = self.big(i)?;
        Some(big.cmp(&whole).then_with(|| 0.0f64.partial_cmp(&(f - f.trunc())).unwrap_or(Ordering::Equal)))
    }
}
