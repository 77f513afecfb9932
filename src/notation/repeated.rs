//! Names for what a page repeats: a long root or call is written once.

use super::Math;
use super::names::each_formula;
use super::of::{Scribe, Style};
use super::page::{Block, Fact, Page};
use crate::derive::{Derivation, View};
use crate::graph::Program;
use crate::ops::{self, Notation};
use crate::reading::Answers;
use crate::shape::Name;

/// A root of at least this weight gets a name.
const ROOT: usize = 5;
/// A call with at least so many letters gets a name.
const LETTERS: usize = 8;
/// A quotient that is written in differentials gets a name from this weight on.
const QUOTIENT: usize = 7;
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
    let facts = |block: &Block| matches!(block, Block::Facts(_));
    let mut listed = Vec::new();
    for what in repeated(&page.blocks, lines, false) {
        listed.extend(named(&mut page, what, &programs, |_| true));
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
    for what in repeated(&page.blocks, facts, true) {
        let Some((name, what)) = named(&mut page, what, &programs, facts) else { continue };
        let uses = |fact: &Fact| matches!(fact, Fact::Equation(_, right) if mentions(right, &name));
        for block in &mut page.blocks {
            if let Block::Facts(facts) = block
                && let Some(last) = facts.iter().rposition(|(_, fact)| uses(fact))
            {
                facts.insert(last + 1, (String::new(), Fact::Equation(name.clone(), what.clone())));
                break;
            }
        }
    }
    page
}

/// What the blocks of a sort repeat, but for what is the whole of a line; what stands
/// within another is not looked at. In readings that may be a differential (`moving`),
/// in lines it changes from line to line.
fn repeated(blocks: &[Block], sort: impl Fn(&Block) -> bool, moving: bool) -> Vec<Math> {
    let mut rights: Vec<&Math> = Vec::new();
    for block in blocks.iter().filter(|block| sort(block)) {
        match block {
            Block::Lines(_, rows) => rights.extend(rows.iter().map(|row| row.math.plain())),
            Block::Facts(facts) => rights.extend(facts.iter().filter_map(|(_, fact)| match fact {
                Fact::Equation(_, right) => Some(right),
                Fact::Prose(_) => None,
            })),
            _ => {}
        }
    }
    let mut found: Vec<(Math, usize)> = Vec::new();
    rights.iter().for_each(|right| count(right, moving, &mut found));
    found.retain(|(math, times)| *times > 1 && !rights.contains(&math));
    // Those with a letter of their own take it before others do.
    found.sort_by_key(|(math, _)| customary(math).is_empty());
    found.into_iter().map(|(math, _)| math).collect()
}

/// The letter that the record of the operation has for what is called so.
fn customary(math: &Math) -> &'static str {
    let Math::Call(name, _) = math else { return "" };
    let called = |op: &ops::OpRef| matches!(op.notation, Notation::Call(call) if *call == **name);
    ops::all().find(called).map_or("", |op| op.letter)
}

/// Depth is that of the formula.
fn count(math: &Math, moving: bool, found: &mut Vec<(Math, usize)>) {
    let long = match math {
        Math::Root(_) => math.weight() >= ROOT,
        // A diagonal matrix is no more than what stands on it.
        Math::Call(name, _) => letters(math) >= LETTERS && **name != *"diag",
        Math::Fraction(..) => moving && math.weight() >= QUOTIENT && !fixed(math, false),
        _ => false,
    };
    if long && fixed(math, moving) {
        match found.iter_mut().find(|(known, _)| known == math) {
            Some((_, times)) => *times += 1,
            None => found.push((math.clone(), 1)),
        }
        return;
    }
    math.clone().each(&mut |part| count(part, moving, found));
}

/// Is it a value, without anything that is still to be differentiated or stands out?
/// A differential is one where what moves is given (`moving`).
fn fixed(math: &Math, moving: bool) -> bool {
    let mut fixed = (moving || !matches!(math, Math::Differential(_)))
        && !matches!(math, Math::Derivative(..) | Math::Bar(_) | Math::Marked(_) | Math::Hole | Math::Applied(..));
    math.clone().each(&mut |part| fixed &= self::fixed(part, moving));
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

/// Puts a name in the place of `what` in the blocks of a sort; the name and what it
/// stands for. What is no value of a program keeps its form.
fn named(page: &mut Page, what: Math, programs: &[&Program], sort: impl Fn(&Block) -> bool) -> Option<(Math, Math)> {
    let rank = programs.iter().find_map(|program| rank_of(program, &what))?;
    let taken = |name: &str| {
        let known = |program: &&Program| {
            program.graph().node_indices().any(|id| program.name(id).is_some_and(|n| **n == *name))
        };
        page.ranks.contains_key(name) || programs.iter().any(known)
    };
    let letters = match what {
        Math::Root(_) => ["s", "t", "r", "q"],
        _ if !fixed(&what, false) => ["t", "r", "q", "p"],
        _ => ["p", "q", "t", "r"],
    };
    let custom = Some(customary(&what)).filter(|letter| !letter.is_empty());
    let name = Name::from(custom.into_iter().chain(letters).find(|letter| !taken(letter))?);
    page.ranks.insert(name.clone(), rank);
    let name = Math::Name(name);
    for block in page.blocks.iter_mut().filter(|block| sort(block)) {
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

/// Depth is that of the formula.
fn mentions(math: &Math, name: &Math) -> bool {
    let mut found = math == name;
    math.clone().each(&mut |part| found |= mentions(part, name));
    found
}

/// The rank of the value that is written so.
fn rank_of(program: &Program, what: &Math) -> Option<usize> {
    let scribe = Scribe::new(program, Style::Columns);
    let is = |id: &crate::graph::NodeId| program.op(*id).is_some() && scribe.definition(*id) == *what;
    match (program.graph().node_indices().find(is), what) {
        (Some(node), _) => Some(program.shape(node).rank()),
        // A power may have no node for its root.
        (None, Math::Root(inner)) => rank_of(program, inner),
        (None, Math::Sum(terms)) => terms.iter().filter_map(|(_, term)| rank_of(program, term)).max(),
        (None, _) => None,
    }
}
