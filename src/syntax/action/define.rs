//! `def`, `class`, `module`, `alias`, `undef`.

use super::{Cx, span};
use crate::ast::*;
use crate::token::Ident;

/// A method definition up to its name.
#[derive(Debug)]
pub struct DefHead {
    singleton: Option<N>,
    name: Name,
    name_span: Span,
    params: Option<Box<Params>>,
}

impl Cx<'_> {
    // ---- methods

    pub fn def_head(&mut self, singleton: Option<N>, name: Name, l: u32, r: u32) -> Box<DefHead> {
        self.refuse_numbered_name(&name, span(l, r));
        Box::new(DefHead { singleton, name, name_span: span(l, r), params: None })
    }
    /// `def (expr).name`
    pub fn singleton(&mut self, object: N) -> N {
        let mut last = &*object;
        while let Kind::Seq(statements) = &last.kind
            && let Some(statement) = statements.last()
        {
            last = statement;
        }
        let literal = matches!(
            last.kind,
            Kind::Int(_)
                | Kind::BigInt(_)
                | Kind::Float(_)
                | Kind::Rational(..)
                | Kind::Imaginary(_)
                | Kind::Str(_)
                | Kind::DStr(_)
                | Kind::XStr(_)
                | Kind::Sym(_)
                | Kind::DSym(_)
                | Kind::Regex { .. }
                | Kind::Array(_)
                | Kind::Hash(_)
        );
        if literal {
            self.error(object.span, "can't define singleton method for literals");
        }
        object
    }
    pub fn endless_head(&mut self, mut head: Box<DefHead>, params: Option<Box<Params>>) -> Box<DefHead> {
        let setter = head.name.ends_with('=') && head.name.starts_with(|c: char| c.is_alphabetic() || c == '_');
        if setter {
            self.error(head.name_span, "setter method cannot be defined in an endless method definition");
        }
        head.params = Some(params.unwrap_or_default());
        head
    }
    pub fn endless_def(&mut self, mut head: Box<DefHead>, body: N, l: u32, r: u32) -> N {
        let params = head.params.take().unwrap_or_default();
        self.def_node(head, params, body, true, l, r)
    }
    pub fn def(&mut self, head: Box<DefHead>, params: Box<Params>, body: N, l: u32, r: u32) -> N {
        self.def_node(head, params, body, false, l, r)
    }
    fn def_node(&mut self, head: Box<DefHead>, params: Box<Params>, body: N, endless: bool, l: u32, r: u32) -> N {
        self.leave_opaque_scope(l);
        let DefHead { singleton, name, name_span, .. } = *head;
        let def = Def { singleton, name, params: *params, body, endless, name_span };
        self.node(Kind::Def(Box::new(def)), l, r)
    }

    // ---- classes

    pub fn cpath(&self, scope: ConstScope, name: Name, l: u32, r: u32) -> Box<CPath> {
        Box::new(CPath { scope, name, span: span(l, r) })
    }
    pub fn cpath_error(&mut self, ident: Ident, l: u32, r: u32) -> Box<CPath> {
        self.error(span(l, r), "class/module name must be CONSTANT");
        self.cpath(ConstScope::Lexical, ident.name, l, r)
    }
    pub fn class(&mut self, cpath: Box<CPath>, superclass: Option<N>, body: N, l: u32, r: u32) -> N {
        self.leave_opaque_scope(l);
        self.node(Kind::Class { cpath, superclass, body }, l, r)
    }
    pub fn singleton_class(&mut self, object: N, body: N, l: u32, r: u32) -> N {
        self.leave_opaque_scope(l);
        self.node(Kind::SClass { object, body }, l, r)
    }
    pub fn module(&mut self, cpath: Box<CPath>, body: N, l: u32, r: u32) -> N {
        self.leave_opaque_scope(l);
        self.node(Kind::Module { cpath, body }, l, r)
    }

    // ---- alias and undef

    pub fn alias(&self, new: N, old: N, l: u32, r: u32) -> N {
        self.node(Kind::Alias { new, old }, l, r)
    }
    pub fn alias_gvar(&self, new: Name, old: Name, l: u32, r: u32) -> N {
        self.node(Kind::GAlias { new, old }, l, r)
    }
    pub fn alias_back_ref(&self, new: Name, old: u8, l: u32, r: u32) -> N {
        self.alias_gvar(new, format!("${}", old as char).into(), l, r)
    }
    pub fn alias_nth_ref(&mut self, l: u32, r: u32) -> N {
        self.error(span(l, r), "can't make alias for the number variables");
        self.node(Kind::Nil, l, r)
    }
    pub fn undef(&self, names: Vec<N>, l: u32, r: u32) -> N {
        self.node(Kind::Undef(names.into_iter().map(|n| *n).collect()), l, r)
    }
}
