//! The differential of a loop, turn by turn.

use super::apply::{Leaves, apply as apply_map, plus};
use crate::array::Array;
use crate::derive::{Derivation, fault};
use crate::diagnostic::Diagnostic;
use crate::evaluate::{Inputs, Values};
use crate::graph::Kind;

/// The loop at `index` applied to a tangent of the value that moves: t ← A_k t
/// for the carried value; t ← A_k t + B_k w for a shared value w, and with w_k
/// for a stacked one.
///
/// # Errors
/// A value that cannot be computed.
pub fn apply(
    derivation: &Derivation,
    (values, inputs): (&Values, &Inputs),
    index: usize,
    tangent: &Array,
) -> Result<Option<Array>, Diagnostic> {
    let passed = derivation.loops.get(index).ok_or_else(|| fault("a product without its loop"))?;
    let node = derivation.program.node(passed.node).args[0];
    let Kind::Repeat(repeat) = &derivation.program.node(node).kind else { return Err(fault("a loop was lost")) };
    let carried = repeat.carried.len();
    let mut at = passed.by.is_none().then(|| tangent.clone());
    for (k, turn) in values.turns(node).iter().enumerate() {
        let moved = match &at {
            Some(t) => apply_map(&passed.turn, (turn, inputs), Leaves::Maps, &passed.turn.result, t)?,
            None => None,
        };
        at = match &passed.by {
            None => moved,
            Some((position, by)) => {
                let stacked = *position < carried + repeat.stacked.len();
                let slice = if stacked { tangent.index(k) } else { Some(tangent.clone()) };
                let slice = slice.ok_or_else(|| fault("a stacked value without its slice"))?;
                match apply_map(by, (turn, inputs), Leaves::Maps, &by.result, &slice)? {
                    Some(added) => Some(plus(moved, added)?),
                    None => moved,
                }
            }
        };
    }
    Ok(at)
}
