//! Methods of a class as data: lists, `define_method`, `alias_method`, `remove_method`, `undef_method`.

use super::kernel_method::collect;
use super::method::{self, Callable};
use super::module::{this_class, visibility_name};
use super::module_visibility::default_visibility;
use super::name_check::{class_phrase, undefined_method};
use crate::class;
use crate::object::{Class, MethodBody, MethodEntry, RArray, Ref, Visibility, sym};
use crate::value::{Ruby, Sym, Value};
use crate::vm::{Args, Block, Vm};

class! { module "Module";
    ["instance_methods"] opt(0, 1) => instance_methods;
    ["public_instance_methods"] opt(0, 1) => public_instance_methods;
    ["private_instance_methods"] opt(0, 1) => private_instance_methods;
    ["protected_instance_methods"] opt(0, 1) => protected_instance_methods;
    ["undefined_instance_methods"] req(0) => undefined_instance_methods;
    ["instance_method"] req(1) => instance_method;
    ["public_instance_method"] req(1) => public_instance_method;
    ["method_defined?"] opt(1, 2) => method_defined;
    ["public_method_defined?"] opt(1, 2) => public_method_defined;
    ["private_method_defined?"] opt(1, 2) => private_method_defined;
    ["protected_method_defined?"] opt(1, 2) => protected_method_defined;
    ["define_method"] opt(1, 2) => define_method;
    ["alias_method"] req(2) => alias_method;
    ["remove_method"] rest(0) => remove_method;
    ["undef_method"] rest(0) => undef_method;
}

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}

// ---- hooks

/// Calls `method_added`, or `singleton_method_added` on the object.
pub fn added(vm: Vm, c: Class, name: Sym) -> Ruby<()> {
    vm.method_added(c, name)
}

// ---- lists

fn list(vm: Vm, this: Value, args: Args, want: impl Fn(Visibility) -> bool) -> Ruby {
    let c = this_class(vm, this)?;
    let mro = c.mro().to_vec();
    if args.get(0).is_none_or(Value::truthy) {
        return Ok(collect(vm, &mro, want).value());
    }
    // Only this class, with what is prepended to it.
    let end = mro.iter().position(|&m| m == c).map_or(mro.len(), |i| i + 1);
    Ok(collect(vm, &mro[..end], want).value())
}
fn instance_methods(vm: Vm, this: Value, args: Args) -> Ruby {
    list(vm, this, args, |v| v != Visibility::Private)
}
fn public_instance_methods(vm: Vm, this: Value, args: Args) -> Ruby {
    list(vm, this, args, |v| v == Visibility::Public)
}
fn private_instance_methods(vm: Vm, this: Value, args: Args) -> Ruby {
    list(vm, this, args, |v| v == Visibility::Private)
}
fn protected_instance_methods(vm: Vm, this: Value, args: Args) -> Ruby {
    list(vm, this, args, |v| v == Visibility::Protected)
}
fn undefined_instance_methods(vm: Vm, this: Value, _args: Args) -> Ruby {
    let out = RArray::new(&vm, 2);
    for (name, e) in this_class(vm, this)?.own_methods() {
        if e.is_undef() {
            out.push(&vm, name.into());
        }
    }
    Ok(out.value())
}

// ---- questions

/// The method a module's or class's instances have; a module also sees Object's.
pub fn lookup(vm: Vm, c: Class, name: Sym) -> Option<Ref<MethodEntry>> {
    vm.find_method(c, name).or_else(|| if c.is_module() { vm.find_method(vm.classes.object.get(), name) } else { None })
}

fn instance_method(vm: Vm, this: Value, args: Args) -> Ruby {
    unbound(vm, this, args, false)
}
fn public_instance_method(vm: Vm, this: Value, args: Args) -> Ruby {
    unbound(vm, this, args, true)
}
fn unbound(vm: Vm, this: Value, args: Args, public: bool) -> Ruby {
    let class = this_class(vm, this)?;
    let name = vm.to_name(args.or_nil(0))?;
    let refined = if vm.refined.get() {
        vm.refined_method(vm.ec().ruby_frame().and_then(|f| f.cref()), class, name)
    } else {
        None
    };
    let Some(me) = refined.or_else(|| vm.find_method(class, name)) else {
        return Err(undefined_method(vm, class, name));
    };
    let me = method::real_entry(vm, class, me);
    if public && me.visibility != Visibility::Public {
        let text = format!(
            "method '{}' for {} is {}",
            vm.name_of(name),
            class_phrase(vm, class),
            visibility_name(me.visibility)
        );
        return Err(vm.name_error(&text, this, name));
    }
    Ok(method::unbound(vm, Callable { recv: crate::value::UNDEF, class, me, name, missing: false }))
}

fn defined(vm: Vm, this: Value, args: Args, want: impl Fn(Visibility) -> bool) -> Ruby {
    let c = this_class(vm, this)?;
    let name = vm.to_name(args.or_nil(0))?;
    let inherit = args.get(1).is_none_or(Value::truthy);
    let me = if inherit { vm.find_method(c, name) } else { c.own_method(name).filter(|m| !m.is_undef()) };
    Ok(Value::bool(me.is_some_and(|m| want(m.visibility) && !matches!(m.body, MethodBody::NotImplemented))))
}
fn method_defined(vm: Vm, this: Value, args: Args) -> Ruby {
    defined(vm, this, args, |v| v != Visibility::Private)
}
fn public_method_defined(vm: Vm, this: Value, args: Args) -> Ruby {
    defined(vm, this, args, |v| v == Visibility::Public)
}
fn private_method_defined(vm: Vm, this: Value, args: Args) -> Ruby {
    defined(vm, this, args, |v| v == Visibility::Private)
}
fn protected_method_defined(vm: Vm, this: Value, args: Args) -> Ruby {
    defined(vm, this, args, |v| v == Visibility::Protected)
}

// ---- changes

/// `define_method(name, body)`: body is a Proc, Method, UnboundMethod, or the block.
pub fn define(vm: Vm, class: Class, name: Sym, body: Option<Value>, block: Option<Block>, vis: Visibility) -> Ruby<()> {
    vm.check_class_frozen(class)?;
    let value = match (body, block) {
        (Some(v), _) => v,
        (None, Some(b)) => b.to_proc(vm).value(),
        (None, None) => return Err(vm.arg_error("tried to create Proc object without a block")),
    };
    let vis = if is_always_private(vm, name) { Visibility::Private } else { vis };
    if let Some(p) = value.as_proc() {
        // A copy, so that the original does not become a lambda.
        let p = p.copy(&vm, vm.classes.proc.get());
        if !p.from_method.get() && !p.iseq.is_null() {
            p.lambda.set(true);
        }
        let e = vm.add_method(class, name, vis, MethodBody::Proc(p.value()));
        e.ruby2_keywords.set(p.ruby2_keywords.get());
    } else if let Some(m) = method::callable(value) {
        if m.missing {
            let Some(p) = vm.send(value, sym::TO_PROC, &[])?.as_proc() else {
                return Err(vm.type_error("wrong argument type Method (expected Proc)"));
            };
            vm.add_method(class, name, vis, MethodBody::Proc(p.value()));
        } else {
            let owner = m.me.owner;
            if !owner.is_module() && !class.is_a(owner) {
                return Err(if owner.is_singleton() {
                    vm.type_error("can't bind singleton method to a different class")
                } else {
                    let n = vm.class_name(owner);
                    vm.type_error(&format!("bind argument must be a subclass of {n}"))
                });
            }
            let e = MethodEntry::copy_with(&vm, name, m.me.original_name, vis, class, m.me.defined_class, m.me.body);
            e.ruby2_keywords.set(m.me.ruby2_keywords.get());
            vm.add_entry(class, name, e);
        }
    } else {
        let got = vm.class_name(vm.real_class_of(value));
        return Err(vm.type_error(&format!("wrong argument type {got} (expected Proc/Method/UnboundMethod)")));
    }
    added(vm, class, name)
}

/// Methods that are private however they are defined.
pub fn is_always_private(_vm: Vm, name: Sym) -> bool {
    matches!(
        name,
        sym::INITIALIZE | sym::INITIALIZE_COPY | sym::INITIALIZE_CLONE | sym::INITIALIZE_DUP | sym::RESPOND_TO_MISSING
    )
}

fn define_method(vm: Vm, this: Value, args: Args) -> Ruby {
    let class = this_class(vm, this)?;
    let name = vm.to_name(args.or_nil(0))?;
    // The default visibility counts only where the caller's `def` would go to this very class.
    let frame = vm.ec().ruby_frame();
    let here = frame.is_some_and(|f| f.this() == this && f.cref().is_some_and(|c| c.class == class));
    let vis = if here { default_visibility(vm, class) } else { Visibility::Public };
    define(vm, class, name, args.get(1), args.block(), vis)?;
    if here && super::module_visibility::is_module_function(vm) {
        super::module_visibility::copy_to_singleton(vm, class, name)?;
    }
    Ok(name.into())
}

fn alias_method(vm: Vm, this: Value, args: Args) -> Ruby {
    let class = this_class(vm, this)?;
    let new = vm.to_name(args.or_nil(0))?;
    let old = vm.to_name(args.or_nil(1))?;
    vm.alias_method(class, new, old)?;
    Ok(new.into())
}

fn remove_method(vm: Vm, this: Value, args: Args) -> Ruby {
    let class = this_class(vm, this)?;
    for &a in args.slice() {
        let name = vm.to_name(a)?;
        vm.check_class_frozen(class)?;
        let there = class.own_method(name).is_some_and(|e| !e.is_undef());
        if !there {
            let text = format!("method '{}' not defined in {}", vm.name_of(name), vm.class_name(class));
            return Err(vm.name_error(&text, this, name));
        }
        vm.remove_method(class, name);
        vm.method_hook(class, name, sym::METHOD_REMOVED, sym::SINGLETON_METHOD_REMOVED)?;
    }
    Ok(this)
}

fn undef_method(vm: Vm, this: Value, args: Args) -> Ruby {
    let class = this_class(vm, this)?;
    for &a in args.slice() {
        let name = vm.to_name(a)?;
        vm.undef_method(class, name)?;
    }
    Ok(this)
}
