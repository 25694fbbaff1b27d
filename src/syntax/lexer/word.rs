//! Identifiers, constants, labels, keywords and method names.

use super::lex_state::{Open, State};
use super::{Fault, Lexer, Prev, Step, raw};
use crate::ast::Name;
use crate::token::{Ident, Resolved, Tok};

/// Operators that can be method names, longest first.
const OPERATORS: [&[u8]; 29] = [
    b"[]=", b"[]", b"<=>", b"===", b"==", b"=~", b"!~", b"!=", b"**", b"+@", b"-@", b"~@", b"!@", b"<<", b">>", b"<=",
    b">=", b"+", b"-", b"*", b"/", b"%", b"!", b"~", b"|", b"^", b"&", b"<", b">",
];

impl Lexer<'_> {
    /// A word that logos took for an identifier; the lexer stands after it.
    pub(super) fn word(&mut self, start: usize) -> Step {
        let state = self.state;
        let at_command = std::mem::take(&mut self.command_start);
        let mut end = self.pos;
        let question = self.predicate_len(end);
        end += question;
        self.pos = end;
        let next = self.at(end);
        let text = &self.src[start..end];

        let label = (state.any(State::LABEL.or(State::ENDFN)) && !at_command) || state.any(State::ARG_ANY);
        if label && next == b':' && self.at(end + 1) != b':' {
            return self.label(start, end);
        }
        if !state.any(State::DOT)
            && let Some((tok, modifier, after)) = keyword(text)
        {
            return self.keyword(start, tok, modifier, after, state, at_command);
        }
        self.state = if state.any(State::BEG_ANY.or(State::ARG_ANY).or(State::DOT)) {
            if at_command { State::CMDARG } else { State::ARG }
        } else {
            State::END
        };
        let name = self.name(start, end)?;
        let tok = if question > 0 {
            Tok::Fid(name)
        } else if is_constant(&name) {
            Tok::Const(name)
        } else {
            let mut resolved = Resolved::Call;
            if !state.any(State::DOT.or(State::FNAME)) {
                self.declare_by_place(&name, state.any(State::BEG));
                resolved = self.resolve(&name);
                if !matches!(resolved, Resolved::Call | Resolved::It) {
                    self.state = State::END.or(State::LABEL);
                }
            }
            Tok::Ident(Ident { name, resolved })
        };
        self.emit(start, tok)?;
        // `class A b`: the name of a class takes no arguments.
        self.maybe_command = !self.top_ref().class_name;
        Ok(())
    }

    /// 1 if the word before `end` goes on with `?` or `!`.
    fn predicate_len(&self, end: usize) -> usize {
        let (mark, next, after) = (self.at(end), self.at(end + 1), self.at(end + 2));
        match mark {
            b'!' | b'?' if next == b'=' => usize::from(matches!(after, b'>' | b'=' | b'~')),
            b'?' if next == b':' && after == b':' => 0,
            b'!' | b'?' => 1,
            _ => 0,
        }
    }

    fn resolve(&self, name: &Name) -> Resolved {
        if self.locals.is_local(name) {
            return Resolved::Local;
        }
        match name.as_bytes() {
            b"it" if self.locals.in_block() => Resolved::It,
            [b'_', b'1'..=b'9'] if self.locals.in_block() => Resolved::Numbered,
            _ => Resolved::Call,
        }
    }

    fn label(&mut self, start: usize, end: usize) -> Step {
        let name = self.name(start, end)?;
        self.pos = end + 1;
        let resolved = self.resolve(&name);
        let entry = self.top_ref();
        if entry.in_params() {
            if self.prev.precedes_parameter() {
                self.locals.declare(&name);
            }
        } else if entry.pattern && self.label_binds() {
            self.locals.assign(&name);
        }
        self.emit(start, Tok::Label(Ident { name, resolved }))?;
        self.state = State::ARG.or(State::LABELED);
        Ok(())
    }

    /// The method name (or, for symbols, also variable name) at `index`: its length, 0 if there is none.
    pub(super) fn method_name_len(&self, index: usize, symbol: bool) -> usize {
        let first = self.at(index);
        if symbol && matches!(first, b'@' | b'$') {
            return match raw::next(self.rest(index)) {
                Some((
                    raw::Raw::Ivar | raw::Raw::Cvar | raw::Raw::Gvar | raw::Raw::NthRef | raw::Raw::BackRef,
                    len,
                )) => len,
                _ => 0,
            };
        }
        if raw::is_ident_byte(first) && !first.is_ascii_digit() {
            let end = self.name_end(index);
            let (mark, next, after) = (self.at(end), self.at(end + 1), self.at(end + 2));
            let suffix = match mark {
                b'!' | b'?' => next != b'=' || matches!(after, b'>' | b'=' | b'~'),
                b'=' => {
                    !matches!(next, b'~' | b'>') && (next != b'=' || after == b'>') && (symbol || !self.is(State::DOT))
                }
                _ => false,
            };
            return end + usize::from(suffix) - index;
        }
        if first == b'`' {
            return 1;
        }
        OPERATORS.iter().find(|op| self.rest(index).starts_with(op)).map_or(0, |op| op.len())
    }

    /// A name after `def`, `alias` or `undef`.
    pub(super) fn definition_name(&mut self, start: usize) -> Result<bool, Fault> {
        let len = self.method_name_len(start, false);
        if len == 0 {
            return Ok(false);
        }
        self.pos = start + len;
        self.command_start = false;
        let name = self.operator_name(start, self.pos)?;
        self.emit(start, Tok::FName(name))?;
        if self.alias_items > 0 || self.undef {
            self.state = State::ENDFN;
            self.item_done();
        } else {
            self.state = State::ENDFN.or(State::LABEL);
            self.def_named();
        }
        Ok(true)
    }

    /// Unary operators are called `+@`; `!@` and `~@` are `!` and `~`.
    pub(super) fn operator_name(&mut self, start: usize, end: usize) -> Result<Name, Fault> {
        match &self.src[start..end] {
            b"!@" | b"~@" => self.name(start, start + 1),
            _ => self.name(start, end),
        }
    }

    /// One of the names of `alias` or `undef` has come.
    pub(super) fn item_done(&mut self) {
        if self.alias_items > 0 {
            self.alias_items -= 1;
            self.state = if self.alias_items > 0 { State::FNAME.or(State::FITEM) } else { State::END };
        }
    }

    fn def_named(&mut self) {
        self.def_singleton = false;
        let entry = self.top();
        if std::mem::take(&mut entry.scope_pending) {
            entry.owns_scope = true;
            self.locals.push_opaque();
        }
        let next = self.skip_blanks(self.pos);
        if self.at(next) != b'(' && !self.endless_at(next) {
            self.top().def_params = true;
        }
    }

    /// Marks the innermost `def` as endless if its `=` is at `index`.
    pub(super) fn endless_at(&mut self, index: usize) -> bool {
        let endless = self.top_ref().open == Open::Def
            && self.at(index) == b'='
            && !matches!(self.at(index + 1), b'=' | b'~' | b'>');
        if endless {
            self.top().open = Open::EndlessDef;
        }
        endless
    }

    fn keyword(
        &mut self,
        start: usize,
        tok: Tok,
        modifier: Option<Tok>,
        after: State,
        before: State,
        at_command: bool,
    ) -> Step {
        self.state = after;
        if after.any(State::BEG) {
            self.command_start = true;
        }
        if tok == Tok::KDo {
            return self.keyword_do(start, before);
        }
        let begins = before.any(State::BEG.or(State::LABELED).or(State::CLASS));
        if !begins && let Some(modifier) = modifier {
            self.state = State::BEG.or(State::LABEL);
            self.command_start = false;
            if modifier != Tok::ModRescue {
                self.pop_endless_defs();
            }
            self.end_clause();
            let modifier = if modifier == Tok::ModRescue && self.in_argument() { Tok::ArgRescue } else { modifier };
            return self.emit(start, modifier);
        }
        match tok {
            Tok::KAnd | Tok::KOr => {
                self.pop_endless_defs();
                self.end_clause();
            }
            Tok::KThen | Tok::KElse | Tok::KElsif | Tok::KWhen | Tok::KEnsure | Tok::KRescue => {
                self.pop_endless_defs();
                self.end_clause();
                self.top().rescue = tok == Tok::KRescue;
                self.top().condition = matches!(tok, Tok::KElsif | Tok::KWhen);
                self.top().rescue_var = false;
            }
            Tok::KEnd => {
                self.maybe_command = false;
                self.pop();
                return self.emit(start, tok);
            }
            Tok::KIn => return self.keyword_in(start),
            _ => {}
        }
        let kind = tok.clone();
        self.emit(start, tok)?;
        self.maybe_command = matches!(kind, Tok::KSuper | Tok::KYield);
        match kind {
            Tok::KClass | Tok::KModule => {
                self.push(Open::Keyword, start)?;
                self.top().scope_pending = true;
                self.top().class_name = true;
            }
            Tok::KBegin => {
                self.push(Open::Keyword, start)?;
                self.begin_statement();
            }
            Tok::KIf | Tok::KUnless | Tok::KCase => {
                self.push(Open::Keyword, start)?;
                self.top().condition = true;
            }
            Tok::KWhile | Tok::KUntil => {
                self.push(Open::Keyword, start)?;
                self.top().cond = true;
                self.top().condition = true;
            }
            Tok::KFor => {
                self.push(Open::Keyword, start)?;
                self.top().for_vars = true;
            }
            Tok::KDef => self.keyword_def(start)?,
            Tok::KThen | Tok::KElse | Tok::KEnsure => self.begin_statement(),
            Tok::KElsif => self.deepen_base()?,
            Tok::KReturn | Tok::KBreak | Tok::KNext => self.top().jump_args = true,
            Tok::KAlias => {
                self.alias_items = 2;
                self.state = State::FNAME.or(State::FITEM);
            }
            Tok::KUndef => {
                self.undef = true;
                self.state = State::FNAME.or(State::FITEM);
            }
            Tok::KBEGIN if self.stack[1..].iter().any(|entry| !entry.toplevel) || !at_command => {
                return Err(self.fault_at(start, self.pos, "BEGIN is permitted only at toplevel"));
            }
            _ => {}
        }
        Ok(())
    }

    /// Is an argument, an element or a condition being read, so that there is no statement to rescue?
    fn in_argument(&self) -> bool {
        let entry = self.stack.iter().rev().find(|entry| entry.open != Open::EndlessDef);
        entry.is_some_and(|entry| match entry.open {
            Open::Paren | Open::Bracket | Open::Hash | Open::DefParams => !entry.grouping,
            _ => entry.condition,
        })
    }

    /// `then`, `and`, ...: what began before them (a command, a pattern) is over.
    fn end_clause(&mut self) {
        let top = self.top();
        top.cmdarg = false;
        top.pattern = false;
        top.jump_args = false;
        self.maybe_command = false;
    }

    fn keyword_do(&mut self, start: usize, before: State) -> Step {
        self.maybe_command = false;
        let top = self.top();
        if top.lambdas > 0 {
            top.lambdas -= 1;
            self.emit(start, Tok::KDoLambda)?;
            self.push(Open::LambdaBody, start)?;
            self.top().owns_scope = true;
            self.begin_statement();
            return Ok(());
        }
        if top.cond {
            top.cond = false;
            top.condition = false;
            top.cmdarg = false;
            top.pattern = false;
            self.emit(start, Tok::KDoCond)?;
            self.begin_statement();
            return Ok(());
        }
        let tok = if top.cmdarg && !before.any(State::CMDARG) {
            top.cmdarg = false;
            Tok::KDoBlock
        } else {
            Tok::KDo
        };
        self.emit(start, tok)?;
        self.push(Open::Block, start)?;
        self.top().owns_scope = true;
        self.locals.push_block();
        self.begin_statement();
        Ok(())
    }

    fn keyword_in(&mut self, start: usize) -> Step {
        self.maybe_command = false;
        self.command_start = false;
        let top = self.top();
        if std::mem::take(&mut top.for_vars) {
            top.cond = true;
            top.condition = true;
            return self.emit(start, Tok::KForIn);
        }
        self.pop_endless_defs();
        self.state = State::BEG.or(State::LABEL);
        self.emit(start, Tok::KIn)?;
        let top = self.top();
        top.pattern = true;
        top.cmdarg = false;
        Ok(())
    }

    fn keyword_def(&mut self, start: usize) -> Step {
        self.push(Open::Def, start)?;
        self.top().scope_pending = true;
        let receiver = self.skip_blanks(self.pos);
        if self.at(receiver) == b'(' {
            self.state = State::BEG;
            return Ok(());
        }
        let mut end = receiver;
        while raw::is_ident_byte(self.at(end)) || matches!(self.at(end), b'@' | b'$') {
            end += 1;
        }
        if end == receiver {
            return Ok(());
        }
        let dot = self.skip_blanks(end);
        let (mark, next) = (self.at(dot), self.at(dot + 1));
        if (mark == b'.' && next != b'.') || (mark == b':' && next == b':') {
            self.def_singleton = true;
            self.state = State::BEG;
            self.command_start = false;
        }
        Ok(())
    }
}

fn is_constant(name: &str) -> bool {
    name.chars().next().is_some_and(|c| c.is_uppercase() || ('\u{1c5}'..='\u{1f2}').contains(&c) && is_titlecase(c))
}

/// The four digraphs with a capital first letter only; others are in Greek.
fn is_titlecase(c: char) -> bool {
    matches!(c, '\u{1c5}' | '\u{1c8}' | '\u{1cb}' | '\u{1f2}')
}

/// The keyword's token, its modifier form if it has one, and the state after it.
fn keyword(text: &[u8]) -> Option<(Tok, Option<Tok>, State)> {
    use Tok::*;
    const BEG: State = State::BEG;
    const END: State = State::END;
    const MID: State = State::MID;
    const ARG: State = State::ARG;
    Some(match text {
        b"alias" => (KAlias, None, State::FNAME.or(State::FITEM)),
        b"and" => (KAnd, None, BEG),
        b"begin" => (KBegin, None, BEG),
        b"BEGIN" => (KBEGIN, None, END),
        b"break" => (KBreak, None, MID),
        b"case" => (KCase, None, BEG),
        b"class" => (KClass, None, State::CLASS),
        b"def" => (KDef, None, State::FNAME),
        b"defined?" => (KDefined, None, ARG),
        b"do" => (KDo, None, BEG),
        b"else" => (KElse, None, BEG),
        b"elsif" => (KElsif, None, BEG),
        b"end" => (KEnd, None, END),
        b"END" => (KEND, None, END),
        b"ensure" => (KEnsure, None, BEG),
        b"false" => (KFalse, None, END),
        b"for" => (KFor, None, BEG),
        b"if" => (KIf, Some(ModIf), BEG),
        b"in" => (KIn, None, BEG),
        b"module" => (KModule, None, BEG),
        b"next" => (KNext, None, MID),
        b"nil" => (KNil, None, END),
        b"not" => (KNot, None, ARG),
        b"or" => (KOr, None, BEG),
        b"redo" => (KRedo, None, END),
        b"rescue" => (KRescue, Some(ModRescue), MID),
        b"retry" => (KRetry, None, END),
        b"return" => (KReturn, None, MID),
        b"self" => (KSelf, None, END),
        b"super" => (KSuper, None, ARG),
        b"then" => (KThen, None, BEG),
        b"true" => (KTrue, None, END),
        b"undef" => (KUndef, None, State::FNAME.or(State::FITEM)),
        b"unless" => (KUnless, Some(ModUnless), BEG),
        b"until" => (KUntil, Some(ModUntil), BEG),
        b"when" => (KWhen, None, BEG),
        b"while" => (KWhile, Some(ModWhile), BEG),
        b"yield" => (KYield, None, ARG),
        b"__FILE__" => (KFile, None, END),
        b"__LINE__" => (KLine, None, END),
        b"__ENCODING__" => (KEncoding, None, END),
        _ => return None,
    })
}

/// Words that cannot name a local variable.
pub(super) fn is_keyword(text: &[u8]) -> bool {
    keyword(text).is_some()
}

/// Which entry of the stack a `(` opens, told from what came before it.
pub(super) fn paren_kind(prev: Prev, in_def: bool) -> Option<Open> {
    match prev {
        Prev::Lambda => Some(Open::LambdaParams),
        Prev::KwDef => Some(Open::DefReceiver),
        Prev::FName if in_def => Some(Open::DefParams),
        _ => None,
    }
}
