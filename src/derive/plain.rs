//! Nodes in the plainest words: what a person would write for a sum, a product, a
//! transpose. Values are those of the plain operations; what falls away is what says
//! nothing: a repetition that broadcasting makes anyway, an axis of size 1 added and
//! summed again, a transpose of a transpose, a sign inside.

use super::fault;
use crate::diagnostic::Diagnostic;
use crate::graph::{NodeId, Program};
use crate::ops::{Attr, Attrs, Lower, Notation, Number, OpRef};
use crate::shape::Shape;

type Made = Result<NodeId, Diagnostic>;

/// a + b, of the shape of both.
pub fn plus(program: &mut Program, a: NodeId, b: NodeId) -> Made {
    let [a, b] = without_repeats(program, a, b);
    let (name, b) = match negative(program, b) {
        Some(b) => ("sub", b),
        None => ("add", b),
    };
    let [a, b] = without_repeats(program, a, b);
    call(program, name, &[a, b])
}

/// −x.
pub fn minus(program: &mut Program, x: NodeId) -> Made {
    match negative(program, x) {
        Some(inner) => Ok(inner),
        None => call(program, "neg", &[x]),
    }
}

/// x with axes of size 1 at the `places` of the result, in ascending order.
pub(super) fn with_axes(program: &mut Program, x: NodeId, places: &[usize]) -> Made {
    if let Some(inner) = negative(program, x) {
        let spread = with_axes(program, inner, places)?;
        return minus(program, spread);
    }
    // A sum that loses the axes it gains keeps them instead.
    if let Some((inner, attrs)) = is(program, x, Notation::Sum)
        && attrs.axes() == places
        && !attrs.flag("keepdims")
    {
        if places.iter().all(|axis| program.shape(inner).0[*axis].is_one()) {
            return Ok(inner);
        }
        let attrs = [("axis", Attr::Axes(places.to_vec())), ("keepdims", Attr::Flag(true))];
        return made(program, "sum", &[inner], &attrs);
    }
    let add = |node, axis: &usize| made(program, "unsqueeze", &[node], &[("axis", Attr::Axes(vec![*axis]))]);
    places.iter().try_fold(x, add)
}

/// The sum over `gone`, the places of axes that fall away, in ascending order.
pub(super) fn summed(program: &mut Program, x: NodeId, gone: &[usize]) -> Made {
    let (mut node, mut gone) = (x, gone.to_vec());
    if gone.is_empty() {
        return Ok(node);
    }
    if let Some(inner) = negative(program, node) {
        let sum = summed(program, inner, &gone)?;
        return minus(program, sum);
    }
    // An axis that was added falls away again.
    while let Some((inner, attrs)) = is(program, node, Notation::NewAxis)
        && let [axis] = *attrs.axes()
        && gone.contains(&axis)
    {
        gone.retain(|other| *other != axis);
        gone.iter_mut().filter(|other| **other > axis).for_each(|other| *other -= 1);
        node = inner;
    }
    if gone.is_empty() {
        return Ok(node);
    }
    if let Some((inner, attrs)) = is(program, node, Notation::Sum)
        && attrs.flag("keepdims")
        && attrs.axes() == gone
    {
        node = inner;
    }
    made(program, "sum", &[node], &[("axis", Attr::Axes(gone)), ("keepdims", Attr::Flag(false))])
}

/// x repeated to the shape.
pub(super) fn repeated(program: &mut Program, x: NodeId, shape: &Shape) -> Made {
    if program.shape(x) == shape {
        return Ok(x);
    }
    if let Some(inner) = negative(program, x) {
        let wide = repeated(program, inner, shape)?;
        return minus(program, wide);
    }
    made(program, "broadcast_to", &[x], &[("dims", Attr::Dims(shape.0.clone()))])
}

/// The transpose of the last two axes.
pub fn turned(program: &mut Program, x: NodeId) -> Made {
    let matrix = program.shape(x).rank() == 2;
    if let Some(inner) = negative(program, x) {
        let inner = turned(program, inner)?;
        return minus(program, inner);
    }
    if let Some((inner, _)) = is(program, x, Notation::MatrixTranspose) {
        return Ok(inner);
    }
    // (Aᵀ B)ᵀ is Bᵀ A.
    if is(program, x, Notation::Product).is_some()
        && let [a, b] = program.node(x).args[..]
        && [a, b].iter().all(|side| program.shape(*side).rank() >= 2)
        && [a, b].iter().any(|side| is_turned(program, *side))
    {
        let (first, second) = (turned(program, b)?, turned(program, a)?);
        return product(program, first, second);
    }
    match is(program, x, Notation::Transpose) {
        Some((inner, _)) if matrix => Ok(inner),
        _ => call(program, if matrix { "transpose" } else { "matrix_transpose" }, &[x]),
    }
}

fn is_turned(program: &Program, node: NodeId) -> bool {
    let turned = |(op, _): (OpRef, &Attrs)| op.notation.is_transpose();
    program.name(node).is_none() && program.op(node).is_some_and(turned)
}

/// x divided by a number.
pub(super) fn over(program: &mut Program, x: NodeId, number: NodeId) -> Made {
    match negative(program, x) {
        Some(inner) => {
            let part = over(program, inner, number)?;
            minus(program, part)
        }
        None => call(program, "div", &[x, number]),
    }
}

/// a ⊙ b, broadcast.
pub(super) fn times(program: &mut Program, a: NodeId, b: NodeId) -> Made {
    let [a, b] = without_repeats(program, a, b);
    if let Some(product) = without_sign(program, a, b, times)? {
        return Ok(product);
    }
    match (reciprocal(program, a), reciprocal(program, b)) {
        (_, Some(under)) => call(program, "div", &[a, under]),
        (Some(under), None) => call(program, "div", &[b, under]),
        (None, None) => call(program, "mul", &[a, b]),
    }
}

/// The matrix product a b.
pub(super) fn product(program: &mut Program, a: NodeId, b: NodeId) -> Made {
    match without_sign(program, a, b, product)? {
        Some(product) => Ok(product),
        None => call(program, "matmul", &[a, b]),
    }
}

/// The product of two of which one has a sign, with the sign in front.
fn without_sign(
    program: &mut Program,
    a: NodeId,
    b: NodeId,
    of: fn(&mut Program, NodeId, NodeId) -> Made,
) -> Result<Option<NodeId>, Diagnostic> {
    let (left, right) = (negative(program, a), negative(program, b));
    if left.is_none() && right.is_none() {
        return Ok(None);
    }
    let product = of(program, left.unwrap_or(a), right.unwrap_or(b))?;
    let sign = left.is_some() != right.is_some();
    if sign { minus(program, product).map(Some) } else { Ok(Some(product)) }
}

/// Two operands of an operation that broadcasts: one that is repeated along the axes
/// of the other stands by itself.
fn without_repeats(program: &mut Program, a: NodeId, b: NodeId) -> [NodeId; 2] {
    let by_itself = |node: NodeId| is(program, node, Notation::Spread).map(|(inner, _)| inner);
    let whole = |node: NodeId, beside: NodeId| program.shape(beside) == program.shape(node);
    match (by_itself(a), by_itself(b)) {
        (_, Some(inner)) if whole(b, a) => [a, inner],
        (Some(inner), None) if whole(a, b) => [inner, b],
        _ => [a, b],
    }
}

/// x, of a node −x without a name.
fn negative(program: &Program, node: NodeId) -> Option<NodeId> {
    let first = program.node(node).args.first().copied();
    match program.op(node).map(|(op, _)| op.lower) {
        Some(Lower::Sum([-1])) if program.name(node).is_none() => first,
        _ => None,
    }
}

/// y, of a node y⁻¹ taken entry by entry.
fn reciprocal(program: &Program, node: NodeId) -> Option<NodeId> {
    let (op, _) = program.op(node)?;
    match (op.lower, program.node(node).args.as_slice()) {
        (Lower::Power, [base, power]) if program.number_of(*power) == Some(Number::whole(-1)) => Some(*base),
        _ => None,
    }
}

/// The argument and the attributes of a node that is written so and has no name.
fn is(program: &Program, node: NodeId, notation: Notation) -> Option<(NodeId, Attrs)> {
    let unnamed = |(op, _): &(OpRef, &Attrs)| op.notation == notation && program.name(node).is_none();
    let (_, attrs) = program.op(node).filter(unnamed)?;
    Some((*program.node(node).args.first()?, attrs.clone()))
}

fn call(program: &mut Program, name: &str, args: &[NodeId]) -> Made {
    made(program, name, args, &[])
}

pub(super) fn made(program: &mut Program, name: &str, args: &[NodeId], attrs: &[(&'static str, Attr)]) -> Made {
    program.call_with(name, args, attrs).map_err(|m| fault(m.message))
}
