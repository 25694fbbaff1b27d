//! The lock under Ruby's Mutex: 16 bytes, a compare and a store when free. Nothing here knows of Ruby.
//!
//! M1  the word is `owner serial:56 | flags:8`; 0 is free, nobody waiting. The owner is a coro
//! M2  WAITERS is set while the queue is not empty
//! M3  when the lock is let go with waiters queued, the first is woken; it takes the lock, or finds it taken and queues
//!     again, in front. Having lost twice it asks for HANDOFF: the next unlock makes it the owner
use super::{Coro, CoroRef, Sched, Until, WaitQ, Waiter, Wake};
use std::cell::Cell;

const WAITERS: u64 = 1;
const HANDOFF: u64 = 2;
const FLAGS: u64 = 0xff;
/// Losses after which a waiter wants the lock handed over.
const PATIENCE: u32 = 2;

/// A mutex. GVL held for every call. May not move while threads wait, nor be dropped.
#[repr(C)]
#[derive(Default)]
pub struct RawMutex {
    word: Cell<u64>,
    queue: WaitQ,
}

/// How taking a lock went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lock {
    /// It is ours.
    Acquired,
    /// The deadline passed.
    TimedOut,
    /// The thread was interrupted (consumed); it does not own the lock.
    Interrupted,
    /// The same coro owns it already.
    Recursive,
    /// Another coro of the same thread owns it, so waiting could never end.
    SiblingOwns,
}

impl RawMutex {
    /// A free mutex.
    pub const fn new() -> RawMutex {
        RawMutex { word: Cell::new(0), queue: WaitQ::new() }
    }

    /// Takes the lock for `me`, the running coro, waiting if need be.
    #[inline(always)]
    pub fn lock(&self, sched: &Sched, me: &Coro, until: Until) -> Lock {
        if self.word.get() == 0 {
            self.own(me, 0);
            Lock::Acquired
        } else {
            self.lock_slow(sched, me, until, true)
        }
    }

    /// Takes the lock if nobody owns it and nobody waits; the short half of `lock`.
    #[inline(always)]
    pub fn lock_fast(&self, me: &Coro) -> bool {
        let free = self.word.get() == 0;
        if free {
            self.own(me, 0);
        }
        free
    }

    /// Takes the lock if it is free.
    #[inline(always)]
    pub fn try_lock(&self, sched: &Sched, me: &Coro) -> bool {
        let free = self.word.get() == 0 || self.owner(sched) == 0;
        if free {
            self.own(me, self.word.get() & FLAGS);
        }
        free
    }

    /// Lets go of the lock. False, and nothing done, if `me` does not own it.
    #[inline(always)]
    pub fn unlock(&self, sched: &Sched, me: &Coro) -> bool {
        if self.word.get() == me.serial << 8 {
            self.word.set(0);
            me.held.set(me.held.get() - 1);
            true
        } else {
            self.unlock_slow(sched, me)
        }
    }

    /// Whether `me` owns it.
    #[inline(always)]
    pub fn owned_by(&self, me: &Coro) -> bool {
        self.word.get() >> 8 == me.serial
    }

    /// Whether anybody owns it.
    pub fn is_locked(&self, sched: &Sched) -> bool {
        self.word.get() >> 8 != 0 && self.owner(sched) != 0
    }

    /// Threads waiting for it.
    pub fn waiting(&self) -> usize {
        self.queue.len()
    }

    /// Whether `waiter` is queued here and `serial` is the owner.
    pub(super) fn keeps_waiting(&self, queue: *const WaitQ, serial: u64) -> bool {
        std::ptr::eq(queue, &self.queue) && self.word.get() >> 8 == serial
    }

    #[inline(always)]
    fn own(&self, me: &Coro, flags: u64) {
        self.word.set(me.serial << 8 | flags);
        me.held.set(me.held.get() + 1);
    }

    /// The owner's serial, or 0; takes the lock away from a dead owner.
    #[inline]
    fn owner(&self, sched: &Sched) -> u64 {
        let owner = self.word.get() >> 8;
        if owner != 0 && sched.abandoned_n.get() != 0 && sched.take_abandoned(owner) {
            self.word.set(self.word.get() & FLAGS);
            return 0;
        }
        owner
    }

    fn set_flags(&self, on: u64, off: u64) {
        self.word.set(self.word.get() & !off | on);
    }

    /// After a waiter left by itself (M2).
    fn settle(&self) {
        if self.queue.is_empty() {
            self.set_flags(0, WAITERS | HANDOFF);
        }
    }

    #[cold]
    #[inline(never)]
    fn lock_slow(&self, sched: &Sched, me: &Coro, until: Until, interruptible: bool) -> Lock {
        let thread = sched.current();
        let (mut losses, mut interrupted) = (0, false);
        let result = loop {
            let owner = self.owner(sched);
            if owner == 0 {
                self.own(me, self.word.get() & FLAGS);
                break Lock::Acquired;
            }
            if owner == me.serial {
                break Lock::Recursive;
            }
            if losses == 0 && thread.coros().any(|c| c.serial == owner) {
                break Lock::SiblingOwns;
            }
            self.set_flags(if losses >= PATIENCE { WAITERS | HANDOFF } else { WAITERS }, 0);
            let waiter = Waiter::new(thread, self);
            let wake = sched.park_on(&self.queue, &waiter, losses > 0, until);
            if self.owned_by(me) {
                break Lock::Acquired;
            }
            match wake {
                Wake::Woken => losses += 1,
                Wake::TimedOut => {
                    self.settle();
                    break Lock::TimedOut;
                }
                Wake::Interrupted if interruptible => {
                    self.settle();
                    break Lock::Interrupted;
                }
                Wake::Interrupted => interrupted = true,
            }
        };
        if interrupted {
            sched.interrupt(thread);
        }
        result
    }

    #[cold]
    #[inline(never)]
    fn unlock_slow(&self, sched: &Sched, me: &Coro) -> bool {
        if !self.owned_by(me) {
            return false;
        }
        me.held.set(me.held.get() - 1);
        self.pass_on(sched);
        true
    }

    /// The owner is gone: wakes the first waiter, or makes it the owner if that was asked for (M3).
    fn pass_on(&self, sched: &Sched) {
        let handoff = self.word.get() & HANDOFF != 0;
        self.word.set(0);
        let Some(first) = self.queue.first() else { return };
        let next = first.thread;
        sched.wake_one(&self.queue);
        let waiters = if self.queue.is_empty() { 0 } else { WAITERS };
        if handoff {
            self.own(&next.coro.get(), waiters);
        } else {
            self.word.set(waiters);
        }
    }

    /// Queues a condition variable's waiter here (W1 as for `push_back`), if the lock is taken.
    pub(super) fn requeue(&self, sched: &Sched, waiter: &Waiter) -> bool {
        let taken = self.owner(sched) != 0;
        if taken {
            waiter.unlink();
            // SAFETY: as in `park_on`.
            unsafe { self.queue.push_back(waiter) };
            self.set_flags(WAITERS, 0);
        }
        taken
    }

    /// Takes the lock after a wait on a condition variable, whatever happens meanwhile.
    pub(super) fn relock(&self, sched: &Sched, me: &Coro) {
        if !self.owned_by(me) {
            self.settle();
            let lock = if self.word.get() == 0 {
                self.own(me, 0);
                Lock::Acquired
            } else {
                self.lock_slow(sched, me, Until::Woken, false)
            };
            debug_assert_eq!(lock, Lock::Acquired);
        }
    }
}

impl Sched {
    /// `coro` has ended: whatever it still has locked is free from now on.
    pub(super) fn abandon_locks(&self, coro: &CoroRef) {
        let held = coro.held.replace(0);
        if held == 0 {
            return;
        }
        let mut dead = self.abandoned.take();
        dead.push((coro.serial, held));
        self.abandoned_n.set(dead.len() as u32);
        self.abandoned.set(dead);
        // Whoever waits for one of them must look again. Nobody kept a list of locks, so ask the waiters.
        let stranded: Vec<_> = self
            .threads()
            .filter(|t| {
                // SAFETY: W1, W2; W4 - the mutex lives as long as its waiter.
                unsafe { t.waiter.get().as_ref().is_some_and(|w| w.wants_lock_of(coro.serial)) }
            })
            .collect();
        stranded.into_iter().for_each(|t| {
            self.wake(t);
        });
    }

    /// Whether `serial` is dead; forgets one of the locks it held.
    #[cold]
    fn take_abandoned(&self, serial: u64) -> bool {
        let mut dead = self.abandoned.take();
        let found = dead.iter().position(|d| d.0 == serial);
        if let Some(i) = found {
            dead[i].1 -= 1;
            if dead[i].1 == 0 {
                dead.swap_remove(i);
            }
            self.abandoned_n.set(dead.len() as u32);
        }
        self.abandoned.set(dead);
        found.is_some()
    }
}
