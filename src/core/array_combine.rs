//! `Array`: combinatorics, transposing, zipping.

use super::array::{ary, copy};
use crate::class;
use crate::object::{Ary, RArray, sym};
use crate::value::{NIL, Ruby, Value};
use crate::vm::{Args, Block, Vm};
use num_bigint::BigInt;

class! { "Array" < "Object";
    ["product"] rest(0) => product;
    ["combination"] req(1) => combination;
    ["permutation"] opt(0, 1) => permutation;
    ["repeated_combination"] req(1) => repeated_combination;
    ["repeated_permutation"] req(1) => repeated_permutation;
    ["transpose"] req(0) => transpose;
    ["zip"] rest(0) => zip;
}

/// Defines this theme's methods.
pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}

fn product(vm: Vm, this: Value, args: Args) -> Ruby {
    let lists = RArray::new(&vm, args.len() + 1);
    lists.push(&vm, copy(vm, ary(vm, this)?).value());
    for &v in args.slice() {
        lists.push(&vm, copy(vm, vm.to_ary(v)?).value());
    }
    let n = lists.len();
    let list = |i: usize| lists.get(i).as_array();
    let out = RArray::new(&vm, 0);
    if args.block().is_none() {
        let mut total: usize = 1;
        for i in 0..n {
            let len = list(i).map_or(0, |a| a.len());
            total = match total.checked_mul(len) {
                Some(t) if t <= 1 << 40 => t,
                _ => return Err(vm.range_error("too big to product")),
            };
        }
        super::array::check_len(vm, total as i64)?;
        out.reserve(&vm, total);
    }
    if (0..n).any(|i| list(i).is_none_or(|a| a.is_empty())) {
        return Ok(if args.block().is_some() { this } else { out.value() });
    }
    let mut at = vec![0usize; n];
    loop {
        let row = RArray::new(&vm, n);
        for (i, &j) in at.iter().enumerate() {
            row.push(&vm, list(i).map_or(NIL, |a| a.get(j)));
        }
        match args.block() {
            Some(b) => {
                vm.yield1(b, row.value())?;
            }
            None => out.push(&vm, row.value()),
        }
        let mut i = n;
        loop {
            if i == 0 {
                return Ok(if args.block().is_some() { this } else { out.value() });
            }
            i -= 1;
            at[i] += 1;
            if at[i] < list(i).map_or(0, |a| a.len()) {
                break;
            }
            at[i] = 0;
        }
    }
}

/// Yields a new array of the elements at these positions.
fn give(vm: Vm, b: Block, a: Ary, at: &[usize]) -> Ruby<()> {
    let row = RArray::new(&vm, at.len());
    for &i in at {
        row.push(&vm, a.get(i));
    }
    vm.yield1(b, row.value()).map(|_| ())
}
fn falling(n: i64, k: i64) -> BigInt {
    (0..k).fold(BigInt::from(1), |acc, i| acc * (n - i))
}
fn binomial(n: i64, k: i64) -> BigInt {
    if k > n || k < 0 {
        return BigInt::from(0);
    }
    let k = k.min(n - k);
    (0..k).fold(BigInt::from(1), |acc, i| acc * (n - i) / (i + 1))
}
fn size_arg(vm: Vm, args: &[Value], n: i64) -> Ruby<i64> {
    match args.first() {
        Some(&k) if !k.is_nil() => vm.to_i64(k),
        _ => Ok(n),
    }
}
fn length(vm: Vm, this: Value) -> Ruby<i64> {
    Ok(ary(vm, this)?.len() as i64)
}

fn combination(vm: Vm, this: Value, args: Args) -> Ruby {
    let Some(b) = args.block() else {
        return vm.enum_for(this, "combination", args.slice(), |vm, this, args| {
            let n = length(vm, this)?;
            Ok(vm.bigint(binomial(n, size_arg(vm, args, n)?)))
        });
    };
    let k = vm.to_i64(args.or_nil(0))?;
    let a = copy(vm, ary(vm, this)?);
    let n = a.len();
    if k < 0 || k > n as i64 {
        return Ok(this);
    }
    let k = k as usize;
    let mut at: Vec<usize> = (0..k).collect();
    loop {
        give(vm, b, a, &at)?;
        let Some(i) = (0..k).rev().find(|&i| at[i] < n - k + i) else { return Ok(this) };
        at[i] += 1;
        for j in i + 1..k {
            at[j] = at[j - 1] + 1;
        }
    }
}
fn permutation(vm: Vm, this: Value, args: Args) -> Ruby {
    let Some(b) = args.block() else {
        return vm.enum_for(this, "permutation", args.slice(), |vm, this, args| {
            let n = length(vm, this)?;
            let k = size_arg(vm, args, n)?;
            Ok(if k < 0 || k > n { Value::fixnum(0) } else { vm.bigint(falling(n, k)) })
        });
    };
    let a = copy(vm, ary(vm, this)?);
    let n = a.len();
    let k = size_arg(vm, args.slice(), n as i64)?;
    if k < 0 || k > n as i64 {
        return Ok(this);
    }
    let k = k as usize;
    let mut used = vec![false; n];
    let mut at: Vec<usize> = Vec::with_capacity(k);
    // Depth first: `next` is the lowest candidate for the position being filled.
    let mut next = 0;
    loop {
        if at.len() == k {
            give(vm, b, a, &at)?;
        } else if let Some(i) = (next..n).find(|&i| !used[i]) {
            used[i] = true;
            at.push(i);
            next = 0;
            continue;
        }
        let Some(i) = at.pop() else { return Ok(this) };
        used[i] = false;
        next = i + 1;
    }
}
fn repeated_combination(vm: Vm, this: Value, args: Args) -> Ruby {
    let Some(b) = args.block() else {
        return vm.enum_for(this, "repeated_combination", args.slice(), |vm, this, args| {
            let n = length(vm, this)?;
            let k = size_arg(vm, args, n)?;
            Ok(match k {
                k if k < 0 => Value::fixnum(0),
                0 => Value::fixnum(1),
                k => vm.bigint(binomial(n + k - 1, k)),
            })
        });
    };
    repeated(vm, this, args, b, true)
}
fn repeated_permutation(vm: Vm, this: Value, args: Args) -> Ruby {
    let Some(b) = args.block() else {
        return vm.enum_for(this, "repeated_permutation", args.slice(), |vm, this, args| {
            let n = length(vm, this)?;
            let k = size_arg(vm, args, n)?;
            Ok(if k < 0 { Value::fixnum(0) } else { vm.bigint(BigInt::from(n).pow(k as u32)) })
        });
    };
    repeated(vm, this, args, b, false)
}
fn repeated(vm: Vm, this: Value, args: Args, b: Block, ascending: bool) -> Ruby {
    let k = vm.to_i64(args.or_nil(0))?;
    let a = copy(vm, ary(vm, this)?);
    let n = a.len();
    if k < 0 || n == 0 && k > 0 {
        return Ok(this);
    }
    let mut at = vec![0usize; super::array::check_len(vm, k)?];
    loop {
        give(vm, b, a, &at)?;
        let Some(i) = (0..at.len()).rev().find(|&i| at[i] + 1 < n) else { return Ok(this) };
        let v = at[i] + 1;
        at[i] = v;
        for slot in &mut at[i + 1..] {
            *slot = if ascending { v } else { 0 };
        }
    }
}

fn transpose(vm: Vm, this: Value, _: Args) -> Ruby {
    let a = ary(vm, this)?;
    let out = RArray::new(&vm, 0);
    let mut width = None;
    let mut i = 0;
    while i < a.len() {
        let row = vm.to_ary(a.get(i))?;
        match width {
            None => {
                width = Some(row.len());
                for _ in 0..row.len() {
                    out.push(&vm, RArray::new(&vm, a.len()).value());
                }
            }
            Some(w) if w != row.len() => {
                return Err(vm.index_error(&format!("element size differs ({} should be {w})", row.len())));
            }
            _ => {}
        }
        for j in 0..row.len() {
            if let Some(column) = out.get(j).as_array() {
                column.push(&vm, row.get(j));
            }
        }
        i += 1;
    }
    Ok(out.value())
}

/// `zip`: other lists are arrays, or anything with `each`, taken as far as this list goes.
fn zip(vm: Vm, this: Value, args: Args) -> Ruby {
    let a = ary(vm, this)?;
    let others = RArray::new(&vm, args.len());
    for &v in args.slice() {
        let list = match vm.check_ary(v)? {
            Some(list) => list,
            None => take_each(vm, v, a.len())?,
        };
        others.push(&vm, list.value());
    }
    let out = RArray::new(&vm, if args.block().is_some() { 0 } else { a.len() });
    let mut i = 0;
    while i < a.len() {
        let row = RArray::new(&vm, others.len() + 1);
        row.push(&vm, a.get(i));
        for j in 0..others.len() {
            row.push(&vm, others.get(j).as_array().map_or(NIL, |o| o.get(i)));
        }
        match args.block() {
            Some(b) => {
                vm.yield1(b, row.value())?;
            }
            None => out.push(&vm, row.value()),
        }
        i += 1;
    }
    Ok(if args.block().is_some() { NIL } else { out.value() })
}
/// The first `n` values that `v.each` gives.
pub fn take_each(vm: Vm, v: Value, n: usize) -> Ruby<Ary> {
    if !vm.responds_to(v, sym::EACH, true)? {
        let class = vm.class_name(vm.real_class_of(v));
        return Err(vm.type_error(&format!("wrong argument type {class} (must respond to :each)")));
    }
    let out = RArray::new(&vm, 0);
    if n > 0 {
        vm.iterate(v, sym::EACH, &[], &mut |vs| {
            out.push(&vm, super::enumerable::pack(vm, vs));
            Ok(out.len() < n)
        })?;
    }
    Ok(out)
}
