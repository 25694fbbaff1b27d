//! Files by path: what they are, their modes, names and links.
use super::nogvl::{Ubf, nogvl};
use super::{CPath, Sys, check};
use crate::sched::Sched;

/// What `stat` tells.
pub type Stat = libc::stat;

/// How to look at a file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Follow {
    /// The target of a symbolic link.
    Links,
    /// The link itself.
    Nothing,
}

pub fn stat(s: &Sched, path: &CPath, follow: Follow) -> Sys<Stat> {
    let p = path.as_ptr();
    // SAFETY: a zeroed stat is valid; the path outlives the call.
    unsafe {
        let mut st: Stat = std::mem::zeroed();
        let to = &raw mut st;
        nogvl(s, Ubf::Signal, || {
            check(if follow == Follow::Links { libc::stat(p, to) } else { libc::lstat(p, to) } as i64)
        })?;
        Ok(st)
    }
}

pub fn fstat(fd: i32) -> Sys<Stat> {
    // SAFETY: a zeroed stat is valid.
    unsafe {
        let mut st: Stat = std::mem::zeroed();
        check(libc::fstat(fd, &raw mut st) as i64)?;
        Ok(st)
    }
}

/// Functions of one path and perhaps a number.
macro_rules! path_calls { ($( $(#[doc = $doc:literal])* fn $name:ident($path:ident $(, $arg:ident : $ty:ty)*) => $call:expr; )+) => { $(
    $(#[doc = $doc])*
    #[inline]
    pub fn $name(s: &Sched, path: &CPath $(, $arg: $ty)*) -> Sys {
        let $path = path.as_ptr();
        // SAFETY: a NUL-terminated path that outlives the call.
        nogvl(s, Ubf::Signal, || check(unsafe { $call } as i64))
    }
)+ } }
path_calls! {
    fn chmod(p, mode: u32) => libc::chmod(p, mode);
    fn unlink(p) => libc::unlink(p);
    fn rmdir(p) => libc::rmdir(p);
    fn mkdir(p, mode: u32) => libc::mkdir(p, mode);
    fn mkfifo(p, mode: u32) => libc::mkfifo(p, mode);
    fn chdir(p) => libc::chdir(p);
    fn truncate(p, len: i64) => libc::truncate(p, len);
    /// With the real user's rights.
    fn access(p, how: i32) => libc::access(p, how);
    /// With the effective user's rights.
    fn eaccess(p, how: i32) => libc::faccessat(libc::AT_FDCWD, p, how, libc::AT_EACCESS);
    fn chown(p, user: u32, group: u32) => libc::chown(p, user, group);
    fn lchown(p, user: u32, group: u32) => libc::lchown(p, user, group);
}

/// Functions of two paths.
macro_rules! two_path_calls { ($( fn $name:ident => $call:path; )+) => { $(
    pub fn $name(s: &Sched, from: &CPath, to: &CPath) -> Sys {
        let (from, to) = (from.as_ptr(), to.as_ptr());
        // SAFETY: NUL-terminated paths that outlive the call.
        nogvl(s, Ubf::Signal, || check(unsafe { $call(from, to) } as i64))
    }
)+ } }
two_path_calls! {
    fn rename => libc::rename;
    fn link => libc::link;
    fn symlink => libc::symlink;
}

/// Where a symbolic link points.
pub fn readlink(s: &Sched, path: &CPath) -> Sys<Vec<u8>> {
    let p = path.as_ptr();
    let mut buf = vec![0u8; libc::PATH_MAX as usize + 1];
    let (to, len) = (buf.as_mut_ptr(), buf.len());
    // SAFETY: path and buffer outlive the call.
    let n = nogvl(s, Ubf::Signal, || check(unsafe { libc::readlink(p, to.cast(), len) } as i64))?;
    buf.truncate(n as usize);
    Ok(buf)
}

/// Access and modification times, (seconds, nanoseconds) each.
pub fn utimes(s: &Sched, path: &CPath, times: [(i64, i64); 2], follow: Follow) -> Sys {
    let p = path.as_ptr();
    let times = times.map(|(sec, ns)| libc::timespec { tv_sec: sec, tv_nsec: ns });
    let flags = if follow == Follow::Links { 0 } else { libc::AT_SYMLINK_NOFOLLOW };
    // SAFETY: path and times outlive the call.
    nogvl(s, Ubf::Signal, || check(unsafe { libc::utimensat(libc::AT_FDCWD, p, times.as_ptr(), flags) } as i64))
}

pub fn fchmod(s: &Sched, fd: i32, mode: u32) -> Sys {
    // SAFETY: no pointers.
    nogvl(s, Ubf::Signal, || check(unsafe { libc::fchmod(fd, mode) } as i64))
}
pub fn fchown(s: &Sched, fd: i32, user: u32, group: u32) -> Sys {
    // SAFETY: no pointers.
    nogvl(s, Ubf::Signal, || check(unsafe { libc::fchown(fd, user, group) } as i64))
}

/// Sets the mask of new files' modes; gives the old one.
pub fn umask(mask: u32) -> u32 {
    // SAFETY: cannot fail.
    unsafe { libc::umask(mask) }
}

/// Effective user and group of this process.
pub fn effective_ids() -> (u32, u32) {
    // SAFETY: cannot fail.
    unsafe { (libc::geteuid(), libc::getegid()) }
}
