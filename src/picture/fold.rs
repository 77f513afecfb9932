//! Equal segments that follow each other: one stands for all.

use crate::derive::{Derivation, Reason};
use crate::graph::{Kind, NodeId, Program};
use std::collections::{HashMap, HashSet};

/// Repetitions of up to this many segments are looked for.
const PERIOD: usize = 4;

/// Which nodes stand for which.
#[derive(Clone, Debug, Default)]
pub(super) struct Fold {
    /// The node drawn in place of another.
    pub into: HashMap<NodeId, NodeId>,
    /// The repetitions, from the variable on.
    pub runs: Vec<Run>,
}

/// Segments that repeat.
#[derive(Clone, Debug)]
pub(super) struct Run {
    /// How often.
    pub times: usize,
    /// What is drawn of it, with the node of the last repetition.
    pub last: HashMap<NodeId, NodeId>,
}

impl Fold {
    /// Folds what repeats at least `least` times in the chain of a derivation.
    pub fn of(derivation: &Derivation, least: usize) -> Fold {
        let segments = segments(derivation);
        let mut fold = Fold::default();
        let mut at = 0;
        while at < segments.len() {
            let found = best(&segments[at..], least).and_then(|(period, times)| {
                let run = &segments[at..at + period * times];
                Some((correspondence(&derivation.program, run, period)?, period, times))
            });
            let Some((pairs, period, times)) = found else {
                at += 1;
                continue;
            };
            let mut last: HashMap<NodeId, NodeId> = HashMap::new();
            for (node, drawn) in pairs {
                last.insert(drawn, node);
                if node != drawn {
                    fold.into.insert(node, drawn);
                }
            }
            fold.runs.push(Run { times, last });
            at += period * times;
        }
        fold
    }

    /// The names of the values that stand for several, as the source has them: w0 … w3.
    pub fn ranges(&self, program: &Program) -> HashMap<NodeId, String> {
        let pairs = self.runs.iter().flat_map(|run| &run.last);
        let range = |(first, last): (&NodeId, &NodeId)| {
            let names = (program.name(*first)?, program.name(*last)?);
            (names.0 != names.1).then(|| (*first, format!("{} … {}", names.0, names.1)))
        };
        pairs.filter_map(range).collect()
    }

    /// The node that is drawn for `id`.
    pub fn drawn(&self, id: NodeId) -> NodeId {
        self.into.get(&id).copied().unwrap_or(id)
    }
}

/// A segment of the chain: its two ends, and the first segment of equal form.
#[derive(Clone, Copy)]
struct Segment {
    base: NodeId,
    node: NodeId,
    form: usize,
}

fn segments(derivation: &Derivation) -> Vec<Segment> {
    let first = derivation.paragraphs.first().and_then(|p| p.steps.first());
    let Some(Reason::ChainRule(cuts)) = first.and_then(|step| step.reasons.first()) else { return Vec::new() };
    let at: HashMap<(NodeId, NodeId), usize> =
        derivation.parts.iter().enumerate().map(|(i, part)| ((part.base, part.node), i)).collect();
    let segment = |pair: &[NodeId]| {
        let part = *at.get(&(pair[0], pair[1]))?;
        let form = derivation.parts[part].like.unwrap_or(part);
        Some(Segment { base: pair[0], node: pair[1], form })
    };
    cuts.windows(2).map(segment).collect::<Option<_>>().unwrap_or_default()
}

/// The period that covers most from the start on, and how often it repeats.
fn best(segments: &[Segment], least: usize) -> Option<(usize, usize)> {
    let times = |period: usize| {
        let same = |i: &usize| segments[*i].form == segments[i - period].form;
        1 + (period..segments.len()).take_while(same).count() / period
    };
    let long = (1..=PERIOD.min(segments.len())).map(|period| (period, times(period)));
    // Of equal cover the shortest period is the one meant.
    long.filter(|(_, times)| *times >= least).rev().max_by_key(|(period, times)| period * times)
}

/// Every node of the segments with its counterpart in the first repetition, the
/// repetitions in order; `None` where they are not as apart as their forms say.
fn correspondence(program: &Program, run: &[Segment], period: usize) -> Option<Vec<(NodeId, NodeId)>> {
    let mut pairs = Vec::new();
    let mut drawn: HashMap<NodeId, NodeId> = HashMap::new();
    for (i, segment) in run.iter().enumerate() {
        let first = &run[i % period];
        let mut stack = vec![(segment.node, first.node)];
        while let Some((node, like)) = stack.pop() {
            if node == segment.base || like == first.base {
                if (node == segment.base) != (like == first.base) {
                    return None;
                }
                continue;
            }
            match drawn.get(&node) {
                Some(known) if *known == like => continue,
                Some(_) => return None,
                None => {}
            }
            let (a, b) = (program.node(node), program.node(like));
            let leaf = |kind: &Kind| matches!(kind, Kind::Input(_));
            let alike = a.kind == b.kind || leaf(&a.kind) && leaf(&b.kind);
            if !alike || a.shape != b.shape || a.args.len() != b.args.len() {
                return None;
            }
            drawn.insert(node, like);
            if !matches!(a.kind, Kind::Number(_) | Kind::Size(_)) {
                pairs.push((node, like));
            }
            stack.extend(a.args.iter().copied().zip(b.args.iter().copied()));
        }
    }
    // What one repetition takes from another way round than the first is no repetition.
    let stands: HashSet<NodeId> = drawn.values().copied().collect();
    let crossed = drawn.iter().any(|(node, like)| node != like && stands.contains(node));
    (!crossed).then_some(pairs)
}
