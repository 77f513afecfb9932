//! The inner order: expanding one map until nothing is pending.

use super::work::Work;
use super::{Factor, Map, Paragraph, Reason, Step, View, fault};
use crate::diagnostic::Diagnostic;
use crate::graph::NodeId;
use crate::ops::Number;
use std::collections::HashSet;

/// After this many lines what is left of a paragraph gets names and paragraphs of its own.
const LINES: usize = 16;
/// A named value of so many operations takes some lines.
const BRANCH: usize = 3;

impl Work {
    /// Derives d(node)/d(base) line by line.
    pub fn paragraph(&mut self, node: NodeId, base: NodeId, part: Option<usize>) -> Result<Paragraph, Diagnostic> {
        self.repeated = self.repeated_under(node, base);
        self.lines(node, base, part)
    }

    fn lines(&mut self, node: NodeId, base: NodeId, part: Option<usize>) -> Result<Paragraph, Diagnostic> {
        let branches = self.branches(node, base);
        self.repeated.extend(branches);
        let start = Map::Pending { node, base, opened: false };
        let mut paragraph = Paragraph { node, base, part, start, steps: Vec::new(), at_settings: false };
        while let Some(path) = paragraph.end().first_pending() {
            let before = paragraph.end().clone();
            let Some(Map::Pending { node: at, base: by, opened }) = before.at(&path).cloned() else {
                return Err(fault("a pending part of a derivation was lost"));
            };
            let whole = at == node && by == base;
            let long = paragraph.steps.len() >= LINES;
            let apart = !whole && at != by && !opened && (self.repeated.contains(&(at, by)) || long);
            let (reasons, became) = if apart {
                let part = self.part(at, by);
                (vec![Reason::Named(vec![part])], Map::Named(part))
            } else {
                self.expand(at, by, opened, whole)?
            };
            let after = before.with(&path, became.clone());
            paragraph.steps.push(Step { reasons, before, after, path, became });
        }
        if let Some(after) = self.like_identities(paragraph.end(), base)? {
            let (before, became) = (paragraph.end().clone(), after.clone());
            paragraph.steps.push(Step { reasons: vec![Reason::LikeTerms], before, after, path: Vec::new(), became });
        }
        Ok(paragraph)
    }

    /// I + I = 2 I, I − I = 0; `None` where no two identities stand in the sum.
    fn like_identities(&mut self, map: &Map, base: NodeId) -> Result<Option<Map>, Diagnostic> {
        let Map::Sum(terms) = map else { return Ok(None) };
        let hole = self.program.hole(base);
        let minus = self.program.call("neg", &[hole]).map_err(|m| fault(m.message))?;
        let count = |term: &Map| match term {
            Map::Identity => 1i64,
            Map::Factor(f) if f.node == minus => -1,
            _ => 0,
        };
        let (total, places) = terms.iter().map(count).fold((0, 0), |(sum, n), c| (sum + c, n + c.abs()));
        if places < 2 {
            return Ok(None);
        }
        let collected = match total {
            0 => Map::Zero,
            1 => Map::Identity,
            _ => {
                let number = self.program.number(Number::whole(total));
                let node = self.program.call("mul", &[number, hole]).map_err(|m| fault(m.message))?;
                Map::Factor(Factor { node, of: base })
            }
        };
        let rest = terms.iter().filter(|term| count(term) == 0).cloned();
        Ok(Some(Map::sum(std::iter::once(collected).chain(rest))))
    }

    /// The paragraphs of the maps that got names on the way. What is repeated is
    /// what the paragraph before them found: they are parts of it.
    pub fn named_paragraphs(&mut self) -> Result<Vec<Paragraph>, Diagnostic> {
        let mut paragraphs = Vec::new();
        while let Some(part) = self.waiting.pop_front() {
            let (node, base) = (self.parts[part].node, self.parts[part].base);
            let paragraph = self.lines(node, base, Some(part))?;
            self.parts[part].map = paragraph.end().clone();
            paragraphs.push(paragraph);
        }
        Ok(paragraphs)
    }
    /// The node after which d(id)/d(base) splits by the chain rule, if `id` joins
    /// several paths that all pass there.
    pub fn join(&self, id: NodeId, base: NodeId) -> Option<NodeId> {
        let several = self.flow.moving_args(&self.program, id).len() > 1;
        self.flow.dominator(id).filter(|cut| several && *cut != base && cut.index() > base.index())
    }

    /// The maps of the named values that a value is made of, where several of them take
    /// some lines: each reads better in a paragraph of its own. In differentials d(n)
    /// is such a name already.
    fn branches(&self, node: NodeId, base: NodeId) -> Vec<(NodeId, NodeId)> {
        let base = self.join(node, base).unwrap_or(base);
        let defined = |id: NodeId| self.program.definitions.iter().any(|d| d.node == id);
        let (mut seen, mut found, mut stack) = (HashSet::new(), Vec::new(), vec![node]);
        while let Some(id) = stack.pop().filter(|_| self.view == View::Jacobian) {
            for arg in self.flow.moving_args(&self.program, id).into_iter().rev() {
                if arg == base || !seen.insert(arg) {
                    continue;
                }
                match (defined(arg), self.join(arg, base)) {
                    (true, _) => found.extend(Some((arg, base)).filter(|_| self.takes(arg, base, BRANCH))),
                    (false, None) => stack.push(arg),
                    (false, Some(_)) => {}
                }
            }
        }
        if found.len() > 1 { found } else { Vec::new() }
    }

    /// Are there at least so many operations between two values?
    fn takes(&self, node: NodeId, base: NodeId, least: usize) -> bool {
        let (mut seen, mut stack) = (HashSet::from([node]), vec![node]);
        while let Some(id) = stack.pop().filter(|_| seen.len() < least) {
            let args = self.flow.moving_args(&self.program, id);
            stack.extend(args.into_iter().filter(|arg| *arg != base && seen.insert(*arg)));
        }
        seen.len() >= least
    }

    /// The maps d(n)/d(b) that would be written out more than once under d(node)/d(base).
    fn repeated_under(&self, node: NodeId, base: NodeId) -> HashSet<(NodeId, NodeId)> {
        let (mut seen, mut repeated, mut stack) = (HashSet::new(), HashSet::new(), vec![(node, base)]);
        while let Some((id, by)) = stack.pop() {
            let needed: Vec<(NodeId, NodeId)> = match self.join(id, by) {
                Some(cut) => vec![(id, cut), (cut, by)],
                None => self.flow.moving_args(&self.program, id).into_iter().map(|arg| (arg, by)).collect(),
            };
            for (arg, by) in needed.into_iter().filter(|(arg, by)| arg != by) {
                if seen.insert((arg, by)) {
                    stack.push((arg, by));
                } else if self.flow.moving_args(&self.program, arg) != [by] {
                    // A single factor is sooner written twice than named.
                    repeated.insert((arg, by));
                }
            }
        }
        repeated
    }
}
