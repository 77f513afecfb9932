//! A derivation in the making: the names it gives and the parts it names.

use super::chain::Flow;
use super::{Loop, Map, Part, View, rules};
use crate::diagnostic::Diagnostic;
use crate::graph::{Kind, NodeId, Program};
use crate::shape::Name;
use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

pub(super) struct Work {
    pub program: Program,
    pub flow: Flow,
    /// How the lines will be written.
    pub view: View,
    pub parts: Vec<Part>,
    pub loops: Vec<Loop>,
    part_of: HashMap<(NodeId, NodeId), usize>,
    /// Parts that have a name and no paragraph yet.
    pub waiting: VecDeque<usize>,
    /// What would be written out more than once in the paragraph at hand.
    pub repeated: HashSet<(NodeId, NodeId)>,
    taken: HashSet<Name>,
    numbered: usize,
}

impl Work {
    pub fn new(program: Program, flow: Flow, view: View) -> Work {
        let names = program.graph().node_indices().filter_map(|id| program.name(id).cloned());
        let dims = program.graph().node_weights().flat_map(|n| n.shape.0.iter().flat_map(|d| d.names().cloned()));
        let taken = names.chain(dims).collect();
        Work {
            program,
            flow,
            view,
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
    /// of its user (or its own) mentions. Where several of the segments between
    /// `cuts` have such values, these bear the number of their segment, as its map does.
    pub fn name_coefficients(&mut self, out: NodeId, cuts: &[NodeId]) -> Result<(), Diagnostic> {
        let (mut unnamed, mut seen): (Vec<(NodeId, bool)>, HashSet<NodeId>) = (Vec::new(), HashSet::new());
        for index in 0..=out.index() {
            let id = NodeId::new(index);
            if !self.flow.moves(id) || self.program.op(id).is_none_or(|(op, _)| op.rule.text().is_none()) {
                continue;
            }
            let flow = &self.flow;
            let differential = rules::local(&mut self.program, id, &|arg| flow.moves(arg))?;
            for mentioned in self.mentioned(differential, index) {
                let wanted = self.program.name(mentioned).is_none() && self.flow.moves(mentioned);
                if wanted && seen.insert(mentioned) {
                    unnamed.push((mentioned, mentioned == id));
                }
            }
        }
        // Cuts are in ascending order.
        let inner = cuts.get(1..).unwrap_or_default();
        let segment = |node: NodeId| inner.partition_point(|cut| *cut < node);
        let several = unnamed.iter().any(|(node, _)| segment(*node) != segment(unnamed[0].0));
        for (node, own) in unnamed {
            let name = self.helper_name(node, own, several.then(|| segment(node)));
            self.program.rename(node, name);
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

    /// A name for a value without one: numbers have letters of their own, and so has
    /// the result of an operation (`own`). In a numbered segment it bears the number.
    pub fn helper_name(&mut self, node: NodeId, own: bool, segment: Option<usize>) -> Name {
        let letters = match (self.program.shape(node).rank(), own) {
            (0, _) => "s t r q",
            (_, true) => "s u v r",
            (_, false) => "z u v r",
        };
        match segment {
            None => self.free_name(letters),
            Some(i) => {
                let numbered: Vec<String> = letters.split(' ').map(|letter| format!("{letter}_{i}")).collect();
                self.free_name(&numbered.join(" "))
            }
        }
    }

    /// The first of `wishes` that nothing is called yet, else the first with a number.
    pub fn free_name(&mut self, wishes: &str) -> Name {
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

    /// The named map d(node)/d(base).
    pub fn part(&mut self, node: NodeId, base: NodeId) -> usize {
        if let Some(part) = self.part_of.get(&(node, base)) {
            return *part;
        }
        if self.program.name(node).is_none() {
            let name = self.helper_name(node, false, None);
            self.program.rename(node, name);
        }
        let of = self.program.name(node).cloned().unwrap_or_default();
        let name = self.free_name(&format!("D_{of}"));
        self.parts.push(Part { name, node, base, map: Map::Zero, beside_identity: false, like: None });
        self.part_of.insert((node, base), self.parts.len() - 1);
        self.waiting.push_back(self.parts.len() - 1);
        self.parts.len() - 1
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
