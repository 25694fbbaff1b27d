//! Bytes that mean something else than an operator in some states: quotes, `%`, `/`, `?`, `:`, `<<`,
//! and anything where a method name is due.

use super::lex_state::State;
use super::literal::{Body, Literal};
use super::raw::{self, is_ident_byte};
use super::{Fault, Lexer, Step};
use crate::token::{Piece, Tok};

/// The delimiter that closes what `open` opened.
fn closing(open: u8) -> u8 {
    match open {
        b'(' => b')',
        b'[' => b']',
        b'{' => b'}',
        b'<' => b'>',
        other => other,
    }
}

impl Lexer<'_> {
    /// Takes the token at `start` if its meaning depends on the state. `false`: logos shall read it.
    pub(super) fn opener(&mut self, start: usize, byte: u8, space: bool) -> Result<bool, Fault> {
        let next = self.at(start + 1);
        if raw::is_space(byte) || byte == b'#' || byte == b'\\' {
            return Ok(false);
        }
        if self.is(State::FNAME) && byte != b'$' {
            let item_symbol = self.is(State::FITEM) && (byte == b':' || (byte == b'%' && next == b's'));
            if !item_symbol {
                return self.definition_name(start);
            }
        } else if self.is(State::DOT) && byte != b'(' && !is_ident_byte(byte) && byte != b'`' {
            return self.operator_call(start);
        }
        match byte {
            b'"' | b'\'' => {
                let body = if self.label_possible() { Body::LabelOrString } else { Body::String };
                self.pos += 1;
                self.open_literal(start, Tok::StrBeg, Literal::new(body, start, byte, byte, byte == b'"'))
            }
            b'`' if !self.after_operator() => {
                self.pos += 1;
                self.open_literal(start, Tok::XStrBeg, Literal::new(Body::String, start, byte, byte, true))
            }
            b'/' if !self.after_operator() => {
                if !(self.is_beg() || (next != b'=' && self.spaced_arg(space, next))) {
                    return Ok(false);
                }
                self.pos += 1;
                self.open_literal(start, Tok::RegBeg, Literal::new(Body::Regexp, start, byte, byte, true))
            }
            b'%' => self.percent(start, next, space),
            b'<' if next == b'<' => {
                let excluded = self.is(State::DOT.or(State::CLASS).or(State::FNAME).or(State::END_ANY));
                if excluded || (self.is_arg() && !self.is(State::LABELED) && !space) {
                    return Ok(false);
                }
                self.heredoc(start)
            }
            b'?' => self.char_literal(start),
            b':' => self.symbol(start, next),
            _ => Ok(false),
        }
    }

    /// `a.+ 1`: an operator as a method name after `.`.
    fn operator_call(&mut self, start: usize) -> Result<bool, Fault> {
        let len = self.method_name_len(start, false);
        if len == 0 {
            return Ok(false);
        }
        self.pos = start + len;
        let name = self.operator_name(start, self.pos)?;
        self.command_start = false;
        self.emit(start, Tok::OpName(name))?;
        self.state = State::ARG;
        self.maybe_command = true;
        Ok(true)
    }

    fn open_literal(&mut self, start: usize, tok: Tok, literal: Literal) -> Result<bool, Fault> {
        self.emit(start, tok)?;
        self.command_start = false;
        self.maybe_command = false;
        self.literals.push(literal);
        Ok(true)
    }

    fn percent(&mut self, start: usize, next: u8, space: bool) -> Result<bool, Fault> {
        let item = self.is(State::FITEM);
        if self.after_operator() && !item {
            return Ok(false);
        }
        let quotes = self.is_beg() || (next != b'=' && self.spaced_arg(space, next)) || (item && next == b's');
        if !quotes {
            return Ok(false);
        }
        let (kind, open, len) =
            if next.is_ascii_alphanumeric() { (next, self.at(start + 2), 3) } else { (b'Q', next, 2) };
        let missing = start + len > self.src.len();
        if missing || open.is_ascii_alphanumeric() || open >= 0x80 || !b"QqrswWiIx".contains(&kind) {
            let message =
                if missing { "unterminated quoted string meets end of file" } else { "unknown type of %string" };
            return Err(self.fault_at(start, start + len, message));
        }
        self.pos = start + len;
        let close = closing(open);
        let (tok, body, expands) = match kind {
            b'Q' => (Tok::StrBeg, Body::String, true),
            b'q' => (Tok::StrBeg, Body::String, false),
            b'r' => (Tok::RegBeg, Body::Regexp, true),
            b's' => (Tok::DSymBeg, Body::String, false),
            b'x' => (Tok::XStrBeg, Body::String, true),
            b'W' => (Tok::WordsBeg, Body::Words, true),
            b'w' => (Tok::WordsBeg, Body::Words, false),
            b'I' => (Tok::SymsBeg, Body::Words, true),
            _ => (Tok::SymsBeg, Body::Words, false),
        };
        // A `%` literal delimited by a newline begins on this line but its heredocs' bodies come first.
        if open == b'\n' {
            self.jump_heredocs();
        }
        self.open_literal(start, tok, Literal::new(body, start, open, close, expands))
    }

    fn char_literal(&mut self, start: usize) -> Result<bool, Fault> {
        if self.is(State::END_ANY) {
            return Ok(false);
        }
        let at = start + 1;
        if at >= self.src.len() {
            return Err(self.fault_at(start, at, "incomplete character syntax"));
        }
        let first = self.src[at];
        if raw::is_space(first) {
            return Ok(false);
        }
        let mut piece = self.new_piece();
        let width = self.char_len(at)?;
        let word = is_ident_byte(first);
        if word && is_ident_byte(self.at(at + width)) {
            return Ok(false);
        }
        self.pos = at;
        if first == b'\\' {
            self.escape(&mut piece, 0)?;
            if self.src[at..self.pos].starts_with(b"\\u{")
                && std::str::from_utf8(&piece.bytes).is_ok_and(|s| s.chars().count() > 1)
            {
                return Err(self.fault_at(at, self.pos, "Multiple codepoints at single character literal"));
            }
        } else {
            piece.bytes.extend_from_slice(&self.src[at..at + width]);
            self.pos = at + width;
        }
        let tok = Tok::Char(piece.finish(false));
        self.command_start = false;
        self.emit(start, tok)?;
        self.state = State::END;
        Ok(true)
    }

    fn symbol(&mut self, start: usize, next: u8) -> Result<bool, Fault> {
        let at_end = start + 1 >= self.src.len();
        if next == b':' || self.is(State::END_ANY) || at_end || raw::is_space(next) || next == b'#' {
            return Ok(false);
        }
        if matches!(next, b'"' | b'\'') {
            self.pos += 2;
            return self.open_literal(start, Tok::DSymBeg, Literal::new(Body::String, start, next, next, next == b'"'));
        }
        let len = self.method_name_len(start + 1, true);
        if len == 0 {
            return Ok(false);
        }
        self.pos = start + 1 + len;
        let name = self.operator_name(start + 1, self.pos)?;
        self.command_start = false;
        self.emit(start, Tok::Symbol(name))?;
        self.state = State::END;
        self.item_done();
        Ok(true)
    }

    /// A heredoc's or word list's piece, or nothing if it is empty.
    pub(super) fn emit_piece(&mut self, start: usize, piece: Piece) -> Step {
        if piece.bytes.is_empty() && !piece.line_start {
            return Ok(());
        }
        self.emit(start, Tok::StrContent(piece))
    }
}
