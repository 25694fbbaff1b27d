//! `Dir`: folders by path, their entries, glob.

use super::dir_glob::Glob;
use super::errno;
use super::file_path::{current, home_of};
use super::io_enc;
use super::io_open::{close_quietly, cpath, path_arg, path_error};
use super::io_read::enum_of;
use crate::class;
use crate::heap::Marker;
use crate::object::{Ary, Data, Enc, RArray, RData, RString, sym};
use crate::sys::dir as sys;
use crate::sys::file as fs;
use crate::value::{NIL, Ruby, Value};
use crate::vm::Vm;
use crate::vm::native::Args;
use std::cell::Cell;

class! { "Dir" < "Object";
    self ["open"] kwrest(1) => open;
    self ["pwd", "getwd"] req(0) => pwd;
    self ["chdir"] opt(0, 1) => chdir;
    self ["mkdir"] opt(1, 2) => mkdir;
    self ["rmdir", "unlink", "delete"] req(1) => rmdir;
    self ["entries"] kw(1, 1) => entries;
    self ["children"] kw(1, 1) => children;
    self ["each_child"] kw(1, 1) => each_child;
    self ["foreach"] kw(1, 1) => foreach;
    self ["exist?"] req(1) => exist;
    self ["empty?"] req(1) => is_empty;
    self ["home"] opt(0, 1) => home;
    self ["glob"] kw(1, 2) => glob;
    self ["[]"] kwrest(0) => aref;
    ["initialize"] kw(1, 1) => initialize;
    ["path", "to_path"] req(0) => path;
    ["read"] req(0) => read;
    ["each"] req(0) => each;
    ["children"] req(0) => own_children;
    ["each_child"] req(0) => own_each_child;
    ["rewind"] req(0) => rewind;
    ["pos", "tell"] req(0) => pos;
    ["pos="] req(1) => set_pos;
    ["seek"] req(1) => seek;
    ["close"] req(0) => close;
    ["chdir"] req(0) => own_chdir;
    ["inspect"] req(0) => inspect;
}

/// A folder's names, read when it is opened.
struct Folder {
    path: Cell<Value>,
    /// Array of names, nil when closed
    names: Cell<Value>,
    at: Cell<usize>,
    enc: Cell<Enc>,
}
impl Data for Folder {
    fn trace(&self, m: &mut Marker) {
        m.value(self.path.get());
        m.value(self.names.get());
    }
}

/// How many blocks of `Dir.chdir` are running, and the thread of the innermost.
#[derive(Default)]
struct Chdir {
    depth: Cell<u32>,
    thread: Cell<Option<crate::sched::ThreadRef>>,
}

pub fn boot(vm: Vm) {
    let dir = vm.define_table(&CLASS);
    if let Some(e) = vm.const_path("Enumerable") {
        dir.include(e);
    }
    vm.set_allocator(dir, |vm, class| {
        let f = Folder { path: Cell::new(NIL), names: Cell::new(NIL), at: Cell::new(0), enc: Cell::new(Enc::Utf8) };
        Ok(RData::alloc(&vm, class, f))
    });
}

// ---- the current folder

fn pwd(vm: Vm, _this: Value, _args: Args) -> Ruby {
    Ok(RString::from_vec(&vm, current(vm)?, Enc::Utf8).value())
}
fn go(vm: Vm, to: Value) -> Ruby<()> {
    let (s, p) = cpath(vm, to)?;
    match vm.retry(|sched| fs::chdir(sched, &p))? {
        Ok(_) => Ok(()),
        Err(e) => Err(path_error(vm, e, "dir_chdir0", s.bytes())),
    }
}
fn chdir(vm: Vm, _this: Value, args: Args) -> Ruby {
    let to = match args.get(0) {
        Some(p) => path_arg(vm, p)?.value(),
        None => home_of(vm, NIL)?,
    };
    within(vm, to, args)
}
fn within(vm: Vm, to: Value, args: Args) -> Ruby {
    let state = vm.slot::<Chdir>();
    let me = vm.sched.current();
    if state.depth.get() > 0 {
        if state.thread.get() != Some(me) {
            return Err(vm.runtime_error("conflicting chdir during another chdir block"));
        }
        if args.block().is_none() {
            vm.warn("warning: conflicting chdir during another chdir block")?;
        }
    }
    let Some(b) = args.block() else {
        go(vm, to)?;
        return Ok(Value::fixnum(0));
    };
    let back = pwd(vm, NIL, args)?;
    go(vm, to)?;
    state.depth.set(state.depth.get() + 1);
    state.thread.set(Some(me));
    vm.ensure(
        || vm.yield1(b, to),
        || {
            state.depth.set(state.depth.get() - 1);
            go(vm, back)
        },
    )
}
fn own_chdir(vm: Vm, this: Value, args: Args) -> Ruby {
    let f = folder(vm, this)?;
    within(vm, f.path.get(), args)
}
fn home(vm: Vm, _this: Value, args: Args) -> Ruby {
    home_of(vm, args.or_nil(0))
}

// ---- by path

fn mkdir(vm: Vm, _this: Value, args: Args) -> Ruby {
    let mode = if args.or_nil(1).is_nil() { 0o777 } else { vm.to_i64(args.or_nil(1))? as u32 };
    let (s, p) = cpath(vm, args.or_nil(0))?;
    match vm.retry(|sched| fs::mkdir(sched, &p, mode))? {
        Ok(_) => Ok(Value::fixnum(0)),
        Err(e) => Err(path_error(vm, e, "dir_s_mkdir", s.bytes())),
    }
}
fn rmdir(vm: Vm, _this: Value, args: Args) -> Ruby {
    let (s, p) = cpath(vm, args.or_nil(0))?;
    match vm.retry(|sched| fs::rmdir(sched, &p))? {
        Ok(_) => Ok(Value::fixnum(0)),
        Err(e) => Err(path_error(vm, e, "dir_s_rmdir", s.bytes())),
    }
}
fn exist(vm: Vm, _this: Value, args: Args) -> Ruby {
    let (_, p) = cpath(vm, args.or_nil(0))?;
    let st = vm.retry(|s| fs::stat(s, &p, fs::Follow::Links))?;
    Ok(Value::bool(st.is_ok_and(|s| s.st_mode & libc::S_IFMT == libc::S_IFDIR)))
}
fn is_empty(vm: Vm, _this: Value, args: Args) -> Ruby {
    let (s, p) = cpath(vm, args.or_nil(0))?;
    match vm.retry(|sched| sys::entries(sched, &p))? {
        Ok(list) => Ok(Value::bool(list.len() <= 2)),
        Err(libc::ENOTDIR) => Ok(crate::value::FALSE),
        Err(e) => Err(path_error(vm, e, "rb_dir_s_empty_p", s.bytes())),
    }
}

/// Names of a folder as Strings; `all`: `.` and `..` too.
fn names(vm: Vm, dir: Value, enc: Enc, all: bool) -> Ruby<Ary> {
    let (s, p) = cpath(vm, dir)?;
    let list = vm.retry(|sched| sys::entries(sched, &p))?;
    let list = list.map_err(|e| path_error(vm, e, "dir_initialize", s.bytes()))?;
    let out = RArray::new(&vm, list.len());
    for e in list {
        if all || !(e.name == b"." || e.name == b"..") {
            out.push(&vm, RString::from_vec(&vm, e.name, enc).value());
        }
    }
    Ok(out)
}
fn encoding(vm: Vm, args: Args) -> Ruby<Enc> {
    args.only_keywords(vm, &["encoding"])?;
    let e = args.keyword(vm, "encoding")?.unwrap_or(NIL);
    Ok(io_enc::from_value(vm, e)?.unwrap_or(Enc::Utf8))
}
fn entries(vm: Vm, _this: Value, args: Args) -> Ruby {
    Ok(names(vm, args.or_nil(0), encoding(vm, args)?, true)?.value())
}
fn children(vm: Vm, _this: Value, args: Args) -> Ruby {
    Ok(names(vm, args.or_nil(0), encoding(vm, args)?, false)?.value())
}
fn yield_all(vm: Vm, list: Ary, args: Args) -> Ruby<()> {
    let Some(b) = args.block() else { return Ok(()) };
    let mut i = 0;
    while i < list.len() {
        vm.yield1(b, list.get(i))?;
        i += 1;
    }
    Ok(())
}
fn each_child(vm: Vm, this: Value, args: Args) -> Ruby {
    if args.block().is_none() {
        return enum_of(vm, this, "each_child", args);
    }
    yield_all(vm, names(vm, args.or_nil(0), encoding(vm, args)?, false)?, args)?;
    Ok(NIL)
}
fn foreach(vm: Vm, this: Value, args: Args) -> Ruby {
    if args.block().is_none() {
        return enum_of(vm, this, "foreach", args);
    }
    yield_all(vm, names(vm, args.or_nil(0), encoding(vm, args)?, true)?, args)?;
    Ok(NIL)
}

// ---- glob

fn run(vm: Vm, patterns: &[Value], flags: i32, base: Value, sort: bool) -> Ruby {
    let base = if base.is_nil() { Vec::new() } else { path_arg(vm, base)?.bytes().to_vec() };
    let mut g = Glob { vm, base: &base, flags, sort, found: Vec::new() };
    for &p in patterns {
        let p = path_arg(vm, p)?;
        g.run(p.bytes());
    }
    let found = g.found;
    let out = RArray::new(&vm, found.len());
    for f in found {
        out.push(&vm, RString::from_vec(&vm, f, Enc::Utf8).value());
    }
    Ok(out.value())
}
fn glob(vm: Vm, _this: Value, args: Args) -> Ruby {
    args.only_keywords(vm, &["base", "sort", "flags"])?;
    let mut flags = args.or_nil(1);
    if let Some(f) = args.keyword(vm, "flags")? {
        flags = f;
    }
    let flags = if flags.is_nil() { 0 } else { vm.to_i32(flags)? };
    let base = args.keyword(vm, "base")?.unwrap_or(NIL);
    let sort = args.keyword(vm, "sort")?.is_none_or(Value::truthy);
    let first = args.or_nil(0);
    let all = match vm.check_ary(first)? {
        Some(a) => run(vm, a.slice(), flags, base, sort)?,
        None => run(vm, &[first], flags, base, sort)?,
    };
    let (Some(_), Some(list)) = (args.block(), all.as_array()) else { return Ok(all) };
    yield_all(vm, list, args)?;
    Ok(NIL)
}
fn aref(vm: Vm, _this: Value, args: Args) -> Ruby {
    args.only_keywords(vm, &["base", "sort"])?;
    let base = args.keyword(vm, "base")?.unwrap_or(NIL);
    let sort = args.keyword(vm, "sort")?.is_none_or(Value::truthy);
    let list = RArray::new(&vm, args.len());
    for &a in args.slice() {
        match a.as_array() {
            Some(inner) => list.extend(&vm, inner.slice()),
            None => list.push(&vm, a),
        }
    }
    run(vm, list.slice(), 0, base, sort)
}

// ---- open folders

fn any_folder(vm: Vm, this: Value) -> Ruby<&'static Folder> {
    match this.data::<Folder>() {
        Some(f) if !f.path.get().is_nil() => Ok(f),
        _ => Err(vm.io_error("uninitialized Dir")),
    }
}
fn folder(vm: Vm, this: Value) -> Ruby<&'static Folder> {
    let f = any_folder(vm, this)?;
    if f.names.get().is_nil() { Err(vm.io_error("closed directory")) } else { Ok(f) }
}
fn open(vm: Vm, this: Value, args: Args) -> Ruby {
    let d = vm.send_full(this, sym::NEW, args.all(), args.has_keywords(), None, true)?;
    match args.block() {
        None => Ok(d),
        Some(b) => vm.ensure(|| vm.yield1(b, d), || close_quietly(vm, d)),
    }
}
fn initialize(vm: Vm, this: Value, args: Args) -> Ruby {
    let Some(f) = this.data::<Folder>() else { return Ok(NIL) };
    let enc = encoding(vm, args)?;
    let p = path_arg(vm, args.or_nil(0))?;
    f.names.set(names(vm, p.value(), enc, true)?.value());
    f.path.set(p.value());
    f.enc.set(enc);
    Ok(NIL)
}
fn path(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(any_folder(vm, this)?.path.get())
}
fn list_of(f: &Folder) -> Option<Ary> {
    f.names.get().as_array()
}
fn read(vm: Vm, this: Value, _args: Args) -> Ruby {
    let f = folder(vm, this)?;
    let at = f.at.get();
    let v = list_of(f).map_or(NIL, |l| l.get(at));
    if !v.is_nil() {
        f.at.set(at + 1);
    }
    Ok(v)
}
fn each(vm: Vm, this: Value, args: Args) -> Ruby {
    let Some(b) = args.block() else { return enum_of(vm, this, "each", args) };
    loop {
        let v = read(vm, this, args)?;
        if v.is_nil() {
            return Ok(this);
        }
        vm.yield1(b, v)?;
    }
}
fn without_dots(vm: Vm, f: &Folder) -> Ary {
    let out = RArray::new(&vm, 8);
    if let Some(l) = list_of(f) {
        for i in 0..l.len() {
            let v = l.get(i);
            if v.as_str().is_some_and(|s| s.bytes() != b"." && s.bytes() != b"..") {
                out.push(&vm, v);
            }
        }
    }
    out
}
fn own_children(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(without_dots(vm, folder(vm, this)?).value())
}
fn own_each_child(vm: Vm, this: Value, args: Args) -> Ruby {
    if args.block().is_none() {
        return enum_of(vm, this, "each_child", args);
    }
    yield_all(vm, without_dots(vm, folder(vm, this)?), args)?;
    Ok(this)
}
fn rewind(vm: Vm, this: Value, _args: Args) -> Ruby {
    let f = folder(vm, this)?;
    f.names.set(names(vm, f.path.get(), f.enc.get(), true)?.value());
    f.at.set(0);
    Ok(this)
}
fn pos(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(Value::fixnum(folder(vm, this)?.at.get() as i64))
}
fn set_pos(vm: Vm, this: Value, args: Args) -> Ruby {
    let n = vm.to_i64(args.or_nil(0))?;
    let f = folder(vm, this)?;
    f.at.set(usize::try_from(n).map_err(|_| errno::fail(vm, libc::EINVAL, ""))?);
    Ok(args.or_nil(0))
}
fn seek(vm: Vm, this: Value, args: Args) -> Ruby {
    set_pos(vm, this, args)?;
    Ok(this)
}
fn close(vm: Vm, this: Value, _args: Args) -> Ruby {
    any_folder(vm, this)?.names.set(NIL);
    Ok(NIL)
}
fn inspect(vm: Vm, this: Value, _args: Args) -> Ruby {
    let class = vm.class_name(vm.real_class_of(this));
    let text = match this.data::<Folder>().and_then(|f| f.path.get().as_str()) {
        Some(p) => format!("#<{class}:{}>", p.text()),
        None => format!("#<{class}: uninitialized>"),
    };
    Ok(vm.str(&text))
}
