//! S-expressions and how they are laid out.

use crate::ast::{Bytes, LitEnc};

/// Widest line that a list is squeezed into.
const WIDTH: usize = 100;

#[derive(Debug, Clone)]
pub enum Sexp {
    Atom(String),
    List(Vec<Sexp>),
}

/// Indentation stops growing somewhere, so that the text of a deep tree stays small.
fn deeper(indent: usize) -> usize {
    (indent + 2).min(WIDTH - 20)
}

impl Sexp {
    pub fn word(text: &str) -> Sexp {
        Sexp::Atom(text.to_string())
    }

    pub fn print(&self, out: &mut String) {
        self.print_at(out, 0);
    }

    fn print_at(&self, out: &mut String, indent: usize) {
        match self {
            Sexp::Atom(text) => out.push_str(text),
            Sexp::List(items) => {
                let fits = self.width(WIDTH.saturating_sub(indent)).is_some();
                out.push('(');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        if fits {
                            out.push(' ');
                        } else {
                            out.push('\n');
                            out.extend(std::iter::repeat_n(' ', deeper(indent)));
                        }
                    }
                    if fits { item.print_line(out) } else { item.print_at(out, deeper(indent)) }
                }
                out.push(')');
            }
        }
    }

    fn print_line(&self, out: &mut String) {
        match self {
            Sexp::Atom(text) => out.push_str(text),
            Sexp::List(items) => {
                out.push('(');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        out.push(' ');
                    }
                    item.print_line(out);
                }
                out.push(')');
            }
        }
    }

    /// How wide the expression is on one line, unless it is wider than `limit`.
    fn width(&self, limit: usize) -> Option<usize> {
        match self {
            Sexp::Atom(text) => Some(text.len()).filter(|&len| len <= limit),
            Sexp::List(items) => {
                let mut total = 1 + items.len();
                for item in items {
                    total += item.width(limit.checked_sub(total)?)?;
                }
                Some(total).filter(|&len| len <= limit)
            }
        }
    }
}

fn escaped(bytes: &[u8]) -> String {
    let mut out = String::from("\"");
    for chunk in bytes.utf8_chunks() {
        for char in chunk.valid().chars() {
            match char {
                '"' | '\\' => out.extend(['\\', char]),
                '\n' => out.push_str("\\n"),
                '\t' => out.push_str("\\t"),
                _ if char.is_control() => out.push_str(&format!("\\u{{{:x}}}", char as u32)),
                _ => out.push(char),
            }
        }
        for byte in chunk.invalid() {
            out.push_str(&format!("\\x{byte:02x}"));
        }
    }
    out.push('"');
    out
}

fn mark(enc: LitEnc) -> &'static str {
    match enc {
        LitEnc::Source | LitEnc::Ascii => "",
        LitEnc::Utf8 => "utf8",
        LitEnc::Binary => "binary",
    }
}

/// `"text"`, followed by its encoding where an escape forces one.
pub fn string(text: &Bytes) -> Sexp {
    Sexp::Atom(format!("{}{}", escaped(&text.bytes), mark(text.enc)))
}

/// `:name`, or `:"any text"`.
pub fn symbol(text: &Bytes) -> Sexp {
    let plain = !text.bytes.is_empty() && text.bytes.iter().all(|b| b.is_ascii_graphic() && !b"\"()".contains(b));
    Sexp::Atom(match std::str::from_utf8(&text.bytes) {
        Ok(name) if plain => format!(":{name}"),
        _ => format!(":{}{}", escaped(&text.bytes), mark(text.enc)),
    })
}
