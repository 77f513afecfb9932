//! Pages in a format: one short writer each.

mod broken;
mod html;
#[cfg(feature = "course")]
mod json;
mod latex;
mod lines;
mod markdown;
mod math;
mod names;
mod numbers;
mod text;
mod typeset;
mod typst;

pub use html::{Formulas, html, html_escaped, html_part, html_style};
#[cfg(feature = "course")]
pub use json::{VERSION, json};
pub use latex::latex;
pub use lines::{Ink, Line, Span, Text, width, wrapped};
pub use markdown::markdown;
pub use math::{flat, laid_out, words};
pub use text::text;
pub use typst::typst;
