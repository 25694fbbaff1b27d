//! `Data`: classes of immutable objects with named fields.

use super::record::{self, class_members, keyword_error, position, put};
use crate::class;
use crate::object::{Ary, MethodBody, RArray, RHash, Visibility, sym};
use crate::value::{NIL, Ruby, TRUE, UNDEF, Value};
use crate::vm::native::Native;
use crate::vm::{Args, Vm};

class! { "Data" < "Object";
    self ["define"] rest(0) => s_define;
    ["initialize"] kwrest(0) => initialize;
    ["initialize_copy"] req(1) => initialize_copy;
    ["=="] req(1) => equal;
    ["eql?"] req(1) => eql;
    ["hash"] req(0) => record::hash;
    ["inspect", "to_s"] req(0) => inspect;
    ["to_h"] req(0) => record::to_h;
    ["members"] req(0) => record::member_list;
    ["deconstruct"] req(0) => record::to_a;
    ["deconstruct_keys"] req(1) => deconstruct_keys;
    ["with"] kwrest(0) => with;
}

/// Defines Data; `new` comes with `define`.
pub fn boot(vm: Vm) {
    let c = vm.define_table(&CLASS);
    vm.set_allocator(c, record::allocate);
    let meta = vm.metaclass(c);
    vm.add_method(meta, sym::NEW, Visibility::Public, MethodBody::Undef);
}

/// `Data.define(:x, :y) { ... }`.
fn s_define(vm: Vm, this: Value, args: Args) -> Ruby {
    let Some(above) = this.as_class() else { return Err(vm.type_error("not a class")) };
    let list = record::check_members(vm, args.slice(), "data")?;
    let c = record::make_class(vm, above, list, false)?;
    let meta = vm.metaclass(c);
    vm.add_method(meta, vm.intern("define"), Visibility::Public, MethodBody::Undef);
    for (name, max, f) in
        [("new", -1, s_new as Native), ("[]", -1, s_new as Native), ("members", 0, record::s_members as Native)]
    {
        let body = MethodBody::Native { f: f as *const (), min: 0, max, kw: max < 0 };
        vm.add_method(meta, vm.intern(name), Visibility::Public, body);
    }
    if args.block().is_some() {
        vm.send_block(c.value(), vm.intern("class_eval"), &[], args.block())?;
    }
    Ok(c.value())
}
/// Positional arguments become keywords, then `initialize` gets them.
fn s_new(vm: Vm, this: Value, args: Args) -> Ruby {
    let Some(class) = this.as_class() else { return Err(vm.type_error("not a class")) };
    let m = class_members(vm, class)?;
    let v = record::allocate(vm, class)?;
    let plain = vm.find_method(class, sym::INITIALIZE).is_some_and(|e| e.owner == vm.classes.data.get());
    if args.has_keywords() {
        if !args.is_empty() {
            return Err(vm.wrong_arguments(args.len() + 1, 0, 0));
        }
        vm.send_full(v, sym::INITIALIZE, args.all(), true, args.block(), true)?;
        return Ok(v);
    }
    if args.len() > m.len() {
        return Err(vm.wrong_arguments(args.len(), 0, m.len() as i64));
    }
    if plain && args.len() == m.len() {
        for (i, &x) in args.slice().iter().enumerate() {
            put(vm, v, m, i, x);
        }
        freeze(v);
        return Ok(v);
    }
    let h = RHash::new(&vm);
    for (i, &x) in args.slice().iter().enumerate() {
        super::hash::store(vm, h, m.get(i), x)?;
    }
    if h.is_empty() {
        vm.send_full(v, sym::INITIALIZE, &[], false, args.block(), true)?;
    } else {
        vm.send_full(v, sym::INITIALIZE, &[h.value()], true, args.block(), true)?;
    }
    Ok(v)
}
/// A Symbol or String as it is, other things through `to_str`.
fn member_name(vm: Vm, k: Value) -> Ruby {
    if k.is_symbol() {
        return Ok(k);
    }
    match vm.check_str(k)? {
        Some(s) => Ok(s.value()),
        None => {
            let text = vm.inspect(k)?;
            Err(vm.type_error(&format!("{} is not a symbol nor a string", text.text())))
        }
    }
}
fn find(vm: Vm, m: Ary, k: Value) -> Ruby<Option<usize>> {
    let name = match k.as_str() {
        Some(s) => vm.symbols.find(s.bytes(), s.enc()).map_or(UNDEF, Value::from),
        None => k,
    };
    Ok(position(m, name))
}
fn deconstruct_keys(vm: Vm, this: Value, args: Args) -> Ruby {
    record::deconstruct_keys(vm, this, args, |vm, m, k| {
        let k = member_name(vm, k)?;
        Ok(find(vm, m, k)?.map(|at| (at, k)))
    })
}
fn freeze(v: Value) {
    if let Some(h) = v.header() {
        h.set(crate::heap::flags::FROZEN);
    }
}
fn initialize(vm: Vm, this: Value, args: Args) -> Ruby {
    vm.check_frozen(this)?;
    let m = record::members(vm, this)?;
    let given = match args.keywords() {
        Some(h) if args.is_empty() => Some(h),
        None if args.is_empty() => None,
        None if args.len() == 1 && args.or_nil(0).as_hash().is_some() => args.or_nil(0).as_hash(),
        _ => return Err(vm.wrong_arguments(args.all().len(), 0, 0)),
    };
    let (seen, unknown) = (RArray::new(&vm, m.len()), RArray::new(&vm, 0));
    for _ in 0..m.len() {
        seen.push(&vm, NIL);
    }
    if let Some(h) = given {
        let mut i = 0;
        while let Some((k, v)) = super::hash::each(h, &mut i) {
            let k = member_name(vm, k)?;
            match find(vm, m, k)? {
                Some(at) => {
                    put(vm, this, m, at, v);
                    seen.set(at, TRUE);
                }
                None => unknown.push(&vm, k),
            }
        }
    }
    freeze(this);
    let missing = RArray::new(&vm, 0);
    for i in 0..m.len() {
        if seen.get(i).is_nil() {
            missing.push(&vm, m.get(i));
        }
    }
    if !missing.is_empty() {
        return Err(keyword_error(vm, "missing", missing));
    }
    if !unknown.is_empty() {
        return Err(keyword_error(vm, "unknown", unknown));
    }
    Ok(NIL)
}
fn initialize_copy(vm: Vm, this: Value, args: Args) -> Ruby {
    record::copy_fields(vm, this, args)?;
    freeze(this);
    Ok(this)
}
fn equal(vm: Vm, this: Value, args: Args) -> Ruby {
    record::equal(vm, this, args.or_nil(0), sym::EQ, Vm::eq)
}
fn eql(vm: Vm, this: Value, args: Args) -> Ruby {
    record::equal(vm, this, args.or_nil(0), sym::EQL, Vm::eql)
}
fn inspect(vm: Vm, this: Value, _: Args) -> Ruby {
    record::inspect(vm, this, "data")
}
/// A copy with some fields changed.
fn with(vm: Vm, this: Value, args: Args) -> Ruby {
    if !args.is_empty() {
        return Err(vm.wrong_arguments(args.len(), 0, 0));
    }
    let Some(changes) = args.keywords() else { return Ok(this) };
    let m = record::members(vm, this)?;
    let h = RHash::new(&vm);
    for i in 0..m.len() {
        super::hash::store(vm, h, m.get(i), record::field(vm, this, m, i))?;
    }
    let mut i = 0;
    while let Some((k, v)) = super::hash::each(changes, &mut i) {
        super::hash::store(vm, h, k, v)?;
    }
    let v = record::allocate(vm, vm.real_class_of(this))?;
    vm.send_full(v, sym::INITIALIZE, &[h.value()], true, None, true)?;
    Ok(v)
}
