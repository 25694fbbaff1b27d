//! `Method` and `UnboundMethod`: methods as objects.

use super::proc_params::{self, code_of};
use crate::class;
use crate::heap::Marker;
use crate::object::{Class, Data, MethodBody, MethodEntry, RArray, RData, Ref, sym};
use crate::value::{NIL, Raised, Ruby, Sym, UNDEF, Value};
use crate::vm::equal::mix;
use crate::vm::{Args, Vm};

class! { "Method" < "Object";
    ["call", "()", "===", "[]"] kwrest(0) => call;
    ["unbind"] req(0) => unbind;
    ["to_proc"] req(0) => to_proc;
    ["receiver"] req(0) => receiver;
    ["curry"] opt(0, 1) => curry;
    [">>"] req(1) => then;
    ["<<"] req(1) => after;
}

mod on_both {
    //! What Method and UnboundMethod share.
    use super::*;
    pub const ROWS: &[(&str, crate::vm::native::Native, i16)] = &[
        ("==", eq, 1),
        ("eql?", eq, 1),
        ("hash", hash, 0),
        ("arity", arity, 0),
        ("parameters", parameters, 0),
        ("name", name, 0),
        ("original_name", original_name, 0),
        ("owner", owner, 0),
        ("source_location", source_location, 0),
        ("super_method", super_method, 0),
        ("inspect", inspect, 0),
        ("to_s", inspect, 0),
        ("dup", dup, 0),
        ("clone", clone, 0),
    ];
}

mod unbound_method {
    use super::*;
    class! { "UnboundMethod" < "Object";
        ["bind"] req(1) => bind;
        ["bind_call"] kwrest(1) => bind_call;
    }
}

/// What a method object stands for.
#[derive(Clone, Copy)]
pub struct Callable {
    /// UNDEF when unbound
    pub recv: Value,
    /// class where the lookup started
    pub class: Class,
    pub me: Ref<MethodEntry>,
    pub name: Sym,
    /// answered by `method_missing`
    pub missing: bool,
}
impl Data for Callable {
    fn trace(&self, m: &mut Marker) {
        m.value(self.recv);
        m.value(self.class.value());
        m.value(self.me.value());
    }
}

pub fn boot(vm: Vm) {
    let a = vm.define_table(&CLASS);
    let b = vm.define_table(&unbound_method::CLASS);
    for c in [a, b] {
        for &(name, f, n) in on_both::ROWS {
            let body = MethodBody::Native { f: f as *const (), min: n, max: n, kw: false };
            vm.add_method(c, vm.intern(name), crate::object::Visibility::Public, body);
        }
        c.alloc.set(super::proc::no_allocator as *const ());
        let undef = MethodBody::Undef;
        vm.add_method(vm.metaclass(c), sym::NEW, crate::object::Visibility::Public, undef);
    }
}

/// A Method.
pub fn bound(vm: Vm, c: Callable) -> Value {
    RData::alloc(&vm, vm.classes.method.get(), c)
}
/// An UnboundMethod.
pub fn unbound(vm: Vm, c: Callable) -> Value {
    RData::alloc(&vm, vm.classes.unbound_method.get(), c)
}
/// What a Method or UnboundMethod stands for.
pub fn callable(v: Value) -> Option<&'static Callable> {
    v.data::<Callable>()
}
fn this_method(vm: Vm, this: Value) -> Ruby<&'static Callable> {
    callable(this).ok_or_else(|| vm.type_error("uninitialized Method"))
}

/// The entry behind a visibility mark, with the mark's visibility: what Method objects show.
pub fn real_entry(vm: Vm, class: Class, me: Ref<MethodEntry>) -> Ref<MethodEntry> {
    let mut at = me.owner;
    let mut marked = false;
    while let Some(e) = at.own_method(me.name)
        && matches!(e.body, MethodBody::ZSuper)
    {
        marked = true;
        match class.lookup_super(at, me.name) {
            Some(next) => at = next.owner,
            None => break,
        }
    }
    if !marked {
        return me;
    }
    let real = MethodEntry::copy_with(&vm, me.name, me.original_name, me.visibility, at, me.defined_class, me.body);
    real.ruby2_keywords.set(me.ruby2_keywords.get());
    real
}

/// Calls a method object.
pub fn invoke(vm: Vm, m: &Callable, args: Args, from: usize) -> Ruby {
    let list = &args.all()[from..];
    if m.missing {
        let all = RArray::from_slice(&vm, &[m.name.into()]);
        all.extend(&vm, list);
        return vm.send_full(m.recv, sym::METHOD_MISSING, all.slice(), args.has_keywords(), args.block(), true);
    }
    vm.call_method(m.me, m.recv, list, args.has_keywords(), args.block())
}
fn call(vm: Vm, this: Value, args: Args) -> Ruby {
    invoke(vm, this_method(vm, this)?, args, 0)
}
fn unbind(vm: Vm, this: Value, _args: Args) -> Ruby {
    let m = this_method(vm, this)?;
    Ok(unbound(vm, Callable { recv: UNDEF, ..*m }))
}
fn receiver(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(this_method(vm, this)?.recv)
}

/// A lambda that calls the method.
fn to_proc(vm: Vm, this: Value, _args: Args) -> Ruby {
    fn body(vm: Vm, data: Value, args: Args) -> Ruby {
        match callable(data) {
            Some(m) => invoke(vm, m, args, 0),
            None => Ok(NIL),
        }
    }
    let m = this_method(vm, this)?;
    let arity = proc_params::method_arity(&m.me);
    let p = vm.native_proc(body, this, true, arity as i32);
    p.from_method.set(true);
    Ok(p.value())
}
fn curry(vm: Vm, this: Value, args: Args) -> Ruby {
    let p = vm.send(this, sym::TO_PROC, &[])?;
    vm.send(p, vm.intern("curry"), args.slice())
}
fn then(vm: Vm, this: Value, args: Args) -> Ruby {
    super::proc::compose_method(vm, this, args.or_nil(0), true)
}
fn after(vm: Vm, this: Value, args: Args) -> Ruby {
    super::proc::compose_method(vm, this, args.or_nil(0), false)
}

/// TypeError unless the method can run on `recv`.
fn check_bind(vm: Vm, m: &Callable, recv: Value) -> Ruby<()> {
    let owner = m.me.owner;
    if owner.is_module() || vm.class_of(recv).is_a(owner) {
        return Ok(());
    }
    Err(bind_error(vm, owner))
}
fn bind_error(vm: Vm, owner: Class) -> Raised {
    if owner.is_singleton() {
        return vm.type_error("singleton method called for a different object");
    }
    let name = vm.class_name(owner);
    vm.type_error(&format!("bind argument must be an instance of {name}"))
}
fn rebound(vm: Vm, m: &Callable, recv: Value) -> Ruby<Callable> {
    check_bind(vm, m, recv)?;
    Ok(Callable { recv, class: vm.class_of(recv), ..*m })
}
fn bind(vm: Vm, this: Value, args: Args) -> Ruby {
    let m = rebound(vm, this_method(vm, this)?, args.or_nil(0))?;
    Ok(bound(vm, m))
}
fn bind_call(vm: Vm, this: Value, args: Args) -> Ruby {
    let m = rebound(vm, this_method(vm, this)?, args.or_nil(0))?;
    invoke(vm, &m, args, 1)
}

// ---- description

fn arity(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(Value::fixnum(proc_params::method_arity(&this_method(vm, this)?.me)))
}
fn parameters(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(proc_params::of_method(vm, &this_method(vm, this)?.me))
}
fn name(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(this_method(vm, this)?.name.into())
}
fn original_name(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(this_method(vm, this)?.me.original_name.into())
}
fn owner(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(this_method(vm, this)?.me.owner.value())
}
fn source_location(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(match this_method(vm, this)?.me.body {
        // SAFETY: a code object the entry keeps alive.
        MethodBody::Code { iseq, .. } => {
            proc_params::location(vm, unsafe { &*(iseq as *const crate::bytecode::iseq::Iseq) })
        }
        MethodBody::Proc(p) => p.as_proc().and_then(code_of).map_or(NIL, |c| proc_params::location(vm, c)),
        _ => NIL,
    })
}
/// The method that `super` would call, nil if there is none.
fn super_method(vm: Vm, this: Value, _args: Args) -> Ruby {
    let m = this_method(vm, this)?;
    let above = vm.find_super(m.class, m.me.defined_class, m.me.original_name);
    Ok(match above {
        Some(me) => {
            let c = Callable { me, missing: false, ..*m };
            if m.recv.is_undef() { unbound(vm, c) } else { bound(vm, c) }
        }
        None => NIL,
    })
}

fn same_body(a: &MethodBody, b: &MethodBody) -> bool {
    match (a, b) {
        (MethodBody::Native { f: x, .. }, MethodBody::Native { f: y, .. }) => x == y,
        (MethodBody::Code { iseq: x, .. }, MethodBody::Code { iseq: y, .. }) => x == y,
        (MethodBody::AttrReader(x), MethodBody::AttrReader(y)) => x == y,
        (MethodBody::AttrWriter(x), MethodBody::AttrWriter(y)) => x == y,
        (MethodBody::Proc(x), MethodBody::Proc(y)) => x == y,
        (MethodBody::Undef, MethodBody::Undef) => true,
        _ => false,
    }
}
fn eq(vm: Vm, this: Value, args: Args) -> Ruby {
    let other = args.or_nil(0);
    let a = this_method(vm, this)?;
    let same = vm.class_of(this) == vm.class_of(other)
        && callable(other).is_some_and(|b| {
            a.recv == b.recv
                && a.me.defined_class == b.me.defined_class
                && a.missing == b.missing
                && (!a.missing || a.name == b.name)
                && same_body(&a.me.body, &b.me.body)
        });
    Ok(Value::bool(same))
}
fn hash(vm: Vm, this: Value, _args: Args) -> Ruby {
    let m = this_method(vm, this)?;
    let body = match m.me.body {
        MethodBody::Native { f, .. } => f as u64,
        MethodBody::Code { iseq, .. } => iseq as u64,
        MethodBody::Proc(p) => p.bits(),
        MethodBody::AttrReader(s) | MethodBody::AttrWriter(s) => s.0 as u64,
        _ => 0,
    };
    let h = mix(mix(body) ^ m.recv.bits());
    Ok(Value::fixnum((h >> 3) as i64))
}
fn copy(vm: Vm, this: Value) -> Ruby {
    let m = this_method(vm, this)?;
    let c = RData::alloc(&vm, vm.real_class_of(this), *m);
    vm.ivar_copy(this, c);
    Ok(c)
}
fn dup(vm: Vm, this: Value, _args: Args) -> Ruby {
    let c = copy(vm, this)?;
    vm.send(c, sym::INITIALIZE_DUP, &[this])?;
    Ok(c)
}
fn clone(vm: Vm, this: Value, _args: Args) -> Ruby {
    let c = copy(vm, this)?;
    super::object::copy_singleton(vm, this, c)?;
    super::object::finish_clone(vm, this, c, NIL)
}

/// `#<Method: Foo#bar(a, b=..., *c) file:1>`.
fn inspect(vm: Vm, this: Value, _args: Args) -> Ruby {
    let m = this_method(vm, this)?;
    let mut out = format!("#<{}: ", vm.class_name(vm.real_class_of(this)));
    let owner = m.me.owner;
    let defined = m.me.defined_class;
    if m.recv.is_undef() {
        let text = vm.inspect(defined.value())?;
        out.push_str(&format!("{}#", text.text()));
    } else if owner.is_singleton() {
        let inner = owner.attached.get();
        let text = vm.inspect(inner)?;
        if m.recv == inner {
            out.push_str(&text.text());
        } else {
            let recv = vm.inspect(m.recv)?;
            out.push_str(&format!("{}({})", recv.text(), text.text()));
        }
        out.push('.');
    } else {
        let mut class = m.class;
        while class.is_singleton() && class.attached.get().as_class().is_none() {
            match class.superclass() {
                Some(s) => class = s,
                None => break,
            }
        }
        let text = vm.inspect(class.value())?;
        out.push_str(&text.text());
        if class != defined {
            let text = vm.inspect(defined.value())?;
            out.push_str(&format!("({})", text.text()));
        }
        out.push('#');
    }
    out.push_str(&vm.name_of(m.name));
    if m.name != m.me.original_name {
        out.push_str(&format!("({})", vm.name_of(m.me.original_name)));
    }
    let params = proc_params::of_method(vm, &m.me);
    out.push_str(&format!("({})", parameter_text(vm, params)));
    let place = source_location(vm, this, _args)?;
    if let Some(p) = place.as_array()
        && let (Some(file), Some(line)) = (p.get(0).as_str(), p.get(1).as_fixnum())
    {
        out.push_str(&format!(" {}:{line}", file.text()));
    }
    out.push('>');
    Ok(vm.str(&out))
}

fn parameter_text(vm: Vm, params: Value) -> String {
    let Some(list) = params.as_array() else { return String::new() };
    let mut parts: Vec<String> = Vec::new();
    for &p in list.slice() {
        let Some(pair) = p.as_array() else { continue };
        let kind = pair.get(0).as_symbol().map(|s| vm.name_of(s)).unwrap_or_default();
        let name = pair.get(1).as_symbol().map(|s| vm.name_of(s));
        let bare = |sigil: &str| match &name {
            Some(n) if n != sigil => format!("{sigil}{n}"),
            _ => sigil.to_string(),
        };
        parts.push(match kind.as_str() {
            "req" => name.unwrap_or_else(|| "_".into()),
            "opt" => format!("{}=...", name.unwrap_or_else(|| "_".into())),
            "keyreq" => format!("{}:", name.unwrap_or_default()),
            "key" => format!("{}: ...", name.unwrap_or_default()),
            "rest" => bare("*"),
            "keyrest" => bare("**"),
            "block" => bare("&"),
            "nokey" => "**nil".into(),
            _ => String::new(),
        });
    }
    if parts.ends_with(&["*".into(), "**".into(), "&".into()]) {
        parts.truncate(parts.len() - 3);
        parts.push("...".into());
    }
    parts.join(", ")
}
