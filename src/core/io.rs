//! `IO`, first slice: standard streams with a write buffer; `puts`, `print`, `p`, `pp`, `gets`.

use crate::class;
use crate::object::{Data, Enc, RArray, RData, RString, sym};
use crate::value::{NIL, Ruby, Value};
use crate::vm::Vm;
use crate::vm::native::{Args, ClassDef, MethodDef, arity};
use std::cell::{Cell, RefCell};

class! { "IO" < "Object";
    ["write"] rest(0) => write;
    ["print"] rest(0) => print;
    ["puts"] rest(0) => puts;
    ["<<"] req(1) => push;
    ["putc"] req(1) => putc;
    ["flush"] req(0) => flush;
    ["sync"] req(0) => sync;
    ["sync="] req(1) => set_sync;
    ["fileno", "to_i"] req(0) => fileno;
    ["tty?", "isatty"] req(0) => tty;
    ["gets"] kw(0, 2) => gets;
    ["read"] opt(0, 2) => read;
    ["each_line"] rest(0) => each_line;
    ["readlines"] kw(0, 2) => readlines;
    ["close"] req(0) => close;
    ["closed?"] req(0) => closed;
    ["inspect"] req(0) => inspect;
}

const KERNEL: ClassDef = ClassDef {
    name: "Kernel",
    superclass: None,
    methods: &[
        MethodDef { names: &["puts"], arity: arity::rest(0), f: k_puts, scope: "module_fn" },
        MethodDef { names: &["print"], arity: arity::rest(0), f: k_print, scope: "module_fn" },
        MethodDef { names: &["p"], arity: arity::rest(0), f: k_p, scope: "module_fn" },
        MethodDef { names: &["pp"], arity: arity::rest(0), f: k_p, scope: "module_fn" },
        MethodDef { names: &["putc"], arity: arity::req(1), f: k_putc, scope: "module_fn" },
        MethodDef { names: &["gets"], arity: arity::kw(0, 2), f: k_gets, scope: "module_fn" },
    ],
};

/// An open descriptor with its buffers.
pub struct Stream {
    pub fd: Cell<i32>,
    pub sync: Cell<bool>,
    out: RefCell<Vec<u8>>,
    input: RefCell<Vec<u8>>,
    eof: Cell<bool>,
    name: String,
}
impl Data for Stream {}

/// Bytes kept before they are written.
const BUFFER: usize = 16 << 10;

impl Stream {
    pub fn new(fd: i32, sync: bool, name: &str) -> Stream {
        Stream {
            fd: Cell::new(fd),
            sync: Cell::new(sync),
            out: RefCell::default(),
            input: RefCell::default(),
            eof: Cell::new(false),
            name: name.into(),
        }
    }
    fn put(&self, vm: Vm, bytes: &[u8]) -> Ruby<()> {
        if self.fd.get() < 0 {
            return Err(vm.raise(vm.classes.io_error.get(), "closed stream"));
        }
        self.out.borrow_mut().extend_from_slice(bytes);
        if self.sync.get() || self.out.borrow().len() > BUFFER {
            self.flush(vm)?;
        }
        Ok(())
    }
    /// Writes the buffer out.
    pub fn flush(&self, vm: Vm) -> Ruby<()> {
        let bytes = std::mem::take(&mut *self.out.borrow_mut());
        let mut at = 0;
        while at < bytes.len() {
            // SAFETY: plain write of our own bytes.
            let n = unsafe { libc::write(self.fd.get(), bytes[at..].as_ptr() as *const _, bytes.len() - at) };
            if n < 0 {
                let e = std::io::Error::last_os_error();
                if e.kind() == std::io::ErrorKind::Interrupted {
                    continue;
                }
                return Err(vm.errno_error(e.raw_os_error().unwrap_or(0), Some(&self.name)));
            }
            at += n as usize;
        }
        Ok(())
    }
    fn fill(&self) -> bool {
        if self.eof.get() {
            return false;
        }
        let mut buf = [0u8; 16384];
        // SAFETY: reads into our own buffer.
        let n = unsafe { libc::read(self.fd.get(), buf.as_mut_ptr() as *mut _, buf.len()) };
        if n <= 0 {
            self.eof.set(true);
            return false;
        }
        self.input.borrow_mut().extend_from_slice(&buf[..n as usize]);
        true
    }
    fn line(&self) -> Option<Vec<u8>> {
        loop {
            let at = self.input.borrow().iter().position(|&b| b == b'\n');
            if let Some(i) = at {
                return Some(self.input.borrow_mut().drain(..=i).collect());
            }
            if !self.fill() {
                let rest = std::mem::take(&mut *self.input.borrow_mut());
                return if rest.is_empty() { None } else { Some(rest) };
            }
        }
    }
}

impl Vm {
    /// Raises the Errno class of a system error.
    pub fn errno_error(self, errno: i32, what: Option<&str>) -> crate::value::Raised {
        let n = Value::fixnum(errno as i64);
        let msg = what.map_or(NIL, |w| self.str(w));
        match self.send(self.classes.system_call_error.get().value(), sym::NEW, &[msg, n]) {
            Ok(e) => self.raise_exc(e),
            Err(r) => r,
        }
    }
    /// Writes to `$stdout` through its `write` if it is not a plain stream.
    fn emit(self, to: Value, bytes: &[u8], enc: Enc) -> Ruby<()> {
        if let Some(s) = to.data::<Stream>() {
            return s.put(self, bytes);
        }
        let s = RString::from_bytes(&self, bytes, enc).value();
        self.send(to, sym::WRITE, &[s])?;
        Ok(())
    }
    /// Writes all buffered output of the standard streams; errors are dropped.
    pub fn flush_standard(self) {
        for name in ["$stdout", "$stderr"] {
            if let Some(s) = self.gvar_value(name).data::<Stream>() {
                let _ = s.flush(self);
            }
        }
        for c in ["STDOUT", "STDERR"] {
            if let Some(s) = self.const_value(self.classes.object.get(), c).and_then(|v| v.data::<Stream>()) {
                let _ = s.flush(self);
            }
        }
    }
}

fn puts_to(vm: Vm, to: Value, args: &[Value]) -> Ruby {
    if args.is_empty() {
        vm.emit(to, b"\n", Enc::Utf8)?;
    }
    for &a in args {
        puts_one(vm, to, a)?;
    }
    Ok(NIL)
}

fn puts_one(vm: Vm, to: Value, v: Value) -> Ruby<()> {
    if v.as_str().is_none()
        && let Some(list) = vm.check_ary(v)?
    {
        let done = vm.guard_recursion(v, NIL, sym::PUTS, || {
            let mut i = 0;
            while i < list.len() {
                puts_one(vm, to, list.get(i))?;
                i += 1;
            }
            Ok(())
        })?;
        if done.is_none() {
            vm.emit(to, b"[...]\n", Enc::Utf8)?;
        }
        return Ok(());
    }
    let s = vm.to_s(v)?;
    let mut bytes = s.bytes().to_vec();
    if bytes.last() != Some(&b'\n') {
        bytes.push(b'\n');
    }
    vm.emit(to, &bytes, s.enc())
}

fn stdout(vm: Vm) -> Value {
    vm.gvar_value("$stdout")
}
fn k_puts(vm: Vm, _this: Value, args: Args) -> Ruby {
    let out = stdout(vm);
    if out.data::<Stream>().is_some() { puts_to(vm, out, args.slice()) } else { vm.send(out, sym::PUTS, args.slice()) }
}
fn k_print(vm: Vm, _this: Value, args: Args) -> Ruby {
    print(vm, stdout(vm), args)
}
fn k_putc(vm: Vm, _this: Value, args: Args) -> Ruby {
    putc(vm, stdout(vm), args)
}
fn k_p(vm: Vm, _this: Value, args: Args) -> Ruby {
    for &a in args.slice() {
        let s = vm.inspect(a)?;
        let mut bytes = s.bytes().to_vec();
        bytes.push(b'\n');
        vm.emit(stdout(vm), &bytes, s.enc())?;
    }
    Ok(match args.len() {
        0 => NIL,
        1 => args.or_nil(0),
        _ => RArray::from_slice(&vm, args.slice()).value(),
    })
}
fn k_gets(vm: Vm, _this: Value, args: Args) -> Ruby {
    let input = vm.gvar_value("$stdin");
    gets(vm, input, args)
}

fn stream(vm: Vm, v: Value) -> Ruby<&'static Stream> {
    match v.data::<Stream>() {
        Some(s) if s.fd.get() >= 0 => Ok(s),
        Some(_) => Err(vm.raise(vm.classes.io_error.get(), "closed stream")),
        None => Err(vm.raise(vm.classes.io_error.get(), "uninitialized stream")),
    }
}
fn write(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = stream(vm, this)?;
    let mut n = 0;
    for &a in args.slice() {
        let text = vm.to_s(a)?;
        n += text.len();
        s.put(vm, text.bytes())?;
    }
    Ok(Value::fixnum(n as i64))
}
fn print(vm: Vm, this: Value, args: Args) -> Ruby {
    for &a in args.slice() {
        let text = vm.to_s(a)?;
        vm.emit(this, text.bytes(), text.enc())?;
    }
    Ok(NIL)
}
fn puts(vm: Vm, this: Value, args: Args) -> Ruby {
    puts_to(vm, this, args.slice())
}
fn push(vm: Vm, this: Value, args: Args) -> Ruby {
    write(vm, this, args)?;
    Ok(this)
}
fn putc(vm: Vm, this: Value, args: Args) -> Ruby {
    let v = args.or_nil(0);
    match v.as_str() {
        Some(s) => vm.emit(this, &s.bytes()[..s.len().min(1)], s.enc())?,
        None => vm.emit(this, &[vm.to_i64(v)? as u8], Enc::Binary)?,
    }
    Ok(v)
}
fn flush(vm: Vm, this: Value, _args: Args) -> Ruby {
    stream(vm, this)?.flush(vm)?;
    Ok(this)
}
fn sync(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(stream(vm, this)?.sync.get().into())
}
fn set_sync(vm: Vm, this: Value, args: Args) -> Ruby {
    stream(vm, this)?.sync.set(args.or_nil(0).truthy());
    Ok(args.or_nil(0))
}
fn fileno(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(Value::fixnum(stream(vm, this)?.fd.get() as i64))
}
fn tty(vm: Vm, this: Value, _args: Args) -> Ruby {
    // SAFETY: plain query.
    Ok(Value::bool(unsafe { libc::isatty(stream(vm, this)?.fd.get()) } == 1))
}
fn chomp(mut line: Vec<u8>, args: Args, vm: Vm) -> Ruby<Vec<u8>> {
    if args.keyword(vm, "chomp")?.is_some_and(Value::truthy) && line.last() == Some(&b'\n') {
        line.pop();
        if line.last() == Some(&b'\r') {
            line.pop();
        }
    }
    Ok(line)
}
fn gets(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = stream(vm, this)?;
    vm.flush_standard();
    let v = match s.line() {
        Some(l) => RString::from_vec(&vm, chomp(l, args, vm)?, Enc::Utf8).value(),
        None => NIL,
    };
    vm.set_last_line(v);
    Ok(v)
}
fn read(vm: Vm, this: Value, _args: Args) -> Ruby {
    let s = stream(vm, this)?;
    while s.fill() {}
    let all = std::mem::take(&mut *s.input.borrow_mut());
    Ok(RString::from_vec(&vm, all, Enc::Utf8).value())
}
fn each_line(vm: Vm, this: Value, args: Args) -> Ruby {
    let Some(b) = args.block() else {
        return vm.send(this, sym::TO_ENUM, &[vm.sym("each_line")]);
    };
    let s = stream(vm, this)?;
    while let Some(l) = s.line() {
        vm.yield1(b, RString::from_vec(&vm, l, Enc::Utf8).value())?;
    }
    Ok(this)
}
fn readlines(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = stream(vm, this)?;
    let out = RArray::new(&vm, 8);
    while let Some(l) = s.line() {
        let l = chomp(l, args, vm)?;
        out.push(&vm, RString::from_vec(&vm, l, Enc::Utf8).value());
    }
    Ok(out.value())
}
fn close(vm: Vm, this: Value, _args: Args) -> Ruby {
    if let Some(s) = this.data::<Stream>()
        && s.fd.get() >= 0
    {
        s.flush(vm)?;
        // SAFETY: our own descriptor.
        unsafe { libc::close(s.fd.replace(-1)) };
    }
    Ok(NIL)
}
fn closed(_vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(Value::bool(this.data::<Stream>().is_none_or(|s| s.fd.get() < 0)))
}
fn inspect(vm: Vm, this: Value, _args: Args) -> Ruby {
    let name = this.data::<Stream>().map_or("uninitialized", |s| &s.name);
    Ok(vm.str(&format!("#<IO:{name}>")))
}

pub fn boot(vm: Vm) {
    vm.define_table(&KERNEL);
    let io = vm.define_table(&CLASS);
    for (fd, konst, gvar, name) in
        [(0, "STDIN", "$stdin", "<STDIN>"), (1, "STDOUT", "$stdout", "<STDOUT>"), (2, "STDERR", "$stderr", "<STDERR>")]
    {
        // SAFETY: plain query.
        let sync = fd == 2 || fd == 1 && unsafe { libc::isatty(1) } == 1;
        let v = vm.keep_forever(RData::alloc(&vm, io, Stream::new(fd, sync, name)));
        vm.set_const(vm.classes.object.get(), vm.intern(konst), v);
        vm.define_gvar(gvar, Some(v), None, None);
    }
    vm.gvar_alias(vm.intern("$>"), vm.intern("$stdout"));
    vm.hooks.warn.set(Some(|vm, text| {
        let err = vm.gvar_value("$stderr");
        vm.emit(err, format!("{text}\n").as_bytes(), Enc::Utf8)
    }));
}
