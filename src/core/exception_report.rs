//! How an exception is shown: `detailed_message`, `full_message`, and the report of an uncaught one.

use crate::object::{Enc, RHash, RString, sym};
use crate::value::{FALSE, NIL, Ruby, TRUE, Value};
use crate::vm::{Args, Vm};

const BOLD: &str = "\x1b[1m";
const UNDERLINE: &str = "\x1b[1;4m";
const RESET: &str = "\x1b[m";

/// The `highlight:` keyword; nil means `automatic`.
fn highlight(vm: Vm, args: Args, automatic: bool) -> Ruby<bool> {
    match args.keyword(vm, "highlight")? {
        Some(TRUE) => Ok(true),
        Some(FALSE) => Ok(false),
        None | Some(NIL) => Ok(automatic && stderr_is_tty()),
        Some(v) => {
            let text = vm.inspect(v)?;
            Err(vm.arg_error(&format!("expected true or false as highlight: {}", text.text())))
        }
    }
}
fn stderr_is_tty() -> bool {
    // SAFETY: a plain query.
    unsafe { libc::isatty(2) == 1 }
}

/// "message (Class)", the class after the first line; only the class if there is no message.
fn decorate(class: &str, message: &[u8], bright: bool) -> Vec<u8> {
    let on = |s: &'static str| if bright { s } else { "" };
    let mut out: Vec<u8> = Vec::new();
    if message.is_empty() {
        let text = if class == "RuntimeError" { "unhandled exception" } else { class };
        out.extend_from_slice(format!("{}{text}{}", on(UNDERLINE), on(RESET)).as_bytes());
        return out;
    }
    let (first, rest) = match message.iter().position(|&b| b == b'\n') {
        Some(i) => (&message[..i], Some(&message[i + 1..])),
        None => (message, None),
    };
    out.extend_from_slice(on(BOLD).as_bytes());
    out.extend_from_slice(first);
    if class.starts_with('#') {
        out.extend_from_slice(on(RESET).as_bytes());
    } else {
        let tail = format!(" ({}{class}{}{}){}", on(UNDERLINE), on(RESET), on(BOLD), on(RESET));
        out.extend_from_slice(tail.as_bytes());
    }
    let Some(rest) = rest.filter(|r| !r.is_empty()) else { return out };
    out.push(b'\n');
    for (i, line) in rest.split(|&b| b == b'\n').enumerate() {
        if i > 0 {
            out.push(b'\n');
        }
        if !line.is_empty() {
            out.extend_from_slice(on(BOLD).as_bytes());
            out.extend_from_slice(line);
            out.extend_from_slice(on(RESET).as_bytes());
        }
    }
    out
}

/// `exc.detailed_message(highlight: false, **)`.
pub fn detailed_message(vm: Vm, this: Value, args: Args) -> Ruby {
    if !args.is_empty() {
        return Err(vm.wrong_arguments(args.len(), 0, 0));
    }
    let bright = highlight(vm, args, false)?;
    let message = vm.send(this, sym::MESSAGE, &[])?;
    let message = vm.to_s(message)?;
    let class = vm.class_name(vm.real_class_of(this));
    let text = decorate(&class, message.bytes(), bright);
    Ok(RString::from_vec(&vm, text, message.enc()).value())
}

/// What `detailed_message` of an exception says, errors inside it ignored.
fn detailed(vm: Vm, exc: Value, options: Option<Value>, bright: bool) -> Vec<u8> {
    let called = vm.rescue(vm.classes.exception.get(), || {
        let kw = RHash::new(&vm);
        if let Some(h) = options.and_then(Value::as_hash) {
            kw.copy_from(&vm, h);
        }
        kw.set(&vm, &vm, sym::HIGHLIGHT.into(), Value::bool(bright))?;
        vm.send_full(exc, sym::DETAILED_MESSAGE, &[kw.value()], true, None, true)
    });
    if let Ok(Ok(v)) = called
        && let Some(s) = v.as_str()
    {
        return s.bytes().to_vec();
    }
    if called.is_err() {
        vm.take_exception();
    }
    decorate(&vm.class_name(vm.real_class_of(exc)), b"", bright)
}
/// `exc.backtrace` as it is now, errors inside it ignored.
fn lines_of(vm: Vm, exc: Value) -> Option<crate::object::Ary> {
    let r = vm.rescue(vm.classes.exception.get(), || vm.send(exc, sym::BACKTRACE, &[]));
    match r {
        Ok(Ok(v)) => v.as_array(),
        _ => {
            vm.take_exception();
            None
        }
    }
}

struct Report<'a> {
    vm: Vm,
    options: Option<Value>,
    bright: bool,
    reverse: bool,
    /// where to say it happened if there is no backtrace
    place: &'a str,
    out: Vec<u8>,
    shown: Vec<Value>,
}

impl Report<'_> {
    fn head(&mut self, exc: Value) {
        let first = lines_of(self.vm, exc).and_then(|l| l.get(0).as_str());
        match first {
            Some(s) => {
                self.out.extend_from_slice(s.bytes());
                self.out.extend_from_slice(b": ");
            }
            None => self.out.extend_from_slice(self.place.as_bytes()),
        }
        let text = detailed(self.vm, exc, self.options, self.bright);
        self.out.extend_from_slice(&text);
        if self.out.last() != Some(&b'\n') {
            self.out.push(b'\n');
        }
    }
    fn trace(&mut self, exc: Value) {
        let Some(lines) = lines_of(self.vm, exc) else { return };
        let n = lines.len();
        let width = n.saturating_sub(1).to_string().len();
        let deep = self.vm.real_class_of(exc) == self.vm.classes.system_stack_error.get();
        let mut i = 1;
        while i < n {
            if deep && n > 18 && i == 9 {
                self.out.extend_from_slice(format!("\t ... {} levels...\n", n - 13).as_bytes());
                i += n - 13;
            }
            let at = if self.reverse { n - i } else { i };
            if let Some(s) = lines.get(at).as_str() {
                self.out.push(b'\t');
                if self.reverse {
                    self.out.extend_from_slice(format!("{:>width$}: ", n - i).as_bytes());
                }
                self.out.extend_from_slice(b"from ");
                self.out.extend_from_slice(s.bytes());
                self.out.push(b'\n');
            }
            i += 1;
        }
    }
    /// The exception with its causes; each exception only once.
    fn write(&mut self, exc: Value) {
        self.shown.push(exc);
        let cause = self
            .vm
            .ivar_get(exc, sym::I_CAUSE)
            .filter(|&c| !self.shown.contains(&c) && self.vm.class_of(c).is_a(self.vm.classes.exception.get()));
        if self.reverse {
            if let Some(c) = cause {
                self.write(c);
            }
            self.trace(exc);
            self.head(exc);
        } else {
            self.head(exc);
            self.trace(exc);
            if let Some(c) = cause {
                self.write(c);
            }
        }
    }
}

fn full(vm: Vm, exc: Value, options: Option<Value>, bright: bool, reverse: bool, place: &str) -> Vec<u8> {
    // `shown` holds causes of `exc`, which keeps them alive.
    let mut r = Report { vm, options, bright, reverse, place, out: Vec::new(), shown: Vec::new() };
    if reverse {
        let word = if bright { format!("{BOLD}Traceback{RESET}") } else { "Traceback".into() };
        r.out.extend_from_slice(format!("{word} (most recent call last):\n").as_bytes());
    }
    r.write(exc);
    r.out
}

/// `exc.full_message(highlight: tty, order: :top)`.
pub fn full_message(vm: Vm, this: Value, args: Args) -> Ruby {
    if !args.is_empty() {
        return Err(vm.wrong_arguments(args.len(), 0, 0));
    }
    let bright = highlight(vm, args, true)?;
    let reverse = match args.keyword(vm, "order")? {
        None | Some(NIL) => false,
        Some(v) => {
            let name = match v.as_symbol() {
                Some(s) => vm.name_of(s),
                None => v.as_str().map(|s| s.text().into_owned()).unwrap_or_default(),
            };
            match name.as_str() {
                "top" => false,
                "bottom" => true,
                _ => {
                    let text = vm.inspect(v)?;
                    return Err(vm.arg_error(&format!("expected :top or :bottom as order: {}", text.text())));
                }
            }
        }
    };
    let place = match vm.places(1).first() {
        Some(p) => format!("{}:{}:in 'Exception#full_message': ", p.file, p.line),
        None => String::new(),
    };
    let text = full(vm, this, args.keywords().map(|h| h.value()), bright, reverse, &place);
    Ok(RString::from_vec(&vm, text, Enc::Utf8).value())
}

/// What is printed for an uncaught exception, newline included.
pub fn report(vm: Vm, exc: Value) -> Vec<u8> {
    let place = format!("{}: ", vm.config.script.borrow());
    full(vm, exc, None, stderr_is_tty(), false, &place)
}

/// Writes to `$stderr` through its `write`, or to the process's stderr while that is not set.
pub fn write_stderr(vm: Vm, bytes: &[u8]) -> Ruby<()> {
    let io = vm.gvar_get(vm.intern("$stderr"))?;
    if io.is_nil() {
        use std::io::Write;
        let _ = std::io::stderr().write_all(bytes);
        return Ok(());
    }
    let s = RString::from_bytes(&vm, bytes, Enc::Utf8);
    vm.send(io, sym::WRITE, &[s.value()])?;
    Ok(())
}
