//! Vectors along the first axis of a matrix, as columns that broadcast.

use super::tree::{Head, TreeId, Trees};
use crate::ops::{Attr, Attrs, Axes};

/// A vector as a column: reductions of the last axis keep it; elementwise functions
/// of columns are columns. `None` where that cannot be said without more words.
pub fn kept(trees: &mut Trees, id: TreeId) -> Option<TreeId> {
    if trees.rank(id) == 0 {
        return Some(id);
    }
    let Head::Op(op, attrs) = trees.head(id).clone() else { return None };
    let args = trees.args(id).to_vec();
    let reduces = attrs.get("keepdims") == Some(&Attr::Flag(false)) && attrs.axes() == [1];
    if reduces && trees.rank(args[0]) == 2 {
        let kept = |(name, attr)| if name == "keepdims" { (name, Attr::Flag(true)) } else { (name, attr) };
        let attrs = Attrs(attrs.0.into_iter().map(kept).collect());
        return Some(trees.apply(op, attrs, &args, 2));
    }
    if op.axes != Axes::Elementwise {
        return None;
    }
    let mut columns = Vec::with_capacity(args.len());
    for arg in args {
        columns.push(kept(trees, arg)?);
    }
    Some(trees.apply(op, attrs, &columns, 2))
}
