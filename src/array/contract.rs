//! Labelled contraction: products of arrays whose axes carry labels.
//!
//! out[i j] = Σ_k x[i k] y[k j]: a label that is not in `out` is summed, one
//! twice in `out` is a Kronecker delta, one in `out` that nobody carries is a
//! broadcast. Two factors that share a summed label are a matrix product and go
//! through nalgebra on the same memory.

use super::walk::{strides, walk};
use super::{Array, entries};
use nalgebra::{DMatrixViewMut, Dyn, MatrixView};
use std::borrow::Cow;

/// A factor: an array with one label an axis.
struct Factor<'a> {
    array: Cow<'a, Array>,
    labels: Cow<'a, [u8]>,
}

/// The contraction of `args`, each with one label an axis, to the labels `out`,
/// whose axes have these `sizes`.
///
/// `None` if labels and axes do not fit each other, one label has two sizes, or
/// the result is too large.
pub fn contract(args: &[(&Array, &[u8])], out: &[u8], sizes: &[usize]) -> Option<Array> {
    check(args, out, sizes)?;
    let Some(((array, labels), rest)) = args.split_first() else {
        return spread(&Array::scalar(1.0), &[], out, sizes);
    };
    let mut product = Factor { array: Cow::Borrowed(array), labels: Cow::Borrowed(labels) };
    for (i, (array, labels)) in rest.iter().enumerate() {
        let later = |label: &u8| out.contains(label) || rest[i + 1..].iter().any(|(_, l)| l.contains(label));
        let next = Factor { array: Cow::Borrowed(array), labels: Cow::Borrowed(labels) };
        product = pair(product, next, &later)?;
    }
    if *product.labels == *out && product.array.sizes() == sizes {
        return Some(product.array.into_owned());
    }
    spread(&product.array, &product.labels, out, sizes)
}

/// Every axis has a label, and every label one size.
fn check(args: &[(&Array, &[u8])], out: &[u8], sizes: &[usize]) -> Option<()> {
    entries(sizes)?;
    let mut known = [None; 256];
    let all = args.iter().map(|(array, labels)| (array.sizes(), *labels)).chain([(sizes, out)]);
    for (sizes, labels) in all {
        if sizes.len() != labels.len() {
            return None;
        }
        for (size, label) in sizes.iter().zip(labels) {
            if *known[usize::from(*label)].get_or_insert(*size) != *size {
                return None;
            }
        }
    }
    Some(())
}

/// One factor to the labels `out`: sums, diagonals, deltas, broadcasts, transposes.
fn spread(array: &Array, labels: &[u8], out: &[u8], sizes: &[usize]) -> Option<Array> {
    let mut result = Array::filled(sizes, 0.0);
    let loops = distinct(out.iter().chain(labels));
    let size = |label: &u8| {
        let in_out = out.iter().zip(sizes).find(|(l, _)| *l == label);
        in_out.or_else(|| labels.iter().zip(array.sizes()).find(|(l, _)| *l == label)).map_or(1, |(_, size)| *size)
    };
    let lengths: Vec<usize> = loops.iter().map(size).collect();
    let to = steps(&loops, out, sizes);
    let from = steps(&loops, labels, array.sizes());
    let data = result.data_mut();
    walk(&lengths, [&to, &from], |[i, j]| data[i] += array.data()[j]);
    Some(result)
}

/// The product of two factors, summed over the labels that are not needed `later`.
fn pair<'a>(x: Factor<'a>, y: Factor<'a>, later: &dyn Fn(&u8) -> bool) -> Option<Factor<'a>> {
    let x = tidy(x, &|label| later(label) || y.labels.contains(label))?;
    let y = tidy(y, &|label| later(label) || x.labels.contains(label))?;
    let shared = |label: &&u8| x.labels.contains(label) && y.labels.contains(label);
    let summed: Vec<u8> = x.labels.iter().filter(shared).filter(|l| !later(l)).copied().collect();
    if summed.is_empty() {
        return elementwise(&x, &y);
    }
    let batch: Vec<u8> = x.labels.iter().filter(shared).filter(|l| later(l)).copied().collect();
    let own = |f: &Factor| f.labels.iter().filter(|l| !batch.contains(l) && !summed.contains(l)).copied().collect();
    let (rows, columns): (Vec<u8>, Vec<u8>) = (own(&x), own(&y));
    multiply(x, y, &batch, &rows, &summed, &columns)
}

/// The factor without repeated labels, and without those that are not kept.
fn tidy<'a>(factor: Factor<'a>, keep: &dyn Fn(&u8) -> bool) -> Option<Factor<'a>> {
    let labels: Vec<u8> = distinct(factor.labels.iter()).into_iter().filter(keep).collect();
    if *labels == *factor.labels {
        return Some(factor);
    }
    let size = |label: &u8| factor.labels.iter().zip(factor.array.sizes()).find(|(l, _)| *l == label).map(|(_, s)| *s);
    let sizes: Vec<usize> = labels.iter().filter_map(size).collect();
    let array = spread(&factor.array, &factor.labels, &labels, &sizes)?;
    Some(Factor { array: Cow::Owned(array), labels: Cow::Owned(labels) })
}

/// The product without a sum, on all labels of both.
fn elementwise<'a>(x: &Factor<'a>, y: &Factor<'a>) -> Option<Factor<'a>> {
    if x.labels == y.labels {
        let array = x.array.zip(&y.array, |a, b| a * b)?;
        return Some(Factor { array: Cow::Owned(array), labels: x.labels.clone() });
    }
    // The larger factor's labels first: its memory is walked in order.
    let (first, second) = if y.labels.len() > x.labels.len() { (y, x) } else { (x, y) };
    let labels = distinct(first.labels.iter().chain(second.labels.iter()));
    let size = |label: &u8| {
        let carried = |f: &Factor| f.labels.iter().zip(f.array.sizes()).find(|(l, _)| *l == label).map(|(_, s)| *s);
        carried(first).or_else(|| carried(second))
    };
    let sizes: Vec<usize> = labels.iter().filter_map(size).collect();
    let mut data = Vec::with_capacity(entries(&sizes)?);
    let (a, b) = (first.array.data(), second.array.data());
    let from = [
        &steps(&labels, &first.labels, first.array.sizes())[..],
        &steps(&labels, &second.labels, second.array.sizes()),
    ];
    walk(&sizes, from, |[i, j]| data.push(a[i] * b[j]));
    Some(Factor { array: Cow::Owned(Array::new(sizes, data)?), labels: Cow::Owned(labels) })
}

/// The matrix product, one for each place of the `batch` labels.
fn multiply<'a>(
    x: Factor<'a>,
    y: Factor<'a>,
    batch: &[u8],
    rows: &[u8],
    summed: &[u8],
    columns: &[u8],
) -> Option<Factor<'a>> {
    let (x, x_flipped) = arranged(x, batch, rows, summed)?;
    let (y, y_flipped) = arranged(y, batch, summed, columns)?;
    let length = |f: &Factor, labels: &[u8]| -> usize {
        f.labels.iter().zip(f.array.sizes()).filter(|(l, _)| labels.contains(l)).map(|(_, size)| size).product()
    };
    let (count, m, k, n) = (length(&x, batch), length(&x, rows), length(&x, summed), length(&y, columns));
    let carried = |f: &Factor, labels: &[u8]| -> Vec<usize> {
        let size = |label: &u8| f.labels.iter().zip(f.array.sizes()).find(|(l, _)| *l == label).map(|(_, s)| *s);
        labels.iter().filter_map(size).collect()
    };
    let sizes = [carried(&x, batch), carried(&x, rows), carried(&y, columns)].concat();
    entries(&sizes)?;
    let mut result = Array::filled(&sizes, 0.0);
    for at in 0..if m * k * n > 0 { count } else { 0 } {
        let a = &x.array.data()[at * m * k..(at + 1) * m * k];
        let b = &y.array.data()[at * k * n..(at + 1) * k * n];
        product((a, x_flipped), (b, y_flipped), &mut result.data_mut()[at * m * n..(at + 1) * m * n], (m, k, n));
    }
    Some(Factor { array: Cow::Owned(result), labels: Cow::Owned([batch, rows, columns].concat()) })
}

/// Below this size of any side nalgebra's blocked product does not pay.
const BLOCKED_FROM: usize = 6;

/// C = A B for row-major memory, m × k by k × n; a flipped factor lies in memory transposed. C holds zeros.
fn product(a: (&[f64], bool), b: (&[f64], bool), c: &mut [f64], (m, k, n): (usize, usize, usize)) {
    if m.min(k).min(n) < BLOCKED_FROM {
        return thin_product(a, b, c, (m, k, n));
    }
    // Row-major C is column-major Cᵀ, and Cᵀ = BᵀAᵀ.
    let (a, b) = (transposed_view(a, (m, k)), transposed_view(b, (k, n)));
    DMatrixViewMut::from_slice(c, n, m).gemm(1.0, &b, &a, 0.0);
}

/// The transpose of a row-major matrix as a view of its memory.
fn transposed_view(
    (data, flipped): (&[f64], bool),
    (rows, columns): (usize, usize),
) -> MatrixView<'_, f64, Dyn, Dyn, Dyn, Dyn> {
    let (down, right) = if flipped { (rows, 1) } else { (1, columns) };
    MatrixView::from_slice_with_strides_generic(data, Dyn(columns), Dyn(rows), Dyn(down), Dyn(right))
}

/// As [`product`], row by row of C.
fn thin_product(
    (a, a_flipped): (&[f64], bool),
    (b, b_flipped): (&[f64], bool),
    c: &mut [f64],
    (m, k, n): (usize, usize, usize),
) {
    let (down, right) = if a_flipped { (1, m) } else { (k, 1) };
    for (i, row) in c.chunks_exact_mut(n).enumerate() {
        let entry = |l: usize| a[i * down + l * right];
        if b_flipped {
            let dot = |column: &[f64]| column.iter().enumerate().map(|(l, y)| entry(l) * y).sum();
            row.iter_mut().zip(b.chunks_exact(k)).for_each(|(c, column)| *c = dot(column));
        } else {
            for (l, line) in b.chunks_exact(n).enumerate() {
                let factor = entry(l);
                row.iter_mut().zip(line).for_each(|(c, y)| *c += factor * y);
            }
        }
    }
}

/// The factor with its labels as batch, first, second, or (flipped) batch, second, first:
/// as it stands in memory where that serves, else copied.
fn arranged<'a>(factor: Factor<'a>, batch: &[u8], first: &[u8], second: &[u8]) -> Option<(Factor<'a>, bool)> {
    let straight = [batch, first, second].concat();
    if *factor.labels == *straight {
        return Some((factor, false));
    }
    if *factor.labels == *[batch, second, first].concat() {
        return Some((factor, true));
    }
    let axes: Option<Vec<usize>> = straight.iter().map(|l| factor.labels.iter().position(|own| own == l)).collect();
    let array = factor.array.permute(&axes?)?;
    Some((Factor { array: Cow::Owned(array), labels: Cow::Owned(straight) }, false))
}

/// Each label once, in order of first occurrence.
fn distinct<'a>(labels: impl Iterator<Item = &'a u8>) -> Vec<u8> {
    let mut seen = Vec::new();
    for label in labels {
        if !seen.contains(label) {
            seen.push(*label);
        }
    }
    seen
}

/// How far each of `loops` steps through a buffer: a label on two axes steps along both.
fn steps(loops: &[u8], labels: &[u8], sizes: &[usize]) -> Vec<usize> {
    let own = strides(sizes);
    loops.iter().map(|l| labels.iter().zip(&own).filter(|(label, _)| *label == l).map(|(_, step)| step).sum()).collect()
}

#[cfg(test)]
mod tests {
    use super::contract;
    use crate::array::Array;

    fn numbers(sizes: &[usize], seed: f64) -> Array {
        Array::from_fn(sizes, |i| ((i as f64 + seed) * 12.9898).sin())
    }

    /// The definition, entry by entry.
    fn slowly(args: &[(&Array, &[u8])], out: &[u8], sizes: &[usize]) -> Array {
        let mut labels: Vec<(u8, usize)> = out.iter().copied().zip(sizes.iter().copied()).collect();
        args.iter().for_each(|(x, l)| labels.extend(l.iter().copied().zip(x.sizes().iter().copied())));
        labels.sort();
        labels.dedup();
        let at = |index: &[usize], own: &[u8], sizes: &[usize]| {
            let place = |l: &u8| index[labels.iter().position(|(label, _)| label == l).unwrap()];
            own.iter().zip(sizes).fold(0, |at, (l, size)| at * size + place(l))
        };
        let mut result = Array::filled(sizes, 0.0);
        for mut n in 0..labels.iter().map(|(_, size)| size).product() {
            let index: Vec<usize> = labels.iter().map(|(_, size)| (n % size, n /= size).0).collect();
            let product: f64 = args.iter().map(|(x, l)| x.data()[at(&index, l, x.sizes())]).product();
            result.data_mut()[at(&index, out, sizes)] += product;
        }
        result
    }

    #[test]
    fn agrees_with_the_definition() {
        // Labels: i and j of size 2 and 3, k of 4, z of 1, p, q, r large enough for blocks, others as j.
        let size = |label: u8| match label {
            b'i' => 2,
            b'k' => 4,
            b'z' => 1,
            b'p'..=b'r' => usize::from(label - b'p') + 7,
            _ => 3,
        };
        let table = [
            "ik,kj->ij",
            "ki,kj->ij",
            "ik,jk->ij",
            "ki,jk->ij",
            "ik,kj->ji",
            "ik,k->i",
            "k,kj->j",
            "k,k->",
            "j,j->j",
            "bik,bkj->bij",
            "ibk,bkj->bij",
            "bik,kj->bij",
            "bik,bkj->ij",
            "ij->ji",
            "ij->",
            "ij->i",
            "nn->",
            "nn->n",
            "n->nn",
            "->nn",
            "->ij",
            "i,j->ij",
            "ij,j->ij",
            "ij,i->ij",
            "ij,iz->ij",
            "ikj,jk->i",
            "kij,jk->i",
            "ik,kj,jn->in",
            "ik,k,kj->ij",
            "ij,ij->",
            "ij,kj->",
            "nm,mn->",
            "nn,n->nn",
            "ij,k->ik",
            "i->ijk",
            "jnm,n->mj",
            "->",
            "ij,ij,ij->ij",
            "z,i->iz",
            "n,n->nn",
            "kk,kj->j",
            "ik,jk->ijk",
        ];
        for text in table {
            let (args, out) = text.split_once("->").unwrap();
            let args: Vec<&[u8]> =
                if args.is_empty() { Vec::new() } else { args.split(',').map(str::as_bytes).collect() };
            let sizes = |labels: &[u8]| labels.iter().map(|l| size(*l)).collect::<Vec<_>>();
            let arrays: Vec<Array> = args.iter().enumerate().map(|(i, l)| numbers(&sizes(l), i as f64 * 7.7)).collect();
            let pairs: Vec<(&Array, &[u8])> = arrays.iter().zip(args).collect();
            let (out, out_sizes) = (out.as_bytes(), sizes(out.as_bytes()));
            let found = contract(&pairs, out, &out_sizes).unwrap();
            let gap = found.zip(&slowly(&pairs, out, &out_sizes), |a, b| a - b).unwrap().max_abs();
            assert!(gap < 1e-14, "{text}: {gap}");
        }
    }

    #[test]
    fn sizes_that_do_not_fit_are_refused() {
        let (x, y) = (numbers(&[2, 3], 0.0), numbers(&[2, 3], 1.0));
        assert_eq!(contract(&[(&x, b"ik"), (&y, b"kj")], b"ij", &[2, 3]), None);
        assert_eq!(contract(&[(&x, b"i")], b"i", &[2]), None);
        assert_eq!(contract(&[(&x, b"ij")], b"ij", &[2, 4]), None);
        assert_eq!(contract(&[], b"ij", &[1 << 20, 1 << 20]), None);
    }
}
