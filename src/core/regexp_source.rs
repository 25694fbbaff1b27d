//! Regexp source as Ruby writes it, made into what the engine understands: escapes that stand for bytes become those
//! bytes, `\w \d \s` mean ASCII unless `(?u)`, comments of extended patterns go.

use crate::object::Enc;

/// A translated source.
pub struct Translated {
    pub pattern: Vec<u8>,
    /// encoding the source can only be matched in
    pub fixed: Option<Enc>,
    /// there are byte escapes above ASCII that only an encoding gives a meaning to
    pub high: bool,
    /// group names the engine would not take, by the name they have in `pattern`
    pub renamed: Vec<(Vec<u8>, Vec<u8>)>,
    /// a mistake that the engine would let pass
    pub bad: Option<&'static str>,
}

struct Scan<'a> {
    src: &'a [u8],
    at: usize,
    enc: Enc,
    fixed: Option<Enc>,
    out: Vec<u8>,
    /// nesting of `[`
    class: usize,
    extended: bool,
    unicode: bool,
    /// (extended, unicode) outside each open group, and where it starts in `out` if it is a look-around
    groups: Vec<(bool, bool, Option<usize>)>,
    high: bool,
    property: bool,
    renamed: Vec<(Vec<u8>, Vec<u8>)>,
    bad: Option<&'static str>,
}

/// `options`: 1 ignore case, 2 extended, 4 multiline.
pub fn translate(src: &[u8], enc: Enc, options: u32) -> Result<Translated, String> {
    let mut s = Scan {
        src,
        at: 0,
        enc,
        fixed: None,
        out: Vec::with_capacity(src.len() + 16),
        class: 0,
        extended: options & 2 != 0,
        unicode: false,
        groups: Vec::new(),
        high: false,
        property: false,
        renamed: Vec::new(),
        bad: None,
    };
    s.run()?;
    if s.property && s.fixed.is_none() {
        s.fixed = Some(enc);
    }
    Ok(Translated { pattern: s.out, fixed: s.fixed, high: s.high, renamed: s.renamed, bad: s.bad })
}

impl Scan<'_> {
    fn peek(&self) -> Option<u8> {
        self.src.get(self.at).copied()
    }

    fn fix(&mut self, enc: Enc) -> Result<(), String> {
        match self.fixed {
            None => self.fixed = Some(enc),
            Some(e) if e != enc => {
                return Err(if enc == Enc::Utf8 {
                    "UTF-8 character in non UTF-8 regexp".into()
                } else {
                    "non ASCII character in UTF-8 regexp".into()
                });
            }
            _ => {}
        }
        Ok(())
    }

    fn run(&mut self) -> Result<(), String> {
        while let Some(c) = self.peek() {
            let step = self.enc.step(&self.src[self.at..]);
            if step.code.is_none() {
                return Err("invalid multibyte character".into());
            }
            if step.len > 1 || c >= 0x80 {
                self.out.extend_from_slice(&self.src[self.at..self.at + step.len]);
                self.at += step.len;
                self.fix(self.enc)?;
                continue;
            }
            self.at += 1;
            match c {
                b'\\' => self.escape()?,
                b'#' if self.extended && self.class == 0 => {
                    while let Some(c) = self.peek() {
                        self.at += 1;
                        if c == b'\n' {
                            break;
                        }
                        if c >= 0x80 && self.fixed.is_none() && self.enc == Enc::Utf8 {
                            self.fixed = Some(Enc::Utf8);
                        }
                    }
                    // Something must still separate what stands before and after.
                    self.out.push(b'\n');
                }
                b'[' => {
                    // A POSIX bracket does not nest.
                    if self.class > 0
                        && self.peek() == Some(b':')
                        && let Some(n) = self.src[self.at..].windows(2).position(|w| w == b":]")
                        && self.src[self.at + 1..self.at + n].iter().all(|c| c.is_ascii_alphabetic() || *c == b'^')
                    {
                        self.out.extend_from_slice(&self.src[self.at - 1..self.at + n + 2]);
                        self.at += n + 2;
                        continue;
                    }
                    self.class += 1;
                    self.out.push(c);
                    if self.peek() == Some(b'^') {
                        self.out.push(b'^');
                        self.at += 1;
                    }
                    // `[]...]`: a bracket right at the start is a member of the set.
                    if self.peek() == Some(b']') && self.src[self.at + 1..].contains(&b']') {
                        self.out.extend_from_slice(b"\\]");
                        self.at += 1;
                    }
                }
                b']' => {
                    self.class = self.class.saturating_sub(1);
                    self.out.push(c);
                }
                b'(' if self.class == 0 => self.open()?,
                b')' if self.class == 0 => {
                    self.out.push(c);
                    if let Some((x, u, look)) = self.groups.pop() {
                        (self.extended, self.unicode) = (x, u);
                        if let Some(start) = look {
                            self.repeated_look(start);
                        }
                    }
                }
                b'{' if self.class == 0 => {
                    let rest = &self.src[self.at..];
                    let end = rest.iter().position(|&c| c == b'}').unwrap_or(0);
                    let bound = |t: &[u8]| std::str::from_utf8(t).ok().and_then(|t| t.parse::<u32>().ok());
                    if rest.starts_with(b",}") {
                        // No bounds at all: plain text.
                        self.out.push(b'\\');
                    } else if let Some(comma) = rest[..end].iter().position(|&c| c == b',')
                        && let (Some(low), Some(high)) = (bound(&rest[..comma]), bound(&rest[comma + 1..end]))
                        && low > high
                    {
                        self.bad.get_or_insert("upper is smaller than lower in repeat range");
                    }
                    self.out.push(c);
                }
                b'^' | b'$' if self.class == 0 => {
                    self.out.push(c);
                    self.repeated_look(self.out.len() - 1);
                }
                _ => self.out.push(c),
            }
        }
        Ok(())
    }

    /// Behind a `(` outside of a set.
    fn open(&mut self) -> Result<(), String> {
        if self.peek() != Some(b'?') {
            self.groups.push((self.extended, self.unicode, None));
            self.out.push(b'(');
            return Ok(());
        }
        if self.src.get(self.at + 1) == Some(&b'#') {
            let mut i = self.at + 2;
            while let Some(&c) = self.src.get(i) {
                match c {
                    b')' => {
                        self.at = i + 1;
                        return Ok(());
                    }
                    b'\\' => i += 2,
                    _ => i += 1,
                }
            }
            // Unterminated: the engine reports it.
        }
        // Option letters: `(?imx-imx)` or `(?imx-imx:...)`; a, d and u are ours, the engine has none.
        let mut i = self.at + 1;
        let (mut off, mut keep, mut ours) = (false, Vec::new(), false);
        let (mut x, mut u) = (self.extended, self.unicode);
        while let Some(&c) = self.src.get(i) {
            match c {
                b'-' if !off => {
                    off = true;
                    keep.push(c)
                }
                b'x' => {
                    x = !off;
                    keep.push(c)
                }
                b'i' | b'm' => keep.push(c),
                b'u' | b'a' | b'd' if !off => {
                    u = c == b'u';
                    ours = true
                }
                _ => break,
            }
            i += 1;
        }
        match self.src.get(i) {
            Some(b':') if i > self.at + 1 => {
                self.groups.push((self.extended, self.unicode, None));
                self.out.extend_from_slice(b"(?");
                self.out.append(&mut keep);
                self.out.push(b':');
                (self.extended, self.unicode) = (x, u);
                self.at = i + 1;
            }
            Some(b')') if i > self.at + 1 => {
                if !(ours && keep.is_empty()) {
                    self.out.extend_from_slice(b"(?");
                    self.out.append(&mut keep);
                    self.out.push(b')');
                }
                (self.extended, self.unicode) = (x, u);
                self.at = i + 1;
            }
            _ => {
                let look = matches!(&self.src[self.at..], [b'?', b'=' | b'!', ..] | [b'?', b'<', b'=' | b'!', ..]);
                self.groups.push((self.extended, self.unicode, look.then_some(self.out.len())));
                self.out.push(b'(');
                let named = match self.src.get(self.at..self.at + 3) {
                    Some([b'?', b'<', c]) => !matches!(c, b'=' | b'!'),
                    Some([b'?', b'\'', _]) => true,
                    _ => false,
                };
                if named {
                    self.out.push(b'?');
                    self.at += 1;
                    self.group_name()?;
                }
            }
        }
        Ok(())
    }

    /// Behind a look-around or anchor: the engine does not repeat these, so an optional one becomes an alternative to nothing,
    /// and one that must match at least once stands alone.
    fn repeated_look(&mut self, start: usize) {
        let rest = &self.src[self.at..];
        let (n, least) = match rest {
            [b'?' | b'*', ..] => (1, 0),
            [b'+', ..] => (1, 1),
            [b'{', ..] => {
                let Some(end) = rest.iter().position(|&c| c == b'}') else { return };
                let inner = &rest[1..end];
                if !inner.iter().any(u8::is_ascii_digit) || !inner.iter().all(|c| c.is_ascii_digit() || *c == b',') {
                    return;
                }
                let low = inner.split(|&c| c == b',').next().unwrap_or_default();
                (end + 1, low.iter().any(|&c| c != b'0') as usize)
            }
            _ => return,
        };
        self.at += n;
        if matches!(self.peek(), Some(b'?' | b'+')) {
            self.at += 1;
        }
        if least == 0 {
            self.out.splice(start..start, *b"(?:");
            self.out.extend_from_slice(b"|)");
        }
    }

    /// At the bracket before a group's name: CRuby takes any characters, the engine only those of words.
    fn group_name(&mut self) -> Result<(), String> {
        let close = if self.peek() == Some(b'<') { b'>' } else { b'\'' };
        let Some(n) = self.src[self.at + 1..].iter().position(|&c| c == close) else { return Ok(()) };
        let name = &self.src[self.at + 1..self.at + 1 + n];
        let word = |c: &u8| c.is_ascii_alphanumeric() || *c == b'_' || *c >= 0x80;
        // Numbers, relative numbers and levels (`\k<-1>`, `\g<x+1>`) are the engine's business.
        let plain = name.iter().all(word)
            || name.first().is_none_or(|c| c.is_ascii_digit() || matches!(c, b'-' | b'+'))
            || name.contains(&b')') && !name.is_ascii()
            || name.contains(&b'+')
            || name.contains(&b'-')
            || name.contains(&b'\\');
        if plain {
            return Ok(());
        }
        let mut known = b"g".to_vec();
        for &c in name {
            if c.is_ascii_alphanumeric() || c >= 0x80 {
                known.push(c);
            } else {
                known.extend_from_slice(format!("_{c:02x}_").as_bytes());
            }
        }
        self.out.push(self.src[self.at]);
        self.out.extend_from_slice(&known);
        self.out.push(close);
        if !self.renamed.iter().any(|r| r.0 == known) {
            self.renamed.push((known, name.to_vec()));
        }
        self.at += n + 2;
        Ok(())
    }

    /// Behind a backslash.
    fn escape(&mut self) -> Result<(), String> {
        let Some(c) = self.peek() else { return Err("too short escape sequence".into()) };
        let step = self.enc.step(&self.src[self.at..]);
        if step.code.is_none() {
            return Err("invalid multibyte character".into());
        }
        if step.len > 1 || c >= 0x80 {
            self.out.push(b'\\');
            self.out.extend_from_slice(&self.src[self.at..self.at + step.len]);
            self.at += step.len;
            return self.fix(self.enc);
        }
        match c {
            b'1'..=b'7' => {
                // A back reference, or octal; only octal beyond ASCII matters here.
                let digits = self.src[self.at..].iter().take(3).take_while(|d| (b'0'..=b'7').contains(d)).count();
                let n = self.src[self.at..self.at + digits].iter().fold(0u32, |n, d| n * 8 + (d - b'0') as u32);
                if n > 0o177 {
                    self.bytes()
                } else {
                    self.as_is(c);
                    Ok(())
                }
            }
            b'0' | b'x' | b'c' | b'C' | b'M' => self.bytes(),
            b'u' => self.unicode_escape(),
            b'w' | b'd' | b's' | b'W' | b'D' | b'S' if !self.unicode => {
                self.at += 1;
                let set: &[u8] = match c.to_ascii_lowercase() {
                    b'w' => b"a-zA-Z0-9_",
                    b'd' => b"0-9",
                    _ => b"\\x20\\x09-\\x0d",
                };
                if c.is_ascii_uppercase() {
                    self.out.extend_from_slice(b"[^");
                    self.out.extend_from_slice(set);
                    self.out.push(b']');
                } else if self.class > 0 {
                    self.out.extend_from_slice(set);
                } else {
                    self.out.push(b'[');
                    self.out.extend_from_slice(set);
                    self.out.push(b']');
                }
                Ok(())
            }
            b'p' | b'P' => {
                // What a property means depends on the encoding.
                self.property |= self.fixed.is_none();
                self.as_is(c);
                self.property_name();
                Ok(())
            }
            b'k' | b'g' if self.class == 0 && matches!(self.src.get(self.at + 1), Some(b'<' | b'\'')) => {
                self.as_is(c);
                self.group_name()
            }
            b'A' | b'z' | b'Z' | b'b' | b'B' | b'G' if self.class == 0 => {
                self.as_is(c);
                self.repeated_look(self.out.len() - 2);
                Ok(())
            }
            _ => {
                self.as_is(c);
                Ok(())
            }
        }
    }
    /// At the braces of a property: the names all encodings have are put as the engine spells them.
    fn property_name(&mut self) {
        const NAMES: [&str; 20] = [
            "Alnum", "Alpha", "Blank", "Cntrl", "Digit", "Graph", "Lower", "Print", "Punct", "Space", "Upper",
            "XDigit", "Word", "ASCII", "Hiragana", "Katakana", "Han", "Latin", "Greek", "Cyrillic",
        ];
        let rest = &self.src[self.at..];
        let Some(end) = rest.iter().position(|&c| c == b'}').filter(|_| rest[0] == b'{') else { return };
        let (not, name) = match &rest[1..end] {
            [b'^', name @ ..] => (true, name),
            name => (false, name),
        };
        if let Some(known) = NAMES.iter().find(|n| n.as_bytes().eq_ignore_ascii_case(name)) {
            self.out.push(b'{');
            if not {
                self.out.push(b'^');
            }
            self.out.extend_from_slice(known.as_bytes());
            self.out.push(b'}');
            self.at += end + 1;
        }
    }
    fn as_is(&mut self, c: u8) {
        self.out.extend_from_slice(&[b'\\', c]);
        self.at += 1;
    }

    /// One byte written as `\x41`, `\101`, `\cA`, `\C-a`, `\M-a`; `at` is behind the backslash.
    fn one_byte(&mut self) -> Result<u8, String> {
        let Some(c) = self.peek() else { return Err("too short escape sequence".into()) };
        self.at += 1;
        let (mut control, mut meta) = (false, false);
        let mut c = c;
        loop {
            match c {
                b'M' if !meta && self.peek() == Some(b'-') => {
                    meta = true;
                    self.at += 1;
                }
                b'C' if !control && self.peek() == Some(b'-') => {
                    control = true;
                    self.at += 1;
                }
                b'c' if !control => control = true,
                b'M' | b'C' | b'c' => {
                    return Err("invalid meta escape".replace("meta", if c == b'M' { "meta" } else { "ctrl" }));
                }
                b'x' => {
                    let n = self.src[self.at..].iter().take(2).take_while(|d| d.is_ascii_hexdigit()).count();
                    if n == 0 {
                        return Err("invalid hex escape".into());
                    }
                    let text = std::str::from_utf8(&self.src[self.at..self.at + n]).unwrap_or("0");
                    self.at += n;
                    return Ok(shape(u8::from_str_radix(text, 16).unwrap_or(0), control, meta));
                }
                b'0'..=b'7' => {
                    self.at -= 1;
                    let n = self.src[self.at..].iter().take(3).take_while(|d| (b'0'..=b'7').contains(d)).count();
                    let v = self.src[self.at..self.at + n].iter().fold(0u32, |v, d| v * 8 + (d - b'0') as u32);
                    self.at += n;
                    return Ok(shape(v as u8, control, meta));
                }
                _ => {
                    let v = if control || meta { c } else { plain(c) };
                    return Ok(shape(v, control, meta));
                }
            }
            let Some(next) = self.peek() else { return Err("too short escape sequence".into()) };
            self.at += 1;
            if next == b'\\' {
                let Some(n) = self.peek() else { return Err("too short escape sequence".into()) };
                self.at += 1;
                match n {
                    b'M' | b'C' | b'c' | b'x' | b'0'..=b'7' => c = n,
                    _ => return Ok(shape(plain(n), control, meta)),
                }
            } else {
                return Ok(shape(next, control, meta));
            }
        }
    }

    /// Bytes by number: ASCII stays an escape, others must make up a whole character.
    fn bytes(&mut self) -> Result<(), String> {
        let b = self.one_byte()?;
        if b < 0x80 {
            self.out.extend_from_slice(format!("\\x{b:02X}").as_bytes());
            return Ok(());
        }
        if self.enc == Enc::Ascii {
            self.high = true;
            self.out.extend_from_slice(format!("\\x{b:02X}").as_bytes());
            return Ok(());
        }
        let mut all = vec![b];
        loop {
            let step = self.enc.step(&all);
            if step.code.is_some() && step.len == all.len() {
                break;
            }
            // More bytes may follow, also as escapes.
            let more = self.peek() == Some(b'\\')
                && matches!(self.src.get(self.at + 1), Some(b'x' | b'0'..=b'7' | b'c' | b'C' | b'M'));
            if !more || all.len() >= 4 {
                return Err("invalid multibyte escape".into());
            }
            self.at += 1;
            all.push(self.one_byte()?);
        }
        if self.enc.single_byte() {
            self.out.extend_from_slice(format!("\\x{b:02X}").as_bytes());
        } else {
            self.out.extend_from_slice(&all);
        }
        self.fix(self.enc)
    }

    fn put_code(&mut self, code: u32) -> Result<(), String> {
        if code < 0x80 {
            self.out.extend_from_slice(format!("\\x{code:02X}").as_bytes());
            return Ok(());
        }
        if char::from_u32(code).is_none() {
            return Err("invalid Unicode range".into());
        }
        Enc::Utf8.put(code, &mut self.out);
        self.fix(Enc::Utf8)
    }
    /// `\u1234` or `\u{1 2 3}`; `at` is at the `u`.
    fn unicode_escape(&mut self) -> Result<(), String> {
        self.at += 1;
        if self.peek().is_none() {
            return Err("too short escape sequence".into());
        }
        if self.peek() == Some(b'{') {
            self.at += 1;
            let mut any = false;
            loop {
                while self.peek().is_some_and(|c| c.is_ascii_whitespace()) {
                    self.at += 1
                }
                if self.peek() == Some(b'}') {
                    self.at += 1;
                    return if any { Ok(()) } else { Err("invalid Unicode list".into()) };
                }
                let n = self.src[self.at..].iter().take_while(|d| d.is_ascii_hexdigit()).count();
                if n == 0 {
                    return Err("invalid Unicode list".into());
                }
                if n > 6 {
                    return Err("invalid Unicode range".into());
                }
                let text = std::str::from_utf8(&self.src[self.at..self.at + n]).unwrap_or("0");
                self.at += n;
                any = true;
                self.put_code(u32::from_str_radix(text, 16).unwrap_or(0))?;
            }
        }
        let n = self.src[self.at..].iter().take(4).take_while(|d| d.is_ascii_hexdigit()).count();
        if n < 4 {
            return Err("invalid Unicode escape".into());
        }
        let text = std::str::from_utf8(&self.src[self.at..self.at + 4]).unwrap_or("0");
        self.at += 4;
        self.put_code(u32::from_str_radix(text, 16).unwrap_or(0))
    }
}

fn shape(mut b: u8, control: bool, meta: bool) -> u8 {
    if control {
        b = if b == b'?' { 0x7f } else { b & 0x9f };
    }
    if meta { b | 0x80 } else { b }
}
/// Letters that stand for control characters.
fn plain(c: u8) -> u8 {
    match c {
        b'n' => b'\n',
        b't' => b'\t',
        b'r' => b'\r',
        b'f' => 0x0c,
        b'v' => 0x0b,
        b'a' => 0x07,
        b'e' => 0x1b,
        c => c,
    }
}
