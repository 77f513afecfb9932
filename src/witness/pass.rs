//! A backward pass, compared end to end.

use super::compare::Tally;
use super::drawn;
use super::ends::{contracted, directions, of, set};
use super::quotient::Quotients;
use crate::array::Array;
use crate::diagnostic::Diagnostic;
use crate::evaluate::{At, Inputs, Plan, infinite_slope, passed, points};
use crate::graph::NodeId;
use crate::reading::BackwardPass;
use crate::shape::Sizes;
use std::collections::{HashMap, HashSet};

/// The inputs are moved in so many groups at most, those of one group at once: the cost
/// stays in proportion to the program, however many inputs it has.
const GROUPS: usize = 16;

/// Compares the cotangents of the inputs at one point: Σ ⟨x̄, v⟩ over the inputs that are
/// moved is ⟨ō, d(out)⟩, where v is the change of x. An input without a cotangent is held
/// to 0. The steps of the tally are the inputs.
///
/// # Errors
/// Cotangents that do not hold; an infinite slope at what is set.
pub fn at_point(pass: &BackwardPass, sizes: &Sizes, number: usize, tally: &mut Tally) -> Result<(), Diagnostic> {
    let (program, out) = (&pass.program, pass.program.output);
    let wanted: Vec<NodeId> = program.inputs.iter().copied().chain([out]).collect();
    let plan = Plan::new(program, &wanted);
    let seed = format!("{} backwards, point {number}", program.source);
    let quotients =
        |inputs: &Inputs, change: &[(NodeId, Array)]| Quotients::new(program, &plan, inputs, change, &[out]);
    let moving: HashSet<NodeId> = pass.cotangents.iter().map(|one| one.of).collect();
    // What does not move the result may be anything, class numbers above all: by itself.
    let (received, still): (Vec<Input>, Vec<Input>) =
        program.inputs.iter().copied().enumerate().partition(|(_, id)| moving.contains(id));
    let (inputs, _) = drawn(program, sizes, &seed, &|inputs, attempt| {
        let start = received.iter().filter_map(|(_, id)| Some((*id, inputs.get(*id)?)));
        let change: Vec<_> = start.map(|(id, start)| (id, direction(start.sizes(), &seed, id, attempt))).collect();
        quotients(inputs, &change)
    })?;
    let inputs = set(program, inputs);
    let values = plan.run(&inputs)?;
    let cotangent = direction(values.get(out).sizes(), &seed, out, 1);
    let found = passed(program, At { values: &values, inputs: &inputs }, (out, &cotangent), &pass.cotangents)?;
    // What is set may be the one point without a derivative.
    if found.iter().any(|(_, value)| value.data().iter().any(|x| !x.is_finite()))
        && let Some(told) = infinite_slope(program, &values)
    {
        return Err(told);
    }
    let found: HashMap<NodeId, Array> = found.into_iter().collect();
    for group in in_groups(&received).chain(in_groups(&still)) {
        for change in changes(pass, &inputs, group, &seed) {
            let moved = quotients(&inputs, &change)?;
            if moved.switched > 0 {
                continue;
            }
            let share = |(input, direction): &(NodeId, Array)| found.get(input).map_or(0.0, |x| x.inner(direction));
            let total = Array::scalar(change.iter().map(share).sum());
            let size = change.iter().map(|(_, direction)| direction.max_abs()).fold(0.0, f64::max);
            let expected = contracted(of(&moved, out)?, &cotangent);
            for (place, id) in group {
                let says = || format!("the cotangent of {}", program.name(*id).map_or("an input", |name| &**name));
                tally.step(*place, &expected, Some(&total), size, says)?;
            }
        }
    }
    Ok(())
}

/// An input with its place among the inputs.
type Input = (usize, NodeId);

fn in_groups(inputs: &[Input]) -> std::slice::Chunks<'_, Input> {
    inputs.chunks(inputs.len().div_ceil(GROUPS).max(1))
}

/// The ways in which a group of inputs is moved: one alone along its directions, several
/// together along theirs.
fn changes(pass: &BackwardPass, inputs: &Inputs, group: &[Input], seed: &str) -> Vec<Vec<(NodeId, Array)>> {
    let along = |(_, id): &Input| {
        inputs.get(*id).map_or_else(Vec::new, |start| {
            directions(&pass.program, start, group.len() == 1, &|n| direction(start.sizes(), seed, *id, n))
        })
    };
    let each: Vec<Vec<Array>> = group.iter().map(along).collect();
    let count = each.iter().map(Vec::len).min().unwrap_or(0);
    (0..count).map(|n| group.iter().zip(&each).map(|((_, id), along)| (*id, along[n].clone())).collect()).collect()
}

/// The direction of one of the inputs, or the cotangent of the result.
fn direction(sizes: &[usize], seed: &str, of: NodeId, number: usize) -> Array {
    points::direction(sizes, &format!("{seed}, node {}", of.index()), number)
}
