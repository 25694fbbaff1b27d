//! `TrueClass` and `FalseClass`.

use super::nil::{eqq, fixed_text};
use super::numeric::no_new;
use crate::class;
use crate::value::{FALSE, Ruby, TRUE, Value};
use crate::vm::native::ClassDef;
use crate::vm::{Args, Vm};

class! { "TrueClass" < "Object";
    ["to_s", "inspect"] req(0) => true_to_s;
    ["&"]               req(1) => truth_of;
    ["|"]               req(1) => always;
    ["^"]               req(1) => opposite;
    ["==="]             req(1) => eqq;
}

const FALSE_CLASS: ClassDef = {
    class! { "FalseClass" < "Object";
        ["to_s", "inspect"] req(0) => false_to_s;
        ["&"]               req(1) => never;
        ["|", "^"]          req(1) => truth_of;
        ["==="]             req(1) => eqq;
    }
    CLASS
};

pub fn boot(vm: Vm) {
    for (def, known) in [(&CLASS, &vm.classes.true_), (&FALSE_CLASS, &vm.classes.false_)] {
        let c = vm.define_table(def);
        known.set(c);
        no_new(vm, c);
    }
}

fn true_to_s(vm: Vm, _: Value, _: Args) -> Ruby {
    Ok(fixed_text(vm, "true"))
}
fn false_to_s(vm: Vm, _: Value, _: Args) -> Ruby {
    Ok(fixed_text(vm, "false"))
}
fn truth_of(_: Vm, _: Value, args: Args) -> Ruby {
    Ok(args.or_nil(0).truthy().into())
}
fn opposite(_: Vm, _: Value, args: Args) -> Ruby {
    Ok((!args.or_nil(0).truthy()).into())
}
fn always(_: Vm, _: Value, _: Args) -> Ruby {
    Ok(TRUE)
}
fn never(_: Vm, _: Value, _: Args) -> Ruby {
    Ok(FALSE)
}
