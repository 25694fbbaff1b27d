//! The three kernel calls that native workers sleep and wake by: futex wait, futex wake, membarrier.
use super::sync::AtomicU32;

/// Sleeps while `*word == seen`, at most `timeout` nanoseconds. Returns early on a wake, a signal or a change; callers loop.
pub fn wait(word: &AtomicU32, seen: u32, timeout: Option<u64>) {
    let spec =
        timeout.map(|ns| libc::timespec { tv_sec: (ns / 1_000_000_000) as _, tv_nsec: (ns % 1_000_000_000) as _ });
    let spec = spec.as_ref().map_or(std::ptr::null(), |s| s as *const libc::timespec);
    // SAFETY: `word` is a live, aligned 32-bit word and `spec` is null or points at a timespec of this frame.
    unsafe {
        libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAIT | libc::FUTEX_PRIVATE_FLAG, seen, spec);
    }
}

/// Wakes up to `count` sleepers of `word`. Safe to call from a signal handler.
pub fn wake(word: &AtomicU32, count: i32) {
    // SAFETY: the kernel only uses the address of `word` as a key.
    unsafe {
        libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG, count);
    }
}

/// From linux/membarrier.h.
const MEMBARRIER_CMD_PRIVATE_EXPEDITED: libc::c_int = 1 << 3;
const MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED: libc::c_int = 1 << 4;

/// Lets this process use [`barrier`]. Returns whether the kernel knows it.
pub fn register_barrier() -> bool {
    // SAFETY: no pointers are passed.
    unsafe { libc::syscall(libc::SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0 }
}

/// A full fence on every running thread of the process: the cheap side of the pair needs only program order.
pub fn barrier() {
    // SAFETY: no pointers are passed.
    unsafe {
        libc::syscall(libc::SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
    }
}
