//! Singular values of a matrix of numbers.

use crate::array::Array;
use nalgebra::DMatrix;

/// The singular values of a matrix that doubles can tell, the largest first.
#[derive(Clone, Debug, PartialEq)]
pub struct Singular {
    /// Those above the rounding of the largest.
    pub known: Vec<f64>,
    /// How many others there are.
    pub lost: usize,
    /// What rounding makes of the largest: the others are no larger than about this.
    pub rounding: f64,
}

/// The singular values of `matrix`; `None` where it is no matrix or not finite.
///
/// What is smaller than the rounding of the largest, 2⁻⁵² times the number of rows
/// or columns of it, is noise, and not given.
pub fn singular_values(matrix: &Array) -> Option<Singular> {
    let [rows, columns] = *matrix.sizes() else { return None };
    if !matrix.data().iter().all(|x| x.is_finite()) {
        return None;
    }
    let mut values: Vec<f64> =
        DMatrix::from_row_slice(rows, columns, matrix.data()).singular_values().iter().copied().collect();
    values.sort_by(|a, b| b.total_cmp(a));
    let rounding = values.first().copied().unwrap_or(0.0) * f64::EPSILON * rows.max(columns) as f64;
    let known: Vec<f64> = values.iter().copied().filter(|value| *value > rounding).collect();
    Some(Singular { lost: values.len() - known.len(), known, rounding })
}

#[cfg(test)]
mod tests {
    use super::singular_values;
    use crate::array::Array;

    #[test]
    fn what_rounding_hides_is_not_given() {
        let matrix = |rows: usize, data: &[f64]| Array::new(vec![rows, data.len() / rows], data.to_vec()).unwrap();
        let table = [
            (matrix(2, &[3.0, 0.0, 0.0, -4.0]), vec![4.0, 3.0], 0),
            (matrix(2, &[0.0, 2.0, 0.0, 0.0]), vec![2.0], 1),
            (matrix(1, &[3.0, 4.0]), vec![5.0], 0),
            (matrix(2, &[1.0, 1.0, 1.0, 1.0]), vec![2.0], 1),
            (matrix(2, &[1e20, 0.0, 0.0, 1.0]), vec![1e20], 1),
            (matrix(2, &[0.0; 4]), vec![], 2),
        ];
        for (matrix, known, lost) in table {
            let found = singular_values(&matrix).unwrap();
            assert_eq!((found.known.len(), found.lost), (known.len(), lost), "{found:?}");
            assert!(found.known.iter().zip(&known).all(|(a, b)| (a - b).abs() <= 1e-12 * b), "{found:?}");
        }
        assert_eq!(singular_values(&matrix(1, &[f64::NAN])), None);
        assert_eq!(singular_values(&Array::filled(&[2], 1.0)), None);
    }
}
