//! Derivatives of forms, atom by atom: the second derivative of a program.

use super::Refusal;
use super::arena::{Atom, AtomId, DimId, Factor, FormId, Forms, Mono};
use super::monomial::Raw;
use super::rebuild::Rebuilt;
use crate::derive::rules;
use crate::graph::{NodeId, Program};
use crate::ops::{Attrs, Number, OpRef, Rule};
use crate::shape::Shape;
use std::collections::{BTreeSet, HashMap};

/// The derivatives, with respect to one atom, of the atoms seen so far.
pub struct Forward {
    wrt: AtomId,
    extra: Vec<DimId>,
    atoms: HashMap<AtomId, Option<FormId>>,
}

impl Forward {
    /// Derivatives with respect to an atom.
    pub fn new(forms: &Forms, wrt: AtomId) -> Forward {
        Forward { wrt, extra: forms.atom_shape(wrt).to_vec(), atoms: HashMap::new() }
    }

    /// The derivative of a form; the axes of the variable come last.
    ///
    /// # Errors
    /// What has no derivative or does not fit.
    pub fn derivative(&mut self, forms: &mut Forms, program: &mut Program, id: FormId) -> Result<FormId, Refusal> {
        // Atoms in ascending order: parts have smaller numbers.
        for atom in atoms_below(forms, id) {
            if !self.atoms.contains_key(&atom) {
                let found = self.of_atom(forms, program, atom)?;
                self.atoms.insert(atom, found);
            }
        }
        self.of_form(forms, id)
    }

    fn of_form(&self, forms: &mut Forms, id: FormId) -> Result<FormId, Refusal> {
        let form = forms.form(id);
        let mut shape = form.shape.clone();
        shape.extend(&self.extra);
        let mut terms = Vec::new();
        for (mono, c) in &form.terms {
            let mono = forms.mono(*mono);
            terms.extend(self.of_product(forms, &mono, *c, &form.shape)?);
        }
        forms.intern_form(shape, terms)
    }

    /// Each factor moves in turn: d(aᵏ) = k aᵏ⁻¹ da.
    fn of_product(
        &self,
        forms: &mut Forms,
        mono: &Mono,
        c: Number,
        shape: &[DimId],
    ) -> Result<Vec<(super::arena::MonoId, Number)>, Refusal> {
        let mut terms = Vec::new();
        for (place, factor) in mono.factors.iter().enumerate() {
            let Some(Some(inner)) = self.atoms.get(&factor.atom).copied() else { continue };
            let mut raw = Raw::new(&mono.out, label_dims(forms, mono, shape));
            raw.scale(c.times(factor.power).ok_or(Refusal::Overflow)?)?;
            raw.factors = mono.factors.clone();
            let less = factor.power.plus(Number::whole(-1)).ok_or(Refusal::Overflow)?;
            raw.factors[place] = Factor { power: less, ..factor.clone() };
            raw.factors.retain(|f| f.power != Number::ZERO);
            let mut labels = factor.labels.clone();
            for dim in &self.extra {
                let label = raw.label(*dim);
                raw.out.push(label);
                labels.push(label);
            }
            terms.extend(forms.with_factor(raw, inner, &labels)?);
        }
        Ok(terms)
    }

    fn of_atom(&self, forms: &mut Forms, program: &mut Program, id: AtomId) -> Result<Option<FormId>, Refusal> {
        if id == self.wrt {
            return forms.identity(&self.extra).map(Some);
        }
        let atom = forms.atom(id);
        let found = match &*atom {
            Atom::Leaf(_) | Atom::Hole(_) | Atom::Size(_) | Atom::Root(_) => return Ok(None),
            Atom::Group(form) => self.of_form(forms, *form)?,
            Atom::Closed(mono) => {
                let mono = forms.mono(*mono);
                let terms = self.of_product(forms, &mono, Number::ONE, &[])?;
                forms.intern_form(self.extra.clone(), terms)?
            }
            Atom::Apply(op, attrs, args) => self.of_function(forms, program, op, attrs, args)?,
        };
        Ok((!forms.form(found).terms.is_empty()).then_some(found))
    }

    fn of_function(
        &self,
        forms: &mut Forms,
        program: &mut Program,
        op: OpRef,
        attrs: &Attrs,
        args: &[FormId],
    ) -> Result<FormId, Refusal> {
        let mut moving = Vec::new();
        for arg in args {
            let inner = self.of_form(forms, *arg)?;
            moving.push((!forms.form(inner).terms.is_empty()).then_some(inner));
        }
        let shapes: Vec<Shape> = args.iter().map(|a| shape_of(forms, *a)).collect();
        let (linear, places) = local(forms, program, op, attrs, &shapes, &|i| moving[i].is_some())?;
        let mut replaced = Rebuilt::default();
        for (place, arg) in places.iter().zip(args) {
            let leaf = forms.form_of(program, *place)?;
            let Some(atom) = forms.as_atom(leaf) else { return Err(Refusal::TooLarge) };
            replaced.replace(atom, *arg);
        }
        let Some(linear) = linear else {
            let mut shape = forms.result_shape(op, attrs, args)?;
            shape.extend(&self.extra);
            return forms.intern_form(shape, Vec::new());
        };
        let linear = forms.rebuild(linear, &mut replaced)?;
        let of = |node: NodeId| places.iter().position(|p| *p == node).and_then(|i| moving[i]);
        let parts = forms.filled(linear, &self.extra, &of)?;
        let mut shape = forms.form(linear).shape.clone();
        shape.extend(&self.extra);
        let terms = parts.iter().flat_map(|p| forms.form(*p).terms.clone()).collect();
        forms.intern_form(shape, terms)
    }
}

/// The differential of an operation on places of these shapes, as a form linear
/// in holes, and the places. `None` if nothing moves.
fn local(
    forms: &mut Forms,
    program: &mut Program,
    op: OpRef,
    attrs: &Attrs,
    shapes: &[Shape],
    moving: &dyn Fn(usize) -> bool,
) -> Result<(Option<FormId>, Vec<NodeId>), Refusal> {
    let inputs = program.inputs.clone();
    let place = |(i, shape): (usize, &Shape)| program.input(&format!("·{i} {shape}"), shape.clone());
    let places: Vec<NodeId> = shapes.iter().enumerate().map(place).collect();
    program.inputs = inputs;
    if matches!(op.rule, Rule::Zero | Rule::Held) || !(0..shapes.len()).any(moving) {
        return Ok((None, places));
    }
    let refuse = |d: crate::diagnostic::Diagnostic| Refusal::Rule(Box::new(d));
    let node = program
        .apply(op, &places, attrs.clone())
        .map_err(|m| refuse(crate::diagnostic::Diagnostic::new(m.kind, m.message)))?;
    let moves = |node: NodeId| places.iter().position(|p| *p == node).is_some_and(moving);
    let linear = rules::local(program, node, &moves).map_err(refuse)?;
    let form = forms.form_of(program, linear)?;
    let shape: Vec<DimId> = program.shape(node).0.iter().map(|dim| forms.dim_id(dim)).collect();
    forms.spread(form, &shape).map(|form| (Some(form), places))
}

fn shape_of(forms: &Forms, id: FormId) -> Shape {
    Shape(forms.form(id).shape.iter().map(|d| forms.dim(*d).clone()).collect())
}

/// The dimension of each label of a monomial.
pub(super) fn label_dims(forms: &mut Forms, mono: &Mono, shape: &[DimId]) -> Vec<DimId> {
    let one = forms.dim_id(&crate::shape::Dim::size(1));
    let mut dims = vec![one; mono.bound() as usize];
    for factor in &mono.factors {
        for (label, dim) in factor.labels.iter().zip(forms.atom_shape(factor.atom)) {
            dims[*label as usize] = *dim;
        }
    }
    for (label, dim) in mono.out.iter().zip(shape) {
        dims[*label as usize] = *dim;
    }
    dims
}

/// The atoms of a form and of everything inside it, ascending.
pub(super) fn atoms_below(forms: &Forms, id: FormId) -> BTreeSet<AtomId> {
    let mut found = BTreeSet::new();
    let mut open: Vec<AtomId> = Vec::new();
    let of_form = |id: FormId| -> Vec<AtomId> {
        let form = forms.form(id);
        form.terms.iter().flat_map(|(m, _)| forms.mono(*m).factors.iter().map(|f| f.atom).collect::<Vec<_>>()).collect()
    };
    open.extend(of_form(id));
    while let Some(atom) = open.pop() {
        if !found.insert(atom) {
            continue;
        }
        match &*forms.atom(atom) {
            Atom::Group(form) => open.extend(of_form(*form)),
            Atom::Apply(_, _, args) => args.iter().for_each(|a| open.extend(of_form(*a))),
            Atom::Closed(mono) => open.extend(forms.mono(*mono).factors.iter().map(|f| f.atom)),
            _ => {}
        }
    }
    found
}
