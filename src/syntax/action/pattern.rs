//! Patterns of `case/in`, `=>` and `in`.

use super::{Cx, Part, Var, VarKind, span};
use crate::ast::*;
use crate::token::{Ident, Resolved};

/// An element of an array pattern.
#[derive(Debug)]
pub enum PatItem {
    Pat(Box<Pat>),
    Splat(Option<Name>, Span),
}

/// An element of a hash pattern.
#[derive(Debug)]
pub enum PatKey {
    Pair(Name, Option<Box<Pat>>, Span),
    Rest(KwRest, Span),
}

/// What stands between the parentheses of `Const(...)`.
#[derive(Debug)]
pub enum PatArgs {
    Items((Vec<PatItem>, bool)),
    Keys(Vec<PatKey>),
}

impl Cx<'_> {
    fn pat(&self, kind: PatKind, l: u32, r: u32) -> Box<Pat> {
        Box::new(Pat { kind, span: span(l, r) })
    }

    pub fn match_required(&self, value: N, pat: Box<Pat>, l: u32, r: u32) -> N {
        self.node(Kind::MatchPattern { value, pat, raises: true }, l, r)
    }
    pub fn match_predicate(&self, value: N, pat: Box<Pat>, l: u32, r: u32) -> N {
        self.node(Kind::MatchPattern { value, pat, raises: false }, l, r)
    }

    // ---- leaves

    pub fn pat_value(&self, value: N) -> Box<Pat> {
        let at = value.span;
        self.pat(PatKind::Value(value), at.start, at.end)
    }
    pub fn pat_range(&self, lo: Option<N>, hi: Option<N>, exclusive: bool, l: u32, r: u32) -> Box<Pat> {
        self.pat_value(self.range(lo, hi, exclusive, l, r))
    }
    pub fn pat_bind(&mut self, ident: Ident, l: u32, r: u32) -> Box<Pat> {
        self.refuse_numbered_name(&ident.name, span(l, r));
        self.pat(PatKind::Bind(ident.name), l, r)
    }
    pub fn pat_pin(&mut self, ident: Ident, l: u32, r: u32) -> Box<Pat> {
        let at = span(l, r);
        if ident.resolved == Resolved::Call {
            self.error(at, format!("{}: no such local variable", ident.name));
        }
        let var = Var { kind: VarKind::Ident(ident.resolved), name: ident.name, span: at };
        let node = self.variable(var);
        self.pat(PatKind::Pin(node), l, r)
    }
    pub fn pat_pin_variable(&mut self, var: Var, l: u32, r: u32) -> Box<Pat> {
        let node = self.variable(var);
        self.pat(PatKind::Pin(node), l, r)
    }
    pub fn pat_pin_expr(&self, value: N, l: u32, r: u32) -> Box<Pat> {
        self.pat(PatKind::Value(value), l, r)
    }

    // ---- combinations

    pub fn pat_as(&mut self, pat: Box<Pat>, ident: Ident, l: u32, r: u32) -> Box<Pat> {
        self.refuse_numbered_name(&ident.name, span(l, r));
        self.pat(PatKind::As(pat, ident.name), l, r)
    }
    pub fn pat_alt(&self, mut a: Box<Pat>, b: Box<Pat>, l: u32, r: u32) -> Box<Pat> {
        if let PatKind::Alt(list) = &mut a.kind
            && a.span.start == l
        {
            list.push(*b);
            a.span.end = r;
            return a;
        }
        self.pat(PatKind::Alt(vec![*a, *b]), l, r)
    }

    // ---- arrays

    pub fn pat_splat(&mut self, ident: Option<Ident>, l: u32, r: u32) -> PatItem {
        PatItem::Splat(ident.map(|i| i.name), span(l, r))
    }
    pub fn pat_list(&mut self, items: Vec<PatItem>, l: u32, r: u32) -> Box<Pat> {
        self.pat_array(None, (items, false), l, r)
    }
    /// `in a,` takes what follows, too.
    pub fn pat_open_list(&mut self, items: Vec<PatItem>, l: u32, r: u32) -> Box<Pat> {
        self.pat_array(None, (items, true), l, r)
    }
    pub fn pat_list_from(&mut self, first: PatItem, mut items: Vec<PatItem>, l: u32, r: u32) -> Box<Pat> {
        items.insert(0, first);
        self.pat_array(None, (items, false), l, r)
    }
    pub fn pat_open_list_from(&mut self, first: PatItem, mut items: Vec<PatItem>, l: u32, r: u32) -> Box<Pat> {
        items.insert(0, first);
        self.pat_array(None, (items, true), l, r)
    }
    pub fn pat_array(&mut self, konst: Option<N>, list: (Vec<PatItem>, bool), l: u32, r: u32) -> Box<Pat> {
        let (items, open) = list;
        let splats = items.iter().filter(|item| matches!(item, PatItem::Splat(..))).count();
        if splats > 1 {
            return self.pat_find(konst, items, l, r);
        }
        let (mut pre, mut rest, mut post) = (Vec::new(), None, Vec::new());
        for item in items {
            match item {
                PatItem::Splat(name, _) => rest = Some(name),
                PatItem::Pat(pat) if rest.is_none() => pre.push(*pat),
                PatItem::Pat(pat) => post.push(*pat),
            }
        }
        if open && rest.is_some() {
            self.error(span(r.saturating_sub(1), r), "unexpected ',' after the rest of a pattern");
        } else if open {
            rest = Some(None);
        }
        self.pat(PatKind::Array { konst, pre, rest, post }, l, r)
    }

    /// `[*, x, *]`
    fn pat_find(&mut self, konst: Option<N>, items: Vec<PatItem>, l: u32, r: u32) -> Box<Pat> {
        let last = items.len() - 1;
        let (mut before, mut after, mut mid) = (None, None, Vec::new());
        for (index, item) in items.into_iter().enumerate() {
            match item {
                PatItem::Splat(name, _) if index == 0 => before = name,
                PatItem::Splat(name, _) if index == last => after = name,
                PatItem::Splat(_, at) => self.error(at, "unexpected '*' splat in a pattern"),
                PatItem::Pat(pat) if index == 0 || index == last => {
                    self.error(pat.span, "a pattern with two splats must begin and end with one");
                }
                PatItem::Pat(pat) => mid.push(*pat),
            }
        }
        if mid.is_empty() {
            self.error(span(l, r), "a find pattern needs something to find between its splats");
        }
        self.pat(PatKind::Find { konst, before, mid, after }, l, r)
    }

    // ---- hashes

    pub fn pat_key(&mut self, key: Ident, pat: Option<Box<Pat>>, l: u32, r: u32) -> PatKey {
        if pat.is_none() {
            self.check_key_binds(&key.name, span(l, r));
        }
        PatKey::Pair(key.name, pat, span(l, r))
    }
    pub fn pat_string_key(&mut self, key: Vec<Part>, pat: Option<Box<Pat>>, l: u32, r: u32) -> PatKey {
        let at = span(l, r);
        let key = self.string(key, l, r);
        let name: Name = match &key.kind {
            Kind::Str(text) => String::from_utf8_lossy(&text.bytes).as_ref().into(),
            _ => {
                self.error(at, "symbol literal with interpolation is not allowed");
                "".into()
            }
        };
        if pat.is_none() {
            self.check_key_binds(&name, at);
        }
        PatKey::Pair(name, pat, at)
    }
    fn check_key_binds(&mut self, name: &str, at: Span) {
        let variable = name.starts_with(|c: char| c == '_' || (c.is_alphabetic() && !c.is_uppercase()))
            && name.chars().all(|c| c == '_' || c.is_alphanumeric());
        if !variable {
            self.error(at, "key must be valid as local variables");
        }
        self.refuse_numbered_name(name, at);
    }
    pub fn pat_key_rest(&mut self, ident: Option<Ident>, l: u32, r: u32) -> PatKey {
        PatKey::Rest(KwRest::Rest(ident.map(|i| i.name)), span(l, r))
    }
    pub fn pat_no_rest(&mut self, l: u32, r: u32) -> PatKey {
        PatKey::Rest(KwRest::Nil, span(l, r))
    }
    pub fn pat_keys(&mut self, konst: Option<N>, keys: Vec<PatKey>, l: u32, r: u32) -> Box<Pat> {
        let mut pairs: Vec<(Name, Option<Pat>)> = Vec::new();
        let mut rest = KwRest::None;
        let mut seen = std::collections::HashSet::new();
        for key in keys {
            let at = match &key {
                PatKey::Pair(_, _, at) | PatKey::Rest(_, at) => *at,
            };
            if rest != KwRest::None {
                self.error(at, "unexpected pattern after the rest of a hash pattern");
            }
            match key {
                PatKey::Pair(name, pat, _) => {
                    if !seen.insert(name.clone()) {
                        self.error(at, "duplicated key name");
                    }
                    pairs.push((name, pat.map(|p| *p)));
                }
                PatKey::Rest(kind, _) => rest = kind,
            }
        }
        self.pat(PatKind::Hash { konst, pairs, rest }, l, r)
    }

    /// `Const(...)`
    pub fn pat_const(&mut self, konst: N, args: PatArgs, l: u32, r: u32) -> Box<Pat> {
        match args {
            PatArgs::Items((items, _)) if items.is_empty() => self.pat(PatKind::ConstEmpty(konst), l, r),
            PatArgs::Items(list) => self.pat_array(Some(konst), list, l, r),
            PatArgs::Keys(keys) => self.pat_keys(Some(konst), keys, l, r),
        }
    }
}
