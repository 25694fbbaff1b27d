//! The interpreter loop: one exhaustive `match` over `Op`.
//!
//! An arm shows the fast path; the rest is a `#[cold]` function in `slow.rs` that takes and returns `(pc, base)` by
//! value (`At`). Frame state is written back (`save!`) before anything that can raise, allocate, call or switch (F2).

use super::call::write_header;
use super::frame::{self, Frame, H};
use super::native::{Args, Native};
use super::slow::{self, BinOp};
use super::{Vm, call::Window};
use crate::bytecode::iseq::{Iseq, Site, SiteKind};
use crate::bytecode::op::{Ins, Op};
use crate::heap::{Header, flags};
use crate::object::{RObject, ty};
use crate::value::{FALSE, NIL, Ruby, TRUE, Value};
use std::sync::atomic::Ordering;

/// Where execution goes on. `pc` null: `run` is left with what `slow::leave` took note of.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct At {
    pub pc: *const Ins,
    pub base: *mut Value,
}

/// Runs the frame at `base` from `pc` until the frame with the `RET_ENTRY` tag at or below it returns.
///
/// Frames pushed by Ruby code run in this same loop: calls do not use the native stack.
pub fn run(vm: Vm, mut base: *mut Value, mut pc: *const Ins) -> Ruby {
    let ec = vm.ec();
    let interrupt = vm.interrupt;
    // SAFETY (whole loop): code objects were checked by `bytecode::check` in debug builds and made by our compiler:
    // registers are below `nregs`, for which the stack was checked when the frame was pushed; table indices are in
    // bounds; F1 holds for every frame. `base`/`pc` always belong to the newest frame.
    unsafe {
        macro_rules! r {
            ($i:expr) => {
                *base.add($i)
            };
        }
        macro_rules! save {
            () => {
                ec.fp.set(base);
                ec.pc.set(pc);
            };
        }
        macro_rules! go {
            ($at:expr) => {{
                let at: At = $at;
                pc = at.pc;
                base = at.base;
                if pc.is_null() {
                    return slow::outcome(vm);
                }
            }};
        }
        // A fallible expression: on Raised the frame unwinds.
        macro_rules! tri {
            ($e:expr) => {
                match $e {
                    Ok(v) => v,
                    Err(_) => {
                        go!(slow::raised(vm, pc, base));
                        continue;
                    }
                }
            };
        }
        macro_rules! poll {
            () => {
                if interrupt.load(Ordering::Relaxed) != 0 {
                    save!();
                    tri!(slow::interrupts(vm));
                }
            };
        }
        macro_rules! jump {
            ($d:expr) => {{
                let d: isize = $d as isize;
                pc = pc.offset(d);
                if d < 0 {
                    poll!();
                }
            }};
        }
        macro_rules! code {
            () => {
                &*(*(base.sub(frame::CODE) as *const *const Iseq))
            };
        }
        macro_rules! fast {
            () => {
                vm.redefined.get() == 0
            };
        }
        // lhs/rhs numbers: integer overflow and mixed operands go to the slow path.
        macro_rules! arith {
            ($ins:ident, $fix:expr, $flo:expr, $op:expr) => {{
                let (x, y) = (r!($ins.b()), r!($ins.c()));
                if Value::both_fixnum(x, y) {
                    let (v, over): (i64, bool) = $fix(x.bits() as i64, y.bits() as i64);
                    if !over && fast!() {
                        r!($ins.a()) = Value::from_bits(v as u64);
                        continue;
                    }
                } else if Value::both_flonum(x, y) && fast!() {
                    if let Some(v) = Value::try_flonum($flo(x.flo(), y.flo())) {
                        r!($ins.a()) = v;
                        continue;
                    }
                } else if let Some((f, g)) = Value::mixed(x, y)
                    && fast!()
                    && let Some(v) = Value::try_flonum($flo(f, g))
                {
                    r!($ins.a()) = v;
                    continue;
                }
                go!(slow::binop(vm, pc, base, $op))
            }};
        }
        macro_rules! compare {
            ($ins:ident, $test:tt, $op:expr) => {{
                let (x, y) = (r!($ins.b()), r!($ins.c()));
                if Value::both_fixnum(x, y) && fast!() {
                    r!($ins.a()) = Value::bool((x.bits() as i64) $test (y.bits() as i64));
                    continue;
                }
                if Value::both_flonum(x, y) && fast!() {
                    r!($ins.a()) = Value::bool(x.flo() $test y.flo());
                    continue;
                }
                go!(slow::binop(vm, pc, base, $op))
            }};
        }
        macro_rules! branch {
            ($ins:ident, $test:tt, $op:expr, $want:expr) => {{
                let (x, y) = (r!($ins.a()), r!($ins.b()));
                let yes = if Value::both_fixnum(x, y) && fast!() {
                    (x.bits() as i64) $test (y.bits() as i64)
                } else if Value::both_flonum(x, y) && fast!() {
                    x.flo() $test y.flo()
                } else if let Some((f, g)) = Value::mixed(x, y)
                    && fast!()
                {
                    f $test g
                } else {
                    save!();
                    tri!(slow::compare(vm, $op, x, y))
                };
                if yes == $want {
                    jump!($ins.simm_c());
                }
            }};
        }
        macro_rules! branch_int {
            ($ins:ident, $test:tt, $op:expr, $want:expr) => {{
                let x = r!($ins.a());
                let imm = $ins.simm_b();
                let yes = if x.is_fixnum() && fast!() {
                    (x.bits() as i64) $test (imm << 2 | 1)
                } else if x.is_flonum() && fast!() {
                    x.flo() $test imm as f64
                } else {
                    save!();
                    tri!(slow::compare(vm, $op, x, Value::fixnum(imm)))
                };
                if yes == $want {
                    jump!($ins.simm_c());
                }
            }};
        }
        macro_rules! bits {
            ($ins:ident, $f:expr, $op:expr) => {{
                let (x, y) = (r!($ins.b()), r!($ins.c()));
                if Value::both_fixnum(x, y) && fast!() {
                    r!($ins.a()) = Value::from_bits($f(x.bits(), y.bits()));
                    continue;
                }
                go!(slow::binop(vm, pc, base, $op))
            }};
        }
        // Address of an env record `level` scopes up.
        macro_rules! record {
            ($level:expr) => {{
                let level = $level;
                if level == 0 {
                    *(base.sub(frame::EP) as *const *mut Value)
                } else {
                    let mut rec = **(base.sub(frame::PARENT) as *const *const *mut Value);
                    for _ in 1..level {
                        rec = **(rec as *const *const *mut Value);
                    }
                    rec
                }
            }};
        }
        // Pushes a frame of `$code` at `$nb` whose arguments fit exactly.
        macro_rules! push {
            ($nb:expr, $code:expr, $me:expr, $block:expr, $parent:expr, $flags:expr, $argc:expr) => {{
                let nb: *mut Value = $nb;
                let code: *const Iseq = $code;
                if (nb as usize) + ((*code).nregs as usize + 2 * H) * 8 > ec.limit.get() as usize {
                    save!();
                    let _: Ruby<()> = Err(vm.stack_overflow());
                    go!(slow::raised(vm, pc, base));
                    continue;
                }
                let parent: u64 = $parent;
                let w = Window { base: nb, argc: $argc, kw: false, block: $block, ret: pc as u64, prev: base };
                write_header(&w, code, $me, parent, ($argc as u64) << 8 | $flags);
                vm.init_frame(&*code, nb, parent);
                base = nb;
                pc = (*code).code.as_ptr();
                poll!();
            }};
        }
        // Calls the native of a filled site. `$nb` has receiver and arguments.
        macro_rules! native {
            ($ins:ident, $nb:expr, $site:ident, $block:expr) => {{
                let nb: *mut Value = $nb;
                let argc = (*$site).argc as usize;
                let me = (*$site).me.get().map_or(0, |m| m.as_ptr() as u64);
                let w = Window { base: nb, argc, kw: false, block: $block, ret: pc as u64, prev: base };
                write_header(&w, std::ptr::null(), me, 0, (argc as u64) << 8 | frame::F_NATIVE);
                ec.fp.set(nb);
                ec.pc.set(pc);
                let f: Native = std::mem::transmute::<*const (), Native>((*$site).native.get());
                match f(vm, *nb, Args::new(nb, argc, false)) {
                    Ok(v) => r!($ins.a()) = v,
                    Err(_) => {
                        go!(slow::native_raised(vm, pc, base, nb));
                    }
                }
            }};
        }

        // The call of a site whose cache holds for the receiver at `$nb`; falls through when it does not.
        macro_rules! cached {
            ($ins:ident, $nb:ident, $site:ident, $block:expr) => {
                if (*$site).class.get() == vm.class_of(*$nb).as_ptr() as *mut Header {
                    match (*$site).kind.get() {
                        SiteKind::Code => {
                            let me = (*$site).me.get().map_or(0, |m| m.as_ptr() as u64);
                            push!($nb, (*$site).code.get(), me, $block, 0, 0, (*$site).argc as usize);
                            continue;
                        }
                        SiteKind::Native => {
                            native!($ins, $nb, $site, $block);
                            continue;
                        }
                        _ => {}
                    }
                }
            };
        }

        loop {
            let ins = *pc;
            pc = pc.add(1);
            match ins.op() {
                Op::Nop => {}
                Op::Move => r!(ins.a()) = r!(ins.b()),
                Op::LoadNil => r!(ins.a()) = NIL,
                Op::LoadTrue => r!(ins.a()) = TRUE,
                Op::LoadFalse => r!(ins.a()) = FALSE,
                Op::LoadInt => r!(ins.a()) = Value::fixnum(ins.imm32()),
                Op::LoadLit => r!(ins.a()) = *code!().lits.as_ptr().add(ins.imm32() as usize),
                Op::LoadStr => {
                    save!();
                    r!(ins.a()) = slow::load_str(vm, *code!().lits.as_ptr().add(ins.imm32() as usize));
                }

                Op::GetUp => r!(ins.a()) = *record!(ins.x()).add(2 + ins.b()),
                Op::SetUp => *record!(ins.x()).add(2 + ins.b()) = r!(ins.a()),
                Op::UpAdd => {
                    let slot = record!(ins.x()).add(2 + ins.b());
                    let (x, y) = (*slot, r!(ins.c()));
                    if Value::both_fixnum(x, y) && fast!() {
                        let (v, over) = (x.bits() as i64).overflowing_add(y.bits() as i64 - 1);
                        if !over {
                            let v = Value::from_bits(v as u64);
                            *slot = v;
                            r!(ins.a()) = v;
                            continue;
                        }
                    }
                    save!();
                    let v = tri!(slow::add_values(vm, x, y));
                    // The record may have moved meanwhile.
                    *record!(ins.x()).add(2 + ins.b()) = v;
                    r!(ins.a()) = v;
                }
                Op::UpAddInt => {
                    let slot = record!(ins.x()).add(2 + ins.b());
                    let x = *slot;
                    if x.is_fixnum() && fast!() {
                        let (v, over) = (x.bits() as i64).overflowing_add(ins.simm_c() << 2);
                        if !over {
                            let v = Value::from_bits(v as u64);
                            *slot = v;
                            r!(ins.a()) = v;
                            continue;
                        }
                    }
                    save!();
                    let v = tri!(slow::add_values(vm, x, Value::fixnum(ins.simm_c())));
                    *record!(ins.x()).add(2 + ins.b()) = v;
                    r!(ins.a()) = v;
                }

                Op::GetIvar => {
                    let this = *base;
                    let site = code!().ivars.as_ptr().add(ins.b());
                    if this.is_ptr() && (*(this.ptr() as *const Header)).shape.get() == (*site).shape.get() {
                        let o = this.ptr() as *const RObject;
                        r!(ins.a()) = (*(*o).slots.get().add((*site).slot.get() as usize)).get();
                    } else {
                        r!(ins.a()) = slow::get_ivar(vm, this, &*site);
                    }
                }
                Op::SetIvar => {
                    let this = *base;
                    let site = code!().ivars.as_ptr().add(ins.b());
                    let v = r!(ins.a());
                    if this.is_ptr() {
                        let h = this.ptr() as *const Header;
                        if (*h).shape.get() == (*site).shape.get() && !(*h).has(flags::FROZEN) {
                            let o = &*(this.ptr() as *const RObject);
                            let slot = (*site).slot.get();
                            let next = (*site).next.get();
                            if next == 0 || o.has_room(slot) {
                                crate::object::store(&o.h, o.slot(slot), v);
                                if next != 0 {
                                    (*h).shape.set(next);
                                }
                                continue;
                            }
                        }
                    }
                    save!();
                    tri!(slow::set_ivar(vm, this, &*site, v));
                }
                Op::GetGvar => {
                    save!();
                    r!(ins.a()) = tri!(slow::get_gvar(vm, *code!().lits.as_ptr().add(ins.imm32() as usize)));
                }
                Op::SetGvar => {
                    save!();
                    tri!(slow::set_gvar(vm, *code!().lits.as_ptr().add(ins.imm32() as usize), r!(ins.a())));
                }
                Op::GetCvar => {
                    save!();
                    r!(ins.a()) = tri!(slow::get_cvar(vm, *code!().lits.as_ptr().add(ins.imm32() as usize)));
                }
                Op::SetCvar => {
                    save!();
                    tri!(slow::set_cvar(vm, *code!().lits.as_ptr().add(ins.imm32() as usize), r!(ins.a())));
                }
                Op::GetConst => {
                    let site = &*code!().consts.as_ptr().add(ins.b());
                    if site.serial.get() == vm.const_serial.get()
                        && site.cref.get() == *(base.sub(frame::ME) as *const u64)
                    {
                        r!(ins.a()) = site.value.get();
                    } else {
                        save!();
                        r!(ins.a()) = tri!(slow::get_const(vm, site));
                    }
                }
                Op::GetConstFrom => {
                    save!();
                    let name = slow::lit_sym(code!().lits[ins.c()]);
                    r!(ins.a()) = tri!(slow::get_const_from(vm, r!(ins.b()), name));
                }
                Op::SetConst => {
                    save!();
                    let name = slow::lit_sym(code!().lits[ins.c()]);
                    tri!(slow::set_const(vm, ins.x(), r!(ins.b()), name, r!(ins.a())));
                }
                Op::GetMatch => {
                    save!();
                    r!(ins.a()) = tri!(slow::get_match(vm, ins.x(), ins.b()));
                }

                Op::NewArray => {
                    save!();
                    let n = ins.c();
                    r!(ins.a()) =
                        crate::object::RArray::from_slice(&vm, std::slice::from_raw_parts(base.add(ins.b()), n))
                            .value();
                }
                Op::ArrayPush => {
                    save!();
                    if let Some(a) = r!(ins.a()).as_array() {
                        a.push(&vm, r!(ins.b()))
                    }
                }
                Op::ArrayCat => {
                    save!();
                    tri!(slow::array_cat(vm, r!(ins.a()), r!(ins.b())));
                }
                Op::Splat => {
                    save!();
                    r!(ins.a()) = tri!(slow::splat_fresh(vm, r!(ins.b())));
                }
                Op::NewHash => {
                    save!();
                    r!(ins.a()) = tri!(slow::new_hash(vm, base.add(ins.b()), ins.c()));
                }
                Op::HashSet => {
                    save!();
                    tri!(slow::hash_set(vm, r!(ins.a()), r!(ins.b()), r!(ins.c())));
                }
                Op::HashCat => {
                    save!();
                    tri!(slow::hash_cat(vm, r!(ins.a()), r!(ins.b())));
                }
                Op::NewRange => {
                    save!();
                    r!(ins.a()) = tri!(slow::new_range(vm, r!(ins.b()), r!(ins.c()), ins.x() != 0));
                }
                Op::ToS => {
                    let v = r!(ins.b());
                    if v.is_type(ty::STRING) {
                        r!(ins.a()) = v;
                    } else {
                        save!();
                        r!(ins.a()) = tri!(slow::interpolate(vm, v));
                    }
                }
                Op::Concat => {
                    save!();
                    r!(ins.a()) = tri!(slow::concat(vm, std::slice::from_raw_parts(base.add(ins.b()), ins.c())));
                }
                Op::Intern => {
                    save!();
                    r!(ins.a()) = slow::intern(vm, r!(ins.b()));
                }
                Op::NewRegexp => {
                    save!();
                    r!(ins.a()) = tri!(slow::new_regexp(vm, r!(ins.b()), ins.x()));
                }
                Op::OnceGet => {
                    let v = code!().rest.once[ins.b()].get();
                    if !v.is_undef() {
                        r!(ins.a()) = v;
                        jump!(ins.simm_c());
                    }
                }
                Op::OnceSet => code!().rest.once[ins.b()].set(r!(ins.a())),
                Op::NewLambda => {
                    save!();
                    let child = code!().children[ins.b()];
                    r!(ins.a()) = vm.make_proc(child, Frame(base), true).value();
                }
                Op::BlockProc => {
                    save!();
                    r!(ins.a()) = slow::block_proc(vm, Frame(base));
                }
                Op::BlockGiven => r!(ins.a()) = Value::bool(*base.sub(frame::BLOCK) != NIL),

                Op::Jmp => jump!(ins.imm32()),
                Op::BrIf => {
                    if r!(ins.a()).truthy() {
                        jump!(ins.imm32());
                    }
                }
                Op::BrUnless => {
                    if !r!(ins.a()).truthy() {
                        jump!(ins.imm32());
                    }
                }
                Op::BrNil => {
                    if r!(ins.a()).is_nil() {
                        jump!(ins.imm32());
                    }
                }
                Op::BrGiven => {
                    if !r!(ins.a()).is_undef() {
                        jump!(ins.imm32());
                    }
                }
                Op::BrLt => branch!(ins, <, BinOp::Lt, true),
                Op::BrLe => branch!(ins, <=, BinOp::Le, true),
                Op::BrGt => branch!(ins, >, BinOp::Gt, true),
                Op::BrGe => branch!(ins, >=, BinOp::Ge, true),
                Op::BrEq => branch!(ins, ==, BinOp::Eq, true),
                Op::BrNotLt => branch!(ins, <, BinOp::Lt, false),
                Op::BrNotLe => branch!(ins, <=, BinOp::Le, false),
                Op::BrNotGt => branch!(ins, >, BinOp::Gt, false),
                Op::BrNotGe => branch!(ins, >=, BinOp::Ge, false),
                Op::BrNotEq => branch!(ins, ==, BinOp::Eq, false),
                Op::BrLtInt => branch_int!(ins, <, BinOp::Lt, true),
                Op::BrLeInt => branch_int!(ins, <=, BinOp::Le, true),
                Op::BrGtInt => branch_int!(ins, >, BinOp::Gt, true),
                Op::BrGeInt => branch_int!(ins, >=, BinOp::Ge, true),
                Op::BrEqInt => branch_int!(ins, ==, BinOp::Eq, true),
                Op::BrNotLtInt => branch_int!(ins, <, BinOp::Lt, false),
                Op::BrNotLeInt => branch_int!(ins, <=, BinOp::Le, false),
                Op::BrNotGtInt => branch_int!(ins, >, BinOp::Gt, false),
                Op::BrNotGeInt => branch_int!(ins, >=, BinOp::Ge, false),
                Op::BrNotEqInt => branch_int!(ins, ==, BinOp::Eq, false),

                Op::Add => arith!(ins, |x: i64, y: i64| x.overflowing_add(y - 1), |x: f64, y: f64| x + y, BinOp::Add),
                Op::Sub => arith!(ins, |x: i64, y: i64| x.overflowing_sub(y - 1), |x: f64, y: f64| x - y, BinOp::Sub),
                Op::Mul => arith!(
                    ins,
                    |x: i64, y: i64| {
                        let (p, over) = (x - 1).overflowing_mul(y >> 2);
                        (p.wrapping_add(1), over)
                    },
                    |x: f64, y: f64| x * y,
                    BinOp::Mul
                ),
                Op::Div => {
                    let (x, y) = (r!(ins.b()), r!(ins.c()));
                    if Value::both_fixnum(x, y) && fast!() {
                        let (n, d) = (x.fix(), y.fix());
                        if d != 0 && d != -1 {
                            let q = n / d;
                            r!(ins.a()) = Value::fixnum(if (n % d != 0) && ((n < 0) != (d < 0)) { q - 1 } else { q });
                            continue;
                        }
                    } else if Value::both_flonum(x, y)
                        && fast!()
                        && let Some(v) = Value::try_flonum(x.flo() / y.flo())
                    {
                        r!(ins.a()) = v;
                        continue;
                    }
                    go!(slow::binop(vm, pc, base, BinOp::Div))
                }
                Op::Mod => {
                    let (x, y) = (r!(ins.b()), r!(ins.c()));
                    if Value::both_fixnum(x, y) && fast!() {
                        let (n, d) = (x.fix(), y.fix());
                        if d != 0 && d != -1 {
                            let m = n % d;
                            r!(ins.a()) = Value::fixnum(if m != 0 && ((m < 0) != (d < 0)) { m + d } else { m });
                            continue;
                        }
                    }
                    go!(slow::binop(vm, pc, base, BinOp::Mod))
                }
                Op::AddInt => {
                    let x = r!(ins.b());
                    if x.is_fixnum() && fast!() {
                        let (v, over) = (x.bits() as i64).overflowing_add(ins.simm_c() << 2);
                        if !over {
                            r!(ins.a()) = Value::from_bits(v as u64);
                            continue;
                        }
                    }
                    if x.is_flonum()
                        && fast!()
                        && let Some(v) = Value::try_flonum(x.flo() + ins.simm_c() as f64)
                    {
                        r!(ins.a()) = v;
                        continue;
                    }
                    go!(slow::binop_int(vm, pc, base, BinOp::Add))
                }
                Op::SubInt => {
                    let x = r!(ins.b());
                    if x.is_fixnum() && fast!() {
                        let (v, over) = (x.bits() as i64).overflowing_sub(ins.simm_c() << 2);
                        if !over {
                            r!(ins.a()) = Value::from_bits(v as u64);
                            continue;
                        }
                    }
                    if x.is_flonum()
                        && fast!()
                        && let Some(v) = Value::try_flonum(x.flo() - ins.simm_c() as f64)
                    {
                        r!(ins.a()) = v;
                        continue;
                    }
                    go!(slow::binop_int(vm, pc, base, BinOp::Sub))
                }
                Op::Lt => compare!(ins, <, BinOp::Lt),
                Op::Le => compare!(ins, <=, BinOp::Le),
                Op::Gt => compare!(ins, >, BinOp::Gt),
                Op::Ge => compare!(ins, >=, BinOp::Ge),
                Op::Eq => compare!(ins, ==, BinOp::Eq),
                Op::Neq => compare!(ins, !=, BinOp::Neq),
                Op::BitAnd => bits!(ins, |x: u64, y: u64| x & y, BinOp::And),
                Op::BitOr => bits!(ins, |x: u64, y: u64| x | y, BinOp::Or),
                Op::BitXor => bits!(ins, |x: u64, y: u64| (x ^ y) | 1, BinOp::Xor),
                Op::Shl => {
                    let (x, y) = (r!(ins.b()), r!(ins.c()));
                    if Value::both_fixnum(x, y) && fast!() {
                        let (n, s) = (x.fix(), y.fix());
                        if (0..62).contains(&s)
                            && let Some(v) = Value::try_fixnum(n << s)
                            && v.fix() >> s == n
                        {
                            r!(ins.a()) = v;
                            continue;
                        }
                    } else if x.is_ptr() && vm.class_of(x) == vm.classes.array.get() && fast!() && !x.is_frozen() {
                        save!();
                        if let Some(a) = x.as_array() {
                            a.push(&vm, y);
                            r!(ins.a()) = x;
                            continue;
                        }
                    }
                    go!(slow::binop(vm, pc, base, BinOp::Shl))
                }
                Op::Shr => {
                    let (x, y) = (r!(ins.b()), r!(ins.c()));
                    if Value::both_fixnum(x, y) && fast!() && (0..64).contains(&y.fix()) {
                        r!(ins.a()) = Value::fixnum(x.fix() >> y.fix().min(63));
                        continue;
                    }
                    go!(slow::binop(vm, pc, base, BinOp::Shr))
                }
                Op::Neg => {
                    let x = r!(ins.b());
                    if x.bits() & 6 == 2 && fast!() {
                        // The sign is bit 3 of the rotated word.
                        r!(ins.a()) = Value::from_bits(x.bits() ^ 8);
                        continue;
                    }
                    if x.is_fixnum()
                        && fast!()
                        && let Some(v) = Value::try_fixnum(-x.fix())
                    {
                        r!(ins.a()) = v;
                        continue;
                    }
                    go!(slow::unop(vm, pc, base, crate::object::sym::NEG))
                }
                Op::Not => {
                    let x = r!(ins.b());
                    if !x.is_ptr() && fast!() {
                        r!(ins.a()) = Value::bool(!x.truthy());
                        continue;
                    }
                    go!(slow::unop(vm, pc, base, crate::object::sym::NOT))
                }
                Op::Aref => {
                    let (x, i) = (r!(ins.b()), r!(ins.c()));
                    if x.is_ptr() && fast!() {
                        let c = vm.class_of(x);
                        if c == vm.classes.array.get() {
                            if i.is_fixnum()
                                && let Some(a) = x.as_array()
                            {
                                r!(ins.a()) = a.get_signed(i.fix());
                                continue;
                            }
                        } else if c == vm.classes.hash.get() {
                            save!();
                            if let Some(v) = tri!(slow::hash_aref(vm, x, i)) {
                                r!(ins.a()) = v;
                                continue;
                            }
                        }
                    }
                    go!(slow::binop(vm, pc, base, BinOp::Aref))
                }
                Op::ArefInt => {
                    let x = r!(ins.b());
                    if x.is_ptr() && fast!() {
                        let c = vm.class_of(x);
                        if c == vm.classes.array.get() {
                            if let Some(a) = x.as_array() {
                                r!(ins.a()) = a.get_signed(ins.simm_c());
                                continue;
                            }
                        } else if c == vm.classes.hash.get() {
                            save!();
                            if let Some(v) = tri!(slow::hash_aref(vm, x, Value::fixnum(ins.simm_c()))) {
                                r!(ins.a()) = v;
                                continue;
                            }
                        }
                    }
                    go!(slow::binop_int(vm, pc, base, BinOp::Aref))
                }
                Op::Aset => {
                    let (x, i) = (r!(ins.a()), r!(ins.b()));
                    if x.is_ptr()
                        && i.is_fixnum()
                        && fast!()
                        && vm.class_of(x) == vm.classes.array.get()
                        && !x.is_frozen()
                        && let Some(a) = x.as_array()
                        && (i.fix() as u64) < a.len() as u64
                    {
                        a.set(i.fix() as usize, r!(ins.c()));
                        continue;
                    }
                    save!();
                    tri!(slow::aset(vm, x, i, r!(ins.c())));
                }
                Op::CaseEq => {
                    save!();
                    r!(ins.a()) = Value::bool(tri!(slow::case_eq(vm, ins.x() != 0, r!(ins.b()), r!(ins.c()))));
                }

                Op::Send => {
                    let nb = base.add(ins.b() + H);
                    let site: *const Site = code!().sites.as_ptr().add(ins.c());
                    cached!(ins, nb, site, NIL);
                    go!(slow::send(vm, pc, base))
                }
                Op::SendSelf => {
                    let nb = base.add(ins.b() + H);
                    *nb = *base;
                    let site: *const Site = code!().sites.as_ptr().add(ins.c());
                    cached!(ins, nb, site, NIL);
                    go!(slow::send(vm, pc, base))
                }
                Op::Send0 => {
                    let nb = base.add(code!().nregs as usize + H);
                    // Within the frame's room: a push checks for two more headers.
                    *nb = r!(ins.b());
                    let site: *const Site = code!().sites.as_ptr().add(ins.c());
                    cached!(ins, nb, site, NIL);
                    go!(slow::send(vm, pc, base))
                }
                Op::SendBlk => {
                    let nb = base.add(ins.b() + H);
                    let site: *const Site = code!().sites.as_ptr().add(ins.c());
                    let pair = nb.sub(frame::CAPTURED_CODE) as *mut u64;
                    *pair = (*site).block as u64;
                    *pair.add(1) = base as u64;
                    let block = Value::from_bits(pair as u64 | 7);
                    cached!(ins, nb, site, block);
                    go!(slow::send_with(vm, pc, base, block))
                }
                Op::SendX => go!(slow::send_any(vm, pc, base)),
                Op::Super => go!(slow::super_(vm, pc, base)),
                Op::Yield => {
                    let nb = base.add(ins.b() + H);
                    let word = *base.sub(frame::BLOCK);
                    let argc = ins.c();
                    if word.bits() & 7 == 7 {
                        let at = (word.bits() & !7) as *const u64;
                        let code = *at as *const Iseq;
                        if (*code).simple == argc as i32 {
                            let home = Frame(*at.add(1) as *mut Value);
                            *nb = home.this();
                            push!(
                                nb,
                                code,
                                home.word(frame::ME),
                                home.block_word(),
                                home.holder() as u64,
                                frame::F_BLOCK,
                                argc
                            );
                            continue;
                        }
                    }
                    go!(slow::yield_(vm, pc, base, argc))
                }
                Op::YieldX => go!(slow::yield_any(vm, pc, base)),
                Op::Return => {
                    let v = r!(ins.a());
                    let ret = *(base.sub(frame::RET) as *const u64);
                    if ret & frame::RET_TAG == 0 {
                        base = *(base.sub(frame::PREV) as *const *mut Value);
                        pc = ret as *const Ins;
                        r!((*pc.sub(1)).a()) = v;
                    } else {
                        go!(slow::return_tagged(vm, base, v));
                    }
                }
                Op::ReturnEnv => {
                    let v = r!(ins.a());
                    vm.detach(Frame(base));
                    let ret = *(base.sub(frame::RET) as *const u64);
                    if ret & frame::RET_TAG == 0 {
                        base = *(base.sub(frame::PREV) as *const *mut Value);
                        pc = ret as *const Ins;
                        r!((*pc.sub(1)).a()) = v;
                    } else {
                        go!(slow::return_tagged(vm, base, v));
                    }
                }
                Op::ReturnFar => go!(slow::return_far(vm, pc, base, r!(ins.a()))),
                Op::Break => go!(slow::break_(vm, pc, base, r!(ins.a()))),

                Op::GetErr => r!(ins.a()) = ec.errinfo.get(),
                Op::SetErr => ec.errinfo.set(r!(ins.a())),
                Op::Rethrow => go!(slow::rethrow(vm, pc, base, r!(ins.a()))),
                Op::RescueMatch => {
                    save!();
                    r!(ins.a()) = Value::bool(tri!(slow::rescue_match(vm, ins.x() != 0, r!(ins.b()), r!(ins.c()))));
                }

                Op::Expand => {
                    save!();
                    let counts = ins.c();
                    tri!(slow::expand(
                        vm,
                        base.add(ins.a()),
                        r!(ins.b()),
                        counts & 0xff,
                        ins.x() & 1 != 0,
                        counts >> 8
                    ));
                }
                Op::ArrayLen => r!(ins.a()) = Value::fixnum(r!(ins.b()).as_array().map_or(0, |a| a.len() as i64)),
                Op::ArrayAt => {
                    r!(ins.a()) = r!(ins.b()).as_array().map_or(NIL, |a| a.get_signed(ins.simm_c()));
                }
                Op::ArrayMid => {
                    save!();
                    r!(ins.a()) = slow::array_mid(vm, r!(ins.b()), ins.c() & 0xff, ins.c() >> 8);
                }
                Op::Deconstruct => {
                    save!();
                    r!(ins.a()) = tri!(slow::deconstruct(vm, r!(ins.b())));
                }
                Op::DeconstructKeys => {
                    save!();
                    r!(ins.a()) = tri!(slow::deconstruct_keys(vm, r!(ins.b()), r!(ins.c()), ins.x() != 0));
                }
                Op::HashFetch => {
                    save!();
                    let key = code!().lits[ins.c()];
                    r!(ins.a()) = tri!(slow::hash_fetch(vm, r!(ins.b()), key, ins.x() != 0));
                }
                Op::HashEmpty => r!(ins.a()) = Value::bool(r!(ins.b()).as_hash().is_none_or(|h| h.is_empty())),
                Op::NoMatch => {
                    save!();
                    let _ = slow::no_match(vm, r!(ins.a()), ins.x() != 0);
                    go!(slow::raised(vm, pc, base));
                }

                Op::DefMethod => {
                    save!();
                    let name = slow::lit_sym(code!().lits[ins.b()]);
                    r!(ins.a()) = tri!(slow::def_method(vm, Frame(base), name, code!().children[ins.c()]));
                }
                Op::DefSingleton => {
                    save!();
                    r!(ins.a()) = tri!(slow::def_singleton(vm, Frame(base), r!(ins.b()), code!().children[ins.c()]));
                }
                Op::DefClass => go!(slow::def_class(vm, pc, base)),
                Op::Alias => {
                    save!();
                    tri!(slow::alias(vm, Frame(base), r!(ins.a()), r!(ins.b())));
                }
                Op::AliasGvar => {
                    let (new, old) = (slow::lit_sym(code!().lits[ins.b()]), slow::lit_sym(code!().lits[ins.c()]));
                    vm.gvar_alias(new, old);
                }
                Op::Undef => {
                    save!();
                    tri!(slow::undef(vm, Frame(base), r!(ins.a())));
                }
                Op::Defined => {
                    save!();
                    let name = code!().lits[ins.c()];
                    r!(ins.a()) = Value::bool(tri!(slow::defined(vm, Frame(base), ins.x(), r!(ins.b()), name)));
                }
                Op::AtExit => {
                    save!();
                    if let Some(f) = vm.hooks.at_exit.get() {
                        f(vm, r!(ins.a()))
                    }
                }
                Op::PreludeIs => {
                    let v = r!(ins.b());
                    r!(ins.a()) = Value::bool(if ins.x() == 0 { v.is_fixnum() } else { v.is_type(ty::ARRAY) });
                }
                Op::ArrayGet => {
                    r!(ins.a()) = match (r!(ins.b()).as_array(), r!(ins.c()).as_fixnum()) {
                        (Some(a), Some(i)) => a.get_signed(i),
                        _ => NIL,
                    };
                }
                Op::GetLine => {
                    save!();
                    r!(ins.a()) = vm.last_line();
                }
                Op::SetLine => {
                    save!();
                    vm.set_last_line(r!(ins.a()));
                }
                Op::SetMatch => {
                    save!();
                    tri!(slow::set_match(vm, r!(ins.a())));
                }
                Op::NoMatchWhy => {
                    save!();
                    let lit = if ins.x() == crate::bytecode::op::NoMatchKind::Key as u8 {
                        code!().lits[ins.c()]
                    } else if ins.x() == crate::bytecode::op::NoMatchKind::Value as u8 {
                        r!(ins.c())
                    } else {
                        Value::fixnum(ins.c() as i64)
                    };
                    let _ = slow::no_match_why(vm, ins.x(), r!(ins.a()), r!(ins.b()), lit);
                    go!(slow::raised(vm, pc, base));
                }
                Op::DupArray => {
                    save!();
                    let lit = code!().lits[ins.imm32() as usize];
                    if let Some(a) = lit.as_array() {
                        r!(ins.a()) = crate::object::RArray::from_slice(&vm, a.slice()).value();
                    }
                }
                Op::DupHash => {
                    save!();
                    let lit = code!().lits[ins.imm32() as usize];
                    if let Some(from) = lit.as_hash() {
                        let h = crate::object::RHash::new(&vm);
                        h.copy_from(&vm, from);
                        r!(ins.a()) = h.value();
                    }
                }
                Op::BrIs => {
                    let lit = code!().lits[ins.b()];
                    let yes = if fast!() {
                        r!(ins.a()) == lit
                    } else {
                        save!();
                        tri!(slow::case_eq(vm, false, lit, r!(ins.a())))
                    };
                    if yes {
                        jump!(ins.simm_c());
                    }
                }
                Op::BrIsNot => {
                    let lit = code!().lits[ins.b()];
                    let yes = if fast!() {
                        r!(ins.a()) == lit
                    } else {
                        save!();
                        tri!(slow::case_eq(vm, false, lit, r!(ins.a())))
                    };
                    if !yes {
                        jump!(ins.simm_c());
                    }
                }
                Op::MutexLock => {
                    save!();
                    tri!(vm.mutex_lock(r!(ins.a())));
                }
                Op::MutexUnlock => {
                    save!();
                    tri!(vm.mutex_unlock(r!(ins.a())));
                }
            }
        }
    }
}

/// The native stack pointer, roughly.
#[inline(always)]
pub fn stack_pointer() -> usize {
    let sp: usize;
    // SAFETY: reads a register.
    unsafe { std::arch::asm!("mov {}, rsp", out(reg) sp, options(nomem, nostack, preserves_flags)) };
    sp
}
