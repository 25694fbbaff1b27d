//! Text to AST. Knows nothing of the VM.
pub mod ast;
