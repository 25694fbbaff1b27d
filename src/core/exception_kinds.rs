//! Exceptions that carry more than a message: their constructors and readers.

use super::kernel_raise::status_of;
use crate::object::{MethodBody, RArray, Visibility, sym};
use crate::value::{FALSE, NIL, Ruby, Sym, TRUE, Value};
use crate::vm::{Args, Vm};

mod key {
    crate::class! { "KeyError" < "IndexError";
        private ["initialize"] kw(0, 1) => super::init_key;
        ["receiver"] req(0) => super::receiver;
        ["key"] req(0) => super::key_of;
    }
}
mod frozen {
    crate::class! { "FrozenError" < "RuntimeError";
        private ["initialize"] kw(0, 1) => super::init_receiver;
        ["receiver"] req(0) => super::receiver;
    }
}
mod name {
    crate::class! { "NameError" < "StandardError";
        private ["initialize"] kw(0, 2) => super::init_name;
        ["name"] req(0) => super::name_of;
        ["receiver"] req(0) => super::receiver;
        ["local_variables"] req(0) => super::no_locals;
    }
}
mod no_method {
    crate::class! { "NoMethodError" < "NameError";
        private ["initialize"] kw(0, 4) => super::init_no_method;
        ["args"] req(0) => super::args_of;
        ["private_call?"] req(0) => super::private_call;
    }
}
mod pattern_key {
    crate::class! { "NoMatchingPatternKeyError" < "NoMatchingPatternError";
        private ["initialize"] kw(0, 1) => super::init_pattern_key;
        ["matchee"] req(0) => super::matchee;
        ["key"] req(0) => super::key_of;
    }
}
mod stop {
    crate::class! { "StopIteration" < "IndexError";
        ["result"] req(0) => super::result;
    }
}
mod exit {
    crate::class! { "SystemExit" < "Exception";
        private ["initialize"] opt(0, 2) => super::init_exit;
        ["status"] req(0) => super::status;
        ["success?"] req(0) => super::success;
    }
}
mod jump {
    crate::class! { "LocalJumpError" < "StandardError";
        ["reason"] req(0) => super::reason;
        ["exit_value"] req(0) => super::exit_value;
    }
}
mod throw {
    crate::class! { "UncaughtThrowError" < "ArgumentError";
        private ["initialize"] rest(2) => super::init_throw;
        ["tag"] req(0) => super::key_plain;
        ["value"] req(0) => super::result;
        ["to_s"] req(0) => super::throw_text;
    }
}
mod signal {
    crate::class! { "SignalException" < "Exception";
        private ["initialize"] opt(0, 2) => super::init_signal;
        ["signo"] req(0) => super::signo;
        ["signm"] req(0) => super::signm;
    }
}
mod interrupt {
    crate::class! { "Interrupt" < "SignalException";
        private ["initialize"] opt(0, 1) => super::init_interrupt;
    }
}
mod syntax {
    crate::class! { "SyntaxError" < "ScriptError";
        private ["initialize"] opt(0, 1) => super::init_syntax;
    }
}

pub fn boot(vm: Vm) {
    for t in [
        &key::CLASS,
        &frozen::CLASS,
        &name::CLASS,
        &no_method::CLASS,
        &pattern_key::CLASS,
        &stop::CLASS,
        &exit::CLASS,
        &jump::CLASS,
        &throw::CLASS,
        &signal::CLASS,
        &interrupt::CLASS,
        &syntax::CLASS,
    ] {
        vm.define_table(t);
    }
    let path = vm.intern("@path");
    for c in [vm.classes.syntax_error.get(), vm.classes.load_error.get()] {
        vm.add_method(c, vm.intern("path"), Visibility::Public, MethodBody::AttrReader(path));
    }
}

fn set(vm: Vm, this: Value, name: Sym, v: Value) {
    vm.ivar_set(this, name, v);
}
fn get(vm: Vm, this: Value, name: Sym) -> Value {
    vm.ivar_get(this, name).unwrap_or(NIL)
}
fn set_message(vm: Vm, this: Value, args: Args) {
    set(vm, this, sym::I_MESSAGE, args.or_nil(0));
}
fn keep(vm: Vm, this: Value, args: Args, keyword: &str, name: Sym) -> Ruby<()> {
    if let Some(v) = args.keyword(vm, keyword)? {
        set(vm, this, name, v);
    }
    Ok(())
}

fn init_key(vm: Vm, this: Value, args: Args) -> Ruby {
    args.only_keywords(vm, &["receiver", "key"])?;
    set_message(vm, this, args);
    keep(vm, this, args, "receiver", sym::I_RECEIVER)?;
    keep(vm, this, args, "key", sym::I_KEY)?;
    Ok(this)
}
fn init_receiver(vm: Vm, this: Value, args: Args) -> Ruby {
    args.only_keywords(vm, &["receiver"])?;
    set_message(vm, this, args);
    keep(vm, this, args, "receiver", sym::I_RECEIVER)?;
    Ok(this)
}
fn init_name(vm: Vm, this: Value, args: Args) -> Ruby {
    init_receiver(vm, this, args)?;
    set(vm, this, sym::I_NAME, args.or_nil(1));
    Ok(this)
}
fn init_no_method(vm: Vm, this: Value, args: Args) -> Ruby {
    init_name(vm, this, args)?;
    set(vm, this, sym::I_ARGS, args.or_nil(2));
    set(vm, this, sym::I_REASON, Value::bool(args.or_nil(3).truthy()));
    Ok(this)
}
fn init_pattern_key(vm: Vm, this: Value, args: Args) -> Ruby {
    args.only_keywords(vm, &["matchee", "key"])?;
    set_message(vm, this, args);
    keep(vm, this, args, "matchee", sym::I_RECEIVER)?;
    keep(vm, this, args, "key", sym::I_KEY)?;
    Ok(this)
}

fn needed(vm: Vm, this: Value, name: Sym, what: &str) -> Ruby {
    vm.ivar_get(this, name).ok_or_else(|| vm.arg_error(&format!("no {what} is available")))
}
fn receiver(vm: Vm, this: Value, _args: Args) -> Ruby {
    needed(vm, this, sym::I_RECEIVER, "receiver")
}
fn matchee(vm: Vm, this: Value, _args: Args) -> Ruby {
    needed(vm, this, sym::I_RECEIVER, "matchee")
}
fn key_of(vm: Vm, this: Value, _args: Args) -> Ruby {
    needed(vm, this, sym::I_KEY, "key")
}
fn key_plain(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(get(vm, this, sym::I_KEY))
}
fn name_of(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(get(vm, this, sym::I_NAME))
}
fn args_of(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(get(vm, this, sym::I_ARGS))
}
fn private_call(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(Value::bool(get(vm, this, sym::I_REASON).truthy()))
}
fn no_locals(vm: Vm, _this: Value, _args: Args) -> Ruby {
    Ok(RArray::new(&vm, 0).value())
}
fn result(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(get(vm, this, sym::I_RESULT))
}
fn reason(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(get(vm, this, sym::I_REASON))
}
fn exit_value(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(get(vm, this, sym::I_EXIT_VALUE))
}

/// `SystemExit.new(status = true, message = "exit")`.
fn init_exit(vm: Vm, this: Value, args: Args) -> Ruby {
    let (status, message) = match args.get(0) {
        Some(v) if matches!(v, TRUE | FALSE) || v.is_integer() => (status_of(vm, v)?, args.get(1)),
        Some(v) if args.len() == 1 => (0, Some(v)),
        Some(_) => return Err(vm.wrong_arguments(2, 0, 1)),
        None => (0, None),
    };
    set(vm, this, sym::I_STATUS, Value::fixnum(status));
    set(vm, this, sym::I_MESSAGE, message.unwrap_or(NIL));
    Ok(this)
}
fn status(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(vm.ivar_get(this, sym::I_STATUS).unwrap_or(Value::fixnum(0)))
}
fn success(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(match vm.ivar_get(this, sym::I_STATUS) {
        Some(v) if !v.is_nil() => Value::bool(v == Value::fixnum(0)),
        _ => TRUE,
    })
}

/// `UncaughtThrowError.new(tag, value, message...)`.
fn init_throw(vm: Vm, this: Value, args: Args) -> Ruby {
    set(vm, this, sym::I_KEY, args.or_nil(0));
    set(vm, this, sym::I_RESULT, args.or_nil(1));
    set(vm, this, sym::I_MESSAGE, args.or_nil(2));
    Ok(this)
}
fn throw_text(vm: Vm, this: Value, _args: Args) -> Ruby {
    let message = get(vm, this, sym::I_MESSAGE);
    let Some(s) = message.as_str() else {
        return if message.is_nil() { Ok(vm.str("UncaughtThrowError")) } else { Ok(vm.to_s(message)?.value()) };
    };
    if !s.text().contains('%') {
        return Ok(message);
    }
    let tag = vm.inspect(get(vm, this, sym::I_KEY))?;
    Ok(vm.str(&s.text().replacen("%p", &tag.text(), 1)))
}

/// `SignalException.new(name)` or `new(number, name)`.
fn init_signal(vm: Vm, this: Value, args: Args) -> Ruby {
    let Some(first) = args.get(0) else { return Err(vm.wrong_arguments(0, 1, 1)) };
    let (number, message) = if first.is_integer() {
        let n = vm.to_i64(first)?;
        if !(0..=64).contains(&n) {
            return Err(vm.arg_error(&format!("invalid signal number ({n})")));
        }
        let message = match args.get(1) {
            Some(m) => m,
            None => match super::signal::NAMES.iter().find(|s| s.1 as i64 == n) {
                Some(s) => vm.str(&format!("SIG{}", s.0)),
                None => vm.str(&format!("SIG{n}")),
            },
        };
        (n, message)
    } else {
        if args.len() > 1 {
            return Err(vm.wrong_arguments(args.len(), 1, 1));
        }
        let text = match first.as_symbol() {
            Some(s) => vm.name_of(s),
            None => match vm.check_str(first)? {
                Some(s) => s.text().into_owned(),
                None => {
                    let got = vm.class_name(vm.real_class_of(first));
                    return Err(vm.arg_error(&format!("bad signal type {got}")));
                }
            },
        };
        let bare = text.strip_prefix("SIG").unwrap_or(&text);
        match super::signal::NAMES.iter().find(|s| s.0 == bare) {
            Some(s) => (s.1 as i64, vm.str(&format!("SIG{bare}"))),
            None => return Err(vm.arg_error(&format!("unsupported signal 'SIG{bare}'"))),
        }
    };
    set(vm, this, sym::I_MESSAGE, message);
    set(vm, this, sym::I_SIGNO, Value::fixnum(number));
    Ok(this)
}
fn init_interrupt(vm: Vm, this: Value, args: Args) -> Ruby {
    set(vm, this, sym::I_MESSAGE, args.get(0).unwrap_or_else(|| vm.str("Interrupt")));
    set(vm, this, sym::I_SIGNO, Value::fixnum(libc::SIGINT as i64));
    Ok(this)
}
fn signo(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(get(vm, this, sym::I_SIGNO))
}
fn signm(vm: Vm, this: Value, _args: Args) -> Ruby {
    vm.send(this, sym::MESSAGE, &[])
}
fn init_syntax(vm: Vm, this: Value, args: Args) -> Ruby {
    set(vm, this, sym::I_MESSAGE, args.get(0).unwrap_or_else(|| vm.str("compile error")));
    Ok(this)
}
