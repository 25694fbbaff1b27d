//! `BasicObject`: identity, negation, `__send__`, and the hooks every object has.

use crate::class;
use crate::object::sym;
use crate::value::{NIL, Ruby, Value};
use crate::vm::call::MissingReason;
use crate::vm::{Args, Vm};

class! { module "BasicObject";
    private ["initialize"] req(0) => nothing;
    ["==", "equal?"] req(1) => same;
    ["!"] req(0) => not;
    ["!="] req(1) => not_equal;
    ["__id__"] req(0) => object_id;
    ["__send__"] kwrest(0) => send;
    ["instance_eval"] opt(0, 3) => super::kernel_eval::instance_eval;
    ["instance_exec"] kwrest(0) => super::kernel_eval::instance_exec;
    private ["method_missing"] kwrest(0) => method_missing;
    private ["singleton_method_added", "singleton_method_removed", "singleton_method_undefined"] req(1) => nothing;
}

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}

/// A method that does nothing: hooks and `BasicObject#initialize`.
pub fn nothing(_vm: Vm, _this: Value, _args: Args) -> Ruby {
    Ok(NIL)
}

fn same(_vm: Vm, this: Value, args: Args) -> Ruby {
    Ok(Value::bool(this == args.or_nil(0)))
}

fn not(_vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(Value::bool(!this.truthy()))
}

fn not_equal(vm: Vm, this: Value, args: Args) -> Ruby {
    Ok(Value::bool(!vm.send(this, sym::EQ, &[args.or_nil(0)])?.truthy()))
}

/// `obj.object_id`: an Integer no other live object has.
pub fn object_id(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(vm.object_id(this))
}

/// `obj.send(name, ...)`: private methods too.
pub fn send(vm: Vm, this: Value, args: Args) -> Ruby {
    let Some(name) = args.get(0) else { return Err(vm.arg_error("no method name given")) };
    let name = vm.to_name(name)?;
    if let Some(me) = vm.refined_here(this, name) {
        return vm.call_method(me, this, &args.all()[1..], args.has_keywords(), args.block());
    }
    vm.send_full(this, name, &args.all()[1..], args.has_keywords(), args.block(), true)
}

/// Called explicitly or by `super`: raises the NoMethodError the failed call would have raised.
fn method_missing(vm: Vm, this: Value, args: Args) -> Ruby {
    let Some(name) = args.get(0).and_then(Value::as_symbol) else {
        return Err(vm.arg_error("no method name given"));
    };
    let why = match vm.find_method(vm.class_of(this), name) {
        Some(m) if m.visibility == crate::object::Visibility::Private => MissingReason::Private,
        Some(m) if m.visibility == crate::object::Visibility::Protected => MissingReason::Protected,
        _ => MissingReason::NoMethod,
    };
    Err(vm.no_method(this, name, why, &args.all()[1..]))
}
