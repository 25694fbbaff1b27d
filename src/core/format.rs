//! `Kernel#format`, `sprintf` and `String#%`: directives parsed from left to right, each printed at once.
//!
//! The rules (which flag may follow which, what `..f` means) are those of CRuby's sprintf.c, rounding that of its dtoa.c.

use super::{float, integer, rational};
use crate::class;
use crate::object::{Ary, Enc, Hsh, RArray, RString, Str};
use crate::value::{NIL, Raised, Ruby, Value};
use crate::vm::arith::{int_negative, with_big};
use crate::vm::native::ClassDef;
use crate::vm::{Args, Vm};
use num_bigint::{BigInt, BigUint};

const KERNEL: ClassDef = {
    class! { module "Kernel";
        module_fn ["format", "sprintf"] rest(1) => kernel_format;
    }
    CLASS
};

pub fn boot(vm: Vm) {
    vm.define_table(&KERNEL);
}

fn kernel_format(vm: Vm, _: Value, args: Args) -> Ruby {
    Ok(format(vm, args.slice())?.value())
}

/// Widths and precisions beyond this would not fit in memory.
const MAX_FIELD: i64 = 1 << 28;

/// `args[0]` is the format String, the others its arguments.
pub fn format(vm: Vm, args: &[Value]) -> Ruby<Str> {
    let Some(&fmt) = args.first() else { return Err(vm.arg_error("too few arguments")) };
    let fmt = vm.to_str(fmt)?;
    vm.must_be_ascii_compatible(fmt)?;
    let mut f = Formatter {
        vm,
        text: fmt.bytes().to_vec(),
        at: 0,
        args: RArray::from_slice(&vm, args),
        style: Style::Unknown,
        next: 1,
        hash: None,
        out: Vec::new(),
        enc: fmt.enc(),
    };
    f.run()?;
    Ok(RString::from_vec(&vm, f.out, f.enc))
}

/// How arguments were named so far; the ways do not mix.
#[derive(Clone, Copy, PartialEq)]
enum Style {
    Unknown,
    /// in order; the last one's number
    InOrder(usize),
    Numbered,
    Named,
}

struct Formatter {
    vm: Vm,
    text: Vec<u8>,
    at: usize,
    args: Ary,
    style: Style,
    /// number of the next argument in order
    next: usize,
    hash: Option<Hsh>,
    out: Vec<u8>,
    enc: Enc,
}

/// One directive's flags, width and precision.
#[derive(Default)]
struct Spec {
    sharp: bool,
    minus: bool,
    plus: bool,
    zero: bool,
    space: bool,
    width: Option<i64>,
    /// a precision was written; a negative `*` one counts as written but not as given
    dot: bool,
    precision: Option<i64>,
    value: Option<Value>,
    name: Option<Vec<u8>>,
}

impl Spec {
    fn plain(&self) -> bool {
        !(self.sharp || self.minus || self.plus || self.zero || self.space || self.dot || self.width.is_some())
    }
    fn width(&self) -> usize {
        self.width.unwrap_or(0) as usize
    }
    /// What stands before a number that is not negative.
    fn sign(&self) -> &'static str {
        match (self.plus, self.space) {
            (true, _) => "+",
            (_, true) => " ",
            _ => "",
        }
    }
}

impl Formatter {
    fn peek(&self) -> u8 {
        self.text.get(self.at).copied().unwrap_or(0)
    }
    fn bad(&self, message: &str) -> Raised {
        self.vm.arg_error(message)
    }

    fn run(&mut self) -> Ruby<()> {
        loop {
            let rest = &self.text[self.at..];
            let n = rest.iter().position(|&b| b == b'%').unwrap_or(rest.len());
            self.out.extend_from_slice(&rest[..n]);
            self.at += n;
            if self.at >= self.text.len() {
                break;
            }
            if self.at + 1 == self.text.len() {
                return Err(self.bad("incomplete format specifier; use %% (double %) instead"));
            }
            self.at += 1;
            self.directive()?;
        }
        let one_hash = self.args.len() == 2 && self.args.get(1).as_hash().is_some();
        let in_order = matches!(self.style, Style::Unknown | Style::InOrder(_));
        if in_order && self.next < self.args.len() && !one_hash {
            let text = "too many arguments for format string";
            if self.vm.config.debug.get().truthy() {
                return Err(self.bad(text));
            }
            if self.vm.config.verbose.get() == crate::value::TRUE
                && let Some(warn) = self.vm.hooks.warn.get()
            {
                warn(self.vm, text)?;
            }
        }
        Ok(())
    }

    fn directive(&mut self) -> Ruby<()> {
        let mut s = Spec::default();
        loop {
            let c = self.peek();
            match c {
                b' ' | b'#' | b'+' | b'-' | b'0' => {
                    if s.width.is_some() {
                        return Err(self.bad("flag after width"));
                    }
                    if s.dot {
                        return Err(self.bad("flag after precision"));
                    }
                    match c {
                        b' ' => s.space = true,
                        b'#' => s.sharp = true,
                        b'+' => s.plus = true,
                        b'-' => s.minus = true,
                        _ => s.zero = true,
                    }
                    self.at += 1;
                }
                b'1'..=b'9' => {
                    let n = self.number("width")?;
                    if self.peek() == b'$' {
                        if s.value.is_some() {
                            return Err(self.bad(&format!("value given twice - {n}$")));
                        }
                        s.value = Some(self.numbered(n)?);
                        self.at += 1;
                        continue;
                    }
                    self.check_width(&s)?;
                    s.width = Some(n);
                }
                b'*' => {
                    self.check_width(&s)?;
                    let n = self.star("width")?;
                    s.minus |= n < 0;
                    s.width = Some(n.abs());
                }
                b'.' => {
                    if s.dot {
                        return Err(self.bad("precision given twice"));
                    }
                    s.dot = true;
                    self.at += 1;
                    let n = if self.peek() == b'*' { self.star("prec")? } else { self.number("precision")? };
                    s.precision = (n >= 0).then_some(n);
                }
                b'<' | b'{' => {
                    if self.named(&mut s, c)? {
                        let v = s.value.unwrap_or(NIL);
                        let text = self.vm.to_s(v)?;
                        return self.text_field(&s, text);
                    }
                }
                b'%' => {
                    if !s.plain() {
                        return Err(self.bad("invalid format character - %"));
                    }
                    self.out.push(b'%');
                    self.at += 1;
                    return Ok(());
                }
                b'c' => {
                    self.at += 1;
                    return self.character(&mut s);
                }
                b's' | b'p' => {
                    self.at += 1;
                    let v = self.value(&s)?;
                    let text = if c == b'p' { self.vm.inspect(v)? } else { self.vm.to_s(v)? };
                    return self.text_field(&s, text);
                }
                b'd' | b'i' | b'u' | b'o' | b'x' | b'X' | b'b' | b'B' => {
                    self.at += 1;
                    return self.integer(&s, c);
                }
                b'f' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
                    self.at += 1;
                    return self.real(&s, c);
                }
                _ if self.at >= self.text.len() => {
                    return Err(self.bad("incomplete format specifier; use %% (double %) instead"));
                }
                _ if c.is_ascii_graphic() => {
                    return Err(self.bad(&format!("malformed format string - %{}", c as char)));
                }
                _ => return Err(self.bad("malformed format string")),
            }
        }
    }

    fn check_width(&self, s: &Spec) -> Ruby<()> {
        if s.width.is_some() {
            return Err(self.bad("width given twice"));
        }
        if s.dot {
            return Err(self.bad("width after precision"));
        }
        Ok(())
    }

    /// Digits; 0 if there are none.
    fn number(&mut self, what: &str) -> Ruby<i64> {
        let mut n = 0i64;
        while self.peek().is_ascii_digit() {
            n = n * 10 + (self.peek() - b'0') as i64;
            if n > i32::MAX as i64 {
                return Err(self.bad(&format!("{what} too big")));
            }
            self.at += 1;
        }
        if self.at >= self.text.len() {
            return Err(self.bad("malformed format string - %*[0-9]"));
        }
        if n > MAX_FIELD {
            return Err(self.bad(&format!("{what} too big")));
        }
        Ok(n)
    }
    /// `*` or `*1$`.
    fn star(&mut self, what: &str) -> Ruby<i64> {
        self.at += 1;
        let start = self.at;
        let n = self.number(what)?;
        let v = if self.peek() == b'$' {
            self.at += 1;
            self.numbered(n)?
        } else {
            self.at = start;
            self.in_order()?
        };
        let n = self.vm.to_i32(v)? as i64;
        if n.abs() > MAX_FIELD {
            return Err(self.bad(&format!("{what} too big")));
        }
        Ok(n)
    }

    fn argument(&self, n: usize) -> Ruby {
        if n >= self.args.len() { Err(self.bad("too few arguments")) } else { Ok(self.args.get(n)) }
    }
    fn in_order(&mut self) -> Ruby {
        match self.style {
            Style::Numbered => return Err(self.bad(&format!("unnumbered({}) mixed with numbered", self.next))),
            Style::Named => return Err(self.bad(&format!("unnumbered({}) mixed with named", self.next))),
            _ => {}
        }
        let n = self.next;
        self.style = Style::InOrder(n);
        self.next += 1;
        self.argument(n)
    }
    fn numbered(&mut self, n: i64) -> Ruby {
        match self.style {
            Style::InOrder(k) => return Err(self.bad(&format!("numbered({n}) after unnumbered({k})"))),
            Style::Named => return Err(self.bad(&format!("numbered({n}) after named"))),
            _ => {}
        }
        if n < 1 {
            return Err(self.bad(&format!("invalid index - {n}$")));
        }
        self.style = Style::Numbered;
        self.argument(n as usize)
    }
    fn value(&mut self, s: &Spec) -> Ruby {
        match s.value {
            Some(v) => Ok(v),
            None => self.in_order(),
        }
    }

    /// `<name>` or `{name}`; true for the latter, which ends the directive.
    fn named(&mut self, s: &mut Spec, open: u8) -> Ruby<bool> {
        let vm = self.vm;
        let close = if open == b'<' { b'>' } else { b'}' };
        let start = self.at;
        let Some(n) = self.text[start..].iter().position(|&b| b == close) else {
            return Err(self.bad("malformed name - unmatched parenthesis"));
        };
        self.at = start + n + 1;
        let whole = self.text[start..self.at].to_vec();
        let shown = String::from_utf8_lossy(&whole).into_owned();
        if let Some(before) = &s.name {
            return Err(self.bad(&format!("named{shown} after <{}>", String::from_utf8_lossy(before))));
        }
        match self.style {
            Style::InOrder(k) => return Err(self.bad(&format!("named{shown} after unnumbered({k})"))),
            Style::Numbered => return Err(self.bad(&format!("named{shown} after numbered"))),
            _ => self.style = Style::Named,
        }
        let hash = match self.hash {
            Some(h) => h,
            None => {
                let h = if self.args.len() == 2 { vm.check_hash(self.args.get(1))? } else { None };
                h.ok_or_else(|| self.bad("one hash required"))?
            }
        };
        self.hash = Some(hash);
        let name = whole[1..whole.len() - 1].to_vec();
        let key: Value = vm.symbols.intern(&name, self.enc).into();
        s.name = Some(name);
        let v = match hash.get_ruby(vm, key)? {
            Some(v) => v,
            None => {
                let v = if hash.default.get().is_nil() && !hash.default_is_proc.get() {
                    NIL
                } else {
                    vm.call(hash.value(), "default", &[key])?
                };
                if v.is_nil() {
                    return Err(vm.key_error(&format!("key{shown} not found"), hash.value(), key));
                }
                v
            }
        };
        s.value = Some(v);
        Ok(open == b'{')
    }

    fn pad(&mut self, byte: u8, n: usize) {
        self.out.resize(self.out.len() + n, byte);
    }

    /// Appends text of another encoding if the two go together.
    fn push_text(&mut self, bytes: &[u8], enc: Enc) -> Ruby<()> {
        if enc != self.enc && !bytes.is_ascii() {
            if !self.out.is_ascii() || !enc.ascii_compatible() {
                let text = format!("incompatible character encodings: {} and {}", shown(self.enc), shown(enc));
                return Err(self.vm.raise(self.vm.classes.compatibility_error.get(), &text));
            }
            self.enc = enc;
        }
        self.out.extend_from_slice(bytes);
        Ok(())
    }

    fn text_field(&mut self, s: &Spec, text: Str) -> Ruby<()> {
        let enc = text.enc();
        let mut bytes = text.bytes();
        if s.precision.is_none() && s.width.is_none() {
            return self.push_text(bytes, enc);
        }
        let max = s.precision.map_or(usize::MAX, |p| p as usize);
        let (mut chars, mut len) = (0, 0);
        while len < bytes.len() && chars < max {
            len += char_len(&bytes[len..], enc);
            chars += 1;
        }
        bytes = &bytes[..len];
        let bytes = bytes.to_vec();
        let fill = s.width().saturating_sub(chars);
        if !s.minus {
            self.pad(b' ', fill);
        }
        self.push_text(&bytes, enc)?;
        if s.minus {
            self.pad(b' ', fill);
        }
        Ok(())
    }

    fn character(&mut self, s: &mut Spec) -> Ruby<()> {
        let v = self.value(s)?;
        if let Some(text) = self.vm.check_str(v)? {
            s.precision = Some(1);
            return self.text_field(s, text);
        }
        let n = self.vm.to_i32(v)?;
        let invalid = || self.vm.arg_error("invalid character");
        let n = u32::try_from(n).map_err(|_| invalid())?;
        let enc = if self.enc == Enc::Ascii && n > 0x7f { Enc::Binary } else { self.enc };
        let bytes = integer::encode_char(n, enc).ok_or_else(invalid)?;
        let fill = s.width().saturating_sub(1);
        if !s.minus {
            self.pad(b' ', fill);
        }
        self.enc = enc;
        self.out.extend_from_slice(&bytes);
        if s.minus {
            self.pad(b' ', fill);
        }
        Ok(())
    }

    fn integer(&mut self, s: &Spec, c: u8) -> Ruby<()> {
        let v = self.value(s)?;
        let n = integer::convert(self.vm, v, NIL)?;
        let (base, bits) = match c {
            b'o' => (8, 3),
            b'x' | b'X' => (16, 4),
            b'b' | b'B' => (2, 1),
            _ => (10, 0),
        };
        let negative = int_negative(n);
        let signed = base == 10 || s.plus || s.space;
        let dots = negative && !signed;
        let mut digits = if dots {
            with_big(n, |x| twos_complement(x, bits))
        } else {
            with_big(n, |x| x.magnitude().to_str_radix(base))
        };
        if c == b'X' {
            digits.make_ascii_uppercase();
        }
        let sign = if negative && signed {
            "-"
        } else if signed {
            s.sign()
        } else {
            ""
        };
        let mut prefix = match c {
            _ if !s.sharp => "",
            b'o' => "0",
            b'x' => "0x",
            b'X' => "0X",
            b'b' => "0b",
            b'B' => "0B",
            _ => "",
        };
        let mut width = s.width.unwrap_or(0) - sign.len() as i64;
        let mut precision = s.precision.unwrap_or(-1);
        if dots {
            precision -= 2;
            width -= 2;
        }
        if prefix == "0" {
            if dots {
                prefix = "";
            } else if digits == "0" {
                digits.clear();
                precision -= s.precision.is_some() as i64;
            } else if s.precision.is_some() && precision > digits.len() as i64 {
                prefix = "";
            }
        } else if digits == "0" {
            prefix = "";
        }
        width -= prefix.len() as i64;
        if s.zero && !s.minus && s.precision.is_none() {
            precision = width;
            width = 0;
        } else {
            if precision < digits.len() as i64 {
                if prefix.is_empty() && precision == 0 && digits == "0" {
                    digits.clear();
                }
                precision = digits.len() as i64;
            }
            width -= precision;
        }
        let space = width.max(0) as usize;
        if !s.minus {
            self.pad(b' ', space);
        }
        self.out.extend_from_slice(sign.as_bytes());
        self.out.extend_from_slice(prefix.as_bytes());
        if dots {
            self.out.extend_from_slice(b"..");
        }
        let fill = (precision - digits.len() as i64).max(0) as usize;
        if dots {
            self.pad(digits.as_bytes()[0], fill);
        } else if !s.minus || s.precision.is_some() {
            self.pad(b'0', fill);
        }
        self.out.extend_from_slice(digits.as_bytes());
        if s.minus {
            self.pad(b' ', space);
        }
        Ok(())
    }

    fn real(&mut self, s: &Spec, c: u8) -> Ruby<()> {
        let v = self.value(s)?;
        if c == b'f'
            && let Some((num, den)) = rational::parts(v)
        {
            let (negative, digits) = decimal(num, den, s.precision.unwrap_or(6) as usize);
            self.number_field(s, if negative { "-" } else { s.sign() }, "", &digits, true);
            return Ok(());
        }
        let f = float::convert(self.vm, v)?;
        let sign = if f.is_sign_negative() && !f.is_nan() { "-" } else { s.sign() };
        if !f.is_finite() {
            self.number_field(s, sign, "", if f.is_nan() { "NaN" } else { "Inf" }, false);
            return Ok(());
        }
        if matches!(c, b'a' | b'A') {
            let mut body = hex_float(f.abs(), s.precision, s.sharp);
            if c == b'A' {
                body.make_ascii_uppercase();
            }
            self.number_field(s, sign, if c == b'A' { "0X" } else { "0x" }, &body, true);
            return Ok(());
        }
        let body = real_digits(f.abs(), c, s.precision, s.sharp);
        self.number_field(s, sign, "", &body, true);
        Ok(())
    }

    /// Sign, prefix and digits in a field; zeros go between prefix and digits.
    fn number_field(&mut self, s: &Spec, sign: &str, prefix: &str, body: &str, zeros: bool) {
        let fill = s.width().saturating_sub(sign.len() + prefix.len() + body.len());
        let zeros = zeros && s.zero && !s.minus;
        if !s.minus && !zeros {
            self.pad(b' ', fill);
        }
        self.out.extend_from_slice(sign.as_bytes());
        self.out.extend_from_slice(prefix.as_bytes());
        if zeros {
            self.pad(b'0', fill);
        }
        self.out.extend_from_slice(body.as_bytes());
        if s.minus {
            self.pad(b' ', fill);
        }
    }
}

fn shown(enc: Enc) -> &'static str {
    if enc == Enc::Binary { "BINARY (ASCII-8BIT)" } else { enc.name() }
}

/// Bytes of the first character; 1 where the bytes are broken.
fn char_len(b: &[u8], enc: Enc) -> usize {
    let n = match enc {
        Enc::Utf8 => match b[0] {
            0xc2..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf4 => 4,
            _ => 1,
        },
        Enc::Utf16Le | Enc::Utf16Be | Enc::Utf16 => 2,
        Enc::Utf32Le | Enc::Utf32Be | Enc::Utf32 => 4,
        Enc::EucJp | Enc::ShiftJis | Enc::Windows31J if b[0] >= 0x80 => 2,
        _ => 1,
    };
    if b.len() < n || enc == Enc::Utf8 && std::str::from_utf8(&b[..n]).is_err() { 1 } else { n }
}

/// Digits of a negative number's endless two's complement from the last sign digit on; `bits` per digit.
fn twos_complement(n: &BigInt, bits: u64) -> String {
    let abs = n.magnitude();
    let count = abs.bits().div_ceil(bits);
    let single = abs.trailing_zeros() == Some(abs.bits() - 1);
    let fits = single && count * bits - abs.bits() == bits - 1;
    let count = if fits { count } else { count + 1 };
    let all = (BigUint::from(1u8) << (count * bits)) - abs;
    all.to_str_radix(1 << bits)
}

/// `num / den` with so many decimals, ties away from zero; the text has no sign.
fn decimal(num: Value, den: Value, precision: usize) -> (bool, String) {
    let negative = int_negative(num);
    let one = den == Value::fixnum(1);
    let n = with_big(num, |n| n.magnitude().clone());
    let mut text = if one {
        let mut t = n.to_str_radix(10);
        t.extend(std::iter::repeat_n('0', precision));
        t
    } else {
        let d = with_big(den, |d| d.magnitude().clone());
        let scaled = n * BigUint::from(10u8).pow(precision as u32) + (&d >> 1u8);
        (scaled / d).to_str_radix(10)
    };
    if text.len() <= precision {
        text.insert_str(0, &"0".repeat(precision + 1 - text.len()));
    }
    if precision > 0 {
        text.insert(text.len() - precision, '.');
    }
    (negative, text)
}

/// `%e`, `%f`, `%g` of a finite number that is not negative.
fn real_digits(f: f64, c: u8, precision: Option<i64>, sharp: bool) -> String {
    let p = precision.unwrap_or(6);
    let wanted = match c {
        b'f' => Wanted::Decimals(p),
        b'g' | b'G' => Wanted::Significant(p.max(1)),
        _ => Wanted::Significant(p + 1),
    };
    match quick_digits(f, wanted) {
        Some((digits, point)) => laid_out(&digits, point, c, p as usize, sharp),
        None => libc_digits(f, c, p, sharp),
    }
}

/// How many digits to round to.
#[derive(Clone, Copy)]
enum Wanted {
    /// after the point
    Decimals(i64),
    /// in all
    Significant(i64),
}

/// Up to 14 digits by arithmetic in doubles, as David Gay's dtoa does first, and in the way CRuby's copy of it differs:
/// what lies so near the middle that doubles cannot tell goes to the even digit, so that 2.675 is 2.68 and 1.005 is
/// 1.00. Gives the digits and where the point stands (0.DIGITS * 10^point); `None` where only exact arithmetic will do.
fn quick_digits(f: f64, wanted: Wanted) -> Option<(Vec<u8>, i32)> {
    if f == 0.0 {
        return None;
    }
    let bits = f.to_bits();
    let e = (bits >> 52) as i32;
    if e == 0 {
        return None;
    }
    let fraction = f64::from_bits(bits & ((1 << 52) - 1) | 0x3ff << 52);
    let log = (fraction - 1.5) * 0.289529654602168 + 0.1760912590558 + (e - 1023) as f64 * std::f64::consts::LOG10_2;
    let mut k = log.floor() as i32;
    let mut unsure = true;
    if (0..=22).contains(&k) {
        k -= (f < 10f64.powi(k)) as i32;
        unsure = false;
    }
    let mut count = match wanted {
        Wanted::Significant(n) => n,
        Wanted::Decimals(n) => n + k as i64 + 1,
    };
    if !(1..=14).contains(&count) {
        return None;
    }
    let mut d = f;
    let mut steps = 2;
    const BIG: [f64; 5] = [1e16, 1e32, 1e64, 1e128, 1e256];
    if k > 0 {
        let mut by = 10f64.powi(k & 15);
        let mut j = k >> 4;
        if j & 16 != 0 {
            j &= 15;
            d /= BIG[4];
            steps += 1;
        }
        for big in BIG {
            if j & 1 != 0 {
                steps += 1;
                by *= big;
            }
            j >>= 1;
        }
        d /= by;
    } else if k < 0 {
        d *= 10f64.powi(-k & 15);
        let mut j = -k >> 4;
        for big in BIG {
            if j & 1 != 0 {
                steps += 1;
                d *= big;
            }
            j >>= 1;
        }
    }
    if unsure && d < 1.0 {
        count = match wanted {
            Wanted::Significant(n) => n,
            Wanted::Decimals(_) => count - 1,
        };
        if count <= 0 {
            return None;
        }
        k -= 1;
        d *= 10.0;
        steps += 1;
    }
    let mut eps = (steps as f64 * d + 7.0) * f64::EPSILON;
    let mut digits = Vec::with_capacity(count as usize);
    eps *= 10f64.powi(count as i32 - 1);
    loop {
        let digit = d.trunc();
        d -= digit;
        digits.push(b'0' + digit as u8);
        if d == 0.0 || digits.len() as i64 == count {
            break;
        }
        d *= 10.0;
    }
    let odd = digits.last().is_some_and(|c| c & 1 == 1);
    if d > 0.5 + eps || d >= 0.5 - eps && odd {
        // Up, with carry.
        while let Some(b'9') = digits.last() {
            digits.pop();
        }
        match digits.last_mut() {
            Some(c) => *c += 1,
            None => {
                digits.push(b'1');
                k += 1;
            }
        }
    }
    Some((digits, k + 1))
}

/// Digits in the form of `%f`, `%e` or `%g` with precision `p`.
fn laid_out(digits: &[u8], point: i32, c: u8, p: usize, sharp: bool) -> String {
    let at = |i: i64| if i < 0 { '0' } else { digits.get(i as usize).map_or('0', |&b| b as char) };
    let fixed = |decimals: usize| {
        let mut t: String = if point <= 0 { "0".into() } else { (0..point as i64).map(at).collect() };
        if decimals > 0 || sharp {
            t.push('.');
        }
        t.extend((0..decimals as i64).map(|i| at(i + point as i64)));
        t
    };
    let exponential = |decimals: usize, letter: char| {
        let mut t = at(0).to_string();
        if decimals > 0 || sharp {
            t.push('.');
        }
        t.extend((1..=decimals as i64).map(at));
        let e = point - 1;
        t + &format!("{letter}{}{:02}", if e < 0 { '-' } else { '+' }, e.abs())
    };
    match c {
        b'f' => fixed(p),
        b'e' | b'E' => exponential(p, c as char),
        _ => {
            let p = p.max(1);
            // Trailing zeros go unless '#' keeps them.
            let used = if sharp { p } else { digits.iter().rposition(|&b| b != b'0').map_or(1, |i| i + 1) };
            if point <= -4 || point > p as i32 {
                exponential(used.min(p) - 1, if c == b'g' { 'e' } else { 'E' })
            } else {
                fixed((used.min(p) as i64 - point as i64).max(0) as usize)
            }
        }
    }
}

/// The same by libc, which is exact.
fn libc_digits(f: f64, c: u8, p: i64, sharp: bool) -> String {
    // No double has more significant digits than this; the rest are zeros.
    const EXACT: i64 = 1100;
    let fmt = [b'%', b'#', b'.', b'*', c, 0];
    let plain = [b'%', b'.', b'*', c, 0];
    let fmt = if sharp { fmt.as_ptr() } else { plain.as_ptr() };
    let mut buf = vec![0u8; 2048];
    let want = p.min(EXACT) as libc::c_int;
    // SAFETY: a NUL-terminated format that takes an int and a double; at most `buf.len()` bytes are written.
    let n = unsafe { libc::snprintf(buf.as_mut_ptr() as *mut libc::c_char, buf.len(), fmt as *const _, want, f) };
    buf.truncate(n.max(0) as usize);
    let mut text = String::from_utf8(buf).unwrap_or_default();
    let missing = (p - EXACT).max(0) as usize;
    if missing > 0 && (c == b'f' || c == b'e' || c == b'E' || sharp) {
        let at = text.find(['e', 'E']).unwrap_or(text.len());
        text.insert_str(at, &"0".repeat(missing));
    }
    text
}

/// `%a` without sign and `0x`: `1.8p+3`.
fn hex_float(f: f64, precision: Option<i64>, sharp: bool) -> String {
    let bits = f.to_bits();
    let (mut exp, mut m) = ((bits >> 52 & 0x7ff) as i64, bits & ((1 << 52) - 1));
    if exp == 0 && m == 0 {
        exp = 0;
    } else if exp == 0 {
        // Subnormal: shift until the leading one is in place.
        let shift = m.leading_zeros() as i64 - 11;
        m <<= shift;
        exp = -1022 - shift;
    } else {
        m |= 1 << 52;
        exp -= 1023;
    }
    let mut digits = 13usize;
    if let Some(p) = precision
        && p < 13
    {
        let drop = (13 - p) * 4;
        let (low, half) = (m & ((1 << drop) - 1), 1u64 << (drop - 1));
        m >>= drop;
        if low > half || low == half && m & 1 == 1 {
            m += 1;
        }
        digits = p as usize;
    }
    let mut text = if digits > 0 {
        format!("{:x}{:0w$x}", m >> (digits * 4), m & ((1 << (digits * 4)) - 1), w = digits)
    } else {
        format!("{m:x}")
    };
    match precision {
        Some(p) => text.extend(std::iter::repeat_n('0', p as usize - digits)),
        None => text.truncate(text.trim_end_matches('0').len().max(1)),
    }
    if text.len() > 1 || sharp {
        text.insert(1, '.');
    }
    format!("{text}p{}{}", if exp < 0 { '-' } else { '+' }, exp.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negative_numbers_show_their_complement() {
        let t = |n: i64, bits| twos_complement(&BigInt::from(n), bits);
        assert_eq!(t(-1, 4), "f");
        assert_eq!(t(-255, 4), "f01");
        assert_eq!(t(-256, 4), "f00");
        assert_eq!(t(-5, 1), "1011");
        assert_eq!(t(-8, 3), "70");
    }

    #[test]
    fn hexadecimal_floats() {
        assert_eq!(hex_float(1.0, None, false), "1p+0");
        assert_eq!(hex_float(0.5, None, false), "1p-1");
        assert_eq!(hex_float(12.5, None, false), "1.9p+3");
        assert_eq!(hex_float(5e-324, None, false), "1p-1074");
        assert_eq!(hex_float(0.0, Some(2), false), "0.00p+0");
        assert_eq!(decimal(Value::fixnum(-1), Value::fixnum(3), 3), (true, "0.333".to_string()));
    }
}
