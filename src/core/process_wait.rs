//! `Process::Status`, `$?`, and waiting for children.

use super::errno;
use crate::class;
use crate::object::{Data, RArray, RData};
use crate::sys::process as sys;
use crate::value::{FALSE, NIL, Ruby, Value};
use crate::vm::Vm;
use crate::vm::native::{Args, ClassDef, MethodDef, arity};

class! { "Process::Status" < "Object";
    ["pid"] req(0) => pid;
    ["to_i"] req(0) => to_i;
    ["exitstatus"] req(0) => exitstatus;
    ["success?"] req(0) => success;
    ["exited?"] req(0) => exited;
    ["signaled?"] req(0) => signaled;
    ["stopped?"] req(0) => stopped;
    ["coredump?"] req(0) => coredump;
    ["termsig"] req(0) => termsig;
    ["stopsig"] req(0) => stopsig;
    ["=="] req(1) => eq;
    ["to_s"] req(0) => to_s;
    ["inspect"] req(0) => inspect;
    self ["wait"] opt(0, 2) => status_wait;
}

const PROCESS: ClassDef = ClassDef {
    name: "Process",
    superclass: None,
    methods: &[
        MethodDef { names: &["wait", "waitpid"], arity: arity::opt(0, 2), f: wait, scope: "module_fn" },
        MethodDef { names: &["wait2", "waitpid2"], arity: arity::opt(0, 2), f: wait2, scope: "module_fn" },
        MethodDef { names: &["waitall"], arity: arity::req(0), f: waitall, scope: "module_fn" },
        MethodDef { names: &["last_status"], arity: arity::req(0), f: last, scope: "self" },
    ],
};

/// How a child ended.
struct Status {
    pid: i32,
    status: i32,
}
impl Data for Status {}

pub fn boot(vm: Vm) {
    let process = vm.define_table(&PROCESS);
    let c = vm.define_table(&CLASS);
    let meta = vm.metaclass(c);
    vm.add_method(meta, vm.intern("new"), crate::object::Visibility::Public, crate::object::MethodBody::Undef);
    vm.define_gvar("$?", None, Some(|vm, _| Ok(last_status(vm))), Some(Vm::readonly_gvar));
    vm.gvar_alias(vm.intern("$CHILD_STATUS"), vm.intern("$?"));
    for (name, n) in [("WNOHANG", libc::WNOHANG), ("WUNTRACED", libc::WUNTRACED)] {
        vm.set_const(process, vm.intern(name), Value::fixnum(n as i64));
    }
}

// `$?` belongs to the thread.
fn last_status(vm: Vm) -> Value {
    vm.ivar_get(vm.current_thread(), vm.intern("__status")).unwrap_or(NIL)
}
/// Sets `$?`.
pub fn set_status(vm: Vm, pid: i32, status: i32) -> Value {
    let class = vm.classes.process_status.get();
    let v = RData::alloc(&vm, class, Status { pid, status });
    vm.ivar_set(vm.current_thread(), vm.intern("__status"), v);
    v
}
pub fn clear_status(vm: Vm) {
    vm.ivar_set(vm.current_thread(), vm.intern("__status"), NIL);
}

/// Waits for one child, sets `$?`; a child that is gone already is no error.
pub fn wait_for(vm: Vm, pid: i32) -> Ruby {
    match vm.retry(|s| sys::wait(s, pid, 0))? {
        Ok((pid, status)) => Ok(set_status(vm, pid, status)),
        Err(_) => Ok(NIL),
    }
}
fn wait_args(vm: Vm, args: Args) -> Ruby<i32> {
    let pid = if args.is_empty() { -1 } else { vm.to_i32(args.or_nil(0))? };
    let flags = if args.or_nil(1).is_nil() { 0 } else { vm.to_i32(args.or_nil(1))? };
    match vm.retry(|s| sys::wait(s, pid, flags))? {
        Ok((0, _)) => {
            clear_status(vm);
            Ok(0)
        }
        Ok((pid, status)) => {
            set_status(vm, pid, status);
            Ok(pid)
        }
        Err(e) => Err(errno::fail(vm, e, "")),
    }
}
fn wait(vm: Vm, _this: Value, args: Args) -> Ruby {
    let pid = wait_args(vm, args)?;
    Ok(if pid == 0 { NIL } else { Value::fixnum(pid as i64) })
}
fn wait2(vm: Vm, _this: Value, args: Args) -> Ruby {
    let pid = wait_args(vm, args)?;
    Ok(if pid == 0 { NIL } else { vm.array(&[Value::fixnum(pid as i64), last_status(vm)]) })
}
fn waitall(vm: Vm, _this: Value, _args: Args) -> Ruby {
    let out = RArray::new(&vm, 2);
    loop {
        match vm.retry(|s| sys::wait(s, -1, 0))? {
            Ok((pid, status)) => {
                let st = set_status(vm, pid, status);
                out.push(&vm, vm.array(&[Value::fixnum(pid as i64), st]));
            }
            Err(libc::ECHILD) => return Ok(out.value()),
            Err(e) => return Err(errno::fail(vm, e, "")),
        }
    }
}
fn last(vm: Vm, _this: Value, _args: Args) -> Ruby {
    Ok(last_status(vm))
}
fn status_wait(vm: Vm, _this: Value, args: Args) -> Ruby {
    wait_args(vm, args)?;
    Ok(last_status(vm))
}

fn state(v: Value) -> (i32, i32) {
    v.data::<Status>().map_or((0, 0), |s| (s.pid, s.status))
}
fn pid(_vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(Value::fixnum(state(this).0 as i64))
}
fn to_i(_vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(Value::fixnum(state(this).1 as i64))
}
fn number_if(cond: bool, n: i32) -> Ruby {
    Ok(if cond { Value::fixnum(n as i64) } else { NIL })
}
fn exitstatus(_vm: Vm, this: Value, _args: Args) -> Ruby {
    let n = state(this).1;
    number_if(libc::WIFEXITED(n), libc::WEXITSTATUS(n))
}
fn success(_vm: Vm, this: Value, _args: Args) -> Ruby {
    let n = state(this).1;
    Ok(if libc::WIFEXITED(n) { Value::bool(libc::WEXITSTATUS(n) == 0) } else { NIL })
}
fn exited(_vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(Value::bool(libc::WIFEXITED(state(this).1)))
}
fn signaled(_vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(Value::bool(libc::WIFSIGNALED(state(this).1)))
}
fn stopped(_vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(Value::bool(libc::WIFSTOPPED(state(this).1)))
}
fn coredump(_vm: Vm, this: Value, _args: Args) -> Ruby {
    let n = state(this).1;
    Ok(Value::bool(libc::WIFSIGNALED(n) && libc::WCOREDUMP(n)))
}
fn termsig(_vm: Vm, this: Value, _args: Args) -> Ruby {
    let n = state(this).1;
    number_if(libc::WIFSIGNALED(n), libc::WTERMSIG(n))
}
fn stopsig(_vm: Vm, this: Value, _args: Args) -> Ruby {
    let n = state(this).1;
    number_if(libc::WIFSTOPPED(n), libc::WSTOPSIG(n))
}
fn eq(vm: Vm, this: Value, args: Args) -> Ruby {
    let other = args.or_nil(0);
    match other.data::<Status>() {
        Some(o) => Ok(Value::bool(o.status == state(this).1)),
        None if other.is_integer() => Ok(Value::bool(vm.to_i64(other)? == state(this).1 as i64)),
        None => Ok(FALSE),
    }
}
fn describe(this: Value) -> String {
    let (pid, n) = state(this);
    let mut text = format!("pid {pid}");
    let signal = |n: i32| match super::signal::name_of(n) {
        Some(name) => format!(" SIG{name} (signal {n})"),
        None => format!(" signal {n}"),
    };
    if libc::WIFSTOPPED(n) {
        text.push_str(" stopped");
        text.push_str(&signal(libc::WSTOPSIG(n)));
    }
    if libc::WIFSIGNALED(n) {
        text.push_str(&signal(libc::WTERMSIG(n)));
        if libc::WCOREDUMP(n) {
            text.push_str(" (core dumped)");
        }
    }
    if libc::WIFEXITED(n) {
        text.push_str(&format!(" exit {}", libc::WEXITSTATUS(n)));
    }
    text
}
fn to_s(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(vm.str(&describe(this)))
}
fn inspect(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(vm.str(&format!("#<Process::Status: {}>", describe(this))))
}
