//! Products of matrices: the identity beside another matrix is left out, scalars
//! stand in front, each once.

use super::Math;
use crate::ops::Number;
use crate::shape::Name;
use std::collections::BTreeSet;

/// A product taken apart.
#[derive(Debug)]
struct Parts<'a> {
    /// The names that stand for scalars.
    numbers: &'a BTreeSet<Name>,
    coefficient: Number,
    /// Was a factor an identity, or a multiple of it?
    identity: bool,
    /// Scalars with whole exponents, in the order in which they come.
    scalars: Vec<(Math, i64)>,
    matrices: Vec<Math>,
}

/// The product of matrices, rows and columns: I A = A, and A (−I / s) B = −A B / s.
/// `numbers` are the names that stand for scalars.
pub(super) fn composed(factors: impl IntoIterator<Item = Math>, numbers: &BTreeSet<Name>) -> Math {
    let (scalars, matrices) = (Vec::new(), Vec::new());
    let mut parts = Parts { numbers, coefficient: Number::ONE, identity: false, scalars, matrices };
    factors.into_iter().for_each(|factor| parts.take(factor, false));
    parts.product()
}

/// Is this a number whatever stands for its names?
fn is_scalar(math: &Math, numbers: &BTreeSet<Name>) -> bool {
    match math {
        Math::Number(_) | Math::Size(_) | Math::Norm(_) => true,
        Math::Name(name) => numbers.contains(name),
        Math::Fraction(a, b) | Math::Power(a, b) => is_scalar(a, numbers) && is_scalar(b, numbers),
        Math::Root(inner) | Math::Bars(inner) | Math::Negative(inner) | Math::Marked(inner) => {
            is_scalar(inner, numbers)
        }
        Math::Product(all) => all.iter().all(|factor| is_scalar(factor, numbers)),
        Math::Sum(terms) => terms.iter().all(|(_, term)| is_scalar(term, numbers)),
        _ => false,
    }
}

impl Parts<'_> {
    /// One more factor; depth is that of the notation of a factor.
    fn take(&mut self, factor: Math, marked: bool) {
        match factor {
            Math::Marked(inner) => self.take(*inner, true),
            Math::Identity => self.identity = true,
            Math::Negative(inner) => {
                self.coefficient = self.coefficient.negated();
                self.take(*inner, marked);
            }
            Math::Fraction(over, under) if is_scalar(&under, self.numbers) => {
                self.take(*over, marked);
                self.scalar(*under, -1);
            }
            Math::Product(inner) => inner.into_iter().for_each(|part| self.take(part, marked)),
            other if is_scalar(&other, self.numbers) => self.scalar(other, 1),
            other => self.matrix(other, marked),
        }
    }

    /// A matrix, row or column after those before it: 1ᵀ diag(v) is vᵀ, diag(v) 1 is v.
    fn matrix(&mut self, math: Math, marked: bool) {
        let mark = |math: Math| if marked { math.marked() } else { math };
        let next = match &math {
            Math::Call(name, args) if &**name == "diag" => match args.as_slice() {
                // diag(2 x) is 2 diag(x).
                [Math::Product(inner)]
                    if inner.len() > 1 && inner.iter().rev().skip(1).all(|s| is_scalar(s, self.numbers)) =>
                {
                    inner.iter().rev().skip(1).rev().for_each(|s| self.scalar(s.clone(), 1));
                    Math::Call(name.clone(), inner.last().cloned().into_iter().collect())
                }
                _ => math,
            },
            _ => math,
        };
        let last = self.matrices.last().map(Math::plain);
        let joined = match (last, &next) {
            (Some(Math::Transpose(ones)), Math::Call(name, args)) if **ones == Math::Ones && &**name == "diag" => {
                args.first().map(|v| v.clone().transposed())
            }
            (Some(Math::Call(name, args)), Math::Ones) if &**name == "diag" => args.first().cloned(),
            _ => None,
        };
        match joined {
            Some(vector) => {
                self.matrices.pop();
                self.matrices.push(vector.marked());
            }
            None => self.matrices.push(mark(next)),
        }
    }

    fn scalar(&mut self, math: Math, exponent: i64) {
        let whole = |n: &Math| if let Math::Number(n) = n { n.as_whole() } else { None };
        let number = |n: Number, power: i64| if power < 0 { Number::ONE.over(n) } else { Some(n) };
        match math {
            Math::Marked(inner) => self.scalar(*inner, exponent),
            Math::Product(inner) => inner.into_iter().for_each(|part| self.scalar(part, exponent)),
            Math::Fraction(over, under) => {
                self.scalar(*over, exponent);
                self.scalar(*under, -exponent);
            }
            Math::Negative(inner) if exponent % 2 != 0 => {
                self.coefficient = self.coefficient.negated();
                self.scalar(*inner, exponent);
            }
            Math::Number(n)
                if exponent.abs() == 1
                    && let Some(c) = number(n, exponent).and_then(|n| self.coefficient.times(n)) =>
            {
                self.coefficient = c;
            }
            Math::Power(base, power) if let Some(n) = whole(&power) => self.scalar(*base, n * exponent),
            other => match self.scalars.iter_mut().find(|(base, _)| *base == other) {
                Some((_, power)) => *power += exponent,
                None => self.scalars.push((other, exponent)),
            },
        }
    }

    fn product(mut self) -> Math {
        if self.matrices.is_empty() && self.identity {
            self.matrices.push(Math::Identity);
        }
        let [over, under] = [1, -1].map(|sign| {
            let powers = self.scalars.iter().filter(|(_, power)| power * sign > 0);
            powers.map(|(base, power)| raised(base.clone(), power * sign)).collect::<Vec<_>>()
        });
        let coefficient = self.coefficient.abs();
        // A decimal stays in front; a ratio goes into the fraction.
        let whole = |n: i128| Math::Number(Number::ratio(n, 1).unwrap_or(Number::ONE));
        let ratio = coefficient.to_string().contains('/');
        let (p, q) = if ratio {
            (whole(coefficient.numerator()), whole(coefficient.denominator()))
        } else {
            (Math::Number(coefficient), whole(1))
        };
        let counts = |n: &Math| *n != Math::whole(1);
        let over: Vec<Math> = [p].into_iter().filter(counts).chain(over).collect();
        let under: Vec<Math> = [q].into_iter().filter(counts).chain(under).collect();
        let written = fraction(over, under, self.matrices);
        if self.coefficient.is_negative() { Math::negative(written) } else { written }
    }
}

/// Scalars over scalars before matrices: A B / s where nothing else is over the line.
fn fraction(over: Vec<Math>, under: Vec<Math>, matrices: Vec<Math>) -> Math {
    // Nothing is put over a line while it is not known what it will be.
    let open = matrices.iter().any(|part| matches!(part.plain(), Math::Derivative(..) | Math::Call(..)));
    let one = |all: Vec<Math>| if all.is_empty() { Math::whole(1) } else { Math::product(all) };
    match (over.is_empty(), under.is_empty(), matrices.is_empty()) {
        (true, true, false) => Math::product(matrices),
        (true, false, false) if !open => Math::fraction(Math::product(matrices), Math::product(under)),
        (_, true, _) => Math::product(over.into_iter().chain(matrices)),
        _ => Math::product([Math::fraction(one(over), Math::product(under))].into_iter().chain(matrices)),
    }
}

fn raised(base: Math, power: i64) -> Math {
    if power == 1 { base } else { Math::Power(Box::new(base), Box::new(Math::whole(power))) }
}

#[cfg(test)]
mod tests {
    use super::composed;
    use crate::notation::Math;
    use crate::render::flat;
    use crate::shape::Name;
    use std::collections::BTreeSet;

    #[test]
    fn scalars_stand_in_front_and_identities_go() {
        let n = Math::name;
        let over = |a, b| Math::fraction(a, b);
        let square = |name| Math::Power(Box::new(n(name)), Box::new(Math::whole(2)));
        let diag = |inner: Vec<Math>| Math::call("diag", vec![Math::product(inner)]);
        let table = [
            (vec![n("A"), Math::negative(Math::Identity), n("B")], "−A B"),
            (vec![over(Math::Identity, n("s")), n("A")], "A / s"),
            (vec![n("A"), n("s"), n("B")], "s A B"),
            (vec![Math::Ones, over(Math::whole(1), n("s")), Math::Ones.transposed()], "1 1ᵀ / s"),
            (vec![Math::negative(Math::Identity), Math::negative(Math::Identity)], "I"),
            (vec![over(n("s"), n("t")), n("A")], "(s / t) A"),
            (vec![n("s"), n("t")], "s t"),
            (vec![over(Math::whole(1), n("s")), over(n("s"), n("t"))], "1 / t"),
            (
                vec![
                    over(n("v"), square("s")),
                    over(Math::Ones.transposed(), n("s")),
                    diag(vec![Math::whole(2), n("x")]),
                ],
                "(2 / s³) v xᵀ",
            ),
            (vec![diag(vec![n("v")]), Math::negative(Math::Ones)], "−v"),
            (vec![over(Math::whole(1), n("s")), Math::derivative(n("A"), n("x"))], "(1 / s) · d(A)/dx"),
        ];
        let numbers: BTreeSet<Name> = [Name::from("s"), Name::from("t")].into();
        for (factors, wanted) in table {
            assert_eq!(flat(&composed(factors, &numbers)), wanted);
        }
    }
}
