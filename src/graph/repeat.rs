//! Loops as nodes: the body is a program of its own.

use super::program::{NodeId, Program};
use crate::shape::{Dim, Name};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A loop over `range(count)` whose body is a program of its own.
///
/// The loop node's arguments are: the initial carried values, then the stacked
/// arrays (leading axis `count`), then the shared values.
#[derive(Clone, Debug)]
pub struct Repeat {
    /// How often the body runs.
    pub count: Dim,
    /// The name of the counter.
    pub index: Name,
    /// One turn.
    pub body: Program,
    /// For each carried value its node at the start and at the end of the body.
    pub carried: Vec<(NodeId, NodeId)>,
    /// For each stacked array the body's node for its slice `w[k]`.
    pub stacked: Vec<NodeId>,
    /// For each shared value the body's node.
    pub shared: Vec<NodeId>,
    /// The body's node for the counter as a number, if it is used as one.
    pub counter: Option<NodeId>,
}

// Loops are compared by identity: two loops of equal text are two nodes.
impl PartialEq for Repeat {
    fn eq(&self, other: &Repeat) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Repeat {}

impl Hash for Repeat {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::from_ref(self).hash(state);
    }
}

impl Repeat {
    /// The nodes of the body that stand for the arguments of the loop, in their order.
    pub fn inner(&self) -> Vec<NodeId> {
        let starts = self.carried.iter().map(|(start, _)| *start);
        starts.chain(self.stacked.iter().copied()).chain(self.shared.iter().copied()).collect()
    }

    /// Is the argument at this position one of those that each turn takes its slice of?
    pub fn is_stacked(&self, position: usize) -> bool {
        (self.carried.len()..self.carried.len() + self.stacked.len()).contains(&position)
    }
}

/// The way back through a loop, from its last turn to its first: x̄_k = J_kᵀ x̄_{k+1},
/// and what each turn gives to the values it shares.
///
/// The arguments are the loop and, for each of the states, its cotangent after the
/// last turn.
#[derive(Clone, Debug)]
pub struct Reverse {
    /// The loop.
    pub repeat: Arc<Repeat>,
    /// Its body with what the way back through one turn needs.
    pub body: Program,
    /// The carried values whose cotangents go back, by position, and for each the node
    /// of the body whose cotangent is that after the turn.
    pub states: Vec<(usize, NodeId)>,
    /// The cotangents of one turn in the order of the pass: of which node, its value.
    pub pass: Vec<(NodeId, NodeId)>,
    /// The arguments of the loop that receive a cotangent, by position.
    pub receives: Vec<usize>,
}

impl PartialEq for Reverse {
    fn eq(&self, other: &Reverse) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Reverse {}

impl Hash for Reverse {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::from_ref(self).hash(state);
    }
}
