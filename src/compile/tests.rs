//! Tests on trees built by hand; whole programs are covered by the golden listings in `test/golden/insns`.

use super::*;
use crate::bytecode::check::check;
use crate::bytecode::disasm::disasm;

fn n(kind: Kind) -> Node {
    Node::new(kind, Span::default())
}
fn b(kind: Kind) -> N {
    Box::new(n(kind))
}
fn lv(name: &str) -> Node {
    n(Kind::Lvar(name.into()))
}
fn int(i: i64) -> Node {
    n(Kind::Int(i))
}
fn seq(v: Vec<Node>) -> Node {
    n(Kind::Seq(v))
}
fn target(name: &str) -> Target {
    Target { kind: TargetKind::Lvar(name.into()), span: Span::default() }
}
fn set(name: &str, value: Node) -> Node {
    n(Kind::Asgn { target: Box::new(target(name)), value: Box::new(value) })
}
fn op_set(name: &str, op: &str, value: Node) -> Node {
    n(Kind::OpAsgn { target: Box::new(target(name)), op: AsgnOp::Op(op.into()), value: Box::new(value) })
}
fn call_of(recv: Option<Node>, name: &str, args: Vec<Node>) -> Call {
    Call {
        recv: recv.map(Box::new),
        name: name.into(),
        name_span: Span::default(),
        args: Args { positional: args.into_iter().map(Arg::Value).collect(), ..Args::default() },
        block: None,
        safe: false,
        vcall: false,
    }
}
fn send(recv: Node, name: &str, args: Vec<Node>) -> Node {
    n(Kind::Call(Box::new(call_of(Some(recv), name, args))))
}
fn fcall(name: &str, args: Vec<Node>) -> Node {
    n(Kind::Call(Box::new(call_of(None, name, args))))
}
fn block_call(recv: Node, name: &str, body: Node) -> Node {
    let mut c = call_of(Some(recv), name, vec![]);
    c.block = Some(Box::new(Block { params: BlockParams::None, body: Box::new(body), span: Span::default() }));
    n(Kind::Call(Box::new(c)))
}
fn def(name: &str, params: &[&str], body: Node) -> Node {
    let required = params.iter().map(|p| Param::Name((*p).into())).collect();
    n(Kind::Def(Box::new(Def {
        singleton: None,
        name: name.into(),
        params: Params { required, ..Params::default() },
        body: Box::new(body),
        endless: false,
        name_span: Span::default(),
    })))
}
fn if_(cond: Node, then: Node, els: Option<Node>) -> Node {
    n(Kind::If { cond: Box::new(cond), then: Some(Box::new(then)), els: els.map(Box::new) })
}
fn while_(cond: Node, body: Node) -> Node {
    n(Kind::While { cond: Box::new(cond), body: Box::new(body), negate: false, do_while: false })
}
fn program(body: Node) -> Program {
    Program { body, data_offset: None, magic: Magic::default(), locals: vec![], warnings: vec![] }
}

fn built(body: Node) -> Proto {
    let p = compile(&program(body), &|_| 1, &CompileOptions::file("t.rb")).expect("compiles");
    assert_eq!(check(&p), Ok(()), "{}", disasm(&p));
    p
}

/// The opcodes of a code object, in order.
fn ops(p: &Proto) -> Vec<&'static str> {
    p.code.iter().map(|i| i.info().name).collect()
}

#[test]
fn a_counting_loop_is_two_instructions() {
    let p =
        built(seq(vec![set("i", int(0)), while_(send(lv("i"), "<", vec![int(30_000_000)]), op_set("i", "+", int(1)))]));
    assert_eq!(ops(&p), ["LoadInt", "LoadInt", "Jmp", "AddInt", "BrLt", "LoadNil", "Return"]);
}

#[test]
fn fib_has_no_moves() {
    let minus = |k| fcall("fib", vec![send(lv("n"), "-", vec![int(k)])]);
    let body = if_(send(lv("n"), "<", vec![int(2)]), lv("n"), Some(send(minus(1), "+", vec![minus(2)])));
    let p = built(def("fib", &["n"], body));
    let fib = &p.children[0];
    assert_eq!(
        ops(fib),
        ["BrNotLtInt", "Return", "SubInt", "SendSelf", "SubInt", "SendSelf", "Add", "Return"],
        "{}",
        disasm(fib)
    );
}

#[test]
fn a_captured_variable_is_added_in_place() {
    let p = built(seq(vec![set("i", int(0)), block_call(int(3), "times", op_set("i", "+", int(1)))]));
    assert_eq!(ops(&p), ["LoadInt", "SetUp", "LoadInt", "SendBlk", "ReturnEnv"]);
    assert_eq!(ops(&p.children[0]), ["UpAddInt", "Return"]);
}

#[test]
fn an_operand_that_is_assigned_later_is_copied() {
    let p = built(seq(vec![set("a", int(1)), send(lv("a"), "+", vec![set("a", int(2))])]));
    assert_eq!(ops(&p), ["LoadInt", "Move", "LoadInt", "Add", "Return"]);
}

#[test]
fn swapping_locals_makes_no_array() {
    let targets = Box::new(MultiTarget { pre: vec![target("a"), target("b")], ..MultiTarget::default() });
    let value = b(Kind::Array(vec![Arg::Value(lv("b")), Arg::Value(lv("a"))]));
    let p = built(seq(vec![set("a", int(1)), set("b", int(2)), n(Kind::MultiAsgn { targets, value }), n(Kind::Nil)]));
    assert_eq!(ops(&p), ["LoadInt", "LoadInt", "Move", "Move", "Move", "LoadNil", "Return"]);
}

#[test]
fn a_block_variable_of_the_same_name_later_is_another_one() {
    // foo { x = 1 }; x = 2
    let p = built(seq(vec![block_call(int(1), "times", set("x", int(1))), set("x", int(2))]));
    assert_eq!(ops(&p.children[0]), ["LoadInt", "Return"]);
    assert_eq!(p.children[0].locals[0].place, Place::Reg(1));
    assert_eq!(p.locals[0].place, Place::Reg(1));
}

#[test]
fn binding_captures_everything() {
    let mut c = call_of(None, "binding", vec![]);
    c.vcall = true;
    let p = built(seq(vec![set("x", int(1)), n(Kind::Call(Box::new(c)))]));
    assert_eq!(p.locals[0].place, Place::Env(0));
}

#[test]
fn return_runs_ensure_outside_its_own_range() {
    let begin = n(Kind::Begin(Box::new(Begin {
        body: b(Kind::Return(Some(b(Kind::Int(1))))),
        rescues: vec![],
        els: None,
        ensure: Some(Box::new(fcall("done", vec![]))),
    })));
    let p = built(def("m", &[], begin));
    let m = &p.children[0];
    let e = m.catch[0];
    assert_eq!(e.kind, CatchKind::Ensure);
    // only the evaluation of 1 and the dead code after the return are protected
    let first_send = m.code.iter().position(|i| i.info().name == "SendSelf").unwrap() as u32;
    assert!(e.end <= first_send, "{}", disasm(m));
}

#[test]
fn long_branches_are_stretched() {
    let many = (0..20_000).map(|_| fcall("f", vec![int(1)])).collect();
    let p = built(seq(vec![set("x", int(1)), if_(send(lv("x"), "<", vec![int(2)]), seq(many), None), int(3)]));
    assert_eq!(ops(&p)[1..4], ["BrNotLtInt", "Jmp", "Jmp"]);
}

#[test]
fn rescue_restores_the_error_and_retry_goes_back() {
    let rescue =
        Rescue { classes: vec![], target: Some(Box::new(target("e"))), body: b(Kind::Retry), span: Span::default() };
    let begin = n(Kind::Begin(Box::new(Begin {
        body: Box::new(fcall("f", vec![])),
        rescues: vec![rescue],
        els: None,
        ensure: None,
    })));
    let p = built(begin);
    assert_eq!(p.catch.len(), 1);
    let at = p.code.iter().position(|i| i.info().name == "SetErr").unwrap();
    assert_eq!(p.code[at + 1].info().name, "Jmp");
    assert_eq!(at as i64 + 2 + p.code[at + 1].imm32(), p.catch[0].start as i64);
}

#[test]
fn a_for_loop_assigns_the_scope_around_it() {
    let p = built(n(Kind::For {
        target: Box::new(target("i")),
        iter: b(Kind::Range { lo: Some(b(Kind::Int(1))), hi: Some(b(Kind::Int(3))), exclusive: false }),
        body: Box::new(set("y", lv("i"))),
    }));
    assert_eq!(p.locals.len(), 2);
    assert!(p.locals.iter().all(|l| matches!(l.place, Place::Env(_))));
    assert_eq!(p.children[0].params.required, 1);
}

#[test]
fn large_arrays_use_few_registers() {
    let p = built(n(Kind::Array((0..1000).map(|_| Arg::Value(fcall("f", vec![]))).collect())));
    assert!(p.nregs < 80, "{}", p.nregs);
}

#[test]
fn a_long_chain_of_calls_uses_few_registers() {
    let mut x = fcall("a", vec![]);
    for _ in 0..500 {
        x = send(x, "b", vec![]);
    }
    assert!(built(x).nregs < 30);
}

/// Grows random trees: whatever the grammar would allow, the compiler must turn into code that passes the checker.
struct Grow {
    seed: u64,
    /// inside a block, a loop, a rescue clause
    jumps: bool,
}

impl Grow {
    fn pick(&mut self, n: u64) -> u64 {
        self.seed = self.seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.seed >> 33) % n
    }
    fn name(&mut self) -> &'static str {
        ["a", "b", "c", "d"][self.pick(4) as usize]
    }
    fn boxed(&mut self, depth: u32) -> N {
        Box::new(self.node(depth))
    }
    fn maybe(&mut self, depth: u32) -> Option<N> {
        (self.pick(2) == 0).then(|| self.boxed(depth))
    }
    fn target(&mut self, depth: u32) -> Target {
        let kind = match self.pick(8) {
            0 => TargetKind::Ivar("@i".into()),
            1 => TargetKind::Gvar("$g".into()),
            2 => TargetKind::Index { recv: self.boxed(depth), args: self.args(depth, 3) },
            3 => TargetKind::Attr { recv: self.boxed(depth), name: "x".into(), safe: self.pick(2) == 0 },
            4 => TargetKind::Const { scope: ConstScope::Of(self.boxed(depth)), name: "K".into() },
            5 => TargetKind::Cvar("@@c".into()),
            _ => TargetKind::Lvar(self.name().into()),
        };
        Target { kind, span: Span::default() }
    }
    fn multi(&mut self, depth: u32) -> MultiTarget {
        let pre = (0..1 + self.pick(3)).map(|_| self.target(depth)).collect();
        let splat = match self.pick(3) {
            0 => Some(Some(Box::new(self.target(depth)))),
            1 => Some(None),
            _ => None,
        };
        let post = if splat.is_some() { (0..self.pick(2)).map(|_| self.target(depth)).collect() } else { vec![] };
        MultiTarget { pre, splat, post, trailing_comma: false }
    }
    fn list(&mut self, depth: u32, most: u64) -> Vec<Arg> {
        (0..self.pick(most + 1))
            .map(|_| match self.pick(6) {
                0 => Arg::Splat(Some(self.boxed(depth)), Span::default()),
                _ => Arg::Value(self.node(depth)),
            })
            .collect()
    }
    fn pairs(&mut self, depth: u32) -> Vec<Pair> {
        (0..self.pick(3))
            .map(|_| match self.pick(4) {
                0 => Pair::Splat(Some(self.node(depth)), Span::default()),
                _ => Pair::Pair(n(Kind::Sym(emit::str_bytes("k"))), self.node(depth)),
            })
            .collect()
    }
    fn args(&mut self, depth: u32, most: u64) -> Args {
        let rich = self.pick(4) == 0;
        Args {
            positional: self.list(depth, most),
            keywords: if rich { self.pairs(depth) } else { vec![] },
            block: None,
            forward_all: false,
        }
    }
    fn block(&mut self, depth: u32) -> Block {
        let was = std::mem::replace(&mut self.jumps, true);
        let params = match self.pick(3) {
            0 => BlockParams::None,
            1 => BlockParams::Explicit { params: self.params(depth), locals: vec!["d".into()], excess_comma: false },
            _ => BlockParams::It,
        };
        let body = self.boxed(depth);
        self.jumps = was;
        Block { params, body, span: Span::default() }
    }
    fn params(&mut self, depth: u32) -> Params {
        let mut p = Params::default();
        if self.pick(2) == 0 {
            p.required.push(Param::Name("a".into()));
        }
        if self.pick(3) == 0 {
            let pre = vec![target("x"), target("y")];
            p.required.push(Param::Destructure(MultiTarget { pre, ..MultiTarget::default() }));
        }
        if self.pick(3) == 0 {
            p.optional.push(("b".into(), self.node(depth)));
        }
        if self.pick(3) == 0 {
            p.rest = Some(Some("r".into()));
        }
        if self.pick(3) == 0 {
            p.keywords.push(("k".into(), Some(self.node(depth))));
        }
        if self.pick(3) == 0 {
            p.block = Some(Some("blk".into()));
        }
        p
    }
    fn pat(&mut self, depth: u32) -> Pat {
        let kind = match if depth == 0 { self.pick(2) } else { self.pick(8) } {
            0 => PatKind::Value(Box::new(int(1))),
            1 => PatKind::Bind(self.name().into()),
            2 => PatKind::Alt(vec![self.pat(depth - 1), self.pat(depth - 1)]),
            3 => PatKind::As(Box::new(self.pat(depth - 1)), "c".into()),
            4 => PatKind::Array {
                konst: None,
                pre: vec![self.pat(depth - 1)],
                rest: Some(Some("d".into())),
                post: vec![self.pat(depth - 1)],
            },
            5 => PatKind::Find {
                konst: None,
                before: Some("a".into()),
                mid: vec![self.pat(depth - 1), self.pat(depth - 1)],
                after: Some("b".into()),
            },
            6 => PatKind::Hash {
                konst: None,
                pairs: vec![("k".into(), Some(self.pat(depth - 1))), ("a".into(), None)],
                rest: KwRest::Rest(Some("c".into())),
            },
            _ => PatKind::ConstEmpty(Box::new(n(Kind::Const { scope: ConstScope::Lexical, name: "K".into() }))),
        };
        Pat { kind, span: Span::default() }
    }
    fn node(&mut self, depth: u32) -> Node {
        if depth == 0 {
            return match self.pick(6) {
                0 => int(1),
                1 => n(Kind::SelfRef),
                2 => n(Kind::Str(emit::str_bytes("s"))),
                3 => n(Kind::Ivar("@i".into())),
                4 => n(Kind::Float(1.5)),
                _ => lv(self.name()),
            };
        }
        let d = depth - 1;
        n(match self.pick(30) {
            0 => Kind::Asgn { target: Box::new(self.target(d)), value: self.boxed(d) },
            1 => Kind::OpAsgn { target: Box::new(self.target(d)), op: AsgnOp::Or, value: self.boxed(d) },
            2 => Kind::OpAsgn { target: Box::new(self.target(d)), op: AsgnOp::Op("+".into()), value: self.boxed(d) },
            3 => Kind::MultiAsgn {
                targets: Box::new(self.multi(d)),
                value: if self.pick(2) == 0 { self.boxed(d) } else { b(Kind::Array(self.list(d, 3))) },
            },
            4..=7 => {
                let mut c = call_of(None, ["f", "+", "[]", "<", "x"][self.pick(5) as usize], vec![]);
                c.recv = Some(self.boxed(d));
                c.args = self.args(d, 2);
                c.safe = self.pick(5) == 0;
                if self.pick(4) == 0 {
                    c.block = Some(Box::new(self.block(d)));
                }
                Kind::Call(Box::new(c))
            }
            8 => {
                let mut c = call_of(None, "g", vec![]);
                c.args = self.args(d, 3);
                Kind::Call(Box::new(c))
            }
            9 => Kind::If { cond: self.boxed(d), then: self.maybe(d), els: self.maybe(d) },
            10 => {
                let was = std::mem::replace(&mut self.jumps, true);
                let k = Kind::While {
                    cond: self.boxed(d),
                    body: self.boxed(d),
                    negate: self.pick(2) == 0,
                    do_while: self.pick(2) == 0,
                };
                self.jumps = was;
                k
            }
            11 => {
                let body = self.boxed(d);
                let rescues = (0..self.pick(3))
                    .map(|_| Rescue {
                        classes: self.list(d, 1),
                        target: (self.pick(2) == 0).then(|| Box::new(self.target(d))),
                        body: if self.pick(4) == 0 { b(Kind::Retry) } else { self.boxed(d) },
                        span: Span::default(),
                    })
                    .collect();
                Kind::Begin(Box::new(Begin { body, rescues, els: self.maybe(d), ensure: self.maybe(d) }))
            }
            12 => Kind::RescueMod { body: self.boxed(d), rescue: self.boxed(d) },
            13 => Kind::And(self.boxed(d), self.boxed(d)),
            14 => Kind::Or(self.boxed(d), self.boxed(d)),
            15 => Kind::Not(self.boxed(d)),
            16 => Kind::Seq((0..self.pick(4)).map(|_| self.node(d)).collect()),
            17 if self.jumps => Kind::Break(self.maybe(d)),
            18 if self.jumps => Kind::Next(self.maybe(d)),
            19 if self.jumps => Kind::Redo,
            20 => Kind::Return(self.maybe(d)),
            21 => Kind::Array(self.list(d, 4)),
            22 => Kind::Hash(self.pairs(d)),
            23 => {
                let tests = vec![Arg::Value(self.node(d)), Arg::Value(int(3))];
                let when = When { tests, body: self.boxed(d), span: Span::default() };
                Kind::Case { subject: self.maybe(d), whens: vec![when], els: self.maybe(d) }
            }
            24 => {
                let clauses = (0..2)
                    .map(|_| InClause {
                        pat: self.pat(2),
                        guard: self.maybe(d),
                        body: self.boxed(d),
                        span: Span::default(),
                    })
                    .collect();
                Kind::CaseIn { subject: self.boxed(d), clauses, els: self.maybe(d) }
            }
            25 => Kind::Defined(self.boxed(d)),
            26 => Kind::DStr(vec![n(Kind::Str(emit::str_bytes("x"))), n(Kind::Embed(self.boxed(d)))]),
            27 => Kind::Lambda(Box::new(self.block(d))),
            28 => {
                let was = std::mem::replace(&mut self.jumps, false);
                let body = self.boxed(d);
                let params = self.params(d);
                self.jumps = was;
                let (name, name_span) = ("m".into(), Span::default());
                Kind::Def(Box::new(Def { singleton: None, name, params, body, endless: false, name_span }))
            }
            29 => Kind::FlipFlop { lo: self.boxed(d), hi: self.boxed(d), exclusive: self.pick(2) == 0 },
            _ => Kind::Yield(Box::new(self.args(d, 2))),
        })
    }
}

#[test]
fn random_trees_compile_to_valid_code() {
    for seed in 0..2000 {
        let mut g = Grow { seed, jumps: false };
        let declare = ["a", "b", "c", "d"].map(|v| set(v, int(0)));
        let body = seq(declare.into_iter().chain([g.node(6)]).collect());
        match compile(&program(body), &|_| 1, &CompileOptions::file("t.rb")) {
            Ok(p) => assert_eq!(check(&p), Ok(()), "seed {seed}\n{}", disasm(&p)),
            // a jump that leads nowhere
            Err(e) => assert!(e.iter().all(|e| e.message.starts_with("Invalid ")), "seed {seed}: {e:?}"),
        }
    }
}
