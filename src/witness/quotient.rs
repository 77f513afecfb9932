//! Difference quotients of every node at once.
//!
//! D(h) = (8 (f(x+hv) − f(x−hv)) − (f(x+2hv) − f(x−2hv))) / 12h has an error of
//! fourth order. It is taken at h and at 2h; their largest difference, and the
//! rounding of the values divided by h, estimate the error of D(h). What a program
//! hides from the derivative is held at its value.

use crate::array::Array;
use crate::diagnostic::Diagnostic;
use crate::evaluate::{Inputs, Plan, Side, Values, not_finite, sides};
use crate::graph::{NodeId, Program};
use crate::ops::Rule;
use std::collections::HashMap;

/// The step: small enough that few comparisons change sides, large enough that
/// rounding stays far below the tolerance.
const STEP: f64 = 1.0 / 32_768.0;

/// The values of a program at a point and the difference quotients of its nodes
/// along a direction.
pub struct Quotients {
    /// The values at the point.
    pub values: Values,
    nodes: Vec<Option<Quotient>>,
    /// Entries at which a comparison changes sides near the point.
    pub switched: usize,
}

/// The quotient of one node.
pub struct Quotient {
    /// The quotient.
    pub value: Array,
    /// The estimate of its error, entry by entry.
    pub error: Array,
    /// Entries at which the node's own comparison changes sides.
    pub switched: Vec<usize>,
}

impl Quotients {
    /// Runs `plan` at `inputs` and along a change of several inputs at once, each given
    /// with its own, for the quotients of `nodes`.
    ///
    /// # Errors
    /// A value that is not finite, with its place.
    pub fn new(
        program: &Program,
        plan: &Plan,
        inputs: &Inputs,
        change: &[(NodeId, Array)],
        nodes: &[NodeId],
    ) -> Result<Quotients, Diagnostic> {
        let values = plan.run(inputs)?;
        if let Some(found) = not_finite(program, &values) {
            return Err(found);
        }
        let mut held = inputs.clone();
        for node in program.graph().node_indices() {
            if program.op(node).is_some_and(|(op, _)| matches!(op.rule, Rule::Held))
                && let Some(value) = values.shared(node)
            {
                held.hold(node, value);
            }
        }
        let mut runs = Vec::with_capacity(6);
        for steps in [1.0, -1.0, 2.0, -2.0, 4.0, -4.0] {
            let mut moved = held.clone();
            for (input, direction) in change {
                if let Some(at) = values.get(*input).zip(direction, |x, v| x + steps * STEP * v) {
                    moved.set(*input, at);
                }
            }
            runs.push(plan.run(&moved)?);
        }
        let (switches, switched) = switches(program, &values, &runs);
        let mut quotients: Vec<Option<Quotient>> = Vec::new();
        quotients.resize_with(program.graph().node_count(), || None);
        for node in nodes {
            let switched = switches.get(node).cloned().unwrap_or_default();
            quotients[node.index()] = Some(quotient(values.get(*node), &runs, *node, switched));
        }
        Ok(Quotients { values, nodes: quotients, switched })
    }

    /// The quotient of a node that was run.
    pub fn get(&self, node: NodeId) -> Option<&Quotient> {
        self.nodes.get(node.index()).and_then(Option::as_ref)
    }
}

/// For each node outside loops the entries whose comparison changes sides among
/// the runs, and how many there are in all.
fn switches(program: &Program, values: &Values, runs: &[Values]) -> (HashMap<NodeId, Vec<usize>>, usize) {
    let base = sides(program, values);
    let others: Vec<Vec<Side>> = runs.iter().map(|run| sides(program, run)).collect();
    let (mut found, mut count) = (HashMap::new(), 0);
    for (at, side) in base.iter().enumerate() {
        let signs = side.signs.data();
        let differs = |i: usize| {
            let sign = |other: &Vec<Side>| other.get(at).and_then(|s| s.signs.data().get(i).copied());
            others.iter().any(|other| sign(other) != Some(signs[i]))
        };
        let switched: Vec<usize> = (0..signs.len()).filter(|i| differs(*i)).collect();
        count += switched.len();
        if side.turns.is_empty() && !switched.is_empty() {
            found.insert(side.node, switched);
        }
    }
    (found, count)
}

fn quotient(base: &Array, runs: &[Values], node: NodeId, switched: Vec<usize>) -> Quotient {
    let at: Vec<&[f64]> = runs.iter().map(|run| run.get(node).data()).collect();
    let fourth = |i: usize, near: usize, far: usize, h: f64| {
        (8.0 * (at[near][i] - at[near + 1][i]) - (at[far][i] - at[far + 1][i])) / (12.0 * h)
    };
    let sizes = base.sizes();
    let value = Array::from_fn(sizes, |i| fourth(i, 0, 2, STEP));
    // Rounding differs from entry to entry by chance: the largest disagreement
    // of the two step sizes stands for all entries.
    let coarse = |i: usize| fourth(i, 2, 4, 2.0 * STEP);
    let apart = (0..value.data().len()).map(|i| (value.data()[i] - coarse(i)).abs()).fold(0.0, f64::max);
    let error = Array::from_fn(sizes, |i| apart + f64::EPSILON * base.data()[i].abs() / STEP);
    Quotient { value, error, switched }
}
