//! `String`: taking things off the ends (`strip`, `chomp`, `chop`, `delete_prefix`, ...).

use super::string::{check_compatible, me, me_mut};
use crate::class;
use crate::object::{RString, Str};
use crate::value::{NIL, Ruby, Value};
use crate::vm::{Args, Vm};

class! { "String" < "Object";
    ["strip"]           rest(0)   => strip;
    ["strip!"]          rest(0)   => strip_bang;
    ["lstrip"]          rest(0)   => lstrip;
    ["lstrip!"]         rest(0)   => lstrip_bang;
    ["rstrip"]          rest(0)   => rstrip;
    ["rstrip!"]         rest(0)   => rstrip_bang;
    ["chomp"]           opt(0, 1) => chomp;
    ["chomp!"]          opt(0, 1) => chomp_bang;
    ["chop"]            req(0)    => chop;
    ["chop!"]           req(0)    => chop_bang;
    ["delete_prefix"]   req(1)    => delete_prefix;
    ["delete_prefix!"]  req(1)    => delete_prefix_bang;
    ["delete_suffix"]   req(1)    => delete_suffix;
    ["delete_suffix!"]  req(1)    => delete_suffix_bang;
}

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}

/// What stays: bytes `from..to`.
type Kept = (usize, usize);

fn copy(vm: Vm, s: Str, (from, to): Kept) -> Ruby {
    Ok(RString::substring(&vm, s, from, to - from).value())
}
fn cut(vm: Vm, this: Value, s: Str, (from, to): Kept) -> Ruby {
    vm.check_frozen(this)?;
    if from == 0 && to == s.len() {
        return Ok(NIL);
    }
    let range = s.cached_range();
    s.modify(&vm, |v| {
        v.truncate(to);
        v.drain(..from);
    });
    if range == crate::object::CodeRange::SevenBit {
        s.cache_range(range);
    }
    Ok(this)
}

fn is_space(b: u8) -> bool {
    matches!(b, 0 | b' ' | 9..=13)
}

/// Character selectors of `strip("...")` (Ruby 4), or white space.
fn strip_range(vm: Vm, s: Str, args: Args, left: bool, right: bool) -> Ruby<Kept> {
    let b = s.bytes();
    let (mut from, mut to) = (0, b.len());
    if !args.is_empty() {
        let set = super::string_tr::Set::from_args(vm, s, args.slice())?;
        if left {
            while from < to {
                let st = s.enc().step(&b[from..]);
                if !st.code.is_some_and(|c| set.has(c)) {
                    break;
                }
                from += st.len;
            }
        }
        if right {
            while to > from {
                let at = s.enc().previous(b, to);
                if !s.enc().step(&b[at..]).code.is_some_and(|c| set.has(c)) {
                    break;
                }
                to = at;
            }
        }
        return Ok((from, to));
    }
    if s.enc().ascii_compatible() {
        if left {
            while from < to && is_space(b[from]) {
                from += 1
            }
            if from < to && !s.enc().single_byte() && s.enc().step(&b[from..]).code.is_none() {
                return Err(super::string::broken(vm, s.enc()));
            }
        }
        if right {
            super::string_index::check_valid(vm, s)?;
            while to > from && is_space(b[to - 1]) {
                to -= 1
            }
        }
    } else {
        let space = |at: usize| s.enc().step(&b[at..]).code.is_some_and(|c| c < 0x80 && is_space(c as u8));
        while left && from < to && space(from) {
            from += s.enc().step(&b[from..]).len
        }
        while right && to > from && space(s.enc().previous(b, to)) {
            to = s.enc().previous(b, to)
        }
    }
    Ok((from, to))
}
fn strip(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = me(vm, this)?;
    copy(vm, s, strip_range(vm, s, args, true, true)?)
}
fn strip_bang(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = me_mut(vm, this)?;
    cut(vm, this, s, strip_range(vm, s, args, true, true)?)
}
fn lstrip(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = me(vm, this)?;
    copy(vm, s, strip_range(vm, s, args, true, false)?)
}
fn lstrip_bang(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = me_mut(vm, this)?;
    cut(vm, this, s, strip_range(vm, s, args, true, false)?)
}
fn rstrip(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = me(vm, this)?;
    copy(vm, s, strip_range(vm, s, args, false, true)?)
}
fn rstrip_bang(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = me_mut(vm, this)?;
    cut(vm, this, s, strip_range(vm, s, args, false, true)?)
}

/// End of `b` without one line end of any kind ("\n", "\r\n", "\r").
pub fn chomp_end(b: &[u8]) -> usize {
    match b {
        [r @ .., b'\r', b'\n'] | [r @ .., b'\n'] | [r @ .., b'\r'] => r.len(),
        _ => b.len(),
    }
}

fn chomp_to(vm: Vm, s: Str, args: Args) -> Ruby<usize> {
    let b = s.bytes();
    let sep = match args.get(0) {
        Some(NIL) => return Ok(b.len()),
        Some(v) => vm.to_str(v)?,
        None => match vm.gvar_value("$/").as_str() {
            Some(sep) if sep.bytes() != b"\n" => sep,
            _ => {
                if s.enc().ascii_compatible() {
                    return Ok(chomp_end(b));
                }
                let mut to = b.len();
                for want in [b'\n', b'\r'] {
                    let at = s.enc().previous(b, to);
                    if at < to && s.enc().step(&b[at..]).code == Some(want as u32) {
                        to = at
                    } else if want == b'\n' {
                        continue;
                    }
                }
                return Ok(to);
            }
        },
    };
    let n = sep.bytes();
    if n.is_empty() {
        // Paragraph mode: all newlines at the end, each perhaps with a carriage return.
        let mut to = b.len();
        while to > 0 && b[to - 1] == b'\n' {
            to -= 1;
            if to > 0 && b[to - 1] == b'\r' {
                to -= 1;
            }
        }
        return Ok(to);
    }
    if n == b"\n" && s.enc().ascii_compatible() {
        return Ok(chomp_end(b));
    }
    check_compatible(vm, s, sep)?;
    if b.ends_with(n) && s.enc().left_edge(b, b.len() - n.len()) == b.len() - n.len() {
        return Ok(b.len() - n.len());
    }
    Ok(b.len())
}
fn chomp(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = me(vm, this)?;
    copy(vm, s, (0, chomp_to(vm, s, args)?))
}
fn chomp_bang(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = me_mut(vm, this)?;
    cut(vm, this, s, (0, chomp_to(vm, s, args)?))
}

fn chop_end(s: Str) -> usize {
    let b = s.bytes();
    if b.is_empty() {
        return 0;
    }
    let at = s.enc().previous(b, b.len());
    if at > 0 && s.enc().step(&b[at..]).code == Some(b'\n' as u32) {
        let before = s.enc().previous(b, at);
        if s.enc().step(&b[before..]).code == Some(b'\r' as u32) {
            return before;
        }
    }
    at
}
fn chop(vm: Vm, this: Value, _args: Args) -> Ruby {
    let s = me(vm, this)?;
    copy(vm, s, (0, chop_end(s)))
}
fn chop_bang(vm: Vm, this: Value, _args: Args) -> Ruby {
    let s = me_mut(vm, this)?;
    cut(vm, this, s, (0, chop_end(s)))
}

fn without_prefix(vm: Vm, s: Str, v: Value) -> Ruby<Kept> {
    let p = vm.to_str(v)?;
    if !p.is_broken() || !s.enc().ascii_compatible() || !p.enc().ascii_compatible() {
        check_compatible(vm, s, p)?;
    }
    // A broken prefix fits a broken string only, and where a character ends.
    let fits = s.bytes().starts_with(p.bytes())
        && (!p.is_broken() || s.is_broken() && s.enc().left_edge(s.bytes(), p.len()) == p.len());
    Ok((if fits { p.len() } else { 0 }, s.len()))
}
fn without_suffix(vm: Vm, s: Str, v: Value) -> Ruby<Kept> {
    let p = vm.to_str(v)?;
    check_compatible(vm, s, p)?;
    let fits = s.bytes().ends_with(p.bytes())
        && !p.is_broken()
        && s.enc().left_edge(s.bytes(), s.len() - p.len()) == s.len() - p.len();
    Ok((0, if fits { s.len() - p.len() } else { s.len() }))
}
fn delete_prefix(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = me(vm, this)?;
    copy(vm, s, without_prefix(vm, s, args.or_nil(0))?)
}
fn delete_prefix_bang(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = me_mut(vm, this)?;
    cut(vm, this, s, without_prefix(vm, s, args.or_nil(0))?)
}
fn delete_suffix(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = me(vm, this)?;
    copy(vm, s, without_suffix(vm, s, args.or_nil(0))?)
}
fn delete_suffix_bang(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = me_mut(vm, this)?;
    cut(vm, this, s, without_suffix(vm, s, args.or_nil(0))?)
}
