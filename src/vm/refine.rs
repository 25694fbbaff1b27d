//! Refinements: method lookup through what `using` activated in a lexical scope (`Cref::refinements`).

use super::Vm;
use super::frame::cref_value;
use super::native::Args;
use crate::object::{Class, Cref, MethodBody, MethodEntry, Proc, Ref, sym};
use crate::value::{NIL, Ruby, Sym, Value};

impl Vm {
    /// The class a refinement refines; `None` if the module is not one.
    pub fn refined_class(self, c: Class) -> Option<Class> {
        if !c.is_module() || !self.refined.get() {
            return None;
        }
        self.ivar_get(c.value(), self.intern("__refined_class"))?.as_class()
    }

    /// The method that refinements active in a scope give a call on an object of `class`.
    pub fn refined_method(self, cref: Option<Ref<Cref>>, class: Class, name: Sym) -> Option<Ref<MethodEntry>> {
        // Nothing here allocates before the method is found, so plain memory may hold the classes.
        let mut active: Vec<(Class, Class)> = Vec::new();
        let mut at = cref;
        while let Some(c) = at {
            if let Some(list) = c.refinements.get().as_array() {
                for pair in list.slice().chunks_exact(2) {
                    if let (Some(k), Some(r)) = (pair[0].as_class(), pair[1].as_class()) {
                        active.push((k, r));
                    }
                }
            }
            at = cref_value(c.parent);
        }
        if active.is_empty() {
            return None;
        }
        let mro = class.mro();
        for (i, &k) in mro.iter().enumerate() {
            for &(refined, r) in &active {
                // A refinement comes before the modules prepended to its class.
                let first = refined.mro().first().copied().unwrap_or(refined);
                if (k == first || k == refined && !mro[..i].contains(&first))
                    && let Some(e) = r.mro().iter().find_map(|m| m.own_method(name))
                {
                    match e.body {
                        MethodBody::Undef => return None,
                        MethodBody::ZSuper => continue,
                        _ => return Some(e),
                    }
                }
            }
            if k.own_method(name).is_some() {
                return None;
            }
        }
        None
    }

    /// The same for a native that acts for its Ruby caller (`send`, `method`).
    pub fn refined_here(self, recv: Value, name: Sym) -> Option<Ref<MethodEntry>> {
        if !self.refined.get() {
            return None;
        }
        let cref = self.ec().ruby_frame().and_then(|f| f.cref());
        self.refined_method(cref, self.class_of(recv), name)
    }

    /// The method `super` calls from `me` on an object of `class`; from a refinement it is the refined class's own.
    pub fn find_super_of(self, class: Class, me: Ref<MethodEntry>) -> Option<Ref<MethodEntry>> {
        let Some(refined) = self.refined_class(me.defined_class) else {
            return self.find_super(class, me.defined_class, me.original_name);
        };
        let mro = class.mro();
        let first = refined.mro().first().copied().unwrap_or(refined);
        let from = mro.iter().position(|&k| k == first || k == refined)?;
        let e = mro[from..].iter().find_map(|k| k.own_method(me.original_name))?;
        match e.body {
            MethodBody::Undef => None,
            MethodBody::ZSuper => self.resolve_zsuper(class, e),
            _ => Some(e),
        }
    }

    /// `&:name` where refinements are active: the Proc looks through them.
    pub fn refined_symbol_proc(self, name: Sym) -> Option<Proc> {
        fn call(vm: Vm, data: Value, args: Args) -> Ruby {
            let Some(pair) = data.as_array() else { return Ok(NIL) };
            let name = pair.get(0).as_symbol().unwrap_or(sym::EMPTY);
            let Some(recv) = args.get(0) else { return Err(vm.arg_error("no receiver given")) };
            let rest = &args.all()[1..];
            match vm.refined_method(cref_value(pair.get(1)), vm.class_of(recv), name) {
                Some(me) => vm.call_method(me, recv, rest, args.has_keywords(), args.block()),
                None => vm.send_full(recv, name, rest, args.has_keywords(), args.block(), false),
            }
        }
        if !self.refined.get() {
            return None;
        }
        let cref = self.ec().ruby_frame()?.cref()?;
        let mut at = Some(cref);
        while let Some(c) = at {
            if !c.refinements.get().is_nil() {
                let data = self.array(&[name.into(), cref.value()]);
                return Some(self.native_proc(call, data, true, -2));
            }
            at = cref_value(c.parent);
        }
        None
    }

    /// Activates refinements (`[class, refinement, ...]`) in a scope, before those that are active already.
    pub fn activate_refinements(self, cref: Ref<Cref>, pairs: crate::object::Ary) {
        let list = crate::object::RArray::from_slice(&self, pairs.slice());
        if let Some(old) = cref.refinements.get().as_array() {
            list.extend(&self, old.slice());
        }
        cref.refinements.set(list.value());
        self.note_refinements(pairs);
    }
    /// Caches forget what they know, and refined operators switch the fast paths off.
    pub fn note_refinements(self, pairs: crate::object::Ary) {
        self.refined.set(true);
        for pair in pairs.slice().chunks_exact(2) {
            if let (Some(k), Some(r)) = (pair[0].as_class(), pair[1].as_class()) {
                for (name, _) in r.own_methods() {
                    self.note_redefinition(k, name);
                }
            }
        }
        self.cache.invalidate_all();
    }
}
