//! Cancellations of inverses.

use super::Refusal;
use super::arena::{Atom, Factor, FormId, Forms, Label, Mono};
use super::monomial::Raw;
use super::{pattern, words};
use crate::graph::Property;
use crate::ops::{Attrs, Number, OpRef};

/// S⁻¹ S = I: S an atom, a group, or a product inside the chain.
pub fn with_its_matrix(forms: &mut Forms, raw: &mut Raw) -> Result<bool, Refusal> {
    for i in 0..raw.factors.len() {
        let inverse = raw.factors[i].clone();
        let atom = forms.atom(inverse.atom);
        let Atom::Apply(op, _, args) = &*atom else { continue };
        let adjugate = op.name == words::ADJ;
        if op.name != words::INV && !adjugate || inverse.power != Number::ONE {
            continue;
        }
        let Some((matrix, c)) = forms.as_product(args[0])? else { continue };
        let symmetric = forms.transposed(args[0])? == args[0];
        for (side, axis) in [(1, 0), (0, 1), (1, 1), (0, 0)] {
            if side == axis && !symmetric {
                continue;
            }
            let (inner, other) = (inverse.labels[side], inverse.labels[1 - side]);
            if raw.out.contains(&inner) {
                continue;
            }
            let Some(found) = pattern::find(&matrix, &raw.factors, &raw.out, &[(matrix.out[axis], inner)]) else {
                continue;
            };
            let Some(far) = found.labels[matrix.out[1 - axis] as usize] else { continue };
            let held = |f: &Factor| f.labels.contains(&inner);
            let elsewhere = (0..raw.factors.len()).any(|j| j != i && !found.used.contains(&j) && held(&raw.factors[j]));
            if elsewhere || found.used.contains(&i) {
                continue;
            }
            let mut place = 0;
            raw.factors.retain(|_| {
                place += 1;
                place - 1 != i && !found.used.contains(&(place - 1))
            });
            raw.scale(Number::ONE.over(c).ok_or(Refusal::Overflow)?)?;
            raw.spend(inner);
            matrix.summed().iter().filter_map(|l| found.labels[*l as usize]).for_each(|l| raw.spend(l));
            raw.join(other, far);
            if let (true, Some(det)) = (adjugate, words::word(words::DET)) {
                // adj(S) S = det(S) I.
                let det = forms.apply(det, &Attrs::default(), args)?;
                return super::known::place(forms, raw, det, &[]);
            }
            return Ok(true);
        }
    }
    Ok(false)
}

/// (I + u vᵀ)⁻¹ u = u / (1 + vᵀu), and the same for vᵀ from the left.
pub fn rank_one(forms: &mut Forms, raw: &mut Raw) -> Result<bool, Refusal> {
    for i in 0..raw.factors.len() {
        let inverse = raw.factors[i].clone();
        let atom = forms.atom(inverse.atom);
        let Atom::Apply(op, attrs, args) = &*atom else { continue };
        if op.name != words::INV || inverse.power != Number::ONE {
            continue;
        }
        let Some((update, _)) = rank_one_update(forms, args[0]) else { continue };
        for side in [0, 1] {
            // Of S⁻¹ u the second label of S⁻¹ is summed, of vᵀ S⁻¹ the first.
            let (inner, other) = (inverse.labels[1 - side], inverse.labels[side]);
            let vector = Mono { out: vec![0], factors: part_at(&update, side as Label) };
            if raw.out.contains(&inner) || raw.uses(inner) != 1 + vector.factors.len() {
                continue;
            }
            let Some(found) = pattern::find(&vector, &raw.factors, &raw.out, &[(0, inner)]) else { continue };
            if found.used.contains(&i) {
                continue;
            }
            let Some(det) = words::word(words::DET) else { continue };
            let det = forms.apply(det, attrs, args)?;
            let inverted = forms.power(det, Number::whole(-1))?;
            raw.factors.remove(i);
            raw.join(other, inner);
            return super::known::place(forms, raw, inverted, &[]);
        }
    }
    Ok(false)
}

/// u vᵀ of a form I + c u vᵀ, and c.
pub(super) fn rank_one_update(forms: &Forms, id: FormId) -> Option<(Mono, Number)> {
    let form = forms.form(id);
    let [a, b] = form.terms.as_slice() else { return None };
    [(a, b), (b, a)].into_iter().find_map(|((eye, one), (mono, c))| {
        let (eye, mono) = (forms.mono(*eye), forms.mono(*mono));
        let is_eye = eye.factors.is_empty() && eye.out == [0, 0] && *one == Number::ONE;
        let vectors = mono.factors.iter().all(|f| f.labels.len() < 2);
        let rank_one = mono.out == [0, 1] && vectors && mono.summed().is_empty();
        (is_eye && rank_one).then(|| ((*mono).clone(), *c))
    })
}

/// The factors that carry a label, the label called 0.
fn part_at(mono: &Mono, label: Label) -> Vec<Factor> {
    let held = mono.factors.iter().filter(|f| f.labels == [label]);
    held.map(|f| Factor { labels: vec![0], ..f.clone() }).collect()
}

/// Qᵀ Q = I, and of the squares of its entries each row and column sums to one.
pub fn orthogonal(forms: &mut Forms, raw: &mut Raw) -> Result<bool, Refusal> {
    let n = raw.factors.len();
    for i in 0..n {
        let factor = &raw.factors[i];
        let squared = factor.power == Number::whole(2) && factor.labels.len() == 2;
        let alone = |label: &&Label| raw.uses(**label) == 1 && !raw.out.contains(*label);
        if squared
            && forms.knows(factor.atom, &Property::Orthogonal)
            && let Some(label) = factor.labels.iter().find(alone).copied()
        {
            raw.factors.remove(i);
            raw.spend(label);
            return Ok(true);
        }
    }
    for (i, j) in (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j))) {
        let (a, b) = (&raw.factors[i], &raw.factors[j]);
        let alike = a.atom == b.atom && a.power == Number::ONE && b.power == Number::ONE && a.labels.len() == 2;
        if !alike || !forms.knows(a.atom, &Property::Orthogonal) {
            continue;
        }
        for axis in [0, 1] {
            let shared = a.labels[axis];
            if shared == b.labels[axis] && raw.uses(shared) == 2 && !raw.out.contains(&shared) {
                let (x, y) = (a.labels[1 - axis], b.labels[1 - axis]);
                raw.factors.remove(j);
                raw.factors.remove(i);
                raw.spend(shared);
                raw.join(x, y);
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Q⁻¹ = Qᵀ.
pub fn of_orthogonal(forms: &mut Forms, op: OpRef, _: &Attrs, args: &[FormId]) -> Result<Option<FormId>, Refusal> {
    let ([id], true) = (args, op.name == words::INV) else { return Ok(None) };
    match forms.as_atom(*id).filter(|atom| forms.knows(*atom, &Property::Orthogonal)) {
        Some(_) => forms.transposed(*id).map(Some),
        None => Ok(None),
    }
}

/// (A B)⁻¹ = B⁻¹ A⁻¹, (s A)⁻¹ = A⁻¹ / s, (A⁻¹)⁻¹ = A, (A diag(v))⁻¹ = diag(1 / v) A⁻¹, (Aᵀ)⁻¹ = (A⁻¹)ᵀ.
pub fn of_product(forms: &mut Forms, op: OpRef, attrs: &Attrs, args: &[FormId]) -> Result<Option<FormId>, Refusal> {
    let [id] = args else { return Ok(None) };
    let form = forms.form(*id);
    if op.name != words::INV || form.shape.len() != 2 {
        return Ok(None);
    }
    if let Some(turned) = simpler_transpose(forms, *id)? {
        let inverse = forms.apply(op, attrs, &[turned])?;
        return forms.transposed(inverse).map(Some);
    }
    let [(mono, c)] = form.terms.as_slice() else {
        let content = forms.content(*id);
        if content == Number::ONE {
            return Ok(None);
        }
        let by = Number::ONE.over(content).ok_or(Refusal::Overflow)?;
        let primitive = forms.scaled(*id, by)?;
        let inverse = forms.apply(op, attrs, &[primitive])?;
        return forms.scaled(inverse, by).map(Some);
    };
    let mono = forms.mono(*mono);
    if mono.out[0] == mono.out[1] {
        let vector = forms.on_axes(*id, &[0])?;
        let inverse = forms.power(vector, Number::whole(-1))?;
        return forms.product(&[(inverse, vec![0])], &[0, 0], form.shape.clone(), &[]).map(Some);
    }
    let Some(chain) = square_chain(forms, &mono) else { return Ok(None) };
    if let ([only], true) = (chain.as_slice(), chain.len() == mono.factors.len() && *c == Number::ONE) {
        let atom = forms.atom(mono.factors[*only].atom);
        return match &*atom {
            Atom::Apply(inner, _, args) if inner.name == words::INV => Ok(Some(args[0])),
            _ => Ok(None),
        };
    }
    let mut parts: Vec<(FormId, Vec<Label>)> = Vec::new();
    for (place, factor) in mono.factors.iter().enumerate() {
        let base = forms.of_atom(factor.atom)?;
        if chain.contains(&place) {
            let inverse = forms.apply(op, attrs, &[base])?;
            parts.push((inverse, vec![factor.labels[1], factor.labels[0]]));
        } else {
            let power = factor.power.times(Number::whole(-1)).ok_or(Refusal::Overflow)?;
            parts.push((forms.power(base, power)?, factor.labels.clone()));
        }
    }
    let inverse = forms.product(&parts, &[mono.out[1], mono.out[0]], form.shape.clone(), &[])?;
    forms.scaled(inverse, Number::ONE.over(*c).ok_or(Refusal::Overflow)?).map(Some)
}

/// The transpose of a form, where that is the simpler of the two.
pub(super) fn simpler_transpose(forms: &mut Forms, id: FormId) -> Result<Option<FormId>, Refusal> {
    let turned = forms.transposed(id)?;
    Ok(forms.compare_turned(turned, id).is_lt().then_some(turned))
}

/// The places of the square matrices of a product that is a chain of them, from
/// the first axis to the second, perhaps with diagonal matrices between; all other
/// factors are the entries of those, or scalars.
pub(super) fn square_chain(forms: &Forms, mono: &Mono) -> Option<Vec<usize>> {
    let matrices: Vec<usize> = (0..mono.factors.len()).filter(|i| mono.factors[*i].labels.len() == 2).collect();
    let mut chain = Vec::new();
    let mut at = *mono.out.first()?;
    let mut passed = vec![at];
    while chain.len() < matrices.len() {
        let next = *matrices.iter().find(|i| !chain.contains(*i) && mono.factors[**i].labels.contains(&at))?;
        let factor = &mono.factors[next];
        let shape = forms.atom_shape(factor.atom);
        if factor.power != Number::ONE || shape[0] != shape[1] || factor.labels[0] == factor.labels[1] {
            return None;
        }
        let uses = matrices.iter().filter(|i| mono.factors[**i].labels.contains(&at)).count();
        if uses != if chain.is_empty() { 1 } else { 2 } {
            return None;
        }
        at = if factor.labels[0] == at { factor.labels[1] } else { factor.labels[0] };
        passed.push(at);
        chain.push(next);
    }
    let along = |f: &Factor| f.labels.len() < 3 && f.labels.iter().all(|label| passed.contains(label));
    let whole = !chain.is_empty() && mono.out.len() == 2 && mono.out[1] == at && mono.out[0] != at;
    (whole && mono.factors.iter().all(along)).then_some(chain)
}

impl Forms {
    /// The form as a number times one product; a sum is a product of one group.
    fn as_product(&mut self, id: FormId) -> Result<Option<(Mono, Number)>, Refusal> {
        let form = self.form(id);
        if let [(mono, c)] = form.terms.as_slice() {
            return Ok(Some(((*self.mono(*mono)).clone(), *c)));
        }
        let Some(group) = self.as_group(id)? else { return Ok(None) };
        if group.axes.len() != 2 {
            return Ok(None);
        }
        let labels = group.axes.iter().map(|a| *a as Label).collect();
        let factor = Factor { atom: group.atom, labels, power: Number::ONE };
        Ok(Some((Mono { out: vec![0, 1], factors: vec![factor] }, group.content)))
    }
}
