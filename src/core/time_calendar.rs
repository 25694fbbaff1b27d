//! Calendar arithmetic for `Time`: seconds since 1970 to year, month, day ... and back, in UTC, at a fixed offset or in
//! the system's time zone (libc).

/// A moment's fields in some zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fields {
    pub year: i64,
    /// 1..=12
    pub mon: u32,
    pub day: u32,
    pub hour: u32,
    pub min: u32,
    pub sec: u32,
    /// 0 is Sunday
    pub wday: u32,
    /// 1..=366
    pub yday: u32,
    pub dst: bool,
    /// seconds east of UTC
    pub offset: i32,
}

/// Where a Time's clock hangs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Zone {
    Utc,
    /// seconds east of UTC
    Fixed(i32),
    /// the system's
    Local,
}

const DAY: i64 = 86_400;

pub fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

/// Days from 1970-01-01 to a date of the proleptic Gregorian calendar. `mon` is 1..=12; `day` may run over.
pub fn days_from_civil(year: i64, mon: u32, day: i64) -> i64 {
    // Years that begin in March: the leap day comes last.
    let y = if mon <= 2 { year - 1 } else { year };
    let era = y.div_euclid(400);
    let of_era = y.rem_euclid(400);
    let month = (mon as i64 + 9) % 12;
    let of_year = (153 * month + 2) / 5;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year + day - 1 - 719_468
}

/// Year, month and day of a day number.
pub fn civil_from_days(days: i64) -> (i64, u32, u32) {
    let z = days + 719_468;
    let era = z.div_euclid(146_097);
    let of_era = z.rem_euclid(146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = (of_year - (153 * month + 2) / 5 + 1) as u32;
    let mon = if month < 10 { month + 3 } else { month - 9 } as u32;
    (era * 400 + year + (mon <= 2) as i64, mon, day)
}

/// Fields of `secs` since 1970 on a clock `offset` seconds ahead of UTC.
pub fn fields_at(secs: i64, offset: i32) -> Fields {
    let t = secs + offset as i64;
    let (days, rest) = (t.div_euclid(DAY), t.rem_euclid(DAY));
    let (year, mon, day) = civil_from_days(days);
    Fields {
        year,
        mon,
        day,
        hour: (rest / 3600) as u32,
        min: (rest / 60 % 60) as u32,
        sec: (rest % 60) as u32,
        wday: (days + 4).rem_euclid(7) as u32,
        yday: (days - days_from_civil(year, 1, 1) + 1) as u32,
        dst: false,
        offset,
    }
}

unsafe extern "C" {
    fn tzset();
}

/// `localtime_r`, after a look at TZ; `None` beyond what it can do.
fn local_tm(secs: i64) -> Option<libc::tm> {
    // SAFETY: a zeroed tm is valid; both pointers are ours. tzset reads the environment, which is changed only with
    // the GVL held, as this is called.
    unsafe {
        tzset();
        let mut tm: libc::tm = std::mem::zeroed();
        if libc::localtime_r(&secs, &mut tm).is_null() { None } else { Some(tm) }
    }
}

/// Seconds east of UTC and whether it is summer time, in the system's zone at that moment.
pub fn local_offset(secs: i64) -> (i32, bool) {
    local_tm(secs).map_or((0, false), |tm| (tm.tm_gmtoff as i32, tm.tm_isdst > 0))
}

/// The system zone's abbreviation at that moment.
pub fn local_zone_name(secs: i64) -> String {
    let Some(tm) = local_tm(secs) else { return "UTC".into() };
    if tm.tm_zone.is_null() {
        return String::new();
    }
    // SAFETY: libc's own NUL-terminated text, valid until the next tzset.
    unsafe { std::ffi::CStr::from_ptr(tm.tm_zone) }.to_string_lossy().into_owned()
}

/// Fields of a moment in a zone.
pub fn fields(secs: i64, zone: Zone) -> Fields {
    match zone {
        Zone::Utc => fields_at(secs, 0),
        Zone::Fixed(offset) => fields_at(secs, offset),
        Zone::Local => {
            let (offset, dst) = local_offset(secs);
            Fields { dst, ..fields_at(secs, offset) }
        }
    }
}

/// The moment a clock in `zone` shows these fields (`f.offset`, `wday`, `yday` are not looked at). In the system's zone a
/// time shown twice is the later one unless `dst` says otherwise; one never shown moves on by the gap.
pub fn moment(f: &Fields, zone: Zone, dst: Option<bool>) -> i64 {
    let clock =
        days_from_civil(f.year, f.mon, f.day as i64) * DAY + f.hour as i64 * 3600 + f.min as i64 * 60 + f.sec as i64;
    match zone {
        Zone::Utc => clock,
        Zone::Fixed(offset) => clock - offset as i64,
        Zone::Local => {
            let (before, after) = (local_offset(clock - DAY), local_offset(clock + DAY));
            let (a, b) = (clock - before.0 as i64, clock - after.0 as i64);
            let shows = |t: i64| t + local_offset(t).0 as i64 == clock;
            match (shows(a), shows(b)) {
                (true, true) if a != b => match dst {
                    Some(d) if local_offset(a).1 == d => a,
                    _ => b,
                },
                (true, _) => a,
                (false, true) => b,
                // In the gap: as if the old offset still held.
                (false, false) => a,
            }
        }
    }
}

/// ISO week: the year it belongs to, and its number.
pub fn iso_week(f: &Fields) -> (i64, u32) {
    let monday_based = (f.wday + 6) % 7;
    let week = (f.yday as i64 - 1 - monday_based as i64 + 10) / 7;
    if week < 1 {
        let days = if is_leap(f.year - 1) { 366 } else { 365 };
        let week = (f.yday as i64 + days - 1 - monday_based as i64 + 10) / 7;
        return (f.year - 1, week as u32);
    }
    let days = if is_leap(f.year) { 366 } else { 365 };
    if week == 53 && f.yday as i64 - monday_based as i64 + 3 > days {
        return (f.year + 1, 1);
    }
    (f.year, week as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_dates_agree() {
        for days in (-800_000..800_000).step_by(97) {
            let (y, m, d) = civil_from_days(days);
            assert_eq!(days_from_civil(y, m, d as i64), days);
        }
        assert_eq!(civil_from_days(0), (1970, 1, 1));
        assert_eq!(civil_from_days(11_016), (2000, 2, 29));
    }

    #[test]
    fn iso_weeks_at_the_turn_of_the_year() {
        let week = |y, m, d| iso_week(&fields_at(days_from_civil(y, m, d) * DAY, 0));
        assert_eq!(week(2005, 1, 1), (2004, 53));
        assert_eq!(week(2008, 12, 29), (2009, 1));
        assert_eq!(week(2010, 1, 3), (2009, 53));
        assert_eq!(week(2024, 12, 31), (2025, 1));
        assert_eq!(week(2020, 12, 31), (2020, 53));
    }
}
