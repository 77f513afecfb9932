//! Losses: a number from a prediction and a target.

use super::common::{FUNCTION, lanes};
use super::lanes::{largest, log_sum_exp};
use super::{Attrs, Axes, Lower, Misfit, Notation, Op, Param, Rule, Spelling, Value};
use crate::array::Array;
use crate::diagnostic::Kind;
use crate::shape::{Shape, Unknowns};

const X: Param = Param::array("x").also(&["input", "logits"]);
const Y: Param = Param::array("y").also(&["target", "labels"]);
const LOSS: Op = Op { params: &[X, Y], shape: of_a_pair, axes: Axes::Mixed, ..FUNCTION };

pub const OPS: &[Op] = &[
    Op {
        name: "mse_loss",
        spellings: &[Spelling::everywhere("mse_loss")],
        value: Value::Whole(|args, _, _| {
            let squares = args[0].zip(args[1], |x, y| (x - y) * (x - y));
            let total = squares.map_or(f64::NAN, |squares| squares.data().iter().sum());
            Array::scalar(total / args[0].data().len() as f64)
        }),
        rule: Rule::Text("2 * mean((x - y) * (dx - dy))"),
        lower: Lower::As("mean((x - y) ** 2)"),
        definition: Some("mean((x - y) ** 2)"),
        notation: Notation::Call("mse_loss"),
        title: "mean squared error",
        sentence: "The mean of the squares: twice the mean of the error times its differential.",
        ..LOSS
    },
    Op {
        name: "cross_entropy",
        spellings: &[Spelling::everywhere("cross_entropy")],
        shape: |unknowns, args, attrs| {
            lanes(unknowns, &args[..1], "cross_entropy")?;
            of_a_pair(unknowns, args, attrs)
        },
        value: Value::Whole(|args, _, _| Array::scalar(cross_entropy(args[0], args[1]))),
        rule: Rule::Text(
            "mean(sum((sum(y, -1, keepdims=True) * softmax(x, -1) - y) * dx, -1)) - mean(sum(log_softmax(x, -1) * dy, -1))",
        ),
        lower: Lower::As("-mean(sum(y * log_softmax(x, -1), -1))"),
        definition: Some("-mean(sum(y * log_softmax(x, -1), -1))"),
        notation: Notation::Call("cross_entropy"),
        domain: &[(-2.0, 2.0), (0.1, 1.0)],
        title: "cross-entropy",
        sentence: "Softmax minus target, weighed by dx: the target's logs have the derivative dx − pᵀdx.",
        ..LOSS
    },
];

/// A scalar from two values of one shape.
fn of_a_pair(unknowns: &mut Unknowns, args: &[&Shape], _: &Attrs) -> Result<Shape, Misfit> {
    let (x, y) = (args[0], args[1]);
    if x.rank() == y.rank() && x.0.iter().zip(&y.0).all(|(a, b)| unknowns.equal(a, b)) {
        return Ok(Shape::scalar());
    }
    let (x, y) = (unknowns.resolve_shape(x), unknowns.resolve_shape(y));
    let message = format!("prediction {} and target {} differ", x.as_tuple(), y.as_tuple());
    Err(Misfit::new(Kind::ShapeMismatch, message))
}

/// −Σ y log softmax x over the last axis, averaged over the others.
fn cross_entropy(x: &Array, y: &Array) -> f64 {
    let length = x.sizes().last().copied().unwrap_or(1).max(1);
    let rows = x.data().chunks(length).zip(y.data().chunks(length));
    let row = |(x, y): (&[f64], &[f64])| {
        // Distances from the largest first: 1000 beside log 2 would lose digits.
        let top = largest(x);
        let below: Vec<f64> = x.iter().map(|x| x - top).collect();
        let total = log_sum_exp(&below);
        below.iter().zip(y).map(|(x, y)| y * (total - x)).sum::<f64>()
    };
    let count = (x.data().len() / length) as f64;
    rows.map(row).sum::<f64>() / count
}
