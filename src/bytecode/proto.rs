//! A compiled code object as plain data: what the compiler emits and the VM links (`vm/link.rs`).
//!
//! Knows nothing of values or the heap: names are text, literals are descriptions.

use super::op::Ins;
use crate::syntax::ast::{Bytes, Name};
use std::rc::Rc;

/// What a code object is the body of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeKind {
    /// a file or `-e`
    Top,
    /// `eval`: runs inside another scope's env chain (its parent scope is the binding's)
    Eval,
    Method,
    /// a block, also the body of `->{}`
    Block,
    /// class, module or singleton class body
    Class,
}

/// A literal the VM builds once, when it links the code object.
#[derive(Clone, Debug, PartialEq)]
pub enum Lit {
    Int(i64),
    BigInt(Rc<str>),
    Float(f64),
    Rational(Rc<str>, Rc<str>),
    /// imaginary part
    Imaginary(Box<Lit>),
    Sym(Bytes),
    /// Source bytes for `LoadStr` (copied) or, with `LoadLit`, a frozen shared string.
    Str(Bytes),
    /// flags as `NewRegexp`
    Regexp(Bytes, u8),
    /// a literal range of literals
    Range(Option<Box<Lit>>, Option<Box<Lit>>, bool),
    Nil,
    True,
    False,
    /// The encoding object of the source file.
    SourceEncoding,
    /// An array of immutable literals, for `DupArray`.
    Array(Vec<Lit>),
    /// A hash of immutable literals, for `DupHash`.
    Hash(Vec<(Lit, Lit)>),
}

/// Shape of a call's arguments. For `SendX`, `Super`, `YieldX` the window holds, in this order: receiver, positional
/// arguments (or exactly one Array of them if `SPLAT`), the keyword Hash if `KWARGS`, the block argument if `BLOCK_ARG`.
pub mod site_flags {
    pub const SPLAT: u16 = 1;
    /// brace-less keywords or `**h`: one Hash; an empty one passes nothing
    pub const KWARGS: u16 = 2;
    /// `&expr`: nil, a Proc or something with to_proc
    pub const BLOCK_ARG: u16 = 4;
    /// no receiver or `self.`: private methods may be called
    pub const FCALL: u16 = 8;
    /// a bare identifier (for NameError instead of NoMethodError)
    pub const VCALL: u16 = 16;
    /// bare `super`: zsuper (an implicit one is not allowed in define_method bodies)
    pub const ZSUPER: u16 = 32;
    /// `&` of an anonymous or `...` forwarded block: pass on this method's own block (no BLOCK_ARG register)
    pub const BLOCK_PASS: u16 = 64;
    /// the literal keyword hash is known fresh: callee may keep it
    pub const KW_FRESH: u16 = 128;
}

#[derive(Clone, Debug, PartialEq)]
pub struct SiteProto {
    pub name: Name,
    /// Registers used after the receiver for positional arguments (1 for a splat array).
    pub argc: u16,
    pub flags: u16,
    /// literal block: index into `children`
    pub block: Option<u16>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ConstSiteProto {
    /// `A::B::C` is three names.
    pub path: Vec<Name>,
    /// `::A`
    pub top: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ClassProto {
    pub name: Name,
    pub what: ClassWhat,
    /// a superclass register is given
    pub has_super: bool,
    /// the scope register holds the explicit scope (`A::B`, or Object for `::B`)
    pub has_scope: bool,
    pub child: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClassWhat {
    Class,
    Module,
    /// `class << obj`: the object is in the scope register
    Singleton,
}

/// Parameters. They occupy registers from 1 in this order: required, optional, rest, post, keywords, kwrest, block.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ParamsProto {
    pub required: u16,
    /// Entry points: `opt[k]` is the pc to start at when k optional arguments were given; length = optional count + 1
    /// (empty when there are none).
    pub opt_entries: Vec<u32>,
    pub rest: bool,
    pub post: u16,
    pub keywords: Vec<KeywordProto>,
    pub kwrest: bool,
    /// `**nil`
    pub no_keywords: bool,
    /// `&name`: a register gets the block as a Proc
    pub block: bool,
    /// An anonymous `&` (or the one in `...`): no register, handed on with `BLOCK_PASS`.
    pub anon_block: bool,
    /// A block with exactly one required parameter and no trailing comma does not destructure; `|a,|` and two or more do.
    pub excess_comma: bool,
    /// `...`: `rest`, `kwrest` and `anon_block` are set as well and have their registers
    pub forward_all: bool,
    /// names in register order for Method#parameters; None for anonymous and destructured ones
    pub names: Vec<Option<Name>>,
    /// Captured parameters: (register, variable in the own env record), copied by the VM on entry.
    pub captured: Vec<(u16, u16)>,
    /// numbered or `it` parameters (changes arity and parameters of procs)
    pub implicit: Implicit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Implicit {
    #[default]
    No,
    Numbered,
    It,
}

/// Keyword parameters without an argument hold the "not given" mark on entry unless required; code tests it (`BrGiven`).
#[derive(Clone, Debug, PartialEq)]
pub struct KeywordProto {
    pub name: Name,
    pub required: bool,
}

/// Where a named variable lives (for bindings, `local_variables`, eval).
#[derive(Clone, Debug, PartialEq)]
pub struct LocalProto {
    pub name: Name,
    pub place: Place,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Reg(u16),
    Env(u16),
}

/// The env record inside the frame: `ENV_HEADER` words, then `vars` variables, at register `reg`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EnvProto {
    pub reg: u16,
    pub vars: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CatchKind {
    /// only exceptions; `reg` gets the exception, `$!` is set
    Rescue,
    /// everything that unwinds (exceptions, break, return, throw, kill); `reg` gets a token for `Rethrow`; for an exception `$!` is set
    Ensure,
}

/// Instructions `start..end` are covered; the innermost entry must come first in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CatchProto {
    pub kind: CatchKind,
    pub start: u32,
    pub end: u32,
    pub handler: u32,
    pub reg: u16,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Proto {
    pub kind: CodeKind,
    /// method name, `<main>`, `<class:Foo>`, `block in foo`...
    pub name: Name,
    pub file: Rc<str>,
    /// first line
    pub line: u32,
    pub code: Vec<Ins>,
    pub lits: Vec<Lit>,
    pub sites: Vec<SiteProto>,
    /// instance variable names, one per ivar site
    pub ivars: Vec<Name>,
    pub consts: Vec<ConstSiteProto>,
    pub classes: Vec<ClassProto>,
    pub children: Vec<Proto>,
    pub params: ParamsProto,
    pub catch: Vec<CatchProto>,
    /// (first pc, line), ascending
    pub lines: Vec<(u32, u32)>,
    /// registers in all, self, env record and call windows (header and arguments) included
    pub nregs: u16,
    /// self, parameters and named variables: registers `1+params..nlocals` are nil on entry
    pub nlocals: u16,
    pub env: Option<EnvProto>,
    pub locals: Vec<LocalProto>,
    /// Own env variable that holds `$~` for this method and its blocks (methods, top, class bodies, eval), if anything reads it.
    pub svar_match: Option<u16>,
    /// the same for `$_`
    pub svar_line: Option<u16>,
    pub once_slots: u16,
    /// Prelude code: frames hidden from backtraces, core operators not checked for redefinition.
    pub prelude: bool,
    /// contains `yield`, `block_given?` or passes its block on (for the unused-block warning)
    pub uses_block: bool,
}
