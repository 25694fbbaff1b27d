//! `String`: character sets: `tr`, `delete`, `squeeze`, `count`.

use super::string::{broken, check_compatible, me, me_mut};
use super::string_edit::{copy_or_new, replace_or_nil};
use crate::class;
use crate::object::{Enc, Str};
use crate::value::{Ruby, Value};
use crate::vm::{Args, Vm};

class! { "String" < "Object";
    ["tr"]        req(2)  => tr;
    ["tr!"]       req(2)  => tr_bang;
    ["tr_s"]      req(2)  => tr_s;
    ["tr_s!"]     req(2)  => tr_s_bang;
    ["delete"]    rest(0) => delete;
    ["delete!"]   rest(0) => delete_bang;
    ["squeeze"]   rest(0) => squeeze;
    ["squeeze!"]  rest(0) => squeeze_bang;
    ["count"]     rest(0) => count;
}

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}

/// A parsed set such as `"^a-z_"`: ranges of codes in the order written.
struct Spec {
    ranges: Vec<(u32, u32)>,
    negated: bool,
}

impl Spec {
    fn parse(vm: Vm, s: Str) -> Ruby<Spec> {
        let enc = s.enc();
        let mut codes = Vec::new();
        for (_, _, code) in enc.chars(s.bytes()) {
            match code {
                Some(c) => codes.push(c),
                None => return Err(broken(vm, enc)),
            }
        }
        let negated = codes.len() > 1 && codes[0] == '^' as u32;
        let mut at = negated as usize;
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        while at < codes.len() {
            let mut c = codes[at];
            at += 1;
            if c == '\\' as u32 && at < codes.len() {
                c = codes[at];
                at += 1;
            }
            // `a-z`, unless the dash ends the string.
            if at + 1 < codes.len() && codes[at] == '-' as u32 {
                let mut end = codes[at + 1];
                at += 2;
                if end == '\\' as u32 && at < codes.len() {
                    end = codes[at];
                    at += 1;
                }
                if c > end {
                    let mut text = b"invalid range \"".to_vec();
                    enc.put(c, &mut text);
                    text.push(b'-');
                    enc.put(end, &mut text);
                    text.extend_from_slice(b"\" in string transliteration");
                    return Err(vm.arg_error(&String::from_utf8_lossy(&text)));
                }
                ranges.push((c, end));
            } else {
                ranges.push((c, c));
            }
        }
        Ok(Spec { ranges, negated })
    }
    fn lists(&self, c: u32) -> bool {
        self.ranges.iter().any(|r| (r.0..=r.1).contains(&c))
    }
    fn has(&self, c: u32) -> bool {
        self.lists(c) != self.negated
    }
    /// Position of a code in the written order; the last mention counts.
    fn position(&self, c: u32) -> Option<usize> {
        let mut before = 0;
        let mut found = None;
        for r in &self.ranges {
            if (r.0..=r.1).contains(&c) {
                found = Some(before + (c - r.0) as usize);
            }
            before += (r.1 - r.0) as usize + 1;
        }
        found
    }
    /// Code at a position, the last one beyond the end.
    fn at(&self, mut i: usize) -> Option<u32> {
        for r in &self.ranges {
            let n = (r.1 - r.0) as usize + 1;
            if i < n {
                return Some(r.0 + i as u32);
            }
            i -= n;
        }
        self.ranges.last().map(|r| r.1)
    }
}

/// What all sets given to a method have in common.
pub struct Set {
    low: [bool; 256],
    specs: Vec<Spec>,
}

impl Set {
    /// From the arguments of `count` and the like; encodings must fit the receiver's.
    pub fn from_args(vm: Vm, s: Str, args: &[Value]) -> Ruby<Set> {
        let mut specs = Vec::new();
        for &a in args {
            let t = vm.to_str(a)?;
            check_compatible(vm, s, t)?;
            specs.push(Spec::parse(vm, t)?);
        }
        let mut low = [false; 256];
        for (c, slot) in low.iter_mut().enumerate() {
            *slot = specs.iter().all(|p| p.has(c as u32));
        }
        Ok(Set { low, specs })
    }
    #[inline]
    pub fn has(&self, c: u32) -> bool {
        match self.low.get(c as usize) {
            Some(&b) => b,
            None => self.specs.iter().all(|p| p.has(c)),
        }
    }
}

fn needs_one(vm: Vm, args: Args) -> Ruby<()> {
    if args.is_empty() {
        return Err(vm.arg_error("wrong number of arguments (given 0, expected 1+)"));
    }
    Ok(())
}

fn count(vm: Vm, this: Value, args: Args) -> Ruby {
    needs_one(vm, args)?;
    let s = me(vm, this)?;
    let set = Set::from_args(vm, s, args.slice())?;
    let n = if s.single_byte() {
        s.bytes().iter().filter(|&&b| set.low[b as usize]).count()
    } else {
        let mut n = 0;
        for (_, _, code) in s.enc().chars(s.bytes()) {
            match code {
                Some(c) => n += set.has(c) as usize,
                None => return Err(broken(vm, s.enc())),
            }
        }
        n
    };
    Ok(Value::fixnum(n as i64))
}

/// Bytes without the characters that `drop(code, code before)` picks; `None` if there is none of them.
fn reject(vm: Vm, s: Str, mut drop: impl FnMut(u32, Option<u32>) -> bool) -> Ruby<Option<Vec<u8>>> {
    let b = s.bytes();
    let mut out = Vec::with_capacity(b.len());
    let mut before = None;
    let single = s.single_byte();
    let mut at = 0;
    while at < b.len() {
        let (len, code) = if single {
            (1, b[at] as u32)
        } else {
            let st = s.enc().step(&b[at..]);
            match st.code {
                Some(c) => (st.len, c),
                None => return Err(broken(vm, s.enc())),
            }
        };
        if !drop(code, before) {
            out.extend_from_slice(&b[at..at + len]);
        }
        before = Some(code);
        at += len;
    }
    Ok((out.len() < b.len()).then_some(out))
}
fn deleted(vm: Vm, s: Str, args: Args) -> Ruby<Option<Vec<u8>>> {
    needs_one(vm, args)?;
    let set = Set::from_args(vm, s, args.slice())?;
    reject(vm, s, |c, _| set.has(c))
}
fn delete(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = me(vm, this)?;
    copy_or_new(vm, s, deleted(vm, s, args)?)
}
fn delete_bang(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = me_mut(vm, this)?;
    let v = deleted(vm, s, args)?;
    replace_or_nil(vm, this, s, v)
}
fn squeezed(vm: Vm, s: Str, args: Args) -> Ruby<Option<Vec<u8>>> {
    let set = Set::from_args(vm, s, args.slice())?;
    reject(vm, s, |c, before| before == Some(c) && set.has(c))
}
fn squeeze(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = me(vm, this)?;
    copy_or_new(vm, s, squeezed(vm, s, args)?)
}
fn squeeze_bang(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = me_mut(vm, this)?;
    let v = squeezed(vm, s, args)?;
    replace_or_nil(vm, this, s, v)
}

/// New bytes and their encoding; `None` if nothing was replaced.
fn translated(vm: Vm, s: Str, from: Value, to: Value, squeeze: bool) -> Ruby<Option<(Vec<u8>, Enc)>> {
    let from = vm.to_str(from)?;
    let to = vm.to_str(to)?;
    check_compatible(vm, s, from)?;
    let enc = if to.is_empty() { s.enc() } else { check_compatible(vm, s, to)? };
    let spec = Spec::parse(vm, from)?;
    if to.is_empty() {
        return Ok(reject(vm, s, |c, _| spec.has(c))?.map(|v| (v, enc)));
    }
    let mut goal = Spec::parse(vm, to)?;
    if goal.negated {
        // "^" has no meaning in the second argument.
        goal.ranges.insert(0, ('^' as u32, '^' as u32));
    }
    let map = |c: u32| -> Option<u32> {
        if spec.negated {
            if spec.lists(c) { None } else { goal.at(usize::MAX) }
        } else {
            spec.position(c).and_then(|i| goal.at(i))
        }
    };
    let mut low = [None; 256];
    for (c, slot) in low.iter_mut().enumerate() {
        *slot = map(c as u32);
    }
    let b = s.bytes();
    let single = s.single_byte();
    let mut out = Vec::with_capacity(b.len());
    let mut changed = false;
    // The replacement written last, while no other character came in between.
    let mut last = None;
    let mut at = 0;
    while at < b.len() {
        let (len, code) = if single {
            (1, b[at] as u32)
        } else {
            let st = s.enc().step(&b[at..]);
            match st.code {
                Some(c) => (st.len, c),
                None => return Err(broken(vm, s.enc())),
            }
        };
        let new = match low.get(code as usize) {
            Some(&n) => n,
            None => map(code),
        };
        match new {
            Some(n) => {
                if !squeeze || last != Some(n) {
                    enc.put(n, &mut out);
                    changed |= n != code;
                } else {
                    changed = true;
                }
                last = Some(n);
            }
            None => {
                out.extend_from_slice(&b[at..at + len]);
                last = None;
            }
        }
        at += len;
    }
    Ok(changed.then_some((out, enc)))
}
fn tr_copy(vm: Vm, this: Value, args: Args, squeeze: bool) -> Ruby {
    let s = me(vm, this)?;
    match translated(vm, s, args.or_nil(0), args.or_nil(1), squeeze)? {
        Some((v, enc)) => Ok(super::string::new_str(vm, v, enc)),
        None => copy_or_new(vm, s, None),
    }
}
fn tr_in_place(vm: Vm, this: Value, args: Args, squeeze: bool) -> Ruby {
    let s = me_mut(vm, this)?;
    match translated(vm, s, args.or_nil(0), args.or_nil(1), squeeze)? {
        Some((v, enc)) => {
            s.replace(&vm, v, enc);
            Ok(this)
        }
        None => Ok(crate::value::NIL),
    }
}
fn tr(vm: Vm, this: Value, args: Args) -> Ruby {
    tr_copy(vm, this, args, false)
}
fn tr_bang(vm: Vm, this: Value, args: Args) -> Ruby {
    tr_in_place(vm, this, args, false)
}
fn tr_s(vm: Vm, this: Value, args: Args) -> Ruby {
    tr_copy(vm, this, args, true)
}
fn tr_s_bang(vm: Vm, this: Value, args: Args) -> Ruby {
    tr_in_place(vm, this, args, true)
}
