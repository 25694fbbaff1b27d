//! Linking: a `Proto` becomes an `Iseq` of this VM.

use super::Vm;
use crate::bytecode::iseq::{CatchEntry, ClassSite, ConstSite, Iseq, IvarSite, Keyword, Params, Rest, Site};
use crate::bytecode::proto::{Lit, Proto};
use crate::heap::Header;
use crate::object::{Enc, Foreign, RArray, RHash, RRange, RString, Ref, ty};
use crate::syntax::ast::{Bytes, LitEnc};
use crate::value::{NIL, Ruby, UNDEF};
use num_bigint::BigInt;
use std::cell::Cell;

/// Encoding of the source text whose code is being linked.
#[derive(Default)]
struct SourceEnc(std::cell::Cell<Option<Enc>>);

impl Vm {
    /// Makes the code objects of a compiled program. Collection is off meanwhile: literals are in Rust memory until
    /// their cell is written.
    pub fn link(self, proto: &Proto) -> Ruby<Ref<Iseq>> {
        self.link_in(proto, Enc::Utf8)
    }
    /// As `link`, for a source text in encoding `enc`.
    pub fn link_in(self, proto: &Proto, enc: Enc) -> Ruby<Ref<Iseq>> {
        self.slot::<SourceEnc>().0.set(Some(enc));
        let was = self.heap.set_disabled(true);
        let r = self.link_one(proto);
        self.heap.set_disabled(was);
        r
    }

    fn link_one(self, p: &Proto) -> Ruby<Ref<Iseq>> {
        #[cfg(debug_assertions)]
        if let Err(e) = crate::bytecode::check::check(p) {
            panic!("the compiler made invalid code for {}: {e:?}", p.name);
        }
        let mut children = Vec::with_capacity(p.children.len());
        for c in &p.children {
            children.push(self.link_one(c)?.as_ptr());
        }
        let mut lits = Vec::with_capacity(p.lits.len());
        for l in &p.lits {
            lits.push(self.literal(l)?);
        }
        let name = |s: &str| self.intern(s);
        let sites: Box<[Site]> = p
            .sites
            .iter()
            .map(|s| {
                let block = s.block.map_or(std::ptr::null(), |b| children[b as usize] as *const Iseq);
                Site::new(name(&s.name), s.argc, s.flags, block)
            })
            .collect();
        let q = &p.params;
        let simple = q.opt_entries.is_empty()
            && !q.rest
            && q.post == 0
            && q.keywords.is_empty()
            && !q.kwrest
            && !q.no_keywords
            && !q.block
            && !q.forward_all
            && !q.excess_comma;
        let params = Params {
            required: q.required as u32,
            optional: q.opt_entries.len().saturating_sub(1) as u32,
            opt_entries: q.opt_entries.clone().into(),
            rest: q.rest,
            post: q.post as u32,
            keywords: q.keywords.iter().map(|k| Keyword { name: name(&k.name), required: k.required }).collect(),
            kwrest: q.kwrest,
            no_keywords: q.no_keywords,
            block: q.block,
            captured: q.captured.clone().into(),
            simple,
            proto: q.clone(),
        };
        self.heap.charge(p.code.len() * 16);
        let simple = if params.simple { params.required as i32 } else { -1 };
        let param_words = params.proto_len() as u32;
        let iseq = Iseq {
            f: Foreign { h: Header::new(std::ptr::null_mut(), ty::ISEQ), ops: const { &Iseq::OPS } },
            entry: Cell::new(super::exec::run as *const ()),
            nregs: p.nregs as u32,
            nlocals: p.nlocals as u32,
            simple,
            param_words,
            code: p.code.clone().into(),
            lits: lits.into(),
            sites,
            ivars: p
                .ivars
                .iter()
                .map(|n| IvarSite { shape: Cell::new(u32::MAX), slot: Cell::new(0), next: Cell::new(0), name: name(n) })
                .collect(),
            consts: p
                .consts
                .iter()
                .map(|c| ConstSite {
                    serial: Cell::new(0),
                    cref: Cell::new(0),
                    value: Cell::new(NIL),
                    path: c.path.iter().map(|n| name(n)).collect(),
                    top: c.top,
                })
                .collect(),
            children: children.into(),
            env: p.env,
            rest: Box::new(Rest {
                kind: p.kind,
                name: name(&p.name),
                file: p.file.clone(),
                line: p.line,
                params,
                classes: p
                    .classes
                    .iter()
                    .map(|c| ClassSite {
                        name: name(&c.name),
                        what: c.what,
                        has_super: c.has_super,
                        has_scope: c.has_scope,
                        child: c.child,
                    })
                    .collect(),
                catch: p
                    .catch
                    .iter()
                    .map(|c| CatchEntry { kind: c.kind, start: c.start, end: c.end, handler: c.handler, reg: c.reg })
                    .collect(),
                lines: p.lines.clone().into(),
                locals: p.locals.clone().into(),
                svar_match: p.svar_match,
                svar_line: p.svar_line,
                once: (0..p.once_slots).map(|_| Cell::new(UNDEF)).collect(),
                prelude: p.prelude,
                uses_block: p.uses_block,
                parent: Cell::new(std::ptr::null_mut()),
            }),
        };
        // SAFETY: just allocated; children are code objects.
        unsafe {
            let r: Ref<Iseq> = Ref::new(self.heap.alloc::<_, true>(iseq));
            for &c in &r.children {
                (*c).rest.parent.set(r.as_ptr());
            }
            for s in &r.sites {
                self.cache.link(s);
            }
            Ok(r)
        }
    }

    fn literal_enc(self, b: &Bytes) -> Enc {
        match b.enc {
            LitEnc::Source => self.slot::<SourceEnc>().0.get().unwrap_or(Enc::Utf8),
            LitEnc::Utf8 => Enc::Utf8,
            LitEnc::Binary => Enc::Binary,
            LitEnc::Ascii => Enc::Ascii,
        }
    }

    fn literal(self, l: &Lit) -> Ruby {
        Ok(match l {
            Lit::Nil => NIL,
            Lit::True => crate::value::TRUE,
            Lit::False => crate::value::FALSE,
            Lit::Int(n) => self.int(*n),
            Lit::BigInt(s) => self.bigint(s.parse::<BigInt>().unwrap_or_default()),
            Lit::Float(f) => self.float(*f),
            Lit::Sym(b) => self.symbols.intern(&b.bytes, self.literal_enc(b)).into(),
            Lit::Str(b) => {
                let s = RString::from_bytes(&self, &b.bytes, self.literal_enc(b));
                s.is_ascii_only();
                s.freeze();
                s.value()
            }
            Lit::Rational(n, d) => {
                let (n, d) = (self.literal(&Lit::BigInt(n.clone()))?, self.literal(&Lit::BigInt(d.clone()))?);
                match self.hooks.new_rational.get() {
                    Some(f) => f(self, n, d)?,
                    None => return Err(self.not_implemented("Rational")),
                }
            }
            Lit::Imaginary(i) => {
                let i = self.literal(i)?;
                match self.hooks.new_imaginary.get() {
                    Some(f) => f(self, i)?,
                    None => return Err(self.not_implemented("Complex")),
                }
            }
            Lit::Regexp(b, flags) => {
                let s = RString::from_bytes(&self, &b.bytes, self.literal_enc(b));
                super::slow::new_regexp(self, s.value(), *flags)?
            }
            Lit::Range(lo, hi, excl) => {
                let end = |e: &Option<Box<Lit>>| match e {
                    Some(l) => self.literal(l),
                    None => Ok(NIL),
                };
                let (lo, hi) = (end(lo)?, end(hi)?);
                RRange::new(&self, lo, hi, *excl).value()
            }
            Lit::Array(items) => {
                let a = RArray::new(&self, items.len());
                for l in items {
                    a.push(&self, self.literal(l)?);
                }
                a.value()
            }
            Lit::Hash(pairs) => {
                let h = RHash::new(&self);
                for (k, v) in pairs {
                    h.set(&self, &self, self.literal(k)?, self.literal(v)?)?;
                }
                h.value()
            }
            Lit::SourceEncoding => match self.hooks.encoding.get() {
                Some(f) => f(self, self.slot::<SourceEnc>().0.get().unwrap_or(Enc::Utf8)),
                None => NIL,
            },
        })
    }
}
