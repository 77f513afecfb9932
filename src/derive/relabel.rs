//! A product of nodes with labels as a node, in the plainest operations that say it.

use super::fault;
use crate::diagnostic::Diagnostic;
use crate::graph::{NodeId, Program};
use crate::ops::{Attr, Number};
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
            let eye = call(program, "eye", &[], &[("dims", Attr::Dims(side))])?;
            term.factors.push((eye, vec![label, next]));
            distinct.push(next);
            next = next.saturating_add(1);
        } else {
            distinct.push(label);
        }
    }
    let carried = |label: &u8| term.factors.iter().any(|(_, labels)| labels.contains(label));
    let core: Vec<u8> = distinct.iter().copied().filter(carried).collect();
    let mut node = product(program, &term.factors, &core)?;
    for (axis, _) in distinct.iter().enumerate().filter(|(_, label)| !carried(label)) {
        node = call(program, "unsqueeze", &[node], &[("axis", Attr::Axes(vec![axis]))])?;
    }
    if *program.shape(node) != term.shape {
        node = call(program, "broadcast_to", &[node], &[("dims", Attr::Dims(term.shape.0.clone()))])?;
    }
    if !term.over.is_empty() {
        let count = term.over.into_iter().fold(Dim::size(1), |product, dim| product * dim);
        let count = program.size(count);
        if program.number_of(count) != Some(Number::ONE) {
            node = call(program, "div", &[node, count], &[])?;
        }
    }
    Ok(node)
}

/// The product with the labels `wanted`, each carried by some factor.
fn product(program: &mut Program, factors: &[Labelled], wanted: &[u8]) -> Result<NodeId, Diagnostic> {
    match factors {
        [one] => single(program, one, wanted),
        [(a, left), (b, right)] if left == right && left == wanted => call(program, "mul", &[*a, *b], &[]),
        // A number scales.
        [(a, left), (b, right)] if right.is_empty() => {
            let scaled = call(program, "mul", &[*b, *a], &[])?;
            single(program, &(scaled, left.clone()), wanted)
        }
        [a, b] => match matrices(program, a, b, wanted)? {
            Some(node) => Ok(node),
            None => einsum(program, factors, wanted),
        },
        _ => einsum(program, factors, wanted),
    }
}

/// One factor with other labels: summed, then its axes put in order.
fn single(program: &mut Program, (node, labels): &Labelled, wanted: &[u8]) -> Result<NodeId, Diagnostic> {
    let (mut node, mut labels) = (*node, labels.clone());
    let repeated = labels.iter().any(|label| labels.iter().filter(|other| *other == label).count() > 1);
    if repeated {
        return einsum(program, &[(node, labels)], wanted);
    }
    let gone: Vec<usize> = (0..labels.len()).filter(|axis| !wanted.contains(&labels[*axis])).collect();
    if !gone.is_empty() {
        let attrs = [("axis", Attr::Axes(gone)), ("keepdims", Attr::Flag(false))];
        node = call(program, "sum", &[node], &attrs)?;
        labels.retain(|label| wanted.contains(label));
    }
    if labels == wanted {
        return Ok(node);
    }
    let order: Option<Vec<usize>> = wanted.iter().map(|label| labels.iter().position(|own| own == label)).collect();
    match order {
        Some(order) if order == [1, 0] => call(program, "transpose", &[node], &[]),
        Some(order) => call(program, "permute", &[node], &[("order", Attr::Axes(order))]),
        None => Err(fault("a label that no factor carries")),
    }
}

/// A product of matrices along equal leading axes, if the labels say one.
fn matrices(
    program: &mut Program,
    (a, left): &Labelled,
    (b, right): &Labelled,
    wanted: &[u8],
) -> Result<Option<NodeId>, Diagnostic> {
    let ([lead_a @ .., i, j], [lead_b @ .., k, l], [lead @ .., row, column]) = (&left[..], &right[..], wanted) else {
        return Ok(None);
    };
    if lead_a != lead_b || lead_a != lead {
        return Ok(None);
    }
    let turned = |program: &mut Program, node: NodeId| {
        let name = if program.shape(node).rank() == 2 { "transpose" } else { "matrix_transpose" };
        call(program, name, &[node], &[])
    };
    let (first, second) = match ((i, j), (k, l), (row, column)) {
        ((i, j), (k, l), (r, c)) if j == k && r == i && c == l => (*a, *b),
        ((i, j), (k, l), (r, c)) if j == l && r == i && c == k => (*a, turned(program, *b)?),
        ((i, j), (k, l), (r, c)) if i == k && r == j && c == l => (turned(program, *a)?, *b),
        // The other factor first.
        ((i, j), (k, l), (r, c)) if i == l && r == k && c == j => (*b, *a),
        ((i, j), (k, l), (r, c)) if i == k && r == l && c == j => (turned(program, *b)?, *a),
        ((i, j), (k, l), (r, c)) if j == l && r == k && c == i => (*b, turned(program, *a)?),
        _ => return Ok(None),
    };
    call(program, "matmul", &[first, second], &[]).map(Some)
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
    call(program, "einsum", &nodes, &[("equation", Attr::Text(Name::from(equation)))])
}

fn call(
    program: &mut Program,
    name: &str,
    args: &[NodeId],
    attrs: &[(&'static str, Attr)],
) -> Result<NodeId, Diagnostic> {
    program.call_with(name, args, attrs).map_err(|m| fault(m.message))
}
