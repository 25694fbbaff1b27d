//! `Set`: a Hash whose keys are the elements. What combines sets is Ruby, in `prelude/set.rb`.

use super::hash::{each, find};
use super::inspect::Text;
use crate::class;
use crate::heap::Marker;
use crate::object::{Class, Data, Hsh, RArray, RData, RHash, sym};
use crate::value::{FALSE, NIL, Ruby, TRUE, Value};
use crate::vm::native::Identity;
use crate::vm::{Args, Vm};
use std::cell::Cell;

class! { "Set" < "Object";
    self ["[]"] rest(0) => s_create;
    ["initialize_copy"] req(1) => initialize_copy;
    ["add", "<<"] req(1) => add;
    ["add?"] req(1) => add_new;
    ["delete"] req(1) => delete;
    ["delete?"] req(1) => delete_found;
    ["include?", "member?", "==="] req(1) => include;
    ["size", "length"] req(0) => size;
    ["empty?"] req(0) => is_empty;
    ["clear"] req(0) => clear;
    ["to_a"] req(0) => to_a;
    ["=="] req(1) => equal;
    ["hash"] req(0) => hash;
    ["inspect", "to_s"] req(0) => inspect;
    ["compare_by_identity"] req(0) => compare_by_identity;
    ["compare_by_identity?"] req(0) => is_by_identity;
    ["reset"] req(0) => reset;
    private ["__merge"] req(1) => merge;
    private ["__next_slot"] req(1) => next_slot;
    private ["__key_at"] req(1) => key_at;
    private ["__delete_at"] req(1) => delete_at;
    private ["__enter"] req(0) => enter;
    private ["__leave"] req(0) => leave;
    private ["__iterating?"] req(0) => iterating;
}

/// State of a Set: the Hash.
struct Elements(Cell<Value>);
impl Data for Elements {
    fn trace(&self, m: &mut Marker) {
        m.value(self.0.get());
    }
}

/// Defines Set.
pub fn boot(vm: Vm) {
    let c = vm.define_table(&CLASS);
    vm.set_allocator(c, |vm, class| Ok(blank(vm, class)));
}
fn blank(vm: Vm, class: Class) -> Value {
    let h = RHash::new(&vm).value();
    RData::alloc(&vm, class, Elements(Cell::new(h)))
}
/// The Hash of a Set.
pub fn elements(v: Value) -> Option<Hsh> {
    v.data::<Elements>().and_then(|e| e.0.get().as_hash())
}
fn set(vm: Vm, this: Value) -> Ruby<Hsh> {
    elements(this).ok_or_else(|| vm.arg_error("value must be a set"))
}
fn modify(vm: Vm, this: Value) -> Ruby<Hsh> {
    vm.check_frozen(this)?;
    set(vm, this)
}
/// Adds an element; true if it was not there.
fn insert(vm: Vm, h: Hsh, v: Value) -> Ruby<bool> {
    let n = h.len();
    let refuse = || vm.runtime_error("can't add a new item into set during iteration");
    let admit = |k: Value| {
        if h.iterating.get() > 0 {
            return Err(refuse());
        }
        match k.as_str() {
            Some(s) if !s.is_frozen() && !h.compare_by_identity.get() => {
                let copy = crate::object::RString::from_bytes(&vm, s.bytes(), s.enc());
                copy.freeze();
                Ok(copy.value())
            }
            _ => Ok(k),
        }
    };
    if h.compare_by_identity.get() {
        h.set_with(&vm, &Identity, v, TRUE, admit)?;
    } else {
        h.set_with(&vm, &vm, v, TRUE, admit)?;
    }
    Ok(h.len() != n)
}

fn s_create(vm: Vm, this: Value, args: Args) -> Ruby {
    let Some(class) = this.as_class() else { return Err(vm.type_error("not a class")) };
    let v = vm.allocate(class)?;
    let h = set(vm, v)?;
    for &x in args.slice() {
        insert(vm, h, x)?;
    }
    Ok(v)
}
fn initialize_copy(vm: Vm, this: Value, args: Args) -> Ruby {
    let h = modify(vm, this)?;
    if h.iterating.get() > 0 {
        return Err(vm.runtime_error("cannot replace set during iteration"));
    }
    let from = set(vm, args.or_nil(0))?;
    if from != h {
        h.copy_from(&vm, from);
    }
    Ok(this)
}
fn add(vm: Vm, this: Value, args: Args) -> Ruby {
    insert(vm, modify(vm, this)?, args.or_nil(0))?;
    Ok(this)
}
fn add_new(vm: Vm, this: Value, args: Args) -> Ruby {
    Ok(if insert(vm, modify(vm, this)?, args.or_nil(0))? { this } else { NIL })
}
fn remove(vm: Vm, this: Value, v: Value) -> Ruby<bool> {
    let h = modify(vm, this)?;
    Ok(find(vm, h, v)?.and_then(|i| h.delete_slot(i)).is_some())
}
fn delete(vm: Vm, this: Value, args: Args) -> Ruby {
    remove(vm, this, args.or_nil(0))?;
    Ok(this)
}
fn delete_found(vm: Vm, this: Value, args: Args) -> Ruby {
    Ok(if remove(vm, this, args.or_nil(0))? { this } else { NIL })
}
fn include(vm: Vm, this: Value, args: Args) -> Ruby {
    Ok(Value::bool(find(vm, set(vm, this)?, args.or_nil(0))?.is_some()))
}
fn size(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(Value::fixnum(set(vm, this)?.len() as i64))
}
fn is_empty(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(Value::bool(set(vm, this)?.is_empty()))
}
fn clear(vm: Vm, this: Value, _: Args) -> Ruby {
    modify(vm, this)?.clear(&vm);
    Ok(this)
}
fn to_a(vm: Vm, this: Value, _: Args) -> Ruby {
    let h = set(vm, this)?;
    let out = RArray::new(&vm, h.len());
    let mut i = 0;
    while let Some((k, _)) = each(h, &mut i) {
        out.push(&vm, k);
    }
    Ok(out.value())
}
fn equal(vm: Vm, this: Value, args: Args) -> Ruby {
    let a = set(vm, this)?;
    let Some(b) = elements(args.or_nil(0)) else { return Ok(FALSE) };
    if a == b {
        return Ok(TRUE);
    }
    if a.len() != b.len() {
        return Ok(FALSE);
    }
    if !a.is_empty() && a.compare_by_identity.get() != b.compare_by_identity.get() {
        return Ok(FALSE);
    }
    let done = vm.guard_recursion(this, args.or_nil(0), sym::EQ, || {
        let mut i = 0;
        while let Some((k, _)) = each(a, &mut i) {
            if find(vm, b, k)?.is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    })?;
    Ok(Value::bool(done.unwrap_or(true)))
}
fn hash(vm: Vm, this: Value, _: Args) -> Ruby {
    let h = set(vm, this)?;
    vm.container_hash(this, h.len() as u64 ^ 0x0073_6574, |mut sum| {
        let mut i = 0;
        while let Some((k, _)) = each(h, &mut i) {
            let k = if h.compare_by_identity.get() { k.bits() } else { vm.hash_of(k)? };
            sum = sum.wrapping_add(crate::vm::equal::mix(k));
        }
        Ok(sum)
    })
}
/// `Set[1, 2]`.
fn inspect(vm: Vm, this: Value, _: Args) -> Ruby {
    let h = set(vm, this)?;
    let class = vm.class_name(vm.real_class_of(this));
    let done = vm.guard_recursion(this, NIL, sym::INSPECT, || {
        let mut out = Text::new("");
        out.raw(&format!("{class}["));
        let (mut i, mut first) = (0, true);
        while let Some((k, _)) = each(h, &mut i) {
            if !std::mem::replace(&mut first, false) {
                out.raw(", ");
            }
            out.inspect(vm, k)?;
        }
        out.raw("]");
        Ok(out.finish(vm))
    })?;
    Ok(done.unwrap_or_else(|| vm.str(&format!("{class}[...]"))))
}
fn compare_by_identity(vm: Vm, this: Value, _: Args) -> Ruby {
    let h = set(vm, this)?;
    if h.compare_by_identity.get() {
        return Ok(this);
    }
    vm.check_frozen(this)?;
    if h.iterating.get() > 0 {
        return Err(vm.runtime_error("compare_by_identity during iteration"));
    }
    h.rehash(&vm, &Identity)?;
    h.compare_by_identity.set(true);
    Ok(this)
}
fn is_by_identity(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(Value::bool(set(vm, this)?.compare_by_identity.get()))
}
fn reset(vm: Vm, this: Value, _: Args) -> Ruby {
    let h = modify(vm, this)?;
    if h.iterating.get() > 0 {
        return Err(vm.runtime_error("reset during iteration"));
    }
    if h.compare_by_identity.get() {
        h.rehash(&vm, &Identity)?
    } else {
        h.rehash(&vm, &vm)?
    }
    Ok(this)
}
/// Adds all elements of an Array or a Set; false for anything else.
fn merge(vm: Vm, this: Value, args: Args) -> Ruby {
    let h = set(vm, this)?;
    let from = args.or_nil(0);
    if let Some(a) = from.as_array() {
        let mut i = 0;
        while i < a.len() {
            insert(vm, h, a.get(i))?;
            i += 1;
        }
    } else if let Some(s) = elements(from) {
        let mut i = 0;
        while let Some((k, _)) = each(s, &mut i) {
            insert(vm, h, k)?;
        }
    } else {
        return Ok(FALSE);
    }
    Ok(TRUE)
}

// ---- for the prelude's loops

fn next_slot(vm: Vm, this: Value, args: Args) -> Ruby {
    let i = vm.to_i64(args.or_nil(0))?.max(0) as usize;
    Ok(set(vm, this)?.next_slot(i).map_or(NIL, |i| Value::fixnum(i as i64)))
}
fn key_at(vm: Vm, this: Value, args: Args) -> Ruby {
    let i = vm.to_i64(args.or_nil(0))?.max(0) as usize;
    Ok(set(vm, this)?.entry(i).map_or(NIL, |e| e.0))
}
fn delete_at(vm: Vm, this: Value, args: Args) -> Ruby {
    let i = vm.to_i64(args.or_nil(0))?.max(0) as usize;
    modify(vm, this)?.delete_slot(i);
    Ok(NIL)
}
fn enter(vm: Vm, this: Value, _: Args) -> Ruby {
    let n = &set(vm, this)?.iterating;
    n.set(n.get() + 1);
    Ok(NIL)
}
fn leave(vm: Vm, this: Value, _: Args) -> Ruby {
    let n = &set(vm, this)?.iterating;
    n.set(n.get().saturating_sub(1));
    Ok(NIL)
}
fn iterating(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(Value::bool(set(vm, this)?.iterating.get() > 0))
}
