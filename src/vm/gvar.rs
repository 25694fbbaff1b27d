//! Global variables: plain ones and those with a getter or setter of their own.

use super::Vm;
use crate::value::{NIL, Ruby, Sym, Value};
use std::cell::RefCell;
use std::collections::HashMap;

pub type Getter = fn(Vm, Sym) -> Ruby;
pub type Setter = fn(Vm, Sym, Value) -> Ruby<()>;

#[derive(Clone, Copy, Default)]
struct Gvar {
    value: Option<Value>,
    get: Option<Getter>,
    set: Option<Setter>,
    alias: Option<Sym>,
}

#[derive(Default)]
pub struct Gvars(RefCell<HashMap<Sym, Gvar>>);

impl Gvars {
    pub fn trace(&self, m: &mut crate::heap::Marker) {
        for g in self.0.borrow().values() {
            if let Some(v) = g.value {
                m.value(v)
            }
        }
    }
    fn resolve(&self, name: Sym) -> Sym {
        let mut n = name;
        while let Some(a) = self.0.borrow().get(&n).and_then(|g| g.alias) {
            n = a
        }
        n
    }
}

impl Vm {
    /// Declares a variable with behaviour (`$stdout=` checks, `$,` ...). Names with the `$`.
    pub fn define_gvar(self, name: &str, value: Option<Value>, get: Option<Getter>, set: Option<Setter>) {
        let name = self.intern(name);
        self.gvars.0.borrow_mut().insert(name, Gvar { value, get, set, alias: None });
    }
    /// A setter for variables that cannot be assigned: NameError.
    pub fn readonly_gvar(self, name: Sym, _v: Value) -> Ruby<()> {
        let text = format!("{} is a read-only variable", self.symbols.text(name));
        Err(self.name_error(&text, NIL, name))
    }
    pub fn gvar_get(self, name: Sym) -> Ruby {
        let name = self.gvars.resolve(name);
        let g = self.gvars.0.borrow().get(&name).copied().unwrap_or_default();
        match g.get {
            Some(f) => f(self, name),
            None => Ok(g.value.unwrap_or(NIL)),
        }
    }
    pub fn gvar_set(self, name: Sym, v: Value) -> Ruby<()> {
        let name = self.gvars.resolve(name);
        let set = self.gvars.0.borrow().get(&name).and_then(|g| g.set);
        match set {
            Some(f) => f(self, name, v),
            None => {
                self.gvar_store(name, v);
                Ok(())
            }
        }
    }
    /// The plain value, past any setter.
    pub fn gvar_store(self, name: Sym, v: Value) {
        self.gvars.0.borrow_mut().entry(name).or_default().value = Some(v);
    }
    pub fn gvar_value(self, name: &str) -> Value {
        let name = self.intern(name);
        self.gvars.0.borrow().get(&name).and_then(|g| g.value).unwrap_or(NIL)
    }
    pub fn gvar_defined(self, name: Sym) -> bool {
        let name = self.gvars.resolve(name);
        self.gvars.0.borrow().get(&name).is_some_and(|g| g.value.is_some() || g.get.is_some())
    }
    pub fn gvar_alias(self, new: Sym, old: Sym) {
        if self.gvars.resolve(old) != new {
            self.gvars.0.borrow_mut().entry(new).or_default().alias = Some(old);
        }
    }
    pub fn gvar_names(self) -> Vec<Sym> {
        self.gvars.0.borrow().keys().copied().collect()
    }
}
