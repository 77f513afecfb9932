//! Where everything stands in a drawing: the main path straight down, inputs to
//! its right, skips around it on the left, what else branches off on the right.

use super::measure::{Area, LARGE, Label, edge_label, line_height, node_label};
use super::model::{Edge, Picture};
use super::plan::{Plan, Way};

/// The least space between things.
pub(super) const GAP: f64 = 12.0;
/// The length of an arrow from an input into its row.
const ARROW: f64 = 26.0;
/// How far right of the middle edges leave and enter that are not straight.
const ASIDE: f64 = 16.0;
/// Between inputs that stand beside one row.
const STACKED: f64 = 6.0;

/// A drawing: what stands where.
pub(super) struct Placed<'a> {
    pub picture: &'a Picture,
    pub plan: Plan,
    /// The first and last row of each block.
    pub rows: Vec<Option<(usize, usize)>>,
    /// A box for each node.
    pub boxes: Vec<(Area, Label)>,
    /// Where each edge runs, and what stands at it.
    pub wires: Vec<Wire>,
    /// A frame for each block that holds something.
    pub frames: Vec<Option<Area>>,
    /// How far it reaches to the left of the main path, and to the right.
    pub reach: (f64, f64),
    pub height: f64,
}

/// The fixed points of an edge.
#[derive(Clone, Debug)]
pub(super) struct Wire {
    pub way: Way,
    pub start: (f64, f64),
    pub end: (f64, f64),
    /// Where it runs down, if that is on a lane.
    pub lane: f64,
    /// The height at which it leaves, and at which it turns to its end.
    pub turns: (f64, f64),
    pub label: Label,
    pub place: Area,
}

impl<'a> Placed<'a> {
    /// Places a picture.
    pub fn of(picture: &'a Picture) -> Placed<'a> {
        let plan = Plan::of(picture);
        let boxes = (0..picture.nodes.len()).map(|node| {
            let label = node_label(picture, node, plan.beside[node]);
            let area = Area { w: (label.width() + 18.0).max(40.0), h: label.height() + 10.0, ..Area::default() };
            (area, label)
        });
        let wires = picture.edges.iter().map(|edge| {
            let way = plan.way(edge.from, edge.to);
            let label = edge_label(picture, edge, way);
            let place = Area { w: label.width() + 6.0, h: label.height(), ..Area::default() };
            Wire { way, start: (0.0, 0.0), end: (0.0, 0.0), lane: 0.0, turns: (0.0, 0.0), label, place }
        });
        let rows = (0..picture.blocks.len()).map(|block| plan.extent(picture, block)).collect();
        let (boxes, wires) = (boxes.collect(), wires.collect());
        let mut placed =
            Placed { picture, plan, rows, boxes, wires, frames: Vec::new(), reach: (0.0, 0.0), height: 0.0 };
        placed.columns();
        placed.heights();
        for i in 0..picture.edges.len() {
            placed.ends(i);
        }
        placed.sides();
        placed
    }

    /// The middle of each box: the main path at 0, what branches off to its right.
    fn columns(&mut self) {
        let rows = &self.plan.rows;
        let widest = |main: bool| {
            let widths = rows.iter().filter(|row| row.main == main).map(|row| self.boxes[row.node].0.w);
            widths.fold(0.0, f64::max)
        };
        // The two columns of lines keep clear of each other's labels.
        let label = |(edge, wire): (&Edge, &Wire)| {
            let row = self.plan.row_of[edge.to];
            let alone = rows[row].main && (row == 0 || rows[row - 1].main);
            match wire.way {
                Way::Straight if alone => 0.0,
                Way::Straight | Way::Join | Way::Branch => wire.place.w / 2.0 + GAP,
                _ => 0.0,
            }
        };
        let label = self.picture.edges.iter().zip(&self.wires).map(label).fold(0.0, f64::max);
        let (main, off) = (widest(true), widest(false));
        let second = (off / 2.0 + ASIDE + GAP).max(label);
        for row in rows {
            let (middle, half) = if row.main { (0.0, main / 2.0) } else { (second, off / 2.0) };
            self.boxes[row.node].0.x = middle;
            for beside in &row.beside {
                let area = &mut self.boxes[*beside].0;
                area.x = middle + half + ARROW + area.w / 2.0;
            }
        }
    }

    /// Everything's height, row by row: what leads in, the boxes, what turns below.
    fn heights(&mut self) {
        let mut y = 8.0;
        for row in 0..self.plan.rows.len() {
            let opened = self.blocks(|(first, _)| first == row);
            if opened > 0 {
                y += opened as f64 * (line_height(LARGE) + GAP) + 2.0;
            }
            if row > 0 {
                y = self.leading_in(row, y + 4.0) + 14.0;
            }
            y = self.row(row, y);
            let leaving = self.leaving(row);
            y += if leaving.is_empty() { 4.0 } else { 14.0 };
            for i in leaving {
                self.wires[i].turns.0 = y - 6.0;
            }
            y += GAP * self.blocks(|(_, last)| last == row) as f64;
        }
        self.height = y + 4.0;
    }

    /// The labels above a row, from `y` down; gives what they end at.
    fn leading_in(&mut self, row: usize, mut y: f64) -> f64 {
        for i in self.incoming(row) {
            let wire = &mut self.wires[i];
            wire.place.y = y;
            y += wire.place.h + 2.0;
            wire.turns.1 = wire.place.middle();
            if wire.way == Way::Join {
                wire.turns.1 = y + 4.0;
                y += 8.0;
            }
        }
        y
    }

    /// The boxes of a row, from `y` down; gives their bottom.
    fn row(&mut self, row: usize, y: f64) -> f64 {
        let row = &self.plan.rows[row];
        let stack: f64 = row.beside.iter().map(|node| self.boxes[*node].0.h + STACKED).sum::<f64>() - STACKED;
        let tall = self.boxes[row.node].0.h.max(stack);
        self.boxes[row.node].0.y = y + (tall - self.boxes[row.node].0.h) / 2.0;
        let mut at = y + (tall - stack) / 2.0;
        for node in &row.beside {
            self.boxes[*node].0.y = at;
            at += self.boxes[*node].0.h + STACKED;
        }
        y + tall
    }

    /// Where an edge begins and ends, and where its label stands across.
    fn ends(&mut self, i: usize) {
        let edge = &self.picture.edges[i];
        let (from, to) = (self.boxes[edge.from].0, self.boxes[edge.to].0);
        let aside = |area: &Area| area.x + ASIDE.min(area.w / 2.0 - 6.0);
        let wire = &mut self.wires[i];
        (wire.start, wire.end) = match wire.way {
            Way::Straight => ((from.x, from.bottom()), (to.x, to.y)),
            Way::Skip => ((from.left(), from.middle()), (to.left(), to.middle())),
            Way::Beside => {
                // Several inputs of a row come in one below the other.
                let y = from.middle().clamp(to.y + 6.0, to.bottom() - 6.0);
                ((from.left(), from.middle()), (to.right(), y))
            }
            Way::Join => ((from.x, from.bottom()), (aside(&to), to.y)),
            Way::Branch => ((aside(&from), from.bottom()), (to.x, to.y)),
            Way::Lane if self.plan.beside[edge.from] => ((from.right(), from.middle()), (aside(&to), to.y)),
            Way::Lane => ((aside(&from), from.bottom()), (aside(&to), to.y)),
        };
        wire.place.x = match wire.way {
            Way::Join => wire.start.0,
            Way::Lane => wire.end.0 + GAP + wire.place.w / 2.0,
            _ => wire.end.0,
        };
    }

    /// The edges whose labels stand above a row: straight ones first, then those that turn.
    pub fn incoming(&self, row: usize) -> Vec<usize> {
        let above = |i: &usize| {
            let away = matches!(self.wires[*i].way, Way::Beside | Way::Skip);
            self.plan.row_of[self.picture.edges[*i].to] == row && !away
        };
        let mut into: Vec<usize> = (0..self.wires.len()).filter(above).collect();
        into.sort_by_key(|i| match self.wires[*i].way {
            Way::Straight => 0,
            Way::Join | Way::Branch => 1,
            _ => 2,
        });
        into
    }

    /// The edges that leave a row below its box and turn.
    pub fn leaving(&self, row: usize) -> Vec<usize> {
        let turns = |i: &usize| {
            let from = self.picture.edges[*i].from;
            let turns = matches!(self.wires[*i].way, Way::Branch | Way::Lane);
            self.plan.row_of[from] == row && !self.plan.beside[from] && turns
        };
        (0..self.wires.len()).filter(turns).collect()
    }

    /// How many blocks' rows are as wanted.
    pub fn blocks(&self, wanted: impl Fn((usize, usize)) -> bool) -> usize {
        self.rows.iter().filter(|rows| rows.is_some_and(&wanted)).count()
    }
}
