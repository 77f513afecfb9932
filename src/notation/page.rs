//! The page: what is said, in which order, without a format.

use super::Math;
use crate::array::Array;
use crate::shape::Name;
use std::collections::BTreeMap;

/// A page of text and formulas. Every format is one short writer over it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Page {
    /// What the page is about.
    pub title: String,
    /// Where it comes from.
    pub origin: String,
    /// The parts, in reading order.
    pub blocks: Vec<Block>,
    /// The rank of every named value: formats set arrays apart from numbers.
    pub ranks: BTreeMap<Name, usize>,
    /// Is the I of the answer the way of a skip?
    pub skip: bool,
    /// Which entry of the first listing a name comes from: the line of the source
    /// that computes it.
    pub lines: BTreeMap<Name, usize>,
}

/// A part of a page.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// Flowing text.
    Prose(Vec<Piece>),
    /// Values with their names, how they are written and what is said beside them.
    Listing(Vec<Entry>),
    /// Short equations side by side.
    Equations(Vec<(Math, Math)>),
    /// Equations below one another, with what is said beside them.
    Steps(Vec<(Math, Math, Says)>),
    /// A derivation, line by line under one left-hand side.
    Lines(Math, Vec<Row>),
    /// What is known by the name of what it is.
    Facts(Vec<(String, Fact)>),
    /// An expression as a tree.
    Tree(Branch),
    /// Numbers: what they are, ⋯ where that stands before them; an array.
    Numbers(Math, Array),
}

/// A piece of flowing text.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    /// Words.
    Text(String),
    /// A formula.
    Math(Math),
}

impl From<&str> for Piece {
    fn from(text: &str) -> Piece {
        Piece::Text(text.to_string())
    }
}

impl From<String> for Piece {
    fn from(text: String) -> Piece {
        Piece::Text(text)
    }
}

impl From<Math> for Piece {
    fn from(math: Math) -> Piece {
        Piece::Math(math)
    }
}

/// What is said beside a formula: words, and formulas among them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Says(pub Vec<Piece>);

impl Says {
    /// Is nothing said?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All that is said, a semicolon between one and the next.
    pub fn joined(all: impl IntoIterator<Item = Says>) -> Says {
        let mut joined = Says::default();
        for says in all.into_iter().filter(|says| !says.is_empty()) {
            if !joined.is_empty() {
                joined.0.push("; ".into());
            }
            joined.0.extend(says.0);
        }
        joined
    }
}

impl From<Vec<Piece>> for Says {
    fn from(pieces: Vec<Piece>) -> Says {
        Says(pieces)
    }
}

impl From<String> for Says {
    fn from(text: String) -> Says {
        Says(Some(text).filter(|text| !text.is_empty()).into_iter().map(Piece::Text).collect())
    }
}

impl From<&str> for Says {
    fn from(text: &str) -> Says {
        Says::from(text.to_string())
    }
}

/// The words with the pieces in the places of `{}`, in order.
pub(super) fn filled(words: &str, pieces: impl IntoIterator<Item = Piece>) -> Vec<Piece> {
    let mut pieces = pieces.into_iter();
    let mut said = Vec::new();
    for (i, part) in words.split("{}").enumerate() {
        if i > 0 {
            said.extend(pieces.next());
        }
        said.extend(Some(Piece::from(part)).filter(|_| !part.is_empty()));
    }
    said
}

/// A value: `h = relu(x @ w1 + b1)`, batch × d_ff.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// How it is written; empty for an input.
    pub written: String,
    /// What is said beside it.
    pub aside: String,
}

/// One line of a derivation: what stands right of `=`, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The expression.
    pub math: Math,
    /// Why.
    pub why: Says,
    /// The steps it stands for, one by one; formats that unfold show them.
    pub found: Vec<Found>,
}

impl Row {
    /// A line behind which no steps stand.
    pub fn new(math: Math, why: impl Into<Says>) -> Row {
        Row { math, why: why.into(), found: Vec::new() }
    }
}

/// A step behind a line: one part, what it becomes, and all that is known of that.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The part.
    pub left: Math,
    /// What it becomes.
    pub right: Math,
    /// Why.
    pub why: Says,
    /// Its shape.
    pub shape: Says,
    /// The line of the source it comes from, and what is written there.
    pub place: Option<(usize, String)>,
    /// What the check found; empty if there was none.
    pub checked: String,
}

/// What is known.
#[derive(Clone, Debug, PartialEq)]
pub enum Fact {
    /// An equation.
    Equation(Math, Math),
    /// Text.
    Prose(Vec<Piece>),
}

/// A node of an expression as a tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Branch {
    /// What it is: a word or an expression.
    pub label: Piece,
    /// What is said beside it.
    pub aside: String,
    /// Its children, in the order in which they are written.
    pub children: Vec<Branch>,
}
