//! Rows that do not mix: one row stands for all.
//!
//! The proof is read off the table ([`Axes`]): the axis of the rows is followed
//! from the variable through every operation. Where it comes out as the leading
//! axis of the result and was never summed, mixed, broadcast or met with itself at
//! another place, d(out[i])/d(x[k]) = 0 for i ≠ k.

use super::copy::{Changes, copied};
use super::moving;
use crate::graph::{Kind, NodeId, Program, Repeat};
use crate::ops::{Attrs, Axes, Lower, OpRef};
use crate::shape::{Name, Shape};
use std::collections::HashMap;

/// The program of one row, and the two nodes asked about in it.
#[derive(Clone, Debug)]
pub struct Row {
    /// The program.
    pub program: Program,
    /// What is differentiated.
    pub out: NodeId,
    /// The variable.
    pub wrt: NodeId,
}

/// The program of one row of the matrix `wrt`, where the rows pass apart to the
/// matrix `out`; `None` where the table does not prove that.
pub fn one_row(program: &Program, out: NodeId, wrt: NodeId) -> Option<Row> {
    if program.shape(wrt).rank() != 2 || program.shape(out).rank() != 2 || program.shape(wrt).0[0].is_one() {
        return None;
    }
    let moves = moving(program, out, wrt);
    let axis = follow(program, &[(wrt, 0)], &moves, out)?;
    if axis.get(&out) != Some(&0) || !moves[wrt.index()] {
        return None;
    }
    let (program, map) = copied(program, out, &Changes { axis, ..Changes::default() })?;
    Some(Row { program, out: *map.get(&out)?, wrt: *map.get(&wrt)? })
}

/// For each node that has the axis of the rows, where it is; `None` if it is
/// mixed somewhere on the way to `out`.
fn follow(
    program: &Program,
    starts: &[(NodeId, usize)],
    moves: &[bool],
    out: NodeId,
) -> Option<HashMap<NodeId, usize>> {
    let mut axis: HashMap<NodeId, usize> = starts.iter().copied().collect();
    let rows = starts.first().and_then(|(start, axis)| program.shape(*start).0.get(*axis))?;
    for index in 0..=out.index() {
        let id = NodeId::new(index);
        if !moves[index] || axis.contains_key(&id) {
            continue;
        }
        let node = program.node(id);
        let through = match &node.kind {
            Kind::Apply(op, attrs) => through(program, id, (op, attrs), moves, &mut axis)?,
            Kind::Repeat(repeat) => through_loop(repeat, &node.args, &axis)?,
            Kind::Carried(_) => *axis.get(&node.args[0])?,
            _ => return None,
        };
        // One row that is broadcast has a part in many. A loop by itself has no shape.
        if node.shape.0.get(through).is_some_and(|dim| dim != rows) {
            return None;
        }
        axis.insert(id, through);
    }
    Some(axis)
}

/// Where the axis of the rows comes out of one operation.
fn through(
    program: &Program,
    id: NodeId,
    (op, attrs): (OpRef, &Attrs),
    moves: &[bool],
    axis: &mut HashMap<NodeId, usize>,
) -> Option<usize> {
    let args = &program.node(id).args;
    let shapes: Vec<&Shape> = args.iter().map(|arg| program.shape(*arg)).collect();
    let tracked = |axis: &HashMap<NodeId, usize>| -> Option<Vec<(usize, usize)>> {
        let moving = args.iter().enumerate().filter(|(_, arg)| moves[arg.index()]);
        moving.map(|(i, arg)| Some((i, *axis.get(arg)?))).collect()
    };
    let at = tracked(axis)?;
    match (op.axes, &op.lower) {
        (Axes::Elementwise, _) => {
            let from_last = |(i, a): &(usize, usize)| shapes[*i].rank() - 1 - a;
            let place = from_last(at.first()?);
            if at.iter().any(|pair| from_last(pair) != place) {
                return None;
            }
            // What rests and has the axis too gives its row.
            for (arg, shape) in args.iter().zip(&shapes).filter(|(arg, _)| !moves[arg.index()]) {
                if shape.from_last(place).is_some_and(|dim| !dim.is_one()) {
                    slice(program, *arg, shape.rank() - 1 - place, axis)?;
                }
            }
            let rank = shapes.iter().map(|s| s.rank()).max()?;
            Some(rank - 1 - place)
        }
        (Axes::Labels, Lower::Labels(labels)) => {
            let contraction = labels(&shapes, attrs);
            let (first, a) = at.first()?;
            let label = contraction.args[*first][*a];
            let same = |(i, a): &(usize, usize)| contraction.args[*i][*a] == label;
            if !at.iter().all(same) || contraction.divide.contains(&label) {
                return None;
            }
            for (i, arg) in args.iter().enumerate() {
                let places: Vec<usize> = (0..shapes[i].rank()).filter(|p| contraction.args[i][*p] == label).collect();
                match (moves[arg.index()], places.as_slice()) {
                    (true, [_]) | (false, []) => {}
                    (false, [place]) => slice(program, *arg, *place, axis)?,
                    _ => return None,
                }
            }
            let mut outs = contraction.out.iter().enumerate().filter(|(_, l)| **l == label);
            match (outs.next(), outs.next()) {
                (Some((place, _)), None) => Some(place),
                _ => None,
            }
        }
        (Axes::ButAxis, _) => {
            let (_, a) = *at.first()?;
            if at.iter().any(|(_, other)| *other != a) {
                return None;
            }
            // What rests and has the axis too gives its row.
            for (arg, shape) in args.iter().zip(&shapes).filter(|(arg, _)| !moves[arg.index()]) {
                if shape.rank() == shapes[at[0].0].rank() {
                    slice(program, *arg, a, axis)?;
                }
            }
            (!attrs.axes().contains(&a)).then(|| {
                let gone = attrs.axes().iter().filter(|x| **x < a).count();
                if program.shape(id).rank() == shapes[0].rank() { a } else { a - gone }
            })
        }
        (Axes::ButLast, _) => at.iter().find(|(i, _)| *i == 0).map(|(_, a)| *a).filter(|a| a + 1 < shapes[0].rank()),
        _ => None,
    }
}

/// Notes that a resting input gives its row too.
fn slice(program: &Program, id: NodeId, place: usize, axis: &mut HashMap<NodeId, usize>) -> Option<()> {
    let is_input = matches!(program.node(id).kind, Kind::Input(_));
    (is_input && *axis.entry(id).or_insert(place) == place).then_some(())
}

/// Through a loop: the carried values must keep the axis where it was.
fn through_loop(repeat: &Repeat, args: &[NodeId], axis: &HashMap<NodeId, usize>) -> Option<usize> {
    let body_axis = loop_axes(repeat, args, axis)?;
    let [(start, end)] = repeat.carried[..] else { return None };
    (body_axis.get(&end) == body_axis.get(&start)).then_some(())?;
    body_axis.get(&end).copied()
}

/// Where the axis is inside the body of a loop.
pub(super) fn loop_axes(
    repeat: &Repeat,
    args: &[NodeId],
    axis: &HashMap<NodeId, usize>,
) -> Option<HashMap<NodeId, usize>> {
    let [(start, end)] = repeat.carried[..] else { return None };
    // Stacked and shared values rest: a moving one would take from every turn.
    if args[1..].iter().any(|arg| axis.contains_key(arg)) {
        return None;
    }
    let moves = moving(&repeat.body, end, start);
    follow(&repeat.body, &[(start, *axis.get(&args[0])?)], &moves, end)
}

/// The program cut at `at`, which becomes an input of its own; `None` where `out`
/// does not stand after it.
pub(super) fn cut(program: &Program, out: NodeId, at: NodeId) -> Option<Row> {
    let defined = || program.definitions.iter().rev().find(|d| d.node == at).map(|d| d.name.clone());
    let name = program.name(at).cloned().or_else(defined).unwrap_or_else(|| Name::from("cut"));
    let (mut program, map) = copied(program, out, &Changes { cut: Some((at, &name)), ..Changes::default() })?;
    program.assumptions.push(format!("the program is cut at {name}: {name} counts as a variable of its own"));
    Some(Row { program, out: *map.get(&out)?, wrt: *map.get(&at)? })
}
