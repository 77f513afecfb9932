//! One expansion: a definition, the chain rule, the rule of one operation.

use super::work::Work;
use super::{Map, Reason, rules};
use crate::diagnostic::Diagnostic;
use crate::graph::{Kind, NodeId};
use crate::ops::{Lower, OpRef, Rule};

impl Work {
    /// One expansion of d(id)/d(base), and why.
    pub fn expand(
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
                let name = self.helper_name(cut, false, None);
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
        if at != id {
            let reason = match constants.is_empty() {
                true => self.title(id, false).map(|(title, op)| Reason::Rule(title, op)),
                false => Some(Reason::Constant(constants)),
            };
            return Ok((reason.into_iter().collect(), Map::Pending { node: at, base, opened: false }));
        }
        let mut reasons = Vec::new();
        let map = self.by_rule(id, base, &mut reasons)?;
        Ok((reasons, map))
    }

    /// The rule of one operation: a factor for each argument that moves.
    fn by_rule(&mut self, id: NodeId, base: NodeId, reasons: &mut Vec<Reason>) -> Result<Map, Diagnostic> {
        if matches!(self.program.node(id).kind, Kind::Carried(_)) {
            let map = self.through_loop(id, base)?;
            reasons.push(if map == Map::Zero { Reason::Independent } else { Reason::Turns });
            return Ok(map);
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
            Rule::Partly { linear, title, .. } if !several => {
                let alone = self.program.node(id).args.get(linear).is_some_and(|arg| self.flow.moves(*arg));
                Some((if alone { title } else { op.title }, op))
            }
            _ => Some((op.title, op)),
        }
    }
}
