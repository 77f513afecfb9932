//! Names for what a page repeats: a long root or call is written once.

use super::Math;
use super::names::each_formula;
use super::of::{Scribe, Style};
use super::page::{Block, Fact, Page};
use crate::derive::{Derivation, View};
use crate::graph::Program;
use crate::reading::Answers;
use crate::shape::Name;

/// A root of at least this weight gets a name.
const ROOT: usize = 5;
/// A call with at least so many letters gets a name.
const LETTERS: usize = 8;
/// Programs with more nodes than this keep their formulas as they are.
const NODES: usize = 2000;

/// The page with names for the roots and calls that its lines, or its readings,
/// write more than once. Loops have names of their own for each turn.
pub(super) fn with_short_names(mut page: Page, (derivation, answers): &(Derivation, Answers)) -> Page {
    let programs = [&derivation.program, &answers.program];
    if !derivation.loops.is_empty() || programs.iter().any(|program| program.graph().node_count() > NODES) {
        return page;
    }
    let lines = |block: &Block| matches!(block, Block::Lines(..));
    let mut listed = Vec::new();
    for what in repeated(&page.blocks, lines) {
        listed.extend(named(&mut page, what, &programs));
    }
    if let Some(first) = page.blocks.iter().position(lines).filter(|_| !listed.is_empty()) {
        match page.blocks.get_mut(first.wrapping_sub(1)) {
            Some(Block::Equations(equations)) => equations.extend(listed),
            _ => {
                let says = match derivation.view {
                    View::Jacobian => "In columns:",
                    View::Differential => "With names for what is used twice:",
                };
                page.blocks.insert(first, Block::Equations(listed));
                page.blocks.insert(first, Block::Prose(vec![says.into()]));
            }
        }
    }
    for what in repeated(&page.blocks, |block| matches!(block, Block::Facts(_))) {
        let Some((name, what)) = named(&mut page, what, &programs) else { continue };
        let equations = page.blocks.iter_mut().find_map(|block| match block {
            Block::Facts(facts) => {
                facts.iter().rposition(|(_, fact)| matches!(fact, Fact::Equation(..))).map(|i| (facts, i))
            }
            _ => None,
        });
        if let Some((facts, last)) = equations {
            facts.insert(last + 1, (String::new(), Fact::Equation(name, what)));
        }
    }
    page
}

/// What the blocks of a sort repeat, the longest first; what stands within another
/// is not looked at.
fn repeated(blocks: &[Block], sort: impl Fn(&Block) -> bool) -> Vec<Math> {
    let mut found: Vec<(Math, usize)> = Vec::new();
    for block in blocks.iter().filter(|block| sort(block)) {
        match block {
            Block::Lines(_, rows) => rows.iter().for_each(|row| count(&row.math, &mut found)),
            Block::Facts(facts) => facts.iter().for_each(|(_, fact)| {
                if let Fact::Equation(_, right) = fact {
                    count(right, &mut found);
                }
            }),
            _ => {}
        }
    }
    found.into_iter().filter(|(_, times)| *times > 1).map(|(math, _)| math).collect()
}

/// Depth is that of the formula.
fn count(math: &Math, found: &mut Vec<(Math, usize)>) {
    let long = match math {
        Math::Root(_) => math.weight() >= ROOT,
        Math::Call(..) => letters(math) >= LETTERS,
        _ => false,
    };
    if long && fixed(math) {
        match found.iter_mut().find(|(known, _)| known == math) {
            Some((_, times)) => *times += 1,
            None => found.push((math.clone(), 1)),
        }
        return;
    }
    math.clone().each(&mut |part| count(part, found));
}

/// Is it a value, without anything that is still to be differentiated or stands out?
fn fixed(math: &Math) -> bool {
    let mut fixed = !matches!(
        math,
        Math::Differential(_) | Math::Derivative(..) | Math::Bar(_) | Math::Marked(_) | Math::Hole | Math::Applied(..)
    );
    math.clone().each(&mut |part| fixed &= self::fixed(part));
    fixed
}

fn letters(math: &Math) -> usize {
    let mut letters = match math {
        Math::Name(name) | Math::Call(name, _) | Math::Keyword(name, _) => name.chars().count(),
        Math::Number(_) | Math::Size(_) => 1,
        _ => 0,
    };
    math.clone().each(&mut |part| letters += self::letters(part));
    letters
}

/// Puts a name in the place of `what` everywhere; the name and what it stands for.
/// What is no value of a program keeps its form.
fn named(page: &mut Page, what: Math, programs: &[&Program]) -> Option<(Math, Math)> {
    let rank = programs.iter().find_map(|program| rank_of(program, &what))?;
    let taken = |name: &str| {
        let known = |program: &&Program| {
            program.graph().node_indices().any(|id| program.name(id).is_some_and(|n| **n == *name))
        };
        page.ranks.contains_key(name) || programs.iter().any(known)
    };
    let letters = if matches!(what, Math::Root(_)) { ["s", "t", "r", "q"] } else { ["p", "q", "t", "r"] };
    let name = Name::from(letters.into_iter().find(|letter| !taken(letter))?);
    page.ranks.insert(name.clone(), rank);
    let name = Math::Name(name);
    for block in &mut page.blocks {
        each_formula(block, &mut |math| replace(math, &what, &name));
    }
    Some((name, what))
}

/// Depth is that of the formula.
fn replace(math: &mut Math, what: &Math, name: &Math) {
    if math == what {
        *math = name.clone();
        return;
    }
    math.each(&mut |part| replace(part, what, name));
}

/// The rank of the value that is written so.
fn rank_of(program: &Program, what: &Math) -> Option<usize> {
    let scribe = Scribe::new(program, Style::Columns);
    let is = |id: &crate::graph::NodeId| program.op(*id).is_some() && scribe.definition(*id) == *what;
    let node = program.graph().node_indices().find(is)?;
    Some(program.shape(node).rank())
}
