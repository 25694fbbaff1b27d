//! `SystemCallError` and the `Errno` classes.

use crate::class;
use crate::object::{Class, sym};
use crate::value::{NIL, Raised, Ruby, Value};
use crate::vm::{Args, Vm};

class! { "SystemCallError" < "StandardError";
    private ["initialize"] opt(0, 3) => initialize;
    ["errno"] req(0) => errno;
    self ["==="] req(1) => case_eq;
}

/// Errors this platform has; a later name of a number is an alias.
#[rustfmt::skip]
const KNOWN: &[(&str, i32)] = &[
    ("E2BIG", libc::E2BIG), ("EACCES", libc::EACCES), ("EADDRINUSE", libc::EADDRINUSE),
    ("EADDRNOTAVAIL", libc::EADDRNOTAVAIL), ("EADV", libc::EADV), ("EAFNOSUPPORT", libc::EAFNOSUPPORT),
    ("EAGAIN", libc::EAGAIN), ("EALREADY", libc::EALREADY), ("EBADE", libc::EBADE), ("EBADF", libc::EBADF),
    ("EBADFD", libc::EBADFD), ("EBADMSG", libc::EBADMSG), ("EBADR", libc::EBADR), ("EBADRQC", libc::EBADRQC),
    ("EBADSLT", libc::EBADSLT), ("EBFONT", libc::EBFONT), ("EBUSY", libc::EBUSY), ("ECANCELED", libc::ECANCELED),
    ("ECHILD", libc::ECHILD), ("ECHRNG", libc::ECHRNG), ("ECOMM", libc::ECOMM),
    ("ECONNABORTED", libc::ECONNABORTED), ("ECONNREFUSED", libc::ECONNREFUSED), ("ECONNRESET", libc::ECONNRESET),
    ("EDEADLK", libc::EDEADLK), ("EDESTADDRREQ", libc::EDESTADDRREQ), ("EDOM", libc::EDOM),
    ("EDOTDOT", libc::EDOTDOT), ("EDQUOT", libc::EDQUOT), ("EEXIST", libc::EEXIST), ("EFAULT", libc::EFAULT),
    ("EFBIG", libc::EFBIG), ("EHOSTDOWN", libc::EHOSTDOWN), ("EHOSTUNREACH", libc::EHOSTUNREACH),
    ("EIDRM", libc::EIDRM), ("EILSEQ", libc::EILSEQ), ("EINPROGRESS", libc::EINPROGRESS), ("EINTR", libc::EINTR),
    ("EINVAL", libc::EINVAL), ("EIO", libc::EIO), ("EISCONN", libc::EISCONN), ("EISDIR", libc::EISDIR),
    ("EISNAM", libc::EISNAM), ("EKEYEXPIRED", libc::EKEYEXPIRED), ("EKEYREJECTED", libc::EKEYREJECTED),
    ("EKEYREVOKED", libc::EKEYREVOKED), ("EL2HLT", libc::EL2HLT), ("EL2NSYNC", libc::EL2NSYNC),
    ("EL3HLT", libc::EL3HLT), ("EL3RST", libc::EL3RST), ("ELIBACC", libc::ELIBACC), ("ELIBBAD", libc::ELIBBAD),
    ("ELIBEXEC", libc::ELIBEXEC), ("ELIBMAX", libc::ELIBMAX), ("ELIBSCN", libc::ELIBSCN), ("ELNRNG", libc::ELNRNG),
    ("ELOOP", libc::ELOOP), ("EMEDIUMTYPE", libc::EMEDIUMTYPE), ("EMFILE", libc::EMFILE), ("EMLINK", libc::EMLINK),
    ("EMSGSIZE", libc::EMSGSIZE), ("EMULTIHOP", libc::EMULTIHOP), ("ENAMETOOLONG", libc::ENAMETOOLONG),
    ("ENAVAIL", libc::ENAVAIL), ("ENETDOWN", libc::ENETDOWN), ("ENETRESET", libc::ENETRESET),
    ("ENETUNREACH", libc::ENETUNREACH), ("ENFILE", libc::ENFILE), ("ENOANO", libc::ENOANO),
    ("ENOBUFS", libc::ENOBUFS), ("ENOCSI", libc::ENOCSI), ("ENODATA", libc::ENODATA), ("ENODEV", libc::ENODEV),
    ("ENOENT", libc::ENOENT), ("ENOEXEC", libc::ENOEXEC), ("ENOKEY", libc::ENOKEY), ("ENOLCK", libc::ENOLCK),
    ("ENOLINK", libc::ENOLINK), ("ENOMEDIUM", libc::ENOMEDIUM), ("ENOMEM", libc::ENOMEM), ("ENOMSG", libc::ENOMSG),
    ("ENONET", libc::ENONET), ("ENOPKG", libc::ENOPKG), ("ENOPROTOOPT", libc::ENOPROTOOPT),
    ("ENOSPC", libc::ENOSPC), ("ENOSR", libc::ENOSR), ("ENOSTR", libc::ENOSTR), ("ENOSYS", libc::ENOSYS),
    ("ENOTBLK", libc::ENOTBLK), ("ENOTCONN", libc::ENOTCONN), ("ENOTDIR", libc::ENOTDIR),
    ("ENOTEMPTY", libc::ENOTEMPTY), ("ENOTNAM", libc::ENOTNAM), ("ENOTRECOVERABLE", libc::ENOTRECOVERABLE),
    ("ENOTSOCK", libc::ENOTSOCK), ("ENOTSUP", libc::ENOTSUP), ("ENOTTY", libc::ENOTTY),
    ("ENOTUNIQ", libc::ENOTUNIQ), ("ENXIO", libc::ENXIO), ("EOVERFLOW", libc::EOVERFLOW),
    ("EOWNERDEAD", libc::EOWNERDEAD), ("EPERM", libc::EPERM), ("EPFNOSUPPORT", libc::EPFNOSUPPORT),
    ("EPIPE", libc::EPIPE), ("EPROTO", libc::EPROTO), ("EPROTONOSUPPORT", libc::EPROTONOSUPPORT),
    ("EPROTOTYPE", libc::EPROTOTYPE), ("ERANGE", libc::ERANGE), ("EREMCHG", libc::EREMCHG),
    ("EREMOTE", libc::EREMOTE), ("EREMOTEIO", libc::EREMOTEIO), ("ERESTART", libc::ERESTART),
    ("ERFKILL", libc::ERFKILL), ("EROFS", libc::EROFS), ("ESHUTDOWN", libc::ESHUTDOWN),
    ("ESOCKTNOSUPPORT", libc::ESOCKTNOSUPPORT), ("ESPIPE", libc::ESPIPE), ("ESRCH", libc::ESRCH),
    ("ESRMNT", libc::ESRMNT), ("ESTALE", libc::ESTALE), ("ESTRPIPE", libc::ESTRPIPE), ("ETIME", libc::ETIME),
    ("ETIMEDOUT", libc::ETIMEDOUT), ("ETOOMANYREFS", libc::ETOOMANYREFS), ("ETXTBSY", libc::ETXTBSY),
    ("EUCLEAN", libc::EUCLEAN), ("EUNATCH", libc::EUNATCH), ("EUSERS", libc::EUSERS), ("EXDEV", libc::EXDEV),
    ("EXFULL", libc::EXFULL), ("EHWPOISON", libc::EHWPOISON), ("EDEADLOCK", libc::EDEADLOCK),
    ("EOPNOTSUPP", libc::EOPNOTSUPP), ("EWOULDBLOCK", libc::EWOULDBLOCK),
];
/// Names of other platforms' errors; here they are the same class as `NOERROR`.
#[rustfmt::skip]
const FOREIGN: &[&str] = &[
    "EAUTH", "EBADARCH", "EBADEXEC", "EBADMACHO", "EBADRPC", "ECAPMODE", "EDEVERR", "EDOOFUS", "EFTYPE", "EIPSEC",
    "ENEEDAUTH", "ENOATTR", "ENOPOLICY", "ENOTCAPABLE", "EPROCLIM", "EPROCUNAVAIL", "EPROGMISMATCH", "EPROGUNAVAIL",
    "EPWROFF", "EQFULL", "ERPCMISMATCH", "ESHLIBVERS",
];

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
    let module = vm.define_class("Errno", None);
    let above = vm.classes.system_call_error.get();
    let no_error = make(vm, above, "NOERROR", 0);
    for &(name, n) in KNOWN {
        match KNOWN.iter().find(|k| k.1 == n) {
            Some(&(first, _)) if first != name => {
                if let Some(v) = vm.const_value(module, first) {
                    vm.set_const(module, vm.intern(name), v);
                }
            }
            _ => {
                make(vm, above, name, n);
            }
        }
    }
    for name in FOREIGN {
        vm.set_const(module, vm.intern(name), no_error.value());
    }
}
fn make(vm: Vm, above: Class, name: &str, n: i32) -> Class {
    let c = vm.define_class(&format!("Errno::{name}"), Some(above));
    vm.set_const(c, vm.intern("Errno"), Value::fixnum(n as i64));
    c
}

/// The class of an error number, if it has one.
pub fn class_of_errno(vm: Vm, n: i64) -> Option<Class> {
    let name = if n == 0 { "NOERROR" } else { KNOWN.iter().find(|k| k.1 as i64 == n)?.0 };
    vm.const_value(vm.classes.errno.get(), name)?.as_class()
}
/// What the system calls an error number.
pub fn text_of(n: i64) -> String {
    let Ok(n) = i32::try_from(n) else { return format!("Unknown error {n}") };
    if n == 0 {
        return "Success".into();
    }
    let text = std::io::Error::from_raw_os_error(n).to_string();
    text.split(" (os error").next().unwrap_or_default().to_string()
}

/// An exception for a failed system call, e.g. "No such file or directory @ rb_sysopen - x".
pub fn exception(vm: Vm, n: i32, detail: &str) -> Value {
    let class = class_of_errno(vm, n as i64).unwrap_or(vm.classes.system_call_error.get());
    let text = if detail.is_empty() { text_of(n as i64) } else { format!("{} {detail}", text_of(n as i64)) };
    let e = vm.new_exception(class, &text);
    vm.ivar_set(e, sym::I_ERRNO, Value::fixnum(n as i64));
    e
}
/// Raises for a failed system call; `detail` such as "@ rb_sysopen - path" or "- path".
#[cold]
pub fn fail(vm: Vm, n: i32, detail: &str) -> Raised {
    let e = exception(vm, n, detail);
    vm.raise_exc(e)
}

/// `SystemCallError.new(message, errno, function)`; subclasses know their number.
fn initialize(vm: Vm, this: Value, args: Args) -> Ruby {
    let class = vm.real_class_of(this);
    let generic = class == vm.classes.system_call_error.get();
    let (message, number, function) = if generic {
        if args.is_empty() {
            return Err(vm.wrong_arguments(0, 1, 3));
        }
        match args.get(0) {
            Some(n) if args.len() == 1 && n.is_fixnum() => (NIL, n, NIL),
            _ => (args.or_nil(0), args.or_nil(1), args.or_nil(2)),
        }
    } else {
        if args.len() > 2 {
            return Err(vm.wrong_arguments(args.len(), 0, 2));
        }
        let name = vm.intern("Errno");
        let n = super::module_const::holder(vm, class, name, super::module_const::Reach::All);
        let n = match n {
            Some((_, crate::object::ConstEntry { state: crate::object::ConstState::Value(v), .. })) => v,
            _ => NIL,
        };
        (args.or_nil(0), n, args.or_nil(1))
    };
    let mut text = "unknown error".to_string();
    if !number.is_nil() {
        let n = vm.to_i64(number)?;
        text = text_of(n);
        if generic
            && let Some(c) = class_of_errno(vm, n)
            && let Some(h) = this.header()
        {
            h.class.set(c.as_ptr() as *mut crate::heap::Header);
        }
        vm.ivar_set(this, sym::I_ERRNO, Value::fixnum(n));
    }
    if !message.is_nil() {
        if !function.is_nil() {
            let f = vm.to_str(function)?;
            text.push_str(&format!(" @ {}", f.text()));
        }
        let m = vm.to_str(message)?;
        text.push_str(&format!(" - {}", m.text()));
    }
    vm.ivar_set(this, sym::I_MESSAGE, vm.str(&text));
    Ok(this)
}
fn errno(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(vm.ivar_get(this, sym::I_ERRNO).unwrap_or(NIL))
}
/// Errors are matched by number.
fn case_eq(vm: Vm, this: Value, args: Args) -> Ruby {
    let e = args.or_nil(0);
    let above = vm.classes.system_call_error.get();
    if !vm.class_of(e).is_a(above) {
        return Ok(Value::bool(false));
    }
    let Some(class) = this.as_class() else { return Ok(Value::bool(false)) };
    if class == above || vm.class_of(e).is_a(class) {
        return Ok(Value::bool(true));
    }
    let own = vm.const_value(class, "Errno");
    Ok(Value::bool(own.is_some() && own == vm.ivar_get(e, sym::I_ERRNO)))
}
