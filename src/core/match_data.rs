//! `MatchData`: what a search found. The subject is a frozen copy that shares the original's bytes.

use super::onig::Regs;
use super::regexp;
use super::string::new_str;
use crate::class;
use crate::heap::Marker;
use crate::object::{Data, RArray, RData, RHash, RString, Str};
use crate::value::{FALSE, NIL, Raised, Ruby, TRUE, Value};
use crate::vm::{Args, Vm};
use std::cell::Cell;

class! { "MatchData" < "Object";
    ["regexp"]                  req(0)    => regexp_of;
    ["string"]                  req(0)    => string;
    ["names"]                   req(0)    => names;
    ["size", "length"]          req(0)    => size;
    ["[]"]                      opt(1, 2) => aref;
    ["begin"]                   req(1)    => begin;
    ["end"]                     req(1)    => end;
    ["offset"]                  req(1)    => offset;
    ["bytebegin"]               req(1)    => bytebegin;
    ["byteend"]                 req(1)    => byteend;
    ["byteoffset"]              req(1)    => byteoffset;
    ["pre_match"]               req(0)    => pre_match;
    ["post_match"]              req(0)    => post_match;
    ["to_a"]                    req(0)    => to_a;
    ["captures", "deconstruct"] req(0)    => captures;
    ["named_captures"]          kw(0, 0)  => named_captures;
    ["deconstruct_keys"]        req(1)    => deconstruct_keys;
    ["values_at"]               rest(0)   => values_at;
    ["match"]                   req(1)    => match_;
    ["match_length"]            req(1)    => match_length;
    ["integer_at"]              opt(1, 2) => integer_at;
    ["to_s"]                    req(0)    => to_s;
    ["inspect"]                 req(0)    => inspect;
    ["==", "eql?"]              req(1)    => eq;
    ["hash"]                    req(0)    => hash;
    ["initialize_copy"]         req(1)    => initialize_copy;
}

/// A match; `regexp` is a String when the pattern was one.
struct Match {
    subject: Cell<Value>,
    regexp: Cell<Value>,
    regs: std::cell::RefCell<Regs>,
}
impl Data for Match {
    fn trace(&self, m: &mut Marker) {
        m.value(self.subject.get());
        m.value(self.regexp.get());
    }
}

pub fn boot(vm: Vm) {
    let c = vm.define_table(&CLASS);
    vm.set_allocator(c, |vm, class| {
        let m = Match { subject: Cell::new(NIL), regexp: Cell::new(NIL), regs: Default::default() };
        Ok(RData::alloc(&vm, class, m))
    });
    // `allocate` and `new` are for `dup` only.
    let meta = vm.metaclass(c);
    for name in ["allocate", "new"] {
        vm.add_method(meta, vm.intern(name), crate::object::Visibility::Public, crate::object::MethodBody::Undef);
    }
    vm.hooks.match_part.set(Some(part));
    // The names as variables, for `alias $x $~` and `global_variables`.
    vm.define_gvar(
        "$~",
        None,
        Some(|vm, _| Ok(vm.last_match())),
        Some(|vm, _, v| {
            if !v.is_nil() && v.data::<Match>().is_none() {
                let c = vm.describe(v);
                return Err(vm.type_error(&format!("wrong argument type {c} (expected MatchData)")));
            }
            vm.set_last_match(v);
            Ok(())
        }),
    );
    for name in ["$&", "$`", "$'", "$+"] {
        vm.define_gvar(
            name,
            None,
            Some(|vm, name| {
                let m = vm.last_match();
                let what = match vm.symbols.bytes(name) {
                    b"$&" => 1,
                    b"$`" => 2,
                    b"$'" => 3,
                    _ => 4,
                };
                if m.is_nil() { Ok(NIL) } else { part(vm, m, what, 0) }
            }),
            Some(Vm::readonly_gvar),
        );
    }
}

/// A new MatchData; `regexp` may be a String that was searched for.
pub fn make(vm: Vm, regexp: Value, s: Str, regs: Regs) -> Value {
    let subject = RString::frozen_copy(&vm, s);
    let m =
        Match { subject: Cell::new(subject.value()), regexp: Cell::new(regexp), regs: std::cell::RefCell::new(regs) };
    RData::alloc(&vm, vm.classes.match_data.get(), m)
}
/// A MatchData for a plain string found at `at`.
pub fn make_plain(vm: Vm, pattern: Str, s: Str, at: usize) -> Value {
    let p = RString::frozen_copy(&vm, pattern);
    make(vm, p.value(), s, Box::new([(at as i32, (at + pattern.len()) as i32)]))
}

/// Byte positions of group `n` if it took part.
pub fn span(m: Value, n: usize) -> Option<(usize, usize)> {
    let m = m.data::<Match>()?;
    let regs = m.regs.borrow();
    let &(b, e) = regs.get(n)?;
    if b < 0 { None } else { Some((b as usize, e as usize)) }
}

fn state(vm: Vm, m: Value) -> Ruby<(&'static Match, Str)> {
    match m.data::<Match>() {
        Some(d) => match d.subject.get().as_str() {
            Some(s) => Ok((d, s)),
            None => Err(vm.type_error("uninitialized MatchData")),
        },
        None => Err(vm.type_error("wrong argument type (expected MatchData)")),
    }
}
fn groups(d: &Match) -> usize {
    d.regs.borrow().len()
}
fn text(vm: Vm, s: Str, part: Option<(usize, usize)>) -> Value {
    part.map_or(NIL, |(b, e)| RString::substring(&vm, s, b, e - b).value())
}

#[cold]
fn undefined_group(vm: Vm, name: &[u8]) -> Raised {
    vm.index_error(&format!("undefined group name reference: {}", String::from_utf8_lossy(name)))
}
/// The group called `name`: the last of that name that matched.
fn by_name(m: Value, d: &Match, name: &[u8]) -> Option<usize> {
    regexp::with_group(d.regexp.get(), name, |gs| {
        let set = gs.iter().rev().find(|&&g| span(m, g as usize).is_some());
        set.or(gs.last()).map(|&g| g as usize)
    })
    .flatten()
}
/// Group number meant by an Integer, a name or a Symbol; IndexError for unknown names; `None` out of range.
pub fn group_number(vm: Vm, m: Value, which: Value) -> Ruby<Option<usize>> {
    let (d, _) = state(vm, m)?;
    let name: &[u8] = if let Some(s) = which.as_symbol() {
        vm.symbols.bytes(s)
    } else if let Some(s) = which.as_str() {
        s.bytes()
    } else {
        let n = vm.to_i64(which)?;
        let count = groups(d) as i64;
        // Counted from the end, the whole match is not among the groups.
        let n = if n < 0 && n + count > 0 { n + count } else { n };
        return Ok((0..count).contains(&n).then_some(n as usize));
    };
    match by_name(m, d, name) {
        Some(n) => Ok(Some(n)),
        None => Err(undefined_group(vm, name)),
    }
}
/// `match[which]`.
pub fn group(vm: Vm, m: Value, which: Value) -> Ruby {
    let (_, s) = state(vm, m)?;
    Ok(match group_number(vm, m, which)? {
        Some(n) => text(vm, s, span(m, n)),
        None => NIL,
    })
}
/// Group `n` as text, for backreferences in replacements: by name when `name` is given.
pub fn named_span(m: Value, name: &[u8]) -> Option<Option<(usize, usize)>> {
    let d = m.data::<Match>()?;
    by_name(m, d, name).map(|n| span(m, n))
}

/// `$~`-family of the VM: 1 `$&`, 2 `` $` ``, 3 `$'`, 4 `$+`, 5 `$n`.
fn part(vm: Vm, m: Value, what: u8, n: usize) -> Ruby {
    let (d, s) = state(vm, m)?;
    Ok(match what {
        1 => text(vm, s, span(m, 0)),
        2 => text(vm, s, span(m, 0).map(|r| (0, r.0))),
        3 => text(vm, s, span(m, 0).map(|r| (r.1, s.len()))),
        4 => {
            let last = (1..groups(d)).rev().find(|&i| span(m, i).is_some());
            last.map_or(NIL, |i| text(vm, s, span(m, i)))
        }
        5 => text(vm, s, span(m, n)),
        _ => m,
    })
}

fn regexp_of(vm: Vm, this: Value, _args: Args) -> Ruby {
    let (d, _) = state(vm, this)?;
    if let Some(s) = d.regexp.get().as_str() {
        let re = regexp::from_source(vm, regexp::escaped(vm, s), 0)?;
        d.regexp.set(re);
    }
    Ok(d.regexp.get())
}
fn string(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(state(vm, this)?.1.value())
}
fn names(vm: Vm, this: Value, _args: Args) -> Ruby {
    let (d, _) = state(vm, this)?;
    let list = RArray::new(&vm, 4);
    for (n, _) in regexp::group_names(d.regexp.get()) {
        list.push(&vm, regexp::name_str(vm, d.regexp.get(), &n));
    }
    Ok(list.value())
}
fn size(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(Value::fixnum(groups(state(vm, this)?.0) as i64))
}
fn aref(vm: Vm, this: Value, args: Args) -> Ruby {
    let a = args.or_nil(0);
    if args.len() == 1 && (a.is_fixnum() || a.is_symbol() || a.as_str().is_some()) {
        return group(vm, this, a);
    }
    let all = all_groups(vm, this, 0)?;
    vm.send(all, crate::object::sym::AREF, args.slice())
}

/// A group argument of `begin` and the like: IndexError out of range.
fn checked_group(vm: Vm, m: Value, which: Value) -> Ruby<usize> {
    match group_number(vm, m, which)? {
        Some(n) if !(which.is_fixnum() && which.fix() < 0) => Ok(n),
        _ => {
            let i = vm.to_i64(which)?;
            Err(vm.index_error(&format!("index {i} out of matches")))
        }
    }
}
fn chars(s: Str, at: usize) -> Value {
    Value::fixnum(s.count_chars(at) as i64)
}
fn begin(vm: Vm, this: Value, args: Args) -> Ruby {
    let (_, s) = state(vm, this)?;
    let n = checked_group(vm, this, args.or_nil(0))?;
    Ok(span(this, n).map_or(NIL, |r| chars(s, r.0)))
}
fn end(vm: Vm, this: Value, args: Args) -> Ruby {
    let (_, s) = state(vm, this)?;
    let n = checked_group(vm, this, args.or_nil(0))?;
    Ok(span(this, n).map_or(NIL, |r| chars(s, r.1)))
}
fn offset(vm: Vm, this: Value, args: Args) -> Ruby {
    let (_, s) = state(vm, this)?;
    let n = checked_group(vm, this, args.or_nil(0))?;
    Ok(match span(this, n) {
        Some((b, e)) => vm.array(&[chars(s, b), chars(s, e)]),
        None => vm.array(&[NIL, NIL]),
    })
}
fn bytebegin(vm: Vm, this: Value, args: Args) -> Ruby {
    let n = checked_group(vm, this, args.or_nil(0))?;
    Ok(span(this, n).map_or(NIL, |r| Value::fixnum(r.0 as i64)))
}
fn byteend(vm: Vm, this: Value, args: Args) -> Ruby {
    let n = checked_group(vm, this, args.or_nil(0))?;
    Ok(span(this, n).map_or(NIL, |r| Value::fixnum(r.1 as i64)))
}
fn byteoffset(vm: Vm, this: Value, args: Args) -> Ruby {
    let n = checked_group(vm, this, args.or_nil(0))?;
    Ok(match span(this, n) {
        Some((b, e)) => vm.array(&[Value::fixnum(b as i64), Value::fixnum(e as i64)]),
        None => vm.array(&[NIL, NIL]),
    })
}
fn pre_match(vm: Vm, this: Value, _args: Args) -> Ruby {
    part(vm, this, 2, 0)
}
fn post_match(vm: Vm, this: Value, _args: Args) -> Ruby {
    part(vm, this, 3, 0)
}
fn all_groups(vm: Vm, this: Value, from: usize) -> Ruby {
    let (d, s) = state(vm, this)?;
    let list = RArray::new(&vm, groups(d));
    for n in from..groups(d) {
        list.push(&vm, text(vm, s, span(this, n)));
    }
    Ok(list.value())
}
fn to_a(vm: Vm, this: Value, _args: Args) -> Ruby {
    all_groups(vm, this, 0)
}
fn captures(vm: Vm, this: Value, _args: Args) -> Ruby {
    all_groups(vm, this, 1)
}
fn named_captures(vm: Vm, this: Value, args: Args) -> Ruby {
    args.only_keywords(vm, &["symbolize_names"])?;
    let symbols = args.keyword(vm, "symbolize_names")?.is_some_and(Value::truthy);
    let (d, s) = state(vm, this)?;
    let h = RHash::new(&vm);
    let re = d.regexp.get();
    for (n, _) in regexp::group_names(re) {
        let v = text(vm, s, by_name(this, d, &n).and_then(|g| span(this, g)));
        let key = if symbols {
            vm.symbols.intern(&n, regexp::enc_of(re).unwrap_or(s.enc())).into()
        } else {
            regexp::name_str(vm, re, &n)
        };
        h.set(&vm, &vm, key, v)?;
    }
    Ok(h.value())
}
fn deconstruct_keys(vm: Vm, this: Value, args: Args) -> Ruby {
    let (d, s) = state(vm, this)?;
    let h = RHash::new(&vm);
    let keys = args.or_nil(0);
    if keys.is_nil() {
        for (n, _) in regexp::group_names(d.regexp.get()) {
            let v = text(vm, s, by_name(this, d, &n).and_then(|g| span(this, g)));
            let key = vm.symbols.intern(&n, s.enc());
            h.set(&vm, &vm, key.into(), v)?;
        }
        return Ok(h.value());
    }
    let Some(keys) = keys.as_array() else {
        let c = vm.describe(keys);
        return Err(vm.type_error(&format!("wrong argument type {c} (expected Array or nil)")));
    };
    if keys.len() > regexp::group_names(d.regexp.get()).len() {
        return Ok(h.value());
    }
    let mut i = 0;
    while i < keys.len() {
        let k = keys.get(i);
        i += 1;
        let Some(name) = k.as_symbol() else {
            let c = vm.describe(k);
            return Err(vm.type_error(&format!("wrong argument type {c} (expected Symbol)")));
        };
        let Some(g) = by_name(this, d, vm.symbols.bytes(name)) else { break };
        let v = text(vm, s, span(this, g));
        h.set(&vm, &vm, k, v)?;
    }
    Ok(h.value())
}
fn values_at(vm: Vm, this: Value, args: Args) -> Ruby {
    let list = RArray::new(&vm, args.len());
    for &a in args.slice() {
        if a.is_fixnum() || a.is_symbol() || a.as_str().is_some() {
            let v = group(vm, this, a)?;
            list.push(&vm, v);
        } else {
            let all = all_groups(vm, this, 0)?;
            let part = vm.send(all, vm.intern("values_at"), &[a])?;
            if let Some(p) = part.as_array() {
                list.extend(&vm, p.slice());
            }
        }
    }
    Ok(list.value())
}
fn match_(vm: Vm, this: Value, args: Args) -> Ruby {
    let (_, s) = state(vm, this)?;
    let n = checked_group(vm, this, args.or_nil(0))?;
    Ok(text(vm, s, span(this, n)))
}
fn match_length(vm: Vm, this: Value, args: Args) -> Ruby {
    let (_, s) = state(vm, this)?;
    let n = checked_group(vm, this, args.or_nil(0))?;
    Ok(span(this, n).map_or(NIL, |(b, e)| Value::fixnum((s.count_chars(e) - s.count_chars(b)) as i64)))
}
/// `match.integer_at(group, base = 10)`: the group as an Integer, nil if it took no part or is no number.
fn integer_at(vm: Vm, this: Value, args: Args) -> Ruby {
    let (_, s) = state(vm, this)?;
    let base = args.get(1).map_or(Ok(10), |v| vm.to_i32(v))?;
    if base < 0 || base == 1 || base > 36 {
        return Err(vm.arg_error(&format!("invalid radix {base}")));
    }
    let part = group_number(vm, this, args.or_nil(0))?.and_then(|n| span(this, n));
    Ok(match part {
        Some((b, e)) => super::number_text::str_to_int(vm, &s.bytes()[b..e], base, false).unwrap_or(NIL),
        None => NIL,
    })
}
fn to_s(vm: Vm, this: Value, _args: Args) -> Ruby {
    let (_, s) = state(vm, this)?;
    let v = text(vm, s, span(this, 0));
    Ok(if v.is_nil() { new_str(vm, Vec::new(), s.enc()) } else { v })
}
fn inspect(vm: Vm, this: Value, _args: Args) -> Ruby {
    let Ok((d, s)) = state(vm, this) else {
        vm.take_exception();
        return Ok(vm.str(&vm.any_to_s(this)));
    };
    let class = vm.class_name(vm.real_class_of(this));
    let mut out = format!("#<{class}").into_bytes();
    let names = regexp::group_names(d.regexp.get());
    for n in 0..groups(d) {
        out.push(b' ');
        if n > 0 {
            match names.iter().find(|x| x.1.contains(&(n as u32))) {
                Some((name, _)) => out.extend_from_slice(name),
                None => out.extend_from_slice(n.to_string().as_bytes()),
            }
            out.push(b':');
        }
        match span(this, n) {
            Some((b, e)) => out.extend(super::string_inspect::inspect_bytes(&s.bytes()[b..e], s.enc())),
            None => out.extend_from_slice(b"nil"),
        }
    }
    out.push(b'>');
    Ok(new_str(vm, out, crate::object::Enc::Utf8))
}
fn eq(vm: Vm, this: Value, args: Args) -> Ruby {
    let other = args.or_nil(0);
    if this == other {
        return Ok(TRUE);
    }
    if other.data::<Match>().is_none() {
        return Ok(FALSE);
    }
    let ((a, s), (b, t)) = (state(vm, this)?, state(vm, other)?);
    if !vm.str_eq(s, t) || *a.regs.borrow() != *b.regs.borrow() {
        return Ok(FALSE);
    }
    let (x, y) = (regexp_of(vm, this, args)?, regexp_of(vm, other, args)?);
    Ok(Value::bool(vm.eq(x, y)?))
}
fn hash(vm: Vm, this: Value, args: Args) -> Ruby {
    let (d, s) = state(vm, this)?;
    let re = regexp_of(vm, this, args)?;
    let mut h = vm.hash_of(s.value())? ^ vm.hash_of(re)?.rotate_left(7);
    for &(b, e) in d.regs.borrow().iter() {
        h = crate::vm::equal::mix(h ^ ((b as u32 as u64) << 32 | e as u32 as u64));
    }
    Ok(vm.int((h >> 3) as i64))
}
fn initialize_copy(vm: Vm, this: Value, args: Args) -> Ruby {
    let (from, _) = state(vm, args.or_nil(0))?;
    let Some(to) = this.data::<Match>() else { return Ok(this) };
    to.subject.set(from.subject.get());
    to.regexp.set(from.regexp.get());
    let regs = from.regs.borrow().clone();
    *to.regs.borrow_mut() = regs;
    Ok(this)
}
