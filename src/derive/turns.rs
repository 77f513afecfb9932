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
use crate::shape::Name;
use std::collections::HashSet;
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
        let args = self.program.node(loop_node).args.clone();
        let positions = (0..args.len()).filter(|position| self.flow.moves(args[*position]));
        let turn = turn(&repeat, &[to], &positions.collect::<Vec<_>>())?;
        let mut terms = Vec::new();
        for position in turn.moving.clone() {
            let arg = args[position];
            let Some(passed) = passed(&repeat, &turn, id, to, position)? else { continue };
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

/// One turn of a loop as a change of some of its arguments passes it.
#[derive(Clone, Debug)]
pub struct Turn {
    /// The body, with names for what differentials repeat.
    pub body: Program,
    /// The arguments of the loop that move, by position.
    pub moving: Vec<usize>,
    /// The carried values on a way from these to the ones asked for, by position.
    pub states: Vec<usize>,
    ways: Ways,
}

/// One turn of `repeat` for the carried values `outs` and the moving arguments
/// `moving`, all by position.
///
/// # Errors
/// An operation that has no rule for what it is given.
pub fn turn(repeat: &Repeat, outs: &[usize], moving: &[usize]) -> Result<Turn, Diagnostic> {
    let (ways, inner) = (Ways::of(repeat), repeat.inner());
    let entered: Vec<usize> = moving.iter().flat_map(|position| entered(repeat, *position)).collect();
    let states = ways.between(&entered, outs);
    let ends: Vec<NodeId> = states.iter().map(|state| repeat.carried[*state].1).collect();
    let starts = states.iter().chain(moving).map(|position| inner[*position]).collect::<Vec<_>>();
    let body = chain::with_names(repeat.body.clone(), &ends, &starts)?;
    Ok(Turn { body, moving: moving.to_vec(), states, ways })
}

/// The carried values that a change of the argument at `position` enters directly.
fn entered(repeat: &Repeat, position: usize) -> Vec<usize> {
    if position < repeat.carried.len() {
        return vec![position];
    }
    let inner = repeat.inner()[position];
    (0..repeat.carried.len()).filter(|to| leads(&repeat.body, repeat.carried[*to].1, inner)).collect()
}

/// One way through a loop, from its argument at `position` to the carried value
/// `to`; `None` where there is none.
fn passed(
    repeat: &Arc<Repeat>,
    one: &Turn,
    node: NodeId,
    to: usize,
    position: usize,
) -> Result<Option<Loop>, Diagnostic> {
    let (inner, ways, carried) = (repeat.inner(), &one.ways, repeat.carried.len());
    let mut names = HashSet::new();
    let mut derive = |to: usize, from: usize| -> Result<Block, Diagnostic> {
        let mut turn = Box::new(chain::derive(one.body.clone(), repeat.carried[to].1, inner[from])?);
        // What is derived below goes by one name on the page.
        for part in &mut turn.parts {
            while !names.insert(part.name.clone()) {
                part.name = Name::from(format!("{}'", part.name));
            }
        }
        Ok(Block { to, from, turn })
    };
    let entered = entered(repeat, position);
    let states = ways.between(&entered, &[to]);
    // A change that stands before the first turn must pass it.
    if !(position >= carried && states.contains(&to) || states.iter().any(|state| ways.leads(to, *state))) {
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
            let takes = states.iter().filter(|state| entered.contains(state));
            Enters::Turns(position, takes.map(|to| derive(*to, position)).collect::<Result<_, _>>()?)
        }
    };
    let (count, index) = (repeat.count.clone(), repeat.index.clone());
    Ok(Some(Loop { node, repeat: repeat.clone(), count, index, states, to, enters, turn }))
}

/// Does a change of `start` reach `end`?
fn leads(body: &Program, end: NodeId, start: NodeId) -> bool {
    moving(body, end, start)[start.index()]
}

/// Which carried value of a turn goes on to which of the next.
#[derive(Clone, Debug)]
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

    /// The values on a way, turn by turn, from one of `entered` to one of `outs`.
    fn between(&self, entered: &[usize], outs: &[usize]) -> Vec<usize> {
        let count = self.leads.len();
        let after = closure(count, entered, &|next, known| self.leads[next][known]);
        let before = closure(count, outs, &|next, known| self.leads[known][next]);
        (0..count).filter(|state| after[*state] && before[*state]).collect()
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
