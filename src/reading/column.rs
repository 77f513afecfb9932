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
    if op.axes != Axes::Elementwise {
        return None;
    }
    let mut wide = Vec::with_capacity(args.len());
    for arg in args {
        wide.push(kept(trees, arg, axis)?);
    }
    Some(trees.apply(op, attrs, &wide, 2))
}

/// A vector beside a matrix, as a row where that is shorter: the one row of a matrix
/// is that matrix.
pub fn row_or_vector(trees: &mut Trees, id: TreeId) -> TreeId {
    match kept(trees, id, 0) {
        Some(row) if trees.size(row) < trees.size(id) => row,
        _ => id,
    }
}
