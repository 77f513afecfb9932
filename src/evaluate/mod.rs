//! Numbers: the value of every node at given inputs, where it is not finite,
//! where it meets a kink, and points to try.

mod condition;
mod cotangent;
mod finite;
mod inputs;
mod kinks;
mod over;
mod plan;
pub mod points;
mod properties;
mod random;
mod run;
mod singular;
mod sizes;
mod tangent;
mod turns;

pub use condition::{IllConditioned, ill_conditioned};
pub use cotangent::{passed, pulled};
pub use finite::{infinite_slope, not_finite};
pub use inputs::{Inputs, Nested, check_inputs, inputs_of};
pub use kinks::{Hit, Side, clear_of_kinks, hits, sides};
pub use plan::{Plan, Values, evaluate};
pub use singular::{Singular, singular_values};
pub use tangent::{At, Leaf, jacobian, jvp, pushed, terms, values_for};
