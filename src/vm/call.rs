//! Calls: finding the method, entering it, and the ways native code calls Ruby.

use super::frame::{self, Frame, H};
use super::native::{Args, Block, Native, ProcFn};
use super::{Ec, Vm, exec};
use crate::bytecode::iseq::Iseq;
use crate::bytecode::op::Ins;
use crate::bytecode::proto::site_flags as sf;
use crate::object::{MethodBody, MethodEntry, Proc, RArray, RHash, Ref, Visibility, sym};
use crate::value::{NIL, Raised, Ruby, Sym, UNDEF, Value};

/// Result of entering a method.
pub enum Entered {
    /// a frame was pushed at the window: go on at this instruction
    Frame(*const Ins),
    /// it is done
    Value(Value),
}

/// What a frame about to be pushed needs besides its method.
#[derive(Clone, Copy)]
pub struct Window {
    /// the new base: self and arguments are in place
    pub base: *mut Value,
    pub argc: usize,
    /// the last argument is a keyword Hash
    pub kw: bool,
    /// block word
    pub block: Value,
    /// return address with its tag
    pub ret: u64,
    pub prev: *mut Value,
}

impl Window {
    #[inline(always)]
    pub fn frame(&self) -> Frame {
        Frame(self.base)
    }
    /// Arguments, keyword Hash included.
    pub fn args(&self) -> &'static [Value] {
        // SAFETY: the window holds argc values.
        unsafe { std::slice::from_raw_parts(self.base.add(1), self.argc) }
    }
}

/// Writes all header words of a frame (F1).
#[inline(always)]
pub fn write_header(w: &Window, code: *const Iseq, me: u64, parent: u64, flags: u64) {
    let f = w.frame();
    f.set_word(frame::RET, w.ret);
    f.set_word(frame::PREV, w.prev as u64);
    f.set_word(frame::CODE, code as u64);
    f.set_word(frame::BLOCK, w.block.bits());
    f.set_word(frame::ME, me);
    f.set_word(frame::EP, 0);
    f.set_word(frame::PARENT, parent);
    f.set_word(frame::FLAGS, flags);
}

impl Vm {
    /// Room for `n` more words at `at`?
    #[inline(always)]
    pub fn check_stack(self, at: *mut Value, n: usize) -> Ruby<()> {
        let ec = self.ec();
        if (at as usize) + n * 8 > ec.limit.get() as usize { Err(self.stack_overflow()) } else { Ok(()) }
    }

    /// Is there native stack left for a nested call?
    #[inline(always)]
    pub fn check_native_stack(self) -> Ruby<()> {
        let here = exec::stack_pointer();
        if here < self.ec().native_limit.get() { Err(self.stack_overflow()) } else { Ok(()) }
    }

    /// Enters a method whose receiver and arguments lie in the window.
    pub fn enter(self, me: Ref<MethodEntry>, w: Window) -> Ruby<Entered> {
        if self.is_traced() {
            return self.enter_traced(me, w);
        }
        self.enter_quietly(me, w)
    }

    #[cold]
    #[inline(never)]
    fn enter_traced(self, me: Ref<MethodEntry>, mut w: Window) -> Ruby<Entered> {
        if !matches!(me.body, MethodBody::Code { .. }) {
            // Natives show their events around the call; the window must stay whole, so a header goes in first.
            self.check_stack(w.base, w.argc + 4 * H)?;
            write_header(&w, std::ptr::null(), me.value().bits(), 0, (w.argc as u64) << 8 | frame::F_NATIVE);
            self.ec().fp.set(w.base);
            self.fire("c-call", Some(me))?;
            let e = self.enter_quietly(me, w)?;
            if let Entered::Value(v) = e {
                self.ec().fp.set(w.prev);
                if self.is_traced() {
                    self.fire("c-return", Some(me))?;
                }
                crate::heap::root::keep(v);
            }
            return Ok(e);
        }
        w.ret |= frame::RET_TRACED;
        let e = self.enter_quietly(me, w)?;
        if let Entered::Frame(pc) = e {
            self.ec().fp.set(w.base);
            // SAFETY: code is never empty.
            self.ec().pc.set(unsafe { pc.add(1) });
            self.fire("call", Some(me))?;
        }
        Ok(e)
    }

    fn enter_quietly(self, me: Ref<MethodEntry>, w: Window) -> Ruby<Entered> {
        match me.body {
            MethodBody::Code { iseq, .. } => {
                // SAFETY: a code object cell.
                let code = unsafe { &*(iseq as *const Iseq) };
                self.enter_code(code, w, me.value().bits(), 0, 0, ArgRules::Method)
            }
            MethodBody::Native { f, min, max, kw } => self.enter_native(me, f, min, max, kw, w).map(Entered::Value),
            MethodBody::AttrReader(name) => {
                if w.argc != 0 {
                    return Err(self.wrong_arguments(w.argc, 0, 0));
                }
                Ok(Entered::Value(self.ivar_get(w.frame().this(), name).unwrap_or(NIL)))
            }
            MethodBody::AttrWriter(name) => {
                if w.argc != 1 {
                    return Err(self.wrong_arguments(w.argc, 1, 1));
                }
                let (this, v) = (w.frame().this(), w.args()[0]);
                self.check_frozen(this)?;
                self.ivar_set(this, name, v);
                Ok(Entered::Value(v))
            }
            MethodBody::Proc(p) => match p.as_proc() {
                Some(p) => self.enter_proc(p, w, Some(w.frame().this()), Some(me.value()), true),
                None => Ok(Entered::Value(NIL)),
            },
            MethodBody::NotImplemented => {
                let label = self.method_label(me.owner, me.original_name);
                Err(self.not_implemented(&label))
            }
            MethodBody::Undef | MethodBody::ZSuper => {
                self.method_missing(w.frame().this(), me.name, w, MissingReason::NoMethod)
            }
        }
    }

    /// Calls a native method on the window.
    #[inline]
    pub fn enter_native(self, me: Ref<MethodEntry>, f: *const (), min: i16, max: i16, kw: bool, mut w: Window) -> Ruby {
        if w.kw {
            let h = w.args()[w.argc - 1].as_hash();
            if h.is_some_and(|h| h.is_empty()) {
                w.argc -= 1;
                w.kw = false;
            } else if !kw {
                w.kw = false;
            }
        }
        let n = w.argc - w.kw as usize;
        if n < min as usize || (max >= 0 && n > max as usize) {
            self.ec().fp.set(w.prev);
            // The frame shows up in the backtrace, as CRuby's does.
            write_header(&w, std::ptr::null(), me.value().bits(), 0, (w.argc as u64) << 8 | frame::F_NATIVE);
            self.ec().fp.set(w.base);
            return Err(self.wrong_arguments(n, min as usize, max as i64));
        }
        self.check_stack(w.base, w.argc + 2 * H)?;
        let flags = (w.argc as u64) << 8 | frame::F_NATIVE | if w.kw { frame::F_KW } else { 0 };
        write_header(&w, std::ptr::null(), me.value().bits(), 0, flags);
        let ec = self.ec();
        ec.fp.set(w.base);
        // SAFETY: `f` was stored from a `Native` (define.rs); the header and arguments are in place.
        let r = unsafe {
            let f: Native = std::mem::transmute(f);
            f(self, *w.base, Args::new(w.base, w.argc, w.kw))
        };
        let r = match r {
            Err(_) => self.native_raised(w.base),
            ok => ok,
        };
        self.ec().fp.set(w.prev);
        r
    }

    /// A `break` out of the block of the native frame at `base` ends here.
    #[cold]
    #[inline(never)]
    pub fn native_raised(self, base: *mut Value) -> Ruby {
        let u = &self.ec().unwind;
        if u.kind.get() == super::raise::UnwindKind::Break && u.target.get() == base as u64 {
            u.kind.set(super::raise::UnwindKind::None);
            return Ok(u.value.replace(NIL));
        }
        Err(Raised)
    }

    /// Pushes a frame for a code object: arguments are laid out as its parameters want.
    pub fn enter_code(
        self,
        code: &Iseq,
        mut w: Window,
        me: u64,
        parent: u64,
        flags: u64,
        rules: ArgRules,
    ) -> Ruby<Entered> {
        self.check_stack(w.base, w.argc + code.nregs as usize + 2 * H)?;
        let argc = w.argc;
        let pc = if code.simple == argc as i32 && !w.kw {
            code.code.as_ptr()
        } else {
            // Argument errors are raised with the callee's frame visible.
            self.set_up_args(code, &mut w, rules, |w| {
                write_header(w, code, me, parent, (argc as u64) << 8 | flags);
            })?
        };
        write_header(&w, code, me, parent, (argc as u64) << 8 | flags);
        self.init_frame(code, w.base, parent);
        Ok(Entered::Frame(pc))
    }

    /// Clears locals and sets up the env record of a frame whose header and parameters are in place.
    #[inline(always)]
    pub fn init_frame(self, code: &Iseq, base: *mut Value, parent: u64) {
        // SAFETY: the stack was checked for `nregs` words; registers are below that.
        unsafe {
            for i in code.param_words as usize + 1..code.nlocals as usize {
                *base.add(i) = NIL;
            }
            if let Some(e) = code.env {
                let rec = base.add(e.reg as usize);
                *(rec as *mut u64) = parent;
                *(rec as *mut u64).add(1) = 0;
                for i in 0..e.vars as usize {
                    *rec.add(2 + i) = NIL;
                }
                for &(reg, var) in &code.rest.params.captured {
                    *rec.add(2 + var as usize) = *base.add(reg as usize);
                }
                *(base.sub(frame::EP) as *mut u64) = rec as u64;
            }
        }
    }

    /// Enters a block word with the arguments in the window.
    pub fn enter_block(self, b: Block, mut w: Window) -> Ruby<Entered> {
        let word = b.0;
        if word.bits() & 7 == 7 {
            // SAFETY: a captured block: two words of the header of a frame that is still active (the block is only
            // usable while the call it was given to runs).
            let (code, home) = unsafe {
                let at = (word.bits() & !7) as *const u64;
                (&*(*at as *const Iseq), Frame(*at.add(1) as *mut Value))
            };
            // SAFETY: the window is ours.
            unsafe { *w.base = home.this() };
            w.block = home.block_word();
            return self.enter_code(
                code,
                w,
                home.word(frame::ME),
                home.holder() as u64,
                frame::F_BLOCK,
                ArgRules::Block,
            );
        }
        match word.as_proc() {
            Some(p) => self.enter_proc(p, w, None, None, false),
            None => Err(self.type_error("wrong block type (expected Proc)")),
        }
    }

    /// Enters a Proc; `this`/`me` override what it captured (instance_exec, define_method).
    pub fn enter_proc(
        self,
        p: Proc,
        mut w: Window,
        this: Option<Value>,
        me: Option<Value>,
        bmethod: bool,
    ) -> Ruby<Entered> {
        if p.iseq.is_null() {
            self.check_stack(w.base, w.argc + 2 * H)?;
            if w.kw && w.args()[w.argc - 1].as_hash().is_some_and(|h| h.is_empty()) {
                w.argc -= 1;
                w.kw = false;
            }
            let flags = (w.argc as u64) << 8 | frame::F_NATIVE | if w.kw { frame::F_KW } else { 0 };
            if let Some(t) = this {
                // SAFETY: the window is ours.
                unsafe { *w.base = t }
            }
            write_header(&w, std::ptr::null(), me.map_or(0, Value::bits), 0, flags);
            self.ec().fp.set(w.base);
            // SAFETY: `native` was stored from a `ProcFn` (procs.rs).
            let r = unsafe {
                let f: ProcFn = std::mem::transmute(p.native);
                f(self, p.data.get(), Args::new(w.base, w.argc, w.kw))
            };
            let r = match r {
                Err(_) => self.native_raised(w.base),
                ok => ok,
            };
            self.ec().fp.set(w.prev);
            return r.map(Entered::Value);
        }
        // SAFETY: a code object cell; `p` stays alive through its caller.
        let code = unsafe { &*(p.iseq as *const Iseq) };
        // SAFETY: the window is ours.
        unsafe { *w.base = this.unwrap_or(p.this.get()) };
        let given = w.block;
        let lambda = p.lambda.get() || bmethod;
        w.block = p.block.get();
        let me = me.unwrap_or(p.me.get());
        let me = if me.is_nil() { 0 } else { me.bits() };
        let parent = p.env.get().map_or(0, |e| e.holder() as u64);
        let flags =
            frame::F_BLOCK | if lambda { frame::F_LAMBDA } else { 0 } | if bmethod { frame::F_BMETHOD } else { 0 };
        let rules = if lambda { ArgRules::Lambda(given) } else { ArgRules::Proc(given) };
        self.enter_code(code, w, me, parent, flags, rules)
    }

    /// Runs what was entered from native code.
    #[inline]
    pub fn finish(self, e: Entered, base: *mut Value) -> Ruby {
        match e {
            Entered::Value(v) => Ok(v),
            Entered::Frame(pc) => {
                self.check_native_stack()?;
                exec::run(self, base, pc)
            }
        }
    }

    /// Copies a call's receiver and arguments above the current frame.
    fn window(self, recv: Value, args: &[Value], kw: bool, block: Value) -> Ruby<Window> {
        let ec: &Ec = self.ec();
        let (prev, base) = if ec.fp.get().is_null() {
            // SAFETY: the bottom of the value stack.
            (std::ptr::null_mut(), unsafe { ec.stack_base.get().add(H) })
        } else {
            // SAFETY: checked just below before anything is written.
            (ec.fp.get(), unsafe { ec.frame().top().add(H) })
        };
        self.check_stack(base, args.len() + 2 * H)?;
        // SAFETY: there is room.
        unsafe {
            *base = recv;
            std::ptr::copy_nonoverlapping(args.as_ptr(), base.add(1), args.len());
        }
        // A nested run returns to native code; the address below the tag is where the Ruby caller was.
        let ret = ec.pc.get() as u64 | frame::RET_ENTRY;
        Ok(Window { base, argc: args.len(), kw, block, ret, prev })
    }

    // ---- for native code

    /// Calls a method, private ones too.
    pub fn send(self, recv: Value, name: Sym, args: &[Value]) -> Ruby {
        self.send_full(recv, name, args, false, None, true)
    }
    /// Calls a public method only.
    pub fn send_public(self, recv: Value, name: Sym, args: &[Value]) -> Ruby {
        self.send_full(recv, name, args, false, None, false)
    }
    pub fn send_block(self, recv: Value, name: Sym, args: &[Value], block: Option<Block>) -> Ruby {
        self.send_full(recv, name, args, false, block, true)
    }
    /// The whole of it: `kw` says that the last argument is a keyword Hash.
    pub fn send_full(
        self,
        recv: Value,
        name: Sym,
        args: &[Value],
        kw: bool,
        block: Option<Block>,
        private_too: bool,
    ) -> Ruby {
        let w = self.window(recv, args, kw, block.map_or(NIL, |b| b.0))?;
        let place = self.save_place();
        let r = match self.find_method(self.class_of(recv), name) {
            Some(me) if private_too || me.visibility == Visibility::Public => self.enter(me, w),
            Some(me) => {
                let why = if me.visibility == Visibility::Private {
                    MissingReason::Private
                } else {
                    MissingReason::Protected
                };
                self.method_missing(recv, name, w, why)
            }
            None => self.method_missing(recv, name, w, MissingReason::NoMethod),
        };
        let v = self.finish(r?, w.base)?;
        self.restore_place(place);
        Ok(v)
    }
    /// Calls a method entry found before (Method#call, super from natives).
    pub fn call_method(
        self,
        me: Ref<MethodEntry>,
        recv: Value,
        args: &[Value],
        kw: bool,
        block: Option<Block>,
    ) -> Ruby {
        let w = self.window(recv, args, kw, block.map_or(NIL, |b| b.0))?;
        let place = self.save_place();
        let e = self.enter(me, w)?;
        let v = self.finish(e, w.base)?;
        self.restore_place(place);
        Ok(v)
    }
    /// Calls the method if the object responds to it, as implicit conversions do: a `respond_to?` of its own is
    /// asked first, `respond_to_missing?` and `method_missing` have their say.
    pub fn send_if_responds(self, recv: Value, name: Sym, args: &[Value]) -> Ruby<Option<Value>> {
        let class = self.class_of(recv);
        if let Some(m) = self.find_method(class, sym::RESPOND_TO)
            && m.owner != self.classes.kernel.get()
            && !self.ask_respond_to(recv, name, true)?
        {
            return Ok(None);
        }
        if self.find_method(class, name).is_some() {
            return self.send(recv, name, args).map(Some);
        }
        if let Some(m) = self.find_method(class, sym::RESPOND_TO_MISSING)
            && m.owner != self.classes.kernel.get()
            && m.owner != self.classes.object.get()
        {
            let knows = self.send(recv, sym::RESPOND_TO_MISSING, &[name.into(), Value::bool(true)])?.truthy();
            return if knows { self.send(recv, name, args).map(Some) } else { Ok(None) };
        }
        if self.default_method_missing(class) {
            return Ok(None);
        }
        // `method_missing` may know the name; its NoMethodError for this very name says that it does not.
        match self.rescue(self.classes.no_method_error.get(), || self.send(recv, name, args))? {
            Ok(v) => Ok(Some(v)),
            Err(e) if self.ivar_get(e, sym::I_NAME) == Some(name.into()) => Ok(None),
            Err(e) => Err(self.raise_as_is(e)),
        }
    }
    /// Calls an overridden `respond_to?`, which may take one argument only.
    fn ask_respond_to(self, recv: Value, name: Sym, private_too: bool) -> Ruby<bool> {
        let one = [name.into()];
        let two = [name.into(), Value::bool(private_too)];
        let code = match self.find_method(self.class_of(recv), sym::RESPOND_TO).map(|m| m.body) {
            // SAFETY: a code object cell.
            Some(MethodBody::Code { iseq, .. }) => Some(unsafe { &*(iseq as *const Iseq) }),
            // SAFETY: null or a code object cell.
            Some(MethodBody::Proc(p)) => p.as_proc().and_then(|p| unsafe { (p.iseq as *const Iseq).as_ref() }),
            _ => None,
        };
        let mut unary = false;
        if let Some(c) = code {
            let p = &c.rest.params;
            let required = p.required + p.post;
            if required > 2 {
                return Err(self.arg_error(&format!("respond_to? must accept 1 or 2 arguments (requires {required})")));
            }
            unary = p.positional() == 1 && !p.rest;
        }
        let args: &[Value] = if private_too && !unary { &two } else { &one };
        Ok(self.send(recv, sym::RESPOND_TO, args)?.truthy())
    }
    /// `recv.respond_to?(name)`, honouring overrides.
    pub fn responds_to(self, recv: Value, name: Sym, private_too: bool) -> Ruby<bool> {
        let class = self.class_of(recv);
        if let Some(m) = self.find_method(class, sym::RESPOND_TO)
            && m.owner != self.classes.kernel.get()
        {
            return self.ask_respond_to(recv, name, private_too);
        }
        if self.method_defined(class, name, private_too) {
            return Ok(true);
        }
        match self.find_method(class, sym::RESPOND_TO_MISSING) {
            Some(m) if m.owner != self.classes.kernel.get() => {
                Ok(self.send(recv, sym::RESPOND_TO_MISSING, &[name.into(), Value::bool(private_too)])?.truthy())
            }
            _ => Ok(false),
        }
    }

    /// Yields to a block. One Array among several parameters is spread by the block's own rules.
    pub fn yield_values(self, block: Block, args: &[Value]) -> Ruby {
        self.yield_full(block, args, false, None)
    }
    #[inline]
    pub fn yield1(self, block: Block, v: Value) -> Ruby {
        self.yield_full(block, &[v], false, None)
    }
    pub fn yield_full(self, block: Block, args: &[Value], kw: bool, inner: Option<Block>) -> Ruby {
        let w = self.window(NIL, args, kw, inner.map_or(NIL, |b| b.0))?;
        let place = self.save_place();
        let e = self.enter_block(block, w)?;
        let v = self.finish(e, w.base)?;
        self.restore_place(place);
        Ok(v)
    }
    /// Calls a Proc as `Proc#call` does.
    pub fn call_proc(self, p: Proc, args: &[Value]) -> Ruby {
        self.yield_full(Block::of(p), args, false, None)
    }
    /// Runs a Proc with another self, and perhaps another cref (instance_exec, class_exec, define_method).
    pub fn call_proc_with(
        self,
        p: Proc,
        this: Value,
        me: Option<Value>,
        args: &[Value],
        kw: bool,
        block: Option<Block>,
    ) -> Ruby {
        let w = self.window(this, args, kw, block.map_or(NIL, |b| b.0))?;
        let place = self.save_place();
        let e = self.enter_proc(p, w, Some(this), me, false)?;
        let v = self.finish(e, w.base)?;
        self.restore_place(place);
        Ok(v)
    }
    /// Runs a code object as a frame of its own: top level, eval, class bodies.
    pub fn run_code(self, code: &Iseq, this: Value, me: Value, parent: u64, block: Value, flags: u64) -> Ruby {
        let w = self.window(this, &[], false, block)?;
        let place = self.save_place();
        let e = self.enter_code(code, w, me.bits(), parent, flags, ArgRules::Method)?;
        let v = self.finish(e, w.base)?;
        self.restore_place(place);
        Ok(v)
    }

    /// Calls `name` on `recv` with a native block: `f` gets what is yielded. For `each` and its like.
    /// `f` returns `Ok(true)` to go on and `Ok(false)` to stop (the call then ends as by `break`).
    pub fn iterate(self, recv: Value, name: Sym, args: &[Value], f: &mut dyn FnMut(&[Value]) -> Ruby<bool>) -> Ruby {
        // The closure is reached through a fixnum; the box is emptied before this returns, so a block kept by `recv`
        // finds nothing.
        let cell: Box<std::cell::Cell<Option<&mut dyn FnMut(&[Value]) -> Ruby<bool>>>> =
            Box::new(std::cell::Cell::new(Some(f)));
        type F<'a> = std::cell::Cell<Option<&'a mut dyn FnMut(&[Value]) -> Ruby<bool>>>;
        fn body(vm: Vm, data: Value, args: Args) -> Ruby {
            let Some(h) = data.as_array() else { return Ok(NIL) };
            let Some(addr) = h.get(0).as_fixnum() else {
                return Err(vm.raise(vm.classes.local_jump_error.get(), "block called after its method returned"));
            };
            // SAFETY: the address is of the box below, which is alive while the array holds it.
            let cell = unsafe { &*((addr as usize) as *const F) };
            let Some(f) = cell.take() else {
                return Err(vm.runtime_error("block called recursively"));
            };
            let r = f(args.slice());
            cell.set(Some(f));
            if r? { Ok(NIL) } else { Err(vm.throw(data, NIL)) }
        }
        let tag = RArray::from_slice(&self, &[Value::fixnum(&raw const *cell as i64)]);
        let p = self.native_proc(body, tag.value(), false, -1);
        let place = self.save_place();
        let r = self.send_full(recv, name, args, false, Some(Block::of(p)), true);
        tag.set(0, NIL);
        drop(cell);
        match r {
            Err(_) if self.catch_throw(tag.value()).is_some() => {
                self.restore_place(place);
                Ok(UNDEF)
            }
            r => r,
        }
    }

    /// Calls `method_missing`, or raises what BasicObject's would.
    #[cold]
    pub fn method_missing(self, recv: Value, name: Sym, mut w: Window, why: MissingReason) -> Ruby<Entered> {
        let class = self.class_of(recv);
        if name == sym::METHOD_MISSING && w.argc == 0 {
            return Err(self.arg_error("no method name given"));
        }
        if self.default_method_missing(class) {
            return Err(self.no_method(recv, name, why, w.args()));
        }
        let Some(me) = self.find_method(class, sym::METHOD_MISSING) else {
            return Err(self.no_method(recv, name, why, w.args()));
        };
        self.check_stack(w.base, w.argc + 2 * H)?;
        // SAFETY: room was just checked.
        unsafe {
            std::ptr::copy(w.base.add(1), w.base.add(2), w.argc);
            *w.base.add(1) = name.into();
        }
        w.argc += 1;
        self.enter(me, w)
    }

    /// The NoMethodError (or NameError) for a call that found nothing.
    pub fn no_method(self, recv: Value, name: Sym, why: MissingReason, args: &[Value]) -> Raised {
        let what = self.describe_receiver(recv);
        let n = self.symbols.text(name);
        let (class, text) = match why {
            MissingReason::NoMethod => {
                (self.classes.no_method_error.get(), format!("undefined method '{n}' for {what}"))
            }
            MissingReason::Private => {
                (self.classes.no_method_error.get(), format!("private method '{n}' called for {what}"))
            }
            MissingReason::Protected => {
                (self.classes.no_method_error.get(), format!("protected method '{n}' called for {what}"))
            }
            MissingReason::Vcall => {
                (self.classes.name_error.get(), format!("undefined local variable or method '{n}' for {what}"))
            }
            MissingReason::Super => {
                (self.classes.no_method_error.get(), format!("super: no superclass method '{n}' for {what}"))
            }
        };
        let e = self.new_exception(class, &text);
        self.ivar_set(e, sym::I_NAME, name.into());
        self.ivar_set(e, sym::I_RECEIVER, recv);
        let list = RArray::from_slice(&self, args);
        self.ivar_set(e, sym::I_ARGS, list.value());
        self.raise_exc(e)
    }

    /// "an instance of Foo", "class Foo", "nil", ... as 3.4+ messages say.
    pub fn describe_receiver(self, recv: Value) -> String {
        if recv == self.main.get() {
            return "main:Object".into();
        }
        match recv {
            NIL => "nil".into(),
            crate::value::TRUE => "true".into(),
            crate::value::FALSE => "false".into(),
            v => match v.as_class() {
                Some(c) if c.is_module() => format!("module {}", self.class_name(c)),
                Some(c) => format!("class {}", self.class_name(c)),
                None => format!("an instance of {}", self.class_name(self.real_class_of(v))),
            },
        }
    }

    /// Spreads the arguments of a `SendX` window: splat array, keyword Hash, block argument.
    pub fn spread(self, w: &mut Window, flags: u16) -> Ruby<()> {
        let base = w.base;
        let mut at = 1 + w.argc;
        let mut kw = None;
        // SAFETY: the compiler reserved these registers.
        unsafe {
            if flags & sf::KWARGS != 0 {
                kw = Some(*base.add(at));
                at += 1;
            }
            if flags & sf::BLOCK_ARG != 0 {
                w.block = self.block_arg(*base.add(at))?;
            }
            if flags & sf::SPLAT != 0 {
                let list = (*base.add(1)).as_array();
                let n = list.map_or(0, |a| a.len());
                self.check_stack(base, n + 2 * H + 1)?;
                if let Some(list) = list {
                    let mut n = n;
                    // A flagged Hash at the end (ruby2_keywords) becomes keywords again.
                    if kw.is_none()
                        && n > 0
                        && let Some(h) = list.get(n - 1).as_hash()
                        && h.h.has(crate::heap::flags::USER1)
                    {
                        let copy = RHash::new(&self);
                        copy.copy_from(&self, h);
                        kw = Some(copy.value());
                        n -= 1;
                    }
                    std::ptr::copy_nonoverlapping(list.slice().as_ptr(), base.add(1), n);
                    w.argc = n;
                }
            }
            match kw {
                Some(h) if h.as_hash().is_some_and(|h| !h.is_empty()) => {
                    *base.add(1 + w.argc) = h;
                    w.argc += 1;
                    w.kw = true;
                }
                _ => w.kw = false,
            }
        }
        Ok(())
    }

    /// The block word of `&v`.
    pub fn block_arg(self, v: Value) -> Ruby<Value> {
        if v.is_nil() || v.as_proc().is_some() {
            return Ok(v);
        }
        if let Some(s) = v.as_symbol() {
            return Ok(match self.refined_symbol_proc(s) {
                Some(p) => p.value(),
                None => self.symbol_proc(s).value(),
            });
        }
        let name = self.describe(v);
        let found = match self.refined_here(v, sym::TO_PROC) {
            Some(me) => Some(self.call_method(me, v, &[], false, None)?),
            None => self.send_if_responds(v, sym::TO_PROC, &[])?,
        };
        let Some(p) = found else {
            return Err(self.type_error(&format!("no implicit conversion of {name} into Proc")));
        };
        if p.as_proc().is_none() {
            let got = self.describe(p);
            return Err(self.type_error(&format!("can't convert {name} into Proc ({name}#to_proc gives {got})")));
        }
        Ok(p)
    }
}

/// Why a call found no method it may call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MissingReason {
    NoMethod,
    Private,
    Protected,
    Vcall,
    Super,
}

/// How strict a callee is about its arguments; the value is the block given to a lambda or proc itself.
#[derive(Clone, Copy)]
pub enum ArgRules {
    Method,
    Block,
    Proc(Value),
    Lambda(Value),
}
