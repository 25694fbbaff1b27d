//! `Proc`: blocks as objects.

use super::method;
use super::proc_params::{self, code_of};
use crate::class;
use crate::object::{Proc, RArray, RString, sym};
use crate::value::{NIL, Ruby, Value};
use crate::vm::equal::mix;
use crate::vm::{Args, Block, Vm};

class! { "Proc" < "Object";
    self ["new"] kwrest(0) => new;
    ["call", "()", "yield", "===", "[]"] kwrest(0) => call;
    ["to_proc"] req(0) => to_proc;
    ["lambda?"] req(0) => is_lambda;
    ["arity"] req(0) => arity;
    ["parameters"] kw(0, 0) => parameters;
    ["curry"] opt(0, 1) => curry;
    [">>"] req(1) => then;
    ["<<"] req(1) => after;
    ["source_location"] req(0) => source_location;
    ["==", "eql?"] req(1) => eq;
    ["hash"] req(0) => hash;
    ["to_s", "inspect"] req(0) => inspect;
    ["binding"] req(0) => binding;
    ["dup"] req(0) => dup;
    ["clone"] kw(0, 0) => clone;
    ["ruby2_keywords"] req(0) => ruby2_keywords;
}

pub fn boot(vm: Vm) {
    let c = vm.define_table(&CLASS);
    vm.metaclass(c).put_method(
        sym::ALLOCATE,
        crate::object::MethodEntry::alloc(
            &vm,
            sym::ALLOCATE,
            crate::object::Visibility::Public,
            vm.metaclass(c),
            crate::object::MethodBody::Undef,
        ),
    );
    c.alloc.set(no_allocator as *const ());
}

/// Classes whose instances only natives make.
pub fn no_allocator(vm: Vm, class: crate::object::Class) -> Ruby {
    let name = vm.class_name(class);
    Err(vm.type_error(&format!("allocator undefined for {name}")))
}

/// The Proc a method of Proc was called on.
fn this_proc(vm: Vm, this: Value) -> Ruby<Proc> {
    this.as_proc().ok_or_else(|| vm.type_error("uninitialized Proc"))
}

fn new(vm: Vm, this: Value, args: Args) -> Ruby {
    let Some(b) = args.block() else { return Err(vm.arg_error("tried to create Proc object without a block")) };
    let mut p = b.to_proc(vm);
    let Some(class) = this.as_class() else { return Ok(p.value()) };
    if vm.real_class_of(p.value()) != class {
        p = p.copy(&vm, class);
    }
    vm.send_full(p.value(), sym::INITIALIZE, args.all(), args.has_keywords(), None, true)?;
    Ok(p.value())
}

fn call(vm: Vm, this: Value, args: Args) -> Ruby {
    let p = this_proc(vm, this)?;
    vm.yield_full(Block::of(p), args.all(), args.has_keywords(), args.block())
}
fn to_proc(_vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(this)
}
fn is_lambda(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(Value::bool(this_proc(vm, this)?.lambda.get()))
}
fn arity(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(Value::fixnum(proc_params::proc_arity(this_proc(vm, this)?)))
}
/// `proc.parameters(lambda: nil)`.
fn parameters(vm: Vm, this: Value, args: Args) -> Ruby {
    args.only_keywords(vm, &["lambda"])?;
    let p = this_proc(vm, this)?;
    let strict = match args.keyword(vm, "lambda")? {
        Some(v) if !v.is_nil() => v.truthy(),
        _ => p.lambda.get(),
    };
    Ok(proc_params::of_proc(vm, p, strict))
}

// ---- currying and composition

/// `proc.curry(n)`.
fn curry(vm: Vm, this: Value, args: Args) -> Ruby {
    let p = this_proc(vm, this)?;
    let own = proc_params::proc_arity(p);
    let least = if own < 0 { -own - 1 } else { own };
    let n = match args.get(0) {
        Some(v) if !v.is_nil() => {
            let n = vm.to_i64(v)?;
            let most = most_arguments(p);
            if p.lambda.get() && (n < least || most.is_some_and(|m| n > m)) {
                return Err(vm.wrong_arguments(n.max(0) as usize, least as usize, most.unwrap_or(-1)));
            }
            n
        }
        _ => least,
    };
    make_curry(vm, p, RArray::new(&vm, 0).value(), n)
}
/// Most positional arguments a lambda takes.
fn most_arguments(p: Proc) -> Option<i64> {
    if p.from_method.get()
        && let Some(m) = method::callable(p.data.get())
        && let crate::object::MethodBody::Code { iseq, .. } = m.me.body
    {
        // SAFETY: a code object the method entry keeps alive.
        let params = unsafe { &(*(iseq as *const crate::bytecode::iseq::Iseq)).rest.params };
        return if params.rest { None } else { Some(params.positional() as i64) };
    }
    match code_of(p) {
        Some(c) if c.rest.params.rest => None,
        Some(c) => Some(c.rest.params.positional() as i64),
        None if p.native_arity.get() >= 0 => Some(p.native_arity.get() as i64),
        None => None,
    }
}
/// A step of currying: state is [proc, arguments so far, wanted].
fn make_curry(vm: Vm, p: Proc, got: Value, wanted: i64) -> Ruby {
    let state = vm.array(&[p.value(), got, Value::fixnum(wanted)]);
    Ok(vm.native_proc(curry_step, state, p.lambda.get(), -1).value())
}
fn curry_step(vm: Vm, data: Value, args: Args) -> Ruby {
    let Some(state) = data.as_array() else { return Ok(NIL) };
    let (Some(p), Some(got), Some(wanted)) =
        (state.get(0).as_proc(), state.get(1).as_array(), state.get(2).as_fixnum())
    else {
        return Ok(NIL);
    };
    let all = RArray::from_slice(&vm, got.slice());
    all.extend(&vm, args.slice());
    if all.len() as i64 >= wanted {
        return vm.yield_full(Block::of(p), all.slice(), false, args.block());
    }
    make_curry(vm, p, all.value(), wanted)
}

/// Refuses what cannot be composed.
fn check_callable(vm: Vm, v: Value) -> Ruby<()> {
    if v.as_proc().is_some() || method::callable(v).is_some() || vm.responds_to(v, sym::CALL, true)? {
        return Ok(());
    }
    Err(vm.type_error("callable object is expected"))
}
/// Calls the first of a pair with the arguments, the second with the result.
fn chain(vm: Vm, data: Value, args: Args) -> Ruby {
    let Some(pair) = data.as_array() else { return Ok(NIL) };
    let r = invoke(vm, pair.get(0), args.all(), args.has_keywords(), args.block())?;
    invoke(vm, pair.get(1), &[r], false, None)
}
fn invoke(vm: Vm, f: Value, args: &[Value], kw: bool, block: Option<Block>) -> Ruby {
    match f.as_proc() {
        Some(p) => vm.yield_full(Block::of(p), args, kw, block),
        None => vm.send_full(f, sym::CALL, args, kw, block, true),
    }
}
/// `first` then `second`, as a Proc.
pub fn compose(vm: Vm, first: Value, second: Value, lambda: bool) -> Value {
    vm.native_proc(chain, vm.array(&[first, second]), lambda, -1).value()
}
fn then(vm: Vm, this: Value, args: Args) -> Ruby {
    let g = args.or_nil(0);
    check_callable(vm, g)?;
    Ok(compose(vm, this, g, this_proc(vm, this)?.lambda.get()))
}
fn after(vm: Vm, this: Value, args: Args) -> Ruby {
    let g = args.or_nil(0);
    check_callable(vm, g)?;
    // Whoever is called first decides about the arguments.
    let strict = g.as_proc().is_none_or(|g| g.lambda.get());
    Ok(compose(vm, g, this, strict))
}
/// `method >> g` and `method << g`.
pub fn compose_method(vm: Vm, this: Value, g: Value, this_first: bool) -> Ruby {
    check_callable(vm, g)?;
    Ok(if this_first { compose(vm, this, g, true) } else { compose(vm, g, this, true) })
}

// ---- description

fn source_location(vm: Vm, this: Value, _args: Args) -> Ruby {
    let p = this_proc(vm, this)?;
    if p.from_method.get() {
        return vm.send(p.data.get(), vm.intern("source_location"), &[]);
    }
    Ok(code_of(p).map_or(NIL, |c| proc_params::location(vm, c)))
}

fn same(a: Proc, b: Proc) -> bool {
    a.iseq == b.iseq
        && a.env.get() == b.env.get()
        && a.this.get() == b.this.get()
        && a.native == b.native
        && a.data.get() == b.data.get()
        && a.lambda.get() == b.lambda.get()
}
fn eq(vm: Vm, this: Value, args: Args) -> Ruby {
    let other = args.or_nil(0);
    let a = this_proc(vm, this)?;
    let Some(b) = other.as_proc() else { return Ok(Value::bool(false)) };
    if vm.real_class_of(this) != vm.real_class_of(other) {
        return Ok(Value::bool(false));
    }
    if a.from_method.get() && b.from_method.get() {
        return Ok(Value::bool(vm.eq(a.data.get(), b.data.get())?));
    }
    Ok(Value::bool(this == other || same(a, b)))
}
fn hash(vm: Vm, this: Value, _args: Args) -> Ruby {
    let p = this_proc(vm, this)?;
    if p.from_method.get() {
        return vm.send(p.data.get(), sym::HASH, &[]);
    }
    let mut h = p.iseq as u64 ^ p.native as u64;
    h = mix(h ^ p.env.get().map_or(0, |e| e.value().bits()));
    h = mix(h ^ p.data.get().bits() ^ p.this.get().bits() ^ p.lambda.get() as u64);
    Ok(Value::fixnum((h >> 3) as i64))
}

/// `#<Proc:0x... file:line (lambda)>`.
fn inspect(vm: Vm, this: Value, _args: Args) -> Ruby {
    let p = this_proc(vm, this)?;
    let mut out = vm.any_to_s(this);
    out.pop();
    if let Some(c) = code_of(p) {
        out.push_str(&format!(" {}:{}", c.rest.file, c.rest.line));
    } else if let Some(s) = p.data.get().as_symbol() {
        let text = vm.inspect(s.into())?;
        out.push_str(&format!("(&{})", text.text()));
    }
    if p.lambda.get() {
        out.push_str(" (lambda)");
    }
    out.push('>');
    Ok(RString::new(&vm, &out).value())
}

fn copy(vm: Vm, this: Value) -> Ruby {
    let c = this_proc(vm, this)?.copy(&vm, vm.real_class_of(this));
    vm.ivar_copy(this, c.value());
    Ok(c.value())
}
fn dup(vm: Vm, this: Value, _args: Args) -> Ruby {
    let c = copy(vm, this)?;
    vm.send(c, sym::INITIALIZE_DUP, &[this])?;
    Ok(c)
}
fn clone(vm: Vm, this: Value, args: Args) -> Ruby {
    let option = super::object::freeze_option(vm, args)?;
    let c = copy(vm, this)?;
    super::object::copy_singleton(vm, this, c)?;
    super::object::finish_clone(vm, this, c, option)
}

fn binding(vm: Vm, this: Value, _args: Args) -> Ruby {
    match this_proc(vm, this)?.env.get() {
        Some(e) => Ok(super::binding::of_env(vm, e)),
        None => Err(vm.arg_error("Can't create Binding from C level Proc")),
    }
}
fn ruby2_keywords(vm: Vm, this: Value, _args: Args) -> Ruby {
    let p = this_proc(vm, this)?;
    vm.check_frozen(this)?;
    p.ruby2_keywords.set(true);
    Ok(this)
}
