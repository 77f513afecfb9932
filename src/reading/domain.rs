//! Points that an answer has lost sight of: where the program divides by zero, takes
//! the logarithm of it or inverts a singular matrix, and the answer does not.

use super::reader::Reader;
use super::size;
use crate::form::{Atom, AtomId, Fired, FormId, Forms, Rebuilt, Refusal};
use crate::graph::{Kind, NodeId, Program};
use crate::ops::{Axes, OpRef};
use std::collections::BTreeSet;

/// Larger programs are not looked through.
const LARGEST: usize = 400;

/// What must hold of a value for an answer to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// No entry is 0.
    Nonzero,
    /// All entries are above 0.
    Positive,
    /// The matrix has an inverse.
    Invertible,
}

/// A value and what must hold of it for the answer to hold, though the answer does
/// not show it: a cancellation has widened the domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Excluded {
    /// The value.
    pub node: NodeId,
    /// What must hold of it.
    pub unless: Condition,
}

/// A derivative before and after it was simplified, with the nodes it was made from.
pub struct Widened<'a> {
    /// The nodes of the program.
    pub nodes: &'a BTreeSet<NodeId>,
    /// The form before any cancellation.
    pub raw: FormId,
    /// The form that is answered.
    pub answer: FormId,
    /// The cancellations in between.
    pub fired: &'a [Fired],
}

/// What must hold for the program and the derivative as the rules give it, but is
/// not seen in the answer.
pub fn excluded(
    program: &mut Program,
    forms: &mut Forms,
    known: &mut Rebuilt,
    reader: &mut Reader,
    widened: &Widened,
) -> Result<Vec<Excluded>, Refusal> {
    // With the atoms that a condition speaks of: one condition in two spellings is one.
    let mut found: Vec<(Excluded, BTreeSet<AtomId>)> = Vec::new();
    if widened.nodes.len() <= LARGEST {
        let (before, after) = (seen(forms, widened.raw), seen(forms, widened.answer));
        for node in widened.nodes {
            let Kind::Apply(op, _) = program.node(*node).kind else { continue };
            let args = program.node(*node).args.clone();
            for (place, arg) in args.into_iter().enumerate() {
                let gap = gap_of(op, &numbers(program, *node), place);
                if gap == Gap::None {
                    continue;
                }
                let Ok(form) = forms.form_of(program, arg) else { continue };
                let form = forms.rebuild(form, known)?;
                let bases = forms.zeros(form)?;
                let lost = missing(forms, gap, (form, &bases), &before, &after);
                found.extend(lost.map(|unless| (Excluded { node: arg, unless }, bases)));
            }
        }
    }
    for shot in widened.fired.iter().filter(|fired| fired.rule.needs_nonzero) {
        // What the first function in what was cancelled is of.
        let base = forms.atoms_in(shot.before).into_iter().find_map(|atom| match &*forms.atom(atom) {
            Atom::Apply(_, _, args) => args.first().copied(),
            _ => None,
        });
        let Some(base) = base else { continue };
        let bases = forms.zeros(base)?;
        if !bases.is_empty() {
            let tree = reader.form(forms, base, true);
            let node = tree.and_then(|tree| reader.trees.to_node(program, tree));
            found.extend(node.map(|node| (Excluded { node, unless: Condition::Nonzero }, bases)));
        }
    }
    // Of several spellings the shortest is said, first that of what must be above 0.
    found.sort_by_key(|(one, _)| (one.unless == Condition::Nonzero, size(program, one.node)));
    let mut distinct: Vec<(Excluded, BTreeSet<AtomId>)> = Vec::new();
    for (one, bases) in found {
        let entries = one.unless != Condition::Invertible && !bases.is_empty();
        let said = |other: &(Excluded, BTreeSet<AtomId>)| other.0 == one || entries && bases.is_subset(&other.1);
        // A product is not 0 where none of its factors is.
        let entry = |known: &Excluded| known.unless != Condition::Invertible;
        let factor =
            |base: &AtomId| distinct.iter().any(|(one, known)| entry(one) && known.len() == 1 && known.contains(base));
        let product = one.unless == Condition::Nonzero && entries && bases.iter().all(factor);
        if !product && !distinct.iter().any(said) {
            distinct.push((one, bases));
        }
    }
    Ok(distinct.into_iter().map(|(one, _)| one).collect())
}

/// Where an argument leaves an operation without a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gap {
    None,
    /// At 0 alone.
    Zero,
    /// Below 0, perhaps at 0 too.
    Below {
        zero: bool,
    },
    /// For singular matrices.
    Singular,
}

/// What a form shows of its own gaps.
struct Seen {
    /// Atoms that must not be 0.
    zero: BTreeSet<AtomId>,
    /// Atoms that must not be below 0.
    below: BTreeSet<AtomId>,
    /// Does it invert a matrix?
    singular: bool,
}

/// What must be said of a gap at `form`, 0 where one of its bases is, that the answer
/// does not show.
fn missing(
    forms: &mut Forms,
    gap: Gap,
    (form, bases): (FormId, &BTreeSet<AtomId>),
    before: &Seen,
    after: &Seen,
) -> Option<Condition> {
    let lost = match gap {
        Gap::Below { zero } => {
            let shows = |seen: &Seen| bases.iter().all(|base| seen.below.contains(base));
            // The rule of a logarithm itself divides by its argument, of either sign.
            let lost = !bases.is_empty() && !forms.is_nonnegative(form) && !shows(after) && (!zero || shows(before));
            lost.then_some(Condition::Positive)
        }
        Gap::Singular => (!after.singular && !forms.is_invertible(form)).then_some(Condition::Invertible),
        Gap::None | Gap::Zero => None,
    };
    let zero = matches!(gap, Gap::Zero | Gap::Below { zero: true });
    let unseen = zero && !bases.iter().all(|base| after.zero.contains(base));
    lost.or_else(|| unseen.then_some(Condition::Nonzero))
}

/// What the form has no value at.
fn seen(forms: &mut Forms, id: FormId) -> Seen {
    let mut found = Seen { zero: forms.divisors(id), below: forms.roots(id), singular: false };
    for atom in forms.atoms_in(id) {
        let Atom::Apply(op, _, args) = &*forms.atom(atom) else { continue };
        let values: Vec<f64> = args.iter().map(|a| forms.as_constant(*a).map_or(1.0, |n| n.value())).collect();
        for (place, arg) in args.iter().enumerate() {
            let gap = gap_of(op, &values, place);
            found.singular |= gap == Gap::Singular;
            let Ok(bases) = forms.zeros(*arg) else { continue };
            match gap {
                Gap::Zero => found.zero.extend(bases),
                Gap::Below { zero } => {
                    found.below.extend(bases.iter().copied());
                    found.zero.extend(bases.into_iter().filter(|_| zero));
                }
                Gap::None | Gap::Singular => {}
            }
        }
    }
    found
}

/// The gap of an argument of an operation, the others being `values`.
fn gap_of(op: OpRef, values: &[f64], place: usize) -> Gap {
    let without_value = |x: f64| {
        let mut tried = values.to_vec();
        tried[place] = x;
        op.undefined.iter().any(|gap| gap.argument == place && (gap.when)(&tried))
    };
    match op.axes {
        Axes::Elementwise => match (without_value(-0.25) && without_value(-4.0), without_value(0.0)) {
            (true, zero) => Gap::Below { zero },
            (false, true) => Gap::Zero,
            (false, false) => Gap::None,
        },
        // A gap of a whole matrix is that of the matrix 0.
        Axes::Mixed if place == 0 && op.undefined.iter().any(|gap| (gap.when)(&[0.0])) => Gap::Singular,
        _ => Gap::None,
    }
}

/// The arguments of a node as numbers: those that are, else 1.
fn numbers(program: &Program, node: NodeId) -> Vec<f64> {
    program.node(node).args.iter().map(|a| program.number_of(*a).map_or(1.0, |n| n.value())).collect()
}
