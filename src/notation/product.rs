//! Products of matrices: the identity beside another matrix is left out, scalars
//! stand in front.

use super::Math;
use crate::shape::Name;
use std::collections::BTreeSet;

/// A product taken apart.
#[derive(Debug, Default)]
struct Parts {
    negative: bool,
    /// Was a factor an identity, or a multiple of it?
    identity: bool,
    scalars: Vec<Math>,
    under: Vec<Math>,
    matrices: Vec<Math>,
}

/// The product of matrices, rows and columns: I A = A, and A (−I / s) B = −A B / s.
/// `numbers` are the names that stand for scalars.
pub(super) fn composed(factors: impl IntoIterator<Item = Math>, numbers: &BTreeSet<Name>) -> Math {
    let mut parts = Parts::default();
    factors.into_iter().for_each(|factor| parts.take(factor, false, numbers));
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

impl Parts {
    /// One more factor; depth is that of the notation of a factor.
    fn take(&mut self, factor: Math, marked: bool, numbers: &BTreeSet<Name>) {
        let mark = |math: Math| if marked { math.marked() } else { math };
        match factor {
            Math::Marked(inner) => self.take(*inner, true, numbers),
            Math::Identity => self.identity = true,
            Math::Number(number) if number.is_negative() => {
                self.negative = !self.negative;
                self.take(Math::Number(number.abs()), marked, numbers);
            }
            Math::Number(number) if number == crate::ops::Number::ONE => {}
            other if is_scalar(&other, numbers) && !matches!(other, Math::Negative(_) | Math::Fraction(..)) => {
                self.scalars.push(mark(other));
            }
            Math::Negative(inner) => {
                self.negative = !self.negative;
                self.take(*inner, marked, numbers);
            }
            Math::Fraction(over, under) if is_scalar(&under, numbers) => {
                self.take(*over, marked, numbers);
                self.under.push(*under);
            }
            Math::Product(inner) => inner.into_iter().for_each(|part| self.take(part, marked, numbers)),
            other => self.matrices.push(mark(other)),
        }
    }

    fn product(mut self) -> Math {
        if self.matrices.is_empty() && self.identity {
            self.matrices.push(Math::Identity);
        }
        // Nothing is put over a line while it is not known what it will be.
        let open = self.matrices.iter().any(|part| matches!(part.plain(), Math::Derivative(..) | Math::Call(..)));
        let under = (!self.under.is_empty()).then(|| Math::product(self.under));
        let scalars = if self.scalars.is_empty() { Math::whole(1) } else { Math::product(self.scalars) };
        let one = scalars == Math::whole(1);
        let written = match under {
            Some(under) if one && !open && !self.matrices.is_empty() => {
                Math::Fraction(Box::new(Math::product(self.matrices)), Box::new(under))
            }
            Some(under) => Math::product([Math::fraction(scalars, under)].into_iter().chain(self.matrices)),
            None if one && !self.matrices.is_empty() => Math::product(self.matrices),
            None => Math::product([scalars].into_iter().chain(self.matrices)),
        };
        if self.negative { Math::negative(written) } else { written }
    }
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
        let table = [
            (vec![n("A"), Math::negative(Math::Identity), n("B")], "−A B"),
            (vec![over(Math::Identity, n("s")), n("A")], "A / s"),
            (vec![n("A"), n("s"), n("B")], "s A B"),
            (vec![Math::Ones, over(Math::whole(1), n("s")), Math::Ones.transposed()], "1 1ᵀ / s"),
            (vec![Math::negative(Math::Identity), Math::negative(Math::Identity)], "I"),
            (vec![over(n("s"), n("t")), n("A")], "(s / t) A"),
            (vec![n("s"), n("t")], "s t"),
            (vec![over(Math::whole(1), n("s")), Math::derivative(n("A"), n("x"))], "(1 / s) · d(A)/dx"),
        ];
        let numbers: BTreeSet<Name> = [Name::from("s"), Name::from("t")].into();
        for (factors, wanted) in table {
            assert_eq!(flat(&composed(factors, &numbers)), wanted);
        }
    }
}
