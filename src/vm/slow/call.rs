//! Calls that miss their cache or need argument work.

use super::{native_raised, raised};
use crate::bytecode::iseq::{Iseq, Site, SiteKind};
use crate::bytecode::op::{Ins, Op};
use crate::bytecode::proto::site_flags as sf;
use crate::object::{Class, MethodBody, MethodEntry, RObject, Ref, Visibility, sym};
use crate::value::{NIL, Ruby, Sym, Value};
use crate::vm::Vm;
use crate::vm::call::{ArgRules, Entered, MissingReason, Window};
use crate::vm::exec::At;
use crate::vm::frame::{self, Frame, H};
use crate::vm::native::Block;

/// Turns the result of entering into the place to go on.
pub(super) fn proceed(vm: Vm, pc: *const Ins, base: *mut Value, w: &Window, e: Ruby<Entered>) -> At {
    match e {
        Ok(Entered::Frame(new_pc)) => At { pc: new_pc, base: w.base },
        Ok(Entered::Value(v)) => {
            // SAFETY: the call instruction's result register.
            unsafe { *base.add((*pc.sub(1)).a()) = v };
            At { pc, base }
        }
        Err(_) => raised(vm, pc, base),
    }
}

/// A window above all registers of the running frame, for operators that have none of their own.
pub(super) fn spare_window(vm: Vm, pc: *const Ins, base: *mut Value, recv: Value, args: &[Value]) -> Ruby<Window> {
    let f = Frame(base);
    // SAFETY: the stack is checked before the window is written.
    let nb = unsafe { f.top().add(H) };
    vm.check_stack(nb, args.len() + 2 * H)?;
    // SAFETY: there is room.
    unsafe {
        *nb = recv;
        for (i, a) in args.iter().enumerate() {
            *nb.add(1 + i) = *a;
        }
    }
    Ok(Window { base: nb, argc: args.len(), kw: false, block: NIL, ret: pc as u64, prev: base })
}

fn site_at(pc: *const Ins, base: *mut Value) -> (&'static Site, *mut Value, Ins) {
    // SAFETY: the instruction before `pc` is a call with a site; the frame's code is alive.
    unsafe {
        let ins = *pc.sub(1);
        let code = &*(Frame(base).word(frame::CODE) as *const Iseq);
        let window = if ins.op() == Op::Send0 { code.nregs as usize } else { ins.b() };
        (&*(&code.sites[ins.c()] as *const Site), base.add(window + H), ins)
    }
}

#[cold]
#[inline(never)]
pub fn send(vm: Vm, pc: *const Ins, base: *mut Value) -> At {
    send_with(vm, pc, base, NIL)
}

/// A call with plain arguments and a block word.
#[inline(never)]
pub fn send_with(vm: Vm, pc: *const Ins, base: *mut Value, block: Value) -> At {
    let (site, nb, _) = site_at(pc, base);
    vm.ec().fp.set(base);
    vm.ec().pc.set(pc);
    let w = Window { base: nb, argc: site.argc as usize, kw: false, block, ret: pc as u64, prev: base };
    let class = vm.class_of(w.frame().this());
    if site.class.get() == class.as_ptr() as *mut _ {
        match site.kind.get() {
            SiteKind::New => return construct(vm, pc, base, w),
            SiteKind::Slow => {
                if let Some(me) = site.me.get() {
                    let e = vm.enter(me, w);
                    return proceed(vm, pc, base, &w, e);
                }
            }
            SiteKind::AttrReader => {
                if let Some(me) = site.me.get()
                    && let MethodBody::AttrReader(name) = me.body
                {
                    let v = vm.ivar_get(w.frame().this(), name).unwrap_or(NIL);
                    return proceed(vm, pc, base, &w, Ok(Entered::Value(v)));
                }
            }
            _ => {}
        }
    }
    let found = resolve(vm, class, site.name, site.flags, Frame(base));
    match found {
        Ok(me) => {
            fill(vm, site, class, me);
            if site.kind.get() == SiteKind::New {
                return construct(vm, pc, base, w);
            }
            let e = vm.enter(me, w);
            proceed(vm, pc, base, &w, e)
        }
        Err(why) => {
            let e = vm.method_missing(w.frame().this(), site.name, w, why);
            proceed(vm, pc, base, &w, e)
        }
    }
}

/// The method a call may use, or why not.
fn resolve(vm: Vm, class: Class, name: Sym, flags: u16, from: Frame) -> Result<Ref<MethodEntry>, MissingReason> {
    let found = match vm.refined.get() {
        true => vm.refined_method(from.cref(), class, name),
        false => None,
    };
    let Some(me) = found.or_else(|| vm.find_method(class, name)) else {
        return Err(if flags & sf::VCALL != 0 { MissingReason::Vcall } else { MissingReason::NoMethod });
    };
    if flags & sf::FCALL != 0 {
        return Ok(me);
    }
    match me.visibility {
        Visibility::Public => Ok(me),
        Visibility::Private => Err(MissingReason::Private),
        Visibility::Protected => {
            let owner = if me.owner.is_singleton() { me.defined_class } else { me.owner };
            if vm.class_of(from.this()).is_a(owner) { Ok(me) } else { Err(MissingReason::Protected) }
        }
    }
}

/// Fills a site's cache (K1).
fn fill(vm: Vm, site: &Site, class: Class, me: Ref<MethodEntry>) {
    if me.visibility == Visibility::Protected || vm.is_traced() {
        return;
    }
    site.kind.set(SiteKind::Slow);
    site.me.set(Some(me));
    match me.body {
        MethodBody::Code { iseq, .. } => {
            // SAFETY: a code object cell.
            let code = unsafe { &*(iseq as *const Iseq) };
            site.code.set(code);
            site.entry.set(code.code.as_ptr());
            site.nregs.set(code.nregs);
            if code.simple == site.argc as i32 {
                site.kind.set(SiteKind::Code);
            }
        }
        MethodBody::Native { f, min, max, .. } => {
            let n = site.argc as i16;
            if n >= min && (max < 0 || n <= max) {
                if f == vm.class_new.get() {
                    site.kind.set(SiteKind::New);
                } else {
                    site.native.set(f);
                    site.kind.set(SiteKind::Native);
                }
            }
        }
        MethodBody::AttrReader(_) if site.argc == 0 => site.kind.set(SiteKind::AttrReader),
        _ => {}
    }
    site.class.set(class.as_ptr() as *mut _);
}

/// `Class#new` without native recursion: allocate, then enter `initialize` with a constructor's return tag.
fn construct(vm: Vm, pc: *const Ins, base: *mut Value, mut w: Window) -> At {
    let Some(class) = w.frame().this().as_class() else { return raised(vm, pc, base) };
    let object = match vm.allocate(class) {
        Ok(o) => o,
        Err(_) => return raised(vm, pc, base),
    };
    let Some(me) = vm.find_method(vm.class_of(object), sym::INITIALIZE) else {
        return proceed(vm, pc, base, &w, Ok(Entered::Value(object)));
    };
    // SAFETY: the window is ours; class and object are also in locals.
    unsafe { *w.base = object };
    if let MethodBody::Code { .. } = me.body {
        w.ret |= frame::RET_SELF;
        let e = vm.enter(me, w);
        return proceed(vm, pc, base, &w, e);
    }
    vm.ec().unwind.target.set(0);
    let r = vm.enter(me, w).and_then(|e| vm.finish(e, w.base));
    // After a break out of the block the target still names the native frame: its value replaces the object.
    let broke = r.is_ok() && vm.ec().unwind.target.replace(0) == w.base as u64;
    let r = r.map(|v| Entered::Value(if broke { v } else { object }));
    if r.is_err() {
        return native_raised(vm, pc, base, w.base);
    }
    // A learnt number of instance variables makes later objects the right size.
    if let Some(o) = object.as_object() {
        learn_slots(vm, class, o);
    }
    proceed(vm, pc, base, &w, r)
}

fn learn_slots(vm: Vm, class: Class, o: Ref<RObject>) {
    let n = vm.shapes.len(o.shape());
    if n > class.instance_slots.get() {
        class.instance_slots.set(n)
    }
}

/// `SendX`: splats, keywords, block arguments.
#[inline(never)]
pub fn send_any(vm: Vm, pc: *const Ins, base: *mut Value) -> At {
    let (site, nb, _) = site_at(pc, base);
    vm.ec().fp.set(base);
    vm.ec().pc.set(pc);
    let mut w = Window { base: nb, argc: site.argc as usize, kw: false, block: NIL, ret: pc as u64, prev: base };
    if vm.spread(&mut w, site.flags).is_err() {
        return raised(vm, pc, base);
    }
    literal_block(site, &mut w, base);
    let this = w.frame().this();
    match resolve(vm, vm.class_of(this), site.name, site.flags, Frame(base)) {
        Ok(me) => {
            let e = vm.enter(me, w);
            proceed(vm, pc, base, &w, e)
        }
        Err(why) => {
            let e = vm.method_missing(this, site.name, w, why);
            proceed(vm, pc, base, &w, e)
        }
    }
}

/// Writes the literal block's pair, or passes this method's own block on.
fn literal_block(site: &Site, w: &mut Window, base: *mut Value) {
    if !site.block.is_null() {
        // SAFETY: the two words below a window's header are the caller's to fill.
        unsafe {
            let pair = w.base.sub(frame::CAPTURED_CODE) as *mut u64;
            *pair = site.block as u64;
            *pair.add(1) = base as u64;
            w.block = Value::from_bits(pair as u64 | 7);
        }
    } else if site.flags & sf::BLOCK_PASS != 0 {
        w.block = Frame(base).block_word();
    }
}

/// `super`, any shape.
#[inline(never)]
pub fn super_(vm: Vm, pc: *const Ins, base: *mut Value) -> At {
    let (site, nb, _) = site_at(pc, base);
    let f = Frame(base);
    let ec = vm.ec();
    ec.fp.set(base);
    ec.pc.set(pc);
    let this = f.this();
    // SAFETY: the window is ours.
    unsafe { *nb = this };
    let Some(me) = f.method() else {
        let _ = vm.runtime_error("super called outside of method");
        return raised(vm, pc, base);
    };
    if site.flags & sf::ZSUPER != 0 && in_bmethod(vm, f) {
        let _ = vm.runtime_error(
            "implicit argument passing of super from method defined by define_method() is not supported. Specify all arguments explicitly.",
        );
        return raised(vm, pc, base);
    }
    let mut w = Window { base: nb, argc: site.argc as usize, kw: false, block: NIL, ret: pc as u64, prev: base };
    if vm.spread(&mut w, site.flags).is_err() {
        return raised(vm, pc, base);
    }
    if site.flags & sf::BLOCK_ARG == 0 {
        w.block = f.block_word();
    }
    literal_block(site, &mut w, base);
    match vm.find_super_of(vm.class_of(this), me) {
        Some(up) => {
            let e = vm.enter(up, w);
            proceed(vm, pc, base, &w, e)
        }
        None => {
            let e = vm.method_missing(this, me.original_name, w, MissingReason::Super);
            proceed(vm, pc, base, &w, e)
        }
    }
}

fn in_bmethod(vm: Vm, f: Frame) -> bool {
    let mut f = Some(f);
    while let Some(g) = f {
        if g.flags() & frame::F_BMETHOD != 0 {
            return true;
        }
        if g.word(frame::PARENT) == 0 {
            return false;
        }
        f = g.parent(vm);
    }
    false
}

/// `yield` with plain arguments, when the fast path does not apply.
#[inline(never)]
pub fn yield_(vm: Vm, pc: *const Ins, base: *mut Value, argc: usize) -> At {
    // SAFETY: the instruction before `pc` is the yield.
    let nb = unsafe { base.add((*pc.sub(1)).b() + H) };
    vm.ec().fp.set(base);
    vm.ec().pc.set(pc);
    let w = Window { base: nb, argc, kw: false, block: NIL, ret: pc as u64, prev: base };
    yield_window(vm, pc, base, w)
}

fn yield_window(vm: Vm, pc: *const Ins, base: *mut Value, w: Window) -> At {
    let word = Frame(base).block_word();
    if word.is_nil() {
        let e = vm.new_exception(vm.classes.local_jump_error.get(), "no block given (yield)");
        vm.ivar_set(e, sym::I_REASON, vm.sym("noreason"));
        vm.ivar_set(e, sym::I_EXIT_VALUE, NIL);
        let _ = vm.raise_exc(e);
        return raised(vm, pc, base);
    }
    let e = vm.enter_block(Block(word), w);
    proceed(vm, pc, base, &w, e)
}

#[inline(never)]
pub fn yield_any(vm: Vm, pc: *const Ins, base: *mut Value) -> At {
    let (site, nb, _) = site_at(pc, base);
    vm.ec().fp.set(base);
    vm.ec().pc.set(pc);
    let mut w = Window { base: nb, argc: site.argc as usize, kw: false, block: NIL, ret: pc as u64, prev: base };
    if vm.spread(&mut w, site.flags).is_err() {
        return raised(vm, pc, base);
    }
    yield_window(vm, pc, base, w)
}

/// Opens a class, module or singleton class and enters its body.
#[inline(never)]
pub fn def_class(vm: Vm, pc: *const Ins, base: *mut Value) -> At {
    // SAFETY: the instruction before `pc` is the DefClass.
    let ins = unsafe { *pc.sub(1) };
    let f = Frame(base);
    vm.ec().fp.set(base);
    vm.ec().pc.set(pc);
    let Some(code) = f.code() else { return raised(vm, pc, base) };
    let site = &code.rest.classes[ins.c()];
    let (scope, above) = (f.reg(ins.b()), f.reg(ins.b() + 1));
    let class = match super::open_class(vm, f, site, scope, above) {
        Ok(c) => c,
        Err(_) => return raised(vm, pc, base),
    };
    let outer = f.cref().map_or(NIL, |c| c.value());
    let cref = crate::object::Cref::alloc(&vm, class, outer, NIL, false);
    // SAFETY: children are code objects.
    let body = unsafe { &*code.children[site.child as usize] };
    let w = match spare_window(vm, pc, base, class.value(), &[]) {
        Ok(w) => w,
        Err(_) => return raised(vm, pc, base),
    };
    let mut w = w;
    if vm.is_traced() {
        if vm.fire("class", None).is_err() {
            return raised(vm, pc, base);
        }
        w.ret |= frame::RET_TRACED;
    }
    let e = vm.enter_code(body, w, cref.value().bits(), 0, frame::F_CLASS, ArgRules::Method);
    proceed(vm, pc, base, &w, e)
}
