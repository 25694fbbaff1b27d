//! Conditions, loops, `case`, `begin` and `rescue`.

use super::{CallArg, Cx, span};
use crate::ast::*;

impl Cx<'_> {
    // ---- conditions

    /// What stands in a condition: a range there is a flip-flop, a regexp matches the last line read.
    pub(super) fn condition(&mut self, mut node: N) -> N {
        self.make_condition(&mut node);
        node
    }

    fn make_condition(&mut self, node: &mut Node) {
        let at = node.span;
        match &mut node.kind {
            Kind::And(a, b) | Kind::Or(a, b) => {
                self.make_condition(a);
                self.make_condition(b);
            }
            Kind::Range { .. } => {
                let Kind::Range { lo, hi, exclusive } = std::mem::replace(&mut node.kind, Kind::Nil) else { return };
                let lo = self.flip_flop_end(lo, at.start);
                let hi = self.flip_flop_end(hi, at.end);
                node.kind = Kind::FlipFlop { lo, hi, exclusive };
            }
            Kind::Regex { .. } => {
                let regex = std::mem::replace(&mut node.kind, Kind::Nil);
                node.kind = Kind::MatchLastLine(Box::new(Node::new(regex, at)));
                self.warn(at.start, "regex literal in condition", true);
            }
            Kind::Str(_) | Kind::DStr(_) => self.warn(at.start, "string literal in condition", false),
            Kind::Sym(_) | Kind::DSym(_) => self.warn(at.start, "symbol literal in condition", true),
            Kind::Asgn { value, .. } if is_literal(value) => {
                self.warn(at.start, "found '= literal' in conditional, should be ==", false);
            }
            _ => {}
        }
    }

    /// An integer at the end of a flip-flop is compared with the line number read last.
    fn flip_flop_end(&mut self, node: Option<N>, at: u32) -> N {
        let Some(node) = node else { return self.node(Kind::Nil, at, at) };
        if !matches!(node.kind, Kind::Int(_)) {
            return self.condition(node);
        }
        self.warn(node.span.start, "integer literal in flip-flop", false);
        let (l, r) = (node.span.start, node.span.end);
        let line = self.node(Kind::Gvar(self.fixed_gvar()), l, r);
        let op = self.operator("==", l, r);
        self.binary(node, op, line, l, r)
    }

    fn fixed_gvar(&self) -> Name {
        "$.".into()
    }

    pub fn if_else(&mut self, cond: N, then: N, els: Option<N>, l: u32, r: u32) -> N {
        let cond = self.condition(cond);
        self.node(Kind::If { cond, then: Some(then), els }, l, r)
    }
    pub fn unless_else(&mut self, cond: N, body: N, els: Option<N>, l: u32, r: u32) -> N {
        let cond = self.condition(cond);
        self.node(Kind::If { cond, then: els, els: Some(body) }, l, r)
    }
    pub fn if_modifier(&mut self, body: N, cond: N, l: u32, r: u32) -> N {
        self.if_else(cond, body, None, l, r)
    }
    pub fn unless_modifier(&mut self, body: N, cond: N, l: u32, r: u32) -> N {
        self.unless_else(cond, body, None, l, r)
    }

    // ---- loops

    pub fn while_loop(&mut self, cond: N, body: N, negate: bool, l: u32, r: u32) -> N {
        let cond = self.condition(cond);
        self.node(Kind::While { cond, body, negate, do_while: false }, l, r)
    }

    /// `body while cond`; the body, which reaches from `l` to `end`, runs first if it is a `begin` block.
    pub fn while_modifier(&mut self, body: N, cond: N, negate: bool, l: u32, end: u32, r: u32) -> N {
        let text = &self.source.bytes[l as usize..end as usize];
        let wrapped = text.starts_with(b"begin") && text.ends_with(b"end");
        let do_while = wrapped && body.span.start >= l + 5 && body.span.end + 3 <= end;
        let cond = self.condition(cond);
        self.node(Kind::While { cond, body, negate, do_while }, l, r)
    }

    pub fn for_loop(&mut self, target: Box<Target>, iter: N, body: N, l: u32, r: u32) -> N {
        self.node(Kind::For { target, iter, body }, l, r)
    }

    // ---- case

    pub fn when_clause(
        &mut self,
        tests: Vec<CallArg>,
        body: N,
        tail: (Vec<When>, Option<N>),
        l: u32,
        r: u32,
    ) -> (Vec<When>, Option<N>) {
        let (mut whens, els) = tail;
        let tests = self.values(tests);
        whens.push(When { tests, body, span: span(l, r) });
        (whens, els)
    }
    pub fn case_when(&mut self, subject: Option<N>, body: (Vec<When>, Option<N>), l: u32, r: u32) -> N {
        let (mut whens, els) = body;
        whens.reverse();
        self.warn_duplicate_whens(&whens);
        self.node(Kind::Case { subject, whens, els }, l, r)
    }

    fn warn_duplicate_whens(&mut self, whens: &[When]) {
        let mut seen = std::collections::HashMap::new();
        for test in whens.iter().flat_map(|w| &w.tests) {
            let Arg::Value(node) = test else { continue };
            let key = match &node.kind {
                Kind::Str(text) => format!("s{:?}", text.bytes),
                Kind::Sym(text) => format!(":{:?}", text.bytes),
                Kind::Int(value) => value.to_string(),
                Kind::Nil | Kind::True | Kind::False => format!("{:?}", node.kind),
                _ => continue,
            };
            let line = self.source.line_of(node.span.start);
            if let Some(first) = seen.get(&key) {
                let message =
                    format!("'when' clause on line {line} duplicates 'when' clause on line {first} and is ignored");
                self.warn(node.span.start, message, true);
            } else {
                seen.insert(key, line);
            }
        }
    }

    pub fn in_clause(
        &mut self,
        pattern: (Box<Pat>, Option<N>),
        tail: (N, Vec<InClause>, Option<N>),
        l: u32,
        r: u32,
    ) -> (Vec<InClause>, Option<N>) {
        let (body, mut clauses, els) = tail;
        let (pat, guard) = pattern;
        clauses.push(InClause { pat: *pat, guard, body, span: span(l, r) });
        (clauses, els)
    }
    pub fn in_rest_empty(&self, rest: (Vec<InClause>, Option<N>), l: u32) -> (N, Vec<InClause>, Option<N>) {
        (self.statements(Vec::new(), l, l), rest.0, rest.1)
    }
    pub fn in_rest(
        &self,
        body: Vec<Node>,
        rest: (Vec<InClause>, Option<N>),
        l: u32,
        r: u32,
    ) -> (N, Vec<InClause>, Option<N>) {
        (self.statements(body, l, r), rest.0, rest.1)
    }
    pub fn case_in(&mut self, subject: N, body: (Vec<InClause>, Option<N>), l: u32, r: u32) -> N {
        let (mut clauses, els) = body;
        clauses.reverse();
        self.node(Kind::CaseIn { subject, clauses, els }, l, r)
    }
    pub fn guard(&mut self, pat: Box<Pat>, cond: N, negate: bool) -> (Box<Pat>, Option<N>) {
        let (l, r) = (cond.span.start, cond.span.end);
        let cond = if negate { self.not(cond, l, r) } else { self.condition(cond) };
        (pat, Some(cond))
    }

    // ---- begin

    /// A body with its clauses; without any it is just its statements.
    pub fn body(&mut self, body: N, rescues: Vec<Rescue>, tail: (Option<N>, Option<N>), l: u32, r: u32) -> N {
        let (els, ensure) = tail;
        if rescues.is_empty() && els.is_none() && ensure.is_none() {
            return body;
        }
        if let (true, Some(els)) = (rescues.is_empty(), &els) {
            self.error(els.span, "else without rescue is useless");
        }
        self.node(Kind::Begin(Box::new(Begin { body, rescues, els, ensure })), l, r)
    }
    pub fn begin(&self, body: N, _l: u32, _r: u32) -> N {
        body
    }
    #[allow(clippy::too_many_arguments)]
    pub fn rescue(
        &mut self,
        mut clauses: Vec<Rescue>,
        classes: Vec<CallArg>,
        target: Option<Box<Target>>,
        body: N,
        l: u32,
        r: u32,
    ) -> Vec<Rescue> {
        let classes = self.values(classes);
        clauses.push(Rescue { classes, target, body, span: span(l, r) });
        clauses
    }
}

/// A literal whose truth never changes.
fn is_literal(node: &Node) -> bool {
    match &node.kind {
        Kind::Nil
        | Kind::True
        | Kind::False
        | Kind::Int(_)
        | Kind::BigInt(_)
        | Kind::Float(_)
        | Kind::Rational(..)
        | Kind::Imaginary(_)
        | Kind::Str(_)
        | Kind::Sym(_) => true,
        Kind::Regex { parts, .. } => parts.iter().all(|p| matches!(p.kind, Kind::Str(_))),
        Kind::Array(items) => items.iter().all(|item| matches!(item, Arg::Value(node) if is_literal(node))),
        Kind::Hash(pairs) => {
            pairs.iter().all(|pair| matches!(pair, Pair::Pair(key, value) if is_literal(key) && is_literal(value)))
        }
        _ => false,
    }
}
