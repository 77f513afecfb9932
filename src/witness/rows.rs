//! The claim that rows stand apart, compared in the program of the whole batch.

use super::Point;
use super::compare::Tally;
use crate::array::Array;
use crate::derive::{Derivation, fault};
use crate::diagnostic::Diagnostic;
use crate::evaluate::Plan;
use crate::shape::Sizes;

/// Moves one row of the variable, another at each point: all other rows of the
/// result must rest.
///
/// # Errors
/// That another row moves; a program that is finite at no point drawn.
pub fn apart(derivation: &Derivation, sizes: &Sizes, number: usize, tally: &mut Tally) -> Result<(), Diagnostic> {
    let Some(whole) = &derivation.whole else { return Ok(()) };
    let plan = Plan::new(&whole.program, &[whole.out, whole.wrt]);
    let at = Point { program: &whole.program, plan: &plan, out: whole.out, wrt: whole.wrt, sizes, number };
    let inputs = at.draw()?.0;
    let rows = inputs.get(whole.wrt).and_then(|x| x.sizes().first().copied()).unwrap_or(1).max(1);
    let only = |array: &Array, row: usize| {
        let width = array.data().len() / rows;
        Array::from_fn(array.sizes(), |i| if i / width.max(1) == row { array.data()[i] } else { 0.0 })
    };
    let row = number % rows;
    let direction = only(&at.direction(&inputs, number), row);
    let quotients = at.quotients(&inputs, &direction)?;
    let out = quotients.get(whole.out).ok_or_else(|| fault("the result was not run"))?;
    if out.value.sizes().first() != Some(&rows) {
        return Err(fault("one row of the variable is said to move one row of the result, which has other rows"));
    }
    let found = only(&out.value, row);
    tally.claim(out, Some(&found), direction.max_abs(), "claim that rows stand apart").map(|_| ())
}
