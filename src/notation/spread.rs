//! What broadcasting repeats, in so many words: I − 1 pᵀ, not I − p.

use super::Math;
use super::of::{Scribe, Style};
use crate::graph::{Kind, NodeId, Program};
use crate::ops::{Notation, Number};
use crate::reading;
use crate::shape::{Dim, Shape};

/// Sums are looked through to this depth for what only a matrix can be.
const DEPTH: usize = 8;

/// How an operand of an operation on matrices is repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Repeated {
    Scalar,
    Row,
    Column,
}

/// The Jacobian matrix, in numerator layout, of `map`, a node linear in the hole of
/// `of`. `None` where there is none that is read without a convention, or no notation for it.
pub fn jacobian(program: &mut Program, map: NodeId, of: NodeId) -> Option<Math> {
    let (out, by) = (program.shape(map).rank(), program.shape(of).rank());
    let matrix = reading::matrix_of(program, map, of).filter(|_| (out, by.min(2)) != (0, 2))?;
    Some(Scribe::new(program, Style::Columns).jacobian(matrix, out, by))
}

impl Scribe<'_> {
    /// Is this a node that the rules and readings made? Lines that quote the program
    /// broadcast as it does.
    pub(super) fn made(&self, node: NodeId) -> bool {
        self.style() == Style::Columns && node > self.program().output
    }

    /// An operand of a sum. A number taken from every entry of a matrix is written
    /// out where the matrix is one of linear algebra, not an array of entries: s ⊙ (1 − s).
    pub(super) fn term(&self, node: NodeId, arg: NodeId, beside: NodeId, math: Math) -> Math {
        match self.repeated(node, arg) {
            Some(Repeated::Scalar) if self.algebraic(beside, DEPTH) => all_ones(math, true),
            Some(Repeated::Row) => Math::product([Math::Ones, self.turned(arg, DEPTH)]),
            Some(Repeated::Column) => Math::product([math, Math::Ones.transposed()]),
            _ => math,
        }
    }

    /// The elementwise product of a matrix and a vector that broadcasting repeats:
    /// X diag(v), or diag(c) X for a column.
    pub(super) fn scaled(&self, node: NodeId, (arg, vector): (NodeId, Math), matrix: Math) -> Option<Math> {
        match self.repeated(node, arg)? {
            Repeated::Row => Some(Math::product([matrix, Math::call("diag", vec![vector])])),
            Repeated::Column => Some(Math::product([Math::call("diag", vec![vector]), matrix])),
            Repeated::Scalar => None,
        }
    }

    fn repeated(&self, node: NodeId, arg: NodeId) -> Option<Repeated> {
        let one = |dim: &Dim| dim.as_size() == Some(1);
        let (to, from) = (&self.program().shape(node).0[..], &self.program().shape(arg).0[..]);
        match (from, to) {
            _ if !self.made(node) => None,
            ([], [_, _]) => Some(Repeated::Scalar),
            ([_], [rows, _]) if !one(rows) => Some(Repeated::Row),
            ([_, last], [_, columns]) if one(last) && !one(columns) => Some(Repeated::Column),
            _ => None,
        }
    }

    /// Has the sum a term that is a matrix and not an array of entries?
    fn algebraic(&self, node: NodeId, depth: usize) -> bool {
        let args = &self.program().node(node).args;
        match &self.program().node(node).kind {
            Kind::Hole(_) | Kind::Cotangent(_) => true,
            Kind::Apply(op, _) if depth > 0 => match op.notation {
                Notation::Identity | Notation::Product | Notation::Outer => self.made(node),
                Notation::Infix("+" | "−") | Notation::Negative | Notation::Fraction | Notation::Hadamard => {
                    args.iter().any(|arg| self.algebraic(*arg, depth - 1))
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// The matrix of a linear map from rank `by` to rank `out`, in numerator layout: of
    /// a scalar by a vector it is a row.
    pub(super) fn jacobian(&self, matrix: NodeId, out: usize, by: usize) -> Math {
        let written = || self.math(matrix);
        match (out, by, self.program().shape(matrix).rank()) {
            (0, 1, 1) => self.row(matrix, DEPTH),
            (0, 1, 0) => scaled_ones(written(), vec![Math::Ones.transposed()]),
            (1, 0, 0) => scaled_ones(written(), vec![Math::Ones]),
            (1, 1, 0) | (2, 0, 0) => all_ones(written(), true),
            (1, 1, 1) | (2, 0, 1) => Math::product([Math::Ones, self.turned(matrix, DEPTH)]),
            _ => written(),
        }
    }

    /// The row of a vector; signs and scalars stay in front.
    fn row(&self, node: NodeId, depth: usize) -> Math {
        let args = &self.program().node(node).args;
        let op = self.program().op(node).filter(|_| depth > 0 && self.program().name(node).is_none());
        let scalar = |id: &NodeId| self.program().shape(*id) == &Shape::default();
        match (op.map(|(op, _)| op.notation), args.as_slice()) {
            (Some(Notation::Negative), [inner]) => Math::negative(self.row(*inner, depth - 1)),
            (Some(Notation::Hadamard), [s, v] | [v, s]) if scalar(s) && !scalar(v) => {
                Math::product([self.math(*s), self.row(*v, depth - 1)])
            }
            (Some(Notation::Fraction), [v, s]) if scalar(s) => Math::fraction(self.row(*v, depth - 1), self.math(*s)),
            _ => self.turned(node, depth),
        }
    }
}

/// A vector or matrix with the same number in every entry.
fn all_ones(number: Math, matrix: bool) -> Math {
    let column = [Math::Ones];
    let row = matrix.then(|| Math::Ones.transposed());
    scaled_ones(number, column.into_iter().chain(row).collect())
}

fn scaled_ones(number: Math, ones: Vec<Math>) -> Math {
    match number {
        Math::Negative(inner) => Math::negative(scaled_ones(*inner, ones)),
        Math::Number(n) if n.is_negative() => Math::negative(scaled_ones(Math::Number(n.abs()), ones)),
        Math::Number(n) if n == Number::ONE => Math::product(ones),
        Math::Fraction(over, under) if *over == Math::Number(Number::ONE) => {
            Math::Fraction(Box::new(Math::product(ones)), under)
        }
        other => Math::product([other].into_iter().chain(ones)),
    }
}
