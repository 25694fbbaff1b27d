//! The abstract syntax tree: the only thing the compiler knows of a source file.
//!
//! Knows nothing of tokens, of LALRPOP or of the VM. Names stay text until the compiler interns them.
//! Every node carries the byte range it was read from; lines are found through `Source`.

use std::rc::Rc;

/// A name as written in the source (identifiers, constants, method names): always valid UTF-8.
pub type Name = Rc<str>;

/// Half-open byte range in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

/// A node with its place. `N` is what almost every child is.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    pub kind: Kind,
    pub span: Span,
}
pub type N = Box<Node>;

/// Which encoding a string or symbol literal has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LitEnc {
    /// The source file's encoding (UTF-8 unless a magic comment says otherwise).
    Source,
    /// Forced to UTF-8 by a `\u` escape.
    Utf8,
    /// Forced to BINARY: `\x80`-style escapes in a US-ASCII source.
    Binary,
    /// Only ASCII bytes in a regexp or symbol: US-ASCII.
    Ascii,
}

/// Bytes of a literal after escapes were resolved.
#[derive(Clone, Debug, PartialEq)]
pub struct Bytes {
    pub bytes: Rc<[u8]>,
    pub enc: LitEnc,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    // ---- literals
    Nil,
    True,
    False,
    SelfRef,
    /// Integer literal that fits an `i64`.
    Int(i64),
    /// Integer literal too large for `i64`: decimal digits, optional leading `-`.
    BigInt(Rc<str>),
    Float(f64),
    /// `3r`, `1.5r`: numerator and denominator as decimal integers (not yet reduced).
    Rational(Rc<str>, Rc<str>),
    /// `2i`, `2.5i`, `3ri`: the node is an Int, BigInt, Float or Rational.
    Imaginary(N),
    /// A string without interpolation. (`__FILE__` is `FileName`.)
    Str(Bytes),
    /// Parts in order: `Str` nodes and `Embed` nodes. Also adjacent literals joined ("a" "b").
    DStr(Vec<Node>),
    /// `#{...}` inside a string, symbol, regexp or command: the statements, `Nil` when empty.
    Embed(N),
    /// A backquote command; parts as in `DStr`.
    XStr(Vec<Node>),
    Sym(Bytes),
    DSym(Vec<Node>),
    /// Parts hold the regexp source with escapes *not* resolved (only line continuation and the delimiter's escape are).
    Regex {
        parts: Vec<Node>,
        flags: RegexFlags,
    },
    Array(Vec<Arg>),
    /// `{a: 1, **h}`. `Pair::Splat` for `**`.
    Hash(Vec<Pair>),
    Range {
        lo: Option<N>,
        hi: Option<N>,
        exclusive: bool,
    },
    /// `__FILE__`
    FileName,
    /// `__ENCODING__`
    EncodingLit,

    // ---- variables (reads)
    /// A name known to be a local variable here, also `it` and `_1` inside a block that uses them.
    Lvar(Name),
    /// With the `@`.
    Ivar(Name),
    /// With the `$`. Not `$~`-derived ones: see `NthRef`, `BackRef`.
    Gvar(Name),
    /// With the `@@`.
    Cvar(Name),
    Const {
        scope: ConstScope,
        name: Name,
    },
    /// `$1`...
    NthRef(u32),
    /// `` $& $` $' $+ `` : the byte after the `$`.
    BackRef(u8),

    // ---- assignment
    Asgn {
        target: Box<Target>,
        value: N,
    },
    /// `target op= value`
    OpAsgn {
        target: Box<Target>,
        op: AsgnOp,
        value: N,
    },
    /// `a, (b, *c) = value`; several right-hand values arrive as an `Array` node (a lone `*x` too).
    MultiAsgn {
        targets: Box<MultiTarget>,
        value: N,
    },

    // ---- calls
    Call(Box<Call>),
    /// `super(...)` with explicit arguments (perhaps none).
    Super {
        args: Box<Args>,
        block: Option<Box<Block>>,
    },
    /// bare `super`
    ZSuper {
        block: Option<Box<Block>>,
    },
    Yield(Box<Args>),
    /// `!x`, `not x`: calls `!`.
    Not(N),
    /// `a != b` is a `Call` named `!=`; `a !~ b` likewise.
    And(N, N),
    Or(N, N),
    Defined(N),
    /// A regexp literal alone in a condition: matches `$_`.
    MatchLastLine(N),
    /// `/(?<x>..)/ =~ value`: assigns the named captures to these locals.
    MatchAsgn {
        regex: N,
        value: N,
        names: Vec<Name>,
    },
    /// `a..b` in a condition.
    FlipFlop {
        lo: N,
        hi: N,
        exclusive: bool,
    },

    // ---- control
    /// Statements in order; empty means nil.
    Seq(Vec<Node>),
    /// `( ... )` or `begin ... end` without clauses keeps its contents' kind; the parser drops the wrapper,
    /// except where it matters: `begin...end while` becomes `While { do_while: true }`.
    If {
        cond: N,
        then: Option<N>,
        els: Option<N>,
    },
    /// `until` has `negate`. `do_while`: the body runs once before the first test.
    While {
        cond: N,
        body: N,
        negate: bool,
        do_while: bool,
    },
    For {
        target: Box<Target>,
        iter: N,
        body: N,
    },
    Case {
        subject: Option<N>,
        whens: Vec<When>,
        els: Option<N>,
    },
    CaseIn {
        subject: N,
        clauses: Vec<InClause>,
        els: Option<N>,
    },
    /// `value => pat` (raises) or `value in pat` (a boolean).
    MatchPattern {
        value: N,
        pat: Box<Pat>,
        raises: bool,
    },
    Break(Option<N>),
    Next(Option<N>),
    Return(Option<N>),
    Redo,
    Retry,
    Begin(Box<Begin>),
    /// `body rescue value`
    RescueMod {
        body: N,
        rescue: N,
    },

    // ---- definitions
    Def(Box<Def>),
    Class {
        cpath: Box<CPath>,
        superclass: Option<N>,
        body: N,
    },
    SClass {
        object: N,
        body: N,
    },
    Module {
        cpath: Box<CPath>,
        body: N,
    },
    /// Both are `Sym` or `DSym`.
    Alias {
        new: N,
        old: N,
    },
    /// `alias $new $old`
    GAlias {
        new: Name,
        old: Name,
    },
    Undef(Vec<Node>),
    Lambda(Box<Block>),
    /// `BEGIN { }`: already hoisted to the front of the program by the parser.
    PreExe(N),
    /// `END { }`
    PostExe(N),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct RegexFlags {
    pub ignore_case: bool,
    pub extended: bool,
    pub multi_line: bool,
    pub once: bool,
    /// One of `n e s u`, 0 if none.
    pub enc: u8,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ConstScope {
    /// `Foo`
    Lexical,
    /// `::Foo`
    Top,
    /// `expr::Foo`
    Of(N),
}

#[derive(Clone, Debug, PartialEq)]
pub struct CPath {
    pub scope: ConstScope,
    pub name: Name,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum AsgnOp {
    And,
    Or,
    /// `+`, `<<`, ...
    Op(Name),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    pub kind: TargetKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum TargetKind {
    Lvar(Name),
    Ivar(Name),
    Gvar(Name),
    Cvar(Name),
    Const {
        scope: ConstScope,
        name: Name,
    },
    /// `recv[args] =`
    Index {
        recv: N,
        args: Args,
    },
    /// `recv.name =`; `name` without the `=`.
    Attr {
        recv: N,
        name: Name,
        safe: bool,
    },
    /// nested `(a, *b)`; only inside multiple assignment, block parameters and `for`
    Multi(MultiTarget),
}

#[derive(Clone, Debug, PartialEq, Default)]
pub struct MultiTarget {
    pub pre: Vec<Target>,
    /// `*rest`; `Some(None)` is an anonymous `*`.
    pub splat: Option<Option<Box<Target>>>,
    pub post: Vec<Target>,
    /// `a, = x`: a trailing comma with no splat.
    pub trailing_comma: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// `None`: a function call on self.
    pub recv: Option<N>,
    /// Operators by their method name: `+`, `[]`, `[]=`, `-@`, `!=`, `=~`, `call` for `f.()`.
    pub name: Name,
    /// Where the name stands (for messages and backtraces).
    pub name_span: Span,
    pub args: Args,
    pub block: Option<Box<Block>>,
    /// `&.`
    pub safe: bool,
    /// A bare identifier: no receiver, arguments, parentheses or block. Might have been a variable.
    pub vcall: bool,
}

/// Call arguments in source order. `positional` may hold splats; keywords and block follow.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Args {
    pub positional: Vec<Arg>,
    /// brace-less `k: v`, `"k" => v`, `**h`, in order
    pub keywords: Vec<Pair>,
    /// `&blk`; `Some(None)` is an anonymous `&`.
    pub block: Option<Option<N>>,
    /// `...`: forwards the method's own rest, keywords and block after `positional`.
    pub forward_all: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Arg {
    Value(Node),
    /// `*x`; `None` is an anonymous `*`.
    Splat(Option<N>, Span),
    /// `[1, a: 2]`: brace-less pairs at the end of an array literal make one hash (never used in `Args`).
    Pairs(Vec<Pair>),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Pair {
    /// `a: 1` has a `Sym` key; `{a:}` gets its value filled in by the parser (`Lvar`, `Call` or `Const`).
    Pair(Node, Node),
    /// `**x`; `None` is an anonymous `**`.
    Splat(Option<Node>, Span),
}

/// A block, lambda body or numbered-parameter block.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    pub params: BlockParams,
    pub body: N,
    /// from the opener to the closer
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::large_enum_variant)] // one per block, never in a list
pub enum BlockParams {
    /// No parameter list and none used.
    None,
    Explicit {
        params: Params,
        /// `|a; x, y|`
        locals: Vec<Name>,
        /// `|a,|`
        excess_comma: bool,
    },
    /// `_1`..`_n` used: the highest n.
    Numbered(u8),
    /// `it` used.
    It,
}

/// Parameters of a method, block or lambda.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Params {
    pub required: Vec<Param>,
    pub optional: Vec<(Name, Node)>,
    /// `*rest`; `Some(None)` is an anonymous `*`.
    pub rest: Option<Option<Name>>,
    pub post: Vec<Param>,
    /// `k:` (None) and `k: default`
    pub keywords: Vec<(Name, Option<Node>)>,
    pub kwrest: KwRest,
    /// `&blk`; `Some(None)` is an anonymous `&`.
    pub block: Option<Option<Name>>,
    /// `&nil`: no block may be given.
    pub no_block: bool,
    /// `...` (then rest, kwrest and block are unset)
    pub forward_all: bool,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Default)]
pub enum KwRest {
    #[default]
    None,
    /// `**name` or anonymous `**`
    Rest(Option<Name>),
    /// `**nil`
    Nil,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Param {
    Name(Name),
    /// `(a, (b, *c))`
    Destructure(MultiTarget),
}

#[derive(Clone, Debug, PartialEq)]
pub struct When {
    /// Values and splats to test with `===`.
    pub tests: Vec<Arg>,
    pub body: N,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct InClause {
    pub pat: Pat,
    /// `if`/`unless` guard (an `unless` is wrapped in `Not`).
    pub guard: Option<N>,
    pub body: N,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Pat {
    pub kind: PatKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum PatKind {
    /// Literal, range, constant, `^(expr)`: tested with `===`.
    Value(N),
    /// `^x`, `^@x`: the variable's node.
    Pin(N),
    /// `x`; `_` too.
    Bind(Name),
    Alt(Vec<Pat>),
    /// `pat => name`
    As(Box<Pat>, Name),
    /// `Const(...)`, `[...]`, or bare `a, *b`.
    Array {
        konst: Option<N>,
        pre: Vec<Pat>,
        rest: Option<Option<Name>>,
        post: Vec<Pat>,
    },
    /// `[*, x, *]`
    Find {
        konst: Option<N>,
        before: Option<Name>,
        mid: Vec<Pat>,
        after: Option<Name>,
    },
    /// `Const(k: pat)`, `{k:, **rest}`. A `None` pattern binds the key's name.
    Hash {
        konst: Option<N>,
        pairs: Vec<(Name, Option<Pat>)>,
        rest: KwRest,
    },
    /// `Const()` : matches by `===`, then an empty array pattern.
    ConstEmpty(N),
}

/// `begin`/`def`/`do` bodies with clauses.
#[derive(Clone, Debug, PartialEq)]
pub struct Begin {
    pub body: N,
    pub rescues: Vec<Rescue>,
    pub els: Option<N>,
    pub ensure: Option<N>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Rescue {
    /// Exception classes, splats allowed; empty means StandardError.
    pub classes: Vec<Arg>,
    pub target: Option<Box<Target>>,
    pub body: N,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Def {
    /// `def obj.name`
    pub singleton: Option<N>,
    pub name: Name,
    pub params: Params,
    pub body: N,
    pub endless: bool,
    pub name_span: Span,
}

/// A whole file or eval'd string.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    pub body: Node,
    /// Byte offset just after the `__END__` line, if there is one.
    pub data_offset: Option<u32>,
    pub magic: Magic,
    /// Names assigned at the top level of this program, in order (for eval and irb-like use).
    pub locals: Vec<Name>,
    pub warnings: Vec<Warning>,
}

#[derive(Clone, Debug, PartialEq, Default)]
pub struct Magic {
    /// `frozen_string_literal: true/false`
    pub frozen_string_literal: Option<bool>,
    /// `encoding:`, as written
    pub encoding: Option<String>,
    pub warn_indent: bool,
    pub shareable_constant_value: Option<String>,
}

/// A `-w`-style remark found while parsing.
#[derive(Clone, Debug, PartialEq)]
pub struct Warning {
    pub line: u32,
    pub message: String,
    /// Only shown with `-w`.
    pub verbose_only: bool,
}

impl Node {
    pub fn new(kind: Kind, span: Span) -> Node {
        Node { kind, span }
    }
}
