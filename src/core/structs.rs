//! `Struct`: classes of objects with named, writable fields.

use super::record::{self, class_members, field, keyword_init, members, position, put};
use crate::class;
use crate::object::{Ary, MethodBody, RArray, Visibility, sym};
use crate::value::{FALSE, NIL, Raised, Ruby, Value};
use crate::vm::native::Native;
use crate::vm::{Args, Vm};

class! { "Struct" < "Object";
    self ["new"] kwrest(0) => s_define;
    ["initialize"] kwrest(0) => initialize;
    ["initialize_copy"] req(1) => record::copy_fields;
    ["=="] req(1) => equal;
    ["eql?"] req(1) => eql;
    ["hash"] req(0) => record::hash;
    ["inspect", "to_s"] req(0) => inspect;
    ["to_a", "deconstruct", "values"] req(0) => record::to_a;
    ["to_h"] req(0) => record::to_h;
    ["members"] req(0) => record::member_list;
    ["deconstruct_keys"] req(1) => deconstruct_keys;
    ["size", "length"] req(0) => size;
    ["[]"] req(1) => aref;
    ["[]="] req(2) => aset;
    ["dig"] rest(1) => dig;
    ["values_at"] rest(0) => values_at;
}

/// Defines Struct.
pub fn boot(vm: Vm) {
    let c = vm.define_table(&CLASS);
    vm.set_allocator(c, record::allocate);
}

/// `Struct.new("Name", :a, :b, keyword_init: nil) { ... }`.
fn s_define(vm: Vm, this: Value, args: Args) -> Ruby {
    let Some(above) = this.as_class() else { return Err(vm.type_error("not a class")) };
    args.only_keywords(vm, &["keyword_init"])?;
    let mut names = args.slice();
    let mut own_name = NIL;
    if let Some(&first) = names.first()
        && !first.is_symbol()
    {
        own_name = first;
        names = &names[1..];
        if !own_name.is_nil() {
            let s = vm.to_str(own_name)?;
            if !s.bytes().first().is_some_and(|b| b.is_ascii_uppercase() || *b >= 0x80) {
                let text = s.text();
                let name = vm.to_name(own_name)?;
                return Err(vm.name_error(&format!("identifier {text} needs to be constant"), this, name));
            }
        }
    }
    let list = record::check_members(vm, names, "struct")?;
    let keyword = match args.keyword(vm, "keyword_init")? {
        None | Some(NIL) => NIL,
        Some(v) => Value::bool(v.truthy()),
    };
    let c = record::make_class(vm, above, list, true)?;
    if !own_name.is_nil() {
        let name = vm.to_name(own_name)?;
        if above.own_const(name).is_some() {
            let text = format!("redefining constant {}::{}", vm.class_name(above), vm.symbols.text(name));
            vm.warn_here(&text)?;
        }
        vm.set_const(above, name, c.value());
    }
    record::set_keyword_init(vm, c, keyword);
    let meta = vm.metaclass(c);
    for (name, max, f) in [
        ("new", -1, s_new as Native),
        ("[]", -1, s_new as Native),
        ("members", 0, record::s_members as Native),
        ("keyword_init?", 0, s_keyword_init as Native),
        ("inspect", 0, s_inspect as Native),
    ] {
        let body = MethodBody::Native { f: f as *const (), min: 0, max, kw: max < 0 };
        vm.add_method(meta, vm.intern(name), Visibility::Public, body);
    }
    if args.block().is_some() {
        vm.send_block(c.value(), vm.intern("class_eval"), &[], args.block())?;
    }
    Ok(c.value())
}
fn s_new(vm: Vm, this: Value, args: Args) -> Ruby {
    let Some(class) = this.as_class() else { return Err(vm.type_error("not a class")) };
    let v = record::allocate(vm, class)?;
    let plain = vm.find_method(class, sym::INITIALIZE).is_some_and(|m| m.owner == vm.classes.struct_.get());
    if plain {
        initialize(vm, v, args)?;
    } else {
        vm.send_full(v, sym::INITIALIZE, args.all(), args.has_keywords(), args.block(), true)?;
    }
    Ok(v)
}
fn s_keyword_init(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(this.as_class().map_or(NIL, |c| keyword_init(vm, c)))
}
fn s_inspect(vm: Vm, this: Value, _: Args) -> Ruby {
    let Some(c) = this.as_class() else { return Ok(NIL) };
    let mut text = vm.class_name(c);
    if keyword_init(vm, c).truthy() {
        text.push_str("(keyword_init: true)");
    }
    Ok(vm.str(&text))
}

fn initialize(vm: Vm, this: Value, args: Args) -> Ruby {
    vm.check_frozen(this)?;
    let class = vm.real_class_of(this);
    let m = class_members(vm, class)?;
    let mode = keyword_init(vm, class);
    let by_keyword = match mode {
        NIL => args.is_empty() && args.has_keywords(),
        FALSE => false,
        _ => {
            let hash_only = args.len() == 1 && args.or_nil(0).as_hash().is_some() && !args.has_keywords();
            if !args.is_empty() && !hash_only {
                return Err(vm.wrong_arguments(args.len(), 0, 0));
            }
            true
        }
    };
    if by_keyword {
        for i in 0..m.len() {
            put(vm, this, m, i, NIL);
        }
        let Some(h) = args.keywords().or(args.or_nil(0).as_hash()) else { return Ok(NIL) };
        let mut unknown = Vec::new();
        let mut i = 0;
        while let Some((k, v)) = super::hash::each(h, &mut i) {
            match find(vm, m, k)? {
                Some(at) => put(vm, this, m, at, v),
                None => unknown.push(vm.to_s(k)?.text().into_owned()),
            }
        }
        if !unknown.is_empty() {
            return Err(vm.arg_error(&format!("unknown keywords: {}", unknown.join(", "))));
        }
        return Ok(NIL);
    }
    // Keywords of a positional struct are one more Hash.
    let given = args.all();
    if given.len() > m.len() {
        return Err(vm.arg_error("struct size differs"));
    }
    for i in 0..m.len() {
        put(vm, this, m, i, given.get(i).copied().unwrap_or(NIL));
    }
    Ok(NIL)
}
/// Position of a member named by Symbol or String.
fn find(vm: Vm, m: Ary, k: Value) -> Ruby<Option<usize>> {
    if k.is_symbol() {
        return Ok(position(m, k));
    }
    match k.as_str() {
        Some(s) => Ok(vm.symbols.find(s.bytes(), s.enc()).and_then(|s| position(m, s.into()))),
        None => Ok(None),
    }
}

fn equal(vm: Vm, this: Value, args: Args) -> Ruby {
    record::equal(vm, this, args.or_nil(0), sym::EQ, Vm::eq)
}
fn eql(vm: Vm, this: Value, args: Args) -> Ruby {
    record::equal(vm, this, args.or_nil(0), sym::EQL, Vm::eql)
}
fn inspect(vm: Vm, this: Value, _: Args) -> Ruby {
    record::inspect(vm, this, "struct")
}
/// Members may be named by position here, too.
fn deconstruct_keys(vm: Vm, this: Value, args: Args) -> Ruby {
    record::deconstruct_keys(vm, this, args, |vm, m, k| {
        if k.is_symbol() || k.as_str().is_some() {
            return Ok(find(vm, m, k)?.map(|at| (at, k)));
        }
        let (i, n) = (vm.to_i64(k)?, m.len() as i64);
        let at = if i < 0 { i.saturating_add(n) } else { i };
        Ok((at >= 0 && at < n).then_some((at as usize, k)))
    })
}
fn size(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(Value::fixnum(members(vm, this)?.len() as i64))
}
/// Position by name or number; NameError or IndexError if there is none.
fn locate(vm: Vm, this: Value, k: Value) -> Ruby<usize> {
    let m = members(vm, this)?;
    if k.is_symbol() || k.as_str().is_some() {
        return match find(vm, m, k)? {
            Some(i) => Ok(i),
            None => {
                let name = vm.to_name(k)?;
                let text = format!("no member '{}' in struct", vm.symbols.text(name));
                Err(vm.name_error(&text, this, name))
            }
        };
    }
    let i = vm.to_i64(k)?;
    offset(vm, i, m.len())
}
fn offset(vm: Vm, i: i64, n: usize) -> Ruby<usize> {
    let at = if i < 0 { i.saturating_add(n as i64) } else { i };
    if at >= 0 && at < n as i64 { Ok(at as usize) } else { Err(out_of_range(vm, i, n)) }
}
fn out_of_range(vm: Vm, i: i64, n: usize) -> Raised {
    let side = if i < 0 { "small" } else { "large" };
    vm.index_error(&format!("offset {i} too {side} for struct(size:{n})"))
}
fn aref(vm: Vm, this: Value, args: Args) -> Ruby {
    let i = locate(vm, this, args.or_nil(0))?;
    Ok(field(vm, this, members(vm, this)?, i))
}
fn aset(vm: Vm, this: Value, args: Args) -> Ruby {
    let i = locate(vm, this, args.or_nil(0))?;
    vm.check_frozen(this)?;
    put(vm, this, members(vm, this)?, i, args.or_nil(1));
    Ok(args.or_nil(1))
}
fn dig(vm: Vm, this: Value, args: Args) -> Ruby {
    let k = args.or_nil(0);
    let m = members(vm, this)?;
    let at = if k.is_symbol() || k.as_str().is_some() {
        find(vm, m, k)?
    } else {
        let i = vm.to_i64(k)?;
        let at = if i < 0 { i.saturating_add(m.len() as i64) } else { i };
        (at >= 0 && at < m.len() as i64).then_some(at as usize)
    };
    let v = at.map_or(NIL, |i| field(vm, this, m, i));
    vm.dig_on(v, &args.slice()[1..])
}
fn values_at(vm: Vm, this: Value, args: Args) -> Ruby {
    let m = members(vm, this)?;
    let out = RArray::new(&vm, args.len());
    for &k in args.slice() {
        if let Some(r) = k.as_range() {
            if let Some((at, len)) = vm.range_span(r, m.len(), true, false)? {
                super::array::check_len(vm, len.min(i64::MAX as usize) as i64)?;
                for i in at..at.saturating_add(len) {
                    out.push(&vm, field(vm, this, m, i));
                }
            }
        } else {
            let i = offset(vm, vm.to_i64(k)?, m.len())?;
            out.push(&vm, field(vm, this, m, i));
        }
    }
    Ok(out.value())
}
