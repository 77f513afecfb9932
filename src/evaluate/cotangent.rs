//! Cotangents in numbers.

use super::At;
use crate::array::Array;
use crate::diagnostic::Diagnostic;
use crate::reading::{Answers, Cotangent};

/// The cotangent of the variable for the given one of the result, by the
/// gradient, the pullback or the backward pass; `None` where there is none of them.
/// `at` is a point of [`Answers::program`].
///
/// # Errors
/// A value that cannot be computed.
pub fn pulled(answers: &Answers, at: At, cotangent: &Array) -> Result<Option<Array>, Diagnostic> {
    let program = &answers.program;
    let mut feed = at.inputs.clone();
    feed.set_cotangent(answers.out, cotangent.clone());
    if let Some(node) = answers.pullback {
        return at.values.over(program, node, &feed).map(Some);
    }
    let mut last = None;
    for Cotangent { of, value } in &answers.backward {
        let value = at.values.over(program, *value, &feed)?;
        feed.set_cotangent(*of, value.clone());
        last = Some((*of, value));
    }
    Ok(last.filter(|(of, _)| *of == answers.wrt).map(|(_, value)| value))
}
