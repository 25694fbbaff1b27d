//! `Range`: ends, equality, membership. Iteration, stepping, extremes and searching are Ruby, in `prelude/range.rb`.

use super::inspect::Text;
use crate::class;
use crate::heap::flags;
use crate::object::{RArray, RRange, Range, sym};
use crate::value::{FALSE, NIL, Ruby, Sym, TRUE, Value};
use crate::vm::{Args, Vm};
use std::cmp::Ordering;

class! { "Range" < "Object";
    ["initialize"] opt(2, 3) => initialize;
    ["initialize_copy"] req(1) => initialize_copy;
    ["begin"] req(0) => begin;
    ["end"] req(0) => end;
    ["exclude_end?"] req(0) => exclude_end;
    ["inspect"] req(0) => inspect;
    ["to_s"] req(0) => to_s;
    ["=="] req(1) => equal;
    ["eql?"] req(1) => eql;
    ["hash"] req(0) => hash;
    ["===", "cover?"] req(1) => cover;
    private ["__ints"] req(0) => ints;
}

/// Defines Range.
pub fn boot(vm: Vm) {
    let c = vm.define_table(&CLASS);
    vm.set_allocator(c, |vm, class| Ok(RRange::with_class(&vm, class, NIL, NIL, false).value()));
}

/// The receiver as a Range.
#[inline]
pub fn range(vm: Vm, this: Value) -> Ruby<Range> {
    match this.as_range() {
        Some(r) => Ok(r),
        None => Err(vm.type_error("not a Range")),
    }
}

impl Vm {
    /// `Range.new(lo, hi, exclusive)`: ArgumentError "bad value for range" for ends without an order.
    pub fn new_range(self, lo: Value, hi: Value, exclusive: bool) -> Ruby {
        self.check_ends(lo, hi)?;
        Ok(RRange::new(&self, lo, hi, exclusive).value())
    }
    fn check_ends(self, lo: Value, hi: Value) -> Ruby<()> {
        if Value::both_fixnum(lo, hi) || lo.is_nil() || hi.is_nil() {
            return Ok(());
        }
        if self.send(lo, sym::CMP, &[hi])?.is_nil() {
            return Err(self.arg_error("bad value for range"));
        }
        Ok(())
    }

    /// Start and length of a range as an index into something of `len` elements. Outside of it: RangeError if `strict`,
    /// else `None`. `clip` cuts the length to what is there.
    pub fn range_span(self, r: Range, len: usize, strict: bool, clip: bool) -> Ruby<Option<(usize, usize)>> {
        let n = len as i64;
        let mut lo = if r.lo.get().is_nil() { 0 } else { self.to_i64(r.lo.get())? };
        let open = r.hi.get().is_nil();
        let mut hi = if open { -1 } else { self.to_i64(r.hi.get())? };
        if lo < 0 {
            lo = lo.saturating_add(n);
        }
        let out = lo < 0 || clip && lo > n;
        if out {
            if strict {
                let text = self.inspect(r.value())?;
                return Err(self.range_error(&format!("{} out of range", text.text())));
            }
            return Ok(None);
        }
        if hi < 0 {
            hi = hi.saturating_add(n);
        }
        if open || !r.exclusive.get() {
            hi = hi.saturating_add(1);
        }
        if clip {
            hi = hi.min(n);
        }
        Ok(Some((lo as usize, (hi.saturating_sub(lo)).max(0) as usize)))
    }
}

fn initialize(vm: Vm, this: Value, args: Args) -> Ruby {
    let r = range(vm, this)?;
    vm.check_frozen(this)?;
    if r.h.has(flags::USER1) {
        return Err(vm.name_error("'initialize' called twice", this, sym::INITIALIZE));
    }
    r.h.set(flags::USER1);
    let (lo, hi) = (args.or_nil(0), args.or_nil(1));
    vm.check_ends(lo, hi)?;
    r.lo.set(lo);
    r.hi.set(hi);
    r.exclusive.set(args.or_nil(2).truthy());
    if vm.class_of(this) == vm.classes.range.get() {
        r.h.set(flags::FROZEN);
    }
    Ok(this)
}
fn initialize_copy(vm: Vm, this: Value, args: Args) -> Ruby {
    let r = range(vm, this)?;
    let from = range(vm, args.or_nil(0))?;
    vm.check_frozen(this)?;
    r.lo.set(from.lo.get());
    r.hi.set(from.hi.get());
    r.exclusive.set(from.exclusive.get());
    Ok(this)
}
fn begin(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(range(vm, this)?.lo.get())
}
fn end(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(range(vm, this)?.hi.get())
}
fn exclude_end(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(Value::bool(range(vm, this)?.exclusive.get()))
}
fn dots(r: Range) -> &'static str {
    if r.exclusive.get() { "..." } else { ".." }
}
fn inspect(vm: Vm, this: Value, _: Args) -> Ruby {
    let r = range(vm, this)?;
    let (lo, hi) = (r.lo.get(), r.hi.get());
    let done = vm.guard_recursion(this, NIL, sym::INSPECT, || {
        let mut out = Text::new("");
        if !lo.is_nil() || hi.is_nil() {
            out.inspect(vm, lo)?;
        }
        out.raw(dots(r));
        if lo.is_nil() || !hi.is_nil() {
            out.inspect(vm, hi)?;
        }
        Ok(out.finish(vm))
    })?;
    Ok(done.unwrap_or_else(|| vm.str(&format!("(... {} ...)", dots(r)))))
}
fn to_s(vm: Vm, this: Value, _: Args) -> Ruby {
    let r = range(vm, this)?;
    let mut out = Text::new("");
    let lo = vm.to_s(r.lo.get())?;
    out.push(vm, lo)?;
    out.raw(dots(r));
    let hi = vm.to_s(r.hi.get())?;
    out.push(vm, hi)?;
    Ok(out.finish(vm))
}
fn same(vm: Vm, this: Value, other: Value, what: Sym, same: fn(Vm, Value, Value) -> Ruby<bool>) -> Ruby {
    let a = range(vm, this)?;
    let Some(b) = other.as_range() else { return Ok(FALSE) };
    if a == b {
        return Ok(TRUE);
    }
    let done = vm.guard_recursion(this, other, what, || {
        Ok(a.exclusive.get() == b.exclusive.get()
            && same(vm, a.lo.get(), b.lo.get())?
            && same(vm, a.hi.get(), b.hi.get())?)
    })?;
    Ok(Value::bool(done.unwrap_or(true)))
}
fn equal(vm: Vm, this: Value, args: Args) -> Ruby {
    same(vm, this, args.or_nil(0), sym::EQ, Vm::eq)
}
fn eql(vm: Vm, this: Value, args: Args) -> Ruby {
    same(vm, this, args.or_nil(0), sym::EQL, Vm::eql)
}
fn hash(vm: Vm, this: Value, _: Args) -> Ruby {
    use crate::vm::equal::mix;
    let r = range(vm, this)?;
    vm.container_hash(this, r.exclusive.get() as u64 + 0x72616e, |h| {
        let lo = vm.hash_of(r.lo.get())?;
        let hi = vm.hash_of(r.hi.get())?;
        Ok(mix(mix(h ^ lo).rotate_left(7) ^ hi))
    })
}

/// `a <=> b`, `None` when there is no order (or no `<=>`).
fn order(vm: Vm, a: Value, b: Value) -> Ruby<Option<Ordering>> {
    vm.compare_opt(a, b)
}
/// Is `v` between the ends?
pub fn covers(vm: Vm, r: Range, v: Value) -> Ruby<bool> {
    let (lo, hi) = (r.lo.get(), r.hi.get());
    if !lo.is_nil() {
        match order(vm, lo, v)? {
            Some(Ordering::Less | Ordering::Equal) => {}
            _ => return Ok(false),
        }
    }
    if hi.is_nil() {
        return Ok(true);
    }
    Ok(match order(vm, v, hi)? {
        Some(Ordering::Less) => true,
        Some(Ordering::Equal) => !r.exclusive.get(),
        _ => false,
    })
}
fn cover(vm: Vm, this: Value, args: Args) -> Ruby {
    let r = range(vm, this)?;
    let v = args.or_nil(0);
    match v.as_range() {
        Some(inner) if !is_case_eq(vm) => Ok(Value::bool(covers_range(vm, r, inner)?)),
        _ => Ok(Value::bool(covers(vm, r, v)?)),
    }
}
/// Was the running native called as `===`, which looks at ranges as single values?
fn is_case_eq(vm: Vm) -> bool {
    vm.ec().frame().method().is_some_and(|m| m.name == sym::EQQ)
}
/// Does every value of `inner` lie in `r`?
fn covers_range(vm: Vm, r: Range, inner: Range) -> Ruby<bool> {
    let (lo, hi) = (r.lo.get(), r.hi.get());
    let (ilo, ihi) = (inner.lo.get(), inner.hi.get());
    if !lo.is_nil() && ilo.is_nil() || !hi.is_nil() && ihi.is_nil() {
        return Ok(false);
    }
    if hi.is_nil() && ihi.is_nil() && r.exclusive.get() && !inner.exclusive.get() {
        return Ok(false);
    }
    // An empty one has nothing to cover.
    if !ilo.is_nil() && !ihi.is_nil() {
        match order(vm, ilo, ihi)? {
            Some(Ordering::Less) => {}
            Some(Ordering::Equal) if !inner.exclusive.get() => {}
            _ => return Ok(false),
        }
    }
    if !ilo.is_nil() && !covers(vm, r, ilo)? {
        // Its start may be an excluded end only if it is beginless, which was seen above.
        return Ok(false);
    }
    if hi.is_nil() || ihi.is_nil() {
        return Ok(true);
    }
    let end = order(vm, hi, ihi)?;
    match end {
        Some(Ordering::Greater) => Ok(true),
        Some(Ordering::Equal) => Ok(!r.exclusive.get() || inner.exclusive.get()),
        // `0..5` covers `0...6`: the last value of the inner one decides.
        Some(Ordering::Less) if inner.exclusive.get() && !r.exclusive.get() => {
            let max = vm.intern("max");
            let max = vm.rescue(vm.classes.type_error.get(), || vm.send(inner.value(), max, &[]))?.unwrap_or(NIL);
            Ok(!max.is_nil() && matches!(order(vm, hi, max)?, Some(Ordering::Greater | Ordering::Equal)))
        }
        _ => Ok(false),
    }
}

/// All Integers of a range of two fixnums, as an Array; nil for other ranges.
fn ints(vm: Vm, this: Value, _: Args) -> Ruby {
    let r = range(vm, this)?;
    let (Some(lo), Some(hi)) = (r.lo.get().as_fixnum(), r.hi.get().as_fixnum()) else { return Ok(NIL) };
    let end = if r.exclusive.get() { hi } else { hi + 1 };
    if end <= lo {
        return Ok(RArray::new(&vm, 0).value());
    }
    let n = super::array::check_len(vm, end - lo)?;
    let out = RArray::new(&vm, n);
    for i in lo..end {
        out.push(&vm, Value::fixnum(i));
    }
    Ok(out.value())
}
