//! Rules that depend on what is around a node: `break` outside a loop, `yield` outside a method, `class` inside
//! one, anonymous parameters that are not there, values that never come.
//!
//! One walk over the finished tree. Its recursion is bounded by the lexer's nesting limit.
//! Facts: the `parse_*` context walks of prism.c, `value_expr` of parse.y.

mod pattern;
mod void;

use crate::ast::*;
use crate::diag::Diagnostic;
use crate::{ParseOptions, Source};

/// Is an anonymous parameter within reach?
#[derive(Clone, Copy, PartialEq, Eq)]
enum Anonymous {
    No,
    Yes,
    /// The method has one, but so has the block around.
    Hidden,
}

/// May `retry` stand here, and if not, why?
#[derive(Clone, Copy, PartialEq, Eq)]
enum Retry {
    WithoutRescue,
    AfterElse,
    AfterEnsure,
    Fine,
}

/// What is around a node.
#[derive(Clone, Copy)]
struct Around {
    /// `break`, `next` and `redo` have something to leave.
    jumps: bool,
    retry: Retry,
    yields: bool,
    returns: bool,
    /// Directly in a method: no `class`, no constant assignment.
    in_def: bool,
    rest: Anonymous,
    keywords: Anonymous,
    block: Anonymous,
    all: Anonymous,
}

/// The errors of a whole program, in no particular order.
pub fn check(source: &Source, options: &ParseOptions, body: &Node) -> Vec<Diagnostic> {
    let outer = |name: &str| {
        if options.locals.iter().any(|local| &**local == name) { Anonymous::Yes } else { Anonymous::No }
    };
    let around = Around {
        jumps: options.in_block,
        retry: Retry::WithoutRescue,
        yields: options.in_method,
        returns: true,
        in_def: false,
        rest: outer("*"),
        keywords: outer("**"),
        block: outer("&"),
        all: outer("..."),
    };
    let mut check = Check { source, errors: Vec::new() };
    check.node(body, around);
    check.errors
}

struct Check<'s> {
    source: &'s Source,
    errors: Vec<Diagnostic>,
}

impl Check<'_> {
    fn error(&mut self, at: Span, message: &str) {
        self.errors.push(Diagnostic::new(self.source, at, message));
    }

    /// A node whose value is used: it must have one.
    fn value(&mut self, node: &Node, around: Around) {
        if let Some(at) = void::never_valued(node) {
            self.error(at, "void value expression");
        }
        self.node(node, around);
    }

    fn optional(&mut self, node: Option<&Node>, around: Around) {
        if let Some(node) = node {
            self.node(node, around);
        }
    }

    fn node(&mut self, node: &Node, around: Around) {
        match &node.kind {
            Kind::Nil
            | Kind::True
            | Kind::False
            | Kind::SelfRef
            | Kind::Int(_)
            | Kind::BigInt(_)
            | Kind::Float(_)
            | Kind::Rational(..)
            | Kind::Imaginary(_)
            | Kind::Str(_)
            | Kind::Sym(_)
            | Kind::FileName
            | Kind::EncodingLit
            | Kind::Lvar(_)
            | Kind::Ivar(_)
            | Kind::Gvar(_)
            | Kind::Cvar(_)
            | Kind::NthRef(_)
            | Kind::BackRef(_)
            | Kind::GAlias { .. }
            | Kind::Const { scope: ConstScope::Lexical | ConstScope::Top, .. } => {}
            Kind::DStr(parts) | Kind::XStr(parts) | Kind::DSym(parts) | Kind::Regex { parts, .. } => {
                self.nodes(parts, around);
            }
            Kind::Embed(body) | Kind::MatchLastLine(body) => self.node(body, around),
            Kind::Array(items) => self.items(items, around),
            Kind::Hash(pairs) => self.pairs(pairs, around),
            Kind::Range { lo, hi, .. } => {
                for end in [lo, hi].into_iter().flatten() {
                    self.value(end, around);
                }
            }
            Kind::Const { scope: ConstScope::Of(scope), .. } => self.value(scope, around),
            Kind::Asgn { target, value } => {
                self.target(target, around);
                self.value(value, around);
            }
            Kind::OpAsgn { target, value, .. } => {
                // `A::B ||= 1` is fine in a method, `B ||= 1` is not.
                let lexical = matches!(target.kind, TargetKind::Const { scope: ConstScope::Lexical, .. });
                self.target(target, Around { in_def: around.in_def && lexical, ..around });
                self.value(value, around);
            }
            Kind::MultiAsgn { targets, value } => {
                self.multi(targets, around);
                self.value(value, around);
            }
            Kind::Call(call) => self.call(call, around),
            Kind::Super { args, block } => {
                self.args(args, node.span, around);
                self.block(block.as_deref(), around);
            }
            Kind::ZSuper { block } => self.block(block.as_deref(), around),
            Kind::Yield(args) => {
                if !around.yields {
                    self.error(node.span, "Invalid yield");
                }
                self.args(args, node.span, around);
            }
            Kind::Not(value) => self.value(value, around),
            Kind::And(a, b) | Kind::Or(a, b) => {
                self.value(a, around);
                self.node(b, around);
            }
            Kind::Defined(value) => self.node(value, Around { jumps: true, retry: Retry::Fine, ..around }),
            Kind::MatchAsgn { regex, value, .. } => {
                self.node(regex, around);
                self.value(value, around);
            }
            Kind::FlipFlop { lo, hi, .. } => {
                self.value(lo, around);
                self.value(hi, around);
            }
            Kind::Seq(statements) => self.nodes(statements, around),
            Kind::If { cond, then, els } => {
                self.value(cond, around);
                self.optional(then.as_deref(), around);
                self.optional(els.as_deref(), around);
            }
            Kind::While { cond, body, .. } => {
                let around = Around { jumps: true, ..around };
                self.value(cond, around);
                self.node(body, around);
            }
            Kind::For { target, iter, body } => {
                self.target(target, around);
                self.value(iter, around);
                self.node(body, Around { jumps: true, ..around });
            }
            Kind::Case { subject, whens, els } => {
                if let Some(subject) = subject {
                    self.value(subject, around);
                }
                for when in whens {
                    self.items(&when.tests, around);
                    self.node(&when.body, around);
                }
                self.optional(els.as_deref(), around);
            }
            Kind::CaseIn { subject, clauses, els } => {
                self.value(subject, around);
                for clause in clauses {
                    self.pattern(&clause.pat, around);
                    self.optional(clause.guard.as_deref(), around);
                    self.node(&clause.body, around);
                }
                self.optional(els.as_deref(), around);
            }
            Kind::MatchPattern { value, pat, .. } => {
                self.value(value, around);
                self.pattern(pat, around);
            }
            Kind::Break(value) | Kind::Next(value) => {
                if !around.jumps {
                    let word = if matches!(node.kind, Kind::Break(_)) { "break" } else { "next" };
                    self.error(node.span, &format!("Invalid {word}"));
                }
                if let Some(value) = value {
                    self.value(value, around);
                }
            }
            Kind::Redo => {
                if !around.jumps {
                    self.error(node.span, "Invalid redo");
                }
            }
            Kind::Retry => match around.retry {
                Retry::Fine => {}
                Retry::WithoutRescue => self.error(node.span, "Invalid retry without rescue"),
                Retry::AfterElse => self.error(node.span, "Invalid retry after else"),
                Retry::AfterEnsure => self.error(node.span, "Invalid retry after ensure"),
            },
            Kind::Return(value) => {
                if !around.returns {
                    self.error(node.span, "Invalid return in class/module body");
                }
                if let Some(value) = value {
                    self.value(value, around);
                }
            }
            Kind::Begin(begin) => self.begin(begin, around),
            Kind::RescueMod { body, rescue } => {
                self.node(body, around);
                self.node(rescue, Around { retry: Retry::Fine, ..around });
            }
            Kind::Def(def) => self.def(def, around),
            Kind::Class { cpath, superclass, body } => {
                if around.in_def {
                    self.error(node.span, "Class definition in method body");
                }
                self.scope(&cpath.scope, around);
                if let Some(superclass) = superclass {
                    self.value(superclass, around);
                }
                self.node(body, class_body());
            }
            Kind::Module { cpath, body } => {
                if around.in_def {
                    self.error(node.span, "Module definition in method body");
                }
                self.scope(&cpath.scope, around);
                self.node(body, class_body());
            }
            Kind::SClass { object, body } => {
                self.value(object, around);
                let inner = Around { returns: around.in_def && around.returns, ..class_body() };
                self.node(body, inner);
            }
            Kind::Alias { new, old } => {
                self.node(new, around);
                self.node(old, around);
            }
            Kind::Undef(names) => self.nodes(names, around),
            Kind::Lambda(block) => self.block(Some(block), around),
            Kind::PreExe(body) | Kind::PostExe(body) => {
                self.node(body, Around { jumps: false, retry: Retry::WithoutRescue, ..around });
            }
        }
    }

    fn nodes(&mut self, nodes: &[Node], around: Around) {
        for node in nodes {
            self.node(node, around);
        }
    }

    // ---- calls

    fn call(&mut self, call: &Call, around: Around) {
        if let Some(recv) = &call.recv {
            self.value(recv, around);
        }
        self.args(&call.args, call.name_span, around);
        self.block(call.block.as_deref(), around);
    }

    fn args(&mut self, args: &Args, at: Span, around: Around) {
        self.items(&args.positional, around);
        self.pairs(&args.keywords, around);
        match &args.block {
            Some(Some(block)) => self.value(block, around),
            Some(None) => self.anonymous(around.block, at, "block"),
            None => {}
        }
        if args.forward_all {
            match around.all {
                Anonymous::Yes => {}
                _ => self.error(at, "unexpected ... when the parent method is not forwarding"),
            }
        }
    }

    fn anonymous(&mut self, state: Anonymous, at: Span, what: &str) {
        match state {
            Anonymous::Yes => {}
            Anonymous::No => self.error(at, &format!("no anonymous {what} parameter")),
            Anonymous::Hidden => self.error(at, &format!("anonymous {what} parameter is also used within block")),
        }
    }

    fn items(&mut self, items: &[Arg], around: Around) {
        for item in items {
            match item {
                Arg::Value(node) => self.value(node, around),
                Arg::Splat(Some(node), _) => self.value(node, around),
                Arg::Splat(None, at) => self.anonymous(around.rest, *at, "rest"),
                Arg::Pairs(pairs) => self.pairs(pairs, around),
            }
        }
    }

    fn pairs(&mut self, pairs: &[Pair], around: Around) {
        for pair in pairs {
            match pair {
                Pair::Pair(key, value) => {
                    self.value(key, around);
                    self.value(value, around);
                }
                Pair::Splat(Some(value), _) => self.value(value, around),
                Pair::Splat(None, at) => self.anonymous(around.keywords, *at, "keyword rest"),
            }
        }
    }

    fn block(&mut self, block: Option<&Block>, around: Around) {
        let Some(block) = block else { return };
        let mut inner = Around { jumps: true, returns: true, ..around };
        if let BlockParams::Explicit { params, .. } = &block.params {
            self.params(params, inner);
            // The block's own anonymous parameters cannot be passed on, and hide the method's.
            let hide = |own: bool, state: Anonymous| if own { Anonymous::Hidden } else { state };
            inner.rest = hide(params.rest == Some(None), around.rest);
            inner.keywords = hide(params.kwrest == KwRest::Rest(None), around.keywords);
            inner.block = hide(params.block == Some(None), around.block);
        }
        self.node(&block.body, inner);
    }

    // ---- targets

    fn target(&mut self, target: &Target, around: Around) {
        match &target.kind {
            TargetKind::Lvar(_) | TargetKind::Ivar(_) | TargetKind::Gvar(_) | TargetKind::Cvar(_) => {}
            TargetKind::Const { scope, .. } => {
                if around.in_def {
                    self.error(target.span, "dynamic constant assignment");
                }
                self.scope(scope, around);
            }
            TargetKind::Index { recv, args } => {
                self.value(recv, around);
                self.args(args, target.span, around);
            }
            TargetKind::Attr { recv, .. } => self.value(recv, around),
            TargetKind::Multi(inner) => self.multi(inner, around),
        }
    }

    fn multi(&mut self, targets: &MultiTarget, around: Around) {
        let splat = targets.splat.iter().flatten().map(|target| &**target);
        for target in targets.pre.iter().chain(splat).chain(&targets.post) {
            if matches!(target.kind, TargetKind::Attr { safe: true, .. }) {
                self.error(target.span, "&. inside multiple assignment destination");
            }
            self.target(target, around);
        }
    }

    fn scope(&mut self, scope: &ConstScope, around: Around) {
        if let ConstScope::Of(node) = scope {
            self.value(node, around);
        }
    }

    // ---- bodies

    fn begin(&mut self, begin: &Begin, around: Around) {
        self.node(&begin.body, around);
        for rescue in &begin.rescues {
            self.items(&rescue.classes, around);
            if let Some(target) = &rescue.target {
                self.target(target, around);
            }
            self.node(&rescue.body, Around { retry: Retry::Fine, ..around });
        }
        let after = |retry: Retry| if around.retry == Retry::Fine { Retry::Fine } else { retry };
        self.optional(begin.els.as_deref(), Around { retry: after(Retry::AfterElse), ..around });
        self.optional(begin.ensure.as_deref(), Around { retry: after(Retry::AfterEnsure), ..around });
    }

    fn def(&mut self, def: &Def, around: Around) {
        if let Some(object) = &def.singleton {
            self.value(object, around);
        }
        let has = |present: bool| if present { Anonymous::Yes } else { Anonymous::No };
        let params = &def.params;
        let inner = Around {
            jumps: false,
            retry: Retry::WithoutRescue,
            yields: true,
            returns: true,
            in_def: true,
            rest: has(params.rest == Some(None)),
            keywords: has(params.kwrest == KwRest::Rest(None)),
            block: has(params.block == Some(None)),
            all: has(params.forward_all),
        };
        self.params(params, inner);
        self.node(&def.body, inner);
    }

    fn params(&mut self, params: &Params, around: Around) {
        for (_, value) in &params.optional {
            self.value(value, around);
        }
        for value in params.keywords.iter().filter_map(|(_, value)| value.as_ref()) {
            self.value(value, around);
        }
    }
}

/// What is around the statements of a class or module.
fn class_body() -> Around {
    Around {
        jumps: false,
        retry: Retry::WithoutRescue,
        yields: false,
        returns: false,
        in_def: false,
        rest: Anonymous::No,
        keywords: Anonymous::No,
        block: Anonymous::No,
        all: Anonymous::No,
    }
}
