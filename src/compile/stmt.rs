//! Control structures and definitions.

use super::Compiler;
use super::catch::Ctl;
use super::cond::{identity_literal, imm16};
use super::emit::Reg;
use super::scope;
use super::walk::{self, Child};
use crate::bytecode::op::{HEADER, Op};
use crate::bytecode::proto::*;
use crate::syntax::ast::*;

/// What becomes of a branch's value.
#[derive(Clone, Copy, PartialEq)]
pub enum Out {
    To(Option<Reg>),
    /// returned from the code object
    Tail,
}

impl<'a> Compiler<'a> {
    fn out(&mut self, n: Option<&'a Node>, out: Out) {
        match out {
            Out::To(dst) => self.dest_opt(n, dst),
            Out::Tail => self.tail_opt(n),
        }
    }

    pub fn if_(&mut self, cond: &'a Node, then: Option<&'a Node>, els: Option<&'a Node>, dst: Option<Reg>) {
        if dst.is_none() && self.jump_if(cond, then, els) {
            return;
        }
        let (other, end) = (self.u.label(), self.u.label());
        if then.is_none() && dst.is_none() {
            self.cond(cond, true, end);
            self.dest_opt(els, dst);
            self.u.bind(end);
            return;
        }
        self.cond(cond, false, other);
        self.dest_opt(then, dst);
        if els.is_some() || dst.is_some() {
            self.u.jmp(end);
        }
        self.u.bind(other);
        self.dest_opt(els, dst);
        self.u.bind(end);
    }

    /// `break if cond`, `next unless cond` directly inside a loop: the condition jumps by itself.
    fn jump_if(&mut self, cond: &'a Node, then: Option<&'a Node>, els: Option<&'a Node>) -> bool {
        let (jump, want) = match (then, els) {
            (Some(n), None) => (n, true),
            (None, Some(n)) => (n, false),
            _ => return false,
        };
        let Some(Ctl::Loop { break_to, next_to, dst: None, .. }) = self.u.ctl.last() else { return false };
        let to = match jump.kind {
            Kind::Break(None) => *break_to,
            Kind::Next(None) => *next_to,
            _ => return false,
        };
        self.cond(cond, want, to);
        true
    }

    pub fn while_(&mut self, cond: &'a Node, body: &'a Node, negate: bool, do_while: bool, dst: Option<Reg>) {
        let mark = self.u.next;
        let hoisted = self.u.hoisted.len();
        self.hoist(cond, body);
        let (start, test, end) = (self.u.label(), self.u.label(), self.u.label());
        if !do_while && (cond.kind != Kind::True || negate) {
            self.u.jmp(test);
        }
        self.u.bind(start);
        self.u.ctl.push(Ctl::Loop { break_to: end, next_to: test, redo_to: start, dst });
        self.discard(body);
        self.u.bind(test);
        self.cond(cond, !negate, start);
        self.u.ctl.pop();
        if let Some(d) = dst {
            self.u.load_nil(d);
        }
        self.u.bind(end);
        self.u.hoisted.truncate(hoisted);
        self.u.next = mark;
    }

    /// Number literals in a loop that do not fit an immediate are loaded once, before it.
    fn hoist(&mut self, cond: &'a Node, body: &'a Node) {
        const MOST: usize = 8;
        let mut found = Vec::new();
        let mut budget = 2000;
        numbers(cond, &mut found, &mut budget);
        numbers(body, &mut found, &mut budget);
        let mut loaded: Vec<(&Kind, Reg)> = Vec::new();
        for n in found {
            if self.hoisted(n).is_some() {
                continue;
            }
            let same = |(k, _): &&(&Kind, Reg)| match (k, &n.kind) {
                (Kind::Float(a), Kind::Float(b)) => a.to_bits() == b.to_bits(),
                (a, b) => *a == b,
            };
            let r = match loaded.iter().find(same) {
                Some((_, r)) => *r,
                None if loaded.len() < MOST => {
                    let t = self.u.temp();
                    self.expr(n, t);
                    loaded.push((&n.kind, t));
                    t
                }
                None => continue,
            };
            self.u.hoisted.push((scope::key(n), r));
        }
    }

    pub fn for_(&mut self, n: &'a Node, target: &'a Target, iter: &'a Node, body: &'a Node, dst: Option<Reg>) {
        let (window, slot) = self.window();
        self.receiver(iter, slot);
        let scope = self.scopes[&scope::key(n)].clone();
        let name = self.block_name();
        self.open(CodeKind::Block, name, scope, n.span);
        self.u.params.names = vec![None];
        self.u.place_variables(&[Some("%for".into())]);
        match &target.kind {
            TargetKind::Multi(m) => {
                // several values, or one array of them
                self.u.params.rest = true;
                let t = self.u.temp();
                let many = self.u.label();
                self.u.emit(Op::ArrayLen, 0, t, 1, 0);
                self.u.br_short(Op::BrNotEqInt, t, 1, many);
                self.u.emit(Op::ArrayAt, 0, 1, 1, 0);
                self.u.bind(many);
                self.u.next -= 1;
                self.destructure(m, 1);
            }
            _ => {
                self.u.params.required = 1;
                self.store(target, 1);
            }
        }
        let start = self.u.here();
        self.u.start = Some(start);
        self.tail(body);
        let block = self.close(n.span);
        let site = self.u.site(SiteProto { name: "each".into(), argc: 0, flags: 0, block: Some(block) });
        self.at(iter.span);
        self.u.emit(Op::SendBlk, 0, dst.unwrap_or(window), window, site);
        self.u.next = window as u32;
    }

    pub fn case(&mut self, subject: Option<&'a Node>, whens: &'a [When], els: Option<&'a Node>, out: Out) {
        let mark = self.u.next;
        let end = self.u.label();
        let tests: Vec<&'a Node> = whens
            .iter()
            .flat_map(|w| &w.tests)
            .filter_map(|t| match t {
                Arg::Value(n) => Some(n),
                Arg::Splat(n, _) => n.as_deref(),
                Arg::Pairs(_) => None,
            })
            .collect();
        let value = subject.map(|s| self.operand_before(s, &tests));
        for w in whens {
            let (hit, next) = (self.u.label(), self.u.label());
            for (i, t) in w.tests.iter().enumerate() {
                let last = i + 1 == w.tests.len();
                let mark = self.u.next;
                let (want, to) = if last { (false, next) } else { (true, hit) };
                self.when_test(t, value, want, to);
                self.u.next = mark;
            }
            self.u.bind(hit);
            self.out(Some(&w.body), out);
            if out != Out::Tail {
                self.u.jmp(end);
            }
            self.u.bind(next);
        }
        self.out(els, out);
        self.u.bind(end);
        self.u.next = mark;
    }

    fn when_test(&mut self, t: &'a Arg, value: Option<Reg>, want: bool, to: super::emit::Label) {
        let br = if want { Op::BrIf } else { Op::BrUnless };
        let (n, splat) = match t {
            Arg::Value(n) => (Some(n), false),
            Arg::Splat(n, _) => (n.as_deref(), true),
            Arg::Pairs(_) => return,
        };
        if let (Some(v), Some(n), false) = (value, n, splat)
            && let Some(imm) = imm16(n)
        {
            // Integer#=== is ==
            self.at(n.span);
            self.u.br_short(if want { Op::BrEqInt } else { Op::BrNotEqInt }, v, imm, to);
            return;
        }
        if let (Some(v), Some(n), false) = (value, n, splat)
            && let Some(lit) = identity_literal(n)
        {
            let lit = self.u.lit16(lit);
            self.u.br_short(if want { Op::BrIs } else { Op::BrIsNot }, v, lit, to);
            return;
        }
        if let (None, Some(n), false) = (value, n, splat) {
            return self.cond(n, want, to);
        }
        let p = match (n, splat) {
            (Some(Node { kind: Kind::Str(b), .. }), false) => {
                let p = self.u.temp();
                self.u.load_lit(p, Lit::Str(b.clone()));
                p
            }
            (Some(n), false) => self.operand(n),
            (n, _) => {
                let p = self.u.temp();
                match n {
                    Some(n) => self.expr(n, p),
                    None => self.named("*", p, Span::default()),
                }
                self.u.emit(Op::Splat, 0, p, p, 0);
                p
            }
        };
        if let Some(n) = n {
            self.at(n.span);
        }
        let ok = self.u.temp();
        match value {
            Some(v) => self.u.emit(Op::CaseEq, splat as u8, ok, p, v),
            None => {
                // `when *list` without a subject: is any of them truthy?
                let (window, slot) = self.window();
                self.u.mov(slot, p);
                self.send_in_place("any?", window, 0, 0, Some(ok), Span::default());
            }
        }
        self.u.br(br, ok, to);
    }

    // ---- definitions

    pub fn def(&mut self, d: &'a Def, dst: Option<Reg>, span: Span) {
        let dst = self.some(dst);
        let recv = d.singleton.as_ref().map(|s| self.operand(s));
        let scope = self.scope_of(d);
        self.open(CodeKind::Method, d.name.clone(), scope, span);
        self.u.params_ast = Some(&d.params);
        self.params(&d.params);
        self.tail(&d.body);
        let child = self.close(span);
        self.at(span);
        match recv {
            Some(r) => self.u.emit(Op::DefSingleton, 0, dst, r, child),
            None => {
                let name = self.u.sym16(&d.name);
                self.u.emit(Op::DefMethod, 0, dst, name, child);
            }
        }
    }

    /// `class` and `module`.
    pub fn class(
        &mut self,
        n: &'a Node,
        cpath: &'a CPath,
        superclass: Option<&'a Node>,
        what: ClassWhat,
        body: &'a Node,
        dst: Option<Reg>,
    ) {
        let regs = self.class_regs();
        let has_scope = match &cpath.scope {
            ConstScope::Lexical => false,
            ConstScope::Top => {
                let site = self.u.const_site(ConstSiteProto { path: vec!["Object".into()], top: true });
                self.u.emit(Op::GetConst, 0, regs, site, 0);
                true
            }
            ConstScope::Of(s) => {
                self.expr(s, regs);
                true
            }
        };
        if let Some(s) = superclass {
            self.expr(s, regs + 1);
        }
        let word = if what == ClassWhat::Class { "class" } else { "module" };
        let label = format!("<{word}:{}>", cpath.name);
        let child = self.class_body(n, label.into(), body);
        let class = ClassProto { name: cpath.name.clone(), what, has_super: superclass.is_some(), has_scope, child };
        self.define(class, regs, dst, n.span);
    }

    pub fn sclass(&mut self, n: &'a Node, object: &'a Node, body: &'a Node, dst: Option<Reg>) {
        let regs = self.class_regs();
        self.expr(object, regs);
        let child = self.class_body(n, "singleton class".into(), body);
        let what = ClassWhat::Singleton;
        let class = ClassProto { name: "singleton class".into(), what, has_super: false, has_scope: true, child };
        self.define(class, regs, dst, n.span);
    }

    /// Scope and superclass registers; they may serve as the body's call window too.
    fn class_regs(&mut self) -> Reg {
        let regs = self.u.next;
        self.u.touch(regs + HEADER as u32 + 2);
        self.u.reserve(regs + 2);
        regs as Reg
    }

    fn class_body(&mut self, n: &'a Node, name: Name, body: &'a Node) -> u16 {
        let scope = self.scopes[&scope::key(n)].clone();
        self.open(CodeKind::Class, name, scope, n.span);
        self.u.place_variables(&[]);
        self.tail(body);
        self.close(n.span)
    }

    fn define(&mut self, class: ClassProto, regs: Reg, dst: Option<Reg>, span: Span) {
        let class = self.u.class_site(class);
        self.at(span);
        self.u.emit(Op::DefClass, 0, dst.unwrap_or(regs), regs, class);
        self.u.next = regs as u32;
    }
}

/// Float literals and Integers beyond an immediate in `n`, not counting other code objects.
fn numbers<'a>(n: &'a Node, found: &mut Vec<&'a Node>, budget: &mut u32) {
    if *budget == 0 {
        return;
    }
    *budget -= 1;
    match n.kind {
        Kind::Float(_) => found.push(n),
        Kind::Int(_) if imm16(n).is_none() => found.push(n),
        // operators without an immediate form
        Kind::Call(ref c) if matches!(&*c.name, "*" | "/" | "%" | "&" | "|" | "^" | "<<" | ">>" | "-" | "+") => {
            if let Some((l, r)) = super::cond::operator_call(c) {
                for (side, wanted) in [(l, true), (r, !matches!(&*c.name, "+" | "-"))] {
                    match side.kind {
                        Kind::Int(_) if wanted => found.push(side),
                        _ => numbers(side, found, budget),
                    }
                }
            }
        }
        Kind::Imaginary(_) | Kind::Range { .. } => {}
        _ => walk::children(n, &mut |c| {
            if let Child::Node(n) = c {
                numbers(n, found, budget);
            }
        }),
    }
}
