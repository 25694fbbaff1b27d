//! `Class`: making classes and instances.

use super::module::this_class;
use crate::class;
use crate::object::{RArray, sym};
use crate::value::{NIL, Ruby, Value};
use crate::vm::{Args, Vm};

class! { "Class" < "Module";
    private ["initialize"] opt(0, 1) => initialize;
    ["new"] kwrest(0) => new;
    ["allocate"] req(0) => allocate;
    ["superclass"] req(0) => superclass;
    ["subclasses"] req(0) => subclasses;
    ["attached_object"] req(0) => attached_object;
    private ["inherited"] req(1) => super::basic_object::nothing;
}

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
    vm.class_new.set(new as *const ());
    vm.set_allocator(vm.classes.class.get(), |vm, _class| {
        let c = vm.new_class(vm.classes.object.get());
        c.h.set(UNINITIALIZED);
        Ok(c.value())
    });
    // Modules' own ways of making methods do not apply to classes.
    for name in ["module_function", "append_features", "prepend_features", "extend_object", "refine"] {
        let name = vm.intern(name);
        let body = crate::object::MethodBody::Undef;
        vm.add_method(vm.classes.class.get(), name, crate::object::Visibility::Public, body);
    }
}

/// Header flag of a class made by `allocate` that did not see `initialize` yet.
pub const UNINITIALIZED: u8 = crate::heap::flags::USER1;

/// `Class.new(superclass) { body }`.
fn initialize(vm: Vm, this: Value, args: Args) -> Ruby {
    let c = this_class(vm, this)?;
    let above = match args.get(0) {
        Some(s) => vm.check_inheritable(s)?,
        None => vm.classes.object.get(),
    };
    if !c.h.has(UNINITIALIZED) {
        return Err(vm.type_error("already initialized class"));
    }
    c.h.clear(UNINITIALIZED);
    if c.superclass() != Some(above) {
        c.set_superclass(above);
        c.instance_slots.set(above.instance_slots.get());
        vm.metaclass(c).set_superclass(vm.metaclass(above));
        vm.ancestors_changed(c);
    }
    vm.inherited(above, c)?;
    if let Some(b) = args.block() {
        super::kernel_eval::run_block(vm, b.to_proc(vm), this, Some(c), &[this], false)?;
    }
    Ok(this)
}

/// `klass.new(...)`: the allocator, then `initialize` with everything that was given.
fn new(vm: Vm, this: Value, args: Args) -> Ruby {
    let c = this_class(vm, this)?;
    let obj = vm.allocate(c)?;
    vm.send_full(obj, sym::INITIALIZE, args.all(), args.has_keywords(), args.block(), true)?;
    Ok(obj)
}
fn allocate(vm: Vm, this: Value, _args: Args) -> Ruby {
    let c = this_class(vm, this)?;
    if c.h.has(UNINITIALIZED) {
        return Err(vm.type_error("can't instantiate uninitialized class"));
    }
    vm.allocate(c)
}
fn superclass(vm: Vm, this: Value, _args: Args) -> Ruby {
    let c = this_class(vm, this)?;
    let above = if c.is_singleton() { c.superclass() } else { c.real_superclass() };
    Ok(above.map_or(NIL, |s| s.value()))
}
fn subclasses(vm: Vm, this: Value, _args: Args) -> Ruby {
    let list = RArray::new(&vm, 4);
    for c in this_class(vm, this)?.subclasses() {
        list.push(&vm, c.value());
    }
    Ok(list.value())
}
fn attached_object(vm: Vm, this: Value, _args: Args) -> Ruby {
    let c = this_class(vm, this)?;
    if c.is_singleton() {
        return Ok(c.attached.get());
    }
    let name = vm.class_name(c);
    Err(vm.type_error(&format!("'{name}' is not a singleton class")))
}
