//! Variance, deviation, norm: reductions that are not linear.

use super::common::{FUNCTION, reduced};
use super::lanes::{log_sum_exp, mean, reduce, squared_spread};
use super::{Axes, Gap, Lower, NUMPY, Notation, Op, Param, Preset, Rule, Spelling, TORCH, Value};

const X: Param = Param::array("x").also(&["input", "a"]);
const REDUCING: &[Param] = &[X, Param::axis(Some(Preset::AllAxes)), Param::keepdims()];
const REDUCTION: Op = Op { params: REDUCING, shape: reduced, axes: Axes::ButAxis, ..FUNCTION };
const UNBIASED: Preset = Preset::Flag(true);
const BIASED: Preset = Preset::Flag(false);

pub const OPS: &[Op] = &[
    Op {
        name: "var",
        spellings: &[
            Spelling::of(NUMPY, "var"),
            Spelling::of(TORCH, "var").when(&[("unbiased", BIASED)]),
            Spelling::of(TORCH, "var").when(&[("correction", Preset::Whole(0))]),
        ],
        value: Value::Whole(|args, attrs, sizes| reduce(args[0], attrs, sizes, |x| squared_spread(x) / x.len() as f64)),
        rule: Rule::Text("2 * mean((x - mean(x, axis, keepdims=True)) * dx, axis, keepdims)"),
        lower: Lower::As("mean((x - mean(x, axis, keepdims=True)) ** 2, axis, keepdims)"),
        definition: Some("mean((x - mean(x, axis, keepdims=True)) ** 2, axis, keepdims)"),
        notation: Notation::Call("var"),
        title: "variance",
        sentence: "The mean moves too, but the distances from the mean sum to zero, so its movement drops out.",
        ..REDUCTION
    },
    Op {
        name: "var_unbiased",
        spellings: &[
            Spelling::of(TORCH, "var"),
            Spelling::of(TORCH, "var").when(&[("unbiased", UNBIASED)]),
            Spelling::of(TORCH, "var").when(&[("correction", Preset::Whole(1))]),
            Spelling::of(NUMPY, "var").when(&[("ddof", Preset::Whole(1))]),
        ],
        value: Value::Whole(|args, attrs, sizes| {
            reduce(args[0], attrs, sizes, |x| squared_spread(x) / (x.len() as f64 - 1.0))
        }),
        rule: Rule::Text(
            "2 * sum((x - mean(x, axis, keepdims=True)) * dx, axis, keepdims) / (sum(ones(x.shape), axis, keepdims) - 1)",
        ),
        lower: Lower::As(
            "sum((x - mean(x, axis, keepdims=True)) ** 2, axis, keepdims) / (sum(ones(x.shape), axis, keepdims) - 1)",
        ),
        definition: Some(
            "sum((x - mean(x, axis, keepdims=True)) ** 2, axis, keepdims) / (sum(ones(x.shape), axis, keepdims) - 1)",
        ),
        notation: Notation::Call("var_unbiased"),
        undefined: &[Gap::new(|v| v.len() < 2, "variance with n − 1 of a single number")],
        title: "variance with n − 1",
        sentence: "The mean moves too, but the distances from the mean sum to zero, so its movement drops out.",
        ..REDUCTION
    },
    Op {
        name: "std",
        spellings: &[
            Spelling::of(NUMPY, "std"),
            Spelling::of(TORCH, "std").when(&[("unbiased", BIASED)]),
            Spelling::of(TORCH, "std").when(&[("correction", Preset::Whole(0))]),
        ],
        value: Value::Whole(|args, attrs, sizes| {
            reduce(args[0], attrs, sizes, |x| (squared_spread(x) / x.len() as f64).sqrt())
        }),
        rule: Rule::Text("mean((x - mean(x, axis, keepdims=True)) * dx, axis, keepdims) / out"),
        lower: Lower::As("sqrt(var(x, axis, keepdims))"),
        definition: Some("sqrt(var(x, axis, keepdims))"),
        notation: Notation::Call("std"),
        steep: &[Gap::new(|v| squared_spread(v) == 0.0, "the deviation has no derivative where the variance is 0")],
        title: "standard deviation",
        sentence: "The root of the variance: the variance's differential divided by 2 std.",
        ..REDUCTION
    },
    Op {
        name: "std_unbiased",
        spellings: &[
            Spelling::of(TORCH, "std"),
            Spelling::of(TORCH, "std").when(&[("unbiased", UNBIASED)]),
            Spelling::of(TORCH, "std").when(&[("correction", Preset::Whole(1))]),
            Spelling::of(NUMPY, "std").when(&[("ddof", Preset::Whole(1))]),
        ],
        value: Value::Whole(|args, attrs, sizes| {
            reduce(args[0], attrs, sizes, |x| (squared_spread(x) / (x.len() as f64 - 1.0)).sqrt())
        }),
        rule: Rule::Text(
            "sum((x - mean(x, axis, keepdims=True)) * dx, axis, keepdims) / (sum(ones(x.shape), axis, keepdims) - 1) / out",
        ),
        lower: Lower::As("sqrt(var_unbiased(x, axis, keepdims))"),
        definition: Some("sqrt(var_unbiased(x, axis, keepdims))"),
        notation: Notation::Call("std_unbiased"),
        undefined: &[Gap::new(|v| v.len() < 2, "deviation with n − 1 of a single number")],
        steep: &[Gap::new(|v| squared_spread(v) == 0.0, "the deviation has no derivative where the variance is 0")],
        title: "standard deviation with n − 1",
        sentence: "The root of the variance: the variance's differential divided by 2 std.",
        ..REDUCTION
    },
    Op {
        name: "norm",
        spellings: &[
            Spelling::everywhere("norm"),
            Spelling::everywhere("linalg.norm"),
            Spelling::everywhere("linalg.vector_norm"),
        ],
        value: Value::Whole(|args, attrs, sizes| reduce(args[0], attrs, sizes, euclidean)),
        rule: Rule::Text("sum(x * dx, axis, keepdims) / out"),
        definition: Some("sqrt(sum(x ** 2, axis, keepdims))"),
        notation: Notation::Norm,
        steep: &[Gap::new(|v| euclidean(v) == 0.0, "the norm has no derivative at 0")],
        title: "norm",
        sentence: "The norm grows by the part of the differential along x.",
        ..REDUCTION
    },
    Op {
        name: "logsumexp",
        spellings: &[Spelling::everywhere("logsumexp"), Spelling::everywhere("special.logsumexp")],
        params: &[X, Param::axis(None), Param::keepdims()],
        value: Value::Whole(|args, attrs, sizes| reduce(args[0], attrs, sizes, log_sum_exp)),
        rule: Rule::Text("sum(softmax(x, axis) * dx, axis, keepdims)"),
        definition: Some("log(sum(exp(x), axis, keepdims))"),
        notation: Notation::Call("logsumexp"),
        title: "logsumexp",
        sentence: "The derivative of log Σ exp is the softmax.",
        ..REDUCTION
    },
];

/// The root of the sum of squares, scaled so that no square overflows.
fn euclidean(x: &[f64]) -> f64 {
    let top = x.iter().fold(0.0, |top: f64, x| top.max(x.abs()));
    if x.iter().any(|x| x.is_nan()) {
        return f64::NAN;
    }
    if top == 0.0 || top.is_infinite() {
        return top;
    }
    let squares: Vec<f64> = x.iter().map(|x| (x / top) * (x / top)).collect();
    top * (mean(&squares) * x.len() as f64).sqrt()
}
