//! `Signal`: names, `trap`, and what happens when a signal comes. Handlers run in the main thread at a safepoint.

use super::errno;
use crate::class;
use crate::object::{RArray, RHash, sym};
use crate::sched::signal::{Disposition, NUDGE_SIGNAL};
use crate::sys::process as sys;
use crate::value::{NIL, Raised, Ruby, TRUE, Value};
use crate::vm::Vm;
use crate::vm::native::{Args, ClassDef, MethodDef, arity};
use std::cell::Cell;

class! { module "Signal";
    module_fn ["trap"] opt(1, 2) => trap;
    module_fn ["list"] req(0) => list;
    module_fn ["signame"] req(1) => signame;
}

const OTHERS: [ClassDef; 2] = [
    ClassDef {
        name: "Kernel",
        superclass: None,
        methods: &[MethodDef { names: &["trap"], arity: arity::opt(1, 2), f: trap, scope: "module_fn" }],
    },
    ClassDef {
        name: "Process",
        superclass: None,
        methods: &[MethodDef { names: &["kill"], arity: arity::rest(1), f: kill, scope: "module_fn" }],
    },
];

/// Names without "SIG", as Signal.list gives them; a later name of a number is an alias.
pub const NAMES: &[(&str, i32)] = &[
    ("EXIT", 0),
    ("HUP", libc::SIGHUP),
    ("INT", libc::SIGINT),
    ("QUIT", libc::SIGQUIT),
    ("ILL", libc::SIGILL),
    ("TRAP", libc::SIGTRAP),
    ("ABRT", libc::SIGABRT),
    ("IOT", libc::SIGABRT),
    ("BUS", libc::SIGBUS),
    ("FPE", libc::SIGFPE),
    ("KILL", libc::SIGKILL),
    ("SEGV", libc::SIGSEGV),
    ("SYS", libc::SIGSYS),
    ("PIPE", libc::SIGPIPE),
    ("ALRM", libc::SIGALRM),
    ("TERM", libc::SIGTERM),
    ("URG", libc::SIGURG),
    ("STOP", libc::SIGSTOP),
    ("TSTP", libc::SIGTSTP),
    ("CONT", libc::SIGCONT),
    ("CHLD", libc::SIGCHLD),
    ("CLD", libc::SIGCHLD),
    ("TTIN", libc::SIGTTIN),
    ("TTOU", libc::SIGTTOU),
    ("IO", libc::SIGIO),
    ("XCPU", libc::SIGXCPU),
    ("XFSZ", libc::SIGXFSZ),
    ("VTALRM", libc::SIGVTALRM),
    ("PROF", libc::SIGPROF),
    ("WINCH", libc::SIGWINCH),
    ("USR1", libc::SIGUSR1),
    ("USR2", libc::SIGUSR2),
    ("PWR", libc::SIGPWR),
    ("POLL", libc::SIGPOLL),
];

/// What is set for each signal, by number: nil default, true ignore, a Proc; a String for "EXIT" and
/// "SYSTEM_DEFAULT".
#[derive(Default)]
struct Handlers {
    table: Cell<Option<Value>>,
    /// handlers that run right now
    depth: Cell<u32>,
}

/// Signals that raise SignalException (or Interrupt) in the main thread when nothing is set for them.
const RAISING: &[i32] =
    &[libc::SIGHUP, libc::SIGINT, libc::SIGQUIT, libc::SIGALRM, libc::SIGTERM, libc::SIGUSR1, libc::SIGUSR2];

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
    for t in &OTHERS {
        vm.define_table(t);
    }
    super::process_wait::boot(vm);
    super::process_spawn::boot(vm);
    let table = RArray::new(&vm, 65);
    table.resize(&vm, 65);
    vm.slot::<Handlers>().table.set(Some(vm.keep_forever(table.value())));
}

impl Vm {
    /// Starts receiving the signals that raise. For the program, not for an embedded interpreter.
    pub fn catch_signals(self) {
        for &n in RAISING {
            self.sched.catch_signal(n, Disposition::Catch);
        }
    }
    /// Runs in the main thread what came.
    pub fn handle_signals(self) -> Ruby<()> {
        let set = self.sched.take_signals();
        if set == 0 {
            return Ok(());
        }
        for n in 1..64 {
            if set & (1 << n) != 0
                && let Err(r) = deliver(self, n)
            {
                // The rest is for later.
                let rest = set & !((2u64 << n) - 1);
                if rest != 0 {
                    for m in n + 1..64 {
                        if rest & (1 << m) != 0 {
                            // SAFETY: our own handler notes it again.
                            unsafe { libc::raise(m) };
                        }
                    }
                }
                return Err(r);
            }
        }
        Ok(())
    }
    /// A trap handler runs in this thread.
    pub fn in_trap_handler(self) -> bool {
        self.slot::<Handlers>().depth.get() > 0
    }
    /// `trap("EXIT")`.
    pub fn run_exit_trap(self) -> Ruby<()> {
        let h = handler(self, 0);
        if h.is_nil() || h == TRUE {
            return Ok(());
        }
        set_handler(self, 0, NIL);
        call(self, h, 0)
    }
}

fn handler(vm: Vm, n: i32) -> Value {
    vm.slot::<Handlers>().table.get().and_then(Value::as_array).map_or(NIL, |t| t.get(n as usize))
}
fn set_handler(vm: Vm, n: i32, v: Value) {
    if let Some(t) = vm.slot::<Handlers>().table.get().and_then(Value::as_array) {
        t.set_grow(&vm, n as usize, v);
    }
}
fn call(vm: Vm, h: Value, n: i32) -> Ruby<()> {
    let Some(p) = h.as_proc() else { return Ok(()) };
    let depth = &vm.slot::<Handlers>().depth;
    depth.set(depth.get() + 1);
    let saved = vm.ec().errinfo.get();
    let r = vm.call_proc(p, &[Value::fixnum(n as i64)]);
    vm.ec().errinfo.set(saved);
    depth.set(depth.get() - 1);
    r.map(|_| ())
}
fn deliver(vm: Vm, n: i32) -> Ruby<()> {
    let h = handler(vm, n);
    if h.as_proc().is_some() {
        return call(vm, h, n);
    }
    if let Some(s) = h.as_str()
        && s.bytes() == b"EXIT"
    {
        let exit = vm.send(vm.classes.kernel.get().value(), vm.intern("exit"), &[]);
        return exit.map(|_| ());
    }
    if h.is_nil() && RAISING.contains(&n) {
        return Err(signal_exception(vm, n));
    }
    Ok(())
}
fn signal_exception(vm: Vm, n: i32) -> Raised {
    let (class, text) = if n == libc::SIGINT {
        (vm.classes.interrupt.get(), String::new())
    } else {
        (vm.classes.signal_exception.get(), format!("SIG{}", name_of(n).unwrap_or("?")))
    };
    let e = vm.new_exception(class, &text);
    vm.ivar_set(e, sym::I_SIGNO, Value::fixnum(n as i64));
    vm.raise_exc(e)
}

/// A signal's name without the SIG.
pub fn name_of(n: i32) -> Option<&'static str> {
    NAMES.iter().find(|s| s.1 == n).map(|s| s.0)
}
fn named(name: &str) -> Option<i32> {
    NAMES.iter().find(|s| s.0 == name).map(|s| s.1)
}
/// A signal argument: a number, or a name with or without SIG. A leading `-` (process group) makes it negative where
/// allowed.
fn signo(vm: Vm, v: Value, negative: bool) -> Ruby<i32> {
    if v.is_integer() {
        let n = vm.to_i64(v)?;
        let low = if negative { -64 } else { 0 };
        if !(low..=64).contains(&n) {
            return Err(vm.arg_error(&format!("invalid signal number ({n})")));
        }
        return Ok(n as i32);
    }
    let name = match v.as_symbol() {
        Some(s) => vm.name_of(s),
        None => match vm.check_str(v)? {
            Some(s) => s.text().into_owned(),
            None => {
                let what = vm.class_name(vm.real_class_of(v));
                return Err(vm.arg_error(&format!("bad signal type {what}")));
            }
        },
    };
    let (group, rest) = match name.strip_prefix('-') {
        Some(r) if negative => (true, r),
        _ => (false, &name[..]),
    };
    let bare = rest.strip_prefix("SIG").unwrap_or(rest);
    match named(bare) {
        Some(n) if !(group && n == 0) => Ok(if group { -n } else { n }),
        _ => {
            let shown = if rest.starts_with("SIG") { rest.to_string() } else { format!("SIG{rest}") };
            let minus = if group { "-" } else { "" };
            Err(vm.arg_error(&format!("unsupported signal '{minus}{shown}'")))
        }
    }
}

fn trap(vm: Vm, _this: Value, args: Args) -> Ruby {
    let n = signo(vm, args.or_nil(0), false)?;
    let reserved = [libc::SIGSEGV, libc::SIGBUS, libc::SIGILL, libc::SIGFPE, NUDGE_SIGNAL];
    if reserved.contains(&n) {
        let name = name_of(n).unwrap_or("?");
        return Err(vm.arg_error(&format!("can't trap reserved signal: SIG{name}")));
    }
    let command = match args.get(1) {
        Some(c) => c,
        None => match args.block() {
            Some(b) => b.to_proc(vm).value(),
            None => return Err(vm.arg_error("tried to create Proc object without a block")),
        },
    };
    if n == libc::SIGKILL || n == libc::SIGSTOP {
        return Err(errno::fail(vm, libc::EINVAL, &format!("- SIG{}", name_of(n).unwrap_or("?"))));
    }
    let text = match command.as_symbol() {
        Some(s) => Some(vm.name_of(s)),
        None => vm.check_str(command)?.map(|s| s.text().into_owned()),
    };
    let raising = RAISING.contains(&n);
    let (what, value) = match text.as_deref() {
        _ if command.is_nil() => (Disposition::Ignore, TRUE),
        Some("" | "SIG_IGN" | "IGNORE") => (Disposition::Ignore, TRUE),
        Some("SIG_DFL" | "DEFAULT") => (if raising { Disposition::Catch } else { Disposition::Default }, NIL),
        Some("SYSTEM_DEFAULT") => (Disposition::Default, vm.str("SYSTEM_DEFAULT")),
        Some("EXIT") => (Disposition::Catch, vm.str("EXIT")),
        Some(code) => {
            // A String is evaluated when the signal comes.
            let code = vm.str(code);
            let p = vm.native_proc(|vm, code, _| vm.send(vm.main.get(), sym::EVAL, &[code]), code, true, -1);
            (Disposition::Catch, p.value())
        }
        None if command.as_proc().is_some() => (Disposition::Catch, command),
        None if vm.responds_to(command, sym::CALL, true)? => {
            let p = vm.native_proc(|vm, c, args| vm.send(c, sym::CALL, args.slice()), command, true, -1);
            vm.ivar_set(p.value(), vm.intern("__callable"), command);
            (Disposition::Catch, p.value())
        }
        None => {
            let what = vm.class_name(vm.real_class_of(command));
            return Err(vm.arg_error(&format!("wrong trap - {what}")));
        }
    };
    let old = handler(vm, n);
    set_handler(vm, n, value);
    // A handler for SIGPIPE's default: writing to a closed pipe is an error, not the end.
    let what =
        if n == libc::SIGPIPE && what == Disposition::Default && value.is_nil() { Disposition::Ignore } else { what };
    if n != 0 && !vm.sched.catch_signal(n, what) {
        set_handler(vm, n, old);
        return Err(errno::fail(vm, libc::EINVAL, &format!("- SIG{}", name_of(n).unwrap_or("?"))));
    }
    Ok(match old {
        NIL if n == 0 => NIL,
        NIL => vm.str("DEFAULT"),
        TRUE => vm.str("IGNORE"),
        v => vm.ivar_get(v, vm.intern("__callable")).unwrap_or(v),
    })
}

fn list(vm: Vm, _this: Value, _args: Args) -> Ruby {
    let h = RHash::new(&vm);
    for (name, n) in NAMES {
        let key = vm.str(name);
        h.set(&vm, &vm, key, Value::fixnum(*n as i64))?;
    }
    Ok(h.value())
}
fn signame(vm: Vm, _this: Value, args: Args) -> Ruby {
    let n = vm.to_i64(args.or_nil(0))?;
    Ok(i32::try_from(n).ok().and_then(name_of).map_or(NIL, |s| vm.str(s)))
}

/// `Process.kill(signal, pid, ...)`: the number of processes signalled.
fn kill(vm: Vm, _this: Value, args: Args) -> Ruby {
    if args.len() < 2 {
        return Err(vm.wrong_arguments(args.len(), 2, -1));
    }
    let n = signo(vm, args.or_nil(0), true)?;
    for &a in &args.slice()[1..] {
        let pid = vm.to_i32(a)?;
        let sent = if n < 0 {
            sys::kill_group(pid, -n)
        } else if pid == std::process::id() as i32 && n != 0 && n != libc::SIGKILL && n != libc::SIGSTOP {
            // To this native thread: it is seen before we go on.
            // SAFETY: no pointers.
            if unsafe { libc::raise(n) } < 0 { Err(crate::sys::errno()) } else { Ok(0) }
        } else {
            sys::kill(pid, n)
        };
        sent.map_err(|e| errno::fail(vm, e, ""))?;
    }
    vm.look_at_interrupts()?;
    Ok(Value::fixnum(args.len() as i64 - 1))
}
