//! Matrices so close to singular ones that a value loses its digits.

use super::finite::called;
use super::plan::Values;
use crate::graph::{Kind, Program};
use nalgebra::DMatrix;

/// A condition number above this costs half of the digits of a double.
const LARGE: f64 = 1e8;
/// The digits of a double.
const DIGITS: f64 = 16.0;

/// A matrix that an operation all but divides by, and its condition number.
#[derive(Clone, Debug, PartialEq)]
pub struct IllConditioned {
    /// The matrix as the source has it.
    pub matrix: String,
    /// Its largest singular value over its smallest; infinite for a singular matrix.
    pub number: f64,
}

impl IllConditioned {
    /// How many of its digits a value loses.
    pub fn digits_lost(&self) -> f64 {
        self.number.log10().floor().min(DIGITS)
    }
}

/// The badly conditioned matrices that were inverted, solved with or whose
/// determinant was taken, each once, in the order of the program; those inside
/// loops turn by turn.
pub fn ill_conditioned(program: &Program, values: &Values) -> Vec<IllConditioned> {
    let mut found: Vec<IllConditioned> = Vec::new();
    let mut note = |one: IllConditioned| {
        if !found.contains(&one) {
            found.push(one);
        }
    };
    for node in values.nodes() {
        if let Kind::Repeat(repeat) = &program.node(node).kind {
            // Loops are nested as deep as the source indents them.
            for (k, turn) in values.turns(node).iter().enumerate() {
                for inner in ill_conditioned(&repeat.body, turn) {
                    note(IllConditioned { matrix: format!("{}, at {} = {k},", inner.matrix, repeat.index), ..inner });
                }
            }
            continue;
        }
        if !program.op(node).is_some_and(|(op, _)| op.conditioned) {
            continue;
        }
        let Some(arg) = program.node(node).args.first() else { continue };
        let Some(value) = values.find(*arg) else { continue };
        let [rows, columns] = *value.sizes() else { continue };
        let number = condition_number(&DMatrix::from_row_slice(rows, columns, value.data()));
        if number > LARGE {
            note(IllConditioned { matrix: called(program, *arg), number });
        }
    }
    found
}

/// The largest singular value over the smallest.
fn condition_number(matrix: &DMatrix<f64>) -> f64 {
    let singular = matrix.singular_values();
    let (largest, smallest) = (singular.max(), singular.min());
    if smallest > 0.0 { largest / smallest } else { f64::INFINITY }
}

#[cfg(test)]
mod tests {
    use super::condition_number;
    use nalgebra::DMatrix;

    #[test]
    fn condition_numbers_are_ratios_of_singular_values() {
        let table: [(&[f64], f64); 3] =
            [(&[1.0, 0.0, 0.0, 1.0], 1.0), (&[0.0, 4.0, 2.0, 0.0], 2.0), (&[1.0, 1.0, 1.0, 1.0 + 1e-9], 4e9)];
        for (entries, wanted) in table {
            let found = condition_number(&DMatrix::from_row_slice(2, 2, entries));
            assert!((found / wanted - 1.0).abs() < 1e-6, "{entries:?}: {found}");
        }
    }
}
