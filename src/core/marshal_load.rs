//! Reading the Marshal format.

use super::marshal::VERSION;
use super::module_const::{self, Reach};
use super::{complex, object, rational, record};
use crate::object::{Ary, Class, Enc, RArray, RHash, RRange, RString, sym};
use crate::value::{FALSE, NIL, Raised, Ruby, Sym, TRUE, Value};
use crate::vm::Vm;
use num_bigint::{BigInt, Sign};

/// Where the bytes come from.
pub enum Source {
    /// all of them, and the position
    Bytes(Vec<u8>, usize),
    /// an object with `getbyte` and `read`
    Io(Value),
}

struct Loader {
    vm: Vm,
    source: Source,
    symbols: Vec<Sym>,
    /// objects in order of appearance
    objects: Ary,
    callback: Value,
    freeze: bool,
}

/// The object that a dump describes.
pub fn from_source(vm: Vm, source: Source, callback: Value, freeze: bool) -> Ruby {
    let io = if let Source::Io(v) = source { v } else { NIL };
    let mut l = Loader { vm, source, symbols: Vec::new(), objects: RArray::new(&vm, 0), callback, freeze };
    let (major, minor) = (l.byte()?, l.byte()?);
    if major != VERSION[0] || minor > VERSION[1] {
        return Err(vm.type_error(&format!(
            "incompatible marshal file format (can't be read)\n\tformat version {}.{} required; {major}.{minor} given",
            VERSION[0], VERSION[1]
        )));
    }
    let r = l.value();
    crate::heap::root::keep(l.objects.value());
    crate::heap::root::keep(l.callback);
    crate::heap::root::keep(io);
    r
}

/// What surrounds the object being read.
#[derive(Default)]
struct Around {
    /// instance variables follow; cleared by who reads them
    ivars: bool,
    /// modules to extend it with, outermost first
    extend: Vec<Class>,
    /// subclass given by `C`
    class: Option<Class>,
    identity: bool,
    /// the caller has more to do with it before it is finished
    partial: bool,
}

impl Loader {
    #[cold]
    fn short(&self) -> Raised {
        self.vm.arg_error("marshal data too short")
    }
    fn byte(&mut self) -> Ruby<u8> {
        match &mut self.source {
            Source::Bytes(b, at) => {
                let got = b.get(*at).copied();
                *at += 1;
                got.ok_or_else(|| self.short())
            }
            Source::Io(io) => {
                let v = self.vm.send(*io, self.vm.intern("getbyte"), &[])?;
                match v.as_fixnum() {
                    Some(n) => Ok(n as u8),
                    None => Err(self.vm.raise(self.vm.classes.eof_error.get(), "end of file reached")),
                }
            }
        }
    }
    fn bytes(&mut self, n: usize) -> Ruby<Vec<u8>> {
        match &mut self.source {
            Source::Bytes(b, at) => {
                let got = at.checked_add(n).and_then(|end| b.get(*at..end)).map(<[u8]>::to_vec);
                *at = at.saturating_add(n);
                got.ok_or_else(|| self.short())
            }
            Source::Io(io) => {
                if n == 0 {
                    return Ok(Vec::new());
                }
                let v = self.vm.send(*io, self.vm.intern("read"), &[Value::fixnum(n as i64)])?;
                match v.as_str() {
                    Some(s) if s.len() == n => Ok(s.bytes().to_vec()),
                    _ => Err(self.short()),
                }
            }
        }
    }
    fn long(&mut self) -> Ruby<i64> {
        let c = self.byte()? as i8;
        match c {
            0 => Ok(0),
            5..=127 => Ok(c as i64 - 5),
            -128..=-5 => Ok(c as i64 + 5),
            1..=4 => {
                let mut n = 0;
                for i in 0..c as usize {
                    n |= (self.byte()? as i64) << (8 * i);
                }
                Ok(n)
            }
            _ => {
                let mut n = -1i64;
                for i in 0..(-c) as usize {
                    n &= !(0xff << (8 * i));
                    n |= (self.byte()? as i64) << (8 * i);
                }
                Ok(n)
            }
        }
    }
    fn length(&mut self) -> Ruby<usize> {
        let n = self.long()?;
        usize::try_from(n).map_err(|_| self.short())
    }
    fn counted(&mut self) -> Ruby<Vec<u8>> {
        let n = self.length()?;
        self.bytes(n)
    }

    // ---- symbols and classes

    fn symbol(&mut self) -> Ruby<Sym> {
        match self.byte()? {
            b':' => self.new_symbol(false),
            b';' => self.old_symbol(),
            b'I' => match self.byte()? {
                b':' => self.new_symbol(true),
                t => Err(self.bad_symbol(t)),
            },
            t => Err(self.bad_symbol(t)),
        }
    }
    fn bad_symbol(&self, t: u8) -> Raised {
        self.vm.arg_error(&format!("dump format error for symbol(0x{t:x})"))
    }
    fn new_symbol(&mut self, marked: bool) -> Ruby<Sym> {
        let text = self.counted()?;
        let at = self.symbols.len();
        // Known by its bytes alone until its encoding has been read.
        let plain = if text.is_ascii() { Enc::Ascii } else { Enc::Binary };
        self.symbols.push(self.vm.symbols.intern(&text, plain));
        let mut enc = if text.is_ascii() { Enc::Ascii } else { Enc::Binary };
        if marked {
            for _ in 0..self.length()? {
                let name = self.symbol()?;
                let v = self.value()?;
                if let Some(e) = self.encoding_of(name, v) {
                    enc = e;
                }
            }
        }
        let s = self.vm.symbols.intern(&text, enc);
        self.symbols[at] = s;
        Ok(s)
    }
    fn old_symbol(&mut self) -> Ruby<Sym> {
        let i = self.long()?;
        usize::try_from(i)
            .ok()
            .and_then(|i| self.symbols.get(i).copied())
            .ok_or_else(|| self.vm.arg_error("bad symbol"))
    }
    /// The encoding that a pseudo instance variable tells.
    fn encoding_of(&self, name: Sym, v: Value) -> Option<Enc> {
        match self.vm.symbols.bytes(name) {
            b"E" if v == TRUE => Some(Enc::Utf8),
            b"E" if v == FALSE => Some(Enc::Ascii),
            b"encoding" => super::encoding::lookup(v.as_str()?.bytes()),
            _ => None,
        }
    }
    fn path(&mut self, path: &str) -> Ruby<Class> {
        let vm = self.vm;
        let mut c = vm.classes.object.get();
        for (i, part) in path.split("::").enumerate() {
            let name = vm.intern(part);
            let reach = if i == 0 { Reach::All } else { Reach::Scoped };
            let v = match module_const::holder(vm, c, name, reach) {
                Some((at, e)) => module_const::value_of(vm, at, name, e)?,
                None => None,
            };
            let v = match v {
                Some(v) => v,
                None => {
                    let unknown = vm.arg_error(&format!("undefined class/module {path}"));
                    // `const_missing` may know better.
                    let e = vm.take_exception().unwrap_or(NIL);
                    match vm.rescue(vm.classes.name_error.get(), || vm.const_missing(c, name))? {
                        Ok(v) => v,
                        Err(_) => {
                            vm.raise_as_is(e);
                            return Err(unknown);
                        }
                    }
                }
            };
            match v.as_class() {
                Some(k) => c = k,
                None => return Err(vm.type_error(&format!("{path} does not refer to class/module"))),
            }
        }
        Ok(c)
    }
    fn class_name(&mut self) -> Ruby<Class> {
        let s = self.symbol()?;
        let path = self.vm.name_of(s);
        self.path(&path)
    }
    fn plain_class(&mut self) -> Ruby<Class> {
        let c = self.class_name()?;
        if c.is_module() {
            let n = self.vm.class_name(c);
            return Err(self.vm.arg_error(&format!("{n} does not refer to class")));
        }
        Ok(c)
    }

    // ---- objects

    fn enter(&mut self, v: Value) -> usize {
        self.objects.push(&self.vm, v);
        self.objects.len() - 1
    }
    /// An object is complete: extended, frozen if asked, and shown to the callback.
    fn done(&mut self, at: Option<usize>, v: Value, around: &Around) -> Ruby {
        let vm = self.vm;
        for m in around.extend.iter().rev() {
            vm.send(m.value(), sym::EXTEND_OBJECT, &[v])?;
            vm.send(m.value(), sym::EXTENDED, &[v])?;
        }
        if around.partial { Ok(v) } else { self.publish(at, v) }
    }
    fn publish(&mut self, at: Option<usize>, v: Value) -> Ruby {
        let mut v = v;
        if self.freeze && v.as_class().is_none() {
            if let Some(s) = v.as_str()
                && self.vm.real_class_of(v) == self.vm.classes.string.get()
                && self.vm.ivar_names(v).is_empty()
            {
                s.freeze();
            } else {
                object::freeze_value(self.vm, v);
            }
        }
        if !self.callback.is_nil() {
            v = self.vm.send(self.callback, sym::CALL, &[v])?;
            if let Some(i) = at {
                self.objects.set(i, v);
            }
        }
        Ok(v)
    }

    fn value(&mut self) -> Ruby {
        self.with(Around::default())
    }

    fn with(&mut self, mut around: Around) -> Ruby {
        self.vm.check_native_stack()?;
        let vm = self.vm;
        match self.byte()? {
            b'@' => {
                let i = self.long()?;
                let v = usize::try_from(i).ok().filter(|&i| i < self.objects.len()).map(|i| self.objects.get(i));
                match v {
                    Some(v) if self.callback.is_nil() => Ok(v),
                    Some(v) => vm.send(self.callback, sym::CALL, &[v]),
                    None => Err(vm.arg_error("dump format error (unlinked)")),
                }
            }
            b'I' => {
                around.ivars = true;
                self.with(around)
            }
            b'e' => {
                let m = self.class_name()?;
                if !m.is_module() {
                    let n = vm.class_name(m);
                    return Err(vm.arg_error(&format!("{n} does not refer to module")));
                }
                around.extend.push(m);
                self.with(around)
            }
            b'C' => {
                let c = self.plain_class()?;
                if c == vm.classes.hash.get() {
                    around.identity = true;
                } else {
                    around.class = Some(c);
                }
                self.with(around)
            }
            b'0' => self.simple(NIL),
            b'T' => self.simple(TRUE),
            b'F' => self.simple(FALSE),
            b'i' => {
                let n = self.long()?;
                self.simple(Value::fixnum(n))
            }
            b':' => {
                let s = self.new_symbol(around.ivars)?;
                self.simple(s.into())
            }
            b';' => {
                let s = self.old_symbol()?;
                self.simple(s.into())
            }
            b'f' => {
                let text = self.counted()?;
                let f = parse_float(&text);
                let v = vm.float(f);
                let at = self.enter(v);
                self.done(Some(at), v, &around)
            }
            b'l' => {
                let sign = if self.byte()? == b'-' { Sign::Minus } else { Sign::Plus };
                let n = self.length()?;
                let bytes = self.bytes(n.saturating_mul(2))?;
                let v = vm.bigint(BigInt::from_bytes_le(sign, &bytes));
                let at = self.enter(v);
                self.done(Some(at), v, &around)
            }
            b'"' => self.string(around),
            b'/' => self.regexp(around),
            b'[' => self.array(around),
            b'{' => self.hash(around, false),
            b'}' => self.hash(around, true),
            b'S' => self.structure(around),
            b'o' => self.object(around),
            b'u' => self.user_string(around),
            b'U' => self.user_object(around),
            t @ (b'c' | b'm' | b'M') => {
                let name = self.counted()?;
                let path = String::from_utf8_lossy(&name).into_owned();
                let c = self.path(&path)?;
                if t != b'M' && c.is_module() != (t == b'm') {
                    let what = if t == b'm' { "module" } else { "class" };
                    return Err(vm.arg_error(&format!("{path} does not refer to {what}")));
                }
                let at = self.enter(c.value());
                if around.ivars && self.length()? > 0 {
                    return Err(vm.type_error(&format!("can't override instance variable of {path}")));
                }
                self.done(Some(at), c.value(), &around)
            }
            b'd' => {
                let c = self.plain_class()?;
                let v = vm.allocate(c)?;
                let at = self.enter(v);
                let load = vm.intern("_load_data");
                if !vm.responds_to(v, load, true)? {
                    let n = vm.class_name(c);
                    return Err(vm.type_error(&format!("class {n} needs to have instance method '_load_data'")));
                }
                let data = self.value()?;
                vm.send(v, load, &[data])?;
                self.done(Some(at), v, &around)
            }
            t => Err(vm.arg_error(&format!("dump format error(0x{t:x})"))),
        }
    }
    fn simple(&mut self, v: Value) -> Ruby {
        if self.callback.is_nil() { Ok(v) } else { self.vm.send(self.callback, sym::CALL, &[v]) }
    }

    /// Instance variables that follow; the encoding among them is returned.
    fn ivars(&mut self, v: Value) -> Ruby<Option<Enc>> {
        let mut enc = None;
        for _ in 0..self.length()? {
            let name = self.symbol()?;
            let x = self.value()?;
            match self.encoding_of(name, x) {
                Some(e) => enc = Some(e),
                None => {
                    self.vm.ivar_set(v, name, x);
                }
            }
        }
        Ok(enc)
    }
    fn check_subclass(&self, c: Class, base: Class) -> Ruby<Class> {
        // A clone of the base class will do.
        if c.is_a(base) || (!c.is_module() && c.allocator() == base.allocator()) {
            return Ok(c);
        }
        Err(self.vm.arg_error("dump format error (user class)"))
    }

    fn string(&mut self, around: Around) -> Ruby {
        let vm = self.vm;
        let bytes = self.counted()?;
        let base = vm.classes.string.get();
        let class = self.check_subclass(around.class.unwrap_or(base), base)?;
        let s = RString::with_class(&vm, class, bytes, Enc::Binary);
        let at = self.enter(s.value());
        if around.ivars
            && let Some(e) = self.ivars(s.value())?
        {
            s.set_enc(e);
        }
        self.done(Some(at), s.value(), &around)
    }
    fn regexp(&mut self, around: Around) -> Ruby {
        let vm = self.vm;
        let source = self.counted()?;
        let options = self.byte()?;
        // Its place in the list is taken before its variables are read.
        let at = self.enter(NIL);
        let s = RString::from_vec(&vm, source, Enc::Binary);
        let holder = vm.array(&[]);
        if around.ivars
            && let Some(e) = self.ivars(holder)?
        {
            s.set_enc(e);
        }
        let re = match around.class {
            Some(c) => {
                let c = self.check_subclass(c, vm.classes.regexp.get())?;
                let v = vm.allocate(c)?;
                let args = [s.value(), Value::fixnum(options as i64 & 7)];
                if let Some(me) = vm.find_method(vm.classes.regexp.get(), sym::INITIALIZE) {
                    vm.call_method(me, v, &args, false, None)?;
                }
                v
            }
            None => super::regexp::from_source(vm, s, options as u32)?,
        };
        vm.ivar_copy(holder, re);
        self.objects.set(at, re);
        self.done(Some(at), re, &around)
    }
    fn array(&mut self, around: Around) -> Ruby {
        let vm = self.vm;
        let base = vm.classes.array.get();
        let class = self.check_subclass(around.class.unwrap_or(base), base)?;
        let n = self.length()?;
        // A hostile length must not reserve more than the data could fill.
        let a = RArray::with_class(&vm, class, n.min(1024));
        let at = self.enter(a.value());
        for _ in 0..n {
            let v = self.value()?;
            a.push(&vm, v);
        }
        if around.ivars {
            self.ivars(a.value())?;
        }
        self.done(Some(at), a.value(), &around)
    }
    fn hash(&mut self, around: Around, with_default: bool) -> Ruby {
        let vm = self.vm;
        let base = vm.classes.hash.get();
        let class = self.check_subclass(around.class.unwrap_or(base), base)?;
        let h = RHash::with_class(&vm, class);
        h.compare_by_identity.set(around.identity);
        let at = self.enter(h.value());
        for _ in 0..self.length()? {
            let k = self.value()?;
            let v = self.value()?;
            if around.identity {
                h.set(&vm, &crate::vm::native::Identity, k, v)?;
            } else {
                if let Some(s) = k.as_str()
                    && !self.freeze
                {
                    s.freeze();
                }
                h.set(&vm, &vm, k, v)?;
            }
        }
        if with_default {
            let d = self.value()?;
            h.default.set(d);
        }
        if around.ivars {
            self.ivars(h.value())?;
        }
        self.done(Some(at), h.value(), &around)
    }
    fn structure(&mut self, around: Around) -> Ruby {
        let vm = self.vm;
        let c = self.plain_class()?;
        if !c.is_a(vm.classes.struct_.get()) && !c.is_a(vm.classes.data.get()) {
            let n = vm.class_name(c);
            return Err(vm.type_error(&format!("class {n} not a struct")));
        }
        let members = record::class_members(vm, c)?;
        let n = self.length()?;
        if n != members.len() {
            let name = vm.class_name(c);
            return Err(vm.type_error(&format!("struct {name} not compatible (struct size differs)")));
        }
        let v = record::allocate(vm, c)?;
        let at = self.enter(v);
        for i in 0..n {
            let name = self.symbol()?;
            if members.get(i) != name.into() {
                let (class, got, want) = (vm.class_name(c), vm.name_of(name), vm.inspect(members.get(i))?);
                return Err(vm.type_error(&format!("struct {class} not compatible (:{got} for {})", want.text())));
            }
            let x = self.value()?;
            record::put(vm, v, members, i, x);
        }
        if around.ivars {
            self.ivars(v)?;
        }
        if c.is_a(vm.classes.data.get()) {
            object::freeze_value(vm, v);
        }
        self.done(Some(at), v, &around)
    }

    /// `o`: an ordinary object; Range, Set and exceptions keep their state in variables of their own.
    fn object(&mut self, around: Around) -> Ruby {
        let vm = self.vm;
        let c = self.plain_class()?;
        let k = &vm.classes;
        if c.is_a(k.range.get()) {
            let r = RRange::with_class(&vm, c, NIL, NIL, false);
            let at = self.enter(r.value());
            for _ in 0..self.length()? {
                let name = self.symbol()?;
                let v = self.value()?;
                match vm.symbols.bytes(name) {
                    b"excl" => r.exclusive.set(v.truthy()),
                    b"begin" => r.lo.set(v),
                    b"end" => r.hi.set(v),
                    _ => {
                        vm.ivar_set(r.value(), name, v);
                    }
                }
            }
            r.h.set(crate::heap::flags::FROZEN);
            return self.done(Some(at), r.value(), &around);
        }
        let v = vm.allocate(c)?;
        let at = self.enter(v);
        let exception = c.is_a(k.exception.get());
        for _ in 0..self.length()? {
            let name = self.symbol()?;
            let x = self.value()?;
            let text = vm.symbols.bytes(name);
            if text == b"@hash"
                && let (Some(own), Some(given)) = (super::set::elements(v), x.as_hash())
            {
                own.copy_from(&vm, given);
                own.rehash(&vm, &vm)?;
                continue;
            }
            let name = match text {
                _ if !exception => name,
                b"mesg" => sym::I_MESSAGE,
                b"bt" => sym::I_BACKTRACE,
                b"name" => sym::I_NAME,
                b"receiver" => sym::I_RECEIVER,
                b"key" => sym::I_KEY,
                b"cause" => sym::I_CAUSE,
                b"errno" => sym::I_ERRNO,
                b"status" => sym::I_STATUS,
                b"signo" => sym::I_SIGNO,
                b"bt_locations" => continue,
                _ => name,
            };
            vm.ivar_set(v, name, x);
        }
        if exception {
            let mut c = vm.ivar_get(v, sym::I_CAUSE);
            for _ in 0..1000 {
                match c {
                    Some(x) if x == v => return Err(vm.arg_error("circular cause")),
                    Some(x) => c = vm.ivar_get(x, sym::I_CAUSE),
                    None => break,
                }
            }
        }
        self.done(Some(at), v, &around)
    }

    /// `u`: the class's `_load` gets a String.
    fn user_string(&mut self, around: Around) -> Ruby {
        let vm = self.vm;
        let c = self.class_name()?;
        let load = vm.intern("_load");
        if !vm.responds_to(c.value(), load, true)? {
            let n = vm.class_name(c);
            return Err(vm.type_error(&format!("class {n} needs to have method '_load'")));
        }
        let bytes = self.counted()?;
        let s = RString::from_vec(&vm, bytes, Enc::Binary);
        if around.ivars
            && let Some(e) = self.ivars(s.value())?
        {
            s.set_enc(e);
        }
        let v = vm.send(c.value(), load, &[s.value()])?;
        let at = self.enter(v);
        self.done(Some(at), v, &around)
    }

    /// `U`: a new object's `marshal_load` gets what `marshal_dump` gave.
    fn user_object(&mut self, around: Around) -> Ruby {
        let vm = self.vm;
        let c = self.plain_class()?;
        let k = &vm.classes;
        if c == k.rational.get() || c == k.complex.get() {
            let at = self.enter(NIL);
            let pair = self.with(Around { partial: true, ..Around::default() })?;
            let Some(a) = pair.as_array().filter(|a| a.len() == 2) else {
                return Err(vm.arg_error("marshaled rational must have an array whose length is 2 but 0"));
            };
            let v = if c == k.rational.get() {
                rational::load(vm, a.get(0), a.get(1))?
            } else {
                complex::raw(vm, a.get(0), a.get(1))
            };
            self.objects.set(at, v);
            return self.done(Some(at), v, &around);
        }
        let v = vm.allocate(c)?;
        for m in around.extend.iter().rev() {
            vm.send(m.value(), sym::EXTEND_OBJECT, &[v])?;
        }
        let load = vm.intern("marshal_load");
        if !vm.responds_to(v, load, true)? {
            let n = vm.class_name(c);
            return Err(vm.type_error(&format!("instance of {n} needs to have method 'marshal_load'")));
        }
        let at = self.enter(v);
        let data = self.value()?;
        vm.send(v, load, &[data])?;
        self.done(Some(at), v, &Around::default())
    }
}

fn parse_float(text: &[u8]) -> f64 {
    match text {
        b"nan" => f64::NAN,
        b"inf" => f64::INFINITY,
        b"-inf" => f64::NEG_INFINITY,
        _ => {
            let end = text.iter().position(|&b| b == 0).unwrap_or(text.len());
            std::str::from_utf8(&text[..end]).ok().and_then(|s| s.parse().ok()).unwrap_or(0.0)
        }
    }
}
