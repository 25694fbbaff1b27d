//! What logos recognises without any context. Everything else is decided by the `Lexer` around it.

use logos::Logos;

/// Context-free tokens. Literals are only recognised by their first byte and scanned by hand.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(utf8 = false)]
pub enum Raw {
    #[regex(r"[ \t\r\x0c\x0b]+")]
    Space,
    #[regex(r"\\\r?\n")]
    LineCont,
    #[regex(b"(?-u)#[^\n]*", allow_greedy = true)]
    Comment,
    #[token("\n")]
    Newline,
    #[regex(b"(?-u)[A-Za-z_\x80-\xff][A-Za-z0-9_\x80-\xff]*")]
    Ident,
    #[regex(b"(?-u)@[A-Za-z_\x80-\xff][A-Za-z0-9_\x80-\xff]*")]
    Ivar,
    #[regex(b"(?-u)@@[A-Za-z_\x80-\xff][A-Za-z0-9_\x80-\xff]*")]
    Cvar,
    #[regex(b"(?-u)\\$([A-Za-z_\x80-\xff][A-Za-z0-9_\x80-\xff]*|[~*$?!@/\\\\;,.=:\"<>]|-[A-Za-z0-9_\x80-\xff])")]
    #[regex(b"\\$0[A-Za-z0-9_]*")]
    Gvar,
    #[regex(r"\$[1-9][0-9]*")]
    NthRef,
    #[regex(r#"\$[&`'+]"#)]
    BackRef,
    /// Only its first digit: `number.rs` reads on.
    #[regex(r"[0-9]")]
    Digit,
    #[regex(r"\+=|-=|\*=|/=|%=|\*\*=|&=|\|=|\^=|<<=|>>=|&&=|\|\|=")]
    OpAsgn,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Mul,
    #[token("/")]
    Div,
    #[token("%")]
    Mod,
    #[token("**")]
    Pow,
    #[token("!")]
    Bang,
    #[token("~")]
    Tilde,
    #[token("|")]
    Pipe,
    #[token("^")]
    Caret,
    #[token("&")]
    And,
    #[token("<=>")]
    Cmp,
    #[token("==")]
    EqEq,
    #[token("===")]
    Eqq,
    #[token("!=")]
    Neq,
    #[token("=~")]
    Match,
    #[token("!~")]
    NMatch,
    #[token("<")]
    Lt,
    #[token(">")]
    Gt,
    #[token("<=")]
    Le,
    #[token(">=")]
    Ge,
    #[token("<<")]
    LShift,
    #[token(">>")]
    RShift,
    #[token("&&")]
    AndOp,
    #[token("||")]
    OrOp,
    #[token("=")]
    Eq,
    #[token("=>")]
    Assoc,
    #[token("->")]
    Lambda,
    #[token(".")]
    Dot,
    #[token("..")]
    Dot2,
    #[token("...")]
    Dot3,
    #[token("&.")]
    AndDot,
    #[token("::")]
    Colon2,
    #[token(":")]
    Colon,
    #[token("?")]
    Quest,
    #[token(",")]
    Comma,
    #[token(";")]
    Semi,
    #[token("(")]
    LParen,
    #[token(")")]
    RParen,
    #[token("[")]
    LBrack,
    #[token("]")]
    RBrack,
    #[token("{")]
    LBrace,
    #[token("}")]
    RBrace,
    #[token("\"")]
    DoubleQuote,
    #[token("'")]
    SingleQuote,
    #[token("`")]
    BackQuote,
}

/// The raw token at the start of `text` and its length in bytes; `None` for a byte that begins no token.
pub fn next(text: &[u8]) -> Option<(Raw, usize)> {
    let mut raw = Raw::lexer(text);
    let token = raw.next()?.ok()?;
    Some((token, raw.span().end))
}

/// May a byte be part of an identifier? (Bytes of multibyte characters may.)
pub fn is_ident_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// Blank within a line or a line end, as `isspace` has it.
pub fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | 0x0b | 0x0c | b'\r')
}
