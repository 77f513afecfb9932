//! The order of atoms, products and forms: by what they are, not by when they were made.
//!
//! What is written first, which sign stands outside of a sum and which way around a
//! matrix is taken all follow from this order, so an expression has one normal form
//! whatever was worked out before it. Small things come first, then those made of
//! earlier inputs; what holds a differential comes last. Equal things are one number, so
//! of two products the first pair of parts that differ decides: nothing is compared twice.

use super::arena::{Atom, AtomId, Factor, FormId, Forms, Mono, MonoId};
use std::cmp::Ordering;

/// Two things of one sort whose order is asked for.
#[derive(Clone, Copy)]
enum Pair {
    Atoms(AtomId, AtomId),
    Monos(MonoId, MonoId),
    Forms(FormId, FormId),
}

/// What a look at the outermost parts of a pair says.
enum Look {
    /// The order.
    Known(Ordering),
    /// It is that of these parts.
    Inside(Pair),
}

/// The pair, unless its two are one.
fn inside(pair: Pair) -> Option<Look> {
    let one = match pair {
        Pair::Atoms(a, b) => a == b,
        Pair::Monos(a, b) => a == b,
        Pair::Forms(a, b) => a == b,
    };
    (!one).then_some(Look::Inside(pair))
}

/// The order, unless the two are alike in this.
fn known(order: Ordering) -> Option<Look> {
    (order != Ordering::Equal).then_some(Look::Known(order))
}

impl Forms {
    /// The order of two atoms.
    pub fn compare_atoms(&self, a: AtomId, b: AtomId) -> Ordering {
        self.compare(Pair::Atoms(a, b))
    }

    /// The order of two products.
    pub(super) fn compare_monos(&self, a: MonoId, b: MonoId) -> Ordering {
        self.compare(Pair::Monos(a, b))
    }

    /// The order of two forms.
    pub(super) fn compare_forms(&self, a: FormId, b: FormId) -> Ordering {
        self.compare(Pair::Forms(a, b))
    }

    /// The order of two factors: by the atom, then the labels, then the exponent.
    pub(super) fn compare_factors(&self, a: &Factor, b: &Factor) -> Ordering {
        let rest = || a.labels.cmp(&b.labels).then(a.power.cmp(&b.power));
        self.compare_atoms(a.atom, b.atom).then_with(rest)
    }

    /// Atoms in order, each once.
    pub(super) fn sorted_atoms(&self, atoms: impl IntoIterator<Item = AtomId>) -> Vec<AtomId> {
        let mut sorted: Vec<AtomId> = atoms.into_iter().collect();
        sorted.sort_by(|a, b| self.compare_atoms(*a, *b));
        sorted.dedup();
        sorted
    }

    /// Forms in order, each once.
    pub(super) fn sorted_forms(&self, forms: impl IntoIterator<Item = FormId>) -> Vec<FormId> {
        let mut sorted: Vec<FormId> = forms.into_iter().collect();
        sorted.sort_by(|a, b| self.compare_forms(*a, *b));
        sorted.dedup();
        sorted
    }

    /// A loop instead of recursion: sums may be nested deeply.
    fn compare(&self, mut pair: Pair) -> Ordering {
        loop {
            let look = match pair {
                Pair::Atoms(a, b) => self.look_at_atoms(a, b),
                Pair::Monos(a, b) => self.look_at_monos(a, b),
                Pair::Forms(a, b) => self.look_at_forms(a, b),
            };
            match look {
                Look::Known(order) => return order,
                Look::Inside(parts) => pair = parts,
            }
        }
    }

    fn look_at_atoms(&self, a: AtomId, b: AtomId) -> Look {
        if a == b {
            return Look::Known(Ordering::Equal);
        }
        let (first, second) = (self.atom_ref(a), self.atom_ref(b));
        let outside = || {
            let (hole, weight) =
                (self.has_hole(a).cmp(&self.has_hole(b)), self.atom_weight(a).cmp(&self.atom_weight(b)));
            hole.then(weight).then(sort_of(first).cmp(&sort_of(second)))
        };
        let parts = match (first, second) {
            _ if outside() != Ordering::Equal => known(outside()),
            (Atom::Leaf(x), Atom::Leaf(y)) | (Atom::Hole(x), Atom::Hole(y)) => known(x.cmp(y)),
            (Atom::Size(x), Atom::Size(y)) => known(x.cmp(y)),
            (Atom::Root(x), Atom::Root(y)) => known(x.cmp(y)),
            (Atom::Group(x), Atom::Group(y)) => inside(Pair::Forms(*x, *y)),
            (Atom::Closed(x), Atom::Closed(y)) => inside(Pair::Monos(*x, *y)),
            (Atom::Apply(f, with, x), Atom::Apply(g, other, y)) => {
                known(f.name.cmp(g.name).then(x.len().cmp(&y.len())))
                    .or_else(|| x.iter().zip(y).find_map(|(x, y)| inside(Pair::Forms(*x, *y))))
                    .or_else(|| known(with.cmp(other)))
            }
            _ => None,
        };
        parts.unwrap_or(Look::Known(a.cmp(&b)))
    }

    fn look_at_monos(&self, a: MonoId, b: MonoId) -> Look {
        if a == b {
            return Look::Known(Ordering::Equal);
        }
        let (first, second) = (self.mono_ref(a), self.mono_ref(b));
        let outside = self.mono_weight(a).cmp(&self.mono_weight(b)).then(shape_of(first).cmp(&shape_of(second)));
        let factors = || first.factors.iter().zip(&second.factors);
        known(outside)
            .or_else(|| factors().find_map(|(f, g)| inside(Pair::Atoms(f.atom, g.atom))))
            .or_else(|| {
                known(
                    factors()
                        .map(|(f, g)| f.labels.cmp(&g.labels).then(f.power.cmp(&g.power)))
                        .fold(Ordering::Equal, Ordering::then),
                )
            })
            .or_else(|| known(first.out.cmp(&second.out)))
            .unwrap_or(Look::Known(a.cmp(&b)))
    }

    fn look_at_forms(&self, a: FormId, b: FormId) -> Look {
        if a == b {
            return Look::Known(Ordering::Equal);
        }
        let (first, second) = (self.form_ref(a), self.form_ref(b));
        let outside = self.form_weight(a).cmp(&self.form_weight(b)).then(first.terms.len().cmp(&second.terms.len()));
        let terms = || first.terms.iter().zip(&second.terms);
        known(outside)
            .or_else(|| terms().find_map(|((m, _), (n, _))| inside(Pair::Monos(*m, *n))))
            .or_else(|| known(terms().map(|((_, c), (_, d))| c.cmp(d)).fold(Ordering::Equal, Ordering::then)))
            .or_else(|| known(first.shape.cmp(&second.shape)))
            .unwrap_or(Look::Known(a.cmp(&b)))
    }

    /// The number of names, functions and sums in an atom.
    pub(super) fn weight_of_atom(&self, atom: &Atom) -> u32 {
        let of = |forms: &[FormId]| forms.iter().map(|f| self.form_weight(*f)).fold(0, u32::saturating_add);
        match atom {
            Atom::Leaf(_) | Atom::Hole(_) | Atom::Size(_) | Atom::Root(_) => 1,
            Atom::Apply(_, _, args) => of(args).saturating_add(1),
            Atom::Group(form) => of(&[*form]),
            Atom::Closed(mono) => self.mono_weight(*mono).saturating_add(1),
        }
    }

    /// The sum over the factors; an exponent counts one.
    pub(super) fn weight_of_mono(&self, mono: &Mono) -> u32 {
        let one = |f: &Factor| self.atom_weight(f.atom).saturating_add(u32::from(f.power != crate::ops::Number::ONE));
        mono.factors.iter().map(one).fold(0, u32::saturating_add)
    }
}

/// The sorts of atoms, in their order.
fn sort_of(atom: &Atom) -> u8 {
    match atom {
        Atom::Leaf(_) => 0,
        Atom::Hole(_) => 1,
        Atom::Size(_) => 2,
        Atom::Root(_) => 3,
        Atom::Apply(..) => 4,
        Atom::Closed(_) => 5,
        Atom::Group(_) => 6,
    }
}

/// The numbers of axes and factors.
fn shape_of(mono: &Mono) -> (usize, usize) {
    (mono.out.len(), mono.factors.len())
}
