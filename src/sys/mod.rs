//! Blocking system calls, the GVL let go.
pub mod nogvl;
