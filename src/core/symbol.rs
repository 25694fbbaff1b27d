//! `Symbol`. Most methods are String's, applied to the name.

use super::string_case::{Case, casecmp_p_strs, casecmp_strs, map_case, reach};
use crate::class;
use crate::object::{Enc, RArray, RString, Str};
use crate::value::{NIL, Ruby, Sym, Value};
use crate::vm::{Args, Vm};

class! { "Symbol" < "Object";
    self ["all_symbols"]  req(0)    => all_symbols;
    ["to_s", "id2name"]   req(0)    => to_s;
    ["name"]              req(0)    => name;
    ["to_sym"]            req(0)    => itself;
    ["to_proc"]           req(0)    => to_proc;
    ["inspect"]           req(0)    => inspect;
    ["==", "==="]         req(1)    => eq;
    ["hash"]              req(0)    => hash;
    ["<=>"]               req(1)    => cmp;
    ["casecmp"]           req(1)    => casecmp;
    ["casecmp?"]          req(1)    => casecmp_p;
    ["=~"]                req(1)    => match_op;
    ["match"]             rest(1)   => match_;
    ["match?"]            rest(1)   => match_p;
    ["[]", "slice"]       opt(1, 2) => aref;
    ["length", "size"]    req(0)    => length;
    ["empty?"]            req(0)    => is_empty;
    ["encoding"]          req(0)    => encoding;
    ["start_with?"]       rest(0)   => start_with;
    ["end_with?"]         rest(0)   => end_with;
    ["upcase"]            rest(0)   => upcase;
    ["downcase"]          rest(0)   => downcase;
    ["capitalize"]        rest(0)   => capitalize;
    ["swapcase"]          rest(0)   => swapcase;
    ["succ", "next"]      req(0)    => succ;
}

pub fn boot(vm: Vm) {
    let c = vm.define_table(&CLASS);
    c.include(vm.classes.comparable.get());
    super::numeric::no_new(vm, c);
}

fn me(this: Value) -> Sym {
    this.as_symbol().unwrap_or(crate::object::sym::EMPTY)
}
/// The name as a String that shares the symbol's bytes.
pub fn text(vm: Vm, s: Sym) -> Str {
    RString::from_static(&vm, vm.symbols.bytes(s), vm.symbols.enc(s))
}

fn all_symbols(vm: Vm, _this: Value, _args: Args) -> Ruby {
    let n = vm.symbols.count();
    let list = RArray::new(&vm, n);
    for i in 0..n {
        list.push(&vm, Sym(i as u32).into());
    }
    Ok(list.value())
}
fn to_s(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(text(vm, me(this)).value())
}
fn name(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(vm.intern_string(text(vm, me(this))).value())
}
fn itself(_vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(this)
}
fn to_proc(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(vm.symbol_proc(me(this)).value())
}

fn name_char(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80
}
fn name_start(b: u8) -> bool {
    name_char(b) && !b.is_ascii_digit()
}
/// A plain identifier: a letter or underscore, then letters and digits.
fn identifier(b: &[u8]) -> bool {
    b.first().is_some_and(|&c| name_start(c)) && b.iter().all(|&c| name_char(c))
}

/// Whether `:name` can be written without quotes.
pub fn is_simple(b: &[u8]) -> bool {
    match b {
        [b'$', rest @ ..] => match rest {
            [b'-', c] => name_char(*c),
            [c] if b"~*$?!@/\\;,.=:<>\"&`'+_0".contains(c) => true,
            [b'1'..=b'9', ..] => rest.iter().all(u8::is_ascii_digit),
            _ => identifier(rest),
        },
        [b'@', b'@', rest @ ..] | [b'@', rest @ ..] => identifier(rest),
        b"[]" | b"[]=" | b"+" | b"-" | b"*" | b"/" | b"%" | b"**" | b"+@" | b"-@" | b"!" | b"!=" | b"!~" | b"~"
        | b"=~" | b"==" | b"===" | b"<" | b"<=" | b"<=>" | b">" | b">=" | b"<<" | b">>" | b"&" | b"|" | b"^" | b"`" => {
            true
        }
        [name @ .., b'?' | b'!' | b'='] => identifier(name),
        _ => identifier(b),
    }
}
/// Whether all characters of a name can be shown as they are.
fn printable(b: &[u8], enc: Enc) -> bool {
    if b.is_ascii() {
        return b.iter().all(|&c| (0x20..0x7f).contains(&c));
    }
    enc == Enc::Utf8
        && enc.chars(b).all(|c| c.2.is_some_and(|c| c != 0x85 && super::onig::is_ctype(c, super::onig::Ctype::Print)))
}
/// `:name` or `:"na me"`, in UTF-8.
pub fn inspect_bytes(b: &[u8], enc: Enc) -> Vec<u8> {
    let mut out = vec![b':'];
    if is_simple(b) && printable(b, enc) {
        out.extend_from_slice(b);
    } else {
        out.extend(super::string_inspect::inspect_bytes(b, enc));
    }
    out
}
fn inspect(vm: Vm, this: Value, _args: Args) -> Ruby {
    let s = me(this);
    let v = inspect_bytes(vm.symbols.bytes(s), vm.symbols.enc(s));
    let enc = if v.is_ascii() { Enc::Ascii } else { Enc::Utf8 };
    Ok(super::string::new_str(vm, v, enc))
}

fn eq(_vm: Vm, this: Value, args: Args) -> Ruby {
    Ok(Value::bool(this == args.or_nil(0)))
}
fn hash(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(vm.int((vm.hash_of(this)? >> 3) as i64))
}
/// The other side of a comparison, if it is a Symbol.
fn other(vm: Vm, args: Args) -> Option<Str> {
    args.or_nil(0).as_symbol().map(|s| text(vm, s))
}
fn cmp(vm: Vm, this: Value, args: Args) -> Ruby {
    Ok(match other(vm, args) {
        Some(t) => Value::fixnum(super::string::compare(vm, text(vm, me(this)), t) as i64),
        None => NIL,
    })
}
fn casecmp(vm: Vm, this: Value, args: Args) -> Ruby {
    Ok(other(vm, args).map_or(NIL, |t| casecmp_strs(text(vm, me(this)), t)))
}
fn casecmp_p(vm: Vm, this: Value, args: Args) -> Ruby {
    Ok(other(vm, args).map_or(NIL, |t| casecmp_p_strs(text(vm, me(this)), t)))
}

/// Calls the String method of the same name on the symbol's name.
fn as_string(vm: Vm, this: Value, method: &str, args: Args) -> Ruby {
    let s = text(vm, me(this)).value();
    vm.send_block(s, vm.intern(method), args.slice(), args.block())
}
fn match_op(vm: Vm, this: Value, args: Args) -> Ruby {
    as_string(vm, this, "=~", args)
}
fn match_(vm: Vm, this: Value, args: Args) -> Ruby {
    as_string(vm, this, "match", args)
}
fn match_p(vm: Vm, this: Value, args: Args) -> Ruby {
    as_string(vm, this, "match?", args)
}
fn aref(vm: Vm, this: Value, args: Args) -> Ruby {
    super::string_index::aref_with(vm, text(vm, me(this)), args.or_nil(0), args.get(1))
}
fn length(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(Value::fixnum(text(vm, me(this)).char_len() as i64))
}
fn is_empty(_vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(Value::bool(me(this) == crate::object::sym::EMPTY))
}
fn encoding(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(super::encoding::object(vm, vm.symbols.enc(me(this))))
}
fn start_with(vm: Vm, this: Value, args: Args) -> Ruby {
    as_string(vm, this, "start_with?", args)
}
fn end_with(vm: Vm, this: Value, args: Args) -> Ruby {
    as_string(vm, this, "end_with?", args)
}
fn cased(vm: Vm, this: Value, args: Args, case: Case) -> Ruby {
    let s = text(vm, me(this));
    let v = map_case(vm, s, case, reach(vm, args.slice(), case)?)?;
    Ok(vm.symbols.intern(&v, s.enc()).into())
}
fn upcase(vm: Vm, this: Value, args: Args) -> Ruby {
    cased(vm, this, args, Case::Up)
}
fn downcase(vm: Vm, this: Value, args: Args) -> Ruby {
    cased(vm, this, args, Case::Down)
}
fn capitalize(vm: Vm, this: Value, args: Args) -> Ruby {
    cased(vm, this, args, Case::Title)
}
fn swapcase(vm: Vm, this: Value, args: Args) -> Ruby {
    cased(vm, this, args, Case::Swap)
}
fn succ(vm: Vm, this: Value, _args: Args) -> Ruby {
    let s = text(vm, me(this));
    Ok(vm.symbols.intern(&super::string_succ::successor(s), s.enc()).into())
}

#[cfg(test)]
mod tests {
    use super::is_simple;

    #[test]
    fn quoting() {
        for s in ["a", "a?", "A!", "a=", "@a", "@@a", "$a", "$1", "$-w", "$~", "[]=", "<=>", "é"] {
            assert!(is_simple(s.as_bytes()), "{s}");
        }
        for s in ["", "1a", "a b", "@1", "$", "a?=", "=", "[]?", "@a?", "$a=", "&&", "foo-bar", "$-", "$10a"] {
            assert!(!is_simple(s.as_bytes()), "{s}");
        }
    }
}
