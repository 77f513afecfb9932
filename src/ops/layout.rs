//! Entries moved, cut out, joined, summed up: linear, but not by labels.

use super::common::{FUNCTION, one_axis};
use super::lanes::filled_or;
use super::{Attrs, Axes, Lower, Misfit, Notation, Op, Param, ParamKind, Preset, Rule, Spelling, Value};
use crate::array::Array;
use crate::diagnostic::Kind;
use crate::shape::{Dim, Shape, Unknowns};

const X: Param = Param::array("x").also(&["input", "a", "self"]);
const PARTS: Param = Param { name: "x", aliases: &["tensors", "arrays"], kind: ParamKind::Arrays };
const AXIS: Param = Param::axis(Some(Preset::AllAxes)).also(&["dim", "dims"]);
const JOINED: Param = Param::axis(Some(Preset::Axis(0)));
const MOVED: Op = Op { axes: Axes::ButAxis, ..FUNCTION };

pub const OPS: &[Op] = &[
    Op {
        name: "reshape",
        spellings: &[],
        params: &[X, Param::dims()],
        shape: reshaped,
        value: Value::Whole(|args, _, sizes| filled_or(args[0].clone().reshape(sizes.to_vec()), sizes)),
        rule: Rule::Linear("reshape"),
        lower: Lower::Linear { transpose: "reshape(g, x.shape)" },
        notation: Notation::Call("reshape"),
        axes: Axes::Mixed,
        title: "reshape",
        sentence: "The entries keep their order: the differential is reshaped in the same way.",
        ..MOVED
    },
    Op {
        name: "slice",
        spellings: &[],
        params: &[X, Param::axis(None), Param::dim("start"), Param::dim("length"), Param::whole_or("step", 1)],
        shape: sliced,
        value: Value::Whole(|args, attrs, sizes| {
            let (axis, start, step) = (one_axis(attrs), place(attrs, "start"), attrs.whole("step"));
            gathered(args[0], axis, sizes, f64::NAN, |at| usize::try_from(start + step * at).ok())
        }),
        rule: Rule::Linear("slice"),
        lower: Lower::Linear { transpose: "place(g, axis, start=start, length=x.shape[axis], step=step)" },
        notation: Notation::Slice,
        title: "slice",
        sentence: "The differential of a slice is that slice of the differential.",
        ..MOVED
    },
    Op {
        name: "place",
        spellings: &[],
        params: &[X, Param::axis(None), Param::dim("start"), Param::dim("length"), Param::whole_or("step", 1)],
        shape: placed,
        value: Value::Whole(|args, attrs, sizes| {
            let (axis, start, step) = (one_axis(attrs), place(attrs, "start"), attrs.whole("step"));
            gathered(args[0], axis, sizes, 0.0, |at| match (at - start).checked_rem(step) {
                Some(0) => usize::try_from((at - start) / step).ok(),
                _ => None,
            })
        }),
        rule: Rule::Linear("zeros around"),
        lower: Lower::Linear { transpose: "slice(g, axis, start=start, length=x.shape[axis], step=step)" },
        notation: Notation::Call("place"),
        title: "zeros around",
        sentence: "The entries stand among zeros: so do those of the differential.",
        ..MOVED
    },
    Op {
        name: "select",
        spellings: &[],
        params: &[X, Param::axis(None), Param::dim("at")],
        shape: |unknowns, args, attrs| {
            let (shape, axis) = along(unknowns, args[0], attrs, "an entry along an axis")?;
            within(&shape.0[axis], &attrs.dim("at"), &Dim::size(1), 1)?;
            Ok(shape.without(axis))
        },
        value: Value::Whole(|args, attrs, sizes| {
            let axis = one_axis(attrs);
            let mut kept = sizes.to_vec();
            kept.insert(axis.min(sizes.len()), 1);
            let start = place(attrs, "at");
            let entry = gathered(args[0], axis, &kept, f64::NAN, |_| usize::try_from(start).ok());
            filled_or(entry.reshape(sizes.to_vec()), sizes)
        }),
        rule: Rule::Linear("entry"),
        lower: Lower::Linear { transpose: "place(unsqueeze(g, axis), axis, start=at, length=x.shape[axis])" },
        notation: Notation::Slice,
        title: "entry along an axis",
        sentence: "The differential of an entry is that entry of the differential.",
        ..MOVED
    },
    Op {
        name: "concatenate",
        spellings: &[Spelling::everywhere("concatenate"), Spelling::everywhere("concat"), Spelling::everywhere("cat")],
        params: &[PARTS, JOINED],
        shape: concatenated,
        value: Value::Whole(|args, attrs, sizes| joined(args, one_axis(attrs), sizes)),
        rule: Rule::Linear("concatenation"),
        lower: Lower::Linear { transpose: "slice(g, axis, start=before, length=x.shape[axis])" },
        notation: Notation::Call("concatenate"),
        title: "concatenation",
        sentence: "The differentials stand one behind the other as the parts do.",
        ..MOVED
    },
    Op {
        name: "stack",
        spellings: &[Spelling::everywhere("stack")],
        params: &[PARTS, Param::new_axis(Some(0))],
        shape: stacked,
        value: Value::Whole(|args, attrs, sizes| {
            let axis = one_axis(attrs);
            let thick = |part: &&Array| {
                let mut own = part.sizes().to_vec();
                own.insert(axis.min(own.len()), 1);
                (*part).clone().reshape(own)
            };
            let parts: Option<Vec<Array>> = args.iter().map(thick).collect();
            let parts = parts.unwrap_or_default();
            joined(&parts.iter().collect::<Vec<_>>(), axis, sizes)
        }),
        rule: Rule::Linear("stacking"),
        lower: Lower::Linear { transpose: "select(g, axis, at=at)" },
        notation: Notation::Call("stack"),
        axes: Axes::Mixed,
        title: "stacking",
        sentence: "The differentials are stacked as the parts are.",
        ..MOVED
    },
    Op {
        name: "flip",
        spellings: &[Spelling::everywhere("flip")],
        params: &[X, AXIS],
        value: Value::Whole(|args, attrs, sizes| {
            attrs.axes().iter().fold(args[0].clone(), |x, axis| {
                let last = sizes.get(*axis).map_or(0, |n| *n as i64 - 1);
                gathered(&x, *axis, sizes, f64::NAN, |at| usize::try_from(last - at).ok())
            })
        }),
        rule: Rule::Linear("reversal"),
        lower: Lower::Linear { transpose: "flip(g, axis)" },
        notation: Notation::Call("flip"),
        title: "reversal",
        sentence: "The differential is turned round as its argument is.",
        ..MOVED
    },
    Op {
        name: "roll",
        spellings: &[Spelling::everywhere("roll")],
        params: &[X, Param::whole("shift").also(&["shifts"]), AXIS],
        shape: |unknowns, args, attrs| along(unknowns, args[0], attrs, "roll").map(|(shape, _)| shape),
        value: Value::Whole(|args, attrs, sizes| {
            let axis = one_axis(attrs);
            let length = sizes.get(axis).map_or(1, |n| (*n as i64).max(1));
            gathered(args[0], axis, sizes, f64::NAN, |at| {
                usize::try_from((at - attrs.whole("shift")).rem_euclid(length)).ok()
            })
        }),
        rule: Rule::Linear("roll"),
        lower: Lower::Linear { transpose: "roll(g, -shift, axis)" },
        notation: Notation::Call("roll"),
        title: "roll",
        sentence: "The differential is rolled round as its argument is.",
        ..MOVED
    },
    Op {
        name: "cumsum",
        spellings: &[Spelling::everywhere("cumsum")],
        params: &[X, AXIS],
        shape: |unknowns, args, attrs| along(unknowns, args[0], attrs, "cumsum").map(|(shape, _)| shape),
        value: Value::Whole(|args, attrs, _| {
            super::lanes::each(args[0], attrs.axes(), |lane| {
                let mut total = 0.0;
                lane.iter_mut().for_each(|x| {
                    total += *x;
                    *x = total;
                });
            })
        }),
        rule: Rule::Linear("running sum"),
        lower: Lower::Linear { transpose: "flip(cumsum(flip(g, axis), axis), axis)" },
        notation: Notation::Call("cumsum"),
        title: "running sum",
        sentence: "The differential of a running sum is the running sum of the differentials.",
        ..MOVED
    },
];

/// The place an attribute names; sizes have names no more where numbers are computed.
fn place(attrs: &Attrs, name: &str) -> i64 {
    attrs.dim(name).as_size().and_then(|n| i64::try_from(n).ok()).unwrap_or(i64::MAX / 2)
}

/// An array of `sizes` whose place `at` along `axis` is the place `from(at)` of
/// `x`; `none` where there is none.
fn gathered(x: &Array, axis: usize, sizes: &[usize], none: f64, from: impl Fn(i64) -> Option<usize>) -> Array {
    let inner: usize = sizes.iter().skip(axis + 1).product();
    let (own, length) = (x.sizes().get(axis).copied().unwrap_or(1), sizes.get(axis).copied().unwrap_or(1).max(1));
    Array::from_fn(sizes, |i| {
        let (outer, at, rest) = (i / (inner * length), i / inner % length, i % inner);
        let found = i64::try_from(at).ok().and_then(&from).filter(|at| *at < own);
        found.and_then(|at| x.data().get((outer * own + at) * inner + rest)).copied().unwrap_or(none)
    })
}

/// The parts one behind the other along `axis`.
fn joined(parts: &[&Array], axis: usize, sizes: &[usize]) -> Array {
    let inner: usize = sizes.iter().skip(axis + 1).product();
    let outer: usize = sizes.iter().take(axis).product();
    let mut data = Vec::with_capacity(sizes.iter().product());
    for at in 0..outer {
        for part in parts {
            let run = part.sizes().get(axis).copied().unwrap_or(1) * inner;
            data.extend_from_slice(part.data().get(at * run..(at + 1) * run).unwrap_or(&[]));
        }
    }
    filled_or(Array::new(sizes.to_vec(), data), sizes)
}

/// The shape of `x` and the one axis that is named; `what` needs it.
fn along(unknowns: &Unknowns, x: &Shape, attrs: &Attrs, what: &str) -> Result<(Shape, usize), Misfit> {
    match attrs.axes() {
        [axis] if *axis < x.rank() => Ok((unknowns.resolve_shape(x), *axis)),
        _ => Err(Misfit::new(Kind::BadArgument, format!("{what} goes along one axis")).help("name it: axis=-1")),
    }
}

fn reshaped(unknowns: &mut Unknowns, args: &[&Shape], attrs: &Attrs) -> Result<Shape, Misfit> {
    let own = unknowns.resolve_shape(args[0]);
    let wanted = unknowns.resolve_shape(&Shape(attrs.dims("dims").to_vec()));
    let count = |shape: &Shape| shape.0.iter().cloned().fold(Dim::size(1), |product, dim| product * dim);
    if unknowns.equal(&count(&own), &count(&wanted)) {
        return Ok(unknowns.resolve_shape(&wanted));
    }
    let (has, needs) = (count(&own), count(&wanted));
    let message = format!("{{0}} is {}, {has} entries, and {} has {needs} entries", own.as_tuple(), wanted.as_tuple());
    Err(Misfit::new(Kind::ShapeMismatch, message))
}

/// Do `length` places from `start` on lie within the axis, as far as sizes are known?
fn within(axis: &Dim, start: &Dim, length: &Dim, step: i64) -> Result<(), Misfit> {
    if step < 1 {
        return Err(Misfit::new(Kind::BadArgument, "a slice goes forward").help("flip turns an axis round"));
    }
    let (Some(size), Some(start), Some(length)) = (axis.as_size(), start.as_size(), length.as_size()) else {
        return Ok(());
    };
    let whole = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
    let last = whole(start).saturating_add(step.saturating_mul(whole(length) - 1));
    if length == 0 || (start < size && (0..whole(size)).contains(&last)) {
        return Ok(());
    }
    let message = format!("entry {} is out of range: this axis of {{0}} has {size}", whole(start).max(last));
    Err(Misfit::new(Kind::AxisOutOfRange, message))
}

fn sliced(unknowns: &mut Unknowns, args: &[&Shape], attrs: &Attrs) -> Result<Shape, Misfit> {
    let (mut shape, axis) = along(unknowns, args[0], attrs, "a slice")?;
    let length = unknowns.resolve(&attrs.dim("length"));
    within(&shape.0[axis], &unknowns.resolve(&attrs.dim("start")), &length, attrs.whole("step"))?;
    shape.0[axis] = length;
    Ok(shape)
}

fn placed(unknowns: &mut Unknowns, args: &[&Shape], attrs: &Attrs) -> Result<Shape, Misfit> {
    let (mut shape, axis) = along(unknowns, args[0], attrs, "placing")?;
    let length = unknowns.resolve(&attrs.dim("length"));
    within(&length, &unknowns.resolve(&attrs.dim("start")), &shape.0[axis], attrs.whole("step"))?;
    shape.0[axis] = length;
    Ok(shape)
}

fn concatenated(unknowns: &mut Unknowns, args: &[&Shape], attrs: &Attrs) -> Result<Shape, Misfit> {
    let (mut shape, axis) = match args.first() {
        Some(first) if first.rank() == 0 => {
            return Err(
                Misfit::new(Kind::WrongRank, "a scalar has no axis to be joined along").help("stack joins scalars")
            );
        }
        Some(first) => along(unknowns, first, attrs, "concatenation")?,
        None => return Err(Misfit::new(Kind::WrongArity, "there is nothing to join")),
    };
    for (i, other) in args.iter().enumerate().skip(1) {
        let same = |unknowns: &mut Unknowns, at: usize| at == axis || unknowns.equal(&shape.0[at], &other.0[at]);
        if other.rank() != shape.rank() || !(0..shape.rank()).all(|at| same(unknowns, at)) {
            let message = format!("{{0}} is {} and {{{i}}} is {}", shape.as_tuple(), other.as_tuple());
            return Err(Misfit::new(Kind::ShapeMismatch, format!("{message}: they differ beside the axis {axis}")));
        }
        shape.0[axis] = shape.0[axis].clone() + unknowns.resolve(&other.0[axis]);
    }
    Ok(unknowns.resolve_shape(&shape))
}

fn stacked(unknowns: &mut Unknowns, args: &[&Shape], attrs: &Attrs) -> Result<Shape, Misfit> {
    let Some(first) = args.first() else {
        return Err(Misfit::new(Kind::WrongArity, "there is nothing to stack"));
    };
    for (i, other) in args.iter().enumerate().skip(1) {
        let same = first.rank() == other.rank() && first.0.iter().zip(&other.0).all(|(a, b)| unknowns.equal(a, b));
        if !same {
            let message = format!("{{0}} is {} and {{{i}}} is {}", first.as_tuple(), other.as_tuple());
            return Err(Misfit::new(Kind::ShapeMismatch, format!("{message}: only equal shapes are stacked")));
        }
    }
    let mut shape = unknowns.resolve_shape(first);
    shape.0.insert(one_axis(attrs).min(shape.rank()), Dim::size(args.len()));
    Ok(shape)
}
