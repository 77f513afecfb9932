//! The page of a whole backward pass.

use super::answer::checked_says;
use super::back;
use super::listing;
use super::of::{Scribe, Style};
use super::origin::program_lines;
use super::page::{Block, Fact, Page};
use super::ranks::result_ranks;
use super::sheet::{Sheet, title};
use crate::derive::Derivation;
use crate::diagnostic::Diagnostic;
use crate::graph::{NodeId, Program};
use crate::reading::{Answers, backward};
use crate::shape::Name;
use crate::witness::{Checked, Report, check_pass};

/// The cotangents of all inputs in the order of the backward pass, each once.
/// `found` holds the derivation by each input, checked on its own.
///
/// # Errors
/// An operation whose adjoint has no expression, with its place.
pub fn backward_page(
    program: &Program,
    found: &[Checked<(Derivation, Answers)>],
    sheet: &Sheet,
) -> Result<Page, Diagnostic> {
    let mut program = program.clone();
    let out = program.output;
    let inputs = program.inputs.clone();
    let pass = backward(&mut program, out, &inputs)?;
    let checked = found.iter().all(|one| one.report().is_some());
    let passed = if checked { Some(check_pass(&program, out, &pass)?) } else { None };
    let scribe = Scribe::new(&program, Style::Columns);
    let mut blocks = vec![listing::whole(&program)];
    let named = program.graph().node_indices().take(out.index() + 1).filter(|id| {
        let defined = program.inputs.contains(id) || program.definitions.iter().any(|d| d.node == *id);
        program.name(*id).is_some() && !defined
    });
    let equations: Vec<_> = named.map(|id| (scribe.math(id), scribe.definition(id))).collect();
    if !equations.is_empty() {
        blocks.push(Block::Prose(vec!["With names for what is used twice:".into()]));
        blocks.push(Block::Equations(equations));
    }
    blocks.extend(back::blocks(&program, out, &pass));
    let still: Vec<String> = inputs
        .iter()
        .filter(|input| !pass.iter().any(|cotangent| cotangent.of == **input) && **input != out)
        .map(|input| name(&program, *input).to_string())
        .collect();
    if !still.is_empty() {
        let says = format!("The result does not depend on {}.", still.join(", "));
        blocks.push(Block::Prose(vec![says.into()]));
    }
    blocks.push(Block::Facts(notes(&program, found, passed.as_ref(), sheet)));
    let title = found.first().map_or_else(|| program.title.clone(), |one| title(&one.value().0));
    let ranks = result_ranks(&program, out);
    let lines = program_lines(&program);
    Ok(Page { title, origin: sheet.origin.to_string(), blocks, ranks, lines, skip: false })
}

fn name(program: &Program, id: NodeId) -> Name {
    program.name(id).cloned().unwrap_or_else(|| Name::from("the result"))
}

fn notes(
    program: &Program,
    found: &[Checked<(Derivation, Answers)>],
    passed: Option<&Report>,
    sheet: &Sheet,
) -> Vec<(String, Fact)> {
    let prose = |says: String| Fact::Prose(vec![says.into()]);
    let mut facts = Vec::new();
    let mut conventions: Vec<&str> = Vec::new();
    for says in found.iter().flat_map(|one| &one.value().1.conventions) {
        if !conventions.contains(says) {
            conventions.push(says);
        }
    }
    if !conventions.is_empty() {
        facts.push(("conventions".to_string(), prose(conventions.join("; "))));
    }
    for (i, says) in program.assumptions.iter().enumerate() {
        facts.push((if i == 0 { "taken as given" } else { "" }.to_string(), prose(says.clone())));
    }
    let mut loops = found.iter().flat_map(|one| one.value().0.loops.first());
    let count = loops.next().map_or_else(|| "N".to_string(), |passed| passed.count.to_string());
    let reports: Option<Vec<&Report>> = found.iter().map(Checked::report).chain([passed]).collect();
    facts.push(match reports {
        Some(reports) => ("checked".to_string(), prose(checked_says(&together(&reports), &count, sheet.verbose))),
        None => {
            ("not checked".to_string(), prose("nothing was compared with difference quotients (--no-check)".into()))
        }
    });
    facts
}

/// What several checks found together.
fn together(reports: &[&Report]) -> Report {
    let mut all = Report { answer: true, digits: u32::MAX, ..Report::default() };
    for report in reports {
        all.steps += report.steps;
        all.unchecked += report.unchecked;
        all.left_out += report.left_out;
        all.answer &= report.answer;
        all.points = all.points.max(report.points);
        all.digits = all.digits.min(report.digits);
        all.worst = all.worst.max(report.worst);
        report.turns.iter().for_each(|turn| {
            if !all.turns.contains(turn) {
                all.turns.push(*turn)
            }
        });
    }
    all
}
