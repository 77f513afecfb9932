//! Comparing numbers, and counting what was compared.

use super::Report;
use super::quotient::Quotient;
use crate::array::Array;
use crate::diagnostic::{Diagnostic, Kind as Mistake};

/// Two numbers agree within this part of the largest entry, and the estimates.
const TOLERANCE: f64 = 1e-7;
/// A quotient is too coarse to check with if its estimate is above this part of the size.
const COARSE: f64 = 1e-5;
/// What is smaller than this part of what it is made from counts as 0.
const FAINT: f64 = 1e-3;
/// More digits than this are not claimed: the quotients carry no more.
const DIGITS: u32 = 8;

/// The digits to which two numbers agree that differ by this part of their size.
pub fn digits(worst: f64) -> u32 {
    let digits = if worst > 0.0 { (-worst.log10()).floor() } else { f64::from(DIGITS) };
    if digits >= f64::from(DIGITS) { DIGITS } else { digits.max(0.0) as u32 }
}

/// What was compared so far.
pub struct Tally {
    met: Vec<Option<f64>>,
    answers: usize,
    left_out: usize,
    worst: f64,
}

/// What one comparison found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    /// All entries that could be compared agree, and some could; the largest
    /// relative difference.
    Met(f64),
    /// No entry could be compared.
    Unchecked,
    /// An entry does not agree.
    Differs,
}

impl Tally {
    /// For so many steps.
    pub fn new(steps: usize) -> Tally {
        Tally { met: vec![None; steps], answers: 0, left_out: 0, worst: 0.0 }
    }

    /// Compares a step; `None` stands for 0.
    ///
    /// # Errors
    /// That the step does not hold.
    pub fn step(
        &mut self,
        number: usize,
        expected: &Quotient,
        found: Option<&Array>,
        size: f64,
        what: impl Fn() -> String,
    ) -> Result<(), Diagnostic> {
        match self.compare(expected, found, size) {
            Outcome::Met(worst) => self.met[number] = Some(self.met[number].unwrap_or(0.0).max(worst)),
            Outcome::Unchecked => {}
            Outcome::Differs => return Err(differs(format!("step {}, {}, does not hold", number + 1, what()))),
        }
        Ok(())
    }

    /// Compares a finished answer.
    ///
    /// # Errors
    /// That the answer does not hold.
    pub fn answer(
        &mut self,
        expected: &Quotient,
        found: Option<&Array>,
        size: f64,
        what: &str,
    ) -> Result<(), Diagnostic> {
        self.answers += usize::from(self.claim(expected, found, size, what)?);
        Ok(())
    }

    /// Compares what is said beside an answer: could it be compared?
    ///
    /// # Errors
    /// That it does not hold.
    pub fn claim(
        &mut self,
        expected: &Quotient,
        found: Option<&Array>,
        size: f64,
        what: &str,
    ) -> Result<bool, Diagnostic> {
        match self.compare(expected, found, size) {
            Outcome::Met(_) => Ok(true),
            Outcome::Unchecked => Ok(false),
            Outcome::Differs => Err(differs(format!("the {what} does not agree with the differences"))),
        }
    }

    /// |a − b| ≤ tolerance · scale + 3 · estimate, entry by entry, where scale is
    /// the largest entry of what is compared and of what it is made from.
    fn compare(&mut self, expected: &Quotient, found: Option<&Array>, size: f64) -> Outcome {
        let zeros;
        let found = match found {
            Some(found) => found,
            None => {
                zeros = Array::filled(expected.value.sizes(), 0.0);
                &zeros
            }
        };
        if found.data().len() != expected.value.data().len() {
            return Outcome::Differs;
        }
        let scale = expected.value.max_abs().max(found.max_abs()).max(FAINT * size);
        let (mut compared, mut worst) = (0usize, 0f64);
        for (i, (a, b)) in expected.value.data().iter().zip(found.data()).enumerate() {
            let estimate = expected.error.data()[i];
            if expected.switched.contains(&i) {
                self.left_out += 1;
                continue;
            }
            // What is the same number, zeros above all, agrees at any scale.
            if a != b && (estimate > COARSE * scale || !a.is_finite()) {
                continue;
            }
            let difference = (a - b).abs();
            // A difference that is no number differs.
            if difference.is_nan() || difference > TOLERANCE * scale + 3.0 * estimate {
                return Outcome::Differs;
            }
            compared += 1;
            if scale > 0.0 {
                worst = worst.max(difference / scale);
            }
        }
        if compared == 0 && !expected.value.data().is_empty() {
            return Outcome::Unchecked;
        }
        self.worst = self.worst.max(worst);
        Outcome::Met(worst)
    }

    /// Adds what was found to a report; returns what was found of each step.
    pub fn into_report(self, points: usize, report: &mut Report) -> Vec<Option<f64>> {
        let met = self.met.iter().filter(|met| met.is_some()).count();
        report.steps += met;
        report.unchecked += self.met.len() - met;
        report.answer = self.answers > 0;
        report.points = report.points.max(points);
        report.left_out += self.left_out;
        report.worst = report.worst.max(self.worst);
        report.digits = digits(report.worst);
        self.met
    }
}

fn differs(message: String) -> Diagnostic {
    Diagnostic::new(Mistake::CheckFailed, message)
        .help("this is a fault of the program, not of your input: nothing is answered; please report it")
}
