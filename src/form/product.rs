//! Contractions of forms.

use super::Refusal;
use super::arena::{AtomId, DimId, Factor, FormId, Forms, Label, Mono, MonoId};
use super::monomial::Raw;
use crate::ops::Number;
use std::sync::Arc;

/// Terms a product may be multiplied out to.
const TERMS: usize = 4096;

/// What a part of a product contributes.
#[derive(Clone)]
enum Piece {
    Term(Arc<Mono>, Number),
    Group(AtomId, Number, Vec<usize>, Option<(usize, usize)>),
}

impl Forms {
    /// The contraction of `parts`, each a form with one label an axis. A part
    /// with several terms stays one factor where it can.
    ///
    /// # Errors
    /// If a number does not fit or there are too many terms.
    pub fn product(
        &mut self,
        parts: &[(FormId, Vec<Label>)],
        out: &[Label],
        shape: Vec<DimId>,
        divide: &[Label],
    ) -> Result<FormId, Refusal> {
        let dims = self.label_dims(parts, out, &shape);
        let mut coefficient = Number::ONE;
        let mut moving: Vec<&(FormId, Vec<Label>)> = Vec::new();
        for part in parts {
            match self.as_constant(part.0) {
                Some(c) => coefficient = coefficient.times(c).ok_or(Refusal::Overflow)?,
                None => moving.push(part),
            }
        }
        let mut base = Raw::new(out, dims);
        base.coefficient = coefficient;
        for label in divide {
            let minus = Number::whole(-1);
            let size = self.size_factors(base.dims[*label as usize], minus, &mut base.coefficient);
            base.factors.extend(size);
        }
        if coefficient == Number::ZERO {
            return self.intern_form(shape, Vec::new());
        }
        // A sum under no other sum is spelled out.
        let alone = moving.len() == 1 && moving[0].1.iter().all(|l| out.contains(l));
        let mut choices: Vec<(Vec<Piece>, Vec<Label>)> = Vec::new();
        for (form, labels) in moving {
            choices.push((self.pieces(*form, alone)?, labels.clone()));
        }
        let terms = self.multiply_out(&base, &choices)?;
        self.intern_form(shape, terms)
    }

    /// The dimension of every label used.
    fn label_dims(&mut self, parts: &[(FormId, Vec<Label>)], out: &[Label], shape: &[DimId]) -> Vec<DimId> {
        let one = self.dim_id(&crate::shape::Dim::size(1));
        let all = parts.iter().flat_map(|(_, labels)| labels).chain(out);
        let bound = all.max().map_or(0, |l| *l as usize + 1);
        let mut dims = vec![one; bound];
        for (label, dim) in out.iter().zip(shape) {
            dims[*label as usize] = *dim;
        }
        for (form, labels) in parts {
            for (label, dim) in labels.iter().zip(&self.form(*form).shape) {
                if dims[*label as usize] == one {
                    dims[*label as usize] = *dim;
                }
            }
        }
        dims
    }

    fn pieces(&mut self, form: FormId, spell: bool) -> Result<Vec<Piece>, Refusal> {
        let whole = self.form(form);
        if whole.terms.len() > 1
            && !spell
            && !self.form_has_hole(form)
            && let Some(group) = self.as_group(form)?
        {
            return Ok(vec![Piece::Group(group.atom, group.content, group.axes, group.diagonal)]);
        }
        Ok(whole.terms.iter().map(|(m, c)| Piece::Term(self.mono(*m), *c)).collect())
    }

    fn multiply_out(
        &mut self,
        base: &Raw,
        choices: &[(Vec<Piece>, Vec<Label>)],
    ) -> Result<Vec<(MonoId, Number)>, Refusal> {
        let total = choices.iter().try_fold(1usize, |n, (pieces, _)| n.checked_mul(pieces.len()));
        let total = total.filter(|n| *n <= TERMS).ok_or(Refusal::TooLarge)?;
        let mut terms = Vec::new();
        for number in 0..total {
            let mut rest = number;
            let mut raw = base.clone();
            for (pieces, labels) in choices {
                let piece = &pieces[rest % pieces.len()];
                rest /= pieces.len();
                self.put(&mut raw, piece, labels)?;
            }
            terms.extend(self.finish(raw, false)?);
        }
        Ok(terms)
    }

    fn put(&mut self, raw: &mut Raw, piece: &Piece, labels: &[Label]) -> Result<(), Refusal> {
        match piece {
            Piece::Term(mono, c) => raw.place(self, mono, *c, labels),
            Piece::Group(atom, c, axes, diagonal) => {
                raw.scale(*c)?;
                let held: Vec<Label> = axes.iter().map(|a| raw.find(labels[*a])).collect();
                raw.factors.push(Factor { atom: *atom, labels: held, power: Number::ONE });
                if let Some((a, b)) = *diagonal {
                    raw.join(labels[a], labels[b]);
                }
                Ok(())
            }
        }
    }
}
