//! `Encoding`: names, defaults, and what goes with what.

use super::string::compatible as strings_compatible;
use crate::class;
use crate::object::{Data, Enc, RArray, RData, RHash, RString};
use crate::value::{FALSE, NIL, Ruby, TRUE, Value};
use crate::vm::{Args, Vm};
use std::cell::{Cell, RefCell};

class! { "Encoding" < "Object";
    self ["list"]              req(0) => list;
    self ["name_list"]         req(0) => name_list;
    self ["aliases"]           req(0) => aliases;
    self ["find"]              req(1) => find;
    self ["compatible?"]       req(2) => compatible;
    self ["default_external"]  req(0) => default_external;
    self ["default_external="] req(1) => set_default_external;
    self ["default_internal"]  req(0) => default_internal;
    self ["default_internal="] req(1) => set_default_internal;
    self ["locale_charmap"]    req(0) => locale_charmap;
    ["name", "to_s"]           req(0) => name;
    ["names"]                  req(0) => names;
    ["inspect"]                req(0) => inspect;
    ["ascii_compatible?"]      req(0) => ascii_compatible;
    ["dummy?"]                 req(0) => dummy;
}

/// An Encoding object.
struct Object(Enc);
impl Data for Object {}

/// The objects by encoding number, and the process's defaults.
#[derive(Default)]
struct Encodings {
    objects: RefCell<Vec<Value>>,
    external: Cell<Option<Enc>>,
    internal: Cell<Option<Enc>>,
}

/// Other names of encodings.
const ALIASES: &[(&str, Enc)] = &[
    ("BINARY", Enc::Binary),
    ("CP932", Enc::Windows31J),
    ("csWindows31J", Enc::Windows31J),
    ("SJIS", Enc::Windows31J),
    ("PCK", Enc::Windows31J),
    ("ASCII", Enc::Ascii),
    ("ANSI_X3.4-1968", Enc::Ascii),
    ("646", Enc::Ascii),
    ("CP65001", Enc::Utf8),
    ("CP65000", Enc::Utf7),
    ("UCS-2BE", Enc::Utf16Be),
    ("UCS-4BE", Enc::Utf32Be),
    ("UCS-4LE", Enc::Utf32Le),
    ("eucJP", Enc::EucJp),
    ("ISO8859-1", Enc::Latin1),
    ("ISO8859-15", Enc::Latin9),
    ("CP1252", Enc::Windows1252),
    ("ISO8859-2", Enc::Iso8859x2),
    ("ISO8859-3", Enc::Iso8859x3),
    ("ISO8859-4", Enc::Iso8859x4),
    ("ISO8859-5", Enc::Iso8859x5),
    ("ISO8859-6", Enc::Iso8859x6),
    ("ISO8859-7", Enc::Iso8859x7),
    ("ISO8859-8", Enc::Iso8859x8),
    ("ISO8859-9", Enc::Iso8859x9),
    ("ISO8859-10", Enc::Iso8859x10),
    ("ISO8859-11", Enc::Iso8859x11),
    ("ISO8859-13", Enc::Iso8859x13),
    ("ISO8859-14", Enc::Iso8859x14),
    ("ISO8859-16", Enc::Iso8859x16),
    ("CP1250", Enc::Windows1250),
    ("CP1251", Enc::Windows1251),
    ("CP1253", Enc::Windows1253),
    ("CP1254", Enc::Windows1254),
    ("CP1255", Enc::Windows1255),
    ("CP1256", Enc::Windows1256),
    ("CP1257", Enc::Windows1257),
    ("CP1258", Enc::Windows1258),
    ("eucKR", Enc::EucKr),
    ("eucTW", Enc::EucTw),
    ("CP936", Enc::Gbk),
    ("ISO2022-JP", Enc::Iso2022Jp),
    ("CP878", Enc::Koi8R),
    ("CP437", Enc::Ibm437),
    ("CP866", Enc::Ibm866),
    ("UTF-8-MAC", Enc::Utf8Mac),
    ("UTF-8-HFS", Enc::Utf8Mac),
    ("locale", Enc::Utf8),
    ("external", Enc::Utf8),
    ("filesystem", Enc::Utf8),
];

pub fn boot(vm: Vm) {
    let c = vm.define_table(&CLASS);
    super::numeric::no_new(vm, c);
    let all = vm.slot::<Encodings>();
    for enc in Enc::ALL {
        let o = RData::alloc(&vm, c, Object(enc));
        if let Some(h) = o.header() {
            h.set(crate::heap::flags::FROZEN)
        }
        vm.keep_forever(o);
        all.objects.borrow_mut().push(o);
        constants(vm, enc.name(), o);
    }
    for (name, enc) in ALIASES {
        if name.as_bytes()[0].is_ascii_digit() || matches!(*name, "locale" | "external" | "filesystem") {
            continue;
        }
        constants(vm, name, object(vm, *enc));
    }
    vm.hooks.encoding.set(Some(object));
    for name in ["CompatibilityError", "UndefinedConversionError", "InvalidByteSequenceError", "ConverterNotFoundError"]
    {
        let above = vm.classes.encoding_error.get();
        vm.define_class(&format!("Encoding::{name}"), Some(above));
    }
    super::converter::boot(vm);
}
/// Constants of a name: as it is with dashes as underscores, and all in capitals.
fn constants(vm: Vm, name: &str, o: Value) {
    let c = vm.classes.encoding.get();
    let base = name.replace(['-', '.'], "_");
    let mut first = base.clone();
    if let Some(head) = first.get_mut(0..1) {
        head.make_ascii_uppercase();
    }
    for n in [first, base.to_ascii_uppercase()] {
        let n = vm.intern(&n);
        if c.own_const(n).is_none() {
            vm.set_const(c, n, o);
        }
    }
}

/// The Encoding object of an encoding.
pub fn object(vm: Vm, enc: Enc) -> Value {
    vm.slot::<Encodings>().objects.borrow().get(enc as usize).copied().unwrap_or(NIL)
}
/// The encoding of an Encoding object.
pub fn of_object(v: Value) -> Option<Enc> {
    v.data::<Object>().map(|o| o.0)
}
/// By name or alias, in any case.
pub fn lookup(name: &[u8]) -> Option<Enc> {
    let same = |n: &str| n.as_bytes().eq_ignore_ascii_case(name);
    Enc::ALL.into_iter().find(|e| same(e.name())).or_else(|| ALIASES.iter().find(|a| same(a.0)).map(|a| a.1))
}
/// An Encoding or its name; ArgumentError for unknown names.
pub fn to_enc(vm: Vm, v: Value) -> Ruby<Enc> {
    if let Some(e) = of_object(v) {
        return Ok(e);
    }
    let s = vm.to_str(v)?;
    match s.bytes() {
        b"external" => return Ok(external(vm)),
        b"internal" => return Ok(internal(vm).unwrap_or(Enc::Binary)),
        _ => {}
    }
    match lookup(s.bytes()) {
        Some(e) => Ok(e),
        None => Err(vm.arg_error(&format!("unknown encoding name - {}", s.text()))),
    }
}
/// `Encoding.default_external`.
pub fn external(vm: Vm) -> Enc {
    vm.slot::<Encodings>().external.get().unwrap_or(Enc::Utf8)
}
/// `Encoding.default_internal`.
pub fn internal(vm: Vm) -> Option<Enc> {
    vm.slot::<Encodings>().internal.get()
}

fn list(vm: Vm, _this: Value, _args: Args) -> Ruby {
    let all = RArray::new(&vm, 16);
    for e in Enc::ALL {
        all.push(&vm, object(vm, e));
    }
    Ok(all.value())
}
fn ascii_str(vm: Vm, s: &str) -> Value {
    RString::ascii(&vm, s).value()
}
fn name_list(vm: Vm, _this: Value, _args: Args) -> Ruby {
    let all = RArray::new(&vm, 32);
    for e in Enc::ALL {
        all.push(&vm, ascii_str(vm, e.name()));
    }
    for (n, _) in ALIASES {
        all.push(&vm, ascii_str(vm, n));
    }
    Ok(all.value())
}
fn aliases(vm: Vm, _this: Value, _args: Args) -> Ruby {
    let h = RHash::new(&vm);
    for (n, e) in ALIASES {
        let key = ascii_str(vm, n);
        h.set(&vm, &vm, key, ascii_str(vm, e.name()))?;
    }
    Ok(h.value())
}
fn find(vm: Vm, _this: Value, args: Args) -> Ruby {
    let v = args.or_nil(0);
    if of_object(v).is_some() {
        return Ok(v);
    }
    let v = match v.as_symbol() {
        Some(s) => vm.str(&vm.name_of(s)),
        None => v,
    };
    if vm.to_str(v)?.bytes() == b"internal" {
        return Ok(internal(vm).map_or(NIL, |e| object(vm, e)));
    }
    Ok(object(vm, to_enc(vm, v)?))
}

/// Encoding of a value that has one.
fn enc_of(vm: Vm, v: Value) -> Option<Enc> {
    if let Some(s) = v.as_str() {
        return Some(s.enc());
    }
    if let Some(s) = v.as_symbol() {
        return Some(vm.symbols.enc(s));
    }
    of_object(v).or_else(|| super::regexp::enc_of(v))
}
fn compatible(vm: Vm, _this: Value, args: Args) -> Ruby {
    let (a, b) = (args.or_nil(0), args.or_nil(1));
    let (Some(x), Some(y)) = (enc_of(vm, a), enc_of(vm, b)) else { return Ok(NIL) };
    let found = match (a.as_str(), b.as_str()) {
        (Some(s), Some(t)) => strings_compatible(s, t),
        _ if x == y => Some(x),
        _ if !x.ascii_compatible() || !y.ascii_compatible() => None,
        // Something other than a string counts as ASCII only when its encoding is US-ASCII.
        (Some(s), None) if s.is_empty() => Some(y),
        (None, Some(t)) if t.is_empty() => Some(x),
        (Some(s), None) if y == Enc::Ascii => Some(s.enc()),
        (None, Some(t)) if x == Enc::Ascii => Some(t.enc()),
        (Some(s), None) if s.is_ascii_only() => Some(y),
        (None, Some(t)) if t.is_ascii_only() => Some(x),
        _ if y == Enc::Ascii && of_object(a).is_none() => Some(x),
        _ if x == Enc::Ascii && of_object(b).is_none() => Some(y),
        _ => None,
    };
    Ok(found.map_or(NIL, |e| object(vm, e)))
}

fn default_external(vm: Vm, _this: Value, _args: Args) -> Ruby {
    Ok(object(vm, external(vm)))
}
fn set_default_external(vm: Vm, _this: Value, args: Args) -> Ruby {
    if args.or_nil(0).is_nil() {
        return Err(vm.arg_error("default external can not be nil"));
    }
    let e = to_enc(vm, args.or_nil(0))?;
    vm.slot::<Encodings>().external.set(Some(e));
    Ok(args.or_nil(0))
}
fn default_internal(vm: Vm, _this: Value, _args: Args) -> Ruby {
    Ok(internal(vm).map_or(NIL, |e| object(vm, e)))
}
fn set_default_internal(vm: Vm, _this: Value, args: Args) -> Ruby {
    let v = args.or_nil(0);
    let e = if v.is_nil() { None } else { Some(to_enc(vm, v)?) };
    vm.slot::<Encodings>().internal.set(e);
    Ok(v)
}
fn locale_charmap(vm: Vm, _this: Value, _args: Args) -> Ruby {
    Ok(ascii_str(vm, "UTF-8"))
}

fn me(vm: Vm, this: Value) -> Ruby<Enc> {
    match of_object(this) {
        Some(e) => Ok(e),
        None => Err(vm.type_error("wrong argument type (expected Encoding)")),
    }
}
fn name(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(ascii_str(vm, me(vm, this)?.name()))
}
fn names(vm: Vm, this: Value, _args: Args) -> Ruby {
    let e = me(vm, this)?;
    let all = RArray::new(&vm, 4);
    all.push(&vm, ascii_str(vm, e.name()));
    for (n, _) in ALIASES.iter().filter(|a| a.1 == e) {
        all.push(&vm, ascii_str(vm, n));
    }
    Ok(all.value())
}
fn inspect(vm: Vm, this: Value, _args: Args) -> Ruby {
    let e = me(vm, this)?;
    let dummy = if e.is_dummy() { " (dummy)" } else { "" };
    Ok(ascii_str(vm, &format!("#<Encoding:{}{dummy}>", e.describe())))
}
fn ascii_compatible(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(Value::bool(me(vm, this)?.ascii_compatible()))
}
fn dummy(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(if me(vm, this)?.is_dummy() { TRUE } else { FALSE })
}
