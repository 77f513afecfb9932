//! A product of nodes with labels as a node, in the plainest operations that say it.

use super::{fault, plain};
use crate::diagnostic::Diagnostic;
use crate::graph::{NodeId, Program};
use crate::ops::{Attr, MatrixProduct, Number};
use crate::shape::{Dim, Name, Shape};

/// Σ over the labels not wanted of the product of the factors, divided by sizes.
pub(super) struct Term {
    /// The factors; the first is the cotangent.
    pub factors: Vec<(NodeId, Vec<u8>)>,
    /// The labels of the result, one an axis.
    pub wanted: Vec<u8>,
    /// The shape of the result.
    pub shape: Shape,
    /// The sizes it is divided by.
    pub over: Vec<Dim>,
}

type Labelled = (NodeId, Vec<u8>);

/// The node of the product.
///
/// # Errors
/// More labels than there are letters.
pub(super) fn contracted(program: &mut Program, mut term: Term) -> Result<NodeId, Diagnostic> {
    // A label that the result has twice is a diagonal: the second axis has a label
    // of its own, tied to the first by an identity matrix.
    let mut distinct: Vec<u8> = Vec::new();
    let every = term.factors.iter().flat_map(|(_, labels)| labels).chain(&term.wanted);
    let mut next = every.max().map_or(0, |label| label.saturating_add(1));
    for (axis, label) in term.wanted.clone().into_iter().enumerate() {
        if distinct.contains(&label) {
            let side = vec![term.shape.0[axis].clone()];
            let eye = plain::made(program, "eye", &[], &[("dims", Attr::Dims(side))])?;
            term.factors.push((eye, vec![label, next]));
            distinct.push(next);
            next = next.saturating_add(1);
        } else {
            distinct.push(label);
        }
    }
    let carried = |label: &u8| term.factors.iter().any(|(_, labels)| labels.contains(label));
    let (core, lost): (Vec<usize>, Vec<usize>) = (0..distinct.len()).partition(|axis| carried(&distinct[*axis]));
    let core: Vec<u8> = core.into_iter().map(|axis| distinct[axis]).collect();
    let mut node = product(program, &term.factors, &core)?;
    node = plain::with_axes(program, node, &lost)?;
    if !term.over.is_empty() {
        let count = term.over.into_iter().fold(Dim::size(1), |product, dim| product * dim);
        let count = program.size(count);
        if program.number_of(count) != Some(Number::ONE) {
            node = plain::over(program, node, count)?;
        }
    }
    plain::repeated(program, node, &term.shape)
}

/// The product with the labels `wanted`, each carried by some factor.
fn product(program: &mut Program, factors: &[Labelled], wanted: &[u8]) -> Result<NodeId, Diagnostic> {
    match factors {
        [one] => single(program, one, wanted),
        [a, b] => {
            let (a, b) = (summed_alone(program, a, &b.1, wanted)?, summed_alone(program, b, &a.1, wanted)?);
            if let Some(node) = matrices(program, &a, &b, wanted)? {
                return Ok(node);
            }
            match entrywise(program, &a, &b, wanted)? {
                Some(whole) => single(program, &whole, wanted),
                None => einsum(program, &[a, b], wanted),
            }
        }
        _ => einsum(program, factors, wanted),
    }
}

/// The factor summed over what it alone carries; an axis of size 1 stays, for
/// broadcasting.
fn summed_alone(program: &mut Program, factor: &Labelled, other: &[u8], wanted: &[u8]) -> Result<Labelled, Diagnostic> {
    let (node, labels) = factor;
    let dims = &program.shape(*node).0;
    let alone = |axis: &usize| {
        let label = &labels[*axis];
        !dims[*axis].is_one() && !other.contains(label) && !wanted.contains(label)
    };
    let gone: Vec<usize> = (0..labels.len()).filter(alone).collect();
    let kept = (0..labels.len()).filter(|axis| !gone.contains(axis)).map(|axis| labels[axis]).collect();
    Ok((plain::summed(program, *node, &gone)?, kept))
}

/// One factor with other labels: summed, then its axes put in order.
fn single(program: &mut Program, (node, labels): &Labelled, wanted: &[u8]) -> Result<NodeId, Diagnostic> {
    let (mut node, mut labels) = (*node, labels.clone());
    if repeats(&labels) {
        return einsum(program, &[(node, labels)], wanted);
    }
    let gone: Vec<usize> = (0..labels.len()).filter(|axis| !wanted.contains(&labels[*axis])).collect();
    node = plain::summed(program, node, &gone)?;
    labels.retain(|label| wanted.contains(label));
    if labels == wanted {
        return Ok(node);
    }
    let order: Option<Vec<usize>> = wanted.iter().map(|label| labels.iter().position(|own| own == label)).collect();
    match (order, wanted.len()) {
        (Some(order), rank) if is_turn(&order, rank) => plain::turned(program, node),
        (Some(order), _) => plain::made(program, "permute", &[node], &[("order", Attr::Axes(order))]),
        (None, _) => Err(fault("a label that no factor carries")),
    }
}

fn repeats(labels: &[u8]) -> bool {
    labels.iter().any(|label| labels.iter().filter(|other| *other == label).count() > 1)
}

/// Does the order exchange the last two axes and leave the others?
fn is_turn(order: &[usize], rank: usize) -> bool {
    let lead = rank.saturating_sub(2);
    rank >= 2 && order[..lead].iter().enumerate().all(|(i, axis)| i == *axis) && order[lead..] == [lead + 1, lead]
}

/// A product of matrices, along equal leading axes or those of one factor, or of a
/// matrix and a vector, if the labels say one.
fn matrices(
    program: &mut Program,
    (a, left): &Labelled,
    (b, right): &Labelled,
    wanted: &[u8],
) -> Result<Option<NodeId>, Diagnostic> {
    if repeats(left) || repeats(right) || repeats(wanted) {
        return Ok(None);
    }
    match (&left[..], &right[..], wanted) {
        ([i], [j], [r, c]) if (i, j) == (r, c) => return plain::made(program, "outer", &[*a, *b], &[]).map(Some),
        ([i], [j], [r, c]) if (j, i) == (r, c) => return plain::made(program, "outer", &[*b, *a], &[]).map(Some),
        _ => {}
    }
    if let Some(node) = matrix_and_vector(program, (*a, left), (*b, right), wanted)? {
        return Ok(Some(node));
    }
    if let Some(node) = matrix_and_vector(program, (*b, right), (*a, left), wanted)? {
        return Ok(Some(node));
    }
    let Some(found) = MatrixProduct::of(left, right, wanted) else { return Ok(None) };
    let mut sides = [*a, *b];
    for (side, turned) in sides.iter_mut().zip(found.turned) {
        *side = if turned { plain::turned(program, *side)? } else { *side };
    }
    let [first, second] = found.ordered(sides);
    plain::product(program, first, second).map(Some)
}

/// The product of matrices along leading axes and one vector.
fn matrix_and_vector(
    program: &mut Program,
    (matrix, labels): (NodeId, &[u8]),
    (vector, entry): (NodeId, &[u8]),
    wanted: &[u8],
) -> Result<Option<NodeId>, Diagnostic> {
    let ([lead @ .., i, j], [k], [wanted_lead @ .., row]) = (labels, entry, wanted) else { return Ok(None) };
    if lead != wanted_lead {
        return Ok(None);
    }
    match (j == k && i == row, i == k && j == row) {
        (true, _) => plain::product(program, matrix, vector).map(Some),
        (_, true) if lead.is_empty() => plain::product(program, vector, matrix).map(Some),
        (_, true) => {
            let turned = plain::turned(program, matrix)?;
            plain::product(program, turned, vector).map(Some)
        }
        _ => Ok(None),
    }
}

/// The product entry by entry with all labels of both, where one order of axes serves
/// both: that of one of them, or the wanted one.
fn entrywise(program: &mut Program, a: &Labelled, b: &Labelled, wanted: &[u8]) -> Result<Option<Labelled>, Diagnostic> {
    if repeats(&a.1) || repeats(&b.1) {
        return Ok(None);
    }
    for order in [&a.1[..], &b.1, wanted].into_iter().filter(|order| wanted.iter().all(|l| order.contains(l))) {
        if let (Some(first), Some(second)) = (places(program, a, order), places(program, b, order)) {
            let first = plain::with_axes(program, a.0, &first)?;
            let second = plain::with_axes(program, b.0, &second)?;
            return Ok(Some((plain::times(program, first, second)?, order.to_vec())));
        }
    }
    Ok(None)
}

/// Where axes of size 1 are to be added to the factor so that it broadcasts to `order`;
/// axes of size 1 that it alone carries serve for those.
fn places(program: &Program, (node, labels): &Labelled, order: &[u8]) -> Option<Vec<usize>> {
    let dims = &program.shape(*node).0;
    let (mut left, mut added) = (labels.len(), Vec::new());
    for (place, label) in order.iter().enumerate().rev() {
        let Some(last) = left.checked_sub(1) else { break };
        let serves = !order.contains(&labels[last]) && dims[last].is_one();
        if labels[last] == *label || serves {
            left = last;
        } else {
            added.push(place);
        }
    }
    // The first axes of the whole come by broadcasting.
    let lead = order.len().checked_sub(labels.len() + added.len())?;
    (left == 0).then(|| added.into_iter().rev().map(|place| place - lead).collect())
}

/// The product with its labels as letters.
fn einsum(program: &mut Program, factors: &[Labelled], wanted: &[u8]) -> Result<NodeId, Diagnostic> {
    let mut known: Vec<u8> = Vec::new();
    let mut word = |labels: &[u8]| -> Result<String, Diagnostic> {
        let letter = |label: &u8| {
            let at = known.iter().position(|other| other == label).unwrap_or_else(|| {
                known.push(*label);
                known.len() - 1
            });
            let letters = b"ijklmnopqrstuvwxyzabcdefghABCDEFGHIJKLMNOPQRSTUVWXYZ";
            letters.get(at).map(|byte| char::from(*byte)).ok_or_else(|| fault("more labels than letters"))
        };
        labels.iter().map(letter).collect()
    };
    let sides: Vec<String> = factors.iter().map(|(_, labels)| word(labels)).collect::<Result<_, _>>()?;
    let equation = format!("{}->{}", sides.join(","), word(wanted)?);
    let nodes: Vec<NodeId> = factors.iter().map(|(node, _)| *node).collect();
    plain::made(program, "einsum", &nodes, &[("equation", Attr::Text(Name::from(equation)))])
}
