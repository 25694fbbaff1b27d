//! `String`: making, comparing and joining. The rest of the class is in the `string_*` files, by theme.

use crate::class;
use crate::object::{CodeRange, Enc, RString, Str, sym};
use crate::value::{FALSE, NIL, Ruby, Value};
use crate::vm::native::ProcFn;
use crate::vm::{Args, Vm};
use std::cmp::Ordering;

class! { "String" < "Object";
    self ["try_convert"]        req(1)    => try_convert;
    ["initialize"]              kw(0, 1)  => initialize;
    ["initialize_copy"]         req(1)    => replace;
    ["replace"]                 req(1)    => replace;
    ["clear"]                   req(0)    => clear;
    ["to_s", "to_str"]          req(0)    => to_s;
    ["to_sym", "intern"]        req(0)    => to_sym;
    ["hash"]                    req(0)    => hash;
    ["==", "==="]               req(1)    => eq;
    ["eql?"]                    req(1)    => eql;
    ["<=>"]                     req(1)    => cmp;
    ["+"]                       req(1)    => plus;
    ["*"]                       req(1)    => times;
    ["%"]                       req(1)    => format;
    ["<<"]                      req(1)    => push;
    ["concat"]                  rest(0)   => concat_all;
    ["append_as_bytes"]         rest(0)   => append_as_bytes;
    ["prepend"]                 rest(0)   => prepend;
    ["length", "size"]          req(0)    => length;
    ["bytesize"]                req(0)    => bytesize;
    ["empty?"]                  req(0)    => is_empty;
    ["freeze"]                  req(0)    => freeze;
    ["+@"]                      req(0)    => unfrozen;
    ["-@", "dedup"]             req(0)    => dedup;
    ["dup"]                     req(0)    => dup;
    ["ord"]                     req(0)    => ord;
    ["chr"]                     req(0)    => chr;
    ["getbyte"]                 req(1)    => getbyte;
    ["setbyte"]                 req(2)    => setbyte;
    ["reverse"]                 req(0)    => reverse;
    ["reverse!"]                req(0)    => reverse_bang;
    ["sum"]                     opt(0, 1) => sum;
    ["crypt"]                   req(1)    => crypt;
}

pub fn boot(vm: Vm) {
    let c = vm.define_table(&CLASS);
    vm.set_allocator(c, |vm, class| Ok(RString::with_class(&vm, class, Vec::new(), Enc::Binary).value()));
    c.include(vm.classes.comparable.get());
    super::string_index::boot(vm);
    super::string_case::boot(vm);
    super::string_edit::boot(vm);
    super::string_trim::boot(vm);
    super::string_tr::boot(vm);
    super::string_split::boot(vm);
    super::string_each::boot(vm);
    super::string_sub::boot(vm);
    super::string_enc::boot(vm);
    super::string_inspect::boot(vm);
    super::string_number::boot(vm);
    super::string_succ::boot(vm);
    super::pack::boot(vm);
    super::unpack::boot(vm);
}

// ---- shared by the string files

/// The receiver as a String.
#[inline(always)]
pub fn me(vm: Vm, this: Value) -> Ruby<Str> {
    match this.as_str() {
        Some(s) => Ok(s),
        None => vm.to_str(this),
    }
}
/// A receiver about to be changed: FrozenError if it may not.
#[inline]
pub fn me_mut(vm: Vm, this: Value) -> Ruby<Str> {
    vm.check_frozen(this)?;
    me(vm, this)
}
/// A new String of these bytes.
pub fn new_str(vm: Vm, bytes: Vec<u8>, enc: Enc) -> Value {
    RString::from_vec(&vm, bytes, enc).value()
}
/// An empty buffer for `n` bytes; NoMemoryError instead of an abort, ArgumentError for sizes no string can have.
pub fn buffer(vm: Vm, n: usize) -> Ruby<Vec<u8>> {
    if n > isize::MAX as usize {
        return Err(vm.arg_error("argument too big"));
    }
    let mut v = Vec::new();
    // The kernel promises more than there is; beyond this it would kill the process when the pages are touched.
    if n > 1 << 36 || v.try_reserve_exact(n).is_err() {
        return Err(vm.raise(vm.classes.no_memory_error.get(), "failed to allocate memory"));
    }
    Ok(v)
}

/// The encoding two strings can be joined in, as `Encoding.compatible?` says.
pub fn compatible(a: Str, b: Str) -> Option<Enc> {
    let (ea, eb) = (a.enc(), b.enc());
    if ea == eb {
        return Some(ea);
    }
    if b.is_empty() {
        return Some(ea);
    }
    if a.is_empty() {
        return Some(if ea.ascii_compatible() && b.is_ascii_only() { ea } else { eb });
    }
    if !ea.ascii_compatible() || !eb.ascii_compatible() {
        return None;
    }
    if b.is_ascii_only() {
        return Some(ea);
    }
    a.is_ascii_only().then_some(eb)
}
/// As `compatible`; Encoding::CompatibilityError if there is none.
pub fn check_compatible(vm: Vm, a: Str, b: Str) -> Ruby<Enc> {
    match compatible(a, b) {
        Some(e) => Ok(e),
        None => Err(incompatible(vm, a.enc(), b.enc())),
    }
}
#[cold]
pub fn incompatible(vm: Vm, a: Enc, b: Enc) -> crate::value::Raised {
    let text = format!("incompatible character encodings: {} and {}", a.describe(), b.describe());
    vm.raise(vm.classes.compatibility_error.get(), &text)
}
/// ArgumentError "invalid byte sequence in UTF-8".
#[cold]
pub fn broken(vm: Vm, enc: Enc) -> crate::value::Raised {
    vm.arg_error(&format!("invalid byte sequence in {}", enc.name()))
}

/// Code range of two joined strings in one encoding, as far as it is known.
fn joined_range(a: Str, b: Str) -> CodeRange {
    use CodeRange::*;
    match (a.cached_range(), b.cached_range()) {
        (SevenBit, SevenBit) => SevenBit,
        (SevenBit | Valid, SevenBit | Valid) => Valid,
        _ => Unknown,
    }
}

/// Appends with the encodings checked. The caller has checked for frozenness.
pub fn append(vm: Vm, s: Str, t: Str) -> Ruby<()> {
    let enc = check_compatible(vm, s, t)?;
    if t.is_empty() {
        return Ok(());
    }
    if s.len() + t.len() > isize::MAX as usize {
        return Err(vm.arg_error("string sizes too big"));
    }
    let range = joined_range(s, t);
    s.push_bytes(&vm, t.bytes());
    if enc != s.enc() {
        s.set_enc(enc);
    }
    s.cache_range(range);
    Ok(())
}

/// `to_enum(name, *args)` whose size is what `size` computes from the receiver.
pub fn enumerator(vm: Vm, this: Value, name: &str, args: &[Value], size: Option<ProcFn>) -> Ruby {
    let mut all = [NIL; 4];
    all[0] = vm.sym(name);
    let n = args.len().min(3);
    all[1..=n].copy_from_slice(&args[..n]);
    let block = size.map(|f| crate::vm::Block::of(vm.native_proc(f, this, true, -1)));
    vm.send_full(this, sym::TO_ENUM, &all[..=n], false, block, true)
}

/// `start, length` of a Range over something `len` long (`rb_range_beg_len` of CRuby). `None`: outside.
pub fn range_bounds(vm: Vm, range: Value, len: i64) -> Ruby<Option<(i64, i64)>> {
    let Some(r) = range.as_range() else { return Ok(None) };
    let start = if r.lo.get().is_nil() { 0 } else { vm.to_i64(r.lo.get())? };
    let (mut end, exclusive) =
        if r.hi.get().is_nil() { (-1, false) } else { (vm.to_i64(r.hi.get())?, r.exclusive.get()) };
    let start = if start < 0 { start + len } else { start };
    if start < 0 || start > len {
        return Ok(None);
    }
    if end < 0 {
        end += len
    }
    if !exclusive {
        end = end.saturating_add(1)
    }
    let end = end.min(len);
    Ok(Some((start, (end - start).max(0))))
}

/// Search for bytes; `None` when absent.
pub fn find(hay: &[u8], needle: &[u8]) -> Option<usize> {
    memchr::memmem::find(hay, needle)
}

/// Position of `needle` at or after byte `from` that starts a character.
pub fn find_str(hay: Str, needle: Str, from: usize) -> Option<usize> {
    let (h, n) = (hay.bytes(), needle.bytes());
    if needle.is_broken() {
        return None;
    }
    let mut at = from;
    loop {
        let i = at + find(h.get(at..)?, n)?;
        if hay.single_byte() || hay.enc().left_edge(h, i) == i {
            return Some(i);
        }
        at = i + 1;
    }
}
/// Last position at or before byte `upto` where `needle` starts.
pub fn rfind_str(hay: Str, needle: Str, upto: usize) -> Option<usize> {
    let (h, n) = (hay.bytes(), needle.bytes());
    if needle.is_broken() {
        return None;
    }
    let mut end = upto.checked_add(n.len())?.min(h.len());
    loop {
        let i = memchr::memmem::rfind(&h[..end], n)?;
        if hay.single_byte() || hay.enc().left_edge(h, i) == i {
            return Some(i);
        }
        end = (i + n.len()).checked_sub(1)?;
    }
}

// ---- methods

fn try_convert(vm: Vm, _this: Value, args: Args) -> Ruby {
    Ok(vm.check_str(args.or_nil(0))?.map_or(NIL, |s| s.value()))
}

/// `String.new(string = "", encoding: nil, capacity: nil)`.
fn initialize(vm: Vm, this: Value, args: Args) -> Ruby {
    args.only_keywords(vm, &["encoding", "capacity"])?;
    let s = me(vm, this)?;
    if args.get(0).is_some() || args.keywords().is_some() {
        vm.check_frozen(this)?;
    }
    if let Some(v) = args.get(0) {
        replace_with(vm, this, v)?;
    }
    if let Some(e) = args.keyword(vm, "encoding")?
        && !e.is_nil()
    {
        s.set_enc(super::encoding::to_enc(vm, e)?);
    }
    if let Some(c) = args.keyword(vm, "capacity")?
        && !c.is_nil()
    {
        let n = vm.to_i64(c)?;
        if n > 0 {
            let n = (n as usize).min(1 << 30);
            let range = s.cached_range();
            s.modify(&vm, |v| v.reserve(n.saturating_sub(v.len())));
            s.cache_range(range);
        }
    }
    Ok(this)
}

fn replace_with(vm: Vm, this: Value, other: Value) -> Ruby {
    let s = me_mut(vm, this)?;
    let t = vm.to_str(other)?;
    if s != t {
        let range = t.cached_range();
        s.replace(&vm, t.bytes().to_vec(), t.enc());
        s.cache_range(range);
    }
    Ok(this)
}
fn replace(vm: Vm, this: Value, args: Args) -> Ruby {
    replace_with(vm, this, args.or_nil(0))
}
fn clear(vm: Vm, this: Value, _args: Args) -> Ruby {
    me_mut(vm, this)?.modify(&vm, |v| *v = Vec::new());
    Ok(this)
}

fn to_s(vm: Vm, this: Value, _args: Args) -> Ruby {
    let plain = vm.classes.string.get();
    if vm.real_class_of(this) == plain {
        return Ok(this);
    }
    let s = me(vm, this)?;
    Ok(RString::substring(&vm, s, 0, s.len()).value())
}

fn to_sym(vm: Vm, this: Value, _args: Args) -> Ruby {
    let s = me(vm, this)?;
    if s.is_broken() {
        let text = super::string_inspect::inspect_bytes(s.bytes(), s.enc());
        let text = format!("invalid symbol in encoding {} :{}", s.enc().name(), String::from_utf8_lossy(&text));
        return Err(vm.raise(vm.classes.encoding_error.get(), &text));
    }
    Ok(vm.symbols.intern(s.bytes(), s.enc()).into())
}

fn hash(vm: Vm, this: Value, _args: Args) -> Ruby {
    let s = me(vm, this)?;
    let h = vm.hash_of(this)?;
    // Equal bytes in encodings that do not compare are different strings.
    let h = if s.is_ascii_only() || s.is_empty() { h } else { crate::vm::equal::mix(h ^ s.enc() as u64) };
    Ok(vm.int((h >> 3) as i64))
}

fn eq(vm: Vm, this: Value, args: Args) -> Ruby {
    let other = args.or_nil(0);
    if let Some(t) = other.as_str() {
        return Ok(Value::bool(vm.str_eq(me(vm, this)?, t)));
    }
    if !other.is_ptr() || !vm.responds_to(other, sym::TO_STR, true)? {
        return Ok(FALSE);
    }
    Ok(Value::bool(vm.send(other, sym::EQ, &[this])?.truthy()))
}
fn eql(vm: Vm, this: Value, args: Args) -> Ruby {
    match args.or_nil(0).as_str() {
        Some(t) => Ok(Value::bool(vm.str_eq(me(vm, this)?, t))),
        None => Ok(FALSE),
    }
}

/// Byte order, then encoding for equal bytes that do not compare.
pub fn compare(vm: Vm, a: Str, b: Str) -> Ordering {
    a.bytes()
        .cmp(b.bytes())
        .then_with(|| if vm.str_eq(a, b) { Ordering::Equal } else { (a.enc() as u8).cmp(&(b.enc() as u8)) })
}

fn cmp(vm: Vm, this: Value, args: Args) -> Ruby {
    let other = args.or_nil(0);
    if let Some(t) = vm.check_str(other)? {
        return Ok(Value::fixnum(compare(vm, me(vm, this)?, t) as i64));
    }
    if !other.is_ptr() {
        return Ok(NIL);
    }
    // `rb_invcmp`: ask the other one, unless it is asking us.
    let class = vm.class_of(other);
    let Some(m) = vm.find_method(class, sym::CMP) else { return Ok(NIL) };
    if m.owner == vm.classes.object.get() || m.owner == vm.classes.kernel.get() {
        return Ok(NIL);
    }
    let r = vm.guard_recursion(this, other, sym::CMP, || vm.send(other, sym::CMP, &[this]))?;
    match r {
        Some(r) if !r.is_nil() => Ok(Value::fixnum(-(vm.ordering(r, other, this)? as i64))),
        _ => Ok(NIL),
    }
}

fn plus(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = me(vm, this)?;
    let t = vm.to_str(args.or_nil(0))?;
    let enc = check_compatible(vm, s, t)?;
    let range = joined_range(s, t);
    let Some(n) = s.len().checked_add(t.len()) else { return Err(vm.arg_error("string sizes too big")) };
    let mut v = buffer(vm, n)?;
    v.extend_from_slice(s.bytes());
    v.extend_from_slice(t.bytes());
    let r = RString::from_vec(&vm, v, enc);
    r.cache_range(range);
    crate::heap::root::keep(t.value());
    Ok(r.value())
}

fn times(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = me(vm, this)?;
    let n = vm.to_i64(args.or_nil(0))?;
    if n < 0 {
        return Err(vm.arg_error("negative argument"));
    }
    let Some(total) = s.len().checked_mul(n as usize).filter(|&t| t <= isize::MAX as usize) else {
        return Err(vm.arg_error("argument too big"));
    };
    let mut v = buffer(vm, total)?;
    if let [b] = *s.bytes() {
        v.resize(total, b);
    } else if total > 0 {
        v.extend_from_slice(s.bytes());
        while v.len() < total {
            let n = v.len().min(total - v.len());
            v.extend_from_within(..n);
        }
    }
    let r = RString::from_vec(&vm, v, s.enc());
    if s.cached_range() != CodeRange::Broken && total > 0 {
        r.cache_range(s.cached_range());
    }
    Ok(r.value())
}

/// `format % args`.
fn format(vm: Vm, this: Value, args: Args) -> Ruby {
    let arg = args.or_nil(0);
    let list = match vm.check_ary(arg)? {
        Some(a) => a,
        None => crate::object::RArray::from_slice(&vm, &[arg]),
    };
    list_format(vm, this, list)
}
fn list_format(vm: Vm, this: Value, list: crate::object::Ary) -> Ruby {
    let all = crate::object::RArray::new(&vm, list.len() + 1);
    all.push(&vm, this);
    all.extend(&vm, list.slice());
    vm.send(vm.main.get(), vm.intern("format"), all.slice())
}

/// Appends an Integer as a character, anything else as a String.
pub fn push_value(vm: Vm, s: Str, v: Value) -> Ruby<()> {
    if !v.is_integer() {
        let t = vm.to_str(v)?;
        return append(vm, s, t);
    }
    let code = match v.as_fixnum() {
        Some(n) if (0..=u32::MAX as i64).contains(&n) => n as u32,
        Some(n) => return Err(vm.range_error(&format!("{n} out of char range"))),
        None => return Err(vm.range_error("bignum out of char range")),
    };
    let mut enc = s.enc();
    if enc == Enc::Ascii && (0x80..=0xff).contains(&code) {
        enc = Enc::Binary;
    }
    let bytes = encode_code(vm, enc, code)?;
    let seven = s.cached_range() == CodeRange::SevenBit && code < 0x80;
    s.push_bytes(&vm, &bytes);
    if enc != s.enc() {
        s.set_enc(enc);
    }
    if seven {
        s.cache_range(CodeRange::SevenBit);
    }
    Ok(())
}
/// Bytes of a code; RangeError as `Integer#chr` and `String#<<` raise.
pub fn encode_code(vm: Vm, enc: Enc, code: u32) -> Ruby<Vec<u8>> {
    let mut out = Vec::with_capacity(4);
    if enc.put(code, &mut out) {
        return Ok(out);
    }
    Err(match enc {
        Enc::Ascii | Enc::Binary | Enc::Latin1 | Enc::Latin9 | Enc::Windows1252 => {
            vm.range_error(&format!("{code} out of char range"))
        }
        _ if code > 0x10ffff || !enc.is_unicode() => {
            vm.range_error(&format!("invalid codepoint 0x{code:X} in {}", enc.name()))
        }
        _ => vm.range_error(&format!("invalid codepoint 0x{code:X} in {}", enc.name())),
    })
}

fn push(vm: Vm, this: Value, args: Args) -> Ruby {
    push_value(vm, me_mut(vm, this)?, args.or_nil(0))?;
    Ok(this)
}
fn concat_all(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = me_mut(vm, this)?;
    if let Some(v) = args.get(0)
        && args.len() == 1
    {
        push_value(vm, s, v)?;
        return Ok(this);
    }
    // Arguments may be the receiver itself: join them first.
    let all = RString::from_vec(&vm, Vec::new(), s.enc());
    for &v in args.slice() {
        push_value(vm, all, v)?;
    }
    append(vm, s, all)?;
    Ok(this)
}
fn append_as_bytes(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = me_mut(vm, this)?;
    for &v in args.slice() {
        let whole = vm.describe(v);
        if v.as_str().is_none() && !v.is_integer() {
            let text = format!("wrong argument type {whole} (expected String or Integer)");
            return Err(vm.type_error(&text));
        }
    }
    for &v in args.slice() {
        if let Some(t) = v.as_str() {
            s.push_bytes(&vm, t.bytes());
        } else {
            let low = match v.as_fixnum() {
                Some(n) => n as u8,
                None => vm.big(v).map_or(0, |b| {
                    let m = num_integer::Integer::mod_floor(&b, &num_bigint::BigInt::from(256));
                    u8::try_from(m).unwrap_or(0)
                }),
            };
            s.push_bytes(&vm, &[low]);
        }
    }
    Ok(this)
}
fn prepend(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = me_mut(vm, this)?;
    let all = RString::from_vec(&vm, Vec::new(), s.enc());
    for &v in args.slice() {
        let t = vm.to_str(v)?;
        append(vm, all, t)?;
    }
    super::string_edit::splice(vm, s, 0, 0, all)?;
    Ok(this)
}

fn length(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(Value::fixnum(me(vm, this)?.char_len() as i64))
}
fn bytesize(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(Value::fixnum(me(vm, this)?.len() as i64))
}
fn is_empty(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(Value::bool(me(vm, this)?.is_empty()))
}
fn freeze(vm: Vm, this: Value, _args: Args) -> Ruby {
    me(vm, this)?.freeze();
    Ok(this)
}
fn unfrozen(vm: Vm, this: Value, _args: Args) -> Ruby {
    if this.is_frozen() { dup_plain(vm, me(vm, this)?) } else { Ok(this) }
}
fn dup_plain(vm: Vm, s: Str) -> Ruby {
    let c = vm.classes.string.get();
    if s.is_frozen() {
        return Ok(RString::share(&vm, c, s, 0, s.len()).value());
    }
    let r = RString::from_bytes(&vm, s.bytes(), s.enc());
    r.cache_range(s.cached_range());
    Ok(r.value())
}
/// The one frozen String with these bytes; kept weakly would be better, so only short ones are remembered.
fn dedup(vm: Vm, this: Value, _args: Args) -> Ruby {
    let s = me(vm, this)?;
    Ok(vm.intern_string(s).value())
}

/// Frozen strings by content, for `-"str"`; entries are symbols' neighbours: they are never freed.
#[derive(Default)]
struct Interned(std::cell::RefCell<std::collections::HashMap<(Vec<u8>, Enc), Str>>);

impl Vm {
    /// A frozen String equal to `s`, the same object each time (if it is plain and not long).
    pub fn intern_string(self, s: Str) -> Str {
        let v = s.value();
        let plain = self.class_of(v) == self.classes.string.get() && !s.header().has(crate::heap::flags::GENERIC_IVARS);
        if !plain && s.is_frozen() {
            return s;
        }
        if s.len() > 256 {
            return if s.is_frozen() { s } else { RString::frozen_copy(&self, s) };
        }
        let table = self.slot::<Interned>();
        if let Some(&t) = table.0.borrow().get(&(s.bytes().to_vec(), s.enc())) {
            return t;
        }
        let t = RString::frozen_copy(&self, s);
        self.keep_forever(t.value());
        table.0.borrow_mut().insert((s.bytes().to_vec(), s.enc()), t);
        t
    }
}

/// `dup` without going through `allocate` and `initialize_copy` for plain strings.
fn dup(vm: Vm, this: Value, _args: Args) -> Ruby {
    let s = me(vm, this)?;
    let class = vm.real_class_of(this);
    let r = if s.is_frozen() {
        RString::share(&vm, class, s, 0, s.len())
    } else {
        let r = RString::with_class(&vm, class, s.bytes().to_vec(), s.enc());
        r.cache_range(s.cached_range());
        r
    };
    if s.header().has(crate::heap::flags::GENERIC_IVARS) {
        vm.ivar_copy(this, r.value());
    }
    if class != vm.classes.string.get() {
        vm.send(r.value(), sym::INITIALIZE_COPY, &[this])?;
    }
    Ok(r.value())
}

fn ord(vm: Vm, this: Value, _args: Args) -> Ruby {
    let s = me(vm, this)?;
    if s.is_empty() {
        return Err(vm.arg_error("empty string"));
    }
    match s.enc().step(s.bytes()).code {
        Some(c) => Ok(Value::fixnum(c as i64)),
        None => Err(broken(vm, s.enc())),
    }
}
fn chr(vm: Vm, this: Value, _args: Args) -> Ruby {
    let s = me(vm, this)?;
    let n = if s.is_empty() { 0 } else { s.enc().step(s.bytes()).len };
    Ok(RString::substring(&vm, s, 0, n).value())
}

fn getbyte(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = me(vm, this)?;
    let i = vm.to_i64(args.or_nil(0))?;
    let i = if i < 0 { i + s.len() as i64 } else { i };
    Ok(usize::try_from(i).ok().and_then(|i| s.bytes().get(i)).map_or(NIL, |&b| Value::fixnum(b as i64)))
}
fn setbyte(vm: Vm, this: Value, args: Args) -> Ruby {
    let i = vm.to_i64(args.or_nil(0))?;
    let v = vm.to_int(args.or_nil(1))?;
    let s = me_mut(vm, this)?;
    let n = s.len() as i64;
    if i < -n || i >= n {
        return Err(vm.index_error(&format!("index {i} out of string")));
    }
    let at = if i < 0 { i + n } else { i } as usize;
    let byte = match v.as_fixnum() {
        Some(n) => n as u8,
        None => vm.big(v).map_or(0, |b| {
            u8::try_from(num_integer::Integer::mod_floor(&b, &num_bigint::BigInt::from(256))).unwrap_or(0)
        }),
    };
    s.modify(&vm, |b| b[at] = byte);
    Ok(args.or_nil(1))
}

fn reversed(s: Str) -> Vec<u8> {
    let b = s.bytes();
    if s.single_byte() {
        return b.iter().rev().copied().collect();
    }
    let mut out = vec![0; b.len()];
    let mut end = b.len();
    for (at, n, _) in s.enc().chars(b) {
        out[end - n..end].copy_from_slice(&b[at..at + n]);
        end -= n;
    }
    out
}
fn reverse(vm: Vm, this: Value, _args: Args) -> Ruby {
    let s = me(vm, this)?;
    let r = RString::from_vec(&vm, reversed(s), s.enc());
    if s.cached_range() != CodeRange::Broken {
        r.cache_range(s.cached_range());
    }
    Ok(r.value())
}
fn reverse_bang(vm: Vm, this: Value, _args: Args) -> Ruby {
    let s = me_mut(vm, this)?;
    let v = reversed(s);
    s.modify(&vm, |b| *b = v);
    Ok(this)
}

/// `str.sum(bits = 16)`.
fn sum(vm: Vm, this: Value, args: Args) -> Ruby {
    let bits = args.get(0).map_or(Ok(16), |v| vm.to_i64(v))?;
    let total: u64 = me(vm, this)?.bytes().iter().map(|&b| b as u64).sum();
    Ok(vm.int(if bits > 0 && bits < 63 { total & ((1 << bits) - 1) } else { total } as i64))
}

/// The C library's `crypt` is a library of its own and not linked in.
fn crypt(vm: Vm, _this: Value, _args: Args) -> Ruby {
    Err(vm.not_implemented("String#crypt"))
}
