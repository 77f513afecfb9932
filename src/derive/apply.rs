//! A map applied to a differential: the tree read as one expression.

use super::{Factor, Map, Part, fault, plain};
use crate::diagnostic::{Diagnostic, Kind as Mistake};
use crate::graph::{Kind, NodeId, Program};
use std::collections::HashMap;

/// The node `map`(`operand`): every factor's hole is filled by what stands to its
/// right. `None` for the zero map; the
/// identity gives the operand itself.
///
/// # Errors
/// A map that is not finished, or passes a loop: it has no expression.
pub fn applied(
    program: &mut Program,
    parts: &[Part],
    map: &Map,
    operand: NodeId,
) -> Result<Option<NodeId>, Diagnostic> {
    match map {
        Map::Identity => Ok(Some(operand)),
        Map::Zero => Ok(None),
        Map::Sum(terms) => {
            let mut sum = None;
            for term in terms {
                let Some(value) = applied(program, parts, term, operand)? else { continue };
                sum = Some(match sum {
                    None => value,
                    Some(before) => plain::plus(program, before, value)?,
                });
            }
            Ok(sum)
        }
        Map::Compose(factors) => {
            let mut value = operand;
            for factor in factors.iter().rev() {
                match applied(program, parts, factor, value)? {
                    Some(next) => value = next,
                    None => return Ok(None),
                }
            }
            Ok(Some(value))
        }
        Map::Factor(factor) => filled(program, *factor, operand).map(Some),
        Map::Named(part) => {
            let part = parts.get(*part).ok_or_else(|| fault("a named map without its part"))?;
            // The name stands for J alone; an identity is written beside it.
            applied(program, parts, &part.map, operand)
        }
        Map::Pending { .. } | Map::Product(_) | Map::Turns(_) => {
            Err(Diagnostic::new(Mistake::BadArgument, "this derivative has no closed expression: it passes a loop"))
        }
    }
}

/// The differential `factor` with its hole filled by `operand`.
pub fn filled(program: &mut Program, factor: Factor, operand: NodeId) -> Result<NodeId, Diagnostic> {
    let hole = program.hole(factor.of);
    replaced(program, factor.node, &HashMap::from([(hole, operand)]))
}

/// `node` with some nodes below it replaced. Only what lies above them is copied.
pub fn replaced(program: &mut Program, node: NodeId, by: &HashMap<NodeId, NodeId>) -> Result<NodeId, Diagnostic> {
    // Arguments come before their users, so ascending order is an order of evaluation.
    let lowest = by.keys().min().copied().unwrap_or(node);
    let mut below: Vec<NodeId> = Vec::new();
    let (mut stack, mut seen) = (vec![node], std::collections::HashSet::from([node]));
    while let Some(id) = stack.pop() {
        below.push(id);
        for arg in &program.node(id).args {
            if *arg >= lowest && seen.insert(*arg) {
                stack.push(*arg);
            }
        }
    }
    below.sort();
    let mut new: HashMap<NodeId, NodeId> = by.clone();
    for id in below {
        if new.contains_key(&id) {
            continue;
        }
        let old = program.node(id).clone();
        let args: Vec<NodeId> = old.args.iter().map(|arg| new.get(arg).copied().unwrap_or(*arg)).collect();
        if args == old.args {
            continue;
        }
        let Kind::Apply(op, attrs) = old.kind else { continue };
        let copy = program.apply(op, &args, attrs).map_err(|m| fault(m.message))?;
        new.insert(id, copy);
    }
    Ok(new.get(&node).copied().unwrap_or(node))
}
