//! `Queue` and `SizedQueue`: FIFOs whose `pop` (and `push`) park on a waitq.

use crate::class;
use crate::heap::Marker;
use crate::object::{Ary, Data, RArray, RData, sym};
use crate::sched::{Until, WaitQ, Wake};
use crate::value::{NIL, Ruby, Value};
use crate::vm::Vm;
use crate::vm::native::{Args, ClassDef};
use std::cell::Cell;

class! { "Thread::Queue" < "Object";
    ["initialize"] opt(0, 1) => initialize;
    ["push", "<<", "enq"] req(1) => push;
    ["pop", "shift", "deq"] kw(0, 1) => pop;
    ["size", "length"] req(0) => size;
    ["empty?"] req(0) => is_empty;
    ["clear"] req(0) => clear;
    ["close"] req(0) => close;
    ["closed?"] req(0) => closed;
    ["num_waiting"] req(0) => num_waiting;
    ["freeze"] req(0) => freeze;
    ["marshal_dump"] rest(0) => marshal_dump;
}

mod sized {
    use super::*;
    class! { "Thread::SizedQueue" < "Thread::Queue";
        ["initialize"] req(1) => sized_initialize;
        ["push", "<<", "enq"] kw(1, 2) => sized_push;
        ["max"] req(0) => max;
        ["max="] req(1) => set_max;
    }
}
const SIZED: ClassDef = sized::CLASS;

struct Fifo {
    items: Cell<Option<Ary>>,
    readers: WaitQ,
    writers: WaitQ,
    closed: Cell<bool>,
    max: Cell<usize>,
}
impl Data for Fifo {
    fn trace(&self, m: &mut Marker) {
        if let Some(a) = self.items.get() {
            m.value(a.value())
        }
    }
}

pub fn boot(vm: Vm) {
    let q = vm.define_table(&CLASS);
    vm.set_allocator(q, |vm, class| {
        let fifo = Fifo {
            items: Cell::new(None),
            readers: WaitQ::new(),
            writers: WaitQ::new(),
            closed: Cell::new(false),
            max: Cell::new(usize::MAX),
        };
        Ok(RData::alloc(&vm, class, fifo))
    });
    let s = vm.define_table(&SIZED);
    let object = vm.classes.object.get();
    vm.set_const(object, vm.intern("Queue"), q.value());
    vm.set_const(object, vm.intern("SizedQueue"), s.value());
    vm.define_class("ClosedQueueError", Some(vm.classes.stop_iteration.get()));
}

fn fifo(vm: Vm, this: Value) -> Ruby<(&'static Fifo, Ary)> {
    match this.data::<Fifo>().and_then(|f| f.items.get().map(|a| (f, a))) {
        Some(x) => Ok(x),
        None => {
            let class = vm.class_name(vm.real_class_of(this));
            Err(vm.type_error(&format!("{class} not initialized")))
        }
    }
}

fn initialize(vm: Vm, this: Value, args: Args) -> Ruby {
    let items = RArray::new(&vm, 0);
    if let Some(from) = args.get(0) {
        let list = match from.as_array() {
            Some(a) => a,
            None => match vm.send_if_responds(from, sym::TO_A, &[])?.and_then(|v| v.as_array()) {
                Some(a) => a,
                None => {
                    let what = vm.describe(from);
                    return Err(vm.type_error(&format!("can't convert {what} into Array")));
                }
            },
        };
        items.extend(&vm, list.slice());
    }
    if let Some(f) = this.data::<Fifo>() {
        f.items.set(Some(items));
    }
    Ok(this)
}

fn closed_error(vm: Vm) -> crate::value::Raised {
    vm.raise(vm.classes.closed_queue_error.get(), "queue closed")
}

fn push(vm: Vm, this: Value, args: Args) -> Ruby {
    let (f, items) = fifo(vm, this)?;
    if f.closed.get() {
        return Err(closed_error(vm));
    }
    items.push(&vm, args.or_nil(0));
    vm.sched.wake_one(&f.readers);
    Ok(this)
}

/// `non_block` and `timeout:` of push and pop.
fn waiting(vm: Vm, args: Args, flag: usize) -> Ruby<Option<Until>> {
    args.only_keywords(vm, &["timeout"])?;
    let timeout = args.keyword(vm, "timeout")?;
    let non_block = args.or_nil(flag).truthy();
    if non_block && timeout.is_some_and(|t| !t.is_nil()) {
        return Err(vm.arg_error("can't set a timeout if non_block is enabled"));
    }
    if non_block {
        return Ok(None);
    }
    vm.deadline(timeout.unwrap_or(NIL)).map(Some)
}

fn pop(vm: Vm, this: Value, args: Args) -> Ruby {
    let (f, items) = fifo(vm, this)?;
    if args.is_empty() && !args.has_keywords() && !items.is_empty() {
        let v = items.shift().unwrap_or(NIL);
        if f.max.get() != usize::MAX {
            vm.sched.wake_one(&f.writers);
        }
        return Ok(v);
    }
    let until = waiting(vm, args, 0)?;
    loop {
        if let Some(v) = items.shift() {
            vm.sched.wake_one(&f.writers);
            return Ok(v);
        }
        let Some(until) = until else { return Err(vm.thread_error("queue empty")) };
        if f.closed.get() {
            return Ok(NIL);
        }
        if let Until::At(at) = until
            && crate::sched::now() >= at
        {
            return Ok(NIL);
        }
        if vm.parked(|| vm.sched.park(&f.readers, until))? == Wake::TimedOut && items.is_empty() {
            return Ok(NIL);
        }
    }
}

fn size(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(Value::fixnum(fifo(vm, this)?.1.len() as i64))
}
fn is_empty(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(fifo(vm, this)?.1.is_empty().into())
}
fn clear(vm: Vm, this: Value, _args: Args) -> Ruby {
    let (f, items) = fifo(vm, this)?;
    items.clear(&vm.heap);
    vm.sched.wake_all(&f.writers);
    Ok(this)
}
fn close(vm: Vm, this: Value, _args: Args) -> Ruby {
    let (f, _) = fifo(vm, this)?;
    if !f.closed.replace(true) {
        vm.sched.wake_all(&f.readers);
        vm.sched.wake_all(&f.writers);
    }
    Ok(this)
}
fn closed(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(fifo(vm, this)?.0.closed.get().into())
}
fn num_waiting(vm: Vm, this: Value, _args: Args) -> Ruby {
    let (f, _) = fifo(vm, this)?;
    Ok(Value::fixnum((f.readers.len() + f.writers.len()) as i64))
}
fn freeze(vm: Vm, this: Value, _args: Args) -> Ruby {
    let what = vm.any_to_s(this);
    Err(vm.type_error(&format!("cannot freeze {what}")))
}
fn marshal_dump(vm: Vm, this: Value, _args: Args) -> Ruby {
    let class = vm.class_name(vm.real_class_of(this));
    Err(vm.type_error(&format!("can't dump {class}")))
}

fn limit(vm: Vm, v: Value) -> Ruby<usize> {
    let n = vm.to_i64(v)?;
    if n <= 0 {
        return Err(vm.arg_error("queue size must be positive"));
    }
    Ok(n as usize)
}
fn sized_initialize(vm: Vm, this: Value, args: Args) -> Ruby {
    let n = limit(vm, args.or_nil(0))?;
    if let Some(f) = this.data::<Fifo>() {
        f.items.set(Some(RArray::new(&vm, 0)));
        f.max.set(n);
    }
    Ok(this)
}
fn sized_push(vm: Vm, this: Value, args: Args) -> Ruby {
    let (f, items) = fifo(vm, this)?;
    let until = waiting(vm, args, 1)?;
    loop {
        if f.closed.get() {
            return Err(closed_error(vm));
        }
        if items.len() < f.max.get() {
            items.push(&vm, args.or_nil(0));
            vm.sched.wake_one(&f.readers);
            return Ok(this);
        }
        let Some(until) = until else { return Err(vm.thread_error("queue full")) };
        if let Until::At(at) = until
            && crate::sched::now() >= at
        {
            return Ok(NIL);
        }
        if vm.parked(|| vm.sched.park(&f.writers, until))? == Wake::TimedOut && items.len() >= f.max.get() {
            return Ok(NIL);
        }
    }
}
fn max(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(Value::fixnum(fifo(vm, this)?.0.max.get() as i64))
}
fn set_max(vm: Vm, this: Value, args: Args) -> Ruby {
    let n = limit(vm, args.or_nil(0))?;
    let (f, _) = fifo(vm, this)?;
    f.max.set(n);
    vm.sched.wake_all(&f.writers);
    Ok(args.or_nil(0))
}
