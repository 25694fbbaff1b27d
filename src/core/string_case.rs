//! `String`: upper and lower case, and comparing without it.

use super::string::{compatible, me, me_mut};
use crate::class;
use crate::object::{CodeRange, Enc, RString, Str};
use crate::value::{NIL, Ruby, Value};
use crate::vm::{Args, Vm};

class! { "String" < "Object";
    ["upcase"]       rest(0) => upcase;
    ["upcase!"]      rest(0) => upcase_bang;
    ["downcase"]     rest(0) => downcase;
    ["downcase!"]    rest(0) => downcase_bang;
    ["capitalize"]   rest(0) => capitalize;
    ["capitalize!"]  rest(0) => capitalize_bang;
    ["swapcase"]     rest(0) => swapcase;
    ["swapcase!"]    rest(0) => swapcase_bang;
    ["casecmp"]      req(1)  => casecmp;
    ["casecmp?"]     req(1)  => casecmp_p;
}

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}

#[derive(Clone, Copy, PartialEq)]
pub enum Case {
    Up,
    Down,
    Title,
    Swap,
}
/// How far a mapping reaches.
#[derive(Clone, Copy, PartialEq)]
pub enum Reach {
    Full,
    Ascii,
    Turkic,
    Fold,
}

/// The option symbols of `upcase` and its like.
pub fn reach(vm: Vm, args: &[Value], case: Case) -> Ruby<Reach> {
    if args.len() > 2 {
        return Err(vm.arg_error("too many options"));
    }
    let name = |v: Value| v.as_symbol().map(|s| vm.name_of(s)).unwrap_or_default();
    let Some(&first) = args.first() else { return Ok(Reach::Full) };
    let second = args.get(1).map(|&v| name(v));
    match (name(first).as_str(), second.as_deref()) {
        ("turkic", None | Some("lithuanian")) | ("lithuanian", Some("turkic")) => Ok(Reach::Turkic),
        ("lithuanian", None) => Ok(Reach::Full),
        ("turkic" | "lithuanian", Some(_)) => Err(vm.arg_error("invalid second option")),
        (_, Some(_)) => Err(vm.arg_error("too many options")),
        ("ascii", _) => Ok(Reach::Ascii),
        ("fold", _) if case == Case::Down => Ok(Reach::Fold),
        ("fold", _) => Err(vm.arg_error("option :fold only allowed for downcasing")),
        _ => Err(vm.arg_error("invalid option")),
    }
}

fn ascii_case(b: u8, case: Case, first: bool) -> u8 {
    match case {
        Case::Up => b.to_ascii_uppercase(),
        Case::Down => b.to_ascii_lowercase(),
        Case::Title if first => b.to_ascii_uppercase(),
        Case::Title => b.to_ascii_lowercase(),
        Case::Swap if b.is_ascii_uppercase() => b.to_ascii_lowercase(),
        Case::Swap => b.to_ascii_uppercase(),
    }
}

fn put(out: &mut Vec<u8>, enc: Enc, c: char) {
    enc.put(c as u32, out);
}

/// Titlecase where it is neither the uppercase nor uppercase-then-lowercase of its expansion.
fn title(out: &mut Vec<u8>, enc: Enc, c: char) {
    match c {
        '\u{1c4}'..='\u{1c6}' => put(out, enc, '\u{1c5}'),
        '\u{1c7}'..='\u{1c9}' => put(out, enc, '\u{1c8}'),
        '\u{1ca}'..='\u{1cc}' => put(out, enc, '\u{1cb}'),
        '\u{1f1}'..='\u{1f3}' => put(out, enc, '\u{1f2}'),
        '\u{10d0}'..='\u{10ff}' => put(out, enc, c),
        // Greek with iota subscript: the titlecase letter is one code away, not an expansion.
        '\u{1f80}'..='\u{1f87}' | '\u{1f90}'..='\u{1f97}' | '\u{1fa0}'..='\u{1fa7}' => {
            put(out, enc, char::from_u32(c as u32 + 8).unwrap_or(c))
        }
        '\u{1f88}'..='\u{1f8f}' | '\u{1f98}'..='\u{1f9f}' | '\u{1fa8}'..='\u{1faf}' => put(out, enc, c),
        '\u{1fb3}' => put(out, enc, '\u{1fbc}'),
        '\u{1fc3}' => put(out, enc, '\u{1fcc}'),
        '\u{1ff3}' => put(out, enc, '\u{1ffc}'),
        '\u{1fbc}' | '\u{1fcc}' | '\u{1ffc}' => put(out, enc, c),
        _ => {
            let mut up = c.to_uppercase();
            if let Some(first) = up.next() {
                put(out, enc, first);
            }
            for rest in up {
                for l in rest.to_lowercase() {
                    put(out, enc, l);
                }
            }
        }
    }
}

fn unicode_case(out: &mut Vec<u8>, enc: Enc, c: char, case: Case, reach: Reach, first: bool) {
    let case = match case {
        Case::Title if !first => Case::Down,
        Case::Swap if c.is_lowercase() => Case::Up,
        Case::Swap if matches!(c, '\u{1c5}' | '\u{1c8}' | '\u{1cb}' | '\u{1f2}') => Case::Down,
        Case::Swap if c.is_uppercase() => Case::Down,
        Case::Swap => {
            if c.to_lowercase().next() != Some(c) {
                Case::Down
            } else {
                Case::Up
            }
        }
        other => other,
    };
    if reach == Reach::Turkic {
        match (c, case) {
            ('i', Case::Up | Case::Title) => return put(out, enc, '\u{130}'),
            ('I', Case::Down) => return put(out, enc, '\u{131}'),
            ('\u{130}', Case::Down) => return put(out, enc, 'i'),
            _ => {}
        }
    }
    match case {
        Case::Up => c.to_uppercase().for_each(|c| put(out, enc, c)),
        Case::Title => title(out, enc, c),
        _ if reach == Reach::Fold => fold(c, |c| put(out, enc, c)),
        _ => c.to_lowercase().for_each(|c| put(out, enc, c)),
    }
}

/// Full case folding: lowercase of the uppercase, which agrees with CaseFolding.txt but for a few letters.
pub fn fold(c: char, mut f: impl FnMut(char)) {
    match c {
        // Cherokee folds to uppercase; these have no other case but would gain one.
        '\u{13a0}'..='\u{13f5}' | '\u{131}' => f(c),
        '\u{13f8}'..='\u{13fd}' => f(char::from_u32(c as u32 - 8).unwrap_or(c)),
        '\u{ab70}'..='\u{abbf}' => f(char::from_u32(c as u32 - 0xab70 + 0x13a0).unwrap_or(c)),
        '\u{130}' => {
            f('i');
            f('\u{307}')
        }
        '\u{1e9e}' => {
            f('s');
            f('s')
        }
        _ => {
            for u in c.to_uppercase() {
                for l in u.to_lowercase() {
                    f(l)
                }
            }
        }
    }
}

/// Letters of ISO-8859-1 and its relatives.
fn latin_case(b: u8, enc: Enc, case: Case, first: bool) -> u8 {
    let up = match (b, enc) {
        (0xe0..=0xf6 | 0xf8..=0xfe, _) => Some((b - 0x20, false)),
        (0xc0..=0xd6 | 0xd8..=0xde, _) => Some((b + 0x20, true)),
        (0xff, Enc::Latin9) => Some((0xbe, false)),
        (0xbe, Enc::Latin9) => Some((0xff, true)),
        (0xbd, Enc::Latin9) => Some((0xbc, false)),
        (0xbc, Enc::Latin9) => Some((0xbd, true)),
        (0xa6, Enc::Latin9) => Some((0xa8, true)),
        (0xa8, Enc::Latin9) => Some((0xa6, false)),
        (0xb4, Enc::Latin9) => Some((0xb8, true)),
        (0xb8, Enc::Latin9) => Some((0xb4, false)),
        (0xff, Enc::Windows1252) => Some((0x9f, false)),
        (0x9f, Enc::Windows1252) => Some((0xff, true)),
        (0x9a | 0x9c | 0x9e, Enc::Windows1252) => Some((b - 0x10, false)),
        (0x8a | 0x8c | 0x8e, Enc::Windows1252) => Some((b + 0x10, true)),
        _ => None,
    };
    let Some((other, is_upper)) = up else { return b };
    let want_upper = match case {
        Case::Up => true,
        Case::Down => false,
        Case::Title => first,
        Case::Swap => !is_upper,
    };
    if want_upper == is_upper { b } else { other }
}

/// New bytes; invalid ones stay as they are in the ASCII mapping, and raise in the Unicode one.
pub fn map_case(vm: Vm, s: Str, case: Case, reach: Reach) -> Ruby<Vec<u8>> {
    let b = s.bytes();
    let enc = s.enc();
    let ascii = s.is_ascii_only() && reach != Reach::Turkic
        || reach == Reach::Ascii && (enc.ascii_compatible())
        || !enc.is_unicode() && !matches!(enc, Enc::Latin1 | Enc::Latin9 | Enc::Windows1252);
    if ascii {
        if enc.single_byte() || enc == Enc::Utf8 || s.is_ascii_only() {
            return Ok(b.iter().enumerate().map(|(i, &c)| ascii_case(c, case, i == 0)).collect());
        }
        let mut out = Vec::with_capacity(b.len());
        for (at, len, _) in enc.chars(b) {
            match len {
                1 => out.push(ascii_case(b[at], case, at == 0)),
                _ => out.extend_from_slice(&b[at..at + len]),
            }
        }
        return Ok(out);
    }
    if enc.single_byte() {
        return Ok(b
            .iter()
            .enumerate()
            .map(|(i, &c)| if c < 0x80 { ascii_case(c, case, i == 0) } else { latin_case(c, enc, case, i == 0) })
            .collect());
    }
    let mut out = Vec::with_capacity(b.len() + 8);
    for (at, _, code) in enc.chars(b) {
        match code.and_then(char::from_u32) {
            Some(c) if reach == Reach::Ascii => {
                let c = if c.is_ascii() { ascii_case(c as u8, case, at == 0) as char } else { c };
                put(&mut out, enc, c);
            }
            Some(c) => unicode_case(&mut out, enc, c, case, reach, at == 0),
            None => {
                return Err(vm.arg_error("input string invalid"));
            }
        }
    }
    Ok(out)
}

fn copied(vm: Vm, this: Value, args: Args, case: Case) -> Ruby {
    let s = me(vm, this)?;
    let r = reach(vm, args.slice(), case)?;
    let v = map_case(vm, s, case, r)?;
    let seven = s.is_ascii_only() && r != Reach::Turkic;
    let new = RString::from_vec(&vm, v, s.enc());
    if seven {
        new.cache_range(CodeRange::SevenBit);
    }
    Ok(new.value())
}
fn in_place(vm: Vm, this: Value, args: Args, case: Case) -> Ruby {
    let s = me_mut(vm, this)?;
    let r = reach(vm, args.slice(), case)?;
    let v = map_case(vm, s, case, r)?;
    if v == s.bytes() {
        return Ok(NIL);
    }
    s.modify(&vm, |b| *b = v);
    Ok(this)
}
fn upcase(vm: Vm, this: Value, args: Args) -> Ruby {
    copied(vm, this, args, Case::Up)
}
fn upcase_bang(vm: Vm, this: Value, args: Args) -> Ruby {
    in_place(vm, this, args, Case::Up)
}
fn downcase(vm: Vm, this: Value, args: Args) -> Ruby {
    copied(vm, this, args, Case::Down)
}
fn downcase_bang(vm: Vm, this: Value, args: Args) -> Ruby {
    in_place(vm, this, args, Case::Down)
}
fn capitalize(vm: Vm, this: Value, args: Args) -> Ruby {
    copied(vm, this, args, Case::Title)
}
fn capitalize_bang(vm: Vm, this: Value, args: Args) -> Ruby {
    in_place(vm, this, args, Case::Title)
}
fn swapcase(vm: Vm, this: Value, args: Args) -> Ruby {
    copied(vm, this, args, Case::Swap)
}
fn swapcase_bang(vm: Vm, this: Value, args: Args) -> Ruby {
    in_place(vm, this, args, Case::Swap)
}

/// `casecmp` of two strings: only ASCII letters fold.
pub fn casecmp_strs(a: Str, b: Str) -> Value {
    if compatible(a, b).is_none() {
        return NIL;
    }
    let fold = |s: Str| s.bytes().iter().map(u8::to_ascii_lowercase);
    Value::fixnum(fold(a).cmp(fold(b)) as i64)
}
/// `casecmp?` of two strings: Unicode folding; nil when they cannot be compared.
pub fn casecmp_p_strs(a: Str, b: Str) -> Value {
    if compatible(a, b).is_none() {
        return NIL;
    }
    if a.is_ascii_only() && b.is_ascii_only() || !a.enc().is_unicode() || !b.enc().is_unicode() {
        return Value::bool(a.bytes().eq_ignore_ascii_case(b.bytes()));
    }
    let folded = |s: Str| {
        let mut out = Vec::new();
        for (_, _, code) in s.enc().chars(s.bytes()) {
            match code.and_then(char::from_u32) {
                Some(c) => fold(c, |c| out.push(c as u32)),
                None => return None,
            }
        }
        Some(out)
    };
    match (folded(a), folded(b)) {
        (Some(x), Some(y)) => Value::bool(x == y),
        _ => NIL,
    }
}
fn casecmp(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = me(vm, this)?;
    match vm.check_str(args.or_nil(0))? {
        Some(t) => Ok(casecmp_strs(s, t)),
        None => Ok(NIL),
    }
}
fn casecmp_p(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = me(vm, this)?;
    match vm.check_str(args.or_nil(0))? {
        Some(t) => Ok(casecmp_p_strs(s, t)),
        None => Ok(NIL),
    }
}
