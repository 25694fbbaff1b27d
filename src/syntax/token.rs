//! The tokens the grammar is written in. Pairs that Ruby spells alike but the grammar must tell apart
//! (`(` of a call and of a grouping, `if` and its modifier, ...) are different tokens: the lexer decides.

use crate::ast::{LitEnc, Name, RegexFlags};
use std::rc::Rc;

/// Number of a byte offset in the source.
pub type Pos = u32;
/// What the lexer yields and LALRPOP reads.
pub type Spanned = (Pos, Tok, Pos);

/// How an identifier was resolved when it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolved {
    /// Not a variable known here: a call.
    Call,
    /// A local variable.
    Local,
    /// `it` in a block without parameters, unless it turns out to be a call with arguments.
    It,
    /// `_1`..`_9` in a block without parameters.
    Numbered,
}

/// An identifier and what it stands for.
#[derive(Clone, Debug, PartialEq)]
pub struct Ident {
    pub name: Name,
    pub resolved: Resolved,
}

/// Text between two interpolations of a literal, escapes resolved.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    pub bytes: Rc<[u8]>,
    pub enc: LitEnc,
    /// Begins a line of a `<<~` heredoc, so indentation is to be taken off.
    pub line_start: bool,
}

/// A number literal, sign included.
#[derive(Clone, Debug, PartialEq)]
pub enum Number {
    Int(i64),
    /// Decimal digits with an optional `-`.
    Big(Rc<str>),
    Float(f64),
    /// Numerator and denominator, decimal.
    Rational(Rc<(String, String)>),
    Imaginary(Rc<Number>),
}

/// `StrEnd` of anything but a `<<~` heredoc.
pub const NO_DEDENT: u32 = u32::MAX;

macro_rules! tokens {
    ($( $tok:ident $(($payload:ty))? $word:literal )+) => {
        /// One token; the second column of the table in `token.rs` is how messages call it.
        #[derive(Clone, Debug, PartialEq)]
        #[allow(clippy::upper_case_acronyms)] // `BEGIN` is not `begin`
        pub enum Tok { $( $tok $(($payload))? ),+ }

        impl Tok {
            /// What a message calls the token.
            pub fn word(&self) -> &'static str {
                match self { $( tokens!(@pattern $tok $($payload)?) => $word ),+ }
            }
            /// The variant's name, for token dumps.
            pub fn variant(&self) -> &'static str {
                match self { $( tokens!(@pattern $tok $($payload)?) => stringify!($tok) ),+ }
            }
        }
    };
    (@pattern $tok:ident $payload:ty) => { Tok::$tok(_) };
    (@pattern $tok:ident) => { Tok::$tok };
}

tokens! {
    Ident(Ident) "identifier"
    Const(Name) "constant"
    Fid(Name) "method name"
    OpName(Name) "operator method"
    FName(Name) "method name"
    Symbol(Name) "symbol"
    Gvar(Name) "global variable"
    Ivar(Name) "instance variable"
    Cvar(Name) "class variable"
    NthRef(u32) "numbered reference"
    BackRef(u8) "back reference"
    Label(Ident) "label"
    Num(Number) "number"
    Char(Piece) "character literal"
    StrContent(Piece) "string content"
    RegexpEnd(RegexFlags) "end of regexp"
    OpAsgn(Name) "operator-assignment"
    StrBeg "string literal"
    XStrBeg "backtick literal"
    RegBeg "regexp literal"
    WordsBeg "word list"
    SymsBeg "symbol list"
    DSymBeg "symbol literal"
    WordSep "space"
    StrEnd(u32) "end of literal"
    LabelEnd "label"
    DBeg "#{"
    DEnd "}"
    DVar "#"
    Nl "newline"
    Semi ";"
    Comma ","
    Eq "="
    Dot "."
    AndDot "&."
    Colon2 "::"
    Colon3 "::"
    Colon ":"
    Quest "?"
    LParenCall "("
    LParen "("
    LParenArg "("
    RParen ")"
    LBrackIdx "["
    LBrack "["
    RBrack "]"
    LBraceBlk "{"
    LBrace "{"
    LBraceArg "{"
    LamBeg "{"
    RBrace "}"
    Lambda "->"
    Assoc "=>"
    Dot2 ".."
    Dot3 "..."
    BDot2 ".."
    BDot3 "..."
    Plus "+"
    Minus "-"
    Mul "*"
    Div "/"
    Mod "%"
    Pow "**"
    Star "*"
    DStar "**"
    Amper "&"
    UPlus "+"
    UMinus "-"
    Bang "!"
    Tilde "~"
    Pipe "|"
    Caret "^"
    And "&"
    Cmp "<=>"
    EqEq "=="
    Eqq "==="
    Neq "!="
    Match "=~"
    NMatch "!~"
    Lt "<"
    Gt ">"
    Le "<="
    Ge ">="
    LShift "<<"
    RShift ">>"
    AndOp "&&"
    OrOp "||"
    KAlias "alias"
    KAnd "and"
    KBegin "begin"
    KBEGIN "BEGIN"
    KBreak "break"
    KCase "case"
    KClass "class"
    KDef "def"
    KDefined "defined?"
    KDo "do"
    KDoBlock "do"
    KDoCond "do"
    KDoLambda "do"
    KElse "else"
    KElsif "elsif"
    KEnd "end"
    KEND "END"
    KEnsure "ensure"
    KFalse "false"
    KFor "for"
    KIf "if"
    ModIf "if"
    KIn "in"
    KForIn "in"
    KModule "module"
    KNext "next"
    KNil "nil"
    KNot "not"
    KOr "or"
    KRedo "redo"
    KRescue "rescue"
    ModRescue "rescue"
    ArgRescue "rescue"
    KRetry "retry"
    KReturn "return"
    KSelf "self"
    KSuper "super"
    KThen "then"
    KTrue "true"
    KUndef "undef"
    KUnless "unless"
    ModUnless "unless"
    KUntil "until"
    ModUntil "until"
    KWhen "when"
    KWhile "while"
    ModWhile "while"
    KYield "yield"
    KFile "__FILE__"
    KLine "__LINE__"
    KEncoding "__ENCODING__"
}

/// Longest list of expected tokens that helps a reader.
const MAX_EXPECTED: usize = 6;

impl Tok {
    /// How a message shows the token: its name, or itself in quotes.
    pub fn shown(&self) -> String {
        let word = self.word();
        match self {
            Tok::Ident(ident) => format!("local variable or method '{}'", ident.name),
            Tok::Const(name) => format!("constant '{name}'"),
            Tok::Fid(name) => format!("method '{name}'"),
            Tok::Ivar(name) => format!("instance variable '{name}'"),
            Tok::Gvar(name) => format!("global variable '{name}'"),
            Tok::Cvar(name) => format!("class variable '{name}'"),
            Tok::Label(ident) => format!("label '{}:'", ident.name),
            Tok::KEnd => "'end'".into(),
            Tok::Num(Number::Int(_) | Number::Big(_)) => "integer".into(),
            Tok::Num(Number::Float(_)) => "float".into(),
            _ if word.contains(' ') || matches!(word, "newline" | "number" | "symbol" | ".." | "..." | "<<" | ">>") => {
                word.into()
            }
            _ => format!("'{word}'"),
        }
    }
}

/// The grammar's terminal names in words, each once; nothing if there are too many to be of use.
pub fn expected_words(terminals: &[String]) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for terminal in terminals {
        let word = match terminal.trim_matches('"') {
            "IDENT" => "a local variable or method name",
            "CONST" => "a constant",
            "FID" | "FNAME" | "OPNAME" => "a method name",
            "SYMBOL" | "DSYMBEG" => "a symbol",
            "GVAR" => "a global variable",
            "IVAR" => "an instance variable",
            "CVAR" => "a class variable",
            "NTHREF" | "BACKREF" => "a back-reference",
            "LABEL" => "a label",
            "NUM" => "a number",
            "NL" => "a newline",
            "STRC" | "DVAR" | "DBEG" => "string content",
            "STREND" | "LABELEND" | "REGEND" | "WSEP" => "the end of a literal",
            "CHAR" | "STRBEG" | "XSTRBEG" | "REGBEG" | "WORDSBEG" | "SYMSBEG" => "a literal",
            "DEND" => "'}'",
            other => &format!("'{}'", plain_spelling(other)),
        };
        let word = word.to_string();
        if !words.contains(&word) {
            words.push(word);
        }
    }
    if words.len() > MAX_EXPECTED { Vec::new() } else { words }
}

/// A terminal's name without the marks that tell alike ones apart.
fn plain_spelling(terminal: &str) -> &str {
    match terminal {
        "do_block" | "do_cond" | "do_lambda" => "do",
        "for_in" => "in",
        _ => match terminal.strip_prefix("mod_").or(terminal.strip_prefix("arg_")) {
            Some(word) => word,
            None if terminal.starts_with(|c: char| c.is_alphabetic()) => terminal,
            None => terminal.trim_end_matches(['t', 'u', 'a', 'l']),
        },
    }
}
