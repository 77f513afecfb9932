//! What became of the skip connections, said in words.

use super::Math;
use super::listing::name_of;
use super::map::Maps;
use super::page::{Piece, filled};
use super::sheet::{Sheet, numbered};
use crate::derive::{Derivation, Factor, Map, View};
use crate::graph::{Kind, NodeId};
use crate::ops::Notation;
use crate::reading::{Answers, IdentityPath};
use crate::shape::Name;

/// What multiplies an I is written where it is no longer than this.
const LONGEST: usize = 12;

/// What became of the skip connections, in a sentence that states only what holds.
/// Of the derivative of a gradient nothing is said.
pub(super) fn skips(derivation: &Derivation, answers: &Answers, maps: &Maps, sheet: &Sheet) -> Option<Vec<Piece>> {
    if sheet.of_gradient {
        return None;
    }
    let program = &derivation.program;
    let name = |id: NodeId| name_of(program, id);
    let (out, wrt, i) = (derivation.out, derivation.wrt, || Piece::Math(Math::Identity));
    let cancel = "the other terms can cancel it";
    // The counts stand with the terms where these are written.
    let counts = |terms: String| if sheet.expand { String::new() } else { format!("Multiplied out this is {terms}; ") };
    Some(match &answers.identity {
        IdentityPath::Bare(node) => {
            let terms = if let Map::Sum(terms) = &derivation.result { terms.len() } else { 2 };
            let others = if terms > 2 { cancel } else { "the other term can cancel it" };
            let says = format!("The {{}} is the skip {{}} → {{}}. It is one term of the sum; {others}.");
            filled(&says, [i(), name(wrt), name(*node)])
        }
        IdentityPath::EachFactor(n) => {
            let counts = sentence(&format!("{}exactly one of the terms is {{}}", counts(format!("2^{n} terms"))));
            let own = format!("Each of the {n} factors has an {{}} of its own, from the skip around its block.");
            filled(&format!("{own} {counts}, and {cancel}."), [i(), i()])
        }
        IdentityPath::EachTurn => {
            let count = derivation.loops.first().map_or_else(|| "N".to_string(), |l| l.count.to_string());
            let counts = counts(format!("2^{count} terms, C({count}, m) of them with m factors"));
            let counts = sentence(&format!("{counts}exactly one of the terms, the {{}}, has no factor"));
            let own = "Each factor has an {} of its own, from the skip around one turn.";
            filled(&format!("{own} {counts}, and {cancel}."), [i(), i()])
        }
        IdentityPath::States(kept) => {
            let passed = derivation.loops.first()?;
            let names: Vec<Piece> =
                kept.iter().map(|state| Piece::Math(Math::Name(Name::from(passed.state_name(*state))))).collect();
            if names.is_empty() {
                return None;
            }
            let has = if names.len() > 1 { "each have an {} of their own" } else { "has an {} of its own" };
            let list = vec!["{}"; names.len()].join(", ");
            let says = format!("In each turn {list} {has}, from the skip around the turn; {cancel}.");
            filled(&says, names.into_iter().chain([i()]))
        }
        IdentityPath::Whole => {
            let says = "The derivative is {} itself: at these values {} moves exactly as {} does.";
            filled(says, [i(), name(out), name(wrt)])
        }
        IdentityPath::None(skip) => {
            let square = program.shape(out) == program.shape(wrt);
            if !square || program.shape(wrt).rank() == 0 {
                return None;
            }
            let none = if *skip { "" } else { ": no skip leads from {} to {}" };
            filled(&format!("No bare {{}} is a term of the derivative{none}."), [i(), name(wrt), name(out)])
        }
        IdentityPath::Each(count, inner) => return each(derivation, maps, *count, inner),
        one => {
            let mut says = filled("No bare {} stands in the derivative: ", [i()]);
            says.extend(of_block(derivation, maps, one, (out, wrt))?);
            says.push(".".into());
            says
        }
    })
}

/// The text with a large first letter.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The skip is there in every factor, but no I.
fn each(derivation: &Derivation, maps: &Maps, count: Option<usize>, inner: &IdentityPath) -> Option<Vec<Piece>> {
    let i = || Piece::Math(Math::Identity);
    let (mut says, times): (Vec<Piece>, Math) = match count {
        Some(n) => {
            let shown = derivation.parts.iter().find(|part| part.like.is_none())?;
            let inside = of_block(derivation, maps, inner, (shown.node, shown.base))?;
            let says = filled(&format!("No bare {{}} stands in any of the {n} factors. In the first, "), [i()]);
            let n = i64::try_from(n).unwrap_or(i64::MAX);
            (says.into_iter().chain(inside).collect(), Math::whole(n))
        }
        None => {
            let passed = derivation.loops.first()?;
            let turn = numbered(passed.alone()?, passed);
            let inside = of_block(&turn, &Maps::new(&turn), inner, (turn.out, turn.wrt))?;
            let says = filled("No bare {} stands in any factor. In each turn, ", [i()]);
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
    let i = || Piece::Math(Math::Identity);
    Some(match found {
        IdentityPath::Scaled(factor) => {
            let by = scale(derivation, *factor)?.into();
            filled("the skip {} → {} is there, its {} multiplied by {}", [from, out, i(), by])
        }
        IdentityPath::Projected(factor) => {
            let by = maps.plain(&Map::Factor(*factor), base, View::Jacobian);
            filled("the shortcut {} → {} is a product, and {} stands in its place", [from, out, by.into()])
        }
        IdentityPath::Multiplied(sum, after, by) => {
            // A part has a name; an operation has that of its rule.
            let named = matches!(by, Map::Named(_))
                || matches!(by, Map::Compose(all) if matches!(all.last(), Some(Map::Named(_))));
            let title = program.op(*after).filter(|_| !named).map(|(op, _)| op.title);
            let by = maps.plain(by, *sum, View::Jacobian);
            let comes = match title {
                Some(title) => format!("{title} comes after the sum and"),
                None => "what comes after the sum".to_string(),
            };
            let (skip, end) = match program.name(*sum) {
                Some(_) => ("into", name_of(program, *sum)),
                None => ("from", from),
            };
            let says = format!("the skip {skip} {{}} is there, but {comes} multiplies its {{}}");
            let mut says = filled(&says, [end, i()]);
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
