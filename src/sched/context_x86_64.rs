//! x86-64, System V calling convention. MXCSR and the x87 control word are not switched: nobody here changes them.
use super::{Arch, AtomicPtr};
use std::arch::{asm, naked_asm};

/// x86-64.
pub struct Cpu;

impl Arch for Cpu {
    /// ```text
    /// top -  8   0                  alignment
    /// top - 16   0                  end of the chain of return addresses
    /// top - 24   trampoline         where the first switch continues
    /// top - 32   rbp = entry
    /// top - 40   rbx = arg          <- sp
    /// ```
    unsafe fn prepare(top: *mut u8, entry: extern "C" fn(*mut ()) -> !, arg: *mut ()) -> *mut u8 {
        let words = [arg as usize, entry as usize, trampoline as *const () as usize, 0, 0];
        let sp = top.wrapping_sub(size_of_val(&words));
        // SAFETY: the caller vouches for the 128 bytes below `top`.
        unsafe { sp.cast::<[usize; 5]>().write(words) };
        sp
    }

    /// Inline, and left by a jump: a call and a return would unbalance the processor's return predictor. The compiler
    /// spills what it needs of the other registers, for all count as clobbered.
    #[inline(always)]
    unsafe fn switch(save: *const AtomicPtr<u8>, to: *mut u8) {
        // SAFETY: as promised by our caller; every register is saved by us or declared clobbered.
        unsafe {
            asm!(
                "lea rax, [rip + 2f]",
                "push rax",
                "push rbp",
                "push rbx",
                "mov [rdi], rsp",
                "mov rsp, rsi",
                "pop rbx",
                "pop rbp",
                "pop rax",
                "jmp rax",
                "2:",
                inout("rdi") save => _,
                inout("rsi") to => _,
                out("r12") _, out("r13") _, out("r14") _, out("r15") _,
                clobber_abi("sysv64"),
            )
        }
    }

    #[inline(always)]
    unsafe fn call_spilled(save: *const AtomicPtr<u8>, f: unsafe extern "C" fn(*mut ()), data: *mut ()) {
        // SAFETY: as promised by our caller.
        unsafe { call_spilled(data, f, save) }
    }
}

/// First code on a new stack: `entry(arg)`, which does not return.
#[unsafe(naked)]
unsafe extern "C" fn trampoline() {
    naked_asm!("mov rdi, rbx", "mov rax, rbp", "xor ebp, ebp", "call rax", "ud2")
}

#[unsafe(naked)]
unsafe extern "C" fn call_spilled(_data: *mut (), _f: unsafe extern "C" fn(*mut ()), _save: *const AtomicPtr<u8>) {
    naked_asm!(
        "push rbp",
        "push rbx",
        "push r12",
        "push r13",
        "push r14",
        "push r15",
        "sub rsp, 8",
        "mov [rdx], rsp",
        "call rsi",
        "add rsp, 8",
        "pop r15",
        "pop r14",
        "pop r13",
        "pop r12",
        "pop rbx",
        "pop rbp",
        "ret",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ptr::null_mut;

    struct Pair {
        home: AtomicPtr<u8>,
        away: AtomicPtr<u8>,
        count: u64,
    }

    extern "C" fn counter(pair: *mut ()) -> ! {
        let pair = pair.cast::<Pair>();
        loop {
            // SAFETY: the test keeps `pair` alive while it switches here, and does not touch it meanwhile.
            unsafe {
                (*pair).count += 1;
                Cpu::switch(&raw const (*pair).away, (*pair).home.load(std::sync::atomic::Ordering::Relaxed));
            }
        }
    }

    #[test]
    fn a_context_keeps_its_place() {
        let mut stack = vec![0u128; 4096];
        let mut pair = Pair { home: AtomicPtr::new(null_mut()), away: AtomicPtr::new(null_mut()), count: 0 };
        let p = &raw mut pair;
        // SAFETY: the stack is large, aligned and outlives the context.
        unsafe {
            let sp = Cpu::prepare(stack.as_mut_ptr_range().end.cast(), counter, p.cast());
            (*p).away.store(sp, std::sync::atomic::Ordering::Relaxed);
            for _ in 0..1000 {
                Cpu::switch(&raw const (*p).home, (*p).away.load(std::sync::atomic::Ordering::Relaxed));
            }
            assert_eq!((*p).count, 1000);
        }
    }

    unsafe extern "C" fn bump(n: *mut ()) {
        // SAFETY: the test passes the address of its u32.
        unsafe { *n.cast::<u32>() += 1 }
    }

    #[test]
    fn spilled_calls_publish_sp() {
        let save = AtomicPtr::new(null_mut());
        let mut n = 0u32;
        // SAFETY: `bump` wants a u32.
        unsafe { Cpu::call_spilled(&save, bump, (&raw mut n).cast()) };
        let here = &raw const n as usize;
        let sp = save.load(std::sync::atomic::Ordering::Relaxed) as usize;
        assert!(n == 1 && sp < here && here - sp < 4096);
    }
}
