//! The move that joins the steps of a value and of its negative.

use super::Refusal;
use super::arena::{Atom, Factor, Form, FormId, Forms, Mono, MonoId};
use super::words;
use crate::ops::{Attrs, Number, OpRef};

/// A term with a step on axes of the whole.
struct Stepped {
    place: usize,
    /// The step: ½ at 0, or 1[u > 0], or 1[u < 0].
    step: OpRef,
    of: FormId,
    factor: Factor,
    /// What it is multiplied by.
    rest: MonoId,
}

impl Stepped {
    /// Is it the same but for the step?
    fn is_beside(&self, other: &Stepped) -> bool {
        self.place != other.place && self.rest == other.rest && self.factor.labels == other.factor.labels
    }
}

impl Forms {
    /// Every form that comes of h(u) + h(−u) = 1, where h is ½ at 0:
    /// a h(u) + b h(−u) = b + (a − b) h(u) = a + (b − a) h(−u), and a sign(u) for b = −a;
    /// and of `1[u > 0] + 1[u < 0] = 1[u ≠ 0]`, `1[u > 0] − 1[u < 0] = sign(u)`.
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
            for second in stepped.iter().filter(|second| first.is_beside(second)) {
                let (a, b) = (form.terms[first.place].1, form.terms[second.place].1);
                let difference = words::word(words::SIGN).filter(|_| a == b.negated());
                if (first.step.name, second.step.name) == (words::GT, words::LT) && second.of == first.of {
                    let sum = words::word(words::NE).filter(|_| a == b);
                    for op in difference.into_iter().chain(sum) {
                        found.push(self.joined(&form, (first, second), op)?);
                    }
                }
                let halves = first.step.name == words::STEP && second.step.name == words::STEP;
                if !halves || second.of != negated || second.place < first.place {
                    continue;
                }
                for (whole, step, by) in [(b, first.place, a), (a, second.place, b)] {
                    let mut terms = without(&form, first, second);
                    let more = by.plus(whole.negated()).ok_or(Refusal::Overflow)?;
                    terms.extend([(first.rest, whole), (form.terms[step].0, more)]);
                    found.push(self.intern_form(form.shape.clone(), terms)?);
                }
                if let Some(sign) = difference {
                    found.push(self.joined(&form, (first, second), sign)?);
                }
            }
        }
        Ok(found)
    }

    /// The form with a function of the first step's argument in the place of both steps.
    fn joined(&mut self, form: &Form, (first, second): (&Stepped, &Stepped), op: OpRef) -> Result<FormId, Refusal> {
        let zero = self.constant(Number::ZERO, Vec::new())?;
        let args = [first.of, zero];
        let compares = words::comparison(op).is_some();
        let value = self.apply(op, &Attrs::default(), if compares { &args } else { &args[..1] })?;
        let rest = self.mono(first.rest);
        let part = self.intern_form(form.shape.clone(), vec![(first.rest, form.terms[first.place].1)])?;
        let parts = [(part, rest.out.clone()), (value, first.factor.labels.clone())];
        let product = self.product(&parts, &rest.out, form.shape.clone(), &[])?;
        let mut terms = without(form, first, second);
        terms.extend(self.form(product).terms.clone());
        self.intern_form(form.shape.clone(), terms)
    }

    fn steps_in(&mut self, place: usize, mono: &Mono) -> Vec<Stepped> {
        let mut found = Vec::new();
        for (at, factor) in mono.factors.iter().enumerate() {
            let atom = self.atom(factor.atom);
            let Atom::Apply(op, _, args) = &*atom else { continue };
            let [of, beside] = args[..] else { continue };
            let on_axes = factor.labels.iter().all(|label| mono.out.contains(label));
            let beside = self.as_constant(beside);
            let is_step = match op.name {
                words::STEP => beside == Number::ratio(1, 2),
                words::GT | words::LT => beside == Some(Number::ZERO),
                _ => false,
            };
            if !is_step || factor.power != Number::ONE || !on_axes {
                continue;
            }
            let mut rest = mono.factors.clone();
            rest.remove(at);
            let rest = self.intern_mono(&mono.out, rest);
            found.push(Stepped { place, step: op, of, factor: factor.clone(), rest });
        }
        found
    }
}

/// The terms but for two.
fn without(form: &Form, first: &Stepped, second: &Stepped) -> Vec<(MonoId, Number)> {
    let others = |at: &usize| *at != first.place && *at != second.place;
    (0..form.terms.len()).filter(others).map(|at| form.terms[at]).collect()
}
