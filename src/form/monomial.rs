//! Monomials in the making: labels are joined, factors merged and cancelled,
//! what touches no free label becomes one closed scalar.

use super::Refusal;
use super::arena::{Atom, DimId, Factor, FormId, Forms, Label, Mono, MonoId};
use super::cancel::cancel_product;
use crate::ops::Number;

/// More summed labels than a monomial may have.
const LABELS: usize = 96;

/// A product whose labels are still being joined.
#[derive(Clone, Debug)]
pub struct Raw {
    /// One label for each axis of the value.
    pub out: Vec<Label>,
    /// The factors so far.
    pub factors: Vec<Factor>,
    /// The coefficient so far.
    pub coefficient: Number,
    /// The dimension of each label.
    pub dims: Vec<DimId>,
    /// The label that each label was joined to, itself at first.
    joined: Vec<Label>,
    /// Labels whose sum was used up.
    spent: Vec<bool>,
}

impl Raw {
    /// The product of nothing, with these labels.
    pub fn new(out: &[Label], dims: Vec<DimId>) -> Raw {
        let joined = (0..dims.len() as Label).collect();
        let spent = vec![false; dims.len()];
        Raw { out: out.to_vec(), factors: Vec::new(), coefficient: Number::ONE, dims, joined, spent }
    }

    /// A new label.
    pub fn label(&mut self, dim: DimId) -> Label {
        self.dims.push(dim);
        self.spent.push(false);
        let label = (self.dims.len() - 1) as Label;
        self.joined.push(label);
        label
    }

    /// The label that this one was joined to.
    pub fn find(&self, mut label: Label) -> Label {
        while self.joined[label as usize] != label {
            label = self.joined[label as usize];
        }
        label
    }

    /// The label is not summed any more, though nothing carries it.
    pub fn spend(&mut self, label: Label) {
        self.spent[label as usize] = true;
    }

    /// Makes two labels one.
    pub fn join(&mut self, a: Label, b: Label) {
        let (a, b) = (self.find(a), self.find(b));
        // A free label stays; of two alike the smaller does.
        let (kept, gone) = match (self.out.contains(&a), self.out.contains(&b)) {
            (false, true) => (b, a),
            (true, false) => (a, b),
            _ => (a.min(b), a.max(b)),
        };
        if kept == gone {
            return;
        }
        let swap = |label: &mut Label| {
            if *label == gone {
                *label = kept;
            }
        };
        self.out.iter_mut().for_each(swap);
        self.factors.iter_mut().flat_map(|f| &mut f.labels).for_each(swap);
        self.joined[gone as usize] = kept;
    }

    /// Labels that nothing carries any more are not summed, but those in `kept`.
    pub fn spend_unused(&mut self, kept: &[Label]) {
        for label in 0..self.dims.len() as Label {
            if self.uses(label) == 0 && !kept.contains(&label) {
                self.spend(label);
            }
        }
    }

    /// Multiplies the coefficient.
    ///
    /// # Errors
    /// If it does not fit.
    pub fn scale(&mut self, c: Number) -> Result<(), Refusal> {
        self.coefficient = self.coefficient.times(c).ok_or(Refusal::Overflow)?;
        Ok(())
    }

    /// How many factors and axes hold the label.
    pub fn uses(&self, label: Label) -> usize {
        let factors = self.factors.iter().flat_map(|f| &f.labels).filter(|l| **l == label).count();
        factors + self.out.iter().filter(|l| **l == label).count()
    }

    /// Multiplies by a monomial whose axes get these labels.
    ///
    /// # Errors
    /// If the coefficient does not fit.
    pub fn place(&mut self, forms: &Forms, mono: &Mono, c: Number, labels: &[Label]) -> Result<(), Refusal> {
        self.scale(c)?;
        let mut map: Vec<Option<Label>> = vec![None; mono.bound() as usize];
        let mut joined: Vec<(Label, Label)> = Vec::new();
        for (inner, outer) in mono.out.iter().zip(labels) {
            let outer = self.find(*outer);
            match map[*inner as usize] {
                Some(first) => joined.push((first, outer)),
                None => map[*inner as usize] = Some(outer),
            }
        }
        for factor in &mono.factors {
            let shape = forms.atom_shape(factor.atom);
            let mut placed = factor.clone();
            for (label, dim) in placed.labels.iter_mut().zip(shape) {
                *label = *map[*label as usize].get_or_insert_with(|| self.label(*dim));
            }
            self.factors.push(placed);
        }
        for (a, b) in joined {
            self.join(a, b);
        }
        Ok(())
    }
}

impl Forms {
    /// The terms a product comes to. `keep` leaves a lone group as it is, else
    /// its terms are spelled out.
    pub(super) fn finish(&mut self, mut raw: Raw, keep: bool) -> Result<Vec<(MonoId, Number)>, Refusal> {
        self.simplify(&mut raw)?;
        if raw.coefficient == Number::ZERO {
            return Ok(Vec::new());
        }
        self.fill_orphans(&mut raw);
        self.close(&mut raw)?;
        if raw.factors.iter().map(|f| f.labels.len()).sum::<usize>() > 2 * LABELS {
            return Err(Refusal::TooLarge);
        }
        if let ([factor], false) = (raw.factors.as_slice(), keep)
            && let Atom::Group(inner) = *self.atom(factor.atom)
            && factor.power == Number::ONE
            && factor.labels.iter().all(|l| raw.out.contains(l))
        {
            return self.spell_out(&raw, inner, &factor.labels.clone());
        }
        Ok(vec![(self.intern_mono(&raw.out, raw.factors), raw.coefficient)])
    }

    /// The terms of a group that stands alone in a product.
    fn spell_out(&mut self, raw: &Raw, inner: FormId, labels: &[Label]) -> Result<Vec<(MonoId, Number)>, Refusal> {
        let mut terms = Vec::new();
        for (mono, c) in &self.form(inner).terms {
            let mut term = Raw { factors: Vec::new(), ..raw.clone() };
            term.place(self, &self.mono(*mono), *c, labels)?;
            terms.extend(self.finish(term, true)?);
        }
        Ok(terms)
    }

    /// Merges and cancels until nothing changes.
    pub(super) fn simplify(&mut self, raw: &mut Raw) -> Result<(), Refusal> {
        loop {
            self.merge(raw)?;
            if raw.coefficient == Number::ZERO {
                return Ok(());
            }
            if !self.inline_groups(raw)? && !cancel_product(self, raw)? {
                return Ok(());
            }
        }
    }

    /// Adds the exponents of equal atoms with equal labels.
    pub(super) fn merge(&mut self, raw: &mut Raw) -> Result<(), Refusal> {
        for factor in &mut raw.factors {
            if factor.labels.len() == 2 && factor.labels[0] > factor.labels[1] && self.is_symmetric(factor.atom)? {
                factor.labels.swap(0, 1);
            }
        }
        raw.factors.sort_by(|a, b| self.compare_factors(a, b));
        let mut merged: Vec<Factor> = Vec::with_capacity(raw.factors.len());
        for factor in std::mem::take(&mut raw.factors) {
            match merged.last_mut() {
                Some(last) if last.atom == factor.atom && last.labels == factor.labels => {
                    last.power = last.power.plus(factor.power).ok_or(Refusal::Overflow)?;
                }
                _ => merged.push(factor),
            }
        }
        merged.retain(|f| f.power != Number::ZERO);
        for factor in &mut merged {
            self.settle_power(factor, &mut raw.coefficient)?;
        }
        merged.retain(|f| f.power != Number::ZERO);
        raw.factors = merged;
        Ok(())
    }

    /// A root keeps the part of its exponent below 1; a mask has exponent 1.
    fn settle_power(&mut self, factor: &mut Factor, coefficient: &mut Number) -> Result<(), Refusal> {
        match *self.atom(factor.atom) {
            Atom::Root(prime) => {
                let whole = factor.power.numerator().div_euclid(factor.power.denominator());
                let whole = i64::try_from(whole).map_err(|_| Refusal::Overflow)?;
                let base = Number::ratio(prime, 1).and_then(|p| p.power(whole)).ok_or(Refusal::Overflow)?;
                *coefficient = coefficient.times(base).ok_or(Refusal::Overflow)?;
                factor.power = factor.power.plus(Number::whole(-whole)).ok_or(Refusal::Overflow)?;
            }
            _ if factor.power != Number::ONE && !factor.power.is_negative() && self.is_idempotent(factor.atom) => {
                factor.power = Number::ONE;
            }
            _ => {}
        }
        Ok(())
    }

    /// Replaces a group of one term and exponent 1 by its term.
    fn inline_groups(&mut self, raw: &mut Raw) -> Result<bool, Refusal> {
        for i in 0..raw.factors.len() {
            let Atom::Group(inner) = *self.atom(raw.factors[i].atom) else { continue };
            let form = self.form(inner);
            let power = raw.factors[i].power;
            match form.terms.as_slice() {
                [] if !power.is_negative() => raw.coefficient = Number::ZERO,
                [] => return Err(Refusal::Undefined),
                [(mono, c)] if power == Number::ONE => {
                    let factor = raw.factors.remove(i);
                    raw.place(self, &self.mono(*mono), *c, &factor.labels)?;
                }
                _ => continue,
            }
            return Ok(true);
        }
        Ok(false)
    }

    /// A sum over a label that nothing carries is its dimension.
    pub(super) fn fill_orphans(&mut self, raw: &mut Raw) {
        let mut factors = Vec::new();
        for label in 0..raw.dims.len() {
            let summed = raw.joined[label] as usize == label && !raw.spent[label];
            if summed && raw.uses(label as Label) == 0 {
                raw.spent[label] = true;
                factors.extend(self.size_factors(raw.dims[label], Number::ONE, &mut raw.coefficient));
            }
        }
        if !factors.is_empty() {
            raw.factors.extend(factors);
            raw.factors.sort_by(|a, b| self.compare_factors(a, b));
            raw.factors.dedup_by(|b, a| {
                let same = a.atom == b.atom && a.labels == b.labels;
                if same && let Some(power) = a.power.plus(b.power) {
                    a.power = power;
                }
                same
            });
            raw.factors.retain(|f| f.power != Number::ZERO);
        }
    }

    /// A dimension as factors: a fixed size goes into the coefficient.
    pub(super) fn size_factors(&mut self, dim: DimId, power: Number, coefficient: &mut Number) -> Vec<Factor> {
        let fixed = self.dim(dim).as_size().and_then(|n| i64::try_from(n).ok());
        if let Some(n) = fixed
            && let Some(whole) = power.as_whole()
            && let Some(c) = Number::whole(n).power(whole).and_then(|p| coefficient.times(p))
        {
            *coefficient = c;
            return Vec::new();
        }
        let product = self.dim(dim).as_product().map(|(names, factor)| (names.to_vec(), factor));
        let number = |factor: i64| power.as_whole().and_then(|whole| Number::whole(factor).power(whole));
        let product = product.and_then(|(names, factor)| match factor {
            1 => Some((names, *coefficient)),
            _ => number(factor).and_then(|c| coefficient.times(c)).map(|c| (names, c)),
        });
        let dims = match product {
            // 2 n m is 2 times n times m.
            Some((names, c)) => {
                *coefficient = c;
                names.iter().map(|name| self.dim_id(&crate::shape::Dim::named(name))).collect()
            }
            _ => vec![dim],
        };
        let factor =
            |dim: DimId| Factor { atom: self.intern_atom(Atom::Size(dim), Vec::new()), labels: Vec::new(), power };
        dims.into_iter().map(factor).collect()
    }

    /// Makes each connected part that touches no free label one closed scalar.
    fn close(&mut self, raw: &mut Raw) -> Result<(), Refusal> {
        let parts = components(&raw.factors, &raw.out, &|f| self.has_hole(f.atom));
        if parts.is_empty() {
            return Ok(());
        }
        let mut closed: Vec<Factor> = Vec::new();
        for part in &parts {
            let factors: Vec<Factor> = part.iter().map(|i| raw.factors[*i].clone()).collect();
            let mono = self.intern_mono(&[], factors);
            let atom = self.intern_atom(Atom::Closed(mono), Vec::new());
            closed.push(Factor { atom, labels: Vec::new(), power: Number::ONE });
        }
        let gone: Vec<usize> = parts.concat();
        let mut i = 0;
        raw.factors.retain(|_| {
            i += 1;
            !gone.contains(&(i - 1))
        });
        raw.factors.extend(closed);
        self.merge(raw)
    }
}

/// The connected parts of factors with labels none of which is free, as places
/// in the list; parts with a factor that `open` names are left out.
pub fn components(factors: &[Factor], out: &[Label], open: &dyn Fn(&Factor) -> bool) -> Vec<Vec<usize>> {
    let mut part: Vec<usize> = (0..factors.len()).collect();
    fn root(part: &[usize], mut i: usize) -> usize {
        while part[i] != i {
            i = part[i];
        }
        i
    }
    let mut holder: std::collections::BTreeMap<Label, usize> = std::collections::BTreeMap::new();
    for (i, factor) in factors.iter().enumerate() {
        for label in &factor.labels {
            let other = *holder.entry(*label).or_insert(i);
            let (a, b) = (root(&part, i), root(&part, other));
            part[a.max(b)] = a.min(b);
        }
    }
    let mut found: std::collections::BTreeMap<usize, (Vec<usize>, bool)> = std::collections::BTreeMap::new();
    for (i, factor) in factors.iter().enumerate() {
        let entry = found.entry(root(&part, i)).or_default();
        entry.0.push(i);
        entry.1 |= factor.labels.is_empty() || open(factor) || factor.labels.iter().any(|l| out.contains(l));
    }
    found.into_values().filter(|(_, is_open)| !is_open).map(|(part, _)| part).collect()
}
