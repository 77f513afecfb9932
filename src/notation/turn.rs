//! The maps of loops: products and sums over turns.

use super::Math;
use super::map::{Maps, factors};
use super::tree::beside;
use crate::derive::{Block, Loop, Map, View};
use crate::graph::{Kind, NodeId};
use crate::shape::{Dim, Name};
use std::collections::HashSet;

/// Is the matrix of a turn the same in each? It mentions nothing that changes from
/// turn to turn: no carried or stacked value, no counter.
pub(super) fn rests(of: &Loop) -> bool {
    let repeat = &of.repeat;
    let Some(turn) = of.alone() else { return false };
    if !turn.parts.is_empty() || !turn.loops.is_empty() {
        return false;
    }
    let changes = |id: &NodeId| {
        let start = repeat.carried.iter().any(|(start, _)| start == id);
        start || repeat.stacked.contains(id) || repeat.counter == Some(*id)
    };
    let body = &turn.program;
    let mut open: Vec<NodeId> = factors(turn).iter().map(|factor| factor.node).collect();
    let mut seen = HashSet::new();
    while let Some(id) = open.pop() {
        match &body.node(id).kind {
            Kind::Hole(_) => {}
            Kind::Carried(_) | Kind::Repeat(_) => return false,
            _ if changes(&id) => return false,
            _ if seen.insert(id) => open.extend(&body.node(id).args),
            _ => {}
        }
    }
    true
}

impl Maps<'_> {
    /// What a part or a turn is called beside its identity: I + J, or J.
    fn with_identity(identity: bool, name: Math) -> Math {
        if identity { Math::sum([(false, Math::Identity), (false, name)]) } else { name }
    }

    /// The name of what one turn of loop `i` multiplies by, without its identity.
    pub fn turn_name(&self, i: usize, index: &str) -> Math {
        Math::Script(self.letters[2 * i].clone(), Box::new(Math::name(index)))
    }

    /// The name of what one turn of loop `i` takes from a shared or stacked value.
    pub fn share_name(&self, i: usize, index: &str) -> Math {
        Math::Script(self.letters[2 * i + 1].clone(), Box::new(Math::name(index)))
    }

    /// What was derived of one turn of loop `i`, each under its name and without the
    /// identity that stands beside it: J_k, or J_k[h, c] where several values go on
    /// together, and B_k. What the page does not use is left out.
    pub fn turn_blocks<'b>(&self, i: usize, of: &'b Loop) -> Vec<(Math, &'b Block, Map)> {
        let (turn, share) = (self.turn_name(i, &of.index), self.share_name(i, &of.index));
        let at = |name: &Math, states: &[usize]| match of.alone() {
            Some(_) => name.clone(),
            None => Math::Entry(Box::new(name.clone()), states.iter().map(|s| Math::Name(of.state_name(*s))).collect()),
        };
        let alone = of.alone().is_some();
        let handed_on = of.alone().is_some_and(|turn| turn.result == Map::Identity);
        let turns = of.turn.iter().filter(|_| !handed_on || of.shares().is_empty()).map(|block| {
            let map = if alone { beside(&block.turn.result) } else { block.turn.result.clone() };
            (at(&turn, &[block.to, block.from]), block, map)
        });
        let shares = of.shares().iter().map(|block| (at(&share, &[block.to]), block, block.turn.result.clone()));
        turns.chain(shares).collect()
    }

    /// Of a joint state the block that is asked for.
    fn placed(&self, all: Math, of: &Loop) -> Math {
        match of.alone() {
            Some(_) => all,
            None => Math::Entry(Box::new(all), of.place().into_iter().map(Math::Name).collect()),
        }
    }

    /// ∏ (I + J_k), the last turn leftmost; of identities alone, I. Of a joint state
    /// the block (∏ J_k)[h, c].
    pub(super) fn product(&self, i: usize, of: &Loop) -> Math {
        let turn = of.alone();
        if turn.is_some_and(|turn| turn.result == Map::Identity) {
            return Math::Identity;
        }
        if let Some(turn) = turn.filter(|turn| turn.view == View::Jacobian && rests(of)) {
            let turn = Maps::new(turn).plain(&turn.result, turn.wrt, View::Jacobian);
            return Math::Power(Box::new(turn), Box::new(Math::Size(of.count.clone())));
        }
        let beside = turn.is_some_and(|turn| turn.result.has_bare_identity());
        let body = Maps::with_identity(beside, self.turn_name(i, &of.index));
        let last = Math::Size(of.count.clone() - Dim::size(1));
        let all = Math::Big("∏", of.index.clone(), Box::new(last), Box::new(Math::whole(0)), Box::new(body));
        self.placed(all, of)
    }

    /// Σ_k (∏_{j > k} (I + J_j)) B_k; where every turn hands its value on as it is, Σ_k B_k.
    pub(super) fn turns(&self, i: usize, of: &Loop) -> Math {
        let inner = if &*of.index == "j" { "m" } else { "j" };
        let last = Math::Size(of.count.clone() - Dim::size(1));
        let after = Math::Size(Dim::named(&of.index) + Dim::size(1));
        let turn = of.alone();
        let beside = turn.is_some_and(|turn| turn.result.has_bare_identity());
        let body = Maps::with_identity(beside, self.turn_name(i, inner));
        let later = Math::Big("∏", Name::from(inner), Box::new(last.clone()), Box::new(after), Box::new(body));
        let share = self.share_name(i, &of.index);
        let handed_on = turn.is_some_and(|turn| turn.result == Map::Identity);
        let each = if handed_on { share } else { Math::product([later, share]) };
        let all = Math::Big("Σ", of.index.clone(), Box::new(Math::whole(0)), Box::new(last), Box::new(each));
        self.placed(all, of)
    }
}
