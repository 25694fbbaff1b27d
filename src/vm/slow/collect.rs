//! Arrays, hashes, strings and ranges: cold halves.

use crate::object::{Enc, RArray, RHash, RRange, RString, Str, sym};
use crate::value::{NIL, Ruby, Value};
use crate::vm::Vm;
use crate::vm::frame::{self, Frame};

/// A new String with a literal's bytes, shared until written to.
#[inline(never)]
pub fn load_str(vm: Vm, lit: Value) -> Value {
    match lit.as_str() {
        Some(s) => RString::share(&vm, vm.classes.string.get(), s, 0, s.len()).value(),
        None => lit,
    }
}

#[inline(never)]
pub fn array_cat(vm: Vm, a: Value, v: Value) -> Ruby<()> {
    let list = vm.splat(v)?;
    if let Some(a) = a.as_array() {
        a.extend(&vm, list.slice());
    }
    Ok(())
}

#[inline(never)]
pub fn splat_fresh(vm: Vm, v: Value) -> Ruby {
    let list = vm.splat(v)?;
    Ok(RArray::from_slice(&vm, list.slice()).value())
}

#[inline(never)]
pub fn new_hash(vm: Vm, from: *const Value, pairs: usize) -> Ruby {
    let h = RHash::new(&vm);
    for i in 0..pairs {
        // SAFETY: the compiler put `2 * pairs` values there; they stay in registers.
        let (k, v) = unsafe { (*from.add(2 * i), *from.add(2 * i + 1)) };
        hash_set(vm, h.value(), k, v)?;
    }
    Ok(h.value())
}

/// `h[k] = v` on a fresh Hash; String keys are copied and frozen.
#[inline(never)]
pub fn hash_set(vm: Vm, h: Value, k: Value, v: Value) -> Ruby<()> {
    let Some(h) = h.as_hash() else { return Ok(()) };
    let k = match k.as_str() {
        Some(s) if !s.is_frozen() => {
            let c = RString::from_bytes(&vm, s.bytes(), s.enc());
            c.freeze();
            c.value()
        }
        _ => k,
    };
    h.set(&vm, &vm, k, v)
}

#[inline(never)]
pub fn hash_cat(vm: Vm, h: Value, src: Value) -> Ruby<()> {
    if src.is_nil() {
        return Ok(());
    }
    let from = vm.to_hash(src)?;
    let mut i = 0;
    while i < from.slots() {
        if let Some((k, v)) = from.entry(i) {
            hash_set(vm, h, k, v)?;
        }
        i += 1;
    }
    Ok(())
}

#[inline(never)]
pub fn new_range(vm: Vm, lo: Value, hi: Value, exclusive: bool) -> Ruby {
    let numbers = lo.is_fixnum() && hi.is_fixnum();
    if !numbers && !lo.is_nil() && !hi.is_nil() {
        let ok = vm.rescue(vm.classes.standard_error.get(), || vm.send(lo, sym::CMP, &[hi]))?;
        if !matches!(ok, Ok(v) if !v.is_nil()) {
            return Err(vm.arg_error("bad value for range"));
        }
    }
    Ok(RRange::new(&vm, lo, hi, exclusive).value())
}

/// What `#{v}` puts into a string.
#[inline(never)]
pub fn interpolate(vm: Vm, v: Value) -> Ruby {
    if v.is_fixnum() && vm.redefined.get() == 0 {
        let mut buf = itoa(v.fix());
        let bytes = buf.text();
        return Ok(RString::from_bytes(&vm, bytes, Enc::Ascii).value());
    }
    if let Some(s) = v.as_symbol()
        && vm.redefined.get() == 0
    {
        return Ok(RString::from_static(&vm, vm.symbols.bytes(s), vm.symbols.enc(s)).value());
    }
    if let Some(me) = vm.refined_here(v, sym::TO_S) {
        let r = vm.call_method(me, v, &[], false, None)?;
        if r.as_str().is_some() {
            return Ok(r);
        }
    }
    vm.to_s(v).map(|s| s.value())
}

struct Digits {
    buf: [u8; 20],
    at: usize,
}
impl Digits {
    fn text(&mut self) -> &[u8] {
        &self.buf[self.at..]
    }
}
/// Decimal digits without an allocation.
fn itoa(n: i64) -> Digits {
    let mut d = Digits { buf: [0; 20], at: 20 };
    let mut u = n.unsigned_abs();
    loop {
        d.at -= 1;
        d.buf[d.at] = b'0' + (u % 10) as u8;
        u /= 10;
        if u == 0 {
            break;
        }
    }
    if n < 0 {
        d.at -= 1;
        d.buf[d.at] = b'-';
    }
    d
}

/// Joins strings; the result's encoding is that of the first one that is not plain ASCII.
#[inline(never)]
pub fn concat(vm: Vm, parts: &[Value]) -> Ruby {
    let mut enc: Option<Enc> = None;
    let mut fixed = false;
    let mut len = 0;
    for p in parts {
        let Some(s) = p.as_str() else { continue };
        len += s.len();
        if s.is_ascii_only() || s.is_empty() {
            if enc.is_none() {
                enc = Some(s.enc())
            }
            continue;
        }
        match enc {
            Some(e) if fixed && e != s.enc() => return Err(incompatible(vm, e, s)),
            _ => {
                enc = Some(s.enc());
                fixed = true;
            }
        }
    }
    let mut out = Vec::with_capacity(len);
    for p in parts {
        if let Some(s) = p.as_str() {
            out.extend_from_slice(s.bytes())
        }
    }
    let enc = match enc {
        // Interpolated literals are UTF-8 unless something forces another encoding.
        Some(Enc::Ascii) | None if !fixed => Enc::Utf8,
        Some(e) => e,
        None => Enc::Utf8,
    };
    Ok(RString::from_vec(&vm, out, enc).value())
}

fn incompatible(vm: Vm, a: Enc, b: Str) -> crate::value::Raised {
    let name = |e: Enc| if e == Enc::Binary { "BINARY (ASCII-8BIT)" } else { e.name() };
    vm.raise(
        vm.classes.compatibility_error.get(),
        &format!("incompatible character encodings: {} and {}", name(a), name(b.enc())),
    )
}

pub fn intern(vm: Vm, v: Value) -> Value {
    match v.as_str() {
        Some(s) => vm.symbols.intern(s.bytes(), s.enc()).into(),
        None => v,
    }
}

#[inline(never)]
pub fn new_regexp(vm: Vm, source: Value, flags: u8) -> Ruby {
    match vm.hooks.new_regexp.get() {
        Some(f) => f(vm, source, flags),
        None => Err(vm.not_implemented("Regexp")),
    }
}

/// The home method's block as a Proc, also remembered in the frames up to it.
#[inline(never)]
pub fn block_proc(vm: Vm, f: Frame) -> Value {
    match f.block() {
        Some(b) => {
            let p = b.to_proc(vm).value();
            f.set_word(frame::BLOCK, p.bits());
            if let Some(home) = f.home(vm)
                && home.block_word().as_proc().is_none()
                && !home.block_word().is_nil()
            {
                home.set_word(frame::BLOCK, p.bits());
            }
            p
        }
        None => NIL,
    }
}

/// `hash[key]` for a plain Hash: `None` when a default proc or a subclass has a say.
#[inline(never)]
pub fn hash_aref(vm: Vm, h: Value, key: Value) -> Ruby<Option<Value>> {
    let Some(h) = h.as_hash() else { return Ok(None) };
    match h.get_ruby(vm, key)? {
        Some(v) => Ok(Some(v)),
        None if h.default_is_proc.get() => Ok(None),
        None => Ok(Some(h.default.get())),
    }
}

#[inline(never)]
pub fn aset(vm: Vm, x: Value, i: Value, v: Value) -> Ruby<()> {
    if vm.redefined.get() == 0 && x.is_ptr() && !x.is_frozen() {
        let c = vm.class_of(x);
        if c == vm.classes.array.get()
            && let (Some(a), Some(n)) = (x.as_array(), i.as_fixnum())
            && n >= 0
            && n as usize == a.len()
        {
            a.push(&vm, v);
            return Ok(());
        }
        if c == vm.classes.hash.get()
            && (i.is_fixnum() || i.is_symbol())
            && let Some(h) = x.as_hash()
            && h.iterating.get() == 0
            && !h.compare_by_identity.get()
        {
            return h.set(&vm, &vm, i, v);
        }
    }
    vm.send_public_or_self(x, sym::ASET, &[i, v])?;
    Ok(())
}

impl Vm {
    /// A call written with an explicit receiver from the running frame: private only on self.
    pub fn send_public_or_self(self, recv: Value, name: crate::value::Sym, args: &[Value]) -> Ruby {
        let own = self.ec().ruby_frame_any().is_some_and(|f| f.this() == recv);
        self.send_full(recv, name, args, false, None, own)
    }
}

#[inline(never)]
pub fn case_eq(vm: Vm, splat: bool, pattern: Value, value: Value) -> Ruby<bool> {
    if splat {
        let Some(list) = pattern.as_array() else { return Ok(false) };
        let mut i = 0;
        while i < list.len() {
            if case_eq(vm, false, list.get(i), value)? {
                return Ok(true);
            }
            i += 1;
        }
        return Ok(false);
    }
    if vm.redefined.get() == 0 {
        if pattern.is_symbol() || pattern.is_fixnum() && value.is_fixnum() || pattern.is_nil() {
            return Ok(pattern == value);
        }
        if let (Some(a), Some(b)) = (pattern.as_str(), value.as_str()) {
            return Ok(vm.str_eq(a, b));
        }
        if let Some(c) = pattern.as_class()
            && vm.class_of(pattern).is_singleton()
            && vm.find_method(vm.class_of(pattern), sym::EQQ).is_some_and(|m| m.owner == vm.classes.module.get())
        {
            return Ok(vm.class_of(value).is_a(c));
        }
    }
    Ok(vm.send(pattern, sym::EQQ, &[value])?.truthy())
}
