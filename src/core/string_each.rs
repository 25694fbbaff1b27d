//! `String`: characters, bytes, codes and grapheme clusters one by one.

use super::string::{broken, enumerator, me};
use crate::class;
use crate::object::{Enc, RArray, RString, Str};
use crate::value::{Ruby, Value};
use crate::vm::{Args, Vm};
use unicode_segmentation::UnicodeSegmentation;

class! { "String" < "Object";
    ["each_char"]              req(0) => each_char;
    ["chars"]                  req(0) => chars;
    ["each_byte"]              req(0) => each_byte;
    ["bytes"]                  req(0) => bytes;
    ["each_codepoint"]         req(0) => each_codepoint;
    ["codepoints"]             req(0) => codepoints;
    ["each_grapheme_cluster"]  req(0) => each_grapheme_cluster;
    ["grapheme_clusters"]      req(0) => grapheme_clusters;
}

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}

/// Bytes of the character at `at`.
fn char_at(s: Str, at: usize) -> usize {
    if s.single_byte() { 1 } else { s.enc().step(&s.bytes()[at..]).len }
}
fn size_of_chars(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(Value::fixnum(me(vm, this)?.char_len() as i64))
}

fn each_char(vm: Vm, this: Value, args: Args) -> Ruby {
    let Some(block) = args.block() else {
        return enumerator(vm, this, "each_char", &[], Some(size_of_chars));
    };
    let s = RString::frozen_copy(&vm, me(vm, this)?);
    let mut at = 0;
    while at < s.len() {
        let n = char_at(s, at);
        vm.yield1(block, RString::substring(&vm, s, at, n).value())?;
        at += n;
    }
    crate::heap::root::keep(s.value());
    Ok(this)
}
fn chars(vm: Vm, this: Value, args: Args) -> Ruby {
    if args.block().is_some() {
        return each_char(vm, this, args);
    }
    let s = me(vm, this)?;
    let list = RArray::new(&vm, s.char_len());
    let mut at = 0;
    while at < s.len() {
        let n = char_at(s, at);
        list.push(&vm, RString::substring(&vm, s, at, n).value());
        at += n;
    }
    Ok(list.value())
}

fn each_byte(vm: Vm, this: Value, args: Args) -> Ruby {
    let Some(block) = args.block() else {
        return enumerator(
            vm,
            this,
            "each_byte",
            &[],
            Some(|vm, this, _| Ok(Value::fixnum(me(vm, this)?.len() as i64))),
        );
    };
    let s = me(vm, this)?;
    let mut i = 0;
    while let Some(&b) = s.bytes().get(i) {
        vm.yield1(block, Value::fixnum(b as i64))?;
        i += 1;
    }
    Ok(this)
}
fn bytes(vm: Vm, this: Value, args: Args) -> Ruby {
    if args.block().is_some() {
        return each_byte(vm, this, args);
    }
    let s = me(vm, this)?;
    let list = RArray::new(&vm, s.len());
    for &b in s.bytes() {
        list.push(&vm, Value::fixnum(b as i64));
    }
    Ok(list.value())
}

/// Code of the character at `at` and its length; ArgumentError for invalid bytes.
fn code_at(vm: Vm, s: Str, at: usize) -> Ruby<(u32, usize)> {
    let st = s.enc().step(&s.bytes()[at..]);
    match st.code {
        Some(c) => Ok((c, st.len)),
        None => Err(broken(vm, s.enc())),
    }
}
fn each_codepoint(vm: Vm, this: Value, args: Args) -> Ruby {
    let Some(block) = args.block() else {
        return enumerator(vm, this, "each_codepoint", &[], Some(size_of_chars));
    };
    let s = RString::frozen_copy(&vm, me(vm, this)?);
    let mut at = 0;
    while at < s.len() {
        let (c, n) = code_at(vm, s, at)?;
        vm.yield1(block, Value::fixnum(c as i64))?;
        at += n;
    }
    crate::heap::root::keep(s.value());
    Ok(this)
}
fn codepoints(vm: Vm, this: Value, args: Args) -> Ruby {
    if args.block().is_some() {
        return each_codepoint(vm, this, args);
    }
    let s = me(vm, this)?;
    let list = RArray::new(&vm, s.len());
    let mut at = 0;
    while at < s.len() {
        let (c, n) = code_at(vm, s, at)?;
        list.push(&vm, Value::fixnum(c as i64));
        at += n;
    }
    Ok(list.value())
}

/// Bytes that begin a UTF-8 character but do not end it.
fn cut_off(b: &[u8]) -> bool {
    matches!(std::str::from_utf8(b), Err(e) if e.error_len().is_none())
}
/// Lengths in bytes of the grapheme clusters.
fn clusters(s: Str) -> Vec<usize> {
    let enc = s.enc();
    if !enc.is_unicode() {
        return enc.chars(s.bytes()).map(|c| c.1).collect();
    }
    if enc == Enc::Utf8 {
        let mut out = Vec::new();
        for chunk in s.bytes().utf8_chunks() {
            out.extend(chunk.valid().graphemes(true).map(str::len));
            // A character cut off at the end is left out, as CRuby does.
            if !chunk.invalid().is_empty() && !cut_off(chunk.invalid()) {
                out.extend(chunk.invalid().iter().map(|_| 1));
            }
        }
        return out;
    }
    // Other Unicode encodings: by way of UTF-8, lengths added up again.
    let mut text = String::new();
    let mut lens = Vec::new();
    for (_, len, code) in enc.chars(s.bytes()) {
        text.push(code.and_then(char::from_u32).unwrap_or('\u{fffd}'));
        lens.push(len);
    }
    let mut lens = lens.into_iter();
    text.graphemes(true).map(|g| lens.by_ref().take(g.chars().count()).sum()).collect()
}
fn each_grapheme_cluster(vm: Vm, this: Value, args: Args) -> Ruby {
    let Some(block) = args.block() else {
        return enumerator(
            vm,
            this,
            "each_grapheme_cluster",
            &[],
            Some(|vm, this, _| Ok(Value::fixnum(clusters(me(vm, this)?).len() as i64))),
        );
    };
    let s = RString::frozen_copy(&vm, me(vm, this)?);
    let mut at = 0;
    for n in clusters(s) {
        vm.yield1(block, RString::substring(&vm, s, at, n).value())?;
        at += n;
    }
    crate::heap::root::keep(s.value());
    Ok(this)
}
fn grapheme_clusters(vm: Vm, this: Value, args: Args) -> Ruby {
    if args.block().is_some() {
        return each_grapheme_cluster(vm, this, args);
    }
    let s = me(vm, this)?;
    let list = RArray::new(&vm, 0);
    let mut at = 0;
    for n in clusters(s) {
        list.push(&vm, RString::substring(&vm, s, at, n).value());
        at += n;
    }
    Ok(list.value())
}
