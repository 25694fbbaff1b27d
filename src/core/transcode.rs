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
    let known = |e: Enc| !matches!(e, Enc::Utf7 | Enc::EmacsMule | Enc::EucTw | Enc::Ibm437);
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

/// The tables of encodings that are not worked out here.
fn table(enc: Enc) -> Option<&'static encoding_rs::Encoding> {
    use encoding_rs as rs;
    Some(match enc {
        Enc::EucJp => rs::EUC_JP,
        Enc::ShiftJis | Enc::Windows31J => rs::SHIFT_JIS,
        Enc::Iso2022Jp => rs::ISO_2022_JP,
        Enc::EucKr => rs::EUC_KR,
        Enc::Big5 => rs::BIG5,
        Enc::Gbk => rs::GBK,
        Enc::Gb18030 => rs::GB18030,
        Enc::Iso8859x2 => rs::ISO_8859_2,
        Enc::Iso8859x3 => rs::ISO_8859_3,
        Enc::Iso8859x4 => rs::ISO_8859_4,
        Enc::Iso8859x5 => rs::ISO_8859_5,
        Enc::Iso8859x6 => rs::ISO_8859_6,
        Enc::Iso8859x7 => rs::ISO_8859_7,
        Enc::Iso8859x8 => rs::ISO_8859_8,
        Enc::Iso8859x10 => rs::ISO_8859_10,
        Enc::Iso8859x13 => rs::ISO_8859_13,
        Enc::Iso8859x14 => rs::ISO_8859_14,
        Enc::Iso8859x16 => rs::ISO_8859_16,
        // These two are subsets of Windows code pages but for 0x80..0xa0.
        Enc::Iso8859x9 | Enc::Windows1254 => rs::WINDOWS_1254,
        Enc::Iso8859x11 => rs::WINDOWS_874,
        Enc::Windows1250 => rs::WINDOWS_1250,
        Enc::Windows1251 => rs::WINDOWS_1251,
        Enc::Windows1253 => rs::WINDOWS_1253,
        Enc::Windows1255 => rs::WINDOWS_1255,
        Enc::Windows1256 => rs::WINDOWS_1256,
        Enc::Windows1257 => rs::WINDOWS_1257,
        Enc::Windows1258 => rs::WINDOWS_1258,
        Enc::Koi8R => rs::KOI8_R,
        Enc::Koi8U => rs::KOI8_U,
        Enc::Ibm866 => rs::IBM866,
        _ => return None,
    })
}
/// Characters that JIS encodings map differently in CRuby than the tables do: (table, CRuby).
const JIS: [(u32, u32); 6] =
    [(0xff5e, 0x301c), (0x2225, 0x2016), (0xff0d, 0x2212), (0xffe0, 0xa2), (0xffe1, 0xa3), (0xffe2, 0xac)];
fn is_jis(enc: Enc) -> bool {
    matches!(enc, Enc::EucJp | Enc::ShiftJis | Enc::Iso2022Jp)
}
fn c1_is_control(enc: Enc) -> bool {
    matches!(enc, Enc::Iso8859x9 | Enc::Iso8859x11)
}
/// Unicode characters of one character's bytes, by table.
fn by_table(enc: Enc, b: &[u8]) -> Option<u32> {
    if c1_is_control(enc) && (0x80..0xa0).contains(&b[0]) {
        return Some(b[0] as u32);
    }
    let text = table(enc)?.decode_without_bom_handling_and_without_replacement(b)?;
    let c = text.chars().next()? as u32;
    // Code pages leave bytes undefined that the tables make control characters.
    let windows = matches!(
        enc,
        Enc::Windows1250
            | Enc::Windows1251
            | Enc::Windows1253
            | Enc::Windows1254
            | Enc::Windows1255
            | Enc::Windows1256
            | Enc::Windows1257
            | Enc::Windows1258
    );
    if windows && (0x80..0xa0).contains(&c) {
        return None;
    }
    Some(if is_jis(enc) { JIS.iter().find(|p| p.0 == c).map_or(c, |p| p.1) } else { c })
}
/// Bytes of a Unicode character, by table.
fn to_table(enc: Enc, c: u32, out: &mut Vec<u8>) -> bool {
    if c1_is_control(enc) && c < 0xa0 {
        out.push(c as u8);
        return true;
    }
    let c = if is_jis(enc) { JIS.iter().find(|p| p.1 == c).map_or(c, |p| p.0) } else { c };
    let (Some(t), Some(c)) = (table(enc), char::from_u32(c)) else { return false };
    let mut buf = [0; 16];
    let mut text = [0; 4];
    let (r, _, n) = t.new_encoder().encode_from_utf8_without_replacement(c.encode_utf8(&mut text), &mut buf, true);
    if !matches!(r, encoding_rs::EncoderResult::InputEmpty) || c1_is_control(enc) && buf[0] < 0xa0 {
        return false;
    }
    out.extend_from_slice(&buf[..n]);
    true
}

/// Unicode code of a one-byte character.
fn single_to_unicode(enc: Enc, b: u8) -> Option<u32> {
    match enc {
        _ if b < 0x80 => Some(b as u32),
        Enc::Latin1 => Some(b as u32),
        Enc::Latin9 => Some(LATIN9.iter().find(|p| p.0 == b).map_or(b as u32, |p| p.1 as u32)),
        Enc::Windows1252 if b < 0xa0 => Some(CP1252[b as usize - 0x80] as u32).filter(|&c| c != 0),
        Enc::Windows1252 => Some(b as u32),
        _ => by_table(enc, &[b]),
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
        _ => return to_table(enc, c, out),
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
    if !enc.single_byte() {
        if st.code.is_none() {
            // A lead byte at the end waits for more; before something else it is wrong by itself.
            let incomplete = b.len() == 1 && b[0] >= 0x81;
            let again = (b.len() > 1 && b[0] >= 0x81) as usize;
            return Err(Stop::Invalid { at: 0, end: 1, again, incomplete });
        }
        let found = if st.len == 1 && b[0] < 0x80 { Some(b[0] as u32) } else { by_table(enc, &b[..st.len]) };
        return found.map(|c| (st.len, c)).ok_or(Stop::Undefined { at: 0, end: st.len, code: None });
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
    /// the encoding asked for; `to` is what it turned out to be
    goal: Enc,
    /// escape of the character set of the character written last
    set: Option<[u8; 3]>,
}

impl Transcoder {
    pub fn new(from: Enc, to: Enc, options: Options) -> Transcoder {
        Transcoder { from, to, options, out: Vec::new(), started: false, goal: to, set: None }
    }
    fn put(&mut self, c: u32) -> bool {
        if self.to == Enc::Iso2022Jp {
            return self.put_switching(c);
        }
        put_unicode(self.to, c, &mut self.out)
    }
    /// ISO-2022-JP: escapes of characters next to one another in the same set are merged.
    fn put_switching(&mut self, c: u32) -> bool {
        const BACK: &[u8] = b"\x1b(B";
        let mut one = Vec::new();
        if !to_table(Enc::Iso2022Jp, c, &mut one) {
            return false;
        }
        // The set the text is in now, if it is not ASCII: the escape its last character began with.
        if self.out.ends_with(BACK)
            && one.first() == Some(&0x1b)
            && self.set.is_some_and(|set| one.get(..3) == Some(&set[..]))
        {
            self.out.truncate(self.out.len() - BACK.len());
            self.out.extend_from_slice(&one[3..]);
        } else {
            self.out.extend_from_slice(&one);
        }
        self.set = one.first_chunk::<3>().copied().filter(|s| s[0] == 0x1b);
        true
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
    pub fn convert(&mut self, b: &[u8], at: usize) -> Result<(), Stop> {
        if self.from == Enc::Iso2022Jp {
            // Escapes switch character sets: the text is read as a whole.
            let Some(text) = encoding_rs::ISO_2022_JP.decode_without_bom_handling_and_without_replacement(b) else {
                return Err(Stop::Invalid { at: 0, end: b.len(), again: 0, incomplete: false });
            };
            let text: String = text
                .chars()
                .map(|c| JIS.iter().find(|p| p.0 == c as u32).and_then(|p| char::from_u32(p.1)).unwrap_or(c))
                .collect();
            self.from = Enc::Utf8;
            let r = self.convert(text.as_bytes(), 0);
            self.from = Enc::Iso2022Jp;
            return r;
        }
        self.convert_from(b, at)
    }
    fn convert_from(&mut self, b: &[u8], mut at: usize) -> Result<(), Stop> {
        if !self.started {
            self.started = true;
            // UTF-16 and UTF-32 without a byte order: a mark tells it, big end first by default.
            match self.to {
                Enc::Utf16 => self.to = Enc::Utf16Be,
                Enc::Utf32 => self.to = Enc::Utf32Be,
                _ => {}
            }
            if self.to != self.goal {
                self.put(0xfeff);
            }
            let wide = self.from == Enc::Utf32;
            if wide || self.from == Enc::Utf16 {
                let (le, be): (&[u8], &[u8]) =
                    if wide { (&[0xff, 0xfe, 0, 0], &[0, 0, 0xfe, 0xff]) } else { (&[0xff, 0xfe], &[0xfe, 0xff]) };
                let little = at == 0 && b.starts_with(le);
                if little || at == 0 && b.starts_with(be) {
                    at = le.len();
                }
                self.from = match (wide, little) {
                    (true, true) => Enc::Utf32Le,
                    (true, false) => Enc::Utf32Be,
                    (false, true) => Enc::Utf16Le,
                    (false, false) => Enc::Utf16Be,
                };
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
