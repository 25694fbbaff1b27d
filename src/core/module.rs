//! `Module`: names, comparison, ancestors, inclusion, attributes.

use super::basic_object::nothing;
use super::name_check::{class_or_module, module_arg};
use super::{module_const, module_method, module_visibility};
use crate::class;
use crate::object::{Class, MethodBody, RArray, Visibility, sym};
use crate::value::{FALSE, NIL, Ruby, Sym, TRUE, Value};
use crate::vm::{Args, Vm};

class! { "Module" < "Object";
    private ["initialize"] req(0) => initialize;
    private ["initialize_copy"] req(1) => initialize_copy;
    ["freeze"] req(0) => freeze;
    ["==="] req(1) => case_eq;
    ["<=>"] req(1) => cmp;
    ["<"] req(1) => lt;
    ["<="] req(1) => le;
    [">"] req(1) => gt;
    [">="] req(1) => ge;
    ["to_s", "inspect"] req(0) => to_s;
    ["name"] req(0) => name;
    ["set_temporary_name"] req(1) => set_temporary_name;
    ["ancestors"] req(0) => ancestors;
    ["included_modules"] req(0) => included_modules;
    ["include?"] req(1) => includes;
    ["include"] rest(1) => include;
    ["prepend"] rest(1) => prepend;
    private ["append_features"] req(1) => append_features;
    private ["prepend_features"] req(1) => prepend_features;
    private ["extend_object"] req(1) => extend_object;
    private ["included", "extended", "prepended", "method_added", "const_added", "method_removed", "method_undefined"] req(1) => nothing;
    ["attr_reader", "attr"] rest(0) => attr_reader;
    ["attr_writer"] rest(0) => attr_writer;
    ["attr_accessor"] rest(0) => attr_accessor;
    ["singleton_class?"] req(0) => is_singleton;
    self ["nesting"] req(0) => nesting;
}

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
    vm.set_allocator(vm.classes.module.get(), |vm, class| {
        let m = vm.new_module();
        m.h.class.set(class.as_ptr() as *mut crate::heap::Header);
        Ok(m.value())
    });
    module_const::boot(vm);
    super::refinement::boot(vm);
    module_method::boot(vm);
    module_visibility::boot(vm);
}

/// The class or module a method of Module was called on.
pub fn this_class(vm: Vm, this: Value) -> Ruby<Class> {
    this.as_class().ok_or_else(|| vm.type_error("uninitialized class or module"))
}

fn initialize(vm: Vm, this: Value, args: Args) -> Ruby {
    let Some(b) = args.block() else { return Ok(this) };
    super::kernel_eval::run_block(vm, b.to_proc(vm), this, this.as_class(), &[this], false)?;
    Ok(this)
}

/// `dup`/`clone` of a class or module: its tables, ancestors and singleton methods are copied.
fn initialize_copy(vm: Vm, this: Value, args: Args) -> Ruby {
    let to = this_class(vm, this)?;
    let Some(from) = args.or_nil(0).as_class() else {
        return Err(vm.type_error("initialize_copy should take same class object"));
    };
    if to == from {
        return Ok(this);
    }
    if from.is_singleton() {
        return Err(vm.type_error("can't copy singleton class"));
    }
    if to.is_module() != from.is_module() {
        return Err(vm.type_error("initialize_copy should take same class object"));
    }
    to.h.clear(super::class::UNINITIALIZED);
    if !to.is_module()
        && let Some(s) = from.real_superclass()
    {
        to.set_superclass(s);
        to.alloc.set(from.alloc.get());
        to.instance_slots.set(from.instance_slots.get());
        vm.metaclass(to).set_superclass(vm.metaclass(s));
    }
    for m in from.included_directly() {
        to.include(m);
    }
    for m in from.prepended_directly() {
        to.prepend(m);
    }
    vm.ancestors_changed(to);
    for (name, e) in from.own_methods() {
        let entry = super::object::copied_entry(vm, e, to);
        vm.add_entry(to, name, entry);
    }
    for (name, c) in from.own_consts() {
        to.put_const(name, c);
    }
    for n in from.own_cvars() {
        to.put_cvar(n, from.own_cvar(n).unwrap_or(NIL));
    }
    super::object::copy_singleton(vm, from.value(), this)?;
    vm.const_serial.set(vm.const_serial.get() + 1);
    Ok(this)
}

fn freeze(vm: Vm, this: Value, _args: Args) -> Ruby {
    super::object::freeze_value(vm, this);
    Ok(this)
}

fn case_eq(vm: Vm, this: Value, args: Args) -> Ruby {
    let c = this_class(vm, this)?;
    Ok(Value::bool(vm.class_of(args.or_nil(0)).is_a(c)))
}

/// `Some(true)`: self is below other; `Some(false)`: above; nil: unrelated. The same class counts as below.
fn related(vm: Vm, this: Value, other: Value) -> Ruby<Option<bool>> {
    let a = this_class(vm, this)?;
    let Some(b) = other.as_class() else { return Err(vm.type_error("compared with non class/module")) };
    Ok(if a.is_a(b) {
        Some(true)
    } else if b.is_a(a) {
        Some(false)
    } else {
        None
    })
}
fn cmp(vm: Vm, this: Value, args: Args) -> Ruby {
    let other = args.or_nil(0);
    if this == other {
        return Ok(Value::fixnum(0));
    }
    if other.as_class().is_none() {
        return Ok(NIL);
    }
    Ok(match related(vm, this, other)? {
        Some(true) => Value::fixnum(-1),
        Some(false) => Value::fixnum(1),
        None => NIL,
    })
}
fn lt(vm: Vm, this: Value, args: Args) -> Ruby {
    let r = related(vm, this, args.or_nil(0))?;
    Ok(r.map_or(NIL, |below| Value::bool(below && this != args.or_nil(0))))
}
fn le(vm: Vm, this: Value, args: Args) -> Ruby {
    Ok(related(vm, this, args.or_nil(0))?.map_or(NIL, Value::bool))
}
fn gt(vm: Vm, this: Value, args: Args) -> Ruby {
    Ok(related(vm, this, args.or_nil(0))?.map_or(NIL, |below| Value::bool(!below)))
}
fn ge(vm: Vm, this: Value, args: Args) -> Ruby {
    let r = related(vm, this, args.or_nil(0))?;
    Ok(r.map_or(NIL, |below| Value::bool(!below || this == args.or_nil(0))))
}

fn to_s(vm: Vm, this: Value, _args: Args) -> Ruby {
    let c = this_class(vm, this)?;
    if c.is_singleton() {
        let inner = c.attached.get();
        let text = match inner.as_class() {
            Some(k) => vm.inspect(k.value())?.text().into_owned(),
            None => vm.any_to_s(inner),
        };
        return Ok(vm.str(&format!("#<Class:{text}>")));
    }
    if let Some(text) = super::refinement::describe(vm, c) {
        return Ok(vm.str(&text));
    }
    Ok(vm.str(&vm.class_name(c)))
}
fn name(vm: Vm, this: Value, _args: Args) -> Ruby {
    let c = this_class(vm, this)?;
    if c.is_singleton() {
        return Ok(NIL);
    }
    Ok(match c.name() {
        Some(n) => {
            let s = vm.str(&n);
            super::object::freeze_value(vm, s);
            s
        }
        None => NIL,
    })
}
fn set_temporary_name(vm: Vm, this: Value, args: Args) -> Ruby {
    let c = this_class(vm, this)?;
    if c.has_permanent_name() {
        return Err(vm.runtime_error("can't change permanent name"));
    }
    if args.or_nil(0).is_nil() {
        name_inside(c, None, &mut vec![], vm);
        return Ok(this);
    }
    let text = vm.to_str(args.or_nil(0))?.text().into_owned();
    if text.is_empty() {
        return Err(vm.arg_error("empty class/module name"));
    }
    if text.strip_prefix("::").unwrap_or(&text).split("::").all(|p| super::name_check::is_const(p.as_bytes())) {
        return Err(vm.arg_error("the temporary name must not be a constant path to avoid confusion"));
    }
    name_inside(c, Some(&text), &mut vec![], vm);
    Ok(this)
}
/// Gives a temporary name (or none) to a module and to the unnamed ones among its constants.
fn name_inside(c: Class, name: Option<&str>, seen: &mut Vec<Class>, vm: Vm) {
    if c.has_permanent_name() || seen.contains(&c) {
        return;
    }
    seen.push(c);
    match name {
        Some(n) => c.set_name(n, true),
        None => c.clear_name(),
    }
    for (n, e) in c.own_consts() {
        if let crate::object::ConstState::Value(v) = e.state
            && let Some(inner) = v.as_class()
        {
            let inner_name = name.map(|outer| format!("{outer}::{}", vm.name_of(n)));
            name_inside(inner, inner_name.as_deref(), seen, vm);
        }
    }
}

fn class_list(vm: Vm, list: &[Class]) -> Value {
    let a = RArray::new(&vm, list.len());
    for c in list {
        a.push(&vm, c.value());
    }
    a.value()
}
fn ancestors(vm: Vm, this: Value, _args: Args) -> Ruby {
    let list = this_class(vm, this)?.mro().to_vec();
    Ok(class_list(vm, &list))
}
fn included_modules(vm: Vm, this: Value, _args: Args) -> Ruby {
    let c = this_class(vm, this)?;
    let list: Vec<Class> = c.mro().iter().copied().filter(|m| m.is_module() && *m != c).collect();
    Ok(class_list(vm, &list))
}
fn includes(vm: Vm, this: Value, args: Args) -> Ruby {
    let c = this_class(vm, this)?;
    let m = module_arg(vm, args.or_nil(0))?;
    Ok(Value::bool(m != c && c.is_a(m)))
}

fn include(vm: Vm, this: Value, args: Args) -> Ruby {
    for &m in args.slice() {
        super::refinement::refuse(vm, module_arg(vm, m)?, "include")?;
    }
    for &m in args.slice().iter().rev() {
        vm.send(m, sym::APPEND_FEATURES, &[this])?;
        vm.send(m, sym::INCLUDED, &[this])?;
    }
    Ok(this)
}
fn prepend(vm: Vm, this: Value, args: Args) -> Ruby {
    for &m in args.slice() {
        super::refinement::refuse(vm, module_arg(vm, m)?, "prepend")?;
    }
    for &m in args.slice().iter().rev() {
        vm.send(m, sym::PREPEND_FEATURES, &[this])?;
        vm.send(m, sym::PREPENDED, &[this])?;
    }
    Ok(this)
}

/// Includes `m` into `c` after the checks Ruby makes.
pub fn add_include(vm: Vm, c: Class, m: Class) -> Ruby<()> {
    vm.check_class_frozen(c)?;
    if m.is_a(c) {
        return Err(vm.arg_error("cyclic include detected"));
    }
    c.include(m);
    vm.ancestors_changed(m);
    Ok(())
}
fn append_features(vm: Vm, this: Value, args: Args) -> Ruby {
    let m = module_arg(vm, this)?;
    let c = class_or_module(vm, args.or_nil(0))?;
    add_include(vm, c, m)?;
    Ok(this)
}
fn prepend_features(vm: Vm, this: Value, args: Args) -> Ruby {
    let m = module_arg(vm, this)?;
    let c = class_or_module(vm, args.or_nil(0))?;
    vm.check_class_frozen(c)?;
    if m.is_a(c) {
        return Err(vm.arg_error("cyclic prepend detected"));
    }
    c.prepend(m);
    vm.ancestors_changed(m);
    Ok(this)
}
fn extend_object(vm: Vm, this: Value, args: Args) -> Ruby {
    let m = module_arg(vm, this)?;
    let obj = args.or_nil(0);
    vm.check_frozen(obj)?;
    let c = vm.singleton_class(obj)?;
    add_include(vm, c, m)?;
    Ok(obj)
}

/// The names `attr_*` is given, checked.
fn attr_names(vm: Vm, this: Value, args: Args) -> Ruby<Vec<Sym>> {
    let mut names = Vec::with_capacity(args.len());
    for &a in args.slice() {
        let n = vm.to_name(a)?;
        let b = vm.symbols.bytes(n);
        if !super::name_check::is_local(b) && !super::name_check::is_const(b) {
            let text = format!("invalid attribute name '{}'", vm.name_of(n));
            return Err(vm.name_error(&text, this, n));
        }
        names.push(n);
    }
    Ok(names)
}
fn define_attrs(vm: Vm, this: Value, names: &[Sym], reader: bool, writer: bool) -> Ruby {
    let c = this_class(vm, this)?;
    vm.check_frozen(this)?;
    let list = RArray::new(&vm, names.len());
    let vis = module_visibility::default_visibility(vm, c);
    for &n in names {
        let mut ivar = b"@".to_vec();
        ivar.extend_from_slice(vm.symbols.bytes(n));
        let ivar = vm.symbols.intern(&ivar, vm.symbols.enc(n));
        if reader {
            vm.add_method(c, n, vis, MethodBody::AttrReader(ivar));
            list.push(&vm, n.into());
            module_method::added(vm, c, n)?;
        }
        if writer {
            let mut set = vm.symbols.bytes(n).to_vec();
            set.push(b'=');
            let set = vm.symbols.intern(&set, vm.symbols.enc(n));
            vm.add_method(c, set, vis, MethodBody::AttrWriter(ivar));
            list.push(&vm, set.into());
            module_method::added(vm, c, set)?;
        }
    }
    Ok(list.value())
}
fn attr_reader(vm: Vm, this: Value, args: Args) -> Ruby {
    // `attr :name, true` of old also makes a writer.
    if args.len() == 2 && matches!(args.or_nil(1), TRUE | FALSE) {
        super::warning::verbose(vm, "optional boolean argument is obsoleted")?;
        let n = vm.to_name(args.or_nil(0))?;
        return define_attrs(vm, this, &[n], true, args.or_nil(1) == TRUE);
    }
    let names = attr_names(vm, this, args)?;
    define_attrs(vm, this, &names, true, false)
}
fn attr_writer(vm: Vm, this: Value, args: Args) -> Ruby {
    let names = attr_names(vm, this, args)?;
    define_attrs(vm, this, &names, false, true)
}
fn attr_accessor(vm: Vm, this: Value, args: Args) -> Ruby {
    let names = attr_names(vm, this, args)?;
    define_attrs(vm, this, &names, true, true)
}

fn is_singleton(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(Value::bool(this_class(vm, this)?.is_singleton()))
}
/// `Module.nesting`: the classes around the caller, innermost first.
fn nesting(vm: Vm, _this: Value, _args: Args) -> Ruby {
    let list = RArray::new(&vm, 4);
    let mut c = vm.ec().ruby_frame().and_then(|f| f.cref());
    while let Some(cref) = c {
        let outer = crate::vm::frame::cref_value(cref.parent);
        if outer.is_some() && !cref.pushed_by_eval {
            list.push(&vm, cref.class.value());
        }
        c = outer;
    }
    Ok(list.value())
}

/// Visibility words in messages.
pub fn visibility_name(v: Visibility) -> &'static str {
    match v {
        Visibility::Public => "public",
        Visibility::Private => "private",
        Visibility::Protected => "protected",
    }
}
