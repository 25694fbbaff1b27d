//! Native workers: OS threads that carry green ones. One runs under the GVL, one at most is the monitor, the rest
//! sleep, or sit in blocking regions.
//!
//! The monitor is a spare worker that watches the one that runs: it takes the GVL from a region that lasts, says
//! when a slice is over and when a deadline has passed. On taking the GVL it gives up the role and runs green
//! threads itself, so a retake needs no second wake-up; whoever finds the GVL gone becomes the next monitor.
use super::context::{Arch, Cpu};
use super::gvl::{State, Word};
use super::sync::{AtomicI32, AtomicPtr, Ordering, compiler_fence};
use super::{Sched, ThreadRef, futex, interrupt, now, signal};
use std::cell::Cell;
use std::ptr::null_mut;

/// States of the `mon` word, a futex. In order of how soon the monitor looks again.
///
/// ```text
/// NONE --hire--> HIRING --a worker comes--> POLL <--kick, timeout--> TICK, NAP, DEEP, IDLE
///  ^---------- takes the GVL ----------------'
/// ```
pub mod mon {
    /// No monitor.
    pub const NONE: u32 = 0;
    /// Awake.
    pub const POLL: u32 = 1;
    /// A worker was woken or started for the role.
    pub const HIRING: u32 = 2;
    /// Asleep for a tick.
    pub const TICK: u32 = 3;
    /// Asleep for a minimal slice at most.
    pub const NAP: u32 = 4;
    /// Asleep for a quantum at most.
    pub const DEEP: u32 = 5;
    /// Asleep until the next deadline, if there is one.
    pub const IDLE: u32 = 6;
}

/// After a system call beside ready threads, poll for this long.
const LINGER: u64 = 1_000_000;
/// After a thread was woken beside a running one, nap for this long.
const NAP_FOR: u64 = 20_000_000;
/// After a switch, tick for this long.
const DEEP_FOR: u64 = 100_000_000;
/// Regions that keep ending in time slow polling down to this many ticks.
const MAX_BACKOFF: u64 = 4;
/// Native stack of a worker: its loop, hooks, signal handlers.
const WORKER_STACK: usize = 256 << 10;

/// Why a green thread left for its worker's loop.
#[derive(Clone, Copy)]
pub enum Msg {
    /// Nothing is ready.
    Idle,
    /// Back from a region, without the GVL.
    Lost(ThreadRef),
    /// The main thread has finished.
    Stop,
}

/// A native worker.
pub struct Worker {
    /// Index, below 2^14.
    pub id: u32,
    tid: AtomicI32,
    /// Its loop's stack pointer while it runs green code.
    sp: AtomicPtr<u8>,
    msg: Cell<Msg>,
}

struct Address<T>(*const T);
// SAFETY: carries addresses to a new worker, which keeps to G1.
unsafe impl<T> Send for Address<T> {}
impl<T> Address<T> {
    fn get(&self) -> *const T {
        self.0
    }
}

impl Worker {
    fn new(id: u32) -> Box<Worker> {
        Box::new(Worker { id, tid: AtomicI32::new(0), sp: AtomicPtr::new(null_mut()), msg: Cell::new(Msg::Idle) })
    }

    /// Its kernel thread id.
    pub fn tid(&self) -> i32 {
        self.tid.load(Ordering::Relaxed)
    }

    pub(super) fn note_tid(&self) {
        // SAFETY: no pointers.
        self.tid.store(unsafe { libc::gettid() }, Ordering::Relaxed);
    }

    /// Its native thread is gone.
    pub(super) fn forget_tid(&self) {
        self.tid.store(0, Ordering::Relaxed);
    }

    /// Leaves green code for the loop.
    ///
    /// # Safety
    /// Called on this worker, on a green stack that its loop switched to, directly or through others.
    pub(super) unsafe fn leave(&self, save: *const AtomicPtr<u8>, msg: Msg) {
        self.msg.set(msg);
        // SAFETY: as promised; the loop saved its stack pointer then.
        unsafe { Cpu::switch(save, self.sp.load(Ordering::Relaxed)) }
    }
}

/// What the monitor remembers between looks.
struct Watch {
    /// The region being timed, since when, and for how many ticks it may last.
    region: Word,
    region_since: u64,
    backoff: u64,
    /// The slice being timed.
    slice: u64,
    slice_since: u64,
    /// Last system call seen.
    seq: u64,
    seq_at: u64,
    nap_until: u64,
    deep_until: u64,
    /// Preempted threads' turns, and since when there was none.
    turns: u64,
    turns_since: u64,
}

impl Sched {
    pub(super) fn run_workers(&self, main: ThreadRef) {
        let me = Worker::new(self.workers.lock().unwrap().len() as u32);
        let worker: *const Worker = &*me;
        self.workers.lock().unwrap().push(me);
        self.alive.fetch_add(1, Ordering::Relaxed);
        if !self.barrier.load(Ordering::Relaxed) {
            self.barrier.store(futex::register_barrier(), Ordering::Relaxed);
        }
        self.stop.store(false, Ordering::SeqCst);
        // SAFETY: boxed, and kept in `workers`.
        let me = unsafe { &*worker };
        self.seq.set(self.seq.get() + 1);
        self.gvl.swap(Word::new(State::Run, me.id, self.seq.get()).0, Ordering::SeqCst);
        self.worker.set(me);
        self.push_ready(main, false);
        self.home.store(false, Ordering::SeqCst);
        self.first_worker.set(me);
        self.work(me, true);
        self.home.store(true, Ordering::Release);
        self.nudge_out(me, || self.alive.load(Ordering::Acquire) == 1);
        me.forget_tid();
        self.alive.fetch_sub(1, Ordering::Release);
    }

    fn start_worker(&self) -> bool {
        let mut workers = self.workers.lock().unwrap();
        let id = workers.len() as u32;
        if id >= self.config.max_workers.min(1 << 14) {
            return false;
        }
        let me = Worker::new(id);
        let addresses = (Address(self), Address(&*me));
        self.alive.fetch_add(1, Ordering::Relaxed);
        let started =
            std::thread::Builder::new().name(format!("minirb-{id}")).stack_size(WORKER_STACK).spawn(move || {
                // SAFETY: a worker and its scheduler live until `alive` says that the worker is gone.
                let (sched, me) = unsafe { (&*addresses.0.get(), &*addresses.1.get()) };
                sched.work(me, false);
                sched.alive.fetch_sub(1, Ordering::Release);
            });
        if started.is_err() {
            self.alive.fetch_sub(1, Ordering::Relaxed);
            return false;
        }
        workers.push(me);
        self.stats.workers.fetch_add(1, Ordering::Relaxed);
        true
    }

    /// A worker's life, on its native stack.
    fn work(&self, me: &Worker, mut holds: bool) {
        // SAFETY: no pointers. Without it, a sleep of 20 us takes 80.
        unsafe { libc::prctl(libc::PR_SET_TIMERSLACK, 1) };
        me.note_tid();
        loop {
            if !holds && !self.attend(me) {
                return;
            }
            holds = false;
            if !self.dispatch(me) {
                return;
            }
        }
    }

    /// Runs green threads until the GVL is gone. False at the end of the run.
    fn dispatch(&self, me: &Worker) -> bool {
        self.thread.set(None);
        // After giving up the monitor's role: whoever injected before that saw a monitor and went to sleep.
        if !self.inject.load(Ordering::SeqCst).is_null() {
            self.drain();
        }
        loop {
            self.thread.set(None);
            self.poll_sources(true);
            let next = self.pick().or_else(|| {
                if self.is_stuck() {
                    (self.hooks.on_deadlock)(self);
                }
                self.pick()
            });
            let Some(next) = next else {
                self.let_go(me);
                return true;
            };
            self.land(next);
            // SAFETY: T3, G3.
            unsafe { Cpu::switch(&me.sp, next.coro.get().sp.load(Ordering::Relaxed)) }
            match me.msg.get() {
                Msg::Idle => {}
                Msg::Lost(thread) => {
                    self.push_inject(thread);
                    return true;
                }
                Msg::Stop => {
                    let first = std::ptr::eq(self.first_worker.get(), me);
                    self.let_go(me);
                    self.stop.store(true, Ordering::SeqCst);
                    self.mon.swap(mon::POLL, Ordering::SeqCst);
                    futex::wake(&self.mon, i32::MAX);
                    self.park_word.fetch_add(1, Ordering::SeqCst);
                    futex::wake(&self.park_word, i32::MAX);
                    if !first {
                        // The native thread that called `run` may sit in a region.
                        self.nudge_out(me, || self.home.load(Ordering::Acquire));
                    }
                    return false;
                }
            }
        }
    }

    /// Nothing is ready, and nothing will be.
    fn is_stuck(&self) -> bool {
        self.threads.get().is_some()
            && self.regions.get() == 0
            && self.expecting.get() == 0
            && self.timers.first().is_none()
            && self.inject.load(Ordering::SeqCst).is_null()
            && self.interrupt.load(Ordering::Relaxed) & interrupt::SIGNAL == 0
    }

    /// Nudges other workers out of their system calls until `enough`, for two seconds at most.
    fn nudge_out(&self, me: &Worker, enough: impl Fn() -> bool) {
        for round in 0..1000 {
            if enough() {
                return;
            }
            let tids: Vec<_> = self.workers.lock().unwrap().iter().map(|w| w.tid()).collect();
            tids.into_iter().filter(|&t| t != me.tid() && t != 0).for_each(signal::nudge);
            std::thread::sleep(std::time::Duration::from_micros(63 << round.min(5)));
        }
    }

    /// Something waits that the holder of the GVL will not see by itself.
    fn work_waits(&self) -> bool {
        self.ready_n.load(Ordering::Relaxed) != 0
            || !self.inject.load(Ordering::SeqCst).is_null()
            || self.interrupt.load(Ordering::SeqCst) & interrupt::SIGNAL != 0
    }

    /// A worker without the GVL: watches or sleeps until it has it (true) or the run ends (false).
    fn attend(&self, me: &Worker) -> bool {
        self.idle_n.fetch_add(1, Ordering::SeqCst);
        loop {
            if self.stop.load(Ordering::SeqCst) {
                self.idle_n.fetch_sub(1, Ordering::SeqCst);
                return false;
            }
            let word = Word(self.gvl.load(Ordering::SeqCst));
            if matches!(word.state(), State::Free | State::Eager) && self.work_waits() && self.try_take(word, me) {
                self.idle_n.fetch_sub(1, Ordering::SeqCst);
                // We may be the one that `hire` counted on; if so, whoever lands next hires again.
                let _ = self.mon.compare_exchange(mon::HIRING, mon::NONE, Ordering::SeqCst, Ordering::SeqCst);
                return true;
            }
            let seen = self.park_word.load(Ordering::SeqCst);
            let became = [mon::NONE, mon::HIRING]
                .into_iter()
                .any(|old| self.mon.compare_exchange(old, mon::POLL, Ordering::SeqCst, Ordering::SeqCst).is_ok());
            if became {
                self.idle_n.fetch_sub(1, Ordering::SeqCst);
                return self.monitor(me);
            }
            if self.work_waits() {
                self.kick();
            }
            if !self.stop.load(Ordering::SeqCst) {
                futex::wait(&self.park_word, seen, None);
            }
        }
    }

    /// The monitor's role. True with the GVL, false at the end of the run.
    fn monitor(&self, me: &Worker) -> bool {
        let start = now();
        let mut watch = Watch {
            region: Word(0),
            region_since: start,
            backoff: 1,
            slice: self.slices.load(Ordering::Relaxed),
            slice_since: start,
            seq: 0,
            seq_at: 0,
            nap_until: start + NAP_FOR,
            deep_until: start + DEEP_FOR,
            turns: 0,
            turns_since: start,
        };
        loop {
            if self.stop.load(Ordering::SeqCst) {
                return false;
            }
            let word = Word(self.gvl.load(Ordering::SeqCst));
            let now = now();
            let due = self.next_timer.load(Ordering::SeqCst) <= now;
            let waits = self.work_waits() || due;
            if waits && watch.may_take(word, now, self.config.tick) && self.try_take(word, me) {
                self.mon.swap(mon::NONE, Ordering::SeqCst);
                return true;
            }
            let (level, sleep) = self.plan(&mut watch, word, now, waits, due);
            self.nap(level, sleep, now, waits);
        }
    }

    /// How to sleep: the level to announce, and for how long (None: until kicked).
    fn plan(&self, watch: &mut Watch, word: Word, now: u64, waits: bool, due: bool) -> (u32, Option<u64>) {
        let slices = self.slices.load(Ordering::Relaxed);
        if slices != watch.slice {
            (watch.slice, watch.slice_since) = (slices, now);
            watch.deep_until = now + DEEP_FOR;
        }
        if word.seq() != watch.seq {
            (watch.seq, watch.seq_at) = (word.seq(), now);
        }
        let to_timer = self.next_timer.load(Ordering::Relaxed).saturating_sub(now);
        let to_timer = if due { u64::MAX } else { to_timer };
        if waits {
            let woken =
                due || self.woken_n.load(Ordering::Relaxed) != 0 || !self.inject.load(Ordering::Relaxed).is_null();
            if woken {
                watch.nap_until = now + NAP_FOR;
            }
            let turns = self.ready.turns.load(Ordering::Relaxed);
            let others = self.ready_n.load(Ordering::Relaxed) > self.woken_n.load(Ordering::Relaxed);
            if turns != watch.turns || !others {
                (watch.turns, watch.turns_since) = (turns, now);
            } else if now - watch.turns_since >= 2 * self.config.min_slice {
                self.ready.due.store(true, Ordering::Relaxed);
            }
            // A woken thread need not wait for the slice to end, but preemptions keep their distance.
            let quiet = self.config.min_slice.saturating_sub(now - self.preempted_at.load(Ordering::Relaxed));
            let rest = self.config.quantum.saturating_sub(now - watch.slice_since);
            let mut left = if woken { quiet } else { rest };
            if left == 0 {
                let timer = if due { interrupt::TIMER } else { 0 };
                self.interrupt.fetch_or(interrupt::YIELD | timer, Ordering::Relaxed);
                self.preempted_at.store(now, Ordering::Relaxed);
                watch.slice_since = now;
                left = self.config.min_slice;
            }
            let left = left.min(to_timer);
            if word.state() != State::Run || now - watch.seq_at < LINGER {
                return (mon::TICK, Some(left.min(self.config.tick * watch.backoff)));
            }
            if left <= self.config.min_slice || now < watch.nap_until {
                return (mon::NAP, Some(left.min(self.config.min_slice)));
            }
            return (mon::DEEP, Some(left));
        }
        (watch.backoff, watch.region) = (1, Word(0));
        if word.state() == State::Run && now < watch.nap_until {
            (mon::NAP, Some(to_timer.min(self.config.min_slice)))
        } else if word.state() == State::Run && now < watch.deep_until {
            (mon::DEEP, Some(to_timer.min(self.config.quantum)))
        } else {
            (mon::IDLE, (to_timer != u64::MAX).then_some(to_timer))
        }
    }

    /// Sleeps as planned, unless something changed.
    fn nap(&self, level: u32, sleep: Option<u64>, now: u64, waits: bool) {
        let until = sleep.map_or(u64::MAX, |s| now.saturating_add(s));
        self.mon_until.store(until, Ordering::SeqCst);
        if self.mon.compare_exchange(mon::POLL, level, Ordering::SeqCst, Ordering::SeqCst).is_err() {
            return;
        }
        let mut sleep = sleep;
        if level == mon::IDLE && !self.fence_all() {
            // A wake-up may be missed, so look again some time.
            sleep = Some(sleep.unwrap_or(u64::MAX).min(50_000_000));
        }
        // Announced; now look again, so that who made work before the announcement is not missed.
        let running = Word(self.gvl.load(Ordering::SeqCst)).state() == State::Run;
        let timer = self.next_timer.load(Ordering::SeqCst);
        let changed = self.stop.load(Ordering::SeqCst)
            || (self.work_waits() && !(running && waits))
            || (timer < until && !(waits && timer <= now));
        if !changed {
            futex::wait(&self.mon, level, sleep);
        }
        let _ = self.mon.compare_exchange(level, mon::POLL, Ordering::SeqCst, Ordering::SeqCst);
    }

    /// Pairs with the plain store and load in `watch`.
    fn fence_all(&self) -> bool {
        let known = self.barrier.load(Ordering::Relaxed);
        if known {
            futex::barrier();
        }
        known
    }

    /// After making work, GVL held: sees to it that the monitor looks within the time of `level`.
    #[inline(always)]
    pub(super) fn watch(&self, level: u32) {
        // The processor's fence between the store before this and this load is the monitor's `fence_all`.
        compiler_fence(Ordering::SeqCst);
        if self.mon.load(Ordering::Relaxed).wrapping_sub(1) >= level {
            self.kick();
        }
    }

    /// While something waits, or will (G5), there is a monitor. Called at each switch.
    #[inline(always)]
    pub(super) fn keep_watched(&self) {
        if self.someone_waits() {
            self.watch(if self.woken_n.load(Ordering::Relaxed) != 0 { mon::NAP } else { mon::DEEP });
        } else if self.next_timer.load(Ordering::Relaxed) != u64::MAX && self.mon.load(Ordering::Relaxed) == mon::NONE {
            self.kick();
        }
    }

    /// Wakes the monitor; hires one if there is none. With or without the GVL.
    #[cold]
    #[inline(never)]
    pub(super) fn kick(&self) {
        match self.mon.load(Ordering::SeqCst) {
            mon::NONE => self.hire(),
            mon::POLL | mon::HIRING => {}
            asleep => self.rouse(asleep),
        }
    }

    fn rouse(&self, level: u32) {
        if self.mon.compare_exchange(level, mon::POLL, Ordering::SeqCst, Ordering::SeqCst).is_ok() {
            self.stats.kicks.fetch_add(1, Ordering::Relaxed);
            futex::wake(&self.mon, 1);
        }
    }

    fn hire(&self) {
        if self.mon.compare_exchange(mon::NONE, mon::HIRING, Ordering::SeqCst, Ordering::SeqCst).is_err() {
            return;
        }
        self.stats.kicks.fetch_add(1, Ordering::Relaxed);
        // HIRING is announced before idle workers are counted, and they leave the count before they look for HIRING:
        // so either one comes, or it takes the word back.
        if self.idle_n.load(Ordering::SeqCst) != 0 {
            self.park_word.fetch_add(1, Ordering::SeqCst);
            futex::wake(&self.park_word, 1);
        } else if !self.start_worker() {
            let _ = self.mon.compare_exchange(mon::HIRING, mon::NONE, Ordering::SeqCst, Ordering::SeqCst);
            // Nobody will watch the clock, so whoever runs next does.
            self.interrupt.fetch_or(interrupt::TIMER, Ordering::Relaxed);
        }
    }

    /// The holder of the GVL is in a region, and nobody watches.
    pub(super) fn unwatched_region(&self) -> bool {
        let state = Word(self.gvl.load(Ordering::SeqCst)).state();
        matches!(state, State::Sys | State::Eager) && self.mon.load(Ordering::SeqCst) == mon::NONE
    }

    /// For a signal handler, on any thread: the SIGNAL bit was set.
    pub(super) fn rouse_for_signal(&self) {
        match self.mon.load(Ordering::SeqCst) {
            mon::NONE => {
                self.park_word.fetch_add(1, Ordering::SeqCst);
                futex::wake(&self.park_word, 1);
            }
            mon::POLL | mon::HIRING => {}
            asleep => self.rouse(asleep),
        }
    }
}

impl Watch {
    /// Whether the GVL may be taken from who wrote `word`.
    fn may_take(&mut self, word: Word, now: u64, tick: u64) -> bool {
        match word.state() {
            State::Free | State::Eager => true,
            State::Run => false,
            State::Sys if word != self.region => {
                if self.region.0 != 0 {
                    self.backoff = (self.backoff * 2).min(MAX_BACKOFF);
                }
                (self.region, self.region_since) = (word, now);
                false
            }
            State::Sys => now - self.region_since >= tick - tick / 10,
        }
    }
}
