//! The derivative as an expression tree of linear maps.

use crate::graph::{Kind, NodeId, Program};
use crate::ops::Number;

/// A linear map dx ↦ dy, kept as the expression it is.
///
/// An [`Identity`](Map::Identity) that is a term of a [`Sum`](Map::Sum) stays that
/// term; as a factor of a [`Compose`](Map::Compose) it disappears (I A = A).
#[derive(Clone, Debug, PartialEq)]
pub enum Map {
    /// dx ↦ dx.
    Identity,
    /// dx ↦ 0.
    Zero,
    /// The sum of the maps, in order.
    Sum(Vec<Map>),
    /// One after the other, the outermost first, as matrices are written.
    Compose(Vec<Map>),
    /// The differential of one operation in one argument.
    Factor(Factor),
    /// d(node)/d(base), not differentiated yet. `opened` once the node's
    /// definition stands in place of its name.
    Pending {
        /// What is differentiated.
        node: NodeId,
        /// By what.
        base: NodeId,
        /// Is the definition shown in place of the name?
        opened: bool,
    },
    /// A map derived in a paragraph of its own, by position in [`super::Derivation::parts`].
    Named(usize),
    /// The product over the turns of a loop, the last turn leftmost: the body's
    /// map by position in [`super::Derivation::loops`].
    Product(usize),
    /// The sum over the turns of a loop of what one turn takes from a shared or
    /// stacked value, carried through the later turns: Σ_k (∏_{j>k} A_j) B_k.
    Turns(usize),
}

/// The differential of one operation in one argument: a node of the graph that
/// is linear in the hole of that argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Factor {
    /// The differential, with [`Kind::Hole`] of `of` for d(of).
    pub node: NodeId,
    /// The argument.
    pub of: NodeId,
}

impl Map {
    /// The sum of `terms`: zeros drop, sums within are spliced in, a single term
    /// stands by itself.
    pub fn sum(terms: impl IntoIterator<Item = Map>) -> Map {
        let mut flat = Vec::new();
        for term in terms {
            match term {
                Map::Zero => {}
                Map::Sum(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        match flat.len() {
            0 => Map::Zero,
            1 => flat.remove(0),
            _ => Map::Sum(flat),
        }
    }

    /// The composition of `factors`, outermost first: identities drop, a zero
    /// makes it zero, compositions within are spliced in.
    pub fn compose(factors: impl IntoIterator<Item = Map>) -> Map {
        let mut flat = Vec::new();
        for factor in factors {
            match factor {
                Map::Identity => {}
                Map::Zero => return Map::Zero,
                Map::Compose(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        match flat.len() {
            0 => Map::Identity,
            1 => flat.remove(0),
            _ => Map::Compose(flat),
        }
    }

    /// The map of a differential: the identity where it is the hole itself, zero
    /// where it is the number 0.
    pub fn factor(program: &Program, node: NodeId, of: NodeId) -> Map {
        match &program.node(node).kind {
            Kind::Hole(hole) if *hole == of => Map::Identity,
            Kind::Number(number) if *number == Number::ZERO => Map::Zero,
            _ => Map::Factor(Factor { node, of }),
        }
    }

    /// Is a bare identity a term of the sum (or the whole)?
    pub fn has_bare_identity(&self) -> bool {
        match self {
            Map::Identity => true,
            Map::Sum(terms) => terms.contains(&Map::Identity),
            _ => false,
        }
    }

    /// The first place, in reading order, where something is still to be
    /// differentiated, as the path of positions that leads there.
    pub fn first_pending(&self) -> Option<Vec<usize>> {
        let mut stack = vec![(self, Vec::new())];
        while let Some((map, path)) = stack.pop() {
            match map {
                Map::Pending { .. } => return Some(path),
                Map::Sum(parts) | Map::Compose(parts) => {
                    for (i, part) in parts.iter().enumerate().rev() {
                        let mut deeper = path.clone();
                        deeper.push(i);
                        stack.push((part, deeper));
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// The part at `path`.
    pub fn at(&self, path: &[usize]) -> Option<&Map> {
        path.iter().try_fold(self, |map, i| match map {
            Map::Sum(parts) | Map::Compose(parts) => parts.get(*i),
            _ => None,
        })
    }

    /// This map with the part at `path` replaced, sums and compositions kept flat.
    /// Depth is that of the paths, which paragraphs keep short.
    pub fn with(&self, path: &[usize], part: Map) -> Map {
        let Some((first, rest)) = path.split_first() else { return part };
        let replaced = |parts: &[Map]| -> Vec<Map> {
            let swap = |(i, old): (usize, &Map)| if i == *first { old.with(rest, part.clone()) } else { old.clone() };
            parts.iter().enumerate().map(swap).collect()
        };
        match self {
            Map::Sum(parts) => Map::sum(replaced(parts)),
            Map::Compose(parts) => Map::compose(replaced(parts)),
            other => other.clone(),
        }
    }

    /// The map with every pending leaf replaced for which `by` has something else.
    pub fn rewritten(&self, by: &mut dyn FnMut((NodeId, NodeId, bool)) -> Option<Map>) -> Map {
        match self {
            Map::Pending { node, base, opened } => by((*node, *base, *opened)).unwrap_or_else(|| self.clone()),
            Map::Sum(parts) => Map::sum(parts.iter().map(|part| part.rewritten(by)).collect::<Vec<_>>()),
            Map::Compose(parts) => Map::compose(parts.iter().map(|part| part.rewritten(by)).collect::<Vec<_>>()),
            other => other.clone(),
        }
    }

    /// Number of factors, named parts and pending leaves.
    pub fn size(&self) -> usize {
        match self {
            Map::Sum(parts) | Map::Compose(parts) => parts.iter().map(Map::size).sum(),
            _ => 1,
        }
    }
}
