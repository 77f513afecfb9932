//! Numbers of operations that work along axes: an array as lanes over those axes.

use super::Attrs;
use crate::array::Array;

/// One number for each lane along the attribute `axis`, as an array of `sizes`.
pub fn reduce(x: &Array, attrs: &Attrs, sizes: &[usize], f: impl Fn(&[f64]) -> f64) -> Array {
    let (lanes, length) = x.lanes(attrs.axes());
    let data =
        if length == 0 { vec![f(&[]); sizes.iter().product()] } else { lanes.data().chunks(length).map(f).collect() };
    filled_or(Array::new(sizes.to_vec(), data), sizes)
}

/// Each lane along these axes through a function of the whole lane.
pub fn each(x: &Array, axes: &[usize], f: impl Fn(&mut [f64])) -> Array {
    let (mut lanes, length) = x.lanes(axes);
    lanes.data_mut().chunks_mut(length.max(1)).for_each(f);
    // Undo the permutation: axis `order[i]` of the result is axis `i` of the lanes.
    let order = x.lane_order(axes);
    let mut back = vec![0; order.len()];
    order.iter().enumerate().for_each(|(i, axis)| back[*axis] = i);
    filled_or(lanes.permute(&back), x.sizes())
}

/// An array of `sizes`; not-a-number throughout where none could be made.
pub fn filled_or(made: Option<Array>, sizes: &[usize]) -> Array {
    made.unwrap_or_else(|| Array::filled(sizes, f64::NAN))
}

/// The mean of the numbers.
pub fn mean(lane: &[f64]) -> f64 {
    lane.iter().sum::<f64>() / lane.len() as f64
}

/// The sum of squared distances from the mean.
pub fn squared_spread(lane: &[f64]) -> f64 {
    let mean = mean(lane);
    lane.iter().map(|x| (x - mean) * (x - mean)).sum()
}

/// The largest number.
pub fn largest(lane: &[f64]) -> f64 {
    lane.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

/// log Σ exp, without overflow.
pub fn log_sum_exp(lane: &[f64]) -> f64 {
    let top = largest(lane);
    if top.is_infinite() {
        return top;
    }
    top + lane.iter().map(|x| (x - top).exp()).sum::<f64>().ln()
}
