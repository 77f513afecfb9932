//! Several readings of one derivative.

mod answer;
mod assemble;
mod atom;
mod backward;
mod chained;
mod closed;
#[cfg(test)]
mod closed_tests;
mod column;
mod domain;
mod eliminate;
mod fraction;
mod given;
mod identity;
mod index;
mod map;
mod parts;
#[cfg(test)]
mod random_tests;
mod reader;
mod second;
mod stacked;
mod stacking;
mod symmetric;
mod term;
mod text;
mod told;
mod tree;

pub use answer::{Answers, Cotangent, IdentityPath};
pub use assemble::answers;
pub use backward::{BackwardPass, backward, backward_pass};
pub use closed::{Reading, derivative, simplified};
pub use domain::{Condition, Excluded};
pub use given::{says, with_properties};
pub use identity::identity_path;
pub use index::{Index, IndexFactor, IndexTerm};
pub use map::{matrix_of, pullback_of};
pub use parts::{Parts, parts};
pub use second::gradient_program;
pub use stacked::{Stacked, stacked};
pub use stacking::Stacking;
pub use symmetric::{Structured, structured};
pub use text::{has_text, size, text};
