//! Points to try a program at, fixed by a text.

use super::inputs::Inputs;
use super::properties::with_property;
use super::random::Random;
use super::sizes::choose_sizes;
use crate::array::{Array, entries};
use crate::diagnostic::{Diagnostic, Kind as Mistake};
use crate::graph::{Kind, NodeId, Program};
use crate::ops::{Lower, ParamKind};
use crate::shape::Sizes;
use std::collections::HashMap;

/// A point for all inputs, fixed by `seed` and `attempt`: values of order one,
/// matrices scaled so that products keep that order, properties respected.
/// Settings are not applied: see [`apply_settings`].
///
/// # Errors
/// An input too large to be drawn, dimensions that no sizes fit.
pub fn draw(program: &Program, seed: &str, attempt: usize) -> Result<Inputs, Diagnostic> {
    draw_at(program, &program.sizes, seed, attempt)
}

/// [`draw`] with these sizes fixed.
///
/// Attempts differ in kind as well as in number, so that a program which is not
/// finite everywhere finds its ground: every fourth is positive throughout,
/// every fourth has dominant diagonals and entries below one, and where many
/// products follow each other every second has small matrices.
///
/// # Errors
/// As [`draw`].
pub fn draw_at(program: &Program, fixed: &Sizes, seed: &str, attempt: usize) -> Result<Inputs, Diagnostic> {
    let sizes = choose_sizes(program, fixed)?;
    let depth = depth(program, &sizes);
    let mut random = Random::new(seed, attempt as u64);
    let classes = classes(program, &sizes);
    let mut inputs = Inputs::new(sizes);
    for input in &program.inputs {
        let shape = program.shape(*input);
        let sizes = shape.eval(&inputs.sizes).filter(|sizes| entries(sizes).is_some()).ok_or_else(|| {
            let name = program.name(*input).map_or("an input", |name| &**name);
            Diagnostic::new(Mistake::TooLarge, format!("{name} is {shape}: too many entries to compute with"))
        })?;
        let mut value = match classes.get(input) {
            Some(classes) => Array::from_fn(&sizes, |_| random.between(0.0, *classes as f64).floor().max(0.0)),
            None => plain(&sizes, attempt, depth, &mut random),
        };
        let mut properties: Vec<_> = program.properties.iter().filter(|(node, _)| node == input).collect();
        // Positive entries first: a symmetric or definite matrix made of them stays so.
        properties.sort_by_key(|(_, property)| (*property != crate::graph::Property::Positive, property.clone()));
        for (_, property) in properties {
            value = with_property(value, property.clone(), &mut random);
        }
        inputs.set(*input, value);
    }
    Ok(inputs)
}

/// Sets the inputs that are set to a number in every entry.
pub fn apply_settings(program: &Program, inputs: &mut Inputs) {
    for (input, number) in &program.settings {
        if let Some(sizes) = inputs.get(*input).map(|value| value.sizes().to_vec()) {
            inputs.set(*input, Array::filled(&sizes, number.value()));
        }
    }
}

/// A direction in which to move an input: entries of order one, none near 0.
pub fn direction(sizes: &[usize], seed: &str, attempt: usize) -> Array {
    let mut random = Random::new(seed, attempt as u64 ^ 0xd1ec_7104);
    Array::from_fn(sizes, |_| {
        let x = random.between(-1.0, 1.0);
        if x < 0.0 { x - 0.25 } else { x + 0.25 }
    })
}

fn plain(sizes: &[usize], attempt: usize, depth: usize, random: &mut Random) -> Array {
    let rank = sizes.len();
    let rows = if rank < 2 { 1.0 } else { sizes[rank - 2] as f64 };
    // Many products in a row: 8 / depth each keeps a stack of residual blocks of order one.
    let deep = if depth > 16 && attempt % 2 == 1 && rank >= 2 { 8.0 / depth as f64 } else { 1.0 };
    let scale = deep / rows.sqrt();
    let last = sizes.last().copied().unwrap_or(1).max(1);
    let square = rank >= 2 && sizes[rank - 2] == last;
    Array::from_fn(sizes, |at| match attempt % 4 {
        2 => random.between(0.2, 1.7) * scale,
        3 => {
            let diagonal = square && at % last == at / last % last;
            random.between(0.1, 0.9) * scale + if diagonal { 1.0 } else { 0.0 }
        }
        _ => random.between(-1.5, 1.5) * scale,
    })
}

/// How many classes the inputs of class numbers count.
fn classes(program: &Program, sizes: &Sizes) -> HashMap<NodeId, usize> {
    let moved = |node: &crate::graph::Node| match &node.kind {
        Kind::Apply(op, _) => matches!(op.lower, Lower::Linear { .. } | Lower::Labels(_)) && node.args.len() == 1,
        _ => false,
    };
    let counts = |id: NodeId| {
        let (op, attrs) = program.op(id)?;
        let at = op.params.iter().position(|param| matches!(param.kind, ParamKind::Index))?;
        let mut from = *program.node(id).args.get(at)?;
        while moved(program.node(from)) {
            from = *program.node(from).args.first()?;
        }
        Some((from, attrs.dim("classes").eval(sizes)?))
    };
    let mut found: HashMap<NodeId, usize> = HashMap::new();
    for (input, count) in program.graph().node_indices().filter_map(counts) {
        found.entry(input).and_modify(|least| *least = count.min(*least)).or_insert(count);
    }
    found
}

/// How many products lie one behind the other.
fn depth(program: &Program, sizes: &Sizes) -> usize {
    let mut depths: Vec<usize> = Vec::with_capacity(program.graph().node_count());
    for node in program.graph().node_weights() {
        let below = node.args.iter().map(|arg| depths[arg.index()]).max().unwrap_or(0);
        let own = match &node.kind {
            Kind::Apply(op, _) if matches!(op.lower, Lower::Labels(_)) && node.args.len() > 1 => 1,
            Kind::Repeat(repeat) => repeat.count.eval(sizes).unwrap_or(1).saturating_mul(depth(&repeat.body, sizes)),
            _ => 0,
        };
        depths.push(below.saturating_add(own));
    }
    depths.into_iter().max().unwrap_or(0)
}
