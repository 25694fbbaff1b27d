//! One code object under construction: registers, literals, labels, catch entries, and the last step to a `Proto`.
//!
//! Knows nothing of the AST beyond names.

use super::catch::Ctl;
use super::pattern::Stub;
use super::scope::Scope;
use crate::bytecode::op::{ENV_HEADER, HEADER, Ins, Op};
use crate::bytecode::proto::*;
use crate::syntax::ast::{Bytes, LitEnc, Name, Params};
use std::collections::HashMap;
use std::rc::Rc;

/// A register, relative to the frame's base.
pub type Reg = u16;

/// A place in the code that is not known yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label(u32);

/// Which field of a jump holds the distance.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    Short,
    Long,
}

struct Fixup {
    pc: u32,
    label: Label,
    reach: Reach,
}

/// The most registers a code object may have.
pub const MAX_REGS: u32 = 60_000;

/// A code object under construction.
pub struct Unit<'a> {
    pub kind: CodeKind,
    pub scope: Rc<Scope>,
    pub name: Name,
    /// The method's parameters, for bare `super`.
    pub params_ast: Option<&'a Params>,
    /// the body of `->{}`
    pub lambda: bool,
    pub places: HashMap<Name, Place>,
    /// Registers below this one belong to self, variables and the env record.
    pub first_temp: Reg,
    pub next: u32,
    max: u32,
    pub code: Vec<Ins>,
    pub lits: Vec<Lit>,
    lit_index: HashMap<(u8, Vec<u8>), u32>,
    pub sites: Vec<SiteProto>,
    pub ivars: Vec<Name>,
    pub consts: Vec<ConstSiteProto>,
    pub classes: Vec<ClassProto>,
    pub children: Vec<Proto>,
    pub params: ParamsProto,
    pub catch: Vec<CatchProto>,
    lines: Vec<(u32, u32)>,
    labels: Vec<Option<u32>>,
    fixups: Vec<Fixup>,
    pub ctl: Vec<Ctl<'a>>,
    /// failing tests of the pattern being compiled
    pub stubs: Vec<Stub>,
    /// where `redo` in a block goes
    pub start: Option<Label>,
    pub nlocals: u16,
    pub env: Option<EnvProto>,
    pub locals: Vec<LocalProto>,
    pub svar_match: Option<u16>,
    pub svar_line: Option<u16>,
    pub once_slots: u16,
    pub uses_block: bool,
    pub line: u32,
    /// Number literals that a loop keeps in registers, by the address of their node.
    pub hoisted: Vec<(usize, Reg)>,
    /// the first limit that was exceeded
    pub overflow: Option<&'static str>,
}

impl<'a> Unit<'a> {
    pub fn new(kind: CodeKind, name: Name, scope: Rc<Scope>, line: u32) -> Unit<'a> {
        Unit {
            kind,
            scope,
            name,
            params_ast: None,
            lambda: false,
            places: HashMap::new(),
            first_temp: 1,
            next: 1,
            max: 1,
            code: Vec::new(),
            lits: Vec::new(),
            lit_index: HashMap::new(),
            sites: Vec::new(),
            ivars: Vec::new(),
            consts: Vec::new(),
            classes: Vec::new(),
            children: Vec::new(),
            params: ParamsProto::default(),
            catch: Vec::new(),
            lines: Vec::new(),
            labels: Vec::new(),
            fixups: Vec::new(),
            ctl: Vec::new(),
            stubs: Vec::new(),
            start: None,
            nlocals: 1,
            env: None,
            locals: Vec::new(),
            svar_match: None,
            svar_line: None,
            once_slots: 0,
            uses_block: false,
            line,
            hoisted: Vec::new(),
            overflow: None,
        }
    }

    /// Gives every variable its place, the parameters (register `1 + i`) first. `params[i]` is the name, if it has one.
    pub fn place_variables(&mut self, params: &[Option<Name>]) {
        let scope = self.scope.clone();
        let mut env_vars = 0u32;
        let mut captured = |unit: &mut Self, name: &Name| {
            let var = env_vars;
            env_vars += 1;
            unit.places.insert(name.clone(), Place::Env(var as u16));
            var as u16
        };
        for (i, name) in params.iter().enumerate() {
            let Some(name) = name else { continue };
            if self.places.contains_key(name) {
                continue;
            }
            let reg = (i + 1) as u16;
            if scope.find(name).is_some_and(|v| v.captured) {
                let var = captured(self, name);
                self.params.captured.push((reg, var));
            } else {
                self.places.insert(name.clone(), Place::Reg(reg));
            }
        }
        let mut next = 1 + params.len() as u32;
        for v in &scope.vars {
            if self.places.contains_key(&v.name) {
                continue;
            }
            if v.captured {
                captured(self, &v.name);
            } else {
                self.places.insert(v.name.clone(), Place::Reg(next.min(MAX_REGS) as u16));
                next += 1;
            }
        }
        if scope.reads_match {
            self.svar_match = Some(captured(self, &"%match".into()));
        }
        if scope.reads_line {
            self.svar_line = Some(captured(self, &"%line".into()));
        }
        for v in &scope.vars {
            if v.name.starts_with(|c: char| c == '_' || c.is_alphabetic() || !c.is_ascii()) {
                self.locals.push(LocalProto { name: v.name.clone(), place: self.places[&v.name] });
            }
        }
        self.nlocals = next.min(MAX_REGS) as u16;
        if scope.has_child || scope.dynamic || env_vars > 0 {
            self.env = Some(EnvProto { reg: self.nlocals, vars: env_vars.min(u16::MAX as u32) as u16 });
            next += ENV_HEADER as u32 + env_vars;
        }
        if next > MAX_REGS || env_vars > u16::MAX as u32 {
            self.overflow = Some("too many local variables");
            next = 1;
        }
        self.first_temp = next as u16;
        self.next = next;
        self.max = next;
    }

    // ---- registers

    /// A fresh temporary.
    pub fn temp(&mut self) -> Reg {
        let r = self.next;
        self.reserve(r + 1);
        r as Reg
    }

    /// Makes every register below `end` taken.
    pub fn reserve(&mut self, end: u32) {
        if end > MAX_REGS {
            self.overflow.get_or_insert("expression is too complex (too many registers)");
            self.next = self.first_temp as u32; // keeps emitting nonsense that is thrown away
            return;
        }
        self.next = end;
        self.max = self.max.max(end);
    }

    /// Counts registers up to `end` as used by a call without keeping them.
    pub fn touch(&mut self, end: u32) {
        if end > MAX_REGS {
            self.overflow.get_or_insert("expression is too complex (too many registers)");
        }
        self.max = self.max.max(end);
    }

    pub fn is_temp(&self, r: Reg) -> bool {
        r >= self.first_temp
    }

    // ---- instructions

    pub fn pc(&self) -> u32 {
        self.code.len() as u32
    }

    /// Notes the line of the instructions that follow.
    pub fn set_line(&mut self, line: u32) {
        let pc = self.pc();
        match self.lines.last_mut() {
            Some((_, l)) if *l == line => {}
            Some((p, l)) if *p == pc => *l = line,
            _ => self.lines.push((pc, line)),
        }
    }

    pub fn emit(&mut self, op: Op, x: u8, a: u16, b: u16, c: u16) {
        self.code.push(Ins::new(op, x, a, b, c));
    }

    pub fn emit_wide(&mut self, op: Op, x: u8, a: u16, imm: i32) {
        self.code.push(Ins::wide(op, x, a, imm));
    }

    /// An instruction on `n` things in registers from `src`; with none of them `src` means nothing.
    pub fn emit_run(&mut self, op: Op, dst: Reg, src: Reg, n: usize) {
        self.emit(op, 0, dst, if n == 0 { 0 } else { src }, n as u16);
    }

    /// Takes back the last instruction, which no label or table entry names.
    pub fn drop_last(&mut self) {
        self.code.pop();
        while self.lines.last().is_some_and(|l| l.0 > self.pc()) {
            self.lines.pop();
        }
    }

    pub fn mov(&mut self, dst: Reg, src: Reg) {
        if dst != src {
            self.emit(Op::Move, 0, dst, src, 0);
        }
    }

    // ---- labels

    pub fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() as u32 - 1)
    }

    pub fn bind(&mut self, l: Label) {
        self.labels[l.0 as usize] = Some(self.code.len() as u32);
    }

    /// A label bound here.
    pub fn here(&mut self) -> Label {
        let l = self.label();
        self.bind(l);
        l
    }

    pub fn jmp(&mut self, to: Label) {
        self.br(Op::Jmp, 0, to);
    }

    /// A branch with a 32-bit distance on register `a`.
    pub fn br(&mut self, op: Op, a: Reg, to: Label) {
        self.fixups.push(Fixup { pc: self.pc(), label: to, reach: Reach::Long });
        self.emit_wide(op, 0, a, 0);
    }

    /// A branch with a 16-bit distance; made longer at the end if it must be.
    pub fn br_short(&mut self, op: Op, a: u16, b: u16, to: Label) {
        self.fixups.push(Fixup { pc: self.pc(), label: to, reach: Reach::Short });
        self.emit(op, 0, a, b, 0);
    }

    // ---- tables

    fn index16(&mut self, n: usize, what: &'static str) -> u16 {
        if n > u16::MAX as usize {
            self.overflow.get_or_insert(what);
            return 0;
        }
        n as u16
    }

    pub fn lit(&mut self, lit: Lit) -> u32 {
        let key = lit_key(&lit);
        if let Some(&i) = key.as_ref().and_then(|k| self.lit_index.get(k)) {
            return i;
        }
        let i = self.lits.len() as u32;
        self.lits.push(lit);
        if let Some(k) = key {
            self.lit_index.insert(k, i);
        }
        i
    }

    /// A literal, as a 16-bit index.
    pub fn lit16(&mut self, lit: Lit) -> u16 {
        let i = self.lit(lit);
        self.index16(i as usize, "too many literals in one method")
    }

    /// A symbol literal, as a 16-bit index.
    pub fn sym16(&mut self, name: &str) -> u16 {
        self.lit16(sym_lit(name))
    }

    pub fn site(&mut self, site: SiteProto) -> u16 {
        let i = self.index16(self.sites.len(), "too many calls in one method");
        self.sites.push(site);
        i
    }

    pub fn ivar(&mut self, name: &Name) -> u16 {
        let i = self.index16(self.ivars.len(), "too many instance variables in one method");
        self.ivars.push(name.clone());
        i
    }

    pub fn const_site(&mut self, site: ConstSiteProto) -> u16 {
        let i = self.index16(self.consts.len(), "too many constants in one method");
        self.consts.push(site);
        i
    }

    pub fn class_site(&mut self, c: ClassProto) -> u16 {
        let i = self.index16(self.classes.len(), "too many classes in one body");
        self.classes.push(c);
        i
    }

    pub fn child(&mut self, p: Proto) -> u16 {
        let i = self.index16(self.children.len(), "too many blocks or definitions in one body");
        self.children.push(p);
        i
    }

    pub fn once(&mut self) -> u16 {
        let i = self.index16(self.once_slots as usize, "too many once literals");
        self.once_slots = self.once_slots.saturating_add(1);
        i
    }

    pub fn load_lit(&mut self, dst: Reg, lit: Lit) {
        let i = self.lit(lit);
        self.emit_wide(Op::LoadLit, 0, dst, i as i32);
    }

    pub fn load_int(&mut self, dst: Reg, i: i64) {
        match i32::try_from(i) {
            Ok(i) => self.emit_wide(Op::LoadInt, 0, dst, i),
            Err(_) => self.load_lit(dst, Lit::Int(i)),
        }
    }

    pub fn load_nil(&mut self, dst: Reg) {
        self.emit(Op::LoadNil, 0, dst, 0, 0);
    }

    /// A plain call site.
    pub fn plain_site(&mut self, name: &str, argc: u16, flags: u16) -> u16 {
        self.site(SiteProto { name: name.into(), argc, flags, block: None })
    }

    // ---- the end

    /// Resolves the jumps and makes the code object.
    pub fn finish(mut self, file: Rc<str>, prelude: bool) -> Proto {
        self.stretch();
        for f in &self.fixups {
            let to = self.labels[f.label.0 as usize].expect("every label used is bound");
            let dist = to as i64 - (f.pc as i64 + 1);
            let ins = &mut self.code[f.pc as usize];
            *ins = match f.reach {
                Reach::Long => Ins::wide(ins.op(), ins.x(), ins.a() as u16, dist as i32),
                Reach::Short => Ins::new(ins.op(), ins.x(), ins.a() as u16, ins.b() as u16, dist as i16 as u16),
            };
        }
        // the window of a call without arguments still needs its header
        let nregs = self.max.max(self.first_temp as u32).min(MAX_REGS + HEADER as u32) as u16;
        Proto {
            kind: self.kind,
            name: self.name,
            file,
            line: self.line,
            code: self.code,
            lits: self.lits,
            sites: self.sites,
            ivars: self.ivars,
            consts: self.consts,
            classes: self.classes,
            children: self.children,
            params: self.params,
            catch: self.catch,
            lines: self.lines,
            nregs,
            nlocals: self.nlocals,
            env: self.env,
            locals: self.locals,
            svar_match: self.svar_match,
            svar_line: self.svar_line,
            once_slots: self.once_slots,
            prelude,
            uses_block: self.uses_block,
        }
    }

    /// Replaces short branches that do not reach by a short hop onto a `Jmp`, until all reach.
    fn stretch(&mut self) {
        loop {
            let mut far: Vec<u32> = self
                .fixups
                .iter()
                .filter(|f| {
                    let to = self.labels[f.label.0 as usize].expect("every label used is bound") as i64;
                    f.reach == Reach::Short && i16::try_from(to - (f.pc as i64 + 1)).is_err()
                })
                .map(|f| f.pc)
                .collect();
            if far.is_empty() {
                return;
            }
            far.sort_unstable();
            // new place of every old pc: two words are added after each far branch
            let moved = |pc: u32| pc + 2 * far.partition_point(|&f| f < pc) as u32;
            let mut code = Vec::with_capacity(self.code.len() + 2 * far.len());
            let mut extra = Vec::new();
            for (pc, ins) in self.code.iter().enumerate() {
                code.push(*ins);
                if far.binary_search(&(pc as u32)).is_ok() {
                    let at = code.len() as u32;
                    code.push(Ins::wide(Op::Jmp, 0, 0, 1));
                    code.push(Ins::wide(Op::Jmp, 0, 0, 0));
                    extra.push((pc as u32, at));
                }
            }
            self.code = code;
            for l in self.labels.iter_mut().flatten() {
                *l = moved(*l);
            }
            for f in &mut self.fixups {
                if let Ok(i) = extra.binary_search_by_key(&f.pc, |e| e.0) {
                    // the branch itself hops over the first Jmp, for good
                    let at = extra[i].1;
                    let ins = &mut self.code[at as usize - 1];
                    *ins = Ins::new(ins.op(), ins.x(), ins.a() as u16, ins.b() as u16, 1);
                    f.pc = at + 1;
                    f.reach = Reach::Long;
                } else {
                    f.pc = moved(f.pc);
                }
            }
            self.lines.iter_mut().for_each(|(pc, _)| *pc = moved(*pc));
            self.params.opt_entries.iter_mut().for_each(|pc| *pc = moved(*pc));
            for c in &mut self.catch {
                c.start = moved(c.start);
                c.end = moved(c.end);
                c.handler = moved(c.handler);
            }
        }
    }
}

/// A symbol literal from a name in the source.
pub fn sym_lit(name: &str) -> Lit {
    Lit::Sym(str_bytes(name))
}

/// Bytes of a text the compiler made.
pub fn str_bytes(s: &str) -> Bytes {
    let enc = if s.is_ascii() { LitEnc::Ascii } else { LitEnc::Utf8 };
    Bytes { bytes: s.as_bytes().into(), enc }
}

fn lit_key(lit: &Lit) -> Option<(u8, Vec<u8>)> {
    Some(match lit {
        Lit::Sym(b) if b.bytes.is_ascii() => (0, b.bytes.to_vec()),
        Lit::Sym(b) => (1 + b.enc as u8, b.bytes.to_vec()),
        Lit::Str(b) => (10 + b.enc as u8, b.bytes.to_vec()),
        Lit::Float(f) => (20, f.to_bits().to_le_bytes().to_vec()),
        Lit::Int(i) => (21, i.to_le_bytes().to_vec()),
        Lit::Nil => (22, Vec::new()),
        Lit::True => (23, Vec::new()),
        Lit::False => (24, Vec::new()),
        _ => return None,
    })
}
