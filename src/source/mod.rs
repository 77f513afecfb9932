//! Python in: parser, imports, doctests.

pub mod ast;
mod expression;
mod lexer;
mod unexpected;

pub use expression::{MAX_NESTING, expression, expression_in};
pub use lexer::MAX_BYTES;
