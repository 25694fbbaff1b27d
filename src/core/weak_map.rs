//! `ObjectSpace::WeakMap` (neither keys nor values are kept alive, keys by identity) and `ObjectSpace::WeakKeyMap`
//! (values are kept alive, keys are not and compare with `eql?`).

use crate::class;
use crate::heap::{Header, Heap, Marker};
use crate::object::{Data, RArray, RData};
use crate::value::{FALSE, NIL, Ruby, TRUE, UNDEF, Value};
use crate::vm::{Args, Block, Vm};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::{Rc, Weak};

class! { "ObjectSpace::WeakMap" < "Object";
    ["[]="] req(2) => map_set;
    ["[]"] req(1) => map_get;
    ["key?", "include?", "member?"] req(1) => map_has;
    ["delete"] req(1) => map_delete;
    ["size", "length"] req(0) => map_size;
    ["keys"] req(0) => map_keys;
    ["values"] req(0) => map_values;
    ["each", "each_pair"] req(0) => map_each;
    ["each_key"] req(0) => map_each_key;
    ["each_value"] req(0) => map_each_value;
    ["inspect"] req(0) => map_inspect;
}
mod key_map {
    crate::class! { "ObjectSpace::WeakKeyMap" < "Object";
        ["[]="] req(2) => super::key_set;
        ["[]"] req(1) => super::key_get;
        ["getkey"] req(1) => super::key_original;
        ["key?"] req(1) => super::key_has;
        ["delete"] req(1) => super::key_delete;
        ["clear"] req(0) => super::key_clear;
        ["inspect"] req(0) => super::key_inspect;
    }
}

/// Entries in order of insertion; a removed one has UNDEF as its key. `hash` is the key's bits in a WeakMap.
#[derive(Default)]
struct Table {
    entries: Vec<(u64, Value, Value)>,
    index: HashMap<u64, Vec<usize>>,
    weak_values: bool,
    live: usize,
}

impl Table {
    fn candidates(&self, hash: u64) -> Vec<usize> {
        self.index.get(&hash).cloned().unwrap_or_default()
    }
    fn push(&mut self, hash: u64, k: Value, v: Value) {
        self.index.entry(hash).or_default().push(self.entries.len());
        self.entries.push((hash, k, v));
        self.live += 1;
    }
    fn remove(&mut self, i: usize) -> Value {
        let (hash, _, v) = self.entries[i];
        self.entries[i].1 = UNDEF;
        self.entries[i].2 = NIL;
        self.live -= 1;
        if let Some(list) = self.index.get_mut(&hash) {
            list.retain(|&j| j != i);
            if list.is_empty() {
                self.index.remove(&hash);
            }
        }
        v
    }
    /// Drops entries of dead objects, and the holes.
    fn sweep(&mut self, heap: &Heap) {
        let dead = |v: Value| v.is_ptr() && !heap.is_marked(v.ptr() as *const Header);
        let weak = self.weak_values;
        self.entries.retain(|&(_, k, v)| !(k.is_undef() || dead(k) || weak && dead(v)));
        self.live = self.entries.len();
        self.index.clear();
        for (i, e) in self.entries.iter().enumerate() {
            self.index.entry(e.0).or_default().push(i);
        }
    }
}

struct Map(Rc<RefCell<Table>>);
impl Data for Map {
    fn trace(&self, m: &mut Marker) {
        let t = self.0.borrow();
        if !t.weak_values {
            t.entries.iter().for_each(|e| m.value(e.2));
        }
    }
}

/// Tables to sweep after each marking.
#[derive(Default)]
struct All {
    tables: RefCell<Vec<Weak<RefCell<Table>>>>,
    hooked: Cell<bool>,
}

fn make(vm: Vm, class: crate::object::Class, weak_values: bool) -> Value {
    let all = vm.slot::<All>();
    if !all.hooked.replace(true) {
        vm.add_weak(move |heap| {
            all.tables.borrow_mut().retain(|t| match t.upgrade() {
                Some(t) => {
                    t.borrow_mut().sweep(heap);
                    true
                }
                None => false,
            });
        });
    }
    let table = Rc::new(RefCell::new(Table { weak_values, ..Table::default() }));
    all.tables.borrow_mut().push(Rc::downgrade(&table));
    RData::alloc(&vm, class, Map(table))
}

pub fn boot(vm: Vm) {
    let c = vm.define_table(&CLASS);
    c.include(vm.classes.enumerable.get());
    vm.set_allocator(c, |vm, class| Ok(make(vm, class, true)));
    let c = vm.define_table(&key_map::CLASS);
    vm.set_allocator(c, |vm, class| Ok(make(vm, class, false)));
}

fn table(vm: Vm, this: Value) -> Ruby<&'static RefCell<Table>> {
    match this.data::<Map>() {
        Some(m) => Ok(&m.0),
        None => Err(vm.type_error("uninitialized weak map")),
    }
}

// ---- WeakMap

fn find_same(t: &RefCell<Table>, key: Value) -> Option<usize> {
    t.borrow().index.get(&key.bits()).and_then(|l| l.first().copied())
}
fn map_set(vm: Vm, this: Value, args: Args) -> Ruby {
    let t = table(vm, this)?;
    vm.check_frozen(this)?;
    let (k, v) = (args.or_nil(0), args.or_nil(1));
    let at = find_same(t, k);
    match at {
        Some(i) => t.borrow_mut().entries[i].2 = v,
        None => t.borrow_mut().push(k.bits(), k, v),
    }
    Ok(v)
}
fn map_get(vm: Vm, this: Value, args: Args) -> Ruby {
    let t = table(vm, this)?;
    Ok(find_same(t, args.or_nil(0)).map_or(NIL, |i| t.borrow().entries[i].2))
}
fn map_has(vm: Vm, this: Value, args: Args) -> Ruby {
    Ok(Value::bool(find_same(table(vm, this)?, args.or_nil(0)).is_some()))
}
fn map_delete(vm: Vm, this: Value, args: Args) -> Ruby {
    let t = table(vm, this)?;
    match find_same(t, args.or_nil(0)) {
        Some(i) => Ok(t.borrow_mut().remove(i)),
        None => match args.block() {
            Some(b) => vm.yield1(b, args.or_nil(0)),
            None => Ok(NIL),
        },
    }
}
fn map_size(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(Value::fixnum(table(vm, this)?.borrow().live as i64))
}
/// Keys (0) or values (1) as an Array.
fn column(vm: Vm, this: Value, which: usize) -> Ruby<crate::object::Ary> {
    let t = table(vm, this)?;
    let n = t.borrow().live;
    // Room first: a collection while copying would change the table.
    let list = RArray::new(&vm, n);
    for &(_, k, v) in t.borrow().entries.iter().filter(|e| !e.1.is_undef()).take(n) {
        list.push(&vm, if which == 0 { k } else { v });
    }
    Ok(list)
}
fn map_keys(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(column(vm, this, 0)?.value())
}
fn map_values(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(column(vm, this, 1)?.value())
}
fn need_block(vm: Vm, args: Args) -> Ruby<Block> {
    args.block().ok_or_else(|| vm.raise(vm.classes.local_jump_error.get(), "no block given"))
}
fn map_each(vm: Vm, this: Value, args: Args) -> Ruby {
    let b = need_block(vm, args)?;
    let keys = column(vm, this, 0)?;
    let values = column(vm, this, 1)?;
    for i in 0..keys.len().min(values.len()) {
        vm.yield_values(b, &[keys.get(i), values.get(i)])?;
    }
    Ok(this)
}
fn map_each_key(vm: Vm, this: Value, args: Args) -> Ruby {
    let b = need_block(vm, args)?;
    let keys = column(vm, this, 0)?;
    for i in 0..keys.len() {
        vm.yield1(b, keys.get(i))?;
    }
    Ok(this)
}
fn map_each_value(vm: Vm, this: Value, args: Args) -> Ruby {
    let b = need_block(vm, args)?;
    let values = column(vm, this, 1)?;
    for i in 0..values.len() {
        vm.yield1(b, values.get(i))?;
    }
    Ok(this)
}
/// Text of an entry: objects are only named.
fn plain(vm: Vm, v: Value) -> Ruby<String> {
    if v.is_ptr() { Ok(vm.any_to_s(v)) } else { Ok(vm.inspect(v)?.text().into_owned()) }
}
fn map_inspect(vm: Vm, this: Value, _args: Args) -> Ruby {
    let (keys, values) = (column(vm, this, 0)?, column(vm, this, 1)?);
    let mut out = vm.any_to_s(this);
    out.pop();
    for i in 0..keys.len().min(values.len()) {
        let sep = if i == 0 { ": " } else { ", " };
        let (k, v) = (plain(vm, keys.get(i))?, plain(vm, values.get(i))?);
        out.push_str(&format!("{sep}{k} => {v}"));
    }
    out.push('>');
    Ok(vm.str(&out))
}

// ---- WeakKeyMap

/// Entry of a key, compared with `eql?`.
fn find_equal(vm: Vm, t: &RefCell<Table>, key: Value) -> Ruby<Option<usize>> {
    let hash = vm.hash_of(key)?;
    for i in t.borrow().candidates(hash) {
        let Some(&(h, k, _)) = t.borrow().entries.get(i) else { continue };
        if h == hash && !k.is_undef() && (k == key || vm.eql(key, k)?) {
            // Comparing may have collected and moved entries.
            let now = t.borrow().entries.iter().position(|e| e.1 == k);
            if now.is_some() {
                return Ok(now);
            }
        }
    }
    Ok(None)
}
fn key_set(vm: Vm, this: Value, args: Args) -> Ruby {
    let t = table(vm, this)?;
    vm.check_frozen(this)?;
    let (k, v) = (args.or_nil(0), args.or_nil(1));
    if !k.is_ptr() || k.is_float() || k.as_bignum().is_some() {
        return Err(vm.arg_error("WeakKeyMap keys must be garbage collectable"));
    }
    match find_equal(vm, t, k)? {
        Some(i) => t.borrow_mut().entries[i].2 = v,
        None => {
            let hash = vm.hash_of(k)?;
            t.borrow_mut().push(hash, k, v)
        }
    }
    Ok(v)
}
fn key_get(vm: Vm, this: Value, args: Args) -> Ruby {
    let t = table(vm, this)?;
    Ok(find_equal(vm, t, args.or_nil(0))?.map_or(NIL, |i| t.borrow().entries[i].2))
}
fn key_original(vm: Vm, this: Value, args: Args) -> Ruby {
    let t = table(vm, this)?;
    Ok(find_equal(vm, t, args.or_nil(0))?.map_or(NIL, |i| t.borrow().entries[i].1))
}
fn key_has(vm: Vm, this: Value, args: Args) -> Ruby {
    let there = find_equal(vm, table(vm, this)?, args.or_nil(0))?.is_some();
    Ok(if there { TRUE } else { FALSE })
}
fn key_delete(vm: Vm, this: Value, args: Args) -> Ruby {
    let t = table(vm, this)?;
    match find_equal(vm, t, args.or_nil(0))? {
        Some(i) => Ok(t.borrow_mut().remove(i)),
        None => match args.block() {
            Some(b) => vm.yield1(b, args.or_nil(0)),
            None => Ok(NIL),
        },
    }
}
fn key_clear(vm: Vm, this: Value, _args: Args) -> Ruby {
    let t = table(vm, this)?;
    *t.borrow_mut() = Table::default();
    Ok(this)
}
fn key_inspect(vm: Vm, this: Value, _args: Args) -> Ruby {
    let n = table(vm, this)?.borrow().live;
    let mut out = vm.any_to_s(this);
    out.pop();
    out.push_str(&format!(" size={n}>"));
    Ok(vm.str(&out))
}
