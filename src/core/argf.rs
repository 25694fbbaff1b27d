//! `ARGF` and what reads it: `gets`, `readline`, `readlines` of Kernel. The object itself is prelude Ruby; this is the
//! short way for programs without arguments, whose input is `$stdin`.

use super::io_read::{Lines, next_line};
use super::stream::{Stream, stream};
use crate::class;
use crate::value::{NIL, Ruby, Value};
use crate::vm::Vm;
use crate::vm::native::Args;

class! { module "Kernel";
    module_fn ["gets"] kw(0, 2) => gets;
    module_fn ["readline"] kw(0, 2) => readline;
    module_fn ["readlines"] kw(0, 2) => readlines;
    private ["__set_last_line"] req(1) => set_last_line;
}

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}

fn object(vm: Vm, name: &str) -> Value {
    vm.const_value(vm.classes.object.get(), name).unwrap_or(NIL)
}
/// `$stdin` if that is what ARGF would read, untouched.
fn input(vm: Vm) -> Option<&'static Stream> {
    let empty = object(vm, "ARGV").as_array().is_none_or(|a| a.is_empty());
    let started = vm.ivar_get(object(vm, "ARGF"), vm.intern("@started")).is_some_and(Value::truthy);
    if !empty || started {
        return None;
    }
    let stdin = vm.gvar_value("$stdin");
    let own = vm.find_method(vm.class_of(stdin), vm.intern("gets")).is_some_and(|m| m.owner == vm.classes.io.get());
    if own { stream(vm, stdin).ok() } else { None }
}
fn other(vm: Vm, name: &str, args: Args) -> Ruby {
    let empty = object(vm, "ARGV").as_array().is_none_or(|a| a.is_empty());
    let started = vm.ivar_get(object(vm, "ARGF"), vm.intern("@started")).is_some_and(Value::truthy);
    let to = if empty && !started { vm.gvar_value("$stdin") } else { object(vm, "ARGF") };
    vm.send_full(to, vm.intern(name), args.all(), args.has_keywords(), None, true)
}
fn gets(vm: Vm, _this: Value, args: Args) -> Ruby {
    let v = match input(vm) {
        Some(s) => {
            s.check_readable(vm)?;
            let how = Lines::parse(vm, args.slice(), args)?;
            next_line(vm, s, &how)?
        }
        None => other(vm, "gets", args)?,
    };
    vm.set_last_line(v);
    Ok(v)
}
fn readline(vm: Vm, this: Value, args: Args) -> Ruby {
    let v = gets(vm, this, args)?;
    if v.is_nil() { Err(vm.eof_error()) } else { Ok(v) }
}
fn readlines(vm: Vm, _this: Value, args: Args) -> Ruby {
    other(vm, "readlines", args)
}
/// Sets `$_` of the prelude method's caller.
fn set_last_line(vm: Vm, _this: Value, args: Args) -> Ruby {
    vm.set_last_line(args.or_nil(0));
    Ok(NIL)
}
