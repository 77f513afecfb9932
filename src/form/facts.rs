//! What is known of values, by form.

use super::Refusal;
use super::arena::{Atom, AtomId, FormId, Forms};
use super::words;
use crate::graph::Property;
use crate::ops::{Axes, Number};
use std::collections::HashMap;

/// Properties of forms, and what follows from them.
#[derive(Default)]
pub struct Facts {
    atoms: HashMap<AtomId, Vec<Property>>,
    /// Atoms known to be above (true) or below 0.
    signs: HashMap<AtomId, bool>,
    forms: Vec<(FormId, Property)>,
    symmetric: HashMap<AtomId, bool>,
}

impl Forms {
    /// Nothing is known any more.
    pub fn forget_facts(&mut self) {
        self.facts = Facts::default();
    }

    /// Notes a property of a form.
    ///
    /// # Errors
    /// If a coefficient does not fit.
    pub fn note(&mut self, form: FormId, property: &Property) -> Result<(), Refusal> {
        self.facts.symmetric.clear();
        self.facts.forms.push((form, property.clone()));
        if let Some(atom) = self.as_atom(form) {
            self.facts.atoms.entry(atom).or_default().push(property.clone());
        }
        if *property == Property::Positive
            && let Some((atom, content)) = self.one_factor(form)?
        {
            self.facts.signs.insert(atom, !content.is_negative());
        }
        Ok(())
    }

    /// The form as a number times one atom, sums taken as groups.
    fn one_factor(&mut self, id: FormId) -> Result<Option<(AtomId, Number)>, Refusal> {
        let form = self.form(id);
        if let [(mono, c)] = form.terms.as_slice() {
            let mono = self.mono(*mono);
            return Ok(match mono.factors.as_slice() {
                [f] if f.power == Number::ONE => Some((f.atom, *c)),
                _ => None,
            });
        }
        Ok(self.as_group(id)?.map(|g| (g.atom, g.content)))
    }

    /// Is the property known of the atom?
    pub fn knows(&self, atom: AtomId, property: &Property) -> bool {
        self.facts.atoms.get(&atom).is_some_and(|known| known.contains(property))
    }

    /// Is the property known of the form?
    pub fn form_knows(&self, form: FormId, property: &Property) -> bool {
        self.facts.forms.iter().any(|(f, p)| *f == form && p == property)
    }

    /// Is the sign of the form's determinant known, so that it is not 0?
    pub(super) fn has_known_determinant(&self, id: FormId) -> bool {
        self.facts.signs.keys().any(|atom| match &*self.atom(*atom) {
            Atom::Apply(op, _, args) => op.name == words::DET && args == &[id],
            _ => false,
        })
    }

    /// The same of a matrix that is one atom.
    pub(super) fn atom_has_known_determinant(&self, matrix: AtomId) -> bool {
        self.facts.signs.keys().any(|atom| match &*self.atom(*atom) {
            Atom::Apply(op, _, args) => op.name == words::DET && args.iter().all(|a| self.as_atom(*a) == Some(matrix)),
            _ => false,
        })
    }

    /// Is the atom a matrix equal to its transpose?
    ///
    /// # Errors
    /// If a coefficient does not fit.
    pub(super) fn is_symmetric(&mut self, atom: AtomId) -> Result<bool, Refusal> {
        let shape = self.atom_shape(atom);
        if shape.len() != 2 || shape[0] != shape[1] {
            return Ok(false);
        }
        if let Some(known) = self.facts.symmetric.get(&atom) {
            return Ok(*known);
        }
        let found = match &*self.atom(atom) {
            Atom::Leaf(_) => {
                let properties = [Property::Symmetric, Property::PositiveDefinite, Property::Diagonal];
                properties.iter().any(|p| self.knows(atom, p))
            }
            Atom::Group(form) => self.transposed(*form)? == *form,
            Atom::Apply(op, _, args) if op.axes == Axes::Elementwise || [words::INV, words::ADJ].contains(&op.name) => {
                let mut all = true;
                for arg in args {
                    all &= self.form(*arg).shape.len() < 2 || self.transposed(*arg)? == *arg;
                }
                all
            }
            _ => false,
        };
        self.facts.symmetric.insert(atom, found);
        Ok(found)
    }

    /// Is the atom a matrix whose entries off the diagonal are 0?
    pub(super) fn is_diagonal(&self, atom: AtomId) -> bool {
        match &*self.atom(atom) {
            Atom::Leaf(_) => self.knows(atom, &Property::Diagonal),
            Atom::Apply(op, _, args) if [words::INV, words::ADJ].contains(&op.name) => {
                args.iter().all(|arg| self.as_atom(*arg).is_some_and(|inner| self.is_diagonal(inner)))
            }
            _ => false,
        }
    }

    /// Is the atom its own square?
    pub(super) fn is_idempotent(&self, atom: AtomId) -> bool {
        match &*self.atom(atom) {
            Atom::Apply(op, _, _) => words::is_mask(op) || op.name == words::ONE_HOT,
            _ => [Property::OneHot, Property::Binary].iter().any(|p| self.knows(atom, p)),
        }
    }

    /// Is the atom above 0 in every entry?
    pub(super) fn is_positive(&self, atom: AtomId) -> bool {
        if self.facts.signs.get(&atom) == Some(&true) {
            return true;
        }
        match &*self.atom(atom) {
            Atom::Size(_) | Atom::Root(_) => true,
            Atom::Apply(op, _, _) => words::POSITIVE.contains(&op.name),
            Atom::Group(form) => self.all_positive(*form),
            // A sum over the entries of what is above 0 everywhere.
            Atom::Closed(mono) => self.mono(*mono).factors.iter().all(|f| self.is_positive(f.atom)),
            Atom::Leaf(_) => self.knows(atom, &Property::Positive),
            _ => false,
        }
    }

    /// Is no term below 0, and one above?
    fn all_positive(&self, id: FormId) -> bool {
        let form = self.form(id);
        let positive = |mono: &super::arena::Mono| mono.factors.iter().all(|f| self.is_positive(f.atom));
        self.is_nonnegative(id) && form.terms.iter().any(|(m, _)| positive(&self.mono(*m)))
    }

    /// Is the atom a function that is never below 0?
    fn is_distance(&self, atom: AtomId) -> bool {
        matches!(&*self.atom(atom), Atom::Apply(op, _, _) if words::NONNEGATIVE.contains(&op.name))
    }

    /// Are all terms of the form squares with positive coefficients, or else never below 0?
    pub fn is_nonnegative(&self, id: FormId) -> bool {
        let even = |power: Number| power.as_whole().is_some_and(|n| n % 2 == 0);
        let square = |factors: &[super::arena::Factor]| {
            factors.iter().all(|f| {
                even(f.power) || self.is_positive(f.atom) || self.is_idempotent(f.atom) || self.is_distance(f.atom)
            })
        };
        let form = self.form(id);
        form.terms.iter().all(|(m, c)| {
            let mono = self.mono(*m);
            let closed = |f: &super::arena::Factor| match &*self.atom(f.atom) {
                Atom::Closed(inner) => square(&self.mono(*inner).factors),
                _ => false,
            };
            !c.is_negative() && mono.factors.iter().all(|f| square(std::slice::from_ref(f)) || closed(f))
        })
    }

    /// Above 0 (true), below 0 (false), or not known.
    ///
    /// # Errors
    /// If a coefficient does not fit.
    pub fn sign(&mut self, id: FormId) -> Result<Option<bool>, Refusal> {
        if let Some(c) = self.as_constant(id) {
            return Ok((c != Number::ZERO).then_some(!c.is_negative()));
        }
        let form = self.form(id);
        if let [(mono, c)] = form.terms.as_slice() {
            let mut positive = !c.is_negative();
            for factor in &self.mono(*mono).factors {
                match self.facts.signs.get(&factor.atom) {
                    _ if self.is_positive(factor.atom) => {}
                    Some(false) if factor.power.as_whole().is_some_and(|n| n % 2 != 0) => positive = !positive,
                    _ => return Ok(None),
                }
            }
            return Ok(Some(positive));
        }
        if self.all_positive(id) {
            return Ok(Some(true));
        }
        let Some(group) = self.as_group(id)? else { return Ok(None) };
        Ok(self.facts.signs.get(&group.atom).map(|sign| *sign != group.content.is_negative()))
    }
}
