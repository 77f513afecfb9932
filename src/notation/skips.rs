//! What became of the skip connections, said in words.

use super::Math;
use super::listing::name_of;
use super::names::identity;
use super::of::{Scribe, Style};
use super::page::Piece;
use crate::derive::{Derivation, Map};
use crate::graph::Kind;
use crate::ops::Notation;
use crate::reading::{Answers, IdentityPath};

/// What became of the skip connections, in a sentence that states only what holds.
pub(super) fn skips(derivation: &Derivation, answers: &Answers) -> Option<Vec<Piece>> {
    let program = &derivation.program;
    let (out, wrt) = (name_of(program, derivation.out), name_of(program, derivation.wrt));
    let i = identity(program);
    let cancel = "the other terms can cancel it";
    if let (IdentityPath::None, Some(by)) = (&answers.identity, scaled(derivation)) {
        let says =
            format!("No bare {i} stands in the derivative: the skip {wrt} → {out} is there, its {i} multiplied by ");
        return Some(vec![says.into(), by.into(), ".".into()]);
    }
    let says = match &answers.identity {
        IdentityPath::Bare(node) => {
            let terms = if let Map::Sum(terms) = &derivation.result { terms.len() } else { 2 };
            let others = if terms > 2 { cancel } else { "the other term can cancel it" };
            format!("The {i} is the skip {wrt} → {}. It is one term of the sum; {others}.", name_of(program, *node))
        }
        IdentityPath::EachFactor(n) => format!(
            "Each of the {n} factors has an {i} of its own, from the skip around its block. Multiplied out this is \
             2^{n} terms; exactly one of them is {i}, and {cancel}."
        ),
        IdentityPath::EachTurn => {
            let count = derivation.loops.first().map_or_else(|| "N".to_string(), |l| l.count.to_string());
            format!(
                "Each factor has an {i} of its own, from the skip around one turn. Multiplied out this is 2^{count} \
                 terms, C({count}, m) of them with m factors; exactly one, the {i}, has none, and {cancel}."
            )
        }
        IdentityPath::Multiplied(sum, after) => {
            let by = match program.op(*after) {
                Some((op, _)) => op.title,
                None => "what follows",
            };
            let skip = if program.name(*sum).is_some() {
                format!("into {}", name_of(program, *sum))
            } else {
                format!("from {wrt}")
            };
            format!(
                "No bare {i} stands in the derivative: the skip {skip} is there, but {by} comes after the sum and \
                 multiplies its {i}."
            )
        }
        IdentityPath::Whole => {
            format!("The derivative is {i} itself: at these values {out} moves exactly as {wrt} does.")
        }
        IdentityPath::None
            if program.shape(derivation.out) == program.shape(derivation.wrt)
                && program.shape(derivation.wrt).rank() > 0 =>
        {
            format!("No bare {i} is a term of the derivative: no skip leads from {wrt} to {out}.")
        }
        IdentityPath::None => return None,
    };
    Some(vec![Piece::Text(says)])
}

/// What multiplies the I of a skip α x + …, where a term of the derivative is that.
fn scaled(derivation: &Derivation) -> Option<Math> {
    let program = &derivation.program;
    let terms = match &derivation.result {
        Map::Sum(terms) => terms.as_slice(),
        _ => return None,
    };
    terms.iter().find_map(|term| {
        let Map::Factor(factor) = term else { return None };
        let (op, _) = program.op(factor.node)?;
        let args = &program.node(factor.node).args;
        let hole = args.iter().position(|arg| matches!(program.node(*arg).kind, Kind::Hole(_)))?;
        let other = args.get(1 - hole.min(1)).filter(|arg| program.shape(**arg).rank() == 0);
        let scribe = Scribe::new(program, Style::Columns);
        match (op.notation, other) {
            (Notation::Negative, _) => Some(Math::whole(-1)),
            (Notation::Hadamard, Some(scalar)) => Some(scribe.math(*scalar)),
            (Notation::Fraction, Some(scalar)) if hole == 0 => {
                Some(Math::Fraction(Box::new(Math::whole(1)), Box::new(scribe.math(*scalar))))
            }
            _ => None,
        }
    })
}
