//! `Mutex` (Thread::Mutex): a cell with the scheduler's lock in it. `synchronize` is in the prelude.

use crate::class;
use crate::sched::{Until, Wake};
use crate::value::{NIL, Ruby, Value};
use crate::vm::mutex::RMutex;
use crate::vm::{Args, Vm};

class! { "Thread::Mutex" < "Object";
    ["initialize"] req(0) => initialize;
    ["lock"] req(0) => lock;
    ["try_lock"] req(0) => try_lock;
    ["unlock"] req(0) => unlock;
    ["locked?"] req(0) => locked;
    ["owned?"] req(0) => owned;
    ["sleep"] opt(0, 1) => sleep;
}

pub fn boot(vm: Vm) {
    let c = vm.define_table(&CLASS);
    vm.set_allocator(c, |vm, class| Ok(RMutex::alloc(vm, class)));
    vm.set_const(vm.classes.object.get(), vm.intern("Mutex"), c.value());
}

fn initialize(_vm: Vm, _this: Value, _args: Args) -> Ruby {
    Ok(NIL)
}
fn lock(vm: Vm, this: Value, _args: Args) -> Ruby {
    vm.mutex_lock(this)?;
    Ok(this)
}
fn try_lock(vm: Vm, this: Value, _args: Args) -> Ruby {
    let me = vm.sched.current_coro();
    Ok(Value::bool(this.as_mutex().is_some_and(|m| m.raw.try_lock(&vm.sched, &me))))
}
fn unlock(vm: Vm, this: Value, _args: Args) -> Ruby {
    vm.mutex_unlock(this)?;
    Ok(this)
}
fn locked(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(Value::bool(this.as_mutex().is_some_and(|m| m.raw.is_locked(&vm.sched))))
}
fn owned(vm: Vm, this: Value, _args: Args) -> Ruby {
    let me = vm.sched.current_coro();
    Ok(Value::bool(this.as_mutex().is_some_and(|m| m.raw.owned_by(&me))))
}

/// Lets go, sleeps, takes it again; nil when the timeout passed, else the rounded seconds slept.
fn sleep(vm: Vm, this: Value, args: Args) -> Ruby {
    let until = vm.deadline(args.or_nil(0))?;
    let start = crate::sched::now();
    vm.mutex_unlock(this)?;
    let slept = match until {
        Until::At(at) if at <= start => {
            vm.sched.yield_now();
            Ok(Wake::TimedOut)
        }
        _ => vm.parked(|| vm.sched.sleep(until)),
    };
    // Taken again in any case; what interrupted the sleep goes on afterwards.
    let place = vm.save_place();
    match slept {
        Ok(w) => {
            vm.mutex_lock(this)?;
            if w == Wake::TimedOut && !matches!(until, Until::At(at) if at <= start) {
                return Ok(NIL);
            }
            Ok(Value::fixnum(((crate::sched::now() - start) as f64 / 1e9).round() as i64))
        }
        Err(r) => {
            vm.restore_place(place);
            vm.ensure(|| Err(r), || vm.mutex_lock(this))
        }
    }
}
