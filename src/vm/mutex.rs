//! The Mutex cell: a header and the scheduler's lock, 32 bytes, with the fast halves that opcodes use.

use super::Vm;
use crate::heap::Header;
use crate::object::{Class, Ref, sym, ty};
use crate::sched::{Lock, RawMutex, Until};
use crate::value::{Ruby, Value};

#[repr(C)]
pub struct RMutex {
    pub h: Header,
    pub raw: RawMutex,
}

impl RMutex {
    pub fn alloc(vm: Vm, class: Class) -> Value {
        let h = Header::new(class.as_ptr() as *mut Header, ty::MUTEX);
        let p = vm.heap.alloc::<_, false>(RMutex { h, raw: RawMutex::new() });
        // SAFETY: just allocated.
        unsafe { Value::from_ptr(p) }
    }
}

impl Value {
    #[inline(always)]
    pub fn as_mutex(self) -> Option<Ref<RMutex>> {
        if self.is_type(ty::MUTEX) {
            // SAFETY: the tag says so.
            Some(unsafe { Ref::new(self.ptr() as *mut RMutex) })
        } else {
            None
        }
    }
}

impl Vm {
    /// `Mutex#lock`. The running frame must be published (it may park).
    #[inline(always)]
    pub fn mutex_lock(self, m: Value) -> Ruby<()> {
        match m.as_mutex() {
            Some(m) if m.raw.lock_fast(&self.sched.current_coro()) => Ok(()),
            _ => self.mutex_lock_slow(m),
        }
    }

    #[cold]
    #[inline(never)]
    fn mutex_lock_slow(self, v: Value) -> Ruby<()> {
        let Some(m) = v.as_mutex() else { return Err(self.type_error("wrong argument type (expected Thread::Mutex)")) };
        if self.in_trap() {
            return Err(self.thread_error("can't be called from trap context"));
        }
        loop {
            let me = self.sched.current_coro();
            match m.raw.lock(&self.sched, &me, Until::Woken) {
                Lock::Acquired => break,
                Lock::TimedOut => {}
                Lock::Interrupted => self.run_interrupts()?,
                Lock::Recursive => return Err(self.thread_error("deadlock; recursive locking")),
                Lock::SiblingOwns => {
                    return Err(
                        self.thread_error("deadlock; lock already owned by another fiber belonging to the same thread")
                    );
                }
            }
        }
        crate::heap::root::keep(v);
        Ok(())
    }

    /// `Mutex#unlock`.
    #[inline(always)]
    pub fn mutex_unlock(self, m: Value) -> Ruby<()> {
        match m.as_mutex() {
            Some(m) if m.raw.unlock(&self.sched, &self.sched.current_coro()) => Ok(()),
            _ => self.mutex_unlock_slow(m),
        }
    }

    #[cold]
    #[inline(never)]
    fn mutex_unlock_slow(self, v: Value) -> Ruby<()> {
        let Some(m) = v.as_mutex() else { return Err(self.type_error("wrong argument type (expected Thread::Mutex)")) };
        Err(self.thread_error(if m.raw.is_locked(&self.sched) {
            "Attempt to unlock a mutex which is locked by another thread/fiber"
        } else {
            "Attempt to unlock a mutex which is not locked"
        }))
    }

    pub fn thread_error(self, text: &str) -> crate::value::Raised {
        self.raise(self.classes.thread_error.get(), text)
    }
    /// A signal handler runs on this thread.
    pub fn in_trap(self) -> bool {
        false
    }
    /// Runs what interrupted the thread; an error if that raises.
    pub fn run_interrupts(self) -> Ruby<()> {
        match self.hooks.interrupts.get() {
            Some(f) => f(self, crate::sched::interrupt::THREAD),
            None => Ok(()),
        }
    }
    /// Parks the thread as `f` says until it is not interrupted, or the interrupt raises.
    pub fn parked(self, mut f: impl FnMut() -> crate::sched::Wake) -> Ruby<crate::sched::Wake> {
        loop {
            match f() {
                crate::sched::Wake::Interrupted => self.run_interrupts()?,
                w => return Ok(w),
            }
        }
    }
    /// A deadline from a timeout value: nil is none.
    pub fn deadline(self, timeout: Value) -> Ruby<Until> {
        if timeout.is_nil() {
            return Ok(Until::Woken);
        }
        Ok(Until::At(crate::sched::now().saturating_add(self.nanoseconds(timeout)?)))
    }
    /// A time interval in nanoseconds.
    pub fn nanoseconds(self, v: Value) -> Ruby<u64> {
        let negative = || self.arg_error("time interval must not be negative");
        if let Some(n) = v.as_fixnum() {
            return if n < 0 { Err(negative()) } else { Ok((n as u64).saturating_mul(1_000_000_000)) };
        }
        let numeric = v.is_float() || self.class_of(v).is_a(self.classes.numeric.get());
        if !numeric && !self.responds_to(v, self.intern("divmod"), true)? {
            let what = self.describe(v);
            return Err(self.type_error(&format!("can't convert {what} into time interval")));
        }
        let f = match v.as_float() {
            Some(f) => f,
            None => {
                let r = self.send(v, sym::TO_F, &[])?;
                r.as_float().unwrap_or(0.0)
            }
        };
        if f < 0.0 {
            return Err(negative());
        }
        if f.is_nan() {
            return Err(self.raise(self.classes.float_domain_error.get(), "NaN"));
        }
        Ok((f * 1e9).min(9.0e18) as u64)
    }
}
