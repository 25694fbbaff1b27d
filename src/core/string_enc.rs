//! `String`: encodings: asking, changing, converting, mending.

use super::encoding::{object, to_enc};
use super::string::{me, me_mut, new_str};
use super::string_inspect::inspect_bytes;
use super::transcode::{Newline, Options, Stop, Transcoder, Xml, has_converter};
use crate::class;
use crate::object::{Enc, RString, Str};
use crate::value::{FALSE, NIL, Raised, Ruby, TRUE, Value};
use crate::vm::{Args, Block, Vm};
use unicode_normalization::UnicodeNormalization;

class! { "String" < "Object";
    ["encoding"]              req(0)    => encoding;
    ["force_encoding"]        req(1)    => force_encoding;
    ["b"]                     req(0)    => b;
    ["valid_encoding?"]       req(0)    => valid_encoding;
    ["ascii_only?"]           req(0)    => ascii_only;
    ["scrub"]                 opt(0, 1) => scrub;
    ["scrub!"]                opt(0, 1) => scrub_bang;
    ["encode"]                kw(0, 2)  => encode;
    ["encode!"]               kw(0, 2)  => encode_bang;
    ["unicode_normalize"]     opt(0, 1) => unicode_normalize;
    ["unicode_normalize!"]    opt(0, 1) => unicode_normalize_bang;
    ["unicode_normalized?"]   opt(0, 1) => unicode_normalized;
}

pub fn boot(vm: Vm) {
    vm.define_table(&CLASS);
}

fn encoding(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(object(vm, me(vm, this)?.enc()))
}
fn force_encoding(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = me_mut(vm, this)?;
    let enc = to_enc(vm, args.or_nil(0))?;
    if enc != s.enc() {
        s.set_enc(enc);
    }
    Ok(this)
}
fn b(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(RString::from_bytes(&vm, me(vm, this)?.bytes(), Enc::Binary).value())
}
fn valid_encoding(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(Value::bool(!me(vm, this)?.is_broken()))
}
fn ascii_only(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(Value::bool(me(vm, this)?.is_ascii_only()))
}

// ---- scrub

/// Length of the broken piece at the start of `b`, as `scrub` replaces them.
fn broken_piece(enc: Enc, b: &[u8]) -> usize {
    if enc == Enc::Utf8 {
        let window = &b[..b.len().min(4)];
        return match std::str::from_utf8(window) {
            Err(e) if e.valid_up_to() == 0 => e.error_len().unwrap_or(window.len()),
            _ => 1,
        };
    }
    enc.step(b).len
}

/// Mended bytes; `None` if nothing is broken.
fn scrubbed(vm: Vm, s: Str, repl: Value, block: Option<Block>) -> Ruby<Option<Vec<u8>>> {
    if !s.is_broken() {
        return Ok(None);
    }
    let enc = s.enc();
    let subject = RString::frozen_copy(&vm, s);
    let bytes = subject.bytes();
    let given = if repl.is_nil() {
        None
    } else {
        let r = vm.to_str(repl)?;
        if r.is_broken() {
            return Err(bad_replacement(vm, r));
        }
        super::string::check_compatible(vm, subject, r)?;
        Some(r)
    };
    let mut default = Vec::new();
    if enc.is_unicode() {
        enc.put(0xfffd, &mut default);
    } else {
        default.push(b'?');
    }
    let mut out = Vec::with_capacity(bytes.len() + 8);
    let mut at = 0;
    while at < bytes.len() {
        let st = enc.step(&bytes[at..]);
        if st.code.is_some() {
            out.extend_from_slice(&bytes[at..at + st.len]);
            at += st.len;
            continue;
        }
        let n = broken_piece(enc, &bytes[at..]);
        match (given, block) {
            (Some(r), _) => out.extend_from_slice(r.bytes()),
            (None, Some(b)) => {
                let piece = RString::from_bytes(&vm, &bytes[at..at + n], enc).value();
                let before = super::string_sub::mark(s);
                let r = vm.yield1(b, piece)?;
                let r = vm.to_str(r)?;
                if super::string_sub::mark(s) != before {
                    return Err(vm.runtime_error("string modified"));
                }
                super::string::check_compatible(vm, subject, r)?;
                if r.is_broken() {
                    return Err(bad_replacement(vm, r));
                }
                out.extend_from_slice(r.bytes());
            }
            (None, None) => out.extend_from_slice(&default),
        }
        at += n;
    }
    crate::heap::root::keep(subject.value());
    Ok(Some(out))
}
#[cold]
fn bad_replacement(vm: Vm, r: Str) -> Raised {
    let text = String::from_utf8_lossy(&inspect_bytes(r.bytes(), r.enc())).trim_matches('"').to_string();
    vm.arg_error(&format!("replacement must be valid byte sequence '{text}'"))
}
fn scrub(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = me(vm, this)?;
    match scrubbed(vm, s, args.or_nil(0), args.block())? {
        Some(v) => Ok(new_str(vm, v, s.enc())),
        None => Ok(RString::substring(&vm, s, 0, s.len()).value()),
    }
}
fn scrub_bang(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = me(vm, this)?;
    if s.is_broken() {
        vm.check_frozen(this)?;
    }
    if let Some(v) = scrubbed(vm, s, args.or_nil(0), args.block())? {
        s.modify(&vm, |b| *b = v);
    }
    Ok(this)
}

// ---- encode

/// Conversion options from keywords; also the fallback object, nil if none.
pub fn options(vm: Vm, args: Args, to: Enc) -> Ruby<(Options, Value)> {
    let mut o = Options::default();
    let mut fallback = NIL;
    if args.keywords().is_none() {
        return Ok((o, fallback));
    }
    let is = |v: Option<Value>, name: &str| v.and_then(|v| v.as_symbol()).is_some_and(|s| vm.name_of(s) == name);
    let text = |v: Value| -> Ruby<String> { Ok(vm.inspect(v)?.text().into_owned()) };
    for (key, slot) in [("invalid", &mut o.invalid), ("undef", &mut o.undef)] {
        let v = args.keyword(vm, key)?;
        match v {
            None | Some(NIL) => {}
            v if is(v, "replace") => *slot = true,
            Some(_) if key == "invalid" => return Err(vm.arg_error("unknown value for invalid character option")),
            Some(_) => return Err(vm.arg_error("unknown value for undefined character option")),
        }
    }
    if let Some(r) = args.keyword(vm, "replace")?
        && !r.is_nil()
    {
        let r = vm.to_str(r)?;
        let mut t = Transcoder::new(r.enc(), to, Options::default());
        let bytes = if r.enc() == to || r.is_ascii_only() && to.ascii_compatible() {
            r.bytes().to_vec()
        } else if t.convert(r.bytes(), 0).is_ok() {
            t.out
        } else {
            let text = format!("replacement string is not representable in {}", to.name());
            return Err(vm.raise(vm.classes.undefined_conversion_error.get(), &text));
        };
        o.replacement = Some(bytes);
    }
    if let Some(f) = args.keyword(vm, "fallback")? {
        fallback = f;
    }
    match args.keyword(vm, "xml")? {
        None | Some(NIL) => {}
        v if is(v, "text") => o.xml = Xml::Text,
        v if is(v, "attr") => o.xml = Xml::Attr,
        Some(v) => {
            let t = text(v)?;
            return Err(vm.arg_error(&format!("unexpected value for xml option: {}", t.trim_start_matches(':'))));
        }
    }
    for (key, n) in [
        ("universal_newline", Newline::Universal),
        ("crlf_newline", Newline::CrLf),
        ("cr_newline", Newline::Cr),
        ("lf_newline", Newline::Lf),
    ] {
        if args.keyword(vm, key)?.is_some_and(Value::truthy) {
            o.newline = n;
        }
    }
    match args.keyword(vm, "newline")? {
        None | Some(NIL) => {}
        v if is(v, "universal") => o.newline = Newline::Universal,
        v if is(v, "crlf") => o.newline = Newline::CrLf,
        v if is(v, "cr") => o.newline = Newline::Cr,
        v if is(v, "lf") => o.newline = Newline::Lf,
        Some(v) => {
            let t = text(v)?;
            return Err(vm.arg_error(&format!("unexpected value for newline option: {}", t.trim_start_matches(':'))));
        }
    }
    Ok((o, fallback))
}

/// The exception for a conversion that stopped.
pub fn stopped(vm: Vm, b: &[u8], from: Enc, to: Enc, stop: &Stop) -> Raised {
    let dump = |b: &[u8]| -> String {
        let t = inspect_bytes(b, Enc::Binary);
        String::from_utf8_lossy(&t).into_owned()
    };
    let (class, text, piece, again, incomplete) = match *stop {
        Stop::Invalid { at, end, again, incomplete } => {
            let piece = &b[at..end];
            let more = &b[end..(end + again).min(b.len())];
            let text = if incomplete {
                format!("incomplete {} on {}", dump(piece), from.name())
            } else if more.is_empty() {
                format!("{} on {}", dump(piece), from.name())
            } else {
                format!("{} followed by {} on {}", dump(piece), dump(more), from.name())
            };
            (vm.classes.invalid_byte_sequence_error.get(), text, piece, more, incomplete)
        }
        Stop::Undefined { at, end, code } => {
            let piece = &b[at..end];
            let class = vm.classes.undefined_conversion_error.get();
            // Conversions between two encodings other than UTF-8 go through it.
            let text = match code {
                Some(c) if from == Enc::Utf8 => format!("U+{c:04X} from UTF-8 to {}", to.name()),
                Some(c) if to == Enc::Utf8 => format!("U+{c:04X} from {} to UTF-8", from.name()),
                Some(c) => {
                    format!("U+{c:04X} to {} in conversion from {} to UTF-8 to {}", to.name(), from.name(), to.name())
                }
                None if to == Enc::Utf8 && matches!(from, Enc::Binary | Enc::Ascii) => {
                    format!("{} from {} to UTF-8", dump(piece), from.name())
                }
                None if to == Enc::Utf8 => {
                    format!("{} to UTF-8 in conversion from {} to UTF-8", dump(piece), from.name())
                }
                None => {
                    format!("{} to UTF-8 in conversion from {} to UTF-8 to {}", dump(piece), from.name(), to.name())
                }
            };
            (class, text, piece, &b[..0], false)
        }
    };
    let e = vm.new_exception(class, &text);
    let (first, second) = match stop {
        Stop::Undefined { code: Some(_), .. } if from != Enc::Utf8 && to != Enc::Utf8 => (Enc::Utf8, to),
        _ if to != Enc::Utf8 && from != Enc::Utf8 => (from, Enc::Utf8),
        _ => (from, to),
    };
    super::converter::describe_error(vm, e, first, second, piece, again, incomplete);
    vm.raise_exc(e)
}

/// Bytes of `s` in another encoding.
fn converted(vm: Vm, s: Str, from: Enc, to: Enc, options: Options, fallback: Value) -> Ruby<Vec<u8>> {
    if !has_converter(from, to) {
        let text = format!("code converter not found ({} to {})", from.name(), to.name());
        return Err(vm.raise(vm.classes.converter_not_found_error.get(), &text));
    }
    let subject = RString::frozen_copy(&vm, s);
    let b = subject.bytes();
    let mut t = Transcoder::new(from, to, options);
    let mut at = 0;
    loop {
        match t.convert(b, at) {
            Ok(()) => break,
            Err(Stop::Undefined { at: a, end, code }) if !fallback.is_nil() => {
                let c = RString::from_bytes(&vm, &b[a..end], from).value();
                let r = if fallback.as_hash().is_some() {
                    vm.send(fallback, crate::object::sym::AREF, &[c])?
                } else if vm.responds_to(fallback, crate::object::sym::CALL, false)? {
                    vm.send(fallback, crate::object::sym::CALL, &[c])?
                } else if vm.responds_to(fallback, crate::object::sym::AREF, false)? {
                    vm.send(fallback, crate::object::sym::AREF, &[c])?
                } else {
                    NIL
                };
                if r.is_nil() {
                    return Err(stopped(vm, b, from, to, &Stop::Undefined { at: a, end, code }));
                }
                let r = vm.to_str(r)?;
                if r.enc() == to || r.is_ascii_only() && to.ascii_compatible() {
                    t.put_raw(r.bytes());
                } else {
                    let mut inner = Transcoder::new(r.enc(), to, Options::default());
                    if inner.convert(r.bytes(), 0).is_err() {
                        return Err(vm.arg_error("too big fallback string"));
                    }
                    t.put_raw(&inner.out);
                }
                at = end;
            }
            Err(stop) => return Err(stopped(vm, b, from, to, &stop)),
        }
    }
    t.finish();
    crate::heap::root::keep(subject.value());
    Ok(t.out)
}

/// `encode`'s result: new bytes (`None`: the same ones) and the encoding.
fn encoded(vm: Vm, s: Str, args: Args) -> Ruby<(Option<Vec<u8>>, Enc)> {
    let to = match args.get(0) {
        Some(v) => to_conv_enc(vm, v, args)?,
        None => super::encoding::internal(vm).unwrap_or(s.enc()),
    };
    let from = match args.get(1) {
        Some(v) => to_conv_enc(vm, v, args)?,
        None => s.enc(),
    };
    let (options, fallback) = options(vm, args, to)?;
    let plain = options.newline == Newline::Keep && options.xml == Xml::No;
    if plain {
        if from == to {
            if options.invalid && (s.enc() == to && s.is_broken() || s.enc() != to) {
                let view = RString::from_bytes(&vm, s.bytes(), to);
                let repl = options.replacement.map_or(NIL, |r| new_str(vm, r, to));
                let repl = if repl.is_nil() && !to.is_unicode() { new_str(vm, b"?".to_vec(), to) } else { repl };
                return Ok((scrubbed(vm, view, repl, None)?, to));
            }
            return Ok((None, to));
        }
        if from.ascii_compatible() && to.ascii_compatible() && s.bytes().is_ascii() {
            return Ok((None, to));
        }
    }
    if from == to && !plain && !to.is_unicode() && to.ascii_compatible() {
        // Line ends and markup alone: bytes pass as Latin-1 characters would.
        let v = converted(vm, s, Enc::Latin1, Enc::Latin1, options, fallback)?;
        return Ok((Some(v), to));
    }
    Ok((Some(converted(vm, s, from, to, options, fallback)?), to))
}
/// An encoding for a conversion; ConverterNotFoundError for unknown names.
fn to_conv_enc(vm: Vm, v: Value, args: Args) -> Ruby<Enc> {
    if let Some(e) = super::encoding::of_object(v) {
        return Ok(e);
    }
    let s = vm.to_str(v)?;
    if let Some(e) = super::encoding::lookup(s.bytes()) {
        return Ok(e);
    }
    let name = |i: usize| -> Ruby<String> {
        Ok(match args.get(i) {
            Some(v) => match super::encoding::of_object(v) {
                Some(e) => e.name().to_string(),
                None => vm.to_str(v)?.text().into_owned(),
            },
            None => String::new(),
        })
    };
    let to = name(0)?;
    let from = if args.get(1).is_some() { name(1)? } else { "UTF-8".into() };
    let text = format!("code converter not found ({from} to {to})");
    Err(vm.raise(vm.classes.converter_not_found_error.get(), &text))
}
fn encode(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = me(vm, this)?;
    let (v, enc) = encoded(vm, s, args)?;
    Ok(new_str(vm, v.unwrap_or_else(|| s.bytes().to_vec()), enc))
}
fn encode_bang(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = me_mut(vm, this)?;
    let (v, enc) = encoded(vm, s, args)?;
    match v {
        Some(v) => s.replace(&vm, v, enc),
        None if enc != s.enc() => s.set_enc(enc),
        None => {}
    }
    Ok(this)
}

// ---- Unicode normalisation

fn normal_form(vm: Vm, args: Args) -> Ruby<String> {
    let form = match args.get(0) {
        None => return Ok("nfc".into()),
        Some(v) => v,
    };
    let name = match form.as_symbol() {
        Some(s) => vm.name_of(s),
        None => vm.inspect(form)?.text().into_owned(),
    };
    match name.as_str() {
        "nfc" | "nfd" | "nfkc" | "nfkd" => Ok(name),
        _ => Err(vm.arg_error(&format!("Invalid normalization form {name}."))),
    }
}
/// The normalised bytes.
fn normalized(vm: Vm, s: Str, args: Args) -> Ruby<Vec<u8>> {
    let form = normal_form(vm, args)?;
    let enc = s.enc();
    if s.is_ascii_only() && matches!(enc, Enc::Utf8 | Enc::Ascii) {
        return Ok(s.bytes().to_vec());
    }
    if enc == Enc::Ascii {
        return Ok(s.bytes().to_vec());
    }
    if !enc.is_unicode() {
        let text = format!("Unicode Normalization not appropriate for {}", enc.name());
        return Err(vm.raise(vm.classes.compatibility_error.get(), &text));
    }
    super::string_index::check_valid(vm, s)?;
    let text: String = enc.chars(s.bytes()).filter_map(|c| c.2.and_then(char::from_u32)).collect();
    let mut out = Vec::with_capacity(s.len());
    let mut put = |c: char| {
        enc.put(c as u32, &mut out);
    };
    match form.as_str() {
        "nfd" => text.nfd().for_each(&mut put),
        "nfkc" => text.nfkc().for_each(&mut put),
        "nfkd" => text.nfkd().for_each(&mut put),
        _ => text.nfc().for_each(&mut put),
    }
    Ok(out)
}
fn unicode_normalize(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = me(vm, this)?;
    Ok(new_str(vm, normalized(vm, s, args)?, s.enc()))
}
fn unicode_normalize_bang(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = me_mut(vm, this)?;
    let v = normalized(vm, s, args)?;
    s.modify(&vm, |b| *b = v);
    Ok(this)
}
fn unicode_normalized(vm: Vm, this: Value, args: Args) -> Ruby {
    let s = me(vm, this)?;
    Ok(if normalized(vm, s, args)? == s.bytes() { TRUE } else { FALSE })
}
