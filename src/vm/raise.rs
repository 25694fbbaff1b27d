//! Raising: what is pending sits in the execution context; `Raised` only says that something is.

use super::{Vm, frame};
use crate::object::{Class, RArray, RObject, RString, sym};
use crate::value::{NIL, Raised, Ruby, Sym, Value};
use std::cell::Cell;

/// Why frames are being left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u64)]
pub enum UnwindKind {
    None,
    /// `value` is the exception
    Exception,
    /// leave the frame `target` (and it) with `value` as its result
    Break,
    /// leave frame `target` with `value`: non-local return
    Return,
    /// `target` is the tag's bits
    Throw,
    /// Thread#kill and the like: only ensures run
    Kill,
}

/// The pending unwind of a fiber.
pub struct Unwind {
    pub kind: Cell<UnwindKind>,
    pub target: Cell<u64>,
    pub value: Cell<Value>,
}

impl Default for Unwind {
    fn default() -> Self {
        Self::new()
    }
}

impl Unwind {
    pub fn new() -> Unwind {
        Unwind { kind: Cell::new(UnwindKind::None), target: Cell::new(0), value: Cell::new(NIL) }
    }
}

impl Vm {
    fn unwind(self, kind: UnwindKind, target: u64, value: Value) -> Raised {
        let u = &self.ec().unwind;
        u.kind.set(kind);
        u.target.set(target);
        u.value.set(value);
        Raised
    }
    pub(super) fn set_unwind(self, kind: UnwindKind, target: u64, value: Value) -> Raised {
        self.unwind(kind, target, value)
    }

    /// Makes an exception object pending as it is (no backtrace, no cause added).
    pub fn raise_as_is(self, exc: Value) -> Raised {
        self.unwind(UnwindKind::Exception, 0, exc)
    }
    /// Raises an exception object: sets backtrace and cause where missing.
    #[cold]
    pub fn raise_exc(self, exc: Value) -> Raised {
        if self.ivar_get(exc, sym::I_BACKTRACE).is_none_or(Value::is_nil) && !exc.is_frozen() {
            let bt = self.backtrace(0);
            self.ivar_set(exc, sym::I_BACKTRACE, bt);
        }
        if self.ivar_get(exc, sym::I_CAUSE).is_none() && !exc.is_frozen() {
            let cause = self.ec().errinfo.get();
            self.ivar_set(exc, sym::I_CAUSE, if cause == exc { NIL } else { cause });
        }
        if self.is_traced()
            && let Err(r) = self.fire("raise", self.ec().ruby_frame_any().and_then(|f| f.method()))
        {
            return r;
        }
        self.raise_as_is(exc)
    }
    /// A new exception of a core class, without running `initialize`.
    pub fn new_exception(self, class: Class, message: &str) -> Value {
        let msg = RString::new(&self, message).value();
        self.new_exception_with(class, msg)
    }
    pub fn new_exception_with(self, class: Class, message: Value) -> Value {
        let e = RObject::alloc(&self, class, 4);
        e.set(&self, sym::I_MESSAGE, message);
        e.value()
    }
    /// Raises `class` with a message.
    #[cold]
    pub fn raise(self, class: Class, message: &str) -> Raised {
        let e = self.new_exception(class, message);
        self.raise_exc(e)
    }
    #[cold]
    pub fn arg_error(self, message: &str) -> Raised {
        self.raise(self.classes.argument_error.get(), message)
    }
    #[cold]
    pub fn type_error(self, message: &str) -> Raised {
        self.raise(self.classes.type_error.get(), message)
    }
    #[cold]
    pub fn range_error(self, message: &str) -> Raised {
        self.raise(self.classes.range_error.get(), message)
    }
    #[cold]
    pub fn index_error(self, message: &str) -> Raised {
        self.raise(self.classes.index_error.get(), message)
    }
    #[cold]
    pub fn runtime_error(self, message: &str) -> Raised {
        self.raise(self.classes.runtime_error.get(), message)
    }
    #[cold]
    pub fn zero_division(self) -> Raised {
        self.raise(self.classes.zero_division_error.get(), "divided by 0")
    }
    #[cold]
    pub fn not_implemented(self, what: &str) -> Raised {
        self.raise(self.classes.not_implemented_error.get(), &format!("{what} is not implemented in minirb"))
    }
    /// KeyError with receiver and key.
    #[cold]
    pub fn key_error(self, message: &str, receiver: Value, key: Value) -> Raised {
        let e = self.new_exception(self.classes.key_error.get(), message);
        self.ivar_set(e, sym::I_RECEIVER, receiver);
        self.ivar_set(e, sym::I_KEY, key);
        self.raise_exc(e)
    }
    /// NameError with name and receiver.
    #[cold]
    pub fn name_error(self, message: &str, receiver: Value, name: Sym) -> Raised {
        let e = self.new_exception(self.classes.name_error.get(), message);
        self.ivar_set(e, sym::I_NAME, name.into());
        self.ivar_set(e, sym::I_RECEIVER, receiver);
        self.raise_exc(e)
    }
    /// "wrong number of arguments (given 1, expected 2)"; `max` < 0: at least `min`.
    #[cold]
    pub fn wrong_arguments(self, given: usize, min: usize, max: i64) -> Raised {
        let expected = if max < 0 {
            format!("{min}+")
        } else if min as i64 == max {
            format!("{min}")
        } else {
            format!("{min}..{max}")
        };
        self.arg_error(&format!("wrong number of arguments (given {given}, expected {expected})"))
    }
    /// FrozenError for an object.
    #[cold]
    pub fn frozen_error(self, v: Value) -> Raised {
        let class = self.class_name(self.real_class_of(v));
        let what = self.intern("__frozen_error");
        let text = match self.guard_recursion(v, NIL, what, || self.inspect(v)) {
            Ok(Some(s)) => s.text().into_owned(),
            Ok(None) => " ...".into(),
            Err(r) => return r,
        };
        let e = self.new_exception(self.classes.frozen_error.get(), &format!("can't modify frozen {class}: {text}"));
        self.ivar_set(e, sym::I_RECEIVER, v);
        self.raise_exc(e)
    }
    /// Raises FrozenError if it is frozen.
    #[inline]
    pub fn check_frozen(self, v: Value) -> Ruby<()> {
        if v.is_frozen() { Err(self.frozen_error(v)) } else { Ok(()) }
    }
    #[cold]
    pub fn stack_overflow(self) -> Raised {
        let ec = self.ec();
        ec.overflowing.set(true);
        let e = self.new_exception(self.classes.system_stack_error.get(), "stack level too deep");
        let r = self.raise_exc(e);
        ec.overflowing.set(false);
        r
    }
    /// The exception that is pending, taken out; `None` if something else is unwinding.
    pub fn take_exception(self) -> Option<Value> {
        let u = &self.ec().unwind;
        if u.kind.get() == UnwindKind::Exception {
            u.kind.set(UnwindKind::None);
            return Some(u.value.replace(NIL));
        }
        None
    }
    /// What is pending, left in place.
    pub fn pending_exception(self) -> Option<Value> {
        let u = &self.ec().unwind;
        (u.kind.get() == UnwindKind::Exception).then(|| u.value.get())
    }
    /// Runs `f`; if it raises an exception of `class`, gives that back instead.
    pub fn rescue<T>(self, class: Class, f: impl FnOnce() -> Ruby<T>) -> Ruby<Result<T, Value>> {
        let saved = self.save_place();
        match f() {
            Ok(v) => Ok(Ok(v)),
            Err(r) => match self.pending_exception() {
                Some(e) if self.class_of(e).is_a(class) => {
                    self.take_exception();
                    self.restore_place(saved);
                    Ok(Err(e))
                }
                _ => Err(r),
            },
        }
    }
    /// Runs `last` whatever happens to `f`; an exception of `last` wins.
    pub fn ensure<T>(self, f: impl FnOnce() -> Ruby<T>, last: impl FnOnce() -> Ruby<()>) -> Ruby<T> {
        let place = self.save_place();
        let r = f();
        if r.is_err() {
            self.restore_place(place);
            let u = &self.ec().unwind;
            let saved = (u.kind.replace(UnwindKind::None), u.target.get(), u.value.get());
            let token = RArray::from_slice(&self, &[saved.2]);
            // SAFETY: a throw's target is a value's bits; scanning it as a word keeps it alive.
            crate::heap::root::keep(token.value());
            last()?;
            crate::heap::root::keep(token.value());
            self.unwind(saved.0, saved.1, saved.2);
            return r;
        }
        last()?;
        r
    }
    /// Where the fiber is, to come back to after an unwind was stopped by native code.
    pub fn save_place(self) -> (*mut Value, *const crate::bytecode::op::Ins) {
        (self.ec().fp.get(), self.ec().pc.get())
    }
    pub fn restore_place(self, p: (*mut Value, *const crate::bytecode::op::Ins)) {
        self.ec().fp.set(p.0);
        self.ec().pc.set(p.1);
    }
    /// Throws `value` to `tag`; the caller has checked that a catch is there.
    pub fn throw(self, tag: Value, value: Value) -> Raised {
        self.unwind(UnwindKind::Throw, tag.bits(), value)
    }
    /// Leaves the running thread, ensures run on the way.
    pub fn kill(self) -> Raised {
        self.unwind(UnwindKind::Kill, 0, NIL)
    }
    /// If a throw to `tag` is pending, takes its value.
    pub fn catch_throw(self, tag: Value) -> Option<Value> {
        let u = &self.ec().unwind;
        if u.kind.get() == UnwindKind::Throw && u.target.get() == tag.bits() {
            u.kind.set(UnwindKind::None);
            return Some(u.value.replace(NIL));
        }
        None
    }

    /// Lines of the backtrace, newest first, as an Array of Strings; `skip` frames left out.
    pub fn backtrace(self, skip: usize) -> Value {
        let list = RArray::new(&self, 16);
        for place in self.places(skip) {
            list.push(&self, RString::new(&self, &place.to_string()).value());
        }
        list.value()
    }

    /// Where each visible frame is, newest first.
    pub fn places(self, skip: usize) -> Vec<Place> {
        let mut out: Vec<Place> = Vec::new();
        let ec = self.ec();
        let mut pc = ec.pc.get();
        // Native frames show the place of the Ruby frame that called them.
        let mut natives: Vec<String> = Vec::new();
        for f in ec.frames() {
            if f.is_native() {
                if let Some(m) = f.method() {
                    natives.push(self.method_label(m.owner, m.original_name));
                }
            } else if let Some(code) = f.code() {
                if code.rest.prelude {
                    // A prelude method stands for the native it would be elsewhere.
                    natives.clear();
                    if f.flags() & frame::F_BLOCK == 0
                        && let Some(m) = f.method()
                    {
                        natives.push(self.method_label(m.owner, m.original_name));
                    }
                } else {
                    let line = frame::line_at(code, pc);
                    for label in natives.drain(..) {
                        out.push(Place { file: code.rest.file.clone(), line, label });
                    }
                    out.push(Place { file: code.rest.file.clone(), line, label: self.frame_label(f) });
                }
            }
            pc = (f.word(frame::RET) & !frame::RET_TAG) as *const _;
            if out.len() > 20_000 {
                break;
            }
        }
        out.drain(..skip.min(out.len()));
        out
    }

    /// `Foo#bar`, `Foo.bar` or `bar`.
    pub fn method_label(self, owner: Class, name: Sym) -> String {
        let name = self.symbols.text(name);
        if owner.is_singleton() {
            return match owner.attached.get().as_class() {
                Some(c) => match c.name() {
                    Some(n) => format!("{n}.{name}"),
                    None => name.into_owned(),
                },
                None => name.into_owned(),
            };
        }
        match owner.name() {
            Some(n) => format!("{n}#{name}"),
            None => name.into_owned(),
        }
    }

    fn frame_label(self, f: frame::Frame) -> String {
        let Some(code) = f.code() else { return String::new() };
        let own = self.symbols.text(code.rest.name).into_owned();
        match code.rest.kind {
            crate::bytecode::proto::CodeKind::Method => match f.method() {
                Some(m) => self.method_label(m.defined_class, m.original_name),
                None => own,
            },
            crate::bytecode::proto::CodeKind::Block => {
                let levels = own.split(" in ").next().unwrap_or("block").to_string();
                match f.method() {
                    Some(m) => format!("{levels} in {}", self.method_label(m.defined_class, m.original_name)),
                    None => own,
                }
            }
            _ => own,
        }
    }
}

/// One line of a backtrace.
#[derive(Clone, Debug)]
pub struct Place {
    pub file: std::rc::Rc<str>,
    pub line: u32,
    pub label: String,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:in '{}'", self.file, self.line, self.label)
    }
}
