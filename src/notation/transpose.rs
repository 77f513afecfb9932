//! The transpose of a formula, carried inwards.

use super::Math;
use crate::graph::Program;
use crate::shape::Name;
use std::collections::HashMap;

/// The rank of every named value.
pub(super) fn ranks(program: &Program) -> HashMap<Name, usize> {
    let ids = program.graph().node_indices();
    ids.filter_map(|id| Some((program.name(id)?.clone(), program.shape(id).rank()))).collect()
}

/// The transpose, carried inwards: products turn round, scalars and diagonal
/// matrices stay. Depth is that of the formula.
pub(super) fn flipped(math: Math, ranks: &HashMap<Name, usize>) -> Math {
    match math {
        Math::Sum(terms) => Math::Sum(terms.into_iter().map(|(minus, term)| (minus, flipped(term, ranks))).collect()),
        Math::Product(factors) => {
            let number = |factor: &Math| match factor {
                Math::Name(name) => ranks.get(name) == Some(&0),
                other => matches!(other, Math::Number(_) | Math::Size(_)),
            };
            let (numbers, matrices): (Vec<Math>, Vec<Math>) = factors.into_iter().partition(number);
            let turned = matrices.into_iter().rev().map(|factor| flipped(factor, ranks));
            Math::Product(numbers.into_iter().chain(turned).collect())
        }
        Math::Negative(inner) => Math::Negative(Box::new(flipped(*inner, ranks))),
        Math::Marked(inner) => Math::Marked(Box::new(flipped(*inner, ranks))),
        Math::Name(name) if ranks.get(&name) == Some(&0) => Math::Name(name),
        Math::Call(name, args) if &*name == "diag" => Math::Call(name, args),
        Math::Big(sign, index, from, to, body) => Math::Big(sign, index, to, from, Box::new(flipped(*body, ranks))),
        Math::Fraction(over, under) => Math::Fraction(Box::new(flipped(*over, ranks)), under),
        Math::Differential(of) if matches!(of.plain(), Math::Name(name) if ranks.get(name) == Some(&0)) => {
            Math::Differential(of)
        }
        Math::Ellipsis => Math::Ellipsis,
        other => other.transposed(),
    }
}
