//! Backslash escapes of double-quoted literals.

use super::raw::is_space;
use super::{Fault, Lexer, SourceEncoding, Step};
use crate::ast::LitEnc;
use crate::token::Piece;

/// Text of a literal while it is collected.
#[derive(Debug, Default)]
pub struct Buffer {
    pub bytes: Vec<u8>,
    /// A `\u` escape above ASCII came.
    utf8: bool,
    /// A `\x`, octal, `\M` escape above ASCII came.
    binary: bool,
    /// In a US-ASCII source such escapes make the literal BINARY.
    ascii_source: bool,
}

impl Buffer {
    pub fn finish(&mut self, line_start: bool) -> Piece {
        let enc = if self.utf8 {
            LitEnc::Utf8
        } else if self.binary && self.ascii_source {
            LitEnc::Binary
        } else {
            LitEnc::Source
        };
        (self.utf8, self.binary) = (false, false);
        Piece { bytes: std::mem::take(&mut self.bytes).into(), enc, line_start }
    }

    /// `\u` escapes and bytes of another encoding came together.
    pub fn mixes_encodings(&self) -> bool {
        self.utf8 && (self.binary || std::str::from_utf8(&self.bytes).is_err())
    }

    fn push_byte(&mut self, byte: u8) {
        self.binary |= byte >= 0x80;
        self.bytes.push(byte);
    }

    fn push_char(&mut self, code: u32) {
        self.utf8 |= code >= 0x80;
        // Surrogates are refused before; what is left has a UTF-8 form.
        let char = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
        self.bytes.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
    }
}

/// Bits of `\M-` and `\C-` around an escape.
const META: u8 = 1;
const CONTROL: u8 = 2;

impl Lexer<'_> {
    pub(super) fn new_piece(&self) -> Buffer {
        Buffer { ascii_source: self.encoding == SourceEncoding::Ascii, ..Buffer::default() }
    }

    /// Reads the escape at the lexer's place (on its backslash) into `out`. `modifiers` are `\M-`, `\C-` around it.
    pub(super) fn escape(&mut self, out: &mut Buffer, modifiers: u8) -> Step {
        let mut modifiers = modifiers;
        loop {
            let start = self.pos;
            let letter = self.at(start + 1);
            if start + 1 >= self.src.len() {
                return Err(self.fault_at(start, start + 1, "Invalid escape character syntax"));
            }
            self.pos += 2;
            let byte = match letter {
                b'n' => b'\n',
                b't' => b'\t',
                b's' => b' ',
                b'r' => b'\r',
                b'0'..=b'7' => self.octal(start + 1),
                b'x' => self.hex(start)?,
                b'a' => 7,
                b'b' => 8,
                b'e' => 27,
                b'f' => 12,
                b'v' => 11,
                b'u' if modifiers == 0 => return self.unicode(out, start),
                b'u' => return Err(self.bad_escape(start)),
                b'M' | b'C' | b'c' => {
                    let bit = if letter == b'M' { META } else { CONTROL };
                    if letter != b'c' {
                        if self.at(self.pos) != b'-' {
                            return Err(self.bad_escape(start));
                        }
                        self.pos += 1;
                    }
                    if modifiers & bit != 0 {
                        return Err(self.bad_escape(start));
                    }
                    modifiers |= bit;
                    let next = self.at(self.pos);
                    if self.pos >= self.src.len() || next >= 0x80 || next == b'\n' {
                        return Err(self.bad_escape(start));
                    }
                    if next == b'\\' {
                        continue;
                    }
                    self.pos += 1;
                    if next == b'?' && modifiers & CONTROL != 0 {
                        modifiers &= !CONTROL;
                        127
                    } else {
                        next
                    }
                }
                _ => {
                    if modifiers != 0 && (letter >= 0x80 || is_space(letter)) {
                        return Err(self.bad_escape(start));
                    }
                    if letter >= 0x80 {
                        let len = self.char_len(start + 1)?;
                        out.bytes.extend_from_slice(&self.src[start + 1..start + 1 + len]);
                        self.pos = start + 1 + len;
                        return Ok(());
                    }
                    letter
                }
            };
            let mut byte = byte;
            if modifiers & CONTROL != 0 {
                byte = if byte == b'?' { 127 } else { byte & 0x9f };
            }
            if modifiers & META != 0 {
                byte |= 0x80;
            }
            out.push_byte(byte);
            return Ok(());
        }
    }

    fn bad_escape(&self, start: usize) -> Fault {
        self.fault_at(start, self.pos.max(start + 1), "Invalid escape character syntax")
    }

    fn octal(&mut self, first: usize) -> u8 {
        let mut value = 0u32;
        self.pos = first;
        while self.pos < first + 3 && matches!(self.at(self.pos), b'0'..=b'7') {
            value = value * 8 + u32::from(self.at(self.pos) - b'0');
            self.pos += 1;
        }
        value as u8
    }

    fn hex(&mut self, start: usize) -> Result<u8, Fault> {
        let (value, digits) = self.hex_digits(2);
        if digits == 0 { Err(self.fault_at(start, start + 2, "invalid hex escape")) } else { Ok(value as u8) }
    }

    /// Reads up to `most` hex digits: their value and how many there were.
    fn hex_digits(&mut self, most: usize) -> (u32, usize) {
        let (mut value, mut count) = (0u32, 0);
        while count < most
            && let Some(digit) = (self.at(self.pos) as char).to_digit(16)
        {
            value = value << 4 | digit;
            count += 1;
            self.pos += 1;
        }
        (value, count)
    }

    /// `\uXXXX` or `\u{X X X}`; the lexer stands after the `u`.
    fn unicode(&mut self, out: &mut Buffer, start: usize) -> Step {
        if self.at(self.pos) != b'{' {
            let (code, digits) = self.hex_digits(4);
            if digits < 4 {
                return Err(self.fault_at(start, self.pos, "invalid Unicode escape"));
            }
            return self.code_point(out, start, code);
        }
        self.pos += 1;
        let mut any = false;
        loop {
            self.pos = self.skip_blanks(self.pos);
            if self.at(self.pos) == b'}' {
                self.pos += 1;
                if !any {
                    return Err(self.fault_at(start, self.pos, "invalid Unicode escape"));
                }
                return Ok(());
            }
            let (code, digits) = self.hex_digits(7);
            match digits {
                0 if self.pos >= self.src.len() => {
                    return Err(self.fault_at(start, self.pos, "unterminated Unicode escape"));
                }
                0 => return Err(self.fault_at(start, self.pos, "invalid Unicode escape")),
                7 => return Err(self.fault_at(start, self.pos, "invalid Unicode codepoint (too large)")),
                _ => self.code_point(out, start, code)?,
            }
            any = true;
        }
    }

    fn code_point(&mut self, out: &mut Buffer, start: usize, code: u32) -> Step {
        let message = match code {
            0xd800..=0xdfff => "invalid Unicode codepoint",
            0x11_0000.. => "invalid Unicode codepoint (too large)",
            _ => {
                out.push_char(code);
                return Ok(());
            }
        };
        Err(self.fault_at(start, self.pos, message))
    }
}
