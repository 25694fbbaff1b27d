//! `Hash`: inspection, comparison, and other forms of the same entries.

use super::array::add_pair;
use super::hash::{copy, dup, each, find, hsh, modify, store};
use super::inspect::Text;
use crate::class;
use crate::object::{Hsh, RArray, RHash, RString, sym};
use crate::value::{FALSE, NIL, Ruby, Sym, TRUE, Value};
use crate::vm::{Args, Vm};

class! { "Hash" < "Object";
    ["inspect", "to_s"] req(0) => inspect;
    ["=="] req(1) => equal;
    ["eql?"] req(1) => eql;
    ["hash"] req(0) => hash;
    ["<="] req(1) => subset;
    ["<"] req(1) => proper_subset;
    [">="] req(1) => superset;
    [">"] req(1) => proper_superset;
    ["to_h"] req(0) => to_h;
    ["to_hash"] req(0) => to_hash;
    ["to_a"] req(0) => to_a;
    ["to_proc"] req(0) => to_proc;
    ["invert"] req(0) => invert;
    ["assoc"] req(1) => assoc;
    ["rassoc"] req(1) => rassoc;
    ["slice"] rest(0) => slice;
    ["except"] rest(0) => except;
    ["compact"] req(0) => compact;
    ["compact!"] req(0) => compact_bang;
    ["flatten"] opt(0, 1) => flatten;
    ["deconstruct_keys"] req(1) => deconstruct_keys;
}

/// Defines this theme's methods.
pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}

/// Can this Symbol stand before a colon as it is?
pub fn simple_key(vm: Vm, s: Sym) -> bool {
    let name = vm.symbols.text(s);
    let body = name.strip_suffix(['?', '!']).unwrap_or(&name);
    let mut chars = body.chars();
    chars.next().is_some_and(|c| c == '_' || c.is_ascii_alphabetic() || !c.is_ascii())
        && chars.all(|c| c == '_' || c.is_ascii_alphanumeric() || !c.is_ascii())
        && !body.contains('\u{fffd}')
}
/// Appends `key: value` or `key => value` as `inspect` shows entries.
pub fn inspect_entry(vm: Vm, out: &mut Text, k: Value, v: Value) -> Ruby<()> {
    match k.as_symbol() {
        Some(s) => {
            let name = RString::from_bytes(&vm, vm.symbols.bytes(s), vm.symbols.enc(s));
            if simple_key(vm, s) {
                out.push(vm, name)?;
            } else {
                out.inspect(vm, name.value())?;
            }
            out.raw(": ");
        }
        None => {
            out.inspect(vm, k)?;
            out.raw(" => ");
        }
    }
    out.inspect(vm, v)
}
/// `{name: 1, "k" => 2}`; `{...}` for a hash inside itself.
fn inspect(vm: Vm, this: Value, _: Args) -> Ruby {
    let h = hsh(vm, this)?;
    if h.is_empty() {
        return Ok(RString::ascii(&vm, "{}").value());
    }
    let done = vm.guard_recursion(this, NIL, sym::INSPECT, || {
        let mut out = Text::new("{");
        let mut i = 0;
        while let Some((k, v)) = each(h, &mut i) {
            if out.bytes.len() > 1 {
                out.raw(", ");
            }
            inspect_entry(vm, &mut out, k, v)?;
        }
        out.raw("}");
        Ok(out.finish(vm))
    })?;
    Ok(done.unwrap_or_else(|| RString::ascii(&vm, "{...}").value()))
}

fn same(vm: Vm, this: Value, other: Value, what: Sym, same: fn(Vm, Value, Value) -> Ruby<bool>) -> Ruby {
    let a = hsh(vm, this)?;
    let Some(b) = other.as_hash() else {
        if other.is_ptr() && vm.responds_to(other, sym::TO_HASH, false)? {
            return Ok(Value::bool(vm.send(other, what, &[this])?.truthy()));
        }
        return Ok(FALSE);
    };
    if a == b {
        return Ok(TRUE);
    }
    if a.len() != b.len() {
        return Ok(FALSE);
    }
    if a.is_empty() {
        return Ok(TRUE);
    }
    if a.compare_by_identity.get() != b.compare_by_identity.get() {
        return Ok(FALSE);
    }
    let done = vm.guard_recursion(this, other, what, || {
        let mut i = 0;
        while let Some((k, v)) = each(a, &mut i) {
            match b.get_ruby(vm, k)? {
                Some(w) if v == w || same(vm, v, w)? => {}
                _ => return Ok(false),
            }
        }
        Ok(true)
    })?;
    Ok(Value::bool(done.unwrap_or(true)))
}
fn equal(vm: Vm, this: Value, args: Args) -> Ruby {
    same(vm, this, args.or_nil(0), sym::EQ, Vm::eq)
}
fn eql(vm: Vm, this: Value, args: Args) -> Ruby {
    same(vm, this, args.or_nil(0), sym::EQL, Vm::eql)
}
fn hash(vm: Vm, this: Value, _: Args) -> Ruby {
    use crate::vm::equal::mix;
    let h = hsh(vm, this)?;
    vm.container_hash(this, h.len() as u64 ^ 0x6861_7368, |mut sum| {
        let mut i = 0;
        while let Some((k, v)) = each(h, &mut i) {
            let k = if h.compare_by_identity.get() { mix(k.bits()) } else { vm.hash_of(k)? };
            sum = sum.wrapping_add(mix(k.rotate_left(17) ^ vm.hash_of(v)?));
        }
        Ok(sum)
    })
}

/// Every entry of `a` is in `b` with an equal value.
fn included(vm: Vm, a: Hsh, b: Hsh) -> Ruby<bool> {
    if a.len() > b.len() {
        return Ok(false);
    }
    let mut i = 0;
    while let Some((k, v)) = each(a, &mut i) {
        match b.get_ruby(vm, k)? {
            Some(w) if vm.eq(v, w)? => {}
            _ => return Ok(false),
        }
    }
    Ok(true)
}
fn both(vm: Vm, this: Value, args: Args) -> Ruby<(Hsh, Hsh)> {
    Ok((hsh(vm, this)?, vm.to_hash(args.or_nil(0))?))
}
fn subset(vm: Vm, this: Value, args: Args) -> Ruby {
    let (a, b) = both(vm, this, args)?;
    Ok(Value::bool(included(vm, a, b)?))
}
fn proper_subset(vm: Vm, this: Value, args: Args) -> Ruby {
    let (a, b) = both(vm, this, args)?;
    Ok(Value::bool(a.len() < b.len() && included(vm, a, b)?))
}
fn superset(vm: Vm, this: Value, args: Args) -> Ruby {
    let (a, b) = both(vm, this, args)?;
    Ok(Value::bool(included(vm, b, a)?))
}
fn proper_superset(vm: Vm, this: Value, args: Args) -> Ruby {
    let (a, b) = both(vm, this, args)?;
    Ok(Value::bool(b.len() < a.len() && included(vm, b, a)?))
}

fn to_h(vm: Vm, this: Value, args: Args) -> Ruby {
    let h = hsh(vm, this)?;
    let Some(b) = args.block() else {
        if vm.real_class_of(this) == vm.classes.hash.get() {
            return Ok(this);
        }
        let out = copy(vm, h);
        out.default.set(h.default.get());
        out.default_is_proc.set(h.default_is_proc.get());
        return Ok(out.value());
    };
    let out = RHash::new(&vm);
    let mut i = 0;
    while let Some((k, v)) = each(h, &mut i) {
        let pair = vm.yield_values(b, &[k, v])?;
        add_pair(vm, out, pair, None)?;
    }
    Ok(out.value())
}
fn to_hash(_: Vm, this: Value, _: Args) -> Ruby {
    Ok(this)
}
fn to_a(vm: Vm, this: Value, _: Args) -> Ruby {
    let h = hsh(vm, this)?;
    let out = RArray::new(&vm, h.len());
    let mut i = 0;
    while let Some((k, v)) = each(h, &mut i) {
        out.push(&vm, vm.array(&[k, v]));
    }
    Ok(out.value())
}
fn to_proc(vm: Vm, this: Value, _: Args) -> Ruby {
    fn look_up(vm: Vm, h: Value, args: Args) -> Ruby {
        if args.len() != 1 {
            return Err(vm.wrong_arguments(args.len(), 1, 1));
        }
        vm.send(h, sym::AREF, &[args.or_nil(0)])
    }
    Ok(vm.native_proc(look_up, this, true, 1).value())
}
fn invert(vm: Vm, this: Value, _: Args) -> Ruby {
    let h = hsh(vm, this)?;
    let out = RHash::new(&vm);
    let mut i = 0;
    while let Some((k, v)) = each(h, &mut i) {
        store(vm, out, v, k)?;
    }
    Ok(out.value())
}
fn assoc(vm: Vm, this: Value, args: Args) -> Ruby {
    let h = hsh(vm, this)?;
    let mut i = 0;
    while let Some((k, v)) = each(h, &mut i) {
        if vm.eq(args.or_nil(0), k)? {
            return Ok(vm.array(&[k, v]));
        }
    }
    Ok(NIL)
}
fn rassoc(vm: Vm, this: Value, args: Args) -> Ruby {
    let h = hsh(vm, this)?;
    let mut i = 0;
    while let Some((k, v)) = each(h, &mut i) {
        if vm.eq(v, args.or_nil(0))? {
            return Ok(vm.array(&[k, v]));
        }
    }
    Ok(NIL)
}
fn slice(vm: Vm, this: Value, args: Args) -> Ruby {
    let h = hsh(vm, this)?;
    let out = RHash::new(&vm);
    out.compare_by_identity.set(h.compare_by_identity.get());
    for &k in args.slice() {
        if let Some(v) = h.get_ruby(vm, k)? {
            store(vm, out, k, v)?;
        }
    }
    Ok(out.value())
}
fn except(vm: Vm, this: Value, args: Args) -> Ruby {
    let out = copy(vm, hsh(vm, this)?);
    for &k in args.slice() {
        if let Some(i) = find(vm, out, k)? {
            out.delete_slot(i);
        }
    }
    Ok(out.value())
}
fn drop_nils(h: Hsh) -> bool {
    let n = h.len();
    for i in 0..h.slots() {
        if h.entry(i).is_some_and(|(_, v)| v.is_nil()) {
            h.delete_slot(i);
        }
    }
    h.len() != n
}
fn compact(vm: Vm, this: Value, _: Args) -> Ruby {
    let out = dup(vm, hsh(vm, this)?);
    drop_nils(out);
    Ok(out.value())
}
fn compact_bang(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(if drop_nils(modify(vm, this)?) { this } else { NIL })
}
/// Keys and values in one list; values that are arrays are laid flat from level 2 on.
fn flatten(vm: Vm, this: Value, args: Args) -> Ruby {
    let level = match args.get(0) {
        Some(n) => vm.to_i64(n)?,
        None => 1,
    };
    let pairs = to_a(vm, this, args)?;
    if level == 0 {
        return Ok(pairs);
    }
    let out = RArray::new(&vm, 0);
    super::array_set::flatten_into(vm, vm.to_ary(pairs)?, out, level)?;
    Ok(out.value())
}
fn deconstruct_keys(_: Vm, this: Value, _: Args) -> Ruby {
    Ok(this)
}
