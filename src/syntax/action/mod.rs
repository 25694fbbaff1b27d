//! What the grammar's rules do: each is one method of `Cx` here or in a file beside this one.
//!
//! Actions build nodes and refuse what the shape alone cannot (order of arguments, targets that cannot be
//! assigned). Rules that need to know what is around a node are `check`'s.

// What LALRPOP moves about is boxed to keep its symbols small, also where the box is opened at once.
#![allow(clippy::boxed_local, clippy::vec_box)]

mod assign;
mod call;
mod control;
mod define;
mod literal;
mod param;
mod pattern;

pub use call::{CallArg, CallOp};
pub use define::DefHead;
pub use literal::Part;
pub use param::ParamItem;
pub use pattern::{PatArgs, PatItem, PatKey};

use crate::Source;
use crate::ast::*;
use crate::diag::Diagnostic;
use crate::lexer::SourceEncoding;
use crate::token::{Ident, Resolved};
use std::collections::{HashMap, HashSet};

/// Where the parser's actions keep what does not fit into the tree.
pub struct Cx<'s> {
    source: &'s Source,
    /// The text is UTF-8, as opposed to another encoding named in its first line.
    utf8_source: bool,
    /// Errors found by actions, in the order of reduction.
    pub errors: Vec<Diagnostic>,
    pub warnings: Vec<Warning>,
    /// `BEGIN { }` blocks, to run first.
    pub begin_blocks: Vec<Node>,
    /// Places of `it` that belong to a block not closed yet.
    it_uses: Vec<u32>,
    /// Places and numbers of `_1`.. likewise.
    numbered_uses: Vec<(u32, u8)>,
    /// Openers of closed blocks with numbered parameters, for the check that they do not nest.
    numbered_blocks: Vec<u32>,
    /// Spans of `and`/`or` nodes: they bind looser than `rescue` after an assignment.
    word_logic: HashSet<(u32, u32)>,
    names: HashMap<&'static str, Name>,
}

/// A name and its place.
#[derive(Debug, Clone)]
pub struct Word {
    pub name: Name,
    pub span: Span,
}

/// A variable or constant before it is known whether it is read or assigned.
#[derive(Debug, Clone)]
pub struct Var {
    kind: VarKind,
    name: Name,
    span: Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum VarKind {
    Ident(Resolved),
    Const,
    Ivar,
    Gvar,
    Cvar,
}

fn span(start: u32, end: u32) -> Span {
    Span { start: start.min(end), end }
}

impl<'s> Cx<'s> {
    pub fn new(source: &'s Source, encoding: SourceEncoding) -> Cx<'s> {
        Cx {
            source,
            utf8_source: encoding == SourceEncoding::Utf8,
            errors: Vec::new(),
            warnings: Vec::new(),
            begin_blocks: Vec::new(),
            it_uses: Vec::new(),
            numbered_uses: Vec::new(),
            numbered_blocks: Vec::new(),
            word_logic: HashSet::new(),
            names: HashMap::new(),
        }
    }

    pub fn node(&self, kind: Kind, l: u32, r: u32) -> N {
        Box::new(Node::new(kind, span(l, r)))
    }

    fn error(&mut self, at: Span, message: impl Into<String>) {
        self.errors.push(Diagnostic::new(self.source, at, message));
    }

    fn warn(&mut self, at: u32, message: impl Into<String>, verbose_only: bool) {
        let line = self.source.line_of(at).max(0) as u32;
        self.warnings.push(Warning { line, message: message.into(), verbose_only });
    }

    /// One `Name` for all uses of a fixed text.
    fn fixed_name(&mut self, text: &'static str) -> Name {
        self.names.entry(text).or_insert_with(|| text.into()).clone()
    }

    // ---- words and variables

    pub fn word(&self, name: Name, l: u32, r: u32) -> Word {
        Word { name, span: span(l, r) }
    }
    pub fn ident_word(&self, ident: Ident, l: u32, r: u32) -> Word {
        self.word(ident.name, l, r)
    }
    pub fn operator(&mut self, text: &'static str, l: u32, r: u32) -> Word {
        Word { name: self.fixed_name(text), span: span(l, r) }
    }
    pub fn ident_var(&self, ident: Ident, l: u32, r: u32) -> Var {
        Var { kind: VarKind::Ident(ident.resolved), name: ident.name, span: span(l, r) }
    }
    pub fn const_var(&self, name: Name, l: u32, r: u32) -> Var {
        Var { kind: VarKind::Const, name, span: span(l, r) }
    }
    pub fn ivar(&self, name: Name, l: u32, r: u32) -> Var {
        Var { kind: VarKind::Ivar, name, span: span(l, r) }
    }
    pub fn gvar(&self, name: Name, l: u32, r: u32) -> Var {
        Var { kind: VarKind::Gvar, name, span: span(l, r) }
    }
    pub fn cvar(&self, name: Name, l: u32, r: u32) -> Var {
        Var { kind: VarKind::Cvar, name, span: span(l, r) }
    }

    /// The variable is read.
    pub fn variable(&mut self, var: Var) -> N {
        let at = var.span;
        let kind = match var.kind {
            VarKind::Ident(resolved) => self.ident_kind(var.name, resolved, at),
            VarKind::Const => Kind::Const { scope: ConstScope::Lexical, name: var.name },
            VarKind::Ivar => Kind::Ivar(var.name),
            VarKind::Gvar => Kind::Gvar(var.name),
            VarKind::Cvar => Kind::Cvar(var.name),
        };
        Box::new(Node::new(kind, at))
    }

    fn ident_kind(&mut self, name: Name, resolved: Resolved, at: Span) -> Kind {
        match resolved {
            Resolved::Call => {
                let mut call = Call::new(name, at);
                call.vcall = true;
                return Kind::Call(Box::new(call));
            }
            Resolved::Local => {}
            Resolved::It => self.it_uses.push(at.start),
            Resolved::Numbered => self.numbered_uses.push((at.start, name.as_bytes()[1] - b'0')),
        }
        Kind::Lvar(name)
    }

    pub fn lexical_const(&self, name: Name, l: u32, r: u32) -> N {
        self.node(Kind::Const { scope: ConstScope::Lexical, name }, l, r)
    }
    pub fn scoped_const(&self, scope: Option<N>, name: Name, l: u32, r: u32) -> N {
        let scope = scope.map_or(ConstScope::Top, ConstScope::Of);
        self.node(Kind::Const { scope, name }, l, r)
    }
    pub fn line_number(&self, l: u32, r: u32) -> N {
        self.node(Kind::Int(i64::from(self.source.line_of(l))), l, r)
    }

    // ---- statements

    pub fn first_statement(&self, statement: Option<N>) -> Vec<Node> {
        statement.map(|s| *s).into_iter().collect()
    }
    pub fn next_statement(&self, mut statements: Vec<Node>, statement: Option<N>) -> Vec<Node> {
        statements.extend(statement.map(|s| *s));
        statements
    }
    /// One statement stands for itself.
    pub fn statements(&self, mut statements: Vec<Node>, l: u32, r: u32) -> N {
        match statements.pop() {
            None => self.node(Kind::Seq(Vec::new()), l, l),
            Some(only) if statements.is_empty() => Box::new(only),
            Some(last) => {
                statements.push(last);
                self.node(Kind::Seq(statements), l, r)
            }
        }
    }
    pub fn begin_block(&mut self, body: N, l: u32, r: u32) -> Option<N> {
        self.begin_blocks.push(Node::new(Kind::PreExe(body), span(l, r)));
        None
    }
    pub fn end_block(&self, body: N, l: u32, r: u32) -> N {
        self.node(Kind::PostExe(body), l, r)
    }

    // ---- operators

    pub fn and(&self, a: N, b: N, l: u32, r: u32) -> N {
        self.node(Kind::And(a, b), l, r)
    }
    pub fn or(&self, a: N, b: N, l: u32, r: u32) -> N {
        self.node(Kind::Or(a, b), l, r)
    }
    pub fn and_word(&mut self, a: N, b: N, l: u32, r: u32) -> N {
        self.word_logic.insert((l, r));
        self.and(a, b, l, r)
    }
    pub fn or_word(&mut self, a: N, b: N, l: u32, r: u32) -> N {
        self.word_logic.insert((l, r));
        self.or(a, b, l, r)
    }
    pub fn not(&mut self, operand: N, l: u32, r: u32) -> N {
        let operand = self.condition(operand);
        self.node(Kind::Not(operand), l, r)
    }
    pub fn not_nothing(&self, l: u32, r: u32) -> N {
        self.node(Kind::Not(self.node(Kind::Nil, r, r)), l, r)
    }
    pub fn defined(&self, operand: N, l: u32, r: u32) -> N {
        self.node(Kind::Defined(operand), l, r)
    }
    pub fn range(&self, lo: Option<N>, hi: Option<N>, exclusive: bool, l: u32, r: u32) -> N {
        self.node(Kind::Range { lo, hi, exclusive }, l, r)
    }
    pub fn ternary(&mut self, cond: N, then: N, els: N, l: u32, r: u32) -> N {
        self.if_else(cond, then, Some(els), l, r)
    }
    /// Parentheses leave no trace; the node keeps its own place.
    pub fn parens(&self, body: N, l: u32, r: u32) -> N {
        if matches!(&body.kind, Kind::Seq(list) if list.is_empty()) { self.node(Kind::Nil, l, r) } else { body }
    }
}
