//! Where values are not finite, or have no finite derivative.

use super::plan::Values;
use crate::array::Array;
use crate::diagnostic::{Diagnostic, Kind as Mistake};
use crate::graph::{Kind, NodeId, Program};
use crate::ops::{Axes, Gap, Op};

/// The first computed node that is not finite although its arguments are:
/// what went wrong there, at which entry.
pub fn not_finite(program: &Program, values: &Values) -> Option<Diagnostic> {
    walk(program, values, &|program, values, node| {
        let value = values.find(node)?;
        let at = value.data().iter().position(|x| !x.is_finite())?;
        let args = &program.node(node).args;
        let finite = |arg: &NodeId| values.find(*arg).is_none_or(|x| x.data().iter().all(|x| x.is_finite()));
        if !args.iter().all(finite) {
            return None;
        }
        let op = program.op(node).map(|(op, _)| op);
        let reason = op.and_then(|op| gap(program, values, node, op, op.undefined, at));
        let message = reason.unwrap_or_else(|| {
            let what = op.map_or("the value", |op| op.name);
            match value.rank() {
                0 => format!("{what} is not finite: it is {}", value.data()[at]),
                _ => format!("{what} is not finite: entry {} is {}", entry(value, at), value.data()[at]),
            }
        });
        Some(told(program, node, message))
    })
}

/// The first computed node whose derivative is infinite although its value is
/// finite: the square root at 0.
pub fn infinite_slope(program: &Program, values: &Values) -> Option<Diagnostic> {
    walk(program, values, &|program, values, node| {
        let (op, _) = program.op(node)?;
        let count = if op.axes == Axes::Elementwise { values.find(node)?.data().len() } else { 1 };
        let message = (0..count).find_map(|at| gap(program, values, node, op, op.steep, at))?;
        Some(told(program, node, message))
    })
}

/// The entry at this place of the data, as people count: `2`, `[0, 1]`.
pub(super) fn entry(array: &Array, at: usize) -> String {
    match array.indices(at).as_slice() {
        [one] => one.to_string(),
        indices => format!("{indices:?}"),
    }
}

/// Looks at the nodes in order, inside loops turn by turn.
fn walk(
    program: &Program,
    values: &Values,
    look: &dyn Fn(&Program, &Values, NodeId) -> Option<Diagnostic>,
) -> Option<Diagnostic> {
    for node in values.nodes() {
        if let Kind::Repeat(repeat) = &program.node(node).kind {
            // Loops are nested as deep as the source indents them.
            for (k, turn) in values.turns(node).iter().enumerate() {
                if let Some(mut found) = walk(&repeat.body, turn, look) {
                    found.message = format!("{}, at {} = {k}", found.message, repeat.index);
                    return Some(found);
                }
            }
        } else if let Some(found) = look(program, values, node) {
            return Some(found);
        }
    }
    None
}

/// What is said of the first gap that the arguments meet at entry `at` of the result.
fn gap(program: &Program, values: &Values, node: NodeId, op: &Op, gaps: &[Gap], at: usize) -> Option<String> {
    let args = &program.node(node).args;
    let arrays: Vec<&Array> = args.iter().map(|arg| values.find(*arg)).collect::<Option<_>>()?;
    if op.axes != Axes::Elementwise {
        let (lanes, length) = lanes(program, node, arrays.first()?);
        let holds = |gap: &&Gap| lanes.data().chunks(length.max(1)).any(gap.when);
        return gaps.iter().find(holds).map(|gap| gap.says.to_string());
    }
    let result = values.find(node)?;
    let places: Vec<usize> = arrays.iter().map(|x| place(x, &result.indices(at))).collect();
    let entries: Vec<f64> = arrays.iter().zip(&places).map(|(x, at)| x.data()[*at]).collect();
    let gap = gaps.iter().find(|gap| (gap.when)(&entries))?;
    let (array, place, value) = (arrays.get(gap.argument)?, places.get(gap.argument)?, entries.get(gap.argument)?);
    let name = called(program, args[gap.argument]);
    Some(match array.rank() {
        0 => format!("{}: {name} is {value}", gap.says),
        _ => format!("{}: entry {} of {name} is {value}", gap.says, entry(array, *place)),
    })
}

/// What an operation that is not elementwise works on at a time: lanes along its axes, or all.
fn lanes(program: &Program, node: NodeId, x: &Array) -> (Array, usize) {
    match program.op(node) {
        Some((op, attrs)) if op.axes == Axes::ButAxis => x.lanes(attrs.axes()),
        Some((op, _)) if op.axes == Axes::ButLast => x.lanes(&[x.rank().saturating_sub(1)]),
        _ => (x.clone(), x.data().len()),
    }
}

/// The place in an argument's data that an entry of the result comes from.
fn place(array: &Array, indices: &[usize]) -> usize {
    let own = indices.iter().skip(indices.len().saturating_sub(array.rank()));
    own.zip(array.sizes()).fold(0, |at, (index, size)| at * size + index.min(&(size.max(&1) - 1)))
}

/// A node as the source has it.
pub(super) fn called(program: &Program, node: NodeId) -> String {
    let written = || program.node(node).span.map(|span| span.of(&program.source).to_string());
    let name = program.name(node).map(|name| name.to_string());
    name.or_else(written).filter(|text| !text.is_empty()).unwrap_or_else(|| "its argument".to_string())
}

fn told(program: &Program, node: NodeId, message: String) -> Diagnostic {
    Diagnostic { span: program.node(node).span, ..Diagnostic::new(Mistake::NotFinite, message) }
}
