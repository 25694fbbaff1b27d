//! `defined?`: a string or nil, and never an exception.

use super::Compiler;
use super::emit::{Label, Reg};
use super::walk;
use crate::bytecode::op::{DefinedKind, Op};
use crate::syntax::ast::*;

impl<'a> Compiler<'a> {
    pub fn defined(&mut self, n: &'a Node, dst: Option<Reg>) {
        let Some(d) = dst else { return };
        let (no, end) = (self.u.label(), self.u.label());
        let word = self.defined_test(n, no);
        self.frozen_text(d, word);
        self.u.jmp(end);
        self.u.bind(no);
        self.u.load_nil(d);
        self.u.bind(end);
    }

    /// Emits what is needed to jump to `no` unless `n` is defined; returns the word for it if it is.
    fn defined_test(&mut self, n: &'a Node, no: Label) -> &'static str {
        let mark = self.u.next;
        let word = match &n.kind {
            Kind::Nil => "nil",
            Kind::Seq(v) if v.is_empty() => "nil",
            Kind::Seq(v) if v.len() == 1 => self.defined_test(&v[0], no),
            Kind::SelfRef => "self",
            Kind::True => "true",
            Kind::False => "false",
            Kind::Asgn { .. } | Kind::OpAsgn { .. } | Kind::MultiAsgn { .. } => "assignment",
            Kind::Lvar(_) => "local-variable",
            Kind::Ivar(name) => self.ask(DefinedKind::Ivar, 0, name, no, "instance-variable"),
            Kind::Gvar(name) => self.ask(DefinedKind::Gvar, 0, name, no, "global-variable"),
            Kind::Cvar(name) => self.ask(DefinedKind::Cvar, 0, name, no, "class variable"),
            Kind::NthRef(i) => self.ask_lit(DefinedKind::NthRef, *i as i64, no),
            Kind::BackRef(c) => self.ask_lit(DefinedKind::BackRef, *c as i64, no),
            Kind::Const { scope: ConstScope::Lexical, name } => self.ask(DefinedKind::Const, 0, name, no, "constant"),
            Kind::Const { scope: ConstScope::Top, name } => {
                let t = self.u.temp();
                let path = vec!["Object".into()];
                let site = self.u.const_site(crate::bytecode::proto::ConstSiteProto { path, top: true });
                self.u.emit(Op::GetConst, 0, t, site, 0);
                self.ask(DefinedKind::ConstFrom, t, name, no, "constant")
            }
            Kind::Const { scope: ConstScope::Of(of), name } => {
                let t = self.defined_value(of, no);
                self.ask(DefinedKind::ConstFrom, t, name, no, "constant")
            }
            Kind::Call(c) => {
                let kind = if c.recv.is_none() { DefinedKind::FuncMethod } else { DefinedKind::Method };
                self.defined_parts(&c.args, no);
                let recv = match &c.recv {
                    Some(r) => self.defined_value(r, no),
                    None => 0,
                };
                self.ask(kind, recv, &c.name, no, "method")
            }
            Kind::Not(x) => {
                self.defined_test(x, no);
                "expression"
            }
            Kind::Yield(args) => {
                self.uses_block();
                self.defined_parts(args, no);
                self.ask(DefinedKind::Yield, 0, "yield", no, "yield")
            }
            Kind::Super { args, .. } => {
                self.defined_parts(args, no);
                self.ask(DefinedKind::Super, 0, "super", no, "super")
            }
            Kind::ZSuper { .. } => self.ask(DefinedKind::Super, 0, "super", no, "super"),
            Kind::Array(items) => {
                for a in items {
                    let n = match a {
                        Arg::Value(n) => n,
                        Arg::Splat(Some(n), _) => n,
                        _ => continue,
                    };
                    self.defined_test(n, no);
                }
                "expression"
            }
            Kind::Hash(pairs) => {
                for p in pairs {
                    match p {
                        Pair::Pair(k, v) => {
                            self.defined_test(k, no);
                            self.defined_test(v, no);
                        }
                        Pair::Splat(Some(n), _) => {
                            self.defined_test(n, no);
                        }
                        Pair::Splat(None, _) => {}
                    }
                }
                "expression"
            }
            _ => "expression",
        };
        self.u.next = mark;
        word
    }

    /// Tests `n` and leaves its value in a register; every call in it happens once.
    fn defined_value(&mut self, n: &'a Node, no: Label) -> Reg {
        match &n.kind {
            Kind::SelfRef => 0,
            Kind::Call(c) if c.recv.is_some() && !c.safe => {
                let Some(r) = &c.recv else { return 0 };
                let t = self.u.temp();
                self.defined_parts(&c.args, no);
                let recv = self.defined_value(r, no);
                self.ask(DefinedKind::Method, recv, &c.name, no, "method");
                self.guarded(no, |s| s.send_to(recv, c, t));
                self.u.next = t as u32 + 1;
                t
            }
            _ => {
                self.defined_test(n, no);
                let t = self.u.temp();
                self.guarded(no, |c| c.expr(n, t));
                t
            }
        }
    }

    fn defined_parts(&mut self, args: &'a Args, no: Label) {
        let mut parts = Vec::new();
        walk::call_args(args, &mut |c| {
            if let walk::Child::Node(n) = c {
                parts.push(n);
            }
        });
        for n in parts {
            self.defined_test(n, no);
        }
    }

    fn ask(&mut self, what: DefinedKind, recv: Reg, name: &str, no: Label, word: &'static str) -> &'static str {
        let name = self.u.sym16(name);
        let t = self.u.temp();
        self.u.emit(Op::Defined, what as u8, t, recv, name);
        self.u.br(Op::BrUnless, t, no);
        word
    }

    fn ask_lit(&mut self, what: DefinedKind, i: i64, no: Label) -> &'static str {
        let lit = self.u.lit(crate::bytecode::proto::Lit::Int(i)) as u16;
        let t = self.u.temp();
        self.u.emit(Op::Defined, what as u8, t, 0, lit);
        self.u.br(Op::BrUnless, t, no);
        "global-variable"
    }
}
