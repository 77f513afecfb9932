//! Matrix notation by eliminating summed labels, leaves first.
//!
//! A label that one matrix carries is a matrix-vector product or a sum over an
//! axis; one that two matrices carry is a matrix product; one that three carry
//! has no matrix notation.

use super::fraction::{Bag, basis_place, fraction, total};
use super::tree::{TreeId, Trees};
use crate::form::{DimId, Forms, Label};
use crate::ops::{Attr, Number};
use std::collections::BTreeMap;

/// Dimensions a product is divided by, which turn a sum into a mean.
#[derive(Clone, Debug)]
pub struct Spare {
    /// The exponent of each dimension.
    pub sizes: BTreeMap<DimId, i64>,
    /// The coefficient.
    pub coefficient: Number,
    /// −1 where the sum stands below the fraction line.
    pub sign: i64,
}

impl Spare {
    /// Uses up one division by the dimension, if there is one.
    fn take(&mut self, forms: &Forms, dim: DimId) -> bool {
        if let Some(power) = self.sizes.get_mut(&dim) {
            if *power * self.sign < 0 {
                *power += self.sign;
                return true;
            }
            return false;
        }
        let fixed = forms.dim(dim).as_size().filter(|n| *n > 2).and_then(|n| i64::try_from(n).ok());
        let Some(n) = fixed else { return false };
        let divisible = match self.sign {
            1 => self.coefficient.denominator() % i128::from(n) == 0,
            _ => self.coefficient.numerator() % i128::from(n) == 0,
        };
        let by = Number::whole(n).power(self.sign);
        match by.filter(|_| divisible).and_then(|by| self.coefficient.times(by)) {
            Some(c) => {
                self.coefficient = c;
                true
            }
            None => false,
        }
    }

    fn take_all(&mut self, forms: &Forms, dims: &[DimId]) -> bool {
        let mut tried = self.clone();
        let all = dims.iter().all(|dim| tried.take(forms, *dim));
        if all {
            *self = tried;
        }
        all
    }
}

/// A product on its way to matrix notation.
#[derive(Clone, Default)]
pub struct Work {
    /// Scalars.
    pub scalars: Bag,
    /// For each label the vectors that carry it.
    pub vectors: BTreeMap<Label, Bag>,
    /// For each pair of labels, ascending, the matrices with these axes.
    pub matrices: BTreeMap<(Label, Label), Bag>,
    /// The dimension of each label.
    pub dims: BTreeMap<Label, DimId>,
}

/// A matrix product of powers, transposed if asked for, in its shorter spelling.
pub fn matrix(trees: &mut Trees, bag: &[(TreeId, Number)], flipped: bool) -> Option<TreeId> {
    let plain = fraction(trees, bag, Number::ONE)?;
    let mut turned = Vec::with_capacity(bag.len());
    for (tree, power) in bag {
        turned.push((trees.turn(*tree)?, *power));
    }
    let turned = fraction(trees, &turned, Number::ONE)?;
    let (wanted, opposite) = if flipped { (turned, plain) } else { (plain, turned) };
    let other = trees.turn(opposite)?;
    Some(if trees.size(other) < trees.size(wanted) { other } else { wanted })
}

/// A Bᵀ for each A of the matrices that are multiplied entry by entry, B the others:
/// the sums of A ⊙ B over the second axis stand on its diagonal. With `flipped` the
/// matrices are transposed first.
fn products(trees: &mut Trees, bag: &[(TreeId, Number)], flipped: bool) -> Option<Vec<TreeId>> {
    let mut found = Vec::new();
    for (i, (first, power)) in bag.iter().enumerate() {
        if power.is_negative() || power.as_whole().is_none() {
            continue;
        }
        let mut rest = bag.to_vec();
        rest[i].1 = power.plus(Number::whole(-1))?;
        rest.retain(|(_, p)| *p != Number::ZERO);
        if rest.iter().any(|(t, p)| !p.is_negative() && trees.rank(*t) == 2) {
            let left = matrix(trees, &[(*first, Number::ONE)], flipped)?;
            let right = matrix(trees, &rest, !flipped)?;
            found.push(trees.word("matmul", &[], &[left, right], 2)?);
        }
    }
    Some(found)
}

impl Work {
    /// Adds a value with these labels.
    pub fn put(&mut self, trees: &mut Trees, tree: TreeId, labels: &[Label], power: Number) -> Option<()> {
        match *labels {
            [] => self.scalars.push((tree, power)),
            [label] => self.vectors.entry(label).or_default().push((tree, power)),
            [a, b] if a == b => {
                let diagonal = trees.word("diag", &[], &[tree], 1)?;
                self.vectors.entry(a).or_default().push((diagonal, power));
            }
            [a, b] => {
                let tree = if a < b { tree } else { trees.turn(tree)? };
                self.matrices.entry((a.min(b), a.max(b))).or_default().push((tree, power));
            }
            _ => return None,
        }
        Some(())
    }

    /// The labels that share a matrix with this one.
    fn neighbours(&self, label: Label) -> Vec<Label> {
        let pairs = self.matrices.keys().filter(|(a, b)| *a == label || *b == label);
        pairs.map(|(a, b)| if *a == label { *b } else { *a }).collect()
    }

    /// The matrix between two labels, rows along the first.
    fn take_matrix(&mut self, trees: &mut Trees, from: Label, to: Label) -> Option<(TreeId, TreeId)> {
        let bag = self.matrices.remove(&(from.min(to), from.max(to)))?;
        let flipped = from > to;
        Some((matrix(trees, &bag, flipped)?, matrix(trees, &bag, !flipped)?))
    }

    /// Eliminates every label not in `out`.
    pub fn eliminate(&mut self, trees: &mut Trees, forms: &Forms, out: &[Label], spare: &mut Spare) -> Option<()> {
        loop {
            let mut summed: Vec<Label> = self.vectors.keys().copied().collect();
            summed.extend(self.matrices.keys().flat_map(|(a, b)| [*a, *b]));
            summed.sort_unstable();
            summed.dedup();
            summed.retain(|l| !out.contains(l));
            let rank = |l: &Label| {
                let degree = self.neighbours(*l).len();
                (degree, degree == 1 && !self.vectors.contains_key(l))
            };
            let Some(label) = summed.iter().copied().min_by_key(|l| (rank(l), *l)) else { return Some(()) };
            match self.neighbours(label).as_slice() {
                [] => self.close_vector(trees, forms, label, spare)?,
                [other] => self.close_leaf(trees, forms, label, *other, out, spare)?,
                [a, b] => self.join(trees, label, *a, *b, out)?,
                _ => return None,
            }
        }
    }

    fn close_vector(&mut self, trees: &mut Trees, forms: &Forms, label: Label, spare: &mut Spare) -> Option<()> {
        let bag = self.vectors.remove(&label)?;
        let mean = spare.take_all(forms, &[self.dims[&label]]);
        let scalar = total(trees, &bag, mean)?;
        self.scalars.push((scalar, Number::ONE));
        Some(())
    }

    /// A label with one matrix: M v, v M, or a sum over an axis.
    fn close_leaf(
        &mut self,
        trees: &mut Trees,
        forms: &Forms,
        label: Label,
        other: Label,
        out: &[Label],
        spare: &mut Spare,
    ) -> Option<()> {
        let alone = !self.vectors.contains_key(&label) && !self.vectors.contains_key(&other);
        if alone && !out.contains(&other) && self.neighbours(other).len() == 1 {
            return self.close_pair(trees, forms, label, other, spare);
        }
        let factors = self.matrices.get(&(label.min(other), label.max(other))).cloned().unwrap_or_default();
        let (rows, columns) = self.take_matrix(trees, other, label)?;
        let vector = match self.vectors.remove(&label) {
            Some(bag) => {
                let vector = fraction(trees, &bag, Number::ONE)?;
                let right = trees.word("matmul", &[], &[rows, vector], 1)?;
                let left = trees.word("matmul", &[], &[vector, columns], 1)?;
                match basis_place(trees, vector) {
                    Some(place) => trees.word("index", &[("at", Attr::Whole(place))], &[columns], 1)?,
                    None if trees.size(left) < trees.size(right) => left,
                    None => right,
                }
            }
            None => {
                let mean = spare.take_all(forms, &[self.dims[&label]]);
                let name = if mean { "mean" } else { "sum" };
                let over = |axis| [("axis", Attr::Axes(vec![axis])), ("keepdims", Attr::Flag(false))];
                let across = trees.word(name, &over(1), &[rows], 1)?;
                let down = trees.word(name, &over(0), &[columns], 1)?;
                let mut best = Some(across);
                keep_shorter(trees, &mut best, down);
                if forms.dim(self.dims[&label]).is_one() {
                    best.iter().for_each(|sum| trees.mark_single(*sum));
                } else if !mean && out == [other] && forms.speaks_of_diagonals() {
                    for product in products(trees, &factors, other > label)? {
                        let diagonal = trees.word("diag", &[], &[product], 1)?;
                        keep_shorter(trees, &mut best, diagonal);
                    }
                }
                best?
            }
        };
        self.vectors.entry(other).or_default().push((vector, Number::ONE));
        Some(())
    }

    /// Two labels with matrices between them and nothing else: sum(A * B) or trace(A @ Bᵀ).
    fn close_pair(&mut self, trees: &mut Trees, forms: &Forms, a: Label, b: Label, spare: &mut Spare) -> Option<()> {
        let bag = self.matrices.remove(&(a.min(b), a.max(b)))?;
        let mean = spare.take_all(forms, &[self.dims[&a], self.dims[&b]]);
        let mut best: Option<TreeId> = None;
        for flipped in [false, true] {
            let whole = matrix(trees, &bag, flipped)?;
            let sum = total(trees, &[(whole, Number::ONE)], mean)?;
            keep_shorter(trees, &mut best, sum);
        }
        for flipped in [false, true].into_iter().filter(|_| !mean) {
            for product in products(trees, &bag, flipped)? {
                let trace = trees.word("trace", &[], &[product], 0)?;
                keep_shorter(trees, &mut best, trace);
            }
        }
        self.scalars.push((best?, Number::ONE));
        Some(())
    }

    /// A label with two matrices: M N, or M diag(v) N.
    fn join(&mut self, trees: &mut Trees, label: Label, a: Label, b: Label, out: &[Label]) -> Option<()> {
        if self.fold_outer(trees, label, &[a, b], out)? {
            return Some(());
        }
        let (a, b) = (a.min(b), a.max(b));
        self.spread_last(trees, label, b, out)?;
        let (left, left_turned) = self.take_matrix(trees, a, label)?;
        let (right, right_turned) = self.take_matrix(trees, label, b)?;
        let middle = match self.vectors.remove(&label) {
            Some(bag) => {
                let vector = fraction(trees, &bag, Number::ONE)?;
                Some(trees.word("diag", &[], &[vector], 2)?)
            }
            None => None,
        };
        let chain = |trees: &mut Trees, left: TreeId, right: TreeId| {
            let left = match middle {
                Some(middle) => trees.word("matmul", &[], &[left, middle], 2)?,
                None => left,
            };
            trees.word("matmul", &[], &[left, right], 2)
        };
        let forth = chain(trees, left, right)?;
        let back = chain(trees, right_turned, left_turned)?;
        let back = trees.word("transpose", &[], &[back], 2)?;
        let product = if trees.size(back) < trees.size(forth) { back } else { forth };
        self.matrices.entry((a, b)).or_default().push((product, Number::ONE));
        Some(())
    }

    /// M diag(u) N diag(v) is M (outer(u, v) * N), where N is more than a name and v stands
    /// at the last axis of the value.
    fn spread_last(&mut self, trees: &mut Trees, label: Label, other: Label, out: &[Label]) -> Option<()> {
        let pair = (label.min(other), label.max(other));
        let written = self.matrices.get(&pair).is_some_and(|bag| match bag.as_slice() {
            [(one, power)] => *power != Number::ONE || trees.size(*one) > 2,
            _ => true,
        });
        let both = self.vectors.contains_key(&label) && self.vectors.contains_key(&other);
        if !written || !both || out.last() != Some(&other) {
            return Some(());
        }
        let (u, v) = (self.vectors.remove(&label)?, self.vectors.remove(&other)?);
        let (u, v) = (fraction(trees, &u, Number::ONE)?, fraction(trees, &v, Number::ONE)?);
        let ends = if label < other { [u, v] } else { [v, u] };
        let outer = trees.word("outer", &[], &ends, 2)?;
        self.matrices.get_mut(&pair)?.insert(0, (outer, Number::ONE));
        Some(())
    }

    /// diag(u) M diag(v) inside a longer chain is outer(u, v) * M.
    fn fold_outer(&mut self, trees: &mut Trees, label: Label, others: &[Label], out: &[Label]) -> Option<bool> {
        let inside =
            |work: &Work, l: Label| !out.contains(&l) && work.vectors.contains_key(&l) && work.neighbours(l).len() == 2;
        let Some(other) = others.iter().copied().find(|o| inside(self, *o)).filter(|_| inside(self, label)) else {
            return Some(false);
        };
        let (a, b) = (label.min(other), label.max(other));
        let (u, v) = (self.vectors.remove(&a)?, self.vectors.remove(&b)?);
        let (u, v) = (fraction(trees, &u, Number::ONE)?, fraction(trees, &v, Number::ONE)?);
        let outer = trees.word("outer", &[], &[u, v], 2)?;
        self.matrices.get_mut(&(a, b))?.insert(0, (outer, Number::ONE));
        Some(true)
    }
}

/// Keeps the shorter of two expressions, the first of equals.
pub fn keep_shorter(trees: &Trees, best: &mut Option<TreeId>, other: TreeId) {
    if best.is_none_or(|b| trees.size(other) < trees.size(b)) {
        *best = Some(other);
    }
}
