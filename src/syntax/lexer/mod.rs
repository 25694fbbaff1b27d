//! Bytes to tokens. Works on its own: no word from the parser steers it, so the parser may read ahead.
//!
//! logos (`raw`) recognises what needs no context; the `Lexer` decides the rest from its state bits, one stack of
//! open constructs, the local variables known so far, and a stack of literals being read. It never calls itself:
//! `#{` inside a string suspends the literal until the matching `}`.

mod escape;
mod heredoc;
mod lex_state;
mod literal;
mod locals;
mod magic;
mod nesting;
mod number;
mod opener;
mod punct;
mod raw;
mod word;

pub use heredoc::indentation_len;
pub use literal::named_captures;
pub use magic::SourceEncoding;
use raw::is_ident_byte;

use crate::ast::{Name, Span, Warning};
use crate::diag::{Diagnostic, Opener};
use crate::token::{Spanned, Tok};
use crate::{ParseOptions, Source};
use lex_state::{Entry, Open, State};
use literal::Literal;
use locals::Locals;
use magic::Comments;
use raw::Raw;
use std::collections::{HashMap, VecDeque};

/// How deep a tree may get. Keeps recursion over the tree (here, in the compiler, in `Drop`) within a few MB.
const MAX_DEPTH: u32 = 10_000;

/// A lexical error: where, and what is wrong.
type Fault = Box<(Span, String)>;
type Step = Result<(), Fault>;

/// What the token before was, as far as it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Prev {
    Start,
    Newline,
    Semi,
    Ident,
    FName,
    Dot,
    Comma,
    Splat,
    Pipe,
    Lambda,
    OpenParen,
    BlockOpen,
    Rescue,
    Assoc,
    Caret,
    RegexpEnd,
    KwDef,
    KwBeginBlock,
    KwFor,
    /// `not`, `defined?`: a newline may follow.
    Unary,
    Other,
}

impl Prev {
    /// Can a parameter's name follow (in a parameter list)?
    fn precedes_parameter(self) -> bool {
        use Prev::*;
        matches!(self, FName | OpenParen | Comma | Splat | Pipe | Semi | Lambda | KwFor)
    }
}

/// The lexer: an iterator over tokens; after an error it ends.
pub struct Lexer<'s> {
    source: &'s Source,
    src: &'s [u8],
    pos: usize,
    state: State,
    /// A statement is about to begin: no label, and `do` after a word is the word's own.
    command_start: bool,
    /// A method name just came: if an argument can start here, these are command arguments.
    maybe_command: bool,
    stack: Vec<Entry>,
    /// Sum of all depths on the stack.
    depth: u32,
    literals: Vec<Literal>,
    locals: Locals,
    queue: VecDeque<Spanned>,
    prev: Prev,
    /// The identifier that just came, unless it follows a dot: `=` makes it a variable.
    bare: Option<Name>,
    /// Where lexing goes on at the next newline: after the bodies of the heredocs opened on this line.
    after_heredocs: Option<usize>,
    /// Method names still to come for `alias`.
    alias_items: u8,
    /// Inside `undef a, b`.
    undef: bool,
    /// `def recv` has come and `.name` follows.
    def_singleton: bool,
    names: HashMap<&'s [u8], Name>,
    /// Names a literal regexp captures, for the `=~` that may follow.
    captures: Vec<Name>,
    pub comments: Comments,
    pub encoding: SourceEncoding,
    pub warnings: Vec<Warning>,
    /// Offset after the `__END__` line.
    pub data_offset: Option<u32>,
    /// What went wrong, if anything; there are no tokens after it.
    pub fault: Option<Diagnostic>,
}

impl<'s> Lexer<'s> {
    pub fn new(source: &'s Source, options: &ParseOptions) -> Lexer<'s> {
        let src = source.bytes.as_slice();
        let comments = Comments::read_head(src);
        let encoding = comments.source_encoding();
        let mut lexer = Lexer {
            source,
            src,
            pos: 0,
            state: State::BEG,
            command_start: true,
            maybe_command: false,
            stack: Vec::new(),
            depth: 0,
            literals: Vec::new(),
            locals: Locals::new(&options.locals),
            queue: VecDeque::new(),
            prev: Prev::Start,
            bare: None,
            after_heredocs: None,
            alias_items: 0,
            undef: false,
            def_singleton: false,
            names: HashMap::new(),
            captures: Vec::new(),
            comments,
            encoding,
            warnings: Vec::new(),
            data_offset: None,
            fault: None,
        };
        lexer.stack.push(Entry::new(Open::Top, 0, 0));
        lexer.begin_statement();
        if src.starts_with(b"\xef\xbb\xbf") {
            lexer.pos = 3;
        }
        if src.starts_with(b"#!") {
            lexer.pos = lexer.line_end(0);
        }
        lexer
    }

    /// Names assigned at the top level of the text, in order.
    pub fn top_locals(&self) -> Vec<Name> {
        self.locals.top_names()
    }

    /// The innermost construct still open, for "unexpected end of input".
    pub fn open_construct(&self) -> Option<Opener> {
        let entry = self.stack.iter().rev().find(|e| !matches!(e.open, Open::Top | Open::EndlessDef))?;
        let text = String::from_utf8_lossy(&self.src[entry.start as usize..entry.end as usize]).into_owned();
        let closer = match entry.open {
            Open::Paren | Open::ParenArg | Open::DefReceiver | Open::DefParams | Open::LambdaParams => ")",
            Open::Bracket => "]",
            Open::Hash | Open::Embed => "}",
            Open::Block | Open::LambdaBody if text == "{" => "}",
            _ => "end",
        };
        Some(Opener { text, closer: closer.into(), line: self.source.line_of(entry.start) })
    }

    // ---- looking at the text

    fn at(&self, index: usize) -> u8 {
        self.src.get(index).copied().unwrap_or(0)
    }
    fn rest(&self, index: usize) -> &'s [u8] {
        self.src.get(index..).unwrap_or_default()
    }
    /// Index of the newline that ends the line around `index`, or the end of the text.
    fn line_end(&self, index: usize) -> usize {
        self.rest(index).iter().position(|&b| b == b'\n').map_or(self.src.len(), |i| index + i)
    }
    fn skip_blanks(&self, mut index: usize) -> usize {
        while matches!(self.at(index), b' ' | b'\t') {
            index += 1;
        }
        index
    }
    fn name_end(&self, mut index: usize) -> usize {
        while is_ident_byte(self.at(index)) {
            index += 1;
        }
        index
    }
    /// Length of the character at `index`; malformed ones are an error in a UTF-8 source.
    fn char_len(&self, index: usize) -> Result<usize, Fault> {
        self.encoding.char_len(self.rest(index)).ok_or_else(|| {
            let message = format!("invalid multibyte char ({})", self.encoding.name());
            self.fault_at(index, index + 1, message)
        })
    }
    /// The text between two offsets as a name; one allocation per different name.
    fn name(&mut self, start: usize, end: usize) -> Result<Name, Fault> {
        let bytes = &self.src[start..end];
        if let Some(name) = self.names.get(bytes) {
            return Ok(name.clone());
        }
        let name: Name = match std::str::from_utf8(bytes) {
            Ok(text) => text.into(),
            Err(_) if self.encoding == SourceEncoding::Utf8 => {
                return Err(self.fault_at(start, end, "invalid multibyte char (UTF-8)"));
            }
            // Names are UTF-8 in the tree: keep the bytes apart, one character each.
            Err(_) => bytes.iter().map(|&b| b as char).collect::<String>().into(),
        };
        self.names.insert(bytes, name.clone());
        Ok(name)
    }

    // ---- state

    fn is(&self, mask: State) -> bool {
        self.state.any(mask)
    }
    fn is_beg(&self) -> bool {
        self.is(State::BEG_ANY) || self.state.all(State::ARG.or(State::LABELED))
    }
    fn is_arg(&self) -> bool {
        self.is(State::ARG_ANY)
    }
    fn after_operator(&self) -> bool {
        self.is(State::FNAME.or(State::DOT))
    }
    fn label_possible(&self) -> bool {
        (self.is(State::LABEL.or(State::ENDFN)) && !self.command_start) || self.is_arg()
    }
    /// `f -x`, `f [x]`: a space before and none after makes an argument.
    fn spaced_arg(&self, space: bool, next: u8) -> bool {
        self.is_arg() && space && !raw::is_space(next)
    }

    // ---- errors

    fn fault_at(&self, start: usize, end: usize, message: impl Into<String>) -> Fault {
        let limit = self.src.len();
        Box::new((Span { start: start.min(limit) as u32, end: end.min(limit) as u32 }, message.into()))
    }
    fn warn(&mut self, at: usize, message: impl Into<String>, verbose_only: bool) {
        let line = self.source.line_of(at as u32).max(0) as u32;
        self.warnings.push(Warning { line, message: message.into(), verbose_only });
    }

    // ---- tokens

    /// Yields `tok`, which began at `start` and ends where the lexer stands, and notes what follows from it.
    fn emit(&mut self, start: usize, tok: Tok) -> Step {
        if std::mem::take(&mut self.maybe_command) && starts_argument(&tok) {
            self.top().cmdarg = true;
            self.top().multi.alive = false;
            self.deepen()?;
        }
        if deepens(&tok) {
            self.deepen()?;
        }
        self.track_targets(&tok);
        let bare = match &tok {
            Tok::Ident(ident) if self.prev != Prev::Dot => Some(ident.name.clone()),
            _ => None,
        };
        self.bare = bare;
        self.prev = prev_of(&tok, self.prev);
        self.queue.push_back((start as u32, tok, self.pos as u32));
        Ok(())
    }

    /// Reads until at least one token is queued or the text ends.
    fn fill(&mut self) -> Step {
        while self.queue.is_empty() {
            if self.literals.last().is_some_and(|l| !l.suspended) {
                self.literal_step()?;
            } else if !self.code_step()? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Reads one token of code, with the blanks and comments before it. `false` at the end of the text.
    fn code_step(&mut self) -> Result<bool, Fault> {
        let mut space = false;
        while self.queue.is_empty() {
            let start = self.pos;
            if start >= self.src.len() || self.at_end_mark(start) {
                self.pos = self.src.len();
                return Ok(false);
            }
            let byte = self.src[start];
            if byte == b'=' && self.at_block_comment(start) {
                self.pos = self.skip_block_comment(start)?;
                continue;
            }
            if self.opener(start, byte, space)? {
                break;
            }
            let Some((raw, len)) = raw::next(&self.src[start..]) else {
                return Err(self.bad_byte(start));
            };
            self.pos = start + len;
            match raw {
                Raw::Space => space = true,
                Raw::LineCont => {
                    space = true;
                    self.jump_heredocs();
                }
                Raw::Comment => self.comments.line(&self.src[start..self.pos], self.prev == Prev::Start),
                Raw::Newline => {
                    space = true;
                    self.jump_heredocs();
                    self.newline(start)?;
                }
                _ => {
                    self.code_token(start, raw, space)?;
                    break;
                }
            }
        }
        Ok(true)
    }

    fn bad_byte(&self, start: usize) -> Fault {
        let byte = self.src[start];
        let message = match byte {
            b'@' if self.at(start + 1) == b'@' => match self.at(start + 2) {
                b'0'..=b'9' => format!("'@@{}' is not allowed as a class variable name", self.at(start + 2) as char),
                _ => "'@@' without identifiers is not allowed as a class variable name".into(),
            },
            b'@' => match self.at(start + 1) {
                b'0'..=b'9' => format!("'@{}' is not allowed as an instance variable name", self.at(start + 1) as char),
                _ => "'@' without identifiers is not allowed as an instance variable name".into(),
            },
            b'$' => "'$' without identifiers is not allowed as a global variable name".into(),
            b'\\' => "backslash is not followed by a newline".to_string(),
            _ => format!("Invalid char '\\x{byte:02X}' in expression"),
        };
        self.fault_at(start, start + 1, message)
    }

    /// `__END__` alone on a line, or a byte that ends a script (NUL, ^D, ^Z).
    fn at_end_mark(&mut self, start: usize) -> bool {
        match self.src[start] {
            0 | 4 | 26 => true,
            b'_' if self.at_line_start(start) && self.rest(start).starts_with(b"__END__") => {
                let end = self.line_end(start);
                let line = &self.src[start..end];
                let found = matches!(&line[7..], b"" | b"\r") && self.stack.len() == 1;
                if found {
                    self.data_offset = Some((end + 1).min(self.src.len()) as u32);
                }
                found
            }
            _ => false,
        }
    }

    fn at_line_start(&self, start: usize) -> bool {
        start == 0 || self.src[start - 1] == b'\n'
    }

    fn at_block_comment(&self, start: usize) -> bool {
        self.at_line_start(start) && self.rest(start).starts_with(b"=begin") && {
            let next = self.at(start + 6);
            next == 0 || raw::is_space(next)
        }
    }

    /// Index after the line that begins with `=end`.
    fn skip_block_comment(&self, start: usize) -> Result<usize, Fault> {
        let mut line = start;
        loop {
            line = self.line_end(line) + 1;
            if line >= self.src.len() {
                return Err(self.fault_at(start, start + 6, "embedded document meets end of file"));
            }
            let next = self.at(line + 4);
            if self.rest(line).starts_with(b"=end") && (next == 0 || raw::is_space(next)) {
                return Ok((self.line_end(line) + 1).min(self.src.len()));
            }
        }
    }

    fn jump_heredocs(&mut self) {
        if let Some(after) = self.after_heredocs.take() {
            self.pos = after;
        }
    }

    /// A newline in code: a statement's end, unless the state or the next line says that it goes on.
    fn newline(&mut self, start: usize) -> Step {
        let labeled = self.state.all(State::ARG.or(State::LABELED));
        let begins = self.is(State::BEG.or(State::CLASS).or(State::FNAME).or(State::DOT)) && !self.is(State::LABELED);
        if begins || self.prev == Prev::Unary {
            return Ok(());
        }
        let top = self.top_ref();
        let bare_pattern = top.pattern && !matches!(top.open, Open::Hash | Open::Paren | Open::Bracket);
        let value_follows = labeled && !bare_pattern && !top.def_params;
        let next = self.next_code(self.pos);
        let text = self.rest(next);
        // `f a:` at the end of a clause is complete: no value begins with `in`.
        if value_follows && !(text.starts_with(b"in") && self.name_end(next) == next + 2) {
            return Ok(());
        }
        if !labeled && self.prev != Prev::Newline && continues_line(text) {
            if self.after_heredocs.is_none() {
                self.pos = next;
            }
            return Ok(());
        }
        if matches!(text.first(), Some(b')' | b']')) || (text.first() == Some(&b'}') && !labeled) {
            return Ok(());
        }
        if !matches!(self.prev, Prev::Newline | Prev::Semi) {
            self.maybe_command = false;
            self.emit(start, Tok::Nl)?;
        }
        self.end_statement();
        Ok(())
    }

    /// Index of the next byte that is neither blank nor comment.
    fn next_code(&self, mut index: usize) -> usize {
        loop {
            while raw::is_space(self.at(index)) {
                index += 1;
            }
            match self.at(index) {
                b'#' => index = self.line_end(index),
                b'=' if self.at_block_comment(index) => match self.skip_block_comment(index) {
                    Ok(after) => index = after,
                    Err(_) => return index,
                },
                _ => return index,
            }
        }
    }
}

/// Does a line that begins like this continue the one before?
fn continues_line(text: &[u8]) -> bool {
    let word = |word: &[u8]| {
        text.strip_prefix(word).is_some_and(|after| {
            let next = after.first().copied().unwrap_or(0);
            !is_ident_byte(next) && !matches!(next, b'?' | b'!' | b':' | b'=')
        })
    };
    match text {
        [b'.', b'.', ..] => false,
        [b'.', ..] | [b'&', b'.', ..] => true,
        [b'&', b'&', ..] | [b'|', b'|', ..] => true,
        _ => word(b"and") || word(b"or"),
    }
}

/// Can the token begin an argument of a command call?
fn starts_argument(tok: &Tok) -> bool {
    use Tok::*;
    matches!(
        tok,
        Ident(_)
            | Const(_)
            | Fid(_)
            | Symbol(_)
            | Gvar(_)
            | Ivar(_)
            | Cvar(_)
            | NthRef(_)
            | BackRef(_)
            | Label(_)
            | Num(_)
            | Char(_)
            | StrBeg
            | XStrBeg
            | RegBeg
            | WordsBeg
            | SymsBeg
            | DSymBeg
            | Colon3
            | LParenArg
            | LBrack
            | LBrace
            | Lambda
            | Star
            | DStar
            | Amper
            | UPlus
            | UMinus
            | Bang
            | Tilde
            | BDot2
            | BDot3
            | KBegin
            | KBreak
            | KCase
            | KClass
            | KDef
            | KDefined
            | KFalse
            | KFor
            | KIf
            | KModule
            | KNext
            | KNil
            | KNot
            | KRedo
            | KRetry
            | KReturn
            | KSelf
            | KSuper
            | KTrue
            | KUnless
            | KUntil
            | KWhile
            | KYield
            | KFile
            | KLine
            | KEncoding
    )
}

/// Does the token put a level on top of what is around it? Brackets and keywords count when they are pushed.
fn deepens(tok: &Tok) -> bool {
    use Tok::*;
    matches!(
        tok,
        Eq | OpAsgn(_)
            | Dot
            | AndDot
            | LBrackIdx
            | Colon2
            | Quest
            | Lambda
            | Assoc
            | Dot2
            | Dot3
            | BDot2
            | BDot3
            | Plus
            | Minus
            | Mul
            | Div
            | Mod
            | Pow
            | UPlus
            | UMinus
            | Bang
            | Tilde
            | Pipe
            | Caret
            | And
            | Cmp
            | EqEq
            | Eqq
            | Neq
            | Match
            | NMatch
            | Lt
            | Gt
            | Le
            | Ge
            | LShift
            | RShift
            | AndOp
            | OrOp
            | KAnd
            | KOr
            | KNot
            | KDefined
            | KReturn
            | KBreak
            | KNext
            | KYield
            | KSuper
            | ModIf
            | ModUnless
            | ModWhile
            | ModUntil
            | ModRescue
    )
}

fn prev_of(tok: &Tok, before: Prev) -> Prev {
    use Tok::*;
    match tok {
        Nl => Prev::Newline,
        Semi => Prev::Semi,
        Ident(_) => Prev::Ident,
        FName(_) => Prev::FName,
        Dot | AndDot | Colon2 => Prev::Dot,
        Comma => Prev::Comma,
        Star | DStar | Amper => Prev::Splat,
        // `def f *a`, `->*a {}`: no space tells them apart from operators.
        Mul | Pow | And if matches!(before, Prev::FName | Prev::Lambda) => Prev::Splat,
        Pipe => Prev::Pipe,
        Tok::Lambda => Prev::Lambda,
        LParenCall | LParen | LParenArg => Prev::OpenParen,
        LBraceBlk | LBraceArg | KDo | KDoBlock => Prev::BlockOpen,
        KRescue => Prev::Rescue,
        Assoc => Prev::Assoc,
        Caret => Prev::Caret,
        RegexpEnd(_) => Prev::RegexpEnd,
        KDef => Prev::KwDef,
        KBEGIN | KEND => Prev::KwBeginBlock,
        KFor => Prev::KwFor,
        KNot | KDefined => Prev::Unary,
        _ => Prev::Other,
    }
}

impl Iterator for Lexer<'_> {
    type Item = Result<Spanned, ()>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.queue.is_empty()
            && self.fault.is_none()
            && let Err(fault) = self.fill()
        {
            let (span, message) = *fault;
            self.fault = Some(Diagnostic::new(self.source, span, message));
        }
        // Tokens read before the fault come first, so that errors are told in the order of the text.
        match self.queue.pop_front() {
            Some(token) => Some(Ok(token)),
            None => self.fault.is_some().then_some(Err(())),
        }
    }
}
