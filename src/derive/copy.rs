//! Programs copied with something changed: one row of a batch, a cut, operations
//! spelled out.

use super::rows::loop_axes;
use crate::graph::{Definition, Env, Kind, NodeId, Program, Repeat, build};
use crate::ops::{Attr, Attrs, OpRef, ParamKind};
use crate::shape::{Name, Shape};
use std::collections::HashMap;

/// What is changed in a copy of a program.
#[derive(Default)]
pub(super) struct Changes<'a> {
    /// The axis that a node loses.
    pub axis: HashMap<NodeId, usize>,
    /// A node that becomes an input of this name.
    pub cut: Option<(NodeId, &'a Name)>,
    /// Operations that are spelled out as their definitions say.
    pub spelled: &'a [OpRef],
}

/// The program up to `out` with the changes, and where each node went; `None`
/// where they do not fit.
pub(super) fn copied(program: &Program, out: NodeId, changes: &Changes) -> Option<(Program, HashMap<NodeId, NodeId>)> {
    copied_to(program, &[out], changes)
}

/// The program up to all of `ends`; the first is its result.
fn copied_to(program: &Program, ends: &[NodeId], changes: &Changes) -> Option<(Program, HashMap<NodeId, NodeId>)> {
    let (axis, cut) = (&changes.axis, changes.cut);
    let (out, last) = (*ends.first()?, *ends.iter().max()?);
    let mut row = Program::new();
    row.title.clone_from(&program.title);
    row.source = program.source.clone();
    row.sizes = program.sizes.clone();
    row.assumptions.clone_from(&program.assumptions);
    let mut needed = vec![false; last.index() + 1];
    ends.iter().for_each(|end| needed[end.index()] = true);
    for index in (0..=last.index()).rev() {
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
    for index in (0..=last.index()).filter(|i| needed[*i]) {
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
            Kind::Apply(op, attrs) if changes.spelled.contains(op) => {
                build(&mut row, op.definition?, &Env::of_call(op, attrs, &args)).ok()?
            }
            Kind::Apply(op, attrs) => {
                let taken = node.args.iter().find_map(|arg| axis.get(arg));
                row.apply(op, &args, shifted(op, attrs, taken)?).ok()?
            }
            Kind::Repeat(repeat) => {
                let carried = row.repeat(loop_copied(repeat, &node.args, changes)?, args);
                *row.node(*carried.first()?).args.first()?
            }
            Kind::Carried(i) => row.carried(*map.get(&node.args[0])?, *i)?,
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
    row.suggested_wrt = program.suggested_wrt.as_ref().and_then(|(id, why)| Some((moved(id)?, why.clone())));
    row.output = moved(&out)?;
    Some((row, map))
}

fn loop_copied(repeat: &Repeat, args: &[NodeId], changes: &Changes) -> Option<Repeat> {
    let loses = args[..repeat.carried.len()].iter().any(|arg| changes.axis.contains_key(arg));
    let axis = if loses { loop_axes(repeat, args, &changes.axis)? } else { HashMap::new() };
    let ends: Vec<NodeId> = repeat.carried.iter().map(|(_, end)| *end).collect();
    let (body, map) = copied_to(&repeat.body, &ends, &Changes { axis, cut: None, spelled: changes.spelled })?;
    let moved = |ids: &[NodeId]| ids.iter().map(|id| map.get(id).copied()).collect::<Option<Vec<_>>>();
    Some(Repeat {
        count: repeat.count.clone(),
        index: repeat.index.clone(),
        carried: repeat
            .carried
            .iter()
            .map(|(start, end)| Some((*map.get(start)?, *map.get(end)?)))
            .collect::<Option<_>>()?,
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
        (Attr::Dims(_), Some(ParamKind::Dims)) => None,
        (other, _) => Some((*name, other.clone())),
    };
    attrs.0.iter().map(shift).collect::<Option<Vec<_>>>().map(Attrs)
}
