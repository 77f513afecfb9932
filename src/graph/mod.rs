//! Programs: the computation graph.

mod abbreviated;
mod absent;
mod access;
mod arguments;
mod assume;
mod build;
mod builder;
mod call;
mod constant;
mod decide;
mod dialect;
mod elaborate;
mod expression;
mod fold;
mod formula;
mod functions;
mod inplace;
mod letters;
mod loops;
mod meanings;
mod module;
mod norms;
mod parameters;
mod parts;
mod program;
mod rearrange;
mod repeat;
mod request;
mod sessions;
mod statements;
mod subscript;
mod turns;
mod unroll;
mod value;
mod wrt;

pub use build::{Bound, Env, build, build_expr};
pub use builder::{Builder, Var};
pub use expression::read_expression;
#[cfg(feature = "python")]
pub use module::read;
pub use module::read_module;
pub use program::{Definition, Kind, Node, NodeId, Program, Property};
pub use repeat::{Repeat, Reverse};
pub use request::Request;
pub use wrt::{resolve_order, resolve_wrt};
