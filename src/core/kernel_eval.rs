//! Running blocks and strings with another self or another class: `instance_eval`, `class_exec` and their kind.

use crate::class;
use crate::object::{Class, Cref, Proc, Ref};
use crate::value::{NIL, Ruby, Value};
use crate::vm::frame::{cref_of, cref_value, method_of};
use crate::vm::{Args, Vm};

class! { module "Module";
    ["module_eval", "class_eval"] opt(0, 3) => module_eval;
    ["module_exec", "class_exec"] kwrest(0) => module_exec;
}

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}

/// The cref a block sees under `instance_eval` (`definee` None: the singleton class of `this`, made when something is
/// defined) or `class_eval` (`definee` is the class).
fn cref_for(vm: Vm, p: Proc, this: Value, definee: Option<Class>) -> Ref<Cref> {
    let outer = p.me.get();
    let parent = cref_of(outer).map_or(NIL, |c| c.value());
    let me = method_of(outer).map_or(NIL, |m| m.value());
    let class = definee.unwrap_or_else(|| vm.class_of(this));
    let cref = Cref::alloc(&vm, class, parent, me, true);
    cref.definee.set(definee.map_or(this, |c| c.value()));
    cref
}

/// Runs a block with `this` as self; `def` inside goes to `definee`, or to the singleton class of `this`.
pub fn run_block(vm: Vm, p: Proc, this: Value, definee: Option<Class>, args: &[Value], kw: bool) -> Ruby {
    if p.iseq.is_null() {
        // A native proc (a Symbol's or Method's) takes its receiver from the arguments.
        return vm.yield_full(crate::vm::Block::of(p), args, kw, None);
    }
    let cref = cref_for(vm, p, this, definee);
    vm.call_proc_with(p, this, Some(cref.value()), args, kw, None)
}

/// Where `def` puts methods under a cref: an explicit class, or the singleton class of an `instance_eval` receiver.
pub fn definee(vm: Vm, cref: Value) -> Ruby<Class> {
    match cref_value(cref) {
        Some(c) if c.definee.get().is_nil() => Ok(c.class),
        Some(c) => match c.definee.get().as_class() {
            Some(k) => Ok(k),
            None => vm.singleton_class(c.definee.get()),
        },
        None => Ok(vm.classes.object.get()),
    }
}

/// `(source, file, line)` of a string form's arguments.
fn string_args(vm: Vm, args: Args) -> Ruby<Option<(Value, Value, Value)>> {
    let Some(src) = args.get(0) else {
        return Err(vm.arg_error("wrong number of arguments (given 0, expected 1..3)"));
    };
    let src = vm.to_str(src)?.value();
    let file = match args.get(1) {
        Some(f) if !f.is_nil() => vm.to_str(f)?.value(),
        _ => NIL,
    };
    Ok(Some((src, file, args.or_nil(2))))
}

fn instance_definee(vm: Vm, this: Value) -> Ruby<Option<Class>> {
    Ok(match this.as_class() {
        Some(_) => Some(vm.singleton_class(this)?),
        None => None,
    })
}

/// `obj.instance_eval { |obj| ... }` or with a String.
pub fn instance_eval(vm: Vm, this: Value, args: Args) -> Ruby {
    let definee = instance_definee(vm, this)?;
    if let Some(b) = args.block() {
        if !args.is_empty() {
            return Err(vm.wrong_arguments(args.len(), 0, 0));
        }
        return run_block(vm, b.to_proc(vm), this, definee, &[this], false);
    }
    match string_args(vm, args)? {
        Some((src, file, line)) => eval_under(vm, src, file, line, this, definee),
        None => Ok(NIL),
    }
}

/// `obj.instance_exec(*args) { |*args| ... }`.
pub fn instance_exec(vm: Vm, this: Value, args: Args) -> Ruby {
    let Some(b) = args.block() else {
        return Err(vm.raise(vm.classes.local_jump_error.get(), "no block given (yield)"));
    };
    let definee = instance_definee(vm, this)?;
    run_block(vm, b.to_proc(vm), this, definee, args.all(), args.has_keywords())
}

fn module_eval(vm: Vm, this: Value, args: Args) -> Ruby {
    let Some(class) = this.as_class() else { return Err(vm.type_error("not a module")) };
    if let Some(b) = args.block() {
        if !args.is_empty() {
            return Err(vm.wrong_arguments(args.len(), 0, 0));
        }
        return run_block(vm, b.to_proc(vm), this, Some(class), &[this], false);
    }
    match string_args(vm, args)? {
        Some((src, file, line)) => eval_under(vm, src, file, line, this, Some(class)),
        None => Ok(NIL),
    }
}

fn module_exec(vm: Vm, this: Value, args: Args) -> Ruby {
    let Some(class) = this.as_class() else { return Err(vm.type_error("not a module")) };
    let Some(b) = args.block() else {
        return Err(vm.raise(vm.classes.local_jump_error.get(), "no block given (yield)"));
    };
    run_block(vm, b.to_proc(vm), this, Some(class), args.all(), args.has_keywords())
}

/// The string forms, in the caller's scope.
fn eval_under(vm: Vm, _src: Value, _file: Value, _line: Value, _this: Value, _definee: Option<Class>) -> Ruby {
    Err(vm.not_implemented("eval of a String"))
}

#[cfg(test)]
mod tests {
    use crate::core::boot::new_vm;

    #[test]
    fn boots_and_makes_objects() {
        let vm = new_vm().expect("a heap");
        let c = vm.new_object(vm.classes.class.get(), &[]).expect("a class").as_class().expect("a class");
        let o = vm.new_object(c, &[]).expect("an object");
        assert!(vm.class_of(o).is_a(vm.classes.object.get()));
        let text = vm.inspect(o).expect("text");
        assert!(text.text().starts_with("#<#<Class:0x"), "{}", text.text());
        let e = vm.new_object(vm.classes.key_error.get(), &[vm.str("gone")]).expect("an exception");
        assert_eq!(vm.inspect(e).expect("text").text(), "#<KeyError: gone>");
        assert!(vm.send(o, vm.intern("raise"), &[e]).is_err());
        assert_eq!(vm.take_exception(), Some(e));
    }
}
