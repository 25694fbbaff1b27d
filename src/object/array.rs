//! Array: a growable buffer of values with room in front, so that `shift` and `unshift` are cheap.

use super::{Ary, Class, Objects, Ref, ty};
use crate::heap::{Header, Heap, Marker};
use crate::value::{NIL, Value};
use std::cell::Cell;

/// A1  `buf` is a buffer of `cap` values of ours (dangling when `cap` is 0); `off + len <= cap`
/// A2  the values in `off..off+len` are initialised
#[repr(C)]
pub struct RArray {
    pub h: Header,
    buf: Cell<*mut Value>,
    off: Cell<usize>,
    len: Cell<usize>,
    cap: Cell<usize>,
}

/// Longest array: what `ArgumentError: array size too big` guards.
pub const MAX_LEN: usize = (isize::MAX as usize) / 8;

impl RArray {
    /// An empty array with room for `cap` elements.
    pub fn new(ob: &Objects, cap: usize) -> Ary {
        Self::with_class(ob, ob.classes.array.get(), cap)
    }
    pub fn with_class(ob: &Objects, class: Class, cap: usize) -> Ary {
        let h = Header::new(class.as_ptr() as *mut Header, ty::ARRAY);
        let cell = RArray {
            h,
            buf: Cell::new(std::ptr::dangling_mut()),
            off: Cell::new(0),
            len: Cell::new(0),
            cap: Cell::new(0),
        };
        // SAFETY: just allocated.
        let a: Ary = unsafe { Ref::new(ob.heap.alloc::<_, true>(cell)) };
        if cap > 0 {
            a.grow_to(ob, cap);
        }
        a
    }
    /// A copy of values that are rooted elsewhere (arguments, registers, another array, the native stack).
    pub fn from_slice(ob: &Objects, vs: &[Value]) -> Ary {
        let a = Self::new(ob, vs.len());
        // SAFETY: A1: there is room for all of them.
        unsafe { std::ptr::copy_nonoverlapping(vs.as_ptr(), a.buf.get(), vs.len()) };
        a.len.set(vs.len());
        a
    }

    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len.get()
    }
    pub fn is_empty(&self) -> bool {
        self.len.get() == 0
    }
    #[inline(always)]
    fn at(&self, i: usize) -> *mut Value {
        // SAFETY: A1: callers keep `off + i` within `cap`.
        unsafe { self.buf.get().add(self.off.get() + i) }
    }
    /// The elements. Invalid once the array changes: use at once, never across a call to Ruby.
    #[inline(always)]
    pub fn slice(&self) -> &'static [Value] {
        // SAFETY: A2; the doc comment passes the duty on.
        unsafe { std::slice::from_raw_parts(self.at(0), self.len.get()) }
    }
    /// Element `i`, nil past the end.
    #[inline(always)]
    pub fn get(&self, i: usize) -> Value {
        if i < self.len.get() {
            // SAFETY: A2.
            unsafe { *self.at(i) }
        } else {
            NIL
        }
    }
    /// Element `i`, counted from the end when negative; nil outside.
    #[inline(always)]
    pub fn get_signed(&self, i: i64) -> Value {
        let n = if i < 0 { i + self.len.get() as i64 } else { i };
        if n < 0 { NIL } else { self.get(n as usize) }
    }
    pub fn last(&self) -> Value {
        self.get(self.len.get().wrapping_sub(1))
    }

    /// Makes room for `n` elements in all. May collect.
    pub fn reserve(&self, ob: &Objects, n: usize) {
        if self.off.get() + n > self.cap.get() {
            self.grow_to(ob, n);
        }
    }

    #[cold]
    #[inline(never)]
    fn grow_to(&self, ob: &Objects, n: usize) {
        let (len, cap) = (self.len.get(), self.cap.get());
        if n <= cap && self.off.get() >= cap / 2 {
            // Plenty of room in front: move down.
            // SAFETY: A1: both ranges are within the buffer.
            unsafe { std::ptr::copy(self.at(0), self.buf.get(), len) };
            self.off.set(0);
            return;
        }
        let new_cap = n.max(len + len / 2).max(4);
        ob.heap.charge((new_cap - cap.min(new_cap)) * 8);
        let mut v: Vec<Value> = Vec::with_capacity(new_cap);
        v.extend_from_slice(self.slice());
        let mut v = std::mem::ManuallyDrop::new(v);
        self.free_buffer();
        self.buf.set(v.as_mut_ptr());
        self.off.set(0);
        self.cap.set(v.capacity());
    }

    fn free_buffer(&self) {
        if self.cap.get() > 0 {
            // SAFETY: A1: a Vec buffer of ours; values need no drop.
            std::mem::drop(unsafe { Vec::from_raw_parts(self.buf.get(), 0, self.cap.get()) });
        }
    }

    /// Stores an element below `len`.
    #[inline(always)]
    pub fn set(&self, i: usize, v: Value) {
        debug_assert!(i < self.len.get());
        // SAFETY: A2; `Cell` has the layout of its content.
        super::store(&self.h, unsafe { &*(self.at(i) as *const Cell<Value>) }, v)
    }
    /// Stores at any index, filling the gap with nil. The caller has checked the index against `MAX_LEN`.
    pub fn set_grow(&self, ob: &Objects, i: usize, v: Value) {
        if i >= self.len.get() {
            self.resize(ob, i + 1);
        }
        self.set(i, v)
    }
    #[inline(always)]
    pub fn push(&self, ob: &Objects, v: Value) {
        let n = self.len.get();
        if self.off.get() + n >= self.cap.get() {
            self.grow_to(ob, n + 1);
        }
        self.len.set(n + 1);
        // SAFETY: A1: there is room.
        unsafe { self.at(n).write(v) };
    }
    /// Appends values rooted elsewhere; `vs` may be this array's own slice.
    pub fn extend(&self, ob: &Objects, vs: &[Value]) {
        let n = self.len.get();
        let own = std::ptr::eq(vs.as_ptr(), self.at(0));
        self.reserve(ob, n + vs.len());
        let from = if own { self.at(0) as *const Value } else { vs.as_ptr() };
        // SAFETY: A1: there is room; source and destination do not overlap.
        unsafe { std::ptr::copy_nonoverlapping(from, self.at(n), vs.len()) };
        self.len.set(n + vs.len());
    }
    pub fn pop(&self) -> Option<Value> {
        let n = self.len.get();
        if n == 0 {
            return None;
        }
        self.len.set(n - 1);
        // SAFETY: A2 held for it a moment ago.
        Some(unsafe { *self.at(n - 1) })
    }
    pub fn shift(&self) -> Option<Value> {
        let n = self.len.get();
        if n == 0 {
            return None;
        }
        // SAFETY: A2.
        let v = unsafe { *self.at(0) };
        self.off.set(self.off.get() + 1);
        self.len.set(n - 1);
        Some(v)
    }
    pub fn unshift(&self, ob: &Objects, v: Value) {
        self.insert_slice(ob, 0, &[v])
    }
    /// Inserts values (rooted elsewhere) before `at`, which is at most `len`.
    pub fn insert_slice(&self, ob: &Objects, at: usize, vs: &[Value]) {
        let (n, k) = (self.len.get(), vs.len());
        debug_assert!(at <= n);
        if at == 0 && self.off.get() >= k {
            self.off.set(self.off.get() - k);
        } else {
            if at == 0 && self.off.get() + n + k > self.cap.get() {
                // Leave room in front for the next ones.
                let front = (n / 2).max(4);
                self.grow_to(ob, n + k + front);
                // SAFETY: A1.
                unsafe { std::ptr::copy(self.at(0), self.buf.get().add(front + k), n) };
                self.off.set(front);
            } else {
                self.reserve(ob, n + k);
                // SAFETY: A1: room for k more.
                unsafe { std::ptr::copy(self.at(at), self.at(at + k), n - at) };
            }
        }
        // SAFETY: A1: the gap of k.
        unsafe { std::ptr::copy_nonoverlapping(vs.as_ptr(), self.at(at), k) };
        self.len.set(n + k);
    }
    /// Removes `count` elements from `at`; both within the array.
    pub fn remove_range(&self, at: usize, count: usize) {
        let n = self.len.get();
        debug_assert!(at + count <= n);
        if at == 0 {
            self.off.set(self.off.get() + count);
        } else {
            // SAFETY: A1.
            unsafe { std::ptr::copy(self.at(at + count), self.at(at), n - at - count) };
        }
        self.len.set(n - count);
    }
    pub fn remove(&self, at: usize) -> Value {
        let v = self.get(at);
        self.remove_range(at, 1);
        v
    }
    pub fn truncate(&self, n: usize) {
        self.len.set(self.len.get().min(n));
    }
    /// Sets the length, filling with nil.
    pub fn resize(&self, ob: &Objects, n: usize) {
        self.reserve(ob, n);
        for i in self.len.get()..n {
            // SAFETY: A1: there is room.
            unsafe { self.at(i).write(NIL) };
        }
        self.len.set(n);
    }
    pub fn clear(&self, heap: &Heap) {
        heap.uncharge(self.cap.get() * 8);
        self.free_buffer();
        self.buf.set(std::ptr::dangling_mut());
        self.off.set(0);
        self.len.set(0);
        self.cap.set(0);
    }
    /// Becomes a copy of `vs` (rooted elsewhere, or this array's own).
    pub fn replace(&self, ob: &Objects, vs: &[Value]) {
        self.reserve(ob, vs.len());
        // SAFETY: A1: there is room; the ranges may overlap.
        unsafe { std::ptr::copy(vs.as_ptr(), self.at(0), vs.len()) };
        self.len.set(vs.len());
    }
    pub fn reverse(&self) {
        // SAFETY: A2; no other reference to the elements exists during the call.
        unsafe { std::slice::from_raw_parts_mut(self.at(0), self.len.get()).reverse() }
    }
    pub fn swap(&self, i: usize, j: usize) {
        let (a, b) = (self.get(i), self.get(j));
        self.set(i, b);
        self.set(j, a);
    }
}

/// # Safety
/// `p` is a live `RArray`.
pub unsafe fn trace(p: *mut Header, m: &mut Marker) {
    // SAFETY: the caller's promise; A2.
    m.values(unsafe { (*(p as *const RArray)).slice() })
}

/// # Safety
/// `p` is a dead `RArray`.
pub unsafe fn drop(p: *mut Header, heap: &Heap) {
    // SAFETY: the caller's promise.
    unsafe {
        let a = &*(p as *const RArray);
        heap.uncharge(a.cap.get() * 8);
        a.free_buffer()
    }
}
