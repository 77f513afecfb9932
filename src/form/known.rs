//! Cancellations of elementwise functions.

use super::Refusal;
use super::arena::{Atom, AtomId, Factor, FormId, Forms};
use super::monomial::Raw;
use super::words;
use crate::graph::Property;
use crate::ops::{Attr, Attrs, Number, OpRef};

/// The argument of a factor that is this function of one form.
pub(super) fn argument(forms: &Forms, factor: &Factor, name: &str) -> Option<FormId> {
    match &*forms.atom(factor.atom) {
        Atom::Apply(op, _, args) if op.name == name => args.first().copied(),
        _ => None,
    }
}

/// The places of two different factors with equal labels for which `fits` holds.
fn pair(raw: &Raw, fits: impl Fn(&Factor, &Factor) -> bool) -> Option<(usize, usize)> {
    let n = raw.factors.len();
    let all = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
    let fit = |(i, j): &(usize, usize)| i != j && raw.factors[*i].labels == raw.factors[*j].labels;
    all.filter(fit).find(|(i, j)| fits(&raw.factors[*i], &raw.factors[*j]))
}

/// sign(u)² = 1, sign(u)³ = sign(u).
pub fn sign_power(forms: &mut Forms, raw: &mut Raw) -> Result<bool, Refusal> {
    for i in 0..raw.factors.len() {
        if argument(forms, &raw.factors[i], words::SIGN).is_none() {
            continue;
        }
        if let Some(power) = raw.factors[i].power.as_whole()
            && power != 1
        {
            match power.rem_euclid(2) {
                0 => {
                    raw.factors.remove(i);
                }
                _ => raw.factors[i].power = Number::ONE,
            }
            return Ok(true);
        }
    }
    Ok(false)
}

/// sign(u) |u|ᵏ = u |u|ᵏ⁻¹, sign(u) / |u| = 1 / u, u sign(u) = |u|.
pub fn sign_and_size(forms: &mut Forms, raw: &mut Raw) -> Result<bool, Refusal> {
    for i in 0..raw.factors.len() {
        let Some(u) = argument(forms, &raw.factors[i], words::SIGN) else { continue };
        let sign = raw.factors[i].clone();
        let size =
            raw.factors.iter().position(|f| f.labels == sign.labels && argument(forms, f, words::ABS) == Some(u));
        if let Some(j) = size {
            // Of sign(u) |u|⁻¹ the size goes altogether: it is 1 / u.
            let minus_one = Number::whole(-1);
            let inverse = raw.factors[j].power == minus_one;
            let step = if inverse { Number::ONE } else { minus_one };
            raw.factors[j].power = raw.factors[j].power.plus(step).ok_or(Refusal::Overflow)?;
            let base = if inverse { forms.power(u, minus_one)? } else { u };
            return replace_factor(forms, raw, i, base);
        }
        let itself = forms.one_atom(u).and_then(|(atom, c)| {
            let place =
                raw.factors.iter().position(|f| f.labels == sign.labels && f.atom == atom && f.power == Number::ONE);
            place.map(|j| (j, c))
        });
        if let (Some((j, c)), Some(abs)) = (itself, words::word(words::ABS)) {
            // u sign(u) = |u|; the factor is u / c.
            raw.scale(Number::ONE.over(c).ok_or(Refusal::Overflow)?)?;
            let size = forms.apply(abs, &Attrs::default(), &[u])?;
            let labels = raw.factors[j].labels.clone();
            let (first, second) = (i.max(j), i.min(j));
            raw.factors.remove(first);
            raw.factors.remove(second);
            return place(forms, raw, size, &labels);
        }
    }
    Ok(false)
}

/// relu(u)ᵏ 1[u > 0] = relu(u)ᵏ.
pub fn relu_and_mask(forms: &mut Forms, raw: &mut Raw) -> Result<bool, Refusal> {
    for i in 0..raw.factors.len() {
        let factor = raw.factors[i].clone();
        let Some(u) = argument(forms, &factor, words::RELU) else { continue };
        if factor.power.is_negative() {
            continue;
        }
        let Some(gt) = words::word("gt") else { continue };
        let zero = forms.constant(Number::ZERO, Vec::new())?;
        let mask = forms.apply(gt, &Attrs::default(), &[u, zero])?;
        let Some(mask) = forms.as_atom(mask) else { continue };
        if let Some(j) = raw.factors.iter().position(|f| f.atom == mask && f.labels == factor.labels) {
            raw.factors.remove(j);
            return Ok(true);
        }
    }
    Ok(false)
}

/// sin(u) / cos(u) = tan(u), sinh(u) / cosh(u) = tanh(u).
pub fn sine_over_cosine(forms: &mut Forms, raw: &mut Raw) -> Result<bool, Refusal> {
    for (sine, cosine, tangent) in [(words::SIN, words::COS, words::TAN), (words::SINH, words::COSH, words::TANH)] {
        let fits = |a: &Factor, b: &Factor| {
            let u = argument(forms, a, sine);
            let above = a.power.as_whole().is_some_and(|n| n > 0);
            u.is_some() && above && b.power.is_negative() && argument(forms, b, cosine) == u
        };
        let Some((i, j)) = pair(raw, fits) else { continue };
        let (Some(u), Some(tangent)) = (argument(forms, &raw.factors[i], sine), words::word(tangent)) else { continue };
        let Some(below) = raw.factors[j].power.as_whole() else { continue };
        let Some(count) = raw.factors[i].power.as_whole().map(|n| n.min(-below)) else { continue };
        for (place, by) in [(i, -count), (j, count)] {
            raw.factors[place].power = raw.factors[place].power.plus(Number::whole(by)).ok_or(Refusal::Overflow)?;
        }
        let labels = raw.factors[i].labels.clone();
        let value = forms.apply(tangent, &Attrs::default(), &[u])?;
        let value = forms.power(value, Number::whole(count))?;
        return place(forms, raw, value, &labels);
    }
    Ok(false)
}

/// 1[c] 1[not c] = 0.
pub fn opposite_masks(forms: &mut Forms, raw: &mut Raw) -> Result<bool, Refusal> {
    let opposite = |a: &Factor, b: &Factor| match (&*forms.atom(a.atom), &*forms.atom(b.atom)) {
        (Atom::Apply(a, _, x), Atom::Apply(b, _, y)) => {
            x == y && words::comparison(a).is_some_and(|(_, _, opposite)| b.name == *opposite)
        }
        _ => false,
    };
    if pair(raw, opposite).is_some() {
        raw.coefficient = Number::ZERO;
        return Ok(true);
    }
    Ok(false)
}

/// Puts a form in the place of a factor to the power 1.
fn replace_factor(forms: &mut Forms, raw: &mut Raw, i: usize, form: FormId) -> Result<bool, Refusal> {
    let labels = raw.factors.remove(i).labels;
    place(forms, raw, form, &labels)
}

/// Multiplies by a form of one term, or by a group.
pub(super) fn place(
    forms: &mut Forms,
    raw: &mut Raw,
    form: FormId,
    labels: &[super::arena::Label],
) -> Result<bool, Refusal> {
    match forms.form(form).terms.as_slice() {
        [] => raw.coefficient = Number::ZERO,
        [(mono, c)] => {
            let mono = forms.mono(*mono);
            raw.place(forms, &mono, *c, labels)?;
        }
        _ => {
            let group = forms.as_group(form)?.ok_or(Refusal::TooLarge)?;
            raw.scale(group.content)?;
            let held = group.axes.iter().map(|a| raw.find(labels[*a])).collect();
            raw.factors.push(Factor { atom: group.atom, labels: held, power: Number::ONE });
            if let Some((a, b)) = group.diagonal {
                raw.join(labels[a], labels[b]);
            }
        }
    }
    Ok(true)
}

/// relu, |·|, sign and masks of a value whose sign is known.
pub fn sign_known(forms: &mut Forms, op: OpRef, _: &Attrs, args: &[FormId]) -> Result<Option<FormId>, Refusal> {
    let Some(u) = args.first().copied() else { return Ok(None) };
    let shape = forms.form(u).shape.clone();
    if op.name == words::ABS && forms.is_nonnegative(u) {
        return Ok(Some(u));
    }
    if op.name == words::SIGN && forms.is_nonnegative(u) && forms.as_constant(u).is_none() {
        return forms.constant(Number::ONE, shape).map(Some);
    }
    let compared = words::comparison(op).is_some();
    if !compared && ![words::RELU, words::ABS, words::SIGN, words::STEP].contains(&op.name) {
        return Ok(None);
    }
    if compared && forms.as_constant(args[1]) != Some(Number::ZERO) {
        return Ok(None);
    }
    let Some(positive) = forms.sign(u)? else { return Ok(None) };
    let known = match (op.name, positive) {
        (words::RELU | words::ABS, true) => Some(u),
        (words::ABS, false) => Some(forms.scaled(u, Number::whole(-1))?),
        (words::RELU, false) => Some(forms.constant(Number::ZERO, shape)?),
        (words::SIGN, _) => Some(forms.constant(Number::whole(if positive { 1 } else { -1 }), shape)?),
        (words::STEP | "gt" | "ge", _) => Some(forms.constant(Number::whole(i64::from(positive)), shape)?),
        ("lt" | "le", _) => Some(forms.constant(Number::whole(i64::from(!positive)), shape)?),
        ("ne", _) => Some(forms.constant(Number::ONE, shape)?),
        ("eq", _) => Some(forms.constant(Number::ZERO, shape)?),
        _ => None,
    };
    Ok(known)
}

/// A step of c u, c > 0, is that of u.
pub fn step_of_multiple(
    forms: &mut Forms,
    op: OpRef,
    attrs: &Attrs,
    args: &[FormId],
) -> Result<Option<FormId>, Refusal> {
    let (true, [u, at]) = (op.name == words::STEP, args) else { return Ok(None) };
    let size = match forms.form(*u).terms.as_slice() {
        [] => return Ok(None),
        [(_, c)] => c.abs(),
        _ => forms.content(*u).abs(),
    };
    if size == Number::ONE {
        return Ok(None);
    }
    let unit = forms.scaled(*u, Number::ONE.over(size).ok_or(Refusal::Overflow)?)?;
    forms.apply(op, attrs, &[unit, *at]).map(Some)
}

/// f(−u) is −f(u) for an odd function, f(u) for an even one.
pub fn parity(forms: &mut Forms, op: OpRef, attrs: &Attrs, args: &[FormId]) -> Result<Option<FormId>, Refusal> {
    let (odd, even) = (words::ODD.contains(&op.name), words::EVEN.contains(&op.name));
    let ([u], true) = (args, odd || even) else { return Ok(None) };
    if !forms.content(*u).is_negative() {
        return Ok(None);
    }
    let negated = forms.scaled(*u, Number::whole(-1))?;
    let value = forms.apply(op, attrs, &[negated])?;
    forms.scaled(value, Number::whole(if odd { -1 } else { 1 })).map(Some)
}

/// not (u > 0) is u ≤ 0.
pub fn negation(forms: &mut Forms, op: OpRef, _: &Attrs, args: &[FormId]) -> Result<Option<FormId>, Refusal> {
    if op.name != words::NOT {
        return Ok(None);
    }
    let form = forms.form(args[0]);
    let [(mono, c)] = form.terms.as_slice() else { return Ok(None) };
    if *c != Number::ONE {
        return Ok(None);
    }
    let mono = forms.mono(*mono);
    let [factor] = mono.factors.as_slice() else { return Ok(None) };
    let atom = forms.atom(factor.atom);
    let Atom::Apply(inner, attrs, sides) = &*atom else { return Ok(None) };
    let Some(opposite) = words::comparison(inner).and_then(|(_, _, o)| words::word(o)) else { return Ok(None) };
    let turned = forms.apply(opposite, attrs, sides)?;
    let out = mono.out.clone();
    forms.product(&[(turned, factor.labels.clone())], &out, form.shape.clone(), &[]).map(Some)
}

/// log(exp(u)) = u, exp(log(u)) = u, log(softmax(u)) = log_softmax(u), log(sum(exp(u))) = logsumexp(u).
pub fn log_and_exp(forms: &mut Forms, op: OpRef, _: &Attrs, args: &[FormId]) -> Result<Option<FormId>, Refusal> {
    let Some(u) = args.first().copied() else { return Ok(None) };
    if op.name != words::LOG && op.name != words::EXP {
        return Ok(None);
    }
    let Some(atom) = forms.as_atom(u) else { return Ok(None) };
    let atom = forms.atom(atom);
    match &*atom {
        Atom::Apply(inner, _, args) if (op.name, inner.name) == (words::LOG, words::EXP) => Ok(Some(args[0])),
        Atom::Apply(inner, _, args) if (op.name, inner.name) == (words::EXP, words::LOG) => Ok(Some(args[0])),
        Atom::Apply(inner, attrs, args) if (op.name, inner.name) == (words::LOG, words::SOFTMAX) => {
            let Some(joint) = words::word(words::LOG_SOFTMAX) else { return Ok(None) };
            forms.apply(joint, attrs, args).map(Some)
        }
        Atom::Closed(mono) if op.name == words::LOG => {
            let mono = forms.mono(*mono);
            let [factor] = mono.factors.as_slice() else { return Ok(None) };
            let inner = (factor.power == Number::ONE && factor.labels.len() == 1)
                .then(|| argument(forms, factor, words::EXP))
                .flatten();
            let (Some(inner), Some(joint)) = (inner, words::word(words::LOGSUMEXP)) else { return Ok(None) };
            let attrs = Attrs(vec![("axis", Attr::Axes(vec![0])), ("keepdims", Attr::Flag(false))]);
            forms.apply(joint, &attrs, &[inner]).map(Some)
        }
        _ => Ok(None),
    }
}

/// sigmoid(−u) = 1 − sigmoid(u), where every term of the argument is negative.
pub fn sigmoid_of_minus(
    forms: &mut Forms,
    op: OpRef,
    attrs: &Attrs,
    args: &[FormId],
) -> Result<Option<FormId>, Refusal> {
    let Some(u) = args.first().copied() else { return Ok(None) };
    let form = forms.form(u);
    if op.name != words::SIGMOID || form.terms.is_empty() || !form.terms.iter().all(|(_, c)| c.is_negative()) {
        return Ok(None);
    }
    let negated = forms.scaled(u, Number::whole(-1))?;
    let positive = forms.apply(op, attrs, &[negated])?;
    let positive = forms.scaled(positive, Number::whole(-1))?;
    let mut terms = forms.form(positive).terms.clone();
    let one = forms.constant(Number::ONE, form.shape.clone())?;
    terms.extend(forms.form(one).terms.clone());
    forms.intern_form(form.shape.clone(), terms).map(Some)
}

impl Forms {
    /// The form as a number times one atom, axes in order.
    pub(super) fn one_atom(&self, id: FormId) -> Option<(AtomId, Number)> {
        let form = self.form(id);
        let [(mono, c)] = form.terms.as_slice() else { return None };
        let mono = self.mono(*mono);
        let [factor] = mono.factors.as_slice() else { return None };
        (factor.power == Number::ONE && factor.labels == mono.out).then_some((factor.atom, *c))
    }

    /// Is the property known of the form or of what it is made of?
    pub fn is_invertible(&self, id: FormId) -> bool {
        let known = [Property::Invertible, Property::PositiveDefinite, Property::Orthogonal];
        if known.iter().any(|p| self.form_knows(id, p)) || self.has_known_determinant(id) {
            return true;
        }
        let form = self.form(id);
        let [(mono, _)] = form.terms.as_slice() else { return false };
        let mono = self.mono(*mono);
        !mono.factors.is_empty()
            && mono.factors.iter().all(|f| match &*self.atom(f.atom) {
                Atom::Apply(op, _, _) if f.labels.len() == 2 => op.name == words::INV,
                Atom::Group(inner) if f.labels.len() == 2 => self.is_invertible(*inner),
                _ => {
                    let invertible = known.iter().any(|p| self.knows(f.atom, p));
                    f.labels.len() == 2 && (invertible || self.atom_has_known_determinant(f.atom))
                }
            })
    }
}
