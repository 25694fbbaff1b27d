//! Expressions that always jump away and so never have a value.

use crate::ast::*;

/// The place of the jump if `node` can never yield a value.
pub fn never_valued(node: &Node) -> Option<Span> {
    match &node.kind {
        _ if jumps(node) => Some(node.span),
        // What follows a jump is never reached.
        Kind::Seq(statements) => {
            let jump = statements.iter().find(|statement| jumps(statement));
            jump.map_or_else(|| never_valued(statements.last()?), |jump| Some(jump.span))
        }
        Kind::If { then: Some(then), els: Some(els), .. } => {
            let first = never_valued(then)?;
            never_valued(els).map(|_| first)
        }
        Kind::And(first, _) | Kind::Or(first, _) => never_valued(first),
        Kind::Case { whens, els: Some(els), .. } => all_jump(whens.iter().map(|when| &*when.body), els),
        Kind::CaseIn { clauses, els: Some(els), .. } => all_jump(clauses.iter().map(|clause| &*clause.body), els),
        Kind::Begin(begin) => match (&begin.ensure, &begin.els) {
            // Clauses between body and `ensure` are not looked at, nor does CRuby.
            (Some(ensure), _) => never_valued(&begin.body).or_else(|| never_valued(ensure)),
            (None, Some(els)) => all_jump(begin.rescues.iter().map(|rescue| &*rescue.body), els),
            (None, None) => all_jump(begin.rescues.iter().map(|rescue| &*rescue.body), &begin.body),
        },
        _ => None,
    }
}

fn jumps(node: &Node) -> bool {
    matches!(
        node.kind,
        Kind::Return(_)
            | Kind::Break(_)
            | Kind::Next(_)
            | Kind::Redo
            | Kind::Retry
            | Kind::MatchPattern { raises: true, .. }
    )
}

/// The first jump, if all branches jump.
fn all_jump<'a>(branches: impl Iterator<Item = &'a Node>, last: &'a Node) -> Option<Span> {
    let mut first = None;
    for branch in branches.chain([last]) {
        let jump = never_valued(branch)?;
        first = first.or(Some(jump));
    }
    first
}
