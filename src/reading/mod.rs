//! Several readings of one derivative.
mod answer;
mod identity;
pub use answer::{Answers, Cotangent, IdentityPath};
pub use identity::identity_path;
