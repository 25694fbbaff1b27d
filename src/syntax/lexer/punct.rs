//! Operators, brackets and variables with a sigil.

use super::lex_state::{Open, State};
use super::raw::{self, Raw};
use super::word::paren_kind;
use super::{Lexer, Prev, Step};
use crate::token::Tok;

impl Lexer<'_> {
    /// A raw token that is neither blank nor the opener of a literal; the lexer stands after it.
    pub(super) fn code_token(&mut self, start: usize, raw: Raw, space: bool) -> Step {
        let next = self.at(self.pos);
        match raw {
            Raw::Ident => self.word(start),
            Raw::Ivar | Raw::Cvar | Raw::Gvar | Raw::NthRef | Raw::BackRef => self.sigil_variable(start, raw),
            Raw::Digit => self.number(start, start, false),
            Raw::OpAsgn => {
                if let Some(name) = self.bare.take() {
                    self.locals.assign(&name);
                }
                let name = self.name(start, self.pos - 1)?;
                self.simple(start, Tok::OpAsgn(name), State::BEG)
            }
            Raw::Plus | Raw::Minus => self.plus_minus(start, raw == Raw::Minus, space),
            Raw::Mul => self.splat_or(start, space, Tok::Star, Tok::Mul),
            Raw::Pow => self.splat_or(start, space, Tok::DStar, Tok::Pow),
            Raw::And => self.splat_or(start, space, Tok::Amper, Tok::And),
            Raw::Div => self.operator(start, Tok::Div),
            Raw::Mod => self.operator(start, Tok::Mod),
            Raw::Bang => self.operator(start, Tok::Bang),
            Raw::Tilde => self.operator(start, Tok::Tilde),
            Raw::Caret => self.operator(start, Tok::Caret),
            Raw::Cmp => self.operator(start, Tok::Cmp),
            Raw::EqEq => self.operator(start, Tok::EqEq),
            Raw::Eqq => self.operator(start, Tok::Eqq),
            Raw::Neq => self.operator(start, Tok::Neq),
            Raw::Match => {
                if self.prev == Prev::RegexpEnd {
                    for name in std::mem::take(&mut self.captures) {
                        self.locals.assign(&name);
                    }
                }
                self.operator(start, Tok::Match)
            }
            Raw::NMatch => self.operator(start, Tok::NMatch),
            Raw::Lt => {
                let class = self.is(State::CLASS);
                self.top().class_name = false;
                self.operator(start, Tok::Lt)?;
                self.command_start |= class;
                Ok(())
            }
            Raw::Gt => self.operator(start, Tok::Gt),
            Raw::Le => self.operator(start, Tok::Le),
            Raw::Ge => self.operator(start, Tok::Ge),
            Raw::LShift => {
                let class = self.is(State::CLASS);
                self.top().class_name = false;
                self.operator(start, Tok::LShift)?;
                self.command_start |= class;
                Ok(())
            }
            Raw::RShift => self.operator(start, Tok::RShift),
            Raw::AndOp => self.simple(start, Tok::AndOp, State::BEG),
            Raw::OrOp => self.double_pipe(start),
            Raw::Pipe => self.pipe(start),
            Raw::Eq => self.equals(start),
            Raw::Assoc => self.assoc(start),
            Raw::Lambda => {
                self.simple(start, Tok::Lambda, State::ENDFN)?;
                self.top().lambdas += 1;
                self.locals.push_block();
                Ok(())
            }
            Raw::Dot => self.dot(start, Tok::Dot),
            Raw::AndDot => self.dot(start, Tok::AndDot),
            Raw::Dot2 => {
                let tok = if self.is_beg() { Tok::BDot2 } else { Tok::Dot2 };
                self.simple(start, tok, State::BEG)
            }
            Raw::Dot3 => self.dot3(start),
            Raw::Colon2 => {
                let top = self.is_beg() || self.is(State::CLASS) || (self.is_arg() && space && !raw::is_space(next));
                if top { self.simple(start, Tok::Colon3, State::BEG) } else { self.dot(start, Tok::Colon2) }
            }
            Raw::Colon => self.simple(start, Tok::Colon, State::BEG),
            Raw::Quest => self.simple(start, Tok::Quest, State::BEG),
            Raw::Comma => self.comma(start),
            Raw::Semi => {
                self.maybe_command = false;
                let params = self.top_ref().block_params || self.top_ref().open == Open::LambdaParams;
                self.emit(start, Tok::Semi)?;
                if params {
                    self.state = State::BEG;
                } else {
                    self.end_statement();
                }
                Ok(())
            }
            Raw::LParen => self.open_paren(start, space),
            Raw::RParen => self.close_paren(start),
            Raw::LBrack => self.open_bracket(start, space),
            Raw::RBrack => {
                self.pop();
                self.maybe_command = false;
                self.simple(start, Tok::RBrack, State::END)
            }
            Raw::LBrace => self.open_brace(start),
            Raw::RBrace => self.close_brace(start),
            // `` a.` ``: the method of that name.
            Raw::BackQuote => {
                let name = self.name(start, self.pos)?;
                self.simple(start, Tok::OpName(name), State::ARG)?;
                self.maybe_command = true;
                Ok(())
            }
            // Where a string may stand, `opener` has taken it.
            Raw::DoubleQuote | Raw::SingleQuote => Err(self.fault_at(start, self.pos, "unexpected string literal")),
            Raw::Space | Raw::LineCont | Raw::Comment | Raw::Newline => unreachable!("handled before"),
        }
    }

    /// Emits `tok`; the state after it does not depend on anything.
    fn simple(&mut self, start: usize, tok: Tok, after: State) -> Step {
        self.command_start = false;
        self.emit(start, tok)?;
        self.state = after;
        Ok(())
    }

    /// A binary operator, or a method name after `.` (those were taken by `opener` already).
    fn operator(&mut self, start: usize, tok: Tok) -> Step {
        let after = if self.after_operator() { State::ARG } else { State::BEG };
        self.simple(start, tok, after)
    }

    fn splat_or(&mut self, start: usize, space: bool, prefix: Tok, infix: Tok) -> Step {
        let next = self.at(self.pos);
        let tok = if self.is_beg() || self.spaced_arg(space, next) { prefix } else { infix };
        self.operator(start, tok)
    }

    fn plus_minus(&mut self, start: usize, minus: bool, space: bool) -> Step {
        let next = self.at(self.pos);
        let unary = !self.after_operator() && (self.is_beg() || self.spaced_arg(space, next));
        if !unary {
            return self.operator(start, if minus { Tok::Minus } else { Tok::Plus });
        }
        if !minus && next.is_ascii_digit() {
            return self.number(start, self.pos, false);
        }
        if minus && next.is_ascii_digit() {
            // `-2 ** 2` is `-(2 ** 2)`: the sign belongs to the number only without a power after it.
            let (_, end) = self.read_number(self.pos, false)?;
            if !self.rest(self.skip_blanks(end)).starts_with(b"**") {
                return self.number(start, self.pos, true);
            }
        }
        self.simple(start, if minus { Tok::UMinus } else { Tok::UPlus }, State::BEG)
    }

    fn sigil_variable(&mut self, start: usize, raw: Raw) -> Step {
        let before = self.state;
        let tok = self.sigil_token(start, raw)?;
        self.simple(start, tok, State::END)?;
        if before.any(State::FNAME) {
            self.item_done();
        }
        Ok(())
    }

    /// The token of a variable that reaches from `start` to where the lexer stands.
    pub(super) fn sigil_token(&mut self, start: usize, raw: Raw) -> Result<Tok, super::Fault> {
        Ok(match raw {
            Raw::Ivar => Tok::Ivar(self.name(start, self.pos)?),
            Raw::Cvar => Tok::Cvar(self.name(start, self.pos)?),
            Raw::NthRef => {
                let digits = std::str::from_utf8(&self.src[start + 1..self.pos]).unwrap_or("");
                match digits.parse::<u32>() {
                    Ok(number) if number <= (1 << 30) => Tok::NthRef(number),
                    _ => {
                        self.warn(start, format!("'${digits}' is too big for a number variable, always nil"), false);
                        Tok::NthRef(0)
                    }
                }
            }
            Raw::BackRef => Tok::BackRef(self.src[start + 1]),
            _ => {
                let end = self.pos;
                if end - start > 2 && self.src[start + 1] == b'0' {
                    let text = String::from_utf8_lossy(&self.src[start..end]).into_owned();
                    return Err(self.fault_at(
                        start,
                        end,
                        format!("'{text}' is not allowed as a global variable name"),
                    ));
                }
                Tok::Gvar(self.name(start, end)?)
            }
        })
    }

    fn double_pipe(&mut self, start: usize) -> Step {
        if !(self.is(State::BEG) && self.prev == Prev::BlockOpen) {
            return self.simple(start, Tok::OrOp, State::BEG);
        }
        // An empty parameter list.
        self.pos = start + 1;
        self.emit(start, Tok::Pipe)?;
        self.pos = start + 2;
        self.emit(start + 1, Tok::Pipe)?;
        self.params_end();
        Ok(())
    }

    fn pipe(&mut self, start: usize) -> Step {
        if self.top_ref().block_params {
            self.top().block_params = false;
            self.emit(start, Tok::Pipe)?;
            self.params_end();
            return Ok(());
        }
        let opens = self.prev == Prev::BlockOpen;
        if opens {
            self.top().block_params = true;
        }
        let after = if self.after_operator() { State::ARG } else { State::BEG.or(State::LABEL) };
        self.simple(start, Tok::Pipe, after)
    }

    /// The second `|` of a block's parameters.
    fn params_end(&mut self) {
        self.end_item();
        self.begin_statement();
        self.state = State::BEG.or(State::LABEL);
        self.command_start = true;
    }

    fn equals(&mut self, start: usize) -> Step {
        self.declare_targets();
        self.operator(start, Tok::Eq)
    }

    fn assoc(&mut self, start: usize) -> Step {
        let entry = self.top();
        if entry.rescue {
            entry.rescue_var = true;
        } else if !entry.pattern && !entry.cmdarg && !entry.in_params() {
            // `value => pattern`; in a list of arguments or pairs it is a hash's arrow.
            entry.pattern = match entry.open {
                Open::Paren => entry.grouping,
                Open::Hash | Open::Bracket | Open::DefParams | Open::LambdaParams => false,
                _ => !entry.jump_args,
            };
            if entry.pattern {
                self.simple(start, Tok::Assoc, State::BEG.or(State::LABEL))?;
                return Ok(());
            }
        }
        self.simple(start, Tok::Assoc, State::BEG)
    }

    fn dot(&mut self, start: usize, tok: Tok) -> Step {
        let singleton = std::mem::take(&mut self.def_singleton) && tok != Tok::AndDot;
        self.simple(start, tok, if singleton { State::FNAME } else { State::DOT })
    }

    fn dot3(&mut self, start: usize) -> Step {
        let begins = self.is_beg();
        let entry = self.top_ref();
        let params = (entry.def_params || entry.open == Open::DefParams) && self.prev.precedes_parameter();
        let tok = if begins || params { Tok::BDot3 } else { Tok::Dot3 };
        // `(...)` forwards arguments: an end, not the start of a range.
        let after = if params || (begins && self.at(self.pos) == b')') { State::ENDARG } else { State::BEG };
        self.simple(start, tok, after)
    }

    fn comma(&mut self, start: usize) -> Step {
        if !self.top_ref().cmdarg {
            self.pop_endless_defs();
        }
        self.simple(start, Tok::Comma, State::BEG.or(State::LABEL))?;
        self.end_item();
        if self.undef {
            self.state = State::FNAME.or(State::FITEM);
        }
        Ok(())
    }

    fn open_paren(&mut self, start: usize, space: bool) -> Step {
        let entry = self.top_ref();
        let (outer_params, outer_pattern) = (entry.in_params(), entry.pattern);
        let prev = self.prev;
        let kind = paren_kind(prev, entry.open == Open::Def);
        let (tok, open) = match kind {
            Some(Open::DefReceiver) => (Tok::LParen, Open::DefReceiver),
            Some(open) => (Tok::LParenCall, open),
            None if self.is_beg() => (Tok::LParen, Open::Paren),
            None if !space => (Tok::LParenCall, Open::Paren),
            None if self.is_arg() || self.state.all(State::END.or(State::LABEL)) => (Tok::LParenArg, Open::ParenArg),
            None => (Tok::LParenCall, Open::Paren),
        };
        let grouping = tok != Tok::LParenCall;
        self.command_start = false;
        self.emit(start, tok)?;
        self.push(open, start)?;
        let top = self.top();
        top.grouping = grouping;
        top.params = match open {
            Open::DefParams | Open::LambdaParams => true,
            _ => grouping && outer_params && prev.precedes_parameter(),
        };
        top.pattern = outer_pattern && prev != Prev::Caret;
        if grouping {
            self.begin_statement();
        }
        self.state = State::BEG.or(State::LABEL);
        Ok(())
    }

    fn close_paren(&mut self, start: usize) -> Step {
        self.pop_endless_defs();
        let targets = std::mem::take(&mut self.top().multi);
        let open = self.pop();
        if matches!(open, Open::Paren | Open::ParenArg) {
            self.adopt_targets(targets);
        }
        self.maybe_command = false;
        self.simple(start, Tok::RParen, if open == Open::ParenArg { State::ENDARG } else { State::ENDFN })?;
        match open {
            Open::DefReceiver => self.def_singleton = true,
            Open::DefParams => {
                let next = self.skip_blanks(self.pos);
                if !self.endless_at(next) {
                    self.state = State::BEG;
                    self.command_start = true;
                    self.begin_statement();
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn open_bracket(&mut self, start: usize, space: bool) -> Step {
        let literal = self.is_beg() || (self.is_arg() && (space || self.is(State::LABELED)));
        let pattern = self.top_ref().pattern;
        self.command_start = false;
        self.emit(start, if literal { Tok::LBrack } else { Tok::LBrackIdx })?;
        self.push(Open::Bracket, start)?;
        self.top().pattern = pattern;
        self.state = State::BEG.or(State::LABEL);
        Ok(())
    }

    fn open_brace(&mut self, start: usize) -> Step {
        let (tok, open) = if self.top_ref().lambdas > 0 {
            self.top().lambdas -= 1;
            (Tok::LamBeg, Open::LambdaBody)
        } else if self.is(State::LABELED) {
            (Tok::LBrace, Open::Hash)
        } else if self.is(State::ARG_ANY.or(State::END).or(State::ENDFN)) {
            (Tok::LBraceBlk, Open::Block)
        } else if self.is(State::ENDARG) {
            (Tok::LBraceArg, Open::Block)
        } else {
            (Tok::LBrace, Open::Hash)
        };
        if tok == Tok::LBraceBlk {
            self.maybe_command = false;
        }
        let pattern = self.top_ref().pattern;
        let shares_scope = self.prev == Prev::KwBeginBlock;
        self.command_start = false;
        self.emit(start, tok)?;
        self.push(open, start)?;
        if open == Open::Hash {
            self.top().pattern = pattern;
            self.state = State::BEG.or(State::LABEL);
            return Ok(());
        }
        if shares_scope {
            self.top().toplevel = true;
        } else {
            self.top().owns_scope = true;
            if open == Open::Block {
                self.locals.push_block();
            }
        }
        self.begin_statement();
        self.state = State::BEG;
        self.command_start = true;
        Ok(())
    }

    fn close_brace(&mut self, start: usize) -> Step {
        let open = self.pop();
        self.maybe_command = false;
        self.command_start = false;
        if open == Open::Embed {
            self.emit(start, Tok::DEnd)?;
            if let Some(literal) = self.literals.last_mut() {
                literal.suspended = false;
            }
            return Ok(());
        }
        self.simple(start, Tok::RBrace, State::END)
    }
}
