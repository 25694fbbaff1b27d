//! The interpreter loop.
use super::Vm;
use crate::bytecode::op::Ins;
use crate::value::{Ruby, Value};

pub fn run(_vm: Vm, _base: *mut Value, _pc: *const Ins) -> Ruby {
    todo!()
}

/// The native stack pointer, roughly.
#[inline(always)]
pub fn stack_pointer() -> usize {
    let sp: usize;
    // SAFETY: reads a register.
    unsafe { std::arch::asm!("mov {}, rsp", out(reg) sp, options(nomem, nostack, preserves_flags)) };
    sp
}

/// Calls `f` with the stack pointer after the callee-saved registers were put on the stack.
#[inline(never)]
pub fn with_spilled_registers(f: &mut dyn FnMut(usize)) {
    let mut regs = [0u64; 8];
    // SAFETY: stores registers into our own array.
    unsafe {
        std::arch::asm!(
            "mov [{0}], rbx", "mov [{0} + 8], rbp", "mov [{0} + 16], r12", "mov [{0} + 24], r13", "mov [{0} + 32], r14", "mov [{0} + 40], r15",
            in(reg) regs.as_mut_ptr(), options(nostack, preserves_flags)
        )
    };
    f(std::hint::black_box(&regs) as *const _ as usize)
}
