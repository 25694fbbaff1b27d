//! Memory layout of each kind of object and the Rust operations on it. Nothing here is a Ruby method: those are in
//! `core`. Nothing here calls Ruby code either.
//!
//! `Objects` is the floor everything stands on: the heap, the symbol table, shapes and the classes the VM knows by
//! name. Functions that allocate take `&Objects`; a `Vm` coerces to it (`RArray::new(&vm, 4)`).

mod array;
mod chars;
mod class;
mod data;
mod hash;
mod known;
mod number;
#[allow(clippy::module_inception)] // one file per kind of object, and one kind is called that
mod object;
mod proc;
mod range;
mod shape;
mod string;
mod symbol;

pub use array::{MAX_LEN, RArray};
pub use chars::{Chars, Step};
pub use class::{
    ClassKind, ConstEntry, ConstState, MethodBody, MethodEntry, NativeFn, RClass, Visibility, forget_dead,
};
pub use data::{Data, Foreign, ForeignOps, RData};
pub use hash::{HashKey, RHash};
pub use known::KnownClasses;
pub use number::{RBignum, RFloat};
pub use object::RObject;
pub use proc::{Cref, Env, RProc, Token};
pub use range::RRange;
pub use shape::{ShapeId, Shapes};
pub use string::{CodeRange, Enc, RString};
pub use symbol::{Symbols, sym};

use crate::heap::{Header, Heap, Marker, TypeInfo, flags};
use crate::value::{Sym, Value};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::marker::PhantomData;
use std::ops::Deref;
use std::ptr::NonNull;

/// What a cell is; index into `TYPES`.
pub mod ty {
    pub const OBJECT: u8 = 0;
    pub const CLASS: u8 = 1;
    pub const STRING: u8 = 2;
    pub const ARRAY: u8 = 3;
    pub const HASH: u8 = 4;
    pub const FLOAT: u8 = 5;
    pub const BIGNUM: u8 = 6;
    pub const RANGE: u8 = 7;
    pub const PROC: u8 = 8;
    pub const ENV: u8 = 9;
    pub const METHOD_ENTRY: u8 = 10;
    pub const CREF: u8 = 11;
    pub const DATA: u8 = 12;
    pub const ISEQ: u8 = 13;
    /// carries a pending break/return/throw through an ensure
    pub const TOKEN: u8 = 14;
    pub const MUTEX: u8 = 15;
}

/// One row per `ty` constant. The rows for code objects and tokens come from their own modules through `Tracer`s.
pub static TYPES: &[TypeInfo] = &[
    TypeInfo { name: "object", trace: object::trace, drop: Some(object::drop) },
    TypeInfo { name: "class", trace: class::trace, drop: Some(class::drop) },
    TypeInfo { name: "string", trace: string::trace, drop: Some(string::drop) },
    TypeInfo { name: "array", trace: array::trace, drop: Some(array::drop) },
    TypeInfo { name: "hash", trace: hash::trace, drop: Some(hash::drop) },
    TypeInfo { name: "float", trace: no_trace, drop: None },
    TypeInfo { name: "bignum", trace: no_trace, drop: Some(number::drop_bignum) },
    TypeInfo { name: "range", trace: range::trace, drop: None },
    TypeInfo { name: "proc", trace: proc::trace_proc, drop: None },
    TypeInfo { name: "env", trace: proc::trace_env, drop: Some(proc::drop_env) },
    TypeInfo { name: "method entry", trace: class::trace_method, drop: None },
    TypeInfo { name: "cref", trace: proc::trace_cref, drop: None },
    TypeInfo { name: "data", trace: data::trace, drop: Some(data::drop) },
    TypeInfo { name: "code", trace: data::trace_foreign, drop: Some(data::drop_foreign) },
    TypeInfo { name: "token", trace: proc::trace_token, drop: None },
    TypeInfo { name: "mutex", trace: no_trace, drop: None },
];

/// # Safety
/// None of its own: it reads nothing.
unsafe fn no_trace(_: *mut Header, _: &mut Marker) {}

/// A typed pointer to a live heap cell: Copy, dereferences to the cell. Sound because the collector never moves a
/// cell and finds every `Ref` in locals and arguments (H1); do not keep one in Rust's own memory (`heap::root`).
#[repr(transparent)]
pub struct Ref<T>(NonNull<T>);

impl<T> Clone for Ref<T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Ref<T> {}
impl<T> PartialEq for Ref<T> {
    #[inline(always)]
    fn eq(&self, o: &Self) -> bool {
        self.0 == o.0
    }
}
impl<T> Eq for Ref<T> {}
impl<T> std::hash::Hash for Ref<T> {
    fn hash<H: std::hash::Hasher>(&self, h: &mut H) {
        self.0.hash(h)
    }
}
impl<T> Deref for Ref<T> {
    type Target = T;
    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: the type's invariant above.
        unsafe { self.0.as_ref() }
    }
}
impl<T> Ref<T> {
    /// # Safety
    /// `p` points to a live cell of type `T`.
    #[inline(always)]
    pub unsafe fn new(p: *mut T) -> Ref<T> {
        // SAFETY: the caller's promise.
        Ref(unsafe { NonNull::new_unchecked(p) })
    }
    #[inline(always)]
    pub fn as_ptr(self) -> *mut T {
        self.0.as_ptr()
    }
    #[inline(always)]
    pub fn header(self) -> &'static Header {
        // SAFETY: every cell starts with its header (`repr(C)`), and cells do not move.
        unsafe { &*(self.0.as_ptr() as *const Header) }
    }
    #[inline(always)]
    pub fn value(self) -> Value {
        // SAFETY: a live cell.
        unsafe { Value::from_ptr(self.0.as_ptr()) }
    }
    pub fn is_frozen(self) -> bool {
        self.header().has(flags::FROZEN)
    }
}
impl<T> From<Ref<T>> for Value {
    #[inline(always)]
    fn from(r: Ref<T>) -> Value {
        r.value()
    }
}
impl<T> std::fmt::Debug for Ref<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:p}", self.0)
    }
}

pub type Ary = Ref<RArray>;
pub type Str = Ref<RString>;
pub type Hsh = Ref<RHash>;
pub type Class = Ref<RClass>;
pub type Obj = Ref<RObject>;
pub type Proc = Ref<RProc>;
pub type Range = Ref<RRange>;

impl Value {
    /// Header of a heap value.
    #[inline(always)]
    pub fn header(self) -> Option<&'static Header> {
        if self.is_ptr() {
            // SAFETY: a pointer value is a live cell (H1).
            Some(unsafe { &*(self.ptr() as *const Header) })
        } else {
            None
        }
    }
    #[inline(always)]
    pub fn is_type(self, t: u8) -> bool {
        matches!(self.header(), Some(h) if h.ty == t)
    }
    #[inline(always)]
    fn cast<T>(self, t: u8) -> Option<Ref<T>> {
        if self.is_type(t) {
            // SAFETY: the type tag says what the cell is.
            Some(unsafe { Ref::new(self.ptr() as *mut T) })
        } else {
            None
        }
    }
    #[inline(always)]
    pub fn as_array(self) -> Option<Ary> {
        self.cast(ty::ARRAY)
    }
    #[inline(always)]
    pub fn as_str(self) -> Option<Str> {
        self.cast(ty::STRING)
    }
    #[inline(always)]
    pub fn as_hash(self) -> Option<Hsh> {
        self.cast(ty::HASH)
    }
    #[inline(always)]
    pub fn as_class(self) -> Option<Class> {
        self.cast(ty::CLASS)
    }
    #[inline(always)]
    pub fn as_object(self) -> Option<Obj> {
        self.cast(ty::OBJECT)
    }
    #[inline(always)]
    pub fn as_proc(self) -> Option<Proc> {
        self.cast(ty::PROC)
    }
    #[inline(always)]
    pub fn as_range(self) -> Option<Range> {
        self.cast(ty::RANGE)
    }
    #[inline(always)]
    pub fn as_bignum(self) -> Option<Ref<RBignum>> {
        self.cast(ty::BIGNUM)
    }
    #[inline(always)]
    pub fn as_method_entry(self) -> Option<Ref<MethodEntry>> {
        self.cast(ty::METHOD_ENTRY)
    }
    /// Any Float, immediate or not.
    #[inline(always)]
    pub fn as_float(self) -> Option<f64> {
        if self.is_flonum() { Some(self.flo()) } else { self.cast::<RFloat>(ty::FLOAT).map(|f| f.value) }
    }
    pub fn is_float(self) -> bool {
        self.as_float().is_some()
    }
    pub fn is_integer(self) -> bool {
        self.is_fixnum() || self.is_type(ty::BIGNUM)
    }
    /// A native object whose Rust part is a `T`.
    #[inline(always)]
    pub fn data<T: Data>(self) -> Option<&'static T> {
        self.cast::<RData>(ty::DATA).and_then(|d| d.get::<T>())
    }
    /// Frozen, counting immediates, numbers and symbols as such.
    pub fn is_frozen(self) -> bool {
        match self.header() {
            Some(h) => h.has(flags::FROZEN) || matches!(h.ty, ty::FLOAT | ty::BIGNUM),
            None => true,
        }
    }
}

/// The floor: heap, symbols, shapes, known classes.
pub struct Objects {
    pub heap: Heap,
    pub symbols: Symbols,
    pub shapes: Shapes,
    pub classes: KnownClasses,
    /// instance variables of cells that are not `RObject`s
    generic_ivars: RefCell<HashMap<usize, Vec<(Sym, Value)>>>,
    /// object ids handed out (cells with `HAS_ID`) and the next one
    object_ids: RefCell<HashMap<usize, u64>>,
    next_id: Cell<u64>,
    _not_send: PhantomData<*const ()>,
}

impl Objects {
    pub fn new() -> Result<Objects, std::io::Error> {
        Ok(Objects {
            heap: Heap::new(TYPES)?,
            symbols: Symbols::new(),
            shapes: Shapes::new(),
            classes: KnownClasses::new(),
            generic_ivars: RefCell::default(),
            object_ids: RefCell::default(),
            next_id: Cell::new(1),
            _not_send: PhantomData,
        })
    }

    pub fn intern(&self, name: &str) -> Sym {
        self.symbols.intern(name.as_bytes(), Enc::Utf8)
    }

    /// The class as stored in the header: a singleton class if there is one.
    #[inline(always)]
    pub fn class_of(&self, v: Value) -> Class {
        if v.is_ptr() {
            // SAFETY: a heap value has a live cell whose class is set (H1).
            unsafe { Ref::new((*(v.ptr() as *const Header)).class.get() as *mut RClass) }
        } else {
            self.classes.of_immediate(v)
        }
    }

    /// The class as `Object#class` gives it.
    pub fn real_class_of(&self, v: Value) -> Class {
        let mut c = self.class_of(v);
        while c.is_singleton() {
            c = match c.superclass() {
                Some(s) => s,
                None => break,
            };
        }
        c
    }

    pub fn float(&self, f: f64) -> Value {
        match Value::try_flonum(f) {
            Some(v) => v,
            None => RFloat::alloc(self, f),
        }
    }

    /// An Integer from any machine number.
    #[inline(always)]
    pub fn int(&self, n: i64) -> Value {
        match Value::try_fixnum(n) {
            Some(v) => v,
            None => RBignum::alloc(self, n.into()),
        }
    }
    /// An Integer from a big one, normalised.
    pub fn bigint(&self, n: num_bigint::BigInt) -> Value {
        match i64::try_from(&n).ok().and_then(Value::try_fixnum) {
            Some(v) => v,
            None => RBignum::alloc(self, n),
        }
    }

    // ---- instance variables of any object

    /// `None` when unset.
    pub fn ivar_get(&self, v: Value, name: Sym) -> Option<Value> {
        if let Some(o) = v.as_object() {
            return o.get(self, name);
        }
        if !v.header()?.has(flags::GENERIC_IVARS) {
            return None;
        }
        let table = self.generic_ivars.borrow();
        table.get(&(v.bits() as usize))?.iter().find(|(n, _)| *n == name).map(|(_, v)| *v)
    }

    /// Sets it without asking whether the object is frozen. Immediates cannot have any: returns false.
    pub fn ivar_set(&self, v: Value, name: Sym, value: Value) -> bool {
        if let Some(o) = v.as_object() {
            o.set(self, name, value);
            return true;
        }
        let Some(h) = v.header() else { return false };
        h.set(flags::GENERIC_IVARS);
        let mut table = self.generic_ivars.borrow_mut();
        let list = table.entry(v.bits() as usize).or_default();
        match list.iter_mut().find(|(n, _)| *n == name) {
            Some(slot) => slot.1 = value,
            None => list.push((name, value)),
        }
        true
    }

    pub fn ivar_remove(&self, v: Value, name: Sym) -> Option<Value> {
        if let Some(o) = v.as_object() {
            return o.remove(self, name);
        }
        let mut table = self.generic_ivars.borrow_mut();
        let list = table.get_mut(&(v.bits() as usize))?;
        let i = list.iter().position(|(n, _)| *n == name)?;
        Some(list.remove(i).1)
    }

    /// Names in order of creation. Names that do not start with `@` are the VM's own and hidden here.
    pub fn ivar_names(&self, v: Value) -> Vec<Sym> {
        let mut names = self.ivar_names_all(v);
        names.retain(|&n| self.symbols.bytes(n).first() == Some(&b'@'));
        names
    }
    /// The same with the hidden ones.
    pub fn ivar_names_all(&self, v: Value) -> Vec<Sym> {
        match v.as_object() {
            Some(o) => o.names(self),
            None => match self.generic_ivars.borrow().get(&(v.bits() as usize)) {
                Some(list) => list.iter().map(|(n, _)| *n).collect(),
                None => Vec::new(),
            },
        }
    }

    /// Copies all of them, hidden ones too (dup, clone).
    pub fn ivar_copy(&self, from: Value, to: Value) {
        for n in self.ivar_names_all(from) {
            if let Some(v) = self.ivar_get(from, n) {
                self.ivar_set(to, n, v);
            }
        }
    }

    /// For the collector: values of one cell's side table.
    pub fn trace_generic(&self, m: &mut Marker) {
        // Weak by key would need ephemerons: values of dead owners are dropped in `sweep_generic`, so a cycle through
        // the table lives one collection longer.
        for list in self.generic_ivars.borrow().values() {
            for (_, v) in list {
                m.value(*v)
            }
        }
    }

    /// For the collector: forget side tables of dead cells.
    pub fn sweep_tables(&self) {
        let heap = &self.heap;
        self.generic_ivars.borrow_mut().retain(|&p, _| heap.is_marked(p as *const Header));
        self.object_ids.borrow_mut().retain(|&p, _| heap.is_marked(p as *const Header));
    }

    /// `Object#object_id`.
    pub fn object_id(&self, v: Value) -> Value {
        match v {
            crate::value::NIL => Value::fixnum(8),
            crate::value::TRUE => Value::fixnum(20),
            crate::value::FALSE => Value::fixnum(0),
            v if v.is_fixnum() => self.bigint(num_bigint::BigInt::from(v.fix()) * 2 + 1),
            v if !v.is_ptr() => self.int((v.bits() >> 1) as i64),
            v => {
                if let Some(h) = v.header() {
                    h.set(flags::HAS_ID)
                }
                let id = *self.object_ids.borrow_mut().entry(v.bits() as usize).or_insert_with(|| {
                    let id = self.next_id.get();
                    self.next_id.set(id + 1);
                    id * 8
                });
                Value::fixnum(id as i64)
            }
        }
    }
    /// The object with this id, if it is alive.
    pub fn object_by_id(&self, id: u64) -> Option<Value> {
        let ids = self.object_ids.borrow();
        let (&p, _) = ids.iter().find(|&(_, &i)| i == id)?;
        // SAFETY: entries of dead cells are removed at each collection, before the cell can be reused.
        Some(unsafe { Value::from_ptr(p as *const Header) })
    }
}

/// The one store door: every store of a reference into a heap object goes through here, so that a write barrier has
/// one place to be. `owner` is the object written to.
#[inline(always)]
pub fn store(_owner: *const Header, slot: &Cell<Value>, v: Value) {
    slot.set(v)
}
