//! Heap numbers: floats beyond the immediate range and big integers.

use super::{Objects, ty};
use crate::heap::{Header, Heap};
use crate::value::Value;
use num_bigint::BigInt;

#[repr(C)]
pub struct RFloat {
    pub h: Header,
    pub value: f64,
}

impl RFloat {
    pub fn alloc(ob: &Objects, value: f64) -> Value {
        let h = Header::new(ob.classes.float.get().as_ptr() as *mut Header, ty::FLOAT);
        let p = ob.heap.alloc::<_, false>(RFloat { h, value });
        // SAFETY: just allocated.
        unsafe { Value::from_ptr(p) }
    }
}

#[repr(C)]
pub struct RBignum {
    pub h: Header,
    pub value: BigInt,
}

impl RBignum {
    /// Use `Objects::bigint`, which normalises.
    pub fn alloc(ob: &Objects, value: BigInt) -> Value {
        ob.heap.charge(value.bits() as usize / 8);
        let h = Header::new(ob.classes.integer.get().as_ptr() as *mut Header, ty::BIGNUM);
        let p = ob.heap.alloc::<_, true>(RBignum { h, value });
        // SAFETY: just allocated.
        unsafe { Value::from_ptr(p) }
    }
}

/// # Safety
/// `p` is a dead `RBignum`.
pub unsafe fn drop_bignum(p: *mut Header, heap: &Heap) {
    // SAFETY: the caller's promise; it runs once.
    unsafe {
        let b = p as *mut RBignum;
        heap.uncharge((*b).value.bits() as usize / 8);
        std::ptr::drop_in_place(&raw mut (*b).value);
    }
}
