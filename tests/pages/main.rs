//! What is printed and drawn, and that what is printed is checked.

#[path = "../common/command.rs"]
mod command;
#[path = "../common/expression.rs"]
mod expression;
#[path = "../common/pinned.rs"]
mod pinned;
#[path = "../common/random.rs"]
mod random;

mod check;
mod detail;
mod drawing;
mod format_leaves;
mod formats;
mod pasted_answers;
mod picture;
mod snapshots;
mod zeroed;
