//! Signals: a handler sets a bit and wakes somebody; the main thread is interrupted at the next safepoint.
//! The only statics of the scheduler are here, for a handler has no other way to find anything: at most one
//! scheduler in the process receives signals, the last that called [`Sched::catch_signal`].
use super::sync::{AtomicPtr, AtomicU64, Ordering};
use super::{Sched, interrupt};
use std::ptr::null_mut;
use std::sync::Once;

static RECEIVER: AtomicPtr<Sched> = AtomicPtr::new(null_mut());
static NUDGE: Once = Once::new();

/// Ends system calls, and does nothing else. Ruby programs may not trap it.
pub const NUDGE_SIGNAL: i32 = libc::SIGVTALRM;

/// Signals that came and were not taken yet.
#[derive(Default)]
pub(super) struct Sink {
    pending: AtomicU64,
}

/// What to do about a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disposition {
    /// What the system does.
    Default,
    /// Nothing.
    Ignore,
    /// Note it for [`Sched::take_signals`].
    Catch,
}

extern "C" fn nothing(_: i32) {}

extern "C" fn note(signo: i32) {
    // SAFETY: errno is restored, as whoever was interrupted may be about to read it. The receiver is never freed.
    unsafe {
        let errno = *libc::__errno_location();
        if let Some(sched) = RECEIVER.load(Ordering::SeqCst).as_ref() {
            sched.signals.pending.fetch_or(1 << (signo & 63), Ordering::SeqCst);
            sched.interrupt.0.fetch_or(interrupt::SIGNAL, Ordering::SeqCst);
            sched.rouse_for_signal();
        }
        *libc::__errno_location() = errno;
    }
}

fn set_handler(signo: i32, handler: libc::sighandler_t) -> bool {
    // SAFETY: a zeroed sigaction is valid, and our handlers are async-signal-safe. No SA_RESTART: a system call must
    // return for its thread to notice.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler;
        action.sa_flags = libc::SA_ONSTACK;
        libc::sigaction(signo, &action, null_mut()) == 0
    }
}

pub(super) fn install_nudge() {
    NUDGE.call_once(|| {
        set_handler(NUDGE_SIGNAL, nothing as extern "C" fn(i32) as libc::sighandler_t);
    });
}

/// Makes a worker's system call fail with EINTR. A stray one is harmless: every caller retries.
pub(super) fn nudge(tid: i32) {
    // SAFETY: no pointers; the thread is of our own process or gone.
    unsafe { libc::syscall(libc::SYS_tgkill, libc::getpid(), tid, NUDGE_SIGNAL) };
}

/// A signal may come to it at any time, so it must stay.
pub(super) fn owned_by(sched: &Sched) -> bool {
    std::ptr::eq(RECEIVER.load(Ordering::SeqCst), sched)
}

impl Sched {
    /// Sets what happens on `signo` (1 to 63, not [`NUDGE_SIGNAL`]); false if the system refuses. The scheduler is
    /// not freed any more once it catches signals.
    pub fn catch_signal(&self, signo: i32, what: Disposition) -> bool {
        if !(1..64).contains(&signo) || signo == NUDGE_SIGNAL {
            return false;
        }
        match what {
            Disposition::Default => set_handler(signo, libc::SIG_DFL),
            Disposition::Ignore => set_handler(signo, libc::SIG_IGN),
            Disposition::Catch => {
                RECEIVER.store(std::ptr::from_ref(self).cast_mut(), Ordering::SeqCst);
                set_handler(signo, note as extern "C" fn(i32) as libc::sighandler_t)
            }
        }
    }

    /// The signals that came since the last call: bit `n` for signal `n`. The main thread calls this when interrupted.
    pub fn take_signals(&self) -> u64 {
        self.signals.pending.swap(0, Ordering::SeqCst)
    }
}
