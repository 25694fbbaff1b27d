//! Values: literals, variables, strings, operators. The entry points of the emitter are here.

use super::emit::{Reg, Unit, str_bytes};
use super::stmt::Out;
use super::walk::may_assign;
use super::{Compiler, Var};
use crate::bytecode::op::Op;
use crate::bytecode::proto::*;
use crate::syntax::ast::*;

/// `NewRegexp` flags.
const RE_IGNORE_CASE: u8 = 1;
const RE_EXTENDED: u8 = 2;
const RE_MULTI_LINE: u8 = 4;
const RE_FIXED_ENC: u8 = 16;
const RE_NO_ENC: u8 = 32;
const RE_DYNAMIC: u8 = 8;
const RE_EUC: u8 = 64;
const RE_SJIS: u8 = 128;

/// Does compiling this write its destination with the very last instruction? Then the destination may be a variable
/// that the node reads, or a register that the node's temporaries overlap.
fn writes_last(n: &Node) -> bool {
    match &n.kind {
        Kind::Nil
        | Kind::True
        | Kind::False
        | Kind::SelfRef
        | Kind::Int(_)
        | Kind::BigInt(_)
        | Kind::Float(_)
        | Kind::Rational(..)
        | Kind::Imaginary(_)
        | Kind::Str(_)
        | Kind::DStr(_)
        | Kind::XStr(_)
        | Kind::Sym(_)
        | Kind::DSym(_)
        | Kind::Array(_)
        | Kind::Hash(_)
        | Kind::Range { .. }
        | Kind::FileName
        | Kind::EncodingLit
        | Kind::Lvar(_)
        | Kind::Ivar(_)
        | Kind::Gvar(_)
        | Kind::Cvar(_)
        | Kind::Const { .. }
        | Kind::NthRef(_)
        | Kind::BackRef(_)
        | Kind::Super { .. }
        | Kind::ZSuper { .. }
        | Kind::Yield(_)
        | Kind::Not(_)
        | Kind::Lambda(_)
        | Kind::Def(_)
        | Kind::Class { .. }
        | Kind::Module { .. }
        | Kind::SClass { .. } => true,
        Kind::Regex { parts, .. } => parts.iter().all(|p| matches!(p.kind, Kind::Str(_))),
        Kind::Call(c) => !c.safe,
        // these hand their destination on to branches that are checked in turn
        Kind::Seq(_) | Kind::If { .. } | Kind::Case { .. } => true,
        _ => false,
    }
}

impl<'a> Compiler<'a> {
    /// Compiles `n` so that its value ends in `dst`.
    pub fn expr(&mut self, n: &'a Node, dst: Reg) {
        let mark = self.u.next;
        if writes_last(n) {
            self.node(n, Some(dst));
            self.u.next = mark;
            return;
        }
        if matches!(n.kind, Kind::Asgn { .. } | Kind::OpAsgn { .. }) && !self.u.is_temp(dst) {
            // `a = b = c`: the inner variable is a register to move from
            let r = self.operand(n);
            self.u.mov(dst, r);
        } else if !self.u.is_temp(dst) {
            let t = self.u.temp();
            self.node(n, Some(t));
            self.u.mov(dst, t);
        } else {
            if self.u.next <= dst as u32 {
                self.u.reserve(dst as u32 + 1);
            }
            self.node(n, Some(dst));
        }
        self.u.next = mark;
    }

    /// Compiles `n` for what it does.
    pub fn discard(&mut self, n: &'a Node) {
        let mark = self.u.next;
        self.node(n, None);
        self.u.next = mark;
    }

    /// Compiles into a register or for the effect.
    pub fn dest(&mut self, n: &'a Node, dst: Option<Reg>) {
        match dst {
            Some(d) => self.expr(n, d),
            None => self.discard(n),
        }
    }

    /// Compiles an optional node; nothing is nil.
    pub fn dest_opt(&mut self, n: Option<&'a Node>, dst: Option<Reg>) {
        match (n, dst) {
            (Some(n), _) => self.dest(n, dst),
            (None, Some(d)) => self.u.load_nil(d),
            (None, None) => {}
        }
    }

    /// The register of a local variable that has one.
    pub fn variable_register(&mut self, n: &Node) -> Option<Reg> {
        match &n.kind {
            Kind::Lvar(name) => match self.find_var(name) {
                Some(Var::Reg(r)) => Some(r),
                _ => None,
            },
            _ => None,
        }
    }

    /// The value of `n` in some register: a variable's own, or a new temporary.
    pub fn operand(&mut self, n: &'a Node) -> Reg {
        match &n.kind {
            Kind::SelfRef => return 0,
            Kind::Lvar(name) => {
                if let Some(Var::Reg(r)) = self.find_var(name) {
                    return r;
                }
            }
            Kind::Int(_) | Kind::Float(_) => {
                if let Some(r) = self.hoisted(n) {
                    return r;
                }
            }
            Kind::Asgn { target, .. } | Kind::OpAsgn { target, .. } => {
                if let TargetKind::Lvar(name) = &target.kind
                    && let Some(Var::Reg(r)) = self.find_var(name)
                {
                    self.discard(n);
                    return r;
                }
            }
            _ => {}
        }
        let t = self.u.temp();
        self.expr(n, t);
        t
    }

    /// As `operand`, safe against the nodes that are evaluated before the value is used.
    pub fn operand_before(&mut self, n: &'a Node, later: &[&'a Node]) -> Reg {
        let r = self.operand(n);
        if r == 0 || self.u.is_temp(r) {
            return r;
        }
        let name = match &n.kind {
            Kind::Lvar(name) => name,
            Kind::Asgn { target, .. } | Kind::OpAsgn { target, .. } => match &target.kind {
                TargetKind::Lvar(name) => name,
                _ => return r,
            },
            _ => return r,
        };
        if !later.iter().any(|l| may_assign(l, name)) {
            return r;
        }
        let t = self.u.temp();
        self.u.mov(t, r);
        t
    }

    /// The register that keeps this literal during the loop.
    pub fn hoisted(&self, n: &Node) -> Option<Reg> {
        let key = super::scope::key(n);
        self.u.hoisted.iter().rev().find(|h| h.0 == key).map(|h| h.1)
    }

    /// Compiles `n` as the last value of the code object and returns it.
    pub fn tail(&mut self, n: &'a Node) {
        let mark = self.u.next;
        match &n.kind {
            Kind::Seq(v) if !v.is_empty() => {
                let (last, init) = v.split_last().expect("not empty");
                init.iter().for_each(|s| self.discard(s));
                self.tail(last);
            }
            Kind::If { cond, then, els } => {
                let other = self.u.label();
                self.cond(cond, false, other);
                self.tail_opt(then.as_deref());
                self.u.bind(other);
                self.tail_opt(els.as_deref());
            }
            Kind::Case { subject, whens, els } => {
                self.case(subject.as_deref(), whens, els.as_deref(), Out::Tail);
            }
            Kind::Return(Some(v)) if self.plain_return() => self.tail(v),
            Kind::Return(None) if self.plain_return() => self.tail_opt(None),
            // leaves in another way
            Kind::Return(_) | Kind::Break(_) | Kind::Redo | Kind::Retry => {
                self.discard(n);
            }
            Kind::Next(Some(v)) if self.u.kind == CodeKind::Block => self.tail(v),
            _ => {
                let r = self.operand(n);
                self.emit_return(r);
            }
        }
        self.u.next = mark;
    }

    pub fn tail_opt(&mut self, n: Option<&'a Node>) {
        match n {
            Some(n) => self.tail(n),
            None => {
                let t = self.u.temp();
                self.u.load_nil(t);
                self.emit_return(t);
                self.u.next -= 1;
            }
        }
    }

    /// Returns `r` from the code object.
    pub fn emit_return(&mut self, r: Reg) {
        let op = if self.u.env.is_some() { Op::ReturnEnv } else { Op::Return };
        self.u.emit(op, 0, r, 0, 0);
    }

    /// The one big dispatch over node kinds.
    pub(super) fn node(&mut self, n: &'a Node, dst: Option<Reg>) {
        match &n.kind {
            Kind::Nil => self.simple(dst, |u, d| u.load_nil(d)),
            Kind::True => self.simple(dst, |u, d| u.emit(Op::LoadTrue, 0, d, 0, 0)),
            Kind::False => self.simple(dst, |u, d| u.emit(Op::LoadFalse, 0, d, 0, 0)),
            Kind::SelfRef => self.simple(dst, |u, d| u.mov(d, 0)),
            Kind::Int(_) | Kind::Float(_) if self.hoisted(n).is_some() => {
                let r = self.hoisted(n).expect("just looked");
                self.simple(dst, |u, d| u.mov(d, r));
            }
            Kind::Int(i) => self.simple(dst, |u, d| u.load_int(d, *i)),
            Kind::BigInt(_) | Kind::Float(_) | Kind::Rational(..) | Kind::Imaginary(_) | Kind::Sym(_) => {
                let lit = number_or_symbol(n);
                self.simple(dst, |u, d| u.load_lit(d, lit));
            }
            Kind::Str(b) => {
                let frozen = self.frozen;
                self.simple(dst, |u, d| {
                    let lit = u.lit(Lit::Str(b.clone())) as i32;
                    u.emit_wide(if frozen { Op::LoadLit } else { Op::LoadStr }, 0, d, lit);
                });
            }
            Kind::FileName => {
                let file = self.opts.file.clone();
                let frozen = self.frozen;
                self.simple(dst, |u, d| {
                    let bytes = Bytes { bytes: file.as_bytes().into(), enc: LitEnc::Source };
                    let lit = u.lit(Lit::Str(bytes)) as i32;
                    u.emit_wide(if frozen { Op::LoadLit } else { Op::LoadStr }, 0, d, lit);
                });
            }
            Kind::EncodingLit => self.simple(dst, |u, d| u.load_lit(d, Lit::SourceEncoding)),
            Kind::DStr(parts) => {
                let d = self.some(dst);
                self.concat(parts, d);
            }
            Kind::Embed(x) => self.dest(x, dst),
            Kind::XStr(parts) => self.xstr(parts, dst, n.span),
            Kind::DSym(parts) => {
                let t = self.u.temp();
                self.concat(parts, t);
                let d = dst.unwrap_or(t);
                self.u.emit(Op::Intern, 0, d, t, 0);
            }
            Kind::Regex { parts, flags } => self.regex(parts, flags, dst, n.span),
            Kind::Array(args) => self.array(args, dst),
            Kind::Hash(pairs) => self.hash(pairs, dst),
            Kind::Range { lo, hi, exclusive } => self.range(lo.as_deref(), hi.as_deref(), *exclusive, dst, n.span),

            Kind::Lvar(name) => {
                if let Some(d) = dst {
                    let v = self.var(name, n.span);
                    self.get_var(v, d);
                }
            }
            Kind::Ivar(name) => {
                if let Some(d) = dst {
                    let site = self.u.ivar(name);
                    self.u.emit(Op::GetIvar, 0, d, site, 0);
                }
            }
            Kind::Gvar(name) => {
                let d = self.some(dst);
                self.at(n.span);
                self.get_gvar(name, d);
            }
            Kind::Cvar(name) => {
                let d = self.some(dst);
                self.at(n.span);
                let lit = self.u.lit(super::emit::sym_lit(name)) as i32;
                self.u.emit_wide(Op::GetCvar, 0, d, lit);
            }
            Kind::Const { scope, name } => {
                let d = self.some(dst);
                self.constant(scope, name, d, n.span);
            }
            Kind::NthRef(i) => {
                let i = (*i).min(u16::MAX as u32) as u16;
                self.simple(dst, |u, d| u.emit(Op::GetMatch, 5, d, i, 0));
            }
            Kind::BackRef(c) => {
                let what = match c {
                    b'&' => 1,
                    b'`' => 2,
                    b'\'' => 3,
                    _ => 4,
                };
                self.simple(dst, |u, d| u.emit(Op::GetMatch, what, d, 0, 0));
            }

            Kind::Asgn { target, value } => self.assign(target, value, dst),
            Kind::OpAsgn { target, op, value } => self.op_assign(target, op, value, dst, n.span),
            Kind::MultiAsgn { targets, value } => self.multi_assign(targets, value, dst, n.span),

            Kind::Call(c) => self.call(c, dst, n.span),
            Kind::Super { args, block } => self.super_call(args, block.as_deref(), dst, n.span),
            Kind::ZSuper { block } => self.zsuper(block.as_deref(), dst, n.span),
            Kind::Yield(args) => self.yield_call(args, dst, n.span),
            Kind::Not(x) => {
                let r = self.operand(x);
                let d = self.some(dst);
                self.at(n.span);
                self.u.emit(Op::Not, 0, d, r, 0);
            }
            Kind::And(a, b) => self.and_or(a, b, Op::BrUnless, dst),
            Kind::Or(a, b) => self.and_or(a, b, Op::BrIf, dst),
            Kind::Defined(x) => self.defined(x, dst),
            Kind::MatchLastLine(re) => self.match_last_line(re, dst, n.span),
            Kind::MatchAsgn { regex, value, names } => self.match_assign(regex, value, names, dst, n.span),
            Kind::FlipFlop { lo, hi, exclusive } => self.flip_flop(n, lo, hi, *exclusive, dst),

            Kind::Seq(v) => match v.split_last() {
                None => self.simple(dst, |u, d| u.load_nil(d)),
                Some((last, init)) => {
                    init.iter().for_each(|s| self.discard(s));
                    self.dest(last, dst);
                }
            },
            Kind::If { cond, then, els } => self.if_(cond, then.as_deref(), els.as_deref(), dst),
            Kind::While { cond, body, negate, do_while } => self.while_(cond, body, *negate, *do_while, dst),
            Kind::For { target, iter, body } => self.for_(n, target, iter, body, dst),
            Kind::Case { subject, whens, els } => self.case(subject.as_deref(), whens, els.as_deref(), Out::To(dst)),
            Kind::CaseIn { subject, clauses, els } => self.case_in(subject, clauses, els.as_deref(), dst, n.span),
            Kind::MatchPattern { value, pat, raises } => self.match_pattern(value, pat, *raises, dst, n.span),
            Kind::Break(v) => self.break_(v.as_deref(), n.span),
            Kind::Next(v) => self.next_(v.as_deref(), n.span),
            Kind::Return(v) => self.return_(v.as_deref(), n.span),
            Kind::Redo => self.redo(n.span),
            Kind::Retry => self.retry(n.span),
            Kind::Begin(b) => self.begin(b, dst),
            Kind::RescueMod { body, rescue } => self.rescue_mod(body, rescue, dst),

            Kind::Def(d) => self.def(d, dst, n.span),
            Kind::Class { cpath, superclass, body } => {
                self.class(n, cpath, superclass.as_deref(), ClassWhat::Class, body, dst)
            }
            Kind::Module { cpath, body } => self.class(n, cpath, None, ClassWhat::Module, body, dst),
            Kind::SClass { object, body } => self.sclass(n, object, body, dst),
            Kind::Alias { new, old } => {
                let a = self.operand(new);
                let b = self.operand(old);
                self.at(n.span);
                self.u.emit(Op::Alias, 0, a, b, 0);
                self.simple(dst, |u, d| u.load_nil(d));
            }
            Kind::GAlias { new, old } => {
                let b = self.u.sym16(new);
                let c = self.u.sym16(old);
                self.at(n.span);
                self.u.emit(Op::AliasGvar, 0, 0, b, c);
                self.simple(dst, |u, d| u.load_nil(d));
            }
            Kind::Undef(names) => {
                for name in names {
                    let mark = self.u.next;
                    let r = self.operand(name);
                    self.at(n.span);
                    self.u.emit(Op::Undef, 0, r, 0, 0);
                    self.u.next = mark;
                }
                self.simple(dst, |u, d| u.load_nil(d));
            }
            Kind::Lambda(b) => {
                let d = self.some(dst);
                let child = self.block(b, true);
                self.u.emit(Op::NewLambda, 0, d, child, 0);
            }
            Kind::PreExe(body) => self.dest(body, dst),
            Kind::PostExe(body) => self.post_exe(n, body, dst),
        }
    }

    /// For nodes without effect: nothing to do unless the value is wanted.
    pub fn simple(&mut self, dst: Option<Reg>, f: impl FnOnce(&mut Unit<'a>, Reg)) {
        if let Some(d) = dst {
            f(&mut self.u, d);
        }
    }

    /// The destination, or a temporary that nobody reads.
    pub fn some(&mut self, dst: Option<Reg>) -> Reg {
        dst.unwrap_or_else(|| self.u.temp())
    }

    fn and_or(&mut self, a: &'a Node, b: &'a Node, skip: Op, dst: Option<Reg>) {
        let end = self.u.label();
        match dst {
            Some(d) => {
                self.expr(a, d);
                self.u.br(skip, d, end);
                self.expr(b, d);
            }
            None => {
                self.cond(a, skip == Op::BrIf, end);
                self.discard(b);
            }
        }
        self.u.bind(end);
    }

    pub fn get_gvar(&mut self, name: &str, d: Reg) {
        match name {
            "$~" => self.u.emit(Op::GetMatch, 0, d, 0, 0),
            "$_" => self.u.emit(Op::GetLine, 0, d, 0, 0),
            "$!" => self.u.emit(Op::GetErr, 0, d, 0, 0),
            _ => {
                let lit = self.u.lit(super::emit::sym_lit(name)) as i32;
                self.u.emit_wide(Op::GetGvar, 0, d, lit);
            }
        }
    }

    fn constant(&mut self, scope: &'a ConstScope, name: &Name, d: Reg, span: Span) {
        let mut path = vec![name.clone()];
        let mut s = scope;
        let (top, base) = loop {
            match s {
                ConstScope::Lexical => break (false, None),
                ConstScope::Top => break (true, None),
                ConstScope::Of(n) => match &n.kind {
                    Kind::Const { scope, name } => {
                        path.push(name.clone());
                        s = scope;
                    }
                    _ => break (false, Some(&**n)),
                },
            }
        };
        path.reverse();
        match base {
            None => {
                self.at(span);
                let site = self.u.const_site(ConstSiteProto { path, top });
                self.u.emit(Op::GetConst, 0, d, site, 0);
            }
            Some(n) => {
                let mark = self.u.next;
                let mut from = self.operand(n);
                self.at(span);
                for (i, name) in path.iter().enumerate() {
                    let sym = self.u.sym16(name);
                    let to = if i + 1 == path.len() { d } else { self.u.temp() };
                    self.u.emit(Op::GetConstFrom, 0, to, from, sym);
                    from = to;
                }
                self.u.next = mark;
            }
        }
    }

    /// Joins the parts of a string into a new String in `d`.
    pub fn concat(&mut self, parts: &'a [Node], d: Reg) {
        const CHUNK: usize = 48;
        let mark = self.u.next;
        let acc = if parts.len() > CHUNK { Some(self.u.temp()) } else { None };
        let mut rest = parts;
        let mut first = true;
        loop {
            let (now, later) = rest.split_at(rest.len().min(CHUNK));
            let base = self.u.next;
            let joined = match acc {
                // the string so far is the first of the parts, in the register just below them
                Some(a) if !first => a,
                _ => base as Reg,
            };
            for p in now {
                let t = self.u.temp();
                self.string_part(p, t);
            }
            let n = (self.u.next - joined as u32) as u16;
            let last = later.is_empty();
            let to = match acc {
                Some(a) if !last => a,
                _ => d,
            };
            self.u.emit(Op::Concat, 0, to, joined, n);
            self.u.next = base;
            if last {
                break;
            }
            first = false;
            rest = later;
        }
        self.u.next = mark;
    }

    fn string_part(&mut self, p: &'a Node, t: Reg) {
        match &p.kind {
            Kind::Str(b) => self.u.load_lit(t, Lit::Str(b.clone())),
            Kind::DStr(parts) => self.concat(parts, t),
            _ => {
                let x = match &p.kind {
                    Kind::Embed(x) => x,
                    _ => p,
                };
                let r = self.operand(x);
                self.at(p.span);
                self.u.emit(Op::ToS, 0, t, r, 0);
                self.u.next = t as u32 + 1;
            }
        }
    }

    fn xstr(&mut self, parts: &'a [Node], dst: Option<Reg>, span: Span) {
        let (window, slot) = self.window();
        let arg = slot + 1;
        self.u.reserve(arg as u32 + 1);
        match parts {
            [Node { kind: Kind::Str(b), .. }] => {
                let lit = self.u.lit(Lit::Str(b.clone())) as i32;
                self.u.emit_wide(Op::LoadStr, 0, arg, lit);
            }
            _ => self.concat(parts, arg),
        }
        let site = self.u.plain_site("`", 1, site_flags::FCALL);
        self.at(span);
        self.u.emit(Op::SendSelf, 0, dst.unwrap_or(window), window, site);
        self.u.next = window as u32;
    }

    fn regex(&mut self, parts: &'a [Node], flags: &RegexFlags, dst: Option<Reg>, span: Span) {
        let mut bits = 0;
        for (on, bit) in
            [(flags.ignore_case, RE_IGNORE_CASE), (flags.extended, RE_EXTENDED), (flags.multi_line, RE_MULTI_LINE)]
        {
            if on {
                bits |= bit;
            }
        }
        match flags.enc {
            0 => {}
            b'n' => bits |= RE_NO_ENC,
            b'e' => bits |= RE_FIXED_ENC | RE_EUC,
            b's' => bits |= RE_FIXED_ENC | RE_SJIS,
            _ => bits |= RE_FIXED_ENC,
        }
        if parts.iter().all(|p| matches!(p.kind, Kind::Str(_))) {
            let mut bytes = Vec::new();
            let mut enc = LitEnc::Source;
            for p in parts {
                if let Kind::Str(b) = &p.kind {
                    bytes.extend_from_slice(&b.bytes);
                    enc = b.enc;
                }
            }
            self.simple(dst, |u, d| u.load_lit(d, Lit::Regexp(Bytes { bytes: bytes.into(), enc }, bits)));
            return;
        }
        let d = self.some(dst);
        let done = self.u.label();
        let slot = flags.once.then(|| self.u.once());
        if let Some(slot) = slot {
            self.u.br_short(Op::OnceGet, d, slot, done);
        }
        let t = self.u.temp();
        self.concat(parts, t);
        self.at(span);
        self.u.emit(Op::NewRegexp, bits | RE_DYNAMIC, d, t, 0);
        if let Some(slot) = slot {
            self.u.emit(Op::OnceSet, 0, d, slot, 0);
        }
        self.u.bind(done);
    }

    fn range(&mut self, lo: Option<&'a Node>, hi: Option<&'a Node>, excl: bool, dst: Option<Reg>, span: Span) {
        let constant = |n: Option<&'a Node>| match n {
            None => Some(None),
            Some(Node { kind: Kind::Int(i), .. }) => Some(Some(Box::new(Lit::Int(*i)))),
            Some(Node { kind: Kind::Nil, .. }) => Some(None),
            Some(_) => None,
        };
        if let (Some(a), Some(b)) = (constant(lo), constant(hi)) {
            self.simple(dst, |u, d| u.load_lit(d, Lit::Range(a, b, excl)));
            return;
        }
        let a = match (lo, hi) {
            (Some(lo), Some(hi)) => self.operand_before(lo, &[hi]),
            (Some(lo), None) => self.operand(lo),
            (None, _) => {
                let t = self.u.temp();
                self.u.load_nil(t);
                t
            }
        };
        let b = match hi {
            Some(hi) => self.operand(hi),
            None => {
                let t = self.u.temp();
                self.u.load_nil(t);
                t
            }
        };
        let d = self.some(dst);
        self.at(span);
        self.u.emit(Op::NewRange, excl as u8, d, a, b);
    }

    fn match_last_line(&mut self, re: &'a Node, dst: Option<Reg>, span: Span) {
        let (window, slot) = self.window();
        self.u.reserve(slot as u32 + 2);
        self.expr(re, slot);
        self.u.emit(Op::GetLine, 0, slot + 1, 0, 0);
        let site = self.u.plain_site("=~", 1, 0);
        self.at(span);
        self.u.emit(Op::Send, 0, dst.unwrap_or(window), window, site);
        self.u.next = window as u32;
    }

    fn match_assign(&mut self, re: &'a Node, value: &'a Node, names: &'a [Name], dst: Option<Reg>, span: Span) {
        let result = self.some(dst);
        let (window, slot) = self.window();
        self.u.reserve(slot as u32 + 2);
        self.expr(re, slot);
        self.expr(value, slot + 1);
        let site = self.u.plain_site("=~", 1, 0);
        self.at(span);
        self.u.emit(Op::Send, 0, result, window, site);
        self.u.next = window as u32;
        let (m, key, v) = (self.u.temp(), self.u.temp(), self.u.temp());
        self.u.emit(Op::GetMatch, 0, m, 0, 0);
        let (none, end) = (self.u.label(), self.u.label());
        self.u.br(Op::BrNil, m, none);
        for name in names {
            let var = self.var(name, span);
            self.u.load_lit(key, super::emit::sym_lit(name));
            self.u.emit(Op::Aref, 0, v, m, key);
            self.set_var(var, v);
        }
        self.u.jmp(end);
        self.u.bind(none);
        for name in names {
            let var = self.var(name, span);
            self.set_var(var, m);
        }
        self.u.bind(end);
    }

    /// `a..b` in a condition: true from when `lo` is until `hi` is.
    fn flip_flop(&mut self, n: &'a Node, lo: &'a Node, hi: &'a Node, excl: bool, dst: Option<Reg>) {
        let d = self.some(dst);
        let state = self.var(&super::scope::flip_name(n), n.span);
        let t = self.u.temp();
        let (on, yes, end) = (self.u.label(), self.u.label(), self.u.label());
        self.get_var(state, t);
        self.u.br(Op::BrIf, t, on);
        self.u.emit(Op::LoadFalse, 0, d, 0, 0);
        self.cond(lo, false, end);
        self.u.emit(Op::LoadTrue, 0, t, 0, 0);
        self.set_var(state, t);
        if excl {
            self.u.jmp(yes);
        }
        self.u.bind(on);
        self.cond(hi, false, yes);
        self.u.emit(Op::LoadFalse, 0, t, 0, 0);
        self.set_var(state, t);
        self.u.bind(yes);
        self.u.emit(Op::LoadTrue, 0, d, 0, 0);
        self.u.bind(end);
    }

    /// A String literal that nobody can change: `defined?` answers, `"x".freeze`, hash keys.
    pub fn frozen_text(&mut self, d: Reg, text: &str) {
        self.u.load_lit(d, Lit::Str(str_bytes(text)));
    }
}

/// The literal of a number or symbol node.
pub fn number_or_symbol(n: &Node) -> Lit {
    match &n.kind {
        Kind::Int(i) => Lit::Int(*i),
        Kind::BigInt(s) => Lit::BigInt(s.clone()),
        Kind::Float(f) => Lit::Float(*f),
        Kind::Rational(a, b) => Lit::Rational(a.clone(), b.clone()),
        Kind::Imaginary(x) => Lit::Imaginary(Box::new(number_or_symbol(x))),
        Kind::Sym(b) => Lit::Sym(b.clone()),
        _ => Lit::Nil,
    }
}
