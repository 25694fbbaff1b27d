//! `String`: the next string (`succ`, `upto`).

use super::onig::{Ctype, is_ctype};
use super::string::{enumerator, me, me_mut, new_str};
use crate::class;
use crate::object::{Enc, RString, Str};
use crate::value::{Ruby, Value};
use crate::vm::{Args, Vm};

class! { "String" < "Object";
    ["succ", "next"]     req(0)    => succ;
    ["succ!", "next!"]   req(0)    => succ_bang;
    ["upto"]             opt(1, 2) => upto;
}

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}

/// How a character counts up.
#[derive(PartialEq, Clone, Copy)]
enum Kind {
    Other,
    Digit,
    Upper,
    Lower,
    /// a letter of another script
    Letter,
}

fn kind(c: u32, unicode: bool) -> Kind {
    match c {
        0x30..=0x39 => Kind::Digit,
        0x41..=0x5a => Kind::Upper,
        0x61..=0x7a => Kind::Lower,
        0x80.. if unicode && is_ctype(c, Ctype::Digit) => Kind::Digit,
        0x80.. if unicode && is_ctype(c, Ctype::Alpha) => Kind::Letter,
        _ => Kind::Other,
    }
}

/// The next character of its kind; when it wraps around, the first one and what a carry puts in front.
enum Next {
    Char(u32),
    Wrapped { first: u32, carry: u32 },
}
fn next_of(c: u32, unicode: bool) -> Next {
    match c {
        0x39 => Next::Wrapped { first: 0x30, carry: 0x31 },
        0x5a => Next::Wrapped { first: 0x41, carry: 0x41 },
        0x7a => Next::Wrapped { first: 0x61, carry: 0x61 },
        0..0x80 => Next::Char(c + 1),
        _ => {
            let k = kind(c, unicode);
            let up = c + 1 + if c + 1 == 0xd800 { 0x800 } else { 0 };
            // One unassigned code in between is stepped over (Greek capitals have such a gap).
            for up in [up, up + 1] {
                if kind(up, unicode) == k && char::from_u32(up).is_some() {
                    return Next::Char(up);
                }
            }
            // Back to the beginning of the run of this kind.
            let mut first = c;
            while first > 0x80 && c - first < 256 && kind(first - 1, unicode) == k {
                first -= 1
            }
            if first == c {
                return Next::Char(up);
            }
            Next::Wrapped { first, carry: if k == Kind::Digit { first + 1 } else { first } }
        }
    }
}

/// Bytes of the successor, as `String#succ` counts.
pub fn successor(s: Str) -> Vec<u8> {
    let b = s.bytes();
    let enc = s.enc();
    if b.is_empty() {
        return Vec::new();
    }
    let unicode = enc.is_unicode();
    // Characters as codes; an invalid byte is kept as itself, marked.
    const BAD: u32 = 1 << 31;
    let mut codes: Vec<u32> = Vec::with_capacity(b.len());
    for (at, len, code) in enc.chars(b) {
        match code {
            Some(c) => codes.push(c),
            None => codes.extend(b[at..at + len].iter().map(|&b| b as u32 | BAD)),
        }
    }
    let write = |codes: &[u32]| {
        let mut out = Vec::with_capacity(b.len() + 4);
        for &c in codes {
            if c & BAD != 0 {
                out.push(c as u8)
            } else {
                enc.put(c, &mut out);
            }
        }
        out
    };
    let ascii_alpha = |c: u32| c < 0x80 && (c as u8).is_ascii_alphabetic();
    let ascii_digit = |c: u32| c < 0x80 && (c as u8).is_ascii_digit();
    // Alphanumerics count, from the right; what stands between them is stepped over, but a carry does not go from
    // letters to digits over such a gap, nor back.
    let mut wrapped: Option<(usize, u32)> = None;
    let mut gap = false;
    for i in (0..codes.len()).rev() {
        let c = codes[i];
        if let Some((l, _)) = wrapped
            && gap
            && (ascii_alpha(codes[l]) && ascii_digit(c) || ascii_digit(codes[l]) && ascii_alpha(c))
        {
            break;
        }
        if c & BAD != 0 {
            continue;
        }
        gap = kind(c, unicode) == Kind::Other;
        if gap {
            continue;
        }
        match next_of(c, unicode) {
            Next::Char(n) => {
                codes[i] = n;
                return write(&codes);
            }
            Next::Wrapped { first, carry } => {
                codes[i] = first;
                wrapped = Some((i, carry));
            }
        }
    }
    if let Some((at, carry)) = wrapped {
        codes.insert(at, carry);
        return write(&codes);
    }
    // No alphanumerics: the last character counts through all codes of the encoding.
    let mut i = codes.len();
    let max: u32 = match enc {
        Enc::Ascii => 0x7f,
        e if e.is_unicode() => 0x10ffff,
        _ => 0xff,
    };
    while i > 0 {
        i -= 1;
        let c = codes[i] & !BAD;
        if codes[i] & BAD != 0 {
            if c < 0xff {
                codes[i] += 1;
                return write(&codes);
            }
            codes[i] = BAD;
            continue;
        }
        if c < max {
            codes[i] = if unicode && c + 1 == 0xd800 { 0xe000 } else { c + 1 };
            return write(&codes);
        }
        codes[i] = 0;
    }
    codes.insert(0, 1);
    write(&codes)
}

fn succ(vm: Vm, this: Value, _args: Args) -> Ruby {
    let s = me(vm, this)?;
    Ok(new_str(vm, successor(s), s.enc()))
}
fn succ_bang(vm: Vm, this: Value, _args: Args) -> Ruby {
    let s = me_mut(vm, this)?;
    let v = successor(s);
    s.modify(&vm, |b| *b = v);
    Ok(this)
}

/// Calls `f` for each string from `a` to `b`; `f` gives false to stop.
pub fn each_upto(vm: Vm, a: Str, b: Str, exclusive: bool, f: &mut dyn FnMut(Value) -> Ruby<bool>) -> Ruby<()> {
    super::string::check_compatible(vm, a, b)?;
    let (x, y) = (a.bytes(), b.bytes());
    // Single ASCII characters go through all codes in between.
    if let ([from], [to]) = (x, y)
        && from.is_ascii()
        && to.is_ascii()
    {
        let mut c = *from;
        while c < *to || c == *to && !exclusive {
            if !f(RString::from_bytes(&vm, &[c], a.enc()).value())? || c == *to {
                return Ok(());
            }
            c += 1;
        }
        return Ok(());
    }
    // Digits on both sides count as numbers of that width.
    if x.first().is_some_and(u8::is_ascii_digit)
        && x.iter().all(u8::is_ascii_digit)
        && y.iter().all(u8::is_ascii_digit)
        && !y.is_empty()
        && x.len() <= 18
        && y.len() <= 18
    {
        let number = |b: &[u8]| b.iter().fold(0u64, |n, d| n * 10 + (d - b'0') as u64);
        let (mut n, last, width) = (number(x), number(y), x.len());
        while n < last || n == last && !exclusive {
            let text = format!("{n:0width$}");
            if !f(RString::from_bytes(&vm, text.as_bytes(), Enc::Ascii).value())? {
                return Ok(());
            }
            n += 1;
        }
        return Ok(());
    }
    let order = super::string::compare(vm, a, b);
    if order.is_gt() || exclusive && order.is_eq() {
        return Ok(());
    }
    // The successor of the end is where counting stops, should it step over the end.
    let after = successor(b);
    let end = RString::frozen_copy(&vm, b);
    let mut at = RString::from_bytes(&vm, x, a.enc());
    while at.bytes() != after {
        let last = at.bytes() == end.bytes();
        let next = RString::from_vec(&vm, successor(at), at.enc());
        if !f(at.value())? || last && !exclusive {
            break;
        }
        at = next;
        if exclusive && at.bytes() == end.bytes() || at.len() > end.len() || at.is_empty() {
            break;
        }
    }
    crate::heap::root::keep(end.value());
    Ok(())
}

/// `str.upto(last, exclusive = false)`.
fn upto(vm: Vm, this: Value, args: Args) -> Ruby {
    let Some(block) = args.block() else {
        return enumerator(vm, this, "upto", args.slice(), None);
    };
    let a = me(vm, this)?;
    let b = vm.to_str(args.or_nil(0))?;
    each_upto(vm, a, b, args.or_nil(1).truthy(), &mut |v| {
        vm.yield1(block, v)?;
        Ok(true)
    })?;
    Ok(this)
}
