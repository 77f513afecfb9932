//! A product of (I + J)'s multiplied out, grouped by path length.

use super::{Derivation, Map};

/// Up to this many terms a product is multiplied out.
const TERMS: u128 = 64;

/// A product (I + J_{N−1}) ⋯ (I + J_0) multiplied out.
#[derive(Clone, Debug, PartialEq)]
pub enum Expansion {
    /// The terms by length: first those without a J (the identity), then those
    /// with one, and so on. Each term lists its parts, leftmost first.
    Terms(Vec<Vec<Vec<usize>>>),
    /// Too many to write: how many terms there are of each length, C(N, k); `None`
    /// where the count does not fit 128 bits.
    Counts(Vec<Option<u128>>),
}

/// Multiplies out the result of a derivation; `None` if it is no product of at
/// least two factors of the form I + J or J.
pub fn expansion(derivation: &Derivation) -> Option<Expansion> {
    let Map::Compose(factors) = &derivation.result else { return None };
    expansion_of(&factors.iter().map(part).collect::<Option<Vec<_>>>()?)
}

/// Multiplies out factors, leftmost first: each a part, and whether an identity
/// stands beside it; `None` if none has an identity.
pub fn expansion_of(parts: &[(usize, bool)]) -> Option<Expansion> {
    let skips = parts.iter().filter(|(_, skip)| *skip).count();
    if skips == 0 {
        return None;
    }
    if u32::try_from(skips).ok().and_then(|n| 1u128.checked_shl(n)).is_none_or(|terms| terms > TERMS) {
        return Some(Expansion::Counts((0..=skips as u128).map(|k| choose(skips as u128, k)).collect()));
    }
    let mut terms: Vec<Vec<usize>> = vec![Vec::new()];
    for (part, skip) in parts {
        let longer = terms.iter().map(|term| term.iter().copied().chain([*part]).collect());
        let longer: Vec<Vec<usize>> = longer.collect();
        terms = if *skip { terms.into_iter().chain(longer).collect() } else { longer };
    }
    let longest = terms.iter().map(Vec::len).max().unwrap_or(0);
    let of_length = |length| {
        let mut of: Vec<Vec<usize>> = terms.iter().filter(|t| t.len() == length).cloned().collect();
        of.sort_by(|a, b| a.iter().rev().cmp(b.iter().rev()));
        of
    };
    Some(Expansion::Terms((0..=longest).map(of_length).collect()))
}

/// The part of one factor, and whether an identity stands beside it.
fn part(map: &Map) -> Option<(usize, bool)> {
    match map {
        Map::Named(part) => Some((*part, false)),
        Map::Sum(terms) => match terms[..] {
            [Map::Identity, Map::Named(part)] => Some((part, true)),
            _ => None,
        },
        _ => None,
    }
}

/// C(n, k), if it fits.
pub fn choose(n: u128, k: u128) -> Option<u128> {
    let k = k.min(n - k);
    (0..k).try_fold(1u128, |product, i| Some(product.checked_mul(n - i)? / (i + 1)))
}
