//! Cancellation of what is reshaped there and back.

use super::Refusal;
use super::arena::{Atom, DimId, Factor, FormId, Forms, Label, Mono};
use super::words;
use crate::ops::{Attrs, Axes, OpRef};

/// Functions of functions of reshaped values are looked into so far.
const DEPTH: usize = 16;

/// reshape(f(reshape(u)), as u) = f(u), where f is entry by entry; and a reshaped value
/// that is reshaped again is reshaped once.
///
/// # Errors
/// If a number does not fit.
pub fn there_and_back(forms: &mut Forms, op: OpRef, attrs: &Attrs, args: &[FormId]) -> Result<Option<FormId>, Refusal> {
    let ([inner], true) = (args, op.name == words::RESHAPE) else { return Ok(None) };
    let wanted = forms.result_shape(op, attrs, args)?;
    if forms.form(*inner).shape == wanted {
        return Ok(Some(*inner));
    }
    back(forms, *inner, &wanted, DEPTH)
}

/// The form that reshaped is this one, if it is made of values of that shape.
fn back(forms: &mut Forms, id: FormId, wanted: &[DimId], depth: usize) -> Result<Option<FormId>, Refusal> {
    let form = forms.form(id);
    if let Some(c) = forms.as_constant(id) {
        return forms.constant(c, wanted.to_vec()).map(Some);
    }
    if depth == 0 {
        return Ok(None);
    }
    let mut terms = Vec::new();
    for (mono, c) in &form.terms {
        let mono = forms.mono(*mono);
        let Some(term) = term_back(forms, &mono, wanted, depth)? else { return Ok(None) };
        let term = forms.scaled(term, *c)?;
        terms.extend(forms.form(term).terms.iter().copied());
    }
    forms.intern_form(wanted.to_vec(), terms).map(Some)
}

fn term_back(forms: &mut Forms, mono: &Mono, wanted: &[DimId], depth: usize) -> Result<Option<FormId>, Refusal> {
    let out: Vec<Label> = (0..wanted.len() as Label).collect();
    let tied = mono.out.iter().enumerate().any(|(i, label)| mono.out[..i].contains(label));
    let entries = |f: &Factor| f.labels == mono.out;
    if tied || !mono.factors.iter().all(|f| f.labels.is_empty() || entries(f)) {
        return Ok(None);
    }
    let mut parts = Vec::new();
    for factor in &mono.factors {
        if factor.labels.is_empty() {
            let scalar = forms.of_atom(factor.atom)?;
            parts.push((forms.power(scalar, factor.power)?, Vec::new()));
            continue;
        }
        let atom = forms.atom(factor.atom);
        let Some(base) = atom_back(forms, &atom, wanted, depth)? else { return Ok(None) };
        parts.push((forms.power(base, factor.power)?, out.clone()));
    }
    forms.product(&parts, &out, wanted.to_vec(), &[]).map(Some)
}

fn atom_back(forms: &mut Forms, atom: &Atom, wanted: &[DimId], depth: usize) -> Result<Option<FormId>, Refusal> {
    match atom {
        Atom::Apply(op, _, args) if op.name == words::RESHAPE => {
            let [inner] = args.as_slice() else { return Ok(None) };
            Ok((forms.form(*inner).shape == wanted).then_some(*inner))
        }
        Atom::Apply(op, attrs, args) if op.axes == Axes::Elementwise => {
            let mut inner = Vec::with_capacity(args.len());
            for arg in args {
                let Some(arg) = back(forms, *arg, wanted, depth - 1)? else { return Ok(None) };
                inner.push(arg);
            }
            forms.apply(op, attrs, &inner).map(Some)
        }
        Atom::Group(form) => back(forms, *form, wanted, depth - 1),
        _ => Ok(None),
    }
}
