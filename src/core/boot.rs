//! Making an interpreter: the four root classes by hand, then the list.

use crate::heap::Header;
use crate::object::{ClassKind, Objects, RClass, RObject};
use crate::value::{FALSE, NIL};
use crate::vm::{Config, Ec, Hooks, State, Vm};
use std::cell::{Cell, RefCell};
use std::sync::atomic::AtomicU32;

/// Bytes of the main value stack; touched page by page.
const MAIN_STACK: usize = 8 << 20;

/// A new interpreter on the calling thread. It lives as long as the process.
pub fn new_vm() -> Result<Vm, std::io::Error> {
    let state: &'static State = Box::leak(Box::new(State {
        ec: Cell::new(std::ptr::null_mut()),
        interrupt: AtomicU32::new(0),
        redefined: Cell::new(0),
        objects: Objects::new()?,
        cache: Default::default(),
        gvars: Default::default(),
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
        hooks: Hooks::default(),
    }));
    // SAFETY: leaked, so it outlives every handle; nobody else has it.
    let vm = unsafe { Vm::from_state(state) };
    let words = MAIN_STACK / 8;
    let stack = Box::leak(vec![0u64; words].into_boxed_slice());
    let base = stack.as_mut_ptr() as *mut crate::value::Value;
    let here = crate::vm::exec::stack_pointer();
    // SAFETY: within the buffer.
    let limit = unsafe { base.add(words - 4096) };
    let ec = Ec::new(base, limit, here + 4096 - here % 4096, here.saturating_sub(native_stack_size() - (256 << 10)));
    ec.serial.set(1);
    state.ec.set(Box::leak(Box::new(ec)));

    roots(vm);
    super::define_all(vm);
    let main = RObject::alloc(&vm, vm.classes.object.get(), 2).value();
    state.main.set(main);
    state.start_gc();
    Ok(vm)
}

/// Size of the calling thread's native stack as far as it is safe to use.
fn native_stack_size() -> usize {
    // SAFETY: plain query.
    unsafe {
        let mut r = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        libc::getrlimit(libc::RLIMIT_STACK, &mut r);
        (r.rlim_cur as usize).clamp(1 << 20, 64 << 20)
    }
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
