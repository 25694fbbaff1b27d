//! `fnmatch` and glob patterns.

use crate::sys::{CPath, dir as sys, file};
use crate::vm::Vm;

pub const NOESCAPE: i32 = 1;
pub const PATHNAME: i32 = 2;
pub const DOTMATCH: i32 = 4;
pub const CASEFOLD: i32 = 8;
pub const EXTGLOB: i32 = 16;

/// Alternatives of `{a,b}`, nested ones too.
pub fn braces(pattern: &[u8]) -> Vec<Vec<u8>> {
    let mut depth = 0;
    let mut open = None;
    let mut commas = Vec::new();
    let mut i = 0;
    while i < pattern.len() {
        match pattern[i] {
            b'\\' => i += 1,
            b'{' => {
                if depth == 0 && open.is_none() {
                    open = Some(i);
                }
                depth += 1;
            }
            b',' if depth == 1 => commas.push(i),
            b'}' if depth > 0 => {
                depth -= 1;
                if depth == 0
                    && let Some(start) = open
                {
                    let mut out = Vec::new();
                    let mut from = start + 1;
                    commas.push(i);
                    for &to in &commas {
                        let one = [&pattern[..start], &pattern[from..to], &pattern[i + 1..]].concat();
                        out.extend(braces(&one));
                        from = to + 1;
                        if out.len() > 100_000 {
                            break;
                        }
                    }
                    return out;
                }
            }
            _ => {}
        }
        i += 1;
    }
    vec![pattern.to_vec()]
}

/// Does the pattern match the whole text? Flags as File::FNM_*.
pub fn fnmatch(pattern: &[u8], text: &[u8], flags: i32) -> bool {
    if flags & PATHNAME == 0 {
        return part(pattern, text, flags, true);
    }
    let patterns: Vec<&[u8]> = pattern.split(|&b| b == b'/').collect();
    let names: Vec<&[u8]> = text.split(|&b| b == b'/').collect();
    parts(&patterns, &names, flags)
}
fn parts(ps: &[&[u8]], ns: &[&[u8]], flags: i32) -> bool {
    let Some((p, rest)) = ps.split_first() else { return ns.is_empty() };
    if *p == b"**" && !rest.is_empty() {
        for i in 0..ns.len() {
            if parts(rest, &ns[i..], flags) {
                return true;
            }
            if ns[i].first() == Some(&b'.') && flags & DOTMATCH == 0 {
                return false;
            }
        }
        return false;
    }
    match ns.split_first() {
        Some((n, more)) => part(p, n, flags, true) && parts(rest, more, flags),
        None => false,
    }
}

fn fold(b: u8, flags: i32) -> u8 {
    if flags & CASEFOLD != 0 { b.to_ascii_lowercase() } else { b }
}
fn width(b: &[u8]) -> usize {
    super::io_read::char_len(crate::object::Enc::Utf8, b).min(b.len()).max(1)
}
/// One name against one part of a pattern; `start`: a leading dot must be matched by a dot.
fn part(pattern: &[u8], text: &[u8], flags: i32, start: bool) -> bool {
    let hidden = |at: usize| start && at == 0 && flags & DOTMATCH == 0 && text.first() == Some(&b'.');
    let (mut p, mut t) = (0, 0);
    // Where to go on after the last star: pattern, text.
    let mut back: Option<(usize, usize)> = None;
    loop {
        let ok = match pattern.get(p) {
            None => t == text.len(),
            Some(b'*') => {
                if hidden(t) {
                    return false;
                }
                while pattern.get(p) == Some(&b'*') {
                    p += 1;
                }
                back = Some((p, t));
                continue;
            }
            Some(b'?') if t < text.len() && !hidden(t) => {
                p += 1;
                t += width(&text[t..]);
                continue;
            }
            Some(b'[') if t < text.len() && !hidden(t) => match bracket(&pattern[p..], &text[t..], flags) {
                Some((true, n)) => {
                    p += n;
                    t += width(&text[t..]);
                    continue;
                }
                _ => false,
            },
            Some(&c) => {
                let escaped = c == b'\\' && flags & NOESCAPE == 0 && p + 1 < pattern.len();
                let c = if escaped { pattern[p + 1] } else { c };
                if t < text.len() && fold(c, flags) == fold(text[t], flags) && (escaped || !matches!(c, b'?' | b'[')) {
                    p += 1 + escaped as usize;
                    t += 1;
                    continue;
                }
                false
            }
        };
        if ok {
            return true;
        }
        match back {
            Some((bp, bt)) if bt < text.len() => {
                let n = bt + width(&text[bt..]);
                back = Some((bp, n));
                p = bp;
                t = n;
            }
            _ => return false,
        }
    }
}
/// `[a-z]` at the front: does it match the first character, and how long is it? `None` if it does not end.
fn bracket(p: &[u8], text: &[u8], flags: i32) -> Option<(bool, usize)> {
    let mut i = 1;
    let negated = matches!(p.get(1), Some(b'!' | b'^'));
    if negated {
        i += 1;
    }
    let c = &text[..width(text)];
    let mut found = false;
    let mut first = true;
    loop {
        match p.get(i) {
            None => return None,
            Some(b']') if !first => return Some((found != negated, i + 1)),
            _ => {}
        }
        first = false;
        let unit = |i: &mut usize| -> Option<Vec<u8>> {
            if p.get(*i) == Some(&b'\\') && flags & NOESCAPE == 0 && *i + 1 < p.len() {
                *i += 1;
            }
            let rest = p.get(*i..)?;
            let n = width(rest);
            *i += n;
            Some(rest.get(..n)?.to_vec())
        };
        let low = unit(&mut i)?;
        let high = if p.get(i) == Some(&b'-') && p.get(i + 1).is_some_and(|&b| b != b']') {
            i += 1;
            unit(&mut i)?
        } else {
            low.clone()
        };
        let within = |c: &[u8]| low.as_slice() <= c && c <= high.as_slice();
        found |=
            within(c) || flags & CASEFOLD != 0 && (within(&c.to_ascii_lowercase()) || within(&c.to_ascii_uppercase()));
    }
}

// ---- glob

/// One step of a compiled pattern.
enum Step {
    /// a name without magic
    Plain(Vec<u8>),
    Magic(Vec<u8>),
    /// `**/`
    Deep,
    /// ends with `/`: folders only
    Folder,
}

fn is_magic(p: &[u8], flags: i32) -> bool {
    flags & CASEFOLD != 0 && p.iter().any(u8::is_ascii_alphabetic) || p.iter().any(|b| matches!(b, b'*' | b'?' | b'['))
}
fn unescape(p: &[u8], flags: i32) -> Vec<u8> {
    if flags & NOESCAPE != 0 {
        return p.to_vec();
    }
    let mut out = Vec::new();
    let mut i = 0;
    while i < p.len() {
        if p[i] == b'\\' && i + 1 < p.len() {
            i += 1;
        }
        out.push(p[i]);
        i += 1;
    }
    out
}

/// Runs glob patterns below a folder.
pub struct Glob<'a> {
    pub vm: Vm,
    /// where relative patterns start; empty: the current folder
    pub base: &'a [u8],
    pub flags: i32,
    pub sort: bool,
    pub found: Vec<Vec<u8>>,
}

impl Glob<'_> {
    /// Adds what one pattern matches.
    pub fn run(&mut self, pattern: &[u8]) {
        for p in braces(pattern) {
            self.one(&p);
        }
    }
    fn one(&mut self, pattern: &[u8]) {
        if pattern.is_empty() {
            return;
        }
        let mut prefix = Vec::new();
        let mut rest = pattern;
        while rest.first() == Some(&b'/') {
            if prefix.is_empty() {
                prefix.push(b'/');
            }
            rest = &rest[1..];
        }
        let mut steps = Vec::new();
        let all: Vec<&[u8]> = rest.split(|&b| b == b'/').collect();
        for (i, p) in all.iter().enumerate() {
            let last = i + 1 == all.len();
            if p.is_empty() {
                if last && i > 0 {
                    steps.push(Step::Folder);
                }
            } else if *p == b"**" && !last {
                if !matches!(steps.last(), Some(Step::Deep)) {
                    steps.push(Step::Deep);
                }
            } else if is_magic(p, self.flags) {
                steps.push(Step::Magic(p.to_vec()));
            } else {
                steps.push(Step::Plain(unescape(p, self.flags)));
            }
        }
        if steps.is_empty() {
            if !prefix.is_empty() {
                self.found.push(prefix);
            }
            return;
        }
        self.walk(prefix, &steps, 0);
    }
    fn full(&self, path: &[u8]) -> Vec<u8> {
        if path.first() == Some(&b'/') || self.base.is_empty() {
            return if path.is_empty() { b".".to_vec() } else { path.to_vec() };
        }
        let mut f = self.base.to_vec();
        if !path.is_empty() {
            f.push(b'/');
            f.extend_from_slice(path);
        }
        f
    }
    fn mode(&self, path: &[u8], follow: file::Follow) -> Option<u32> {
        let p = CPath::new(&self.full(path))?;
        file::stat(&self.vm.sched, &p, follow).ok().map(|s| s.st_mode & libc::S_IFMT)
    }
    fn is_dir(&self, path: &[u8]) -> bool {
        self.mode(path, file::Follow::Links) == Some(libc::S_IFDIR)
    }
    fn join(path: &[u8], name: &[u8]) -> Vec<u8> {
        let mut p = path.to_vec();
        if !p.is_empty() && p.last() != Some(&b'/') {
            p.push(b'/');
        }
        p.extend_from_slice(name);
        p
    }
    fn entries(&self, path: &[u8]) -> Vec<sys::Entry> {
        let Some(p) = CPath::new(&self.full(path)) else { return Vec::new() };
        let mut list = sys::entries(&self.vm.sched, &p).unwrap_or_default();
        if self.sort {
            list.sort_by(|a, b| a.name.cmp(&b.name));
        }
        list
    }
    fn walk(&mut self, path: Vec<u8>, steps: &[Step], depth: usize) {
        let Some((step, rest)) = steps.split_first() else {
            self.found.push(path);
            return;
        };
        if depth > 2000 {
            return;
        }
        match step {
            Step::Folder => {
                if self.is_dir(&path) {
                    let mut p = path;
                    p.push(b'/');
                    self.found.push(p);
                }
            }
            Step::Plain(name) => {
                let p = Self::join(&path, name);
                if rest.is_empty() {
                    if self.mode(&p, file::Follow::Nothing).is_some() {
                        self.found.push(p);
                    }
                } else if matches!(rest[0], Step::Folder | Step::Plain(_)) || self.is_dir(&p) {
                    self.walk(p, rest, depth + 1);
                }
            }
            Step::Magic(_) => {
                for e in self.entries(&path) {
                    self.entry(&path, &e, step, rest, depth, true);
                }
            }
            Step::Deep => self.deep(path, rest, depth, true),
        }
    }
    /// One entry of a folder against a name or pattern; `top`: not below a `**`.
    fn entry(&mut self, path: &[u8], e: &sys::Entry, step: &Step, rest: &[Step], depth: usize, top: bool) {
        if e.name == b".." || e.name == b"." && !(top && rest.is_empty() && self.flags & DOTMATCH != 0) {
            return;
        }
        let hit = match step {
            Step::Plain(name) => *name == e.name,
            Step::Magic(pattern) => part(pattern, &e.name, self.flags, true),
            _ => false,
        };
        if !hit {
            return;
        }
        let p = Self::join(path, &e.name);
        if rest.is_empty() {
            self.found.push(p);
        } else if e.kind == libc::DT_DIR || e.kind != libc::DT_REG && self.is_dir(&p) {
            self.walk(p, rest, depth + 1);
        }
    }
    /// `**/`: no folder at all, or any depth of them; symbolic links are not followed.
    fn deep(&mut self, path: Vec<u8>, rest: &[Step], depth: usize, top: bool) {
        if depth > 2000 {
            return;
        }
        let Some((next, after)) = rest.split_first() else { return };
        let by_entry = matches!(next, Step::Plain(_) | Step::Magic(_));
        let nothing = path.is_empty() && matches!(next, Step::Folder);
        if !by_entry && !nothing {
            self.walk(path.clone(), rest, depth + 1);
        }
        for e in self.entries(&path) {
            if by_entry {
                self.entry(&path, &e, next, after, depth, top);
            }
            let hidden = e.name.first() == Some(&b'.') && self.flags & DOTMATCH == 0;
            if hidden || e.name == b"." || e.name == b".." {
                continue;
            }
            let p = Self::join(&path, &e.name);
            let dir = match e.kind {
                libc::DT_DIR => true,
                libc::DT_UNKNOWN => self.mode(&p, file::Follow::Nothing) == Some(libc::S_IFDIR),
                _ => false,
            };
            if dir {
                self.deep(p, rest, depth + 1, false);
            }
        }
    }
}
