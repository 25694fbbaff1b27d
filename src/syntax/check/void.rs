//! Expressions that always jump away and so never have a value.

use crate::ast::*;

/// The place of the jump if `node` can never yield a value.
pub fn never_valued(node: &Node) -> Option<Span> {
    match &node.kind {
        Kind::Return(_)
        | Kind::Break(_)
        | Kind::Next(_)
        | Kind::Redo
        | Kind::Retry
        | Kind::MatchPattern { raises: true, .. } => Some(node.span),
        Kind::Seq(statements) => never_valued(statements.last()?),
        Kind::If { then: Some(then), els: Some(els), .. } => {
            let first = never_valued(then)?;
            never_valued(els).map(|_| first)
        }
        Kind::And(first, _) | Kind::Or(first, _) => never_valued(first),
        Kind::Begin(begin) => match &begin.ensure {
            // Clauses between body and `ensure` are not looked at, nor does CRuby.
            Some(ensure) => never_valued(&begin.body).or_else(|| never_valued(ensure)),
            None => {
                let first = never_valued(&begin.body)?;
                let all_jump = begin.rescues.iter().all(|rescue| never_valued(&rescue.body).is_some());
                match &begin.els {
                    Some(els) => never_valued(els),
                    None => all_jump.then_some(first),
                }
            }
        },
        _ => None,
    }
}
