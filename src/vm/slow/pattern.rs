//! Destructuring and pattern matching: cold halves.

use crate::bytecode::op::NoMatchKind;
use crate::object::{RArray, RHash, sym};
use crate::value::{NIL, Raised, Ruby, UNDEF, Value};
use crate::vm::Vm;

/// Spreads a value over `pre` registers, perhaps one Array, and `post` registers.
#[inline(never)]
pub fn expand(vm: Vm, dst: *mut Value, v: Value, pre: usize, splat: bool, post: usize) -> Ruby<()> {
    // The registers may include the value's own: keep it in a local, and copy the elements first.
    let list = match vm.check_ary(v)? {
        Some(a) => a,
        None => RArray::from_slice(&vm, &[v]),
    };
    let n = list.len();
    // SAFETY: the compiler reserved the registers.
    unsafe {
        for i in 0..pre {
            *dst.add(i) = list.get(i);
        }
        let mut at = pre;
        let mut rest_end = n.min(pre);
        if splat {
            rest_end = n.saturating_sub(post).max(pre.min(n));
            let mid = RArray::new(&vm, 0);
            let mut i = pre;
            while i < rest_end {
                mid.push(&vm, list.get(i));
                i += 1;
            }
            *dst.add(at) = mid.value();
            at += 1;
        }
        for i in 0..post {
            *dst.add(at + i) = if n <= pre && splat { NIL } else { list.get(rest_end + i) };
        }
    }
    crate::heap::root::keep(list.value());
    Ok(())
}

pub fn array_mid(vm: Vm, v: Value, from: usize, drop: usize) -> Value {
    let out = RArray::new(&vm, 0);
    if let Some(a) = v.as_array() {
        let end = a.len().saturating_sub(drop);
        let mut i = from;
        while i < end {
            out.push(&vm, a.get(i));
            i += 1;
        }
    }
    out.value()
}

#[inline(never)]
pub fn deconstruct(vm: Vm, v: Value) -> Ruby {
    if v.as_array().is_some() && vm.class_of(v) == vm.classes.array.get() {
        return Ok(v);
    }
    if !vm.responds_to(v, sym::DECONSTRUCT, true)? {
        return Ok(NIL);
    }
    let r = vm.send(v, sym::DECONSTRUCT, &[])?;
    if r.as_array().is_none() {
        return Err(vm.type_error("deconstruct must return Array"));
    }
    Ok(r)
}

#[inline(never)]
pub fn deconstruct_keys(vm: Vm, v: Value, keys: Value, dup: bool) -> Ruby {
    if !vm.responds_to(v, sym::DECONSTRUCT_KEYS, true)? {
        return Ok(NIL);
    }
    let r = vm.send(v, sym::DECONSTRUCT_KEYS, &[keys])?;
    let Some(h) = r.as_hash() else {
        return Err(vm.type_error("deconstruct_keys must return Hash"));
    };
    if dup {
        let c = RHash::new(&vm);
        c.copy_from(&vm, h);
        return Ok(c.value());
    }
    Ok(r)
}

#[inline(never)]
pub fn hash_fetch(vm: Vm, h: Value, key: Value, delete: bool) -> Ruby {
    let Some(h) = h.as_hash() else { return Ok(UNDEF) };
    let r = if delete { h.delete(&vm, key)? } else { h.get_ruby(vm, key)? };
    Ok(r.unwrap_or(UNDEF))
}

#[inline(never)]
pub fn no_match(vm: Vm, v: Value, key: bool) -> Raised {
    let text = match vm.inspect(v) {
        Ok(s) => s.text().into_owned(),
        Err(r) => return r,
    };
    let class = if key { &vm.classes.no_matching_pattern_key_error } else { &vm.classes.no_matching_pattern_error };
    vm.raise(class.get(), &text)
}

/// As `no_match`, saying which test of a lone pattern failed: `why` on `x`, and `c` (a value, a length or a key).
#[inline(never)]
pub fn no_match_why(vm: Vm, why: u8, v: Value, x: Value, c: Value) -> Raised {
    match why_text(vm, NoMatchKind::from_u8(why), v, x, c) {
        Ok(text) if why == NoMatchKind::Key as u8 => {
            let e = vm.new_exception(vm.classes.no_matching_pattern_key_error.get(), &text);
            vm.ivar_set(e, sym::I_RECEIVER, x);
            vm.ivar_set(e, sym::I_KEY, c);
            vm.raise_exc(e)
        }
        Ok(text) => vm.raise(vm.classes.no_matching_pattern_error.get(), &text),
        Err(r) => r,
    }
}

fn why_text(vm: Vm, why: NoMatchKind, v: Value, x: Value, c: Value) -> Ruby<String> {
    let show = |v: Value| vm.inspect(v).map(|s| s.text().into_owned());
    let len = x.as_array().map_or(0, |a| a.len());
    let n = c.as_fixnum().unwrap_or(0);
    let rest = match why {
        NoMatchKind::Value => format!("{} === {} does not return true", show(x)?, show(c)?),
        NoMatchKind::Length => format!("{} length mismatch (given {len}, expected {n})", show(x)?),
        NoMatchKind::LengthAtLeast => format!("{} length mismatch (given {len}, expected {n}+)", show(x)?),
        NoMatchKind::NoDeconstruct => format!("{} does not respond to #deconstruct", show(x)?),
        NoMatchKind::Find => format!("{} does not match to find pattern", show(x)?),
        NoMatchKind::NoDeconstructKeys => format!("{} does not respond to #deconstruct_keys", show(x)?),
        NoMatchKind::Key => format!("key not found: {}", show(c)?),
        NoMatchKind::NotEmpty => format!("{} is not empty", show(x)?),
        NoMatchKind::RestNotEmpty => format!("rest of {} is not empty", show(x)?),
        NoMatchKind::Guard => "guard clause does not return true".into(),
    };
    Ok(format!("{}: {rest}", show(v)?))
}

/// Does an exception match the classes of a rescue clause?
#[inline(never)]
pub fn rescue_match(vm: Vm, splat: bool, exc: Value, klass: Value) -> Ruby<bool> {
    if splat {
        let list = vm.splat(klass)?;
        let mut i = 0;
        while i < list.len() {
            if rescue_match(vm, false, exc, list.get(i))? {
                return Ok(true);
            }
            i += 1;
        }
        return Ok(false);
    }
    if klass.as_class().is_none() {
        return Err(vm.type_error("class or module required for rescue clause"));
    }
    super::case_eq(vm, false, klass, exc)
}
