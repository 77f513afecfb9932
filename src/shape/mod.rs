//! Dimensions, shapes and broadcasting.
//!
//! A dimension is a polynomial with whole coefficients in named sizes, kept in
//! normal form: `n + m`, `2 d`, `h k`. Distinct names are distinct sizes and
//! never broadcast as 1. A name that begins with `?` is unknown and is settled
//! by unification ([`Unknowns`]).

mod dim;
mod unknown;

pub use dim::Dim;
pub use unknown::Unknowns;

use dim::parse_dim;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// A name: of a dimension, an input, a function.
pub type Name = Arc<str>;

/// Concrete sizes for named dimensions.
pub type Sizes = BTreeMap<Name, usize>;

/// The shape of a value: one dimension per axis, none for a scalar.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shape(pub Vec<Dim>);

impl Shape {
    /// The shape of a scalar.
    pub fn scalar() -> Shape {
        Shape(Vec::new())
    }

    /// A shape from dimensions separated by spaces: names, positive whole
    /// numbers, or sums and products of such (`2*h`, `n+m`); `""` for a scalar.
    ///
    /// # Errors
    /// The word that is no dimension, with what one may be.
    ///
    /// ```
    /// use chainrule::shape::Shape;
    /// assert_eq!(Shape::parse("batch 4").unwrap().to_string(), "batch × 4");
    /// assert!(Shape::parse("2.5").is_err());
    /// ```
    pub fn parse(text: &str) -> Result<Shape, String> {
        text.split_whitespace().map(parse_dim).collect::<Result<_, _>>().map(Shape)
    }

    /// Number of axes.
    pub fn rank(&self) -> usize {
        self.0.len()
    }

    /// The dimension of an axis counted from the end, 0 the last.
    pub fn from_last(&self, axis: usize) -> Option<&Dim> {
        self.0.iter().rev().nth(axis)
    }

    /// The sizes of all axes; `None` if a name has no size in `sizes`.
    pub fn eval(&self, sizes: &Sizes) -> Option<Vec<usize>> {
        self.0.iter().map(|dim| dim.eval(sizes)).collect()
    }

    /// This shape without the given axis.
    pub fn without(&self, axis: usize) -> Shape {
        let mut rest = self.clone();
        rest.0.remove(axis);
        rest
    }

    /// See [`Dim::substitute`].
    pub fn substitute(&self, settle: &dyn Fn(&Name) -> Option<Dim>) -> Shape {
        Shape(self.0.iter().map(|dim| dim.substitute(settle)).collect())
    }

    /// The shape as Python prints it: `(batch, d)`, `(n,)`, `()`.
    pub fn as_tuple(&self) -> String {
        match self.0.as_slice() {
            [one] => format!("({one},)"),
            dims => format!("({})", dims.iter().map(Dim::to_string).collect::<Vec<_>>().join(", ")),
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("scalar");
        }
        for (i, dim) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str(" × ")?;
            }
            // A sum beside × needs brackets: (n + m) × d.
            if self.0.len() > 1 && dim.is_sum() { write!(f, "({dim})")? } else { write!(f, "{dim}")? }
        }
        Ok(())
    }
}
