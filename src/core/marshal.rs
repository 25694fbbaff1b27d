//! `Marshal`: objects as bytes, format 4.8. Writing is in `marshal_dump`, reading in `marshal_load`.

use super::marshal_load::Source;
use super::{marshal_dump, marshal_load};
use crate::class;
use crate::object::{Enc, RString};
use crate::value::{NIL, Ruby, Value};
use crate::vm::{Args, Vm};

class! { module "Marshal";
    module_fn ["dump"] opt(1, 3) => dump;
    module_fn ["load", "restore"] kw(1, 2) => load;
}

/// Bytes that begin every dump.
pub const VERSION: [u8; 2] = [4, 8];

pub fn boot(vm: Vm) {
    let m = vm.define_table(&CLASS);
    vm.set_const(m, vm.intern("MAJOR_VERSION"), Value::fixnum(VERSION[0] as i64));
    vm.set_const(m, vm.intern("MINOR_VERSION"), Value::fixnum(VERSION[1] as i64));
}

/// `Marshal.dump(object, io = nil, limit = -1)`.
fn dump(vm: Vm, _this: Value, args: Args) -> Ruby {
    let mut io = NIL;
    let mut limit = -1;
    let not_io = || vm.type_error("instance of IO needed");
    match (args.get(1), args.get(2)) {
        (Some(a), Some(b)) => {
            io = a;
            if !b.is_nil() {
                limit = vm.to_i64(b)?;
            }
            if io.is_nil() {
                return Err(not_io());
            }
        }
        (Some(a), None) if a.is_integer() => limit = vm.to_i64(a)?,
        (Some(a), None) => {
            if a.is_nil() {
                return Err(not_io());
            }
            io = a
        }
        _ => {}
    }
    let write = crate::object::sym::WRITE;
    if !io.is_nil() && !vm.responds_to(io, write, true)? {
        return Err(not_io());
    }
    let bytes = marshal_dump::to_bytes(vm, args.or_nil(0), limit)?;
    let s = RString::from_vec(&vm, bytes, Enc::Binary).value();
    if io.is_nil() {
        return Ok(s);
    }
    let binmode = vm.intern("binmode");
    if vm.responds_to(io, binmode, true)? {
        vm.send(io, binmode, &[])?;
    }
    vm.send(io, write, &[s])?;
    Ok(io)
}

/// `Marshal.load(source, proc = nil, freeze: false)`.
fn load(vm: Vm, _this: Value, args: Args) -> Ruby {
    args.only_keywords(vm, &["freeze"])?;
    let freeze = args.keyword(vm, "freeze")?.is_some_and(Value::truthy);
    let from = args.or_nil(0);
    let source = match vm.check_str(from)? {
        Some(s) => Source::Bytes(s.bytes().to_vec(), 0),
        None => {
            let (getbyte, read) = (vm.intern("getbyte"), vm.intern("read"));
            if !vm.responds_to(from, getbyte, true)? || !vm.responds_to(from, read, true)? {
                return Err(vm.type_error("instance of IO needed"));
            }
            let binmode = vm.intern("binmode");
            if vm.responds_to(from, binmode, true)? {
                vm.send(from, binmode, &[])?;
            }
            Source::Io(from)
        }
    };
    marshal_load::from_source(vm, source, args.or_nil(1), freeze)
}
