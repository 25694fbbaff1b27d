//! The one door for system calls that may block.
//!
//! Opening and closing it costs two atomic operations: the GVL is not handed over, only marked as free for the
//! taking, and the monitor takes it when the call lasts and others wait. What the closure touches is plain data,
//! copied or pinned: other green threads and the collector may run meanwhile.
//!
//! In the closure: no `&Sched`, nothing that parks, no Ruby value; read `errno` before it ends, for after it the code
//! may be on another native thread. Calls may fail with EINTR at any time, without an interrupt for this thread:
//! retry after looking at the thread's interrupts.
use crate::sched::Sched;
pub use crate::sched::Ubf;
use crate::sched::gvl::State;

/// Runs `f` without the GVL if it lasts, under it if nobody needs it. `ubf` is how to interrupt it.
#[inline(always)]
pub fn nogvl<R>(sched: &Sched, ubf: Ubf, f: impl FnOnce() -> R) -> R {
    sched.blocking(State::Sys, ubf, f)
}

/// The same for calls known to block, such as reading from a terminal: others may run at once.
#[inline(always)]
pub fn nogvl_eager<R>(sched: &Sched, ubf: Ubf, f: impl FnOnce() -> R) -> R {
    sched.blocking(State::Eager, ubf, f)
}
