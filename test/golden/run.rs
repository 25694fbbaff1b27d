//! Golden texts of the syntax: what a piece of Ruby is read as, token by token and as a tree, and how it is refused.
//!
//! Each file under `ast/`, `tokens/` and `errors/` holds cases: Ruby text, a line of `-----`, the expected text,
//! a line of `=====`. `MINIRB_BLESS=1` writes the expected texts anew; read the diff before committing it.

use minirb_syntax::{ParseOptions, Source, dump, dump_tokens, parse};
use std::fmt::Write as _;
use std::path::Path;

const SOURCE_END: &str = "-----\n";
const CASE_END: &str = "=====\n";

fn tree(source: &Source) -> String {
    match parse(source, &ParseOptions::default()) {
        Ok(program) => dump(&program),
        Err(errors) => errors.iter().map(|e| e.render(source) + "\n").collect(),
    }
}

fn errors(source: &Source) -> String {
    match parse(source, &ParseOptions::default()) {
        Ok(_) => "accepted\n".into(),
        Err(errors) => errors.iter().map(|e| e.render(source) + "\n").collect(),
    }
}

fn tokens(source: &Source) -> String {
    dump_tokens(source, &ParseOptions::default())
}

/// Runs every case of a folder; fails with all differences at once.
fn run(folder: &str, produce: fn(&Source) -> String) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../test/golden").join(folder);
    let bless = std::env::var_os("MINIRB_BLESS").is_some();
    let mut files: Vec<_> = std::fs::read_dir(&root).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let (mut cases, mut wrong) = (0, String::new());
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let mut blessed = String::new();
        for case in text.split_inclusive(CASE_END) {
            let body = case.strip_suffix(CASE_END).unwrap_or(case);
            let (ruby, expected) = body.split_once(SOURCE_END).unwrap_or((body, ""));
            let actual = produce(&Source::new("test.rb", ruby));
            cases += 1;
            if actual != expected {
                let name = file.file_name().unwrap().display();
                writeln!(wrong, "{name}:\n{ruby}expected:\n{expected}actual:\n{actual}").unwrap();
            }
            blessed += &format!("{ruby}{SOURCE_END}{actual}{CASE_END}");
        }
        if bless {
            std::fs::write(&file, blessed).unwrap();
        }
    }
    assert!(cases > 0, "no cases in {}", root.display());
    assert!(bless || wrong.is_empty(), "{wrong}");
}

#[test]
fn trees() {
    run("ast", tree);
}

#[test]
fn token_streams() {
    run("tokens", tokens);
}

#[test]
fn error_messages() {
    run("errors", errors);
}
