//! Regions: the stacks of green threads and fibers. Knows memory only.
//!
//! One region holds a native stack, growing down, and a value stack, growing up, in one mapping that never moves.
//! They start back to back in the middle of a page, so a thread that does little touches one page:
//!
//! ```text
//! low                       native_top = value_base                     high = the next region's low
//!  |guard|  <------ native stack |  value stack ------>                  |guard| ...
//!        native_limit                                       value_limit
//! ```
//! R1  a region handed out belongs to one holder until released
//! R2  both stacks are checked against their limits by who pushes; the guard page (below the native stack, and the
//!     next region's above the value stack) is the last resort
//! R3  released regions keep their guard; their contents are arbitrary
use std::cell::Cell;

const PAGE: usize = 4096;
/// Bytes of the shared middle page that belong to the native stack.
const NATIVE_SHARE: usize = 3072;
/// A slab is one mapping of about this many bytes, at least one region.
const SLAB: usize = 64 << 20;
/// Released regions beyond this many give their pages back to the system.
const KEEP_DIRTY: usize = 512;
/// Linux 6.13: a guard page that costs no mapping of its own.
const MADV_GUARD_INSTALL: libc::c_int = 102;

/// Bytes for each of the two stacks of a region; rounded up to pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Native stack.
    pub native: usize,
    /// Value stack.
    pub values: usize,
}

impl Sizes {
    fn total(self) -> usize {
        PAGE + self.native.next_multiple_of(PAGE) + PAGE + self.values.next_multiple_of(PAGE)
    }
}

/// A stack pair somebody holds (R1): plain addresses, freely copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    low: usize,
    mid: usize,
    high: usize,
}

impl Region {
    /// Where the value stack starts; it grows up.
    #[inline(always)]
    pub fn value_base(self) -> *mut u64 {
        self.mid as *mut u64
    }
    /// First address the value stack may not use.
    #[inline(always)]
    pub fn value_limit(self) -> *mut u64 {
        self.high as *mut u64
    }
    /// Where the native stack starts; it grows down. 16-aligned.
    #[inline(always)]
    pub fn native_top(self) -> *mut u8 {
        self.mid as *mut u8
    }
    /// Lowest address of the native stack, just above the guard. A check for overflow keeps a reserve above it.
    #[inline(always)]
    pub fn native_limit(self) -> *mut u8 {
        (self.low + PAGE) as *mut u8
    }
}

/// No room for another region: out of address space, memory, or mappings (kernels before 6.13 spend two of
/// `vm.max_map_count` on each region, so about 32,000 fit).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoStack;

impl std::fmt::Display for NoStack {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str("no memory left for another stack")
    }
}
impl std::error::Error for NoStack {}

struct Slab {
    addr: usize,
    len: usize,
}

/// Regions of one size: slabs cut up front to back, and a LIFO of released ones.
pub struct Pool {
    sizes: Sizes,
    free: Cell<Vec<Region>>,
    /// The first `clean` entries of `free` have given their pages back.
    clean: Cell<usize>,
    slabs: Cell<Vec<Slab>>,
    /// What the newest slab has left, `fresh..fresh_end`.
    fresh: Cell<usize>,
    fresh_end: Cell<usize>,
}

impl Pool {
    /// An empty pool; nothing is mapped before the first [`Pool::take`].
    pub fn new(sizes: Sizes) -> Pool {
        Pool {
            sizes,
            free: Cell::default(),
            clean: Cell::new(0),
            slabs: Cell::default(),
            fresh: Cell::new(0),
            fresh_end: Cell::new(0),
        }
    }

    /// A region, its contents arbitrary.
    pub fn take(&self) -> Result<Region, NoStack> {
        let mut free = self.free.take();
        let reused = free.pop();
        self.clean.set(self.clean.get().min(free.len()));
        self.free.set(free);
        if let Some(region) = reused {
            return Ok(region);
        }
        let size = self.sizes.total();
        if self.fresh.get() == self.fresh_end.get() {
            self.map_slab(size)?;
        }
        let low = self.fresh.get();
        install_guard(low)?;
        self.fresh.set(low + size);
        let mid = low + PAGE + self.sizes.native.next_multiple_of(PAGE) + NATIVE_SHARE;
        Ok(Region { low, mid, high: low + size })
    }

    /// Gives a region back. It may still be the stack we stand on: only regions released before it lose their pages.
    pub fn release(&self, region: Region) {
        let mut free = self.free.take();
        if free.len() - self.clean.get() >= KEEP_DIRTY {
            // The oldest dirty one: the LIFO will reuse it last.
            let old = free[self.clean.get()];
            // SAFETY: R1 - a released region belongs to us, and whoever stood on it has left since.
            unsafe { libc::madvise(old.native_limit().cast(), old.high - old.low - PAGE, libc::MADV_DONTNEED) };
            self.clean.set(self.clean.get() + 1);
        }
        free.push(region);
        self.free.set(free);
    }

    fn map_slab(&self, size: usize) -> Result<(), NoStack> {
        let len = size * (SLAB / size).max(1);
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_STACK;
        // One page more: the guard above the last region's value stack.
        // SAFETY: a fresh anonymous mapping at an address of the kernel's choice.
        let addr =
            unsafe { libc::mmap(std::ptr::null_mut(), len + PAGE, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0) };
        if addr == libc::MAP_FAILED {
            return Err(NoStack);
        }
        // SAFETY: our own mapping. Huge pages would back each small stack with 2 MiB.
        unsafe { libc::madvise(addr, len + PAGE, libc::MADV_NOHUGEPAGE) };
        let addr = addr as usize;
        let mut slabs = self.slabs.take();
        slabs.push(Slab { addr, len: len + PAGE });
        self.slabs.set(slabs);
        install_guard(addr + len)?;
        self.fresh.set(addr);
        self.fresh_end.set(addr + len);
        Ok(())
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        for slab in self.slabs.take() {
            // SAFETY: R1 - the owner drops the pool only when no region is in use.
            unsafe { libc::munmap(slab.addr as *mut _, slab.len) };
        }
    }
}

fn install_guard(page: usize) -> Result<(), NoStack> {
    // SAFETY: `page` lies in a mapping of ours that nobody uses yet.
    let ok = unsafe {
        libc::madvise(page as *mut _, PAGE, MADV_GUARD_INSTALL) == 0
            || libc::mprotect(page as *mut _, PAGE, libc::PROT_NONE) == 0
    };
    if ok { Ok(()) } else { Err(NoStack) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: Sizes = Sizes { native: 32 << 10, values: 16 << 10 };

    #[test]
    fn regions_are_disjoint_and_hold_what_was_asked() {
        let pool = Pool::new(SMALL);
        let regions: Vec<_> = (0..100).map(|_| pool.take().unwrap()).collect();
        for pair in regions.windows(2) {
            assert!(pair[0].high <= pair[1].low || pair[1].high <= pair[0].low);
        }
        for r in &regions {
            assert!(r.native_top() as usize - r.native_limit() as usize >= SMALL.native);
            assert!(r.value_limit() as usize - r.value_base() as usize >= SMALL.values);
            assert_eq!(r.native_top() as usize % 16, 0);
            // SAFETY: R1.
            unsafe {
                r.value_base().write(1);
                r.value_limit().sub(1).write(1);
                r.native_limit().write(1);
            }
        }
    }

    #[test]
    fn released_regions_come_back_last_in_first_out() {
        let pool = Pool::new(SMALL);
        let regions: Vec<_> = (0..KEEP_DIRTY + 50).map(|_| pool.take().unwrap()).collect();
        for &r in &regions {
            // SAFETY: R1.
            unsafe { r.value_base().write(7) };
            pool.release(r);
        }
        for &r in regions.iter().rev() {
            assert_eq!(pool.take().unwrap(), r);
        }
        // SAFETY: R1. The oldest gave its pages back, the newest kept them.
        unsafe {
            assert_eq!(regions[0].value_base().read(), 0);
            assert_eq!(regions[KEEP_DIRTY + 49].value_base().read(), 7);
        }
    }
}
