//! `Time`: nanoseconds since 1970 (and an exact rest below that), and the zone to show it in.

use super::time_args;
use super::time_calendar::{Fields, Zone, fields, local_zone_name};
use super::time_format::{Moment, strftime};
use super::{rational, rounding};
use crate::class;
use crate::heap::Marker;
use crate::object::{Class, Data, Enc, RArray, RData, RHash, RString, sym};
use crate::value::{FALSE, NIL, Raised, Ruby, Value};
use crate::vm::arith::{int_cmp, int_negative, int_zero};
use crate::vm::equal::mix;
use crate::vm::{Args, Vm};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

class! { "Time" < "Object";
    self ["now"]             kw(0, 0)  => now;
    self ["at"]              kw(1, 3)  => at;
    self ["utc", "gm"]       rest(0)   => s_utc;
    self ["local", "mktime"] rest(0)   => s_local;
    ["initialize"]           kw(0, 7)  => initialize;
    ["initialize_copy"]      req(1)    => initialize_copy;
    ["<=>"]                  req(1)    => cmp;
    ["=="]                   req(1)    => eq;
    ["eql?"]                 req(1)    => eql;
    ["hash"]                 req(0)    => hash;
    ["+"]                    req(1)    => plus;
    ["-"]                    req(1)    => minus;
    ["round"]                opt(0, 1) => round;
    ["floor"]                opt(0, 1) => floor;
    ["ceil"]                 opt(0, 1) => ceil;
    ["to_i", "tv_sec"]       req(0)    => to_i;
    ["to_f"]                 req(0)    => to_f;
    ["to_r"]                 req(0)    => to_r;
    ["usec", "tv_usec"]      req(0)    => usec;
    ["nsec", "tv_nsec"]      req(0)    => nsec;
    ["subsec"]               req(0)    => subsec;
    ["year"]                 req(0)    => year;
    ["month", "mon"]         req(0)    => month;
    ["day", "mday"]          req(0)    => day;
    ["hour"]                 req(0)    => hour;
    ["min"]                  req(0)    => min;
    ["sec"]                  req(0)    => sec;
    ["wday"]                 req(0)    => wday;
    ["yday"]                 req(0)    => yday;
    ["isdst", "dst?"]        req(0)    => dst;
    ["sunday?"]              req(0)    => sunday;
    ["monday?"]              req(0)    => monday;
    ["tuesday?"]             req(0)    => tuesday;
    ["wednesday?"]           req(0)    => wednesday;
    ["thursday?"]            req(0)    => thursday;
    ["friday?"]              req(0)    => friday;
    ["saturday?"]            req(0)    => saturday;
    ["zone"]                 req(0)    => zone;
    ["utc_offset", "gmt_offset", "gmtoff"] req(0) => utc_offset;
    ["utc?", "gmt?"]         req(0)    => is_utc;
    ["utc", "gmtime"]        req(0)    => utc;
    ["localtime"]            opt(0, 1) => localtime;
    ["getutc", "getgm"]      req(0)    => getutc;
    ["getlocal"]             opt(0, 1) => getlocal;
    ["to_s"]                 req(0)    => to_s;
    ["inspect"]              req(0)    => inspect;
    ["ctime", "asctime"]     req(0)    => ctime;
    ["strftime"]             req(1)    => format;
    ["xmlschema", "iso8601"] opt(0, 1) => xmlschema;
    ["to_a"]                 req(0)    => to_a;
    ["deconstruct_keys"]     req(1)    => deconstruct_keys;
}

const BILLION: i128 = 1_000_000_000;
/// Seconds a Time may be away from 1970: 290 milliard years.
const MAX_SECS: i128 = (1 << 63) - (1 << 30);

/// What `ns` is before `initialize`.
const UNSET: i128 = i128::MIN;

/// What a Time shows, worked out once: a later change of TZ does not alter it.
#[derive(Clone)]
struct Face {
    fields: Fields,
    zone_name: Rc<str>,
}

/// T1  `rest` is the Integer 0, or a Rational in 0..1: the part below a nanosecond
/// T2  `face` is empty, or what `ns` and `zone` give
pub struct Time {
    ns: Cell<i128>,
    rest: Cell<Value>,
    zone: Cell<Zone>,
    face: RefCell<Option<Face>>,
}
impl Data for Time {
    fn trace(&self, m: &mut Marker) {
        m.value(self.rest.get());
    }
}
impl Time {
    /// Whole seconds since 1970, rounded down.
    fn secs(&self) -> i64 {
        self.ns.get().div_euclid(BILLION) as i64
    }
    fn nanos(&self) -> u32 {
        self.ns.get().rem_euclid(BILLION) as u32
    }
    fn face(&self) -> Face {
        if let Some(f) = &*self.face.borrow() {
            return f.clone();
        }
        let zone_name = match self.zone.get() {
            Zone::Utc => "UTC".into(),
            Zone::Fixed(_) => "".into(),
            Zone::Local => local_zone_name(self.secs()).into(),
        };
        let f = Face { fields: fields(self.secs(), self.zone.get()), zone_name };
        *self.face.borrow_mut() = Some(f.clone());
        f
    }
    fn fields(&self) -> Fields {
        self.face().fields
    }
    fn set(&self, ns: i128, rest: Value) {
        self.ns.set(ns);
        self.rest.set(rest);
        *self.face.borrow_mut() = None;
    }
    fn set_zone(&self, zone: Zone) {
        self.zone.set(zone);
        *self.face.borrow_mut() = None;
    }
    /// A name for a fixed offset, as a dump remembers it.
    pub(super) fn name_zone(&self, name: &str) {
        let fields = self.fields();
        *self.face.borrow_mut() = Some(Face { fields, zone_name: name.into() });
    }
}

pub fn boot(vm: Vm) {
    let c = vm.define_table(&CLASS);
    vm.classes.time.set(c);
    super::time_marshal::boot(vm);
    c.include(vm.classes.comparable.get());
    vm.set_allocator(c, |vm, class| Ok(make(vm, class, UNSET, Value::fixnum(0), Zone::Local)));
}

fn make(vm: Vm, class: Class, ns: i128, rest: Value, zone: Zone) -> Value {
    let t = Time { ns: Cell::new(ns), rest: Cell::new(rest), zone: Cell::new(zone), face: RefCell::default() };
    RData::alloc(&vm, class, t)
}
/// A Time from seconds and nanoseconds since 1970, shown in the system's zone.
pub fn new(vm: Vm, secs: i64, nanos: i64) -> Value {
    let ns = secs as i128 * BILLION + nanos as i128;
    make(vm, vm.classes.time.get(), ns, Value::fixnum(0), Zone::Local)
}
/// A Time of any class; `zone` and the rest as in the fields.
pub(super) fn with_class(vm: Vm, class: Class, ns: i128, rest: Value, zone: Zone) -> Value {
    make(vm, class, ns, rest, zone)
}
/// Nanoseconds since 1970, the rest below one, and the zone.
pub(super) fn raw_parts(vm: Vm, this: Value) -> Ruby<(i128, Value, Zone)> {
    let t = of(vm, this)?;
    Ok((t.ns.get(), t.rest.get(), t.zone.get()))
}
/// Seconds and nanoseconds since 1970 of a Time.
pub fn parts(v: Value) -> Option<(i64, u32)> {
    v.data::<Time>().map(|t| (t.secs(), t.nanos()))
}

/// The receiver's state; TypeError before `initialize`.
fn of(vm: Vm, this: Value) -> Ruby<&'static Time> {
    let t = state(vm, this)?;
    if t.ns.get() == UNSET {
        let class = vm.class_name(vm.real_class_of(this));
        return Err(vm.type_error(&format!("uninitialized {class}")));
    }
    Ok(t)
}
/// The same, initialised or not.
fn state(vm: Vm, this: Value) -> Ruby<&'static Time> {
    match this.data::<Time>() {
        Some(t) => Ok(t),
        None => {
            let got = vm.describe(this);
            Err(vm.type_error(&format!("wrong argument type {got} (expected Time)")))
        }
    }
}
fn out_of_range(vm: Vm) -> Raised {
    vm.range_error("Time is too far from 1970 for minirb")
}

// ---- exact numbers of nanoseconds

/// Whole nanoseconds and the rest of a number of units of `ns_per_unit` nanoseconds.
fn split(vm: Vm, v: Value, ns_per_unit: i64) -> Ruby<(i128, Value)> {
    let exact = exact_number(vm, v)?;
    let (num, den) = rational::parts(exact).ok_or_else(|| vm.type_error("not a Rational"))?;
    let num = vm.int_mul(num, Value::fixnum(ns_per_unit));
    let whole = vm.int_div(num, den)?;
    let rest = vm.int_sub(num, vm.int_mul(whole, den));
    let rest = if int_zero(rest) { rest } else { rational::new(vm, rest, den)? };
    let ns = vm.big(whole).and_then(|b| i128::try_from(b).ok()).filter(|n| n.abs() < MAX_SECS * BILLION);
    Ok((ns.ok_or_else(|| out_of_range(vm))?, rest))
}
/// Whole nanoseconds, and their rest, of a number of seconds.
pub fn nanoseconds(vm: Vm, seconds: Value) -> Ruby<(i128, Value)> {
    split(vm, seconds, 1_000_000_000)
}
/// An Integer or Rational from a number; TypeError "can't convert X into an exact number".
pub fn exact_number(vm: Vm, v: Value) -> Ruby {
    let fail = || {
        let what = vm.describe(v);
        vm.type_error(&format!("can't convert {what} into an exact number"))
    };
    if rational::parts(v).is_some() {
        return Ok(v);
    }
    if v.is_float() {
        return vm.send(v, sym::TO_R, &[]);
    }
    if v.is_nil() || v.as_str().is_some() || v.as_symbol().is_some() {
        return Err(fail());
    }
    if let Some(r) = vm.send_if_responds(v, sym::TO_R, &[])? {
        // Objects that convert nearly everything (nil, strings) do not count: they lack to_int.
        if rational::parts(r).is_some() && (vm.is_numeric(v) || vm.responds_to(v, sym::TO_INT, true)?) {
            return Ok(r);
        }
        return Err(fail());
    }
    match vm.send_if_responds(v, sym::TO_INT, &[])? {
        Some(r) if r.is_integer() => Ok(r),
        _ => Err(fail()),
    }
}
fn big_ns(vm: Vm, ns: i128) -> Value {
    vm.bigint(ns.into())
}
/// All of it, as Integer or Rational nanoseconds.
fn total(vm: Vm, t: &Time) -> Ruby {
    let ns = big_ns(vm, t.ns.get());
    if int_zero(t.rest.get()) { Ok(ns) } else { vm.send(t.rest.get(), sym::PLUS, &[ns]) }
}
fn from_parts(vm: Vm, like: Value, (ns, rest): (i128, Value)) -> Ruby {
    let t = of(vm, like)?;
    if ns.abs() >= MAX_SECS * BILLION {
        return Err(out_of_range(vm));
    }
    Ok(make(vm, vm.real_class_of(like), ns, rest, t.zone.get()))
}

// ---- making

/// The wall clock in nanoseconds since 1970.
fn clock() -> i128 {
    let mut ts = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: our own struct; the clock exists.
    unsafe { libc::clock_gettime(libc::CLOCK_REALTIME, &mut ts) };
    ts.tv_sec as i128 * BILLION + ts.tv_nsec as i128
}
/// `Time.now(in: nil)`.
fn now(vm: Vm, this: Value, args: Args) -> Ruby {
    args.only_keywords(vm, &["in"])?;
    let Some(class) = this.as_class() else { return Ok(NIL) };
    let v = vm.allocate(class)?;
    let t = state(vm, v)?;
    t.set(clock(), Value::fixnum(0));
    if let Some(z) = args.keyword(vm, "in")? {
        t.set_zone(time_args::zone(vm, z)?);
    }
    Ok(v)
}
/// `Time.at(time, subsec = nil, unit = :microsecond, in: nil)`.
fn at(vm: Vm, this: Value, args: Args) -> Ruby {
    args.only_keywords(vm, &["in"])?;
    let Some(class) = this.as_class() else { return Ok(NIL) };
    let first = args.or_nil(0);
    let zone = match args.keyword(vm, "in")? {
        Some(z) => Some(time_args::zone(vm, z)?),
        None => None,
    };
    let (mut ns, mut rest) = match first.data::<Time>() {
        Some(t) => (t.ns.get(), t.rest.get()),
        None => split(vm, first, 1_000_000_000)?,
    };
    if let Some(sub) = args.get(1) {
        let unit = match args.get(2) {
            None => 1_000,
            Some(u) => match u.as_symbol().map(|s| vm.name_of(s)).as_deref() {
                Some("millisecond") => 1_000_000,
                Some("usec" | "microsecond") => 1_000,
                Some("nsec" | "nanosecond") => 1,
                _ => {
                    let text = vm.to_s(u)?;
                    return Err(vm.arg_error(&format!("unexpected unit: {}", text.text())));
                }
            },
        };
        let (more, part) = split(vm, sub, unit)?;
        ns += more;
        rest = vm.send(rest, sym::PLUS, &[part])?;
        if let Some((n, d)) = rational::parts(rest)
            && int_cmp(n, d).is_ge()
        {
            ns += 1;
            rest = vm.send(rest, sym::MINUS, &[Value::fixnum(1)])?;
        }
    }
    let v = vm.allocate(class)?;
    let t = state(vm, v)?;
    t.set(ns, if rational::parts(rest).is_some_and(|(n, _)| int_zero(n)) { Value::fixnum(0) } else { rest });
    match (zone, first.data::<Time>()) {
        (Some(z), _) => t.set_zone(z),
        (None, Some(from)) => t.set_zone(from.zone.get()),
        _ => {}
    }
    Ok(v)
}
/// `Time.new(year, month = 1, ..., zone = nil, in: nil)`, `Time.new("2000-12-31 23:59:59")`, `Time.new`.
fn initialize(vm: Vm, this: Value, args: Args) -> Ruby {
    args.only_keywords(vm, &["in", "precision"])?;
    vm.check_frozen(this)?;
    let t = state(vm, this)?;
    if t.ns.get() != UNSET {
        let class = vm.class_name(vm.real_class_of(this));
        return Err(vm.type_error(&format!("already initialized {class}")));
    }
    let mut zone = match args.keyword(vm, "in")? {
        Some(z) if !z.is_nil() => {
            if args.get(6).is_some_and(|v| !v.is_nil()) {
                return Err(vm.arg_error("timezone argument given as positional and keyword arguments"));
            }
            Some(time_args::zone(vm, z)?)
        }
        _ => match args.get(6) {
            Some(z) if !z.is_nil() => Some(time_args::zone(vm, z)?),
            _ => None,
        },
    };
    if args.is_empty() || args.len() == 1 && args.or_nil(0).is_nil() {
        t.set(clock(), Value::fixnum(0));
    } else {
        let text = if args.len() == 1 { vm.check_str(args.or_nil(0))? } else { None };
        let parsed = match text {
            Some(s) if !s.bytes().iter().all(u8::is_ascii_digit) || s.is_empty() => {
                let precision = match args.keyword(vm, "precision")? {
                    Some(p) => vm.to_i64(p)?.clamp(0, 100) as usize,
                    None => 9,
                };
                let bytes = s.bytes().to_vec();
                let (parsed, own) = time_args::parse(vm, &bytes, precision)?;
                if let Some(own) = own {
                    zone = Some(time_args::zone(vm, own)?);
                }
                parsed
            }
            _ => time_args::civil(vm, &args.slice()[..args.len().min(6)], true)?,
        };
        let (ns, rest) = parsed.moment(vm, zone.unwrap_or(Zone::Local), None)?;
        t.set(ns, rest);
    }
    t.set_zone(zone.unwrap_or(Zone::Local));
    t.face();
    Ok(NIL)
}
fn civil(vm: Vm, this: Value, args: Args, zone: Zone) -> Ruby {
    let Some(class) = this.as_class() else { return Ok(NIL) };
    let (n, a) = (args.len(), args.slice());
    if n == 0 || n > 10 {
        return Err(vm.wrong_arguments(n, 1, 8));
    }
    let (parsed, dst) = if n == 10 {
        // sec, min, hour, day, month, year, wday, yday, isdst, zone: what to_a gives
        (time_args::civil(vm, &[a[5], a[4], a[3], a[2], a[1], a[0]], false)?, Some(a[8].truthy()))
    } else {
        let mut p = time_args::civil(vm, &a[..n.min(6)], false)?;
        if let Some(&usec) = a.get(6)
            && !usec.is_nil()
        {
            let usec = if usec.as_str().is_some() { super::integer::convert(vm, usec, NIL)? } else { usec };
            p.add(vm, split(vm, usec, 1000)?)?;
        }
        (p, None)
    };
    let (ns, rest) = parsed.moment(vm, zone, dst)?;
    let v = vm.allocate(class)?;
    let t = state(vm, v)?;
    t.set(ns, rest);
    t.set_zone(zone);
    t.face();
    Ok(v)
}
fn s_utc(vm: Vm, this: Value, args: Args) -> Ruby {
    civil(vm, this, args, Zone::Utc)
}
fn s_local(vm: Vm, this: Value, args: Args) -> Ruby {
    civil(vm, this, args, Zone::Local)
}
fn initialize_copy(vm: Vm, this: Value, args: Args) -> Ruby {
    let (to, from) = (state(vm, this)?, of(vm, args.or_nil(0))?);
    to.set(from.ns.get(), from.rest.get());
    to.zone.set(from.zone.get());
    *to.face.borrow_mut() = from.face.borrow().clone();
    Ok(this)
}

// ---- comparison and arithmetic

fn cmp(vm: Vm, this: Value, args: Args) -> Ruby {
    let other = args.or_nil(0);
    let a = of(vm, this)?;
    let Some(b) = other.data::<Time>() else {
        // The other may know how to compare; its answer is turned round.
        let r = vm.guard_recursion(this, other, sym::CMP, || vm.send(other, sym::CMP, &[this]))?;
        return match r {
            Some(r) if !r.is_nil() && vm.is_numeric(r) => {
                Ok(Value::fixnum(vm.ordering(r, other, this)?.reverse() as i64))
            }
            _ => Ok(NIL),
        };
    };
    Ok(Value::fixnum(match a.ns.get().cmp(&b.ns.get()) {
        std::cmp::Ordering::Equal => return vm.send(a.rest.get(), sym::CMP, &[b.rest.get()]),
        o => o as i64,
    }))
}
fn eq(vm: Vm, this: Value, args: Args) -> Ruby {
    if args.or_nil(0).data::<Time>().is_none() {
        let r = cmp(vm, this, args)?;
        return Ok((r == Value::fixnum(0)).into());
    }
    eql(vm, this, args)
}
fn eql(vm: Vm, this: Value, args: Args) -> Ruby {
    let a = of(vm, this)?;
    let Some(b) = args.or_nil(0).data::<Time>() else { return Ok(FALSE) };
    Ok((a.ns.get() == b.ns.get() && vm.eq(a.rest.get(), b.rest.get())?).into())
}
fn hash(vm: Vm, this: Value, _: Args) -> Ruby {
    let t = of(vm, this)?;
    let ns = t.ns.get();
    let h = mix(ns as u64 ^ mix((ns >> 64) as u64)) ^ vm.hash_of(t.rest.get())?;
    Ok(vm.int(h as i64 >> 2))
}
/// `this + sign * other` seconds.
fn moved(vm: Vm, this: Value, other: Value, back: bool) -> Ruby {
    let t = of(vm, this)?;
    let by = exact_number(vm, other)?;
    let by = if back { vm.send(by, sym::NEG, &[])? } else { by };
    let (ns, rest) = split(vm, by, 1_000_000_000)?;
    let rest = vm.send(t.rest.get(), sym::PLUS, &[rest])?;
    let carry = rational::parts(rest).is_some_and(|(n, d)| int_cmp(n, d).is_ge());
    let rest = if carry { vm.send(rest, sym::MINUS, &[Value::fixnum(1)])? } else { rest };
    let rest = if rational::parts(rest).is_some_and(|(n, _)| int_zero(n)) { Value::fixnum(0) } else { rest };
    from_parts(vm, this, (t.ns.get() + ns + carry as i128, rest))
}
fn plus(vm: Vm, this: Value, args: Args) -> Ruby {
    let other = args.or_nil(0);
    if other.data::<Time>().is_some() {
        return Err(vm.type_error("time + time?"));
    }
    moved(vm, this, other, false)
}
fn minus(vm: Vm, this: Value, args: Args) -> Ruby {
    let other = args.or_nil(0);
    let Some(b) = other.data::<Time>() else { return moved(vm, this, other, true) };
    let a = of(vm, this)?;
    let d = vm.send(total(vm, a)?, sym::MINUS, &[total(vm, b)?])?;
    let s = rational::convert(vm, d, Some(Value::fixnum(1_000_000_000)))?;
    Ok(vm.float(rational::to_double(s)))
}
/// Rounds to so many digits of a second; `f` rounds a ratio to an Integer.
fn rounded(vm: Vm, this: Value, args: Args, f: fn(Vm, Value, Value) -> Ruby) -> Ruby {
    let digits = args.get(0).map_or(Ok(0), |d| vm.to_i32(d))?;
    if digits < 0 {
        return Err(vm.arg_error("negative ndigits given"));
    }
    let t = of(vm, this)?;
    if digits > 9 && int_zero(t.rest.get()) {
        return from_parts(vm, this, (t.ns.get(), t.rest.get()));
    }
    let (n, d) = rational::parts(total(vm, t)?).ok_or_else(|| out_of_range(vm))?;
    let unit = super::integer::ten_to(vm, (9 - digits).unsigned_abs());
    let whole = if digits <= 9 {
        vm.int_mul(f(vm, n, vm.int_mul(d, unit))?, unit)
    } else {
        let w = f(vm, vm.int_mul(n, unit), d)?;
        rational::new(vm, w, unit)?
    };
    from_parts(vm, this, split(vm, whole, 1)?)
}
fn round(vm: Vm, this: Value, args: Args) -> Ruby {
    // Halves go forward in time, before 1970 too.
    rounded(vm, this, args, |vm, n, d| {
        let half = if int_negative(n) { rounding::Half::Down } else { rounding::Half::Up };
        rounding::ratio_round(vm, n, d, half)
    })
}
fn floor(vm: Vm, this: Value, args: Args) -> Ruby {
    rounded(vm, this, args, |vm, n, d| vm.int_div(n, d))
}
fn ceil(vm: Vm, this: Value, args: Args) -> Ruby {
    rounded(vm, this, args, rounding::ratio_ceil)
}

// ---- numbers

fn to_i(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(vm.int(of(vm, this)?.secs()))
}
fn to_r(vm: Vm, this: Value, _: Args) -> Ruby {
    let t = total(vm, of(vm, this)?)?;
    let billion = Value::fixnum(1_000_000_000);
    match rational::parts(t) {
        Some((n, d)) => rational::new(vm, n, vm.int_mul(d, billion)),
        None => Ok(NIL),
    }
}
fn to_f(vm: Vm, this: Value, args: Args) -> Ruby {
    let r = to_r(vm, this, args)?;
    Ok(vm.float(rational::to_double(r)))
}
fn usec(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(Value::fixnum(of(vm, this)?.nanos() as i64 / 1000))
}
fn nsec(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(Value::fixnum(of(vm, this)?.nanos() as i64))
}
/// `time.subsec`: 0, or a Rational below 1.
fn subsec(vm: Vm, this: Value, _: Args) -> Ruby {
    let t = of(vm, this)?;
    let ns = Value::fixnum(t.nanos() as i64);
    let all = vm.send(t.rest.get(), sym::PLUS, &[ns])?;
    match rational::parts(all) {
        Some((n, _)) if int_zero(n) => Ok(Value::fixnum(0)),
        Some((n, d)) => rational::new(vm, n, vm.int_mul(d, Value::fixnum(1_000_000_000))),
        None => Ok(NIL),
    }
}

macro_rules! fields { ($($name:ident = |$f:ident| $e:expr;)+) => { $(
    fn $name(vm: Vm, this: Value, _: Args) -> Ruby {
        let $f = of(vm, this)?.fields();
        Ok(Value::from($e))
    }
)+ } }
fields! {
    year = |f| Value::fixnum(f.year);
    month = |f| Value::fixnum(f.mon as i64);
    day = |f| Value::fixnum(f.day as i64);
    hour = |f| Value::fixnum(f.hour as i64);
    min = |f| Value::fixnum(f.min as i64);
    sec = |f| Value::fixnum(f.sec as i64);
    wday = |f| Value::fixnum(f.wday as i64);
    yday = |f| Value::fixnum(f.yday as i64);
    dst = |f| f.dst;
    sunday = |f| f.wday == 0;
    monday = |f| f.wday == 1;
    tuesday = |f| f.wday == 2;
    wednesday = |f| f.wday == 3;
    thursday = |f| f.wday == 4;
    friday = |f| f.wday == 5;
    saturday = |f| f.wday == 6;
    utc_offset = |f| Value::fixnum(f.offset as i64);
}

// ---- zones

/// `time.zone`: the abbreviation, nil at a bare offset.
fn zone(vm: Vm, this: Value, _: Args) -> Ruby {
    let name = of(vm, this)?.face().zone_name;
    Ok(if name.is_empty() { NIL } else { RString::ascii(&vm, &name).value() })
}
fn is_utc(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok((of(vm, this)?.zone.get() == Zone::Utc).into())
}
fn rezone(vm: Vm, this: Value, zone: Zone) -> Ruby {
    let t = of(vm, this)?;
    if t.zone.get() != zone {
        vm.check_frozen(this)?;
        t.set_zone(zone);
    }
    Ok(this)
}
fn zone_arg(vm: Vm, args: Args) -> Ruby<Zone> {
    time_args::zone(vm, args.or_nil(0))
}
fn utc(vm: Vm, this: Value, _: Args) -> Ruby {
    rezone(vm, this, Zone::Utc)
}
fn localtime(vm: Vm, this: Value, args: Args) -> Ruby {
    rezone(vm, this, zone_arg(vm, args)?)
}
fn getutc(vm: Vm, this: Value, _: Args) -> Ruby {
    let t = of(vm, this)?;
    Ok(make(vm, vm.real_class_of(this), t.ns.get(), t.rest.get(), Zone::Utc))
}
fn getlocal(vm: Vm, this: Value, args: Args) -> Ruby {
    let zone = zone_arg(vm, args)?;
    let t = of(vm, this)?;
    Ok(make(vm, vm.real_class_of(this), t.ns.get(), t.rest.get(), zone))
}

// ---- text

/// Digits `%N` shows beyond the nanosecond; zeros follow.
const MORE_DIGITS: u32 = 60;

fn shown(vm: Vm, this: Value, format: &[u8]) -> Ruby<Vec<u8>> {
    let t = of(vm, this)?;
    let face = t.face();
    let mut fraction = format!("{:09}", t.nanos());
    if let Some((n, d)) = rational::parts(t.rest.get())
        && !int_zero(n)
    {
        let more = vm.int_div(vm.int_mul(n, super::integer::ten_to(vm, MORE_DIGITS)), d)?;
        fraction += &format!("{:0>1$}", super::integer::int_to_s(more, 10), MORE_DIGITS as usize);
    }
    let m = Moment {
        fields: face.fields,
        secs: t.secs(),
        fraction: &fraction,
        zone_name: &face.zone_name,
        utc: t.zone.get() == Zone::Utc,
    };
    strftime(format, &m).ok_or_else(|| vm.errno_error(libc::ERANGE, None))
}
fn ascii(vm: Vm, this: Value, format: &str) -> Ruby {
    let text = shown(vm, this, format.as_bytes())?;
    Ok(RString::from_vec(&vm, text, Enc::Ascii).value())
}
fn to_s(vm: Vm, this: Value, _: Args) -> Ruby {
    let zone = if of(vm, this)?.zone.get() == Zone::Utc { "UTC" } else { "%z" };
    ascii(vm, this, &format!("%Y-%m-%d %H:%M:%S {zone}"))
}
fn inspect(vm: Vm, this: Value, args: Args) -> Ruby {
    let t = of(vm, this)?;
    // Seconds of an offset show here only.
    let zone = match (t.zone.get(), t.fields().offset.unsigned_abs() % 60) {
        (Zone::Utc, _) => "UTC".to_string(),
        (_, 0) => "%z".to_string(),
        (_, s) => format!("%z{s:02}"),
    };
    if !int_zero(t.rest.get()) {
        let sub = subsec(vm, this, args)?;
        let sub = vm.to_s(sub)?.text();
        return ascii(vm, this, &format!("%Y-%m-%d %H:%M:%S {sub} {zone}"));
    }
    let digits = format!(".{:09}", t.nanos());
    let digits = digits.trim_end_matches('0').trim_end_matches('.');
    ascii(vm, this, &format!("%Y-%m-%d %H:%M:%S{digits} {zone}"))
}
fn ctime(vm: Vm, this: Value, _: Args) -> Ruby {
    ascii(vm, this, "%a %b %e %H:%M:%S %Y")
}
fn format(vm: Vm, this: Value, args: Args) -> Ruby {
    let f = vm.to_str(args.or_nil(0))?;
    if !f.enc().ascii_compatible() {
        return Err(vm.arg_error("format should have ASCII compatible encoding"));
    }
    let bytes = f.bytes().to_vec();
    Ok(RString::from_vec(&vm, shown(vm, this, &bytes)?, f.enc()).value())
}
/// `time.xmlschema(digits = 0)`.
fn xmlschema(vm: Vm, this: Value, args: Args) -> Ruby {
    let digits = args.get(0).map_or(Ok(0), |d| vm.to_i32(d))?;
    let t = of(vm, this)?;
    let fraction = if digits > 0 { format!(".%{digits}N") } else { String::new() };
    let zone = if t.zone.get() == Zone::Utc { "Z" } else { "%:z" };
    ascii(vm, this, &format!("%Y-%m-%dT%H:%M:%S{fraction}{zone}"))
}
/// `[sec, min, hour, day, month, year, wday, yday, isdst, zone]`.
fn to_a(vm: Vm, this: Value, args: Args) -> Ruby {
    let f = of(vm, this)?.fields();
    let list = RArray::new(&vm, 10);
    for n in [f.sec, f.min, f.hour, f.day, f.mon] {
        list.push(&vm, Value::fixnum(n as i64));
    }
    list.push(&vm, Value::fixnum(f.year));
    list.push(&vm, Value::fixnum(f.wday as i64));
    list.push(&vm, Value::fixnum(f.yday as i64));
    list.push(&vm, f.dst.into());
    list.push(&vm, zone(vm, this, args)?);
    Ok(list.value())
}
/// `time.deconstruct_keys(names or nil) -> hash`.
fn deconstruct_keys(vm: Vm, this: Value, args: Args) -> Ruby {
    let keys = args.or_nil(0);
    let wanted = keys.as_array();
    if wanted.is_none() && !keys.is_nil() {
        let got = vm.describe(keys);
        return Err(vm.type_error(&format!("wrong argument type {got} (expected Array or nil)")));
    }
    let f = of(vm, this)?.fields();
    let h = RHash::new(&vm);
    let put = |name: &str, v: Value| {
        let key: Value = vm.sym(name);
        if wanted.is_none_or(|w| w.slice().contains(&key)) { h.set(&vm, &vm, key, v) } else { Ok(()) }
    };
    put("year", Value::fixnum(f.year))?;
    put("month", Value::fixnum(f.mon as i64))?;
    put("day", Value::fixnum(f.day as i64))?;
    put("yday", Value::fixnum(f.yday as i64))?;
    put("wday", Value::fixnum(f.wday as i64))?;
    put("hour", Value::fixnum(f.hour as i64))?;
    put("min", Value::fixnum(f.min as i64))?;
    put("sec", Value::fixnum(f.sec as i64))?;
    put("subsec", subsec(vm, this, args)?)?;
    put("dst", f.dst.into())?;
    put("zone", zone(vm, this, args)?)?;
    Ok(h.value())
}
