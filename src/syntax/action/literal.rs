//! Numbers, strings, symbols, regexps and word lists.

use super::{Cx, Var, span};
use crate::ast::*;
use crate::lexer::indentation_len;
use crate::token::{NO_DEDENT, Number, Piece};
use std::rc::Rc;

/// A piece of a literal: text or code.
#[derive(Debug)]
pub enum Part {
    Text(Piece, Span),
    Code(Node),
}

impl Cx<'_> {
    pub fn number(&self, number: Number, l: u32, r: u32) -> N {
        let kind = match number {
            Number::Int(value) => Kind::Int(value),
            Number::Big(digits) => Kind::BigInt(digits),
            Number::Float(value) => Kind::Float(value),
            Number::Rational(parts) => Kind::Rational(parts.0.as_str().into(), parts.1.as_str().into()),
            Number::Imaginary(inner) => Kind::Imaginary(self.number((*inner).clone(), l, r)),
        };
        self.node(kind, l, r)
    }

    // ---- parts

    pub fn part_text(&self, piece: Piece, l: u32, r: u32) -> Box<Part> {
        Box::new(Part::Text(piece, span(l, r)))
    }
    pub fn part_code(&self, body: N, l: u32, r: u32) -> Box<Part> {
        let body =
            if matches!(&body.kind, Kind::Seq(list) if list.is_empty()) { self.node(Kind::Nil, l, r) } else { body };
        Box::new(Part::Code(Node::new(Kind::Embed(body), span(l, r))))
    }
    pub fn part_variable(&mut self, var: Var, l: u32, r: u32) -> Box<Part> {
        let variable = self.variable(var);
        self.part_code(variable, l, r)
    }
    pub fn part_back_ref(&self, byte: u8, l: u32, r: u32) -> Box<Part> {
        self.part_code(self.node(Kind::BackRef(byte), l + 1, r), l, r)
    }
    pub fn part_nth_ref(&self, number: u32, l: u32, r: u32) -> Box<Part> {
        self.part_code(self.node(Kind::NthRef(number), l + 1, r), l, r)
    }
    pub fn add_part(&self, mut parts: Vec<Part>, part: Box<Part>) -> Vec<Part> {
        parts.push(*part);
        parts
    }
    pub fn add_word(&self, mut words: Vec<Vec<Part>>, word: Vec<Part>) -> Vec<Vec<Part>> {
        words.push(word);
        words
    }
    pub fn text(&self, piece: Piece, l: u32, r: u32) -> Vec<Part> {
        vec![Part::Text(piece, span(l, r))]
    }
    /// `"a" "b"`
    pub fn joined(&self, mut a: Vec<Part>, mut b: Vec<Part>) -> Vec<Part> {
        a.append(&mut b);
        a
    }
    pub fn joined_char(&self, mut a: Vec<Part>, piece: Piece, l: u32, r: u32) -> Vec<Part> {
        a.push(Part::Text(piece, span(l, r)));
        a
    }

    /// Takes `width` columns of indentation off each line of a `<<~` heredoc.
    pub fn dedented(&self, mut parts: Vec<Part>, width: u32) -> Vec<Part> {
        if width == NO_DEDENT {
            return parts;
        }
        for part in &mut parts {
            if let Part::Text(piece, _) = part
                && std::mem::take(&mut piece.line_start)
            {
                let len = indentation_len(&piece.bytes, width);
                if len > 0 {
                    piece.bytes = piece.bytes[len..].into();
                }
            }
        }
        parts
    }

    /// Parts as nodes: neighbouring texts become one `Str`, empty ones go.
    fn nodes(&self, parts: Vec<Part>) -> Vec<Node> {
        let mut nodes = Vec::new();
        let mut texts: Vec<(Piece, Span)> = Vec::new();
        for part in parts {
            match part {
                Part::Text(piece, at) => texts.push((piece, at)),
                Part::Code(node) => {
                    nodes.extend(merged(&mut texts));
                    nodes.push(node);
                }
            }
        }
        nodes.extend(merged(&mut texts));
        nodes
    }

    // ---- strings and symbols

    pub fn string(&self, parts: Vec<Part>, l: u32, r: u32) -> N {
        let mut nodes = self.nodes(parts);
        let kind = match nodes.as_mut_slice() {
            [] => Kind::Str(Bytes { bytes: Rc::from([]), enc: LitEnc::Source }),
            [Node { kind: kind @ Kind::Str(_), .. }] => std::mem::replace(kind, Kind::Nil),
            _ => Kind::DStr(nodes),
        };
        self.node(kind, l, r)
    }
    pub fn command_string(&self, parts: Vec<Part>, dedent: u32, l: u32, r: u32) -> N {
        let parts = self.dedented(parts, dedent);
        self.node(Kind::XStr(self.nodes(parts)), l, r)
    }
    pub fn regexp(&mut self, parts: Vec<Part>, flags: RegexFlags, l: u32, r: u32) -> N {
        let parts = self.nodes(parts);
        self.node(Kind::Regex { parts, flags }, l, r)
    }
    pub fn symbol(&self, name: Name, l: u32, r: u32) -> N {
        let enc = if name.is_ascii() { LitEnc::Ascii } else { LitEnc::Source };
        let bytes: Rc<[u8]> = name.as_bytes().into();
        self.node(Kind::Sym(Bytes { bytes, enc }), l, r)
    }
    pub fn dsym(&mut self, parts: Vec<Part>, l: u32, r: u32) -> N {
        let mut node = self.string(parts, l, r);
        node.kind = match std::mem::replace(&mut node.kind, Kind::Nil) {
            Kind::Str(text) => {
                if self.utf8_source && std::str::from_utf8(&text.bytes).is_err() {
                    let shown: String = text.bytes.escape_ascii().to_string();
                    self.error(span(l, r), format!("invalid symbol in encoding UTF-8 :\"{shown}\""));
                }
                let enc = if text.bytes.is_ascii() { LitEnc::Ascii } else { text.enc };
                Kind::Sym(Bytes { bytes: text.bytes, enc })
            }
            Kind::DStr(parts) => Kind::DSym(parts),
            other => other,
        };
        node
    }
    pub fn string_label_pair(&mut self, key: Vec<Part>, value: N, l: u32, r: u32) -> Box<Pair> {
        let key = self.dsym(key, l, r);
        self.pair(key, value)
    }

    // ---- word lists

    pub fn word_array(&self, words: Vec<Vec<Part>>, l: u32, r: u32) -> N {
        let items = words.into_iter().map(|word| {
            let (start, end) = extent(&word);
            Arg::Value(*self.string(word, start, end))
        });
        self.node(Kind::Array(items.collect()), l, r)
    }
    pub fn symbol_array(&mut self, words: Vec<Vec<Part>>, l: u32, r: u32) -> N {
        let items = words.into_iter().map(|word| {
            let (start, end) = extent(&word);
            Arg::Value(*self.dsym(word, start, end))
        });
        let items = items.collect();
        self.node(Kind::Array(items), l, r)
    }
}

fn extent(parts: &[Part]) -> (u32, u32) {
    let at = |part: &Part| match part {
        Part::Text(_, at) => *at,
        Part::Code(node) => node.span,
    };
    (parts.first().map_or(0, |p| at(p).start), parts.last().map_or(0, |p| at(p).end))
}

/// The texts collected so far as one node.
fn merged(texts: &mut Vec<(Piece, Span)>) -> Option<Node> {
    let first = texts.first()?.1;
    let last = texts.last()?.1;
    let enc = texts.iter().map(|(piece, _)| piece.enc).fold(LitEnc::Source, |a, b| match (a, b) {
        (LitEnc::Utf8, _) | (_, LitEnc::Utf8) => LitEnc::Utf8,
        (LitEnc::Binary, _) | (_, LitEnc::Binary) => LitEnc::Binary,
        _ => LitEnc::Source,
    });
    let bytes: Rc<[u8]> = match texts.as_slice() {
        [(piece, _)] => piece.bytes.clone(),
        _ => texts.iter().flat_map(|(piece, _)| piece.bytes.iter().copied()).collect::<Vec<u8>>().into(),
    };
    texts.clear();
    if bytes.is_empty() {
        return None;
    }
    Some(Node::new(Kind::Str(Bytes { bytes, enc }), span(first.start, last.end)))
}
