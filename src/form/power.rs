//! Forms to constant powers.

use super::Refusal;
use super::arena::{Atom, AtomId, Factor, FormId, Forms, Label, Mono};
use super::monomial::Raw;
use super::words;
use crate::ops::{Attrs, Number};
use std::collections::BTreeSet;

/// Numbers above this are not split into primes.
const PRIMES: i128 = 1 << 40;

impl Forms {
    /// The form to a power, entry by entry.
    ///
    /// # Errors
    /// If a number does not fit, or zero is raised to a negative power.
    pub fn power(&mut self, id: FormId, e: Number) -> Result<FormId, Refusal> {
        let form = self.form(id);
        if e == Number::ONE {
            return Ok(id);
        }
        if e == Number::ZERO {
            return self.constant(Number::ONE, form.shape.clone());
        }
        match form.terms.as_slice() {
            [] if e.is_negative() => Err(Refusal::Undefined),
            [] => Ok(id),
            [(mono, c)] => {
                let mono = self.mono(*mono);
                let tied = mono.out.iter().enumerate().any(|(i, l)| mono.out[..i].contains(l));
                if tied && e.is_negative() {
                    return Err(Refusal::Undefined);
                }
                self.power_of_product(&mono, *c, e, form.shape.clone())
            }
            _ => {
                let labels: Vec<Label> = (0..form.shape.len() as Label).collect();
                let mut raw = Raw::new(&labels, form.shape.clone());
                if !self.put_group(&mut raw, id, &labels, e)? {
                    return Err(Refusal::TooLarge);
                }
                let terms = self.finish(raw, false)?;
                self.intern_form(form.shape.clone(), terms)
            }
        }
    }

    /// Multiplies by a form to a power, as one factor.
    fn put_group(&mut self, raw: &mut Raw, id: FormId, labels: &[Label], e: Number) -> Result<bool, Refusal> {
        let Some(group) = self.as_group(id)? else { return Ok(false) };
        let whole = e.as_whole();
        let (mut content, mut atom) = (group.content, group.atom);
        if content.is_negative() && whole.is_none() {
            // The sign stays inside of a root.
            let Atom::Group(inner) = *self.atom(atom) else { return Ok(false) };
            let negated = self.scaled(inner, Number::whole(-1))?;
            let shape = self.form(negated).shape.clone();
            (content, atom) = (content.negated(), self.intern_atom(Atom::Group(negated), shape));
        }
        self.put_root(raw, content, e)?;
        let held = group.axes.iter().map(|a| raw.find(labels[*a])).collect();
        raw.factors.push(Factor { atom, labels: held, power: e });
        if let Some((a, b)) = group.diagonal {
            raw.join(labels[a], labels[b]);
        }
        Ok(true)
    }

    fn power_of_product(
        &mut self,
        mono: &Mono,
        c: Number,
        e: Number,
        shape: Vec<super::arena::DimId>,
    ) -> Result<FormId, Refusal> {
        // Labels of `raw` are those of the monomial: `out` labels come first.
        let bound = mono.out.iter().max().map_or(0, |l| *l as usize + 1);
        let mut raw = Raw::new(&mono.out, (0..bound).map(|l| shape[first_axis(mono, l as Label)]).collect());
        let whole = e.as_whole().is_some();
        let summed: BTreeSet<Label> = mono.summed().into_iter().collect();
        let (mut rest, mut plain): (Vec<Factor>, Vec<Factor>) = (Vec::new(), Vec::new());
        for factor in &mono.factors {
            let under_sum = factor.labels.iter().any(|l| summed.contains(l));
            let free = !under_sum && (whole || self.is_positive(factor.atom));
            if free { plain.push(factor.clone()) } else { rest.push(factor.clone()) }
        }
        for factor in plain {
            let power = factor.power.times(e).ok_or(Refusal::Overflow)?;
            raw.factors.push(Factor { power, ..factor });
        }
        let parts: Vec<Vec<Factor>> = if whole { connected(&rest, &summed) } else { vec![rest] };
        let negative = c.is_negative() && !whole;
        self.put_root(&mut raw, if negative { c.negated() } else { c }, e)?;
        for (i, part) in parts.into_iter().filter(|p| !p.is_empty()).enumerate() {
            self.put_part(&mut raw, part, e, negative && i == 0, &summed)?;
        }
        if negative && raw.factors.is_empty() {
            return Err(Refusal::Undefined);
        }
        let terms = self.finish(raw, false)?;
        self.intern_form(shape, terms)
    }

    /// Multiplies by a product under a power that does not go inside.
    fn put_part(
        &mut self,
        raw: &mut Raw,
        part: Vec<Factor>,
        e: Number,
        negative: bool,
        summed: &BTreeSet<Label>,
    ) -> Result<(), Refusal> {
        if let ([factor], false) = (part.as_slice(), negative)
            && !factor.labels.iter().any(|l| summed.contains(l))
        {
            return self.put_single(raw, factor, e);
        }
        let mut out: Vec<Label> = part.iter().flat_map(|f| f.labels.clone()).filter(|l| !summed.contains(l)).collect();
        out.sort_unstable();
        out.dedup();
        let shape = out.iter().map(|l| raw.dims[*l as usize]).collect();
        let mono = self.intern_mono(&out, part);
        let sign = Number::whole(if negative { -1 } else { 1 });
        let form = self.intern_form(shape, vec![(mono, sign)])?;
        if self.put_group(raw, form, &out, e)? { Ok(()) } else { Err(Refusal::TooLarge) }
    }

    /// (uᵏ)ᵉ: |u|ᵏᵉ for even k, else uᵏᵉ, which is defined where uᵏ is.
    fn put_single(&mut self, raw: &mut Raw, factor: &Factor, e: Number) -> Result<(), Refusal> {
        let power = factor.power.times(e).ok_or(Refusal::Overflow)?;
        let even = factor.power.as_whole().is_some_and(|k| k % 2 == 0);
        match (even && e.as_whole().is_none(), words::word(words::ABS)) {
            (true, Some(abs)) => {
                let inner = self.of_atom(factor.atom)?;
                let size = self.apply(abs, &Attrs::default(), &[inner])?;
                let size = self.power(size, power)?;
                for (mono, c) in &self.form(size).terms {
                    raw.place(self, &self.mono(*mono), *c, &factor.labels)?;
                }
            }
            _ => raw.factors.push(Factor { power, ..factor.clone() }),
        }
        Ok(())
    }

    /// Multiplies by a number to a power: what has no exact root becomes roots of primes.
    fn put_root(&mut self, raw: &mut Raw, c: Number, e: Number) -> Result<(), Refusal> {
        if let Some(whole) = e.as_whole() {
            return raw.scale(c.power(whole).ok_or(Refusal::Overflow)?);
        }
        for (part, sign) in [(c.numerator(), Number::ONE), (c.denominator(), Number::whole(-1))] {
            let power = e.times(sign).ok_or(Refusal::Overflow)?;
            for (prime, count) in primes(part) {
                let atom: AtomId = self.intern_atom(Atom::Root(prime), Vec::new());
                let power = power.times(Number::whole(count)).ok_or(Refusal::Overflow)?;
                raw.factors.push(Factor { atom, labels: Vec::new(), power });
            }
        }
        Ok(())
    }
}

fn first_axis(mono: &Mono, label: Label) -> usize {
    mono.out.iter().position(|l| *l == label).unwrap_or(0)
}

/// The parts of a product that share summed labels.
fn connected(factors: &[Factor], summed: &BTreeSet<Label>) -> Vec<Vec<Factor>> {
    let mut parts: Vec<(BTreeSet<Label>, Vec<Factor>)> = Vec::new();
    for factor in factors {
        let mut labels: BTreeSet<Label> = factor.labels.iter().copied().filter(|l| summed.contains(l)).collect();
        let mut held = vec![factor.clone()];
        let (touching, apart): (Vec<_>, Vec<_>) = parts.into_iter().partition(|(l, _)| !l.is_disjoint(&labels));
        for (more, factors) in touching {
            labels.extend(more);
            held.extend(factors);
        }
        parts = apart;
        parts.push((labels, held));
    }
    parts.into_iter().map(|(_, factors)| factors).collect()
}

/// The prime factors with their counts; a large rest counts as a prime.
fn primes(mut n: i128) -> Vec<(i128, i64)> {
    let mut found: Vec<(i128, i64)> = Vec::new();
    let mut p: i128 = 2;
    while n > 1 {
        if p * p > n || n > PRIMES {
            p = n;
        }
        while n % p == 0 {
            n /= p;
            match found.last_mut() {
                Some((last, count)) if *last == p => *count += 1,
                _ => found.push((p, 1)),
            }
        }
        p += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::primes;

    #[test]
    fn numbers_split_into_primes() {
        assert_eq!(primes(360), vec![(2, 3), (3, 2), (5, 1)]);
        assert_eq!(primes(1), vec![]);
        assert_eq!(primes(97), vec![(97, 1)]);
    }
}
