//! Characters: how each encoding cuts bytes into characters and codes. Pure functions over bytes.

use super::{CodeRange, Enc};

/// One step through a string's bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// bytes of the character; at least 1, never past the end
    pub len: usize,
    /// its code, `None` if the bytes are not a character
    pub code: Option<u32>,
}

/// Decodes the first UTF-8 character of `b` (not empty).
#[inline]
fn utf8_step(b: &[u8]) -> Step {
    let bad = Step { len: 1, code: None };
    let b0 = b[0];
    let cont =
        |i: usize, lo: u8, hi: u8| b.get(i).copied().filter(|c| (lo..=hi).contains(c)).map(|c| (c & 0x3f) as u32);
    match b0 {
        0..=0x7f => Step { len: 1, code: Some(b0 as u32) },
        0xc2..=0xdf => match cont(1, 0x80, 0xbf) {
            Some(a) => Step { len: 2, code: Some(((b0 & 0x1f) as u32) << 6 | a) },
            None => bad,
        },
        0xe0..=0xef => {
            let (lo, hi) = match b0 {
                0xe0 => (0xa0, 0xbf),
                0xed => (0x80, 0x9f),
                _ => (0x80, 0xbf),
            };
            match (cont(1, lo, hi), cont(2, 0x80, 0xbf)) {
                (Some(a), Some(c)) => Step { len: 3, code: Some(((b0 & 0x0f) as u32) << 12 | a << 6 | c) },
                _ => bad,
            }
        }
        0xf0..=0xf4 => {
            let (lo, hi) = match b0 {
                0xf0 => (0x90, 0xbf),
                0xf4 => (0x80, 0x8f),
                _ => (0x80, 0xbf),
            };
            match (cont(1, lo, hi), cont(2, 0x80, 0xbf), cont(3, 0x80, 0xbf)) {
                (Some(a), Some(c), Some(d)) => {
                    Step { len: 4, code: Some(((b0 & 0x07) as u32) << 18 | a << 12 | c << 6 | d) }
                }
                _ => bad,
            }
        }
        _ => bad,
    }
}

impl Enc {
    /// The first character of `b`, which is not empty.
    #[inline]
    pub fn step(self, b: &[u8]) -> Step {
        match self {
            Enc::Utf8 | Enc::Utf8Mac => utf8_step(b),
            Enc::Ascii => Step { len: 1, code: (b[0] < 0x80).then_some(b[0] as u32) },
            Enc::Utf16Le | Enc::Utf16Be => {
                let big = self != Enc::Utf16Le;
                let unit = |i: usize| -> Option<u32> {
                    let (x, y) = (*b.get(i)? as u32, *b.get(i + 1)? as u32);
                    Some(if big { x << 8 | y } else { y << 8 | x })
                };
                match unit(0) {
                    Some(hi @ 0xd800..=0xdbff) => match unit(2) {
                        Some(lo @ 0xdc00..=0xdfff) => {
                            Step { len: 4, code: Some(0x10000 + ((hi - 0xd800) << 10) + (lo - 0xdc00)) }
                        }
                        _ => Step { len: 2, code: None },
                    },
                    Some(0xdc00..=0xdfff) => Step { len: 2, code: None },
                    Some(c) => Step { len: 2, code: Some(c) },
                    None => Step { len: b.len().min(2), code: None },
                }
            }
            Enc::Utf32Le | Enc::Utf32Be => match b.first_chunk::<4>() {
                Some(q) => {
                    let c = if self == Enc::Utf32Le { u32::from_le_bytes(*q) } else { u32::from_be_bytes(*q) };
                    Step { len: 4, code: char::from_u32(c).map(|c| c as u32) }
                }
                None => Step { len: b.len(), code: None },
            },
            Enc::EucJp => match (b[0], b.get(1), b.get(2)) {
                (0..=0x7f, ..) => Step { len: 1, code: Some(b[0] as u32) },
                (0x8e, Some(&c @ 0xa1..=0xfe), _) => Step { len: 2, code: Some(0x8e00 | c as u32) },
                (0x8f, Some(&c @ 0xa1..=0xfe), Some(&d @ 0xa1..=0xfe)) => {
                    Step { len: 3, code: Some(0x8f0000 | (c as u32) << 8 | d as u32) }
                }
                (a @ 0xa1..=0xfe, Some(&c @ 0xa1..=0xfe), _) => Step { len: 2, code: Some((a as u32) << 8 | c as u32) },
                _ => Step { len: 1, code: None },
            },
            Enc::ShiftJis | Enc::Windows31J => match (b[0], b.get(1)) {
                (0..=0x7f | 0xa1..=0xdf, _) => Step { len: 1, code: Some(b[0] as u32) },
                (a @ (0x81..=0x9f | 0xe0..=0xfc), Some(&c @ (0x40..=0x7e | 0x80..=0xfc))) => {
                    Step { len: 2, code: Some((a as u32) << 8 | c as u32) }
                }
                _ => Step { len: 1, code: None },
            },
            Enc::EucKr | Enc::EucTw | Enc::Gbk | Enc::Gb18030 | Enc::Big5 | Enc::EmacsMule => self.lead_step(b),
            _ => Step { len: 1, code: Some(b[0] as u32) },
        }
    }

    /// Encodings whose lead byte tells the length; the code is the bytes put together.
    fn lead_step(self, b: &[u8]) -> Step {
        let second = b.get(1).copied().unwrap_or(0);
        let len = match (self, b[0]) {
            (_, 0..=0x7f) => 1,
            (Enc::EucKr, 0xa1..=0xfe) => 2,
            (Enc::EucTw, 0x8e) => 4,
            (Enc::EucTw, 0xa1..=0xfe) => 2,
            (Enc::Gb18030, 0x81..=0xfe) if second.is_ascii_digit() => 4,
            (Enc::Gbk | Enc::Gb18030 | Enc::Big5, 0x81..=0xfe) => 2,
            (Enc::EmacsMule, 0x81..=0x8f) => 2,
            (Enc::EmacsMule, 0x90..=0x9b) => 3,
            (Enc::EmacsMule, 0x9c..=0x9d) => 4,
            _ => 0,
        };
        let trail = |i: usize, c: u8| match self {
            Enc::Gb18030 if len == 4 => {
                if i % 2 == 1 {
                    c.is_ascii_digit()
                } else {
                    (0x81..=0xfe).contains(&c)
                }
            }
            Enc::Gbk | Enc::Gb18030 => matches!(c, 0x40..=0x7e | 0x80..=0xfe),
            Enc::Big5 => matches!(c, 0x40..=0x7e | 0xa1..=0xfe),
            Enc::EmacsMule => c >= 0xa0,
            _ => matches!(c, 0xa1..=0xfe),
        };
        match b.get(..len) {
            Some(all) if len > 0 && all.iter().enumerate().skip(1).all(|(i, &c)| trail(i, c)) => {
                Step { len, code: Some(all.iter().fold(0, |n, &c| n << 8 | c as u32)) }
            }
            _ => Step { len: 1, code: None },
        }
    }

    /// Bytes of the shortest character.
    pub fn min_len(self) -> usize {
        match self {
            Enc::Utf16Le | Enc::Utf16Be => 2,
            Enc::Utf32Le | Enc::Utf32Be => 4,
            _ => 1,
        }
    }
    /// Codes are Unicode scalars.
    pub fn is_unicode(self) -> bool {
        matches!(self, Enc::Utf8 | Enc::Utf8Mac | Enc::Utf16Le | Enc::Utf16Be | Enc::Utf32Le | Enc::Utf32Be)
    }
    /// Dummy encodings cannot be worked with character by character.
    pub fn is_dummy(self) -> bool {
        matches!(self, Enc::Utf16 | Enc::Utf32 | Enc::Utf7 | Enc::Iso2022Jp)
    }

    /// Appends the bytes of a code; false if the encoding has no such character.
    pub fn put(self, code: u32, out: &mut Vec<u8>) -> bool {
        match self {
            Enc::Ascii => {
                if code > 0x7f {
                    return false;
                }
                out.push(code as u8)
            }
            e if e.single_byte() => {
                if code > 0xff {
                    return false;
                }
                out.push(code as u8)
            }
            e if !e.is_unicode() => {
                let all = code.to_be_bytes();
                let b = &all[all.iter().position(|&b| b != 0).unwrap_or(3)..];
                let s = self.step(b);
                if s.len != b.len() || s.code.is_none() {
                    return false;
                }
                out.extend_from_slice(b)
            }
            _ => {
                let Some(c) = char::from_u32(code) else { return false };
                match self {
                    Enc::Utf16Le => c.encode_utf16(&mut [0; 2]).iter().for_each(|u| out.extend(u.to_le_bytes())),
                    Enc::Utf16Be => c.encode_utf16(&mut [0; 2]).iter().for_each(|u| out.extend(u.to_be_bytes())),
                    Enc::Utf32Le => out.extend(code.to_le_bytes()),
                    Enc::Utf32Be => out.extend(code.to_be_bytes()),
                    _ => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
                }
            }
        }
        true
    }

    /// What a scan of all bytes says.
    pub fn scan(self, b: &[u8]) -> CodeRange {
        if self.ascii_compatible() && b.is_ascii() {
            return CodeRange::SevenBit;
        }
        let ok = match self {
            Enc::Utf8 => std::str::from_utf8(b).is_ok(),
            Enc::Ascii => false,
            e if e.single_byte() => true,
            _ => self.chars(b).all(|s| s.2.is_some()),
        };
        if ok { CodeRange::Valid } else { CodeRange::Broken }
    }

    /// All characters of `b`: (offset, length, code).
    pub fn chars(self, b: &[u8]) -> Chars<'_> {
        Chars { enc: self, b, at: 0 }
    }

    /// Start of the character that holds byte `at` (`at` itself if it is a start or the end).
    pub fn left_edge(self, b: &[u8], at: usize) -> usize {
        if at == 0 || at >= b.len() {
            return at.min(b.len());
        }
        match self {
            Enc::Utf8 | Enc::Utf8Mac => {
                let mut i = at;
                while i > 0 && at - i < 3 && b[i] & 0xc0 == 0x80 {
                    i -= 1
                }
                if i + utf8_step(&b[i..]).len > at { i } else { at }
            }
            Enc::Utf16Le | Enc::Utf16Be => {
                let i = at & !1;
                if i >= 2 && self.step(&b[i - 2..]).len == 4 { i - 2 } else { i }
            }
            Enc::Utf32Le | Enc::Utf32Be => at & !3,
            e if !e.single_byte() => {
                let mut i = 0;
                while i < at {
                    let n = self.step(&b[i..]).len;
                    if i + n > at {
                        return i;
                    }
                    i += n;
                }
                at
            }
            _ => at,
        }
    }
    /// Start of the character before `at` (> 0).
    pub fn previous(self, b: &[u8], at: usize) -> usize {
        if at == 0 { 0 } else { self.left_edge(b, at - 1) }
    }
}

/// Iterator of `Enc::chars`.
pub struct Chars<'a> {
    enc: Enc,
    b: &'a [u8],
    at: usize,
}

impl Iterator for Chars<'_> {
    type Item = (usize, usize, Option<u32>);
    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.b.get(self.at..)?;
        if rest.is_empty() {
            return None;
        }
        let s = self.enc.step(rest);
        let at = self.at;
        self.at += s.len;
        Some((at, s.len, s.code))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_utf8_steps_byte_by_byte() {
        let lens = |b: &[u8]| Enc::Utf8.chars(b).map(|c| c.1).collect::<Vec<_>>();
        assert_eq!(lens("aé日😀".as_bytes()), [1, 2, 3, 4]);
        assert_eq!(lens(b"\xe3\x81"), [1, 1]);
        assert_eq!(lens(b"\xed\xa0\x80"), [1, 1, 1]);
        assert_eq!(Enc::Utf8.left_edge("a日b".as_bytes(), 3), 1);
        assert_eq!(Enc::Utf16Le.step(&[0x3d, 0xd8, 0, 0xde]).code, Some(0x1f600));
    }
}
