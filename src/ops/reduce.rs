//! Transposes and sums over axes.

use super::common::broadcast;
use super::{Attrs, Axes, Contraction, Lower, Misfit, Notation, Op, Param, Preset, Rule, Spelling, Value};
use crate::shape::{Dim, Shape, Unknowns};

const X: Param = Param::array("x");

pub const OPS: &[Op] = &[
    Op {
        name: "transpose",
        spellings: &[],
        params: &[X],
        shape: |_, args, _| Ok(Shape(args[0].0.iter().rev().cloned().collect())),
        value: Value::Lowered,
        rule: Rule::Linear("transpose"),
        lower: Lower::Labels(|args, _| {
            let labels: Vec<u8> = (0..args[0].rank() as u8).collect();
            Contraction { out: labels.iter().rev().copied().collect(), args: vec![labels], divide: Vec::new() }
        }),
        definition: None,
        notation: Notation::Transpose,
        axes: Axes::Labels,
        domain: &[(-2.0, 2.0)],
        kink: None,
        undefined: &[],
        title: "transpose",
        sentence: "The differential of a transpose is the transpose of the differential.",
    },
    Op {
        name: "sum",
        spellings: &[Spelling::everywhere("sum")],
        params: &[X, Param::axis(Some(Preset::AllAxes)), Param::keepdims()],
        shape: reduced,
        value: Value::Lowered,
        rule: Rule::Linear("sum over entries"),
        lower: Lower::Labels(|args, attrs| summed(args, attrs, false)),
        definition: None,
        notation: Notation::Call("sum"),
        axes: Axes::Labels,
        domain: &[(-2.0, 2.0)],
        kink: None,
        undefined: &[],
        title: "sum over entries",
        sentence: "The differential of a sum over entries is the sum of their differentials.",
    },
    Op {
        name: "mean",
        spellings: &[Spelling::everywhere("mean")],
        params: &[X, Param::axis(Some(Preset::AllAxes)), Param::keepdims()],
        shape: reduced,
        value: Value::Lowered,
        rule: Rule::Linear("mean"),
        lower: Lower::Labels(|args, attrs| summed(args, attrs, true)),
        definition: None,
        notation: Notation::Call("mean"),
        axes: Axes::Labels,
        domain: &[(-2.0, 2.0)],
        kink: None,
        undefined: &[],
        title: "mean",
        sentence: "The differential of a mean is the mean of the differentials.",
    },
];

/// The shape without the axes summed over; they stay as 1 with `keepdims`.
fn reduced(unknowns: &mut Unknowns, args: &[&Shape], attrs: &Attrs) -> Result<Shape, Misfit> {
    let keep = attrs.flag("keepdims");
    let full = broadcast(unknowns, args, attrs)?;
    let kept = full.0.into_iter().enumerate().filter_map(|(axis, dim)| match attrs.axes().contains(&axis) {
        true => keep.then(|| Dim::size(1)),
        false => Some(dim),
    });
    Ok(Shape(kept.collect()))
}

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
