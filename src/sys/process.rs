//! Child processes: starting a program, replacing this one, waiting, signals to others.
use super::nogvl::{Ubf, nogvl_eager};
use super::{Sys, check, errno};
use crate::sched::Sched;
use std::ffi::{CString, c_char};

/// One change to the child's descriptors.
pub enum FdAction {
    /// `to` becomes a copy of the parent's `from`.
    Dup {
        from: i32,
        to: i32,
    },
    /// `to` becomes a copy of what the child's `from` is by then.
    DupChild {
        from: i32,
        to: i32,
    },
    Open {
        to: i32,
        path: CString,
        flags: i32,
        mode: u32,
    },
    Close(i32),
}

/// A program to start, all of it prepared: between fork and exec nothing may be allocated.
#[derive(Default)]
pub struct Command {
    /// files to try in turn
    pub paths: Vec<CString>,
    pub argv: Vec<CString>,
    /// `NAME=value` strings
    pub env: Vec<CString>,
    pub dir: Option<CString>,
    pub fds: Vec<FdAction>,
    /// process group: 0 is a new one
    pub group: Option<i32>,
    pub umask: Option<u32>,
    /// close everything from 3 on that no action names
    pub close_others: bool,
}

/// Null-terminated lists of pointers into a `Command`.
struct Lists {
    argv: Vec<*const c_char>,
    env: Vec<*const c_char>,
    /// `/bin/sh path argv...` for scripts without a `#!` line; index 1 is filled in
    script: Vec<*const c_char>,
    /// room for the copies of `Dup` sources
    copies: Vec<i32>,
}

const SHELL: *const c_char = c"/bin/sh".as_ptr();

impl Command {
    fn lists(&self) -> Lists {
        let list = |v: &[CString]| v.iter().map(|s| s.as_ptr()).chain([std::ptr::null()]).collect::<Vec<_>>();
        let argv = list(&self.argv);
        let mut script = vec![SHELL, std::ptr::null()];
        script.extend(argv.iter().skip(1));
        Lists { argv, env: list(&self.env), script, copies: vec![-1; self.fds.len()] }
    }

    /// Prepares this process and executes the program. Returns the errno of what failed.
    /// # Safety
    /// To be called in a forked child, or where the changes to this process do not matter on failure.
    unsafe fn become_program(&self, lists: &mut Lists) -> i32 {
        // SAFETY: only system calls that are allowed between fork and exec, on memory prepared before.
        unsafe {
            if let Some(g) = self.group
                && libc::setpgid(0, g) < 0
            {
                return errno();
            }
            if let Some(m) = self.umask {
                libc::umask(m);
            }
            if let Err(e) = self.arrange_fds(&mut lists.copies) {
                return e;
            }
            if let Some(d) = &self.dir
                && libc::chdir(d.as_ptr()) < 0
            {
                return errno();
            }
            // What the Rust runtime ignores must not stay ignored in programs that expect it.
            libc::signal(libc::SIGPIPE, libc::SIG_DFL);
            let mut none: libc::sigset_t = std::mem::zeroed();
            libc::sigemptyset(&raw mut none);
            libc::pthread_sigmask(libc::SIG_SETMASK, &raw const none, std::ptr::null_mut());
            let mut failed = libc::ENOENT;
            for p in &self.paths {
                libc::execve(p.as_ptr(), lists.argv.as_ptr(), lists.env.as_ptr());
                match errno() {
                    libc::ENOEXEC => {
                        lists.script[1] = p.as_ptr();
                        libc::execve(SHELL, lists.script.as_ptr(), lists.env.as_ptr());
                        return libc::ENOEXEC;
                    }
                    libc::ENOENT | libc::ENOTDIR => {}
                    e => failed = e,
                }
            }
            failed
        }
    }

    /// # Safety
    /// As `become_program`.
    unsafe fn arrange_fds(&self, copies: &mut [i32]) -> Result<(), i32> {
        // SAFETY: descriptors only; paths are NUL-terminated.
        unsafe {
            // Sources first, above all targets, for a target may be another one's source.
            let high = self.fds.iter().map(FdAction::target).max().unwrap_or(2).max(9) + 1;
            for (a, copy) in self.fds.iter().zip(copies.iter_mut()) {
                if let FdAction::Dup { from, .. } = a {
                    *copy = check(libc::fcntl(*from, libc::F_DUPFD_CLOEXEC, high) as i64)? as i32;
                }
            }
            for (a, copy) in self.fds.iter().zip(copies.iter()) {
                match a {
                    FdAction::Dup { to, .. } => check(libc::dup2(*copy, *to) as i64)?,
                    FdAction::Open { to, path, flags, mode } => {
                        let fd = check(libc::open(path.as_ptr(), *flags, *mode) as i64)? as i32;
                        if fd == *to {
                            check(libc::fcntl(fd, libc::F_SETFD, 0) as i64)?
                        } else {
                            check(libc::dup2(fd, *to) as i64)?;
                            check(libc::close(fd) as i64)?
                        }
                    }
                    FdAction::Close(fd) => libc::close(*fd) as i64,
                    FdAction::DupChild { .. } => 0,
                };
            }
            for a in &self.fds {
                if let FdAction::DupChild { from, to } = a {
                    check(libc::dup2(*from, *to) as i64)?;
                }
            }
            if self.close_others {
                let kept = |fd: i32| self.fds.iter().any(|a| a.target() == fd);
                for fd in 3..4096 {
                    if !kept(fd) {
                        // On exec, so that the pipe that reports failure stays until then.
                        libc::fcntl(fd, libc::F_SETFD, libc::FD_CLOEXEC);
                    }
                }
            }
            Ok(())
        }
    }

    /// Starts the program in a child; gives its process id. Errors of the child's preparation and of exec come back
    /// as ours.
    pub fn spawn(&self, s: &Sched) -> Sys<i32> {
        let mut lists = self.lists();
        let (reader, writer) = super::io::pipe()?;
        // The child must not lose its report pipe to an action: both ends above all targets.
        // SAFETY: in the child only what `become_program` does, then _exit; the pipe ends are ours.
        unsafe {
            let pid = libc::fork();
            if pid == 0 {
                let high = self.fds.iter().map(FdAction::target).max().unwrap_or(2).max(9) + 1;
                let report = libc::fcntl(writer, libc::F_DUPFD_CLOEXEC, high);
                let e = self.become_program(&mut lists);
                libc::write(report, (&raw const e).cast(), 4);
                libc::_exit(127);
            }
            let failed = errno();
            libc::close(writer);
            if pid < 0 {
                libc::close(reader);
                return Err(failed);
            }
            let mut word = [0u8; 4];
            let n = loop {
                match super::io::read(s, reader, &mut word, true) {
                    Err(libc::EINTR) => {}
                    r => break r,
                }
            };
            libc::close(reader);
            if n == Ok(4) {
                let mut status = 0;
                libc::waitpid(pid, &raw mut status, 0);
                return Err(i32::from_ne_bytes(word));
            }
            Ok(pid)
        }
    }

    /// Replaces this process's program; returns only what failed.
    pub fn exec(&self) -> i32 {
        // SAFETY: on failure the process goes on with the descriptors changed, as the caller accepts.
        unsafe { self.become_program(&mut self.lists()) }
    }
}

impl FdAction {
    fn target(&self) -> i32 {
        match self {
            FdAction::Dup { to, .. } | FdAction::DupChild { to, .. } | FdAction::Open { to, .. } => *to,
            FdAction::Close(_) => -1,
        }
    }
}

/// Forks. The child gets 0 and must call `Sched::after_fork_child` first of all.
pub fn fork() -> Sys<i32> {
    // SAFETY: the caller holds the GVL, so that the VM's state is whole in the child.
    check(unsafe { libc::fork() } as i64).map(|n| n as i32)
}

/// Waits for a child; gives (pid, status), or pid 0 if WNOHANG is among the flags and none has changed.
pub fn wait(s: &Sched, pid: i32, flags: i32) -> Sys<(i32, i32)> {
    let mut status = 0;
    let to = &raw mut status;
    // SAFETY: room for the status until the call is over.
    let n = nogvl_eager(s, Ubf::Signal, || check(unsafe { libc::waitpid(pid, to, flags) } as i64))?;
    Ok((n as i32, status))
}

/// Sends a signal.
pub fn kill(pid: i32, signo: i32) -> Sys {
    // SAFETY: no pointers.
    check(unsafe { libc::kill(pid, signo) } as i64)
}
/// Sends a signal to a process group.
pub fn kill_group(group: i32, signo: i32) -> Sys {
    // SAFETY: no pointers.
    check(unsafe { libc::killpg(group, signo) } as i64)
}

/// Ends this process by a signal's default action; returns if that does not end it.
pub fn die_of(signo: i32) {
    // SAFETY: plain calls.
    unsafe {
        libc::signal(signo, libc::SIG_DFL);
        let mut set: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut set);
        libc::sigaddset(&raw mut set, signo);
        libc::pthread_sigmask(libc::SIG_UNBLOCK, &raw const set, std::ptr::null_mut());
        libc::raise(signo);
    }
}
