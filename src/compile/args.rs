//! Argument lists at the caller, and the array and hash literals built the same way.

use super::Compiler;
use super::emit::Reg;
use super::scope;
use crate::bytecode::op::{HEADER, Op};
use crate::bytecode::proto::*;
use crate::syntax::ast::*;

/// Literals longer than this are built piece by piece, so that registers stay few.
const CHUNK: usize = 64;

impl<'a> Compiler<'a> {
    /// A call window above all live temporaries, and its receiver's slot. Nothing is reserved yet.
    pub fn window(&mut self) -> (Reg, Reg) {
        let start = self.u.next;
        self.u.touch(start + HEADER as u32 + 1);
        (start as Reg, (start as u16).wrapping_add(HEADER))
    }

    /// Does the list need `SendX`?
    pub fn is_complex(a: &Args) -> bool {
        a.forward_all
            || a.block.is_some()
            || !a.keywords.is_empty()
            || a.positional.iter().any(|p| !matches!(p, Arg::Value(_)))
            || a.positional.len() > CHUNK
    }

    /// Evaluates arguments into the slots after `slot`. Registers up to the last argument stay reserved.
    /// The receiver's slot holds a value only if `next` is beyond it: otherwise the first argument may use the window.
    pub fn args(&mut self, a: &'a Args, slot: Reg, span: Span) -> (u16, u16) {
        if !Self::is_complex(a) {
            if let Some(Arg::Value(n)) = a.positional.first() {
                self.expr(n, slot + 1);
                self.u.reserve(slot as u32 + 2);
            }
            for p in a.positional.iter().skip(1) {
                if let Arg::Value(n) = p {
                    self.push_value(n);
                }
            }
            self.u.reserve(slot as u32 + 1 + a.positional.len() as u32);
            return (a.positional.len() as u16, 0);
        }
        self.u.reserve(slot as u32 + 1);
        let mut flags = 0;
        let mut argc = a.positional.len() as u16;
        let splat =
            a.forward_all || a.positional.iter().any(|p| matches!(p, Arg::Splat(..))) || a.positional.len() > CHUNK;
        if splat {
            flags |= site_flags::SPLAT;
            argc = 1;
            let t = self.u.temp();
            let lone = a.positional.len() == 1 && !a.forward_all;
            match &a.positional[..] {
                // `f(*x)`: the callee copies what it keeps
                [Arg::Splat(x, s)] if lone => {
                    self.splat_operand(x.as_deref(), t, *s);
                    self.at(*s);
                    self.u.emit(Op::Splat, 0, t, t, 0);
                }
                _ => {
                    self.array_of(&a.positional, t);
                    if a.forward_all {
                        let r = self.u.temp();
                        self.named("*", r, span);
                        self.u.emit(Op::ArrayCat, 0, t, r, 0);
                        self.u.next = t as u32 + 1;
                    }
                }
            }
        } else {
            for p in &a.positional {
                if let Arg::Value(n) = p {
                    self.push_value(n);
                }
            }
        }
        if !a.keywords.is_empty() || a.forward_all {
            flags |= site_flags::KWARGS | site_flags::KW_FRESH;
            let t = self.u.temp();
            self.hash_of(&a.keywords, t);
            if a.forward_all {
                let r = self.u.temp();
                self.named("**", r, span);
                self.u.emit(Op::HashCat, 0, t, r, 0);
                self.u.next = t as u32 + 1;
            }
        }
        match &a.block {
            Some(Some(b)) => {
                flags |= site_flags::BLOCK_ARG;
                self.push_value(b);
            }
            Some(None) => {
                flags |= site_flags::BLOCK_PASS;
                self.uses_block();
            }
            None if a.forward_all => {
                flags |= site_flags::BLOCK_PASS;
                self.uses_block();
            }
            None => {}
        }
        (argc, flags)
    }

    /// Evaluates `n` into the next register and keeps it.
    pub fn push_value(&mut self, n: &'a Node) -> Reg {
        let t = self.u.next as Reg;
        self.u.touch(t as u32 + 1);
        self.expr(n, t);
        self.u.reserve(t as u32 + 1);
        t
    }

    /// The value of a (perhaps hidden) variable.
    pub fn named(&mut self, name: &str, dst: Reg, span: Span) {
        let v = self.var(name, span);
        self.get_var(v, dst);
    }

    fn splat_operand(&mut self, x: Option<&'a Node>, dst: Reg, span: Span) {
        match x {
            Some(n) => self.expr(n, dst),
            None => self.named("*", dst, span),
        }
    }

    /// An array literal.
    pub fn array(&mut self, args: &'a [Arg], dst: Option<Reg>) {
        let plain = args.iter().all(|a| matches!(a, Arg::Value(_)));
        if plain && dst.is_none() {
            for a in args {
                if let Arg::Value(n) = a {
                    self.discard(n);
                }
            }
            return;
        }
        let d = self.some(dst);
        if plain && let Some(lit) = self.constant_array(args) {
            let lit = self.u.lit(lit) as i32;
            self.u.emit_wide(Op::DupArray, 0, d, lit);
            return;
        }
        if plain && args.len() <= CHUNK {
            let base = self.u.next as Reg;
            for a in args {
                if let Arg::Value(n) = a {
                    self.push_value(n);
                }
            }
            self.u.emit_run(Op::NewArray, d, base, args.len());
            self.u.next = base as u32;
            return;
        }
        let t = self.u.temp();
        self.array_of(args, t);
        self.u.mov(d, t);
    }

    /// The literal, if all elements are immutable literals.
    fn constant_array(&self, args: &'a [Arg]) -> Option<Lit> {
        if args.is_empty() {
            return None;
        }
        let item = |a: &'a Arg| match a {
            Arg::Value(n) => self.immutable(n),
            _ => None,
        };
        args.iter().map(item).collect::<Option<Vec<Lit>>>().map(Lit::Array)
    }

    fn constant_hash(&self, pairs: &'a [Pair]) -> Option<Lit> {
        if pairs.is_empty() {
            return None;
        }
        let item = |p: &'a Pair| match p {
            Pair::Pair(k, v) => {
                let key = match &k.kind {
                    Kind::Str(b) => Lit::Str(b.clone()),
                    _ => self.immutable(k)?,
                };
                Some((key, self.immutable(v)?))
            }
            Pair::Splat(..) => None,
        };
        pairs.iter().map(item).collect::<Option<Vec<(Lit, Lit)>>>().map(Lit::Hash)
    }

    /// The literal, if the node is one that nobody can change.
    fn immutable(&self, n: &Node) -> Option<Lit> {
        match &n.kind {
            Kind::Nil => Some(Lit::Nil),
            Kind::True => Some(Lit::True),
            Kind::False => Some(Lit::False),
            Kind::Int(_) | Kind::BigInt(_) | Kind::Float(_) | Kind::Sym(_) => Some(super::expr::number_or_symbol(n)),
            Kind::Str(b) if self.frozen => Some(Lit::Str(b.clone())),
            _ => None,
        }
    }

    /// Builds the array of these elements in the temporary `t`.
    pub fn array_of(&mut self, args: &'a [Arg], t: Reg) {
        let mut rest = args;
        // the first run of plain values makes the array, a leading splat is a copy
        match args.first() {
            Some(Arg::Splat(x, s)) => {
                self.splat_operand(x.as_deref(), t, *s);
                self.at(*s);
                self.u.emit(Op::Splat, 0, t, t, 0);
                rest = &args[1..];
            }
            _ => {
                let n = args.iter().take(CHUNK).take_while(|a| matches!(a, Arg::Value(_))).count();
                let base = self.u.next as Reg;
                for a in &args[..n] {
                    if let Arg::Value(v) = a {
                        self.push_value(v);
                    }
                }
                self.u.emit_run(Op::NewArray, t, base, n);
                self.u.next = base as u32;
                rest = &rest[n..];
            }
        }
        for a in rest {
            let mark = self.u.next;
            match a {
                Arg::Value(v) => {
                    let r = self.operand(v);
                    self.u.emit(Op::ArrayPush, 0, t, r, 0);
                }
                Arg::Splat(x, s) => {
                    let r = match x {
                        Some(n) => self.operand(n),
                        None => {
                            let r = self.u.temp();
                            self.named("*", r, *s);
                            r
                        }
                    };
                    self.at(*s);
                    self.u.emit(Op::ArrayCat, 0, t, r, 0);
                }
                Arg::Pairs(p) => {
                    let r = self.u.temp();
                    self.hash_of(p, r);
                    self.u.emit(Op::ArrayPush, 0, t, r, 0);
                }
            }
            self.u.next = mark;
        }
    }

    /// A hash literal.
    pub fn hash(&mut self, pairs: &'a [Pair], dst: Option<Reg>) {
        let d = self.some(dst);
        if let Some(lit) = self.constant_hash(pairs) {
            let lit = self.u.lit(lit) as i32;
            self.u.emit_wide(Op::DupHash, 0, d, lit);
            return;
        }
        if pairs.len() <= CHUNK / 2 && pairs.iter().all(|p| matches!(p, Pair::Pair(..))) {
            self.hash_of(pairs, d);
            return;
        }
        let t = self.u.temp();
        self.hash_of(pairs, t);
        self.u.mov(d, t);
    }

    /// Builds a hash in `t`, which must be a temporary if the hash is large or has splats.
    pub fn hash_of(&mut self, pairs: &'a [Pair], t: Reg) {
        let n = pairs.iter().take(CHUNK / 2).take_while(|p| matches!(p, Pair::Pair(..))).count();
        let base = self.u.next as Reg;
        for p in &pairs[..n] {
            if let Pair::Pair(k, v) = p {
                self.push_key(k);
                self.push_value(v);
            }
        }
        self.u.emit_run(Op::NewHash, t, base, n);
        self.u.next = base as u32;
        for p in &pairs[n..] {
            let mark = self.u.next;
            match p {
                Pair::Pair(k, v) => {
                    let k = self.push_key(k);
                    let v = self.operand(v);
                    self.u.emit(Op::HashSet, 0, t, k, v);
                }
                Pair::Splat(x, s) => {
                    let r = match x {
                        Some(n) => self.operand(n),
                        None => {
                            let r = self.u.temp();
                            self.named("**", r, *s);
                            r
                        }
                    };
                    self.at(*s);
                    self.u.emit(Op::HashCat, 0, t, r, 0);
                }
            }
            self.u.next = mark;
        }
    }

    /// A hash key: string literals are shared and frozen.
    fn push_key(&mut self, k: &'a Node) -> Reg {
        match &k.kind {
            Kind::Str(b) => {
                let t = self.u.temp();
                self.u.load_lit(t, Lit::Str(b.clone()));
                t
            }
            _ => self.push_value(k),
        }
    }

    /// Arguments of a bare `super`: what the method's parameters hold now. Returns argc and flags.
    pub fn zsuper_args(&mut self, slot: Reg, span: Span) -> (u16, u16) {
        self.u.reserve(slot as u32 + 1);
        let level = self.home_level();
        let Some(p) = self.unit_at(level).params_ast else {
            return (0, site_flags::ZSUPER);
        };
        let mut flags = site_flags::ZSUPER;
        let mut names: Vec<Name> = Vec::new();
        let mut i = 0;
        let param = |p: &Param, i: &mut usize| {
            let name = match p {
                Param::Name(n) => n.clone(),
                Param::Destructure(_) => scope::hidden_param(*i),
            };
            *i += 1;
            name
        };
        for r in &p.required {
            names.push(param(r, &mut i));
        }
        for (n, _) in &p.optional {
            names.push(n.clone());
            i += 1;
        }
        let rest = match &p.rest {
            Some(name) => Some(name.clone().unwrap_or_else(|| "*".into())),
            None if p.forward_all => Some("*".into()),
            None => None,
        };
        i += rest.is_some() as usize;
        let post: Vec<Name> = p.post.iter().map(|r| param(r, &mut i)).collect();
        let argc;
        match rest {
            None => {
                argc = (names.len() + post.len()) as u16;
                for n in names.iter().chain(&post) {
                    let t = self.u.temp();
                    self.home_var(n, level, t, span);
                }
            }
            Some(rest) => {
                argc = 1;
                flags |= site_flags::SPLAT;
                let t = self.u.temp();
                for n in &names {
                    let r = self.u.temp();
                    self.home_var(n, level, r, span);
                }
                self.u.emit_run(Op::NewArray, t, t + 1, names.len());
                self.u.next = t as u32 + 1;
                let r = self.u.temp();
                self.home_var(&rest, level, r, span);
                self.u.emit(Op::ArrayCat, 0, t, r, 0);
                for n in &post {
                    self.home_var(n, level, r, span);
                    self.u.emit(Op::ArrayPush, 0, t, r, 0);
                }
                self.u.next = t as u32 + 1;
            }
        }
        let kwrest: Option<Name> = match &p.kwrest {
            KwRest::Rest(name) => Some(name.clone().unwrap_or_else(|| "**".into())),
            _ if p.forward_all => Some("**".into()),
            _ => None,
        };
        if !p.keywords.is_empty() || kwrest.is_some() {
            flags |= site_flags::KWARGS | site_flags::KW_FRESH;
            let t = self.u.temp();
            self.u.emit_run(Op::NewHash, t, t, 0);
            let (k, v) = (self.u.temp(), self.u.temp());
            for (n, _) in &p.keywords {
                self.u.load_lit(k, super::emit::sym_lit(n));
                self.home_var(n, level, v, span);
                self.u.emit(Op::HashSet, 0, t, k, v);
            }
            if let Some(n) = kwrest {
                self.home_var(&n, level, v, span);
                self.u.emit(Op::HashCat, 0, t, v, 0);
            }
            self.u.next = t as u32 + 1;
        }
        (argc, flags)
    }

    /// A parameter of the method `level` scopes up, whatever the blocks between call their own.
    fn home_var(&mut self, name: &str, level: usize, dst: Reg, span: Span) {
        match self.unit_at(level).places.get(name).copied() {
            Some(Place::Reg(r)) if level == 0 => self.u.mov(dst, r),
            Some(Place::Env(v)) if level <= u8::MAX as usize => self.u.emit(Op::GetUp, level as u8, dst, v, 0),
            _ => self.error(span, format!("no parameter {name} here")),
        }
    }
}
