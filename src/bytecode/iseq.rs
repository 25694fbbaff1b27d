//! A linked code object: what the interpreter runs. Made from a `Proto` by `vm/link.rs`; immutable but for its caches.

use super::op::Ins;
use super::proto::{CatchKind, CodeKind, EnvProto, LocalProto, ParamsProto};
use crate::heap::{Header, Heap, Marker};
use crate::object::{Foreign, ForeignOps, MethodEntry, Ref};
use crate::value::{Sym, Value};
use std::cell::Cell;
use std::rc::Rc;

/// How a call site dispatches when its class matches.
#[repr(u8)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SiteKind {
    /// look it up each time
    Slow,
    /// code object that takes exactly the site's arguments
    Code,
    /// native method, number of arguments checked
    Native,
    AttrReader,
    AttrWriter,
    /// `Class#new` of a class: allocate and initialize without native recursion
    New,
}

/// A call site with its inline cache. The address never changes.
///
/// K1  `class` is null or the class for which the fields below it were computed
/// K2  every site is in the list of its name (`vm/cache.rs`), so that a change to a method of that name finds it
#[repr(C)]
pub struct Site {
    pub class: Cell<*mut Header>,
    pub code: Cell<*const Iseq>,
    pub entry: Cell<*const Ins>,
    pub me: Cell<Option<Ref<MethodEntry>>>,
    /// native function
    pub native: Cell<*const ()>,
    pub nregs: Cell<u32>,
    pub kind: Cell<SiteKind>,
    pub argc: u16,
    pub flags: u16,
    pub name: Sym,
    /// literal block
    pub block: *const Iseq,
    pub next: Cell<*mut Site>,
    pub prev: Cell<*mut Site>,
}

impl Site {
    pub fn new(name: Sym, argc: u16, flags: u16, block: *const Iseq) -> Site {
        Site {
            class: Cell::new(std::ptr::null_mut()),
            code: Cell::new(std::ptr::null()),
            entry: Cell::new(std::ptr::null()),
            me: Cell::new(None),
            native: Cell::new(std::ptr::null()),
            nregs: Cell::new(0),
            kind: Cell::new(SiteKind::Slow),
            argc,
            flags,
            name,
            block,
            next: Cell::new(std::ptr::null_mut()),
            prev: Cell::new(std::ptr::null_mut()),
        }
    }
}

/// Cache of an instance variable access: valid while the object's shape is `shape`.
#[repr(C)]
pub struct IvarSite {
    pub shape: Cell<u32>,
    pub slot: Cell<u32>,
    /// writes that add the variable: shape afterwards, 0 if it was there
    pub next: Cell<u32>,
    pub name: Sym,
}

/// Cache of a constant path: valid while `serial` is the VM's and the cref is the same.
pub struct ConstSite {
    pub serial: Cell<u64>,
    pub cref: Cell<u64>,
    pub value: Cell<Value>,
    pub path: Box<[Sym]>,
    pub top: bool,
}

pub struct ClassSite {
    pub name: Sym,
    pub what: super::proto::ClassWhat,
    pub has_super: bool,
    pub has_scope: bool,
    pub child: u16,
}

pub struct CatchEntry {
    pub kind: CatchKind,
    pub start: u32,
    pub end: u32,
    pub handler: u32,
    pub reg: u16,
}

/// Keyword parameter.
pub struct Keyword {
    pub name: Sym,
    pub required: bool,
}

/// Parameters as the argument setup needs them; register order as in `ParamsProto`.
pub struct Params {
    pub required: u32,
    pub optional: u32,
    pub opt_entries: Box<[u32]>,
    pub rest: bool,
    pub post: u32,
    pub keywords: Box<[Keyword]>,
    pub kwrest: bool,
    pub no_keywords: bool,
    pub block: bool,
    pub captured: Box<[(u16, u16)]>,
    /// only required ones: the fast path applies
    pub simple: bool,
    /// as written, for `parameters`
    pub proto: ParamsProto,
}

impl Params {
    pub fn takes_keywords(&self) -> bool {
        !self.keywords.is_empty() || self.kwrest
    }
    /// Positional parameters other than the rest.
    pub fn positional(&self) -> u32 {
        self.required + self.optional + self.post
    }
}

#[repr(C)]
pub struct Iseq {
    pub f: Foreign,
    /// What JIT code and natives would call; the interpreter's entry until a JIT exists.
    pub entry: Cell<*const ()>,
    pub nregs: u32,
    pub nlocals: u32,
    /// number of arguments when only required parameters exist, else -1
    pub simple: i32,
    /// registers the parameters take
    pub param_words: u32,
    pub code: Box<[Ins]>,
    pub lits: Box<[Value]>,
    pub sites: Box<[Site]>,
    pub ivars: Box<[IvarSite]>,
    pub consts: Box<[ConstSite]>,
    pub children: Box<[*mut Iseq]>,
    pub env: Option<EnvProto>,
    pub rest: Box<Rest>,
}

/// What calls do not need.
pub struct Rest {
    pub kind: CodeKind,
    pub name: Sym,
    pub file: Rc<str>,
    pub line: u32,
    pub params: Params,
    pub classes: Box<[ClassSite]>,
    pub catch: Box<[CatchEntry]>,
    pub lines: Box<[(u32, u32)]>,
    pub locals: Box<[LocalProto]>,
    pub svar_match: Option<u16>,
    pub svar_line: Option<u16>,
    pub once: Box<[Cell<Value>]>,
    pub prelude: bool,
    pub uses_block: bool,
    /// code object this one is written in, null at the top
    pub parent: Cell<*mut Iseq>,
}

impl Iseq {
    pub const OPS: ForeignOps = ForeignOps { trace, drop: drop_iseq };

    /// Source line of the instruction with this index.
    pub fn line_of(&self, pc: u32) -> u32 {
        let i = self.rest.lines.partition_point(|&(at, _)| at <= pc);
        if i == 0 { self.rest.line } else { self.rest.lines[i - 1].1 }
    }
    pub fn header(&self) -> *mut Header {
        self as *const Iseq as *mut Header
    }
    /// Words of the env record, 0 if there is none.
    pub fn env_len(&self) -> usize {
        self.env.map_or(0, |e| super::op::ENV_HEADER as usize + e.vars as usize)
    }
}

/// # Safety
/// `p` is a live `Iseq`.
unsafe fn trace(p: *mut Header, m: &mut Marker) {
    // SAFETY: the caller's promise.
    let c = unsafe { &*(p as *const Iseq) };
    m.values(&c.lits);
    for &child in &c.children {
        m.cell(child as *mut Header);
    }
    m.cell(c.rest.parent.get() as *mut Header);
    for s in &c.sites {
        // Strong: a cached class or method stays until the site is refilled.
        m.cell(s.class.get());
        m.cell(s.code.get() as *mut Header);
        if let Some(me) = s.me.get() {
            m.value(me.value())
        }
    }
    for s in &c.consts {
        m.value(s.value.get())
    }
    for o in &c.rest.once {
        m.value(o.get())
    }
}

/// # Safety
/// `p` is a dead `Iseq`.
unsafe fn drop_iseq(p: *mut Header, heap: &Heap) {
    // SAFETY: the caller's promise; it runs once. Sites leave their lists first (K2).
    unsafe {
        let c = &mut *(p as *mut Iseq);
        heap.uncharge(c.code.len() * 16);
        for s in &c.sites {
            let (next, prev) = (s.next.get(), s.prev.get());
            if !prev.is_null() {
                (*prev).next.set(next);
            }
            if !next.is_null() {
                (*next).prev.set(prev);
            }
        }
        std::ptr::drop_in_place(&raw mut c.code);
        std::ptr::drop_in_place(&raw mut c.lits);
        std::ptr::drop_in_place(&raw mut c.sites);
        std::ptr::drop_in_place(&raw mut c.ivars);
        std::ptr::drop_in_place(&raw mut c.consts);
        std::ptr::drop_in_place(&raw mut c.children);
        std::ptr::drop_in_place(&raw mut c.rest);
    }
}
