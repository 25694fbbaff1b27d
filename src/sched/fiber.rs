//! Coros: how they start, switch and end; and with its root, a thread.
use super::context::{Arch, Cpu};
use super::native::Msg;
use super::sync::{AtomicPtr, Ordering};
use super::{Coro, CoroRef, CoroState, Entry, NoStack, RegionClass, Sched, ThreadRef, ThreadState, interrupt};
use std::ptr::null_mut;

/// Where every coro begins, on its own stack, GVL held.
extern "C" fn begin(coro: *mut ()) -> ! {
    // SAFETY: T1 - a coro that is switched to is owned. The scheduler outlives its coros.
    let (coro, sched) = unsafe {
        let coro = CoroRef::from_ptr(coro.cast::<Coro>());
        (coro, &*coro.sched)
    };
    // SAFETY: whoever passed the entry vouched for it and its argument.
    let next = unsafe { coro.entry.get()(sched, coro, coro.arg.get()) };
    sched.end(coro, next)
}

impl Sched {
    /// A new thread, ready: it will run `entry(arg)`. The caller owns the handle, see [`Sched::free_thread`].
    pub fn spawn(&self, entry: Entry, arg: *mut (), user: *mut ()) -> Result<ThreadRef, NoStack> {
        let thread = self.spawn_on(RegionClass::Thread, entry, arg, user)?;
        self.push_ready(thread, false);
        Ok(thread)
    }

    pub(super) fn spawn_on(
        &self,
        size: RegionClass,
        entry: Entry,
        arg: *mut (),
        user: *mut (),
    ) -> Result<ThreadRef, NoStack> {
        let root = self.make_coro(size, self.next_serial(), entry, arg, user)?;
        let thread = ThreadRef::new(self.next_serial(), root, user);
        thread.next.set(self.threads.get());
        if let Some(first) = self.threads.replace(Some(thread)) {
            first.prev.set(Some(thread));
        }
        self.threads_n.set(self.threads_n.get() + 1);
        Ok(thread)
    }

    /// A new coro of the running thread, not started. The caller owns it, see [`Sched::free_coro`].
    pub fn new_coro(&self, entry: Entry, arg: *mut (), user: *mut ()) -> Result<CoroRef, NoStack> {
        let coro = self.make_coro(RegionClass::Fiber, self.next_serial(), entry, arg, user)?;
        self.adopt(coro);
        Ok(coro)
    }

    fn adopt(&self, coro: CoroRef) {
        let thread = self.current();
        coro.thread.set(Some(thread));
        thread.add_coro(coro);
    }

    fn make_coro(
        &self,
        size: RegionClass,
        serial: u64,
        entry: Entry,
        arg: *mut (),
        user: *mut (),
    ) -> Result<CoroRef, NoStack> {
        let region = self.pool(size).take()?;
        let coro = CoroRef::new(self, serial, size, region, entry, arg, user);
        // SAFETY: R1 - the region is ours, and a native stack is larger than 128 bytes.
        let sp = unsafe { Cpu::prepare(region.native_top(), begin, coro.as_ptr().cast_mut().cast()) };
        coro.sp.store(sp, Ordering::Relaxed);
        Ok(coro)
    }

    /// Continues with `to`, another coro of the running thread, until something switches back.
    ///
    /// Inline, for a return after a switch is mispredicted. So the caller must not touch thread-local storage (G4).
    #[inline(always)]
    pub fn switch_to(&self, to: CoroRef) {
        let from = self.current_coro();
        if from == to {
            return;
        }
        debug_assert!(to.thread.get() == self.thread.get() && to.state.get() != CoroState::Done);
        from.state.set(CoroState::Suspended);
        self.continue_with(&from.sp, to);
    }

    #[inline(always)]
    fn continue_with(&self, save: *const AtomicPtr<u8>, to: CoroRef) {
        self.current().coro.set(to);
        self.set_coro(to);
        // SAFETY: T3 - `to` is not current, so its saved stack pointer is good.
        unsafe { Cpu::switch(save, to.sp.load(Ordering::Relaxed)) }
    }

    #[inline]
    pub(super) fn set_coro(&self, coro: CoroRef) {
        coro.state.set(CoroState::Current);
        self.coro.set(Some(coro));
        self.coro_user.set(coro.user.get());
        (self.hooks.on_switch)(self, &coro);
    }

    /// The books of a switch to `thread`, GVL held; the caller then lands on its stack.
    #[inline]
    pub(super) fn land(&self, thread: ThreadRef) {
        thread.state.set(ThreadState::Running);
        thread.worker.set(self.worker.get());
        thread.slices.set(thread.slices.get() + 1);
        self.thread.set(Some(thread));
        self.slices.store(self.slices.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        let wanted = if thread.interrupted() { interrupt::THREAD } else { 0 };
        let mine = interrupt::YIELD | interrupt::THREAD;
        if self.interrupt.load(Ordering::Relaxed) & mine != wanted {
            self.interrupt.fetch_and(!mine, Ordering::Relaxed);
            self.interrupt.fetch_or(wanted, Ordering::Relaxed);
        }
        self.set_coro(thread.coro.get());
        self.keep_watched();
    }

    /// The end of a coro: gives back what it held and never returns.
    fn end(&self, coro: CoroRef, next: Option<CoroRef>) -> ! {
        let thread = self.current();
        self.abandon_locks(&coro);
        coro.state.set(CoroState::Done);
        self.pool(coro.size).release(coro.region.get());
        if coro == thread.root {
            self.finish(thread);
        } else {
            thread.remove_coro(coro);
            coro.thread.set(None);
            self.continue_with(&self.nowhere, next.unwrap_or(thread.root));
        }
        unreachable!("a finished coro was continued")
    }

    fn finish(&self, thread: ThreadRef) {
        self.wake_all(&thread.joiners);
        let is_main = self.main.get() == Some(thread);
        self.retire(thread);
        self.thread.set(None);
        self.coro.set(None);
        if is_main {
            self.main.set(None);
            self.leave(&self.nowhere, Msg::Stop);
        } else {
            self.reschedule(&self.nowhere);
        }
    }

    /// Takes a thread out of all books and gives up the scheduler's ownership of it.
    pub(super) fn retire(&self, thread: ThreadRef) {
        thread.state.set(ThreadState::Finished);
        while let Some(coro) = thread.coros.get() {
            thread.remove_coro(coro);
            coro.thread.set(None);
        }
        let (prev, next) = (thread.prev.take(), thread.next.take());
        match prev {
            Some(p) => p.next.set(next),
            None => self.threads.set(next),
        }
        if let Some(n) = next {
            n.prev.set(prev);
        }
        self.threads_n.set(self.threads_n.get() - 1);
        self.disown(thread);
    }

    fn disown(&self, thread: ThreadRef) {
        let owners = thread.owners.get() - 1;
        thread.owners.set(owners);
        if owners == 0 {
            // SAFETY: T1 - both owners are gone; the root is owned by its thread.
            unsafe {
                thread.root.free();
                thread.free();
            }
        }
    }

    /// Ends a thread that will never run again, nobody standing on its stacks.
    pub(super) fn discard(&self, thread: ThreadRef) {
        // SAFETY: T2; W1 - its frames are still mapped.
        if let Some(waiter) = unsafe { thread.waiter.replace(std::ptr::null()).as_ref() } {
            waiter.unlink();
        }
        self.timers.cancel(thread);
        while let Some(coro) = thread.coros.get() {
            self.abandon_locks(&coro);
            thread.remove_coro(coro);
            coro.thread.set(None);
            coro.state.set(CoroState::Done);
            self.pool(coro.size).release(coro.region.get());
        }
        self.retire(thread);
    }

    /// Gives up a handle that `spawn` returned. The record is freed once the thread is finished too.
    ///
    /// # Safety
    /// The caller owned it, and uses it no more (T1).
    pub unsafe fn free_thread(&self, thread: ThreadRef) {
        self.disown(thread);
    }

    /// Frees a coro that `new_coro` returned; its frames, if it had not ended, are forgotten without unwinding.
    ///
    /// # Safety
    /// The caller owned it and uses it no more (T1); it is not the current coro of its thread.
    pub unsafe fn free_coro(&self, coro: CoroRef) {
        if coro.state.get() != CoroState::Done {
            debug_assert!(coro.state.get() != CoroState::Current || coro.thread.get().is_none());
            self.abandon_locks(&coro);
            if let Some(thread) = coro.thread.get() {
                thread.remove_coro(coro);
            }
            self.pool(coro.size).release(coro.region.get());
        }
        // SAFETY: T1, as promised.
        unsafe { coro.free() }
    }

    /// Runs `f` on the big stacks of a region of its own, and returns what it returns; for code that recurses
    /// deeply, such as the compiler. It counts as the running coro meanwhile: same `user`, same locks.
    pub fn on_big_stack<R>(&self, f: impl FnOnce() -> R) -> Result<R, NoStack> {
        struct Job<F, R> {
            f: Option<F>,
            result: Option<R>,
            back: CoroRef,
        }
        unsafe fn body<F: FnOnce() -> R, R>(_: &Sched, _: CoroRef, job: *mut ()) -> Option<CoroRef> {
            // SAFETY: `job` is in the frame of `on_big_stack`, which waits for us and does not touch it (G2).
            let job = unsafe { &mut *job.cast::<Job<F, R>>() };
            job.result = job.f.take().map(|f| f());
            Some(job.back)
        }
        fn entry<F: FnOnce() -> R, R>(_: &Job<F, R>) -> Entry {
            body::<F, R>
        }
        let back = self.current_coro();
        let mut job = Job { f: Some(f), result: None, back };
        let entry = entry(&job);
        let arg = (&raw mut job).cast();
        let coro = self.make_coro(RegionClass::Big, back.serial, entry, arg, back.user.get())?;
        self.adopt(coro);
        self.switch_to(coro);
        // SAFETY: it has ended, and only we knew it.
        unsafe { coro.free() };
        Ok(job.result.expect("the body has run"))
    }

    /// Runs the main thread, `entry(arg)` on the big region, and whatever it spawns; returns when it has finished.
    /// The calling native thread is the first worker meanwhile. The VM owns the main thread's record as well, see
    /// [`Sched::free_thread`]. Threads still parked then stay, and would go on in a next run; those in blocking
    /// regions are nudged out, for two seconds at most.
    pub fn run(&self, entry: Entry, arg: *mut (), user: *mut ()) -> Result<(), NoStack> {
        assert!(self.thread.get().is_none(), "Sched::run within itself");
        let main = self.spawn_on(RegionClass::Big, entry, arg, user)?;
        self.main.set(Some(main));
        self.run_workers(main);
        self.coro_user.set(null_mut());
        Ok(())
    }
}
