//! `String`: `inspect`, `dump`, `undump`.

use super::onig::{Ctype, is_ctype};
use super::string::{me, new_str};
use crate::class;
use crate::object::{Enc, Str};
use crate::value::{Ruby, Value};
use crate::vm::{Args, Vm};

class! { "String" < "Object";
    ["inspect"] req(0) => inspect;
    ["dump"]    req(0) => dump;
    ["undump"]  req(0) => undump;
}

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}

/// The letter of a short escape such as `\n`.
fn short_escape(c: u32) -> Option<u8> {
    Some(match c {
        0x0a => b'n',
        0x0d => b'r',
        0x09 => b't',
        0x0c => b'f',
        0x0b => b'v',
        0x08 => b'b',
        0x07 => b'a',
        0x1b => b'e',
        _ => return None,
    })
}
fn hex(out: &mut Vec<u8>, bytes: &[u8]) {
    for b in bytes {
        out.extend_from_slice(format!("\\x{b:02X}").as_bytes());
    }
}

/// `"..."` in UTF-8, with everything escaped that does not print.
pub fn inspect_bytes(b: &[u8], enc: Enc) -> Vec<u8> {
    let mut out = Vec::with_capacity(b.len() + 2);
    out.push(b'"');
    let mut at = 0;
    while at < b.len() {
        let st = enc.step(&b[at..]);
        let piece = &b[at..at + st.len];
        at += st.len;
        let Some(c) = st.code else {
            hex(&mut out, piece);
            continue;
        };
        if let Some(e) = short_escape(c) {
            out.extend_from_slice(&[b'\\', e]);
        } else if c == '"' as u32 || c == '\\' as u32 {
            out.extend_from_slice(&[b'\\', c as u8]);
        } else if c == '#' as u32 {
            // Only where it would start an interpolation.
            let next = if at < b.len() { enc.step(&b[at..]).code } else { None };
            if next.is_some_and(|n| n == '{' as u32 || n == '$' as u32 || n == '@' as u32) {
                out.push(b'\\');
            }
            out.push(b'#');
        } else if (0x20..0x7f).contains(&c) {
            out.push(c as u8);
        } else if enc.is_unicode() {
            if enc == Enc::Utf8 && c >= 0x80 && c != 0x85 && is_ctype(c, Ctype::Print) {
                Enc::Utf8.put(c, &mut out);
            } else if c > 0xffff {
                out.extend_from_slice(format!("\\u{{{c:X}}}").as_bytes());
            } else {
                out.extend_from_slice(format!("\\u{c:04X}").as_bytes());
            }
        } else if st.len == 1 {
            hex(&mut out, piece);
        } else {
            // A character of another encoding than the one strings are shown in.
            out.extend_from_slice(format!("\\x{{{c:X}}}").as_bytes());
        }
    }
    out.push(b'"');
    out
}
fn inspect(vm: Vm, this: Value, _args: Args) -> Ruby {
    let s = me(vm, this)?;
    Ok(new_str(vm, inspect_bytes(s.bytes(), s.enc()), Enc::Utf8))
}

/// Bytes of `dump`: ASCII only.
fn dumped(s: Str) -> Vec<u8> {
    let b = s.bytes();
    let enc = s.enc();
    let mut out = vec![b'"'];
    let mut at = 0;
    while at < b.len() {
        let c = b[at];
        if let Some(e) = short_escape(c as u32) {
            out.extend_from_slice(&[b'\\', e]);
        } else if c == b'"' || c == b'\\' {
            out.extend_from_slice(&[b'\\', c]);
        } else if c == b'#' {
            if matches!(b.get(at + 1), Some(b'{' | b'$' | b'@')) {
                out.push(b'\\');
            }
            out.push(b'#');
        } else if (0x20..0x7f).contains(&c) {
            out.push(c);
        } else if c >= 0x80 && enc == Enc::Utf8 {
            let st = enc.step(&b[at..]);
            match st.code {
                Some(c) if st.len > 1 => {
                    let text = if c > 0xffff { format!("\\u{{{c:X}}}") } else { format!("\\u{c:04X}") };
                    out.extend_from_slice(text.as_bytes());
                    at += st.len;
                    continue;
                }
                _ => hex(&mut out, &[c]),
            }
        } else {
            hex(&mut out, &[c]);
        }
        at += 1;
    }
    out.push(b'"');
    if !enc.ascii_compatible() {
        out.extend_from_slice(format!(".dup.force_encoding(\"{}\")", enc.name()).as_bytes());
    }
    out
}
fn dump(vm: Vm, this: Value, _args: Args) -> Ruby {
    let s = me(vm, this)?;
    let enc = if s.enc().ascii_compatible() { s.enc() } else { Enc::Binary };
    Ok(new_str(vm, dumped(s), enc))
}

fn undump(vm: Vm, this: Value, _args: Args) -> Ruby {
    let s = me(vm, this)?;
    let b = s.bytes();
    let bad = |text: &str| Err(vm.runtime_error(text));
    if !s.is_ascii_only() {
        return bad("non-ASCII character detected at the middle of dumped string");
    }
    if b.contains(&0) {
        return bad("string contains null byte");
    }
    if b.first() != Some(&b'"') {
        return bad("invalid dumped string; not wrapped with '\"' nor '\"...\".force_encoding(\"...\")' form");
    }
    let mut enc = s.enc();
    let mut out = Vec::new();
    let (mut at, mut utf8, mut binary) = (1, false, false);
    loop {
        let Some(&c) = b.get(at) else { return bad("unterminated dumped string") };
        at += 1;
        match c {
            b'"' => break,
            b'\\' => {
                let Some(&e) = b.get(at) else { return bad("invalid escape") };
                at += 1;
                match e {
                    b'\\' | b'"' | b'#' => out.push(e),
                    b'n' => out.push(b'\n'),
                    b'r' => out.push(b'\r'),
                    b't' => out.push(b'\t'),
                    b'f' => out.push(0x0c),
                    b'v' => out.push(0x0b),
                    b'b' => out.push(0x08),
                    b'a' => out.push(0x07),
                    b'e' => out.push(0x1b),
                    b'x' => {
                        if utf8 {
                            return bad("hex escape and Unicode escape are mixed");
                        }
                        binary = true;
                        let n = b[at..].iter().take(2).take_while(|c| c.is_ascii_hexdigit()).count();
                        if n != 2 {
                            return bad("invalid hex escape");
                        }
                        let text = std::str::from_utf8(&b[at..at + 2]).unwrap_or("0");
                        out.push(u8::from_str_radix(text, 16).unwrap_or(0));
                        at += 2;
                    }
                    b'u' => {
                        if binary {
                            return bad("hex escape and Unicode escape are mixed");
                        }
                        utf8 = true;
                        let mut put = |digits: &[u8]| -> Ruby<()> {
                            let text = std::str::from_utf8(digits).unwrap_or("");
                            match u32::from_str_radix(text, 16) {
                                Ok(c) if c > 0x10ffff => Err(vm.runtime_error("invalid Unicode codepoint (too large)")),
                                Ok(c) if char::from_u32(c).is_none() => {
                                    Err(vm.runtime_error("invalid Unicode codepoint"))
                                }
                                Ok(c) => {
                                    Enc::Utf8.put(c, &mut out);
                                    Ok(())
                                }
                                Err(_) => Err(vm.runtime_error("invalid Unicode escape")),
                            }
                        };
                        if b.get(at) == Some(&b'{') {
                            let Some(end) = b[at..].iter().position(|&c| c == b'}') else {
                                return bad("unterminated Unicode escape");
                            };
                            for digits in b[at + 1..at + end].split(|c| *c == b' ').filter(|d| !d.is_empty()) {
                                put(digits)?;
                            }
                            at += end + 1;
                        } else {
                            if b.len() < at + 4 {
                                return bad("invalid Unicode escape");
                            }
                            put(&b[at..at + 4])?;
                            at += 4;
                        }
                    }
                    _ => out.extend_from_slice(&[b'\\', e]),
                }
            }
            _ => out.push(c),
        }
    }
    if utf8 {
        enc = Enc::Utf8;
    }
    let rest = &b[at..];
    if !rest.is_empty() {
        let rest = rest.strip_prefix(b".dup".as_slice()).unwrap_or(rest);
        let name = rest.strip_prefix(b".force_encoding(\"".as_slice()).and_then(|r| r.strip_suffix(b"\")".as_slice()));
        let Some(name) = name else {
            return bad("invalid dumped string; not wrapped with '\"' nor '\"...\".force_encoding(\"...\")' form");
        };
        if utf8 {
            return bad("dumped string contained Unicode escape but used force_encoding");
        }
        match super::encoding::lookup(name) {
            Some(e) => enc = e,
            None => {
                let text = "dumped string has unknown encoding name: ".to_string() + &String::from_utf8_lossy(name);
                return Err(vm.arg_error(&text));
            }
        }
    }
    Ok(new_str(vm, out, enc))
}
