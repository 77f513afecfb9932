//! Products respelled for reading: τ as 2 π, determinants put together again.

use super::arena::{Atom, Factor, Forms, Mono};
use super::words;
use crate::ops::{Attrs, Number};

impl Forms {
    /// Does the program itself speak of diagonals?
    pub fn speaks_of_diagonals(&self) -> bool {
        self.speaks_of_diagonals
    }

    /// The product with τ written as 2 π, and its coefficient; with it whether that is
    /// preferred to a spelling as short.
    pub fn with_pi(&mut self, mono: &Mono, c: Number) -> Option<(Mono, Number, bool)> {
        let is_tau = |f: &Factor| matches!(&*self.atom(f.atom), Atom::Apply(op, _, _) if op.name == words::TAU);
        let place = mono.factors.iter().position(is_tau)?;
        let power = mono.factors[place].power;
        let pi = self.intern_atom(Atom::Apply(words::word(words::PI)?, Attrs::default(), Vec::new()), Vec::new());
        let mut factors = mono.factors.clone();
        factors[place].atom = pi;
        // 2 to the power of τ joins the root of 2 that is there; its whole part is a number.
        let root = self.intern_atom(Atom::Root(2), Vec::new());
        let there = factors.iter().position(|f| f.atom == root).map(|at| factors.remove(at).power);
        let both = power.plus(there.unwrap_or(Number::ZERO))?;
        let whole = i64::try_from(both.numerator().div_euclid(both.denominator())).ok()?;
        let part = both.plus(Number::whole(-whole))?;
        if part != Number::ZERO {
            factors.push(Factor { atom: root, labels: Vec::new(), power: part });
        }
        let c = Number::whole(2).power(whole).and_then(|two| c.times(two))?;
        Some((Mono { out: mono.out.clone(), factors }, c, self.speaks_of_pi))
    }

    /// The product with determinants that were split put together again: every way to
    /// do that once.
    pub fn with_whole_determinants(&mut self, mono: &Mono) -> Vec<Mono> {
        let Some(det) = words::word(words::DET) else { return Vec::new() };
        let mut found = Vec::new();
        for (matrix, into) in self.determinants.clone() {
            let power = |(atom, count): &(super::AtomId, i64)| {
                let held = mono.factors.iter().find(|f| f.atom == *atom)?;
                held.power.over(Number::whole(*count))
            };
            let Some(common) = into.first().and_then(power) else { continue };
            if !into.iter().all(|part| power(part) == Some(common)) {
                continue;
            }
            let atom = self.intern_atom(Atom::Apply(det, Attrs::default(), vec![matrix]), Vec::new());
            let mut factors = mono.factors.clone();
            factors.retain(|f| into.iter().all(|(part, _)| f.atom != *part));
            factors.push(Factor { atom, labels: Vec::new(), power: common });
            found.push(Mono { out: mono.out.clone(), factors });
        }
        found
    }
}
