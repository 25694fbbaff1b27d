//! Sleeping and waking, with the GVL held.
//!
//! `park` links itself and only then lets go, and `wake` unlinks, all under the GVL, so no wake-up can be lost.
use super::context::{Arch, Cpu};
use super::native::{Msg, mon};
use super::sync::{AtomicPtr, Ordering};
use super::timer::NO_TIMER;
use super::{Sched, ThreadRef, ThreadState, Ubf, Until, WaitQ, Waiter, Wake, interrupt, now, signal};
use std::ptr::null;

/// How long until a blocking region that did not end is interrupted again.
const NUDGE: u64 = 2_000_000;

impl Sched {
    /// Parks the running thread on `queue` until woken. Consumes a pending interrupt instead of sleeping.
    pub fn park(&self, queue: &WaitQ, until: Until) -> Wake {
        let waiter = Waiter::new(self.current(), null());
        self.park_on(queue, &waiter, false, until)
    }

    /// Parks the running thread on no queue: until [`Sched::wake`], an interrupt or the deadline.
    pub fn sleep(&self, until: Until) -> Wake {
        if self.take_interrupt() {
            return Wake::Interrupted;
        }
        self.park_thread(null(), until)
    }

    /// Parks until `thread` has finished.
    pub fn join(&self, thread: ThreadRef, until: Until) -> Wake {
        while thread.state() != ThreadState::Finished {
            match self.park(&thread.joiners, until) {
                Wake::Woken => {}
                other => return other,
            }
        }
        Wake::Woken
    }

    pub(super) fn park_on(&self, queue: &WaitQ, waiter: &Waiter, front: bool, until: Until) -> Wake {
        if self.take_interrupt() {
            return Wake::Interrupted;
        }
        // SAFETY: W1 - `unpark` unlinks before it makes us ready, so it is unlinked when `park_thread` returns.
        unsafe { if front { queue.push_front(waiter) } else { queue.push_back(waiter) } }
        self.park_thread(waiter, until)
    }

    /// Parks with `waiter`, linked already, or with none.
    pub(super) fn park_thread(&self, waiter: *const Waiter, until: Until) -> Wake {
        let thread = self.current();
        thread.state.set(ThreadState::Parked);
        thread.waiter.set(waiter);
        match until {
            Until::Woken => {}
            Until::Called => {
                thread.expects_call.set(true);
                self.expecting.set(self.expecting.get() + 1);
            }
            Until::At(at) => self.arm(thread, at),
        }
        self.reschedule(&thread.coro.get().sp);
        let wake = thread.wake.get();
        if wake == Wake::Interrupted {
            self.take_interrupt();
        }
        wake
    }

    /// Makes a parked thread ready.
    fn unpark(&self, thread: ThreadRef, wake: Wake) {
        debug_assert_eq!(thread.state(), ThreadState::Parked);
        // SAFETY: W1 - it is parked, so its frame is alive.
        if let Some(waiter) = unsafe { thread.waiter.replace(null()).as_ref() } {
            waiter.unlink();
        }
        if thread.timer.get() != NO_TIMER {
            self.timers.cancel(thread);
            self.note_timers();
        }
        if thread.expects_call.replace(false) {
            self.expecting.set(self.expecting.get() - 1);
        }
        thread.wake.set(wake);
        self.push_ready(thread, true);
    }

    /// Wakes who has waited longest, if anybody waits.
    pub fn wake_one(&self, queue: &WaitQ) -> bool {
        let Some(first) = queue.first() else { return false };
        self.unpark(first.thread, Wake::Woken);
        true
    }

    /// Wakes all who wait now, in order; returns how many.
    pub fn wake_all(&self, queue: &WaitQ) -> usize {
        let mut n = 0;
        while self.wake_one(queue) {
            n += 1;
        }
        n
    }

    /// Wakes `thread` from whatever it is parked on, as if by chance (Thread#wakeup). Returns whether it was parked.
    pub fn wake(&self, thread: ThreadRef) -> bool {
        let parked = thread.state() == ThreadState::Parked;
        if parked {
            self.unpark(thread, Wake::Woken);
        }
        parked
    }

    /// Interrupts `thread`: it finds [`interrupt::THREAD`] at its next safepoint, or its park returns
    /// [`Wake::Interrupted`], or its blocking region is ended by its [`Ubf`]. Whoever sees it first consumes it.
    pub fn interrupt(&self, thread: ThreadRef) {
        thread.interrupted.store(true, Ordering::Relaxed);
        match thread.state() {
            ThreadState::Parked => self.unpark(thread, Wake::Interrupted),
            ThreadState::Running => {
                self.interrupt.fetch_or(interrupt::THREAD, Ordering::Relaxed);
            }
            ThreadState::Blocking => self.nudge(thread),
            ThreadState::Ready | ThreadState::Finished => {}
        }
    }

    /// Interrupts a blocking region, and again later in case the system call had not begun.
    fn nudge(&self, thread: ThreadRef) {
        match thread.ubf.get() {
            Ubf::Never => return,
            // SAFETY: a worker lives until its scheduler stops.
            Ubf::Signal => signal::nudge(unsafe { (*thread.worker.get()).tid() }),
            Ubf::Call(f, data) => f(data),
        }
        self.timers.cancel(thread);
        self.arm(thread, now() + NUDGE);
    }

    /// Consumes a pending interrupt of the running thread.
    pub fn take_interrupt(&self) -> bool {
        let thread = self.current();
        let was = thread.interrupted();
        if was {
            thread.interrupted.store(false, Ordering::Relaxed);
            self.interrupt.fetch_and(!interrupt::THREAD, Ordering::Relaxed);
        }
        was
    }

    /// The slow part of a safepoint: call when the interrupt word is not 0. Fires deadlines, hands signals to the
    /// main thread, lets others run if the slice is over. Returns [`interrupt::THREAD`] if the running thread was
    /// interrupted (consumed), and those of the VM's bits that were raised.
    #[cold]
    #[inline(never)]
    pub fn check_interrupts(&self) -> u32 {
        let bits = self.interrupt.load(Ordering::Relaxed);
        self.poll_sources(bits & interrupt::TIMER != 0);
        if bits & (interrupt::YIELD | interrupt::STRESS) != 0 {
            self.interrupt.fetch_and(!interrupt::YIELD, Ordering::Relaxed);
            self.yield_now();
        }
        let mut out = self.interrupt.load(Ordering::Relaxed) & interrupt::VM;
        if out != 0 {
            self.interrupt.fetch_and(!out, Ordering::Relaxed);
        }
        if self.take_interrupt() {
            out |= interrupt::THREAD;
        }
        out
    }

    /// Lets the ready threads go first (Thread.pass).
    pub fn yield_now(&self) {
        self.poll_sources(false);
        if self.ready.count() != 0 {
            let thread = self.current();
            self.push_ready(thread, false);
            self.reschedule(&thread.coro.get().sp);
        }
    }

    /// Runs somebody else: the running thread is parked, queued or finished, and continues from `save` when picked.
    #[inline(never)] // G4
    pub(super) fn reschedule(&self, save: *const AtomicPtr<u8>) {
        self.poll_sources(false);
        match self.pick() {
            Some(next) => {
                let same = self.thread.get() == Some(next);
                self.land(next);
                if !same {
                    // SAFETY: T3 - `next` is not running, so its saved stack pointer is good; G3.
                    unsafe { Cpu::switch(save, next.coro.get().sp.load(Ordering::Relaxed)) }
                }
            }
            None => self.leave(save, Msg::Idle),
        }
    }

    /// Goes to the loop of the worker we run on, GVL held.
    pub(super) fn leave(&self, save: *const AtomicPtr<u8>, msg: Msg) {
        // SAFETY: the worker waits in its loop, its stack pointer saved there.
        unsafe {
            let worker = &*self.worker.get();
            worker.leave(save, msg)
        }
    }

    /// Notices threads back from blocking regions, signals, and deadlines (those if `timers`, or if the monitor
    /// said so).
    pub(super) fn poll_sources(&self, timers: bool) {
        if !self.inject.load(Ordering::Relaxed).is_null() {
            self.drain();
        }
        let bits = self.interrupt.load(Ordering::Relaxed);
        if timers || bits & (interrupt::TIMER | interrupt::SIGNAL) != 0 {
            self.interrupt.fetch_and(!(interrupt::TIMER | interrupt::SIGNAL), Ordering::Relaxed);
            if bits & interrupt::SIGNAL != 0
                && let Some(main) = self.main.get()
            {
                self.interrupt(main);
            }
            self.fire_timers();
        }
    }

    fn fire_timers(&self) {
        if self.next_timer.load(Ordering::Relaxed) == u64::MAX {
            return;
        }
        let now = now();
        while let Some(thread) = self.timers.pop_due(now) {
            match thread.state() {
                ThreadState::Parked => self.unpark(thread, Wake::TimedOut),
                ThreadState::Blocking if thread.interrupted() => self.nudge(thread),
                _ => {}
            }
        }
        self.note_timers();
    }

    /// Publishes the earliest deadline.
    pub(super) fn note_timers(&self) {
        self.next_timer.store(self.timers.first().unwrap_or(u64::MAX), Ordering::Release);
    }

    fn arm(&self, thread: ThreadRef, at: u64) {
        self.timers.arm(thread, at);
        if at < self.next_timer.load(Ordering::Relaxed) {
            self.next_timer.swap(at, Ordering::SeqCst);
            // A monitor that sleeps longer than that must look again; without one, `land` or the idle loop sees to it.
            if self.mon.load(Ordering::SeqCst) > mon::HIRING && self.mon_until.load(Ordering::SeqCst) > at {
                self.kick();
            }
        }
    }

    #[inline]
    pub(super) fn push_ready(&self, thread: ThreadRef, woken: bool) {
        thread.state.set(ThreadState::Ready);
        self.ready.push(thread, woken);
        self.count_ready();
        // On a worker's own stack nobody computes yet; `land` will see to it.
        if self.thread.get().is_some() {
            self.watch(if woken { mon::NAP } else { mon::DEEP });
        }
    }

    #[inline]
    pub(super) fn pick(&self) -> Option<ThreadRef> {
        let thread = self.ready.pick()?;
        self.count_ready();
        Some(thread)
    }

    #[inline]
    pub(super) fn count_ready(&self) {
        self.ready_n.store(self.ready.count() as u32, Ordering::Relaxed);
        self.woken_n.store(self.ready.woken_count() as u32, Ordering::Relaxed);
    }
}
