//! A product of (I + J)'s multiplied out, on the page.

use super::Math;
use super::map::Maps;
use super::page::{Block, Piece, Row};
use crate::derive::{Derivation, Expansion, Map, View, expansion, expansion_of};

/// So many counts are written out.
const COUNTS: usize = 12;

/// The terms by path length, or how many there are of each length.
pub(super) fn expanded(derivation: &Derivation, maps: &Maps) -> Vec<Block> {
    let left = maps.left(derivation.out, derivation.wrt, View::Jacobian);
    if let Map::Product(i) = &derivation.result {
        return of_loop(derivation, maps, *i, left);
    }
    match expansion(derivation) {
        None => vec![says("There is no product of sums with I to multiply out.".into())],
        Some(found) => written(&found, left, &|part| Math::Name(derivation.parts[part].name.clone())),
    }
}

fn of_loop(derivation: &Derivation, maps: &Maps, i: usize, left: Math) -> Vec<Block> {
    let of = &derivation.loops[i];
    if !of.alone().is_some_and(|turn| turn.result.has_bare_identity()) {
        return vec![says("There is no product of sums with I to multiply out.".into())];
    }
    match of.count.as_size() {
        None => vec![says(format!(
            "Multiplied out this is 2^{n} terms: C({n}, m) products of m of the J's, m = 0, …, {n}; the one with \
             m = 0 is I.",
            n = of.count
        ))],
        Some(count) => {
            let turns: Vec<(usize, bool)> = (0..count).rev().map(|turn| (turn, true)).collect();
            let name = |turn: usize| maps.turn_name(i, &turn.to_string());
            expansion_of(&turns).map_or_else(Vec::new, |found| written(&found, left, &name))
        }
    }
}

fn written(found: &Expansion, left: Math, name: &dyn Fn(usize) -> Math) -> Vec<Block> {
    match found {
        Expansion::Terms(lengths) => {
            let term = |term: &Vec<usize>| match term.is_empty() {
                true => Math::Identity,
                false => Math::product(term.iter().map(|part| name(*part))),
            };
            let groups = lengths.iter().filter(|terms| !terms.is_empty()).map(|terms| {
                let sum = Math::sum(terms.iter().map(|t| (false, term(t))));
                // The terms of one length are kept together.
                (false, if terms.len() > 1 { Math::call("", vec![sum]) } else { sum })
            });
            let math = Math::sum(groups);
            vec![Block::Lines(left, vec![Row::new(math, "multiplied out, by path length")])]
        }
        Expansion::Counts(counts) => {
            let n = counts.len() - 1;
            let listed = |(k, count): (usize, &Option<u128>)| match count {
                Some(count) => format!("{count} of length {k}"),
                None => format!("C({n}, {k}) of length {k}"),
            };
            let mut list: Vec<String> = counts.iter().enumerate().take(COUNTS).map(listed).collect();
            if counts.len() > COUNTS {
                list.push(format!("…, C({n}, k) of length k, …, 1 of length {n}"));
            }
            vec![says(format!("Multiplied out this is 2^{n} terms, too many to write: {}.", list.join(", ")))]
        }
    }
}

fn says(text: String) -> Block {
    Block::Prose(vec![Piece::Text(text)])
}
