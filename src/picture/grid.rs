//! Lines of box-drawing signs: what runs down, what turns, what is crossed.

use super::model::Edge;
use crate::notation::Math;
use crate::render::{Ink, Line, laid_out};

/// Formulas get at least this many columns.
const LEAST: usize = 16;

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stroke {
    /// It does not depend on the variable.
    Dotted,
    /// As it is.
    Light,
    /// It belongs to the identity path.
    Heavy,
}

impl Stroke {
    pub fn of(edge: &Edge) -> Stroke {
        match (edge.identity, edge.moves) {
            (true, _) => Stroke::Heavy,
            (false, true) => Stroke::Light,
            (false, false) => Stroke::Dotted,
        }
    }

    pub fn ink(self) -> Ink {
        match self {
            Stroke::Dotted => Ink::Quiet,
            Stroke::Light => Ink::Plain,
            Stroke::Heavy => Ink::Identity,
        }
    }

    /// A sign that is dotted, light or heavy.
    fn sign(self, signs: [char; 3]) -> char {
        signs[self as usize]
    }

    pub fn arrow(self) -> char {
        self.sign(['▸', '▸', '▶'])
    }
}

/// The signs of one line, to the left of its text.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    cells: Vec<(char, Ink)>,
}

impl Grid {
    /// Lines that run down at these columns.
    pub fn of(width: usize, down: &[(usize, Stroke)]) -> Grid {
        let mut grid = Grid { cells: vec![(' ', Ink::Plain); width] };
        for (column, stroke) in down {
            grid.put(*column, stroke.sign(['┆', '│', '┃']), *stroke);
        }
        grid
    }

    pub fn put(&mut self, column: usize, sign: char, stroke: Stroke) {
        if let Some(cell) = self.cells.get_mut(column) {
            *cell = (sign, stroke.ink());
        }
    }

    /// A line across, over what runs down between the two columns (both exclusive).
    pub fn across(&mut self, from: usize, to: usize, stroke: Stroke) {
        for column in from + 1..to {
            let crossed = self.cells.get(column).map_or(' ', |cell| cell.0);
            let sign = match (crossed, stroke) {
                ('│' | '┆' | '┼', Stroke::Heavy) => '┿',
                ('┃', Stroke::Heavy) => '╋',
                ('┃', _) => '╂',
                ('│' | '┆' | '┼', _) => '┼',
                (' ' | '─' | '╌', stroke) => stroke.sign(['╌', '─', '━']),
                (other, _) => other,
            };
            self.put(column, sign, stroke);
        }
    }

    /// From a lane, where it begins, across to what it comes from: ╭──┤.
    pub fn begin(&mut self, lane: usize, to: usize, stroke: Stroke) {
        let shared = self.cells.get(lane).is_some_and(|cell| matches!(cell.0, '─' | '━' | '╌'));
        self.across(lane, to, stroke);
        let sign = if shared { stroke.sign(['┬', '┬', '┳']) } else { stroke.sign(['╭', '╭', '┏']) };
        self.put(lane, sign, stroke);
    }

    /// From a lane, where it ends, across to an arrow: ╰──▸.
    pub fn end(&mut self, lane: usize, to: usize, stroke: Stroke) {
        let shared = self.cells.get(lane).is_some_and(|cell| matches!(cell.0, '─' | '━' | '╌' | '┼' | '┿'));
        self.across(lane, to, stroke);
        let sign = if shared { stroke.sign(['┴', '┴', '┻']) } else { stroke.sign(['╰', '╰', '┗']) };
        self.put(lane, sign, stroke);
        self.put(to, stroke.arrow(), stroke);
    }

    /// The line, with text after it at a column.
    pub fn line(self, column: usize, text: &str, ink: Ink) -> Line {
        let mut line = Line::default();
        for (sign, ink) in self.cells.into_iter().take(column) {
            line.push(sign, ink);
        }
        if !text.is_empty() {
            line.pad(column);
            line.push(text, ink);
        }
        line.trim();
        line
    }
}

/// A formula in lines.
pub(super) fn formula(math: &Math, room: usize) -> Vec<String> {
    let lines = laid_out(math, room.max(LEAST));
    lines.iter().map(|line| line.0.iter().map(|span| span.text.as_str()).collect()).collect()
}

/// Makes a line one line, and shortens it to the room as a last resort.
pub(super) fn cut(line: &mut Line, room: usize) {
    line.0.iter_mut().for_each(|span| span.text = span.text.replace(char::is_control, " "));
    while line.width() > room {
        let Some(last) = line.0.last_mut() else { return };
        last.text.pop();
        if last.text.pop().is_some() {
            last.text.push('…');
        } else {
            line.0.pop();
        }
    }
}
