//! `String`: `sub`, `gsub` and `scan`.

use super::match_data;
use super::onig::Regs;
use super::regexp;
use super::string::{check_compatible, enumerator, find_str, incompatible, me, me_mut, new_str};
use crate::class;
use crate::object::{Enc, Hsh, RArray, RString, Str};
use crate::value::{NIL, Ruby, Value};
use crate::vm::{Args, Block, Vm};

class! { "String" < "Object";
    ["sub"]    opt(1, 2) => sub;
    ["sub!"]   opt(1, 2) => sub_bang;
    ["gsub"]   opt(1, 2) => gsub;
    ["gsub!"]  opt(1, 2) => gsub_bang;
    ["scan"]   req(1)    => scan;
}

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}

/// What is searched for.
#[derive(Clone, Copy)]
pub enum Pattern {
    Text(Str),
    Regexp(Value),
}

impl Pattern {
    pub fn of(vm: Vm, v: Value) -> Ruby<Pattern> {
        if regexp::is_regexp(v) {
            return Ok(Pattern::Regexp(v));
        }
        match vm.check_str(v)? {
            Some(s) => {
                if s.is_broken() {
                    // The RegexpError that such a pattern gives.
                    regexp::from_source(vm, regexp::escaped(vm, s), 0)?;
                }
                Ok(Pattern::Text(s))
            }
            None => {
                let c = vm.describe(v);
                Err(vm.type_error(&format!("wrong argument type {c} (expected Regexp)")))
            }
        }
    }
    /// First match at or after byte `at`.
    pub fn find(self, vm: Vm, s: Str, at: usize) -> Ruby<Option<Regs>> {
        match self {
            Pattern::Regexp(re) => regexp::search(vm, re, s, at, false),
            Pattern::Text(t) => {
                check_compatible(vm, s, t)?;
                let found = if at > s.len() { None } else { find_str(s, t, at) };
                Ok(found.map(|b| Box::new([(b as i32, (b + t.len()) as i32)]) as Regs))
            }
        }
    }
    /// The MatchData of a match.
    pub fn match_data(self, vm: Vm, s: Str, regs: Regs) -> Value {
        match self {
            Pattern::Regexp(re) => match_data::make(vm, re, s, regs),
            Pattern::Text(t) => match_data::make_plain(vm, t, s, regs[0].0.max(0) as usize),
        }
    }
    fn group(self, name: &[u8], regs: &Regs) -> Option<usize> {
        match self {
            Pattern::Regexp(re) => regexp::with_group(re, name, |gs| {
                let set = gs.iter().rev().find(|&&g| regs.get(g as usize).is_some_and(|r| r.0 >= 0));
                set.or(gs.last()).map(|&g| g as usize)
            })
            .flatten(),
            Pattern::Text(_) => None,
        }
    }
}

/// What takes a match's place.
enum Replacement {
    Text(Str),
    Hash(Hsh),
    Block(Block),
}

impl Replacement {
    fn of(vm: Vm, args: Args) -> Ruby<Option<Replacement>> {
        match (args.get(1), args.block()) {
            (Some(v), _) => {
                if let Some(s) = v.as_str() {
                    return Ok(Some(Replacement::Text(s)));
                }
                match vm.check_hash(v)? {
                    Some(h) => Ok(Some(Replacement::Hash(h))),
                    None => Ok(Some(Replacement::Text(vm.to_str(v)?))),
                }
            }
            (None, Some(b)) => Ok(Some(Replacement::Block(b))),
            (None, None) => Ok(None),
        }
    }
}

/// Appends a replacement text with its back references filled in.
fn expand(vm: Vm, out: &mut Vec<u8>, text: Str, pattern: Pattern, s: Str, regs: &Regs) -> Ruby<()> {
    let t = text.bytes();
    let src = s.bytes();
    let put = |out: &mut Vec<u8>, n: usize| {
        if let Some(&(b, e)) = regs.get(n)
            && b >= 0
        {
            out.extend_from_slice(&src[b as usize..e as usize]);
        }
    };
    let whole = regs[0];
    let mut i = 0;
    while i < t.len() {
        let Some(n) = memchr::memchr(b'\\', &t[i..]) else {
            out.extend_from_slice(&t[i..]);
            break;
        };
        out.extend_from_slice(&t[i..i + n]);
        i += n + 1;
        let Some(&c) = t.get(i) else {
            out.push(b'\\');
            break;
        };
        i += 1;
        match c {
            b'0' | b'&' => put(out, 0),
            b'+' => {
                if let Some(n) = (1..regs.len()).rev().find(|&n| regs[n].0 >= 0) {
                    put(out, n)
                }
            }
            b'1'..=b'9' => put(out, (c - b'0') as usize),
            b'`' => out.extend_from_slice(&src[..whole.0 as usize]),
            b'\'' => out.extend_from_slice(&src[whole.1 as usize..]),
            b'\\' => out.push(b'\\'),
            b'k' if t.get(i) == Some(&b'<') => match t[i + 1..].iter().position(|&c| c == b'>') {
                Some(n) => {
                    let name = &t[i + 1..i + 1 + n];
                    let number = std::str::from_utf8(name).ok().and_then(|x| x.parse::<usize>().ok());
                    match pattern.group(name, regs).or(number) {
                        Some(g) => put(out, g),
                        None => {
                            let name = String::from_utf8_lossy(name);
                            return Err(vm.index_error(&format!("undefined group name reference: {name}")));
                        }
                    }
                    i += n + 2;
                }
                None => return Err(vm.runtime_error("invalid group name reference format")),
            },
            _ => out.extend_from_slice(&[b'\\', c]),
        }
    }
    Ok(())
}

/// A text being built out of a subject's parts and replacements; its encoding is settled by what is appended.
struct Built {
    out: Vec<u8>,
    enc: Enc,
    ascii: bool,
}

impl Built {
    fn new(subject: Str) -> Built {
        Built { out: Vec::with_capacity(subject.len() + 16), enc: subject.enc(), ascii: true }
    }
    fn push(&mut self, vm: Vm, b: &[u8], enc: Enc) -> Ruby<()> {
        if self.ascii || enc != self.enc {
            let ascii = b.is_ascii() && enc.ascii_compatible();
            if enc != self.enc && !b.is_empty() && !(ascii && self.enc.ascii_compatible()) {
                if !self.ascii || !enc.ascii_compatible() && !self.out.is_empty() {
                    return Err(incompatible(vm, self.enc, enc));
                }
                self.enc = enc;
            }
            self.ascii &= ascii;
        }
        self.out.extend_from_slice(b);
        Ok(())
    }
    /// Appends what takes the place of the match `regs`.
    fn replace(&mut self, vm: Vm, with: &Replacement, pattern: Pattern, s: Str, regs: &Regs) -> Ruby<()> {
        let (b, e) = (regs[0].0 as usize, regs[0].1 as usize);
        let new = match with {
            Replacement::Text(t) => {
                if memchr::memchr(b'\\', t.bytes()).is_none() {
                    return self.push(vm, t.bytes(), t.enc());
                }
                let mut part = Vec::new();
                expand(vm, &mut part, *t, pattern, s, regs)?;
                let enc = if t.is_ascii_only() { s.enc() } else { t.enc() };
                return self.push(vm, &part, enc);
            }
            Replacement::Hash(h) => {
                let key = RString::substring(&vm, s, b, e - b).value();
                let v = vm.send(h.value(), crate::object::sym::AREF, &[key])?;
                vm.to_s(v)?
            }
            Replacement::Block(block) => {
                vm.set_last_match(pattern.match_data(vm, s, regs.clone()));
                let part = RString::substring(&vm, s, b, e - b).value();
                let v = vm.yield1(*block, part)?;
                vm.to_s(v)?
            }
        };
        self.push(vm, new.bytes(), new.enc())?;
        crate::heap::root::keep(new.value());
        Ok(())
    }
}

/// The string with its first match replaced; `None` without a match.
fn substituted(vm: Vm, s: Str, args: Args) -> Ruby<Option<Built>> {
    let pattern = Pattern::of(vm, args.or_nil(0))?;
    let Some(with) = Replacement::of(vm, args)? else { return Err(vm.wrong_arguments(1, 2, 2)) };
    let Some(regs) = pattern.find(vm, s, 0)? else {
        vm.set_last_match(NIL);
        return Ok(None);
    };
    let subject = RString::frozen_copy(&vm, s);
    let (b, e) = (regs[0].0 as usize, regs[0].1 as usize);
    let mut built = Built::new(subject);
    built.push(vm, &subject.bytes()[..b], subject.enc())?;
    built.replace(vm, &with, pattern, subject, &regs)?;
    built.push(vm, &subject.bytes()[e..], subject.enc())?;
    vm.set_last_match(pattern.match_data(vm, subject, regs));
    crate::heap::root::keep(subject.value());
    Ok(Some(built))
}
fn sub(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = me(vm, this)?;
    match substituted(vm, s, args)? {
        Some(b) => Ok(new_str(vm, b.out, b.enc)),
        None => Ok(RString::substring(&vm, s, 0, s.len()).value()),
    }
}
fn in_place(vm: Vm, this: Value, s: Str, before: (usize, usize), new: Option<Built>) -> Ruby {
    let Some(b) = new else { return Ok(NIL) };
    vm.check_frozen(this)?;
    if before != (s.len(), s.bytes().as_ptr() as usize) {
        return Err(vm.runtime_error("string modified"));
    }
    s.replace(&vm, b.out, b.enc);
    Ok(this)
}
/// What tells that a string was written to: length and address of its bytes.
pub fn mark(s: Str) -> (usize, usize) {
    (s.len(), s.bytes().as_ptr() as usize)
}
fn sub_bang(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = me_mut(vm, this)?;
    let before = mark(s);
    let new = substituted(vm, s, args)?;
    in_place(vm, this, s, before, new)
}

/// The string with all matches replaced; `None` without any.
fn substituted_all(vm: Vm, s: Str, pattern: Pattern, with: &Replacement) -> Ruby<Option<Built>> {
    let Some(first) = pattern.find(vm, s, 0)? else {
        vm.set_last_match(NIL);
        return Ok(None);
    };
    let subject = RString::frozen_copy(&vm, s);
    let mut built = Built::new(subject);
    let before = mark(s);
    let mut copied = 0;
    let mut regs = first;
    loop {
        let (b, e) = (regs[0].0 as usize, regs[0].1 as usize);
        built.push(vm, &subject.bytes()[copied..b], subject.enc())?;
        built.replace(vm, with, pattern, subject, &regs)?;
        if mark(s) != before {
            return Err(vm.runtime_error("string modified"));
        }
        copied = e;
        let mut from = e;
        if b == e {
            if e >= subject.len() {
                break;
            }
            // An empty match: the character behind it is copied, so that the search moves on.
            let n = subject.enc().step(&subject.bytes()[e..]).len;
            built.push(vm, &subject.bytes()[e..e + n], subject.enc())?;
            copied = e + n;
            from = copied;
        }
        match pattern.find(vm, subject, from)? {
            Some(next) => regs = next,
            None => break,
        }
    }
    built.push(vm, &subject.bytes()[copied..], subject.enc())?;
    vm.set_last_match(pattern.match_data(vm, subject, regs));
    crate::heap::root::keep(subject.value());
    Ok(Some(built))
}
fn gsub(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = me(vm, this)?;
    let Some(with) = Replacement::of(vm, args)? else {
        return enumerator(vm, this, "gsub", args.slice(), None);
    };
    let pattern = Pattern::of(vm, args.or_nil(0))?;
    match substituted_all(vm, s, pattern, &with)? {
        Some(b) => Ok(new_str(vm, b.out, b.enc)),
        None => Ok(RString::substring(&vm, s, 0, s.len()).value()),
    }
}
fn gsub_bang(vm: Vm, this: Value, args: Args) -> Ruby {
    let Some(with) = Replacement::of(vm, args)? else {
        return enumerator(vm, this, "gsub!", args.slice(), None);
    };
    let s = me_mut(vm, this)?;
    let pattern = Pattern::of(vm, args.or_nil(0))?;
    let Some(_) = pattern.find(vm, s, 0)? else {
        vm.set_last_match(NIL);
        return Ok(NIL);
    };
    // Sharing the bytes first keeps their address the same unless the block writes to the string.
    let subject = RString::frozen_copy(&vm, s);
    let before = mark(s);
    let new = substituted_all(vm, subject, pattern, &with)?;
    in_place(vm, this, s, before, new)
}

/// What `scan` gives for a match: the text, or the groups.
fn scan_item(vm: Vm, s: Str, regs: &Regs) -> Value {
    let part = |r: (i32, i32)| {
        if r.0 < 0 { NIL } else { RString::substring(&vm, s, r.0 as usize, (r.1 - r.0) as usize).value() }
    };
    if regs.len() == 1 {
        return part(regs[0]);
    }
    let list = RArray::new(&vm, regs.len() - 1);
    for &r in &regs[1..] {
        list.push(&vm, part(r));
    }
    list.value()
}
fn scan(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = me(vm, this)?;
    let pattern = Pattern::of(vm, args.or_nil(0))?;
    let list = RArray::new(&vm, 0);
    let subject = if args.block().is_some() { RString::frozen_copy(&vm, s) } else { s };
    let mut at = 0;
    let mut last = None;
    while at <= subject.len() {
        let Some(regs) = pattern.find(vm, subject, at)? else { break };
        let (b, e) = (regs[0].0 as usize, regs[0].1 as usize);
        at = e;
        if b == e {
            at += subject.bytes().get(e..).filter(|r| !r.is_empty()).map_or(1, |r| subject.enc().step(r).len);
        }
        let item = scan_item(vm, subject, &regs);
        match args.block() {
            Some(block) => {
                vm.set_last_match(pattern.match_data(vm, subject, regs.clone()));
                let before = mark(s);
                vm.yield1(block, item)?;
                if mark(s) != before {
                    return Err(vm.runtime_error("string modified"));
                }
            }
            None => list.push(&vm, item),
        }
        last = Some(regs);
    }
    let m = match last {
        Some(regs) => pattern.match_data(vm, subject, regs),
        None => NIL,
    };
    vm.set_last_match(m);
    crate::heap::root::keep(subject.value());
    Ok(if args.block().is_some() { this } else { list.value() })
}
