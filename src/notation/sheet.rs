//! The page of a derivation.

use super::Math;
use super::answer::{answer, notes};
use super::found::{Behind, of_loop};
use super::listing::{name_of, preamble, program, written};
use super::map::{Maps, is_chain};
use super::names::{identity, with_identity};
use super::origin::source_lines;
use super::page::{Block, Page, Piece, Row, filled};
use super::ranks::ranks;
use super::repeated::with_short_names;
use super::says::reasons;
use super::shown::Shown;
use super::symmetric::with_symmetric;
use crate::derive::{self, Derivation, Map, Paragraph, Part, Reason, View};
use crate::graph::{Kind, NodeId, Program, Repeat};
use crate::reading::{Answers, IdentityPath};
use crate::shape::Name;
use crate::witness::Checked;
use std::collections::BTreeMap;

/// How Jacobian matrices are laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// d(y)/dx is (dims of y) × (dims of x).
    #[default]
    Numerator,
    /// d(y)/dx is (dims of x) × (dims of y).
    Denominator,
}

/// How much of a derivation is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// The answer, and what it is made of.
    Answer,
    /// What a lecturer writes: routine steps are merged.
    #[default]
    Steps,
    /// Every expansion and every rewrite on a line of its own.
    Full,
}

/// What is put on the page of a derivation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sheet<'a> {
    /// Where the program comes from.
    pub origin: &'a str,
    /// The layout of the Jacobian matrix.
    pub layout: Layout,
    /// How much is shown.
    pub detail: Detail,
    /// Which readings are shown; those that are usual where `None`.
    pub readings: Option<&'a [Shown]>,
    /// Is a product of (I + J)'s multiplied out?
    pub expand: bool,
    /// Is this the derivative of a gradient? Nothing is said of skips then.
    pub of_gradient: bool,
    /// Is the largest difference met by the check said?
    pub verbose: bool,
}

/// The page of a derivation and its answers. Where there was no check, it says so.
pub fn page(found: &Checked<(Derivation, Answers)>, sheet: &Sheet) -> Page {
    let (derivation, answers) = found.value();
    let maps = Maps::new(derivation);
    let title = title(derivation.read());
    let mut blocks = vec![program(derivation)];
    blocks.extend(preamble(derivation, &maps));
    blocks.extend(lines(derivation, &maps, Behind::new(found, sheet)));
    answer(derivation, answers, &maps, sheet, &mut blocks);
    blocks.extend(notes(derivation, answers, found.report(), sheet));
    let skip = matches!(answers.identity, IdentityPath::Bare(_) | IdentityPath::EachFactor(_) | IdentityPath::EachTurn);
    let page = Page {
        title,
        origin: sheet.origin.to_string(),
        blocks,
        ranks: ranks(found.value()),
        skip,
        lines: source_lines(derivation),
    };
    let page = with_symmetric(page, &derivation.program);
    with_identity(with_short_names(page, found.value()), identity(&derivation.program))
}

/// The name of the function, or the expression itself.
pub fn title(program: &Program) -> String {
    match (program.title.as_str(), program.source.lines().count()) {
        ("", 1) => program.source.trim().to_string(),
        (title, _) => title.to_string(),
    }
}

/// The paragraphs, and one turn of every loop.
fn lines(derivation: &Derivation, maps: &Maps, behind: Behind) -> Vec<Block> {
    let detail = behind.detail;
    let listed = written(derivation, maps);
    let mut blocks = Vec::new();
    // The segment that is left out because one of equal form is shown.
    let mut left_out: Option<&Part> = None;
    for paragraph in &derivation.paragraphs {
        let part = paragraph.part.and_then(|i| derivation.parts.get(i));
        if let Some(part) = part {
            let within =
                left_out.is_some_and(|seg| part.node <= seg.node && part.base >= seg.base && part.like.is_none());
            if part.like.is_some() {
                left_out = Some(part);
            }
            if within || part.like.is_some() {
                continue;
            }
        }
        left_out = None;
        // The answer below puts the maps in place.
        let substitutes = paragraph.steps.iter().any(|step| step.reasons.contains(&Reason::Substitute));
        // … and in differentials each paragraph says what it takes from the next.
        let shown = derivation.view == View::Jacobian || !derivation.parts.iter().any(|part| part.beside_identity);
        if substitutes && shown && paragraph.end() == &derivation.result && detail != Detail::Answer {
            continue;
        }
        let lines = (detail != Detail::Answer).then(|| paragraph_lines(derivation, maps, paragraph, behind, &listed));
        match (lines, part) {
            // A single line says what the name stands for as well.
            (Some(Block::Lines(left, rows)), Some(part))
                if rows.len() == 1 && derivation.view == View::Jacobian && !part.beside_identity =>
            {
                let name = Math::Name(part.name.clone());
                blocks.push(Block::Lines(Math::Comparison("=", Box::new(name), Box::new(left)), rows));
                blocks.extend(paragraph.part.and_then(|i| alike(derivation, i)));
            }
            (lines, part) => {
                blocks.extend(lines);
                if let (Some(part), Some(i)) = (part, paragraph.part) {
                    blocks.extend(named(derivation, maps, part, detail));
                    blocks.extend(alike(derivation, i));
                }
            }
        }
    }
    for (i, turn) in derivation.loops.iter().enumerate() {
        blocks.extend(turn_lines(maps, i, turn, behind));
    }
    blocks
}

fn paragraph_lines(
    derivation: &Derivation,
    maps: &Maps,
    paragraph: &Paragraph,
    behind: Behind,
    listed: &[NodeId],
) -> Block {
    let view = view_of(derivation, paragraph);
    let base = paragraph.base;
    let mut rows = Vec::new();
    let from_above = !matches!(paragraph.start, Map::Pending { .. });
    if from_above && !paragraph.steps.iter().any(|step| step.reasons.contains(&Reason::Substitute)) {
        rows.push(Row::new(maps.plain(&paragraph.start, base, view), "from above"));
    }
    // In differentials some steps write the same: d(x) is dx before and after.
    let silent = |line: &&derive::Line| {
        view == View::Differential && maps.plain(&line.before, base, view) == maps.plain(&line.after, base, view)
    };
    let lines = match behind.detail {
        Detail::Full => derive::every_step(paragraph),
        Detail::Answer | Detail::Steps => derive::merged(derivation, paragraph, &|node| listed.contains(&node)),
    };
    for line in lines.iter().filter(|line| !of_loop(&derivation.program, &line.reasons) && !silent(line)) {
        let why = reasons(&line.reasons, &derivation.program, &derivation.parts);
        let found = behind.found(derivation, maps, paragraph, view, &line.steps);
        rows.push(Row { math: maps.step(&line.before, &line.after, base, view), why, found });
    }
    Block::Lines(maps.left(paragraph.node, base, view), rows)
}

/// Lines that only put names together are written as a product in both views.
fn view_of(derivation: &Derivation, paragraph: &Paragraph) -> View {
    let maps = || paragraph.steps.iter().map(|step| &step.after);
    let composed = maps().any(|map| matches!(map, Map::Compose(_) | Map::Product(_) | Map::Turns(_)));
    if composed && maps().all(is_chain) { View::Jacobian } else { derivation.view }
}

/// What a named part is.
fn named(derivation: &Derivation, maps: &Maps, part: &Part, detail: Detail) -> Option<Block> {
    let name = Math::Name(part.name.clone());
    let written = part.beside_identity || derivation.view == View::Jacobian || detail == Detail::Answer;
    written.then(|| Block::Equations(vec![applied(maps, derivation.view, name, &part.map, part.base)]))
}

/// Which parts have the same form as part `i`.
fn alike(derivation: &Derivation, i: usize) -> Option<Block> {
    let like = derivation.parts.iter().filter(|p| p.like == Some(i)).map(|p| Piece::Math(Math::Name(p.name.clone())));
    let like: Vec<Piece> = like.collect();
    let says = match like.as_slice() {
        [] => return None,
        [one] => filled("{} has the same form, with the values of its own block.", [one.clone()]),
        [one, two] => {
            let says = "{} and {} have the same form, each with the values of its own block.";
            filled(says, [one.clone(), two.clone()])
        }
        [first, .., last] => {
            let n = like.len();
            let says = format!("{{}} … {{}} ({n} of them) have the same form, each with the values of its own block.");
            filled(&says, [first.clone(), last.clone()])
        }
    };
    Some(Block::Prose(says))
}

/// J = …, or J[dx] = … in differentials.
fn applied(maps: &Maps, view: View, name: Math, map: &Map, base: NodeId) -> (Math, Math) {
    let left = match view {
        View::Jacobian => name,
        View::Differential => Math::Applied(Box::new(name), Box::new(Math::differential(maps.node(base)))),
    };
    (left, maps.plain(map, base, view))
}

/// One turn of a loop, derived once.
fn turn_lines(maps: &Maps, i: usize, of: &derive::Loop, behind: Behind) -> Vec<Block> {
    let mut blocks = joint_state(maps, i, of).into_iter().collect::<Vec<_>>();
    let index = &of.index;
    for (name, block, map) in maps.turn_blocks(i, of) {
        let derivation = &numbered(&block.turn, of);
        let inner = Maps::new(derivation);
        let (out, wrt) =
            (format!("{}[{index}+1]", of.state_name(block.to)), name_of(&derivation.program, derivation.wrt));
        let ends = [Math::name(index).into(), wrt, Math::Name(Name::from(&*out)).into()];
        blocks.push(Block::Prose(filled("Turn {} of the loop, from {} to {}:", ends)));
        if matches!(derivation.program.node(derivation.out).kind, Kind::Input(_)) {
            let handed_on = (Math::Name(Name::from(out)), inner.node(derivation.out));
            blocks.push(Block::Equations(vec![handed_on]));
        }
        blocks.extend(preamble(derivation, &inner).into_iter().filter(|block| matches!(block, Block::Equations(_))));
        let place = of.blocks().position(|other| std::ptr::eq(other, block));
        blocks.extend(lines(derivation, &inner, behind.turn(i, place)));
        // What a turn hands on as it is needs no name.
        if derivation.result != Map::Identity || of.alone().is_none() {
            blocks.extend(maps_to(&name, derivation, &map));
            blocks.push(Block::Equations(vec![applied(&inner, derivation.view, name, &map, derivation.wrt)]));
        }
    }
    blocks
}

/// What a map is that is no matrix: which change it takes to which.
fn maps_to(name: &Math, turn: &Derivation, map: &Map) -> Option<Block> {
    let maps = Maps::new(turn);
    let [out, wrt] = [turn.out, turn.wrt].map(|id| Math::differential(maps.node(id)));
    let beside = *map != turn.result;
    let mut says: Vec<Piece> = vec![name.clone().into(), " is the linear map from ".into(), wrt.clone().into()];
    says.extend([" to ".into(), out.into()]);
    if beside {
        says.extend([", without the ".into(), wrt.into(), " that the skip adds".into()]);
    }
    says.push(":".into());
    (turn.view == View::Differential).then_some(Block::Prose(says))
}

/// What J_k and B_k are where several values go on together.
fn joint_state(maps: &Maps, i: usize, of: &derive::Loop) -> Option<Block> {
    if of.alone().is_some() {
        return None;
    }
    let index = &of.index;
    let names = of.states.iter().map(|state| Piece::Math(Math::Name(of.state_name(*state))));
    let words = format!(
        "{} go on together from turn to turn. {{}} has a block for each pair of them, from one before turn {{}} to \
         one after it; a block that is not derived here is 0.",
        vec!["{}"; of.states.len()].join(", ")
    );
    let mut says = filled(&words, names.chain([maps.turn_name(i, index).into(), Math::Name(index.clone()).into()]));
    if !of.shares().is_empty() {
        says.extend([" ".into(), maps.share_name(i, index).into(), " has a block for each of them.".into()]);
    }
    Some(Block::Prose(says))
}

/// One turn with its counter in its names: x[k] goes in, x[k+1] comes out, the
/// values on the way are z_k.
pub(super) fn numbered(turn: &Derivation, of: &derive::Loop) -> Derivation {
    let mut turn = turn.clone();
    number(&mut turn.program, &of.repeat);
    turn
}

/// Puts the counter into the names of the body of a loop.
pub(super) fn number(body: &mut Program, repeat: &Repeat) {
    let index = &repeat.index;
    let stem = |id: NodeId| repeat.body.name(id).map_or_else(String::new, |name| name.to_string());
    let mut names: BTreeMap<NodeId, String> = BTreeMap::new();
    for id in body.graph().node_indices().filter(|id| matches!(body.node(*id).kind, Kind::Apply(..) | Kind::Carried(_)))
    {
        names.extend(body.name(id).map(|name| (id, format!("{name}_{index}"))));
    }
    for (start, end) in repeat.carried.iter().rev() {
        names.insert(*end, format!("{}[{index}+1]", stem(*start)));
    }
    // A value that is handed on as it is goes by the name it had.
    for start in repeat.carried.iter().map(|(start, _)| *start) {
        names.insert(start, format!("{}[{index}]", stem(start)));
    }
    for (id, name) in names {
        body.rename(id, Name::from(name));
    }
}
