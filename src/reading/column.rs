//! Vectors along one axis of a matrix, as columns or rows that broadcast.

use super::tree::{Head, TreeId, Trees};
use crate::ops::{Attr, Attrs, Axes};

/// A vector as a matrix with one entry along `axis`: a column for axis 1, a row for
/// axis 0. Reductions of that axis keep it; elementwise functions of such matrices are
/// such matrices. `None` where that cannot be said without more words.
pub fn kept(trees: &mut Trees, id: TreeId, axis: usize) -> Option<TreeId> {
    if trees.rank(id) == 0 {
        return Some(id);
    }
    let Head::Op(op, attrs) = trees.head(id).clone() else { return None };
    let args = trees.args(id).to_vec();
    let reduces = attrs.get("keepdims") == Some(&Attr::Flag(false)) && attrs.axes() == [axis];
    if reduces && trees.rank(args[0]) == 2 {
        if trees.is_single(id) {
            return Some(args[0]);
        }
        let kept = |(name, attr)| if name == "keepdims" { (name, Attr::Flag(true)) } else { (name, attr) };
        let attrs = Attrs(attrs.0.into_iter().map(kept).collect());
        return Some(trees.apply(op, attrs, &args, 2));
    }
    if trees.is_word(id, "matmul") {
        return product(trees, args[0], args[1], axis);
    }
    if op.axes != Axes::Elementwise {
        return None;
    }
    let mut wide = Vec::with_capacity(args.len());
    let mut any = false;
    for arg in args {
        let other = kept(trees, arg, axis);
        any |= other.is_some_and(|other| trees.rank(other) == 2);
        // A vector beside a row stays one.
        wide.push(other.or((axis == 0).then_some(arg))?);
    }
    any.then(|| trees.apply(op, attrs, &wide, 2))
}

/// The product of a matrix with a vector, in either order, as a column or a row.
fn product(trees: &mut Trees, a: TreeId, b: TreeId, axis: usize) -> Option<TreeId> {
    let first = trees.rank(a) == 1;
    let (vector, matrix) = if first { (a, b) } else { (b, a) };
    if trees.rank(vector) != 1 || trees.rank(matrix) != 2 {
        return None;
    }
    let vector = kept(trees, vector, axis).filter(|wide| trees.rank(*wide) == 2)?;
    // M v as a row is vᵀ Mᵀ, v M as a column Mᵀ v.
    let matrix = if first == (axis == 0) { matrix } else { trees.turn(matrix)? };
    let (left, right) = if axis == 0 { (vector, matrix) } else { (matrix, vector) };
    trees.word("matmul", &[], &[left, right], 2)
}

/// A vector beside a matrix, as a row where that is shorter: the one row of a matrix
/// is that matrix.
pub fn row_or_vector(trees: &mut Trees, id: TreeId) -> TreeId {
    match kept(trees, id, 0) {
        Some(row) if trees.size(row) < trees.size(id) => row,
        _ => id,
    }
}
