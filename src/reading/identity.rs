//! What became of the skip connections: does a bare I stand in the derivative?

use super::IdentityPath;
use crate::derive::{Derivation, Map, moving};
use crate::graph::NodeId;

/// Looks for the identity in a finished derivation.
pub fn identity_path(derivation: &Derivation) -> IdentityPath {
    match &derivation.result {
        Map::Identity => IdentityPath::Whole,
        map @ Map::Sum(_) if map.has_bare_identity() => IdentityPath::Bare(derivation.out),
        Map::Compose(factors) if factors.iter().all(Map::has_bare_identity) => IdentityPath::EachFactor(factors.len()),
        Map::Compose(factors) => multiplied(derivation, factors).unwrap_or(IdentityPath::None),
        Map::Product(index) => match derivation.loops.get(*index).map(|passed| &passed.turn.result) {
            Some(turn) if turn.has_bare_identity() => IdentityPath::EachTurn,
            _ => IdentityPath::None,
        },
        _ => IdentityPath::None,
    }
}

/// A factor I + J with something to its left: the skip ends in the value that the
/// factor on the left takes.
fn multiplied(derivation: &Derivation, factors: &[Map]) -> Option<IdentityPath> {
    let at = factors.iter().position(Map::has_bare_identity).filter(|at| *at > 0)?;
    let sum = match &factors[at - 1] {
        Map::Factor(factor) => factor.of,
        Map::Named(part) => derivation.parts.get(*part)?.base,
        _ => return None,
    };
    let moves = moving(&derivation.program, derivation.out, derivation.wrt);
    let uses = |id: &NodeId| moves[id.index()] && derivation.program.node(*id).args.contains(&sum);
    let after = (sum.index() + 1..=derivation.out.index()).map(NodeId::new).find(uses)?;
    Some(IdentityPath::Multiplied(sum, after))
}
