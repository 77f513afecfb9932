//! Linear maps as notation, in both views.

use super::Math;
use super::change::change;
use super::of::{Scribe, Style};
use super::product::composed;
use super::transpose::ranks;
use crate::derive::{Derivation, Factor, Map, View};
use crate::graph::{Kind, NodeId, Program};
use crate::ops::Notation;
use crate::reading;
use crate::shape::Name;
use std::collections::{BTreeSet, HashMap};

/// A product with more factors of like form than this is written with ⋯.
const FACTORS: usize = 4;
/// Letters for the maps of loops, and for the counter of a product within a sum.
const LETTERS: [&str; 5] = ["J", "K", "L", "G", "H"];

/// Writes the maps of one derivation.
#[derive(Debug)]
pub struct Maps<'a> {
    derivation: &'a Derivation,
    /// The program of the derivation, with the matrices of the factors.
    program: Program,
    matrices: HashMap<Factor, NodeId>,
    /// The ranks of the names of the program.
    ranks: HashMap<Name, usize>,
    /// The names of scalars.
    numbers: BTreeSet<Name>,
    /// Two for each loop.
    pub(super) letters: Vec<Name>,
}

impl<'a> Maps<'a> {
    /// Makes ready to write the maps of `derivation`.
    pub fn new(derivation: &'a Derivation) -> Maps<'a> {
        let mut program = derivation.program.clone();
        let mut matrices = HashMap::new();
        if derivation.view == View::Jacobian {
            for factor in factors(derivation) {
                if let Some(matrix) = reading::matrix_of(&mut program, factor.node, factor.of) {
                    matrices.insert(factor, matrix);
                }
            }
        }
        let letters = letters(derivation);
        let ranks = ranks(&program);
        let ids = program.graph().node_indices().filter(|id| program.shape(*id).rank() == 0);
        let numbers = ids.filter_map(|id| program.name(id).cloned()).collect();
        Maps { derivation, program, matrices, ranks, numbers, letters }
    }

    /// A node by its name, or its expression.
    pub fn node(&self, node: NodeId) -> Math {
        Scribe::new(&self.program, Style::Columns).math(node)
    }

    /// What a node stands for.
    pub fn definition(&self, node: NodeId) -> Math {
        Scribe::new(&self.program, Style::Columns).definition(node)
    }

    /// d(node)/d(base), or d(node) in differentials.
    pub fn left(&self, node: NodeId, base: NodeId, view: View) -> Math {
        match view {
            View::Jacobian => Math::derivative(self.node(node), self.node(base)),
            View::Differential => Math::differential(self.node(node)),
        }
    }

    /// `after` with the part marked in which it differs from `before`.
    pub fn step(&self, before: &Map, after: &Map, base: NodeId, view: View) -> Math {
        let marks = change(before, after);
        match view {
            View::Jacobian => self.jacobian(after, &mut Vec::new(), &marks),
            View::Differential => self.differential(after, base, &marks),
        }
    }

    /// The map in one view, nothing marked.
    pub fn plain(&self, map: &Map, base: NodeId, view: View) -> Math {
        match view {
            View::Jacobian => self.jacobian(map, &mut Vec::new(), &[]),
            View::Differential => self.differential(map, base, &[]),
        }
    }

    /// As a product of matrices; what is no matrix is an operator with its place open.
    fn jacobian(&self, map: &Map, path: &mut Vec<usize>, marks: &[Vec<usize>]) -> Math {
        let math = match map {
            Map::Sum(terms) => Math::sum(self.each(terms, path, marks).into_iter().map(|term| (false, term))),
            Map::Compose(all) if all.len() > FACTORS && all.iter().all(is_link) => {
                let ends = [&all[0], &all[all.len() - 1]].map(|link| self.jacobian(link, &mut Vec::new(), &[]));
                let [first, last] = ends;
                Math::product([first, Math::Ellipsis, last])
            }
            Map::Compose(all) => composed(self.each(all, path, marks), &self.numbers),
            other => self.leaf(other),
        };
        if marks.contains(path) { math.marked() } else { math }
    }

    fn each(&self, maps: &[Map], path: &mut Vec<usize>, marks: &[Vec<usize>]) -> Vec<Math> {
        let mut written = Vec::new();
        for (i, map) in maps.iter().enumerate() {
            path.push(i);
            written.push(self.jacobian(map, path, marks));
            path.pop();
        }
        written
    }

    /// A map without parts.
    fn leaf(&self, map: &Map) -> Math {
        match map {
            Map::Zero => Math::Zero,
            Map::Factor(factor) => match (self.diagonal(*factor), self.matrices.get(factor)) {
                (Some(diagonal), _) => diagonal,
                (None, Some(matrix)) => {
                    let [out, by] = [factor.node, factor.of].map(|id| self.program.shape(id).rank());
                    Scribe::new(&self.program, Style::Columns).jacobian(*matrix, out, by)
                }
                (None, None) => self.operator(*factor, Style::Columns),
            },
            Map::Pending { node, base, opened: true } => Math::derivative(self.definition(*node), self.node(*base)),
            Map::Pending { node, base, .. } => Math::derivative(self.node(*node), self.node(*base)),
            Map::Named(part) => match self.derivation.parts.get(*part) {
                Some(part) => Math::Name(part.name.clone()),
                None => Math::Ellipsis,
            },
            Map::Product(i) => self.derivation.loops.get(*i).map_or(Math::Ellipsis, |l| self.product(*i, l)),
            Map::Turns(i) => self.derivation.loops.get(*i).map_or(Math::Ellipsis, |l| self.turns(*i, l)),
            Map::Identity | Map::Sum(_) | Map::Compose(_) => Math::Identity,
        }
    }

    /// diag(c), where the factor is c ⊙ • for a vector c.
    fn diagonal(&self, factor: Factor) -> Option<Math> {
        self.program.op(factor.node).filter(|(op, _)| op.notation == Notation::Hadamard)?;
        let args = &self.program.node(factor.node).args;
        let is_hole = |id: &NodeId| self.program.node(*id).kind == Kind::Hole(factor.of);
        let other = match args[..] {
            [hole, other] | [other, hole] if is_hole(&hole) => other,
            _ => return None,
        };
        let same = self.program.shape(other) == self.program.shape(factor.of);
        (self.matrices.contains_key(&factor) && same && self.program.shape(other).rank() == 1)
            .then(|| Math::call("diag", vec![self.node(other)]))
    }

    /// A factor with • for its argument.
    fn operator(&self, factor: Factor, style: Style) -> Math {
        let scribe = Scribe::new(&self.program, style).operand(factor.of, Math::Hole);
        match scribe.definition(factor.node) {
            open if style == Style::Columns => Math::call("", vec![open]),
            open => open,
        }
    }

    /// A factor as it stands in the tree: • @ w2.
    pub fn open_factor(&self, factor: Factor) -> Math {
        self.operator(factor, Style::Written)
    }

    /// Applied to d(base).
    fn differential(&self, map: &Map, base: NodeId, marks: &[Vec<usize>]) -> Math {
        let operand = Math::differential(self.node(base));
        match map {
            Map::Sum(terms) => Math::sum(terms.iter().enumerate().map(|(i, term)| {
                let written = self.applied(term, operand.clone());
                let changed = marks.iter().any(|path| path.first() == Some(&i));
                (false, if changed { written.marked() } else { written })
            })),
            other => self.applied(other, operand),
        }
    }

    /// The sum over all entries of a product with `operand`: xᵀdy, ⟨X, dY⟩.
    fn inner(&self, sum: &Map, product: &Map, operand: &Math) -> Option<Math> {
        beside_hole(&self.program, sum, Notation::Sum)?;
        let other = beside_hole(&self.program, product, Notation::Hadamard)??;
        let scribe = Scribe::new(&self.program, Style::Columns).ranks(&self.ranks);
        match self.program.shape(other).rank() {
            1 => Some(Math::product([scribe.turned_column(scribe.math(other)), operand.clone()])),
            2 => Some(Math::Inner(Box::new(scribe.math(other)), Box::new(operand.clone()))),
            _ => None,
        }
    }

    /// The map applied to what stands for the differential of its argument.
    fn applied(&self, map: &Map, operand: Math) -> Math {
        match map {
            Map::Identity => operand,
            Map::Zero => Math::Zero,
            Map::Factor(factor) => {
                let scribe = Scribe::new(&self.program, Style::Columns).operand(factor.of, operand);
                scribe.ranks(&self.ranks).definition(factor.node)
            }
            Map::Pending { node, opened: true, .. } => Math::differential(self.definition(*node)),
            Map::Pending { node, .. } => Math::differential(self.node(*node)),
            Map::Sum(terms) => Math::sum(terms.iter().map(|term| (false, self.applied(term, operand.clone())))),
            Map::Compose(all) if all.len() > 1 && all.iter().all(is_link) => {
                Math::Applied(Box::new(self.jacobian(map, &mut Vec::new(), &[])), Box::new(operand))
            }
            Map::Compose(all) => {
                let (mut operand, mut left) = (operand, all.as_slice());
                while let [before @ .., last] = left {
                    let with_sum = before.last().and_then(|sum| self.inner(sum, last, &operand));
                    (operand, left) = match with_sum {
                        Some(inner) => (inner, &before[..before.len() - 1]),
                        None => (self.applied(last, operand), before),
                    };
                }
                operand
            }
            Map::Named(_) | Map::Product(_) | Map::Turns(_) => {
                Math::Applied(Box::new(self.leaf(map)), Box::new(operand))
            }
        }
    }
}

/// The argument beside the hole in a product entry by entry of two values of one
/// shape, or the hole alone in a sum over all entries.
fn beside_hole(program: &Program, map: &Map, notation: Notation) -> Option<Option<NodeId>> {
    let Map::Factor(factor) = map else { return None };
    let (op, attrs) = program.op(factor.node).filter(|(op, _)| op.notation == notation)?;
    let args = &program.node(factor.node).args;
    let is_hole = |id: &NodeId| program.node(*id).kind == Kind::Hole(factor.of);
    match (args.as_slice(), op.notation) {
        ([hole], Notation::Sum) if is_hole(hole) && attrs.axes().len() == program.shape(*hole).rank() => Some(None),
        ([a, b], Notation::Hadamard) if program.shape(*a) == program.shape(*b) && is_hole(a) != is_hole(b) => {
            Some(Some(if is_hole(a) { *b } else { *a }))
        }
        _ => None,
    }
}

/// A factor written by a name: J, I + J, d(h)/dx.
fn is_link(map: &Map) -> bool {
    match map {
        Map::Named(_) | Map::Pending { .. } => true,
        Map::Sum(terms) => matches!(terms[..], [Map::Identity, Map::Named(_)]),
        _ => false,
    }
}

/// Is every map of these built of names alone, so that it is written as one?
pub(super) fn is_chain(map: &Map) -> bool {
    match map {
        Map::Compose(all) => all.iter().all(is_link),
        Map::Product(_) | Map::Turns(_) => true,
        other => is_link(other),
    }
}

/// The factors of all lines, each once, in reading order.
pub(super) fn factors(derivation: &Derivation) -> Vec<Factor> {
    let lines = derivation.paragraphs.iter().flat_map(|p| p.steps.iter());
    let mut stack: Vec<&Map> = lines.flat_map(|step| [&step.became, &step.after]).collect();
    stack.extend(derivation.parts.iter().map(|part| &part.map));
    stack.push(&derivation.result);
    stack.reverse();
    let (mut found, mut seen) = (Vec::new(), std::collections::HashSet::new());
    while let Some(map) = stack.pop() {
        match map {
            Map::Factor(factor) if seen.insert(*factor) => found.push(*factor),
            Map::Sum(parts) | Map::Compose(parts) => stack.extend(parts.iter().rev()),
            _ => {}
        }
    }
    found
}

/// Two letters for each loop that no name of the program uses.
fn letters(derivation: &Derivation) -> Vec<Name> {
    let program = &derivation.program;
    let taken = |letter: &str| {
        let begins = format!("{letter}_");
        let clash = |name: &Name| **name == *letter || name.starts_with(&begins);
        program.graph().node_indices().filter_map(|id| program.name(id)).any(clash)
            || derivation.parts.iter().any(|part| clash(&part.name))
    };
    let firsts = LETTERS.iter().copied().filter(|letter| !taken(letter)).map(String::from);
    let seconds = ["B", "C", "E"].into_iter().filter(|letter| !taken(letter)).map(String::from);
    let more = |letter: &'static str| (1..).map(move |i| format!("{letter}{i}"));
    let pairs = firsts.chain(more("J")).zip(seconds.chain(more("B")));
    pairs.take(derivation.loops.len()).flat_map(|(a, b)| [Name::from(a), Name::from(b)]).collect()
}
