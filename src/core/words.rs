//! Words of the prelude: private methods of every object that prelude Ruby is written with.

use crate::class;
use crate::object::sym;
use crate::value::{NIL, Ruby, Value};
use crate::vm::{Args, Vm};
use std::cmp::Ordering;

class! { module "Kernel";
    private ["__check_frozen"] req(0) => check_frozen;
    private ["__to_int"] req(1) => to_int;
    private ["__to_hash"] req(1) => to_hash;
    private ["__compare"] req(2) => compare;
    private ["__compare_value"] req(1) => compare_value;
    private ["__op_name"] req(1) => op_name;
    private ["__float_rank"] req(1) => float_rank;
    private ["__float_at"] req(1) => float_at;
    private ["__stop_iteration"] req(1) => stop_iteration;
    private ["__called"] req(0) => called;
    private ["__warn_here"] req(1) => warn_here;
    private ["__unused_block"] req(0) => unused_block;
    private ["__recursion_guard"] req(1) => recursion_guard;
}

/// Defines the words.
pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}

/// Raises FrozenError if self is frozen.
fn check_frozen(vm: Vm, this: Value, _: Args) -> Ruby {
    vm.check_frozen(this)?;
    Ok(NIL)
}
/// Implicit conversion to a machine integer.
fn to_int(vm: Vm, _: Value, args: Args) -> Ruby {
    Ok(vm.int(vm.to_i64(args.or_nil(0))?))
}
/// Implicit conversion to a Hash.
fn to_hash(vm: Vm, _: Value, args: Args) -> Ruby {
    Ok(vm.to_hash(args.or_nil(0))?.value())
}
fn number(o: Ordering) -> Value {
    Value::fixnum(o as i64)
}
/// `a <=> b` as -1, 0 or 1; ArgumentError if there is no order.
fn compare(vm: Vm, _: Value, args: Args) -> Ruby {
    Ok(number(vm.compare(args.or_nil(0), args.or_nil(1))?))
}
/// What a `<=>` result means: -1, 0 or 1.
fn compare_value(vm: Vm, _: Value, args: Args) -> Ruby {
    Ok(number(vm.ordering(args.or_nil(0), NIL, NIL)?))
}
/// The operator named by a Symbol or String.
fn op_name(vm: Vm, _: Value, args: Args) -> Ruby {
    Ok(vm.to_name(args.or_nil(0))?.into())
}
/// Position of a float among all floats in their order; 0.0 and -0.0 are both 0.
fn float_rank(vm: Vm, _: Value, args: Args) -> Ruby {
    let f = vm.to_f64(args.or_nil(0))?;
    let n = f.abs().to_bits() as i64;
    Ok(vm.int(if f < 0.0 { -n } else { n }))
}
/// The float at a position.
fn float_at(vm: Vm, _: Value, args: Args) -> Ruby {
    let n = vm.to_i64(args.or_nil(0))?;
    let f = f64::from_bits(n.unsigned_abs());
    Ok(vm.float(if n < 0 { -f } else { f }))
}
/// A StopIteration with its result.
fn stop_iteration(vm: Vm, _: Value, args: Args) -> Ruby {
    let e = vm.new_exception(vm.classes.stop_iteration.get(), "iteration reached an end");
    vm.ivar_set(e, sym::I_RESULT, args.or_nil(0));
    Ok(e)
}
/// Runs the block unless that is already going on for self under this name: then nil.
fn recursion_guard(vm: Vm, this: Value, args: Args) -> Ruby {
    let Some(b) = args.block() else { return Ok(NIL) };
    let name = vm.to_name(args.or_nil(0))?;
    Ok(vm.guard_recursion(this, NIL, name, || vm.yield_values(b, &[]))?.unwrap_or(NIL))
}

/// The name the running prelude method was called by.
fn called(vm: Vm, _: Value, _: Args) -> Ruby {
    Ok(vm.ec().ruby_frame_any().and_then(|f| f.method()).map_or(NIL, |m| m.name.into()))
}
/// A warning at the caller's place.
fn warn_here(vm: Vm, _: Value, args: Args) -> Ruby {
    let text = vm.to_str(args.or_nil(0))?;
    vm.warn_here(&text.text())?;
    Ok(NIL)
}
/// Warns that the prelude method's block goes unused beside its argument.
fn unused_block(vm: Vm, _: Value, _: Args) -> Ruby {
    vm.warn_here("given block not used")?;
    Ok(NIL)
}

impl Vm {
    /// A warning with the place of the running Ruby code, unless `$VERBOSE` is nil.
    pub fn warn_here(self, text: &str) -> Ruby<()> {
        if self.config.verbose.get().is_nil() {
            return Ok(());
        }
        let (file, line) = self.current_place();
        let file = file.as_str().map_or(String::new(), |f| f.text().into_owned());
        self.warn(&format!("{file}:{line}: warning: {text}"))
    }
}
