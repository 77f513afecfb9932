//! Atoms, monomials and forms; equal ones are one.

use super::Refusal;
use super::cancel::Fired;
use super::facts::Facts;
use super::label::canonical;
use crate::graph::NodeId;
use crate::ops::{Attrs, Number, OpRef};
use crate::shape::Dim;
use std::collections::HashMap;
use std::sync::Arc;

/// A label: an index that runs over a dimension.
pub type Label = u16;

/// A dimension, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DimId(pub u32);

/// An atom, by number; its parts have smaller numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AtomId(pub u32);

/// A monomial without its coefficient, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MonoId(pub u32);

/// A form, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FormId(pub u32);

/// What carries labels.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Atom {
    /// An input, a name, or a node that is taken as it is.
    Leaf(NodeId),
    /// The place of a differential.
    Hole(NodeId),
    /// A dimension as a number.
    Size(DimId),
    /// A prime number, always to a power between 0 and 1.
    Root(i128),
    /// A function of forms.
    Apply(OpRef, Attrs, Vec<FormId>),
    /// A sum inside a product, or a product with sums under a power.
    Group(FormId),
    /// A contraction with no free label.
    Closed(MonoId),
}

/// An atom to a power, with one label for each of its axes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Factor {
    /// The atom.
    pub atom: AtomId,
    /// Its labels.
    pub labels: Vec<Label>,
    /// The exponent, entry by entry; not 0.
    pub power: Number,
}

/// A product of factors.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Mono {
    /// One label for each axis of the value.
    pub out: Vec<Label>,
    /// The factors, sorted.
    pub factors: Vec<Factor>,
}

impl Mono {
    /// One past the largest label.
    pub fn bound(&self) -> Label {
        let all = self.factors.iter().flat_map(|f| &f.labels).chain(&self.out);
        all.max().map_or(0, |l| l + 1)
    }

    /// The labels that are summed, ascending.
    pub fn summed(&self) -> Vec<Label> {
        let mut labels: Vec<Label> = self.factors.iter().flat_map(|f| f.labels.iter().copied()).collect();
        labels.sort_unstable();
        labels.dedup();
        labels.retain(|l| !self.out.contains(l));
        labels
    }
}

/// A sum of monomials with coefficients.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Form {
    /// The dimension of each axis.
    pub shape: Vec<DimId>,
    /// The terms, by number of the monomial; no coefficient is 0.
    pub terms: Vec<(MonoId, Number)>,
}

/// All forms of one derivation.
#[derive(Default)]
pub struct Forms {
    dims: Vec<Dim>,
    dim_ids: HashMap<Dim, DimId>,
    atoms: Vec<(Arc<Atom>, Vec<DimId>, bool)>,
    atom_ids: HashMap<Arc<Atom>, AtomId>,
    monos: Vec<Arc<Mono>>,
    mono_ids: HashMap<Arc<Mono>, MonoId>,
    forms: Vec<Arc<Form>>,
    form_ids: HashMap<Arc<Form>, FormId>,
    pub(super) nodes: HashMap<NodeId, FormId>,
    pub(super) facts: Facts,
    /// The cancellations that fired while they were recorded.
    pub fired: Vec<Fired>,
    pub(super) recording: bool,
    pub(super) opaque: bool,
    pub(super) asleep: u64,
    /// Does the program itself speak of diagonals?
    pub(super) speaks_of_diagonals: bool,
    /// Does the program itself speak of π?
    pub(super) speaks_of_pi: bool,
    /// Matrices whose determinant was split, with the determinants it was split into.
    pub(super) determinants: Vec<(FormId, Vec<(AtomId, i64)>)>,
}

impl Forms {
    /// No forms yet.
    pub fn new() -> Forms {
        Forms::default()
    }

    /// No forms yet; nodes with names will be atoms.
    pub fn with_names_as_atoms() -> Forms {
        Forms { opaque: true, ..Forms::default() }
    }

    /// Notes, or does not, the cancellations that fire.
    pub fn record(&mut self, on: bool) {
        self.recording = on;
    }

    /// A dimension's number.
    pub fn dim_id(&mut self, dim: &Dim) -> DimId {
        if let Some(id) = self.dim_ids.get(dim) {
            return *id;
        }
        let id = DimId(self.dims.len() as u32);
        self.dims.push(dim.clone());
        self.dim_ids.insert(dim.clone(), id);
        id
    }

    /// A dimension.
    pub fn dim(&self, id: DimId) -> &Dim {
        &self.dims[id.0 as usize]
    }

    /// An atom.
    pub fn atom(&self, id: AtomId) -> Arc<Atom> {
        self.atoms[id.0 as usize].0.clone()
    }

    /// The dimension of each axis of an atom.
    pub fn atom_shape(&self, id: AtomId) -> &[DimId] {
        &self.atoms[id.0 as usize].1
    }

    /// Does a hole stand in the atom?
    pub fn has_hole(&self, id: AtomId) -> bool {
        self.atoms[id.0 as usize].2
    }

    /// Number of atoms.
    pub fn atom_count(&self) -> usize {
        self.atoms.len()
    }

    /// A monomial.
    pub fn mono(&self, id: MonoId) -> Arc<Mono> {
        self.monos[id.0 as usize].clone()
    }

    /// A form.
    pub fn form(&self, id: FormId) -> Arc<Form> {
        self.forms[id.0 as usize].clone()
    }

    /// Does a hole stand in the form?
    pub fn form_has_hole(&self, id: FormId) -> bool {
        let holds = |m: MonoId| self.monos[m.0 as usize].factors.iter().any(|f| self.has_hole(f.atom));
        self.forms[id.0 as usize].terms.iter().any(|(m, _)| holds(*m))
    }

    /// The atom's number.
    pub fn intern_atom(&mut self, atom: Atom, shape: Vec<DimId>) -> AtomId {
        if let Some(id) = self.atom_ids.get(&atom) {
            return *id;
        }
        let hole = match &atom {
            Atom::Hole(_) => true,
            Atom::Group(form) => self.form_has_hole(*form),
            Atom::Closed(mono) => self.mono(*mono).factors.iter().any(|f| self.has_hole(f.atom)),
            Atom::Apply(_, _, args) => args.iter().any(|a| self.form_has_hole(*a)),
            Atom::Leaf(_) | Atom::Size(_) | Atom::Root(_) => false,
        };
        let id = AtomId(self.atoms.len() as u32);
        let atom = Arc::new(atom);
        self.atoms.push((atom.clone(), shape, hole));
        self.atom_ids.insert(atom, id);
        id
    }

    /// The number of a product with these labels, relabelled canonically.
    pub fn intern_mono(&mut self, out: &[Label], factors: Vec<Factor>) -> MonoId {
        let mono = canonical(out, factors);
        if let Some(id) = self.mono_ids.get(&mono) {
            return *id;
        }
        let id = MonoId(self.monos.len() as u32);
        let mono = Arc::new(mono);
        self.monos.push(mono.clone());
        self.mono_ids.insert(mono, id);
        id
    }

    /// The form with these terms, equal monomials collected.
    ///
    /// # Errors
    /// If a coefficient does not fit.
    pub fn intern_form(&mut self, shape: Vec<DimId>, mut terms: Vec<(MonoId, Number)>) -> Result<FormId, Refusal> {
        terms.sort_by_key(|(mono, _)| *mono);
        let mut kept: Vec<(MonoId, Number)> = Vec::with_capacity(terms.len());
        for (mono, c) in terms {
            match kept.last_mut() {
                Some((last, sum)) if *last == mono => *sum = sum.plus(c).ok_or(Refusal::Overflow)?,
                _ => kept.push((mono, c)),
            }
        }
        kept.retain(|(_, c)| *c != Number::ZERO);
        let form = Form { shape, terms: kept };
        if let Some(id) = self.form_ids.get(&form) {
            return Ok(*id);
        }
        let id = FormId(self.forms.len() as u32);
        let form = Arc::new(form);
        self.forms.push(form.clone());
        self.form_ids.insert(form, id);
        Ok(id)
    }

    /// Numbers constants before what is made after this.
    pub fn constants_first(&mut self) {
        for out in [&[][..], &[0], &[0, 1], &[0, 0]] {
            self.intern_mono(out, Vec::new());
        }
    }

    /// The number `c` in every entry.
    ///
    /// # Errors
    /// Never for numbers that fit.
    pub fn constant(&mut self, c: Number, shape: Vec<DimId>) -> Result<FormId, Refusal> {
        let out: Vec<Label> = (0..shape.len() as Label).collect();
        let mono = self.intern_mono(&out, Vec::new());
        self.intern_form(shape, vec![(mono, c)])
    }

    /// The form that is one atom.
    ///
    /// # Errors
    /// Never.
    pub fn of_atom(&mut self, atom: AtomId) -> Result<FormId, Refusal> {
        let shape = self.atom_shape(atom).to_vec();
        let labels: Vec<Label> = (0..shape.len() as Label).collect();
        let mono = self.intern_mono(&labels, vec![Factor { atom, labels: labels.clone(), power: Number::ONE }]);
        self.intern_form(shape, vec![(mono, Number::ONE)])
    }

    /// The constant that a form is in every entry, if it is one.
    pub fn as_constant(&self, id: FormId) -> Option<Number> {
        let form = &self.forms[id.0 as usize];
        match form.terms.as_slice() {
            [] => Some(Number::ZERO),
            [(mono, c)] => {
                let mono = &self.monos[mono.0 as usize];
                let plain = mono.out.iter().enumerate().all(|(i, l)| !mono.out[..i].contains(l));
                (mono.factors.is_empty() && plain).then_some(*c)
            }
            _ => None,
        }
    }

    /// The atom that a form is, axes in order, if it is one.
    pub fn as_atom(&self, id: FormId) -> Option<AtomId> {
        let form = &self.forms[id.0 as usize];
        let [(mono, c)] = form.terms.as_slice() else { return None };
        if *c != Number::ONE {
            return None;
        }
        let mono = &self.monos[mono.0 as usize];
        let [factor] = mono.factors.as_slice() else { return None };
        let plain = mono.out.iter().enumerate().all(|(i, l)| !mono.out[..i].contains(l));
        (plain && factor.power == Number::ONE && factor.labels == mono.out).then_some(factor.atom)
    }
}
