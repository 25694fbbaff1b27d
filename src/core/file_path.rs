//! Paths as text: `File.basename`, `join`, `expand_path` and their like. Only `realpath` asks the file system.

use super::io_open::{path_arg, path_error};
use crate::class;
use crate::object::{Enc, RArray, RString, Str};
use crate::sys::dir as sys;
use crate::value::{NIL, Ruby, Value};
use crate::vm::Vm;
use crate::vm::native::Args;

class! { "File" < "IO";
    self ["basename"] opt(1, 2) => basename;
    self ["dirname"] opt(1, 2) => dirname;
    self ["extname"] req(1) => extname;
    self ["split"] req(1) => split;
    self ["join"] rest(0) => join;
    self ["expand_path"] opt(1, 2) => expand_path;
    self ["absolute_path"] opt(1, 2) => absolute_path;
    self ["absolute_path?"] req(1) => is_absolute;
    self ["realpath"] opt(1, 2) => realpath;
    self ["realdirpath"] opt(1, 2) => realdirpath;
    self ["path"] req(1) => path;
    self ["fnmatch", "fnmatch?"] opt(2, 3) => fnmatch;
}

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}

fn text(vm: Vm, bytes: &[u8], like: Str) -> Value {
    RString::from_bytes(&vm, bytes, like.enc()).value()
}
/// Without slashes at the end; a path of slashes only is one.
fn trim(p: &[u8]) -> &[u8] {
    let n = p.len() - p.iter().rev().take_while(|&&b| b == b'/').count();
    if n == 0 && !p.is_empty() { &p[..1] } else { &p[..n] }
}
/// Last part of a path.
fn last_part(p: &[u8]) -> &[u8] {
    let p = trim(p);
    if p == b"/" {
        return p;
    }
    let at = p.iter().rposition(|&b| b == b'/').map_or(0, |i| i + 1);
    &p[at..]
}
/// Extension of a last part: from its last dot, leading dots not counted.
fn extension(name: &[u8]) -> &[u8] {
    let lead = name.iter().take_while(|&&b| b == b'.').count();
    match name[lead..].iter().rposition(|&b| b == b'.') {
        Some(i) if lead + i > 0 => &name[lead + i..],
        _ => b"",
    }
}

fn basename(vm: Vm, _this: Value, args: Args) -> Ruby {
    let p = path_arg(vm, args.or_nil(0))?;
    let suffix = match args.get(1) {
        Some(s) => Some(vm.to_str(s)?),
        None => None,
    };
    let mut name = last_part(p.bytes());
    if let Some(s) = suffix {
        let s = s.bytes();
        if s == b".*" {
            name = &name[..name.len() - extension(name).len()];
        } else if name.len() > s.len() && name.ends_with(s) && name != b"/" {
            name = &name[..name.len() - s.len()];
        }
    }
    Ok(text(vm, name, p))
}
/// The path without its last part.
pub fn parent(p: &[u8]) -> &[u8] {
    let t = trim(p);
    if t == b"/" {
        return t;
    }
    match t.iter().rposition(|&b| b == b'/') {
        None => b".",
        Some(i) => trim(&t[..i + 1]),
    }
}
fn dirname(vm: Vm, _this: Value, args: Args) -> Ruby {
    let p = path_arg(vm, args.or_nil(0))?;
    let level = match args.get(1) {
        Some(n) => vm.to_i64(n)?,
        None => 1,
    };
    if level < 0 {
        return Err(vm.arg_error(&format!("negative level: {level}")));
    }
    let mut at = p.bytes();
    for _ in 0..level {
        let up = parent(at);
        if up == at {
            break;
        }
        at = up;
    }
    // Only one slash at the front.
    let extra = at.iter().take_while(|&&b| b == b'/').count().saturating_sub(1);
    Ok(text(vm, &at[extra..], p))
}
fn extname(vm: Vm, _this: Value, args: Args) -> Ruby {
    let p = path_arg(vm, args.or_nil(0))?;
    Ok(text(vm, extension(last_part(p.bytes())), p))
}
fn split(vm: Vm, this: Value, args: Args) -> Ruby {
    let p = path_arg(vm, args.or_nil(0))?.value();
    let dir = vm.send(this, vm.intern("dirname"), &[p])?;
    let base = vm.send(this, vm.intern("basename"), &[p])?;
    Ok(vm.array(&[dir, base]))
}
fn path(vm: Vm, _this: Value, args: Args) -> Ruby {
    let p = path_arg(vm, args.or_nil(0))?;
    Ok(text(vm, p.bytes(), p))
}

// ---- join

fn join(vm: Vm, _this: Value, args: Args) -> Ruby {
    let mut out = Vec::new();
    let mut enc = Enc::Ascii;
    let list = RArray::from_slice(&vm, args.slice());
    let mut first = true;
    join_into(vm, list.value(), &mut out, &mut enc, &mut first)?;
    if first {
        return Ok(vm.str(""));
    }
    Ok(RString::from_vec(&vm, out, enc).value())
}
fn join_into(vm: Vm, list: Value, out: &mut Vec<u8>, enc: &mut Enc, first: &mut bool) -> Ruby<()> {
    let done = vm.guard_recursion(list, NIL, vm.intern("join"), || {
        let Some(a) = list.as_array() else { return Ok(()) };
        let mut i = 0;
        while i < a.len() {
            let v = a.get(i);
            i += 1;
            if v.as_array().is_some() {
                join_into(vm, v, out, enc, first)?;
                continue;
            }
            let s = path_arg(vm, v)?;
            if *first || !s.is_ascii_only() {
                *enc = s.enc();
            }
            let p = s.bytes();
            if !*first {
                if p.first() == Some(&b'/') {
                    while out.last() == Some(&b'/') {
                        out.pop();
                    }
                } else if out.last() != Some(&b'/') {
                    out.push(b'/');
                }
            }
            *first = false;
            out.extend_from_slice(p);
        }
        Ok(())
    })?;
    if done.is_none() {
        return Err(vm.arg_error("recursive array"));
    }
    Ok(())
}

// ---- absolute paths

fn home(vm: Vm, user: &[u8]) -> Ruby<Vec<u8>> {
    use std::os::unix::ffi::OsStringExt;
    if user.is_empty() {
        return match std::env::var_os("HOME") {
            Some(h) => {
                let h = h.into_vec();
                if h.first() == Some(&b'/') { Ok(h) } else { Err(vm.arg_error("non-absolute home")) }
            }
            None => {
                sys::own_home().ok_or(()).map_err(|_| vm.arg_error("couldn't find HOME environment -- expanding '~'"))
            }
        };
    }
    let name = String::from_utf8_lossy(user).into_owned();
    crate::sys::CPath::new(user)
        .and_then(|c| sys::home_of(&c))
        .ok_or(())
        .map_err(|_| vm.arg_error(&format!("user {name} doesn't exist")))
}
/// `Dir.home`.
pub fn home_of(vm: Vm, user: Value) -> Ruby {
    let h = if user.is_nil() { home(vm, b"")? } else { home(vm, vm.to_str(user)?.bytes())? };
    Ok(RString::from_vec(&vm, h, Enc::Utf8).value())
}
/// The current folder; the error is a system call's.
pub fn current(vm: Vm) -> Ruby<Vec<u8>> {
    sys::current().map_err(|e| super::errno::fail(vm, e, "@ rb_dir_getwd_ospath"))
}

/// Absolute and free of `.`, `..` and doubled slashes. `tilde`: a leading `~` is a home folder.
pub fn expand(vm: Vm, p: &[u8], base: Value, tilde: bool) -> Ruby<Vec<u8>> {
    let mut out: Vec<u8>;
    let mut rest = p;
    if tilde && p.first() == Some(&b'~') {
        let end = p.iter().position(|&b| b == b'/').unwrap_or(p.len());
        out = home(vm, &p[1..end])?;
        rest = &p[end..];
    } else if p.first() == Some(&b'/') {
        out = Vec::new();
    } else if base.is_nil() {
        out = current(vm)?;
    } else {
        let b = path_arg(vm, base)?;
        out = expand(vm, b.bytes(), NIL, tilde)?;
    }
    while out.last() == Some(&b'/') {
        out.pop();
    }
    for part in rest.split(|&b| b == b'/') {
        match part {
            b"" | b"." => {}
            b".." => {
                let at = out.iter().rposition(|&b| b == b'/').unwrap_or(0);
                out.truncate(at);
            }
            part => {
                out.push(b'/');
                out.extend_from_slice(part);
            }
        }
    }
    if out.is_empty() {
        out.push(b'/');
    }
    Ok(out)
}
fn expanded(vm: Vm, args: Args, tilde: bool) -> Ruby {
    let p = path_arg(vm, args.or_nil(0))?;
    let full = expand(vm, p.bytes(), args.or_nil(1), tilde)?;
    let enc = if p.enc() == Enc::Ascii { Enc::Utf8 } else { p.enc() };
    Ok(RString::from_vec(&vm, full, enc).value())
}
fn expand_path(vm: Vm, _this: Value, args: Args) -> Ruby {
    expanded(vm, args, true)
}
fn absolute_path(vm: Vm, _this: Value, args: Args) -> Ruby {
    expanded(vm, args, false)
}
fn is_absolute(vm: Vm, _this: Value, args: Args) -> Ruby {
    Ok(Value::bool(path_arg(vm, args.or_nil(0))?.bytes().first() == Some(&b'/')))
}

fn os_path(bytes: &[u8]) -> &std::path::Path {
    use std::os::unix::ffi::OsStrExt;
    std::path::Path::new(std::ffi::OsStr::from_bytes(bytes))
}
fn real(vm: Vm, args: Args, last_may_miss: bool) -> Ruby {
    use std::os::unix::ffi::OsStringExt;
    let p = path_arg(vm, args.or_nil(0))?;
    let base = args.or_nil(1);
    let mut full = Vec::new();
    if p.bytes().first() != Some(&b'/') {
        full = if base.is_nil() { current(vm)? } else { expand(vm, path_arg(vm, base)?.bytes(), NIL, false)? };
        full.push(b'/');
    }
    full.extend_from_slice(p.bytes());
    let e = match std::fs::canonicalize(os_path(&full)) {
        Ok(r) => return Ok(RString::from_vec(&vm, r.into_os_string().into_vec(), Enc::Utf8).value()),
        Err(e) => e.raw_os_error().unwrap_or(libc::ENOENT),
    };
    if last_may_miss && e == libc::ENOENT {
        let (dir, name) = (parent(&full), last_part(&full));
        if let Ok(r) = std::fs::canonicalize(os_path(dir)) {
            let mut r = r.into_os_string().into_vec();
            if r != b"/" {
                r.push(b'/');
            }
            r.extend_from_slice(name);
            return Ok(RString::from_vec(&vm, r, Enc::Utf8).value());
        }
    }
    Err(path_error(vm, e, "rb_check_realpath_internal", &full))
}
fn realpath(vm: Vm, _this: Value, args: Args) -> Ruby {
    real(vm, args, false)
}
fn realdirpath(vm: Vm, _this: Value, args: Args) -> Ruby {
    real(vm, args, true)
}

fn fnmatch(vm: Vm, _this: Value, args: Args) -> Ruby {
    let pattern = vm.to_str(args.or_nil(0))?;
    let p = path_arg(vm, args.or_nil(1))?;
    let flags = if args.or_nil(2).is_nil() { 0 } else { vm.to_i32(args.or_nil(2))? };
    let patterns = if flags & super::dir_glob::EXTGLOB != 0 {
        super::dir_glob::braces(pattern.bytes())
    } else {
        vec![pattern.bytes().to_vec()]
    };
    Ok(Value::bool(patterns.iter().any(|q| super::dir_glob::fnmatch(q, p.bytes(), flags))))
}
