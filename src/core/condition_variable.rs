//! `ConditionVariable` (Thread::ConditionVariable).

use crate::class;
use crate::object::{Data, RData};
use crate::sched::{RawCondvar, Wake};
use crate::value::{FALSE, Ruby, Value};
use crate::vm::{Args, Vm};

class! { "Thread::ConditionVariable" < "Object";
    ["wait"] opt(1, 2) => wait;
    ["signal"] req(0) => signal;
    ["broadcast"] req(0) => broadcast;
    ["marshal_dump"] rest(0) => marshal_dump;
}

struct Cond(RawCondvar);
impl Data for Cond {}

pub fn boot(vm: Vm) {
    let c = vm.define_table(&CLASS);
    vm.set_allocator(c, |vm, class| Ok(RData::alloc(&vm, class, Cond(RawCondvar::new()))));
    vm.set_const(vm.classes.object.get(), vm.intern("ConditionVariable"), c.value());
}

fn cond(vm: Vm, this: Value) -> Ruby<&'static RawCondvar> {
    match this.data::<Cond>() {
        Some(c) => Ok(&c.0),
        None => Err(vm.type_error("uninitialized ConditionVariable")),
    }
}

/// `wait(mutex, timeout = nil)`: the condition variable, or false when the timeout passed.
fn wait(vm: Vm, this: Value, args: Args) -> Ruby {
    let c = cond(vm, this)?;
    let (m, timeout) = (args.or_nil(0), args.or_nil(1));
    let Some(mutex) = m.as_mutex() else {
        // Anything with `sleep` will do (Monitor, a stub).
        return vm.send(m, vm.intern("sleep"), &[timeout]);
    };
    let until = vm.deadline(timeout)?;
    let me = vm.sched.current_coro();
    if !mutex.raw.owned_by(&me) {
        vm.mutex_unlock(m)?;
    }
    let w = c.wait(&vm.sched, &mutex.raw, &me, until);
    if w == Wake::Interrupted {
        vm.run_interrupts()?;
    }
    Ok(if w == Wake::TimedOut { FALSE } else { this })
}
fn signal(vm: Vm, this: Value, _args: Args) -> Ruby {
    cond(vm, this)?.signal(&vm.sched);
    Ok(this)
}
fn broadcast(vm: Vm, this: Value, _args: Args) -> Ruby {
    cond(vm, this)?.broadcast(&vm.sched);
    Ok(this)
}
fn marshal_dump(vm: Vm, this: Value, _args: Args) -> Ruby {
    let class = vm.class_name(vm.real_class_of(this));
    Err(vm.type_error(&format!("can't dump {class}")))
}
