//! Powers whose exponent is no number, beside powers of the same base.

use super::Refusal;
use super::arena::{Atom, AtomId, FormId, Forms};
use super::known::place;
use super::monomial::Raw;
use crate::ops::{Lower, Number};

/// u uᵛ⁻¹ = uᵛ, uᵛ⁺¹ / u = uᵛ: what the number in the exponent and the power beside it have in common.
///
/// # Errors
/// If a number does not fit.
pub fn into_exponent(forms: &mut Forms, raw: &mut Raw) -> Result<bool, Refusal> {
    for i in 0..raw.factors.len() {
        let factor = raw.factors[i].clone();
        let atom = forms.atom(factor.atom);
        let Atom::Apply(op, attrs, args) = &*atom else { continue };
        let (true, [base, exponent]) = (matches!(op.lower, Lower::Power) && factor.power == Number::ONE, &args[..])
        else {
            continue;
        };
        let (Some(number), Some(base_atom)) = (number_in(forms, *exponent), whole_atom(forms, *base)?) else {
            continue;
        };
        let beside = raw.factors.iter().position(|f| f.atom == base_atom && f.labels == factor.labels);
        let Some((j, power)) = beside.and_then(|j| Some((j, raw.factors[j].power.as_whole()?))) else { continue };
        if number.signum() * power.signum() >= 0 {
            continue;
        }
        let step = power.signum() * power.abs().min(number.abs());
        let raised = forms.plus_number(*exponent, Number::whole(step))?;
        let value = forms.apply(op, attrs, &[*base, raised])?;
        raw.factors[j].power = Number::whole(power - step);
        raw.factors.remove(i);
        return place(forms, raw, value, &factor.labels);
    }
    Ok(false)
}

/// The whole number that a form has as a term.
fn number_in(forms: &Forms, id: FormId) -> Option<i64> {
    forms.form(id).terms.iter().find_map(|(mono, c)| {
        let mono = forms.mono(*mono);
        let tied = mono.out.iter().enumerate().any(|(i, label)| mono.out[..i].contains(label));
        if mono.factors.is_empty() && !tied { c.as_whole() } else { None }
    })
}

/// The atom or group that the form is, its axes in order.
fn whole_atom(forms: &mut Forms, id: FormId) -> Result<Option<AtomId>, Refusal> {
    if forms.form(id).terms.len() < 2 {
        return Ok(forms.as_atom(id));
    }
    let rank = forms.form(id).shape.len();
    let plain = |axes: &[usize]| axes.iter().copied().eq(0..rank);
    let group = forms.as_group(id)?;
    Ok(group.filter(|g| g.content == Number::ONE && g.diagonal.is_none() && plain(&g.axes)).map(|g| g.atom))
}

impl Forms {
    /// The form with a number added to every entry.
    fn plus_number(&mut self, id: FormId, number: Number) -> Result<FormId, Refusal> {
        let form = self.form(id);
        let constant = self.constant(number, form.shape.clone())?;
        let mut terms = form.terms.clone();
        terms.extend(self.form(constant).terms.clone());
        self.intern_form(form.shape.clone(), terms)
    }
}
