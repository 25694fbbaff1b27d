//! `Numeric`: the coerce protocol and what every number can do through its own `+ - * / <=>`.

use super::{complex, float, rational};
use crate::class;
use crate::object::{Class, MethodBody, RArray, Str, Visibility, sym};
use crate::value::{FALSE, NIL, Raised, Ruby, Sym, TRUE, Value};
use crate::vm::arith::{int_negative, int_zero};
use crate::vm::native::Native;
use crate::vm::{Args, Vm};

class! { "Numeric" < "Object";
    ["coerce"]                      req(1)   => coerce;
    ["singleton_method_added"]      req(1)   => singleton_method_added;
    ["dup", "+@", "real", "conj", "conjugate"] req(0) => itself;
    ["clone"]                       kw(0, 0) => clone;
    ["i"]                           req(0)   => imaginary_unit;
    ["-@"]                          req(0)   => negate;
    ["<=>"]                         req(1)   => cmp;
    ["eql?"]                        req(1)   => eql;
    ["fdiv"]                        req(1)   => fdiv;
    ["quo"]                         req(1)   => quo;
    ["div"]                         req(1)   => div;
    ["divmod"]                      req(1)   => divmod;
    ["%", "modulo"]                 req(1)   => modulo;
    ["remainder"]                   req(1)   => remainder;
    ["abs", "magnitude"]            req(0)   => abs;
    ["to_int"]                      req(0)   => to_int;
    ["to_c"]                        req(0)   => to_c;
    ["zero?"]                       req(0)   => is_zero;
    ["nonzero?"]                    req(0)   => nonzero;
    ["positive?"]                   req(0)   => positive;
    ["negative?"]                   req(0)   => negative;
    ["integer?"]                    req(0)   => no;
    ["real?", "finite?"]            req(0)   => yes;
    ["infinite?"]                   req(0)   => infinite;
    ["floor"]                       opt(0, 1) => floor;
    ["ceil"]                        opt(0, 1) => ceil;
    ["round"]                       kw(0, 1) => round;
    ["truncate"]                    opt(0, 1) => truncate;
    ["numerator"]                   req(0)   => numerator;
    ["denominator"]                 req(0)   => denominator;
    ["imaginary", "imag"]           req(0)   => zero;
    ["abs2"]                        req(0)   => abs2;
    ["arg", "angle", "phase"]       req(0)   => arg;
    ["rectangular", "rect"]         req(0)   => rectangular;
    ["polar"]                       req(0)   => polar;
    private ["__step_size"]         req(3)   => step_size;
    private ["__step_down?"]        req(1)   => step_down;
    private ["__float_steps"]       req(2)   => float_steps;
}

pub fn boot(vm: Vm) {
    let c = vm.define_table(&CLASS);
    vm.classes.numeric.set(c);
    c.include(vm.classes.comparable.get());
}

/// Takes `new` away from a class whose instances are only literals; `allocate` raises TypeError.
pub fn no_new(vm: Vm, class: Class) {
    class.alloc.set(super::proc::no_allocator as *const ());
    vm.add_method(vm.metaclass(class), vm.intern("new"), Visibility::Public, MethodBody::Undef);
}

/// Gives a number class its private `convert`, which `Rational()` and `Complex()` stand for.
pub fn private_convert(vm: Vm, class: Class, f: Native) {
    let body = MethodBody::Native { f: f as *const (), min: 1, max: 2, kw: false };
    vm.add_method(vm.metaclass(class), vm.intern("convert"), Visibility::Private, body);
}

/// Runs a conversion; with `exception: false` among the keywords a StandardError gives nil.
pub fn or_exception(vm: Vm, args: Args, f: impl FnOnce() -> Ruby) -> Ruby {
    match args.keyword(vm, "exception")? {
        Some(FALSE) => Ok(vm.rescue(vm.classes.standard_error.get(), f)?.unwrap_or(NIL)),
        None | Some(TRUE) => f(),
        Some(v) => {
            let text = vm.inspect(v)?;
            Err(vm.arg_error(&format!("expected true or false as exception: {}", text.text())))
        }
    }
}

/// The coerce protocol, for natives of any number class.
impl Vm {
    /// `other.coerce(this)`, as a pair; `None` if `other` does not know `coerce` (or, when `!strict`, gives nil).
    fn coerce_pair(self, this: Value, other: Value, strict: bool) -> Ruby<Option<(Value, Value)>> {
        let Some(r) = self.send_if_responds(other, sym::COERCE, &[this])? else {
            return if strict { Err(self.coerce_failed(this, other)) } else { Ok(None) };
        };
        if !strict && r.is_nil() {
            return Ok(None);
        }
        match r.as_array() {
            Some(a) if a.len() == 2 => Ok(Some((a.get(0), a.get(1)))),
            _ => Err(self.type_error("coerce must return [x, y]")),
        }
    }
    /// TypeError "String can't be coerced into Integer".
    #[cold]
    pub fn coerce_failed(self, this: Value, other: Value) -> Raised {
        let what = if !other.is_ptr() || other.is_float() {
            match self.inspect(other) {
                Ok(s) => s.text().into_owned(),
                Err(r) => return r,
            }
        } else {
            self.class_name(self.real_class_of(other))
        };
        let into = self.class_name(self.real_class_of(this));
        self.type_error(&format!("{what} can't be coerced into {into}"))
    }
    /// `this op other` after coercion, for arithmetic.
    pub fn coerce_bin(self, this: Value, other: Value, op: Sym) -> Ruby {
        self.check_native_stack()?;
        match self.coerce_pair(this, other, true)? {
            Some((x, y)) => self.send(x, op, &[y]),
            None => Ok(NIL),
        }
    }
    /// For `<=>`: nil when there is no common ground.
    pub fn coerce_cmp(self, this: Value, other: Value, op: Sym) -> Ruby {
        self.check_native_stack()?;
        match self.coerce_pair(this, other, false)? {
            Some((x, y)) => self.send(x, op, &[y]),
            None => Ok(NIL),
        }
    }
    /// For `<` and its like: ArgumentError when there is no common ground.
    pub fn coerce_relop(self, this: Value, other: Value, op: Sym) -> Ruby {
        let r = self.coerce_cmp(this, other, op)?;
        if r.is_nil() { Err(self.comparison_failed(this, other)) } else { Ok(r) }
    }
    /// For `& | ^`: the coerced left operand must know the operator.
    pub fn coerce_bit(self, this: Value, other: Value, op: Sym) -> Ruby {
        self.check_native_stack()?;
        let Some((x, y)) = self.coerce_pair(this, other, true)? else { return Ok(NIL) };
        if x.is_float() || y.is_float() {
            return Err(self.coerce_failed(this, other));
        }
        match self.send_if_responds(x, op, &[y])? {
            Some(r) => Ok(r),
            None => Err(self.coerce_failed(this, other)),
        }
    }
    /// `other == this`, for the numbers' `==` on things that are no core number.
    pub fn eq_swapped(self, this: Value, other: Value) -> Ruby {
        if this == other {
            return Ok(TRUE);
        }
        let r = self.guard_recursion(this, other, sym::EQ, || self.send(other, sym::EQ, &[this]))?;
        Ok(Value::bool(r.is_some_and(Value::truthy)))
    }
    /// Is it an instance of Numeric?
    pub fn is_numeric(self, v: Value) -> bool {
        v.is_integer() || v.is_float() || self.class_of(v).is_a(self.classes.numeric.get())
    }
    /// `v < 0`, in Ruby where it must be.
    pub fn num_negative(self, v: Value) -> Ruby<bool> {
        if v.is_integer() {
            return Ok(int_negative(v));
        }
        if let Some(f) = v.as_float() {
            return Ok(f < 0.0);
        }
        Ok(self.send(v, sym::LT, &[Value::fixnum(0)])?.truthy())
    }
    /// `v > 0`.
    pub fn num_positive(self, v: Value) -> Ruby<bool> {
        if v.is_integer() {
            return Ok(!int_negative(v) && !int_zero(v));
        }
        if let Some(f) = v.as_float() {
            return Ok(f > 0.0);
        }
        Ok(self.send(v, sym::GT, &[Value::fixnum(0)])?.truthy())
    }
    /// `v == 0`.
    pub fn num_zero(self, v: Value) -> Ruby<bool> {
        if v.is_integer() {
            return Ok(int_zero(v));
        }
        if let Some(f) = v.as_float() {
            return Ok(f == 0.0);
        }
        self.eq(Value::fixnum(0), v)
    }
    /// Calls an operator or method by name with any arguments; a short word for generic arithmetic.
    pub fn call(self, recv: Value, name: &str, args: &[Value]) -> Ruby {
        self.send(recv, self.intern(name), args)
    }
}

impl Vm {
    /// CompatibilityError for UTF-16 and other encodings whose digits are no ASCII.
    pub fn must_be_ascii_compatible(self, s: Str) -> Ruby<()> {
        if s.enc().ascii_compatible() {
            return Ok(());
        }
        let text = format!("ASCII incompatible encoding: {}", s.enc().describe());
        Err(self.raise(self.classes.compatibility_error.get(), &text))
    }
}

/// Numbers have no methods of their own: takes the new one away and raises TypeError.
fn singleton_method_added(vm: Vm, this: Value, args: Args) -> Ruby {
    let name = vm.to_name(args.or_nil(0))?;
    let class = vm.singleton_class(this)?;
    vm.remove_method(class, name);
    let (name, of) = (vm.name_of(name), vm.class_name(vm.real_class_of(this)));
    Err(vm.type_error(&format!("can't define singleton method \"{name}\" for {of}")))
}

fn itself(_: Vm, this: Value, _: Args) -> Ruby {
    Ok(this)
}
fn yes(_: Vm, _: Value, _: Args) -> Ruby {
    Ok(TRUE)
}
fn no(_: Vm, _: Value, _: Args) -> Ruby {
    Ok(FALSE)
}
fn zero(_: Vm, _: Value, _: Args) -> Ruby {
    Ok(Value::fixnum(0))
}
fn infinite(_: Vm, _: Value, _: Args) -> Ruby {
    Ok(NIL)
}

/// `num.coerce(other) -> [other, num]`: both as Floats unless of one class.
fn coerce(vm: Vm, this: Value, args: Args) -> Ruby {
    let other = args.or_nil(0);
    if vm.class_of(this) == vm.class_of(other) {
        return Ok(vm.array(&[other, this]));
    }
    let x = float::convert(vm, this)?;
    let y = float::convert(vm, other)?;
    let (x, y) = (vm.float(x), vm.float(y));
    Ok(vm.array(&[y, x]))
}

/// `num.clone(freeze: true) -> num`; numbers cannot be unfrozen.
pub fn clone(vm: Vm, this: Value, args: Args) -> Ruby {
    args.only_keywords(vm, &["freeze"])?;
    match args.keyword(vm, "freeze")? {
        None | Some(NIL | TRUE) => Ok(this),
        Some(FALSE) => {
            let name = vm.class_name(vm.real_class_of(this));
            Err(vm.arg_error(&format!("can't unfreeze {name}")))
        }
        Some(v) => {
            let name = vm.class_name(vm.real_class_of(v));
            Err(vm.arg_error(&format!("unexpected value for freeze: {name}")))
        }
    }
}

fn imaginary_unit(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(complex::raw(vm, Value::fixnum(0), this))
}
fn negate(vm: Vm, this: Value, _: Args) -> Ruby {
    match vm.coerce_pair(Value::fixnum(0), this, true)? {
        Some((zero, n)) => vm.send(zero, sym::MINUS, &[n]),
        None => Ok(NIL),
    }
}
fn cmp(_: Vm, this: Value, args: Args) -> Ruby {
    Ok(if this == args.or_nil(0) { Value::fixnum(0) } else { NIL })
}
fn eql(vm: Vm, this: Value, args: Args) -> Ruby {
    let other = args.or_nil(0);
    if vm.real_class_of(this) != vm.real_class_of(other) {
        return Ok(FALSE);
    }
    Ok(vm.send(this, sym::EQ, &[other])?.truthy().into())
}
fn fdiv(vm: Vm, this: Value, args: Args) -> Ruby {
    let x = float::convert(vm, this)?;
    vm.send(vm.float(x), sym::DIV, &[args.or_nil(0)])
}
fn quo(vm: Vm, this: Value, args: Args) -> Ruby {
    let y = args.or_nil(0);
    if y.is_float() {
        return vm.call(this, "fdiv", &[y]);
    }
    let x = rational::must_be(vm, this)?;
    vm.send(x, sym::DIV, &[y])
}
fn div(vm: Vm, this: Value, args: Args) -> Ruby {
    let y = args.or_nil(0);
    if vm.num_zero(y)? {
        return Err(vm.zero_division());
    }
    let q = vm.send(this, sym::DIV, &[y])?;
    vm.call(q, "floor", &[])
}
fn modulo(vm: Vm, this: Value, args: Args) -> Ruby {
    let y = args.or_nil(0);
    let q = vm.call(this, "div", &[y])?;
    let p = vm.send(y, sym::MUL, &[q])?;
    vm.send(this, sym::MINUS, &[p])
}
fn divmod(vm: Vm, this: Value, args: Args) -> Ruby {
    let q = div(vm, this, args)?;
    let m = modulo(vm, this, args)?;
    Ok(vm.array(&[q, m]))
}
/// `num.remainder(other)`: like `%`, with the sign of `num`.
pub fn remainder(vm: Vm, this: Value, args: Args) -> Ruby {
    let (mut x, mut y) = (this, args.or_nil(0));
    if !vm.is_numeric(y)
        && let Some((a, b)) = vm.coerce_pair(x, y, true)?
    {
        (x, y) = (a, b);
    }
    let z = vm.send(x, sym::MOD, &[y])?;
    if vm.num_zero(z)? {
        return Ok(z);
    }
    let (xn, yn) = (vm.num_negative(x)?, vm.num_negative(y)?);
    if xn == yn || !xn && !vm.num_positive(x)? || !yn && !vm.num_positive(y)? {
        return Ok(z);
    }
    if y.as_float().is_some_and(f64::is_infinite) {
        return Ok(x);
    }
    vm.send(z, sym::MINUS, &[y])
}
fn abs(vm: Vm, this: Value, _: Args) -> Ruby {
    if vm.num_negative(this)? { vm.send(this, sym::NEG, &[]) } else { Ok(this) }
}
fn to_int(vm: Vm, this: Value, _: Args) -> Ruby {
    vm.send(this, sym::TO_I, &[])
}
fn to_c(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(complex::raw(vm, this, Value::fixnum(0)))
}
fn is_zero(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(vm.num_zero(this)?.into())
}
fn nonzero(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(if vm.call(this, "zero?", &[])?.truthy() { NIL } else { this })
}
fn positive(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(vm.num_positive(this)?.into())
}
fn negative(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(vm.num_negative(this)?.into())
}

fn rounded(vm: Vm, this: Value, args: Args, name: &str) -> Ruby {
    let f = float::convert(vm, this)?;
    vm.send_full(vm.float(f), vm.intern(name), args.all(), args.has_keywords(), None, false)
}
fn floor(vm: Vm, this: Value, args: Args) -> Ruby {
    rounded(vm, this, args, "floor")
}
fn ceil(vm: Vm, this: Value, args: Args) -> Ruby {
    rounded(vm, this, args, "ceil")
}
fn round(vm: Vm, this: Value, args: Args) -> Ruby {
    rounded(vm, this, args, "round")
}
fn truncate(vm: Vm, this: Value, args: Args) -> Ruby {
    rounded(vm, this, args, "truncate")
}
fn numerator(vm: Vm, this: Value, _: Args) -> Ruby {
    let r = vm.send(this, sym::TO_R, &[])?;
    vm.call(r, "numerator", &[])
}
fn denominator(vm: Vm, this: Value, _: Args) -> Ruby {
    let r = vm.send(this, sym::TO_R, &[])?;
    vm.call(r, "denominator", &[])
}
fn abs2(vm: Vm, this: Value, _: Args) -> Ruby {
    vm.send(this, sym::MUL, &[this])
}
/// `num.arg -> 0 or Math::PI`.
pub fn arg(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(if vm.num_negative(this)? { vm.float(std::f64::consts::PI) } else { Value::fixnum(0) })
}
fn rectangular(vm: Vm, this: Value, _: Args) -> Ruby {
    Ok(vm.array(&[this, Value::fixnum(0)]))
}
fn polar(vm: Vm, this: Value, _: Args) -> Ruby {
    let abs = vm.call(this, "abs", &[])?;
    let arg = vm.call(this, "arg", &[])?;
    Ok(vm.array(&[abs, arg]))
}

/// `from.__step_size(to, step, exclusive)`: how many numbers a step visits (Integer or Infinity).
fn step_size(vm: Vm, from: Value, args: Args) -> Ruby {
    let (to, step, excl) = (args.or_nil(0), args.or_nil(1), args.or_nil(2).truthy());
    interval_size(vm, from, to, step, excl)
}

/// `__step_down?(step)`: is it negative? TypeError if it cannot be compared.
fn step_down(vm: Vm, this: Value, args: Args) -> Ruby {
    let step = args.or_nil(0);
    if step.is_integer() || step.is_float() {
        return Ok(vm.num_negative(step)?.into());
    }
    match vm.send_if_responds(step, sym::GT, &[Value::fixnum(0)])? {
        Some(r) => Ok((!r.truthy()).into()),
        None => Err(vm.coerce_failed(step, if step.is_nil() { this } else { Value::fixnum(0) })),
    }
}
/// `from.__float_steps(limit, step) -> [from, step, limit, count]` as Floats; a limit of nil is infinitely far.
fn float_steps(vm: Vm, this: Value, args: Args) -> Ruby {
    let (first, unit) = (vm.to_f64(this)?, vm.to_f64(args.or_nil(1))?);
    let last = match args.or_nil(0) {
        NIL => f64::INFINITY.copysign(unit),
        to => vm.to_f64(to)?,
    };
    let n = float_step_size(first, last, unit, false);
    let list = RArray::new(&vm, 4);
    for f in [first, unit, last, n] {
        list.push(&vm, vm.float(f));
    }
    Ok(list.value())
}

/// How many numbers lie on `from, from + step, ...` up to `to`; Infinity for a step of 0. `to` may not be nil.
pub fn interval_size(vm: Vm, from: Value, to: Value, step: Value, exclusive: bool) -> Ruby {
    let zero = Value::fixnum(0);
    if from.is_float() || to.is_float() || step.is_float() {
        let n = float_step_size(vm.to_f64(from)?, vm.to_f64(to)?, vm.to_f64(step)?, exclusive);
        return if n.is_infinite() { Ok(vm.float(n)) } else { vm.float_to_int(n) };
    }
    let down = match vm.compare_opt(step, zero)? {
        Some(std::cmp::Ordering::Equal) => return Ok(vm.float(f64::INFINITY)),
        Some(o) => o.is_lt(),
        None => return Err(vm.comparison_failed(step, zero)),
    };
    let past = if down { sym::LT } else { sym::GT };
    if vm.send(from, past, &[to])?.truthy() {
        return Ok(zero);
    }
    let span = vm.send(to, sym::MINUS, &[from])?;
    let n = vm.call(span, "div", &[step])?;
    let last = vm.send(n, sym::MUL, &[step])?;
    let last = vm.send(from, sym::PLUS, &[last])?;
    if !exclusive || vm.send(to, past, &[last])?.truthy() {
        return vm.send(n, sym::PLUS, &[Value::fixnum(1)]);
    }
    Ok(n)
}

/// Number of float steps, allowing for rounding at the far end as CRuby does (numeric.c, ruby_float_step_size).
pub fn float_step_size(from: f64, to: f64, unit: f64, exclusive: bool) -> f64 {
    if unit == 0.0 {
        return f64::INFINITY;
    }
    if unit.is_infinite() {
        return (if unit > 0.0 { from <= to } else { from >= to }) as u8 as f64;
    }
    let mut n = (to - from) / unit;
    let err = ((from.abs() + to.abs() + (to - from).abs()) / unit.abs() * f64::EPSILON).min(0.5);
    let more = |n: f64| {
        let next = (n + 1.0) * unit + from;
        match exclusive {
            true => from < to && next < to || from > to && next > to,
            false => from < to && next <= to || from > to && next >= to,
        }
    };
    if exclusive {
        if n <= 0.0 {
            return 0.0;
        }
        n = if n < 1.0 { 0.0 } else { (n - err).floor() };
    } else {
        if n < 0.0 {
            return 0.0;
        }
        n = (n + err).floor();
    }
    if more(n) {
        n += 1.0;
    }
    n + 1.0
}
