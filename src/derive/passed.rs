//! Loops that a derivative passes through.

use super::Derivation;
use crate::graph::{NodeId, Repeat};
use crate::shape::{Dim, Name};
use std::sync::Arc;

/// A loop the derivative passes through, from where the change enters it to one
/// of the values it leaves.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The node of the carried value after the loop.
    pub node: NodeId,
    /// The loop itself.
    pub repeat: Arc<Repeat>,
    /// How often the body runs.
    pub count: Dim,
    /// The counter.
    pub index: Name,
    /// The carried values that pass the change on, by position.
    pub states: Vec<usize>,
    /// The one asked for, by position.
    pub to: usize,
    /// Where the change enters.
    pub enters: Enters,
    /// One turn among the states: what of each goes on to which.
    pub turn: Vec<Block>,
}

/// Where a change enters a loop.
#[derive(Clone, Debug)]
pub enum Enters {
    /// With the first value of a carried one, by position.
    Start(usize),
    /// In every turn by a shared or stacked value: the position of that argument of
    /// the loop, and what of it goes to which state.
    Turns(usize, Vec<Block>),
}

/// What one turn of a loop takes from one value to the next value of a state.
#[derive(Clone, Debug)]
pub struct Block {
    /// The state, by position.
    pub to: usize,
    /// The argument of the loop, by position; that of a state is the state's.
    pub from: usize,
    /// The derivation within the body.
    pub turn: Box<Derivation>,
}

impl Loop {
    /// One turn of the one state there is; `None` where several values go on together.
    pub fn alone(&self) -> Option<&Derivation> {
        match (&self.states[..], &self.turn[..]) {
            ([_], [only]) => Some(&only.turn),
            _ => None,
        }
    }

    /// What enters each turn by a shared or stacked value, if the change does.
    pub fn shares(&self) -> &[Block] {
        match &self.enters {
            Enters::Start(_) => &[],
            Enters::Turns(_, shares) => shares,
        }
    }

    /// All that was derived of one turn.
    pub fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.turn.iter().chain(self.shares())
    }

    /// Which block of the joint state is asked for: the names of its row and, for a
    /// change at the start, of its column.
    pub fn place(&self) -> Vec<Name> {
        let from = match self.enters {
            Enters::Start(from) => Some(from),
            Enters::Turns(..) => None,
        };
        std::iter::once(self.to).chain(from).map(|state| self.state_name(state)).collect()
    }

    /// What a carried value is called, by position.
    pub fn state_name(&self, state: usize) -> Name {
        let start = self.repeat.carried.get(state).and_then(|(start, _)| self.repeat.body.name(*start));
        start.cloned().unwrap_or_default()
    }
}
