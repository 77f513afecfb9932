//! What terms have in common.

use super::arena::{AtomId, Factor, Label};
use super::monomial::Raw;
use crate::ops::Number;
use std::collections::BTreeMap;

/// A term taken apart, closed scalars opened or not.
#[derive(Clone)]
pub struct Term {
    /// Its place in the sum.
    pub place: usize,
    /// The product.
    pub raw: Raw,
}

/// How much of what is common is taken out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// All of it.
    All,
    /// One factor and all scalars.
    Scalars,
    /// One factor.
    Seed,
}

/// Terms with a common part: for each term what the labels of the reference are
/// in it, and which factors are common, to which power.
pub struct Common {
    /// The term whose labels the common factors have.
    pub reference: usize,
    /// The common factors, with their power.
    pub factors: Vec<Factor>,
    /// For each term: its place, reference label → its label, used factors.
    pub terms: Vec<(usize, BTreeMap<Label, Label>, Vec<usize>)>,
}

/// The labels of the common part that what is left shares: not axes of the whole
/// in every term, and carried (or an axis) in some of what is left.
pub fn links(terms: &[Term], common: &Common, rests: &[Vec<Factor>]) -> Vec<Label> {
    let mut labels: Vec<Label> = common.factors.iter().flat_map(|f| f.labels.clone()).collect();
    labels.sort_unstable();
    labels.dedup();
    let free_in = |(t, map, _): &(usize, BTreeMap<Label, Label>, Vec<usize>), l: &Label| {
        map.get(l).is_some_and(|own| terms[*t].raw.out.contains(own))
    };
    labels.retain(|l| !common.terms.iter().all(|term| free_in(term, l)));
    labels.retain(|l| {
        common.terms.iter().zip(rests).any(|(term, rest)| {
            free_in(term, l) || term.1.get(l).is_some_and(|own| rest.iter().any(|f| f.labels.contains(own)))
        })
    });
    labels
}

/// The common part as a product with a label for each axis of the whole, and the
/// labels at which what is left is placed.
pub fn common_part(
    reference: &Raw,
    common: &Common,
    axes: &[usize],
    links: &[Label],
    shape: &[super::arena::DimId],
) -> (Raw, Vec<Label>) {
    let out: Vec<Label> = (0..shape.len() as Label).collect();
    let mut raw = Raw::new(&out, shape.to_vec());
    let mut names: BTreeMap<Label, Label> = BTreeMap::new();
    for label in common.factors.iter().flat_map(|f| &f.labels).chain(links) {
        if names.contains_key(label) {
            continue;
        }
        let places: Vec<usize> = (0..out.len()).filter(|a| reference.out[*a] == *label).collect();
        let name = match places.first() {
            Some(first) if !links.contains(label) => {
                places.iter().for_each(|a| raw.join(*first as Label, *a as Label));
                raw.find(*first as Label)
            }
            _ => raw.label(reference.dims[*label as usize]),
        };
        names.insert(*label, name);
    }
    let name = |l: &Label| names.get(l).copied().unwrap_or(*l);
    let renamed = |f: &Factor| Factor { labels: f.labels.iter().map(name).collect(), ..f.clone() };
    raw.factors = common.factors.iter().map(renamed).collect();
    let held: Vec<Label> = axes.iter().map(|a| raw.find(*a as Label)).chain(links.iter().map(name)).collect();
    (raw, held)
}

/// Both above 0 or both below, and different by a whole number.
pub fn same_side(a: Number, b: Number) -> bool {
    a.is_negative() == b.is_negative() && a.plus(b.negated()).is_some_and(|d| d.as_whole().is_some())
}

/// The factors of the first term each of them stands in, where others have the atom too.
pub fn seeds(terms: &[Term]) -> Vec<(usize, Factor)> {
    let mut count: BTreeMap<AtomId, usize> = BTreeMap::new();
    for term in terms {
        let mut atoms: Vec<AtomId> = term.raw.factors.iter().map(|f| f.atom).collect();
        atoms.dedup();
        atoms.into_iter().for_each(|a| *count.entry(a).or_default() += 1);
    }
    let mut found: Vec<(usize, Factor)> = Vec::new();
    let mut seen: Vec<(AtomId, Number, Vec<bool>)> = Vec::new();
    for term in terms {
        for factor in term.raw.factors.iter().filter(|f| count.get(&f.atom).is_some_and(|n| *n > 1)) {
            let key = (factor.atom, factor.power, factor.labels.iter().map(|l| term.raw.out.contains(l)).collect());
            if !seen.contains(&key) {
                seen.push(key);
                found.push((term.place, factor.clone()));
            }
        }
    }
    found
}

/// What the labels of the reference are in another term, so that two factors
/// agree: axes of the whole stay; a summed label meets a summed one, or, unless
/// `same_axes`, an axis of the whole.
pub fn align(
    reference: &Raw,
    term: &Raw,
    labels: &[Label],
    there: &[Label],
    known: &BTreeMap<Label, Label>,
    same_axes: bool,
) -> Option<BTreeMap<Label, Label>> {
    let mut map = known.clone();
    for (own, other) in labels.iter().zip(there) {
        let (free, free_there) = (reference.out.contains(own), term.out.contains(other));
        let fits = match (free, free_there) {
            (true, true) => axes(reference, *own) == axes(term, *other),
            (false, false) => true,
            _ => !same_axes,
        };
        if !fits {
            return None;
        }
        match map.get(own) {
            Some(known) if known != other => return None,
            Some(_) => {}
            None if map.values().any(|v| v == other) => return None,
            None => {
                map.insert(*own, *other);
            }
        }
    }
    Some(map)
}

fn axes(raw: &Raw, label: Label) -> Vec<usize> {
    (0..raw.out.len()).filter(|a| raw.out[*a] == label).collect()
}

/// What is left of a term without the common part.
pub fn rest(raw: &Raw, used: &[usize], common: &[Factor]) -> Vec<Factor> {
    let mut left = Vec::new();
    for (i, factor) in raw.factors.iter().enumerate() {
        match used.iter().position(|u| *u == i) {
            None => left.push(factor.clone()),
            Some(k) => {
                let power = factor.power.plus(common[k].power.negated()).unwrap_or(Number::ZERO);
                if power != Number::ZERO {
                    left.push(Factor { power, ..factor.clone() });
                }
            }
        }
    }
    left
}
