//! Names folded back: what equals a named value is written by its name.

use super::arena::{Atom, AtomId, Factor, FormId, Forms, Label, MonoId};
use super::forward::label_dims;
use super::monomial::Raw;
use super::moves::ratio;
use super::rebuild::Rebuilt;
use super::{Refusal, pattern};
use crate::graph::NodeId;
use crate::ops::Number;

/// A named value: its node and a form it has.
#[derive(Clone, Copy, Debug)]
pub struct Named {
    /// The node that has the name.
    pub node: NodeId,
    /// Its form, or a shortened one.
    pub form: FormId,
}

impl Forms {
    /// The form with every part that equals a named value replaced by it;
    /// earlier entries are taken first.
    ///
    /// # Errors
    /// If a number does not fit.
    pub fn with_names(&mut self, id: FormId, names: &[Named]) -> Result<FormId, Refusal> {
        let mut done = Rebuilt::default();
        let mut parts: Vec<(FormId, FormId)> = Vec::new();
        for name in names {
            let shape = self.form(name.form).shape.clone();
            let leaf = self.intern_atom(Atom::Leaf(name.node), shape);
            let leaf = self.of_atom(leaf)?;
            if self.as_constant(name.form).is_some() || leaf == name.form {
                continue;
            }
            match self.as_atom(name.form) {
                Some(atom) => done.replace(atom, leaf),
                None => match self.as_turned_atom(name.form) {
                    Some(atom) => done.replace(atom, self.transposed(leaf)?),
                    None => parts.push((name.form, leaf)),
                },
            }
        }
        let rebuilt = self.rebuild_with(id, &mut done, &mut |forms, form| forms.fold_names(form, &parts))?;
        self.fold_names(rebuilt, &parts)
    }

    /// The form with a function that stands in a named scalar product written as
    /// the name divided by the rest: of a = r exp(u) / s, exp(u) = a s / r.
    ///
    /// # Errors
    /// If a number does not fit.
    pub fn with_name_for_factor(&mut self, id: FormId, name: &Named) -> Result<Option<FormId>, Refusal> {
        let form = self.form(name.form);
        let ([(mono, c)], true) = (form.terms.as_slice(), form.shape.is_empty()) else { return Ok(None) };
        let mono = self.mono(*mono);
        let function = |f: &&Factor| f.power == Number::ONE && matches!(&*self.atom(f.atom), Atom::Apply(..));
        let Some(key) = mono.factors.iter().find(function).filter(|_| mono.factors.len() > 2) else { return Ok(None) };
        let mut raw = Raw::new(&[], Vec::new());
        raw.scale(Number::ONE.over(*c).ok_or(Refusal::Overflow)?)?;
        for factor in mono.factors.iter().filter(|f| *f != key) {
            raw.factors.push(Factor { power: factor.power.negated(), ..factor.clone() });
        }
        let atom = self.intern_atom(Atom::Leaf(name.node), Vec::new());
        raw.factors.push(Factor { atom, labels: Vec::new(), power: Number::ONE });
        let terms = self.finish(raw, false)?;
        let quotient = self.intern_form(Vec::new(), terms)?;
        self.rebuild(id, &mut Rebuilt::of(&[(key.atom, quotient)])).map(Some)
    }

    /// The atom whose transpose a form is, if it is one.
    fn as_turned_atom(&self, id: FormId) -> Option<AtomId> {
        let form = self.form(id);
        let [(mono, c)] = form.terms.as_slice() else { return None };
        let mono = self.mono(*mono);
        let ([factor], [first, last]) = (mono.factors.as_slice(), mono.out.as_slice()) else { return None };
        let turned = first != last && factor.labels == [*last, *first];
        (turned && *c == Number::ONE && factor.power == Number::ONE).then_some(factor.atom)
    }

    fn fold_names(&mut self, mut id: FormId, parts: &[(FormId, FormId)]) -> Result<FormId, Refusal> {
        for (part, leaf) in parts {
            let many = self.form(*part).terms.len() > 1;
            id = if many { self.fold_sum(id, *part, *leaf)? } else { self.fold_product(id, *part, *leaf)? };
            if many && self.form(*part).shape.len() == 2 {
                let (part, leaf) = (self.transposed(*part)?, self.transposed(*leaf)?);
                id = self.fold_sum(id, part, leaf)?;
            }
        }
        Ok(id)
    }

    /// Terms that are a named sum, by one ratio, become the name.
    fn fold_sum(&mut self, id: FormId, part: FormId, leaf: FormId) -> Result<FormId, Refusal> {
        let (form, part) = (self.form(id), self.form(part));
        if part.shape != form.shape || part.terms.len() > form.terms.len() {
            return Ok(id);
        }
        let Some(ratio) = ratio(&form.terms, &part.terms) else { return Ok(id) };
        let named = self.scaled(leaf, ratio)?;
        let mut terms: Vec<(MonoId, Number)> =
            form.terms.iter().filter(|(m, _)| !part.terms.iter().any(|(n, _)| n == m)).copied().collect();
        terms.extend(self.form(named).terms.clone());
        self.intern_form(form.shape.clone(), terms)
    }

    /// Factors that are a named product become the name.
    fn fold_product(&mut self, id: FormId, part: FormId, leaf: FormId) -> Result<FormId, Refusal> {
        let (form, part) = (self.form(id), self.form(part));
        let ([(wanted, k)], Some(leaf)) = (part.terms.as_slice(), self.as_atom(leaf)) else { return Ok(id) };
        let wanted = self.mono(*wanted);
        let mut terms = Vec::with_capacity(form.terms.len());
        for (mono, c) in &form.terms {
            let inner = self.mono(*mono);
            let Some(found) = pattern::find(&wanted, &inner.factors, &inner.out, &[]) else {
                terms.push((*mono, *c));
                continue;
            };
            let labels: Option<Vec<Label>> = wanted.out.iter().map(|l| found.labels[*l as usize]).collect();
            let Some(labels) = labels else {
                terms.push((*mono, *c));
                continue;
            };
            let mut raw = Raw::new(&inner.out, label_dims(self, &inner, &form.shape));
            raw.scale(c.over(*k).ok_or(Refusal::Overflow)?)?;
            raw.factors = inner
                .factors
                .iter()
                .enumerate()
                .filter(|(i, _)| !found.used.contains(i))
                .map(|(_, f)| f.clone())
                .collect();
            raw.factors.push(Factor { atom: leaf, labels, power: Number::ONE });
            raw.spend_unused(&[]);
            terms.extend(self.finish(raw, true)?);
        }
        self.intern_form(form.shape.clone(), terms)
    }
}
