//! The notation tree, and pages made of it.
//!
//! Nodes of the graph, maps and derivations become [`Math`] here, once; formats
//! only write it down. Notation comes from the records of the operations, never
//! from their names.

mod brackets;
mod math;
mod of;
mod page;

pub use math::Math;
pub use of::{Scribe, Style, of};
pub use page::{Block, Branch, Entry, Fact, Page, Piece, Row};
