//! One dimension.

use super::{Name, Sizes};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::{Add, Mul, Sub};

/// One dimension: a polynomial with whole coefficients in named sizes.
///
/// ```
/// use chainrule::shape::Dim;
/// let n = Dim::named("n");
/// assert_eq!((n.clone() + n).to_string(), "2 n");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Dim(BTreeMap<Vec<Name>, i64>);

impl Dim {
    /// A named size.
    pub fn named(name: &str) -> Dim {
        Dim(BTreeMap::from([(vec![Name::from(name)], 1)]))
    }

    /// A fixed size.
    pub fn size(size: usize) -> Dim {
        Dim::whole(i64::try_from(size).unwrap_or(i64::MAX))
    }

    fn whole(n: i64) -> Dim {
        Dim(if n == 0 { BTreeMap::new() } else { BTreeMap::from([(Vec::new(), n)]) })
    }

    /// The fixed size, where no name is involved.
    pub fn as_size(&self) -> Option<usize> {
        match self.0.len() {
            0 => Some(0),
            1 => self.0.get(&Vec::new()).and_then(|n| usize::try_from(*n).ok()),
            _ => None,
        }
    }

    /// The names and the number whose product the dimension is; `None` for a sum.
    pub fn as_product(&self) -> Option<(&[Name], i64)> {
        let mut terms = self.0.iter();
        let (names, factor) = terms.next()?;
        terms.next().is_none().then_some((names, *factor))
    }

    /// The name, where the dimension is one name by itself.
    pub fn as_name(&self) -> Option<&Name> {
        match self.0.first_key_value() {
            Some((names, 1)) if self.0.len() == 1 && names.len() == 1 => Some(&names[0]),
            _ => None,
        }
    }

    /// Is this the fixed size 1, which broadcasts?
    pub fn is_one(&self) -> bool {
        self.as_size() == Some(1)
    }

    /// Is it a sum of several terms?
    pub(super) fn is_sum(&self) -> bool {
        self.0.len() > 1
    }

    /// Is this an unknown by itself, still to be settled?
    pub fn is_unknown(&self) -> bool {
        self.as_name().is_some_and(|name| name.starts_with('?'))
    }

    /// The names that occur.
    pub fn names(&self) -> impl Iterator<Item = &Name> {
        self.0.keys().flatten()
    }

    /// The size under `sizes`; `None` if a name is missing or the size is negative or too large.
    pub fn eval(&self, sizes: &Sizes) -> Option<usize> {
        let mut total: i64 = 0;
        for (names, coefficient) in &self.0 {
            let mut term = *coefficient;
            for name in names {
                term = term.checked_mul(i64::try_from(*sizes.get(name)?).ok()?)?;
            }
            total = total.checked_add(term)?;
        }
        usize::try_from(total).ok()
    }

    /// This dimension with every name replaced by `settle(name)`, where that is some.
    pub fn substitute(&self, settle: &dyn Fn(&Name) -> Option<Dim>) -> Dim {
        if !self.names().any(|name| settle(name).is_some()) {
            return self.clone();
        }
        self.0.iter().fold(Dim::size(0), |sum, (names, coefficient)| {
            let term = names.iter().fold(Dim::whole(*coefficient), |product, name| {
                product * settle(name).unwrap_or_else(|| Dim::named(name))
            });
            sum + term
        })
    }

    /// This dimension divided by `other`, where that is again a whole polynomial:
    /// a single term divided by a single term (`h k / h = k`).
    pub fn divided_by(&self, other: &Dim) -> Option<Dim> {
        let (by, by_coefficient) = other.0.first_key_value()?;
        if other.0.len() != 1 {
            return None;
        }
        let mut quotient = BTreeMap::new();
        for (names, coefficient) in &self.0 {
            if coefficient % by_coefficient != 0 {
                return None;
            }
            let mut rest = names.clone();
            for name in by {
                rest.remove(rest.iter().position(|n| n == name)?);
            }
            quotient.insert(rest, coefficient / by_coefficient);
        }
        Some(Dim(quotient))
    }

    /// This dimension divided by a whole number and rounded down, where that is a
    /// whole polynomial whatever the names are: `(2 h + 1) / 2 = h`.
    pub fn floor_divided_by(&self, by: usize) -> Option<Dim> {
        let by = i64::try_from(by).ok().filter(|by| *by > 0)?;
        let mut quotient = BTreeMap::new();
        for (names, coefficient) in &self.0 {
            if !names.is_empty() && coefficient % by != 0 {
                return None;
            }
            quotient.insert(names.clone(), coefficient.div_euclid(by));
        }
        quotient.retain(|_, coefficient| *coefficient != 0);
        Some(Dim(quotient))
    }

    fn combine(mut self, other: Dim, sign: i64) -> Dim {
        for (names, coefficient) in other.0 {
            let sum = self.0.entry(names).or_insert(0);
            *sum = sum.saturating_add(coefficient.saturating_mul(sign));
        }
        self.0.retain(|_, coefficient| *coefficient != 0);
        self
    }
}

impl Add for Dim {
    type Output = Dim;
    fn add(self, other: Dim) -> Dim {
        self.combine(other, 1)
    }
}

impl Sub for Dim {
    type Output = Dim;
    fn sub(self, other: Dim) -> Dim {
        self.combine(other, -1)
    }
}

impl Mul for Dim {
    type Output = Dim;
    fn mul(self, other: Dim) -> Dim {
        let mut product = Dim::size(0);
        for (names, coefficient) in &self.0 {
            for (more, factor) in &other.0 {
                let mut all: Vec<Name> = names.iter().chain(more).cloned().collect();
                all.sort();
                let term = Dim(BTreeMap::from([(all, coefficient.saturating_mul(*factor))]));
                product = product.combine(term, 1);
            }
        }
        product
    }
}

impl fmt::Display for Dim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("0");
        }
        // Named terms first, the whole number last: `n + 1`.
        let named = self.0.iter().filter(|(names, _)| !names.is_empty());
        let terms = named.chain(self.0.iter().filter(|(names, _)| names.is_empty()));
        for (i, (names, coefficient)) in terms.enumerate() {
            match (i, *coefficient < 0) {
                (0, false) => {}
                (0, true) => f.write_str("-")?,
                (_, false) => f.write_str(" + ")?,
                (_, true) => f.write_str(" - ")?,
            }
            let size = coefficient.unsigned_abs();
            if names.is_empty() {
                write!(f, "{size}")?;
            } else if size == 1 {
                f.write_str(&names.join(" "))?;
            } else {
                write!(f, "{size} {}", names.join(" "))?;
            }
        }
        Ok(())
    }
}

/// A sum or difference of products of names and numbers; `None` for anything else.
fn composed(word: &str) -> Option<Dim> {
    if !word.contains(['*', '+', '-']) {
        return None;
    }
    let product = |text: &str| {
        let factor = |part: &str| if part.contains(['+', '-', '*']) { None } else { parse_dim(part).ok() };
        text.split('*').map(factor).try_fold(Dim::size(1), |product, part| Some(product * part?))
    };
    let mut total: Option<Dim> = None;
    for sum in word.split('+') {
        for (i, text) in sum.split('-').enumerate() {
            let term = product(text)?;
            total = Some(match total {
                None => term,
                Some(total) if i == 0 => total + term,
                Some(total) => total - term,
            });
        }
    }
    total
}

/// A dimension as it is written: a name, a number, sums and products of them.
///
/// # Errors
/// What is wrong with it.
pub(super) fn parse_dim(word: &str) -> Result<Dim, String> {
    if word.contains(',') {
        return Err(format!("dimensions are separated by spaces: \"{}\"", word.replace(',', " ")));
    }
    if let Ok(size) = word.parse::<usize>() {
        return if size > 0 { Ok(Dim::size(size)) } else { Err("a size is at least 1".into()) };
    }
    if let Some(dim) = composed(word) {
        return Ok(dim);
    }
    let mut letters = word.chars();
    let starts = letters.next().is_some_and(|c| c.is_alphabetic() || c == '_');
    if starts && letters.all(|c| c.is_alphanumeric() || c == '_') {
        Ok(Dim::named(word))
    } else {
        Err(format!("\"{word}\" is no dimension: a name or a positive whole number is"))
    }
}

#[cfg(test)]
mod tests {
    use super::Dim;

    #[test]
    fn dimensions_print_in_normal_form() {
        let (n, m, k) = (Dim::named("n"), Dim::named("m"), Dim::named("k"));
        let table = [
            (m.clone() + n.clone() + Dim::size(1), "m + n + 1"),
            (n.clone() + n.clone(), "2 n"),
            (n.clone() * k.clone(), "k n"),
            (n.clone() - n.clone(), "0"),
            ((n.clone() + m.clone()) * k.clone(), "k m + k n"),
        ];
        for (dim, text) in table {
            assert_eq!(dim.to_string(), text);
        }
        assert_eq!((n.clone() * k.clone()).divided_by(&k), Some(n));
    }
}
