//! Programs: the computation graph.

mod program;

pub use program::{Definition, Kind, Node, NodeId, Program, Property, Repeat};
