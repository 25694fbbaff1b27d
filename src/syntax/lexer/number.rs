//! Number literals.

use super::lex_state::State;
use super::raw::is_ident_byte;
use super::{Fault, Lexer, Step};
use crate::token::{Number, Tok};
use std::rc::Rc;

/// Longest literal that is converted from another base to decimal (the conversion is quadratic), in digits.
const MAX_DIGITS: usize = 100_000;

impl Lexer<'_> {
    /// The number whose digits begin at `digits`; a sign may stand before them, at `start`.
    pub(super) fn number(&mut self, start: usize, digits: usize, negative: bool) -> Step {
        let (number, end) = self.read_number(digits, negative)?;
        self.pos = end;
        self.command_start = false;
        self.emit(start, Tok::Num(number))?;
        self.state = State::END;
        Ok(())
    }

    /// The number at `start` and the offset after it.
    pub(super) fn read_number(&mut self, start: usize, negative: bool) -> Result<(Number, usize), Fault> {
        let (number, end) = match (self.at(start), self.at(start + 1)) {
            (b'0', b'x' | b'X') => self.integer(start + 2, 16, negative)?,
            (b'0', b'b' | b'B') => self.integer(start + 2, 2, negative)?,
            (b'0', b'o' | b'O') => self.integer(start + 2, 8, negative)?,
            (b'0', b'd' | b'D') => self.integer(start + 2, 10, negative)?,
            (b'0', b'0'..=b'9' | b'_') => self.integer(start, 8, negative)?,
            _ => return self.decimal(start, negative),
        };
        Ok(self.suffix(number, end, true))
    }

    /// Digits of `radix` from `start`, underscores between them.
    fn integer(&self, start: usize, radix: u32, negative: bool) -> Result<(Number, usize), Fault> {
        let (digits, end) = self.digits(start, radix)?;
        if digits.is_empty() {
            return Err(self.fault_at(start, start + 1, "numeric literal without digits"));
        }
        if self.at(end).is_ascii_digit() {
            let message = if radix == 8 { "Invalid octal digit" } else { "numeric literal without digits" };
            return Err(self.fault_at(end, end + 1, message));
        }
        self.refuse_fraction(end)?;
        Ok((self.integer_value(&digits, radix, negative, start)?, end))
    }

    /// `1.2.3`, `0x1.2`
    fn refuse_fraction(&self, end: usize) -> Step {
        if self.at(end) == b'.' && self.at(end + 1).is_ascii_digit() {
            return Err(self.fault_at(end, end + 1, "unexpected fraction part after numeric literal"));
        }
        Ok(())
    }

    fn integer_value(&self, digits: &str, radix: u32, negative: bool, at: usize) -> Result<Number, Fault> {
        if let Ok(value) = i128::from_str_radix(digits, radix)
            && let Ok(value) = i64::try_from(if negative { -value } else { value })
        {
            return Ok(Number::Int(value));
        }
        let decimal = if radix == 10 {
            digits.trim_start_matches('0').to_string()
        } else if digits.len() > MAX_DIGITS {
            return Err(self.fault_at(at, at + 1, "numeric literal too long"));
        } else {
            to_decimal(digits, radix)
        };
        Ok(Number::Big(if negative { format!("-{decimal}") } else { decimal }.into()))
    }

    /// Digits without their underscores, and the offset after them.
    fn digits(&self, start: usize, radix: u32) -> Result<(String, usize), Fault> {
        let mut text = String::new();
        let mut at = start;
        loop {
            let byte = self.at(at);
            if (byte as char).is_digit(radix) {
                text.push(byte as char);
            } else if byte == b'_' && (at > start || self.at(start.wrapping_sub(1)).is_ascii_digit()) {
                if !(self.at(at + 1) as char).is_digit(radix) {
                    let doubled = self.at(at + 1) == b'_';
                    let message = if self.at(at + 1).is_ascii_digit() && radix == 8 {
                        "Invalid octal digit"
                    } else if doubled {
                        "numeric literal without digits"
                    } else {
                        "trailing '_' in number"
                    };
                    return Err(self.fault_at(at, at + 1, message));
                }
            } else {
                return Ok((text, at));
            }
            at += 1;
        }
    }

    /// An integer, float or rational in base ten.
    fn decimal(&mut self, start: usize, negative: bool) -> Result<(Number, usize), Fault> {
        let (whole, mut end) = self.digits(start, 10)?;
        let mut fraction = String::new();
        let mut float = false;
        if self.at(end) == b'.' && self.at(end + 1).is_ascii_digit() {
            (fraction, end) = self.digits(end + 1, 10)?;
            float = true;
        }
        let mut exponent = String::new();
        if matches!(self.at(end), b'e' | b'E') {
            let sign = usize::from(matches!(self.at(end + 1), b'+' | b'-'));
            if self.at(end + 1 + sign).is_ascii_digit() {
                let (digits, after) = self.digits(end + 1 + sign, 10)?;
                exponent = format!("e{}{digits}", if self.at(end + 1) == b'-' { "-" } else { "" });
                end = after;
                float = true;
            }
        }
        self.refuse_fraction(end)?;
        let sign = if negative { "-" } else { "" };
        if float && exponent.is_empty() && self.at(end) == b'r' {
            let digits = format!("{whole}{fraction}");
            let digits = digits.trim_start_matches('0');
            let numerator = if digits.is_empty() { "0".to_string() } else { format!("{sign}{digits}") };
            let rational = Number::Rational(Rc::new((numerator, format!("1{}", "0".repeat(fraction.len())))));
            let (number, after) = self.suffix(rational, end + 1, false);
            if !is_ident_byte(self.at(after)) {
                return Ok((number, after));
            }
        }
        if float {
            let text = format!("{sign}{whole}.{}{exponent}", if fraction.is_empty() { "0" } else { &fraction });
            let value: f64 = text.parse().unwrap_or(f64::INFINITY);
            if value.is_infinite() {
                self.warn(start, format!("Float {text} out of range"), false);
            }
            return Ok(self.suffix(Number::Float(value), end, false));
        }
        let number = self.integer_value(&whole, 10, negative, start)?;
        Ok(self.suffix(number, end, true))
    }

    /// `r`, `i` or `ri` after a number, unless more letters follow.
    fn suffix(&self, number: Number, end: usize, rational: bool) -> (Number, usize) {
        let is_rational = rational && self.at(end) == b'r';
        let after = end + usize::from(is_rational);
        let imaginary = self.at(after) == b'i';
        let after = after + usize::from(imaginary);
        if after == end || is_ident_byte(self.at(after)) {
            return (number, end);
        }
        let number = match number {
            Number::Int(value) if is_rational => Number::Rational(Rc::new((value.to_string(), "1".into()))),
            Number::Big(digits) if is_rational => Number::Rational(Rc::new((digits.to_string(), "1".into()))),
            other => other,
        };
        (if imaginary { Number::Imaginary(Rc::new(number)) } else { number }, after)
    }
}

/// Digits of a base of 2, 8 or 16 in base ten.
fn to_decimal(digits: &str, radix: u32) -> String {
    const BASE: u64 = 1_000_000_000;
    // As many digits at a time as fit into 28 bits.
    let step = match radix {
        2 => 28,
        8 => 9,
        _ => 7,
    };
    let mut limbs: Vec<u64> = vec![0];
    for chunk in digits.as_bytes().chunks(step) {
        let value = chunk.iter().fold(0, |sum, &d| sum * radix + (d as char).to_digit(radix).unwrap_or(0));
        let scale = u64::from(radix).pow(chunk.len() as u32);
        let mut carry = u64::from(value);
        for limb in &mut limbs {
            let value = *limb * scale + carry;
            *limb = value % BASE;
            carry = value / BASE;
        }
        if carry > 0 {
            limbs.push(carry);
        }
    }
    let mut text = limbs.pop().unwrap_or(0).to_string();
    for limb in limbs.iter().rev() {
        text.push_str(&format!("{limb:09}"));
    }
    text
}
