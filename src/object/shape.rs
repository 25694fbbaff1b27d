//! Shapes: which instance variable lives in which slot. A tree; adding a name walks or grows an edge.

use crate::value::Sym;
use std::cell::RefCell;
use std::collections::HashMap;

#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShapeId(pub u32);

/// Shape of cells without slots of their own; never cached.
pub const NONE: ShapeId = ShapeId(0);
/// An object without instance variables.
pub const ROOT: ShapeId = ShapeId(1);

struct Shape {
    parent: ShapeId,
    name: Sym,
    /// number of slots in use
    len: u32,
    edges: HashMap<Sym, ShapeId>,
}

pub struct Shapes(RefCell<Vec<Shape>>);

impl Default for Shapes {
    fn default() -> Self {
        Self::new()
    }
}

impl Shapes {
    pub fn new() -> Shapes {
        let none = || Shape { parent: NONE, name: Sym(0), len: 0, edges: HashMap::new() };
        Shapes(RefCell::new(vec![none(), none()]))
    }

    /// Slot of `name`.
    pub fn slot(&self, shape: ShapeId, name: Sym) -> Option<u32> {
        let t = self.0.borrow();
        let mut s = &t[shape.0 as usize];
        while s.len > 0 {
            if s.name == name {
                return Some(s.len - 1);
            }
            s = &t[s.parent.0 as usize];
        }
        None
    }

    /// The shape with `name` added in the next slot.
    pub fn add(&self, shape: ShapeId, name: Sym) -> ShapeId {
        let mut t = self.0.borrow_mut();
        if let Some(&s) = t[shape.0 as usize].edges.get(&name) {
            return s;
        }
        let id = ShapeId(t.len() as u32);
        let len = t[shape.0 as usize].len + 1;
        t.push(Shape { parent: shape, name, len, edges: HashMap::new() });
        t[shape.0 as usize].edges.insert(name, id);
        id
    }

    /// Names in slot order.
    pub fn names(&self, shape: ShapeId) -> Vec<Sym> {
        let t = self.0.borrow();
        let mut s = &t[shape.0 as usize];
        let mut names = Vec::with_capacity(s.len as usize);
        while s.len > 0 {
            names.push(s.name);
            s = &t[s.parent.0 as usize];
        }
        names.reverse();
        names
    }

    pub fn len(&self, shape: ShapeId) -> u32 {
        self.0.borrow()[shape.0 as usize].len
    }
    pub fn is_empty(&self, shape: ShapeId) -> bool {
        self.len(shape) == 0
    }
}
