//! What a picture shows, without a format.

use crate::notation::Math;
use crate::render::flat;
use crate::shape::Shape;

/// What stands at the way from the end of a turn to the start of the next.
pub(super) const NEXT: &str = "next turn";

/// The computation graph of a program, ready to be drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// What is drawn, in a few words.
    pub title: String,
    /// What is to be known beside it, one sentence each.
    pub notes: Vec<String>,
    /// The value that the main path starts from.
    pub main: usize,
    /// The result.
    pub out: usize,
    /// The variable, if derivatives are shown.
    pub wrt: Option<usize>,
    /// The values, arguments before what uses them.
    pub nodes: Vec<Node>,
    /// The uses, in the order of the users and of their arguments.
    pub edges: Vec<Edge>,
    /// Loops and folded repetitions, outer ones before inner ones.
    pub blocks: Vec<Block>,
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// An input, or a slice of one.
    Input,
    /// The result of an operation.
    Operation,
    /// What a turn of a loop begins with.
    Start,
    /// What a loop leaves behind.
    After,
}

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// What it is.
    pub role: Role,
    /// Its name in the source, or that of a formula on the page.
    pub name: Option<String>,
    /// The operation that makes it; • stands for an argument without a name.
    pub expression: Option<Math>,
    /// What is said beside the name.
    pub aside: Option<String>,
    /// Its shape.
    pub shape: Shape,
    /// The innermost block it stands in.
    pub block: Option<usize>,
    /// Does it depend on the variable? Always, where there is none.
    pub moves: bool,
    /// Does the identity path lead through it?
    pub identity: bool,
}

/// One use of a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// The value.
    pub from: usize,
    /// What uses it.
    pub to: usize,
    /// The derivative of the user by the value: a matrix where there is one, else
    /// the differential. `None` where none is shown.
    pub local: Option<Math>,
    /// Does it carry the derivative? Always, where there is no variable.
    pub moves: bool,
    /// Does it belong to a path from the variable to the result on which every
    /// local derivative is the identity?
    pub identity: bool,
}

/// A part of the picture that stands for several.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// What is repeated.
    pub title: String,
    /// How often.
    pub times: String,
    /// The block around it.
    pub inside: Option<usize>,
    /// Which values of a turn are which of the next one.
    pub back: Vec<(usize, usize)>,
}

impl Node {
    /// The node on one line: `h = relu(x @ w1)`.
    pub fn label(&self) -> String {
        let name = match (&self.name, &self.aside) {
            (Some(name), Some(aside)) => format!("{name} {aside}"),
            (Some(name), None) => name.clone(),
            (None, Some(aside)) => aside.clone(),
            (None, None) => String::new(),
        };
        match &self.expression {
            Some(expression) if name.is_empty() => flat(expression),
            Some(expression) => format!("{name} = {}", flat(expression)),
            None => name,
        }
    }
}

impl Edge {
    /// The local derivative on one line.
    pub fn local(&self) -> Option<String> {
        self.local.as_ref().map(flat)
    }
}

impl Picture {
    /// From where to where the values go that each loop hands on to its next turn.
    pub fn ways_back(&self) -> impl Iterator<Item = (usize, usize)> {
        self.blocks.iter().flat_map(|block| block.back.iter().copied())
    }

    /// Is this an inner block of `outer`, or `outer` itself?
    pub fn within(&self, block: Option<usize>, outer: usize) -> bool {
        let mut at = block;
        while let Some(block) = at {
            if block == outer {
                return true;
            }
            at = self.blocks[block].inside;
        }
        false
    }

    /// The blocks around a node, the outermost first.
    pub fn around(&self, node: usize) -> Vec<usize> {
        let (mut blocks, mut at) = (Vec::new(), self.nodes[node].block);
        while let Some(block) = at {
            blocks.push(block);
            at = self.blocks[block].inside;
        }
        blocks.reverse();
        blocks
    }

    /// Marks the paths from the variable to the result on which every local
    /// derivative is the identity.
    pub(super) fn mark_identity(&mut self) {
        let Some(wrt) = self.wrt else { return };
        let count = self.nodes.len();
        let carries = |edge: &Edge| edge.moves && edge.local == Some(Math::Identity);
        let (mut reached, mut leads) = (vec![false; count], vec![false; count]);
        reached[wrt] = true;
        // Edges are in the order of their users.
        for edge in self.edges.iter().filter(|edge| carries(edge)) {
            reached[edge.to] |= reached[edge.from];
        }
        leads[self.out] = true;
        for edge in self.edges.iter().rev().filter(|edge| carries(edge)) {
            leads[edge.from] |= leads[edge.to];
        }
        for edge in &mut self.edges {
            edge.identity = carries(edge) && reached[edge.from] && leads[edge.to];
        }
        for (i, node) in self.nodes.iter_mut().enumerate() {
            node.identity = reached[i] && leads[i];
        }
    }
}
