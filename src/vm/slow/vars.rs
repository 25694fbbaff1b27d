//! Variables and constants: cold halves.

use crate::bytecode::iseq::{ConstSite, IvarSite};
use crate::bytecode::op::DefinedKind;
use crate::bytecode::proto::CodeKind;
use crate::object::{Class, ConstState, Cref, MethodBody, Ref, ShapeId, Visibility};
use crate::value::{NIL, Ruby, Sym, Value};
use crate::vm::Vm;
use crate::vm::frame::{self, Frame};

/// The symbol in a literal slot.
pub fn lit_sym(v: Value) -> Sym {
    v.as_symbol().unwrap_or(crate::object::sym::EMPTY)
}

#[inline(never)]
pub fn get_ivar(vm: Vm, this: Value, site: &IvarSite) -> Value {
    if let Some(o) = this.as_object()
        && let Some(slot) = vm.shapes.slot(o.shape(), site.name)
    {
        site.shape.set(o.shape().0);
        site.slot.set(slot);
        site.next.set(0);
        return o.slot(slot).get();
    }
    vm.ivar_get(this, site.name).unwrap_or(NIL)
}

#[inline(never)]
pub fn set_ivar(vm: Vm, this: Value, site: &IvarSite, v: Value) -> Ruby<()> {
    vm.check_frozen(this)?;
    if let Some(o) = this.as_object() {
        let before = o.shape();
        o.set(&vm, site.name, v);
        let after = o.shape();
        if let Some(slot) = vm.shapes.slot(after, site.name) {
            site.shape.set(before.0);
            site.slot.set(slot);
            site.next.set(if before == after { 0 } else { after.0 });
        }
        learn(vm, this, after);
        return Ok(());
    }
    vm.ivar_set(this, site.name, v);
    Ok(())
}

fn learn(vm: Vm, this: Value, shape: ShapeId) {
    let class = vm.real_class_of(this);
    let n = vm.shapes.len(shape);
    if n > class.instance_slots.get() {
        class.instance_slots.set(n);
    }
}

pub fn get_gvar(vm: Vm, name: Value) -> Ruby {
    vm.gvar_get(lit_sym(name))
}
pub fn set_gvar(vm: Vm, name: Value, v: Value) -> Ruby<()> {
    vm.gvar_set(lit_sym(name), v)
}

// ---- class variables

/// The class whose `@@` variables the running code sees.
fn cvar_scope(vm: Vm) -> Ruby<Class> {
    match cvar_class(vm) {
        Some(c) => Ok(c),
        None => Err(vm.runtime_error("class variable access from toplevel")),
    }
}

/// As `cvar_scope`; `None` at the top level.
fn cvar_class(vm: Vm) -> Option<Class> {
    let mut cref = vm.ec().ruby_frame().and_then(|f| f.cref());
    while let Some(c) = cref {
        if !c.class.is_singleton() && !c.pushed_by_eval {
            return (!c.parent.is_nil()).then_some(c.class);
        }
        cref = frame::cref_value(c.parent);
    }
    Some(vm.classes.object.get())
}

impl Vm {
    /// Where a class variable is set, looking along the ancestors.
    pub fn cvar_owner(self, class: Class, name: Sym) -> Option<Class> {
        // An ancestor's variable wins over one below it, as in CRuby: the last one found counts.
        let mut found = None;
        for &c in class.mro() {
            if c.own_cvar(name).is_some() {
                found = Some(c)
            }
        }
        if found.is_none()
            && class.is_singleton()
            && let Some(a) = class.attached.get().as_class()
        {
            return self.cvar_owner(a, name);
        }
        found
    }
    /// RuntimeError if a variable of a class nearer than the one that holds it hides behind it.
    fn check_overtaken(self, class: Class, name: Sym, holder: Class) -> Ruby<()> {
        match class.mro().iter().find(|c| c.own_cvar(name).is_some()) {
            Some(&near) if near != holder => {
                let (n, a, b) = (self.symbols.text(name), self.class_name(near), self.class_name(holder));
                Err(self.runtime_error(&format!("class variable {n} of {a} is overtaken by {b}")))
            }
            _ => Ok(()),
        }
    }
    pub fn cvar_get(self, class: Class, name: Sym) -> Ruby {
        if let Some(c) = self.cvar_owner(class, name) {
            self.check_overtaken(class, name, c)?;
        }
        match self.cvar_owner(class, name).and_then(|c| c.own_cvar(name)) {
            Some(v) => Ok(v),
            None => {
                let (n, c) = (self.symbols.text(name), self.class_name(class));
                Err(self.name_error(&format!("uninitialized class variable {n} in {c}"), class.value(), name))
            }
        }
    }
    pub fn cvar_set(self, class: Class, name: Sym, v: Value) -> Ruby<()> {
        let target = self.cvar_owner(class, name).unwrap_or(class);
        self.check_overtaken(class, name, target)?;
        self.check_frozen(target.value())?;
        target.put_cvar(name, v);
        Ok(())
    }
}

#[inline(never)]
pub fn get_cvar(vm: Vm, name: Value) -> Ruby {
    let c = cvar_scope(vm)?;
    vm.cvar_get(c, lit_sym(name))
}
#[inline(never)]
pub fn set_cvar(vm: Vm, name: Value, v: Value) -> Ruby<()> {
    let c = cvar_scope(vm)?;
    vm.cvar_set(c, lit_sym(name), v)
}

// ---- constants

impl Vm {
    /// A constant's value in one table; an autoload is run first.
    fn const_here(self, class: Class, name: Sym) -> Ruby<Option<Value>> {
        let Some(e) = class.own_const(name) else { return Ok(None) };
        match e.state {
            ConstState::Value(v) => {
                if e.deprecated
                    && let Some(warn) = self.hooks.deprecated.get()
                {
                    let n = self.symbols.text(name);
                    let full = if class == self.classes.object.get() {
                        n.into_owned()
                    } else {
                        format!("{}::{n}", self.class_name(class))
                    };
                    warn(self, &format!("constant {full} is deprecated"))?;
                }
                Ok(Some(v))
            }
            ConstState::Autoload(path) => {
                let Some(load) = self.hooks.autoload.get() else { return Ok(None) };
                load(self, path)?;
                Ok(match class.own_const(name).map(|e| e.state) {
                    Some(ConstState::Value(v)) => Some(v),
                    _ => None,
                })
            }
        }
    }

    /// `class::name`, along the ancestors; Object's own count only for Object itself and for modules when `object_too`.
    pub fn const_lookup(self, class: Class, name: Sym, object_too: bool) -> Ruby<Option<Value>> {
        let object = self.classes.object.get();
        // The class itself comes first, even if modules were prepended to it.
        if let Some(v) = self.const_here(class, name)? {
            return Ok(Some(v));
        }
        let mro = class.mro();
        for &c in mro {
            if c == object && class != object && !object_too {
                break;
            }
            if let Some(v) = self.const_here(c, name)? {
                return Ok(Some(v));
            }
        }
        if object_too && class.is_module() {
            for &c in object.mro() {
                if let Some(v) = self.const_here(c, name)? {
                    return Ok(Some(v));
                }
            }
        }
        Ok(None)
    }

    /// `scope::Name` as written in source: private ones are refused.
    pub fn const_from(self, class: Class, name: Sym) -> Ruby {
        for &c in class.mro() {
            if c == self.classes.object.get() && class != c {
                break;
            }
            if let Some(e) = c.own_const(name) {
                if e.private {
                    let missing = self.find_method(self.class_of(class.value()), crate::object::sym::CONST_MISSING);
                    if missing.is_some_and(|m| m.owner != self.classes.module.get()) {
                        return self.const_missing(class, name);
                    }
                    let text =
                        format!("private constant {}::{} referenced", self.class_name(c), self.symbols.text(name));
                    return Err(self.name_error(&text, c.value(), name));
                }
                break;
            }
        }
        match self.const_lookup(class, name, false)? {
            Some(v) => Ok(v),
            None => self.const_missing(class, name),
        }
    }

    /// Calls `const_missing`, whose default raises NameError.
    pub fn const_missing(self, class: Class, name: Sym) -> Ruby {
        let m = crate::object::sym::CONST_MISSING;
        match self.find_method(self.class_of(class.value()), m) {
            Some(me) if !(me.owner == self.classes.module.get()) => {
                // No site may keep the answer.
                self.const_serial.set(self.const_serial.get() + 1);
                self.send(class.value(), m, &[name.into()])
            }
            _ => Err(self.uninitialized_constant(class, name)),
        }
    }
    pub fn uninitialized_constant(self, class: Class, name: Sym) -> crate::value::Raised {
        let n = self.symbols.text(name);
        let text = if class == self.classes.object.get() {
            format!("uninitialized constant {n}")
        } else {
            format!("uninitialized constant {}::{n}", self.class_name(class))
        };
        self.name_error(&text, class.value(), name)
    }

    /// A bare constant as code with this cref sees it.
    pub fn const_lexical(self, cref: Option<Ref<Cref>>, name: Sym) -> Ruby<Option<Value>> {
        let object = self.classes.object.get();
        let mut c = cref;
        let mut innermost = None;
        while let Some(s) = c {
            if !s.pushed_by_eval {
                if innermost.is_none() {
                    innermost = Some(s.class)
                }
                if !s.parent.is_nil()
                    && let Some(v) = self.const_here(s.class, name)?
                {
                    return Ok(Some(v));
                }
            }
            c = frame::cref_value(s.parent);
        }
        self.const_lookup(innermost.unwrap_or(object), name, true)
    }
}

#[inline(never)]
pub fn get_const(vm: Vm, site: &ConstSite) -> Ruby {
    let Some(f) = vm.ec().ruby_frame_any() else { return Ok(NIL) };
    let cref = f.cref();
    let serial = vm.const_serial.get();
    let first = site.path[0];
    let mut v = if site.top {
        vm.const_from(vm.classes.object.get(), first)?
    } else {
        match vm.const_lexical(cref, first)? {
            Some(v) => v,
            None => {
                let mut c = cref;
                while let Some(s) = c
                    && s.pushed_by_eval
                {
                    c = frame::cref_value(s.parent)
                }
                vm.const_missing(c.map_or(vm.classes.object.get(), |s| s.class), first)?
            }
        }
    };
    for &name in &site.path[1..] {
        v = get_const_from(vm, v, name)?;
    }
    site.value.set(v);
    site.cref.set(f.word(frame::ME));
    site.serial.set(serial);
    Ok(v)
}

#[inline(never)]
pub fn get_const_from(vm: Vm, scope: Value, name: Sym) -> Ruby {
    match scope.as_class() {
        Some(c) => vm.const_from(c, name),
        None => {
            let text = vm.inspect(scope)?;
            Err(vm.type_error(&format!("{} is not a class/module", text.text())))
        }
    }
}

#[inline(never)]
pub fn set_const(vm: Vm, how: u8, scope: Value, name: Sym, v: Value) -> Ruby<()> {
    let class = match how {
        0 => {
            let mut c = vm.ec().ruby_frame_any().and_then(|f| f.cref());
            while let Some(s) = c
                && s.pushed_by_eval
            {
                c = frame::cref_value(s.parent)
            }
            c.map_or(vm.classes.object.get(), |s| s.class)
        }
        1 => vm.classes.object.get(),
        _ => match scope.as_class() {
            Some(c) => c,
            None => {
                let text = vm.inspect(scope)?;
                return Err(vm.type_error(&format!("{} is not a class/module", text.text())));
            }
        },
    };
    vm.const_assign(class, name, v)
}

impl Vm {
    /// `Class::NAME = v` with its checks: frozen class, "already initialized" warning, `const_added`.
    pub fn const_assign(self, class: Class, name: Sym, v: Value) -> Ruby<()> {
        self.check_frozen(class.value())?;
        if let Some(old) = class.own_const(name)
            && matches!(old.state, ConstState::Value(_))
            && let Some(warn) = self.hooks.warn.get()
        {
            let n = self.symbols.text(name);
            let full = if class == self.classes.object.get() {
                n.into_owned()
            } else {
                format!("{}::{n}", self.class_name(class))
            };
            let (file, line) = self.current_place();
            let at = match file.as_str() {
                Some(f) => format!("{}:{line}: ", f.text()),
                None => String::new(),
            };
            warn(self, &format!("{at}warning: already initialized constant {full}"))?;
            if let Some(f) = old.file.as_str() {
                warn(
                    self,
                    &format!(
                        "{}:{}: warning: previous definition of {} was here",
                        f.text(),
                        old.line,
                        self.symbols.text(name)
                    ),
                )?;
            }
        }
        self.set_const(class, name, v);
        let hook = crate::object::sym::CONST_ADDED;
        if let Some(m) = self.find_method(self.class_of(class.value()), hook)
            && m.owner != self.classes.module.get()
        {
            self.send(class.value(), hook, &[name.into()])?;
        }
        Ok(())
    }
}

// ---- $~ and $_

impl Vm {
    /// The slot of `$~` (or `$_`) of the method that runs: in the env record of the home scope, if its code reads it.
    fn svar(self, line: bool) -> Option<*mut Value> {
        let f = self.ec().ruby_frame()?;
        let mut code = f.code()?;
        let mut record = f.word(frame::EP) as *const u64;
        let mut holder = f.word(frame::PARENT) as *const *const u64;
        loop {
            if matches!(code.rest.kind, CodeKind::Block) || (code.rest.kind == CodeKind::Eval && !holder.is_null()) {
                if holder.is_null() {
                    return None;
                }
                // SAFETY: a holder is the address of a word that points at a record; a record's first word is the next
                // holder (frame.rs).
                unsafe {
                    record = *holder;
                    holder = *record as *const *const u64;
                    code = &*code.rest.parent.get();
                }
            } else {
                let i = if line { code.rest.svar_line? } else { code.rest.svar_match? };
                if record.is_null() {
                    return None;
                }
                // SAFETY: the compiler reserved the variable.
                return Some(unsafe { (record as *mut Value).add(2 + i as usize) });
            }
        }
    }
    /// `$~` of the calling Ruby method.
    pub fn last_match(self) -> Value {
        // SAFETY: `svar` gives a valid slot.
        self.svar(false).map_or(NIL, |p| unsafe { *p })
    }
    pub fn set_last_match(self, v: Value) {
        if let Some(p) = self.svar(false) {
            // SAFETY: as above.
            unsafe { *p = v }
        }
    }
    /// `$_` of the calling Ruby method.
    pub fn last_line(self) -> Value {
        // SAFETY: as above.
        self.svar(true).map_or(NIL, |p| unsafe { *p })
    }
    pub fn set_last_line(self, v: Value) {
        if let Some(p) = self.svar(true) {
            // SAFETY: as above.
            unsafe { *p = v }
        }
    }
}

#[inline(never)]
pub fn get_match(vm: Vm, what: u8, n: usize) -> Ruby {
    if what == 6 {
        return Ok(vm.last_line());
    }
    let m = vm.last_match();
    if what == 0 || m.is_nil() {
        return Ok(m);
    }
    match vm.hooks.match_part.get() {
        Some(f) => f(vm, m, what, n),
        None => Ok(NIL),
    }
}

/// `$~ = v`
pub fn set_match(vm: Vm, v: Value) -> Ruby<()> {
    if !v.is_nil() && vm.real_class_of(v) != vm.classes.match_data.get() {
        let what = vm.describe(v);
        return Err(vm.type_error(&format!("wrong argument type {what} (expected MatchData)")));
    }
    vm.set_last_match(v);
    Ok(())
}

// ---- defined?

#[inline(never)]
pub fn defined(vm: Vm, f: Frame, what: u8, recv: Value, name: Value) -> Ruby<bool> {
    let s = lit_sym(name);
    let kinds = [
        DefinedKind::Ivar,
        DefinedKind::Gvar,
        DefinedKind::Cvar,
        DefinedKind::Const,
        DefinedKind::ConstFrom,
        DefinedKind::FuncMethod,
        DefinedKind::Method,
        DefinedKind::Yield,
        DefinedKind::Super,
        DefinedKind::NthRef,
        DefinedKind::BackRef,
    ];
    let Some(kind) = kinds.get(what as usize) else { return Ok(false) };
    Ok(match kind {
        DefinedKind::Ivar => vm.ivar_get(f.this(), s).is_some(),
        DefinedKind::Gvar => vm.gvar_defined(s),
        DefinedKind::Cvar => cvar_class(vm).is_some_and(|c| vm.cvar_owner(c, s).is_some()),
        DefinedKind::Const => {
            let mut c = f.cref();
            let mut innermost = vm.classes.object.get();
            let mut first = true;
            while let Some(r) = c {
                if !r.pushed_by_eval {
                    if first {
                        innermost = r.class;
                        first = false;
                    }
                    if r.class.own_const(s).is_some() {
                        return Ok(true);
                    }
                }
                c = frame::cref_value(r.parent);
            }
            let object = vm.classes.object.get();
            innermost.mro().iter().chain(object.mro()).any(|k| k.own_const(s).is_some())
        }
        DefinedKind::ConstFrom => match recv.as_class() {
            Some(c) => c
                .mro()
                .iter()
                .take_while(|k| **k != vm.classes.object.get() || c == **k)
                .any(|k| k.own_const(s).is_some_and(|e| !e.private)),
            None => false,
        },
        DefinedKind::FuncMethod => {
            vm.method_defined(vm.class_of(f.this()), s, true) || responds_missing(vm, f.this(), s, true)?
        }
        DefinedKind::Method => match vm.find_method(vm.class_of(recv), s) {
            Some(m) if matches!(m.body, MethodBody::NotImplemented) => false,
            Some(m) => match m.visibility {
                Visibility::Public => true,
                Visibility::Private => false,
                Visibility::Protected => vm.class_of(f.this()).is_a(m.owner),
            },
            None => responds_missing(vm, recv, s, false)?,
        },
        DefinedKind::Yield => !f.block_word().is_nil(),
        DefinedKind::Super => match f.method() {
            Some(m) => vm.find_super_of(vm.class_of(f.this()), m).is_some(),
            None => false,
        },
        DefinedKind::NthRef | DefinedKind::BackRef => {
            let m = vm.last_match();
            if m.is_nil() {
                return Ok(false);
            }
            let (what, n) = if *kind == DefinedKind::NthRef {
                (5, name.as_fixnum().unwrap_or(0) as usize)
            } else {
                (
                    match name.as_fixnum().unwrap_or(0) as u8 {
                        b'&' => 1,
                        b'`' => 2,
                        b'\'' => 3,
                        _ => 4,
                    },
                    0,
                )
            };
            !get_match(vm, what, n)?.is_nil()
        }
    })
}

fn responds_missing(vm: Vm, recv: Value, name: Sym, private_too: bool) -> Ruby<bool> {
    let m = crate::object::sym::RESPOND_TO_MISSING;
    match vm.find_method(vm.class_of(recv), m) {
        Some(e) if e.owner != vm.classes.kernel.get() && e.owner != vm.classes.object.get() => {
            Ok(vm.send(recv, m, &[name.into(), Value::bool(private_too)])?.truthy())
        }
        _ => Ok(false),
    }
}
