//! Names for what an answer repeats.

use super::{size, text};
use crate::graph::{Kind, NodeId, Program};
use crate::shape::Name;
use std::collections::{BTreeSet, HashMap};

/// An answer with names for its repeated parts.
#[derive(Clone, Debug)]
pub struct Parts {
    /// The program, with these names.
    pub program: Program,
    /// The named parts, each before its use.
    pub named: Vec<(Name, NodeId)>,
    /// The size of all: each part once where it is defined, then one for each use.
    pub size: usize,
}

impl Parts {
    /// The definitions as lines `name = expression` in the input language.
    pub fn lines(&self) -> Vec<String> {
        let line = |(name, node): &(Name, NodeId)| {
            let mut open = self.program.clone();
            open.unname(*node);
            format!("{name} = {}", text(&open, *node))
        };
        self.named.iter().map(line).collect()
    }
}

/// Names the parts of `nodes` that are written more than once, where that makes
/// the whole shorter: a part of size s used c times costs s + c, not s · c.
pub fn parts(program: &Program, nodes: &[NodeId]) -> Parts {
    let mut program = program.clone();
    let below = below(&program, nodes);
    let mut uses: HashMap<NodeId, usize> = HashMap::new();
    for id in nodes.iter().chain(below.iter().flat_map(|id| &program.node(*id).args)) {
        *uses.entry(*id).or_insert(0) += 1;
    }
    let mut taken: BTreeSet<Name> = taken(&program);
    let mut named = Vec::new();
    // Arguments first, so that the size of a part already counts the parts in it as names.
    for id in &below {
        let used = uses.get(id).copied().unwrap_or(0);
        let operation = matches!(program.node(*id).kind, Kind::Apply(..));
        if used < 2 || !operation || nodes.contains(id) {
            continue;
        }
        let own = size(&program, *id);
        if own * used > own + used {
            let name = free(&mut taken, program.shape(*id).rank());
            program.rename(*id, name.clone());
            named.push((name, *id));
        }
    }
    let whole: usize = nodes.iter().map(|id| size(&program, *id)).sum();
    let defined: usize = named.iter().map(|(_, id)| size(&program, *id)).sum();
    Parts { size: whole + defined, program, named }
}

/// The nodes below `nodes` down to names, arguments before their users.
fn below(program: &Program, nodes: &[NodeId]) -> Vec<NodeId> {
    let (mut found, mut stack) = (BTreeSet::new(), nodes.to_vec());
    while let Some(id) = stack.pop() {
        let named = program.name(id).is_some() && !nodes.contains(&id);
        if !named && found.insert(id) {
            stack.extend(&program.node(id).args);
        }
    }
    found.into_iter().collect()
}

fn taken(program: &Program) -> BTreeSet<Name> {
    let nodes = program.graph().node_indices();
    let dims = program.graph().node_weights().flat_map(|node| node.shape.0.iter().flat_map(|dim| dim.names().cloned()));
    nodes.filter_map(|id| program.name(id).cloned()).chain(dims).collect()
}

/// A letter as mathematics chooses it: c for numbers, u for vectors, K for matrices.
fn free(taken: &mut BTreeSet<Name>, rank: usize) -> Name {
    let letters = match rank {
        0 => "c q s t",
        1 => "u r p v w",
        _ => "K P Q R T",
    };
    let plain = letters.split(' ').map(Name::from);
    let numbered = (1..).map(|n| Name::from(format!("{}_{n}", &letters[..1])));
    let name = plain.chain(numbered).find(|name| !taken.contains(name)).unwrap_or_default();
    taken.insert(name.clone());
    name
}
