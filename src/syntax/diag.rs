//! What is wrong with a source text, and how to show it. Knows nothing of tokens or of LALRPOP.

use crate::{Source, ast::Span};

/// One syntax error.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagnostic {
    /// Line number as `Source::line_of` counts.
    pub line: i32,
    /// In bytes, from 0.
    pub column: u32,
    pub span: Span,
    /// Without file, line or trailing period, e.g. "unexpected `end`".
    pub message: String,
    /// What could have stood there, in words; empty if there is no short answer.
    pub expected: Vec<String>,
    /// The construct that was still open, if the end of the text came too early.
    pub open_at: Option<Opener>,
}

/// A construct that waits for its closing word.
#[derive(Debug, Clone, PartialEq)]
pub struct Opener {
    /// As written: `def`, `{`, `<<EOS`.
    pub text: String,
    /// What would close it: `end`, `}`.
    pub closer: String,
    pub line: i32,
}

/// Longest piece of a source line shown under a message, in bytes.
const SHOWN: usize = 120;

impl Diagnostic {
    /// A diagnostic about `span`; line and column are looked up in `source`.
    pub fn new(source: &Source, span: Span, message: impl Into<String>) -> Diagnostic {
        let start = span.start.min(source.bytes.len() as u32);
        Diagnostic {
            line: source.line_of(start),
            column: source.column_of(start),
            span,
            message: message.into(),
            expected: Vec::new(),
            open_at: None,
        }
    }

    /// `file:line: message`, the source line, a caret below it, what was expected and which opener is still open.
    pub fn render(&self, source: &Source) -> String {
        let mut out = format!("{}:{}: {}", source.name, self.line, self.headline());
        let line = source.line_text(self.span.start.min(source.bytes.len() as u32));
        let column = (self.column as usize).min(line.len());
        let from = column.saturating_sub(SHOWN / 2);
        let to = line.len().min(from + SHOWN);
        let before = String::from_utf8_lossy(&line[from..column]);
        let after = String::from_utf8_lossy(&line[column..to]);
        let (head, tail) = (if from > 0 { "..." } else { "" }, if to < line.len() { "..." } else { "" });
        out.push_str(&format!("\n{head}{before}{after}{tail}\n"));
        // Tabs are kept so that the caret lines up in any tab width.
        out.extend(head.chars().chain(before.chars()).map(|c| if c == '\t' { '\t' } else { ' ' }));
        out.push('^');
        let width = (self.span.end.saturating_sub(self.span.start) as usize).min(to - column);
        out.extend(std::iter::repeat_n('~', width.saturating_sub(1)));
        if let Some(opener) = &self.open_at {
            out.push_str(&format!("\n`{}` at line {} has no `{}`", opener.text, opener.line, opener.closer));
        }
        out
    }

    /// The message with what was expected, on one line.
    pub fn headline(&self) -> String {
        match self.expected.as_slice() {
            [] => self.message.clone(),
            [one] => format!("{}, expecting {one}", self.message),
            [head @ .., last] => format!("{}, expecting {} or {last}", self.message, head.join(", ")),
        }
    }
}
