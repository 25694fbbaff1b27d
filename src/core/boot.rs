//! Making an interpreter: the four root classes by hand, then the list.

use crate::heap::Header;
use crate::object::{ClassKind, Objects, RClass, RObject};
use crate::sched::{CoroRef, Sched};
use crate::value::{FALSE, NIL, Value};
use crate::vm::{Config, Ec, Hooks, State, Vm};
use std::cell::{Cell, RefCell};
use std::sync::atomic::AtomicU32;

/// Native stack that helpers may use below the limit that calls check.
const NATIVE_RESERVE: usize = 64 << 10;
/// The same on a small region.
const SMALL_RESERVE: usize = 24 << 10;
/// Value words kept free for natives' windows past the checked limit.
const VALUE_RESERVE: usize = 512;

impl Ec {
    /// A context on the stacks of a region.
    pub fn on_region(r: crate::sched::Region) -> Ec {
        let base = r.value_base() as *mut Value;
        let limit = r.value_limit() as *mut Value;
        let (top, low) = (r.native_top() as usize, r.native_limit() as usize);
        let reserve = if top - low > (1 << 20) { NATIVE_RESERVE } else { SMALL_RESERVE };
        // SAFETY: within the region.
        Ec::new(base, unsafe { limit.sub(VALUE_RESERVE) }, top, low + reserve)
    }
    /// Puts a context made without stacks on those of a region.
    pub fn set_region(&self, r: crate::sched::Region) {
        let on = Ec::on_region(r);
        self.stack_base.set(on.stack_base.get());
        self.limit.set(on.limit.get());
        self.native_top.set(on.native_top.get());
        self.native_limit.set(on.native_limit.get());
    }
}

/// Makes an interpreter, runs `f` with it as its main thread, and returns what `f` returned. Threads that are still
/// alive then are abandoned; `f` is expected to end them.
pub fn with_vm<R>(f: impl FnOnce(Vm) -> R) -> Result<R, std::io::Error> {
    struct Job<'a, F, R> {
        state: &'a State,
        f: Option<F>,
        result: Option<R>,
    }
    unsafe fn body<F: FnOnce(Vm) -> R, R>(_: &Sched, coro: CoroRef, job: *mut ()) -> Option<CoroRef> {
        // SAFETY: the job is in the frame of `with_vm`, which waits in `Sched::run` and does not touch it.
        let job = unsafe { &mut *job.cast::<Job<F, R>>() };
        let ec = Box::leak(Box::new(Ec::on_region(coro.region())));
        ec.serial.set(coro.serial);
        coro.user.set(&raw const *ec as *mut ());
        job.state.ec.set(ec);
        // SAFETY: the state outlives the run, and the main thread holds the GVL.
        let vm = unsafe { Vm::from_state(job.state) };
        set_up(vm);
        job.result = job.f.take().map(|f| f(vm));
        None
    }
    let hooks = crate::sched::Hooks {
        on_switch: |s, coro| {
            // SAFETY: `user` is our state (below), alive while the scheduler is.
            unsafe { (*(s.user.get() as *const State)).ec.set(coro.user.get() as *mut Ec) }
        },
        on_deadlock: |s| {
            // SAFETY: as above; the hook is called with the GVL held.
            let vm = unsafe { Vm::from_state(s.user.get() as *const State) };
            if let Some(f) = vm.hooks.deadlock.get() {
                f(vm)
            }
        },
    };
    let sched = Sched::new(crate::sched::Config::default(), hooks, std::ptr::null_mut());
    // SAFETY: the word lives as long as the scheduler, which the state below owns and never drops (it is leaked).
    let interrupt: &'static AtomicU32 = unsafe { &*(sched.interrupt_word() as *const AtomicU32) };
    // Leaked: workers stuck in system calls may outlive us, and handles are `'static`.
    let state: &'static State = Box::leak(Box::new(State {
        ec: Cell::new(std::ptr::null_mut()),
        interrupt,
        sched,
        redefined: Cell::new(0),
        objects: Objects::new()?,
        cache: Default::default(),
        gvars: Default::default(),
        refined: Cell::new(false),
        const_serial: Cell::new(1),
        main: Cell::new(NIL),
        class_new: Cell::new(std::ptr::null()),
        kept: RefCell::default(),
        config: Config {
            verbose: Cell::new(FALSE),
            debug: Cell::new(FALSE),
            script: RefCell::new("-".into()),
            argv: RefCell::default(),
            load_path: RefCell::default(),
        },
        slots: RefCell::default(),
        tracers: RefCell::default(),
        weak: RefCell::default(),
        finalize: Cell::new(None),
        hooks: Hooks::default(),
        tracer: Cell::new(NIL),
    }));
    state.sched.user.set(&raw const *state as *mut ());
    let mut job = Job { state, f: Some(f), result: None };
    fn entry<F: FnOnce(Vm) -> R, R>(_: &Job<F, R>) -> crate::sched::Entry {
        body::<F, R>
    }
    let entry = entry(&job);
    let ran = state.sched.run(entry, (&raw mut job).cast(), std::ptr::null_mut());
    match (ran, job.result) {
        (Ok(()), Some(r)) => Ok(r),
        _ => Err(std::io::Error::from_raw_os_error(libc::ENOMEM)),
    }
}

/// Classes, prelude, main object.
fn set_up(vm: Vm) {
    roots(vm);
    super::define_all(vm);
    let main = RObject::alloc(&vm, vm.classes.object.get(), 2).value();
    if super::object::set_up_main(vm, main).is_err() {
        unreachable!("the main object has a singleton class");
    }
    vm.main.set(main);
    super::binding::set_up(vm);
    vm.state().start_gc();
}

/// BasicObject, Object, Module, Class: each needs the others.
fn roots(vm: Vm) {
    let null = std::ptr::null_mut();
    let basic = RClass::alloc(&vm, null, ClassKind::Class, None);
    let object = RClass::alloc(&vm, null, ClassKind::Class, Some(basic));
    let module = RClass::alloc(&vm, null, ClassKind::Class, Some(object));
    let class = RClass::alloc(&vm, null, ClassKind::Class, Some(module));
    let k = &vm.classes;
    k.basic_object.set(basic);
    k.object.set(object);
    k.module.set(module);
    k.class.set(class);
    for c in [basic, object, module, class] {
        c.h.class.set(class.as_ptr() as *mut Header);
    }
    // BasicObject's metaclass inherits from Class.
    let meta = RClass::alloc(&vm, class.as_ptr() as *mut Header, ClassKind::Singleton, Some(class));
    meta.attached.set(basic.value());
    basic.h.class.set(meta.as_ptr() as *mut Header);
    for (c, name) in [(basic, "BasicObject"), (object, "Object"), (module, "Module"), (class, "Class")] {
        vm.metaclass(c);
        vm.set_const(object, vm.intern(name), c.value());
    }
    let kernel = vm.define_class("Kernel", None);
    object.include(kernel);
}
