//! The backward pass: each cotangent once, from the result to the inputs.

use super::{Cotangent, pullback_of};
use crate::derive::{self, adjoint, moving, rules};
use crate::diagnostic::Diagnostic;
use crate::graph::{Kind, NodeId, Program};
use std::collections::HashMap;

/// The cotangents of `inputs`, and of every named value on the way that later
/// ones use, in the order of the backward pass. The cotangent of `out` is given.
/// What differentials repeat gets a name in `program`.
/// Inputs on which `out` does not depend have none.
///
/// # Errors
/// An operation whose adjoint has no expression, with its place.
pub fn backward(program: &mut Program, out: NodeId, inputs: &[NodeId]) -> Result<Vec<Cotangent>, Diagnostic> {
    *program = derive::with_names(std::mem::take(program), out, inputs)?;
    let mut moves = vec![false; program.graph().node_count()];
    for input in inputs {
        for (flag, moving) in moves.iter_mut().zip(moving(program, out, *input)) {
            *flag |= moving;
        }
    }
    let moves_at = |id: NodeId| moves.get(id.index()).copied().unwrap_or(false);
    let mut received: HashMap<NodeId, Vec<NodeId>> = HashMap::from([(out, vec![program.cotangent(out)])]);
    let mut pass = Vec::new();
    for index in (0..=out.index()).rev() {
        let id = NodeId::new(index);
        let Some(parts) = received.remove(&id).filter(|_| moves_at(id)) else { continue };
        let total = sum(program, &parts)?;
        let users = inputs.contains(&id);
        let given = matches!(program.node(total).kind, Kind::Cotangent(_));
        let args: Vec<NodeId> = distinct(&program.node(id).args).into_iter().filter(|arg| moves_at(*arg)).collect();
        let named = program.name(id).is_some() || args.len() > 1 && parts.len() > 1;
        let cotangent = if users || (named && !given) {
            pass.push(Cotangent { of: id, value: total });
            program.cotangent(id)
        } else {
            total
        };
        for arg in args {
            let local = rules::local(program, id, &|a| a == arg)?;
            // Where no matrix notation says the adjoint: operation by operation, in any rank.
            if program.node(local).kind == Kind::Hole(arg) {
                received.entry(arg).or_default().push(cotangent);
                continue;
            }
            let share = match pullback_of(program, local, arg, cotangent) {
                Some(share) => share,
                None => adjoint(program, local, arg, cotangent).map_err(|told| placed(program, id, told))?,
            };
            received.entry(arg).or_default().push(share);
        }
    }
    Ok(pass)
}

fn distinct(args: &[NodeId]) -> Vec<NodeId> {
    let mut seen = Vec::new();
    for arg in args {
        if !seen.contains(arg) {
            seen.push(*arg);
        }
    }
    seen
}

/// The sum of the shares of a cotangent, in the order in which the program reads:
/// the latest share is that of the earliest use.
fn sum(program: &mut Program, parts: &[NodeId]) -> Result<NodeId, Diagnostic> {
    let mut total = parts[0];
    for part in &parts[1..] {
        total = derive::plus(program, total, *part)?;
    }
    Ok(total)
}

/// The mistake at the place of the operation.
fn placed(program: &Program, id: NodeId, told: Diagnostic) -> Diagnostic {
    Diagnostic { span: program.node(id).span, ..told }
}
