//! Hash: entries in insertion order plus an open-addressing index. Keys are compared through `HashKey`, so this file
//! calls no Ruby: `core/hash.rs` computes hashes and equality of arbitrary objects.

use super::{Class, Hsh, Objects, Ref, ty};
use crate::heap::{Header, Heap, Marker};
use crate::value::{NIL, Ruby, UNDEF, Value};
use std::cell::{Cell, UnsafeCell};

/// How a key is hashed and compared; may call Ruby, so both can raise and even change the table.
pub trait HashKey {
    fn hash(&self, key: Value) -> Ruby<u64>;
    fn eql(&self, a: Value, b: Value) -> Ruby<bool>;
}

#[derive(Clone, Copy)]
struct Entry {
    hash: u64,
    /// UNDEF: deleted
    key: Value,
    value: Value,
}

/// E1  no reference into `entries` or `index` lives across a call of `HashKey`
#[derive(Default)]
struct Table {
    entries: Vec<Entry>,
    /// entry number + 1, 0 empty, `TOMB` deleted; its length is a power of two, or 0 for small tables (linear search)
    index: Vec<u32>,
    live: usize,
    /// index of the first entry that may be live
    first: usize,
}
const TOMB: u32 = u32::MAX;
const SMALL: usize = 8;

#[repr(C)]
pub struct RHash {
    pub h: Header,
    table: UnsafeCell<Table>,
    /// default value, or the default proc when `default_is_proc`
    pub default: Cell<Value>,
    pub default_is_proc: Cell<bool>,
    pub compare_by_identity: Cell<bool>,
    /// running iterations: adding keys is refused then
    pub iterating: Cell<u32>,
    charged: Cell<usize>,
}

impl RHash {
    pub fn new(ob: &Objects) -> Hsh {
        Self::with_class(ob, ob.classes.hash.get())
    }
    pub fn with_class(ob: &Objects, class: Class) -> Hsh {
        let cell = RHash {
            h: Header::new(class.as_ptr() as *mut Header, ty::HASH),
            table: UnsafeCell::default(),
            default: Cell::new(NIL),
            default_is_proc: Cell::new(false),
            compare_by_identity: Cell::new(false),
            iterating: Cell::new(0),
            charged: Cell::new(0),
        };
        // SAFETY: just allocated.
        unsafe { Ref::new(ob.heap.alloc::<_, true>(cell)) }
    }

    #[allow(clippy::mut_from_ref)]
    fn t(&self) -> &mut Table {
        // SAFETY: E1 and H5: callers end the borrow before anything else can run.
        unsafe { &mut *self.table.get() }
    }

    pub fn len(&self) -> usize {
        self.t().live
    }
    pub fn is_empty(&self) -> bool {
        self.t().live == 0
    }
    /// Number of entry slots, deleted ones included: the bound for `entry`.
    pub fn slots(&self) -> usize {
        self.t().entries.len()
    }
    /// Entry in slot `i`, `None` if deleted or past the end. Iterating by slot number is safe under any change.
    pub fn entry(&self, i: usize) -> Option<(Value, Value)> {
        let e = self.t().entries.get(i)?;
        (!e.key.is_undef()).then_some((e.key, e.value))
    }
    /// First live slot at or after `i`.
    pub fn next_slot(&self, i: usize) -> Option<usize> {
        let t = self.t();
        (i.max(t.first)..t.entries.len()).find(|&j| !t.entries[j].key.is_undef())
    }
    pub fn set_entry_value(&self, i: usize, v: Value) {
        if let Some(e) = self.t().entries.get_mut(i) {
            e.value = v
        }
    }

    /// Slot of a key.
    pub fn find(&self, k: &impl HashKey, key: Value) -> Ruby<Option<usize>> {
        if self.is_empty() {
            return Ok(None);
        }
        let hash = k.hash(key)?;
        self.find_hashed(k, key, hash)
    }

    fn find_hashed(&self, k: &impl HashKey, key: Value, hash: u64) -> Ruby<Option<usize>> {
        'restart: loop {
            if self.t().index.is_empty() {
                let mut i = self.t().first;
                loop {
                    let Some(&e) = self.t().entries.get(i) else { return Ok(None) };
                    if e.hash == hash && !e.key.is_undef() {
                        if e.key == key {
                            return Ok(Some(i));
                        }
                        let same = k.eql(key, e.key)?;
                        if !self.holds(i, e) {
                            continue 'restart;
                        }
                        if same {
                            return Ok(Some(i));
                        }
                    }
                    i += 1;
                }
            }
            let mut pos = hash as usize;
            loop {
                let t = self.t();
                if t.index.is_empty() {
                    continue 'restart;
                }
                pos &= t.index.len() - 1;
                match t.index[pos] {
                    0 => return Ok(None),
                    TOMB => {}
                    n => {
                        let i = n as usize - 1;
                        let e = t.entries[i];
                        if e.hash == hash {
                            if e.key == key {
                                return Ok(Some(i));
                            }
                            let same = k.eql(key, e.key)?;
                            if !self.holds(i, e) {
                                continue 'restart;
                            }
                            if same {
                                return Ok(Some(i));
                            }
                        }
                    }
                }
                pos += 1;
            }
        }
    }

    fn holds(&self, i: usize, e: Entry) -> bool {
        matches!(self.t().entries.get(i), Some(now) if now.key == e.key && now.hash == e.hash)
    }

    pub fn get(&self, k: &impl HashKey, key: Value) -> Ruby<Option<Value>> {
        Ok(self.find(k, key)?.map(|i| self.t().entries[i].value))
    }

    /// Adds or replaces. Whether adding is allowed while iterating, frozen checks and key duplication are the caller's.
    pub fn set(&self, ob: &Objects, k: &impl HashKey, key: Value, value: Value) -> Ruby<()> {
        let hash = k.hash(key)?;
        match self.find_hashed(k, key, hash)? {
            Some(i) => self.t().entries[i].value = value,
            None => self.push(ob, hash, key, value),
        }
        Ok(())
    }

    /// Adds or replaces; `admit` is asked for the key to store when it is new (to copy it, or to refuse).
    pub fn set_with(
        &self,
        ob: &Objects,
        k: &impl HashKey,
        key: Value,
        value: Value,
        admit: impl FnOnce(Value) -> Ruby<Value>,
    ) -> Ruby<()> {
        let hash = k.hash(key)?;
        match self.find_hashed(k, key, hash)? {
            Some(i) => self.set_entry_value(i, value),
            None => self.push(ob, hash, admit(key)?, value),
        }
        Ok(())
    }

    fn push(&self, ob: &Objects, hash: u64, key: Value, value: Value) {
        if self.t().entries.len() == self.t().entries.capacity() {
            let t = self.t();
            if t.live < t.entries.len() / 2 && self.iterating.get() == 0 {
                t.entries.retain(|e| !e.key.is_undef());
                t.first = 0;
                t.reindex();
            }
            let want = (self.t().entries.len() * 2).max(4);
            let bytes = want * (size_of::<Entry>() + 8);
            let old = self.charged.replace(bytes);
            ob.heap.uncharge(old);
            ob.heap.charge(bytes);
            let t = self.t();
            t.entries.reserve_exact(want - t.entries.len());
        }
        let t = self.t();
        t.entries.push(Entry { hash, key, value });
        t.live += 1;
        let n = t.entries.len();
        if n > SMALL && n * 2 > t.index.len() {
            t.reindex();
        } else if !t.index.is_empty() {
            t.link(hash, n as u32);
        }
    }

    /// Removes the entry in slot `i`.
    pub fn delete_slot(&self, i: usize) -> Option<(Value, Value)> {
        let t = self.t();
        let e = *t.entries.get(i)?;
        if e.key.is_undef() {
            return None;
        }
        if !t.index.is_empty() {
            let mask = t.index.len() - 1;
            let mut pos = e.hash as usize & mask;
            while t.index[pos] != i as u32 + 1 {
                pos = (pos + 1) & mask;
            }
            t.index[pos] = TOMB;
        }
        t.entries[i].key = UNDEF;
        t.entries[i].value = NIL;
        t.live -= 1;
        if t.live == 0 && self.iterating.get() == 0 {
            t.entries.clear();
            t.index.clear();
            t.first = 0;
        } else {
            while t.first < t.entries.len() && t.entries[t.first].key.is_undef() {
                t.first += 1;
            }
        }
        Some((e.key, e.value))
    }

    pub fn delete(&self, k: &impl HashKey, key: Value) -> Ruby<Option<Value>> {
        Ok(self.find(k, key)?.and_then(|i| self.delete_slot(i)).map(|(_, v)| v))
    }

    pub fn clear(&self, ob: &Objects) {
        let t = self.t();
        if self.iterating.get() > 0 {
            for i in 0..t.entries.len() {
                self.delete_slot(i);
            }
            return;
        }
        *t = Table::default();
        ob.heap.uncharge(self.charged.replace(0));
    }

    /// Copies all entries of `from` (same key rules assumed).
    pub fn copy_from(&self, ob: &Objects, from: Hsh) {
        self.clear(ob);
        let bytes = from.slots() * (size_of::<Entry>() + 8);
        self.charged.set(bytes);
        ob.heap.charge(bytes);
        let t = self.t();
        t.entries = from.t().entries.iter().filter(|e| !e.key.is_undef()).copied().collect();
        t.live = t.entries.len();
        t.first = 0;
        t.reindex();
        self.compare_by_identity.set(from.compare_by_identity.get());
    }

    /// Forgets all hashes and computes them again (`rehash`); of duplicates the first key and the last value stay.
    pub fn rehash(&self, ob: &Objects, k: &impl HashKey) -> Ruby<()> {
        let copy = RHash::new(ob);
        for i in 0..self.slots() {
            if let Some((key, v)) = self.entry(i) {
                copy.set(ob, k, key, v)?;
            }
        }
        let identity = self.compare_by_identity.get();
        self.copy_from(ob, copy);
        self.compare_by_identity.set(identity);
        Ok(())
    }
}

impl Table {
    fn reindex(&mut self) {
        let n = self.entries.len();
        if n <= SMALL {
            self.index.clear();
            return;
        }
        self.index.clear();
        self.index.resize((n * 4).next_power_of_two(), 0);
        for i in 0..n {
            if !self.entries[i].key.is_undef() {
                self.link(self.entries[i].hash, i as u32 + 1);
            }
        }
    }
    fn link(&mut self, hash: u64, n: u32) {
        let mask = self.index.len() - 1;
        let mut pos = hash as usize & mask;
        while self.index[pos] != 0 && self.index[pos] != TOMB {
            pos = (pos + 1) & mask;
        }
        self.index[pos] = n;
    }
}

/// # Safety
/// `p` is a live `RHash`.
pub unsafe fn trace(p: *mut Header, m: &mut Marker) {
    // SAFETY: the caller's promise.
    let h = unsafe { &*(p as *const RHash) };
    for e in &h.t().entries {
        m.value(e.key);
        m.value(e.value);
    }
    m.value(h.default.get());
}

/// # Safety
/// `p` is a dead `RHash`.
pub unsafe fn drop(p: *mut Header, heap: &Heap) {
    // SAFETY: the caller's promise; it runs once.
    unsafe {
        let h = p as *mut RHash;
        heap.uncharge((*h).charged.get());
        std::ptr::drop_in_place((*h).table.get());
    }
}
