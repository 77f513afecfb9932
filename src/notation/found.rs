//! What stands behind a line: its steps one by one, where each was found in the
//! source, between which shapes it maps, what the check found.

use super::map::Maps;
use super::page::{Found, Says};
use super::says::{self, reasons};
use super::sheet::{Detail, Sheet};
use crate::derive::{Derivation, Map, Paragraph, Reason, Step, View};
use crate::diagnostic::Span;
use crate::graph::{Kind, NodeId, Program};
use crate::shape::Shape;
use crate::witness::{Checked, Steps, digits};

/// How lines are written, and what was found of their steps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Behind<'a> {
    /// How much is shown.
    pub detail: Detail,
    steps: Option<&'a Steps>,
    verbose: bool,
}

impl<'a> Behind<'a> {
    /// What a check found, on a sheet.
    pub fn new<T>(found: &'a Checked<T>, sheet: &Sheet) -> Behind<'a> {
        Behind { detail: sheet.detail, steps: found.report().map(|report| &report.each), verbose: sheet.verbose }
    }

    /// The same for what one turn of a loop takes from one value to another, by position.
    pub fn turn(self, i: usize, block: Option<usize>) -> Behind<'a> {
        let turn = self.steps.and_then(|steps| steps.turns.get(i));
        Behind { steps: turn.zip(block).and_then(|(turn, block)| turn.get(block)), ..self }
    }

    /// The steps of a line by their positions in a paragraph.
    pub fn found(
        self,
        derivation: &Derivation,
        maps: &Maps,
        paragraph: &Paragraph,
        view: View,
        steps: &[usize],
    ) -> Vec<Found> {
        let same = |other: &&Paragraph| !std::ptr::eq(*other, paragraph);
        let before: usize = derivation.paragraphs.iter().take_while(same).map(|p| p.steps.len()).sum();
        let one = |i: &usize| {
            let step = paragraph.steps.get(*i).filter(|step| !of_loop(&derivation.program, &step.reasons))?;
            let (part, node, base) = changed(&derivation.program, step, paragraph);
            Some(Found {
                left: maps.plain(&part, base, view),
                right: maps.plain(&step.became, base, view),
                why: reasons(&step.reasons, &derivation.program, &derivation.parts),
                shape: shape(&derivation.program, node, base, view),
                place: place(&derivation.program, source_of(step, node)),
                checked: self.says(before + i),
            })
        };
        steps.iter().filter_map(one).collect()
    }

    /// What the check found of the step at a position of the derivation.
    fn says(self, step: usize) -> String {
        match self.steps.map(|steps| steps.worst.get(step).copied().flatten()) {
            None => String::new(),
            Some(None) => "not checkable at these points".into(),
            Some(Some(worst)) if self.verbose => {
                format!("checked to {} digits, largest relative difference {worst:.1e}", digits(worst))
            }
            Some(Some(worst)) => format!("checked to {} digits", digits(worst)),
        }
    }
}

/// A loop has no expression that could stand for its name.
pub(super) fn of_loop(program: &Program, reasons: &[Reason]) -> bool {
    matches!(reasons, [Reason::Definition(node)] if matches!(program.node(*node).kind, Kind::Carried(_)))
}

/// The part that a step rewrites: what is differentiated there, by what.
fn changed(program: &Program, step: &Step, paragraph: &Paragraph) -> (Map, NodeId, NodeId) {
    match step.before.at(&step.path) {
        Some(Map::Pending { node, base, opened }) => {
            let opened = *opened && !matches!(program.node(*node).kind, Kind::Carried(_));
            (Map::Pending { node: *node, base: *base, opened }, *node, *base)
        }
        Some(part) => (part.clone(), paragraph.node, paragraph.base),
        None => (step.before.clone(), paragraph.node, paragraph.base),
    }
}

/// The shape of what the step maps to, and of what it maps from where that is a matrix.
fn shape(program: &Program, node: NodeId, base: NodeId, view: View) -> Says {
    let (to, from) = (program.shape(node), program.shape(base));
    match view {
        View::Jacobian => says::shape(&Shape([&to.0[..], &from.0].concat())),
        View::Differential => says::shape(to),
    }
}

/// The value whose writing a step is about.
fn source_of(step: &Step, node: NodeId) -> NodeId {
    match step.reasons[..] {
        [Reason::Definition(of) | Reason::Setting(of)] => of,
        _ => node,
    }
}

/// The line of the source on which a value is written, and how it is written there.
fn place(program: &Program, node: NodeId) -> Option<(usize, String)> {
    let Span { start, end } = program.node(node).span?;
    let before = program.source.get(..start as usize)?;
    let written = Span { start, end }.of(&program.source);
    let words = written.split_whitespace().collect::<Vec<_>>().join(" ");
    (!words.is_empty()).then(|| (before.matches('\n').count() + 1, words))
}
