//! Implicit conversions and descriptions shared by all natives, with CRuby's messages.

use super::Vm;
use crate::object::{Ary, Class, ConstState, Hsh, RArray, RString, Str, sym};
use crate::value::{FALSE, NIL, Ruby, Sym, TRUE, Value};
use num_bigint::BigInt;
use num_traits::{FromPrimitive, ToPrimitive};

impl Vm {
    /// The name a class goes by in messages; anonymous ones as `#<Class:0x...>`.
    pub fn class_name(self, c: Class) -> String {
        if let Some(n) = c.name() {
            return n;
        }
        if c.is_singleton() {
            let inner = match c.attached.get().as_class() {
                Some(c) => self.class_name(c),
                None => self.any_to_s(c.attached.get()),
            };
            return format!("#<Class:{inner}>");
        }
        let kind = if c.is_module() { "Module" } else { self.class_kind_name(c) };
        format!("#<{kind}:{:#018x}>", c.as_ptr() as usize)
    }
    fn class_kind_name(self, _c: Class) -> &'static str {
        "Class"
    }
    /// `#<Foo:0x...>`.
    pub fn any_to_s(self, v: Value) -> String {
        format!("#<{}:{:#018x}>", self.class_name(self.real_class_of(v)), v.bits())
    }
    /// "nil", "true", "false" or the class's name: how conversion errors call a value.
    pub fn describe(self, v: Value) -> String {
        match v {
            NIL => "nil".into(),
            TRUE => "true".into(),
            FALSE => "false".into(),
            v => self.class_name(self.real_class_of(v)),
        }
    }

    /// Implicit conversion through `method`: `None` if the object does not respond, TypeError if it gives something else.
    fn convert(self, v: Value, method: Sym, want: &str, ok: impl Fn(Value) -> bool) -> Ruby<Option<Value>> {
        let Some(r) = self.send_if_responds(v, method, &[])? else { return Ok(None) };
        if r.is_nil() || ok(r) {
            return Ok(if r.is_nil() { None } else { Some(r) });
        }
        let (from, got) = (self.describe(v), self.describe(r));
        let m = self.symbols.text(method);
        Err(self.type_error(&format!("can't convert {from} into {want} ({from}#{m} gives {got})")))
    }
    fn no_conversion(self, v: Value, want: &str) -> crate::value::Raised {
        let from = self.describe(v);
        self.type_error(&format!("no implicit conversion of {from} into {want}"))
    }

    /// String or something with `to_str`.
    pub fn to_str(self, v: Value) -> Ruby<Str> {
        if let Some(s) = v.as_str() {
            return Ok(s);
        }
        match self.convert(v, sym::TO_STR, "String", |r| r.as_str().is_some())?.and_then(|r| r.as_str()) {
            Some(s) => Ok(s),
            None => Err(self.no_conversion(v, "String")),
        }
    }
    pub fn check_str(self, v: Value) -> Ruby<Option<Str>> {
        if let Some(s) = v.as_str() {
            return Ok(Some(s));
        }
        if !v.is_ptr() {
            return Ok(None);
        }
        Ok(self.convert(v, sym::TO_STR, "String", |r| r.as_str().is_some())?.and_then(|r| r.as_str()))
    }
    /// Array or something with `to_ary`.
    pub fn to_ary(self, v: Value) -> Ruby<Ary> {
        match self.check_ary(v)? {
            Some(a) => Ok(a),
            None => Err(self.no_conversion(v, "Array")),
        }
    }
    pub fn check_ary(self, v: Value) -> Ruby<Option<Ary>> {
        if let Some(a) = v.as_array() {
            return Ok(Some(a));
        }
        if !v.is_ptr() {
            return Ok(None);
        }
        Ok(self.convert(v, sym::TO_ARY, "Array", |r| r.as_array().is_some())?.and_then(|r| r.as_array()))
    }
    pub fn to_hash(self, v: Value) -> Ruby<Hsh> {
        match self.check_hash(v)? {
            Some(h) => Ok(h),
            None => Err(self.no_conversion(v, "Hash")),
        }
    }
    pub fn check_hash(self, v: Value) -> Ruby<Option<Hsh>> {
        if let Some(h) = v.as_hash() {
            return Ok(Some(h));
        }
        if !v.is_ptr() {
            return Ok(None);
        }
        Ok(self.convert(v, sym::TO_HASH, "Hash", |r| r.as_hash().is_some())?.and_then(|r| r.as_hash()))
    }
    /// `[*v]`: nil is empty, `to_a` otherwise, always fresh unless already an Array.
    pub fn splat(self, v: Value) -> Ruby<Ary> {
        if let Some(a) = v.as_array() {
            return Ok(a);
        }
        if v.is_nil() {
            return Ok(RArray::new(&self, 0));
        }
        if let Some(r) = self.send_if_responds(v, sym::TO_A, &[])?
            && !r.is_nil()
        {
            return match r.as_array() {
                Some(a) => Ok(a),
                None => {
                    let (from, got) = (self.describe(v), self.describe(r));
                    Err(self.type_error(&format!("can't convert {from} into Array ({from}#to_a gives {got})")))
                }
            };
        }
        Ok(RArray::from_slice(&self, &[v]))
    }

    /// Integer, Float (truncated) or something with `to_int`; the result is an Integer.
    pub fn to_int(self, v: Value) -> Ruby {
        if v.is_integer() {
            return Ok(v);
        }
        if let Some(f) = v.as_float() {
            return self.float_to_int(f);
        }
        if matches!(v, NIL | TRUE | FALSE) {
            let from = self.describe(v);
            return Err(self.type_error(&format!("no implicit conversion of {from} into Integer")));
        }
        match self.convert(v, sym::TO_INT, "Integer", Value::is_integer)? {
            Some(i) => Ok(i),
            None => Err(self.no_conversion(v, "Integer")),
        }
    }
    /// Truncates; FloatDomainError for NaN and infinities.
    pub fn float_to_int(self, f: f64) -> Ruby {
        if f.is_nan() || f.is_infinite() {
            let text = if f.is_nan() {
                "NaN"
            } else if f > 0.0 {
                "Infinity"
            } else {
                "-Infinity"
            };
            return Err(self.raise(self.classes.float_domain_error.get(), text));
        }
        if f.abs() < 1e18 {
            return Ok(self.int(f as i64));
        }
        Ok(match BigInt::from_f64(f.trunc()) {
            Some(b) => self.bigint(b),
            None => Value::fixnum(0),
        })
    }
    /// As `to_int`, in a machine word; RangeError for a bignum.
    pub fn to_i64(self, v: Value) -> Ruby<i64> {
        if v.is_fixnum() {
            return Ok(v.fix());
        }
        if v.is_nil() {
            return Err(self.type_error("no implicit conversion from nil to integer"));
        }
        let i = self.to_int(v)?;
        if i.is_fixnum() {
            return Ok(i.fix());
        }
        if let Some(n) = i.as_bignum().and_then(|b| b.value.to_i64()) {
            return Ok(n);
        }
        Err(self.range_error("bignum too big to convert into 'long'"))
    }
    /// As `to_i64` for 32-bit uses.
    pub fn to_i32(self, v: Value) -> Ruby<i32> {
        let n = self.to_i64(v)?;
        i32::try_from(n).map_err(|_| {
            let side = if n > 0 { "big" } else { "small" };
            self.range_error(&format!("integer {n} too {side} to convert to 'int'"))
        })
    }
    /// Any Integer value as a BigInt.
    pub fn big(self, v: Value) -> Option<BigInt> {
        if v.is_fixnum() { Some(BigInt::from(v.fix())) } else { v.as_bignum().map(|b| b.value.clone()) }
    }
    /// Numeric or something numeric-like, as a float (`Float(x)` rules without strings).
    pub fn to_f64(self, v: Value) -> Ruby<f64> {
        if let Some(f) = v.as_float() {
            return Ok(f);
        }
        if v.is_fixnum() {
            return Ok(v.fix() as f64);
        }
        if let Some(b) = v.as_bignum() {
            return Ok(big_to_f64(&b.value));
        }
        let from = self.describe(v);
        if !self.class_of(v).is_a(self.classes.numeric.get()) {
            return Err(match v {
                NIL => self.type_error("can't convert nil into Float"),
                TRUE | FALSE => self.type_error(&format!("can't convert {from} into Float")),
                _ => self.type_error(&format!("can't convert {from} into Float")),
            });
        }
        let r = self.send(v, sym::TO_F, &[])?;
        match r.as_float() {
            Some(f) => Ok(f),
            None => {
                let got = self.describe(r);
                Err(self.type_error(&format!("can't convert {from} into Float ({from}#to_f gives {got})")))
            }
        }
    }
    /// A Symbol or String as a name; TypeError "... is not a symbol nor a string".
    pub fn to_name(self, v: Value) -> Ruby<Sym> {
        if let Some(s) = v.as_symbol() {
            return Ok(s);
        }
        if let Some(s) = self.check_str(v)? {
            if s.enc() == crate::object::Enc::Utf8 && std::str::from_utf8(s.bytes()).is_err() {
                let text = self.inspect(s.value())?;
                let class = self.classes.encoding_error.get();
                return Err(self.raise(class, &format!("invalid symbol in encoding UTF-8 :{}", text.text())));
            }
            return Ok(self.symbols.intern(s.bytes(), s.enc()));
        }
        let text = self.inspect(v)?;
        Err(self.type_error(&format!("{} is not a symbol nor a string", text.text())))
    }

    /// `v.to_s`, as interpolation does: something that is not a String becomes `#<Foo>`.
    pub fn to_s(self, v: Value) -> Ruby<Str> {
        if let Some(s) = v.as_str() {
            return Ok(s);
        }
        let r = self.send(v, sym::TO_S, &[])?;
        match r.as_str() {
            Some(s) => Ok(s),
            None => Ok(RString::new(&self, &self.any_to_s(v))),
        }
    }
    /// `v.inspect` as a String.
    pub fn inspect(self, v: Value) -> Ruby<Str> {
        let r = self.send(v, sym::INSPECT, &[])?;
        match r.as_str() {
            Some(s) => Ok(s),
            None => self.to_s(r),
        }
    }
    /// A new UTF-8 String.
    pub fn str(self, text: &str) -> Value {
        RString::new(&self, text).value()
    }
    /// A new Array of values that are rooted elsewhere.
    pub fn array(self, vs: &[Value]) -> Value {
        RArray::from_slice(&self, vs).value()
    }
    pub fn sym(self, name: &str) -> Value {
        self.intern(name).into()
    }
    /// A Symbol's text as Ruby source would need it is `core`'s; this is the bare name.
    pub fn name_of(self, s: Sym) -> String {
        self.symbols.text(s).into_owned()
    }

    /// Runs `f` unless `obj` (with `other`) is already being processed by `what` further up in this fiber.
    pub fn guard_recursion<T>(
        self,
        obj: Value,
        other: Value,
        what: Sym,
        f: impl FnOnce() -> Ruby<T>,
    ) -> Ruby<Option<T>> {
        let ec = self.ec();
        let key = (obj, other, what.0);
        if ec.recursion.borrow().contains(&key) {
            return Ok(None);
        }
        self.check_native_stack()?;
        ec.recursion.borrow_mut().push(key);
        let r = f();
        // Same fiber, so the list is a stack.
        ec.recursion.borrow_mut().pop();
        r.map(Some)
    }

    /// A top-level constant, if it is set.
    pub fn const_value(self, scope: Class, name: &str) -> Option<Value> {
        match scope.own_const(self.intern(name))?.state {
            ConstState::Value(v) => Some(v),
            ConstState::Autoload(_) => None,
        }
    }
}

/// Nearest double; infinities when too large.
pub fn big_to_f64(b: &BigInt) -> f64 {
    b.to_f64().unwrap_or(f64::NAN)
}
