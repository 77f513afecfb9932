//! Turns of a loop that are all alike.

use super::map::factors;
use crate::derive::Loop;
use crate::graph::{Kind, NodeId};
use std::collections::HashSet;

/// Is the matrix of a turn the same in each? It mentions nothing that changes from
/// turn to turn: no carried or stacked value, no counter.
pub(super) fn rests(of: &Loop) -> bool {
    let repeat = &of.repeat;
    let Some(turn) = of.alone() else { return false };
    if !turn.parts.is_empty() || !turn.loops.is_empty() {
        return false;
    }
    let changes = |id: &NodeId| {
        let start = repeat.carried.iter().any(|(start, _)| start == id);
        start || repeat.stacked.contains(id) || repeat.counter == Some(*id)
    };
    let body = &turn.program;
    let mut open: Vec<NodeId> = factors(turn).iter().map(|factor| factor.node).collect();
    let mut seen = HashSet::new();
    while let Some(id) = open.pop() {
        match &body.node(id).kind {
            Kind::Hole(_) => {}
            Kind::Carried(_) | Kind::Repeat(_) => return false,
            _ if changes(&id) => return false,
            _ if seen.insert(id) => open.extend(&body.node(id).args),
            _ => {}
        }
    }
    true
}
