//! Every line of a derivation, compared on the part it rewrote.

use super::apply::{Leaves, apply};
use super::compare::Tally;
use super::quotient::Quotients;
use crate::derive::{Derivation, Map, fault};
use crate::diagnostic::Diagnostic;
use crate::evaluate::Inputs;
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
                let leaves = Leaves::Quotients(quotients);
                let at = (&quotients.values, inputs);
                let found = apply(derivation, at, leaves, &step.became, &tangent.value)?;
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

fn needed(quotients: &Quotients, node: NodeId) -> Result<&super::quotient::Quotient, Diagnostic> {
    quotients.get(node).ok_or_else(|| fault("a value of the derivation was not run"))
}
