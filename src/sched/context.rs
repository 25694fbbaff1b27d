//! Leaving one stack and landing on another, in a few instructions. One file per CPU; nothing here knows of threads.
//!
//! A context that is not running is one word, its stack pointer; the callee-saved registers lie just above it on
//! that stack, so that a collector scanning `[sp, top)` sees every value the code may come back to.
#[cfg(target_arch = "x86_64")]
#[path = "context_x86_64.rs"]
mod arch;

use super::sync::AtomicPtr;

/// What each CPU's file provides. `Cpu` is the one of the machine we are compiled for.
pub trait Arch {
    /// Lays out a first frame below `top`, so that the first switch to the returned stack pointer calls
    /// `entry(arg)`. `entry` never returns.
    ///
    /// # Safety
    /// At least 128 writable bytes lie below `top`, which is 16-aligned.
    unsafe fn prepare(top: *mut u8, entry: extern "C" fn(*mut ()) -> !, arg: *mut ()) -> *mut u8;

    /// Saves this context's stack pointer in `save`, and continues the context saved as `to`. Returns when
    /// somebody switches to what was saved, perhaps on another native thread.
    ///
    /// # Safety
    /// `to` came from `prepare` or from a save since which nothing ran on that stack; both stacks are mapped.
    unsafe fn switch(save: *const AtomicPtr<u8>, to: *mut u8);

    /// Spills the callee-saved registers, publishes the stack pointer in `save` and calls `f(data)`: whatever the
    /// callers hold is then found in `[*save, top)` for as long as `f` runs.
    ///
    /// # Safety
    /// As for calling `f(data)`; `save` is valid.
    unsafe fn call_spilled(save: *const AtomicPtr<u8>, f: unsafe extern "C" fn(*mut ()), data: *mut ());
}

pub use arch::Cpu;
