//! `Array`: membership, set operations, flattening.

use super::array::{append, ary, become_copy, copy, modify};
use crate::class;
use crate::object::{Ary, Hsh, RArray, RHash, sym};
use crate::value::{FALSE, NIL, Ruby, TRUE, Value};
use crate::vm::{Args, Vm};

class! { "Array" < "Object";
    ["include?"] req(1) => include;
    ["delete"] req(1) => delete;
    ["compact"] req(0) => compact;
    ["compact!"] req(0) => compact_bang;
    ["flatten"] opt(0, 1) => flatten;
    ["flatten!"] opt(0, 1) => flatten_bang;
    ["uniq"] req(0) => uniq;
    ["uniq!"] req(0) => uniq_bang;
    ["-"] req(1) => minus;
    ["|"] req(1) => or;
    ["&"] req(1) => and;
    ["difference"] rest(0) => difference;
    ["union"] rest(0) => union;
    ["intersection"] rest(0) => intersection;
    ["intersect?"] req(1) => intersects;
    ["assoc"] req(1) => assoc;
    ["rassoc"] req(1) => rassoc;
    private ["__index"] req(1) => index;
    private ["__rindex"] req(1) => rindex;
    private ["__count"] req(1) => count;
}

/// Defines this theme's methods.
pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}

/// Lists up to this long are searched one by one with `eql?`, without hashing.
const SMALL: usize = 16;

/// Position of the first element `==` to `v`.
pub fn position(vm: Vm, a: Ary, v: Value) -> Ruby<Option<usize>> {
    let mut i = 0;
    while i < a.len() {
        if vm.eq(a.get(i), v)? {
            return Ok(Some(i));
        }
        i += 1;
    }
    Ok(None)
}
fn include(vm: Vm, this: Value, args: Args) -> Ruby {
    Ok(Value::bool(position(vm, ary(vm, this)?, args.or_nil(0))?.is_some()))
}
fn index(vm: Vm, this: Value, args: Args) -> Ruby {
    Ok(position(vm, ary(vm, this)?, args.or_nil(0))?.map_or(NIL, |i| Value::fixnum(i as i64)))
}
fn rindex(vm: Vm, this: Value, args: Args) -> Ruby {
    let a = ary(vm, this)?;
    let mut i = a.len();
    while i > 0 {
        i -= 1;
        if i < a.len() && vm.eq(a.get(i), args.or_nil(0))? {
            return Ok(Value::fixnum(i as i64));
        }
    }
    Ok(NIL)
}
fn count(vm: Vm, this: Value, args: Args) -> Ruby {
    let a = ary(vm, this)?;
    let (mut i, mut n) = (0, 0);
    while i < a.len() {
        n += vm.eq(a.get(i), args.or_nil(0))? as i64;
        i += 1;
    }
    Ok(Value::fixnum(n))
}
fn delete(vm: Vm, this: Value, args: Args) -> Ruby {
    let a = ary(vm, this)?;
    let v = args.or_nil(0);
    let (mut i, mut keep, mut found) = (0, 0, None);
    while i < a.len() {
        let e = a.get(i);
        if vm.eq(e, v)? {
            if found.is_none() {
                vm.check_frozen(this)?;
            }
            found = Some(e);
        } else {
            if keep != i && i < a.len() {
                a.set(keep, e);
            }
            keep += 1;
        }
        i += 1;
    }
    if let Some(found) = found {
        a.truncate(keep);
        return Ok(found);
    }
    match args.block() {
        Some(b) => vm.yield1(b, v),
        None => Ok(NIL),
    }
}
fn compacted(vm: Vm, a: Ary) -> Ary {
    let out = RArray::new(&vm, a.len());
    for i in 0..a.len() {
        if !a.get(i).is_nil() {
            out.push(&vm, a.get(i));
        }
    }
    out
}
fn compact(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(compacted(vm, ary(vm, this)?).value())
}
/// Replaces the contents by a shorter list; nil if nothing went.
fn shrink(vm: Vm, this: Value, a: Ary, out: Ary) -> Ruby {
    if out.len() == a.len() {
        return Ok(NIL);
    }
    vm.check_frozen(this)?;
    become_copy(vm, a, out);
    Ok(this)
}
fn compact_bang(vm: Vm, this: Value, _: Args) -> Ruby {
    let a = modify(vm, this)?;
    shrink(vm, this, a, compacted(vm, a))
}

/// Appends `a` to `out` with nested arrays laid flat down to `level` (negative: all); true if there were any.
pub fn flatten_into(vm: Vm, a: Ary, out: Ary, level: i64) -> Ruby<bool> {
    let name = vm.intern("flatten");
    let done = vm.guard_recursion(a.value(), NIL, name, || {
        let (mut i, mut any) = (0, false);
        while i < a.len() {
            let v = a.get(i);
            i += 1;
            match if level == 0 { None } else { vm.check_ary(v)? } {
                Some(inner) => {
                    any = true;
                    flatten_into(vm, inner, out, level - 1)?;
                }
                None => out.push(&vm, v),
            }
        }
        Ok(any)
    })?;
    done.ok_or_else(|| vm.arg_error("tried to flatten recursive array"))
}
fn level(vm: Vm, args: Args) -> Ruby<i64> {
    match args.or_nil(0) {
        NIL => Ok(-1),
        n => vm.to_i64(n),
    }
}
fn flatten(vm: Vm, this: Value, args: Args) -> Ruby {
    let a = ary(vm, this)?;
    let out = RArray::new(&vm, a.len());
    flatten_into(vm, a, out, level(vm, args)?)?;
    Ok(out.value())
}
fn flatten_bang(vm: Vm, this: Value, args: Args) -> Ruby {
    let a = modify(vm, this)?;
    let level = level(vm, args)?;
    if level == 0 {
        return Ok(NIL);
    }
    let out = RArray::new(&vm, a.len());
    if !flatten_into(vm, a, out, level)? {
        return Ok(NIL);
    }
    vm.check_frozen(this)?;
    become_copy(vm, a, out);
    Ok(this)
}

/// A set of the elements.
fn set_of(vm: Vm, a: Ary) -> Ruby<Hsh> {
    let h = RHash::new(&vm);
    let mut i = 0;
    while i < a.len() {
        h.set(&vm, &vm, a.get(i), TRUE)?;
        i += 1;
    }
    Ok(h)
}
fn includes_eql(vm: Vm, a: Ary, v: Value) -> Ruby<bool> {
    let mut i = 0;
    while i < a.len() {
        if vm.eql(v, a.get(i))? {
            return Ok(true);
        }
        i += 1;
    }
    Ok(false)
}
/// First of each group of equal elements (by the block's value if there is one).
fn unique(vm: Vm, a: Ary, args: Args) -> Ruby<Ary> {
    let (seen, out) = (RHash::new(&vm), RArray::new(&vm, 0));
    let mut i = 0;
    while i < a.len() {
        let v = a.get(i);
        let k = match args.block() {
            Some(b) => vm.yield1(b, v)?,
            None => v,
        };
        if seen.find(&vm, k)?.is_none() {
            seen.set(&vm, &vm, k, TRUE)?;
            out.push(&vm, v);
        }
        i += 1;
    }
    Ok(out)
}
fn uniq(vm: Vm, this: Value, args: Args) -> Ruby {
    Ok(unique(vm, ary(vm, this)?, args)?.value())
}
fn uniq_bang(vm: Vm, this: Value, args: Args) -> Ruby {
    let a = modify(vm, this)?;
    let out = unique(vm, a, args)?;
    shrink(vm, this, a, out)
}

/// The elements of `a` that are (`keep`) or are not in `b`.
fn filter(vm: Vm, a: Ary, b: Ary, keep: bool) -> Ruby<Ary> {
    let out = RArray::new(&vm, 0);
    let set = if b.len() > SMALL { Some(set_of(vm, b)?) } else { None };
    let mut i = 0;
    while i < a.len() {
        let v = a.get(i);
        let found = match set {
            Some(h) => h.find(&vm, v)?.is_some(),
            None => includes_eql(vm, b, v)?,
        };
        if found == keep {
            out.push(&vm, v);
        }
        i += 1;
    }
    Ok(out)
}
fn minus(vm: Vm, this: Value, args: Args) -> Ruby {
    let b = vm.to_ary(args.or_nil(0))?;
    Ok(filter(vm, ary(vm, this)?, b, false)?.value())
}
/// All arguments as arrays.
fn lists(vm: Vm, args: Args) -> Ruby<Ary> {
    let out = RArray::new(&vm, args.len());
    for &v in args.slice() {
        out.push(&vm, vm.to_ary(v)?.value());
    }
    Ok(out)
}
fn difference(vm: Vm, this: Value, args: Args) -> Ruby {
    let lists = lists(vm, args)?;
    let mut a = copy(vm, ary(vm, this)?);
    for i in 0..lists.len() {
        a = filter(vm, a, vm.to_ary(lists.get(i))?, false)?;
    }
    Ok(a.value())
}
/// `out` plus those of `a` not in it yet.
fn add_new(vm: Vm, out: Ary, seen: Option<Hsh>, a: Ary) -> Ruby<()> {
    let mut i = 0;
    while i < a.len() {
        let v = a.get(i);
        let new = match seen {
            Some(h) => {
                let new = h.find(&vm, v)?.is_none();
                if new {
                    h.set(&vm, &vm, v, TRUE)?;
                }
                new
            }
            None => !includes_eql(vm, out, v)?,
        };
        if new {
            out.push(&vm, v);
        }
        i += 1;
    }
    Ok(())
}
fn or(vm: Vm, this: Value, args: Args) -> Ruby {
    let (a, b) = (ary(vm, this)?, vm.to_ary(args.or_nil(0))?);
    let out = RArray::new(&vm, a.len() + b.len());
    let seen = (a.len() + b.len() > SMALL).then(|| RHash::new(&vm));
    add_new(vm, out, seen, a)?;
    add_new(vm, out, seen, b)?;
    Ok(out.value())
}
fn union(vm: Vm, this: Value, args: Args) -> Ruby {
    let lists = lists(vm, args)?;
    let all = copy(vm, ary(vm, this)?);
    for i in 0..lists.len() {
        append(vm, all, vm.to_ary(lists.get(i))?);
    }
    let out = RArray::new(&vm, all.len());
    let seen = (all.len() > SMALL).then(|| RHash::new(&vm));
    add_new(vm, out, seen, all)?;
    Ok(out.value())
}
fn common(vm: Vm, a: Ary, b: Ary) -> Ruby<Ary> {
    let both = filter(vm, a, b, true)?;
    let out = RArray::new(&vm, both.len());
    let seen = (b.len() > SMALL).then(|| RHash::new(&vm));
    add_new(vm, out, seen, both)?;
    Ok(out)
}
fn and(vm: Vm, this: Value, args: Args) -> Ruby {
    let b = vm.to_ary(args.or_nil(0))?;
    Ok(common(vm, ary(vm, this)?, b)?.value())
}
fn intersection(vm: Vm, this: Value, args: Args) -> Ruby {
    let lists = lists(vm, args)?;
    let mut a = ary(vm, this)?;
    if lists.is_empty() {
        let out = RArray::new(&vm, a.len());
        add_new(vm, out, Some(RHash::new(&vm)), a)?;
        return Ok(out.value());
    }
    for i in 0..lists.len() {
        a = common(vm, a, vm.to_ary(lists.get(i))?)?;
    }
    Ok(a.value())
}
fn intersects(vm: Vm, this: Value, args: Args) -> Ruby {
    let (a, b) = (ary(vm, this)?, vm.to_ary(args.or_nil(0))?);
    if a.is_empty() || b.is_empty() {
        return Ok(FALSE);
    }
    Ok(Value::bool(!filter(vm, a, b, true)?.is_empty()))
}
fn find_pair(vm: Vm, this: Value, at: usize, want: Value) -> Ruby {
    let a = ary(vm, this)?;
    let mut i = 0;
    while i < a.len() {
        if let Some(pair) = vm.check_ary(a.get(i))?
            && pair.len() > at
            && vm.eq(pair.get(at), want)?
        {
            return Ok(pair.value());
        }
        i += 1;
    }
    Ok(NIL)
}
fn assoc(vm: Vm, this: Value, args: Args) -> Ruby {
    find_pair(vm, this, 0, args.or_nil(0))
}
fn rassoc(vm: Vm, this: Value, args: Args) -> Ruby {
    find_pair(vm, this, 1, args.or_nil(0))
}

/// What `sym::EACH` gives, as an Array: for arguments that may be any Enumerable.
pub fn collect(vm: Vm, v: Value) -> Ruby<Ary> {
    if let Some(a) = vm.check_ary(v)? {
        return Ok(a);
    }
    let out = RArray::new(&vm, 0);
    vm.iterate(v, sym::EACH, &[], &mut |vs| {
        out.push(&vm, super::enumerable::pack(vm, vs));
        Ok(true)
    })?;
    Ok(out)
}
