//! `Exception` and the tree of core exceptions.

use crate::class;
use crate::object::{RArray, RString, sym};
use crate::value::{FALSE, NIL, Ruby, Value};
use crate::vm::{Args, Vm};

/// (name, superclass), parents first.
pub const TREE: &[(&str, &str)] = &[
    ("Exception", "Object"),
    ("NoMemoryError", "Exception"),
    ("ScriptError", "Exception"),
    ("LoadError", "ScriptError"),
    ("NotImplementedError", "ScriptError"),
    ("SyntaxError", "ScriptError"),
    ("SecurityError", "Exception"),
    ("SignalException", "Exception"),
    ("Interrupt", "SignalException"),
    ("SystemExit", "Exception"),
    ("SystemStackError", "Exception"),
    ("fatal", "Exception"),
    ("StandardError", "Exception"),
    ("ArgumentError", "StandardError"),
    ("UncaughtThrowError", "ArgumentError"),
    ("EncodingError", "StandardError"),
    ("FiberError", "StandardError"),
    ("IOError", "StandardError"),
    ("EOFError", "IOError"),
    ("IndexError", "StandardError"),
    ("KeyError", "IndexError"),
    ("StopIteration", "IndexError"),
    ("ClosedQueueError", "StopIteration"),
    ("LocalJumpError", "StandardError"),
    ("NameError", "StandardError"),
    ("NoMethodError", "NameError"),
    ("RangeError", "StandardError"),
    ("FloatDomainError", "RangeError"),
    ("RegexpError", "StandardError"),
    ("RuntimeError", "StandardError"),
    ("FrozenError", "RuntimeError"),
    ("SystemCallError", "StandardError"),
    ("ThreadError", "StandardError"),
    ("TypeError", "StandardError"),
    ("ZeroDivisionError", "StandardError"),
    ("NoMatchingPatternError", "StandardError"),
    ("NoMatchingPatternKeyError", "NoMatchingPatternError"),
];

class! { "Exception" < "Object";
    self ["exception"] kwrest(0) => new;
    self ["to_tty?"] req(0) => to_tty;
    private ["initialize"] opt(0, 1) => initialize;
    ["exception"] opt(0, 1) => exception;
    ["to_s"] req(0) => to_s;
    ["message"] req(0) => message;
    ["detailed_message"] kwrest(0) => super::exception_report::detailed_message;
    ["full_message"] kwrest(0) => super::exception_report::full_message;
    ["inspect"] req(0) => inspect;
    ["backtrace"] req(0) => backtrace;
    ["backtrace_locations"] req(0) => backtrace_locations;
    ["set_backtrace"] req(1) => set_backtrace;
    ["cause"] req(0) => cause;
    ["=="] req(1) => eq;
}

/// The classes alone, for those that other files derive from at boot.
pub fn tree(vm: Vm) {
    for (name, superclass) in TREE {
        let above = vm.const_path(superclass);
        vm.define_class(name, above);
    }
}

pub fn boot(vm: Vm) {
    // Not reachable by name, as in CRuby.
    vm.classes.object.get().take_const(vm.intern("fatal"));
    vm.define_table(&CLASS);
    super::backtrace::boot(vm);
    super::exception_kinds::boot(vm);
    super::errno::boot(vm);
}

fn new(vm: Vm, this: Value, args: Args) -> Ruby {
    vm.send_full(this, sym::NEW, args.all(), args.has_keywords(), args.block(), true)
}
fn to_tty(_vm: Vm, _this: Value, _args: Args) -> Ruby {
    // SAFETY: a plain query.
    Ok(Value::bool(unsafe { libc::isatty(2) } == 1))
}
fn initialize(vm: Vm, this: Value, args: Args) -> Ruby {
    vm.ivar_set(this, sym::I_MESSAGE, args.or_nil(0));
    Ok(this)
}

/// `exc.exception(message)`: itself, or a copy with another message.
fn exception(vm: Vm, this: Value, args: Args) -> Ruby {
    match args.get(0) {
        None => Ok(this),
        Some(m) if m == this => Ok(this),
        Some(m) => {
            let copy = vm.send(this, sym::CLONE, &[])?;
            vm.ivar_set(copy, sym::I_MESSAGE, m);
            Ok(copy)
        }
    }
}

/// The message object's text, or the class's name.
fn to_s(vm: Vm, this: Value, _args: Args) -> Ruby {
    match vm.ivar_get(this, sym::I_MESSAGE) {
        Some(m) if !m.is_nil() => Ok(vm.to_s(m)?.value()),
        _ => Ok(vm.str(&vm.class_name(vm.real_class_of(this)))),
    }
}
fn message(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(vm.to_s(vm.send(this, sym::TO_S, &[])?)?.value())
}
fn inspect(vm: Vm, this: Value, _args: Args) -> Ruby {
    let class = vm.class_name(vm.real_class_of(this));
    let text = vm.to_s(this)?;
    if text.is_empty() {
        return Ok(vm.str(&class));
    }
    let mut out = format!("#<{class}:").into_bytes();
    if text.bytes().contains(&b'\n') {
        let quoted = vm.inspect(text.value())?;
        out.extend_from_slice(quoted.bytes());
    } else {
        out.push(b' ');
        out.extend_from_slice(text.bytes());
    }
    out.push(b'>');
    Ok(RString::from_vec(&vm, out, text.enc()).value())
}

fn backtrace(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(vm.ivar_get(this, sym::I_BACKTRACE).unwrap_or(NIL))
}
/// Location objects of the backtrace; nil if it was set to Strings.
fn backtrace_locations(vm: Vm, this: Value, _args: Args) -> Ruby {
    match vm.ivar_get(this, sym::I_LOCATIONS) {
        Some(FALSE) => return Ok(NIL),
        Some(v) if !v.is_nil() => return Ok(v),
        _ => {}
    }
    let Some(lines) = vm.ivar_get(this, sym::I_BACKTRACE).and_then(Value::as_array) else { return Ok(NIL) };
    let out = RArray::new(&vm, lines.len());
    for i in 0..lines.len() {
        if let Some(s) = lines.get(i).as_str() {
            out.push(&vm, super::backtrace::location(vm, super::backtrace::parse(&s.text())));
        }
    }
    if !this.is_frozen() {
        vm.ivar_set(this, sym::I_LOCATIONS, out.value());
    }
    Ok(out.value())
}
/// Takes nil, a String, an Array of Strings or an Array of Locations.
fn set_backtrace(vm: Vm, this: Value, args: Args) -> Ruby {
    let given = args.or_nil(0);
    vm.check_frozen(this)?;
    let mut locations = FALSE;
    let lines = if given.is_nil() {
        NIL
    } else if given.as_str().is_some() {
        vm.array(&[given])
    } else if let Some(a) = given.as_array() {
        if a.slice().iter().all(|v| v.as_str().is_some()) {
            given
        } else if a.slice().iter().all(|&v| super::backtrace::is_location(v)) {
            locations = given;
            let out = RArray::new(&vm, a.len());
            for i in 0..a.len() {
                if let Some(p) = super::backtrace::place_of(a.get(i)) {
                    out.push(&vm, vm.str(&p.to_string()));
                }
            }
            out.value()
        } else {
            return Err(bad_backtrace(vm));
        }
    } else {
        return Err(bad_backtrace(vm));
    };
    vm.ivar_set(this, sym::I_BACKTRACE, lines);
    vm.ivar_set(this, sym::I_LOCATIONS, locations);
    Ok(given)
}
fn bad_backtrace(vm: Vm) -> crate::value::Raised {
    vm.type_error("backtrace must be an Array of String or an Array of Thread::Backtrace::Location")
}
fn cause(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(vm.ivar_get(this, sym::I_CAUSE).unwrap_or(NIL))
}

/// Same class, equal messages, equal backtraces.
fn eq(vm: Vm, this: Value, args: Args) -> Ruby {
    let other = args.or_nil(0);
    if this == other {
        return Ok(Value::bool(true));
    }
    if vm.real_class_of(this) != vm.real_class_of(other) {
        return Ok(Value::bool(false));
    }
    let (a, b) = (vm.send(this, sym::MESSAGE, &[])?, vm.send(other, sym::MESSAGE, &[])?);
    if !vm.eq(a, b)? {
        return Ok(Value::bool(false));
    }
    let (a, b) = (vm.send(this, sym::BACKTRACE, &[])?, vm.send(other, sym::BACKTRACE, &[])?);
    Ok(Value::bool(vm.eq(a, b)?))
}
