//! Programs: the computation graph.

mod access;
mod arguments;
mod assume;
mod build;
mod call;
mod constant;
mod dialect;
mod elaborate;
mod expression;
mod fold;
mod letters;
mod program;
mod request;
mod value;
mod wrt;

pub use build::{Bound, Env, build, build_expr};
pub use expression::read_expression;
pub use program::{Definition, Kind, Node, NodeId, Program, Property, Repeat};
pub use request::Request;
pub use wrt::{resolve_order, resolve_wrt};
