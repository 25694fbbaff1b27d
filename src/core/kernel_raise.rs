//! `raise`, `catch`/`throw`, and the ways a program ends: `exit`, `abort`, `at_exit`.

use super::exception_report;
use crate::class;
use crate::object::{RArray, RHash, RObject, sym};
use crate::value::{FALSE, NIL, Raised, Ruby, TRUE, Value};
use crate::vm::{Args, Vm};
use std::cell::{Cell, RefCell};

class! { module "Kernel";
    module_fn ["raise", "fail"] kwrest(0) => raise;
    module_fn ["catch"] opt(0, 1) => catch;
    module_fn ["throw"] opt(1, 2) => throw;
    module_fn ["exit"] opt(0, 1) => exit;
    module_fn ["exit!"] opt(0, 1) => exit_now;
    module_fn ["abort"] opt(0, 1) => abort;
    module_fn ["at_exit"] req(0) => at_exit;
}

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
    vm.hooks.at_exit.set(Some(register));
    vm.define_gvar("$!", None, Some(|vm, _| Ok(vm.ec().errinfo.get())), Some(crate::vm::Vm::readonly_gvar));
    vm.define_gvar("$@", None, Some(errat), Some(set_errat));
}

fn errat(vm: Vm, _: crate::value::Sym) -> Ruby {
    let e = vm.ec().errinfo.get();
    if e.is_nil() { Ok(NIL) } else { vm.send(e, sym::BACKTRACE, &[]) }
}
fn set_errat(vm: Vm, _: crate::value::Sym, v: Value) -> Ruby<()> {
    let e = vm.ec().errinfo.get();
    if e.is_nil() {
        return Err(vm.arg_error("$! not set"));
    }
    vm.send(e, sym::SET_BACKTRACE, &[v])?;
    Ok(())
}

/// The exception that `raise`'s positional arguments (and keywords other than `cause`) describe.
pub fn make_exception(vm: Vm, args: &[Value], kw: Option<Value>) -> Ruby {
    let Some(&first) = args.first() else {
        return Ok(vm.new_exception(vm.classes.runtime_error.get(), "unhandled exception"));
    };
    if args.len() == 1 && kw.is_none() && first.as_str().is_some() {
        return vm.send(vm.classes.runtime_error.get().value(), sym::NEW, &[first]);
    }
    let has_method = match vm.find_method(vm.class_of(first), sym::EXCEPTION) {
        Some(_) => true,
        None => vm.responds_to(first, sym::EXCEPTION, true)?,
    };
    if !has_method {
        return Err(vm.type_error("exception class/object expected"));
    }
    let message = &args[1..args.len().min(2)];
    let exc = match kw {
        Some(h) => {
            let mut all = [NIL; 2];
            all[..message.len()].copy_from_slice(message);
            all[message.len()] = h;
            vm.send_full(first, sym::EXCEPTION, &all[..message.len() + 1], true, None, true)?
        }
        None => vm.send(first, sym::EXCEPTION, message)?,
    };
    if !vm.class_of(exc).is_a(vm.classes.exception.get()) {
        return Err(vm.type_error("exception object expected"));
    }
    if let Some(&bt) = args.get(2)
        && !bt.is_nil()
    {
        vm.send(exc, sym::SET_BACKTRACE, &[bt])?;
    }
    Ok(exc)
}

/// `raise`, with `args` as Ruby passes them; also for Thread#raise and Fiber#raise. `skip` newest places are left out
/// of the backtrace.
pub fn raise_with(vm: Vm, args: Args, skip: usize) -> Ruby {
    let (exc, cause) = exception_of_args(vm, args)?;
    let Some(cause) = cause else { return Err(raise_now(vm, exc, skip)) };
    set_cause(vm, exc, cause)?;
    Err(raise_now(vm, exc, skip))
}

/// What `raise(*args, cause:)` would raise, and the explicit cause.
pub fn exception_of_args(vm: Vm, args: Args) -> Ruby<(Value, Option<Value>)> {
    let mut cause = None;
    let mut kw = None;
    if let Some(h) = args.keywords() {
        let key = vm.sym("cause");
        match h.get(&vm, key)? {
            Some(c) => {
                cause = Some(c);
                if h.len() > 1 {
                    let copy = RHash::new(&vm);
                    copy.copy_from(&vm, h);
                    copy.delete(&vm, key)?;
                    kw = Some(copy.value());
                }
            }
            None => kw = Some(h.value()),
        }
    }
    if args.len() > 3 {
        return Err(vm.wrong_arguments(args.len(), 0, 3));
    }
    if args.is_empty() && kw.is_none() {
        if cause.is_some() {
            return Err(vm.arg_error("only cause is given with no arguments"));
        }
        let pending = vm.ec().errinfo.get();
        if !pending.is_nil() {
            return Ok((pending, None));
        }
    }
    if args.is_empty()
        && let Some(h) = kw
    {
        return Ok((make_exception(vm, &[h], None)?, cause));
    }
    Ok((make_exception(vm, args.slice(), kw)?, cause))
}

fn set_cause(vm: Vm, exc: Value, cause: Value) -> Ruby<()> {
    if !cause.is_nil() && !vm.class_of(cause).is_a(vm.classes.exception.get()) {
        return Err(vm.type_error("exception object expected"));
    }
    if cause == exc {
        return Ok(());
    }
    if leads_to(vm, cause, exc) {
        return Err(vm.arg_error("circular causes"));
    }
    if !exc.is_frozen() {
        vm.ivar_set(exc, sym::I_CAUSE, cause);
    }
    Ok(())
}

/// Is `exc` among the causes of `from`?
fn leads_to(vm: Vm, from: Value, exc: Value) -> bool {
    let mut c = from;
    for _ in 0..10_000 {
        if c == exc {
            return true;
        }
        match vm.ivar_get(c, sym::I_CAUSE) {
            Some(next) if !next.is_nil() => c = next,
            _ => return false,
        }
    }
    false
}

fn raise_now(vm: Vm, exc: Value, skip: usize) -> Raised {
    if !exc.is_frozen() {
        if vm.ivar_get(exc, sym::I_BACKTRACE).is_none_or(Value::is_nil) {
            let bt = vm.backtrace(skip);
            vm.ivar_set(exc, sym::I_BACKTRACE, bt);
        }
        if vm.ivar_get(exc, sym::I_CAUSE).is_none() {
            let cause = vm.ec().errinfo.get();
            let cause = if cause.is_nil() || leads_to(vm, cause, exc) { NIL } else { cause };
            vm.ivar_set(exc, sym::I_CAUSE, cause);
        }
    }
    vm.raise_exc(exc)
}

fn raise(vm: Vm, _this: Value, args: Args) -> Ruby {
    raise_with(vm, args, 1)
}

/// Tags of the `catch` calls that are active, with the fiber each belongs to.
#[derive(Default)]
struct CatchTags(RefCell<Vec<(u64, Value)>>);

fn catch(vm: Vm, _this: Value, args: Args) -> Ruby {
    let Some(block) = args.block() else {
        return Err(vm.raise(vm.classes.local_jump_error.get(), "no block given"));
    };
    let tag = match args.get(0) {
        Some(t) => t,
        None => RObject::alloc(&vm, vm.classes.object.get(), 0).value(),
    };
    let serial = vm.ec().serial.get();
    let tags = vm.slot::<CatchTags>();
    tags.0.borrow_mut().push((serial, tag));
    let place = vm.save_place();
    let r = vm.yield1(block, tag);
    let mut list = tags.0.borrow_mut();
    if let Some(i) = list.iter().rposition(|t| t.0 == serial) {
        list.remove(i);
    }
    drop(list);
    match r {
        Ok(v) => Ok(v),
        Err(e) => match vm.catch_throw(tag) {
            Some(v) => {
                vm.restore_place(place);
                Ok(v)
            }
            None => Err(e),
        },
    }
}

fn throw(vm: Vm, _this: Value, args: Args) -> Ruby {
    let (tag, value) = (args.or_nil(0), args.or_nil(1));
    let serial = vm.ec().serial.get();
    if vm.slot::<CatchTags>().0.borrow().contains(&(serial, tag)) {
        return Err(vm.throw(tag, value));
    }
    let text = vm.inspect(tag)?;
    let e = vm.new_exception(vm.classes.uncaught_throw_error.get(), &format!("uncaught throw {}", text.text()));
    vm.ivar_set(e, sym::I_KEY, tag);
    vm.ivar_set(e, sym::I_RESULT, value);
    Err(raise_now(vm, e, 0))
}

/// The process status that `exit`'s argument means.
pub fn status_of(vm: Vm, v: Value) -> Ruby<i64> {
    match v {
        TRUE => Ok(0),
        FALSE => Ok(1),
        v => vm.to_i64(v),
    }
}
fn system_exit(vm: Vm, status: i64, message: &str) -> Raised {
    let e = vm.new_exception(vm.classes.system_exit.get(), message);
    vm.ivar_set(e, sym::I_STATUS, Value::fixnum(status));
    raise_now(vm, e, 0)
}
fn exit(vm: Vm, _this: Value, args: Args) -> Ruby {
    let status = status_of(vm, args.get(0).unwrap_or(TRUE))?;
    Err(system_exit(vm, status, "exit"))
}
fn exit_now(vm: Vm, _this: Value, args: Args) -> Ruby {
    let status = status_of(vm, args.get(0).unwrap_or(TRUE))?;
    // SAFETY: ends the process; nothing of ours runs afterwards.
    unsafe { libc::_exit(status as i32) }
}
fn abort(vm: Vm, _this: Value, args: Args) -> Ruby {
    let Some(msg) = args.get(0) else {
        let e = vm.ec().errinfo.get();
        if !e.is_nil() {
            let text = exception_report::report(vm, e);
            exception_report::write_stderr(vm, &text)?;
        }
        return Err(system_exit(vm, 1, "exit"));
    };
    let msg = vm.to_str(msg)?;
    let mut line = msg.bytes().to_vec();
    if !line.ends_with(b"\n") {
        line.push(b'\n');
    }
    exception_report::write_stderr(vm, &line)?;
    let text = msg.text().into_owned();
    Err(system_exit(vm, 1, &text))
}

/// Blocks to run at the end, in an Array the VM keeps.
#[derive(Default)]
struct AtExit(Cell<Option<Value>>);

fn register(vm: Vm, p: Value) {
    let slot = vm.slot::<AtExit>();
    let list = match slot.0.get().and_then(Value::as_array) {
        Some(a) => a,
        None => {
            let a = RArray::new(&vm, 2);
            slot.0.set(Some(vm.keep_forever(a.value())));
            a
        }
    };
    list.push(&vm, p);
}
fn at_exit(vm: Vm, _this: Value, args: Args) -> Ruby {
    let Some(block) = args.block() else { return Err(vm.arg_error("called without a block")) };
    let p = block.to_proc(vm).value();
    register(vm, p);
    Ok(p)
}

/// Ends a program whose main code gave `result`: runs `at_exit` blocks (newest first), reports what was not rescued,
/// and returns the process status, or the number of the signal to end by as a negative one.
pub fn terminate(vm: Vm, result: Ruby) -> i32 {
    let place = vm.save_place();
    let mut failed = None;
    if result.is_err() {
        failed = vm.take_exception();
        vm.ec().unwind.kind.set(crate::vm::raise::UnwindKind::None);
    }
    loop {
        vm.restore_place(place);
        let next = vm.slot::<AtExit>().0.get().and_then(Value::as_array).and_then(|a| a.pop());
        let Some(p) = next.and_then(Value::as_proc) else { break };
        vm.ec().errinfo.set(failed.unwrap_or(NIL));
        if vm.call_proc(p, &[]).is_err() {
            let taken = vm.take_exception();
            vm.ec().unwind.kind.set(crate::vm::raise::UnwindKind::None);
            let Some(e) = taken else { continue };
            // An exit inside replaces the status; an error is reported and becomes it.
            if !is_exit(vm, e) {
                show(vm, e);
            }
            if let Some(old) = failed
                && !is_exit(vm, old)
                && is_exit(vm, e)
            {
                show(vm, old);
            }
            failed = Some(if is_exit(vm, e) { e } else { failed_status(vm) });
        }
    }
    vm.restore_place(place);
    if super::object_space::run_all(vm).is_err() {
        vm.take_exception();
        vm.ec().unwind.kind.set(crate::vm::raise::UnwindKind::None);
    }
    let Some(e) = failed else { return 0 };
    if is_exit(vm, e) {
        return vm.ivar_get(e, sym::I_STATUS).and_then(Value::as_fixnum).unwrap_or(0) as i32;
    }
    if let Some(n) = super::ending::signal_of(vm, e) {
        // A signal says itself what happened; Interrupt is reported as well.
        if vm.class_of(e).is_a(vm.classes.interrupt.get()) {
            show(vm, e);
        }
        return -n;
    }
    show(vm, e);
    1
}

fn is_exit(vm: Vm, e: Value) -> bool {
    vm.class_of(e).is_a(vm.classes.system_exit.get())
}
fn failed_status(vm: Vm) -> Value {
    let e = vm.new_exception(vm.classes.system_exit.get(), "exit");
    vm.ivar_set(e, sym::I_STATUS, Value::fixnum(1));
    e
}
fn show(vm: Vm, e: Value) {
    if e.is_nil() {
        return;
    }
    let text = exception_report::report(vm, e);
    if exception_report::write_stderr(vm, &text).is_err() {
        vm.take_exception();
    }
}
