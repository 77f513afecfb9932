//! Cancellation of zeros around a value: what is summed against them is cut.

use super::Refusal;
use super::arena::{Atom, Factor, FormId, Forms};
use super::monomial::Raw;
use super::words;
use crate::ops::{Attr, Attrs, Number, OpRef};
use crate::shape::Dim;

/// Σₖ A_ik place(B)_kj = Σₖ slice(A)_ik B_kj: where B is among zeros along k, entries of A
/// beside them do not count.
pub fn zeros_around(forms: &mut Forms, raw: &mut Raw) -> Result<bool, Refusal> {
    for i in 0..raw.factors.len() {
        let placed = raw.factors[i].clone();
        let atom = forms.atom(placed.atom);
        let Atom::Apply(op, attrs, args) = &*atom else { continue };
        let ([axis], true) = (attrs.axes(), op.name == words::PLACE && placed.power == Number::ONE) else { continue };
        let label = placed.labels[*axis];
        if raw.out.contains(&label) || raw.uses(label) != 2 {
            continue;
        }
        let other = |(j, f): (usize, &Factor)| (j != i && f.labels.contains(&label)).then_some(j);
        let Some(j) = raw.factors.iter().enumerate().find_map(other) else { continue };
        let beside = raw.factors[j].clone();
        let (Some(slice), true) = (words::word(words::SLICE), beside.power == Number::ONE) else { continue };
        let Some(along) = beside.labels.iter().position(|l| *l == label) else { continue };
        let inner = forms.form(args[0]).shape[*axis];
        let cut = |(name, attr): &(&'static str, Attr)| match *name {
            "axis" => (*name, Attr::Axes(vec![along])),
            "length" => (*name, Attr::Dims(vec![forms.dim(inner).clone()])),
            _ => (*name, attr.clone()),
        };
        let cut = Attrs(attrs.0.iter().map(cut).collect());
        let whole = forms.of_atom(beside.atom)?;
        let Ok(part) = forms.apply(slice, &cut, &[whole]) else { continue };
        let short = raw.label(inner);
        let exchanged = |labels: &[super::Label]| -> Vec<super::Label> {
            labels.iter().map(|l| if *l == label { short } else { *l }).collect()
        };
        let (first, second) = (exchanged(&placed.labels), exchanged(&beside.labels));
        raw.factors.remove(i.max(j));
        raw.factors.remove(i.min(j));
        raw.spend(label);
        super::known::place(forms, raw, args[0], &first)?;
        return super::known::place(forms, raw, part, &second);
    }
    Ok(false)
}

/// A concatenation of which one part alone is not 0: that part among zeros.
pub fn zeros_beside(forms: &mut Forms, op: OpRef, attrs: &Attrs, args: &[FormId]) -> Result<Option<FormId>, Refusal> {
    let (true, [axis], Some(place)) = (op.name == words::CONCATENATE, attrs.axes(), words::word(words::PLACE)) else {
        return Ok(None);
    };
    let zero = |forms: &Forms, arg: &FormId| forms.form(*arg).terms.is_empty();
    let parts: Vec<usize> = (0..args.len()).filter(|at| !zero(forms, &args[*at])).collect();
    let [part] = parts[..] else { return Ok(None) };
    let along = |arg: &FormId| forms.dim(forms.form(*arg).shape[*axis]).clone();
    let sum = |args: &[FormId]| args.iter().map(along).fold(Dim::size(0), |sum, dim| sum + dim);
    let (start, length) = (sum(&args[..part]), sum(args));
    let attrs = Attrs(vec![
        ("axis", Attr::Axes(vec![*axis])),
        ("start", Attr::Dims(vec![start])),
        ("length", Attr::Dims(vec![length])),
        ("step", Attr::Whole(1)),
    ]);
    forms.apply(place, &attrs, &[args[part]]).map(Some)
}
