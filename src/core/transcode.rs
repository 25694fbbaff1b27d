//! Converting bytes between encodings, by way of Unicode. No Ruby values here.

use crate::object::Enc;

/// Options of a conversion.
#[derive(Clone, Default)]
pub struct Options {
    /// invalid bytes are replaced instead of being an error
    pub invalid: bool,
    /// characters the target lacks are replaced
    pub undef: bool,
    /// in the target encoding; the default otherwise
    pub replacement: Option<Vec<u8>>,
    pub newline: Newline,
    pub xml: Xml,
}
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub enum Newline {
    #[default]
    Keep,
    /// CR LF and CR become LF
    Universal,
    /// LF becomes CR LF
    CrLf,
    /// LF becomes CR
    Cr,
    /// CR LF becomes LF
    Lf,
}
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub enum Xml {
    #[default]
    No,
    Text,
    /// with quotes around
    Attr,
}

/// Why a conversion stopped; byte positions are those of the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// bytes `at..end` are no character; `again`: bytes behind them that showed it
    Invalid { at: usize, end: usize, again: usize, incomplete: bool },
    /// the character at `at..end` is missing in the target (`code`), or has no meaning in the source (`None`)
    Undefined { at: usize, end: usize, code: Option<u32> },
}

/// Whether there is a way from one to the other.
pub fn has_converter(from: Enc, to: Enc) -> bool {
    let known = |e: Enc| !matches!(e, Enc::EucJp | Enc::ShiftJis | Enc::Windows31J | Enc::Utf7);
    known(from) && known(to)
}

const CP1252: [u16; 32] = [
    0x20ac, 0, 0x201a, 0x192, 0x201e, 0x2026, 0x2020, 0x2021, 0x2c6, 0x2030, 0x160, 0x2039, 0x152, 0, 0x17d, 0, 0,
    0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x2dc, 0x2122, 0x161, 0x203a, 0x153, 0, 0x17e, 0x178,
];
const LATIN9: [(u8, u16); 8] = [
    (0xa4, 0x20ac),
    (0xa6, 0x160),
    (0xa8, 0x161),
    (0xb4, 0x17d),
    (0xb8, 0x17e),
    (0xbc, 0x152),
    (0xbd, 0x153),
    (0xbe, 0x178),
];

/// Unicode code of a one-byte character.
fn single_to_unicode(enc: Enc, b: u8) -> Option<u32> {
    match enc {
        _ if b < 0x80 => Some(b as u32),
        Enc::Latin1 => Some(b as u32),
        Enc::Latin9 => Some(LATIN9.iter().find(|p| p.0 == b).map_or(b as u32, |p| p.1 as u32)),
        Enc::Windows1252 if b < 0xa0 => Some(CP1252[b as usize - 0x80] as u32).filter(|&c| c != 0),
        Enc::Windows1252 => Some(b as u32),
        _ => None,
    }
}
/// Appends a Unicode character in `enc`; false if it has none.
pub fn put_unicode(enc: Enc, c: u32, out: &mut Vec<u8>) -> bool {
    let byte = match enc {
        _ if enc.is_unicode() => return enc.put(c, out),
        _ if c < 0x80 => Some(c as u8),
        Enc::Latin1 => u8::try_from(c).ok(),
        Enc::Latin9 => match LATIN9.iter().find(|p| p.1 as u32 == c) {
            Some(p) => Some(p.0),
            None => u8::try_from(c).ok().filter(|b| !LATIN9.iter().any(|p| p.0 == *b)),
        },
        Enc::Windows1252 => match CP1252.iter().position(|&x| x as u32 == c) {
            Some(i) if c != 0 => Some(0x80 + i as u8),
            _ => u8::try_from(c).ok().filter(|&b| b >= 0xa0),
        },
        _ => None,
    };
    match byte {
        Some(b) => {
            out.push(b);
            true
        }
        None => false,
    }
}

/// One character of the source as Unicode: (length, code), or why not. Positions in `Stop` are relative to `b`.
fn decode(enc: Enc, b: &[u8]) -> Result<(usize, u32), Stop> {
    let st = enc.step(b);
    if enc.is_unicode() {
        if let Some(c) = st.code {
            return Ok((st.len, c));
        }
        return Err(match enc {
            Enc::Utf8 => {
                let (n, whole) = match std::str::from_utf8(&b[..b.len().min(4)]) {
                    Err(e) if e.valid_up_to() == 0 => {
                        (e.error_len().unwrap_or(b.len().min(4)), e.error_len().is_some())
                    }
                    _ => (1, true),
                };
                // A lead byte that could not go on shows it by the byte behind it.
                let lead = matches!(b[0], 0xc2..=0xf4);
                let again = (whole && lead) as usize;
                Stop::Invalid { at: 0, end: n, again: again.min(b.len() - n), incomplete: !whole }
            }
            _ => {
                let incomplete = b.len() < enc.min_len() || enc.min_len() == 2 && b.len() < 4 && high_surrogate(enc, b);
                let n = if incomplete { b.len() } else { st.len };
                Stop::Invalid { at: 0, end: n, again: 0, incomplete }
            }
        });
    }
    match single_to_unicode(enc, b[0]) {
        Some(c) => Ok((1, c)),
        None => Err(Stop::Undefined { at: 0, end: 1, code: None }),
    }
}
fn high_surrogate(enc: Enc, b: &[u8]) -> bool {
    let hi = if enc == Enc::Utf16Le { b.get(1) } else { b.first() };
    matches!(hi, Some(0xd8..=0xdb))
}

/// A conversion under way; `convert` may be called again with the rest after a `Stop` was dealt with.
pub struct Transcoder {
    from: Enc,
    to: Enc,
    options: Options,
    pub out: Vec<u8>,
    started: bool,
}

impl Transcoder {
    pub fn new(from: Enc, to: Enc, options: Options) -> Transcoder {
        Transcoder { from, to, options, out: Vec::new(), started: false }
    }
    fn put(&mut self, c: u32) -> bool {
        put_unicode(self.to, c, &mut self.out)
    }
    fn put_text(&mut self, text: &str) {
        for c in text.chars() {
            self.put(c as u32);
        }
    }
    /// Appends the replacement for something that could not be converted.
    fn replace(&mut self) {
        match self.options.replacement.clone() {
            Some(r) => self.out.extend(r),
            None if self.to.is_unicode() => {
                self.put(0xfffd);
            }
            None => self.out.push(b'?'),
        }
    }
    /// Appends text given by a fallback, in the target's encoding.
    pub fn put_raw(&mut self, b: &[u8]) {
        self.out.extend_from_slice(b)
    }

    /// Converts from byte `at`; on a stop the positions are those in `b`.
    pub fn convert(&mut self, b: &[u8], mut at: usize) -> Result<(), Stop> {
        if !self.started {
            self.started = true;
            if matches!(self.to, Enc::Utf16 | Enc::Utf32) {
                self.put(0xfeff);
            }
            if matches!(self.from, Enc::Utf16 | Enc::Utf32) && at == 0 {
                let wide = self.from == Enc::Utf32;
                let (le, be): (&[u8], &[u8]) =
                    if wide { (&[0xff, 0xfe, 0, 0], &[0, 0, 0xfe, 0xff]) } else { (&[0xff, 0xfe], &[0xfe, 0xff]) };
                if b.starts_with(le) {
                    self.from = if wide { Enc::Utf32Le } else { Enc::Utf16Le };
                    at = le.len();
                } else if b.starts_with(be) {
                    self.from = if wide { Enc::Utf32Be } else { Enc::Utf16Be };
                    at = be.len();
                }
            }
            if self.options.xml == Xml::Attr {
                self.put('"' as u32);
            }
        }
        while at < b.len() {
            match decode(self.from, &b[at..]) {
                Ok((n, c)) => {
                    self.character(b, at, n, c)?;
                    at += n;
                    if c == 13 && self.swallows_lf() && b.len() > at {
                        // The line feed of a CR LF was written for the carriage return already.
                        if let Ok((n, 10)) = decode(self.from, &b[at..]) {
                            at += n
                        }
                    }
                }
                Err(Stop::Invalid { end, again, incomplete, .. }) => {
                    if !self.options.invalid {
                        return Err(Stop::Invalid { at, end: at + end, again, incomplete });
                    }
                    self.replace();
                    at += end;
                }
                Err(Stop::Undefined { end, code, .. }) => {
                    if !self.options.undef {
                        return Err(Stop::Undefined { at, end: at + end, code });
                    }
                    self.replace();
                    at += end;
                }
            }
        }
        Ok(())
    }
    fn swallows_lf(&self) -> bool {
        self.options.newline == Newline::Universal
    }
    /// What ends the text.
    pub fn finish(&mut self) {
        if self.options.xml == Xml::Attr {
            self.put('"' as u32);
        }
    }

    fn character(&mut self, b: &[u8], at: usize, n: usize, c: u32) -> Result<(), Stop> {
        match (c, self.options.newline) {
            (13, Newline::Universal) => {
                self.put(10);
                return Ok(());
            }
            (13, Newline::Lf) if matches!(b.get(at + n..).map(|r| r.is_empty()), Some(false)) => {
                if let Ok((_, 10)) = decode(self.from, &b[at + n..]) {
                    return Ok(());
                }
            }
            (10, Newline::CrLf) => {
                self.put(13);
                self.put(10);
                return Ok(());
            }
            (10, Newline::Cr) => {
                self.put(13);
                return Ok(());
            }
            _ => {}
        }
        if self.options.xml != Xml::No {
            let name = match c {
                0x26 => Some("&amp;"),
                0x3c => Some("&lt;"),
                0x3e => Some("&gt;"),
                0x22 if self.options.xml == Xml::Attr => Some("&quot;"),
                _ => None,
            };
            if let Some(name) = name {
                self.put_text(name);
                return Ok(());
            }
        }
        if self.put(c) {
            return Ok(());
        }
        if self.options.xml != Xml::No {
            self.put_text(&format!("&#x{c:X};"));
            return Ok(());
        }
        if self.options.undef {
            self.replace();
            return Ok(());
        }
        Err(Stop::Undefined { at, end: at + n, code: Some(c) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latin_and_utf16() {
        let run = |from, to, b: &[u8]| {
            let mut t = Transcoder::new(from, to, Options::default());
            t.convert(b, 0).map(|_| t.out)
        };
        assert_eq!(run(Enc::Utf8, Enc::Latin1, "é".as_bytes()), Ok(vec![0xe9]));
        assert_eq!(run(Enc::Windows1252, Enc::Utf8, &[0x80]), Ok("€".as_bytes().to_vec()));
        assert_eq!(run(Enc::Utf8, Enc::Utf16Le, "a".as_bytes()), Ok(vec![0x61, 0]));
        assert_eq!(
            run(Enc::Utf8, Enc::Utf16Le, b"a\xe3x"),
            Err(Stop::Invalid { at: 1, end: 2, again: 1, incomplete: false })
        );
    }
}
