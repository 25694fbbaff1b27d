//! AST to bytecode. A pure function: the tree goes in, plain data (`Proto`) comes out.
//!
//! Knows nothing of the VM, of values or of the heap. Two passes: `scope` decides where each variable lives, then one
//! walk over the tree emits code. `expr` holds values, `cond` conditions, `stmt` control structures and definitions,
//! `call` and `args` calls, `params` the callee's side, `assign` all forms of assignment, `pattern` case/in, `catch`
//! exceptions and jumps, `defined` the keyword of that name, `emit` the code object under construction.
//!
//! Register discipline: temporaries form a stack (`Unit::next`); who allocates one resets the mark afterwards.
//! An expression is compiled *into* a register chosen by who needs the value, so moves are rare. The rule that keeps
//! this sound: a destination is written last, or it is a temporary that nothing else can see (`Compiler::expr`).

mod args;
mod assign;
mod call;
mod catch;
mod cond;
mod defined;
mod emit;
mod expr;
mod params;
mod pattern;
mod scope;
mod stmt;
mod walk;

#[cfg(test)]
mod tests;

use crate::bytecode::op::Op;
use crate::bytecode::proto::*;
use crate::syntax::ast::*;
use emit::{Reg, Unit};
use scope::{Scope, ScopeKind, Scopes};
use std::rc::Rc;

/// What the compiler must know besides the tree.
pub struct CompileOptions {
    /// `__FILE__`, also in backtraces
    pub file: Rc<str>,
    /// `Top` or `Eval`
    pub kind: CodeKind,
    /// name of the outermost code object: `<main>`, `<top (required)>`, or the enclosing method's for eval
    pub name: Name,
    /// For eval: the scopes around it, innermost first (level 1, 2, ...). All their variables live in env records.
    pub outer: Vec<OuterScope>,
    /// Core library code: intrinsics are allowed.
    pub prelude: bool,
    /// `--enable=frozen-string-literal` and the like; the file's magic comment wins.
    pub frozen_string_literal: bool,
}

impl CompileOptions {
    /// Options for a file.
    pub fn file(file: &str) -> CompileOptions {
        CompileOptions {
            file: file.into(),
            kind: CodeKind::Top,
            name: "<main>".into(),
            outer: Vec::new(),
            prelude: false,
            frozen_string_literal: false,
        }
    }
}

/// One scope around an eval.
#[derive(Clone, Debug, Default)]
pub struct OuterScope {
    /// names and their variables in the scope's env record
    pub vars: Vec<(Name, u16)>,
}

/// Something the grammar allows and the compiler refuses; shown as a SyntaxError.
#[derive(Clone, Debug, PartialEq)]
pub struct CompileError {
    pub span: Span,
    pub line: u32,
    pub message: String,
}

/// Compiles a program. `line_of` tells the line of a byte offset.
pub fn compile(
    program: &Program,
    line_of: &dyn Fn(u32) -> u32,
    opts: &CompileOptions,
) -> Result<Proto, Vec<CompileError>> {
    let eval = opts.kind == CodeKind::Eval;
    let kind = if eval { ScopeKind::Eval } else { ScopeKind::Top };
    let known = |name: &str| opts.outer.iter().any(|s| s.vars.iter().any(|(n, _)| &**n == name));
    let scopes = scope::resolve(program, kind, &known);
    let line = line_of(program.body.span.start);
    let scope = scopes[&scope::PROGRAM].clone();
    let mut c = Compiler {
        u: Unit::new(opts.kind, opts.name.clone(), scope, line),
        parents: Vec::new(),
        scopes,
        opts,
        line_of,
        frozen: program.magic.frozen_string_literal.unwrap_or(opts.frozen_string_literal || opts.prelude),
        errors: Vec::new(),
    };
    c.u.place_variables(&[]);
    c.tail(&program.body);
    let unit = c.u;
    if let Some(message) = unit.overflow {
        let span = program.body.span;
        c.errors.push(CompileError { span, line, message: message.into() });
    }
    if !c.errors.is_empty() {
        return Err(c.errors);
    }
    let proto = unit.finish(opts.file.clone(), opts.prelude);
    debug_assert_eq!(crate::bytecode::check::check(&proto), Ok(()));
    Ok(proto)
}

/// Where a variable is, seen from the current code object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Var {
    Reg(Reg),
    Up(u8, u16),
}

/// The walk over the tree. `'a` is the tree.
struct Compiler<'a> {
    /// the code object being written
    u: Unit<'a>,
    /// the ones around it, outermost first
    parents: Vec<Unit<'a>>,
    scopes: Scopes,
    opts: &'a CompileOptions,
    line_of: &'a dyn Fn(u32) -> u32,
    /// string literals are frozen
    frozen: bool,
    errors: Vec<CompileError>,
}

impl<'a> Compiler<'a> {
    fn error(&mut self, span: Span, message: impl Into<String>) {
        let line = (self.line_of)(span.start);
        self.errors.push(CompileError { span, line, message: message.into() });
    }

    /// The instructions that follow belong to the line of `span`.
    fn at(&mut self, span: Span) {
        let line = (self.line_of)(span.start);
        self.u.set_line(line);
    }

    fn scope_of<T>(&self, node: &T) -> Rc<Scope> {
        self.scopes[&scope::key(node)].clone()
    }

    /// Starts a code object inside the current one.
    fn open(&mut self, kind: CodeKind, name: Name, scope: Rc<Scope>, span: Span) {
        let line = (self.line_of)(span.start);
        let unit = Unit::new(kind, name, scope, line);
        self.parents.push(std::mem::replace(&mut self.u, unit));
    }

    /// Ends it; returns its index among the children of the one around.
    fn close(&mut self, span: Span) -> u16 {
        let parent = self.parents.pop().expect("open and close are paired");
        let unit = std::mem::replace(&mut self.u, parent);
        if let Some(message) = unit.overflow {
            self.error(span, message);
            return 0;
        }
        if unit.kind == CodeKind::Block && unit.uses_block {
            self.u.uses_block = true;
        }
        let proto = unit.finish(self.opts.file.clone(), self.opts.prelude);
        self.u.child(proto)
    }

    /// The unit `level` scopes up.
    fn unit_at(&self, level: usize) -> &Unit<'a> {
        match level {
            0 => &self.u,
            n => &self.parents[self.parents.len() - n],
        }
    }

    /// How many scopes up the method, class body or program is.
    fn home_level(&self) -> usize {
        let mut level = 0;
        while self.unit_at(level).kind == CodeKind::Block {
            level += 1;
        }
        level
    }

    /// Finds a variable by name.
    fn find_var(&mut self, name: &str) -> Option<Var> {
        let mut level = 0;
        loop {
            let unit = self.unit_at(level);
            match unit.places.get(name) {
                Some(Place::Reg(r)) if level == 0 => return Some(Var::Reg(*r)),
                Some(Place::Env(v)) => return self.up(level, *v),
                // the resolver captures what nested blocks use
                Some(Place::Reg(_)) => return None,
                None => {}
            }
            match unit.kind {
                CodeKind::Block => level += 1,
                CodeKind::Eval => break,
                _ => return None,
            }
        }
        for (i, s) in self.opts.outer.iter().enumerate() {
            if let Some((_, v)) = s.vars.iter().find(|(n, _)| &**n == name) {
                return self.up(level + 1 + i, *v);
            }
        }
        None
    }

    fn up(&mut self, level: usize, var: u16) -> Option<Var> {
        if level > u8::MAX as usize {
            self.u.overflow.get_or_insert("blocks are nested too deeply");
            return Some(Var::Up(0, 0));
        }
        Some(Var::Up(level as u8, var))
    }

    fn var(&mut self, name: &str, span: Span) -> Var {
        self.find_var(name).unwrap_or_else(|| {
            self.error(span, format!("no variable {name} here"));
            Var::Reg(0)
        })
    }

    fn get_var(&mut self, v: Var, dst: Reg) {
        match v {
            Var::Reg(r) => self.u.mov(dst, r),
            Var::Up(level, var) => self.u.emit(Op::GetUp, level, dst, var, 0),
        }
    }

    fn set_var(&mut self, v: Var, src: Reg) {
        match v {
            Var::Reg(r) => self.u.mov(r, src),
            Var::Up(level, var) => self.u.emit(Op::SetUp, level, src, var, 0),
        }
    }

    /// Marks that the method's block is used.
    fn uses_block(&mut self) {
        self.u.uses_block = true;
    }
}
