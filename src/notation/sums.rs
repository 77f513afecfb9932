//! Sums over entries, and values repeated.

use super::Math;
use super::of::{DEPTH, Scribe, Style};
use crate::graph::NodeId;
use crate::ops::{Attrs, Notation, Number};
use crate::shape::Dim;

impl Scribe<'_> {
    /// The sum over all entries of a product entry by entry or of a square: xᵀy, ⟨X, Y⟩, ‖x‖².
    pub(super) fn inner(&self, args: &[NodeId], attrs: &Attrs, depth: usize) -> Option<Math> {
        let of = *args.first().filter(|of| self.program().name(**of).is_none())?;
        let (rank, (op, _)) = (self.rank(of), self.program().op(of)?);
        if self.style() != Style::Columns || depth < 2 || !(1..=2).contains(&rank) || attrs.axes().len() != rank {
            return None;
        }
        let factors = &self.program().node(of).args;
        let two = |power: &NodeId| self.program().number_of(*power) == Some(Number::whole(2));
        match (op.notation, &factors[..]) {
            (Notation::Square, [base]) => Some(squared(self.at(*base, depth - 2))),
            (Notation::Power, [base, power]) if two(power) => Some(squared(self.at(*base, depth - 2))),
            (Notation::Hadamard, [a, b])
                if [a, b].iter().all(|side| self.program().shape(**side) == self.program().shape(of)) =>
            {
                let (left, right) = (self.turned(*a, depth - 2), self.at(*b, depth - 2));
                Some(match rank {
                    1 => Math::product([left, right]),
                    _ => Math::Inner(Box::new(self.at(*a, depth - 2)), Box::new(right)),
                })
            }
            _ => None,
        }
    }

    /// Sums of vectors and matrices as products with the vector of ones.
    pub(super) fn summed(&self, args: &[NodeId], attrs: &Attrs, x: Math) -> Option<Math> {
        let row = || Math::Ones.transposed();
        let dims = &self.program().shape(*args.first()?).0;
        // Of one entry there is nothing to add up: a column of one number is that number.
        let single = |axis: &usize| dims.get(*axis).is_some_and(Dim::is_one);
        match (self.style(), self.rank(*args.first()?), attrs.axes()) {
            (Style::Columns, _, axes)
                if axes.iter().all(single) && axes.last().is_some_and(|axis| axis + 1 == dims.len()) =>
            {
                Some(x)
            }
            (Style::Columns, 0, _) => Some(x),
            (Style::Columns, 1, [0]) => Some(Math::product([row(), x])),
            (Style::Columns, 2, [0]) => Some(Math::product([row(), x])),
            (Style::Columns, 2, [1]) => Some(Math::product([x, Math::Ones])),
            (Style::Columns, 2, [0, 1]) => Some(Math::product([row(), x, Math::Ones])),
            _ => None,
        }
    }

    /// 1 as a column, 1ᵀ as a row, 1 1ᵀ.
    pub(super) fn ones(&self, node: NodeId) -> Math {
        match &self.program().shape(node).0[..] {
            [m, n] if self.style() == Style::Columns && !n.is_one() => match m.is_one() {
                true => Math::Ones.transposed(),
                false => Math::product([Math::Ones, Math::Ones.transposed()]),
            },
            _ => Math::Ones,
        }
    }

    /// A value repeated along axes it lacks.
    pub(super) fn spread(&self, node: NodeId, args: &[NodeId], x: Math) -> Math {
        match (self.style(), args.first().map_or(0, |arg| self.rank(*arg)), self.rank(node)) {
            (Style::Columns, 0, 1) => Math::product([scalar(x), Math::Ones]),
            (Style::Columns, 0, 2) => Math::product([scalar(x), Math::Ones, Math::Ones.transposed()]),
            (Style::Columns, 1, 2) => {
                Math::product([Math::Ones, args.first().map_or(x, |arg| self.turned(*arg, DEPTH))])
            }
            _ => x,
        }
    }
}

/// A scalar beside a vector or matrix: an inner product is kept together.
pub(super) fn scalar(math: Math) -> Math {
    match math {
        Math::Product(factors) if factors.iter().any(|f| matches!(f, Math::Transpose(_))) => {
            Math::call("", vec![Math::Product(factors)])
        }
        other => other,
    }
}

/// ‖x‖².
fn squared(math: Math) -> Math {
    Math::Power(Box::new(Math::Norm(Box::new(math))), Box::new(Math::whole(2)))
}
