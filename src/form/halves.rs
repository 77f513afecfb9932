//! The move that joins the steps of a value and of its negative.

use super::Refusal;
use super::arena::{Atom, Factor, FormId, Forms, Mono, MonoId};
use super::words;
use crate::ops::{Attrs, Number};

/// A term with a step of ½ at 0 on axes of the whole: the argument, and the rest.
struct Stepped {
    place: usize,
    of: FormId,
    factor: Factor,
    rest: MonoId,
}

impl Forms {
    /// Every form that comes of h(u) + h(−u) = 1, where h is ½ at 0:
    /// a h(u) + b h(−u) = b + (a − b) h(u) = a + (b − a) h(−u), and a sign(u) for b = −a.
    ///
    /// # Errors
    /// If a number does not fit.
    pub fn halves(&mut self, id: FormId) -> Result<Vec<FormId>, Refusal> {
        let form = self.form(id);
        let mut stepped = Vec::new();
        for (place, (mono, _)) in form.terms.iter().enumerate() {
            stepped.extend(self.steps_in(place, &self.mono(*mono)));
        }
        let mut found = Vec::new();
        for first in &stepped {
            let negated = self.scaled(first.of, Number::whole(-1))?;
            let fits = |second: &&Stepped| {
                let alike = second.place > first.place && second.rest == first.rest;
                alike && second.of == negated && second.factor.labels == first.factor.labels
            };
            let Some(second) = stepped.iter().find(fits) else { continue };
            let (a, b) = (form.terms[first.place].1, form.terms[second.place].1);
            let others = |place: usize| place != first.place && place != second.place;
            let kept: Vec<_> = (0..form.terms.len()).filter(|at| others(*at)).map(|at| form.terms[at]).collect();
            for (whole, step, by) in [(b, first.place, a), (a, second.place, b)] {
                let mut terms = kept.clone();
                let more = by.plus(whole.negated()).ok_or(Refusal::Overflow)?;
                terms.extend([(first.rest, whole), (form.terms[step].0, more)]);
                found.push(self.intern_form(form.shape.clone(), terms)?);
            }
            if let (Some(sign), true) = (words::word(words::SIGN), a == b.negated()) {
                let sign = self.apply(sign, &Attrs::default(), &[first.of])?;
                let rest = self.mono(first.rest);
                let part = self.intern_form(form.shape.clone(), vec![(first.rest, a)])?;
                let parts = [(part, rest.out.clone()), (sign, first.factor.labels.clone())];
                let product = self.product(&parts, &rest.out, form.shape.clone(), &[])?;
                let mut terms = kept;
                terms.extend(self.form(product).terms.clone());
                found.push(self.intern_form(form.shape.clone(), terms)?);
            }
        }
        Ok(found)
    }

    fn steps_in(&mut self, place: usize, mono: &Mono) -> Vec<Stepped> {
        let mut found = Vec::new();
        for (at, factor) in mono.factors.iter().enumerate() {
            let atom = self.atom(factor.atom);
            let Atom::Apply(op, _, args) = &*atom else { continue };
            let [of, half] = args[..] else { continue };
            let on_axes = factor.labels.iter().all(|label| mono.out.contains(label));
            let is_half = self.as_constant(half) == Number::ratio(1, 2);
            if op.name != words::STEP || factor.power != Number::ONE || !is_half || !on_axes {
                continue;
            }
            let mut rest = mono.factors.clone();
            rest.remove(at);
            let rest = self.intern_mono(&mono.out, rest);
            found.push(Stepped { place, of, factor: factor.clone(), rest });
        }
        found
    }
}
