//! Bytecode: the opcode table, the code object, the printer, the checker. Reference.
pub mod check;
pub mod disasm;
pub mod iseq;
pub mod op;
pub mod proto;
