//! The virtual machine: runs code objects. It knows classes only through `Objects::classes`, never a file of `core`.
//!
//! `Vm` is the handle everybody passes: Copy, not Send; holding one means holding the GVL. Behind it is `State`, all
//! of whose fields are cells: no `&mut` to the interpreter exists (it could not live across a switch of threads).

pub mod args;
pub mod arith;
pub mod cache;
pub mod call;
pub mod convert;
pub mod define;
pub mod equal;
pub mod exec;
pub mod frame;
pub mod gvar;
pub mod link;
pub mod mutex;
pub mod native;
pub mod procs;
pub mod raise;
pub mod refine;
pub mod roots;
pub mod slow;
pub mod trace;

pub use native::{Args, Block};
pub use raise::Unwind;

use crate::bytecode::op::Ins;
use crate::object::Objects;
use crate::sched::SchedBox;
use crate::value::{NIL, Value};
use std::cell::{Cell, RefCell};
use std::ops::Deref;
use std::sync::atomic::AtomicU32;

/// Execution context of a fiber: its value stack, where it is, what it unwinds with.
#[repr(C)]
pub struct Ec {
    /// base of the newest frame
    pub fp: Cell<*mut Value>,
    /// address after the instruction the newest Ruby frame executes
    pub pc: Cell<*const Ins>,
    /// frames must end below this
    pub limit: Cell<*mut Value>,
    /// native stack must stay above this
    pub native_limit: Cell<usize>,
    pub stack_base: Cell<*mut Value>,
    /// GC-visible bound of the native stack, for the running fiber
    pub native_top: Cell<usize>,
    pub unwind: Unwind,
    /// `$!`
    pub errinfo: Cell<Value>,
    /// Thread and Fiber objects
    pub thread: Cell<Value>,
    pub fiber: Cell<Value>,
    /// objects being inspected, compared... right now: (object, other or nil, method)
    pub recursion: RefCell<Vec<(Value, Value, u32)>>,
    /// fiber-unique, never 0
    pub serial: Cell<u64>,
    /// what `run` returns when a slow path ended its last frame
    pub out: Cell<crate::value::Ruby>,
    /// a trace function is running: it is not traced itself
    pub in_trace: Cell<bool>,
    /// extra room was given to report a stack overflow
    pub overflowing: Cell<bool>,
}

impl Ec {
    pub fn new(base: *mut Value, limit: *mut Value, native_top: usize, native_limit: usize) -> Ec {
        Ec {
            fp: Cell::new(std::ptr::null_mut()),
            pc: Cell::new(std::ptr::null()),
            limit: Cell::new(limit),
            native_limit: Cell::new(native_limit),
            stack_base: Cell::new(base),
            native_top: Cell::new(native_top),
            unwind: Unwind::new(),
            errinfo: Cell::new(NIL),
            thread: Cell::new(NIL),
            fiber: Cell::new(NIL),
            recursion: RefCell::default(),
            serial: Cell::new(0),
            out: Cell::new(Ok(NIL)),
            in_trace: Cell::new(false),
            overflowing: Cell::new(false),
        }
    }
}

/// One interpreter.
#[repr(C)]
pub struct State {
    pub ec: Cell<*mut Ec>,
    /// nonzero: something wants attention at the next safepoint (the scheduler's word)
    pub interrupt: &'static AtomicU32,
    pub sched: SchedBox,
    /// nonzero: a core operator was redefined, fast paths are off
    pub redefined: Cell<u32>,
    pub objects: Objects,
    pub cache: cache::Caches,
    pub gvars: gvar::Gvars,
    /// some scope has refinements: calls look for them
    pub refined: Cell<bool>,
    /// bumped by every change to constants
    pub const_serial: Cell<u64>,
    /// the main object
    pub main: Cell<Value>,
    /// Class#new, as boot defined it (`SiteKind::New` looks for it)
    pub class_new: Cell<*const ()>,
    /// values the VM itself keeps alive, by name
    pub kept: RefCell<Vec<Value>>,
    pub config: Config,
    /// what `core` wants to hang off the VM, by type (`Vm::slot`)
    pub slots: RefCell<std::collections::HashMap<std::any::TypeId, &'static dyn std::any::Any>>,
    /// roots reported by `core` state (`Vm::add_root`)
    pub tracers: RefCell<Vec<Box<dyn Fn(&mut crate::heap::Marker)>>>,
    /// called after marking, to drop weak references to what is not marked (`Vm::add_weak`)
    pub weak: RefCell<Vec<Box<dyn Fn(&crate::heap::Heap)>>>,
    /// runs finalizers of dead objects at a safepoint (interrupt bit `FINALIZE`)
    pub finalize: Cell<Option<fn(Vm) -> crate::value::Ruby<()>>>,
    pub hooks: Hooks,
    /// the Proc of `set_trace_func`, or nil
    pub tracer: Cell<Value>,
}

/// Command-line switches that change behaviour.
pub struct Config {
    /// `$VERBOSE`: nil, false or true
    pub verbose: Cell<Value>,
    pub debug: Cell<Value>,
    pub script: RefCell<String>,
    pub argv: RefCell<Vec<String>>,
    pub load_path: RefCell<Vec<String>>,
}

/// Functions of the upper floors that the VM has to reach, set at boot.
#[derive(Default)]
pub struct Hooks {
    /// `(vm, name, receiver)`: builds a NoMethodError or NameError message's exception
    pub const_missing: Cell<Option<fn(Vm, crate::object::Class, crate::value::Sym) -> crate::value::Ruby>>,
    pub autoload: Cell<Option<fn(Vm, Value) -> crate::value::Ruby>>,
    /// makes a Regexp from source and flags
    pub new_regexp: Cell<Option<fn(Vm, Value, u8) -> crate::value::Ruby>>,
    /// `$~`-family: (match, what, n)
    pub match_part: Cell<Option<fn(Vm, Value, u8, usize) -> crate::value::Ruby>>,
    /// Rational / Complex literals: (numerator, denominator)
    pub new_rational: Cell<Option<fn(Vm, Value, Value) -> crate::value::Ruby>>,
    pub new_imaginary: Cell<Option<fn(Vm, Value) -> crate::value::Ruby>>,
    /// a source encoding's Encoding object
    pub encoding: Cell<Option<fn(Vm, crate::object::Enc) -> Value>>,
    /// runs pending interrupts at a safepoint
    /// with the bits `Sched::check_interrupts` gave
    pub interrupts: Cell<Option<fn(Vm, u32) -> crate::value::Ruby<()>>>,
    /// every thread is stuck
    pub deadlock: Cell<Option<fn(Vm)>>,
    /// registers a block for program end
    pub at_exit: Cell<Option<fn(Vm, Value)>>,
    /// prints a line such as "file:1: warning: text" (no newline)
    pub warn: Cell<Option<fn(Vm, &str) -> crate::value::Ruby<()>>>,
    /// a Binding of the calling Ruby code, for trace functions
    pub binding: Cell<Option<fn(Vm) -> crate::value::Ruby>>,
    /// a warning of the category `deprecated`; the place is added
    pub deprecated: Cell<Option<fn(Vm, &str) -> crate::value::Ruby<()>>>,
}

/// Interrupt bit: finalizers wait to be run.
pub const FINALIZE: u32 = 1 << 16;

/// The handle. See the module's text.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct Vm(&'static State);

impl Vm {
    /// # Safety
    /// The state outlives every use of the handle, and the caller holds its GVL.
    pub unsafe fn from_state(s: *const State) -> Vm {
        // SAFETY: the caller's promise.
        Vm(unsafe { &*s })
    }
    /// The running fiber's context.
    #[inline(always)]
    pub fn ec(self) -> &'static Ec {
        // SAFETY: set before any Ruby runs; contexts live as long as their fiber runs.
        unsafe { &*self.0.ec.get() }
    }
    pub fn state(self) -> &'static State {
        self.0
    }

    /// State of type `T` that an upper floor keeps in this VM, made at first use.
    pub fn slot<T: Default + 'static>(self) -> &'static T {
        let key = std::any::TypeId::of::<T>();
        if let Some(s) = self.slots.borrow().get(&key).and_then(|s| s.downcast_ref::<T>()) {
            return s;
        }
        let made: &'static T = Box::leak(Box::default());
        self.slots.borrow_mut().insert(key, made);
        made
    }
    /// Reports extra roots at each collection.
    pub fn add_root(self, f: impl Fn(&mut crate::heap::Marker) + 'static) {
        self.tracers.borrow_mut().push(Box::new(f))
    }
    /// Calls `f` after each marking, when `Heap::is_marked` tells what lives. It must not allocate.
    pub fn add_weak(self, f: impl Fn(&crate::heap::Heap) + 'static) {
        self.weak.borrow_mut().push(Box::new(f))
    }
    /// Keeps a value alive for the VM's life.
    pub fn keep_forever(self, v: Value) -> Value {
        self.kept.borrow_mut().push(v);
        v
    }
}

impl Deref for Vm {
    type Target = State;
    #[inline(always)]
    fn deref(&self) -> &State {
        self.0
    }
}
impl Deref for State {
    type Target = Objects;
    #[inline(always)]
    fn deref(&self) -> &Objects {
        &self.objects
    }
}
