//! Every line of a derivation, compared on the part it rewrote.

use super::compare::Tally;
use super::quotient::Quotients;
use crate::array::Array;
use crate::derive::{Derivation, Map, fault};
use crate::diagnostic::Diagnostic;
use crate::evaluate::{At, Inputs, pushed};
use crate::graph::NodeId;

/// Compares all steps at one point.
///
/// # Errors
/// The step that does not hold.
pub fn at_point(
    derivation: &Derivation,
    inputs: &Inputs,
    quotients: &Quotients,
    tally: &mut Tally,
) -> Result<(), Diagnostic> {
    let mut number = 0;
    for paragraph in &derivation.paragraphs {
        for step in &paragraph.steps {
            // Lines that use a setting hold at the set point: they are compared
            // with the answer there.
            let (node, base) = match step.before.at(&step.path) {
                Some(Map::Pending { node, base, .. }) => (*node, *base),
                _ => (paragraph.node, paragraph.base),
            };
            if !paragraph.at_settings {
                let tangent = needed(quotients, base)?;
                let at = At { values: &quotients.values, inputs };
                let leaf = |map: &Map| by_quotient(derivation, quotients, map);
                let found = pushed(derivation, at, &step.became, &tangent.value, &leaf)?;
                let says = || {
                    step.reasons
                        .iter()
                        .map(|r| r.says(&derivation.program, &derivation.parts))
                        .collect::<Vec<_>>()
                        .join("; ")
                };
                tally.step(number, needed(quotients, node)?, found.as_ref(), tangent.value.max_abs(), says)?;
            }
            number += 1;
        }
    }
    Ok(())
}

/// A pending or named map by the difference quotients of its nodes.
fn by_quotient(derivation: &Derivation, quotients: &Quotients, map: &Map) -> Result<Option<Array>, Diagnostic> {
    match map {
        Map::Pending { node, .. } => needed(quotients, *node).map(|q| Some(q.value.clone())),
        Map::Named(index) => {
            let part = derivation.parts.get(*index).ok_or_else(|| fault("a named map without its part"))?;
            let whole = &needed(quotients, part.node)?.value;
            // d(node)/d(base) = I + J.
            match part.beside_identity {
                false => Ok(Some(whole.clone())),
                true => Ok(whole.zip(&needed(quotients, part.base)?.value, |a, b| a - b)),
            }
        }
        _ => Ok(None),
    }
}

fn needed(quotients: &Quotients, node: NodeId) -> Result<&super::quotient::Quotient, Diagnostic> {
    quotients.get(node).ok_or_else(|| fault("a value of the derivation was not run"))
}
