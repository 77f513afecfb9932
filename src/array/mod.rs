//! Row-major arrays of doubles.

mod contract;
mod walk;

pub use contract::contract;

use walk::{strides, walk};

/// The largest number of entries an array may have: one gibibyte of doubles.
pub const MAX_ENTRIES: usize = 1 << 27;

/// The number of entries of an array of these sizes; `None` above [`MAX_ENTRIES`].
pub fn entries(sizes: &[usize]) -> Option<usize> {
    let product = sizes.iter().try_fold(1usize, |product, size| product.checked_mul(*size));
    product.filter(|entries| *entries <= MAX_ENTRIES)
}

/// A row-major array of doubles of any rank.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    sizes: Vec<usize>,
    data: Vec<f64>,
}

impl Array {
    /// An array of these sizes; `None` if the number of entries differs.
    pub fn new(sizes: Vec<usize>, data: Vec<f64>) -> Option<Array> {
        (entries(&sizes)? == data.len()).then_some(Array { sizes, data })
    }

    /// An array whose entries are made one by one; the caller has bounded the sizes by [`entries`].
    pub fn from_fn(sizes: &[usize], mut entry: impl FnMut(usize) -> f64) -> Array {
        let len = sizes.iter().product();
        Array { sizes: sizes.to_vec(), data: (0..len).map(&mut entry).collect() }
    }

    /// An array filled with one number; the caller has bounded the sizes by [`entries`].
    pub fn filled(sizes: &[usize], value: f64) -> Array {
        Array { sizes: sizes.to_vec(), data: vec![value; sizes.iter().product()] }
    }

    /// An array without axes.
    pub fn scalar(value: f64) -> Array {
        Array { sizes: Vec::new(), data: vec![value] }
    }

    /// An array of one axis.
    pub fn vector(data: Vec<f64>) -> Array {
        Array { sizes: vec![data.len()], data }
    }

    /// The identity matrix.
    pub fn identity(n: usize) -> Array {
        Array::from_fn(&[n, n], |at| f64::from(u8::from(at / n == at % n)))
    }

    /// The size of each axis.
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// The number of axes.
    pub fn rank(&self) -> usize {
        self.sizes.len()
    }

    /// The entries, last axis fastest.
    pub fn data(&self) -> &[f64] {
        &self.data
    }

    /// The entries, last axis fastest.
    pub fn data_mut(&mut self) -> &mut [f64] {
        &mut self.data
    }

    /// The indices, one an axis, of the entry at this place in [`Array::data`].
    pub fn indices(&self, mut at: usize) -> Vec<usize> {
        let mut indices = vec![0; self.rank()];
        for (index, size) in indices.iter_mut().zip(&self.sizes).rev() {
            (*index, at) = (at % size.max(&1), at / size.max(&1));
        }
        indices
    }

    /// The one number of an array with one entry.
    pub fn as_scalar(&self) -> Option<f64> {
        if let [value] = self.data[..] { Some(value) } else { None }
    }

    /// Every entry through a function.
    pub fn map(&self, f: impl Fn(f64) -> f64) -> Array {
        Array { sizes: self.sizes.clone(), data: self.data.iter().map(|x| f(*x)).collect() }
    }

    /// Pairs of entries through a function, last axes aligned, 1 stretched;
    /// `None` if the sizes do not broadcast.
    pub fn zip(&self, other: &Array, f: impl Fn(f64, f64) -> f64) -> Option<Array> {
        if self.sizes == other.sizes {
            let data = self.data.iter().zip(&other.data).map(|(x, y)| f(*x, *y)).collect();
            return Some(Array { sizes: self.sizes.clone(), data });
        }
        match (self.rank(), other.rank()) {
            (0, _) => Some(other.map(|y| f(self.data[0], y))),
            (_, 0) => Some(self.map(|x| f(x, other.data[0]))),
            _ => {
                let sizes = broadcast(&[&self.sizes, &other.sizes])?;
                let mut data = Vec::with_capacity(entries(&sizes)?);
                let (x, y) = (self.stretched(&sizes)?, other.stretched(&sizes)?);
                walk(&sizes, [&x, &y], |[i, j]| data.push(f(self.data[i], other.data[j])));
                Some(Array { sizes, data })
            }
        }
    }

    /// Triples of entries through a function, broadcast as in [`Array::zip`].
    pub fn zip3(&self, y: &Array, z: &Array, f: impl Fn(f64, f64, f64) -> f64) -> Option<Array> {
        let sizes = broadcast(&[&self.sizes, &y.sizes, &z.sizes])?;
        let mut data = Vec::with_capacity(entries(&sizes)?);
        let steps = [&self.stretched(&sizes)?[..], &y.stretched(&sizes)?, &z.stretched(&sizes)?];
        walk(&sizes, steps, |[i, j, k]| data.push(f(self.data[i], y.data[j], z.data[k])));
        Some(Array { sizes, data })
    }

    /// The same entries, repeated along axes that are missing or 1; `None` if they do not fit.
    pub fn broadcast_to(&self, sizes: &[usize]) -> Option<Array> {
        if self.sizes == sizes {
            return Some(self.clone());
        }
        let mut data = Vec::with_capacity(entries(sizes)?);
        walk(sizes, [&self.stretched(sizes)?], |[i]| data.push(self.data[i]));
        Some(Array { sizes: sizes.to_vec(), data })
    }

    /// The array whose axis `i` is this one's axis `axes[i]`; `None` if `axes` is no permutation.
    pub fn permute(&self, axes: &[usize]) -> Option<Array> {
        let mut seen = vec![false; self.rank()];
        axes.iter().for_each(|axis| seen.iter_mut().skip(*axis).take(1).for_each(|s| *s = true));
        if axes.len() != self.rank() || seen.contains(&false) {
            return None;
        }
        let own = strides(&self.sizes);
        let sizes: Vec<usize> = axes.iter().map(|axis| self.sizes[*axis]).collect();
        let steps: Vec<usize> = axes.iter().map(|axis| own[*axis]).collect();
        let mut data = Vec::with_capacity(self.data.len());
        walk(&sizes, [&steps], |[i]| data.push(self.data[i]));
        Some(Array { sizes, data })
    }

    /// All axes in reverse order.
    pub fn transpose(&self) -> Array {
        let reversed: Vec<usize> = (0..self.rank()).rev().collect();
        self.permute(&reversed).unwrap_or_else(|| self.clone())
    }

    /// The order of the axes that puts these last.
    pub fn lane_order(&self, axes: &[usize]) -> Vec<usize> {
        let others = (0..self.rank()).filter(|axis| !axes.contains(axis));
        others.chain(axes.iter().copied().filter(|axis| *axis < self.rank())).collect()
    }

    /// The array with these axes last, and the number of entries along them: a lane.
    pub fn lanes(&self, axes: &[usize]) -> (Array, usize) {
        let length = axes.iter().filter_map(|axis| self.sizes.get(*axis)).product();
        (self.permute(&self.lane_order(axes)).unwrap_or_else(|| self.clone()), length)
    }

    /// The same entries in other axes; `None` if the number of entries differs.
    pub fn reshape(self, sizes: Vec<usize>) -> Option<Array> {
        Array::new(sizes, self.data)
    }

    /// The part at one place of the leading axis; `None` outside it.
    pub fn index(&self, at: usize) -> Option<Array> {
        let (lead, rest) = self.sizes.split_first()?;
        let len: usize = rest.iter().product();
        (at < *lead).then(|| Array { sizes: rest.to_vec(), data: self.data[at * len..(at + 1) * len].to_vec() })
    }

    /// Arrays of equal sizes along a new leading axis; `None` for none, or if the sizes differ.
    pub fn stack<'a>(parts: impl IntoIterator<Item = &'a Array>) -> Option<Array> {
        let mut parts = parts.into_iter().peekable();
        let rest = parts.peek()?.sizes.clone();
        let (mut data, mut count) = (Vec::new(), 0);
        for part in parts {
            if part.sizes != rest {
                return None;
            }
            data.extend_from_slice(&part.data);
            count += 1;
        }
        Array::new(std::iter::once(count).chain(rest).collect(), data)
    }

    /// The largest entry without its sign; 0 for no entries, NaN if an entry is.
    pub fn max_abs(&self) -> f64 {
        self.data.iter().fold(0.0, |max: f64, x| if x.is_nan() || max.is_nan() { f64::NAN } else { max.max(x.abs()) })
    }

    /// The sum of the products of entries at the same place; 0 where the sizes differ in number.
    pub fn inner(&self, other: &Array) -> f64 {
        self.data.iter().zip(&other.data).map(|(x, y)| x * y).sum()
    }

    /// Steps through the data along `sizes`: 0 along stretched axes. `None` if they do not fit.
    fn stretched(&self, sizes: &[usize]) -> Option<Vec<usize>> {
        let missing = sizes.len().checked_sub(self.rank())?;
        let own = strides(&self.sizes);
        let step = |axis: usize| match axis.checked_sub(missing) {
            None => Some(0),
            Some(i) if self.sizes[i] == sizes[axis] => Some(own[i]),
            Some(i) => (self.sizes[i] == 1).then_some(0),
        };
        (0..sizes.len()).map(step).collect()
    }
}

/// The common sizes, last axes aligned, 1 stretched; `None` if there are none.
pub fn broadcast(all: &[&[usize]]) -> Option<Vec<usize>> {
    let rank = all.iter().map(|sizes| sizes.len()).max().unwrap_or(0);
    let mut common = vec![1; rank];
    for sizes in all {
        for (size, shared) in sizes.iter().rev().zip(common.iter_mut().rev()) {
            match (*size, *shared) {
                (s, c) if s == c || s == 1 => {}
                (s, 1) => *shared = s,
                _ => return None,
            }
        }
    }
    Some(common)
}

#[cfg(test)]
mod tests {
    use super::{Array, entries};

    fn counted(sizes: &[usize]) -> Array {
        Array::from_fn(sizes, |i| i as f64)
    }

    #[test]
    fn zip_broadcasts_last_axes() {
        let table: [[&[usize]; 3]; 6] = [
            [&[2, 2], &[2, 2], &[0, 11, 22, 33]],
            [&[2, 2], &[], &[0, 1, 2, 3]],
            [&[2, 2], &[2], &[0, 11, 2, 13]],
            [&[2, 2], &[2, 1], &[0, 1, 12, 13]],
            [&[1, 2], &[2, 1], &[0, 1, 10, 11]],
            [&[2], &[3], &[]],
        ];
        for [x, y, expected] in table {
            let found = counted(x).zip(&counted(y), |x, y| x + 10.0 * y);
            let entries: Vec<usize> = found.iter().flat_map(|f| f.data().iter().map(|x| *x as usize)).collect();
            assert_eq!(entries, expected, "{x:?} with {y:?}");
            let three = counted(x).zip3(&counted(y), &Array::scalar(0.0), |x, y, z| x + 10.0 * y + z);
            assert_eq!(three, found, "{x:?} with {y:?}");
        }
    }

    #[test]
    fn axes_are_permuted_indexed_and_stacked() {
        let x = counted(&[2, 3, 4]);
        let y = x.permute(&[2, 0, 1]).unwrap();
        assert_eq!(y.sizes(), [4, 2, 3]);
        assert_eq!(y.data()[..4], [0.0, 4.0, 8.0, 12.0]);
        assert_eq!(x.permute(&[0, 0, 1]), None);
        assert_eq!(x.transpose().transpose(), x);
        let parts: Vec<Array> = (0..2).filter_map(|i| x.index(i)).collect();
        assert_eq!(Array::stack(&parts), Some(x.clone()));
        assert_eq!(x.index(2), None);
        assert_eq!(x.indices(17), [1, 1, 1]);
    }

    #[test]
    fn absurd_sizes_are_refused() {
        assert_eq!(entries(&[1_000_000_000, 1_000_000_000, 1_000_000_000]), None);
        assert_eq!(entries(&[]), Some(1));
        assert_eq!(entries(&[3, 0]), Some(0));
        assert_eq!(Array::new(vec![usize::MAX, 2], Vec::new()), None);
    }
}
