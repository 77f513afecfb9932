//! How large things are: text in boxes and at edges.

use super::model::{Block, Edge, Picture};
use super::plan::Way;
use crate::notation::Math;
use crate::render::laid_out;
use unicode_width::UnicodeWidthChar;

/// Sizes of letters.
pub(super) const LARGE: f64 = 13.0;
pub(super) const SMALL: f64 = 11.0;
/// Operations break at this many columns, …
const ROOM: usize = 24;
/// … derivatives at this many, …
const ROOM_AT_EDGES: usize = 34;
/// … and no line is longer than this.
const LONGEST: usize = 40;
/// Lines of a formula at most.
const LINES: usize = 4;

/// Text in lines, each with the size of its letters.
#[derive(Clone, Debug, Default)]
pub(super) struct Label {
    pub lines: Vec<(String, f64)>,
}

impl Label {
    pub fn width(&self) -> f64 {
        self.lines.iter().map(|(text, size)| width(text, *size)).fold(0.0, f64::max)
    }

    pub fn height(&self) -> f64 {
        self.lines.iter().map(|(_, size)| line_height(*size)).sum()
    }
}

/// A rectangle by its middle, its top, its width and height.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Area {
    pub x: f64,
    pub y: f64,
    pub w: f64,
    pub h: f64,
}

impl Area {
    pub fn right(&self) -> f64 {
        self.x + self.w / 2.0
    }

    pub fn left(&self) -> f64 {
        self.x - self.w / 2.0
    }

    pub fn bottom(&self) -> f64 {
        self.y + self.h
    }

    pub fn middle(&self) -> f64 {
        self.y + self.h / 2.0
    }
}

/// How wide a text is at most in the fonts that a reader may have.
pub(super) fn width(text: &str, size: f64) -> f64 {
    let of = |c: char| match (c.width().unwrap_or(0), c) {
        (0, _) => 0.0,
        (_, ' '..='~') => 0.61,
        (2.., _) => 1.25,
        (_, c) if c.is_alphanumeric() => 0.68,
        _ => 0.95,
    };
    text.chars().map(of).sum::<f64>() * size
}

/// The height of a line of letters of a size.
pub(super) fn line_height(size: f64) -> f64 {
    if size < LARGE { 14.0 } else { 18.0 }
}

/// What stands at the top of a block.
pub(super) fn heading(block: &Block) -> String {
    format!("× {}   {}", block.times, block.title)
}

/// The text in the box of a node; `beside` the rows the shape is part of it.
pub(super) fn node_label(picture: &Picture, node: usize, beside: bool) -> Label {
    let node = &picture.nodes[node];
    let whole = node.label();
    let lines: Vec<String> = match (&node.expression, &node.name) {
        (Some(_), _) if whole.chars().count() <= ROOM => vec![whole],
        (Some(expression), Some(name)) => {
            std::iter::once(format!("{name} =")).chain(formula(expression, ROOM)).collect()
        }
        (Some(expression), None) => formula(expression, ROOM),
        (None, _) => vec![whole],
    };
    let mut label = Label { lines: lines.iter().map(|line| (shortened(line), LARGE)).collect() };
    if beside {
        label.lines.push((shortened(&node.shape.to_string()), SMALL));
    }
    label
}

/// What stands at an edge: the local derivative and the shape of what passes.
pub(super) fn edge_label(picture: &Picture, edge: &Edge, way: Way) -> Label {
    if way == Way::Beside {
        return Label::default();
    }
    let local = edge.local.iter().flat_map(|local| formula(local, ROOM_AT_EDGES));
    let shape = picture.nodes[edge.from].shape.to_string();
    let lines = local.map(|line| (line, LARGE)).chain([(shape, SMALL)]);
    Label { lines: lines.map(|(line, size)| (shortened(&line), size)).collect() }
}

/// A formula in a few lines.
fn formula(math: &Math, room: usize) -> Vec<String> {
    let lines = laid_out(math, room);
    let mut texts: Vec<String> =
        lines.iter().map(|line| line.0.iter().map(|span| span.text.as_str()).collect::<String>()).collect();
    if texts.len() > LINES {
        texts.truncate(LINES);
        texts[LINES - 1].push_str(" …");
    }
    texts
}

/// A text of at most [`LONGEST`] letters, on one line.
fn shortened(text: &str) -> String {
    let text = text.replace(char::is_control, " ");
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
