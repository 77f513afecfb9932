//! Rows that do not mix: one row stands for all.
//!
//! The proof is read off the table ([`Axes`]): the axis of the rows is followed
//! from the variable through every operation. Where it comes out as the leading
//! axis of the result and was never summed, mixed, broadcast or met with itself at
//! another place, d(out[i])/d(x[k]) = 0 for i ≠ k.

use super::moving;
use crate::graph::{Definition, Kind, NodeId, Program, Repeat};
use crate::ops::{Attr, Attrs, Axes, Lower, OpRef, ParamKind};
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
    let (program, map) = rebuilt(program, &axis, out, None)?;
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
fn loop_axes(repeat: &Repeat, args: &[NodeId], axis: &HashMap<NodeId, usize>) -> Option<HashMap<NodeId, usize>> {
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
    let (mut program, map) = rebuilt(program, &HashMap::new(), out, Some((at, &name)))?;
    program.assumptions.push(format!("the program is cut at {name}: {name} counts as a variable of its own"));
    Some(Row { program, out: *map.get(&out)?, wrt: *map.get(&at)? })
}

/// The program with the axis of the rows taken out, and cut at a node, and where
/// each node went.
fn rebuilt(
    program: &Program,
    axis: &HashMap<NodeId, usize>,
    out: NodeId,
    cut: Option<(NodeId, &Name)>,
) -> Option<(Program, HashMap<NodeId, NodeId>)> {
    let mut row = Program::new();
    row.title.clone_from(&program.title);
    row.source = program.source.clone();
    row.sizes = program.sizes.clone();
    row.assumptions.clone_from(&program.assumptions);
    let mut needed = vec![false; out.index() + 1];
    needed[out.index()] = true;
    for index in (0..=out.index()).rev() {
        if needed[index] && cut.is_none_or(|(at, _)| at.index() != index) {
            for arg in &program.node(NodeId::new(index)).args {
                needed[arg.index()] = true;
            }
        }
    }
    let mut map: HashMap<NodeId, NodeId> = HashMap::new();
    // Inputs first and in their order, also those that are not needed.
    for id in &program.inputs {
        let shape = reduced(program.shape(*id), axis.get(id));
        map.insert(*id, row.input(program.name(*id)?, shape));
    }
    if let Some((at, name)) = cut {
        map.insert(at, row.input(name, program.shape(at).clone()));
    }
    for index in (0..=out.index()).filter(|i| needed[*i]) {
        let id = NodeId::new(index);
        if map.contains_key(&id) {
            continue;
        }
        let node = program.node(id);
        let args: Vec<NodeId> = node.args.iter().map(|arg| map.get(arg).copied()).collect::<Option<_>>()?;
        let shape = reduced(&node.shape, axis.get(&id));
        let new = match &node.kind {
            Kind::Number(number) => row.number(*number),
            Kind::Size(dim) => row.size(dim.clone()),
            Kind::Apply(op, attrs) => {
                let taken = node.args.iter().find_map(|arg| axis.get(arg));
                row.apply(op, &args, shifted(op, attrs, taken)?).ok()?
            }
            // A loop's values come into the map together with the loop.
            Kind::Repeat(repeat) => {
                let carried = row.repeat(loop_without_axis(repeat, &node.args, axis)?, args);
                *carried.first()?
            }
            Kind::Carried(i) => {
                let start = *map.get(&node.args[0])?;
                if *i == 0 { start } else { return None }
            }
            _ => return None,
        };
        // A loop by itself has no shape.
        if *row.shape(new) != shape && !matches!(node.kind, Kind::Repeat(_)) {
            return None;
        }
        if let Some(span) = node.span {
            row.place(new, span);
        }
        if let Some(name) = program.name(id) {
            row.set_name(new, name.clone());
        }
        map.insert(id, new);
    }
    for definition in &program.definitions {
        if let Some(node) = map.get(&definition.node) {
            row.definitions.push(Definition { node: *node, ..definition.clone() });
        }
    }
    let moved = |id: &NodeId| map.get(id).copied();
    row.properties = program.properties.iter().filter_map(|(id, p)| Some((moved(id)?, p.clone()))).collect();
    row.settings = program.settings.iter().filter_map(|(id, v)| Some((moved(id)?, *v))).collect();
    row.output = moved(&out)?;
    Some((row, map))
}

fn loop_without_axis(repeat: &Repeat, args: &[NodeId], axis: &HashMap<NodeId, usize>) -> Option<Repeat> {
    let [(start, end)] = repeat.carried[..] else { return None };
    let body_axis = if axis.contains_key(&args[0]) { loop_axes(repeat, args, axis)? } else { HashMap::new() };
    let (body, map) = rebuilt(&repeat.body, &body_axis, end, None)?;
    let moved = |ids: &[NodeId]| ids.iter().map(|id| map.get(id).copied()).collect::<Option<Vec<_>>>();
    Some(Repeat {
        count: repeat.count.clone(),
        index: repeat.index.clone(),
        carried: vec![(*map.get(&start)?, *map.get(&end)?)],
        stacked: moved(&repeat.stacked)?,
        shared: moved(&repeat.shared)?,
        counter: match repeat.counter {
            Some(counter) => Some(*map.get(&counter)?),
            None => None,
        },
        body,
    })
}

fn reduced(shape: &Shape, axis: Option<&usize>) -> Shape {
    // A loop by itself has no shape; its axis is that of what it carries.
    axis.filter(|axis| **axis < shape.rank()).map_or_else(|| shape.clone(), |axis| shape.without(*axis))
}

/// The attributes for arguments without the axis `taken`; `None` where an
/// attribute speaks of whole shapes.
fn shifted(op: OpRef, attrs: &Attrs, taken: Option<&usize>) -> Option<Attrs> {
    let Some(taken) = taken else { return Some(attrs.clone()) };
    let kind = |name: &str| op.params.iter().find(|param| param.name == name).map(|param| param.kind);
    let shift = |(name, attr): &(&'static str, Attr)| match (attr, kind(name)) {
        // A new axis at the place of the one taken stands there still.
        (Attr::Axes(axes), Some(ParamKind::NewAxis(_))) => {
            let axes = axes.iter().map(|a| if a > taken { a - 1 } else { *a });
            Some((*name, Attr::Axes(axes.collect())))
        }
        (Attr::Axes(axes), _) => {
            let axes = axes.iter().filter(|a| *a != taken).map(|a| if a > taken { a - 1 } else { *a });
            Some((*name, Attr::Axes(axes.collect())))
        }
        // What names the last axes names the same ones without one before them.
        (Attr::Dims(_), Some(ParamKind::Dims)) if op.axes != Axes::ButLast => None,
        (other, _) => Some((*name, other.clone())),
    };
    attrs.0.iter().map(shift).collect::<Option<Vec<_>>>().map(Attrs)
}
