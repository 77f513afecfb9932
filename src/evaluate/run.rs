//! Loops in numbers: turn by turn, and back again.

use super::inputs::Inputs;
use super::plan::{Known, Plan, Slot, Values, misfit, no_size, sizes};
use crate::array::Array;
use crate::diagnostic::Diagnostic;
use crate::graph::{Node, NodeId, Program, Repeat, Reverse};
use std::collections::HashMap;
use std::sync::Arc;

/// Runs the body of a loop turn by turn.
pub(super) fn forwards(
    repeat: &Repeat,
    body: &Plan,
    node: &Node,
    known: &Known,
    inputs: &Inputs,
) -> Result<Slot, Diagnostic> {
    let count = repeat.count.eval(&inputs.sizes).ok_or_else(|| no_size(&repeat.count, node.span))?;
    let given: Vec<Arc<Array>> = node
        .args
        .iter()
        .map(|arg| known(*arg).and_then(Slot::shared))
        .collect::<Option<_>>()
        .ok_or_else(|| misfit(node.span))?;
    let (carried, rest) = given.split_at_checked(repeat.carried.len()).ok_or_else(|| misfit(node.span))?;
    let (stacked, shared) = rest.split_at_checked(repeat.stacked.len()).ok_or_else(|| misfit(node.span))?;
    let (mut carried, mut turns) = (carried.to_vec(), Vec::new());
    let mut turn = Inputs::new(inputs.sizes.clone());
    let starts: HashMap<NodeId, usize> = repeat.carried.iter().enumerate().map(|(i, (start, _))| (*start, i)).collect();
    repeat.shared.iter().zip(shared).for_each(|(at, value)| turn.share(*at, value.clone()));
    for k in 0..count {
        starts.iter().for_each(|(at, i)| turn.share(*at, carried[*i].clone()));
        for (at, stack) in repeat.stacked.iter().zip(stacked) {
            turn.set(*at, stack.index(k).ok_or_else(|| misfit(node.span))?);
        }
        if let Some(counter) = repeat.counter {
            turn.set(counter, Array::scalar(k as f64));
        }
        let found = body.run(&turn)?;
        carried = repeat
            .carried
            .iter()
            .map(|(_, end)| found.shared(*end))
            .collect::<Option<_>>()
            .ok_or_else(|| misfit(node.span))?;
        turns.push(found);
    }
    Ok(Slot::Loop(carried, Arc::new(turns)))
}

/// Runs the adjoints of the turns of a loop, the last turn first, on the values that
/// the turns had.
pub(super) fn backwards(reverse: &Reverse, node: &Node, known: &Known, inputs: &Inputs) -> Result<Slot, Diagnostic> {
    let Some(Slot::Loop(_, turns)) = node.args.first().and_then(|of| known(*of)) else { return Err(misfit(node.span)) };
    let handed = node.args[1..].iter().map(|arg| known(*arg).and_then(Slot::shared));
    let mut handed: Vec<Arc<Array>> = handed.collect::<Option<_>>().ok_or_else(|| misfit(node.span))?;
    let inner = reverse.repeat.inner();
    let mut shares: Vec<Vec<Option<Array>>> = vec![Vec::new(); reverse.receives.len()];
    for turn in turns.iter().rev() {
        let mut found = one_back(reverse, turn, &handed, inputs)?;
        for (shares, position) in shares.iter_mut().zip(&reverse.receives) {
            shares.push(inner.get(*position).and_then(|node| found.get(node)).cloned());
        }
        for ((state, _), value) in reverse.states.iter().zip(&mut handed) {
            let start = inner[*state];
            *value = Arc::new(match found.remove(&start) {
                Some(found) => found,
                None => zeros(&reverse.body, start, inputs, node)?,
            });
        }
    }
    let mut received = Vec::new();
    for (mut shares, position) in shares.into_iter().zip(&reverse.receives) {
        if let Some(at) = reverse.states.iter().position(|(state, _)| state == position) {
            received.push(handed[at].clone());
            continue;
        }
        shares.reverse();
        let zero = zeros(&reverse.body, inner[*position], inputs, node)?;
        let all = match reverse.repeat.is_stacked(*position) {
            true => stacked(shares, &zero),
            false => shares.into_iter().flatten().try_fold(zero, |sum, share| sum.zip(&share, |a, b| a + b)),
        };
        received.push(Arc::new(all.ok_or_else(|| misfit(node.span))?));
    }
    Ok(Slot::Loop(received, Arc::new(Vec::new())))
}

/// The cotangents of one turn, given those handed back to it.
fn one_back(
    reverse: &Reverse,
    turn: &Values,
    handed: &[Arc<Array>],
    inputs: &Inputs,
) -> Result<HashMap<NodeId, Array>, Diagnostic> {
    let mut feed = Inputs::new(inputs.sizes.clone());
    for ((_, after), value) in reverse.states.iter().zip(handed) {
        feed.set_cotangent(*after, (**value).clone());
    }
    let mut found = HashMap::new();
    for (of, value) in &reverse.pass {
        let value = turn.over(&reverse.body, *value, &feed)?;
        feed.set_cotangent(*of, value.clone());
        found.insert(*of, value);
    }
    Ok(found)
}

/// The shares of all turns along a leading axis.
fn stacked(shares: Vec<Option<Array>>, zero: &Array) -> Option<Array> {
    let sizes = [&[shares.len()][..], zero.sizes()].concat();
    let data = shares.iter().flat_map(|share| share.as_ref().unwrap_or(zero).data().iter().copied());
    Array::new(sizes, data.collect())
}

fn zeros(body: &Program, id: NodeId, inputs: &Inputs, node: &Node) -> Result<Array, Diagnostic> {
    Ok(Array::filled(&sizes(body.shape(id), &inputs.sizes, node.span)?, 0.0))
}
