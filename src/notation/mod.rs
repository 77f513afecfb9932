//! The notation tree, and pages made of it.
//!
//! Nodes of the graph, maps and derivations become [`Math`] here, once; formats
//! only write it down. Notation comes from the records of the operations, never
//! from their names.

mod answer;
mod back;
mod brackets;
mod call;
mod change;
mod entries;
mod expansion;
mod found;
mod listing;
mod map;
mod math;
mod names;
mod of;
mod origin;
mod page;
mod pass;
mod product;
mod ranks;
mod readings;
mod repeated;
mod says;
mod sheet;
mod shown;
mod skips;
mod spread;
mod sums;
mod symmetric;
mod transpose;
mod tree;
mod turn;

pub use map::Maps;
pub use math::Math;
pub use of::{Scribe, Style, of};
pub use page::{Block, Branch, Entry, Fact, Found, Page, Piece, Row, Says};
pub use pass::backward_page;
pub use sheet::{Detail, Layout, Sheet, page};
pub use shown::{Shown, readings_of};
pub use spread::jacobian;
pub use tree::tree_page;
