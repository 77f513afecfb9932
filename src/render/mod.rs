//! Pages in a format: one short writer each.

mod lines;
mod math;
mod numbers;
mod text;

pub use lines::{Ink, Line, Span, Text};
pub use math::flat;
pub use text::text;
