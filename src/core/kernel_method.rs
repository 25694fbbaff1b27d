//! Asking objects about their methods: `methods`, `respond_to?`, `method`, `extend`, `define_singleton_method`.

use super::method::{self, Callable};
use super::module_method;
use super::name_check::module_arg;
use crate::class;
use crate::object::{Ary, Class, MethodBody, RArray, Visibility, sym};
use crate::value::{FALSE, NIL, Ruby, Sym, TRUE, Value};
use crate::vm::{Args, Vm};
use std::collections::HashSet;

class! { module "Kernel";
    ["methods"] opt(0, 1) => methods;
    ["singleton_methods"] opt(0, 1) => singleton_methods;
    ["public_methods"] opt(0, 1) => public_methods;
    ["private_methods"] opt(0, 1) => private_methods;
    ["protected_methods"] opt(0, 1) => protected_methods;
    ["respond_to?"] opt(1, 2) => respond_to;
    private ["respond_to_missing?"] req(2) => respond_to_missing;
    ["method"] req(1) => method;
    ["public_method"] req(1) => public_method;
    ["singleton_method"] req(1) => singleton_method;
    ["define_singleton_method"] opt(1, 2) => define_singleton_method;
    ["extend"] rest(1) => extend;
}

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}

/// Names of methods in these classes, nearest first, each name decided where it is first found.
pub fn collect(vm: Vm, classes: &[Class], want: impl Fn(Visibility) -> bool) -> Ary {
    let list = RArray::new(&vm, 16);
    let mut seen: HashSet<Sym> = HashSet::new();
    for &c in classes {
        for (name, e) in c.own_methods() {
            if !seen.insert(name) || matches!(e.body, MethodBody::Undef | MethodBody::NotImplemented) {
                continue;
            }
            if want(e.visibility) {
                list.push(&vm, name.into());
            }
        }
    }
    list
}

fn methods(vm: Vm, this: Value, args: Args) -> Ruby {
    if args.get(0).is_some_and(|v| !v.truthy()) {
        return singleton_list(vm, this, false);
    }
    Ok(collect(vm, vm.class_of(this).mro(), |v| v != Visibility::Private).value())
}

/// The classes that `xxx_methods(all)` looks at.
fn scope(vm: Vm, this: Value, args: Args) -> Vec<Class> {
    let mro = vm.class_of(this).mro();
    if args.get(0).is_none_or(Value::truthy) {
        return mro.to_vec();
    }
    // Up to and including the first class that is not a singleton.
    let mut out = Vec::new();
    for &c in mro {
        out.push(c);
        if !c.is_singleton() && !c.is_module() {
            break;
        }
    }
    out
}
fn public_methods(vm: Vm, this: Value, args: Args) -> Ruby {
    Ok(collect(vm, &scope(vm, this, args), |v| v == Visibility::Public).value())
}
fn private_methods(vm: Vm, this: Value, args: Args) -> Ruby {
    Ok(collect(vm, &scope(vm, this, args), |v| v == Visibility::Private).value())
}
fn protected_methods(vm: Vm, this: Value, args: Args) -> Ruby {
    Ok(collect(vm, &scope(vm, this, args), |v| v == Visibility::Protected).value())
}

fn singleton_methods(vm: Vm, this: Value, args: Args) -> Ruby {
    singleton_list(vm, this, args.get(0).is_none_or(Value::truthy))
}
/// Singleton methods; with `all` those of extended modules and of superclasses' singleton classes too.
fn singleton_list(vm: Vm, this: Value, all: bool) -> Ruby {
    let class = match this.as_class() {
        Some(c) => vm.metaclass(c),
        None => vm.class_of(this),
    };
    let mut from = Vec::new();
    for &c in class.mro() {
        if c.is_singleton() {
            if !all && c != class {
                break;
            }
            from.push(c);
        } else if c.is_module() {
            if all && class.is_singleton() {
                from.push(c)
            }
        } else {
            break;
        }
    }
    if !class.is_singleton() {
        from.clear();
    }
    Ok(collect(vm, &from, |v| v != Visibility::Private).value())
}

fn respond_to(vm: Vm, this: Value, args: Args) -> Ruby {
    let name = vm.to_name(args.or_nil(0))?;
    let private_too = args.or_nil(1).truthy();
    let class = vm.class_of(this);
    if vm.method_defined(class, name, private_too) {
        return Ok(TRUE);
    }
    match vm.find_method(class, sym::RESPOND_TO_MISSING) {
        Some(m) if m.owner != vm.classes.kernel.get() => {
            let r = vm.send(this, sym::RESPOND_TO_MISSING, &[name.into(), Value::bool(private_too)])?;
            Ok(Value::bool(r.truthy()))
        }
        _ => Ok(FALSE),
    }
}
fn respond_to_missing(_vm: Vm, _this: Value, _args: Args) -> Ruby {
    Ok(FALSE)
}

/// The Method object of `name`, also one that only `method_missing` answers; `None`: no such method.
pub fn find_callable(vm: Vm, this: Value, name: Sym, public: bool) -> Ruby<Option<Value>> {
    let class = vm.class_of(this);
    if let Some(me) = vm.refined_here(this, name).or_else(|| vm.find_method(class, name)) {
        if public && me.visibility != Visibility::Public {
            let vis = if me.visibility == Visibility::Private { "private" } else { "protected" };
            let at = super::name_check::class_phrase(vm, vm.real_class_of(this));
            let text = format!("method '{}' for {at} is {vis}", vm.name_of(name));
            return Err(vm.name_error(&text, this, name));
        }
        let me = method::real_entry(vm, class, me);
        return Ok(Some(method::bound(vm, Callable { recv: this, class, me, name, missing: false })));
    }
    let answers = match vm.find_method(class, sym::RESPOND_TO_MISSING) {
        Some(m) if m.owner != vm.classes.kernel.get() => {
            vm.send(this, sym::RESPOND_TO_MISSING, &[name.into(), Value::bool(!public)])?.truthy()
        }
        _ => false,
    };
    if !answers {
        return Ok(None);
    }
    let owner = vm.real_class_of(this);
    let me = crate::object::MethodEntry::alloc(&vm, name, Visibility::Public, owner, MethodBody::Undef);
    Ok(Some(method::bound(vm, Callable { recv: this, class, me, name, missing: true })))
}

fn no_method_object(vm: Vm, this: Value, name: Sym) -> crate::value::Raised {
    let class = vm.class_of(this);
    let text = format!("undefined method '{}' for {}", vm.name_of(name), vm.describe_receiver(this));
    let _ = class;
    vm.name_error(&text, this, name)
}
fn method(vm: Vm, this: Value, args: Args) -> Ruby {
    let name = vm.to_name(args.or_nil(0))?;
    find_callable(vm, this, name, false)?.ok_or_else(|| no_method_object(vm, this, name))
}
fn public_method(vm: Vm, this: Value, args: Args) -> Ruby {
    let name = vm.to_name(args.or_nil(0))?;
    find_callable(vm, this, name, true)?.ok_or_else(|| no_method_object(vm, this, name))
}
fn singleton_method(vm: Vm, this: Value, args: Args) -> Ruby {
    let name = vm.to_name(args.or_nil(0))?;
    let class = vm.class_of(this);
    if class.is_singleton() && class.attached.get() == this {
        // Its own methods, and those of modules it was extended with; not a superclass's.
        for &c in class.mro() {
            if c != class && !c.is_module() {
                break;
            }
            if c == vm.classes.kernel.get() {
                break;
            }
            if let Some(me) = c.own_method(name) {
                if me.is_undef() {
                    break;
                }
                return Ok(method::bound(vm, Callable { recv: this, class, me, name, missing: false }));
            }
        }
    }
    let text = format!(
        "undefined singleton method '{}' for {}",
        vm.name_of(name),
        super::name_check::describe_short(vm, this)?
    );
    Err(vm.name_error(&text, this, name))
}

fn define_singleton_method(vm: Vm, this: Value, args: Args) -> Ruby {
    let name = vm.to_name(args.or_nil(0))?;
    let class = vm.singleton_class(this)?;
    module_method::define(vm, class, name, args.get(1), args.block(), Visibility::Public)?;
    Ok(name.into())
}

/// `obj.extend(*modules)`: the last module first, each through its own `extend_object` and `extended`.
pub fn extend(vm: Vm, this: Value, args: Args) -> Ruby {
    for &m in args.slice() {
        super::refinement::refuse(vm, module_arg(vm, m)?, "extend object with")?;
    }
    for &m in args.slice().iter().rev() {
        vm.send(m, sym::EXTEND_OBJECT, &[this])?;
        vm.send(m, sym::EXTENDED, &[this])?;
    }
    let _ = NIL;
    Ok(this)
}
