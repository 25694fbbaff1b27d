//! `NilClass`.

use super::numeric::no_new;
use super::{complex, rational};
use crate::class;
use crate::object::{Enc, RArray, RHash, RString, sym};
use crate::value::{FALSE, NIL, Ruby, TRUE, Value};
use crate::vm::{Args, Vm};

class! { "NilClass" < "Object";
    ["to_s"]        req(0)    => to_s;
    ["to_a"]        req(0)    => to_a;
    ["to_h"]        req(0)    => to_h;
    ["to_i"]        req(0)    => to_i;
    ["to_f"]        req(0)    => to_f;
    ["to_r"]        req(0)    => to_r;
    ["rationalize"] opt(0, 1) => to_r;
    ["to_c"]        req(0)    => to_c;
    ["inspect"]     req(0)    => inspect;
    ["nil?"]        req(0)    => yes;
    ["=~"]          req(1)    => nothing;
    ["&"]           req(1)    => and;
    ["|", "^"]      req(1)    => or;
    ["==="]         req(1)    => eqq;
}

pub fn boot(vm: Vm) {
    let c = vm.define_table(&CLASS);
    vm.classes.nil.set(c);
    no_new(vm, c);
}

/// Texts made so far.
#[derive(Default)]
struct FixedTexts(std::cell::RefCell<Vec<(&'static str, Value)>>);

/// A frozen text that lives for ever; the same object each time.
pub fn fixed_text(vm: Vm, text: &'static str) -> Value {
    let known = vm.slot::<FixedTexts>();
    if let Some(t) = known.0.borrow().iter().find(|t| t.0 == text) {
        return t.1;
    }
    let s = RString::from_static(&vm, text.as_bytes(), Enc::Ascii);
    s.freeze();
    known.0.borrow_mut().push((text, vm.keep_forever(s.value())));
    s.value()
}

fn to_s(vm: Vm, _: Value, _: Args) -> Ruby {
    Ok(fixed_text(vm, ""))
}
fn inspect(vm: Vm, _: Value, _: Args) -> Ruby {
    Ok(RString::ascii(&vm, "nil").value())
}
fn to_a(vm: Vm, _: Value, _: Args) -> Ruby {
    Ok(RArray::new(&vm, 0).value())
}
fn to_h(vm: Vm, _: Value, _: Args) -> Ruby {
    Ok(RHash::new(&vm).value())
}
fn to_i(_: Vm, _: Value, _: Args) -> Ruby {
    Ok(Value::fixnum(0))
}
fn to_f(vm: Vm, _: Value, _: Args) -> Ruby {
    Ok(vm.float(0.0))
}
fn to_r(vm: Vm, _: Value, _: Args) -> Ruby {
    Ok(rational::raw(vm, Value::fixnum(0), Value::fixnum(1)))
}
fn to_c(vm: Vm, _: Value, _: Args) -> Ruby {
    Ok(complex::raw(vm, Value::fixnum(0), Value::fixnum(0)))
}
fn yes(_: Vm, _: Value, _: Args) -> Ruby {
    Ok(TRUE)
}
fn nothing(_: Vm, _: Value, _: Args) -> Ruby {
    Ok(NIL)
}
fn and(_: Vm, _: Value, _: Args) -> Ruby {
    Ok(FALSE)
}
fn or(_: Vm, _: Value, args: Args) -> Ruby {
    Ok(args.or_nil(0).truthy().into())
}
/// `nil === other`, also for true and false: the same object, or `==` says so.
pub fn eqq(vm: Vm, this: Value, args: Args) -> Ruby {
    let other = args.or_nil(0);
    Ok((this == other || vm.send(this, sym::EQ, &[other])?.truthy()).into())
}
