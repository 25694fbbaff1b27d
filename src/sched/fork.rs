//! After fork: the child has one native thread, so one green thread.
use super::Sched;
use super::gvl::{State, Word};
use super::native::mon;
use super::sync::{Mutex, Ordering};
use std::ptr::null_mut;

impl Sched {
    /// To be called first thing in the child, by the thread that forked. The others are finished there, without
    /// unwinding; what they had locked is free. The caller is the main thread now, and ends the process itself:
    /// `run` returns only if the calling native thread is the one that called it.
    pub fn after_fork_child(&self) {
        let me = self.current();
        // SAFETY: no other thread exists in the child, so nobody holds the lock that the fork may have copied taken.
        // The old table is forgotten, for the native stacks of the other workers are gone in unknown states.
        unsafe {
            let table = (&raw const self.workers).cast_mut();
            let old = std::mem::take(&mut *table);
            let old = old.into_inner().unwrap_or_default();
            old.iter().for_each(|w| w.forget_tid());
            *table = Mutex::new(old);
        }
        self.alive.store(1, Ordering::SeqCst);
        self.home.store(true, Ordering::SeqCst);
        self.idle_n.store(0, Ordering::SeqCst);
        self.mon.store(mon::NONE, Ordering::SeqCst);
        self.inject.store(null_mut(), Ordering::SeqCst);
        self.interrupt.fetch_and(!(super::interrupt::YIELD | super::interrupt::TIMER), Ordering::SeqCst);
        self.signals.remake_timer();
        self.regions.set(0);
        self.expecting.set(0);
        self.timers.clear();
        self.note_timers();
        self.ready.clear();
        self.count_ready();
        let others: Vec<_> = self.threads().filter(|&t| t != me).collect();
        others.into_iter().for_each(|t| self.discard(t));
        self.main.set(Some(me));
        // SAFETY: G1 - the worker we run on.
        unsafe {
            let worker = &*self.worker.get();
            worker.note_tid();
            let word = Word::new(State::Run, worker.id, self.seq.get());
            self.gvl.store(word.0, Ordering::SeqCst);
        }
    }
}
