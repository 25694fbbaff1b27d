//! Arguments of `Time`'s constructors: calendar fields, text, and zones.

use super::time_calendar::{Fields, Zone, moment};
use super::{integer, rational, time};
use crate::object::sym;
use crate::value::{Raised, Ruby, Value};
use crate::vm::Vm;
use crate::vm::arith::{int_cmp, int_zero};

/// A date and a time of day as a caller wrote them.
pub struct Civil {
    year: i64,
    mon: u32,
    day: u32,
    hour: u32,
    min: u32,
    sec: u32,
    /// nanoseconds beyond the whole second, and a Rational rest
    ns: i128,
    rest: Value,
}

impl Civil {
    /// Adds nanoseconds.
    pub fn add(&mut self, vm: Vm, (ns, rest): (i128, Value)) -> Ruby<()> {
        self.ns += ns;
        self.rest = vm.send(self.rest, sym::PLUS, &[rest])?;
        if let Some((n, d)) = rational::parts(self.rest)
            && int_cmp(n, d).is_ge()
        {
            self.ns += 1;
            self.rest = vm.send(self.rest, sym::MINUS, &[Value::fixnum(1)])?;
        }
        if rational::parts(self.rest).is_some_and(|(n, _)| int_zero(n)) {
            self.rest = Value::fixnum(0);
        }
        Ok(())
    }
    /// Nanoseconds since 1970 and their rest.
    pub fn moment(&self, vm: Vm, zone: Zone, dst: Option<bool>) -> Ruby<(i128, Value)> {
        if self.year.abs() > 290_000_000_000 {
            return Err(vm.range_error("Time is too far from 1970 for minirb"));
        }
        let f = Fields {
            year: self.year,
            mon: self.mon,
            day: self.day,
            hour: self.hour,
            min: self.min,
            sec: self.sec,
            wday: 0,
            yday: 0,
            dst: false,
            offset: 0,
        };
        Ok((moment(&f, zone, dst) as i128 * 1_000_000_000 + self.ns, self.rest))
    }
}

fn out_of_range(vm: Vm) -> Raised {
    vm.arg_error("argument out of range")
}

/// An Integer field; text is read in base 10.
fn int(vm: Vm, v: Value) -> Ruby<i64> {
    if let Some(s) = v.as_str() {
        let bytes = s.bytes().to_vec();
        return match super::number_text::str_to_int(vm, &bytes, 10, true) {
            Some(n) => vm.to_i64(n),
            None => {
                integer::convert(vm, v, Value::fixnum(10))?;
                Err(out_of_range(vm))
            }
        };
    }
    vm.to_i64(v)
}
/// A field of so many bits.
fn bits(vm: Vm, v: Option<Value>, default: u32, bits: u32) -> Ruby<u32> {
    let Some(v) = v else { return Ok(default) };
    let n = int(vm, v)?;
    if (0..1 << bits).contains(&n) { Ok(n as u32) } else { Err(out_of_range(vm)) }
}

/// Year, month, day, hour, minute, second from arguments; months may be names, seconds may be broken. `named`: errors
/// say which field is out of range.
pub fn civil(vm: Vm, a: &[Value], named: bool) -> Ruby<Civil> {
    let year = int(vm, a[0])?;
    let get = |i: usize| a.get(i).copied().filter(|v| !v.is_nil());
    let mon = match get(1) {
        Some(v) => month(vm, v)?,
        None => 1,
    };
    let day = bits(vm, get(2), 1, 5)?;
    let hour = bits(vm, get(3), 0, 5)?;
    let min = bits(vm, get(4), 0, 6)?;
    let mut c = Civil { year, mon, day, hour, min, sec: 0, ns: 0, rest: Value::fixnum(0) };
    if let Some(v) = get(5) {
        let v = if v.as_str().is_some() { vm.int(int(vm, v)?) } else { time::exact_number(vm, v)? };
        let (n, d) = rational::parts(v).ok_or_else(|| out_of_range(vm))?;
        let whole = vm.int_div(n, d)?;
        c.sec = bits(vm, Some(whole), 0, 6)?;
        let part = vm.send(v, sym::MINUS, &[whole])?;
        c.add(vm, time::nanoseconds(vm, part)?)?;
    }
    let late = c.hour == 24;
    let checks = [
        ("mon", c.mon, 1, 12),
        ("mday", c.day, 1, 31),
        ("hour", c.hour, 0, 24),
        ("min", c.min, 0, if late { 0 } else { 59 }),
        ("sec", c.sec, 0, if late { 0 } else { 60 }),
    ];
    for (name, n, low, high) in checks {
        if n < low || n > high {
            return Err(if named { vm.arg_error(&format!("{name} out of range")) } else { out_of_range(vm) });
        }
    }
    Ok(c)
}
fn month(vm: Vm, v: Value) -> Ruby<u32> {
    if let Some(s) = vm.check_str(v)? {
        let name = s.text();
        if let Some(i) = super::time_format::MONTHS.iter().position(|m| m[..3].eq_ignore_ascii_case(&name)) {
            return Ok(i as u32 + 1);
        }
    }
    bits(vm, Some(v), 1, 4)
}

/// `in:` and other zone arguments: nil, an offset in seconds, "+09:00", "UTC", "Z", a military letter.
pub fn zone(vm: Vm, v: Value) -> Ruby<Zone> {
    if v.is_nil() {
        return Ok(Zone::Local);
    }
    if let Some(s) = vm.check_str(v)? {
        let text = s.text().into_owned();
        return match zone_text(text.as_bytes()) {
            Some(Some(z)) => Ok(z),
            Some(None) => Err(vm.arg_error("utc_offset out of range")),
            None => Err(vm.arg_error(&format!(
                "\"+HH:MM\", \"-HH:MM\", \"UTC\" or \"A\"..\"I\",\"K\"..\"Z\" expected for utc_offset: {text}"
            ))),
        };
    }
    let exact = time::exact_number(vm, v)?;
    let offset = vm.to_i64(vm.call(exact, "floor", &[])?)?;
    if offset.abs() >= 86_400 {
        return Err(vm.arg_error("utc_offset out of range"));
    }
    Ok(Zone::Fixed(offset as i32))
}

/// `None`: no zone; `Some(None)`: one out of range.
fn zone_text(s: &[u8]) -> Option<Option<Zone>> {
    match s {
        b"UTC" | b"Z" | b"-00:00" | b"-0000" => return Some(Some(Zone::Utc)),
        [c @ b'A'..=b'I'] => return Some(Some(Zone::Fixed((c - b'A' + 1) as i32 * 3600))),
        [c @ b'K'..=b'M'] => return Some(Some(Zone::Fixed((c - b'K' + 10) as i32 * 3600))),
        [c @ b'N'..=b'Y'] => return Some(Some(Zone::Fixed(-((c - b'N' + 1) as i32) * 3600))),
        _ => {}
    }
    let [sign @ (b'+' | b'-'), rest @ ..] = s else { return None };
    let digits: Vec<u8> = match rest {
        [_, _] | [_, _, _, _] | [_, _, _, _, _, _] if rest.iter().all(u8::is_ascii_digit) => rest.to_vec(),
        [h1, h2, b':', m1, m2] => vec![*h1, *h2, *m1, *m2],
        [h1, h2, b':', m1, m2, b':', s1, s2] => vec![*h1, *h2, *m1, *m2, *s1, *s2],
        _ => return None,
    };
    if !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let n = |i: usize| digits.get(i..i + 2).map_or(0, |d| (d[0] - b'0') as i32 * 10 + (d[1] - b'0') as i32);
    let (h, m, s) = (n(0), n(2), n(4));
    if h > 23 || m > 59 || s > 59 {
        return Some(None);
    }
    let offset = h * 3600 + m * 60 + s;
    Some(Some(Zone::Fixed(if *sign == b'-' { -offset } else { offset })))
}

/// `2000-12-31 23:59:59.5 +0900` as fields and the zone text, if there is one. Digits of a second beyond `precision` do
/// not count.
pub fn parse(vm: Vm, s: &[u8], precision: usize) -> Ruby<(Civil, Option<Value>)> {
    let lossy = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
    let fail = |text: String| vm.arg_error(&text);
    let cannot = || {
        let text = match vm.inspect(vm.str(&lossy(s))) {
            Ok(t) => t.text().into_owned(),
            Err(r) => return r,
        };
        vm.arg_error(&format!("can't parse: {text}"))
    };
    if s.first().is_some_and(u8::is_ascii_whitespace) || s.last().is_some_and(u8::is_ascii_whitespace) {
        return Err(cannot());
    }
    let signed = matches!(s.first(), Some(b'-' | b'+')) as usize;
    let n = s[signed..].iter().take_while(|b| b.is_ascii_digit()).count();
    if n == 0 {
        return Err(cannot());
    }
    if n < 4 {
        return Err(fail(format!("year must be 4 or more digits: {}", lossy(&s[signed..signed + n]))));
    }
    let year: i64 = lossy(&s[..signed + n]).parse().map_err(|_| out_of_range(vm))?;
    let mut c = Civil { year, mon: 1, day: 1, hour: 0, min: 0, sec: 0, ns: 0, rest: Value::fixnum(0) };
    let mut at = signed + n;
    let mut timed = false;
    // Two digits after one separator.
    let two = |at: &mut usize, name: &str, max: u32| -> Ruby<u32> {
        let sep = s[*at] as char;
        let d = &s[*at + 1..s.len().min(*at + 3)];
        if d.len() < 2 || !d.iter().all(u8::is_ascii_digit) || s.get(*at + 3).is_some_and(u8::is_ascii_digit) {
            let seen = lossy(&s[*at..s.len().min(*at + 11)]);
            let place = if sep == '-' || sep == ':' { format!(" after '{sep}'") } else { String::new() };
            return Err(fail(format!("two digits {name} is expected{place}: {seen}")));
        }
        *at += 3;
        let n = (d[0] - b'0') as u32 * 10 + (d[1] - b'0') as u32;
        if n > max { Err(fail(format!("{name} out of range"))) } else { Ok(n) }
    };
    if s.get(at) == Some(&b'-') {
        c.mon = two(&mut at, "mon", 12)?;
        if s.get(at) == Some(&b'-') {
            c.day = two(&mut at, "mday", 31)?;
            if matches!(s.get(at), Some(b' ' | b'T')) && s.get(at + 1).is_some_and(u8::is_ascii_digit) {
                let start = at + 1;
                c.hour = two(&mut at, "hour", 24)?;
                let missing = |at: usize, name: &str| {
                    fail(format!("missing {name} part: {} ", lossy(&s[start..s.len().min(at + 1)]).trim_end()))
                };
                let fraction = |at: usize, name: &str| -> Ruby<()> {
                    if s.get(at) == Some(&b'.') {
                        return Err(fail(format!("fraction {name} is not supported: {}", lossy(&s[start..=at]))));
                    }
                    Ok(())
                };
                fraction(at, "hour")?;
                if s.get(at) != Some(&b':') {
                    return Err(missing(at, "min"));
                }
                c.min = two(&mut at, "min", 59)?;
                fraction(at, "min")?;
                if s.get(at) != Some(&b':') {
                    return Err(missing(at, "sec"));
                }
                c.sec = two(&mut at, "sec", 60)?;
                timed = true;
                if s.get(at) == Some(&b'.') {
                    at += 1;
                    let all = s[at..].iter().take_while(|b| b.is_ascii_digit()).count();
                    let n = all.min(precision);
                    if n == 0 {
                        return Err(fail(format!(
                            "subsecond expected after dot: {}",
                            lossy(&s[start..s.len().min(at + 1)])
                        )));
                    }
                    let num = super::number_text::int_from_digits(vm, &s[at..at + n], 10, false);
                    let part = rational::new(vm, num, integer::ten_to(vm, n as u32))?;
                    c.add(vm, time::nanoseconds(vm, part)?)?;
                    at += all;
                }
            }
        }
    }
    if c.mon == 0 || c.day == 0 || c.hour == 24 && (c.min > 0 || c.sec > 0) {
        return Err(out_of_range(vm));
    }
    let rest = &s[at..];
    let spaces = rest.iter().take_while(|b| b.is_ascii_whitespace()).count();
    let zone = &rest[spaces..];
    let len = zone.iter().take_while(|b| !b.is_ascii_whitespace()).count();
    let after = zone[len..].trim_ascii_start();
    if !after.is_empty() {
        return Err(fail(format!("can't parse at: {}", lossy(after))));
    }
    if len > 0 {
        return Ok((c, Some(vm.str(&lossy(&zone[..len])))));
    }
    if !timed && at != signed + n {
        return Err(fail("no time information".into()));
    }
    Ok((c, None))
}
