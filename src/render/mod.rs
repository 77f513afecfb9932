//! Pages in a format: one short writer each.

mod lines;
mod math;
mod numbers;
mod text;

pub use lines::{Ink, Line, Span, Text, width, wrapped};
pub use math::{flat, laid_out};
pub use text::text;
