//! Hard cases in bulk: depth, length, bytes that are not text. Trees and messages are in test/golden.

use crate::{ParseOptions, Source, dump, parse};

/// Stack of the thread that parses: what the nesting limit promises to be enough.
const STACK: usize = 16 << 20;

/// `None` if the text is accepted, else the first message.
fn verdict(text: String) -> Option<String> {
    let parser = move || match parse(&Source::new("test.rb", text), &ParseOptions::default()) {
        Ok(program) => {
            assert!(!dump(&program.clone()).is_empty());
            None
        }
        Err(errors) => Some(errors[0].message.clone()),
    };
    std::thread::Builder::new().stack_size(STACK).spawn(parser).unwrap().join().unwrap()
}

#[test]
fn deep_nesting_is_refused() {
    let openers = [
        "(",
        "[",
        "{a: ",
        "!",
        "-",
        "~",
        "not ",
        "a = ",
        "a += ",
        "1 + ",
        "2 ** ",
        "if a\n",
        "def a\n",
        "class A\n",
        "\"#{",
        "f ",
        "a {",
        "a do\n",
        "-> {",
        "a ? b : ",
        "a && ",
        "a and ",
        "defined? ",
        "def a = ",
        "return ",
        "begin\n",
        "while a do\n",
        "f(*",
        "<<A\n#{",
        "%(#{",
        "/#{",
        ":\"#{",
        "`#{",
        "case ",
        "A::",
        "a.",
    ];
    for opener in openers {
        assert_eq!(verdict(opener.repeat(100_000)).as_deref(), Some("nesting too deep"), "{opener:?}");
    }
    let chains = [".b", "[1]", " + 1", "::A", " if b", " rescue b", " && b", " and b", " | b", ".b { }", " ? 1 : 2"];
    for link in chains {
        let text = format!("A{}", link.repeat(100_000));
        let message = verdict(text);
        assert!(message.as_deref() == Some("nesting too deep"), "{link:?}: {message:?}");
    }
    let clauses = format!("if a\n{}end", "elsif b\n".repeat(100_000));
    assert_eq!(verdict(clauses).as_deref(), Some("nesting too deep"));
}

#[test]
fn the_limit_leaves_room() {
    let nested = |open: &str, middle: &str, close: &str, times: usize| {
        verdict(format!("{}{middle}{}", open.repeat(times), close.repeat(times)))
    };
    assert_eq!(nested("(", "1", ")", 9_000), None);
    assert_eq!(nested("[", "1", "]", 9_000), None);
    assert_eq!(nested("if a\n", "1\n", "end\n", 9_000), None);
    assert_eq!(nested("a { ", "1", " }", 9_000), None);
    assert_eq!(nested("\"#{", "1", "}\"", 9_000), None);
    assert_eq!(nested("!", "a", "", 9_900), None);
    assert_eq!(nested("a = ", "a", "", 9_900), None);
    assert_eq!(nested("1 + ", "1", "", 9_900), None);
    assert_eq!(nested("a.b(1).", "c", "", 4_900), None);
    assert_eq!(nested("x => [", "b", "]", 0), None);
    assert_eq!(verdict(format!("if a\n{}end", "elsif b\n1\n".repeat(9_900))), None);
    assert_eq!(verdict(format!("if {}a{} then 1 end", "(".repeat(9_000), ")".repeat(9_000))), None);
    assert_eq!(verdict(format!("x = {}1 rescue 2", "a = ".repeat(9_000))), None);
}

#[test]
fn long_and_flat_is_fine() {
    let many = 100_000;
    assert_eq!(verdict("a;".repeat(many)), None);
    assert_eq!(verdict(format!("[{}]", "1, ".repeat(many))), None);
    assert_eq!(verdict(format!("f({}2)", "1, ".repeat(many))), None);
    assert_eq!(verdict(format!("case a\n{}end", "when 1\n2\n".repeat(many))), None);
    assert_eq!(verdict(format!("case a\n{}end", "in 1\n2\n".repeat(many))), None);
    assert_eq!(verdict("\"a#{1}\" ".repeat(many)), None);
    assert_eq!(verdict(format!("%w[{}]", "a ".repeat(many))), None);
    assert_eq!(verdict((0..many).map(|i| format!("a{i} = 1\n")).collect()), None);
    assert_eq!(verdict("\n".repeat(many)), None);
    assert_eq!(verdict(format!("a\n{}.b", "# c\n".repeat(many))), None);
}

#[test]
fn bytes_that_are_not_text() {
    let refused = |bytes: &[u8]| parse(&Source::new("test.rb", bytes), &ParseOptions::default()).is_err();
    assert!(!refused(b"a\0b ( c"));
    assert!(refused(b"a = \xff"));
    assert!(refused(b"\"\xff\""));
    assert!(!refused(b"# \xff"));
    assert!(!refused(b"# encoding: binary\n\"\xff\""));
    assert!(!refused(b"\xef\xbb\xbfa"));
    for byte in 0..=255u8 {
        for context in [&b""[..], b"a ", b"\"#", b"%", b"?", b":", b"a.", b"def ", b"/\\", b"\"\\", b"<<", b"@", b"$"] {
            let mut text = context.to_vec();
            text.push(byte);
            refused(&text);
        }
    }
}

#[test]
fn eval_sees_outer_variables() {
    let locals = vec!["x".into()];
    let options = ParseOptions { locals, ..ParseOptions::default() };
    let program = parse(&Source::with_first_line("(eval)", "x -1; y = 2", 10), &options).unwrap();
    assert_eq!(program.locals, ["y".into()]);
    assert!(dump(&program).contains("(call (lvar x) - 1)"));
}

#[test]
fn node_stays_small() {
    assert!(size_of::<crate::ast::Node>() <= 64);
    assert!(size_of::<crate::token::Tok>() <= 32);
}
