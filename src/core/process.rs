//! `Process`: clocks, times and limits. Children and signals have files of their own.

use crate::class;
use crate::object::sym;
use crate::value::{NIL, Ruby, Value};
use crate::vm::{Args, Vm};

class! { module "Process";
    module_fn ["clock_gettime"] opt(1, 2) => clock_gettime;
    module_fn ["clock_getres"]  opt(1, 2) => clock_getres;
    module_fn ["times"]         req(0)    => times;
    module_fn ["getrlimit"]     req(1)    => getrlimit;
    module_fn ["setrlimit"]     opt(2, 3) => setrlimit;
    module_fn ["getpriority"]   req(2)    => getpriority;
    module_fn ["setpriority"]   req(3)    => setpriority;
    self ["argv0"]              req(0)    => argv0;
    self ["warmup"]             req(0)    => warmup;
}

const CLOCKS: [(&str, libc::clockid_t); 11] = [
    ("CLOCK_REALTIME", libc::CLOCK_REALTIME),
    ("CLOCK_MONOTONIC", libc::CLOCK_MONOTONIC),
    ("CLOCK_PROCESS_CPUTIME_ID", libc::CLOCK_PROCESS_CPUTIME_ID),
    ("CLOCK_THREAD_CPUTIME_ID", libc::CLOCK_THREAD_CPUTIME_ID),
    ("CLOCK_REALTIME_COARSE", libc::CLOCK_REALTIME_COARSE),
    ("CLOCK_MONOTONIC_RAW", libc::CLOCK_MONOTONIC_RAW),
    ("CLOCK_MONOTONIC_COARSE", libc::CLOCK_MONOTONIC_COARSE),
    ("CLOCK_BOOTTIME", libc::CLOCK_BOOTTIME),
    ("CLOCK_REALTIME_ALARM", libc::CLOCK_REALTIME_ALARM),
    ("CLOCK_BOOTTIME_ALARM", libc::CLOCK_BOOTTIME_ALARM),
    ("CLOCK_TAI", libc::CLOCK_TAI),
];

const LIMITS: [(&str, libc::__rlimit_resource_t); 16] = [
    ("AS", libc::RLIMIT_AS),
    ("CORE", libc::RLIMIT_CORE),
    ("CPU", libc::RLIMIT_CPU),
    ("DATA", libc::RLIMIT_DATA),
    ("FSIZE", libc::RLIMIT_FSIZE),
    ("MEMLOCK", libc::RLIMIT_MEMLOCK),
    ("MSGQUEUE", libc::RLIMIT_MSGQUEUE),
    ("NICE", libc::RLIMIT_NICE),
    ("NOFILE", libc::RLIMIT_NOFILE),
    ("NPROC", libc::RLIMIT_NPROC),
    ("RSS", libc::RLIMIT_RSS),
    ("RTPRIO", libc::RLIMIT_RTPRIO),
    ("RTTIME", libc::RLIMIT_RTTIME),
    ("SIGPENDING", libc::RLIMIT_SIGPENDING),
    ("STACK", libc::RLIMIT_STACK),
    ("LOCKS", libc::RLIMIT_LOCKS),
];

pub fn boot(vm: Vm) {
    let c = vm.define_table(&CLASS);
    vm.classes.process.set(c);
    for (name, id) in CLOCKS {
        vm.set_const(c, vm.intern(name), Value::fixnum(id as i64));
    }
    for (name, n) in
        [("PRIO_PROCESS", libc::PRIO_PROCESS), ("PRIO_PGRP", libc::PRIO_PGRP), ("PRIO_USER", libc::PRIO_USER)]
    {
        vm.set_const(c, vm.intern(name), Value::fixnum(n as i64));
    }
    for (name, n) in LIMITS {
        vm.set_const(c, vm.intern(&format!("RLIMIT_{name}")), Value::fixnum(n as i64));
    }
    for name in ["RLIM_INFINITY", "RLIM_SAVED_MAX", "RLIM_SAVED_CUR"] {
        vm.set_const(c, vm.intern(name), vm.bigint(libc::RLIM_INFINITY.into()));
    }
}

/// Nanoseconds as the unit a caller wants: a Symbol, nil for float seconds.
fn in_unit(vm: Vm, ns: i128, unit: Value) -> Ruby {
    let name = if unit.is_nil() { None } else { unit.as_symbol().map(|s| vm.name_of(s)) };
    let int = |by: i128| Ok(vm.bigint((ns / by).into()));
    match name.as_deref() {
        None if unit.is_nil() => Ok(vm.float(ns as f64 / 1e9)),
        Some("float_second") => Ok(vm.float(ns as f64 / 1e9)),
        Some("float_millisecond") => Ok(vm.float(ns as f64 / 1e6)),
        Some("float_microsecond") => Ok(vm.float(ns as f64 / 1e3)),
        Some("second") => int(1_000_000_000),
        Some("millisecond") => int(1_000_000),
        Some("microsecond") => int(1_000),
        Some("nanosecond") => int(1),
        _ => {
            let text = vm.to_s(unit)?;
            Err(vm.arg_error(&format!("unexpected unit: {}", text.text())))
        }
    }
}

/// A clock given by number, or by the name of an emulated one; the result is nanoseconds, `None`: no such clock.
fn read_clock(vm: Vm, id: Value, resolution: bool) -> Ruby<Option<i128>> {
    let cpu = || {
        let mut u: libc::rusage = zeroed();
        // SAFETY: our own struct.
        unsafe { libc::getrusage(libc::RUSAGE_SELF, &mut u) };
        [u.ru_utime, u.ru_stime].iter().map(|t| t.tv_sec as i128 * 1_000_000_000 + t.tv_usec as i128 * 1_000).sum()
    };
    let plain = |id: libc::clockid_t| {
        let mut ts = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: our own struct; an unknown clock is an error.
        let r = unsafe { if resolution { libc::clock_getres(id, &mut ts) } else { libc::clock_gettime(id, &mut ts) } };
        (r == 0).then_some(ts.tv_sec as i128 * 1_000_000_000 + ts.tv_nsec as i128)
    };
    let Some(name) = id.as_symbol() else {
        let n = vm.to_i32(id)?;
        return Ok(plain(n));
    };
    Ok(match &*vm.name_of(name) {
        "GETTIMEOFDAY_BASED_CLOCK_REALTIME" if resolution => Some(1_000),
        "TIME_BASED_CLOCK_REALTIME" if resolution => Some(1_000_000_000),
        "GETRUSAGE_BASED_CLOCK_PROCESS_CPUTIME_ID" | "CLOCK_BASED_CLOCK_PROCESS_CPUTIME_ID" if resolution => {
            Some(1_000)
        }
        "TIMES_BASED_CLOCK_MONOTONIC" | "TIMES_BASED_CLOCK_PROCESS_CPUTIME_ID" if resolution => Some(10_000_000),
        "GETTIMEOFDAY_BASED_CLOCK_REALTIME" => plain(libc::CLOCK_REALTIME).map(|n| n - n % 1_000),
        "TIME_BASED_CLOCK_REALTIME" => plain(libc::CLOCK_REALTIME).map(|n| n - n % 1_000_000_000),
        "TIMES_BASED_CLOCK_MONOTONIC" => plain(libc::CLOCK_MONOTONIC).map(|n| n - n % 10_000_000),
        "GETRUSAGE_BASED_CLOCK_PROCESS_CPUTIME_ID"
        | "TIMES_BASED_CLOCK_PROCESS_CPUTIME_ID"
        | "CLOCK_BASED_CLOCK_PROCESS_CPUTIME_ID" => Some(cpu()),
        _ => None,
    })
}
fn zeroed() -> libc::rusage {
    // SAFETY: plain numbers, for which zero is valid.
    unsafe { std::mem::zeroed() }
}
/// `Process.clock_gettime(clock, unit = :float_second)`; Errno::EINVAL for an unknown clock.
fn clock_gettime(vm: Vm, _: Value, args: Args) -> Ruby {
    match read_clock(vm, args.or_nil(0), false)? {
        Some(ns) => in_unit(vm, ns, args.or_nil(1)),
        None => Err(vm.errno_error(libc::EINVAL, Some("clock_gettime"))),
    }
}
/// `Process.clock_getres(clock, unit = :float_second)`; the unit `:hertz` is ticks a second.
fn clock_getres(vm: Vm, _: Value, args: Args) -> Ruby {
    let Some(ns) = read_clock(vm, args.or_nil(0), true)? else {
        return Err(vm.errno_error(libc::EINVAL, Some("clock_getres")));
    };
    if args.or_nil(1).as_symbol().is_some_and(|s| vm.name_of(s) == "hertz") {
        return Ok(vm.float(1e9 / ns as f64));
    }
    in_unit(vm, ns, args.or_nil(1))
}

/// `Process.times -> Process::Tms`: user and system time, the same of children waited for.
fn times(vm: Vm, _: Value, _: Args) -> Ruby {
    let mut out = [NIL; 4];
    for (i, who) in [libc::RUSAGE_SELF, libc::RUSAGE_CHILDREN].into_iter().enumerate() {
        let mut u = zeroed();
        // SAFETY: our own struct.
        unsafe { libc::getrusage(who, &mut u) };
        for (j, t) in [u.ru_utime, u.ru_stime].into_iter().enumerate() {
            out[i * 2 + j] = vm.float(t.tv_sec as f64 + t.tv_usec as f64 / 1e6);
        }
    }
    vm.send(tms(vm)?, sym::NEW, &out)
}
/// `Process::Tms`, a Struct made at first use.
fn tms(vm: Vm) -> Ruby {
    let process = vm.classes.process.get();
    if let Some(c) = vm.const_value(process, "Tms") {
        return Ok(c);
    }
    let fields = ["utime", "stime", "cutime", "cstime"].map(|n| vm.sym(n));
    let c = vm.send(vm.classes.struct_.get().value(), sym::NEW, &fields)?;
    vm.set_const(process, vm.intern("Tms"), c);
    Ok(c)
}

// ---- limits and priorities

/// A resource by number or by name.
fn resource(vm: Vm, v: Value) -> Ruby<libc::__rlimit_resource_t> {
    let name = match v.as_symbol() {
        Some(s) => Some(vm.name_of(s)),
        None => vm.check_str(v)?.map(|s| s.text().into_owned()),
    };
    match name {
        None => Ok(vm.to_i32(v)? as libc::__rlimit_resource_t),
        Some(name) => match LIMITS.iter().find(|(n, _)| *n == name) {
            Some((_, id)) => Ok(*id),
            None => Err(vm.arg_error(&format!("invalid resource name: {name}"))),
        },
    }
}
fn limit(vm: Vm, v: Value) -> Ruby<libc::rlim_t> {
    let name = match v.as_symbol() {
        Some(s) => Some(vm.name_of(s)),
        None => vm.check_str(v)?.map(|s| s.text().into_owned()),
    };
    match name.as_deref() {
        None => {}
        Some("INFINITY" | "SAVED_MAX" | "SAVED_CUR") => return Ok(libc::RLIM_INFINITY),
        Some(n) => return Err(vm.arg_error(&format!("invalid resource value: {n}"))),
    }
    let n = vm.to_int(v)?;
    vm.big(n)
        .and_then(|b| libc::rlim_t::try_from(b).ok())
        .ok_or_else(|| vm.range_error("bignum too big to convert into 'unsigned long'"))
}
fn getrlimit(vm: Vm, _: Value, args: Args) -> Ruby {
    let id = resource(vm, args.or_nil(0))?;
    let mut r = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: our own struct.
    if unsafe { libc::getrlimit(id, &mut r) } != 0 {
        return Err(system_error(vm, "getrlimit"));
    }
    let soft = vm.bigint(r.rlim_cur.into());
    Ok(vm.array(&[soft, vm.bigint(r.rlim_max.into())]))
}
fn setrlimit(vm: Vm, _: Value, args: Args) -> Ruby {
    let id = resource(vm, args.or_nil(0))?;
    let soft = limit(vm, args.or_nil(1))?;
    let hard = args.get(2).map_or(Ok(soft), |v| limit(vm, v))?;
    let r = libc::rlimit { rlim_cur: soft, rlim_max: hard };
    // SAFETY: our own struct.
    if unsafe { libc::setrlimit(id, &r) } != 0 {
        return Err(system_error(vm, "setrlimit"));
    }
    Ok(NIL)
}
fn system_error(vm: Vm, what: &str) -> crate::value::Raised {
    let errno = std::io::Error::last_os_error().raw_os_error().unwrap_or(0);
    vm.errno_error(errno, Some(what))
}
fn getpriority(vm: Vm, _: Value, args: Args) -> Ruby {
    let (kind, id) = (vm.to_i32(args.or_nil(0))?, vm.to_i32(args.or_nil(1))?);
    // SAFETY: -1 may be a priority: errno, cleared before, tells.
    let (r, errno) = unsafe {
        *libc::__errno_location() = 0;
        let r = libc::getpriority(kind as _, id as _);
        (r, *libc::__errno_location())
    };
    if r == -1 && errno != 0 {
        return Err(vm.errno_error(errno, None));
    }
    Ok(Value::fixnum(r as i64))
}
fn setpriority(vm: Vm, _: Value, args: Args) -> Ruby {
    let (kind, id, p) = (vm.to_i32(args.or_nil(0))?, vm.to_i32(args.or_nil(1))?, vm.to_i32(args.or_nil(2))?);
    // SAFETY: plain numbers.
    if unsafe { libc::setpriority(kind as _, id as _, p) } != 0 {
        let errno = std::io::Error::last_os_error().raw_os_error().unwrap_or(0);
        return Err(vm.errno_error(errno, None));
    }
    Ok(Value::fixnum(0))
}

fn argv0(vm: Vm, _: Value, _: Args) -> Ruby {
    let name = vm.config.script.borrow().clone();
    let s = crate::object::RString::new(&vm, &name);
    s.freeze();
    Ok(s.value())
}
/// `Process.warmup`: says that start-up is over; here that means a collection.
fn warmup(vm: Vm, _: Value, _: Args) -> Ruby {
    if let Some(gc) = vm.const_path("GC") {
        vm.call(gc.value(), "start", &[])?;
    }
    Ok(crate::value::TRUE)
}
