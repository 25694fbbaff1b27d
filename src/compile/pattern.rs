//! Pattern matching: `case/in`, `=>`, `in`.
//!
//! A pattern is a chain of tests, each jumping to `fail`. Variables are bound as soon as their part matches.
//! Where only one pattern can match, the error says which test failed: each test then fails into a stub of its own,
//! emitted out of the way.

use super::Compiler;
use super::cond::{identity_literal, imm16};
use super::emit::{Label, Reg, sym_lit};
use crate::bytecode::op::{NoMatchKind, Op};
use crate::bytecode::proto::Lit;
use crate::syntax::ast::*;

/// The value under test. `cache` keeps the subject's `deconstruct` between the clauses of one `case`: nil while
/// unknown, false if it does not respond.
#[derive(Clone, Copy)]
struct Subject {
    reg: Reg,
    cache: Option<Reg>,
}

/// Where a failing test goes.
#[derive(Clone, Copy)]
enum Fail {
    To(Label),
    /// raises for the value in this register
    Raise(Reg),
}

/// What one failing test says: the operands of `NoMatchWhy`.
pub struct Stub {
    label: Label,
    why: NoMatchKind,
    src: Reg,
    x: Reg,
    c: u16,
}

impl Subject {
    fn part(reg: Reg) -> Subject {
        Subject { reg, cache: None }
    }
}

impl<'a> Compiler<'a> {
    pub fn case_in(
        &mut self,
        subject: &'a Node,
        clauses: &'a [InClause],
        els: Option<&'a Node>,
        dst: Option<Reg>,
        span: Span,
    ) {
        let mark = self.u.next;
        let v = self.u.temp();
        self.expr(subject, v);
        let cache = (clauses.iter().map(|c| deconstructs(&c.pat)).sum::<usize>() > 1).then(|| {
            let t = self.u.temp();
            self.u.load_nil(t);
            t
        });
        let subject = Subject { reg: v, cache };
        let end = self.u.label();
        let first_stub = self.u.stubs.len();
        let single = clauses.len() == 1 && els.is_none();
        for c in clauses {
            let next = self.u.label();
            let fail = if single { Fail::Raise(v) } else { Fail::To(next) };
            self.at(c.pat.span);
            self.pattern(&c.pat, subject, fail);
            if let Some(g) = &c.guard {
                let to = self.failing(fail, NoMatchKind::Guard, v, 0);
                self.cond(g, false, to);
            }
            self.dest(&c.body, dst);
            self.u.jmp(end);
            self.u.bind(next);
        }
        match els {
            Some(_) => self.dest_opt(els, dst),
            None if single => self.stubs(first_stub, span),
            None => {
                self.at(span);
                self.u.emit(Op::NoMatch, 0, v, 0, 0);
            }
        }
        self.u.bind(end);
        self.u.next = mark;
    }

    pub fn match_pattern(&mut self, value: &'a Node, pat: &'a Pat, raises: bool, dst: Option<Reg>, span: Span) {
        let mark = self.u.next;
        let v = self.u.temp();
        self.expr(value, v);
        let (fail, end) = (self.u.label(), self.u.label());
        self.at(span);
        let first_stub = self.u.stubs.len();
        let to = if raises { Fail::Raise(v) } else { Fail::To(fail) };
        self.pattern(pat, Subject::part(v), to);
        self.simple(dst, |u, d| {
            if raises {
                u.load_nil(d);
            } else {
                u.emit(Op::LoadTrue, 0, d, 0, 0);
            }
        });
        self.u.jmp(end);
        self.u.bind(fail);
        if raises {
            self.stubs(first_stub, span);
        } else {
            self.simple(dst, |u, d| u.emit(Op::LoadFalse, 0, d, 0, 0));
        }
        self.u.bind(end);
        self.u.next = mark;
    }

    /// The label for a test that fails for this reason.
    fn failing(&mut self, fail: Fail, why: NoMatchKind, x: Reg, c: u16) -> Label {
        match fail {
            Fail::To(label) => label,
            Fail::Raise(src) => {
                let label = self.u.label();
                self.u.stubs.push(Stub { label, why, src, x, c });
                label
            }
        }
    }

    /// Emits the stubs from `first` on.
    fn stubs(&mut self, first: usize, span: Span) {
        self.at(span);
        for s in self.u.stubs.split_off(first) {
            self.u.bind(s.label);
            self.u.emit(Op::NoMatchWhy, s.why as u8, s.src, s.x, s.c);
        }
    }

    fn pattern(&mut self, p: &'a Pat, s: Subject, fail: Fail) {
        let mark = self.u.next;
        match &p.kind {
            PatKind::Value(n) | PatKind::Pin(n) => self.pattern_value(n, s.reg, fail),
            PatKind::Bind(name) => self.bind_name(name, s.reg, p.span),
            PatKind::Alt(alts) => {
                let ok = self.u.label();
                for (i, a) in alts.iter().enumerate() {
                    if i + 1 == alts.len() {
                        self.pattern(a, s, fail);
                    } else {
                        let next = self.u.label();
                        self.pattern(a, s, Fail::To(next));
                        self.u.jmp(ok);
                        self.u.bind(next);
                    }
                }
                self.u.bind(ok);
            }
            PatKind::As(inner, name) => {
                self.pattern(inner, s, fail);
                self.bind_name(name, s.reg, p.span);
            }
            PatKind::ConstEmpty(konst) => {
                self.pattern_value(konst, s.reg, fail);
                let a = self.deconstruct(s, fail);
                self.length(a, 0, false, fail);
            }
            PatKind::Array { konst, pre, rest, post } => {
                if let Some(k) = konst {
                    self.pattern_value(k, s.reg, fail);
                }
                let a = self.deconstruct(s, fail);
                if pre.len() > u8::MAX as usize || post.len() > u8::MAX as usize {
                    return self.error(p.span, "pattern has too many elements");
                }
                self.length(a, pre.len() + post.len(), rest.is_some(), fail);
                for (i, e) in pre.iter().enumerate() {
                    self.element(a, i as i16, e, fail);
                }
                if let Some(Some(name)) = rest {
                    let t = self.u.temp();
                    self.u.emit(Op::ArrayMid, 0, t, a, pre.len() as u16 | (post.len() as u16) << 8);
                    self.bind_name(name, t, p.span);
                }
                for (i, e) in post.iter().enumerate() {
                    self.element(a, i as i16 - post.len() as i16, e, fail);
                }
            }
            PatKind::Find { konst, before, mid, after } => {
                if let Some(k) = konst {
                    self.pattern_value(k, s.reg, fail);
                }
                self.find(s, before.as_ref(), mid, after.as_ref(), fail, p.span);
            }
            PatKind::Hash { konst, pairs, rest } => {
                if let Some(k) = konst {
                    self.pattern_value(k, s.reg, fail);
                }
                self.hash_pattern(s.reg, pairs, rest, fail, p.span);
            }
        }
        self.u.next = mark;
    }

    fn bind_name(&mut self, name: &Name, src: Reg, span: Span) {
        let v = self.var(name, span);
        self.set_var(v, src);
    }

    /// `value === subject`
    fn pattern_value(&mut self, n: &'a Node, subject: Reg, fail: Fail) {
        let mark = self.u.next;
        if let (Fail::To(to), Some(imm)) = (fail, imm16(n)) {
            self.u.br_short(Op::BrNotEqInt, subject, imm, to);
            return;
        }
        if let (Fail::To(to), Some(lit)) = (fail, identity_literal(n)) {
            let lit = self.u.lit16(lit);
            self.u.br_short(Op::BrIsNot, subject, lit, to);
            return;
        }
        let p = match &n.kind {
            Kind::Str(b) => {
                let p = self.u.temp();
                self.u.load_lit(p, Lit::Str(b.clone()));
                p
            }
            _ => self.operand(n),
        };
        let ok = self.u.temp();
        self.at(n.span);
        self.u.emit(Op::CaseEq, 0, ok, p, subject);
        let to = self.failing(fail, NoMatchKind::Value, p, subject);
        self.u.br(Op::BrUnless, ok, to);
        self.u.next = mark;
    }

    /// The subject's array, or on to `fail`.
    fn deconstruct(&mut self, s: Subject, fail: Fail) -> Reg {
        let no = self.failing(fail, NoMatchKind::NoDeconstruct, s.reg, 0);
        let Some(c) = s.cache else {
            let t = self.u.temp();
            self.u.emit(Op::Deconstruct, 0, t, s.reg, 0);
            self.u.br(Op::BrNil, t, no);
            return t;
        };
        let (have, ask) = (self.u.label(), self.u.label());
        self.u.br(Op::BrIf, c, have);
        self.u.br(Op::BrNil, c, ask);
        self.u.jmp(no);
        self.u.bind(ask);
        self.u.emit(Op::Deconstruct, 0, c, s.reg, 0);
        self.u.br(Op::BrIf, c, have);
        self.u.emit(Op::LoadFalse, 0, c, 0, 0);
        self.u.jmp(no);
        self.u.bind(have);
        c
    }

    fn length(&mut self, array: Reg, n: usize, at_least: bool, fail: Fail) {
        if at_least && n == 0 {
            return;
        }
        let t = self.u.temp();
        self.u.emit(Op::ArrayLen, 0, t, array, 0);
        let (op, why) = match at_least {
            true => (Op::BrLtInt, NoMatchKind::LengthAtLeast),
            false => (Op::BrNotEqInt, NoMatchKind::Length),
        };
        let to = self.failing(fail, why, array, n as u16);
        self.u.br_short(op, t, n as u16, to);
    }

    fn element(&mut self, array: Reg, i: i16, p: &'a Pat, fail: Fail) {
        let t = self.u.temp();
        self.u.emit(Op::ArrayAt, 0, t, array, i as u16);
        self.pattern(p, Subject::part(t), fail);
        self.u.next = t as u32;
    }

    /// `[*before, mid..., *after]`: tries each position from the left.
    fn find(
        &mut self,
        s: Subject,
        before: Option<&'a Name>,
        mid: &'a [Pat],
        after: Option<&'a Name>,
        fail: Fail,
        span: Span,
    ) {
        let n = mid.len() as u16;
        let a = self.deconstruct(s, fail);
        let (len, i, last) = (self.u.temp(), self.u.temp(), self.u.temp());
        self.u.emit(Op::ArrayLen, 0, len, a, 0);
        let no = self.failing(fail, NoMatchKind::LengthAtLeast, a, n);
        self.u.br_short(Op::BrLtInt, len, n, no);
        self.u.emit(Op::SubInt, 0, last, len, n);
        self.u.load_int(i, 0);
        let (again, next, found) = (self.u.here(), self.u.label(), self.u.label());
        for (j, p) in mid.iter().enumerate() {
            let (t, at) = (self.u.temp(), self.u.temp());
            self.u.emit(Op::AddInt, 0, at, i, j as u16);
            self.u.emit(Op::ArrayGet, 0, t, a, at);
            self.pattern(p, Subject::part(t), Fail::To(next));
            self.u.next = t as u32;
        }
        self.u.jmp(found);
        self.u.bind(next);
        self.u.emit(Op::AddInt, 0, i, i, 1);
        self.u.br_short(Op::BrLe, i, last, again);
        let no = self.failing(fail, NoMatchKind::Find, a, 0);
        self.u.jmp(no);
        self.u.bind(found);
        if let Some(name) = before {
            let t = self.u.temp();
            self.u.load_int(t, 0);
            self.slice(a, t, i, t, span);
            self.bind_name(name, t, span);
        }
        if let Some(name) = after {
            let t = self.u.temp();
            self.u.emit(Op::AddInt, 0, t, i, n);
            self.slice(a, t, len, t, span);
            self.bind_name(name, t, span);
        }
    }

    /// `dst = array[from, count]`
    fn slice(&mut self, array: Reg, from: Reg, count: Reg, dst: Reg, span: Span) {
        let (window, slot) = self.window();
        self.u.mov(slot, array);
        self.u.mov(slot + 1, from);
        self.u.mov(slot + 2, count);
        self.send_in_place("[]", window, 2, 0, Some(dst), span);
    }

    fn hash_pattern(
        &mut self,
        subject: Reg,
        pairs: &'a [(Name, Option<Pat>)],
        rest: &'a KwRest,
        fail: Fail,
        span: Span,
    ) {
        let h = self.u.temp();
        // nil asks for everything
        let only_these = match rest {
            KwRest::None => !pairs.is_empty(),
            KwRest::Rest(name) => name.is_none(),
            KwRest::Nil => false,
        };
        let base = self.u.next as Reg;
        let keys = self.u.temp();
        if only_these {
            self.u.next = base as u32;
            for (name, _) in pairs {
                let t = self.u.temp();
                self.u.load_lit(t, sym_lit(name));
            }
            self.u.emit_run(Op::NewArray, keys, base, pairs.len());
            self.u.next = base as u32 + 1;
        } else {
            self.u.load_nil(keys);
        }
        // what is left after all pairs matters for `**rest` and `**nil`: keys are deleted from a copy
        let dup = matches!(rest, KwRest::Rest(Some(_)) | KwRest::Nil);
        self.u.emit(Op::DeconstructKeys, dup as u8, h, subject, keys);
        let no = self.failing(fail, NoMatchKind::NoDeconstructKeys, subject, 0);
        self.u.br(Op::BrNil, h, no);
        self.u.next = base as u32;
        for (name, p) in pairs {
            let v = self.u.temp();
            let key = self.u.sym16(name);
            self.u.emit(Op::HashFetch, dup as u8, v, h, key);
            let given = self.u.label();
            self.u.br(Op::BrGiven, v, given);
            let no = self.failing(fail, NoMatchKind::Key, h, key);
            self.u.jmp(no);
            self.u.bind(given);
            match p {
                Some(p) => self.pattern(p, Subject::part(v), fail),
                None => self.bind_name(name, v, span),
            }
            self.u.next = v as u32;
        }
        match rest {
            KwRest::Rest(Some(name)) => self.bind_name(name, h, span),
            KwRest::Rest(None) => {}
            KwRest::None if !pairs.is_empty() => {}
            KwRest::None | KwRest::Nil => {
                let t = self.u.temp();
                self.u.emit(Op::HashEmpty, 0, t, h, 0);
                let why = if pairs.is_empty() { NoMatchKind::NotEmpty } else { NoMatchKind::RestNotEmpty };
                let no = self.failing(fail, why, h, 0);
                self.u.br(Op::BrUnless, t, no);
            }
        }
    }
}

/// How many times the pattern calls `deconstruct` on the subject itself.
fn deconstructs(p: &Pat) -> usize {
    match &p.kind {
        PatKind::Array { .. } | PatKind::Find { .. } | PatKind::ConstEmpty(_) => 1,
        PatKind::Alt(v) => v.iter().map(deconstructs).sum(),
        PatKind::As(p, _) => deconstructs(p),
        _ => 0,
    }
}
