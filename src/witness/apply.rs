//! A map applied to a tangent, in numbers.

use super::quotient::Quotients;
use super::turns;
use crate::array::Array;
use crate::derive::{Derivation, Map, fault};
use crate::diagnostic::Diagnostic;
use crate::evaluate::{Inputs, Values};
use crate::graph::NodeId;

/// How pending and named maps are read.
#[derive(Clone, Copy)]
pub enum Leaves<'a> {
    /// By the difference quotients of their nodes: for one step.
    Quotients(&'a Quotients),
    /// Named maps by what was derived for them: for the finished answer.
    Maps,
}

/// `map`(`tangent`) at the point of `values`; `None` for the zero map. `inputs`
/// holds the sizes of that point.
///
/// # Errors
/// A value that cannot be computed.
pub fn apply(
    derivation: &Derivation,
    (values, inputs): (&Values, &Inputs),
    leaves: Leaves,
    map: &Map,
    tangent: &Array,
) -> Result<Option<Array>, Diagnostic> {
    let again = |map: &Map, tangent: &Array| apply(derivation, (values, inputs), leaves, map, tangent);
    match map {
        Map::Identity => Ok(Some(tangent.clone())),
        Map::Zero => Ok(None),
        Map::Sum(terms) => {
            let mut sum: Option<Array> = None;
            for term in terms {
                if let Some(value) = again(term, tangent)? {
                    sum = Some(plus(sum, value)?);
                }
            }
            Ok(sum)
        }
        Map::Compose(factors) => {
            let mut value = tangent.clone();
            for factor in factors.iter().rev() {
                match again(factor, &value)? {
                    Some(next) => value = next,
                    None => return Ok(None),
                }
            }
            Ok(Some(value))
        }
        Map::Factor(factor) => {
            let mut feed = Inputs::new(inputs.sizes.clone());
            feed.set_hole(factor.of, tangent.clone());
            values.over(&derivation.program, factor.node, &feed).map(Some)
        }
        Map::Pending { node, .. } => match leaves {
            Leaves::Quotients(quotients) => quotient_of(quotients, *node).map(Some),
            Leaves::Maps => Err(fault("a finished answer with a pending part")),
        },
        Map::Named(index) => {
            let part = derivation.parts.get(*index).ok_or_else(|| fault("a named map without its part"))?;
            match leaves {
                Leaves::Maps => again(&part.map, tangent),
                Leaves::Quotients(quotients) if !part.beside_identity => quotient_of(quotients, part.node).map(Some),
                // d(node)/d(base) = I + J.
                Leaves::Quotients(quotients) => {
                    let (whole, base) = (quotient_of(quotients, part.node)?, quotient_of(quotients, part.base)?);
                    Ok(whole.zip(&base, |a, b| a - b))
                }
            }
        }
        Map::Product(index) | Map::Turns(index) => turns::apply(derivation, (values, inputs), *index, tangent),
    }
}

/// The sum of two tangents, the first of which may be 0.
pub fn plus(sum: Option<Array>, value: Array) -> Result<Array, Diagnostic> {
    match sum {
        None => Ok(value),
        Some(before) => before.zip(&value, |a, b| a + b).ok_or_else(|| fault("terms of unlike shapes")),
    }
}

fn quotient_of(quotients: &Quotients, node: NodeId) -> Result<Array, Diagnostic> {
    let found = quotients.get(node).map(|q| q.value.clone());
    found.ok_or_else(|| fault("a value of the derivation was not run"))
}
