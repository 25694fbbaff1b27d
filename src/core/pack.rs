//! `Array#pack`: values to bytes by a template. The template's reader serves `String#unpack` too.

use super::string::new_str;
use crate::class;
use crate::object::{Ary, Enc, Str};
use crate::value::{NIL, Raised, Ruby, Value};
use crate::vm::{Args, Vm};
use num_bigint::{BigInt, Sign};

class! { "Array" < "Object";
    ["pack"] kw(1, 1) => pack;
}

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}

/// How often a directive applies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// nothing written: once
    One,
    Times(usize),
    Star,
}
/// One directive of a template.
#[derive(Clone, Copy, Debug)]
pub struct Directive {
    pub kind: u8,
    pub count: Count,
    pub big: Option<bool>,
    /// `_` or `!`: the C compiler's size
    pub native: bool,
}

impl Directive {
    pub fn times(self) -> Option<usize> {
        match self.count {
            Count::One => Some(1),
            Count::Times(n) => Some(n),
            Count::Star => None,
        }
    }
    /// Size in bytes, signedness and byte order of an integer directive.
    pub fn integer(self) -> Option<(usize, bool, bool)> {
        let size = match (self.kind.to_ascii_lowercase(), self.native) {
            (b'c', _) => 1,
            (b's', _) => 2,
            (b'i', _) => 4,
            (b'l', true) => 8,
            (b'l', false) => 4,
            (b'q' | b'j', _) => 8,
            _ => {
                return match self.kind {
                    b'n' => Some((2, false, true)),
                    b'N' => Some((4, false, true)),
                    b'v' => Some((2, false, false)),
                    b'V' => Some((4, false, false)),
                    _ => None,
                };
            }
        };
        Some((size, self.kind.is_ascii_lowercase(), self.big.unwrap_or(cfg!(target_endian = "big"))))
    }
    /// Size and byte order of a float directive.
    pub fn float(self) -> Option<(usize, bool)> {
        let native = cfg!(target_endian = "big");
        Some(match self.kind {
            b'd' | b'D' => (8, native),
            b'f' | b'F' => (4, native),
            b'E' => (8, false),
            b'e' => (4, false),
            b'G' => (8, true),
            b'g' => (4, true),
            _ => return None,
        })
    }
}

/// Reads a template; ArgumentError for unknown directives.
pub fn template(vm: Vm, t: Str, what: &str) -> Ruby<Vec<Directive>> {
    if !t.enc().ascii_compatible() {
        let text = format!("ASCII incompatible encoding: {}", t.enc().describe());
        return Err(vm.raise(vm.classes.compatibility_error.get(), &text));
    }
    let b = t.bytes();
    let mut out = Vec::new();
    let mut i = 0;
    while i < b.len() {
        let kind = b[i];
        i += 1;
        if kind.is_ascii_whitespace() || kind == 0x0b {
            continue;
        }
        if kind == b'#' {
            while i < b.len() && b[i] != b'\n' {
                i += 1
            }
            continue;
        }
        let known = b"aAbBcCdDeEfFgGhHiIjJlLmMnNpPqQsSuUvVwxXZ@rR".contains(&kind) || kind == b'^' && what == "unpack";
        if kind == b'%' {
            return Err(vm.arg_error("% is not supported"));
        }
        if !known {
            let shown =
                if (0x20..0x7f).contains(&kind) { (kind as char).to_string() } else { format!("\\x{kind:02x}") };
            let show = |c: char| if c.is_control() { format!("\\x{:02x}", c as u32) } else { c.to_string() };
            let whole: String = t.text().chars().map(show).collect();
            return Err(vm.arg_error(&format!("unknown {what} directive '{shown}' in '{whole}'")));
        }
        let mut d = Directive { kind, count: Count::One, big: None, native: false };
        while let Some(&m) = b.get(i) {
            match m {
                b'_' | b'!' => {
                    if !(b"sSiIlLqQjJ".contains(&kind) || m == b'!' && b"x@".contains(&kind)) {
                        return Err(vm.arg_error(&format!("'{}' allowed only after types sSiIlLqQjJ", m as char)));
                    }
                    d.native = true;
                }
                b'<' | b'>' => {
                    if !b"sSiIlLqQjJ".contains(&kind) {
                        return Err(vm.arg_error(&format!("'{}' allowed only after types sSiIlLqQjJ", m as char)));
                    }
                    if d.big.is_some() {
                        return Err(vm.range_error("Can't use both '<' and '>'"));
                    }
                    d.big = Some(m == b'>');
                }
                _ => break,
            }
            i += 1;
        }
        match b.get(i) {
            Some(b'*') => {
                d.count = Count::Star;
                i += 1;
            }
            Some(c) if c.is_ascii_digit() => {
                let mut n = 0usize;
                while let Some(c) = b.get(i).filter(|c| c.is_ascii_digit()) {
                    n = match n.checked_mul(10).and_then(|n| n.checked_add((c - b'0') as usize)) {
                        Some(n) if n <= isize::MAX as usize => n,
                        _ => return Err(vm.range_error("pack length too big")),
                    };
                    i += 1;
                }
                d.count = Count::Times(n);
            }
            _ => {}
        }
        out.push(d);
    }
    Ok(out)
}

/// Low 64 bits of an Integer, as two's complement.
pub fn low_bits(vm: Vm, v: Value) -> Ruby<u64> {
    let v = vm.to_int(v)?;
    if let Some(n) = v.as_fixnum() {
        return Ok(n as u64);
    }
    let Some(b) = vm.big(v) else { return Ok(0) };
    let digits = b.iter_u64_digits().next().unwrap_or(0);
    Ok(if b.sign() == Sign::Minus { digits.wrapping_neg() } else { digits })
}

struct Packer {
    vm: Vm,
    list: Ary,
    at: usize,
    out: Vec<u8>,
    /// bytes that were in the buffer before
    start: usize,
    /// strings whose address is in the result
    pointed: Option<Ary>,
    /// 0 nothing but ASCII so far, 1 UTF-8 (`U` came first), 2 binary
    kind: u8,
}

impl Packer {
    fn next(&mut self) -> Ruby {
        if self.at >= self.list.len() {
            return Err(self.vm.arg_error("too few arguments"));
        }
        self.at += 1;
        Ok(self.list.get(self.at - 1))
    }
    fn room(&mut self, n: usize) -> Ruby<()> {
        if n > 1 << 36 || self.out.try_reserve(n).is_err() {
            let vm = self.vm;
            return Err(vm.raise(vm.classes.no_memory_error.get(), "failed to allocate memory"));
        }
        Ok(())
    }
    fn fill(&mut self, byte: u8, n: usize) -> Ruby<()> {
        self.room(n)?;
        self.out.resize(self.out.len() + n, byte);
        Ok(())
    }
    /// String argument of `aAZbBhHmM`; nil is empty where CRuby lets it.
    fn text(&mut self) -> Ruby<Option<Str>> {
        let v = self.next()?;
        if v.is_nil() { Ok(None) } else { self.vm.to_str(v).map(Some) }
    }

    fn run(&mut self, d: Directive) -> Ruby<()> {
        let vm = self.vm;
        match d.kind {
            b'U' => {
                if self.kind == 0 && self.out.is_empty() {
                    self.kind = 1
                }
            }
            b'm' | b'M' | b'u' => {}
            _ => {
                // UTF-8 stays if the template began with `U`.
                if self.kind != 1 {
                    self.kind = 2
                }
            }
        }
        if let Some((size, _, big)) = d.integer() {
            let n = d.times().unwrap_or(self.list.len().saturating_sub(self.at));
            for _ in 0..n {
                let bits = low_bits(vm, self.next()?)?.to_le_bytes();
                let mut part = [0; 8];
                part[..size].copy_from_slice(&bits[..size]);
                if big {
                    part[..size].reverse();
                }
                self.out.extend_from_slice(&part[..size]);
            }
            return Ok(());
        }
        if let Some((size, big)) = d.float() {
            let n = d.times().unwrap_or(self.list.len().saturating_sub(self.at));
            for _ in 0..n {
                let v = self.next()?;
                let f = self.float(v)?;
                match (size, big) {
                    (8, true) => self.out.extend(f.to_be_bytes()),
                    (8, false) => self.out.extend(f.to_le_bytes()),
                    (_, true) => self.out.extend((f as f32).to_be_bytes()),
                    (_, false) => self.out.extend((f as f32).to_le_bytes()),
                }
            }
            return Ok(());
        }
        match d.kind {
            b'a' | b'A' | b'Z' => self.padded(d),
            b'b' | b'B' => self.bits(d),
            b'h' | b'H' => self.nibbles(d),
            b'm' => {
                let v = self.next()?;
                let s = vm.to_str(v)?;
                let line = match d.count {
                    Count::Times(0) => 0,
                    Count::Times(n) if n >= 3 => n / 3 * 3,
                    _ => 45,
                };
                base64(&mut self.out, s.bytes(), line);
                Ok(())
            }
            b'u' => {
                let v = self.next()?;
                let s = vm.to_str(v)?;
                let line = match d.count {
                    Count::Times(n) if n > 2 => n.min(63) / 3 * 3,
                    _ => 45,
                };
                uuencode(&mut self.out, s.bytes(), line);
                Ok(())
            }
            b'M' => {
                let v = self.next()?;
                let s = vm.to_s(v)?;
                let line = match d.count {
                    Count::Times(n) if n > 1 => n,
                    _ => 72,
                };
                quoted_printable(&mut self.out, s.bytes(), line);
                Ok(())
            }
            b'U' => {
                let n = d.times().unwrap_or(self.list.len().saturating_sub(self.at));
                for _ in 0..n {
                    let v = self.next()?;
                    let c = vm.to_i64(v)?;
                    if !(0..=0x7fff_ffff).contains(&c) {
                        return Err(vm.range_error("pack(U): value out of range"));
                    }
                    put_utf8(&mut self.out, c as u32);
                }
                Ok(())
            }
            b'w' => {
                let n = d.times().unwrap_or(self.list.len().saturating_sub(self.at));
                for _ in 0..n {
                    let v = self.next()?;
                    let i = vm.to_int(v)?;
                    let b = vm.big(i).unwrap_or_default();
                    if b.sign() == Sign::Minus {
                        return Err(vm.arg_error("can't compress negative numbers"));
                    }
                    let (_, mut digits) = b.to_radix_be(128);
                    if let Some((_, head)) = digits.split_last_mut() {
                        head.iter_mut().for_each(|d| *d |= 0x80);
                    }
                    self.out.extend(digits);
                }
                Ok(())
            }
            b'r' | b'R' => {
                let n = d.times().unwrap_or(self.list.len().saturating_sub(self.at));
                for _ in 0..n {
                    let v = self.next()?;
                    let i = vm.to_int(v)?;
                    let b = vm.big(i).unwrap_or_default();
                    leb128(vm, &mut self.out, b, d.kind == b'r')?;
                }
                Ok(())
            }
            b'x' if d.native => {
                let n = d.times().unwrap_or(0).max(1);
                let used = self.out.len() - self.start;
                self.fill(0, used.next_multiple_of(n) - used)
            }
            b'p' | b'P' => self.pointers(d),
            b'x' => match d.count {
                Count::Star => Ok(()),
                _ => self.fill(0, d.times().unwrap_or(0)),
            },
            b'X' => {
                let n = match d.count {
                    Count::Star => 0,
                    _ => d.times().unwrap_or(0),
                };
                match self.out.len().checked_sub(n) {
                    Some(left) => self.out.truncate(left),
                    None => return Err(vm.arg_error("X outside of string")),
                }
                Ok(())
            }
            b'@' => {
                let n = match d.count {
                    Count::Star => 0,
                    _ => d.times().unwrap_or(0),
                };
                if n > self.out.len() {
                    self.fill(0, n - self.out.len())
                } else {
                    self.out.truncate(n);
                    Ok(())
                }
            }
            _ => Err(vm.not_implemented(&format!("pack directive '{}'", d.kind as char))),
        }
    }

    /// Addresses of strings (`p`: ended by a zero byte, `P`: one of at least `count` bytes), which live as long as the
    /// packed string does.
    fn pointers(&mut self, d: Directive) -> Ruby<()> {
        let vm = self.vm;
        let n = if d.kind == b'P' { 1 } else { d.times().unwrap_or(self.list.len().saturating_sub(self.at)) };
        for _ in 0..n {
            let v = self.next()?;
            if v.is_nil() {
                self.out.extend_from_slice(&[0; 8]);
                continue;
            }
            let s = vm.to_str(v)?;
            if let Count::Times(least) = d.count
                && d.kind == b'P'
                && s.len() < least
            {
                let text = format!("too short buffer for P({} for {least})", s.len());
                return Err(vm.arg_error(&text));
            }
            let mut bytes = s.bytes().to_vec();
            bytes.push(0);
            let copy = crate::object::RString::from_vec(&vm, bytes, s.enc());
            copy.freeze();
            let kept = *self.pointed.get_or_insert_with(|| crate::object::RArray::new(&vm, 1));
            kept.push(&vm, copy.value());
            self.out.extend_from_slice(&(copy.bytes().as_ptr() as u64).to_ne_bytes());
        }
        Ok(())
    }

    fn float(&self, v: Value) -> Ruby<f64> {
        let vm = self.vm;
        if v.as_str().is_some() {
            return Err(vm.type_error("can't convert String into Float"));
        }
        vm.to_f64(v)
    }

    fn padded(&mut self, d: Directive) -> Ruby<()> {
        let s = self.text()?;
        let b = s.map_or(&[][..], |s| s.bytes());
        let n = match d.count {
            Count::Star => b.len() + (d.kind == b'Z') as usize,
            _ => d.times().unwrap_or(1),
        };
        let keep = b.len().min(n);
        self.out.extend_from_slice(&b[..keep]);
        self.fill(if d.kind == b'A' { b' ' } else { 0 }, n - keep)
    }

    fn bits(&mut self, d: Directive) -> Ruby<()> {
        let s = self.text()?;
        let b = s.map_or(&[][..], |s| s.bytes());
        let n = d.times().unwrap_or(b.len());
        let digits = &b[..n.min(b.len())];
        for group in digits.chunks(8) {
            let mut byte = 0u8;
            for (i, c) in group.iter().enumerate() {
                byte |= (c & 1) << if d.kind == b'b' { i } else { 7 - i };
            }
            self.out.push(byte);
        }
        // A count beyond the digits pads with (half as many) zero bytes, as CRuby does.
        let extra = n.saturating_sub(b.len());
        self.fill(0, extra.div_ceil(2).min(extra))
    }
    fn nibbles(&mut self, d: Directive) -> Ruby<()> {
        let s = self.text()?;
        let b = s.map_or(&[][..], |s| s.bytes());
        let n = d.times().unwrap_or(b.len());
        let digits = &b[..n.min(b.len())];
        let nibble = |c: u8| if c.is_ascii_alphabetic() { (c & 7) + 9 } else { c } & 15;
        for pair in digits.chunks(2) {
            let (x, y) = (nibble(pair[0]), pair.get(1).map_or(0, |&c| nibble(c)));
            self.out.push(if d.kind == b'h' { y << 4 | x } else { x << 4 | y });
        }
        let extra = n.saturating_sub(b.len());
        self.fill(0, extra.div_ceil(2).saturating_sub((b.len() % 2) & (extra % 2)))
    }
}

/// UTF-8 bytes of a code, in the old form of up to 6 bytes for those beyond Unicode.
pub fn put_utf8(out: &mut Vec<u8>, c: u32) {
    let tail = |out: &mut Vec<u8>, n: u32| {
        for i in (0..n).rev() {
            out.push(0x80 | (c >> (6 * i) & 0x3f) as u8);
        }
    };
    match c {
        0..=0x7f => out.push(c as u8),
        0x80..=0x7ff => {
            out.push(0xc0 | (c >> 6) as u8);
            tail(out, 1)
        }
        0x800..=0xffff => {
            out.push(0xe0 | (c >> 12) as u8);
            tail(out, 2)
        }
        0x1_0000..=0x1f_ffff => {
            out.push(0xf0 | (c >> 18) as u8);
            tail(out, 3)
        }
        0x20_0000..=0x3ff_ffff => {
            out.push(0xf8 | (c >> 24) as u8);
            tail(out, 4)
        }
        _ => {
            out.push(0xfc | (c >> 30) as u8);
            tail(out, 5)
        }
    }
}

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn base64_line(out: &mut Vec<u8>, b: &[u8]) {
    for c in b.chunks(3) {
        let n = (c[0] as u32) << 16 | (*c.get(1).unwrap_or(&0) as u32) << 8 | *c.get(2).unwrap_or(&0) as u32;
        for i in 0..4 {
            out.push(if i <= c.len() { BASE64[(n >> (18 - 6 * i) & 63) as usize] } else { b'=' });
        }
    }
}
/// `line` bytes of input per line; 0: no line ends.
fn base64(out: &mut Vec<u8>, b: &[u8], line: usize) {
    if line == 0 {
        return base64_line(out, b);
    }
    for l in b.chunks(line) {
        base64_line(out, l);
        out.push(b'\n');
    }
}
fn uuencode(out: &mut Vec<u8>, b: &[u8], line: usize) {
    let digit = |n: u32| if n & 63 == 0 { b'`' } else { (n & 63) as u8 + b' ' };
    for l in b.chunks(line) {
        out.push(digit(l.len() as u32));
        for c in l.chunks(3) {
            let n = (c[0] as u32) << 16 | (*c.get(1).unwrap_or(&0) as u32) << 8 | *c.get(2).unwrap_or(&0) as u32;
            (0..4).for_each(|i| out.push(digit(n >> (18 - 6 * i))));
        }
        out.push(b'\n');
    }
}
fn quoted_printable(out: &mut Vec<u8>, b: &[u8], line: usize) {
    let mut column = 0;
    let mut before: Option<u8> = None;
    let mut i = 0;
    while i < b.len() {
        let c = b[i];
        if c > 126 || c < 32 && c != b'\n' && c != b'\t' || c == b'=' {
            out.extend_from_slice(format!("={c:02X}").as_bytes());
            column += 3;
            before = None;
        } else if c == b'\n' {
            if matches!(before, Some(b' ' | b'\t')) {
                out.extend_from_slice(b"=\n");
            }
            out.push(b'\n');
            column = 0;
            before = Some(b'\n');
        } else {
            out.push(c);
            column += 1;
            before = Some(c);
        }
        if column > line {
            out.extend_from_slice(b"=\n");
            column = 0;
            before = Some(b'\n');
        }
        i += 1;
    }
    if column > 0 {
        out.extend_from_slice(b"=\n");
    }
}
/// LEB128, signed for `r`.
fn leb128(vm: Vm, out: &mut Vec<u8>, mut n: BigInt, signed: bool) -> Ruby<()> {
    if !signed && n.sign() == Sign::Minus {
        return Err(vm.arg_error("can't encode negative numbers in ULEB128"));
    }
    let base = BigInt::from(128);
    loop {
        let low = num_integer::Integer::mod_floor(&n, &base);
        let byte = u8::try_from(&low).unwrap_or(0);
        n = (n - low) >> 7;
        let done = if signed {
            n.sign() == Sign::NoSign && byte & 0x40 == 0 || n == BigInt::from(-1) && byte & 0x40 != 0
        } else {
            n.sign() == Sign::NoSign
        };
        out.push(if done { byte } else { byte | 0x80 });
        if done {
            return Ok(());
        }
    }
}

/// `array.pack(template, buffer: nil)`.
fn pack(vm: Vm, this: Value, args: Args) -> Ruby {
    args.only_keywords(vm, &["buffer"])?;
    let t = vm.to_str(args.or_nil(0))?;
    let Some(list) = this.as_array() else { return Err(vm.type_error("not an Array")) };
    let directives = template(vm, t, "pack")?;
    let buffer = match args.keyword(vm, "buffer")? {
        None | Some(NIL) => None,
        Some(v) => match v.as_str() {
            Some(s) => {
                vm.check_frozen(v)?;
                Some(s)
            }
            None => {
                let c = vm.describe(v);
                return Err(bad_buffer(vm, &c));
            }
        },
    };
    let start = buffer.map_or(Vec::new(), |s| s.bytes().to_vec());
    let mut p = Packer { vm, list, at: 0, start: start.len(), out: start, pointed: None, kind: 0 };
    for d in directives {
        p.run(d)?;
    }
    let enc = match p.kind {
        0 => Enc::Ascii,
        1 => Enc::Utf8,
        _ => Enc::Binary,
    };
    let result = match buffer {
        Some(s) => {
            s.replace(&vm, p.out, s.enc());
            s.value()
        }
        None => new_str(vm, p.out, enc),
    };
    if let Some(kept) = p.pointed {
        vm.ivar_set(result, vm.intern(POINTED), kept.value());
    }
    Ok(result)
}
/// Hidden instance variable with the strings whose address a packed string holds.
pub const POINTED: &str = "__pointed";

#[cold]
fn bad_buffer(vm: Vm, class: &str) -> Raised {
    vm.type_error(&format!("buffer must be String, not {class}"))
}
