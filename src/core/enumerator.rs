//! `Enumerator`: a receiver, a method and its arguments, to be iterated later. External iteration, lazy ones, chains and
//! products are Ruby, in `prelude/enumerator.rb`.

use super::inspect::Text;
use crate::class;
use crate::heap::Marker;
use crate::object::{Class, Data, RArray, RData, RHash, RRange, Range, sym};
use crate::value::{NIL, Ruby, Value};
use crate::vm::{Args, Vm};
use std::cell::Cell;

class! { "Enumerator" < "Object";
    private ["__setup"] kwrest(3) => setup;
    private ["__receiver"] req(0) => receiver;
    private ["__meth"] req(0) => meth;
    private ["__args"] req(0) => arguments;
    private ["__state"] req(0) => state;
    private ["__state="] req(1) => set_state;
    ["initialize_copy"] req(1) => initialize_copy;
    ["each"] kwrest(0) => each;
    ["size"] req(0) => size;
    ["inspect", "to_s"] req(0) => inspect;
}

/// How an enumerator made by a native knows its size: `(vm, receiver, arguments)`.
pub type SizeFn = fn(Vm, Value, &[Value]) -> Ruby;

/// State of an Enumerator.
struct Enumerator {
    receiver: Cell<Value>,
    meth: Cell<Value>,
    /// Array; nil: none
    args: Cell<Value>,
    /// keyword Hash or nil
    kwargs: Cell<Value>,
    /// nil, a number, or a Proc to be called
    size: Cell<Value>,
    size_fn: Cell<Option<SizeFn>>,
    /// what the prelude keeps for external iteration
    state: Cell<Value>,
    ready: Cell<bool>,
}
impl Data for Enumerator {
    fn trace(&self, m: &mut Marker) {
        for v in [&self.receiver, &self.meth, &self.args, &self.kwargs, &self.size, &self.state] {
            m.value(v.get());
        }
    }
}

/// Defines Enumerator and the classes inside it.
pub fn boot(vm: Vm) {
    let c = vm.define_table(&CLASS);
    vm.set_allocator(c, |vm, class| Ok(blank(vm, class)));
    c.include(vm.classes.enumerable.get());
    for name in ["Enumerator::Lazy", "Enumerator::Chain", "Enumerator::Product"] {
        vm.define_class(name, Some(c));
    }
    vm.define_class("Enumerator::Yielder", Some(vm.classes.object.get()));
    for name in ["Enumerator::Generator", "Enumerator::Producer"] {
        vm.define_class(name, Some(vm.classes.object.get())).include(vm.classes.enumerable.get());
    }
    super::arith_seq::boot(vm);
    for (name, f) in [("to_enum", to_enum as crate::vm::native::Native), ("enum_for", to_enum)] {
        let body = crate::object::MethodBody::Native { f: f as *const (), min: 0, max: -1, kw: true };
        vm.add_method(vm.classes.kernel.get(), vm.intern(name), crate::object::Visibility::Public, body);
    }
}

fn blank(vm: Vm, class: Class) -> Value {
    RData::alloc(
        &vm,
        class,
        Enumerator {
            receiver: Cell::new(NIL),
            meth: Cell::new(NIL),
            args: Cell::new(NIL),
            kwargs: Cell::new(NIL),
            size: Cell::new(NIL),
            size_fn: Cell::new(None),
            state: Cell::new(NIL),
            ready: Cell::new(false),
        },
    )
}
fn data(vm: Vm, this: Value) -> Ruby<&'static Enumerator> {
    match this.data::<Enumerator>() {
        Some(e) if e.ready.get() => Ok(e),
        _ => Err(vm.arg_error("uninitialized enumerator")),
    }
}

impl Vm {
    /// `this.to_enum(name, *args)`, with its size: what a native returns when it was given no block.
    pub fn enum_for(self, this: Value, name: &str, args: &[Value], size: SizeFn) -> Ruby {
        let v = blank(self, self.classes.enumerator.get());
        if let Some(e) = v.data::<Enumerator>() {
            e.receiver.set(this);
            e.meth.set(self.sym(name));
            e.args.set(if args.is_empty() { NIL } else { self.array(args) });
            e.size_fn.set(Some(size));
            e.ready.set(true);
        }
        Ok(v)
    }
}

/// `obj.to_enum(method = :each, *args) { size }`.
fn to_enum(vm: Vm, this: Value, args: Args) -> Ruby {
    let lazy = vm.classes.lazy.is_set() && vm.class_of(this).is_a(vm.classes.lazy.get());
    let class = if lazy { vm.classes.lazy.get() } else { vm.classes.enumerator.get() };
    let v = blank(vm, class);
    let Some(e) = v.data::<Enumerator>() else { return Ok(NIL) };
    e.receiver.set(this);
    e.meth.set(match args.get(0) {
        Some(m) => vm.to_name(m)?.into(),
        None => sym::EACH.into(),
    });
    if args.len() > 1 {
        e.args.set(vm.array(&args.slice()[1..]));
    }
    if let Some(h) = args.keywords() {
        e.kwargs.set(super::hash::copy(vm, h).value());
    }
    e.size.set(args.block_proc(vm));
    e.ready.set(true);
    Ok(v)
}
/// `__setup(receiver, method, size, *args, **keywords)`.
fn setup(vm: Vm, this: Value, args: Args) -> Ruby {
    vm.check_frozen(this)?;
    let Some(e) = this.data::<Enumerator>() else { return Err(vm.type_error("not an Enumerator")) };
    e.receiver.set(args.or_nil(0));
    e.meth.set(args.or_nil(1));
    e.size.set(args.or_nil(2));
    e.args.set(if args.len() > 3 { vm.array(&args.slice()[3..]) } else { NIL });
    e.kwargs.set(args.keywords().map_or(NIL, |h| super::hash::copy(vm, h).value()));
    e.ready.set(true);
    Ok(this)
}
fn receiver(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(data(vm, this)?.receiver.get())
}
fn meth(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(data(vm, this)?.meth.get())
}
fn arguments(vm: Vm, this: Value, _: Args) -> Ruby {
    let e = data(vm, this)?;
    Ok(if e.args.get().is_nil() { RArray::new(&vm, 0).value() } else { e.args.get() })
}
fn state(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(data(vm, this)?.state.get())
}
fn set_state(vm: Vm, this: Value, args: Args) -> Ruby {
    data(vm, this)?.state.set(args.or_nil(0));
    Ok(args.or_nil(0))
}
fn initialize_copy(vm: Vm, this: Value, args: Args) -> Ruby {
    let from = data(vm, args.or_nil(0))?;
    if !from.state.get().is_nil() {
        return Err(vm.type_error("can't copy execution context"));
    }
    let Some(e) = this.data::<Enumerator>() else { return Err(vm.type_error("not an Enumerator")) };
    e.receiver.set(from.receiver.get());
    e.meth.set(from.meth.get());
    e.args.set(from.args.get());
    e.kwargs.set(from.kwargs.get());
    e.size.set(from.size.get());
    e.size_fn.set(from.size_fn.get());
    e.ready.set(true);
    Ok(this)
}

/// Calls the method with the block; extra arguments without a block give a new enumerator.
fn each(vm: Vm, this: Value, args: Args) -> Ruby {
    let e = data(vm, this)?;
    let name = e.meth.get().as_symbol().unwrap_or(sym::EACH);
    let block = args.block();
    if args.is_empty() && !args.has_keywords() {
        if block.is_none() {
            return Ok(this);
        }
        if e.args.get().is_nil() && e.kwargs.get().is_nil() {
            return vm.send_full(e.receiver.get(), name, &[], false, block, true);
        }
    }
    let all = match e.args.get().as_array() {
        Some(a) => super::array::copy(vm, a),
        None => RArray::new(&vm, args.len() + 1),
    };
    for &v in args.slice() {
        all.push(&vm, v);
    }
    let kwargs = RHash::new(&vm);
    for h in [e.kwargs.get().as_hash(), args.keywords()].into_iter().flatten() {
        let mut i = 0;
        while let Some((k, v)) = super::hash::each(h, &mut i) {
            super::hash::store(vm, kwargs, k, v)?;
        }
    }
    if block.is_none() {
        let v = blank(vm, vm.real_class_of(this));
        if let Some(n) = v.data::<Enumerator>() {
            n.receiver.set(e.receiver.get());
            n.meth.set(e.meth.get());
            n.args.set(all.value());
            n.kwargs.set(if kwargs.is_empty() { NIL } else { kwargs.value() });
            n.ready.set(true);
        }
        return Ok(v);
    }
    let kw = !kwargs.is_empty();
    if kw {
        all.push(&vm, kwargs.value());
    }
    vm.send_full(e.receiver.get(), name, all.slice(), kw, block, true)
}

/// nil when unknown.
fn size(vm: Vm, this: Value, _: Args) -> Ruby {
    let e = data(vm, this)?;
    let args = e.args.get().as_array().unwrap_or_else(|| RArray::new(&vm, 0));
    if let Some(f) = e.size_fn.get() {
        return f(vm, e.receiver.get(), args.slice());
    }
    match e.size.get().as_proc() {
        // A size block runs as the receiver's, with the enumerator's arguments.
        Some(p) if p.iseq.is_null() => vm.call_proc(p, args.slice()),
        Some(p) => vm.call_proc(p, args.slice()),
        None if e.size.get().is_ptr() && !e.size.get().is_integer() && !e.size.get().is_float() => {
            vm.send(e.size.get(), sym::CALL, args.slice())
        }
        None => Ok(e.size.get()),
    }
}

/// `#<Enumerator: [1, 2]:each_slice(2)>`.
fn inspect(vm: Vm, this: Value, _: Args) -> Ruby {
    let class = vm.class_name(vm.real_class_of(this));
    let Ok(e) = data(vm, this) else {
        vm.take_exception();
        return Ok(vm.str(&format!("#<{class}: uninitialized>")));
    };
    let done = vm.guard_recursion(this, NIL, sym::INSPECT, || {
        let mut out = Text::new("");
        out.raw(&format!("#<{class}: "));
        out.inspect(vm, e.receiver.get())?;
        if let Some(m) = e.meth.get().as_symbol() {
            out.raw(&format!(":{}", vm.symbols.text(m)));
        }
        let mut first = true;
        if let Some(a) = e.args.get().as_array() {
            let mut i = 0;
            while i < a.len() {
                out.raw(if std::mem::replace(&mut first, false) { "(" } else { ", " });
                out.inspect(vm, a.get(i))?;
                i += 1;
            }
        }
        if let Some(h) = e.kwargs.get().as_hash() {
            let mut i = 0;
            while let Some((k, v)) = super::hash::each(h, &mut i) {
                out.raw(if std::mem::replace(&mut first, false) { "(" } else { ", " });
                super::hash_convert::inspect_entry(vm, &mut out, k, v)?;
            }
        }
        out.raw(if first { ">" } else { ")>" });
        Ok(out.finish(vm))
    })?;
    Ok(done.unwrap_or_else(|| vm.str(&format!("#<{class}: ...>"))))
}

impl Vm {
    /// The range and step of an arithmetic sequence used as an index.
    pub fn arith_seq_range(self, v: Value) -> Option<(Range, Value)> {
        let (lo, hi, step, exclusive) = super::arith_seq::parts(v)?;
        Some((RRange::new(&self, lo, hi, exclusive), step))
    }
}

/// For natives that have nothing to say about their size.
pub fn unknown_size(_: Vm, _: Value, _: &[Value]) -> Ruby {
    Ok(NIL)
}
