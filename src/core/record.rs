//! What Struct and Data share: an object with named fields. A field is a hidden instance variable of the member's own
//! name, so that accessors are attribute readers with the VM's inline caches.

use super::inspect::Text;
use crate::object::{Ary, Class, MethodBody, RArray, RHash, RObject, RString, Visibility, sym};
use crate::value::{FALSE, NIL, Raised, Ruby, Sym, TRUE, Value};
use crate::vm::{Args, Vm};

/// Hidden instance variables of the class: the member list, and `keyword_init`.
const MEMBERS: &str = "__members__";
const KEYWORD_INIT: &str = "__keyword_init__";

/// Members of an instance's class, as Symbols.
pub fn members(vm: Vm, this: Value) -> Ruby<Ary> {
    class_members(vm, vm.real_class_of(this))
}
/// Members of a class made by `Struct.new` or `Data.define`, or below one.
pub fn class_members(vm: Vm, class: Class) -> Ruby<Ary> {
    match inherited(vm, class, MEMBERS).and_then(|v| v.as_array()) {
        Some(a) => Ok(a),
        None => Err(vm.type_error("uninitialized struct")),
    }
}
/// The class's `keyword_init:`.
pub fn keyword_init(vm: Vm, class: Class) -> Value {
    inherited(vm, class, KEYWORD_INIT).unwrap_or(NIL)
}
fn inherited(vm: Vm, class: Class, name: &str) -> Option<Value> {
    let name = vm.intern(name);
    let mut c = Some(class);
    while let Some(k) = c {
        if let Some(v) = vm.ivar_get(k.value(), name) {
            return Some(v);
        }
        c = k.superclass();
    }
    None
}
/// Field `i`, by the member list.
pub fn field(vm: Vm, this: Value, members: Ary, i: usize) -> Value {
    members.get(i).as_symbol().and_then(|m| vm.ivar_get(this, m)).unwrap_or(NIL)
}
/// Stores a field without asking whether the object is frozen.
pub fn put(vm: Vm, this: Value, members: Ary, i: usize, v: Value) {
    if let Some(m) = members.get(i).as_symbol() {
        vm.ivar_set(this, m, v);
    }
}
/// Position of a member.
pub fn position(members: Ary, name: Value) -> Option<usize> {
    members.slice().iter().position(|&m| m == name)
}

/// The member list from `define`'s arguments; `what` is "struct" or "data".
pub fn check_members(vm: Vm, args: &[Value], what: &str) -> Ruby<Ary> {
    let out = RArray::new(&vm, args.len());
    for &v in args {
        let m = vm.to_name(v)?;
        let text = vm.symbols.text(m);
        if text.ends_with('=') && !matches!(&*text, "==" | "===" | "!=" | "<=" | ">=" | "[]=") {
            return Err(vm.arg_error(&format!("invalid {what} member: {text}")));
        }
        if position(out, m.into()).is_some() {
            return Err(vm.arg_error(&format!("duplicate member: {text}")));
        }
        out.push(&vm, m.into());
    }
    out.h.set(crate::heap::flags::FROZEN);
    Ok(out)
}
/// A new class with these members: accessors are defined, `inherited` is called.
pub fn make_class(vm: Vm, above: Class, members: Ary, writers: bool) -> Ruby<Class> {
    let c = vm.new_class(above);
    vm.ivar_set(c.value(), vm.intern(MEMBERS), members.value());
    for &m in members.slice() {
        let Some(m) = m.as_symbol() else { continue };
        vm.add_method(c, m, Visibility::Public, MethodBody::AttrReader(m));
        if writers {
            let name = format!("{}=", vm.symbols.text(m));
            vm.add_method(c, vm.intern(&name), Visibility::Public, MethodBody::AttrWriter(m));
        }
    }
    c.instance_slots.set((members.len() as u32).max(2));
    vm.send(above.value(), sym::INHERITED, &[c.value()])?;
    Ok(c)
}
/// Notes `keyword_init:`.
pub fn set_keyword_init(vm: Vm, c: Class, v: Value) {
    vm.ivar_set(c.value(), vm.intern(KEYWORD_INIT), v);
}
/// An instance with all fields unset.
pub fn allocate(vm: Vm, class: Class) -> Ruby {
    let n = class_members(vm, class).map_or(2, |m| m.len());
    Ok(RObject::alloc(&vm, class, n).value())
}

/// Class and fields are equal by `same`.
pub fn equal(vm: Vm, this: Value, other: Value, what: Sym, same: fn(Vm, Value, Value) -> Ruby<bool>) -> Ruby {
    if this == other {
        return Ok(TRUE);
    }
    if vm.real_class_of(this) != vm.real_class_of(other) {
        return Ok(FALSE);
    }
    let m = members(vm, this)?;
    let done = vm.guard_recursion(this, other, what, || {
        for i in 0..m.len() {
            let (a, b) = (field(vm, this, m, i), field(vm, other, m, i));
            if a != b && !same(vm, a, b)? {
                return Ok(false);
            }
        }
        Ok(true)
    })?;
    Ok(Value::bool(done.unwrap_or(true)))
}
/// Hash of class and fields.
pub fn hash(vm: Vm, this: Value, _: Args) -> Ruby {
    let m = members(vm, this)?;
    let class = vm.object_id(vm.real_class_of(this).value());
    vm.container_hash(this, class.bits(), |mut h| {
        for i in 0..m.len() {
            h = crate::vm::equal::mix(h.rotate_left(5) ^ vm.hash_of(field(vm, this, m, i))?);
        }
        Ok(h)
    })
}
/// `#<struct Point x=1, y=2>`.
pub fn inspect(vm: Vm, this: Value, what: &str) -> Ruby {
    let m = members(vm, this)?;
    let class = vm.class_name(vm.real_class_of(this));
    let done = vm.guard_recursion(this, NIL, sym::INSPECT, || {
        let mut out = Text::new(&format!("#<{what}"));
        if !class.starts_with('#') {
            out.raw(&format!(" {class}"));
        }
        for i in 0..m.len() {
            out.raw(if i == 0 { " " } else { ", " });
            if let Some(s) = m.get(i).as_symbol() {
                if super::hash_convert::simple_key(vm, s) && !vm.symbols.text(s).ends_with(['?', '!']) {
                    out.push(vm, RString::from_bytes(&vm, vm.symbols.bytes(s), vm.symbols.enc(s)))?;
                } else {
                    out.inspect(vm, m.get(i))?;
                }
            }
            out.raw("=");
            out.inspect(vm, field(vm, this, m, i))?;
        }
        out.raw(">");
        Ok(out.finish(vm))
    })?;
    Ok(done.unwrap_or_else(|| vm.str(&format!("#<{what} {class}:...>"))))
}
/// Fields by name, through the block's pairs if one is given.
pub fn to_h(vm: Vm, this: Value, args: Args) -> Ruby {
    let m = members(vm, this)?;
    let h = RHash::new(&vm);
    for i in 0..m.len() {
        let (k, v) = (m.get(i), field(vm, this, m, i));
        match args.block() {
            Some(b) => {
                let pair = vm.yield_values(b, &[k, v])?;
                super::array::add_pair(vm, h, pair, None)?;
            }
            None => super::hash::store(vm, h, k, v)?,
        }
    }
    Ok(h.value())
}
/// All fields in order.
pub fn to_a(vm: Vm, this: Value, _: Args) -> Ruby {
    let m = members(vm, this)?;
    let out = RArray::new(&vm, m.len());
    for i in 0..m.len() {
        out.push(&vm, field(vm, this, m, i));
    }
    Ok(out.value())
}
/// A copy of the member list.
pub fn member_list(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(super::array::copy(vm, members(vm, this)?).value())
}
/// The same for the class.
pub fn s_members(vm: Vm, this: Value, _: Args) -> Ruby {
    match this.as_class() {
        Some(c) => Ok(super::array::copy(vm, class_members(vm, c)?).value()),
        None => Ok(NIL),
    }
}
/// `initialize_copy`: all fields of the other.
pub fn copy_fields(vm: Vm, this: Value, args: Args) -> Ruby {
    let from = args.or_nil(0);
    if this == from {
        return Ok(this);
    }
    vm.check_frozen(this)?;
    if vm.real_class_of(this) != vm.real_class_of(from) {
        return Err(vm.type_error("initialize_copy should take same class object"));
    }
    let m = members(vm, this)?;
    for i in 0..m.len() {
        put(vm, this, m, i, field(vm, from, m, i));
    }
    Ok(this)
}
/// For pattern matching: the asked fields, up to the first that is none; all for nil.
pub fn deconstruct_keys(
    vm: Vm,
    this: Value,
    args: Args,
    find: fn(Vm, Ary, Value) -> Ruby<Option<(usize, Value)>>,
) -> Ruby {
    let keys = args.or_nil(0);
    if keys.is_nil() {
        return to_h(vm, this, args);
    }
    let Some(keys) = keys.as_array() else {
        let got = vm.class_name(vm.real_class_of(keys));
        return Err(vm.type_error(&format!("wrong argument type {got} (expected Array or nil)")));
    };
    let m = members(vm, this)?;
    let h = RHash::new(&vm);
    if keys.len() > m.len() {
        return Ok(h.value());
    }
    for i in 0..keys.len() {
        let k = keys.get(i);
        match find(vm, m, k)? {
            Some((at, k)) => super::hash::store(vm, h, k, field(vm, this, m, at))?,
            None => break,
        }
    }
    Ok(h.value())
}
/// ArgumentError "missing keywords: :x, :y" (or "unknown").
pub fn keyword_error(vm: Vm, what: &str, names: Ary) -> Raised {
    let mut list = Vec::new();
    for i in 0..names.len() {
        match vm.inspect(names.get(i)) {
            Ok(s) => list.push(s.text().into_owned()),
            Err(r) => return r,
        }
    }
    let s = if list.len() == 1 { "" } else { "s" };
    vm.arg_error(&format!("{what} keyword{s}: {}", list.join(", ")))
}
