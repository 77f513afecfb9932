//! The other moves of the search: expand, regroup, inverse sandwich.

use super::Refusal;
use super::arena::{Atom, AtomId, Factor, FormId, Forms, Label, Mono, MonoId};
use super::forward::label_dims;
use super::monomial::Raw;
use super::words;
use crate::ops::Number;
use std::collections::BTreeSet;

/// Terms an expansion may have.
const EXPANDED: usize = 40;

impl Forms {
    /// Every form that comes of multiplying out one group, everywhere in the sum.
    ///
    /// # Errors
    /// If a number does not fit.
    pub fn expansions(&mut self, id: FormId) -> Result<Vec<FormId>, Refusal> {
        let mut groups: BTreeSet<AtomId> = BTreeSet::new();
        for (mono, _) in &self.form(id).terms {
            for factor in &self.mono(*mono).factors {
                if matches!(&*self.atom(factor.atom), Atom::Group(_)) && expandable(factor) {
                    groups.insert(factor.atom);
                }
                if let Atom::Closed(inner) = &*self.atom(factor.atom)
                    && expandable(factor)
                {
                    let inner = self.mono(*inner);
                    let inside =
                        inner.factors.iter().filter(|f| matches!(&*self.atom(f.atom), Atom::Group(_)) && expandable(f));
                    groups.extend(inside.map(|f| f.atom));
                }
            }
        }
        let mut found = Vec::new();
        for atom in self.sorted_atoms(groups) {
            if let Some(form) = self.expanded(id, atom)?
                && form != id
            {
                found.push(form);
            }
        }
        Ok(found)
    }

    pub(super) fn expanded(&mut self, id: FormId, atom: AtomId) -> Result<Option<FormId>, Refusal> {
        let form = self.form(id);
        let Atom::Group(inner) = *self.atom(atom) else { return Ok(None) };
        let inner = self.form(inner);
        let mut terms = Vec::new();
        let mut open: Vec<Raw> = Vec::new();
        for (mono, c) in form.terms.iter().rev() {
            let mono = self.mono(*mono);
            let mut raw = Raw::new(&mono.out, label_dims(self, &mono, &form.shape));
            raw.scale(*c)?;
            for factor in &mono.factors {
                match &*self.atom(factor.atom) {
                    Atom::Closed(closed) if factor.power == Number::ONE => {
                        let closed = self.mono(*closed);
                        match closed.factors.iter().any(|f| f.atom == atom) {
                            true => raw.place(self, &closed, Number::ONE, &[])?,
                            false => raw.factors.push(factor.clone()),
                        }
                    }
                    _ => raw.factors.push(factor.clone()),
                }
            }
            open.push(raw);
        }
        while let Some(raw) = open.pop() {
            if open.len() + terms.len() > EXPANDED {
                return Ok(None);
            }
            let Some(i) = raw.factors.iter().position(|f| f.atom == atom && expandable(f)) else {
                terms.extend(self.finish(raw, false)?);
                continue;
            };
            for (mono, c) in &inner.terms {
                let mut next = raw.clone();
                let labels = next.factors[i].labels.clone();
                match next.factors[i].power == Number::ONE {
                    true => {
                        next.factors.remove(i);
                    }
                    false => next.factors[i].power = Number::ONE,
                }
                next.place(self, &self.mono(*mono), *c, &labels)?;
                open.push(next);
            }
        }
        self.intern_form(form.shape.clone(), terms).map(Some)
    }

    /// Every form that comes of writing terms that spell a sum standing
    /// elsewhere (a + b in a + b + f(a + b)) as that sum.
    ///
    /// # Errors
    /// If a number does not fit.
    pub fn regroupings(&mut self, id: FormId) -> Result<Vec<FormId>, Refusal> {
        let form = self.form(id);
        if form.terms.len() < 3 {
            return Ok(Vec::new());
        }
        let mut sums: BTreeSet<FormId> = BTreeSet::new();
        for atom in super::forward::atoms_below(self, id) {
            match &*self.atom(atom) {
                Atom::Group(inner) => {
                    sums.insert(*inner);
                }
                Atom::Apply(_, _, args) => sums.extend(args),
                _ => {}
            }
        }
        let mut found = Vec::new();
        for sum in self.sorted_forms(sums) {
            if let Some(regrouped) = self.regrouped(id, sum)? {
                found.push(regrouped);
            }
            let inner = self.form(sum);
            if inner.shape.len() == 2 && form.shape.len() == 2 {
                let turned = self.transposed(sum)?;
                found.extend(self.regrouped(id, turned)?);
            }
        }
        Ok(found)
    }

    /// The form with the terms of `sum`, all by one ratio, as one group.
    pub(super) fn regrouped(&mut self, id: FormId, sum: FormId) -> Result<Option<FormId>, Refusal> {
        let (form, part) = (self.form(id), self.form(sum));
        if part.terms.len() < 2 || part.terms.len() >= form.terms.len() || part.shape != form.shape {
            return Ok(None);
        }
        let Some(ratio) = ratio(&form.terms, &part.terms) else { return Ok(None) };
        let labels: Vec<Label> = (0..form.shape.len() as Label).collect();
        let kept = self.kept_group(sum, &labels, &labels, form.shape.clone())?;
        let kept = self.scaled(kept, ratio)?;
        let mut terms: Vec<(MonoId, Number)> =
            form.terms.iter().filter(|(m, _)| !part.terms.iter().any(|(n, _)| n == m)).copied().collect();
        terms.extend(self.form(kept).terms.clone());
        self.intern_form(form.shape.clone(), terms).map(Some)
    }

    /// S⁻¹ M S⁻¹ + c S⁻¹ = S⁻¹ (M + c S) S⁻¹.
    ///
    /// # Errors
    /// If a number does not fit.
    pub fn sandwiches(&mut self, id: FormId) -> Result<Vec<FormId>, Refusal> {
        let form = self.form(id);
        if form.shape.len() != 2 || form.terms.len() < 2 {
            return Ok(Vec::new());
        }
        let mut inverses: BTreeSet<AtomId> = BTreeSet::new();
        for (mono, _) in &form.terms {
            let inverse = |f: &&Factor| matches!(&*self.atom(f.atom), Atom::Apply(op, _, _) if op.name == words::INV);
            inverses.extend(self.mono(*mono).factors.iter().filter(inverse).map(|f| f.atom));
        }
        let mut found = Vec::new();
        for inverse in self.sorted_atoms(inverses) {
            found.extend(self.sandwiched(id, inverse)?);
        }
        Ok(found)
    }

    fn sandwiched(&mut self, id: FormId, inverse: AtomId) -> Result<Option<FormId>, Refusal> {
        let form = self.form(id);
        let atom = self.atom(inverse);
        let Atom::Apply(_, _, args) = &*atom else { return Ok(None) };
        let symmetric = self.is_symmetric(inverse)?;
        let mut inner = Vec::new();
        let mut bare = false;
        for (mono, c) in &form.terms {
            let mono = self.mono(*mono);
            let Some((rest, left, right)) = between(&mono, inverse, symmetric) else { return Ok(None) };
            let mut raw = Raw::new(&[left, right], label_dims(self, &mono, &form.shape));
            raw.scale(*c)?;
            raw.factors = rest;
            if (left, right) == (mono.out[0], mono.out[1]) {
                bare = true;
                let scalars: Vec<Factor> = mono.factors.iter().filter(|f| f.labels.is_empty()).cloned().collect();
                for (part, k) in self.form(args[0]).terms.clone() {
                    let mut term = Raw::new(&[left, right], raw.dims.clone());
                    term.scale(*c)?;
                    term.factors.clone_from(&scalars);
                    term.place(self, &self.mono(part), k, &[left, right])?;
                    inner.extend(self.finish(term, true)?);
                }
                continue;
            }
            raw.spend_unused(&[]);
            inner.extend(self.finish(raw, true)?);
        }
        if !bare {
            return Ok(None);
        }
        let middle = self.intern_form(form.shape.clone(), inner)?;
        let ends = self.of_atom(inverse)?;
        let parts = [(ends, vec![0, 2]), (middle, vec![2, 3]), (ends, vec![3, 1])];
        self.product(&parts, &[0, 1], form.shape.clone(), &[]).map(Some)
    }
}

/// What stands between an inverse at the first axis and one at the second, with
/// the labels between; for the bare inverse what is left of it, with its own labels.
fn between(mono: &Mono, inverse: AtomId, symmetric: bool) -> Option<(Vec<Factor>, Label, Label)> {
    let (first, second) = (*mono.out.first()?, *mono.out.last()?);
    // Of diag(diag(S⁻¹)) the inverse is not the factor at the ends.
    if first == second {
        return None;
    }
    let ends: Vec<usize> = (0..mono.factors.len()).filter(|i| mono.factors[*i].atom == inverse).collect();
    let inner = |i: usize, out: Label, axis: usize| -> Option<Label> {
        let f = &mono.factors[i];
        match f.power == Number::ONE {
            true if f.labels[axis] == out => Some(f.labels[1 - axis]),
            true if symmetric && f.labels[1 - axis] == out => Some(f.labels[axis]),
            _ => None,
        }
    };
    let others = |used: &[usize]| -> Vec<Factor> {
        (0..mono.factors.len()).filter(|i| !used.contains(i)).map(|i| mono.factors[i].clone()).collect()
    };
    match ends.as_slice() {
        [only] if inner(*only, first, 0) == Some(second) => {
            let rest = others(&[*only]);
            rest.iter().all(|f| f.labels.is_empty()).then_some((rest, first, second))
        }
        [a, b] => [(*a, *b), (*b, *a)].into_iter().find_map(|(a, b)| {
            let (left, right) = (inner(a, first, 0)?, inner(b, second, 1)?);
            let rest = others(&[a, b]);
            let outside = |f: &Factor| f.labels.contains(&first) || f.labels.contains(&second);
            (left != second && !rest.iter().any(outside)).then_some((rest, left, right))
        }),
        _ => None,
    }
}

fn expandable(factor: &Factor) -> bool {
    factor.power == Number::ONE || factor.power == Number::whole(2)
}

/// The one number by which the terms of a part stand in a sum.
pub(super) fn ratio(whole: &[(MonoId, Number)], part: &[(MonoId, Number)]) -> Option<Number> {
    let mut found = None;
    for (mono, c) in part {
        let (_, there) = whole.iter().find(|(m, _)| m == mono)?;
        let ratio = there.over(*c)?;
        if *found.get_or_insert(ratio) != ratio {
            return None;
        }
    }
    found
}
