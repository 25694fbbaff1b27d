//! The tagged word that every Ruby value is.
//!
//! | low bits | meaning |
//! |---|---|
//! | `000` | pointer to a heap cell (never zero, so `Option<Value>` and `Result<Value, Raised>` are one word) |
//! | `x01` | Integer of 62 bits, shifted left by 2 |
//! | `01x` | Float whose exponent is within 2^-255..2^257: bits minus 2^60, rotated left by 4 |
//! | `100` | nil, true, false and the VM's own marks |
//! | `110` | Symbol: id shifted left by 3 |
//! | `111` | only 15, the Float 0.0; others are block handlers on a stack, see `vm/frame.rs` |
//!
//! Floats decode with one add and one rotate (no branch). 15 is what the same encoding makes of 0.0, so that decodes
//! alike and only the test costs more; all other floats live in a heap cell.

use std::num::NonZeroU64;

#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Value(pub(crate) NonZeroU64);

/// A symbol's number: index into the symbol table.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Sym(pub u32);

/// Marks a pending unwind in the running thread; see `vm::Unwind`. Zero-sized on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Raised;

/// What every native that can raise returns: one machine word.
pub type Ruby<T = Value> = Result<T, Raised>;

const fn special(n: u64) -> Value {
    match NonZeroU64::new(n << 3 | 4) {
        Some(bits) => Value(bits),
        None => unreachable!(),
    }
}

pub const FALSE: Value = special(0);
pub const NIL: Value = special(1);
pub const TRUE: Value = special(2);
/// "argument not given"; never visible to Ruby.
pub const UNDEF: Value = special(3);
/// The float 0.0 (-0.0 is a heap cell): its rotated bits.
pub const ZERO: Value = match NonZeroU64::new(15) {
    Some(bits) => Value(bits),
    None => unreachable!(),
};

pub const FIXNUM_MAX: i64 = (1 << 61) - 1;
pub const FIXNUM_MIN: i64 = -(1 << 61);
const FLOAT_BIAS: u64 = 1 << 60;

impl Value {
    /// # Safety
    /// `bits` is a word made by `Value::bits`.
    #[inline(always)]
    pub unsafe fn from_bits(bits: u64) -> Value {
        // SAFETY: the caller's promise; such words are never zero.
        Value(unsafe { NonZeroU64::new_unchecked(bits) })
    }
    #[inline(always)]
    pub fn bits(self) -> u64 {
        self.0.get()
    }
    #[inline(always)]
    pub fn bool(b: bool) -> Value {
        if b { TRUE } else { FALSE }
    }
    #[inline(always)]
    pub fn is_nil(self) -> bool {
        self == NIL
    }
    /// Neither nil nor false.
    #[inline(always)]
    pub fn truthy(self) -> bool {
        self.bits() & !8 != FALSE.bits()
    }
    #[inline(always)]
    pub fn is_undef(self) -> bool {
        self == UNDEF
    }

    // ---- Integer
    #[inline(always)]
    pub fn is_fixnum(self) -> bool {
        self.bits() & 3 == 1
    }
    /// The number of a fixnum.
    #[inline(always)]
    pub fn fix(self) -> i64 {
        debug_assert!(self.is_fixnum());
        self.bits() as i64 >> 2
    }
    #[inline(always)]
    pub fn as_fixnum(self) -> Option<i64> {
        if self.is_fixnum() { Some(self.fix()) } else { None }
    }
    /// A fixnum from a number known to fit 62 bits.
    #[inline(always)]
    pub const fn fixnum(n: i64) -> Value {
        debug_assert!(n >= FIXNUM_MIN && n <= FIXNUM_MAX);
        match NonZeroU64::new((n as u64) << 2 | 1) {
            Some(bits) => Value(bits),
            None => unreachable!(),
        }
    }
    /// A fixnum if the number fits.
    #[inline(always)]
    pub fn try_fixnum(n: i64) -> Option<Value> {
        if (FIXNUM_MIN..=FIXNUM_MAX).contains(&n) { Some(Value::fixnum(n)) } else { None }
    }
    #[inline(always)]
    pub fn both_fixnum(a: Value, b: Value) -> bool {
        ((a.bits() ^ 1) | (b.bits() ^ 1)) & 3 == 0
    }

    // ---- Float (immediate ones)
    /// An immediate float, 0.0 too.
    #[inline(always)]
    pub fn is_flonum(self) -> bool {
        self.bits() & 6 == 2 || self == ZERO
    }
    #[inline(always)]
    pub fn both_flonum(a: Value, b: Value) -> bool {
        ((a.bits() ^ 2) | (b.bits() ^ 2)) & 6 == 0 || a.is_flonum() && b.is_flonum()
    }
    /// A float and an Integer of at most 2^53 in either order, as floats.
    #[inline(always)]
    pub fn mixed(a: Value, b: Value) -> Option<(f64, f64)> {
        const EXACT: i64 = 1 << 53;
        if a.is_flonum() && b.is_fixnum() && b.fix().abs() <= EXACT {
            Some((a.flo(), b.fix() as f64))
        } else if a.is_fixnum() && b.is_flonum() && a.fix().abs() <= EXACT {
            Some((a.fix() as f64, b.flo()))
        } else {
            None
        }
    }
    /// The number of an immediate float.
    #[inline(always)]
    pub fn flo(self) -> f64 {
        f64::from_bits(self.bits().rotate_right(4).wrapping_add(FLOAT_BIAS))
    }
    /// An immediate float if the exponent allows (0.0 too).
    #[inline(always)]
    pub fn try_flonum(f: f64) -> Option<Value> {
        let bits = f.to_bits().wrapping_sub(FLOAT_BIAS).rotate_left(4);
        if bits & 6 == 2 || bits == ZERO.bits() { NonZeroU64::new(bits).map(Value) } else { None }
    }

    // ---- Symbol
    #[inline(always)]
    pub fn is_symbol(self) -> bool {
        self.bits() & 7 == 6
    }
    #[inline(always)]
    pub fn as_symbol(self) -> Option<Sym> {
        if self.is_symbol() { Some(Sym((self.bits() >> 3) as u32)) } else { None }
    }
    #[inline(always)]
    pub const fn symbol(s: Sym) -> Value {
        match NonZeroU64::new((s.0 as u64) << 3 | 6) {
            Some(bits) => Value(bits),
            None => unreachable!(),
        }
    }

    // ---- pointers
    #[inline(always)]
    pub fn is_ptr(self) -> bool {
        self.bits() & 7 == 0
    }
    #[inline(always)]
    pub fn ptr(self) -> *mut u8 {
        debug_assert!(self.is_ptr());
        self.bits() as *mut u8
    }
    /// # Safety
    /// `p` points to a live heap cell.
    #[inline(always)]
    pub unsafe fn from_ptr<T>(p: *const T) -> Value {
        // SAFETY: cells are aligned to 16 and never at address zero.
        unsafe { Value::from_bits(p as u64) }
    }
}

impl From<bool> for Value {
    fn from(b: bool) -> Value {
        Value::bool(b)
    }
}
impl From<Sym> for Value {
    fn from(s: Sym) -> Value {
        Value::symbol(s)
    }
}
impl std::fmt::Debug for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            NIL => write!(f, "nil"),
            TRUE => write!(f, "true"),
            FALSE => write!(f, "false"),
            UNDEF => write!(f, "undef"),
            ZERO => write!(f, "0.0"),
            v if v.is_fixnum() => write!(f, "{}", v.fix()),
            v if v.is_flonum() => write!(f, "{:?}", v.flo()),
            v if v.is_symbol() => write!(f, "sym{}", v.bits() >> 3),
            v => write!(f, "#{:x}", v.bits()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_pinned() {
        assert_eq!(size_of::<Value>(), 8);
        assert_eq!(size_of::<Option<Value>>(), 8);
        assert_eq!(size_of::<Ruby>(), 8);
        assert_eq!(size_of::<Raised>(), 0);
    }

    #[test]
    fn floats_round_trip() {
        for f in [1.0, -1.0, 0.1, 1e-70, -1e70, 3.5e76, 2.0f64.powi(-255), 2.0f64.powi(256)] {
            assert_eq!(Value::try_flonum(f).map(|v| v.flo()), Some(f), "{f}");
        }
        for f in [-0.0, 1e-90, 1e90, f64::NAN, f64::INFINITY, f64::MIN_POSITIVE] {
            assert_eq!(Value::try_flonum(f), None, "{f}");
        }
        assert_eq!(Value::try_flonum(0.0), Some(ZERO));
    }

    #[test]
    fn fixnums_round_trip() {
        for n in [0, 1, -1, FIXNUM_MAX, FIXNUM_MIN] {
            assert_eq!(Value::fixnum(n).fix(), n);
        }
        assert_eq!(Value::try_fixnum(FIXNUM_MAX + 1), None);
    }
}
