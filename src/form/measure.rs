//! What cancellations and moves lower, each by itself.

use super::arena::{Atom, AtomId, Factor, FormId, Forms, MonoId};
use super::words;
use crate::ops::Number;
use std::collections::BTreeMap;

/// What a cancellation or a move lowers where it is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// What stands among zeros; then what is written, in which a function weighs the square
    /// of what it is of; then what lies across in functions; then labels that are summed
    /// or stand twice; then exponents.
    Weight,
    /// Functions of values that begin with a minus sign.
    Signs,
    /// Steps of multiples.
    Multiples,
    /// Values that functions are of.
    Arguments,
    /// Factors, each as often as it is written and as its exponent says; then numbers in
    /// front of the terms of the outermost sum.
    Factors,
    /// Sums inside of products: a sum counts one for each sign more than its terms, one
    /// more in brackets; a product counts the product of what its factors count.
    Nesting,
    /// Terms of the outermost sum.
    Terms,
    /// Factors that are divided by, as often as they are written and as exponents say.
    Divisions,
    /// Functions in the outermost products.
    Functions,
}

impl Forms {
    /// The measure of a form; of two the first number that differs decides.
    pub fn measured(&self, by: Measure, id: FormId) -> Vec<f64> {
        let functions = || self.functions_in(id);
        match by {
            Measure::Weight => self.heaviness(id),
            Measure::Signs => vec![count(functions().filter(|(_, args)| self.content(args[0]).is_negative()))],
            Measure::Multiples => vec![count(
                functions().filter(|(op, args)| *op == words::STEP && self.content(args[0]).abs() != Number::ONE),
            )],
            Measure::Arguments => vec![functions().map(|(_, args)| args.len() as f64).sum()],
            Measure::Factors => {
                let number = |c: &Number| c.abs() != Number::ONE;
                let numbers = self.form_ref(id).terms.iter().filter(|(_, c)| number(c));
                vec![self.written(id, &|_| true, 0.0), count(numbers)]
            }
            Measure::Nesting => vec![self.nesting(id)],
            Measure::Terms => vec![self.form_ref(id).terms.len() as f64],
            Measure::Divisions => vec![self.written(id, &|power| power.is_negative(), 1.0)],
            Measure::Functions => {
                let apply = |atom: AtomId| matches!(self.atom_ref(atom), Atom::Apply(..));
                let monos = self.form_ref(id).terms.iter().map(|(mono, _)| self.mono_ref(*mono));
                vec![count(monos.flat_map(|mono| &mono.factors).filter(|f| apply(f.atom)))]
            }
        }
    }

    /// The functions of a form with what they are of, those of nothing left out.
    fn functions_in(&self, id: FormId) -> impl Iterator<Item = (&'static str, Vec<FormId>)> {
        let of = |atom| match self.atom_ref(atom) {
            Atom::Apply(op, _, args) if !args.is_empty() => Some((op.name, args.clone())),
            _ => None,
        };
        self.atoms_in(id).into_iter().filter_map(of).collect::<Vec<_>>().into_iter()
    }

    /// What each atom of a form comes to, parts before what is made of them.
    fn each_atom(&self, id: FormId, of: &dyn Fn(AtomId, &BTreeMap<AtomId, f64>) -> f64) -> BTreeMap<AtomId, f64> {
        let mut found = BTreeMap::new();
        for atom in self.atoms_in(id) {
            let value = of(atom, &found);
            found.insert(atom, value);
        }
        found
    }

    /// The exponents of all factors with exponents that fit. A sum counts what is in it
    /// and `sum` for itself.
    fn written(&self, id: FormId, fits: &dyn Fn(Number) -> bool, sum: f64) -> f64 {
        let of_mono = |mono: MonoId, known: &BTreeMap<AtomId, f64>| -> f64 {
            let one = |f: &Factor| match (self.atom_ref(f.atom), fits(f.power)) {
                (Atom::Group(_), true) => f.power.abs().value() * (sum + known[&f.atom]),
                (_, true) => f.power.abs().value() * (1.0 + known[&f.atom]),
                (_, false) => known[&f.atom],
            };
            self.mono_ref(mono).factors.iter().map(one).sum()
        };
        let of_form = |form: FormId, known: &BTreeMap<AtomId, f64>| -> f64 {
            self.form_ref(form).terms.iter().map(|(mono, _)| of_mono(*mono, known)).sum()
        };
        let known = self.each_atom(id, &|atom, known| match self.atom_ref(atom) {
            Atom::Group(inner) => of_form(*inner, known),
            Atom::Closed(mono) => of_mono(*mono, known),
            Atom::Apply(_, _, args) => args.iter().map(|arg| of_form(*arg, known)).sum(),
            Atom::Leaf(_) | Atom::Hole(_) | Atom::Size(_) | Atom::Root(_) => 0.0,
        });
        of_form(id, &known)
    }

    /// See [`Measure::Nesting`].
    fn nesting(&self, id: FormId) -> f64 {
        let of_mono = |mono: MonoId, known: &BTreeMap<AtomId, f64>| -> f64 {
            let power = |power: Number| power.abs().value();
            self.mono_ref(mono).factors.iter().map(|f| known[&f.atom].powf(power(f.power))).product::<f64>().max(2.0)
        };
        let of_form = |form: FormId, known: &BTreeMap<AtomId, f64>| -> f64 {
            let form = self.form_ref(form);
            let terms: f64 = form.terms.iter().map(|(mono, _)| of_mono(*mono, known)).sum();
            terms + form.terms.len().saturating_sub(1) as f64
        };
        let known = self.each_atom(id, &|atom, known| match self.atom_ref(atom) {
            Atom::Group(inner) => of_form(*inner, known) + 1.0,
            Atom::Closed(mono) => of_mono(*mono, known),
            Atom::Apply(_, _, args) => 2.0 + args.iter().map(|arg| of_form(*arg, known)).sum::<f64>(),
            Atom::Leaf(_) | Atom::Hole(_) | Atom::Size(_) | Atom::Root(_) => 2.0,
        });
        of_form(id, &known)
    }

    /// See [`Measure::Weight`].
    fn heaviness(&self, id: FormId) -> Vec<f64> {
        let monos: Vec<_> = self.form_ref(id).terms.iter().map(|(mono, _)| self.mono_ref(*mono)).collect();
        let twice = |out: &[u16]| out.iter().enumerate().filter(|(i, label)| out[..*i].contains(label)).count();
        let joined: usize = monos.iter().map(|mono| mono.summed().len() + twice(&mono.out)).sum();
        let lies = |labels: &[u16]| labels.len() == 2 && labels[0] > labels[1];
        let across = |arg: &FormId| -> usize {
            let factors = self.form_ref(*arg).terms.iter().flat_map(|(m, _)| &self.mono_ref(*m).factors);
            factors.filter(|f| lies(&f.labels)).count()
        };
        let crossing: usize = self.functions_in(id).flat_map(|(_, args)| args).map(|arg| across(&arg)).sum();
        let places = count(self.functions_in(id).filter(|(op, _)| *op == words::PLACE));
        let exponents: f64 = monos.iter().flat_map(|mono| &mono.factors).map(|f| f.power.abs().value()).sum();
        vec![places, self.weighed(id), crossing as f64, joined as f64, exponents]
    }

    fn weighed(&self, id: FormId) -> f64 {
        // A product in the making keeps what was cancelled until it is merged.
        let power = |power: Number| match (power == Number::ZERO, power == Number::ONE) {
            (true, _) => 0.0,
            (_, true) => 1.0,
            _ => 1.5,
        };
        let of_mono = |mono: MonoId, known: &BTreeMap<AtomId, f64>| -> f64 {
            self.mono_ref(mono).factors.iter().map(|f| power(f.power) * known[&f.atom]).sum()
        };
        let of_form = |form: FormId, known: &BTreeMap<AtomId, f64>| -> f64 {
            let minus = |c: Number| f64::from(u8::from(c.is_negative()));
            self.form_ref(form).terms.iter().map(|(mono, c)| 1.0 + minus(*c) + of_mono(*mono, known)).sum()
        };
        let known = self.each_atom(id, &|atom, known| match self.atom_ref(atom) {
            Atom::Leaf(_) | Atom::Hole(_) | Atom::Size(_) | Atom::Root(_) => 2.0,
            Atom::Group(inner) => of_form(*inner, known),
            Atom::Closed(inner) => 1.0 + of_mono(*inner, known),
            Atom::Apply(op, _, args) => {
                let of: f64 = args.iter().map(|arg| of_form(*arg, known)).sum();
                (1.0 + of).powi(2) * heavy(op.name)
            }
        });
        of_form(id, &known)
    }
}

/// An adjugate stands for a determinant and an inverse; 1 / (1 + exp(u)) becomes 1 − sigmoid(u).
fn heavy(op: &str) -> f64 {
    match op {
        words::ADJ => 3.0,
        words::EXP => 1.5,
        _ => 1.0,
    }
}

fn count(found: impl Iterator) -> f64 {
    found.count() as f64
}
