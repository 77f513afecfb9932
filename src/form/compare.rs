//! Comparisons: u > v is a comparison of u − v with 0, made primitive.

use super::Refusal;
use super::arena::{Atom, AtomId, DimId, Factor, FormId, Forms, MonoId};
use super::words;
use crate::ops::{Attrs, Number, OpRef};

impl Forms {
    /// A comparison in its one spelling: the difference against 0, without
    /// content, the sign of the difference turned with the comparison. `None` if
    /// it is spelled so already, or is none.
    ///
    /// # Errors
    /// If a number does not fit.
    pub(super) fn compared(&mut self, op: OpRef, attrs: &Attrs, args: &[FormId]) -> Result<Option<FormId>, Refusal> {
        let (Some((_, turned, _)), [left, right]) = (words::comparison(op), args) else { return Ok(None) };
        let shape = self.form(*left).shape.clone();
        let mut terms = self.form(*left).terms.clone();
        terms.extend(self.form(*right).terms.iter().map(|(m, c)| (*m, c.negated())));
        let difference = self.intern_form(shape.clone(), terms)?;
        let content = match self.form(difference).terms.as_slice() {
            [] => return Ok(None),
            [(_, c)] => *c,
            _ => self.content(difference),
        };
        let zero = self.constant(Number::ZERO, shape)?;
        if content == Number::ONE && *right == zero {
            return Ok(None);
        }
        let primitive = self.scaled(difference, Number::ONE.over(content).ok_or(Refusal::Overflow)?)?;
        let name = if content.is_negative() { turned } else { op.name };
        let Some(op) = words::word(name) else { return Ok(None) };
        self.apply(op, attrs, &[primitive, zero]).map(Some)
    }

    /// Is the operation one with f(−u) = −f(u)?
    pub fn is_odd(op: OpRef) -> bool {
        words::ODD.contains(&op.name)
    }

    /// Is the operation a comparison?
    pub fn is_comparison(op: OpRef) -> bool {
        words::comparison(op).is_some()
    }

    /// The comparison with its sides exchanged.
    pub fn exchanged(op: OpRef) -> Option<OpRef> {
        words::comparison(op).and_then(|(_, turned, _)| words::word(turned))
    }

    /// The mask over all axes that a product holds: its place, and whether it
    /// stands on the diagonal of a matrix.
    fn mask(&self, id: MonoId) -> Option<(usize, bool)> {
        let mono = self.mono(id);
        let diagonal = matches!(*mono.out.as_slice(), [a, b] if a == b);
        let axes = if diagonal { &mono.out[..1] } else { &mono.out[..] };
        let covers = |f: &Factor| f.power == Number::ONE && f.labels == axes && is_comparison_atom(&self.atom(f.atom));
        mono.factors.iter().position(covers).map(|place| (place, diagonal))
    }

    /// Two terms with opposite masks: their places, the first one's mask, and
    /// whether the masks stand on the diagonal of a matrix.
    pub fn opposite_terms(&self, terms: &[(MonoId, Number)]) -> Option<(usize, usize, AtomId, bool)> {
        let masks: Vec<_> = terms
            .iter()
            .enumerate()
            .filter_map(|(i, (mono, _))| {
                let (place, diagonal) = self.mask(*mono)?;
                Some((i, self.mono(*mono).factors[place].atom, diagonal))
            })
            .collect();
        for (i, a, diagonal) in &masks {
            for (j, b, _) in masks.iter().filter(|(j, _, d)| j != i && d == diagonal) {
                if let (Atom::Apply(first, _, x), Atom::Apply(second, _, y)) = (&*self.atom(*a), &*self.atom(*b))
                    && x == y
                    && words::comparison(first).is_some_and(|(_, _, opposite)| second.name == *opposite)
                    && ["gt", "lt", "ne"].contains(&first.name)
                {
                    return Some((*i, *j, *a, *diagonal));
                }
            }
        }
        None
    }

    /// A term without its mask; of a diagonal matrix, the vector.
    ///
    /// # Errors
    /// If a number does not fit.
    pub fn without_mask(&mut self, id: MonoId, c: Number, shape: &[DimId]) -> Result<FormId, Refusal> {
        let mono = self.mono(id);
        let Some((place, diagonal)) = self.mask(id) else { return self.intern_form(shape.to_vec(), vec![(id, c)]) };
        let mut factors = mono.factors.clone();
        factors.remove(place);
        let rank = if diagonal { 1 } else { mono.out.len() };
        let rest = self.intern_mono(&mono.out[..rank], factors);
        self.intern_form(shape[..rank].to_vec(), vec![(rest, c)])
    }

    /// Is the atom a matrix known to equal its transpose?
    pub fn symmetric(&mut self, atom: AtomId) -> bool {
        self.is_symmetric(atom).unwrap_or(false)
    }
}

fn is_comparison_atom(atom: &Atom) -> bool {
    matches!(atom, Atom::Apply(op, _, _) if words::comparison(op).is_some())
}
