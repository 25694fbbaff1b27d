//! Which variable belongs to which scope, and which of them a nested block can see.
//!
//! One pass over the tree before anything is emitted. A name means the same variable throughout one scope: either it
//! was visible outside when the block first mentioned it, or it is the block's own. So the emitter only needs, for
//! each scope, the list of its own variables.

use super::walk::{self, Child};
use crate::syntax::ast::*;
use std::collections::HashMap;
use std::rc::Rc;

/// What opens a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScopeKind {
    Top,
    Eval,
    Method,
    Class,
    Block,
    /// The body of `for`: a code object, but variables belong to the scope around it.
    For,
}

impl ScopeKind {
    /// Can it see the variables around it?
    pub fn nested(self) -> bool {
        matches!(self, ScopeKind::Block | ScopeKind::For)
    }
}

/// A variable of one scope. Hidden ones have names that no source can spell (`*`, `%flip12`).
#[derive(Debug, Clone)]
pub struct Var {
    pub name: Name,
    /// lives in the env record
    pub captured: bool,
    pub param: bool,
}

/// What the resolver found out about a scope.
#[derive(Debug)]
pub struct Scope {
    pub kind: ScopeKind,
    pub vars: Vec<Var>,
    index: HashMap<Name, usize>,
    /// contains a block, lambda or `for`
    pub has_child: bool,
    /// contains `binding`, `eval` or the like: every variable is captured
    pub dynamic: bool,
    /// something in it reads `$~` or a part of it
    pub reads_match: bool,
    /// something in it reads `$_`
    pub reads_line: bool,
}

impl Scope {
    fn new(kind: ScopeKind) -> Scope {
        Scope {
            kind,
            vars: Vec::new(),
            index: HashMap::new(),
            has_child: false,
            dynamic: false,
            reads_match: false,
            reads_line: false,
        }
    }

    /// The scope's own variable of that name.
    pub fn find(&self, name: &str) -> Option<&Var> {
        self.index.get(name).map(|&i| &self.vars[i])
    }

    fn declare(&mut self, name: &Name, captured: bool, param: bool) {
        if let Some(&i) = self.index.get(name) {
            self.vars[i].captured |= captured;
            self.vars[i].param |= param;
            return;
        }
        self.index.insert(name.clone(), self.vars.len());
        self.vars.push(Var { name: name.clone(), captured, param });
    }
}

/// Scopes by the address of the node that opens them.
pub type Scopes = HashMap<usize, Rc<Scope>>;

/// The key of a scope's node.
pub fn key<T>(node: &T) -> usize {
    node as *const T as usize
}

/// The key of the program itself (its address could be that of its first node).
pub const PROGRAM: usize = 0;

/// Hidden name of a flip-flop's state.
pub fn flip_name(n: &Node) -> Name {
    format!("%flip{}_{}", n.span.start, n.span.end).into()
}

/// Hidden name of the `i`th parameter when it is destructured.
pub fn hidden_param(i: usize) -> Name {
    format!("%p{i}").into()
}

/// Resolves a whole program; `outer` answers whether an enclosing scope of an eval has the name.
pub fn resolve(program: &Program, kind: ScopeKind, outer: &dyn Fn(&str) -> bool) -> Scopes {
    let mut r = Resolver { stack: Vec::new(), done: HashMap::new(), outer };
    r.stack.push(Scope::new(kind));
    if kind == ScopeKind::Eval {
        r.stack[0].dynamic = true;
    }
    r.node(&program.body);
    r.close(PROGRAM);
    r.done
}

struct Resolver<'a> {
    stack: Vec<Scope>,
    done: Scopes,
    outer: &'a dyn Fn(&str) -> bool,
}

impl Resolver<'_> {
    fn close(&mut self, key: usize) {
        let mut s = self.stack.pop().expect("a scope is open");
        if s.dynamic {
            s.vars.iter_mut().for_each(|v| v.captured = true);
            // what is evaluated here may read `$~` too
            s.reads_match |= !s.kind.nested();
        }
        self.done.insert(key, Rc::new(s));
    }

    fn top(&mut self) -> &mut Scope {
        self.stack.last_mut().expect("a scope is open")
    }

    /// Index of the method, class body or program around.
    fn home(&self) -> usize {
        self.stack.iter().rposition(|s| !s.kind.nested()).unwrap_or(0)
    }

    /// A mention of a variable: finds its scope, or declares it in the innermost one that owns variables.
    fn mention(&mut self, name: &Name) {
        let top = self.stack.len() - 1;
        for i in (0..=top).rev() {
            let s = &mut self.stack[i];
            if let Some(&v) = s.index.get(name) {
                s.vars[v].captured |= i != top;
                return;
            }
            if !s.kind.nested() {
                if s.kind == ScopeKind::Eval && (self.outer)(name) {
                    return;
                }
                break;
            }
        }
        let owner = self.stack.iter().rposition(|s| s.kind != ScopeKind::For).unwrap_or(0);
        self.stack[owner].declare(name, owner != top, false);
    }

    /// A hidden variable of the home scope.
    fn mention_home(&mut self, name: &Name) {
        let (home, top) = (self.home(), self.stack.len() - 1);
        self.stack[home].declare(name, home != top, false);
    }

    fn mark_dynamic(&mut self) {
        for s in self.stack.iter_mut().rev() {
            s.dynamic = true;
            if !s.kind.nested() {
                break;
            }
        }
    }

    fn node(&mut self, n: &Node) {
        match &n.kind {
            Kind::Lvar(name) => self.mention(name),
            Kind::NthRef(_) | Kind::BackRef(_) => self.uses_match(),
            Kind::MatchAsgn { .. } => {
                self.uses_match();
                self.parts(n);
            }
            Kind::MatchLastLine(_) => {
                self.uses_match();
                self.uses_line();
                self.parts(n);
            }
            Kind::Gvar(name) => match &**name {
                "$~" => self.uses_match(),
                "$_" => self.uses_line(),
                _ => {}
            },
            Kind::OpAsgn { target, .. } | Kind::Asgn { target, .. } => {
                if let TargetKind::Gvar(name) = &target.kind {
                    match &**name {
                        "$~" => self.uses_match(),
                        "$_" => self.uses_line(),
                        _ => {}
                    }
                }
                self.parts(n);
            }
            Kind::Call(c) => {
                if &*c.name == "last_match" {
                    self.uses_match();
                }
                if looks_inside(c) {
                    self.mark_dynamic();
                }
                self.args(&c.args);
                self.parts(n);
            }
            Kind::Super { args, .. } => {
                self.args(args);
                self.parts(n);
            }
            Kind::Yield(args) => {
                self.args(args);
                self.parts(n);
            }
            Kind::Array(args) => {
                if args.iter().any(|a| matches!(a, Arg::Splat(None, _))) {
                    self.mention(&"*".into());
                }
                self.parts(n);
            }
            Kind::Hash(pairs) => {
                if pairs.iter().any(|p| matches!(p, Pair::Splat(None, _))) {
                    self.mention(&"**".into());
                }
                self.parts(n);
            }
            Kind::ZSuper { .. } => {
                let (home, top) = (self.home(), self.stack.len() - 1);
                if home != top {
                    self.stack[home].vars.iter_mut().filter(|v| v.param).for_each(|v| v.captured = true);
                }
                self.parts(n);
            }
            Kind::FlipFlop { .. } => {
                self.mention_home(&flip_name(n));
                self.parts(n);
            }
            Kind::For { body, .. } => {
                // the targets are assigned by the block, so they are captured
                let mut targets = Vec::new();
                walk::children(n, &mut |c| targets.push(c));
                let iter = targets.pop();
                if let Some(Child::Node(iter)) = iter {
                    self.node(iter);
                }
                self.top().has_child = true;
                self.stack.push(Scope::new(ScopeKind::For));
                targets.into_iter().for_each(|c| self.child(c));
                self.node(body);
                self.close(key(n));
            }
            Kind::PostExe(body) => {
                self.top().has_child = true;
                self.stack.push(Scope::new(ScopeKind::Block));
                self.node(body);
                self.close(key(n));
            }
            Kind::Def(d) => {
                self.parts(n);
                self.stack.push(Scope::new(ScopeKind::Method));
                self.params(&d.params);
                self.node(&d.body);
                self.close(key(&**d));
            }
            Kind::Class { body, .. } | Kind::SClass { body, .. } | Kind::Module { body, .. } => {
                self.parts(n);
                self.stack.push(Scope::new(ScopeKind::Class));
                self.node(body);
                self.close(key(n));
            }
            _ => self.parts(n),
        }
    }

    fn parts(&mut self, n: &Node) {
        walk::children(n, &mut |c| self.child(c));
    }

    fn child(&mut self, c: Child) {
        match c {
            Child::Node(n) => self.node(n),
            Child::Write(name) => self.mention(name),
            Child::Block(b) => self.block(b),
        }
    }

    fn args(&mut self, a: &Args) {
        if a.forward_all || a.positional.iter().any(|a| matches!(a, Arg::Splat(None, _))) {
            self.mention(&"*".into());
        }
        if a.forward_all || a.keywords.iter().any(|p| matches!(p, Pair::Splat(None, _))) {
            self.mention(&"**".into());
        }
    }

    fn block(&mut self, b: &Block) {
        self.top().has_child = true;
        self.stack.push(Scope::new(ScopeKind::Block));
        match &b.params {
            BlockParams::None => {}
            BlockParams::Explicit { params, locals, .. } => {
                // before the parameters, whose defaults may hold blocks
                locals.iter().for_each(|l| self.top().declare(l, false, false));
                self.params(params);
            }
            BlockParams::Numbered(n) => {
                (1..=*n).for_each(|i| self.top().declare(&format!("_{i}").into(), false, true));
            }
            BlockParams::It => self.top().declare(&"it".into(), false, true),
        }
        self.node(&b.body);
        self.close(key(b));
    }

    fn params(&mut self, p: &Params) {
        let mut i = 0;
        for r in &p.required {
            self.param(r, &mut i);
        }
        for (name, _) in &p.optional {
            self.top().declare(name, false, true);
            i += 1;
        }
        if p.forward_all {
            self.top().declare(&"*".into(), false, true);
            i += 1;
        }
        if let Some(rest) = &p.rest {
            let name = rest.clone().unwrap_or_else(|| "*".into());
            self.top().declare(&name, false, true);
            i += 1;
        }
        for r in &p.post {
            self.param(r, &mut i);
        }
        for (name, _) in &p.keywords {
            self.top().declare(name, false, true);
        }
        match &p.kwrest {
            KwRest::Rest(name) => {
                let name = name.clone().unwrap_or_else(|| "**".into());
                self.top().declare(&name, false, true);
            }
            _ if p.forward_all => self.top().declare(&"**".into(), false, true),
            _ => {}
        }
        if let Some(Some(b)) = &p.block {
            self.top().declare(b, false, true);
        }
        // destructured names come after all parameters; defaults may mention anything declared by now
        for r in p.required.iter().chain(&p.post) {
            if let Param::Destructure(m) = r {
                walk::multi(m, &mut |c| match c {
                    Child::Write(n) => self.top().declare(n, false, false),
                    c => self.child(c),
                });
            }
        }
        p.optional.iter().for_each(|(_, d)| self.node(d));
        p.keywords.iter().filter_map(|(_, d)| d.as_ref()).for_each(|d| self.node(d));
    }

    fn param(&mut self, p: &Param, i: &mut usize) {
        match p {
            Param::Name(n) => self.top().declare(n, false, true),
            Param::Destructure(_) => {
                let name = hidden_param(*i);
                self.top().declare(&name, false, true);
            }
        }
        *i += 1;
    }

    fn uses_match(&mut self) {
        let home = self.home();
        self.stack[home].reads_match = true;
    }

    fn uses_line(&mut self) {
        let home = self.home();
        self.stack[home].reads_line = true;
    }
}

/// Is this a call that can see the caller's variables by name?
fn looks_inside(c: &Call) -> bool {
    let by_name = |name: &str| {
        matches!(
            name,
            "binding"
                | "eval"
                | "instance_eval"
                | "class_eval"
                | "module_eval"
                | "local_variables"
                | "local_variable_get"
                | "local_variable_set"
                | "local_variable_defined?"
        )
    };
    match &*c.name {
        "instance_eval" | "class_eval" | "module_eval" => !c.args.positional.is_empty() || c.args.forward_all,
        "send" | "__send__" | "public_send" => match c.args.positional.first() {
            Some(Arg::Value(Node { kind: Kind::Sym(b) | Kind::Str(b), .. })) => {
                std::str::from_utf8(&b.bytes).is_ok_and(by_name)
            }
            _ => false,
        },
        name => by_name(name),
    }
}
