//! `Enumerable`: its methods are Ruby, in `prelude/enumerable.rb`. Here is what they share with natives.

use super::array_sort::Sum;
use crate::class;
use crate::object::{RArray, sym};
use crate::value::{NIL, Ruby, Value};
use crate::vm::{Args, Vm};

class! { module "Enumerable";
    ["to_a", "entries"] kwrest(0) => to_a;
    ["sum"] opt(0, 1) => sum;
}

/// Defines Enumerable and includes it where it belongs.
pub fn boot(vm: Vm) {
    super::words::boot(vm);
    let m = vm.define_table(&CLASS);
    for c in [&vm.classes.array, &vm.classes.hash, &vm.classes.range, &vm.classes.struct_, &vm.classes.set] {
        c.get().include(m);
    }
}

/// What a method that takes one value gets from a `yield` of any number: nil, the value, or an Array of them.
#[inline]
pub fn pack(vm: Vm, vs: &[Value]) -> Value {
    match vs {
        [] => NIL,
        [v] => *v,
        vs => RArray::from_slice(&vm, vs).value(),
    }
}

/// Everything `each(*args)` yields.
fn to_a(vm: Vm, this: Value, args: Args) -> Ruby {
    let out = RArray::new(&vm, 0);
    if args.is_empty() && !args.has_keywords() {
        vm.iterate(this, sym::EACH, &[], &mut |vs| {
            out.push(&vm, pack(vm, vs));
            Ok(true)
        })?;
        return Ok(out.value());
    }
    fn gather(vm: Vm, out: Value, args: Args) -> Ruby {
        if let Some(a) = out.as_array() {
            a.push(&vm, pack(vm, args.slice()));
        }
        Ok(NIL)
    }
    let p = vm.native_proc(gather, out.value(), false, -1);
    vm.send_full(this, sym::EACH, args.all(), args.has_keywords(), Some(crate::vm::Block::of(p)), true)?;
    Ok(out.value())
}

fn sum(vm: Vm, this: Value, args: Args) -> Ruby {
    let init = args.get(0).unwrap_or(Value::fixnum(0));
    let mut s = Sum::new(init);
    vm.iterate(this, sym::EACH, &[], &mut |vs| {
        let v = pack(vm, vs);
        let v = match args.block() {
            Some(b) => vm.yield1(b, v)?,
            None => v,
        };
        s.add(vm, v)?;
        Ok(true)
    })?;
    s.finish(vm)
}
