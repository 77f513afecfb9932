//! Constant arrays, broadcasting and selection.

use super::common::{FUNCTION, LINEAR};
use super::lanes::filled_or;
use super::{Attrs, Axes, Contraction, Gap, Lower, Misfit, Notation, Op, Param, ParamKind, Rule, Spelling, Value};
use crate::array::Array;
use crate::diagnostic::Kind;
use crate::shape::{Dim, Shape, Unknowns};

const X: Param = Param::array("x").also(&["input", "array"]);
const CONSTANT: Op = Op { shape: of_dims, rule: Rule::Zero, ..LINEAR };

pub const OPS: &[Op] = &[
    Op {
        name: "eye",
        spellings: &[Spelling::everywhere("eye"), Spelling::everywhere("identity")],
        params: &[Param::dims().also(&["n", "N"])],
        shape: |unknowns, _, attrs| match attrs.dims("dims") {
            [n] => Ok(unknowns.resolve_shape(&Shape(vec![n.clone(), n.clone()]))),
            [n, m] if unknowns.equal(n, m) => Ok(unknowns.resolve_shape(&Shape(vec![n.clone(), m.clone()]))),
            _ => Err(Misfit::new(Kind::BadArgument, "eye takes one dimension")),
        },
        lower: Lower::Labels(|_, _| Contraction { args: Vec::new(), out: vec![0, 0], divide: Vec::new() }),
        notation: Notation::Identity,
        title: "identity matrix",
        sentence: "The identity matrix is constant.",
        ..CONSTANT
    },
    Op {
        name: "ones",
        spellings: &[Spelling::everywhere("ones")],
        params: &[Param::dims()],
        lower: Lower::Labels(|_, attrs| {
            let out = (0..attrs.dims("dims").len() as u8).collect();
            Contraction { args: Vec::new(), out, divide: Vec::new() }
        }),
        notation: Notation::Filled("1"),
        title: "ones",
        sentence: "A constant array.",
        ..CONSTANT
    },
    Op {
        name: "zeros",
        spellings: &[Spelling::everywhere("zeros")],
        params: &[Param::dims()],
        lower: Lower::Sum(&[]),
        notation: Notation::Filled("0"),
        title: "zeros",
        sentence: "A constant array.",
        ..CONSTANT
    },
    Op {
        name: "pi",
        spellings: &[Spelling::everywhere("pi")],
        params: &[],
        shape: |_, _, _| Ok(Shape::scalar()),
        value: Value::Whole(|_, _, _| Array::scalar(std::f64::consts::PI)),
        lower: Lower::As("tau() / 2"),
        notation: Notation::Filled("π"),
        title: "π",
        sentence: "π = τ / 2 is a number.",
        ..CONSTANT
    },
    Op {
        name: "tau",
        spellings: &[Spelling::everywhere("tau")],
        params: &[],
        shape: |_, _, _| Ok(Shape::scalar()),
        value: Value::Whole(|_, _, _| Array::scalar(std::f64::consts::TAU)),
        lower: Lower::Atom,
        notation: Notation::Filled("τ"),
        title: "τ",
        sentence: "τ = 2π is a number.",
        ..CONSTANT
    },
    Op {
        name: "tri",
        spellings: &[Spelling::everywhere("tri")],
        params: &[Param::dims(), Param::whole_or("k", 0)],
        shape: |unknowns, args, attrs| match attrs.dims("dims") {
            [_, _] => of_dims(unknowns, args, attrs),
            _ => Err(Misfit::new(Kind::BadArgument, "tri takes two dimensions")),
        },
        value: Value::Whole(|_, attrs, sizes| {
            let (columns, k) = (sizes.last().copied().unwrap_or(1).max(1), attrs.whole("k"));
            let below = |i: usize| (i % columns) as i64 <= ((i / columns) as i64).saturating_add(k);
            Array::from_fn(sizes, |i| f64::from(u8::from(below(i))))
        }),
        lower: Lower::Atom,
        axes: Axes::Mixed,
        notation: Notation::Call("tri"),
        title: "triangle of ones",
        sentence: "The matrix with ones up to its k-th diagonal is constant.",
        ..CONSTANT
    },
    Op {
        name: "tril",
        spellings: &[Spelling::everywhere("tril")],
        params: &[X, Param::whole_or("k", 0).also(&["diagonal"])],
        shape: |unknowns, args, _| matrices(unknowns, args[0], "tril"),
        value: Value::Whole(|args, attrs, sizes| {
            triangle(args[0], sizes, |row, column| column <= row.saturating_add(attrs.whole("k")))
        }),
        rule: Rule::Linear("lower triangle"),
        lower: Lower::As("x * tri((x.shape[-2], x.shape[-1]), k=k)"),
        axes: Axes::Mixed,
        notation: Notation::Call("tril"),
        title: "lower triangle",
        sentence: "The differential of the lower triangle is the lower triangle of the differential.",
        ..FUNCTION
    },
    Op {
        name: "triu",
        spellings: &[Spelling::everywhere("triu")],
        params: &[X, Param::whole_or("k", 0).also(&["diagonal"])],
        shape: |unknowns, args, _| matrices(unknowns, args[0], "triu"),
        value: Value::Whole(|args, attrs, sizes| {
            triangle(args[0], sizes, |row, column| column >= row.saturating_add(attrs.whole("k")))
        }),
        rule: Rule::Linear("upper triangle"),
        lower: Lower::As("x * (1 - tri((x.shape[-2], x.shape[-1]), k=k - 1))"),
        axes: Axes::Mixed,
        notation: Notation::Call("triu"),
        title: "upper triangle",
        sentence: "The differential of the upper triangle is the upper triangle of the differential.",
        ..FUNCTION
    },
    Op {
        name: "arange",
        spellings: &[],
        params: &[Param::dim("length")],
        shape: |unknowns, _, attrs| Ok(Shape(vec![unknowns.resolve(&attrs.dim("length"))])),
        value: Value::Whole(|_, _, sizes| Array::from_fn(sizes, |i| i as f64)),
        lower: Lower::Atom,
        axes: Axes::Mixed,
        notation: Notation::Call("arange"),
        title: "whole numbers from 0",
        sentence: "A constant array.",
        ..CONSTANT
    },
    Op {
        name: "one_hot",
        spellings: &[Spelling::everywhere("one_hot")],
        params: &[
            Param { name: "x", aliases: &["tensor", "input"], kind: ParamKind::Index },
            Param::dim("classes").also(&["num_classes"]),
        ],
        shape: |unknowns, args, attrs| {
            let mut shape = unknowns.resolve_shape(args[0]);
            shape.0.push(unknowns.resolve(&attrs.dim("classes")));
            Ok(shape)
        },
        value: Value::Whole(|args, _, sizes| {
            let classes = sizes.last().copied().unwrap_or(1).max(1);
            Array::from_fn(sizes, |i| match args[0].data().get(i / classes).and_then(|x| class(*x, classes)) {
                Some(class) => f64::from(u8::from(class == i % classes)),
                None => f64::NAN,
            })
        }),
        lower: Lower::Atom,
        axes: Axes::Mixed,
        notation: Notation::Call("one_hot"),
        letter: "t",
        undefined: &[Gap::new(
            |v| v.iter().any(|x| class(*x, usize::MAX).is_none()),
            "a class is a whole number from 0 on",
        )],
        domain: &[(0.0, 2.0)],
        title: "one-hot",
        sentence: "A class does not move: its one-hot row is constant.",
        ..CONSTANT
    },
    Op {
        name: "basis",
        spellings: &[],
        params: &[Param::dims(), Param::whole("at")],
        value: Value::Whole(|_, attrs, sizes| {
            let place = sizes.first().and_then(|size| position(attrs.whole("at"), *size));
            Array::from_fn(sizes, |i| f64::from(u8::from(Some(i) == place)))
        }),
        lower: Lower::Atom,
        axes: Axes::Mixed,
        notation: Notation::Basis,
        title: "basis vector",
        sentence: "The vector with a single 1 is constant.",
        ..CONSTANT
    },
    Op {
        name: "broadcast_to",
        spellings: &[Spelling::everywhere("broadcast_to"), Spelling::everywhere("full").ordered(&["dims", "x"])],
        params: &[X.also(&["fill_value"]), Param::dims()],
        shape: broadcast_to,
        rule: Rule::Linear("broadcasting"),
        lower: Lower::Labels(broadcast_labels),
        notation: Notation::Spread,
        title: "broadcasting",
        sentence: "The differential is repeated as its argument is.",
        ..LINEAR
    },
    Op {
        name: "index",
        spellings: &[],
        params: &[X, Param::whole("at")],
        shape: indexed,
        value: Value::Whole(|args, attrs, sizes| {
            let place = args[0].sizes().first().and_then(|size| position(attrs.whole("at"), *size));
            filled_or(place.and_then(|place| args[0].index(place)), sizes)
        }),
        rule: Rule::Linear("entry"),
        lower: Lower::As("tensordot(basis(x.shape[0], at=at), x, 1)"),
        notation: Notation::Entry,
        axes: Axes::Mixed,
        title: "entry",
        sentence: "The differential of an entry is that entry of the differential.",
        ..FUNCTION
    },
];

/// The class that a number names: one next to a whole number, below the number of classes.
fn class(x: f64, classes: usize) -> Option<usize> {
    let near = x.round();
    ((x - near).abs() < 0.1 && (0.0..classes as f64).contains(&near)).then_some(near as usize)
}

/// The shape of matrices along any leading axes.
fn matrices(unknowns: &Unknowns, x: &Shape, name: &str) -> Result<Shape, Misfit> {
    let shape = unknowns.resolve_shape(x);
    match shape.rank() {
        0 | 1 => Err(Misfit::new(Kind::WrongRank, format!("{name} needs a matrix, {{0}} is {}", shape.as_tuple()))),
        _ => Ok(shape),
    }
}

/// The entries of each matrix at the places kept, 0 elsewhere.
fn triangle(x: &Array, sizes: &[usize], keeps: impl Fn(i64, i64) -> bool) -> Array {
    let columns = sizes.last().copied().unwrap_or(1).max(1);
    let rows = sizes.iter().rev().nth(1).copied().unwrap_or(1).max(1);
    Array::from_fn(sizes, |i| {
        let kept = keeps((i / columns % rows) as i64, (i % columns) as i64);
        if kept { x.data().get(i).copied().unwrap_or(f64::NAN) } else { 0.0 }
    })
}

/// The place `at` of an axis, counted from the end if negative.
fn position(at: i64, size: usize) -> Option<usize> {
    let place = if at < 0 { at.checked_add(i64::try_from(size).ok()?)? } else { at };
    usize::try_from(place).ok().filter(|place| *place < size)
}

fn of_dims(unknowns: &mut Unknowns, _: &[&Shape], attrs: &Attrs) -> Result<Shape, Misfit> {
    Ok(unknowns.resolve_shape(&Shape(attrs.dims("dims").to_vec())))
}

fn broadcast_to(unknowns: &mut Unknowns, args: &[&Shape], attrs: &Attrs) -> Result<Shape, Misfit> {
    let wanted = unknowns.resolve_shape(&Shape(attrs.dims("dims").to_vec()));
    let own = unknowns.resolve_shape(args[0]);
    match unknowns.broadcast(&own, &wanted) {
        Some(common) if common == unknowns.resolve_shape(&wanted) => Ok(common),
        _ => {
            let message = format!("{{0}} is {} and does not broadcast to {}", own.as_tuple(), wanted.as_tuple());
            Err(Misfit::new(Kind::ShapeMismatch, message))
        }
    }
}

/// Last axes aligned; an axis of size 1 that is repeated is summed over its one entry.
fn broadcast_labels(args: &[&Shape], attrs: &Attrs) -> Contraction {
    let dims = attrs.dims("dims");
    let rank = dims.len() as u8;
    let missing = dims.len().saturating_sub(args[0].rank());
    let label = |(axis, dim): (usize, &Dim)| {
        let repeated = dim.is_one() && dims.get(missing + axis).is_some_and(|wanted| !wanted.is_one());
        (missing + axis) as u8 + if repeated { rank } else { 0 }
    };
    Contraction {
        args: vec![args[0].0.iter().enumerate().map(label).collect()],
        out: (0..rank).collect(),
        divide: Vec::new(),
    }
}

fn indexed(unknowns: &mut Unknowns, args: &[&Shape], attrs: &Attrs) -> Result<Shape, Misfit> {
    let shape = unknowns.resolve_shape(args[0]);
    let Some(lead) = shape.0.first() else {
        return Err(Misfit::new(Kind::WrongRank, "{0} is a scalar: it has no entries"));
    };
    let at = attrs.whole("at");
    if lead.as_size().is_some_and(|size| position(at, size).is_none()) {
        let message = format!("entry {at} is out of range: the first axis of {{0}} has {lead}");
        return Err(Misfit::new(Kind::AxisOutOfRange, message));
    }
    Ok(shape.without(0))
}
