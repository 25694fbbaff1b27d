//! minirb: a small, fast Ruby with threads that cost almost nothing.
pub use minirb_syntax as syntax;

pub mod bytecode;
pub mod cli;
pub mod compile;
pub mod core;
pub mod heap;
pub mod object;
pub mod sched;
pub mod sys;
pub mod value;
pub mod vm;
