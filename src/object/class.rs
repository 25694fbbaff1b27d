//! Classes and modules: method and constant tables, ancestors. Lookup here is the plain walk; caches are in `vm/cache`.

use super::{Class, Objects, Ref, ty};
use crate::heap::{Header, Heap, Marker};
use crate::value::{NIL, Sym, Value};
use std::cell::{Cell, RefCell, UnsafeCell};
use std::collections::HashMap;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClassKind {
    Class,
    Module,
    Singleton,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Visibility {
    Public,
    Private,
    Protected,
}

/// A native method as the VM calls it; the typed signature is in `vm/native.rs`.
pub type NativeFn = *const ();

#[derive(Clone, Copy)]
pub enum MethodBody {
    /// `max` < 0: any number. `kw`: takes keywords apart; otherwise they arrive as a last Hash.
    Native {
        f: NativeFn,
        min: i16,
        max: i16,
        kw: bool,
    },
    /// a code object cell, and the cref it was defined in
    Code {
        iseq: *mut Header,
        cref: Value,
    },
    AttrReader(Sym),
    AttrWriter(Sym),
    /// `define_method` with a Proc
    Proc(Value),
    /// `undef`
    Undef,
    /// Only the visibility was changed here: go on with the next one in the ancestors.
    ZSuper,
    /// present in CRuby, not here yet: raises NotImplementedError with its name
    NotImplemented,
}

/// One method as found in a class. Immutable: a change makes a new entry.
#[repr(C)]
pub struct MethodEntry {
    pub h: Header,
    /// the name it is called by
    pub name: Sym,
    /// the name it was defined under (differs for an alias)
    pub original_name: Sym,
    pub visibility: Visibility,
    /// class or module whose table it stands in
    pub owner: Class,
    /// where `super` starts from: the owner of the original of an alias
    pub defined_class: Class,
    pub body: MethodBody,
    /// parameters were converted by `ruby2_keywords`
    pub ruby2_keywords: Cell<bool>,
}

impl MethodEntry {
    pub fn alloc(ob: &Objects, name: Sym, visibility: Visibility, owner: Class, body: MethodBody) -> Ref<MethodEntry> {
        Self::copy_with(ob, name, name, visibility, owner, owner, body)
    }
    pub fn copy_with(
        ob: &Objects,
        name: Sym,
        original_name: Sym,
        visibility: Visibility,
        owner: Class,
        defined_class: Class,
        body: MethodBody,
    ) -> Ref<MethodEntry> {
        let h = Header::new(std::ptr::null_mut(), ty::METHOD_ENTRY);
        let cell = MethodEntry {
            h,
            name,
            original_name,
            visibility,
            owner,
            defined_class,
            body,
            ruby2_keywords: Cell::new(false),
        };
        // SAFETY: just allocated.
        unsafe { Ref::new(ob.heap.alloc::<_, false>(cell)) }
    }
    pub fn is_undef(&self) -> bool {
        matches!(self.body, MethodBody::Undef)
    }
}

/// # Safety
/// `p` is a live `MethodEntry`.
pub unsafe fn trace_method(p: *mut Header, m: &mut Marker) {
    // SAFETY: the caller's promise.
    let e = unsafe { &*(p as *const MethodEntry) };
    m.value(e.owner.value());
    m.value(e.defined_class.value());
    match e.body {
        MethodBody::Code { iseq, cref } => {
            m.cell(iseq);
            m.value(cref);
        }
        MethodBody::Proc(p) => m.value(p),
        _ => {}
    }
}

#[derive(Clone, Copy)]
pub enum ConstState {
    Value(Value),
    /// path of the file to require (a String)
    Autoload(Value),
}

#[derive(Clone, Copy)]
pub struct ConstEntry {
    pub state: ConstState,
    pub private: bool,
    pub deprecated: bool,
    /// where it was set
    pub file: Value,
    pub line: u32,
}

/// A map that remembers insertion order.
struct Ordered<T> {
    list: Vec<(Sym, T)>,
    index: HashMap<Sym, usize>,
}
impl<T> Default for Ordered<T> {
    fn default() -> Self {
        Ordered { list: Vec::new(), index: HashMap::new() }
    }
}
impl<T: Copy> Ordered<T> {
    fn get(&self, k: Sym) -> Option<T> {
        self.index.get(&k).map(|&i| self.list[i].1)
    }
    fn set(&mut self, k: Sym, v: T) {
        match self.index.get(&k) {
            Some(&i) => self.list[i].1 = v,
            None => {
                self.index.insert(k, self.list.len());
                self.list.push((k, v));
            }
        }
    }
    fn remove(&mut self, k: Sym) -> Option<T> {
        let i = self.index.remove(&k)?;
        let (_, v) = self.list.remove(i);
        for (j, (k, _)) in self.list.iter().enumerate().skip(i) {
            self.index.insert(*k, j);
        }
        Some(v)
    }
}

/// C1  `mro` is always `ancestors` as the lists below say; every change goes through `refresh`
/// C2  `dependents` are the classes and modules whose `mro` contains this one directly (weak: dead ones are removed
///     by `drop`)
#[repr(C)]
pub struct RClass {
    pub h: Header,
    pub kind: Cell<ClassKind>,
    superclass: Cell<Option<Class>>,
    /// the object a singleton class belongs to
    pub attached: Cell<Value>,
    /// expected number of instance variables, learnt from instances
    pub instance_slots: Cell<u32>,
    /// How instances are made: an `AllocFn` of `vm/native.rs`, null: inherit. See `RClass::allocator`.
    pub alloc: Cell<NativeFn>,
    rest: Box<Tables>,
}

#[derive(Default)]
struct Tables {
    methods: RefCell<Ordered<Ref<MethodEntry>>>,
    consts: RefCell<Ordered<ConstEntry>>,
    cvars: RefCell<Vec<(Sym, Value)>>,
    includes: RefCell<Vec<Class>>,
    prepends: RefCell<Vec<Class>>,
    dependents: RefCell<Vec<Class>>,
    mro: UnsafeCell<Vec<Class>>,
    /// full path, once known
    name: RefCell<Option<Box<str>>>,
    /// `set_temporary_name` or an anonymous outer module's
    temporary: Cell<bool>,
}

impl RClass {
    /// A new class or module; `class` is its class (Class, Module or a metaclass).
    pub fn alloc(ob: &Objects, class: *mut Header, kind: ClassKind, superclass: Option<Class>) -> Class {
        let cell = RClass {
            h: Header::new(class, ty::CLASS),
            kind: Cell::new(kind),
            superclass: Cell::new(superclass),
            attached: Cell::new(NIL),
            instance_slots: Cell::new(superclass.map_or(2, |s| s.instance_slots.get())),
            alloc: Cell::new(std::ptr::null()),
            rest: Box::default(),
        };
        ob.heap.charge(size_of::<Tables>());
        // SAFETY: just allocated.
        let c: Class = unsafe { Ref::new(ob.heap.alloc::<_, true>(cell)) };
        if let Some(s) = superclass {
            s.rest.dependents.borrow_mut().push(c);
        }
        c.refresh();
        c
    }

    pub fn is_singleton(&self) -> bool {
        self.kind.get() == ClassKind::Singleton
    }
    pub fn is_module(&self) -> bool {
        self.kind.get() == ClassKind::Module
    }
    /// The next class up, singleton classes included, modules not.
    pub fn superclass(&self) -> Option<Class> {
        self.superclass.get()
    }
    /// Superclass as Ruby shows it.
    pub fn real_superclass(&self) -> Option<Class> {
        let mut s = self.superclass.get();
        while let Some(c) = s {
            if !c.is_singleton() {
                break;
            }
            s = c.superclass.get();
        }
        s
    }

    // ---- ancestors

    /// Ancestors in lookup order, prepended modules first. Invalid once a module is added: index, do not hold.
    pub fn mro(&self) -> &'static [Class] {
        // SAFETY: H5; the doc comment passes the duty on.
        unsafe {
            let list: &Vec<Class> = &*self.rest.mro.get();
            list
        }
    }
    /// `self` or one of its ancestors is `c`.
    #[inline]
    pub fn is_a(&self, c: Class) -> bool {
        self.mro().contains(&c)
    }
    pub fn included_directly(&self) -> Vec<Class> {
        self.rest.includes.borrow().clone()
    }
    pub fn prepended_directly(&self) -> Vec<Class> {
        self.rest.prepends.borrow().clone()
    }
    /// Direct subclasses, newest first, singleton classes left out.
    pub fn subclasses(&self) -> Vec<Class> {
        let d = self.rest.dependents.borrow();
        d.iter().rev().copied().filter(|c| c.kind.get() == ClassKind::Class).collect()
    }
}

impl Ref<RClass> {
    /// Recomputes ancestors here and in everything that depends on it (C1).
    pub fn refresh(self) {
        let mut mro: Vec<Class> = Vec::new();
        for p in self.rest.prepends.borrow().iter().rev() {
            for &c in p.mro() {
                if !mro.contains(&c) {
                    mro.push(c)
                }
            }
        }
        mro.push(self);
        let above: &[Class] = self.superclass.get().map_or(&[], |s| s.mro());
        for i in self.rest.includes.borrow().iter().rev() {
            for &c in i.mro() {
                if !mro.contains(&c) && !above.contains(&c) {
                    mro.push(c)
                }
            }
        }
        mro.extend_from_slice(above);
        // SAFETY: H5; `above` was copied.
        unsafe { *self.rest.mro.get() = mro };
        let dependents = self.rest.dependents.borrow().clone();
        for d in dependents {
            d.refresh()
        }
    }

    /// Adds `m` below this class in the ancestors. Cyclic inclusion must have been refused. The caller invalidates caches.
    pub fn include(self, m: Class) {
        if self.rest.includes.borrow().contains(&m) {
            return;
        }
        self.rest.includes.borrow_mut().push(m);
        m.rest.dependents.borrow_mut().push(self);
        self.refresh();
    }
    pub fn prepend(self, m: Class) {
        if self.rest.prepends.borrow().contains(&m) {
            return;
        }
        self.rest.prepends.borrow_mut().push(m);
        m.rest.dependents.borrow_mut().push(self);
        self.refresh();
    }
    pub fn set_superclass(self, s: Class) {
        if let Some(old) = self.superclass.get() {
            old.rest.dependents.borrow_mut().retain(|&c| c != self);
        }
        self.superclass.set(Some(s));
        s.rest.dependents.borrow_mut().push(self);
        self.refresh();
    }
}

impl RClass {
    // ---- methods

    /// This class's own entry (undefs and visibility marks too).
    pub fn own_method(&self, name: Sym) -> Option<Ref<MethodEntry>> {
        self.rest.methods.borrow().get(name)
    }
    /// Replaces or adds. The caller invalidates caches (`Vm::add_method` does).
    pub fn put_method(&self, name: Sym, e: Ref<MethodEntry>) {
        self.rest.methods.borrow_mut().set(name, e)
    }
    pub fn take_method(&self, name: Sym) -> Option<Ref<MethodEntry>> {
        self.rest.methods.borrow_mut().remove(name)
    }
    /// Own names in order of definition.
    pub fn own_methods(&self) -> Vec<(Sym, Ref<MethodEntry>)> {
        self.rest.methods.borrow().list.clone()
    }
    /// First entry along the ancestors, undefs included.
    pub fn lookup(&self, name: Sym) -> Option<Ref<MethodEntry>> {
        self.mro().iter().find_map(|c| c.own_method(name))
    }
    /// First entry after `after` in the ancestors.
    pub fn lookup_super(&self, after: Class, name: Sym) -> Option<Ref<MethodEntry>> {
        let mro = self.mro();
        let i = mro.iter().position(|&c| c == after)?;
        mro[i + 1..].iter().find_map(|c| c.own_method(name))
    }

    // ---- constants

    pub fn own_const(&self, name: Sym) -> Option<ConstEntry> {
        self.rest.consts.borrow().get(name)
    }
    pub fn put_const(&self, name: Sym, e: ConstEntry) {
        self.rest.consts.borrow_mut().set(name, e)
    }
    pub fn take_const(&self, name: Sym) -> Option<ConstEntry> {
        self.rest.consts.borrow_mut().remove(name)
    }
    pub fn own_consts(&self) -> Vec<(Sym, ConstEntry)> {
        self.rest.consts.borrow().list.clone()
    }

    // ---- class variables

    pub fn own_cvar(&self, name: Sym) -> Option<Value> {
        self.rest.cvars.borrow().iter().find(|(n, _)| *n == name).map(|(_, v)| *v)
    }
    pub fn put_cvar(&self, name: Sym, v: Value) {
        let mut t = self.rest.cvars.borrow_mut();
        match t.iter_mut().find(|(n, _)| *n == name) {
            Some(slot) => slot.1 = v,
            None => t.push((name, v)),
        }
    }
    pub fn take_cvar(&self, name: Sym) -> Option<Value> {
        let mut t = self.rest.cvars.borrow_mut();
        let i = t.iter().position(|(n, _)| *n == name)?;
        Some(t.remove(i).1)
    }
    pub fn own_cvars(&self) -> Vec<Sym> {
        self.rest.cvars.borrow().iter().map(|(n, _)| *n).collect()
    }

    // ---- name

    /// Full path such as `A::B`; `None` while anonymous.
    pub fn name(&self) -> Option<String> {
        self.rest.name.borrow().as_ref().map(|s| s.to_string())
    }
    pub fn set_name(&self, name: &str, temporary: bool) {
        *self.rest.name.borrow_mut() = Some(name.into());
        self.rest.temporary.set(temporary);
    }
    /// Anonymous again (`set_temporary_name(nil)`).
    pub fn clear_name(&self) {
        *self.rest.name.borrow_mut() = None;
        self.rest.temporary.set(false);
    }
    pub fn has_permanent_name(&self) -> bool {
        self.rest.name.borrow().is_some() && !self.rest.temporary.get()
    }

    /// The allocator in force: this class's or the nearest superclass's.
    pub fn allocator(&self) -> NativeFn {
        let f = self.alloc.get();
        if !f.is_null() {
            return f;
        }
        let mut s = self.superclass.get();
        while let Some(c) = s {
            if !c.alloc.get().is_null() {
                return c.alloc.get();
            }
            s = c.superclass.get();
        }
        std::ptr::null()
    }
}

/// # Safety
/// `p` is a live `RClass`.
pub unsafe fn trace(p: *mut Header, m: &mut Marker) {
    // SAFETY: the caller's promise.
    let c = unsafe { &*(p as *const RClass) };
    if let Some(s) = c.superclass.get() {
        m.value(s.value())
    }
    m.value(c.attached.get());
    for (_, e) in &c.rest.methods.borrow().list {
        m.value(e.value())
    }
    for (_, e) in &c.rest.consts.borrow().list {
        match e.state {
            ConstState::Value(v) | ConstState::Autoload(v) => m.value(v),
        }
        m.value(e.file);
    }
    for (_, v) in c.rest.cvars.borrow().iter() {
        m.value(*v)
    }
    for list in [&c.rest.includes, &c.rest.prepends] {
        for i in list.borrow().iter() {
            m.value(i.value())
        }
    }
}

/// # Safety
/// `p` is a dead `RClass`. Dead dependents of a live class are removed by `forget_dead` before anything is freed.
pub unsafe fn drop(p: *mut Header, heap: &Heap) {
    heap.uncharge(size_of::<Tables>());
    // SAFETY: the caller's promise; it runs once.
    unsafe { std::ptr::drop_in_place(&raw mut (*(p as *mut RClass)).rest) }
}

/// After marking: removes dead classes from the dependents of a live one (C2).
pub fn forget_dead(c: &RClass, heap: &Heap) {
    c.rest.dependents.borrow_mut().retain(|d| heap.is_marked(d.as_ptr() as *const Header));
}
