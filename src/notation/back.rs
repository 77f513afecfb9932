//! The way back through a loop, turn by turn, as it stands on the page.

use super::Math;
use super::listing::name_of;
use super::of::{Scribe, Style};
use super::page::{Block, Piece, Says, filled};
use super::readings::short_name;
use super::says::{reasons, shape};
use super::sheet::number;
use crate::derive::{Reason, vanishes, zero_input};
use crate::graph::{Kind, NodeId, Program, Repeat, Reverse};
use crate::reading::Cotangent;
use crate::shape::{Dim, Name};
use std::collections::{HashMap, HashSet};

/// A line of a backward pass.
#[derive(Clone, Debug, PartialEq)]
enum Line {
    /// What is said of the lines that follow.
    Says(Vec<Piece>),
    /// A name given to a value within a turn.
    Named(Math, Math),
    /// A cotangent, its value, its shape.
    Equation(Math, Math, Says),
}

/// The blocks of a backward pass from `out`, whose cotangent is given.
pub(super) fn blocks(program: &Program, out: NodeId, pass: &[Cotangent]) -> Vec<Block> {
    let short = short_name(program, out);
    let mut scribe = Scribe::new(program, Style::Columns);
    if let Some(short) = &short {
        scribe = scribe.result(out, short.clone());
    }
    let given = [scribe.math_of_cotangent(out).into(), name_of(program, out)];
    let mut says = filled("The backward pass, each cotangent once. {} is given: the cotangent of {}, ", given);
    says.extend(shape(program.shape(out)).0);
    says.push(".".into());
    let pairs: Vec<(NodeId, NodeId)> = pass.iter().map(|cotangent| (cotangent.of, cotangent.value)).collect();
    let mut blocks = vec![Block::Prose(says)];
    blocks.extend(in_blocks(lines(program, &pairs, &scribe)));
    blocks
}

/// Does a cotangent of the pass come out of a loop?
pub(super) fn passes_loops(program: &Program, pass: &[Cotangent]) -> bool {
    let mut seen = HashSet::new();
    pass.iter().any(|cotangent| !passed(program, cotangent.value, &mut seen).is_empty())
}

/// The lines of a backward pass: each cotangent once, and before the first that comes
/// out of a loop the way back through one of its turns. `scribe` writes the nodes of
/// `program`.
fn lines(program: &Program, pass: &[(NodeId, NodeId)], scribe: &Scribe) -> Vec<Line> {
    let mut found = Vec::new();
    let mut seen: HashSet<NodeId> = HashSet::new();
    // What is 0 at the settings, and by which.
    let mut zeros: HashMap<NodeId, NodeId> = HashMap::new();
    for (of, value) in pass {
        for (node, reverse) in passed(program, *value, &mut seen) {
            found.extend(turns(program, node, &reverse, scribe));
        }
        let left = scribe.math_of_cotangent(*of);
        // The lines of the turn say what a stacked value receives.
        if slices(program, *value).map(bar) != Some(left.clone()) {
            let known = |id: NodeId| match program.node(id).kind {
                Kind::Cotangent(of) => zeros.get(&of).copied(),
                _ => zero_input(program, id),
            };
            let (math, shape) = (scribe.definition(*value), shape(program.shape(*of)));
            found.push(match vanishes(program, *value, &known) {
                Some(setting) => {
                    zeros.insert(*of, setting);
                    let zero = Math::Comparison("=", Box::new(math), Box::new(Math::Zero));
                    let why = reasons(&[Reason::Setting(setting)], program, &[]);
                    Line::Equation(left, zero, Says::joined([shape, why]))
                }
                None => Line::Equation(left, math, shape),
            });
        }
    }
    found
}

/// Lines of a backward pass, those of one kind below one another.
fn in_blocks(lines: Vec<Line>) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    for line in lines {
        match (line, blocks.last_mut()) {
            (Line::Says(says), _) => blocks.push(Block::Prose(says)),
            (Line::Named(left, right), Some(Block::Equations(before))) => before.push((left, right)),
            (Line::Named(left, right), _) => blocks.push(Block::Equations(vec![(left, right)])),
            (Line::Equation(left, right, aside), Some(Block::Steps(before))) => before.push((left, right, aside)),
            (Line::Equation(left, right, aside), _) => blocks.push(Block::Steps(vec![(left, right, aside)])),
        }
    }
    blocks
}

/// The ways back through loops that a value takes from, those seen before left out.
fn passed(program: &Program, value: NodeId, seen: &mut HashSet<NodeId>) -> Vec<(NodeId, Reverse)> {
    let (mut found, mut open) = (Vec::new(), vec![value]);
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        match &program.node(id).kind {
            Kind::Reverse(reverse) => found.push((id, Reverse::clone(reverse))),
            _ => open.extend(&program.node(id).args),
        }
    }
    found.sort_by_key(|(id, _)| *id);
    found
}

/// The name of a stacked argument of a loop, where the value is what that receives as
/// it comes.
fn slices(program: &Program, value: NodeId) -> Option<Name> {
    let node = program.node(value);
    let (Kind::Carried(place), Some(of)) = (&node.kind, node.args.first()) else { return None };
    let Kind::Reverse(reverse) = &program.node(*of).kind else { return None };
    let position = reverse.receives.get(*place).filter(|position| reverse.repeat.is_stacked(**position))?;
    stem(&reverse.repeat, *position)
}

/// The name of a stacked argument: that of its slice without the counter.
fn stem(repeat: &Repeat, position: usize) -> Option<Name> {
    let name = repeat.body.name(*repeat.inner().get(position)?)?;
    name.split('[').next().map(Name::from)
}

/// One turn back, and what it begins with. Loops are nested as the source indents them.
fn turns(program: &Program, node: NodeId, reverse: &Reverse, outer: &Scribe) -> Vec<Line> {
    let repeat = &reverse.repeat;
    let mut body = reverse.body.clone();
    number(&mut body, repeat);
    let (index, last) = (&repeat.index, minus(&(repeat.count.clone() - Dim::size(1))));
    let counter = Piece::Math(Math::Name(index.clone()));
    let mut says = filled(&format!("Back through the loop, for {{}} = {last}, …, 0, from "), [counter]);
    for (i, (state, _)) in reverse.states.iter().enumerate() {
        let name = Name::from(format!("{}[{}]", state_name(repeat, *state), repeat.count));
        let value = match program.node(node).args.get(i + 1) {
            Some(start) if outer.is_zero(*start) => Math::Zero,
            start => start.map_or(Math::Ellipsis, |start| outer.math(*start)),
        };
        if i > 0 {
            says.push(", ".into());
        }
        says.push(bar(name).into());
        says.push(" = ".into());
        says.push(value.into());
    }
    let scribe = inside(&body, reverse);
    let own = own_cotangents(reverse);
    if !own.is_empty() {
        let primed = own.iter().map(|(_, name)| bar(name.clone()));
        says.push("; with a prime what the turn itself gives is added: ".into());
        for (i, math) in primed.enumerate() {
            if i > 0 {
                says.push(", ".into());
            }
            says.push(math.into());
        }
    }
    says.push(":".into());
    let mut found = vec![Line::Says(says)];
    let made = body.graph().node_indices().filter(|id| {
        let defined = body.definitions.iter().any(|definition| definition.node == *id);
        matches!(body.node(*id).kind, Kind::Apply(..)) && body.name(*id).is_some() && !defined
    });
    found.extend(made.map(|id| Line::Named(scribe.math(id), scribe.definition(id))));
    found.extend(lines(&body, &reverse.pass, &scribe));
    found
}

/// Writes the nodes of one turn.
fn inside<'a>(body: &'a Program, reverse: &Reverse) -> Scribe<'a> {
    let mut scribe = Scribe::new(body, Style::Columns);
    for (end, name) in own_cotangents(reverse) {
        scribe = scribe.result(end, name);
    }
    let repeat = &reverse.repeat;
    for (node, name) in repeat.shared.iter().filter_map(|id| Some((*id, body.name(*id)?))) {
        scribe = scribe.result(node, Name::from(format!("{name}_{}", repeat.index)));
    }
    scribe
}

/// The carried values that the turn uses itself after it made them: their cotangents
/// are more than what the next turn hands back.
fn own_cotangents(reverse: &Reverse) -> Vec<(NodeId, Name)> {
    let repeat = &reverse.repeat;
    let has = |end: NodeId| reverse.pass.iter().any(|(of, _)| *of == end);
    let is_start = |end: NodeId| repeat.carried.iter().any(|(start, _)| *start == end);
    let ends = reverse.states.iter().map(|(state, _)| (*state, repeat.carried[*state].1));
    let own = ends.filter(|(_, end)| has(*end) && !is_start(*end));
    own.map(|(state, end)| (end, Name::from(format!("{}'[{}+1]", state_name(repeat, state), repeat.index)))).collect()
}

/// What an argument of a loop receives, as a name: the first x̄ of a carried value,
/// the sum of the shares of a shared one.
pub(super) fn received(program: &Program, of: NodeId, place: usize) -> Option<Math> {
    let Kind::Reverse(reverse) = &program.node(of).kind else { return None };
    let repeat = &reverse.repeat;
    let position = *reverse.receives.get(place)?;
    let name = repeat.body.name(*repeat.inner().get(position)?)?;
    if position < repeat.carried.len() {
        return Some(bar(Name::from(format!("{name}[0]"))));
    }
    if repeat.is_stacked(position) {
        return stem(repeat, position).map(|stem| bar(Name::from(format!("{stem}[:]"))));
    }
    let last = Math::Size(repeat.count.clone() - Dim::size(1));
    let share = bar(Name::from(format!("{name}_{}", repeat.index)));
    Some(Math::Big("Σ", repeat.index.clone(), Box::new(Math::whole(0)), Box::new(last), Box::new(share)))
}

fn state_name(repeat: &Repeat, state: usize) -> Name {
    let start = repeat.carried.get(state).and_then(|(start, _)| repeat.body.name(*start));
    start.cloned().unwrap_or_default()
}

fn bar(name: Name) -> Math {
    Math::Bar(Box::new(Math::Name(name)))
}

/// A dimension with the minus of the page.
fn minus(dim: &Dim) -> String {
    dim.to_string().replace('-', "−")
}
