//! Marking: an explicit stack, exact references and conservative words.

use super::{Block, Header, Heap};
use crate::value::Value;

pub struct Marker<'h> {
    heap: &'h Heap,
    pub(super) cells: u64,
    pub(super) bytes: usize,
}

impl<'h> Marker<'h> {
    pub(super) fn new(heap: &'h Heap) -> Marker<'h> {
        Marker { heap, cells: 0, bytes: 0 }
    }

    /// A reference known to be a value.
    #[inline]
    pub fn value(&mut self, v: Value) {
        if v.is_ptr() {
            self.cell(v.ptr() as *mut Header)
        }
    }

    /// A reference known to be a cell, or null.
    #[inline]
    pub fn cell(&mut self, p: *mut Header) {
        if p.is_null() {
            return;
        }
        debug_assert!(self.heap.contains(p as usize));
        // SAFETY: an exact reference points to a live cell (H1).
        unsafe {
            let block = Block::of(p as usize);
            if let Some(i) = Block::index(p as usize) {
                self.set(block, i)
            }
        }
    }

    /// A word that may be a reference (interior ones too), e.g. from a stack.
    #[inline]
    pub fn word(&mut self, w: u64) {
        let addr = w as usize;
        if !self.heap.contains(addr) {
            return;
        }
        // SAFETY: within the region every block up to `limit` is initialised; the alloc bit says whether the cell
        // holds an object (H4).
        unsafe {
            let block = Block::of(addr);
            if let Some(i) = Block::index(addr)
                && (*block).alloc[i / 64] >> (i % 64) & 1 != 0
            {
                self.set(block, i)
            }
        }
    }

    /// All words in `[from, to)`; both aligned to 8.
    /// # Safety
    /// The range is readable.
    pub unsafe fn range(&mut self, from: usize, to: usize) {
        let mut p = from;
        while p < to {
            // SAFETY: the caller's promise. Volatile: the words may be anything at all.
            self.word(unsafe { std::ptr::read_volatile(p as *const u64) });
            p += 8;
        }
    }

    pub fn values(&mut self, vs: &[Value]) {
        for &v in vs {
            self.value(v)
        }
    }

    #[inline]
    unsafe fn set(&mut self, block: *mut Block, i: usize) {
        // SAFETY: callers pass an initialised block and an index below its count.
        unsafe {
            let w = &mut (*block).mark[i / 64];
            let bit = 1 << (i % 64);
            if *w & bit != 0 {
                return;
            }
            *w |= bit;
            self.cells += 1;
            self.bytes += (*block).size as usize;
            (*self.heap.mark_stack.get()).push(Block::cell(block, i) as *mut Header);
        }
    }

    pub(super) fn drain(&mut self) {
        loop {
            // SAFETY: H5; the borrow ends at once.
            let Some(p) = (unsafe { (*self.heap.mark_stack.get()).pop() }) else { return };
            // SAFETY: only live cells are pushed.
            unsafe {
                self.cell((*p).class.get());
                (self.heap.types[(*p).ty as usize].trace)(p, self);
            }
        }
    }
}
