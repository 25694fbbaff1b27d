//! Descriptors: open, read, write, seek, poll.
use super::nogvl::{Ubf, nogvl, nogvl_eager};
use super::{CPath, Sys, check};
use crate::sched::Sched;

/// Opens a file; close-on-exec.
pub fn open(s: &Sched, path: &CPath, flags: i32, mode: u32) -> Sys<i32> {
    let p = path.as_ptr();
    // SAFETY: a NUL-terminated path that outlives the call.
    nogvl(s, Ubf::Signal, || check(unsafe { libc::open(p, flags | libc::O_CLOEXEC, mode) } as i64)).map(|n| n as i32)
}

/// Closes a descriptor. It is gone even when this fails.
pub fn close(s: &Sched, fd: i32) -> Sys {
    // SAFETY: no pointers; the caller owns the descriptor.
    nogvl(s, Ubf::Never, || check(unsafe { libc::close(fd) } as i64))
}

/// Reads into `buf`, which nobody else touches meanwhile. `waits`: it may take long (a pipe, a terminal).
pub fn read(s: &Sched, fd: i32, buf: &mut [u8], waits: bool) -> Sys<usize> {
    let (p, n) = (buf.as_mut_ptr(), buf.len());
    // SAFETY: the buffer is borrowed for the whole call.
    let f = || check(unsafe { libc::read(fd, p.cast(), n) } as i64).map(|n| n as usize);
    if waits { nogvl_eager(s, Ubf::Signal, f) } else { nogvl(s, Ubf::Signal, f) }
}

/// Writes some of `bytes`, memory that does not change meanwhile.
pub fn write(s: &Sched, fd: i32, bytes: &[u8]) -> Sys<usize> {
    let (p, n) = (bytes.as_ptr(), bytes.len());
    // SAFETY: the bytes are borrowed for the whole call.
    nogvl(s, Ubf::Signal, || check(unsafe { libc::write(fd, p.cast(), n) } as i64).map(|n| n as usize))
}

pub fn pread(s: &Sched, fd: i32, buf: &mut [u8], at: i64) -> Sys<usize> {
    let (p, n) = (buf.as_mut_ptr(), buf.len());
    // SAFETY: the buffer is borrowed for the whole call.
    nogvl(s, Ubf::Signal, || check(unsafe { libc::pread(fd, p.cast(), n, at) } as i64).map(|n| n as usize))
}

pub fn pwrite(s: &Sched, fd: i32, bytes: &[u8], at: i64) -> Sys<usize> {
    let (p, n) = (bytes.as_ptr(), bytes.len());
    // SAFETY: the bytes are borrowed for the whole call.
    nogvl(s, Ubf::Signal, || check(unsafe { libc::pwrite(fd, p.cast(), n, at) } as i64).map(|n| n as usize))
}

/// Sets the position; `whence` is SEEK_SET, SEEK_CUR, ... Gives the new position.
pub fn seek(fd: i32, offset: i64, whence: i32) -> Sys {
    // SAFETY: no pointers.
    check(unsafe { libc::lseek(fd, offset, whence) })
}

pub fn sync(s: &Sched, fd: i32, data_only: bool) -> Sys {
    // SAFETY: no pointers.
    nogvl(s, Ubf::Signal, || check(unsafe { if data_only { libc::fdatasync(fd) } else { libc::fsync(fd) } } as i64))
}

/// Waits until one of the descriptors is ready; `timeout` in milliseconds, negative without end. Gives how many are.
pub fn poll(s: &Sched, fds: &mut [libc::pollfd], timeout: i32) -> Sys {
    let (p, n) = (fds.as_mut_ptr(), fds.len());
    // SAFETY: the list is borrowed for the whole call.
    let f = || check(unsafe { libc::poll(p, n as libc::nfds_t, timeout) } as i64);
    if timeout == 0 { nogvl(s, Ubf::Never, f) } else { nogvl_eager(s, Ubf::Signal, f) }
}

/// A pipe, close-on-exec: (read end, write end).
pub fn pipe() -> Sys<(i32, i32)> {
    let mut fds = [0; 2];
    // SAFETY: room for two descriptors.
    check(unsafe { libc::pipe2(fds.as_mut_ptr(), libc::O_CLOEXEC) } as i64)?;
    Ok((fds[0], fds[1]))
}

/// A copy of a descriptor with the lowest free number from 3 on, close-on-exec.
pub fn dup(fd: i32) -> Sys<i32> {
    // SAFETY: no pointers.
    check(unsafe { libc::fcntl(fd, libc::F_DUPFD_CLOEXEC, 3) } as i64).map(|n| n as i32)
}

/// Makes `to` a copy of `from`; the standard three stay open over exec.
pub fn dup_to(s: &Sched, from: i32, to: i32) -> Sys {
    let flags = if to > 2 { libc::O_CLOEXEC } else { 0 };
    // SAFETY: no pointers.
    nogvl(s, Ubf::Never, || check(unsafe { if from == to { to } else { libc::dup3(from, to, flags) } } as i64))
}

pub fn is_tty(fd: i32) -> bool {
    // SAFETY: a plain query.
    unsafe { libc::isatty(fd) == 1 }
}

/// `fcntl` with a number as argument.
pub fn fcntl(fd: i32, op: i32, arg: i64) -> Sys {
    // SAFETY: callers pass operations that take a number.
    check(unsafe { libc::fcntl(fd, op, arg as libc::c_long) } as i64)
}

pub fn flock(s: &Sched, fd: i32, op: i32) -> Sys {
    // SAFETY: no pointers.
    nogvl_eager(s, Ubf::Signal, || check(unsafe { libc::flock(fd, op) } as i64))
}

pub fn truncate(s: &Sched, fd: i32, len: i64) -> Sys {
    // SAFETY: no pointers.
    nogvl(s, Ubf::Signal, || check(unsafe { libc::ftruncate(fd, len) } as i64))
}

/// Rows and columns of a terminal.
pub fn window_size(fd: i32) -> Sys<(u16, u16)> {
    // SAFETY: a zeroed winsize is valid, and the call fills it.
    unsafe {
        let mut w: libc::winsize = std::mem::zeroed();
        check(libc::ioctl(fd, libc::TIOCGWINSZ, &raw mut w) as i64)?;
        Ok((w.ws_row, w.ws_col))
    }
}
