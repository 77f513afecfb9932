//! Equations below one another, within the margins.

use super::escape::text;
use super::math::{lines, width};
use crate::render::typeset::Set;

/// `=` with its blanks.
const EQUALS: usize = 134;
/// Between formulas and what is said beside them.
const GAP: usize = 130;
/// A left-hand side wider than this has a line of its own.
const WIDE: usize = 1100;
/// The narrowest room for formulas.
const NARROW: usize = 1200;
/// Reasons are not made narrower than this.
const SHORT: usize = 900;
/// A letter of a reason.
const LETTER: usize = 42;

/// Which environment holds the lines, and how much room it has.
#[derive(Clone, Copy, Debug)]
pub(in crate::render) struct Frame {
    /// `align*`, `aligned`.
    pub name: &'static str,
    /// What stands before a reason, where the environment leaves no room itself.
    pub before_reason: &'static str,
    /// What keeps rows with fractions apart, where the reader of the environment does not.
    pub strut: &'static str,
    /// In tenths of a point.
    pub room: usize,
}

/// A line: a label, a left-hand side, a right-hand side, what is said beside it.
#[derive(Clone, Debug, Default)]
pub(in crate::render) struct Equation {
    pub label: Option<String>,
    pub left: Option<Set>,
    pub right: Option<Set>,
    /// Words, and how many letters each has.
    pub why: Vec<(String, usize)>,
}

/// The lines in their environment.
pub(in crate::render) fn align(equations: &[Equation], frame: Frame) -> String {
    let labels = equations.iter().filter_map(|e| e.label.as_ref()).map(|label| label.chars().count()).max();
    let room = frame.room.saturating_sub(labels.map_or(0, |letters| letters * 50 + 100));
    let of = |part: Option<&Set>| part.map_or(0, width);
    let lefts = equations.iter().map(|e| of(e.left.as_ref())).max().unwrap_or(0);
    let apart = lefts > WIDE.min(room / 3);
    let column = if apart { 300 } else { lefts + EQUALS };
    let rights = equations.iter().map(|e| of(e.right.as_ref())).max().unwrap_or(0);
    let inner = room.saturating_sub(column).max(NARROW);
    let reasons = equations.iter().map(|e| letters(&e.why)).max().unwrap_or(0);
    let most = inner.saturating_sub(rights + GAP).max(SHORT);
    let beside = if reasons == 0 { 0 } else { reasons.min(most) + GAP };
    let below = inner.saturating_sub(beside) < NARROW.min(rights);
    let space = if below { inner } else { inner - beside.min(inner) };
    let mut rows = Vec::new();
    for equation in equations {
        let reasons = if below { 0 } else { most };
        rows.extend(equation_rows(equation, apart, labels.is_some(), space, (reasons, frame.before_reason)));
    }
    rows.iter_mut().filter(|row| row.contains(r"\frac")).for_each(|row| row.push_str(frame.strut));
    format!("\\begin{{{name}}}\n{}\n\\end{{{name}}}\n", rows.join(" \\\\[3pt]\n"), name = frame.name)
}

fn letters(why: &[(String, usize)]) -> usize {
    let all: usize = why.iter().map(|(_, letters)| letters + 1).sum();
    LETTER * all.saturating_sub(1)
}

fn equation_rows(equation: &Equation, apart: bool, labels: bool, space: usize, reasons: (usize, &str)) -> Vec<String> {
    let (reasons, before) = reasons;
    let formulas = equation.right.as_ref().map_or_else(Vec::new, |right| lines(right, space));
    let whys = wrapped(&equation.why, if reasons == 0 { space } else { reasons });
    let (beside, under) = if reasons == 0 { (String::new(), whys) } else { (stacked(&whys), Vec::new()) };
    let left = equation.left.as_ref().map(super::math::flat).unwrap_or_default();
    let mut rows = Vec::new();
    let head = |i: usize| match (labels, &equation.label) {
        (true, Some(label)) if i == 0 && !label.is_empty() => format!(r"&\text{{{}}} & ", text(label)),
        (true, _) => "&& ".to_string(),
        (false, _) => String::new(),
    };
    if apart && !left.is_empty() {
        rows.push(format!("{}&{left}", head(0)));
    }
    let done = rows.len();
    for (i, formula) in formulas.iter().enumerate() {
        let left = if apart || i > 0 { "" } else { left.as_str() };
        let indent = if apart { r"\quad" } else { "" };
        let formula = match i {
            0 => format!("&{indent}= {}", formula.trim()),
            _ => format!(r"&{indent}\qquad {{}}{}", formula.trim_end()),
        };
        let why = if i == 0 && !beside.is_empty() { format!(" && {before}{beside}") } else { String::new() };
        let space = if left.is_empty() { "" } else { " " };
        rows.push(format!("{}{left}{space}{formula}{why}", head(i + done)));
    }
    rows.extend(under.into_iter().map(|why| format!(r"{}&\qquad {why}", head(1))));
    rows
}

/// Lines of a reason above one another, in the middle of the row.
fn stacked(lines: &[String]) -> String {
    match lines {
        [] => String::new(),
        [one] => one.clone(),
        many => {
            let rows = many.iter().map(|line| format!("&{line}")).collect::<Vec<_>>();
            format!(r"\begin{{aligned}}{}\end{{aligned}}", rows.join(r" \\[-6pt] "))
        }
    }
}

/// Words in lines of at most `room`.
fn wrapped(why: &[(String, usize)], room: usize) -> Vec<String> {
    let mut lines: Vec<Vec<(String, usize)>> = Vec::new();
    for word in why {
        match lines.last_mut() {
            Some(line) if letters(line) + LETTER * (word.1 + 1) <= room => line.push(word.clone()),
            _ => lines.push(vec![word.clone()]),
        }
    }
    let written = |line: Vec<(String, usize)>| line.into_iter().map(|(word, _)| word).collect::<Vec<_>>().join(" ");
    lines.into_iter().map(|line| format!(r"\text{{\footnotesize {}}}", written(line))).collect()
}
