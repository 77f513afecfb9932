//! The move that brings terms over one denominator.

use super::Refusal;
use super::arena::{Atom, AtomId, Factor, FormId, Forms, Label, Mono};
use super::forward::label_dims;
use super::monomial::Raw;
use crate::ops::Number;
use std::collections::BTreeSet;

/// Powers of a denominator that are multiplied out.
const HIGHEST: i64 = 2;

impl Forms {
    /// Every form that comes of bringing terms over the highest power of a sum that
    /// one of them is divided by, the sum multiplied out in what is left:
    /// 1 / u − x / u² = (u − x) / u².
    ///
    /// # Errors
    /// If a number does not fit.
    pub fn denominators(&mut self, id: FormId) -> Result<Vec<FormId>, Refusal> {
        let form = self.form(id);
        if form.terms.len() < 2 || form.shape.len() > 2 {
            return Ok(Vec::new());
        }
        let mut sums: BTreeSet<(AtomId, Vec<usize>)> = BTreeSet::new();
        for (mono, _) in &form.terms {
            let mono = self.mono(*mono);
            let below = |f: &&Factor| f.power.is_negative() && matches!(&*self.atom(f.atom), Atom::Group(_));
            sums.extend(mono.factors.iter().filter(below).filter_map(|f| Some((f.atom, axes(&mono, f)?))));
        }
        let mut found = Vec::new();
        for (atom, axes) in sums {
            for every in [false, true] {
                if let Some(over) = self.over_one(id, (atom, &axes), every)?
                    && over != id
                    && !found.contains(&over)
                {
                    found.push(over);
                }
            }
        }
        Ok(found)
    }

    /// The terms divided by the sum, or every term, over its highest power.
    fn over_one(&mut self, id: FormId, sum: (AtomId, &[usize]), every: bool) -> Result<Option<FormId>, Refusal> {
        let form = self.form(id);
        let monos: Vec<_> = form.terms.iter().map(|(mono, _)| self.mono(*mono)).collect();
        let places: Vec<Option<usize>> = monos.iter().map(|mono| place(mono, sum)).collect();
        let power = |at: usize| places[at].map_or(Number::ZERO, |place| monos[at].factors[place].power);
        let taken: Vec<usize> = (0..monos.len()).filter(|at| every || power(*at).is_negative()).collect();
        let Some(lowest) = taken.iter().map(|at| power(*at)).min() else { return Ok(None) };
        let mut left = Vec::new();
        let mut opened = false;
        for at in &taken {
            let more = power(*at).plus(lowest.negated()).and_then(|more| more.as_whole());
            let Some(more) = more.filter(|more| (0..=HIGHEST).contains(more)) else { return Ok(None) };
            opened |= more > 0;
            let mono = &monos[*at];
            let mut raw = Raw::new(&mono.out, label_dims(self, mono, &form.shape));
            raw.scale(form.terms[*at].1)?;
            raw.factors.clone_from(&mono.factors);
            if let Some(place) = places[*at] {
                raw.factors.remove(place);
            }
            if more > 0 {
                let labels = sum.1.iter().map(|axis| mono.out[*axis]).collect();
                raw.factors.push(Factor { atom: sum.0, labels, power: Number::whole(more) });
            }
            left.extend(self.finish(raw, true)?);
        }
        if !opened || taken.len() < 2 {
            return Ok(None);
        }
        let left = self.intern_form(form.shape.clone(), left)?;
        let Some(left) = self.expanded(left, sum.0)? else { return Ok(None) };
        let labels: Vec<Label> = (0..form.shape.len() as Label).collect();
        let mut raw = Raw::new(&labels, form.shape.clone());
        let held = sum.1.iter().map(|axis| *axis as Label).collect();
        raw.factors.push(Factor { atom: sum.0, labels: held, power: lowest });
        let mut terms = self.with_factor(raw, left, &labels)?;
        terms.extend((0..monos.len()).filter(|at| !taken.contains(at)).map(|at| form.terms[at]));
        self.intern_form(form.shape.clone(), terms).map(Some)
    }
}

/// The axes of the whole that a factor carries; `None` if it carries a summed label.
fn axes(mono: &Mono, factor: &Factor) -> Option<Vec<usize>> {
    factor.labels.iter().map(|label| mono.out.iter().position(|out| out == label)).collect()
}

/// Where the sum stands on these axes.
fn place(mono: &Mono, (atom, on): (AtomId, &[usize])) -> Option<usize> {
    mono.factors.iter().position(|f| f.atom == atom && axes(mono, f).is_some_and(|axes| axes == on))
}
