//! The differential and the pullback, as facts below the lines.

use super::Math;
use super::back;
use super::listing::{name_of, unlisted};
use super::of::{Scribe, Style};
use super::page::{Fact, filled};
use super::shown::Shown;
use crate::derive::Derivation;
use crate::graph::{NodeId, Program};
use crate::reading::{Answers, Stacked, Stacking};
use crate::shape::Name;

/// The differential and the pullback.
pub(super) fn readings(
    derivation: &Derivation,
    answers: &Answers,
    asked: impl Fn(Shown) -> bool,
) -> Vec<(String, Fact)> {
    let program = &answers.program;
    let mut scribe = Scribe::new(program, Style::Columns);
    let short = short_name(program, answers.out);
    if let Some(short) = &short {
        scribe = scribe.result(answers.out, short.clone());
    }
    let bar = |id: NodeId| Math::Bar(Box::new(scribe.math(id)));
    let mut facts = Vec::new();
    if let Some(node) = answers.differential.filter(|_| asked(Shown::Differential)) {
        let left = Math::differential(scribe.math(answers.out));
        facts.push(("as a differential".to_string(), Fact::Equation(left, scribe.definition(node))));
    }
    if let Some(Stacked { node, by }) = answers.stacked {
        let stacked = |id: NodeId| match by {
            Stacking::Columns => Math::call("vec", vec![scribe.math(id)]),
            Stacking::Rows => Math::call("rows", vec![scribe.math(id)]),
        };
        let left = Math::derivative(stacked(answers.out), stacked(answers.wrt));
        let label = "on stacked entries".to_string();
        match node {
            Some(node) => {
                facts.push((label, Fact::Equation(left, scribe.definition(node))));
                facts.push((String::new(), Fact::Prose(vec![by.says().into()])));
            }
            None => {
                let says = "no Kronecker products say it: an operation acts neither on one axis nor entry by entry";
                facts.push((label, Fact::Prose(vec![says.into()])));
            }
        }
    }
    if !asked(Shown::Pullback) {
        return facts;
    }
    let mut label = "backwards".to_string();
    if let Some(node) = answers.pullback {
        facts.push((std::mem::take(&mut label), Fact::Equation(bar(answers.wrt), scribe.definition(node))));
    }
    let through_loops = back::passes_loops(program, &answers.backward);
    for cotangent in answers.backward.iter().take(24).filter(|_| !through_loops) {
        let equation = Fact::Equation(bar(cotangent.of), scribe.definition(cotangent.value));
        facts.push((std::mem::take(&mut label), equation));
    }
    let unlisted = unlisted(derivation);
    let named = |of: NodeId| program.name(of).is_some_and(|name| unlisted.contains(name));
    let listed = answers.backward.iter().take(24).filter(|_| !through_loops).map(|cotangent| cotangent.of);
    for of in listed.filter(|of| named(*of)) {
        facts.push((String::new(), Fact::Equation(scribe.math(of), scribe.definition(of))));
    }
    if answers.backward.len() > 24 && !through_loops {
        let says = format!("and {} more", answers.backward.len() - 24);
        facts.push((String::new(), Fact::Prose(vec![says.into()])));
    }
    if label.is_empty()
        && let Some(short) = short
    {
        let bar = Math::Bar(Box::new(Math::Name(short)));
        let says = filled("{} is the cotangent of {}", [bar.into(), name_of(program, answers.out)]);
        facts.push((String::new(), Fact::Prose(says)));
    }
    facts
}

/// ō for the cotangent of `out`: the first letter, where nothing else has that name.
pub(super) fn short_name(program: &Program, out: NodeId) -> Option<Name> {
    let name = program.name(out)?;
    let first = name.chars().next()?.to_string();
    let clash = program.graph().node_indices().filter_map(|id| program.name(id)).any(|other| **other == *first);
    (name.chars().count() > 1 && !clash).then(|| Name::from(first))
}
