//! `Hash`: construction, lookup, storing, defaults. Comparison and conversion are in `hash_convert`; iterators are Ruby,
//! in `prelude/hash.rb`, and step through entries by slot number.

use crate::bytecode::iseq::Iseq;
use crate::class;
use crate::object::{Hsh, RArray, RHash, RString, sym};
use crate::value::{FALSE, NIL, Ruby, TRUE, Value};
use crate::vm::native::Identity;
use crate::vm::{Args, Vm};

class! { "Hash" < "Object";
    self ["[]"] rest(0) => s_create;
    self ["try_convert"] req(1) => s_try_convert;
    self ["ruby2_keywords_hash?"] req(1) => s_is_flagged;
    self ["ruby2_keywords_hash"] req(1) => s_flagged;
    ["initialize"] kw(0, 1) => initialize;
    ["initialize_copy"] req(1) => replace;
    ["replace"] req(1) => replace;
    ["[]"] req(1) => aref;
    ["[]=", "store"] req(2) => aset;
    ["fetch"] opt(1, 2) => fetch;
    ["fetch_values"] rest(0) => fetch_values;
    ["values_at"] rest(0) => values_at;
    ["dig"] rest(1) => dig;
    ["key?", "has_key?", "include?", "member?"] req(1) => has_key;
    ["value?", "has_value?"] req(1) => has_value;
    ["key"] req(1) => key;
    ["keys"] req(0) => keys;
    ["values"] req(0) => values;
    ["length", "size"] req(0) => length;
    ["empty?"] req(0) => is_empty;
    ["delete"] req(1) => delete;
    ["shift"] req(0) => shift;
    ["clear"] req(0) => clear;
    ["default"] opt(0, 1) => default;
    ["default="] req(1) => set_default;
    ["default_proc"] req(0) => default_proc;
    ["default_proc="] req(1) => set_default_proc;
    ["compare_by_identity"] req(0) => compare_by_identity;
    ["compare_by_identity?"] req(0) => is_by_identity;
    ["rehash"] req(0) => rehash;
    ["merge"] rest(0) => merge;
    ["merge!", "update"] rest(0) => merge_bang;
    private ["__next_slot"] req(1) => next_slot;
    private ["__key_at"] req(1) => key_at;
    private ["__value_at"] req(1) => value_at;
    private ["__pair_at"] req(1) => pair_at;
    private ["__set_at"] req(2) => set_at;
    private ["__delete_at"] req(1) => delete_at;
    private ["__enter"] req(0) => enter;
    private ["__leave"] req(0) => leave;
    private ["__pair_block?"] opt(0, 1) => pair_block;
    private ["__copy"] req(0) => plain_copy;
    private ["__check_frozen"] req(0) => check_frozen;
}

/// Defines Hash.
pub fn boot(vm: Vm) {
    let c = vm.define_table(&CLASS);
    vm.set_allocator(c, |vm, class| Ok(RHash::with_class(&vm, class).value()));
    super::hash_convert::boot(vm);
}

/// The receiver as a Hash.
#[inline]
pub fn hsh(vm: Vm, this: Value) -> Ruby<Hsh> {
    match this.as_hash() {
        Some(h) => Ok(h),
        None => Err(vm.type_error("not a Hash")),
    }
}
/// The receiver as a Hash that may be changed.
#[inline]
pub fn modify(vm: Vm, this: Value) -> Ruby<Hsh> {
    vm.check_frozen(this)?;
    hsh(vm, this)
}
/// Slot of a key.
pub fn find(vm: Vm, h: Hsh, key: Value) -> Ruby<Option<usize>> {
    if h.compare_by_identity.get() { h.find(&Identity, key) } else { h.find(&vm, key) }
}
/// `h[key] = value` without the frozen check: copies String keys, refuses new keys while iterating.
pub fn store(vm: Vm, h: Hsh, key: Value, value: Value) -> Ruby<()> {
    let refuse = || vm.runtime_error("can't add a new key into hash during iteration");
    if h.compare_by_identity.get() {
        return h.set_with(&vm, &Identity, key, value, |k| if h.iterating.get() > 0 { Err(refuse()) } else { Ok(k) });
    }
    h.set_with(&vm, &vm, key, value, |k| {
        if h.iterating.get() > 0 {
            return Err(refuse());
        }
        match k.as_str() {
            Some(s) if !s.is_frozen() => {
                let copy = RString::from_bytes(&vm, s.bytes(), s.enc());
                copy.freeze();
                Ok(copy.value())
            }
            _ => Ok(k),
        }
    })
}
/// A copy of the same class with defaults and instance variables, not frozen.
pub fn dup(vm: Vm, h: Hsh) -> Hsh {
    let out = RHash::with_class(&vm, vm.real_class_of(h.value()));
    out.copy_from(&vm, h);
    out.default.set(h.default.get());
    out.default_is_proc.set(h.default_is_proc.get());
    if h.h.has(crate::heap::flags::GENERIC_IVARS) {
        vm.ivar_copy(h.value(), out.value());
    }
    out
}
/// A plain copy of entries and key rule; default and class stay behind.
pub fn copy(vm: Vm, h: Hsh) -> Hsh {
    let out = RHash::new(&vm);
    out.copy_from(&vm, h);
    out
}
/// Position of the entry after slot `i`, for loops that may see any change meanwhile.
pub fn each(h: Hsh, i: &mut usize) -> Option<(Value, Value)> {
    let at = h.next_slot(*i)?;
    *i = at + 1;
    h.entry(at)
}

/// `Hash[...]`: from a Hash, a list of pairs, or keys and values in turn.
fn s_create(vm: Vm, this: Value, args: Args) -> Ruby {
    let Some(class) = this.as_class() else { return Err(vm.type_error("not a class")) };
    let h = RHash::with_class(&vm, class);
    if args.len() == 1 {
        let arg = args.or_nil(0);
        if let Some(from) = vm.check_hash(arg)? {
            h.copy_from(&vm, from);
            h.compare_by_identity.set(false);
            if from.compare_by_identity.get() {
                h.rehash(&vm, &vm)?;
            }
            return Ok(h.value());
        }
        if let Some(list) = vm.check_ary(arg)? {
            let mut i = 0;
            while i < list.len() {
                let v = list.get(i);
                let Some(pair) = vm.check_ary(v)? else {
                    let kind = vm.describe(v);
                    return Err(vm.arg_error(&format!("wrong element type {kind} at {i} (expected array)")));
                };
                if !(1..=2).contains(&pair.len()) {
                    let n = pair.len();
                    return Err(vm.arg_error(&format!("invalid number of elements ({n} for 1..2)")));
                }
                store(vm, h, pair.get(0), pair.get(1))?;
                i += 1;
            }
            return Ok(h.value());
        }
    }
    if args.len() % 2 == 1 {
        return Err(vm.arg_error("odd number of arguments for Hash"));
    }
    for pair in args.slice().chunks(2) {
        store(vm, h, pair[0], pair[1])?;
    }
    Ok(h.value())
}
fn s_try_convert(vm: Vm, _: Value, args: Args) -> Ruby {
    Ok(vm.check_hash(args.or_nil(0))?.map_or(NIL, |h| h.value()))
}
fn s_is_flagged(vm: Vm, _: Value, args: Args) -> Ruby {
    match args.or_nil(0).as_hash() {
        Some(h) => Ok(Value::bool(h.h.has(crate::heap::flags::USER1))),
        None => Err(wrong_type(vm, args.or_nil(0))),
    }
}
fn s_flagged(vm: Vm, _: Value, args: Args) -> Ruby {
    let Some(h) = args.or_nil(0).as_hash() else { return Err(wrong_type(vm, args.or_nil(0))) };
    let out = dup(vm, h);
    out.h.set(crate::heap::flags::USER1);
    Ok(out.value())
}
fn wrong_type(vm: Vm, v: Value) -> crate::value::Raised {
    let got = vm.describe(v);
    vm.type_error(&format!("wrong argument type {got} (expected Hash)"))
}
fn initialize(vm: Vm, this: Value, args: Args) -> Ruby {
    let h = modify(vm, this)?;
    args.only_keywords(vm, &["capacity"])?;
    if let Some(n) = args.keyword(vm, "capacity")? {
        vm.to_i64(n)?;
    }
    if let Some(b) = args.block() {
        if !args.is_empty() {
            return Err(vm.wrong_arguments(args.len(), 0, 0));
        }
        let p = b.to_proc(vm).value();
        check_proc(vm, p)?;
        h.default.set(p);
        h.default_is_proc.set(true);
    } else {
        h.default.set(args.or_nil(0));
        h.default_is_proc.set(false);
    }
    Ok(this)
}
fn check_proc(vm: Vm, p: Value) -> Ruby<()> {
    let Some(p) = p.as_proc() else { return Ok(()) };
    if !p.lambda.get() {
        return Ok(());
    }
    let n = vm.send(p.value(), vm.intern("arity"), &[])?;
    let n = vm.to_i64(n)?;
    if n != 2 && !(-3..0).contains(&n) {
        let n = if n < 0 { -n - 1 } else { n };
        return Err(vm.type_error(&format!("default_proc takes two arguments (2 for {n})")));
    }
    Ok(())
}
fn replace(vm: Vm, this: Value, args: Args) -> Ruby {
    let h = modify(vm, this)?;
    if h.iterating.get() > 0 {
        return Err(vm.runtime_error("can't replace hash during iteration"));
    }
    let from = vm.to_hash(args.or_nil(0))?;
    if from != h {
        h.copy_from(&vm, from);
        h.default.set(from.default.get());
        h.default_is_proc.set(from.default_is_proc.get());
    }
    Ok(this)
}

/// What a missing key gives: the default, the default proc's value, or an overridden `default`'s.
pub fn missing(vm: Vm, h: Hsh, key: Value) -> Ruby {
    let name = vm.intern("default");
    let plain = vm.find_method(vm.class_of(h.value()), name).is_some_and(|m| m.owner == vm.classes.hash.get());
    if !plain {
        return vm.send(h.value(), name, &[key]);
    }
    default_for(vm, h, key)
}
fn default_for(vm: Vm, h: Hsh, key: Value) -> Ruby {
    match h.default.get().as_proc() {
        Some(p) if h.default_is_proc.get() => vm.call_proc(p, &[h.value(), key]),
        _ => Ok(h.default.get()),
    }
}
fn aref(vm: Vm, this: Value, args: Args) -> Ruby {
    let h = hsh(vm, this)?;
    let key = args.or_nil(0);
    match h.get_ruby(vm, key)? {
        Some(v) => Ok(v),
        None => missing(vm, h, key),
    }
}
fn aset(vm: Vm, this: Value, args: Args) -> Ruby {
    let h = modify(vm, this)?;
    store(vm, h, args.or_nil(0), args.or_nil(1))?;
    Ok(args.or_nil(1))
}
fn key_not_found(vm: Vm, this: Value, key: Value) -> crate::value::Raised {
    match vm.inspect(key) {
        Ok(k) => vm.key_error(&format!("key not found: {}", k.text()), this, key),
        Err(r) => r,
    }
}
fn fetch(vm: Vm, this: Value, args: Args) -> Ruby {
    let h = hsh(vm, this)?;
    let key = args.or_nil(0);
    if let Some(v) = h.get_ruby(vm, key)? {
        return Ok(v);
    }
    match (args.block(), args.get(1)) {
        (Some(b), default) => {
            if default.is_some() {
                vm.warn_here("block supersedes default value argument")?;
            }
            vm.yield1(b, key)
        }
        (None, Some(v)) => Ok(v),
        (None, None) => Err(key_not_found(vm, this, key)),
    }
}
fn fetch_values(vm: Vm, this: Value, args: Args) -> Ruby {
    let h = hsh(vm, this)?;
    let out = RArray::new(&vm, args.len());
    for &k in args.slice() {
        let v = match (h.get_ruby(vm, k)?, args.block()) {
            (Some(v), _) => v,
            (None, Some(b)) => vm.yield1(b, k)?,
            (None, None) => return Err(key_not_found(vm, this, k)),
        };
        out.push(&vm, v);
    }
    Ok(out.value())
}
fn values_at(vm: Vm, this: Value, args: Args) -> Ruby {
    let h = hsh(vm, this)?;
    let out = RArray::new(&vm, args.len());
    for &k in args.slice() {
        let v = match h.get_ruby(vm, k)? {
            Some(v) => v,
            None => missing(vm, h, k)?,
        };
        out.push(&vm, v);
    }
    Ok(out.value())
}
fn dig(vm: Vm, this: Value, args: Args) -> Ruby {
    let v = vm.send(this, sym::AREF, &[args.or_nil(0)])?;
    vm.dig_on(v, &args.slice()[1..])
}
fn has_key(vm: Vm, this: Value, args: Args) -> Ruby {
    Ok(Value::bool(find(vm, hsh(vm, this)?, args.or_nil(0))?.is_some()))
}
fn key_of(vm: Vm, this: Value, v: Value) -> Ruby<Option<Value>> {
    let h = hsh(vm, this)?;
    let mut i = 0;
    while let Some((k, x)) = each(h, &mut i) {
        if vm.eq(x, v)? {
            return Ok(Some(k));
        }
    }
    Ok(None)
}
fn has_value(vm: Vm, this: Value, args: Args) -> Ruby {
    Ok(Value::bool(key_of(vm, this, args.or_nil(0))?.is_some()))
}
fn key(vm: Vm, this: Value, args: Args) -> Ruby {
    Ok(key_of(vm, this, args.or_nil(0))?.unwrap_or(NIL))
}
fn keys(vm: Vm, this: Value, _: Args) -> Ruby {
    let h = hsh(vm, this)?;
    let out = RArray::new(&vm, h.len());
    let mut i = 0;
    while let Some((k, _)) = each(h, &mut i) {
        out.push(&vm, k);
    }
    Ok(out.value())
}
fn values(vm: Vm, this: Value, _: Args) -> Ruby {
    let h = hsh(vm, this)?;
    let out = RArray::new(&vm, h.len());
    let mut i = 0;
    while let Some((_, v)) = each(h, &mut i) {
        out.push(&vm, v);
    }
    Ok(out.value())
}
fn length(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(Value::fixnum(hsh(vm, this)?.len() as i64))
}
fn is_empty(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(Value::bool(hsh(vm, this)?.is_empty()))
}
fn delete(vm: Vm, this: Value, args: Args) -> Ruby {
    let h = modify(vm, this)?;
    let key = args.or_nil(0);
    if let Some(i) = find(vm, h, key)? {
        return Ok(h.delete_slot(i).map_or(NIL, |(_, v)| v));
    }
    match args.block() {
        Some(b) => vm.yield1(b, key),
        None => Ok(NIL),
    }
}
fn shift(vm: Vm, this: Value, _: Args) -> Ruby {
    let h = modify(vm, this)?;
    match h.next_slot(0).and_then(|i| h.delete_slot(i)) {
        Some((k, v)) => Ok(vm.array(&[k, v])),
        None => Ok(NIL),
    }
}
fn clear(vm: Vm, this: Value, _: Args) -> Ruby {
    modify(vm, this)?.clear(&vm);
    Ok(this)
}
fn default(vm: Vm, this: Value, args: Args) -> Ruby {
    let h = hsh(vm, this)?;
    if !h.default_is_proc.get() {
        return Ok(h.default.get());
    }
    match args.get(0) {
        Some(key) => default_for(vm, h, key),
        None => Ok(NIL),
    }
}
fn set_default(vm: Vm, this: Value, args: Args) -> Ruby {
    let h = modify(vm, this)?;
    h.default.set(args.or_nil(0));
    h.default_is_proc.set(false);
    Ok(args.or_nil(0))
}
fn default_proc(vm: Vm, this: Value, _: Args) -> Ruby {
    let h = hsh(vm, this)?;
    Ok(if h.default_is_proc.get() { h.default.get() } else { NIL })
}
fn set_default_proc(vm: Vm, this: Value, args: Args) -> Ruby {
    let h = modify(vm, this)?;
    let v = args.or_nil(0);
    if v.is_nil() {
        h.default.set(NIL);
        h.default_is_proc.set(false);
        return Ok(v);
    }
    let p = match v.as_proc() {
        Some(p) => p.value(),
        None => vm.send_if_responds(v, sym::TO_PROC, &[])?.unwrap_or(NIL),
    };
    if p.as_proc().is_none() {
        let got = vm.describe(v);
        return Err(vm.type_error(&format!("wrong default_proc type {got} (expected Proc)")));
    }
    check_proc(vm, p)?;
    h.default.set(p);
    h.default_is_proc.set(true);
    Ok(v)
}
fn compare_by_identity(vm: Vm, this: Value, _: Args) -> Ruby {
    let h = hsh(vm, this)?;
    if h.compare_by_identity.get() {
        return Ok(this);
    }
    vm.check_frozen(this)?;
    if h.iterating.get() > 0 {
        return Err(vm.runtime_error("compare_by_identity during iteration"));
    }
    h.compare_by_identity.set(true);
    h.rehash(&vm, &Identity)?;
    h.compare_by_identity.set(true);
    Ok(this)
}
fn is_by_identity(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(Value::bool(hsh(vm, this)?.compare_by_identity.get()))
}
fn rehash(vm: Vm, this: Value, _: Args) -> Ruby {
    let h = modify(vm, this)?;
    if h.iterating.get() > 0 {
        return Err(vm.runtime_error("rehash during iteration"));
    }
    if h.compare_by_identity.get() {
        h.rehash(&vm, &Identity)?
    } else {
        h.rehash(&vm, &vm)?
    }
    Ok(this)
}

/// Adds the entries of all arguments; the block decides about keys both have: `yield key, old, new`.
fn merge_into(vm: Vm, h: Hsh, args: Args) -> Ruby<()> {
    for &other in args.slice() {
        let other = vm.to_hash(other)?;
        let mut i = 0;
        while let Some((k, v)) = each(other, &mut i) {
            let v = match args.block() {
                Some(b) => match h.get_ruby(vm, k)? {
                    Some(old) => vm.yield_values(b, &[k, old, v])?,
                    None => v,
                },
                None => v,
            };
            store(vm, h, k, v)?;
        }
    }
    Ok(())
}
fn merge(vm: Vm, this: Value, args: Args) -> Ruby {
    let h = hsh(vm, this)?;
    let out = dup(vm, h);
    merge_into(vm, out, args)?;
    Ok(out.value())
}
fn merge_bang(vm: Vm, this: Value, args: Args) -> Ruby {
    merge_into(vm, modify(vm, this)?, args)?;
    Ok(this)
}

// ---- for the prelude's loops

fn slot_arg(vm: Vm, args: Args) -> Ruby<usize> {
    Ok(vm.to_i64(args.or_nil(0))?.max(0) as usize)
}
/// First live slot at or after `i`, or nil.
fn next_slot(vm: Vm, this: Value, args: Args) -> Ruby {
    let i = slot_arg(vm, args)?;
    Ok(hsh(vm, this)?.next_slot(i).map_or(NIL, |i| Value::fixnum(i as i64)))
}
fn key_at(vm: Vm, this: Value, args: Args) -> Ruby {
    Ok(hsh(vm, this)?.entry(slot_arg(vm, args)?).map_or(NIL, |e| e.0))
}
fn value_at(vm: Vm, this: Value, args: Args) -> Ruby {
    Ok(hsh(vm, this)?.entry(slot_arg(vm, args)?).map_or(NIL, |e| e.1))
}
fn pair_at(vm: Vm, this: Value, args: Args) -> Ruby {
    let (k, v) = hsh(vm, this)?.entry(slot_arg(vm, args)?).unwrap_or((NIL, NIL));
    Ok(vm.array(&[k, v]))
}
fn set_at(vm: Vm, this: Value, args: Args) -> Ruby {
    let i = slot_arg(vm, args)?;
    let h = modify(vm, this)?;
    if h.entry(i).is_some() {
        h.set_entry_value(i, args.or_nil(1));
    }
    Ok(NIL)
}
fn delete_at(vm: Vm, this: Value, args: Args) -> Ruby {
    let i = slot_arg(vm, args)?;
    modify(vm, this)?.delete_slot(i);
    Ok(NIL)
}
fn enter(vm: Vm, this: Value, _: Args) -> Ruby {
    let n = &hsh(vm, this)?.iterating;
    n.set(n.get() + 1);
    Ok(NIL)
}
fn leave(vm: Vm, this: Value, _: Args) -> Ruby {
    let n = &hsh(vm, this)?.iterating;
    n.set(n.get().saturating_sub(1));
    Ok(NIL)
}
/// Does the calling method's block take key and value apart, so that no pair array is needed? An argument of true counts
/// lambdas, which are not spread into otherwise.
fn pair_block(vm: Vm, _: Value, args: Args) -> Ruby {
    Ok(if vm.caller_block_takes_pair(args.or_nil(0).truthy()) { TRUE } else { FALSE })
}
fn plain_copy(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(copy(vm, hsh(vm, this)?).value())
}
fn check_frozen(vm: Vm, this: Value, _: Args) -> Ruby {
    vm.check_frozen(this)?;
    Ok(NIL)
}

impl Vm {
    /// The block of the Ruby method that called the running native is one of two or more parameters.
    fn caller_block_takes_pair(self, lambdas: bool) -> bool {
        let Some(block) = self.ec().ruby_frame_any().map(|f| f.block_word()) else { return false };
        let code = match block.as_proc() {
            Some(p) if p.lambda.get() && !lambdas => return false,
            Some(p) if p.iseq.is_null() => return p.native_arity.get() == 2,
            Some(p) => p.iseq as *const Iseq,
            None if block.is_nil() => return false,
            // SAFETY: not a Proc: the address of a captured block in the header of an active frame (`vm/frame.rs`).
            None => unsafe { *((block.bits() & !7) as *const *const Iseq) },
        };
        // SAFETY: a code object, alive as its block is.
        let params = unsafe { &(*code).rest.params };
        params.required + params.post > 1
    }
}
