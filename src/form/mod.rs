//! Index form: a sum of monomials whose factors carry labels.
//!
//! A label in `out` that no factor carries is a broadcast; one that stands twice
//! in `out` is a Kronecker delta; one that does not stand in `out` is summed. So
//! transposes, traces, diagonals, outer products and broadcasting are choices of
//! labels, and two values that differ only by those are one form.

mod arena;
mod cancel;
mod common;
mod compare;
mod constants;
mod denominator;
mod derivative;
mod determinant;
mod deviation;
mod diagonal;
mod exponent;
mod factor;
mod facts;
mod forward;
mod functions;
mod group;
mod halves;
mod hot;
mod inverse;
mod known;
mod label;
mod logistic;
mod lower;
mod mask;
mod measure;
mod monomial;
mod moves;
mod names;
mod order;
mod pattern;
mod placed;
mod power;
mod product;
mod rebuild;
mod reshaped;
mod search;
mod sweep;
mod words;
mod zeros;

pub use arena::{Atom, AtomId, DimId, Factor, Form, FormId, Forms, Label, Mono, MonoId};
pub use cancel::{CANCELLATIONS, Cancellation, Fired};
pub use measure::Measure;
pub use names::Named;
pub use rebuild::Rebuilt;
pub use search::{Cost, MOVES, Move, Search, Shown};

use crate::diagnostic::Diagnostic;

/// Why a value has no index form.
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal {
    /// A coefficient or exponent that does not fit.
    Overflow,
    /// More terms or factors than are taken on.
    TooLarge,
    /// Zero to a negative power.
    Undefined,
    /// A differential inside an operation that has no labels (a slice, a reshape).
    Unlabelled,
    /// A rule that could not be instantiated.
    Rule(Box<Diagnostic>),
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Refusal::Overflow => f.write_str("a number of the derivative does not fit"),
            Refusal::TooLarge => f.write_str("the derivative has too many terms to be collected"),
            Refusal::Undefined => f.write_str("the derivative divides by zero everywhere"),
            Refusal::Unlabelled => f.write_str("the derivative passes an operation that moves entries about"),
            Refusal::Rule(diagnostic) => diagnostic.fmt(f),
        }
    }
}

impl std::error::Error for Refusal {}
