//! A derived map in numbers: jvp, Jacobian, terms.

use super::inputs::Inputs;
use super::plan::Values;
use super::turns;
use crate::array::{Array, entries};
use crate::derive::{Derivation, Map, fault};
use crate::diagnostic::{Diagnostic, Kind as Mistake};
use crate::graph::{Kind, Program};

/// A point: the values of a derivation's program there, and the inputs, which
/// hold the sizes.
#[derive(Clone, Copy)]
pub struct At<'a> {
    /// The values, at least of what the result needs.
    pub values: &'a Values,
    /// The inputs.
    pub inputs: &'a Inputs,
}

/// What stands for a pending or named map; `None` to use what was derived for it.
pub type Leaf<'a> = &'a dyn Fn(&Map) -> Result<Option<Array>, Diagnostic>;

/// `map`(`tangent`); `None` for the zero map.
///
/// # Errors
/// A value that cannot be computed; a pending map that `leaf` gives no value for.
pub fn pushed(
    derivation: &Derivation,
    at: At,
    map: &Map,
    tangent: &Array,
    leaf: Leaf,
) -> Result<Option<Array>, Diagnostic> {
    match map {
        Map::Identity => Ok(Some(tangent.clone())),
        Map::Zero => Ok(None),
        Map::Sum(terms) => {
            let mut sum: Option<Array> = None;
            for term in terms {
                if let Some(value) = pushed(derivation, at, term, tangent, leaf)? {
                    sum = Some(plus(sum, value)?);
                }
            }
            Ok(sum)
        }
        Map::Compose(factors) => {
            let mut value = tangent.clone();
            for factor in factors.iter().rev() {
                match pushed(derivation, at, factor, &value, leaf)? {
                    Some(next) => value = next,
                    None => return Ok(None),
                }
            }
            Ok(Some(value))
        }
        Map::Factor(factor) => {
            let mut feed = Inputs::new(at.inputs.sizes.clone());
            feed.set_hole(factor.of, tangent.clone());
            at.values.over(&derivation.program, factor.node, &feed).map(Some)
        }
        Map::Named(index) => match leaf(map)? {
            Some(value) => Ok(Some(value)),
            None => {
                let part = derivation.parts.get(*index).ok_or_else(|| fault("a named map without its part"))?;
                pushed(derivation, at, &part.map, tangent, leaf)
            }
        },
        Map::Pending { .. } => leaf(map)?.map(Some).ok_or_else(|| fault("a map that is still pending")),
        Map::Product(index) | Map::Turns(index) => turns::pushed(derivation, at, *index, tangent),
    }
}

/// The change of the result of a finished derivation along a change of the
/// variable: the Jacobian-vector product.
///
/// # Errors
/// A value that cannot be computed.
pub fn jvp(derivation: &Derivation, at: At, tangent: &Array) -> Result<Array, Diagnostic> {
    of_map(derivation, at, &derivation.result, tangent)
}

/// The Jacobian of a finished derivation: the result's axes first, then the
/// variable's.
///
/// # Errors
/// Too many entries; a value that cannot be computed.
pub fn jacobian(derivation: &Derivation, at: At) -> Result<Array, Diagnostic> {
    jacobian_of(derivation, at, &derivation.result)
}

/// The terms of the derivative and their Jacobians: those of a sum one by one,
/// else the whole.
///
/// # Errors
/// As [`jacobian`].
pub fn terms<'d>(derivation: &'d Derivation, at: At) -> Result<Vec<(&'d Map, Array)>, Diagnostic> {
    let terms = match &derivation.result {
        Map::Sum(terms) => terms.iter().collect(),
        whole => vec![whole],
    };
    terms.into_iter().map(|term| Ok((term, jacobian_of(derivation, at, term)?))).collect()
}

fn jacobian_of(derivation: &Derivation, at: At, map: &Map) -> Result<Array, Diagnostic> {
    let program = &derivation.program;
    let (out, by) = (sizes(program, derivation.out, at)?, sizes(program, derivation.wrt, at)?);
    let all: Vec<usize> = out.iter().chain(&by).copied().collect();
    let too_large =
        || Diagnostic::new(Mistake::TooLarge, format!("a Jacobian of {} entries is too large", written(&all)));
    let count = entries(&all).ok_or_else(too_large)?;
    let (rows, columns): (usize, usize) = (out.iter().product(), by.iter().product());
    let mut data = vec![0.0; count];
    for column in 0..columns {
        let along = Array::from_fn(&by, |i| f64::from(u8::from(i == column)));
        let moved = of_map(derivation, at, map, &along)?;
        for row in 0..rows {
            data[row * columns + column] = moved.data().get(row).copied().unwrap_or(f64::NAN);
        }
    }
    Array::new(all, data).ok_or_else(|| fault("a Jacobian of the wrong size"))
}

fn of_map(derivation: &Derivation, at: At, map: &Map, tangent: &Array) -> Result<Array, Diagnostic> {
    match pushed(derivation, at, map, tangent, &|_| Ok(None))? {
        Some(value) => Ok(value),
        None => Ok(Array::filled(&sizes(&derivation.program, derivation.out, at)?, 0.0)),
    }
}

fn sizes(program: &Program, node: crate::graph::NodeId, at: At) -> Result<Vec<usize>, Diagnostic> {
    program.shape(node).eval(&at.inputs.sizes).ok_or_else(|| fault("a dimension without a size"))
}

fn written(sizes: &[usize]) -> String {
    sizes.iter().map(usize::to_string).collect::<Vec<_>>().join(" × ")
}

/// The sum of two tangents, the first of which may be 0.
pub(super) fn plus(sum: Option<Array>, value: Array) -> Result<Array, Diagnostic> {
    match sum {
        None => Ok(value),
        Some(before) => before.zip(&value, |a, b| a + b).ok_or_else(|| fault("terms of unlike shapes")),
    }
}

/// The values that a derivation's result is computed from, at `inputs`.
///
/// # Errors
/// As [`super::Plan::run`].
pub fn values_for(derivation: &Derivation, inputs: &Inputs) -> Result<Values, Diagnostic> {
    let program = &derivation.program;
    let loops = program.graph().node_indices().filter(|id| matches!(program.node(*id).kind, Kind::Repeat(_)));
    let wanted: Vec<_> = [derivation.out, derivation.wrt].into_iter().chain(loops).collect();
    super::evaluate(program, &wanted, inputs)
}
