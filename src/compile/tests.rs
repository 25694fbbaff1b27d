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
    let targets = MultiTarget { pre: vec![target("a"), target("b")], ..MultiTarget::default() };
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
    let p = built(n(Kind::Array((0..1000).map(|i| Arg::Value(int(i))).collect())));
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
