//! Parameters, the callee's side: their registers, defaults, and what is destructured.

use super::Compiler;
use super::emit::Reg;
use super::scope::hidden_param;
use crate::bytecode::op::Op;
use crate::bytecode::proto::*;
use crate::syntax::ast::*;

/// One parameter: its variable, and the name that `parameters` shows.
struct Slot {
    var: Option<Name>,
    shown: Option<Name>,
}

impl<'a> Compiler<'a> {
    pub fn block_params(&mut self, p: &'a BlockParams) {
        match p {
            BlockParams::None => self.u.place_variables(&[]),
            BlockParams::Explicit { params, excess_comma, .. } => {
                self.u.params.excess_comma = *excess_comma;
                self.params(params);
            }
            BlockParams::Numbered(n) => {
                let names: Vec<Option<Name>> = (1..=*n).map(|i| Some(format!("_{i}").into())).collect();
                self.u.params.required = *n as u16;
                self.u.params.implicit = Implicit::Numbered;
                self.u.params.names = names.clone();
                self.u.place_variables(&names);
            }
            BlockParams::It => {
                self.u.params.required = 1;
                self.u.params.implicit = Implicit::It;
                self.u.params.names = vec![None];
                self.u.place_variables(&[Some("it".into())]);
            }
        }
    }

    /// Lays out the parameters, places all variables, and emits the prologue.
    pub fn params(&mut self, p: &'a Params) {
        let mut slots: Vec<Slot> = Vec::new();
        let mut destructured: Vec<(Reg, &'a MultiTarget)> = Vec::new();
        let named = |n: &Name| Slot { var: Some(n.clone()), shown: Some(n.clone()) };
        let mut positional = |p: &'a Param, slots: &mut Vec<Slot>| match p {
            Param::Name(n) => slots.push(named(n)),
            Param::Destructure(m) => {
                destructured.push((slots.len() as Reg + 1, m));
                slots.push(Slot { var: Some(hidden_param(slots.len())), shown: None });
            }
        };
        for r in &p.required {
            positional(r, &mut slots);
        }
        let first_optional = slots.len() as Reg + 1;
        p.optional.iter().for_each(|(n, _)| slots.push(named(n)));
        let rest = match &p.rest {
            Some(n) => Some(n.clone()),
            None if p.forward_all => Some(None),
            None => None,
        };
        if let Some(n) = &rest {
            slots.push(Slot { var: Some(n.clone().unwrap_or_else(|| "*".into())), shown: n.clone() });
        }
        for r in &p.post {
            positional(r, &mut slots);
        }
        let first_keyword = slots.len() as Reg + 1;
        p.keywords.iter().for_each(|(n, _)| slots.push(named(n)));
        let kwrest = match &p.kwrest {
            KwRest::Rest(n) => Some(n.clone()),
            _ if p.forward_all => Some(None),
            _ => None,
        };
        if let Some(n) = &kwrest {
            slots.push(Slot { var: Some(n.clone().unwrap_or_else(|| "**".into())), shown: n.clone() });
        }
        if let Some(Some(b)) = &p.block {
            slots.push(named(b));
        }
        let out = &mut self.u.params;
        out.required = p.required.len() as u16;
        out.rest = rest.is_some();
        out.post = p.post.len() as u16;
        out.keywords =
            p.keywords.iter().map(|(n, d)| KeywordProto { name: n.clone(), required: d.is_none() }).collect();
        out.kwrest = kwrest.is_some();
        out.no_keywords = p.kwrest == KwRest::Nil;
        out.block = matches!(p.block, Some(Some(_)));
        out.anon_block = p.block == Some(None) || p.forward_all;
        out.forward_all = p.forward_all;
        out.names = slots.iter().map(|s| s.shown.clone()).collect();
        self.uses_block_if(matches!(p.block, Some(Some(_))));
        let vars: Vec<Option<Name>> = slots.into_iter().map(|s| s.var).collect();
        self.u.place_variables(&vars);

        for (k, (name, default)) in p.optional.iter().enumerate() {
            let pc = self.u.pc();
            self.u.params.opt_entries.push(pc);
            self.default(name, first_optional + k as Reg, default);
        }
        if !p.optional.is_empty() {
            let pc = self.u.pc();
            self.u.params.opt_entries.push(pc);
        }
        for (k, (name, default)) in p.keywords.iter().enumerate() {
            let Some(default) = default else { continue };
            let reg = first_keyword + k as Reg;
            let given = self.u.label();
            self.u.br(Op::BrGiven, reg, given);
            self.default(name, reg, default);
            self.u.bind(given);
        }
        for (reg, m) in destructured {
            // a captured hidden parameter (bare `super` in a block) still has its register
            self.destructure(m, reg);
        }
    }

    fn default(&mut self, name: &Name, reg: Reg, default: &'a Node) {
        let v = self.var(name, default.span);
        let mark = self.u.next;
        match v {
            // another parameter of the same name (`_`) owns the variable
            super::Var::Reg(r) => self.expr(default, r),
            super::Var::Up(..) => {
                self.expr(default, reg);
                self.set_var(v, reg);
            }
        }
        self.u.next = mark;
    }

    fn uses_block_if(&mut self, yes: bool) {
        self.u.uses_block |= yes;
    }
}
