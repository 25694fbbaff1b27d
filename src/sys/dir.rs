//! Folders: their entries, the current one.
use super::nogvl::{Ubf, nogvl};
use super::{CPath, Sys, errno};
use crate::sched::Sched;

/// One name in a folder. `kind` is a DT_* number, DT_UNKNOWN where the file system does not say.
pub struct Entry {
    pub name: Vec<u8>,
    pub kind: u8,
}

/// All entries, `.` and `..` among them, in the order the system gives them.
pub fn entries(s: &Sched, path: &CPath) -> Sys<Vec<Entry>> {
    let p = path.as_ptr();
    nogvl(s, Ubf::Signal, || {
        // SAFETY: the path outlives the call; the stream is ours until closedir, and an entry is copied before the
        // next readdir.
        unsafe {
            let dir = libc::opendir(p);
            if dir.is_null() {
                return Err(errno());
            }
            let mut out = Vec::new();
            loop {
                *libc::__errno_location() = 0;
                let e = libc::readdir(dir);
                if e.is_null() {
                    break;
                }
                let name = std::ffi::CStr::from_ptr((*e).d_name.as_ptr()).to_bytes().to_vec();
                out.push(Entry { name, kind: (*e).d_type });
            }
            let failed = errno();
            libc::closedir(dir);
            if failed != 0 { Err(failed) } else { Ok(out) }
        }
    })
}

/// The current folder.
pub fn current() -> Sys<Vec<u8>> {
    use std::os::unix::ffi::OsStringExt;
    std::env::current_dir().map(|p| p.into_os_string().into_vec()).map_err(|e| e.raw_os_error().unwrap_or(libc::ENOENT))
}

/// A user's home folder from the user database.
pub fn home_of(name: &CPath) -> Option<Vec<u8>> {
    home(|pw, buf, len, found| {
        // SAFETY: all pointers are valid for the call (see `home`).
        unsafe { libc::getpwnam_r(name.as_ptr(), pw, buf, len, found) }
    })
}
/// The running user's home folder from the user database.
pub fn own_home() -> Option<Vec<u8>> {
    home(|pw, buf, len, found| {
        // SAFETY: all pointers are valid for the call (see `home`).
        unsafe { libc::getpwuid_r(libc::getuid(), pw, buf, len, found) }
    })
}
fn home(f: impl FnOnce(*mut libc::passwd, *mut libc::c_char, usize, *mut *mut libc::passwd) -> i32) -> Option<Vec<u8>> {
    // SAFETY: a zeroed passwd is valid; its strings point into `buf`, which is alive.
    unsafe {
        let mut pw: libc::passwd = std::mem::zeroed();
        let mut buf = vec![0 as libc::c_char; 16 << 10];
        let mut found = std::ptr::null_mut();
        if f(&raw mut pw, buf.as_mut_ptr(), buf.len(), &raw mut found) != 0 || found.is_null() {
            return None;
        }
        Some(std::ffi::CStr::from_ptr(pw.pw_dir).to_bytes().to_vec())
    }
}
