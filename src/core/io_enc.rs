//! Encodings of streams: names and Encoding objects as arguments, the encoding of what is read.

use super::stream::{Stream, flag};
use crate::object::{Enc, RString};
use crate::value::{NIL, Ruby, Value};
use crate::vm::Vm;

/// An encoding by name; `None` if it is not one we know.
pub fn named(name: &str) -> Option<Enc> {
    let name = name.trim();
    let alias = match name.to_ascii_uppercase().as_str() {
        "ASCII-8BIT" => "BINARY",
        "ASCII" => "US-ASCII",
        "UTF8" | "CP65001" | "UTF-8-MAC" | "UTF8-MAC" | "LOCALE" | "EXTERNAL" | "FILESYSTEM" => "UTF-8",
        "CP1252" => "Windows-1252",
        "LATIN1" | "ISO8859-1" => "ISO-8859-1",
        "EUCJP" => "EUC-JP",
        "SJIS" => "Windows-31J",
        "CP932" => "Windows-31J",
        _ => name,
    };
    Enc::ALL.into_iter().find(|e| e.name().eq_ignore_ascii_case(alias))
}

/// An encoding from an Encoding object or a name; nil is none, an unknown name only a warning.
pub fn from_value(vm: Vm, v: Value) -> Ruby<Option<Enc>> {
    if v.is_nil() {
        return Ok(None);
    }
    let name = if v.as_str().is_some() { v } else { vm.to_s(v)?.value() };
    let name = vm.to_str(name)?;
    from_name(vm, &name.text())
}
/// As `from_value`, for the text after the colon of a mode.
pub fn from_name(vm: Vm, name: &str) -> Ruby<Option<Enc>> {
    if name == "-" || name.is_empty() {
        return Ok(None);
    }
    let found = named(name);
    if found.is_none() {
        vm.warn(&format!("warning: Unsupported encoding {name} ignored"))?;
    }
    Ok(found)
}
/// The Encoding object, or nil.
pub fn object(vm: Vm, enc: Option<Enc>) -> Value {
    match (enc, vm.hooks.encoding.get()) {
        (Some(e), Some(f)) => f(vm, e),
        _ => NIL,
    }
}

impl Stream {
    /// The encoding of text read from it.
    pub fn read_enc(&self) -> Enc {
        match self.external.get() {
            Some(e) => e,
            None if self.has(flag::BINARY) => Enc::Binary,
            None => Enc::Utf8,
        }
    }
    /// Text read from it as a String, in the internal encoding if there is one.
    pub fn text(&self, vm: Vm, bytes: Vec<u8>) -> Ruby {
        let enc = self.read_enc();
        let s = RString::from_vec(&vm, bytes, enc);
        match self.internal.get() {
            Some(to) if to != enc && !(to.ascii_compatible() && s.is_ascii_only()) => {
                let to = vm.str(to.name());
                vm.send(s.value(), vm.intern("encode"), &[to])
            }
            Some(to) => {
                s.set_enc(to);
                Ok(s.value())
            }
            None => Ok(s.value()),
        }
    }
}
