//! Blocking system calls, the GVL let go. Nothing here knows of Ruby values: plain numbers and memory go in, and what
//! failed comes out as an errno. EINTR is among them: who calls looks at its interrupts and tries again.
pub mod dir;
pub mod file;
pub mod io;
pub mod nogvl;
pub mod process;

/// What a system call gives: its result or errno.
pub type Sys<T = i64> = Result<T, i32>;

/// The errno of the call that just failed. Only inside a blocking region, or with no switch since the call.
pub fn errno() -> i32 {
    std::io::Error::last_os_error().raw_os_error().unwrap_or(0)
}

/// A libc result that is -1 on failure.
#[inline(always)]
fn check(n: i64) -> Sys {
    if n < 0 { Err(errno()) } else { Ok(n) }
}

/// A path as the system wants it: short ones stay on the stack.
pub struct CPath {
    short: [u8; 192],
    long: Option<std::ffi::CString>,
}

impl CPath {
    /// `None` if there is a NUL inside.
    #[inline]
    pub fn new(bytes: &[u8]) -> Option<CPath> {
        let mut p = CPath { short: [0; 192], long: None };
        if bytes.len() >= p.short.len() {
            p.long = Some(std::ffi::CString::new(bytes).ok()?);
        } else {
            if bytes.contains(&0) {
                return None;
            }
            p.short[..bytes.len()].copy_from_slice(bytes);
        }
        Some(p)
    }
    /// Valid while the path is not moved or dropped.
    #[inline]
    pub fn as_ptr(&self) -> *const libc::c_char {
        match &self.long {
            Some(s) => s.as_ptr(),
            None => self.short.as_ptr().cast(),
        }
    }
}
