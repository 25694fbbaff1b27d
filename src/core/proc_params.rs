//! Arity and parameter lists, of code objects and of native functions.

use super::name_check::is_local;
use crate::bytecode::iseq::Iseq;
use crate::bytecode::proto::Implicit;
use crate::object::{MethodBody, MethodEntry, Proc, RArray};
use crate::value::{Sym, Value};
use crate::vm::Vm;

/// Code object behind a Proc, if it is not native.
pub fn code_of(p: Proc) -> Option<&'static Iseq> {
    // SAFETY: null or a code object that the Proc keeps alive; callers use it while they hold the Proc.
    unsafe { (p.iseq as *const Iseq).as_ref() }
}

/// Fewest and most arguments; `None`: no limit. Required keywords count as one argument.
fn limits(code: &Iseq) -> (i64, Option<i64>) {
    let p = &code.rest.params;
    let required = (p.required + p.post) as i64;
    let keyword_needed = p.keywords.iter().any(|k| k.required);
    let min = required + keyword_needed as i64;
    let max = if p.rest { None } else { Some(required + p.optional as i64 + p.takes_keywords() as i64) };
    (min, max)
}
/// Arity of a code object as a method or lambda.
pub fn strict_arity(code: &Iseq) -> i64 {
    let (min, max) = limits(code);
    if max == Some(min) { min } else { -min - 1 }
}
/// `Proc#arity`.
pub fn proc_arity(p: Proc) -> i64 {
    match code_of(p) {
        None => p.native_arity.get() as i64,
        Some(code) if p.lambda.get() => strict_arity(code),
        Some(code) => match limits(code) {
            (min, Some(_)) => min,
            (min, None) => -min - 1,
        },
    }
}
/// Arity of a method.
pub fn method_arity(me: &MethodEntry) -> i64 {
    match me.body {
        // SAFETY: a code object the entry keeps alive.
        MethodBody::Code { iseq, .. } => strict_arity(unsafe { &*(iseq as *const Iseq) }),
        MethodBody::Native { min, max, kw, .. } if min == max && !kw => min as i64,
        MethodBody::AttrReader(_) => 0,
        MethodBody::AttrWriter(_) => 1,
        MethodBody::Proc(p) => p.as_proc().map_or(-1, |p| code_of(p).map_or(p.native_arity.get() as i64, strict_arity)),
        _ => -1,
    }
}

fn pair(vm: Vm, kind: &str, name: Option<Sym>) -> Value {
    match name {
        Some(n) => vm.array(&[vm.sym(kind), n.into()]),
        None => vm.array(&[vm.sym(kind)]),
    }
}

/// `parameters` of a code object; `strict`: as a method or lambda.
pub fn of_code(vm: Vm, code: &Iseq, strict: bool) -> Value {
    let out = RArray::new(&vm, 4);
    let (p, proto) = (&code.rest.params, &code.rest.params.proto);
    let positional = if strict { "req" } else { "opt" };
    if proto.implicit != Implicit::No {
        for i in 0..p.required {
            let name = match proto.implicit {
                Implicit::Numbered => Some(vm.intern(&format!("_{}", i + 1))),
                _ => None,
            };
            out.push(&vm, pair(vm, positional, name));
        }
        return out.value();
    }
    if proto.forward_all {
        let own = p.required as usize;
        for i in 0..own {
            let n = proto.names.get(i).and_then(|n| n.as_ref()).map(|n| vm.intern(n));
            out.push(&vm, pair(vm, positional, n));
        }
        for (kind, name) in [("rest", "*"), ("keyrest", "**"), ("block", "&")] {
            out.push(&vm, pair(vm, kind, Some(vm.intern(name))));
        }
        return out.value();
    }
    let mut names = proto.names.iter().map(|n| {
        let n = n.as_ref()?;
        let s = vm.intern(n);
        // Names the compiler made up are not the program's.
        is_local(vm.symbols.bytes(s)).then_some(s)
    });
    let mut next = || names.next().flatten();
    for _ in 0..p.required {
        let n = next();
        out.push(&vm, pair(vm, positional, n));
    }
    for _ in 0..p.optional {
        let n = next();
        out.push(&vm, pair(vm, "opt", n));
    }
    if p.rest {
        let n = next().unwrap_or_else(|| vm.intern("*"));
        out.push(&vm, pair(vm, "rest", Some(n)));
    }
    for _ in 0..p.post {
        let n = next();
        out.push(&vm, pair(vm, positional, n));
    }
    for required in [true, false] {
        for k in p.keywords.iter().filter(|k| k.required == required) {
            out.push(&vm, pair(vm, if required { "keyreq" } else { "key" }, Some(k.name)));
        }
    }
    for _ in 0..p.keywords.len() {
        next();
    }
    if p.kwrest {
        let n = next().unwrap_or_else(|| vm.intern("**"));
        out.push(&vm, pair(vm, "keyrest", Some(n)));
    } else if p.no_keywords {
        out.push(&vm, pair(vm, "nokey", None));
    }
    if p.block {
        let n = next().unwrap_or_else(|| vm.intern("&"));
        out.push(&vm, pair(vm, "block", Some(n)));
    }
    out.value()
}

/// `parameters` of something that only has an arity.
pub fn of_arity(vm: Vm, arity: i64, strict: bool) -> Value {
    let out = RArray::new(&vm, 2);
    let n = if arity < 0 { -arity - 1 } else { arity };
    for _ in 0..n {
        out.push(&vm, pair(vm, if strict { "req" } else { "opt" }, None));
    }
    if arity < 0 {
        out.push(&vm, pair(vm, "rest", None));
    }
    out.value()
}

/// `Method#parameters`.
pub fn of_method(vm: Vm, me: &MethodEntry) -> Value {
    match me.body {
        // SAFETY: a code object the entry keeps alive.
        MethodBody::Code { iseq, .. } => of_code(vm, unsafe { &*(iseq as *const Iseq) }, true),
        MethodBody::Proc(p) => match p.as_proc() {
            Some(p) => of_proc(vm, p, true),
            None => of_arity(vm, -1, true),
        },
        _ => of_arity(vm, method_arity(me), true),
    }
}
/// `Proc#parameters`.
pub fn of_proc(vm: Vm, p: Proc, strict: bool) -> Value {
    if p.from_method.get()
        && let Some(m) = super::method::callable(p.data.get())
    {
        return of_method(vm, &m.me);
    }
    match code_of(p) {
        Some(code) => of_code(vm, code, strict),
        None => of_arity(vm, p.native_arity.get() as i64, strict),
    }
}

/// `[file, line]` of a code object, nil for prelude code.
pub fn location(vm: Vm, code: &Iseq) -> Value {
    if code.rest.prelude {
        return crate::value::NIL;
    }
    vm.array(&[vm.str(&code.rest.file), Value::fixnum(code.rest.line as i64)])
}
