//! What became of the skip connections: does a bare I stand in the derivative?

use super::IdentityPath;
use crate::derive::{Derivation, Factor, Loop, Map, moving};
use crate::graph::{Kind, NodeId};
use crate::ops::{Lower, Notation};

/// Looks for the identity in a finished derivation.
pub fn identity_path(derivation: &Derivation) -> IdentityPath {
    let none = || IdentityPath::None(has_skip(derivation));
    match &derivation.result {
        Map::Identity => IdentityPath::Whole,
        Map::Compose(factors) if factors.iter().all(Map::has_bare_identity) => IdentityPath::EachFactor(factors.len()),
        Map::Compose(factors) => each(derivation, factors)
            .or_else(|| of_block(derivation, &derivation.result, derivation.out, derivation.wrt))
            .unwrap_or_else(none),
        Map::Product(index) if derivation.loops.get(*index).is_some_and(|passed| passed.alone().is_none()) => {
            let own = derivation.loops[*index].turn.iter().filter(|block| block.to == block.from);
            let kept = own.filter(|block| block.turn.result.has_bare_identity());
            IdentityPath::States(kept.map(|block| block.to).collect())
        }
        Map::Product(index) => match derivation.loops.get(*index).and_then(Loop::alone).map(identity_path) {
            Some(IdentityPath::Bare(_)) => IdentityPath::EachTurn,
            Some(found @ (IdentityPath::Multiplied(..) | IdentityPath::Scaled(_) | IdentityPath::Projected(_))) => {
                IdentityPath::Each(None, Box::new(found))
            }
            Some(IdentityPath::None(skip)) => IdentityPath::None(skip),
            _ => none(),
        },
        map => of_block(derivation, map, derivation.out, derivation.wrt).unwrap_or_else(none),
    }
}

/// What became of the skip around one block.
fn of_block(derivation: &Derivation, map: &Map, out: NodeId, base: NodeId) -> Option<IdentityPath> {
    match map {
        Map::Sum(_) if map.has_bare_identity() => Some(IdentityPath::Bare(out)),
        Map::Sum(terms) => {
            let factors =
                terms.iter().filter_map(|term| if let Map::Factor(factor) = term { Some(*factor) } else { None });
            let direct: Vec<Factor> = factors.filter(|factor| factor.of == base).collect();
            let scaled = direct.iter().copied().find(|factor| is_scaled(derivation, *factor)).map(IdentityPath::Scaled);
            scaled.or_else(|| match direct[..] {
                [only] if is_projection(derivation, only) => Some(IdentityPath::Projected(only)),
                _ => None,
            })
        }
        Map::Compose(factors) => multiplied(derivation, factors, out),
        _ => None,
    }
}

/// Factors that are parts of one form, each with its own skip.
fn each(derivation: &Derivation, factors: &[Map]) -> Option<IdentityPath> {
    let part = |map: &Map| if let Map::Named(part) = map { Some(*part) } else { None };
    let parts: Vec<usize> = factors.iter().map(part).collect::<Option<_>>()?;
    let first = *parts.iter().find(|part| derivation.parts[**part].like.is_none())?;
    let alike = |part: &usize| *part == first || derivation.parts[*part].like == Some(first);
    if parts.len() < 2 || !parts.iter().all(alike) {
        return None;
    }
    let shown = &derivation.parts[first];
    let found = of_block(derivation, &shown.map, shown.node, shown.base)?;
    // Numbers differ from block to block.
    let same = match &found {
        IdentityPath::Scaled(factor) => parts.iter().all(|part| has_scale(derivation, *part, *factor)),
        _ => true,
    };
    same.then(|| IdentityPath::Each(Some(parts.len()), Box::new(found)))
}

/// Does the part have the same number at its skip as `like`?
fn has_scale(derivation: &Derivation, part: usize, like: Factor) -> bool {
    let part = &derivation.parts[part];
    let Some(IdentityPath::Scaled(factor)) = of_block(derivation, &part.map, part.node, part.base) else {
        return false;
    };
    scale(derivation, factor) == scale(derivation, like)
}

/// The number that a factor multiplies by; `None` within for −1.
fn scale(derivation: &Derivation, factor: Factor) -> Option<Option<NodeId>> {
    let program = &derivation.program;
    let (op, _) = program.op(factor.node)?;
    let args = &program.node(factor.node).args;
    let hole = args.iter().position(|arg| matches!(program.node(*arg).kind, Kind::Hole(_)))?;
    let other = args.get(1 - hole.min(1)).copied().filter(|arg| args.len() == 2 && program.shape(*arg).rank() == 0);
    match (op.notation, other) {
        (Notation::Negative, _) => Some(None),
        (Notation::Hadamard, Some(number)) => Some(Some(number)),
        (Notation::Fraction, Some(number)) if hole == 0 => Some(Some(number)),
        _ => None,
    }
}

fn is_scaled(derivation: &Derivation, factor: Factor) -> bool {
    scale(derivation, factor).is_some()
}

/// Is the factor a product of the variable with what rests?
fn is_projection(derivation: &Derivation, factor: Factor) -> bool {
    let program = &derivation.program;
    let product = program.op(factor.node).is_some_and(|(op, _)| op.notation == Notation::Product);
    let moves = moving(program, derivation.out, derivation.wrt);
    let args = &program.node(factor.node).args;
    let bare = |arg: &NodeId| matches!(program.node(*arg).kind, Kind::Hole(_));
    let rests = |arg: &NodeId| bare(arg) || moves.get(arg.index()).is_none_or(|moves| !moves);
    product && args.iter().any(bare) && args.iter().all(rests)
}

/// A factor I + J with something to its left: the skip ends in the value that the
/// factor on the left takes.
fn multiplied(derivation: &Derivation, factors: &[Map], out: NodeId) -> Option<IdentityPath> {
    let at = factors.iter().position(Map::has_bare_identity).filter(|at| *at > 0)?;
    let sum = match &factors[at - 1] {
        Map::Factor(factor) => factor.of,
        Map::Named(part) => derivation.parts.get(*part)?.base,
        _ => return None,
    };
    let moves = moving(&derivation.program, derivation.out, derivation.wrt);
    let uses = |id: &NodeId| moves[id.index()] && derivation.program.node(*id).args.contains(&sum);
    let after = (sum.index() + 1..=out.index()).map(NodeId::new).find(uses)?;
    Some(IdentityPath::Multiplied(sum, after, Map::compose(factors[..at].to_vec())))
}

/// Is the variable itself a term of a sum with other terms that move?
fn has_skip(derivation: &Derivation) -> bool {
    let program = &derivation.program;
    let moves = moving(program, derivation.out, derivation.wrt);
    let skips = |id: NodeId| {
        let args = &program.node(id).args;
        let sum = program.op(id).is_some_and(|(op, _)| matches!(op.lower, Lower::Sum(_)));
        sum && args.contains(&derivation.wrt) && args.iter().filter(|arg| moves[arg.index()]).count() > 1
    };
    (0..=derivation.out.index()).map(NodeId::new).any(|id| moves[id.index()] && skips(id))
}
