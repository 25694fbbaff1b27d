//! Who may run, and the oracle that says who does.
//!
//! Two FIFOs: threads that waited for something and were woken go before threads that were preempted, so that they
//! run within a minimal slice. When the preempted ones have not been served for a while, the monitor says that it is
//! their turn; without a monitor they get one after `WOKEN_RUN` woken ones.
use super::sync::{AtomicBool, AtomicU64, Ordering};
use super::thread::ThreadRef;
use std::cell::Cell;

/// Woken threads run in a row while others are ready.
const WOKEN_RUN: u32 = 1 << 16;
/// How far down the lists a random oracle looks.
const RANDOM_REACH: usize = 16;

/// A singly linked FIFO through `Thread::link`.
#[derive(Default)]
struct ThreadList {
    head: Cell<Option<ThreadRef>>,
    tail: Cell<Option<ThreadRef>>,
    len: Cell<usize>,
}

impl ThreadList {
    #[inline(always)]
    fn len(&self) -> usize {
        self.len.get()
    }
    /// Adds `thread` last.
    #[inline]
    fn push(&self, thread: ThreadRef) {
        thread.link.set(None);
        match self.tail.replace(Some(thread)) {
            Some(last) => last.link.set(Some(thread)),
            None => self.head.set(Some(thread)),
        }
        self.len.set(self.len.get() + 1);
    }
    /// Takes out the first.
    #[inline]
    fn pop(&self) -> Option<ThreadRef> {
        let first = self.head.get()?;
        let rest = first.link.take();
        self.head.set(rest);
        if rest.is_none() {
            self.tail.set(None);
        }
        self.len.set(self.len.get() - 1);
        Some(first)
    }
    /// Takes out the `n`th.
    fn remove(&self, n: usize) -> Option<ThreadRef> {
        if n == 0 {
            return self.pop();
        }
        let mut before = self.head.get()?;
        for _ in 1..n {
            before = before.link.get()?;
        }
        let thread = before.link.get()?;
        let rest = thread.link.take();
        before.link.set(rest);
        if rest.is_none() {
            self.tail.set(Some(before));
        }
        self.len.set(self.len.get() - 1);
        Some(thread)
    }
    /// Forgets all.
    fn clear(&self) {
        while self.pop().is_some() {}
    }
}

/// Answers "who runs next?" among those ready.
pub enum Oracle {
    /// The first in line.
    Fifo,
    /// Any of the first few, by a seeded generator (xorshift64; the state is never 0).
    Random(Cell<u64>),
}

impl Oracle {
    /// A seeded random oracle.
    pub fn random(seed: u64) -> Oracle {
        Oracle::Random(Cell::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1))
    }
    /// By `MINIRB_SCHED_SEED`, a number; FIFO when it is unset.
    pub fn from_env() -> Oracle {
        std::env::var("MINIRB_SCHED_SEED").ok().and_then(|s| s.parse().ok()).map_or(Oracle::Fifo, Oracle::random)
    }
}

/// The ready threads.
pub struct Ready {
    woken: ThreadList,
    others: ThreadList,
    /// Woken ones picked since another had its turn.
    streak: Cell<u32>,
    /// Set by the monitor: one of the others is due.
    pub due: AtomicBool,
    /// Times one of the others was picked. Read by the monitor.
    pub turns: AtomicU64,
    oracle: Oracle,
}

impl Ready {
    /// Nobody.
    pub fn new(oracle: Oracle) -> Ready {
        Ready {
            woken: ThreadList::default(),
            others: ThreadList::default(),
            streak: Cell::new(0),
            due: AtomicBool::new(false),
            turns: AtomicU64::new(0),
            oracle,
        }
    }
    /// Number of ready threads.
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.woken.len() + self.others.len()
    }
    /// Number of those that were woken.
    #[inline(always)]
    pub fn woken_count(&self) -> usize {
        self.woken.len()
    }
    /// Adds `thread`; `woken` if it waited for something until now.
    #[inline]
    pub fn push(&self, thread: ThreadRef, woken: bool) {
        if woken { self.woken.push(thread) } else { self.others.push(thread) }
    }
    /// Takes out who runs next.
    #[inline]
    pub fn pick(&self) -> Option<ThreadRef> {
        if let Oracle::Random(state) = &self.oracle {
            return self.pick_random(state);
        }
        if self.woken.len() != 0 && (self.others.len() == 0 || !self.others_are_due()) {
            self.streak.set(self.streak.get() + 1);
            return self.woken.pop();
        }
        self.streak.set(0);
        self.due.store(false, Ordering::Relaxed);
        self.turns.store(self.turns.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        self.others.pop()
    }
    #[inline]
    fn others_are_due(&self) -> bool {
        self.due.load(Ordering::Relaxed) || self.streak.get() >= WOKEN_RUN
    }
    #[cold]
    fn pick_random(&self, state: &Cell<u64>) -> Option<ThreadRef> {
        let n = self.count().min(RANDOM_REACH);
        if n == 0 {
            return None;
        }
        let mut x = state.get();
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        state.set(x);
        let i = (x >> 33) as usize % n;
        if i < self.woken.len() { self.woken.remove(i) } else { self.others.remove(i - self.woken.len()) }
    }
    /// Forgets all.
    pub fn clear(&self) {
        self.woken.clear();
        self.others.clear();
    }
}
