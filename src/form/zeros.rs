//! What a form divides by, and where it is 0.

use super::arena::{Atom, AtomId, Factor, FormId, Forms, MonoId};
use super::forward::atoms_below;
use super::{Refusal, words};
use crate::graph::Property;
use crate::ops::Number;
use std::collections::BTreeSet;

impl Forms {
    /// All atoms of a form and of its parts.
    pub fn atoms_in(&self, id: FormId) -> BTreeSet<AtomId> {
        atoms_below(self, id)
    }

    /// The atoms that stand under a fraction line somewhere in the form.
    pub fn divisors(&self, id: FormId) -> BTreeSet<AtomId> {
        self.atoms_with(id, &|power| power.is_negative())
    }

    /// The atoms that stand under a root somewhere in the form.
    pub fn roots(&self, id: FormId) -> BTreeSet<AtomId> {
        self.atoms_with(id, &|power| power.as_whole().is_none())
    }

    fn atoms_with(&self, id: FormId, fits: &dyn Fn(Number) -> bool) -> BTreeSet<AtomId> {
        let of = |mono: MonoId| -> Vec<AtomId> {
            self.mono(mono).factors.iter().filter(|f| fits(f.power)).map(|f| f.atom).collect()
        };
        let of_form = |id: FormId| -> Vec<AtomId> { self.form(id).terms.iter().flat_map(|(m, _)| of(*m)).collect() };
        let mut found: BTreeSet<AtomId> = of_form(id).into_iter().collect();
        for atom in self.atoms_in(id) {
            match &*self.atom(atom) {
                Atom::Group(inner) => found.extend(of_form(*inner)),
                Atom::Apply(_, _, args) => args.iter().for_each(|a| found.extend(of_form(*a))),
                Atom::Closed(mono) => found.extend(of(*mono)),
                _ => {}
            }
        }
        found
    }

    /// The atoms at whose zeros a form may be 0; none where it is never 0.
    ///
    /// # Errors
    /// If a coefficient does not fit.
    pub fn zeros(&mut self, id: FormId) -> Result<BTreeSet<AtomId>, Refusal> {
        if self.as_constant(id).is_some() || self.sign(id)?.is_some() {
            return Ok(BTreeSet::new());
        }
        // What its inverse divides by.
        let inverse = self.power(id, Number::whole(-1))?;
        let mut found = BTreeSet::new();
        for (mono, _) in &self.form(inverse).terms {
            let below = |f: &&Factor| f.power.is_negative() && self.may_vanish(f.atom);
            found.extend(self.mono(*mono).factors.iter().filter(below).map(|f| f.atom));
        }
        Ok(found)
    }

    fn may_vanish(&self, atom: AtomId) -> bool {
        let nonzero = [Property::Nonzero, Property::Positive, Property::SignLabels];
        let invertible = match &*self.atom(atom) {
            Atom::Apply(op, _, args) if op.name == words::DET => self.is_invertible(args[0]),
            _ => false,
        };
        !invertible && !self.is_odds(atom) && !self.is_positive(atom) && !nonzero.iter().any(|p| self.knows(atom, p))
    }

    /// Is the group 1 − sigmoid(u) or its negative?
    fn is_odds(&self, atom: AtomId) -> bool {
        let Atom::Group(inner) = *self.atom(atom) else { return false };
        let form = self.form(inner);
        let [a, b] = form.terms.as_slice() else { return false };
        let sigmoid = |f: &Factor| {
            f.power == Number::ONE && matches!(&*self.atom(f.atom), Atom::Apply(op, _, _) if op.name == words::SIGMOID)
        };
        [(a, b), (b, a)].into_iter().any(|((one, c), (mono, k))| {
            let alone = self.mono(*one).factors.is_empty() && *k == c.negated();
            alone && matches!(self.mono(*mono).factors.as_slice(), [f] if sigmoid(f))
        })
    }
}
