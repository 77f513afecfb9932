//! Expressions on trial: equal ones are one, each knows its size, and only the
//! one that is chosen becomes nodes of a program.

use crate::graph::{Kind, NodeId, Program};
use crate::ops::{Attr, Attrs, Axes, Notation, Number, OpRef, Param, ParamKind, Preset, by_name};
use crate::shape::Dim;
use std::collections::{BTreeMap, HashMap};

/// An expression on trial, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TreeId(u32);

/// What stands at the top of an expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Head {
    /// A node of the program, taken as it is: an input or a name.
    Node(NodeId),
    /// The place of a differential.
    Hole(NodeId),
    /// A number.
    Number(Number),
    /// A dimension as a number.
    Size(Dim),
    /// An operation.
    Op(OpRef, Attrs),
}

struct Tree {
    head: Head,
    args: Vec<TreeId>,
    rank: usize,
    size: u32,
    symmetric: bool,
    single: bool,
    fragile: bool,
}

/// The expressions.
#[derive(Default)]
pub struct Trees {
    list: Vec<Tree>,
    ids: HashMap<(Head, Vec<TreeId>), TreeId>,
    turned: HashMap<TreeId, TreeId>,
}

impl Trees {
    /// What stands at the top.
    pub fn head(&self, id: TreeId) -> &Head {
        &self.list[id.0 as usize].head
    }

    /// The arguments.
    pub fn args(&self, id: TreeId) -> &[TreeId] {
        &self.list[id.0 as usize].args
    }

    /// The number of axes of the value.
    pub fn rank(&self, id: TreeId) -> usize {
        self.list[id.0 as usize].rank
    }

    /// Names, numbers, operators and calls, each once per occurrence.
    pub fn size(&self, id: TreeId) -> u32 {
        self.list[id.0 as usize].size
    }

    /// The size as it is counted where parts get names: a part that is written more than
    /// once has one where that makes the whole shorter, and counts once where it is
    /// defined and one for each use.
    pub fn named_size(&self, id: TreeId) -> u32 {
        let mut uses: BTreeMap<TreeId, i64> = BTreeMap::from([(id, 0)]);
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            for arg in self.args(id) {
                let used = uses.entry(*arg).or_insert(0);
                *used += 1;
                if *used == 1 {
                    open.push(*arg);
                }
            }
        }
        // Arguments have smaller numbers: a part counts those in it that have names as such.
        let mut sizes: HashMap<TreeId, i64> = HashMap::new();
        let mut defined = 0;
        for (part, used) in uses {
            let args = self.args(part);
            let plain: i64 = args.iter().map(|a| i64::from(self.size(*a))).sum();
            let own = i64::from(self.size(part)) - plain + args.iter().map(|a| sizes[a]).sum::<i64>();
            let named = matches!(self.head(part), Head::Op(..)) && part != id && own * used > own + used;
            defined += if named { own } else { 0 };
            sizes.insert(part, if named { 1 } else { own });
        }
        u32::try_from(sizes[&id] + defined).unwrap_or(u32::MAX)
    }

    /// Marks a matrix as equal to its transpose.
    pub fn mark_symmetric(&mut self, id: TreeId) {
        self.list[id.0 as usize].symmetric = true;
    }

    /// Marks a sum as one over an axis of size 1.
    pub fn mark_single(&mut self, id: TreeId) {
        self.list[id.0 as usize].single = true;
    }

    /// Is the expression a sum over an axis of size 1, so that its argument has the same entries?
    pub fn is_single(&self, id: TreeId) -> bool {
        self.list[id.0 as usize].single
    }

    /// where(c, x, 0) is written 1[c] x, where(c, 1, 0) is 1[c]: what is not counted.
    fn mask_saving(&self, head: &Head, args: &[TreeId]) -> u32 {
        match (head, args) {
            (Head::Op(op, _), [_, x, y])
                if op.notation == Notation::Choice && self.as_number(*y) == Some(Number::ZERO) =>
            {
                if self.as_number(*x) == Some(Number::ONE) { 3 } else { 1 }
            }
            _ => 0,
        }
    }

    /// May an entry be infinite or no number, by this entry of an argument?
    pub fn fragile(&self, id: TreeId) -> bool {
        self.list[id.0 as usize].fragile
    }

    fn is_fragile(&self, head: &Head, args: &[TreeId]) -> bool {
        let Head::Op(op, _) = head else { return false };
        let last = args.last().and_then(|a| self.as_number(*a));
        let gap = match op.notation {
            Notation::Fraction => last.is_none(),
            Notation::Power => last.is_none_or(|n| n.is_negative() || n.as_whole().is_none()),
            _ => !op.undefined.is_empty(),
        };
        op.axes == Axes::Elementwise && (gap || args.iter().any(|a| self.fragile(*a)))
    }

    /// An expression by what stands at its top, its arguments and its number of axes.
    pub fn add(&mut self, head: Head, args: Vec<TreeId>, rank: usize) -> TreeId {
        let key = (head, args);
        if let Some(id) = self.ids.get(&key) {
            return *id;
        }
        let own = match &key.0 {
            Head::Op(op, attrs) => 1 + attrs_size(op, attrs, key.1.first().map_or(0, |a| self.rank(*a))),
            Head::Size(dim) => dim_size(dim),
            _ => 1,
        };
        let size = key.1.iter().map(|a| self.size(*a)).fold(own, u32::saturating_add);
        let size = size - self.mask_saving(&key.0, &key.1);
        let id = TreeId(self.list.len() as u32);
        let fragile = self.is_fragile(&key.0, &key.1);
        self.list.push(Tree {
            head: key.0.clone(),
            args: key.1.clone(),
            rank,
            size,
            symmetric: false,
            single: false,
            fragile,
        });
        self.ids.insert(key, id);
        id
    }

    /// An input, a name, or a hole, with its number of axes.
    pub fn leaf(&mut self, head: Head, rank: usize) -> TreeId {
        self.add(head, Vec::new(), rank)
    }

    /// A number.
    pub fn number(&mut self, number: Number) -> TreeId {
        self.add(Head::Number(number), Vec::new(), 0)
    }

    /// The number an expression is, if it is one.
    pub fn as_number(&self, id: TreeId) -> Option<Number> {
        match self.head(id) {
            Head::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// An operation of the record.
    pub fn apply(&mut self, op: OpRef, attrs: Attrs, args: &[TreeId], rank: usize) -> TreeId {
        self.add(Head::Op(op, attrs), args.to_vec(), rank)
    }

    /// An operation of the reading's own vocabulary; `None` if the table lacks it.
    pub fn word(&mut self, name: &str, attrs: &[(&'static str, Attr)], args: &[TreeId], rank: usize) -> Option<TreeId> {
        by_name(name).map(|op| self.apply(op, Attrs(attrs.to_vec()), args, rank))
    }

    /// Is the top of the expression this operation?
    pub fn is_word(&self, id: TreeId, name: &str) -> bool {
        matches!(self.head(id), Head::Op(op, _) if op.name == name)
    }

    /// The transpose of a matrix, in its shorter spelling.
    pub fn turn(&mut self, id: TreeId) -> Option<TreeId> {
        if self.rank(id) < 2 || self.list[id.0 as usize].symmetric {
            return Some(id);
        }
        if let Some(known) = self.turned.get(&id) {
            return Some(*known);
        }
        let plain = self.word("transpose", &[], &[id], 2)?;
        let inside = self.turn_inside(id);
        let best = inside.filter(|t| self.size(*t) < self.size(plain)).unwrap_or(plain);
        self.turned.insert(id, best);
        Some(best)
    }

    /// The transpose carried into the arguments.
    fn turn_inside(&mut self, id: TreeId) -> Option<TreeId> {
        let Head::Op(op, attrs) = self.head(id).clone() else { return None };
        let args = self.args(id).to_vec();
        match (op.name, args.as_slice()) {
            ("transpose", [inner]) => Some(*inner),
            ("diag" | "eye", _) => Some(id),
            ("outer", [a, b]) => self.word("outer", &[], &[*b, *a], 2),
            ("ones" | "zeros", []) => {
                let dims = attrs.dims("dims").iter().rev().cloned().collect();
                self.word(op.name, &[("dims", Attr::Dims(dims))], &[], 2)
            }
            ("matmul", [a, b]) if self.rank(*a) == 2 && self.rank(*b) == 2 => {
                let (a, b) = (self.turn(*a)?, self.turn(*b)?);
                self.word("matmul", &[], &[b, a], 2)
            }
            ("mul" | "add" | "sub" | "div", [a, b]) if self.rank(*a) != 1 && self.rank(*b) != 1 => {
                let (a, b) = (self.turn(*a)?, self.turn(*b)?);
                Some(self.apply(op, attrs, &[a, b], 2))
            }
            ("neg", [a]) => {
                let a = self.turn(*a)?;
                self.word("neg", &[], &[a], 2)
            }
            _ => None,
        }
    }

    /// The expression as a node; shared parts are made once.
    ///
    /// # Errors
    /// `None` if shapes do not fit, which would be a fault of the reading.
    pub fn to_node(&self, program: &mut Program, id: TreeId) -> Option<NodeId> {
        let mut made: HashMap<TreeId, NodeId> = HashMap::new();
        let mut open = vec![id];
        while let Some(&id) = open.last() {
            let tree = &self.list[id.0 as usize];
            let missing: Vec<TreeId> = tree.args.iter().filter(|a| !made.contains_key(a)).copied().collect();
            if !missing.is_empty() {
                open.extend(missing);
                continue;
            }
            open.pop();
            let args: Vec<NodeId> = tree.args.iter().map(|a| made[a]).collect();
            let node = match &tree.head {
                Head::Node(node) => *node,
                Head::Hole(of) => program.hole(*of),
                Head::Number(number) => program.number(*number),
                Head::Size(dim) => program.size(dim.clone()),
                Head::Op(op, attrs) => program.apply(op, &args, attrs.clone()).ok()?,
            };
            made.insert(id, node);
        }
        made.get(&id).copied()
    }
}

/// What is written for the attributes: those that are not at rest.
pub fn attrs_size(op: OpRef, attrs: &Attrs, rank: usize) -> u32 {
    let written = |param: &Param| match (attrs.get(param.name), param.kind) {
        // x[:, 0]: the place within the bracket tells the axis.
        (Some(Attr::Axes(_)), _) if matches!(op.notation, Notation::Entry | Notation::Slice) => 0,
        (Some(Attr::Axes(axes)), ParamKind::Axis(Some(Preset::AllAxes))) if axes.len() == rank => 0,
        (Some(Attr::Axes(axes)), _) => axes.len() as u32,
        (Some(Attr::Flag(flag)), ParamKind::Flag(rest)) => u32::from(*flag != rest),
        (Some(Attr::Whole(n)), ParamKind::Whole(rest)) => u32::from(Some(*n) != rest),
        (Some(Attr::Text(text)), ParamKind::Text(rest)) => u32::from(&**text != rest),
        (Some(Attr::Dims(dims)), _) => dims.iter().map(dim_size).sum(),
        (Some(_), _) => 1,
        (None, _) => 0,
    };
    op.params.iter().map(written).sum()
}

/// The size of a dimension as an expression: `n` is 1, `n + 1` is 3.
pub fn dim_size(dim: &Dim) -> u32 {
    let words = dim.to_string();
    let words = words.split_whitespace().filter(|w| !w.is_empty()).count() as u32;
    // `2 n` is a product: its sign is not printed by the dimension.
    words.max(1) + u32::from(words == 2)
}

/// The size of a node as it is written: see [`super::size`].
pub fn node_own_size(program: &Program, id: NodeId) -> u32 {
    let node = program.node(id);
    match &node.kind {
        Kind::Size(dim) => dim_size(dim),
        Kind::Apply(op, attrs) => 1 + attrs_size(op, attrs, node.args.first().map_or(0, |a| program.shape(*a).rank())),
        _ => 1,
    }
}
