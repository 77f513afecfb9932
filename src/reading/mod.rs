//! Several readings of one derivative.

mod answer;
mod atom;
mod closed;
mod column;
mod eliminate;
mod fraction;
mod identity;
mod index;
mod map;
mod reader;
mod term;
mod text;
mod tree;

pub use answer::{Answers, Cotangent, IdentityPath};
pub use closed::{Reading, derivative, simplified};
pub use identity::identity_path;
pub use index::{Index, IndexFactor, IndexTerm};
pub use map::{matrix_of, pullback_of};
pub use text::{size, text};
