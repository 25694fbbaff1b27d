//! `ObjectSpace`: walking the heap, finalizers. Weak tables are in `weak_map`.

use crate::class;
use crate::heap::{Header, flags};
use crate::object::{Class, RArray, RHash, ty};
use crate::value::{NIL, Ruby, Value};
use crate::vm::{Args, FINALIZE, Vm};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;

class! { module "ObjectSpace";
    module_fn ["each_object"] opt(0, 1) => each_object;
    module_fn ["count_objects"] opt(0, 1) => count_objects;
    module_fn ["garbage_collect"] kw(0, 0) => super::gc::start;
    module_fn ["define_finalizer"] opt(1, 2) => define_finalizer;
    module_fn ["undefine_finalizer"] req(1) => undefine_finalizer;
    module_fn ["_id2ref"] req(1) => id2ref;
}

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
    super::weak_map::boot(vm);
    vm.finalize.set(Some(run_dead));
}

/// Is the cell an object that Ruby may see?
fn visible(p: *const Header) -> bool {
    // SAFETY: the heap hands out live cells.
    let h = unsafe { &*p };
    let shown = matches!(
        h.ty,
        ty::OBJECT
            | ty::CLASS
            | ty::STRING
            | ty::ARRAY
            | ty::HASH
            | ty::FLOAT
            | ty::BIGNUM
            | ty::RANGE
            | ty::PROC
            | ty::DATA
            | ty::MUTEX
    );
    shown && !h.class.get().is_null()
}

/// `ObjectSpace.each_object(class) { |obj| }`: the number of objects.
fn each_object(vm: Vm, this: Value, args: Args) -> Ruby {
    let of = match args.get(0) {
        Some(c) if !c.is_nil() => match c.as_class() {
            Some(c) => Some(c),
            None => return Err(vm.type_error("class or module required")),
        },
        _ => None,
    };
    let Some(block) = args.block() else {
        let name = vm.sym("each_object");
        let mut all = [NIL; 2];
        all[0] = name;
        all[1] = args.or_nil(0);
        return vm.send(this, crate::object::sym::TO_ENUM, &all[..1 + args.len()]);
    };
    let list = gather(vm, of);
    let mut i = 0;
    while i < list.len() {
        vm.yield1(block, list.get(i))?;
        i += 1;
    }
    Ok(Value::fixnum(i as i64))
}

fn gather(vm: Vm, of: Option<Class>) -> crate::object::Ary {
    let wanted = |p: *mut Header| -> Option<Value> {
        if !visible(p) {
            return None;
        }
        // SAFETY: a live cell.
        let v = unsafe { Value::from_ptr(p) };
        // Singleton classes are only shown to who asks for one.
        let hidden = v.as_class().is_some_and(|c| c.is_singleton() && !of.is_some_and(|o| o.is_singleton()));
        (!hidden && of.is_none_or(|c| vm.class_of(v).is_a(c))).then_some(v)
    };
    let mut n = 0;
    vm.heap.each_object(|p| n += wanted(p).is_some() as usize);
    // Room for all, and for the Array itself: nothing is allocated while the heap is walked.
    let list = RArray::new(&vm, n + 8);
    let room = n + 8;
    vm.heap.each_object(|p| {
        if let Some(v) = wanted(p)
            && v != list.value()
            && list.len() < room
        {
            list.push(&vm, v);
        }
    });
    list
}

/// Live cells by kind, with CRuby's names.
fn count_objects(vm: Vm, _this: Value, args: Args) -> Ruby {
    const NAMES: [&str; 16] = [
        "T_OBJECT", "T_CLASS", "T_STRING", "T_ARRAY", "T_HASH", "T_FLOAT", "T_BIGNUM", "T_STRUCT", "T_DATA", "T_IMEMO",
        "T_IMEMO", "T_IMEMO", "T_DATA", "T_IMEMO", "T_IMEMO", "T_DATA",
    ];
    let h = match args.get(0) {
        Some(v) => match v.as_hash() {
            Some(h) => h,
            None => return Err(vm.type_error("non-hash given")),
        },
        None => RHash::new(&vm),
    };
    for i in 0..h.slots() {
        h.set_entry_value(i, Value::fixnum(0));
    }
    let mut counts = [0i64; NAMES.len()];
    vm.heap.each_object(|p| {
        // SAFETY: a live cell.
        counts[unsafe { (*p).ty } as usize] += 1
    });
    h.set(&vm, &vm, vm.sym("TOTAL"), Value::fixnum(counts.iter().sum()))?;
    h.set(&vm, &vm, vm.sym("FREE"), Value::fixnum(0))?;
    for name in
        ["T_OBJECT", "T_CLASS", "T_STRING", "T_ARRAY", "T_HASH", "T_FLOAT", "T_BIGNUM", "T_STRUCT", "T_DATA", "T_IMEMO"]
    {
        let n: i64 = NAMES.iter().zip(&counts).filter(|(n, _)| **n == name).map(|(_, c)| c).sum();
        h.set(&vm, &vm, vm.sym(name), Value::fixnum(n))?;
    }
    Ok(h.value())
}

fn id2ref(vm: Vm, _this: Value, args: Args) -> Ruby {
    let v = vm.to_int(args.or_nil(0))?;
    if let Some(n) = v.as_fixnum() {
        match n {
            8 => return Ok(NIL),
            20 => return Ok(crate::value::TRUE),
            0 => return Ok(crate::value::FALSE),
            n if n & 1 == 1 => return Ok(vm.int(n >> 1)),
            n if n > 0 => {
                if let Some(o) = vm.object_by_id(n as u64) {
                    return Ok(o);
                }
            }
            _ => {}
        }
    }
    let text = vm.inspect(v)?;
    Err(vm.range_error(&format!("{} is not an id value", text.text())))
}

// ---- finalizers

/// Procs by object (address): an Array of [id, procs...] each, kept alive by a root.
#[derive(Default)]
struct Finalizers {
    of: RefCell<HashMap<usize, Value>>,
    /// those of objects found dead, not yet run
    due: RefCell<Vec<Value>>,
    hooked: Cell<bool>,
}

fn table(vm: Vm) -> &'static Finalizers {
    let f = vm.slot::<Finalizers>();
    if !f.hooked.replace(true) {
        vm.add_root(move |m| {
            f.of.borrow().values().chain(f.due.borrow().iter()).for_each(|v| m.value(*v));
        });
        vm.add_weak(move |heap| {
            let mut due = f.due.borrow_mut();
            let before = due.len();
            f.of.borrow_mut().retain(|&p, list| {
                let alive = heap.is_marked(p as *const Header);
                if !alive {
                    due.push(*list);
                }
                alive
            });
            if due.len() > before {
                vm.sched.raise_bits(FINALIZE);
            }
        });
    }
    f
}

/// `define_finalizer(obj, callable = block)`: called with the object's id once it is gone; `[0, callable]`.
fn define_finalizer(vm: Vm, _this: Value, args: Args) -> Ruby {
    let obj = args.or_nil(0);
    let callable = match args.get(1) {
        Some(c) => {
            if !vm.responds_to(c, crate::object::sym::CALL, true)? {
                let class = vm.class_name(vm.real_class_of(c));
                return Err(vm.arg_error(&format!("wrong type argument {class} (should be callable)")));
            }
            c
        }
        None => match args.block() {
            Some(b) => b.to_proc(vm).value(),
            None => return Err(vm.arg_error("tried to create Proc object without a block")),
        },
    };
    let Some(h) = obj.header().filter(|h| !matches!(h.ty, ty::FLOAT | ty::BIGNUM)) else {
        let class = vm.class_name(vm.real_class_of(obj));
        return Err(vm.arg_error(&format!("cannot define finalizer for {class}")));
    };
    vm.check_frozen(obj)?;
    let f = table(vm);
    let known = f.of.borrow().get(&(obj.bits() as usize)).and_then(|v| v.as_array());
    match known {
        Some(list) => {
            if !list.slice()[1..].contains(&callable) {
                list.push(&vm, callable);
            }
        }
        None => {
            let list = vm.array(&[vm.object_id(obj), callable]);
            h.set(flags::FINALIZER);
            f.of.borrow_mut().insert(obj.bits() as usize, list);
        }
    }
    Ok(vm.array(&[Value::fixnum(0), callable]))
}
fn undefine_finalizer(vm: Vm, _this: Value, args: Args) -> Ruby {
    let obj = args.or_nil(0);
    vm.check_frozen(obj)?;
    if let Some(h) = obj.header() {
        h.clear(flags::FINALIZER);
        table(vm).of.borrow_mut().remove(&(obj.bits() as usize));
    }
    Ok(obj)
}

/// Runs the finalizers that are due; what they raise is a warning.
fn run_dead(vm: Vm) -> Ruby<()> {
    loop {
        let Some(list) = table(vm).due.borrow_mut().pop() else { return Ok(()) };
        run_list(vm, list)?;
    }
}
fn run_list(vm: Vm, list: Value) -> Ruby<()> {
    let Some(list) = list.as_array() else { return Ok(()) };
    let mut i = 1;
    while i < list.len() {
        let done =
            vm.rescue(vm.classes.exception.get(), || vm.send(list.get(i), crate::object::sym::CALL, &[list.get(0)]))?;
        if let Err(e) = done
            && !vm.config.verbose.get().is_nil()
        {
            let mut text = b"warning: Exception in finalizer\n".to_vec();
            text.extend_from_slice(&super::exception_report::report(vm, e));
            super::exception_report::write_stderr(vm, &text)?;
        }
        i += 1;
    }
    Ok(())
}
/// At the end of the program all finalizers run, due or not.
pub fn run_all(vm: Vm) -> Ruby<()> {
    if !vm.slot::<Finalizers>().hooked.get() {
        return Ok(());
    }
    run_dead(vm)?;
    loop {
        let next = {
            let mut of = table(vm).of.borrow_mut();
            let key = of.keys().next().copied();
            key.and_then(|k| of.remove(&k))
        };
        match next {
            Some(list) => run_list(vm, list)?,
            None => return Ok(()),
        }
    }
}
