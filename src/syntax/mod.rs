//! Text to AST. Knows nothing of the VM.
//!
//! `lexer` turns bytes into tokens, the grammar (grammar/ruby.lalrpop) finds the shape, `action` builds the nodes,
//! `check` refuses what only makes sense elsewhere. LALRPOP is not seen outside this file and `action`.

pub mod ast;
pub mod diag;

mod action;
mod check;
mod dump;
mod lexer;
mod source;
mod token;

#[allow(clippy::all, clippy::pedantic, unused, non_snake_case, missing_docs)]
mod ruby {
    include!(concat!(env!("OUT_DIR"), "/ruby.rs"));
}

pub use dump::{dump, dump_tokens};
pub use source::Source;

use action::Cx;
use ast::{Kind, Name, Node, Program, Span};
use diag::Diagnostic;
use lalrpop_util::ParseError;
use lexer::Lexer;
use token::Tok;

/// What surrounds the text that is parsed. The default is a file of its own.
#[derive(Debug, Clone, Default)]
pub struct ParseOptions {
    /// Local variables visible from outside, for `eval`. The names `*`, `**`, `&` and `...` stand for
    /// the anonymous parameters of the method around it; `it` and `_1` for those of the block.
    pub locals: Vec<Name>,
    /// The text runs inside a method: `yield` is allowed, `class` and constant assignment are not refused for it
    /// (as in Ruby's `eval`).
    pub in_method: bool,
    /// The text runs inside a block: `break`, `next` and `redo` are allowed.
    pub in_block: bool,
}

/// Parses a whole file or `eval` string.
///
/// Work is linear in the text and memory a small multiple of it. Recursion (here and in users of the tree) is
/// bounded by the nesting limit, which needs a few MB of native stack; deeper text is refused with a diagnostic.
pub fn parse(source: &Source, options: &ParseOptions) -> Result<Program, Vec<Diagnostic>> {
    if source.bytes.len() >= u32::MAX as usize {
        return Err(vec![Diagnostic::new(source, Span::default(), "source text too long")]);
    }
    let mut lexer = Lexer::new(source, options);
    let mut cx = Cx::new(source, lexer.encoding);
    let parsed = ruby::ProgramParser::new().parse(&mut cx, lexer.by_ref());
    let mut errors = std::mem::take(&mut cx.errors);
    let body = match parsed {
        Ok(body) => *body,
        Err(error) => {
            let diagnostic = lexer.fault.take().unwrap_or_else(|| unexpected(source, &lexer, error));
            errors.push(diagnostic);
            errors.sort_by_key(|e| e.span.start);
            return Err(errors);
        }
    };
    let body = with_begin_blocks(body, std::mem::take(&mut cx.begin_blocks));
    errors.extend(check::check(source, options, &body));
    if !errors.is_empty() {
        errors.sort_by_key(|e| e.span.start);
        return Err(errors);
    }
    let mut warnings = std::mem::take(&mut lexer.warnings);
    warnings.append(&mut cx.warnings);
    warnings.sort_by_key(|w| w.line);
    Ok(Program {
        body,
        data_offset: lexer.data_offset,
        magic: std::mem::take(&mut lexer.comments.magic),
        locals: lexer.top_locals(),
        warnings,
    })
}

/// `BEGIN { }` blocks run before everything else.
fn with_begin_blocks(body: Node, mut begin_blocks: Vec<Node>) -> Node {
    if begin_blocks.is_empty() {
        return body;
    }
    let span = body.span;
    match body.kind {
        Kind::Seq(statements) => begin_blocks.extend(statements),
        _ => begin_blocks.push(body),
    }
    Node::new(Kind::Seq(begin_blocks), span)
}

/// Says in words what LALRPOP found.
fn unexpected(source: &Source, lexer: &Lexer, error: ParseError<u32, Tok, ()>) -> Diagnostic {
    let end = source.bytes.len() as u32;
    let (span, found, expected) = match error {
        ParseError::UnrecognizedToken { token: (start, tok, end), expected } => {
            (Span { start, end }, Some(tok), expected)
        }
        ParseError::UnrecognizedEof { expected, .. } => (Span { start: end, end }, None, expected),
        ParseError::ExtraToken { token: (start, tok, end) } => (Span { start, end }, Some(tok), Vec::new()),
        ParseError::InvalidToken { .. } | ParseError::User { .. } => (Span::default(), None, Vec::new()),
    };
    let message = match &found {
        Some(tok) => format!("syntax error, unexpected {}", tok.shown()),
        None => "syntax error, unexpected end-of-input".to_string(),
    };
    let mut diagnostic = Diagnostic::new(source, span, message);
    diagnostic.expected = token::expected_words(&expected);
    diagnostic.open_at = match found {
        None => lexer.open_construct(),
        Some(Tok::Nl) => lexer.open_construct().filter(|opener| opener.closer != "end"),
        Some(_) => None,
    };
    diagnostic
}

#[cfg(test)]
mod tests;
