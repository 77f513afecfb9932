//! The move that brings terms over one denominator.

use super::Refusal;
use super::arena::{Atom, AtomId, Factor, FormId, Forms, Label, Mono};
use super::forward::label_dims;
use super::monomial::Raw;
use crate::ops::Number;
use std::collections::BTreeSet;

/// Powers of a denominator that are multiplied out.
const HIGHEST: i64 = 2;

/// Sums of more terms are not cleared of fractions.
const TERMS: usize = 8;

impl Forms {
    /// Every form that comes of bringing terms over the highest power of a sum that
    /// one of them is divided by, the sum multiplied out in what is left:
    /// 1 / u − x / u² = (u − x) / u².
    ///
    /// # Errors
    /// If a number does not fit.
    pub fn denominators(&mut self, id: FormId) -> Result<Vec<FormId>, Refusal> {
        let form = self.form(id);
        if form.terms.len() < 2 || form.shape.len() > 2 {
            return Ok(Vec::new());
        }
        let mut sums: BTreeSet<(AtomId, Vec<usize>)> = BTreeSet::new();
        for (mono, _) in &form.terms {
            let mono = self.mono(*mono);
            let below = |f: &&Factor| f.power.is_negative() && matches!(&*self.atom(f.atom), Atom::Group(_));
            sums.extend(mono.factors.iter().filter(below).filter_map(|f| Some((f.atom, axes(&mono, f)?))));
        }
        let mut found = Vec::new();
        let mut sums: Vec<_> = sums.into_iter().collect();
        sums.sort_by(|(a, _), (b, _)| self.compare_atoms(*a, *b));
        for (atom, axes) in sums {
            for every in [false, true] {
                if let Some(over) = self.over_one(id, (atom, &axes), every)?
                    && over != id
                    && !found.contains(&over)
                {
                    found.push(over);
                }
            }
        }
        Ok(found)
    }

    /// The terms divided by the sum, or every term, over its highest power.
    fn over_one(&mut self, id: FormId, sum: (AtomId, &[usize]), every: bool) -> Result<Option<FormId>, Refusal> {
        let form = self.form(id);
        let monos: Vec<_> = form.terms.iter().map(|(mono, _)| self.mono(*mono)).collect();
        let places: Vec<Option<usize>> = monos.iter().map(|mono| place(mono, sum)).collect();
        let power = |at: usize| places[at].map_or(Number::ZERO, |place| monos[at].factors[place].power);
        let taken: Vec<usize> = (0..monos.len()).filter(|at| every || power(*at).is_negative()).collect();
        let Some(lowest) = taken.iter().map(|at| power(*at)).min() else { return Ok(None) };
        let mut left = Vec::new();
        let mut opened = false;
        for at in &taken {
            let more = power(*at).plus(lowest.negated()).ok_or(Refusal::Overflow)?;
            if more.plus(Number::whole(-HIGHEST)).is_none_or(|over| !over.is_negative() && over != Number::ZERO) {
                return Ok(None);
            }
            opened |= more != Number::ZERO;
            let mono = &monos[*at];
            let mut raw = Raw::new(&mono.out, label_dims(self, mono, &form.shape));
            raw.scale(form.terms[*at].1)?;
            raw.factors.clone_from(&mono.factors);
            if let Some(place) = places[*at] {
                raw.factors.remove(place);
            }
            if more != Number::ZERO {
                let labels = sum.1.iter().map(|axis| mono.out[*axis]).collect();
                raw.factors.push(Factor { atom: sum.0, labels, power: more });
            }
            left.extend(self.finish(raw, true)?);
        }
        if !opened || taken.len() < 2 {
            return Ok(None);
        }
        let left = self.intern_form(form.shape.clone(), left)?;
        let Some(left) = self.expanded(left, sum.0)? else { return Ok(None) };
        let labels: Vec<Label> = (0..form.shape.len() as Label).collect();
        let mut raw = Raw::new(&labels, form.shape.clone());
        let held = sum.1.iter().map(|axis| *axis as Label).collect();
        raw.factors.push(Factor { atom: sum.0, labels: held, power: lowest });
        let mut terms = self.with_factor(raw, left, &labels)?;
        terms.extend((0..monos.len()).filter(|at| !taken.contains(at)).map(|at| form.terms[at]));
        self.intern_form(form.shape.clone(), terms).map(Some)
    }
}

impl Forms {
    /// Every form that comes of multiplying a sum that divides, or is multiplied, by what
    /// one of its own terms is divided by: 1 / (1 + y / x) = x / (x + y).
    ///
    /// # Errors
    /// If a number does not fit.
    pub fn cleared(&mut self, id: FormId) -> Result<Vec<FormId>, Refusal> {
        let form = self.form(id);
        let mut found = Vec::new();
        if form.shape.len() > 2 || form.terms.len() > TERMS {
            return Ok(found);
        }
        for (at, (mono, _)) in form.terms.iter().enumerate() {
            let mono = self.mono(*mono);
            for (place, factor) in mono.factors.iter().enumerate() {
                let Atom::Group(inner) = *self.atom(factor.atom) else { continue };
                if factor.power.as_whole().is_none_or(|n| n == 0 || n.abs() > HIGHEST) {
                    continue;
                }
                for (divisor, axes) in self.divisors_within(inner) {
                    let mut terms: Vec<_> = form.terms.clone();
                    let (_, c) = terms.remove(at);
                    let mut raw = Raw::new(&mono.out, label_dims(self, &mono, &form.shape));
                    raw.scale(c)?;
                    raw.factors.clone_from(&mono.factors);
                    let after = self.cleared_at(raw, place, inner, (&divisor, &axes))?;
                    // Worth it only where something cancels.
                    if !matches!(after[..], [(one, _)] if self.mono(one).factors.len() < mono.factors.len()) {
                        continue;
                    }
                    terms.extend(after);
                    let cleared = self.intern_form(form.shape.clone(), terms)?;
                    if cleared != id && !found.contains(&cleared) {
                        found.push(cleared);
                    }
                }
            }
        }
        Ok(found)
    }

    /// What terms of a sum are divided by, with the axes of the sum that it is on.
    fn divisors_within(&self, inner: FormId) -> Vec<(Factor, Vec<usize>)> {
        let form = self.form(inner);
        let mut found: BTreeSet<(Factor, Vec<usize>)> = BTreeSet::new();
        for (mono, _) in form.terms.iter().take(TERMS) {
            let mono = self.mono(*mono);
            let free = mono.out.iter().enumerate().all(|(i, label)| !mono.out[..i].contains(label));
            // A sum divided by a dimension is a mean, which stays one.
            let size = |f: &Factor| matches!(&*self.atom(f.atom), Atom::Size(_));
            let below = |f: &&Factor| f.power.is_negative() && free && !size(f);
            found.extend(mono.factors.iter().filter(below).filter_map(|f| {
                let axes = axes(&mono, f)?;
                Some((Factor { labels: Vec::new(), ..f.clone() }, axes))
            }));
        }
        let mut found: Vec<_> = found.into_iter().collect();
        found.sort_by(|(f, _), (g, _)| self.compare_factors(f, g));
        found
    }

    /// The term with the sum at a place multiplied by the divisor, and the rest divided by it.
    fn cleared_at(
        &mut self,
        mut raw: Raw,
        place: usize,
        inner: FormId,
        (divisor, axes): (&Factor, &[usize]),
    ) -> Result<Vec<(super::MonoId, Number)>, Refusal> {
        let sum = self.form(inner);
        let mut terms = Vec::new();
        for (mono, c) in &sum.terms {
            let mono = self.mono(*mono);
            let mut term = Raw::new(&mono.out, label_dims(self, &mono, &sum.shape));
            term.scale(*c)?;
            term.factors.clone_from(&mono.factors);
            let labels = axes.iter().map(|axis| mono.out[*axis]).collect();
            term.factors.push(Factor { atom: divisor.atom, labels, power: divisor.power.negated() });
            terms.extend(self.finish(term, true)?);
        }
        let whole = self.intern_form(sum.shape.clone(), terms)?;
        let factor = raw.factors.remove(place);
        let by = divisor.power.times(factor.power).ok_or(Refusal::Overflow)?;
        let labels = axes.iter().map(|axis| factor.labels[*axis]).collect();
        raw.factors.push(Factor { atom: divisor.atom, labels, power: by });
        let whole = self.power(whole, factor.power)?;
        self.with_factor(raw, whole, &factor.labels)
    }
}

/// The axes of the whole that a factor carries; `None` if it carries a summed label.
fn axes(mono: &Mono, factor: &Factor) -> Option<Vec<usize>> {
    factor.labels.iter().map(|label| mono.out.iter().position(|out| out == label)).collect()
}

/// Where the sum stands on these axes.
fn place(mono: &Mono, (atom, on): (AtomId, &[usize])) -> Option<usize> {
    mono.factors.iter().position(|f| f.atom == atom && axes(mono, f).is_some_and(|axes| axes == on))
}
