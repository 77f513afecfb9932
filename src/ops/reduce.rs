//! Transposes, sums and products over axes.

use super::common::{FUNCTION, LINEAR, reduced};
use super::lanes::reduce;
use super::{Attrs, Axes, Contraction, Gap, Lower, Misfit, Notation, Op, Param, Preset, Rule, Spelling, Value};
use crate::diagnostic::Kind;
use crate::shape::Shape;

const X: Param = Param::array("x").also(&["input", "a"]);
const AXIS: Param = Param::axis(Some(Preset::AllAxes));

pub const OPS: &[Op] = &[
    Op {
        name: "transpose",
        spellings: &[Spelling::everywhere("t")],
        params: &[X],
        shape: |unknowns, args, _| Ok(unknowns.resolve_shape(&Shape(args[0].0.iter().rev().cloned().collect()))),
        rule: Rule::Linear("transpose"),
        lower: Lower::Labels(|args, _| {
            let labels: Vec<u8> = (0..args[0].rank() as u8).collect();
            Contraction { out: labels.iter().rev().copied().collect(), args: vec![labels], divide: Vec::new() }
        }),
        notation: Notation::Transpose,
        title: "transpose",
        sentence: "The differential of a transpose is the transpose of the differential.",
        ..LINEAR
    },
    Op {
        name: "matrix_transpose",
        spellings: &[Spelling::everywhere("mT"), Spelling::everywhere("matrix_transpose")],
        params: &[X],
        shape: |unknowns, args, _| {
            let mut dims = unknowns.resolve_shape(args[0]).0;
            if let [.., row, column] = &mut dims[..] {
                std::mem::swap(row, column);
                return Ok(Shape(dims));
            }
            Err(Misfit::new(Kind::WrongRank, "the matrix transpose needs a matrix, or matrices along leading axes"))
        },
        rule: Rule::Linear("transpose"),
        lower: Lower::Labels(|args, _| {
            let labels: Vec<u8> = (0..args[0].rank() as u8).collect();
            let mut out = labels.clone();
            if let [.., row, column] = &mut out[..] {
                std::mem::swap(row, column);
            }
            Contraction { args: vec![labels], out, divide: Vec::new() }
        }),
        notation: Notation::MatrixTranspose,
        title: "transpose",
        sentence: "The differential of a transpose is the transpose of the differential.",
        ..LINEAR
    },
    Op {
        name: "sum",
        spellings: &[Spelling::everywhere("sum")],
        params: &[X, AXIS, Param::keepdims()],
        shape: reduced,
        rule: Rule::Linear("sum over entries"),
        lower: Lower::Labels(|args, attrs| summed(args, attrs, false)),
        notation: Notation::Sum,
        title: "sum over entries",
        sentence: "The differential of a sum over entries is the sum of their differentials.",
        ..LINEAR
    },
    Op {
        name: "mean",
        spellings: &[Spelling::everywhere("mean"), Spelling::everywhere("average")],
        params: &[X, AXIS, Param::keepdims()],
        shape: reduced,
        rule: Rule::Linear("mean"),
        lower: Lower::Labels(|args, attrs| summed(args, attrs, true)),
        notation: Notation::Call("mean"),
        title: "mean",
        sentence: "The differential of a mean is the mean of the differentials.",
        ..LINEAR
    },
];

/// Products of entries.
pub const PRODUCTS: &[Op] = &[Op {
    name: "prod",
    spellings: &[Spelling::everywhere("prod")],
    params: &[X, AXIS, Param::keepdims()],
    shape: reduced,
    value: Value::Whole(|args, attrs, sizes| reduce(args[0], attrs, sizes, |lane| lane.iter().product())),
    rule: Rule::Text("sum(prod(x, axis, keepdims=True) / x * dx, axis, keepdims)"),
    notation: Notation::Call("prod"),
    axes: Axes::ButAxis,
    domain: &[(0.3, 1.5)],
    steep: &[Gap::new(|v| v.contains(&0.0), "the rule of a product divides by each of its entries: none may be 0")],
    title: "product of entries",
    sentence: "Each entry brings the product of the others: the whole product divided by the entry.",
    ..FUNCTION
}];

/// Labels of a sum or mean over the attribute `axis`.
fn summed(args: &[&Shape], attrs: &Attrs, mean: bool) -> Contraction {
    let rank = args[0].rank() as u8;
    let over: Vec<u8> = attrs.axes().iter().map(|axis| *axis as u8).collect();
    let out = (0..rank).filter_map(|label| match over.contains(&label) {
        // An axis kept at size 1 has a fresh label that nothing carries.
        true => attrs.flag("keepdims").then_some(rank + label),
        false => Some(label),
    });
    Contraction { args: vec![(0..rank).collect()], out: out.collect(), divide: if mean { over } else { Vec::new() } }
}
