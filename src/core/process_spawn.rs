//! Starting programs: `spawn`, `system`, backquotes, `exec`, `fork`, `IO.popen`; what their arguments mean.

use super::errno;
use super::io_open::{Mode, close_quietly, path_arg, to_io};
use super::process_wait::{clear_status, set_status, wait_for};
use super::stream::{Stream, flag, stream};
use crate::class;
use crate::object::{Ary, Hsh, RArray, RData, RHash};
use crate::sys::process::{self as sys, Command, FdAction};
use crate::value::{FALSE, NIL, Raised, Ruby, TRUE, Value};
use crate::vm::Vm;
use crate::vm::native::{Args, ClassDef, MethodDef, arity};
use std::ffi::CString;

class! { module "Process";
    module_fn ["spawn"] kwrest(1) => spawn;
    module_fn ["exec"] kwrest(1) => exec;
    module_fn ["fork"] req(0) => fork;
    module_fn ["pid"] req(0) => pid;
    module_fn ["ppid"] req(0) => ppid;
    module_fn ["getpgrp"] req(0) => getpgrp;
    module_fn ["getpgid"] req(1) => getpgid;
    module_fn ["setpgid"] req(2) => setpgid;
    module_fn ["setsid"] req(0) => setsid;
    module_fn ["getsid"] opt(0, 1) => getsid;
    module_fn ["uid"] req(0) => uid;
    module_fn ["euid"] req(0) => euid;
    module_fn ["gid"] req(0) => gid;
    module_fn ["egid"] req(0) => egid;
    module_fn ["daemon"] opt(0, 2) => daemon;
}

const OTHERS: [ClassDef; 2] = [
    ClassDef {
        name: "Kernel",
        superclass: None,
        methods: &[
            MethodDef { names: &["spawn"], arity: arity::kwrest(1), f: spawn, scope: "module_fn" },
            MethodDef { names: &["system"], arity: arity::kwrest(1), f: system, scope: "module_fn" },
            MethodDef { names: &["exec"], arity: arity::kwrest(1), f: exec, scope: "module_fn" },
            MethodDef { names: &["fork"], arity: arity::req(0), f: fork, scope: "module_fn" },
            MethodDef { names: &["`"], arity: arity::req(1), f: backquote, scope: "module_fn" },
        ],
    },
    ClassDef {
        name: "IO",
        superclass: Some("Object"),
        methods: &[MethodDef { names: &["popen"], arity: arity::kwrest(0), f: popen, scope: "self" }],
    },
];

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
    for t in &OTHERS {
        vm.define_table(t);
    }
    let pid = |_: Vm, _| Ok(Value::fixnum(std::process::id() as i64));
    vm.define_gvar("$$", None, Some(pid), Some(Vm::readonly_gvar));
}

/// Letters that only a shell understands.
const META: &[u8] = b"*?{}[]<>()~&|\\$;'`\"\n#";
/// First words that only a shell understands.
const SHELL_WORDS: &[&str] = &[
    ".", ":", "alias", "bg", "break", "case", "cd", "command", "continue", "do", "done", "elif", "else", "esac",
    "eval", "exec", "exit", "export", "fc", "fg", "fi", "for", "getopts", "hash", "if", "in", "jobs", "read",
    "readonly", "return", "set", "shift", "then", "times", "trap", "type", "ulimit", "umask", "unalias", "unset",
    "until", "wait", "while", "!",
];

fn cstring(vm: Vm, bytes: &[u8]) -> Ruby<CString> {
    CString::new(bytes).map_err(|_| vm.arg_error("string contains null byte"))
}
fn cstr_arg(vm: Vm, v: Value) -> Ruby<CString> {
    let s = vm.to_str(v)?;
    cstring(vm, s.bytes())
}

/// A command as the arguments describe it, and how errors name it.
struct Plan {
    command: Command,
    name: Vec<u8>,
    exception: bool,
}

/// ([env,] program, args..., [options])
fn plan(vm: Vm, list: &[Value], options: Option<Hsh>) -> Ruby<Plan> {
    let mut list = list;
    let mut options = options;
    let mut env = None;
    if let Some((&first, rest)) = list.split_first()
        && let Some(h) = hash_like(vm, first)?
    {
        env = Some(h);
        list = rest;
    }
    if options.is_none()
        && let Some((&last, rest)) = list.split_last()
        && !rest.is_empty()
        && let Some(h) = hash_like(vm, last)?
    {
        options = Some(h);
        list = rest;
    }
    let mut c = Command::default();
    let mut exception = false;
    let mut clear_env = false;
    if let Some(h) = options {
        for i in 0..h.slots() {
            if let Some((k, v)) = h.entry(i) {
                option(vm, &mut c, k, v, &mut exception, &mut clear_env)?;
            }
        }
    }
    environment(vm, &mut c, env, clear_env)?;
    let name = program(vm, &mut c, list)?;
    Ok(Plan { command: c, name, exception })
}
fn hash_like(vm: Vm, v: Value) -> Ruby<Option<Hsh>> {
    if v.as_hash().is_some() {
        return Ok(v.as_hash());
    }
    if v.as_str().is_some() || v.as_array().is_some() { Ok(None) } else { vm.check_hash(v) }
}

/// Current environment, changed as `env` says (nil removes).
fn environment(vm: Vm, c: &mut Command, env: Option<Hsh>, clear: bool) -> Ruby<()> {
    use std::os::unix::ffi::OsStringExt;
    let mut vars: Vec<(Vec<u8>, Vec<u8>)> =
        if clear { Vec::new() } else { std::env::vars_os().map(|(k, v)| (k.into_vec(), v.into_vec())).collect() };
    if let Some(h) = env {
        for i in 0..h.slots() {
            let Some((k, v)) = h.entry(i) else { continue };
            let key = vm.to_str(k)?.bytes().to_vec();
            if key.contains(&b'=') {
                let text = String::from_utf8_lossy(&key).into_owned();
                return Err(vm.arg_error(&format!("environment name contains a equal : {text}")));
            }
            vars.retain(|(n, _)| *n != key);
            if !v.is_nil() {
                vars.push((key, vm.to_str(v)?.bytes().to_vec()));
            }
        }
    }
    for (mut k, v) in vars {
        k.push(b'=');
        k.extend_from_slice(&v);
        c.env.push(cstring(vm, &k)?);
    }
    Ok(())
}

/// Program and arguments; gives the name for errors.
fn program(vm: Vm, c: &mut Command, list: &[Value]) -> Ruby<Vec<u8>> {
    let Some((&first, rest)) = list.split_first() else {
        return Err(vm.wrong_arguments(0, 1, -1));
    };
    let pair = vm.check_ary(first)?;
    if let Some(a) = pair
        && a.len() != 2
    {
        return Err(vm.arg_error("wrong first argument"));
    }
    let (prog, arg0) = match pair {
        Some(a) => (vm.to_str(a.get(0))?, vm.to_str(a.get(1))?),
        None => {
            let s = vm.to_str(first)?;
            (s, s)
        }
    };
    let text = prog.bytes().to_vec();
    if text.contains(&0) {
        return Err(vm.arg_error("string contains null byte"));
    }
    if pair.is_some() || !rest.is_empty() {
        c.argv.push(cstring(vm, arg0.bytes())?);
        for &a in rest {
            c.argv.push(cstr_arg(vm, a)?);
        }
        find_program(vm, c, &text)?;
        return Ok(text);
    }
    if needs_shell(&text) {
        c.argv = vec![cstring(vm, b"sh")?, cstring(vm, b"-c")?, cstring(vm, &text)?];
        c.paths = vec![cstring(vm, b"/bin/sh")?];
        return Ok(text);
    }
    let words: Vec<&[u8]> = text.split(|b| matches!(b, b' ' | b'\t')).filter(|w| !w.is_empty()).collect();
    for w in &words {
        c.argv.push(cstring(vm, w)?);
    }
    match words.first() {
        Some(w) => {
            find_program(vm, c, w)?;
            Ok(w.to_vec())
        }
        None => Ok(text),
    }
}
fn needs_shell(text: &[u8]) -> bool {
    let trimmed: &[u8] = text.trim_ascii_start();
    let first = trimmed.split(|b| b.is_ascii_whitespace()).next().unwrap_or_default();
    text.iter().any(|b| META.contains(b)) || first.contains(&b'=') || SHELL_WORDS.iter().any(|w| w.as_bytes() == first)
}
/// Where it may be: itself with a slash, else in the folders of PATH.
fn find_program(vm: Vm, c: &mut Command, name: &[u8]) -> Ruby<()> {
    if name.is_empty() {
        return Ok(());
    }
    if name.contains(&b'/') {
        c.paths.push(cstring(vm, name)?);
        return Ok(());
    }
    use std::os::unix::ffi::OsStrExt;
    let path = std::env::var_os("PATH");
    let path = path.as_ref().map_or(&b"/usr/local/bin:/usr/bin:/bin"[..], |p| p.as_bytes());
    for dir in path.split(|&b| b == b':') {
        let mut full = if dir.is_empty() { b".".to_vec() } else { dir.to_vec() };
        full.push(b'/');
        full.extend_from_slice(name);
        c.paths.push(cstring(vm, &full)?);
    }
    Ok(())
}

fn option(vm: Vm, c: &mut Command, k: Value, v: Value, exception: &mut bool, clear_env: &mut bool) -> Ruby<()> {
    if let Some(s) = k.as_symbol() {
        let name = vm.name_of(s);
        match &name[..] {
            "chdir" => {
                let p = path_arg(vm, v)?;
                c.dir = Some(cstring(vm, p.bytes())?);
            }
            "pgroup" => {
                c.group = match v {
                    NIL | FALSE => None,
                    TRUE => Some(0),
                    v => {
                        let n = vm.to_i32(v)?;
                        if n < 0 {
                            return Err(vm.arg_error(&format!("negative process group ID : {n}")));
                        }
                        Some(n)
                    }
                }
            }
            "umask" => c.umask = Some(vm.to_i64(v)? as u32),
            "unsetenv_others" => *clear_env = v.truthy(),
            "close_others" => c.close_others = v.truthy(),
            "exception" => *exception = v.truthy(),
            "in" | "out" | "err" => redirect(vm, c, k, v)?,
            _ => return Err(vm.arg_error(&format!("wrong exec option symbol: {name}"))),
        }
        return Ok(());
    }
    if let Some(list) = k.as_array() {
        // The first target gets the file, the others copies of it.
        let Some(&first) = list.slice().first() else {
            return Err(vm.arg_error("wrong exec redirect action"));
        };
        redirect(vm, c, first, v)?;
        let from = target_fd(vm, first)?;
        for i in 1..list.len() {
            let to = target_fd(vm, list.get(i))?;
            c.fds.push(FdAction::DupChild { from, to });
        }
        return Ok(());
    }
    redirect(vm, c, k, v)
}
/// A descriptor of the child: :in, :out, :err, a number, an IO.
fn target_fd(vm: Vm, v: Value) -> Ruby<i32> {
    if let Some(s) = v.as_symbol() {
        return match &*vm.symbols.text(s) {
            "in" => Ok(0),
            "out" => Ok(1),
            "err" => Ok(2),
            _ => Err(vm.arg_error("wrong exec redirect action")),
        };
    }
    if v.is_integer() {
        let n = vm.to_i32(v)?;
        if n < 0 {
            return Err(vm.arg_error("negative file descriptor"));
        }
        return Ok(n);
    }
    if v.data::<Stream>().is_some() || vm.responds_to(v, crate::object::sym::TO_IO, true)? {
        return Ok(stream(vm, to_io(vm, v)?)?.fd.get());
    }
    Err(vm.arg_error("wrong exec redirect action"))
}
/// Where a descriptor of the child goes.
fn redirect(vm: Vm, c: &mut Command, k: Value, v: Value) -> Ruby<()> {
    let to = target_fd(vm, k)?;
    if let Some(s) = v.as_symbol()
        && &*vm.symbols.text(s) == "close"
    {
        c.fds.push(FdAction::Close(to));
        return Ok(());
    }
    let open = |vm: Vm, path: Value, mode: Mode| -> Ruby<FdAction> {
        let p = path_arg(vm, path)?;
        Ok(FdAction::Open { to, path: cstring(vm, p.bytes())?, flags: mode.oflags, mode: mode.perm })
    };
    if let Some(a) = v.as_array() {
        if a.len() == 2
            && let Some(s) = a.get(0).as_symbol()
            && &*vm.symbols.text(s) == "child"
        {
            let from = target_fd(vm, a.get(1))?;
            c.fds.push(FdAction::DupChild { from, to });
            return Ok(());
        }
        let mut mode = Mode::parse(vm, a.get(1), NIL, None)?;
        mode.perm = if a.get(2).is_nil() { 0o644 } else { vm.to_i64(a.get(2))? as u32 };
        let action = open(vm, a.get(0), mode)?;
        c.fds.push(action);
        return Ok(());
    }
    let by_path = v.as_str().is_some()
        || v.data::<Stream>().is_none()
            && !v.is_integer()
            && v.as_symbol().is_none()
            && vm.responds_to(v, crate::object::sym::TO_PATH, true)?;
    if by_path {
        let oflags = match to {
            0 => libc::O_RDONLY,
            1 | 2 => libc::O_WRONLY | libc::O_CREAT | libc::O_TRUNC,
            _ => libc::O_RDONLY,
        };
        let action = open(vm, v, Mode { oflags, perm: 0o644, ..Mode::READ })?;
        c.fds.push(action);
        return Ok(());
    }
    let from = match v.data::<Stream>() {
        // A writer of a two-way pipe is written to.
        Some(s) if to != 0 => s.write_fd(),
        _ => target_fd(vm, v)?,
    };
    c.fds.push(FdAction::Dup { from, to });
    Ok(())
}

/// Starts it. Buffered output comes first.
fn start(vm: Vm, p: &Plan) -> Ruby<Result<i32, i32>> {
    flush_standard(vm)?;
    if p.command.paths.is_empty() {
        return Ok(Err(libc::ENOENT));
    }
    Ok(p.command.spawn(&vm.sched))
}
fn flush_standard(vm: Vm) -> Ruby<()> {
    for name in ["STDOUT", "STDERR"] {
        if let Some(s) = vm.const_value(vm.classes.object.get(), name).and_then(|v| v.data::<Stream>())
            && s.is_open()
        {
            s.flush(vm)?;
        }
    }
    Ok(())
}
fn failed(vm: Vm, p: &Plan, e: i32) -> Raised {
    let name = match &p.command.dir {
        Some(d) if std::fs::metadata(d.to_string_lossy().as_ref()).is_err() => d.as_bytes(),
        _ => &p.name,
    };
    errno::fail(vm, e, &format!("- {}", String::from_utf8_lossy(name)))
}

fn spawn(vm: Vm, _this: Value, args: Args) -> Ruby {
    let p = plan(vm, args.slice(), args.keywords())?;
    match start(vm, &p)? {
        Ok(pid) => Ok(Value::fixnum(pid as i64)),
        Err(e) => {
            set_status(vm, 0, 127 << 8);
            Err(failed(vm, &p, e))
        }
    }
}
/// true: exit 0; false: anything else; nil: could not start.
fn system(vm: Vm, _this: Value, args: Args) -> Ruby {
    let p = plan(vm, args.slice(), args.keywords())?;
    clear_status(vm);
    let pid = match start(vm, &p)? {
        Ok(pid) => pid,
        Err(e) => {
            set_status(vm, 0, 127 << 8);
            return if p.exception { Err(failed(vm, &p, e)) } else { Ok(NIL) };
        }
    };
    let status = wait_for(vm, pid)?;
    let ok = vm.send(status, vm.intern("success?"), &[])? == TRUE;
    if p.exception && !ok {
        let name = String::from_utf8_lossy(&p.name).into_owned();
        let text = vm.to_s(status)?;
        let text = text.text();
        let what = text.split_once(' ').and_then(|t| t.1.split_once(' ')).map_or("", |t| t.1);
        return Err(vm.runtime_error(&format!("Command failed with {what}: {name}")));
    }
    Ok(Value::bool(ok))
}
fn exec(vm: Vm, _this: Value, args: Args) -> Ruby {
    let p = plan(vm, args.slice(), args.keywords())?;
    flush_standard(vm)?;
    let e = if p.command.paths.is_empty() { libc::ENOENT } else { p.command.exec() };
    Err(failed(vm, &p, e))
}

fn backquote(vm: Vm, _this: Value, args: Args) -> Ruby {
    let text = vm.to_str(args.or_nil(0))?;
    let p = plan(vm, &[text.value()], None)?;
    let io = open_pipe(vm, p, Mode::READ, vm.classes.io.get())?;
    let s = stream(vm, io)?;
    let all = s.read_all(vm)?;
    let pid = s.pid.replace(0);
    s.close(vm)?;
    wait_for(vm, pid)?;
    s.text(vm, all)
}

/// Starts a program with a pipe to it, from it, or both.
fn open_pipe(vm: Vm, mut p: Plan, mode: Mode, class: crate::object::Class) -> Ruby {
    let fail = |e| errno::fail(vm, e, "");
    let reads = mode.flags & flag::READ != 0;
    let writes = mode.flags & flag::WRITE != 0;
    let from = if reads { Some(crate::sys::io::pipe().map_err(fail)?) } else { None };
    let to = if writes { Some(crate::sys::io::pipe().map_err(fail)?) } else { None };
    let mut actions = Vec::new();
    if let Some((_, w)) = from {
        actions.push(FdAction::Dup { from: w, to: 1 });
    }
    if let Some((r, _)) = to {
        actions.push(FdAction::Dup { from: r, to: 0 });
    }
    actions.append(&mut p.command.fds);
    p.command.fds = actions;
    let started = start(vm, &p);
    for fd in [from.map(|f| f.1), to.map(|t| t.0)].into_iter().flatten() {
        let _ = crate::sys::io::close(&vm.sched, fd);
    }
    let pid = match started {
        Ok(Ok(pid)) => pid,
        other => {
            for fd in [from.map(|f| f.0), to.map(|t| t.1)].into_iter().flatten() {
                let _ = crate::sys::io::close(&vm.sched, fd);
            }
            return match other {
                Ok(Err(e)) => {
                    set_status(vm, 0, 127 << 8);
                    Err(failed(vm, &p, e))
                }
                Ok(Ok(_)) => Ok(NIL),
                Err(r) => Err(r),
            };
        }
    };
    pipe_io(vm, class, mode, from.map(|f| f.0), to.map(|t| t.1), pid)
}
fn pipe_io(vm: Vm, class: crate::object::Class, mode: Mode, from: Option<i32>, to: Option<i32>, pid: i32) -> Ruby {
    let v = RData::alloc(&vm, class, Stream::blank(vm));
    if let Some(s) = v.data::<Stream>() {
        mode.apply(vm, s, from.or(to).unwrap_or(-1))?;
        if from.is_some()
            && let Some(w) = to
        {
            s.wfd.set(w);
        }
        s.set(flag::SYNC, to.is_some());
        s.pid.set(pid);
    }
    Ok(v)
}

/// `IO.popen([env,] cmd, mode = "r" [, opts]) [{ |io| }]`; `cmd` a String ("-" forks) or an Array.
fn popen(vm: Vm, this: Value, args: Args) -> Ruby {
    let class = this.as_class().unwrap_or(vm.classes.io.get());
    let mut list = args.slice();
    let mut env = None;
    if let Some((&first, rest)) = list.split_first()
        && first.as_hash().is_some()
    {
        env = Some(first);
        list = rest;
    }
    let Some((&cmd, rest)) = list.split_first() else { return Err(vm.wrong_arguments(0, 1, 2)) };
    // Keywords for opening and for starting.
    let (opening, starting) = (RHash::new(&vm), RHash::new(&vm));
    let given = match (args.keywords(), rest.last().and_then(|v| v.as_hash())) {
        (Some(h), _) | (None, Some(h)) => Some(h),
        _ => None,
    };
    if let Some(h) = given {
        let names =
            ["mode", "flags", "external_encoding", "internal_encoding", "encoding", "textmode", "binmode", "autoclose"];
        for i in 0..h.slots() {
            if let Some((k, v)) = h.entry(i) {
                let open = k.as_symbol().is_some_and(|s| names.contains(&&*vm.symbols.text(s)));
                (if open { opening } else { starting }).set(&vm, &vm, k, v)?;
            }
        }
    }
    let mode_arg = rest.first().copied().filter(|v| v.as_hash().is_none()).unwrap_or(NIL);
    let mode = Mode::parse(vm, mode_arg, NIL, Some(opening))?;
    let words: Ary = RArray::new(&vm, 4);
    if let Some(e) = env {
        words.push(&vm, e);
    }
    let mut forks = false;
    match vm.check_ary(cmd)? {
        Some(a) => {
            // One program alone is never a shell command here.
            let skip = usize::from(a.get(0).as_hash().is_some());
            let mut n = a.len();
            let mut opts = NIL;
            if n > skip + 1 && a.get(n - 1).as_hash().is_some() {
                n -= 1;
                opts = a.get(n);
            }
            if skip == 1 {
                words.push(&vm, a.get(0));
            }
            for i in skip..n {
                let mut v = a.get(i);
                if i == skip && n == skip + 1 && v.as_array().is_none() {
                    v = vm.array(&[v, v]);
                }
                words.push(&vm, v);
            }
            if let Some(h) = opts.as_hash() {
                for i in 0..h.slots() {
                    if let Some((k, v)) = h.entry(i) {
                        starting.set(&vm, &vm, k, v)?;
                    }
                }
            }
        }
        None => {
            forks = vm.to_str(cmd)?.bytes() == b"-";
            words.push(&vm, cmd);
        }
    }
    let io = if forks {
        fork_pipe(vm, mode, class)?
    } else {
        let p = plan(vm, words.slice(), Some(starting))?;
        open_pipe(vm, p, mode, class)?
    };
    let Some(b) = args.block() else { return Ok(io) };
    if io.is_nil() {
        // The child of "-".
        let r = vm.yield1(b, NIL);
        super::ending::end_program(vm, r)
    }
    vm.ensure(|| vm.yield1(b, io), || close_quietly(vm, io))
}
fn fork_pipe(vm: Vm, mode: Mode, class: crate::object::Class) -> Ruby {
    let fail = |e| errno::fail(vm, e, "");
    let from = if mode.flags & flag::READ != 0 { Some(crate::sys::io::pipe().map_err(fail)?) } else { None };
    let to = if mode.flags & flag::WRITE != 0 { Some(crate::sys::io::pipe().map_err(fail)?) } else { None };
    let pid = fork_process(vm)?;
    if pid == 0 {
        if let Some((_, w)) = from {
            let _ = crate::sys::io::dup_to(&vm.sched, w, 1);
        }
        if let Some((r, _)) = to {
            let _ = crate::sys::io::dup_to(&vm.sched, r, 0);
        }
    }
    let all = [from.map(|f| f.0), from.map(|f| f.1), to.map(|t| t.0), to.map(|t| t.1)];
    for (i, fd) in all.into_iter().enumerate() {
        // The parent keeps what it reads and writes itself.
        if let Some(fd) = fd
            && (pid == 0 || i == 1 || i == 2)
        {
            let _ = crate::sys::io::close(&vm.sched, fd);
        }
    }
    if pid == 0 {
        return Ok(NIL);
    }
    pipe_io(vm, class, mode, from.map(|f| f.0), to.map(|t| t.1), pid)
}

/// Forks this process, all buffers written before; 0 in the child, whose only thread is this one.
fn fork_process(vm: Vm) -> Ruby<i32> {
    if let Some(e) = vm.flush_all() {
        return Err(vm.raise_exc(e));
    }
    match sys::fork() {
        Ok(0) => {
            vm.sched.after_fork_child();
            super::thread::after_fork(vm);
            Ok(0)
        }
        Ok(pid) => Ok(pid),
        Err(e) => Err(errno::fail(vm, e, "- fork(2)")),
    }
}
fn fork(vm: Vm, _this: Value, args: Args) -> Ruby {
    let pid = fork_process(vm)?;
    if pid != 0 {
        return Ok(Value::fixnum(pid as i64));
    }
    match args.block() {
        None => Ok(NIL),
        Some(b) => {
            let r = vm.yield_values(b, &[]);
            super::ending::end_program(vm, r)
        }
    }
}
fn daemon(vm: Vm, _this: Value, args: Args) -> Ruby {
    if fork_process(vm)? != 0 {
        // SAFETY: ends the parent; the child goes on.
        unsafe { libc::_exit(0) }
    }
    // SAFETY: plain calls on our own process.
    unsafe {
        libc::setsid();
        if !args.or_nil(0).truthy() {
            libc::chdir(c"/".as_ptr());
        }
        if !args.or_nil(1).truthy() {
            let null = libc::open(c"/dev/null".as_ptr(), libc::O_RDWR | libc::O_CLOEXEC);
            for fd in 0..3 {
                libc::dup2(null, fd);
            }
            libc::close(null);
        }
    }
    Ok(Value::fixnum(0))
}

// ---- ids

fn id(n: impl Into<i64>) -> Ruby {
    Ok(Value::fixnum(n.into()))
}
fn pid(_vm: Vm, _this: Value, _args: Args) -> Ruby {
    id(std::process::id())
}
fn ppid(_vm: Vm, _this: Value, _args: Args) -> Ruby {
    id(std::os::unix::process::parent_id())
}
fn result(vm: Vm, n: i32) -> Ruby {
    if n < 0 { Err(errno::fail(vm, crate::sys::errno(), "")) } else { id(n) }
}
fn getpgrp(vm: Vm, _this: Value, _args: Args) -> Ruby {
    // SAFETY: a plain query.
    result(vm, unsafe { libc::getpgrp() })
}
fn getpgid(vm: Vm, _this: Value, args: Args) -> Ruby {
    let pid = vm.to_i32(args.or_nil(0))?;
    // SAFETY: a plain query.
    result(vm, unsafe { libc::getpgid(pid) })
}
fn setpgid(vm: Vm, _this: Value, args: Args) -> Ruby {
    let (pid, group) = (vm.to_i32(args.or_nil(0))?, vm.to_i32(args.or_nil(1))?);
    // SAFETY: no pointers.
    result(vm, unsafe { libc::setpgid(pid, group) })
}
fn setsid(vm: Vm, _this: Value, _args: Args) -> Ruby {
    // SAFETY: no pointers.
    result(vm, unsafe { libc::setsid() })
}
fn getsid(vm: Vm, _this: Value, args: Args) -> Ruby {
    let pid = if args.is_empty() { 0 } else { vm.to_i32(args.or_nil(0))? };
    // SAFETY: a plain query.
    result(vm, unsafe { libc::getsid(pid) })
}
fn uid(_vm: Vm, _this: Value, _args: Args) -> Ruby {
    // SAFETY: a plain query.
    id(unsafe { libc::getuid() })
}
fn euid(_vm: Vm, _this: Value, _args: Args) -> Ruby {
    // SAFETY: a plain query.
    id(unsafe { libc::geteuid() })
}
fn gid(_vm: Vm, _this: Value, _args: Args) -> Ruby {
    // SAFETY: a plain query.
    id(unsafe { libc::getgid() })
}
fn egid(_vm: Vm, _this: Value, _args: Args) -> Ruby {
    // SAFETY: a plain query.
    id(unsafe { libc::getegid() })
}
