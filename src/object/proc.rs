//! Procs and what they capture: heap env records, lexical class scopes, and the token that carries a pending unwind.

use super::{Class, NativeFn, Objects, Proc, Ref, ty};
use crate::bytecode::op::ENV_HEADER;
use crate::heap::{Header, Heap, Marker};
use crate::value::{NIL, Value};
use std::cell::Cell;

/// Variables of a scope that outlived (or may outlive) its frame.
///
/// An env record is `[parent holder, Env cell or 0, variables...]`. A *holder* is the address of a word that points
/// at a record: the frame's `ep` word while the record is in the frame, `Env::ep` afterwards. Readers go through the
/// holder each time, so moving the record to the heap is one store.
#[repr(C)]
pub struct Env {
    pub h: Header,
    /// points at `words`; its address is the holder
    pub ep: Cell<*mut Value>,
    /// base of the live frame this belongs to, null once it returned
    pub frame: Cell<*mut Value>,
    /// words in all, `ENV_HEADER` included
    pub len: usize,
    /// the scope's code object (names of the variables)
    pub iseq: *mut Header,
    /// what a binding made here needs: self, block, method entry or cref of the scope
    pub this: Cell<Value>,
    pub block: Cell<Value>,
    pub me: Cell<Value>,
    words: Cell<*mut Value>,
}

impl Env {
    /// Copies a record of `len` words to the heap. `ep` and `words[1]` are set; linking the holder is the VM's.
    /// # Safety
    /// `record` points at `len` initialised words whose first two are as described above.
    pub unsafe fn from_record(ob: &Objects, record: *const Value, len: usize, iseq: *mut Header) -> Ref<Env> {
        ob.heap.charge(len * 8);
        let cell = Env {
            h: Header::new(std::ptr::null_mut(), ty::ENV),
            ep: Cell::new(std::ptr::null_mut()),
            frame: Cell::new(std::ptr::null_mut()),
            len,
            iseq,
            this: Cell::new(NIL),
            block: Cell::new(NIL),
            me: Cell::new(NIL),
            words: Cell::new(std::ptr::null_mut()),
        };
        // SAFETY: just allocated; the record is the caller's promise.
        unsafe {
            let env: Ref<Env> = Ref::new(ob.heap.alloc::<_, true>(cell));
            let mut words = Vec::with_capacity(len);
            words.extend_from_slice(std::slice::from_raw_parts(record as *const u64, len));
            words[1] = env.as_ptr() as u64;
            let words = Box::into_raw(words.into_boxed_slice()) as *mut Value;
            env.words.set(words);
            env.ep.set(words);
            env
        }
    }
    /// Address of the word that points at the record.
    pub fn holder(&self) -> *mut *mut Value {
        self.ep.as_ptr()
    }
    pub fn var(&self, i: usize) -> &Cell<Value> {
        debug_assert!(i + (ENV_HEADER as usize) < self.len);
        // SAFETY: in bounds; variables are initialised values.
        unsafe { &*(self.ep.get().add(ENV_HEADER as usize + i) as *const Cell<Value>) }
    }
    /// The enclosing scope's env, which escaped before this one.
    pub fn parent(&self) -> Option<Ref<Env>> {
        // SAFETY: word 0 of a heap record is null or the holder of another heap record (the VM moves outer ones first).
        unsafe {
            let holder = *(self.ep.get() as *const *mut *mut Value);
            if holder.is_null() { None } else { Some(Env::of_holder(holder)) }
        }
    }
    /// # Safety
    /// `holder` was made by `Env::holder`.
    pub unsafe fn of_holder(holder: *mut *mut Value) -> Ref<Env> {
        // SAFETY: the caller's promise: it is the address of the field `ep`.
        unsafe { Ref::new((holder as *mut u8).sub(std::mem::offset_of!(Env, ep)) as *mut Env) }
    }
}

/// # Safety
/// `p` is a live `Env`.
pub unsafe fn trace_env(p: *mut Header, m: &mut Marker) {
    // SAFETY: the caller's promise.
    unsafe {
        let e = &*(p as *const Env);
        m.cell(e.iseq);
        m.value(e.this.get());
        m.value(e.block.get());
        m.value(e.me.get());
        if e.words.get().is_null() {
            return;
        }
        // Word 0 is a holder (an interior pointer of the parent Env), word 1 this cell.
        m.range(e.words.get() as usize, e.words.get() as usize + e.len * 8);
    }
}

/// # Safety
/// `p` is a dead `Env`.
pub unsafe fn drop_env(p: *mut Header, heap: &Heap) {
    // SAFETY: the caller's promise; it runs once.
    unsafe {
        let e = &*(p as *const Env);
        heap.uncharge(e.len * 8);
        if !e.words.get().is_null() {
            drop(Box::from_raw(std::ptr::slice_from_raw_parts_mut(e.words.get() as *mut u64, e.len)));
        }
    }
}

/// A Proc: code plus captured scope, or a native function plus one value.
#[repr(C)]
pub struct RProc {
    pub h: Header,
    /// code object; null for a native proc
    pub iseq: *mut Header,
    /// scope the code reads at level 1
    pub env: Cell<Option<Ref<Env>>>,
    pub this: Cell<Value>,
    /// the home method's block (nil or a Proc)
    pub block: Cell<Value>,
    /// the home method's entry, or a cref
    pub me: Cell<Value>,
    /// native: the function (`vm::native::ProcFn`) and its value
    pub native: NativeFn,
    pub data: Cell<Value>,
    pub lambda: Cell<bool>,
    /// made from a Method object
    pub from_method: Cell<bool>,
    /// native: arity as Proc#arity shows it
    pub native_arity: Cell<i32>,
    pub ruby2_keywords: Cell<bool>,
}

impl RProc {
    pub fn alloc(ob: &Objects, class: Class, iseq: *mut Header, env: Option<Ref<Env>>, this: Value) -> Proc {
        let cell = RProc {
            h: Header::new(class.as_ptr() as *mut Header, ty::PROC),
            iseq,
            env: Cell::new(env),
            this: Cell::new(this),
            block: Cell::new(NIL),
            me: Cell::new(NIL),
            native: std::ptr::null(),
            data: Cell::new(NIL),
            lambda: Cell::new(false),
            from_method: Cell::new(false),
            native_arity: Cell::new(-1),
            ruby2_keywords: Cell::new(false),
        };
        // SAFETY: just allocated.
        unsafe { Ref::new(ob.heap.alloc::<_, false>(cell)) }
    }
    pub fn native(ob: &Objects, f: NativeFn, data: Value, lambda: bool, arity: i32) -> Proc {
        let p = Self::alloc(ob, ob.classes.proc.get(), std::ptr::null_mut(), None, NIL);
        // SAFETY: nobody else has seen the cell yet.
        unsafe { (*p.as_ptr()).native = f };
        p.data.set(data);
        p.lambda.set(lambda);
        p.native_arity.set(arity);
        p
    }
    /// A copy that is a different object (dup, instance_exec with another self).
    pub fn copy(&self, ob: &Objects, class: Class) -> Proc {
        let p = Self::alloc(ob, class, self.iseq, self.env.get(), self.this.get());
        // SAFETY: nobody else has seen the cell yet.
        unsafe { (*p.as_ptr()).native = self.native };
        p.block.set(self.block.get());
        p.me.set(self.me.get());
        p.data.set(self.data.get());
        p.lambda.set(self.lambda.get());
        p.from_method.set(self.from_method.get());
        p.native_arity.set(self.native_arity.get());
        p.ruby2_keywords.set(self.ruby2_keywords.get());
        p
    }
}

/// # Safety
/// `p` is a live `RProc`.
pub unsafe fn trace_proc(p: *mut Header, m: &mut Marker) {
    // SAFETY: the caller's promise.
    let r = unsafe { &*(p as *const RProc) };
    m.cell(r.iseq);
    if let Some(e) = r.env.get() {
        m.value(e.value())
    }
    for v in [&r.this, &r.block, &r.me, &r.data] {
        m.value(v.get())
    }
}

/// Lexical class scope: where constants are looked up and methods are defined.
#[repr(C)]
pub struct Cref {
    pub h: Header,
    pub class: Class,
    /// enclosing Cref, or nil
    pub parent: Value,
    /// method entry in force (instance_eval inside a method), or nil
    pub me: Cell<Value>,
    /// where `def` puts methods, if not `class` (instance_eval, instance_exec: the singleton class)
    pub definee: Cell<Value>,
    /// default visibility of `def` here: 0 public, 1 private, 2 protected, 3 module_function
    pub visibility: Cell<u8>,
    /// pushed by instance_eval and friends: skipped by constant lookup and Module.nesting
    pub pushed_by_eval: bool,
    /// nil, or an Array `[class, refinement, ...]` of what `using` activated here, newest first
    pub refinements: Cell<Value>,
}

impl Cref {
    pub fn alloc(ob: &Objects, class: Class, parent: Value, me: Value, pushed_by_eval: bool) -> Ref<Cref> {
        let cell = Cref {
            h: Header::new(std::ptr::null_mut(), ty::CREF),
            class,
            parent,
            me: Cell::new(me),
            definee: Cell::new(NIL),
            visibility: Cell::new(0),
            pushed_by_eval,
            refinements: Cell::new(NIL),
        };
        // SAFETY: just allocated.
        unsafe { Ref::new(ob.heap.alloc::<_, false>(cell)) }
    }
}

/// # Safety
/// `p` is a live `Cref`.
pub unsafe fn trace_cref(p: *mut Header, m: &mut Marker) {
    // SAFETY: the caller's promise.
    let c = unsafe { &*(p as *const Cref) };
    m.value(c.class.value());
    m.value(c.parent);
    m.value(c.me.get());
    m.value(c.definee.get());
    m.value(c.refinements.get());
}

/// A pending break, return, throw or kill on its way through an `ensure`.
#[repr(C)]
pub struct Token {
    pub h: Header,
    pub kind: u64,
    pub target: u64,
    pub value: Value,
}

impl Token {
    pub fn alloc(ob: &Objects, kind: u64, target: u64, value: Value) -> Ref<Token> {
        let cell = Token { h: Header::new(std::ptr::null_mut(), ty::TOKEN), kind, target, value };
        // SAFETY: just allocated.
        unsafe { Ref::new(ob.heap.alloc::<_, false>(cell)) }
    }
}

/// # Safety
/// `p` is a live `Token`.
pub unsafe fn trace_token(p: *mut Header, m: &mut Marker) {
    // SAFETY: the caller's promise. The target of a throw is a value; anything else is ignored.
    unsafe {
        let t = &*(p as *const Token);
        m.value(t.value);
        m.word(t.target);
    }
}
