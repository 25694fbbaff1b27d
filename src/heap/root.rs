//! The one rooting rule, for everybody who writes Rust that handles Ruby values.
//!
//! **A value stays alive while it is in a local variable, in an argument, in a register of a frame, or in a heap
//! object that is alive. It does not while it is only in a `Vec`, `Box`, `HashMap` or other memory of Rust's
//! allocator.**
//!
//! So a builtin that gathers values gathers them in a Ruby array (`RArray::new`), never in a `Vec<Value>`; and a
//! native type that keeps values implements `trace` for them. Slices of values on the native stack (`[Value; 3]`,
//! `SmallVec`-like inline buffers) are fine: the collector scans native stacks word by word.
//!
//! A raw pointer into an object's own buffer does not keep the object alive: keep the object in a local that is used
//! after the loop (`keep`), or index afresh at each turn.

use crate::value::Value;

/// Uses a value in a way the optimiser cannot remove, so that it is alive up to here.
#[inline(always)]
pub fn keep(v: Value) {
    std::hint::black_box(v);
}
