//! Problem sets: reading them, solving them, marking the answers.

mod problem;
mod solve;

pub use problem::{Flat, Numbers, Problem, read_numbers, read_problems};
pub use solve::{Outcome, solve};
