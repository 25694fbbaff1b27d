//! `Random`: the Mersenne Twister MT19937 with CRuby's ways of seeding and of making numbers from its words, so that a
//! seed gives the same sequence as there.

use crate::class;
use crate::object::{Class, Data, Enc, RData, RString, sym};
use crate::value::{FALSE, NIL, Ruby, Value};
use crate::vm::arith::{int_negative, int_zero, with_big};
use crate::vm::native::ClassDef;
use crate::vm::{Args, Vm};
use num_bigint::{BigInt, BigUint, Sign};
use std::cell::RefCell;

class! { "Random" < "Object";
    self ["rand"]     opt(0, 1) => s_rand;
    self ["random_number"] opt(0, 1) => s_random_number;
    self ["srand"]    opt(0, 1) => srand;
    self ["bytes"]    req(1)    => s_bytes;
    self ["seed"]     req(0)    => s_seed;
    self ["new_seed"] req(0)    => new_seed;
    self ["urandom"]  req(1)    => urandom;
    ["initialize"]    opt(0, 1) => initialize;
    ["initialize_copy"] req(1)  => initialize_copy;
    ["rand"]          opt(0, 1) => rand;
    ["random_number"] opt(0, 1) => random_number;
    ["bytes"]         req(1)    => bytes;
    ["seed"]          req(0)    => seed;
    ["=="]            req(1)    => eq;
}

const KERNEL: ClassDef = {
    class! { module "Kernel";
        module_fn ["rand"]  opt(0, 1) => kernel_rand;
        module_fn ["srand"] opt(0, 1) => srand;
    }
    CLASS
};

const N: usize = 624;
const M: usize = 397;

/// The generator proper (Matsumoto and Nishimura, MT19937).
#[derive(Clone, PartialEq)]
struct Twister {
    words: [u32; N],
    /// next word to give out; N: all used
    at: usize,
}

impl Twister {
    /// Seeded with one word.
    fn of_word(seed: u32) -> Twister {
        let mut words = [0u32; N];
        words[0] = seed;
        for i in 1..N {
            let before = words[i - 1] ^ words[i - 1] >> 30;
            words[i] = before.wrapping_mul(1_812_433_253).wrapping_add(i as u32);
        }
        Twister { words, at: N }
    }
    /// Seeded with any number of words.
    fn of_words(key: &[u32]) -> Twister {
        let mut t = Twister::of_word(19_650_218);
        let w = &mut t.words;
        let (mut i, mut j) = (1, 0);
        for _ in 0..N.max(key.len()) {
            let mixed = (w[i - 1] ^ w[i - 1] >> 30).wrapping_mul(1_664_525);
            w[i] = (w[i] ^ mixed).wrapping_add(key[j]).wrapping_add(j as u32);
            i += 1;
            j = (j + 1) % key.len();
            if i >= N {
                w[0] = w[N - 1];
                i = 1;
            }
        }
        for _ in 0..N - 1 {
            let mixed = (w[i - 1] ^ w[i - 1] >> 30).wrapping_mul(1_566_083_941);
            w[i] = (w[i] ^ mixed).wrapping_sub(i as u32);
            i += 1;
            if i >= N {
                w[0] = w[N - 1];
                i = 1;
            }
        }
        w[0] = 0x8000_0000;
        t
    }
    fn turn(&mut self) {
        for i in 0..N {
            let y = self.words[i] & 0x8000_0000 | self.words[(i + 1) % N] & 0x7fff_ffff;
            let odd = if y & 1 == 1 { 0x9908_b0df } else { 0 };
            self.words[i] = self.words[(i + M) % N] ^ y >> 1 ^ odd;
        }
        self.at = 0;
    }
    fn word(&mut self) -> u32 {
        if self.at >= N {
            self.turn();
        }
        let mut y = self.words[self.at];
        self.at += 1;
        y ^= y >> 11;
        y ^= y << 7 & 0x9d2c_5680;
        y ^= y << 15 & 0xefc6_0000;
        y ^ y >> 18
    }
    /// A float in [0, 1), or in [0, 1].
    fn real(&mut self, exclusive: bool) -> f64 {
        let (a, b) = (self.word(), self.word());
        let unit = 1.0 / 9_007_199_254_740_992.0;
        if exclusive {
            return ((a >> 5) as f64 * 67_108_864.0 + (b >> 6) as f64) * unit;
        }
        let x = (a as u128) << 32 | b as u128;
        ((x * ((1 << 53) | 1)) >> 64) as u64 as f64 * unit
    }
    /// A whole number in 0..=limit.
    fn up_to(&mut self, limit: u64) -> u64 {
        if limit == 0 {
            return 0;
        }
        let mask = u64::MAX >> limit.leading_zeros();
        'again: loop {
            if limit <= 0xffff_ffff {
                let v = self.word() as u64 & mask;
                if v <= limit {
                    return v;
                }
                continue;
            }
            let mut v = 0;
            for shift in [32, 0] {
                v |= (self.word() as u64) << shift;
                v &= mask;
                if v > limit {
                    continue 'again;
                }
            }
            return v;
        }
    }
    fn up_to_big(&mut self, limit: &BigUint) -> BigUint {
        let limits = limit.to_u32_digits();
        'again: loop {
            let mut words = vec![0u32; limits.len()];
            let (mut mask, mut tight) = (0u32, true);
            for i in (0..limits.len()).rev() {
                mask = if mask != 0 { u32::MAX } else { u32::MAX.checked_shr(limits[i].leading_zeros()).unwrap_or(0) };
                let r = self.word() & mask;
                if tight {
                    if r > limits[i] {
                        continue 'again;
                    }
                    tight = r == limits[i];
                }
                words[i] = r;
            }
            return BigUint::new(words);
        }
    }
    fn fill(&mut self, out: &mut [u8]) {
        for chunk in out.chunks_mut(4) {
            let w = self.word().to_le_bytes();
            chunk.copy_from_slice(&w[..chunk.len()]);
        }
    }
}

/// A generator and the seed it started from.
#[derive(Clone, PartialEq)]
struct Source {
    twister: Twister,
    seed: BigInt,
}
impl Source {
    fn new(seed: BigInt) -> Source {
        let mut words = seed.magnitude().to_u32_digits();
        let twister = match words.len() {
            0 => Twister::of_word(0),
            1 => Twister::of_word(words[0]),
            n => {
                // A leading one only guards leading zeros.
                if words[n - 1] == 1 {
                    words.pop();
                }
                Twister::of_words(&words)
            }
        };
        Source { twister, seed }
    }
}

struct Random(RefCell<Source>);
impl Data for Random {}

/// The generator of `Kernel#rand`, seeded at first use.
struct Shared(RefCell<Source>);
impl Default for Shared {
    fn default() -> Self {
        Shared(RefCell::new(Source::new(fresh_seed())))
    }
}

pub fn boot(vm: Vm) {
    let c = vm.define_table(&CLASS);
    vm.classes.random.set(c);
    vm.set_allocator(c, allocate);
    vm.define_table(&KERNEL);
}
fn allocate(vm: Vm, class: Class) -> Ruby {
    Ok(RData::alloc(&vm, class, Random(RefCell::new(Source::new(BigInt::from(0))))))
}

/// Bytes from the kernel.
fn entropy(out: &mut [u8]) {
    for chunk in out.chunks_mut(256) {
        // SAFETY: at most `chunk.len()` bytes are written; requests up to 256 bytes are never cut short.
        unsafe { libc::getrandom(chunk.as_mut_ptr() as *mut libc::c_void, chunk.len(), 0) };
    }
}
fn fresh_seed() -> BigInt {
    let mut b = [0u8; 16];
    entropy(&mut b);
    BigInt::from_bytes_le(Sign::Plus, &b)
}

/// For `Array#shuffle`, `#sample`: a whole number in 0..=limit from the shared generator.
pub fn up_to(vm: Vm, limit: u64) -> u64 {
    vm.slot::<Shared>().0.borrow_mut().twister.up_to(limit)
}
/// The same from any generator object given as `random:`; RangeError when it answers nonsense.
pub fn up_to_of(vm: Vm, generator: Value, limit: u64) -> Ruby<u64> {
    if generator == vm.classes.random.get().value() {
        return Ok(up_to(vm, limit));
    }
    if let Some(r) = generator.data::<Random>() {
        return Ok(r.0.borrow_mut().twister.up_to(limit));
    }
    let max = vm.int_add(vm.bigint(limit.into()), Value::fixnum(1));
    let v = vm.to_int(vm.call(generator, "rand", &[max])?)?;
    if int_negative(v) {
        let text = vm.to_s(v)?;
        return Err(vm.range_error(&format!("random number too small {}", text.text())));
    }
    match v.as_fixnum() {
        Some(n) if n as u64 <= limit => Ok(n as u64),
        _ => {
            let text = vm.to_s(v)?;
            Err(vm.range_error(&format!("random number too big {}", text.text())))
        }
    }
}

/// One of the two kinds of generators.
type Cell<'a> = &'a RefCell<Source>;
fn of(vm: Vm, this: Value) -> Ruby<Cell<'static>> {
    match this.data::<Random>() {
        Some(r) => Ok(&r.0),
        None => Err(vm.type_error("not a Random")),
    }
}
fn shared(vm: Vm) -> Cell<'static> {
    &vm.slot::<Shared>().0
}

fn initialize(vm: Vm, this: Value, args: Args) -> Ruby {
    let seed = match args.get(0) {
        Some(s) => {
            let s = vm.to_int(s)?;
            with_big(s, BigInt::clone)
        }
        None => fresh_seed(),
    };
    *of(vm, this)?.borrow_mut() = Source::new(seed);
    Ok(NIL)
}
fn initialize_copy(vm: Vm, this: Value, args: Args) -> Ruby {
    let from = of(vm, args.or_nil(0))?.borrow().clone();
    *of(vm, this)?.borrow_mut() = from;
    Ok(this)
}
fn eq(vm: Vm, this: Value, args: Args) -> Ruby {
    let other = args.or_nil(0);
    if vm.real_class_of(this) != vm.real_class_of(other) {
        return Ok(FALSE);
    }
    let (a, b) = (of(vm, this)?, of(vm, other)?);
    Ok((std::ptr::eq(a, b) || *a.borrow() == *b.borrow()).into())
}
fn seed(vm: Vm, this: Value, _: Args) -> Ruby {
    let s = of(vm, this)?.borrow().seed.clone();
    Ok(vm.bigint(s))
}
fn s_seed(vm: Vm, _: Value, _: Args) -> Ruby {
    let s = shared(vm).borrow().seed.clone();
    Ok(vm.bigint(s))
}
fn new_seed(vm: Vm, _: Value, _: Args) -> Ruby {
    Ok(vm.bigint(fresh_seed()))
}
/// `srand(seed = new_seed) -> the seed before`.
fn srand(vm: Vm, _: Value, args: Args) -> Ruby {
    let seed = match args.get(0) {
        Some(s) => {
            let s = vm.to_int(s)?;
            with_big(s, BigInt::clone)
        }
        None => fresh_seed(),
    };
    let old = shared(vm).replace(Source::new(seed));
    Ok(vm.bigint(old.seed))
}

fn length(vm: Vm, args: Args) -> Ruby<usize> {
    let n = vm.to_i64(args.or_nil(0))?;
    if n < 0 {
        return Err(vm.arg_error("negative string size (or size too big)"));
    }
    if n > 1 << 40 {
        return Err(vm.raise(vm.classes.no_memory_error.get(), "failed to allocate memory"));
    }
    Ok(n as usize)
}
fn some_bytes(vm: Vm, args: Args, fill: impl FnOnce(&mut [u8])) -> Ruby {
    let mut b = vec![0u8; length(vm, args)?];
    fill(&mut b);
    Ok(RString::from_vec(&vm, b, Enc::Binary).value())
}
fn bytes(vm: Vm, this: Value, args: Args) -> Ruby {
    let g = of(vm, this)?;
    some_bytes(vm, args, |b| g.borrow_mut().twister.fill(b))
}
fn s_bytes(vm: Vm, _: Value, args: Args) -> Ruby {
    some_bytes(vm, args, |b| shared(vm).borrow_mut().twister.fill(b))
}
fn urandom(vm: Vm, _: Value, args: Args) -> Ruby {
    some_bytes(vm, args, entropy)
}

/// What was asked for makes no number.
enum No {
    /// ArgumentError or a default, as the caller likes
    Number,
    /// no Range either
    Range,
}

fn domain(vm: Vm) -> crate::value::Raised {
    vm.errno_error(libc::EDOM, None)
}
fn finite(vm: Vm, f: f64) -> Ruby<f64> {
    if f.is_finite() { Ok(f) } else { Err(domain(vm)) }
}
fn check_int(vm: Vm, v: Value) -> Ruby<Option<Value>> {
    if v.is_integer() {
        return Ok(Some(v));
    }
    if !v.is_ptr() || v.as_str().is_some() || v.as_array().is_some() || v.as_range().is_some() || v.is_float() {
        return Ok(None);
    }
    Ok(vm.send_if_responds(v, sym::TO_INT, &[])?.filter(|r| r.is_integer()))
}
fn check_float(vm: Vm, v: Value) -> Ruby<Option<f64>> {
    if v.is_float() || vm.is_numeric(v) { vm.to_f64(v).map(Some) } else { Ok(None) }
}

/// A number below `max` (an Integer above 0), or `None`.
fn below(vm: Vm, g: Cell, max: Value, restrictive: bool) -> Option<Value> {
    if int_zero(max) || restrictive && int_negative(max) {
        return None;
    }
    let limit = vm.int_sub(vm.int_abs(max), Value::fixnum(1));
    Some(up_to_value(vm, g, limit))
}
fn up_to_value(vm: Vm, g: Cell, limit: Value) -> Value {
    match limit.as_fixnum() {
        Some(n) => vm.int(g.borrow_mut().twister.up_to(n as u64) as i64),
        None => {
            let n = with_big(limit, |l| g.borrow_mut().twister.up_to_big(l.magnitude()));
            vm.bigint(n.into())
        }
    }
}

fn in_range(vm: Vm, g: Cell, v: Value) -> Ruby<Result<Value, No>> {
    let Some(r) = v.as_range() else { return Ok(Err(No::Range)) };
    let (lo, hi, excl) = (r.lo.get(), r.hi.get(), r.exclusive.get());
    if lo.is_nil() || hi.is_nil() {
        return Err(domain(vm));
    }
    let Some(span) = vm.send_if_responds(hi, sym::MINUS, &[lo])? else { return Ok(Err(No::Range)) };
    if let Some(n) = check_int(vm, span)? {
        let limit = if excl { vm.int_sub(n, Value::fixnum(1)) } else { n };
        if int_negative(limit) {
            return Ok(Err(No::Number));
        }
        let n = up_to_value(vm, g, limit);
        return vm.send(lo, sym::PLUS, &[n]).map(Ok);
    }
    let Some(mut max) = check_float(vm, span)? else { return Ok(Err(No::Range)) };
    if max.is_nan() {
        return Err(domain(vm));
    }
    if max.is_infinite() {
        // The span overflows: take half of it and scale up afterwards.
        let low = finite(vm, vm.to_f64(lo)?)? / 2.0;
        max = finite(vm, vm.to_f64(hi)?)? / 2.0;
        let mid = max + low;
        max -= low;
        let r = g.borrow_mut().twister.real(excl);
        return Ok(Ok(vm.float((r - 0.5) * max * 2.0 + mid)));
    }
    let f = if max > 0.0 {
        g.borrow_mut().twister.real(excl) * max
    } else if max == 0.0 && !excl {
        0.0
    } else {
        return Ok(Err(No::Number));
    };
    match check_float(vm, lo)? {
        Some(low) => Ok(Ok(vm.float(f + low))),
        None => vm.send(lo, sym::PLUS, &[vm.float(f)]).map(Ok),
    }
}

fn number(vm: Vm, g: Cell, args: Args) -> Ruby<Result<Value, No>> {
    let Some(max) = args.get(0) else {
        let f = g.borrow_mut().twister.real(true);
        return Ok(Ok(vm.float(f)));
    };
    if max.is_nil() {
        return Ok(Err(No::Number));
    }
    if let Some(n) = check_int(vm, max)? {
        return Ok(below(vm, g, n, true).ok_or(No::Number));
    }
    if let Some(f) = check_float(vm, max)? {
        let f = finite(vm, f)?;
        if f < 0.0 {
            return Ok(Err(No::Number));
        }
        let r = g.borrow_mut().twister.real(true);
        return Ok(Ok(vm.float(if f > 0.0 { r * f } else { r })));
    }
    in_range(vm, g, max)
}
fn strict(vm: Vm, g: Cell, args: Args) -> Ruby {
    match number(vm, g, args)? {
        Ok(v) => Ok(v),
        Err(No::Range) => {
            vm.to_i64(args.or_nil(0))?;
            Err(invalid(vm, args.or_nil(0)))
        }
        Err(No::Number) => Err(invalid(vm, args.or_nil(0))),
    }
}
fn invalid(vm: Vm, v: Value) -> crate::value::Raised {
    match vm.to_s(v) {
        Ok(s) => vm.arg_error(&format!("invalid argument - {}", s.text())),
        Err(r) => r,
    }
}
fn lenient(vm: Vm, g: Cell, args: Args) -> Ruby {
    match number(vm, g, args)? {
        Ok(v) => Ok(v),
        Err(No::Range) => Err(invalid(vm, args.or_nil(0))),
        Err(No::Number) => {
            let f = g.borrow_mut().twister.real(true);
            Ok(vm.float(f))
        }
    }
}
fn rand(vm: Vm, this: Value, args: Args) -> Ruby {
    strict(vm, of(vm, this)?, args)
}
fn s_rand(vm: Vm, _: Value, args: Args) -> Ruby {
    strict(vm, shared(vm), args)
}
fn random_number(vm: Vm, this: Value, args: Args) -> Ruby {
    lenient(vm, of(vm, this)?, args)
}
fn s_random_number(vm: Vm, _: Value, args: Args) -> Ruby {
    lenient(vm, shared(vm), args)
}
/// `rand(max = 0)`: nil for an empty range; the sign of a whole `max` does not count.
fn kernel_rand(vm: Vm, _: Value, args: Args) -> Ruby {
    let g = shared(vm);
    if let Some(v) = args.get(0)
        && !v.is_nil()
    {
        match in_range(vm, g, v)? {
            Ok(v) => return Ok(v),
            Err(No::Number) => return Ok(NIL),
            Err(No::Range) => {}
        }
        let n = vm.to_int(v)?;
        if let Some(r) = below(vm, g, n, false) {
            return Ok(r);
        }
    }
    let f = g.borrow_mut().twister.real(true);
    Ok(vm.float(f))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_sequence() {
        // First outputs of the authors' own program (init_by_array {0x123, 0x234, 0x345, 0x456}).
        let mut t = Twister::of_words(&[0x123, 0x234, 0x345, 0x456]);
        assert_eq!([t.word(), t.word(), t.word()], [1067595299, 955945823, 477289528]);
        let mut t = Source::new(BigInt::from(42)).twister;
        assert_eq!(t.real(true), 0.3745401188473625);
    }
}
