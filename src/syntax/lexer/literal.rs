//! Bodies of strings, symbols, regexps, commands and word lists: text in pieces, with code in between.

use super::escape::Buffer;
use super::heredoc::Heredoc;
use super::lex_state::{Open, State};
use super::raw::{self, Raw, is_ident_byte, is_space};
use super::word::is_keyword;
use super::{Fault, Lexer, SourceEncoding, Step};
use crate::ast::{Name, RegexFlags};
use crate::token::{NO_DEDENT, Tok};

/// Which rules the text follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body {
    String,
    /// A string that is a label if `:` follows.
    LabelOrString,
    Regexp,
    Words,
    Heredoc,
}

/// A literal that is being read.
#[derive(Debug)]
pub struct Literal {
    pub body: Body,
    /// Where its opener stands.
    pub start: usize,
    /// The delimiter that nests, if it differs from `close`.
    open: u8,
    close: u8,
    /// Escapes and `#{}` count.
    pub expands: bool,
    /// Inner delimiters still open.
    nest: u32,
    /// Inside its `#{`: code is read until the `}`.
    pub suspended: bool,
    pub buffer: Buffer,
    /// Where the text in `buffer` began.
    pub piece_start: usize,
    in_word: bool,
    has_code: bool,
    /// One of the names of `alias` or `undef`.
    item: bool,
    pub heredoc: Option<Heredoc>,
}

impl Literal {
    pub fn new(body: Body, start: usize, open: u8, close: u8, expands: bool) -> Literal {
        Literal {
            body,
            start,
            open,
            close,
            expands,
            nest: 0,
            suspended: false,
            buffer: Buffer::default(),
            piece_start: usize::MAX,
            in_word: false,
            has_code: false,
            item: false,
            heredoc: None,
        }
    }
}

impl Lexer<'_> {
    /// Reads on in the innermost literal until there is a token.
    pub(super) fn literal_step(&mut self) -> Step {
        let Some(mut literal) = self.literals.pop() else { return Ok(()) };
        if literal.piece_start == usize::MAX {
            literal.buffer = self.new_piece();
            literal.item = self.is(State::FITEM);
        }
        literal.piece_start = self.pos;
        let done = match literal.body {
            Body::Heredoc => self.heredoc_text(&mut literal)?,
            Body::Words => self.word_list_text(&mut literal)?,
            _ => self.string_text(&mut literal)?,
        };
        if !done {
            // Below what its `#{` may have opened: nothing, since that goes to the other stack.
            self.literals.push(literal);
        }
        Ok(())
    }

    /// Yields what was collected so far, if anything.
    pub(super) fn flush(&mut self, literal: &mut Literal) -> Step {
        let line_start = literal.heredoc.as_mut().is_some_and(|h| std::mem::take(&mut h.piece_at_line_start));
        if self.encoding != SourceEncoding::Utf8 && literal.buffer.mixes_encodings() {
            let message = format!("UTF-8 mixed within {} source", self.encoding.name());
            return Err(self.fault_at(literal.piece_start, self.pos, message));
        }
        if !literal.buffer.bytes.is_empty() {
            let piece = literal.buffer.finish(line_start);
            self.emit_piece(literal.piece_start, piece)?;
        }
        literal.piece_start = self.pos;
        Ok(())
    }

    fn unterminated(&self, literal: &Literal) -> Fault {
        let what = match literal.body {
            Body::Regexp => "unterminated regexp meets end of file",
            Body::Words => "unterminated list meets end of file",
            _ if self.src[literal.start] == b':' => "unterminated quoted string meets end of file",
            _ => "unterminated string meets end of file",
        };
        self.fault_at(literal.start, literal.start + 1, what)
    }

    /// Strings, symbols, commands, regexps. `true` when the literal is complete.
    fn string_text(&mut self, literal: &mut Literal) -> Result<bool, Fault> {
        loop {
            let Some(&byte) = self.src.get(self.pos) else { return Err(self.unterminated(literal)) };
            if byte == literal.close && literal.nest == 0 {
                self.flush(literal)?;
                let end = self.pos;
                self.pos += 1;
                if byte == b'\n' {
                    self.jump_heredocs();
                }
                self.finish_literal(literal, end)?;
                return Ok(true);
            }
            if self.nesting_delimiter(literal, byte) {
                continue;
            }
            match byte {
                b'\\' => self.backslash(literal)?,
                b'#' if literal.expands => {
                    if self.interpolation(literal)? {
                        return Ok(false);
                    }
                }
                _ => self.plain_text(literal)?,
            }
        }
    }

    /// `(` within `%(..)`: counts, and stands for itself.
    fn nesting_delimiter(&mut self, literal: &mut Literal, byte: u8) -> bool {
        if byte == literal.close {
            literal.nest -= 1;
        } else if byte == literal.open && literal.open != literal.close {
            literal.nest += 1;
        } else {
            return false;
        }
        literal.buffer.bytes.push(byte);
        self.pos += 1;
        true
    }

    /// One character that stands for itself, and the plain ASCII after it.
    pub(super) fn plain_text(&mut self, literal: &mut Literal) -> Step {
        let start = self.pos;
        match self.src[start] {
            b'\n' => {
                literal.buffer.bytes.push(b'\n');
                self.pos += 1;
                self.jump_heredocs();
            }
            b'\r' if self.at(start + 1) == b'\n' => self.pos += 1,
            byte if byte >= 0x80 => {
                let len = self.char_len(start)?;
                literal.buffer.bytes.extend_from_slice(&self.src[start..start + len]);
                self.pos += len;
            }
            _ => {
                // Delimiters, escapes, blanks and line ends are looked at one by one.
                let plain = |b: u8| b.is_ascii_alphanumeric();
                let len = self.src[start + 1..].iter().take_while(|&&b| plain(b) && b != literal.close).count();
                literal.buffer.bytes.extend_from_slice(&self.src[start..start + 1 + len]);
                self.pos += 1 + len;
            }
        }
        Ok(())
    }

    /// A backslash in a string, symbol, command or regexp.
    pub(super) fn backslash(&mut self, literal: &mut Literal) -> Step {
        let start = self.pos;
        let Some(&next) = self.src.get(start + 1) else { return Err(self.unterminated(literal)) };
        if next == b'\r' && self.at(start + 2) == b'\n' {
            self.pos += 1;
            if !literal.expands {
                literal.buffer.bytes.push(b'\\');
            }
            return Ok(());
        }
        if literal.body == Body::Regexp {
            return self.regexp_backslash(literal, next);
        }
        if next == b'\n' {
            if !literal.expands {
                literal.buffer.bytes.extend_from_slice(b"\\\n");
            }
            self.pos += 2;
            self.jump_heredocs();
            return Ok(());
        }
        if literal.expands {
            return self.escape(&mut literal.buffer, 0);
        }
        let delimiter = next == literal.close || (next == literal.open && literal.body != Body::Heredoc);
        if next != b'\\' && !delimiter {
            literal.buffer.bytes.push(b'\\');
        }
        if next >= 0x80 {
            self.pos += 1;
            return self.plain_text(literal);
        }
        literal.buffer.bytes.push(next);
        self.pos += 2;
        Ok(())
    }

    /// In a regexp escapes stay as written, but for a delimiter that means nothing special.
    fn regexp_backslash(&mut self, literal: &mut Literal, next: u8) -> Step {
        let start = self.pos;
        match next {
            b'\n' => {
                self.pos += 2;
                self.jump_heredocs();
            }
            b'c' | b'C' | b'M' => {
                let mut byte = self.new_piece();
                self.escape(&mut byte, 0)?;
                for byte in byte.bytes {
                    literal.buffer.bytes.extend_from_slice(format!("\\x{byte:02X}").as_bytes());
                }
            }
            _ if next == literal.close && !b"$*+.?^|)]}>".contains(&next) => {
                literal.buffer.bytes.push(next);
                self.pos += 2;
            }
            _ if next >= 0x80 => {
                literal.buffer.bytes.push(b'\\');
                self.pos += 1;
                self.plain_text(literal)?;
            }
            b'u' | b'x' | b'0'..=b'7' => {
                // Checked here, kept as text.
                let mut checked = self.new_piece();
                self.escape(&mut checked, 0)?;
                literal.buffer.bytes.extend_from_slice(&self.src[start..self.pos]);
            }
            _ => {
                literal.buffer.bytes.extend_from_slice(&[b'\\', next]);
                self.pos += 2;
            }
        }
        Ok(())
    }

    /// A `#` in a literal that expands: `true` if code follows (a token was yielded).
    pub(super) fn interpolation(&mut self, literal: &mut Literal) -> Result<bool, Fault> {
        let start = self.pos;
        let next = self.at(start + 1);
        if next == b'{' {
            self.flush(literal)?;
            self.pos = start + 2;
            self.emit(start, Tok::DBeg)?;
            literal.suspended = true;
            literal.has_code = true;
            literal.in_word = true;
            self.push(Open::Embed, start)?;
            self.begin_statement();
            self.state = State::BEG;
            self.command_start = true;
            return Ok(true);
        }
        if matches!(next, b'@' | b'$')
            && self.variable_follows(start + 1, literal.close)
            && let Some((raw, len)) = raw::next(self.rest(start + 1))
            && matches!(raw, Raw::Ivar | Raw::Cvar | Raw::Gvar | Raw::NthRef | Raw::BackRef)
        {
            self.flush(literal)?;
            literal.has_code = true;
            literal.in_word = true;
            self.pos = start + 1;
            self.emit(start, Tok::DVar)?;
            self.pos = start + 1 + len;
            let tok = self.sigil_token(start + 1, raw)?;
            self.emit(start + 1, tok)?;
            return Ok(true);
        }
        literal.buffer.bytes.push(b'#');
        self.pos += 1;
        Ok(false)
    }

    /// Is what follows `#` the name of a variable? The delimiter's own byte never is.
    fn variable_follows(&self, index: usize, close: u8) -> bool {
        let letter = |b: u8| b >= 0x80 || b == b'_' || b.is_ascii_alphabetic();
        let next = self.at(index + 1);
        if self.at(index) == b'@' {
            return letter(if next == b'@' { self.at(index + 2) } else { next });
        }
        match next {
            b'-' => is_ident_byte(self.at(index + 2)),
            _ if next == close => false,
            _ => letter(next) || next.is_ascii_digit() || b"~*$?!@/\\;,.=:<>\"&`'+".contains(&next),
        }
    }

    /// `%w[..]` and its kin. `true` when the list is complete.
    fn word_list_text(&mut self, literal: &mut Literal) -> Result<bool, Fault> {
        loop {
            let Some(&byte) = self.src.get(self.pos) else { return Err(self.unterminated(literal)) };
            let closes = byte == literal.close && literal.nest == 0;
            if is_space(byte) || closes {
                self.flush(literal)?;
                if std::mem::take(&mut literal.in_word) {
                    self.emit(self.pos, Tok::WordSep)?;
                }
                self.pos += 1;
                if closes {
                    self.finish_literal(literal, self.pos - 1)?;
                    return Ok(true);
                }
                if byte == b'\n' {
                    self.jump_heredocs();
                }
                literal.piece_start = self.pos;
                if !self.queue.is_empty() {
                    return Ok(false);
                }
                continue;
            }
            literal.in_word = true;
            if self.nesting_delimiter(literal, byte) {
                continue;
            }
            match byte {
                b'\\' => self.word_backslash(literal)?,
                b'#' if literal.expands => {
                    if self.interpolation(literal)? {
                        return Ok(false);
                    }
                }
                _ => self.plain_text(literal)?,
            }
        }
    }

    fn word_backslash(&mut self, literal: &mut Literal) -> Step {
        let next = self.at(self.pos + 1);
        if is_space(next) {
            literal.buffer.bytes.push(next);
            self.pos += 2;
            if next == b'\n' {
                self.jump_heredocs();
            }
            return Ok(());
        }
        self.backslash(literal)
    }

    /// The closing delimiter stands at `end`, the lexer after it.
    fn finish_literal(&mut self, literal: &Literal, end: usize) -> Step {
        let label = literal.body == Body::LabelOrString && self.at(self.pos) == b':' && self.at(self.pos + 1) != b':';
        if literal.body == Body::Regexp {
            let flags = self.regexp_flags()?;
            self.captures.clear();
            if !literal.has_code {
                self.captures = named_captures(&self.src[literal.start..end]);
            }
            self.emit(end, Tok::RegexpEnd(flags))?;
        } else if label {
            self.pos += 1;
            if self.top_ref().pattern && !literal.has_code && self.label_binds() {
                let name = self.name(literal.start + 1, end)?;
                self.locals.assign(&name);
            }
            self.emit(end, Tok::LabelEnd)?;
            self.state = State::ARG.or(State::LABELED);
            return Ok(());
        } else {
            self.emit(end, Tok::StrEnd(NO_DEDENT))?;
        }
        self.state = State::END;
        if literal.item {
            self.item_done();
        }
        Ok(())
    }

    /// The letters after a regexp's closing delimiter.
    fn regexp_flags(&mut self) -> Result<RegexFlags, Fault> {
        let start = self.pos;
        let mut flags = RegexFlags::default();
        let mut unknown = String::new();
        while self.at(self.pos).is_ascii_alphabetic() {
            match self.src[self.pos] {
                b'i' => flags.ignore_case = true,
                b'x' => flags.extended = true,
                b'm' => flags.multi_line = true,
                b'o' => flags.once = true,
                letter @ (b'n' | b'e' | b's' | b'u') => flags.enc = letter,
                letter => unknown.push(letter as char),
            }
            self.pos += 1;
        }
        if unknown.is_empty() {
            return Ok(flags);
        }
        let plural = if unknown.len() > 1 { "s" } else { "" };
        Err(self.fault_at(start, self.pos, format!("unknown regexp option{plural} - {unknown}")))
    }
}

/// Names of `(?<name>...)` groups that can be local variables, in order, each once.
pub fn named_captures(regexp: &[u8]) -> Vec<Name> {
    let mut names: Vec<Name> = Vec::new();
    let mut index = 0;
    let mut class_depth = 0;
    while index < regexp.len() {
        match regexp[index] {
            b'\\' => index += 1,
            b'[' => class_depth += 1,
            b']' if class_depth > 0 => class_depth -= 1,
            b'(' if class_depth == 0 => {
                let open = match &regexp[index..] {
                    [b'(', b'?', b'<', rest @ ..] => Some((rest, b'>')),
                    [b'(', b'?', b'\'', rest @ ..] => Some((rest, b'\'')),
                    _ => None,
                };
                if let Some((rest, close)) = open
                    && let Some(len) = rest.iter().position(|&b| b == close)
                    && let Ok(name) = std::str::from_utf8(&rest[..len])
                    && is_variable_name(name)
                    && !names.iter().any(|n| &**n == name)
                {
                    names.push(name.into());
                }
            }
            _ => {}
        }
        index += 1;
    }
    names
}

fn is_variable_name(name: &str) -> bool {
    let starts = name.chars().next().is_some_and(|c| c == '_' || (c.is_alphabetic() && !c.is_uppercase()));
    starts && name.bytes().all(is_ident_byte) && !is_keyword(name.as_bytes())
}
