//! A form made again from its parts, after more is known of them.

use super::Refusal;
use super::arena::{Atom, AtomId, Factor, FormId, Forms, Label, MonoId};
use super::monomial::Raw;
use crate::ops::Number;
use std::collections::HashMap;

/// Forms that take the place of atoms, and what was rebuilt so far.
#[derive(Default)]
pub struct Rebuilt {
    forms: HashMap<FormId, FormId>,
    atoms: HashMap<AtomId, FormId>,
}

impl Rebuilt {
    /// Nothing rebuilt yet, but these atoms replaced.
    pub fn of(replaced: &[(AtomId, FormId)]) -> Rebuilt {
        Rebuilt { forms: HashMap::new(), atoms: replaced.iter().copied().collect() }
    }

    /// Puts a form in the place of an atom.
    pub fn replace(&mut self, atom: AtomId, form: FormId) {
        self.atoms.insert(atom, form);
    }

    /// Makes a form again the next time.
    pub(super) fn forget(&mut self, form: FormId) {
        self.forms.remove(&form);
    }
}

impl Forms {
    /// The form with its atoms replaced and everything normalised again.
    ///
    /// # Errors
    /// If a number does not fit or there are too many terms.
    pub fn rebuild(&mut self, id: FormId, done: &mut Rebuilt) -> Result<FormId, Refusal> {
        self.rebuild_with(id, done, &mut |_, form| Ok(form))
    }

    /// [`Forms::rebuild`], with a last change to each form that is made.
    pub(super) fn rebuild_with(
        &mut self,
        id: FormId,
        done: &mut Rebuilt,
        last: &mut dyn FnMut(&mut Forms, FormId) -> Result<FormId, Refusal>,
    ) -> Result<FormId, Refusal> {
        // A work list instead of recursion: groups may be nested deeply.
        let mut open = vec![id];
        while let Some(&form) = open.last() {
            if done.forms.contains_key(&form) {
                open.pop();
                continue;
            }
            let needed: Vec<FormId> =
                self.inner_forms(form, done).into_iter().filter(|f| !done.forms.contains_key(f)).collect();
            if needed.is_empty() {
                let rebuilt = self.rebuild_one(form, done)?;
                let rebuilt = if form == id { rebuilt } else { last(self, rebuilt)? };
                done.forms.insert(form, rebuilt);
                open.pop();
            } else {
                open.extend(needed);
            }
        }
        Ok(done.forms[&id])
    }

    /// The forms inside the atoms of a form.
    fn inner_forms(&self, id: FormId, done: &Rebuilt) -> Vec<FormId> {
        let mut found = Vec::new();
        let mut monos: Vec<MonoId> = self.form(id).terms.iter().map(|(m, _)| *m).collect();
        while let Some(mono) = monos.pop() {
            for factor in &self.mono(mono).factors {
                if done.atoms.contains_key(&factor.atom) {
                    continue;
                }
                match &*self.atom(factor.atom) {
                    Atom::Apply(_, _, args) => found.extend(args),
                    Atom::Group(form) => found.push(*form),
                    Atom::Closed(inner) => monos.push(*inner),
                    _ => {}
                }
            }
        }
        self.sorted_forms(found)
    }

    fn rebuild_one(&mut self, id: FormId, done: &mut Rebuilt) -> Result<FormId, Refusal> {
        let form = self.form(id);
        let mut terms = Vec::new();
        for (mono, c) in &form.terms {
            let part = self.rebuild_term(*mono, form.shape.clone(), done)?;
            for (m, k) in &self.form(part).terms {
                terms.push((*m, k.times(*c).ok_or(Refusal::Overflow)?));
            }
        }
        self.intern_form(form.shape.clone(), terms)
    }

    /// The product again, each factor being the form that its atom now is.
    fn rebuild_term(
        &mut self,
        id: MonoId,
        shape: Vec<super::arena::DimId>,
        done: &mut Rebuilt,
    ) -> Result<FormId, Refusal> {
        let mono = self.mono(id);
        // A group that stands alone was left so on purpose.
        let keep = matches!(mono.factors.as_slice(), [f] if f.power == Number::ONE && matches!(&*self.atom(f.atom), Atom::Group(_)));
        let mut parts: Vec<(FormId, Vec<Label>)> = Vec::new();
        for factor in &mono.factors {
            let form = self.rebuild_factor(factor, done)?;
            parts.push((form, factor.labels.clone()));
        }
        if keep && let [(form, labels)] = parts.as_slice() {
            return self.kept_group(*form, labels, &mono.out, shape);
        }
        self.product(&parts, &mono.out, shape, &[])
    }

    /// A group standing alone, not spelled out.
    pub(super) fn kept_group(
        &mut self,
        form: FormId,
        labels: &[Label],
        out: &[Label],
        shape: Vec<super::arena::DimId>,
    ) -> Result<FormId, Refusal> {
        if self.form(form).terms.len() < 2 {
            return self.product(&[(form, labels.to_vec())], out, shape, &[]);
        }
        let Some(group) = self.as_group(form)? else {
            return self.product(&[(form, labels.to_vec())], out, shape, &[]);
        };
        let bound = labels.iter().chain(out).max().map_or(0, |l| *l as usize + 1);
        let one = self.dim_id(&crate::shape::Dim::size(1));
        let mut dims = vec![one; bound];
        for (label, dim) in out.iter().zip(&shape) {
            dims[*label as usize] = *dim;
        }
        for (label, dim) in labels.iter().zip(&self.form(form).shape) {
            dims[*label as usize] = *dim;
        }
        let mut raw = Raw::new(out, dims);
        raw.scale(group.content)?;
        let held = group.axes.iter().map(|a| labels[*a]).collect();
        raw.factors.push(Factor { atom: group.atom, labels: held, power: Number::ONE });
        if let Some((a, b)) = group.diagonal {
            raw.join(labels[a], labels[b]);
        }
        let terms = self.finish(raw, true)?;
        self.intern_form(shape, terms)
    }

    fn rebuild_factor(&mut self, factor: &Factor, done: &mut Rebuilt) -> Result<FormId, Refusal> {
        let base = match done.atoms.get(&factor.atom) {
            Some(known) => *known,
            None => {
                let base = match &*self.atom(factor.atom) {
                    Atom::Apply(op, attrs, args) => {
                        let args: Vec<FormId> = args.iter().map(|a| done.forms.get(a).copied().unwrap_or(*a)).collect();
                        self.apply(op, attrs, &args)?
                    }
                    Atom::Group(form) => done.forms.get(form).copied().unwrap_or(*form),
                    Atom::Closed(mono) => self.rebuild_term(*mono, Vec::new(), done)?,
                    _ => self.of_atom(factor.atom)?,
                };
                done.atoms.insert(factor.atom, base);
                base
            }
        };
        if factor.power == Number::ONE { Ok(base) } else { self.power(base, factor.power) }
    }
}
