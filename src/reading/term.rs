//! One term of a form as an expression.

use super::eliminate::{Spare, Work, keep_shorter, matrix};
use super::fraction::{Bag, fraction};
use super::reader::Reader;
use super::tree::TreeId;
use crate::form::{Atom, DimId, Factor, Forms, Mono};
use crate::ops::{Attr, Notation, Number};
use std::collections::BTreeMap;

/// Which axes of the whole a term has; the others come by broadcasting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cover {
    /// All.
    Full,
    /// None.
    Scalar,
    /// The last of two.
    Row,
    /// The first of two, as a vector.
    Column,
    /// It is the vector of a diagonal matrix.
    Diagonal,
}

/// A term as it is written.
#[derive(Clone, Copy, Debug)]
pub struct Term {
    /// Is there a minus sign in front?
    pub negative: bool,
    /// What follows the sign.
    pub tree: TreeId,
    /// Its axes.
    pub cover: Cover,
    /// Of a multiple of the identity, the number it is multiplied by.
    pub identity: Option<TreeId>,
}

impl Reader {
    /// The term; with `positive` a group in it is turned around rather than
    /// having a minus sign in front. The coefficient, or a part of it, goes into
    /// a group where that is shorter.
    pub fn term(&mut self, forms: &mut Forms, mono: &Mono, c: Number, shape: &[DimId], positive: bool) -> Option<Term> {
        let turned = if c.is_negative() && positive { self.turnable(forms, mono) } else { None };
        let sign = Number::whole(-1);
        let mut best = self.scaled_term(forms, mono, c, shape, turned.map(|place| (place, sign)))?;
        if turned.is_none() {
            if let Some((other, c, preferred)) = forms.with_pi(mono, c) {
                let other = self.scaled_term(forms, &other, c, shape, None)?;
                if preferred || self.trees.size(other.tree) < self.trees.size(best.tree) {
                    best = other;
                }
            }
            for whole in forms.with_whole_determinants(mono) {
                let other = self.scaled_term(forms, &whole, c, shape, None)?;
                if self.trees.size(other.tree) < self.trees.size(best.tree) {
                    best = other;
                }
            }
        }
        for (place, factor) in mono.factors.iter().enumerate() {
            for by in scales(forms, factor, c) {
                let by = if turned == Some(place) { by.negated() } else { by };
                if turned.is_some_and(|other| other != place) {
                    continue;
                }
                let Some(other) = self.scaled_term(forms, mono, c, shape, Some((place, by))) else { continue };
                let fits = other.negative == best.negative && other.cover == best.cover;
                if fits && self.trees.size(other.tree) < self.trees.size(best.tree) {
                    best = other;
                }
            }
        }
        Some(best)
    }

    /// The term with the group at a place multiplied by a number, and all else divided by it.
    fn scaled_term(
        &mut self,
        forms: &mut Forms,
        mono: &Mono,
        c: Number,
        shape: &[DimId],
        scale: Option<(usize, Number)>,
    ) -> Option<Term> {
        let c = match scale {
            // The exponent is odd: of −1 the power does not matter.
            Some((_, by)) => c.over(by)?,
            None => c,
        };
        let negative = c.is_negative();
        let mut work = Work::default();
        for (label, dim) in mono.out.iter().zip(shape) {
            work.dims.insert(*label, *dim);
        }
        let mut spare = Spare { sizes: BTreeMap::new(), coefficient: c.abs(), sign: 1 };
        let mut closed: Vec<(&Factor, bool)> = Vec::new();
        for (place, factor) in mono.factors.iter().enumerate() {
            let by = scale.filter(|(at, _)| *at == place).map(|(_, by)| by);
            match &*forms.atom(factor.atom) {
                Atom::Size(dim) if factor.power.as_whole().is_some() => {
                    spare.sizes.insert(*dim, factor.power.as_whole().unwrap_or(0));
                }
                Atom::Root(prime) => {
                    // √2 / 2 is 1 / √2.
                    let mut power = factor.power;
                    if spare.coefficient.denominator() % prime == 0
                        && let Some(c) = Number::ratio(*prime, 1).and_then(|p| spare.coefficient.times(p))
                        && let Some(less) = power.plus(Number::whole(-1))
                    {
                        (spare.coefficient, power) = (c, less);
                    }
                    let tree = self.trees.number(Number::ratio(*prime, 1)?);
                    work.scalars.push((tree, power));
                }
                Atom::Closed(_) => closed.push((factor, by.is_some())),
                _ => {
                    let dims = forms.atom_shape(factor.atom).to_vec();
                    for (label, dim) in factor.labels.iter().zip(dims) {
                        work.dims.entry(*label).or_insert(dim);
                    }
                    let tree = self.factor(forms, factor, by)?;
                    work.put(&mut self.trees, tree, &factor.labels, factor.power)?;
                }
            }
        }
        for (factor, flip) in closed {
            let tree = self.closed(forms, factor, flip, &mut spare)?;
            work.scalars.push((tree, factor.power));
        }
        spare.sign = 1;
        work.eliminate(&mut self.trees, forms, &mono.out, &mut spare)?;
        for (dim, power) in &spare.sizes {
            let tree = self.size_of(forms, *dim);
            work.scalars.push((tree, Number::whole(*power)));
        }
        let (tree, cover, identity) = self.assembled(forms, work, mono, spare.coefficient, shape)?;
        Some(Term { negative, tree, cover, identity })
    }

    /// The place of a group that can take a minus sign by being turned around.
    fn turnable(&self, forms: &Forms, mono: &Mono) -> Option<usize> {
        self.turnables(forms, mono).map(|(_, place)| place)
    }

    /// The place of the first group that is best turned around, with how well it is: one
    /// with an odd exponent, standing once, with terms of both signs. A group by itself
    /// before one in a sum; 1 − u stays as it is, where another can be turned.
    fn turnables(&self, forms: &Forms, mono: &Mono) -> Option<((bool, bool), usize)> {
        let once = |factor: &Factor| mono.factors.iter().filter(|f| f.atom == factor.atom).count() == 1;
        let rank = |factor: &Factor| {
            let odd = factor.power.as_whole().is_some_and(|n| n % 2 != 0);
            let inner = match &*forms.atom(factor.atom) {
                _ if !odd => return None,
                Atom::Closed(inner) => {
                    return self.turnables(forms, &forms.mono(*inner)).map(|((number, _), _)| (number, true));
                }
                Atom::Group(inner) => *inner,
                // (−S)⁻¹ is −S⁻¹.
                Atom::Apply(op, _, args) if op.notation == Notation::Inverse || Forms::is_odd(op) => args[0],
                _ => return None,
            };
            let terms = &forms.form(inner).terms;
            let mixed = terms.iter().any(|(_, c)| c.is_negative()) && terms.iter().any(|(_, c)| !c.is_negative());
            let number = terms.iter().any(|(mono, _)| forms.mono(*mono).factors.is_empty());
            (mixed && once(factor)).then_some((number, false))
        };
        let places = mono.factors.iter().enumerate().filter_map(|(place, factor)| Some((rank(factor)?, place)));
        places.min()
    }

    fn factor(&mut self, forms: &mut Forms, factor: &Factor, by: Option<Number>) -> Option<TreeId> {
        if let (Some(by), Atom::Group(inner)) = (by, &*forms.atom(factor.atom)) {
            let scaled = forms.scaled(*inner, by).ok()?;
            return self.form(forms, scaled, true);
        }
        if let (Some(by), Atom::Apply(op, attrs, args)) = (by, &*forms.atom(factor.atom)) {
            let scaled = forms.scaled(args[0], by).ok()?;
            let inner = self.form(forms, scaled, true)?;
            let rank = self.trees.rank(inner);
            return Some(self.trees.apply(op, attrs.clone(), &[inner], rank));
        }
        self.atom(forms, factor.atom)
    }

    /// A contraction without free label, by itself.
    pub fn closed_alone(&mut self, forms: &mut Forms, factor: &Factor) -> Option<TreeId> {
        let mut none = Spare { sizes: BTreeMap::new(), coefficient: Number::ONE, sign: 1 };
        self.closed(forms, factor, false, &mut none)
    }

    /// A contraction without free label.
    fn closed(&mut self, forms: &mut Forms, factor: &Factor, flip: bool, spare: &mut Spare) -> Option<TreeId> {
        let Atom::Closed(mono) = *forms.atom(factor.atom) else { return None };
        let mono = forms.mono(mono);
        let turned = if flip { self.turnable(forms, &mono) } else { None };
        let mut work = Work::default();
        for (place, factor) in mono.factors.iter().enumerate() {
            let dims = forms.atom_shape(factor.atom).to_vec();
            for (label, dim) in factor.labels.iter().zip(dims) {
                work.dims.insert(*label, dim);
            }
            let tree = self.factor(forms, factor, (turned == Some(place)).then(|| Number::whole(-1)))?;
            work.put(&mut self.trees, tree, &factor.labels, factor.power)?;
        }
        let mut none = Spare { sizes: BTreeMap::new(), coefficient: Number::ONE, sign: 1 };
        let unit = factor.power.abs() == Number::ONE;
        spare.sign = if factor.power.is_negative() { -1 } else { 1 };
        work.eliminate(&mut self.trees, forms, &[], if unit { spare } else { &mut none })?;
        fraction(&mut self.trees, &work.scalars, Number::ONE)
    }

    /// What is left after elimination: scalars, vectors on the axes, one matrix.
    fn assembled(
        &mut self,
        forms: &mut Forms,
        mut work: Work,
        mono: &Mono,
        c: Number,
        shape: &[DimId],
    ) -> Option<(TreeId, Cover, Option<TreeId>)> {
        let scalars = work.scalars.clone();
        let with = |bag: Bag| -> Bag { scalars.iter().copied().chain(bag).collect() };
        match *mono.out.as_slice() {
            [] => Some((fraction(&mut self.trees, &scalars, c)?, Cover::Full, None)),
            [i] => match work.vectors.remove(&i) {
                Some(bag) => Some((fraction(&mut self.trees, &with(bag), c)?, Cover::Full, None)),
                None => Some((fraction(&mut self.trees, &scalars, c)?, Cover::Scalar, None)),
            },
            [i, j] if i == j => match work.vectors.remove(&i) {
                Some(bag) => Some((fraction(&mut self.trees, &with(bag), c)?, Cover::Diagonal, None)),
                None => {
                    let n = forms.dim(shape[0]).clone();
                    let eye = self.trees.word("eye", &[("dims", Attr::Dims(vec![n]))], &[], 2)?;
                    let tree = fraction(&mut self.trees, &with(vec![(eye, Number::ONE)]), c)?;
                    let alone = fraction(&mut self.trees, &scalars, c)?;
                    Some((tree, Cover::Full, Some(alone)))
                }
            },
            [i, j] => {
                let (u, v) = (work.vectors.remove(&i), work.vectors.remove(&j));
                let m = work.matrices.remove(&(i.min(j), i.max(j)));
                let (tree, cover) = self.matrix_term(&scalars, u, v, m.map(|m| (m, i > j)), c)?;
                Some((tree, cover, None))
            }
            _ => None,
        }
    }

    /// u_i M_ij v_j, of which each may be missing.
    fn matrix_term(
        &mut self,
        scalars: &Bag,
        u: Option<Bag>,
        v: Option<Bag>,
        m: Option<(Bag, bool)>,
        c: Number,
    ) -> Option<(TreeId, Cover)> {
        let with = |bag: Bag| -> Bag { scalars.iter().copied().chain(bag).collect() };
        let trees = &mut self.trees;
        match (u, v, m) {
            (None, None, None) => Some((fraction(trees, scalars, c)?, Cover::Scalar)),
            (None, Some(v), None) => Some((fraction(trees, &with(v), c)?, Cover::Row)),
            (Some(u), None, None) => Some((fraction(trees, &with(u), c)?, Cover::Column)),
            (Some(u), Some(v), None) => {
                let (u, v) = (fraction(trees, &u, Number::ONE)?, fraction(trees, &v, Number::ONE)?);
                let outer = trees.word("outer", &[], &[u, v], 2)?;
                Some((fraction(trees, &with(vec![(outer, Number::ONE)]), c)?, Cover::Full))
            }
            (u, v, Some((bag, flipped))) => {
                let mut oriented = Vec::with_capacity(bag.len());
                for (tree, power) in &bag {
                    oriented.push((if flipped { trees.turn(*tree)? } else { *tree }, *power));
                }
                let Some(u) = u else {
                    for (vector, power) in v.unwrap_or_default() {
                        oriented.push((super::column::row_or_vector(trees, vector), power));
                    }
                    let plain = fraction(trees, &with(oriented.clone()), c)?;
                    let mut best = Some(plain);
                    if oriented.len() == bag.len() {
                        // The transpose of the whole may be shorter.
                        let whole = matrix(trees, &oriented, false)?;
                        let other = fraction(trees, &with(vec![(whole, Number::ONE)]), c)?;
                        keep_shorter(trees, &mut best, other);
                    }
                    return Some((best?, Cover::Full));
                };
                let first = fraction(trees, &u, Number::ONE)?;
                let mut best = None;
                if let Some(v) = v {
                    let last = fraction(trees, &v, Number::ONE)?;
                    let outer = trees.word("outer", &[], &[first, last], 2)?;
                    let mut all = vec![(outer, Number::ONE)];
                    all.extend(oriented);
                    let tree = fraction(trees, &with(all), c)?;
                    keep_shorter(trees, &mut best, tree);
                } else {
                    let whole = matrix(trees, &oriented, false)?;
                    let diagonal = trees.word("diag", &[], &[first], 2)?;
                    let left = trees.word("matmul", &[], &[diagonal, whole], 2)?;
                    let tree = fraction(trees, &with(vec![(left, Number::ONE)]), c)?;
                    keep_shorter(trees, &mut best, tree);
                    let mut columns = Vec::new();
                    for (tree, power) in &u {
                        columns.extend(super::column::kept(trees, *tree, 1).map(|t| (t, *power)));
                    }
                    if columns.len() == u.len() {
                        oriented.extend(columns);
                        let tree = fraction(trees, &with(oriented), c)?;
                        keep_shorter(trees, &mut best, tree);
                    }
                }
                Some((best?, Cover::Full))
            }
        }
    }
}

/// Numbers by which a group may be multiplied to make its term shorter: the
/// coefficient of the term, and those that make a coefficient of the group 1.
fn scales(forms: &Forms, factor: &Factor, c: Number) -> Vec<Number> {
    let Atom::Group(inner) = *forms.atom(factor.atom) else { return Vec::new() };
    let form = forms.form(inner);
    let plain = |n: Number| n.abs() == Number::ONE;
    if factor.power != Number::ONE || form.terms.len() > 8 {
        return Vec::new();
    }
    let mut found: Vec<Number> = form.terms.iter().filter_map(|(_, k)| Number::ONE.over(k.abs())).collect();
    found.push(c.abs());
    found.sort_unstable();
    found.dedup();
    found.retain(|n| !plain(*n));
    found
}
