//! Method lookup caches: a global one for natives, and the lists of call sites by name.
//!
//! A change to a method named `n` anywhere empties the sites named `n` and the global cache's lines for `n`: definitions
//! after boot are rare next to calls, and a site check is one compare of the class.

use super::Vm;
use crate::bytecode::iseq::Site;
use crate::object::{Class, MethodBody, MethodEntry, Ref, Visibility, sym};
use crate::value::Sym;
use std::cell::{Cell, UnsafeCell};

const LINES: usize = 2048;

#[derive(Clone, Copy)]
struct Line {
    class: usize,
    name: u32,
    me: Option<Ref<MethodEntry>>,
}

pub struct Caches {
    lines: Box<[Cell<Line>]>,
    /// head (sentinel) of each name's site list
    heads: UnsafeCell<Vec<Option<Box<Site>>>>,
    /// bumped by any change to methods
    pub serial: Cell<u64>,
}

impl Default for Caches {
    fn default() -> Self {
        Caches {
            lines: (0..LINES).map(|_| Cell::new(Line { class: 0, name: 0, me: None })).collect(),
            heads: UnsafeCell::default(),
            serial: Cell::new(1),
        }
    }
}

impl Caches {
    /// Puts a site into its name's list (K2).
    pub fn link(&self, site: &Site) {
        // SAFETY: H5; the borrow ends before anything else runs. Sentinels are boxed, so their addresses are stable.
        unsafe {
            let heads = &mut *self.heads.get();
            let i = site.name.0 as usize;
            if heads.len() <= i {
                heads.resize_with(i + 1, || None);
            }
            let head: *mut Site =
                &mut **heads[i].get_or_insert_with(|| Box::new(Site::new(site.name, 0, 0, std::ptr::null())));
            let this = site as *const Site as *mut Site;
            let next = (*head).next.get();
            site.next.set(next);
            site.prev.set(head);
            if !next.is_null() {
                (*next).prev.set(this);
            }
            (*head).next.set(this);
        }
    }

    /// Forgets everything cached under a name.
    pub fn invalidate(&self, name: Sym) {
        self.serial.set(self.serial.get() + 1);
        for l in &self.lines {
            if l.get().name == name.0 {
                l.set(Line { class: 0, name: 0, me: None })
            }
        }
        // SAFETY: K2: list members are live sites.
        unsafe {
            let heads: &Vec<Option<Box<Site>>> = &*self.heads.get();
            if let Some(Some(head)) = heads.get(name.0 as usize) {
                let mut s = head.next.get();
                while !s.is_null() {
                    (*s).class.set(std::ptr::null_mut());
                    s = (*s).next.get();
                }
            }
        }
    }

    /// Forgets everything (a class died, ancestors changed).
    pub fn invalidate_all(&self) {
        self.serial.set(self.serial.get() + 1);
        self.forget_lines();
        // SAFETY: as above.
        unsafe {
            let heads: &Vec<Option<Box<Site>>> = &*self.heads.get();
            for head in heads.iter().flatten() {
                let mut s = head.next.get();
                while !s.is_null() {
                    (*s).class.set(std::ptr::null_mut());
                    s = (*s).next.get();
                }
            }
        }
    }

    /// After a collection: lines hold weak references.
    pub fn forget_lines(&self) {
        for l in &self.lines {
            l.set(Line { class: 0, name: 0, me: None })
        }
    }
}

impl Vm {
    /// The method a call finds: undefs give `None`, visibility marks are followed.
    #[inline]
    pub fn find_method(self, class: Class, name: Sym) -> Option<Ref<MethodEntry>> {
        let key = class.as_ptr() as usize;
        let line = &self.cache.lines[(key >> 4 ^ (name.0 as usize).wrapping_mul(0x9e37)) & (LINES - 1)];
        let l = line.get();
        if l.class == key && l.name == name.0 {
            return l.me;
        }
        let me = self.find_uncached(class, name);
        line.set(Line { class: key, name: name.0, me });
        me
    }

    fn find_uncached(self, class: Class, name: Sym) -> Option<Ref<MethodEntry>> {
        let me = class.lookup(name)?;
        match me.body {
            MethodBody::Undef => None,
            MethodBody::ZSuper => self.resolve_zsuper(class, me),
            _ => Some(me),
        }
    }

    /// A visibility mark: the next real method, with the mark's visibility.
    pub fn resolve_zsuper(self, class: Class, me: Ref<MethodEntry>) -> Option<Ref<MethodEntry>> {
        let mut after = me.owner;
        loop {
            let next = class.lookup_super(after, me.name)?;
            match next.body {
                MethodBody::Undef => return None,
                MethodBody::ZSuper => after = next.owner,
                body => {
                    let m = MethodEntry::copy_with(
                        &self,
                        me.name,
                        next.original_name,
                        me.visibility,
                        me.owner,
                        next.defined_class,
                        body,
                    );
                    m.ruby2_keywords.set(next.ruby2_keywords.get());
                    return Some(m);
                }
            }
        }
    }

    /// The next method up for `super` from a method defined in `after`.
    pub fn find_super(self, class: Class, after: Class, name: Sym) -> Option<Ref<MethodEntry>> {
        let me = class.lookup_super(after, name)?;
        match me.body {
            MethodBody::Undef => None,
            MethodBody::ZSuper => self.resolve_zsuper(class, me),
            _ => Some(me),
        }
    }

    /// `respond_to?` without `respond_to_missing?`.
    pub fn method_defined(self, class: Class, name: Sym, private_too: bool) -> bool {
        match self.find_method(class, name) {
            Some(m) => {
                (private_too || m.visibility == Visibility::Public) && !matches!(m.body, MethodBody::NotImplemented)
            }
            None => false,
        }
    }

    /// The method is the one a core class was born with (`class` is its owner and it is native or prelude).
    pub fn is_core_method(self, recv: crate::value::Value, name: Sym, owner: Class) -> bool {
        match self.find_method(self.class_of(recv), name) {
            Some(m) => m.owner == owner && matches!(m.body, MethodBody::Native { .. }),
            None => false,
        }
    }

    /// `method_missing` is BasicObject's own.
    pub fn default_method_missing(self, class: Class) -> bool {
        match self.find_method(class, sym::METHOD_MISSING) {
            Some(m) => m.owner == self.classes.basic_object.get() && matches!(m.body, MethodBody::Native { .. }),
            None => true,
        }
    }
}
