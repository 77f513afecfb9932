//! Products that sum over axes.

use super::common::{LINEAR, aligned};
use super::{Attrs, Contraction, Lower, Misfit, Notation, Op, Param, Rule, Spelling};
use crate::diagnostic::Kind;
use crate::shape::{Shape, Unknowns};

const X: Param = Param::array("x");
const Y: Param = Param::array("y");

pub const OPS: &[Op] = &[
    Op {
        name: "matmul",
        spellings: &[
            Spelling::everywhere("matmul"),
            Spelling::everywhere("mm"),
            Spelling::everywhere("mv"),
            Spelling::everywhere("bmm"),
        ],
        params: &[X, Y],
        shape: matmul,
        rule: Rule::Linear("product rule"),
        lower: Lower::Labels(matmul_labels),
        notation: Notation::Product,
        title: "constant matrix factor",
        sentence: "A constant matrix stands outside the differential; of two moving factors each moves in turn, in its place: d(A B) = dA B + A dB.",
        ..LINEAR
    },
    Op {
        name: "dot",
        spellings: &[Spelling::everywhere("dot"), Spelling::everywhere("vdot"), Spelling::everywhere("inner")],
        params: &[X, Y],
        shape: |unknowns, args, attrs| {
            let ranks = [args[0].rank(), args[1].rank()];
            if ranks == [1, 1] {
                return matmul(unknowns, args, attrs);
            }
            let message =
                format!("dot takes two vectors, {{0}} is {} and {{1}} is {}", args[0].as_tuple(), args[1].as_tuple());
            Err(Misfit::new(Kind::WrongRank, message).help("use {0} @ {1}"))
        },
        rule: Rule::Linear("product rule"),
        lower: Lower::Labels(matmul_labels),
        notation: Notation::Product,
        title: "inner product",
        sentence: "Each factor moves in turn: d(xᵀy) = dxᵀ y + xᵀ dy.",
        ..LINEAR
    },
    Op {
        name: "outer",
        spellings: &[Spelling::everywhere("outer"), Spelling::everywhere("ger")],
        params: &[X, Y],
        shape: |unknowns, args, _| {
            for (i, shape) in args.iter().enumerate() {
                if shape.rank() != 1 {
                    let message =
                        format!("outer takes two vectors, {{{i}}} is {}", unknowns.resolve_shape(shape).as_tuple());
                    return Err(Misfit::new(Kind::WrongRank, message));
                }
            }
            Ok(unknowns.resolve_shape(&Shape([&args[0].0[..], &args[1].0].concat())))
        },
        rule: Rule::Linear("product rule"),
        lower: Lower::Labels(|_, _| Contraction { args: vec![vec![0], vec![1]], out: vec![0, 1], divide: Vec::new() }),
        notation: Notation::Outer,
        title: "outer product",
        sentence: "Each factor moves in turn: d(x yᵀ) = dx yᵀ + x dyᵀ.",
        ..LINEAR
    },
    Op {
        name: "tensordot",
        spellings: &[Spelling::everywhere("tensordot")],
        params: &[X, Y, Param::whole("axes").also(&["dims"])],
        shape: tensordot,
        rule: Rule::Linear("product rule"),
        lower: Lower::Labels(tensordot_labels),
        notation: Notation::Product,
        title: "contraction",
        sentence: "The last axes of x are summed against the first axes of y; each factor moves in turn.",
        ..LINEAR
    },
];

/// Ranks 1 and 2 as in linear algebra; leading axes of higher ranks are a batch
/// and broadcast.
pub fn matmul(unknowns: &mut Unknowns, args: &[&Shape], _: &Attrs) -> Result<Shape, Misfit> {
    let (x, y) = (unknowns.resolve_shape(args[0]), unknowns.resolve_shape(args[1]));
    if x.rank() == 0 || y.rank() == 0 {
        return Err(Misfit::new(Kind::ShapeMismatch, "@ does not take a scalar").help("use *"));
    }
    let (inner_x, inner_y) = (x.0[x.rank() - 1].clone(), y.0[y.rank().saturating_sub(2)].clone());
    if !unknowns.equal(&inner_x, &inner_y) {
        return Err(inner_differ(&x, &y));
    }
    let lead = |shape: &Shape| Shape(shape.0[..shape.rank().saturating_sub(2)].to_vec());
    let Some(Shape(mut dims)) = unknowns.broadcast(&lead(&x), &lead(&y)) else {
        return Err(Misfit::new(
            Kind::ShapeMismatch,
            format!("the leading axes of {{0}}, {}, and of {{1}}, {}, do not broadcast", x.as_tuple(), y.as_tuple()),
        ));
    };
    if x.rank() >= 2 {
        dims.push(x.0[x.rank() - 2].clone());
    }
    if y.rank() >= 2 {
        dims.push(y.0[y.rank() - 1].clone());
    }
    Ok(unknowns.resolve_shape(&Shape(dims)))
}

/// The inner dimensions differ; which transposes or orders would fit.
fn inner_differ(x: &Shape, y: &Shape) -> Misfit {
    let message = format!("inner dimensions differ: {{0}} is {} and {{1}} is {}", x.as_tuple(), y.as_tuple());
    let (inner_x, inner_y) = (&x.0[x.rank() - 1], &y.0[y.rank().saturating_sub(2)]);
    let mut ways = Vec::new();
    if x.rank() == 2 && x.0[0] == *inner_y {
        ways.push("{0}.T @ {1}");
    }
    if y.rank() == 2 && y.0[1] == *inner_x {
        ways.push("{0} @ {1}.T");
    }
    if y.0[y.rank() - 1] == x.0[x.rank().saturating_sub(2)] {
        ways.push("{1} @ {0}");
    }
    let misfit = Misfit::new(Kind::ShapeMismatch, message);
    if ways.is_empty() { misfit } else { misfit.help(format!("did you mean {}?", ways.join(" or "))) }
}

/// A_ik B_kj, with leading axes aligned.
fn matmul_labels(args: &[&Shape], attrs: &Attrs) -> Contraction {
    let lead: Vec<Shape> = args.iter().map(|s| Shape(s.0[..s.rank().saturating_sub(2)].to_vec())).collect();
    let mut labels = aligned(&[&lead[0], &lead[1]], attrs);
    let next = labels.args.iter().flatten().chain(&labels.out).max().map_or(0, |l| l + 1);
    let (row, inner, column) = (next, next + 1, next + 2);
    if args[0].rank() >= 2 {
        labels.args[0].push(row);
        labels.out.push(row);
    }
    labels.args[0].push(inner);
    labels.args[1].push(inner);
    if args[1].rank() >= 2 {
        labels.args[1].push(column);
        labels.out.push(column);
    }
    labels
}

/// The number of axes summed, where both arguments have them.
fn summed_axes(args: &[&Shape], attrs: &Attrs) -> Option<usize> {
    usize::try_from(attrs.whole("axes")).ok().filter(|count| args.iter().all(|shape| *count <= shape.rank()))
}

fn tensordot(unknowns: &mut Unknowns, args: &[&Shape], attrs: &Attrs) -> Result<Shape, Misfit> {
    let Some(count) = summed_axes(args, attrs) else {
        let message = format!("there are not {} axes to sum over", attrs.whole("axes"));
        return Err(Misfit::new(Kind::AxisOutOfRange, message));
    };
    let (kept, last) = args[0].0.split_at(args[0].rank() - count);
    let (first, rest) = args[1].0.split_at(count);
    if !last.iter().zip(first).all(|(a, b)| unknowns.equal(a, b)) {
        let message =
            format!("inner dimensions differ: {{0}} is {} and {{1}} is {}", args[0].as_tuple(), args[1].as_tuple());
        return Err(Misfit::new(Kind::ShapeMismatch, message));
    }
    Ok(unknowns.resolve_shape(&Shape([kept, rest].concat())))
}

fn tensordot_labels(args: &[&Shape], attrs: &Attrs) -> Contraction {
    let count = summed_axes(args, attrs).unwrap_or(0) as u8;
    let (x, y) = (args[0].rank() as u8, args[1].rank() as u8);
    let own = x - count;
    Contraction {
        args: vec![(0..x).collect(), (own..own + y).collect()],
        out: (0..own).chain(x..own + y).collect(),
        divide: Vec::new(),
    }
}
