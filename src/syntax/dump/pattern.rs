//! Patterns as text.

use super::{list, node, optional};
use crate::ast::*;
use crate::dump::text::Sexp;

pub fn pat(item: &Pat) -> Sexp {
    match &item.kind {
        PatKind::Value(value) => list("value", [&**value]),
        PatKind::Pin(value) => list("pin", [&**value]),
        PatKind::Bind(name) => list("bind", [name]),
        PatKind::Alt(choices) => list("alt", choices.iter().map(pat)),
        PatKind::As(inner, name) => list("as", [pat(inner), Sexp::from(name)]),
        PatKind::Array { konst, pre, rest, post } => {
            let mut all: Vec<Sexp> = pre.iter().map(pat).collect();
            all.extend(rest.iter().map(|name| splat(name.as_ref())));
            all.extend(post.iter().map(pat));
            with_const("array_pat", konst.as_deref(), all)
        }
        PatKind::Find { konst, before, mid, after } => {
            let mut all = vec![splat(before.as_ref())];
            all.extend(mid.iter().map(pat));
            all.push(splat(after.as_ref()));
            with_const("find_pat", konst.as_deref(), all)
        }
        PatKind::Hash { konst, pairs, rest } => {
            let mut all: Vec<Sexp> = pairs
                .iter()
                .map(|(key, value)| {
                    let key = Sexp::Atom(format!("{key}:"));
                    Sexp::List(match value {
                        Some(value) => vec![key, pat(value)],
                        None => vec![key],
                    })
                })
                .collect();
            match rest {
                KwRest::None => {}
                KwRest::Nil => all.push(Sexp::word("**nil")),
                KwRest::Rest(name) => all.push(Sexp::Atom(format!("**{}", name.as_deref().unwrap_or("")))),
            }
            with_const("hash_pat", konst.as_deref(), all)
        }
        PatKind::ConstEmpty(konst) => list("empty_pat", [node(konst)]),
    }
}

fn splat(name: Option<&Name>) -> Sexp {
    list("splat", name)
}

fn with_const(head: &str, konst: Option<&Node>, items: Vec<Sexp>) -> Sexp {
    let mut all = vec![optional(konst)];
    all.extend(items);
    list(head, all)
}
