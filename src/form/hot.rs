//! What one-hot rows pick.

use super::Refusal;
use super::arena::{Atom, AtomId, Factor, Forms, Label, Mono};
use super::known::place;
use super::monomial::Raw;
use super::words;
use crate::graph::Property;
use crate::ops::Number;

/// y f(yᵀu) = y ⊙ f(u), where y is one-hot and f a power: beside y the entry that y picks is
/// the entry at hand. Row by row of a one-hot matrix likewise.
///
/// # Errors
/// If a number does not fit.
pub fn picked(forms: &mut Forms, raw: &mut Raw) -> Result<bool, Refusal> {
    for i in 0..raw.factors.len() {
        let hot = raw.factors[i].clone();
        if !is_hot(forms, hot.atom) || hot.power.is_negative() {
            continue;
        }
        let Some((at, lead)) = hot.labels.split_last() else { continue };
        for j in 0..raw.factors.len() {
            let sum = raw.factors[j].clone();
            let Some((mono, c)) = summed(forms, &sum).filter(|_| sum.labels.iter().all(|l| lead.contains(l))) else {
                continue;
            };
            let Some((rest, label)) = without(&mono, &sum.labels, &hot, lead) else { continue };
            // The entries of u, with the place that y picks as their last axis.
            let mut dims: Vec<_> = sum.labels.iter().map(|l| raw.dims[*l as usize]).collect();
            dims.push(raw.dims[*at as usize]);
            let out: Vec<Label> = mono.out.iter().copied().chain([label]).collect();
            let entries = forms.intern_mono(&out, rest);
            let entries = forms.intern_form(dims, vec![(entries, c)])?;
            let value = forms.power(entries, sum.power)?;
            raw.factors.remove(j);
            let labels: Vec<Label> = sum.labels.iter().copied().chain([*at]).collect();
            return place(forms, raw, value, &labels);
        }
    }
    Ok(false)
}

/// Is one entry of each row 1, the others 0?
fn is_hot(forms: &Forms, atom: AtomId) -> bool {
    match &*forms.atom(atom) {
        Atom::Apply(op, ..) => op.name == words::ONE_HOT,
        _ => forms.knows(atom, &Property::OneHot),
    }
}

/// The product that a factor sums up, with its coefficient.
fn summed(forms: &Forms, factor: &Factor) -> Option<(Mono, Number)> {
    match *forms.atom(factor.atom) {
        Atom::Closed(mono) => Some(((*forms.mono(mono)).clone(), Number::ONE)),
        Atom::Group(form) => match forms.form(form).terms.as_slice() {
            [(mono, c)] => Some(((*forms.mono(*mono)).clone(), *c)),
            _ => None,
        },
        _ => None,
    }
}

/// The other factors of a sum over what the one-hot factor picks, and the label summed:
/// it stands there once, with the same leading labels.
fn without(mono: &Mono, outer: &[Label], hot: &Factor, lead: &[Label]) -> Option<(Vec<Factor>, Label)> {
    let outside = |label: &Label| mono.out.iter().position(|l| l == label).and_then(|at| outer.get(at)).copied();
    let here = |f: &Factor| {
        let (last, first) = f.labels.split_last()?;
        let same = first.iter().map(outside).eq(lead.iter().map(|l| Some(*l)));
        (f.atom == hot.atom && same && !f.power.is_negative() && !mono.out.contains(last)).then_some(*last)
    };
    let (place, label) = mono.factors.iter().enumerate().find_map(|(i, f)| here(f).map(|label| (i, label)))?;
    let mut rest = mono.factors.clone();
    rest.remove(place);
    rest.iter().any(|f| f.labels.contains(&label)).then_some((rest, label))
}
