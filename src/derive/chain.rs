//! The outer order of a derivation: cuts, segments, paragraphs.

use super::work::Work;
use super::{Derivation, Map, Paragraph, Part, Reason, Step, View, moving, moving_any, settings};
use crate::diagnostic::Diagnostic;
use crate::graph::{Kind, NodeId, Program};
use crate::shape::Name;
use petgraph::algo::dominators;
use petgraph::visit::NodeFiltered;
use std::collections::{HashMap, HashSet};

/// A program with at most this many moving operations is derived in one paragraph.
const ONE_PARAGRAPH: usize = 14;

/// Which nodes move with the variable, and which node every path to each passes last.
pub(super) struct Flow {
    moving: Vec<bool>,
    dominator: Vec<Option<NodeId>>,
}

impl Flow {
    fn new(program: &Program, out: NodeId, wrt: NodeId) -> Flow {
        let moving = moving(program, out, wrt);
        let mut dominator = vec![None; moving.len()];
        if moving[wrt.index()] {
            let part = NodeFiltered::from_fn(program.graph(), |id: NodeId| moving[id.index()]);
            let found = dominators::simple_fast(&part, wrt);
            // A loop by itself has no differential: what it leaves has.
            let is_loop = |id: &NodeId| matches!(program.node(*id).kind, Kind::Repeat(_));
            for id in program.graph().node_indices() {
                let before = |id: NodeId| found.immediate_dominator(id);
                dominator[id.index()] = std::iter::successors(before(id), |id| before(*id)).find(|id| !is_loop(id));
            }
        }
        Flow { moving, dominator }
    }

    /// Which nodes move with any of several variables, and any of several results with
    /// them; without dominators.
    fn of_any(program: &Program, outs: &[NodeId], wrt: &[NodeId]) -> Flow {
        let moving = moving_any(program, outs, wrt);
        Flow { dominator: vec![None; moving.len()], moving }
    }

    /// Does the node move with the variable, and the result with it?
    pub fn moves(&self, id: NodeId) -> bool {
        self.moving.get(id.index()).copied().unwrap_or(false)
    }

    /// The last node before `id` that every path from the variable passes.
    pub fn dominator(&self, id: NodeId) -> Option<NodeId> {
        self.dominator.get(id.index()).copied().flatten()
    }

    /// The distinct arguments that move; for a value carried out of a loop those of the loop.
    pub fn moving_args(&self, program: &Program, id: NodeId) -> Vec<NodeId> {
        let node = program.node(id);
        let args = match node.kind {
            Kind::Carried(_) => &program.node(node.args[0]).args,
            _ => &node.args,
        };
        let mut distinct = Vec::new();
        for arg in args {
            if self.moves(*arg) && !distinct.contains(arg) {
                distinct.push(*arg);
            }
        }
        distinct
    }
}

/// Does `out` depend on `wrt` at all, be it by steps?
fn reaches(program: &Program, out: NodeId, wrt: NodeId) -> bool {
    let mut depends = vec![false; out.index().max(wrt.index()) + 1];
    depends[wrt.index()] = true;
    for index in wrt.index() + 1..=out.index() {
        depends[index] = program.node(NodeId::new(index)).args.iter().any(|arg| depends[arg.index()]);
    }
    depends[out.index()]
}

/// Derives without looking for rows that stand apart.
pub(super) fn derive(mut program: Program, out: NodeId, wrt: NodeId) -> Result<Derivation, Diagnostic> {
    tell_apart(&mut program);
    let flow = Flow::new(&program, out, wrt);
    let view = view(&program, &flow, out, wrt);
    let start = Map::Pending { node: out, base: wrt, opened: false };
    if !flow.moves(wrt) {
        let apart = !reaches(&program, out, wrt);
        let step = Step {
            reasons: vec![if apart { Reason::Apart(out, wrt) } else { Reason::Independent }],
            before: start.clone(),
            after: Map::Zero,
            path: Vec::new(),
            became: Map::Zero,
        };
        let paragraph = Paragraph { node: out, base: wrt, part: None, start, steps: vec![step], at_settings: false };
        let paragraphs = vec![paragraph];
        return Ok(Derivation {
            program,
            out,
            wrt,
            view,
            whole: None,
            paragraphs,
            parts: Vec::new(),
            loops: Vec::new(),
            result: Map::Zero,
        });
    }
    let cuts = cuts(&program, &flow, out, wrt);
    let mut work = Work::new(program, flow, view);
    work.name_coefficients(out, &cuts)?;
    let mut paragraphs = Vec::new();
    let mut result = if let [base, node] = cuts[..] {
        let paragraph = work.paragraph(node, base, None)?;
        let end = paragraph.end().clone();
        paragraphs.push(paragraph);
        paragraphs.extend(work.named_paragraphs()?);
        end
    } else {
        segments(&mut work, &cuts, &mut paragraphs)?
    };
    if let Some(paragraph) = settings::apply(&work.program, &work.parts, out, wrt, &result) {
        result = paragraph.end().clone();
        paragraphs.push(paragraph);
    }
    let Work { program, parts, loops, .. } = work;
    Ok(Derivation { program, out, wrt, view, whole: None, paragraphs, parts, loops, result })
}

/// The program with names for what the differentials of any of `outs` by any of `wrt` repeat:
/// second values of one name are told apart, pre-activations are named.
///
/// # Errors
/// An operation that has no rule for what it is given.
pub fn with_names(mut program: Program, outs: &[NodeId], wrt: &[NodeId]) -> Result<Program, Diagnostic> {
    tell_apart(&mut program);
    let out = outs.iter().max().copied().unwrap_or_default();
    let cuts =
        wrt.first().map_or_else(Vec::new, |first| cuts(&program, &Flow::new(&program, out, *first), out, *first));
    let flow = Flow::of_any(&program, outs, wrt);
    let mut work = Work::new(program, flow, View::Differential);
    work.name_coefficients(out, &cuts)?;
    Ok(work.program)
}

/// One paragraph for the chain, one for each segment, one that puts them together.
fn segments(work: &mut Work, cuts: &[NodeId], paragraphs: &mut Vec<Paragraph>) -> Result<Map, Diagnostic> {
    let (wrt, out) = (cuts[0], cuts[cuts.len() - 1]);
    let pending = |pair: &[NodeId]| Map::Pending { node: pair[1], base: pair[0], opened: false };
    let start = Map::Pending { node: out, base: wrt, opened: false };
    let chain = Map::compose(cuts.windows(2).rev().map(pending));
    let line = |reason, before: &Map, after: &Map| Step {
        reasons: vec![reason],
        before: before.clone(),
        after: after.clone(),
        path: Vec::new(),
        became: after.clone(),
    };
    let step = line(Reason::ChainRule(cuts.to_vec()), &start, &chain);
    paragraphs.push(Paragraph { node: out, base: wrt, part: None, start, steps: vec![step], at_settings: false });

    let letter = work.free_letter();
    let mut first_like: HashMap<Vec<u64>, usize> = HashMap::new();
    let mut derived = Vec::new();
    for (index, pair) in cuts.windows(2).enumerate() {
        let part = work.parts.len();
        let name = Name::from(format!("{letter}_{index}"));
        work.parts.push(Part {
            name,
            node: pair[1],
            base: pair[0],
            map: Map::Zero,
            beside_identity: false,
            like: None,
        });
        let paragraph = work.paragraph(pair[1], pair[0], Some(part))?;
        let end = paragraph.end().clone();
        let form = work.form(pair[1], pair[0]);
        let entry = &mut work.parts[part];
        (entry.map, entry.beside_identity) = beside_identity(end);
        entry.like = first_like.get(&form).copied();
        first_like.entry(form).or_insert(part);
        derived.push((part, paragraph, work.named_paragraphs()?));
    }
    let factors = derived.iter().rev().map(|(part, ..)| match work.parts[*part].beside_identity {
        true => Map::Sum(vec![Map::Identity, Map::Named(*part)]),
        false => Map::Named(*part),
    });
    let result = Map::compose(factors);
    for (_, paragraph, named) in derived.into_iter().rev() {
        paragraphs.push(paragraph);
        paragraphs.extend(named);
    }
    let step = line(Reason::Substitute, &chain, &result);
    paragraphs.push(Paragraph {
        node: out,
        base: wrt,
        part: None,
        start: chain,
        steps: vec![step],
        at_settings: false,
    });
    Ok(result)
}

/// Splits I + J into J and whether the identity was there.
fn beside_identity(map: Map) -> (Map, bool) {
    match map {
        Map::Sum(mut terms) => match terms.iter().position(|term| *term == Map::Identity) {
            Some(i) => {
                terms.remove(i);
                (Map::sum(terms), true)
            }
            None => (Map::Sum(terms), false),
        },
        other => (other, false),
    }
}

/// Jacobian matrices where every value on the way is a vector and the result is
/// no scalar function of one; else differentials.
fn view(program: &Program, flow: &Flow, out: NodeId, wrt: NodeId) -> View {
    let rank = |id: NodeId| program.shape(id).rank();
    let vectors = (wrt.index()..=out.index()).map(NodeId::new).filter(|id| flow.moves(*id)).all(|id| rank(id) <= 1);
    let gradient = rank(out) == 0 && rank(wrt) > 0;
    if vectors && rank(out) <= 1 && rank(wrt) <= 1 && !gradient { View::Jacobian } else { View::Differential }
}

/// The variable, the cuts at which paragraphs end, the result.
fn cuts(program: &Program, flow: &Flow, out: NodeId, wrt: NodeId) -> Vec<NodeId> {
    let mut all = vec![out];
    let mut at = out;
    while let Some(before) = flow.dominator(at) {
        all.push(before);
        at = before;
    }
    all.reverse();
    let operations = (wrt.index()..=out.index()).filter(|i| flow.moves(NodeId::new(*i))).count();
    let joins = all.iter().filter(|id| flow.moving_args(program, **id).len() > 1 && **id != wrt);
    if operations <= ONE_PARAGRAPH && joins.count() <= 1 {
        return vec![wrt, out];
    }
    let defined: HashSet<NodeId> = program.definitions.iter().map(|d| d.node).collect();
    all.retain(|id| *id == out || *id == wrt || defined.contains(id));
    all
}

/// Gives every definition a name of its own: the second `x` is x_1.
fn tell_apart(program: &mut Program) {
    let mut taken: HashMap<Name, NodeId> = HashMap::new();
    for id in &program.inputs {
        if let Some(name) = program.name(*id) {
            taken.insert(name.clone(), *id);
        }
    }
    let mut versions: HashMap<Name, usize> = HashMap::new();
    let mut named: HashSet<NodeId> = program.inputs.iter().copied().collect();
    for definition in program.definitions.clone() {
        // A number is what it is: its name would stand for every number like it.
        if program.number_of(definition.node).is_some() || !named.insert(definition.node) {
            continue;
        }
        let mut name = definition.name.clone();
        while taken.get(&name).is_some_and(|node| *node != definition.node) {
            let version = versions.entry(definition.name.clone()).or_insert(0);
            *version += 1;
            name = Name::from(format!("{}_{version}", definition.name));
        }
        taken.insert(name.clone(), definition.node);
        program.rename(definition.node, name);
    }
}
