//! Softmax and the normalisations: the shape stays, lanes are mixed.

use super::common::{FUNCTION, lanes};
use super::lanes::{each, largest, log_sum_exp, mean, squared_spread};
use super::{Attrs, Axes, Framework, JAX, Misfit, Notation, Op, Param, ParamKind, Preset, Rule, Spelling, Value};
use crate::array::Array;
use crate::diagnostic::Kind;
use crate::shape::{Shape, Unknowns};

const X: Param = Param::array("x").also(&["input"]);
const LANES: Op = Op { axes: Axes::ButAxis, ..FUNCTION };
/// The sizes of the axes normalised over, as PyTorch asks for them: here the last one.
const NORMALIZED_SHAPE: Param = Param { name: "normalized_shape", aliases: &[], kind: ParamKind::Stated };
/// What `scipy.special` has; the prefix counts as NumPy's.
const SCIPY: &[Framework] = &[Framework::NumPy];
const NO_AXIS: &[(&str, Preset)] = &[("axis", Preset::Absent)];
const LAST_AXIS: &[(&str, Preset)] = &[("axis", Preset::Axis(-1))];
const ALL_AXES: &[(&str, Preset)] = &[("axis", Preset::AllAxes)];
const EPS: &str = "0.00001";

pub const OPS: &[Op] = &[
    Op {
        name: "softmax",
        spellings: &[
            Spelling::everywhere("softmax"),
            Spelling::everywhere("special.softmax"),
            Spelling::of(JAX, "softmax").when(NO_AXIS).fixing(LAST_AXIS),
            Spelling::of(SCIPY, "softmax").when(NO_AXIS).fixing(ALL_AXES),
        ],
        params: &[X, Param::axis(None)],
        value: Value::Whole(|args, attrs, _| {
            each(args[0], attrs.axes(), |lane| {
                let top = largest(lane);
                lane.iter_mut().for_each(|x| *x = (*x - top).exp());
                let total: f64 = lane.iter().sum();
                lane.iter_mut().for_each(|x| *x /= total);
            })
        }),
        rule: Rule::Text("out * (dx - sum(out * dx, axis, keepdims=True))"),
        definition: Some("exp(x) / sum(exp(x), axis, keepdims=True)"),
        notation: Notation::Call("softmax"),
        letter: "p",
        title: "softmax",
        sentence: "Each probability grows by its share of what exceeds the mean movement: dp = p ⊙ (dx − pᵀdx).",
        ..LANES
    },
    Op {
        name: "log_softmax",
        spellings: &[
            Spelling::everywhere("log_softmax"),
            Spelling::everywhere("special.log_softmax"),
            Spelling::of(JAX, "log_softmax").when(NO_AXIS).fixing(LAST_AXIS),
            Spelling::of(SCIPY, "log_softmax").when(NO_AXIS).fixing(ALL_AXES),
        ],
        params: &[X, Param::axis(None)],
        value: Value::Whole(|args, attrs, _| {
            each(args[0], attrs.axes(), |lane| {
                // The largest first: the log of the total is lost beside entries of 1000.
                let top = largest(lane);
                lane.iter_mut().for_each(|x| *x -= top);
                let total = log_sum_exp(lane);
                lane.iter_mut().for_each(|x| *x -= total);
            })
        }),
        rule: Rule::Text("dx - sum(softmax(x, axis) * dx, axis, keepdims=True)"),
        definition: Some("x - logsumexp(x, axis, keepdims=True)"),
        notation: Notation::Call("log_softmax"),
        title: "log softmax",
        sentence: "x moves by itself; the log of the total moves by the softmax-weighted mean of dx.",
        ..LANES
    },
    Op {
        name: "layer_norm",
        spellings: &[Spelling::everywhere("layer_norm").ordered(&["x", "normalized_shape"])],
        shape: |unknowns, args, attrs| normalised_shape(unknowns, args, attrs, "layer_norm"),
        params: &[X, Param::or("eps", EPS), NORMALIZED_SHAPE],
        value: Value::Whole(|args, _, _| {
            normalised(args, |lane| (mean(lane), squared_spread(lane) / lane.len() as f64))
        }),
        rule: Rule::Text(
            "(dx - mean(dx, -1, keepdims=True) - out * mean(out * dx, -1, keepdims=True)) / sqrt(var(x, -1, keepdims=True) + eps) - out * deps / (2 * (var(x, -1, keepdims=True) + eps))",
        ),
        definition: Some("(x - mean(x, -1, keepdims=True)) / sqrt(var(x, -1, keepdims=True) + eps)"),
        notation: Notation::Call("layer_norm"),
        axes: Axes::ButLast,
        domain: &[(-2.0, 2.0), (0.01, 0.5)],
        title: "layer norm",
        sentence: "dx without its mean and without its part along the normalised value, divided by the deviation.",
        ..LANES
    },
    Op {
        name: "rms_norm",
        spellings: &[Spelling::everywhere("rms_norm").ordered(&["x", "normalized_shape"])],
        shape: |unknowns, args, attrs| normalised_shape(unknowns, args, attrs, "rms_norm"),
        params: &[X, Param::or("eps", "2.220446049250313e-16"), NORMALIZED_SHAPE],
        value: Value::Whole(|args, _, _| normalised(args, |lane| (0.0, mean_square(lane)))),
        rule: Rule::Text(
            "(dx - out * mean(out * dx, -1, keepdims=True)) / sqrt(mean(x ** 2, -1, keepdims=True) + eps) - out * deps / (2 * (mean(x ** 2, -1, keepdims=True) + eps))",
        ),
        definition: Some("x / sqrt(mean(x ** 2, -1, keepdims=True) + eps)"),
        notation: Notation::Call("rms_norm"),
        axes: Axes::ButLast,
        domain: &[(-2.0, 2.0), (0.01, 0.5)],
        title: "rms norm",
        sentence: "dx without its part along the normalised value, divided by the root mean square.",
        ..LANES
    },
];

fn normalised_shape(unknowns: &mut Unknowns, args: &[&Shape], attrs: &Attrs, name: &str) -> Result<Shape, Misfit> {
    let shape = lanes(unknowns, args, name)?;
    let last = &shape.0[shape.rank() - 1..];
    match attrs.dims("normalized_shape") {
        [] => Ok(shape),
        [one] if unknowns.equal(one, &last[0]) => Ok(unknowns.resolve_shape(&shape)),
        dims => {
            let given = Shape(dims.to_vec()).as_tuple();
            let message = format!("{name} works along the last axis, {}, not {given}", last[0]);
            Err(Misfit::new(Kind::ShapeMismatch, message))
        }
    }
}

fn mean_square(lane: &[f64]) -> f64 {
    lane.iter().map(|x| x * x).sum::<f64>() / lane.len() as f64
}

/// (x − centre) / √(spread + eps) along the last axis; eps, the second argument, is one number.
fn normalised(args: &[&Array], centre_and_spread: impl Fn(&[f64]) -> (f64, f64)) -> Array {
    let eps = args[1].as_scalar().unwrap_or(f64::NAN);
    let last: Vec<usize> = args[0].rank().checked_sub(1).into_iter().collect();
    each(args[0], &last, |lane| {
        let (centre, spread) = centre_and_spread(lane);
        let deviation = (spread + eps).sqrt();
        lane.iter_mut().for_each(|x| *x = (*x - centre) / deviation);
    })
}
