//! `File::Stat`, and the questions about files by path: `File.exist?`, `FileTest.size?`, ...

use super::io_open::{cpath, path_error};
use super::stream::{Stream, stream};
use crate::class;
use crate::object::{Class, Data, RData};
use crate::sys::file::{self as sys, Follow};
use crate::value::{FALSE, NIL, Raised, Ruby, Value};
use crate::vm::Vm;
use crate::vm::native::{Args, ClassDef, MethodDef, Native, arity};

class! { "File::Stat" < "Object";
    self ["new"] req(1) => new;
    ["dev"] req(0) => dev;
    ["dev_major"] req(0) => dev_major;
    ["dev_minor"] req(0) => dev_minor;
    ["ino"] req(0) => ino;
    ["mode"] req(0) => mode;
    ["nlink"] req(0) => nlink;
    ["uid"] req(0) => uid;
    ["gid"] req(0) => gid;
    ["rdev"] req(0) => rdev;
    ["size"] req(0) => size;
    ["blksize"] req(0) => blksize;
    ["blocks"] req(0) => blocks;
    ["atime"] req(0) => atime;
    ["mtime"] req(0) => mtime;
    ["ctime"] req(0) => ctime;
    ["ftype"] req(0) => ftype;
    ["file?"] req(0) => is_file;
    ["directory?"] req(0) => is_directory;
    ["symlink?"] req(0) => is_symlink;
    ["pipe?"] req(0) => is_pipe;
    ["socket?"] req(0) => is_socket;
    ["blockdev?"] req(0) => is_blockdev;
    ["chardev?"] req(0) => is_chardev;
    ["zero?"] req(0) => is_zero;
    ["size?"] req(0) => size_or_nil;
    ["owned?"] req(0) => is_owned;
    ["grpowned?"] req(0) => is_grpowned;
    ["readable?"] req(0) => is_readable;
    ["readable_real?"] req(0) => is_readable;
    ["writable?"] req(0) => is_writable;
    ["writable_real?"] req(0) => is_writable;
    ["executable?"] req(0) => is_executable;
    ["executable_real?"] req(0) => is_executable;
    ["world_readable?"] req(0) => world_readable;
    ["world_writable?"] req(0) => world_writable;
    ["setuid?"] req(0) => is_setuid;
    ["setgid?"] req(0) => is_setgid;
    ["sticky?"] req(0) => is_sticky;
    ["<=>"] req(1) => cmp;
    ["inspect"] req(0) => inspect;
}

struct Stat(sys::Stat);
impl Data for Stat {}

/// Tests by path, the same in File and FileTest.
const TESTS: &[(&[&str], Native)] = &[
    (&["exist?"], |vm, _, a| ask(vm, a, |s| Value::bool(s.is_some()))),
    (&["file?"], |vm, _, a| kind(vm, a, libc::S_IFREG)),
    (&["directory?"], |vm, _, a| kind(vm, a, libc::S_IFDIR)),
    (&["pipe?"], |vm, _, a| kind(vm, a, libc::S_IFIFO)),
    (&["socket?"], |vm, _, a| kind(vm, a, libc::S_IFSOCK)),
    (&["blockdev?"], |vm, _, a| kind(vm, a, libc::S_IFBLK)),
    (&["chardev?"], |vm, _, a| kind(vm, a, libc::S_IFCHR)),
    (&["symlink?"], |vm, _, a| {
        let (_, p) = cpath(vm, a.or_nil(0))?;
        let st = vm.retry(|s| sys::stat(s, &p, Follow::Nothing))?;
        Ok(Value::bool(st.is_ok_and(|s| s.st_mode & libc::S_IFMT == libc::S_IFLNK)))
    }),
    (&["zero?", "empty?"], |vm, _, a| ask(vm, a, |s| Value::bool(s.is_some_and(|s| s.st_size == 0)))),
    (&["size?"], |vm, _, a| ask(vm, a, |s| s.filter(|s| s.st_size > 0).map_or(NIL, |s| Value::fixnum(s.st_size)))),
    (&["owned?"], |vm, _, a| ask(vm, a, |s| Value::bool(s.is_some_and(|s| s.st_uid == sys::effective_ids().0)))),
    (&["grpowned?"], |vm, _, a| ask(vm, a, |s| Value::bool(s.is_some_and(|s| s.st_gid == sys::effective_ids().1)))),
    (&["setuid?"], |vm, _, a| bit(vm, a, libc::S_ISUID)),
    (&["setgid?"], |vm, _, a| bit(vm, a, libc::S_ISGID)),
    (&["sticky?"], |vm, _, a| bit(vm, a, libc::S_ISVTX)),
    (&["world_readable?"], |vm, _, a| ask(vm, a, |s| s.map_or(NIL, |s| world(s, libc::S_IROTH)))),
    (&["world_writable?"], |vm, _, a| ask(vm, a, |s| s.map_or(NIL, |s| world(s, libc::S_IWOTH)))),
    (&["readable?"], |vm, _, a| access(vm, a, libc::R_OK, true)),
    (&["writable?"], |vm, _, a| access(vm, a, libc::W_OK, true)),
    (&["executable?"], |vm, _, a| access(vm, a, libc::X_OK, true)),
    (&["readable_real?"], |vm, _, a| access(vm, a, libc::R_OK, false)),
    (&["writable_real?"], |vm, _, a| access(vm, a, libc::W_OK, false)),
    (&["executable_real?"], |vm, _, a| access(vm, a, libc::X_OK, false)),
    (&["size"], |vm, _, a| Ok(Value::fixnum(stat_arg(vm, a.or_nil(0), "rb_file_s_size")?.st_size))),
];

const BY_PATH: &[MethodDef] = &[
    MethodDef { names: &["stat"], arity: arity::req(1), f: file_stat, scope: "self" },
    MethodDef { names: &["lstat"], arity: arity::req(1), f: file_lstat, scope: "self" },
    MethodDef { names: &["ftype"], arity: arity::req(1), f: file_ftype, scope: "self" },
    MethodDef { names: &["atime"], arity: arity::req(1), f: |vm, _, a| time_of(vm, a, "atime"), scope: "self" },
    MethodDef { names: &["mtime"], arity: arity::req(1), f: |vm, _, a| time_of(vm, a, "mtime"), scope: "self" },
    MethodDef { names: &["ctime"], arity: arity::req(1), f: |vm, _, a| time_of(vm, a, "ctime"), scope: "self" },
    MethodDef { names: &["birthtime"], arity: arity::req(1), f: birthtime, scope: "self" },
    MethodDef { names: &["lstat"], arity: arity::req(0), f: own_lstat, scope: "" },
    MethodDef { names: &["size"], arity: arity::req(0), f: own_size, scope: "" },
    MethodDef { names: &["atime"], arity: arity::req(0), f: |vm, t, _| own_time(vm, t, 0), scope: "" },
    MethodDef { names: &["mtime"], arity: arity::req(0), f: |vm, t, _| own_time(vm, t, 1), scope: "" },
    MethodDef { names: &["ctime"], arity: arity::req(0), f: |vm, t, _| own_time(vm, t, 2), scope: "" },
    MethodDef { names: &["birthtime"], arity: arity::req(0), f: |vm, t, _| own_time(vm, t, 2), scope: "" },
];
const FILE: ClassDef = ClassDef { name: "File", superclass: Some("IO"), methods: BY_PATH };
const IO: ClassDef = ClassDef {
    name: "IO",
    superclass: Some("Object"),
    methods: &[MethodDef { names: &["stat"], arity: arity::req(0), f: own_stat, scope: "" }],
};
const IDENTICAL: MethodDef = MethodDef { names: &["identical?"], arity: arity::req(2), f: identical, scope: "self" };

pub fn boot(vm: Vm) {
    vm.define_table(&FILE);
    vm.define_table(&IO);
    let stat = vm.define_table(&CLASS);
    if let Some(c) = vm.const_path("Comparable") {
        stat.include(c);
    }
    let rows: Vec<MethodDef> = TESTS
        .iter()
        .map(|&(names, f)| MethodDef { names, arity: arity::req(1), f, scope: "self" })
        .chain([IDENTICAL])
        .collect();
    // Tables are made once and live as long as the program.
    let rows: &'static [MethodDef] = Box::leak(rows.into_boxed_slice());
    vm.define_table(&ClassDef { name: "File", superclass: Some("IO"), methods: rows });
    let test = vm.define_table(&ClassDef { name: "FileTest", superclass: None, methods: rows });
    let k = &vm.classes.file_test;
    if !k.is_set() {
        k.set(test);
    }
}

/// `stat` of a path or an open file; `None` if there is no such thing.
fn look(vm: Vm, v: Value) -> Ruby<Result<sys::Stat, i32>> {
    if v.data::<Stream>().is_some() {
        return Ok(sys::fstat(stream(vm, v)?.fd.get()));
    }
    let (_, p) = cpath(vm, v)?;
    vm.retry(|s| sys::stat(s, &p, Follow::Links))
}
/// The same, missing files are an error.
fn stat_arg(vm: Vm, v: Value, call: &str) -> Ruby<sys::Stat> {
    match look(vm, v)? {
        Ok(s) => Ok(s),
        Err(e) => {
            let (s, _) = cpath(vm, v)?;
            Err(path_error(vm, e, call, s.bytes()))
        }
    }
}
fn ask(vm: Vm, args: Args, f: impl FnOnce(Option<&sys::Stat>) -> Value) -> Ruby {
    Ok(f(look(vm, args.or_nil(0))?.ok().as_ref()))
}
fn kind(vm: Vm, args: Args, which: u32) -> Ruby {
    ask(vm, args, |s| Value::bool(s.is_some_and(|s| s.st_mode & libc::S_IFMT == which)))
}
fn bit(vm: Vm, args: Args, which: u32) -> Ruby {
    ask(vm, args, |s| Value::bool(s.is_some_and(|s| s.st_mode & which != 0)))
}
fn world(s: &sys::Stat, which: u32) -> Value {
    if s.st_mode & which != 0 { Value::fixnum((s.st_mode & 0o777) as i64) } else { NIL }
}
fn access(vm: Vm, args: Args, how: i32, effective: bool) -> Ruby {
    let (_, p) = cpath(vm, args.or_nil(0))?;
    let r = vm.retry(|s| if effective { sys::eaccess(s, &p, how) } else { sys::access(s, &p, how) })?;
    Ok(Value::bool(r.is_ok()))
}
fn identical(vm: Vm, _this: Value, args: Args) -> Ruby {
    let (a, b) = (look(vm, args.or_nil(0))?, look(vm, args.or_nil(1))?);
    Ok(match (a, b) {
        (Ok(a), Ok(b)) => Value::bool(a.st_dev == b.st_dev && a.st_ino == b.st_ino),
        _ => FALSE,
    })
}

fn wrap(vm: Vm, class: Class, s: sys::Stat) -> Value {
    RData::alloc(&vm, class, Stat(s))
}
fn stat_object(vm: Vm, s: sys::Stat) -> Value {
    wrap(vm, vm.classes.file_stat.get(), s)
}
fn file_stat(vm: Vm, _this: Value, args: Args) -> Ruby {
    Ok(stat_object(vm, stat_arg(vm, args.or_nil(0), "rb_file_s_stat")?))
}
fn lstat_of(vm: Vm, v: Value, call: &str) -> Ruby<sys::Stat> {
    let (s, p) = cpath(vm, v)?;
    vm.retry(|sched| sys::stat(sched, &p, Follow::Nothing))?.map_err(|e| path_error(vm, e, call, s.bytes()))
}
fn file_lstat(vm: Vm, _this: Value, args: Args) -> Ruby {
    Ok(stat_object(vm, lstat_of(vm, args.or_nil(0), "rb_file_s_lstat")?))
}
fn file_ftype(vm: Vm, _this: Value, args: Args) -> Ruby {
    let s = lstat_of(vm, args.or_nil(0), "rb_file_s_ftype")?;
    Ok(vm.str(type_name(&s)))
}
fn new(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = stat_arg(vm, args.or_nil(0), "rb_file_s_stat")?;
    Ok(wrap(vm, this.as_class().unwrap_or(vm.classes.file_stat.get()), s))
}
fn own(vm: Vm, this: Value) -> Ruby<sys::Stat> {
    let s = stream(vm, this)?;
    s.flush(vm)?;
    sys::fstat(s.fd.get()).map_err(|e| s.fail_named(vm, e))
}
fn own_stat(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(stat_object(vm, own(vm, this)?))
}
fn own_lstat(vm: Vm, this: Value, _args: Args) -> Ruby {
    let s = stream(vm, this)?;
    match s.path.get() {
        p if p.as_str().is_some() => Ok(stat_object(vm, lstat_of(vm, p, "rb_file_lstat")?)),
        _ => Ok(stat_object(vm, own(vm, this)?)),
    }
}
fn own_size(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(Value::fixnum(own(vm, this)?.st_size))
}
fn time(vm: Vm, s: &sys::Stat, which: usize) -> Value {
    let (sec, ns) =
        [(s.st_atime, s.st_atime_nsec), (s.st_mtime, s.st_mtime_nsec), (s.st_ctime, s.st_ctime_nsec)][which];
    super::time::new(vm, sec, ns)
}
fn own_time(vm: Vm, this: Value, which: usize) -> Ruby {
    Ok(time(vm, &own(vm, this)?, which))
}
fn time_of(vm: Vm, args: Args, what: &str) -> Ruby {
    let s = stat_arg(vm, args.or_nil(0), &format!("rb_file_s_{what}"))?;
    Ok(time(vm, &s, ["atime", "mtime", "ctime"].iter().position(|w| *w == what).unwrap_or(2)))
}
/// From `statx`; NotImplementedError where the file system does not keep it.
fn birthtime(vm: Vm, _this: Value, args: Args) -> Ruby {
    let (s, p) = cpath(vm, args.or_nil(0))?;
    // SAFETY: a zeroed statx is valid; path and buffer live through the call.
    let (r, st) = unsafe {
        let mut st: libc::statx = std::mem::zeroed();
        (libc::statx(libc::AT_FDCWD, p.as_ptr(), 0, libc::STATX_BTIME, &raw mut st), st)
    };
    if r < 0 {
        let e: Raised = path_error(vm, crate::sys::errno(), "rb_file_s_birthtime", s.bytes());
        return Err(e);
    }
    if st.stx_mask & libc::STATX_BTIME == 0 {
        return Err(vm.not_implemented("File.birthtime on this file system"));
    }
    Ok(super::time::new(vm, st.stx_btime.tv_sec, st.stx_btime.tv_nsec as i64))
}

fn type_name(s: &sys::Stat) -> &'static str {
    match s.st_mode & libc::S_IFMT {
        libc::S_IFREG => "file",
        libc::S_IFDIR => "directory",
        libc::S_IFCHR => "characterSpecial",
        libc::S_IFBLK => "blockSpecial",
        libc::S_IFIFO => "fifo",
        libc::S_IFLNK => "link",
        libc::S_IFSOCK => "socket",
        _ => "unknown",
    }
}

fn st(vm: Vm, this: Value) -> Ruby<&'static sys::Stat> {
    match this.data::<Stat>() {
        Some(s) => Ok(&s.0),
        None => Err(vm.type_error("uninitialized File::Stat")),
    }
}

macro_rules! numbers { ($($name:ident => |$s:ident| $e:expr;)+) => { $(
    fn $name(vm: Vm, this: Value, _args: Args) -> Ruby {
        let $s = st(vm, this)?;
        Ok(vm.int($e as i64))
    }
)+ } }
numbers! {
    dev => |s| s.st_dev;
    dev_major => |s| libc::major(s.st_dev);
    dev_minor => |s| libc::minor(s.st_dev);
    ino => |s| s.st_ino;
    mode => |s| s.st_mode;
    nlink => |s| s.st_nlink;
    uid => |s| s.st_uid;
    gid => |s| s.st_gid;
    rdev => |s| s.st_rdev;
    size => |s| s.st_size;
    blksize => |s| s.st_blksize;
    blocks => |s| s.st_blocks;
}
macro_rules! tests { ($($name:ident => |$s:ident| $e:expr;)+) => { $(
    fn $name(vm: Vm, this: Value, _args: Args) -> Ruby {
        let $s = st(vm, this)?;
        Ok(Value::bool($e))
    }
)+ } }
fn is(s: &sys::Stat, kind: u32) -> bool {
    s.st_mode & libc::S_IFMT == kind
}
/// What the effective user may do, by the mode bits.
fn allowed(s: &sys::Stat, bits: u32) -> bool {
    let (user, group) = sys::effective_ids();
    if user == 0 {
        return bits != 1 || s.st_mode & 0o111 != 0;
    }
    let shift = if s.st_uid == user {
        6
    } else if s.st_gid == group {
        3
    } else {
        0
    };
    s.st_mode >> shift & bits != 0
}
tests! {
    is_file => |s| is(s, libc::S_IFREG);
    is_directory => |s| is(s, libc::S_IFDIR);
    is_symlink => |s| is(s, libc::S_IFLNK);
    is_pipe => |s| is(s, libc::S_IFIFO);
    is_socket => |s| is(s, libc::S_IFSOCK);
    is_blockdev => |s| is(s, libc::S_IFBLK);
    is_chardev => |s| is(s, libc::S_IFCHR);
    is_zero => |s| s.st_size == 0;
    is_owned => |s| s.st_uid == sys::effective_ids().0;
    is_grpowned => |s| s.st_gid == sys::effective_ids().1;
    is_readable => |s| allowed(s, 4);
    is_writable => |s| allowed(s, 2);
    is_executable => |s| allowed(s, 1);
    is_setuid => |s| s.st_mode & libc::S_ISUID != 0;
    is_setgid => |s| s.st_mode & libc::S_ISGID != 0;
    is_sticky => |s| s.st_mode & libc::S_ISVTX != 0;
}
fn size_or_nil(vm: Vm, this: Value, _args: Args) -> Ruby {
    let n = st(vm, this)?.st_size;
    Ok(if n > 0 { Value::fixnum(n) } else { NIL })
}
fn world_readable(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(world(st(vm, this)?, libc::S_IROTH))
}
fn world_writable(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(world(st(vm, this)?, libc::S_IWOTH))
}
fn atime(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(time(vm, st(vm, this)?, 0))
}
fn mtime(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(time(vm, st(vm, this)?, 1))
}
fn ctime(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(time(vm, st(vm, this)?, 2))
}
fn ftype(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(vm.str(type_name(st(vm, this)?)))
}
fn cmp(vm: Vm, this: Value, args: Args) -> Ruby {
    let Some(o) = args.or_nil(0).data::<Stat>() else { return Ok(NIL) };
    let s = st(vm, this)?;
    let order = (s.st_mtime, s.st_mtime_nsec).cmp(&(o.0.st_mtime, o.0.st_mtime_nsec));
    Ok(Value::fixnum(order as i64))
}
fn inspect(vm: Vm, this: Value, _args: Args) -> Ruby {
    let s = st(vm, this)?;
    let mut text = format!(
        "#<File::Stat dev=0x{:x}, ino={}, mode=0{:o}, nlink={}, uid={}, gid={}, rdev=0x{:x}, size={}, blksize={}, blocks={}",
        s.st_dev, s.st_ino, s.st_mode, s.st_nlink, s.st_uid, s.st_gid, s.st_rdev, s.st_size, s.st_blksize, s.st_blocks
    );
    for (i, name) in ["atime", "mtime", "ctime"].into_iter().enumerate() {
        let t = vm.inspect(time(vm, s, i))?;
        text.push_str(&format!(", {name}={}", t.text()));
    }
    text.push('>');
    Ok(vm.str(&text))
}
