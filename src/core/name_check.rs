//! Which text may name what (variables, constants), and the descriptions that messages about names use.

use crate::object::Class;
use crate::value::{Raised, Ruby, Sym, Value};
use crate::vm::Vm;

fn is_identifier(b: &[u8]) -> bool {
    match b.split_first() {
        Some((&c, rest)) => {
            (c == b'_' || c.is_ascii_alphabetic() || c >= 0x80)
                && rest.iter().all(|&c| c == b'_' || c.is_ascii_alphanumeric() || c >= 0x80)
        }
        None => false,
    }
}
/// `@foo`
pub fn is_ivar(b: &[u8]) -> bool {
    b.strip_prefix(b"@").is_some_and(is_identifier)
}
/// `@@foo`
pub fn is_cvar(b: &[u8]) -> bool {
    b.strip_prefix(b"@@").is_some_and(is_identifier)
}
/// `Foo` (a non-ASCII first letter counts if it is upper case)
pub fn is_const(b: &[u8]) -> bool {
    let upper = match b.first() {
        Some(c) if c.is_ascii() => c.is_ascii_uppercase(),
        Some(_) => std::str::from_utf8(b).ok().and_then(|s| s.chars().next()).is_some_and(char::is_uppercase),
        None => false,
    };
    upper && is_identifier(b)
}
/// `foo`, `_foo`: a local variable
pub fn is_local(b: &[u8]) -> bool {
    is_identifier(b) && !is_const(b)
}

/// NameError "'x' is not allowed as ...".
#[cold]
pub fn not_allowed(vm: Vm, recv: Value, name: Sym, what: &str) -> Raised {
    let text = format!("'{}' is not allowed as {what} name", vm.name_of(name));
    vm.name_error(&text, recv, name)
}
/// A Symbol or String that names an instance variable.
pub fn ivar_name(vm: Vm, recv: Value, v: Value) -> Ruby<Sym> {
    let name = vm.to_name(v)?;
    if is_ivar(vm.symbols.bytes(name)) { Ok(name) } else { Err(not_allowed(vm, recv, name, "an instance variable")) }
}
/// A Symbol or String that names a class variable.
pub fn cvar_name(vm: Vm, recv: Value, v: Value) -> Ruby<Sym> {
    let name = vm.to_name(v)?;
    if is_cvar(vm.symbols.bytes(name)) { Ok(name) } else { Err(not_allowed(vm, recv, name, "a class variable")) }
}
/// NameError "wrong constant name x".
#[cold]
pub fn wrong_constant(vm: Vm, recv: Value, name: Sym) -> Raised {
    let text = format!("wrong constant name {}", vm.name_of(name));
    vm.name_error(&text, recv, name)
}

/// A class or module argument.
pub fn class_or_module(vm: Vm, v: Value) -> Ruby<Class> {
    v.as_class().ok_or_else(|| vm.type_error("class or module required"))
}
/// A module argument (not a class), as `include` and `extend` want.
pub fn module_arg(vm: Vm, v: Value) -> Ruby<Class> {
    match v.as_class() {
        Some(m) if m.is_module() => Ok(m),
        _ => {
            let got = vm.describe(v);
            Err(vm.type_error(&format!("wrong argument type {got} (expected Module)")))
        }
    }
}

/// How NameError messages name an object: `inspect`, or `#<Foo:0x...>` when that is long.
pub fn describe_short(vm: Vm, v: Value) -> Ruby<String> {
    if let Some(c) = v.as_class() {
        return Ok(vm.class_name(c));
    }
    let text = vm.inspect(v)?;
    Ok(if text.len() > 65 { vm.any_to_s(v) } else { text.text().into_owned() })
}
/// "class 'Foo'" or "module 'Foo'".
pub fn class_phrase(vm: Vm, c: Class) -> String {
    let kind = if c.is_module() { "module" } else { "class" };
    format!("{kind} '{}'", vm.class_name(c))
}
/// NameError "undefined method 'x' for class 'Foo'".
#[cold]
pub fn undefined_method(vm: Vm, c: Class, name: Sym) -> Raised {
    let text = format!("undefined method '{}' for {}", vm.name_of(name), class_phrase(vm, c));
    vm.name_error(&text, c.value(), name)
}
