//! `Encoding::Converter`, and what conversion errors tell.

use super::encoding::{object, to_enc};
use super::string::new_str;
use super::string_enc::{options, stopped};
use super::transcode::{Options, Stop, Transcoder, has_converter};
use crate::class;
use crate::heap::Marker;
use crate::object::{Data, Enc, RArray, RData, RString};
use crate::value::{FALSE, NIL, Ruby, TRUE, Value};
use crate::vm::native::{ClassDef, MethodDef, arity};
use crate::vm::{Args, Vm};
use std::cell::{Cell, RefCell};

class! { "Encoding::Converter" < "Object";
    self ["asciicompat_encoding"]  req(1)    => asciicompat_encoding;
    self ["search_convpath"]       kw(2, 2)  => search_convpath;
    ["initialize"]                 kw(1, 3)  => initialize;
    ["convert"]                    req(1)    => convert;
    ["finish"]                     req(0)    => finish;
    ["primitive_convert"]          kw(1, 5)  => primitive_convert;
    ["primitive_errinfo"]          req(0)    => primitive_convert;
    ["putback"]                    opt(0, 1) => primitive_convert;
    ["insert_output"]              req(1)    => primitive_convert;
    ["last_error"]                 req(0)    => last_error;
    ["source_encoding"]            req(0)    => source_encoding;
    ["destination_encoding"]       req(0)    => destination_encoding;
    ["replacement"]                req(0)    => replacement;
    ["replacement="]               req(1)    => set_replacement;
    ["convpath"]                   req(0)    => convpath;
    ["inspect"]                    req(0)    => inspect;
    ["=="]                         req(1)    => eq;
}

const fn row(name: &'static [&'static str], f: crate::vm::native::Native) -> MethodDef {
    MethodDef { names: name, arity: arity::req(0), f, scope: "" }
}
/// What both kinds of conversion error answer.
const SHARED: &[MethodDef] = &[
    row(&["source_encoding_name"], |vm, this, _| Ok(hidden(vm, this, "__from_name"))),
    row(&["destination_encoding_name"], |vm, this, _| Ok(hidden(vm, this, "__to_name"))),
    row(&["source_encoding"], |vm, this, _| Ok(hidden(vm, this, "__from"))),
    row(&["destination_encoding"], |vm, this, _| Ok(hidden(vm, this, "__to"))),
];
const UNDEFINED: ClassDef = ClassDef {
    name: "Encoding::UndefinedConversionError",
    superclass: Some("EncodingError"),
    methods: &[row(&["error_char"], |vm, this, _| Ok(hidden(vm, this, "__piece")))],
};
const INVALID: ClassDef = ClassDef {
    name: "Encoding::InvalidByteSequenceError",
    superclass: Some("EncodingError"),
    methods: &[
        row(&["error_bytes"], |vm, this, _| Ok(hidden(vm, this, "__piece"))),
        row(&["readagain_bytes"], |vm, this, _| Ok(hidden(vm, this, "__again"))),
        row(&["incomplete_input?"], |vm, this, _| Ok(hidden(vm, this, "__incomplete"))),
    ],
};

struct Converter {
    from: Cell<Enc>,
    to: Cell<Enc>,
    options: RefCell<Options>,
    /// bytes of a character that is not complete yet
    held: RefCell<Vec<u8>>,
    running: RefCell<Option<Transcoder>>,
    replacement: Cell<Value>,
    last_error: Cell<Value>,
}
impl Data for Converter {
    fn trace(&self, m: &mut Marker) {
        m.value(self.replacement.get());
        m.value(self.last_error.get());
    }
}

pub fn boot(vm: Vm) {
    let c = vm.define_table(&CLASS);
    vm.set_allocator(c, |vm, class| {
        let state = Converter {
            from: Cell::new(Enc::Utf8),
            to: Cell::new(Enc::Utf8),
            options: RefCell::default(),
            held: RefCell::default(),
            running: RefCell::default(),
            replacement: Cell::new(NIL),
            last_error: Cell::new(NIL),
        };
        Ok(RData::alloc(&vm, class, state))
    });
    for def in [UNDEFINED, INVALID] {
        vm.define_table(&def);
        vm.define_table(&ClassDef { name: def.name, superclass: def.superclass, methods: SHARED });
    }
    for (name, n) in [
        ("INVALID_MASK", 0xf),
        ("INVALID_REPLACE", 2),
        ("UNDEF_MASK", 0xf0),
        ("UNDEF_REPLACE", 0x20),
        ("UNDEF_HEX_CHARREF", 0x30),
        ("PARTIAL_INPUT", 0x10000),
        ("AFTER_OUTPUT", 0x20000),
        ("UNIVERSAL_NEWLINE_DECORATOR", 0x100),
        ("CRLF_NEWLINE_DECORATOR", 0x1000),
        ("CR_NEWLINE_DECORATOR", 0x2000),
        ("LF_NEWLINE_DECORATOR", 0x4000),
        ("XML_TEXT_DECORATOR", 0x4000),
        ("XML_ATTR_CONTENT_DECORATOR", 0x8000),
        ("XML_ATTR_QUOTE_DECORATOR", 0x10_0000),
    ] {
        vm.set_const(c, vm.intern(name), Value::fixnum(n));
    }
}

fn hidden(vm: Vm, this: Value, name: &str) -> Value {
    vm.ivar_get(this, vm.intern(name)).unwrap_or(NIL)
}
/// Fills in what a conversion error tells about itself.
pub fn describe_error(vm: Vm, e: Value, from: Enc, to: Enc, piece: &[u8], again: &[u8], incomplete: bool) {
    let set = |name: &str, v: Value| {
        vm.ivar_set(e, vm.intern(name), v);
    };
    set("__from", object(vm, from));
    set("__to", object(vm, to));
    set("__from_name", vm.str(from.name()));
    set("__to_name", vm.str(to.name()));
    let undefined = vm.class_of(e) == vm.classes.undefined_conversion_error.get();
    set("__piece", RString::from_bytes(&vm, piece, if undefined { from } else { Enc::Binary }).value());
    set("__again", RString::from_bytes(&vm, again, Enc::Binary).value());
    set("__incomplete", Value::bool(incomplete));
}

fn state(vm: Vm, this: Value) -> Ruby<&'static Converter> {
    match this.data::<Converter>() {
        Some(c) => Ok(c),
        None => Err(vm.type_error("uninitialized encoding converter")),
    }
}
fn conv_enc(vm: Vm, v: Value, what: (Value, Value)) -> Ruby<Enc> {
    if super::encoding::of_object(v).is_some() {
        return to_enc(vm, v);
    }
    match super::encoding::lookup(vm.to_str(v)?.bytes()) {
        Some(e) => Ok(e),
        None => {
            let (a, b) = (vm.to_s(what.0)?, vm.to_s(what.1)?);
            let text = format!("code converter not found ({} to {})", a.text(), b.text());
            Err(vm.raise(vm.classes.converter_not_found_error.get(), &text))
        }
    }
}

/// `Encoding::Converter.new(from, to, **options)`.
fn initialize(vm: Vm, this: Value, args: Args) -> Ruby {
    let c = state(vm, this)?;
    if args.len() < 2 {
        return Err(vm.not_implemented("Encoding::Converter.new with a conversion path"));
    }
    let (a, b) = (args.or_nil(0), args.or_nil(1));
    let (from, to) = (conv_enc(vm, a, (a, b))?, conv_enc(vm, b, (a, b))?);
    if from == to || !has_converter(from, to) {
        let text = format!("code converter not found ({} to {})", from.name(), to.name());
        return Err(vm.raise(vm.classes.converter_not_found_error.get(), &text));
    }
    let (mut o, _) = options(vm, args, to)?;
    if let Some(bits) = args.get(2) {
        let bits = vm.to_i64(bits)?;
        o.invalid |= bits & 0xf == 2;
        o.undef |= bits & 0xf0 == 0x20;
    }
    c.from.set(from);
    c.to.set(to);
    if let Some(r) = &o.replacement {
        c.replacement.set(new_str(vm, r.clone(), to));
    }
    *c.options.borrow_mut() = o;
    Ok(this)
}

/// `converter.convert(source)`: a character cut off at the end waits for the next call.
fn convert(vm: Vm, this: Value, args: Args) -> Ruby {
    let c = state(vm, this)?;
    let s = vm.to_str(args.or_nil(0))?;
    let mut b = c.held.take();
    b.extend_from_slice(s.bytes());
    let options = c.options.borrow().clone();
    let mut t = match c.running.take() {
        Some(t) => t,
        None => Transcoder::new(c.from.get(), c.to.get(), options),
    };
    let result = match t.convert(&b, 0) {
        Err(Stop::Invalid { at, incomplete: true, .. }) => {
            *c.held.borrow_mut() = b[at..].to_vec();
            Ok(())
        }
        Err(stop) => {
            let r = stopped(vm, &b, c.from.get(), c.to.get(), &stop);
            c.last_error.set(vm.pending_exception().unwrap_or(NIL));
            Err(r)
        }
        Ok(()) => Ok(()),
    };
    let out = std::mem::take(&mut t.out);
    *c.running.borrow_mut() = Some(t);
    result?;
    Ok(new_str(vm, out, c.to.get()))
}
fn finish(vm: Vm, this: Value, _args: Args) -> Ruby {
    let c = state(vm, this)?;
    let held = c.held.take();
    if !held.is_empty() {
        let stop = Stop::Invalid { at: 0, end: held.len(), again: 0, incomplete: true };
        let r = stopped(vm, &held, c.from.get(), c.to.get(), &stop);
        c.last_error.set(vm.pending_exception().unwrap_or(NIL));
        return Err(r);
    }
    let mut out = Vec::new();
    if let Some(mut t) = c.running.take() {
        t.finish();
        out = std::mem::take(&mut t.out);
    }
    Ok(new_str(vm, out, c.to.get()))
}
fn primitive_convert(vm: Vm, _this: Value, _args: Args) -> Ruby {
    Err(vm.not_implemented("Encoding::Converter#primitive_convert"))
}
fn last_error(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(state(vm, this)?.last_error.get())
}
fn source_encoding(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(object(vm, state(vm, this)?.from.get()))
}
fn destination_encoding(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(object(vm, state(vm, this)?.to.get()))
}
fn replacement(vm: Vm, this: Value, _args: Args) -> Ruby {
    let c = state(vm, this)?;
    if !c.replacement.get().is_nil() {
        return Ok(c.replacement.get());
    }
    Ok(if c.to.get().is_unicode() { vm.str("\u{fffd}") } else { new_str(vm, b"?".to_vec(), Enc::Ascii) })
}
fn set_replacement(vm: Vm, this: Value, args: Args) -> Ruby {
    let c = state(vm, this)?;
    let r = vm.to_str(args.or_nil(0))?;
    let mut t = Transcoder::new(r.enc(), c.to.get(), Options::default());
    let bytes = if r.enc() == c.to.get() {
        r.bytes().to_vec()
    } else {
        match t.convert(r.bytes(), 0) {
            Ok(()) => t.out,
            Err(stop) => return Err(stopped(vm, r.bytes(), r.enc(), c.to.get(), &stop)),
        }
    };
    c.replacement.set(new_str(vm, bytes.clone(), c.to.get()));
    c.options.borrow_mut().replacement = Some(bytes);
    Ok(args.or_nil(0))
}

/// Pairs of encodings a conversion goes through.
fn path(vm: Vm, from: Enc, to: Enc) -> Value {
    let list = RArray::new(&vm, 2);
    let pair = |a: Enc, b: Enc| vm.array(&[object(vm, a), object(vm, b)]);
    if from == Enc::Utf8 || to == Enc::Utf8 {
        list.push(&vm, pair(from, to));
    } else {
        list.push(&vm, pair(from, Enc::Utf8));
        list.push(&vm, pair(Enc::Utf8, to));
    }
    list.value()
}
fn convpath(vm: Vm, this: Value, _args: Args) -> Ruby {
    let c = state(vm, this)?;
    Ok(path(vm, c.from.get(), c.to.get()))
}
fn search_convpath(vm: Vm, _this: Value, args: Args) -> Ruby {
    let (a, b) = (args.or_nil(0), args.or_nil(1));
    let (from, to) = (conv_enc(vm, a, (a, b))?, conv_enc(vm, b, (a, b))?);
    if from == to || !has_converter(from, to) {
        let text = format!("code converter not found ({} to {})", from.name(), to.name());
        return Err(vm.raise(vm.classes.converter_not_found_error.get(), &text));
    }
    Ok(path(vm, from, to))
}
fn asciicompat_encoding(vm: Vm, _this: Value, args: Args) -> Ruby {
    let v = args.or_nil(0);
    let enc = match super::encoding::of_object(v) {
        Some(e) => Some(e),
        None => super::encoding::lookup(vm.to_str(v)?.bytes()),
    };
    Ok(match enc {
        Some(e) if !e.ascii_compatible() => object(vm, Enc::Utf8),
        _ => NIL,
    })
}
fn inspect(vm: Vm, this: Value, _args: Args) -> Ruby {
    let c = state(vm, this)?;
    Ok(vm.str(&format!("#<Encoding::Converter: {} to {}>", c.from.get().name(), c.to.get().name())))
}
fn eq(vm: Vm, this: Value, args: Args) -> Ruby {
    let c = state(vm, this)?;
    Ok(match args.or_nil(0).data::<Converter>() {
        Some(d) if d.from.get() == c.from.get() && d.to.get() == c.to.get() => TRUE,
        _ => FALSE,
    })
}
