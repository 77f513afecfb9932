//! The main path and the order of the rows, for formats that place things themselves.

use super::model::{Picture, Role};
use std::collections::HashSet;

/// Which value stands in which row.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// The rows from top to bottom.
    pub rows: Vec<Row>,
    /// The row of each node.
    pub row_of: Vec<usize>,
    /// Does the node stand beside its row?
    pub beside: Vec<bool>,
}

/// A value, and the inputs beside it that it takes.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub node: usize,
    /// Does it belong to the main path?
    pub main: bool,
    pub beside: Vec<usize>,
}

/// How an edge runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Along the main path, or from row to row beside it.
    Straight,
    /// Around the main path.
    Skip,
    /// From an input into its row.
    Beside,
    /// From beside the main path into it, in the next row.
    Join,
    /// From the main path to the next row, which is beside it.
    Branch,
    /// On a lane of its own.
    Lane,
}

impl Plan {
    /// Orders the rows of a picture.
    pub fn of(picture: &Picture) -> Plan {
        let main = main_path(picture);
        let mut order = Order { picture, main: &main, beside: beside(picture, &main), done: HashSet::new() };
        let (mut opened, mut rows) = (HashSet::new(), Vec::new());
        let rest = 0..picture.nodes.len();
        for node in main.iter().copied().chain(rest) {
            order.emit(node, &mut opened, &mut rows);
        }
        let beside = order.beside;
        let mut row_of = vec![0; picture.nodes.len()];
        for (row, node) in rows.iter().enumerate() {
            row_of[*node] = row;
        }
        let on_main: HashSet<usize> = main.into_iter().collect();
        let mut rows: Vec<Row> =
            rows.into_iter().map(|node| Row { node, main: on_main.contains(&node), beside: Vec::new() }).collect();
        for node in (0..picture.nodes.len()).filter(|node| beside[*node]) {
            let users = picture.edges.iter().filter(|edge| edge.from == node).map(|edge| row_of[edge.to]);
            let row = users.min().unwrap_or(0);
            row_of[node] = row;
            if let Some(row) = rows.get_mut(row) {
                row.beside.push(node);
            }
        }
        Plan { rows, row_of, beside }
    }

    /// How the edge between two nodes runs.
    pub fn way(&self, from: usize, to: usize) -> Way {
        let (first, last) = (self.row_of[from], self.row_of[to]);
        if self.beside[from] {
            return if first == last { Way::Beside } else { Way::Lane };
        }
        let between = self.rows.get(first + 1..last).unwrap_or(&[]);
        match (self.rows[first].main, self.rows[last].main) {
            (true, true) if between.iter().any(|row| row.main) => Way::Skip,
            (true, true) => Way::Straight,
            _ if !between.is_empty() => Way::Lane,
            (false, false) => Way::Straight,
            (false, true) => Way::Join,
            (true, false) => Way::Branch,
        }
    }

    /// The first and the last row of a block; `None` where nothing stands in it.
    pub fn extent(&self, picture: &Picture, block: usize) -> Option<(usize, usize)> {
        let inside = |row: &&Row| picture.within(picture.nodes[row.node].block, block);
        let rows = self.rows.iter().filter(inside).map(|row| self.row_of[row.node]);
        Some((rows.clone().min()?, rows.max()?))
    }
}

/// The longest path from the value to start from to the result; of equally long
/// ones that of the first arguments.
fn main_path(picture: &Picture) -> Vec<usize> {
    let count = picture.nodes.len();
    let mut longest: Vec<Option<usize>> = vec![None; count];
    let mut before: Vec<Option<usize>> = vec![None; count];
    longest[picture.main] = Some(0);
    // Edges are in the order of their users.
    for edge in &picture.edges {
        let through = longest[edge.from].map(|length| length + 1);
        if through > longest[edge.to] {
            longest[edge.to] = through;
            before[edge.to] = Some(edge.from);
        }
    }
    let mut path = vec![picture.out];
    while let Some(previous) = before[path[path.len() - 1]] {
        path.push(previous);
    }
    path.reverse();
    path
}

/// Inputs that nothing leads to stand beside what takes them first, where that is in
/// the same block.
fn beside(picture: &Picture, main: &[usize]) -> Vec<bool> {
    let mut beside: Vec<bool> = picture.nodes.iter().map(|node| node.role == Role::Input).collect();
    for edge in &picture.edges {
        beside[edge.to] = false;
        beside[edge.from] &= picture.nodes[edge.from].block == picture.nodes[edge.to].block;
    }
    main.iter().for_each(|node| beside[*node] = false);
    beside
}

struct Order<'a> {
    picture: &'a Picture,
    main: &'a [usize],
    beside: Vec<bool>,
    done: HashSet<usize>,
}

impl Order<'_> {
    /// Emits what a node needs, then the node. Depth is bounded by the number of
    /// nodes of a picture.
    fn emit(&mut self, node: usize, opened: &mut HashSet<usize>, rows: &mut Vec<usize>) {
        if self.beside[node] || self.done.contains(&node) {
            return;
        }
        for block in self.picture.around(node) {
            if opened.insert(block) {
                self.open(block, opened, rows);
            }
        }
        for arg in self.args(node) {
            self.emit(arg, opened, rows);
        }
        if self.done.insert(node) {
            rows.push(node);
        }
    }

    /// Emits a block in one piece: what it needs from outside, then its nodes,
    /// those of the main path as early as they can stand.
    fn open(&mut self, block: usize, opened: &mut HashSet<usize>, rows: &mut Vec<usize>) {
        let picture = self.picture;
        let inside = |node: &usize| picture.within(picture.nodes[*node].block, block);
        let members: Vec<usize> = (0..picture.nodes.len()).filter(inside).collect();
        for member in &members {
            for arg in self.args(*member).into_iter().filter(|arg| !inside(arg)) {
                self.emit(arg, opened, rows);
            }
        }
        let main = self.main.iter().copied().filter(|node| inside(node));
        for node in main.chain(members.iter().copied()).collect::<Vec<_>>() {
            self.emit(node, opened, rows);
        }
    }

    fn args(&self, node: usize) -> Vec<usize> {
        self.picture.edges.iter().filter(|edge| edge.to == node).map(|edge| edge.from).collect()
    }
}
