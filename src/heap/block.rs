//! One 64 KiB block: bookkeeping first, then equal cells.

use super::Header;

pub const BLOCK_SIZE: usize = 1 << 16;
const WORDS: usize = BLOCK_SIZE / 32 / 64;

#[repr(C)]
pub struct Block {
    pub size: u32,
    /// `ceil(2^32 / size)`: division by multiplication
    recip: u32,
    pub count: u32,
    pub kind: u32,
    pub swept: bool,
    pad: [u8; 47],
    pub mark: [u64; WORDS],
    pub alloc: [u64; WORDS],
}

const FIRST: usize = size_of::<Block>();

impl Block {
    /// # Safety
    /// `block` is the start of an unused block of the region.
    pub unsafe fn init(block: *mut Block, size: usize, kind: usize) {
        let recip = (1u64 << 32).div_ceil(size as u64) as u32;
        let count = ((BLOCK_SIZE - FIRST) / size) as u32;
        let fresh = Block {
            size: size as u32,
            recip,
            count,
            kind: kind as u32,
            swept: true,
            pad: [0; 47],
            mark: [0; WORDS],
            alloc: [0; WORDS],
        };
        // SAFETY: the caller's promise.
        unsafe { block.write(fresh) }
    }

    #[inline(always)]
    pub fn of(addr: usize) -> *mut Block {
        (addr & !(BLOCK_SIZE - 1)) as *mut Block
    }

    /// Index of the cell an address points into.
    /// # Safety
    /// The address lies in an initialised block.
    #[inline(always)]
    pub unsafe fn index(addr: usize) -> Option<usize> {
        let block = Self::of(addr);
        let off = (addr - block as usize).checked_sub(FIRST)?;
        // SAFETY: the caller's promise.
        let (recip, count) = unsafe { ((*block).recip, (*block).count) };
        let i = ((off as u64 * recip as u64) >> 32) as usize;
        (i < count as usize).then_some(i)
    }

    #[inline(always)]
    pub fn cell(block: *mut Block, i: usize) -> usize {
        // SAFETY: callers pass initialised blocks.
        block as usize + FIRST + i * unsafe { (*block).size } as usize
    }

    /// Cell index of an address already past the first cell's start.
    /// # Safety
    /// `addr` is in or just past the cells of an initialised block.
    pub unsafe fn index_past(block: *mut Block, addr: usize) -> usize {
        // SAFETY: the caller's promise.
        (addr - block as usize - FIRST) / unsafe { (*block).size } as usize
    }

    /// # Safety
    /// `addr` lies in a cell of an initialised block.
    pub unsafe fn is_marked(addr: usize) -> bool {
        // SAFETY: the caller's promise.
        unsafe {
            let b = Self::of(addr);
            match Self::index(addr) {
                Some(i) => (*b).mark[i / 64] >> (i % 64) & 1 != 0,
                None => false,
            }
        }
    }

    /// Calls `f` for each allocated cell.
    /// # Safety
    /// The block is initialised and swept, and `f` does not free it.
    pub unsafe fn each(block: *mut Block, f: &mut dyn FnMut(*mut Header)) {
        for w in 0..WORDS {
            // SAFETY: the caller's promise.
            let mut bits = unsafe { (*block).alloc[w] };
            while bits != 0 {
                let i = w * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                f(Self::cell(block, i) as *mut Header);
            }
        }
    }

    /// Next run of cells at or after `from` whose alloc bit is clear: `(start, end)`.
    pub fn next_free_run(&self, from: usize) -> Option<(usize, usize)> {
        let n = self.count as usize;
        let start = next_bit(&self.alloc, from, n, false)?;
        Some((start, next_bit(&self.alloc, start, n, true).unwrap_or(n)))
    }

    pub fn set_alloc(&mut self, start: usize, end: usize, on: bool) {
        let mut i = start;
        while i < end {
            let (w, bit) = (i / 64, i % 64);
            let n = (64 - bit).min(end - i);
            let mask = if n == 64 { !0 } else { ((1u64 << n) - 1) << bit };
            if on {
                self.alloc[w] |= mask
            } else {
                self.alloc[w] &= !mask
            }
            i += n;
        }
    }
}

/// First index in `from..n` whose bit equals `want`.
fn next_bit(bits: &[u64; WORDS], from: usize, n: usize, want: bool) -> Option<usize> {
    let mut i = from;
    while i < n {
        let w = if want { bits[i / 64] } else { !bits[i / 64] } >> (i % 64);
        if w != 0 {
            let at = i + w.trailing_zeros() as usize;
            return (at < n).then_some(at);
        }
        i = (i / 64 + 1) * 64;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_found_from_interior_addresses() {
        let layout = std::alloc::Layout::from_size_align(BLOCK_SIZE, BLOCK_SIZE).unwrap();
        for size in super::super::SIZES {
            // SAFETY: a block of our own, freed below.
            unsafe {
                let b = std::alloc::alloc(layout) as *mut Block;
                Block::init(b, size, 0);
                let n = (*b).count as usize;
                for i in [0, 1, n / 2, n - 1] {
                    for off in [0, 8, size - 1] {
                        assert_eq!(Block::index(Block::cell(b, i) + off), Some(i), "size {size}");
                    }
                }
                assert_eq!(Block::index(b as usize + 8), None);
                (*b).set_alloc(3, 130, true);
                assert_eq!((*b).next_free_run(0), Some((0, 3)));
                assert_eq!((*b).next_free_run(3).map(|r| r.0), if n > 130 { Some(130) } else { None });
                std::alloc::dealloc(b as *mut u8, layout);
            }
        }
    }
}
