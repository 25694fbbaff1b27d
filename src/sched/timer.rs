//! Deadlines: a 4-ary heap with one entry a thread at most, and the clock.
use super::thread::ThreadRef;
use std::cell::Cell;

/// `Thread::timer` of a thread without a deadline.
pub const NO_TIMER: u32 = u32::MAX;

/// Nanoseconds on the monotonic clock: what all deadlines count in.
#[inline]
pub fn now() -> u64 {
    let mut t = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `t` is ours to write.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut t) };
    t.tv_sec as u64 * 1_000_000_000 + t.tv_nsec as u64
}

/// The heap. GVL held throughout; each thread knows its place in it.
#[derive(Default)]
pub struct Timers {
    heap: Cell<Vec<(u64, ThreadRef)>>,
}

const ARITY: usize = 4;

impl Timers {
    /// The earliest deadline.
    pub fn first(&self) -> Option<u64> {
        self.with(|heap| heap.first().map(|e| e.0))
    }

    /// Arms `thread`'s deadline; it has none. O(log n).
    pub fn arm(&self, thread: ThreadRef, at: u64) {
        debug_assert_eq!(thread.timer.get(), NO_TIMER);
        self.with(|heap| {
            heap.push((at, thread));
            let last = heap.len() - 1;
            sift_up(heap, last);
        });
    }

    /// Forgets `thread`'s deadline, if it has one. O(log n).
    pub fn cancel(&self, thread: ThreadRef) {
        let i = thread.timer.replace(NO_TIMER);
        if i == NO_TIMER {
            return;
        }
        self.with(|heap| {
            let i = i as usize;
            heap.swap_remove(i);
            if i < heap.len() {
                sift_down(heap, i);
                sift_up(heap, i);
            }
        });
    }

    /// Takes out the thread with the earliest deadline, if that is not after `now`.
    pub fn pop_due(&self, now: u64) -> Option<ThreadRef> {
        let thread = self.with(|heap| heap.first().filter(|e| e.0 <= now).map(|e| e.1))?;
        self.cancel(thread);
        Some(thread)
    }

    /// Forgets every deadline.
    pub fn clear(&self) {
        self.with(|heap| heap.drain(..).for_each(|(_, t)| t.timer.set(NO_TIMER)));
    }

    fn with<R>(&self, f: impl FnOnce(&mut Vec<(u64, ThreadRef)>) -> R) -> R {
        let mut heap = self.heap.take();
        let r = f(&mut heap);
        self.heap.set(heap);
        r
    }
}

fn sift_up(heap: &mut [(u64, ThreadRef)], mut i: usize) {
    let entry = heap[i];
    while i > 0 {
        let parent = (i - 1) / ARITY;
        if heap[parent].0 <= entry.0 {
            break;
        }
        heap[i] = heap[parent];
        heap[i].1.timer.set(i as u32);
        i = parent;
    }
    heap[i] = entry;
    entry.1.timer.set(i as u32);
}

fn sift_down(heap: &mut [(u64, ThreadRef)], mut i: usize) {
    let entry = heap[i];
    loop {
        let children = i * ARITY + 1..(i * ARITY + 1 + ARITY).min(heap.len());
        let Some(least) = children.min_by_key(|&c| heap[c].0) else { break };
        if entry.0 <= heap[least].0 {
            break;
        }
        heap[i] = heap[least];
        heap[i].1.timer.set(i as u32);
        i = least;
    }
    heap[i] = entry;
    entry.1.timer.set(i as u32);
}
