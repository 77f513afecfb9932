//! Canonical labels: those of `out` first, in order, then the summed ones.
//!
//! Summed labels are told apart by colour refinement: a label's colour is its
//! old one and what stands at the factors that carry it. Labels that stay alike
//! are tried in every order, and the smallest list of factors is taken.

use super::arena::{AtomId, Factor, Label, Mono};
use crate::ops::Number;
use std::collections::BTreeMap;

/// Orders tried before the first one is taken.
const ORDERS: usize = 120;

/// Monomials with more factors are not searched for symmetries.
const SYMMETRIES: usize = 40;

type Colours = BTreeMap<Label, u32>;

/// The product of `factors`, relabelled canonically.
pub fn canonical(out: &[Label], mut factors: Vec<Factor>) -> Mono {
    let mut first: Vec<Label> = Vec::new();
    for label in out {
        if !first.contains(label) {
            first.push(*label);
        }
    }
    let fixed = |label: Label| first.iter().position(|l| *l == label);
    let new_out = out.iter().filter_map(|l| fixed(*l)).map(|i| i as Label).collect();
    let mut colours: Colours = BTreeMap::new();
    for label in factors.iter().flat_map(|f| &f.labels) {
        colours.insert(*label, fixed(*label).unwrap_or(first.len()) as u32);
    }
    let count = colours.values().filter(|c| **c as usize == first.len()).count();
    if count == 0 {
        relabel(&mut factors, &colours);
        return Mono { out: new_out, factors };
    }
    let mut best = None;
    let mut budget = if factors.len() > SYMMETRIES { 1 } else { ORDERS };
    individualise(&factors, colours, first.len() as u32, &mut budget, &mut best);
    Mono { out: new_out, factors: best.unwrap_or(factors) }
}

fn relabel(factors: &mut [Factor], colours: &Colours) {
    for factor in factors.iter_mut() {
        for label in &mut factor.labels {
            *label = colours.get(label).map_or(*label, |c| *c as Label);
        }
    }
    factors.sort();
}

/// Refines; where labels stay alike, sets each of them apart in turn.
fn individualise(
    factors: &[Factor],
    mut colours: Colours,
    free: u32,
    budget: &mut usize,
    best: &mut Option<Vec<Factor>>,
) {
    // The stack holds colourings still to be tried, last first.
    let mut open = vec![];
    refine(factors, &mut colours, free);
    open.push(colours);
    while let Some(colours) = open.pop() {
        let Some(alike) = first_class(&colours, free) else {
            let mut found = factors.to_vec();
            relabel(&mut found, &colours);
            if best.as_ref().is_none_or(|b| found < *b) {
                *best = Some(found);
            }
            *budget = budget.saturating_sub(1);
            if *budget == 0 {
                return;
            }
            continue;
        };
        let tried = if *budget == 1 { 1 } else { alike.len() };
        for chosen in alike[..tried].iter().rev() {
            let mut apart = colours.clone();
            for other in &alike {
                if other != chosen {
                    *apart.entry(*other).or_default() += 1;
                }
            }
            refine(factors, &mut apart, free);
            open.push(apart);
        }
    }
}

/// The labels of the first colour that several summed labels share.
fn first_class(colours: &Colours, free: u32) -> Option<Vec<Label>> {
    let mut classes: BTreeMap<u32, Vec<Label>> = BTreeMap::new();
    for (label, colour) in colours.iter().filter(|(_, c)| **c >= free) {
        classes.entry(*colour).or_default().push(*label);
    }
    classes.into_values().find(|labels| labels.len() > 1)
}

/// Refines until no class splits. A class of k labels that begins at colour c
/// keeps the colours c … c + k − 1 for its parts, so that colours end as labels.
fn refine(factors: &[Factor], colours: &mut Colours, free: u32) {
    let mut carriers: BTreeMap<Label, Vec<&Factor>> = BTreeMap::new();
    for factor in factors {
        for (i, label) in factor.labels.iter().enumerate() {
            if colours[label] >= free && !factor.labels[..i].contains(label) {
                carriers.entry(*label).or_default().push(factor);
            }
        }
    }
    let summed: Vec<Label> = carriers.keys().copied().collect();
    let mut classes = 0;
    for _ in 0..=summed.len() {
        let mut seen: Vec<(u32, Vec<Seen>, Label)> =
            summed.iter().map(|l| (colours[l], signature(&carriers[l], colours, *l), *l)).collect();
        seen.sort();
        let mut found = 0;
        let mut start = 0u32;
        for i in 0..seen.len() {
            if i == 0 || (seen[i].0, &seen[i].1) != (seen[i - 1].0, &seen[i - 1].1) {
                (found, start) = (found + 1, free + i as u32);
            }
            colours.insert(seen[i].2, start);
        }
        if found == classes || found == summed.len() {
            return;
        }
        classes = found;
    }
}

type Seen = (AtomId, Number, Vec<u32>);

/// What stands at the factors that carry the label, itself marked.
fn signature(carriers: &[&Factor], colours: &Colours, label: Label) -> Vec<Seen> {
    let mut seen: Vec<Seen> = carriers
        .iter()
        .map(|f| {
            let around = f.labels.iter().map(|l| if *l == label { u32::MAX } else { colours[l] });
            (f.atom, f.power, around.collect())
        })
        .collect();
    seen.sort();
    seen
}

#[cfg(test)]
mod tests {
    use super::canonical;
    use crate::form::arena::{AtomId, Factor};
    use crate::ops::Number;

    fn factors(table: &[(u32, &[u16])]) -> Vec<Factor> {
        let one = |(atom, labels): &(u32, &[u16])| Factor {
            atom: AtomId(*atom),
            labels: labels.to_vec(),
            power: Number::ONE,
        };
        table.iter().map(one).collect()
    }

    #[test]
    fn products_that_differ_by_labels_are_one() {
        type Product<'a> = (&'a [u16], &'a [(u32, &'a [u16])]);
        let table: [(Product, Product); 4] = [
            // A B with other names, in another order.
            ((&[0, 1], &[(0, &[0, 2]), (1, &[2, 1])]), (&[7, 3], &[(1, &[5, 3]), (0, &[7, 5])])),
            // tr(A A A), turned.
            ((&[], &[(0, &[0, 1]), (0, &[1, 2]), (0, &[2, 0])]), (&[], &[(0, &[4, 9]), (0, &[9, 2]), (0, &[2, 4])])),
            // A quadratic form.
            ((&[], &[(0, &[0, 1]), (1, &[0]), (1, &[1])]), (&[], &[(1, &[8]), (0, &[8, 3]), (1, &[3])])),
            // A diagonal.
            ((&[5, 5], &[(2, &[5])]), (&[0, 0], &[(2, &[0])])),
        ];
        for ((out, a), (other, b)) in table {
            assert_eq!(canonical(out, factors(a)), canonical(other, factors(b)));
        }
        assert_ne!(
            canonical(&[0, 1], factors(&[(0, &[0, 2]), (1, &[2, 1])])),
            canonical(&[0, 1], factors(&[(0, &[2, 0]), (1, &[2, 1])]))
        );
    }
}
