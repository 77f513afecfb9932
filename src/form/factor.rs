//! Taking a common factor out of several terms.
//!
//! B x + Bᵀ x = (B + Bᵀ) x: the label that x is summed over becomes an axis of
//! what is left. Where one term has an axis of the whole in its place, the
//! identity stands in for what is left: G + A G = (I + A) G.

use super::Refusal;
use super::arena::{Atom, AtomId, Factor, FormId, Forms, Label};
use super::forward::label_dims;
use super::monomial::Raw;
use crate::ops::Number;
use std::collections::BTreeMap;

/// A term taken apart, closed scalars opened or not.
#[derive(Clone)]
struct Term {
    place: usize,
    raw: Raw,
}

/// Terms with a common part: for each term what the labels of the reference are
/// in it, and which factors are common, to which power.
struct Common {
    /// The term whose labels the common factors have.
    reference: usize,
    /// The common factors, with their power.
    factors: Vec<Factor>,
    /// For each term: its place, reference label → its label, used factors.
    terms: Vec<(usize, BTreeMap<Label, Label>, Vec<usize>)>,
}

impl Forms {
    /// Every form that comes of taking common factors out of terms of this one.
    ///
    /// # Errors
    /// If a number does not fit.
    pub fn factorings(&mut self, id: FormId) -> Result<Vec<FormId>, Refusal> {
        let mut found = Vec::new();
        for opened in [false, true] {
            let Some(terms) = self.taken_apart(id, opened)? else { continue };
            for seed in seeds(&terms) {
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
            for form in self.factored_at(id, &terms, &seed)? {
                if self.form(form).terms.len() == 1 {
                    return Ok(Some(form));
                }
            }
        }
        Ok(None)
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
        let mut tried: Vec<Vec<usize>> = Vec::new();
        for same_axes in [true, false] {
            let Some(common) = self.common(terms, seed, same_axes) else { continue };
            let key: Vec<usize> = common.terms.iter().map(|(place, _, _)| *place).collect();
            if tried.contains(&key) {
                continue;
            }
            tried.push(key);
            found.extend(self.take_out(id, terms, &common)?);
        }
        Ok(found)
    }

    /// The terms that share the seed, and all else that they share.
    fn common(&self, terms: &[Term], seed: &(usize, Factor), same_axes: bool) -> Option<Common> {
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
        for other in reference.raw.factors.iter().filter(|f| *f != seed) {
            let mut extended = Vec::new();
            for (place, map, used) in &found {
                let term = &terms[*place].raw;
                let next = (0..term.factors.len()).filter(|i| !used.contains(i)).find_map(|i| {
                    let f = &term.factors[i];
                    let fits = f.atom == other.atom && same_side(f.power, other.power);
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

/// The labels of the common part that what is left shares: not axes of the whole
/// in every term, and carried (or an axis) in some of what is left.
fn links(terms: &[Term], common: &Common, rests: &[Vec<Factor>]) -> Vec<Label> {
    let mut labels: Vec<Label> = common.factors.iter().flat_map(|f| f.labels.clone()).collect();
    labels.sort_unstable();
    labels.dedup();
    let free_in = |(t, map, _): &(usize, BTreeMap<Label, Label>, Vec<usize>), l: &Label| {
        map.get(l).is_some_and(|own| terms[*t].raw.out.contains(own))
    };
    labels.retain(|l| !common.terms.iter().all(|term| free_in(term, l)));
    labels.retain(|l| {
        common.terms.iter().zip(rests).any(|(term, rest)| {
            free_in(term, l) || term.1.get(l).is_some_and(|own| rest.iter().any(|f| f.labels.contains(own)))
        })
    });
    labels
}

/// The common part as a product with a label for each axis of the whole, and the
/// labels at which what is left is placed.
fn common_part(
    reference: &Raw,
    common: &Common,
    axes: &[usize],
    links: &[Label],
    shape: &[super::arena::DimId],
) -> (Raw, Vec<Label>) {
    let out: Vec<Label> = (0..shape.len() as Label).collect();
    let mut raw = Raw::new(&out, shape.to_vec());
    let mut names: BTreeMap<Label, Label> = BTreeMap::new();
    for label in common.factors.iter().flat_map(|f| &f.labels).chain(links) {
        if names.contains_key(label) {
            continue;
        }
        let places: Vec<usize> = (0..out.len()).filter(|a| reference.out[*a] == *label).collect();
        let name = match places.first() {
            Some(first) if !links.contains(label) => {
                places.iter().for_each(|a| raw.join(*first as Label, *a as Label));
                raw.find(*first as Label)
            }
            _ => raw.label(reference.dims[*label as usize]),
        };
        names.insert(*label, name);
    }
    let name = |l: &Label| names.get(l).copied().unwrap_or(*l);
    let renamed = |f: &Factor| Factor { labels: f.labels.iter().map(name).collect(), ..f.clone() };
    raw.factors = common.factors.iter().map(renamed).collect();
    let held: Vec<Label> = axes.iter().map(|a| raw.find(*a as Label)).chain(links.iter().map(name)).collect();
    (raw, held)
}

/// Both above 0 or both below, and different by a whole number.
fn same_side(a: Number, b: Number) -> bool {
    a.is_negative() == b.is_negative() && a.plus(b.negated()).is_some_and(|d| d.as_whole().is_some())
}

/// The factors of the first term each of them stands in, where others have the atom too.
fn seeds(terms: &[Term]) -> Vec<(usize, Factor)> {
    let mut count: BTreeMap<AtomId, usize> = BTreeMap::new();
    for term in terms {
        let mut atoms: Vec<AtomId> = term.raw.factors.iter().map(|f| f.atom).collect();
        atoms.dedup();
        atoms.into_iter().for_each(|a| *count.entry(a).or_default() += 1);
    }
    let mut found: Vec<(usize, Factor)> = Vec::new();
    let mut seen: Vec<(AtomId, Number, Vec<bool>)> = Vec::new();
    for term in terms {
        for factor in term.raw.factors.iter().filter(|f| count.get(&f.atom).is_some_and(|n| *n > 1)) {
            let key = (factor.atom, factor.power, factor.labels.iter().map(|l| term.raw.out.contains(l)).collect());
            if !seen.contains(&key) {
                seen.push(key);
                found.push((term.place, factor.clone()));
            }
        }
    }
    found
}

/// What the labels of the reference are in another term, so that two factors
/// agree: axes of the whole stay; a summed label meets a summed one, or, unless
/// `same_axes`, an axis of the whole.
fn align(
    reference: &Raw,
    term: &Raw,
    labels: &[Label],
    there: &[Label],
    known: &BTreeMap<Label, Label>,
    same_axes: bool,
) -> Option<BTreeMap<Label, Label>> {
    let mut map = known.clone();
    for (own, other) in labels.iter().zip(there) {
        let (free, free_there) = (reference.out.contains(own), term.out.contains(other));
        let fits = match (free, free_there) {
            (true, true) => axes(reference, *own) == axes(term, *other),
            (false, false) => true,
            _ => !same_axes,
        };
        if !fits {
            return None;
        }
        match map.get(own) {
            Some(known) if known != other => return None,
            Some(_) => {}
            None if map.values().any(|v| v == other) => return None,
            None => {
                map.insert(*own, *other);
            }
        }
    }
    Some(map)
}

fn axes(raw: &Raw, label: Label) -> Vec<usize> {
    (0..raw.out.len()).filter(|a| raw.out[*a] == label).collect()
}

/// What is left of a term without the common part.
fn rest(raw: &Raw, used: &[usize], common: &[Factor]) -> Vec<Factor> {
    let mut left = Vec::new();
    for (i, factor) in raw.factors.iter().enumerate() {
        match used.iter().position(|u| *u == i) {
            None => left.push(factor.clone()),
            Some(k) => {
                let power = factor.power.plus(common[k].power.negated()).unwrap_or(Number::ZERO);
                if power != Number::ZERO {
                    left.push(Factor { power, ..factor.clone() });
                }
            }
        }
    }
    left
}
