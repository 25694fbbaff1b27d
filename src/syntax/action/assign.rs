//! Left sides, assignments, and `rescue` modifiers that belong to one.

use super::{CallArg, CallOp, Cx, Var, VarKind, span};
use crate::ast::*;

impl Cx<'_> {
    // ---- targets

    pub(super) fn target(&self, kind: TargetKind, at: Span) -> Box<Target> {
        Box::new(Target { kind, span: at })
    }

    pub fn target_var(&mut self, var: Var) -> Box<Target> {
        let kind = match var.kind {
            VarKind::Ident(_) => {
                self.refuse_numbered_name(&var.name, var.span);
                TargetKind::Lvar(var.name)
            }
            VarKind::Const => TargetKind::Const { scope: ConstScope::Lexical, name: var.name },
            VarKind::Ivar => TargetKind::Ivar(var.name),
            VarKind::Gvar => TargetKind::Gvar(var.name),
            VarKind::Cvar => TargetKind::Cvar(var.name),
        };
        self.target(kind, var.span)
    }

    /// `_1` to `_9` cannot be assigned or declared.
    pub(super) fn refuse_numbered_name(&mut self, name: &str, at: Span) {
        if matches!(name.as_bytes(), [b'_', b'1'..=b'9']) {
            let used = self.numbered_uses.iter().any(|&(_, n)| n == name.as_bytes()[1] - b'0');
            self.error(
                at,
                if used {
                    format!("Can't assign to numbered parameter {name}")
                } else {
                    format!("{name} is reserved for numbered parameter")
                },
            );
        }
    }

    pub fn target_back_ref(&mut self, byte: u8, l: u32, r: u32) -> Box<Target> {
        self.error(span(l, r), format!("Can't set variable ${}", byte as char));
        self.target(TargetKind::Gvar(format!("${}", byte as char).into()), span(l, r))
    }
    pub fn target_nth_ref(&mut self, number: u32, l: u32, r: u32) -> Box<Target> {
        self.error(span(l, r), format!("Can't set variable ${number}"));
        self.target(TargetKind::Gvar(format!("${number}").into()), span(l, r))
    }
    pub fn target_index(&mut self, recv: N, args: Vec<CallArg>, l: u32, r: u32) -> Box<Target> {
        self.refuse_forward(&args);
        let args = self.args(args);
        if args.block.is_some() {
            self.error(span(l, r), "unexpected block arg given in index assignment; blocks are not allowed in index assignment expressions");
        }
        if !args.keywords.is_empty() {
            self.error(span(l, r), "unexpected keyword arg given in index assignment; keywords are not allowed in index assignment expressions");
        }
        self.target(TargetKind::Index { recv, args }, span(l, r))
    }
    pub fn target_attr(&mut self, recv: N, op: CallOp, name: Name, l: u32, r: u32) -> Box<Target> {
        self.target(TargetKind::Attr { recv, name, safe: op == CallOp::Safe }, span(l, r))
    }
    pub fn target_scoped(&mut self, scope: Option<N>, name: Name, l: u32, r: u32) -> Box<Target> {
        let scope = scope.map_or(ConstScope::Top, ConstScope::Of);
        self.target(TargetKind::Const { scope, name }, span(l, r))
    }
    pub fn target_keyword(&mut self, node: N) -> Box<Target> {
        let message = match node.kind {
            Kind::Nil => "Can't assign to nil",
            Kind::SelfRef => "Can't change the value of self",
            Kind::True => "Can't assign to true",
            Kind::False => "Can't assign to false",
            Kind::FileName => "Can't assign to __FILE__",
            Kind::EncodingLit => "Can't assign to __ENCODING__",
            _ => "Can't assign to __LINE__",
        };
        self.error(node.span, message);
        self.target(TargetKind::Lvar("".into()), node.span)
    }

    // ---- multiple targets

    pub fn multi_plain(&mut self, mut pre: Vec<Target>, last: Box<Target>) -> Box<MultiTarget> {
        pre.push(*last);
        Box::new(MultiTarget { pre, ..MultiTarget::default() })
    }
    pub fn multi_trailing(&mut self, pre: Vec<Target>) -> Box<MultiTarget> {
        Box::new(MultiTarget { pre, trailing_comma: true, ..MultiTarget::default() })
    }
    pub fn multi_splat(&mut self, pre: Vec<Target>, splat: Option<Box<Target>>, post: Vec<Target>) -> Box<MultiTarget> {
        Box::new(MultiTarget { pre, splat: Some(splat), post, trailing_comma: false })
    }
    /// `(a, b) = x` is `a, b = x`.
    pub fn multi_paren(&mut self, inner: Box<MultiTarget>, _l: u32, _r: u32) -> Box<MultiTarget> {
        inner
    }
    /// `((a, b)) = x` takes the first of `x` apart.
    pub fn multi_nested(&mut self, inner: Box<MultiTarget>, l: u32, r: u32) -> Box<MultiTarget> {
        let pre = vec![*self.multi_target(inner, l, r)];
        Box::new(MultiTarget { pre, ..MultiTarget::default() })
    }
    pub fn multi_target(&mut self, multi: Box<MultiTarget>, l: u32, r: u32) -> Box<Target> {
        self.target(TargetKind::Multi(*multi), span(l, r))
    }

    // ---- values

    pub fn splat_array(&mut self, value: Option<N>, l: u32, r: u32) -> N {
        self.node(Kind::Array(vec![Arg::Splat(value, span(l, r))]), l, r)
    }
    pub fn value_array(&mut self, mut list: Vec<CallArg>, last: CallArg, l: u32, r: u32) -> N {
        list.push(last);
        let values = self.values(list);
        self.node(Kind::Array(values), l, r)
    }

    // ---- assignments

    pub fn assign(&mut self, target: Box<Target>, value: N, l: u32, r: u32) -> N {
        self.node(Kind::Asgn { target, value }, l, r)
    }
    pub fn multi_assign(&mut self, targets: Box<MultiTarget>, value: N, l: u32, r: u32) -> N {
        self.node(Kind::MultiAsgn { targets, value }, l, r)
    }
    pub fn op_assign(&mut self, target: Box<Target>, op: Name, value: N, l: u32, r: u32) -> N {
        let op = match &*op {
            "&&" => AsgnOp::And,
            "||" => AsgnOp::Or,
            _ => AsgnOp::Op(op),
        };
        self.node(Kind::OpAsgn { target, op, value }, l, r)
    }

    // ---- `rescue` modifiers

    /// `x = a rescue b` rescues within the assignment; anything else is rescued as a whole.
    /// The statement begins at `l`, what follows `rescue` at `m`.
    pub fn rescue_modifier(&mut self, mut statement: N, rescue: N, l: u32, m: u32, r: u32) -> N {
        let steps = if statement.span.start == l { steps_to_assignment(&statement) } else { None };
        let Some(steps) = steps else {
            return self.node(Kind::RescueMod { body: statement, rescue }, l, r);
        };
        let end = rescue.span.end;
        let is_logic = self.word_logic.contains(&(rescue.span.start, end));
        if takes_statement(&self.source.bytes, &statement, steps) {
            self.rescue_assigned(&mut statement, steps, rescue);
            return statement;
        }
        if rescue.span.start == m && is_statement(&self.source.bytes, &rescue) {
            self.error(rescue.span, "unexpected statement after 'rescue' in an assignment, expecting an expression");
        }
        if !is_logic {
            self.rescue_assigned(&mut statement, steps, rescue);
            return statement;
        }
        // `x = a rescue b and c` is `(x = a rescue b) and c`.
        let mut logic = rescue;
        let mut depth = 0;
        let mut node = &*logic;
        while self.word_logic.contains(&(node.span.start, node.span.end))
            && let Kind::And(left, _) | Kind::Or(left, _) = &node.kind
        {
            node = left;
            depth += 1;
        }
        let first = left_child(&mut logic, depth);
        let value = std::mem::replace(first, Node::new(Kind::Nil, Span::default()));
        self.rescue_assigned(&mut statement, steps, Box::new(value));
        *first = *statement;
        logic.span = span(l, r);
        logic
    }

    /// `f(a = b rescue c)`
    pub fn rescue_argument(&mut self, mut argument: N, rescue: N, l: u32, _r: u32) -> N {
        match steps_to_assignment(&argument) {
            Some(steps) if argument.span.start == l => self.rescue_assigned(&mut argument, steps, rescue),
            _ => self.error(rescue.span, "unexpected 'rescue' modifier in an argument"),
        }
        argument
    }

    fn rescue_assigned(&mut self, node: &mut Node, steps: usize, rescue: N) {
        let end = rescue.span.end;
        let nil = self.node(Kind::Nil, 0, 0);
        if let Some(value) = assigned_value(node, steps, Some(end)) {
            let start = value.span.start;
            let body = std::mem::replace(value, nil);
            *value = self.node(Kind::RescueMod { body, rescue }, start, end);
        }
    }
}

/// The child that ends where the node ends, if there is one: nothing closes the node after it.
fn rightmost(node: &Node) -> Option<&Node> {
    let child: &Node = match &node.kind {
        Kind::Asgn { value, .. } | Kind::OpAsgn { value, .. } | Kind::MultiAsgn { value, .. } => value,
        Kind::And(_, b) | Kind::Or(_, b) | Kind::Not(b) | Kind::Defined(b) => b,
        Kind::Return(Some(v)) | Kind::Break(Some(v)) | Kind::Next(Some(v)) => v,
        // `a if b`, `a while b`, `a ? b : c`
        Kind::If { cond, .. } | Kind::While { cond, .. } if cond.span.end == node.span.end => cond,
        Kind::If { els: Some(els), .. } => els,
        Kind::Range { hi: Some(hi), .. } => hi,
        Kind::Def(def) if def.endless => &def.body,
        Kind::Call(call) if call.block.is_none() => last_argument(&call.args).or(call.recv.as_deref())?,
        Kind::Super { args, block: None } => last_argument(args)?,
        Kind::Yield(args) => last_argument(args)?,
        _ => return None,
    };
    (child.span.end == node.span.end).then_some(child)
}

fn last_argument(args: &Args) -> Option<&Node> {
    if args.forward_all || args.block.is_some() {
        return args.block.as_ref()?.as_deref();
    }
    match (args.keywords.last(), args.positional.last()) {
        (Some(Pair::Pair(_, value) | Pair::Splat(Some(value), _)), _) => Some(value),
        (None, Some(Arg::Value(value))) => Some(value),
        (None, Some(Arg::Splat(Some(value), _))) => Some(value),
        _ => None,
    }
}

/// As `rightmost`, for a node that is known to have such a child; `end` is where the node ended.
fn rightmost_mut(node: &mut Node, end: u32) -> Option<&mut Node> {
    Some(match &mut node.kind {
        Kind::Asgn { value, .. } | Kind::OpAsgn { value, .. } | Kind::MultiAsgn { value, .. } => value,
        Kind::And(_, b) | Kind::Or(_, b) | Kind::Not(b) | Kind::Defined(b) => b,
        Kind::Return(Some(v)) | Kind::Break(Some(v)) | Kind::Next(Some(v)) => v,
        Kind::If { cond, .. } | Kind::While { cond, .. } if cond.span.end == end => cond,
        Kind::If { els: Some(els), .. } => els,
        Kind::Range { hi: Some(hi), .. } => hi,
        Kind::Def(def) => &mut def.body,
        Kind::Call(call) => {
            let Call { args, recv, .. } = &mut **call;
            if last_argument(args).is_some() { last_argument_mut(args)? } else { recv.as_mut()? }
        }
        Kind::Super { args, .. } | Kind::Yield(args) => last_argument_mut(args)?,
        _ => return None,
    })
}

fn last_argument_mut(args: &mut Args) -> Option<&mut Node> {
    if let Some(block) = &mut args.block {
        return block.as_deref_mut();
    }
    match (args.keywords.last_mut(), args.positional.last_mut()) {
        (Some(Pair::Pair(_, value) | Pair::Splat(Some(value), _)), _) => Some(value),
        (None, Some(Arg::Value(value))) => Some(value),
        (None, Some(Arg::Splat(Some(value), _))) => Some(value),
        _ => None,
    }
}

fn is_assignment(node: &Node) -> bool {
    match &node.kind {
        Kind::Asgn { .. } | Kind::OpAsgn { .. } | Kind::MultiAsgn { .. } => true,
        Kind::Def(def) => def.endless,
        _ => false,
    }
}

/// How many right children down the innermost assignment (or endless method) is whose value ends the node.
fn steps_to_assignment(node: &Node) -> Option<usize> {
    let (mut node, mut steps, mut found) = (node, 0, None);
    loop {
        if is_assignment(node) {
            found = Some(steps);
        }
        match rightmost(node) {
            Some(child) => node = child,
            None => return found,
        }
        steps += 1;
    }
}

/// The value of the assignment `steps` right children down; with `end`, the nodes on the way now end there.
fn assigned_value(node: &mut Node, steps: usize, end: Option<u32>) -> Option<&mut N> {
    let mut node = node;
    for _ in 0..steps {
        let old_end = node.span.end;
        node.span.end = end.unwrap_or(old_end);
        node = rightmost_mut(node, old_end)?;
    }
    node.span.end = end.unwrap_or(node.span.end);
    match &mut node.kind {
        Kind::Asgn { value, .. } | Kind::OpAsgn { value, .. } | Kind::MultiAsgn { value, .. } => Some(value),
        Kind::Def(def) => Some(&mut def.body),
        _ => None,
    }
}

/// The node `depth` left operands down.
fn left_child(node: &mut Node, depth: usize) -> &mut Node {
    let mut node = node;
    for _ in 0..depth {
        match &mut node.kind {
            Kind::And(left, _) | Kind::Or(left, _) => node = left,
            _ => unreachable!("counted along the same path"),
        }
    }
    node
}

/// `a = b c rescue ...` and `a, b = c rescue ...` take a whole statement, `a = b rescue ...` an argument only.
fn takes_statement(text: &[u8], node: &Node, steps: usize) -> bool {
    let mut assignment = node;
    for _ in 0..steps {
        let Some(child) = rightmost(assignment) else { return false };
        assignment = child;
    }
    match &assignment.kind {
        Kind::MultiAsgn { .. } => true,
        Kind::Asgn { value, .. } | Kind::OpAsgn { value, .. } => is_command(text, value),
        _ => false,
    }
}

/// Neither an argument nor an `and`/`or` of arguments.
fn is_statement(text: &[u8], node: &Node) -> bool {
    matches!(
        node.kind,
        Kind::Alias { .. } | Kind::GAlias { .. } | Kind::Undef(_) | Kind::PostExe(_) | Kind::MultiAsgn { .. }
    ) || is_command(text, node)
}

/// A call whose arguments have no parentheses.
fn is_command(text: &[u8], node: &Node) -> bool {
    let (args, name_end) = match &node.kind {
        Kind::Call(call) if call.name.starts_with(|c: char| c.is_alphabetic() || c == '_') => {
            (&call.args, call.name_span.end)
        }
        Kind::Super { args, .. } | Kind::Yield(args) => (&**args, node.span.start + 5),
        _ => return false,
    };
    let given = !args.positional.is_empty() || !args.keywords.is_empty() || args.block.is_some();
    given && text.get(name_end as usize) != Some(&b'(')
}
