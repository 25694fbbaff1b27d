//! `Regexp`: patterns, and the searches that every String method with a pattern goes through.
//!
//! A pattern is compiled for the encoding it meets (`onig::Engine`), at most once for each; equal sources share what
//! was compiled.

use super::match_data;
use super::onig::{Engine, Fail, Pattern, Regs};
use super::regexp_source::{Translated, translate};
use super::string::new_str;
use crate::class;
use crate::heap::{Marker, flags};
use crate::object::{Data, Enc, RArray, RData, RHash, RString, Str};
use crate::value::{FALSE, NIL, Raised, Ruby, TRUE, Value};
use crate::vm::{Args, Vm};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

class! { "Regexp" < "Object";
    self ["compile"]            kwrest(0) => compile_new;
    self ["escape", "quote"]    req(1)    => escape;
    self ["union"]              rest(0)   => union;
    self ["last_match"]         opt(0, 1) => last_match;
    self ["try_convert"]        req(1)    => try_convert;
    self ["timeout"]            req(0)    => default_timeout;
    self ["timeout="]           req(1)    => set_default_timeout;
    self ["linear_time?"]       kwrest(1) => linear_time;
    ["initialize"]              kw(1, 3)  => initialize;
    ["initialize_copy"]         req(1)    => initialize_copy;
    ["source"]                  req(0)    => source;
    ["options"]                 req(0)    => options;
    ["to_s"]                    req(0)    => to_s;
    ["inspect"]                 req(0)    => inspect;
    ["==", "eql?"]              req(1)    => eq;
    ["hash"]                    req(0)    => hash;
    ["=~"]                      req(1)    => match_op;
    ["==="]                     req(1)    => case_eq;
    ["~"]                       req(0)    => match_line;
    ["match"]                   opt(1, 2) => match_;
    ["match?"]                  opt(1, 2) => match_p;
    ["names"]                   req(0)    => names;
    ["named_captures"]          req(0)    => named_captures;
    ["casefold?"]               req(0)    => casefold;
    ["fixed_encoding?"]         req(0)    => fixed_encoding;
    ["encoding"]                req(0)    => encoding;
    ["timeout"]                 req(0)    => timeout;
}

/// Bits of `Regexp#options`.
pub const IGNORECASE: u32 = 1;
pub const EXTENDED: u32 = 2;
pub const MULTILINE: u32 = 4;
pub const FIXED: u32 = 16;
pub const NONE: u32 = 32;

/// Bits of literals that say `/e` and `/s`.
const EUC: u32 = 64;
const SJIS: u32 = 128;
/// Bit of literals with interpolation: a source that cannot be read is an ArgumentError there.
const DYNAMIC: u32 = 8;

/// A Regexp's state; `source` is undefined until `initialize` ran.
pub struct RegexpState {
    source: Cell<Value>,
    flags: Cell<u32>,
    enc: Cell<Enc>,
    compiled: RefCell<Vec<(Engine, Rc<Pattern>)>>,
    timeout: Cell<Option<f64>>,
}
impl Data for RegexpState {
    fn trace(&self, m: &mut Marker) {
        m.value(self.source.get());
    }
}

#[derive(Default)]
struct Shared {
    /// compiled patterns by source, options and engine
    cache: RefCell<HashMap<(Key, Engine), Rc<Pattern>>>,
    timeout: Cell<Option<f64>>,
}
/// Beyond this many the cache starts afresh.
const CACHE_SIZE: usize = 2000;

pub fn boot(vm: Vm) {
    let c = vm.define_table(&CLASS);
    vm.set_allocator(c, |vm, class| {
        let state = RegexpState {
            source: Cell::new(NIL),
            flags: Cell::new(0),
            enc: Cell::new(Enc::Ascii),
            compiled: RefCell::default(),
            timeout: Cell::new(None),
        };
        Ok(RData::alloc(&vm, class, state))
    });
    for (name, n) in [
        ("IGNORECASE", IGNORECASE),
        ("EXTENDED", EXTENDED),
        ("MULTILINE", MULTILINE),
        ("FIXEDENCODING", FIXED),
        ("NOENCODING", NONE),
    ] {
        vm.set_const(c, vm.intern(name), Value::fixnum(n as i64));
    }
    vm.define_class("Regexp::TimeoutError", Some(vm.classes.regexp_error.get()));
    vm.hooks.new_regexp.set(Some(|vm, source, flags| {
        let mut s = vm.to_str(source)?;
        // `/.../u`, `e` and `s` say what the source is in.
        let named = match flags as u32 & (EUC | SJIS) {
            EUC => Enc::EucJp,
            SJIS => Enc::Windows31J,
            _ => Enc::Utf8,
        };
        if flags as u32 & FIXED != 0 && s.enc() != named && (named != Enc::Utf8 || s.enc() == Enc::Ascii) {
            s = RString::from_bytes(&vm, s.bytes(), named);
        }
        let re = vm.allocate(vm.classes.regexp.get())?;
        init(vm, re, s, flags as u32)?;
        if let Some(h) = re.header() {
            h.set(flags::FROZEN)
        }
        Ok(re)
    }));
}

// ---- making

pub fn is_regexp(v: Value) -> bool {
    v.data::<RegexpState>().is_some()
}

/// The state of an initialised Regexp; TypeError otherwise.
fn state(vm: Vm, re: Value) -> Ruby<&'static RegexpState> {
    match re.data::<RegexpState>() {
        Some(r) if !r.source.get().is_nil() => Ok(r),
        _ => Err(vm.type_error("uninitialized Regexp")),
    }
}
fn source_of(r: &RegexpState) -> &'static [u8] {
    r.source.get().as_str().map_or(&[], |s| s.bytes())
}

#[cold]
fn regexp_error(vm: Vm, text: &str, source: &[u8], flags: u32, enc: Enc) -> Raised {
    let mut m = format!("{text}: /").into_bytes();
    describe_source(&mut m, source, enc, true);
    m.push(b'/');
    m.extend_from_slice(letters(flags).as_bytes());
    let msg = new_str(vm, m, if enc == Enc::Binary || enc == Enc::Ascii { Enc::Utf8 } else { enc });
    let e = vm.new_exception_with(vm.classes.regexp_error.get(), msg);
    vm.raise_exc(e)
}

/// A new Regexp. `flags` may say `FIXED` or `NONE` too.
pub fn from_source(vm: Vm, s: Str, flags: u32) -> Ruby {
    let re = vm.allocate(vm.classes.regexp.get())?;
    init(vm, re, s, flags)?;
    Ok(re)
}

fn init(vm: Vm, re: Value, s: Str, flags: u32) -> Ruby<()> {
    let Some(r) = re.data::<RegexpState>() else { return Err(vm.type_error("uninitialized Regexp")) };
    vm.check_native_stack()?;
    let dynamic = flags & DYNAMIC != 0;
    let mut flags = flags & 0x37;
    let mut enc = s.enc();
    if enc.is_dummy() {
        return Err(vm.arg_error("can't make regexp from a string in dummy encoding"));
    }
    let source = RString::frozen_copy(&vm, s);
    if flags & NONE != 0 && enc != Enc::Binary {
        if source.is_ascii_only() {
            enc = Enc::Ascii;
        } else {
            let what = source.enc();
            enc = Enc::Binary;
            if what != Enc::Utf8 && what != Enc::Ascii {
                return Err(regexp_error(vm, "incompatible character encoding", source.bytes(), flags, what));
            }
        }
    }
    // ASCII source with byte escapes: /\xff/n is binary.
    let work = match (enc, flags & NONE != 0) {
        (Enc::Ascii, true) => Enc::Binary,
        (e, _) => e,
    };
    let key = (source.bytes().to_vec(), work, flags & 7);
    let t = match translate(source.bytes(), work, flags) {
        Ok(t) => t,
        Err(text) if dynamic => return Err(vm.arg_error(&text)),
        Err(text) => return Err(regexp_error(vm, &text, source.bytes(), flags, s.enc())),
    };
    match t.fixed {
        Some(f) => {
            flags |= FIXED;
            enc = f;
        }
        None if flags & FIXED == 0 && enc.ascii_compatible() => enc = Enc::Ascii,
        None => {}
    }
    let engine = if t.high && enc == Enc::Ascii { Engine::Bytes } else { Engine::of(enc) };
    let p = match compile(vm, key, &t, engine) {
        Ok(p) => p,
        Err(text) => return Err(regexp_error(vm, &text, source.bytes(), flags, s.enc())),
    };
    r.source.set(if source.enc() == enc {
        source.value()
    } else {
        let copy = RString::share(&vm, vm.classes.string.get(), source, 0, source.len());
        copy.set_enc(enc);
        copy.freeze();
        copy.value()
    });
    if dynamic && enc == Enc::Ascii {
        flags &= !NONE;
    }
    r.flags.set(flags);
    r.enc.set(enc);
    *r.compiled.borrow_mut() = vec![(engine, p)];
    crate::heap::root::keep(source.value());
    Ok(())
}

type Key = (Vec<u8>, Enc, u32);

fn compile(vm: Vm, key: Key, t: &Translated, engine: Engine) -> Result<Rc<Pattern>, String> {
    let shared = vm.slot::<Shared>();
    let options = key.2;
    let key = (key, engine);
    if let Some(p) = shared.cache.borrow().get(&key) {
        return Ok(p.clone());
    }
    if let Some(text) = t.bad {
        return Err(text.into());
    }
    let mut p = Pattern::new(&t.pattern, options, engine)?;
    for (name, _) in &mut p.names {
        if let Some(r) = t.renamed.iter().find(|r| r.0 == *name) {
            name.clone_from(&r.1);
        }
    }
    let p = Rc::new(p);
    let mut cache = shared.cache.borrow_mut();
    if cache.len() >= CACHE_SIZE {
        cache.clear();
    }
    cache.insert(key, p.clone());
    Ok(p)
}

/// The pattern compiled for a string, after checking that the two go together.
fn prepare(vm: Vm, re: Value, s: Str) -> Ruby<(&'static RegexpState, Rc<Pattern>)> {
    let r = state(vm, re)?;
    if s.is_broken() {
        return Err(super::string::broken(vm, s.enc()));
    }
    let (own, theirs) = (r.enc.get(), s.enc());
    let enc = if own == theirs || own == Enc::Ascii && s.is_ascii_only() {
        own
    } else if !theirs.ascii_compatible() || r.flags.get() & FIXED != 0 && !s.is_ascii_only() {
        let text =
            format!("incompatible encoding regexp match ({} regexp with {} string)", own.describe(), theirs.describe());
        return Err(vm.raise(vm.classes.compatibility_error.get(), &text));
    } else if r.flags.get() & FIXED != 0 {
        own
    } else {
        theirs
    };
    if r.flags.get() & NONE != 0 && theirs != Enc::Binary && !s.is_ascii_only() {
        let text = format!("historical binary regexp match /.../n against {} string", theirs.name());
        if let Some(f) = vm.hooks.warn.get() {
            f(vm, &text)?;
        }
    }
    let engine = Engine::of(enc);
    let compiled = r.compiled.borrow();
    let found = if enc == own { compiled.first() } else { compiled.iter().find(|c| c.0 == engine) };
    if let Some((_, p)) = found {
        return Ok((r, p.clone()));
    }
    drop(compiled);
    let flags = r.flags.get();
    let src = source_of(r);
    let t = match translate(src, enc, flags) {
        Ok(t) => t,
        Err(text) => return Err(vm.arg_error(&format!("regexp preprocess failed: {text}"))),
    };
    let p = match compile(vm, (src.to_vec(), enc, flags & 7), &t, engine) {
        Ok(p) => p,
        Err(text) => return Err(regexp_error(vm, &text, src, flags, own)),
    };
    r.compiled.borrow_mut().push((engine, p.clone()));
    Ok((r, p))
}

#[cold]
fn failed(vm: Vm, r: &RegexpState, f: Fail) -> Raised {
    match f {
        Fail::Limit => {
            let c = vm.const_path("Regexp::TimeoutError").unwrap_or(vm.classes.regexp_error.get());
            vm.raise(c, "regexp match timeout")
        }
        Fail::Other(text) => regexp_error(vm, &text, source_of(r), r.flags.get(), r.enc.get()),
    }
}
fn limit(vm: Vm, r: &RegexpState) -> Option<f64> {
    r.timeout.get().or_else(|| vm.slot::<Shared>().timeout.get())
}

// ---- searching

/// Group positions of the first match at or after byte `at` (at or before it when `backward`).
pub fn search(vm: Vm, re: Value, s: Str, at: usize, backward: bool) -> Ruby<Option<Regs>> {
    let (r, p) = prepare(vm, re, s)?;
    let limit = limit(vm, r);
    let found = if backward { p.search_back(s.bytes(), at, s.enc(), limit) } else { p.search(s.bytes(), at, limit) };
    found.map_err(|f| failed(vm, r, f))
}
/// Whether there is a match from byte `at` on; `$~` is left alone.
pub fn is_match(vm: Vm, re: Value, s: Str, at: usize) -> Ruby<bool> {
    let (r, p) = prepare(vm, re, s)?;
    p.is_match(s.bytes(), at, limit(vm, r)).map_err(|f| failed(vm, r, f))
}
/// Searches and sets `$~`; the MatchData or nil.
pub fn search_set(vm: Vm, re: Value, s: Str, at: usize, backward: bool) -> Ruby {
    let m = match search(vm, re, s, at, backward)? {
        Some(regs) => match_data::make(vm, re, s, regs),
        None => NIL,
    };
    vm.set_last_match(m);
    Ok(m)
}
/// As `search_set`, but matching exactly at byte `at`.
pub fn match_at_set(vm: Vm, re: Value, s: Str, at: usize) -> Ruby {
    let (r, p) = prepare(vm, re, s)?;
    let m = match p.match_at(s.bytes(), at, limit(vm, r)).map_err(|f| failed(vm, r, f))? {
        Some(regs) => match_data::make(vm, re, s, regs),
        None => NIL,
    };
    vm.set_last_match(m);
    Ok(m)
}
/// Group positions of a match exactly at byte `at`; `$~` is left alone.
pub fn match_at(vm: Vm, re: Value, s: Str, at: usize) -> Ruby<Option<Regs>> {
    let (r, p) = prepare(vm, re, s)?;
    p.match_at(s.bytes(), at, limit(vm, r)).map_err(|f| failed(vm, r, f))
}

/// Names of groups with their numbers, in order.
pub fn group_names(re: Value) -> Vec<(Vec<u8>, Vec<u32>)> {
    let Some(r) = re.data::<RegexpState>() else { return Vec::new() };
    r.compiled.borrow().first().map_or(Vec::new(), |c| c.1.names.clone())
}
/// Runs `f` on the groups called `name`, if there are any.
pub fn with_group<T>(re: Value, name: &[u8], f: impl FnOnce(&[u32]) -> T) -> Option<T> {
    let r = re.data::<RegexpState>()?;
    let compiled = r.compiled.borrow();
    let names = &compiled.first()?.1.names;
    names.iter().find(|n| n.0 == name).map(|n| f(&n.1))
}
/// Encoding of a Regexp.
pub fn enc_of(re: Value) -> Option<Enc> {
    re.data::<RegexpState>().map(|r| r.enc.get())
}
/// Whether it works with strings of its own encoding only.
pub fn is_fixed(re: Value) -> bool {
    re.data::<RegexpState>().is_some_and(|r| r.flags.get() & FIXED != 0)
}

// ---- class methods

/// `compile` is `new` under another name.
fn compile_new(vm: Vm, this: Value, args: Args) -> Ruby {
    vm.send_full(this, crate::object::sym::NEW, args.all(), args.has_keywords(), args.block(), true)
}

/// Bytes of `Regexp.escape`.
pub fn escape_bytes(b: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(b.len() + 8);
    for &c in b {
        match c {
            b'[' | b']' | b'{' | b'}' | b'(' | b')' | b'|' | b'-' | b'*' | b'.' | b'\\' | b'?' | b'+' | b'^' | b'$'
            | b' ' | b'#' => out.extend_from_slice(&[b'\\', c]),
            b'\t' => out.extend_from_slice(b"\\t"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            0x0c => out.extend_from_slice(b"\\f"),
            0x0b => out.extend_from_slice(b"\\v"),
            _ => out.push(c),
        }
    }
    out
}
/// A String, or the name of a Symbol.
fn str_or_symbol(vm: Vm, v: Value) -> Ruby<Str> {
    match v.as_symbol() {
        Some(s) => Ok(RString::from_static(&vm, vm.symbols.bytes(s), vm.symbols.enc(s))),
        None => vm.to_str(v),
    }
}
/// `Regexp.escape` of a String: US-ASCII when only ASCII is left.
pub fn escaped(vm: Vm, s: Str) -> Str {
    let enc = if s.is_ascii_only() { Enc::Ascii } else { s.enc() };
    RString::from_vec(&vm, escape_bytes(s.bytes()), enc)
}
fn escape(vm: Vm, _this: Value, args: Args) -> Ruby {
    let s = str_or_symbol(vm, args.or_nil(0))?;
    Ok(escaped(vm, s).value())
}

fn union(vm: Vm, _this: Value, args: Args) -> Ruby {
    let list = match args.get(0) {
        Some(v) if args.len() == 1 => match vm.check_ary(v)? {
            Some(a) => a,
            None => RArray::from_slice(&vm, &[v]),
        },
        _ => RArray::from_slice(&vm, args.slice()),
    };
    match list.len() {
        0 => return from_source(vm, RString::new(&vm, "(?!)"), 0),
        1 => {
            let v = list.get(0);
            if let Some(re) = to_regexp(vm, v)? {
                return Ok(re);
            }
            let s = str_or_symbol(vm, v)?;
            return from_source(vm, escaped(vm, s), 0);
        }
        _ => {}
    }
    let mut out = Vec::new();
    let mut fixed: Option<Enc> = None;
    let mut i = 0;
    while i < list.len() {
        if i > 0 {
            out.push(b'|');
        }
        let v = list.get(i);
        i += 1;
        let enc;
        let strict;
        if let Some(re) = to_regexp(vm, v)? {
            let r = state(vm, re)?;
            out.extend_from_slice(&text_of(r, false));
            enc = r.enc.get();
            strict = r.flags.get() & FIXED != 0;
        } else {
            let s = str_or_symbol(vm, v)?;
            out.extend_from_slice(&escape_bytes(s.bytes()));
            enc = s.enc();
            strict = !s.is_ascii_only();
        }
        if strict {
            match fixed {
                Some(f) if f != enc => {
                    let text = format!("incompatible encodings: {} and {}", f.describe(), enc.describe());
                    return Err(vm.arg_error(&text));
                }
                _ => fixed = Some(enc),
            }
        }
    }
    let enc = fixed.unwrap_or(Enc::Ascii);
    from_source(vm, RString::from_vec(&vm, out, enc), 0)
}

/// A Regexp, or what `to_regexp` makes of the value.
fn to_regexp(vm: Vm, v: Value) -> Ruby<Option<Value>> {
    if is_regexp(v) {
        return Ok(Some(v));
    }
    if !v.is_ptr() || v.as_str().is_some() {
        return Ok(None);
    }
    match vm.send_if_responds(v, vm.intern("to_regexp"), &[])? {
        Some(r) if is_regexp(r) => Ok(Some(r)),
        Some(NIL) | None => Ok(None),
        Some(r) => {
            let (c, g) = (vm.describe(v), vm.describe(r));
            Err(vm.type_error(&format!("can't convert {c} into Regexp ({c}#to_regexp gives {g})")))
        }
    }
}
fn try_convert(vm: Vm, _this: Value, args: Args) -> Ruby {
    Ok(to_regexp(vm, args.or_nil(0))?.unwrap_or(NIL))
}

fn last_match(vm: Vm, _this: Value, args: Args) -> Ruby {
    let m = vm.last_match();
    match args.get(0) {
        Some(n) if !m.is_nil() => match_data::group(vm, m, n),
        _ => Ok(m),
    }
}

fn to_timeout(vm: Vm, v: Value) -> Ruby<Option<f64>> {
    if v.is_nil() {
        return Ok(None);
    }
    let t = vm.to_f64(v)?;
    if t <= 0.0 {
        let text = vm.inspect(v)?;
        return Err(vm.arg_error(&format!("invalid timeout: {}", text.text())));
    }
    Ok(Some(t))
}
fn default_timeout(vm: Vm, _this: Value, _args: Args) -> Ruby {
    Ok(vm.slot::<Shared>().timeout.get().map_or(NIL, |t| vm.float(t)))
}
fn set_default_timeout(vm: Vm, _this: Value, args: Args) -> Ruby {
    let t = to_timeout(vm, args.or_nil(0))?;
    vm.slot::<Shared>().timeout.set(t);
    Ok(args.or_nil(0))
}
/// Back references and look-around with repetition keep CRuby from matching in linear time; our engine goes by the
/// same rule of thumb so that code asking this gets a usable answer.
fn linear_time(vm: Vm, _this: Value, args: Args) -> Ruby {
    let v = args.or_nil(0);
    let re = if is_regexp(v) { v } else { from_source(vm, vm.to_str(v)?, 0)? };
    let src = source_of(state(vm, re)?);
    let (mut i, mut look, mut captures) = (0, false, false);
    while i < src.len() {
        match &src[i..] {
            [b'\\', b'1'..=b'9' | b'k' | b'g', ..] => return Ok(FALSE),
            [b'\\', ..] => i += 2,
            [b'(', b'?', b'(' | b'~', ..] => return Ok(FALSE),
            [b'(', b'?', b'=' | b'!', ..] | [b'(', b'?', b'<', b'=' | b'!', ..] => {
                look = true;
                i += 1;
            }
            [b'(', b'?', ..] => i += 1,
            [b'(', ..] => {
                captures = true;
                i += 1;
            }
            _ => i += 1,
        }
    }
    Ok(Value::bool(!(look && captures)))
}

// ---- instances

/// `Regexp.new(source or regexp, options = 0, timeout: nil)`.
fn initialize(vm: Vm, this: Value, args: Args) -> Ruby {
    args.only_keywords(vm, &["timeout"])?;
    vm.check_frozen(this)?;
    let Some(r) = this.data::<RegexpState>() else { return Err(vm.type_error("uninitialized Regexp")) };
    if !r.source.get().is_nil() {
        return Err(vm.type_error("already initialized regexp"));
    }
    if args.len() > 2 {
        return Err(vm.wrong_arguments(args.len(), 1, 2));
    }
    let v = args.or_nil(0);
    let (s, flags) = if is_regexp(v) {
        let other = state(vm, v)?;
        if args.get(1).is_some_and(|o| !o.is_nil())
            && let Some(f) = vm.hooks.warn.get()
        {
            f(vm, "flags ignored")?;
        }
        (vm.to_str(other.source.get())?, other.flags.get())
    } else {
        (vm.to_str(v)?, args.get(1).map_or(Ok(0), |o| option_bits(vm, o))?)
    };
    init(vm, this, s, flags)?;
    if let Some(t) = args.keyword(vm, "timeout")? {
        r.timeout.set(to_timeout(vm, t)?);
    }
    Ok(this)
}
/// Options as an Integer, letters, or anything true for "ignore case".
fn option_bits(vm: Vm, o: Value) -> Ruby<u32> {
    if o.is_fixnum() {
        return Ok(o.fix() as u32 & 0x37);
    }
    if let Some(s) = vm.check_str(o)? {
        let mut bits = 0;
        for c in s.bytes() {
            bits |= match c {
                b'i' => IGNORECASE,
                b'm' => MULTILINE,
                b'x' => EXTENDED,
                _ => return Err(vm.arg_error(&format!("unknown regexp options: {}", s.text()))),
            };
        }
        return Ok(bits);
    }
    match o {
        NIL | FALSE => Ok(0),
        TRUE => Ok(IGNORECASE),
        _ => {
            let text = vm.inspect(o)?;
            let text = format!("expected true or false as ignorecase: {}", text.text());
            if let Some(f) = vm.hooks.warn.get() {
                f(vm, &text)?;
            }
            Ok(IGNORECASE)
        }
    }
}
fn initialize_copy(vm: Vm, this: Value, args: Args) -> Ruby {
    if this == args.or_nil(0) {
        return Ok(this);
    }
    let other = state(vm, args.or_nil(0))?;
    let s = vm.to_str(other.source.get())?;
    init(vm, this, s, other.flags.get())?;
    Ok(this)
}

fn source(vm: Vm, this: Value, _args: Args) -> Ruby {
    let r = state(vm, this)?;
    let s = vm.to_str(r.source.get())?;
    Ok(RString::from_bytes(&vm, s.bytes(), s.enc()).value())
}
fn options(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(Value::fixnum(state(vm, this)?.flags.get() as i64))
}
fn letters(flags: u32) -> String {
    let mut t = String::new();
    for (bit, c) in [(MULTILINE, 'm'), (IGNORECASE, 'i'), (EXTENDED, 'x')] {
        if flags & bit != 0 {
            t.push(c);
        }
    }
    t
}

/// The source between slashes: slashes escaped, control characters visible.
fn describe_source(out: &mut Vec<u8>, src: &[u8], enc: Enc, slash: bool) {
    let mut escaped = false;
    for (at, len, code) in enc.chars(src) {
        let b = &src[at..at + len];
        let c = src[at];
        if escaped {
            escaped = false;
            out.extend_from_slice(b);
            continue;
        }
        match c {
            b'\\' if len == 1 && at + 1 < src.len() => {
                escaped = true;
                out.push(c);
            }
            b'/' if len == 1 && slash => out.extend_from_slice(b"\\/"),
            _ if code.is_none() => b.iter().for_each(|b| out.extend_from_slice(format!("\\x{b:02X}").as_bytes())),
            _ if enc == Enc::Binary && c >= 0x80 => out.extend_from_slice(format!("\\x{c:02X}").as_bytes()),
            _ if len == 1 && (c < 0x20 || c == 0x7f) && !matches!(c, b'\t' | b'\n' | 0x0b | 0x0c | b'\r') => {
                out.extend_from_slice(format!("\\x{c:02X}").as_bytes())
            }
            _ => out.extend_from_slice(b),
        }
    }
}

/// `(?i-mx:source)`.
fn text_of(r: &RegexpState, slash: bool) -> Vec<u8> {
    let mut flags = r.flags.get() & 7;
    let mut src = source_of(r);
    // A source that is one `(?flags:...)` group as a whole is unfolded; `(?flags)` at its start are flags.
    while let [b'(', b'?', rest @ ..] = src
        && rest.last() == Some(&b')')
    {
        let mut f = flags;
        let mut i = 0;
        let mut off = false;
        while let Some(c) = rest.get(i) {
            let bit = match c {
                b'm' => MULTILINE,
                b'i' => IGNORECASE,
                b'x' => EXTENDED,
                b'-' if !off => {
                    off = true;
                    i += 1;
                    continue;
                }
                _ => break,
            };
            if off {
                f &= !bit
            } else {
                f |= bit
            }
            i += 1;
        }
        if rest.get(i) == Some(&b')') && i > 0 {
            flags = f;
            src = &rest[i + 1..];
            continue;
        }
        if rest.get(i) == Some(&b':') {
            let inner = &rest[i + 1..rest.len() - 1];
            let alone = translate(inner, r.enc.get(), f)
                .ok()
                .is_some_and(|t| Pattern::new(&t.pattern, f, Engine::of(r.enc.get())).is_ok());
            if alone {
                src = inner;
                flags = f;
            }
        }
        break;
    }
    let mut out = b"(?".to_vec();
    out.extend_from_slice(letters(flags).as_bytes());
    if flags != 7 {
        out.push(b'-');
        out.extend_from_slice(letters(!flags & 7).as_bytes());
    }
    out.push(b':');
    describe_source(&mut out, src, r.enc.get(), slash);
    out.push(b')');
    out
}
fn to_s(vm: Vm, this: Value, _args: Args) -> Ruby {
    let r = state(vm, this)?;
    Ok(new_str(vm, text_of(r, true), r.enc.get()))
}
fn inspect(vm: Vm, this: Value, _args: Args) -> Ruby {
    let Some(r) = this.data::<RegexpState>().filter(|r| !r.source.get().is_nil()) else {
        return Ok(vm.str(&vm.any_to_s(this)));
    };
    let mut out = vec![b'/'];
    describe_source(&mut out, source_of(r), r.enc.get(), true);
    out.push(b'/');
    out.extend_from_slice(letters(r.flags.get()).as_bytes());
    if r.flags.get() & NONE != 0 {
        out.push(b'n');
    }
    Ok(new_str(vm, out, if r.enc.get() == Enc::Ascii { Enc::Utf8 } else { r.enc.get() }))
}

fn eq(vm: Vm, this: Value, args: Args) -> Ruby {
    let other = args.or_nil(0);
    if this == other {
        return Ok(TRUE);
    }
    if !is_regexp(other) {
        return Ok(FALSE);
    }
    let (a, b) = (state(vm, this)?, state(vm, other)?);
    Ok(Value::bool(a.flags.get() == b.flags.get() && a.enc.get() == b.enc.get() && source_of(a) == source_of(b)))
}
fn hash(vm: Vm, this: Value, _args: Args) -> Ruby {
    let r = state(vm, this)?;
    let h = crate::vm::equal::hash_bytes(source_of(r)) ^ crate::vm::equal::mix(r.flags.get() as u64);
    Ok(vm.int((h >> 3) as i64))
}

/// The string a Regexp is asked to match: nil is allowed, a Symbol is its name.
fn subject(vm: Vm, v: Value) -> Ruby<Option<Str>> {
    if v.is_nil() {
        return Ok(None);
    }
    str_or_symbol(vm, v).map(Some)
}

fn match_op(vm: Vm, this: Value, args: Args) -> Ruby {
    let Some(s) = subject(vm, args.or_nil(0))? else {
        state(vm, this)?;
        vm.set_last_match(NIL);
        return Ok(NIL);
    };
    let m = search_set(vm, this, s, 0, false)?;
    crate::heap::root::keep(s.value());
    Ok(match_data::span(m, 0).map_or(NIL, |r| Value::fixnum(s.count_chars(r.0) as i64)))
}
fn case_eq(vm: Vm, this: Value, args: Args) -> Ruby {
    let v = args.or_nil(0);
    let s = match v.as_symbol() {
        Some(_) => Some(str_or_symbol(vm, v)?),
        None => vm.check_str(v)?,
    };
    let Some(s) = s else {
        vm.set_last_match(NIL);
        return Ok(FALSE);
    };
    Ok(Value::bool(!search_set(vm, this, s, 0, false)?.is_nil()))
}
fn match_line(vm: Vm, this: Value, _args: Args) -> Ruby {
    let Some(s) = vm.last_line().as_str() else {
        vm.set_last_match(NIL);
        return Ok(NIL);
    };
    let m = search_set(vm, this, s, 0, false)?;
    Ok(match_data::span(m, 0).map_or(NIL, |r| Value::fixnum(s.count_chars(r.0) as i64)))
}

/// Byte where a search from character `pos` starts; `None` outside the string.
fn start_at(vm: Vm, s: Str, pos: Option<Value>) -> Ruby<Option<usize>> {
    match pos {
        None => Ok(Some(0)),
        Some(p) => {
            let p = vm.to_i64(p)?;
            Ok(s.char_range(p, 0).map(|r| r.0))
        }
    }
}
fn match_(vm: Vm, this: Value, args: Args) -> Ruby {
    let Some(s) = subject(vm, args.or_nil(0))? else {
        state(vm, this)?;
        vm.set_last_match(NIL);
        return Ok(NIL);
    };
    let Some(at) = start_at(vm, s, args.get(1))? else {
        vm.set_last_match(NIL);
        return Ok(NIL);
    };
    let m = search_set(vm, this, s, at, false)?;
    match args.block() {
        Some(b) if !m.is_nil() => vm.yield1(b, m),
        _ => Ok(m),
    }
}
fn match_p(vm: Vm, this: Value, args: Args) -> Ruby {
    let Some(s) = subject(vm, args.or_nil(0))? else {
        state(vm, this)?;
        return Ok(FALSE);
    };
    match start_at(vm, s, args.get(1))? {
        Some(at) => is_match(vm, this, s, at).map(Value::bool),
        None => Ok(FALSE),
    }
}

/// A group's name as a String.
pub fn name_str(vm: Vm, re: Value, name: &[u8]) -> Value {
    let enc = if name.is_ascii() { Enc::Utf8 } else { enc_of(re).unwrap_or(Enc::Utf8) };
    RString::from_bytes(&vm, name, enc).value()
}
fn names(vm: Vm, this: Value, _args: Args) -> Ruby {
    state(vm, this)?;
    let list = RArray::new(&vm, 4);
    for (n, _) in group_names(this) {
        list.push(&vm, name_str(vm, this, &n));
    }
    Ok(list.value())
}
fn named_captures(vm: Vm, this: Value, _args: Args) -> Ruby {
    state(vm, this)?;
    let h = RHash::new(&vm);
    for (n, groups) in group_names(this) {
        let list = RArray::new(&vm, groups.len());
        for g in groups {
            list.push(&vm, Value::fixnum(g as i64));
        }
        let key = name_str(vm, this, &n);
        h.set(&vm, &vm, key, list.value())?;
    }
    Ok(h.value())
}
fn casefold(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(Value::bool(state(vm, this)?.flags.get() & IGNORECASE != 0))
}
fn fixed_encoding(_vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(Value::bool(this.data::<RegexpState>().is_some_and(|r| r.flags.get() & FIXED != 0)))
}
fn encoding(vm: Vm, this: Value, _args: Args) -> Ruby {
    let enc = this.data::<RegexpState>().filter(|r| !r.source.get().is_nil()).map_or(Enc::Binary, |r| r.enc.get());
    Ok(super::encoding::object(vm, enc))
}
fn timeout(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(state(vm, this)?.timeout.get().map_or(NIL, |t| vm.float(t)))
}
