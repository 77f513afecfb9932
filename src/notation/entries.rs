//! Products entry by entry, and choices between entries.

use super::Math;
use super::of::{Scribe, Style};
use super::sums::scalar;
use crate::graph::NodeId;
use crate::ops::{Attrs, Number, OpRef};

impl Scribe<'_> {
    /// ⊙, or side by side with a scalar.
    pub(super) fn hadamard(&self, node: NodeId, x: Math, y: Math) -> Math {
        let [a, b] = self.program().node(node).args[..] else { return Math::hadamard([x, y]) };
        for (vector, matrix) in [((a, &x), &y), ((b, &y), &x)] {
            if let Some(scaled) = self.scaled(node, (vector.0, vector.1.clone()), matrix.clone()) {
                return scaled;
            }
        }
        match (self.rank(a), self.rank(b)) {
            (0, 0) if self.program().number_of(b).is_some() => Math::product([y, x]),
            // A differential that is a number stands behind what multiplies it.
            (0, _) if moves(&x) && !moves(&y) => Math::product([y, scalar(x)]),
            (0, _) => Math::product([scalar(x), y]),
            (_, 0) => Math::product([scalar(y), x]),
            // In a tree the argument stands first: • ⊙ m.
            _ if self.style() == Style::Written && y == Math::Hole => Math::hadamard([y, x]),
            _ => Math::hadamard([x, y]),
        }
    }

    /// `where(c, x, 0)` is 1[c] ⊙ x.
    pub(super) fn choice(&self, node: NodeId, (op, attrs): (OpRef, &Attrs), depth: usize) -> Math {
        let args = &self.program().node(node).args;
        let [c, x, y] = args[..] else { return Math::Ellipsis };
        if !self.is_zero(y) {
            let mut call = self.call((op, attrs), op.name, args, self.made(node), depth);
            // A condition by itself needs no brackets that make it a number.
            if let Math::Call(_, written) = &mut call
                && let Some(Math::Indicator(condition)) = written.first()
            {
                written[0] = (**condition).clone();
            }
            return call;
        }
        let (condition, value) = (Math::indicator(self.at(c, depth)), self.at(x, depth));
        if let Some(scaled) = self.scaled(node, (c, condition.clone()), value.clone()) {
            return scaled;
        }
        match (self.rank(c), self.rank(x)) {
            _ if value == Math::Number(Number::ONE) => condition,
            (0, _) | (_, 0) => Math::product([scalar(condition), value]),
            _ if self.style() == Style::Written && value == Math::Hole => Math::hadamard([value, condition]),
            _ => Math::hadamard([condition, value]),
        }
    }
}

/// Does a differential stand in it?
fn moves(math: &Math) -> bool {
    let mut found = matches!(math, Math::Differential(_));
    if !found {
        math.clone().each(&mut |part| found |= moves(part));
    }
    found
}
