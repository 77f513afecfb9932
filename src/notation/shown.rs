//! Which readings of an answer a page shows.

use crate::derive::{Derivation, View};
use crate::reading::Answers;

/// A reading of a derivative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// The Jacobian matrix.
    Jacobian,
    /// The gradient of a number.
    Gradient,
    /// The differential of the result.
    Differential,
    /// The cotangent of the variable, from that of the result.
    Pullback,
}

/// The readings that an answer has.
pub fn readings_of(derivation: &Derivation, answers: &Answers) -> Vec<Shown> {
    let jacobian = derivation.view == View::Jacobian;
    let there = [
        (Shown::Jacobian, jacobian),
        (Shown::Gradient, !jacobian && answers.gradient.is_some()),
        (Shown::Differential, answers.differential.is_some()),
        (Shown::Pullback, answers.pullback.is_some() || !answers.backward.is_empty()),
    ];
    there.into_iter().filter(|(_, there)| *there).map(|(reading, _)| reading).collect()
}
