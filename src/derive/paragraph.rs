//! The inner order: expanding one map until nothing is pending.

use super::chain::Flow;
use super::{Factor, Loop, Map, Paragraph, Part, Reason, Step, chain, fault, rules};
use crate::diagnostic::Diagnostic;
use crate::graph::{Kind, NodeId, Program};
use crate::ops::{Lower, Number, OpRef, Rule};
use crate::shape::Name;
use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

/// After this many lines what is left of a paragraph gets names and paragraphs of its own.
const LINES: usize = 16;

/// A derivation in the making.
pub(super) struct Work {
    pub program: Program,
    pub flow: Flow,
    pub parts: Vec<Part>,
    pub loops: Vec<Loop>,
    part_of: HashMap<(NodeId, NodeId), usize>,
    waiting: VecDeque<usize>,
    repeated: HashSet<(NodeId, NodeId)>,
    taken: HashSet<Name>,
    numbered: usize,
}

impl Work {
    pub fn new(program: Program, flow: Flow) -> Work {
        let names = program.graph().node_indices().filter_map(|id| program.name(id).cloned());
        let dims = program.graph().node_weights().flat_map(|n| n.shape.0.iter().flat_map(|d| d.names().cloned()));
        let taken = names.chain(dims).collect();
        Work {
            program,
            flow,
            parts: Vec::new(),
            loops: Vec::new(),
            part_of: HashMap::new(),
            waiting: VecDeque::new(),
            repeated: HashSet::new(),
            taken,
            numbered: 0,
        }
    }

    /// Names what rules will repeat: an unnamed moving value that the differential
    /// of its user (or its own) mentions.
    pub fn name_coefficients(&mut self, out: NodeId) -> Result<(), Diagnostic> {
        for index in 0..=out.index() {
            let id = NodeId::new(index);
            let moving = |flow: &Flow, arg: NodeId| flow.moves(arg);
            if !self.flow.moves(id) || !matches!(self.program.op(id), Some((op, _)) if matches!(op.rule, Rule::Text(_)))
            {
                continue;
            }
            let flow = &self.flow;
            let differential = rules::local(&mut self.program, id, &|arg| moving(flow, arg))?;
            for mentioned in self.mentioned(differential, index) {
                if self.program.name(mentioned).is_none() && self.flow.moves(mentioned) {
                    let name = self.free_name(if mentioned == id { "s" } else { "z" });
                    self.program.rename(mentioned, name);
                }
            }
        }
        Ok(())
    }

    /// The nodes of the program up to `last` that a differential mentions as coefficients.
    fn mentioned(&self, differential: NodeId, last: usize) -> Vec<NodeId> {
        let (mut found, mut seen, mut stack) = (Vec::new(), HashSet::new(), vec![differential]);
        while let Some(id) = stack.pop() {
            if !seen.insert(id) {
                continue;
            }
            match self.program.node(id).kind {
                Kind::Apply(..) if id.index() > last => stack.extend(&self.program.node(id).args),
                Kind::Apply(..) | Kind::Carried(_) => found.push(id),
                _ => {}
            }
        }
        found.sort();
        found
    }

    fn free_name(&mut self, wishes: &str) -> Name {
        for wish in wishes.split(' ').map(Name::from) {
            if self.taken.insert(wish.clone()) {
                return wish;
            }
        }
        let first = wishes.split(' ').next().unwrap_or("z");
        loop {
            self.numbered += 1;
            let name = Name::from(format!("{first}_{}", self.numbered));
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }

    /// A letter for the maps of the segments that no name of the program begins with.
    pub fn free_letter(&self) -> &'static str {
        let free = |letter: &&str| {
            !self.taken.iter().any(|name| **name == **letter || name.starts_with(&format!("{letter}_")))
        };
        ["J", "K", "L", "G"].into_iter().find(free).unwrap_or("Jac")
    }

    /// Derives d(node)/d(base) line by line.
    pub fn paragraph(&mut self, node: NodeId, base: NodeId, part: Option<usize>) -> Result<Paragraph, Diagnostic> {
        self.repeated = self.repeated_under(node, base);
        self.lines(node, base, part)
    }

    fn lines(&mut self, node: NodeId, base: NodeId, part: Option<usize>) -> Result<Paragraph, Diagnostic> {
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
                (vec![Reason::Named(part)], Map::Named(part))
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

    /// The named map d(node)/d(base).
    fn part(&mut self, node: NodeId, base: NodeId) -> usize {
        if let Some(part) = self.part_of.get(&(node, base)) {
            return *part;
        }
        if self.program.name(node).is_none() {
            let name = self.free_name("u v r s");
            self.program.rename(node, name);
        }
        let of = self.program.name(node).cloned().unwrap_or_default();
        let name = self.free_name(&format!("D_{of}"));
        self.parts.push(Part { name, node, base, map: Map::Zero, beside_identity: false, like: None });
        self.part_of.insert((node, base), self.parts.len() - 1);
        self.waiting.push_back(self.parts.len() - 1);
        self.parts.len() - 1
    }

    /// The node after which d(id)/d(base) splits by the chain rule, if `id` joins
    /// several paths that all pass there.
    fn join(&self, id: NodeId, base: NodeId) -> Option<NodeId> {
        let several = self.flow.moving_args(&self.program, id).len() > 1;
        self.flow.dominator(id).filter(|cut| several && *cut != base && cut.index() > base.index())
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

    /// One expansion of d(id)/d(base), and why.
    fn expand(
        &mut self,
        id: NodeId,
        base: NodeId,
        opened: bool,
        whole: bool,
    ) -> Result<(Vec<Reason>, Map), Diagnostic> {
        if id == base {
            return Ok((vec![Reason::Variable], Map::Identity));
        }
        if !opened && self.program.name(id).is_some() && (whole || self.is_composite(id)) {
            return Ok((vec![Reason::Definition(id)], Map::Pending { node: id, base, opened: true }));
        }
        if let Some(cut) = self.join(id, base) {
            if self.program.name(cut).is_none() {
                let name = self.free_name("u v r s");
                self.program.rename(cut, name);
            }
            let factors = [(id, cut, opened), (cut, base, false)];
            let maps = factors.map(|(node, base, opened)| Map::Pending { node, base, opened });
            return Ok((vec![Reason::ChainRule(vec![cut])], Map::compose(maps)));
        }
        // Sums with constants are looked through: d(x + b) = dx.
        let (mut at, mut constants) = (id, Vec::new());
        while at != base {
            let moving = self.flow.moving_args(&self.program, at);
            let [only] = moving[..] else { break };
            if !self.passes(at, only)? || (at != id && self.program.name(at).is_some()) {
                break;
            }
            constants.extend(self.resting(at));
            at = only;
        }
        let mut reasons = Vec::new();
        let map = if at == base {
            reasons.push(Reason::Variable);
            Map::Identity
        } else if at != id && self.program.name(at).is_some() {
            Map::Pending { node: at, base, opened: false }
        } else {
            self.by_rule(at, base, &mut reasons)?
        };
        if !constants.is_empty() {
            reasons.push(Reason::Constant(constants));
        }
        if reasons.is_empty() {
            reasons.extend(self.title(id, false).map(|(title, op)| Reason::Rule(title, op)));
        }
        Ok((reasons, map))
    }

    /// The rule of one operation: a factor for each argument that moves.
    fn by_rule(&mut self, id: NodeId, base: NodeId, reasons: &mut Vec<Reason>) -> Result<Map, Diagnostic> {
        if matches!(self.program.node(id).kind, Kind::Carried(_)) {
            reasons.push(Reason::Turns);
            return self.through_loop(id, base);
        }
        let is_sum = matches!(self.program.op(id), Some((op, _)) if matches!(op.lower, Lower::Sum(_)));
        let mut differentials = Vec::new();
        if is_sum {
            // By position: x + x is two terms, each with its own identity.
            for (position, arg) in self.program.node(id).args.clone().into_iter().enumerate() {
                if self.flow.moves(arg) {
                    differentials.push((arg, rules::local_term(&mut self.program, id, position)?));
                }
            }
        } else {
            for arg in self.flow.moving_args(&self.program, id) {
                differentials.push((arg, rules::local(&mut self.program, id, &|a| a == arg)?));
            }
        }
        let mut terms = Vec::new();
        for (arg, differential) in &differentials {
            let factor = Map::factor(&self.program, *differential, *arg);
            let bare = factor == Map::Identity;
            let rest = match *arg == base && !bare {
                true => Map::Identity,
                false => Map::Pending { node: *arg, base, opened: false },
            };
            terms.push(Map::compose([factor, rest]));
        }
        let places = self.program.node(id).args.iter().filter(|arg| self.flow.moves(**arg)).count();
        reasons.extend(self.title(id, places > 1).map(|(title, op)| Reason::Rule(title, op)));
        let resting = self.resting(id);
        if is_sum && !resting.is_empty() {
            reasons.push(Reason::Constant(resting));
        }
        Ok(Map::sum(terms))
    }

    /// The product of the turns of a loop, or their sum for a shared value.
    fn through_loop(&mut self, id: NodeId, base: NodeId) -> Result<Map, Diagnostic> {
        let loop_node = self.program.node(id).args[0];
        let Kind::Repeat(repeat) = self.program.node(loop_node).kind.clone() else {
            return Err(fault("a carried value without its loop"));
        };
        let args = self.program.node(loop_node).args.clone();
        let [(start, end)] = repeat.carried[..] else {
            let place = self.program.node(loop_node).span.unwrap_or_default();
            let kind = crate::diagnostic::Kind::UnsupportedStatement;
            return Err(Diagnostic::at(kind, place, "a loop that carries several values is not differentiated yet")
                .help("give the number of turns, as in --shape x=\"4 d\": then it is read turn by turn"));
        };
        let inner = repeat.stacked.iter().chain(&repeat.shared);
        let inner: Vec<NodeId> = std::iter::once(start).chain(inner.copied()).collect();
        let mut terms = Vec::new();
        for (position, arg) in args.iter().enumerate().filter(|(_, arg)| self.flow.moves(**arg)) {
            let turn = Box::new(chain::derive(repeat.body.clone(), end, start)?);
            let by = match position {
                0 => None,
                _ => Some((position, Box::new(chain::derive(repeat.body.clone(), end, inner[position])?))),
            };
            let map = if by.is_none() { Map::Product(self.loops.len()) } else { Map::Turns(self.loops.len()) };
            let (count, index) = (repeat.count.clone(), repeat.index.clone());
            self.loops.push(Loop { node: id, count, index, turn, by });
            let rest = if *arg == base { Map::Identity } else { Map::Pending { node: *arg, base, opened: false } };
            terms.push(Map::compose([map, rest]));
        }
        Ok(Map::sum(terms))
    }

    /// Does the node only add what rests to its one moving argument?
    fn passes(&mut self, id: NodeId, arg: NodeId) -> Result<bool, Diagnostic> {
        let Some((op, _)) = self.program.op(id) else { return Ok(false) };
        if !matches!(op.lower, Lower::Sum(_)) {
            return Ok(false);
        }
        let differential = rules::local(&mut self.program, id, &|a| a == arg)?;
        Ok(self.program.node(differential).kind == Kind::Hole(arg))
    }

    /// The named arguments that do not move.
    fn resting(&self, id: NodeId) -> Vec<NodeId> {
        let rests = |arg: &&NodeId| !self.flow.moves(**arg) && self.program.name(**arg).is_some();
        self.program.node(id).args.iter().filter(rests).copied().collect()
    }

    /// Does the node's expression, down to names, hold more than one operation?
    fn is_composite(&self, id: NodeId) -> bool {
        let plain = |arg: &NodeId| {
            self.program.name(*arg).is_some() || !matches!(self.program.node(*arg).kind, Kind::Apply(..))
        };
        !self.program.node(id).args.iter().all(plain)
    }

    fn title(&self, id: NodeId, several: bool) -> Option<(&'static str, OpRef)> {
        let (op, _) = self.program.op(id)?;
        match op.rule {
            Rule::Linear(many) if several => Some((many, op)),
            _ => Some((op.title, op)),
        }
    }

    /// The form of the segment from `base` to `node`, without names: equal forms
    /// have equal derivations.
    pub fn form(&self, node: NodeId, base: NodeId) -> Vec<u64> {
        let (mut number, mut form, mut stack) = (HashMap::new(), Vec::new(), vec![node]);
        number.insert(base, 0u64);
        while let Some(id) = stack.pop() {
            let next = number.len() as u64;
            if let Some(known) = number.get(&id) {
                form.push(*known);
                continue;
            }
            number.insert(id, next);
            let mut hash = DefaultHasher::new();
            let node = self.program.node(id);
            node.shape.hash(&mut hash);
            match &node.kind {
                Kind::Apply(..) | Kind::Number(_) | Kind::Size(_) => node.kind.hash(&mut hash),
                _ => 0u8.hash(&mut hash),
            }
            form.push(hash.finish());
            if self.flow.moves(id) {
                stack.extend(node.args.iter().rev());
            }
        }
        form
    }
}
