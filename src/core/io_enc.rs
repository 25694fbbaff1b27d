//! Encodings of streams: names and Encoding objects as arguments, the encoding of what is read.

use super::encoding;
use super::stream::{Stream, flag};
use crate::object::{Enc, RString};
use crate::value::{NIL, Ruby, Value};
use crate::vm::Vm;

/// An encoding from an Encoding object or a name; nil is none, an unknown name only a warning.
pub fn from_value(vm: Vm, v: Value) -> Ruby<Option<Enc>> {
    if v.is_nil() {
        return Ok(None);
    }
    if let Some(e) = encoding::of_object(v) {
        return Ok(Some(e));
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
    let found = encoding::lookup(name.trim().as_bytes());
    if found.is_none() {
        vm.warn(&format!("warning: Unsupported encoding {name} ignored"))?;
    }
    Ok(found)
}
/// The Encoding object, or nil.
pub fn object(vm: Vm, enc: Option<Enc>) -> Value {
    enc.map_or(NIL, |e| encoding::object(vm, e))
}

impl Stream {
    /// The encoding of text read from it.
    pub fn read_enc(&self, vm: Vm) -> Enc {
        match self.external.get() {
            Some(e) => e,
            None if self.has(flag::BINARY) => Enc::Binary,
            None => encoding::external(vm),
        }
    }
    /// Text read from it as a String, in the internal encoding if there is one.
    pub fn text(&self, vm: Vm, bytes: Vec<u8>) -> Ruby {
        let enc = self.read_enc(vm);
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
