//! The derivative of one operation by one of its arguments.

use crate::derive::rules;
use crate::graph::{Kind, NodeId, Program};
use crate::notation::{self, Math};
use crate::ops::{Attr, Axes, Lower, OpRef};
use crate::reading;
use crate::render::flat;
use std::collections::HashMap;

/// A derivative longer than this is not written at an edge.
const LONGEST: usize = 80;

/// The derivative of `node` by `arg`: I where the differential passes unchanged, a
/// matrix where there is a short one, else the differential, and where that is long
/// too, d(node)/d(arg). `None` where there is no rule.
pub(super) fn local(program: &mut Program, node: NodeId, arg: NodeId) -> Option<Math> {
    let differential = rules::local(program, node, &|other| other == arg).ok()?;
    if program.node(differential).kind == Kind::Hole(arg) {
        return Some(Math::Identity);
    }
    let matrix = matrix(program, differential, node, arg);
    let mut written = matrix.into_iter().chain([notation::of(program, differential)]);
    let short = written.find(|math| flat(math).chars().count() <= LONGEST);
    Some(short.unwrap_or_else(|| Math::derivative(notation::of(program, node), notation::of(program, arg))))
}

/// The Jacobian matrix in numerator layout.
fn matrix(program: &mut Program, differential: NodeId, node: NodeId, arg: NodeId) -> Option<Math> {
    let (out, by) = (program.shape(node).rank(), program.shape(arg).rank());
    let last = program.graph().node_count();
    let matrix = reading::matrix_of(program, differential, arg)?;
    let matrix = spread(program, matrix, last);
    match (out, by) {
        // Of a scalar by a matrix there is none that is read without a convention.
        (0, 2..) => None,
        // A row is given as its vector.
        (0, 1) => Some(row(notation::of(program, matrix))),
        _ => Some(notation::of(program, matrix)),
    }
}

/// The transpose of a vector; numbers beside it stay in front.
fn row(vector: Math) -> Math {
    let number = |math: &Math| matches!(math, Math::Number(_) | Math::Size(_) | Math::Fraction(..));
    match vector {
        Math::Negative(inner) => Math::negative(row(*inner)),
        Math::Product(mut factors) if factors.iter().rev().skip(1).all(number) => {
            let last = factors.pop().map(Math::transposed);
            Math::product(factors.into_iter().chain(last))
        }
        other => other.transposed(),
    }
}

/// `matrix` with every value repeated in so many words that is repeated by
/// broadcasting: I − 1 pᵀ, not I − p. Nodes below `first` are kept.
fn spread(program: &mut Program, matrix: NodeId, first: usize) -> NodeId {
    let mut new: HashMap<NodeId, NodeId> = HashMap::new();
    for id in (first..=matrix.index()).map(NodeId::new) {
        let node = program.node(id).clone();
        let Kind::Apply(op, attrs) = node.kind else { continue };
        let args: Vec<NodeId> = node.args.iter().map(|arg| new.get(arg).copied().unwrap_or(*arg)).collect();
        let spread: Vec<NodeId> = args
            .iter()
            .map(|arg| {
                let from = program.shape(*arg).rank();
                if !repeats(op, from, node.shape.rank()) {
                    return *arg;
                }
                let dims = Attr::Dims(node.shape.0.clone());
                program.call_with("broadcast_to", &[*arg], &[("dims", dims)]).unwrap_or(*arg)
            })
            .collect();
        if spread != node.args
            && let Ok(copy) = program.apply(op, &spread, attrs)
        {
            new.insert(id, copy);
        }
    }
    new.get(&matrix).copied().unwrap_or(matrix)
}

/// Is an argument of this rank repeated, in a way that is not plain to see? A
/// scalar beside a product is.
fn repeats(op: OpRef, from: usize, to: usize) -> bool {
    let sum = matches!(op.lower, Lower::Sum(_));
    from < to && (sum || op.axes == Axes::Elementwise && from > 0)
}
