//! Heredocs: the body is read at once, then lexing returns to the opener's line; the next newline jumps
//! over all bodies.

use super::lex_state::State;
use super::literal::{Body, Literal};
use super::raw::{is_ident_byte, is_space};
use super::{Fault, Lexer};
use crate::token::{NO_DEDENT, Tok};

/// Columns of a tab when `<<~` measures indentation.
const TAB: u32 = 8;

/// What is special about a heredoc among literals.
#[derive(Debug)]
pub struct Heredoc {
    /// Place of the identifier that ends it.
    id: (usize, usize),
    /// `<<-`, `<<~`: the end may be indented.
    indented: bool,
    /// `<<~`: indentation is taken off.
    squiggly: bool,
    /// Where lexing goes on after the body.
    resume: usize,
    /// Least indentation of a line so far, in columns.
    width: u32,
    /// The lexer stands at the beginning of a line.
    at_line_start: bool,
    /// The line before ended in a backslash: this one cannot be the end.
    continued: bool,
    /// What is collected began at the beginning of a line.
    pub piece_at_line_start: bool,
}

impl Lexer<'_> {
    /// `<<` in a place where a heredoc may stand: is it one?
    pub(super) fn heredoc(&mut self, start: usize) -> Result<bool, Fault> {
        let mut at = start + 2;
        let mark = self.at(at);
        let indented = matches!(mark, b'~' | b'-');
        at += usize::from(indented);
        let quote = self.at(at);
        let (id, after) = if matches!(quote, b'"' | b'\'' | b'`') {
            let Some(len) = self.rest(at + 1).iter().position(|&b| b == quote || b == b'\n') else {
                return Err(self.fault_at(start, at + 1, "unterminated here document identifier"));
            };
            let end = at + 1 + len;
            if self.at(end) != quote {
                return Err(self.fault_at(start, end, "unterminated here document identifier"));
            }
            ((at + 1, end), end + 1)
        } else {
            if !is_ident_byte(quote) || quote.is_ascii_digit() && !indented {
                return Ok(false);
            }
            let end = self.name_end(at);
            ((at, end), end)
        };
        self.pos = after;
        let body = match self.after_heredocs.take() {
            Some(body) => body,
            None => self.line_end(after) + 1,
        };
        let mut literal = Literal::new(Body::Heredoc, start, 0, 0, quote != b'\'');
        literal.heredoc = Some(Heredoc {
            id,
            indented,
            squiggly: mark == b'~',
            resume: after,
            width: u32::MAX,
            at_line_start: true,
            continued: false,
            piece_at_line_start: false,
        });
        self.command_start = false;
        self.emit(start, if quote == b'`' { Tok::XStrBeg } else { Tok::StrBeg })?;
        self.maybe_command = false;
        self.literals.push(literal);
        self.pos = body.min(self.src.len());
        if body > self.src.len() {
            return Err(self.no_terminator(start, id));
        }
        Ok(true)
    }

    fn no_terminator(&self, start: usize, id: (usize, usize)) -> Fault {
        let id = String::from_utf8_lossy(&self.src[id.0..id.1]).into_owned();
        let message = format!("unterminated heredoc; can't find string \"{id}\" anywhere before EOF");
        self.fault_at(start, start + 2, message)
    }

    /// Reads on in a heredoc's body. `true` when it is complete.
    pub(super) fn heredoc_text(&mut self, literal: &mut Literal) -> Result<bool, Fault> {
        loop {
            let Some(heredoc) = &mut literal.heredoc else { return Ok(true) };
            if self.pos >= self.src.len() {
                let id = heredoc.id;
                return Err(self.no_terminator(literal.start, id));
            }
            if std::mem::take(&mut heredoc.at_line_start) {
                let end = self.line_end(self.pos);
                if !std::mem::take(&mut heredoc.continued) && self.is_terminator(heredoc, end) {
                    self.flush(literal)?;
                    self.finish_heredoc(literal, end)?;
                    return Ok(true);
                }
                let Some(heredoc) = &mut literal.heredoc else { return Ok(true) };
                if heredoc.squiggly {
                    self.measure(heredoc, end);
                    heredoc.piece_at_line_start = true;
                }
            }
            match self.src[self.pos] {
                b'\n' => {
                    literal.buffer.bytes.push(b'\n');
                    self.pos += 1;
                    self.heredoc_line(literal)?;
                    if !self.queue.is_empty() {
                        return Ok(false);
                    }
                }
                b'\\' if literal.expands && self.at(self.pos + 1) == b'\n' => {
                    self.pos += 2;
                    if let Some(heredoc) = &mut literal.heredoc {
                        heredoc.continued = true;
                    }
                    self.heredoc_line(literal)?;
                    if !self.queue.is_empty() {
                        return Ok(false);
                    }
                }
                b'\\' if literal.expands => self.backslash(literal)?,
                b'#' if literal.expands => {
                    if self.interpolation(literal)? {
                        return Ok(false);
                    }
                }
                _ => self.plain_text(literal)?,
            }
        }
    }

    /// A line of the body is over.
    fn heredoc_line(&mut self, literal: &mut Literal) -> Result<(), Fault> {
        self.jump_heredocs();
        let squiggly = literal.heredoc.as_mut().is_some_and(|heredoc| {
            heredoc.at_line_start = true;
            heredoc.squiggly
        });
        if squiggly { self.flush(literal) } else { Ok(()) }
    }

    fn is_terminator(&self, heredoc: &Heredoc, line_end: usize) -> bool {
        let mut line = &self.src[self.pos..line_end];
        if let [head @ .., b'\r'] = line {
            line = head;
        }
        let id = &self.src[heredoc.id.0..heredoc.id.1];
        match line.strip_suffix(id) {
            Some(before) => before.is_empty() || heredoc.indented && before.iter().all(|&b| is_space(b)),
            None => false,
        }
    }

    /// Takes the line's indentation into account; a blank line has none.
    fn measure(&self, heredoc: &mut Heredoc, line_end: usize) {
        let mut width = 0;
        for &byte in &self.src[self.pos..line_end] {
            match byte {
                b' ' => width += 1,
                b'\t' => width = TAB * (width / TAB + 1),
                b'\r' if self.at(line_end - 1) == b'\r' => return,
                _ => {
                    heredoc.width = heredoc.width.min(width);
                    return;
                }
            }
        }
    }

    fn finish_heredoc(&mut self, literal: &Literal, line_end: usize) -> Result<(), Fault> {
        let Some(heredoc) = &literal.heredoc else { return Ok(()) };
        self.after_heredocs = Some((line_end + 1).min(self.src.len()));
        self.pos = heredoc.resume;
        let dedent = match heredoc.width {
            _ if !heredoc.squiggly => NO_DEDENT,
            u32::MAX => 0,
            width => width,
        };
        self.emit(self.pos, Tok::StrEnd(dedent))?;
        self.state = State::END;
        self.command_start = false;
        Ok(())
    }
}

/// How many leading bytes of a line make up `width` columns of indentation, or as much as there is.
pub fn indentation_len(line: &[u8], width: u32) -> usize {
    let mut column = 0;
    for (index, &byte) in line.iter().enumerate() {
        match byte {
            _ if column >= width => return index,
            b' ' => column += 1,
            b'\t' => {
                let next = TAB * (column / TAB + 1);
                if next > width {
                    return index;
                }
                column = next;
            }
            _ => return index,
        }
    }
    line.len()
}
