//! `String`: reading numbers.

use super::number_text::{str_to_float, str_to_int};
use super::string::me;
use super::{complex, rational};
use crate::class;
use crate::object::Str;
use crate::value::{Ruby, Value};
use crate::vm::{Args, Vm};

class! { "String" < "Object";
    ["to_i"]  opt(0, 1) => to_i;
    ["to_f"]  req(0)    => to_f;
    ["to_r"]  req(0)    => to_r;
    ["to_c"]  req(0)    => to_c;
    ["hex"]   req(0)    => hex;
    ["oct"]   req(0)    => oct;
}

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}

/// Only ASCII can be read as a number: CompatibilityError for UTF-16 and the like.
fn ascii(vm: Vm, this: Value) -> Ruby<Str> {
    let s = me(vm, this)?;
    vm.must_be_ascii_compatible(s)?;
    Ok(s)
}

fn to_i(vm: Vm, this: Value, args: Args) -> Ruby {
    let base = args.get(0).map_or(Ok(10), |v| vm.to_i64(v))?;
    if base < 0 || base == 1 || base > 36 {
        return Err(vm.arg_error(&format!("invalid radix {base}")));
    }
    let s = ascii(vm, this)?;
    Ok(str_to_int(vm, s.bytes(), base as i32, false).unwrap_or(Value::fixnum(0)))
}
fn to_f(vm: Vm, this: Value, _args: Args) -> Ruby {
    let s = ascii(vm, this)?;
    Ok(vm.float(str_to_float(s.bytes())))
}
fn hex(vm: Vm, this: Value, _args: Args) -> Ruby {
    let s = ascii(vm, this)?;
    Ok(str_to_int(vm, s.bytes(), 16, false).unwrap_or(Value::fixnum(0)))
}
/// Octal unless a prefix says otherwise.
fn oct(vm: Vm, this: Value, _args: Args) -> Ruby {
    let s = ascii(vm, this)?;
    Ok(str_to_int(vm, s.bytes(), -8, false).unwrap_or(Value::fixnum(0)))
}

/// `"3/4"`, `"0.75"`: the Rational it begins with, or 0.
fn to_r(vm: Vm, this: Value, _args: Args) -> Ruby {
    let s = ascii(vm, this)?;
    rational::from_text(vm, s.bytes())
}
/// `"1+2i"`, `"3@1.5"`, `"i"`: the Complex it begins with, or 0.
fn to_c(vm: Vm, this: Value, _args: Args) -> Ruby {
    let s = ascii(vm, this)?;
    complex::from_text(vm, s.bytes())
}
