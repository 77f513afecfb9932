//! Points that an answer has lost sight of: where the program divides by zero,
//! or takes the logarithm of it, and the answer does not.

use crate::form::{Atom, AtomId, FormId, Forms, Rebuilt, Refusal};
use crate::graph::{Kind, NodeId, Program};
use crate::ops::{Axes, OpRef};
use std::collections::BTreeSet;

/// Larger programs are not looked through.
const LARGEST: usize = 400;

/// What must not be 0 for the program to have a value, though the answer has one.
pub fn widened(
    program: &mut Program,
    forms: &mut Forms,
    known: &mut Rebuilt,
    nodes: &BTreeSet<NodeId>,
    answer: FormId,
) -> Result<Vec<String>, Refusal> {
    let mut found = Vec::new();
    if nodes.len() > LARGEST {
        return Ok(found);
    }
    let kept = excluded(forms, answer);
    for node in nodes {
        let Kind::Apply(op, _) = program.node(*node).kind else { continue };
        for place in nonzero_arguments(op, &numbers(program, *node)) {
            let Some(argument) = program.node(*node).args.get(place).copied() else { continue };
            let Ok(form) = forms.form_of(program, argument) else { continue };
            let form = forms.rebuild(form, known)?;
            let bases = forms.zeros(form)?;
            if !bases.iter().all(|base| kept.contains(base)) {
                let text = format!("{} nonzero", super::text(program, argument));
                if !found.contains(&text) {
                    found.push(text);
                }
            }
        }
    }
    Ok(found)
}

/// The atoms that must not be 0 for the answer to have a value.
fn excluded(forms: &mut Forms, answer: FormId) -> BTreeSet<AtomId> {
    let mut found: BTreeSet<AtomId> = forms.divisors(answer);
    for atom in forms.atoms_in(answer) {
        let Atom::Apply(op, _, args) = &*forms.atom(atom) else { continue };
        let values: Vec<f64> = args.iter().map(|a| forms.as_constant(*a).map_or(1.0, |n| n.value())).collect();
        for place in nonzero_arguments(op, &values) {
            if let Some(bases) = args.get(place).and_then(|arg| forms.zeros(*arg).ok()) {
                found.extend(bases);
            }
        }
    }
    found
}

/// The arguments of an elementwise operation that may not be 0.
fn nonzero_arguments(op: OpRef, values: &[f64]) -> Vec<usize> {
    let gap = |place: usize| {
        let mut tried = values.to_vec();
        tried[place] = 0.0;
        op.undefined.iter().any(|gap| gap.argument == place && (gap.when)(&tried))
    };
    match op.axes {
        Axes::Elementwise => (0..values.len()).filter(|place| gap(*place)).collect(),
        _ => Vec::new(),
    }
}

/// The arguments of a node as numbers: those that are, else 1.
fn numbers(program: &Program, node: NodeId) -> Vec<f64> {
    program.node(node).args.iter().map(|a| program.number_of(*a).map_or(1.0, |n| n.value())).collect()
}
