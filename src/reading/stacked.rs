//! The vec reading: a linear map of matrices as one matrix that acts on stacked entries.
//!
//! With columns stacked vec(A X B) = (Bᵀ ⊗ A) vec X, with rows A ⊗ Bᵀ. An operation
//! acts on the first axis, on the second, on both, or entry by entry, so each factor
//! is a Kronecker product, a diagonal matrix or a commutation matrix.

use super::stacking::Stacking;
use crate::derive::turned;
use crate::graph::{NodeId, Program};
use crate::ops::{Attr, Axes, Lower, Number};
use crate::shape::Dim;
use std::collections::HashMap;

/// Deeper differentials are not read.
const DEEPEST: usize = 200;

/// The matrix of a map from stacked entries to stacked entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stacked {
    /// The matrix, entries of the result by entries of the variable; `None` where an
    /// operation on the way is none that has one.
    pub node: Option<NodeId>,
    /// How both are stacked.
    pub by: Stacking,
}

/// What acts on one axis.
#[derive(Clone, PartialEq)]
enum Side {
    /// Nothing; the axis is that long.
    Same(Dim),
    /// A matrix, new axis by old axis.
    Matrix(NodeId),
}

/// A map of matrices, the outermost factor first.
#[derive(Clone, PartialEq)]
enum Linear {
    /// First axis, second axis.
    Sides(Side, Side),
    /// Entry by entry, by a matrix of the same shape.
    Entries(NodeId),
    /// The transpose, of a matrix with these axes.
    Turn(Dim, Dim),
    /// A scalar factor.
    Scale(NodeId),
    /// One after the other.
    Product(Vec<Linear>),
    /// Their sum with signs; `true` for minus.
    Sum(Vec<(bool, Linear)>),
}

/// The matrix of `map`, a matrix linear in the hole of the matrix `hole_of`, on
/// stacked entries. `None` where an operation on the way is none of those above.
pub fn stacked(program: &mut Program, map: NodeId, hole_of: NodeId, by: Stacking) -> Option<NodeId> {
    if program.shape(map).rank() != 2 || program.shape(hole_of).rank() != 2 {
        return None;
    }
    let hole = program.hole(hole_of);
    let mut known: HashMap<NodeId, Linear> = HashMap::new();
    let [m, n] = &program.shape(hole).0[..] else { return None };
    known.insert(hole, Linear::Sides(Side::Same(m.clone()), Side::Same(n.clone())));
    // Arguments have smaller numbers than their users.
    let mut nodes: Vec<NodeId> = Vec::new();
    let mut open = vec![map];
    while let Some(id) = open.pop() {
        if !nodes.contains(&id) && nodes.len() < DEEPEST {
            nodes.push(id);
            open.extend(&program.node(id).args);
        }
    }
    nodes.sort_unstable();
    for id in nodes.into_iter().filter(|id| *id != hole) {
        let moving: Vec<usize> =
            (0..program.node(id).args.len()).filter(|i| known.contains_key(&program.node(id).args[*i])).collect();
        if !moving.is_empty() {
            let linear = operation(program, id, &moving, &known)?;
            known.insert(id, linear);
        }
    }
    let linear = known.remove(&map)?;
    matrix(program, &linear, by)
}

/// One operation after the maps of its moving arguments.
fn operation(program: &mut Program, id: NodeId, moving: &[usize], known: &HashMap<NodeId, Linear>) -> Option<Linear> {
    let (op, attrs) = program.op(id).map(|(op, attrs)| (op, attrs.clone()))?;
    let args = program.node(id).args.clone();
    let shape = program.shape(id).clone();
    let same: Vec<usize> = moving.iter().copied().filter(|i| *program.shape(args[*i]) == shape).collect();
    if shape.rank() != 2 || !moving.iter().all(|i| program.shape(args[*i]).rank() == 2) {
        return None;
    }
    let all_same = same.len() == moving.len();
    match op.lower {
        Lower::Sum(signs) if all_same => {
            let terms = same.iter().map(|i| Some((*signs.get(*i)? < 0, known.get(&args[*i])?.clone())));
            Some(Linear::Sum(terms.collect::<Option<_>>()?))
        }
        _ if all_same && (op.axes == Axes::Elementwise || is_by_entry(program, id)) => {
            let mut terms = Vec::new();
            for i in same {
                let weight = weight(program, id, i, moving)?;
                terms.push((false, after(by_entries(program, weight, &shape.0)?, known.get(&args[i])?.clone())));
            }
            Some(Linear::Sum(terms))
        }
        Lower::Labels(labels) if moving.len() == 1 => {
            let shapes: Vec<_> = args.iter().map(|arg| program.shape(*arg).clone()).collect();
            let labels = labels(&shapes.iter().collect::<Vec<_>>(), &attrs);
            let i = moving[0];
            let others = args.iter().zip(&labels.args).enumerate().filter(|(j, _)| *j != i);
            let others: Vec<(NodeId, Vec<u8>)> = others.map(|(_, (arg, l))| (*arg, l.clone())).collect();
            let dims = &shapes[i].0;
            let outer = axes(program, &labels.args[i], &labels.out, dims, others)?;
            labels.divide.is_empty().then(|| after(outer, known[&args[i]].clone()))
        }
        _ => None,
    }
}

/// Do the labels of a product of two say that it is entry by entry?
fn is_by_entry(program: &Program, id: NodeId) -> bool {
    let Some((op, attrs)) = program.op(id) else { return false };
    let Lower::Labels(labels) = op.lower else { return false };
    let shapes: Vec<_> = program.node(id).args.iter().map(|arg| program.shape(*arg).clone()).collect();
    if shapes.len() != 2 {
        return false;
    }
    let labels = labels(&shapes.iter().collect::<Vec<_>>(), attrs);
    labels.args.iter().all(|own| own.iter().all(|label| labels.out.contains(label)))
        && labels.args.contains(&labels.out)
}

/// What an operation that works entry by entry multiplies its moving argument by:
/// its value at 1, where other moving arguments are 0.
fn weight(program: &mut Program, id: NodeId, place: usize, moving: &[usize]) -> Option<NodeId> {
    let (op, attrs) = program.op(id).map(|(op, attrs)| (op, attrs.clone()))?;
    let mut args = program.node(id).args.clone();
    if let (Lower::Labels(_), [a, b]) = (op.lower, args.as_slice()) {
        // Both may move in no product: it would not be linear.
        return (moving.len() == 1).then_some(if place == 0 { *b } else { *a });
    }
    let (zero, one) = (program.number(Number::ZERO), program.number(Number::ONE));
    for i in moving {
        args[*i] = if *i == place { one } else { zero };
    }
    program.apply(op, &args, attrs).ok()
}

/// The product with a weight, entry by entry.
fn by_entries(program: &mut Program, weight: NodeId, dims: &[Dim]) -> Option<Linear> {
    let shape = program.shape(weight).clone();
    if shape.0 == dims {
        return Some(Linear::Entries(weight));
    }
    match shape.rank() {
        0 => Some(Linear::Scale(weight)),
        // X ⊙ v is X diag(v).
        1 => {
            let diagonal = program.call("diag", &[weight]).ok()?;
            Some(Linear::Sides(Side::Same(dims.first()?.clone()), Side::Matrix(diagonal)))
        }
        _ => {
            let spread = program.call_with("broadcast_to", &[weight], &[("dims", Attr::Dims(dims.to_vec()))]).ok()?;
            Some(Linear::Entries(spread))
        }
    }
}

/// A contraction with matrices that stand on one side or both.
fn axes(program: &mut Program, old: &[u8], new: &[u8], dims: &[Dim], others: Vec<(NodeId, Vec<u8>)>) -> Option<Linear> {
    let ([r, s], [p, q]) = (old, new) else { return None };
    if r == s || p == q {
        return None;
    }
    if (r, s) == (q, p) && others.is_empty() {
        return Some(Linear::Turn(dims[0].clone(), dims[1].clone()));
    }
    let mut rest = others;
    let mut side = |old: u8, new: u8, dim: &Dim| -> Option<Side> {
        if old == new {
            return Some(Side::Same(dim.clone()));
        }
        let place = rest.iter().position(|(_, l)| *l == [old, new] || *l == [new, old])?;
        let (node, labels) = rest.remove(place);
        Some(Side::Matrix(if labels == [new, old] { node } else { turned(program, node).ok()? }))
    };
    let sides = Linear::Sides(side(*r, *p, &dims[0])?, side(*s, *q, &dims[1])?);
    let scalars: Vec<NodeId> = rest.iter().filter(|(_, l)| l.is_empty()).map(|(node, _)| *node).collect();
    (scalars.len() == rest.len())
        .then(|| scalars.into_iter().fold(sides, |inner, scalar| after(Linear::Scale(scalar), inner)))
}

/// `outer` after `inner`, as a product.
fn after(outer: Linear, inner: Linear) -> Linear {
    let mut factors = Vec::new();
    for part in [outer, inner] {
        match part {
            Linear::Product(parts) => factors.extend(parts),
            Linear::Sum(mut terms) if terms.len() == 1 && !terms[0].0 => match terms.remove(0).1 {
                Linear::Product(parts) => factors.extend(parts),
                one => factors.push(one),
            },
            other => factors.push(other),
        }
    }
    // Nothing on either side is no factor beside another matrix.
    let bare = |part: &Linear| matches!(part, Linear::Sides(Side::Same(_), Side::Same(_)));
    let matrix = |part: &Linear| !bare(part) && !matches!(part, Linear::Scale(_));
    if factors.iter().any(matrix) {
        factors.retain(|part| !bare(part));
    }
    if factors.len() == 1 { factors.remove(0) } else { Linear::Product(factors) }
}

/// The map as a matrix.
fn matrix(program: &mut Program, linear: &Linear, by: Stacking) -> Option<NodeId> {
    match linear {
        Linear::Sides(first, second) => kronecker(program, first, second, by),
        Linear::Entries(weight) => {
            let stacked = vec_of(program, *weight, by)?;
            program.call("diag", &[stacked]).ok()
        }
        // K turns vec X into vec Xᵀ; by rows it is that of the transpose.
        Linear::Turn(m, n) => {
            let dims = match by {
                Stacking::Columns => vec![m.clone(), n.clone()],
                Stacking::Rows => vec![n.clone(), m.clone()],
            };
            program.call_with("commutation", &[], &[("dims", Attr::Dims(dims))]).ok()
        }
        Linear::Scale(_) => None,
        Linear::Product(factors) => product(program, factors, by),
        Linear::Sum(terms) => {
            let mut sum: Option<NodeId> = None;
            for (minus, term) in terms {
                let next = matrix(program, term, by)?;
                sum = Some(match (sum, minus) {
                    (None, false) => next,
                    (None, true) => program.call("neg", &[next]).ok()?,
                    (Some(before), minus) => program.call(if *minus { "sub" } else { "add" }, &[before, next]).ok()?,
                });
            }
            sum
        }
    }
}

/// A product of factors, outermost first; factors on the sides meet in one, scalars
/// stand in front.
fn product(program: &mut Program, factors: &[Linear], by: Stacking) -> Option<NodeId> {
    let (mut scalars, mut joined): (Vec<NodeId>, Vec<Linear>) = (Vec::new(), Vec::new());
    for factor in factors {
        match (joined.last_mut(), factor) {
            (_, Linear::Scale(scalar)) => scalars.push(*scalar),
            (Some(Linear::Sides(a, b)), Linear::Sides(c, d)) => {
                (*a, *b) = (one_side(program, a, c)?, one_side(program, b, d)?);
            }
            (_, other) => joined.push(other.clone()),
        }
    }
    let mut whole: Option<NodeId> = None;
    for factor in &joined {
        let next = matrix(program, factor, by)?;
        whole = Some(match whole {
            None => next,
            Some(before) => program.call("matmul", &[before, next]).ok()?,
        });
    }
    let mut whole = whole?;
    for scalar in scalars {
        whole = program.call("mul", &[scalar, whole]).ok()?;
    }
    Some(whole)
}

fn one_side(program: &mut Program, outer: &Side, inner: &Side) -> Option<Side> {
    Some(match (outer, inner) {
        (Side::Same(_), other) | (other, Side::Same(_)) => other.clone(),
        (Side::Matrix(a), Side::Matrix(b)) => Side::Matrix(program.call("matmul", &[*a, *b]).ok()?),
    })
}

/// The one place where the two orders meet: with columns stacked what acts on the
/// second axis stands first, with rows what acts on the first.
fn kronecker(program: &mut Program, first: &Side, second: &Side, by: Stacking) -> Option<NodeId> {
    let eye = |program: &mut Program, dim: Dim| program.call_with("eye", &[], &[("dims", Attr::Dims(vec![dim]))]).ok();
    if let (Side::Same(m), Side::Same(n)) = (first, second) {
        return eye(program, m.clone() * n.clone());
    }
    let mut node = |side: &Side| match side {
        Side::Same(dim) => eye(program, dim.clone()),
        Side::Matrix(node) => Some(*node),
    };
    let (first, second) = (node(first)?, node(second)?);
    let pair = match by {
        Stacking::Columns => [second, first],
        Stacking::Rows => [first, second],
    };
    program.call("kron", &pair).ok()
}

/// The entries of a matrix as one vector.
fn vec_of(program: &mut Program, node: NodeId, by: Stacking) -> Option<NodeId> {
    match by {
        Stacking::Columns => program.call("vec", &[node]).ok(),
        Stacking::Rows => {
            let [m, n] = &program.shape(node).0[..] else { return None };
            let length = m.clone() * n.clone();
            program.call_with("reshape", &[node], &[("dims", Attr::Dims(vec![length]))]).ok()
        }
    }
}
