//! Programs: the computation graph.

mod access;
mod arguments;
mod build;
mod call;
mod constant;
mod dialect;
mod elaborate;
mod fold;
mod program;
mod value;

pub use build::{Bound, Env, build, build_expr};
pub use program::{Definition, Kind, Node, NodeId, Program, Property, Repeat};
