//! Frames on the value stack. Reference.
//!
//! ```text
//!            base-10  captured block given by the caller's literal block: its code object
//!            base-9   ... and the base of the frame it was written in
//!   FLAGS    base-8   argc << 8 | frame flags
//!   PARENT   base-7   blocks: holder of the enclosing scope's env record; else 0
//!   EP       base-6   own env record (in this frame, or moved to an Env); 0: none
//!   ME       base-5   method entry or Cref in force
//!   BLOCK    base-4   block given to the home method: nil, a Proc, or (address of base-10 of some frame) | 7
//!   CODE     base-3   code object; native frames: 0
//!   PREV     base-2   base of the frame below (0: bottom)
//!   RET      base-1   return address in the frame below, with a tag in its low bits
//!   self     base[0]  then registers / arguments
//! ```
//! F1  every frame up to `ec.fp` has all words of `FLAGS..RET` initialised
//! F2  `ec.fp`/`ec.pc` are written before anything that can raise, allocate, call or switch

use super::native::Block;
use super::{Ec, Vm};
use crate::bytecode::iseq::Iseq;
use crate::bytecode::op::{HEADER, Ins};
use crate::object::{Cref, Env, MethodEntry, Ref, ty};
use crate::value::{NIL, Value};

pub const RET: usize = 1;
pub const PREV: usize = 2;
pub const CODE: usize = 3;
pub const BLOCK: usize = 4;
pub const ME: usize = 5;
pub const EP: usize = 6;
pub const PARENT: usize = 7;
pub const FLAGS: usize = 8;
pub const CAPTURED_BASE: usize = 9;
pub const CAPTURED_CODE: usize = 10;
pub const H: usize = HEADER as usize;

/// Frame flags.
pub const F_BLOCK: u64 = 1;
pub const F_LAMBDA: u64 = 2;
/// `define_method` body: return leaves it, self is the receiver
pub const F_BMETHOD: u64 = 4;
pub const F_CLASS: u64 = 8;
pub const F_TOP: u64 = 16;
pub const F_EVAL: u64 = 32;
pub const F_NATIVE: u64 = 64;
/// last argument is a keyword hash (native frames)
pub const F_KW: u64 = 128;

/// Tags in the low bits of a return address (it is aligned to 8).
pub const RET_NORMAL: u64 = 0;
/// return from `run` to native code
pub const RET_ENTRY: u64 = 1;
/// constructor: the caller's result is self
pub const RET_SELF: u64 = 2;
/// the caller wants no result
pub const RET_DROP: u64 = 3;
/// what the lower two bits say
pub const RET_KIND: u64 = 3;
/// set beside the others: a trace function wants to know of the return
pub const RET_TRACED: u64 = 4;
pub const RET_TAG: u64 = 7;

/// Copy handle to a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame(pub *mut Value);

impl Frame {
    #[inline(always)]
    pub fn word(self, i: usize) -> u64 {
        // SAFETY: F1.
        unsafe { *(self.0.sub(i) as *const u64) }
    }
    #[inline(always)]
    pub fn set_word(self, i: usize, w: u64) {
        // SAFETY: F1; the header belongs to this frame.
        unsafe { *(self.0.sub(i) as *mut u64) = w }
    }
    #[inline(always)]
    pub fn prev(self) -> Option<Frame> {
        let p = self.word(PREV) as *mut Value;
        if p.is_null() { None } else { Some(Frame(p)) }
    }
    #[inline(always)]
    pub fn this(self) -> Value {
        // SAFETY: F1.
        unsafe { *self.0 }
    }
    #[inline(always)]
    pub fn reg(self, i: usize) -> Value {
        // SAFETY: callers pass a register of the frame.
        unsafe { *self.0.add(i) }
    }
    #[inline(always)]
    pub fn code(self) -> Option<&'static Iseq> {
        let p = self.word(CODE) as *const Iseq;
        // SAFETY: F1: zero or a code object, alive while the frame is (the collector scans the header).
        if p.is_null() { None } else { Some(unsafe { &*p }) }
    }
    #[inline(always)]
    pub fn is_native(self) -> bool {
        self.word(FLAGS) & F_NATIVE != 0
    }
    #[inline(always)]
    pub fn flags(self) -> u64 {
        self.word(FLAGS) & 0xff
    }
    #[inline(always)]
    pub fn argc(self) -> usize {
        (self.word(FLAGS) >> 8) as usize
    }
    #[inline(always)]
    pub fn block_word(self) -> Value {
        // SAFETY: F1: never zero.
        unsafe { Value::from_bits(self.word(BLOCK)) }
    }
    #[inline(always)]
    pub fn block(self) -> Option<Block> {
        let b = self.block_word();
        if b == NIL { None } else { Some(Block(b)) }
    }
    /// Method entry or cref.
    #[inline(always)]
    pub fn me_word(self) -> Value {
        let w = self.word(ME);
        // SAFETY: F1: zero or a cell.
        if w == 0 { NIL } else { unsafe { Value::from_bits(w) } }
    }
    /// The method in force, through a cref if need be.
    pub fn method(self) -> Option<Ref<MethodEntry>> {
        method_of(self.me_word())
    }
    pub fn cref(self) -> Option<Ref<Cref>> {
        cref_of(self.me_word())
    }
    /// Address of the word that points at this frame's env record.
    #[inline(always)]
    pub fn holder(self) -> *mut *mut Value {
        // SAFETY: within the header.
        unsafe { self.0.sub(EP) as *mut *mut Value }
    }
    /// First word past the frame's registers or arguments.
    #[inline(always)]
    pub fn top(self) -> *mut Value {
        // SAFETY: within the value stack: checked when the frame was pushed.
        unsafe {
            match self.code() {
                Some(c) => self.0.add(c.nregs as usize),
                None => self.0.add(1 + self.argc()),
            }
        }
    }
    /// The enclosing scope's frame, if it is alive and this is a block.
    pub fn parent(self, vm: Vm) -> Option<Frame> {
        let holder = self.word(PARENT) as *mut *mut Value;
        if holder.is_null() { None } else { frame_of_holder(vm, holder) }
    }
    /// The nearest enclosing scope that is still running.
    pub fn live_parent(self, vm: Vm) -> Option<Frame> {
        let mut holder = self.word(PARENT) as *mut *mut Value;
        while !holder.is_null() {
            if let Some(f) = frame_of_holder(vm, holder) {
                return Some(f);
            }
            // SAFETY: the holder of a dead scope is an Env's; a record's first word is the next holder.
            holder = unsafe { **(holder as *const *const *mut *mut Value) };
        }
        None
    }
    /// The frame of the method (or class body, top level) this code is written in; `None` if it has returned.
    pub fn home(self, vm: Vm) -> Option<Frame> {
        let mut f = self;
        while f.word(PARENT) != 0 && f.flags() & F_BMETHOD == 0 {
            f = f.live_parent(vm)?;
        }
        Some(f)
    }
}

/// The live frame whose env record a holder points at.
pub fn frame_of_holder(vm: Vm, holder: *mut *mut Value) -> Option<Frame> {
    if vm.heap.contains(holder as usize) {
        // SAFETY: a holder inside the heap is an Env's.
        let f = unsafe { Env::of_holder(holder) }.frame.get();
        if f.is_null() { None } else { Some(Frame(f)) }
    } else {
        // SAFETY: a holder on a stack is a frame's EP word.
        Some(Frame(unsafe { (holder as *mut Value).add(EP) }))
    }
}

pub fn method_of(me: Value) -> Option<Ref<MethodEntry>> {
    if let Some(m) = me.as_method_entry() {
        return Some(m);
    }
    cref_value(me)?.me.get().as_method_entry()
}

pub fn cref_of(me: Value) -> Option<Ref<Cref>> {
    if let Some(m) = me.as_method_entry() {
        return match m.body {
            crate::object::MethodBody::Code { cref, .. } => cref_value(cref),
            // `define_method`: the scope its block was written in.
            crate::object::MethodBody::Proc(p) => p.as_proc().and_then(|p| cref_of(p.me.get())),
            _ => None,
        };
    }
    cref_value(me)
}

pub fn cref_value(v: Value) -> Option<Ref<Cref>> {
    if v.is_type(ty::CREF) {
        // SAFETY: the tag says so.
        Some(unsafe { Ref::new(v.ptr() as *mut Cref) })
    } else {
        None
    }
}

impl Ec {
    pub fn frame(&self) -> Frame {
        Frame(self.fp.get())
    }
    /// Frames from the newest to the oldest of this fiber.
    pub fn frames(&self) -> impl Iterator<Item = Frame> + use<> {
        let first = if self.fp.get().is_null() { None } else { Some(self.frame()) };
        std::iter::successors(first, |f| f.prev())
    }
    /// The newest frame of the user's Ruby code (natives and prelude skipped).
    pub fn ruby_frame(&self) -> Option<Frame> {
        self.frames().find(|f| f.code().is_some_and(|c| !c.rest.prelude))
    }
    /// The newest frame that runs Ruby code, prelude included.
    pub fn ruby_frame_any(&self) -> Option<Frame> {
        self.frames().find(|f| !f.is_native())
    }
}

/// Line of the instruction before `pc`; of the definition, when nothing has run yet (argument errors).
pub fn line_at(code: &Iseq, pc: *const Ins) -> u32 {
    let at = (pc as usize).wrapping_sub(code.code.as_ptr() as usize) / 8;
    if at == 0 {
        return code.rest.line;
    }
    code.line_of(at.saturating_sub(1) as u32)
}
