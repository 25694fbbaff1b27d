//! What the collector starts from.

use super::{Ec, State};
use crate::heap::{Heap, Marker};
use crate::object::forget_dead;

impl State {
    /// Called once the state has its final address.
    pub fn start_gc(&self) {
        let ctx = self as *const State as *const ();
        self.heap.set_roots(roots, ctx);
        self.heap.set_after_mark(after_mark, ctx);
    }
}

fn roots(ctx: *const (), m: &mut Marker) {
    // SAFETY: `start_gc` gave this address, and the state outlives the heap's use.
    let s = unsafe { &*(ctx as *const State) };
    s.classes.each(|c| m.value(c.value()));
    m.value(s.main.get());
    m.value(s.tracer.get());
    for v in s.kept.borrow().iter() {
        m.value(*v)
    }
    s.gvars.trace(m);
    s.objects.trace_generic(m);
    for t in s.tracers.borrow().iter() {
        t(m)
    }
    let sched = &s.sched;
    let running = sched.current_coro();
    // What the callers hold is in the running stack from here up; all others saved theirs when they left.
    sched.with_spilled(|sp| {
        for coro in sched.coros() {
            let top = coro.region().native_top() as usize;
            let sp = if coro == running { sp } else { coro.saved_sp() } as usize;
            // SAFETY: stacks of live coros, none of which runs Ruby now: we hold the GVL.
            unsafe {
                m.range((sp + 7) & !7, top);
                if let Some(ec) = (coro.user.get() as *const Ec).as_ref() {
                    trace_ec(ec, m)
                }
            }
        }
    });
}

/// Reports everything a fiber's context holds.
/// # Safety
/// The value stack described by `ec` is mapped.
pub unsafe fn trace_ec(ec: &Ec, m: &mut Marker) {
    m.value(ec.errinfo.get());
    m.value(ec.thread.get());
    m.value(ec.fiber.get());
    m.value(ec.unwind.value.get());
    m.word(ec.unwind.target.get());
    for (a, b, _) in ec.recursion.borrow().iter() {
        m.value(*a);
        m.value(*b);
    }
    // SAFETY: the caller's promise; F1 and F2: frames end at the newest one's top. A call in preparation has its
    // arguments in the window of that frame, which lies below its top, or above it in a native's window: scan a little
    // more.
    unsafe {
        if !ec.fp.get().is_null() {
            let top = ec.frame().top();
            m.range(ec.stack_base.get() as usize, (top as usize + 64 * 8).min(ec.limit.get() as usize));
        }
    }
}

fn after_mark(ctx: *const (), heap: &Heap) {
    // SAFETY: as in `roots`.
    let s = unsafe { &*(ctx as *const State) };
    s.objects.sweep_tables();
    s.cache.forget_lines();
    for f in s.weak.borrow().iter() {
        f(heap)
    }
    heap.each_marked_of(crate::object::ty::CLASS, |c| {
        // SAFETY: a live cell with the class tag.
        unsafe { forget_dead(&*(c as *const crate::object::RClass), heap) }
    });
}
