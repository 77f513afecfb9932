//! The program as read, and as it stands in columns.

use super::Math;
use super::map::Maps;
use super::page::{Block, Entry, Piece, filled};
use crate::derive::{Derivation, View, moving};
use crate::graph::{Kind, NodeId, Program};
use crate::ops::{Attrs, Notation, OpRef};
use crate::shape::Name;
use std::collections::BTreeSet;

/// A listing longer than this is cut short in the middle.
const ENTRIES: usize = 24;
/// So many equations in columns are shown at most.
const EQUATIONS: usize = 16;
/// So many names are said to stand for one row at most.
const NAMES: usize = 8;

/// Every value with its shape, in the order of the source.
pub(super) fn program(derivation: &Derivation) -> Block {
    let read = derivation.read();
    let mut entries: Vec<Entry> = Vec::new();
    for id in &read.inputs {
        let name = read.name(*id).map_or(String::new(), |name| name.to_string());
        entries.push(Entry { name, written: String::new(), aside: aside(read, *id) });
    }
    // Names given twice are told apart in the program derived.
    let apart = &derivation.program.definitions;
    for (i, definition) in read.definitions.iter().enumerate() {
        let mut aside = aside(read, definition.node);
        let below = apart.get(i).filter(|d| d.name == definition.name).and_then(|d| derivation.program.name(d.node));
        if let Some(below) = below.filter(|below| ***below != *definition.name) {
            aside = format!("{aside}, {below} below");
        }
        entries.push(Entry { name: definition.name.to_string(), written: definition.text.clone(), aside });
    }
    Block::Listing(shortened(entries))
}

/// Every value of a program by itself.
pub(super) fn whole(program: &Program) -> Block {
    let named = |id: NodeId, written: &str| {
        let name = program.name(id).map_or(String::new(), |name| name.to_string());
        Entry { name, written: written.to_string(), aside: aside(program, id) }
    };
    let inputs = program.inputs.iter().map(|id| named(*id, ""));
    let definitions = program.definitions.iter().map(|d| Entry { name: d.name.to_string(), ..named(d.node, &d.text) });
    Block::Listing(shortened(inputs.chain(definitions).collect()))
}

/// Where an entry of a listing of `total` stands after its middle was left out, if
/// it is not in that.
pub(super) fn place(entry: usize, total: usize) -> Option<usize> {
    match total > ENTRIES {
        true if entry < ENTRIES - 5 => Some(entry),
        true if entry + 4 >= total => Some(entry + ENTRIES - total),
        true => None,
        false => Some(entry),
    }
}

/// A long listing without its middle.
fn shortened(mut entries: Vec<Entry>) -> Vec<Entry> {
    if entries.len() > ENTRIES {
        let left_out = entries.len() - ENTRIES + 1;
        let last = entries.split_off(entries.len() - 4);
        entries.truncate(ENTRIES - 5);
        let aside = format!("{left_out} more");
        entries.push(Entry { name: "⋮".into(), written: String::new(), aside });
        entries.extend(last);
    }
    entries
}

fn aside(program: &Program, id: NodeId) -> String {
    let mut aside = program.shape(id).to_string();
    if let Some((_, number)) = program.settings.iter().find(|(node, _)| *node == id) {
        aside = format!("{aside}, set to {number}");
    }
    aside
}

/// What is said before the lines: that rows stand apart, what the columns are,
/// which values got names.
pub(super) fn preamble(derivation: &Derivation, maps: &Maps) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut equations = equations(derivation, maps);
    if let Some(whole) = &derivation.whole {
        let (out, wrt) = (maps.node(derivation.out), maps.node(derivation.wrt));
        let entry = |of: &Math, at: &str| Math::Entry(Box::new(of.clone()), vec![Math::name(at)]);
        let names = stand_for_rows(derivation);
        let [i, k] = row_letters(&whole.program);
        let one = match whole.rows.as_size() {
            Some(rows) => format!("One of the {rows} rows"),
            None => format!("One row of the {}", whole.rows),
        };
        let end = if equations.is_empty() { "." } else { ":" };
        let compared = |sign, left, right| Math::Comparison(sign, Box::new(left), Box::new(right)).into();
        let apart = compared("=", Math::derivative(entry(&out, i), entry(&wrt, k)), Math::whole(0));
        let unequal = compared("≠", Math::name(i), Math::name(k));
        let says = "Every operation leaves the rows of {} apart, so {} for {}. ";
        let mut said = filled(says, [name_of(&derivation.program, derivation.wrt), apart, unequal]);
        said.push(format!("{one} is derived; from here ").into());
        said.extend(names);
        said.push(format!(" stand for one row, written as columns{end}").into());
        blocks.push(Block::Prose(said));
    } else if as_read(derivation, &equations) {
        equations.clear();
    } else if !equations.is_empty() {
        let says = match derivation.view {
            View::Jacobian => "In columns:",
            View::Differential => "With names for what is used twice:",
        };
        blocks.push(Block::Prose(vec![Piece::from(says)]));
    }
    if !equations.is_empty() {
        blocks.push(Block::Equations(equations));
    }
    blocks
}

/// Letters for two rows: i and k, unless these are names of the program.
fn row_letters(program: &Program) -> [&'static str; 2] {
    let names = || program.graph().node_indices().filter_map(|id| program.name(id));
    let mut free = ["i", "k", "j", "l", "r", "s"].into_iter().filter(|letter| !names().any(|name| **name == **letter));
    [free.next().unwrap_or("i"), free.next().unwrap_or("k")]
}

/// Do the equations say no more than the program as read?
fn as_read(derivation: &Derivation, equations: &[(Math, Math)]) -> bool {
    let program = &derivation.program;
    let products =
        |(op, _): (OpRef, &Attrs)| matches!(op.notation, Notation::Product | Notation::Outer | Notation::Sum);
    let other = program.graph().node_indices().take(derivation.out.index() + 1);
    let turned = other.filter_map(|id| program.op(id)).any(products);
    let defined = |id: NodeId| program.definitions.iter().any(|d| d.node == id);
    !turned && equations.len() <= program.definitions.len() && in_columns(derivation).into_iter().all(defined)
}

/// The named values that move, leaving out those of blocks derived by their like.
fn moving_names(derivation: &Derivation) -> Vec<NodeId> {
    let program = &derivation.program;
    let moves = moving(program, derivation.out, derivation.wrt);
    let mut shown = moves.clone();
    for part in derivation.parts.iter().filter(|part| part.like.is_some()) {
        shown[part.base.index() + 1..=part.node.index()].fill(false);
    }
    let ids = program.graph().node_indices().take(shown.len());
    ids.filter(|id| shown[id.index()] && program.name(*id).is_some()).collect()
}

/// The names given by this program to values of blocks that are derived by their like:
/// their equations stand nowhere on the page.
pub(super) fn unlisted(derivation: &Derivation) -> BTreeSet<Name> {
    let program = &derivation.program;
    let like = derivation.parts.iter().filter(|part| part.like.is_some());
    let within = like.flat_map(|part| (part.base.index() + 1..part.node.index()).map(NodeId::new));
    let made = within.filter(|id| !program.definitions.iter().any(|d| d.node == *id));
    made.filter_map(|id| program.name(id).cloned()).collect()
}

fn stand_for_rows(derivation: &Derivation) -> Vec<Piece> {
    let all = moving_names(derivation);
    let mut names: Vec<Piece> = Vec::new();
    for id in all.iter().take(NAMES) {
        names.extend(Some(Piece::from(", ")).filter(|_| !names.is_empty()));
        names.push(name_of(&derivation.program, *id));
    }
    names.extend(Some(Piece::from(", …")).filter(|_| all.len() > NAMES));
    names
}

/// The values on the way as they stand on the page.
fn equations(derivation: &Derivation, maps: &Maps) -> Vec<(Math, Math)> {
    in_columns(derivation).into_iter().map(|id| (maps.node(id), maps.definition(id))).collect()
}

/// The values whose equations the preamble writes.
pub(super) fn written(derivation: &Derivation, maps: &Maps) -> Vec<NodeId> {
    let unwritten = derivation.whole.is_none() && as_read(derivation, &equations(derivation, maps));
    if unwritten { Vec::new() } else { in_columns(derivation) }
}

/// The values on the way that are written in columns, or got their names here.
fn in_columns(derivation: &Derivation) -> Vec<NodeId> {
    let program = &derivation.program;
    let defined = |id: NodeId| program.definitions.iter().any(|d| d.node == id);
    let written = |id: &NodeId| {
        let columns = derivation.view == View::Jacobian && program.shape(*id).rank() > 0;
        *id != derivation.wrt && matches!(program.node(*id).kind, Kind::Apply(..)) && (columns || !defined(*id))
    };
    let ids = moving_names(derivation).into_iter().filter(written);
    ids.take(EQUATIONS).collect()
}

/// A value by its name, in flowing text.
pub(super) fn name_of(program: &Program, id: NodeId) -> Piece {
    program.name(id).map_or_else(|| Piece::from("the result"), |name| Piece::Math(Math::Name(name.clone())))
}
