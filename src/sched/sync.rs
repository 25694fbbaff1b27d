//! The atomics the scheduler is built from. One door, so that a model checker can stand in for them.
pub use std::sync::Mutex;
pub use std::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, AtomicU32, AtomicU64, Ordering, compiler_fence};

/// Keeps what it wraps on cache lines of its own (two, for the adjacent-line prefetcher).
#[repr(align(128))]
#[derive(Default)]
pub struct Pad<T>(pub T);

impl<T> std::ops::Deref for Pad<T> {
    type Target = T;
    #[inline(always)]
    fn deref(&self) -> &T {
        &self.0
    }
}
