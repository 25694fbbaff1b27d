//! The condition variable under Ruby's: one word. A signal while the mutex is taken moves the waiter to the mutex's
//! queue instead of waking it in vain.
use super::{Coro, RawMutex, Sched, Until, WaitQ, Waiter, Wake};

/// A condition variable. GVL held for every call. May not move while threads wait, nor be dropped.
#[repr(transparent)]
#[derive(Default)]
pub struct RawCondvar {
    queue: WaitQ,
}

impl RawCondvar {
    /// Nobody waits.
    pub const fn new() -> RawCondvar {
        RawCondvar { queue: WaitQ::new() }
    }

    /// Lets go of `mutex`, which `me` owns, sleeps until signalled, and takes it again, in any case. An interrupt
    /// that comes while taking it is left pending.
    pub fn wait(&self, sched: &Sched, mutex: &RawMutex, me: &Coro, until: Until) -> Wake {
        let waiter = Waiter::new(sched.current(), mutex);
        let owned = mutex.unlock(sched, me);
        debug_assert!(owned, "the caller owns the mutex");
        let wake = sched.park_on(&self.queue, &waiter, false, until);
        mutex.relock(sched, me);
        if waiter.signalled.get() { Wake::Woken } else { wake }
    }

    /// Wakes who has waited longest; false if nobody waits.
    pub fn signal(&self, sched: &Sched) -> bool {
        let Some(first) = self.queue.first() else { return false };
        first.signalled.set(true);
        // SAFETY: W4 - `wait` borrows the mutex.
        let mutex = unsafe { first.mutex.as_ref() };
        if !mutex.is_some_and(|m| m.requeue(sched, first)) {
            sched.wake_one(&self.queue);
        }
        true
    }

    /// Wakes all who wait; returns how many.
    pub fn broadcast(&self, sched: &Sched) -> usize {
        let mut n = 0;
        while self.signal(sched) {
            n += 1;
        }
        n
    }

    /// Threads waiting.
    pub fn waiting(&self) -> usize {
        self.queue.len()
    }
}
