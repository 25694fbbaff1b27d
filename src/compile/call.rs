//! Calls: operators, sends, `super`, `yield`, blocks.

use super::Compiler;
use super::cond::{imm16, operator_call};
use super::emit::Reg;
use super::scope;
use crate::bytecode::op::{HEADER, Op, PreludeKind};
use crate::bytecode::proto::*;
use crate::syntax::ast::*;

/// The opcode of a binary operator method.
pub fn binary_op(name: &str) -> Option<Op> {
    Some(match name {
        "+" => Op::Add,
        "-" => Op::Sub,
        "*" => Op::Mul,
        "/" => Op::Div,
        "%" => Op::Mod,
        "<" => Op::Lt,
        "<=" => Op::Le,
        ">" => Op::Gt,
        ">=" => Op::Ge,
        "==" => Op::Eq,
        "!=" => Op::Neq,
        "&" => Op::BitAnd,
        "|" => Op::BitOr,
        "^" => Op::BitXor,
        "<<" => Op::Shl,
        ">>" => Op::Shr,
        "[]" => Op::Aref,
        _ => return None,
    })
}

/// The opcode, receiver and argument if the call is a plain binary operator.
fn binary(c: &Call) -> Option<(Op, &Node, &Node)> {
    let op = binary_op(&c.name)?;
    let (l, r) = operator_call(c)?;
    Some((op, l, r))
}

/// `+`, `-` and `[]` with a small literal have their own opcodes; -32768 is left out so that either sign fits.
fn immediate(op: Op, rhs: &Node) -> Option<(Op, u16)> {
    let op = match op {
        Op::Add => Op::AddInt,
        Op::Sub => Op::SubInt,
        Op::Aref => Op::ArefInt,
        _ => return None,
    };
    imm16(rhs).filter(|&i| i != 0x8000).map(|i| (op, i))
}

impl<'a> Compiler<'a> {
    pub fn call(&mut self, c: &'a Call, dst: Option<Reg>, span: Span) {
        if binary(c).is_some() {
            let d = self.some(dst);
            return self.binary_chain(c, d);
        }
        if self.opts.prelude && c.recv.is_none() && self.intrinsic(c, dst) {
            return;
        }
        if let Some(r) = &c.recv
            && !c.safe
            && c.block.is_none()
            && !Self::is_complex(&c.args)
            && self.short_call(r, c, dst)
        {
            return;
        }
        let no_args = c.args == Args::default();
        if c.recv.is_none() && no_args && c.block.is_none() && &*c.name == "block_given?" {
            self.uses_block();
            let d = self.some(dst);
            self.u.emit(Op::BlockGiven, 0, d, 0, 0);
            return;
        }
        self.send(c, dst, span);
    }

    /// Calls on a receiver that have an opcode of their own (not the binary operators). False if this is none.
    fn short_call(&mut self, r: &'a Node, c: &'a Call, dst: Option<Reg>) -> bool {
        match (&*c.name, &c.args.positional[..]) {
            ("!", []) => {
                let a = self.operand(r);
                let d = self.some(dst);
                self.at(c.name_span);
                self.u.emit(Op::Not, 0, d, a, 0);
            }
            ("-@", []) => {
                match &r.kind {
                    Kind::Int(i) if *i != i64::MIN => {
                        self.simple(dst, |u, d| u.load_int(d, -i));
                        return true;
                    }
                    Kind::Float(f) => {
                        self.simple(dst, |u, d| u.load_lit(d, Lit::Float(-f)));
                        return true;
                    }
                    // `-"text"`: the shared frozen string
                    Kind::Str(b) => {
                        self.simple(dst, |u, d| u.load_lit(d, Lit::Str(b.clone())));
                        return true;
                    }
                    _ => {}
                }
                let a = self.operand(r);
                let d = self.some(dst);
                self.at(c.name_span);
                self.u.emit(Op::Neg, 0, d, a, 0);
            }
            ("freeze", []) => match &r.kind {
                Kind::Str(b) => self.simple(dst, |u, d| u.load_lit(d, Lit::Str(b.clone()))),
                _ => return false,
            },
            ("[]=", [Arg::Value(i), Arg::Value(v)]) => {
                // spelled as a call: its value is the method's, so only without one
                if dst.is_some() {
                    return false;
                }
                let a = self.operand_before(r, &[i, v]);
                let i = self.operand_before(i, &[v]);
                let v = self.operand(v);
                self.at(c.name_span);
                self.u.emit(Op::Aset, 0, a, i, v);
            }
            _ => return false,
        }
        true
    }

    /// `a + b - c ...`: operators along the left spine, without recursion.
    fn binary_chain(&mut self, c: &'a Call, dst: Reg) {
        let mut spine = vec![c];
        let mut left = c.recv.as_deref().expect("an operator has a receiver");
        while let Kind::Call(inner) = &left.kind
            && binary(inner).is_some()
        {
            spine.push(inner);
            left = inner.recv.as_deref().expect("an operator has a receiver");
        }
        let innermost = spine[spine.len() - 1];
        let (_, _, rhs) = binary(innermost).expect("checked when pushed");
        let before = self.u.next;
        let mut acc = if Self::frozen_key(innermost) { self.operand(left) } else { self.operand_before(left, &[rhs]) };
        let mut tmp = (acc as u32 >= before).then_some(acc);
        while let Some(c) = spine.pop() {
            let (op, _, rhs) = binary(c).expect("checked when pushed");
            let to = if spine.is_empty() { dst } else { *tmp.get_or_insert_with(|| self.u.temp()) };
            let mark = self.u.next;
            if let Some((op, imm)) = immediate(op, rhs) {
                self.at(c.name_span);
                self.u.emit(op, 0, to, acc, imm);
            } else {
                let r = match &rhs.kind {
                    Kind::Str(b) if op == Op::Aref => {
                        let t = self.u.temp();
                        self.u.load_lit(t, Lit::Str(b.clone()));
                        t
                    }
                    _ => self.operand(rhs),
                };
                self.at(c.name_span);
                self.u.emit(op, 0, to, acc, r);
            }
            self.u.next = mark;
            acc = to;
        }
    }

    /// `x["literal"]`
    fn frozen_key(c: &Call) -> bool {
        &*c.name == "[]" && matches!(&c.args.positional[..], [Arg::Value(Node { kind: Kind::Str(_), .. })])
    }

    /// Puts a receiver into its slot. Nothing of the window is live yet, so a call may reuse it.
    pub fn receiver(&mut self, r: &'a Node, slot: Reg) {
        self.expr(r, slot);
        self.u.reserve(slot as u32 + 1);
    }

    fn send(&mut self, c: &'a Call, dst: Option<Reg>, _span: Span) {
        if let Some(r) = &c.recv
            && !c.safe
            && c.block.is_none()
            && c.args == Args::default()
            && let Some(r) = self.variable_register(r)
        {
            let site = self.u.plain_site(&c.name, 0, 0);
            let d = self.some(dst);
            self.at(c.name_span);
            self.u.emit(Op::Send0, 0, d, r, site);
            return;
        }
        let (window, slot) = self.window();
        let end = self.u.label();
        let mut flags = 0;
        let on_self = match &c.recv {
            None => {
                flags |= site_flags::FCALL;
                true
            }
            Some(r) if r.kind == Kind::SelfRef => {
                flags |= site_flags::FCALL;
                true
            }
            Some(r) => {
                self.receiver(r, slot);
                false
            }
        };
        if c.vcall {
            flags |= site_flags::VCALL;
        }
        let nil = c.safe.then(|| self.u.label());
        if let Some(nil) = nil
            && !on_self
        {
            self.u.br(Op::BrNil, slot, nil);
        }
        let (argc, more) = self.args(&c.args, slot, c.name_span);
        flags |= more;
        let block = c.block.as_deref().map(|b| self.block(b, false));
        let complex = more != 0;
        let op = match (complex, block.is_some()) {
            (true, _) => Op::SendX,
            (false, true) => Op::SendBlk,
            (false, false) if on_self => Op::SendSelf,
            (false, false) => Op::Send,
        };
        if on_self && op != Op::SendSelf {
            self.u.mov(slot, 0);
        }
        let site = self.u.site(SiteProto { name: c.name.clone(), argc, flags, block });
        self.at(c.name_span);
        self.u.emit(op, 0, dst.unwrap_or(window), window, site);
        self.u.next = window as u32;
        if let Some(nil) = nil {
            self.u.jmp(end);
            self.u.bind(nil);
            if let Some(d) = dst {
                self.u.load_nil(d);
            }
        }
        self.u.bind(end);
    }

    /// Calls on a receiver that was evaluated already.
    pub fn send_to(&mut self, recv: Reg, c: &'a Call, dst: Reg) {
        let (window, slot) = self.window();
        self.u.mov(slot, recv);
        self.u.reserve(slot as u32 + 1);
        let (argc, flags) = self.args(&c.args, slot, c.name_span);
        let block = c.block.as_deref().map(|b| self.block(b, false));
        let op = match (flags != 0, block.is_some()) {
            (true, _) => Op::SendX,
            (false, true) => Op::SendBlk,
            (false, false) => Op::Send,
        };
        let flags = if recv == 0 { flags | site_flags::FCALL } else { flags };
        let site = self.u.site(SiteProto { name: c.name.clone(), argc, flags, block });
        self.at(c.name_span);
        self.u.emit(op, 0, dst, window, site);
        self.u.next = window as u32;
    }

    /// A call that the compiler makes itself, arguments being in their slots already.
    pub fn send_in_place(&mut self, name: &str, window: Reg, argc: u16, flags: u16, dst: Option<Reg>, span: Span) {
        let op = if flags & !(site_flags::FCALL | site_flags::VCALL) == 0 { Op::Send } else { Op::SendX };
        let site = self.u.plain_site(name, argc, flags);
        self.u.touch(window as u32 + HEADER as u32 + 2 + argc as u32);
        self.at(span);
        self.u.emit(op, 0, dst.unwrap_or(window), window, site);
    }

    pub fn super_call(&mut self, args: &'a Args, block: Option<&'a Block>, dst: Option<Reg>, span: Span) {
        let (window, slot) = self.window();
        let (argc, flags) = self.args(args, slot, span);
        self.finish_super(window, argc, flags, block, dst, span);
    }

    pub fn zsuper(&mut self, block: Option<&'a Block>, dst: Option<Reg>, span: Span) {
        let (window, slot) = self.window();
        let (argc, flags) = self.zsuper_args(slot, span);
        self.finish_super(window, argc, flags, block, dst, span);
    }

    fn finish_super(
        &mut self,
        window: Reg,
        argc: u16,
        flags: u16,
        block: Option<&'a Block>,
        dst: Option<Reg>,
        span: Span,
    ) {
        self.uses_block();
        let block = block.map(|b| self.block(b, false));
        let name = self.unit_at(self.home_level()).name.clone();
        let site = self.u.site(SiteProto { name, argc, flags: flags | site_flags::FCALL, block });
        self.at(span);
        self.u.emit(Op::Super, 0, dst.unwrap_or(window), window, site);
        self.u.next = window as u32;
    }

    pub fn yield_call(&mut self, args: &'a Args, dst: Option<Reg>, span: Span) {
        self.uses_block();
        let (window, slot) = self.window();
        let (argc, flags) = self.args(args, slot, span);
        self.at(span);
        let d = dst.unwrap_or(window);
        if flags == 0 {
            self.u.emit(Op::Yield, 0, d, window, argc);
        } else {
            let site = self.u.plain_site("yield", argc, flags);
            self.u.emit(Op::YieldX, 0, d, window, site);
        }
        self.u.next = window as u32;
    }

    /// Compiles a block or lambda body; returns its index among the children.
    pub fn block(&mut self, b: &'a Block, lambda: bool) -> u16 {
        let scope = self.scope_of(b);
        let name = self.block_name();
        self.open(CodeKind::Block, name, scope, b.span);
        self.u.lambda = lambda;
        self.block_params(&b.params);
        let start = self.u.here();
        self.u.start = Some(start);
        self.tail(&b.body);
        self.close(b.span)
    }

    /// `block in foo`, `block (2 levels) in foo`
    pub fn block_name(&self) -> Name {
        let level = self.home_level();
        let home = &self.unit_at(level).name;
        match level {
            0 => format!("block in {home}").into(),
            n => format!("block ({} levels) in {home}", n + 1).into(),
        }
    }

    /// Calls with a meaning of their own in the core library.
    fn intrinsic(&mut self, c: &'a Call, dst: Option<Reg>) -> bool {
        let args: Vec<&'a Node> = c
            .args
            .positional
            .iter()
            .filter_map(|a| match a {
                Arg::Value(n) => Some(n),
                _ => None,
            })
            .collect();
        match (&*c.name, &args[..]) {
            ("__mutex_lock", [m]) => {
                let m = self.operand(m);
                self.at(c.name_span);
                self.u.emit(Op::MutexLock, 0, m, 0, 0);
                self.simple(dst, |u, d| u.load_nil(d));
            }
            ("__mutex_unlock", [m]) => {
                let m = self.operand(m);
                self.at(c.name_span);
                self.u.emit(Op::MutexUnlock, 0, m, 0, 0);
                self.simple(dst, |u, d| u.load_nil(d));
            }
            ("__fixnum?", [x]) => {
                let x = self.operand(x);
                let d = self.some(dst);
                self.u.emit(Op::PreludeIs, PreludeKind::Fixnum as u8, d, x, 0);
            }
            ("__array?", [x]) => {
                let x = self.operand(x);
                let d = self.some(dst);
                self.u.emit(Op::PreludeIs, PreludeKind::Array as u8, d, x, 0);
            }
            ("__ary_len", [a]) => {
                let a = self.operand(a);
                let d = self.some(dst);
                self.u.emit(Op::ArrayLen, 0, d, a, 0);
            }
            ("__ary_at", [a, i]) => {
                let a = self.operand_before(a, &[i]);
                let i = self.operand(i);
                let d = self.some(dst);
                self.u.emit(Op::ArrayGet, 0, d, a, i);
            }
            ("__block_given", []) => {
                self.uses_block();
                let d = self.some(dst);
                self.u.emit(Op::BlockGiven, 0, d, 0, 0);
            }
            _ => return false,
        }
        true
    }
}

/// The END block's body needs a scope key too: see `scope::resolve`.
impl<'a> Compiler<'a> {
    pub fn post_exe(&mut self, n: &'a Node, body: &'a Node, dst: Option<Reg>) {
        let done = self.u.label();
        let slot = self.u.once();
        let t = self.u.temp();
        self.u.br_short(Op::OnceGet, t, slot, done);
        let scope = self.scopes[&scope::key(n)].clone();
        let name = self.block_name();
        self.open(CodeKind::Block, name, scope, n.span);
        self.block_params(&BlockParams::None);
        let start = self.u.here();
        self.u.start = Some(start);
        self.tail(body);
        let child = self.close(n.span);
        self.u.emit(Op::NewLambda, 0, t, child, 0);
        self.u.emit(Op::AtExit, 0, t, 0, 0);
        self.u.emit(Op::OnceSet, 0, t, slot, 0);
        self.u.bind(done);
        self.simple(dst, |u, d| u.load_nil(d));
    }
}
