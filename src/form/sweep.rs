//! Derivatives: the hole of a rule is replaced (forward), or the cotangent takes
//! the place of the result and the hole is deleted (reverse).

use super::Refusal;
use super::arena::{Atom, DimId, Factor, FormId, Forms, Label, MonoId};
use super::monomial::Raw;
use crate::graph::NodeId;
use crate::ops::Number;

/// A term linear in one hole: the rest of the product, and what stood in the hole.
struct Opened {
    /// Whose differential stands in the hole.
    of: NodeId,
    /// The labels of the hole.
    hole: Vec<Label>,
    /// The product without the hole, and its coefficient.
    raw: Raw,
}

impl Forms {
    /// A term taken apart at its hole, with the dimensions of its labels; `None`
    /// if it has none.
    fn take_apart(&mut self, mono: MonoId, c: Number, shape: &[DimId]) -> Result<Option<Opened>, Refusal> {
        let mono = self.mono(mono);
        let holes: Vec<usize> = (0..mono.factors.len()).filter(|i| self.has_hole(mono.factors[*i].atom)).collect();
        let place = match holes.as_slice() {
            [] => return Ok(None),
            [place] => place,
            _ => return Err(Refusal::Unlabelled),
        };
        // Inside another atom it has no labels of its own.
        let Atom::Hole(of) = *self.atom(mono.factors[*place].atom) else { return Err(Refusal::Unlabelled) };
        let one = self.dim_id(&crate::shape::Dim::size(1));
        let mut dims = vec![one; mono.bound() as usize];
        for (label, dim) in mono.out.iter().zip(shape) {
            dims[*label as usize] = *dim;
        }
        for factor in &mono.factors {
            for (label, dim) in factor.labels.iter().zip(self.atom_shape(factor.atom)) {
                dims[*label as usize] = *dim;
            }
        }
        let mut raw = Raw::new(&mono.out, dims);
        raw.scale(c)?;
        raw.factors = mono.factors.clone();
        let hole = raw.factors.remove(*place).labels;
        Ok(Some(Opened { of, hole, raw }))
    }

    /// The adjoint of a form linear in holes, applied to a cotangent: for each
    /// hole's node the terms it gets.
    ///
    /// # Errors
    /// If a number does not fit or there are too many terms.
    pub fn adjoint(&mut self, linear: FormId, cotangent: FormId) -> Result<Vec<(NodeId, FormId)>, Refusal> {
        let form = self.form(linear);
        let mut found: Vec<(NodeId, FormId)> = Vec::new();
        for (mono, c) in &form.terms {
            let Some(opened) = self.take_apart(*mono, *c, &form.shape)? else { continue };
            let result = opened.raw.out.clone();
            let dims: Vec<DimId> = opened.hole.iter().map(|l| opened.raw.dims[*l as usize]).collect();
            let mut raw = opened.raw;
            raw.out.clone_from(&opened.hole);
            let terms = self.with_factor(raw, cotangent, &result)?;
            found.push((opened.of, self.intern_form(dims, terms)?));
        }
        Ok(found)
    }

    /// The product times a form, the form as one factor where it can be.
    pub(super) fn with_factor(
        &mut self,
        raw: Raw,
        form: FormId,
        labels: &[Label],
    ) -> Result<Vec<(MonoId, Number)>, Refusal> {
        let whole = self.form(form);
        let bare = raw.factors.is_empty() && labels.iter().all(|l| raw.out.contains(&raw.find(*l)));
        if whole.terms.len() > 1
            && !bare
            && !self.form_has_hole(form)
            && let Some(group) = self.as_group(form)?
        {
            let mut raw = raw;
            raw.scale(group.content)?;
            let held = group.axes.iter().map(|a| raw.find(labels[*a])).collect();
            raw.factors.push(Factor { atom: group.atom, labels: held, power: Number::ONE });
            if let Some((a, b)) = group.diagonal {
                raw.join(labels[a], labels[b]);
            }
            return self.finish(raw, false);
        }
        let mut terms = Vec::new();
        for (mono, c) in &whole.terms {
            let mut term = raw.clone();
            term.place(self, &self.mono(*mono), *c, labels)?;
            terms.extend(self.finish(term, false)?);
        }
        Ok(terms)
    }

    /// The terms of a form linear in holes with each hole replaced: `of(node)` is
    /// the derivative of the node, its axes before `extra` more.
    ///
    /// # Errors
    /// If a number does not fit or there are too many terms.
    pub fn filled(
        &mut self,
        linear: FormId,
        extra: &[DimId],
        of: &dyn Fn(NodeId) -> Option<FormId>,
    ) -> Result<Vec<FormId>, Refusal> {
        let form = self.form(linear);
        let mut shape = form.shape.clone();
        shape.extend(extra);
        let mut parts = Vec::new();
        for (mono, c) in &form.terms {
            let Some(mut opened) = self.take_apart(*mono, *c, &form.shape)? else { continue };
            let Some(inner) = of(opened.of) else { continue };
            let mut labels = opened.hole.clone();
            for dim in extra {
                let label = opened.raw.label(*dim);
                opened.raw.out.push(label);
                labels.push(label);
            }
            let terms = self.with_factor(opened.raw, inner, &labels)?;
            parts.push(self.intern_form(shape.clone(), terms)?);
        }
        Ok(parts)
    }

    /// d(variable)/d(variable): a delta for each axis.
    ///
    /// # Errors
    /// Never.
    pub fn identity(&mut self, shape: &[DimId]) -> Result<FormId, Refusal> {
        let labels: Vec<Label> = (0..shape.len() as Label).collect();
        let twice: Vec<Label> = labels.iter().chain(&labels).copied().collect();
        let mono = self.intern_mono(&twice, Vec::new());
        self.intern_form(shape.iter().chain(shape).copied().collect(), vec![(mono, Number::ONE)])
    }
}
