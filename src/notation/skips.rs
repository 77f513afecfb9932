//! What became of the skip connections, said in words.

use super::Math;
use super::listing::name_of;
use super::map::Maps;
use super::names::identity;
use super::page::Piece;
use super::sheet::{Sheet, numbered};
use crate::derive::{Derivation, Factor, Map, View};
use crate::graph::{Kind, NodeId};
use crate::ops::Notation;
use crate::reading::{Answers, IdentityPath};

/// What multiplies an I is written where it is no longer than this.
const LONGEST: usize = 12;

/// What became of the skip connections, in a sentence that states only what holds.
/// Of the derivative of a gradient nothing is said.
pub(super) fn skips(derivation: &Derivation, answers: &Answers, maps: &Maps, sheet: &Sheet) -> Option<Vec<Piece>> {
    if sheet.of_gradient {
        return None;
    }
    let program = &derivation.program;
    let (out, wrt) = (name_of(program, derivation.out), name_of(program, derivation.wrt));
    let i = identity(program);
    let cancel = "the other terms can cancel it";
    // The counts stand with the terms where these are written.
    let counts = |terms: String| if sheet.expand { String::new() } else { format!("Multiplied out this is {terms}; ") };
    let says = match &answers.identity {
        IdentityPath::Bare(node) => {
            let terms = if let Map::Sum(terms) = &derivation.result { terms.len() } else { 2 };
            let others = if terms > 2 { cancel } else { "the other term can cancel it" };
            format!("The {i} is the skip {wrt} → {}. It is one term of the sum; {others}.", name_of(program, *node))
        }
        IdentityPath::EachFactor(n) => {
            let counts = sentence(&format!("{}exactly one of the terms is {i}", counts(format!("2^{n} terms"))));
            format!(
                "Each of the {n} factors has an {i} of its own, from the skip around its block. {counts}, and {cancel}."
            )
        }
        IdentityPath::EachTurn => {
            let count = derivation.loops.first().map_or_else(|| "N".to_string(), |l| l.count.to_string());
            let counts = counts(format!("2^{count} terms, C({count}, m) of them with m factors"));
            let counts = sentence(&format!("{counts}exactly one of the terms, the {i}, has no factor"));
            format!("Each factor has an {i} of its own, from the skip around one turn. {counts}, and {cancel}.")
        }
        IdentityPath::States(kept) => {
            let passed = derivation.loops.first()?;
            let names: Vec<String> = kept.iter().map(|state| passed.state_name(*state).to_string()).collect();
            if names.is_empty() {
                return None;
            }
            let has = if names.len() > 1 { "each have an I of their own" } else { "has an I of its own" };
            let has = has.replace(" I ", &format!(" {i} "));
            format!("In each turn {} {has}, from the skip around the turn; {cancel}.", names.join(", "))
        }
        IdentityPath::Whole => {
            format!("The derivative is {i} itself: at these values {out} moves exactly as {wrt} does.")
        }
        IdentityPath::None(skip) => {
            let square = program.shape(derivation.out) == program.shape(derivation.wrt);
            if !square || program.shape(derivation.wrt).rank() == 0 {
                return None;
            }
            let none = if *skip { String::new() } else { format!(": no skip leads from {wrt} to {out}") };
            format!("No bare {i} is a term of the derivative{none}.")
        }
        IdentityPath::Each(count, inner) => return each(derivation, maps, *count, inner),
        one => {
            let mut says = vec![format!("No bare {i} stands in the derivative: ").into()];
            says.extend(of_block(derivation, maps, one, (derivation.out, derivation.wrt))?);
            says.push(".".into());
            return Some(says);
        }
    };
    Some(vec![Piece::Text(says)])
}

/// The text with a large first letter.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The skip is there in every factor, but no I.
fn each(derivation: &Derivation, maps: &Maps, count: Option<usize>, inner: &IdentityPath) -> Option<Vec<Piece>> {
    let i = identity(&derivation.program);
    let (mut says, times): (Vec<Piece>, Math) = match count {
        Some(n) => {
            let shown = derivation.parts.iter().find(|part| part.like.is_none())?;
            let inside = of_block(derivation, maps, inner, (shown.node, shown.base))?;
            let says = vec![format!("No bare {i} stands in any of the {n} factors. In the first, ").into()];
            let n = i64::try_from(n).unwrap_or(i64::MAX);
            (says.into_iter().chain(inside).collect(), Math::whole(n))
        }
        None => {
            let passed = derivation.loops.first()?;
            let turn = numbered(passed.alone()?, passed);
            let inside = of_block(&turn, &Maps::new(&turn), inner, (turn.out, turn.wrt))?;
            let says = vec![format!("No bare {i} stands in any factor. In each turn, ").into()];
            (says.into_iter().chain(inside).collect(), Math::Size(passed.count.clone()))
        }
    };
    if let IdentityPath::Scaled(factor) = inner {
        let by = match count {
            Some(_) => scale(derivation, *factor)?,
            None => scale(derivation.loops.first()?.alone()?, *factor)?,
        };
        let power = Math::Power(Box::new(by), Box::new(times));
        says.push("; multiplied out, the skips alone give ".into());
        says.push(Math::product([power, Math::Identity]).into());
    }
    says.push(".".into());
    Some(says)
}

/// What stands in the place of an I, of the block between two values.
fn of_block(
    derivation: &Derivation,
    maps: &Maps,
    found: &IdentityPath,
    (out, base): (NodeId, NodeId),
) -> Option<Vec<Piece>> {
    let program = &derivation.program;
    let (out, from) = (name_of(program, out), name_of(program, base));
    let i = identity(program);
    Some(match found {
        IdentityPath::Scaled(factor) => {
            vec![
                format!("the skip {from} → {out} is there, its {i} multiplied by ").into(),
                scale(derivation, *factor)?.into(),
            ]
        }
        IdentityPath::Projected(factor) => {
            let by = maps.plain(&Map::Factor(*factor), base, View::Jacobian);
            vec![
                format!("the shortcut {from} → {out} is a product, and ").into(),
                by.into(),
                " stands in its place".into(),
            ]
        }
        IdentityPath::Multiplied(sum, after, by) => {
            // A part has a name; an operation has that of its rule.
            let named = matches!(by, Map::Named(_))
                || matches!(by, Map::Compose(all) if matches!(all.last(), Some(Map::Named(_))));
            let title = program.op(*after).filter(|_| !named).map(|(op, _)| op.title);
            let by = maps.plain(by, *sum, View::Jacobian);
            let comes = match title {
                Some(title) => format!("{title} comes after the sum and multiplies its {i}"),
                None => format!("what comes after the sum multiplies its {i}"),
            };
            let skip = match program.name(*sum) {
                Some(name) => format!("into {name}"),
                None => format!("from {from}"),
            };
            let mut says = vec![format!("the skip {skip} is there, but {comes}").into()];
            if by.weight() <= LONGEST {
                says.extend([" by ".into(), by.into()]);
            }
            says
        }
        _ => return None,
    })
}

/// The number that a scaled skip is multiplied by.
fn scale(derivation: &Derivation, factor: Factor) -> Option<Math> {
    let program = &derivation.program;
    let (op, _) = program.op(factor.node)?;
    let args = &program.node(factor.node).args;
    let number = args.iter().find(|arg| !matches!(program.node(**arg).kind, Kind::Hole(_)));
    let number = number.map(|number| super::of(program, *number));
    match (op.notation, number) {
        (Notation::Negative, _) => Some(Math::whole(-1)),
        (Notation::Fraction, Some(number)) => Some(Math::Fraction(Box::new(Math::whole(1)), Box::new(number))),
        (_, number) => number,
    }
}
