//! Activations, entry by entry.

use super::common::FUNCTION;
use super::function::erf;
use super::{Gap, JAX, Kink, Notation, Op, Param, Preset, Rule, Spelling, TORCH, Value};
use std::f64::consts::{FRAC_1_PI, FRAC_1_SQRT_2};

const X: Param = Param::array("x");

pub const OPS: &[Op] = &[
    Op {
        name: "relu",
        spellings: &[Spelling::everywhere("relu")],
        params: &[X],
        value: Value::Unary(|x| if x > 0.0 || x.is_nan() { x } else { 0.0 }),
        rule: Rule::Text("where(x > 0, dx, 0)"),
        notation: Notation::Call("relu"),
        kink: Some(Kink { says: "relu'(0) = 0", side: |v| v[0] }),
        title: "relu",
        sentence: "relu passes the differential where its argument is positive and stops it elsewhere.",
        ..FUNCTION
    },
    Op {
        name: "leaky_relu",
        spellings: &[Spelling::everywhere("leaky_relu")],
        params: &[X, Param::or("s", "0.01").also(&["negative_slope"])],
        value: Value::Binary(|x, s| if x > 0.0 { x } else { s * x }),
        rule: Rule::Text("where(x > 0, dx, s * dx) + where(x > 0, 0, x * ds)"),
        definition: Some("where(x > 0, x, s * x)"),
        notation: Notation::Call("leaky_relu"),
        domain: &[(-2.0, 2.0), (0.01, 0.5)],
        kink: Some(Kink { says: "leaky_relu'(0) = the slope", side: |v| v[0] }),
        title: "leaky relu",
        sentence: "leaky relu passes the differential where its argument is positive and scales it by the slope s elsewhere.",
        ..FUNCTION
    },
    Op {
        name: "sigmoid",
        spellings: &[
            Spelling::everywhere("sigmoid"),
            Spelling::everywhere("special.expit"),
            Spelling::everywhere("expit"),
        ],
        params: &[X],
        value: Value::Unary(sigmoid),
        rule: Rule::Text("out * (1 - out) * dx"),
        definition: Some("1 / (1 + exp(-x))"),
        notation: Notation::Call("σ"),
        title: "sigmoid",
        sentence: "The derivative of the sigmoid is out (1 − out).",
        ..FUNCTION
    },
    Op {
        name: "logit",
        spellings: &[Spelling::everywhere("logit"), Spelling::everywhere("special.logit")],
        params: &[X],
        value: Value::Unary(|x| (x / (1.0 - x)).ln()),
        rule: Rule::Text("dx / (x * (1 - x))"),
        definition: Some("log(x / (1 - x))"),
        notation: Notation::Call("logit"),
        domain: &[(0.1, 0.9)],
        undefined: &[Gap::new(|v| v[0] <= 0.0 || v[0] >= 1.0, "logit of a number not between 0 and 1")],
        title: "logit",
        sentence: "The derivative of log(x / (1 − x)) is 1 / (x (1 − x)).",
        ..FUNCTION
    },
    Op {
        name: "silu",
        spellings: &[Spelling::everywhere("silu"), Spelling::everywhere("swish")],
        params: &[X],
        value: Value::Unary(|x| x * sigmoid(x)),
        rule: Rule::Text("sigmoid(x) * (1 + x * (1 - sigmoid(x))) * dx"),
        definition: Some("x * sigmoid(x)"),
        notation: Notation::Call("silu"),
        title: "silu",
        sentence: "silu is x σ(x): the product rule with σ' = σ (1 − σ).",
        ..FUNCTION
    },
    Op {
        name: "gelu",
        spellings: &[
            Spelling::of(TORCH, "gelu"),
            Spelling::of(TORCH, "gelu").when(&[("approximate", Preset::Text("none"))]),
            Spelling::of(JAX, "gelu").when(&[("approximate", Preset::Flag(false))]),
        ],
        params: &[X],
        value: Value::Unary(|x| x * (1.0 + erf(x * FRAC_1_SQRT_2)) / 2.0),
        rule: Rule::Text("((1 + erf(x / sqrt(2))) / 2 + x * exp(-x ** 2 / 2) / sqrt(tau())) * dx"),
        definition: Some("x * (1 + erf(x / sqrt(2))) / 2"),
        notation: Notation::Call("gelu"),
        title: "gelu",
        sentence: "gelu is x Φ(x), Φ the normal distribution: the product rule with Φ' the bell curve.",
        ..FUNCTION
    },
    Op {
        name: "gelu_tanh",
        spellings: &[
            Spelling::everywhere("gelu_tanh"),
            Spelling::of(JAX, "gelu"),
            Spelling::of(JAX, "gelu").when(&[("approximate", Preset::Flag(true))]),
            Spelling::of(TORCH, "gelu").when(&[("approximate", Preset::Text("tanh"))]),
        ],
        params: &[X],
        value: Value::Unary(|x| x * (1.0 + ((2.0 * FRAC_1_PI).sqrt() * (x + 0.044715 * x * x * x)).tanh()) / 2.0),
        rule: Rule::Text(
            "((1 + tanh(sqrt(4 / tau()) * (x + 0.044715 * x ** 3))) / 2 + x / 2 * (1 - tanh(sqrt(4 / tau()) * (x + 0.044715 * x ** 3)) ** 2) * sqrt(4 / tau()) * (1 + 0.134145 * x ** 2)) * dx",
        ),
        definition: Some("x * (1 + tanh(sqrt(4 / tau()) * (x + 0.044715 * x ** 3))) / 2"),
        notation: Notation::Call("gelu_tanh"),
        title: "gelu, tanh form",
        sentence: "The tanh form of gelu is a product: its second factor has the derivative of tanh by the chain rule.",
        ..FUNCTION
    },
    Op {
        name: "softplus",
        spellings: &[Spelling::everywhere("softplus")],
        params: &[X],
        value: Value::Unary(|x| x.max(0.0) + (-x.abs()).exp().ln_1p()),
        rule: Rule::Text("sigmoid(x) * dx"),
        definition: Some("log(1 + exp(x))"),
        notation: Notation::Call("softplus"),
        title: "softplus",
        sentence: "The derivative of softplus is the sigmoid.",
        ..FUNCTION
    },
    Op {
        name: "log_sigmoid",
        spellings: &[Spelling::everywhere("log_sigmoid"), Spelling::everywhere("logsigmoid")],
        params: &[X],
        value: Value::Unary(|x| x.min(0.0) - (-x.abs()).exp().ln_1p()),
        rule: Rule::Text("sigmoid(-x) * dx"),
        definition: Some("log(sigmoid(x))"),
        notation: Notation::Call("log_sigmoid"),
        title: "log sigmoid",
        sentence: "The derivative of log σ(x) is 1 − σ(x) = σ(−x).",
        ..FUNCTION
    },
    Op {
        name: "elu",
        spellings: &[Spelling::everywhere("elu")],
        params: &[X, Param::or("a", "1").also(&["alpha"])],
        value: Value::Binary(|x, a| if x > 0.0 { x } else { a * x.exp_m1() }),
        rule: Rule::Text("where(x > 0, dx, a * exp(x) * dx) + where(x > 0, 0, expm1(x) * da)"),
        definition: Some("where(x > 0, x, a * (exp(x) - 1))"),
        notation: Notation::Call("elu"),
        domain: &[(-2.0, 2.0), (0.5, 1.5)],
        kink: Some(Kink { says: "elu'(0) = a", side: |v| v[0] }),
        title: "elu",
        sentence: "elu passes the differential where its argument is positive and scales it by a exp x elsewhere.",
        ..FUNCTION
    },
    Op {
        name: "relu6",
        spellings: &[Spelling::everywhere("relu6")],
        params: &[X],
        value: Value::Unary(|x| if x.is_nan() { x } else { x.clamp(0.0, 6.0) }),
        rule: Rule::Text("where((x > 0) * (x < 6), dx, 0)"),
        definition: Some("clamp(x, 0, 6)"),
        notation: Notation::Call("relu6"),
        domain: &[(-2.0, 8.0)],
        kink: Some(Kink { says: "relu6'(0) = relu6'(6) = 0", side: |v| v[0] * (v[0] - 6.0) }),
        title: "relu6",
        sentence: "relu6 passes the differential where its argument lies between 0 and 6 and stops it elsewhere.",
        ..FUNCTION
    },
    Op {
        name: "mish",
        spellings: &[Spelling::everywhere("mish")],
        params: &[X],
        value: Value::Unary(|x| x * (x.max(0.0) + (-x.abs()).exp().ln_1p()).tanh()),
        rule: Rule::Text("(tanh(softplus(x)) + x * (1 - tanh(softplus(x)) ** 2) * sigmoid(x)) * dx"),
        definition: Some("x * tanh(softplus(x))"),
        notation: Notation::Call("mish"),
        title: "mish",
        sentence: "mish is x tanh(softplus x): the product rule, then the chain rule.",
        ..FUNCTION
    },
];

/// 1 / (1 + e^(−x)), without overflow for either sign.
fn sigmoid(x: f64) -> f64 {
    let small = (-x.abs()).exp();
    if x >= 0.0 { 1.0 / (1.0 + small) } else { small / (1.0 + small) }
}
