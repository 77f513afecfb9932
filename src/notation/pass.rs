//! The page of a whole backward pass.

use super::answer::checked_says;
use super::back;
use super::listing;
use super::of::{Scribe, Style};
use super::origin::program_lines;
use super::page::{Block, Fact, Page};
use super::ranks::result_ranks;
use super::sheet::{Sheet, title};
use crate::graph::{Kind, NodeId, Program};
use crate::reading::BackwardPass;
use crate::shape::Name;
use crate::witness::Checked;
use std::collections::HashSet;

/// The cotangents of all inputs in the order of the backward pass, each once.
pub fn backward_page(pass: &Checked<BackwardPass>, sheet: &Sheet) -> Page {
    let BackwardPass { program, cotangents, .. } = pass.value();
    let out = program.output;
    let scribe = Scribe::new(program, Style::Columns);
    let mut blocks = vec![listing::whole(program)];
    let defined = program.definitions.iter().map(|definition| definition.node);
    let known: HashSet<NodeId> = defined.chain(program.inputs.iter().copied()).collect();
    let nodes = program.graph().node_indices().take(out.index() + 1);
    let named = nodes.filter(|id| program.name(*id).is_some() && !known.contains(id));
    let equations: Vec<_> = named.map(|id| (scribe.math(id), scribe.definition(id))).collect();
    if !equations.is_empty() {
        blocks.push(Block::Prose(vec!["With names for what is used twice:".into()]));
        blocks.push(Block::Equations(equations));
    }
    blocks.extend(back::blocks(program, out, cotangents));
    let moved: HashSet<NodeId> = cotangents.iter().map(|cotangent| cotangent.of).chain([out]).collect();
    let still = program.inputs.iter().filter(|input| !moved.contains(input));
    let still: Vec<String> = still.map(|input| name(program, *input).to_string()).collect();
    if !still.is_empty() {
        let says = format!("The result does not depend on {}.", still.join(", "));
        blocks.push(Block::Prose(vec![says.into()]));
    }
    blocks.push(Block::Facts(notes(pass, sheet)));
    let (ranks, lines) = (result_ranks(program, out), program_lines(program));
    Page { title: title(program), origin: sheet.origin.to_string(), blocks, ranks, lines, skip: false }
}

fn name(program: &Program, id: NodeId) -> Name {
    program.name(id).cloned().unwrap_or_else(|| Name::from("the result"))
}

fn notes(pass: &Checked<BackwardPass>, sheet: &Sheet) -> Vec<(String, Fact)> {
    let BackwardPass { program, conventions, .. } = pass.value();
    let prose = |says: String| Fact::Prose(vec![says.into()]);
    let mut facts = Vec::new();
    if !conventions.is_empty() {
        facts.push(("conventions".to_string(), prose(conventions.join("; "))));
    }
    for (i, says) in program.assumptions.iter().enumerate() {
        facts.push((if i == 0 { "taken as given" } else { "" }.to_string(), prose(says.clone())));
    }
    let mut loops = program.graph().node_weights().filter_map(|node| match &node.kind {
        Kind::Repeat(repeat) => Some(repeat.count.to_string()),
        _ => None,
    });
    let count = loops.next().unwrap_or_else(|| "N".to_string());
    facts.push(match pass.report() {
        Some(report) => ("checked".to_string(), prose(checked_says(report, "cotangent", &count, sheet.verbose))),
        None => {
            ("not checked".to_string(), prose("nothing was compared with difference quotients (--no-check)".into()))
        }
    });
    facts
}
