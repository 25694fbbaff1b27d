//! Native objects: a Ruby object whose state is a Rust value (Mutex, MatchData, Time, IO, Random, ...).

use super::{Class, Objects, ty};
use crate::heap::{Header, Heap, Marker};
use crate::value::Value;
use std::any::TypeId;

/// State of a native object. Values it holds are reported in `trace`; fields that change are `Cell`s.
pub trait Data: 'static {
    fn trace(&self, _m: &mut Marker) {}
}

struct VTable {
    id: TypeId,
    name: fn() -> &'static str,
    trace: unsafe fn(*const u8, &mut Marker),
    drop: unsafe fn(*mut u8),
}

#[repr(C)]
pub struct RData {
    pub h: Header,
    vtable: &'static VTable,
    state: *mut u8,
}

struct Of<T>(std::marker::PhantomData<T>);
impl<T: Data> Of<T> {
    const VTABLE: VTable = VTable {
        id: TypeId::of::<T>(),
        name: std::any::type_name::<T>,
        // SAFETY: (both) called with the pointer `RData::new` boxed.
        trace: |p, m| unsafe { (*(p as *const T)).trace(m) },
        drop: |p| unsafe { std::mem::drop(Box::from_raw(p as *mut T)) },
    };
}

impl RData {
    /// A new native object of `class`.
    pub fn alloc<T: Data>(ob: &Objects, class: Class, state: T) -> Value {
        ob.heap.charge(size_of::<T>());
        // The cell comes first: values in `state` are still on the stack while this may collect.
        let p = ob.heap.alloc_sized(size_of::<RData>(), true) as *mut RData;
        let state = Box::into_raw(Box::new(state)) as *mut u8;
        let h = Header::new(class.as_ptr() as *mut Header, ty::DATA);
        // SAFETY: a fresh cell of the right size, filled before the next allocation (H3).
        unsafe {
            p.write(RData { h, vtable: const { &Of::<T>::VTABLE }, state });
            Value::from_ptr(p)
        }
    }

    pub fn get<T: Data>(&self) -> Option<&'static T> {
        if self.vtable.id == TypeId::of::<T>() {
            // SAFETY: the type id matches; the state lives as long as the cell, which the caller's value keeps alive.
            Some(unsafe { &*(self.state as *const T) })
        } else {
            None
        }
    }
    pub fn type_name(&self) -> &'static str {
        (self.vtable.name)()
    }
}

/// # Safety
/// `p` is a live `RData`.
pub unsafe fn trace(p: *mut Header, m: &mut Marker) {
    // SAFETY: the caller's promise.
    unsafe {
        let d = &*(p as *const RData);
        (d.vtable.trace)(d.state, m)
    }
}

/// # Safety
/// `p` is a dead `RData`.
pub unsafe fn drop(p: *mut Header, _heap: &Heap) {
    // SAFETY: the caller's promise; it runs once.
    unsafe {
        let d = &*(p as *const RData);
        (d.vtable.drop)(d.state)
    }
}

/// A cell whose layout belongs to a higher floor (code objects, mutexes): header, then its two functions.
#[repr(C)]
pub struct Foreign {
    pub h: Header,
    pub ops: &'static ForeignOps,
}
pub struct ForeignOps {
    pub trace: unsafe fn(*mut Header, &mut Marker),
    pub drop: unsafe fn(*mut Header, &Heap),
}

/// # Safety
/// `p` is a live cell that starts as `Foreign`.
pub unsafe fn trace_foreign(p: *mut Header, m: &mut Marker) {
    // SAFETY: the caller's promise.
    unsafe { ((*(p as *const Foreign)).ops.trace)(p, m) }
}
/// # Safety
/// `p` is a dead cell that starts as `Foreign`.
pub unsafe fn drop_foreign(p: *mut Header, heap: &Heap) {
    // SAFETY: the caller's promise.
    unsafe { ((*(p as *const Foreign)).ops.drop)(p, heap) }
}
