//! `Time#strftime`, `to_s`, `inspect`, `xmlschema`.

use super::time_calendar::{Fields, iso_week};

pub const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
pub const DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/// What a format needs to know.
pub struct Moment<'a> {
    pub fields: Fields,
    pub secs: i64,
    /// digits of the second's fraction, nine or more
    pub fraction: &'a str,
    pub zone_name: &'a str,
    pub utc: bool,
}

/// Widest field: more raises Errno::ERANGE in CRuby; here the directive fails.
const MAX_WIDTH: usize = 65_535;

#[derive(Clone, Copy, Default)]
struct Flags {
    /// '0', '_' (space) or '-' (none)
    pad: Option<u8>,
    upper: bool,
    swap: bool,
    colons: usize,
    width: Option<usize>,
}

/// Expands a format; `None` if a width is out of range.
pub fn strftime(format: &[u8], t: &Moment) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let mut i = 0;
    while i < format.len() {
        if format[i] != b'%' {
            out.push(format[i]);
            i += 1;
            continue;
        }
        let start = i;
        i += 1;
        let mut f = Flags::default();
        loop {
            match format.get(i) {
                Some(b'-') => f.pad = Some(b'-'),
                Some(b'0') => f.pad = Some(b'0'),
                Some(b'_') => f.pad = Some(b' '),
                Some(b'^') => f.upper = true,
                Some(b'#') => f.swap = true,
                _ => break,
            }
            i += 1;
        }
        while let Some(d) = format.get(i).filter(|b| b.is_ascii_digit()) {
            let w = f.width.unwrap_or(0) * 10 + (d - b'0') as usize;
            if w > MAX_WIDTH {
                return None;
            }
            f.width = Some(w);
            i += 1;
        }
        while format.get(i) == Some(&b':') {
            f.colons += 1;
            i += 1;
        }
        // Locale modifiers change nothing here.
        if let (Some(m @ (b'E' | b'O')), Some(c)) = (format.get(i), format.get(i + 1)) {
            let known: &[u8] = if *m == b'E' { b"cCxXyY" } else { b"deHkIlmMSuUVwWy" };
            if known.contains(c) {
                i += 1;
            }
        }
        let known = match format.get(i) {
            Some(&c) if f.colons == 0 || c == b'z' => directive(&mut out, c, f, t),
            _ => false,
        };
        if known {
            i += 1;
        } else {
            let end = (i + 1).min(format.len());
            out.extend_from_slice(&format[start..end]);
            i = end;
        }
    }
    Some(out)
}

fn text(out: &mut Vec<u8>, s: &str, f: Flags) {
    let pad = if f.pad == Some(b'0') { b'0' } else { b' ' };
    if f.pad != Some(b'-') {
        let n = f.width.unwrap_or(0).saturating_sub(s.len());
        out.extend(std::iter::repeat_n(pad, n));
    }
    let s = if f.upper { s.to_uppercase() } else { s.to_string() };
    out.extend_from_slice(s.as_bytes());
}

/// A number in `width` columns, padded with `pad` unless a flag says otherwise.
fn number(out: &mut Vec<u8>, n: i64, width: usize, pad: u8, f: Flags) {
    let pad = f.pad.unwrap_or(pad);
    let width = f.width.unwrap_or(width);
    let digits = n.unsigned_abs().to_string();
    let sign = if n < 0 { "-" } else { "" };
    let fill = if pad == b'-' { 0 } else { width.saturating_sub(digits.len() + sign.len()) };
    if pad == b' ' {
        out.extend(std::iter::repeat_n(b' ', fill));
        out.extend_from_slice(sign.as_bytes());
    } else {
        out.extend_from_slice(sign.as_bytes());
        out.extend(std::iter::repeat_n(b'0', fill));
    }
    out.extend_from_slice(digits.as_bytes());
}

fn composite(out: &mut Vec<u8>, format: &str, f: Flags, t: &Moment) {
    let inner = strftime(format.as_bytes(), t).unwrap_or_default();
    text(out, &String::from_utf8_lossy(&inner), f);
}

/// Prints one directive; false if there is none of this letter.
fn directive(out: &mut Vec<u8>, c: u8, mut f: Flags, t: &Moment) -> bool {
    let d = &t.fields;
    // '#' turns names to capitals, and AM/PM and zones to small letters.
    if f.swap && !matches!(c, b'p' | b'Z') {
        f.upper = true;
    }
    match c {
        b'Y' => number(out, d.year, if d.year < 0 { 5 } else { 4 }, b'0', f),
        b'C' => number(out, d.year.div_euclid(100), 2, b'0', f),
        b'y' => number(out, d.year.rem_euclid(100), 2, b'0', f),
        b'm' => number(out, d.mon as i64, 2, b'0', f),
        b'B' => text(out, MONTHS[d.mon as usize - 1], f),
        b'b' | b'h' => text(out, &MONTHS[d.mon as usize - 1][..3], f),
        b'd' => number(out, d.day as i64, 2, b'0', f),
        b'e' => number(out, d.day as i64, 2, b' ', f),
        b'j' => number(out, d.yday as i64, 3, b'0', f),
        b'H' => number(out, d.hour as i64, 2, b'0', f),
        b'k' => number(out, d.hour as i64, 2, b' ', f),
        b'I' => number(out, ((d.hour + 11) % 12 + 1) as i64, 2, b'0', f),
        b'l' => number(out, ((d.hour + 11) % 12 + 1) as i64, 2, b' ', f),
        b'M' => number(out, d.min as i64, 2, b'0', f),
        b'S' => number(out, d.sec as i64, 2, b'0', f),
        b'L' | b'N' => {
            let want = f.width.filter(|w| *w > 0).unwrap_or(if c == b'L' { 3 } else { 9 });
            out.extend(t.fraction.bytes().chain(std::iter::repeat(b'0')).take(want));
        }
        b'z' => offset(out, f, t),
        b'Z' => {
            let name = if f.swap { t.zone_name.to_lowercase() } else { t.zone_name.to_string() };
            text(out, &name, f);
        }
        b'A' => text(out, DAYS[d.wday as usize], f),
        b'a' => text(out, &DAYS[d.wday as usize][..3], f),
        b'u' => number(out, ((d.wday + 6) % 7 + 1) as i64, 1, b'0', f),
        b'w' => number(out, d.wday as i64, 1, b'0', f),
        b'G' => number(out, iso_week(d).0, if iso_week(d).0 < 0 { 5 } else { 4 }, b'0', f),
        b'g' => number(out, iso_week(d).0.rem_euclid(100), 2, b'0', f),
        b'V' => number(out, iso_week(d).1 as i64, 2, b'0', f),
        b'U' => number(out, (d.yday + 6 - d.wday) as i64 / 7, 2, b'0', f),
        b'W' => number(out, (d.yday + 6 - (d.wday + 6) % 7) as i64 / 7, 2, b'0', f),
        b's' => number(out, t.secs, 1, b'0', f),
        b'p' | b'P' => {
            let am = if d.hour < 12 { "AM" } else { "PM" };
            let small = c == b'P' || f.swap;
            text(out, &if small { am.to_lowercase() } else { am.to_string() }, f);
        }
        b'n' => text(out, "\n", f),
        b't' => text(out, "\t", f),
        b'%' => text(out, "%", f),
        b'c' => composite(out, "%a %b %e %H:%M:%S %Y", f, t),
        b'D' | b'x' => composite(out, "%m/%d/%y", f, t),
        b'F' => composite(out, "%Y-%m-%d", f, t),
        b'v' => composite(out, "%e-%^b-%4Y", f, t),
        b'X' | b'T' => composite(out, "%H:%M:%S", f, t),
        b'r' => composite(out, "%I:%M:%S %p", f, t),
        b'R' => composite(out, "%H:%M", f, t),
        _ => return false,
    }
    true
}

/// `%z` and its colon forms; the hours take up the width.
fn offset(out: &mut Vec<u8>, f: Flags, t: &Moment) {
    let off = t.fields.offset;
    // "-00:00" says that the zone is not known.
    let negative = off < 0 || f.pad == Some(b'-') && t.utc;
    let (h, m, s) = (off.unsigned_abs() / 3600, off.unsigned_abs() / 60 % 60, off.unsigned_abs() % 60);
    let tail = match f.colons {
        0 => format!("{m:02}"),
        1 => format!(":{m:02}"),
        2 => format!(":{m:02}:{s:02}"),
        3 if s != 0 => format!(":{m:02}:{s:02}"),
        3 if m != 0 => format!(":{m:02}"),
        _ => String::new(),
    };
    let sign = if negative { '-' } else { '+' };
    let digits = f.width.unwrap_or(0).saturating_sub(1 + tail.len()).max(2);
    let text = match f.pad {
        Some(b' ') => format!("{:>w$}{tail}", format!("{sign}{h}"), w = digits + 1),
        _ => format!("{sign}{h:0digits$}{tail}"),
    };
    out.extend_from_slice(text.as_bytes());
}
