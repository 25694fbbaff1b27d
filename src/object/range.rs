//! Range: two ends, immutable.

use super::{Class, Objects, Range, Ref, ty};
use crate::heap::{Header, Marker, flags};
use crate::value::Value;
use std::cell::Cell;

#[repr(C)]
pub struct RRange {
    pub h: Header,
    pub lo: Cell<Value>,
    pub hi: Cell<Value>,
    pub exclusive: Cell<bool>,
}

impl RRange {
    /// A frozen range; comparing the ends is the caller's business.
    pub fn new(ob: &Objects, lo: Value, hi: Value, exclusive: bool) -> Range {
        let r = Self::with_class(ob, ob.classes.range.get(), lo, hi, exclusive);
        r.h.set(flags::FROZEN);
        r
    }
    pub fn with_class(ob: &Objects, class: Class, lo: Value, hi: Value, exclusive: bool) -> Range {
        let h = Header::new(class.as_ptr() as *mut Header, ty::RANGE);
        let cell = RRange { h, lo: Cell::new(lo), hi: Cell::new(hi), exclusive: Cell::new(exclusive) };
        // SAFETY: just allocated.
        unsafe { Ref::new(ob.heap.alloc::<_, false>(cell)) }
    }
}

/// # Safety
/// `p` is a live `RRange`.
pub unsafe fn trace(p: *mut Header, m: &mut Marker) {
    // SAFETY: the caller's promise.
    unsafe {
        let r = &*(p as *const RRange);
        m.value(r.lo.get());
        m.value(r.hi.get());
    }
}
