//! The orders in which the entries of a matrix are one vector.

use crate::array::Array;

/// Which entries of a matrix stand together when it is one vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stacking {
    /// Its columns, one below the other: vec.
    Columns,
    /// Its rows, as reshape(-1) has them.
    Rows,
}

impl Stacking {
    /// The entries of a matrix in this order.
    pub fn entries(self, matrix: &Array) -> Vec<f64> {
        match self {
            Stacking::Columns => matrix.transpose().data().to_vec(),
            Stacking::Rows => matrix.data().to_vec(),
        }
    }

    /// The matrix of these sizes that has these entries in this order.
    pub fn of_entries(self, sizes: &[usize], entries: &[f64]) -> Option<Array> {
        let turned: Vec<usize> = sizes.iter().rev().copied().collect();
        match self {
            Stacking::Columns => Array::new(turned, entries.to_vec()).map(|matrix| matrix.transpose()),
            Stacking::Rows => Array::new(sizes.to_vec(), entries.to_vec()),
        }
    }

    /// Which entries stand together, in words.
    pub fn says(self) -> &'static str {
        match self {
            Stacking::Columns => "vec stacks columns: vec(A X B) = (Bᵀ ⊗ A) vec X",
            Stacking::Rows => "rows are stacked, as reshape(-1) does: A X B is (A ⊗ Bᵀ) on the entries of X",
        }
    }
}
