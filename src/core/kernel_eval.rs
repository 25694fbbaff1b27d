//! Running blocks and strings with another self or another class: `instance_eval`, `class_exec` and their kind.

use crate::class;
use crate::object::{Class, Cref, Proc, Ref};
use crate::value::{NIL, Ruby, Value};
use crate::vm::frame::{cref_of, method_of};
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
pub(super) fn cref_for(vm: Vm, p: Proc, this: Value, definee: Option<Class>) -> Ref<Cref> {
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
fn eval_under(vm: Vm, src: Value, file: Value, line: Value, this: Value, definee: Option<Class>) -> Ruby {
    let env = vm.caller_env()?;
    let outer = env.me.get();
    // Unlike a block's, a String's constants are looked up in the class too: for an object in its singleton class.
    let class = match definee {
        Some(c) => c,
        None if this.is_ptr() && !this.is_float() && this.as_bignum().is_none() => vm.singleton_class(this)?,
        None => vm.class_of(this),
    };
    let parent = cref_of(outer).map_or(NIL, |c| c.value());
    let me = method_of(outer).map_or(NIL, |m| m.value());
    let cref = Cref::alloc(&vm, class, parent, me, false);
    cref.definee.set(definee.map_or(this, |c| c.value()));
    let (file, line) = place_of_eval(vm, file, line)?;
    let text = src.as_str().map(|s| s.bytes().to_vec()).unwrap_or_default();
    vm.eval_in(&text, env, &file, line, Some(this), Some(cref.value())).map(|r| r.0)
}

/// File and line an `eval` claims to be: given, or "(eval at FILE:LINE)" and 1.
pub fn place_of_eval(vm: Vm, file: Value, line: Value) -> Ruby<(String, i32)> {
    let line_no = if line.is_nil() { 1 } else { vm.to_i32(line)? };
    if let Some(f) = file.as_str() {
        return Ok((f.text().into_owned(), line_no));
    }
    let (at, n) = vm.current_place();
    let at = at.as_str().map(|s| s.text().into_owned()).unwrap_or_default();
    Ok((format!("(eval at {at}:{n})"), line_no))
}
