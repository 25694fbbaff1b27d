//! Making classes, singleton classes and methods; the one place that invalidates caches for it.

use super::Vm;
use super::native::{AllocFn, ClassDef};
use crate::heap::Header;
use crate::object::{Class, ClassKind, ConstEntry, ConstState, MethodBody, MethodEntry, RClass, Ref, Visibility, sym};
use crate::value::{NIL, Ruby, Sym, Value};

/// Operators whose redefinition in a core class switches the fast paths off.
const FAST_OPS: &[&str] = &[
    "+", "-", "*", "/", "%", "<", "<=", ">", ">=", "==", "!=", "&", "|", "^", "<<", ">>", "[]", "[]=", "-@", "!",
    "===", "<=>", "=~", "size", "length", "nil?", "succ", "hash", "eql?", "to_s",
];

impl Vm {
    /// Adds a method entry to a class's table and forgets what was cached under its name.
    pub fn add_entry(self, class: Class, name: Sym, e: Ref<MethodEntry>) {
        if class.own_method(name).is_some() || self.booted() {
            self.note_redefinition(class, name);
        }
        class.put_method(name, e);
        self.cache.invalidate(name);
    }
    /// Adds a method.
    pub fn add_method(self, class: Class, name: Sym, visibility: Visibility, body: MethodBody) -> Ref<MethodEntry> {
        let e = MethodEntry::alloc(&self, name, visibility, class, body);
        self.add_entry(class, name, e);
        e
    }
    pub fn remove_method(self, class: Class, name: Sym) -> Option<Ref<MethodEntry>> {
        let e = class.take_method(name)?;
        self.note_redefinition(class, name);
        self.cache.invalidate(name);
        Some(e)
    }
    /// FrozenError for a frozen class; for a singleton class it names the object.
    pub fn check_class_frozen(self, c: Class) -> Ruby<()> {
        if !c.is_frozen() {
            return Ok(());
        }
        Err(self.frozen_error(if c.is_singleton() { c.attached.get() } else { c.value() }))
    }
    fn booted(self) -> bool {
        self.main.get() != NIL
    }
    pub(super) fn note_redefinition(self, class: Class, name: Sym) {
        if !self.booted() {
            return;
        }
        let k = &self.classes;
        let core = [
            &k.integer,
            &k.float,
            &k.string,
            &k.array,
            &k.hash,
            &k.symbol,
            &k.nil,
            &k.true_,
            &k.false_,
            &k.numeric,
            &k.comparable,
            &k.object,
            &k.kernel,
            &k.basic_object,
            &k.range,
            &k.class,
            &k.module,
        ];
        let text = self.symbols.bytes(name);
        if core.iter().any(|c| c.is_set() && c.get() == class) && FAST_OPS.iter().any(|o| o.as_bytes() == text) {
            self.redefined.set(1);
        }
    }
    /// Ancestors changed: includes, prepends, extends.
    pub fn ancestors_changed(self, added: Class) {
        self.cache.invalidate_all();
        self.const_serial.set(self.const_serial.get() + 1);
        if self.booted() {
            // A module prepended to a core class may carry operators.
            for c in added.mro() {
                for (name, _) in c.own_methods() {
                    let text = self.symbols.bytes(name);
                    if FAST_OPS.iter().any(|o| o.as_bytes() == text) {
                        for k in [
                            &self.classes.integer,
                            &self.classes.float,
                            &self.classes.string,
                            &self.classes.array,
                            &self.classes.hash,
                        ] {
                            if k.get().is_a(*c)
                                && *c != self.classes.comparable.get()
                                && *c != self.classes.enumerable.get()
                                && *c != self.classes.kernel.get()
                            {
                                self.redefined.set(1);
                            }
                        }
                    }
                }
            }
        }
    }

    /// The singleton class of a value, made if need be. TypeError for numbers and symbols.
    pub fn singleton_class(self, v: Value) -> Ruby<Class> {
        if let Some(c) = v.as_class() {
            return Ok(self.metaclass(c));
        }
        if !v.is_ptr() || v.as_bignum().is_some() || v.is_float() {
            return match v {
                NIL => Ok(self.classes.nil.get()),
                crate::value::TRUE => Ok(self.classes.true_.get()),
                crate::value::FALSE => Ok(self.classes.false_.get()),
                _ => Err(self.type_error("can't define singleton")),
            };
        }
        let current = self.class_of(v);
        if current.is_singleton() && current.attached.get() == v {
            return Ok(current);
        }
        let s =
            RClass::alloc(&self, self.classes.class.get().as_ptr() as *mut Header, ClassKind::Singleton, Some(current));
        s.attached.set(v);
        if let Some(h) = v.header() {
            h.class.set(s.as_ptr() as *mut Header);
            if h.has(crate::heap::flags::FROZEN) {
                s.h.set(crate::heap::flags::FROZEN);
            }
        }
        Ok(s)
    }

    /// The singleton class of a class or module; a class's inherits from its superclass's.
    pub fn metaclass(self, c: Class) -> Class {
        let current = self.class_of(c.value());
        if current.is_singleton() && current.attached.get() == c.value() {
            return current;
        }
        let above = match (c.is_module(), c.superclass()) {
            (false, Some(s)) => self.metaclass(s),
            _ => current,
        };
        let s =
            RClass::alloc(&self, self.classes.class.get().as_ptr() as *mut Header, ClassKind::Singleton, Some(above));
        s.attached.set(c.value());
        if c.is_frozen() {
            s.h.set(crate::heap::flags::FROZEN);
        }
        c.h.class.set(s.as_ptr() as *mut Header);
        self.cache.invalidate_all();
        s
    }

    /// A new class below `superclass` (no `inherited` hook).
    pub fn new_class(self, superclass: Class) -> Class {
        let c =
            RClass::alloc(&self, self.classes.class.get().as_ptr() as *mut Header, ClassKind::Class, Some(superclass));
        self.metaclass(c);
        c
    }
    pub fn new_module(self) -> Class {
        RClass::alloc(&self, self.classes.module.get().as_ptr() as *mut Header, ClassKind::Module, None)
    }

    /// Sets a constant (no warnings) and names an anonymous class after it.
    pub fn set_const(self, scope: Class, name: Sym, v: Value) {
        let (file, line) = self.current_place();
        let old = scope.own_const(name);
        let e = ConstEntry {
            state: ConstState::Value(v),
            private: old.is_some_and(|o| o.private),
            deprecated: old.is_some_and(|o| o.deprecated),
            file,
            line,
        };
        scope.put_const(name, e);
        self.const_serial.set(self.const_serial.get() + 1);
        if let Some(c) = v.as_class()
            && !c.has_permanent_name()
            && !c.is_singleton()
        {
            let own = self.symbols.text(name).into_owned();
            if scope == self.classes.object.get() {
                self.name_class(c, &own);
            } else if let Some(outer) = scope.name() {
                if scope.has_permanent_name() {
                    self.name_class(c, &format!("{outer}::{own}"));
                } else {
                    c.set_name(&format!("{outer}::{own}"), true);
                }
            } else {
                c.set_name(&format!("{}::{own}", self.class_name(scope)), true);
            }
        }
    }
    /// Gives a permanent name, to classes inside as well.
    fn name_class(self, c: Class, path: &str) {
        c.set_name(path, false);
        for (n, e) in c.own_consts() {
            if let ConstState::Value(v) = e.state
                && let Some(inner) = v.as_class()
                && !inner.has_permanent_name()
                && !inner.is_singleton()
            {
                self.name_class(inner, &format!("{path}::{}", self.symbols.text(n)));
            }
        }
    }
    /// File (a String, or nil) and line of the running Ruby code.
    pub fn current_place(self) -> (Value, u32) {
        let ec = self.ec();
        let mut pc = ec.pc.get();
        for f in ec.frames() {
            if let Some(code) = f.code().filter(|c| !c.rest.prelude) {
                return (self.str(&code.rest.file), super::frame::line_at(code, pc));
            }
            pc = (f.word(super::frame::RET) & !super::frame::RET_TAG) as *const _;
        }
        (NIL, 0)
    }

    /// A class or module under `Object` (or `Outer::Name`), made if it does not exist; for boot.
    pub fn define_class(self, path: &str, superclass: Option<Class>) -> Class {
        let (scope, name) = match path.rsplit_once("::") {
            Some((outer, n)) => {
                let mut scope = self.classes.object.get();
                for part in outer.split("::") {
                    if let Some(c) = self.const_value(scope, part).and_then(|v| v.as_class()) {
                        scope = c
                    }
                }
                (scope, n)
            }
            None => (self.classes.object.get(), path),
        };
        if let Some(c) = self.const_value(scope, name).and_then(|v| v.as_class()) {
            return c;
        }
        let c = match superclass {
            Some(s) => self.new_class(s),
            None => self.new_module(),
        };
        self.set_const(scope, self.intern(name), c.value());
        if let Some(k) = self.classes.by_name(path) {
            k.set(c)
        }
        c
    }

    /// Defines everything in a method table.
    pub fn define_table(self, def: &ClassDef) -> Class {
        let above = def
            .superclass
            .map(|s| self.const_path(s).unwrap_or_else(|| panic!("boot order: {} needs {s} first", def.name)));
        let c = self.define_class(def.name, above);
        self.define_methods(c, def);
        c
    }
    /// Defines a table's methods on any class, a singleton class too.
    pub fn define_methods(self, c: Class, def: &ClassDef) {
        for m in def.methods {
            let body = MethodBody::Native { f: m.f as *const (), min: m.arity.min, max: m.arity.max, kw: m.arity.kw };
            let (targets, visibility): (&[bool], _) = match m.scope {
                "self" => (&[true], Visibility::Public),
                "private" => (&[false], Visibility::Private),
                "protected" => (&[false], Visibility::Protected),
                "module_fn" => (&[false, true], Visibility::Public),
                _ => (&[false], Visibility::Public),
            };
            for &singleton in targets {
                let target = if singleton { self.metaclass(c) } else { c };
                let vis = if m.scope == "module_fn" && !singleton { Visibility::Private } else { visibility };
                let first = self.intern(m.names[0]);
                let vis = if !singleton
                    && matches!(
                        m.names[0],
                        "initialize"
                            | "initialize_copy"
                            | "respond_to_missing?"
                            | "initialize_dup"
                            | "initialize_clone"
                    ) {
                    Visibility::Private
                } else {
                    vis
                };
                for n in m.names {
                    let name = self.intern(n);
                    let e = MethodEntry::copy_with(&self, name, first, vis, target, target, body);
                    self.add_entry(target, name, e);
                }
            }
        }
    }
    /// `A::B` from the top, for boot.
    pub fn const_path(self, path: &str) -> Option<Class> {
        let mut scope = self.classes.object.get();
        for part in path.split("::") {
            scope = self.const_value(scope, part)?.as_class()?;
        }
        Some(scope)
    }
    /// How `allocate` makes instances of a class and its heirs.
    pub fn set_allocator(self, class: Class, f: AllocFn) {
        class.alloc.set(f as *const ());
    }
    /// A new instance through the class's allocator, not initialised.
    pub fn allocate(self, class: Class) -> Ruby {
        let f = class.allocator();
        if class.is_singleton() {
            return Err(self.type_error("can't create instance of singleton class"));
        }
        if f.is_null() {
            let name = self.class_name(class);
            return Err(self.type_error(&format!("allocator undefined for {name}")));
        }
        // SAFETY: only `set_allocator` stores there.
        let f: AllocFn = unsafe { std::mem::transmute(f) };
        f(self, class)
    }
    /// `class.new(*args)`.
    pub fn new_object(self, class: Class, args: &[Value]) -> Ruby {
        self.send(class.value(), sym::NEW, args)
    }
}
