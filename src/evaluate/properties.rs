//! Values that have the properties assumed of them.

use super::random::Random;
use crate::array::{Array, contract};
use crate::graph::Property;
use nalgebra::DMatrix;

/// The value nearest at hand that has the property; values of a shape that
/// cannot have it stay.
pub fn with_property(value: Array, property: Property, random: &mut Random) -> Array {
    match property {
        Property::Symmetric => on_square(value, |x, _| x.zip(&x.transpose(), |a, b| (a + b) / 2.0)),
        Property::PositiveDefinite => on_square(value, |x, n| {
            let gram = contract(&[(x, &[0, 1]), (x, &[2, 1])], &[0, 2], &[n, n])?;
            gram.zip(&Array::identity(n), |g, i| g + 0.5 * i)
        }),
        Property::Orthogonal => on_square(value, |x, n| {
            let q = DMatrix::from_row_slice(n, n, x.data()).qr().q();
            Array::new(vec![n, n], q.transpose().as_slice().to_vec())
        }),
        Property::Diagonal => on_square(value, |x, n| x.zip(&Array::identity(n), |x, i| x * i)),
        // The diagonal outweighs a row of entries of order 1/√n.
        Property::Invertible => {
            on_square(value, |x, n| x.zip(&Array::identity(n), |x, i| x + (1.0 + (n as f64).sqrt()) * i))
        }
        // What is positive already stays, so that some points lie between 0 and 1.
        Property::Positive if value.data().iter().all(|x| *x > 0.05) => value,
        Property::Positive => value.map(|x| x.abs() + 0.3),
        Property::Nonzero => value.map(|x| if x < 0.0 { x - 0.3 } else { x + 0.3 }),
        Property::OneHot => each_row(value, |row| {
            let hot = random.below(row.len());
            row.iter_mut().enumerate().for_each(|(i, x)| *x = f64::from(u8::from(i == hot)));
        }),
        Property::Probability => each_row(value, |row| {
            row.iter_mut().for_each(|x| *x = x.abs() + 0.3);
            let total: f64 = row.iter().sum();
            row.iter_mut().for_each(|x| *x /= total);
        }),
        Property::SignLabels => value.map(|x| if x < 0.0 { -1.0 } else { 1.0 }),
        Property::Binary => value.map(|x| if x < 0.0 { 0.0 } else { 1.0 }),
        // Random columns are independent, and so are random rows.
        Property::FullColumnRank | Property::FullRowRank => value,
    }
}

fn on_square(value: Array, change: impl Fn(&Array, usize) -> Option<Array>) -> Array {
    match *value.sizes() {
        [n, m] if n == m => change(&value, n).unwrap_or(value),
        _ => value,
    }
}

fn each_row(mut value: Array, change: impl FnMut(&mut [f64])) -> Array {
    let length = value.sizes().last().copied().unwrap_or(1).max(1);
    value.data_mut().chunks_mut(length).for_each(change);
    value
}
