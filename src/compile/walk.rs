//! One level of the tree at a time: what a node is made of, in source order.
//!
//! Shared by the resolver (`scope.rs`) and by the small questions the emitter asks of a subtree ("may this assign x?").

use crate::syntax::ast::*;

/// A direct part of a node.
pub enum Child<'a> {
    Node(&'a Node),
    /// A local variable that the node assigns.
    Write(&'a Name),
    /// A block or lambda body: a scope of its own.
    Block(&'a Block),
}

/// Calls `f` with each part of `n`. Bodies of `def`, `class`, `module`, `class <<`, `for` and `END` are left to the
/// caller: they are other scopes.
pub fn children<'a>(n: &'a Node, f: &mut dyn FnMut(Child<'a>)) {
    use Child::Node as C;
    match &n.kind {
        Kind::Nil
        | Kind::True
        | Kind::False
        | Kind::SelfRef
        | Kind::Int(_)
        | Kind::BigInt(_)
        | Kind::Float(_)
        | Kind::Rational(..)
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
        | Kind::Redo
        | Kind::Retry
        | Kind::GAlias { .. } => {}
        Kind::Imaginary(x)
        | Kind::Embed(x)
        | Kind::Not(x)
        | Kind::Defined(x)
        | Kind::MatchLastLine(x)
        | Kind::PreExe(x) => f(C(x)),
        Kind::DStr(v) | Kind::XStr(v) | Kind::DSym(v) | Kind::Seq(v) | Kind::Undef(v) => each(v, f),
        Kind::Regex { parts, .. } => each(parts, f),
        Kind::Array(args) => positional(args, f),
        Kind::Hash(p) => pairs(p, f),
        Kind::Range { lo, hi, .. } => {
            opt(lo, f);
            opt(hi, f);
        }
        Kind::Const { scope, .. } => const_scope(scope, f),
        Kind::Asgn { target: t, value } => {
            target(t, f);
            f(C(value));
        }
        Kind::OpAsgn { target: t, value, .. } => {
            target(t, f);
            f(C(value));
        }
        Kind::MultiAsgn { targets, value } => {
            multi(targets, f);
            f(C(value));
        }
        Kind::Call(c) => {
            opt(&c.recv, f);
            call_args(&c.args, f);
            block(&c.block, f);
        }
        Kind::Super { args, block: b } => {
            call_args(args, f);
            block(b, f);
        }
        Kind::ZSuper { block: b } => block(b, f),
        Kind::Yield(args) => call_args(args, f),
        Kind::And(a, b) | Kind::Or(a, b) => {
            f(C(a));
            f(C(b));
        }
        Kind::MatchAsgn { regex, value, names } => {
            f(C(regex));
            f(C(value));
            names.iter().for_each(|n| f(Child::Write(n)));
        }
        Kind::FlipFlop { lo, hi, .. } => {
            f(C(lo));
            f(C(hi));
        }
        Kind::If { cond, then, els } => {
            // modifiers stand behind what they guard
            let first = then.as_ref().or(els.as_ref()).map_or(u32::MAX, |t| t.span.start);
            if cond.span.start > first {
                opt(then, f);
                opt(els, f);
                f(C(cond));
            } else {
                f(C(cond));
                opt(then, f);
                opt(els, f);
            }
        }
        Kind::While { cond, body, .. } => {
            if cond.span.start > body.span.start {
                f(C(body));
                f(C(cond));
            } else {
                f(C(cond));
                f(C(body));
            }
        }
        Kind::For { target: t, iter, .. } => {
            target(t, f);
            f(C(iter));
        }
        Kind::Case { subject, whens, els } => {
            opt(subject, f);
            for w in whens {
                positional(&w.tests, f);
                f(C(&w.body));
            }
            opt(els, f);
        }
        Kind::CaseIn { subject, clauses, els } => {
            f(C(subject));
            for c in clauses {
                pat(&c.pat, f);
                opt(&c.guard, f);
                f(C(&c.body));
            }
            opt(els, f);
        }
        Kind::MatchPattern { value, pat: p, .. } => {
            f(C(value));
            pat(p, f);
        }
        Kind::Break(v) | Kind::Next(v) | Kind::Return(v) => opt(v, f),
        Kind::Begin(b) => {
            f(C(&b.body));
            for r in &b.rescues {
                positional(&r.classes, f);
                if let Some(t) = &r.target {
                    target(t, f);
                }
                f(C(&r.body));
            }
            opt(&b.els, f);
            opt(&b.ensure, f);
        }
        Kind::RescueMod { body, rescue } => {
            f(C(body));
            f(C(rescue));
        }
        Kind::Def(d) => opt(&d.singleton, f),
        Kind::Class { cpath, superclass, .. } => {
            const_scope(&cpath.scope, f);
            opt(superclass, f);
        }
        Kind::SClass { object, .. } => f(C(object)),
        Kind::Module { cpath, .. } => const_scope(&cpath.scope, f),
        Kind::Alias { new, old } => {
            f(C(new));
            f(C(old));
        }
        Kind::Lambda(b) => f(Child::Block(b)),
        Kind::PostExe(_) => {}
    }
}

fn opt<'a>(n: &'a Option<N>, f: &mut dyn FnMut(Child<'a>)) {
    if let Some(n) = n {
        f(Child::Node(n));
    }
}

fn each<'a>(v: &'a [Node], f: &mut dyn FnMut(Child<'a>)) {
    v.iter().for_each(|n| f(Child::Node(n)));
}

fn block<'a>(b: &'a Option<Box<Block>>, f: &mut dyn FnMut(Child<'a>)) {
    if let Some(b) = b {
        f(Child::Block(b));
    }
}

fn positional<'a>(args: &'a [Arg], f: &mut dyn FnMut(Child<'a>)) {
    for a in args {
        match a {
            Arg::Value(n) => f(Child::Node(n)),
            Arg::Splat(n, _) => opt(n, f),
            Arg::Pairs(p) => pairs(p, f),
        }
    }
}

fn pairs<'a>(ps: &'a [Pair], f: &mut dyn FnMut(Child<'a>)) {
    for p in ps {
        match p {
            Pair::Pair(k, v) => {
                f(Child::Node(k));
                f(Child::Node(v));
            }
            Pair::Splat(Some(n), _) => f(Child::Node(n)),
            Pair::Splat(None, _) => {}
        }
    }
}

/// The parts of an argument list.
pub fn call_args<'a>(a: &'a Args, f: &mut dyn FnMut(Child<'a>)) {
    positional(&a.positional, f);
    pairs(&a.keywords, f);
    if let Some(Some(b)) = &a.block {
        f(Child::Node(b));
    }
}

fn const_scope<'a>(s: &'a ConstScope, f: &mut dyn FnMut(Child<'a>)) {
    if let ConstScope::Of(n) = s {
        f(Child::Node(n));
    }
}

/// The parts of an assignment target; assigned locals come as `Write`.
pub fn target<'a>(t: &'a Target, f: &mut dyn FnMut(Child<'a>)) {
    match &t.kind {
        TargetKind::Lvar(n) => f(Child::Write(n)),
        TargetKind::Ivar(_) | TargetKind::Gvar(_) | TargetKind::Cvar(_) => {}
        TargetKind::Const { scope, .. } => const_scope(scope, f),
        TargetKind::Index { recv, args } => {
            f(Child::Node(recv));
            call_args(args, f);
        }
        TargetKind::Attr { recv, .. } => f(Child::Node(recv)),
        TargetKind::Multi(m) => multi(m, f),
    }
}

/// The parts of a multiple-assignment target.
pub fn multi<'a>(m: &'a MultiTarget, f: &mut dyn FnMut(Child<'a>)) {
    m.pre.iter().for_each(|t| target(t, f));
    if let Some(Some(t)) = &m.splat {
        target(t, f);
    }
    m.post.iter().for_each(|t| target(t, f));
}

fn pat<'a>(p: &'a Pat, f: &mut dyn FnMut(Child<'a>)) {
    match &p.kind {
        PatKind::Value(n) | PatKind::Pin(n) | PatKind::ConstEmpty(n) => f(Child::Node(n)),
        PatKind::Bind(n) => f(Child::Write(n)),
        PatKind::Alt(v) => v.iter().for_each(|p| pat(p, f)),
        PatKind::As(p, n) => {
            pat(p, f);
            f(Child::Write(n));
        }
        PatKind::Array { konst, pre, rest, post } => {
            opt(konst, f);
            pre.iter().for_each(|p| pat(p, f));
            if let Some(Some(n)) = rest {
                f(Child::Write(n));
            }
            post.iter().for_each(|p| pat(p, f));
        }
        PatKind::Find { konst, before, mid, after } => {
            opt(konst, f);
            before.iter().for_each(|n| f(Child::Write(n)));
            mid.iter().for_each(|p| pat(p, f));
            after.iter().for_each(|n| f(Child::Write(n)));
        }
        PatKind::Hash { konst, pairs, rest } => {
            opt(konst, f);
            for (k, p) in pairs {
                match p {
                    Some(p) => pat(p, f),
                    None => f(Child::Write(k)),
                }
            }
            if let KwRest::Rest(Some(n)) = rest {
                f(Child::Write(n));
            }
        }
    }
}

/// Might evaluating `n` assign the local `name` in this very code object? Looks at a bounded number of nodes and
/// says yes when it runs out: the answer only costs a `Move`.
pub fn may_assign(n: &Node, name: &str) -> bool {
    let mut budget = 48;
    scan(n, &mut budget, &mut |c| matches!(c, Child::Write(w) if &***w == name))
}

/// Might `n` contain a jump out of itself (`return`, `break`, `next`, `redo`, `retry`)? Bounded, like `may_assign`.
pub fn may_jump(n: &Node) -> bool {
    let mut budget = 200;
    scan(n, &mut budget, &mut |c| {
        matches!(c, Child::Node(n) if matches!(n.kind,
            Kind::Return(_) | Kind::Break(_) | Kind::Next(_) | Kind::Redo | Kind::Retry))
    })
}

fn scan(n: &Node, budget: &mut u32, hit: &mut dyn FnMut(&Child) -> bool) -> bool {
    if *budget == 0 || hit(&Child::Node(n)) {
        return true;
    }
    *budget -= 1;
    let mut found = false;
    // a `for` body belongs to another code object, but what it assigns is captured and so never in a register
    children(n, &mut |c| {
        if found {
            return;
        }
        found = match &c {
            Child::Node(n) => scan(n, budget, hit),
            Child::Write(_) => hit(&c),
            Child::Block(_) => false,
        };
    });
    found
}
