//! Reading: lines, characters, bytes, blocks.

use super::io_write::{set_nonblock, would_block};
use super::stream::{Stream, any_stream, flag, stream};
use crate::class;
use crate::object::{Enc, RArray, RString};
use crate::sys::io as sys;
use crate::value::{NIL, Ruby, Value};
use crate::vm::native::Args;
use crate::vm::{Block, Vm};
use std::cell::Cell;

class! { "IO" < "Object";
    ["gets"] kw(0, 2) => gets;
    ["readline"] kw(0, 2) => readline;
    ["readlines", "to_a"] kw(0, 2) => readlines;
    ["each_line", "each"] kw(0, 2) => each_line;
    ["each_byte"] req(0) => each_byte;
    ["each_char"] req(0) => each_char;
    ["getc"] req(0) => getc;
    ["getbyte"] req(0) => getbyte;
    ["readchar"] req(0) => readchar;
    ["readbyte"] req(0) => readbyte;
    ["ungetc"] req(1) => ungetc;
    ["ungetbyte"] req(1) => ungetbyte;
    ["read"] opt(0, 2) => read;
    ["readpartial"] opt(1, 2) => readpartial;
    ["read_nonblock"] kw(1, 2) => read_nonblock;
    ["sysread"] opt(1, 2) => sysread;
    ["pread"] opt(2, 3) => pread;
    ["eof?", "eof"] req(0) => eof;
    ["lineno"] req(0) => lineno;
    ["lineno="] req(1) => set_lineno;
}

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
    let newline = RString::new(&vm, "\n");
    newline.freeze();
    vm.define_gvar("$/", Some(newline.value()), None, Some(super::io_write::set_separator));
    vm.gvar_alias(vm.intern("$-0"), vm.intern("$/"));
    vm.define_gvar(
        "$.",
        None,
        Some(|vm, _| Ok(vm.int(vm.slot::<LastLine>().0.get()))),
        Some(|vm, _, v| {
            vm.slot::<LastLine>().0.set(vm.to_i64(v)?);
            Ok(())
        }),
    );
    vm.define_gvar(
        "$_",
        None,
        Some(|vm, _| Ok(vm.last_line())),
        Some(|vm, _, v| {
            if !v.is_nil() && v.as_str().is_none() {
                let what = vm.class_name(vm.real_class_of(v));
                return Err(vm.type_error(&format!("wrong argument type {what} (expected String)")));
            }
            vm.set_last_line(v);
            Ok(())
        }),
    );
}

/// `$.`
#[derive(Default)]
pub struct LastLine(pub Cell<i64>);

/// What ends a line.
pub enum Sep {
    /// the end of the file
    None,
    /// empty lines
    Paragraph,
    Bytes(Vec<u8>),
}

/// Arguments of `gets` and its kin.
pub struct Lines {
    pub sep: Sep,
    /// most bytes of a line
    pub limit: Option<usize>,
    pub chomp: bool,
}

impl Lines {
    /// (sep = $/, limit = nil, chomp: false), the separator or the limit alone too.
    pub fn parse(vm: Vm, list: &[Value], kw: Args) -> Ruby<Lines> {
        kw.only_keywords(vm, &["chomp"])?;
        let chomp = kw.keyword(vm, "chomp")?.is_some_and(Value::truthy);
        Self::of(vm, list, chomp)
    }
    pub fn of(vm: Vm, list: &[Value], chomp: bool) -> Ruby<Lines> {
        let default = || vm.gvar_value("$/");
        let (sep, limit) = match *list {
            [] => (default(), NIL),
            [one] if one.is_nil() => (one, NIL),
            [one] => match vm.check_str(one)? {
                Some(s) => (s.value(), NIL),
                None => (default(), one),
            },
            [sep, limit, ..] => (if sep.is_nil() { sep } else { vm.to_str(sep)?.value() }, limit),
        };
        let limit = if limit.is_nil() { None } else { usize::try_from(vm.to_i64(limit)?).ok() };
        let sep = match sep.as_str() {
            None => Sep::None,
            Some(s) if s.is_empty() => Sep::Paragraph,
            Some(s) => Sep::Bytes(s.bytes().to_vec()),
        };
        Ok(Lines { sep, limit, chomp })
    }
    /// For methods that would never end with a limit of 0.
    pub fn check_limit(&self, vm: Vm, method: &str) -> Ruby<()> {
        if self.limit == Some(0) {
            return Err(vm.arg_error(&format!("invalid limit: 0 for {method}")));
        }
        Ok(())
    }
    /// How many bytes at the end of a line `chomp` removes.
    fn tail(&self, line: &[u8]) -> usize {
        match &self.sep {
            Sep::None => 0,
            Sep::Paragraph => line.iter().rev().take_while(|&&b| b == b'\n').count(),
            Sep::Bytes(sep) if line.ends_with(sep) => {
                let crlf = sep[..] == *b"\n" && line.ends_with(b"\r\n");
                sep.len() + crlf as usize
            }
            Sep::Bytes(_) => 0,
        }
    }
}

fn find_byte(hay: &[u8], byte: u8) -> Option<usize> {
    // SAFETY: searches within the slice.
    let p = unsafe { libc::memchr(hay.as_ptr().cast(), byte as i32, hay.len()) };
    if p.is_null() { None } else { Some(p as usize - hay.as_ptr() as usize) }
}
/// Where `sep` begins in `hay`, looking from `from` on.
pub fn find(hay: &[u8], sep: &[u8], mut from: usize) -> Option<usize> {
    let (&first, rest) = sep.split_first()?;
    while from < hay.len() {
        let i = from + find_byte(&hay[from..], first)?;
        if hay[i + 1..].starts_with(rest) {
            return Some(i);
        }
        from = i + 1;
    }
    None
}

/// Bytes of the character that `bytes` begins with, judged by what is there; at least 1.
pub fn char_len(enc: Enc, bytes: &[u8]) -> usize {
    let b = bytes.first().copied().unwrap_or(0);
    match enc {
        Enc::Utf8 => {
            let want = match b {
                0xc2..=0xdf => 2,
                0xe0..=0xef => 3,
                0xf0..=0xf4 => 4,
                _ => 1,
            };
            // A broken sequence ends where it breaks.
            match bytes.iter().skip(1).take(want - 1).position(|c| c & 0xc0 != 0x80) {
                Some(_) => 1,
                None => want,
            }
        }
        Enc::Utf16Le | Enc::Utf16Be | Enc::Utf16 => {
            let high = if enc == Enc::Utf16Le { bytes.get(1) } else { bytes.first() };
            if high.is_some_and(|h| (0xd8..=0xdb).contains(h)) { 4 } else { 2 }
        }
        Enc::Utf32Le | Enc::Utf32Be | Enc::Utf32 => 4,
        Enc::EucJp => match b {
            0x8f => 3,
            0x8e | 0xa1..=0xfe => 2,
            _ => 1,
        },
        Enc::ShiftJis | Enc::Windows31J => match b {
            0x81..=0x9f | 0xe0..=0xfc => 2,
            _ => 1,
        },
        _ => 1,
    }
}

impl Stream {
    /// The next line's bytes, already chomped; `None` at the end of the file.
    pub fn line(&self, vm: Vm, how: &Lines) -> Ruby<Option<Vec<u8>>> {
        if how.limit == Some(0) {
            return Ok(Some(Vec::new()));
        }
        let line = match &how.sep {
            Sep::None if how.limit.is_none() => {
                let all = self.read_all(vm)?;
                if all.is_empty() { None } else { Some(all) }
            }
            Sep::None => self.line_upto(vm, &[], how.limit)?,
            Sep::Bytes(sep) => self.line_upto(vm, sep, how.limit)?,
            Sep::Paragraph => {
                self.skip_newlines(vm)?;
                let line = self.line_upto(vm, b"\n\n", how.limit)?;
                self.skip_newlines(vm)?;
                line
            }
        };
        let Some(mut line) = line else { return Ok(None) };
        if how.chomp {
            line.truncate(line.len() - how.tail(&line));
        }
        let n = self.lineno.get() + 1;
        self.lineno.set(n);
        vm.slot::<LastLine>().0.set(n);
        Ok(Some(line))
    }
    fn skip_newlines(&self, vm: Vm) -> Ruby<()> {
        loop {
            let n = self.with_input(|b| b.iter().take_while(|&&c| c == b'\n').count());
            self.consume(n);
            if self.buffered() > 0 || !self.fill(vm)? {
                return Ok(());
            }
        }
    }
    /// Up to `sep` (empty: never ends) or the limit, whole characters.
    fn line_upto(&self, vm: Vm, sep: &[u8], limit: Option<usize>) -> Ruby<Option<Vec<u8>>> {
        // Bytes already searched in vain.
        let mut seen = 0;
        loop {
            let have = self.buffered();
            let end =
                self.with_input(|b| if sep.is_empty() { None } else { find(b, sep, seen).map(|i| i + sep.len()) });
            match (end, limit) {
                (Some(e), Some(l)) if e > l => return self.cut(vm, l).map(Some),
                (Some(e), _) => return Ok(Some(self.take(e))),
                (None, Some(l)) if have >= l => return self.cut(vm, l).map(Some),
                _ => {}
            }
            seen = have.saturating_sub(sep.len().saturating_sub(1));
            if !self.fill(vm)? {
                let rest = self.take(usize::MAX);
                return Ok(if rest.is_empty() { None } else { Some(rest) });
            }
        }
    }
    /// `limit` bytes, and what the last character needs beyond.
    fn cut(&self, vm: Vm, limit: usize) -> Ruby<Vec<u8>> {
        let enc = self.read_enc(vm);
        let mut out = Vec::new();
        while out.len() < limit {
            match self.one_char(vm, enc)? {
                Some(c) => out.extend_from_slice(&c),
                None => break,
            }
        }
        Ok(out)
    }
    /// The next character's bytes.
    pub fn one_char(&self, vm: Vm, enc: Enc) -> Ruby<Option<Vec<u8>>> {
        if self.buffered() == 0 && !self.fill(vm)? {
            return Ok(None);
        }
        loop {
            let n = self.with_input(|b| char_len(enc, b));
            if n <= self.buffered() || !self.fill(vm)? {
                return Ok(Some(self.take(n)));
            }
        }
    }
    pub fn one_byte(&self, vm: Vm) -> Ruby<Option<u8>> {
        if self.buffered() == 0 && !self.fill(vm)? {
            return Ok(None);
        }
        let b = self.with_input(|b| b[0]);
        self.consume(1);
        Ok(Some(b))
    }
}

fn readable(vm: Vm, this: Value) -> Ruby<&'static Stream> {
    let s = any_stream(vm, this)?;
    s.check_readable(vm)?;
    Ok(s)
}

/// `io.gets` of a real stream, `$_` not set.
pub fn next_line(vm: Vm, s: &Stream, how: &Lines) -> Ruby {
    match s.line(vm, how)? {
        Some(l) => s.text(vm, l),
        None => Ok(NIL),
    }
}
fn gets(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = readable(vm, this)?;
    let how = Lines::parse(vm, args.slice(), args)?;
    let v = next_line(vm, s, &how)?;
    vm.set_last_line(v);
    Ok(v)
}
fn readline(vm: Vm, this: Value, args: Args) -> Ruby {
    let v = gets(vm, this, args)?;
    if v.is_nil() { Err(vm.eof_error()) } else { Ok(v) }
}
fn readlines(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = readable(vm, this)?;
    let how = Lines::parse(vm, args.slice(), args)?;
    how.check_limit(vm, "readlines")?;
    all_lines(vm, s, &how)
}
/// Array of the remaining lines.
pub fn all_lines(vm: Vm, s: &Stream, how: &Lines) -> Ruby {
    let out = RArray::new(&vm, 8);
    while let Some(l) = s.line(vm, how)? {
        let l = s.text(vm, l)?;
        out.push(&vm, l);
    }
    Ok(out.value())
}
fn each_line(vm: Vm, this: Value, args: Args) -> Ruby {
    let Some(b) = args.block() else { return enum_of(vm, this, "each_line", args) };
    let s = readable(vm, this)?;
    let how = Lines::parse(vm, args.slice(), args)?;
    how.check_limit(vm, "each_line")?;
    yield_lines(vm, this, s, &how, b)?;
    Ok(this)
}
/// Yields each line; the block may close the stream.
pub fn yield_lines(vm: Vm, io: Value, s: &Stream, how: &Lines, b: Block) -> Ruby<()> {
    loop {
        s.check_readable(vm)?;
        let Some(l) = s.line(vm, how)? else { break };
        let l = s.text(vm, l)?;
        vm.yield1(b, l)?;
    }
    crate::heap::root::keep(io);
    Ok(())
}
/// An Enumerator of the method, keywords too.
pub fn enum_of(vm: Vm, this: Value, name: &str, args: Args) -> Ruby {
    let all = RArray::new(&vm, args.all().len() + 1);
    all.push(&vm, vm.sym(name));
    all.extend(&vm, args.all());
    vm.send_full(this, crate::object::sym::TO_ENUM, all.slice(), args.has_keywords(), None, true)
}
fn each_byte(vm: Vm, this: Value, args: Args) -> Ruby {
    let Some(b) = args.block() else { return enum_of(vm, this, "each_byte", args) };
    let s = readable(vm, this)?;
    while let Some(n) = s.one_byte(vm)? {
        vm.yield1(b, Value::fixnum(n as i64))?;
        s.check_readable(vm)?;
    }
    Ok(this)
}
fn each_char(vm: Vm, this: Value, args: Args) -> Ruby {
    let Some(b) = args.block() else { return enum_of(vm, this, "each_char", args) };
    let s = readable(vm, this)?;
    while let Some(c) = s.one_char(vm, s.read_enc(vm))? {
        let c = s.text(vm, c)?;
        vm.yield1(b, c)?;
        s.check_readable(vm)?;
    }
    Ok(this)
}
fn getc(vm: Vm, this: Value, _args: Args) -> Ruby {
    let s = readable(vm, this)?;
    match s.one_char(vm, s.read_enc(vm))? {
        Some(c) => s.text(vm, c),
        None => Ok(NIL),
    }
}
fn getbyte(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(readable(vm, this)?.one_byte(vm)?.map_or(NIL, |b| Value::fixnum(b as i64)))
}
fn readchar(vm: Vm, this: Value, args: Args) -> Ruby {
    let v = getc(vm, this, args)?;
    if v.is_nil() { Err(vm.eof_error()) } else { Ok(v) }
}
fn readbyte(vm: Vm, this: Value, args: Args) -> Ruby {
    let v = getbyte(vm, this, args)?;
    if v.is_nil() { Err(vm.eof_error()) } else { Ok(v) }
}
fn ungetc(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = readable(vm, this)?;
    let c = args.or_nil(0);
    if c.is_nil() {
        return Ok(NIL);
    }
    match c.as_fixnum() {
        Some(_) => {
            let enc = super::io_enc::object(vm, Some(s.read_enc(vm)));
            let text = vm.send(c, vm.intern("chr"), &[enc])?;
            s.unread(vm.to_str(text)?.bytes())
        }
        None => s.unread(vm.to_str(c)?.bytes()),
    }
    Ok(NIL)
}
fn ungetbyte(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = readable(vm, this)?;
    let c = args.or_nil(0);
    if c.is_nil() {
        return Ok(NIL);
    }
    match c.as_fixnum() {
        Some(n) => s.unread(&[n as u8]),
        None => s.unread(vm.to_str(c)?.bytes()),
    }
    Ok(NIL)
}

/// A byte count argument.
pub fn length(vm: Vm, v: Value) -> Ruby<usize> {
    let n = vm.to_i64(v)?;
    usize::try_from(n).map_err(|_| vm.arg_error(&format!("negative length {n} given")))
}
/// The buffer argument: what is read goes there, if given.
fn into_buffer(vm: Vm, buffer: Value, bytes: Vec<u8>, enc: Enc) -> Ruby {
    if buffer.is_nil() {
        return Ok(vm.read_str(bytes, enc));
    }
    let s = vm.to_str(buffer)?;
    vm.check_frozen(s.value())?;
    let keep = s.enc();
    s.replace(&vm, bytes, keep);
    Ok(s.value())
}
fn read(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = readable(vm, this)?;
    let buffer = args.or_nil(1);
    if args.or_nil(0).is_nil() {
        let all = s.read_all(vm)?;
        let text = s.text(vm, all)?;
        return match buffer.as_str() {
            Some(b) => {
                vm.check_frozen(buffer)?;
                let t = vm.to_str(text)?;
                b.replace(&vm, t.bytes().to_vec(), t.enc());
                Ok(buffer)
            }
            None => Ok(text),
        };
    }
    let n = length(vm, args.or_nil(0))?;
    if n == 0 {
        return into_buffer(vm, buffer, Vec::new(), Enc::Binary);
    }
    let bytes = s.read_exactly(vm, n)?;
    if bytes.is_empty() {
        into_buffer(vm, buffer, bytes, Enc::Binary)?;
        return Ok(NIL);
    }
    into_buffer(vm, buffer, bytes, Enc::Binary)
}
fn readpartial(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = readable(vm, this)?;
    let n = length(vm, args.or_nil(0))?;
    if n == 0 {
        return into_buffer(vm, args.or_nil(1), Vec::new(), Enc::Binary);
    }
    let bytes = if s.buffered() > 0 { s.take(n) } else { s.read_some(vm, n.min(1 << 20))? };
    let end = bytes.is_empty();
    let v = into_buffer(vm, args.or_nil(1), bytes, Enc::Binary)?;
    if end { Err(vm.eof_error()) } else { Ok(v) }
}
fn read_nonblock(vm: Vm, this: Value, args: Args) -> Ruby {
    args.only_keywords(vm, &["exception"])?;
    let s = readable(vm, this)?;
    let n = length(vm, args.or_nil(0))?;
    if n == 0 {
        return into_buffer(vm, args.or_nil(1), Vec::new(), Enc::Binary);
    }
    let bytes = if s.buffered() > 0 {
        s.take(n)
    } else {
        set_nonblock(vm, s, s.fd.get())?;
        let mut buf = vec![0u8; n.min(1 << 20)];
        match s.call(vm, &s.fd, |sched, fd| sys::read(sched, fd, &mut buf, false))? {
            Ok(n) => buf.truncate(n),
            Err(libc::EAGAIN) => return would_block(vm, args, "read", "wait_readable", "EAGAINWaitReadable"),
            Err(e) => return Err(s.fail_named(vm, e)),
        }
        buf
    };
    let end = bytes.is_empty();
    let v = into_buffer(vm, args.or_nil(1), bytes, Enc::Binary)?;
    if !end {
        return Ok(v);
    }
    if args.keyword(vm, "exception")? == Some(crate::value::FALSE) { Ok(NIL) } else { Err(vm.eof_error()) }
}
fn sysread(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = readable(vm, this)?;
    let n = length(vm, args.or_nil(0))?;
    if s.buffered() > 0 {
        return Err(vm.io_error("sysread for buffered IO"));
    }
    let bytes = if n == 0 { Vec::new() } else { s.read_some(vm, n.min(1 << 26))? };
    let end = bytes.is_empty() && n > 0;
    let v = into_buffer(vm, args.or_nil(1), bytes, Enc::Binary)?;
    if end { Err(vm.eof_error()) } else { Ok(v) }
}
fn pread(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = readable(vm, this)?;
    let n = length(vm, args.or_nil(0))?;
    let at = vm.to_i64(args.or_nil(1))?;
    let mut buf = vec![0u8; n.min(1 << 26)];
    match s.call(vm, &s.fd, |sched, fd| sys::pread(sched, fd, &mut buf, at))? {
        Ok(got) => buf.truncate(got),
        Err(e) => return Err(s.fail_named(vm, e)),
    }
    let end = buf.is_empty() && n > 0;
    let v = into_buffer(vm, args.or_nil(2), buf, Enc::Binary)?;
    if end { Err(vm.eof_error()) } else { Ok(v) }
}
fn eof(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(Value::bool(readable(vm, this)?.at_end(vm)?))
}
fn lineno(vm: Vm, this: Value, _args: Args) -> Ruby {
    let s = stream(vm, this)?;
    if !s.has(flag::READ) {
        return Err(vm.io_error("not opened for reading"));
    }
    Ok(vm.int(s.lineno.get()))
}
fn set_lineno(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = stream(vm, this)?;
    if !s.has(flag::READ) {
        return Err(vm.io_error("not opened for reading"));
    }
    s.lineno.set(vm.to_i64(args.or_nil(0))?);
    Ok(args.or_nil(0))
}
