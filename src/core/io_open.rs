//! Opening: what modes, flags and options mean; `IO.new`, `IO.open`, `IO.sysopen`, `IO.pipe`, `Kernel#open`.

use super::errno;
use super::io_enc;
use super::stream::{Stream, any_stream, flag, stream};
use crate::class;
use crate::object::{Class, Enc, Hsh, RArray, RData, Str, sym};
use crate::sys::{CPath, io as sys};
use crate::value::{NIL, Raised, Ruby, Value};
use crate::vm::Vm;
use crate::vm::native::{Args, ClassDef, MethodDef, arity};

class! { "IO" < "Object";
    self ["open"] kwrest(0) => open;
    self ["for_fd"] kwrest(0) => for_fd;
    self ["sysopen"] opt(1, 3) => sysopen;
    self ["pipe"] kw(0, 2) => pipe;
    self ["try_convert"] req(1) => try_convert;
    ["initialize"] kw(1, 2) => initialize;
    ["initialize_copy"] req(1) => initialize_copy;
    ["reopen"] kw(1, 2) => reopen;
}

const KERNEL: ClassDef = ClassDef {
    name: "Kernel",
    superclass: None,
    methods: &[MethodDef { names: &["open"], arity: arity::kwrest(1), f: k_open, scope: "module_fn" }],
};

pub fn boot(vm: Vm) {
    let io = vm.define_table(&CLASS);
    vm.define_table(&KERNEL);
    vm.set_allocator(io, |vm, class| Ok(RData::alloc(&vm, class, Stream::blank(vm))));
}

// ---- paths

/// A path argument: a String, or something with `to_path` or `to_str`. No NUL inside.
pub fn path_arg(vm: Vm, v: Value) -> Ruby<Str> {
    let s = match v.as_str() {
        Some(s) => s,
        None => match vm.send_if_responds(v, sym::TO_PATH, &[])? {
            Some(p) => vm.to_str(p)?,
            None => vm.to_str(v)?,
        },
    };
    if s.bytes().contains(&0) {
        return Err(vm.arg_error("path name contains null byte"));
    }
    Ok(s)
}
/// A path argument, ready for the system.
pub fn cpath(vm: Vm, v: Value) -> Ruby<(Str, CPath)> {
    let s = match v.as_str() {
        Some(s) => s,
        None => path_arg(vm, v)?,
    };
    match CPath::new(s.bytes()) {
        Some(p) => Ok((s, p)),
        None => Err(vm.arg_error("path name contains null byte")),
    }
}
/// Raises for a call on a path; `call` is what CRuby's message names, such as `rb_sysopen`.
#[cold]
pub fn path_error(vm: Vm, e: i32, call: &str, path: &[u8]) -> Raised {
    errno::fail(vm, e, &format!("@ {call} - {}", String::from_utf8_lossy(path)))
}

// ---- modes

/// How to open.
#[derive(Clone, Copy)]
pub struct Mode {
    /// O_* bits
    pub oflags: i32,
    /// `stream::flag` bits
    pub flags: u32,
    pub external: Option<Enc>,
    pub internal: Option<Enc>,
    pub perm: u32,
    /// a byte order mark decides
    pub bom: bool,
    pub path: Option<Value>,
}

/// `stream::flag` bits of O_* bits.
pub fn flags_of(oflags: i32) -> u32 {
    let access = match oflags & libc::O_ACCMODE {
        libc::O_RDONLY => flag::READ,
        libc::O_WRONLY => flag::WRITE,
        _ => flag::READ | flag::WRITE,
    };
    access | if oflags & libc::O_APPEND != 0 { flag::APPEND } else { 0 }
}

fn invalid(vm: Vm, mode: &str) -> Raised {
    vm.arg_error(&format!("invalid access mode {mode}"))
}

impl Mode {
    pub const READ: Mode = Mode {
        oflags: libc::O_RDONLY,
        flags: flag::READ,
        external: None,
        internal: None,
        perm: 0o666,
        bom: false,
        path: None,
    };

    /// From a mode String such as "w+b:utf-8".
    fn text(vm: Vm, text: &str) -> Ruby<Mode> {
        let (letters, encodings) = match text.split_once(':') {
            Some((l, e)) => (l, Some(e)),
            None => (text, None),
        };
        let mut chars = letters.chars();
        let mut m = Mode::READ;
        m.oflags = match chars.next() {
            Some('r') => libc::O_RDONLY,
            Some('w') => libc::O_WRONLY | libc::O_CREAT | libc::O_TRUNC,
            Some('a') => libc::O_WRONLY | libc::O_CREAT | libc::O_APPEND,
            _ => return Err(invalid(vm, text)),
        };
        let first = m.oflags;
        let mut seen = (false, false);
        for c in chars {
            match c {
                '+' if m.oflags & libc::O_ACCMODE != libc::O_RDWR => {
                    m.oflags = m.oflags & !libc::O_ACCMODE | libc::O_RDWR;
                }
                'b' if !seen.1 => seen.0 = true,
                't' if !seen.0 => seen.1 = true,
                'x' if first & libc::O_TRUNC != 0 => m.oflags |= libc::O_EXCL,
                _ => return Err(invalid(vm, text)),
            }
        }
        m.flags = flags_of(m.oflags);
        if seen.0 {
            m.flags |= flag::BINARY;
        }
        if seen.1 {
            m.flags |= flag::UNIVERSAL;
        }
        if let Some(e) = encodings {
            m.encodings(vm, e)?;
        }
        Ok(m)
    }
    /// "ext", "ext:int", "bom|utf-8".
    fn encodings(&mut self, vm: Vm, text: &str) -> Ruby<()> {
        let (ext, int) = match text.split_once(':') {
            Some((e, i)) => (e, Some(i)),
            None => (text, None),
        };
        let mut ext = ext;
        if ext.len() > 4 && ext.is_char_boundary(4) && ext[..4].eq_ignore_ascii_case("bom|") {
            self.bom = true;
            ext = &ext[4..];
        }
        self.external = io_enc::from_name(vm, ext)?;
        if let Some(i) = int {
            self.internal = io_enc::from_name(vm, i)?;
        }
        self.drop_same();
        Ok(())
    }
    fn drop_same(&mut self) {
        if self.internal == self.external {
            self.internal = None;
        }
    }
    /// From the arguments of `open`: a mode (nil, String, Integer), permissions and options.
    pub fn parse(vm: Vm, mode: Value, perm: Value, opts: Option<Hsh>) -> Ruby<Mode> {
        let key = |name: &str| -> Ruby<Option<Value>> {
            match opts {
                Some(h) => Ok(h.get(&vm, vm.sym(name))?.filter(|v| !v.is_nil())),
                None => Ok(None),
            }
        };
        let mut mode = mode;
        if let Some(m) = key("mode")? {
            if !mode.is_nil() {
                return Err(vm.arg_error("mode specified twice"));
            }
            mode = m;
        }
        let mut perm = perm;
        if let Some(p) = key("perm")? {
            if !perm.is_nil() {
                return Err(vm.arg_error("perm specified twice"));
            }
            perm = p;
        }
        let mut m = if mode.is_nil() {
            Mode::READ
        } else if let Some(s) = vm.check_str(mode)? {
            Mode::text(vm, &s.text())?
        } else {
            let oflags = vm.to_i32(mode)?;
            Mode { oflags, flags: flags_of(oflags), ..Mode::READ }
        };
        if !perm.is_nil() {
            m.perm = vm.to_i64(perm)? as u32;
        }
        if opts.is_none() {
            return Ok(m);
        }
        if let Some(f) = key("flags")? {
            m.oflags |= vm.to_i32(f)?;
            m.flags |= flags_of(m.oflags) & flag::APPEND;
        }
        let binary = key("binmode")?.is_some_and(Value::truthy);
        if binary && m.flags & flag::BINARY != 0 {
            return Err(vm.arg_error("binmode specified twice"));
        }
        if binary {
            m.flags |= flag::BINARY;
        }
        if key("textmode")?.is_some_and(Value::truthy) {
            if m.flags & flag::BINARY != 0 {
                return Err(vm.arg_error("both textmode and binmode specified"));
            }
            m.flags |= flag::UNIVERSAL;
        }
        if let Some(e) = key("encoding")? {
            match e.as_str() {
                Some(s) => m.encodings(vm, &s.text())?,
                None => m.external = io_enc::from_value(vm, e)?,
            }
        }
        if let Some(e) = key("external_encoding")? {
            match e.as_str() {
                Some(s) => m.encodings(vm, &s.text())?,
                None => m.external = io_enc::from_value(vm, e)?,
            }
        }
        if let Some(e) = key("internal_encoding")? {
            m.internal = io_enc::from_value(vm, e)?;
        }
        m.drop_same();
        if let Some(h) = opts
            && h.get(&vm, vm.sym("autoclose"))? == Some(crate::value::FALSE)
        {
            m.flags |= flag::KEEP;
        }
        m.path = key("path")?;
        Ok(m)
    }

    /// Makes a stream use a descriptor in this way.
    pub fn apply(&self, vm: Vm, s: &Stream, fd: i32) -> Ruby<()> {
        s.attach(fd, self.flags);
        s.external.set(self.external);
        s.internal.set(self.internal);
        if self.bom && self.flags & flag::READ != 0 {
            read_bom(vm, s)?;
        }
        Ok(())
    }
}

/// Skips a byte order mark and takes its encoding; says whether there was one.
pub fn read_bom(vm: Vm, s: &Stream) -> Ruby<bool> {
    while s.buffered() < 4 && s.fill(vm)? {}
    let found = s.with_input(|b| match b {
        [0xef, 0xbb, 0xbf, ..] => Some((3, Enc::Utf8)),
        [0xff, 0xfe, 0, 0, ..] => Some((4, Enc::Utf32Le)),
        [0xff, 0xfe, ..] => Some((2, Enc::Utf16Le)),
        [0xfe, 0xff, ..] => Some((2, Enc::Utf16Be)),
        [0, 0, 0xfe, 0xff, ..] => Some((4, Enc::Utf32Be)),
        _ => None,
    });
    if let Some((n, enc)) = found {
        s.consume(n);
        s.external.set(Some(enc));
    }
    Ok(found.is_some())
}

/// Opens a path; the error names it.
pub fn open_path(vm: Vm, path: Str, mode: &Mode) -> Ruby<i32> {
    let Some(p) = CPath::new(path.bytes()) else { return Err(vm.arg_error("path name contains null byte")) };
    let mut collected = false;
    loop {
        match vm.retry(|s| sys::open(s, &p, mode.oflags, mode.perm))? {
            Ok(fd) => return Ok(fd),
            // Streams that nobody uses any more may hold the descriptors.
            Err(libc::EMFILE | libc::ENFILE) if !collected => {
                collected = true;
                vm.heap.collect();
            }
            Err(e) => return Err(path_error(vm, e, "rb_sysopen", path.bytes())),
        }
    }
}

/// A new IO object of `class` on a descriptor.
pub fn new_io(vm: Vm, class: Class, fd: i32, mode: &Mode, path: Value) -> Ruby {
    let v = RData::alloc(&vm, class, Stream::blank(vm));
    if let Some(s) = v.data::<Stream>() {
        s.path.set(path);
        mode.apply(vm, s, fd)?;
    }
    Ok(v)
}
/// A File opened for the class methods that read or write at once.
pub fn open_file(vm: Vm, path: Value, mode: &Mode) -> Ruby {
    let path = path_arg(vm, path)?;
    let fd = open_path(vm, path, mode)?;
    new_io(vm, vm.classes.file.get(), fd, mode, path.value())
}

/// `open` of any class: with a block the object is closed after it.
pub fn open(vm: Vm, this: Value, args: Args) -> Ruby {
    let io = vm.send_full(this, sym::NEW, args.all(), args.has_keywords(), None, true)?;
    match args.block() {
        None => Ok(io),
        Some(b) => vm.ensure(|| vm.yield1(b, io), || close_quietly(vm, io)),
    }
}
/// Closes what may be closed already.
pub fn close_quietly(vm: Vm, io: Value) -> Ruby<()> {
    if let Some(s) = io.data::<Stream>()
        && !s.is_open()
    {
        return Ok(());
    }
    vm.send(io, sym::CLOSE, &[])?;
    Ok(())
}

fn for_fd(vm: Vm, this: Value, args: Args) -> Ruby {
    vm.send_full(this, sym::NEW, args.all(), args.has_keywords(), None, true)
}

/// `IO.new(fd, mode = what the descriptor allows, **opts)`.
fn initialize(vm: Vm, this: Value, args: Args) -> Ruby {
    let Some(s) = this.data::<Stream>() else { return Ok(NIL) };
    let fd = vm.to_i32(args.or_nil(0))?;
    let has = sys::fcntl(fd, libc::F_GETFL, 0).map_err(|e| errno::fail(vm, e, ""))? as i32;
    let given = !args.or_nil(1).is_nil() || args.keyword(vm, "mode")?.is_some_and(|v| !v.is_nil());
    let mut mode = Mode::parse(vm, args.or_nil(1), NIL, args.keywords())?;
    if !given {
        mode.flags = mode.flags & !(flag::READ | flag::WRITE) | flags_of(has);
    } else {
        let (want, can) = (mode.oflags & libc::O_ACCMODE, has & libc::O_ACCMODE);
        if can != libc::O_RDWR && want != can {
            return Err(errno::fail(vm, libc::EINVAL, ""));
        }
    }
    if fd == 2 {
        mode.flags |= flag::SYNC;
    }
    if let Some(p) = mode.path {
        s.path.set(vm.to_str(p)?.value());
    }
    mode.apply(vm, s, fd)?;
    Ok(NIL)
}

fn sysopen(vm: Vm, _this: Value, args: Args) -> Ruby {
    let path = path_arg(vm, args.or_nil(0))?;
    let mode = Mode::parse(vm, args.or_nil(1), args.or_nil(2), None)?;
    Ok(Value::fixnum(open_path(vm, path, &mode)? as i64))
}

fn pipe(vm: Vm, this: Value, args: Args) -> Ruby {
    let class = this.as_class().unwrap_or(vm.classes.io.get());
    let mut mode = Mode::parse(vm, NIL, NIL, args.keywords())?;
    mode.flags &= !flag::KEEP;
    if let Some(e) = args.get(0) {
        match e.as_str() {
            Some(s) => mode.encodings(vm, &s.text())?,
            None => mode.external = io_enc::from_value(vm, e)?,
        }
    }
    if let Some(e) = args.get(1) {
        mode.internal = io_enc::from_value(vm, e)?;
    }
    let (r, w) = sys::pipe().map_err(|e| errno::fail(vm, e, ""))?;
    let reader = new_io(vm, class, r, &mode, NIL)?;
    let writing = Mode { flags: flag::WRITE | flag::SYNC, external: None, internal: None, ..mode };
    let writer = new_io(vm, class, w, &writing, NIL)?;
    let pair = vm.array(&[reader, writer]);
    let Some(b) = args.block() else { return Ok(pair) };
    vm.ensure(
        || vm.yield_values(b, &[reader, writer]),
        || {
            close_quietly(vm, reader)?;
            close_quietly(vm, writer)
        },
    )
}

fn try_convert(vm: Vm, _this: Value, args: Args) -> Ruby {
    let v = args.or_nil(0);
    if v.data::<Stream>().is_some() {
        return Ok(v);
    }
    Ok(vm.send_if_responds(v, sym::TO_IO, &[])?.unwrap_or(NIL))
}
/// An IO object, or what `to_io` gives.
pub fn to_io(vm: Vm, v: Value) -> Ruby {
    if v.data::<Stream>().is_some() {
        return Ok(v);
    }
    let what = vm.describe(v);
    match vm.send_if_responds(v, sym::TO_IO, &[])? {
        Some(io) if io.data::<Stream>().is_some() => Ok(io),
        Some(io) => {
            let got = vm.describe(io);
            Err(vm.type_error(&format!("can't convert {what} to IO ({what}#to_io gives {got})")))
        }
        None => Err(vm.type_error(&format!("no implicit conversion of {what} into IO"))),
    }
}

/// `dup`: a descriptor of its own.
fn initialize_copy(vm: Vm, this: Value, args: Args) -> Ruby {
    let from = stream(vm, args.or_nil(0))?;
    let Some(s) = this.data::<Stream>() else { return Ok(this) };
    if std::ptr::eq(s, from) {
        return Ok(this);
    }
    from.flush(vm)?;
    let fd = sys::dup(from.fd.get()).map_err(|e| from.fail_named(vm, e))?;
    if from.buffered() > 0 {
        from.unread_to_file();
    }
    s.attach(fd, from.flags.get() & !(flag::KEEP | flag::STDOUT));
    s.path.set(from.path.get());
    s.lineno.set(from.lineno.get());
    s.external.set(from.external.get());
    s.internal.set(from.internal.get());
    s.pid.set(from.pid.get());
    Ok(this)
}

/// `io.reopen(other)` or `io.reopen(path, mode = this one's)`: the same object, and for the standard streams the same
/// descriptor number, on another file.
fn reopen(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = any_stream(vm, this)?;
    let first = args.or_nil(0);
    let other = if args.len() == 1 && first.as_str().is_none() {
        vm.send_if_responds(first, sym::TO_IO, &[])?.filter(|v| v.data::<Stream>().is_some())
    } else {
        None
    };
    s.flush(vm)?;
    s.unread_to_file();
    let (fd, flags, path) = match other {
        Some(io) => {
            let from = stream(vm, io)?;
            from.flush(vm)?;
            from.unread_to_file();
            let fd = sys::dup(from.fd.get()).map_err(|e| from.fail_named(vm, e))?;
            (fd, from.flags.get() & !(flag::KEEP | flag::STDOUT), from.path.get())
        }
        None => {
            let path = path_arg(vm, first)?;
            let mode = if args.len() > 1 || args.has_keywords() {
                Mode::parse(vm, args.or_nil(1), NIL, args.keywords())?
            } else {
                let oflags = match (s.has(flag::READ), s.has(flag::WRITE)) {
                    (true, true) => libc::O_RDWR,
                    (false, true) => libc::O_WRONLY | libc::O_CREAT | libc::O_TRUNC,
                    _ => libc::O_RDONLY,
                };
                let append = if s.has(flag::APPEND) { libc::O_APPEND } else { 0 };
                let oflags = if append != 0 { oflags & !libc::O_TRUNC | append } else { oflags };
                Mode { oflags, flags: flags_of(oflags) | s.flags.get() & flag::BINARY, ..Mode::READ }
            };
            (open_path(vm, path, &mode)?, mode.flags, path.value())
        }
    };
    let old = s.fd.get();
    let keep = s.flags.get() & (flag::KEEP | flag::STDOUT | flag::SYNC);
    if old >= 0 {
        let r = vm.retry(|sched| sys::dup_to(sched, fd, old))?;
        let _ = sys::close(&vm.sched, fd);
        r.map_err(|e| s.fail_named(vm, e))?;
        s.attach(old, flags | keep);
    } else {
        s.attach(fd, flags);
    }
    s.path.set(path);
    s.lineno.set(0);
    Ok(this)
}

/// `open(path, ...)`: what `to_open` gives, else a File.
fn k_open(vm: Vm, _this: Value, args: Args) -> Ruby {
    let first = args.or_nil(0);
    if first.as_str().is_none()
        && let Some(io) = vm.send_full_if(first, "to_open", &args.all()[1..], args.has_keywords())?
    {
        return match args.block() {
            Some(b) => vm.yield1(b, io),
            None => Ok(io),
        };
    }
    let file = vm.classes.file.get().value();
    vm.send_full(file, vm.intern("open"), args.all(), args.has_keywords(), args.block(), true)
}

impl Vm {
    /// As `send_full`, if the object responds.
    fn send_full_if(self, v: Value, name: &str, args: &[Value], kw: bool) -> Ruby<Option<Value>> {
        let name = self.intern(name);
        if !self.responds_to(v, name, true)? {
            return Ok(None);
        }
        self.send_full(v, name, args, kw, None, true).map(Some)
    }
}

/// Several IO objects in an Array argument.
pub fn io_list(vm: Vm, v: Value) -> Ruby<crate::object::Ary> {
    let out = RArray::new(&vm, 2);
    if v.is_nil() {
        return Ok(out);
    }
    let list = vm.to_ary(v)?;
    let mut i = 0;
    while i < list.len() {
        out.push(&vm, list.get(i));
        i += 1;
    }
    Ok(out)
}
