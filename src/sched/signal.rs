//! Signals: a handler sets a bit and wakes somebody; the main thread is interrupted at the next safepoint.
//! The only statics of the scheduler are here, for a handler has no other way to find anything: at most one
//! scheduler in the process receives signals, the last that called [`Sched::catch_signal`].
use super::sync::{AtomicBool, AtomicPtr, AtomicU64, Ordering};
use super::{Sched, interrupt};
use std::ptr::null_mut;
use std::sync::Once;

static RECEIVER: AtomicPtr<Sched> = AtomicPtr::new(null_mut());
static NUDGE: Once = Once::new();

/// Ends system calls, and does nothing else. Ruby programs may not trap it.
pub const NUDGE_SIGNAL: i32 = libc::SIGVTALRM;

/// A signal may come just before a system call begins, with nobody else awake to notice: then again after this long.
const AGAIN: i64 = 10_000_000;

/// Signals that came and were not taken yet.
#[derive(Default)]
pub(super) struct Sink {
    pending: AtomicU64,
    /// A kernel timer that sends NUDGE_SIGNAL.
    timer: AtomicPtr<libc::c_void>,
    has_timer: AtomicBool,
}

impl Sink {
    /// Makes the timer. Again in a forked child, which inherits none.
    pub(super) fn make_timer(&self) {
        // SAFETY: a zeroed sigevent is valid; both are ours.
        unsafe {
            let mut event: libc::sigevent = std::mem::zeroed();
            event.sigev_notify = libc::SIGEV_SIGNAL;
            event.sigev_signo = NUDGE_SIGNAL;
            let mut timer = null_mut();
            let made = libc::timer_create(libc::CLOCK_MONOTONIC, &mut event, &mut timer) == 0;
            self.timer.store(timer, Ordering::SeqCst);
            self.has_timer.store(made, Ordering::SeqCst);
        }
    }

    pub(super) fn remake_timer(&self) {
        if self.has_timer.load(Ordering::SeqCst) {
            self.make_timer();
        }
    }

    fn start_timer(&self) {
        if self.has_timer.load(Ordering::SeqCst) {
            let zero = libc::timespec { tv_sec: 0, tv_nsec: 0 };
            let once = libc::itimerspec { it_interval: zero, it_value: libc::timespec { tv_nsec: AGAIN, ..zero } };
            // SAFETY: the timer is ours; timer_settime may be called in a signal handler.
            unsafe { libc::timer_settime(self.timer.load(Ordering::SeqCst), 0, &once, null_mut()) };
        }
    }
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

/// Runs `f` for the receiver, as a signal handler must: errno as it was, for who was interrupted may be about to read
/// it.
fn handle(f: impl FnOnce(&Sched)) {
    // SAFETY: the receiver is never freed.
    unsafe {
        let errno = *libc::__errno_location();
        if let Some(sched) = RECEIVER.load(Ordering::SeqCst).as_ref() {
            f(sched);
        }
        *libc::__errno_location() = errno;
    }
}

extern "C" fn nudged(_: i32) {
    handle(|sched| {
        if sched.interrupt.load(Ordering::SeqCst) & interrupt::SIGNAL != 0 && sched.unwatched_region() {
            sched.signals.start_timer();
        }
    });
}

extern "C" fn note(signo: i32) {
    handle(|sched| {
        sched.signals.pending.fetch_or(1 << (signo & 63), Ordering::SeqCst);
        sched.interrupt.0.fetch_or(interrupt::SIGNAL, Ordering::SeqCst);
        if sched.unwatched_region() {
            sched.signals.start_timer();
        }
        sched.rouse_for_signal();
    });
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
        set_handler(NUDGE_SIGNAL, nudged as extern "C" fn(i32) as libc::sighandler_t);
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
                if !self.signals.has_timer.load(Ordering::SeqCst) {
                    self.signals.make_timer();
                }
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
