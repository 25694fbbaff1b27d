//! Definitions: methods, classes, alias, undef.

use crate::bytecode::iseq::{ClassSite, Iseq};
use crate::bytecode::proto::ClassWhat;
use crate::object::{Class, ConstState, Cref, MethodBody, MethodEntry, Ref, Visibility, sym};
use crate::value::{NIL, Ruby, Sym, Value};
use crate::vm::Vm;
use crate::vm::frame::{self, Frame};

/// Where `def` puts a method in this frame. Under `instance_eval` that is the receiver's singleton class, which is
/// made only now.
fn definee(vm: Vm, f: Frame) -> Ruby<(Class, Option<Ref<Cref>>)> {
    let Some(c) = f.cref() else { return Ok((vm.classes.object.get(), None)) };
    let to = c.definee.get();
    if to.is_nil() {
        return Ok((c.class, Some(c)));
    }
    let class = match to.as_class() {
        Some(k) => k,
        None => vm.singleton_class(to)?,
    };
    Ok((class, Some(c)))
}

#[inline(never)]
pub fn def_method(vm: Vm, f: Frame, name: Sym, iseq: *mut Iseq) -> Ruby {
    let (class, cref) = definee(vm, f)?;
    vm.check_class_frozen(class)?;
    let in_method = method_scope(vm, f);
    let vis = match cref {
        Some(c) if !in_method => c.visibility.get(),
        _ => 0,
    };
    let special = matches!(
        name,
        sym::INITIALIZE | sym::INITIALIZE_COPY | sym::INITIALIZE_DUP | sym::INITIALIZE_CLONE | sym::RESPOND_TO_MISSING
    );
    let visibility = match vis {
        _ if special => Visibility::Private,
        1 | 3 => Visibility::Private,
        2 => Visibility::Protected,
        _ => Visibility::Public,
    };
    let body = MethodBody::Code { iseq: iseq as *mut _, cref: cref.map_or(NIL, |c| c.value()) };
    vm.add_method(class, name, visibility, body);
    if vis == 3 && !special {
        let meta = vm.metaclass(class);
        vm.add_method(meta, name, Visibility::Public, body);
        vm.method_added(meta, name)?;
    }
    vm.method_added(class, name)?;
    Ok(name.into())
}

/// The frame (or its home) is a method body: `def` there is public.
fn method_scope(vm: Vm, f: Frame) -> bool {
    match f.cref() {
        Some(c) if c.pushed_by_eval => false,
        _ => f.me_word().as_method_entry().is_some() && f.home(vm).is_none_or(|h| h.flags() & frame::F_CLASS == 0),
    }
}

#[inline(never)]
pub fn def_singleton(vm: Vm, f: Frame, recv: Value, iseq: *mut Iseq) -> Ruby {
    let class = vm.singleton_class(recv)?;
    if recv.is_ptr() {
        vm.check_frozen(recv)?;
    }
    // SAFETY: a code object.
    let name = unsafe { (*iseq).rest.name };
    let cref = f.cref().map_or(NIL, |c| c.value());
    vm.add_method(class, name, Visibility::Public, MethodBody::Code { iseq: iseq as *mut _, cref });
    vm.method_added(class, name)?;
    Ok(name.into())
}

impl Vm {
    /// Calls `method_added` or `singleton_method_added` if somebody defined one.
    pub fn method_added(self, class: Class, name: Sym) -> Ruby<()> {
        self.method_hook(class, name, sym::METHOD_ADDED, sym::SINGLETON_METHOD_ADDED)
    }
    pub fn method_hook(self, class: Class, name: Sym, plain: Sym, singleton: Sym) -> Ruby<()> {
        if self.main.get().is_nil() {
            return Ok(());
        }
        let (recv, hook) =
            if class.is_singleton() { (class.attached.get(), singleton) } else { (class.value(), plain) };
        if let Some(m) = self.find_method(self.class_of(recv), hook)
            && !matches!(m.body, MethodBody::Native { .. })
        {
            self.send(recv, hook, &[name.into()])?;
        }
        Ok(())
    }

    /// `alias_method`: a copy of the entry under another name.
    pub fn alias_method(self, class: Class, new: Sym, old: Sym) -> Ruby<()> {
        self.check_class_frozen(class)?;
        let found = self
            .find_method(class, old)
            .or_else(|| self.refined_class(class).and_then(|c| self.find_method(c, old)))
            .or_else(|| if class.is_module() { self.find_method(self.classes.object.get(), old) } else { None });
        let Some(me) = found else { return Err(self.undefined_for_class(class, old)) };
        let always = matches!(
            new,
            sym::INITIALIZE
                | sym::INITIALIZE_COPY
                | sym::INITIALIZE_DUP
                | sym::INITIALIZE_CLONE
                | sym::RESPOND_TO_MISSING
        );
        let vis = if always { Visibility::Private } else { me.visibility };
        let e = MethodEntry::copy_with(&self, new, me.original_name, vis, class, me.defined_class, me.body);
        e.ruby2_keywords.set(me.ruby2_keywords.get());
        self.add_entry(class, new, e);
        self.method_added(class, new)
    }
    /// NameError "undefined method 'x' for class 'Foo'".
    pub fn undefined_for_class(self, class: Class, name: Sym) -> crate::value::Raised {
        let kind = if class.is_module() { "module" } else { "class" };
        let text = format!("undefined method '{}' for {kind} '{}'", self.symbols.text(name), self.class_name(class));
        self.name_error(&text, class.value(), name)
    }
    pub fn undef_method(self, class: Class, name: Sym) -> Ruby<()> {
        self.check_class_frozen(class)?;
        let found = self
            .find_method(class, name)
            .or_else(|| if class.is_module() { self.find_method(self.classes.object.get(), name) } else { None });
        if found.is_none() {
            return Err(self.undefined_for_class(class, name));
        }
        self.add_method(class, name, Visibility::Public, MethodBody::Undef);
        self.method_hook(class, name, sym::METHOD_UNDEFINED, sym::SINGLETON_METHOD_UNDEFINED)
    }

    /// A new class below `above` as `class` statements and Class.new make it: checks and the `inherited` hook.
    pub fn check_inheritable(self, above: Value) -> Ruby<Class> {
        let Some(s) = above.as_class().filter(|c| !c.is_module()) else {
            let text = self.class_name(self.real_class_of(above));
            return Err(
                self.type_error(&format!("superclass must be an instance of Class (given an instance of {text})"))
            );
        };
        if s.is_singleton() {
            return Err(self.type_error("can't make subclass of singleton class"));
        }
        if s == self.classes.class.get() {
            return Err(self.type_error("can't make subclass of Class"));
        }
        Ok(s)
    }
    pub fn inherited(self, above: Class, class: Class) -> Ruby<()> {
        let recv = above.value();
        if let Some(m) = self.find_method(self.class_of(recv), sym::INHERITED)
            && !matches!(m.body, MethodBody::Native { .. })
        {
            self.send(recv, sym::INHERITED, &[class.value()])?;
        }
        Ok(())
    }
}

/// Finds or makes what a `class`/`module` statement opens.
pub(super) fn open_class(vm: Vm, f: Frame, site: &ClassSite, scope: Value, above: Value) -> Ruby<Class> {
    if site.what == ClassWhat::Singleton {
        return vm.singleton_class(scope);
    }
    let outer = if site.has_scope {
        match scope.as_class() {
            Some(c) => c,
            None => {
                let text = vm.inspect(scope)?;
                return Err(vm.type_error(&format!("{} is not a class/module", text.text())));
            }
        }
    } else {
        let mut c = f.cref();
        while let Some(s) = c
            && s.pushed_by_eval
        {
            c = frame::cref_value(s.parent)
        }
        c.map_or(vm.classes.object.get(), |s| s.class)
    };
    if site.has_scope
        && let Some(e) = outer.own_const(site.name)
        && e.private
    {
        let text = format!("private constant {}::{} referenced", vm.class_name(outer), vm.symbols.text(site.name));
        return Err(vm.name_error(&text, outer.value(), site.name));
    }
    let existing = match outer.own_const(site.name).map(|e| e.state) {
        Some(ConstState::Value(v)) => Some(v),
        Some(ConstState::Autoload(_)) => vm.const_lookup(outer, site.name, false)?,
        None if outer == vm.classes.object.get() => vm.const_lookup(outer, site.name, true)?,
        None => None,
    };
    let name = vm.symbols.text(site.name).into_owned();
    let class = site.what == ClassWhat::Class;
    if let Some(v) = existing {
        let ok = v.as_class().filter(|c| c.is_module() != class);
        let Some(c) = ok else {
            let full =
                if outer == vm.classes.object.get() { name } else { format!("{}::{name}", vm.class_name(outer)) };
            let mut text = format!("{full} is not a {}", if class { "class" } else { "module" });
            if let Some(at) = outer.own_const(site.name)
                && let Some(file) = at.file.as_str()
            {
                text.push_str(&format!(
                    "\n{}:{}: previous definition of {} was here",
                    file.text(),
                    at.line,
                    vm.symbols.text(site.name)
                ));
            }
            return Err(vm.type_error(&text));
        };
        if site.has_super {
            let s = vm.check_inheritable(above)?;
            if c.real_superclass() != Some(s) {
                return Err(vm.type_error(&format!("superclass mismatch for class {}", vm.symbols.text(site.name))));
            }
        }
        return Ok(c);
    }
    if !class {
        let m = vm.new_module();
        vm.const_assign(outer, site.name, m.value())?;
        return Ok(m);
    }
    let s = if site.has_super { vm.check_inheritable(above)? } else { vm.classes.object.get() };
    vm.check_frozen(outer.value())?;
    let c = vm.new_class(s);
    vm.set_const(outer, site.name, c.value());
    vm.inherited(s, c)?;
    vm.const_added(outer, site.name)?;
    Ok(c)
}

impl Vm {
    fn const_added(self, class: Class, name: Sym) -> Ruby<()> {
        if let Some(m) = self.find_method(self.class_of(class.value()), sym::CONST_ADDED)
            && !matches!(m.body, MethodBody::Native { .. })
        {
            self.send(class.value(), sym::CONST_ADDED, &[name.into()])?;
        }
        Ok(())
    }
}

#[inline(never)]
pub fn alias(vm: Vm, f: Frame, new: Value, old: Value) -> Ruby<()> {
    let (class, _) = definee(vm, f)?;
    let (new, old) = (vm.to_name(new)?, vm.to_name(old)?);
    vm.alias_method(class, new, old)
}

#[inline(never)]
pub fn undef(vm: Vm, f: Frame, name: Value) -> Ruby<()> {
    let (class, _) = definee(vm, f)?;
    let name = vm.to_name(name)?;
    vm.undef_method(class, name)
}
