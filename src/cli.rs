//! Command line: options, running the script, reporting what was not rescued, exit codes.

use crate::core::eval::compile_text;
use crate::object::RArray;
use crate::syntax::{ParseOptions, Source};
use crate::value::{NIL, TRUE, Value};
use crate::vm::Vm;
use std::ffi::OsString;
use std::io::Read;
use std::os::unix::ffi::OsStringExt;

pub const VERSION: &str = concat!("minirb ", env!("CARGO_PKG_VERSION"), " (Ruby 4.0 language) [x86_64-linux]");

const USAGE: &str = "Usage: minirb [options] [--] [script [arguments]]
  -e 'code'       run code given here (several lines: several -e)
  -c              check the syntax only
  -v              print the version, be verbose
  -w              be verbose
  -W[level]       warnings: 0 none, 1 some, 2 all
  -I dir          look for libraries there first
  -r library      require it before the script
  -C dir          change to this folder first
  --dump=ast|insns   print the syntax tree or the bytecode and stop
  --ops           print the manual of the bytecode
  --version       print the version and stop
  -h, --help      this text
";

#[derive(Default)]
struct Options {
    code: Vec<Vec<u8>>,
    check: bool,
    dump: Option<String>,
    verbose: Option<Value>,
    include: Vec<String>,
    require: Vec<String>,
    script: Option<String>,
    argv: Vec<String>,
    version: bool,
    stop: bool,
}

fn parse(args: Vec<OsString>) -> Result<Options, String> {
    let mut o = Options::default();
    let mut it = args.into_iter().skip(1).map(|a| a.into_vec()).peekable();
    let text = |b: Vec<u8>| String::from_utf8_lossy(&b).into_owned();
    while let Some(arg) = it.peek() {
        let a = text(arg.clone());
        if a == "-" || !a.starts_with('-') {
            break;
        }
        it.next();
        let mut value = |short: &str, what: &str| -> Result<String, String> {
            if a.len() > short.len() {
                return Ok(a[short.len()..].to_string());
            }
            it.next().map(text).ok_or(format!("minirb: no {what} given for {short}"))
        };
        match a.as_str() {
            "--" => break,
            "-e" => match it.next() {
                Some(c) => o.code.push(c),
                None => return Err("minirb: no code specified for -e (RuntimeError)".into()),
            },
            "-c" => o.check = true,
            "-v" | "--verbose" => {
                o.version = a == "-v";
                o.verbose = Some(TRUE);
            }
            "-w" | "-W" | "-W2" | "-W:all" => o.verbose = Some(TRUE),
            "-W0" => o.verbose = Some(NIL),
            "-W1" => o.verbose = Some(crate::value::FALSE),
            "--version" => {
                o.version = true;
                o.stop = true;
            }
            "-h" | "--help" => {
                print!("{USAGE}");
                o.stop = true;
            }
            "--ops" => {
                print!("{}", crate::bytecode::disasm::manual());
                o.stop = true;
            }
            "-d" | "--debug" | "--disable-gems" | "--disable=gems" | "--disable-all" | "--disable=all" | "-U" => {}
            _ if a.starts_with("-I") => {
                let dirs = value("-I", "directory")?;
                o.include.extend(dirs.split(':').map(String::from));
            }
            _ if a.starts_with("-r") => {
                let lib = value("-r", "library")?;
                o.require.push(lib);
            }
            _ if a.starts_with("-C") => {
                let dir = value("-C", "directory")?;
                std::env::set_current_dir(&dir).map_err(|_| format!("minirb: Can't chdir to {dir} (fatal)"))?;
            }
            _ if a.starts_with("-W:")
                || a.starts_with("--disable")
                || a.starts_with("--enable")
                || a.starts_with("-E")
                || a.starts_with("-K") => {}
            _ if a.starts_with("--dump=") => o.dump = Some(a[7..].to_string()),
            _ => return Err(format!("minirb: invalid option {a}  (-h will show valid options) (RuntimeError)")),
        }
    }
    if o.code.is_empty() {
        o.script = it.next().map(text);
    }
    o.argv = it.map(text).collect();
    Ok(o)
}

/// Runs the command line; the result is the exit status.
pub fn main(args: Vec<OsString>) -> i32 {
    let o = match parse(args) {
        Ok(o) => o,
        Err(text) => {
            eprintln!("{text}");
            return 1;
        }
    };
    if o.version {
        println!("{VERSION}");
        if o.stop || (o.code.is_empty() && o.script.is_none()) {
            return 0;
        }
    }
    if o.stop {
        return 0;
    }
    let (name, bytes) = if !o.code.is_empty() {
        let mut all = o.code.join(&b'\n');
        all.push(b'\n');
        ("-e".to_string(), all)
    } else {
        match o.script.as_deref() {
            None | Some("-") => {
                let mut all = Vec::new();
                if let Err(e) = std::io::stdin().read_to_end(&mut all) {
                    eprintln!("minirb: {e}");
                    return 1;
                }
                ("-".to_string(), all)
            }
            Some(path) => match std::fs::read(path) {
                Ok(all) => (path.to_string(), all),
                Err(e) => {
                    let why = if e.kind() == std::io::ErrorKind::NotFound {
                        "No such file or directory".to_string()
                    } else if std::path::Path::new(path).is_dir() {
                        "Is a directory".to_string()
                    } else {
                        e.to_string()
                    };
                    eprintln!("minirb: {why} -- {path} (LoadError)");
                    return 1;
                }
            },
        }
    };
    if o.check || o.dump.is_some() {
        return inspect_only(&o, &name, bytes);
    }
    match crate::core::boot::with_vm(|vm| run(vm, o, name, bytes)) {
        Ok(status) => status,
        Err(e) => {
            eprintln!("minirb: cannot reserve memory: {e}");
            1
        }
    }
}

/// `-c` and `--dump`: no VM needed. Runs on a large stack, the parser's recursion limit allows for it.
fn inspect_only(o: &Options, name: &str, bytes: Vec<u8>) -> i32 {
    let source = Source::new(name, bytes);
    let dump = o.dump.as_deref();
    std::thread::scope(|s| {
        let work = || {
            if dump == Some("ast") {
                return match crate::syntax::parse(&source, &ParseOptions::default()) {
                    Ok(p) => {
                        println!("{p:#?}");
                        0
                    }
                    Err(ds) => {
                        for d in ds {
                            eprintln!("{}", d.render(&source));
                        }
                        1
                    }
                };
            }
            match compile_text(&source, &ParseOptions::default(), &crate::compile::CompileOptions::file(&source.name)) {
                Ok(crate::core::eval::Compiled { proto, .. }) => {
                    match dump {
                        None => println!("Syntax OK"),
                        Some("insns") => print!("{}", crate::bytecode::disasm::disasm(&proto)),
                        Some(other) => {
                            eprintln!("minirb: --dump={other}: not one of ast, insns");
                            return 1;
                        }
                    }
                    0
                }
                Err(text) => {
                    eprintln!("{text}");
                    1
                }
            }
        };
        match std::thread::Builder::new().stack_size(256 << 20).spawn_scoped(s, work).map(|t| t.join()) {
            Ok(Ok(code)) => code,
            _ => 1,
        }
    })
}

fn run(vm: Vm, o: Options, name: String, bytes: Vec<u8>) -> i32 {
    if let Ok(s) = std::env::var("MINIRB_STRESS") {
        for word in s.split(',') {
            if let Some(rest) = word.strip_prefix("gc") {
                let n = rest.strip_prefix(':').and_then(|n| n.parse().ok()).unwrap_or(1);
                vm.heap.set_stress(n);
            }
        }
    }
    vm.catch_signals();
    if let Some(v) = o.verbose {
        vm.config.verbose.set(v);
    }
    *vm.config.script.borrow_mut() = name.clone();
    let argv = vm.keep_forever(RArray::new(&vm, o.argv.len()).value());
    if let Some(a) = argv.as_array() {
        for s in &o.argv {
            a.push(&vm, vm.str(s));
        }
    }
    vm.set_const(vm.classes.object.get(), vm.intern("ARGV"), argv);
    vm.define_gvar("$*", Some(argv), None, Some(Vm::readonly_gvar));
    let zero = vm.str(&name);
    vm.define_gvar("$0", Some(zero), None, None);
    vm.gvar_alias(vm.intern("$PROGRAM_NAME"), vm.intern("$0"));
    for dir in &o.include {
        let full = std::fs::canonicalize(dir).map_or(dir.clone(), |p| p.to_string_lossy().into_owned());
        vm.add_load_path(&full);
    }
    let result = (|| {
        for lib in &o.require {
            vm.require(lib)?;
        }
        vm.run_text(&name, bytes, true)
    })();
    crate::core::ending::end_program(vm, result)
}
