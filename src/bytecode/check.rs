//! Verifies a code object before anything runs it: every operand in range, every jump to an instruction, no way off
//! the end. Used by tests and by debug builds of the compiler.

use super::op::{Field, HEADER, Ins, Kind, Op, TABLE};
use super::proto::{ClassWhat, Proto};

/// What is wrong, with the name of the code object and the pc.
pub type Fault = String;

/// Checks `p` and its children.
pub fn check(p: &Proto) -> Result<(), Fault> {
    Checker { p }.run().map_err(|e| format!("{}: {e}", p.name))?;
    p.children.iter().try_for_each(check)
}

struct Checker<'a> {
    p: &'a Proto,
}

impl Checker<'_> {
    fn run(&self) -> Result<(), Fault> {
        let p = self.p;
        let Some(last) = p.code.last() else { return Err("no code".into()) };
        let end = p.code.len() as u32;
        for (pc, ins) in p.code.iter().enumerate() {
            self.ins(pc, *ins).map_err(|e| format!("{pc}: {e}"))?;
        }
        if !matches!(
            last.op(),
            Op::Jmp
                | Op::Return
                | Op::ReturnEnv
                | Op::ReturnFar
                | Op::Break
                | Op::Rethrow
                | Op::NoMatch
                | Op::NoMatchWhy
        ) {
            return Err(format!("runs off the end after {}", last.info().name));
        }
        for c in &p.catch {
            if c.start >= c.end || c.end > end || c.handler >= end || c.reg >= p.nregs {
                return Err(format!("bad catch entry {c:?}"));
            }
        }
        if p.lines.windows(2).any(|w| w[0].0 >= w[1].0) {
            return Err("lines out of order".into());
        }
        if p.params.opt_entries.iter().any(|&e| e >= end) {
            return Err("optional argument entry out of range".into());
        }
        if p.nlocals > p.nregs || p.env.is_some_and(|e| e.reg < p.nlocals) {
            return Err("registers overlap".into());
        }
        for &(reg, var) in &p.params.captured {
            if reg >= p.nlocals || p.env.is_none_or(|e| var >= e.vars) {
                return Err(format!("bad captured parameter {reg} -> {var}"));
            }
        }
        if p.env.is_none() && p.code.iter().any(|i| i.op() == Op::ReturnEnv) {
            return Err("ReturnEnv without an env record".into());
        }
        Ok(())
    }

    fn ins(&self, pc: usize, ins: Ins) -> Result<(), Fault> {
        let p = self.p;
        if ins.checked_op().is_none() {
            return Err(format!("no such opcode {}", ins.0 as u8));
        }
        let info = &TABLE[ins.0 as u8 as usize];
        for &(name, field, kind) in info.args {
            let value = read(ins, field, kind);
            let limit = match kind {
                Kind::Reg => p.nregs as i64,
                Kind::Window => (p.nregs as i64) - HEADER as i64,
                Kind::X | Kind::Count | Kind::Imm16 | Kind::Imm32 => continue,
                Kind::Jump16 | Kind::Jump32 => {
                    let to = pc as i64 + 1 + value;
                    if to < 0 || to >= p.code.len() as i64 {
                        return Err(format!("{} jumps to {to}", info.name));
                    }
                    continue;
                }
                Kind::Lit16 | Kind::Lit32 => p.lits.len() as i64,
                Kind::Site => p.sites.len() as i64,
                Kind::Ivar => p.ivars.len() as i64,
                Kind::Const => p.consts.len() as i64,
                Kind::Child => p.children.len() as i64,
                Kind::Class => p.classes.len() as i64,
                Kind::Env => match ins.x() {
                    0 => p.env.map_or(0, |e| e.vars) as i64,
                    _ => continue,
                },
                Kind::Once => p.once_slots as i64,
            };
            if value < 0 || value >= limit {
                return Err(format!("{} {name}={value}, limit {limit}", info.name));
            }
        }
        self.spans(ins)
    }

    /// Operands that stand for several registers.
    fn spans(&self, ins: Ins) -> Result<(), Fault> {
        let p = self.p;
        let end = match ins.op() {
            Op::Send | Op::SendSelf | Op::SendBlk | Op::SendX | Op::Super | Op::YieldX => {
                let site = &p.sites[ins.c()];
                if site.block.is_some_and(|b| b as usize >= p.children.len()) {
                    return Err("block out of range".into());
                }
                if site.block.is_some() && p.env.is_none() {
                    return Err("a block without an env record around it".into());
                }
                use super::proto::site_flags as f;
                let extra = (site.flags & f::KWARGS != 0) as usize + (site.flags & f::BLOCK_ARG != 0) as usize;
                ins.b() + HEADER as usize + 1 + site.argc as usize + extra
            }
            Op::Send0 => {
                let site = &p.sites[ins.c()];
                if site.argc != 0 || site.flags != 0 || site.block.is_some() {
                    return Err("Send0 with arguments".into());
                }
                0
            }
            Op::Yield => ins.b() + HEADER as usize + 1 + ins.c(),
            Op::NewArray | Op::Concat => ins.b() + ins.c(),
            Op::NewHash => ins.b() + 2 * ins.c(),
            Op::Expand => ins.a() + (ins.c() & 255) + (ins.c() >> 8) + (ins.x() & 1) as usize,
            Op::DefClass => {
                let c = &p.classes[ins.c()];
                if c.child as usize >= p.children.len() || (c.what == ClassWhat::Singleton && !c.has_scope) {
                    return Err("bad class definition".into());
                }
                ins.b() + 2
            }
            Op::NewLambda if p.env.is_none() => return Err("a lambda without an env record around it".into()),
            _ => 0,
        };
        if end > p.nregs as usize {
            return Err(format!("{} needs {end} registers of {}", ins.info().name, p.nregs));
        }
        Ok(())
    }
}

/// The operand in a field.
pub fn read(ins: Ins, field: Field, kind: Kind) -> i64 {
    match (field, kind) {
        (Field::X, _) => ins.x() as i64,
        (Field::A, _) => ins.a() as i64,
        (Field::B, Kind::Imm16 | Kind::Jump16) => ins.simm_b(),
        (Field::B, _) => ins.b() as i64,
        (Field::C, Kind::Imm16 | Kind::Jump16) => ins.simm_c(),
        (Field::C, _) => ins.c() as i64,
        (Field::BC, _) => ins.imm32(),
    }
}
