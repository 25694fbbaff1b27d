//! `GC`: starting collections, switches and counters.

use crate::class;
use crate::object::{MethodBody, RArray, RHash, Visibility};
use crate::value::{NIL, Ruby, TRUE, Value};
use crate::vm::{Args, Vm};
use std::cell::Cell;

class! { module "GC";
    self ["start"] kw(0, 0) => start;
    self ["enable"] req(0) => enable;
    self ["disable"] req(0) => disable;
    self ["stress"] req(0) => stress;
    self ["stress="] req(1) => set_stress;
    self ["count"] req(0) => count;
    self ["stat"] opt(0, 1) => stat;
    self ["stat_heap"] opt(0, 2) => stat_heap;
    self ["config"] opt(0, 1) => config;
    self ["measure_total_time"] req(0) => measures_time;
    self ["measure_total_time="] req(1) => set_measures_time;
    self ["total_time"] req(0) => total_time;
    ["garbage_collect"] kw(0, 0) => start;
}

mod profiler {
    crate::class! { module "GC::Profiler";
        self ["enabled?"] req(0) => super::profiler_enabled;
        self ["enable"] req(0) => super::profiler_enable;
        self ["disable"] req(0) => super::profiler_disable;
        self ["clear"] req(0) => super::profiler_clear;
        self ["raw_data"] req(0) => super::profiler_raw;
        self ["result"] req(0) => super::profiler_result;
        self ["report"] rest(0) => super::profiler_clear;
        self ["total_time"] req(0) => super::profiler_total;
    }
}

/// Moving objects is something this collector never does.
const MISSING: &[&str] = &[
    "compact",
    "auto_compact",
    "auto_compact=",
    "latest_compact_info",
    "verify_compaction_references",
    "latest_gc_info",
];

#[derive(Default)]
struct Switches {
    profiling: Cell<bool>,
    /// collections and pauses before the profiler was cleared
    since: Cell<u64>,
    no_timing: Cell<bool>,
}

pub fn boot(vm: Vm) {
    let gc = vm.define_table(&CLASS);
    vm.define_table(&profiler::CLASS);
    let meta = vm.metaclass(gc);
    for name in MISSING {
        vm.add_method(meta, vm.intern(name), Visibility::Public, MethodBody::NotImplemented);
    }
    let constants = RHash::new(&vm);
    for (name, n) in [("RVALUE_OVERHEAD", 0), ("RVARGC_MAX_ALLOCATE_SIZE", 512), ("HEAP_PAGE_SIZE", 65536)] {
        // Symbols and Integers never raise as keys.
        let _ = constants.set(&vm, &vm, vm.sym(name), Value::fixnum(n));
    }
    super::object::freeze_value(vm, constants.value());
    vm.set_const(gc, vm.intern("INTERNAL_CONSTANTS"), constants.value());
    let opts = RArray::new(&vm, 0).value();
    super::object::freeze_value(vm, opts);
    vm.set_const(gc, vm.intern("OPTS"), opts);
}

/// `GC.start(full_mark: true, immediate_mark: true, immediate_sweep: true)`: collects even while disabled.
pub fn start(vm: Vm, _this: Value, args: Args) -> Ruby {
    args.only_keywords(vm, &["full_mark", "immediate_mark", "immediate_sweep"])?;
    let off = vm.heap.set_disabled(false);
    vm.heap.collect();
    vm.heap.set_disabled(off);
    Ok(NIL)
}
fn enable(vm: Vm, _this: Value, _args: Args) -> Ruby {
    Ok(Value::bool(vm.heap.set_disabled(false)))
}
fn disable(vm: Vm, _this: Value, _args: Args) -> Ruby {
    Ok(Value::bool(vm.heap.set_disabled(true)))
}
fn stress(vm: Vm, _this: Value, _args: Args) -> Ruby {
    Ok(Value::bool(vm.heap.stress() != 0))
}
fn set_stress(vm: Vm, _this: Value, args: Args) -> Ruby {
    vm.heap.set_stress(args.or_nil(0).truthy() as u32);
    Ok(args.or_nil(0))
}
fn count(vm: Vm, _this: Value, _args: Args) -> Ruby {
    Ok(Value::fixnum(vm.heap.stats.collections.get() as i64))
}

/// Counters by CRuby's names, where we have the like.
fn counters(vm: Vm) -> [(&'static str, u64); 14] {
    let s = &vm.heap.stats;
    let collections = s.collections.get();
    let live = s.live_cells.get();
    [
        ("count", collections),
        ("time", s.total_pause.get() / 1_000_000),
        ("marking_time", s.total_pause.get() / 1_000_000),
        ("sweeping_time", 0),
        ("heap_allocated_pages", (vm.heap.region_bytes() / crate::heap::BLOCK_SIZE) as u64),
        ("heap_live_slots", live),
        ("heap_free_slots", 0),
        ("heap_final_slots", 0),
        ("total_allocated_objects", s.allocated.get().max(live)),
        ("total_freed_objects", s.allocated.get().saturating_sub(live)),
        ("malloc_increase_bytes", 0),
        ("minor_gc_count", 0),
        ("major_gc_count", collections),
        ("max_pause_ns", s.max_pause.get()),
    ]
}
/// `GC.stat`, `GC.stat(:key)`, `GC.stat(hash)`.
fn stat(vm: Vm, _this: Value, args: Args) -> Ruby {
    let all = counters(vm);
    let arg = args.or_nil(0);
    if let Some(k) = arg.as_symbol() {
        let name = vm.name_of(k);
        return match all.iter().find(|c| c.0 == name) {
            Some(c) => Ok(Value::fixnum(c.1 as i64)),
            None => Err(vm.arg_error(&format!("unknown key: {name}"))),
        };
    }
    let h = match arg.as_hash() {
        Some(h) => {
            vm.check_frozen(arg)?;
            h
        }
        None if arg.is_nil() => RHash::new(&vm),
        None => return Err(vm.type_error("non-hash or symbol given")),
    };
    for (name, n) in all {
        h.set(&vm, &vm, vm.sym(name), Value::fixnum(n as i64))?;
    }
    Ok(h.value())
}
/// Per size class: only the slot sizes are kept.
fn stat_heap(vm: Vm, _this: Value, args: Args) -> Ruby {
    let one = |size: usize| -> Ruby<Value> {
        let h = RHash::new(&vm);
        h.set(&vm, &vm, vm.sym("slot_size"), Value::fixnum(size as i64))?;
        Ok(h.value())
    };
    if let Some(i) = args.get(0).and_then(Value::as_fixnum) {
        let Some(&size) = usize::try_from(i).ok().and_then(|i| crate::heap::SIZES.get(i)) else {
            return Err(vm.arg_error("heap index out of range"));
        };
        let h = one(size)?;
        return match args.get(1) {
            Some(k) if !k.is_nil() => Ok(h.as_hash().and_then(|h| h.get(&vm, k).ok().flatten()).unwrap_or(NIL)),
            _ => Ok(h),
        };
    }
    let all = RHash::new(&vm);
    for (i, &size) in crate::heap::SIZES.iter().enumerate() {
        all.set(&vm, &vm, Value::fixnum(i as i64), one(size)?)?;
    }
    Ok(all.value())
}
/// `GC.config`: names the collector; there is nothing to set.
fn config(vm: Vm, _this: Value, args: Args) -> Ruby {
    if let Some(v) = args.get(0)
        && !v.is_nil()
        && v.as_hash().is_none()
    {
        return Err(vm.arg_error("argument should be a Hash"));
    }
    let h = RHash::new(&vm);
    h.set(&vm, &vm, vm.sym("rgengc_allow_full_mark"), TRUE)?;
    h.set(&vm, &vm, vm.sym("implementation"), vm.str("default"))?;
    Ok(h.value())
}
fn measures_time(vm: Vm, _this: Value, _args: Args) -> Ruby {
    Ok(Value::bool(!vm.slot::<Switches>().no_timing.get()))
}
fn set_measures_time(vm: Vm, _this: Value, args: Args) -> Ruby {
    vm.slot::<Switches>().no_timing.set(!args.or_nil(0).truthy());
    Ok(args.or_nil(0))
}
/// Nanoseconds spent collecting.
fn total_time(vm: Vm, _this: Value, _args: Args) -> Ruby {
    Ok(Value::fixnum(vm.heap.stats.total_pause.get() as i64))
}

fn profiler_enabled(vm: Vm, _this: Value, _args: Args) -> Ruby {
    Ok(Value::bool(vm.slot::<Switches>().profiling.get()))
}
fn profiler_enable(vm: Vm, _this: Value, _args: Args) -> Ruby {
    let s = vm.slot::<Switches>();
    s.profiling.set(true);
    s.since.set(vm.heap.stats.total_pause.get());
    Ok(NIL)
}
fn profiler_disable(vm: Vm, _this: Value, _args: Args) -> Ruby {
    vm.slot::<Switches>().profiling.set(false);
    Ok(NIL)
}
fn profiler_clear(vm: Vm, _this: Value, _args: Args) -> Ruby {
    vm.slot::<Switches>().since.set(vm.heap.stats.total_pause.get());
    Ok(NIL)
}
fn profiler_raw(vm: Vm, _this: Value, _args: Args) -> Ruby {
    Ok(RArray::new(&vm, 0).value())
}
fn profiler_result(vm: Vm, _this: Value, _args: Args) -> Ruby {
    Ok(vm.str(""))
}
/// Seconds spent collecting since the profiler was enabled or cleared.
fn profiler_total(vm: Vm, _this: Value, _args: Args) -> Ruby {
    let s = vm.slot::<Switches>();
    let ns = if s.profiling.get() { vm.heap.stats.total_pause.get() - s.since.get() } else { 0 };
    Ok(vm.float(ns as f64 / 1e9))
}
