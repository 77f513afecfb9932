//! The finished answer, compared end to end.

use super::Point;
use super::compare::Tally;
use super::quotient::{Quotient, Quotients};
use crate::array::{Array, contract};
use crate::derive::{Derivation, fault};
use crate::diagnostic::Diagnostic;
use crate::evaluate::{At, Inputs, Plan, infinite_slope, jvp, points, pulled, pushed};
use crate::graph::{NodeId, Program};
use crate::reading::{Answers, Stacked, Structured};
use crate::shape::Sizes;

/// A variable of at most this many entries is moved along each of them.
const BASIS: usize = 16;
/// Programs of more nodes than this are moved along one direction.
const SMALL: usize = 400;

/// Compares the map that the derivation ends in, and its Jacobian matrix, where
/// the settings hold.
///
/// # Errors
/// That the answer does not hold.
pub fn at_point(derivation: &Derivation, at: &Point, tally: &mut Tally) -> Result<(), Diagnostic> {
    let inputs = at.draw()?.0;
    let inputs = set(at.program, inputs);
    for direction in directions_at(at, &inputs) {
        let quotients = at.quotients(&inputs, &direction)?;
        if quotients.switched > 0 {
            continue;
        }
        let found = jvp(derivation, At { values: &quotients.values, inputs: &inputs }, &direction)?;
        // What is set may be the one point without a derivative.
        if found.data().iter().any(|x| !x.is_finite())
            && let Some(told) = infinite_slope(at.program, &quotients.values)
        {
            return Err(told);
        }
        at_settings(derivation, &quotients, &inputs, &direction, tally)?;
        tally.answer(of(&quotients, at.out)?, Some(&found), direction.max_abs(), "derivative")?;
    }
    Ok(())
}

/// Compares the lines that use a setting, which hold at this point alone.
fn at_settings(
    derivation: &Derivation,
    quotients: &Quotients,
    inputs: &Inputs,
    direction: &Array,
    tally: &mut Tally,
) -> Result<(), Diagnostic> {
    let lines = derivation.paragraphs.iter().flat_map(|p| p.steps.iter().map(move |step| (p, step)));
    for (number, (paragraph, step)) in lines.enumerate().filter(|(_, (p, _))| p.at_settings) {
        let at = At { values: &quotients.values, inputs };
        let found = pushed(derivation, at, &step.after, direction, &|_| Ok(None))?;
        let says = || {
            step.reasons.iter().map(|r| r.says(&derivation.program, &derivation.parts)).collect::<Vec<_>>().join("; ")
        };
        tally.step(number, of(quotients, paragraph.node)?, found.as_ref(), direction.max_abs(), says)?;
    }
    Ok(())
}

/// Compares the readings, in the program of the whole batch.
///
/// # Errors
/// The reading that does not hold.
pub fn readings(
    answers: &Answers,
    derivation: &Derivation,
    sizes: &Sizes,
    number: usize,
    tally: &mut Tally,
) -> Result<(), Diagnostic> {
    let program = &answers.program;
    let plan = Plan::new(program, &[answers.out, answers.wrt]);
    let at = Point { program, plan: &plan, out: answers.out, wrt: answers.wrt, sizes, number };
    let inputs = set(program, at.draw()?.0);
    for direction in directions_at(&at, &inputs) {
        let quotients = at.quotients(&inputs, &direction)?;
        if quotients.switched > 0 {
            continue;
        }
        let out = of(&quotients, answers.out)?;
        let size = direction.max_abs();
        if let Some(node) = answers.differential {
            let mut feed = inputs.clone();
            feed.set_hole(answers.wrt, direction.clone());
            let found = quotients.values.over(program, node, &feed)?;
            tally.answer(out, Some(&found), size, "differential")?;
        }
        if let Some(Stacked { node: Some(node), by }) = answers.stacked {
            let matrix = quotients.values.over(program, node, &inputs)?;
            let entries = Array::vector(by.entries(&direction));
            let found = times(&matrix, &entries).ok_or_else(|| fault("a matrix of the wrong shape"))?;
            let found = by.of_entries(out.value.sizes(), found.data());
            tally.answer(out, found.as_ref(), size, "matrix on stacked entries")?;
        }
        // ⟨x̄, v⟩ = ⟨ō, d(out) v⟩: the adjoint identity.
        let cotangent = points::direction(out.value.sizes(), &at.seed(), 1);
        if let Some(pulled) = pulled(answers, At { values: &quotients.values, inputs: &inputs }, &cotangent)? {
            let found = Array::scalar(pulled.inner(&direction));
            tally.answer(&contracted(out, &cotangent), Some(&found), size, "pullback")?;
        }
        let lines = answers.collected.iter().map(|(_, node)| *node).filter(|_| answers.jacobian.is_none());
        for node in answers.gradient.into_iter().chain(lines) {
            let gradient = quotients.values.over(program, node, &inputs)?;
            let found = Array::scalar(gradient.inner(&direction));
            tally.answer(&contracted(out, &Array::scalar(1.0)), Some(&found), size, "gradient")?;
        }
    }
    if let Some(found) = answers.structured {
        structured(&at, &inputs, found, tally)?;
    }
    jacobian(answers, derivation, sizes, number, tally)
}

/// Compares the derivatives by a matrix that is symmetric or diagonal, moved as such.
fn structured(at: &Point, inputs: &Inputs, found: Structured, tally: &mut Tally) -> Result<(), Diagnostic> {
    for direction in structured_directions(at, inputs, found) {
        let quotients = at.quotients(inputs, &direction)?;
        if quotients.switched > 0 {
            continue;
        }
        let out = contracted(of(&quotients, at.out)?, &Array::scalar(1.0));
        let size = direction.max_abs();
        let mut compare = |node: NodeId, weight: &dyn Fn(usize, usize) -> f64, what: &str| {
            let value = quotients.values.over(at.program, node, inputs)?;
            let n = value.sizes().last().copied().unwrap_or(1);
            let weights = Array::from_fn(value.sizes(), |entry| weight(entry / n, entry % n) * direction.data()[entry]);
            tally.answer(&out, Some(&Array::scalar(value.inner(&weights))), size, what)
        };
        match found {
            // Either triangle by itself: a value that is not symmetric does not pass.
            Structured::Symmetric { gradient, tied } => {
                let half = |i: usize, j: usize, above: bool| {
                    if i == j { 1.0 } else { 2.0 * f64::from(u8::from((i < j) == above)) }
                };
                for above in [true, false] {
                    compare(gradient, &|i, j| half(i, j, above), "symmetric gradient")?;
                    let once = |i: usize, j: usize| f64::from(u8::from(i == j || (i < j) == above));
                    compare(tied, &once, "derivative with tied entries")?;
                }
            }
            Structured::Diagonal(node) => compare(node, &|_, _| 1.0, "derivative by the diagonal")?,
        }
    }
    Ok(())
}

/// Eᵢⱼ + Eⱼᵢ, or Eᵢᵢ on the diagonal; of a large matrix two sums of them at random.
fn structured_directions(at: &Point, inputs: &Inputs, found: Structured) -> Vec<Array> {
    let mut kept: Vec<Array> = Vec::new();
    for direction in directions_at(at, inputs) {
        let n = direction.sizes().last().copied().unwrap_or(1);
        let diagonal = matches!(found, Structured::Diagonal(_));
        let entry = |i: usize, j: usize| match i == j {
            true => direction.data()[i * n + j],
            false if diagonal => 0.0,
            false => direction.data()[i * n + j] + direction.data()[j * n + i],
        };
        let moved = Array::from_fn(direction.sizes(), |at| entry(at / n, at % n));
        if moved.max_abs() > 0.0 && !kept.contains(&moved) {
            kept.push(moved);
        }
    }
    kept
}

/// Compares the Jacobian matrix, which is one of the derivation's program.
fn jacobian(
    answers: &Answers,
    derivation: &Derivation,
    sizes: &Sizes,
    number: usize,
    tally: &mut Tally,
) -> Result<(), Diagnostic> {
    let Some(matrix) = answers.jacobian else { return Ok(()) };
    let program = &derivation.program;
    let plan = Plan::new(program, &[derivation.out, derivation.wrt]);
    let at = Point { program, plan: &plan, out: derivation.out, wrt: derivation.wrt, sizes, number };
    let inputs = set(program, at.draw()?.0);
    for direction in directions_at(&at, &inputs) {
        let quotients = at.quotients(&inputs, &direction)?;
        if quotients.switched > 0 {
            continue;
        }
        for node in std::iter::once(matrix).chain(answers.collected.iter().map(|(_, node)| *node)) {
            let matrix = quotients.values.over(program, node, &inputs)?;
            let found = times(&matrix, &direction).ok_or_else(|| fault("a Jacobian of the wrong shape"))?;
            tally.answer(of(&quotients, derivation.out)?, Some(&found), direction.max_abs(), "Jacobian")?;
        }
    }
    Ok(())
}

/// D v for D of shape S+T and v of shape T.
fn times(matrix: &Array, direction: &Array) -> Option<Array> {
    let rank = matrix.rank().checked_sub(direction.rank())?;
    let labels: Vec<u8> = (0..matrix.rank() as u8).collect();
    contract(&[(matrix, &labels), (direction, &labels[rank..])], &labels[..rank], &matrix.sizes()[..rank])
}

/// ⟨cotangent, quotient⟩ as the quotient of a scalar.
pub(super) fn contracted(out: &Quotient, cotangent: &Array) -> Quotient {
    let error = out.error.data().iter().zip(cotangent.data()).map(|(e, c)| e * c.abs()).sum();
    Quotient { value: Array::scalar(out.value.inner(cotangent)), error: Array::scalar(error), switched: Vec::new() }
}

/// The directions along which the variable of a point is moved.
fn directions_at(at: &Point, inputs: &Inputs) -> Vec<Array> {
    let Some(start) = inputs.get(at.wrt) else { return Vec::new() };
    directions(at.program, start, true, &|n| points::direction(start.sizes(), &at.seed(), n))
}

/// The directions along which a value is moved: each of its entries where they are few
/// and may be moved `alone`, else two at random.
pub(super) fn directions(program: &Program, start: &Array, alone: bool, random: &dyn Fn(usize) -> Array) -> Vec<Array> {
    let entries = start.data().len();
    let count = program.graph().node_count();
    if alone && entries <= BASIS && count <= SMALL {
        let along = |i: usize| Array::from_fn(start.sizes(), |j| f64::from(u8::from(i == j)));
        return (0..entries).map(along).collect();
    }
    let few = if count <= super::LARGE { 2 } else { 1 };
    (0..few).map(|i| random(2 + i)).collect()
}

/// The inputs with what is set to a number; the variable keeps its value unless
/// it is set itself.
pub(super) fn set(program: &Program, mut inputs: Inputs) -> Inputs {
    points::apply_settings(program, &mut inputs);
    inputs
}

pub(super) fn of(quotients: &Quotients, node: NodeId) -> Result<&Quotient, Diagnostic> {
    quotients.get(node).ok_or_else(|| fault("the result was not run"))
}
