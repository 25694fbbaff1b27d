//! `Stream`: an open descriptor with its buffers, the native half of every IO object. Bytes only: what a line or a
//! character is, `io_read` knows; what an argument means, `io_open`.

use super::errno;
use crate::heap::Marker;
use crate::object::{Data, Enc, RString};
use crate::sched::{Lock, RawMutex, Sched, ThreadRef, Until};
use crate::sys::{Sys, io as sys};
use crate::value::{NIL, Raised, Ruby, Value};
use crate::vm::Vm;
use std::cell::{Cell, RefCell};

/// Bits of `Stream::flags`.
pub mod flag {
    pub const READ: u32 = 1;
    pub const WRITE: u32 = 2;
    pub const APPEND: u32 = 4;
    pub const SYNC: u32 = 8;
    pub const BINARY: u32 = 16;
    pub const TTY: u32 = 32;
    /// The descriptor is not ours to close.
    pub const KEEP: u32 = 64;
    /// STDOUT: a broken pipe ends the program quietly.
    pub const STDOUT: u32 = 128;
    /// A regular file: reads do not wait.
    pub const REGULAR: u32 = 512;
    /// `\r\n` is read as `\n` (mode "t").
    pub const UNIVERSAL: u32 = 1024;
}

/// Bytes kept before they are written.
const OUT_BUFFER: usize = 16 << 10;
/// Bytes asked for at once.
const IN_BUFFER: usize = 16 << 10;

/// An IO object's state.
///
/// | `fd` | |
/// |---|---|
/// | -2 | never opened (`allocate`) |
/// | -1 | closed |
/// | else | open; `wfd`, if not negative, is the other end of a two-way pipe |
pub struct Stream {
    pub fd: Cell<i32>,
    pub wfd: Cell<i32>,
    pub flags: Cell<u32>,
    pub lineno: Cell<i64>,
    /// child process of a popen, or 0
    pub pid: Cell<i32>,
    /// path as a String, or nil
    pub path: Cell<Value>,
    pub external: Cell<Option<Enc>>,
    pub internal: Cell<Option<Enc>>,
    /// seconds a wait may last (`IO#timeout`), or nil
    pub timeout: Cell<Value>,
    out: RefCell<Vec<u8>>,
    input: RefCell<Vec<u8>>,
    /// first byte of `input` not consumed
    at: Cell<usize>,
    /// held while buffered bytes are on their way out
    writing: RawMutex,
    /// threads within a system call on this stream
    blocked: RefCell<Vec<ThreadRef>>,
    all: &'static Streams,
}

/// Streams with bytes to write, for the end of the program.
#[derive(Default)]
pub struct Streams(RefCell<Vec<*const Stream>>);

impl Data for Stream {
    fn trace(&self, m: &mut Marker) {
        m.value(self.path.get());
        m.value(self.timeout.get());
    }
}

impl Drop for Stream {
    /// The object was collected: its descriptor goes too, what it had buffered is written.
    fn drop(&mut self) {
        self.all.0.borrow_mut().retain(|&s| !std::ptr::eq(s, self));
        if self.flags.get() & flag::KEEP != 0 {
            return;
        }
        let out = self.out.borrow();
        for fd in [self.wfd.get(), self.fd.get()] {
            if fd > 2 {
                // SAFETY: our own descriptors and bytes; nothing can be done about an error here.
                unsafe {
                    if !out.is_empty() && fd == self.write_fd() {
                        libc::write(fd, out.as_ptr().cast(), out.len());
                    }
                    libc::close(fd);
                }
            }
        }
    }
}

/// Most bytes of an interrupted write that are kept for later.
const KEPT: usize = 64 << 10;

impl Stream {
    /// A stream that is not open yet.
    pub fn blank(vm: Vm) -> Stream {
        Stream {
            fd: Cell::new(-2),
            wfd: Cell::new(-1),
            flags: Cell::new(0),
            lineno: Cell::new(0),
            pid: Cell::new(0),
            path: Cell::new(NIL),
            external: Cell::new(None),
            internal: Cell::new(None),
            timeout: Cell::new(NIL),
            out: RefCell::default(),
            input: RefCell::default(),
            at: Cell::new(0),
            writing: RawMutex::new(),
            blocked: RefCell::default(),
            all: vm.slot::<Streams>(),
        }
    }
    /// Starts using a descriptor.
    pub fn attach(&self, fd: i32, flags: u32) {
        self.fd.set(fd);
        self.wfd.set(-1);
        let mut flags = flags;
        // Only writers care for terminals, only readers for regular files.
        if flags & flag::WRITE != 0 && sys::is_tty(fd) {
            flags |= flag::TTY;
        }
        if flags & flag::READ != 0
            && crate::sys::file::fstat(fd).is_ok_and(|s| s.st_mode & libc::S_IFMT == libc::S_IFREG)
        {
            flags |= flag::REGULAR;
        }
        self.flags.set(flags);
    }
    pub fn has(&self, bit: u32) -> bool {
        self.flags.get() & bit != 0
    }
    pub fn set(&self, bit: u32, on: bool) {
        let f = self.flags.get();
        self.flags.set(if on { f | bit } else { f & !bit });
    }
    pub fn is_open(&self) -> bool {
        self.fd.get() >= 0 || self.wfd.get() >= 0
    }
    pub fn write_fd(&self) -> i32 {
        if self.wfd.get() >= 0 { self.wfd.get() } else { self.fd.get() }
    }
    /// How errors call it.
    pub fn name(&self) -> String {
        match self.path.get().as_str() {
            Some(s) => s.text().into_owned(),
            None => String::new(),
        }
    }
    pub fn fail(&self, vm: Vm, e: i32) -> Raised {
        let name = self.name();
        let detail =
            if name.is_empty() { String::new() } else { format!("@ io_fillbuf - fd:{} {name}", self.fd.get()) };
        errno::fail(vm, e, &detail)
    }

    /// Repeats a system call on one of the descriptors until it was not interrupted. IOError if the stream is closed
    /// meanwhile.
    pub fn call<T>(&self, vm: Vm, fd: &Cell<i32>, mut f: impl FnMut(&Sched, i32) -> Sys<T>) -> Ruby<Sys<T>> {
        loop {
            let n = fd.get();
            if n < 0 {
                return Err(vm.io_error("stream closed in another thread"));
            }
            let me = vm.sched.current();
            self.blocked.borrow_mut().push(me);
            let r = f(&vm.sched, n);
            let mut blocked = self.blocked.borrow_mut();
            if let Some(i) = blocked.iter().rposition(|&t| t == me) {
                blocked.swap_remove(i);
            }
            drop(blocked);
            match r {
                Err(libc::EINTR) => vm.look_at_interrupts()?,
                Err(libc::EAGAIN) => return Ok(Err(libc::EAGAIN)),
                r => return Ok(r),
            }
        }
    }

    // ---- writing

    /// Takes bytes to write, later or now.
    pub fn put(&self, vm: Vm, bytes: &[u8]) -> Ruby<()> {
        if !self.has(flag::WRITE) {
            return Err(self.not_open_for(vm, "writing"));
        }
        if self.write_fd() < 0 {
            return Err(vm.io_error("closed stream"));
        }
        if self.buffered() > 0 {
            self.unread_to_file();
        }
        let mut out = self.out.borrow_mut();
        if out.is_empty() {
            self.all.0.borrow_mut().push(self);
        }
        out.extend_from_slice(bytes);
        let full = out.len() > OUT_BUFFER;
        drop(out);
        if full || self.has(flag::SYNC | flag::TTY) { self.flush(vm) } else { Ok(()) }
    }
    pub fn has_output(&self) -> bool {
        !self.out.borrow().is_empty()
    }
    /// Writes the buffer out.
    pub fn flush(&self, vm: Vm) -> Ruby<()> {
        if self.out.borrow().is_empty() && !self.writing.is_locked(&vm.sched) {
            return Ok(());
        }
        let locked = loop {
            let me = vm.sched.current_coro();
            match self.writing.lock(&vm.sched, &me, Until::Woken) {
                Lock::Acquired => break true,
                Lock::Interrupted => vm.run_interrupts()?,
                Lock::TimedOut => {}
                // A trap handler writes while the main thread does.
                Lock::Recursive | Lock::SiblingOwns => break false,
            }
        };
        let r = self.write_out(vm);
        if locked {
            self.writing.unlock(&vm.sched, &vm.sched.current_coro());
        }
        r
    }
    fn write_out(&self, vm: Vm) -> Ruby<()> {
        let mut bytes = std::mem::take(&mut *self.out.borrow_mut());
        self.all.0.borrow_mut().retain(|&s| !std::ptr::eq(s, self));
        let mut at = 0;
        while at < bytes.len() {
            let fd = if self.wfd.get() >= 0 { &self.wfd } else { &self.fd };
            match self.call(vm, fd, |s, fd| sys::write(s, fd, &bytes[at..])) {
                Ok(Ok(n)) => at += n,
                Ok(Err(libc::EAGAIN)) => vm.wait_fd(self.write_fd(), libc::POLLOUT, None).map(|_| ())?,
                Ok(Err(e)) => return Err(self.write_failed(vm, e)),
                Err(r) => {
                    // Interrupted: what is left stays to be written, if it is no more than a buffer holds; the rest of
                    // a large write is given up, as in CRuby, where it never was in a buffer.
                    if at < bytes.len() && bytes.len() - at <= KEPT && self.is_open() {
                        bytes.drain(..at);
                        let mut out = self.out.borrow_mut();
                        if out.is_empty() {
                            self.all.0.borrow_mut().push(self);
                        }
                        bytes.extend_from_slice(&out);
                        *out = bytes;
                    }
                    return Err(r);
                }
            }
        }
        // Keep the buffer for the next time.
        if self.out.borrow().capacity() == 0 && bytes.capacity() <= OUT_BUFFER * 2 {
            bytes.clear();
            *self.out.borrow_mut() = bytes;
        }
        Ok(())
    }
    fn write_failed(&self, vm: Vm, e: i32) -> Raised {
        let name = self.name();
        let detail = if name.is_empty() { String::new() } else { format!("@ io_write - {name}") };
        let exc = errno::exception(vm, e, &detail);
        if e == libc::EPIPE && self.has(flag::STDOUT) {
            let signo = Value::fixnum(libc::SIGPIPE as i64);
            vm.ivar_set(exc, crate::object::sym::I_SIGNO, signo);
        }
        vm.raise_exc(exc)
    }
    pub fn drop_output(&self) {
        self.out.borrow_mut().clear();
    }

    // ---- reading

    /// Bytes read and not consumed.
    pub fn buffered(&self) -> usize {
        self.input.borrow().len() - self.at.get()
    }
    /// Looks at them. `f` must not call Ruby.
    pub fn with_input<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R {
        f(&self.input.borrow()[self.at.get()..])
    }
    /// Consumes `n` of them.
    pub fn consume(&self, n: usize) {
        let at = self.at.get() + n;
        let mut input = self.input.borrow_mut();
        debug_assert!(at <= input.len());
        if at == input.len() {
            input.clear();
            self.at.set(0);
        } else {
            self.at.set(at);
        }
    }
    /// Takes up to `n` of them.
    pub fn take(&self, n: usize) -> Vec<u8> {
        let n = n.min(self.buffered());
        let v = self.with_input(|b| b[..n].to_vec());
        self.consume(n);
        v
    }
    /// Puts bytes back in front.
    pub fn unread(&self, bytes: &[u8]) {
        let mut input = self.input.borrow_mut();
        let at = self.at.get();
        if at >= bytes.len() {
            input[at - bytes.len()..at].copy_from_slice(bytes);
            self.at.set(at - bytes.len());
        } else {
            input.splice(..at, bytes.iter().copied());
            self.at.set(0);
        }
    }
    /// Forgets them; the file's position goes back to where the reader is.
    pub fn unread_to_file(&self) {
        let n = self.buffered();
        self.consume(n);
        if n > 0 && self.fd.get() >= 0 {
            // A pipe cannot seek: the bytes are lost, as the caller asked.
            let _ = sys::seek(self.fd.get(), -(n as i64), libc::SEEK_CUR);
        }
    }
    fn not_open_for(&self, vm: Vm, what: &str) -> Raised {
        match self.fd.get() {
            -2 => vm.io_error("uninitialized stream"),
            n if n < 0 && self.wfd.get() < 0 => vm.io_error("closed stream"),
            _ => vm.io_error(&format!("not opened for {what}")),
        }
    }
    /// Raises unless it may be read.
    pub fn check_readable(&self, vm: Vm) -> Ruby<()> {
        if !self.has(flag::READ) || self.fd.get() < 0 {
            return Err(self.not_open_for(vm, "reading"));
        }
        if self.has_output() {
            self.flush(vm)?;
        }
        Ok(())
    }
    pub fn check_writable(&self, vm: Vm) -> Ruby<()> {
        if !self.has(flag::WRITE) || self.write_fd() < 0 {
            return Err(self.not_open_for(vm, "writing"));
        }
        Ok(())
    }
    /// One read past the buffer, up to `n` bytes; empty at the end of the file.
    pub fn read_some(&self, vm: Vm, n: usize) -> Ruby<Vec<u8>> {
        let mut buf = vec![0u8; n];
        let waits = !self.has(flag::REGULAR);
        loop {
            match self.call(vm, &self.fd, |s, fd| sys::read(s, fd, &mut buf, waits))? {
                Ok(n) => {
                    buf.truncate(n);
                    return Ok(buf);
                }
                Err(libc::EAGAIN) => {
                    vm.wait_fd(self.fd.get(), libc::POLLIN, None)?;
                }
                // A pseudo terminal whose other side is gone.
                Err(libc::EIO) if !self.has(flag::REGULAR) && sys::is_tty(self.fd.get()) => return Ok(Vec::new()),
                Err(e) => return Err(self.fail(vm, e)),
            }
        }
    }
    /// Reads more into the buffer; false at the end of the file.
    pub fn fill(&self, vm: Vm) -> Ruby<bool> {
        let more = self.read_some(vm, IN_BUFFER)?;
        if more.is_empty() {
            return Ok(false);
        }
        let mut input = self.input.borrow_mut();
        if input.is_empty() {
            *input = more;
            self.at.set(0);
        } else {
            let at = self.at.replace(0);
            input.drain(..at);
            input.extend_from_slice(&more);
        }
        Ok(true)
    }
    /// Everything up to the end of the file.
    pub fn read_all(&self, vm: Vm) -> Ruby<Vec<u8>> {
        let mut all = self.take(usize::MAX);
        let mut chunk = IN_BUFFER;
        if self.has(flag::REGULAR)
            && let Ok(st) = crate::sys::file::fstat(self.fd.get())
            && let Ok(at) = sys::seek(self.fd.get(), 0, libc::SEEK_CUR)
        {
            // The rest at once, and one byte more to see the end without growing.
            chunk = usize::try_from(st.st_size - at).unwrap_or(0).clamp(IN_BUFFER, 64 << 20) + 1;
        }
        loop {
            let more = self.read_some(vm, chunk)?;
            if more.is_empty() {
                return Ok(all);
            }
            if all.is_empty() {
                all = more;
            } else {
                all.extend_from_slice(&more);
            }
        }
    }
    /// Up to `n` bytes, fewer only at the end of the file.
    pub fn read_exactly(&self, vm: Vm, n: usize) -> Ruby<Vec<u8>> {
        let mut all = self.take(n);
        while all.len() < n {
            let want = n - all.len();
            if want < IN_BUFFER {
                if !self.fill(vm)? {
                    break;
                }
                let more = self.take(want);
                all.extend_from_slice(&more);
            } else {
                let more = self.read_some(vm, want.min(1 << 20))?;
                if more.is_empty() {
                    break;
                }
                all.extend_from_slice(&more);
            }
        }
        Ok(all)
    }
    /// Is there nothing more?
    pub fn at_end(&self, vm: Vm) -> Ruby<bool> {
        Ok(self.buffered() == 0 && !self.fill(vm)?)
    }

    // ---- position, closing

    /// Where the reader or writer is.
    pub fn position(&self, vm: Vm) -> Ruby<i64> {
        self.flush(vm)?;
        match sys::seek(self.fd.get(), 0, libc::SEEK_CUR) {
            Ok(n) => Ok(n - self.buffered() as i64),
            Err(e) => Err(self.fail_named(vm, e)),
        }
    }
    pub fn seek(&self, vm: Vm, offset: i64, whence: i32) -> Ruby<()> {
        self.flush(vm)?;
        let offset = if whence == libc::SEEK_CUR { offset - self.buffered() as i64 } else { offset };
        match sys::seek(self.fd.get(), offset, whence) {
            Ok(_) => {
                self.consume(self.buffered());
                Ok(())
            }
            Err(e) => Err(self.fail_named(vm, e)),
        }
    }
    /// Raises a system error that names the path.
    pub fn fail_named(&self, vm: Vm, e: i32) -> Raised {
        let name = self.name();
        let detail = if name.is_empty() { String::new() } else { format!("- {name}") };
        errno::fail(vm, e, &detail)
    }

    /// Closes one side or both (`fd`, `wfd`); threads that wait in it get an IOError.
    pub fn close(&self, vm: Vm) -> Ruby<()> {
        let flushed =
            if self.write_fd() >= 0 && self.has_output() { Some(vm.keep_error(|| self.flush(vm))) } else { None };
        self.drop_output();
        let (fd, wfd) = (self.fd.replace(-1), self.wfd.replace(-1));
        self.consume(self.buffered());
        self.rouse_blocked(vm);
        let mut failed = 0;
        if !self.has(flag::KEEP) {
            for n in [wfd, fd] {
                if n >= 0
                    && let Err(e) = sys::close(&vm.sched, n)
                    && e != libc::EINTR
                {
                    failed = e;
                }
            }
        }
        if let Some(r) = flushed {
            r?;
        }
        if failed != 0 { Err(self.fail_named(vm, failed)) } else { Ok(()) }
    }
    /// Closes one descriptor of a two-way stream.
    pub fn close_half(&self, vm: Vm, fd: &Cell<i32>) -> Ruby<()> {
        let n = fd.replace(-1);
        self.rouse_blocked(vm);
        if n >= 0 {
            let _ = sys::close(&vm.sched, n);
        }
        Ok(())
    }
    fn rouse_blocked(&self, vm: Vm) {
        let me = vm.sched.current();
        for t in self.blocked.borrow().iter() {
            if *t != me {
                vm.sched.interrupt(*t);
            }
        }
    }
}

impl Vm {
    /// Raises the Errno class of a system error.
    pub fn errno_error(self, e: i32, what: Option<&str>) -> Raised {
        errno::fail(self, e, &what.map_or(String::new(), |w| format!("- {w}")))
    }
    #[cold]
    pub fn io_error(self, text: &str) -> Raised {
        self.raise(self.classes.io_error.get(), text)
    }
    #[cold]
    pub fn eof_error(self) -> Raised {
        self.raise(self.classes.eof_error.get(), "end of file reached")
    }
    /// After a system call was interrupted: runs what is pending for this thread.
    #[cold]
    pub fn look_at_interrupts(self) -> Ruby<()> {
        let bits = self.sched.check_interrupts();
        match self.hooks.interrupts.get() {
            Some(f) if bits != 0 => f(self, bits),
            _ => Ok(()),
        }
    }
    /// Repeats a system call while it is interrupted.
    #[inline(always)]
    pub fn retry<T>(self, mut f: impl FnMut(&Sched) -> Sys<T>) -> Ruby<Sys<T>> {
        loop {
            match f(&self.sched) {
                Err(libc::EINTR) => self.look_at_interrupts()?,
                r => return Ok(r),
            }
        }
    }
    /// Waits until a descriptor is ready; gives the events seen, 0 when the time (nanoseconds from now) is over.
    pub fn wait_fd(self, fd: i32, events: i16, limit: Option<u64>) -> Ruby<i16> {
        let mut fds = [libc::pollfd { fd, events, revents: 0 }];
        self.poll(&mut fds, limit)?;
        Ok(fds[0].revents)
    }
    /// `poll`, gone on with after interrupts; gives how many are ready.
    pub fn poll(self, fds: &mut [libc::pollfd], limit: Option<u64>) -> Ruby<i64> {
        let end = limit.map(|l| crate::sched::now().saturating_add(l));
        loop {
            let wait = match end {
                None => -1,
                Some(e) => e.saturating_sub(crate::sched::now()).div_ceil(1_000_000).min(i32::MAX as u64) as i32,
            };
            match sys::poll(&self.sched, fds, wait) {
                Err(libc::EINTR) => self.look_at_interrupts()?,
                Err(e) => return Err(errno::fail(self, e, "")),
                Ok(0) if end.is_some_and(|e| crate::sched::now() < e) => {}
                Ok(n) => return Ok(n),
            }
        }
    }
    /// Runs `f` to its end although it may raise; the error is for later.
    fn keep_error(self, f: impl FnOnce() -> Ruby<()>) -> Ruby<()> {
        let place = self.save_place();
        let r = f();
        if r.is_err() {
            self.restore_place(place);
        }
        r
    }
    /// Writes all buffered output; errors are dropped but for a broken STDOUT pipe, whose exception is given back.
    pub fn flush_all(self) -> Option<Value> {
        let mut broken = None;
        for _ in 0..10_000 {
            let Some(&s) = self.slot::<Streams>().0.borrow().first() else { break };
            // SAFETY: a stream leaves the list when it is freed.
            let s = unsafe { &*s };
            let place = self.save_place();
            if s.flush(self).is_err() {
                self.restore_place(place);
                let e = self.take_exception();
                if s.has(flag::STDOUT) {
                    broken = e;
                }
                s.drop_output();
            }
            self.slot::<Streams>().0.borrow_mut().retain(|&o| !std::ptr::eq(o, s));
        }
        broken
    }
    /// A String as read from a stream with encoding `enc`.
    pub fn read_str(self, bytes: Vec<u8>, enc: Enc) -> Value {
        RString::from_vec(&self, bytes, enc).value()
    }
}

/// The stream of an IO object, open or not.
pub fn any_stream(vm: Vm, v: Value) -> Ruby<&'static Stream> {
    match v.data::<Stream>() {
        Some(s) if s.fd.get() == -2 => Err(vm.io_error("uninitialized stream")),
        Some(s) => Ok(s),
        None => {
            let what = vm.describe(v);
            Err(vm.type_error(&format!("wrong argument type {what} (expected File)")))
        }
    }
}
/// The stream of an open IO object.
pub fn stream(vm: Vm, v: Value) -> Ruby<&'static Stream> {
    let s = any_stream(vm, v)?;
    if s.is_open() { Ok(s) } else { Err(vm.io_error("closed stream")) }
}
