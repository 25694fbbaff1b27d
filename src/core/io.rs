//! `IO`: the standard streams, and what a stream is asked and told besides reading and writing.

use super::io_enc;
use super::stream::{Stream, any_stream, flag, stream};
use crate::class;
use crate::object::{Enc, RData};
use crate::sys::io as sys;
use crate::value::{NIL, Ruby, Value};
use crate::vm::Vm;
use crate::vm::native::Args;

class! { "IO" < "Object";
    ["close"] req(0) => close;
    ["close_read"] req(0) => close_read;
    ["close_write"] req(0) => close_write;
    ["closed?"] req(0) => closed;
    ["fileno", "to_i"] req(0) => fileno;
    ["tty?", "isatty"] req(0) => tty;
    ["inspect"] req(0) => inspect;
    ["to_io"] req(0) => itself;
    ["pos", "tell"] req(0) => pos;
    ["pos="] req(1) => set_pos;
    ["seek"] opt(1, 2) => seek;
    ["sysseek"] opt(1, 2) => sysseek;
    ["rewind"] req(0) => rewind;
    ["binmode"] req(0) => binmode;
    ["binmode?"] req(0) => is_binmode;
    ["external_encoding"] req(0) => external_encoding;
    ["internal_encoding"] req(0) => internal_encoding;
    ["set_encoding"] kw(1, 2) => set_encoding;
    ["set_encoding_by_bom"] req(0) => set_encoding_by_bom;
    ["autoclose?"] req(0) => autoclose;
    ["autoclose="] req(1) => set_autoclose;
    ["close_on_exec?"] req(0) => close_on_exec;
    ["close_on_exec="] req(1) => set_close_on_exec;
    ["fcntl"] opt(1, 2) => fcntl;
    ["pid"] req(0) => pid;
    ["path", "to_path"] req(0) => path;
    ["timeout"] req(0) => timeout;
    ["timeout="] req(1) => set_timeout;
    ["wait_readable"] opt(0, 1) => wait_readable;
    ["wait_writable"] opt(0, 1) => wait_writable;
    ["wait"] rest(0) => wait;
    ["ready?"] req(0) => ready;
    ["winsize"] req(0) => winsize;
    ["advise"] opt(1, 3) => advise;
    self ["console_size"] req(0) => console_size;
}

pub fn boot(vm: Vm) {
    let io = vm.define_table(&CLASS);
    if let Some(e) = vm.const_path("Enumerable") {
        io.include(e);
    }
    super::io_open::boot(vm);
    super::io_write::boot(vm);
    super::io_read::boot(vm);
    super::io_class::boot(vm);
    for (name, n) in [
        ("SEEK_SET", libc::SEEK_SET),
        ("SEEK_CUR", libc::SEEK_CUR),
        ("SEEK_END", libc::SEEK_END),
        ("SEEK_DATA", libc::SEEK_DATA),
        ("SEEK_HOLE", libc::SEEK_HOLE),
    ] {
        vm.set_const(io, vm.intern(name), Value::fixnum(n as i64));
    }
    for (name, n) in [("READABLE", 1), ("PRIORITY", 2), ("WRITABLE", 4)] {
        vm.set_const(io, vm.intern(name), Value::fixnum(n));
    }
    vm.define_class("IO::TimeoutError", Some(vm.classes.io_error.get()));
    let wait = ["WaitReadable", "WaitWritable"].map(|n| vm.define_class(&format!("IO::{n}"), None));
    if let Some(again) = vm.const_path("Errno::EAGAIN") {
        for (i, w) in wait.into_iter().enumerate() {
            let name = if i == 0 { "Readable" } else { "Writable" };
            let c = vm.define_class(&format!("IO::EAGAINWait{name}"), Some(again));
            c.include(w);
            vm.set_const(io, vm.intern(&format!("EWOULDBLOCKWait{name}")), c.value());
        }
    }
    for (fd, konst, gvar, name) in
        [(0, "STDIN", "$stdin", "<STDIN>"), (1, "STDOUT", "$stdout", "<STDOUT>"), (2, "STDERR", "$stderr", "<STDERR>")]
    {
        let v = vm.keep_forever(RData::alloc(&vm, io, Stream::blank(vm)));
        if let Some(s) = v.data::<Stream>() {
            s.attach(fd, [flag::READ, flag::WRITE | flag::STDOUT, flag::WRITE | flag::SYNC][fd as usize] | flag::KEEP);
            s.path.set(vm.str(name));
        }
        vm.set_const(vm.classes.object.get(), vm.intern(konst), v);
        let set = if fd == 0 { None } else { Some(super::io_write::set_output as crate::vm::gvar::Setter) };
        vm.define_gvar(gvar, Some(v), None, set);
    }
    vm.gvar_alias(vm.intern("$>"), vm.intern("$stdout"));
}

fn itself(_vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(this)
}
fn close(vm: Vm, this: Value, _args: Args) -> Ruby {
    let s = any_stream(vm, this)?;
    if s.is_open() {
        s.close(vm)?;
        reap(vm, s)?;
    }
    Ok(NIL)
}
/// A popen's child is waited for: `$?`.
fn reap(vm: Vm, s: &Stream) -> Ruby<()> {
    let pid = s.pid.replace(0);
    if pid > 0 {
        super::process_wait::wait_for(vm, pid)?;
    }
    Ok(())
}
fn close_read(vm: Vm, this: Value, _args: Args) -> Ruby {
    let s = any_stream(vm, this)?;
    if s.fd.get() < 0 && s.wfd.get() >= 0 {
        return Ok(NIL);
    }
    if !s.is_open() {
        return Ok(NIL);
    }
    if !s.has(flag::READ) {
        return Err(vm.io_error("closing non-duplex IO for reading"));
    }
    if s.wfd.get() >= 0 {
        s.consume(s.buffered());
        s.close_half(vm, &s.fd)?;
        s.set(flag::READ, false);
        return Ok(NIL);
    }
    if s.has(flag::WRITE) {
        return Err(vm.io_error("closing non-duplex IO for reading"));
    }
    close(vm, this, _args)
}
fn close_write(vm: Vm, this: Value, _args: Args) -> Ruby {
    let s = any_stream(vm, this)?;
    if !s.is_open() || (!s.has(flag::WRITE) && s.pid.get() != 0) {
        return Ok(NIL);
    }
    if s.wfd.get() >= 0 {
        s.flush(vm)?;
        s.close_half(vm, &s.wfd)?;
        s.set(flag::WRITE, false);
        return if s.fd.get() < 0 { close(vm, this, _args) } else { Ok(NIL) };
    }
    if s.has(flag::READ) || !s.has(flag::WRITE) {
        return Err(vm.io_error("closing non-duplex IO for writing"));
    }
    close(vm, this, _args)
}
fn closed(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(Value::bool(!any_stream(vm, this)?.is_open()))
}
fn fileno(vm: Vm, this: Value, _args: Args) -> Ruby {
    let s = stream(vm, this)?;
    let fd = if s.fd.get() >= 0 { s.fd.get() } else { s.wfd.get() };
    Ok(Value::fixnum(fd as i64))
}
fn tty(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(Value::bool(sys::is_tty(stream(vm, this)?.fd.get())))
}
fn inspect(vm: Vm, this: Value, _args: Args) -> Ruby {
    let class = vm.class_name(vm.real_class_of(this));
    let Some(s) = this.data::<Stream>() else { return Ok(vm.str(&vm.any_to_s(this))) };
    if s.fd.get() == -2 {
        return Ok(vm.str(&vm.any_to_s(this)));
    }
    let mut text = format!("#<{class}:");
    let name = s.name();
    if name.is_empty() {
        if s.is_open() {
            text.push_str(&format!("fd {}", s.fd.get()));
        }
    } else {
        text.push_str(&name);
    }
    if !s.is_open() {
        text.push_str(if name.is_empty() { "(closed)" } else { " (closed)" });
    }
    text.push('>');
    Ok(vm.str(&text))
}

// ---- position

fn pos(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(vm.int(stream(vm, this)?.position(vm)?))
}
fn set_pos(vm: Vm, this: Value, args: Args) -> Ruby {
    let n = vm.to_i64(args.or_nil(0))?;
    stream(vm, this)?.seek(vm, n, libc::SEEK_SET)?;
    Ok(vm.int(n))
}
fn whence(vm: Vm, v: Value) -> Ruby<i32> {
    if let Some(s) = v.as_symbol() {
        return match &*vm.symbols.text(s) {
            "SET" => Ok(libc::SEEK_SET),
            "CUR" => Ok(libc::SEEK_CUR),
            "END" => Ok(libc::SEEK_END),
            "DATA" => Ok(libc::SEEK_DATA),
            "HOLE" => Ok(libc::SEEK_HOLE),
            other => Err(vm.arg_error(&format!("unknown whence: {other}"))),
        };
    }
    if v.is_nil() { Ok(libc::SEEK_SET) } else { vm.to_i32(v) }
}
fn seek(vm: Vm, this: Value, args: Args) -> Ruby {
    let n = vm.to_i64(args.or_nil(0))?;
    let w = whence(vm, args.or_nil(1))?;
    stream(vm, this)?.seek(vm, n, w)?;
    Ok(Value::fixnum(0))
}
fn sysseek(vm: Vm, this: Value, args: Args) -> Ruby {
    let n = vm.to_i64(args.or_nil(0))?;
    let w = whence(vm, args.or_nil(1))?;
    let s = stream(vm, this)?;
    if s.has(flag::READ) && s.buffered() > 0 {
        return Err(vm.io_error("sysseek for buffered IO"));
    }
    if s.has_output() {
        vm.warn("warning: sysseek for buffered IO")?;
    }
    match sys::seek(s.fd.get(), n, w) {
        Ok(n) => Ok(vm.int(n)),
        Err(e) => Err(s.fail_named(vm, e)),
    }
}
fn rewind(vm: Vm, this: Value, _args: Args) -> Ruby {
    let s = stream(vm, this)?;
    s.seek(vm, 0, libc::SEEK_SET)?;
    s.lineno.set(0);
    Ok(Value::fixnum(0))
}

// ---- encodings

fn binmode(vm: Vm, this: Value, _args: Args) -> Ruby {
    let s = stream(vm, this)?;
    s.set(flag::BINARY, true);
    s.external.set(Some(Enc::Binary));
    s.internal.set(None);
    Ok(this)
}
fn is_binmode(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(stream(vm, this)?.has(flag::BINARY).into())
}
fn external_encoding(vm: Vm, this: Value, _args: Args) -> Ruby {
    let s = stream(vm, this)?;
    let enc = match s.external.get() {
        None if s.has(flag::WRITE) && !s.has(flag::READ) && !s.has(flag::BINARY) => None,
        _ => Some(s.read_enc(vm)),
    };
    Ok(io_enc::object(vm, enc))
}
fn internal_encoding(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(io_enc::object(vm, stream(vm, this)?.internal.get()))
}
fn set_encoding(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = stream(vm, this)?;
    let first = args.or_nil(0);
    match (args.get(1), first.as_str()) {
        (None, Some(text)) => {
            let text = text.text();
            let (ext, int) = match text.split_once(':') {
                Some((e, i)) => (e, i),
                None => (&*text, ""),
            };
            let ext = ext.strip_prefix("BOM|").or_else(|| ext.strip_prefix("bom|")).unwrap_or(ext);
            s.external.set(io_enc::from_name(vm, ext)?);
            s.internal.set(io_enc::from_name(vm, int)?);
        }
        (second, _) => {
            s.external.set(io_enc::from_value(vm, first)?);
            s.internal.set(io_enc::from_value(vm, second.unwrap_or(NIL))?);
        }
    }
    if s.internal.get() == s.external.get() {
        s.internal.set(None);
    }
    Ok(this)
}
fn set_encoding_by_bom(vm: Vm, this: Value, _args: Args) -> Ruby {
    let s = stream(vm, this)?;
    if !s.has(flag::BINARY) {
        return Err(vm.arg_error("ASCII incompatible encoding needs binmode"));
    }
    Ok(if super::io_open::read_bom(vm, s)? { io_enc::object(vm, s.external.get()) } else { NIL })
}

// ---- the descriptor

fn autoclose(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(Value::bool(!stream(vm, this)?.has(flag::KEEP)))
}
fn set_autoclose(vm: Vm, this: Value, args: Args) -> Ruby {
    stream(vm, this)?.set(flag::KEEP, !args.or_nil(0).truthy());
    Ok(args.or_nil(0))
}
fn close_on_exec(vm: Vm, this: Value, _args: Args) -> Ruby {
    let s = stream(vm, this)?;
    match sys::fcntl(s.fd.get(), libc::F_GETFD, 0) {
        Ok(n) => Ok(Value::bool(n & libc::FD_CLOEXEC as i64 != 0)),
        Err(e) => Err(s.fail_named(vm, e)),
    }
}
fn set_close_on_exec(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = stream(vm, this)?;
    let bits = if args.or_nil(0).truthy() { libc::FD_CLOEXEC } else { 0 };
    for fd in [s.fd.get(), s.wfd.get()] {
        if fd >= 0 {
            sys::fcntl(fd, libc::F_SETFD, bits as i64).map_err(|e| s.fail_named(vm, e))?;
        }
    }
    Ok(args.or_nil(0))
}
/// Operations that take a number or nothing.
fn fcntl(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = stream(vm, this)?;
    let op = vm.to_i32(args.or_nil(0))?;
    let numeric = [
        libc::F_DUPFD,
        libc::F_DUPFD_CLOEXEC,
        libc::F_GETFD,
        libc::F_SETFD,
        libc::F_GETFL,
        libc::F_SETFL,
        libc::F_GETOWN,
        libc::F_SETOWN,
        libc::F_GETPIPE_SZ,
        libc::F_SETPIPE_SZ,
    ];
    if !numeric.contains(&op) {
        return Err(vm.not_implemented("IO#fcntl with this operation"));
    }
    let arg = match args.or_nil(1) {
        NIL | crate::value::FALSE => 0,
        crate::value::TRUE => 1,
        v => vm.to_i64(v)?,
    };
    match sys::fcntl(s.fd.get(), op, arg) {
        Ok(n) => Ok(vm.int(n)),
        Err(e) => Err(s.fail_named(vm, e)),
    }
}
fn pid(vm: Vm, this: Value, _args: Args) -> Ruby {
    let n = stream(vm, this)?.pid.get();
    Ok(if n > 0 { Value::fixnum(n as i64) } else { NIL })
}
fn path(vm: Vm, this: Value, _args: Args) -> Ruby {
    let s = any_stream(vm, this)?;
    match s.path.get().as_str() {
        Some(p) => Ok(crate::object::RString::from_bytes(&vm, p.bytes(), p.enc()).value()),
        None => Ok(NIL),
    }
}
fn timeout(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(stream(vm, this)?.timeout.get())
}
fn set_timeout(vm: Vm, this: Value, args: Args) -> Ruby {
    if !args.or_nil(0).is_nil() {
        vm.nanoseconds(args.or_nil(0))?;
    }
    stream(vm, this)?.timeout.set(args.or_nil(0));
    Ok(args.or_nil(0))
}
fn advise(vm: Vm, this: Value, args: Args) -> Ruby {
    stream(vm, this)?;
    let Some(a) = args.or_nil(0).as_symbol() else { return Err(vm.type_error("not a Symbol")) };
    let known = ["normal", "sequential", "random", "willneed", "dontneed", "noreuse"];
    if !known.contains(&&*vm.symbols.text(a)) {
        let text = vm.inspect(args.or_nil(0))?;
        return Err(vm.raise(vm.classes.not_implemented_error.get(), &format!("Unsupported advice: {}", text.text())));
    }
    Ok(NIL)
}

// ---- waiting

fn limit(vm: Vm, v: Value) -> Ruby<Option<u64>> {
    if v.is_nil() { Ok(None) } else { vm.nanoseconds(v).map(Some) }
}
fn wait_readable(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = stream(vm, this)?;
    s.check_readable(vm)?;
    if s.buffered() > 0 {
        return Ok(this);
    }
    let n = vm.wait_fd(s.fd.get(), libc::POLLIN, limit(vm, args.or_nil(0))?)?;
    Ok(if n != 0 { this } else { NIL })
}
fn wait_writable(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = stream(vm, this)?;
    s.check_writable(vm)?;
    let n = vm.wait_fd(s.write_fd(), libc::POLLOUT, limit(vm, args.or_nil(0))?)?;
    Ok(if n != 0 { this } else { NIL })
}
/// `io.wait(events, timeout)` -> events seen, or nil; `io.wait(timeout = nil, mode = :read)` -> io or nil.
fn wait(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = stream(vm, this)?;
    if let (Some(e), Some(t), 2) = (args.get(0), args.get(1), args.len())
        && e.is_fixnum()
        && t.as_symbol().is_none()
    {
        let e = e.fix();
        if e <= 0 {
            return Err(vm.arg_error("Events must be positive integer!"));
        }
        let mut want = 0;
        for (bit, poll) in [(1, libc::POLLIN), (2, libc::POLLPRI), (4, libc::POLLOUT)] {
            if e & bit != 0 {
                want |= poll;
            }
        }
        if e & 1 != 0 && s.buffered() > 0 {
            return Ok(Value::fixnum(1));
        }
        let n = vm.wait_fd(s.fd.get(), want, limit(vm, t)?)?;
        let mut got = 0;
        for (bit, poll) in [(1, libc::POLLIN | libc::POLLHUP), (2, libc::POLLPRI), (4, libc::POLLOUT | libc::POLLERR)] {
            if n & poll != 0 {
                got |= bit;
            }
        }
        let got = got & e;
        return Ok(if got == 0 { NIL } else { Value::fixnum(got) });
    }
    let mut time = NIL;
    let mut events = 0;
    for &a in args.slice() {
        match a.as_symbol() {
            Some(m) => {
                events |= match &*vm.symbols.text(m) {
                    "r" | "read" | "readable" => libc::POLLIN,
                    "w" | "write" | "writable" => libc::POLLOUT,
                    "rw" | "read_write" | "readable_writable" => libc::POLLIN | libc::POLLOUT,
                    other => return Err(vm.arg_error(&format!("unsupported mode: {other}"))),
                }
            }
            None => time = a,
        }
    }
    let events = if events == 0 { libc::POLLIN } else { events };
    if events & libc::POLLIN != 0 && s.buffered() > 0 {
        return Ok(this);
    }
    let n = vm.wait_fd(s.fd.get(), events, limit(vm, time)?)?;
    Ok(if n != 0 { this } else { NIL })
}
fn ready(vm: Vm, this: Value, _args: Args) -> Ruby {
    let s = stream(vm, this)?;
    s.check_readable(vm)?;
    Ok(Value::bool(s.buffered() > 0 || vm.wait_fd(s.fd.get(), libc::POLLIN, Some(0))? != 0))
}
fn winsize(vm: Vm, this: Value, _args: Args) -> Ruby {
    let s = stream(vm, this)?;
    match sys::window_size(s.fd.get()) {
        Ok((r, c)) => Ok(vm.array(&[Value::fixnum(r as i64), Value::fixnum(c as i64)])),
        Err(e) => Err(s.fail_named(vm, e)),
    }
}
fn console_size(vm: Vm, _this: Value, _args: Args) -> Ruby {
    let (r, c) = sys::window_size(1).unwrap_or((25, 80));
    Ok(vm.array(&[Value::fixnum(r as i64), Value::fixnum(c as i64)]))
}
