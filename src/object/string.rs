//! String: bytes plus an encoding. A literal's copy shares the literal's bytes until it is written to.

use super::{Class, Objects, Ref, Str, ty};
use crate::heap::{Header, Heap, Marker, flags};
use crate::value::{NIL, Value};
use std::cell::Cell;

macro_rules! encodings { ($($variant:ident = $name:literal),+ $(,)?) => {
    /// Encodings, by the number kept in `Header::aux`.
    #[repr(u8)]
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub enum Enc { $(#[doc = $name] $variant),+ }

    impl Enc {
        pub const ALL: [Enc; [$($name),+].len()] = [$(Enc::$variant),+];
        const NAMES: &[&str] = &[$($name),+];
    }
} }

encodings! {
    Binary = "ASCII-8BIT", Utf8 = "UTF-8", Ascii = "US-ASCII", Utf16Le = "UTF-16LE", Utf16Be = "UTF-16BE",
    Utf32Le = "UTF-32LE", Utf32Be = "UTF-32BE", Latin1 = "ISO-8859-1", Latin9 = "ISO-8859-15",
    Windows1252 = "Windows-1252", EucJp = "EUC-JP", ShiftJis = "Shift_JIS", Utf16 = "UTF-16", Utf32 = "UTF-32",
    Windows31J = "Windows-31J", Utf7 = "UTF-7", EmacsMule = "Emacs-Mule", Iso2022Jp = "ISO-2022-JP", EucKr = "EUC-KR",
    EucTw = "EUC-TW", Big5 = "Big5", Gbk = "GBK", Gb18030 = "GB18030", Iso8859x2 = "ISO-8859-2",
    Iso8859x3 = "ISO-8859-3", Iso8859x4 = "ISO-8859-4", Iso8859x5 = "ISO-8859-5", Iso8859x6 = "ISO-8859-6",
    Iso8859x7 = "ISO-8859-7", Iso8859x8 = "ISO-8859-8", Iso8859x9 = "ISO-8859-9", Iso8859x10 = "ISO-8859-10",
    Iso8859x11 = "ISO-8859-11", Iso8859x13 = "ISO-8859-13", Iso8859x14 = "ISO-8859-14", Iso8859x16 = "ISO-8859-16",
    Windows1250 = "Windows-1250", Windows1251 = "Windows-1251", Windows1253 = "Windows-1253",
    Windows1254 = "Windows-1254", Windows1255 = "Windows-1255", Windows1256 = "Windows-1256",
    Windows1257 = "Windows-1257", Windows1258 = "Windows-1258", Koi8R = "KOI8-R", Koi8U = "KOI8-U", Ibm437 = "IBM437",
    Ibm866 = "IBM866", Utf8Mac = "UTF8-MAC",
}

impl Enc {
    #[inline(always)]
    pub fn from_index(i: u8) -> Enc {
        static ALL: [Enc; Enc::ALL.len()] = Enc::ALL;
        ALL.get(i as usize).copied().unwrap_or(Enc::Binary)
    }
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }
    /// How error messages and `Encoding#inspect` name it.
    pub fn describe(self) -> &'static str {
        if self == Enc::Binary { "BINARY (ASCII-8BIT)" } else { self.name() }
    }
    /// Bytes below 0x80 mean ASCII wherever they stand.
    #[inline]
    pub fn ascii_compatible(self) -> bool {
        !matches!(
            self,
            Enc::Utf16Le
                | Enc::Utf16Be
                | Enc::Utf32Le
                | Enc::Utf32Be
                | Enc::Utf16
                | Enc::Utf32
                | Enc::Utf7
                | Enc::Iso2022Jp
        )
    }
    /// One byte is one character. Dummy encodings are worked with byte by byte.
    #[inline]
    pub fn single_byte(self) -> bool {
        !matches!(
            self,
            Enc::Utf8
                | Enc::Utf16Le
                | Enc::Utf16Be
                | Enc::Utf32Le
                | Enc::Utf32Be
                | Enc::EucJp
                | Enc::ShiftJis
                | Enc::Windows31J
                | Enc::EmacsMule
                | Enc::EucKr
                | Enc::EucTw
                | Enc::Big5
                | Enc::Gbk
                | Enc::Gb18030
                | Enc::Utf8Mac
        )
    }
}

/// What is known of a string's bytes.
#[repr(u8)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CodeRange {
    Unknown = 0,
    /// only ASCII
    SevenBit = 1,
    /// valid in its encoding, not only ASCII
    Valid = 2,
    Broken = 3,
}

/// S1  `ptr`/`len` are readable; with `cap` > 0 the buffer is a `Vec` of ours, with `cap` == 0 the bytes belong to
///     `owner` (kept alive by it) or live for ever, and are never written
#[repr(C)]
pub struct RString {
    pub h: Header,
    ptr: Cell<*mut u8>,
    len: Cell<usize>,
    cap: Cell<usize>,
    owner: Cell<Value>,
}

/// Every byte, for strings of one.
static BYTES: [u8; 256] = {
    let mut all = [0; 256];
    let mut i = 0;
    while i < 256 {
        all[i] = i as u8;
        i += 1;
    }
    all
};

impl RString {
    fn raw(ob: &Objects, class: Class, enc: Enc, ptr: *mut u8, len: usize, cap: usize, owner: Value) -> Str {
        let h = Header::new(class.as_ptr() as *mut Header, ty::STRING);
        h.aux.set(enc as u16);
        let cell =
            RString { h, ptr: Cell::new(ptr), len: Cell::new(len), cap: Cell::new(cap), owner: Cell::new(owner) };
        // SAFETY: just allocated.
        unsafe { Ref::new(ob.heap.alloc::<_, true>(cell)) }
    }

    pub fn from_vec(ob: &Objects, bytes: Vec<u8>, enc: Enc) -> Str {
        Self::with_class(ob, ob.classes.string.get(), bytes, enc)
    }
    pub fn with_class(ob: &Objects, class: Class, bytes: Vec<u8>, enc: Enc) -> Str {
        ob.heap.charge(bytes.capacity());
        let mut bytes = std::mem::ManuallyDrop::new(bytes);
        Self::raw(ob, class, enc, bytes.as_mut_ptr(), bytes.len(), bytes.capacity(), NIL)
    }
    /// A copy of some bytes.
    pub fn from_bytes(ob: &Objects, bytes: &[u8], enc: Enc) -> Str {
        Self::from_vec(ob, bytes.to_vec(), enc)
    }
    /// A UTF-8 string.
    pub fn new(ob: &Objects, text: &str) -> Str {
        Self::from_vec(ob, text.as_bytes().to_vec(), Enc::Utf8)
    }
    /// US-ASCII, as `to_s` of numbers gives.
    pub fn ascii(ob: &Objects, text: &str) -> Str {
        Self::from_vec(ob, text.as_bytes().to_vec(), Enc::Ascii)
    }
    /// Bytes that live for ever, shared until written to.
    pub fn from_static(ob: &Objects, bytes: &'static [u8], enc: Enc) -> Str {
        Self::raw(ob, ob.classes.string.get(), enc, bytes.as_ptr() as *mut u8, bytes.len(), 0, NIL)
    }
    /// A new String sharing `from`'s bytes `at..at+len`; `from` must be frozen or itself a shared literal, so that the
    /// bytes never change.
    pub fn share(ob: &Objects, class: Class, from: Str, at: usize, len: usize) -> Str {
        debug_assert!(from.is_frozen() && at + len <= from.len());
        // SAFETY: S1: within `from`'s bytes, which `owner` keeps.
        let s = Self::raw(ob, class, from.enc(), unsafe { from.ptr.get().add(at) }, len, 0, from.value());
        if at == 0 && len == from.len() {
            s.h.aux.set(from.h.aux.get());
        }
        s
    }

    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len.get()
    }
    pub fn is_empty(&self) -> bool {
        self.len.get() == 0
    }
    /// The bytes. The slice is invalid once the string is written to or has died: use it at once, copy it before
    /// calling Ruby or allocating.
    #[inline(always)]
    pub fn bytes(&self) -> &'static [u8] {
        // SAFETY: S1; the doc comment passes the duty on to the caller.
        unsafe { std::slice::from_raw_parts(self.ptr.get(), self.len.get()) }
    }
    /// Text for messages and lookups; invalid bytes are replaced.
    pub fn text(&self) -> std::borrow::Cow<'static, str> {
        String::from_utf8_lossy(self.bytes())
    }
    #[inline(always)]
    pub fn enc(&self) -> Enc {
        Enc::from_index(self.h.aux.get() as u8)
    }
    pub fn set_enc(&self, enc: Enc) {
        self.h.aux.set(enc as u16);
    }
    pub fn cached_range(&self) -> CodeRange {
        match self.h.aux.get() >> 8 & 3 {
            0 => CodeRange::Unknown,
            1 => CodeRange::SevenBit,
            2 => CodeRange::Valid,
            _ => CodeRange::Broken,
        }
    }
    pub fn cache_range(&self, r: CodeRange) {
        self.h.aux.set(self.h.aux.get() & 0xff | (r as u16) << 8);
    }
    fn clear_range(&self) {
        self.h.aux.set(self.h.aux.get() & 0xff);
    }
    /// What kind of bytes these are (cached).
    #[inline]
    pub fn code_range(&self) -> CodeRange {
        match self.cached_range() {
            CodeRange::Unknown => {
                let r = self.enc().scan(self.bytes());
                self.cache_range(r);
                r
            }
            r => r,
        }
    }
    /// Only ASCII bytes in an ASCII-compatible encoding (cached).
    #[inline]
    pub fn is_ascii_only(&self) -> bool {
        self.code_range() == CodeRange::SevenBit
    }
    pub fn is_broken(&self) -> bool {
        self.code_range() == CodeRange::Broken
    }
    /// One byte is one character here.
    #[inline]
    pub fn single_byte(&self) -> bool {
        self.enc().single_byte() || self.is_ascii_only()
    }
    fn valid_utf8(&self) -> bool {
        self.enc() == Enc::Utf8 && self.code_range() == CodeRange::Valid
    }

    /// Characters.
    pub fn char_len(&self) -> usize {
        self.count_chars(self.len())
    }
    /// Characters in the first `end` bytes.
    pub fn count_chars(&self, end: usize) -> usize {
        let b = &self.bytes()[..end.min(self.len())];
        if self.single_byte() {
            b.len()
        } else if self.valid_utf8() {
            b.iter().filter(|&&c| (c as i8) >= -0x40).count()
        } else {
            self.enc().chars(b).count()
        }
    }
    /// Byte offset of character `n` counted from byte `from`; `Err` with the characters that were there if there are
    /// fewer than `n`.
    pub fn offset_from(&self, from: usize, n: usize) -> Result<usize, usize> {
        let b = &self.bytes()[from..];
        if self.single_byte() {
            return if n <= b.len() { Ok(from + n) } else { Err(b.len()) };
        }
        let mut left = n;
        let mut i = 0;
        if self.valid_utf8() {
            while i < b.len() && left > 0 {
                i += match b[i] {
                    0..0xc0 => 1,
                    0xc0..0xe0 => 2,
                    0xe0..0xf0 => 3,
                    _ => 4,
                };
                left -= 1;
            }
        } else {
            while i < b.len() && left > 0 {
                i += self.enc().step(&b[i..]).len;
                left -= 1;
            }
        }
        if left == 0 { Ok(from + i) } else { Err(n - left) }
    }
    /// Bytes of the `len` characters at `start` (from the end when negative), as `String#[]` counts; `None` outside.
    pub fn char_range(&self, start: i64, len: i64) -> Option<(usize, usize)> {
        if len < 0 {
            return None;
        }
        if self.single_byte() {
            let n = self.len() as i64;
            let at = if start < 0 { start + n } else { start };
            if at < 0 || at > n {
                return None;
            }
            return Some((at as usize, len.min(n - at) as usize));
        }
        let from = if start < 0 {
            let back = start.unsigned_abs() as usize;
            let total = self.char_len();
            if back > total {
                return None;
            }
            self.offset_from(0, total - back).ok()?
        } else {
            self.offset_from(0, start as usize).ok()?
        };
        let to = self.offset_from(from, len as usize).unwrap_or(self.len());
        Some((from, to - from))
    }

    /// A frozen plain String with the same bytes; the bytes are shared until `s` is written to.
    pub fn frozen_copy(ob: &Objects, s: Str) -> Str {
        let plain = s.h.class.get() == ob.classes.string.get().as_ptr() as *mut Header;
        if s.is_frozen() && plain {
            return s;
        }
        let owner = if s.cap.get() == 0 { s.owner.get() } else { NIL };
        let copy = Self::raw(ob, ob.classes.string.get(), s.enc(), s.ptr.get(), s.len.get(), s.cap.get(), owner);
        copy.h.aux.set(s.h.aux.get());
        copy.freeze();
        if s.cap.get() > 0 {
            // The buffer changes hands: `s` borrows it from the frozen one now (S1).
            s.cap.set(0);
            s.owner.set(copy.value());
        }
        copy
    }
    /// A new plain String of the bytes `at..at+len`, which lie within; long tails share the buffer.
    pub fn substring(ob: &Objects, s: Str, at: usize, len: usize) -> Str {
        let r = if len == 1 {
            // One-byte strings share a table: indexing and `each_char` need no buffers.
            let byte = s.bytes()[at] as usize;
            Self::raw(ob, ob.classes.string.get(), s.enc(), BYTES[byte..].as_ptr() as *mut u8, 1, 0, NIL)
        } else if len >= 256 && (at + len == s.len() || s.cap.get() == 0) {
            let root = Self::frozen_copy(ob, s);
            Self::share(ob, ob.classes.string.get(), root, at, len)
        } else {
            Self::from_bytes(ob, &s.bytes()[at..at + len], s.enc())
        };
        if s.cached_range() == CodeRange::SevenBit {
            r.cache_range(CodeRange::SevenBit);
        }
        r
    }

    /// Changes the bytes through a `Vec`. The caller has checked that the string is not frozen. `f` must not allocate
    /// Ruby objects nor call Ruby.
    pub fn modify<R>(&self, ob: &Objects, f: impl FnOnce(&mut Vec<u8>) -> R) -> R {
        let (ptr, len, cap) = (self.ptr.get(), self.len.get(), self.cap.get());
        let mut v = if cap == 0 {
            self.bytes().to_vec()
        } else {
            // SAFETY: S1: a Vec of ours; it is put back below.
            unsafe { Vec::from_raw_parts(ptr, len, cap) }
        };
        // While `f` runs the string is empty, so that a panic could not free the buffer twice.
        self.put(Vec::new());
        let r = f(&mut v);
        let new_cap = v.capacity();
        self.put(v);
        if new_cap > cap {
            ob.heap.charge(new_cap - cap);
        } else {
            ob.heap.uncharge(cap - new_cap);
        }
        r
    }

    fn put(&self, v: Vec<u8>) {
        let mut v = std::mem::ManuallyDrop::new(v);
        self.ptr.set(v.as_mut_ptr());
        self.len.set(v.len());
        self.cap.set(v.capacity());
        self.owner.set(NIL);
        self.clear_range();
    }

    /// Appends bytes (same checks as `modify`).
    #[inline]
    pub fn push_bytes(&self, ob: &Objects, bytes: &[u8]) {
        let (len, cap) = (self.len.get(), self.cap.get());
        if len + bytes.len() <= cap {
            // SAFETY: S1: our buffer has room; `bytes` may be our own bytes, which lie before `len`.
            unsafe { std::ptr::copy(bytes.as_ptr(), self.ptr.get().add(len), bytes.len()) };
            self.len.set(len + bytes.len());
            if self.cached_range() != CodeRange::SevenBit || !bytes.is_ascii() {
                self.clear_range();
            }
        } else {
            let own = bytes.to_vec();
            self.modify(ob, |v| v.extend_from_slice(&own));
        }
    }
    /// Replaces contents and encoding.
    pub fn replace(&self, ob: &Objects, bytes: Vec<u8>, enc: Enc) {
        self.modify(ob, |v| *v = bytes);
        self.set_enc(enc);
    }
    pub fn freeze(&self) {
        self.h.set(flags::FROZEN)
    }
}

/// # Safety
/// `p` is a live `RString`.
pub unsafe fn trace(p: *mut Header, m: &mut Marker) {
    // SAFETY: the caller's promise.
    m.value(unsafe { (*(p as *const RString)).owner.get() })
}

/// # Safety
/// `p` is a dead `RString`.
pub unsafe fn drop(p: *mut Header, heap: &Heap) {
    // SAFETY: the caller's promise; S1 says whose the buffer is.
    unsafe {
        let s = &*(p as *const RString);
        if s.cap.get() > 0 {
            heap.uncharge(s.cap.get());
            std::mem::drop(Vec::from_raw_parts(s.ptr.get(), s.len.get(), s.cap.get()));
        }
    }
}
