//! Which line of the source a name on the page comes from.

use super::listing::place;
use super::sheet::numbered;
use crate::derive::Derivation;
use crate::graph::{Definition, Kind, NodeId, Program};
use crate::shape::Name;
use std::collections::BTreeMap;

/// The entry of the listing that every name of a derivation belongs to: its own, or
/// that of the value on the way to which it is computed.
pub(super) fn source_lines(derivation: &Derivation) -> BTreeMap<Name, usize> {
    let read = derivation.read();
    let mut lines = program_lines(read);
    of_program(&derivation.program, read, &mut lines);
    for of in &derivation.loops {
        for turn in of.blocks().map(|block| &block.turn) {
            let numbered = &numbered(turn, of);
            for id in numbered.program.graph().node_indices() {
                // In a turn the name goes with the counter: h_k comes from h.
                let found = turn.program.name(id).and_then(|name| line_of_name(&lines, name));
                let (Some(line), Some(name)) = (found, numbered.program.name(id)) else { continue };
                lines.entry(name.clone()).or_insert(line);
            }
        }
    }
    lines
}

/// The same for a program as it was read.
pub(super) fn program_lines(program: &Program) -> BTreeMap<Name, usize> {
    let mut lines = BTreeMap::new();
    of_program(program, program, &mut lines);
    lines
}

fn of_program(program: &Program, read: &Program, lines: &mut BTreeMap<Name, usize>) {
    let total = read.inputs.len() + read.definitions.len();
    let mut note = |id: NodeId, entry: Option<usize>| {
        if let (Some(name), Some(line)) = (program.name(id), entry.and_then(|entry| place(entry, total))) {
            lines.entry(name.clone()).or_insert(line);
        }
    };
    for (id, input) in program.inputs.iter().filter_map(|id| Some((*id, program.name(*id)?))) {
        note(id, read.inputs.iter().position(|other| read.name(*other) == Some(input)));
    }
    let mut defined: Vec<(NodeId, usize)> = Vec::new();
    let mut rest = read.definitions.iter().enumerate();
    for definition in &program.definitions {
        let same = |other: &Definition| other.name == definition.name && other.text == definition.text;
        let Some((i, _)) = rest.find(|(_, other)| same(other)) else { break };
        note(definition.node, Some(read.inputs.len() + i));
        defined.push((definition.node, read.inputs.len() + i));
    }
    // What has another name was computed on the way to the next value defined.
    defined.sort_by_key(|(node, _)| *node);
    let mut next = defined.iter().peekable();
    for id in program.graph().node_indices().filter(|id| matches!(program.node(*id).kind, Kind::Apply(..))) {
        while next.peek().is_some_and(|(node, _)| *node < id) {
            next.next();
        }
        note(id, next.peek().map(|(_, entry)| *entry));
    }
}

/// The line of a name, or of what it is an entry of.
fn line_of_name(lines: &BTreeMap<Name, usize>, name: &str) -> Option<usize> {
    lines.get(name).or_else(|| lines.get(name.split('[').next()?)).copied()
}
