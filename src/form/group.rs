//! Groups: sums that stand as one factor of a product.

use super::Refusal;
use super::arena::{Atom, AtomId, Form, FormId, Forms, Label, Mono, MonoId};
use crate::ops::Number;
use std::cmp::Ordering;

/// A form as content times a primitive group.
#[derive(Clone, Debug)]
pub struct Grouped {
    /// What stands outside.
    pub content: Number,
    /// The group.
    pub atom: AtomId,
    /// The axes of the form that the group's axes are, in the group's order.
    pub axes: Vec<usize>,
    /// The two axes that are one in every term, if there are such: diag(group).
    pub diagonal: Option<(usize, usize)>,
}

impl Forms {
    /// The form as one factor; `None` if it has more than two axes that matter.
    ///
    /// # Errors
    /// If a coefficient does not fit.
    pub fn as_group(&mut self, id: FormId) -> Result<Option<Grouped>, Refusal> {
        let form = self.form(id);
        let monos: Vec<_> = form.terms.iter().map(|(m, _)| self.mono(*m)).collect();
        let mut axes: Vec<usize> = (0..form.shape.len()).filter(|a| monos.iter().any(|m| uses_axis(m, *a))).collect();
        let same = |m: &Mono| axes.len() == 2 && m.out[axes[0]] == m.out[axes[1]];
        let diagonal = (monos.iter().all(|m| same(m)) && !monos.is_empty()).then(|| (axes[0], axes[1]));
        if diagonal.is_some() {
            axes.truncate(1);
            axes.retain(|a| monos.iter().any(|m| m.factors.iter().any(|f| f.labels.contains(&m.out[*a]))));
        }
        if axes.len() > 2 {
            return Ok(None);
        }
        let mut inner = self.on_axes(id, &axes)?;
        if axes.len() == 2 {
            let turned = self.on_axes(inner, &[1, 0])?;
            if self.compare_turned(turned, inner).is_lt() {
                axes.swap(0, 1);
                inner = turned;
            }
        }
        let content = self.content(inner);
        let primitive = self.scaled(inner, Number::ONE.over(content).ok_or(Refusal::Overflow)?)?;
        let shape = self.form(primitive).shape.clone();
        let atom = self.intern_atom(Atom::Group(primitive), shape);
        Ok(Some(Grouped { content, atom, axes, diagonal }))
    }

    /// The form seen on these of its axes; the others are not used by any term.
    pub(super) fn on_axes(&mut self, id: FormId, axes: &[usize]) -> Result<FormId, Refusal> {
        let form = self.form(id);
        let mut terms = Vec::with_capacity(form.terms.len());
        for (mono, c) in &form.terms {
            let mono = self.mono(*mono);
            let out: Vec<Label> = axes.iter().map(|a| mono.out[*a]).collect();
            terms.push((self.intern_mono(&out, mono.factors.clone()), *c));
        }
        let shape = axes.iter().map(|a| form.shape[*a]).collect();
        self.renormalised(shape, terms)
    }

    /// A symmetric factor may have to turn its labels after axes were turned.
    fn renormalised(
        &mut self,
        shape: Vec<super::arena::DimId>,
        terms: Vec<(MonoId, Number)>,
    ) -> Result<FormId, Refusal> {
        let mut fixed = Vec::with_capacity(terms.len());
        for (id, c) in terms {
            let mono = self.mono(id);
            let mut factors = mono.factors.clone();
            for factor in &mut factors {
                if factor.labels.len() == 2 && factor.labels[0] > factor.labels[1] && self.is_symmetric(factor.atom)? {
                    factor.labels.swap(0, 1);
                }
            }
            fixed.push((if factors == mono.factors { id } else { self.intern_mono(&mono.out, factors) }, c));
        }
        self.intern_form(shape, fixed)
    }

    /// The transpose of a form of rank 2.
    ///
    /// # Errors
    /// If a coefficient does not fit.
    pub fn transposed(&mut self, id: FormId) -> Result<FormId, Refusal> {
        self.on_axes(id, &[1, 0])
    }

    /// The order of two matrices of which one is the transpose of the other: by how
    /// many factors lie across, then by the terms. The first is kept.
    pub(super) fn compare_turned(&self, a: FormId, b: FormId) -> Ordering {
        let lie = |id: FormId| self.form_ref(id).terms.iter().map(|(m, _)| across(self.mono_ref(*m))).sum::<usize>();
        lie(a).cmp(&lie(b)).then_with(|| self.compare_forms(a, b))
    }

    /// The form times a number.
    ///
    /// # Errors
    /// If a coefficient does not fit.
    pub fn scaled(&mut self, id: FormId, by: Number) -> Result<FormId, Refusal> {
        if by == Number::ONE {
            return Ok(id);
        }
        let Form { shape, terms } = (*self.form(id)).clone();
        let scale = |(m, c): (MonoId, Number)| c.times(by).map(|c| (m, c)).ok_or(Refusal::Overflow);
        let terms = terms.into_iter().map(scale).collect::<Result<_, _>>()?;
        self.intern_form(shape, terms)
    }

    /// What stands outside of a primitive group: of the coefficients and their
    /// greatest common divisor the one that leaves the cheapest numbers, with
    /// the sign of the first term.
    pub(super) fn content(&self, id: FormId) -> Number {
        let form = self.form(id);
        let coefficients: Vec<Number> = form.terms.iter().map(|(_, c)| *c).collect();
        let Some(first) = coefficients.first() else { return Number::ONE };
        let mut candidates: Vec<Number> = coefficients.iter().map(|c| c.abs()).collect();
        candidates.sort_unstable();
        candidates.dedup();
        candidates.extend(common_divisor(&candidates));
        let cost = |by: &Number| -> Option<usize> {
            coefficients.iter().map(|c| c.abs().over(*by).map(spelling)).sum::<Option<usize>>()
        };
        let best = candidates.iter().filter_map(|c| cost(c).map(|cost| (cost, spelling(*c), *c))).min();
        let content = best.map_or(Number::ONE, |(_, _, c)| c);
        if first.is_negative() { content.negated() } else { content }
    }
}

/// Does a factor carry the axis, or is it tied to another one?
fn uses_axis(mono: &Mono, axis: usize) -> bool {
    let label = mono.out[axis];
    let tied = mono.out.iter().filter(|l| **l == label).count() > 1;
    tied || mono.factors.iter().any(|f| f.labels.contains(&label))
}

/// Factors of rank 2 that would be written transposed.
fn across(mono: &Mono) -> usize {
    let (first, last) = (mono.out.first(), mono.out.last());
    let place = |label: &Label| match label {
        l if Some(l) == first => 0,
        l if Some(l) == last => 2,
        _ => 1,
    };
    let lies = |labels: &[Label]| labels.len() == 2 && place(&labels[0]) > place(&labels[1]);
    mono.factors.iter().filter(|f| lies(&f.labels)).count()
}

/// How much there is to write for a coefficient; nothing for 1.
fn spelling(number: Number) -> usize {
    if number == Number::ONE {
        return 0;
    }
    number.to_string().chars().filter(char::is_ascii_digit).count()
}

fn common_divisor(numbers: &[Number]) -> Option<Number> {
    fn gcd(a: i128, b: i128) -> i128 {
        if b == 0 { a } else { gcd(b, a % b) }
    }
    let mut all = (0i128, 1i128);
    for number in numbers {
        let lcm = (number.denominator() / gcd(number.denominator(), all.1)).checked_mul(all.1)?;
        all = (gcd(all.0, number.numerator()), lcm);
    }
    // The divisor of unlike decimals is a number nobody wrote.
    (all.1 <= 1000).then(|| Number::ratio(all.0, all.1)).flatten().filter(|n| *n != Number::ZERO)
}

#[cfg(test)]
mod tests {
    use super::spelling;
    use crate::ops::Number;

    #[test]
    fn short_numbers_are_cheap() {
        for (text, cost) in [("1", 0), ("2", 1), ("0.044715", 7), ("12", 2)] {
            assert_eq!(spelling(Number::parse(text).unwrap()), cost, "{text}");
        }
    }
}
