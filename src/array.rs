//! Row-major arrays of doubles.

/// A row-major array of doubles of any rank.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    sizes: Vec<usize>,
    data: Vec<f64>,
}

impl Array {
    /// An array of these sizes; `None` if the number of entries differs.
    pub fn new(sizes: Vec<usize>, data: Vec<f64>) -> Option<Array> {
        (sizes.iter().product::<usize>() == data.len()).then_some(Array { sizes, data })
    }

    /// An array filled with one number.
    pub fn filled(sizes: &[usize], value: f64) -> Array {
        Array { sizes: sizes.to_vec(), data: vec![value; sizes.iter().product()] }
    }

    /// An array without axes.
    pub fn scalar(value: f64) -> Array {
        Array::filled(&[], value)
    }

    /// The size of each axis.
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// The entries, last axis fastest.
    pub fn data(&self) -> &[f64] {
        &self.data
    }

    /// The entries, last axis fastest.
    pub fn data_mut(&mut self) -> &mut [f64] {
        &mut self.data
    }
}
