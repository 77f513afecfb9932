//! Where brackets are needed: decided here and nowhere else.

use super::Math;

/// How tightly an expression holds together, loosest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Comparison,
    Sum,
    Negative,
    /// ⊙, @, ∏, fractions: beside a product they need brackets.
    Mixed,
    Product,
    Postfix,
    Atom,
}

fn level(math: &Math) -> Level {
    match math {
        Math::Comparison(..) | Math::Keyword(..) => Level::Comparison,
        Math::Sum(_) => Level::Sum,
        Math::Negative(_) => Level::Negative,
        Math::Number(number) if number.is_negative() => Level::Negative,
        Math::Number(number) if number.denominator() != 1 && number.to_string().contains('/') => Level::Mixed,
        Math::Size(dim) if dim.to_string().contains(['+', '-']) => Level::Sum,
        Math::Size(dim) if dim.to_string().contains(' ') => Level::Product,
        Math::Infix(..) | Math::Fraction(..) | Math::Big(..) => Level::Mixed,
        Math::Product(_) | Math::Derivative(..) => Level::Product,
        Math::Power(..) | Math::Transpose(_) | Math::Inverse(_) => Level::Postfix,
        Math::Differential(inner) if !matches!(inner.plain(), Math::Name(_)) => Level::Atom,
        Math::Marked(inner) => level(inner),
        _ => Level::Atom,
    }
}

impl Math {
    /// Does the child at `position` need brackets in this expression? Children
    /// are counted in the order in which they are written.
    pub fn brackets(&self, position: usize, child: &Math) -> bool {
        let (inner, first) = (level(child), position == 0);
        match self {
            Math::Sum(terms) => {
                let minus = terms.get(position).is_some_and(|(minus, _)| *minus);
                let bound = if minus { Level::Sum } else { Level::Comparison };
                inner <= bound || (inner == Level::Negative && (!first || minus))
            }
            Math::Negative(_) => inner <= Level::Negative,
            // A big operator reaches to the end of its product.
            Math::Product(factors) if matches!(child.plain(), Math::Big(..)) => position + 1 != factors.len(),
            Math::Product(_) => inner <= Level::Mixed,
            Math::Infix(sign, _) if *sign == "@" => match child.plain() {
                Math::Infix("@", _) => !first,
                _ => inner <= Level::Product,
            },
            // A size stands beside × as it is: 2 d × n.
            Math::Infix("×", _) => inner <= Level::Sum,
            Math::Infix(..) => inner <= Level::Product,
            Math::Fraction(..) => inner <= if first { Level::Mixed } else { Level::Product },
            Math::Power(..) if !first => inner < Level::Atom,
            Math::Power(..) | Math::Transpose(_) | Math::Inverse(_) => inner < Level::Atom,
            Math::Root(_) | Math::Entry(..) | Math::Applied(..) if first => inner < Level::Atom,
            Math::Big(..) => inner <= Level::Mixed,
            Math::Comparison(..) => inner == Level::Comparison,
            Math::Gradient(_) => inner < Level::Atom,
            Math::Differential(_) => runs_on(child),
            Math::Derivative(..) => first || runs_on(child),
            _ => false,
        }
    }
}

/// Would a d before it be read wrongly? It stands by a name alone, and not by one
/// that begins with a d itself.
fn runs_on(of: &Math) -> bool {
    !matches!(of.plain(), Math::Name(name) if !name.contains('[') && !name.starts_with('d'))
}

#[cfg(test)]
mod tests {
    use super::Math;

    fn n(name: &str) -> Math {
        Math::name(name)
    }

    #[test]
    fn a_product_beside_an_elementwise_product_is_bracketed() {
        let product = Math::product([n("A"), n("x")]);
        let mixed = Math::hadamard([n("m"), product.clone()]);
        assert!(mixed.brackets(1, &product));
        assert!(Math::product([mixed.clone(), n("w")]).brackets(0, &mixed));
        assert!(!mixed.brackets(0, &n("m")));
    }

    #[test]
    fn a_difference_taken_away_is_bracketed() {
        let inner = Math::sum([(false, n("a")), (true, n("b"))]);
        let outer = Math::Sum(vec![(false, n("c")), (true, inner.clone())]);
        assert!(outer.brackets(1, &inner));
        assert!(Math::product([inner.clone(), n("x")]).brackets(0, &inner));
        assert!(!Math::call("f", vec![inner.clone()]).brackets(0, &inner));
    }

    #[test]
    fn a_transposed_sum_is_bracketed_and_a_transposed_name_is_not() {
        let sum = Math::sum([(false, n("A")), (false, n("B"))]);
        assert!(sum.clone().transposed().brackets(0, &sum));
        assert!(!n("A").transposed().brackets(0, &n("A")));
        assert_eq!(n("A").transposed().transposed(), n("A"));
    }

    #[test]
    fn a_name_that_begins_with_d_stands_in_brackets_after_a_d() {
        for (name, brackets) in [("x", false), ("dx", true), ("d", true), ("x[k]", true), ("h_d", false)] {
            assert_eq!(Math::differential(n(name)).brackets(0, &n(name)), brackets, "{name}");
            assert_eq!(Math::derivative(n("y"), n(name)).brackets(1, &n(name)), brackets, "{name}");
        }
    }
}
