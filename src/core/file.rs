//! `File`: opening by path, and what is done to files by name.

use super::io_open::{Mode, cpath, open_path, path_arg, path_error};
use super::stream::{Stream, stream};
use crate::class;
use crate::object::{Enc, RString, Str};
use crate::sched::Sched;
use crate::sys::file::{self as sys, Follow};
use crate::sys::{CPath, Sys};
use crate::value::{FALSE, NIL, Ruby, Value};
use crate::vm::Vm;
use crate::vm::native::Args;

class! { "File" < "IO";
    ["initialize"] kw(1, 3) => initialize;
    ["path", "to_path"] req(0) => path;
    ["chmod"] req(1) => own_chmod;
    ["chown"] req(2) => own_chown;
    ["flock"] req(1) => flock;
    ["truncate"] req(1) => own_truncate;
    self ["chmod"] rest(1) => chmod;
    self ["lchmod"] rest(1) => lchmod;
    self ["chown"] rest(2) => chown;
    self ["lchown"] rest(2) => lchown;
    self ["utime"] rest(2) => utime;
    self ["lutime"] rest(2) => lutime;
    self ["unlink", "delete"] rest(0) => unlink;
    self ["rename"] req(2) => rename;
    self ["symlink"] req(2) => symlink;
    self ["link"] req(2) => link;
    self ["readlink"] req(1) => readlink;
    self ["truncate"] req(2) => truncate;
    self ["mkfifo"] opt(1, 2) => mkfifo;
    self ["umask"] opt(0, 1) => umask;
}

/// File::Constants.
const CONSTANTS: &[(&str, i32)] = &[
    ("RDONLY", libc::O_RDONLY),
    ("WRONLY", libc::O_WRONLY),
    ("RDWR", libc::O_RDWR),
    ("APPEND", libc::O_APPEND),
    ("CREAT", libc::O_CREAT),
    ("EXCL", libc::O_EXCL),
    ("NONBLOCK", libc::O_NONBLOCK),
    ("TRUNC", libc::O_TRUNC),
    ("NOCTTY", libc::O_NOCTTY),
    ("BINARY", 0),
    ("SHARE_DELETE", 0),
    ("SYNC", libc::O_SYNC),
    ("DSYNC", libc::O_DSYNC),
    ("RSYNC", libc::O_RSYNC),
    ("NOFOLLOW", libc::O_NOFOLLOW),
    ("DIRECTORY", libc::O_DIRECTORY),
    ("TMPFILE", libc::O_TMPFILE),
    ("NOATIME", libc::O_NOATIME),
    ("DIRECT", libc::O_DIRECT),
    ("LOCK_SH", libc::LOCK_SH),
    ("LOCK_EX", libc::LOCK_EX),
    ("LOCK_NB", libc::LOCK_NB),
    ("LOCK_UN", libc::LOCK_UN),
    ("FNM_NOESCAPE", super::dir_glob::NOESCAPE),
    ("FNM_PATHNAME", super::dir_glob::PATHNAME),
    ("FNM_DOTMATCH", super::dir_glob::DOTMATCH),
    ("FNM_CASEFOLD", super::dir_glob::CASEFOLD),
    ("FNM_EXTGLOB", super::dir_glob::EXTGLOB),
    ("FNM_SYSCASE", 0),
    ("FNM_SHORTNAME", 0),
];

pub fn boot(vm: Vm) {
    let file = vm.define_table(&CLASS);
    super::file_path::boot(vm);
    super::file_stat::boot(vm);
    let constants = vm.define_class("File::Constants", None);
    for (name, n) in CONSTANTS {
        vm.set_const(constants, vm.intern(name), Value::fixnum(*n as i64));
    }
    let null = vm.str("/dev/null");
    vm.set_const(constants, vm.intern("NULL"), null);
    vm.classes.io.get().include(constants);
    for (name, text) in [("SEPARATOR", "/"), ("Separator", "/"), ("PATH_SEPARATOR", ":")] {
        let s = RString::new(&vm, text);
        s.freeze();
        vm.set_const(file, vm.intern(name), s.value());
    }
    vm.set_const(file, vm.intern("ALT_SEPARATOR"), NIL);
}

/// `File.new(path or descriptor, mode = "r", perm = 0666, **opts)`.
fn initialize(vm: Vm, this: Value, args: Args) -> Ruby {
    let Some(s) = this.data::<Stream>() else { return Ok(NIL) };
    if s.fd.get() != -2 {
        return Err(vm.runtime_error("reinitializing File"));
    }
    let first = args.or_nil(0);
    if first.is_integer() {
        let io = vm.classes.io.get();
        if let Some(m) = vm.find_method(io, crate::object::sym::INITIALIZE) {
            return vm.call_method(m, this, args.all(), args.has_keywords(), None);
        }
    }
    let path = path_arg(vm, first)?;
    let mode = Mode::parse(vm, args.or_nil(1), args.or_nil(2), args.keywords())?;
    let fd = open_path(vm, path, &mode)?;
    let own = RString::from_bytes(&vm, path.bytes(), path.enc());
    own.freeze();
    s.path.set(own.value());
    mode.apply(vm, s, fd)?;
    Ok(NIL)
}
fn path(vm: Vm, this: Value, _args: Args) -> Ruby {
    match this.data::<Stream>().and_then(|s| s.path.get().as_str()) {
        Some(p) => Ok(RString::from_bytes(&vm, p.bytes(), p.enc()).value()),
        None => Ok(NIL),
    }
}

// ---- by name

/// Does something to each path; gives how many.
#[inline]
fn each(vm: Vm, paths: &[Value], f: impl Fn(&Sched, &CPath) -> Sys) -> Ruby {
    for &v in paths {
        let (s, p) = cpath(vm, v)?;
        if let Err(e) = vm.retry(|sched| f(sched, &p))? {
            return Err(path_error(vm, e, "apply2files", s.bytes()));
        }
    }
    Ok(Value::fixnum(paths.len() as i64))
}
fn chmod(vm: Vm, _this: Value, args: Args) -> Ruby {
    let mode = vm.to_i64(args.or_nil(0))? as u32;
    each(vm, &args.slice()[1..], |s, p| sys::chmod(s, p, mode))
}
/// Linux cannot change a link's own mode.
fn lchmod(vm: Vm, _this: Value, _args: Args) -> Ruby {
    Err(vm.raise(vm.classes.not_implemented_error.get(), "lchmod() function is unimplemented on this machine"))
}
fn owner(vm: Vm, v: Value) -> Ruby<u32> {
    if v.is_nil() { Ok(u32::MAX) } else { Ok(vm.to_i64(v)? as u32) }
}
fn chown(vm: Vm, _this: Value, args: Args) -> Ruby {
    let (u, g) = (owner(vm, args.or_nil(0))?, owner(vm, args.or_nil(1))?);
    each(vm, &args.slice()[2..], |s, p| sys::chown(s, p, u, g))
}
fn lchown(vm: Vm, _this: Value, args: Args) -> Ruby {
    let (u, g) = (owner(vm, args.or_nil(0))?, owner(vm, args.or_nil(1))?);
    each(vm, &args.slice()[2..], |s, p| sys::lchown(s, p, u, g))
}
/// A Time or a number of seconds; nil is now.
fn time_arg(vm: Vm, v: Value) -> Ruby<(i64, i64)> {
    if v.is_nil() {
        return Ok((0, libc::UTIME_NOW));
    }
    if let Some((s, n)) = super::time::parts(v) {
        return Ok((s, n as i64));
    }
    let f = vm.to_f64(v)?;
    if !f.is_finite() || f.abs() > 9e15 {
        return Err(vm.range_error("time out of range"));
    }
    let s = f.floor();
    Ok((s as i64, ((f - s) * 1e9) as i64))
}
fn set_times(vm: Vm, args: Args, follow: Follow) -> Ruby {
    let times = [time_arg(vm, args.or_nil(0))?, time_arg(vm, args.or_nil(1))?];
    each(vm, &args.slice()[2..], |s, p| sys::utimes(s, p, times, follow))
}
fn utime(vm: Vm, _this: Value, args: Args) -> Ruby {
    set_times(vm, args, Follow::Links)
}
fn lutime(vm: Vm, _this: Value, args: Args) -> Ruby {
    set_times(vm, args, Follow::Nothing)
}
fn unlink(vm: Vm, _this: Value, args: Args) -> Ruby {
    each(vm, args.slice(), sys::unlink)
}
/// A call on two paths.
fn two(vm: Vm, args: Args, call: &str, f: impl Fn(&Sched, &CPath, &CPath) -> Sys) -> Ruby {
    let (a, from) = cpath(vm, args.or_nil(0))?;
    let (b, to) = cpath(vm, args.or_nil(1))?;
    match vm.retry(|s| f(s, &from, &to))? {
        Ok(_) => Ok(Value::fixnum(0)),
        Err(e) => {
            let both = format!("({}, {})", a.text(), b.text());
            Err(path_error(vm, e, call, both.as_bytes()))
        }
    }
}
fn rename(vm: Vm, _this: Value, args: Args) -> Ruby {
    two(vm, args, "rb_file_s_rename", sys::rename)
}
fn symlink(vm: Vm, _this: Value, args: Args) -> Ruby {
    two(vm, args, "rb_file_s_symlink", sys::symlink)
}
fn link(vm: Vm, _this: Value, args: Args) -> Ruby {
    two(vm, args, "rb_file_s_link", sys::link)
}
fn readlink(vm: Vm, _this: Value, args: Args) -> Ruby {
    let (s, p) = cpath(vm, args.or_nil(0))?;
    match vm.retry(|sched| sys::readlink(sched, &p))? {
        Ok(to) => Ok(RString::from_vec(&vm, to, Enc::Utf8).value()),
        Err(e) => Err(path_error(vm, e, "rb_readlink", s.bytes())),
    }
}
fn one(vm: Vm, s: Str, call: &str, f: impl Fn(&Sched) -> Sys) -> Ruby {
    match vm.retry(f)? {
        Ok(_) => Ok(Value::fixnum(0)),
        Err(e) => Err(path_error(vm, e, call, s.bytes())),
    }
}
fn truncate(vm: Vm, _this: Value, args: Args) -> Ruby {
    let (s, p) = cpath(vm, args.or_nil(0))?;
    let n = vm.to_i64(args.or_nil(1))?;
    one(vm, s, "rb_file_s_truncate", |sched| sys::truncate(sched, &p, n))
}
fn mkfifo(vm: Vm, _this: Value, args: Args) -> Ruby {
    let (s, p) = cpath(vm, args.or_nil(0))?;
    let mode = if args.or_nil(1).is_nil() { 0o666 } else { vm.to_i64(args.or_nil(1))? as u32 };
    one(vm, s, "rb_file_s_mkfifo", |sched| sys::mkfifo(sched, &p, mode))
}
fn umask(vm: Vm, _this: Value, args: Args) -> Ruby {
    let old = match args.get(0) {
        Some(m) => sys::umask(vm.to_i64(m)? as u32),
        None => {
            let old = sys::umask(0);
            sys::umask(old);
            old
        }
    };
    Ok(Value::fixnum(old as i64))
}

// ---- open files

fn done(vm: Vm, s: &Stream, r: Sys) -> Ruby {
    match r {
        Ok(_) => Ok(Value::fixnum(0)),
        Err(e) => Err(s.fail_named(vm, e)),
    }
}
fn own_chmod(vm: Vm, this: Value, args: Args) -> Ruby {
    let mode = vm.to_i64(args.or_nil(0))? as u32;
    let s = stream(vm, this)?;
    let r = s.call(vm, &s.fd, |sched, fd| sys::fchmod(sched, fd, mode))?;
    done(vm, s, r)
}
fn own_chown(vm: Vm, this: Value, args: Args) -> Ruby {
    let (u, g) = (owner(vm, args.or_nil(0))?, owner(vm, args.or_nil(1))?);
    let s = stream(vm, this)?;
    let r = s.call(vm, &s.fd, |sched, fd| sys::fchown(sched, fd, u, g))?;
    done(vm, s, r)
}
fn own_truncate(vm: Vm, this: Value, args: Args) -> Ruby {
    let n = vm.to_i64(args.or_nil(0))?;
    let s = stream(vm, this)?;
    s.check_writable(vm)?;
    s.flush(vm)?;
    let r = s.call(vm, &s.fd, |sched, fd| crate::sys::io::truncate(sched, fd, n))?;
    done(vm, s, r)
}
/// false if LOCK_NB was given and somebody else has it.
fn flock(vm: Vm, this: Value, args: Args) -> Ruby {
    let op = vm.to_i32(args.or_nil(0))?;
    let s = stream(vm, this)?;
    s.flush(vm)?;
    match s.call(vm, &s.fd, |sched, fd| crate::sys::io::flock(sched, fd, op))? {
        Err(libc::EWOULDBLOCK) if op & libc::LOCK_NB != 0 => Ok(FALSE),
        r => done(vm, s, r),
    }
}
