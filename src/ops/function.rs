//! Elementary functions, entry by entry.

use super::common::FUNCTION;
use super::{Gap, Notation, Op, Param, Rule, Spelling, Value};

const X: Param = Param::array("x");

pub const OPS: &[Op] = &[
    Op {
        name: "exp",
        spellings: &[Spelling::everywhere("exp")],
        params: &[X],
        value: Value::Unary(f64::exp),
        rule: Rule::Text("out * dx"),
        notation: Notation::Call("exp"),
        undefined: &[Gap::new(|v| v[0] > 709.0, "exp of a number too large for a double")],
        title: "exp",
        sentence: "The exponential is its own derivative.",
        ..FUNCTION
    },
    Op {
        name: "log",
        spellings: &[Spelling::everywhere("log"), Spelling::everywhere("ln")],
        params: &[X],
        value: Value::Unary(f64::ln),
        rule: Rule::Text("dx / x"),
        notation: Notation::Call("log"),
        domain: &[(0.5, 3.0)],
        undefined: &[Gap::new(|v| v[0] < 0.0, "log of a negative number"), Gap::new(|v| v[0] == 0.0, "log of 0")],
        title: "log",
        sentence: "The derivative of log x is 1 / x.",
        ..FUNCTION
    },
    Op {
        name: "log2",
        spellings: &[Spelling::everywhere("log2")],
        params: &[X],
        value: Value::Unary(f64::log2),
        rule: Rule::Text("dx / (x * log(2))"),
        definition: Some("log(x) / log(2)"),
        notation: Notation::Call("log2"),
        domain: &[(0.5, 3.0)],
        undefined: &[Gap::new(|v| v[0] < 0.0, "log of a negative number"), Gap::new(|v| v[0] == 0.0, "log of 0")],
        title: "log to base 2",
        sentence: "The derivative of a logarithm to base 2 is 1 / (x log 2).",
        ..FUNCTION
    },
    Op {
        name: "log10",
        spellings: &[Spelling::everywhere("log10")],
        params: &[X],
        value: Value::Unary(f64::log10),
        rule: Rule::Text("dx / (x * log(10))"),
        definition: Some("log(x) / log(10)"),
        notation: Notation::Call("log10"),
        domain: &[(0.5, 3.0)],
        undefined: &[Gap::new(|v| v[0] < 0.0, "log of a negative number"), Gap::new(|v| v[0] == 0.0, "log of 0")],
        title: "log to base 10",
        sentence: "The derivative of a logarithm to base 10 is 1 / (x log 10).",
        ..FUNCTION
    },
    Op {
        name: "log1p",
        spellings: &[Spelling::everywhere("log1p")],
        params: &[X],
        value: Value::Unary(f64::ln_1p),
        rule: Rule::Text("dx / (1 + x)"),
        definition: Some("log(1 + x)"),
        notation: Notation::Call("log1p"),
        domain: &[(-0.5, 2.0)],
        undefined: &[Gap::new(|v| v[0] <= -1.0, "log1p of a number not above -1")],
        title: "log(1 + x)",
        sentence: "The derivative of log(1 + x) is 1 / (1 + x).",
        ..FUNCTION
    },
    Op {
        name: "expm1",
        spellings: &[Spelling::everywhere("expm1")],
        params: &[X],
        value: Value::Unary(f64::exp_m1),
        rule: Rule::Text("(out + 1) * dx"),
        definition: Some("exp(x) - 1"),
        notation: Notation::Call("expm1"),
        undefined: &[Gap::new(|v| v[0] > 709.0, "exp of a number too large for a double")],
        title: "exp(x) − 1",
        sentence: "The derivative of exp x − 1 is exp x, the value plus one.",
        ..FUNCTION
    },
    Op {
        name: "sin",
        spellings: &[Spelling::everywhere("sin")],
        params: &[X],
        value: Value::Unary(f64::sin),
        rule: Rule::Text("cos(x) * dx"),
        notation: Notation::Call("sin"),
        title: "sin",
        sentence: "The derivative of the sine is the cosine.",
        ..FUNCTION
    },
    Op {
        name: "cos",
        spellings: &[Spelling::everywhere("cos")],
        params: &[X],
        value: Value::Unary(f64::cos),
        rule: Rule::Text("-sin(x) * dx"),
        notation: Notation::Call("cos"),
        title: "cos",
        sentence: "The derivative of the cosine is minus the sine.",
        ..FUNCTION
    },
    Op {
        name: "tan",
        spellings: &[Spelling::everywhere("tan")],
        params: &[X],
        value: Value::Unary(f64::tan),
        rule: Rule::Text("(1 + out ** 2) * dx"),
        definition: Some("sin(x) / cos(x)"),
        notation: Notation::Call("tan"),
        domain: &[(-1.2, 1.2)],
        title: "tan",
        sentence: "The derivative of the tangent is 1 + tan².",
        ..FUNCTION
    },
    Op {
        name: "arcsin",
        spellings: &[Spelling::everywhere("arcsin"), Spelling::everywhere("asin")],
        params: &[X],
        value: Value::Unary(f64::asin),
        rule: Rule::Text("dx / sqrt(1 - x ** 2)"),
        notation: Notation::Call("arcsin"),
        domain: &[(-0.8, 0.8)],
        undefined: &[Gap::new(|v| v[0].abs() > 1.0, "arcsin of a number outside -1 to 1")],
        steep: &[Gap::new(|v| v[0].abs() == 1.0, "the derivative of arcsin at 1 and -1 is infinite")],
        title: "arcsin",
        sentence: "The derivative of arcsin x is 1 / √(1 − x²).",
        ..FUNCTION
    },
    Op {
        name: "arccos",
        spellings: &[Spelling::everywhere("arccos"), Spelling::everywhere("acos")],
        params: &[X],
        value: Value::Unary(f64::acos),
        rule: Rule::Text("-dx / sqrt(1 - x ** 2)"),
        notation: Notation::Call("arccos"),
        domain: &[(-0.8, 0.8)],
        undefined: &[Gap::new(|v| v[0].abs() > 1.0, "arccos of a number outside -1 to 1")],
        steep: &[Gap::new(|v| v[0].abs() == 1.0, "the derivative of arccos at 1 and -1 is infinite")],
        title: "arccos",
        sentence: "The derivative of arccos x is −1 / √(1 − x²).",
        ..FUNCTION
    },
    Op {
        name: "arctan",
        spellings: &[Spelling::everywhere("arctan"), Spelling::everywhere("atan")],
        params: &[X],
        value: Value::Unary(f64::atan),
        rule: Rule::Text("dx / (1 + x ** 2)"),
        notation: Notation::Call("arctan"),
        title: "arctan",
        sentence: "The derivative of arctan x is 1 / (1 + x²).",
        ..FUNCTION
    },
    Op {
        name: "sinh",
        spellings: &[Spelling::everywhere("sinh")],
        params: &[X],
        value: Value::Unary(f64::sinh),
        rule: Rule::Text("cosh(x) * dx"),
        definition: Some("(exp(x) - exp(-x)) / 2"),
        notation: Notation::Call("sinh"),
        title: "sinh",
        sentence: "The derivative of the hyperbolic sine is the hyperbolic cosine.",
        ..FUNCTION
    },
    Op {
        name: "cosh",
        spellings: &[Spelling::everywhere("cosh")],
        params: &[X],
        value: Value::Unary(f64::cosh),
        rule: Rule::Text("sinh(x) * dx"),
        definition: Some("(exp(x) + exp(-x)) / 2"),
        notation: Notation::Call("cosh"),
        title: "cosh",
        sentence: "The derivative of the hyperbolic cosine is the hyperbolic sine.",
        ..FUNCTION
    },
    Op {
        name: "tanh",
        spellings: &[Spelling::everywhere("tanh")],
        params: &[X],
        value: Value::Unary(f64::tanh),
        rule: Rule::Text("(1 - out ** 2) * dx"),
        definition: Some("sinh(x) / cosh(x)"),
        notation: Notation::Call("tanh"),
        title: "tanh",
        sentence: "The derivative of tanh is 1 − tanh².",
        ..FUNCTION
    },
    Op {
        name: "erf",
        spellings: &[
            Spelling::everywhere("erf"),
            Spelling::everywhere("special.erf"),
            Spelling::everywhere("scipy.special.erf"),
        ],
        params: &[X],
        value: Value::Unary(erf),
        rule: Rule::Text("2 * sqrt(2) * exp(-x ** 2) / sqrt(tau()) * dx"),
        notation: Notation::Call("erf"),
        title: "erf",
        sentence: "The derivative of erf x is 2/√π exp(−x²), written with τ = 2π.",
        ..FUNCTION
    },
];

/// The error function, to the last digits of a double.
///
/// Below 2 by the series 2/√π e^(−x²) Σ (2x²)ⁿ x / (1·3·5⋯(2n+1)), whose terms
/// all have one sign; above by the continued fraction of 1 − erf.
pub fn erf(x: f64) -> f64 {
    let size = x.abs();
    if x.is_nan() {
        return x;
    }
    if size > 6.0 {
        return x.signum();
    }
    let bell = (-x * x).exp() * std::f64::consts::FRAC_2_SQRT_PI;
    if size < 2.0 {
        let (mut term, mut sum, mut n) = (x, x, 0.0);
        while term.abs() > sum.abs() * 1e-18 {
            n += 1.0;
            term *= 2.0 * x * x / (2.0 * n + 1.0);
            sum += term;
        }
        return bell * sum;
    }
    // √π e^(x²) (1 − erf x) = 1 / (x + (1/2) / (x + (2/2) / (x + (3/2) / …))).
    let tail = (1..120).rev().fold(size, |tail, n| size + f64::from(n) / 2.0 / tail);
    x.signum() * (1.0 - bell / 2.0 / tail)
}

#[cfg(test)]
mod tests {
    use super::erf;

    #[test]
    fn erf_meets_published_values() {
        let table = [
            (0.0, 0.0),
            (0.5, 0.5204998778130465),
            (-1.0, -0.8427007929497149),
            (2.0, 0.9953222650189527),
            (2.9, 0.9999589021219005),
            (3.1, 0.9999883513426328),
            (4.0, 0.9999999845827421),
            (9.0, 1.0),
        ];
        for (x, value) in table {
            assert!((erf(x) - value).abs() < 4e-16, "erf({x}) = {}", erf(x));
        }
    }
}
