//! Green threads and their coros (fibers): the records the scheduler keeps, and handles to them.
//!
//! A thread always has one current coro; its first, the root, lives as long as the thread runs. Parking inside any
//! coro parks the thread. Records are boxed and never move.
//!
//! T1  a `ThreadRef`/`CoroRef` is valid until its last owner releases it. A thread has two owners, the scheduler
//!     until it finishes and whoever spawned it; a coro other than a root has one, whoever made it
//! T2  all fields are read and written with the GVL held, but those that are atomic
//! T3  a coro that is not current has its stack pointer in `sp`; so has the current one while in a blocking region
use super::native::Worker;
use super::stack::Region;
use super::sync::{AtomicBool, AtomicPtr};
use super::timer::NO_TIMER;
use super::waitq::{WaitQ, Waiter};
use super::{Entry, Sched};
use std::cell::Cell;
use std::ops::Deref;
use std::ptr::{NonNull, null, null_mut};

/// ```text
///            spawn            picked               park
/// (none) ---------> Ready ------------> Running ------------> Parked
///                     ^  ^   preempted   |  |  ^                |
///                     |  '---------------'  |  | region ends    |
///                     |                     |  | in time        |
///                     |  drained after      v  |                |
///                     +--- a retake ---- Blocking               |
///                     '--------- wake, timeout, interrupt ------'
/// Running ----> Finished, when the root coro's entry returns
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreadState {
    /// In the ready list.
    Ready,
    /// The one that holds the GVL.
    Running,
    /// Waits for a wake, with or without a waitq.
    Parked,
    /// In a blocking region, or back from one and not yet noticed.
    Blocking,
    /// Its root coro has returned; the record waits for its second owner.
    Finished,
}

/// Why a park ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wake {
    /// Somebody woke the waitq or the thread.
    Woken,
    /// The deadline passed.
    TimedOut,
    /// [`Sched::interrupt`] was called, before or during the park; this consumed it.
    Interrupted,
}

/// How long to stay parked when nobody wakes the thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// Without end; counts as stuck for the deadlock check.
    Woken,
    /// Without end, but no deadlock: an outside event, such as a signal, is expected.
    Called,
    /// This [`super::now`] time, in nanoseconds.
    At(u64),
}

/// How to interrupt a blocking region. Repeated every few milliseconds for as long as the region lasts.
#[derive(Clone, Copy, Debug)]
pub enum Ubf {
    /// It ends soon anyhow.
    Never,
    /// A signal whose handler does nothing makes the system call fail with EINTR.
    Signal,
    /// Call this with this. It runs with the GVL held, on another thread's stack, and must not park.
    Call(fn(*mut ()), *mut ()),
}

/// A green thread.
pub struct Thread {
    /// Unique in its scheduler, never 0.
    pub serial: u64,
    /// The VM's own.
    pub user: Cell<*mut ()>,
    /// Threads waiting for this one to finish.
    pub joiners: WaitQ,
    /// Link of the one list it is in: ready, or injected.
    pub(super) link: Cell<Option<ThreadRef>>,
    pub(super) state: Cell<ThreadState>,
    pub(super) coro: Cell<CoroRef>,
    pub(super) root: CoroRef,
    /// While Parked on a waitq, the node in its stack frame.
    pub(super) waiter: Cell<*const Waiter>,
    pub(super) wake: Cell<Wake>,
    /// Parked `Until::Called`.
    pub(super) expects_call: Cell<bool>,
    /// Index in the timer heap or `NO_TIMER`.
    pub(super) timer: Cell<u32>,
    pub(super) interrupted: AtomicBool,
    pub(super) ubf: Cell<Ubf>,
    /// The native worker that ran it last.
    pub(super) worker: Cell<*const Worker>,
    /// Times it was switched to.
    pub(super) slices: Cell<u64>,
    /// All coros of this thread that are not Done.
    pub(super) coros: Cell<Option<CoroRef>>,
    pub(super) next: Cell<Option<ThreadRef>>,
    pub(super) prev: Cell<Option<ThreadRef>>,
    pub(super) owners: Cell<u8>,
}

impl Thread {
    /// Its state, as in the table there.
    pub fn state(&self) -> ThreadState {
        self.state.get()
    }
    /// The coro it runs, or would run.
    pub fn coro(&self) -> CoroRef {
        self.coro.get()
    }
    /// Its first coro. Freed with the thread.
    pub fn root(&self) -> CoroRef {
        self.root
    }
    /// How often it was switched to.
    pub fn slices(&self) -> u64 {
        self.slices.get()
    }
    /// Whether an interrupt is waiting to be noticed. May be read without the GVL.
    pub fn interrupted(&self) -> bool {
        self.interrupted.load(super::sync::Ordering::Relaxed)
    }
    /// Its coros that are not done, the root among them.
    pub fn coros(&self) -> impl Iterator<Item = CoroRef> {
        let mut at = self.coros.get();
        std::iter::from_fn(move || {
            let coro = at?;
            at = coro.next.get();
            Some(coro)
        })
    }
    pub(super) fn add_coro(&self, coro: CoroRef) {
        coro.next.set(self.coros.get());
        coro.prev.set(None);
        if let Some(first) = self.coros.replace(Some(coro)) {
            first.prev.set(Some(coro));
        }
    }
    pub(super) fn remove_coro(&self, coro: CoroRef) {
        let (prev, next) = (coro.prev.take(), coro.next.take());
        match prev {
            Some(p) => p.next.set(next),
            None => self.coros.set(next),
        }
        if let Some(n) = next {
            n.prev.set(prev);
        }
    }
}

/// The life of a coro.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoroState {
    /// Never switched to.
    Created,
    /// The current coro of its thread.
    Current,
    /// Its thread runs another.
    Suspended,
    /// Its entry has returned, or its thread has finished; its region is gone.
    Done,
}

/// A context of its own within a thread: what a Ruby Fiber runs on.
pub struct Coro {
    /// Unique in its scheduler, never 0, below 2^56: who owns a mutex.
    pub serial: u64,
    /// The VM's own: its execution context.
    pub user: Cell<*mut ()>,
    pub(super) sp: AtomicPtr<u8>,
    pub(super) region: Cell<Region>,
    pub(super) size: RegionClass,
    pub(super) thread: Cell<Option<ThreadRef>>,
    pub(super) state: Cell<CoroState>,
    pub(super) entry: Cell<Entry>,
    pub(super) arg: Cell<*mut ()>,
    /// Mutexes it holds.
    pub(super) held: Cell<u32>,
    pub(super) sched: *const Sched,
    pub(super) next: Cell<Option<CoroRef>>,
    pub(super) prev: Cell<Option<CoroRef>>,
}

/// Which pool a region is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegionClass {
    /// The root coro of a thread.
    Thread,
    /// A fiber.
    Fiber,
    /// The main thread, and [`Sched::on_big_stack`].
    Big,
}

impl Coro {
    /// Its state.
    pub fn state(&self) -> CoroState {
        self.state.get()
    }
    /// Its stacks. Meaningless once Done.
    #[inline(always)]
    pub fn region(&self) -> Region {
        self.region.get()
    }
    /// The thread it belongs to; none once that has finished.
    pub fn thread(&self) -> Option<ThreadRef> {
        self.thread.get()
    }
    /// Where its native stack ends while it is not current (T3): scan `[saved_sp, region().native_top())`.
    pub fn saved_sp(&self) -> *mut u8 {
        self.sp.load(super::sync::Ordering::Relaxed)
    }
    /// Whether it is its thread's first.
    pub fn is_root(&self) -> bool {
        self.thread.get().is_some_and(|t| std::ptr::eq(&*t.root, self))
    }
}

macro_rules! handle {
    ($(#[$doc:meta])* $name:ident => $target:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct $name(NonNull<$target>);

        impl $name {
            /// The record's address, to keep where a raw pointer is wanted.
            #[inline(always)]
            pub fn as_ptr(self) -> *const $target {
                self.0.as_ptr()
            }
            /// The handle again.
            ///
            /// # Safety
            /// `ptr` came from `as_ptr` and the record has not been released since (T1).
            #[inline(always)]
            pub unsafe fn from_ptr(ptr: *const $target) -> $name {
                // SAFETY: as promised by our caller.
                $name(unsafe { NonNull::new_unchecked(ptr.cast_mut()) })
            }
            pub(super) fn boxed(record: $target) -> $name {
                $name(NonNull::from(Box::leak(Box::new(record))))
            }
            /// # Safety
            /// T1: this was the last owner.
            pub(super) unsafe fn free(self) {
                // SAFETY: `boxed` made it, and nobody else has it.
                drop(unsafe { Box::from_raw(self.0.as_ptr()) })
            }
        }

        impl Deref for $name {
            type Target = $target;
            #[inline(always)]
            fn deref(&self) -> &$target {
                // SAFETY: T1.
                unsafe { self.0.as_ref() }
            }
        }
    };
}
handle! {
    /// Handle to a [`Thread`], valid while owned (T1). Not `Send`: using it takes the GVL.
    ThreadRef => Thread
}
handle! {
    /// Handle to a [`Coro`], valid while owned (T1). Not `Send`: using it takes the GVL.
    CoroRef => Coro
}

impl CoroRef {
    pub(super) fn new(
        sched: &Sched,
        serial: u64,
        size: RegionClass,
        region: Region,
        entry: Entry,
        arg: *mut (),
        user: *mut (),
    ) -> CoroRef {
        CoroRef::boxed(Coro {
            serial,
            user: Cell::new(user),
            sp: AtomicPtr::new(null_mut()),
            region: Cell::new(region),
            size,
            thread: Cell::new(None),
            state: Cell::new(CoroState::Created),
            entry: Cell::new(entry),
            arg: Cell::new(arg),
            held: Cell::new(0),
            sched,
            next: Cell::new(None),
            prev: Cell::new(None),
        })
    }
}

impl ThreadRef {
    pub(super) fn new(serial: u64, root: CoroRef, user: *mut ()) -> ThreadRef {
        let thread = ThreadRef::boxed(Thread {
            serial,
            user: Cell::new(user),
            joiners: WaitQ::new(),
            link: Cell::new(None),
            state: Cell::new(ThreadState::Ready),
            coro: Cell::new(root),
            root,
            waiter: Cell::new(null()),
            wake: Cell::new(Wake::Woken),
            expects_call: Cell::new(false),
            timer: Cell::new(NO_TIMER),
            interrupted: AtomicBool::new(false),
            ubf: Cell::new(Ubf::Never),
            worker: Cell::new(null()),
            slices: Cell::new(0),
            coros: Cell::new(None),
            next: Cell::new(None),
            prev: Cell::new(None),
            owners: Cell::new(2),
        });
        root.thread.set(Some(thread));
        thread.add_coro(root);
        thread
    }
}
