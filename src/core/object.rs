//! Methods of every object (CRuby keeps them in `Kernel`): identity, copies, instance variables, `inspect`.

use super::name_check::{class_or_module, describe_short, ivar_name};
use crate::class;
use crate::heap::flags;
use crate::object::{Enc, MethodEntry, RArray, RHash, RObject, RString, Ref, sym};
use crate::value::{NIL, Ruby, TRUE, Value};
use crate::vm::equal::mix;
use crate::vm::{Args, Vm};

class! { module "Kernel";
    ["nil?"] req(0) => is_nil;
    ["==="] req(1) => case_eq;
    ["!~"] req(1) => not_match;
    ["eql?"] req(1) => eql;
    ["hash"] req(0) => hash;
    ["<=>"] req(1) => cmp;
    ["class"] req(0) => class_;
    ["singleton_class"] req(0) => singleton_class;
    ["dup"] req(0) => dup;
    ["clone"] kw(0, 0) => clone;
    ["itself"] req(0) => itself;
    private ["initialize_copy"] req(1) => initialize_copy;
    private ["initialize_dup"] req(1) => initialize_dup;
    private ["initialize_clone"] kw(1, 1) => initialize_clone;
    ["freeze"] req(0) => freeze;
    ["frozen?"] req(0) => is_frozen;
    ["to_s"] req(0) => to_s;
    ["inspect"] req(0) => inspect;
    private ["instance_variables_to_inspect"] req(0) => super::basic_object::nothing;
    ["object_id"] req(0) => super::basic_object::object_id;
    ["send"] kwrest(0) => super::basic_object::send;
    ["public_send"] kwrest(0) => public_send;
    ["instance_variables"] req(0) => instance_variables;
    ["instance_variable_get"] req(1) => ivar_get;
    ["instance_variable_set"] req(2) => ivar_set;
    ["instance_variable_defined?"] req(1) => ivar_defined;
    ["remove_instance_variable"] req(1) => ivar_remove;
    ["instance_of?"] req(1) => instance_of;
    ["kind_of?", "is_a?"] req(1) => kind_of;
}

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
    let object = vm.classes.object.get();
    vm.set_allocator(vm.classes.basic_object.get(), |vm, class| {
        Ok(RObject::alloc(&vm, class, class.instance_slots.get() as usize).value())
    });
    object.alloc.set(vm.classes.basic_object.get().alloc.get());
}

mod main_object {
    //! Singleton methods of the main object.
    use super::*;
    type Row = (&'static str, crate::vm::native::Native, i16, i16, bool);
    pub const ROWS: &[Row] = &[
        ("to_s", main_text, 0, 0, true),
        ("inspect", main_text, 0, 0, true),
        ("include", main_include, 1, -1, false),
        ("using", main_using, 1, 1, false),
        ("public", crate::core::module_visibility::main_public, 0, -1, false),
        ("private", crate::core::module_visibility::main_private, 0, -1, false),
        ("define_method", main_define_method, 1, 2, false),
    ];
    fn main_text(vm: Vm, _this: Value, _args: Args) -> Ruby {
        Ok(vm.str("main"))
    }
    fn main_include(vm: Vm, _this: Value, args: Args) -> Ruby {
        vm.send(vm.classes.object.get().value(), vm.intern("include"), args.slice())
    }
    fn main_using(vm: Vm, this: Value, args: Args) -> Ruby {
        if vm.ec().ruby_frame().is_none_or(|f| f.method().is_some()) {
            return Err(vm.runtime_error("main.using is permitted only at toplevel"));
        }
        crate::core::refinement::activate(vm, args.or_nil(0))?;
        Ok(this)
    }
    fn main_define_method(vm: Vm, _this: Value, args: Args) -> Ruby {
        let name = vm.to_name(args.or_nil(0))?;
        let object = vm.classes.object.get();
        let vis = crate::object::Visibility::Public;
        crate::core::module_method::define(vm, object, name, args.get(1), args.block(), vis)?;
        Ok(name.into())
    }
}

/// Gives the main object its methods.
pub fn set_up_main(vm: Vm, main: Value) -> Ruby<()> {
    let c = vm.singleton_class(main)?;
    for &(name, f, min, max, public) in main_object::ROWS {
        let body = crate::object::MethodBody::Native { f: f as *const (), min, max, kw: false };
        let vis = if public { crate::object::Visibility::Public } else { crate::object::Visibility::Private };
        vm.add_method(c, vm.intern(name), vis, body);
    }
    Ok(())
}

fn is_nil(_vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(Value::bool(this == NIL))
}
fn case_eq(vm: Vm, this: Value, args: Args) -> Ruby {
    let other = args.or_nil(0);
    Ok(Value::bool(this == other || vm.send(this, sym::EQ, &[other])?.truthy()))
}
fn not_match(vm: Vm, this: Value, args: Args) -> Ruby {
    Ok(Value::bool(!vm.send(this, sym::MATCH, &[args.or_nil(0)])?.truthy()))
}
fn eql(_vm: Vm, this: Value, args: Args) -> Ruby {
    Ok(Value::bool(this == args.or_nil(0)))
}
fn hash(_vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(Value::fixnum((mix(this.bits()) >> 3) as i64))
}
fn cmp(vm: Vm, this: Value, args: Args) -> Ruby {
    let other = args.or_nil(0);
    let same = this == other || vm.send(this, sym::EQ, &[other])?.truthy();
    Ok(if same { Value::fixnum(0) } else { NIL })
}
fn class_(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(vm.real_class_of(this).value())
}
fn singleton_class(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(vm.singleton_class(this)?.value())
}
fn itself(_vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(this)
}

/// Immediates and numbers: their copies are themselves.
fn is_value_like(vm: Vm, v: Value) -> bool {
    if !v.is_ptr() || v.as_bignum().is_some() || v.is_float() {
        return true;
    }
    let class = vm.real_class_of(v);
    let k = &vm.classes;
    k.rational.is_set() && class == k.rational.get() || k.complex.is_set() && class == k.complex.get()
}

/// A bare copy: same class, same instance variables, `initialize_copy` not yet run.
fn bare_copy(vm: Vm, this: Value) -> Ruby {
    let class = vm.real_class_of(this);
    let copy = match this.as_object() {
        Some(o) => RObject::alloc(&vm, class, vm.shapes.len(o.shape()) as usize).value(),
        None => vm.allocate(class)?,
    };
    vm.ivar_copy(this, copy);
    Ok(copy)
}

fn dup(vm: Vm, this: Value, _args: Args) -> Ruby {
    if is_value_like(vm, this) {
        return Ok(this);
    }
    let copy = bare_copy(vm, this)?;
    vm.send(copy, sym::INITIALIZE_DUP, &[this])?;
    Ok(copy)
}

/// The `freeze:` keyword: true, false or nil.
pub fn freeze_option(vm: Vm, args: Args) -> Ruby {
    args.only_keywords(vm, &["freeze"])?;
    let f = args.keyword(vm, "freeze")?.unwrap_or(NIL);
    match f {
        NIL | TRUE | crate::value::FALSE => Ok(f),
        other => {
            let class = vm.class_name(vm.real_class_of(other));
            Err(vm.arg_error(&format!("unexpected value for freeze: {class}")))
        }
    }
}

fn clone(vm: Vm, this: Value, args: Args) -> Ruby {
    let option = freeze_option(vm, args)?;
    if is_value_like(vm, this) {
        if option == crate::value::FALSE {
            let class = vm.class_name(vm.real_class_of(this));
            return Err(vm.arg_error(&format!("can't unfreeze {class}")));
        }
        return Ok(this);
    }
    let copy = bare_copy(vm, this)?;
    if this.as_class().is_none() {
        copy_singleton(vm, this, copy)?;
    }
    finish_clone(vm, this, copy, option)
}

/// Runs `initialize_clone` and freezes the copy as the original or the option says.
pub fn finish_clone(vm: Vm, this: Value, copy: Value, option: Value) -> Ruby {
    if option.is_nil() {
        vm.send(copy, sym::INITIALIZE_CLONE, &[this])?;
        if this.is_frozen() {
            freeze_value(vm, copy);
        }
    } else {
        let kw = RHash::new(&vm);
        kw.set(&vm, &vm, vm.sym("freeze"), option)?;
        vm.send_full(copy, sym::INITIALIZE_CLONE, &[this, kw.value()], true, None, true)?;
        if option == TRUE {
            freeze_value(vm, copy);
        }
    }
    Ok(copy)
}

/// Gives `to` a singleton class with the methods and modules of `from`'s.
pub fn copy_singleton(vm: Vm, from: Value, to: Value) -> Ruby<()> {
    let class = vm.class_of(from);
    if !class.is_singleton() || class.attached.get() != from {
        return Ok(());
    }
    let copy = vm.singleton_class(to)?;
    for m in class.included_directly() {
        copy.include(m);
    }
    for m in class.prepended_directly() {
        copy.prepend(m);
    }
    vm.ancestors_changed(copy);
    for (name, e) in class.own_methods() {
        let entry = copied_entry(vm, e, copy);
        vm.add_entry(copy, name, entry);
    }
    for (name, c) in class.own_consts() {
        copy.put_const(name, c);
    }
    Ok(())
}

/// The same method standing in another class's table.
pub fn copied_entry(vm: Vm, e: Ref<MethodEntry>, owner: crate::object::Class) -> Ref<MethodEntry> {
    let defined = if e.defined_class == e.owner { owner } else { e.defined_class };
    let m = MethodEntry::copy_with(&vm, e.name, e.original_name, e.visibility, owner, defined, e.body);
    m.ruby2_keywords.set(e.ruby2_keywords.get());
    m
}

fn initialize_copy(vm: Vm, this: Value, args: Args) -> Ruby {
    let from = args.or_nil(0);
    if this == from {
        return Ok(this);
    }
    vm.check_frozen(this)?;
    if vm.real_class_of(this) != vm.real_class_of(from) {
        return Err(vm.type_error("initialize_copy should take same class object"));
    }
    Ok(this)
}
fn initialize_dup(vm: Vm, this: Value, args: Args) -> Ruby {
    vm.send(this, sym::INITIALIZE_COPY, &[args.or_nil(0)])?;
    Ok(this)
}
fn initialize_clone(vm: Vm, this: Value, args: Args) -> Ruby {
    freeze_option(vm, args)?;
    vm.send(this, sym::INITIALIZE_COPY, &[args.or_nil(0)])?;
    Ok(this)
}

/// Marks an object (and its singleton class) frozen.
pub fn freeze_value(vm: Vm, v: Value) {
    if let Some(h) = v.header() {
        h.set(flags::FROZEN);
        let mut v = v;
        loop {
            let class = vm.class_of(v);
            if !class.is_singleton() || class.attached.get() != v {
                break;
            }
            class.h.set(flags::FROZEN);
            v = class.value();
        }
    }
}
fn freeze(vm: Vm, this: Value, _args: Args) -> Ruby {
    freeze_value(vm, this);
    Ok(this)
}
fn is_frozen(_vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(Value::bool(this.is_frozen()))
}

fn to_s(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(vm.str(&vm.any_to_s(this)))
}

/// `#<Foo:0x... @a=1, @b=2>`; `instance_variables_to_inspect` may narrow the list.
fn inspect(vm: Vm, this: Value, _args: Args) -> Ruby {
    let hook = vm.intern("instance_variables_to_inspect");
    let chosen = match vm.find_method(vm.class_of(this), hook) {
        Some(m) if m.owner != vm.classes.kernel.get() => vm.send(this, hook, &[])?,
        _ => NIL,
    };
    if !chosen.is_nil() && chosen.as_array().is_none() {
        let class = vm.class_name(vm.real_class_of(chosen));
        return Err(vm.type_error(&format!(
            "Expected #instance_variables_to_inspect to return an Array or nil, but it returned {class}"
        )));
    }
    let mut names = vm.ivar_names(this);
    if let Some(list) = chosen.as_array() {
        names.retain(|&n| list.slice().contains(&n.into()));
    }
    let mut out = vm.any_to_s(this).into_bytes();
    if names.is_empty() {
        return Ok(RString::from_vec(&vm, out, Enc::Utf8).value());
    }
    // As they are now: an `inspect` may change them.
    let values = RArray::new(&vm, names.len());
    for &n in &names {
        values.push(&vm, vm.ivar_get(this, n).unwrap_or(NIL));
    }
    out.pop();
    let start = out.len();
    let done = vm.guard_recursion(this, NIL, sym::INSPECT, || {
        for (i, n) in names.iter().enumerate() {
            let v = values.get(i);
            out.extend_from_slice(if out.len() == start { b" " } else { b", " });
            out.extend_from_slice(vm.symbols.bytes(*n));
            out.push(b'=');
            let text = vm.inspect(v)?;
            out.extend_from_slice(text.bytes());
        }
        Ok(())
    })?;
    if done.is_none() {
        out.extend_from_slice(b" ...");
    }
    out.push(b'>');
    Ok(RString::from_vec(&vm, out, Enc::Utf8).value())
}

fn public_send(vm: Vm, this: Value, args: Args) -> Ruby {
    let Some(name) = args.get(0) else { return Err(vm.arg_error("no method name given")) };
    let name = vm.to_name(name)?;
    if let Some(me) = vm.refined_here(this, name) {
        let why = match me.visibility {
            crate::object::Visibility::Public => None,
            crate::object::Visibility::Private => Some(crate::vm::call::MissingReason::Private),
            crate::object::Visibility::Protected => Some(crate::vm::call::MissingReason::Protected),
        };
        if let Some(why) = why {
            return Err(vm.no_method(this, name, why, &args.all()[1..]));
        }
        return vm.call_method(me, this, &args.all()[1..], args.has_keywords(), args.block());
    }
    vm.send_full(this, name, &args.all()[1..], args.has_keywords(), args.block(), false)
}

fn instance_variables(vm: Vm, this: Value, _args: Args) -> Ruby {
    let names = vm.ivar_names(this);
    let list = RArray::new(&vm, names.len());
    for n in names {
        list.push(&vm, n.into());
    }
    Ok(list.value())
}
fn ivar_get(vm: Vm, this: Value, args: Args) -> Ruby {
    let name = ivar_name(vm, this, args.or_nil(0))?;
    Ok(vm.ivar_get(this, name).unwrap_or(NIL))
}
fn ivar_set(vm: Vm, this: Value, args: Args) -> Ruby {
    let name = ivar_name(vm, this, args.or_nil(0))?;
    vm.check_frozen(this)?;
    vm.ivar_set(this, name, args.or_nil(1));
    Ok(args.or_nil(1))
}
fn ivar_defined(vm: Vm, this: Value, args: Args) -> Ruby {
    let name = ivar_name(vm, this, args.or_nil(0))?;
    Ok(Value::bool(vm.ivar_get(this, name).is_some()))
}
fn ivar_remove(vm: Vm, this: Value, args: Args) -> Ruby {
    let name = ivar_name(vm, this, args.or_nil(0))?;
    vm.check_frozen(this)?;
    if let Some(v) = vm.ivar_get(this, name) {
        vm.ivar_remove(this, name);
        return Ok(v);
    }
    let text = format!("instance variable {} not defined for {}", vm.name_of(name), describe_short(vm, this)?);
    Err(vm.name_error(&text, this, name))
}

fn instance_of(vm: Vm, this: Value, args: Args) -> Ruby {
    let c = class_or_module(vm, args.or_nil(0))?;
    Ok(Value::bool(vm.real_class_of(this) == c))
}
fn kind_of(vm: Vm, this: Value, args: Args) -> Ruby {
    let c = class_or_module(vm, args.or_nil(0))?;
    Ok(Value::bool(vm.class_of(this).is_a(c)))
}
