//! Magic comments and the source encoding.

use crate::ast::Magic;

/// Encoding of a source text, as far as the lexer must know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceEncoding {
    Utf8,
    Ascii,
    Binary,
    /// Shift_JIS and its kin: the second byte of a character may be ASCII.
    ShiftJis,
    /// EUC and others whose multibyte characters hold no ASCII bytes.
    Other,
}

impl SourceEncoding {
    pub fn name(self) -> &'static str {
        match self {
            SourceEncoding::Utf8 => "UTF-8",
            SourceEncoding::Ascii => "US-ASCII",
            SourceEncoding::Binary => "BINARY",
            SourceEncoding::ShiftJis => "Shift_JIS",
            SourceEncoding::Other => "source encoding",
        }
    }

    /// Length of the character at the start of `text`; `None` if it is malformed.
    pub fn char_len(self, text: &[u8]) -> Option<usize> {
        let first = *text.first()?;
        if first < 0x80 {
            return Some(1);
        }
        match self {
            SourceEncoding::Utf8 => {
                let len = match first {
                    0xc2..=0xdf => 2,
                    0xe0..=0xef => 3,
                    0xf0..=0xf4 => 4,
                    _ => return None,
                };
                std::str::from_utf8(text.get(..len)?).ok().map(|_| len)
            }
            SourceEncoding::Ascii => None,
            SourceEncoding::ShiftJis => {
                let double = matches!(first, 0x81..=0x9f | 0xe0..=0xfc) && text.len() > 1 && text[1] != b'\n';
                Some(if double { 2 } else { 1 })
            }
            SourceEncoding::Binary | SourceEncoding::Other => Some(1),
        }
    }
}

/// What the comments of a text ask for.
#[derive(Debug, Default)]
pub struct Comments {
    pub magic: Magic,
}

impl Comments {
    /// Reads the encoding comment, which stands in the first line, or in the second after `#!`.
    pub fn read_head(text: &[u8]) -> Comments {
        let mut comments = Comments::default();
        for (index, line) in text.split(|&b| b == b'\n').take(2).enumerate() {
            let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
            let line = line.trim_ascii_start();
            if !line.starts_with(b"#") {
                break;
            }
            if let Some(name) = encoding_name(line) {
                comments.magic.encoding = Some(name);
                break;
            }
            if index == 0 && !line.starts_with(b"#!") && !line.starts_with(b"#") {
                break;
            }
        }
        comments
    }

    pub fn source_encoding(&self) -> SourceEncoding {
        let Some(name) = &self.magic.encoding else { return SourceEncoding::Utf8 };
        let name = name.to_ascii_lowercase().replace('_', "-");
        match name.as_str() {
            "us-ascii" | "ascii" | "ansi-x3.4-1968" | "646" => SourceEncoding::Ascii,
            "ascii-8bit" | "binary" => SourceEncoding::Binary,
            "shift-jis" | "sjis" | "windows-31j" | "csshiftjis" | "cp932" | "cswindows31j" | "macjapanese"
            | "macjapan" | "big5" | "big5-hkscs" | "big5-uao" | "cp950" | "cp951" | "gbk" | "cp936" | "gb18030" => {
                SourceEncoding::ShiftJis
            }
            _ if name.starts_with("utf-8") || name.starts_with("utf8") => SourceEncoding::Utf8,
            _ => SourceEncoding::Other,
        }
    }

    /// A comment that begins with `#`. `head`: no code came before it.
    pub fn line(&mut self, comment: &[u8], head: bool) {
        // Cheap refusal first: most comments are prose.
        if comment.len() > 200 || !comment.contains(&b':') {
            return;
        }
        let Ok(text) = std::str::from_utf8(comment) else { return };
        let text = text.trim_start_matches('#');
        match text.split_once("-*-").and_then(|(_, rest)| rest.split_once("-*-")) {
            Some((settings, _)) => settings.split(';').for_each(|setting| self.setting(setting, head)),
            None => self.setting(text, head),
        }
    }

    fn setting(&mut self, text: &str, head: bool) {
        let Some((key, value)) = text.split_once(':') else { return };
        let key = key.trim().replace('-', "_").to_ascii_lowercase();
        let value = value.trim().trim_matches('"').to_ascii_lowercase();
        match key.as_str() {
            "frozen_string_literal" if head => match value.as_str() {
                "true" => self.magic.frozen_string_literal = Some(true),
                "false" => self.magic.frozen_string_literal = Some(false),
                _ => {}
            },
            "warn_indent" => self.magic.warn_indent = value == "true",
            "shareable_constant_value" => {
                if matches!(value.as_str(), "none" | "literal" | "experimental_copy" | "experimental_everything") {
                    self.magic.shareable_constant_value = Some(value);
                }
            }
            _ => {}
        }
    }
}

/// The name after `coding:` or `coding=` in a comment line.
fn encoding_name(line: &[u8]) -> Option<String> {
    let at = line.windows(6).position(|w| w.eq_ignore_ascii_case(b"coding"))?;
    let rest = line[at + 6..].trim_ascii_start();
    let rest = rest.strip_prefix(b":").or_else(|| rest.strip_prefix(b"="))?.trim_ascii_start();
    let rest = rest.strip_prefix(b"\"").unwrap_or(rest);
    let len = rest.iter().take_while(|&&b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.')).count();
    (len > 0).then(|| String::from_utf8_lossy(&rest[..len]).into_owned())
}
