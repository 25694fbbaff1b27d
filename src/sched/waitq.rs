//! The one place to sleep: an intrusive FIFO of parked threads, one word when empty and one word when full.
//! Links only; who runs when is [`Sched::park`]'s and [`Sched::wake_one`]'s concern.
//!
//! ```text
//! WaitQ          Waiter      Waiter      Waiter        each in the stack frame of its thread's `park`
//! head ------->  first <-->  second <--> last
//!                  ^------------------------^          circular, so `last` is `first.prev`
//! ```
//! W1  a linked node's owner is still inside `park`, so its frame is alive
//! W2  links are read and written only with the GVL held
//! W3  a node is in the queue its `queue` names, or in none when that is null
//! W4  a queue does not move or die while nodes are linked
#[cfg(doc)]
use super::Sched;
use super::mutex::RawMutex;
use super::thread::ThreadRef;
use std::cell::Cell;
use std::ptr::null;

/// A FIFO of parked threads. May be dropped only when empty (W4).
#[repr(transparent)]
#[derive(Default)]
pub struct WaitQ {
    head: Cell<*const Waiter>,
}

/// A parked thread's place in a waitq.
pub struct Waiter {
    next: Cell<*const Waiter>,
    prev: Cell<*const Waiter>,
    queue: Cell<*const WaitQ>,
    /// Who waits.
    pub thread: ThreadRef,
    /// The mutex it wants, now or (a condition variable's waiter) once signalled; or null.
    pub(super) mutex: *const RawMutex,
    /// A condition variable's waiter: it was signalled, and now waits for the mutex.
    pub(super) signalled: Cell<bool>,
}

impl Waiter {
    /// An unlinked node.
    pub fn new(thread: ThreadRef, mutex: *const RawMutex) -> Waiter {
        Waiter {
            next: Cell::new(null()),
            prev: Cell::new(null()),
            queue: Cell::new(null()),
            thread,
            mutex,
            signalled: Cell::new(false),
        }
    }

    /// Whether it is in a queue.
    pub fn is_linked(&self) -> bool {
        !self.queue.get().is_null()
    }

    /// Whether it waits for a mutex that the coro of this serial owns.
    pub(super) fn wants_lock_of(&self, serial: u64) -> bool {
        // SAFETY: W4 - null, or the mutex that we wait for.
        unsafe { self.mutex.as_ref().is_some_and(|m| m.keeps_waiting(self.queue.get(), serial)) }
    }

    /// Takes it out of the queue it is in, if any. O(1).
    pub fn unlink(&self) {
        let queue = self.queue.replace(null());
        if queue.is_null() {
            return;
        }
        let (next, prev) = (self.next.get(), self.prev.get());
        // SAFETY: W3, W4 - the queue is alive; W1 - so are our neighbours; W2.
        unsafe {
            if std::ptr::eq(next, self) {
                (*queue).head.set(null());
            } else {
                (*next).prev.set(prev);
                (*prev).next.set(next);
                if std::ptr::eq((*queue).head.get(), self) {
                    (*queue).head.set(next);
                }
            }
        }
    }
}

impl WaitQ {
    /// An empty queue.
    pub const fn new() -> WaitQ {
        WaitQ { head: Cell::new(null()) }
    }

    /// Whether nobody waits.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.head.get().is_null()
    }

    /// Who has waited longest.
    pub fn first(&self) -> Option<&Waiter> {
        // SAFETY: W1, W2. The borrow ends before the GVL can be let go: nothing that takes it parks.
        unsafe { self.head.get().as_ref() }
    }

    /// Number of waiters. O(n).
    pub fn len(&self) -> usize {
        let first = self.head.get();
        let (mut at, mut n) = (first, 0);
        while !at.is_null() {
            n += 1;
            // SAFETY: W1, W2.
            at = unsafe { (*at).next.get() };
            if std::ptr::eq(at, first) {
                break;
            }
        }
        n
    }

    /// Links `waiter` last.
    ///
    /// # Safety
    /// The caller unlinks it, or sees it unlinked, before its frame ends (W1) and before the queue dies (W4).
    pub unsafe fn push_back(&self, waiter: &Waiter) {
        debug_assert!(!waiter.is_linked());
        waiter.queue.set(self);
        let first = self.head.get();
        if first.is_null() {
            waiter.next.set(waiter);
            waiter.prev.set(waiter);
            self.head.set(waiter);
            return;
        }
        // SAFETY: W1, W2.
        unsafe {
            let last = (*first).prev.get();
            waiter.next.set(first);
            waiter.prev.set(last);
            (*last).next.set(waiter);
            (*first).prev.set(waiter);
        }
    }

    /// Links `waiter` first: for one that was woken, and found that somebody was quicker.
    ///
    /// # Safety
    /// As for `push_back`.
    pub unsafe fn push_front(&self, waiter: &Waiter) {
        // SAFETY: as promised by our caller. In a ring, first is the one before last.
        unsafe { self.push_back(waiter) };
        self.head.set(waiter);
    }

    /// Unlinks and returns the first.
    pub fn pop_front(&self) -> Option<&Waiter> {
        let first = self.first()?;
        first.unlink();
        Some(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ptr::NonNull;

    /// Links never look at the thread, so any address will do.
    fn waiter() -> Waiter {
        // SAFETY: the handle is not used.
        Waiter::new(unsafe { ThreadRef::from_ptr(NonNull::dangling().as_ptr()) }, null())
    }

    fn order(q: &WaitQ, nodes: &[Waiter]) -> Vec<usize> {
        let mut out = vec![];
        while let Some(w) = q.pop_front() {
            out.push(nodes.iter().position(|n| std::ptr::eq(n, w)).unwrap());
        }
        out
    }

    #[test]
    fn sizes() {
        assert_eq!(size_of::<WaitQ>(), 8);
    }

    #[test]
    fn first_in_first_out() {
        let (q, nodes) = (WaitQ::new(), [waiter(), waiter(), waiter()]);
        // SAFETY: emptied below.
        nodes.iter().for_each(|n| unsafe { q.push_back(n) });
        assert_eq!(q.len(), 3);
        assert_eq!(order(&q, &nodes), [0, 1, 2]);
        assert!(q.is_empty() && !nodes[1].is_linked());
    }

    #[test]
    fn any_node_can_leave() {
        for gone in 0..4 {
            let (q, nodes) = (WaitQ::new(), [waiter(), waiter(), waiter(), waiter()]);
            // SAFETY: emptied below.
            nodes.iter().for_each(|n| unsafe { q.push_back(n) });
            nodes[gone].unlink();
            nodes[gone].unlink();
            let rest: Vec<_> = (0..4).filter(|&i| i != gone).collect();
            assert_eq!(order(&q, &nodes), rest);
        }
    }

    #[test]
    fn front_goes_first() {
        let (q, nodes) = (WaitQ::new(), [waiter(), waiter(), waiter()]);
        // SAFETY: emptied below.
        unsafe {
            q.push_front(&nodes[0]);
            q.push_back(&nodes[1]);
            q.push_front(&nodes[2]);
        }
        assert_eq!(order(&q, &nodes), [2, 0, 1]);
    }
}
