//! Leaving frames: tagged returns, exceptions, break, far return. All unwinding consults the catch tables here.

use crate::bytecode::op::Ins;
use crate::bytecode::proto::CatchKind;
use crate::object::{Token, sym, ty};
use crate::value::{NIL, Raised, Ruby, Value};
use crate::vm::Vm;
use crate::vm::exec::At;
use crate::vm::frame::{self, Frame};
use crate::vm::raise::UnwindKind;

const STOP: *const Ins = std::ptr::null();

/// What `run` returns after a slow path ended its last frame.
#[inline(always)]
pub fn outcome(vm: Vm) -> Ruby {
    vm.ec().out.get()
}

/// Ends `run` with a result; `base` is the frame with the entry tag.
fn leave(vm: Vm, base: *mut Value, out: Ruby) -> At {
    let f = Frame(base);
    let ec = vm.ec();
    ec.fp.set(f.word(frame::PREV) as *mut Value);
    ec.pc.set((f.word(frame::RET) & !frame::RET_TAG) as *const Ins);
    ec.out.set(out);
    At { pc: STOP, base }
}

/// Return from a frame whose return address carries a tag.
#[cold]
#[inline(never)]
pub fn return_tagged(vm: Vm, base: *mut Value, v: Value) -> At {
    let f = Frame(base);
    let ret = f.word(frame::RET);
    let prev = f.word(frame::PREV) as *mut Value;
    let pc = (ret & !frame::RET_TAG) as *const Ins;
    if ret & frame::RET_TRACED != 0 {
        vm.ec().fp.set(base);
        f.set_word(frame::RET, ret & !frame::RET_TRACED);
        if vm.trace_return(f).is_err() {
            return raised(vm, pc, base);
        }
    }
    match ret & frame::RET_KIND {
        frame::RET_ENTRY => leave(vm, base, Ok(v)),
        frame::RET_DROP => At { pc, base: prev },
        tag => {
            let v = if tag == frame::RET_SELF { f.this() } else { v };
            // SAFETY: the instruction before the return address pushed the frame; its field `a` is the result.
            unsafe { *prev.add((*pc.sub(1)).a()) = v };
            At { pc, base: prev }
        }
    }
}

/// Something is pending in the frame at `base`, whose next instruction is `pc`: goes to a handler, or further down.
#[cold]
#[inline(never)]
pub fn raised(vm: Vm, mut pc: *const Ins, mut base: *mut Value) -> At {
    let ec = vm.ec();
    let u = &ec.unwind;
    loop {
        let f = Frame(base);
        if let Some(code) = f.code() {
            let at = ((pc as usize).wrapping_sub(code.code.as_ptr() as usize) / 8).wrapping_sub(1) as u32;
            let kind = u.kind.get();
            let hit = code.rest.catch.iter().find(|e| {
                (e.start..e.end).contains(&at) && (e.kind == CatchKind::Ensure || kind == UnwindKind::Exception)
            });
            if let Some(e) = hit {
                ec.fp.set(base);
                ec.pc.set(pc);
                let v = if kind == UnwindKind::Exception {
                    ec.errinfo.set(u.value.get());
                    u.value.get()
                } else {
                    Token::alloc(&vm, kind as u64, u.target.get(), u.value.get()).value()
                };
                u.kind.set(UnwindKind::None);
                u.value.set(NIL);
                u.target.set(0);
                // SAFETY: a register of this frame.
                unsafe {
                    *base.add(e.reg as usize) = v;
                    return At { pc: code.code.as_ptr().add(e.handler as usize), base };
                }
            }
            vm.detach(f);
        }
        if matches!(u.kind.get(), UnwindKind::Return | UnwindKind::Break) && u.target.get() == base as u64 {
            if u.kind.get() == UnwindKind::Break && f.word(frame::RET) & frame::RET_TAG == frame::RET_SELF {
                // A break out of a constructor's block gives its own value, not the object.
                f.set_word(frame::RET, f.word(frame::RET) & !frame::RET_TAG);
            }
            u.kind.set(UnwindKind::None);
            u.target.set(0);
            let v = u.value.replace(NIL);
            return finish(vm, base, v);
        }
        let ret = f.word(frame::RET);
        if ret & frame::RET_KIND == frame::RET_ENTRY {
            return leave(vm, base, Err(Raised));
        }
        pc = (ret & !frame::RET_TAG) as *const Ins;
        base = f.word(frame::PREV) as *mut Value;
    }
}

/// Ends the frame at `base` with a result, whatever its tag.
fn finish(vm: Vm, base: *mut Value, v: Value) -> At {
    let f = Frame(base);
    if f.word(frame::RET) & frame::RET_TAG != frame::RET_NORMAL {
        return return_tagged(vm, base, v);
    }
    let pc = f.word(frame::RET) as *const Ins;
    let prev = f.word(frame::PREV) as *mut Value;
    // SAFETY: as in `return_tagged`.
    unsafe { *prev.add((*pc.sub(1)).a()) = v };
    At { pc, base: prev }
}

/// A native called from the frame at `base` failed: a break out of its block ends here.
#[cold]
#[inline(never)]
pub fn native_raised(vm: Vm, pc: *const Ins, base: *mut Value, native: *mut Value) -> At {
    match vm.native_raised(native) {
        Ok(v) => {
            // SAFETY: the call instruction's result register.
            unsafe { *base.add((*pc.sub(1)).a()) = v };
            At { pc, base }
        }
        Err(_) => raised(vm, pc, base),
    }
}

/// `Rethrow`: goes on with what an ensure interrupted.
#[cold]
#[inline(never)]
pub fn rethrow(vm: Vm, pc: *const Ins, base: *mut Value, v: Value) -> At {
    if v.is_type(ty::TOKEN) {
        // SAFETY: the tag says so.
        let t = unsafe { &*(v.ptr() as *const Token) };
        let kind = match t.kind {
            k if k == UnwindKind::Break as u64 => UnwindKind::Break,
            k if k == UnwindKind::Return as u64 => UnwindKind::Return,
            k if k == UnwindKind::Throw as u64 => UnwindKind::Throw,
            _ => UnwindKind::Kill,
        };
        let _ = vm.set_unwind(kind, t.target, t.value);
    } else {
        let _ = vm.raise_as_is(v);
    }
    raised(vm, pc, base)
}

fn jump_error(vm: Vm, pc: *const Ins, base: *mut Value, text: &str, reason: &str, v: Value) -> At {
    vm.ec().fp.set(base);
    vm.ec().pc.set(pc);
    let e = vm.new_exception(vm.classes.local_jump_error.get(), text);
    vm.ivar_set(e, sym::I_REASON, vm.sym(reason));
    vm.ivar_set(e, sym::I_EXIT_VALUE, v);
    let _ = vm.raise_exc(e);
    raised(vm, pc, base)
}

/// `break` in a block: ends the call that the block was given to.
#[cold]
#[inline(never)]
pub fn break_(vm: Vm, pc: *const Ins, base: *mut Value, v: Value) -> At {
    let f = Frame(base);
    let ec = vm.ec();
    ec.fp.set(base);
    ec.pc.set(pc);
    if f.flags() & frame::F_LAMBDA != 0 {
        let _ = vm.set_unwind(UnwindKind::Return, base as u64, v);
        return raised(vm, pc, base);
    }
    if let (Some(home), Some(code)) = (f.parent(vm), f.code()) {
        for g in ec.frames() {
            if g.0 == home.0 {
                break;
            }
            if g.word(frame::PREV) as *mut Value == home.0 && gives_block(g, code) {
                let _ = vm.set_unwind(UnwindKind::Break, g.0 as u64, v);
                return raised(vm, pc, base);
            }
        }
    }
    jump_error(vm, pc, base, "break from proc-closure", "break", v)
}

/// The frame `g` was called with a literal block of this code.
fn gives_block(g: Frame, code: &crate::bytecode::iseq::Iseq) -> bool {
    let word = g.block_word();
    match word.as_proc() {
        Some(p) => std::ptr::eq(p.iseq as *const _, code as *const _ as *const crate::heap::Header),
        None if word.bits() & 7 == 7 => {
            // SAFETY: a captured block in this frame's own header.
            let at = (word.bits() & !7) as *const u64;
            at as usize == g.0 as usize - frame::CAPTURED_CODE * 8
                && std::ptr::eq(unsafe { *at } as *const crate::bytecode::iseq::Iseq, code)
        }
        None => false,
    }
}

/// `return` inside a block: ends the enclosing lambda or the home method.
#[cold]
#[inline(never)]
pub fn return_far(vm: Vm, pc: *const Ins, base: *mut Value, v: Value) -> At {
    let mut f = Frame(base);
    let ec = vm.ec();
    ec.fp.set(base);
    ec.pc.set(pc);
    loop {
        if f.flags() & frame::F_LAMBDA != 0 || f.word(frame::PARENT) == 0 {
            break;
        }
        match f.live_parent(vm) {
            Some(p) => f = p,
            None => return jump_error(vm, pc, base, "unexpected return", "return", v),
        }
    }
    if !ec.frames().any(|g| g == f) {
        return jump_error(vm, pc, base, "unexpected return", "return", v);
    }
    let _ = vm.set_unwind(UnwindKind::Return, f.0 as u64, v);
    raised(vm, pc, base)
}

/// Safepoint: runs what the other floors want done.
#[cold]
#[inline(never)]
pub fn interrupts(vm: Vm) -> Ruby<()> {
    let bits = vm.sched.check_interrupts();
    if bits & crate::vm::FINALIZE != 0
        && let Some(f) = vm.finalize.get()
    {
        f(vm)?;
    }
    match vm.hooks.interrupts.get() {
        Some(f) => f(vm, bits),
        None => Ok(()),
    }
}
