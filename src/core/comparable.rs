//! `Comparable`: everything from `<=>`.

use crate::class;
use crate::object::sym;
use crate::value::{FALSE, NIL, Ruby, TRUE, Value};
use crate::vm::{Args, Vm};
use std::cmp::Ordering;

class! { module "Comparable";
    ["=="]       req(1)    => eq;
    [">"]        req(1)    => gt;
    [">="]       req(1)    => ge;
    ["<"]        req(1)    => lt;
    ["<="]       req(1)    => le;
    ["between?"] req(2)    => between;
    ["clamp"]    opt(1, 2) => clamp;
}

pub fn boot(vm: Vm) {
    let c = vm.define_table(&CLASS);
    vm.classes.comparable.set(c);
}

/// `a == b`: identical, or `<=>` gives 0; false when asked again while deciding.
fn eq(vm: Vm, this: Value, args: Args) -> Ruby {
    let other = args.or_nil(0);
    if this == other {
        return Ok(TRUE);
    }
    let r = vm.guard_recursion(this, other, sym::CMP, || vm.send(this, sym::CMP, &[other]))?;
    match r {
        None | Some(NIL) => Ok(FALSE),
        Some(r) => Ok((vm.ordering(r, this, other)? == Ordering::Equal).into()),
    }
}
fn order(vm: Vm, this: Value, other: Value) -> Ruby<Ordering> {
    let r = vm.send(this, sym::CMP, &[other])?;
    vm.ordering(r, this, other)
}
fn gt(vm: Vm, this: Value, args: Args) -> Ruby {
    Ok(order(vm, this, args.or_nil(0))?.is_gt().into())
}
fn ge(vm: Vm, this: Value, args: Args) -> Ruby {
    Ok(order(vm, this, args.or_nil(0))?.is_ge().into())
}
fn lt(vm: Vm, this: Value, args: Args) -> Ruby {
    Ok(order(vm, this, args.or_nil(0))?.is_lt().into())
}
fn le(vm: Vm, this: Value, args: Args) -> Ruby {
    Ok(order(vm, this, args.or_nil(0))?.is_le().into())
}
fn between(vm: Vm, this: Value, args: Args) -> Ruby {
    Ok((order(vm, this, args.or_nil(0))?.is_ge() && order(vm, this, args.or_nil(1))?.is_le()).into())
}

/// `obj.clamp(min, max)`, `obj.clamp(range)`; nil leaves a side open.
fn clamp(vm: Vm, this: Value, args: Args) -> Ruby {
    let (min, max) = match (args.or_nil(0), args.get(1)) {
        (min, Some(max)) => (min, max),
        (range, None) => {
            let Some(r) = range.as_range() else {
                let got = vm.describe(range);
                return Err(vm.type_error(&format!("wrong argument type {got} (expected Range)")));
            };
            if !r.hi.get().is_nil() && r.exclusive.get() {
                return Err(vm.arg_error("cannot clamp with an exclusive range"));
            }
            (r.lo.get(), r.hi.get())
        }
    };
    if !min.is_nil() && !max.is_nil() && order(vm, min, max)?.is_gt() {
        return Err(vm.arg_error("min argument must be less than or equal to max argument"));
    }
    if !min.is_nil() {
        match order(vm, this, min)? {
            Ordering::Equal => return Ok(this),
            Ordering::Less => return Ok(min),
            Ordering::Greater => {}
        }
    }
    if !max.is_nil() && order(vm, this, max)?.is_gt() {
        return Ok(max);
    }
    Ok(this)
}
