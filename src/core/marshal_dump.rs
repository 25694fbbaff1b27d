//! Writing the Marshal format.

use super::marshal::VERSION;
use super::{complex, rational, record, set};
use crate::object::{Ary, Class, Enc, RArray, RHash, sym, ty};
use crate::value::{FALSE, NIL, Ruby, Sym, TRUE, Value};
use crate::vm::Vm;
use num_bigint::Sign;
use std::collections::HashMap;

struct Dumper {
    vm: Vm,
    out: Vec<u8>,
    symbols: HashMap<Sym, usize>,
    /// numbers of objects written, by their bits
    objects: HashMap<u64, usize>,
    count: usize,
    /// keeps temporaries alive, so that no address is used twice
    kept: Ary,
}

/// The dump of an object; `limit` is how deep it may go, negative: any depth.
pub fn to_bytes(vm: Vm, v: Value, limit: i64) -> Ruby<Vec<u8>> {
    let mut d = Dumper {
        vm,
        out: VERSION.to_vec(),
        symbols: HashMap::new(),
        objects: HashMap::new(),
        count: 0,
        kept: RArray::new(&vm, 0),
    };
    d.value(v, limit)?;
    crate::heap::root::keep(d.kept.value());
    Ok(d.out)
}

impl Dumper {
    fn byte(&mut self, b: u8) {
        self.out.push(b)
    }
    /// The format's own integer: a count byte and little-endian bytes, small ones in one byte.
    fn long(&mut self, n: i64) {
        match n {
            0 => self.byte(0),
            1..=122 => self.byte((n + 5) as u8),
            -123..=-1 => self.byte((n - 5) as u8),
            _ => {
                let mut bytes = Vec::new();
                let mut x = n;
                for _ in 0..4 {
                    bytes.push(x as u8);
                    x >>= 8;
                    if x == 0 || x == -1 {
                        break;
                    }
                }
                let count = bytes.len() as i8;
                self.byte(if n < 0 { -count } else { count } as u8);
                self.out.extend_from_slice(&bytes);
            }
        }
    }
    fn bytes(&mut self, b: &[u8]) {
        self.long(b.len() as i64);
        self.out.extend_from_slice(b);
    }
    fn symbol(&mut self, s: Sym) {
        if let Some(&i) = self.symbols.get(&s) {
            self.byte(b';');
            self.long(i as i64);
            return;
        }
        let (b, enc) = (self.vm.symbols.bytes(s), self.vm.symbols.enc(s));
        let marked = enc != Enc::Ascii && enc != Enc::Binary;
        if marked {
            self.byte(b'I');
        }
        self.byte(b':');
        self.bytes(b);
        self.symbols.insert(s, self.symbols.len());
        if marked {
            self.long(1);
            self.encoding(enc);
        }
    }
    fn name(&mut self, name: &str) {
        let s = self.vm.intern(name);
        self.symbol(s)
    }
    /// The pseudo instance variable that tells an encoding.
    fn encoding(&mut self, enc: Enc) {
        match enc {
            Enc::Utf8 => {
                self.name("E");
                self.byte(b'T');
            }
            Enc::Ascii => {
                self.name("E");
                self.byte(b'F');
            }
            other => {
                self.name("encoding");
                self.byte(b'"');
                self.bytes(other.name().as_bytes());
                self.count += 1;
            }
        }
    }

    /// A class's path; anonymous ones cannot be dumped.
    fn path(&self, c: Class) -> Ruby<String> {
        match c.name() {
            Some(n) if c.has_permanent_name() => Ok(n),
            _ => {
                let kind = if c.is_module() { "module" } else { "class" };
                let n = self.vm.class_name(c);
                Err(self.vm.type_error(&format!("can't dump anonymous {kind} {n}")))
            }
        }
    }
    /// The name of an object's class, after the modules it was extended with.
    fn class_of(&mut self, tag: u8, v: Value) -> Ruby<()> {
        self.extended(v)?;
        self.byte(tag);
        let path = self.path(self.vm.real_class_of(v))?;
        self.name(&path);
        Ok(())
    }
    fn extended(&mut self, v: Value) -> Ruby<()> {
        let c = self.vm.class_of(v);
        if !c.is_singleton() {
            return Ok(());
        }
        if !c.own_methods().is_empty() || !self.vm.ivar_names(c.value()).is_empty() {
            return Err(self.vm.type_error("singleton can't be dumped"));
        }
        for m in c.included_directly().into_iter().rev() {
            self.byte(b'e');
            let path = self.path(m)?;
            self.name(&path);
        }
        Ok(())
    }
    /// `C` and the class, for a subclass of a core class.
    fn user_class(&mut self, v: Value, base: Class) -> Ruby<()> {
        self.extended(v)?;
        let c = self.vm.real_class_of(v);
        if c != base {
            self.byte(b'C');
            let path = self.path(c)?;
            self.name(&path);
        }
        Ok(())
    }
    fn remember(&mut self, v: Value) {
        self.objects.insert(v.bits(), self.count);
        self.count += 1;
    }

    fn value(&mut self, v: Value, limit: i64) -> Ruby<()> {
        if limit == 0 {
            return Err(self.vm.arg_error("exceed depth limit"));
        }
        self.vm.check_native_stack()?;
        match v {
            NIL => self.byte(b'0'),
            TRUE => self.byte(b'T'),
            FALSE => self.byte(b'F'),
            _ => {
                if let Some(n) = v.as_fixnum() {
                    if (-(1 << 30)..1 << 30).contains(&n) {
                        self.byte(b'i');
                        self.long(n);
                    } else {
                        self.count += 1;
                        self.big(&n.into());
                    }
                } else if let Some(s) = v.as_symbol() {
                    self.symbol(s);
                } else if let Some(&i) = self.objects.get(&v.bits()) {
                    self.byte(b'@');
                    self.long(i as i64);
                } else {
                    return self.object(v, if limit > 0 { limit - 1 } else { limit });
                }
            }
        }
        Ok(())
    }

    fn big(&mut self, n: &num_bigint::BigInt) {
        self.byte(b'l');
        self.byte(if n.sign() == Sign::Minus { b'-' } else { b'+' });
        let (_, mut bytes) = n.to_bytes_le();
        if bytes.len() % 2 == 1 {
            bytes.push(0);
        }
        self.long(bytes.len() as i64 / 2);
        self.out.extend_from_slice(&bytes);
    }

    fn float(&mut self, f: f64) {
        self.byte(b'f');
        let text = float_text(f);
        self.bytes(text.as_bytes());
    }

    fn object(&mut self, v: Value, limit: i64) -> Ruby<()> {
        let vm = self.vm;
        if let Some(f) = v.as_float() {
            self.remember(v);
            self.float(f);
            return Ok(());
        }
        if let Some(b) = v.as_bignum() {
            self.remember(v);
            self.big(&b.value.clone());
            return Ok(());
        }
        let (marshal_dump, dump) = (vm.intern("marshal_dump"), vm.intern("_dump"));
        if vm.responds_to(v, marshal_dump, true)? {
            self.remember(v);
            let data = vm.send(v, marshal_dump, &[])?;
            self.kept.push(&vm, data);
            self.class_of(b'U', v)?;
            return self.value(data, limit);
        }
        if vm.responds_to(v, dump, true)? {
            let data = vm.send(v, dump, &[Value::fixnum(limit)])?;
            let Some(s) = data.as_str() else { return Err(vm.type_error("_dump() must return string")) };
            self.kept.push(&vm, data);
            let own = vm.ivar_names_all(data);
            let marked = s.enc() != Enc::Binary;
            if marked || !own.is_empty() {
                self.byte(b'I');
            }
            self.class_of(b'u', v)?;
            self.bytes(s.bytes());
            if marked || !own.is_empty() {
                self.variables(data, marked.then_some(s.enc()), limit)?;
            }
            self.remember(v);
            return Ok(());
        }
        self.remember(v);
        if let Some((a, b)) = rational::parts(v).or_else(|| v.data::<complex::Complex>().map(|c| (c.real, c.imag))) {
            self.class_of(b'U', v)?;
            let pair = vm.array(&[a, b]);
            self.kept.push(&vm, pair);
            return self.value(pair, limit);
        }
        match v.header().map(|h| h.ty) {
            Some(ty::CLASS) => self.class(v),
            Some(ty::STRING) => self.string(v, limit),
            Some(ty::ARRAY) => self.array(v, limit),
            Some(ty::HASH) => self.hash(v, limit),
            Some(ty::RANGE) => self.range(v, limit),
            Some(ty::OBJECT) => self.plain(v, limit),
            Some(ty::DATA) if super::regexp::is_regexp(v) => self.regexp(v, limit),
            Some(ty::DATA) if set::elements(v).is_some() => self.set(v, limit),
            _ => {
                let class = vm.real_class_of(v);
                let name = vm.class_name(class);
                if class.is_a(vm.classes.io.get()) {
                    return Err(vm.type_error(&format!("instance of {name} can't be dumped")));
                }
                Err(vm.type_error(&format!("no _dump_data is defined for class {name}")))
            }
        }
    }

    fn class(&mut self, v: Value) -> Ruby<()> {
        let Some(c) = v.as_class() else { return Ok(()) };
        if c.is_singleton() {
            return Err(self.vm.type_error("singleton class can't be dumped"));
        }
        let path = self.path(c)?;
        self.byte(if c.is_module() { b'm' } else { b'c' });
        self.bytes(path.as_bytes());
        Ok(())
    }

    /// Instance variables, after the encoding if there is one to tell.
    fn variables(&mut self, v: Value, enc: Option<Enc>, limit: i64) -> Ruby<()> {
        // With those that no `@` marks: a Time's dump has some.
        let names = self.vm.ivar_names_all(v);
        self.long((names.len() + enc.is_some() as usize) as i64);
        if let Some(e) = enc {
            self.encoding(e);
        }
        for n in names {
            self.symbol(n);
            let x = self.vm.ivar_get(v, n).unwrap_or(NIL);
            self.value(x, limit)?;
        }
        Ok(())
    }
    /// Writes `body` with the `I` mark and the variables that follow it, if there are any.
    fn with_variables(
        &mut self,
        v: Value,
        enc: Option<Enc>,
        limit: i64,
        body: impl FnOnce(&mut Self) -> Ruby<()>,
    ) -> Ruby<()> {
        let marked = enc.is_some() || !self.vm.ivar_names_all(v).is_empty();
        if marked {
            self.byte(b'I');
        }
        body(self)?;
        if marked { self.variables(v, enc, limit) } else { Ok(()) }
    }

    fn string(&mut self, v: Value, limit: i64) -> Ruby<()> {
        let Some(s) = v.as_str() else { return Ok(()) };
        let enc = (s.enc() != Enc::Binary).then_some(s.enc());
        self.with_variables(v, enc, limit, |d| {
            d.user_class(v, d.vm.classes.string.get())?;
            d.byte(b'"');
            d.bytes(s.bytes());
            Ok(())
        })
    }
    fn regexp(&mut self, v: Value, limit: i64) -> Ruby<()> {
        let vm = self.vm;
        let source = vm.send(v, vm.intern("source"), &[])?;
        let options = vm.send(v, vm.intern("options"), &[])?.as_fixnum().unwrap_or(0);
        let Some(s) = source.as_str() else { return Ok(()) };
        let enc = super::regexp::enc_of(v).filter(|e| *e != Enc::Binary);
        self.with_variables(v, enc, limit, |d| {
            d.user_class(v, vm.classes.regexp.get())?;
            d.byte(b'/');
            d.bytes(s.bytes());
            d.byte((options & 0xff) as u8);
            Ok(())
        })
    }
    fn array(&mut self, v: Value, limit: i64) -> Ruby<()> {
        let Some(a) = v.as_array() else { return Ok(()) };
        self.with_variables(v, None, limit, |d| {
            d.user_class(v, d.vm.classes.array.get())?;
            d.byte(b'[');
            let n = a.len();
            d.long(n as i64);
            for i in 0..n {
                d.value(a.get(i), limit)?;
                if a.len() != n {
                    return Err(d.vm.runtime_error("array modified during dump"));
                }
            }
            Ok(())
        })
    }
    fn hash(&mut self, v: Value, limit: i64) -> Ruby<()> {
        let Some(h) = v.as_hash() else { return Ok(()) };
        let vm = self.vm;
        if h.default_is_proc.get() {
            return Err(vm.type_error("can't dump hash with default proc"));
        }
        self.with_variables(v, None, limit, |d| {
            d.user_class(v, vm.classes.hash.get())?;
            if h.compare_by_identity.get() {
                d.byte(b'C');
                d.name("Hash");
            }
            let default = h.default.get();
            d.byte(if default.is_nil() { b'{' } else { b'}' });
            let n = h.len();
            d.long(n as i64);
            let mut written = 0;
            let mut i = 0;
            while let Some(at) = h.next_slot(i) {
                if let Some((k, x)) = h.entry(at) {
                    d.value(k, limit)?;
                    d.value(x, limit)?;
                    written += 1;
                }
                i = at + 1;
            }
            if written != n {
                return Err(vm.runtime_error("hash modified during dump"));
            }
            if !default.is_nil() {
                d.value(default, limit)?;
            }
            Ok(())
        })
    }
    fn range(&mut self, v: Value, limit: i64) -> Ruby<()> {
        let Some(r) = v.as_range() else { return Ok(()) };
        self.class_of(b'o', v)?;
        let own = self.vm.ivar_names(v);
        self.long(3 + own.len() as i64);
        for (name, x) in [("excl", Value::bool(r.exclusive.get())), ("begin", r.lo.get()), ("end", r.hi.get())] {
            self.name(name);
            self.value(x, limit)?;
        }
        self.own(v, &own, limit)
    }
    fn own(&mut self, v: Value, names: &[Sym], limit: i64) -> Ruby<()> {
        for &n in names {
            self.symbol(n);
            let x = self.vm.ivar_get(v, n).unwrap_or(NIL);
            self.value(x, limit)?;
        }
        Ok(())
    }
    /// A Set is an object with a Hash of its elements.
    fn set(&mut self, v: Value, limit: i64) -> Ruby<()> {
        let vm = self.vm;
        let Some(elements) = set::elements(v) else { return Ok(()) };
        let h = RHash::new(&vm);
        h.copy_from(&vm, elements);
        for i in 0..h.slots() {
            h.set_entry_value(i, TRUE);
        }
        h.default.set(FALSE);
        self.kept.push(&vm, h.value());
        self.class_of(b'o', v)?;
        let own = vm.ivar_names(v);
        self.long(1 + own.len() as i64);
        self.name("@hash");
        self.value(h.value(), limit)?;
        self.own(v, &own, limit)
    }
    /// An ordinary object, a Struct or Data, or an exception.
    fn plain(&mut self, v: Value, limit: i64) -> Ruby<()> {
        let vm = self.vm;
        let class = vm.class_of(v);
        if class.is_a(vm.classes.struct_.get()) || class.is_a(vm.classes.data.get()) {
            let members = record::members(vm, v)?;
            return self.with_variables(v, None, limit, |d| {
                d.class_of(b'S', v)?;
                d.long(members.len() as i64);
                for i in 0..members.len() {
                    if let Some(s) = members.get(i).as_symbol() {
                        d.symbol(s);
                    }
                    d.value(record::field(vm, v, members, i), limit)?;
                }
                Ok(())
            });
        }
        self.class_of(b'o', v)?;
        let own = vm.ivar_names(v);
        if !class.is_a(vm.classes.exception.get()) {
            self.long(own.len() as i64);
            return self.own(v, &own, limit);
        }
        let hidden = [
            ("mesg", sym::I_MESSAGE),
            ("bt", sym::I_BACKTRACE),
            ("name", sym::I_NAME),
            ("receiver", sym::I_RECEIVER),
            ("key", sym::I_KEY),
            ("cause", sym::I_CAUSE),
            ("errno", sym::I_ERRNO),
            ("status", sym::I_STATUS),
            ("signo", sym::I_SIGNO),
        ];
        let there: Vec<(&str, Value)> = hidden
            .iter()
            .filter_map(|&(name, i)| match vm.ivar_get(v, i) {
                Some(x) if name != "cause" || !x.is_nil() => Some((name, x)),
                None if name == "mesg" || name == "bt" => Some((name, NIL)),
                _ => None,
            })
            .collect();
        self.long((there.len() + own.len()) as i64);
        for (name, x) in there {
            self.name(name);
            self.value(x, limit)?;
        }
        self.own(v, &own, limit)
    }
}

/// The shortest digits that read back as the same float, in the format's own layout.
fn float_text(f: f64) -> String {
    if f.is_nan() {
        return "nan".into();
    }
    let sign = if f.is_sign_negative() { "-" } else { "" };
    if f.is_infinite() {
        return format!("{sign}inf");
    }
    if f == 0.0 {
        return format!("{sign}0");
    }
    let text = format!("{:e}", f.abs());
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let point: i32 = exponent.parse::<i32>().unwrap_or(0) + 1;
    let n = digits.len() as i32;
    let body = if point < -3 || point > n {
        let (first, rest) = digits.split_at(1);
        let dot = if rest.is_empty() { "" } else { "." };
        format!("{first}{dot}{rest}e{}", point - 1)
    } else if point > 0 {
        let (whole, rest) = digits.split_at(point as usize);
        let dot = if rest.is_empty() { "" } else { "." };
        format!("{whole}{dot}{rest}")
    } else {
        format!("0.{}{digits}", "0".repeat((-point) as usize))
    };
    format!("{sign}{body}")
}
