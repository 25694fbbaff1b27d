//! The non-moving heap: 64 KiB blocks of equal cells in one reserved region, side mark bitmaps, lazy sweep, bump
//! allocation within free runs. It knows "a thing with a `Header`" and a table of `TypeInfo`, not Ruby classes.
//!
//! Invariants
//! - H1  a cell reachable from a root is never freed or moved. Roots are found *conservatively* in native stacks,
//!   value stacks and saved registers (interior pointers count), and exactly through `TypeInfo::trace`.
//! - H2  collection can start at any allocation of a cell and at any `charge`; never elsewhere.
//! - H3  a cell is fully written before the next allocation.
//! - H4  only cells whose `alloc` bit is set hold an object; bits of the current bump run past `cur` are cleared
//!   before marking.
//! - H5  all access happens on the thread that holds the GVL.
//!
//! The rooting rule for Rust code is in `root.rs`.

mod block;
mod mark;
pub mod root;
mod sweep;

pub use block::{BLOCK_SIZE, Block};
pub use mark::Marker;

use std::cell::{Cell, UnsafeCell};
use std::time::Instant;

/// First 16 bytes of every cell.
#[repr(C)]
pub struct Header {
    /// The object's class (a cell too), null only while booting.
    pub class: Cell<*mut Header>,
    /// Index into the type table.
    pub ty: u8,
    pub flags: Cell<u8>,
    /// For the type's own use (encoding, state bits).
    pub aux: Cell<u16>,
    /// Shape of an ordinary object's instance variables; 0: none or kept elsewhere.
    pub shape: Cell<u32>,
}

pub mod flags {
    pub const FROZEN: u8 = 1;
    /// has instance variables in the side table
    pub const GENERIC_IVARS: u8 = 2;
    pub const FINALIZER: u8 = 4;
    /// a chilled string literal
    pub const CHILLED: u8 = 8;
    /// has an object_id
    pub const HAS_ID: u8 = 16;
    /// free for the type's own use
    pub const USER1: u8 = 32;
    pub const USER2: u8 = 64;
}

impl Header {
    pub fn new(class: *mut Header, ty: u8) -> Header {
        Header { class: Cell::new(class), ty, flags: Cell::new(0), aux: Cell::new(0), shape: Cell::new(0) }
    }
    #[inline(always)]
    pub fn has(&self, flag: u8) -> bool {
        self.flags.get() & flag != 0
    }
    #[inline(always)]
    pub fn set(&self, flag: u8) {
        self.flags.set(self.flags.get() | flag)
    }
    #[inline(always)]
    pub fn clear(&self, flag: u8) {
        self.flags.set(self.flags.get() & !flag)
    }
}

/// How the collector treats one kind of cell.
pub struct TypeInfo {
    pub name: &'static str,
    /// Reports every reference in the cell (the class is reported by the heap).
    pub trace: unsafe fn(*mut Header, &mut Marker),
    /// Frees what the cell owns outside the heap; `None`: nothing, and dead cells are not even touched.
    pub drop: Option<unsafe fn(*mut Header, &Heap)>,
}

pub const SIZES: [usize; 12] = [32, 48, 64, 80, 96, 112, 128, 160, 192, 256, 384, 512];
pub const MAX_CELL: usize = 512;
const KINDS: usize = SIZES.len() * 2;
/// Reserved address space per heap: 64 GiB, touched block by block.
const REGION: usize = 64 << 30;
/// A collection is due after this many bytes at least.
const MIN_THRESHOLD: usize = 16 << 20;

/// Size class for a number of bytes, at compile time where the type is known.
pub const fn size_class(bytes: usize) -> usize {
    let mut i = 0;
    while i < SIZES.len() {
        if bytes <= SIZES[i] {
            return i;
        }
        i += 1;
    }
    panic!("cell too large")
}

/// Bump window of one kind of block.
#[repr(C)]
struct Bump {
    cur: Cell<usize>,
    /// end of what may be handed out by the fast path
    end: Cell<usize>,
    /// end of the free run (differs from `end` only under stress)
    run_end: Cell<usize>,
    block: Cell<*mut Block>,
    /// next cell index to look for a free run in `block`
    cursor: Cell<usize>,
    /// next block of the list to sweep
    sweep: Cell<usize>,
}

/// Counters since the heap was made; pauses in nanoseconds.
#[derive(Default)]
pub struct Stats {
    pub collections: Cell<u64>,
    pub total_pause: Cell<u64>,
    pub max_pause: Cell<u64>,
    pub live_cells: Cell<u64>,
    pub live_bytes: Cell<usize>,
    pub allocated: Cell<u64>,
}

type RootFn = fn(*const (), &mut Marker);

pub struct Heap {
    bumps: [Bump; KINDS],
    base: usize,
    limit: Cell<usize>,
    lists: [UnsafeCell<Vec<*mut Block>>; KINDS],
    free: UnsafeCell<Vec<*mut Block>>,
    types: &'static [TypeInfo],
    /// bytes handed out (cells) and charged (outside) since the last collection
    since: Cell<usize>,
    threshold: Cell<usize>,
    /// bytes owned outside by live cells, as charged
    outside: Cell<usize>,
    roots: Cell<Option<(RootFn, *const ())>>,
    after_mark: Cell<Option<(fn(*const (), &Heap), *const ())>>,
    mark_stack: UnsafeCell<Vec<*mut Header>>,
    disabled: Cell<bool>,
    collecting: Cell<bool>,
    stress: Cell<u32>,
    stress_count: Cell<u32>,
    pub stats: Stats,
}

impl Heap {
    /// Reserves the region. `types[i]` describes cells whose header has `ty == i`.
    pub fn new(types: &'static [TypeInfo]) -> Result<Heap, std::io::Error> {
        // SAFETY: an anonymous private mapping at an address of the kernel's choice touches nothing else.
        let p = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                REGION + BLOCK_SIZE,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        if p == libc::MAP_FAILED {
            return Err(std::io::Error::last_os_error());
        }
        let base = (p as usize + BLOCK_SIZE - 1) & !(BLOCK_SIZE - 1);
        Ok(Heap {
            bumps: std::array::from_fn(|_| Bump {
                cur: Cell::new(0),
                end: Cell::new(0),
                run_end: Cell::new(0),
                block: Cell::new(std::ptr::null_mut()),
                cursor: Cell::new(0),
                sweep: Cell::new(0),
            }),
            base,
            limit: Cell::new(base),
            lists: std::array::from_fn(|_| UnsafeCell::new(Vec::new())),
            free: UnsafeCell::new(Vec::new()),
            types,
            since: Cell::new(0),
            threshold: Cell::new(MIN_THRESHOLD),
            outside: Cell::new(0),
            roots: Cell::new(None),
            after_mark: Cell::new(None),
            mark_stack: UnsafeCell::new(Vec::new()),
            disabled: Cell::new(true),
            collecting: Cell::new(false),
            stress: Cell::new(0),
            stress_count: Cell::new(0),
            stats: Stats::default(),
        })
    }

    /// Who reports the roots; collection is off until this was called.
    pub fn set_roots(&self, f: RootFn, ctx: *const ()) {
        self.roots.set(Some((f, ctx)));
        self.disabled.set(false);
    }

    /// Called after marking, before anything is freed: weak tables drop their dead entries (`is_marked`).
    pub fn set_after_mark(&self, f: fn(*const (), &Heap), ctx: *const ()) {
        self.after_mark.set(Some((f, ctx)));
    }

    /// Collect at every n-th allocation (0: never).
    pub fn set_stress(&self, every: u32) {
        self.stress.set(every);
        for b in &self.bumps {
            b.end.set(b.cur.get());
        }
    }
    pub fn stress(&self) -> u32 {
        self.stress.get()
    }

    /// Turns collection off or on; returns whether it was off.
    pub fn set_disabled(&self, off: bool) -> bool {
        self.disabled.replace(off)
    }

    /// A new cell holding `cell`. The header's `ty` must describe `T`, and must have a `drop` iff `DROP`.
    #[inline(always)]
    pub fn alloc<T, const DROP: bool>(&self, cell: T) -> *mut T {
        let class = const { size_class(size_of::<T>()) };
        let p = self.alloc_raw(class * 2 + DROP as usize) as *mut T;
        // SAFETY: fresh cell of at least size_of::<T>() bytes, aligned to 16 (H4).
        unsafe { p.write(cell) };
        p
    }

    /// A raw cell of at least `bytes` (at most `MAX_CELL`); the caller fills it at once (H3).
    #[inline(always)]
    pub fn alloc_sized(&self, bytes: usize, drop: bool) -> *mut u8 {
        self.alloc_raw(size_class(bytes) * 2 + drop as usize) as *mut u8
    }

    #[inline(always)]
    fn alloc_raw(&self, kind: usize) -> usize {
        let b = &self.bumps[kind];
        let p = b.cur.get();
        let next = p + SIZES[kind / 2];
        if next <= b.end.get() {
            b.cur.set(next);
            return p;
        }
        self.alloc_slow(kind)
    }

    #[cold]
    #[inline(never)]
    fn alloc_slow(&self, kind: usize) -> usize {
        let b = &self.bumps[kind];
        let size = SIZES[kind / 2];
        let stress = self.stress.get();
        if stress != 0 {
            let n = self.stress_count.get() + 1;
            self.stress_count.set(n);
            if n.is_multiple_of(stress) {
                self.collect();
            }
        }
        loop {
            let p = b.cur.get();
            if p + size <= b.run_end.get() {
                b.cur.set(p + size);
                b.end.set(if stress != 0 { p + size } else { b.run_end.get() });
                return p;
            }
            if self.next_run(kind) {
                continue;
            }
            if self.since.get() >= self.threshold.get() && self.collect() {
                continue;
            }
            self.add_block(kind);
        }
    }

    fn add_block(&self, kind: usize) {
        // SAFETY: H5; the borrow ends before anything else runs.
        let recycled = unsafe { (*self.free.get()).pop() };
        let block = match recycled {
            Some(b) => b,
            None => {
                let at = self.limit.get();
                if at + BLOCK_SIZE > self.base + REGION {
                    eprintln!("[FATAL] failed to allocate memory");
                    std::process::abort();
                }
                self.limit.set(at + BLOCK_SIZE);
                at as *mut Block
            }
        };
        // SAFETY: `block` is a whole block of our region that holds no object.
        unsafe {
            Block::init(block, SIZES[kind / 2], kind);
            let list = &mut *self.lists[kind].get();
            list.push(block);
            let b = &self.bumps[kind];
            b.sweep.set(list.len());
            b.block.set(block);
            b.cursor.set(0);
        }
    }

    /// Tells the heap of memory a cell owns outside. May collect (H2), so call it before the change.
    pub fn charge(&self, bytes: usize) {
        self.outside.set(self.outside.get() + bytes);
        let since = self.since.get() + bytes;
        self.since.set(since);
        if since >= self.threshold.get() * 2 {
            self.collect();
        }
    }
    /// The opposite of `charge`.
    pub fn uncharge(&self, bytes: usize) {
        self.outside.set(self.outside.get().saturating_sub(bytes));
    }

    /// Marks from the roots and starts a lazy sweep. False if collection is off.
    pub fn collect(&self) -> bool {
        if self.disabled.get() || self.collecting.get() {
            return false;
        }
        let Some((roots, ctx)) = self.roots.get() else { return false };
        self.collecting.set(true);
        let start = Instant::now();
        self.finish_sweep();
        self.clear_marks();
        let mut marker = Marker::new(self);
        roots(ctx, &mut marker);
        marker.drain();
        let (cells, bytes) = (marker.cells, marker.bytes);
        if let Some((f, ctx)) = self.after_mark.get() {
            f(ctx, self);
        }
        self.start_sweep();
        let live = bytes + self.outside.get();
        self.since.set(0);
        // Without generations each collection marks all that lives: one for every two times that much allocated.
        self.threshold.set(MIN_THRESHOLD.max(live.saturating_mul(2)));
        let pause = start.elapsed().as_nanos() as u64;
        let s = &self.stats;
        s.collections.set(s.collections.get() + 1);
        s.total_pause.set(s.total_pause.get() + pause);
        s.max_pause.set(s.max_pause.get().max(pause));
        s.live_cells.set(cells);
        s.live_bytes.set(bytes);
        self.collecting.set(false);
        true
    }

    /// Bytes of blocks in use or kept for use.
    pub fn region_bytes(&self) -> usize {
        self.limit.get() - self.base
    }

    /// Within the part of the region that holds blocks.
    #[inline(always)]
    pub fn contains(&self, addr: usize) -> bool {
        addr.wrapping_sub(self.base) < self.limit.get() - self.base
    }

    /// Every object now in the heap, dead ones not yet swept excluded. `f` must not allocate.
    pub fn each_object(&self, mut f: impl FnMut(*mut Header)) {
        self.finish_sweep();
        self.trim_runs();
        for list in &self.lists {
            // SAFETY: H5; `f` does not allocate, so the list does not change.
            for &block in unsafe { &*list.get() } {
                // SAFETY: H4 - the block yields cells whose alloc bit is set.
                unsafe { Block::each(block, &mut f) };
            }
        }
    }

    /// Every marked cell of one type (only meaningful inside `after_mark`).
    pub fn each_marked_of(&self, ty: u8, mut f: impl FnMut(*mut Header)) {
        for list in &self.lists {
            // SAFETY: H5; `f` does not allocate.
            for &block in unsafe { &*list.get() } {
                // SAFETY: marked cells are live.
                unsafe {
                    Block::each(block, &mut |cell| {
                        if (*cell).ty == ty && Block::is_marked(cell as usize) {
                            f(cell)
                        }
                    })
                };
            }
        }
    }

    /// Reached by the last marking (only meaningful inside `after_mark`).
    pub fn is_marked(&self, cell: *const Header) -> bool {
        // SAFETY: `cell` is a cell of this heap, so its block header is there.
        unsafe { Block::is_marked(cell as usize) }
    }
}

impl Drop for Heap {
    fn drop(&mut self) {
        // Objects that own memory outside give it back.
        self.trim_runs();
        for kind in 0..KINDS {
            if kind % 2 == 1 {
                // SAFETY: H5; nothing refers to the cells any more.
                for &block in unsafe { &*self.lists[kind].get() } {
                    // SAFETY: initialised block.
                    unsafe { Block::each(block, &mut |cell| self.drop_cell(cell)) };
                }
            }
        }
        // SAFETY: our own mapping.
        unsafe { libc::munmap(self.base as *mut _, REGION) };
    }
}
