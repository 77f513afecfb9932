//! Variance, deviation, norm: reductions that are not linear.

use super::common::{FUNCTION, reduced};
use super::lanes::{log_sum_exp, mean, reduce, squared_spread};
use super::{
    Attrs, Axes, Gap, Kink, Lower, Misfit, NUMPY, Notation, Op, Param, ParamKind, Preset, Rule, Spelling, TORCH, Value,
};
use crate::diagnostic::Kind;
use crate::shape::{Shape, Unknowns};

const X: Param = Param::array("x").also(&["input", "a"]);
const REDUCING: &[Param] = &[X, Param::axis(Some(Preset::AllAxes)), Param::keepdims()];
const REDUCTION: Op = Op { params: REDUCING, shape: reduced, axes: Axes::ButAxis, ..FUNCTION };
/// What may be given by position: the third parameter means another thing in each framework.
const LEADING: &[&str] = &["x", "axis"];
const NORM_ORDER: &[&str] = &["x", "ord", "axis"];
const ORDER_1: &[(&str, Preset)] = &[("ord", Preset::Whole(1))];
const UNBIASED: Preset = Preset::Flag(true);
const BIASED: Preset = Preset::Flag(false);

pub const OPS: &[Op] = &[
    Op {
        name: "var",
        spellings: &[
            Spelling::of(NUMPY, "var").ordered(LEADING),
            Spelling::of(TORCH, "var").ordered(LEADING).when(&[("unbiased", BIASED)]),
            Spelling::of(TORCH, "var").ordered(LEADING).when(&[("correction", Preset::Whole(0))]),
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
            Spelling::of(TORCH, "var").ordered(LEADING),
            Spelling::of(TORCH, "var").ordered(LEADING).when(&[("unbiased", UNBIASED)]),
            Spelling::of(TORCH, "var").ordered(LEADING).when(&[("correction", Preset::Whole(1))]),
            Spelling::of(NUMPY, "var").ordered(LEADING).when(&[("ddof", Preset::Whole(1))]),
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
            Spelling::of(NUMPY, "std").ordered(LEADING),
            Spelling::of(TORCH, "std").ordered(LEADING).when(&[("unbiased", BIASED)]),
            Spelling::of(TORCH, "std").ordered(LEADING).when(&[("correction", Preset::Whole(0))]),
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
            Spelling::of(TORCH, "std").ordered(LEADING),
            Spelling::of(TORCH, "std").ordered(LEADING).when(&[("unbiased", UNBIASED)]),
            Spelling::of(TORCH, "std").ordered(LEADING).when(&[("correction", Preset::Whole(1))]),
            Spelling::of(NUMPY, "std").ordered(LEADING).when(&[("ddof", Preset::Whole(1))]),
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
            Spelling::everywhere("norm").ordered(NORM_ORDER),
            Spelling::everywhere("linalg.norm").ordered(NORM_ORDER),
            Spelling::everywhere("linalg.vector_norm").ordered(NORM_ORDER),
        ],
        params: &[
            X,
            Param::axis(Some(Preset::AllAxes)),
            Param::keepdims(),
            Param { name: "ord", aliases: &["p"], kind: ParamKind::Text("") },
        ],
        shape: norm_shape,
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
        name: "norm_1",
        spellings: &[
            Spelling::everywhere("norm").when(ORDER_1),
            Spelling::everywhere("linalg.norm").when(ORDER_1),
            Spelling::everywhere("linalg.vector_norm").when(ORDER_1),
        ],
        shape: |unknowns, args, attrs| match (args[0].rank(), attrs.axes()) {
            (0 | 1, _) | (_, [_]) => reduced(unknowns, args, attrs),
            _ => {
                let message = "the norm of order 1 of a matrix is its largest column sum in NumPy, the sum of absolute values elsewhere";
                Err(Misfit::new(Kind::BadArgument, message).help("write sum(abs({0}))"))
            }
        },
        value: Value::Whole(|args, attrs, sizes| reduce(args[0], attrs, sizes, |x| x.iter().map(|x| x.abs()).sum())),
        rule: Rule::Text("sum(sign(x) * dx, axis, keepdims)"),
        lower: Lower::As("sum(abs(x), axis, keepdims)"),
        definition: Some("sum(abs(x), axis, keepdims)"),
        notation: Notation::Call("norm_1"),
        kink: Some(Kink { says: "the norm of order 1 takes 0 where an entry is 0", side: signs }),
        title: "norm of order 1",
        sentence: "The sum of absolute values: each entry brings its sign.",
        ..REDUCTION
    },
    Op {
        name: "logsumexp",
        spellings: &[
            Spelling::everywhere("logsumexp"),
            Spelling::everywhere("special.logsumexp"),
            Spelling::of(NUMPY, "logsumexp").when(&[("axis", Preset::Absent)]).fixing(&[("axis", Preset::AllAxes)]),
        ],
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

/// The Euclidean norm only: the order may be named where all frameworks mean that by it.
fn norm_shape(unknowns: &mut Unknowns, args: &[&Shape], attrs: &Attrs) -> Result<Shape, Misfit> {
    let help = match (attrs.text("ord"), attrs.axes().len()) {
        ("", _) | ("2", 0 | 1) | ("fro", 2) => return reduced(unknowns, args, attrs),
        ("2", _) => {
            "norm(x) is the Frobenius norm, as PyTorch has it; NumPy's 2-norm of a matrix is its largest singular value"
        }
        _ => "norm(x) is the Euclidean norm of a vector and the Frobenius norm of a matrix",
    };
    let message = format!("the norm of order {} is not supported here", attrs.text("ord"));
    Err(Misfit::new(Kind::BadArgument, message).help(help))
}

/// A number for the signs of the entries, 0 where an entry is 0.
fn signs(lane: &[f64]) -> f64 {
    if lane.contains(&0.0) {
        return 0.0;
    }
    let negative = lane.iter().enumerate().filter(|(_, x)| **x < 0.0);
    1.0 + negative.map(|(at, _)| f64::from(1u32 << (at % 32))).sum::<f64>()
}

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
