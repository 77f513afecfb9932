//! Turns of a loop that are all alike.

use super::map::factors;
use crate::derive::Loop;
use crate::graph::{Kind, NodeId, Program};
use std::collections::HashSet;

/// Is the matrix of a turn the same in each? It mentions nothing that changes from
/// turn to turn: no carried or stacked value, no counter.
pub(super) fn rests(program: &Program, of: &Loop) -> bool {
    let Some(loop_node) = program.node(of.node).args.first() else { return false };
    let Kind::Repeat(repeat) = &program.node(*loop_node).kind else { return false };
    if !of.turn.parts.is_empty() || !of.turn.loops.is_empty() {
        return false;
    }
    let changes = |id: &NodeId| {
        let start = repeat.carried.iter().any(|(start, _)| start == id);
        start || repeat.stacked.contains(id) || repeat.counter == Some(*id)
    };
    let body = &of.turn.program;
    let mut open: Vec<NodeId> = factors(&of.turn).iter().map(|factor| factor.node).collect();
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
