//! One program, or the body of a loop, as nodes and edges.

use super::fold::Fold;
use crate::derive::{Loop, moving};
use crate::graph::{Kind, NodeId, Program, Repeat};
use crate::notation::{Scribe, Style};
use crate::render::flat;
use crate::shape::Name;
use std::collections::{HashMap, HashSet};

/// An expression of no more letters stands within others, without a name.
const WITHIN: usize = 18;

/// What an input of a loop's body is outside of it.
#[derive(Clone, Debug)]
pub(super) enum Bound {
    /// What the loop begins with; the nodes of the picture it comes from.
    Start(Vec<usize>),
    /// A slice or a shared value, and the node of the picture it comes from: none
    /// where an input is used by the loop alone.
    Taken(Option<usize>),
}

/// A program as it is drawn.
pub(super) struct Scope<'a> {
    /// The program. Values that are drawn and have no name get one where their
    /// expression is too long to stand within others.
    pub program: Program,
    /// What must be drawn.
    pub targets: Vec<NodeId>,
    /// The node the main path starts from, if it stands here.
    pub main: Option<NodeId>,
    /// Which nodes depend on it, and the targets on them.
    pub moves: Vec<bool>,
    /// The block around it.
    pub block: Option<usize>,
    /// What its inputs are outside.
    pub bound: HashMap<NodeId, Bound>,
    /// The counter, which is no node.
    pub counter: Option<NodeId>,
    /// The loops as the derivation passed them.
    pub loops: &'a [Loop],
    /// What is drawn for what.
    pub fold: Fold,
    /// Names of folded values: w0 … w3.
    pub ranges: HashMap<NodeId, String>,
    needed: Vec<bool>,
    hidden: HashSet<NodeId>,
    merged: HashSet<NodeId>,
}

impl<'a> Scope<'a> {
    /// A program before anything of it is drawn.
    pub fn new(program: Program, targets: Vec<NodeId>, loops: &'a [Loop], block: Option<usize>) -> Scope<'a> {
        let count = program.graph().node_count();
        Scope {
            program,
            targets,
            main: None,
            moves: vec![false; count],
            block,
            bound: HashMap::new(),
            counter: None,
            loops,
            fold: Fold::default(),
            ranges: HashMap::new(),
            needed: vec![false; count],
            hidden: HashSet::new(),
            merged: HashSet::new(),
        }
    }

    /// Notes what depends on `sources`, and the targets on it.
    pub fn depends_on(&mut self, sources: &[NodeId]) {
        for target in &self.targets {
            for source in sources {
                for (flag, moves) in self.moves.iter_mut().zip(moving(&self.program, *target, *source)) {
                    *flag |= moves;
                }
            }
        }
    }

    /// Finds what is drawn, and gives names where they are needed: t1, t2 and so on,
    /// counted by `named`.
    pub fn settle(&mut self, named: &mut usize) {
        let last = self.targets.iter().map(|id| id.index()).max().unwrap_or(0);
        for target in &self.targets {
            let drawn = self.fold.drawn(*target);
            self.needed[drawn.index()] = true;
        }
        let mut users: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
        for index in (0..=last).rev().filter(|i| *i < self.moves.len()) {
            if self.needed[index] {
                for arg in &self.program.node(NodeId::new(index)).args {
                    let arg = self.fold.drawn(*arg);
                    self.needed[arg.index()] = true;
                    users.entry(arg).or_default().push(NodeId::new(index));
                }
            }
        }
        for id in self.ids() {
            let used = users.get(&id).map_or(&[][..], Vec::as_slice);
            if self.is_merged(id, used) {
                self.merged.insert(id);
            } else if self.is_hidden(id, used) {
                self.hidden.insert(id);
            }
        }
        for id in self.ids().into_iter().filter(|id| !self.hidden.contains(id)).collect::<Vec<_>>() {
            if self.program.name(id).is_none() && !self.targets.contains(&id) && self.is_long(id) {
                let name = self.spare_name(named);
                self.program.set_name(id, name);
            }
        }
    }

    /// Is its expression too long to stand within others? What a loop leaves has none.
    fn is_long(&self, id: NodeId) -> bool {
        match self.program.node(id).kind {
            Kind::Apply(..) => {
                let written = flat(&Scribe::new(&self.program, Style::Written).definition(id));
                written.chars().count() > WITHIN
            }
            Kind::Carried(_) => true,
            _ => false,
        }
    }

    fn spare_name(&self, named: &mut usize) -> Name {
        loop {
            *named += 1;
            let name = format!("t{named}");
            if self.program.named(&name).is_none() {
                return Name::from(name);
            }
        }
    }

    /// The nodes that matter, arguments before users.
    pub fn ids(&self) -> Vec<NodeId> {
        (0..self.needed.len()).filter(|i| self.needed[*i]).map(NodeId::new).collect()
    }

    /// Is the node an input that one loop alone uses? It is drawn inside.
    pub fn is_merged_input(&self, id: NodeId) -> bool {
        self.merged.contains(&id)
    }

    /// Is the node drawn by itself?
    pub fn is_drawn(&self, id: NodeId) -> bool {
        !self.hidden.contains(&id) && !self.merged.contains(&id)
    }

    /// Does the node carry the derivative?
    pub fn moves(&self, id: NodeId) -> bool {
        self.moves.get(id.index()).copied().unwrap_or(false)
    }

    /// The drawn nodes that `arg` is written with: itself, or what stands in a
    /// small expression that is not drawn by itself. These are not nested.
    pub fn sources(&self, arg: NodeId) -> Vec<NodeId> {
        let arg = self.fold.drawn(arg);
        if self.is_drawn(arg) {
            return vec![arg];
        }
        let args = self.program.node(arg).args.iter().map(|arg| self.fold.drawn(*arg));
        let mut sources: Vec<NodeId> = args.filter(|arg| self.is_drawn(*arg)).collect();
        sources.dedup();
        sources
    }

    /// How the derivation passed this loop.
    pub fn passed(&self, repeat: NodeId) -> Option<&'a Loop> {
        self.loops.iter().find(|passed| self.program.node(passed.node).args.first() == Some(&repeat))
    }

    fn is_merged(&self, id: NodeId, users: &[NodeId]) -> bool {
        let [user] = users[..] else { return false };
        let node = self.program.node(user);
        let Kind::Repeat(repeat) = &node.kind else { return false };
        let carried = &node.args[..repeat.carried.len()];
        let free = matches!(self.bound.get(&id), None | Some(Bound::Taken(None)));
        matches!(self.program.node(id).kind, Kind::Input(_)) && free && !carried.contains(&id)
    }

    /// Numbers, sizes and the counter are written where they are used; so is an
    /// operation without a name on one input alone, as in `x @ w.T`.
    fn is_hidden(&self, id: NodeId, users: &[NodeId]) -> bool {
        if self.targets.contains(&id) {
            return false;
        }
        let node = self.program.node(id);
        match &node.kind {
            Kind::Number(_) | Kind::Size(_) => true,
            Kind::Input(_) => self.counter == Some(id),
            Kind::Apply(..) => {
                let number = |id: &&NodeId| matches!(self.program.node(**id).kind, Kind::Number(_) | Kind::Size(_));
                let mut args: Vec<&NodeId> = node.args.iter().filter(|id| !number(id)).collect();
                args.dedup();
                let input = |id: &NodeId| {
                    matches!(self.program.node(*id).kind, Kind::Input(_)) && self.is_drawn(*id) && !self.moves(*id)
                };
                let one = matches!(args[..], [arg] if input(arg)) || args.is_empty();
                let used = |user: &NodeId| matches!(self.program.node(*user).kind, Kind::Apply(..));
                one && self.program.name(id).is_none() && matches!(users, [user] if used(user))
            }
            _ => false,
        }
    }
}

/// The body of a loop as a scope of its own.
pub(super) fn body<'a>(
    repeat: &Repeat,
    passed: Option<&'a Loop>,
    moves: &[bool],
    block: usize,
    named: bool,
) -> Scope<'a> {
    let turn = passed.and_then(|passed| passed.turn.first()).map(|block| &*block.turn);
    let program = match turn {
        Some(turn) if named => turn.program.clone(),
        _ => repeat.body.clone(),
    };
    let targets = repeat.carried.iter().map(|(_, end)| *end).collect();
    let mut scope = Scope::new(program, targets, turn.map_or(&[], |turn| &turn.loops), Some(block));
    scope.counter = repeat.counter;
    let inner = repeat.carried.iter().map(|(start, _)| start).chain(&repeat.stacked).chain(&repeat.shared);
    let mut sources: Vec<NodeId> = inner.zip(moves).filter(|(_, moves)| **moves).map(|(id, _)| *id).collect();
    // A value that moves at the end of a turn moves at the start of the next.
    for _ in 0..=repeat.carried.len() {
        let depends = |end: NodeId| sources.iter().any(|source| moving(&repeat.body, end, *source)[end.index()]);
        let more: Vec<NodeId> = repeat
            .carried
            .iter()
            .filter(|(start, end)| !sources.contains(start) && depends(*end))
            .map(|(start, _)| *start)
            .collect();
        if more.is_empty() {
            break;
        }
        sources.extend(more);
    }
    scope.depends_on(&sources);
    scope
}
