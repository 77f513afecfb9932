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

/// An atom and what is asked of it often.
struct KnownAtom {
    atom: Arc<Atom>,
    shape: Vec<DimId>,
    hole: bool,
    weight: u32,
}

/// All forms of one derivation.
#[derive(Default)]
pub struct Forms {
    dims: Vec<Dim>,
    dim_ids: HashMap<Dim, DimId>,
    atoms: Vec<KnownAtom>,
    atom_ids: HashMap<Arc<Atom>, AtomId>,
    /// With their weights, as the forms are.
    monos: Vec<(Arc<Mono>, u32)>,
    mono_ids: HashMap<Arc<Mono>, MonoId>,
    forms: Vec<(Arc<Form>, u32)>,
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
    /// Does the program itself speak of variances?
    pub(super) speaks_of_variance: bool,
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
        self.atoms[id.0 as usize].atom.clone()
    }

    /// The dimension of each axis of an atom.
    pub fn atom_shape(&self, id: AtomId) -> &[DimId] {
        &self.atoms[id.0 as usize].shape
    }

    /// Does a hole stand in the atom?
    pub fn has_hole(&self, id: AtomId) -> bool {
        self.atoms[id.0 as usize].hole
    }

    /// Number of atoms.
    pub fn atom_count(&self) -> usize {
        self.atoms.len()
    }

    /// A monomial.
    pub fn mono(&self, id: MonoId) -> Arc<Mono> {
        self.monos[id.0 as usize].0.clone()
    }

    /// A form.
    pub fn form(&self, id: FormId) -> Arc<Form> {
        self.forms[id.0 as usize].0.clone()
    }

    pub(super) fn atom_ref(&self, id: AtomId) -> &Atom {
        &self.atoms[id.0 as usize].atom
    }

    pub(super) fn mono_ref(&self, id: MonoId) -> &Mono {
        &self.monos[id.0 as usize].0
    }

    pub(super) fn form_ref(&self, id: FormId) -> &Form {
        &self.forms[id.0 as usize].0
    }

    pub(super) fn atom_weight(&self, id: AtomId) -> u32 {
        self.atoms[id.0 as usize].weight
    }

    pub(super) fn mono_weight(&self, id: MonoId) -> u32 {
        self.monos[id.0 as usize].1
    }

    pub(super) fn form_weight(&self, id: FormId) -> u32 {
        self.forms[id.0 as usize].1
    }

    /// Does a hole stand in the form?
    pub fn form_has_hole(&self, id: FormId) -> bool {
        let holds = |m: MonoId| self.mono_ref(m).factors.iter().any(|f| self.has_hole(f.atom));
        self.form_ref(id).terms.iter().any(|(m, _)| holds(*m))
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
        let weight = self.weight_of_atom(&atom);
        let atom = Arc::new(atom);
        self.atoms.push(KnownAtom { atom: atom.clone(), shape, hole, weight });
        self.atom_ids.insert(atom, id);
        id
    }

    /// The number of a product with these labels, relabelled canonically.
    pub fn intern_mono(&mut self, out: &[Label], mut factors: Vec<Factor>) -> MonoId {
        // Labels follow the order of the atoms, which is that of their places here.
        let atoms = self.sorted_atoms(factors.iter().map(|f| f.atom));
        for factor in &mut factors {
            let place = atoms.iter().position(|atom| *atom == factor.atom).unwrap_or(0);
            factor.atom = AtomId(place as u32);
        }
        let mut mono = canonical(out, factors);
        for factor in &mut mono.factors {
            factor.atom = atoms[factor.atom.0 as usize];
        }
        if let Some(id) = self.mono_ids.get(&mono) {
            return *id;
        }
        let id = MonoId(self.monos.len() as u32);
        let weight = self.weight_of_mono(&mono);
        let mono = Arc::new(mono);
        self.monos.push((mono.clone(), weight));
        self.mono_ids.insert(mono, id);
        id
    }

    /// The form with these terms, equal monomials collected.
    ///
    /// # Errors
    /// If a coefficient does not fit.
    pub fn intern_form(&mut self, shape: Vec<DimId>, mut terms: Vec<(MonoId, Number)>) -> Result<FormId, Refusal> {
        terms.sort_by(|(a, _), (b, _)| self.compare_monos(*a, *b));
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
        let weight =
            form.terms.iter().map(|(mono, _)| self.mono_weight(*mono).saturating_add(1)).fold(0, u32::saturating_add);
        let form = Arc::new(form);
        self.forms.push((form.clone(), weight));
        self.form_ids.insert(form, id);
        Ok(id)
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
        let form = self.form_ref(id);
        match form.terms.as_slice() {
            [] => Some(Number::ZERO),
            [(mono, c)] => {
                let mono = self.mono_ref(*mono);
                let plain = mono.out.iter().enumerate().all(|(i, l)| !mono.out[..i].contains(l));
                (mono.factors.is_empty() && plain).then_some(*c)
            }
            _ => None,
        }
    }

    /// The atom that a form is, axes in order, if it is one.
    pub fn as_atom(&self, id: FormId) -> Option<AtomId> {
        let form = self.form_ref(id);
        let [(mono, c)] = form.terms.as_slice() else { return None };
        if *c != Number::ONE {
            return None;
        }
        let mono = self.mono_ref(*mono);
        let [factor] = mono.factors.as_slice() else { return None };
        let plain = mono.out.iter().enumerate().all(|(i, l)| !mono.out[..i].contains(l));
        (plain && factor.power == Number::ONE && factor.labels == mono.out).then_some(factor.atom)
    }
}
