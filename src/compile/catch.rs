//! Exceptions and jumps: `begin`, `rescue`, `ensure`, and what `return`, `break`, `next`, `redo`, `retry` cross.
//!
//! The stack `Unit::ctl` says what surrounds the code being emitted. A jump that leaves some of it emits, from the
//! inside out, what each level needs: a handler restores `$!`, an ensure runs its body as an inline copy. The copies are
//! excluded from every range they leave: ranges are lists of segments.

use super::Compiler;
use super::emit::{Label, Reg};
use super::walk::may_jump;
use crate::bytecode::op::Op;
use crate::bytecode::proto::*;
use crate::syntax::ast::*;

/// Protected instructions: closed segments, and the start of the open one.
#[derive(Default)]
pub struct Region {
    segments: Vec<(u32, u32)>,
    start: u32,
}

impl Region {
    fn pause(&mut self, pc: u32) {
        if self.start < pc {
            self.segments.push((self.start, pc));
        }
        self.start = pc;
    }
}

/// One thing around the code being emitted.
pub enum Ctl<'a> {
    Loop {
        break_to: Label,
        next_to: Label,
        redo_to: Label,
        dst: Option<Reg>,
    },
    /// the body of a `begin` with rescue clauses
    Rescue {
        region: Region,
    },
    /// a rescue or ensure handler; `saved` is `$!` as it was before. `retry` for rescue handlers.
    Handler {
        saved: Option<Reg>,
        retry: Option<Label>,
    },
    /// code that an ensure clause protects
    Ensure {
        region: Region,
        body: &'a Node,
    },
}

impl<'a> Compiler<'a> {
    // ---- leaving

    /// Emits what is due when control leaves everything above `depth`. The levels are off the stack until `rejoin`.
    fn leave(&mut self, depth: usize) -> Vec<Ctl<'a>> {
        let mut gone = Vec::new();
        while self.u.ctl.len() > depth {
            let mut c = self.u.ctl.pop().expect("deeper than depth");
            let pc = self.u.pc();
            let mut run = None;
            match &mut c {
                Ctl::Loop { .. } => {}
                Ctl::Rescue { region } => region.pause(pc),
                Ctl::Handler { saved: Some(r), .. } => self.u.emit(Op::SetErr, 0, *r, 0, 0),
                Ctl::Handler { saved: None, .. } => {}
                Ctl::Ensure { region, body } => {
                    region.pause(pc);
                    run = Some(*body);
                }
            }
            if let Some(body) = run {
                self.discard(body);
            }
            gone.push(c);
        }
        gone
    }

    /// Puts the levels back; their ranges go on from here.
    fn rejoin(&mut self, gone: Vec<Ctl<'a>>) {
        let pc = self.u.pc();
        for mut c in gone.into_iter().rev() {
            if let Ctl::Rescue { region } | Ctl::Ensure { region, .. } = &mut c {
                region.start = pc;
            }
            self.u.ctl.push(c);
        }
    }

    fn crosses_ensure(&self, depth: usize) -> bool {
        self.u.ctl[depth..].iter().any(|c| matches!(c, Ctl::Ensure { .. }))
    }

    /// May `return` here be the plain instruction, with nothing to run before it?
    pub fn plain_return(&self) -> bool {
        self.u.ctl.is_empty() && self.returns_here()
    }

    /// Is this code object the one that `return` leaves?
    fn returns_here(&self) -> bool {
        match self.u.kind {
            CodeKind::Block => self.u.lambda,
            CodeKind::Eval => false,
            _ => true,
        }
    }

    /// The value a jump carries, safe against ensure bodies that run in between.
    fn jump_value(&mut self, v: Option<&'a Node>, depth: usize) -> Reg {
        match v {
            None => {
                let t = self.u.temp();
                self.u.load_nil(t);
                t
            }
            Some(v) => {
                let r = self.operand(v);
                if r != 0 && !self.u.is_temp(r) && self.crosses_ensure(depth) {
                    let t = self.u.temp();
                    self.u.mov(t, r);
                    return t;
                }
                r
            }
        }
    }

    pub fn return_(&mut self, v: Option<&'a Node>, span: Span) {
        let mark = self.u.next;
        if self.returns_here() {
            let r = self.jump_value(v, 0);
            let gone = self.leave(0);
            self.emit_return(r);
            self.rejoin(gone);
        } else {
            let r = self.jump_value(v, self.u.ctl.len());
            self.restore_err();
            self.at(span);
            self.u.emit(Op::ReturnFar, 0, r, 0, 0);
        }
        self.u.next = mark;
    }

    /// `$!` as it was before the outermost handler that a far jump leaves; the VM runs the ensure clauses.
    fn restore_err(&mut self) {
        let saved = self.u.ctl.iter().find_map(|c| match c {
            Ctl::Handler { saved, .. } => *saved,
            _ => None,
        });
        if let Some(r) = saved {
            self.u.emit(Op::SetErr, 0, r, 0, 0);
        }
    }

    fn innermost_loop(&self) -> Option<usize> {
        self.u.ctl.iter().rposition(|c| matches!(c, Ctl::Loop { .. }))
    }

    pub fn break_(&mut self, v: Option<&'a Node>, span: Span) {
        let mark = self.u.next;
        if let Some(i) = self.innermost_loop()
            && let Ctl::Loop { break_to, dst, .. } = self.u.ctl[i]
        {
            self.dest_opt(v, dst);
            let gone = self.leave(i);
            self.u.jmp(break_to);
            self.rejoin(gone);
        } else if self.u.kind == CodeKind::Block && self.u.lambda {
            let r = self.jump_value(v, 0);
            let gone = self.leave(0);
            self.emit_return(r);
            self.rejoin(gone);
        } else if self.u.kind == CodeKind::Block {
            let r = self.jump_value(v, self.u.ctl.len());
            self.restore_err();
            self.at(span);
            self.u.emit(Op::Break, 0, r, 0, 0);
        } else {
            let eval = self.u.kind == CodeKind::Eval;
            self.error(span, if eval { "Can't escape from eval with break" } else { "Invalid break" });
        }
        self.u.next = mark;
    }

    pub fn next_(&mut self, v: Option<&'a Node>, span: Span) {
        let mark = self.u.next;
        if let Some(i) = self.innermost_loop()
            && let Ctl::Loop { next_to, .. } = self.u.ctl[i]
        {
            if let Some(v) = v {
                self.discard(v);
            }
            let gone = self.leave(i + 1);
            self.u.jmp(next_to);
            self.rejoin(gone);
        } else if self.u.kind == CodeKind::Block {
            let r = self.jump_value(v, 0);
            let gone = self.leave(0);
            self.emit_return(r);
            self.rejoin(gone);
        } else {
            let eval = self.u.kind == CodeKind::Eval;
            self.error(span, if eval { "Can't escape from eval with next" } else { "Invalid next" });
        }
        self.u.next = mark;
    }

    pub fn redo(&mut self, span: Span) {
        if let Some(i) = self.innermost_loop()
            && let Ctl::Loop { redo_to, .. } = self.u.ctl[i]
        {
            let gone = self.leave(i + 1);
            self.u.jmp(redo_to);
            self.rejoin(gone);
        } else if let (CodeKind::Block, Some(start)) = (self.u.kind, self.u.start) {
            let gone = self.leave(0);
            self.u.jmp(start);
            self.rejoin(gone);
        } else {
            let eval = self.u.kind == CodeKind::Eval;
            self.error(span, if eval { "Can't escape from eval with redo" } else { "Invalid redo" });
        }
    }

    pub fn retry(&mut self, span: Span) {
        let found = self.u.ctl.iter().rposition(|c| matches!(c, Ctl::Handler { retry: Some(_), .. }));
        if let Some(i) = found
            && let Ctl::Handler { retry: Some(to), .. } = self.u.ctl[i]
        {
            let gone = self.leave(i);
            self.u.jmp(to);
            self.rejoin(gone);
        } else {
            self.error(span, "Invalid retry without rescue");
        }
    }

    // ---- begin

    fn add_catch(&mut self, kind: CatchKind, segments: &[(u32, u32)], handler: u32, reg: Reg) {
        for &(start, end) in segments {
            self.u.catch.push(CatchProto { kind, start, end, handler, reg });
        }
    }

    pub fn begin(&mut self, b: &'a Begin, dst: Option<Reg>) {
        match &b.ensure {
            None => self.rescued(b, dst),
            Some(ensure) => self.ensured(ensure, dst, |c, dst| c.rescued(b, dst)),
        }
    }

    /// Runs `ensure` after what `protect` emits, whichever way that ends.
    fn ensured(&mut self, ensure: &'a Node, dst: Option<Reg>, protect: impl FnOnce(&mut Self, Option<Reg>)) {
        let saved = may_jump(ensure).then(|| {
            let t = self.u.temp();
            self.u.emit(Op::GetErr, 0, t, 0, 0);
            t
        });
        let region = Region { segments: Vec::new(), start: self.u.pc() };
        self.u.ctl.push(Ctl::Ensure { region, body: ensure });
        protect(self, dst);
        let Some(Ctl::Ensure { mut region, .. }) = self.u.ctl.pop() else { unreachable!("pushed above") };
        region.pause(self.u.pc());
        self.discard(ensure);
        if region.segments.is_empty() {
            return;
        }
        let end = self.u.label();
        self.u.jmp(end);
        let handler = self.u.pc();
        let token = self.u.temp();
        self.add_catch(CatchKind::Ensure, &region.segments, handler, token);
        self.u.ctl.push(Ctl::Handler { saved, retry: None });
        self.discard(ensure);
        self.u.ctl.pop();
        self.u.emit(Op::Rethrow, 0, token, 0, 0);
        self.u.bind(end);
    }

    /// Body, rescue clauses and else clause.
    fn rescued(&mut self, b: &'a Begin, dst: Option<Reg>) {
        if b.rescues.is_empty() {
            // without rescue clauses `else` just follows
            match &b.els {
                Some(els) => {
                    self.discard(&b.body);
                    self.dest(els, dst);
                }
                None => self.dest(&b.body, dst),
            }
            return;
        }
        let body_dst = if b.els.is_some() { None } else { dst };
        self.protected(&b.body, body_dst, b.els.as_deref(), dst, |c, exc, end| {
            for r in &b.rescues {
                c.rescue_clause(r, exc, dst, end);
            }
        });
    }

    pub fn rescue_mod(&mut self, body: &'a Node, rescue: &'a Node, dst: Option<Reg>) {
        self.protected(body, dst, None, dst, |c, exc, end| {
            let mark = c.u.next;
            let (ok, no) = (c.u.temp(), c.u.label());
            c.standard_error(ok);
            c.u.emit(Op::RescueMatch, 0, ok, exc, ok);
            c.u.br(Op::BrUnless, ok, no);
            c.u.next = mark;
            c.dest(rescue, dst);
            c.handled(end);
            c.u.bind(no);
        });
    }

    /// `body` under a rescue range, then `els`; `handlers` emits the clauses, each of which ends with `handled`.
    fn protected(
        &mut self,
        body: &'a Node,
        body_dst: Option<Reg>,
        els: Option<&'a Node>,
        els_dst: Option<Reg>,
        handlers: impl FnOnce(&mut Self, Reg, Label),
    ) {
        let saved = self.u.temp();
        self.u.emit(Op::GetErr, 0, saved, 0, 0);
        let retry = self.u.here();
        let start = self.u.pc();
        self.u.ctl.push(Ctl::Rescue { region: Region { segments: Vec::new(), start } });
        self.dest(body, body_dst);
        let Some(Ctl::Rescue { mut region }) = self.u.ctl.pop() else { unreachable!("pushed above") };
        region.pause(self.u.pc());
        if self.u.pc() == start {
            // nothing to protect: `$!` need not be kept
            self.u.drop_last();
        }
        if let Some(els) = els {
            self.dest(els, els_dst);
        }
        if region.segments.is_empty() {
            return;
        }
        let end = self.u.label();
        self.u.jmp(end);
        let handler = self.u.pc();
        let exc = self.u.temp();
        self.add_catch(CatchKind::Rescue, &region.segments, handler, exc);
        self.u.ctl.push(Ctl::Handler { saved: Some(saved), retry: Some(retry) });
        handlers(self, exc, end);
        self.u.ctl.pop();
        self.u.emit(Op::Rethrow, 0, exc, 0, 0);
        self.u.bind(end);
    }

    /// The normal end of a rescue clause.
    fn handled(&mut self, end: Label) {
        if let Some(Ctl::Handler { saved: Some(r), .. }) = self.u.ctl.last() {
            let r = *r;
            self.u.emit(Op::SetErr, 0, r, 0, 0);
        }
        self.u.jmp(end);
    }

    fn standard_error(&mut self, dst: Reg) {
        let site = self.u.const_site(ConstSiteProto { path: vec!["StandardError".into()], top: true });
        self.u.emit(Op::GetConst, 0, dst, site, 0);
    }

    fn rescue_clause(&mut self, r: &'a Rescue, exc: Reg, dst: Option<Reg>, end: Label) {
        let mark = self.u.next;
        let (hit, next) = (self.u.label(), self.u.label());
        let ok = self.u.temp();
        let tests = self.u.next;
        if r.classes.is_empty() {
            self.standard_error(ok);
            self.u.emit(Op::RescueMatch, 0, ok, exc, ok);
            self.u.br(Op::BrUnless, ok, next);
        }
        for (i, c) in r.classes.iter().enumerate() {
            let (splat, k, span) = match c {
                Arg::Value(n) => (0, self.operand(n), n.span),
                Arg::Splat(Some(n), s) => {
                    let t = self.u.temp();
                    self.expr(n, t);
                    self.u.emit(Op::Splat, 0, t, t, 0);
                    (1, t, *s)
                }
                Arg::Splat(None, s) => {
                    let t = self.u.temp();
                    self.named("*", t, *s);
                    (1, t, *s)
                }
                Arg::Pairs(_) => continue,
            };
            self.at(span);
            self.u.emit(Op::RescueMatch, splat, ok, exc, k);
            self.u.next = tests;
            if i + 1 == r.classes.len() {
                self.u.br(Op::BrUnless, ok, next);
            } else {
                self.u.br(Op::BrIf, ok, hit);
            }
        }
        self.u.bind(hit);
        self.u.next = mark;
        if let Some(t) = &r.target {
            self.store(t, exc);
        }
        self.dest(&r.body, dst);
        self.handled(end);
        self.u.bind(next);
    }

    /// Emits `what` under a handler that answers every StandardError by going to `fail`; for `defined?`.
    pub fn guarded(&mut self, fail: Label, what: impl FnOnce(&mut Self)) {
        let saved = self.u.temp();
        self.u.emit(Op::GetErr, 0, saved, 0, 0);
        let start = self.u.pc();
        let region = Region { segments: Vec::new(), start };
        self.u.ctl.push(Ctl::Rescue { region });
        what(self);
        let Some(Ctl::Rescue { mut region }) = self.u.ctl.pop() else { unreachable!("pushed above") };
        region.pause(self.u.pc());
        if region.segments.is_empty() {
            return;
        }
        let end = self.u.label();
        self.u.jmp(end);
        let handler = self.u.pc();
        let exc = self.u.temp();
        self.add_catch(CatchKind::Rescue, &region.segments, handler, exc);
        self.u.emit(Op::SetErr, 0, saved, 0, 0);
        self.u.jmp(fail);
        self.u.bind(end);
    }
}
