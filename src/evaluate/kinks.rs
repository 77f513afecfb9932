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

/// Does each kink among the computed nodes lie at least `margin` away from where it is met?
pub fn clear_of_kinks(program: &Program, values: &Values, margin: f64) -> bool {
    values.nodes().all(|node| {
        if let Kind::Repeat(repeat) = &program.node(node).kind {
            return values.turns(node).iter().all(|turn| clear_of_kinks(&repeat.body, turn, margin));
        }
        let kink = program.op(node).and_then(|(op, _)| Some((op, op.kink.as_ref()?)));
        kink.is_none_or(|(op, kink)| match op.axes {
            Axes::Elementwise => {
                distances(kink, program, values, node).is_some_and(|all| all.data().iter().all(|d| d.abs() >= margin))
            }
            _ => lanes_keep_their_sides(kink, program, values, node, margin),
        })
    })
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
    let sign = |side: f64| f64::from(i8::from(side > 0.0) - i8::from(side < 0.0));
    distances(kink, program, values, node).map(|sides| sides.map(sign))
}

/// For each entry of the result what changes its sign at the kink.
fn distances(kink: &Kink, program: &Program, values: &Values, node: NodeId) -> Option<Array> {
    let sizes = values.find(node)?.sizes();
    let full = |arg: &NodeId| values.find(*arg)?.broadcast_to(sizes);
    let args: Vec<Array> = program.node(node).args.iter().map(full).collect::<Option<_>>()?;
    let mut entries = vec![0.0; args.len()];
    Some(Array::from_fn(sizes, |at| {
        entries.iter_mut().zip(&args).for_each(|(entry, arg)| *entry = arg.data()[at]);
        (kink.side)(&entries)
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

/// Does no lane come to another side when one of its entries moves by the margin?
fn lanes_keep_their_sides(kink: &Kink, program: &Program, values: &Values, node: NodeId, margin: f64) -> bool {
    let x = program.node(node).args.first().and_then(|arg| values.find(*arg));
    let (Some(x), Some((_, attrs))) = (x, program.op(node)) else { return false };
    let (lanes, length) = x.lanes(attrs.axes());
    lanes.data().chunks(length.max(1)).all(|lane| {
        let side = (kink.side)(lane);
        let moved = |at: usize, by: f64| {
            let mut lane = lane.to_vec();
            lane[at] += by;
            (kink.side)(&lane)
        };
        (0..lane.len()).all(|at| moved(at, margin) == side && moved(at, -margin) == side)
    })
}
