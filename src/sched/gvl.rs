//! The GVL: one word, and the lazy way through a blocking region.
//!
//! | step | operation | order |
//! |---|---|---|
//! | enter, nobody waits | store SYS | Release |
//! | enter, others wait | swap SYS; then kick the monitor unless it polls | SeqCst |
//! | enter, known to block | the same with EAGER, and the monitor need not wait a tick | |
//! | exit | CAS own word to RUN | Acquire |
//! | exit lost | take a FREE or EAGER word at once; else leave, and the **worker's loop** injects the thread | SeqCst |
//! | retake | CAS the word to RUN | AcqRel |
//! | nothing ready | swap FREE, look at `inject` again, become monitor or park | SeqCst |
//!
//! Each word is unique (`seq` grows with each enter), so whose CAS succeeds knows that nothing happened in between.
use super::context::{Arch, Cpu};
use super::native::{Msg, Worker, mon};
use super::sync::{AtomicPtr, Ordering};
use super::{Sched, Thread, ThreadRef, ThreadState, Ubf};

/// Turns (of some 20 ns) that a thread back from a region spins: two threads that talk through a pipe let each other
/// go within a few microseconds, and a hand-over through the kernel takes tens.
pub(super) const SPIN: u32 = 200;

/// What the GVL's holder does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub enum State {
    /// Nobody holds it.
    Free = 0,
    /// A green thread or a worker's loop runs under it.
    Run = 1,
    /// Its holder is in a blocking region: anybody may take it, after a tick.
    Sys = 2,
    /// Its holder is in a region known to block: anybody may take it.
    Eager = 3,
}

/// `seq:48 | worker:14 | state:2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word(pub u64);

impl Word {
    /// The word of `worker` in `state`.
    #[inline(always)]
    pub fn new(state: State, worker: u32, seq: u64) -> Word {
        Word(seq << 16 | (worker as u64) << 2 | state as u64)
    }
    /// Its state.
    #[inline(always)]
    pub fn state(self) -> State {
        match self.0 & 3 {
            0 => State::Free,
            1 => State::Run,
            2 => State::Sys,
            _ => State::Eager,
        }
    }
    /// Its sequence number.
    #[inline(always)]
    pub fn seq(self) -> u64 {
        self.0 >> 16
    }
    /// The same region, ended in time.
    #[inline(always)]
    fn back(self) -> Word {
        Word(self.0 & !3 | State::Run as u64)
    }
}

/// Calls `f` with the callee-saved registers spilled and the stack pointer published in `save`.
#[inline(always)]
pub(super) fn call_spilled<R>(save: &AtomicPtr<u8>, f: impl FnOnce() -> R) -> R {
    struct Job<F, R> {
        f: Option<F>,
        result: Option<R>,
    }
    unsafe extern "C" fn body<F: FnOnce() -> R, R>(job: *mut ()) {
        // SAFETY: `job` is in the frame below, which waits for us.
        let job = unsafe { &mut *job.cast::<Job<F, R>>() };
        job.result = job.f.take().map(|f| f());
    }
    fn door<F: FnOnce() -> R, R>(_: &Job<F, R>) -> unsafe extern "C" fn(*mut ()) {
        body::<F, R>
    }
    let mut job = Job { f: Some(f), result: None };
    let body = door(&job);
    // SAFETY: `body` takes a job of these types.
    unsafe { Cpu::call_spilled(save, body, (&raw mut job).cast()) };
    job.result.expect("the body has run")
}

impl Sched {
    /// The door of `sys::nogvl`: `f` runs without the GVL, or as good as.
    #[inline(always)]
    pub(crate) fn blocking<R>(&self, state: State, ubf: Ubf, f: impl FnOnce() -> R) -> R {
        let thread = self.current();
        call_spilled(&thread.coro.get().sp, || {
            thread.ubf.set(ubf);
            // SAFETY: G1 - we hold the GVL; a worker lives until its scheduler stops.
            let worker = unsafe { &*self.worker.get() };
            let word = self.enter(&thread, worker, state);
            let result = f();
            self.exit(thread, worker, word);
            result
        })
    }

    #[inline(always)]
    fn enter(&self, thread: &Thread, worker: &Worker, state: State) -> Word {
        thread.state.set(ThreadState::Blocking);
        let seq = self.seq.get() + 1;
        self.seq.set(seq);
        let word = Word::new(state, worker.id, seq);
        if self.someone_waits() {
            self.enter_contended(word);
        } else {
            self.gvl.store(word.0, Ordering::Release);
        }
        word
    }

    #[cold]
    #[inline(never)]
    fn enter_contended(&self, word: Word) {
        self.gvl.swap(word.0, Ordering::SeqCst);
        let soon = if word.state() == State::Eager { mon::HIRING } else { mon::TICK };
        if self.mon.load(Ordering::SeqCst).wrapping_sub(1) >= soon {
            self.kick();
        }
    }

    #[inline(always)]
    fn exit(&self, thread: ThreadRef, worker: &Worker, word: Word) {
        if self.gvl.compare_exchange(word.0, word.back().0, Ordering::Acquire, Ordering::Relaxed).is_ok() {
            thread.state.set(ThreadState::Running);
        } else {
            self.exit_lost(thread, worker);
        }
    }

    /// The GVL is gone. Returns with it, perhaps on another worker.
    #[cold]
    #[inline(never)]
    fn exit_lost(&self, thread: ThreadRef, worker: &Worker) {
        self.stats.lost.fetch_add(1, Ordering::Relaxed);
        for _ in 0..self.spin {
            let word = Word(self.gvl.load(Ordering::SeqCst));
            if self.stop.load(Ordering::SeqCst) {
                break;
            }
            if matches!(word.state(), State::Run | State::Sys) {
                std::hint::spin_loop();
                continue;
            }
            if self.try_take(word, worker) {
                self.stats.regained.fetch_add(1, Ordering::Relaxed);
                self.back_from_region(thread);
                self.land(thread);
                return;
            }
        }
        // SAFETY: the worker's loop waits where it switched to green code. It injects us once we are off our stack (G3).
        unsafe { worker.leave(&thread.coro.get().sp, Msg::Lost(thread)) };
    }

    /// Takes the GVL from whoever wrote `word`.
    pub(super) fn try_take(&self, word: Word, worker: &Worker) -> bool {
        let mine = Word::new(State::Run, worker.id, word.seq());
        if self.gvl.compare_exchange(word.0, mine.0, Ordering::SeqCst, Ordering::Relaxed).is_err() {
            return false;
        }
        self.worker.set(worker);
        if word.state() != State::Free {
            self.stats.retakes.fetch_add(1, Ordering::Relaxed);
            self.regions.set(self.regions.get() + 1);
        }
        true
    }

    /// The books of a thread whose region has ended after a retake.
    fn back_from_region(&self, thread: ThreadRef) {
        self.regions.set(self.regions.get() - 1);
        self.timers.cancel(thread);
    }

    /// Nobody runs: lets go of the GVL.
    pub(super) fn let_go(&self, worker: &Worker) {
        let seq = self.seq.get() + 1;
        self.seq.set(seq);
        self.thread.set(None);
        self.coro.set(None);
        self.gvl.swap(Word::new(State::Free, worker.id, seq).0, Ordering::SeqCst);
    }

    /// Hands in a thread whose region has ended, without the GVL and off its stack (G3).
    pub(super) fn push_inject(&self, thread: ThreadRef) {
        let mut first = self.inject.load(Ordering::Relaxed);
        loop {
            // SAFETY: T1 - an injected thread is owned by the scheduler.
            thread.link.set((!first.is_null()).then(|| unsafe { ThreadRef::from_ptr(first) }));
            let new = thread.as_ptr().cast_mut();
            match self.inject.compare_exchange_weak(first, new, Ordering::SeqCst, Ordering::Relaxed) {
                Ok(_) => return,
                Err(now) => first = now,
            }
        }
    }

    /// Makes the injected threads ready, oldest first.
    pub(super) fn drain(&self) {
        let mut at = self.inject.swap(std::ptr::null_mut(), Ordering::Acquire).cast_const();
        let mut oldest = None;
        while !at.is_null() {
            // SAFETY: T1, as in `push_inject`.
            let thread = unsafe { ThreadRef::from_ptr(at) };
            at = thread.link.replace(oldest).map_or(std::ptr::null(), ThreadRef::as_ptr);
            oldest = Some(thread);
        }
        while let Some(thread) = oldest {
            oldest = thread.link.take();
            self.back_from_region(thread);
            self.push_ready(thread, true);
        }
    }

    /// Threads are ready, or back from regions.
    #[inline(always)]
    pub(super) fn someone_waits(&self) -> bool {
        self.ready_n.load(Ordering::Relaxed) != 0 || !self.inject.load(Ordering::Relaxed).is_null()
    }
}
