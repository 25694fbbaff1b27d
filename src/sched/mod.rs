//! Who runs: green threads (M) on native workers (N), one at a time under the GVL; fibers; sleeping; deadlines.
//! Nothing here knows of Ruby classes, values or the VM: bodies and hooks are handed in as functions.
//!
//! # The pieces
//! ```text
//!   RawMutex  RawCondvar  join  sleep  Fiber          small users
//!        \        |        |      |      |
//!         '---- waitq, park / wake ----- coro         park.rs, fiber.rs
//!                        |
//!              ready list + timers                    ready.rs, timer.rs       GVL held
//!    - - - - - - - - - - | - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - -
//!      gvl word, inject list, monitor, workers        gvl.rs, native.rs        atomics, futexes
//! ```
//! Every green thread and fiber has a region of its own (stack.rs has the picture) and a saved stack pointer
//! (context.rs). Switches go straight from one green stack to the next; a worker's native stack is visited only
//! when nothing is ready, when the GVL was lost in a blocking region, and at the end.
//!
//! # States
//! A green thread: [`ThreadState`]. A coro: [`CoroState`]. The GVL word: [`gvl::State`]. The monitor: [`native::mon`].
//!
//! # Invariants
//! - G1  who holds the GVL is the only one to touch a `Cell` here. `&Sched` is `!Send`; a worker makes its own from a
//!   raw pointer, and blocking regions do not use theirs
//! - G2  no `&mut` and no borrow of anything shared is alive across a switch: all fields are `Cell`s or atomics
//! - G3  a thread enters the ready list or the inject list only when nobody stands on its stack, or when who stands
//!   there holds the GVL and is about to leave
//! - G4  nothing is cached in thread-local storage: code may come back from a switch on another native thread. The
//!   same holds for `errno` and thread-local references of callers
//! - G5  while a thread computes and another waits, or a deadline is armed, some worker is monitor (or on its way)
//! - T1-T3 thread.rs, W1-W4 waitq.rs, R1-R3 stack.rs, M1-M3 mutex.rs
//!
//! A program that never starts a second thread never starts a second native thread, and is never ticked.
pub mod condvar;
pub mod context;
mod fiber;
mod fork;
mod futex;
pub mod gvl;
pub mod mutex;
pub mod native;
mod park;
pub mod ready;
pub mod signal;
pub mod stack;
mod sync;
#[cfg(test)]
mod tests;
pub mod thread;
pub mod timer;
pub mod waitq;

pub use condvar::RawCondvar;
pub use mutex::{Lock, RawMutex};
pub use ready::Oracle;
pub use stack::{NoStack, Region, Sizes};
pub use thread::{Coro, CoroRef, CoroState, RegionClass, Thread, ThreadRef, ThreadState, Ubf, Until, Wake};
pub use timer::now;
pub use waitq::{WaitQ, Waiter};

use native::Worker;
use ready::Ready;
use stack::Pool;
use std::cell::Cell;
use std::ptr::{null, null_mut};
use sync::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, Mutex, Ordering, Pad};
use timer::Timers;

/// A coro's body. A fiber returns the coro to continue with (its thread's root if none); a thread's root returns
/// none, and the thread is finished. It must not unwind.
pub type Entry = unsafe fn(&Sched, CoroRef, *mut ()) -> Option<CoroRef>;

/// Bits of the interrupt word.
pub mod interrupt {
    /// The slice is over.
    pub const YIELD: u32 = 1;
    /// A deadline has passed.
    pub const TIMER: u32 = 2;
    /// A signal came.
    pub const SIGNAL: u32 = 4;
    /// The running thread was interrupted.
    pub const THREAD: u32 = 8;
    /// Always set under `MINIRB_STRESS=switch`.
    pub const STRESS: u32 = 16;
    /// The upper half is the VM's, see [`super::Sched::raise_bits`].
    pub const VM: u32 = 0xffff_0000;
}

/// What the VM hands in.
#[derive(Clone, Copy)]
pub struct Hooks {
    /// This coro is about to run: called at every switch, just before landing on its stack, with the GVL held.
    /// Cheap; no parking.
    pub on_switch: fn(&Sched, &Coro),
    /// Every thread is stuck. Called on a worker's native stack with the GVL held; interrupting a thread from here
    /// makes it ready. No parking. Not repeated until something has run.
    pub on_deadlock: fn(&Sched),
}

/// Settings of a scheduler.
pub struct Config {
    /// Stacks of a thread's root coro.
    pub thread: Sizes,
    /// Stacks of a fiber.
    pub fiber: Sizes,
    /// Stacks of the main thread, and of [`Sched::on_big_stack`].
    pub big: Sizes,
    /// How long a thread may compute while others are ready, in nanoseconds.
    pub quantum: u64,
    /// A thread that waited for something and is ready again preempts the running one at once, but no sooner than
    /// this after the last preemption, in nanoseconds.
    pub min_slice: u64,
    /// A blocking region this long, in nanoseconds, loses the GVL if there is work.
    pub tick: u64,
    /// Most native workers, the ones in blocking regions included. Beyond, regions keep the GVL until they end.
    pub max_workers: u32,
    /// Who runs next.
    pub oracle: Oracle,
    /// Yield at every safepoint.
    pub stress_switch: bool,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            thread: Sizes { native: 512 << 10, values: 500 << 10 },
            fiber: Sizes { native: 128 << 10, values: 116 << 10 },
            big: Sizes { native: 64 << 20, values: 8 << 20 },
            quantum: 10_000_000,
            min_slice: 1_000_000,
            tick: 20_000,
            max_workers: 4096,
            oracle: Oracle::from_env(),
            stress_switch: std::env::var("MINIRB_STRESS").is_ok_and(|s| s.split(',').any(|w| w == "switch")),
        }
    }
}

/// Counters, for tests and tuning.
#[derive(Default, Debug)]
pub struct Stats {
    /// Regions whose GVL another worker took.
    pub retakes: AtomicU64,
    /// Region ends that found the GVL gone.
    pub lost: AtomicU64,
    /// Of those, the ones that took a free GVL at once.
    pub regained: AtomicU64,
    /// Times the monitor or a spare worker was woken or hired.
    pub kicks: AtomicU64,
    /// Native workers started.
    pub workers: AtomicU64,
}

/// One scheduler: one GVL, its threads, its workers. Lives at a fixed address behind [`SchedBox`].
pub struct Sched {
    // Shared between workers.
    gvl: Pad<AtomicU64>,
    inject: Pad<AtomicPtr<Thread>>,
    ready_n: Pad<AtomicU32>,
    woken_n: AtomicU32,
    slices: AtomicU64,
    interrupt: Pad<AtomicU32>,
    mon: Pad<AtomicU32>,
    mon_until: AtomicU64,
    /// When the monitor last ended a slice.
    preempted_at: AtomicU64,
    park_word: Pad<AtomicU32>,
    idle_n: AtomicU32,
    alive: AtomicU32,
    next_timer: AtomicU64,
    stop: AtomicBool,
    /// The native thread that called `run` has left its loop.
    home: AtomicBool,
    first_worker: Cell<*const Worker>,
    barrier: AtomicBool,
    /// Turns to spin for a GVL that is about to be free.
    spin: u32,
    #[allow(clippy::vec_box)] // a worker's address must not change
    workers: Mutex<Vec<Box<Worker>>>,
    signals: signal::Sink,
    /// Counters.
    pub stats: Stats,

    // With the GVL held only (G1).
    /// The VM's own.
    pub user: Cell<*mut ()>,
    thread: Cell<Option<ThreadRef>>,
    coro: Cell<Option<CoroRef>>,
    coro_user: Cell<*mut ()>,
    main: Cell<Option<ThreadRef>>,
    worker: Cell<*const Worker>,
    seq: Cell<u64>,
    ready: Ready,
    timers: Timers,
    /// Threads whose blocking region outlived their hold on the GVL.
    regions: Cell<u32>,
    /// Threads parked `Until::Called`.
    expecting: Cell<u32>,
    threads: Cell<Option<ThreadRef>>,
    threads_n: Cell<usize>,
    last_serial: Cell<u64>,
    /// Dead coros that still own mutexes, and how many.
    abandoned: Cell<Vec<(u64, u32)>>,
    abandoned_n: Cell<u32>,
    /// Where a coro that will not run again saves its stack pointer.
    nowhere: AtomicPtr<u8>,
    pools: [Pool; 3],
    hooks: Hooks,
    config: Config,
}

/// Owns a [`Sched`]. Dropping it frees the stacks, unless a worker is stuck in a blocking region: then all is leaked.
pub struct SchedBox(*mut Sched);

impl std::ops::Deref for SchedBox {
    type Target = Sched;
    fn deref(&self) -> &Sched {
        // SAFETY: made by `Sched::new`, freed by our drop only.
        unsafe { &*self.0 }
    }
}

impl Drop for SchedBox {
    fn drop(&mut self) {
        if self.alive.load(Ordering::Acquire) == 0 && !signal::owned_by(self) {
            while let Some(thread) = self.threads.get() {
                self.discard(thread);
            }
            // SAFETY: `alive` is 0, so no worker uses it; made by Box::into_raw.
            drop(unsafe { Box::from_raw(self.0) });
        }
    }
}

impl Sched {
    /// A scheduler with no threads. `user` is kept for the hooks.
    #[allow(clippy::new_ret_no_self)]
    pub fn new(config: Config, hooks: Hooks, user: *mut ()) -> SchedBox {
        signal::install_nudge();
        let stress = if config.stress_switch { interrupt::STRESS } else { 0 };
        SchedBox(Box::into_raw(Box::new(Sched {
            gvl: Pad(AtomicU64::new(0)),
            inject: Pad(AtomicPtr::new(null_mut())),
            ready_n: Pad(AtomicU32::new(0)),
            woken_n: AtomicU32::new(0),
            slices: AtomicU64::new(0),
            interrupt: Pad(AtomicU32::new(stress)),
            mon: Pad(AtomicU32::new(native::mon::NONE)),
            mon_until: AtomicU64::new(0),
            preempted_at: AtomicU64::new(0),
            park_word: Pad(AtomicU32::new(0)),
            idle_n: AtomicU32::new(0),
            alive: AtomicU32::new(0),
            next_timer: AtomicU64::new(u64::MAX),
            stop: AtomicBool::new(false),
            home: AtomicBool::new(true),
            first_worker: Cell::new(null()),
            barrier: AtomicBool::new(false),
            spin: if std::thread::available_parallelism().is_ok_and(|n| n.get() > 1) { gvl::SPIN } else { 1 },
            workers: Mutex::default(),
            signals: signal::Sink::default(),
            stats: Stats::default(),
            user: Cell::new(user),
            thread: Cell::new(None),
            coro: Cell::new(None),
            coro_user: Cell::new(null_mut()),
            main: Cell::new(None),
            worker: Cell::new(null()),
            seq: Cell::new(0),
            ready: Ready::new(match config.oracle {
                Oracle::Fifo => Oracle::Fifo,
                Oracle::Random(ref state) => Oracle::Random(state.clone()),
            }),
            timers: Timers::default(),
            regions: Cell::new(0),
            expecting: Cell::new(0),
            threads: Cell::new(None),
            threads_n: Cell::new(0),
            last_serial: Cell::new(0),
            abandoned: Cell::default(),
            abandoned_n: Cell::new(0),
            nowhere: AtomicPtr::new(null_mut()),
            pools: [Pool::new(config.thread), Pool::new(config.fiber), Pool::new(config.big)],
            hooks,
            config,
        })))
    }

    /// The running thread. Panics outside [`Sched::run`].
    #[inline(always)]
    pub fn current(&self) -> ThreadRef {
        self.thread.get().expect("no green thread is running")
    }

    /// The running coro. Panics outside [`Sched::run`].
    #[inline(always)]
    pub fn current_coro(&self) -> CoroRef {
        self.coro.get().expect("no green thread is running")
    }

    /// `user` of the running coro.
    #[inline(always)]
    pub fn current_user(&self) -> *mut () {
        self.coro_user.get()
    }

    /// The main thread, once [`Sched::run`] was called; after a fork, the thread that forked.
    pub fn main_thread(&self) -> Option<ThreadRef> {
        self.main.get()
    }

    /// Threads not finished, newest first. The scheduler must not run while the iterator is in use.
    pub fn threads(&self) -> impl Iterator<Item = ThreadRef> {
        let mut at = self.threads.get();
        std::iter::from_fn(move || {
            let thread = at?;
            at = thread.next.get();
            Some(thread)
        })
    }

    /// How many those are.
    pub fn thread_count(&self) -> usize {
        self.threads_n.get()
    }

    /// Every coro that has stacks and belongs to a thread: the collector's roots. For all but the current one scan
    /// `[saved_sp(), region().native_top())`; its own extent the collector gets by [`Sched::with_spilled`].
    pub fn coros(&self) -> impl Iterator<Item = CoroRef> {
        self.threads().flat_map(|t| {
            let mut at = t.coros.get();
            std::iter::from_fn(move || {
                let coro = at?;
                at = coro.next.get();
                Some(coro)
            })
        })
    }

    /// Calls `f(sp)` with the callee-saved registers spilled above `sp`: what the callers of this function hold is
    /// in `[sp, native_top)` of the running coro.
    pub fn with_spilled<R>(&self, f: impl FnOnce(*mut u8) -> R) -> R {
        gvl::call_spilled(&self.nowhere, || f(self.nowhere.load(Ordering::Relaxed)))
    }

    /// The word to poll at safepoints: when it is not 0, call [`Sched::check_interrupts`].
    #[inline(always)]
    pub fn interrupt_word(&self) -> &AtomicU32 {
        &self.interrupt.0
    }

    /// Sets some of the VM's own bits ([`interrupt::VM`]) in the interrupt word; whoever runs gets them from
    /// `check_interrupts`.
    pub fn raise_bits(&self, bits: u32) {
        self.interrupt.fetch_or(bits & interrupt::VM, Ordering::Relaxed);
    }

    /// The pool of a class of regions.
    fn pool(&self, class: RegionClass) -> &Pool {
        &self.pools[class as usize]
    }

    fn next_serial(&self) -> u64 {
        let serial = self.last_serial.get() + 1;
        self.last_serial.set(serial);
        serial
    }
}
