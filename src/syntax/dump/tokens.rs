//! The token stream as text.

use super::text;
use crate::ast::Bytes;
use crate::lexer::Lexer;
use crate::token::{Number, Piece, Resolved, Tok};
use crate::{ParseOptions, Source};

/// One token a line: `line:column`, its kind, what it holds. A lexical error ends the list.
pub fn dump_tokens(source: &Source, options: &ParseOptions) -> String {
    let mut lexer = Lexer::new(source, options);
    let mut out = String::new();
    for (start, tok, _) in lexer.by_ref().map_while(Result::ok) {
        let place = format!("{}:{}", source.line_of(start), source.column_of(start));
        out.push_str(format!("{place:<7} {:<12} {}", tok.variant(), payload(&tok)).trim_end());
        out.push('\n');
    }
    if let Some(fault) = &lexer.fault {
        out.push_str(&format!("{}:{}: {}\n", fault.line, fault.column, fault.message));
    }
    out
}

fn payload(tok: &Tok) -> String {
    match tok {
        Tok::Ident(ident) | Tok::Label(ident) => {
            let mark = match ident.resolved {
                Resolved::Call => "",
                Resolved::Local => " local",
                Resolved::It => " it",
                Resolved::Numbered => " numbered",
            };
            format!("{}{mark}", ident.name)
        }
        Tok::Const(name)
        | Tok::Fid(name)
        | Tok::OpName(name)
        | Tok::FName(name)
        | Tok::Symbol(name)
        | Tok::Gvar(name)
        | Tok::Ivar(name)
        | Tok::Cvar(name)
        | Tok::OpAsgn(name) => name.to_string(),
        Tok::NthRef(number) => number.to_string(),
        Tok::BackRef(byte) => (*byte as char).to_string(),
        Tok::Num(value) => number(value),
        Tok::Char(piece) | Tok::StrContent(piece) => content(piece),
        Tok::RegexpEnd(flags) => super::flag_letters(flags),
        Tok::StrEnd(width) if *width != crate::token::NO_DEDENT => format!("dedent {width}"),
        _ => String::new(),
    }
}

fn number(value: &Number) -> String {
    match value {
        Number::Int(value) => value.to_string(),
        Number::Big(digits) => digits.to_string(),
        Number::Float(value) => format!("{value:?}"),
        Number::Rational(parts) => format!("{}/{}", parts.0, parts.1),
        Number::Imaginary(value) => format!("{}i", number(value)),
    }
}

fn content(piece: &Piece) -> String {
    let shown = text::string(&Bytes { bytes: piece.bytes.clone(), enc: piece.enc });
    let mut out = String::new();
    shown.print(&mut out);
    if piece.line_start {
        out.push_str(" line start");
    }
    out
}
