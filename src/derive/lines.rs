//! The lines of a paragraph as a lecturer writes them: routine steps are merged,
//! the idea of each line stays visible.
//!
//! A line stands for one or more steps. Each of them rewrites one pending leaf and
//! is checked where it happens; the leaves of a line are apart from each other, so
//! the line holds if its steps do, in whichever order they are taken.

use super::leaves::{Leaf, has_skip, is_linear, is_skip, leaf};
use super::{Derivation, Map, Paragraph, Reason, Step, View};
use crate::graph::{Kind, NodeId, Program};
use crate::ops::{Lower, Notation, Rule};
use std::collections::HashMap;

/// More linear rules than this on one line are called linearity.
const LINEAR: usize = 2;

/// One line of a page: what it was, what it became, why.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Why, in order.
    pub reasons: Vec<Reason>,
    /// The map before.
    pub before: Map,
    /// The map after.
    pub after: Map,
    /// The steps of the paragraph that it stands for, by position.
    pub steps: Vec<usize>,
}

/// Every step a line of its own.
pub fn every_step(paragraph: &Paragraph) -> Vec<Line> {
    let line = |(i, step): (usize, &Step)| Line {
        reasons: step.reasons.clone(),
        before: step.before.clone(),
        after: step.after.clone(),
        steps: vec![i],
    };
    paragraph.steps.iter().enumerate().map(line).collect()
}

/// The steps of a paragraph put together: linear rules, constants and definitions
/// go with the step they lead to, equal rules in several terms are one line.
/// `written` tells whether the equation of a node stands on the page already.
pub fn merged(derivation: &Derivation, paragraph: &Paragraph, written: &dyn Fn(NodeId) -> bool) -> Vec<Line> {
    let lines = Replay::new(derivation, paragraph, written).and_then(|replay| replay.lines());
    lines.unwrap_or_else(|| every_step(paragraph))
}

/// How much a step is worth on the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Weight {
    /// It goes with what follows.
    Light,
    /// A factor of its own: it ends a line of routine steps.
    Heavy,
    /// It is what a line is about.
    Idea,
}

/// What a line in the making takes: what it says, and the steps it stands for.
#[derive(Debug, Default)]
struct Taken {
    reasons: Vec<Reason>,
    steps: Vec<usize>,
}

/// The steps of a paragraph by the leaf that they rewrite.
struct Replay<'a> {
    program: &'a Program,
    view: View,
    paragraph: &'a Paragraph,
    written: &'a dyn Fn(NodeId) -> bool,
    step_of: HashMap<Leaf, usize>,
    /// The steps after those that rewrite leaves.
    rest: &'a [Step],
}

impl<'a> Replay<'a> {
    /// `None` where the steps are no expansion of leaves, or one leaf has two.
    fn new(
        derivation: &'a Derivation,
        paragraph: &'a Paragraph,
        written: &'a dyn Fn(NodeId) -> bool,
    ) -> Option<Replay<'a>> {
        let mut step_of: HashMap<Leaf, usize> = HashMap::new();
        let steps = &paragraph.steps;
        let mut count = 0;
        for (i, step) in steps.iter().enumerate() {
            let Some(leaf) = step.before.at(&step.path).and_then(leaf) else { break };
            let known = *step_of.entry(leaf).or_insert(i);
            if steps[known].became != step.became {
                return None;
            }
            count = i + 1;
        }
        let rest = &steps[count..];
        let replay = Replay { program: &derivation.program, view: derivation.view, paragraph, written, step_of, rest };
        (count > 0 && rest.iter().all(|step| step.path.is_empty())).then_some(replay)
    }

    /// `None` where the steps do not fit in another order.
    fn lines(&self) -> Option<Vec<Line>> {
        let mut lines: Vec<Line> = Vec::new();
        let (mut shown, mut map) = (self.paragraph.start.clone(), self.paragraph.start.clone());
        let mut taken = Taken::default();
        loop {
            // The I of a skip is what the reader looks for: it has a line of its own.
            if self.view == View::Jacobian && has_skip(&map) {
                map = map.rewritten(&mut |part| self.variable(part, &mut taken));
                self.push(&mut lines, &mut shown, &map, std::mem::take(&mut taken), true);
            }
            let mut heavy = false;
            map = map.rewritten(&mut |part| self.routine(part, &mut taken, &mut heavy));
            let next = map.first_pending().and_then(|path| map.at(&path).and_then(leaf));
            if heavy || next.is_none() {
                self.push(&mut lines, &mut shown, &map, std::mem::take(&mut taken), heavy);
            }
            let Some(first) = next else { break };
            let (steps, _) = self.unit(first)?;
            let key = self.key(self.last(&steps));
            map = map.rewritten(&mut |part| self.idea(part, first, &key, &mut taken));
            self.push(&mut lines, &mut shown, &map, std::mem::take(&mut taken), true);
        }
        let last = self.paragraph.steps.len().checked_sub(self.rest.len() + 1)?;
        if map != self.paragraph.steps[last].after {
            return None;
        }
        for (i, step) in self.rest.iter().enumerate() {
            let (reasons, after) = (step.reasons.clone(), step.after.clone());
            lines.push(Line { reasons, before: shown.clone(), after, steps: vec![last + 1 + i] });
            shown = step.after.clone();
        }
        Some(lines)
    }

    /// Adds a line; one of light steps alone goes with the line before it.
    fn push(&self, lines: &mut Vec<Line>, shown: &mut Map, after: &Map, taken: Taken, own: bool) {
        if after == shown {
            return;
        }
        match lines.last_mut().filter(|last| !own && !self.opens(&last.reasons)) {
            Some(last) => {
                last.reasons = self.said([last.reasons.clone(), taken.reasons].concat());
                last.steps.extend(taken.steps);
                last.after = after.clone();
            }
            None => {
                let before = std::mem::replace(shown, after.clone());
                let (reasons, steps) = (self.said(taken.reasons), taken.steps);
                lines.push(Line { reasons, before, after: after.clone(), steps });
            }
        }
        *shown = after.clone();
    }

    /// The variable by itself after its step.
    fn variable(&self, part: Leaf, taken: &mut Taken) -> Option<Map> {
        let place = *self.step_of.get(&part)?;
        let step = &self.paragraph.steps[place];
        if part.0 != part.1 || step.reasons != [Reason::Variable] {
            return None;
        }
        self.take(&[place], taken);
        Some(step.became.clone())
    }

    /// The leaf after all routine steps that follow on it.
    fn routine(&self, part: Leaf, taken: &mut Taken, heavy: &mut bool) -> Option<Map> {
        let (steps, weight) = self.unit(part)?;
        if weight == Weight::Idea {
            return None;
        }
        *heavy |= weight == Weight::Heavy;
        self.take(&steps, taken);
        let became = &self.last(&steps).became;
        // As deep as steps follow on one leaf of a paragraph.
        Some(became.rewritten(&mut |part| self.routine(part, taken, heavy)))
    }

    /// The leaf after the step that the line is about, where it is the first leaf
    /// or the same rule applies.
    fn idea(&self, part: Leaf, first: Leaf, key: &Option<&'static str>, taken: &mut Taken) -> Option<Map> {
        let (steps, weight) = self.unit(part)?;
        let last = self.last(&steps);
        let same = key.is_some() && self.key(last) == *key;
        if weight != Weight::Idea || !(part == first || same) {
            return None;
        }
        self.take(&steps, taken);
        // What a product rule leaves is finished at once if nothing but routine is left.
        let (mut more, mut heavy) = (Taken::default(), false);
        let finished = last.became.rewritten(&mut |part| self.routine(part, &mut more, &mut heavy));
        if finished.first_pending().is_none() && self.is_product(last) {
            taken.steps.extend(more.steps);
            taken.reasons.extend(more.reasons.into_iter().filter(|reason| matches!(reason, Reason::Named(_))));
            return Some(finished);
        }
        Some(last.became.clone())
    }

    /// The steps that are taken together on a leaf: a definition goes with the rule
    /// that opens it up.
    fn unit(&self, part: Leaf) -> Option<(Vec<usize>, Weight)> {
        let place = *self.step_of.get(&part)?;
        let first = &self.paragraph.steps[place];
        let weight = self.weight(first);
        let defines = matches!(first.reasons[..], [Reason::Definition(_)]);
        match leaf(&first.became) {
            Some(opened) if defines && weight == Weight::Light => match self.step_of.get(&opened) {
                Some(next) => Some((vec![place, *next], self.weight(&self.paragraph.steps[*next]))),
                None => Some((vec![place], weight)),
            },
            _ => Some((vec![place], weight)),
        }
    }

    fn last(&self, steps: &[usize]) -> &'a Step {
        &self.paragraph.steps[steps[steps.len() - 1]]
    }

    fn take(&self, steps: &[usize], taken: &mut Taken) {
        taken.reasons.extend(steps.iter().flat_map(|i| self.paragraph.steps[*i].reasons.iter().cloned()));
        taken.steps.extend(steps);
    }

    fn weight(&self, step: &Step) -> Weight {
        step.reasons.iter().map(|reason| self.weight_of(reason, step)).max().unwrap_or(Weight::Light)
    }

    fn weight_of(&self, reason: &Reason, step: &Step) -> Weight {
        match reason {
            Reason::Definition(_) if self.opens(std::slice::from_ref(reason)) => Weight::Idea,
            // In differentials nothing but the names of the maps changes.
            Reason::ChainRule(cuts) if cuts.len() == 1 && self.view == View::Differential => Weight::Light,
            Reason::Definition(_) | Reason::Constant(_) | Reason::Variable | Reason::Named(_) => Weight::Light,
            Reason::Rule(title, op) if is_linear(title, op) => match (op.rule, op.lower) {
                (_, Lower::Sum(_)) => {
                    if is_skip(&step.became) {
                        Weight::Idea
                    } else {
                        Weight::Light
                    }
                }
                _ if self.is_product(step) => Weight::Idea,
                _ if matches!(op.notation, Notation::Product | Notation::Outer) => Weight::Heavy,
                _ => Weight::Light,
            },
            _ => Weight::Idea,
        }
    }

    /// Is this the definition of what the paragraph derives, not written before?
    fn opens(&self, reasons: &[Reason]) -> bool {
        match reasons {
            [Reason::Definition(node)] => {
                let carried = matches!(self.program.node(*node).kind, Kind::Carried(_));
                *node == self.paragraph.node && !carried && (!(self.written)(*node) || self.adds_skip(*node))
            }
            _ => false,
        }
    }

    /// Is this the sum of the variable and a branch? That line is written: d(x + f(x))/dx.
    fn adds_skip(&self, node: NodeId) -> bool {
        let step = self.step_of.get(&(node, self.paragraph.base, true));
        self.view == View::Jacobian && step.is_some_and(|i| is_skip(&self.paragraph.steps[*i].became))
    }

    /// Do several arguments of a product move?
    fn is_product(&self, step: &Step) -> bool {
        step.reasons.iter().any(|reason| match reason {
            Reason::Rule(title, op) => match (op.rule, op.lower) {
                (Rule::Linear(many), Lower::Labels(_)) => many == *title && many != op.title,
                _ => false,
            },
            _ => false,
        })
    }

    /// The rule that several terms may take on one line.
    fn key(&self, step: &Step) -> Option<&'static str> {
        step.reasons.iter().find_map(|reason| match reason {
            Reason::Rule(title, _) => Some(*title),
            _ => None,
        })
    }

    /// The reasons of a line: each once, constants together, linear rules only where
    /// they are what the line is about.
    fn said(&self, reasons: Vec<Reason>) -> Vec<Reason> {
        let linear = |reason: &Reason| matches!(reason, Reason::Rule(title, op) if is_linear(title, op));
        let idea = |reason: &Reason| match reason {
            Reason::Rule(..) => !linear(reason),
            Reason::Definition(_) | Reason::Constant(_) | Reason::Variable | Reason::Linear | Reason::Named(_) => false,
            Reason::ChainRule(_) => self.view == View::Jacobian,
            _ => true,
        };
        let about = reasons.iter().any(idea);
        let mut kept: Vec<Reason> = Vec::new();
        let (mut constants, mut named): (Vec<NodeId>, Vec<usize>) = (Vec::new(), Vec::new());
        for reason in reasons {
            match reason {
                Reason::Constant(nodes) => constants.extend(nodes),
                Reason::Named(parts) => named.extend(parts),
                Reason::ChainRule(_) if self.view == View::Differential => {}
                Reason::Definition(node) if (self.written)(node) && !self.adds_skip(node) => {}
                Reason::Definition(node) if matches!(self.program.node(node).kind, Kind::Carried(_)) => {}
                reason if kept.contains(&reason) => {}
                reason => kept.push(reason),
            }
        }
        if about || kept.iter().any(|reason| matches!(reason, Reason::Definition(_))) {
            kept.retain(|reason| !linear(reason) && *reason != Reason::Variable);
        } else if kept.iter().filter(|reason| linear(reason)).count() > LINEAR {
            kept.retain(|reason| !linear(reason));
            kept.push(Reason::Linear);
        }
        if kept.iter().any(|reason| *reason != Reason::Variable) {
            kept.retain(|reason| *reason != Reason::Variable);
        }
        named.sort_unstable();
        named.dedup();
        if !named.is_empty() {
            kept.push(Reason::Named(named));
        }
        constants.sort();
        constants.dedup();
        if !constants.is_empty() {
            kept.push(Reason::Constant(constants));
        }
        kept
    }
}
