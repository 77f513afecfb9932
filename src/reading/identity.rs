//! What became of the skip connections: does a bare I stand in the derivative?

use super::IdentityPath;
use crate::derive::{Derivation, Map, moving};
use crate::graph::{Kind, NodeId, Program};
use crate::ops::Lower;

/// Looks for the identity in a finished derivation.
pub fn identity_path(derivation: &Derivation) -> IdentityPath {
    let skips = skips(&derivation.program, derivation.out, derivation.wrt);
    let bare_factor = |map: &Map| map.has_bare_identity();
    match &derivation.result {
        Map::Identity => IdentityPath::Whole,
        map @ Map::Sum(_) if bare_factor(map) => IdentityPath::Bare(derivation.out),
        Map::Compose(factors) if factors.len() > 1 && factors.iter().all(bare_factor) => {
            IdentityPath::EachFactor(factors.len())
        }
        Map::Product(index) => match derivation.loops.get(*index).map(|l| &l.turn.result) {
            Some(turn) if turn.has_bare_identity() => IdentityPath::EachTurn,
            _ => IdentityPath::None,
        },
        _ => match skips.last() {
            Some((sum, after)) => IdentityPath::Multiplied(*sum, *after),
            None => IdentityPath::None,
        },
    }
}

/// The sums on the way to which a value is added untouched, each with the node
/// that uses the sum next: x + f(x) where both move.
fn skips(program: &Program, out: NodeId, wrt: NodeId) -> Vec<(NodeId, NodeId)> {
    let moves = moving(program, out, wrt);
    let moving_node = |id: NodeId| moves.get(id.index()).copied().unwrap_or(false);
    let mut found: Vec<(NodeId, NodeId)> = Vec::new();
    let mut sums: Vec<NodeId> = Vec::new();
    for index in wrt.index()..=out.index() {
        let id = NodeId::new(index);
        if !moving_node(id) {
            continue;
        }
        let node = program.node(id);
        for arg in node.args.iter().filter(|arg| sums.last() == Some(arg)) {
            found.push((*arg, id));
        }
        let Kind::Apply(op, _) = &node.kind else { continue };
        let joins = node.args.iter().filter(|arg| moving_node(**arg)).count() > 1;
        if matches!(op.lower, Lower::Sum(signs) if signs.iter().all(|s| *s > 0))
            && joins
            && carries(program, &node.args, &moves)
        {
            sums.push(id);
        }
    }
    found
}

/// Is one of the arguments on the way of the others: a skip around them?
fn carries(program: &Program, args: &[NodeId], moves: &[bool]) -> bool {
    let Some(first) = args.iter().min() else { return false };
    let others = args.iter().filter(|arg| *arg != first && moves.get(arg.index()).copied().unwrap_or(false));
    let mut stack: Vec<NodeId> = others.copied().collect();
    let mut seen = std::collections::HashSet::new();
    while let Some(id) = stack.pop() {
        if id == *first {
            return true;
        }
        if id > *first && seen.insert(id) {
            stack.extend(&program.node(id).args);
        }
    }
    false
}
