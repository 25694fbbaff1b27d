//! Which names are local variables at the point that is being read.

use crate::ast::Name;
use std::collections::HashMap;

#[derive(Debug)]
struct Scope {
    /// Index of the outermost scope that can be seen from here.
    floor: u32,
    names: Vec<Name>,
    /// A block or lambda (as opposed to a method, class or file).
    block: bool,
}

/// A stack of scopes. Looking a name up costs the same however deep the stack is.
#[derive(Debug)]
pub struct Locals {
    scopes: Vec<Scope>,
    /// The scopes that declare each name, innermost last.
    declared: HashMap<Name, Vec<u32>>,
}

impl Locals {
    /// The outermost scope, with the names an `eval` can see.
    pub fn new(outer: &[Name]) -> Locals {
        let mut locals = Locals { scopes: Vec::new(), declared: HashMap::new() };
        locals.push_opaque();
        for name in outer {
            locals.declare(name);
        }
        locals.push_block();
        locals.scopes[1].block = false;
        locals
    }

    /// Enters a `def`, `class` or `module`: nothing outside is seen.
    pub fn push_opaque(&mut self) {
        let floor = self.scopes.len() as u32;
        self.scopes.push(Scope { floor, names: Vec::new(), block: false });
    }

    /// Enters a block or lambda: what is outside stays visible.
    pub fn push_block(&mut self) {
        let floor = self.scopes.last().map_or(0, |s| s.floor);
        self.scopes.push(Scope { floor, names: Vec::new(), block: true });
    }

    /// Leaves the innermost scope; the outermost one stays.
    pub fn pop(&mut self) {
        if self.scopes.len() <= 2 {
            return;
        }
        if let Some(scope) = self.scopes.pop() {
            for name in scope.names {
                if let Some(list) = self.declared.get_mut(&name) {
                    list.pop();
                }
            }
        }
    }

    /// Makes `name` a local variable of the innermost scope.
    pub fn declare(&mut self, name: &Name) {
        let index = self.scopes.len() as u32 - 1;
        let list = self.declared.entry(name.clone()).or_default();
        if list.last() != Some(&index) {
            list.push(index);
            self.scopes[index as usize].names.push(name.clone());
        }
    }

    /// Makes `name` a local variable unless it is one already.
    pub fn assign(&mut self, name: &Name) {
        if !self.is_local(name) {
            self.declare(name);
        }
    }

    pub fn is_local(&self, name: &str) -> bool {
        let floor = self.scopes.last().map_or(0, |s| s.floor);
        self.declared.get(name).and_then(|list| list.last()).is_some_and(|&index| index >= floor)
    }

    /// Is the innermost scope a block, with or without parameters?
    pub fn in_block(&self) -> bool {
        self.scopes.last().is_some_and(|s| s.block)
    }

    /// Names declared in the outermost scope of the text, in order.
    pub fn top_names(&self) -> Vec<Name> {
        self.scopes[1].names.clone()
    }
}
