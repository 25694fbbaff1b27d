//! Operators on operands the fast paths do not cover.

use super::call::{proceed, spare_window};
use super::raised;
use crate::bytecode::op::Ins;
use crate::object::sym;
use crate::value::{Ruby, Sym, Value};
use crate::vm::Vm;
use crate::vm::arith::{ArithOp, num_op};
use crate::vm::exec::At;
use crate::vm::frame::Frame;

/// Binary operators with an opcode of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Neq,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    Aref,
}

impl BinOp {
    fn name(self) -> Sym {
        match self {
            BinOp::Add => sym::PLUS,
            BinOp::Sub => sym::MINUS,
            BinOp::Mul => sym::MUL,
            BinOp::Div => sym::DIV,
            BinOp::Mod => sym::MOD,
            BinOp::Lt => sym::LT,
            BinOp::Le => sym::LE,
            BinOp::Gt => sym::GT,
            BinOp::Ge => sym::GE,
            BinOp::Eq => sym::EQ,
            BinOp::Neq => sym::NEQ,
            BinOp::And => sym::AND,
            BinOp::Or => sym::OR,
            BinOp::Xor => sym::XOR,
            BinOp::Shl => sym::SHL,
            BinOp::Shr => sym::SHR,
            BinOp::Aref => sym::AREF,
        }
    }
    fn arith(self) -> Option<ArithOp> {
        Some(match self {
            BinOp::Add => ArithOp::Add,
            BinOp::Sub => ArithOp::Sub,
            BinOp::Mul => ArithOp::Mul,
            BinOp::Div => ArithOp::Div,
            BinOp::Mod => ArithOp::Mod,
            BinOp::Lt => ArithOp::Lt,
            BinOp::Le => ArithOp::Le,
            BinOp::Gt => ArithOp::Gt,
            BinOp::Ge => ArithOp::Ge,
            BinOp::Eq => ArithOp::Eq,
            BinOp::And => ArithOp::And,
            BinOp::Or => ArithOp::Or,
            BinOp::Xor => ArithOp::Xor,
            BinOp::Shl => ArithOp::Shl,
            BinOp::Shr => ArithOp::Shr,
            BinOp::Neq | BinOp::Aref => return None,
        })
    }
}

/// The result if both operands are of core kinds whose operators nobody changed.
fn core(vm: Vm, op: BinOp, x: Value, y: Value) -> Option<Ruby> {
    if vm.redefined.get() != 0 {
        return None;
    }
    if let Some(a) = op.arith()
        && let Some(r) = num_op(vm, a, x, y)
    {
        return Some(r);
    }
    match op {
        BinOp::Eq | BinOp::Neq => {
            let same = if !x.is_ptr() && !x.is_flonum() && !x.is_fixnum() {
                x == y
            } else if let (Some(a), Some(b)) = (x.as_str(), y.as_str()) {
                vm.str_eq(a, b)
            } else if op == BinOp::Neq
                && let Some(r) = num_op(vm, ArithOp::Eq, x, y)
            {
                match r {
                    Ok(v) => v.truthy(),
                    Err(e) => return Some(Err(e)),
                }
            } else {
                return None;
            };
            Some(Ok(Value::bool(same == (op == BinOp::Eq))))
        }
        _ => None,
    }
}

fn binop_values(vm: Vm, pc: *const Ins, base: *mut Value, op: BinOp, x: Value, y: Value) -> At {
    vm.ec().fp.set(base);
    vm.ec().pc.set(pc);
    match core(vm, op, x, y) {
        Some(Ok(v)) => {
            // SAFETY: the instruction's result register.
            unsafe { *base.add((*pc.sub(1)).a()) = v };
            At { pc, base }
        }
        Some(Err(_)) => raised(vm, pc, base),
        None => operator(vm, pc, base, op.name(), x, &[y]),
    }
}

/// Calls an operator method in a frame of its own.
fn operator(vm: Vm, pc: *const Ins, base: *mut Value, name: Sym, x: Value, args: &[Value]) -> At {
    let w = match spare_window(vm, pc, base, x, args) {
        Ok(w) => w,
        Err(_) => return raised(vm, pc, base),
    };
    let found = match vm.refined.get() {
        true => vm.refined_method(Frame(base).cref(), vm.class_of(x), name),
        false => None,
    };
    let e = match found.or_else(|| vm.find_method(vm.class_of(x), name)) {
        Some(me) if me.visibility == crate::object::Visibility::Public || x == Frame(base).this() => vm.enter(me, w),
        Some(_) => vm.method_missing(x, name, w, crate::vm::call::MissingReason::Private),
        None => vm.method_missing(x, name, w, crate::vm::call::MissingReason::NoMethod),
    };
    proceed(vm, pc, base, &w, e)
}

#[inline(never)]
pub fn binop(vm: Vm, pc: *const Ins, base: *mut Value, op: BinOp) -> At {
    // SAFETY: the instruction before `pc` has two operand registers.
    let (x, y) = unsafe {
        let ins = *pc.sub(1);
        (*base.add(ins.b()), *base.add(ins.c()))
    };
    binop_values(vm, pc, base, op, x, y)
}

#[inline(never)]
pub fn binop_int(vm: Vm, pc: *const Ins, base: *mut Value, op: BinOp) -> At {
    // SAFETY: the instruction before `pc` has one operand register and an immediate.
    let (x, y) = unsafe {
        let ins = *pc.sub(1);
        (*base.add(ins.b()), Value::fixnum(ins.simm_c()))
    };
    binop_values(vm, pc, base, op, x, y)
}

#[cold]
#[inline(never)]
pub fn unop(vm: Vm, pc: *const Ins, base: *mut Value, name: Sym) -> At {
    // SAFETY: the instruction before `pc` has an operand register.
    let x = unsafe { *base.add((*pc.sub(1)).b()) };
    vm.ec().fp.set(base);
    vm.ec().pc.set(pc);
    if vm.redefined.get() == 0
        && name == sym::NOT
        && vm.find_method(vm.class_of(x), name).is_some_and(|m| m.owner == vm.classes.basic_object.get())
    {
        // SAFETY: the result register.
        unsafe { *base.add((*pc.sub(1)).a()) = Value::bool(!x.truthy()) };
        return At { pc, base };
    }
    operator(vm, pc, base, name, x, &[])
}

/// The test of a compare-and-branch.
#[inline(never)]
pub fn compare(vm: Vm, op: BinOp, x: Value, y: Value) -> Ruby<bool> {
    match core(vm, op, x, y) {
        Some(r) => r.map(Value::truthy),
        None => Ok(vm.send_public(x, op.name(), &[y])?.truthy()),
    }
}

/// `x + y` for fused ops.
#[inline(never)]
pub fn add_values(vm: Vm, x: Value, y: Value) -> Ruby {
    match core(vm, BinOp::Add, x, y) {
        Some(r) => r,
        None => vm.send_public(x, sym::PLUS, &[y]),
    }
}
