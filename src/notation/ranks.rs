//! Which names on a page stand for arrays.

use super::readings::short_name;
use super::sheet::numbered;
use crate::derive::Derivation;
use crate::graph::{NodeId, Program};
use crate::reading::Answers;
use crate::shape::Name;
use std::collections::BTreeMap;

/// The rank of every name that can stand on the page of a derivation; that of a
/// named map is 2. A name that stands for a number somewhere is a number.
pub(super) fn ranks((derivation, answers): &(Derivation, Answers)) -> BTreeMap<Name, usize> {
    let mut ranks = result_ranks(&answers.program, answers.out);
    of_derivation(derivation, &mut ranks);
    for turn in &derivation.loops {
        for block in turn.blocks() {
            of_derivation(&numbered(&block.turn, turn), &mut ranks);
        }
    }
    ranks
}

/// The names of a program, with the short one of its result's cotangent.
pub(super) fn result_ranks(program: &Program, out: NodeId) -> BTreeMap<Name, usize> {
    let mut ranks = BTreeMap::new();
    of_program(program, &mut ranks);
    if let Some(short) = short_name(program, out) {
        note(&mut ranks, short, program.shape(out).rank());
    }
    ranks
}

fn of_derivation(derivation: &Derivation, ranks: &mut BTreeMap<Name, usize>) {
    of_program(&derivation.program, ranks);
    if let Some(whole) = &derivation.whole {
        of_program(&whole.program, ranks);
    }
    derivation.parts.iter().for_each(|part| note(ranks, part.name.clone(), 2));
}

fn of_program(program: &Program, ranks: &mut BTreeMap<Name, usize>) {
    for id in program.graph().node_indices() {
        if let Some(name) = program.name(id) {
            note(ranks, name.clone(), program.shape(id).rank());
        }
    }
}

fn note(ranks: &mut BTreeMap<Name, usize>, name: Name, rank: usize) {
    let least = ranks.entry(name).or_insert(rank);
    *least = rank.min(*least);
}
