//! Pages as plain text.

use super::lines::{HELD, Ink, Line, Text, width, wrapped};
use super::math::{flat, laid_out, words};
use super::numbers::rows;
use crate::array::Array;
use crate::notation::{Block, Branch, Entry, Fact, Math, Page, Piece, Row, Says};

/// Formulas stand in from the margin.
const INDENT: usize = 2;
/// Between columns.
const GAP: usize = 3;
/// The narrowest room in which a formula is laid out.
const NARROW: usize = 16;
/// The narrowest column of reasons.
const SHORT: usize = 20;

/// The page in lines of at most `room` columns, as far as there are places to break.
pub fn text(page: &Page, room: usize) -> Text {
    let mut lines = Vec::new();
    if !page.title.is_empty() {
        let mut title = Line::of(page.title.as_str(), Ink::Title);
        if !page.origin.is_empty() {
            title.pad((room.saturating_sub(width(&page.origin))).max(title.width() + GAP));
            title.push(page.origin.as_str(), Ink::Quiet);
        }
        if title.width() > room {
            title = Line::of(page.title.as_str(), Ink::Title);
        }
        lines.push(title);
    }
    for block in &page.blocks {
        if !lines.is_empty() {
            lines.push(Line::default());
        }
        lines.extend(match block {
            Block::Prose(pieces) => prose(pieces, room),
            Block::Listing(entries) => listing(entries, room),
            Block::Equations(equations) => side_by_side(equations, room),
            Block::Steps(steps) => below_each_other(steps, room),
            Block::Lines(left, rows) => derivation(left, rows, room),
            Block::Facts(facts) => table(facts, room),
            Block::Tree(branch) => tree(branch),
            Block::Numbers(what, array) => numbers(what, array, room),
        });
    }
    lines.iter_mut().for_each(Line::trim);
    Text(lines)
}

/// Flowing text; formulas in it stay in one piece where they fit.
fn prose(pieces: &[Piece], room: usize) -> Vec<Line> {
    let mut words = Line::default();
    for piece in pieces {
        match piece {
            Piece::Text(text) => words.push(text.as_str(), Ink::Plain),
            Piece::Math(math) => {
                laid_out(math, usize::MAX / 2).into_iter().for_each(|line| words.append(held(line, room)))
            }
        }
    }
    wrapped(&words, room)
}

/// A reason in lines.
fn said(says: &Says, room: usize) -> Vec<Line> {
    let mut words = Line::default();
    for piece in &says.0 {
        match piece {
            Piece::Text(text) => words.push(text.as_str(), Ink::Quiet),
            Piece::Math(math) => words.append(held(Line::of(flat(math), Ink::Quiet), room)),
        }
    }
    wrapped(&words, room)
}

/// A formula among words, in one piece where it fits.
fn held(mut formula: Line, room: usize) -> Line {
    if formula.width() <= room {
        formula.0.iter_mut().for_each(|span| span.text = span.text.replace(' ', HELD));
    }
    formula
}

/// Names, expressions and asides in columns.
fn listing(entries: &[Entry], room: usize) -> Vec<Line> {
    let widest = |part: fn(&Entry) -> &str| entries.iter().map(|e| width(part(e))).max().unwrap_or(0);
    let names = widest(|e| &e.name);
    let asides = widest(|e| &e.aside);
    let left = INDENT + names + GAP;
    let written = widest(|e| &e.written).min(room.saturating_sub(left + GAP + asides).max(NARROW));
    let mut lines = Vec::new();
    for entry in entries {
        let mut line = indented();
        line.push(entry.name.as_str(), Ink::Plain);
        line.pad(INDENT + names + 1);
        if entry.written.is_empty() {
            line.push(entry.aside.as_str(), Ink::Quiet);
            lines.push(line);
            continue;
        }
        line.push("= ", Ink::Plain);
        let mut rest = wrapped(&Line::of(entry.written.as_str(), Ink::Plain), written).into_iter();
        line.append(rest.next().unwrap_or_default());
        line.pad(left + written + GAP);
        line.push(entry.aside.as_str(), Ink::Quiet);
        lines.push(line);
        lines.extend(rest.map(|more| hanging(more, left + 2)));
    }
    lines
}

/// Equations side by side, as many as fit on a line.
fn side_by_side(equations: &[(Math, Math)], room: usize) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for (left, right) in equations {
        let text = format!("{} = {}", flat(left), flat(right));
        match lines.last_mut() {
            Some(line) if line.width() + 2 * GAP + width(&text) <= room => {
                line.push(" ".repeat(2 * GAP), Ink::Plain);
                line.push(text, Ink::Plain);
            }
            _ if INDENT + width(&text) <= room => lines.push(hanging(Line::of(text, Ink::Plain), INDENT)),
            _ => lines.extend(equation(left, right, INDENT, room)),
        }
    }
    lines
}

/// Equations below one another, aligned on `=`, what is said beside them at the right.
fn below_each_other(steps: &[(Math, Math, Says)], room: usize) -> Vec<Line> {
    let lefts = steps.iter().map(|(left, ..)| width(&flat(left))).max().unwrap_or(0);
    let asides = steps.iter().map(|(.., aside)| width(&words(aside))).max().unwrap_or(0);
    let column = INDENT + lefts + 3;
    let rights = steps.iter().map(|(_, right, _)| width(&flat(right))).max().unwrap_or(0);
    let space = rights.min(room.saturating_sub(column + GAP + asides).max(NARROW));
    let mut lines = Vec::new();
    for (left, right, aside) in steps {
        let mut first = hanging(Line::of(flat(left), Ink::Plain), INDENT);
        first.pad(column - 3);
        first.push(" = ", Ink::Plain);
        let mut rest = laid_out(right, space).into_iter();
        first.append(rest.next().unwrap_or_default());
        first.pad(column + space + GAP);
        first.push(words(aside), Ink::Quiet);
        lines.push(first);
        lines.extend(rest.map(|line| hanging(line, column)));
    }
    lines
}

/// `left = right`, broken within `right` where needed.
fn equation(left: &Math, right: &Math, indent: usize, room: usize) -> Vec<Line> {
    let mut first = hanging(Line::of(format!("{} = ", flat(left)), Ink::Plain), indent);
    let column = first.width();
    let mut rest = laid_out(right, room.saturating_sub(column).max(NARROW)).into_iter();
    first.append(rest.next().unwrap_or_default());
    std::iter::once(first).chain(rest.map(|line| hanging(line, column))).collect()
}

/// A derivation: one line a step, aligned on `=`, the reasons at the right. A
/// long left-hand side has a line of its own where that saves breaks.
fn derivation(left: &Math, rows: &[Row], room: usize) -> Vec<Line> {
    let maths = rows.iter().map(|row| width(&flat(&row.math))).max().unwrap_or(0);
    let reasons = rows.iter().map(|row| width(&words(&row.why))).max().unwrap_or(0);
    let head = flat(left);
    let fits = |column: usize| column + maths + GAP + reasons.min(SHORT) <= room;
    let column = INDENT + width(&head) + 3;
    if width(&head) > NARROW && !fits(column) && rows.len() > 1 {
        let mut lines = vec![hanging(Line::of(head, Ink::Plain), INDENT)];
        lines.extend(aligned("", 2 * INDENT + 2, rows, room));
        return lines;
    }
    aligned(&head, column, rows, room)
}

/// Formulas right of `column`, reasons beside them or below them.
fn aligned(head: &str, column: usize, rows: &[Row], room: usize) -> Vec<Line> {
    let inner = room.saturating_sub(column).max(NARROW);
    let maths = rows.iter().map(|row| width(&flat(&row.math))).max().unwrap_or(0);
    // Reasons wrap sooner than formulas.
    let most = (inner * 2 / 5).max(inner.saturating_sub(maths + GAP)).min(inner.saturating_sub(maths + GAP).max(SHORT));
    let reasons = rows.iter().map(|row| width(&words(&row.why))).max().unwrap_or(0).min(most);
    // The reasons stand in a column of their own, unless that leaves formulas no room.
    let beside = inner.saturating_sub(reasons + GAP);
    let apart = reasons > 0 && beside < maths.min(2 * NARROW);
    let space = if apart || reasons == 0 { inner } else { maths.min(beside) };
    let mut lines = Vec::new();
    for (i, row) in rows.iter().enumerate() {
        let mut first = indented();
        first.push(if i == 0 { head } else { "" }, Ink::Plain);
        first.pad(column - 3);
        first.push(" = ", Ink::Plain);
        let mut own: Vec<Line> = laid_out(&row.math, space);
        let rest = own.split_off(1);
        own.into_iter().for_each(|line| first.append(line));
        let mut block = vec![first];
        block.extend(rest.into_iter().map(|line| hanging(line, column)));
        reason(&mut block, &row.why, if apart { None } else { Some(column + space + GAP) }, room);
        lines.extend(block);
    }
    lines
}

/// Writes a reason beside the lines at a column, or below them at the right.
fn reason(block: &mut Vec<Line>, why: &Says, column: Option<usize>, room: usize) {
    if why.is_empty() {
        return;
    }
    let Some(column) = column else {
        // Beside a short formula, at the margin; else below.
        let written = words(why);
        if let [line] = block.as_mut_slice()
            && line.width() + GAP + width(&written) <= room
        {
            line.pad(room - width(&written));
            line.push(written, Ink::Quiet);
            return;
        }
        let below = said(why, room.saturating_sub(INDENT).max(NARROW)).into_iter();
        block.extend(below.map(|line| {
            let start = room.saturating_sub(line.width());
            hanging(line, start)
        }));
        return;
    };
    for (i, line) in said(why, room.saturating_sub(column).max(NARROW)).into_iter().enumerate() {
        if block.len() == i {
            block.push(Line::default());
        }
        block[i].pad(column);
        block[i].append(line);
    }
}

/// Labels and what is known by them, in two columns.
fn table(facts: &[(String, Fact)], room: usize) -> Vec<Line> {
    let column = INDENT + facts.iter().map(|(label, _)| width(label)).max().unwrap_or(0) + GAP;
    let mut lines = Vec::new();
    for (label, fact) in facts {
        let space = room.saturating_sub(column).max(NARROW);
        let content = match fact {
            Fact::Equation(left, right) => equation(left, right, 0, space),
            Fact::Prose(pieces) => prose(pieces, space),
        };
        for (i, line) in content.into_iter().enumerate() {
            let mut whole = indented();
            whole.push(if i == 0 { label.as_str() } else { "" }, Ink::Quiet);
            whole.pad(column);
            whole.append(line);
            lines.push(whole);
        }
    }
    lines
}

/// A tree with its branches drawn.
fn tree(root: &Branch) -> Vec<Line> {
    let mut rows: Vec<(Line, &str)> = Vec::new();
    let mut stack: Vec<(&Branch, String, String)> = vec![(root, String::new(), String::new())];
    while let Some((branch, own, below)) = stack.pop() {
        let mut line = indented();
        line.push(own, Ink::Quiet);
        match &branch.label {
            Piece::Text(text) => line.push(text.as_str(), if text == "Identity" { Ink::Identity } else { Ink::Plain }),
            Piece::Math(math) => laid_out(math, usize::MAX / 2).into_iter().for_each(|piece| line.append(piece)),
        }
        rows.push((line, branch.aside.as_str()));
        for (i, child) in branch.children.iter().enumerate().rev() {
            let last = i + 1 == branch.children.len();
            let (corner, bar) = if last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
            stack.push((child, format!("{below}{corner}"), format!("{below}{bar}")));
        }
    }
    let column = rows.iter().map(|(line, _)| line.width()).max().unwrap_or(0) + GAP;
    let with_aside = |(mut line, aside): (Line, &str)| {
        if !aside.is_empty() {
            line.pad(column);
            line.push(aside, Ink::Quiet);
        }
        line
    };
    rows.into_iter().map(with_aside).collect()
}

/// A name and the array under it, in brackets that stand below one another.
fn numbers(what: &Math, array: &Array, room: usize) -> Vec<Line> {
    let head = if *what == Math::Ellipsis { String::new() } else { format!("{} = ", flat(what)) };
    let column = INDENT + width(&head);
    let written = rows(array, room.saturating_sub(column).max(NARROW));
    let line = |(i, row): (usize, String)| {
        let mut line = hanging(Line::of(if i == 0 { head.as_str() } else { "" }, Ink::Plain), INDENT);
        line.pad(column);
        line.push(row, Ink::Plain);
        line
    };
    written.into_iter().enumerate().map(line).collect()
}

fn indented() -> Line {
    Line::of(" ".repeat(INDENT), Ink::Plain)
}

fn hanging(line: Line, column: usize) -> Line {
    let mut whole = Line::of(" ".repeat(column), Ink::Plain);
    whole.append(line);
    whole
}
