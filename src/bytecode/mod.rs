//! Bytecode: the opcode table, the code object, the printer. Reference.
pub mod iseq;
pub mod op;
pub mod proto;
