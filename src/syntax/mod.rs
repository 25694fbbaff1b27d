//! Text to AST. Knows nothing of the VM.
pub mod ast;
pub mod diag;
mod source;

pub use source::Source;

use ast::{Name, Program, Span};
use diag::Diagnostic;

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
pub fn parse(source: &Source, _options: &ParseOptions) -> Result<Program, Vec<Diagnostic>> {
    Err(vec![Diagnostic::new(source, Span::default(), "the parser is not there yet")])
}
