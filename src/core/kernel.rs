//! `Kernel` functions that are not about raising, methods or evaluation: conversions, `lambda`, `caller`, `warn`...

use super::{kernel_eval, kernel_method, kernel_raise};
use crate::class;
use crate::object::{RArray, RHash, RString, sym};
use crate::value::{NIL, Ruby, Value};
use crate::vm::{Args, Vm};

class! { module "Kernel";
    module_fn ["lambda"] req(0) => lambda;
    module_fn ["proc"] req(0) => proc;
    module_fn ["block_given?"] req(0) => block_given;
    module_fn ["Array"] req(1) => to_array;
    module_fn ["String"] req(1) => to_string;
    module_fn ["Hash"] req(1) => to_hash;
    module_fn ["warn"] kwrest(0) => warn;
    module_fn ["caller"] opt(0, 2) => caller;
    module_fn ["caller_locations"] opt(0, 2) => caller_locations;
    module_fn ["__method__"] req(0) => method_name;
    module_fn ["__callee__"] req(0) => callee_name;
    module_fn ["__dir__"] req(0) => dir;
    module_fn ["global_variables"] req(0) => global_variables;
    module_fn ["set_trace_func"] req(1) => set_trace_func;
    module_fn ["trace_var", "untrace_var"] rest(0) => no_tracing;
    module_fn ["syscall"] rest(0) => no_syscall;
}

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
    kernel_raise::boot(vm);
    kernel_method::boot(vm);
    kernel_eval::boot(vm);
}

/// The block given to the native that is running, if it is a literal one; raises if there is none.
fn lambda(vm: Vm, _this: Value, args: Args) -> Ruby {
    let Some(block) = args.block() else {
        return Err(vm.arg_error("tried to create Proc object without a block"));
    };
    let literal = vm.ec().frame().block_word().as_proc().is_none();
    let p = block.to_proc(vm);
    if literal {
        p.lambda.set(true);
    } else if !p.lambda.get() {
        return Err(vm.arg_error("the lambda method requires a literal block"));
    }
    Ok(p.value())
}

fn proc(vm: Vm, _this: Value, args: Args) -> Ruby {
    match args.block() {
        Some(b) => Ok(b.to_proc(vm).value()),
        None => Err(vm.arg_error("tried to create Proc object without a block")),
    }
}

fn block_given(vm: Vm, _this: Value, _args: Args) -> Ruby {
    Ok(Value::bool(vm.ec().ruby_frame().is_some_and(|f| f.block().is_some())))
}

/// `Array(x)`: `to_ary`, then `to_a`, else `[x]`.
fn to_array(vm: Vm, _this: Value, args: Args) -> Ruby {
    let v = args.or_nil(0);
    if let Some(a) = vm.check_ary(v)? {
        return Ok(a.value());
    }
    match vm.splat(v)?.value() {
        a if a == v => Ok(v),
        a => Ok(a),
    }
}

/// `String(x)`: `to_str`, then `to_s`.
fn to_string(vm: Vm, _this: Value, args: Args) -> Ruby {
    let v = args.or_nil(0);
    if let Some(s) = vm.check_str(v)? {
        return Ok(s.value());
    }
    let from = vm.describe(v);
    let Some(r) = vm.send_if_responds(v, sym::TO_S, &[])? else {
        return Err(vm.type_error(&format!("can't convert {from} into String")));
    };
    if r.as_str().is_some() {
        return Ok(r);
    }
    let got = vm.describe(r);
    Err(vm.type_error(&format!("can't convert {from} into String ({from}#to_s gives {got})")))
}

/// `Hash(x)`: nil and [] are empty, otherwise `to_hash`.
fn to_hash(vm: Vm, _this: Value, args: Args) -> Ruby {
    let v = args.or_nil(0);
    if v.is_nil() || v.as_array().is_some_and(|a| a.is_empty()) {
        return Ok(RHash::new(&vm).value());
    }
    match vm.check_hash(v)? {
        Some(h) => Ok(h.value()),
        None => {
            let from = vm.describe(v);
            Err(vm.type_error(&format!("can't convert {from} into Hash")))
        }
    }
}

/// `warn(*messages, uplevel: nil, category: nil)`.
fn warn(vm: Vm, _this: Value, args: Args) -> Ruby {
    args.only_keywords(vm, &["uplevel", "category"])?;
    let uplevel = args.keyword(vm, "uplevel")?.unwrap_or(NIL);
    let category = args.keyword(vm, "category")?.unwrap_or(NIL);
    if vm.config.verbose.get().is_nil() || args.is_empty() {
        return Ok(NIL);
    }
    let mut out = Vec::new();
    if !uplevel.is_nil() {
        let level = vm.to_i64(uplevel)?;
        if level < 0 {
            return Err(vm.arg_error(&format!("negative level ({level})")));
        }
        if let Some(p) = vm.places(1).get(level as usize) {
            out.extend_from_slice(format!("{}:{}: ", p.file, p.line).as_bytes());
        }
        out.extend_from_slice(b"warning: ");
    }
    let list = RArray::new(&vm, args.len());
    for &a in args.slice() {
        flatten_into(vm, a, list)?;
    }
    let mut i = 0;
    while i < list.len() {
        let s = vm.to_s(list.get(i))?;
        out.extend_from_slice(s.bytes());
        if !out.ends_with(b"\n") {
            out.push(b'\n');
        }
        i += 1;
    }
    if list.is_empty() && uplevel.is_nil() {
        return Ok(NIL);
    }
    let text = RString::from_vec(&vm, out, crate::object::Enc::Utf8).value();
    super::warning::emit(vm, text, category)?;
    Ok(NIL)
}

fn flatten_into(vm: Vm, v: Value, list: crate::object::Ary) -> Ruby<()> {
    let Some(a) = vm.check_ary(v)? else {
        list.push(&vm, v);
        return Ok(());
    };
    vm.guard_recursion(v, NIL, vm.intern("warn"), || {
        let mut i = 0;
        while i < a.len() {
            flatten_into(vm, a.get(i), list)?;
            i += 1;
        }
        Ok(())
    })?;
    Ok(())
}

/// `(first, count)` of the frames that `caller`'s arguments select among `total`; `None`: outside.
pub fn frame_range(vm: Vm, args: Args, total: usize) -> Ruby<Option<(usize, usize)>> {
    let total = total as i64;
    let (from, count) = match args.get(0).and_then(Value::as_range) {
        Some(r) if args.len() == 1 => {
            let lo = if r.lo.get().is_nil() { 0 } else { vm.to_i64(r.lo.get())? };
            let hi = if r.hi.get().is_nil() { -1 } else { vm.to_i64(r.hi.get())? };
            let lo = if lo < 0 { lo + total } else { lo };
            let mut hi = if hi < 0 { hi + total } else { hi };
            if r.exclusive.get() && !r.hi.get().is_nil() {
                hi -= 1;
            }
            if lo < 0 {
                return Ok(None);
            }
            (lo, (hi - lo + 1).max(0))
        }
        _ => {
            let lo = match args.get(0) {
                Some(v) => vm.to_i64(v)?,
                None => 1,
            };
            if lo < 0 {
                return Err(vm.arg_error(&format!("negative level ({lo})")));
            }
            let count = match args.get(1) {
                Some(v) if !v.is_nil() => {
                    let n = vm.to_i64(v)?;
                    if n < 0 {
                        return Err(vm.arg_error(&format!("negative size ({n})")));
                    }
                    n
                }
                _ => total,
            };
            (lo, count)
        }
    };
    if count == 0 && args.get(1).is_some() {
        return Ok(Some((0, 0)));
    }
    if from > total {
        return Ok(None);
    }
    Ok(Some((from as usize, count.min(total - from) as usize)))
}

fn caller(vm: Vm, _this: Value, args: Args) -> Ruby {
    // The first place is `caller` itself.
    let places = vm.places(1);
    let Some((from, count)) = frame_range(vm, args, places.len())? else { return Ok(NIL) };
    let list = RArray::new(&vm, count);
    for p in &places[from..from + count] {
        list.push(&vm, vm.str(&p.to_string()));
    }
    Ok(list.value())
}

fn caller_locations(vm: Vm, _this: Value, args: Args) -> Ruby {
    let places = vm.places(1);
    let Some((from, count)) = frame_range(vm, args, places.len())? else { return Ok(NIL) };
    let list = RArray::new(&vm, count);
    for p in &places[from..from + count] {
        list.push(&vm, super::backtrace::location(vm, p.clone()));
    }
    Ok(list.value())
}

fn method_name(vm: Vm, _this: Value, _args: Args) -> Ruby {
    let m = vm.ec().ruby_frame().and_then(|f| f.method());
    Ok(m.map_or(NIL, |m| m.original_name.into()))
}
fn callee_name(vm: Vm, _this: Value, _args: Args) -> Ruby {
    let m = vm.ec().ruby_frame().and_then(|f| f.method());
    Ok(m.map_or(NIL, |m| m.name.into()))
}

/// Directory of the running file, absolute; nil in `-e` and `eval`.
fn dir(vm: Vm, _this: Value, _args: Args) -> Ruby {
    let Some(place) = vm.places(1).into_iter().next() else { return Ok(NIL) };
    if &*place.file == "-e" || place.file.starts_with('(') {
        return Ok(NIL);
    }
    let path = super::backtrace::absolute(&place.file);
    Ok(match path.rfind('/') {
        Some(0) => vm.str("/"),
        Some(i) => vm.str(&path[..i]),
        None => vm.str("."),
    })
}

fn global_variables(vm: Vm, _this: Value, _args: Args) -> Ruby {
    let mut names = vm.gvar_names();
    for special in ["$&", "$`", "$'", "$+", "$1", "$2", "$3", "$4", "$5", "$6", "$7", "$8", "$9", "$~", "$_"] {
        names.push(vm.intern(special));
    }
    names.sort();
    names.dedup();
    let list = RArray::new(&vm, names.len());
    for n in names {
        list.push(&vm, n.into());
    }
    Ok(list.value())
}

fn no_tracing(vm: Vm, _this: Value, _args: Args) -> Ruby {
    Err(vm.not_implemented("trace_var"))
}
fn no_syscall(vm: Vm, _this: Value, _args: Args) -> Ruby {
    Err(vm.not_implemented("Kernel#syscall"))
}

/// `set_trace_func(proc or nil)`: call, return, c-call, c-return, class, end and raise events.
fn set_trace_func(vm: Vm, _this: Value, args: Args) -> Ruby {
    let f = args.or_nil(0);
    if !f.is_nil() && f.as_proc().is_none() {
        return Err(vm.type_error("trace_func needs to be Proc"));
    }
    vm.set_tracer(f);
    Ok(f)
}
