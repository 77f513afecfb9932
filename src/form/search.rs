//! The bounded search for the shortest form.

use super::Refusal;
use super::arena::{FormId, Forms};
use super::measure::Measure;
use super::rebuild::Rebuilt;
use std::collections::HashMap;

/// Candidates tried for one answer, inner forms included.
const BUDGET: usize = 200;

/// Sums with more factors in all are taken as they are.
const LARGEST: usize = 1000;

/// Forms kept from one round to the next.
const BEAM: usize = 2;

/// Rounds without gain before the search ends.
const PATIENCE: usize = 3;

/// How long a form is when it is written.
pub trait Cost {
    /// The size with names for what is repeated, then with every repeat written out.
    fn cost(&mut self, forms: &mut Forms, form: FormId) -> (u32, u32);
}

/// A move of the search.
pub struct Move {
    /// What a line of a derivation calls it.
    pub name: &'static str,
    /// One sentence for the student.
    pub sentence: &'static str,
    /// What each use of it lowers.
    pub lowers: Measure,
    /// Every form that one use of it leads to.
    pub apply: fn(&mut Forms, FormId) -> Result<Vec<FormId>, Refusal>,
}

/// The moves, in the order in which they are tried.
pub static MOVES: &[Move] = &[
    Move {
        name: "factor out",
        sentence: "A factor common to several terms is taken out.",
        lowers: Measure::Factors,
        apply: Forms::factorings,
    },
    Move {
        name: "multiply out",
        sentence: "A product of sums is multiplied out.",
        lowers: Measure::Nesting,
        apply: Forms::expansions,
    },
    Move {
        name: "regroup",
        sentence: "Terms that spell a sum standing elsewhere become that sum.",
        lowers: Measure::Terms,
        apply: Forms::regroupings,
    },
    Move {
        name: "common denominator",
        sentence: "Terms over powers of one sum are brought over the highest of them.",
        lowers: Measure::Terms,
        apply: Forms::denominators,
    },
    Move {
        name: "clear a fraction",
        sentence: "A sum with a fraction in it is multiplied by what the fraction divides by, the rest divided by it.",
        lowers: Measure::Divisions,
        apply: Forms::cleared,
    },
    Move {
        name: "two halves",
        sentence: "The steps of u and of −u are 1 together, 1[u > 0] and 1[u < 0] are 1[u ≠ 0]; the differences are sign(u).",
        lowers: Measure::Functions,
        apply: Forms::halves,
    },
    Move {
        name: "inverse sandwich",
        sentence: "S⁻¹ M S⁻¹ + c S⁻¹ is S⁻¹ (M + c S) S⁻¹.",
        lowers: Measure::Factors,
        apply: Forms::sandwiches,
    },
];

/// A move that was made.
#[derive(Clone)]
pub struct Shown {
    /// Which one.
    pub by: &'static Move,
    /// The form before.
    pub before: FormId,
    /// The form after.
    pub after: FormId,
}

/// A search, with what it has found so far.
pub struct Search<'a> {
    cost: &'a mut dyn Cost,
    left: usize,
    costs: HashMap<FormId, (u32, u32)>,
    results: HashMap<FormId, (FormId, Vec<Shown>)>,
    shortened: Rebuilt,
    /// The moves made on the form asked for.
    pub shown: Vec<Shown>,
}

impl<'a> Search<'a> {
    /// A search with a full budget.
    pub fn new(cost: &'a mut dyn Cost) -> Search<'a> {
        Search {
            cost,
            left: BUDGET,
            costs: HashMap::new(),
            results: HashMap::new(),
            shortened: Rebuilt::default(),
            shown: Vec::new(),
        }
    }

    /// How many candidates were tried; never more than the budget.
    pub fn tried(&self) -> usize {
        BUDGET - self.left
    }

    /// The shortest form found that equals this one.
    ///
    /// # Errors
    /// If a number does not fit.
    pub fn shortest(&mut self, forms: &mut Forms, id: FormId) -> Result<FormId, Refusal> {
        let start = self.deep(forms, id)?;
        let found = self.best_first(forms, start)?;
        self.shown = found.1;
        Ok(found.0)
    }

    /// The form with its arguments and groups shortened.
    fn deep(&mut self, forms: &mut Forms, id: FormId) -> Result<FormId, Refusal> {
        let mut done = std::mem::take(&mut self.shortened);
        let result =
            forms.rebuild_with(id, &mut done, &mut |forms, inner| self.best_first(forms, inner).map(|(form, _)| form));
        done.forget(id);
        self.shortened = done;
        result
    }

    fn price(&mut self, forms: &mut Forms, id: FormId) -> (u32, u32) {
        if let Some(known) = self.costs.get(&id) {
            return *known;
        }
        let cost = self.cost.cost(forms, id);
        self.costs.insert(id, cost);
        cost
    }

    fn best_first(&mut self, forms: &mut Forms, start: FormId) -> Result<(FormId, Vec<Shown>), Refusal> {
        if let Some(known) = self.results.get(&start) {
            return Ok(known.clone());
        }
        let form = forms.form(start);
        let factors: usize = form.terms.iter().map(|(mono, _)| forms.mono(*mono).factors.len()).sum();
        if factors == 0 || factors > LARGEST || forms.form_has_hole(start) && form.terms.len() > 12 {
            return Ok((start, Vec::new()));
        }
        let mut best = (self.price(forms, start), start, Vec::new());
        let mut beam: Vec<(FormId, Vec<Shown>)> = vec![(start, Vec::new())];
        let mut seen = vec![start];
        let mut idle = 0;
        while idle < PATIENCE && !beam.is_empty() && self.left > 0 {
            let mut next: Vec<((u32, u32), FormId, Vec<Shown>)> = Vec::new();
            for (form, path) in &beam {
                for (by, after) in candidates(forms, *form)? {
                    if self.left == 0 {
                        break;
                    }
                    if seen.contains(&after) {
                        continue;
                    }
                    self.left -= 1;
                    seen.push(after);
                    let Ok(settled) = self.deep(forms, after) else { continue };
                    let mut path = path.clone();
                    path.push(Shown { by, before: *form, after: settled });
                    next.push((self.price(forms, settled), settled, path));
                }
            }
            next.sort_by_key(|(cost, _, _)| *cost);
            next.truncate(BEAM);
            idle += 1;
            if let Some(first) = next.first()
                && first.0 < best.0
            {
                best = first.clone();
                idle = 0;
            }
            beam = next.into_iter().map(|(_, form, path)| (form, path)).collect();
        }
        self.results.insert(start, (best.1, best.2.clone()));
        Ok((best.1, best.2))
    }
}

fn candidates(forms: &mut Forms, id: FormId) -> Result<Vec<(&'static Move, FormId)>, Refusal> {
    let mut found = Vec::new();
    for by in MOVES {
        match (by.apply)(forms, id) {
            Ok(forms) => found.extend(forms.into_iter().map(|form| (by, form))),
            // A candidate that does not fit is no candidate.
            Err(Refusal::Overflow | Refusal::TooLarge | Refusal::Undefined) => {}
            Err(other) => return Err(other),
        }
    }
    Ok(found)
}
