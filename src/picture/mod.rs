//! Pictures of programs: the computation graph, with local derivatives.
//!
//! [`picture`] reads a program into a [`Picture`] once: nodes, edges, blocks. Each
//! format is one short writer over it.

mod describe;
mod dot;
mod fold;
mod grid;
mod lanes;
mod local;
mod measure;
mod mermaid;
mod model;
mod place;
mod plan;
mod reach;
mod read;
mod scope;
mod svg;
mod text;

pub use dot::dot;
pub use mermaid::mermaid;
pub use model::{Block, Edge, Node, Picture, Role};
pub use read::picture;
pub use svg::svg;
pub use text::text;
