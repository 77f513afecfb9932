//! Taking a common factor out of several terms.
//!
//! B x + Bᵀ x = (B + Bᵀ) x: the label that x is summed over becomes an axis of
//! what is left. Where one term has an axis of the whole in its place, the
//! identity stands in for what is left: G + A G = (I + A) G.

use super::Refusal;
use super::arena::{Atom, AtomId, Factor, FormId, Forms, Label};
use super::common::{Common, Extent, Term, align, common_part, links, rest, same_side, seeds};
use super::forward::label_dims;
use super::monomial::Raw;
use crate::ops::{Notation, Number};
use std::collections::BTreeMap;

impl Forms {
    /// Every form that comes of taking common factors out of terms of this one.
    ///
    /// # Errors
    /// If a number does not fit.
    pub fn factorings(&mut self, id: FormId) -> Result<Vec<FormId>, Refusal> {
        let mut found = self.number_out(id)?;
        found.extend(self.number_out_of_some(id)?);
        for opened in [false, true] {
            let Some(terms) = self.taken_apart(id, opened)? else { continue };
            for seed in seeds(&terms).into_iter().filter(|(_, f)| !self.is_basis(f.atom)).collect::<Vec<_>>() {
                for form in self.factored_at(id, &terms, &seed)? {
                    if form != id && !found.contains(&form) {
                        found.push(form);
                    }
                }
            }
        }
        Ok(found)
    }

    /// The form with one atom taken out of all terms, if all have it.
    pub(super) fn factored(&mut self, id: FormId, atom: AtomId) -> Result<Option<FormId>, Refusal> {
        let Some(terms) = self.taken_apart(id, false)? else { return Ok(None) };
        for seed in seeds(&terms).into_iter().filter(|(_, f)| f.atom == atom) {
            // The last takes out most: it lets axes of the whole meet sums.
            for form in self.factored_at(id, &terms, &seed)?.into_iter().rev() {
                if self.form(form).terms.len() == 1 {
                    return Ok(Some(form));
                }
            }
        }
        Ok(None)
    }

    /// A single entry reads best by itself.
    fn is_basis(&self, atom: AtomId) -> bool {
        matches!(&*self.atom(atom), Atom::Apply(op, _, _) if op.notation == Notation::Basis)
    }

    /// c a + c b = c (a + b), where that leaves fewer numbers in front of terms.
    fn number_out(&mut self, id: FormId) -> Result<Vec<FormId>, Refusal> {
        let form = self.form(id);
        let numbers = form.terms.iter().filter(|(_, c)| c.abs() != Number::ONE).count();
        if numbers < 2 || self.content(id).abs() == Number::ONE || form.shape.len() > 2 {
            return Ok(Vec::new());
        }
        let labels: Vec<Label> = (0..form.shape.len() as Label).collect();
        Ok(vec![self.kept_group(id, &labels, &labels, form.shape.clone())?])
    }

    /// c a + c b + d = c (a + b) + d, for each number c that several terms have.
    fn number_out_of_some(&mut self, id: FormId) -> Result<Vec<FormId>, Refusal> {
        let form = self.form(id);
        if form.terms.len() < 3 || form.shape.len() > 2 {
            return Ok(Vec::new());
        }
        let mut sizes: Vec<Number> = form.terms.iter().map(|(_, c)| c.abs()).filter(|c| *c != Number::ONE).collect();
        sizes.sort_unstable();
        sizes.dedup();
        let labels: Vec<Label> = (0..form.shape.len() as Label).collect();
        let mut found = Vec::new();
        for size in sizes {
            let (some, mut others): (Vec<_>, Vec<_>) = form.terms.iter().copied().partition(|(_, c)| c.abs() == size);
            if some.len() < 2 || others.is_empty() {
                continue;
            }
            let part = self.intern_form(form.shape.clone(), some)?;
            let kept = self.kept_group(part, &labels, &labels, form.shape.clone())?;
            others.extend(self.form(kept).terms.iter().copied());
            found.push(self.intern_form(form.shape.clone(), others)?);
        }
        Ok(found)
    }

    fn taken_apart(&mut self, id: FormId, opened: bool) -> Result<Option<Vec<Term>>, Refusal> {
        let form = self.form(id);
        let mut any = !opened;
        let mut terms = Vec::new();
        for (place, (mono, c)) in form.terms.iter().enumerate() {
            let mono = self.mono(*mono);
            let mut raw = Raw::new(&mono.out, label_dims(self, &mono, &form.shape));
            raw.scale(*c)?;
            for factor in &mono.factors {
                match &*self.atom(factor.atom) {
                    Atom::Closed(inner) if opened && factor.power == Number::ONE => {
                        any = true;
                        let inner = self.mono(*inner);
                        raw.place(self, &inner, Number::ONE, &[])?;
                    }
                    _ => raw.factors.push(factor.clone()),
                }
            }
            terms.push(Term { place, raw });
        }
        Ok((any && terms.len() > 1).then_some(terms))
    }

    fn factored_at(&mut self, id: FormId, terms: &[Term], seed: &(usize, Factor)) -> Result<Vec<FormId>, Refusal> {
        let mut found = Vec::new();
        let mut tried: Vec<(Vec<usize>, usize)> = Vec::new();
        for same_axes in [true, false] {
            let Some(common) = self.common(terms, seed, same_axes, Extent::All) else { continue };
            let places = common.terms.iter().map(|(place, _, _)| *place).collect();
            let key = (places, common.factors.len());
            if tried.contains(&key) {
                continue;
            }
            tried.push(key);
            if let Some(form) = self.take_out(id, terms, &common)? {
                found.push(form);
                continue;
            }
            // All that is common leaves too many axes: less of it may not.
            for extent in [Extent::Scalars, Extent::Seed] {
                if let Some(common) = self.common(terms, seed, same_axes, extent)
                    && let Some(form) = self.take_out(id, terms, &common)?
                {
                    found.push(form);
                    break;
                }
            }
        }
        Ok(found)
    }

    /// The terms that share the seed, and all else that they share.
    fn common(&self, terms: &[Term], seed: &(usize, Factor), same_axes: bool, extent: Extent) -> Option<Common> {
        let (at, seed) = (seed.0, &seed.1);
        let reference = &terms[at];
        let mut found: Vec<(usize, BTreeMap<Label, Label>, Vec<usize>)> = Vec::new();
        for term in terms {
            let fits = |f: &Factor| f.atom == seed.atom && same_side(f.power, seed.power);
            let aligned = (0..term.raw.factors.len()).filter(|i| fits(&term.raw.factors[*i])).find_map(|i| {
                let itself = term.place == reference.place;
                if itself && term.raw.factors[i] != *seed {
                    return None;
                }
                align(&reference.raw, &term.raw, &seed.labels, &term.raw.factors[i].labels, &BTreeMap::new(), same_axes)
                    .map(|map| (i, map))
            });
            if let Some((i, map)) = aligned {
                found.push((term.place, map, vec![i]));
            }
        }
        if found.len() < 2 {
            return None;
        }
        let power_in = |factors: &[(usize, usize)]| -> Number {
            let powers = factors.iter().map(|(t, i)| terms[*t].raw.factors[*i].power);
            powers.min_by_key(|p| p.abs()).unwrap_or(Number::ONE)
        };
        let held: Vec<(usize, usize)> = found.iter().map(|(t, _, used)| (*t, used[0])).collect();
        let mut factors = vec![Factor { power: power_in(&held), ..seed.clone() }];
        let wanted =
            |f: &&Factor| *f != seed && (extent == Extent::All || extent == Extent::Scalars && f.labels.is_empty());
        for other in reference.raw.factors.iter().filter(wanted) {
            let mut extended = Vec::new();
            for (place, map, used) in &found {
                let term = &terms[*place].raw;
                let next = (0..term.factors.len()).filter(|i| !used.contains(i)).find_map(|i| {
                    let f = &term.factors[i];
                    // The reference meets itself factor by factor.
                    let itself = *place != reference.place || f == other;
                    let fits = itself && f.atom == other.atom && same_side(f.power, other.power);
                    let map = fits.then(|| align(&reference.raw, term, &other.labels, &f.labels, map, same_axes));
                    map.flatten().map(|map| (i, map))
                });
                extended.extend(next.map(|(i, map)| (*place, i, map)));
            }
            if extended.len() == found.len() {
                let held: Vec<(usize, usize)> = extended.iter().map(|(t, i, _)| (*t, *i)).collect();
                factors.push(Factor { power: power_in(&held), ..other.clone() });
                for ((_, map, used), (_, i, new)) in found.iter_mut().zip(extended) {
                    *map = new;
                    used.push(i);
                }
            }
        }
        Some(Common { reference: at, factors, terms: found })
    }

    /// The common part times the sum of what is left, and the other terms.
    fn take_out(&mut self, id: FormId, terms: &[Term], common: &Common) -> Result<Option<FormId>, Refusal> {
        let form = self.form(id);
        let rank = form.shape.len();
        let reference = &terms[common.reference].raw;
        let rests: Vec<Vec<Factor>> =
            common.terms.iter().map(|(t, _, used)| rest(&terms[*t].raw, used, &common.factors)).collect();
        let links = links(terms, common, &rests);
        // Axes of what is left: those of the whole that it uses, then the links.
        let used = |axis: usize| {
            common.terms.iter().zip(&rests).any(|((t, map, _), rest)| {
                let out = &terms[*t].raw.out;
                let tied = out.iter().filter(|l| **l == out[axis]).count() > 1;
                let linked = links.iter().any(|l| map.get(l) == Some(&out[axis]));
                let shared_tie = common.factors.iter().any(|f| f.labels.iter().any(|l| map.get(l) == Some(&out[axis])));
                tied && !shared_tie || linked || rest.iter().any(|f| f.labels.contains(&out[axis]))
            })
        };
        let axes: Vec<usize> = (0..rank).filter(|a| used(*a)).collect();
        if axes.len() + links.len() > 2 {
            return Ok(None);
        }
        let mut shape: Vec<_> = axes.iter().map(|a| form.shape[*a]).collect();
        shape.extend(links.iter().map(|l| reference.dims[*l as usize]));
        let mut left = Vec::new();
        for ((t, map, _), rest) in common.terms.iter().zip(rests) {
            let mut raw = terms[*t].raw.clone();
            raw.out = axes.iter().map(|a| terms[*t].raw.out[*a]).chain(links.iter().map(|l| map[l])).collect();
            raw.factors = rest;
            // What was summed inside of the common part alone is summed there.
            raw.spend_unused(&[]);
            left.extend(self.finish(raw, true)?);
        }
        let left = self.intern_form(shape, left)?;
        let (raw, held) = common_part(reference, common, &axes, &links, &form.shape);
        let mut all = self.with_factor(raw, left, &held)?;
        let taken: Vec<usize> = common.terms.iter().map(|(t, _, _)| *t).collect();
        all.extend(form.terms.iter().enumerate().filter(|(i, _)| !taken.contains(i)).map(|(_, t)| *t));
        self.intern_form(form.shape.clone(), all).map(Some)
    }
}
