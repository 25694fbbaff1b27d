//! `public`, `private`, `protected`, `module_function` and their relatives for constants' and class methods.

use super::module::this_class;
use super::module_method::{added, lookup};
use super::name_check::undefined_method;
use crate::class;
use crate::object::{Class, Cref, MethodBody, MethodEntry, Ref, Visibility};
use crate::value::{NIL, Ruby, Sym, Value};
use crate::vm::frame::cref_value;
use crate::vm::{Args, Vm};

class! { module "Module";
    private ["public"] rest(0) => public;
    private ["private"] rest(0) => private;
    private ["protected"] rest(0) => protected;
    private ["module_function"] rest(0) => module_function;
    private ["ruby2_keywords"] rest(0) => ruby2_keywords;
    ["public_class_method"] rest(0) => public_class_method;
    ["private_class_method"] rest(0) => private_class_method;
}

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}

const MODULE_FUNCTION: u8 = 3;

/// Visibility that a `def` at the caller's place would give, if it would go to `class`.
pub fn default_visibility(vm: Vm, class: Class) -> Visibility {
    let here = scope(vm).is_some_and(|c| match c.definee.get() {
        NIL => c.class == class,
        to => to == class.value(),
    });
    match if here { current(vm) } else { 0 } {
        1 | MODULE_FUNCTION => Visibility::Private,
        2 => Visibility::Protected,
        _ => Visibility::Public,
    }
}
/// Is `module_function` without arguments in force at the caller's place?
pub fn is_module_function(vm: Vm) -> bool {
    current(vm) == MODULE_FUNCTION
}
/// The scope whose default visibility is in force: a class body's or a `class_eval` block's, none inside a method.
fn scope(vm: Vm) -> Option<Ref<Cref>> {
    cref_value(vm.ec().ruby_frame()?.me_word())
}
fn current(vm: Vm) -> u8 {
    scope(vm).map_or(0, |c| c.visibility.get())
}
fn set_current(vm: Vm, v: u8) -> Ruby<()> {
    match scope(vm) {
        Some(c) => c.visibility.set(v),
        None => {
            let name = ["public", "private", "protected", "module_function"][v as usize & 3];
            super::warning::located(
                vm,
                &format!("calling {name} without arguments inside a method may not have the intended effect"),
            )?;
        }
    }
    Ok(())
}

/// Changes one method's visibility in `class`: its own entry is replaced, an inherited one gets a mark.
pub fn set_visibility(vm: Vm, class: Class, name: Sym, vis: Visibility) -> Ruby<()> {
    vm.check_class_frozen(class)?;
    let Some(me) = lookup(vm, class, name) else { return Err(undefined_method(vm, class, name)) };
    if me.visibility == vis {
        return Ok(());
    }
    match class.own_method(name) {
        Some(own) if !matches!(own.body, MethodBody::ZSuper) => {
            let e = MethodEntry::copy_with(&vm, own.name, own.original_name, vis, class, own.defined_class, own.body);
            e.ruby2_keywords.set(own.ruby2_keywords.get());
            vm.add_entry(class, name, e);
        }
        _ => {
            vm.add_method(class, name, vis, MethodBody::ZSuper);
        }
    }
    Ok(())
}

/// Calls `f` for each name in the arguments; a single Array is taken apart.
fn each_name(vm: Vm, args: Args, mut f: impl FnMut(Sym) -> Ruby<()>) -> Ruby<()> {
    if args.len() == 1
        && let Some(a) = vm.check_ary(args.or_nil(0))?
    {
        let mut i = 0;
        while i < a.len() {
            f(vm.to_name(a.get(i))?)?;
            i += 1;
        }
        return Ok(());
    }
    for &a in args.slice() {
        f(vm.to_name(a)?)?;
    }
    Ok(())
}

/// What `private` and its like return: nil, the single argument, or all of them.
fn given(vm: Vm, args: Args) -> Value {
    match args.len() {
        0 => NIL,
        1 => args.or_nil(0),
        _ => vm.array(args.slice()),
    }
}

fn change(vm: Vm, this: Value, args: Args, vis: Visibility, code: u8) -> Ruby {
    let class = this_class(vm, this)?;
    if args.is_empty() {
        set_current(vm, code)?;
    } else {
        each_name(vm, args, |n| set_visibility(vm, class, n, vis))?;
    }
    Ok(given(vm, args))
}
fn public(vm: Vm, this: Value, args: Args) -> Ruby {
    change(vm, this, args, Visibility::Public, 0)
}
fn private(vm: Vm, this: Value, args: Args) -> Ruby {
    change(vm, this, args, Visibility::Private, 1)
}
fn protected(vm: Vm, this: Value, args: Args) -> Ruby {
    change(vm, this, args, Visibility::Protected, 2)
}
/// The same for the main object, where methods go to Object.
pub fn main_public(vm: Vm, _this: Value, args: Args) -> Ruby {
    change(vm, vm.classes.object.get().value(), args, Visibility::Public, 0)
}
/// `private` at the top level.
pub fn main_private(vm: Vm, _this: Value, args: Args) -> Ruby {
    change(vm, vm.classes.object.get().value(), args, Visibility::Private, 1)
}

/// A public copy of an instance method in the module's singleton class.
pub fn copy_to_singleton(vm: Vm, class: Class, name: Sym) -> Ruby<()> {
    let Some(me) = lookup(vm, class, name) else { return Err(undefined_method(vm, class, name)) };
    let meta = vm.metaclass(class);
    let e = MethodEntry::copy_with(&vm, name, me.original_name, Visibility::Public, meta, meta, me.body);
    vm.add_entry(meta, name, e);
    added(vm, meta, name)
}
fn module_function(vm: Vm, this: Value, args: Args) -> Ruby {
    let class = this_class(vm, this)?;
    if !class.is_module() {
        return Err(vm.type_error("module_function must be called for modules"));
    }
    if args.is_empty() {
        set_current(vm, MODULE_FUNCTION)?;
        return Ok(NIL);
    }
    each_name(vm, args, |n| {
        set_visibility(vm, class, n, Visibility::Private)?;
        copy_to_singleton(vm, class, n)
    })?;
    Ok(given(vm, args))
}

fn ruby2_keywords(vm: Vm, this: Value, args: Args) -> Ruby {
    let class = this_class(vm, this)?;
    for &a in args.slice() {
        let name = vm.to_name(a)?;
        vm.check_frozen(this)?;
        match class.own_method(name) {
            Some(e) => e.ruby2_keywords.set(true),
            None => return Err(undefined_method(vm, class, name)),
        }
    }
    Ok(NIL)
}

fn public_class_method(vm: Vm, this: Value, args: Args) -> Ruby {
    let meta = vm.metaclass(this_class(vm, this)?);
    each_name(vm, args, |n| set_visibility(vm, meta, n, Visibility::Public))?;
    Ok(NIL)
}
fn private_class_method(vm: Vm, this: Value, args: Args) -> Ruby {
    let meta = vm.metaclass(this_class(vm, this)?);
    each_name(vm, args, |n| set_visibility(vm, meta, n, Visibility::Private))?;
    Ok(NIL)
}
