//! How a Time is dumped: eight bytes of packed UTC fields, a distance for years that do not fit, and what is left
//! (nanoseconds, offset, zone) as variables of the String. The layout is CRuby's (time.c, time_mdump).

use super::time::{self, Time};
use super::time_calendar::{Fields, Zone, fields_at, moment};
use super::{rational, time_args};
use crate::class;
use crate::object::{Enc, RString, sym};
use crate::value::{NIL, Ruby, Value};
use crate::vm::arith::int_zero;
use crate::vm::{Args, Vm};
use num_bigint::{BigInt, Sign};

class! { "Time" < "Object";
    private ["_dump"] opt(0, 1) => dump;
    self ["_load"]    req(1)    => load;
}

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}

const BILLION: i128 = 1_000_000_000;
/// The first and last year that fit the packed form.
const YEARS: (i64, i64) = (1900, 1900 + 0xffff);

fn dump(vm: Vm, this: Value, _: Args) -> Ruby {
    let (ns, rest, zone) = time::raw_parts(vm, this)?;
    let f = fields_at(ns.div_euclid(BILLION) as i64, 0);
    let below = ns.rem_euclid(BILLION) as i64;
    let (usec, nsec) = (below / 1000, below % 1000);
    let year = f.year.clamp(YEARS.0, YEARS.1);
    let utc = zone == Zone::Utc;
    let p = 1u32 << 31 | (utc as u32) << 30 | ((year - YEARS.0) as u32) << 14 | (f.mon - 1) << 10 | f.day << 5 | f.hour;
    let s = f.min << 26 | f.sec << 20 | usec as u32;
    let mut bytes = [p.to_le_bytes(), s.to_le_bytes()].concat();
    if f.year != year {
        let far = BigInt::from(f.year.abs_diff(year)).to_bytes_le().1;
        // A length below 123 is one byte in Marshal's form.
        bytes.push(far.len() as u8 + 5);
        bytes.extend(far);
    }
    let text = RString::from_vec(&vm, bytes, Enc::Binary).value();
    let set = |name: &str, v: Value| vm.ivar_set(text, vm.intern(name), v);
    let nano = vm.send(rest, sym::PLUS, &[Value::fixnum(nsec)])?;
    if let Some((n, d)) = rational::parts(nano)
        && !int_zero(n)
    {
        set("nano_num", n);
        set("nano_den", d);
    }
    if nsec != 0 {
        // Two digits a byte, for Ruby 1.9.1.
        let mut bcd = vec![(((nsec / 100) << 4) | (nsec / 10 % 10)) as u8];
        if nsec % 10 != 0 {
            bcd.push(((nsec % 10) << 4) as u8);
        }
        set("submicro", RString::from_vec(&vm, bcd, Enc::Binary).value());
    }
    if !utc {
        set("offset", vm.call(this, "utc_offset", &[])?);
    }
    set("zone", vm.call(this, "zone", &[])?);
    Ok(text)
}

fn load(vm: Vm, this: Value, args: Args) -> Ruby {
    let Some(class) = this.as_class() else { return Ok(NIL) };
    let text = vm.to_str(args.or_nil(0))?;
    let differ = || vm.type_error("marshaled time format differ");
    let b = text.bytes().to_vec();
    let get = |name: &str| vm.ivar_get(text.value(), vm.intern(name)).filter(|v| !v.is_nil());
    if b.len() < 8 {
        return Err(differ());
    }
    let word = |i: usize| u32::from_le_bytes([b[i], b[i + 1], b[i + 2], b[i + 3]]);
    let (p, s) = (word(0), word(4));
    if p >> 31 == 0 {
        // The oldest form: seconds and microseconds.
        let ns = p as i128 * BILLION + s as i128 * 1000;
        return Ok(time::with_class(vm, class, ns, Value::fixnum(0), Zone::Local));
    }
    let mut year = (p >> 14 & 0xffff) as i64 + YEARS.0;
    if let Some((&len, digits)) = b[8..].split_first() {
        let len = (len as usize).checked_sub(5).filter(|n| *n <= digits.len()).ok_or_else(differ)?;
        let far = BigInt::from_bytes_le(Sign::Plus, &digits[..len]);
        let far = i64::try_from(far).ok().filter(|n| *n < 1 << 50).ok_or_else(differ)?;
        year = if year == YEARS.0 { year - far } else { year + far };
    }
    let mon = p >> 10 & 0xf;
    let f = Fields {
        year: year + (mon / 12) as i64,
        mon: mon % 12 + 1,
        day: p >> 5 & 0x1f,
        hour: p & 0x1f,
        min: s >> 26 & 0x3f,
        sec: s >> 20 & 0x3f,
        wday: 0,
        yday: 0,
        dst: false,
        offset: 0,
    };
    let mut ns = moment(&f, Zone::Utc, None) as i128 * BILLION + (s & 0xf_ffff) as i128 * 1000;
    let mut rest = Value::fixnum(0);
    if let Some(n) = get("nano_num") {
        let d = get("nano_den").unwrap_or(Value::fixnum(1));
        let nano = rational::convert(vm, n, Some(d))?;
        let whole = vm.call(nano, "floor", &[])?;
        ns += vm.to_i64(whole)? as i128;
        rest = vm.send(nano, sym::MINUS, &[whole])?;
        if rational::parts(rest).is_some_and(|(n, _)| int_zero(n)) {
            rest = Value::fixnum(0);
        }
    }
    let zone = match get("offset") {
        _ if p >> 30 & 1 == 1 => Zone::Utc,
        Some(o) => vm.rescue(vm.classes.standard_error.get(), || time_args::zone(vm, o))?.unwrap_or(Zone::Local),
        None => Zone::Local,
    };
    let v = time::with_class(vm, class, ns, rest, zone);
    if let (Zone::Fixed(_), Some(name), Some(t)) = (zone, get("zone").and_then(|z| z.as_str()), v.data::<Time>())
        && name.is_ascii_only()
    {
        t.name_zone(&name.text());
    }
    for name in vm.ivar_names(text.value()) {
        if let Some(x) = vm.ivar_get(text.value(), name) {
            vm.ivar_set(v, name, x);
        }
    }
    Ok(v)
}
