//! Conditions: jump when a node is truthy or falsy, fused with comparisons.

use super::Compiler;
use super::emit::Label;
use crate::bytecode::op::Op;
use crate::bytecode::proto::Lit;
use crate::syntax::ast::*;

/// A comparison's branches: jump if it holds, jump unless it holds, and both with an immediate.
fn branches(name: &str) -> Option<[Op; 4]> {
    Some(match name {
        "<" => [Op::BrLt, Op::BrNotLt, Op::BrLtInt, Op::BrNotLtInt],
        "<=" => [Op::BrLe, Op::BrNotLe, Op::BrLeInt, Op::BrNotLeInt],
        ">" => [Op::BrGt, Op::BrNotGt, Op::BrGtInt, Op::BrNotGtInt],
        ">=" => [Op::BrGe, Op::BrNotGe, Op::BrGeInt, Op::BrNotGeInt],
        "==" => [Op::BrEq, Op::BrNotEq, Op::BrEqInt, Op::BrNotEqInt],
        "!=" => [Op::BrNotEq, Op::BrEq, Op::BrNotEqInt, Op::BrEqInt],
        _ => return None,
    })
}

/// The literal's value if it fits an immediate.
pub fn imm16(n: &Node) -> Option<u16> {
    match n.kind {
        Kind::Int(i) => i16::try_from(i).ok().map(|i| i as u16),
        _ => None,
    }
}

/// The literal of a Symbol, nil, true or false: what `===` compares by identity.
pub fn identity_literal(n: &Node) -> Option<Lit> {
    match &n.kind {
        Kind::Sym(_) => Some(super::expr::number_or_symbol(n)),
        Kind::Nil => Some(Lit::Nil),
        Kind::True => Some(Lit::True),
        Kind::False => Some(Lit::False),
        _ => None,
    }
}

/// Receiver and argument of a call that is plainly `a op b`.
pub fn operator_call(c: &Call) -> Option<(&Node, &Node)> {
    let a = &c.args;
    if c.safe || c.block.is_some() || a.block.is_some() || a.forward_all || !a.keywords.is_empty() {
        return None;
    }
    match (&c.recv, &a.positional[..]) {
        (Some(r), [Arg::Value(v)]) => Some((r, v)),
        _ => None,
    }
}

/// What a literal is worth as a condition.
fn constant(n: &Node) -> Option<bool> {
    match n.kind {
        Kind::Nil | Kind::False => Some(false),
        Kind::True | Kind::Int(_) | Kind::Float(_) | Kind::Str(_) | Kind::Sym(_) => Some(true),
        _ => None,
    }
}

impl<'a> Compiler<'a> {
    /// Jumps to `to` if `n` is truthy (`want`) or falsy (`!want`); falls through otherwise.
    pub fn cond(&mut self, n: &'a Node, want: bool, to: Label) {
        let mark = self.u.next;
        if let Some(value) = constant(n) {
            if value == want {
                self.u.jmp(to);
            }
            return;
        }
        match &n.kind {
            Kind::Not(x) => self.cond(x, !want, to),
            Kind::And(a, b) | Kind::Or(a, b) => {
                let and = matches!(n.kind, Kind::And(..));
                if and == want {
                    // both must agree: the first one's disagreement skips the second
                    let skip = self.u.label();
                    self.cond(a, !want, skip);
                    self.cond(b, want, to);
                    self.u.bind(skip);
                } else {
                    self.cond(a, want, to);
                    self.cond(b, want, to);
                }
            }
            Kind::Seq(v) if !v.is_empty() => {
                let (last, init) = v.split_last().expect("not empty");
                init.iter().for_each(|s| self.discard(s));
                self.cond(last, want, to);
            }
            Kind::Call(c) => match (branches(&c.name), operator_call(c)) {
                (Some(ops), Some((l, r))) => {
                    let [yes, no, yes_int, no_int] = ops;
                    if let Some(imm) = imm16(r) {
                        let l = self.operand(l);
                        self.at(c.name_span);
                        self.u.br_short(if want { yes_int } else { no_int }, l, imm, to);
                    } else {
                        let l = self.operand_before(l, &[r]);
                        let r = self.operand(r);
                        self.at(c.name_span);
                        self.u.br_short(if want { yes } else { no }, l, r, to);
                    }
                }
                _ => self.cond_value(n, want, to),
            },
            _ => self.cond_value(n, want, to),
        }
        self.u.next = mark;
    }

    fn cond_value(&mut self, n: &'a Node, want: bool, to: Label) {
        let r = self.operand(n);
        self.u.br(if want { Op::BrIf } else { Op::BrUnless }, r, to);
    }
}
