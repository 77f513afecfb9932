//! What stands to both sides of the rows of a drawing: lanes, and frames of blocks.

use super::lanes::{Want, outward};
use super::measure::{Area, LARGE, heading, line_height, width};
use super::place::{GAP, Placed};
use super::plan::Way;

impl Placed<'_> {
    /// The lanes on both sides and the frames around them.
    pub(super) fn sides(&mut self) {
        let (mut left, mut right) = self.taken();
        let (skips, lanes) = (self.on(Way::Skip), self.on(Way::Lane));
        let borders: Vec<Want> = self.rows.iter().map(|rows| border(*rows)).collect();
        let wants = |edges: &[usize]| -> Vec<Want> {
            edges.iter().map(|i| self.want(*i)).chain(borders.iter().copied()).collect()
        };
        let (on_left, on_right) = (wants(&skips), wants(&lanes));
        let (at_left, at_right) = (outward(&mut left, &on_left), outward(&mut right, &on_right));
        for (i, lane) in skips.iter().zip(&at_left) {
            let middle = self.between_rows(*i);
            let wire = &mut self.wires[*i];
            wire.lane = -lane;
            wire.place.x = -lane;
            wire.place.y = middle - wire.place.h / 2.0;
        }
        for (i, lane) in lanes.iter().zip(&at_right) {
            self.wires[*i].lane = *lane;
        }
        let frames = (0..self.rows.len()).map(|block| {
            let (first, last) = self.rows[block]?;
            let (from, to) = (-at_left[skips.len() + block], at_right[lanes.len() + block]);
            let (top, bottom) = (self.top(block, first), self.bottom(block, last));
            Some(Area { x: (from + to) / 2.0, y: top, w: to - from, h: bottom - top })
        });
        self.frames = frames.collect();
        let farthest = |reach: &[f64]| reach.iter().copied().fold(0.0, f64::max) + 8.0;
        self.reach = (farthest(&left), farthest(&right));
    }

    /// The height of the label of a skip: half way, and off the rows, where other
    /// skips begin and end.
    fn between_rows(&self, i: usize) -> f64 {
        let (edge, wire) = (&self.picture.edges[i], &self.wires[i]);
        let middle = (wire.start.1 + wire.end.1) / 2.0;
        let half = wire.place.h / 2.0 + 5.0;
        let rows = self.plan.row_of[edge.from] + 1..self.plan.row_of[edge.to];
        let mut heights = rows.map(|row| self.boxes[self.plan.rows[row].node].0.middle());
        let near = heights.rfind(|y| (y - middle).abs() < half);
        match near {
            Some(y) if y > middle => y - half,
            Some(y) => y + half,
            None => middle,
        }
    }

    /// How far boxes and labels reach to both sides, slot by slot.
    fn taken(&self) -> (Vec<f64>, Vec<f64>) {
        let slots = 2 * self.plan.rows.len() + 1;
        let (mut left, mut right) = (vec![0.0_f64; slots], vec![0.0_f64; slots]);
        let mut take = |slot: usize, area: &Area| {
            left[slot] = left[slot].max(-area.left());
            right[slot] = right[slot].max(area.right());
        };
        for (node, (area, _)) in self.boxes.iter().enumerate() {
            take(2 * self.plan.row_of[node], area);
        }
        for (edge, wire) in self.picture.edges.iter().zip(&self.wires) {
            if !matches!(wire.way, Way::Skip | Way::Beside) {
                take((2 * self.plan.row_of[edge.to]).saturating_sub(1), &wire.place);
            }
        }
        for (block, rows) in self.picture.blocks.iter().zip(&self.rows) {
            if let Some((first, _)) = rows {
                let wide = 2.0 * (width(&heading(block), LARGE) + GAP);
                take(2 * first, &Area { w: wide, x: wide / 4.0, ..Area::default() });
            }
        }
        (left, right)
    }

    fn on(&self, way: Way) -> Vec<usize> {
        (0..self.wires.len()).filter(|i| self.wires[*i].way == way).collect()
    }

    /// The lane of an edge: from below its start to above its end.
    fn want(&self, i: usize) -> Want {
        let (edge, wire) = (&self.picture.edges[i], &self.wires[i]);
        let (first, last) = (2 * self.plan.row_of[edge.from], 2 * self.plan.row_of[edge.to]);
        if wire.way == Way::Skip {
            let half = (wire.place.w / 2.0).max(6.0);
            return Want { near: (first, last), own: (first + 1, last - 1), half, gap: GAP };
        }
        // From an input beside a row the lane is reached in that row.
        let own = (first + usize::from(!self.plan.beside[edge.from]), last - 1);
        Want { near: own, own, half: 2.0, gap: GAP }
    }

    /// The top of a block: above its first row and what leads there, below the row before.
    fn top(&self, block: usize, first: usize) -> f64 {
        let row = &self.plan.rows[first];
        let boxes = std::iter::once(&row.node).chain(&row.beside).map(|node| self.boxes[*node].0.y);
        let labels = self.incoming(first).into_iter().map(|i| self.wires[i].place.y - 4.0);
        let inner = self.rows.iter().skip(block).filter(|rows| rows.is_some_and(|(start, _)| start == first));
        let headings = inner.count() as f64 * (line_height(LARGE) + GAP);
        boxes.chain(labels).fold(f64::MAX, f64::min) - headings + GAP / 2.0
    }

    /// The bottom of a block: below its last row and what turns there, and below inner blocks.
    fn bottom(&self, block: usize, last: usize) -> f64 {
        let row = &self.plan.rows[last];
        let boxes = std::iter::once(&row.node).chain(&row.beside).map(|node| self.boxes[*node].0.bottom());
        let turns = self.leaving(last).into_iter().map(|i| self.wires[i].turns.0);
        let inner = self.rows.iter().skip(block + 1).filter(|rows| rows.is_some_and(|(_, end)| end == last));
        boxes.chain(turns).fold(0.0, f64::max) + GAP * (inner.count() as f64 + 0.6)
    }
}

fn border(rows: Option<(usize, usize)>) -> Want {
    let own = rows.map_or((1, 0), |(first, last)| ((2 * first).saturating_sub(1), 2 * last + 1));
    Want { near: own, own, half: 0.0, gap: GAP }
}
