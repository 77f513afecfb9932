//! What the lines of a page ask of a map: its pending leaves, its skips.

use super::Map;
use crate::graph::NodeId;
use crate::ops::{OpRef, Rule};

/// A pending leaf: what, by what, opened.
pub(super) type Leaf = (NodeId, NodeId, bool);

/// The pending leaf that a map is.
pub(super) fn leaf(map: &Map) -> Option<Leaf> {
    match map {
        Map::Pending { node, base, opened } => Some((*node, *base, *opened)),
        _ => None,
    }
}

/// Is the rule that of an operation in what it is linear in?
pub(super) fn is_linear(title: &str, op: OpRef) -> bool {
    match op.rule {
        Rule::Linear(_) => true,
        Rule::Partly { title: linear, .. } => linear == title,
        Rule::Text(_) | Rule::Zero | Rule::Held | Rule::Refused(_) => false,
    }
}

/// Does the variable by itself stand beside other terms, somewhere in the map?
pub(super) fn has_skip(map: &Map) -> bool {
    let mut open = vec![map];
    while let Some(map) = open.pop() {
        match map {
            Map::Sum(_) if is_skip(map) => return true,
            Map::Sum(parts) | Map::Compose(parts) => open.extend(parts),
            _ => {}
        }
    }
    false
}

/// Does the variable by itself stand beside other terms?
pub(super) fn is_skip(map: &Map) -> bool {
    let bare = |term: &Map| matches!(term, Map::Pending { node, base, .. } if node == base);
    matches!(map, Map::Sum(terms) if terms.iter().any(bare))
}
