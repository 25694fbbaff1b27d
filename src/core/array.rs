//! `Array`: construction, conversion, comparison and the ends of the list. Other themes have files of their own:
//! `array_index`, `array_sort`, `array_set`, `array_combine`; iterators are Ruby, in `prelude/array.rb`.

use super::inspect::Text;
use crate::class;
use crate::heap::root::keep;
use crate::object::{Ary, RArray, RHash, RString, sym};
use crate::value::{FALSE, NIL, Ruby, TRUE, Value};
use crate::vm::{Args, Vm};

class! { "Array" < "Object";
    self ["[]"] rest(0) => s_create;
    self ["try_convert"] req(1) => s_try_convert;
    ["initialize"] opt(0, 2) => initialize;
    ["initialize_copy"] req(1) => replace;
    ["replace"] req(1) => replace;
    ["length", "size"] req(0) => length;
    ["empty?"] req(0) => is_empty;
    ["push", "append"] rest(0) => push;
    ["<<"] req(1) => push_one;
    ["pop"] opt(0, 1) => pop;
    ["shift"] opt(0, 1) => shift;
    ["unshift", "prepend"] rest(0) => unshift;
    ["concat"] rest(0) => concat;
    ["+"] req(1) => plus;
    ["*"] req(1) => times;
    ["clear"] req(0) => clear;
    ["reverse"] req(0) => reverse;
    ["reverse!"] req(0) => reverse_bang;
    ["rotate"] opt(0, 1) => rotate;
    ["rotate!"] opt(0, 1) => rotate_bang;
    ["inspect", "to_s"] req(0) => inspect;
    ["join"] opt(0, 1) => join;
    ["to_a"] req(0) => to_a;
    ["entries"] req(0) => entries;
    ["to_ary", "deconstruct"] req(0) => to_ary;
    ["to_h"] req(0) => to_h;
    ["=="] req(1) => equal;
    ["eql?"] req(1) => eql;
    ["<=>"] req(1) => compare;
    ["hash"] req(0) => hash;
    ["frozen?"] req(0) => is_frozen;
    ["freeze"] req(0) => freeze;
}

/// Defines Array and its themes.
pub fn boot(vm: Vm) {
    let c = vm.define_table(&CLASS);
    vm.set_allocator(c, |vm, class| Ok(RArray::with_class(&vm, class, 0).value()));
    super::array_index::boot(vm);
    super::array_sort::boot(vm);
    super::array_set::boot(vm);
    super::array_combine::boot(vm);
}

/// The receiver as an array.
#[inline]
pub fn ary(vm: Vm, this: Value) -> Ruby<Ary> {
    match this.as_array() {
        Some(a) => Ok(a),
        None => Err(vm.type_error("not an Array")),
    }
}
/// The receiver as an array that may be changed.
#[inline]
pub fn modify(vm: Vm, this: Value) -> Ruby<Ary> {
    vm.check_frozen(this)?;
    ary(vm, this)
}
/// Longest array we try to allocate at once.
const MAX_ALLOC: i64 = 1 << 29;

/// A length from Ruby: ArgumentError for negative or absurd ones, NoMemoryError for those beyond any memory.
pub fn check_len(vm: Vm, n: i64) -> Ruby<usize> {
    if n < 0 {
        return Err(vm.arg_error("negative array size"));
    }
    if n as u64 > crate::object::MAX_LEN as u64 {
        return Err(vm.arg_error("array size too big"));
    }
    if n > MAX_ALLOC {
        return Err(vm.raise(vm.classes.no_memory_error.get(), "failed to allocate memory"));
    }
    Ok(n as usize)
}
/// A copy, a plain Array whatever the class.
pub fn copy(vm: Vm, a: Ary) -> Ary {
    let out = RArray::from_slice(&vm, a.slice());
    keep(a.value());
    out
}
/// Makes `a` have the elements of `from`, which may be kept alive by the caller's local alone.
pub fn become_copy(vm: Vm, a: Ary, from: Ary) {
    a.replace(&vm, from.slice());
    keep(from.value());
}
/// A count argument: ArgumentError "negative array size" when below zero.
pub fn count(vm: Vm, v: Value) -> Ruby<usize> {
    let n = vm.to_i64(v)?;
    if n < 0 { Err(vm.arg_error("negative array size")) } else { Ok(n as usize) }
}

fn s_create(vm: Vm, this: Value, args: Args) -> Ruby {
    let Some(class) = this.as_class() else { return Err(vm.type_error("not a class")) };
    let a = RArray::with_class(&vm, class, args.len());
    a.replace(&vm, args.slice());
    Ok(a.value())
}
fn s_try_convert(vm: Vm, _this: Value, args: Args) -> Ruby {
    Ok(vm.check_ary(args.or_nil(0))?.map_or(NIL, |a| a.value()))
}
/// `Array.new`, `Array.new(list)`, `Array.new(n, value)`, `Array.new(n) { |i| ... }`.
fn initialize(vm: Vm, this: Value, args: Args) -> Ruby {
    let a = modify(vm, this)?;
    if args.is_empty() {
        a.truncate(0);
        return Ok(this);
    }
    let first = args.or_nil(0);
    if args.len() == 1
        && !first.is_fixnum()
        && let Some(from) = vm.check_ary(first)?
    {
        become_copy(vm, a, from);
        return Ok(this);
    }
    let n = check_len(vm, vm.to_i64(first)?)?;
    a.truncate(0);
    match args.block() {
        None => {
            a.reserve(&vm, n);
            let v = args.or_nil(1);
            for _ in 0..n {
                a.push(&vm, v);
            }
        }
        Some(b) => {
            if args.len() > 1 {
                vm.warn_here("block supersedes default value argument")?;
            }
            for i in 0..n {
                let v = vm.yield1(b, Value::fixnum(i as i64))?;
                a.push(&vm, v);
            }
        }
    }
    Ok(this)
}
fn replace(vm: Vm, this: Value, args: Args) -> Ruby {
    let a = modify(vm, this)?;
    let from = vm.to_ary(args.or_nil(0))?;
    if from != a {
        become_copy(vm, a, from);
    }
    Ok(this)
}
fn length(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(Value::fixnum(ary(vm, this)?.len() as i64))
}
fn is_empty(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(Value::bool(ary(vm, this)?.is_empty()))
}
fn push(vm: Vm, this: Value, args: Args) -> Ruby {
    let a = modify(vm, this)?;
    for &v in args.slice() {
        a.push(&vm, v);
    }
    Ok(this)
}
fn push_one(vm: Vm, this: Value, args: Args) -> Ruby {
    modify(vm, this)?.push(&vm, args.or_nil(0));
    Ok(this)
}
fn pop(vm: Vm, this: Value, args: Args) -> Ruby {
    let a = modify(vm, this)?;
    let Some(n) = args.get(0) else { return Ok(a.pop().unwrap_or(NIL)) };
    let n = count(vm, n)?.min(a.len());
    let out = RArray::from_slice(&vm, &a.slice()[a.len() - n..]);
    a.truncate(a.len() - n);
    Ok(out.value())
}
fn shift(vm: Vm, this: Value, args: Args) -> Ruby {
    let a = modify(vm, this)?;
    let Some(n) = args.get(0) else { return Ok(a.shift().unwrap_or(NIL)) };
    let n = count(vm, n)?.min(a.len());
    let out = RArray::from_slice(&vm, &a.slice()[..n]);
    a.remove_range(0, n);
    Ok(out.value())
}
fn unshift(vm: Vm, this: Value, args: Args) -> Ruby {
    let a = modify(vm, this)?;
    a.insert_slice(&vm, 0, args.slice());
    Ok(this)
}
fn concat(vm: Vm, this: Value, args: Args) -> Ruby {
    let a = modify(vm, this)?;
    let all = RArray::new(&vm, 0);
    for &v in args.slice() {
        let from = vm.to_ary(v)?;
        append(vm, all, from);
    }
    append(vm, a, all);
    Ok(this)
}
/// Appends all elements of `from`, which may be `a` itself.
pub fn append(vm: Vm, a: Ary, from: Ary) {
    let n = from.len();
    a.reserve(&vm, a.len() + n);
    for i in 0..n {
        a.push(&vm, from.get(i));
    }
}
fn plus(vm: Vm, this: Value, args: Args) -> Ruby {
    let a = ary(vm, this)?;
    let b = vm.to_ary(args.or_nil(0))?;
    let out = RArray::new(&vm, a.len() + b.len());
    append(vm, out, a);
    append(vm, out, b);
    Ok(out.value())
}
fn times(vm: Vm, this: Value, args: Args) -> Ruby {
    let a = ary(vm, this)?;
    let by = args.or_nil(0);
    if let Some(sep) = vm.check_str(by)? {
        return join_with(vm, a, sep.value());
    }
    let n = vm.to_i64(by)?;
    if n < 0 {
        return Err(vm.arg_error("negative argument"));
    }
    let total = (a.len() as i64).checked_mul(n).filter(|&t| t as u64 <= crate::object::MAX_LEN as u64);
    let Some(total) = total else { return Err(vm.arg_error("argument too big")) };
    let out = RArray::new(&vm, check_len(vm, total)?);
    for _ in 0..n.min(total) {
        append(vm, out, a);
    }
    Ok(out.value())
}
fn clear(vm: Vm, this: Value, _: Args) -> Ruby {
    modify(vm, this)?.clear(&vm.heap);
    Ok(this)
}
fn reverse(vm: Vm, this: Value, _: Args) -> Ruby {
    let out = copy(vm, ary(vm, this)?);
    out.reverse();
    Ok(out.value())
}
fn reverse_bang(vm: Vm, this: Value, _: Args) -> Ruby {
    modify(vm, this)?.reverse();
    Ok(this)
}
fn rotated(vm: Vm, a: Ary, args: Args) -> Ruby<Ary> {
    let by = match args.get(0) {
        Some(n) => vm.to_i64(n)?,
        None => 1,
    };
    let n = a.len();
    let out = RArray::new(&vm, n);
    if n > 0 {
        let start = by.rem_euclid(n as i64) as usize;
        for i in 0..n {
            out.push(&vm, a.get((start + i) % n));
        }
    }
    Ok(out)
}
fn rotate(vm: Vm, this: Value, args: Args) -> Ruby {
    Ok(rotated(vm, ary(vm, this)?, args)?.value())
}
fn rotate_bang(vm: Vm, this: Value, args: Args) -> Ruby {
    let a = modify(vm, this)?;
    let out = rotated(vm, a, args)?;
    become_copy(vm, a, out);
    Ok(this)
}

/// `[1, "two", :three]`; `[...]` for an array inside itself.
fn inspect(vm: Vm, this: Value, _: Args) -> Ruby {
    let a = ary(vm, this)?;
    if a.is_empty() {
        return Ok(RString::ascii(&vm, "[]").value());
    }
    let done = vm.guard_recursion(this, NIL, sym::INSPECT, || {
        let mut out = Text::new("[");
        let mut i = 0;
        while i < a.len() {
            if i > 0 {
                out.raw(", ");
            }
            out.inspect(vm, a.get(i))?;
            i += 1;
        }
        out.raw("]");
        Ok(out.finish(vm))
    })?;
    Ok(done.unwrap_or_else(|| RString::ascii(&vm, "[...]").value()))
}

fn join(vm: Vm, this: Value, args: Args) -> Ruby {
    let sep = args.or_nil(0);
    join_with(vm, ary(vm, this)?, sep)
}
/// `a.join(sep)`; nil stands for `$,`.
pub fn join_with(vm: Vm, a: Ary, sep: Value) -> Ruby {
    if a.is_empty() {
        return Ok(RString::ascii(&vm, "").value());
    }
    let sep = if sep.is_nil() { vm.gvar_value("$,") } else { sep };
    let sep = if sep.is_nil() { NIL } else { vm.to_str(sep)?.value() };
    let mut out = Text::new("");
    let mut first = true;
    join_into(vm, a, sep, &mut out, &mut first)?;
    Ok(out.finish(vm))
}
fn join_into(vm: Vm, a: Ary, sep: Value, out: &mut Text, first: &mut bool) -> Ruby<()> {
    let name = vm.intern("join");
    let done = vm.guard_recursion(a.value(), NIL, name, || {
        let mut i = 0;
        while i < a.len() {
            let v = a.get(i);
            i += 1;
            if let Some(inner) = v.as_array() {
                // An empty list still takes its place between separators.
                if inner.is_empty() {
                    separate(vm, sep, out, first)?;
                }
                join_into(vm, inner, sep, out, first)?;
                continue;
            }
            let text = match vm.check_str(v)? {
                Some(s) => s,
                None => match vm.check_ary(v)? {
                    Some(inner) => {
                        join_into(vm, inner, sep, out, first)?;
                        continue;
                    }
                    None => vm.to_s(v)?,
                },
            };
            let was_first = *first;
            separate(vm, sep, out, first)?;
            if was_first && text.enc() != crate::object::Enc::Ascii {
                out.adopt(text.enc());
            }
            out.push(vm, text)?;
        }
        Ok(())
    })?;
    if done.is_none() { Err(vm.arg_error("recursive array join")) } else { Ok(()) }
}
fn separate(vm: Vm, sep: Value, out: &mut Text, first: &mut bool) -> Ruby<()> {
    if !std::mem::replace(first, false)
        && let Some(s) = sep.as_str()
    {
        out.push(vm, s)?;
    }
    Ok(())
}

fn to_a(vm: Vm, this: Value, _: Args) -> Ruby {
    let a = ary(vm, this)?;
    if vm.real_class_of(this) == vm.classes.array.get() { Ok(this) } else { Ok(copy(vm, a).value()) }
}
fn entries(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(copy(vm, ary(vm, this)?).value())
}
fn to_ary(_: Vm, this: Value, _: Args) -> Ruby {
    Ok(this)
}
fn to_h(vm: Vm, this: Value, args: Args) -> Ruby {
    let a = ary(vm, this)?;
    let h = RHash::new(&vm);
    let mut i = 0;
    while i < a.len() {
        let mut v = a.get(i);
        if let Some(b) = args.block() {
            v = vm.yield1(b, v)?;
        }
        add_pair(vm, h, v, Some(i))?;
        i += 1;
    }
    Ok(h.value())
}
/// Adds a `[key, value]` pair made for element `at`, with the errors of `to_h`.
pub fn add_pair(vm: Vm, h: crate::object::Hsh, v: Value, at: Option<usize>) -> Ruby<()> {
    let Some(pair) = vm.check_ary(v)? else {
        let kind = vm.class_name(vm.real_class_of(v));
        return Err(vm.type_error(&match at {
            Some(i) => format!("wrong element type {kind} at {i} (expected array)"),
            None => format!("wrong element type {kind} (expected array)"),
        }));
    };
    if pair.len() != 2 {
        let n = pair.len();
        return Err(vm.arg_error(&match at {
            Some(i) => format!("wrong array length at {i} (expected 2, was {n})"),
            None => format!("element has wrong array length (expected 2, was {n})"),
        }));
    }
    super::hash::store(vm, h, pair.get(0), pair.get(1))
}

/// Element by element with `same`; a pair met again inside itself counts as equal.
fn all_same(vm: Vm, a: Ary, b: Ary, what: crate::value::Sym, same: fn(Vm, Value, Value) -> Ruby<bool>) -> Ruby<bool> {
    if a == b {
        return Ok(true);
    }
    if a.len() != b.len() {
        return Ok(false);
    }
    let done = vm.guard_recursion(a.value(), b.value(), what, || {
        let mut i = 0;
        while i < a.len() {
            if i >= b.len() || !same(vm, a.get(i), b.get(i))? {
                return Ok(false);
            }
            i += 1;
        }
        Ok(a.len() == b.len())
    })?;
    Ok(done.unwrap_or(true))
}
fn equal(vm: Vm, this: Value, args: Args) -> Ruby {
    let other = args.or_nil(0);
    let Some(b) = other.as_array() else {
        if other.is_ptr() && vm.responds_to(other, sym::TO_ARY, false)? {
            return Ok(Value::bool(vm.send(other, sym::EQ, &[this])?.truthy()));
        }
        return Ok(FALSE);
    };
    Ok(Value::bool(all_same(vm, ary(vm, this)?, b, sym::EQ, identical_or_eq)?))
}
/// Elements are equal when they are the same object, whatever `==` would say.
fn identical_or_eq(vm: Vm, a: Value, b: Value) -> Ruby<bool> {
    if a == b { Ok(true) } else { vm.eq(a, b) }
}
fn eql(vm: Vm, this: Value, args: Args) -> Ruby {
    match args.or_nil(0).as_array() {
        Some(b) => Ok(Value::bool(all_same(vm, ary(vm, this)?, b, sym::EQL, Vm::eql)?)),
        None => Ok(FALSE),
    }
}
fn compare(vm: Vm, this: Value, args: Args) -> Ruby {
    let a = ary(vm, this)?;
    let Some(b) = vm.check_ary(args.or_nil(0))? else { return Ok(NIL) };
    if a == b {
        return Ok(Value::fixnum(0));
    }
    let done = vm.guard_recursion(this, b.value(), sym::CMP, || {
        let mut i = 0;
        while i < a.len() && i < b.len() {
            let r = vm.send(a.get(i), sym::CMP, &[b.get(i)])?;
            if r != Value::fixnum(0) {
                return Ok(r);
            }
            i += 1;
        }
        Ok(Value::fixnum(a.len().cmp(&b.len()) as i64))
    })?;
    Ok(done.unwrap_or(NIL))
}
fn hash(vm: Vm, this: Value, _: Args) -> Ruby {
    let a = ary(vm, this)?;
    vm.container_hash(this, a.len() as u64, |mut h| {
        let mut i = 0;
        while i < a.len() {
            h = crate::vm::equal::mix(h.rotate_left(5) ^ vm.hash_of(a.get(i))?);
            i += 1;
        }
        Ok(h)
    })
}
fn is_frozen(_: Vm, this: Value, _: Args) -> Ruby {
    Ok(Value::bool(this.is_frozen()))
}
fn freeze(vm: Vm, this: Value, _: Args) -> Ruby {
    ary(vm, this)?.h.set(crate::heap::flags::FROZEN);
    Ok(this)
}

impl Vm {
    /// `hash` of a container. One that contains itself hashes to a constant from its outermost level, so that equal
    /// structures of different depth agree.
    pub fn container_hash(self, this: Value, seed: u64, f: impl FnOnce(u64) -> Ruby<u64>) -> Ruby {
        let outermost = !self.ec().recursion.borrow().iter().any(|r| r.2 == sym::HASH.0);
        let place = self.save_place();
        let r = self.guard_recursion(this, NIL, sym::HASH, || f(crate::vm::equal::mix(seed)));
        match r {
            Ok(Some(h)) => Ok(Value::fixnum(h as i64 >> 3)),
            Ok(None) => Err(self.throw(sym::HASH.into(), TRUE)),
            Err(_) if outermost && self.catch_throw(sym::HASH.into()).is_some() => {
                self.restore_place(place);
                Ok(Value::fixnum(0))
            }
            Err(r) => Err(r),
        }
    }
}
