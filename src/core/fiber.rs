//! `Fiber`: symmetric switches of the scheduler with resume/yield bookkeeping on top.

use crate::class;
use crate::heap::Marker;
use crate::object::{Data, Proc, RArray, RData};
use crate::sched::{CoroRef, CoroState, Sched};
use crate::value::{NIL, Ruby, Value};
use crate::vm::raise::UnwindKind;
use crate::vm::{Args, Ec, State, Vm};
use std::cell::Cell;

class! { "Fiber" < "Object";
    self ["new"] kwrest(0) => new;
    self ["yield"] kwrest(0) => yield_;
    self ["current"] req(0) => current;
    ["resume"] kwrest(0) => resume;
    ["alive?"] req(0) => alive;
    ["raise"] kwrest(0) => raise;
    ["inspect", "to_s"] req(0) => inspect;
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Status {
    Created,
    /// it runs, or waits for a fiber it resumed
    Resumed,
    Suspended,
    Terminated,
}

/// State of a Fiber object.
pub struct RFiber {
    coro: Cell<Option<CoroRef>>,
    sched: Cell<*const Sched>,
    /// serial of the thread it belongs to
    thread: Cell<u64>,
    body: Cell<Option<Proc>>,
    status: Cell<Status>,
    /// who resumed it
    resumer: Cell<Value>,
    /// it is waiting for a fiber it resumed
    resuming: Cell<bool>,
    /// what the switch hands over
    passed: Cell<Value>,
    kw: Cell<bool>,
    /// an exception to raise on arrival
    error: Cell<Value>,
}

impl Data for RFiber {
    fn trace(&self, m: &mut Marker) {
        if let Some(p) = self.body.get() {
            m.value(p.value())
        }
        for v in [&self.resumer, &self.passed, &self.error] {
            m.value(v.get())
        }
        // A suspended fiber's stacks are scanned as its thread's (`Sched::coros`).
    }
}

impl Drop for RFiber {
    fn drop(&mut self) {
        if let Some(c) = self.coro.get() {
            let ec = c.user.get() as *mut Ec;
            // SAFETY: only this object knew the coro; it is not running, or the object would be reachable. The
            // context was boxed by `new`.
            unsafe {
                (*self.sched.get()).free_coro(c);
                if !ec.is_null() {
                    drop(Box::from_raw(ec));
                }
            }
        }
    }
}

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}

fn blank(vm: Vm, class: crate::object::Class, status: Status) -> Value {
    RData::alloc(
        &vm,
        class,
        RFiber {
            coro: Cell::new(None),
            sched: Cell::new(&raw const *vm.sched),
            thread: Cell::new(vm.sched.current().serial),
            body: Cell::new(None),
            status: Cell::new(status),
            resumer: Cell::new(NIL),
            resuming: Cell::new(false),
            passed: Cell::new(NIL),
            kw: Cell::new(false),
            error: Cell::new(NIL),
        },
    )
}

/// The running fiber; a thread's root fiber object is made when first asked for.
fn current_fiber(vm: Vm) -> Value {
    let ec = vm.ec();
    if ec.fiber.get().is_nil() {
        ec.fiber.set(blank(vm, vm.classes.fiber.get(), Status::Resumed));
    }
    ec.fiber.get()
}

fn fiber_error(vm: Vm, text: &str) -> crate::value::Raised {
    vm.raise(vm.classes.fiber_error.get(), text)
}

fn state(vm: Vm, v: Value) -> Ruby<&'static RFiber> {
    match v.data::<RFiber>() {
        Some(f) => Ok(f),
        None => Err(fiber_error(vm, "uninitialized fiber")),
    }
}

fn new(vm: Vm, this: Value, args: Args) -> Ruby {
    let Some(block) = args.block() else {
        return Err(vm.arg_error("tried to create Proc object without a block"));
    };
    args.only_keywords(vm, &["blocking", "storage"])?;
    let Some(class) = this.as_class() else { return Ok(NIL) };
    let f = blank(vm, class, Status::Created);
    if let Some(s) = f.data::<RFiber>() {
        s.body.set(Some(block.to_proc(vm)));
    }
    Ok(f)
}

/// Gives a fiber its stacks; done at the first resume, so that a fiber never resumed costs nothing.
fn start(vm: Vm, object: Value, f: &RFiber) -> Ruby<CoroRef> {
    let state: *const State = vm.state();
    match vm.sched.new_coro(body, state as *mut (), std::ptr::null_mut()) {
        Ok(c) => {
            let ec = Box::new(Ec::on_region(c.region()));
            ec.serial.set(c.serial);
            ec.thread.set(vm.ec().thread.get());
            ec.fiber.set(object);
            c.user.set(Box::into_raw(ec).cast());
            f.coro.set(Some(c));
            Ok(c)
        }
        Err(_) => Err(fiber_error(vm, "can't set a guard page: Cannot allocate memory")),
    }
}

unsafe fn body(_: &Sched, _: CoroRef, arg: *mut ()) -> Option<CoroRef> {
    // SAFETY: `start` passed the state, which outlives its fibers; the GVL is held.
    let vm = unsafe { Vm::from_state(arg as *const State) };
    let object = vm.ec().fiber.get();
    let f = object.data::<RFiber>()?;
    let passed = f.passed.replace(NIL);
    let r = if f.error.get().is_nil() {
        match (f.body.get(), passed.as_array()) {
            (Some(p), Some(a)) => vm.yield_full(crate::vm::Block::of(p), a.slice(), f.kw.get(), None),
            _ => Ok(NIL),
        }
    } else {
        Err(vm.raise_exc(f.error.replace(NIL)))
    };
    f.status.set(Status::Terminated);
    f.body.set(None);
    let to = f.resumer.replace(NIL);
    let t = to.data::<RFiber>();
    match r {
        Ok(v) => {
            if let Some(t) = t {
                t.passed.set(v)
            }
        }
        Err(_) => {
            let u = &vm.ec().unwind;
            let e = match u.kind.replace(UnwindKind::None) {
                UnwindKind::Exception => u.value.replace(NIL),
                UnwindKind::Throw => {
                    // SAFETY: a throw's target is the bits of its tag.
                    let tag = unsafe { Value::from_bits(u.target.get()) };
                    let text = vm.inspect(tag).map_or(String::new(), |s| s.text().into_owned());
                    vm.new_exception(vm.classes.uncaught_throw_error.get(), &format!("uncaught throw {text}"))
                }
                UnwindKind::Kill => NIL,
                _ => vm.new_exception(vm.classes.local_jump_error.get(), "break from proc-closure"),
            };
            if let Some(t) = t {
                t.error.set(e)
            }
        }
    }
    vm.ec().fp.set(std::ptr::null_mut());
    // The resumer's coro: its own, or its thread's root.
    t.and_then(|t| t.coro.get()).or_else(|| Some(vm.sched.current().root()))
}

/// One value as itself, several as an Array.
fn pack(vm: Vm, args: &[Value]) -> Value {
    match args {
        [] => NIL,
        [v] => *v,
        many => RArray::from_slice(&vm, many).value(),
    }
}

/// After a switch landed in the running fiber.
fn arrived(vm: Vm, f: &RFiber) -> Ruby {
    let e = f.error.replace(NIL);
    if !e.is_nil() {
        return Err(vm.raise_exc(e));
    }
    Ok(f.passed.replace(NIL))
}

fn enter(vm: Vm, this: Value, args: &[Value], kw: bool, error: Value) -> Ruby {
    let f = state(vm, this)?;
    if f.thread.get() != vm.sched.current().serial {
        return Err(fiber_error(vm, "fiber called across threads"));
    }
    match f.status.get() {
        Status::Terminated => return Err(fiber_error(vm, "attempt to resume a terminated fiber")),
        Status::Resumed if this == vm.ec().fiber.get() => {
            return Err(fiber_error(vm, "attempt to resume the current fiber"));
        }
        Status::Resumed if f.resuming.get() => return Err(fiber_error(vm, "attempt to resume a resuming fiber")),
        Status::Resumed => return Err(fiber_error(vm, "attempt to resume a resumed fiber (double resume)")),
        _ => {}
    }
    let me = current_fiber(vm);
    let from = state(vm, me)?;
    let coro = match f.coro.get() {
        Some(c) => c,
        None => start(vm, this, f)?,
    };
    if f.status.get() == Status::Created {
        f.passed.set(RArray::from_slice(&vm, args).value());
        f.kw.set(kw);
    } else {
        f.passed.set(pack(vm, args));
    }
    f.error.set(error);
    f.status.set(Status::Resumed);
    f.resumer.set(me);
    from.resuming.set(true);
    vm.sched.switch_to(coro);
    from.resuming.set(false);
    if coro.state() == CoroState::Done {
        release(vm, f, coro);
    }
    arrived(vm, from)
}

/// Gives the stacks of an ended fiber back at once.
fn release(vm: Vm, f: &RFiber, coro: CoroRef) {
    f.coro.set(None);
    let ec = coro.user.get() as *mut Ec;
    // SAFETY: it has ended; the context was boxed by `start`.
    unsafe {
        vm.sched.free_coro(coro);
        drop(Box::from_raw(ec));
    }
}

fn resume(vm: Vm, this: Value, args: Args) -> Ruby {
    enter(vm, this, args.all(), args.has_keywords(), NIL)
}

fn yield_(vm: Vm, _this: Value, args: Args) -> Ruby {
    let me = vm.ec().fiber.get();
    let Some(f) = me.data::<RFiber>() else { return Err(fiber_error(vm, "can't yield from root fiber")) };
    let to = f.resumer.replace(NIL);
    let Some(t) = to.data::<RFiber>() else { return Err(fiber_error(vm, "can't yield from root fiber")) };
    t.passed.set(pack(vm, args.all()));
    f.status.set(Status::Suspended);
    let coro = t.coro.get().unwrap_or(vm.sched.current().root());
    vm.sched.switch_to(coro);
    arrived(vm, f)
}

fn current(vm: Vm, _this: Value, _args: Args) -> Ruby {
    Ok(current_fiber(vm))
}

fn alive(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(Value::bool(state(vm, this)?.status.get() != Status::Terminated))
}

fn raise(vm: Vm, this: Value, args: Args) -> Ruby {
    let f = state(vm, this)?;
    let e = crate::core::kernel_raise::make_exception(vm, args.slice(), None)?;
    if this == vm.ec().fiber.get() {
        return Err(vm.raise_exc(e));
    }
    match f.status.get() {
        Status::Created => Err(fiber_error(vm, "cannot raise exception on unborn fiber")),
        Status::Terminated => Err(fiber_error(vm, "dead fiber called")),
        _ => enter(vm, this, &[], false, e),
    }
}

fn inspect(vm: Vm, this: Value, _args: Args) -> Ruby {
    let s = match state(vm, this)?.status.get() {
        Status::Created => "created",
        Status::Resumed => "resumed",
        Status::Suspended => "suspended",
        Status::Terminated => "terminated",
    };
    Ok(vm.str(&format!("#<Fiber:{:#018x} ({s})>", this.bits())))
}
