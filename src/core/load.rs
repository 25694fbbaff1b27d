//! `require`, `require_relative`, `load`; `$LOAD_PATH` and `$LOADED_FEATURES`; the standard library inside the binary.

use crate::object::RArray;
use crate::value::{FALSE, Ruby, TRUE, Value};
use crate::vm::Vm;
use crate::vm::native::{Args, ClassDef, MethodDef, arity};
use std::cell::Cell;
use std::path::{Path, PathBuf};

/// Library files compiled into the binary: (feature, text).
pub const STDLIB: &[(&str, &str)] = &[
    ("forwardable.rb", include_str!("../stdlib/forwardable.rb")),
    ("monitor.rb", include_str!("../stdlib/monitor.rb")),
    ("set/subclass_compatible.rb", include_str!("../stdlib/set/subclass_compatible.rb")),
    ("singleton.rb", include_str!("../stdlib/singleton.rb")),
    ("stringio.rb", include_str!("../stdlib/stringio.rb")),
    ("tempfile.rb", include_str!("../stdlib/tempfile.rb")),
    ("test/unit.rb", include_str!("../stdlib/test/unit.rb")),
    ("timeout.rb", include_str!("../stdlib/timeout.rb")),
    ("tmpdir.rb", include_str!("../stdlib/tmpdir.rb")),
    ("weakref.rb", include_str!("../stdlib/weakref.rb")),
];

/// Features that programs require and that are always there.
const BUILT_IN: &[&str] = &[
    "thread",
    "thread.rb",
    "enumerator",
    "enumerator.so",
    "rational",
    "complex",
    "fiber",
    "ruby2_keywords",
    "io/console",
    "io/wait",
    "set",
    "pp",
];

const KERNEL: ClassDef = ClassDef {
    name: "Kernel",
    superclass: None,
    methods: &[
        MethodDef { names: &["require"], arity: arity::req(1), f: require, scope: "module_fn" },
        MethodDef { names: &["require_relative"], arity: arity::req(1), f: require_relative, scope: "module_fn" },
        MethodDef { names: &["load"], arity: arity::opt(1, 2), f: load, scope: "module_fn" },
    ],
};

#[derive(Default)]
struct Paths {
    path: Cell<Option<Value>>,
    features: Cell<Option<Value>>,
}

pub fn boot(vm: Vm) {
    vm.define_table(&KERNEL);
    let s = vm.slot::<Paths>();
    let path = vm.keep_forever(RArray::new(&vm, 4).value());
    let features = vm.keep_forever(RArray::new(&vm, 4).value());
    s.path.set(Some(path));
    s.features.set(Some(features));
    for name in ["$LOAD_PATH", "$:", "$-I"] {
        vm.define_gvar(name, Some(path), None, Some(Vm::readonly_gvar));
    }
    for name in ["$LOADED_FEATURES", "$\""] {
        vm.define_gvar(name, Some(features), None, Some(Vm::readonly_gvar));
    }
    vm.hooks.autoload.set(Some(require_path));
}

impl Vm {
    /// Adds a folder to `$LOAD_PATH`.
    pub fn add_load_path(self, dir: &str) {
        if let Some(a) = self.slot::<Paths>().path.get().and_then(|v| v.as_array()) {
            a.push(&self, self.str(dir));
        }
    }
    /// `require name`: true if it was loaded now.
    pub fn require(self, name: &str) -> Ruby<bool> {
        Ok(require_path(self, self.str(name))?.truthy())
    }
}

fn path_of(vm: Vm, v: Value) -> Ruby<String> {
    if v.as_str().is_none()
        && let Some(p) = vm.send_if_responds(v, crate::object::sym::TO_PATH, &[])?
    {
        return Ok(vm.to_str(p)?.text().into_owned());
    }
    Ok(vm.to_str(v)?.text().into_owned())
}

fn load_error(vm: Vm, path: &str) -> crate::value::Raised {
    let e = vm.new_exception(vm.classes.load_error.get(), &format!("cannot load such file -- {path}"));
    let p = vm.str(path);
    vm.ivar_set(e, vm.intern("@path"), p);
    vm.raise_exc(e)
}

enum Found {
    File(PathBuf),
    Inside(&'static str, &'static str),
    BuiltIn,
}

fn find(vm: Vm, name: &str) -> Option<Found> {
    let with_rb = if name.ends_with(".rb") { name.to_string() } else { format!("{name}.rb") };
    let p = Path::new(&with_rb);
    let explicit = name.starts_with("./") || name.starts_with("../") || name.starts_with('~') || p.is_absolute();
    if explicit {
        return p.is_file().then(|| Found::File(p.to_path_buf()));
    }
    if let Some(dirs) = vm.slot::<Paths>().path.get().and_then(|v| v.as_array()) {
        for i in 0..dirs.len() {
            if let Some(d) = dirs.get(i).as_str() {
                let full = Path::new(d.text().as_ref()).join(&with_rb);
                if full.is_file() {
                    return Some(Found::File(full));
                }
            }
        }
    }
    if let Some((n, text)) = STDLIB.iter().find(|(n, _)| *n == with_rb) {
        return Some(Found::Inside(n, text));
    }
    BUILT_IN.contains(&name).then_some(Found::BuiltIn)
}

fn loaded(vm: Vm, feature: &str) -> bool {
    let Some(list) = vm.slot::<Paths>().features.get().and_then(|v| v.as_array()) else { return false };
    (0..list.len()).any(|i| list.get(i).as_str().is_some_and(|s| s.bytes() == feature.as_bytes()))
}

fn add_feature(vm: Vm, feature: &str) -> Ruby<()> {
    if let Some(list) = vm.slot::<Paths>().features.get().and_then(|v| v.as_array()) {
        list.push(&vm, vm.str(feature));
    }
    Ok(())
}

fn drop_feature(vm: Vm, feature: &str) {
    if let Some(list) = vm.slot::<Paths>().features.get().and_then(|v| v.as_array())
        && let Some(i) =
            (0..list.len()).find(|&i| list.get(i).as_str().is_some_and(|s| s.bytes() == feature.as_bytes()))
    {
        list.remove(i);
    }
}

fn require_path(vm: Vm, v: Value) -> Ruby {
    let name = path_of(vm, v)?;
    let (feature, text): (String, Vec<u8>) = match find(vm, &name) {
        None => return Err(load_error(vm, &name)),
        Some(Found::BuiltIn) => return Ok(FALSE),
        Some(Found::Inside(n, text)) => (n.to_string(), text.as_bytes().to_vec()),
        Some(Found::File(p)) => {
            let full = std::fs::canonicalize(&p).unwrap_or(p);
            let name = full.to_string_lossy().into_owned();
            if loaded(vm, &name) {
                return Ok(FALSE);
            }
            match std::fs::read(&full) {
                Ok(bytes) => (name, bytes),
                Err(_) => return Err(load_error(vm, &name)),
            }
        }
    };
    if loaded(vm, &feature) {
        return Ok(FALSE);
    }
    // Known as loaded while it runs: a circular require finds it so.
    add_feature(vm, &feature)?;
    match vm.run_text(&feature, text, false) {
        Ok(_) => Ok(TRUE),
        Err(r) => {
            drop_feature(vm, &feature);
            Err(r)
        }
    }
}

fn require(vm: Vm, _this: Value, args: Args) -> Ruby {
    require_path(vm, args.or_nil(0))
}

fn require_relative(vm: Vm, _this: Value, args: Args) -> Ruby {
    let name = path_of(vm, args.or_nil(0))?;
    let file = vm.ec().ruby_frame().and_then(|f| f.code()).map(|c| c.rest.file.to_string()).unwrap_or_default();
    if file.starts_with("(eval") {
        return Err(vm.raise(vm.classes.load_error.get(), "cannot infer basepath"));
    }
    let here = std::fs::canonicalize(&file).unwrap_or_else(|_| PathBuf::from(&file));
    let full = here.parent().unwrap_or(Path::new(".")).join(&name);
    let full = if full.is_absolute() { full } else { std::env::current_dir().unwrap_or_default().join(full) };
    require_path(vm, vm.str(&full.to_string_lossy()))
}

fn load(vm: Vm, _this: Value, args: Args) -> Ruby {
    let name = path_of(vm, args.or_nil(0))?;
    let mut found = Path::new(&name).is_file().then(|| PathBuf::from(&name));
    if found.is_none()
        && let Some(Found::File(p)) = find(vm, &name)
    {
        found = Some(p)
    }
    let Some(p) = found else { return Err(load_error(vm, &name)) };
    let Ok(bytes) = std::fs::read(&p) else { return Err(load_error(vm, &name)) };
    vm.run_text(&p.to_string_lossy(), bytes, false)?;
    Ok(TRUE)
}
