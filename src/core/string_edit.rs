//! `String`: replacing bytes in place and padding.

use super::string::{check_compatible, me};
use crate::class;
use crate::object::{RString, Str};
use crate::value::{Ruby, Value};
use crate::vm::{Args, Vm};

class! { "String" < "Object";
    ["ljust"]   opt(1, 2) => ljust;
    ["rjust"]   opt(1, 2) => rjust;
    ["center"]  opt(1, 2) => center;
}

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}

/// Replaces the bytes `at..at+len` (within `s`, which may be changed) by `new`.
pub fn splice(vm: Vm, s: Str, at: usize, len: usize, new: Str) -> Ruby<()> {
    let enc = check_compatible(vm, s, new)?;
    if at + len > s.len() {
        return Err(vm.runtime_error("string modified"));
    }
    let bytes = new.bytes().to_vec();
    s.modify(&vm, |v| {
        v.splice(at..at + len, bytes);
    });
    if enc != s.enc() {
        s.set_enc(enc);
    }
    Ok(())
}

/// The bang form of a method that computes new bytes: `None` means that nothing changes.
pub fn replace_or_nil(vm: Vm, this: Value, s: Str, new: Option<Vec<u8>>) -> Ruby {
    match new {
        Some(v) => {
            s.modify(&vm, |b| *b = v);
            Ok(this)
        }
        None => Ok(crate::value::NIL),
    }
}
/// The copying form of the same.
pub fn copy_or_new(vm: Vm, s: Str, new: Option<Vec<u8>>) -> Ruby {
    match new {
        Some(v) => Ok(super::string::new_str(vm, v, s.enc())),
        None => Ok(RString::substring(&vm, s, 0, s.len()).value()),
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Side {
    Left,
    Right,
    Both,
}

fn justify(vm: Vm, this: Value, args: Args, side: Side) -> Ruby {
    let s = me(vm, this)?;
    let width = vm.to_i64(args.or_nil(0))?;
    let (pad, mut enc) = match args.get(1) {
        Some(p) => {
            let p = vm.to_str(p)?;
            let enc = check_compatible(vm, s, p)?;
            (p, enc)
        }
        None => (RString::from_static(&vm, b" ", s.enc()), s.enc()),
    };
    let fill = pad.char_len();
    if fill == 0 {
        return Err(vm.arg_error("zero width padding"));
    }
    let n = s.char_len() as i64;
    if width <= n {
        return Ok(RString::substring(&vm, s, 0, s.len()).value());
    }
    if args.get(1).is_none() {
        enc = s.enc();
    }
    let missing = (width - n) as usize;
    let (left, right) = match side {
        Side::Left => (0, missing),
        Side::Right => (missing, 0),
        Side::Both => (missing / 2, missing - missing / 2),
    };
    let mut space = Vec::new();
    if args.get(1).is_none() && enc.min_len() > 1 {
        enc.put(0x20, &mut space);
    } else {
        space.extend_from_slice(pad.bytes());
    }
    let Some(extra) = (missing / fill + 2).checked_mul(space.len()).and_then(|x| x.checked_add(s.len())) else {
        return Err(vm.arg_error("argument too big"));
    };
    let mut out = super::string::buffer(vm, extra)?;
    let put = |out: &mut Vec<u8>, count: usize| {
        for _ in 0..count / fill {
            out.extend_from_slice(&space);
        }
        if !count.is_multiple_of(fill) {
            let end = pad.offset_from(0, count % fill).unwrap_or(pad.len());
            out.extend_from_slice(&space[..end.min(space.len())]);
        }
    };
    put(&mut out, left);
    out.extend_from_slice(s.bytes());
    put(&mut out, right);
    Ok(super::string::new_str(vm, out, enc))
}
fn ljust(vm: Vm, this: Value, args: Args) -> Ruby {
    justify(vm, this, args, Side::Left)
}
fn rjust(vm: Vm, this: Value, args: Args) -> Ruby {
    justify(vm, this, args, Side::Right)
}
fn center(vm: Vm, this: Value, args: Args) -> Ruby {
    justify(vm, this, args, Side::Both)
}
