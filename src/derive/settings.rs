//! Inputs set to 0 hold at the point: they are used after the last differentiation.

use super::{Map, Paragraph, Part, Reason, Step};
use crate::graph::{Kind, NodeId, Program};
use crate::ops::{Lower, Number};

/// The lines that use `--set w=0`: "w = 0", then "zero product". `None` if no
/// factor of the result vanishes.
pub(super) fn apply(program: &Program, parts: &[Part], out: NodeId, wrt: NodeId, result: &Map) -> Option<Paragraph> {
    if program.settings.is_empty() {
        return None;
    }
    let mut reasons = Vec::new();
    let zeroed = with_zeros(program, parts, result, &mut reasons);
    if reasons.is_empty() {
        return None;
    }
    let collected = collect(&zeroed);
    let step = |reasons, before: &Map, after: &Map| Step {
        reasons,
        before: before.clone(),
        after: after.clone(),
        path: Vec::new(),
        became: after.clone(),
    };
    let steps = vec![step(reasons, result, &zeroed), step(vec![Reason::ZeroProduct], &zeroed, &collected)];
    Some(Paragraph { node: out, base: wrt, part: None, start: result.clone(), steps, at_settings: true })
}

/// The map with every factor that vanishes replaced by 0, products kept as they stand.
fn with_zeros(program: &Program, parts: &[Part], map: &Map, reasons: &mut Vec<Reason>) -> Map {
    match map {
        Map::Sum(terms) => Map::Sum(terms.iter().map(|t| with_zeros(program, parts, t, reasons)).collect()),
        Map::Compose(factors) => Map::Compose(factors.iter().map(|f| with_zeros(program, parts, f, reasons)).collect()),
        Map::Named(part) => {
            let mut inner = Vec::new();
            if collect(&with_zeros(program, parts, &parts[*part].map, &mut inner)) == Map::Zero {
                inner.into_iter().for_each(|reason| note(reasons, reason));
                return Map::Zero;
            }
            map.clone()
        }
        Map::Factor(factor) => match vanishing(program, factor.node) {
            Some(setting) => {
                note(reasons, Reason::Setting(setting));
                Map::Zero
            }
            None => map.clone(),
        },
        _ => map.clone(),
    }
}

fn note(reasons: &mut Vec<Reason>, reason: Reason) {
    if !reasons.contains(&reason) {
        reasons.push(reason);
    }
}

/// The map with zero products dropped.
fn collect(map: &Map) -> Map {
    match map {
        Map::Sum(terms) => Map::sum(terms.iter().map(collect)),
        Map::Compose(factors) => Map::compose(factors.iter().map(collect)),
        other => other.clone(),
    }
}

/// The input set to 0 that makes a differential vanish: one is a factor of every term.
fn vanishing(program: &Program, node: NodeId) -> Option<NodeId> {
    vanishes(program, node, &|id| zero_input(program, id))
}

/// Why a value is 0 at the settings: `zero` says which nodes are known to be, and by
/// which setting.
pub fn vanishes(program: &Program, node: NodeId, zero: &dyn Fn(NodeId) -> Option<NodeId>) -> Option<NodeId> {
    // A product vanishes with any factor, a sum with all its terms. Rules are
    // short, so the walk is bounded by the rule and the inputs it names.
    let mut stack = vec![node];
    let mut cause = None;
    let mut visits = 0;
    while let Some(id) = stack.pop() {
        visits += 1;
        if visits > 64 {
            return None;
        }
        if let Some(setting) = zero(id) {
            cause = Some(setting);
            continue;
        }
        let Kind::Apply(op, _) = &program.node(id).kind else { return None };
        let args = &program.node(id).args;
        match op.lower {
            Lower::Labels(_) => match args.iter().find(|arg| zero(**arg).is_some()) {
                Some(arg) => stack.push(*arg),
                None if args.len() == 1 => stack.push(args[0]),
                None => return None,
            },
            Lower::Sum(_) => stack.extend(args),
            _ => return None,
        }
    }
    cause
}

/// The setting by which an input is 0, if it is.
pub fn zero_input(program: &Program, id: NodeId) -> Option<NodeId> {
    program.settings.iter().find(|(node, value)| *node == id && *value == Number::ZERO).map(|(node, _)| *node)
}
