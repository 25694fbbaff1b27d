//! Constants and class variables of a module as data.

use super::module::this_class;
use super::name_check::{cvar_name, is_const, wrong_constant};
use crate::class;
use crate::object::{Class, ConstEntry, ConstState, RArray, RString, sym};
use crate::value::{NIL, Raised, Ruby, Sym, TRUE, Value};
use crate::vm::{Args, Vm};

class! { module "Module";
    ["const_get"] opt(1, 2) => const_get;
    ["const_set"] req(2) => const_set;
    ["const_defined?"] opt(1, 2) => const_defined;
    ["const_missing"] req(1) => const_missing;
    ["const_source_location"] opt(1, 2) => const_source_location;
    ["constants"] opt(0, 1) => constants;
    self ["constants"] opt(0, 1) => all_constants;
    private ["remove_const"] req(1) => remove_const;
    ["private_constant"] rest(0) => private_constant;
    ["public_constant"] rest(0) => public_constant;
    ["deprecate_constant"] rest(0) => deprecate_constant;
    ["autoload"] req(2) => autoload;
    ["autoload?"] opt(1, 2) => autoload_path;
    ["class_variable_get"] req(1) => cvar_get;
    ["class_variable_set"] req(2) => cvar_set;
    ["class_variable_defined?"] req(1) => cvar_defined;
    ["class_variables"] opt(0, 1) => class_variables;
    ["remove_class_variable"] req(1) => remove_cvar;
}

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
    vm.hooks.const_missing.set(Some(|vm, class, name| vm.send(class.value(), sym::CONST_MISSING, &[name.into()])));
}

/// Where a lookup goes on after the class itself.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// only the class
    Own,
    /// ancestors, but Object's only if it is the class asked (`Foo::Bar`)
    Scoped,
    /// ancestors, and Object for modules
    All,
}

/// The class among `c`'s ancestors that holds a constant.
pub fn holder(vm: Vm, c: Class, name: Sym, reach: Reach) -> Option<(Class, ConstEntry)> {
    let object = vm.classes.object.get();
    if reach == Reach::Own {
        return c.own_const(name).map(|e| (c, e));
    }
    // The class itself comes first, even if modules were prepended to it.
    if let Some(e) = c.own_const(name) {
        return Some((c, e));
    }
    for &k in c.mro() {
        if let Some(e) = k.own_const(name)
            && (reach == Reach::All || k != object || c == object)
        {
            return Some((k, e));
        }
    }
    if c.is_module() && reach == Reach::All {
        return object.mro().iter().find_map(|&k| k.own_const(name).map(|e| (k, e)));
    }
    None
}

/// Value of a constant found in `scope`; runs an autoload. `None`: the autoload did not define it.
pub fn value_of(vm: Vm, scope: Class, name: Sym, e: ConstEntry) -> Ruby<Option<Value>> {
    if e.deprecated {
        super::warning::deprecated(vm, &format!("constant {} is deprecated", full_name(vm, scope, name)))?;
    }
    match e.state {
        ConstState::Value(v) => Ok(Some(v)),
        ConstState::Autoload(path) => {
            let Some(f) = vm.hooks.autoload.get() else { return Err(vm.not_implemented("autoload")) };
            f(vm, path)?;
            Ok(match scope.own_const(name).map(|e| e.state) {
                Some(ConstState::Value(v)) => Some(v),
                Some(ConstState::Autoload(_)) => {
                    scope.take_const(name);
                    None
                }
                None => None,
            })
        }
    }
}

/// `A::B`, or `B` at the top.
pub fn full_name(vm: Vm, scope: Class, name: Sym) -> String {
    let own = vm.name_of(name);
    if scope == vm.classes.object.get() { own } else { format!("{}::{own}", vm.class_name(scope)) }
}

/// Looks a constant up and asks `const_missing` if there is none.
pub fn get(vm: Vm, c: Class, name: Sym, reach: Reach) -> Ruby {
    if let Some((scope, e)) = holder(vm, c, name, reach)
        && let Some(v) = value_of(vm, scope, name, e)?
    {
        return Ok(v);
    }
    vm.send(c.value(), sym::CONST_MISSING, &[name.into()])
}

/// The names in "A::B"; a leading "::" is dropped. NameError for anything that is not a constant path.
fn path(vm: Vm, this: Value, v: Value) -> Ruby<Vec<Sym>> {
    if let Some(s) = v.as_symbol() {
        return if is_const(vm.symbols.bytes(s)) { Ok(vec![s]) } else { Err(wrong_constant(vm, this, s)) };
    }
    let name = vm.to_name(v)?;
    let text = vm.name_of(name);
    let inner = text.strip_prefix("::").unwrap_or(&text);
    let mut out = Vec::new();
    for part in inner.split("::") {
        if !is_const(part.as_bytes()) {
            return Err(wrong_constant(vm, this, name));
        }
        out.push(vm.intern(part));
    }
    Ok(out)
}

fn const_get(vm: Vm, this: Value, args: Args) -> Ruby {
    let mut c = this_class(vm, this)?;
    let names = path(vm, this, args.or_nil(0))?;
    let inherit = args.get(1).is_none_or(Value::truthy);
    let mut value = this;
    for (i, &n) in names.iter().enumerate() {
        let reach = match (inherit, i) {
            (false, _) => Reach::Own,
            (true, 0) => Reach::All,
            _ => Reach::Scoped,
        };
        value = get(vm, c, n, reach)?;
        if i + 1 < names.len() {
            c = match value.as_class() {
                Some(k) => k,
                None => return Err(not_a_class(vm, args.or_nil(0))),
            };
        }
    }
    Ok(value)
}

/// Calls `const_added`.
pub fn added(vm: Vm, scope: Class, name: Sym) -> Ruby<()> {
    if let Some(m) = vm.find_method(vm.class_of(scope.value()), sym::CONST_ADDED)
        && m.owner == vm.classes.module.get()
    {
        return Ok(());
    }
    vm.send(scope.value(), sym::CONST_ADDED, &[name.into()])?;
    Ok(())
}
fn not_a_class(vm: Vm, path: Value) -> Raised {
    let text = match path.as_str() {
        Some(s) => s.text().into_owned(),
        None => path.as_symbol().map(|s| vm.name_of(s)).unwrap_or_default(),
    };
    vm.type_error(&format!("{text} does not refer to class/module"))
}
fn const_set(vm: Vm, this: Value, args: Args) -> Ruby {
    let c = this_class(vm, this)?;
    let name = vm.to_name(args.or_nil(0))?;
    if !is_const(vm.symbols.bytes(name)) {
        return Err(wrong_constant(vm, this, name));
    }
    vm.const_assign(c, name, args.or_nil(1))?;
    Ok(args.or_nil(1))
}

fn const_defined(vm: Vm, this: Value, args: Args) -> Ruby {
    let mut c = this_class(vm, this)?;
    let names = path(vm, this, args.or_nil(0))?;
    let inherit = args.get(1).is_none_or(Value::truthy);
    for (i, &n) in names.iter().enumerate() {
        let reach = match (inherit, i) {
            (false, _) => Reach::Own,
            (true, 0) => Reach::All,
            _ => Reach::Scoped,
        };
        let Some((scope, e)) = holder(vm, c, n, reach) else { return Ok(Value::bool(false)) };
        if i + 1 < names.len() {
            match value_of(vm, scope, n, e)?.and_then(Value::as_class) {
                Some(k) => c = k,
                None => return Err(not_a_class(vm, args.or_nil(0))),
            }
        }
    }
    Ok(TRUE)
}

fn const_missing(vm: Vm, this: Value, args: Args) -> Ruby {
    let c = this_class(vm, this)?;
    let name = vm.to_name(args.or_nil(0))?;
    Err(vm.uninitialized_constant(c, name))
}

fn const_source_location(vm: Vm, this: Value, args: Args) -> Ruby {
    let mut c = this_class(vm, this)?;
    let names = path(vm, this, args.or_nil(0))?;
    let inherit = args.get(1).is_none_or(Value::truthy);
    let mut out = NIL;
    for (i, &n) in names.iter().enumerate() {
        let reach = if !inherit {
            Reach::Own
        } else if i == 0 {
            Reach::All
        } else {
            Reach::Scoped
        };
        let Some((scope, e)) = holder(vm, c, n, reach) else { return Ok(NIL) };
        out = if e.file.is_nil() {
            RArray::new(&vm, 0).value()
        } else {
            vm.array(&[e.file, Value::fixnum(e.line as i64)])
        };
        if i + 1 < names.len() {
            match value_of(vm, scope, n, e)?.and_then(Value::as_class) {
                Some(k) => c = k,
                None => return Err(not_a_class(vm, args.or_nil(0))),
            }
        }
    }
    Ok(out)
}

fn push_public(vm: Vm, c: Class, list: crate::object::Ary) {
    for (n, e) in c.own_consts() {
        if !e.private && !list.slice().contains(&n.into()) && is_const(vm.symbols.bytes(n)) {
            list.push(&vm, n.into());
        }
    }
}
fn constants(vm: Vm, this: Value, args: Args) -> Ruby {
    let c = this_class(vm, this)?;
    let list = RArray::new(&vm, 8);
    if args.get(0).is_some_and(|v| !v.truthy()) {
        push_public(vm, c, list);
        return Ok(list.value());
    }
    let object = vm.classes.object.get();
    for &k in c.mro() {
        if k == object && c != object {
            break;
        }
        push_public(vm, k, list);
    }
    Ok(list.value())
}
/// `Module.constants`: what is visible at the call.
fn all_constants(vm: Vm, this: Value, args: Args) -> Ruby {
    if !args.is_empty() || this != vm.classes.module.get().value() {
        return constants(vm, this, args);
    }
    let list = RArray::new(&vm, 64);
    let mut c = vm.ec().ruby_frame().and_then(|f| f.cref());
    while let Some(cref) = c {
        push_public(vm, cref.class, list);
        c = crate::vm::frame::cref_value(cref.parent);
    }
    for &k in vm.classes.object.get().mro() {
        push_public(vm, k, list);
    }
    Ok(list.value())
}

fn not_defined(vm: Vm, c: Class, name: Sym) -> Raised {
    let text = format!("constant {} not defined", full_name_always(vm, c, name));
    vm.name_error(&text, c.value(), name)
}
fn full_name_always(vm: Vm, c: Class, name: Sym) -> String {
    format!("{}::{}", vm.class_name(c), vm.name_of(name))
}
fn remove_const(vm: Vm, this: Value, args: Args) -> Ruby {
    let c = this_class(vm, this)?;
    let name = vm.to_name(args.or_nil(0))?;
    if !is_const(vm.symbols.bytes(name)) {
        let text = format!("'{}' is not allowed as a constant name", vm.name_of(name));
        return Err(vm.name_error(&text, this, name));
    }
    vm.check_frozen(this)?;
    let Some(e) = c.own_const(name) else { return Err(not_defined(vm, c, name)) };
    c.take_const(name);
    if e.deprecated {
        super::warning::deprecated(vm, &format!("constant {} is deprecated", full_name(vm, c, name)))?;
    }
    vm.const_serial.set(vm.const_serial.get() + 1);
    Ok(match e.state {
        ConstState::Value(v) => v,
        ConstState::Autoload(_) => NIL,
    })
}

fn mark(vm: Vm, this: Value, args: Args, f: impl Fn(&mut ConstEntry)) -> Ruby {
    let c = this_class(vm, this)?;
    vm.check_class_frozen(c)?;
    for &a in args.slice() {
        let name = vm.to_name(a)?;
        let Some(mut e) = c.own_const(name) else { return Err(not_defined(vm, c, name)) };
        f(&mut e);
        c.put_const(name, e);
    }
    vm.const_serial.set(vm.const_serial.get() + 1);
    Ok(NIL)
}
fn private_constant(vm: Vm, this: Value, args: Args) -> Ruby {
    mark(vm, this, args, |e| e.private = true)
}
fn public_constant(vm: Vm, this: Value, args: Args) -> Ruby {
    mark(vm, this, args, |e| e.private = false)
}
fn deprecate_constant(vm: Vm, this: Value, args: Args) -> Ruby {
    mark(vm, this, args, |e| e.deprecated = true)?;
    Ok(this)
}

/// `autoload :Name, "path"` in a class.
pub fn autoload(vm: Vm, this: Value, args: Args) -> Ruby {
    let c = this_class(vm, this)?;
    let name = vm.to_name(args.or_nil(0))?;
    if !is_const(vm.symbols.bytes(name)) {
        let text = format!("autoload must be constant name: {}", vm.name_of(name));
        return Err(vm.name_error(&text, this, name));
    }
    let file = vm.to_str(args.or_nil(1))?;
    if file.is_empty() {
        return Err(vm.arg_error("empty feature name"));
    }
    if matches!(c.own_const(name).map(|e| e.state), Some(ConstState::Value(_))) {
        return Ok(NIL);
    }
    let file = RString::from_bytes(&vm, file.bytes(), file.enc());
    file.freeze();
    let (place, line) = vm.current_place();
    let state = ConstState::Autoload(file.value());
    c.put_const(name, ConstEntry { state, private: false, deprecated: false, file: place, line });
    vm.const_serial.set(vm.const_serial.get() + 1);
    added(vm, c, name)?;
    Ok(NIL)
}
/// Path that an autoload of a constant would require, nil if none is set.
pub fn autoload_path(vm: Vm, this: Value, args: Args) -> Ruby {
    let c = this_class(vm, this)?;
    let name = vm.to_name(args.or_nil(0))?;
    let reach = if args.get(1).is_none_or(Value::truthy) { Reach::All } else { Reach::Own };
    Ok(match holder(vm, c, name, reach).map(|(_, e)| e.state) {
        Some(ConstState::Autoload(p)) => p,
        _ => NIL,
    })
}

// ---- class variables

fn cvar_get(vm: Vm, this: Value, args: Args) -> Ruby {
    let c = this_class(vm, this)?;
    let name = cvar_name(vm, this, args.or_nil(0))?;
    vm.cvar_get(c, name)
}
fn cvar_set(vm: Vm, this: Value, args: Args) -> Ruby {
    let c = this_class(vm, this)?;
    let name = cvar_name(vm, this, args.or_nil(0))?;
    vm.cvar_set(c, name, args.or_nil(1))?;
    Ok(args.or_nil(1))
}
fn cvar_defined(vm: Vm, this: Value, args: Args) -> Ruby {
    let c = this_class(vm, this)?;
    let name = cvar_name(vm, this, args.or_nil(0))?;
    Ok(Value::bool(vm.cvar_owner(c, name).is_some()))
}
fn class_variables(vm: Vm, this: Value, args: Args) -> Ruby {
    let c = this_class(vm, this)?;
    let inherit = args.get(0).is_none_or(Value::truthy);
    let list = RArray::new(&vm, 4);
    for &k in c.mro() {
        if k == c || inherit {
            for n in k.own_cvars() {
                if !list.slice().contains(&n.into()) {
                    list.push(&vm, n.into());
                }
            }
        }
    }
    Ok(list.value())
}
fn remove_cvar(vm: Vm, this: Value, args: Args) -> Ruby {
    let c = this_class(vm, this)?;
    let name = cvar_name(vm, this, args.or_nil(0))?;
    vm.check_frozen(this)?;
    if let Some(v) = c.take_cvar(name) {
        return Ok(v);
    }
    let (n, class) = (vm.name_of(name), vm.class_name(c));
    let text = if vm.cvar_owner(c, name).is_some() {
        format!("cannot remove {n} for {class}")
    } else {
        format!("class variable {n} not defined for {class}")
    };
    Err(vm.name_error(&text, this, name))
}
