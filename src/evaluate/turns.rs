//! The differential of a loop, turn by turn.

use super::tangent::{At, plus, pushed as pushed_by};
use crate::array::Array;
use crate::derive::{Derivation, fault};
use crate::diagnostic::Diagnostic;
use crate::graph::Kind;

/// The loop at `index` applied to a tangent of the value that moves: t ← A_k t
/// for the carried value; t ← A_k t + B_k w for a shared value w, and with w_k
/// for a stacked one.
///
/// # Errors
/// A value that cannot be computed.
pub(super) fn pushed(
    derivation: &Derivation,
    at: At,
    index: usize,
    tangent: &Array,
) -> Result<Option<Array>, Diagnostic> {
    let passed = derivation.loops.get(index).ok_or_else(|| fault("a product without its loop"))?;
    let node = derivation.program.node(passed.node).args[0];
    let Kind::Repeat(repeat) = &derivation.program.node(node).kind else { return Err(fault("a loop was lost")) };
    let carried = repeat.carried.len();
    let mut moving = passed.by.is_none().then(|| tangent.clone());
    for (k, turn) in at.values.turns(node).iter().enumerate() {
        let here = At { values: turn, inputs: at.inputs };
        let one_turn = |d: &Derivation, t: &Array| pushed_by(d, here, &d.result, t, &|_| Ok(None));
        let moved = match &moving {
            Some(t) => one_turn(&passed.turn, t)?,
            None => None,
        };
        moving = match &passed.by {
            None => moved,
            Some((position, by)) => {
                let stacked = *position < carried + repeat.stacked.len();
                let slice = if stacked { tangent.index(k) } else { Some(tangent.clone()) };
                let slice = slice.ok_or_else(|| fault("a stacked value without its slice"))?;
                match one_turn(by, &slice)? {
                    Some(added) => Some(plus(moved, added)?),
                    None => moved,
                }
            }
        };
    }
    Ok(moving)
}
