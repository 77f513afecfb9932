//! On which side of its kinks a program runs.

use super::plan::Values;
use crate::array::Array;
use crate::graph::{Kind, NodeId, Program};
use crate::ops::{Axes, Kink};

/// The side of one operation's kink that each entry lies on.
#[derive(Clone, Debug, PartialEq)]
pub struct Side {
    /// The operation's node, in the body of the innermost loop around it.
    pub node: NodeId,
    /// The turn of each loop around it, outermost first.
    pub turns: Vec<usize>,
    /// For each entry of the result 0 on the kink, else the side it lies on.
    pub signs: Array,
    /// The convention at the kink.
    pub says: &'static str,
}

/// An entry that sits exactly on a kink.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// The operation's node, in the body of the innermost loop around it.
    pub node: NodeId,
    /// The turn of each loop around it, outermost first.
    pub turns: Vec<usize>,
    /// The entry of the result, one index an axis.
    pub entry: Vec<usize>,
    /// The convention: "relu'(0) = 0".
    pub says: &'static str,
}

/// The sides of all kinks among the computed nodes, in order. Two runs of one
/// program give lists that match place by place.
pub fn sides(program: &Program, values: &Values) -> Vec<Side> {
    let mut found = Vec::new();
    collect(program, values, &mut Vec::new(), &mut found);
    found
}

/// The entries that sit exactly on a kink, in order.
pub fn hits(program: &Program, values: &Values) -> Vec<Hit> {
    let on_kink = |side: &Side| {
        let zeros = side.signs.data().iter().enumerate().filter(|(_, sign)| **sign == 0.0);
        let hit = |(at, _)| Hit {
            node: side.node,
            turns: side.turns.clone(),
            entry: side.signs.indices(at),
            says: side.says,
        };
        zeros.map(hit).collect::<Vec<_>>()
    };
    sides(program, values).iter().flat_map(on_kink).collect()
}

/// Loops are nested as deep as the source indents them.
fn collect(program: &Program, values: &Values, turns: &mut Vec<usize>, found: &mut Vec<Side>) {
    for node in values.nodes() {
        if let Kind::Repeat(repeat) = &program.node(node).kind {
            for (k, turn) in values.turns(node).iter().enumerate() {
                turns.push(k);
                collect(&repeat.body, turn, turns, found);
                turns.pop();
            }
        } else if let Some((op, _)) = program.op(node)
            && let Some(kink) = &op.kink
            && let Some(signs) = match op.axes {
                Axes::Elementwise => signs(kink, program, values, node),
                _ => lane_signs(kink, program, values, node),
            }
        {
            found.push(Side { node, turns: turns.clone(), signs, says: kink.says });
        }
    }
}

fn signs(kink: &Kink, program: &Program, values: &Values, node: NodeId) -> Option<Array> {
    let sizes = values.find(node)?.sizes();
    let full = |arg: &NodeId| values.find(*arg)?.broadcast_to(sizes);
    let args: Vec<Array> = program.node(node).args.iter().map(full).collect::<Option<_>>()?;
    let mut entries = vec![0.0; args.len()];
    Some(Array::from_fn(sizes, |at| {
        entries.iter_mut().zip(&args).for_each(|(entry, arg)| *entry = arg.data()[at]);
        let side = (kink.side)(&entries);
        if side > 0.0 {
            1.0
        } else if side < 0.0 {
            -1.0
        } else {
            0.0
        }
    }))
}

/// The sides of the lanes along the axes of a reduction.
fn lane_signs(kink: &Kink, program: &Program, values: &Values, node: NodeId) -> Option<Array> {
    let (_, attrs) = program.op(node)?;
    let x = values.find(*program.node(node).args.first()?)?;
    let (lanes, length) = x.lanes(attrs.axes());
    let sides = lanes.data().chunks(length.max(1)).map(kink.side).collect();
    Array::new(values.find(node)?.sizes().to_vec(), sides)
}
