//! Lazy sweep: a block's dead cells are found when the allocator comes to it.

use super::{Block, Header, Heap, KINDS, SIZES};

impl Heap {
    /// Gives the cells past each bump pointer back, so that alloc bits are exact (H4).
    pub(super) fn trim_runs(&self) {
        for (kind, b) in self.bumps.iter().enumerate() {
            let (cur, end) = (b.cur.get(), b.run_end.get());
            if cur < end {
                // SAFETY: a run lies within one initialised block.
                unsafe {
                    let block = b.block.get();
                    let i = Block::index_past(block, cur);
                    let n = (end - cur) / SIZES[kind / 2];
                    (*block).set_alloc(i, i + n, false);
                    b.cursor.set(i);
                }
            }
            b.cur.set(0);
            b.end.set(0);
            b.run_end.set(0);
        }
    }

    /// Makes the next free run of this kind current; false when all blocks are used up.
    pub(super) fn next_run(&self, kind: usize) -> bool {
        let b = &self.bumps[kind];
        let size = SIZES[kind / 2];
        loop {
            let block = b.block.get();
            if !block.is_null() {
                // SAFETY: initialised block, swept when it became current.
                unsafe {
                    if let Some((start, end)) = (*block).next_free_run(b.cursor.get()) {
                        (*block).set_alloc(start, end, true);
                        b.cursor.set(end);
                        let from = Block::cell(block, start);
                        b.cur.set(from);
                        b.run_end.set(from + (end - start) * size);
                        self.since.set(self.since.get() + (end - start) * size);
                        self.stats.allocated.set(self.stats.allocated.get() + (end - start) as u64);
                        return true;
                    }
                }
            }
            // SAFETY: H5; the borrow is a copy.
            let next = unsafe { (&*self.lists[kind].get()).get(b.sweep.get()).copied() };
            let Some(block) = next else { return false };
            b.sweep.set(b.sweep.get() + 1);
            self.sweep_block(block);
            b.block.set(block);
            b.cursor.set(0);
        }
    }

    fn sweep_block(&self, block: *mut Block) {
        // SAFETY: blocks in the lists are initialised.
        unsafe {
            if (*block).swept {
                return;
            }
            (*block).swept = true;
            if (*block).kind % 2 == 1 {
                for w in 0..(*block).alloc.len() {
                    let mut dead = (*block).alloc[w] & !(*block).mark[w];
                    while dead != 0 {
                        let i = w * 64 + dead.trailing_zeros() as usize;
                        dead &= dead - 1;
                        self.drop_cell(Block::cell(block, i) as *mut Header);
                    }
                }
            }
            (*block).alloc = (*block).mark;
        }
    }

    pub(super) fn drop_cell(&self, cell: *mut Header) {
        // SAFETY: the cell is allocated and about to be forgotten; its type's drop runs once.
        unsafe {
            if let Some(f) = self.types[(*cell).ty as usize].drop {
                f(cell, self)
            }
        }
    }

    pub(super) fn finish_sweep(&self) {
        self.trim_runs();
        for (kind, list) in self.lists.iter().enumerate() {
            // SAFETY: H5; dropping a cell's outside memory does not touch the lists.
            let list = unsafe { &*list.get() };
            for &block in &list[self.bumps[kind].sweep.get().min(list.len())..] {
                self.sweep_block(block);
            }
        }
    }

    pub(super) fn clear_marks(&self) {
        for list in &self.lists {
            // SAFETY: H5.
            for &block in unsafe { &*list.get() } {
                // SAFETY: initialised block.
                unsafe { (*block).mark.fill(0) }
            }
        }
    }

    /// After marking: whole dead blocks go back to the pool at once, the rest is swept when needed.
    pub(super) fn start_sweep(&self) {
        for kind in 0..KINDS {
            let b = &self.bumps[kind];
            // SAFETY: H5.
            let (list, free) = unsafe { (&mut *self.lists[kind].get(), &mut *self.free.get()) };
            list.retain(|&block| {
                // SAFETY: initialised block.
                unsafe {
                    (*block).swept = false;
                    if (*block).mark.iter().any(|&w| w != 0) {
                        return true;
                    }
                }
                self.sweep_block(block);
                free.push(block);
                false
            });
            b.sweep.set(0);
            b.block.set(std::ptr::null_mut());
            b.cursor.set(0);
        }
        self.release_surplus();
    }

    /// Keeps some empty blocks at hand and gives the memory of the rest back to the system.
    fn release_surplus(&self) {
        const KEEP: usize = 128;
        // SAFETY: H5.
        let free = unsafe { &mut *self.free.get() };
        let surplus = free.len().saturating_sub(KEEP);
        for &block in &free[..surplus] {
            // SAFETY: a block of our mapping that holds nothing; it reads as zeros afterwards and is initialised
            // again before use. `word` may still look at it: count is 0 then, so nothing is found.
            unsafe { libc::madvise(block as *mut _, super::BLOCK_SIZE, libc::MADV_DONTNEED) };
        }
    }
}
