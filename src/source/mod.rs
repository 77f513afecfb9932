//! Python in: parser, imports, doctests.

pub mod ast;
