//! Writing: `IO#write`, `puts`, `print` and their Kernel twins, `p`.

use super::stream::{Stream, flag, stream};
use crate::class;
use crate::object::{Enc, RArray, RString, Str, sym};
use crate::sys::io as sys;
use crate::value::{NIL, Ruby, Value};
use crate::vm::Vm;
use crate::vm::native::{Args, ClassDef, MethodDef, arity};

class! { "IO" < "Object";
    ["write"] rest(0) => write;
    ["print"] rest(0) => print;
    ["puts"] rest(0) => puts;
    ["printf"] rest(0) => printf;
    ["<<"] req(1) => push;
    ["putc"] req(1) => putc;
    ["syswrite"] req(1) => syswrite;
    ["write_nonblock"] kw(1, 1) => write_nonblock;
    ["pwrite"] req(2) => pwrite;
    ["flush"] req(0) => flush;
    ["fsync"] req(0) => fsync;
    ["fdatasync"] req(0) => fdatasync;
    ["sync"] req(0) => sync;
    ["sync="] req(1) => set_sync;
}

const KERNEL: ClassDef = ClassDef {
    name: "Kernel",
    superclass: None,
    methods: &[
        MethodDef { names: &["puts"], arity: arity::rest(0), f: k_puts, scope: "module_fn" },
        MethodDef { names: &["print"], arity: arity::rest(0), f: k_print, scope: "module_fn" },
        MethodDef { names: &["p"], arity: arity::rest(0), f: k_p, scope: "module_fn" },
        MethodDef { names: &["pp"], arity: arity::rest(0), f: k_pp, scope: "module_fn" },
        MethodDef { names: &["putc"], arity: arity::req(1), f: k_putc, scope: "module_fn" },
        MethodDef { names: &["printf"], arity: arity::rest(0), f: k_printf, scope: "module_fn" },
        MethodDef { names: &["display"], arity: arity::opt(0, 1), f: display, scope: "" },
    ],
};

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
    vm.define_table(&KERNEL);
    for name in ["$,", "$\\"] {
        vm.define_gvar(name, Some(NIL), None, Some(set_separator));
    }
    vm.hooks.warn.set(Some(|vm, text| {
        let err = vm.gvar_value("$stderr");
        emit(vm, err, format!("{text}\n").as_bytes(), Enc::Utf8)
    }));
}

/// `$,`, `$\`, `$/`, `$;`: nil or a String.
pub fn set_separator(vm: Vm, name: crate::value::Sym, v: Value) -> Ruby<()> {
    if !v.is_nil() && v.as_str().is_none() {
        let name = vm.name_of(name);
        return Err(vm.type_error(&format!("value of {name} must be String")));
    }
    vm.gvar_store(name, v);
    Ok(())
}

/// The stream behind an IO object whose `write` nobody replaced.
fn plain(vm: Vm, to: Value) -> Option<&'static Stream> {
    let s = to.data::<Stream>()?;
    let own = vm.find_method(vm.class_of(to), sym::WRITE).is_some_and(|m| m.owner == vm.classes.io.get());
    own.then_some(s)
}

/// Writes bytes to anything with a `write`.
pub fn emit(vm: Vm, to: Value, bytes: &[u8], enc: Enc) -> Ruby<()> {
    if let Some(s) = plain(vm, to)
        && s.external.get().is_none()
    {
        return s.put(vm, bytes);
    }
    let s = RString::from_bytes(&vm, bytes, enc).value();
    vm.send(to, sym::WRITE, &[s])?;
    Ok(())
}

/// The bytes of a String as they go into the file.
fn for_file(vm: Vm, s: &Stream, text: Str) -> Ruby<Str> {
    match s.external.get() {
        Some(ext)
            if !s.has(flag::BINARY)
                && text.enc() != ext
                && text.enc() != Enc::Binary
                && ext != Enc::Binary
                && !(ext.ascii_compatible() && text.is_ascii_only()) =>
        {
            let to = vm.str(ext.name());
            let r = vm.send(text.value(), vm.intern("encode"), &[to])?;
            vm.to_str(r)
        }
        _ => Ok(text),
    }
}

fn write(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = stream(vm, this)?;
    s.check_writable(vm)?;
    let mut n = 0;
    for &a in args.slice() {
        let text = vm.to_s(a)?;
        let text = for_file(vm, s, text)?;
        n += text.len();
        s.put(vm, text.bytes())?;
    }
    Ok(Value::fixnum(n as i64))
}
fn print(vm: Vm, this: Value, args: Args) -> Ruby {
    let line = [vm.last_line()];
    let list = if args.is_empty() { &line[..] } else { args.slice() };
    let between = vm.gvar_value("$,");
    for (i, &a) in list.iter().enumerate() {
        if i > 0
            && let Some(s) = between.as_str()
        {
            emit(vm, this, s.bytes(), s.enc())?;
        }
        let text = vm.to_s(a)?;
        emit(vm, this, text.bytes(), text.enc())?;
    }
    if let Some(s) = vm.gvar_value("$\\").as_str() {
        emit(vm, this, s.bytes(), s.enc())?;
    }
    Ok(NIL)
}
fn puts(vm: Vm, this: Value, args: Args) -> Ruby {
    puts_to(vm, this, args.slice())
}
/// `to.puts(*args)`.
pub fn puts_to(vm: Vm, to: Value, args: &[Value]) -> Ruby {
    if args.is_empty() {
        emit(vm, to, b"\n", Enc::Utf8)?;
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
            emit(vm, to, b"[...]\n", Enc::Utf8)?;
        }
        return Ok(());
    }
    let s = vm.to_s(v)?;
    let mut bytes = s.bytes().to_vec();
    if bytes.last() != Some(&b'\n') {
        bytes.push(b'\n');
    }
    emit(vm, to, &bytes, s.enc())
}
fn push(vm: Vm, this: Value, args: Args) -> Ruby {
    let text = vm.to_s(args.or_nil(0))?;
    emit(vm, this, text.bytes(), text.enc())?;
    Ok(this)
}
fn putc(vm: Vm, this: Value, args: Args) -> Ruby {
    let v = args.or_nil(0);
    match v.as_str() {
        Some(s) => {
            let n = super::io_read::char_len(s.enc(), s.bytes()).min(s.len());
            emit(vm, this, &s.bytes()[..n], s.enc())?
        }
        None => emit(vm, this, &[vm.to_i64(v)? as u8], Enc::Binary)?,
    }
    Ok(v)
}
fn printf(vm: Vm, this: Value, args: Args) -> Ruby {
    if args.is_empty() {
        return Ok(NIL);
    }
    let text = vm.send(vm.classes.kernel.get().value(), vm.intern("format"), args.all())?;
    let text = vm.to_s(text)?;
    emit(vm, this, text.bytes(), text.enc())?;
    Ok(NIL)
}
/// Past the buffer; raises if something is in it.
fn syswrite(vm: Vm, this: Value, args: Args) -> Ruby {
    let text = vm.to_s(args.or_nil(0))?;
    let s = stream(vm, this)?;
    s.check_writable(vm)?;
    if s.has_output() {
        vm.warn("warning: syswrite for buffered IO")?;
        s.flush(vm)?;
    }
    let bytes = text.bytes().to_vec();
    let fd = if s.wfd.get() >= 0 { &s.wfd } else { &s.fd };
    match s.call(vm, fd, |sched, fd| sys::write(sched, fd, &bytes))? {
        Ok(n) => Ok(Value::fixnum(n as i64)),
        Err(e) => Err(s.fail_named(vm, e)),
    }
}
fn write_nonblock(vm: Vm, this: Value, args: Args) -> Ruby {
    args.only_keywords(vm, &["exception"])?;
    let text = vm.to_s(args.or_nil(0))?;
    let s = stream(vm, this)?;
    s.check_writable(vm)?;
    s.flush(vm)?;
    set_nonblock(vm, s, s.write_fd())?;
    let bytes = text.bytes().to_vec();
    let fd = if s.wfd.get() >= 0 { &s.wfd } else { &s.fd };
    match s.call(vm, fd, |sched, fd| sys::write(sched, fd, &bytes))? {
        Ok(n) => Ok(Value::fixnum(n as i64)),
        Err(libc::EAGAIN) => would_block(vm, args, "write", "wait_writable", "EAGAINWaitWritable"),
        Err(e) => Err(s.fail_named(vm, e)),
    }
}
/// From now on the descriptor does not wait.
pub fn set_nonblock(vm: Vm, s: &Stream, fd: i32) -> Ruby<()> {
    let set = sys::fcntl(fd, libc::F_GETFL, 0).and_then(|f| {
        let want = f | libc::O_NONBLOCK as i64;
        if f == want { Ok(0) } else { sys::fcntl(fd, libc::F_SETFL, want) }
    });
    set.map_err(|e| s.fail_named(vm, e))?;
    Ok(())
}
/// What a `*_nonblock` method does instead of waiting.
pub fn would_block(vm: Vm, args: Args, what: &str, symbol: &str, class: &str) -> Ruby {
    if args.keyword(vm, "exception")? == Some(crate::value::FALSE) {
        return Ok(vm.sym(symbol));
    }
    let e = super::errno::exception(vm, libc::EAGAIN, &format!("- {what} would block"));
    if let Some(c) = vm.const_path(&format!("IO::{class}"))
        && let Some(h) = e.header()
    {
        h.class.set(c.as_ptr() as *mut _);
    }
    Err(vm.raise_exc(e))
}
fn pwrite(vm: Vm, this: Value, args: Args) -> Ruby {
    let text = vm.to_s(args.or_nil(0))?;
    let at = vm.to_i64(args.or_nil(1))?;
    let s = stream(vm, this)?;
    s.check_writable(vm)?;
    let bytes = text.bytes().to_vec();
    match s.call(vm, &s.fd, |sched, fd| sys::pwrite(sched, fd, &bytes, at))? {
        Ok(n) => Ok(Value::fixnum(n as i64)),
        Err(e) => Err(s.fail_named(vm, e)),
    }
}
fn flush(vm: Vm, this: Value, _args: Args) -> Ruby {
    stream(vm, this)?.flush(vm)?;
    Ok(this)
}
fn sync_file(vm: Vm, this: Value, data_only: bool) -> Ruby {
    let s = stream(vm, this)?;
    s.flush(vm)?;
    match s.call(vm, &s.fd, |sched, fd| sys::sync(sched, fd, data_only))? {
        Ok(_) => Ok(Value::fixnum(0)),
        Err(e) => Err(s.fail_named(vm, e)),
    }
}
fn fsync(vm: Vm, this: Value, _args: Args) -> Ruby {
    sync_file(vm, this, false)
}
fn fdatasync(vm: Vm, this: Value, _args: Args) -> Ruby {
    sync_file(vm, this, true)
}
fn sync(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(stream(vm, this)?.has(flag::SYNC).into())
}
fn set_sync(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = stream(vm, this)?;
    s.set(flag::SYNC, args.or_nil(0).truthy());
    s.flush(vm)?;
    Ok(args.or_nil(0))
}

// ---- Kernel

fn stdout(vm: Vm) -> Value {
    vm.gvar_value("$stdout")
}
fn k_puts(vm: Vm, _this: Value, args: Args) -> Ruby {
    let out = stdout(vm);
    let own = vm.find_method(vm.class_of(out), sym::PUTS).is_some_and(|m| m.owner == vm.classes.io.get());
    if own { puts_to(vm, out, args.slice()) } else { vm.send(out, sym::PUTS, args.slice()) }
}
fn k_print(vm: Vm, _this: Value, args: Args) -> Ruby {
    print(vm, stdout(vm), args)
}
fn k_putc(vm: Vm, _this: Value, args: Args) -> Ruby {
    vm.send(stdout(vm), vm.intern("putc"), args.slice())
}
fn k_printf(vm: Vm, _this: Value, args: Args) -> Ruby {
    let Some(first) = args.get(0) else { return Ok(NIL) };
    let (to, rest) = if first.as_str().is_some() { (stdout(vm), args.slice()) } else { (first, &args.slice()[1..]) };
    let text = vm.send(vm.classes.kernel.get().value(), vm.intern("format"), rest)?;
    vm.send(to, sym::WRITE, &[text])?;
    Ok(NIL)
}
fn given(vm: Vm, args: Args) -> Value {
    match args.len() {
        0 => NIL,
        1 => args.or_nil(0),
        _ => RArray::from_slice(&vm, args.slice()).value(),
    }
}
fn k_p(vm: Vm, _this: Value, args: Args) -> Ruby {
    for &a in args.slice() {
        let s = vm.inspect(a)?;
        let mut bytes = s.bytes().to_vec();
        bytes.push(b'\n');
        emit(vm, stdout(vm), &bytes, s.enc())?;
    }
    Ok(given(vm, args))
}
/// As `p`: structures stay on one line, for there is no PP library to wrap them at 80 columns.
fn k_pp(vm: Vm, this: Value, args: Args) -> Ruby {
    k_p(vm, this, args)
}
fn display(vm: Vm, this: Value, args: Args) -> Ruby {
    let to = args.get(0).unwrap_or_else(|| stdout(vm));
    let text = vm.to_s(this)?;
    emit(vm, to, text.bytes(), text.enc())?;
    Ok(NIL)
}

/// `$stdout=`, `$stderr=`: anything that can write.
pub fn set_output(vm: Vm, name: crate::value::Sym, v: Value) -> Ruby<()> {
    if !vm.responds_to(v, sym::WRITE, true)? {
        let (name, what) = (vm.name_of(name), vm.class_name(vm.real_class_of(v)));
        return Err(vm.type_error(&format!("{name} must have write method, {what} given")));
    }
    vm.gvar_store(name, v);
    Ok(())
}
