//! Building `inspect` and `join` results: bytes plus the encoding they settle on.

use crate::object::{Enc, RString, Str};
use crate::value::{Ruby, Value};
use crate::vm::Vm;

/// Text under construction; starts as US-ASCII and takes the encoding of the first part that is not ASCII.
pub struct Text {
    pub bytes: Vec<u8>,
    enc: Enc,
    ascii: bool,
}

impl Text {
    pub fn new(start: &str) -> Text {
        Text { bytes: start.as_bytes().to_vec(), enc: Enc::Ascii, ascii: start.is_ascii() }
    }
    /// Appends ASCII text of ours.
    pub fn raw(&mut self, s: &str) {
        self.bytes.extend_from_slice(s.as_bytes());
        if !s.is_ascii() {
            self.ascii = false;
            self.enc = Enc::Utf8;
        }
    }
    /// The first part decides the encoding while everything is ASCII.
    pub fn adopt(&mut self, enc: Enc) {
        self.enc = enc
    }
    /// Appends a String; Encoding::CompatibilityError if the two cannot be mixed.
    pub fn push(&mut self, vm: Vm, s: Str) -> Ruby<()> {
        let ascii = s.is_ascii_only();
        if s.enc() != self.enc && !ascii && !s.is_empty() {
            if self.ascii && self.enc.ascii_compatible() {
                self.enc = s.enc();
            } else {
                let (a, b) = (enc_label(self.enc), enc_label(s.enc()));
                let text = format!("incompatible character encodings: {a} and {b}");
                return Err(vm.raise(vm.classes.compatibility_error.get(), &text));
            }
        }
        self.ascii &= ascii;
        self.bytes.extend_from_slice(s.bytes());
        Ok(())
    }
    /// Appends `v.inspect`.
    pub fn inspect(&mut self, vm: Vm, v: Value) -> Ruby<()> {
        let s = vm.inspect(v)?;
        if !s.enc().ascii_compatible() || (s.enc() != self.enc && !self.ascii && !s.is_ascii_only()) {
            // What cannot be shown in this encoding is shown as bytes.
            for &b in s.bytes() {
                if b.is_ascii() { self.bytes.push(b) } else { self.raw(&format!("\\x{b:02X}")) }
            }
            return Ok(());
        }
        self.push(vm, s)
    }
    pub fn finish(self, vm: Vm) -> Value {
        RString::from_vec(&vm, self.bytes, self.enc).value()
    }
}

fn enc_label(e: Enc) -> &'static str {
    if e == Enc::Binary { "BINARY (ASCII-8BIT)" } else { e.name() }
}
