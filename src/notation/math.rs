//! The notation tree: what stands on the page, without a format.

use crate::ops::Number;
use crate::shape::{Dim, Name};

/// An expression as it stands on the page. The set is closed: every format is
/// one short writer over it. Brackets are not part of it; [`Math::brackets`]
/// says where they are needed.
#[derive(Clone, Debug, PartialEq)]
pub enum Math {
    /// A name.
    Name(Name),
    /// A number.
    Number(Number),
    /// A size: `batch`.
    Size(Dim),
    /// The identity.
    Identity,
    /// The zero map, vector or matrix.
    Zero,
    /// The vector of ones.
    Ones,
    /// The place of an argument: •.
    Hole,
    /// What is left out: ⋯.
    Ellipsis,
    /// A sum; `true` before a term that is taken away.
    Sum(Vec<(bool, Math)>),
    /// −x.
    Negative(Box<Math>),
    /// Factors side by side.
    Product(Vec<Math>),
    /// Operands with a sign between them: ⊙, @.
    Infix(&'static str, Vec<Math>),
    /// Numerator, denominator.
    Fraction(Box<Math>, Box<Math>),
    /// Base, exponent.
    Power(Box<Math>, Box<Math>),
    /// xᵀ.
    Transpose(Box<Math>),
    /// X⁻¹.
    Inverse(Box<Math>),
    /// √x.
    Root(Box<Math>),
    /// |x|.
    Bars(Box<Math>),
    /// ‖x‖.
    Norm(Box<Math>),
    /// 1[…], one where the condition holds.
    Indicator(Box<Math>),
    /// x > y.
    Comparison(&'static str, Box<Math>, Box<Math>),
    /// A function and its arguments.
    Call(Name, Vec<Math>),
    /// An argument by keyword: axis=0.
    Keyword(Name, Box<Math>),
    /// x[i, j].
    Entry(Box<Math>, Vec<Math>),
    /// A name with a subscript that is an expression: J_k.
    Script(Name, Box<Math>),
    /// ∏ or Σ over a counter: sign, counter, from, to, body.
    Big(&'static str, Name, Box<Math>, Box<Math>, Box<Math>),
    /// dx, d(x + y).
    Differential(Box<Math>),
    /// d(y)/dx.
    Derivative(Box<Math>, Box<Math>),
    /// The cotangent x̄.
    Bar(Box<Math>),
    /// The gradient ∇L.
    Gradient(Box<Math>),
    /// A linear map that is no matrix, applied: `J[dx]`.
    Applied(Box<Math>, Box<Math>),
    /// ⟨x, y⟩.
    Inner(Box<Math>, Box<Math>),
    /// A part that stands out.
    Marked(Box<Math>),
}

impl Math {
    /// A name.
    pub fn name(name: &str) -> Math {
        Math::Name(Name::from(name))
    }

    /// A whole number.
    pub fn whole(n: i64) -> Math {
        Math::Number(Number::whole(n))
    }

    /// The sum of terms with signs: sums within are spliced in, a leading minus
    /// moves into the sign.
    pub fn sum(terms: impl IntoIterator<Item = (bool, Math)>) -> Math {
        let mut flat: Vec<(bool, Math)> = Vec::new();
        for (minus, term) in terms {
            match term {
                Math::Sum(inner) if !minus => flat.extend(inner),
                Math::Negative(inner) if !matches!(*inner, Math::Sum(_)) => flat.push((!minus, *inner)),
                // The mark is for what follows the sign.
                Math::Marked(inner) => match *inner {
                    Math::Negative(inner) if !matches!(*inner, Math::Sum(_)) => flat.push((!minus, inner.marked())),
                    other => flat.push((minus, other.marked())),
                },
                Math::Number(number) if number.is_negative() => flat.push((!minus, Math::Number(number.abs()))),
                other => flat.push((minus, other)),
            }
        }
        match flat.len() {
            0 => Math::Zero,
            1 => match flat.remove(0) {
                (false, term) => term,
                (true, term) => Math::negative(term),
            },
            _ => Math::Sum(flat),
        }
    }

    /// The product of factors side by side: products within are spliced in, a
    /// minus moves in front.
    pub fn product(factors: impl IntoIterator<Item = Math>) -> Math {
        let (mut flat, mut minus) = (Vec::new(), false);
        for factor in factors {
            let factor = match factor {
                Math::Negative(inner) => {
                    minus = !minus;
                    *inner
                }
                other => other,
            };
            match factor {
                Math::Product(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        if minus {
            return Math::negative(Math::product(flat));
        }
        // Two numbers beside each other are one.
        let number = |factor: &Math| if let Math::Number(number) = factor { Some(*number) } else { None };
        let numbers: Vec<Number> = flat.iter().filter_map(number).collect();
        if let (2.., Some(all)) = (numbers.len(), numbers.iter().try_fold(Number::ONE, |all, n| all.times(*n))) {
            flat.retain(|factor| number(factor).is_none());
            if all != Number::ONE || flat.is_empty() {
                flat.insert(0, Math::Number(all));
            }
        }
        // A number stands in front of what it multiplies.
        if let Some(at) = flat.iter().position(|factor| matches!(factor, Math::Number(_))).filter(|at| *at > 0) {
            flat[..=at].rotate_right(1);
        }
        match flat.first() {
            Some(Math::Number(number)) if number.is_negative() && flat.len() > 1 => {
                flat[0] = Math::Number(number.abs());
                if flat[0] == Math::Number(Number::ONE) {
                    flat.remove(0);
                }
                Math::negative(Math::product(flat))
            }
            _ if flat.len() == 1 => flat.remove(0),
            _ => Math::Product(flat),
        }
    }

    /// The quotient; a minus above the line moves in front.
    pub fn fraction(over: Math, under: Math) -> Math {
        match over {
            Math::Negative(inner) => Math::negative(Math::fraction(*inner, under)),
            other => Math::Fraction(Box::new(other), Box::new(under)),
        }
    }

    /// The elementwise product of operands.
    pub fn hadamard(operands: impl IntoIterator<Item = Math>) -> Math {
        let mut flat = Vec::new();
        for operand in operands {
            match operand {
                Math::Infix("⊙", inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        if flat.len() == 1 { flat.remove(0) } else { Math::Infix("⊙", flat) }
    }

    /// −x; twice is x again.
    pub fn negative(of: Math) -> Math {
        match of {
            Math::Negative(inner) => *inner,
            Math::Number(number) => Math::Number(number.negated()),
            Math::Zero => Math::Zero,
            other => Math::Negative(Box::new(other)),
        }
    }

    /// The transpose; twice is the matrix again.
    pub fn transposed(self) -> Math {
        match self {
            Math::Transpose(inner) => *inner,
            Math::Negative(inner) => Math::negative(inner.transposed()),
            Math::Identity | Math::Zero | Math::Number(_) | Math::Size(_) => self,
            other => Math::Transpose(Box::new(other)),
        }
    }

    /// 1[…].
    pub fn indicator(condition: Math) -> Math {
        let masks = |parts: &[Math]| parts.iter().all(|part| matches!(part, Math::Indicator(_)));
        match condition {
            Math::Indicator(_) => condition,
            // Conditions that hold together: a product of masks is one.
            Math::Infix("⊙", ref parts) if masks(parts) => condition,
            other => Math::Indicator(Box::new(other)),
        }
    }

    /// dx.
    pub fn differential(of: Math) -> Math {
        Math::Differential(Box::new(of))
    }

    /// d(y)/dx.
    pub fn derivative(of: Math, by: Math) -> Math {
        Math::Derivative(Box::new(of), Box::new(by))
    }

    /// A function and its arguments.
    pub fn call(name: &str, args: Vec<Math>) -> Math {
        Math::Call(Name::from(name), args)
    }

    /// The part that stands out.
    pub fn marked(self) -> Math {
        match self {
            // The identity stands out by itself.
            Math::Identity | Math::Marked(_) => self,
            other => Math::Marked(Box::new(other)),
        }
    }

    /// The expression within marks.
    pub fn plain(&self) -> &Math {
        match self {
            Math::Marked(inner) => inner.plain(),
            other => other,
        }
    }

    /// How much there is to read: names, numbers and signs.
    pub fn weight(&self) -> usize {
        let mut weight = match self {
            Math::Sum(terms) => terms.len(),
            Math::Infix(_, operands) => operands.len(),
            Math::Marked(_) | Math::Entry(..) => 0,
            _ => 1,
        };
        self.clone().each(&mut |part| weight += part.weight());
        weight
    }

    /// Calls `visit` on every part directly within.
    pub fn each(&mut self, visit: &mut dyn FnMut(&mut Math)) {
        match self {
            Math::Sum(terms) => terms.iter_mut().for_each(|(_, term)| visit(term)),
            Math::Product(parts) | Math::Call(_, parts) | Math::Infix(_, parts) => parts.iter_mut().for_each(visit),
            Math::Fraction(a, b)
            | Math::Power(a, b)
            | Math::Comparison(_, a, b)
            | Math::Derivative(a, b)
            | Math::Applied(a, b)
            | Math::Inner(a, b) => [a, b].into_iter().for_each(|part| visit(part)),
            Math::Entry(a, at) => {
                visit(a);
                at.iter_mut().for_each(visit);
            }
            Math::Big(_, _, from, to, body) => [from, to, body].into_iter().for_each(|part| visit(part)),
            Math::Negative(a)
            | Math::Transpose(a)
            | Math::Inverse(a)
            | Math::Root(a)
            | Math::Bars(a)
            | Math::Norm(a)
            | Math::Indicator(a)
            | Math::Keyword(_, a)
            | Math::Script(_, a)
            | Math::Differential(a)
            | Math::Bar(a)
            | Math::Gradient(a)
            | Math::Marked(a) => visit(a),
            Math::Name(_)
            | Math::Number(_)
            | Math::Size(_)
            | Math::Identity
            | Math::Zero
            | Math::Ones
            | Math::Hole
            | Math::Ellipsis => {}
        }
    }
}
