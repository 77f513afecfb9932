//! Cotangents in numbers.

use super::At;
use crate::array::Array;
use crate::diagnostic::Diagnostic;
use crate::graph::{NodeId, Program};
use crate::reading::{Answers, Cotangent};

/// The cotangent of the variable for the given one of the result, by the pullback
/// or the backward pass; `None` where there is none of them. `at` is a point of
/// [`Answers::program`].
///
/// # Errors
/// A value that cannot be computed.
pub fn pulled(answers: &Answers, at: At, cotangent: &Array) -> Result<Option<Array>, Diagnostic> {
    let program = &answers.program;
    if let Some(node) = answers.pullback {
        let mut feed = at.inputs.clone();
        feed.set_cotangent(answers.out, cotangent.clone());
        return at.values.over(program, node, &feed).map(Some);
    }
    let pass = passed(program, at, (answers.out, cotangent), &answers.backward)?;
    Ok(pass.into_iter().rev().find(|(of, _)| *of == answers.wrt).map(|(_, value)| value))
}

/// All cotangents of a backward pass, in order, for the given one of a result.
///
/// # Errors
/// A value that cannot be computed.
pub fn passed(
    program: &Program,
    at: At,
    (out, cotangent): (NodeId, &Array),
    pass: &[Cotangent],
) -> Result<Vec<(NodeId, Array)>, Diagnostic> {
    let mut feed = at.inputs.clone();
    feed.set_cotangent(out, cotangent.clone());
    let mut found = Vec::with_capacity(pass.len());
    for Cotangent { of, value } in pass {
        let value = at.values.over(program, *value, &feed)?;
        feed.set_cotangent(*of, value.clone());
        found.push((*of, value));
    }
    Ok(found)
}
