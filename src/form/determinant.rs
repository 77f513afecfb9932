//! Cancellations of determinants and adjugates.

use super::Refusal;
use super::arena::{Atom, AtomId, Factor, FormId, Forms};
use super::inverse::{rank_one_update, simpler_transpose, square_chain};
use super::monomial::Raw;
use super::words;
use crate::ops::{Attrs, Number, OpRef};

/// adj(A) / det(A) = A⁻¹.
pub fn adjugate_over_determinant(forms: &mut Forms, raw: &mut Raw) -> Result<bool, Refusal> {
    for i in 0..raw.factors.len() {
        let atom = forms.atom(raw.factors[i].atom);
        let Atom::Apply(op, attrs, args) = &*atom else { continue };
        let (Some(det), Some(inv)) = (words::word(words::DET), words::word(words::INV)) else { continue };
        if op.name != words::ADJ || raw.factors[i].power != Number::ONE || !raw.factors.iter().any(below) {
            continue;
        }
        // The determinant may have been split: each part must be divided by.
        let det = forms.apply(det, attrs, args)?;
        let form = forms.form(det);
        let [(parts, c)] = form.terms.as_slice() else { continue };
        let parts = forms.mono(*parts);
        let less = |part: &Factor| {
            let place = raw.factors.iter().position(|f| f.atom == part.atom && f.labels.is_empty())?;
            let power = raw.factors[place].power;
            power.plus(part.power).filter(|_| power.is_negative()).map(|less| (place, less))
        };
        let powers: Option<Vec<(usize, Number)>> = parts.factors.iter().map(less).collect();
        let Some(powers) = powers.filter(|powers| !powers.is_empty()) else { continue };
        raw.scale(*c)?;
        for (place, power) in powers {
            raw.factors[place].power = power;
        }
        let inverse = forms.apply(inv, attrs, args)?;
        let labels = raw.factors.remove(i).labels;
        return super::known::place(forms, raw, inverse, &labels);
    }
    Ok(false)
}

/// Is the factor a scalar that is divided by?
fn below(factor: &Factor) -> bool {
    factor.labels.is_empty() && factor.power.is_negative()
}

/// det(A B) = det(A) det(B), det(A⁻¹) = 1 / det(A), det(Aᵀ) = det(A).
pub fn determinant(forms: &mut Forms, op: OpRef, attrs: &Attrs, args: &[FormId]) -> Result<Option<FormId>, Refusal> {
    let [id] = args else { return Ok(None) };
    let form = forms.form(*id);
    if ![words::DET, words::LOGDET].contains(&op.name) || form.shape.len() != 2 {
        return Ok(None);
    }
    if let Some(turned) = simpler_transpose(forms, *id)? {
        return forms.apply(op, attrs, &[turned]).map(Some);
    }
    let [(mono, c)] = form.terms.as_slice() else { return Ok(None) };
    if *c != Number::ONE {
        return Ok(None);
    }
    let mono = forms.mono(*mono);
    let Some(chain) = square_chain(forms, &mono) else { return Ok(None) };
    if chain.len() < mono.factors.len() || op.name != words::DET {
        return Ok(None);
    }
    if let [factor] = mono.factors.as_slice() {
        let atom = forms.atom(factor.atom);
        let Atom::Apply(inner, _, args) = &*atom else { return Ok(None) };
        if inner.name != words::INV {
            return Ok(None);
        }
        let det = forms.apply(op, attrs, args)?;
        return forms.power(det, Number::whole(-1)).map(Some);
    }
    let mut parts = Vec::new();
    let mut into: Vec<(AtomId, i64)> = Vec::new();
    for factor in &mono.factors {
        let base = forms.of_atom(factor.atom)?;
        let det = forms.apply(op, attrs, &[base])?;
        if let Some(atom) = forms.as_atom(det) {
            match into.iter_mut().find(|(known, _)| *known == atom) {
                Some((_, count)) => *count += 1,
                None => into.push((atom, 1)),
            }
        }
        parts.push((det, Vec::new()));
    }
    let whole = into.iter().map(|(_, count)| *count).sum::<i64>() == mono.factors.len() as i64;
    if whole && into.len() > 1 && forms.determinants.iter().all(|(known, _)| known != id) {
        forms.determinants.push((*id, into));
    }
    forms.product(&parts, &[], Vec::new(), &[]).map(Some)
}

/// adj(A) = det(A) A⁻¹.
pub fn adjugate(forms: &mut Forms, op: OpRef, attrs: &Attrs, args: &[FormId]) -> Result<Option<FormId>, Refusal> {
    let [id] = args else { return Ok(None) };
    if op.name != words::ADJ {
        return Ok(None);
    }
    if let Some(scaled) = scaled_adjugate(forms, op, attrs, *id)? {
        return Ok(Some(scaled));
    }
    if !forms.is_invertible(*id) {
        return Ok(None);
    }
    let (Some(det), Some(inv)) = (words::word(words::DET), words::word(words::INV)) else { return Ok(None) };
    let (det, inv) = (forms.apply(det, attrs, &[*id])?, forms.apply(inv, attrs, &[*id])?);
    let shape = forms.form(inv).shape.clone();
    forms.product(&[(det, Vec::new()), (inv, vec![0, 1])], &[0, 1], shape, &[]).map(Some)
}

/// adj(s A) = sⁿ⁻¹ adj(A), where n is a fixed size.
fn scaled_adjugate(forms: &mut Forms, op: OpRef, attrs: &Attrs, id: FormId) -> Result<Option<FormId>, Refusal> {
    let form = forms.form(id);
    let [(mono, c)] = form.terms.as_slice() else { return Ok(None) };
    let (mono, n) = (forms.mono(*mono), forms.dim(form.shape[0]).as_size());
    let (scalars, matrix): (Vec<Factor>, Vec<Factor>) = mono.factors.iter().cloned().partition(|f| f.labels.is_empty());
    let Some(power) = n.and_then(|n| i64::try_from(n).ok()).map(|n| Number::whole(n - 1)) else { return Ok(None) };
    if matrix.is_empty() || scalars.is_empty() && *c == Number::ONE {
        return Ok(None);
    }
    let inner = forms.intern_mono(&mono.out, matrix);
    let inner = forms.intern_form(form.shape.clone(), vec![(inner, Number::ONE)])?;
    let outer = forms.intern_mono(&[], scalars);
    let outer = forms.intern_form(Vec::new(), vec![(outer, *c)])?;
    let (inner, outer) = (forms.apply(op, attrs, &[inner])?, forms.power(outer, power)?);
    forms.product(&[(outer, Vec::new()), (inner, vec![0, 1])], &[0, 1], form.shape.clone(), &[]).map(Some)
}

/// det(I + u vᵀ) = 1 + vᵀu.
pub fn lemma(forms: &mut Forms, op: OpRef, _: &Attrs, args: &[FormId]) -> Result<Option<FormId>, Refusal> {
    let [id] = args else { return Ok(None) };
    let Some((update, c)) = rank_one_update(forms, *id).filter(|_| op.name == words::DET) else { return Ok(None) };
    let mut raw = Raw::new(&[], vec![forms.form(*id).shape[0]]);
    raw.place(forms, &update, c, &[0, 0])?;
    let mut terms = forms.finish(raw, false)?;
    let unit = forms.constant(Number::ONE, Vec::new())?;
    terms.extend(forms.form(unit).terms.clone());
    forms.intern_form(Vec::new(), terms).map(Some)
}
