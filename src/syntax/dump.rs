//! The tree as text: S-expressions, one line where they fit, indented where they do not.
//!
//! An atom is a word, a number, `:symbol` or a `"string"`; `_` stands for a part that is not there.

mod pattern;
mod text;
mod tokens;

use crate::ast::*;
use text::Sexp;

pub use tokens::dump_tokens;

/// The whole program, ending in a newline. The same tree always gives the same text.
pub fn dump(program: &Program) -> String {
    let mut out = String::new();
    node(&program.body).print(&mut out);
    out.push('\n');
    out
}

fn list<T>(head: &str, items: impl IntoIterator<Item = T>) -> Sexp
where
    Sexp: From<T>,
{
    let mut all = vec![Sexp::word(head)];
    all.extend(items.into_iter().map(Sexp::from));
    Sexp::List(all)
}

fn optional(item: Option<&Node>) -> Sexp {
    item.map_or(Sexp::word("_"), node)
}

fn boxed(item: &Option<N>) -> Sexp {
    optional(item.as_deref())
}

impl From<&Node> for Sexp {
    fn from(item: &Node) -> Sexp {
        node(item)
    }
}

impl From<&Name> for Sexp {
    fn from(name: &Name) -> Sexp {
        Sexp::Atom(name.to_string())
    }
}

fn node(item: &Node) -> Sexp {
    let word = Sexp::word;
    match &item.kind {
        Kind::Nil => word("nil"),
        Kind::True => word("true"),
        Kind::False => word("false"),
        Kind::SelfRef => word("self"),
        Kind::Int(value) => Sexp::Atom(value.to_string()),
        Kind::BigInt(digits) => Sexp::Atom(digits.to_string()),
        Kind::Float(value) => Sexp::Atom(format!("{value:?}")),
        Kind::Rational(top, bottom) => list("rational", [top, bottom]),
        Kind::Imaginary(value) => list("imaginary", [&**value]),
        Kind::Str(bytes) => text::string(bytes),
        Kind::Sym(bytes) => text::symbol(bytes),
        Kind::DStr(parts) => list("dstr", parts),
        Kind::XStr(parts) => list("xstr", parts),
        Kind::DSym(parts) => list("dsym", parts),
        Kind::Embed(body) => list("embed", [&**body]),
        Kind::Regex { parts, flags } => {
            let mut all = vec![Sexp::Atom(format!("/{}", flag_letters(flags)))];
            all.extend(parts.iter().map(node));
            list("regex", all)
        }
        Kind::Array(items) => list("array", items.iter().map(arg)),
        Kind::Hash(pairs) => list("hash", pairs.iter().map(pair)),
        Kind::Range { lo, hi, exclusive } => list(if *exclusive { "xrange" } else { "range" }, [boxed(lo), boxed(hi)]),
        Kind::FileName => word("__FILE__"),
        Kind::EncodingLit => word("__ENCODING__"),

        Kind::Lvar(name) => list("lvar", [name]),
        Kind::Ivar(name) | Kind::Gvar(name) | Kind::Cvar(name) => Sexp::from(name),
        Kind::Const { scope, name } => constant("const", scope, name),
        Kind::NthRef(number) => Sexp::Atom(format!("${number}")),
        Kind::BackRef(byte) => Sexp::Atom(format!("${}", *byte as char)),

        Kind::Asgn { target: t, value } => list("asgn", [target(t), node(value)]),
        Kind::OpAsgn { target: t, op, value } => {
            let op = match op {
                AsgnOp::And => "&&",
                AsgnOp::Or => "||",
                AsgnOp::Op(name) => name,
            };
            list("opasgn", [target(t), word(op), node(value)])
        }
        Kind::MultiAsgn { targets, value } => list("masgn", [multi(targets), node(value)]),

        Kind::Call(call) => call_sexp(call),
        Kind::Super { args: a, block: b } => list("super", args(a).into_iter().chain(b.as_deref().map(block))),
        Kind::ZSuper { block: b } => list("zsuper", b.as_deref().map(block)),
        Kind::Yield(a) => list("yield", args(a)),
        Kind::Not(value) => list("not", [&**value]),
        Kind::And(a, b) => list("and", [&**a, b]),
        Kind::Or(a, b) => list("or", [&**a, b]),
        Kind::Defined(value) => list("defined", [&**value]),
        Kind::MatchLastLine(regex) => list("match_last_line", [&**regex]),
        Kind::MatchAsgn { regex, value, names } => list("match_asgn", [node(regex), node(value), list("names", names)]),
        Kind::FlipFlop { lo, hi, exclusive } => list(if *exclusive { "xflip" } else { "flip" }, [&**lo, hi]),

        Kind::Seq(statements) => list("seq", statements),
        Kind::If { cond, then, els } => list("if", [node(cond), boxed(then), boxed(els)]),
        Kind::While { cond, body, negate, do_while } => {
            let head = match (negate, do_while) {
                (false, false) => "while",
                (true, false) => "until",
                (false, true) => "do_while",
                (true, true) => "do_until",
            };
            list(head, [&**cond, body])
        }
        Kind::For { target: t, iter, body } => list("for", [target(t), node(iter), node(body)]),
        Kind::Case { subject, whens, els } => {
            let mut all = vec![boxed(subject)];
            all.extend(
                whens.iter().map(|when| list("when", [list("tests", when.tests.iter().map(arg)), node(&when.body)])),
            );
            all.extend(els.as_deref().map(|e| list("else", [e])));
            list("case", all)
        }
        Kind::CaseIn { subject, clauses, els } => {
            let mut all = vec![node(subject)];
            all.extend(
                clauses
                    .iter()
                    .map(|clause| list("in", [pattern::pat(&clause.pat), boxed(&clause.guard), node(&clause.body)])),
            );
            all.extend(els.as_deref().map(|e| list("else", [e])));
            list("case_in", all)
        }
        Kind::MatchPattern { value, pat, raises } => {
            list(if *raises { "match_required" } else { "match_predicate" }, [node(value), pattern::pat(pat)])
        }
        Kind::Break(value) => list("break", value.as_deref()),
        Kind::Next(value) => list("next", value.as_deref()),
        Kind::Return(value) => list("return", value.as_deref()),
        Kind::Redo => list("redo", Vec::<Sexp>::new()),
        Kind::Retry => list("retry", Vec::<Sexp>::new()),
        Kind::Begin(begin) => begin_sexp(begin),
        Kind::RescueMod { body, rescue } => list("rescue_mod", [&**body, rescue]),

        Kind::Def(def) => {
            let mut all = vec![];
            if let Some(object) = &def.singleton {
                all.push(list("on", [&**object]));
            }
            all.push(Sexp::from(&def.name));
            all.push(params(&def.params));
            all.push(node(&def.body));
            list(if def.endless { "def_endless" } else { "def" }, all)
        }
        Kind::Class { cpath, superclass, body } => {
            list("class", [constant("const", &cpath.scope, &cpath.name), boxed(superclass), node(body)])
        }
        Kind::SClass { object, body } => list("sclass", [&**object, body]),
        Kind::Module { cpath, body } => list("module", [constant("const", &cpath.scope, &cpath.name), node(body)]),
        Kind::Alias { new, old } => list("alias", [&**new, old]),
        Kind::GAlias { new, old } => list("galias", [new, old]),
        Kind::Undef(names) => list("undef", names),
        Kind::Lambda(body) => list("lambda", [block(body)]),
        Kind::PreExe(body) => list("BEGIN", [&**body]),
        Kind::PostExe(body) => list("END", [&**body]),
    }
}

fn flag_letters(flags: &RegexFlags) -> String {
    let letters = [(flags.ignore_case, 'i'), (flags.extended, 'x'), (flags.multi_line, 'm'), (flags.once, 'o')];
    let mut text: String = letters.iter().filter(|(set, _)| *set).map(|(_, letter)| *letter).collect();
    if flags.enc != 0 {
        text.push(flags.enc as char);
    }
    text
}

fn constant(head: &str, scope: &ConstScope, name: &Name) -> Sexp {
    match scope {
        ConstScope::Lexical => list(head, [name]),
        ConstScope::Top => list(head, [Sexp::word("::"), Sexp::from(name)]),
        ConstScope::Of(of) => list(head, [node(of), Sexp::from(name)]),
    }
}

fn target(item: &Target) -> Sexp {
    match &item.kind {
        TargetKind::Lvar(name) => list("lvar", [name]),
        TargetKind::Ivar(name) | TargetKind::Gvar(name) | TargetKind::Cvar(name) => Sexp::from(name),
        TargetKind::Const { scope, name } => constant("const", scope, name),
        TargetKind::Index { recv, args: a } => list("index", [node(recv)].into_iter().chain(args(a))),
        TargetKind::Attr { recv, name, safe } => {
            list(if *safe { "safe_attr" } else { "attr" }, [node(recv), Sexp::from(name)])
        }
        TargetKind::Multi(inner) => multi(inner),
    }
}

fn multi(targets: &MultiTarget) -> Sexp {
    let mut all: Vec<Sexp> = targets.pre.iter().map(target).collect();
    if let Some(splat) = &targets.splat {
        all.push(list("splat", splat.as_deref().map(target)));
    }
    all.extend(targets.post.iter().map(target));
    if targets.trailing_comma {
        all.push(Sexp::word(","));
    }
    list("targets", all)
}

fn call_sexp(call: &Call) -> Sexp {
    if call.vcall {
        return list("vcall", [&call.name]);
    }
    let mut all = vec![];
    let head = match &call.recv {
        None => "fcall",
        Some(recv) => {
            all.push(node(recv));
            if call.safe { "safe_call" } else { "call" }
        }
    };
    all.push(Sexp::from(&call.name));
    all.extend(args(&call.args));
    all.extend(call.block.as_deref().map(block));
    list(head, all)
}

fn args(all: &Args) -> Vec<Sexp> {
    let mut items: Vec<Sexp> = all.positional.iter().map(arg).collect();
    if !all.keywords.is_empty() {
        items.push(list("keywords", all.keywords.iter().map(pair)));
    }
    if let Some(value) = &all.block {
        items.push(list("block_pass", value.as_deref()));
    }
    if all.forward_all {
        items.push(Sexp::word("..."));
    }
    items
}

fn arg(item: &Arg) -> Sexp {
    match item {
        Arg::Value(value) => node(value),
        Arg::Splat(value, _) => list("splat", value.as_deref()),
        Arg::Pairs(pairs) => list("pairs", pairs.iter().map(pair)),
    }
}

fn pair(item: &Pair) -> Sexp {
    match item {
        Pair::Pair(key, value) => Sexp::List(vec![node(key), node(value)]),
        Pair::Splat(value, _) => list("double_splat", value.as_ref()),
    }
}

fn block(item: &Block) -> Sexp {
    let params = match &item.params {
        BlockParams::None => Sexp::word("_"),
        BlockParams::It => Sexp::word("it"),
        BlockParams::Numbered(most) => Sexp::Atom(format!("_{most}")),
        BlockParams::Explicit { params: p, locals, excess_comma } => {
            let mut all = param_list(p);
            if *excess_comma {
                all.push(Sexp::word(","));
            }
            if !locals.is_empty() {
                all.push(list("locals", locals));
            }
            list("params", all)
        }
    };
    list("block", [params, node(&item.body)])
}

fn params(all: &Params) -> Sexp {
    list("params", param_list(all))
}

fn param_list(all: &Params) -> Vec<Sexp> {
    let required = |param: &Param| match param {
        Param::Name(name) => Sexp::from(name),
        Param::Destructure(targets) => multi(targets),
    };
    let marked = |mark: &str, name: Option<&Name>| Sexp::Atom(format!("{mark}{}", name.map_or("", |n| n)));
    let mut items: Vec<Sexp> = all.required.iter().map(required).collect();
    items.extend(all.optional.iter().map(|(name, value)| list("opt", [Sexp::from(name), node(value)])));
    items.extend(all.rest.iter().map(|name| marked("*", name.as_ref())));
    items.extend(all.post.iter().map(required));
    items.extend(all.keywords.iter().map(|(name, value)| {
        let label = Sexp::Atom(format!("{name}:"));
        value.as_ref().map_or(label.clone(), |value| list("key", [label, node(value)]))
    }));
    match &all.kwrest {
        KwRest::None => {}
        KwRest::Nil => items.push(Sexp::word("**nil")),
        KwRest::Rest(name) => items.push(marked("**", name.as_ref())),
    }
    items.extend(all.block.iter().map(|name| marked("&", name.as_ref())));
    if all.no_block {
        items.push(Sexp::word("&nil"));
    }
    if all.forward_all {
        items.push(Sexp::word("..."));
    }
    items
}

fn begin_sexp(begin: &Begin) -> Sexp {
    let mut all = vec![node(&begin.body)];
    all.extend(begin.rescues.iter().map(|rescue| {
        let classes = list("classes", rescue.classes.iter().map(arg));
        let var = rescue.target.as_deref().map_or(Sexp::word("_"), target);
        list("rescue", [classes, var, node(&rescue.body)])
    }));
    all.extend(begin.els.as_deref().map(|body| list("else", [body])));
    all.extend(begin.ensure.as_deref().map(|body| list("ensure", [body])));
    list("begin", all)
}
