//! The largest and the smallest along axes.

use super::common::{FUNCTION, reduced};
use super::lanes::{largest, reduce};
use super::{Axes, Kink, Notation, Op, Param, Preset, Rule, Spelling, Value};

const X: Param = Param::array("x").also(&["input", "a"]);
const REDUCING: &[Param] = &[X, Param::axis(Some(Preset::AllAxes)), Param::keepdims()];
const EXTREME: Op = Op { params: REDUCING, shape: reduced, axes: Axes::ButAxis, ..FUNCTION };

pub const OPS: &[Op] = &[
    Op {
        name: "amax",
        spellings: &[Spelling::everywhere("amax"), Spelling::everywhere("max")],
        value: Value::Whole(|args, attrs, sizes| reduce(args[0], attrs, sizes, known_largest)),
        rule: Rule::Text(
            "sum((x == amax(x, axis, keepdims=True)) * dx, axis, keepdims) / sum(x == amax(x, axis, keepdims=True), axis, keepdims)",
        ),
        notation: Notation::Call("max"),
        kink: Some(Kink {
            says: "entries that tie for the largest share its derivative equally",
            side: |v| first(v, known_largest(v)),
        }),
        title: "largest entry",
        sentence: "The largest entry moves as its own differential does; entries that tie share equally.",
        ..EXTREME
    },
    Op {
        name: "amin",
        spellings: &[Spelling::everywhere("amin"), Spelling::everywhere("min")],
        value: Value::Whole(|args, attrs, sizes| reduce(args[0], attrs, sizes, known_smallest)),
        rule: Rule::Text(
            "sum((x == amin(x, axis, keepdims=True)) * dx, axis, keepdims) / sum(x == amin(x, axis, keepdims=True), axis, keepdims)",
        ),
        definition: Some("-amax(-x, axis, keepdims)"),
        notation: Notation::Call("min"),
        kink: Some(Kink {
            says: "entries that tie for the smallest share its derivative equally",
            side: |v| first(v, known_smallest(v)),
        }),
        title: "smallest entry",
        sentence: "The smallest entry moves as its own differential does; entries that tie share equally.",
        ..EXTREME
    },
];

/// The largest number; none where one of them is none.
fn known_largest(lane: &[f64]) -> f64 {
    if lane.iter().any(|x| x.is_nan()) { f64::NAN } else { largest(lane) }
}

/// The smallest number; none where one of them is none.
fn known_smallest(lane: &[f64]) -> f64 {
    if lane.iter().any(|x| x.is_nan()) { f64::NAN } else { lane.iter().copied().fold(f64::INFINITY, f64::min) }
}

/// The place of the one entry that is `extreme`, counted from 1; 0 at a tie.
fn first(lane: &[f64], extreme: f64) -> f64 {
    let mut places = lane.iter().enumerate().filter(|(_, x)| **x == extreme).map(|(at, _)| at + 1);
    match (places.next(), places.next()) {
        (Some(at), None) => at as f64,
        _ => 0.0,
    }
}
