//! Sums of deviations from a mean.

use super::Refusal;
use super::arena::{Atom, AtomId, Factor, Forms};
use super::known::place;
use super::monomial::Raw;
use super::words;
use crate::ops::{Attr, Attrs, Number, OpRef};

impl Forms {
    /// Notes that the program speaks of the operation: a variance is written as one only
    /// where the program itself has one or its root.
    pub fn hear(&mut self, op: OpRef) {
        self.speaks_of_variance |= [words::VAR, words::STD].contains(&op.name);
    }
}

/// Σ (u − mean(u)) u = Σ (u − mean(u))² = n var(u): deviations sum to zero.
pub fn sum_of_deviations(forms: &mut Forms, raw: &mut Raw) -> Result<bool, Refusal> {
    if !forms.speaks_of_variance {
        return Ok(false);
    }
    for i in 0..raw.factors.len() {
        let factor = raw.factors[i].clone();
        let [label] = factor.labels[..] else { continue };
        let (Some(of), false) = (deviating(forms, factor.atom), raw.out.contains(&label)) else { continue };
        let itself = |f: &Factor| f.atom == of && f.labels == [label] && f.power == Number::ONE;
        let beside = raw.factors.iter().position(itself);
        let mut gone = match (factor.power.as_whole(), beside, raw.uses(label)) {
            (Some(2), None, 1) => vec![i],
            (Some(1), Some(j), 2) => vec![i.min(j), i.max(j)],
            _ => continue,
        };
        let Some(variance) = words::word(words::VAR) else { continue };
        while let Some(at) = gone.pop() {
            raw.factors.remove(at);
        }
        raw.spend(label);
        let size = forms.size_factors(raw.dims[label as usize], Number::ONE, &mut raw.coefficient);
        raw.factors.extend(size);
        let attrs = Attrs(vec![("axis", Attr::Axes(vec![0])), ("keepdims", Attr::Flag(false))]);
        let of = forms.of_atom(of)?;
        let value = forms.apply(variance, &attrs, &[of])?;
        return place(forms, raw, value, &[]);
    }
    Ok(false)
}

/// The vector u of a group u − mean(u).
fn deviating(forms: &Forms, atom: AtomId) -> Option<AtomId> {
    let Atom::Group(inner) = *forms.atom(atom) else { return None };
    let form = forms.form(inner);
    let ([n], [a, b]) = (form.shape.as_slice(), form.terms.as_slice()) else { return None };
    [(a, b), (b, a)].into_iter().find_map(|((vector, c), (mean, k))| {
        let (vector, mean) = (forms.mono(*vector), forms.mono(*mean));
        let [u] = vector.factors.as_slice() else { return None };
        let whole = u.power == Number::ONE && u.labels == vector.out && *c == Number::ONE && *k == c.negated();
        let sum = |f: &Factor| match &*forms.atom(f.atom) {
            Atom::Closed(sum) => {
                let sum = forms.mono(*sum);
                f.power == Number::ONE
                    && matches!(sum.factors.as_slice(), [v] if v.atom == u.atom && v.power == Number::ONE)
            }
            _ => false,
        };
        let size = |f: &Factor| f.power == Number::whole(-1) && matches!(&*forms.atom(f.atom), Atom::Size(m) if m == n);
        let is_mean = matches!(mean.factors.as_slice(), [f, g] if sum(f) && size(g) || size(f) && sum(g));
        (whole && is_mean).then_some(u.atom)
    })
}
