//! Patterns: each variable is bound once, and never in one alternative only.

use super::{Around, Check};
use crate::ast::*;
use std::collections::HashSet;

impl Check<'_> {
    pub(super) fn pattern(&mut self, pat: &Pat, around: Around) {
        let mut bound = HashSet::new();
        self.pat(pat, around, &mut bound, false);
    }

    fn bind(&mut self, name: &Name, at: Span, bound: &mut HashSet<Name>, in_alternative: bool) {
        if name.starts_with('_') {
            return;
        }
        if in_alternative {
            self.error(at, &format!("illegal variable in alternative pattern ({name})"));
        } else if !bound.insert(name.clone()) {
            self.error(at, "duplicated variable name");
        }
    }

    fn pat(&mut self, pat: &Pat, around: Around, bound: &mut HashSet<Name>, in_alternative: bool) {
        let at = pat.span;
        match &pat.kind {
            PatKind::Value(node) | PatKind::Pin(node) | PatKind::ConstEmpty(node) => self.node(node, around),
            PatKind::Bind(name) => self.bind(name, at, bound, in_alternative),
            PatKind::Alt(choices) => {
                for choice in choices {
                    self.pat(choice, around, bound, true);
                }
            }
            PatKind::As(inner, name) => {
                self.pat(inner, around, bound, in_alternative);
                self.bind(name, at, bound, in_alternative);
            }
            PatKind::Array { konst, pre, rest, post } => {
                self.optional(konst.as_deref(), around);
                for item in pre {
                    self.pat(item, around, bound, in_alternative);
                }
                if let Some(Some(name)) = rest {
                    self.bind(name, at, bound, in_alternative);
                }
                for item in post {
                    self.pat(item, around, bound, in_alternative);
                }
            }
            PatKind::Find { konst, before, mid, after } => {
                self.optional(konst.as_deref(), around);
                for name in [before, after].into_iter().flatten() {
                    self.bind(name, at, bound, in_alternative);
                }
                for item in mid {
                    self.pat(item, around, bound, in_alternative);
                }
            }
            PatKind::Hash { konst, pairs, rest } => {
                self.optional(konst.as_deref(), around);
                for (key, value) in pairs {
                    match value {
                        Some(value) => self.pat(value, around, bound, in_alternative),
                        None => self.bind(key, at, bound, in_alternative),
                    }
                }
                if let KwRest::Rest(Some(name)) = rest {
                    self.bind(name, at, bound, in_alternative);
                }
            }
        }
    }
}
