//! Extremes beside the steps that say where they are not zero.

use super::Refusal;
use super::arena::{Atom, Factor, FormId, Forms};
use super::monomial::Raw;
use super::words;
use crate::ops::{Attrs, Number};

/// max(u, 0) is 0 already where the step of u is, min(u, 0) where that of −u is.
///
/// # Errors
/// If a number does not fit.
pub fn extreme_and_step(forms: &mut Forms, raw: &mut Raw) -> Result<bool, Refusal> {
    let (Some(step), Some(half)) = (words::word(words::STEP), Number::ratio(1, 2)) else { return Ok(false) };
    let half = forms.constant(half, Vec::new())?;
    for i in 0..raw.factors.len() {
        let factor = raw.factors[i].clone();
        let Some((u, sign)) = beside_zero(forms, &factor) else { continue };
        let signed = forms.scaled(u, Number::whole(sign))?;
        let mask = forms.apply(step, &Attrs::default(), &[signed, half])?;
        let Some(mask) = forms.as_atom(mask) else { continue };
        let beside = |f: &Factor| f.atom == mask && f.labels == factor.labels && !f.power.is_negative();
        if let Some(j) = raw.factors.iter().position(beside) {
            raw.factors.remove(j);
            return Ok(true);
        }
    }
    Ok(false)
}

/// What is compared with 0 in a positive power of max(u, 0) or min(u, 0), and the sign
/// that it has where that is not 0.
fn beside_zero(forms: &Forms, factor: &Factor) -> Option<(FormId, i64)> {
    let atom = forms.atom(factor.atom);
    let Atom::Apply(op, _, args) = &*atom else { return None };
    let sign = match op.name {
        words::MAXIMUM => 1,
        words::MINIMUM => -1,
        _ => return None,
    };
    let zero = |id: FormId| forms.as_constant(id) == Some(Number::ZERO);
    let u = if zero(args[1]) { args[0] } else { args[1] };
    (!factor.power.is_negative() && (zero(args[0]) || zero(args[1]))).then_some((u, sign))
}
