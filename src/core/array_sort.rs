//! `Array`: order. Sorting, extremes, sums, and their opposite, shuffling.

use super::array::{ary, become_copy, copy, count, modify};
use crate::class;
use crate::object::{Ary, RArray, sym};
use crate::value::{NIL, Ruby, Value};
use crate::vm::{Args, Block, Vm};
use num_bigint::BigInt;
use std::cmp::Ordering;

class! { "Array" < "Object";
    ["sort"] req(0) => sort;
    ["sort!"] req(0) => sort_bang;
    private ["__sort_by"] req(1) => sort_by;
    ["min"] opt(0, 1) => min;
    ["max"] opt(0, 1) => max;
    ["minmax"] req(0) => minmax;
    ["sum"] opt(0, 1) => sum;
    ["shuffle"] kw(0, 0) => shuffle;
    ["shuffle!"] kw(0, 0) => shuffle_bang;
    ["sample"] kw(0, 1) => sample;
}

/// Defines this theme's methods.
pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}

/// Merge sort of the numbers `0..n` by a comparison that may raise. Equal ones keep their order. The comparison may
/// be inconsistent: the result is then some permutation.
fn sort_indices(n: usize, less_eq: &mut dyn FnMut(u32, u32) -> Ruby<bool>) -> Ruby<Vec<u32>> {
    let mut from: Vec<u32> = (0..n as u32).collect();
    const RUN: usize = 6;
    for start in (0..n).step_by(RUN) {
        for i in start + 1..(start + RUN).min(n) {
            let x = from[i];
            let mut j = i;
            while j > start && !less_eq(from[j - 1], x)? {
                from[j] = from[j - 1];
                j -= 1;
            }
            from[j] = x;
        }
    }
    let mut to = vec![0; n];
    let mut width = RUN;
    while width < n {
        let mut start = 0;
        while start < n {
            let (mid, end) = ((start + width).min(n), (start + 2 * width).min(n));
            let (mut i, mut j) = (start, mid);
            if mid < end && less_eq(from[mid - 1], from[mid])? {
                // In order already.
                to[start..end].copy_from_slice(&from[start..end]);
            } else {
                for slot in &mut to[start..end] {
                    let left = i < mid && (j >= end || less_eq(from[i], from[j])?);
                    let k = if left { &mut i } else { &mut j };
                    *slot = from[*k];
                    *k += 1;
                }
            }
            start = end;
        }
        std::mem::swap(&mut from, &mut to);
        width *= 2;
    }
    Ok(from)
}

/// The order in which `keys` are sorted, by `<=>` or a comparison block.
fn order(vm: Vm, keys: Ary, block: Option<Block>) -> Ruby<Vec<u32>> {
    let n = keys.len();
    if let Some(b) = block {
        return sort_indices(n, &mut |i, j| {
            let (x, y) = (keys.get(i as usize), keys.get(j as usize));
            let r = vm.yield_values(b, &[x, y])?;
            Ok(vm.ordering(r, x, y)? != Ordering::Greater)
        });
    }
    if vm.redefined.get() == 0 && keys.slice().iter().all(|v| v.is_fixnum()) {
        let mut at: Vec<(i64, u32)> = keys.slice().iter().enumerate().map(|(i, v)| (v.fix(), i as u32)).collect();
        at.sort_unstable();
        return Ok(at.into_iter().map(|(_, i)| i).collect());
    }
    sort_indices(n, &mut |i, j| Ok(vm.compare(keys.get(i as usize), keys.get(j as usize))? != Ordering::Greater))
}

/// A sorted copy.
pub fn sorted(vm: Vm, a: Ary, block: Option<Block>) -> Ruby<Ary> {
    let keys = copy(vm, a);
    if keys.len() < 2 {
        return Ok(keys);
    }
    if block.is_none() && vm.redefined.get() == 0 && keys.slice().iter().all(|v| v.is_fixnum()) {
        let mut ns: Vec<i64> = keys.slice().iter().map(|v| v.fix()).collect();
        ns.sort_unstable();
        for (i, n) in ns.into_iter().enumerate() {
            keys.set(i, Value::fixnum(n));
        }
        return Ok(keys);
    }
    let order = order(vm, keys, block)?;
    let out = RArray::new(&vm, keys.len());
    for i in order {
        out.push(&vm, keys.get(i as usize));
    }
    Ok(out)
}
fn sort(vm: Vm, this: Value, args: Args) -> Ruby {
    Ok(sorted(vm, ary(vm, this)?, args.block())?.value())
}
fn sort_bang(vm: Vm, this: Value, args: Args) -> Ruby {
    let a = modify(vm, this)?;
    let out = sorted(vm, a, args.block())?;
    vm.check_frozen(this)?;
    become_copy(vm, a, out);
    Ok(this)
}
/// `values.__sort_by(keys)`: the values in the order of their keys.
fn sort_by(vm: Vm, this: Value, args: Args) -> Ruby {
    let (values, keys) = (ary(vm, this)?, vm.to_ary(args.or_nil(0))?);
    let out = RArray::new(&vm, values.len());
    for i in order(vm, keys, None)? {
        out.push(&vm, values.get(i as usize));
    }
    Ok(out.value())
}

fn compare(vm: Vm, b: Option<Block>, x: Value, y: Value) -> Ruby<Ordering> {
    match b {
        Some(b) => {
            let r = vm.yield_values(b, &[x, y])?;
            vm.ordering(r, x, y)
        }
        None => vm.compare(x, y),
    }
}
fn extreme(vm: Vm, a: Ary, b: Option<Block>, want: Ordering) -> Ruby {
    let mut best = a.get(0);
    let mut i = 1;
    while i < a.len() {
        let v = a.get(i);
        if compare(vm, b, v, best)? == want {
            best = v;
        }
        i += 1;
    }
    Ok(best)
}
/// The `n` first of the sorted elements, or the last ones from the end.
fn extremes(vm: Vm, a: Ary, args: Args, n: Value, reverse: bool) -> Ruby {
    let n = match vm.to_i64(n)? {
        n if n < 0 => return Err(vm.arg_error(&format!("negative size ({n})"))),
        n => n as usize,
    };
    let out = sorted(vm, a, args.block())?;
    if reverse {
        out.reverse();
    }
    out.truncate(n);
    Ok(out.value())
}
fn min(vm: Vm, this: Value, args: Args) -> Ruby {
    let a = ary(vm, this)?;
    match args.or_nil(0) {
        NIL => extreme(vm, a, args.block(), Ordering::Less),
        n => extremes(vm, a, args, n, false),
    }
}
fn max(vm: Vm, this: Value, args: Args) -> Ruby {
    let a = ary(vm, this)?;
    match args.or_nil(0) {
        NIL => extreme(vm, a, args.block(), Ordering::Greater),
        n => extremes(vm, a, args, n, true),
    }
}
fn minmax(vm: Vm, this: Value, args: Args) -> Ruby {
    let a = ary(vm, this)?;
    let low = extreme(vm, a, args.block(), Ordering::Less)?;
    let high = extreme(vm, a, args.block(), Ordering::Greater)?;
    Ok(vm.array(&[low, high]))
}

/// Adds up values as `sum` does: exactly while they are Integers, with Kahan-Babuska compensation once a Float came,
/// by `+` from the first other kind on.
pub struct Sum {
    total: Value,
    ints: i64,
    /// running float sum and its compensation
    float: Option<(f64, f64)>,
    generic: bool,
}

impl Sum {
    /// Starts from `init`.
    pub fn new(init: Value) -> Sum {
        let generic = !(init.is_integer() || init.is_float());
        Sum { total: init, ints: 0, float: init.as_float().map(|f| (f, 0.0)), generic }
    }
    fn flush(&mut self, vm: Vm) -> Ruby<()> {
        if self.ints != 0 {
            self.total = vm.send(self.total, sym::PLUS, &[vm.int(self.ints)])?;
            self.ints = 0;
        }
        Ok(())
    }
    /// Adds one value.
    pub fn add(&mut self, vm: Vm, v: Value) -> Ruby<()> {
        if self.generic {
            self.total = vm.send(self.total, sym::PLUS, &[v])?;
            return Ok(());
        }
        if let Some((f, c)) = self.float {
            let rational = vm.classes.rational.is_set() && vm.class_of(v) == vm.classes.rational.get();
            if v.is_float() || v.is_integer() || rational {
                self.float = Some(add_float(f, c, vm.to_f64(v)?));
                return Ok(());
            }
            self.total = vm.float(f);
            self.float = None;
            self.generic = true;
            return self.add(vm, v);
        }
        if v.is_fixnum() {
            match self.ints.checked_add(v.fix()) {
                Some(n) => self.ints = n,
                None => {
                    self.flush(vm)?;
                    self.ints = v.fix();
                }
            }
            return Ok(());
        }
        self.flush(vm)?;
        if let (Some(a), Some(b)) = (vm.big(self.total), v.as_bignum()) {
            let sum: BigInt = a + &b.value;
            self.total = vm.bigint(sum);
            return Ok(());
        }
        if v.is_float() {
            self.float = Some((vm.to_f64(self.total)?, 0.0));
            return self.add(vm, v);
        }
        if vm.classes.rational.is_set() && vm.class_of(v) == vm.classes.rational.get() {
            self.total = vm.send(v, sym::PLUS, &[self.total])?;
            return Ok(());
        }
        // A Rational total takes integers and floats through `+` too; only the compensation is lost.
        self.generic = !vm.class_of(v).is_a(vm.classes.numeric.get()) || !self.total.is_integer();
        self.total = vm.send(self.total, sym::PLUS, &[v])?;
        self.generic |= !(self.total.is_integer() || self.total.is_float());
        Ok(())
    }
    /// The sum.
    pub fn finish(mut self, vm: Vm) -> Ruby {
        self.flush(vm)?;
        Ok(match self.float {
            Some((f, c)) if f.is_finite() => vm.float(f + c),
            Some((f, _)) => vm.float(f),
            None => self.total,
        })
    }
}
fn add_float(f: f64, c: f64, x: f64) -> (f64, f64) {
    if f.is_nan() {
        return (f, c);
    }
    if x.is_nan() {
        return (x, c);
    }
    if x.is_infinite() {
        return if f.is_infinite() && (x < 0.0) != (f < 0.0) { (f64::NAN, c) } else { (x, c) };
    }
    if f.is_infinite() {
        return (f, c);
    }
    let t = f + x;
    let c = if f.abs() >= x.abs() { c + ((f - t) + x) } else { c + ((x - t) + f) };
    (t, c)
}
fn sum(vm: Vm, this: Value, args: Args) -> Ruby {
    let a = ary(vm, this)?;
    let mut s = Sum::new(args.get(0).unwrap_or(Value::fixnum(0)));
    let mut i = 0;
    while i < a.len() {
        let v = a.get(i);
        let v = match args.block() {
            Some(b) => vm.yield1(b, v)?,
            None => v,
        };
        s.add(vm, v)?;
        i += 1;
    }
    s.finish(vm)
}

/// A number below `n` from the `random:` object, or from the default generator.
fn random_below(vm: Vm, rng: Value, n: usize) -> Ruby<usize> {
    let rng = if rng.is_nil() { vm.classes.random.get().value() } else { rng };
    Ok(super::random::up_to_of(vm, rng, n.saturating_sub(1) as u64)? as usize)
}
fn random_option(vm: Vm, args: Args) -> Ruby {
    args.only_keywords(vm, &["random"])?;
    Ok(args.keyword(vm, "random")?.unwrap_or(NIL))
}
fn shuffle_in_place(vm: Vm, a: Ary, rng: Value) -> Ruby<()> {
    let n = a.len();
    let mut i = n;
    while i > 1 {
        let j = random_below(vm, rng, i)?;
        i -= 1;
        if a.len() != n {
            return Err(vm.runtime_error("modified during shuffle!"));
        }
        a.swap(i, j);
    }
    Ok(())
}
fn shuffle(vm: Vm, this: Value, args: Args) -> Ruby {
    let rng = random_option(vm, args)?;
    let a = copy(vm, ary(vm, this)?);
    shuffle_in_place(vm, a, rng)?;
    Ok(a.value())
}
fn shuffle_bang(vm: Vm, this: Value, args: Args) -> Ruby {
    let rng = random_option(vm, args)?;
    shuffle_in_place(vm, modify(vm, this)?, rng)?;
    Ok(this)
}
/// Up to so many samples are picked without copying the array.
const FEW: usize = 10;

/// Draw `i` counts only what was not drawn before; the order of draws is kept.
fn pick(vm: Vm, a: Ary, drawn: &[usize]) -> Value {
    let mut sorted: Vec<usize> = Vec::with_capacity(FEW);
    let out = RArray::new(&vm, drawn.len());
    for &d in drawn {
        let (mut k, mut at) = (d, 0);
        while at < sorted.len() && k >= sorted[at] {
            k += 1;
            at += 1;
        }
        sorted.insert(at, k);
        out.push(&vm, a.get(k));
    }
    out.value()
}
fn sample(vm: Vm, this: Value, args: Args) -> Ruby {
    let rng = random_option(vm, args)?;
    let a = ary(vm, this)?;
    let Some(n) = args.get(0) else {
        return match a.len() {
            0 | 1 => Ok(a.get(0)),
            n => {
                let i = random_below(vm, rng, n)?;
                Ok(a.get(i))
            }
        };
    };
    let n = match vm.to_i64(n)? {
        n if n < 0 => return Err(vm.arg_error("negative sample number")),
        _ => count(vm, n)?.min(a.len()),
    };
    let len = a.len();
    if n <= FEW {
        let mut drawn = [0; FEW];
        for (i, d) in drawn[..n].iter_mut().enumerate() {
            *d = random_below(vm, rng, len - i)?;
        }
        if a.len() < len && drawn[..n].iter().any(|d| *d >= a.len()) {
            return Ok(RArray::new(&vm, 0).value());
        }
        return Ok(pick(vm, a, &drawn[..n]));
    }
    let pool = copy(vm, a);
    let len = pool.len();
    for i in 0..n {
        let j = i + random_below(vm, rng, len - i)?;
        pool.swap(i, j);
    }
    pool.truncate(n);
    Ok(pool.value())
}
