//! The adjoint of a differential of any rank, as nodes.
//!
//! A node linear in one hole is read backwards, operation by operation: a sum
//! passes the cotangent on with its sign, a contraction exchanges the labels of
//! the result and of the argument, an operation without labels says its transpose.

use super::relabel::{Term, contracted};
use super::{fault, plain, rules};
use crate::diagnostic::{Diagnostic, Kind as Mistake};
use crate::graph::{Env, Kind, NodeId, Program, build};
use crate::ops::{Attrs, Lower, OpRef};
use crate::shape::{Dim, Shape};
use std::collections::{BTreeMap, HashMap};

/// What the node `of` receives of the cotangent `g` of `linear`, a node linear in
/// the hole of `of`.
///
/// # Errors
/// A function in which the hole stands that says neither labels nor a transpose.
pub fn adjoint(program: &mut Program, linear: NodeId, of: NodeId, g: NodeId) -> Result<NodeId, Diagnostic> {
    let hole = program.hole(of);
    let mut holds: HashMap<NodeId, bool> = HashMap::from([(hole, true)]);
    // Users have larger numbers than what they use: the largest has all its shares.
    let mut shares: BTreeMap<NodeId, Vec<NodeId>> = BTreeMap::from([(linear, vec![g])]);
    while let Some((node, parts)) = shares.pop_last() {
        let total = sum(program, &parts)?;
        if node == hole {
            return Ok(total);
        }
        if !moves(program, node, hole, &mut holds) {
            continue;
        }
        let Kind::Apply(op, attrs) = program.node(node).kind.clone() else { return Err(refusal(program, node)) };
        if let Lower::As(text) = op.lower {
            let spelled = spelled(program, node, (op, &attrs), text)?;
            shares.entry(spelled).or_default().push(total);
            continue;
        }
        let args = program.node(node).args.clone();
        for (place, arg) in args.iter().enumerate() {
            if moves(program, *arg, hole, &mut holds) {
                let share = share(program, node, place, (op, &attrs), total)?;
                shares.entry(*arg).or_default().push(share);
            }
        }
    }
    // The hole does not occur: nothing is received.
    let dims = program.shape(of).0.clone();
    program.call_with("zeros", &[], &[("dims", crate::ops::Attr::Dims(dims))]).map_err(|m| fault(m.message))
}

/// Does the hole stand in the node? What came before the hole does not hold it.
fn moves(program: &Program, node: NodeId, hole: NodeId, holds: &mut HashMap<NodeId, bool>) -> bool {
    let mut open = vec![node];
    while let Some(&id) = open.last() {
        if id < hole || holds.contains_key(&id) {
            open.pop();
            continue;
        }
        let args = &program.node(id).args;
        let missing: Vec<NodeId> = args.iter().filter(|a| **a > hole && !holds.contains_key(a)).copied().collect();
        if missing.is_empty() {
            let found = args.iter().any(|arg| holds.get(arg).copied().unwrap_or(false));
            holds.insert(id, found);
            open.pop();
        } else {
            open.extend(missing);
        }
    }
    holds.get(&node).copied().unwrap_or(false)
}

/// The node spelled in the operations that its own is lowered to.
fn spelled(
    program: &mut Program,
    node: NodeId,
    (op, attrs): (OpRef, &Attrs),
    text: &str,
) -> Result<NodeId, Diagnostic> {
    let env = Env::of_call(op, attrs, &program.node(node).args);
    let spelled = build(program, text, &env)?;
    let shape = program.shape(node).clone();
    if *program.shape(spelled) == shape {
        return Ok(spelled);
    }
    let dims = crate::ops::Attr::Dims(shape.0);
    program.call_with("broadcast_to", &[spelled], &[("dims", dims)]).map_err(|m| fault(m.message))
}

/// What the argument at `place` receives of the cotangent `g` of one operation.
fn share(
    program: &mut Program,
    node: NodeId,
    place: usize,
    (op, attrs): (OpRef, &Attrs),
    g: NodeId,
) -> Result<NodeId, Diagnostic> {
    let args = program.node(node).args.clone();
    let shapes: Vec<Shape> = args.iter().map(|arg| program.shape(*arg).clone()).collect();
    match op.lower {
        Lower::Linear { .. } => rules::transposed(program, node, place, g),
        Lower::Sum(signs) => {
            let out = program.shape(node).clone();
            let labels: Vec<u8> = (0..out.rank() as u8).collect();
            let wanted = aligned(&shapes[place], &out);
            let term = Term { factors: vec![(g, labels)], wanted, shape: shapes[place].clone(), over: Vec::new() };
            let share = contracted(program, term)?;
            match signs.get(place) {
                Some(-1) => plain::minus(program, share),
                _ => Ok(share),
            }
        }
        Lower::Labels(labels) => {
            let labels = labels(&shapes.iter().collect::<Vec<_>>(), attrs);
            let others = args.iter().zip(&labels.args).enumerate().filter(|(i, _)| *i != place);
            let others = others.map(|(_, (arg, labels))| (*arg, labels.clone()));
            let factors = std::iter::once((g, labels.out.clone())).chain(others).collect();
            let size = |label: &u8| {
                let found = shapes
                    .iter()
                    .zip(&labels.args)
                    .find_map(|(shape, own)| own.iter().position(|l| l == label).map(|axis| shape.0[axis].clone()));
                found.unwrap_or_else(|| Dim::size(1))
            };
            let over = labels.divide.iter().map(size).collect();
            let term = Term { factors, wanted: labels.args[place].clone(), shape: shapes[place].clone(), over };
            contracted(program, term)
        }
        Lower::As(_) | Lower::Power | Lower::Atom => Err(refusal(program, node)),
    }
}

/// The labels of an argument of a sum: those of the result, last axes aligned; an
/// axis of size 1 that is repeated has one of its own.
fn aligned(arg: &Shape, out: &Shape) -> Vec<u8> {
    let (lead, rank) = (out.rank() - arg.rank().min(out.rank()), out.rank() as u8);
    let label = |(axis, dim): (usize, &Dim)| {
        let at = (lead + axis) as u8;
        if out.0.get(lead + axis) == Some(dim) { at } else { rank + at }
    };
    arg.0.iter().enumerate().map(label).collect()
}

fn sum(program: &mut Program, parts: &[NodeId]) -> Result<NodeId, Diagnostic> {
    let (first, rest) = parts.split_first().ok_or_else(|| fault("a cotangent without shares"))?;
    rest.iter().try_fold(*first, |sum, part| plain::plus(program, sum, *part))
}

fn refusal(program: &Program, node: NodeId) -> Diagnostic {
    let what = program.op(node).map_or("this", |(op, _)| op.name);
    Diagnostic::new(Mistake::BadArgument, format!("{what} has no adjoint here: the differential stands inside it"))
}
