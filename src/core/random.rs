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
    self ["srand"]    opt(0, 1) => srand;
    self ["bytes"]    req(1)    => s_bytes;
    self ["seed"]     req(0)    => s_seed;
    self ["new_seed"] req(0)    => new_seed;
    self ["urandom"]  req(1)    => urandom;
    ["initialize"]    opt(0, 1) => initialize;
    ["initialize_copy"] req(1)  => initialize_copy;
    ["rand"]          opt(0, 1) => rand;
    ["bytes"]         req(1)    => bytes;
    ["seed"]          req(0)    => seed;
    ["=="]            req(1)    => eq;
    private ["marshal_dump"] req(0) => marshal_dump;
    private ["marshal_load"] req(1) => marshal_load;
}

const FORMATTER: ClassDef = {
    class! { module "Random::Formatter";
        ["random_number", "rand"] opt(0, 1) => random_number;
    }
    CLASS
};

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
        real(a, b, exclusive)
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

/// A float in [0, 1), or in [0, 1], from two words.
fn real(a: u32, b: u32, exclusive: bool) -> f64 {
    let unit = 1.0 / 9_007_199_254_740_992.0;
    if exclusive {
        return ((a >> 5) as f64 * 67_108_864.0 + (b >> 6) as f64) * unit;
    }
    let x = (a as u128) << 32 | b as u128;
    ((x * ((1 << 53) | 1)) >> 64) as u64 as f64 * unit
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
    let formatter = vm.define_table(&FORMATTER);
    c.include(formatter);
    vm.metaclass(c).include(formatter);
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

/// Where numbers come from: a twister, or an object's `bytes`.
#[derive(Clone, Copy)]
enum Gen {
    Twister(&'static RefCell<Source>),
    Bytes(Value),
}
impl Gen {
    /// What `this` draws from.
    fn of(vm: Vm, this: Value) -> Gen {
        match this.data::<Random>() {
            Some(r) => Gen::Twister(&r.0),
            None if this == vm.classes.random.get().value() => Gen::Twister(shared(vm)),
            None => Gen::Bytes(this),
        }
    }
    /// `n` bytes of the object's, as a number, least significant first.
    fn bytes(vm: Vm, from: Value, n: usize) -> Ruby<BigUint> {
        let s = vm.to_str(vm.send_public(from, vm.intern("bytes"), &[Value::fixnum(n as i64)])?)?;
        match s.len().cmp(&n) {
            std::cmp::Ordering::Less => Err(vm.range_error(&format!("random data too short {}", s.len()))),
            std::cmp::Ordering::Greater => Err(vm.range_error(&format!("random data too long {}", s.len()))),
            std::cmp::Ordering::Equal => Ok(BigUint::from_bytes_le(s.bytes())),
        }
    }
    fn real(self, vm: Vm, exclusive: bool) -> Ruby<f64> {
        match self {
            Gen::Twister(g) => Ok(g.borrow_mut().twister.real(exclusive)),
            Gen::Bytes(v) => {
                let words = Gen::bytes(vm, v, 8)?.to_u64_digits().first().copied().unwrap_or(0);
                Ok(real(words as u32, (words >> 32) as u32, exclusive))
            }
        }
    }
    /// A whole number in 0..=limit, an Integer that is not negative.
    fn up_to(self, vm: Vm, limit: Value) -> Ruby {
        if int_zero(limit) {
            return Ok(limit);
        }
        match self {
            Gen::Twister(g) => Ok(match limit.as_fixnum() {
                Some(n) => vm.int(g.borrow_mut().twister.up_to(n as u64) as i64),
                None => {
                    let n = with_big(limit, |l| g.borrow_mut().twister.up_to_big(l.magnitude()));
                    vm.bigint(n.into())
                }
            }),
            Gen::Bytes(v) => {
                let max = with_big(limit, |l| l.magnitude().clone());
                let mask = (BigUint::from(1u8) << max.bits()) - 1u8;
                let size = max.bits().div_ceil(32) as usize * 4;
                loop {
                    let n = Gen::bytes(vm, v, size)? & &mask;
                    if n <= max {
                        return Ok(vm.bigint(n.into()));
                    }
                }
            }
        }
    }
}
fn of(vm: Vm, this: Value) -> Ruby<&'static RefCell<Source>> {
    match this.data::<Random>() {
        Some(r) => Ok(&r.0),
        None => Err(vm.type_error("not a Random")),
    }
}
fn shared(vm: Vm) -> &'static RefCell<Source> {
    &vm.slot::<Shared>().0
}

fn initialize(vm: Vm, this: Value, args: Args) -> Ruby {
    vm.check_frozen(this)?;
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

/// `[state words as one Integer, words left, seed]`, as CRuby dumps it.
fn marshal_dump(vm: Vm, this: Value, _: Args) -> Ruby {
    let s = of(vm, this)?.borrow().clone();
    let state = vm.bigint(BigUint::new(s.twister.words.to_vec()).into());
    let seed = vm.bigint(s.seed);
    Ok(vm.array(&[state, Value::fixnum((N + 1 - s.twister.at) as i64), seed]))
}
fn marshal_load(vm: Vm, this: Value, args: Args) -> Ruby {
    vm.check_frozen(this)?;
    let Some(a) = args.or_nil(0).as_array() else {
        let got = vm.describe(args.or_nil(0));
        return Err(vm.type_error(&format!("wrong argument type {got} (expected Array)")));
    };
    if a.len() != 3 {
        return Err(vm.arg_error("wrong dump data"));
    }
    let (state, left, seed) = (vm.to_int(a.get(0))?, vm.to_i64(a.get(1))?, vm.to_int(a.get(2))?);
    let given = with_big(state, |s| s.magnitude().to_u32_digits());
    if !(1..=N as i64).contains(&left) || given.len() > N {
        return Err(vm.arg_error("wrong value"));
    }
    let mut words = [0; N];
    words[..given.len()].copy_from_slice(&given);
    let twister = Twister { words, at: (N + 1 - left as usize).min(N) };
    *of(vm, this)?.borrow_mut() = Source { twister, seed: with_big(seed, BigInt::clone) };
    Ok(this)
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

/// A number below `max`, `None` if there is none.
fn below(vm: Vm, g: Gen, max: Value, restrictive: bool) -> Ruby<Option<Value>> {
    if int_zero(max) || restrictive && int_negative(max) {
        return Ok(None);
    }
    let limit = vm.int_sub(vm.int_abs(max), Value::fixnum(1));
    g.up_to(vm, limit).map(Some)
}

fn in_range(vm: Vm, g: Gen, v: Value) -> Ruby<Result<Value, No>> {
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
        let n = g.up_to(vm, limit)?;
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
        let r = g.real(vm, excl)?;
        return Ok(Ok(vm.float((r - 0.5) * max * 2.0 + mid)));
    }
    let f = if max > 0.0 {
        g.real(vm, excl)? * max
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

fn number(vm: Vm, g: Gen, args: Args) -> Ruby<Result<Value, No>> {
    let Some(max) = args.get(0) else {
        let f = g.real(vm, true)?;
        return Ok(Ok(vm.float(f)));
    };
    if max.is_nil() {
        return Ok(Err(No::Number));
    }
    if let Some(n) = check_int(vm, max)? {
        return Ok(below(vm, g, n, true)?.ok_or(No::Number));
    }
    if let Some(f) = check_float(vm, max)? {
        let f = finite(vm, f)?;
        if f < 0.0 {
            return Ok(Err(No::Number));
        }
        let r = g.real(vm, true)?;
        return Ok(Ok(vm.float(if f > 0.0 { r * f } else { r })));
    }
    in_range(vm, g, max)
}
fn strict(vm: Vm, g: Gen, args: Args) -> Ruby {
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
fn rand(vm: Vm, this: Value, args: Args) -> Ruby {
    strict(vm, Gen::Twister(of(vm, this)?), args)
}
fn s_rand(vm: Vm, _: Value, args: Args) -> Ruby {
    strict(vm, Gen::Twister(shared(vm)), args)
}
/// `generator.random_number(limit = 0)`: a float where `limit` makes no sense.
fn random_number(vm: Vm, this: Value, args: Args) -> Ruby {
    let g = Gen::of(vm, this);
    match number(vm, g, args)? {
        Ok(v) => Ok(v),
        Err(No::Range) => Err(invalid(vm, args.or_nil(0))),
        Err(No::Number) => Ok(vm.float(g.real(vm, true)?)),
    }
}
/// `rand(max = 0)`: nil for an empty range; the sign of a whole `max` does not count.
fn kernel_rand(vm: Vm, _: Value, args: Args) -> Ruby {
    let g = Gen::Twister(shared(vm));
    if let Some(v) = args.get(0)
        && !v.is_nil()
    {
        match in_range(vm, g, v)? {
            Ok(v) => return Ok(v),
            Err(No::Number) => return Ok(NIL),
            Err(No::Range) => {}
        }
        let n = vm.to_int(v)?;
        if let Some(r) = below(vm, g, n, false)? {
            return Ok(r);
        }
    }
    Ok(vm.float(g.real(vm, true)?))
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
