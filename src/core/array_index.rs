//! `Array`: access by index, ranges and positions.

use super::array::{ary, copy, count, modify};
use crate::class;
use crate::heap::root::keep;
use crate::object::{Ary, RArray, RRange, Range};
use crate::value::{NIL, Ruby, TRUE, Value};
use crate::vm::{Args, Vm};

class! { "Array" < "Object";
    ["[]", "slice"] opt(1, 2) => aref;
    ["[]="] opt(2, 3) => aset;
    ["at"] req(1) => at;
    ["fetch"] opt(1, 2) => fetch;
    ["fetch_values"] rest(0) => fetch_values;
    ["values_at"] rest(0) => values_at;
    ["dig"] rest(1) => dig;
    ["first"] opt(0, 1) => first;
    ["last"] opt(0, 1) => last;
    ["take"] req(1) => take;
    ["drop"] req(1) => drop;
    ["insert"] rest(1) => insert;
    ["delete_at"] req(1) => delete_at;
    ["slice!"] opt(1, 2) => slice_bang;
    ["fill"] opt(0, 3) => fill;
    private ["__set_len"] req(1) => set_len;
    private ["__put"] req(2) => put;
}

/// Defines this theme's methods.
pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}

/// Elements `at..at+len`, clipped; `None` when `at` lies outside.
fn sub(vm: Vm, a: Ary, at: i64, len: i64) -> Option<Ary> {
    let n = a.len() as i64;
    let at = if at < 0 { at + n } else { at };
    if at < 0 || at > n || len < 0 {
        return None;
    }
    let end = at.saturating_add(len).min(n);
    Some(RArray::from_slice(&vm, &a.slice()[at as usize..end as usize]))
}
fn or_nil(a: Option<Ary>) -> Value {
    a.map_or(NIL, |a| a.value())
}

fn aref(vm: Vm, this: Value, args: Args) -> Ruby {
    let a = ary(vm, this)?;
    let i = args.or_nil(0);
    if let Some(len) = args.get(1) {
        let (at, len) = (vm.to_i64(i)?, vm.to_i64(len)?);
        return Ok(or_nil(sub(vm, a, at, len)));
    }
    if i.is_fixnum() {
        return Ok(a.get_signed(i.fix()));
    }
    if let Some(r) = i.as_range() {
        return Ok(match vm.range_span(r, a.len(), false, true)? {
            Some((at, len)) => or_nil(sub(vm, a, at as i64, len as i64)),
            None => NIL,
        });
    }
    if let Some(seq) = vm.arith_seq_range(i) {
        return aref_seq(vm, a, i, seq);
    }
    Ok(a.get_signed(vm.to_i64(i)?))
}
/// `a[(first..last) % step]`. With a step beyond 1 or -1 a range outside of the array is an error.
fn aref_seq(vm: Vm, a: Ary, index: Value, (range, step): (Range, Value)) -> Ruby {
    let step = vm.to_i64(step)?;
    let n = a.len();
    let (lo, hi) = (range.lo.get(), range.hi.get());
    // A negative step walks the same range from its other end.
    let walked = if step >= 0 {
        RRange::new(&vm, lo, hi, range.exclusive.get())
    } else if range.exclusive.get() && !hi.is_nil() {
        RRange::new(&vm, vm.int(vm.to_i64(hi)?.saturating_add(1)), lo, false)
    } else {
        RRange::new(&vm, hi, lo, false)
    };
    let strict = !(-1..=1).contains(&step);
    let span = vm.range_span(walked, n, false, !strict)?;
    let (at, len) = match span {
        Some((at, len)) if !strict || at <= n && len <= n => (at, len.min(n - at)),
        _ if strict => {
            let text = vm.inspect(index)?;
            return Err(vm.range_error(&format!("{} out of range", text.text())));
        }
        _ => return Ok(NIL),
    };
    if step == 0 {
        return Err(vm.arg_error("slice step cannot be zero"));
    }
    let by = step.unsigned_abs() as usize;
    let out = RArray::new(&vm, 0);
    let mut k = 0usize;
    while k < len {
        out.push(&vm, a.get(if step < 0 { at + len - 1 - k } else { at + k }));
        k = k.saturating_add(by);
    }
    Ok(out.value())
}

/// Puts `v` at `i`, filling the gap with nil.
pub fn store(vm: Vm, a: Ary, i: i64, v: Value) -> Ruby<()> {
    let n = a.len() as i64;
    let at = if i < 0 { i + n } else { i };
    if at < 0 {
        return Err(vm.index_error(&format!("index {i} too small for array; minimum: -{n}")));
    }
    if at < n {
        a.set(at as usize, v);
        return Ok(());
    }
    check_index(vm, at)?;
    if at > n {
        a.resize(&vm, at as usize);
    }
    a.push(&vm, v);
    Ok(())
}
fn check_index(vm: Vm, at: i64) -> Ruby<()> {
    if at as u64 >= crate::object::MAX_LEN as u64 {
        return Err(vm.index_error(&format!("index {at} too big")));
    }
    super::array::check_len(vm, at).map(|_| ())
}
/// Replaces `at..at+len` by `with`.
pub fn splice(vm: Vm, a: Ary, at: i64, len: i64, with: &[Value]) -> Ruby<()> {
    let n = a.len() as i64;
    if len < 0 {
        return Err(vm.index_error(&format!("negative length ({len})")));
    }
    let pos = if at < 0 { at + n } else { at };
    if pos < 0 {
        return Err(vm.index_error(&format!("index {at} too small for array; minimum: -{n}")));
    }
    check_index(vm, pos)?;
    if pos >= n {
        a.resize(&vm, pos as usize);
        a.insert_slice(&vm, pos as usize, with);
        return Ok(());
    }
    let len = len.min(n - pos);
    let same = (with.len() as i64).min(len);
    for i in 0..same {
        a.set((pos + i) as usize, with[i as usize]);
    }
    if len > same {
        a.remove_range((pos + same) as usize, (len - same) as usize);
    } else if with.len() as i64 > same {
        a.insert_slice(&vm, (pos + same) as usize, &with[same as usize..]);
    }
    Ok(())
}
/// The right side of `a[x, y] = v`: an Array's elements, or the value itself. Always a copy.
fn rhs(vm: Vm, v: Value) -> Ruby<Ary> {
    Ok(match vm.check_ary(v)? {
        Some(a) => copy(vm, a),
        None => RArray::from_slice(&vm, &[v]),
    })
}
fn aset(vm: Vm, this: Value, args: Args) -> Ruby {
    let a = modify(vm, this)?;
    let i = args.or_nil(0);
    if let Some(v) = args.get(2) {
        let (at, len) = (vm.to_i64(i)?, vm.to_i64(args.or_nil(1))?);
        let with = rhs(vm, v)?;
        splice(vm, a, at, len, with.slice())?;
        keep(with.value());
        return Ok(v);
    }
    let v = args.or_nil(1);
    if let Some(r) = i.as_range() {
        if let Some((at, len)) = vm.range_span(r, a.len(), true, false)? {
            let with = rhs(vm, v)?;
            splice(vm, a, at as i64, len as i64, with.slice())?;
            keep(with.value());
        }
        return Ok(v);
    }
    store(vm, a, vm.to_i64(i)?, v)?;
    Ok(v)
}
fn at(vm: Vm, this: Value, args: Args) -> Ruby {
    let i = vm.to_i64(args.or_nil(0))?;
    Ok(ary(vm, this)?.get_signed(i))
}
fn fetch(vm: Vm, this: Value, args: Args) -> Ruby {
    let key = args.or_nil(0);
    let i = vm.to_i64(key)?;
    let a = ary(vm, this)?;
    let n = a.len() as i64;
    let at = if i < 0 { i.saturating_add(n) } else { i };
    if at >= 0 && at < n {
        return Ok(a.get(at as usize));
    }
    if let Some(b) = args.block() {
        if args.len() > 1 {
            vm.warn_here("block supersedes default value argument")?;
        }
        return vm.yield1(b, key);
    }
    match args.get(1) {
        Some(v) => Ok(v),
        None => Err(vm.index_error(&format!("index {i} outside of array bounds: {}...{n}", -n))),
    }
}
fn fetch_values(vm: Vm, this: Value, args: Args) -> Ruby {
    let out = RArray::new(&vm, args.len());
    let a = ary(vm, this)?;
    for &k in args.slice() {
        let i = vm.to_i64(k)?;
        let n = a.len() as i64;
        let at = if i < 0 { i.saturating_add(n) } else { i };
        let v = if at >= 0 && at < n {
            a.get(at as usize)
        } else if let Some(b) = args.block() {
            vm.yield1(b, k)?
        } else {
            return Err(vm.index_error(&format!("index {i} outside of array bounds: {}...{n}", -n)));
        };
        out.push(&vm, v);
    }
    Ok(out.value())
}
fn values_at(vm: Vm, this: Value, args: Args) -> Ruby {
    let a = ary(vm, this)?;
    let out = RArray::new(&vm, args.len());
    for &k in args.slice() {
        if let Some(r) = k.as_range() {
            if let Some((at, len)) = vm.range_span(r, a.len(), true, false)? {
                super::array::check_len(vm, len.min(i64::MAX as usize) as i64)?;
                for i in at..at.saturating_add(len) {
                    out.push(&vm, a.get(i));
                }
            }
        } else {
            out.push(&vm, a.get_signed(vm.to_i64(k)?));
        }
    }
    Ok(out.value())
}
fn dig(vm: Vm, this: Value, args: Args) -> Ruby {
    let v = ary(vm, this)?.get_signed(vm.to_i64(args.or_nil(0))?);
    vm.dig_on(v, &args.slice()[1..])
}
fn first(vm: Vm, this: Value, args: Args) -> Ruby {
    let a = ary(vm, this)?;
    match args.get(0) {
        None => Ok(a.get(0)),
        Some(n) => {
            let n = count(vm, n)?.min(a.len());
            Ok(RArray::from_slice(&vm, &a.slice()[..n]).value())
        }
    }
}
fn last(vm: Vm, this: Value, args: Args) -> Ruby {
    let a = ary(vm, this)?;
    match args.get(0) {
        None => Ok(a.last()),
        Some(n) => {
            let n = count(vm, n)?.min(a.len());
            Ok(RArray::from_slice(&vm, &a.slice()[a.len() - n..]).value())
        }
    }
}
fn take(vm: Vm, this: Value, args: Args) -> Ruby {
    let n = vm.to_i64(args.or_nil(0))?;
    if n < 0 {
        return Err(vm.arg_error("attempt to take negative size"));
    }
    let a = ary(vm, this)?;
    Ok(RArray::from_slice(&vm, &a.slice()[..(n as usize).min(a.len())]).value())
}
fn drop(vm: Vm, this: Value, args: Args) -> Ruby {
    let n = vm.to_i64(args.or_nil(0))?;
    if n < 0 {
        return Err(vm.arg_error("attempt to drop negative size"));
    }
    let a = ary(vm, this)?;
    Ok(RArray::from_slice(&vm, &a.slice()[(n as usize).min(a.len())..]).value())
}
fn insert(vm: Vm, this: Value, args: Args) -> Ruby {
    let a = modify(vm, this)?;
    let i = vm.to_i64(args.or_nil(0))?;
    if args.len() == 1 {
        return Ok(this);
    }
    let n = a.len() as i64;
    let at = if i < 0 { i + n + 1 } else { i };
    if at < 0 {
        return Err(vm.index_error(&format!("index {i} too small for array; minimum: -{}", n + 1)));
    }
    splice(vm, a, at, 0, &args.slice()[1..])?;
    Ok(this)
}
/// Removes and returns element `i` (from the end when negative).
fn remove_at(a: Ary, i: i64) -> Value {
    let n = a.len() as i64;
    let at = if i < 0 { i.saturating_add(n) } else { i };
    if at < 0 || at >= n { NIL } else { a.remove(at as usize) }
}
fn delete_at(vm: Vm, this: Value, args: Args) -> Ruby {
    let a = modify(vm, this)?;
    Ok(remove_at(a, vm.to_i64(args.or_nil(0))?))
}
fn slice_bang(vm: Vm, this: Value, args: Args) -> Ruby {
    let a = modify(vm, this)?;
    let i = args.or_nil(0);
    let (at, len) = if let Some(len) = args.get(1) {
        (vm.to_i64(i)?, vm.to_i64(len)?)
    } else if let Some(r) = i.as_range() {
        match vm.range_span(r, a.len(), false, true)? {
            Some((at, len)) => (at as i64, len as i64),
            None => return Ok(NIL),
        }
    } else {
        return Ok(remove_at(a, vm.to_i64(i)?));
    };
    let Some(out) = sub(vm, a, at, len) else { return Ok(NIL) };
    let at = if at < 0 { at + a.len() as i64 } else { at } as usize;
    a.remove_range(at, out.len());
    Ok(out.value())
}
/// `fill(value)`, `fill(value, start, len)`, `fill(value, range)`, and the same with a block for the value.
fn fill(vm: Vm, this: Value, args: Args) -> Ruby {
    let a = modify(vm, this)?;
    let skip = args.block().is_none() as usize;
    if args.len() < skip || args.len() > 2 + skip {
        return Err(vm.wrong_arguments(args.len(), skip, 2 + skip as i64));
    }
    let (start, len) = (args.or_nil(skip), args.or_nil(skip + 1));
    let n = a.len() as i64;
    let (at, end) = if let (Some(r), true) = (start.as_range(), args.len() < 2 + skip) {
        match vm.range_span(r, a.len(), true, false)? {
            Some((at, len)) => (at as i64, at.saturating_add(len) as i64),
            None => return Ok(this),
        }
    } else {
        let at = if start.is_nil() { 0 } else { vm.to_i64(start)? };
        let at = if at < 0 { (at + n).max(0) } else { at };
        if len.is_nil() {
            (at, n)
        } else {
            let len = vm.to_i64(len)?;
            if len <= 0 {
                return Ok(this);
            }
            match at.checked_add(len) {
                Some(e) if (e as u64) < crate::object::MAX_LEN as u64 => (at, e),
                _ => return Err(vm.arg_error("argument too big")),
            }
        }
    };
    if end <= at {
        return Ok(this);
    }
    super::array::check_len(vm, end)?;
    if end > n {
        a.resize(&vm, end as usize);
    }
    for i in at..end {
        let v = match args.block() {
            Some(b) => vm.yield1(b, Value::fixnum(i))?,
            None => args.or_nil(0),
        };
        store(vm, a, i, v)?;
    }
    Ok(this)
}
/// For prelude loops that compact in place: shortens the array.
fn set_len(vm: Vm, this: Value, args: Args) -> Ruby {
    let n = vm.to_i64(args.or_nil(0))?;
    ary(vm, this)?.truncate(n.max(0) as usize);
    Ok(TRUE)
}
/// Replaces an element that is there.
fn put(vm: Vm, this: Value, args: Args) -> Ruby {
    let a = modify(vm, this)?;
    let i = vm.to_i64(args.or_nil(0))?;
    if i >= 0 && (i as usize) < a.len() {
        a.set(i as usize, args.or_nil(1));
    }
    Ok(NIL)
}

impl Vm {
    /// `v.dig(*rest)`, nil when `v` is; TypeError "Integer does not have #dig method".
    pub fn dig_on(self, v: Value, rest: &[Value]) -> Ruby {
        if rest.is_empty() || v.is_nil() {
            return Ok(v);
        }
        let name = self.intern("dig");
        if !self.responds_to(v, name, false)? {
            let class = self.class_name(self.real_class_of(v));
            return Err(self.type_error(&format!("{class} does not have #dig method")));
        }
        self.send(v, name, rest)
    }
}
