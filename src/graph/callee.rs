//! Which spelling of an operation a call means.

use super::value::Operand;
use crate::diagnostic::Span;
use crate::ops::{self, Framework, OpRef, Spelling};
use crate::shape::Name;

/// An operation as it is called, with the way of writing it.
#[derive(Clone, Copy)]
pub(super) struct Callee<'n> {
    pub op: OpRef,
    pub spelling: Option<&'static Spelling>,
    /// The name without its prefix, and the framework that prefix tells.
    pub written: (&'n str, Option<Framework>),
}

/// The arguments of a call, read.
#[derive(Default)]
pub(super) struct Given {
    pub positional: Vec<Operand>,
    pub keywords: Vec<(Name, Span, Operand)>,
}

/// The operation that a keyword makes of this one: `gelu(x, approximate='tanh')`.
pub(super) fn meant_by_keyword(callee: Callee, given: &Given) -> Option<(OpRef, &'static Spelling)> {
    let (name, framework) = callee.written;
    ops::spelled_given(name, framework, &|keyword| {
        let names = names_of(callee, keyword);
        let word = given.keywords.iter().find(|(name, ..)| names.contains(&&**name)).map(|(.., operand)| operand);
        word.or_else(|| given.positional.get(position_of(callee, keyword)?))?.value.preset()
    })
}

/// The keywords for one parameter of the operation.
fn names_of<'k>(callee: Callee, keyword: &'k str) -> Vec<&'k str> {
    let own = |p: &&ops::Param| p.name == keyword || p.aliases.contains(&keyword);
    let param = callee.op.params.iter().find(own);
    param.map_or(vec![keyword], |p| p.aliases.iter().copied().chain([p.name]).collect())
}

/// Where a parameter stands among the positions.
fn position_of(callee: Callee, keyword: &str) -> Option<usize> {
    let names = names_of(callee, keyword);
    match callee.spelling.map_or(&[][..], |spelling| spelling.order) {
        [] => callee.op.params.iter().position(|p| names.contains(&p.name)),
        order => order.iter().position(|name| names.contains(name)),
    }
}

/// The arguments without those that told which spelling is meant.
pub(super) fn without(given: Given, callee: Callee, spelling: &'static Spelling) -> Given {
    // What only has to be there is an argument like others.
    let signs = || spelling.given.iter().filter(|(_, value)| *value != ops::Preset::Present).map(|(name, _)| *name);
    let told = |name: &str| signs().any(|keyword| names_of(callee, keyword).contains(&name));
    let places: Vec<usize> = signs().filter_map(|keyword| position_of(callee, keyword)).collect();
    let mut keywords: Vec<(Name, Span, Operand)> = given.keywords;
    keywords.retain(|(keyword, ..)| !told(keyword));
    let mut positional = Vec::new();
    for (at, operand) in given.positional.into_iter().enumerate() {
        match places.iter().any(|place| *place <= at) {
            false => positional.push(operand),
            true if places.contains(&at) => {}
            // What stands behind is named, as its position counts no more.
            true => {
                let order = callee.spelling.map_or(&[][..], |spelling| spelling.order);
                let name = order.get(at).copied().or_else(|| callee.op.params.get(at).map(|p| p.name));
                let span = operand.span;
                keywords.extend(name.map(|name| (Name::from(name), span, operand)));
            }
        }
    }
    Given { positional, keywords }
}

/// The operation of that very name, else the first of the table.
pub(super) fn preferred(candidates: &[(OpRef, &'static Spelling)], name: &str) -> Option<(OpRef, &'static Spelling)> {
    candidates.iter().find(|(op, _)| op.name == name).or_else(|| candidates.first()).copied()
}
