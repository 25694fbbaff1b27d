//! Assignment: simple, `op=`, multiple, destructuring.

use super::call::binary_op;
use super::cond::imm16;
use super::emit::Reg;
use super::{Compiler, Var};
use crate::bytecode::op::{DefinedKind, Op};
use crate::bytecode::proto::*;
use crate::syntax::ast::*;

/// A target whose receiver and arguments were evaluated already.
enum Place<'a> {
    Simple(&'a Target),
    Attr {
        recv: Reg,
        name: &'a Name,
        safe: bool,
        span: Span,
    },
    /// one plain index
    Index {
        recv: Reg,
        index: Reg,
        span: Span,
    },
    /// other arguments: in registers, or one array
    Indices {
        recv: Reg,
        first: Reg,
        argc: u16,
        splat: bool,
        span: Span,
    },
    ConstOf {
        scope: Reg,
        name: &'a Name,
        span: Span,
    },
    Multi(Box<Places<'a>>),
}

struct Places<'a> {
    pre: Vec<Place<'a>>,
    splat: Option<Option<Place<'a>>>,
    post: Vec<Place<'a>>,
}

impl<'a> Compiler<'a> {
    // ---- target = value

    pub fn assign(&mut self, target: &'a Target, value: &'a Node, dst: Option<Reg>) {
        match &target.kind {
            TargetKind::Lvar(name) => match self.var(name, target.span) {
                Var::Reg(r) => {
                    self.expr(value, r);
                    self.simple(dst, |u, d| u.mov(d, r));
                }
                v => {
                    let r = match dst {
                        Some(d) => {
                            self.expr(value, d);
                            d
                        }
                        None => self.operand(value),
                    };
                    self.set_var(v, r);
                }
            },
            TargetKind::Attr { recv, name, safe } => {
                let (window, slot) = self.window();
                let flags = self.setter_receiver(recv, slot);
                let nil = self.u.label();
                if *safe {
                    self.u.br(Op::BrNil, slot, nil);
                }
                let v = self.push_value(value);
                self.simple(dst, |u, d| u.mov(d, v));
                self.send_in_place(&format!("{name}="), window, 1, flags, None, target.span);
                self.u.next = window as u32;
                if *safe {
                    let end = self.u.label();
                    if dst.is_some() {
                        self.u.jmp(end);
                    }
                    self.u.bind(nil);
                    self.simple(dst, |u, d| u.load_nil(d));
                    self.u.bind(end);
                } else {
                    self.u.bind(nil);
                }
            }
            TargetKind::Index { recv, args } => {
                if let ([Arg::Value(i)], false) = (&args.positional[..], Self::is_complex(args)) {
                    let recv = self.operand_before(recv, &[i, value]);
                    let i = self.operand_before(i, &[value]);
                    let v = self.operand(value);
                    self.at(target.span);
                    self.u.emit(Op::Aset, 0, recv, i, v);
                    self.simple(dst, |u, d| u.mov(d, v));
                } else {
                    let place = self.prepare(target);
                    let v = self.operand(value);
                    self.put(&place, v);
                    self.simple(dst, |u, d| u.mov(d, v));
                }
            }
            TargetKind::Const { scope: ConstScope::Of(_), .. } => {
                let place = self.prepare(target);
                let v = self.operand(value);
                self.put(&place, v);
                self.simple(dst, |u, d| u.mov(d, v));
            }
            _ => {
                let v = self.operand(value);
                self.store(target, v);
                self.simple(dst, |u, d| u.mov(d, v));
            }
        }
    }

    /// Puts the receiver of a setter into its slot; returns the site flags (private setters may be called on `self`).
    fn setter_receiver(&mut self, recv: &'a Node, slot: Reg) -> u16 {
        self.receiver(recv, slot);
        if recv.kind == Kind::SelfRef { site_flags::FCALL } else { 0 }
    }

    /// Assigns a register's value; evaluates the target's receiver and arguments now.
    pub fn store(&mut self, target: &'a Target, src: Reg) {
        let mark = self.u.next;
        match &target.kind {
            TargetKind::Lvar(name) => {
                let v = self.var(name, target.span);
                self.set_var(v, src);
            }
            TargetKind::Ivar(name) => {
                let site = self.u.ivar(name);
                self.at(target.span);
                self.u.emit(Op::SetIvar, 0, src, site, 0);
            }
            TargetKind::Gvar(name) => {
                self.at(target.span);
                match &**name {
                    "$~" => self.u.emit(Op::SetMatch, 0, src, 0, 0),
                    "$_" => self.u.emit(Op::SetLine, 0, src, 0, 0),
                    _ => {
                        let lit = self.u.lit(super::emit::sym_lit(name)) as i32;
                        self.u.emit_wide(Op::SetGvar, 0, src, lit);
                    }
                }
            }
            TargetKind::Cvar(name) => {
                let lit = self.u.lit(super::emit::sym_lit(name)) as i32;
                self.at(target.span);
                self.u.emit_wide(Op::SetCvar, 0, src, lit);
            }
            TargetKind::Const { scope, name } => {
                let how = match scope {
                    ConstScope::Lexical => 0,
                    ConstScope::Top => 1,
                    ConstScope::Of(_) => {
                        let place = self.prepare(target);
                        self.put(&place, src);
                        self.u.next = mark;
                        return;
                    }
                };
                let name = self.u.sym16(name);
                self.at(target.span);
                self.u.emit(Op::SetConst, how, src, 0, name);
            }
            TargetKind::Multi(m) => self.destructure(m, src),
            TargetKind::Attr { .. } | TargetKind::Index { .. } => {
                let place = self.prepare(target);
                self.put(&place, src);
            }
        }
        self.u.next = mark;
    }

    /// Evaluates what a target needs, left to right, into temporaries.
    fn prepare(&mut self, t: &'a Target) -> Place<'a> {
        match &t.kind {
            TargetKind::Attr { recv, name, safe } => {
                Place::Attr { recv: self.held(recv), name, safe: *safe, span: t.span }
            }
            TargetKind::Index { recv, args } => {
                let recv = self.held(recv);
                if let ([Arg::Value(i)], false) = (&args.positional[..], Self::is_complex(args)) {
                    return Place::Index { recv, index: self.held(i), span: t.span };
                }
                let plain = args.positional.iter().all(|a| matches!(a, Arg::Value(_)));
                let first = self.u.next as Reg;
                if plain && args.positional.len() < 32 {
                    for a in &args.positional {
                        if let Arg::Value(n) = a {
                            self.push_value(n);
                        }
                    }
                    let argc = args.positional.len() as u16;
                    return Place::Indices { recv, first, argc, splat: false, span: t.span };
                }
                let list = self.u.temp();
                self.array_of(&args.positional, list);
                Place::Indices { recv, first: list, argc: 1, splat: true, span: t.span }
            }
            TargetKind::Const { scope: ConstScope::Of(s), name } => {
                Place::ConstOf { scope: self.held(s), name, span: t.span }
            }
            TargetKind::Multi(m) => Place::Multi(Box::new(self.prepare_all(m))),
            _ => Place::Simple(t),
        }
    }

    /// The value in a register that no later assignment changes.
    fn held(&mut self, n: &'a Node) -> Reg {
        let r = self.operand(n);
        if r == 0 || self.u.is_temp(r) {
            return r;
        }
        let t = self.u.temp();
        self.u.mov(t, r);
        t
    }

    fn prepare_all(&mut self, m: &'a MultiTarget) -> Places<'a> {
        Places {
            pre: m.pre.iter().map(|t| self.prepare(t)).collect(),
            splat: m.splat.as_ref().map(|s| s.as_ref().map(|t| self.prepare(t))),
            post: m.post.iter().map(|t| self.prepare(t)).collect(),
        }
    }

    /// Assigns to a prepared target.
    fn put(&mut self, place: &Place<'a>, src: Reg) {
        let mark = self.u.next;
        match place {
            Place::Simple(t) => self.store(t, src),
            Place::Attr { recv, name, safe, span } => {
                let nil = self.u.label();
                if *safe {
                    self.u.br(Op::BrNil, *recv, nil);
                }
                let (window, slot) = self.window();
                self.u.mov(slot, *recv);
                self.u.mov(slot + 1, src);
                let flags = if *recv == 0 { site_flags::FCALL } else { 0 };
                self.send_in_place(&format!("{name}="), window, 1, flags, None, *span);
                self.u.bind(nil);
            }
            Place::Index { recv, index, span } => {
                self.at(*span);
                self.u.emit(Op::Aset, 0, *recv, *index, src);
            }
            Place::Indices { recv, first, argc, splat, span } => {
                let (window, slot) = self.window();
                self.u.mov(slot, *recv);
                let flags = if *recv == 0 { site_flags::FCALL } else { 0 };
                if *splat {
                    self.u.emit(Op::Splat, 0, slot + 1, *first, 0);
                    self.u.emit(Op::ArrayPush, 0, slot + 1, src, 0);
                    self.send_in_place("[]=", window, 1, flags | site_flags::SPLAT, None, *span);
                } else {
                    (0..*argc).for_each(|i| self.u.mov(slot + 1 + i, first + i));
                    self.u.mov(slot + 1 + argc, src);
                    self.send_in_place("[]=", window, argc + 1, flags, None, *span);
                }
            }
            Place::ConstOf { scope, name, span } => {
                let name = self.u.sym16(name);
                self.at(*span);
                self.u.emit(Op::SetConst, 2, src, *scope, name);
            }
            Place::Multi(m) => self.spread(m, src),
        }
        self.u.next = mark;
    }

    // ---- target op= value

    pub fn op_assign(&mut self, target: &'a Target, op: &'a AsgnOp, value: &'a Node, dst: Option<Reg>, span: Span) {
        match &target.kind {
            TargetKind::Lvar(name) => {
                let v = self.var(name, target.span);
                self.op_assign_local(v, name, op, value, dst, span);
            }
            TargetKind::Attr { recv, name, safe } => {
                let recv = self.operand_before(recv, &[value]);
                let flags = if recv == 0 { site_flags::FCALL } else { 0 };
                let t = self.some(dst);
                let (nil, end) = (self.u.label(), self.u.label());
                if *safe {
                    self.u.br(Op::BrNil, recv, nil);
                }
                let (window, slot) = self.window();
                self.u.mov(slot, recv);
                self.send_in_place(name, window, 0, flags, Some(t), target.span);
                let place = Place::Attr { recv, name, safe: false, span: target.span };
                self.combine(t, op, value, span, |c, r| c.put(&place, r));
                if *safe {
                    self.u.jmp(end);
                    self.u.bind(nil);
                    self.u.load_nil(t);
                    self.u.bind(end);
                }
            }
            TargetKind::Index { recv, args } => {
                let place = match (&args.positional[..], Self::is_complex(args)) {
                    ([Arg::Value(i)], false) => {
                        let recv = self.operand_before(recv, &[i, value]);
                        Place::Index { recv, index: self.operand_before(i, &[value]), span: target.span }
                    }
                    _ => self.prepare(target),
                };
                let t = self.some(dst);
                match &place {
                    Place::Index { recv, index, .. } => {
                        self.at(target.span);
                        self.u.emit(Op::Aref, 0, t, *recv, *index);
                    }
                    Place::Indices { recv, first, argc, splat, span } => {
                        let (window, slot) = self.window();
                        self.u.mov(slot, *recv);
                        let mut flags = if *recv == 0 { site_flags::FCALL } else { 0 };
                        if *splat {
                            flags |= site_flags::SPLAT;
                        }
                        (0..*argc).for_each(|i| self.u.mov(slot + 1 + i, first + i));
                        self.send_in_place("[]", window, *argc, flags, Some(t), *span);
                    }
                    _ => {}
                }
                self.combine(t, op, value, span, |c, r| c.put(&place, r));
            }
            TargetKind::Const { scope, name } => {
                let from = match scope {
                    ConstScope::Of(s) => Some(self.held(s)),
                    ConstScope::Top => {
                        let t = self.u.temp();
                        let site = self.u.const_site(ConstSiteProto { path: vec!["Object".into()], top: true });
                        self.u.emit(Op::GetConst, 0, t, site, 0);
                        Some(t)
                    }
                    ConstScope::Lexical => None,
                };
                let t = self.some(dst);
                let sym = self.u.sym16(name);
                let get = |c: &mut Self| {
                    c.at(target.span);
                    match from {
                        Some(from) => c.u.emit(Op::GetConstFrom, 0, t, from, sym),
                        None => {
                            let site = c.u.const_site(ConstSiteProto { path: vec![name.clone()], top: false });
                            c.u.emit(Op::GetConst, 0, t, site, 0);
                        }
                    }
                };
                let set = |c: &mut Self, r: Reg| {
                    c.at(target.span);
                    match from {
                        Some(from) => c.u.emit(Op::SetConst, 2, r, from, sym),
                        None => c.u.emit(Op::SetConst, 0, r, 0, sym),
                    }
                };
                let kind = if from.is_some() { DefinedKind::ConstFrom } else { DefinedKind::Const };
                self.get_if_defined(op, t, kind, from.unwrap_or(0), sym, get);
                self.combine(t, op, value, span, set);
            }
            TargetKind::Ivar(name) => {
                let t = self.some(dst);
                let site = self.u.ivar(name);
                self.u.emit(Op::GetIvar, 0, t, site, 0);
                self.combine(t, op, value, span, |c, r| c.store(target, r));
            }
            TargetKind::Gvar(name) => {
                let t = self.some(dst);
                let sym = self.u.sym16(name);
                self.get_if_defined(op, t, DefinedKind::Gvar, 0, sym, |c| c.get_gvar(name, t));
                self.combine(t, op, value, span, |c, r| c.store(target, r));
            }
            TargetKind::Cvar(name) => {
                let t = self.some(dst);
                let sym = self.u.sym16(name);
                let lit = self.u.lit(super::emit::sym_lit(name)) as i32;
                self.get_if_defined(op, t, DefinedKind::Cvar, 0, sym, |c| {
                    c.at(target.span);
                    c.u.emit_wide(Op::GetCvar, 0, t, lit);
                });
                self.combine(t, op, value, span, |c, r| c.store(target, r));
            }
            TargetKind::Multi(_) => self.error(span, "multiple assignment cannot be combined with an operator"),
        }
    }

    /// Reads a variable into `t`; for `||=` an undefined one reads as nil.
    fn get_if_defined(
        &mut self,
        op: &AsgnOp,
        t: Reg,
        what: DefinedKind,
        recv: Reg,
        name: u16,
        get: impl FnOnce(&mut Self),
    ) {
        if *op != AsgnOp::Or {
            return get(self);
        }
        let skip = self.u.label();
        self.u.emit(Op::Defined, what as u8, t, recv, name);
        self.u.br(Op::BrUnless, t, skip);
        get(self);
        self.u.bind(skip);
    }

    /// The temporary `t` holds the old value; leaves the new one there and stores it with `set`.
    fn combine(&mut self, t: Reg, op: &'a AsgnOp, value: &'a Node, span: Span, set: impl FnOnce(&mut Self, Reg)) {
        match op {
            AsgnOp::Or | AsgnOp::And => {
                let end = self.u.label();
                let skip = if *op == AsgnOp::Or { Op::BrIf } else { Op::BrUnless };
                self.u.br(skip, t, end);
                self.expr(value, t);
                set(self, t);
                self.u.bind(end);
            }
            AsgnOp::Op(name) => {
                self.operate(t, t, name, value, span);
                set(self, t);
            }
        }
    }

    /// `dst = lhs name value`
    fn operate(&mut self, dst: Reg, lhs: Reg, name: &str, value: &'a Node, span: Span) {
        let mark = self.u.next;
        match (binary_op(name), imm16(value)) {
            (Some(Op::Add), Some(i)) if i != 0x8000 => {
                self.at(span);
                self.u.emit(Op::AddInt, 0, dst, lhs, i);
            }
            (Some(Op::Sub), Some(i)) if i != 0x8000 => {
                self.at(span);
                self.u.emit(Op::SubInt, 0, dst, lhs, i);
            }
            (Some(op), _) => {
                let r = self.operand(value);
                self.at(span);
                self.u.emit(op, 0, dst, lhs, r);
            }
            (None, _) => {
                let (window, slot) = self.window();
                self.u.mov(slot, lhs);
                self.u.reserve(slot as u32 + 1);
                self.push_value(value);
                self.send_in_place(name, window, 1, 0, Some(dst), span);
            }
        }
        self.u.next = mark;
    }

    fn op_assign_local(&mut self, v: Var, name: &Name, op: &'a AsgnOp, value: &'a Node, dst: Option<Reg>, span: Span) {
        match (v, op) {
            (Var::Reg(r), AsgnOp::Or | AsgnOp::And) => {
                let end = self.u.label();
                self.u.br(if *op == AsgnOp::Or { Op::BrIf } else { Op::BrUnless }, r, end);
                self.expr(value, r);
                self.u.bind(end);
                self.simple(dst, |u, d| u.mov(d, r));
            }
            (Var::Reg(r), AsgnOp::Op(op)) => {
                let lhs = if super::walk::may_assign(value, name) {
                    let t = self.u.temp();
                    self.u.mov(t, r);
                    t
                } else {
                    r
                };
                self.operate(r, lhs, op, value, span);
                self.simple(dst, |u, d| u.mov(d, r));
            }
            (Var::Up(level, var), AsgnOp::Op(op)) if &**op == "+" && (imm16(value).is_some() || self.calm(value)) => {
                let d = self.some(dst);
                match imm16(value) {
                    Some(imm) if imm != 0x8000 => {
                        self.at(span);
                        self.u.emit(Op::UpAddInt, level, d, var, imm);
                    }
                    _ => {
                        let rhs = self.operand(value);
                        self.at(span);
                        self.u.emit(Op::UpAdd, level, d, var, rhs);
                    }
                }
            }
            (v, op) => {
                let t = self.some(dst);
                self.get_var(v, t);
                self.combine(t, op, value, span, |c, r| c.set_var(v, r));
            }
        }
    }

    /// Is it certain that evaluating `n` assigns no captured variable? Arithmetic on such values counts as calm too.
    fn calm(&self, n: &Node) -> bool {
        match &n.kind {
            Kind::Int(_) | Kind::Float(_) | Kind::Str(_) | Kind::Lvar(_) | Kind::Ivar(_) | Kind::SelfRef => true,
            Kind::Call(c) => match super::cond::operator_call(c) {
                Some((l, r)) if matches!(&*c.name, "+" | "-" | "*") => self.calm(l) && self.calm(r),
                _ => false,
            },
            _ => false,
        }
    }

    // ---- a, b = value

    pub fn multi_assign(&mut self, m: &'a MultiTarget, value: &'a Node, dst: Option<Reg>, _span: Span) {
        if let Kind::Array(items) = &value.kind
            && m.splat.is_none()
            && items.iter().all(|a| matches!(a, Arg::Value(_)))
            && items.len() <= 32
        {
            return self.parallel_assign(m, items, dst);
        }
        let places = self.prepare_all(m);
        let v = match dst {
            Some(d) => {
                self.expr(value, d);
                d
            }
            None => self.operand(value),
        };
        self.spread(&places, v);
    }

    /// `a, b = x, y` without an array, unless somebody wants it.
    fn parallel_assign(&mut self, m: &'a MultiTarget, items: &'a [Arg], dst: Option<Reg>) {
        let places = self.prepare_all(m);
        let values: Vec<&'a Node> = items
            .iter()
            .filter_map(|a| match a {
                Arg::Value(n) => Some(n),
                _ => None,
            })
            .collect();
        let mut regs: Vec<Reg> = Vec::new();
        if let Some(d) = dst {
            let base = self.u.next as Reg;
            for v in &values {
                regs.push(self.push_value(v));
            }
            self.u.emit_run(Op::NewArray, d, base, values.len());
        } else {
            for (i, v) in values.iter().enumerate() {
                if i >= m.pre.len() {
                    self.discard(v);
                    continue;
                }
                let r = self.operand_before(v, &values[i + 1..]);
                // a variable that an earlier target overwrites before it is read
                let lost = r != 0
                    && !self.u.is_temp(r)
                    && m.pre[..i].iter().any(|t| self.target_reg(t).is_none_or(|x| x == r));
                if lost {
                    let t = self.u.temp();
                    self.u.mov(t, r);
                    regs.push(t);
                } else {
                    regs.push(r);
                }
            }
        }
        for (i, p) in places.pre.iter().enumerate() {
            let r = match regs.get(i) {
                Some(r) => *r,
                None => {
                    let t = self.u.temp();
                    self.u.load_nil(t);
                    t
                }
            };
            self.put(p, r);
        }
    }

    /// The register that a target assigns: 0 if it assigns none, `None` if it may assign several.
    fn target_reg(&mut self, t: &Target) -> Option<Reg> {
        match &t.kind {
            TargetKind::Lvar(name) => match self.find_var(name) {
                Some(Var::Reg(r)) => Some(r),
                _ => Some(0),
            },
            TargetKind::Multi(_) => None,
            _ => Some(0),
        }
    }

    /// Assigns the elements of `src` to the targets.
    pub fn destructure(&mut self, m: &'a MultiTarget, src: Reg) {
        let mark = self.u.next;
        let places = self.prepare_all(m);
        self.spread(&places, src);
        self.u.next = mark;
    }

    /// As `spread` for more targets than `Expand` can count: through an array, one element at a time.
    fn spread_many(&mut self, places: &Places<'a>, src: Reg) {
        let mark = self.u.next;
        if places.pre.len() > i16::MAX as usize || !places.post.is_empty() {
            self.u.overflow.get_or_insert("too many targets in a multiple assignment");
            return;
        }
        let (list, t) = (self.u.temp(), self.u.temp());
        self.u.emit(Op::Expand, 1, list, src, 0);
        for (i, p) in places.pre.iter().enumerate() {
            self.u.emit(Op::ArrayAt, 0, t, list, i as u16);
            self.put(p, t);
        }
        if let Some(Some(p)) = &places.splat {
            let (window, slot) = self.window();
            self.u.mov(slot, list);
            self.u.load_int(slot + 1, places.pre.len() as i64);
            self.send_in_place("drop", window, 1, 0, Some(t), Span::default());
            self.put(p, t);
        }
        self.u.next = mark;
    }

    fn spread(&mut self, places: &Places<'a>, src: Reg) {
        let mark = self.u.next;
        let (pre, post) = (places.pre.len(), places.post.len());
        if pre > u8::MAX as usize || post > u8::MAX as usize {
            return self.spread_many(places, src);
        }
        let has_splat = places.splat.is_some();
        let count = pre + has_splat as usize + post;
        let base = self.u.next as Reg;
        self.u.reserve(base as u32 + count as u32);
        self.u.emit(Op::Expand, has_splat as u8, base, src, pre as u16 | (post as u16) << 8);
        let all = places
            .pre
            .iter()
            .map(Some)
            .chain(places.splat.iter().map(|s| s.as_ref()))
            .chain(places.post.iter().map(Some));
        for (i, p) in all.enumerate() {
            if let Some(p) = p {
                self.put(p, base + i as Reg);
            }
        }
        self.u.next = mark;
    }
}
