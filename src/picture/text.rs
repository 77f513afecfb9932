//! A picture in a terminal: a value a line, the main path straight down.

use super::grid::{Grid, Stroke, cut, formula};
use super::lanes::{Want, outward};
use super::measure::heading;
use super::model::{Edge, Picture};
use super::plan::{Plan, Way};
use crate::notation::Math;
use crate::render::{Ink, Line, Text, width, wrapped};

/// How far what branches off stands to the right of the main path.
const OFF: usize = 4;

/// The picture in lines of at most `room` columns (at least 40).
pub fn text(picture: &Picture, room: usize) -> Text {
    let plan = Plan::of(picture);
    let lanes = lanes(picture, &plan);
    let main = match lanes.iter().flatten().max() {
        Some(most) => 2 * most + 2,
        None => 2,
    };
    let room = room.max(40);
    let mut writer = Writer { picture, plan, lanes, main, aside: 0, room, down: Vec::new(), lines: Vec::new() };
    writer.aside = writer.aside_column();
    writer.lines.push(Line::of(picture.title.as_str(), Ink::Title));
    writer.lines.push(Line::default());
    for row in 0..writer.plan.rows.len() {
        writer.row(row);
    }
    for note in &picture.notes {
        writer.lines.push(Line::default());
        writer.lines.extend(wrapped(&Line::of(note.as_str(), Ink::Plain), room));
    }
    writer.lines.iter_mut().for_each(|line| cut(line, room));
    Text(writer.lines)
}

/// The lane of each edge that needs one, 1 the innermost.
fn lanes(picture: &Picture, plan: &Plan) -> Vec<Option<usize>> {
    let runs = |edge: &Edge| matches!(plan.way(edge.from, edge.to), Way::Skip | Way::Lane);
    let on: Vec<usize> = (0..picture.edges.len()).filter(|i| runs(&picture.edges[*i])).collect();
    let want = |i: &usize| {
        let edge = &picture.edges[*i];
        let first = 2 * plan.row_of[edge.from] + usize::from(!plan.beside[edge.from]);
        let own = (first, 2 * plan.row_of[edge.to]);
        Want { near: own, own, half: 0.0, gap: 1.0 }
    };
    let mut taken = vec![0.0; 2 * plan.rows.len() + 1];
    let places = outward(&mut taken, &on.iter().map(want).collect::<Vec<_>>());
    let mut lanes = vec![None; picture.edges.len()];
    for (i, place) in on.iter().zip(places) {
        lanes[*i] = Some(place as usize);
    }
    lanes
}

struct Writer<'a> {
    picture: &'a Picture,
    plan: Plan,
    lanes: Vec<Option<usize>>,
    /// The column of the main path.
    main: usize,
    /// The column of shapes.
    aside: usize,
    room: usize,
    /// The edges that run down at the moment.
    down: Vec<usize>,
    lines: Vec<Line>,
}

impl Writer<'_> {
    /// Everything about one row: what leads in, the value, what leads out.
    fn row(&mut self, row: usize) {
        let (node, beside) = (self.plan.rows[row].node, self.plan.rows[row].beside.clone());
        let column = self.column(row);
        for block in self.blocks(|(first, _)| first == row) {
            let title = format!("┌─ {} ", heading(&self.picture.blocks[block]));
            self.rule(&title);
        }
        for (edge, way) in self.edges_into(row) {
            self.into(edge, way, column);
        }
        for (i, input) in beside.into_iter().enumerate() {
            self.input(input, column, i > 0);
        }
        self.value(node, column);
        self.leaving(row, column);
        for _ in self.blocks(|(_, last)| last == row) {
            self.rule("└─");
        }
    }

    /// The lines above a value: its derivative by what an edge brings.
    fn into(&mut self, edge: usize, way: Way, column: usize) {
        let other = self.main + OFF;
        let label = self.picture.edges[edge].local.clone();
        let stroke = Stroke::of(&self.picture.edges[edge]);
        match way {
            Way::Branch => {
                let mut grid = self.grid();
                grid.put(self.main, '├', Stroke::Light);
                grid.across(self.main, other, stroke);
                grid.put(other, '╮', stroke);
                self.lines.push(grid.line(other + 1, "", Ink::Plain));
                self.down.push(edge);
                self.derivative(label, other, stroke, None);
            }
            Way::Join => {
                self.derivative(label, other, stroke, None);
                self.down.retain(|other| *other != edge);
                let mut grid = self.grid();
                grid.put(self.main, '├', Stroke::Light);
                grid.across(self.main, other, stroke);
                grid.put(other, '╯', stroke);
                self.lines.push(grid.line(other + 1, "", Ink::Plain));
            }
            // What comes in from the side is line enough.
            Way::Straight if label.is_none() && self.takes_inputs(edge) => {}
            Way::Straight => self.derivative(label, column, stroke, None),
            Way::Skip | Way::Lane if label.is_some() => {
                let from = &self.picture.nodes[self.picture.edges[edge].from];
                let from = from.name.clone().unwrap_or_else(|| from.label());
                self.derivative(label, column, stroke, Some(from));
            }
            _ => {}
        }
    }

    /// A derivative beside the line it belongs to, or a line that runs on.
    fn derivative(&mut self, label: Option<Math>, column: usize, stroke: Stroke, from: Option<String>) {
        let ink = if stroke == Stroke::Heavy { Ink::Identity } else { Ink::Plain };
        let texts =
            label.map_or_else(|| vec![String::new()], |math| formula(&math, self.room.saturating_sub(column + 4)));
        let last = texts.len();
        for (i, text) in texts.into_iter().enumerate() {
            let text = match &from {
                Some(from) if i + 1 == last => format!("{text}   from {from}"),
                _ => text,
            };
            let line = self.grid().line(column + 2, &text, ink);
            self.lines.push(line);
        }
    }

    /// An input that comes in from the side, below others or not.
    fn input(&mut self, input: usize, column: usize, more: bool) {
        let node = &self.picture.nodes[input];
        let stroke = if node.moves { Stroke::Light } else { Stroke::Dotted };
        let mut grid = self.grid();
        let runs = more || self.runs_at(column);
        grid.put(column, if runs { '├' } else { '╭' }, if runs { Stroke::Light } else { stroke });
        grid.across(column, column + 2, stroke);
        grid.put(column + 2, '◂', stroke);
        let lanes: Vec<usize> = self.started_by(input);
        for edge in &lanes {
            if let Some(lane) = self.lane_column(*edge) {
                grid.begin(lane, column, Stroke::of(&self.picture.edges[*edge]));
                grid.put(column, if runs { '┼' } else { '┬' }, stroke);
            }
        }
        let label = node.label();
        let line = grid.line(column + 4, &label, stroke.ink());
        self.with_shape(line, input);
        self.down.extend(lanes);
    }

    /// The line of a value, with the lanes that end there.
    fn value(&mut self, node: usize, column: usize) {
        let ended: Vec<usize> = self.down.iter().copied().filter(|edge| self.picture.edges[*edge].to == node).collect();
        self.down.retain(|edge| self.picture.edges[*edge].to != node);
        let mut grid = self.grid();
        let mut on_lanes: Vec<(usize, Stroke)> = ended
            .iter()
            .filter_map(|edge| Some((self.lane_column(*edge)?, Stroke::of(&self.picture.edges[*edge]))))
            .collect();
        on_lanes.sort();
        for (lane, stroke) in on_lanes {
            grid.end(lane, column - 2, stroke);
        }
        let what = &self.picture.nodes[node];
        let ink = match (what.identity, what.moves) {
            (true, _) => Ink::Identity,
            (false, true) => Ink::Plain,
            (false, false) => Ink::Quiet,
        };
        let texts = match &what.expression {
            Some(expression) => {
                let name = what.name.clone().map(|name| format!("{name} = ")).unwrap_or_default();
                let mut texts = self.formula(expression, column + width(&name));
                texts.iter_mut().skip(1).for_each(|text| *text = format!("{}{text}", " ".repeat(width(&name))));
                texts[0] = name + &texts[0];
                texts
            }
            None => vec![what.label()],
        };
        let mut first = Some(grid);
        for text in texts {
            match first.take() {
                Some(grid) => {
                    let line = grid.line(column, &text, ink);
                    self.with_shape(line, node);
                }
                None => {
                    let line = self.grid().line(column, &text, ink);
                    self.lines.push(line);
                }
            }
        }
    }

    /// What begins at a value: straight on, or on a lane.
    fn leaving(&mut self, row: usize, column: usize) {
        let node = self.plan.rows[row].node;
        for (i, edge) in self.picture.edges.iter().enumerate().filter(|(_, edge)| edge.from == node) {
            if matches!(self.plan.way(edge.from, edge.to), Way::Straight | Way::Join) {
                self.down.push(i);
            }
        }
        let lanes = self.started_by(node);
        for wanted in [Stroke::Heavy, Stroke::Light, Stroke::Dotted] {
            let of = |edge: &usize| Stroke::of(&self.picture.edges[*edge]) == wanted;
            let mut some: Vec<usize> = lanes.iter().copied().filter(of).collect();
            some.sort_by_key(|edge| self.lane_column(*edge));
            if some.is_empty() {
                continue;
            }
            let mut grid = self.grid();
            for edge in &some {
                if let Some(lane) = self.lane_column(*edge) {
                    grid.begin(lane, column, wanted);
                }
            }
            let on = if self.runs_at(column) || lanes.iter().any(|edge| Stroke::of(&self.picture.edges[*edge]) < wanted)
            {
                if wanted == Stroke::Heavy { '┥' } else { '┤' }
            } else if wanted == Stroke::Heavy {
                '┛'
            } else {
                '╯'
            };
            grid.put(column, on, wanted);
            self.lines.push(grid.line(column + 1, "", Ink::Plain));
            self.down.extend(some);
        }
    }

    /// A rule above or below a block.
    fn rule(&mut self, title: &str) {
        let column = self.main + 2;
        let end = self.room.min(self.aside + 12);
        let mut text = title.to_string();
        while width(&text) + column < end {
            text.push('─');
        }
        let line = self.grid().line(column, &text, Ink::Quiet);
        self.lines.push(line);
    }

    fn with_shape(&mut self, mut line: Line, node: usize) {
        let shape = self.picture.nodes[node].shape.to_string();
        line.pad(self.aside.max(line.width() + 2));
        line.push(shape, Ink::Quiet);
        self.lines.push(line);
    }

    /// What runs down at the moment.
    fn grid(&self) -> Grid {
        let down = self.down.iter().map(|edge| (self.down_column(*edge), Stroke::of(&self.picture.edges[*edge])));
        Grid::of(self.main + OFF + 3, &down.collect::<Vec<_>>())
    }

    fn runs_at(&self, column: usize) -> bool {
        self.down.iter().any(|edge| self.down_column(*edge) == column)
    }

    /// Where an edge runs down.
    fn down_column(&self, edge: usize) -> usize {
        self.lane_column(edge).unwrap_or_else(|| {
            let Edge { from, to, .. } = self.picture.edges[edge];
            match self.plan.way(from, to) {
                Way::Branch => self.main + OFF,
                _ => self.column(self.plan.row_of[from]),
            }
        })
    }

    fn takes_inputs(&self, edge: usize) -> bool {
        !self.plan.rows[self.plan.row_of[self.picture.edges[edge].to]].beside.is_empty()
    }

    fn lane_column(&self, edge: usize) -> Option<usize> {
        self.lanes[edge].map(|lane| self.main - 2 - 2 * lane)
    }

    fn column(&self, row: usize) -> usize {
        if self.plan.rows[row].main { self.main } else { self.main + OFF }
    }

    fn started_by(&self, node: usize) -> Vec<usize> {
        let edges = self.picture.edges.iter().enumerate().filter(|(_, edge)| edge.from == node);
        edges.map(|(i, _)| i).filter(|i| self.lanes[*i].is_some()).collect()
    }

    fn edges_into(&self, row: usize) -> Vec<(usize, Way)> {
        let into = self.picture.edges.iter().enumerate().filter(|(_, edge)| self.plan.row_of[edge.to] == row);
        let mut into: Vec<(usize, Way)> = into.map(|(i, edge)| (i, self.plan.way(edge.from, edge.to))).collect();
        into.sort_by_key(|(_, way)| match way {
            Way::Branch | Way::Join => 0,
            Way::Straight => 1,
            _ => 2,
        });
        into
    }

    fn blocks(&self, wanted: impl Fn((usize, usize)) -> bool) -> Vec<usize> {
        let extent = |block: &usize| self.plan.extent(self.picture, *block).is_some_and(&wanted);
        (0..self.picture.blocks.len()).filter(extent).collect()
    }

    /// A formula in lines that end before the column of shapes.
    fn formula(&self, math: &Math, column: usize) -> Vec<String> {
        formula(math, self.aside.saturating_sub(column + 2))
    }

    /// Shapes stand right of the longest line, as far as the room allows.
    fn aside_column(&self) -> usize {
        let shapes = self.picture.nodes.iter().map(|node| width(&node.shape.to_string())).max().unwrap_or(0);
        let ends = self.plan.rows.iter().enumerate().flat_map(|(row, what)| {
            let inputs = what.beside.iter().map(|node| (*node, 4));
            let column = self.column(row);
            let all = std::iter::once((what.node, 0)).chain(inputs);
            all.map(move |(node, more)| column + more + width(&self.picture.nodes[node].label()))
        });
        (ends.max().unwrap_or(0) + 3).min(self.room.saturating_sub(shapes))
    }
}
