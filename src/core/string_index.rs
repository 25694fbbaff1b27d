//! `String`: finding and taking parts (`[]`, `index`, `slice!`, `partition`, ...).

use super::regexp;
use super::string::{broken, check_compatible, compatible, find_str, me, me_mut, range_bounds, rfind_str};
use super::string_edit::splice;
use crate::class;
use crate::object::{RArray, RString, Str};
use crate::value::{FALSE, NIL, Ruby, TRUE, Value};
use crate::vm::{Args, Vm};

class! { "String" < "Object";
    ["[]", "slice"]     opt(1, 2)  => aref;
    ["[]="]             opt(2, 3)  => aset;
    ["slice!"]          opt(1, 2)  => slice_bang;
    ["insert"]          req(2)     => insert;
    ["byteslice"]       opt(1, 2)  => byteslice;
    ["bytesplice"]      rest(2)    => bytesplice;
    ["index"]           opt(1, 2)  => index;
    ["rindex"]          opt(1, 2)  => rindex;
    ["byteindex"]       opt(1, 2)  => byteindex;
    ["byterindex"]      opt(1, 2)  => byterindex;
    ["include?"]        req(1)     => include;
    ["start_with?"]     rest(0)    => start_with;
    ["end_with?"]       rest(0)    => end_with;
    ["partition"]       req(1)     => partition;
    ["rpartition"]      req(1)     => rpartition;
    ["=~"]              req(1)     => match_op;
    ["match"]           rest(1)    => match_;
    ["match?"]          rest(1)    => match_p;
}

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}

fn sub(vm: Vm, s: Str, (at, len): (usize, usize)) -> Value {
    RString::substring(&vm, s, at, len).value()
}

/// Bytes of the whole-string index of `str[i]`.
fn one_char(s: Str, i: i64) -> Option<(usize, usize)> {
    s.char_range(i, 1).filter(|r| r.1 > 0)
}
/// Bytes that a Range of characters covers.
fn by_range(vm: Vm, s: Str, r: Value) -> Ruby<Option<(usize, usize)>> {
    let n = s.char_len() as i64;
    Ok(range_bounds(vm, r, n)?.and_then(|(b, l)| s.char_range(b, l)))
}

fn aref(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = me(vm, this)?;
    aref_with(vm, s, args.or_nil(0), args.get(1))
}

/// `str[a]`, `str[a, b]`; Symbol#[] comes here too.
pub fn aref_with(vm: Vm, s: Str, a: Value, b: Option<Value>) -> Ruby {
    if let Some(b) = b {
        if regexp::is_regexp(a) {
            let m = regexp::search_set(vm, a, s, 0, false)?;
            return if m.is_nil() { Ok(NIL) } else { super::match_data::group(vm, m, b) };
        }
        let (start, len) = (vm.to_i64(a)?, vm.to_i64(b)?);
        return Ok(s.char_range(start, len).map_or(NIL, |r| sub(vm, s, r)));
    }
    if a.is_fixnum() {
        return Ok(one_char(s, a.fix()).map_or(NIL, |r| sub(vm, s, r)));
    }
    if let Some(t) = a.as_str() {
        check_compatible(vm, s, t)?;
        return Ok(if find_str(s, t, 0).is_some() { sub(vm, t, (0, t.len())) } else { NIL });
    }
    if a.as_range().is_some() {
        return Ok(by_range(vm, s, a)?.map_or(NIL, |r| sub(vm, s, r)));
    }
    if regexp::is_regexp(a) {
        let m = regexp::search_set(vm, a, s, 0, false)?;
        return if m.is_nil() { Ok(NIL) } else { super::match_data::group(vm, m, Value::fixnum(0)) };
    }
    let i = vm.to_i64(a)?;
    Ok(one_char(s, i).map_or(NIL, |r| sub(vm, s, r)))
}

/// Replaces the bytes of `target` (an index expression) by `new`.
fn aset(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = me_mut(vm, this)?;
    let a = args.or_nil(0);
    let value = args.or_nil(args.len() - 1);
    if args.len() == 3 {
        let b = args.or_nil(1);
        if regexp::is_regexp(a) {
            replace_group(vm, s, a, b, value)?;
            return Ok(value);
        }
        let (start, len) = (vm.to_i64(a)?, vm.to_i64(b)?);
        let new = vm.to_str(value)?;
        update(vm, s, start, len, new)?;
        return Ok(value);
    }
    if let Some(t) = a.as_str() {
        check_compatible(vm, s, t)?;
        let Some(at) = find_str(s, t, 0) else { return Err(vm.index_error("string not matched")) };
        splice(vm, s, at, t.len(), vm.to_str(value)?)?;
        return Ok(value);
    }
    if a.as_range().is_some() {
        let Some((at, len)) = by_range(vm, s, a)? else {
            let text = vm.inspect(a)?;
            return Err(vm.range_error(&format!("{} out of range", text.text())));
        };
        splice(vm, s, at, len, vm.to_str(value)?)?;
        return Ok(value);
    }
    if regexp::is_regexp(a) {
        replace_group(vm, s, a, Value::fixnum(0), value)?;
        return Ok(value);
    }
    let i = vm.to_i64(a)?;
    let new = vm.to_str(value)?;
    check_compatible(vm, s, new)?;
    let Some((at, len)) = s.char_range(i, 1).filter(|r| r.1 > 0 || i >= 0) else {
        return Err(vm.index_error(&format!("index {i} out of string")));
    };
    splice(vm, s, at, len, new)?;
    Ok(value)
}

/// `str[start, len] = new`.
fn update(vm: Vm, s: Str, start: i64, len: i64, new: Str) -> Ruby<()> {
    if len < 0 {
        return Err(vm.index_error(&format!("negative length {len}")));
    }
    check_compatible(vm, s, new)?;
    match s.char_range(start, len) {
        Some((at, n)) => splice(vm, s, at, n, new),
        None => Err(vm.index_error(&format!("index {start} out of string"))),
    }
}

fn replace_group(vm: Vm, s: Str, re: Value, which: Value, value: Value) -> Ruby<()> {
    let m = regexp::search_set(vm, re, s, 0, false)?;
    if m.is_nil() {
        return Err(vm.index_error("regexp not matched"));
    }
    let Some(n) = super::match_data::group_number(vm, m, which)? else {
        let text = vm.to_s(which)?;
        return Err(vm.index_error(&format!("index {} out of regexp", text.text())));
    };
    let Some((b, e)) = super::match_data::span(m, n) else {
        return Err(vm.index_error(&format!("regexp group {n} not matched")));
    };
    let new = vm.to_str(value)?;
    if e > s.len() {
        return Err(vm.runtime_error("string modified"));
    }
    splice(vm, s, b, e - b, new)
}

fn slice_bang(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = me_mut(vm, this)?;
    let a = args.or_nil(0);
    let part = if let Some(b) = args.get(1) {
        if regexp::is_regexp(a) {
            let m = regexp::search_set(vm, a, s, 0, false)?;
            if m.is_nil() {
                return Ok(NIL);
            }
            super::match_data::group_number(vm, m, b)?
                .and_then(|n| super::match_data::span(m, n))
                .map(|(b, e)| (b, e - b))
        } else {
            let (start, len) = (vm.to_i64(a)?, vm.to_i64(b)?);
            s.char_range(start, len)
        }
    } else if let Some(t) = a.as_str() {
        find_str(s, t, 0).map(|at| (at, t.len()))
    } else if a.as_range().is_some() {
        by_range(vm, s, a)?
    } else if regexp::is_regexp(a) {
        let m = regexp::search_set(vm, a, s, 0, false)?;
        if m.is_nil() { None } else { super::match_data::span(m, 0).map(|(b, e)| (b, e - b)) }
    } else {
        one_char(s, vm.to_i64(a)?)
    };
    let Some((at, len)) = part else { return Ok(NIL) };
    let enc = a.as_str().map_or(s.enc(), |t| t.enc());
    let r = RString::from_bytes(&vm, &s.bytes()[at..at + len], enc);
    s.modify(&vm, |v| {
        v.drain(at..at + len);
    });
    Ok(r.value())
}

fn insert(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = me_mut(vm, this)?;
    let i = vm.to_i64(args.or_nil(0))?;
    let t = vm.to_str(args.or_nil(1))?;
    if i == -1 {
        super::string::append(vm, s, t)?;
        return Ok(this);
    }
    let at = if i < 0 { i + 1 } else { i };
    match s.char_range(at, 0) {
        Some((at, _)) => splice(vm, s, at, 0, t)?,
        None => return Err(vm.index_error(&format!("index {i} out of string"))),
    }
    Ok(this)
}

fn byte_range(s: Str, start: i64, len: i64) -> Option<(usize, usize)> {
    let n = s.len() as i64;
    let at = if start < 0 { start + n } else { start };
    if len < 0 || at < 0 || at > n {
        return None;
    }
    Some((at as usize, len.min(n - at) as usize))
}
fn byteslice(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = me(vm, this)?;
    let a = args.or_nil(0);
    let part = if let Some(b) = args.get(1) {
        byte_range(s, vm.to_i64(a)?, vm.to_i64(b)?)
    } else if a.as_range().is_some() {
        range_bounds(vm, a, s.len() as i64)?.and_then(|(b, l)| byte_range(s, b, l))
    } else {
        byte_range(s, vm.to_i64(a)?, 1).filter(|r| r.1 > 0)
    };
    Ok(part.map_or(NIL, |r| sub(vm, s, r)))
}

/// RangeError-checked bytes of one side of `bytesplice`.
fn splice_side(vm: Vm, s: Str, args: &[Value]) -> Ruby<(usize, usize)> {
    let part = match args {
        [r] if r.as_range().is_some() => {
            match range_bounds(vm, *r, s.len() as i64)?.and_then(|(b, l)| byte_range(s, b, l)) {
                Some(p) => p,
                None => {
                    let t = vm.inspect(*r)?;
                    return Err(vm.range_error(&format!("{} out of range", t.text())));
                }
            }
        }
        [r] => {
            let c = vm.describe(*r);
            return Err(vm.type_error(&format!("wrong argument type {c} (expected Range)")));
        }
        [a, b] => {
            let (a, b) = (vm.to_i64(*a)?, vm.to_i64(*b)?);
            match byte_range(s, a, b) {
                Some(p) => p,
                None if b < 0 => return Err(vm.index_error(&format!("negative length {b}"))),
                None => return Err(vm.index_error(&format!("index {a} out of string"))),
            }
        }
        _ => (0, s.len()),
    };
    for at in [part.0, part.0 + part.1] {
        check_boundary(vm, s, at)?;
    }
    Ok(part)
}
/// IndexError unless a character starts at byte `at`.
fn check_boundary(vm: Vm, s: Str, at: usize) -> Ruby<()> {
    if at < s.len() && !s.single_byte() && s.enc().left_edge(s.bytes(), at) != at {
        return Err(vm.index_error(&format!("offset {at} does not land on character boundary")));
    }
    Ok(())
}
fn bytesplice(vm: Vm, this: Value, args: Args) -> Ruby {
    let n = args.len();
    if !(2..=5).contains(&n) {
        return Err(vm.wrong_arguments(n, 2, 5));
    }
    if n == 4 {
        return Err(vm.arg_error("wrong number of arguments (given 4, expected 2, 3, or 5)"));
    }
    let s = me(vm, this)?;
    let a = args.slice();
    let first = if n == 2 || n == 3 && !a[0].is_integer() { 1 } else { 2 };
    let t = vm.to_str(args.or_nil(first))?;
    let (at, len) = splice_side(vm, s, &a[..first])?;
    let (from, count) = splice_side(vm, t, &a[first + 1..])?;
    vm.check_frozen(this)?;
    let part = RString::from_bytes(&vm, &t.bytes()[from..from + count], t.enc());
    splice(vm, s, at, len, part)?;
    Ok(this)
}

// ---- searching

/// A String or Regexp to look for; TypeError otherwise.
fn pattern_str(vm: Vm, v: Value) -> Ruby<Str> {
    match vm.check_str(v)? {
        Some(s) => Ok(s),
        None => {
            let c = vm.describe(v);
            Err(vm.type_error(&format!("no implicit conversion of {c} into String")))
        }
    }
}

fn index(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = me(vm, this)?;
    let pattern = args.or_nil(0);
    let mut from = 0;
    if let Some(p) = args.get(1) {
        let p = vm.to_i64(p)?;
        let at = s.char_range(p, 0).map(|r| r.0);
        match at {
            Some(at) => from = at,
            None => {
                if regexp::is_regexp(pattern) {
                    vm.set_last_match(NIL);
                }
                return Ok(NIL);
            }
        }
    }
    let at = if regexp::is_regexp(pattern) {
        let m = regexp::search_set(vm, pattern, s, from, false)?;
        super::match_data::span(m, 0).map(|r| r.0)
    } else {
        let t = pattern_str(vm, pattern)?;
        check_compatible(vm, s, t)?;
        if t.is_broken() { None } else { find_str(s, t, from) }
    };
    Ok(at.map_or(NIL, |at| Value::fixnum(s.count_chars(at) as i64)))
}

fn rindex(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = me(vm, this)?;
    let pattern = args.or_nil(0);
    let mut upto = s.len();
    if let Some(p) = args.get(1) {
        let p = vm.to_i64(p)?;
        let n = s.char_len() as i64;
        let p = if p < 0 { p + n } else { p };
        if p < 0 {
            if regexp::is_regexp(pattern) {
                vm.set_last_match(NIL);
            }
            return Ok(NIL);
        }
        upto = s.offset_from(0, p.min(n) as usize).unwrap_or(s.len());
    }
    let at = if regexp::is_regexp(pattern) {
        let m = regexp::search_set(vm, pattern, s, upto, true)?;
        super::match_data::span(m, 0).map(|r| r.0)
    } else {
        let t = pattern_str(vm, pattern)?;
        check_compatible(vm, s, t)?;
        if t.is_broken() { None } else { rfind_str(s, t, upto) }
    };
    Ok(at.map_or(NIL, |at| Value::fixnum(s.count_chars(at) as i64)))
}

fn byteindex(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = me(vm, this)?;
    let pattern = args.or_nil(0);
    let mut from = 0;
    if let Some(p) = args.get(1) {
        let p = vm.to_i64(p)?;
        match byte_range(s, p, 0) {
            Some((at, _)) => from = at,
            None => {
                if regexp::is_regexp(pattern) {
                    vm.set_last_match(NIL);
                }
                return Ok(NIL);
            }
        }
    }
    check_boundary(vm, s, from)?;
    let at = if regexp::is_regexp(pattern) {
        let m = regexp::search_set(vm, pattern, s, from, false)?;
        super::match_data::span(m, 0).map(|r| r.0)
    } else {
        let t = pattern_str(vm, pattern)?;
        check_compatible(vm, s, t)?;
        find_str(s, t, from)
    };
    Ok(at.map_or(NIL, |at| Value::fixnum(at as i64)))
}
fn byterindex(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = me(vm, this)?;
    let pattern = args.or_nil(0);
    let mut upto = s.len();
    if let Some(p) = args.get(1) {
        let p = vm.to_i64(p)?;
        let p = if p < 0 { p + s.len() as i64 } else { p };
        if p < 0 {
            if regexp::is_regexp(pattern) {
                vm.set_last_match(NIL);
            }
            return Ok(NIL);
        }
        upto = (p as usize).min(s.len());
    }
    check_boundary(vm, s, upto)?;
    let at = if regexp::is_regexp(pattern) {
        let m = regexp::search_set(vm, pattern, s, upto, true)?;
        super::match_data::span(m, 0).map(|r| r.0)
    } else {
        let t = pattern_str(vm, pattern)?;
        check_compatible(vm, s, t)?;
        rfind_str(s, t, upto)
    };
    Ok(at.map_or(NIL, |at| Value::fixnum(at as i64)))
}

fn include(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = me(vm, this)?;
    let t = vm.to_str(args.or_nil(0))?;
    check_compatible(vm, s, t)?;
    Ok(Value::bool(find_str(s, t, 0).is_some()))
}

fn start_with(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = me(vm, this)?;
    for &p in args.slice() {
        if regexp::is_regexp(p) {
            if !regexp::match_at_set(vm, p, s, 0)?.is_nil() {
                return Ok(TRUE);
            }
            continue;
        }
        let t = vm.to_str(p)?;
        check_compatible(vm, s, t)?;
        if s.bytes().starts_with(t.bytes()) && (s.single_byte() || t.is_empty() || ends_char(s, t.len())) {
            return Ok(TRUE);
        }
    }
    Ok(FALSE)
}
/// A character ends right before byte `at`.
fn ends_char(s: Str, at: usize) -> bool {
    at >= s.len() || s.enc().left_edge(s.bytes(), at) == at
}
fn end_with(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = me(vm, this)?;
    for &p in args.slice() {
        let t = vm.to_str(p)?;
        check_compatible(vm, s, t)?;
        if s.bytes().ends_with(t.bytes()) && (t.is_empty() || ends_char(s, s.len() - t.len())) {
            return Ok(TRUE);
        }
    }
    Ok(FALSE)
}

/// Around a match of `len` bytes at `at`; `sep` is the separator if it was a String.
fn three(vm: Vm, s: Str, at: usize, len: usize, sep: Value) -> Ruby {
    let parts = RArray::new(&vm, 3);
    parts.push(&vm, sub(vm, s, (0, at)));
    match sep.as_str() {
        Some(t) => parts.push(&vm, sub(vm, t, (0, t.len()))),
        None => parts.push(&vm, sub(vm, s, (at, len))),
    }
    parts.push(&vm, sub(vm, s, (at + len, s.len() - at - len)));
    Ok(parts.value())
}
fn partition(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = me(vm, this)?;
    let p = args.or_nil(0);
    let found = if regexp::is_regexp(p) {
        let m = regexp::search_set(vm, p, s, 0, false)?;
        super::match_data::span(m, 0).map(|(b, e)| (b, e - b))
    } else {
        let t = partition_str(vm, p)?;
        check_compatible(vm, s, t)?;
        find_str(s, t, 0).map(|at| (at, t.len()))
    };
    match found {
        Some((at, len)) => three(vm, s, at, len, p),
        None => {
            let parts = RArray::new(&vm, 3);
            parts.push(&vm, sub(vm, s, (0, s.len())));
            parts.push(&vm, super::string::new_str(vm, Vec::new(), s.enc()));
            parts.push(&vm, super::string::new_str(vm, Vec::new(), s.enc()));
            Ok(parts.value())
        }
    }
}
fn partition_str(vm: Vm, v: Value) -> Ruby<Str> {
    match vm.check_str(v)? {
        Some(s) => Ok(s),
        None => {
            let c = vm.describe(v);
            Err(vm.type_error(&format!("type mismatch: {c} given")))
        }
    }
}
fn rpartition(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = me(vm, this)?;
    let p = args.or_nil(0);
    let found = if regexp::is_regexp(p) {
        let m = regexp::search_set(vm, p, s, s.len(), true)?;
        super::match_data::span(m, 0).map(|(b, e)| (b, e - b))
    } else {
        let t = partition_str(vm, p)?;
        check_compatible(vm, s, t)?;
        rfind_str(s, t, s.len()).map(|at| (at, t.len()))
    };
    match found {
        Some((at, len)) => three(vm, s, at, len, p),
        None => {
            let parts = RArray::new(&vm, 3);
            parts.push(&vm, super::string::new_str(vm, Vec::new(), s.enc()));
            parts.push(&vm, super::string::new_str(vm, Vec::new(), s.enc()));
            parts.push(&vm, sub(vm, s, (0, s.len())));
            Ok(parts.value())
        }
    }
}

// ---- matching

fn match_op(vm: Vm, this: Value, args: Args) -> Ruby {
    let p = args.or_nil(0);
    if p.as_str().is_some() {
        return Err(vm.type_error("type mismatch: String given"));
    }
    if regexp::is_regexp(p) {
        let s = me(vm, this)?;
        let m = regexp::search_set(vm, p, s, 0, false)?;
        return Ok(super::match_data::span(m, 0).map_or(NIL, |r| Value::fixnum(s.count_chars(r.0) as i64)));
    }
    vm.send(p, crate::object::sym::MATCH, &[this])
}
/// The pattern argument of `match`: a Regexp, or a String that becomes one.
pub fn to_pattern(vm: Vm, v: Value) -> Ruby {
    if regexp::is_regexp(v) {
        return Ok(v);
    }
    match vm.check_str(v)? {
        Some(s) => regexp::from_source(vm, s, 0),
        None => {
            let c = vm.describe(v);
            Err(vm.type_error(&format!("wrong argument type {c} (expected Regexp)")))
        }
    }
}
fn match_(vm: Vm, this: Value, args: Args) -> Ruby {
    let re = to_pattern(vm, args.or_nil(0))?;
    let all = RArray::from_slice(&vm, args.slice());
    all.set(0, this);
    let m = vm.send(re, vm.intern("match"), all.slice())?;
    match args.block() {
        Some(b) if !m.is_nil() => vm.yield1(b, m),
        _ => Ok(m),
    }
}
fn match_p(vm: Vm, this: Value, args: Args) -> Ruby {
    let re = to_pattern(vm, args.or_nil(0))?;
    let all = RArray::from_slice(&vm, args.slice());
    all.set(0, this);
    vm.send(re, vm.intern("match?"), all.slice())
}

/// Raises for a string whose bytes are not valid where CRuby refuses to work on it.
pub fn check_valid(vm: Vm, s: Str) -> Ruby<()> {
    if s.is_broken() { Err(broken(vm, s.enc())) } else { Ok(()) }
}

/// Whether two strings may be searched in one another, without raising.
pub fn comparable(a: Str, b: Str) -> bool {
    compatible(a, b).is_some()
}
