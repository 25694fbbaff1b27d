//! An ordinary object: header, slot pointer, some slots in the cell itself.

use super::{Class, Obj, Objects, Ref, ShapeId, shape, store, ty};
use crate::heap::{Header, Heap, Marker};
use crate::value::{NIL, Sym, Value};
use std::cell::Cell;

/// O1  `slots` points at `inline` or at a buffer of `cap` values of our own; it is never null
/// O2  slots up to the shape's length are initialised
#[repr(C)]
pub struct RObject {
    pub h: Header,
    pub slots: Cell<*mut Cell<Value>>,
    /// capacity of the buffer; at most `INLINE` when inline
    cap: Cell<usize>,
    inline: [Cell<Value>; 0],
}

impl RObject {
    /// A new object with room for `expected` variables in its cell.
    pub fn alloc(ob: &Objects, class: Class, expected: usize) -> Obj {
        let n = expected.clamp(2, 16);
        let bytes = (size_of::<RObject>() + n * 8 + 15) & !15;
        let n = (bytes - size_of::<RObject>()) / 8;
        let p = ob.heap.alloc_sized(bytes, true) as *mut RObject;
        // SAFETY: a fresh cell of `bytes` bytes, written before anything else is allocated (H3).
        unsafe {
            let h = Header::new(class.as_ptr() as *mut Header, ty::OBJECT);
            h.shape.set(shape::ROOT.0);
            let slots = p.add(1) as *mut Cell<Value>;
            p.write(RObject { h, slots: Cell::new(slots), cap: Cell::new(n), inline: [] });
            for i in 0..n {
                slots.add(i).write(Cell::new(NIL));
            }
            Ref::new(p)
        }
    }

    fn is_inline(&self) -> bool {
        std::ptr::eq(self.slots.get(), self.inline.as_ptr())
    }
    pub fn shape(&self) -> ShapeId {
        ShapeId(self.h.shape.get())
    }
    #[inline(always)]
    pub fn slot(&self, i: u32) -> &Cell<Value> {
        // SAFETY: O1, O2: callers pass a slot of the current shape.
        unsafe { &*self.slots.get().add(i as usize) }
    }

    /// A slot that the shape does not have yet fits without growing.
    #[inline(always)]
    pub fn has_room(&self, slot: u32) -> bool {
        (slot as usize) < self.cap.get()
    }

    pub fn get(&self, ob: &Objects, name: Sym) -> Option<Value> {
        let v = self.slot(ob.shapes.slot(self.shape(), name)?).get();
        (!v.is_undef()).then_some(v)
    }

    pub fn set(&self, ob: &Objects, name: Sym, v: Value) {
        if let Some(i) = ob.shapes.slot(self.shape(), name) {
            return store(&self.h, self.slot(i), v);
        }
        let i = ob.shapes.len(self.shape());
        self.reserve(ob, i as usize + 1);
        self.h.shape.set(ob.shapes.add(self.shape(), name).0);
        store(&self.h, self.slot(i), v);
    }

    /// Makes room for `n` variables.
    pub fn reserve(&self, ob: &Objects, n: usize) {
        if n <= self.cap.get() {
            return;
        }
        let cap = n.next_power_of_two().max(8);
        ob.heap.charge(cap * 8);
        let mut buf: Vec<Cell<Value>> = Vec::with_capacity(cap);
        for i in 0..cap {
            buf.push(Cell::new(if i < self.cap.get() { self.slot(i as u32).get() } else { NIL }));
        }
        let new = Box::into_raw(buf.into_boxed_slice()) as *mut Cell<Value>;
        self.free_buffer(&ob.heap);
        self.slots.set(new);
        self.cap.set(cap);
    }

    fn free_buffer(&self, heap: &Heap) {
        if !self.is_inline() {
            heap.uncharge(self.cap.get() * 8);
            // SAFETY: O1: a boxed slice of `cap` cells that only we own.
            std::mem::drop(unsafe {
                Box::from_raw(std::ptr::slice_from_raw_parts_mut(self.slots.get(), self.cap.get()))
            });
        }
    }

    pub fn remove(&self, ob: &Objects, name: Sym) -> Option<Value> {
        let old = self.get(ob, name)?;
        // The remaining variables get a fresh shape, in order.
        let rest: Vec<Sym> = ob.shapes.names(self.shape()).into_iter().filter(|&n| n != name).collect();
        let mut shape = shape::ROOT;
        for (to, n) in rest.into_iter().enumerate() {
            let from = ob.shapes.slot(self.shape(), n)?;
            let v = self.slot(from).get();
            store(&self.h, self.slot(to as u32), v);
            shape = ob.shapes.add(shape, n);
        }
        self.h.shape.set(shape.0);
        Some(old)
    }

    pub fn names(&self, ob: &Objects) -> Vec<Sym> {
        ob.shapes.names(self.shape())
    }
}

/// # Safety
/// `p` is a live `RObject`.
pub unsafe fn trace(p: *mut Header, m: &mut Marker) {
    // SAFETY: the caller's promise; every slot up to cap is initialised.
    unsafe {
        let o = &*(p as *const RObject);
        for i in 0..o.cap.get() {
            m.value((*o.slots.get().add(i)).get());
        }
    }
}

/// # Safety
/// `p` is a dead `RObject`.
pub unsafe fn drop(p: *mut Header, heap: &Heap) {
    // SAFETY: the caller's promise.
    unsafe { (*(p as *const RObject)).free_buffer(heap) }
}
