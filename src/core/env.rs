//! `ENV`, and the constants that name this Ruby.

use crate::class;
use crate::object::{Enc, RArray, RHash, RObject, RString, sym};
use crate::value::{NIL, Ruby, Value};
use crate::vm::native::ClassDef;
use crate::vm::{Args, Vm};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

class! { "Object" < "BasicObject";
    ["[]"] req(1) => get;
    ["fetch"] opt(1, 2) => fetch;
    ["[]=", "store"] req(2) => set;
    ["delete"] req(1) => delete;
    ["key?", "include?", "has_key?", "member?"] req(1) => has_key;
    ["to_h", "to_hash"] req(0) => to_h;
    ["each", "each_pair"] req(0) => each;
    ["keys"] req(0) => keys;
    ["values"] req(0) => values;
    ["size", "length"] req(0) => size;
    ["empty?"] req(0) => is_empty;
    ["clear"] req(0) => clear;
    ["update", "merge!"] req(1) => update;
    ["replace"] req(1) => replace;
    ["inspect"] req(0) => inspect;
    ["to_s"] req(0) => to_s;
}

/// The Ruby whose language and core library this is.
pub const RUBY_VERSION: &str = "4.0.0";

pub fn boot(vm: Vm) {
    let object = vm.classes.object.get();
    let env = RObject::alloc(&vm, object, 2).value();
    vm.set_const(object, vm.intern("ENV"), env);
    if let Ok(single) = vm.singleton_class(env) {
        let def = ClassDef { name: "Object", superclass: Some("BasicObject"), methods: CLASS.methods };
        vm.define_methods(single, &def);
        if vm.classes.enumerable.is_set() {
            single.include(vm.classes.enumerable.get());
        }
    }
    let engine = env!("CARGO_PKG_VERSION");
    for (name, text) in [
        ("RUBY_VERSION", RUBY_VERSION),
        ("RUBY_ENGINE", "minirb"),
        ("RUBY_ENGINE_VERSION", engine),
        ("RUBY_PLATFORM", "x86_64-linux"),
        ("RUBY_RELEASE_DATE", "2025-12-25"),
        ("RUBY_COPYRIGHT", "minirb - MIT License"),
        ("RUBY_DESCRIPTION", crate::cli::VERSION),
        ("RUBY_REVISION", ""),
    ] {
        let s = RString::ascii(&vm, text);
        s.freeze();
        vm.set_const(object, vm.intern(name), s.value());
    }
    vm.set_const(object, vm.intern("RUBY_PATCHLEVEL"), Value::fixnum(0));
}

fn text(vm: Vm, bytes: OsString) -> Value {
    let s = RString::from_vec(&vm, bytes.into_vec(), Enc::Utf8);
    s.freeze();
    s.value()
}

/// A name or value as the system wants it: no NUL bytes.
fn os(vm: Vm, v: Value, what: &str) -> Ruby<OsString> {
    let s = vm.to_str(v)?;
    if s.bytes().contains(&0) {
        return Err(vm.arg_error(&format!("bad environment variable {what}: contains null byte")));
    }
    Ok(OsStr::from_bytes(s.bytes()).to_os_string())
}

fn lookup(vm: Vm, v: Value) -> Ruby<Option<Value>> {
    let name = os(vm, v, "name")?;
    Ok(std::env::var_os(name).map(|t| text(vm, t)))
}
fn get(vm: Vm, _this: Value, args: Args) -> Ruby {
    Ok(lookup(vm, args.or_nil(0))?.unwrap_or(NIL))
}
fn fetch(vm: Vm, this: Value, args: Args) -> Ruby {
    let key = args.or_nil(0);
    if let Some(v) = lookup(vm, key)? {
        return Ok(v);
    }
    if let Some(b) = args.block() {
        return vm.yield1(b, key);
    }
    match args.get(1) {
        Some(d) => Ok(d),
        None => {
            let k = vm.inspect(key)?;
            Err(vm.key_error(&format!("key not found: {}", k.text()), this, key))
        }
    }
}
fn put(vm: Vm, key: Value, v: Value) -> Ruby<()> {
    let name = os(vm, key, "name")?;
    if name.is_empty() || name.as_bytes().contains(&b'=') {
        let shown = RString::from_bytes(&vm, name.as_bytes(), Enc::Utf8).value();
        return Err(vm.errno_error(libc::EINVAL, Some(&format!("setenv({})", vm.to_s(shown)?.text()))));
    }
    if v.is_nil() {
        // SAFETY: the GVL is held; native code of ours that reads the environment runs under it too.
        unsafe { std::env::remove_var(name) };
    } else {
        let value = os(vm, v, "value")?;
        // SAFETY: as above.
        unsafe { std::env::set_var(name, value) };
    }
    Ok(())
}
fn set(vm: Vm, _this: Value, args: Args) -> Ruby {
    put(vm, args.or_nil(0), args.or_nil(1))?;
    Ok(args.or_nil(1))
}
fn delete(vm: Vm, _this: Value, args: Args) -> Ruby {
    let old = lookup(vm, args.or_nil(0))?;
    match old {
        Some(v) => {
            put(vm, args.or_nil(0), NIL)?;
            Ok(v)
        }
        None => match args.block() {
            Some(b) => vm.yield1(b, args.or_nil(0)),
            None => Ok(NIL),
        },
    }
}
fn has_key(vm: Vm, _this: Value, args: Args) -> Ruby {
    Ok(lookup(vm, args.or_nil(0))?.is_some().into())
}
fn hash(vm: Vm) -> Ruby<crate::object::Hsh> {
    let h = RHash::new(&vm);
    for (k, v) in std::env::vars_os() {
        let (k, v) = (text(vm, k), text(vm, v));
        h.set(&vm, &vm, k, v)?;
    }
    Ok(h)
}
fn to_h(vm: Vm, _this: Value, args: Args) -> Ruby {
    let h = hash(vm)?.value();
    match args.block() {
        Some(b) => vm.send_block(h, sym::TO_H, &[], Some(b)),
        None => Ok(h),
    }
}
fn each(vm: Vm, this: Value, args: Args) -> Ruby {
    let Some(b) = args.block() else { return vm.send(this, sym::TO_ENUM, &[sym::EACH.into()]) };
    let h = hash(vm)?;
    for i in 0..h.slots() {
        if let Some((k, v)) = h.entry(i) {
            let pair = RArray::from_slice(&vm, &[k, v]).value();
            vm.yield1(b, pair)?;
        }
    }
    crate::heap::root::keep(h.value());
    Ok(this)
}
fn keys(vm: Vm, _this: Value, _args: Args) -> Ruby {
    let h = hash(vm)?.value();
    vm.send(h, vm.intern("keys"), &[])
}
fn values(vm: Vm, _this: Value, _args: Args) -> Ruby {
    let h = hash(vm)?.value();
    vm.send(h, vm.intern("values"), &[])
}
fn size(_vm: Vm, _this: Value, _args: Args) -> Ruby {
    Ok(Value::fixnum(std::env::vars_os().count() as i64))
}
fn is_empty(_vm: Vm, _this: Value, _args: Args) -> Ruby {
    Ok(Value::bool(std::env::vars_os().next().is_none()))
}
fn clear(_vm: Vm, this: Value, _args: Args) -> Ruby {
    for (k, _) in std::env::vars_os() {
        // SAFETY: as in `put`.
        unsafe { std::env::remove_var(k) };
    }
    Ok(this)
}
fn update(vm: Vm, this: Value, args: Args) -> Ruby {
    let h = vm.to_hash(args.or_nil(0))?;
    for i in 0..h.slots() {
        if let Some((k, v)) = h.entry(i) {
            put(vm, k, v)?;
        }
    }
    Ok(this)
}
fn replace(vm: Vm, this: Value, args: Args) -> Ruby {
    let h = vm.to_hash(args.or_nil(0))?;
    clear(vm, this, args)?;
    crate::heap::root::keep(h.value());
    update(vm, this, args)
}
fn inspect(vm: Vm, _this: Value, _args: Args) -> Ruby {
    let h = hash(vm)?.value();
    Ok(vm.inspect(h)?.value())
}
fn to_s(vm: Vm, _this: Value, _args: Args) -> Ruby {
    Ok(vm.str("ENV"))
}
