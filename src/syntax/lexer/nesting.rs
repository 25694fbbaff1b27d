//! What opens, what closes, and which names become variables on the way.

use super::lex_state::{Entry, MultiTargets, Open, State};
use super::{Fault, Lexer, MAX_DEPTH, Prev, Step};
use crate::ast::Name;
use crate::token::Tok;

impl Lexer<'_> {
    pub(super) fn top(&mut self) -> &mut Entry {
        self.stack.last_mut().expect("the entry for the whole text is never popped")
    }
    pub(super) fn top_ref(&self) -> &Entry {
        self.stack.last().expect("the entry for the whole text is never popped")
    }

    /// Opens something; the opener reaches from `start` to where the lexer stands.
    pub(super) fn push(&mut self, open: Open, start: usize) -> Step {
        self.stack.push(Entry::new(open, start as u32, self.pos as u32));
        self.depth += 1;
        self.check_depth(start)
    }

    /// Closes the innermost construct. At the top level nothing is closed and the parser will complain.
    pub(super) fn pop(&mut self) -> Open {
        self.pop_endless_defs();
        if self.stack.len() == 1 {
            return Open::Top;
        }
        self.pop_entry()
    }

    fn pop_entry(&mut self) -> Open {
        let Some(entry) = self.stack.pop() else { return Open::Top };
        self.depth -= 1 + entry.depth + entry.base_depth;
        if entry.owns_scope {
            self.locals.pop();
        }
        entry.open
    }

    /// A `def f = ...` ends with the expression around it.
    pub(super) fn pop_endless_defs(&mut self) {
        while self.top_ref().open == Open::EndlessDef {
            self.pop_entry();
        }
    }

    /// The tree gets a level deeper within the current expression.
    pub(super) fn deepen(&mut self) -> Step {
        self.depth += 1;
        self.top().depth += 1;
        self.check_depth(self.pos.saturating_sub(1))
    }

    /// A level that stays until the innermost construct closes.
    pub(super) fn deepen_base(&mut self) -> Step {
        self.depth += 1;
        self.top().base_depth += 1;
        self.check_depth(self.pos.saturating_sub(1))
    }

    fn check_depth(&self, at: usize) -> Result<(), Fault> {
        if self.depth > MAX_DEPTH { Err(self.fault_at(at, at + 1, "nesting too deep")) } else { Ok(()) }
    }

    /// An item of a list is complete: its depth is given back.
    pub(super) fn end_item(&mut self) {
        self.depth -= std::mem::take(&mut self.top().depth);
    }

    /// A statement may start here: it may be a multiple assignment.
    pub(super) fn begin_statement(&mut self) {
        self.top().multi = MultiTargets { alive: true, ..MultiTargets::default() };
    }

    /// Newline or `;`.
    pub(super) fn end_statement(&mut self) {
        self.pop_endless_defs();
        self.end_item();
        self.undef = false;
        let entry = self.top();
        entry.cmdarg = false;
        entry.cond = false;
        entry.condition = false;
        entry.class_name = false;
        entry.pattern = false;
        entry.jump_args = false;
        entry.def_params = false;
        entry.rescue = false;
        entry.rescue_var = false;
        if std::mem::take(&mut entry.scope_pending) {
            entry.owns_scope = true;
            self.locals.push_opaque();
        }
        self.begin_statement();
        self.command_start = true;
        self.state = State::BEG;
    }

    /// Follows the left side of what may become a multiple assignment.
    pub(super) fn track_targets(&mut self, tok: &Tok) {
        let multi = &mut self.top().multi;
        if !multi.alive {
            return;
        }
        match tok {
            Tok::Ident(ident) => {
                multi.name = (multi.tokens == 0).then(|| ident.name.clone());
                multi.tokens += 1;
            }
            Tok::Star => {}
            Tok::Comma => multi.commit(),
            Tok::Const(_)
            | Tok::Fid(_)
            | Tok::Ivar(_)
            | Tok::Gvar(_)
            | Tok::Cvar(_)
            | Tok::KSelf
            | Tok::Dot
            | Tok::AndDot
            | Tok::Colon2
            | Tok::Colon3
            | Tok::LBrackIdx
            | Tok::RBrack
            | Tok::LParen
            | Tok::LParenArg
            | Tok::LParenCall
            | Tok::RParen => {
                multi.name = None;
                multi.tokens += 1;
            }
            _ => multi.alive = false,
        }
    }

    /// A `)` closed a grouping: names within may be targets of the assignment around it.
    pub(super) fn adopt_targets(&mut self, mut inner: MultiTargets) {
        if inner.alive {
            inner.commit();
            let multi = &mut self.top().multi;
            if multi.alive {
                multi.names.append(&mut inner.names);
            }
        }
    }

    /// `=`: what stands before it becomes local variables.
    pub(super) fn declare_targets(&mut self) {
        if let Some(name) = self.bare.take() {
            self.locals.assign(&name);
        }
        let mut multi = std::mem::take(&mut self.top().multi);
        if multi.alive {
            multi.commit();
            for name in &multi.names {
                self.locals.assign(name);
            }
        }
    }

    /// An identifier came: does its place make it a variable? `next` is the byte after it.
    pub(super) fn declare_by_place(&mut self, name: &Name, begins: bool) {
        let next = self.at(self.pos);
        let after = self.skip_blanks(self.pos);
        let continued = matches!(next, b'(' | b'[')
            || self.rest(after).starts_with(b"::")
            || self.rest(after).starts_with(b"&.")
            || (self.at(after) == b'.' && self.at(after + 1) != b'.');
        let entry = self.top_ref();
        if entry.in_params() {
            let placed = self.prev.precedes_parameter();
            if placed && !(entry.for_vars && continued) {
                if entry.for_vars {
                    self.locals.assign(name);
                } else {
                    self.locals.declare(name);
                }
            }
        } else if entry.pattern {
            if begins && !continued && self.prev != Prev::Caret {
                self.locals.assign(name);
            }
        } else if entry.rescue_var && self.prev == Prev::Assoc && !continued {
            self.locals.assign(name);
        }
    }

    /// May the label that just came (`in {a:}`) be without a pattern, so that it binds its name?
    pub(super) fn label_binds(&self) -> bool {
        let entry = self.top_ref();
        let index = match entry.open {
            Open::Hash | Open::Paren | Open::Bracket => self.next_code(self.pos),
            _ => self.skip_blanks(self.pos),
        };
        match self.at(index) {
            0 | b',' | b'}' | b')' | b']' | b'\n' | b'\r' | b';' | b'#' => true,
            b'a'..=b'z' => {
                matches!(&self.src[index..self.name_end(index)], b"then" | b"if" | b"unless" | b"and" | b"or")
            }
            _ => false,
        }
    }
}

impl MultiTargets {
    /// The current item is complete.
    fn commit(&mut self) {
        if let Some(name) = self.name.take() {
            self.names.push(name);
        }
        self.tokens = 0;
    }
}
