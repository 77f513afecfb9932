//! The chain rule over the turns of a loop.
//!
//! A loop that carries several values is derived as one step of their joint state
//! s_k: ds_{k+1} = J_k ds_k + B_k dw, where J_k has a block for each pair of carried
//! values. What does not lie on a way from where the change enters to the value
//! asked for is left out, so that a state of one value is written as such.

use super::work::Work;
use super::{Block, Enters, Loop, Map, chain, fault, moving};
use crate::diagnostic::Diagnostic;
use crate::graph::{Kind, NodeId, Program, Repeat};
use std::sync::Arc;

impl Work {
    /// The product of the turns of a loop, or their sum for a shared value.
    pub fn through_loop(&mut self, id: NodeId, base: NodeId) -> Result<Map, Diagnostic> {
        let node = self.program.node(id);
        let (Kind::Carried(to), Some(loop_node)) = (node.kind.clone(), node.args.first().copied()) else {
            return Err(fault("a carried value without its loop"));
        };
        let Kind::Repeat(repeat) = self.program.node(loop_node).kind.clone() else {
            return Err(fault("a carried value without its loop"));
        };
        let ways = Ways::of(&repeat);
        let mut terms = Vec::new();
        for (position, arg) in self.program.node(loop_node).args.clone().into_iter().enumerate() {
            if !self.flow.moves(arg) {
                continue;
            }
            let Some(passed) = passed(&repeat, &ways, id, to, position)? else { continue };
            let map = match passed.enters {
                Enters::Start(_) => Map::Product(self.loops.len()),
                Enters::Turns(..) => Map::Turns(self.loops.len()),
            };
            self.loops.push(passed);
            let rest = if arg == base { Map::Identity } else { Map::Pending { node: arg, base, opened: false } };
            terms.push(Map::compose([map, rest]));
        }
        Ok(Map::sum(terms))
    }
}

/// One way through a loop, from its argument at `position` to the carried value
/// `to`; `None` where there is none.
fn passed(
    repeat: &Arc<Repeat>,
    ways: &Ways,
    node: NodeId,
    to: usize,
    position: usize,
) -> Result<Option<Loop>, Diagnostic> {
    let inner = inner(repeat);
    let derive = |to: usize, from: usize| -> Result<Block, Diagnostic> {
        let turn = Box::new(chain::derive(repeat.body.clone(), repeat.carried[to].1, inner[from])?);
        Ok(Block { to, from, turn })
    };
    let carried = repeat.carried.len();
    let entered: Vec<usize> = match position < carried {
        true => vec![position],
        false => (0..carried).filter(|to| leads(&repeat.body, repeat.carried[*to].1, inner[position])).collect(),
    };
    let states = ways.between(&entered, to, position < carried);
    if states.is_empty() {
        return Ok(None);
    }
    let mut turn = Vec::new();
    for to in &states {
        for from in states.iter().filter(|from| ways.leads(*to, **from)) {
            turn.push(derive(*to, *from)?);
        }
    }
    let enters = match position < carried {
        true => Enters::Start(position),
        false => {
            let shares = states.iter().filter(|state| entered.contains(state)).map(|to| derive(*to, position));
            Enters::Turns(position, shares.collect::<Result<_, _>>()?)
        }
    };
    let (count, index) = (repeat.count.clone(), repeat.index.clone());
    Ok(Some(Loop { node, repeat: repeat.clone(), count, index, states, to, enters, turn }))
}

/// The nodes of the body that stand for the arguments of the loop, in their order.
pub(super) fn inner(repeat: &Repeat) -> Vec<NodeId> {
    let starts = repeat.carried.iter().map(|(start, _)| *start);
    starts.chain(repeat.stacked.iter().copied()).chain(repeat.shared.iter().copied()).collect()
}

/// Does a change of `start` reach `end`?
fn leads(body: &Program, end: NodeId, start: NodeId) -> bool {
    moving(body, end, start)[start.index()]
}

/// Which carried value of a turn goes on to which of the next.
struct Ways {
    /// By the value after the turn, then by the value before it.
    leads: Vec<Vec<bool>>,
}

impl Ways {
    fn of(repeat: &Repeat) -> Ways {
        let from = |end: NodeId| repeat.carried.iter().map(|(start, _)| leads(&repeat.body, end, *start)).collect();
        Ways { leads: repeat.carried.iter().map(|(_, end)| from(*end)).collect() }
    }

    fn leads(&self, to: usize, from: usize) -> bool {
        self.leads[to][from]
    }

    /// All values that turn by turn get something of `from`, with them.
    fn after(&self, from: &[usize]) -> Vec<bool> {
        closure(self.leads.len(), from, &|next, known| self.leads[next][known])
    }

    /// All values that turn by turn give something to `to`, with it.
    fn before(&self, to: usize) -> Vec<bool> {
        closure(self.leads.len(), &[to], &|next, known| self.leads[known][next])
    }

    /// The values on a way from `entered` to `to`. A change that stands at the start
    /// of the first turn must pass one.
    fn between(&self, entered: &[usize], to: usize, must_pass: bool) -> Vec<usize> {
        let (after, before) = (self.after(entered), self.before(to));
        let states: Vec<usize> = (0..self.leads.len()).filter(|state| after[*state] && before[*state]).collect();
        let passes = states.iter().any(|state| self.leads[to][*state]);
        if must_pass && !passes { Vec::new() } else { states }
    }
}

fn closure(count: usize, from: &[usize], leads: &dyn Fn(usize, usize) -> bool) -> Vec<bool> {
    let mut found = vec![false; count];
    let mut open = from.to_vec();
    while let Some(known) = open.pop() {
        if !std::mem::replace(&mut found[known], true) {
            open.extend((0..count).filter(|next| leads(*next, known)));
        }
    }
    found
}
