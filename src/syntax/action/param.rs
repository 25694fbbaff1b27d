//! Parameters of methods, blocks and lambdas: one flat list in the grammar, put in order here.

use super::{Cx, Word, span};
use crate::ast::*;
use crate::token::Ident;
use std::collections::HashSet;

/// One parameter, before its place in the list is checked.
#[derive(Debug)]
pub struct ParamItem {
    kind: ItemKind,
    span: Span,
}

#[derive(Debug)]
enum ItemKind {
    Required(Name),
    Optional(Name, N),
    Rest(Option<Name>),
    Key(Name, Option<N>),
    KwRest(Option<Name>),
    NoKeywords,
    Block(Option<Name>),
    NoBlock,
    Destructure(Box<MultiTarget>),
    Forward,
    /// Refused already.
    Bad,
}

/// Parts of a parameter list in the order they must come.
#[derive(PartialEq, PartialOrd, Clone, Copy)]
enum Part {
    Required,
    Optional,
    Rest,
    Post,
    Keyword,
    KwRest,
    Block,
}

impl Cx<'_> {
    // ---- single parameters

    fn item(&self, kind: ItemKind, l: u32, r: u32) -> ParamItem {
        ParamItem { kind, span: span(l, r) }
    }
    pub fn param_required(&self, ident: Ident, l: u32, r: u32) -> ParamItem {
        self.item(ItemKind::Required(ident.name), l, r)
    }
    pub fn param_optional(&self, ident: Ident, value: N, l: u32, r: u32) -> ParamItem {
        self.item(ItemKind::Optional(ident.name, value), l, r)
    }
    pub fn param_rest(&self, ident: Option<Ident>, l: u32, r: u32) -> ParamItem {
        self.item(ItemKind::Rest(ident.map(|i| i.name)), l, r)
    }
    pub fn param_key(&mut self, ident: Ident, value: Option<N>, l: u32, r: u32) -> ParamItem {
        let at = span(l, r);
        if ident.name.starts_with(|c: char| c.is_uppercase()) {
            self.error(at, "formal argument cannot be a constant");
        } else if ident.name.ends_with(['?', '!']) {
            self.error(at, "unexpected label terminator, expected a local variable name");
        }
        self.item(ItemKind::Key(ident.name, value), l, r)
    }
    pub fn param_kwrest(&self, ident: Option<Ident>, l: u32, r: u32) -> ParamItem {
        self.item(ItemKind::KwRest(ident.map(|i| i.name)), l, r)
    }
    pub fn param_no_keywords(&self, l: u32, r: u32) -> ParamItem {
        self.item(ItemKind::NoKeywords, l, r)
    }
    pub fn param_block(&self, ident: Option<Ident>, l: u32, r: u32) -> ParamItem {
        self.item(ItemKind::Block(ident.map(|i| i.name)), l, r)
    }
    pub fn param_no_block(&self, l: u32, r: u32) -> ParamItem {
        self.item(ItemKind::NoBlock, l, r)
    }
    pub fn param_forward(&self, l: u32, r: u32) -> ParamItem {
        self.item(ItemKind::Forward, l, r)
    }
    pub fn param_bad(&mut self, what: &str, l: u32, r: u32) -> ParamItem {
        self.error(span(l, r), format!("formal argument cannot be {what}"));
        self.item(ItemKind::Bad, l, r)
    }
    pub fn param_destructure(&mut self, items: Vec<ParamItem>, trailing: bool, l: u32, r: u32) -> ParamItem {
        let mut multi = MultiTarget::default();
        for item in items {
            let target = match item.kind {
                ItemKind::Required(name) => Target { kind: TargetKind::Lvar(name), span: item.span },
                ItemKind::Destructure(inner) => Target { kind: TargetKind::Multi(*inner), span: item.span },
                ItemKind::Rest(name) => {
                    if multi.splat.is_some() {
                        self.error(item.span, "unexpected multiple '*' splat parameters");
                    }
                    let splat = name.map(|name| Box::new(Target { kind: TargetKind::Lvar(name), span: item.span }));
                    multi.splat = Some(splat);
                    continue;
                }
                _ => continue,
            };
            if multi.splat.is_some() { multi.post.push(target) } else { multi.pre.push(target) }
        }
        multi.trailing_comma = trailing && multi.splat.is_none();
        self.item(ItemKind::Destructure(Box::new(multi)), l, r)
    }

    // ---- lists

    /// A method's parameters; a comma may be left over, though not after `...` or `&block`.
    pub fn params(&mut self, list: (Vec<ParamItem>, bool), l: u32, r: u32) -> Box<Params> {
        let (items, trailing) = list;
        let last = items.last().map(|item| &item.kind);
        if trailing && matches!(last, Some(ItemKind::Block(_) | ItemKind::NoBlock | ItemKind::Forward)) {
            self.error(span(r.saturating_sub(1), r), "unexpected ',' in parameters");
        }
        let mut seen = HashSet::new();
        Box::new(self.ordered(items, &mut seen, true, l, r))
    }

    pub fn block_params(
        &mut self,
        list: (Vec<ParamItem>, bool),
        locals: Vec<Word>,
        l: u32,
        r: u32,
    ) -> Box<BlockParams> {
        let (items, trailing) = list;
        let mut seen = HashSet::new();
        let params = self.ordered(items, &mut seen, false, l, r);
        let only_required = params.optional.is_empty()
            && params.rest.is_none()
            && params.keywords.is_empty()
            && params.kwrest == KwRest::None
            && params.block.is_none();
        if trailing && !only_required {
            self.error(span(r.saturating_sub(2), r), "unexpected ',' in block parameters");
        }
        for local in &locals {
            self.parameter_name(&local.name, local.span, &mut seen);
        }
        let excess_comma = trailing && params.required.len() == 1;
        let locals = locals.into_iter().map(|local| local.name).collect();
        Box::new(BlockParams::Explicit { params, locals, excess_comma })
    }

    pub fn lambda_params(
        &mut self,
        list: (Vec<ParamItem>, bool),
        locals: Vec<Word>,
        l: u32,
        r: u32,
    ) -> Box<BlockParams> {
        if list.1 {
            self.error(span(r.saturating_sub(1), r), "unexpected ',' in parameters");
        }
        self.block_params(list, locals, l, r)
    }

    /// `->a, b {}`; `-> {}` has no list at all.
    pub fn bare_lambda_params(&mut self, list: (Vec<ParamItem>, bool), l: u32, r: u32) -> Option<Box<BlockParams>> {
        if list.0.is_empty() {
            return None;
        }
        Some(self.lambda_params(list, Vec::new(), l, r))
    }

    /// Notes a parameter's name; a second one of the same name is an error unless it begins with `_`.
    fn parameter_name(&mut self, name: &Name, at: Span, seen: &mut HashSet<Name>) {
        self.refuse_numbered_name(name, at);
        if !seen.insert(name.clone()) && !name.starts_with('_') {
            self.error(at, "duplicated argument name");
        }
    }

    fn destructured_names(&mut self, multi: &MultiTarget, seen: &mut HashSet<Name>) {
        let splat = multi.splat.iter().flatten().map(|target| &**target);
        for target in multi.pre.iter().chain(splat).chain(&multi.post) {
            match &target.kind {
                TargetKind::Lvar(name) => self.parameter_name(name, target.span, seen),
                TargetKind::Multi(inner) => self.destructured_names(inner, seen),
                _ => {}
            }
        }
    }

    fn ordered(&mut self, items: Vec<ParamItem>, seen: &mut HashSet<Name>, method: bool, l: u32, r: u32) -> Params {
        let mut params = Params { span: span(l, r), ..Params::default() };
        let mut reached = Part::Required;
        let mut block_seen = false;
        for item in items {
            let at = item.span;
            let name = match &item.kind {
                ItemKind::Required(name) | ItemKind::Optional(name, _) | ItemKind::Key(name, _) => Some(name),
                ItemKind::Rest(name) | ItemKind::KwRest(name) | ItemKind::Block(name) => name.as_ref(),
                _ => None,
            };
            if let Some(name) = name {
                self.parameter_name(name, at, seen);
            }
            let part = match &item.kind {
                ItemKind::Required(_) | ItemKind::Destructure(_) if reached == Part::Required => Part::Required,
                ItemKind::Required(_) | ItemKind::Destructure(_) => Part::Post,
                ItemKind::Optional(..) => Part::Optional,
                ItemKind::Rest(_) => Part::Rest,
                ItemKind::Key(..) => Part::Keyword,
                ItemKind::KwRest(_) | ItemKind::NoKeywords => Part::KwRest,
                ItemKind::Block(_) | ItemKind::NoBlock => Part::Block,
                ItemKind::Forward => Part::Block,
                ItemKind::Bad => continue,
            };
            let repeats = matches!(part, Part::Rest | Part::KwRest | Part::Block) && part == reached;
            let late_forward = matches!(item.kind, ItemKind::Forward) && reached >= Part::Rest && reached != Part::Post;
            let keywords_given = matches!(item.kind, ItemKind::NoKeywords) && !params.keywords.is_empty();
            if late_forward && reached == Part::Rest {
                self.error(at, "... after rest argument");
            } else if part < reached || keywords_given || repeats || block_seen || params.forward_all || late_forward {
                self.error(at, "unexpected parameter order");
            }
            reached = if part > reached { part } else { reached };
            match item.kind {
                ItemKind::Required(name) => {
                    let list = if part == Part::Post { &mut params.post } else { &mut params.required };
                    list.push(Param::Name(name));
                }
                ItemKind::Destructure(multi) => {
                    self.destructured_names(&multi, seen);
                    let list = if part == Part::Post { &mut params.post } else { &mut params.required };
                    list.push(Param::Destructure(*multi));
                }
                ItemKind::Optional(name, value) => params.optional.push((name, *value)),
                ItemKind::Rest(name) => params.rest = Some(name),
                ItemKind::Key(name, value) => params.keywords.push((name, value.map(|v| *v))),
                ItemKind::KwRest(name) => params.kwrest = KwRest::Rest(name),
                ItemKind::NoKeywords => params.kwrest = KwRest::Nil,
                ItemKind::Block(name) => {
                    params.block = Some(name);
                    block_seen = true;
                }
                ItemKind::NoBlock => {
                    params.no_block = true;
                    block_seen = true;
                }
                ItemKind::Forward => {
                    if !method {
                        self.error(at, "unexpected ... when the parent method is not forwarding");
                    }
                    params.forward_all = true;
                }
                ItemKind::Bad => {}
            }
        }
        params
    }
}
