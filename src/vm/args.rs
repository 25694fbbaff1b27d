//! Laying out arguments as a code object's parameters want them.
//!
//! Rules: methods and lambdas are strict; blocks spread a lone Array over several parameters, fill with nil and drop
//! what is too much. Keywords arrive as one Hash at the end of the window (`Window::kw`).

use super::Vm;
use super::call::{ArgRules, Window};
use super::native::Block;
use crate::bytecode::iseq::{Iseq, Params};
use crate::bytecode::op::Ins;
use crate::bytecode::proto::Implicit;
use crate::object::{Hsh, RArray, RHash};
use crate::value::{NIL, Raised, Ruby, UNDEF, Value};

impl Params {
    /// Registers that parameters occupy.
    pub fn proto_len(&self) -> usize {
        self.positional() as usize
            + self.rest as usize
            + self.keywords.len()
            + self.kwrest as usize
            + self.block as usize
    }
    /// A lone Array argument of a block is spread.
    fn spreads(&self) -> bool {
        if self.proto.implicit == Implicit::It || self.proto.implicit == Implicit::Numbered && self.required == 1 {
            return false;
        }
        let n = self.positional();
        n > 1 || n == 1 && (self.rest || self.proto.excess_comma)
    }
}

impl Vm {
    /// Puts the window's arguments into parameter registers; returns where to start. `show` writes the frame's header.
    #[inline(never)]
    pub fn set_up_args(self, code: &Iseq, w: &mut Window, rules: ArgRules, show: impl Fn(&Window)) -> Ruby<*const Ins> {
        let p = &code.rest.params;
        let base = w.base;
        let fail = |w: &Window, make: &dyn Fn() -> Raised| {
            show(w);
            self.ec().fp.set(base);
            self.ec().pc.set(code.code.as_ptr());
            make()
        };
        let mut n = w.argc;
        let mut kw: Option<Hsh> = None;
        if w.kw {
            let h = w.args()[n - 1].as_hash();
            match h {
                Some(h) if p.takes_keywords() => {
                    kw = Some(h);
                    n -= 1;
                }
                Some(h) if h.is_empty() => n -= 1,
                Some(_) if p.no_keywords => return Err(fail(w, &|| self.arg_error("no keywords accepted"))),
                Some(h) if p.rest && self.is_ruby2_keywords(w) => h.h.set(crate::heap::flags::USER1),
                _ => {}
            }
        }
        let strict = matches!(rules, ArgRules::Method | ArgRules::Lambda(_));
        let (req, opt, post) = (p.required as usize, p.optional as usize, p.post as usize);
        let (min, max) = (req + post, req + opt + post);

        if !strict {
            if n == 1
                && kw.is_none()
                && p.spreads()
                && let Some(list) = self.spread_arg(w.args()[0])?
            {
                n = list.len();
                if !p.rest {
                    n = n.min(max);
                }
                self.check_stack(base, n + code.nregs as usize + 64)?;
                // SAFETY: room was checked; the array does not change meanwhile.
                unsafe { std::ptr::copy_nonoverlapping(list.slice().as_ptr(), base.add(1), n) };
            }
            if !p.rest {
                n = n.min(max);
            }
            while n < min {
                // Too few for the required ones: nil, in order.
                // SAFETY: parameters are registers of the frame, for which the stack was checked.
                unsafe { *base.add(1 + n) = NIL };
                n += 1;
            }
        } else if n < min || (!p.rest && n > max) {
            let missing: Vec<String> = p
                .keywords
                .iter()
                .filter(|k| k.required && kw.is_none())
                .map(|k| self.symbols.text(k.name).into_owned())
                .collect();
            return Err(fail(w, &|| {
                if missing.is_empty() {
                    return self.wrong_arguments(n, min, if p.rest { -1 } else { max as i64 });
                }
                let expected = match (p.rest, min == max) {
                    (true, _) => format!("{min}+"),
                    (_, true) => format!("{min}"),
                    _ => format!("{min}..{max}"),
                };
                let s = if missing.len() > 1 { "s" } else { "" };
                self.arg_error(&format!(
                    "wrong number of arguments (given {n}, expected {expected}; required keyword{s}: {})",
                    missing.join(", ")
                ))
            }));
        }

        let given = (n - min).min(opt);
        let rest_count = n - min - given;
        // SAFETY: all indices are within the window or the frame's registers (checked by the callers and above).
        unsafe {
            let rest = if p.rest {
                let from = std::slice::from_raw_parts(base.add(1 + req + given), rest_count);
                Some(RArray::from_slice(&self, from).value())
            } else {
                None
            };
            let post_to = 1 + req + opt + p.rest as usize;
            if post > 0 {
                std::ptr::copy(base.add(1 + n - post), base.add(post_to), post);
            }
            for i in given..opt {
                *base.add(1 + req + i) = NIL;
            }
            if let Some(r) = rest {
                *base.add(1 + req + opt) = r;
            }
            let mut at = post_to + post;
            if p.takes_keywords() {
                if let Err(text) = self.set_up_keywords(p, kw, base.add(at))? {
                    return Err(fail(w, &|| self.arg_error(&text)));
                }
                at += p.keywords.len() + p.kwrest as usize;
            }
            if p.block {
                let given = match rules {
                    ArgRules::Proc(b) | ArgRules::Lambda(b) => b,
                    _ => w.block,
                };
                let v = if given.is_nil() {
                    NIL
                } else {
                    *base.add(at) = NIL;
                    show(w);
                    let v = self.block_to_proc(Block(given)).value();
                    if !matches!(rules, ArgRules::Proc(_) | ArgRules::Lambda(_)) {
                        w.block = v;
                    }
                    v
                };
                *base.add(at) = v;
            }
            let entry = p.opt_entries.get(given).copied().unwrap_or(0);
            Ok(code.code.as_ptr().add(entry as usize))
        }
    }

    /// The Array that a block's lone argument spreads as.
    fn spread_arg(self, v: Value) -> Ruby<Option<crate::object::Ary>> {
        self.check_ary(v)
    }

    /// Fills keyword registers from `at`. The inner `Err` is the message of an ArgumentError.
    ///
    /// # Safety
    /// `at` has room for all keyword parameters.
    unsafe fn set_up_keywords(self, p: &Params, kw: Option<Hsh>, at: *mut Value) -> Ruby<Result<(), String>> {
        let mut found = 0;
        let mut missing = Vec::new();
        for (i, k) in p.keywords.iter().enumerate() {
            let v = match kw {
                Some(h) => h.get(&self, k.name.into())?,
                None => None,
            };
            // SAFETY: the caller's promise.
            unsafe { *at.add(i) = v.unwrap_or(UNDEF) };
            match v {
                Some(_) => found += 1,
                None if k.required => missing.push(format!(":{}", self.symbols.text(k.name))),
                None => {}
            }
        }
        if !missing.is_empty() {
            let s = if missing.len() > 1 { "s" } else { "" };
            return Ok(Err(format!("missing keyword{s}: {}", missing.join(", "))));
        }
        let total = kw.map_or(0, |h| h.len());
        if p.kwrest {
            let rest = RHash::new(&self);
            if let Some(h) = kw
                && total > found
            {
                for i in 0..h.slots() {
                    if let Some((k, v)) = h.entry(i)
                        && !p.keywords.iter().any(|p| Value::symbol(p.name) == k)
                    {
                        rest.set(&self, &self, k, v)?;
                    }
                }
            }
            // SAFETY: the caller's promise.
            unsafe { *at.add(p.keywords.len()) = rest.value() };
        } else if total > found
            && let Some(h) = kw
        {
            let mut unknown = Vec::new();
            for i in 0..h.slots() {
                if let Some((k, _)) = h.entry(i)
                    && !p.keywords.iter().any(|p| Value::symbol(p.name) == k)
                {
                    unknown.push(self.inspect(k)?.text().into_owned());
                }
            }
            let s = if unknown.len() > 1 { "s" } else { "" };
            return Ok(Err(format!("unknown keyword{s}: {}", unknown.join(", "))));
        }
        Ok(Ok(()))
    }

    fn is_ruby2_keywords(self, _w: &Window) -> bool {
        false
    }
}
