//! `Refinement`, `Module#refine` and `using`. How calls find refined methods is in `vm/refine`.

use super::module::this_class;
use super::name_check::module_arg;
use crate::class;
use crate::object::{Ary, Class, MethodBody, MethodEntry, RArray, Visibility};
use crate::value::{NIL, Ruby, Value};
use crate::vm::{Args, Vm};

class! { "Refinement" < "Module";
    ["target"] req(0) => target;
    ["include"] rest(0) => no_include;
    ["prepend"] rest(0) => no_prepend;
    private ["import_methods"] rest(1) => import_methods;
}

mod module {
    crate::class! { "Module" < "Object";
        private ["refine"] req(1) => super::refine;
        private ["using"] req(1) => super::using;
        ["refinements"] req(0) => super::refinements;
        self ["used_modules"] req(0) => super::used_modules;
        self ["used_refinements"] req(0) => super::used_refinements;
    }
}

pub fn boot(vm: Vm) {
    vm.define_table(&module::CLASS);
    let c = vm.define_table(&CLASS);
    for name in ["append_features", "prepend_features", "extend_object"] {
        vm.add_method(c, vm.intern(name), Visibility::Public, MethodBody::Undef);
    }
    let undef = MethodBody::Undef;
    vm.add_method(vm.metaclass(c), crate::object::sym::NEW, Visibility::Public, undef);
}

/// `[class, refinement, ...]` made in a module; the same Array while the module lives.
fn pairs_of(vm: Vm, m: Class) -> Ary {
    let name = vm.intern("__refinements");
    if let Some(a) = vm.ivar_get(m.value(), name).and_then(Value::as_array) {
        return a;
    }
    let a = RArray::new(&vm, 2);
    vm.ivar_set(m.value(), name, a.value());
    a
}
fn hidden(vm: Vm, c: Class, name: &str) -> Option<Class> {
    vm.ivar_get(c.value(), vm.intern(name))?.as_class()
}
/// `#<refinement:String@Mod>` for a refinement.
pub fn describe(vm: Vm, c: Class) -> Option<String> {
    let (refined, by) = (hidden(vm, c, "__refined_class")?, hidden(vm, c, "__refined_by")?);
    Some(format!("#<refinement:{}@{}>", vm.class_name(refined), vm.class_name(by)))
}

/// `refine(class) { ... }`: runs the block in the module's refinement of the class, which is active there.
fn refine(vm: Vm, this: Value, args: Args) -> Ruby {
    let m = this_class(vm, this)?;
    let Some(block) = args.block() else { return Err(vm.arg_error("no block given")) };
    if vm.ec().frame().block_word().as_proc().is_some() {
        return Err(vm.arg_error("can't pass a Proc as a block to Module#refine"));
    }
    let Some(class) = args.or_nil(0).as_class() else {
        let got = vm.describe(args.or_nil(0));
        return Err(vm.type_error(&format!("wrong argument type {got} (expected Class or Module)")));
    };
    let pairs = pairs_of(vm, m);
    let known = pairs.slice().chunks_exact(2).find(|p| p[0] == class.value()).and_then(|p| p[1].as_class());
    let r = match known {
        Some(r) => r,
        None => {
            let r = vm.new_module();
            if let Some(c) = vm.const_value(vm.classes.object.get(), "Refinement").and_then(Value::as_class) {
                r.h.class.set(c.as_ptr() as *mut crate::heap::Header);
            }
            vm.ivar_set(r.value(), vm.intern("__refined_class"), class.value());
            vm.ivar_set(r.value(), vm.intern("__refined_by"), m.value());
            pairs.push(&vm, class.value());
            pairs.push(&vm, r.value());
            r
        }
    };
    let p = block.to_proc(vm);
    let cref = super::kernel_eval::cref_for(vm, p, r.value(), Some(r));
    // The module's own Array: refinements made later in it are seen here as well.
    cref.refinements.set(pairs.value());
    vm.note_refinements(pairs);
    vm.call_proc_with(p, r.value(), Some(cref.value()), &[], false, None)?;
    vm.note_refinements(pairs);
    Ok(r.value())
}

/// Activates a module's refinements for the scope of the running Ruby code.
pub fn activate(vm: Vm, module: Value) -> Ruby<()> {
    let m = module_arg(vm, module)?;
    if hidden(vm, m, "__refined_class").is_some() {
        return Err(vm.arg_error("refinement module is not allowed"));
    }
    let Some(cref) = vm.ec().ruby_frame().and_then(|f| f.cref()) else { return Ok(()) };
    let mro = m.mro().to_vec();
    for &k in mro.iter().rev() {
        vm.activate_refinements(cref, pairs_of(vm, k));
    }
    let used = vm.intern("__used");
    let list = match vm.ivar_get(cref.class.value(), used).and_then(Value::as_array) {
        Some(a) => a,
        None => {
            let a = RArray::new(&vm, 1);
            vm.ivar_set(cref.class.value(), used, a.value());
            a
        }
    };
    if !list.slice().contains(&module) {
        list.push(&vm, module);
    }
    Ok(())
}
fn using(vm: Vm, this: Value, args: Args) -> Ruby {
    let in_body = vm.ec().ruby_frame().is_some_and(|f| f.method().is_none() && f.this() == this);
    if !in_body {
        return Err(vm.runtime_error("Module#using is not permitted in methods"));
    }
    activate(vm, args.or_nil(0))?;
    Ok(this)
}

fn refinements(vm: Vm, this: Value, _args: Args) -> Ruby {
    let out = RArray::new(&vm, 2);
    for p in pairs_of(vm, this_class(vm, this)?).slice().chunks_exact(2) {
        out.push(&vm, p[1]);
    }
    Ok(out.value())
}
fn active(vm: Vm) -> Ary {
    let out = RArray::new(&vm, 4);
    let mut at = vm.ec().ruby_frame().and_then(|f| f.cref());
    while let Some(c) = at {
        if let Some(list) = c.refinements.get().as_array() {
            for p in list.slice().chunks_exact(2) {
                if !out.slice().contains(&p[1]) {
                    out.push(&vm, p[1]);
                }
            }
        }
        at = crate::vm::frame::cref_value(c.parent);
    }
    out
}
fn used_modules(vm: Vm, _this: Value, _args: Args) -> Ruby {
    let out = RArray::new(&vm, 2);
    let all = active(vm);
    for i in 0..all.len() {
        if let Some(by) = all.get(i).as_class().and_then(|r| hidden(vm, r, "__refined_by"))
            && !out.slice().contains(&by.value())
        {
            out.push(&vm, by.value());
        }
    }
    Ok(out.value())
}
fn used_refinements(vm: Vm, _this: Value, _args: Args) -> Ruby {
    Ok(active(vm).value())
}

fn no_include(vm: Vm, _this: Value, _args: Args) -> Ruby {
    Err(vm.type_error("Refinement#include has been removed"))
}
fn no_prepend(vm: Vm, _this: Value, _args: Args) -> Ruby {
    Err(vm.type_error("Refinement#prepend has been removed"))
}
/// TypeError for a refinement among the arguments of `include` and its like.
pub fn refuse(vm: Vm, m: Class, what: &str) -> Ruby<()> {
    match hidden(vm, m, "__refined_class") {
        Some(_) => Err(vm.type_error(&format!("Cannot {what} refinement"))),
        None => Ok(()),
    }
}
fn target(vm: Vm, this: Value, _args: Args) -> Ruby {
    let c = this_class(vm, this)?;
    Ok(hidden(vm, c, "__refined_class").map_or(NIL, |c| c.value()))
}
/// Copies the methods that modules define in Ruby into the refinement.
fn import_methods(vm: Vm, this: Value, args: Args) -> Ruby {
    let to = this_class(vm, this)?;
    for &m in args.slice() {
        let m = module_arg(vm, m)?;
        for (name, e) in m.own_methods() {
            if !matches!(e.body, MethodBody::Code { .. }) {
                let text = format!(
                    "Can't import method which is not defined with Ruby code: {}#{}",
                    vm.class_name(m),
                    vm.name_of(name)
                );
                return Err(vm.arg_error(&text));
            }
            let copy = MethodEntry::copy_with(&vm, name, e.original_name, e.visibility, to, to, e.body);
            vm.add_entry(to, name, copy);
        }
    }
    Ok(this)
}
