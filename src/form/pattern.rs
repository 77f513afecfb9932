//! One product found inside another.

use super::arena::{Factor, Label, Mono};

/// Larger patterns are not looked for.
const PARTS: usize = 12;

/// Where a product stands in another.
#[derive(Clone, Debug)]
pub struct Found {
    /// The places of its factors.
    pub used: Vec<usize>,
    /// What each of its labels is there.
    pub labels: Vec<Option<Label>>,
}

/// Finds `pattern` among `factors`, its labels fixed as far as `labels` says. A
/// summed label of the pattern must stand nowhere else, not in `out` either.
pub fn find(pattern: &Mono, factors: &[Factor], out: &[Label], labels: &[(Label, Label)]) -> Option<Found> {
    if pattern.factors.is_empty() || pattern.factors.len() > PARTS {
        return None;
    }
    let mut start = Found { used: Vec::new(), labels: vec![None; pattern.bound() as usize] };
    for (label, to) in labels {
        start.labels[*label as usize] = Some(*to);
    }
    extend(pattern, factors, out, start)
}

/// Tries every place for the next factor of the pattern; as deep as the pattern is long.
fn extend(pattern: &Mono, factors: &[Factor], out: &[Label], so_far: Found) -> Option<Found> {
    let Some(next) = pattern.factors.get(so_far.used.len()) else {
        return sums_are_its_own(pattern, factors, out, &so_far).then_some(so_far);
    };
    for (place, factor) in factors.iter().enumerate() {
        let fits = factor.atom == next.atom && factor.power == next.power && !so_far.used.contains(&place);
        if !fits {
            continue;
        }
        let mut tried = so_far.clone();
        tried.used.push(place);
        let agrees = next.labels.iter().zip(&factor.labels).all(|(own, there)| {
            let known = tried.labels[*own as usize].get_or_insert(*there);
            known == there
        });
        if agrees && let Some(found) = extend(pattern, factors, out, tried) {
            return Some(found);
        }
    }
    None
}

fn sums_are_its_own(pattern: &Mono, factors: &[Factor], out: &[Label], found: &Found) -> bool {
    let summed = pattern.summed();
    let images: Vec<Label> = summed.iter().filter_map(|l| found.labels[*l as usize]).collect();
    let distinct = (0..images.len()).all(|i| !images[..i].contains(&images[i]));
    let elsewhere = |label: &Label| {
        let outside = |(i, f): (usize, &Factor)| !found.used.contains(&i) && f.labels.contains(label);
        let as_free = pattern.out.iter().any(|l| found.labels[*l as usize] == Some(*label));
        out.contains(label) || as_free || factors.iter().enumerate().any(outside)
    };
    distinct && !images.iter().any(elsewhere)
}

#[cfg(test)]
mod tests {
    use super::find;
    use crate::form::arena::{AtomId, Factor, Mono};
    use crate::ops::Number;

    fn factors(table: &[(u32, &[u16])]) -> Vec<Factor> {
        table
            .iter()
            .map(|(atom, labels)| Factor { atom: AtomId(*atom), labels: labels.to_vec(), power: Number::ONE })
            .collect()
    }

    #[test]
    fn a_sum_that_others_share_is_not_taken() {
        let pattern = Mono { out: vec![0, 1], factors: factors(&[(0, &[0, 2]), (1, &[2, 1])]) };
        let inside = factors(&[(0, &[0, 3]), (1, &[3, 4]), (2, &[4, 1])]);
        let found = find(&pattern, &inside, &[0, 1], &[]).unwrap();
        assert_eq!((found.used, found.labels), (vec![0, 1], vec![Some(0), Some(4), Some(3)]));
        let shared = factors(&[(0, &[0, 3]), (1, &[3, 4]), (2, &[3])]);
        assert!(find(&pattern, &shared, &[0, 4], &[]).is_none());
    }
}
