//! Calls, their arguments and blocks.

use super::{Cx, Word, span};
use crate::ast::*;
use crate::lexer::named_captures;
use crate::token::Ident;

/// One item between the parentheses of a call, before its place is checked.
#[derive(Debug)]
pub enum CallArg {
    Value(N),
    Splat(Option<N>, Span),
    Block(Option<N>, Span),
    Forward(Span),
    Pair(Box<Pair>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallOp {
    Dot,
    Safe,
    Colon,
}

impl Call {
    /// A call on self without arguments.
    pub(super) fn new(name: Name, name_span: Span) -> Call {
        Call { recv: None, name, name_span, args: Args::default(), block: None, safe: false, vcall: false }
    }
}

impl Cx<'_> {
    // ---- arguments

    pub fn command_arg(&self, command: N) -> Vec<CallArg> {
        vec![CallArg::Value(command)]
    }
    /// Arguments without parentheses.
    pub fn command_args(&mut self, list: Vec<CallArg>) -> Vec<CallArg> {
        if let Some(CallArg::Forward(at)) = list.last() {
            self.error(*at, "unexpected ... in a call without parentheses");
        }
        list
    }
    pub fn trailing_comma(&mut self, list: Vec<CallArg>, l: u32, r: u32) -> Vec<CallArg> {
        if let Some(CallArg::Forward(_) | CallArg::Block(..)) = list.last() {
            self.error(span(l, r), "unexpected ','");
        }
        list
    }
    pub fn splat_arg(&self, value: Option<N>, l: u32, r: u32) -> CallArg {
        CallArg::Splat(value, span(l, r))
    }
    pub fn block_arg(&self, value: Option<N>, l: u32, r: u32) -> CallArg {
        CallArg::Block(value, span(l, r))
    }
    pub fn forward_arg(&self, l: u32, r: u32) -> CallArg {
        CallArg::Forward(span(l, r))
    }

    /// Sorts arguments into their kinds; each kind must follow the ones before it.
    pub(super) fn args(&mut self, list: Vec<CallArg>) -> Args {
        let mut args = Args::default();
        for item in list {
            let (at, late) = match &item {
                CallArg::Value(node) => (node.span, !args.keywords.is_empty()),
                CallArg::Splat(_, at) => (*at, !args.keywords.is_empty()),
                CallArg::Forward(at) => (*at, !args.keywords.is_empty()),
                CallArg::Block(_, at) => (*at, false),
                CallArg::Pair(pair) => (pair_span(pair), false),
            };
            if args.forward_all {
                self.error(at, "unexpected argument after '...'");
            } else if args.block.is_some() {
                let again = matches!(item, CallArg::Block(..));
                self.error(
                    at,
                    if again {
                        "multiple block arguments; only one block is allowed"
                    } else {
                        "unexpected argument after a block argument"
                    },
                );
            } else if late {
                self.error(at, "unexpected argument after keyword arguments");
            }
            match item {
                CallArg::Value(node) => args.positional.push(Arg::Value(*node)),
                CallArg::Splat(value, at) => args.positional.push(Arg::Splat(value, at)),
                CallArg::Block(value, _) => args.block = Some(value),
                CallArg::Forward(_) => args.forward_all = true,
                CallArg::Pair(pair) => args.keywords.push(*pair),
            }
        }
        self.check_duplicate_keys(&args.keywords);
        args
    }

    /// A list of values: `[...]`, `when`, `return`. Braceless pairs make one hash at its end.
    pub(super) fn values(&mut self, list: Vec<CallArg>) -> Vec<Arg> {
        let mut values = Vec::with_capacity(list.len());
        let mut pairs: Vec<Pair> = Vec::new();
        for item in list {
            match item {
                CallArg::Pair(pair) => {
                    pairs.push(*pair);
                    continue;
                }
                CallArg::Value(node) if pairs.is_empty() => values.push(Arg::Value(*node)),
                CallArg::Splat(value, at) if pairs.is_empty() => values.push(Arg::Splat(value, at)),
                CallArg::Value(node) => self.error(node.span, "unexpected argument after keyword arguments"),
                CallArg::Splat(_, at) => self.error(at, "unexpected argument after keyword arguments"),
                CallArg::Block(_, at) => self.error(at, "block argument should not be given"),
                CallArg::Forward(at) => self.error(at, "unexpected ..."),
            }
        }
        if !pairs.is_empty() {
            self.check_duplicate_keys(&pairs);
            values.push(Arg::Pairs(pairs));
        }
        values
    }

    pub fn pair(&self, key: N, value: N) -> Box<Pair> {
        Box::new(Pair::Pair(*key, *value))
    }
    pub fn label_pair(&mut self, key: Ident, value: N, l: u32, r: u32) -> Box<Pair> {
        Box::new(Pair::Pair(*self.symbol(key.name, l, r), *value))
    }
    /// `{x:}`: the value is what the name stands for.
    pub fn label_only(&mut self, key: Ident, l: u32, r: u32) -> Box<Pair> {
        let at = span(l, r.saturating_sub(1));
        let name = key.name.clone();
        let kind = if name.ends_with(['?', '!']) {
            self.error(at, format!("identifier {name} is not valid to get"));
            Kind::Nil
        } else if name.starts_with(|c: char| c.is_uppercase()) {
            Kind::Const { scope: ConstScope::Lexical, name }
        } else {
            self.ident_kind(name, key.resolved, at)
        };
        Box::new(Pair::Pair(*self.symbol(key.name, l, r), Node::new(kind, at)))
    }
    pub fn double_splat(&self, value: Option<N>, l: u32, r: u32) -> Box<Pair> {
        Box::new(Pair::Splat(value.map(|v| *v), span(l, r)))
    }
    pub fn array(&mut self, list: Vec<CallArg>, l: u32, r: u32) -> N {
        let values = self.values(list);
        self.node(Kind::Array(values), l, r)
    }
    pub fn hash(&mut self, pairs: Vec<Box<Pair>>, l: u32, r: u32) -> N {
        let pairs: Vec<Pair> = pairs.into_iter().map(|p| *p).collect();
        self.check_duplicate_keys(&pairs);
        self.node(Kind::Hash(pairs), l, r)
    }

    /// Warns about literal keys that come twice.
    fn check_duplicate_keys(&mut self, pairs: &[Pair]) {
        if pairs.len() < 2 {
            return;
        }
        let mut seen = std::collections::HashMap::new();
        let mut found = Vec::new();
        for pair in pairs {
            let Pair::Pair(key, _) = pair else { continue };
            let shown = match &key.kind {
                Kind::Sym(text) => format!(":{}", String::from_utf8_lossy(&text.bytes)),
                Kind::Str(text) => format!("{:?}", String::from_utf8_lossy(&text.bytes)),
                Kind::Int(value) => value.to_string(),
                Kind::Float(value) => format!("{value:?}"),
                _ => continue,
            };
            if let Some(before) = seen.insert(shown.clone(), key.span.start) {
                found.push((before, key.span.start, shown));
            }
        }
        for (before, again, shown) in found {
            let line = self.source.line_of(again);
            self.warn(before, format!("key {shown} is duplicated and overwritten on line {line}"), false);
        }
    }

    // ---- calls

    fn call_node(&mut self, recv: Option<N>, op: CallOp, name: Word, args: Args, l: u32, r: u32) -> N {
        let call = Call {
            recv,
            name: name.name,
            name_span: name.span,
            args,
            block: None,
            safe: op == CallOp::Safe,
            vcall: false,
        };
        self.node(Kind::Call(Box::new(call)), l, r)
    }

    /// `recv.name(args)`
    pub fn call(&mut self, recv: N, op: CallOp, name: Word, args: Vec<CallArg>, l: u32, r: u32) -> N {
        let args = self.args(args);
        self.call_node(Some(recv), op, name, args, l, r)
    }
    pub fn call_optional(&mut self, recv: N, op: CallOp, name: Word, args: Option<Vec<CallArg>>, l: u32, r: u32) -> N {
        self.call(recv, op, name, args.unwrap_or_default(), l, r)
    }
    #[allow(clippy::too_many_arguments)]
    pub fn call_with_block(
        &mut self,
        recv: N,
        op: CallOp,
        name: Word,
        args: Option<Vec<CallArg>>,
        block: Box<Block>,
        l: u32,
        r: u32,
    ) -> N {
        let call = self.call(recv, op, name, args.unwrap_or_default(), l, r);
        self.add_block(call, block, l, r)
    }
    /// `recv.(args)`
    pub fn call_call(&mut self, recv: N, op: CallOp, args: Vec<CallArg>, l: u32, r: u32) -> N {
        let name = self.fixed_name("call");
        let at = recv.span.end;
        self.call(recv, op, Word { name, span: span(at, at) }, args, l, r)
    }
    /// `name(args)` on self.
    pub fn function_call(&mut self, name: Word, args: Vec<CallArg>, l: u32, r: u32) -> N {
        let args = self.args(args);
        self.call_node(None, CallOp::Dot, name, args, l, r)
    }
    /// `name?` alone.
    pub fn bare_call(&mut self, name: Name, l: u32, r: u32) -> N {
        self.call_node(None, CallOp::Dot, Word { name, span: span(l, r) }, Args::default(), l, r)
    }
    pub fn function_block(&mut self, name: Word, block: Box<Block>, l: u32, r: u32) -> N {
        let call = self.call_node(None, CallOp::Dot, name, Args::default(), l, r);
        self.add_block(call, block, l, r)
    }
    pub fn super_call(&mut self, args: Vec<CallArg>, l: u32, r: u32) -> N {
        let args = Box::new(self.args(args));
        self.node(Kind::Super { args, block: None }, l, r)
    }
    pub fn yield_call(&mut self, args: Vec<CallArg>, l: u32, r: u32) -> N {
        let args = self.args(args);
        if args.block.is_some() {
            self.error(span(l, r), "block argument should not be given");
        }
        if args.forward_all {
            self.error(span(l, r), "unexpected ... in yield");
        }
        self.node(Kind::Yield(Box::new(args)), l, r)
    }
    pub fn index(&mut self, recv: N, args: Vec<CallArg>, l: u32, r: u32) -> N {
        let name = self.fixed_name("[]");
        let at = span(recv.span.end, r);
        self.refuse_forward(&args);
        self.call(recv, CallOp::Dot, Word { name, span: at }, args, l, r)
    }
    /// `a[...]`
    pub(super) fn refuse_forward(&mut self, args: &[CallArg]) {
        if let Some(CallArg::Forward(at)) = args.last() {
            self.error(*at, "unexpected ...");
        }
    }
    pub fn unary(&mut self, name: &'static str, operand: N, l: u32, r: u32) -> N {
        let name = self.operator(name, l, l + 1);
        self.call_node(Some(operand), CallOp::Dot, name, Args::default(), l, r)
    }
    pub fn binary(&mut self, a: N, op: Word, b: N, l: u32, r: u32) -> N {
        if &*op.name == "=~"
            && let Kind::Regex { parts, .. } = &a.kind
        {
            let source = match parts.as_slice() {
                [Node { kind: Kind::Str(text), .. }] => &text.bytes[..],
                _ => &[],
            };
            let names = named_captures(source);
            if !names.is_empty() {
                return self.node(Kind::MatchAsgn { regex: a, value: b, names }, l, r);
            }
        }
        let args = Args { positional: vec![Arg::Value(*b)], ..Args::default() };
        self.call_node(Some(a), CallOp::Dot, op, args, l, r)
    }

    // ---- jumps with values

    /// The one value of `return a, b`.
    fn jump_value(&mut self, args: Vec<CallArg>) -> Option<N> {
        let start = args.first().map_or(0, |a| a.span().start);
        let end = args.last().map_or(0, |a| a.span().end);
        let mut values = self.values(args);
        match values.as_slice() {
            [] => None,
            [Arg::Value(_)] => match values.pop() {
                Some(Arg::Value(node)) => Some(Box::new(node)),
                _ => None,
            },
            [Arg::Pairs(_)] => match values.pop() {
                Some(Arg::Pairs(pairs)) => Some(self.node(Kind::Hash(pairs), start, end)),
                _ => None,
            },
            _ => Some(self.node(Kind::Array(values), start, end)),
        }
    }
    pub fn return_value(&mut self, args: Vec<CallArg>, l: u32, r: u32) -> N {
        let value = self.jump_value(args);
        self.node(Kind::Return(value), l, r)
    }
    pub fn break_value(&mut self, args: Vec<CallArg>, l: u32, r: u32) -> N {
        let value = self.jump_value(args);
        self.node(Kind::Break(value), l, r)
    }
    pub fn next_value(&mut self, args: Vec<CallArg>, l: u32, r: u32) -> N {
        let value = self.jump_value(args);
        self.node(Kind::Next(value), l, r)
    }

    // ---- blocks

    pub fn block(&mut self, params: Option<Box<BlockParams>>, body: N, l: u32, r: u32) -> Box<Block> {
        let params = self.implicit_params(params, l);
        Box::new(Block { params, body, span: span(l, r) })
    }
    pub fn lambda(&mut self, params: Option<Box<BlockParams>>, body: N, l: u32, r: u32) -> N {
        let params = self.implicit_params(params, l);
        let block = Block { params, body, span: span(l, r) };
        self.node(Kind::Lambda(Box::new(block)), l, r)
    }

    /// The parameters of the block that began at `start`: as written, or told from `it` and `_1` in it.
    fn implicit_params(&mut self, params: Option<Box<BlockParams>>, start: u32) -> BlockParams {
        let first_it = self.it_uses.iter().copied().filter(|&at| at >= start).min();
        self.it_uses.retain(|&at| at < start);
        let here = self.numbered_uses.iter().filter(|(at, _)| *at >= start);
        let first_numbered = here.clone().map(|&(at, _)| at).min();
        let most = here.map(|&(_, number)| number).max();
        self.numbered_uses.retain(|(at, _)| *at < start);
        let inner = self.numbered_blocks.iter().copied().find(|&at| at > start);
        if let (Some(first), Some(most)) = (first_numbered, most) {
            self.numbered_blocks.retain(|&at| at < start);
            self.numbered_blocks.push(start);
            let message = match (first_it, inner) {
                _ if params.is_some() => "numbered parameters are not allowed when an ordinary parameter is defined",
                (Some(it), _) if it < first => "numbered parameters are not allowed when 'it' is already used",
                (Some(_), _) => "'it' is not allowed when a numbered parameter is already used",
                (None, Some(inner)) if first < inner => "numbered parameter is already used in outer block",
                (None, Some(_)) => "numbered parameter is already used in inner block",
                (None, None) => return BlockParams::Numbered(most),
            };
            self.error(span(first, first + 2), message);
            return BlockParams::Numbered(most);
        }
        if let (Some(it), true) = (first_it, params.is_some()) {
            self.error(span(it, it + 2), "'it' is not allowed when an ordinary parameter is defined");
        }
        match params {
            Some(params) => *params,
            None if first_it.is_some() => BlockParams::It,
            None => BlockParams::None,
        }
    }

    /// What is in a `def`, `class` or `module` from `start` on has nothing to do with blocks around it.
    pub(super) fn leave_opaque_scope(&mut self, start: u32) {
        self.numbered_blocks.retain(|&at| at < start);
    }

    /// Gives the block to the call; `return f x do .. end` hands it on to `f`.
    pub fn add_block(&mut self, mut callee: N, block: Box<Block>, l: u32, r: u32) -> N {
        callee.span = span(l, r);
        self.attach_block(&mut callee, block);
        callee
    }

    fn attach_block(&mut self, node: &mut Node, block: Box<Block>) {
        let at = block.span;
        let (args, slot) = match &mut node.kind {
            Kind::Return(Some(value)) | Kind::Break(Some(value)) | Kind::Next(Some(value)) => {
                value.span.end = at.end;
                return self.attach_block(value, block);
            }
            Kind::Call(call) => {
                call.vcall = false;
                let Call { args, block, .. } = &mut **call;
                (Some(args), block)
            }
            Kind::Super { args, block } => (Some(&mut **args), block),
            Kind::ZSuper { block } => (None, block),
            Kind::Yield(_) => return self.error(at, "block given to yield"),
            _ => return self.error(at, "unexpected block"),
        };
        let doubled = slot.is_some() || args.is_some_and(|a| a.block.is_some() || a.forward_all);
        *slot = Some(block);
        if doubled {
            self.error(at, "both block arg and actual block given; only one block is allowed");
        }
    }
}

impl CallArg {
    pub(super) fn span(&self) -> Span {
        match self {
            CallArg::Value(node) => node.span,
            CallArg::Splat(_, at) | CallArg::Block(_, at) | CallArg::Forward(at) => *at,
            CallArg::Pair(pair) => pair_span(pair),
        }
    }
}

fn pair_span(pair: &Pair) -> Span {
    match pair {
        Pair::Pair(key, value) => Span { start: key.span.start, end: value.span.end },
        Pair::Splat(_, at) => *at,
    }
}
