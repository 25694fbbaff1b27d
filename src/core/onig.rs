//! Oniguruma: compiled patterns and searching bytes with them. Nothing here knows Ruby values.
//!
//! O1  `Pattern::reg` was made by `onig_new` and is freed once, by `drop`
//! O2  strings searched are valid in the pattern's encoding (callers check), so the engine never reads past their end

use crate::object::Enc;
use onig_sys as sys;
use std::cell::Cell;
use std::ptr::null_mut;
use std::sync::Once;

/// Which of the engine's encodings a pattern is compiled for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Engine {
    Utf8,
    Bytes,
    Latin1,
    EucJp,
    ShiftJis,
    Utf16Le,
    Utf16Be,
    Utf32Le,
    Utf32Be,
}

impl Engine {
    pub fn of(enc: Enc) -> Engine {
        match enc {
            Enc::Utf8 | Enc::Ascii => Engine::Utf8,
            Enc::Latin1 | Enc::Latin9 | Enc::Windows1252 => Engine::Latin1,
            Enc::EucJp => Engine::EucJp,
            Enc::ShiftJis | Enc::Windows31J => Engine::ShiftJis,
            Enc::Utf16Le => Engine::Utf16Le,
            Enc::Utf16Be => Engine::Utf16Be,
            Enc::Utf32Le => Engine::Utf32Le,
            Enc::Utf32Be => Engine::Utf32Be,
            _ => Engine::Bytes,
        }
    }
    fn raw(self) -> sys::OnigEncoding {
        match self {
            Engine::Utf8 => &raw mut sys::OnigEncodingUTF8,
            Engine::Bytes => &raw mut sys::OnigEncodingASCII,
            Engine::Latin1 => &raw mut sys::OnigEncodingISO_8859_1,
            Engine::EucJp => &raw mut sys::OnigEncodingEUC_JP,
            Engine::ShiftJis => &raw mut sys::OnigEncodingSJIS,
            Engine::Utf16Le => &raw mut sys::OnigEncodingUTF16_LE,
            Engine::Utf16Be => &raw mut sys::OnigEncodingUTF16_BE,
            Engine::Utf32Le => &raw mut sys::OnigEncodingUTF32_LE,
            Engine::Utf32Be => &raw mut sys::OnigEncodingUTF32_BE,
        }
    }
}

/// Character properties the engine knows for Unicode.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum Ctype {
    Alpha = 1,
    Digit = 4,
    Print = 7,
    Space = 9,
    Alnum = 13,
}

/// Whether a Unicode code has a property.
pub fn is_ctype(code: u32, t: Ctype) -> bool {
    init();
    let enc = Engine::Utf8.raw();
    // SAFETY: the library's own table and function, initialised by `init`.
    unsafe { (*enc).is_code_ctype.is_some_and(|f| f(code, t as u32) != 0) }
}

/// Retries a single match attempt may take when no timeout is set: some seconds.
const RETRIES: u64 = 60_000_000;
/// Retries per second that a timeout is worth.
const RETRIES_PER_SECOND: f64 = 20_000_000.0;

fn init() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let mut all = [
            Engine::Utf8,
            Engine::Bytes,
            Engine::Latin1,
            Engine::EucJp,
            Engine::ShiftJis,
            Engine::Utf16Le,
            Engine::Utf16Be,
            Engine::Utf32Le,
            Engine::Utf32Be,
        ]
        .map(Engine::raw);
        // SAFETY: called once, before any other use of the library.
        unsafe {
            sys::onig_initialize(all.as_mut_ptr(), all.len() as i32);
            sys::onig_set_parse_depth_limit(500);
            sys::onig_set_match_stack_limit_size(8_000_000);
        }
    });
}

/// Where groups matched: (start, end) in bytes, -1 for those that did not take part.
pub type Regs = Box<[(i32, i32)]>;

/// How an attempt ended other than by a match or its absence.
#[derive(Debug)]
pub enum Fail {
    /// gave up: the pattern needs too many steps
    Limit,
    Other(String),
}

/// A compiled pattern.
pub struct Pattern {
    reg: sys::OnigRegex,
    /// groups by name, in order of appearance
    pub names: Vec<(Vec<u8>, Vec<u32>)>,
    pub captures: usize,
    /// reused by each search; taken while one runs
    region: Cell<Option<sys::OnigRegion>>,
}

impl Pattern {
    /// Compiles; the error is the engine's message.
    pub fn new(source: &[u8], options: u32, engine: Engine) -> Result<Pattern, String> {
        init();
        let mut reg = null_mut();
        let mut info = sys::OnigErrorInfo { enc: null_mut(), par: null_mut(), par_end: null_mut() };
        // SAFETY: pointers to our own locals and to `source`, which the library copies from.
        let code = unsafe {
            let range = source.as_ptr_range();
            sys::onig_new(
                &mut reg,
                range.start,
                range.end,
                options & 7,
                engine.raw(),
                &raw mut sys::OnigSyntaxRuby,
                &mut info,
            )
        };
        if code != 0 {
            return Err(message(code, Some(&info)));
        }
        let mut p = Pattern { reg, names: Vec::new(), captures: 0, region: Cell::new(None) };
        // SAFETY: O1; the callback runs only during the call, on the list passed.
        unsafe {
            p.captures = sys::onig_number_of_captures(reg).max(0) as usize;
            sys::onig_foreach_name(reg, Some(collect), (&raw mut p.names) as *mut _);
        }
        p.names.sort_by_key(|n| n.1.first().copied());
        Ok(p)
    }

    /// Searches from byte `at` on. `timeout` in seconds.
    pub fn search(&self, b: &[u8], at: usize, timeout: Option<f64>) -> Result<Option<Regs>, Fail> {
        self.outcome(self.with_region(|region| self.run(b, at, region, timeout)))
    }
    /// The last match that starts at or before byte `at`, trying each character: the engine's own backward search
    /// misses some.
    pub fn search_back(&self, b: &[u8], at: usize, enc: Enc, timeout: Option<f64>) -> Result<Option<Regs>, Fail> {
        let mut at = enc.left_edge(b, at.min(b.len()));
        let r = self.with_region(|region| {
            limits(timeout);
            let range = b.as_ptr_range();
            loop {
                // SAFETY: O1, O2; `at` is within `b`.
                let n = unsafe { sys::onig_match(self.reg, range.start, range.end, range.start.add(at), region, 0) };
                if n != sys::ONIG_MISMATCH || at == 0 {
                    return Ok(n);
                }
                at = enc.previous(b, at);
            }
        });
        self.outcome(r)
    }
    /// Whether it matches anywhere from `at` on.
    pub fn is_match(&self, b: &[u8], at: usize, timeout: Option<f64>) -> Result<bool, Fail> {
        match self.run(b, at, null_mut(), timeout)? {
            sys::ONIG_MISMATCH => Ok(false),
            n if n >= 0 => Ok(true),
            n => Err(fail(n)),
        }
    }
    /// Matches exactly at byte `at`.
    pub fn match_at(&self, b: &[u8], at: usize, timeout: Option<f64>) -> Result<Option<Regs>, Fail> {
        let r = self.with_region(|region| {
            limits(timeout);
            let range = b.as_ptr_range();
            // SAFETY: O1, O2; `at` is within `b`.
            Ok(unsafe {
                sys::onig_match(self.reg, range.start, range.end, range.start.add(at.min(b.len())), region, 0)
            })
        });
        self.outcome(r)
    }

    fn run(&self, b: &[u8], at: usize, region: *mut sys::OnigRegion, t: Option<f64>) -> Result<i32, Fail> {
        if b.len() > i32::MAX as usize {
            return Err(Fail::Other("string too long for a regexp".into()));
        }
        limits(t);
        let range = b.as_ptr_range();
        // SAFETY: O1, O2; `at` is within `b`.
        Ok(unsafe {
            let start = range.start.add(at.min(b.len()));
            sys::onig_search(self.reg, range.start, range.end, start, range.end, region, 0)
        })
    }

    /// Runs `f` with a region and gives back what it recorded.
    fn with_region(&self, f: impl FnOnce(*mut sys::OnigRegion) -> Result<i32, Fail>) -> (Result<i32, Fail>, Regs) {
        let fresh =
            sys::OnigRegion { allocated: 0, num_regs: 0, beg: null_mut(), end: null_mut(), history_root: null_mut() };
        let mut region = self.region.take().unwrap_or(fresh);
        let r = f(&mut region);
        let regs = if matches!(r, Ok(n) if n >= 0) {
            // SAFETY: the library filled `num_regs` entries of both arrays.
            (0..region.num_regs as usize).map(|i| unsafe { (*region.beg.add(i), *region.end.add(i)) }).collect()
        } else {
            Box::default()
        };
        self.region.set(Some(region));
        (r, regs)
    }

    fn outcome(&self, r: (Result<i32, Fail>, Regs)) -> Result<Option<Regs>, Fail> {
        match r.0? {
            sys::ONIG_MISMATCH => Ok(None),
            n if n >= 0 => Ok(Some(r.1)),
            n => Err(fail(n)),
        }
    }
}

impl Drop for Pattern {
    fn drop(&mut self) {
        // SAFETY: O1; the region is ours and nobody else has it.
        unsafe {
            if let Some(mut r) = self.region.take() {
                sys::onig_region_free(&mut r, 0);
            }
            sys::onig_free(self.reg)
        }
    }
}

/// Sets the library's global limit for the search about to run; holding the GVL, nobody else searches.
fn limits(timeout: Option<f64>) {
    let n = match timeout {
        Some(t) => (t * RETRIES_PER_SECOND).clamp(1000.0, 1e15) as u64,
        None => RETRIES,
    };
    // SAFETY: a plain store inside the library.
    unsafe { sys::onig_set_retry_limit_in_match(n) };
}

/// # Safety
/// Called by `onig_foreach_name` with the list `Pattern::new` passed.
unsafe extern "C" fn collect(
    name: *const u8,
    end: *const u8,
    n: i32,
    groups: *mut i32,
    _reg: sys::OnigRegex,
    list: *mut std::ffi::c_void,
) -> i32 {
    // SAFETY: the library passes its own tables, valid during the call; `list` is ours.
    unsafe {
        let list = &mut *(list as *mut Vec<(Vec<u8>, Vec<u32>)>);
        let name = std::slice::from_raw_parts(name, end.offset_from(name) as usize).to_vec();
        let groups = std::slice::from_raw_parts(groups, n as usize).iter().map(|&g| g as u32).collect();
        list.push((name, groups));
    }
    0
}

fn fail(code: i32) -> Fail {
    match code {
        sys::ONIGERR_RETRY_LIMIT_IN_MATCH_OVER
        | sys::ONIGERR_RETRY_LIMIT_IN_SEARCH_OVER
        | sys::ONIGERR_MATCH_STACK_LIMIT_OVER => Fail::Limit,
        _ => Fail::Other(message(code, None)),
    }
}

/// The engine's text for an error code.
fn message(code: i32, info: Option<&sys::OnigErrorInfo>) -> String {
    let mut buf = [0u8; 256];
    // SAFETY: the buffer is larger than the library's longest message (90); `info` is the one it filled in.
    let n = unsafe {
        match info {
            Some(i) => sys::onig_error_code_to_str(buf.as_mut_ptr(), code, i as *const sys::OnigErrorInfo),
            None => {
                let none = sys::OnigErrorInfo { enc: null_mut(), par: null_mut(), par_end: null_mut() };
                sys::onig_error_code_to_str(buf.as_mut_ptr(), code, &none as *const sys::OnigErrorInfo)
            }
        }
    };
    String::from_utf8_lossy(&buf[..(n.max(0) as usize).min(buf.len())]).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searches_both_ways() {
        let p = Pattern::new(b"(?<x>b)+", 0, Engine::Utf8).unwrap();
        assert_eq!(p.names, [(b"x".to_vec(), vec![1])]);
        let r = p.search(b"abbab", 0, None).unwrap().unwrap();
        assert_eq!(&r[..], [(1, 3), (2, 3)]);
        let r = p.search_back(b"abbab", 5, Enc::Utf8, None).unwrap().unwrap();
        assert_eq!(r[0], (4, 5));
        assert!(Pattern::new(b"[", 0, Engine::Utf8).is_err());
    }
}
