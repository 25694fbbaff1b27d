//! `Warning`: where warnings go, and which categories are shown.

use crate::class;
use crate::object::{Enc, RHash};
use crate::value::{NIL, Ruby, Value};
use crate::vm::{Args, Vm};
use std::cell::Cell;

class! { module "Warning";
    ["warn"] kw(1, 1) => warn;
    self ["[]"] req(1) => get;
    self ["[]="] req(2) => set;
    self ["categories"] req(0) => categories;
}

const CATEGORIES: [&str; 4] = ["deprecated", "experimental", "performance", "strict_unused_block"];

/// Which categories are on.
struct Enabled([Cell<bool>; 4]);
impl Default for Enabled {
    fn default() -> Self {
        Enabled([Cell::new(false), Cell::new(true), Cell::new(false), Cell::new(false)])
    }
}

pub fn boot(vm: Vm) {
    let m = vm.define_table(&CLASS);
    vm.metaclass(m).include(m);
    vm.ancestors_changed(m);
    vm.hooks.warn.set(Some(|vm, line| {
        if vm.config.verbose.get().is_nil() {
            return Ok(());
        }
        emit(vm, vm.str(&format!("{line}\n")), NIL)
    }));
    vm.hooks.deprecated.set(Some(deprecated));
}

/// Index of a category given as a Symbol.
fn category(vm: Vm, v: Value) -> Ruby<usize> {
    let Some(s) = v.as_symbol() else {
        let got = vm.describe(v);
        return Err(vm.type_error(&format!("wrong argument type {got} (expected Symbol)")));
    };
    let name = vm.name_of(s);
    CATEGORIES.iter().position(|c| *c == name).ok_or_else(|| vm.arg_error(&format!("unknown category: {name}")))
}
fn get(vm: Vm, _this: Value, args: Args) -> Ruby {
    let i = category(vm, args.or_nil(0))?;
    Ok(Value::bool(vm.slot::<Enabled>().0[i].get()))
}
fn set(vm: Vm, _this: Value, args: Args) -> Ruby {
    let i = category(vm, args.or_nil(0))?;
    vm.slot::<Enabled>().0[i].set(args.or_nil(1).truthy());
    Ok(args.or_nil(1))
}
fn categories(vm: Vm, _this: Value, _args: Args) -> Ruby {
    let list = crate::object::RArray::new(&vm, CATEGORIES.len());
    for c in CATEGORIES {
        list.push(&vm, vm.sym(c));
    }
    Ok(list.value())
}

/// `Warning.warn(text, category: nil)`: writes to `$stderr`.
fn warn(vm: Vm, _this: Value, args: Args) -> Ruby {
    args.only_keywords(vm, &["category"])?;
    let text = args.or_nil(0);
    let Some(s) = text.as_str() else {
        let got = vm.describe(text);
        return Err(vm.type_error(&format!("wrong argument type {got} (expected String)")));
    };
    if !s.enc().ascii_compatible() {
        return Err(vm.raise(vm.classes.compatibility_error.get(), "ASCII incompatible encoding: UTF-16LE"));
    }
    if let Some(c) = args.keyword(vm, "category")?
        && !c.is_nil()
    {
        let i = category(vm, c)?;
        if !vm.slot::<Enabled>().0[i].get() {
            return Ok(NIL);
        }
    }
    super::exception_report::write_stderr(vm, s.bytes())?;
    Ok(NIL)
}

/// Sends a finished text through `Warning.warn`, whatever that has been redefined to.
pub fn emit(vm: Vm, text: Value, category_: Value) -> Ruby<()> {
    let m = vm.classes.warning.get().value();
    let name = vm.intern("warn");
    if category_.is_nil() {
        vm.send(m, name, &[text])?;
        return Ok(());
    }
    let i = category(vm, category_)?;
    if !vm.slot::<Enabled>().0[i].get() {
        return Ok(());
    }
    let kw = RHash::new(&vm);
    kw.set(&vm, &vm, vm.sym("category"), category_)?;
    vm.send_full(m, name, &[text, kw.value()], true, None, true)?;
    Ok(())
}

fn place_line(vm: Vm, text: &str) -> Value {
    let (file, line) = vm.current_place();
    let line = match file.as_str() {
        Some(f) => format!("{}:{line}: warning: {text}\n", f.text()),
        None => format!("warning: {text}\n"),
    };
    crate::object::RString::from_bytes(&vm, line.as_bytes(), Enc::Utf8).value()
}
/// A warning at the caller's place.
pub fn located(vm: Vm, text: &str) -> Ruby<()> {
    if vm.config.verbose.get().is_nil() {
        return Ok(());
    }
    emit(vm, place_line(vm, text), NIL)
}
/// A warning that only `-w` shows.
pub fn verbose(vm: Vm, text: &str) -> Ruby<()> {
    if vm.config.verbose.get() != crate::value::TRUE {
        return Ok(());
    }
    emit(vm, place_line(vm, text), NIL)
}
/// A warning of the category `deprecated`.
pub fn deprecated(vm: Vm, text: &str) -> Ruby<()> {
    if vm.config.verbose.get().is_nil() || !vm.slot::<Enabled>().0[0].get() {
        return Ok(());
    }
    emit(vm, place_line(vm, text), vm.sym("deprecated"))
}
/// Turns a category on or off (`-W:no-deprecated`); false if there is no such category.
pub fn enable(vm: Vm, name: &str, on: bool) -> bool {
    match CATEGORIES.iter().position(|c| *c == name) {
        Some(i) => {
            vm.slot::<Enabled>().0[i].set(on);
            true
        }
        None => false,
    }
}
