//! Sums, products and powers, entry by entry.

use super::common::{FUNCTION, aligned};
use super::{Gap, Lower, Notation, Op, Param, Rule, Spelling, Value};

const X: Param = Param::array("x");
const Y: Param = Param::array("y");

pub const OPS: &[Op] = &[
    Op {
        name: "add",
        spellings: &[Spelling::everywhere("add")],
        params: &[X, Y],
        rule: Rule::Linear("sum"),
        lower: Lower::Sum(&[1, 1]),
        notation: Notation::Infix("+"),
        title: "sum",
        sentence: "The differential of a sum is the sum of the differentials.",
        ..FUNCTION
    },
    Op {
        name: "sub",
        spellings: &[Spelling::everywhere("sub"), Spelling::everywhere("subtract")],
        params: &[X, Y],
        rule: Rule::Linear("difference"),
        lower: Lower::Sum(&[1, -1]),
        notation: Notation::Infix("−"),
        title: "difference",
        sentence: "The differential of a difference is the difference of the differentials.",
        ..FUNCTION
    },
    Op {
        name: "neg",
        spellings: &[Spelling::everywhere("neg"), Spelling::everywhere("negative")],
        params: &[X],
        rule: Rule::Linear("minus sign"),
        lower: Lower::Sum(&[-1]),
        notation: Notation::Negative,
        title: "minus sign",
        sentence: "A minus sign stands outside the differential.",
        ..FUNCTION
    },
    Op {
        name: "mul",
        spellings: &[Spelling::everywhere("mul"), Spelling::everywhere("multiply")],
        params: &[X, Y],
        value: Value::Binary(|x, y| x * y),
        rule: Rule::Linear("product rule"),
        lower: Lower::Labels(aligned),
        notation: Notation::Hadamard,
        title: "constant factor",
        sentence: "Each factor moves in turn: d(x ⊙ y) = dx ⊙ y + x ⊙ dy.",
        ..FUNCTION
    },
    Op {
        name: "div",
        spellings: &[Spelling::everywhere("div"), Spelling::everywhere("divide"), Spelling::everywhere("true_divide")],
        params: &[X, Y],
        value: Value::Binary(|x, y| x / y),
        rule: Rule::Partly { text: "dx / y - x * dy / y ** 2", linear: 0, title: "constant factor" },
        lower: Lower::As("x * y ** -1"),
        notation: Notation::Fraction,
        domain: &[(-2.0, 2.0), (0.5, 2.0)],
        undefined: &[
            Gap::of(1, |v| v[0] == 0.0 && v[1] == 0.0, "0 / 0"),
            Gap::of(1, |v| v[1] == 0.0, "division by zero"),
        ],
        title: "quotient rule",
        sentence: "d(x / y) = dx / y − x dy / y²: the numerator moves, then the denominator.",
        ..FUNCTION
    },
    Op {
        name: "power",
        spellings: &[Spelling::everywhere("pow"), Spelling::everywhere("power"), Spelling::everywhere("float_power")],
        params: &[X, Y],
        value: Value::Binary(f64::powf),
        rule: Rule::Text("y * x ** (y - 1) * dx + log(x) * out * dy"),
        lower: Lower::Power,
        notation: Notation::Power,
        domain: &[(0.5, 2.0), (-2.0, 2.0)],
        undefined: &[
            Gap::new(|v| v[0] == 0.0 && v[1] < 0.0, "division by zero: 0 to a negative power"),
            Gap::new(|v| v[0] < 0.0 && v[1].fract() != 0.0, "fractional power of a negative number"),
            Gap::new(|v| v[0].abs().ln() * v[1] > 709.0, "the power is too large for a double"),
        ],
        steep: &[Gap::new(|v| v[0] == 0.0 && 0.0 < v[1] && v[1] < 1.0, "the derivative of a root at 0 is infinite")],
        title: "power rule",
        sentence: "The exponent comes down and is lowered by one; a moving exponent brings the logarithm of the base.",
        ..FUNCTION
    },
    Op {
        name: "square",
        spellings: &[Spelling::everywhere("square")],
        params: &[X],
        value: Value::Unary(|x| x * x),
        rule: Rule::Text("2 * x * dx"),
        lower: Lower::As("x ** 2"),
        definition: Some("x ** 2"),
        notation: Notation::Square,
        title: "square",
        sentence: "The derivative of x² is 2 x.",
        ..FUNCTION
    },
    Op {
        name: "sqrt",
        spellings: &[Spelling::everywhere("sqrt")],
        params: &[X],
        value: Value::Unary(f64::sqrt),
        rule: Rule::Text("dx / (2 * out)"),
        lower: Lower::As("x ** 0.5"),
        definition: Some("x ** 0.5"),
        notation: Notation::Root,
        domain: &[(0.5, 2.0)],
        undefined: &[Gap::new(|v| v[0] < 0.0, "square root of a negative number")],
        steep: &[Gap::new(|v| v[0] == 0.0, "the derivative of sqrt at 0 is infinite")],
        title: "square root",
        sentence: "The derivative of √x is 1 / (2 √x).",
        ..FUNCTION
    },
    Op {
        name: "reciprocal",
        spellings: &[Spelling::everywhere("reciprocal")],
        params: &[X],
        value: Value::Unary(f64::recip),
        rule: Rule::Text("-out ** 2 * dx"),
        lower: Lower::As("x ** -1"),
        definition: Some("1 / x"),
        notation: Notation::Call("reciprocal"),
        domain: &[(0.5, 2.0)],
        undefined: &[Gap::new(|v| v[0] == 0.0, "division by zero")],
        title: "reciprocal",
        sentence: "The derivative of 1/x is −1/x².",
        ..FUNCTION
    },
    Op {
        name: "rsqrt",
        spellings: &[Spelling::everywhere("rsqrt")],
        params: &[X],
        value: Value::Unary(|x| x.sqrt().recip()),
        rule: Rule::Text("-out / (2 * x) * dx"),
        lower: Lower::As("x ** -0.5"),
        definition: Some("1 / sqrt(x)"),
        notation: Notation::Call("rsqrt"),
        domain: &[(0.5, 2.0)],
        undefined: &[
            Gap::new(|v| v[0] < 0.0, "square root of a negative number"),
            Gap::new(|v| v[0] == 0.0, "division by zero"),
        ],
        title: "reciprocal square root",
        sentence: "The derivative of x^(−1/2) is −1/2 x^(−3/2).",
        ..FUNCTION
    },
];
