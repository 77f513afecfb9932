//! The logistic function and the softmax, spelled out with exponentials.

use super::Refusal;
use super::arena::{Atom, AtomId, Factor, FormId, Forms};
use super::known::{argument, place};
use super::monomial::Raw;
use super::words;
use crate::ops::{Attr, Attrs, Number, OpRef};

/// exp(u) / (1 + exp(u)) = sigmoid(u), 1 / (1 + exp(u)) = sigmoid(−u).
pub fn logistic(forms: &mut Forms, raw: &mut Raw) -> Result<bool, Refusal> {
    for i in 0..raw.factors.len() {
        let below = raw.factors[i].clone();
        let Some(whole) = below.power.as_whole().filter(|n| *n < 0) else { continue };
        let (Some((exp, u)), Some(sigmoid)) = (one_plus_exp(forms, &below), words::word(words::SIGMOID)) else {
            continue;
        };
        let above =
            raw.factors.iter().position(|f| f.atom == exp && f.labels == below.labels && !f.power.is_negative());
        let u = if above.is_some() { u } else { forms.scaled(u, Number::whole(-1))? };
        let value = forms.apply(sigmoid, &Attrs::default(), &[u])?;
        let step = above.map_or(-whole, |j| in_common(&raw.factors[j], whole));
        let value = forms.power(value, Number::whole(step))?;
        if let Some(j) = above {
            raw.factors[j].power = raw.factors[j].power.plus(Number::whole(-step)).ok_or(Refusal::Overflow)?;
        }
        raw.factors[i].power = below.power.plus(Number::whole(step)).ok_or(Refusal::Overflow)?;
        return place(forms, raw, value, &below.labels);
    }
    Ok(exp_and_sigmoid(forms, raw)? || exp_over_two(forms, raw)?)
}

/// How often a factor is divided by what stands to this negative power; at least once.
fn in_common(above: &Factor, below: i64) -> i64 {
    above.power.as_whole().map_or(1, |n| n.min(-below)).max(1)
}

/// exp(u) / (exp(u) + exp(v)) = sigmoid(u − v).
fn exp_over_two(forms: &mut Forms, raw: &mut Raw) -> Result<bool, Refusal> {
    for i in 0..raw.factors.len() {
        let below = raw.factors[i].clone();
        let Some(whole) = below.power.as_whole().filter(|n| *n < 0) else { continue };
        let (Some(two), Some(sigmoid)) = (two_exps(forms, &below), words::word(words::SIGMOID)) else { continue };
        for (own, other) in [(0, 1), (1, 0)] {
            let above = |f: &Factor| f.atom == two[own].0 && f.labels == below.labels && !f.power.is_negative();
            let Some(j) = raw.factors.iter().position(above) else { continue };
            let shape = forms.form(two[own].1).shape.clone();
            let mut terms = forms.form(two[own].1).terms.clone();
            terms.extend(forms.form(two[other].1).terms.iter().map(|(mono, c)| (*mono, c.negated())));
            let difference = forms.intern_form(shape, terms)?;
            let step = in_common(&raw.factors[j], whole);
            let value = forms.apply(sigmoid, &Attrs::default(), &[difference])?;
            let value = forms.power(value, Number::whole(step))?;
            for (place, by) in [(i, step), (j, -step)] {
                let power = raw.factors[place].power.plus(Number::whole(by)).ok_or(Refusal::Overflow)?;
                raw.factors[place].power = power;
            }
            return place(forms, raw, value, &below.labels);
        }
    }
    Ok(false)
}

/// The two exponential atoms and their arguments, of a group exp(u) + exp(v) on the
/// group's own axes.
fn two_exps(forms: &Forms, factor: &Factor) -> Option<[(AtomId, FormId); 2]> {
    let Atom::Group(inner) = *forms.atom(factor.atom) else { return None };
    let form = forms.form(inner);
    let [a, b] = form.terms.as_slice() else { return None };
    let exp = |(mono, c): &(super::MonoId, Number)| {
        let mono = forms.mono(*mono);
        let [f] = mono.factors.as_slice() else { return None };
        let plain = *c == Number::ONE && f.power == Number::ONE && f.labels == mono.out;
        plain.then(|| argument(forms, f, words::EXP)).flatten().map(|u| (f.atom, u))
    };
    Some([exp(a)?, exp(b)?])
}

/// exp(u) sigmoid(−u) = sigmoid(u), where sigmoid(−u) may be spelled 1 − sigmoid(u).
fn exp_and_sigmoid(forms: &mut Forms, raw: &mut Raw) -> Result<bool, Refusal> {
    for i in 0..raw.factors.len() {
        let exp = raw.factors[i].clone();
        let (Some(u), Some(sigmoid)) = (argument(forms, &exp, words::EXP), words::word(words::SIGMOID)) else {
            continue;
        };
        if exp.power.as_whole().is_none_or(|n| n < 1) {
            continue;
        }
        let negated = forms.scaled(u, Number::whole(-1))?;
        let (value, other) =
            (forms.apply(sigmoid, &Attrs::default(), &[u])?, forms.apply(sigmoid, &Attrs::default(), &[negated])?);
        let partner = match forms.as_atom(other) {
            Some(atom) => Some((atom, Number::ONE)),
            None => forms.as_group(other)?.filter(|g| g.axes.len() == exp.labels.len()).map(|g| (g.atom, g.content)),
        };
        let Some((atom, content)) = partner.filter(|(_, c)| c.abs() == Number::ONE) else { continue };
        let fits = |f: &Factor| f.atom == atom && f.labels == exp.labels && f.power.as_whole().is_some_and(|n| n > 0);
        if let Some(j) = raw.factors.iter().position(fits) {
            // The partner is the group times ±1.
            raw.scale(content)?;
            for place in [i, j] {
                let power = raw.factors[place].power.plus(Number::whole(-1)).ok_or(Refusal::Overflow)?;
                raw.factors[place].power = power;
            }
            return place(forms, raw, value, &exp.labels);
        }
    }
    Ok(false)
}

/// The exponential atom and its argument, of a group that is 1 + exp(u) with the
/// group's own axes.
fn one_plus_exp(forms: &Forms, factor: &Factor) -> Option<(AtomId, FormId)> {
    let Atom::Group(inner) = *forms.atom(factor.atom) else { return None };
    let form = forms.form(inner);
    let [a, b] = form.terms.as_slice() else { return None };
    for ((one, c), (mono, k)) in [(a, b), (b, a)] {
        let (one, mono) = (forms.mono(*one), forms.mono(*mono));
        let plain = one.factors.is_empty() && *c == Number::ONE && *k == Number::ONE;
        if let ([f], true) = (mono.factors.as_slice(), plain)
            && f.power == Number::ONE
            && f.labels == mono.out
            && let Some(u) = argument(forms, f, words::EXP)
        {
            return Some((f.atom, u));
        }
    }
    None
}

/// exp(u) / sum(exp(u)) = softmax(u), of a vector or of each row or column.
pub fn exp_over_sum(forms: &mut Forms, raw: &mut Raw) -> Result<bool, Refusal> {
    for i in 0..raw.factors.len() {
        let exp = raw.factors[i].clone();
        let (Some(u), Some(softmax)) = (argument(forms, &exp, words::EXP), words::word(words::SOFTMAX)) else {
            continue;
        };
        if exp.labels.len() != 2 || exp.power.as_whole().is_none_or(|n| n < 1) {
            continue;
        }
        for axis in [0, 1] {
            let over =
                |f: &Factor| divides(f) && f.labels == [exp.labels[1 - axis]] && sums_exp(forms, f, exp.atom, axis);
            let Some(j) = raw.factors.iter().position(over) else { continue };
            let p = forms.apply(softmax, &Attrs(vec![("axis", Attr::Axes(vec![axis]))]), &[u])?;
            return put_ratio(forms, raw, (i, j), p);
        }
    }
    exp_over_total(forms, raw)
}

/// Does the factor stand to a negative whole power?
fn divides(factor: &Factor) -> bool {
    factor.power.as_whole().is_some_and(|n| n < 0)
}

/// Puts a value in the place of one factor over another, as often as it stands there.
fn put_ratio(forms: &mut Forms, raw: &mut Raw, (above, below): (usize, usize), value: FormId) -> Result<bool, Refusal> {
    let under = raw.factors[below].power.as_whole().unwrap_or(-1);
    let step = in_common(&raw.factors[above], under);
    for (at, by) in [(above, -step), (below, step)] {
        raw.factors[at].power = raw.factors[at].power.plus(Number::whole(by)).ok_or(Refusal::Overflow)?;
    }
    let labels = raw.factors[above].labels.clone();
    let value = forms.power(value, Number::whole(step))?;
    place(forms, raw, value, &labels)
}

/// Is the factor the sum of a matrix of exponentials over an axis?
fn sums_exp(forms: &Forms, factor: &Factor, exp: AtomId, axis: usize) -> bool {
    let Atom::Group(inner) = *forms.atom(factor.atom) else { return false };
    let form = forms.form(inner);
    let [(mono, c)] = form.terms.as_slice() else { return false };
    let mono = forms.mono(*mono);
    let [f] = mono.factors.as_slice() else { return false };
    let whole = *c == Number::ONE && f.power == Number::ONE && f.atom == exp && f.labels.len() == 2;
    whole && mono.out == [f.labels[1 - axis]] && f.labels[0] != f.labels[1]
}

/// exp(u) / sum(exp(u)) of a vector.
fn exp_over_total(forms: &mut Forms, raw: &mut Raw) -> Result<bool, Refusal> {
    let exp_argument =
        |forms: &Forms, f: &Factor| (f.labels.len() == 1).then(|| argument(forms, f, words::EXP)).flatten();
    for i in 0..raw.factors.len() {
        if raw.factors[i].power.as_whole().is_none_or(|n| n < 1) {
            continue;
        }
        let Some(u) = exp_argument(forms, &raw.factors[i]) else { continue };
        let sum = raw.factors.iter().position(|f| match &*forms.atom(f.atom) {
            Atom::Closed(inner) if divides(f) => {
                let inner = forms.mono(*inner);
                matches!(inner.factors.as_slice(), [one] if one.power == Number::ONE && exp_argument(forms, one) == Some(u))
            }
            _ => false,
        });
        if let (Some(j), Some(softmax)) = (sum, words::word(words::SOFTMAX)) {
            let p = forms.apply(softmax, &Attrs(vec![("axis", Attr::Axes(vec![0]))]), &[u])?;
            return put_ratio(forms, raw, (i, j), p);
        }
    }
    Ok(false)
}

/// softmax(u + c) = softmax(u), where c is the same along the axis; so of the logarithm.
pub fn softmax_of_shift(
    forms: &mut Forms,
    op: OpRef,
    attrs: &Attrs,
    args: &[FormId],
) -> Result<Option<FormId>, Refusal> {
    let ([u], [axis], true) = (args, attrs.axes(), [words::SOFTMAX, words::LOG_SOFTMAX].contains(&op.name)) else {
        return Ok(None);
    };
    let form = forms.form(*u);
    let varies = |(mono, _): &(super::MonoId, Number)| {
        let mono = forms.mono(*mono);
        let label = mono.out[*axis];
        let tied = mono.out.iter().filter(|l| **l == label).count() > 1;
        tied || mono.factors.iter().any(|f| f.labels.contains(&label))
    };
    let kept: Vec<(super::MonoId, Number)> = form.terms.iter().filter(|term| varies(term)).copied().collect();
    if kept.is_empty() || kept.len() == form.terms.len() {
        return Ok(None);
    }
    let rest = forms.intern_form(form.shape.clone(), kept)?;
    forms.apply(op, attrs, &[rest]).map(Some)
}
