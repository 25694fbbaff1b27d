//! `IO.read` and its kin, which open, do one thing and close; `IO.select`, `IO.copy_stream`.

use super::errno;
use super::io_open::{Mode, close_quietly, open_file, path_arg, to_io};
use super::io_read::{Lines, all_lines, enum_of, length, yield_lines};
use super::stream::{Stream, flag, stream};
use crate::class;
use crate::object::{Ary, Enc, Hsh, RArray, RHash, RString, sym};
use crate::value::{NIL, Ruby, Value};
use crate::vm::Vm;
use crate::vm::native::{Args, ClassDef, MethodDef, arity};

class! { "IO" < "Object";
    self ["read"] kwrest(1) => read;
    self ["binread"] opt(1, 3) => binread;
    self ["write"] kwrest(2) => write;
    self ["binwrite"] kwrest(2) => binwrite;
    self ["readlines"] kwrest(1) => readlines;
    self ["foreach"] kwrest(1) => foreach;
    self ["select"] opt(1, 4) => select;
    self ["copy_stream"] opt(2, 4) => copy_stream;
}

const KERNEL: ClassDef = ClassDef {
    name: "Kernel",
    superclass: None,
    methods: &[MethodDef { names: &["select"], arity: arity::opt(1, 4), f: select, scope: "module_fn" }],
};

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
    vm.define_table(&KERNEL);
}

/// Opens for one action and closes after it, whatever happens.
fn with_file(vm: Vm, path: Value, mode: &Mode, f: impl FnOnce(Value, &'static Stream) -> Ruby) -> Ruby {
    let io = open_file(vm, path, mode)?;
    vm.ensure(
        || {
            let s = stream(vm, io)?;
            f(io, s)
        },
        || close_quietly(vm, io),
    )
}
/// The keywords that are about opening (all but `chomp`, `limit`, ...).
fn open_options(vm: Vm, args: Args) -> Ruby<Option<Hsh>> {
    let Some(h) = args.keywords() else { return Ok(None) };
    let copy = RHash::new(&vm);
    copy.copy_from(&vm, h);
    copy.delete(&vm, vm.sym("chomp"))?;
    Ok(Some(copy))
}

fn read_part(vm: Vm, s: &Stream, len: Value, offset: Value) -> Ruby {
    if !offset.is_nil() {
        let at = vm.to_i64(offset)?;
        if at < 0 {
            return Err(vm.arg_error(&format!("negative offset {at} given")));
        }
        s.seek(vm, at, libc::SEEK_SET)?;
    }
    if len.is_nil() {
        let all = s.read_all(vm)?;
        return s.text(vm, all);
    }
    let n = length(vm, len)?;
    let bytes = s.read_exactly(vm, n)?;
    if bytes.is_empty() && n > 0 { Ok(NIL) } else { Ok(vm.read_str(bytes, Enc::Binary)) }
}
fn read(vm: Vm, _this: Value, args: Args) -> Ruby {
    if args.len() > 3 {
        return Err(vm.wrong_arguments(args.len(), 1, 3));
    }
    let mode = Mode::parse(vm, NIL, NIL, args.keywords())?;
    with_file(vm, args.or_nil(0), &mode, |_, s| read_part(vm, s, args.or_nil(1), args.or_nil(2)))
}
fn binread(vm: Vm, _this: Value, args: Args) -> Ruby {
    let mode = Mode { flags: flag::READ | flag::BINARY, ..Mode::READ };
    with_file(vm, args.or_nil(0), &mode, |_, s| read_part(vm, s, args.or_nil(1), args.or_nil(2)))
}

fn write_file(vm: Vm, args: Args, binary: bool) -> Ruby {
    if args.len() > 3 {
        return Err(vm.wrong_arguments(args.len(), 2, 3));
    }
    let offset = args.or_nil(2);
    let mut mode = Mode::parse(vm, NIL, NIL, args.keywords())?;
    if args.keyword(vm, "mode")?.is_none_or(Value::is_nil) {
        let trunc = if offset.is_nil() { libc::O_TRUNC } else { 0 };
        mode.oflags |= libc::O_WRONLY | libc::O_CREAT | trunc;
        mode.flags = mode.flags & !flag::READ | flag::WRITE;
    }
    if binary {
        mode.flags |= flag::BINARY;
    }
    with_file(vm, args.or_nil(0), &mode, |io, s| {
        if !offset.is_nil() {
            s.seek(vm, vm.to_i64(offset)?, libc::SEEK_SET)?;
        }
        vm.send(io, sym::WRITE, &[args.or_nil(1)])
    })
}
fn write(vm: Vm, _this: Value, args: Args) -> Ruby {
    write_file(vm, args, false)
}
fn binwrite(vm: Vm, _this: Value, args: Args) -> Ruby {
    write_file(vm, args, true)
}

fn line_args(vm: Vm, args: Args) -> Ruby<Lines> {
    if args.len() > 3 {
        return Err(vm.wrong_arguments(args.len(), 1, 3));
    }
    let chomp = args.keyword(vm, "chomp")?.is_some_and(Value::truthy);
    Lines::of(vm, &args.slice()[1..], chomp)
}
fn readlines(vm: Vm, _this: Value, args: Args) -> Ruby {
    let how = line_args(vm, args)?;
    how.check_limit(vm, "readlines")?;
    let mode = Mode::parse(vm, NIL, NIL, open_options(vm, args)?)?;
    with_file(vm, args.or_nil(0), &mode, |_, s| all_lines(vm, s, &how))
}
fn foreach(vm: Vm, this: Value, args: Args) -> Ruby {
    let Some(b) = args.block() else { return enum_of(vm, this, "foreach", args) };
    let how = line_args(vm, args)?;
    how.check_limit(vm, "foreach")?;
    let mode = Mode::parse(vm, NIL, NIL, open_options(vm, args)?)?;
    with_file(vm, args.or_nil(0), &mode, |io, s| {
        yield_lines(vm, io, s, &how, b)?;
        Ok(NIL)
    })
}

// ---- select

fn select(vm: Vm, _this: Value, args: Args) -> Ruby {
    let limit = match args.or_nil(3) {
        v if v.is_nil() => None,
        v => Some(vm.nanoseconds(v)?),
    };
    let mut fds: Vec<libc::pollfd> = Vec::new();
    // Originals and their streams, three pairs of lists.
    let lists = RArray::new(&vm, 3);
    let ios = RArray::new(&vm, 8);
    let mut at_once = false;
    for which in 0..3 {
        let list = super::io_open::io_list(vm, args.or_nil(which))?;
        lists.push(&vm, list.value());
        let mut i = 0;
        while i < list.len() {
            let io = to_io(vm, list.get(i))?;
            ios.push(&vm, io);
            let s = stream(vm, io)?;
            let (fd, events) = match which {
                0 => {
                    s.check_readable(vm)?;
                    at_once |= s.buffered() > 0;
                    (s.fd.get(), libc::POLLIN)
                }
                1 => (s.write_fd(), libc::POLLOUT),
                _ => (s.fd.get(), libc::POLLPRI),
            };
            fds.push(libc::pollfd { fd, events, revents: 0 });
            i += 1;
        }
    }
    if vm.poll(&mut fds, if at_once { Some(0) } else { limit })? == 0 && !at_once {
        return Ok(NIL);
    }
    let out = RArray::new(&vm, 3);
    let mut n = 0;
    for which in 0..3 {
        let ready = RArray::new(&vm, 2);
        let list: Option<Ary> = lists.get(which).as_array();
        for i in 0..list.map_or(0, |l| l.len()) {
            let wants = [
                libc::POLLIN | libc::POLLHUP | libc::POLLERR,
                libc::POLLOUT | libc::POLLHUP | libc::POLLERR,
                libc::POLLPRI,
            ][which];
            let full = which == 0 && ios.get(n).data::<Stream>().is_some_and(|s| s.buffered() > 0);
            if full || fds[n].revents & wants != 0 {
                ready.push(&vm, list.map_or(NIL, |l| l.get(i)));
            }
            if fds[n].revents & libc::POLLNVAL != 0 {
                return Err(errno::fail(vm, libc::EBADF, ""));
            }
            n += 1;
        }
        out.push(&vm, ready.value());
    }
    Ok(out.value())
}

// ---- copy_stream

/// One end of a copy: the object, and whether we opened it.
fn end(vm: Vm, v: Value, mode: &Mode) -> Ruby<(Value, bool)> {
    if v.data::<Stream>().is_some() {
        return Ok((v, false));
    }
    let is_path = v.as_str().is_some() || vm.responds_to(v, sym::TO_PATH, true)?;
    if is_path {
        return Ok((open_file(vm, path_arg(vm, v)?.value(), mode)?, true));
    }
    Ok((v, false))
}
fn copy_stream(vm: Vm, _this: Value, args: Args) -> Ruby {
    let (len, offset) = (args.or_nil(2), args.or_nil(3));
    let mut left = if len.is_nil() { None } else { Some(length(vm, len)?) };
    let (src, own_src) = end(vm, args.or_nil(0), &Mode::READ)?;
    let writing = Mode { oflags: libc::O_WRONLY | libc::O_CREAT | libc::O_TRUNC, flags: flag::WRITE, ..Mode::READ };
    let finish = |own: bool, io: Value| if own { close_quietly(vm, io) } else { Ok(()) };
    vm.ensure(
        || {
            let (dst, own_dst) = end(vm, args.or_nil(1), &writing)?;
            vm.ensure(
                || {
                    let mut at = if offset.is_nil() { None } else { Some(vm.to_i64(offset)?) };
                    let mut total = 0i64;
                    while left != Some(0) {
                        let n = left.unwrap_or(usize::MAX).min(64 << 10);
                        let Some(chunk) = chunk(vm, src, n, at)? else { break };
                        let got = chunk.len();
                        vm.send(dst, sym::WRITE, &[chunk.value()])?;
                        total += got as i64;
                        at = at.map(|a| a + got as i64);
                        left = left.map(|l| l.saturating_sub(got));
                    }
                    if let Some(s) = dst.data::<Stream>() {
                        s.flush(vm)?;
                    }
                    Ok(vm.int(total))
                },
                || finish(own_dst, dst),
            )
        },
        || finish(own_src, src),
    )
}
/// Up to `n` bytes from a source, at a position of the file if one is given.
fn chunk(vm: Vm, src: Value, n: usize, at: Option<i64>) -> Ruby<Option<crate::object::Str>> {
    let Some(s) = src.data::<Stream>() else {
        if at.is_some() {
            return Err(vm.arg_error("cannot specify src_offset for non-IO"));
        }
        let name = if vm.responds_to(src, vm.intern("readpartial"), true)? { "readpartial" } else { "read" };
        let count = Value::fixnum(n as i64);
        let r = vm.rescue(vm.classes.eof_error.get(), || vm.send(src, vm.intern(name), &[count]))?;
        return match r {
            Ok(v) if v.is_nil() => Ok(None),
            Ok(v) => Ok(Some(vm.to_str(v)?)),
            Err(_) => Ok(None),
        };
    };
    s.check_readable(vm)?;
    let bytes = match at {
        Some(at) => {
            let mut buf = vec![0u8; n];
            match s.call(vm, &s.fd, |sched, fd| crate::sys::io::pread(sched, fd, &mut buf, at))? {
                Ok(n) => buf.truncate(n),
                Err(e) => return Err(s.fail_named(vm, e)),
            }
            buf
        }
        None if s.buffered() > 0 => s.take(n),
        None => s.read_some(vm, n)?,
    };
    if bytes.is_empty() { Ok(None) } else { Ok(Some(RString::from_vec(&vm, bytes, Enc::Binary))) }
}
