//! Sizes for the dimensions that have none.

use crate::diagnostic::{Diagnostic, Kind as Mistake};
use crate::graph::{Kind, NodeId, Program};
use crate::ops::Attr;
use crate::shape::{Dim, Name, Sizes};
use std::collections::HashMap;

/// No size is made larger than this for the sake of an index.
const LARGEST: usize = 1_000;

/// Sizes for all names: those fixed, the others distinct, from 2 on, large
/// enough for every index, every slice and every composed dimension.
///
/// # Errors
/// That no sizes make every dimension at least 1.
pub(super) fn choose_sizes(program: &Program, fixed: &Sizes) -> Result<Sizes, Diagnostic> {
    let names = names(program);
    let mut least_of: HashMap<Name, usize> = HashMap::new();
    bounds(program, &mut least_of);
    // From 3 on: a normalisation over two entries has next to no slope to compare.
    for least in 3..12 {
        let mut sizes = fixed.clone();
        let mut next = least;
        for name in &names {
            if !sizes.contains_key(name) {
                let mut size = next.max(least_of.get(name).copied().unwrap_or(1));
                while sizes.values().any(|taken| *taken == size) {
                    size += 1;
                }
                next = if size == next { next + 1 } else { next };
                sizes.insert(name.clone(), size);
            }
        }
        let positive = |id| program.shape(id).eval(&sizes).is_some_and(|sizes| !sizes.contains(&0));
        if program.graph().node_indices().all(positive) {
            return Ok(sizes);
        }
    }
    let message = "no sizes make every dimension of the program at least 1";
    Err(Diagnostic::new(Mistake::DimensionConflict, message).help("give the sizes"))
}

/// All dimension names, in order of first occurrence, those of inputs first.
fn names(program: &Program) -> Vec<Name> {
    let mut names: Vec<Name> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    let nodes = program.inputs.iter().copied().chain(program.graph().node_indices());
    let mut note = |name: &Name| {
        if seen.insert(name.clone()) {
            names.push(name.clone());
        }
    };
    for node in nodes {
        program.shape(node).0.iter().flat_map(|dim| dim.names()).for_each(&mut note);
        match &program.node(node).kind {
            Kind::Size(dim) => dim.names().for_each(&mut note),
            Kind::Repeat(repeat) => {
                repeat.count.names().for_each(&mut note);
                self::names(&repeat.body).iter().for_each(&mut note);
            }
            _ => {}
        }
    }
    names
}

/// The least size of each dimension whose entries are taken by constant place or
/// from which something constant is taken off; loops are nested as the source
/// indents them.
fn bounds(program: &Program, least: &mut HashMap<Name, usize>) {
    let mut raise = |name: &Name, size: usize| {
        let known = least.entry(name.clone()).or_insert(1);
        *known = (*known).max(size.min(LARGEST));
    };
    for id in program.graph().node_indices() {
        for dim in &program.shape(id).0 {
            if let Some((name, size)) = smallest(dim) {
                raise(&name, size);
            }
        }
        if let Some((dim, size)) = reached(program, id)
            && let Some(name) = dim.as_name()
        {
            raise(name, size);
        }
    }
    for node in program.graph().node_weights() {
        if let Kind::Repeat(repeat) = &node.kind {
            bounds(&repeat.body, least);
        }
    }
}

/// The least size of its one name at which a composed dimension is at least 1.
fn smallest(dim: &Dim) -> Option<(Name, usize)> {
    if dim.as_name().is_some() {
        return None;
    }
    let mut names = dim.names();
    let name = names.next()?.clone();
    if names.any(|other| *other != name) {
        return None;
    }
    let fits = |size: &usize| {
        let sizes: Sizes = [(name.clone(), *size)].into_iter().collect();
        dim.eval(&sizes).is_some_and(|value| value > 0)
    };
    (1..=LARGEST).find(fits).map(|size| (name.clone(), size))
}

/// The axis that a node takes constant places of, and how far they reach.
fn reached(program: &Program, id: NodeId) -> Option<(Dim, usize)> {
    let (_, attrs) = program.op(id)?;
    let from = program.shape(*program.node(id).args.first()?);
    if let Some(Attr::Whole(at)) = attrs.get("at") {
        let size = if *at < 0 { at.unsigned_abs() } else { at.unsigned_abs().saturating_add(1) };
        return Some((from.0.first()?.clone(), usize::try_from(size).ok()?));
    }
    let axis = *attrs.axes().first()?;
    let place = |name: &str| match attrs.get(name) {
        Some(Attr::Dims(dims)) => dims.first().and_then(Dim::as_size),
        _ => None,
    };
    let dim = from.0.get(axis)?.clone();
    if let Some(at) = place("at") {
        return Some((dim, at.saturating_add(1)));
    }
    let (start, length) = (place("start")?, place("length")?);
    let step = usize::try_from(attrs.whole("step")).ok()?;
    Some((dim, start.saturating_add(step.saturating_mul(length.saturating_sub(1))).saturating_add(1)))
}
