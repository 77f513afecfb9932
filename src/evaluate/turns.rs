//! The differential of a loop, turn by turn.

use super::tangent::{At, plus, pushed as pushed_by};
use crate::array::Array;
use crate::derive::{Block, Derivation, Enters, fault};
use crate::diagnostic::Diagnostic;
use crate::graph::Kind;

/// The loop at `index` applied to a tangent of the value that moves: the joint
/// tangent of the states turn by turn, t ← J_k t for a change at the start,
/// t ← J_k t + B_k w for a shared value w, and with w_k for a stacked one.
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
    let mut moving: Vec<Option<Array>> = vec![None; carried];
    if let Enters::Start(position) = &passed.enters {
        moving[*position] = Some(tangent.clone());
    }
    for (k, turn) in at.values.turns(node).iter().enumerate() {
        let here = At { values: turn, inputs: at.inputs };
        let one_turn = |d: &Derivation, t: &Array| pushed_by(d, here, &d.result, t, &|_| Ok(None));
        let mut next: Vec<Option<Array>> = vec![None; carried];
        let mut add = |block: &Block, t: &Array| -> Result<(), Diagnostic> {
            if let Some(added) = one_turn(&block.turn, t)? {
                next[block.to] = Some(plus(next[block.to].take(), added)?);
            }
            Ok(())
        };
        for block in &passed.turn {
            if let Some(t) = &moving[block.from] {
                add(block, t)?;
            }
        }
        if let Enters::Turns(position, shares) = &passed.enters {
            let stacked = *position < carried + repeat.stacked.len();
            let slice = if stacked { tangent.index(k) } else { Some(tangent.clone()) };
            let slice = slice.ok_or_else(|| fault("a stacked value without its slice"))?;
            shares.iter().try_for_each(|block| add(block, &slice))?;
        }
        moving = next;
    }
    Ok(moving.get_mut(passed.to).and_then(Option::take))
}
