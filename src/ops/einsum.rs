//! Axes renamed, dropped, added; products with labels written out.

use super::common::{LINEAR, one_axis};
use super::{
    Attr, Attrs, Axes, Contraction, Lower, Misfit, Notation, Op, Param, ParamKind, Preset, Rule, Spelling, Value,
};
use crate::array::Array;
use crate::diagnostic::Kind;
use crate::shape::{Dim, Shape};

const X: Param = Param::array("x").also(&["input", "a", "self"]);
const OPERANDS: Param = Param { name: "x", aliases: &["operands"], kind: ParamKind::Arrays };
const EQUATION: Param = Param { name: "equation", aliases: &["subscripts"], kind: ParamKind::Text("") };

pub const OPS: &[Op] = &[
    Op {
        name: "permute",
        spellings: &[],
        params: &[X, Param { name: "order", aliases: &["axes", "dims"], kind: ParamKind::Order }],
        shape: |unknowns, args, attrs| match order(args[0], attrs) {
            Some(order) => {
                Ok(unknowns.resolve_shape(&Shape(order.iter().map(|axis| args[0].0[*axis].clone()).collect())))
            }
            None => {
                let message = format!("the axes of {{0}}, {}, are each named once", args[0].as_tuple());
                Err(Misfit::new(Kind::BadArgument, message))
            }
        },
        rule: Rule::Linear("order of axes"),
        lower: Lower::Labels(|args, attrs| {
            let out = order(args[0], attrs).unwrap_or_default().iter().map(|axis| *axis as u8).collect();
            Contraction { args: vec![labels(args[0])], out, divide: Vec::new() }
        }),
        notation: Notation::Call("permute"),
        title: "order of axes",
        sentence: "The axes of the differential change places as those of its argument do.",
        ..LINEAR
    },
    Op {
        name: "squeeze",
        spellings: &[Spelling::everywhere("squeeze")],
        params: &[X, Param::axis(Some(Preset::AllAxes))],
        shape: |unknowns, args, attrs| {
            let shape = unknowns.resolve_shape(args[0]);
            let all = attrs.axes().len() == shape.rank();
            match attrs.axes().iter().find(|axis| !shape.0[**axis].is_one()) {
                Some(axis) if !all => {
                    let message = format!("axis {axis} of {{0}} is {}, not 1: it cannot be dropped", shape.0[*axis]);
                    Err(Misfit::new(Kind::ShapeMismatch, message))
                }
                _ => Ok(Shape(kept(&shape, attrs).into_iter().map(|axis| shape.0[axis].clone()).collect())),
            }
        },
        rule: Rule::Linear("axis of size 1 dropped"),
        lower: Lower::Labels(|args, attrs| {
            let out = kept(args[0], attrs).into_iter().map(|axis| axis as u8).collect();
            Contraction { args: vec![labels(args[0])], out, divide: Vec::new() }
        }),
        notation: Notation::Call("squeeze"),
        title: "axis of size 1 dropped",
        sentence: "The differential loses the axis that its argument loses.",
        ..LINEAR
    },
    Op {
        name: "unsqueeze",
        spellings: &[Spelling::everywhere("unsqueeze"), Spelling::everywhere("expand_dims")],
        params: &[X, Param::new_axis(None)],
        shape: |unknowns, args, attrs| {
            let mut shape = unknowns.resolve_shape(args[0]);
            shape.0.insert(one_axis(attrs).min(shape.rank()), Dim::size(1));
            Ok(shape)
        },
        rule: Rule::Linear("axis of size 1 added"),
        lower: Lower::Labels(|args, attrs| {
            let mut out = labels(args[0]);
            out.insert(one_axis(attrs).min(out.len()), args[0].rank() as u8);
            Contraction { args: vec![labels(args[0])], out, divide: Vec::new() }
        }),
        notation: Notation::NewAxis,
        title: "axis of size 1 added",
        sentence: "The differential gains the axis that its argument gains.",
        ..LINEAR
    },
    Op {
        name: "einsum",
        spellings: &[Spelling::everywhere("einsum").ordered(&["equation", "x"])],
        params: &[OPERANDS, EQUATION],
        shape: |unknowns, args, attrs| {
            let labels = contraction(args, attrs).map_err(|why| Misfit::new(Kind::BadArgument, why))?;
            let mut dims: Vec<Option<Dim>> = vec![None; 256];
            for (shape, labels) in args.iter().zip(&labels.args) {
                for (dim, label) in shape.0.iter().zip(labels) {
                    match &dims[usize::from(*label)] {
                        Some(known) if !unknowns.equal(known, dim) => {
                            let letter = char::from(*label);
                            let message = match letter.is_ascii_alphabetic() {
                                true => format!("the letter {letter} stands for {known} and for {dim}"),
                                false => format!("an axis under ... is {known} and {dim}"),
                            };
                            return Err(Misfit::new(Kind::ShapeMismatch, message));
                        }
                        _ => dims[usize::from(*label)] = Some(dim.clone()),
                    }
                }
            }
            let out: Option<Vec<Dim>> = labels.out.iter().map(|label| dims[usize::from(*label)].clone()).collect();
            let none = || Misfit::new(Kind::BadArgument, "a letter of the result stands at no argument");
            out.map(|dims| unknowns.resolve_shape(&Shape(dims))).ok_or_else(none)
        },
        rule: Rule::Linear("product rule"),
        lower: Lower::Labels(|args, attrs| {
            let none = Contraction { args: Vec::new(), out: Vec::new(), divide: Vec::new() };
            contraction(args, attrs).unwrap_or(none)
        }),
        notation: Notation::Contraction,
        title: "contraction",
        sentence: "Each factor moves in turn, with the same letters.",
        ..LINEAR
    },
    Op {
        name: "kron",
        spellings: &[Spelling::everywhere("kron")],
        params: &[X, Param::array("y").also(&["other", "b"])],
        shape: |unknowns, args, _| {
            if args.iter().any(|shape| shape.rank() != 2) {
                return Err(Misfit::new(Kind::WrongRank, "kron is taken of two matrices here"));
            }
            let sides = args[0].0.iter().zip(&args[1].0).map(|(a, b)| unknowns.resolve(a) * unknowns.resolve(b));
            Ok(Shape(sides.collect()))
        },
        value: Value::Whole(|args, _, sizes| {
            let outer = crate::array::contract(
                &[(args[0], &[0, 2]), (args[1], &[1, 3])],
                &[0, 1, 2, 3],
                &[args[0].sizes()[0], args[1].sizes()[0], args[0].sizes()[1], args[1].sizes()[1]],
            );
            super::lanes::filled_or(outer.and_then(|outer| outer.reshape(sizes.to_vec())), sizes)
        }),
        rule: Rule::Linear("product rule"),
        lower: Lower::As(
            "reshape(einsum(x, y, equation='ik,jl->ijkl'), (x.shape[0] * y.shape[0], x.shape[1] * y.shape[1]))",
        ),
        notation: Notation::Infix("⊗"),
        axes: Axes::Mixed,
        title: "Kronecker product",
        sentence: "Each factor moves in turn: d(X ⊗ Y) = dX ⊗ Y + X ⊗ dY.",
        ..LINEAR
    },
    Op {
        name: "vec",
        spellings: &[Spelling::everywhere("vec")],
        params: &[X],
        shape: |unknowns, args, _| match &unknowns.resolve_shape(args[0]).0[..] {
            [m, n] => Ok(Shape(vec![m.clone() * n.clone()])),
            _ => Err(Misfit::new(Kind::WrongRank, "vec stacks the columns of a matrix")),
        },
        value: Value::Whole(|args, _, sizes| {
            super::lanes::filled_or(args[0].transpose().reshape(sizes.to_vec()), sizes)
        }),
        rule: Rule::Linear("stacked columns"),
        lower: Lower::As("reshape(transpose(x), (x.shape[0] * x.shape[1],))"),
        notation: Notation::Call("vec"),
        axes: Axes::Mixed,
        title: "stacked columns",
        sentence: "The differential's columns are stacked in the same way.",
        ..LINEAR
    },
    Op {
        name: "commutation",
        spellings: &[Spelling::everywhere("commutation")],
        params: &[Param::dims()],
        shape: |unknowns, _, attrs| match attrs.dims("dims") {
            [m, n] => {
                let both = unknowns.resolve(m) * unknowns.resolve(n);
                Ok(Shape(vec![both.clone(), both]))
            }
            _ => Err(Misfit::new(Kind::BadArgument, "commutation takes the two dimensions of a matrix")),
        },
        // vec(X) has Xᵢⱼ at j m + i, vec(Xᵀ) at i n + j.
        value: Value::Whole(|_, attrs, sizes| {
            let size = |axis: usize| attrs.dims("dims").get(axis).and_then(Dim::as_size).unwrap_or(1).max(1);
            let (m, n, both) = (size(0), size(1), sizes.last().copied().unwrap_or(1).max(1));
            Array::from_fn(sizes, |at| {
                let (row, column) = (at / both, at % both);
                f64::from(u8::from(column == row % n * m + row / n))
            })
        }),
        rule: Rule::Zero,
        lower: Lower::Atom,
        notation: Notation::Call("K"),
        axes: Axes::Mixed,
        title: "commutation matrix",
        sentence: "K vec(X) = vec(Xᵀ): a permutation, and constant.",
        ..LINEAR
    },
];

fn labels(shape: &Shape) -> Vec<u8> {
    (0..shape.rank() as u8).collect()
}

/// The attribute `order`, if it names every axis of the shape once.
fn order<'a>(shape: &Shape, attrs: &'a Attrs) -> Option<&'a [usize]> {
    match attrs.get("order") {
        Some(Attr::Axes(order)) => {
            let each = (0..shape.rank()).all(|axis| order.contains(&axis));
            (order.len() == shape.rank() && each).then_some(order)
        }
        _ => None,
    }
}

/// The axes that stay: those not named, and those named that are not 1.
fn kept(shape: &Shape, attrs: &Attrs) -> Vec<usize> {
    (0..shape.rank()).filter(|axis| !attrs.axes().contains(axis) || !shape.0[*axis].is_one()).collect()
}

/// How a contraction of two factors is a product of matrices, along equal leading axes
/// or those of one factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatrixProduct {
    /// Is the second factor on the left?
    pub exchanged: bool,
    /// Is the first factor transposed, is the second?
    pub turned: [bool; 2],
}

impl MatrixProduct {
    /// From the labels of the factors and of the result; `None` where they say
    /// something else.
    pub fn of(left: &[u8], right: &[u8], out: &[u8]) -> Option<MatrixProduct> {
        let repeats = |labels: &[u8]| labels.iter().enumerate().any(|(at, label)| labels[..at].contains(label));
        let ([lead_a @ .., i, j], [lead_b @ .., k, l], [lead @ .., row, column]) = (left, right, out) else {
            return None;
        };
        let fits = |own: &[u8]| own.is_empty() || own == lead;
        let lost = lead_a.is_empty() && lead_b.is_empty() && !lead.is_empty();
        if repeats(left) || repeats(right) || repeats(out) || lost || !fits(lead_a) || !fits(lead_b) {
            return None;
        }
        let found = |exchanged, turned| Some(MatrixProduct { exchanged, turned });
        match (row, column) {
            (r, c) if j == k && r == i && c == l => found(false, [false, false]),
            (r, c) if j == l && r == i && c == k => found(false, [false, true]),
            (r, c) if i == k && r == j && c == l => found(false, [true, false]),
            (r, c) if i == l && r == k && c == j => found(true, [false, false]),
            (r, c) if i == k && r == l && c == j => found(true, [false, true]),
            (r, c) if j == l && r == k && c == i => found(true, [true, false]),
            _ => None,
        }
    }

    /// The two factors in their order.
    pub fn ordered<T>(self, [a, b]: [T; 2]) -> [T; 2] {
        if self.exchanged { [b, a] } else { [a, b] }
    }
}

/// The labels of an equation: letters for axes, `...` for those not named.
fn contraction(args: &[&Shape], attrs: &Attrs) -> Result<Contraction, String> {
    let text: String = attrs.text("equation").chars().filter(|c| !c.is_whitespace()).collect();
    let (left, right) = match text.split_once("->") {
        Some((left, right)) => (left, Some(right)),
        None => (&*text, None),
    };
    let sides: Vec<&str> = left.split(',').collect();
    if sides.len() != args.len() {
        return Err(format!("the equation names {} arguments, {} are given", sides.len(), args.len()));
    }
    let letters = |side: &str| side.replace("...", "").len();
    let spare = |(side, shape): (&&str, &&Shape)| shape.rank().saturating_sub(letters(side));
    let hidden = sides.iter().zip(args).filter(|(side, _)| side.contains("...")).map(spare).max().unwrap_or(0);
    let mut found = Vec::new();
    for (side, shape) in sides.iter().zip(args) {
        let own = if side.contains("...") { shape.rank().saturating_sub(letters(side)) } else { 0 };
        let side = side_labels(side, hidden, own)?;
        if side.len() != shape.rank() {
            return Err(format!("the equation names {} axes of an argument that is {}", side.len(), shape.as_tuple()));
        }
        found.push(side);
    }
    let out = match right {
        Some(right) => side_labels(right, hidden, hidden)?,
        None => implied(left, hidden)?,
    };
    Ok(Contraction { args: found, out, divide: Vec::new() })
}

/// Labels of one side: letters by their code, the `own` last of the `hidden` axes by number.
fn side_labels(side: &str, hidden: usize, own: usize) -> Result<Vec<u8>, String> {
    let (before, after) = side.split_once("...").map_or((side, None), |(before, after)| (before, Some(after)));
    let mut labels = Vec::new();
    let letters = |text: &str, labels: &mut Vec<u8>| match text.bytes().find(|b| !b.is_ascii_alphabetic()) {
        Some(other) => Err(format!("an axis is named by one letter, not {:?}", char::from(other))),
        None => {
            labels.extend(text.bytes());
            Ok(())
        }
    };
    letters(before, &mut labels)?;
    if let Some(after) = after {
        labels.extend((hidden - own..hidden).map(|axis| axis as u8));
        letters(after, &mut labels)?;
    }
    Ok(labels)
}

/// Without `->`: the letters that stand once, in the order of the alphabet.
fn implied(left: &str, hidden: usize) -> Result<Vec<u8>, String> {
    let letters: Vec<u8> = left.bytes().filter(u8::is_ascii_alphabetic).collect();
    let mut once: Vec<u8> =
        letters.iter().copied().filter(|l| letters.iter().filter(|o| *o == l).count() == 1).collect();
    once.sort_unstable();
    let lead = if left.contains("...") { 0..hidden as u8 } else { 0..0 };
    Ok(lead.chain(once).collect())
}
