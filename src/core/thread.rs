//! `Thread`: green threads of the scheduler, and `Kernel#sleep`.

use crate::class;
use crate::heap::Marker;
use crate::object::{Ary, Data, Hsh, Proc, RArray, RData, RHash, sym};
use crate::sched::{CoroRef, Sched, ThreadRef, ThreadState, Until, Wake, interrupt};
use crate::value::{FALSE, NIL, Raised, Ruby, TRUE, Value};
use crate::vm::native::{ClassDef, MethodDef, arity};
use crate::vm::raise::UnwindKind;
use crate::vm::{Args, Ec, State, Vm};
use std::cell::Cell;

class! { "Thread" < "Object";
    self ["new"] kwrest(0) => new;
    self ["start", "fork"] kwrest(0) => start;
    self ["current"] req(0) => current;
    self ["main"] req(0) => main;
    self ["list"] req(0) => list;
    self ["pass"] req(0) => pass;
    self ["stop"] req(0) => stop;
    self ["exit"] req(0) => exit;
    self ["kill"] req(1) => kill_other;
    self ["abort_on_exception"] req(0) => global_abort;
    self ["abort_on_exception="] req(1) => set_global_abort;
    self ["report_on_exception"] req(0) => global_report;
    self ["report_on_exception="] req(1) => set_global_report;
    ["join"] opt(0, 1) => join;
    ["value"] req(0) => value;
    ["status"] req(0) => status;
    ["alive?"] req(0) => alive;
    ["stop?"] req(0) => is_stopped;
    ["kill", "terminate", "exit"] req(0) => kill;
    ["raise"] kwrest(0) => raise;
    ["wakeup"] req(0) => wakeup;
    ["run"] req(0) => run;
    ["[]"] req(1) => local_get;
    ["[]="] req(2) => local_set;
    ["key?"] req(1) => local_key;
    ["keys"] req(0) => local_keys;
    ["fetch"] opt(1, 2) => local_fetch;
    ["thread_variable_get"] req(1) => variable_get;
    ["thread_variable_set"] req(2) => variable_set;
    ["thread_variable?"] req(1) => variable_key;
    ["thread_variables"] req(0) => variable_keys;
    ["name"] req(0) => name;
    ["name="] req(1) => set_name;
    ["priority"] req(0) => priority;
    ["priority="] req(1) => set_priority;
    ["abort_on_exception"] req(0) => abort;
    ["abort_on_exception="] req(1) => set_abort;
    ["report_on_exception"] req(0) => report;
    ["report_on_exception="] req(1) => set_report;
    ["native_thread_id"] req(0) => native_id;
    ["inspect", "to_s"] req(0) => inspect;
}

const KERNEL: ClassDef = ClassDef {
    name: "Kernel",
    superclass: None,
    methods: &[MethodDef { names: &["sleep"], arity: arity::opt(0, 1), f: sleep, scope: "module_fn" }],
};

/// State of a Thread object.
pub struct RThread {
    /// the scheduler's record; none before `new` and for the main thread until boot
    thread: Cell<Option<ThreadRef>>,
    sched: Cell<*const Sched>,
    body: Cell<Option<Proc>>,
    args: Cell<Option<Ary>>,
    kw: Cell<bool>,
    result: Cell<Value>,
    /// what ended it
    exception: Cell<Value>,
    /// exceptions raised into it and not seen yet; TRUE is kill, UNDEF-free
    pending: Cell<Option<Ary>>,
    /// every thread is stuck (set where nothing can be allocated)
    deadlock: Cell<bool>,
    killed: Cell<bool>,
    locals: Cell<Option<Hsh>>,
    variables: Cell<Option<Hsh>>,
    name: Cell<Value>,
    priority: Cell<i64>,
    report: Cell<bool>,
    abort: Cell<bool>,
    place: Cell<Value>,
}

impl Data for RThread {
    fn trace(&self, m: &mut Marker) {
        for a in [self.args.get(), self.pending.get()].into_iter().flatten() {
            m.value(a.value())
        }
        for h in [self.locals.get(), self.variables.get()].into_iter().flatten() {
            m.value(h.value())
        }
        if let Some(p) = self.body.get() {
            m.value(p.value())
        }
        for v in [&self.result, &self.exception, &self.name, &self.place] {
            m.value(v.get())
        }
    }
}

impl Drop for RThread {
    fn drop(&mut self) {
        if let Some(t) = self.thread.get() {
            // SAFETY: this object was the record's second owner, and is gone now. The scheduler is never freed.
            unsafe { (*self.sched.get()).free_thread(t) }
        }
    }
}

/// Per-VM settings.
#[derive(Default)]
struct Global {
    abort: Cell<bool>,
    no_report: Cell<bool>,
    main: Cell<Option<Value>>,
}

fn blank(class: crate::object::Class, vm: Vm) -> Value {
    let report = !vm.slot::<Global>().no_report.get();
    RData::alloc(
        &vm,
        class,
        RThread {
            thread: Cell::new(None),
            sched: Cell::new(&raw const *vm.sched),
            body: Cell::new(None),
            args: Cell::new(None),
            kw: Cell::new(false),
            result: Cell::new(NIL),
            exception: Cell::new(NIL),
            pending: Cell::new(None),
            deadlock: Cell::new(false),
            killed: Cell::new(false),
            locals: Cell::new(None),
            variables: Cell::new(None),
            name: Cell::new(NIL),
            priority: Cell::new(0),
            report: Cell::new(report),
            abort: Cell::new(false),
            place: Cell::new(NIL),
        },
    )
}

pub fn boot(vm: Vm) {
    let c = vm.define_table(&CLASS);
    vm.define_table(&KERNEL);
    let main = vm.keep_forever(blank(c, vm));
    if let Some(t) = main.data::<RThread>() {
        t.thread.set(Some(vm.sched.current()));
    }
    vm.ec().thread.set(main);
    vm.slot::<Global>().main.set(Some(main));
    vm.hooks.interrupts.set(Some(interrupts));
    vm.hooks.deadlock.set(Some(|vm| {
        let Some(main) = vm.slot::<Global>().main.get() else { return };
        if let Some(t) = main.data::<RThread>()
            && let Some(r) = t.thread.get()
        {
            t.deadlock.set(true);
            vm.sched.interrupt(r);
        }
    }));
}

fn state(vm: Vm, v: Value) -> Ruby<&'static RThread> {
    match v.data::<RThread>() {
        Some(t) => Ok(t),
        None => Err(vm.thread_error("uninitialized thread - check 'Thread#initialize'")),
    }
}

// ---- the body

struct Start {
    state: *const State,
    object: Value,
}

/// Runs a thread's block on its own stacks.
unsafe fn body(_: &Sched, _: CoroRef, start: *mut ()) -> Option<CoroRef> {
    // SAFETY: `launch` boxed it; the object is rooted in the context, the state outlives its threads.
    let (vm, object) = unsafe {
        let start = Box::from_raw(start.cast::<Start>());
        (Vm::from_state(start.state), start.object)
    };
    let ec = vm.ec();
    ec.serial.set(vm.sched.current_coro().serial);
    if let Some(t) = object.data::<RThread>() {
        let r = pending(vm, t).and_then(|_| match (t.body.get(), t.args.get()) {
            (Some(p), Some(a)) => vm.yield_full(crate::vm::Block::of(p), a.slice(), t.kw.get(), None),
            _ => Ok(NIL),
        });
        finish(vm, object, t, r);
        t.body.set(None);
        t.args.set(None);
    }
    // The context goes with the stacks: nobody scans them once this returns.
    let ec = ec as *const Ec as *mut Ec;
    vm.sched.current_coro().user.set(std::ptr::null_mut());
    // SAFETY: boxed by `launch`; unreachable from now on but for `state.ec`, which the next switch replaces.
    drop(unsafe { Box::from_raw(ec) });
    None
}

fn finish(vm: Vm, object: Value, t: &RThread, r: Ruby) {
    match r {
        Ok(v) => t.result.set(v),
        Err(_) => {
            let u = &vm.ec().unwind;
            vm.ec().fp.set(std::ptr::null_mut());
            match u.kind.replace(UnwindKind::None) {
                UnwindKind::Exception => died(vm, object, t, u.value.replace(NIL)),
                UnwindKind::Throw => {
                    // SAFETY: a throw's target is the bits of its tag.
                    let tag = unsafe { Value::from_bits(u.target.get()) };
                    let text = vm.inspect(tag).map_or(String::new(), |s| s.text().into_owned());
                    let e = vm.new_exception(vm.classes.uncaught_throw_error.get(), &format!("uncaught throw {text}"));
                    died(vm, object, t, e);
                }
                UnwindKind::Break | UnwindKind::Return => {
                    let e = vm.new_exception(vm.classes.local_jump_error.get(), "break from proc-closure");
                    died(vm, object, t, e);
                }
                _ => t.killed.set(true),
            }
        }
    }
}

fn died(vm: Vm, object: Value, t: &RThread, e: Value) {
    let class = vm.class_of(e);
    t.exception.set(e);
    if class.is_a(vm.classes.system_exit.get()) {
        return raise_in_main(vm, e);
    }
    if t.report.get() {
        let who = describe(vm, object);
        let text = crate::core::exception_report::report(vm, e);
        let head = format!("{who} terminated with exception (report_on_exception is true):\n");
        let mut all = head.into_bytes();
        all.extend_from_slice(&text);
        vm.write_stderr(&all);
    }
    if t.abort.get() || vm.slot::<Global>().abort.get() {
        raise_in_main(vm, e);
    }
}

fn raise_in_main(vm: Vm, e: Value) {
    if let Some(m) = vm.slot::<Global>().main.get()
        && let Some(t) = m.data::<RThread>()
    {
        post(vm, t, e);
    }
}

/// Queues an exception (or TRUE: kill) for a thread and wakes it.
fn post(vm: Vm, t: &RThread, what: Value) {
    let list = match t.pending.get() {
        Some(a) => a,
        None => {
            let a = RArray::new(&vm, 1);
            t.pending.set(Some(a));
            a
        }
    };
    list.push(&vm, what);
    if let Some(r) = t.thread.get() {
        vm.sched.interrupt(r);
    }
}

/// Raises what is queued for the running thread.
fn pending(vm: Vm, t: &RThread) -> Ruby<()> {
    if t.deadlock.replace(false) {
        return Err(deadlock(vm));
    }
    let Some(list) = t.pending.get() else { return Ok(()) };
    match list.shift() {
        None => Ok(()),
        Some(TRUE) => {
            t.killed.set(true);
            Err(vm.kill())
        }
        Some(e) => {
            if !list.is_empty() {
                vm.sched.interrupt(vm.sched.current());
            }
            Err(vm.raise_exc(e))
        }
    }
}

fn deadlock(vm: Vm) -> Raised {
    let mut text = String::from("No live threads left. Deadlock?\n");
    let all: Vec<ThreadRef> = vm.sched.threads().collect();
    text.push_str(&format!("{} threads, {} sleeps current:{:#x} main thread:{:#x}\n", all.len(), all.len(), 0, 0));
    for t in all.iter().rev() {
        // SAFETY: `user` of a thread is its root's context or null.
        let object = unsafe { (t.root().user.get() as *const Ec).as_ref() }.map_or(NIL, |e| e.thread.get());
        if object.is_ptr() {
            text.push_str(&format!("* {}\n   rb_thread_t:{:#x} native:{:#x} int:0\n   \n", describe(vm, object), 0, 0));
        }
    }
    vm.raise(vm.classes.fatal.get(), text.trim_end_matches(' '))
}

/// What a safepoint or an interrupted park does.
fn interrupts(vm: Vm, bits: u32) -> Ruby<()> {
    if bits & interrupt::THREAD != 0 {
        let me = vm.ec().thread.get();
        if Some(me) == vm.slot::<Global>().main.get() {
            vm.handle_signals()?;
        }
        if let Some(t) = me.data::<RThread>() {
            pending(vm, t)?;
        }
    }
    Ok(())
}

impl Vm {
    /// Writes to the standard error stream, past any Ruby-level `$stderr`.
    pub fn write_stderr(self, bytes: &[u8]) {
        let mut at = 0;
        while at < bytes.len() {
            // SAFETY: plain write of our own bytes.
            let n = unsafe { libc::write(2, bytes[at..].as_ptr() as *const _, bytes.len() - at) };
            if n <= 0 {
                return;
            }
            at += n as usize;
        }
    }

    /// Ends all other threads; their ensures run. For the end of the program.
    pub fn end_threads(self) {
        let me = self.sched.current();
        for _ in 0..100 {
            let others: Vec<ThreadRef> = self.sched.threads().filter(|t| *t != me).collect();
            if others.is_empty() {
                return;
            }
            for t in others {
                // SAFETY: as in `deadlock`.
                let object = unsafe { (t.root().user.get() as *const Ec).as_ref() }.map_or(NIL, |e| e.thread.get());
                if let Some(s) = object.data::<RThread>() {
                    post(self, s, TRUE);
                    let until = Until::At(crate::sched::now() + 200_000_000);
                    self.sched.join(t, until);
                }
            }
        }
    }

    /// The running Thread object.
    pub fn current_thread(self) -> Value {
        self.ec().thread.get()
    }
}

/// In a forked child: the running thread is the main one now.
pub fn after_fork(vm: Vm) {
    let me = vm.current_thread();
    vm.slot::<Global>().main.set(Some(vm.keep_forever(me)));
}

// ---- making threads

fn new(vm: Vm, this: Value, args: Args) -> Ruby {
    let Some(class) = this.as_class() else { return Ok(NIL) };
    let t = blank(class, vm);
    // A subclass's initialize has to call super with a block.
    if class != vm.classes.thread.get()
        && vm.find_method(class, sym::INITIALIZE).is_some_and(|m| m.owner != vm.classes.basic_object.get())
    {
        vm.send_full(t, sym::INITIALIZE, args.all(), args.has_keywords(), args.block(), true)?;
        return Ok(t);
    }
    launch(vm, t, args)?;
    Ok(t)
}
fn start(vm: Vm, this: Value, args: Args) -> Ruby {
    let Some(class) = this.as_class() else { return Ok(NIL) };
    if args.block().is_none() {
        return Err(vm.arg_error("tried to create Proc object without a block"));
    }
    let t = blank(class, vm);
    launch(vm, t, args)?;
    Ok(t)
}

fn launch(vm: Vm, object: Value, args: Args) -> Ruby<()> {
    let Some(block) = args.block() else { return Err(vm.thread_error("must be called with a block")) };
    let t = state(vm, object)?;
    t.body.set(Some(block.to_proc(vm)));
    t.args.set(Some(RArray::from_slice(&vm, args.all())));
    t.kw.set(args.has_keywords());
    if let Some(p) = vm.places(1).first() {
        t.place.set(vm.str(&format!("{}:{}", p.file, p.line)));
    }
    let ec = Box::new(Ec::new(std::ptr::null_mut(), std::ptr::null_mut(), 0, 0));
    ec.thread.set(object);
    let ec = Box::into_raw(ec);
    let start = Box::into_raw(Box::new(Start { state: vm.state(), object }));
    match vm.sched.spawn(body, start.cast(), ec.cast()) {
        Ok(r) => {
            // SAFETY: just boxed; the thread has not run yet.
            unsafe { (*ec).set_region(r.root().region()) };
            r.root().user.set(ec.cast());
            t.thread.set(Some(r));
            Ok(())
        }
        Err(_) => {
            // SAFETY: both boxed above and used by nobody.
            unsafe {
                drop(Box::from_raw(ec));
                drop(Box::from_raw(start));
            }
            Err(vm.thread_error("can't create Thread: Resource temporarily unavailable"))
        }
    }
}

fn current(vm: Vm, _this: Value, _args: Args) -> Ruby {
    Ok(vm.current_thread())
}
fn main(vm: Vm, _this: Value, _args: Args) -> Ruby {
    Ok(vm.slot::<Global>().main.get().unwrap_or(NIL))
}
fn list(vm: Vm, _this: Value, _args: Args) -> Ruby {
    let out = RArray::new(&vm, 4);
    let all: Vec<ThreadRef> = vm.sched.threads().collect();
    for t in all.iter().rev() {
        // SAFETY: as in `deadlock`.
        if let Some(e) = unsafe { (t.root().user.get() as *const Ec).as_ref() } {
            out.push(&vm, e.thread.get());
        }
    }
    Ok(out.value())
}
fn pass(vm: Vm, _this: Value, _args: Args) -> Ruby {
    vm.sched.yield_now();
    Ok(NIL)
}
fn stop(vm: Vm, _this: Value, _args: Args) -> Ruby {
    vm.parked(|| vm.sched.sleep(Until::Woken))?;
    Ok(NIL)
}
fn exit(vm: Vm, _this: Value, args: Args) -> Ruby {
    kill(vm, vm.current_thread(), args)
}
fn kill_other(vm: Vm, _this: Value, args: Args) -> Ruby {
    let t = args.or_nil(0);
    state(vm, t)?;
    kill(vm, t, args)
}

// ---- waiting

fn join_until(vm: Vm, this: Value, until: Until) -> Ruby<bool> {
    let t = state(vm, this)?;
    if this == vm.current_thread() {
        return Err(vm.thread_error("Target thread must not be current thread"));
    }
    if vm.slot::<Global>().main.get() == Some(this) {
        return Err(vm.thread_error("Target thread must not be main thread"));
    }
    let Some(r) = t.thread.get() else {
        return Err(vm.thread_error("uninitialized thread - check 'Thread#initialize'"));
    };
    if vm.parked(|| vm.sched.join(r, until))? == Wake::TimedOut && r.state() != ThreadState::Finished {
        return Ok(false);
    }
    let e = t.exception.get();
    if !e.is_nil() {
        return Err(vm.raise_as_is(e));
    }
    Ok(true)
}
fn join(vm: Vm, this: Value, args: Args) -> Ruby {
    let limit = args.or_nil(0);
    let until = if limit.is_nil() {
        Until::Woken
    } else {
        let f = match limit.as_fixnum() {
            Some(n) => n as f64,
            None => vm.to_f64(limit)?,
        };
        Until::At(crate::sched::now().saturating_add((f.max(0.0) * 1e9).min(9e18) as u64))
    };
    Ok(if join_until(vm, this, until)? { this } else { NIL })
}
fn value(vm: Vm, this: Value, _args: Args) -> Ruby {
    join_until(vm, this, Until::Woken)?;
    Ok(state(vm, this)?.result.get())
}

fn sleep(vm: Vm, _this: Value, args: Args) -> Ruby {
    let start = crate::sched::now();
    let until = match args.get(0) {
        None | Some(NIL) => Until::Called,
        Some(v) => Until::At(start.saturating_add(vm.nanoseconds(v)?)),
    };
    vm.parked(|| vm.sched.sleep(until))?;
    Ok(Value::fixnum(((crate::sched::now() - start) as f64 / 1e9).round() as i64))
}

// ---- state

fn finished(t: &RThread) -> bool {
    t.thread.get().is_none_or(|r| r.state() == ThreadState::Finished)
}
fn status(vm: Vm, this: Value, _args: Args) -> Ruby {
    let t = state(vm, this)?;
    if finished(t) {
        return Ok(if t.exception.get().is_nil() { FALSE } else { NIL });
    }
    if t.pending.get().is_some_and(|p| p.slice().contains(&TRUE)) {
        return Ok(vm.str("aborting"));
    }
    Ok(vm.str(match t.thread.get().map(|r| r.state()) {
        Some(ThreadState::Parked | ThreadState::Blocking) => "sleep",
        _ => "run",
    }))
}
fn alive(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(Value::bool(!finished(state(vm, this)?)))
}
fn is_stopped(vm: Vm, this: Value, _args: Args) -> Ruby {
    let t = state(vm, this)?;
    let parked = matches!(t.thread.get().map(|r| r.state()), Some(ThreadState::Parked | ThreadState::Blocking));
    Ok(Value::bool(finished(t) || parked))
}
fn kill(vm: Vm, this: Value, _args: Args) -> Ruby {
    let t = state(vm, this)?;
    if finished(t) {
        return Ok(this);
    }
    if vm.slot::<Global>().main.get() == Some(this) {
        let e = vm.new_exception(vm.classes.system_exit.get(), "exit");
        vm.ivar_set(e, sym::I_STATUS, Value::fixnum(0));
        if this == vm.current_thread() {
            return Err(vm.raise_exc(e));
        }
        post(vm, t, e);
        return Ok(this);
    }
    if this == vm.current_thread() {
        t.killed.set(true);
        return Err(vm.kill());
    }
    post(vm, t, TRUE);
    Ok(this)
}
fn raise(vm: Vm, this: Value, args: Args) -> Ruby {
    let t = state(vm, this)?;
    if finished(t) {
        return Ok(NIL);
    }
    if this == vm.current_thread() {
        return vm.send_full(vm.main.get(), vm.intern("raise"), args.all(), args.has_keywords(), None, true);
    }
    let e = crate::core::kernel_raise::make_exception(vm, args.slice(), None)?;
    post(vm, t, e);
    Ok(NIL)
}
fn wakeup(vm: Vm, this: Value, _args: Args) -> Ruby {
    let t = state(vm, this)?;
    match t.thread.get() {
        Some(r) if r.state() != ThreadState::Finished => {
            vm.sched.wake(r);
            Ok(this)
        }
        _ => Err(vm.thread_error("killed thread")),
    }
}
fn run(vm: Vm, this: Value, args: Args) -> Ruby {
    wakeup(vm, this, args)?;
    vm.sched.yield_now();
    Ok(this)
}

// ---- locals

fn table(vm: Vm, slot: &Cell<Option<Hsh>>) -> Hsh {
    match slot.get() {
        Some(h) => h,
        None => {
            let h = RHash::new(&vm);
            slot.set(Some(h));
            h
        }
    }
}
fn local_get(vm: Vm, this: Value, args: Args) -> Ruby {
    let key = vm.to_name(args.or_nil(0))?.into();
    Ok(match state(vm, this)?.locals.get() {
        Some(h) => h.get(&vm, key)?.unwrap_or(NIL),
        None => NIL,
    })
}
fn local_set(vm: Vm, this: Value, args: Args) -> Ruby {
    let key: Value = vm.to_name(args.or_nil(0))?.into();
    vm.check_frozen(this)?;
    let h = table(vm, &state(vm, this)?.locals);
    let v = args.or_nil(1);
    if v.is_nil() {
        h.delete(&vm, key)?;
    } else {
        h.set(&vm, &vm, key, v)?;
    }
    Ok(v)
}
fn local_key(vm: Vm, this: Value, args: Args) -> Ruby {
    let key: Value = vm.to_name(args.or_nil(0))?.into();
    Ok(Value::bool(match state(vm, this)?.locals.get() {
        Some(h) => h.get(&vm, key)?.is_some(),
        None => false,
    }))
}
fn keys_of(vm: Vm, h: Option<Hsh>) -> Value {
    let out = RArray::new(&vm, 4);
    if let Some(h) = h {
        for i in 0..h.slots() {
            if let Some((k, _)) = h.entry(i) {
                out.push(&vm, k);
            }
        }
    }
    out.value()
}
fn local_keys(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(keys_of(vm, state(vm, this)?.locals.get()))
}
fn local_fetch(vm: Vm, this: Value, args: Args) -> Ruby {
    let key: Value = vm.to_name(args.or_nil(0))?.into();
    let found = match state(vm, this)?.locals.get() {
        Some(h) => h.get(&vm, key)?,
        None => None,
    };
    match (found, args.block(), args.get(1)) {
        (Some(v), _, _) => Ok(v),
        (None, Some(b), _) => vm.yield1(b, key),
        (None, None, Some(d)) => Ok(d),
        _ => {
            let k = vm.inspect(key)?;
            Err(vm.key_error(&format!("key not found: {}", k.text()), this, key))
        }
    }
}
fn variable_get(vm: Vm, this: Value, args: Args) -> Ruby {
    let key: Value = vm.to_name(args.or_nil(0))?.into();
    Ok(match state(vm, this)?.variables.get() {
        Some(h) => h.get(&vm, key)?.unwrap_or(NIL),
        None => NIL,
    })
}
fn variable_set(vm: Vm, this: Value, args: Args) -> Ruby {
    let key: Value = vm.to_name(args.or_nil(0))?.into();
    vm.check_frozen(this)?;
    let h = table(vm, &state(vm, this)?.variables);
    if args.or_nil(1).is_nil() {
        h.delete(&vm, key)?;
    } else {
        h.set(&vm, &vm, key, args.or_nil(1))?;
    }
    Ok(args.or_nil(1))
}
fn variable_key(vm: Vm, this: Value, args: Args) -> Ruby {
    let key: Value = vm.to_name(args.or_nil(0))?.into();
    Ok(Value::bool(match state(vm, this)?.variables.get() {
        Some(h) => h.get(&vm, key)?.is_some(),
        None => false,
    }))
}
fn variable_keys(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(keys_of(vm, state(vm, this)?.variables.get()))
}

// ---- settings

fn name(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(state(vm, this)?.name.get())
}
fn set_name(vm: Vm, this: Value, args: Args) -> Ruby {
    let v = args.or_nil(0);
    let v = if v.is_nil() { v } else { vm.to_str(v)?.value() };
    state(vm, this)?.name.set(v);
    Ok(v)
}
fn priority(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(Value::fixnum(state(vm, this)?.priority.get()))
}
fn set_priority(vm: Vm, this: Value, args: Args) -> Ruby {
    let n = vm.to_i64(args.or_nil(0))?.clamp(-3, 3);
    state(vm, this)?.priority.set(n);
    Ok(Value::fixnum(n))
}
fn abort(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(state(vm, this)?.abort.get().into())
}
fn set_abort(vm: Vm, this: Value, args: Args) -> Ruby {
    state(vm, this)?.abort.set(args.or_nil(0).truthy());
    Ok(args.or_nil(0))
}
fn report(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(state(vm, this)?.report.get().into())
}
fn set_report(vm: Vm, this: Value, args: Args) -> Ruby {
    state(vm, this)?.report.set(args.or_nil(0).truthy());
    Ok(args.or_nil(0))
}
fn global_abort(vm: Vm, _this: Value, _args: Args) -> Ruby {
    Ok(vm.slot::<Global>().abort.get().into())
}
fn set_global_abort(vm: Vm, _this: Value, args: Args) -> Ruby {
    vm.slot::<Global>().abort.set(args.or_nil(0).truthy());
    Ok(args.or_nil(0))
}
fn global_report(vm: Vm, _this: Value, _args: Args) -> Ruby {
    Ok(Value::bool(!vm.slot::<Global>().no_report.get()))
}
fn set_global_report(vm: Vm, _this: Value, args: Args) -> Ruby {
    vm.slot::<Global>().no_report.set(!args.or_nil(0).truthy());
    Ok(args.or_nil(0))
}
fn native_id(vm: Vm, this: Value, _args: Args) -> Ruby {
    if finished(state(vm, this)?) {
        return Ok(NIL);
    }
    // SAFETY: plain query. The worker that carries the thread now.
    Ok(Value::fixnum(unsafe { libc::syscall(libc::SYS_gettid) }))
}

fn describe(vm: Vm, this: Value) -> String {
    let Some(t) = this.data::<RThread>() else { return String::new() };
    let class = vm.class_name(vm.real_class_of(this));
    let status = if finished(t) {
        "dead"
    } else {
        match t.thread.get().map(|r| r.state()) {
            Some(ThreadState::Parked) => "sleep_forever",
            Some(ThreadState::Blocking) => "sleep",
            _ => "run",
        }
    };
    let name = t.name.get().as_str().map_or(String::new(), |s| format!("@{}", s.text()));
    let place = t.place.get().as_str().map_or(String::new(), |s| format!(" {}", s.text()));
    format!("#<{class}:{:#018x}{name}{place} {status}>", this.bits())
}
fn inspect(vm: Vm, this: Value, _args: Args) -> Ruby {
    state(vm, this)?;
    Ok(vm.str(&describe(vm, this)))
}
