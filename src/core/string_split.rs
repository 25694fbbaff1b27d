//! `String`: `split`, `lines` and `each_line`.

use super::regexp;
use super::string::{check_compatible, find_str, me};
use super::string_trim::chomp_end;
use crate::class;
use crate::object::{Ary, RArray, RString, Str};
use crate::value::{Ruby, Value};
use crate::vm::{Args, Block, Vm};

class! { "String" < "Object";
    ["split"]      opt(0, 2) => split;
    ["lines"]      kw(0, 1)  => lines;
    ["each_line"]  kw(0, 1)  => each_line;
}

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}

/// Where pieces go: a list, or a block that sees them at once.
struct Pieces {
    subject: Str,
    /// the receiver, which a block may not write to
    origin: Str,
    list: Ary,
    block: Option<Block>,
    /// empty pieces at the end are held back until another one follows, unless `keep`
    empties: usize,
    keep: bool,
}

impl Pieces {
    fn put(&mut self, vm: Vm, at: usize, len: usize) -> Ruby<()> {
        if len == 0 && !self.keep {
            self.empties += 1;
            return Ok(());
        }
        while self.empties > 0 {
            self.empties -= 1;
            self.give(vm, at, 0)?;
        }
        self.give(vm, at, len)
    }
    fn give(&mut self, vm: Vm, at: usize, len: usize) -> Ruby<()> {
        let piece = RString::substring(&vm, self.subject, at, len).value();
        match self.block {
            Some(b) => {
                let before = super::string_sub::mark(self.origin);
                vm.yield1(b, piece)?;
                if super::string_sub::mark(self.origin) != before {
                    return Err(vm.runtime_error("string modified"));
                }
                Ok(())
            }
            None => {
                self.list.push(&vm, piece);
                Ok(())
            }
        }
    }
}

/// `str.split(pattern = $;, limit = 0)`.
fn split(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = me(vm, this)?;
    let limit = args.get(1).map_or(Ok(0), |v| vm.to_i32(v))? as i64;
    let list = RArray::new(&vm, 0);
    let subject = if args.block().is_some() { RString::frozen_copy(&vm, s) } else { s };
    let mut out = Pieces { subject, origin: s, list, block: args.block(), empties: 0, keep: limit != 0 };
    let result = if args.block().is_some() { this } else { list.value() };
    if s.is_empty() {
        return Ok(result);
    }
    if limit == 1 {
        out.give(vm, 0, s.len())?;
        return Ok(result);
    }
    // Pieces still to be cut off before the rest is given whole.
    let mut left = if limit > 0 { limit - 1 } else { i64::MAX };
    let mut pattern = args.or_nil(0);
    if pattern.is_nil() {
        pattern = vm.gvar_value("$;");
    }
    if regexp::is_regexp(pattern) {
        by_regexp(vm, &mut out, pattern, &mut left)?;
    } else {
        let sep = if pattern.is_nil() { None } else { Some(split_str(vm, pattern)?) };
        match sep {
            None => by_space(vm, &mut out, left)?,
            Some(t) if t.bytes() == b" " => by_space(vm, &mut out, left)?,
            Some(t) if t.is_empty() => by_char(vm, &mut out, left)?,
            Some(t) => {
                check_compatible(vm, s, t)?;
                super::string_index::check_valid(vm, s)?;
                super::string_index::check_valid(vm, t)?;
                by_text(vm, &mut out, t, left)?
            }
        }
    }
    crate::heap::root::keep(subject.value());
    Ok(result)
}
fn split_str(vm: Vm, v: Value) -> Ruby<Str> {
    match vm.check_str(v)? {
        Some(s) => Ok(s),
        None => {
            let c = vm.describe(v);
            Err(vm.type_error(&format!("wrong argument type {c} (expected Regexp)")))
        }
    }
}

fn by_space(vm: Vm, out: &mut Pieces, mut left: i64) -> Ruby<()> {
    let s = out.subject;
    super::string_index::check_valid(vm, s)?;
    let b = s.bytes();
    // Unicode has more white space, but only ASCII's separates here.
    let space = |at: usize| matches!(b[at], b' ' | 9..=13);
    let mut at = 0;
    loop {
        while at < b.len() && space(at) {
            at += 1
        }
        if at >= b.len() {
            // White space at the end: an empty piece behind it, if such are kept.
            return if out.keep { out.put(vm, b.len(), 0) } else { Ok(()) };
        }
        if left == 0 {
            return out.put(vm, at, b.len() - at);
        }
        let start = at;
        while at < b.len() && !space(at) {
            at += 1
        }
        out.put(vm, start, at - start)?;
        if at >= b.len() {
            return Ok(());
        }
        left -= 1;
    }
}
fn by_char(vm: Vm, out: &mut Pieces, mut left: i64) -> Ruby<()> {
    let s = out.subject;
    let b = s.bytes();
    let mut at = 0;
    while at < b.len() && left > 0 {
        let n = if s.single_byte() { 1 } else { s.enc().step(&b[at..]).len };
        out.put(vm, at, n)?;
        at += n;
        left -= 1;
    }
    if at < b.len() || out.keep {
        out.put(vm, at, b.len() - at)?;
    }
    Ok(())
}
fn by_text(vm: Vm, out: &mut Pieces, t: Str, mut left: i64) -> Ruby<()> {
    let s = out.subject;
    let finder = memchr::memmem::Finder::new(t.bytes());
    let mut at = 0;
    let mut from = 0;
    while left > 0 {
        let Some(i) = s.bytes().get(from..).and_then(|h| finder.find(h)) else { break };
        let i = from + i;
        if !s.single_byte() && s.enc().left_edge(s.bytes(), i) != i {
            from = i + 1;
            continue;
        }
        out.put(vm, at, i - at)?;
        at = i + t.len();
        from = at;
        left -= 1;
    }
    out.put(vm, at, s.len() - at)
}
fn by_regexp(vm: Vm, out: &mut Pieces, re: Value, left: &mut i64) -> Ruby<()> {
    let s = out.subject;
    let b = s.bytes();
    let (mut at, mut from, mut stepped) = (0, 0, false);
    while *left > 0 && from <= b.len() {
        let Some(regs) = regexp::search(vm, re, s, from, false)? else { break };
        let (m, e) = (regs[0].0 as usize, regs[0].1 as usize);
        if m == from && m == e {
            // An empty match: the piece ends there only once the search has moved past one character.
            if !stepped {
                from += if from == b.len() { 1 } else { s.enc().step(&b[from..]).len };
                stepped = true;
                continue;
            }
            out.put(vm, at, from - at)?;
            at = from;
        } else {
            out.put(vm, at, m - at)?;
            at = e;
            from = e;
        }
        stepped = false;
        for &(gb, ge) in &regs[1..] {
            if gb >= 0 {
                out.put(vm, gb as usize, (ge - gb) as usize)?;
            }
        }
        *left -= 1;
    }
    out.put(vm, at, b.len() - at)
}

// ---- lines

/// Calls `f` with (start, length, length without the line end) for each line.
fn each(vm: Vm, s: Str, args: Args, mut f: impl FnMut(Vm, usize, usize) -> Ruby<()>) -> Ruby<()> {
    args.only_keywords(vm, &["chomp"])?;
    let chomp = args.keyword(vm, "chomp")?.is_some_and(Value::truthy);
    let sep = match args.get(0) {
        Some(v) => v,
        None => vm.gvar_value("$/"),
    };
    let b = s.bytes();
    if sep.is_nil() {
        return f(vm, 0, b.len());
    }
    let sep = vm.to_str(sep)?;
    check_compatible(vm, s, sep)?;
    let t = sep.bytes();
    let mut at = 0;
    if t.is_empty() {
        return paragraphs(vm, b, chomp, f);
    }
    let newline = t == b"\n";
    while at < b.len() {
        let found = if newline && s.enc().ascii_compatible() {
            memchr::memchr(b'\n', &b[at..]).map(|i| at + i)
        } else {
            find_str(s, sep, at)
        };
        let Some(i) = found else {
            f(vm, at, b.len() - at)?;
            break;
        };
        let end = i + t.len();
        let keep = match (chomp, newline) {
            (false, _) => end - at,
            (true, true) => chomp_end(&b[at..end]),
            (true, false) => i - at,
        };
        f(vm, at, keep)?;
        at = end;
    }
    Ok(())
}
/// Paragraphs end with two line ends; more of them are dropped.
fn paragraphs(vm: Vm, b: &[u8], chomp: bool, mut f: impl FnMut(Vm, usize, usize) -> Ruby<()>) -> Ruby<()> {
    let mut start = Some(0);
    let mut line_end = None;
    let mut at = 0;
    while at < b.len() {
        let (mut cut, mut extra) = (0, 0);
        while at < b.len() {
            let cr = (b[at] == b'\r') as usize;
            let step = (cr + 1).min(b.len() - at);
            if b.get(at + cr) == Some(&b'\n') {
                if line_end == Some(at) {
                    extra = step;
                    break;
                }
                at += step;
                if start.is_some() {
                    line_end = Some(at);
                    cut = step;
                }
            } else {
                start = start.or(Some(at));
                at += step;
            }
        }
        let Some(from) = start.take() else { break };
        line_end = None;
        let to = match (chomp, extra) {
            (false, _) | (true, 0) => at + extra,
            (true, _) => at - cut,
        };
        f(vm, from, to - from)?;
    }
    Ok(())
}
fn lines(vm: Vm, this: Value, args: Args) -> Ruby {
    if args.block().is_some() {
        return each_line(vm, this, args);
    }
    let s = me(vm, this)?;
    let list = RArray::new(&vm, 0);
    each(vm, s, args, |vm, at, len| {
        list.push(&vm, RString::substring(&vm, s, at, len).value());
        Ok(())
    })?;
    Ok(list.value())
}
fn each_line(vm: Vm, this: Value, args: Args) -> Ruby {
    let Some(block) = args.block() else {
        let all = RArray::from_slice(&vm, &[vm.sym("each_line")]);
        all.extend(&vm, args.all());
        return vm.send_full(this, crate::object::sym::TO_ENUM, all.slice(), args.has_keywords(), None, true);
    };
    let subject = RString::frozen_copy(&vm, me(vm, this)?);
    each(vm, subject, args, |vm, at, len| {
        vm.yield1(block, RString::substring(&vm, subject, at, len).value()).map(|_| ())
    })?;
    crate::heap::root::keep(subject.value());
    Ok(this)
}
