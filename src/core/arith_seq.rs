//! `Enumerator::ArithmeticSequence`: what `1.step(10, 3)` and `(1..10) % 3` give. Its methods are Ruby, in
//! `prelude/enumerator.rb`; the numbers are here, where indexing finds them.

use crate::class;
use crate::heap::Marker;
use crate::object::{Data, RArray, RData, sym};
use crate::value::{NIL, Ruby, Value};
use crate::vm::native::{ClassDef, MethodDef, arity};
use crate::vm::{Args, Vm};

class! { "Enumerator::ArithmeticSequence" < "Enumerator";
    ["begin"] req(0) => begin;
    ["end"] req(0) => end;
    ["step"] req(0) => step;
    ["exclude_end?"] req(0) => exclude_end;
    private ["__origin"] req(0) => origin;
}

const KERNEL: ClassDef = ClassDef {
    name: "Kernel",
    superclass: None,
    methods: &[MethodDef { names: &["__arith_seq"], arity: arity::req(5), f: make, scope: "private" }],
};

struct ArithSeq {
    begin: Value,
    end: Value,
    step: Value,
    exclusive: bool,
    /// `[receiver, method, *args]`: how it was made, for `inspect`
    origin: Value,
}
impl Data for ArithSeq {
    fn trace(&self, m: &mut Marker) {
        for v in [self.begin, self.end, self.step, self.origin] {
            m.value(v);
        }
    }
}

/// Defines the class; `new` and `allocate` are not for Ruby.
pub fn boot(vm: Vm) {
    let c = vm.define_table(&CLASS);
    let meta = vm.metaclass(c);
    vm.add_method(meta, sym::NEW, crate::object::Visibility::Public, crate::object::MethodBody::Undef);
    vm.set_allocator(c, |vm, class| {
        let name = vm.class_name(class);
        Err(vm.type_error(&format!("allocator undefined for {name}")))
    });
    vm.define_table(&KERNEL);
}

/// `(begin, end, step, exclusive)` if `v` is one.
pub fn parts(v: Value) -> Option<(Value, Value, Value, bool)> {
    v.data::<ArithSeq>().map(|s| (s.begin, s.end, s.step, s.exclusive))
}

impl Vm {
    /// A sequence as `receiver.method(*args)` returned it.
    pub fn arith_seq(self, origin: Value, begin: Value, end: Value, step: Value, exclusive: bool) -> Value {
        let class = self.classes.arithmetic_sequence.get();
        RData::alloc(&self, class, ArithSeq { begin, end, step, exclusive, origin })
    }
}

/// `__arith_seq(origin, begin, end, step, exclusive)` for the prelude.
fn make(vm: Vm, _: Value, args: Args) -> Ruby {
    Ok(vm.arith_seq(args.or_nil(0), args.or_nil(1), args.or_nil(2), args.or_nil(3), args.or_nil(4).truthy()))
}
fn get(vm: Vm, this: Value) -> Ruby<&'static ArithSeq> {
    this.data::<ArithSeq>().ok_or_else(|| vm.type_error("not an arithmetic sequence"))
}
fn begin(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(get(vm, this)?.begin)
}
fn end(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(get(vm, this)?.end)
}
fn step(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(get(vm, this)?.step)
}
fn exclude_end(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(Value::bool(get(vm, this)?.exclusive))
}
fn origin(vm: Vm, this: Value, _: Args) -> Ruby {
    let o = get(vm, this)?.origin;
    Ok(if o == NIL { RArray::new(&vm, 0).value() } else { o })
}
