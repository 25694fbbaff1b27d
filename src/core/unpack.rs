//! `String#unpack` and `unpack1`: bytes to values by a template.

use super::pack::{Count, Directive, template};
use super::string::{me, new_str};
use crate::class;
use crate::object::{Enc, RArray};
use crate::value::{NIL, Ruby, Value};
use crate::vm::{Args, Vm};
use num_bigint::BigInt;

class! { "String" < "Object";
    ["unpack"]   kw(1, 1) => unpack;
    ["unpack1"]  kw(1, 1) => unpack1;
}

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}

struct Unpacker<'a> {
    vm: Vm,
    b: &'a [u8],
    at: usize,
    /// where reading began
    start: usize,
    /// strings whose addresses `b` holds, or nil
    pointed: Value,
    /// missing numbers are nil (not when they go to a block)
    pads: bool,
    /// gets each value; false: no more wanted
    put: &'a mut dyn FnMut(Value) -> Ruby<bool>,
    done: bool,
}

impl Unpacker<'_> {
    fn put(&mut self, v: Value) -> Ruby<()> {
        if !self.done && !(self.put)(v)? {
            self.done = true;
        }
        Ok(())
    }
    fn rest(&self) -> &[u8] {
        &self.b[self.at.min(self.b.len())..]
    }

    fn run(&mut self, d: Directive) -> Ruby<()> {
        let vm = self.vm;
        if let Some((size, signed, big)) = d.integer() {
            return self.numbers(d, size, |part| {
                let mut all = [0u8; 8];
                all[..size].copy_from_slice(part);
                if big {
                    all[..size].reverse();
                }
                let n = u64::from_le_bytes(all);
                if signed {
                    let shift = 64 - 8 * size as u32;
                    vm.int((n << shift) as i64 >> shift)
                } else if n > i64::MAX as u64 {
                    vm.bigint(BigInt::from(n))
                } else {
                    vm.int(n as i64)
                }
            });
        }
        if let Some((size, big)) = d.float() {
            return self.numbers(d, size, |part| {
                let mut all = [0u8; 8];
                all[..size].copy_from_slice(part);
                if big {
                    all[..size].reverse();
                }
                let bits = u64::from_le_bytes(all);
                vm.float(if size == 8 { f64::from_bits(bits) } else { f32::from_bits(bits as u32) as f64 })
            });
        }
        match d.kind {
            b'a' | b'A' | b'Z' => self.text(d),
            b'b' | b'B' => {
                let n = d.times().unwrap_or(usize::MAX).min(self.rest().len().saturating_mul(8));
                let bytes = &self.rest()[..n.div_ceil(8)];
                let out = (0..n)
                    .map(|i| {
                        let shift = if d.kind == b'b' { i % 8 } else { 7 - i % 8 };
                        b'0' + (bytes[i / 8] >> shift & 1)
                    })
                    .collect();
                self.at += n.div_ceil(8);
                self.put(new_str(vm, out, Enc::Ascii))
            }
            b'h' | b'H' => {
                let n = d.times().unwrap_or(usize::MAX).min(self.rest().len().saturating_mul(2));
                let bytes = &self.rest()[..n.div_ceil(2)];
                let out = (0..n)
                    .map(|i| {
                        let low = (i % 2 == 0) == (d.kind == b'h');
                        let x = if low { bytes[i / 2] & 15 } else { bytes[i / 2] >> 4 };
                        b"0123456789abcdef"[x as usize]
                    })
                    .collect();
                self.at += n.div_ceil(2);
                self.put(new_str(vm, out, Enc::Ascii))
            }
            b'm' => self.base64(d),
            b'u' => self.uudecode(),
            b'M' => self.quoted_printable(),
            b'U' => {
                let mut left = d.times().unwrap_or(usize::MAX);
                while left > 0 && !self.rest().is_empty() && !self.done {
                    let (c, n) = self.utf8()?;
                    self.at += n;
                    left -= 1;
                    self.put(Value::fixnum(c as i64))?;
                }
                Ok(())
            }
            b'w' => {
                let mut left = d.times().unwrap_or(usize::MAX);
                let mut n = BigInt::from(0);
                while left > 0 && !self.rest().is_empty() && !self.done {
                    let b = self.rest()[0];
                    self.at += 1;
                    n = (n << 7) | BigInt::from(b & 0x7f);
                    if b & 0x80 == 0 {
                        let v = vm.bigint(std::mem::take(&mut n));
                        self.put(v)?;
                        left -= 1;
                    }
                }
                Ok(())
            }
            b'r' | b'R' => {
                let mut left = d.times().unwrap_or(usize::MAX);
                while left > 0 && !self.rest().is_empty() && !self.done {
                    let Some(len) = self.rest().iter().position(|b| b & 0x80 == 0) else {
                        self.at = self.b.len();
                        break;
                    };
                    let digits: Vec<u8> = self.rest()[..=len].iter().map(|b| b & 0x7f).collect();
                    let mut n = BigInt::from_radix_le(num_bigint::Sign::Plus, &digits, 128).unwrap_or_default();
                    if d.kind == b'r' && self.rest()[len] & 0x40 != 0 {
                        n -= BigInt::from(1) << (7 * (len + 1));
                    }
                    self.at += len + 1;
                    left -= 1;
                    let v = vm.bigint(n);
                    self.put(v)?;
                }
                // Numbers that are cut off or missing are nil.
                while d.count != Count::Star && left > 0 && !self.done {
                    left -= 1;
                    self.put(NIL)?;
                }
                Ok(())
            }
            b'^' => self.put(Value::fixnum(self.at as i64)),
            b'p' | b'P' => self.pointers(d),
            b'x' => {
                let n = match d.count {
                    _ if d.native => {
                        let n = d.times().unwrap_or(0).max(1);
                        let used = self.at - self.start.min(self.at);
                        used.next_multiple_of(n) - used
                    }
                    Count::Star => self.rest().len(),
                    _ => d.times().unwrap_or(0),
                };
                if n > self.rest().len() {
                    return Err(vm.arg_error("x outside of string"));
                }
                self.at += n;
                Ok(())
            }
            b'X' => {
                let n = match d.count {
                    Count::Star => 0,
                    _ => d.times().unwrap_or(0),
                };
                match self.at.checked_sub(n) {
                    Some(at) => self.at = at,
                    None => return Err(vm.arg_error("X outside of string")),
                }
                Ok(())
            }
            b'@' => {
                let n = match d.count {
                    Count::Star => 0,
                    _ => d.times().unwrap_or(0),
                };
                let n = if d.native { n } else { n.saturating_add(self.start) };
                if n > self.b.len() {
                    return Err(vm.arg_error("@ outside of string"));
                }
                self.at = n;
                Ok(())
            }
            _ => Err(vm.not_implemented(&format!("unpack directive '{}'", d.kind as char))),
        }
    }

    /// Fixed-size numbers; those missing at the end are nil unless the count is `*`.
    fn numbers(&mut self, d: Directive, size: usize, make: impl Fn(&[u8]) -> Value) -> Ruby<()> {
        let n = d.times().unwrap_or(self.rest().len() / size);
        for _ in 0..n {
            if self.done {
                break;
            }
            let v = match self.rest().get(..size) {
                Some(part) => {
                    let v = make(part);
                    self.at += size;
                    v
                }
                None if d.count == Count::Star || !self.pads => break,
                None => {
                    // What is left over counts as read.
                    NIL
                }
            };
            self.put(v)?;
        }
        Ok(())
    }

    fn text(&mut self, d: Directive) -> Ruby<()> {
        let n = d.times().unwrap_or(usize::MAX).min(self.rest().len());
        let part = &self.rest()[..n];
        let mut used = n;
        let kept = match d.kind {
            b'A' => part.len() - part.iter().rev().take_while(|&&b| b == b' ' || b == 0).count(),
            b'Z' => match part.iter().position(|&b| b == 0) {
                Some(i) => {
                    if d.count == Count::Star {
                        used = i + 1;
                    }
                    i
                }
                None => n,
            },
            _ => n,
        };
        let v = new_str(self.vm, part[..kept].to_vec(), Enc::Binary);
        self.at += used;
        self.put(v)
    }

    /// Strings behind addresses that `pack` put there.
    fn pointers(&mut self, d: Directive) -> Ruby<()> {
        let vm = self.vm;
        let n = if d.kind == b'P' { 1 } else { d.times().unwrap_or(self.rest().len() / 8) };
        for _ in 0..n {
            let Some(word) = self.rest().first_chunk::<8>() else { break };
            let address = u64::from_ne_bytes(*word);
            self.at += 8;
            if address == 0 {
                self.put(NIL)?;
                continue;
            }
            let kept = self.pointed.as_array();
            let found = kept.and_then(|a| {
                let all = a.slice().iter().filter_map(|v| v.as_str());
                all.into_iter().find(|s| s.bytes().as_ptr() as u64 == address)
            });
            let Some(s) = found else { return Err(vm.arg_error("non associated pointer")) };
            let len = match d.count {
                Count::Times(n) if d.kind == b'P' => n.min(s.len() - 1),
                Count::One if d.kind == b'P' => 1.min(s.len() - 1),
                _ => s.bytes().iter().position(|&b| b == 0).unwrap_or(0),
            };
            self.put(new_str(vm, s.bytes()[..len].to_vec(), Enc::Binary))?;
        }
        Ok(())
    }

    fn base64(&mut self, d: Directive) -> Ruby<()> {
        let vm = self.vm;
        let value = |c: u8| -> Option<u32> {
            Some(match c {
                b'A'..=b'Z' => c - b'A',
                b'a'..=b'z' => c - b'a' + 26,
                b'0'..=b'9' => c - b'0' + 52,
                b'+' => 62,
                b'/' => 63,
                _ => return None,
            } as u32)
        };
        let strict = d.count == Count::Times(0);
        let b = self.rest();
        let mut out = Vec::with_capacity(b.len() / 4 * 3);
        if strict {
            if !b.len().is_multiple_of(4) {
                return Err(vm.arg_error("invalid base64"));
            }
            for (i, q) in b.chunks(4).enumerate() {
                let last = (i + 1) * 4 == b.len();
                let pads = q.iter().rev().take_while(|&&c| c == b'=').count();
                if pads > 2 || pads > 0 && !last {
                    return Err(vm.arg_error("invalid base64"));
                }
                let mut n = 0u32;
                for &c in &q[..4 - pads] {
                    match value(c) {
                        Some(x) => n = n << 6 | x,
                        None => return Err(vm.arg_error("invalid base64")),
                    }
                }
                n <<= 6 * pads;
                if pads == 1 && n & 0xff != 0 || pads == 2 && n & 0xffff != 0 {
                    return Err(vm.arg_error("invalid base64"));
                }
                out.extend_from_slice(&n.to_be_bytes()[1..4 - pads]);
            }
        } else {
            let (mut n, mut have) = (0u32, 0);
            for &c in b {
                if c == b'=' {
                    break;
                }
                let Some(x) = value(c) else { continue };
                n = n << 6 | x;
                have += 1;
                if have == 4 {
                    out.extend_from_slice(&n.to_be_bytes()[1..]);
                    (n, have) = (0, 0);
                }
            }
            match have {
                2 => out.push((n >> 4) as u8),
                3 => out.extend_from_slice(&[(n >> 10) as u8, (n >> 2) as u8]),
                _ => {}
            }
        }
        self.at = self.b.len();
        self.put(new_str(vm, out, Enc::Binary))
    }

    fn uudecode(&mut self) -> Ruby<()> {
        let mut out = Vec::new();
        while let Some(&c) = self.rest().first() {
            if !(b' ' + 1..b'a').contains(&c) {
                break;
            }
            let len = ((c - b' ') & 63) as usize;
            self.at += 1;
            let mut line = Vec::new();
            while line.len() < len {
                let mut n = 0u32;
                for i in 0..4 {
                    let d = match self.rest().first() {
                        Some(&d) if d != b'\n' && d != b'\r' => {
                            self.at += 1;
                            (d.wrapping_sub(b' ') & 63) as u32
                        }
                        _ => 0,
                    };
                    n |= d << (18 - 6 * i);
                }
                line.extend_from_slice(&n.to_be_bytes()[1..]);
                if self.rest().is_empty() {
                    break;
                }
            }
            line.truncate(len);
            out.append(&mut line);
            if self.rest().first() == Some(&b'\r') {
                self.at += 1;
            }
            if self.rest().first() == Some(&b'\n') {
                self.at += 1;
            } else if self.rest().get(1) == Some(&b'\n') {
                self.at += 2;
            } else if self.rest().get(1..3) == Some(b"\r\n") {
                self.at += 3;
            }
        }
        let v = new_str(self.vm, out, Enc::Binary);
        self.put(v)
    }

    fn quoted_printable(&mut self) -> Ruby<()> {
        let b = self.rest();
        let mut out = Vec::with_capacity(b.len());
        let mut i = 0;
        while i < b.len() {
            if b[i] != b'=' {
                out.push(b[i]);
                i += 1;
                continue;
            }
            let after = &b[i + 1..];
            let hex = |c: u8| (c as char).to_digit(16).map(|d| d as u8);
            match after {
                [b'\n', ..] => i += 2,
                [b'\r', b'\n', ..] => i += 3,
                [x, y, ..] if hex(*x).is_some() && hex(*y).is_some() => {
                    out.push(hex(*x).unwrap_or(0) << 4 | hex(*y).unwrap_or(0));
                    i += 3;
                }
                _ => {
                    out.extend_from_slice(&b[i..]);
                    break;
                }
            }
        }
        self.at = self.b.len();
        let v = new_str(self.vm, out, Enc::Binary);
        self.put(v)
    }

    /// Code and length of a UTF-8 character, of up to 6 bytes.
    fn utf8(&self) -> Ruby<(u32, usize)> {
        let vm = self.vm;
        let b = self.rest();
        let (n, first) = match b[0] {
            c @ 0..0x80 => return Ok((c as u32, 1)),
            0x80..0xc0 => return Err(vm.arg_error("malformed UTF-8 character")),
            c @ 0xc0..0xe0 => (2, c & 0x1f),
            c @ 0xe0..0xf0 => (3, c & 0x0f),
            c @ 0xf0..0xf8 => (4, c & 0x07),
            c @ 0xf8..0xfc => (5, c & 0x03),
            c @ 0xfc..0xfe => (6, c & 0x01),
            _ => return Err(vm.arg_error("malformed UTF-8 character")),
        };
        if b.len() < n {
            let text = format!("malformed UTF-8 character (expected {n} bytes, given {} bytes)", b.len());
            return Err(vm.arg_error(&text));
        }
        let mut code = first as u32;
        for &c in &b[1..n] {
            if c & 0xc0 != 0x80 {
                return Err(vm.arg_error("malformed UTF-8 character"));
            }
            code = code << 6 | (c & 0x3f) as u32;
        }
        const LEAST: [u32; 7] = [0, 0, 0x80, 0x800, 0x1_0000, 0x20_0000, 0x400_0000];
        if code < LEAST[n] {
            return Err(vm.arg_error("redundant UTF-8 sequence"));
        }
        Ok((code, n))
    }
}

fn each(vm: Vm, this: Value, args: Args, put: &mut dyn FnMut(Value) -> Ruby<bool>) -> Ruby<()> {
    args.only_keywords(vm, &["offset"])?;
    let s = me(vm, this)?;
    let t = vm.to_str(args.or_nil(0))?;
    let directives = template(vm, t, "unpack")?;
    let at = match args.keyword(vm, "offset")? {
        Some(v) => vm.to_i64(v)?,
        None => 0,
    };
    let at = if at < 0 { at + s.len() as i64 } else { at };
    if at < 0 || at as usize > s.len() {
        return Err(vm.arg_error("offset outside of string"));
    }
    let copy = crate::object::RString::frozen_copy(&vm, s);
    let pointed = vm.ivar_get(this, vm.intern(super::pack::POINTED)).unwrap_or(NIL);
    let mut u = Unpacker {
        vm,
        b: copy.bytes(),
        at: at as usize,
        start: at as usize,
        pointed,
        pads: args.block().is_none(),
        put,
        done: false,
    };
    for d in directives {
        u.run(d)?;
        if u.done {
            break;
        }
    }
    crate::heap::root::keep(copy.value());
    Ok(())
}
/// `str.unpack(template, offset: 0)`; with a block each value is yielded.
fn unpack(vm: Vm, this: Value, args: Args) -> Ruby {
    if let Some(block) = args.block() {
        each(vm, this, args, &mut |v| {
            vm.yield1(block, v)?;
            Ok(true)
        })?;
        return Ok(NIL);
    }
    let list = RArray::new(&vm, 4);
    each(vm, this, args, &mut |v| {
        list.push(&vm, v);
        Ok(true)
    })?;
    Ok(list.value())
}
fn unpack1(vm: Vm, this: Value, args: Args) -> Ruby {
    let found = RArray::new(&vm, 1);
    each(vm, this, args, &mut |v| {
        found.push(&vm, v);
        Ok(false)
    })?;
    Ok(found.get(0))
}
