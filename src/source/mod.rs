//! Python in: parser, imports, doctests.

pub mod ast;
mod expression;
#[cfg(test)]
mod expression_tests;
mod lexer;
mod operators;
#[cfg(feature = "python")]
mod python;
mod unexpected;

pub use expression::{MAX_NESTING, expression, expression_in};
pub use lexer::MAX_BYTES;
pub(crate) use operators::refused_operator;
#[cfg(feature = "python")]
pub use python::parse;

/// Is this a name as Python has it?
pub(crate) fn is_name(text: &str) -> bool {
    let starts = text.starts_with(|c: char| c.is_alphabetic() || c == '_');
    starts && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}
