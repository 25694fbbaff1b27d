//! Runs the Ruby tests through the minirb that cargo has just built, each file in a process of its own.
//!
//! - `test/bootstrap/<theme>/<behaviour>.rb`: a few lines each, the outcome written beside the line:
//!
//!   | comment                       | what must happen                                                     |
//!   |-------------------------------|----------------------------------------------------------------------|
//!   | `p x  # => [1, 2]`            | the next line of standard output is `[1, 2]`                         |
//!   | `# raises IndexError: text`   | ends by this uncaught exception (`text (IndexError)` on standard error), status 1 |
//!   | `# raises IndexError`         | the same, whatever the message                                       |
//!   | `# exits 3`                   | the exit status; 0 where nothing is said                             |
//!   | `# signal 15`                 | the signal it ends by                                                |
//!   | `# stderr: text`              | standard error contains `text`                                       |
//!   | `# args: -W0 a b`             | options before the file name; after `--`, arguments after it         |
//!   | `# stdin: text`               | one line of standard input                                           |
//!   | `# survives`                  | any output and status will do, as long as it ends by itself          |
//!   | `# beyond ruby`               | not run under a reference ruby, which does worse here                |
//!
//!   Standard output holds exactly the lines named by `# =>`, in the order of the file.
//! - `test/ruby/test_*.rb`: Test::Unit classes over minirb's own `test/unit`; every test method counts.
//! - `test/golden/<kind>/<name>.rb`: what `minirb --dump=<kind>` prints equals `<name>.golden` beside it.
//!   `MINIRB_BLESS=1` writes the golden files anew; review the diff.
//! - `test/wishlist/`: either of the first two forms; run and counted, but never fails the build.
//!
//! A panic, a signal or a hang is a failure whatever the file expects. Arguments that are not options are
//! filters: a file is run if its path contains one of them. `MINIRB_RUBY=command` runs the first two forms
//! under that ruby instead (`make test-ref`). `MINIRB_STRESS` and the rest of the environment pass through.

use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, mpsc};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

/// How long one bootstrap file may take.
const SCRIPT_LIMIT: Duration = Duration::from_secs(10);
/// How long a file of the wishlist may take; what hangs there should not hold up the rest.
const WISH_LIMIT: Duration = Duration::from_secs(3);
/// How long one Test::Unit file may take.
const SUITE_LIMIT: Duration = Duration::from_secs(60);
/// What is kept of one stream; a program that prints more is read on, but not remembered.
const KEPT: usize = 1 << 20;

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Script,
    Suite,
    Golden,
}

struct Case {
    path: PathBuf,
    kind: Kind,
    wish: bool,
}

/// What one case came to: how many tests passed in it, and what went wrong, one text a failed test or file.
struct Verdict {
    passed: usize,
    failed: usize,
    report: String,
}

impl Verdict {
    fn from(problem: Result<(), String>) -> Verdict {
        match problem {
            Ok(()) => Verdict { passed: 1, failed: 0, report: String::new() },
            Err(report) => Verdict { passed: 0, failed: 1, report },
        }
    }
}

fn main() -> ExitCode {
    let filters: Vec<String> = env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let ruby = Ruby::new();
    let mut cases = find_cases(ruby.reference);
    cases.retain(|case| filters.is_empty() || filters.iter().any(|f| case.path.to_string_lossy().contains(f)));

    let verdicts = run_all(&ruby, &cases);
    let (mut passed, mut failed) = (0, 0);
    let (mut granted, mut wishes) = (0, 0);
    for (case, verdict) in cases.iter().zip(&verdicts) {
        if case.wish {
            wishes += 1;
            if verdict.failed == 0 {
                granted += 1;
                println!("wishlist: {} passes, move it out", case.path.display());
            }
            continue;
        }
        passed += verdict.passed;
        failed += verdict.failed;
        if verdict.failed > 0 {
            println!("FAIL {}\n{}", case.path.display(), indent(&verdict.report));
        }
    }
    if wishes > 0 {
        println!("wishlist: {granted} of {wishes} files pass");
    }
    println!("{passed} passed, {failed} failed");
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The command under test: minirb, or with `MINIRB_RUBY` a reference ruby.
struct Ruby {
    words: Vec<String>,
    reference: bool,
}

impl Ruby {
    fn new() -> Ruby {
        let Ok(command) = env::var("MINIRB_RUBY") else {
            return Ruby { words: vec![env!("CARGO_BIN_EXE_minirb").into()], reference: false };
        };
        // A reference ruby must load our test/unit, and none of the rest of our library.
        let library = Path::new(env!("CARGO_TARGET_TMPDIR")).join("reference");
        fs::create_dir_all(library.join("test")).expect("the target folder is writable");
        fs::copy("src/stdlib/test/unit.rb", library.join("test/unit.rb")).expect("src/stdlib/test/unit.rb is there");
        let mut words: Vec<String> = command.split_whitespace().map(String::from).collect();
        words.push(format!("-I{}", library.display()));
        Ruby { words, reference: true }
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.words[0]);
        command.args(&self.words[1..]).env("RUST_BACKTRACE", "0");
        command
    }
}

fn find_cases(reference: bool) -> Vec<Case> {
    let mut cases = Vec::new();
    for (folder, kind, wish) in [
        ("test/ruby", Kind::Suite, false),
        ("test/bootstrap", Kind::Script, false),
        ("test/golden", Kind::Golden, false),
        ("test/wishlist", Kind::Script, true),
    ] {
        // A stress pass is about what works, and a reference ruby has no wishes.
        let stress = env::var_os("MINIRB_STRESS").is_some();
        if reference && kind == Kind::Golden || wish && (reference || stress) {
            continue;
        }
        let mut files = Vec::new();
        ruby_files(Path::new(folder), &mut files);
        files.sort();
        for path in files {
            let is_suite = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("test_"));
            match kind {
                Kind::Suite if !is_suite => continue,
                Kind::Script if is_suite => cases.push(Case { path, kind: Kind::Suite, wish }),
                _ => cases.push(Case { path, kind, wish }),
            }
        }
    }
    cases
}

fn ruby_files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            ruby_files(&path, found);
        } else if path.extension().is_some_and(|ext| ext == "rb") {
            found.push(path);
        }
    }
}

/// Runs the cases on all cores; verdicts come back in the order of the cases.
fn run_all(ruby: &Ruby, cases: &[Case]) -> Vec<Verdict> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, |n| n.get()) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(case) = cases.get(index) else { return };
                    let verdict = match case.kind {
                        Kind::Script if case.wish => Verdict::from(run_script(ruby, &case.path, WISH_LIMIT)),
                        Kind::Script => Verdict::from(run_script(ruby, &case.path, SCRIPT_LIMIT)),
                        Kind::Suite if case.wish => run_suite(ruby, &case.path, WISH_LIMIT),
                        Kind::Suite => run_suite(ruby, &case.path, SUITE_LIMIT),
                        Kind::Golden => Verdict::from(run_golden(ruby, &case.path)),
                    };
                    done.lock().expect("no worker panics").push((index, verdict));
                }
            });
        }
    });
    let mut done = done.into_inner().expect("no worker panics");
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, verdict)| verdict).collect()
}

// ---- test/bootstrap ----

/// The outcome a bootstrap file announces in its comments.
#[derive(Default)]
struct Outcome {
    stdout: Vec<String>,
    raises: Option<String>,
    status: Option<i32>,
    signal: Option<i32>,
    stderr: Vec<String>,
    options: Vec<String>,
    arguments: Vec<String>,
    stdin: String,
    survives: bool,
    beyond_ruby: bool,
}

impl Outcome {
    fn parse(source: &str) -> Outcome {
        let mut outcome = Outcome::default();
        for line in source.lines() {
            if line == "__END__" {
                break;
            }
            let Some(comment) = line.rfind("# ").map(|at| line[at + 2..].trim_end()) else { continue };
            // An expected line may itself contain "# ", so its marker is looked for first.
            if let Some(at) = line.find("# =>") {
                let text = &line[at + 4..];
                outcome.stdout.push(text.strip_prefix(' ').unwrap_or(text).trim_end().to_string());
            } else if let Some(at) = line.find("# raises ") {
                outcome.raises = Some(line[at + 9..].trim_end().to_string());
            } else if let Some(at) = line.find("# stderr: ") {
                outcome.stderr.push(line[at + 10..].trim_end().to_string());
            } else if let Some(status) = comment.strip_prefix("exits ") {
                outcome.status = status.parse().ok();
            } else if let Some(signal) = comment.strip_prefix("signal ") {
                outcome.signal = signal.parse().ok();
            } else if let Some(words) = comment.strip_prefix("args: ") {
                let mut after_file = false;
                for word in words.split_whitespace() {
                    match word {
                        "--" => after_file = true,
                        _ if after_file => outcome.arguments.push(word.into()),
                        _ => outcome.options.push(word.into()),
                    }
                }
            } else if let Some(text) = comment.strip_prefix("stdin: ") {
                outcome.stdin.push_str(text);
                outcome.stdin.push('\n');
            } else if comment == "survives" {
                outcome.survives = true;
            } else if comment == "beyond ruby" {
                outcome.beyond_ruby = true;
            }
        }
        outcome
    }

    /// What differs between this outcome and what a run came to.
    fn compare(&self, run: &Run) -> Result<(), String> {
        let mut wrong = Vec::new();
        if self.survives {
            if run.status.signal().is_some() {
                wrong.push(format!("expected it to end by itself, but {}", run.status));
            }
        } else {
            let lines: Vec<&str> = run.stdout.lines().map(|line| line.trim_end()).collect();
            if lines != self.stdout {
                wrong.push(first_difference(&self.stdout, &lines));
            }
            let status = self.status.unwrap_or(self.raises.is_some() as i32);
            if self.signal != run.status.signal() || (self.signal.is_none() && run.status.code() != Some(status)) {
                match self.signal {
                    Some(signal) => wrong.push(format!("expected signal {signal}, got {}", run.status)),
                    None => wrong.push(format!("expected exit status {status}, got {}", run.status)),
                }
            }
        }
        if let Some(raises) = &self.raises {
            let shown = match raises.split_once(": ") {
                Some((class, message)) => format!("{message} ({class})"),
                None => format!("({raises})"),
            };
            if !run.stderr.contains(&shown) {
                wrong.push(format!("expected to raise {raises}"));
            }
        }
        for text in &self.stderr {
            if !run.stderr.contains(text) {
                wrong.push(format!("expected on standard error: {text}"));
            }
        }
        if wrong.is_empty() {
            return Ok(());
        }
        if !run.stderr.is_empty() {
            wrong.push(format!("standard error:\n{}", indent(&shorten(&run.stderr))));
        }
        Err(wrong.join("\n"))
    }
}

fn run_script(ruby: &Ruby, path: &Path, limit: Duration) -> Result<(), String> {
    let source = fs::read(path).map_err(|error| error.to_string())?;
    let outcome = Outcome::parse(&String::from_utf8_lossy(&source));
    if ruby.reference && outcome.beyond_ruby {
        return Ok(());
    }
    let mut command = ruby.command();
    command.args(&outcome.options).arg(path).args(&outcome.arguments);
    outcome.compare(&run(command, &outcome.stdin, limit)?)
}

fn first_difference(expected: &[String], got: &[&str]) -> String {
    let at = expected.iter().zip(got).take_while(|(a, b)| a == b).count();
    let show = |line: Option<&str>| line.map_or("nothing".to_string(), |line| shorten(&format!("{line:?}")));
    let (want, have) = (show(expected.get(at).map(String::as_str)), show(got.get(at).copied()));
    format!("output line {}: expected {want}, got {have}", at + 1)
}

// ---- test/ruby ----

fn run_suite(ruby: &Ruby, path: &Path, limit: Duration) -> Verdict {
    let mut command = ruby.command();
    command.arg(path);
    let run = match run(command, "", limit) {
        Ok(run) => run,
        Err(problem) => return Verdict::from(Err(problem)),
    };
    let report = || shorten(&format!("{}{}{}", run.stdout, run.stderr, run.status));
    match closing_line(&run.stdout) {
        Some((tests, bad)) if run.status.success() == (bad == 0) => {
            Verdict { passed: tests - bad, failed: bad, report: report() }
        }
        _ => Verdict::from(Err(report())),
    }
}

/// Tests run and tests failed, from `12 tests, 30 assertions, 1 failures, 0 errors`.
fn closing_line(stdout: &str) -> Option<(usize, usize)> {
    let line = stdout.lines().rev().find(|line| line.contains(" tests, ") && line.contains(" errors"))?;
    let mut numbers = line.split(", ").map(|part| part.split(' ').next()?.parse::<usize>().ok());
    let (tests, _assertions) = (numbers.next()??, numbers.next()??);
    let bad = numbers.next()?? + numbers.next()??;
    Some((tests, bad.min(tests)))
}

// ---- test/golden ----

fn run_golden(ruby: &Ruby, path: &Path) -> Result<(), String> {
    let kind = path.parent().and_then(Path::file_name).map(|name| name.to_string_lossy()).unwrap_or_default();
    let golden = path.with_extension("golden");
    let mut command = ruby.command();
    command.arg(format!("--dump={kind}")).arg(path);
    let run = run(command, "", SCRIPT_LIMIT)?;
    let shown = if run.status.success() { run.stdout } else { format!("{}{}", run.stdout, run.stderr) };
    if env::var_os("MINIRB_BLESS").is_some() {
        return fs::write(&golden, shown).map_err(|error| error.to_string());
    }
    let expected = fs::read_to_string(&golden).map_err(|error| format!("{}: {error}", golden.display()))?;
    if expected == shown {
        return Ok(());
    }
    let expected: Vec<String> = expected.lines().map(String::from).collect();
    Err(first_difference(&expected, &shown.lines().collect::<Vec<_>>()))
}

// ---- processes ----

/// One finished process.
struct Run {
    stdout: String,
    stderr: String,
    status: ExitStatus,
}

/// Runs a command to its end. Over the limit it is killed; that, and a Rust panic, is an error.
fn run(mut command: Command, stdin: &str, limit: Duration) -> Result<Run, String> {
    let limit = if env::var_os("MINIRB_STRESS").is_some() { limit * 10 } else { limit };
    let streams = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = streams.spawn().map_err(|error| format!("cannot start {command:?}: {error}"))?;
    let mut input = child.stdin.take().expect("stdin is piped");
    // A program that does not read its input is no failure; what is this short fits the pipe.
    let _ = input.write_all(stdin.as_bytes());
    drop(input);
    let stdout = read_all(child.stdout.take().expect("stdout is piped"));
    let stderr = read_all(child.stderr.take().expect("stderr is piped"));
    let status = wait(&mut child, limit);
    // A grandchild may hold the pipes open for longer than the child lives.
    let text = |from: mpsc::Receiver<String>| from.recv_timeout(Duration::from_secs(2)).unwrap_or_default();
    let (stdout, stderr) = (text(stdout), text(stderr));
    let Some(status) = status else {
        let said = shorten(&format!("{stdout}{stderr}"));
        return Err(format!("still running after {} s\n{said}", limit.as_secs()));
    };
    if stderr.contains("panicked at") {
        return Err(format!("panic: {}", shorten(&stderr)));
    }
    Ok(Run { stdout, stderr, status })
}

fn wait(child: &mut Child, limit: Duration) -> Option<ExitStatus> {
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if start.elapsed() < limit => thread::sleep(pause),
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                return None;
            }
        }
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

fn read_all(mut stream: impl Read + Send + 'static) -> mpsc::Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut kept = Vec::new();
        let mut buffer = [0; 1 << 14];
        while let Ok(count @ 1..) = stream.read(&mut buffer) {
            let room = KEPT - kept.len();
            kept.extend_from_slice(&buffer[..count.min(room)]);
        }
        let _ = sender.send(String::from_utf8_lossy(&kept).into_owned());
    });
    receiver
}

// ---- words ----

fn indent(text: &str) -> String {
    text.trim_end().lines().map(|line| format!("    {line}\n")).collect::<String>().trim_end().to_string()
}

/// At most 2,000 characters: the start and the end.
fn shorten(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    if chars.len() <= 2_000 {
        return text.to_string();
    }
    let (head, tail) = (&chars[..1_200], &chars[chars.len() - 700..]);
    format!("{}\n[...]\n{}", head.iter().collect::<String>(), tail.iter().collect::<String>())
}
