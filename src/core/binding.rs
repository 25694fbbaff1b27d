//! `Binding`: a scope as an object; `eval` and `local_variables`.

use super::kernel_eval::place_of_eval;
use super::name_check::is_local;
use crate::bytecode::iseq::Iseq;
use crate::bytecode::op::ENV_HEADER;
use crate::bytecode::proto::Place as VarPlace;
use crate::class;
use crate::heap::Marker;
use crate::object::{Data, Env, RArray, RData, Ref};
use crate::value::{NIL, Ruby, Sym, Value};
use crate::vm::{Args, Vm};
use std::cell::Cell;

class! { "Binding" < "Object";
    ["eval"] opt(1, 3) => eval;
    ["local_variables"] req(0) => local_variables;
    ["local_variable_get"] req(1) => get;
    ["local_variable_set"] req(2) => set;
    ["local_variable_defined?"] req(1) => defined;
    ["receiver"] req(0) => receiver;
    ["source_location"] req(0) => source_location;
    ["irb"] req(0) => no_irb;
    ["dup"] req(0) => dup;
    ["clone"] req(0) => clone;
    ["implicit_parameters"] req(0) => implicit_parameters;
    ["implicit_parameter_get"] req(1) => implicit_get;
    ["implicit_parameter_defined?"] req(1) => implicit_defined;
}

mod kernel {
    crate::class! { module "Kernel";
        module_fn ["binding"] req(0) => super::kernel_binding;
        module_fn ["eval"] opt(1, 4) => super::kernel_eval;
        module_fn ["local_variables"] req(0) => super::kernel_local_variables;
    }
}

/// A scope; evals in it may add variables, which is a new innermost env.
struct Scope {
    env: Cell<Ref<Env>>,
    file: Value,
    line: u32,
}
impl Data for Scope {
    fn trace(&self, m: &mut Marker) {
        m.value(self.env.get().value());
        m.value(self.file);
    }
}

pub fn boot(vm: Vm) {
    let c = vm.define_table(&CLASS);
    vm.define_table(&kernel::CLASS);
    vm.hooks.binding.set(Some(|vm| Ok(of_env(vm, vm.caller_env()?))));
    c.alloc.set(super::proc::no_allocator as *const ());
    let undef = crate::object::MethodBody::Undef;
    vm.add_method(vm.metaclass(c), crate::object::sym::NEW, crate::object::Visibility::Public, undef);
}

/// `TOPLEVEL_BINDING`; needs the main object.
pub fn set_up(vm: Vm) {
    if vm.run_text("<main>", b"TOPLEVEL_BINDING = binding".to_vec(), false).is_err() {
        vm.take_exception();
    }
}

/// A Binding of an env.
pub fn of_env(vm: Vm, env: Ref<Env>) -> Value {
    let (file, line) = vm.current_place();
    RData::alloc(&vm, vm.classes.binding.get(), Scope { env: Cell::new(env), file, line })
}
fn scope(vm: Vm, this: Value) -> Ruby<&'static Scope> {
    this.data::<Scope>().ok_or_else(|| vm.type_error("uninitialized Binding"))
}

fn kernel_binding(vm: Vm, _this: Value, _args: Args) -> Ruby {
    let env = vm.caller_env()?;
    Ok(of_env(vm, env))
}
/// `eval(text, binding = nil, file, line)`.
fn kernel_eval(vm: Vm, _this: Value, args: Args) -> Ruby {
    let text = vm.to_str(args.or_nil(0))?.bytes().to_vec();
    let (file, line) = place_of_eval(vm, args.or_nil(2), args.or_nil(3))?;
    match args.get(1) {
        Some(b) if !b.is_nil() => {
            let Some(s) = b.data::<Scope>() else {
                let got = vm.class_name(vm.real_class_of(b));
                return Err(vm.type_error(&format!("wrong argument type {got} (expected binding)")));
            };
            run(vm, s, &text, &file, line)
        }
        _ => {
            let env = vm.caller_env()?;
            vm.eval_in(&text, env, &file, line, None, None).map(|r| r.0)
        }
    }
}
fn kernel_local_variables(vm: Vm, _this: Value, _args: Args) -> Ruby {
    let env = vm.caller_env()?;
    Ok(names(vm, env))
}

fn run(vm: Vm, s: &Scope, text: &[u8], file: &str, line: i32) -> Ruby {
    let (v, env) = vm.eval_in(text, s.env.get(), file, line, None, None)?;
    s.env.set(env);
    Ok(v)
}
fn eval(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = scope(vm, this)?;
    let text = vm.to_str(args.or_nil(0))?.bytes().to_vec();
    let (file, line) = place_of_eval(vm, args.or_nil(1), args.or_nil(2))?;
    run(vm, s, &text, &file, line)
}

/// Calls `f` with each named variable, innermost scope first, until it gives something.
fn find<T>(vm: Vm, env: Ref<Env>, mut f: impl FnMut(Sym, Ref<Env>, usize) -> Option<T>) -> Option<T> {
    let mut at = Some(env);
    while let Some(e) = at {
        // SAFETY: an env's code object is alive while the env is.
        if let Some(code) = unsafe { (e.iseq as *const Iseq).as_ref() } {
            let implicit = code.rest.params.proto.implicit != crate::bytecode::proto::Implicit::No;
            for l in &code.rest.locals {
                if let VarPlace::Env(i) = l.place
                    && (i as usize + ENV_HEADER as usize) < e.len
                    && is_local(l.name.as_bytes())
                    && !(implicit && is_implicit(l.name.as_bytes()))
                    && let Some(r) = f(vm.intern(&l.name), e, i as usize)
                {
                    return Some(r);
                }
            }
        }
        at = e.parent();
    }
    None
}
fn names(vm: Vm, env: Ref<Env>) -> Value {
    let list = RArray::new(&vm, 8);
    find(vm, env, |n, _, _| {
        if !list.slice().contains(&n.into()) {
            list.push(&vm, n.into());
        }
        None::<()>
    });
    list.value()
}
fn local_variables(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(names(vm, scope(vm, this)?.env.get()))
}
fn local_name(vm: Vm, this: Value, v: Value) -> Ruby<Sym> {
    let name = vm.to_name(v)?;
    if is_local(vm.symbols.bytes(name)) {
        return Ok(name);
    }
    let text = format!("wrong local variable name '{}' for {}", vm.name_of(name), vm.any_to_s(this));
    Err(vm.name_error(&text, this, name))
}
fn get(vm: Vm, this: Value, args: Args) -> Ruby {
    let name = local_name(vm, this, args.or_nil(0))?;
    let env = scope(vm, this)?.env.get();
    let v = find(vm, env, |n, e, i| (n == name).then(|| e.var(i).get()));
    v.ok_or_else(|| {
        let text = format!("local variable '{}' is not defined for {}", vm.name_of(name), vm.any_to_s(this));
        vm.name_error(&text, this, name)
    })
}
/// Sets a variable; one that does not exist is made in this binding only.
fn set(vm: Vm, this: Value, args: Args) -> Ruby {
    let name = local_name(vm, this, args.or_nil(0))?;
    let s = scope(vm, this)?;
    let value = args.or_nil(1);
    let store = |env| find(vm, env, |n, e, i| (n == name).then(|| e.var(i).set(value)));
    if store(s.env.get()).is_none() {
        run(vm, s, format!("{} = nil", vm.name_of(name)).as_bytes(), "(eval)", 1)?;
        store(s.env.get());
    }
    Ok(value)
}
fn defined(vm: Vm, this: Value, args: Args) -> Ruby {
    let name = local_name(vm, this, args.or_nil(0))?;
    let env = scope(vm, this)?.env.get();
    Ok(Value::bool(find(vm, env, |n, _, _| (n == name).then_some(())).is_some()))
}
fn receiver(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(scope(vm, this)?.env.get().this.get())
}
fn source_location(vm: Vm, this: Value, _args: Args) -> Ruby {
    let s = scope(vm, this)?;
    if s.file.is_nil() {
        return Ok(NIL);
    }
    Ok(vm.array(&[s.file, Value::fixnum(s.line as i64)]))
}
fn no_irb(vm: Vm, _this: Value, _args: Args) -> Ruby {
    Err(vm.not_implemented("Binding#irb"))
}
fn dup(vm: Vm, this: Value, _args: Args) -> Ruby {
    let c = copy(vm, this)?;
    vm.send(c, crate::object::sym::INITIALIZE_DUP, &[this])?;
    Ok(c)
}
fn clone(vm: Vm, this: Value, _args: Args) -> Ruby {
    let c = copy(vm, this)?;
    super::object::copy_singleton(vm, this, c)?;
    super::object::finish_clone(vm, this, c, NIL)
}

/// `_1`...`_9` or `it`, if the name is one.
fn is_implicit(name: &[u8]) -> bool {
    name == b"it" || matches!(name, [b'_', b'1'..=b'9'])
}
/// Implicit parameters of the innermost block: name and place.
fn implicit_of(vm: Vm, env: Ref<Env>) -> Vec<(Sym, usize)> {
    // SAFETY: an env's code object is alive while the env is.
    let Some(code) = (unsafe { (env.iseq as *const Iseq).as_ref() }) else { return Vec::new() };
    if code.rest.params.proto.implicit == crate::bytecode::proto::Implicit::No {
        return Vec::new();
    }
    let mut out = Vec::new();
    for l in &code.rest.locals {
        if let VarPlace::Env(i) = l.place
            && is_implicit(l.name.as_bytes())
            && (i as usize + ENV_HEADER as usize) < env.len
        {
            out.push((vm.intern(&l.name), i as usize));
        }
    }
    out.sort();
    out
}
fn implicit_parameters(vm: Vm, this: Value, _args: Args) -> Ruby {
    let list = RArray::new(&vm, 2);
    for (name, _) in implicit_of(vm, scope(vm, this)?.env.get()) {
        list.push(&vm, name.into());
    }
    Ok(list.value())
}
fn implicit_name(vm: Vm, this: Value, v: Value) -> Ruby<Sym> {
    let name = vm.to_name(v)?;
    if is_implicit(vm.symbols.bytes(name)) {
        return Ok(name);
    }
    let text = format!("'{}' is not an implicit parameter", vm.name_of(name));
    Err(vm.name_error(&text, this, name))
}
fn implicit_get(vm: Vm, this: Value, args: Args) -> Ruby {
    let name = implicit_name(vm, this, args.or_nil(0))?;
    let env = scope(vm, this)?.env.get();
    match implicit_of(vm, env).iter().find(|p| p.0 == name) {
        Some(p) => Ok(env.var(p.1).get()),
        None => {
            let text = format!("implicit parameter '{}' is not defined for {}", vm.name_of(name), vm.any_to_s(this));
            Err(vm.name_error(&text, this, name))
        }
    }
}
fn implicit_defined(vm: Vm, this: Value, args: Args) -> Ruby {
    let name = implicit_name(vm, this, args.or_nil(0))?;
    let env = scope(vm, this)?.env.get();
    Ok(Value::bool(implicit_of(vm, env).iter().any(|p| p.0 == name)))
}
fn copy(vm: Vm, this: Value) -> Ruby {
    let s = scope(vm, this)?;
    let copy = Scope { env: Cell::new(s.env.get()), file: s.file, line: s.line };
    let c = RData::alloc(&vm, vm.real_class_of(this), copy);
    vm.ivar_copy(this, c);
    Ok(c)
}
