//! Pages in a format: one short writer each.

mod latex;
mod lines;
mod math;
mod names;
mod numbers;
mod text;
mod typeset;

pub use latex::latex;
pub use lines::{Ink, Line, Span, Text};
pub use math::flat;
pub use text::text;
