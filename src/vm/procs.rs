//! Procs: making a block last, native procs, and what a scope looks like once it escaped.

use super::Vm;
use super::frame::{self, Frame};
use super::native::{Args, Block, ProcFn};
use crate::bytecode::iseq::Iseq;
use crate::object::{Env, Proc, RProc, Ref, sym};
use crate::value::{NIL, Ruby, Sym, Value};

impl Vm {
    /// A Proc from a native function and one value.
    pub fn native_proc(self, f: ProcFn, data: Value, lambda: bool, arity: i32) -> Proc {
        RProc::native(&self, f as *const (), data, lambda, arity)
    }

    /// The Proc of a block; remembered in the frame it was given to, so that it stays the same object.
    pub fn block_to_proc(self, b: Block) -> Proc {
        if let Some(p) = b.0.as_proc() {
            return p;
        }
        // SAFETY: not a Proc: the address of a captured block in the header of an active frame.
        let (code, home, owner) = unsafe {
            let at = (b.0.bits() & !7) as *mut Value;
            (*(at as *const *mut Iseq), Frame(*(at.add(1) as *const *mut Value)), Frame(at.add(frame::CAPTURED_CODE)))
        };
        // Another holder of the same word may have made it already.
        if let Some(p) = owner.block_word().as_proc()
            && p.iseq == code as *mut _
        {
            return p;
        }
        let p = self.make_proc(code, home, false);
        owner.set_word(frame::BLOCK, p.value().bits());
        p
    }

    /// A Proc (or lambda) of `code` in the scope of a live frame.
    pub fn make_proc(self, code: *mut Iseq, home: Frame, lambda: bool) -> Proc {
        let env = self.capture(home);
        let p = RProc::alloc(&self, self.classes.proc.get(), code as *mut _, Some(env), home.this());
        p.block.set(home.block_word());
        p.me.set(home.me_word());
        p.lambda.set(lambda);
        p
    }

    /// Moves a frame's env record (and those around it) to the heap. The frame must have one.
    pub fn capture(self, f: Frame) -> Ref<Env> {
        let record = f.word(frame::EP) as *mut Value;
        if record.is_null() {
            return self.capture_bare(f);
        }
        // SAFETY: a frame that contains blocks has a record (compiler contract), whose second word is 0 or its Env.
        unsafe {
            let moved = *(record as *const u64).add(1);
            if moved != 0 {
                return Ref::new(moved as *mut Env);
            }
            let holder = f.word(frame::PARENT) as *mut *mut Value;
            if !holder.is_null()
                && !self.heap.contains(holder as usize)
                && let Some(outer) = frame::frame_of_holder(self, holder)
            {
                let env = self.capture(outer);
                let h = env.holder() as u64;
                f.set_word(frame::PARENT, h);
                *(record as *mut u64) = h;
                f.set_word(frame::BLOCK, outer.block_word().bits());
            } else if let Some(b) = f.block()
                && f.block_word().as_proc().is_none()
            {
                let p = self.block_to_proc(b);
                f.set_word(frame::BLOCK, p.value().bits());
            }
            let code = f.word(frame::CODE) as *mut Iseq;
            let env = Env::from_record(&self, record, (*code).env_len(), code as *mut _);
            env.frame.set(f.0);
            env.this.set(f.this());
            env.block.set(f.block_word());
            env.me.set(f.me_word());
            f.set_word(frame::EP, env.ep.get() as u64);
            // The collector finds the env through the record left behind in the frame: EP points outside the heap.
            *(record as *mut u64).add(1) = env.as_ptr() as u64;
            env
        }
    }

    /// A scope without an env record (eval reached it by an unusual way): its variables cannot be seen, the ones around
    /// it can. Nothing would detach it on return, so it is detached from the start.
    fn capture_bare(self, f: Frame) -> Ref<Env> {
        let mut holder = f.word(frame::PARENT);
        if holder != 0
            && let Some(outer) = f.parent(self)
        {
            holder = self.capture(outer).holder() as u64;
        }
        let record = [holder, 0];
        let code = f.word(frame::CODE) as *mut _;
        // SAFETY: two initialised words of the right meaning.
        let env = unsafe { Env::from_record(&self, record.as_ptr() as *const Value, 2, code) };
        let block = self.proc_of(f.block());
        env.this.set(f.this());
        env.block.set(block);
        env.me.set(f.me_word());
        env
    }

    /// A frame with an env record is being left.
    #[inline(always)]
    pub fn detach(self, f: Frame) {
        let record = f.word(frame::EP) as *const u64;
        if record.is_null() {
            return;
        }
        // SAFETY: as in `capture`.
        unsafe {
            let moved = *record.add(1);
            if moved != 0 {
                (*(moved as *const Env)).frame.set(std::ptr::null_mut());
            }
        }
    }

    /// `:name.to_proc`.
    pub fn symbol_proc(self, name: Sym) -> Proc {
        fn call(vm: Vm, data: Value, args: Args) -> Ruby {
            let name = data.as_symbol().unwrap_or(sym::EMPTY);
            let Some(recv) = args.get(0) else { return Err(vm.arg_error("no receiver given")) };
            vm.send_full(recv, name, &args.all()[1..], args.has_keywords(), args.block(), false)
        }
        self.native_proc(call, name.into(), true, -2)
    }

    /// The Proc that made a block frame's code run, or the block's literal: `proc.call` inside natives.
    pub fn proc_of(self, b: Option<Block>) -> Value {
        b.map_or(NIL, |b| self.block_to_proc(b).value())
    }
}
