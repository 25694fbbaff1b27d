//! Where the lexer stands: the state bits of CRuby's parse.y, and one stack of everything that is open.
//!
//! Facts: `enum lex_state_e` and `SET_LEX_STATE` in CRuby's parse.y. COND and CMDARG, bit stacks there,
//! are a flag on each open entry here.

use crate::ast::Name;

/// A set of state bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State(u16);

impl State {
    /// An expression is about to begin.
    pub const BEG: State = State(1);
    /// A complete expression ended.
    pub const END: State = State(2);
    /// `)` of `f (x)` ended.
    pub const ENDARG: State = State(4);
    /// `)` or a method name in `def` ended: a `{` opens a block.
    pub const ENDFN: State = State(8);
    /// After what may be a method name: an argument may follow.
    pub const ARG: State = State(16);
    /// As `ARG`, at the start of a statement.
    pub const CMDARG: State = State(32);
    /// After `return`, `rescue` and the like: a value may follow, a newline ends it.
    pub const MID: State = State(64);
    /// A method name is about to come: any word is one.
    pub const FNAME: State = State(128);
    /// After `.`: any word is a method name.
    pub const DOT: State = State(256);
    /// After `class`: `<<` is not a heredoc.
    pub const CLASS: State = State(512);
    /// A label may come.
    pub const LABEL: State = State(1024);
    /// A label has just come.
    pub const LABELED: State = State(2048);
    /// Names of `alias` and `undef`: symbols too.
    pub const FITEM: State = State(4096);
    pub const BEG_ANY: State = State(1 | 64 | 512);
    pub const ARG_ANY: State = State(16 | 32);
    pub const END_ANY: State = State(2 | 4 | 8);

    /// Is any bit of `mask` set?
    pub const fn any(self, mask: State) -> bool {
        self.0 & mask.0 != 0
    }
    /// Are all bits of `mask` set?
    pub const fn all(self, mask: State) -> bool {
        self.0 & mask.0 == mask.0
    }
    pub const fn or(self, other: State) -> State {
        State(self.0 | other.0)
    }
}

/// What an entry of the nesting stack is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Open {
    Top,
    /// `(` of a call, a grouping, a parameter list
    Paren,
    /// `(` after a space and a method name
    ParenArg,
    /// `(` right after `def`: the receiver
    DefReceiver,
    DefParams,
    LambdaParams,
    Bracket,
    Hash,
    Block,
    LambdaBody,
    /// `#{`
    Embed,
    /// a keyword that `end` closes
    Keyword,
    Def,
    /// a `def` with `=`: nothing closes it, it ends with its expression
    EndlessDef,
}

/// Names that an `=` would make local variables: `a, (b, *c) = ...`.
#[derive(Debug, Default)]
pub struct MultiTargets {
    /// The statement so far could be the left side of a multiple assignment.
    pub alive: bool,
    /// Tokens of the current item, a `*` not counted.
    pub tokens: u32,
    /// The current item's name, if it is a bare identifier so far.
    pub name: Option<Name>,
    /// Bare names of the items before.
    pub names: Vec<Name>,
}

/// Something open: a bracket, a block, a keyword up to its `end`.
#[derive(Debug)]
pub struct Entry {
    pub open: Open,
    /// The opener's place, for messages.
    pub start: u32,
    pub end: u32,
    /// Command arguments are being read: `do` belongs to the command.
    pub cmdarg: bool,
    /// The condition of a loop is being read: `do` begins the loop's body.
    pub cond: bool,
    /// The head of `if`, `while`, `case`, ... is being read.
    pub condition: bool,
    /// The name of a `class` or `module` is being read.
    pub class_name: bool,
    /// `->` seen whose body has not begun.
    pub lambdas: u32,
    /// Scopes to leave when the entry closes.
    pub owns_scope: bool,
    /// `class`/`module`/`def` whose scope begins later (after the superclass, the name).
    pub scope_pending: bool,
    /// A pattern is being read.
    pub pattern: bool,
    /// Between the `|`s of a block.
    pub block_params: bool,
    /// Parameters of a `def` without parentheses.
    pub def_params: bool,
    /// Entry holds parameters throughout: `(` of a parameter list.
    pub params: bool,
    /// A `(` that groups statements or targets, not one of a call.
    pub grouping: bool,
    /// Values of `return`, `break` or `next` are being read.
    pub jump_args: bool,
    /// `BEGIN { }`: as if it were the top level.
    pub toplevel: bool,
    /// Variables of a `for`.
    pub for_vars: bool,
    /// Between `rescue` and its body.
    pub rescue: bool,
    /// Right after `rescue ... =>`.
    pub rescue_var: bool,
    pub multi: MultiTargets,
    /// Tokens that deepen the tree, in the current expression.
    pub depth: u32,
    /// As `depth`, not given back before the entry closes (`elsif`).
    pub base_depth: u32,
}

impl Entry {
    pub fn new(open: Open, start: u32, end: u32) -> Entry {
        Entry {
            open,
            start,
            end,
            cmdarg: false,
            cond: false,
            condition: false,
            class_name: false,
            lambdas: 0,
            owns_scope: false,
            scope_pending: false,
            pattern: false,
            block_params: false,
            def_params: false,
            params: false,
            grouping: false,
            jump_args: false,
            toplevel: false,
            for_vars: false,
            rescue: false,
            rescue_var: false,
            multi: MultiTargets::default(),
            depth: 0,
            base_depth: 0,
        }
    }
    /// Are parameter names being read at this level?
    pub fn in_params(&self) -> bool {
        self.params || self.block_params || self.def_params || self.lambdas > 0 || self.for_vars
    }
}
