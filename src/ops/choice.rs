//! Comparisons, and functions that choose between cases.

use super::common::FUNCTION;
use super::{Kink, Lower, NUMPY, Notation, Op, Param, Preset, Rule, Spelling, TORCH, Value};

const C: Param = Param::array("c").also(&["condition"]);
const X: Param = Param::array("x");
const Y: Param = Param::array("y");
const LEAST: Param = Param::array("lo").also(&["min", "a_min"]);
const MOST: Param = Param::array("hi").also(&["max", "a_max"]);

pub const OPS: &[Op] = &[
    Op {
        name: "where",
        spellings: &[Spelling::everywhere("where")],
        params: &[C, X, Y],
        value: Value::Ternary(|c, x, y| if c != 0.0 { x } else { y }),
        rule: Rule::Text("where(c, dx, dy)"),
        lower: Lower::As("c * x + logical_not(c) * y"),
        notation: Notation::Choice,
        domain: &[(0.0, 1.0), (-2.0, 2.0)],
        title: "where",
        sentence: "Each entry takes the differential of the side that was chosen; the condition has none.",
        ..FUNCTION
    },
    Op {
        name: "gt",
        spellings: &[Spelling::everywhere("gt"), Spelling::everywhere("greater")],
        params: &[X, Y],
        value: Value::Binary(|x, y| mask(x > y)),
        rule: Rule::Zero,
        notation: Notation::Comparison(">"),
        kink: Some(Kink { says: "a comparison has derivative 0", side: |v| v[0] - v[1] }),
        title: "greater than",
        sentence: "A comparison is constant on either side of its boundary.",
        ..FUNCTION
    },
    Op {
        name: "lt",
        spellings: &[Spelling::everywhere("lt"), Spelling::everywhere("less")],
        params: &[X, Y],
        value: Value::Binary(|x, y| mask(x < y)),
        rule: Rule::Zero,
        notation: Notation::Comparison("<"),
        kink: Some(Kink { says: "a comparison has derivative 0", side: |v| v[0] - v[1] }),
        title: "less than",
        sentence: "A comparison is constant on either side of its boundary.",
        ..FUNCTION
    },
    Op {
        name: "ge",
        spellings: &[Spelling::everywhere("ge"), Spelling::everywhere("greater_equal")],
        params: &[X, Y],
        value: Value::Binary(|x, y| mask(x >= y)),
        rule: Rule::Zero,
        notation: Notation::Comparison("≥"),
        kink: Some(Kink { says: "a comparison has derivative 0", side: |v| v[0] - v[1] }),
        title: "greater or equal",
        sentence: "A comparison is constant on either side of its boundary.",
        ..FUNCTION
    },
    Op {
        name: "le",
        spellings: &[Spelling::everywhere("le"), Spelling::everywhere("less_equal")],
        params: &[X, Y],
        value: Value::Binary(|x, y| mask(x <= y)),
        rule: Rule::Zero,
        notation: Notation::Comparison("≤"),
        kink: Some(Kink { says: "a comparison has derivative 0", side: |v| v[0] - v[1] }),
        title: "less or equal",
        sentence: "A comparison is constant on either side of its boundary.",
        ..FUNCTION
    },
    Op {
        name: "eq",
        spellings: &[Spelling::everywhere("eq"), Spelling::everywhere("equal")],
        params: &[X, Y],
        value: Value::Binary(|x, y| mask(x == y)),
        rule: Rule::Zero,
        notation: Notation::Comparison("="),
        kink: Some(Kink { says: "a comparison has derivative 0", side: |v| v[0] - v[1] }),
        title: "equal",
        sentence: "A comparison is constant on either side of its boundary.",
        ..FUNCTION
    },
    Op {
        name: "ne",
        spellings: &[Spelling::everywhere("ne"), Spelling::everywhere("not_equal")],
        params: &[X, Y],
        value: Value::Binary(|x, y| mask(x != y)),
        rule: Rule::Zero,
        notation: Notation::Comparison("≠"),
        kink: Some(Kink { says: "a comparison has derivative 0", side: |v| v[0] - v[1] }),
        title: "not equal",
        sentence: "A comparison is constant on either side of its boundary.",
        ..FUNCTION
    },
    Op {
        name: "logical_not",
        spellings: &[Spelling::everywhere("logical_not")],
        params: &[X],
        value: Value::Unary(|x| mask(x == 0.0)),
        rule: Rule::Zero,
        notation: Notation::Call("not"),
        domain: &[(0.5, 1.0)],
        title: "not",
        sentence: "The negation of a condition is constant on either side of its boundary.",
        ..FUNCTION
    },
    Op {
        name: "heaviside",
        spellings: &[Spelling::everywhere("heaviside")],
        params: &[X, Y],
        value: Value::Binary(|x, y| match x {
            x if x > 0.0 => 1.0,
            x if x < 0.0 => 0.0,
            x => x + y,
        }),
        rule: Rule::Text("where(x == 0, dy, 0)"),
        notation: Notation::Call("heaviside"),
        kink: Some(Kink { says: "a step has derivative 0", side: |v| v[0] }),
        title: "step",
        sentence: "A step is constant on either side of 0; at 0 it takes the value y.",
        ..FUNCTION
    },
    Op {
        name: "sign",
        spellings: &[Spelling::everywhere("sign"), Spelling::everywhere("sgn")],
        params: &[X],
        value: Value::Unary(|x| if x == 0.0 { 0.0 } else { x.signum() }),
        rule: Rule::Zero,
        notation: Notation::Call("sign"),
        kink: Some(Kink { says: "sign'(0) = 0", side: |v| v[0] }),
        title: "sign",
        sentence: "The sign is constant on either side of 0.",
        ..FUNCTION
    },
    Op {
        name: "floor",
        spellings: &[Spelling::everywhere("floor")],
        params: &[X],
        value: Value::Unary(f64::floor),
        rule: Rule::Zero,
        notation: Notation::Call("floor"),
        kink: Some(Kink { says: "floor' at a whole number = 0", side: |v| beside_whole(v[0]) }),
        title: "floor",
        sentence: "Between whole numbers the floor is constant.",
        ..FUNCTION
    },
    Op {
        name: "ceil",
        spellings: &[Spelling::everywhere("ceil")],
        params: &[X],
        value: Value::Unary(f64::ceil),
        rule: Rule::Zero,
        notation: Notation::Call("ceil"),
        kink: Some(Kink { says: "ceil' at a whole number = 0", side: |v| beside_whole(v[0]) }),
        title: "ceiling",
        sentence: "Between whole numbers the ceiling is constant.",
        ..FUNCTION
    },
    Op {
        name: "round",
        spellings: &[Spelling::everywhere("round"), Spelling::everywhere("rint")],
        params: &[X],
        value: Value::Unary(f64::round_ties_even),
        rule: Rule::Zero,
        notation: Notation::Call("round"),
        kink: Some(Kink { says: "round' halfway between whole numbers = 0", side: |v| beside_whole(v[0] - 0.5) }),
        title: "rounding",
        sentence: "Between its jumps a rounded value is constant.",
        ..FUNCTION
    },
    Op {
        name: "abs",
        spellings: &[Spelling::everywhere("abs"), Spelling::everywhere("absolute"), Spelling::everywhere("fabs")],
        params: &[X],
        value: Value::Unary(f64::abs),
        rule: Rule::Text("sign(x) * dx"),
        notation: Notation::Bars,
        kink: Some(Kink { says: "abs'(0) = 0", side: |v| v[0] }),
        title: "absolute value",
        sentence: "The derivative of |x| is the sign of x.",
        ..FUNCTION
    },
    Op {
        name: "maximum",
        spellings: &[Spelling::everywhere("maximum"), Spelling::everywhere("fmax")],
        params: &[X, Y],
        value: Value::Binary(|x, y| if x.is_nan() || x > y { x } else { y }),
        rule: Rule::Text("heaviside(x - y, 0.5) * dx + heaviside(y - x, 0.5) * dy"),
        notation: Notation::Call("max"),
        kink: Some(Kink { says: "a tie in maximum gives half to each", side: |v| v[0] - v[1] }),
        title: "maximum",
        sentence: "The differential is that of the larger argument, half of each at a tie.",
        ..FUNCTION
    },
    Op {
        name: "minimum",
        spellings: &[Spelling::everywhere("minimum"), Spelling::everywhere("fmin")],
        params: &[X, Y],
        value: Value::Binary(|x, y| if x.is_nan() || x < y { x } else { y }),
        rule: Rule::Text("heaviside(y - x, 0.5) * dx + heaviside(x - y, 0.5) * dy"),
        notation: Notation::Call("min"),
        kink: Some(Kink { says: "a tie in minimum gives half to each", side: |v| v[0] - v[1] }),
        title: "minimum",
        sentence: "The differential is that of the smaller argument, half of each at a tie.",
        ..FUNCTION
    },
    Op {
        name: "clamp",
        spellings: &[Spelling::everywhere("clamp"), Spelling::everywhere("clip")],
        params: &[X, LEAST, MOST],
        value: Value::Ternary(|x, lo, hi| {
            if x < lo {
                lo
            } else if x > hi {
                hi
            } else {
                x
            }
        }),
        rule: Rule::Text("where((x > lo) * (x < hi), dx, 0) + where(x < lo, dlo, 0) + where(x > hi, dhi, 0)"),
        notation: Notation::Call("clamp"),
        domain: &[(-2.0, 2.0), (-1.0, -0.5), (0.5, 1.0)],
        kink: Some(Kink { says: "clamp' at a bound = 0", side: |v| (v[0] - v[1]) * (v[0] - v[2]) }),
        title: "clamp",
        sentence: "Between the bounds the differential passes; outside it is that of the bound.",
        ..FUNCTION
    },
    Op {
        name: "clamp_min",
        spellings: &[
            Spelling::everywhere("clamp_min"),
            Spelling::of(TORCH, "clamp").when(&[("min", Preset::Present), ("max", Preset::Absent)]),
            Spelling::of(TORCH, "clip").when(&[("min", Preset::Present), ("max", Preset::Absent)]),
            Spelling::of(NUMPY, "clip").when(&[("a_min", Preset::Present), ("a_max", Preset::Absent)]),
        ],
        params: &[X, LEAST],
        value: Value::Binary(|x, lo| if x < lo { lo } else { x }),
        rule: Rule::Text("where(x > lo, dx, 0) + where(x < lo, dlo, 0)"),
        notation: Notation::Call("clamp_min"),
        domain: &[(-2.0, 2.0), (-1.0, 1.0)],
        kink: Some(Kink { says: "clamp' at a bound = 0", side: |v| v[0] - v[1] }),
        title: "clamp from below",
        sentence: "Above the bound the differential passes; below it is that of the bound.",
        ..FUNCTION
    },
    Op {
        name: "clamp_max",
        spellings: &[
            Spelling::everywhere("clamp_max"),
            Spelling::of(TORCH, "clamp").when(&[("max", Preset::Present), ("min", Preset::Absent)]),
            Spelling::of(TORCH, "clip").when(&[("max", Preset::Present), ("min", Preset::Absent)]),
            Spelling::of(NUMPY, "clip").when(&[("a_max", Preset::Present), ("a_min", Preset::Absent)]),
        ],
        params: &[X, MOST],
        value: Value::Binary(|x, hi| if x > hi { hi } else { x }),
        rule: Rule::Text("where(x < hi, dx, 0) + where(x > hi, dhi, 0)"),
        notation: Notation::Call("clamp_max"),
        domain: &[(-2.0, 2.0), (-1.0, 1.0)],
        kink: Some(Kink { says: "clamp' at a bound = 0", side: |v| v[0] - v[1] }),
        title: "clamp from above",
        sentence: "Below the bound the differential passes; above it is that of the bound.",
        ..FUNCTION
    },
];

/// 0 at a whole number, else a number whose sign is another on each side of one.
fn beside_whole(x: f64) -> f64 {
    if x.fract() == 0.0 { 0.0 } else { (std::f64::consts::PI * x).sin() }
}

/// A truth value as a number.
fn mask(holds: bool) -> f64 {
    f64::from(u8::from(holds))
}
