//! Readable listings of code objects (`--dump=insns`) and the manual of the instruction set (`--ops`).
//!
//! Both are made from `op::TABLE`; no opcode is named here.

use super::check::read;
use super::op::{Field, Ins, Kind, TABLE};
use super::proto::*;
use crate::syntax::ast::Bytes;
use std::fmt::Write;

/// A code object and its children as text.
pub fn disasm(p: &Proto) -> String {
    let mut out = String::new();
    listing(p, &mut out);
    out
}

/// The instruction set: one line per opcode with its operands, and what it does.
pub fn manual() -> String {
    let mut out =
        String::from("An instruction is 64 bits: op:8 x:8 a:16 b:16 c:16. Registers are relative to the frame.\n\n");
    for (i, row) in TABLE.iter().enumerate() {
        let args: Vec<String> = row.args.iter().map(|(n, f, k)| format!("{n}={}:{k:?}", field(*f))).collect();
        let _ = writeln!(out, "{i:3} {} {}\n      {}", row.name, args.join(" "), row.doc.trim());
    }
    out
}

fn field(f: Field) -> &'static str {
    match f {
        Field::X => "x",
        Field::A => "a",
        Field::B => "b",
        Field::C => "c",
        Field::BC => "bc",
    }
}

fn listing(p: &Proto, out: &mut String) {
    let _ = writeln!(out, "== {:?} {} ({}:{}) regs={} locals={}", p.kind, p.name, p.file, p.line, p.nregs, p.nlocals);
    header(p, out);
    let mut line = 0;
    for (pc, ins) in p.code.iter().enumerate() {
        let now = line_at(p, pc as u32);
        let mark = if now != line { format!("{now:5}") } else { "     ".into() };
        line = now;
        let _ = writeln!(out, "{mark} {pc:4} {}", instruction(p, pc, *ins));
    }
    for c in &p.catch {
        let _ = writeln!(out, "      catch {:?} {}..{} -> {} r{}", c.kind, c.start, c.end, c.handler, c.reg);
    }
    out.push('\n');
    for c in &p.children {
        listing(c, out);
    }
}

fn header(p: &Proto, out: &mut String) {
    if !p.locals.is_empty() {
        let names: Vec<String> = p
            .locals
            .iter()
            .map(|l| match l.place {
                Place::Reg(r) => format!("{}=r{r}", l.name),
                Place::Env(v) => format!("{}=e{v}", l.name),
            })
            .collect();
        let _ = writeln!(out, "   locals {}", names.join(" "));
    }
    if let Some(e) = p.env {
        let _ = writeln!(out, "   env r{} vars={}", e.reg, e.vars);
    }
    let q = &p.params;
    if *q != ParamsProto::default() {
        let _ = write!(out, "   params required={} post={}", q.required, q.post);
        if !q.opt_entries.is_empty() {
            let _ = write!(out, " optional={:?}", q.opt_entries);
        }
        for (on, word) in [
            (q.rest, "rest"),
            (q.kwrest, "kwrest"),
            (q.no_keywords, "no_keywords"),
            (q.block, "block"),
            (q.anon_block, "anon_block"),
            (q.excess_comma, "excess_comma"),
            (q.forward_all, "forward_all"),
        ] {
            if on {
                let _ = write!(out, " {word}");
            }
        }
        for k in &q.keywords {
            let _ = write!(out, " {}:{}", k.name, if k.required { "" } else { "?" });
        }
        for (r, v) in &q.captured {
            let _ = write!(out, " r{r}->e{v}");
        }
        out.push('\n');
    }
    if p.svar_match.is_some() || p.svar_line.is_some() {
        let _ = writeln!(out, "   svars match={:?} line={:?}", p.svar_match, p.svar_line);
    }
}

/// The line of an instruction.
pub fn line_at(p: &Proto, pc: u32) -> u32 {
    match p.lines.partition_point(|l| l.0 <= pc) {
        0 => p.line,
        n => p.lines[n - 1].1,
    }
}

/// One instruction, operands explained.
pub fn instruction(p: &Proto, pc: usize, ins: Ins) -> String {
    if ins.checked_op().is_none() {
        return format!("?? {:#018x}", ins.0);
    }
    let info = ins.info();
    let mut out = format!("{:<11}", info.name);
    for &(name, field, kind) in info.args {
        let v = read(ins, field, kind);
        let i = v as usize;
        let _ = match kind {
            Kind::Reg => write!(out, " r{v}"),
            Kind::Window => write!(out, " w{v}"),
            Kind::X | Kind::Count => write!(out, " {name}={v}"),
            Kind::Imm16 | Kind::Imm32 => write!(out, " {v}"),
            Kind::Jump16 | Kind::Jump32 => write!(out, " ->{}", pc as i64 + 1 + v),
            Kind::Lit16 | Kind::Lit32 => match p.lits.get(i) {
                Some(l) => write!(out, " {}", literal(l)),
                None => write!(out, " lit{v}"),
            },
            Kind::Site => match p.sites.get(i) {
                Some(s) => write!(out, " {}", site(s)),
                None => write!(out, " site{v}"),
            },
            Kind::Ivar => write!(out, " {}", p.ivars.get(i).map_or("?", |n| n)),
            Kind::Const => match p.consts.get(i) {
                Some(c) => write!(out, " {}{}", if c.top { "::" } else { "" }, c.path.join("::")),
                None => write!(out, " const{v}"),
            },
            Kind::Child => match p.children.get(i) {
                Some(c) => write!(out, " <{}>", c.name),
                None => write!(out, " child{v}"),
            },
            Kind::Class => match p.classes.get(i) {
                Some(c) => write!(out, " {:?} {}", c.what, c.name),
                None => write!(out, " class{v}"),
            },
            Kind::Env => write!(out, " e{v}"),
            Kind::Once => write!(out, " once{v}"),
        };
    }
    out
}

fn site(s: &SiteProto) -> String {
    let mut out = format!(".{}/{}", s.name, s.argc);
    for (bit, word) in [
        (site_flags::SPLAT, "splat"),
        (site_flags::KWARGS, "kwargs"),
        (site_flags::BLOCK_ARG, "block_arg"),
        (site_flags::FCALL, "fcall"),
        (site_flags::VCALL, "vcall"),
        (site_flags::ZSUPER, "zsuper"),
        (site_flags::BLOCK_PASS, "block_pass"),
    ] {
        if s.flags & bit != 0 {
            let _ = write!(out, " {word}");
        }
    }
    if let Some(b) = s.block {
        let _ = write!(out, " block={b}");
    }
    out
}

fn literal(l: &Lit) -> String {
    match l {
        Lit::Int(i) => i.to_string(),
        Lit::BigInt(s) => s.to_string(),
        Lit::Float(f) => format!("{f:?}"),
        Lit::Rational(a, b) => format!("({a}/{b})"),
        Lit::Imaginary(x) => format!("{}i", literal(x)),
        Lit::Sym(b) => format!(":{}", text(b)),
        Lit::Str(b) => format!("{:?}", text(b)),
        Lit::Regexp(b, flags) => format!("/{}/{flags}", text(b)),
        Lit::Range(a, b, excl) => {
            let side = |x: &Option<Box<Lit>>| x.as_ref().map_or(String::new(), |l| literal(l));
            format!("{}{}{}", side(a), if *excl { "..." } else { ".." }, side(b))
        }
        Lit::Nil => "nil".into(),
        Lit::True => "true".into(),
        Lit::False => "false".into(),
        Lit::SourceEncoding => "<source encoding>".into(),
        Lit::Array(v) => format!("[{}]", v.iter().map(literal).collect::<Vec<_>>().join(", ")),
        Lit::Hash(v) => {
            let pairs: Vec<_> = v.iter().map(|(k, v)| format!("{} => {}", literal(k), literal(v))).collect();
            format!("{{{}}}", pairs.join(", "))
        }
    }
}

fn text(b: &Bytes) -> String {
    String::from_utf8_lossy(&b.bytes).into_owned()
}
