//! Dimensions that are not known yet, and broadcasting.

use super::{Dim, Name, Shape};
use std::collections::HashMap;

/// Unknown dimensions (`?0`, `?1`, …) and what is known of them.
///
/// Shape rules ask [`Unknowns::equal`] whether two dimensions agree; an unknown
/// agrees with anything and is settled by that.
#[derive(Clone, Debug, Default)]
pub struct Unknowns {
    settled: HashMap<Name, Dim>,
    next: usize,
}

impl Unknowns {
    /// A dimension not known yet.
    pub fn fresh(&mut self) -> Dim {
        self.next += 1;
        Dim::named(&format!("?{}", self.next - 1))
    }

    /// The dimension with every settled unknown replaced.
    pub fn resolve(&self, dim: &Dim) -> Dim {
        let mut dim = dim.clone();
        // An unknown may be settled by another unknown, settled later.
        while dim.names().any(|name| self.settled.contains_key(name)) {
            dim = dim.substitute(&|name| self.settled.get(name).cloned());
        }
        dim
    }

    /// The shape with every settled unknown replaced.
    pub fn resolve_shape(&self, shape: &Shape) -> Shape {
        Shape(shape.0.iter().map(|dim| self.resolve(dim)).collect())
    }

    /// Do the two dimensions agree? Unknowns are settled so that they do.
    pub fn equal(&mut self, a: &Dim, b: &Dim) -> bool {
        let (a, b) = (self.resolve(a), self.resolve(b));
        if a == b {
            return true;
        }
        let (unknown, other) = if a.is_unknown() { (&a, &b) } else { (&b, &a) };
        match unknown.as_name() {
            // `?0 = ?0 + 1` has no solution.
            Some(name) if unknown.is_unknown() && !other.names().any(|n| n == name) => {
                self.settled.insert(name.clone(), other.clone());
                true
            }
            _ => false,
        }
    }

    /// The common shape of two values used elementwise together, last axes aligned;
    /// `None` if some pair of axes neither agrees nor holds a 1.
    pub fn broadcast(&mut self, a: &Shape, b: &Shape) -> Option<Shape> {
        let mut dims = Vec::new();
        for axis in (0..a.rank().max(b.rank())).rev() {
            dims.push(match (a.from_last(axis), b.from_last(axis)) {
                (Some(a), None) | (None, Some(a)) => self.resolve(a),
                (Some(a), Some(b)) if a.is_one() => self.resolve(b),
                (Some(a), Some(b)) if b.is_one() || self.equal(a, b) => self.resolve(a),
                _ => return None,
            });
        }
        Some(Shape(dims))
    }
}

#[cfg(test)]
mod tests {
    use super::{Dim, Shape, Unknowns};

    fn shape(text: &str) -> Shape {
        Shape::parse(text).unwrap()
    }

    #[test]
    fn broadcasting_aligns_last_axes_and_keeps_names_apart() {
        let table = [
            ("batch d", "d", Some("batch × d")),
            ("batch d", "batch 1", Some("batch × d")),
            ("", "n", Some("n")),
            ("n", "m", None),
            ("n m", "m n", None),
            ("2*h", "h+h", Some("2 h")),
            ("a-1 n", "n", Some("(a - 1) × n")),
        ];
        for (a, b, common) in table {
            let found = Unknowns::default().broadcast(&shape(a), &shape(b));
            assert_eq!(found.map(|s| s.to_string()).as_deref(), common, "{a} with {b}");
        }
    }

    #[test]
    fn unknowns_are_settled_through_each_other() {
        let mut unknowns = Unknowns::default();
        let (a, b) = (unknowns.fresh(), unknowns.fresh());
        assert!(unknowns.equal(&a, &b));
        assert!(unknowns.equal(&b, &Dim::named("d")));
        assert_eq!(unknowns.resolve(&a), Dim::named("d"));
        assert!(!unknowns.equal(&a, &Dim::named("e")));
    }
}
