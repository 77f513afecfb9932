//! The graph itself: nodes, sharing, names.

use super::repeat::{Repeat, Reverse};
use crate::diagnostic::{Kind as Mistake, Span};
use crate::ops::{Attr, Attrs, Lower, Misfit, Number, Op, OpRef, ParamKind};
use crate::shape::{Dim, Name, Shape, Unknowns};
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::HashMap;
use std::sync::Arc;

/// A node of a program's graph.
pub type NodeId = NodeIndex<u32>;

/// What a node is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// An input, by name.
    Input(Name),
    /// A number.
    Number(Number),
    /// A dimension used as a number.
    Size(Dim),
    /// An operation on the arguments.
    Apply(OpRef, Attrs),
    /// The place of a differential: that of the node in the one argument. Rules
    /// are instantiated with holes; a finished program has none.
    Hole(NodeId),
    /// The cotangent of a node, given from outside: ō in a pullback.
    Cotangent(NodeId),
    /// A loop; its arguments are those of [`Repeat`].
    Repeat(Arc<Repeat>),
    /// The way back through a loop; its arguments are those of [`Reverse`].
    Reverse(Arc<Reverse>),
    /// A carried value after the loop, by position; the argument is the loop. Of the
    /// way back what an argument of the loop receives.
    Carried(usize),
}

/// A node: what it is, its arguments, its shape, where it was written.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it is.
    pub kind: Kind,
    /// Its arguments, in order.
    pub args: Vec<NodeId>,
    /// The shape of its value.
    pub shape: Shape,
    /// Where it was written; `None` for nodes made by rules and readings.
    pub span: Option<Span>,
}

/// A named value of the program as read: `h = relu(x @ w1 + b1)`.
#[derive(Clone, Debug)]
pub struct Definition {
    /// Its name.
    pub name: Name,
    /// Its node.
    pub node: NodeId,
    /// The right-hand side as written, on one line.
    pub text: String,
}

/// What is known of a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Property {
    /// Equal to its transpose.
    Symmetric,
    /// Symmetric with positive eigenvalues.
    PositiveDefinite,
    /// Its transpose is its inverse.
    Orthogonal,
    /// Zero off the diagonal.
    Diagonal,
    /// It has an inverse.
    Invertible,
    /// All entries above 0.
    Positive,
    /// No entry is 0.
    Nonzero,
    /// One entry (of each row) is 1, the others 0.
    OneHot,
    /// The entries (of each row) are not negative and sum to one.
    Probability,
    /// Every entry is −1 or 1.
    SignLabels,
    /// Every entry is 0 or 1.
    Binary,
    /// The columns are linearly independent.
    FullColumnRank,
    /// The rows are linearly independent.
    FullRowRank,
}

/// A program: an append-only graph in which equal nodes are one node.
#[derive(Clone, Debug, Default)]
pub struct Program {
    graph: DiGraph<Node, usize>,
    known: HashMap<(Kind, Vec<NodeId>), NodeId>,
    names: HashMap<NodeId, Name>,
    /// The name of the function; empty for an expression.
    pub title: String,
    /// The source text the spans refer to.
    pub source: Arc<str>,
    /// The inputs, in the order of the parameters.
    pub inputs: Vec<NodeId>,
    /// The named values as read, in order.
    pub definitions: Vec<Definition>,
    /// The result.
    pub output: NodeId,
    /// What is known of values, at the point, not around it.
    pub properties: Vec<(NodeId, Property)>,
    /// Inputs set to a number in every entry, at the point, not around it.
    pub settings: Vec<(NodeId, Number)>,
    /// Sizes that named dimensions must have (from doctests); empty if free.
    pub sizes: crate::shape::Sizes,
    /// What was taken for granted while reading, one sentence each.
    pub assumptions: Vec<String>,
    /// The input to differentiate by unless another is asked for, and why that one.
    pub suggested_wrt: Option<(NodeId, String)>,
    /// Unknown dimensions and what settled them.
    pub unknowns: Unknowns,
}

impl Program {
    /// A program without nodes.
    pub fn new() -> Program {
        Program::default()
    }

    /// The graph: an edge leads from argument to user and holds the argument's position.
    pub fn graph(&self) -> &DiGraph<Node, usize> {
        &self.graph
    }

    /// A node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.graph[id]
    }

    /// The shape of a node's value.
    pub fn shape(&self, id: NodeId) -> &Shape {
        &self.graph[id].shape
    }

    /// The operation of a node, if it is one.
    pub fn op(&self, id: NodeId) -> Option<(OpRef, &Attrs)> {
        match &self.graph[id].kind {
            Kind::Apply(op, attrs) => Some((op, attrs)),
            _ => None,
        }
    }

    /// The exact number a node is, if it is one.
    pub fn number_of(&self, id: NodeId) -> Option<Number> {
        match &self.graph[id].kind {
            Kind::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// The name of a node, if it has one.
    pub fn name(&self, id: NodeId) -> Option<&Name> {
        self.names.get(&id)
    }

    /// Gives a node a name, unless it has one.
    pub fn set_name(&mut self, id: NodeId, name: Name) {
        self.names.entry(id).or_insert(name);
    }

    /// Gives a node another name.
    pub fn rename(&mut self, id: NodeId, name: Name) {
        self.names.insert(id, name);
    }

    /// Takes a node's name away: it is written out where it is used.
    pub fn unname(&mut self, id: NodeId) {
        self.names.remove(&id);
    }

    /// The input called `name`.
    pub fn input_named(&self, name: &str) -> Option<NodeId> {
        self.inputs.iter().copied().find(|id| self.name(*id).is_some_and(|n| &**n == name))
    }

    /// The named value called `name`: an input, or the last definition of it.
    pub fn named(&self, name: &str) -> Option<NodeId> {
        let defined = self.definitions.iter().rev().find(|d| &*d.name == name).map(|d| d.node);
        defined.or_else(|| self.input_named(name))
    }

    /// Adds an input.
    pub fn input(&mut self, name: &str, shape: Shape) -> NodeId {
        let id = self.add(Kind::Input(Name::from(name)), Vec::new(), shape, None);
        self.set_name(id, Name::from(name));
        if !self.inputs.contains(&id) {
            self.inputs.push(id);
        }
        id
    }

    /// A number.
    pub fn number(&mut self, number: Number) -> NodeId {
        self.add(Kind::Number(number), Vec::new(), Shape::scalar(), None)
    }

    /// A dimension as a number.
    pub fn size(&mut self, dim: Dim) -> NodeId {
        match dim.as_size().and_then(|n| i64::try_from(n).ok()) {
            Some(n) => self.number(Number::whole(n)),
            None => self.add(Kind::Size(dim), Vec::new(), Shape::scalar(), None),
        }
    }

    /// The place of the differential of `of`.
    pub fn hole(&mut self, of: NodeId) -> NodeId {
        let shape = self.shape(of).clone();
        self.add(Kind::Hole(of), Vec::new(), shape, None)
    }

    /// The cotangent of `of`, given from outside.
    pub fn cotangent(&mut self, of: NodeId) -> NodeId {
        let shape = self.shape(of).clone();
        self.add(Kind::Cotangent(of), Vec::new(), shape, None)
    }

    /// A loop, and the nodes of its carried values after it.
    pub fn repeat(&mut self, repeat: Repeat, args: Vec<NodeId>) -> Vec<NodeId> {
        let shapes: Vec<Shape> = repeat.carried.iter().map(|(start, _)| repeat.body.shape(*start).clone()).collect();
        let node = self.add(Kind::Repeat(Arc::new(repeat)), args, Shape::scalar(), None);
        let carried = |(i, shape)| self.add(Kind::Carried(i), vec![node], shape, None);
        shapes.into_iter().enumerate().map(carried).collect()
    }

    /// The way back through a loop, whose cotangents after the last turn are `args[1..]`.
    pub fn reverse(&mut self, reverse: Reverse, args: Vec<NodeId>) -> NodeId {
        self.add(Kind::Reverse(Arc::new(reverse)), args, Shape::scalar(), None)
    }

    /// The loop that `reverse` goes back through, and the position of its argument that
    /// receives the value at `position`.
    pub fn received(&self, reverse: NodeId, position: usize) -> Option<(NodeId, usize)> {
        let node = self.node(reverse);
        let Kind::Reverse(of) = &node.kind else { return None };
        Some((*node.args.first()?, *of.receives.get(position)?))
    }

    /// The carried value at `position` after the loop `repeat`; `None` where that is
    /// no loop, or carries fewer.
    pub fn carried(&mut self, repeat: NodeId, position: usize) -> Option<NodeId> {
        let shape = match &self.node(repeat).kind {
            Kind::Repeat(of) => of.body.shape(of.carried.get(position)?.0).clone(),
            Kind::Reverse(_) => {
                let (of, argument) = self.received(repeat, position)?;
                self.shape(*self.node(of).args.get(argument)?).clone()
            }
            _ => return None,
        };
        Some(self.add(Kind::Carried(position), vec![repeat], shape, None))
    }

    /// Applies an operation.
    ///
    /// # Errors
    /// How the shapes of the arguments do not fit.
    pub fn apply(&mut self, op: &'static Op, args: &[NodeId], mut attrs: Attrs) -> Result<NodeId, Misfit> {
        let shapes: Vec<Shape> = args.iter().map(|id| self.unknowns.resolve_shape(&self.graph[*id].shape)).collect();
        let shape = (op.shape)(&mut self.unknowns, &shapes.iter().collect::<Vec<_>>(), &attrs)?;
        let stated = |name: &str| op.params.iter().any(|p| p.name == name && matches!(p.kind, ParamKind::Stated));
        attrs.0.retain(|(name, _)| !stated(name));
        Ok(self.add(Kind::Apply(op, attrs), args.to_vec(), shape, None))
    }

    /// Applies the operation called `name` with all attributes at rest.
    ///
    /// # Errors
    /// How the shapes of the arguments do not fit.
    pub fn call(&mut self, name: &str, args: &[NodeId]) -> Result<NodeId, Misfit> {
        self.call_with(name, args, &[])
    }

    /// Applies the operation called `name` with these attributes.
    ///
    /// # Errors
    /// How the shapes of the arguments do not fit, or that there is no such operation.
    pub fn call_with(&mut self, name: &str, args: &[NodeId], attrs: &[(&'static str, Attr)]) -> Result<NodeId, Misfit> {
        let op = crate::ops::by_name(name)
            .ok_or_else(|| Misfit::new(Mistake::UnknownFunction, format!("there is no operation {name}")))?;
        self.apply(op, args, Attrs(attrs.to_vec()))
    }

    /// Notes where a node was written, unless that is known.
    pub fn place(&mut self, id: NodeId, span: Span) {
        self.graph[id].span.get_or_insert(span);
    }

    /// Is this a node whose value is linear in each argument by itself?
    pub fn is_linear(&self, id: NodeId) -> bool {
        self.op(id).is_some_and(|(op, _)| matches!(op.lower, Lower::Sum(_) | Lower::Labels(_)))
    }

    /// Replaces every settled unknown dimension in every shape; those left over
    /// take the names that `fresh` gives.
    pub fn settle(&mut self, mut fresh: impl FnMut() -> Name) {
        let mut left: Vec<Dim> = Vec::new();
        for node in self.graph.node_weights() {
            for dim in &self.unknowns.resolve_shape(&node.shape).0 {
                for name in dim.names().filter(|name| name.starts_with('?')) {
                    let dim = Dim::named(name);
                    if !left.contains(&dim) {
                        left.push(dim);
                    }
                }
            }
        }
        for dim in left {
            let name = fresh();
            self.unknowns.equal(&dim, &Dim::named(&name));
        }
        let unknowns = &self.unknowns;
        for node in self.graph.node_weights_mut() {
            node.shape = unknowns.resolve_shape(&node.shape);
            if let Kind::Size(dim) = &mut node.kind {
                *dim = unknowns.resolve(dim);
            }
            if let Kind::Apply(_, attrs) = &mut node.kind {
                for (_, attr) in &mut attrs.0 {
                    if let Attr::Dims(dims) = attr {
                        dims.iter_mut().for_each(|dim| *dim = unknowns.resolve(dim));
                    }
                }
            }
        }
        self.known = self
            .graph
            .node_indices()
            .map(|id| ((self.graph[id].kind.clone(), self.graph[id].args.clone()), id))
            .collect();
    }

    fn add(&mut self, kind: Kind, args: Vec<NodeId>, shape: Shape, span: Option<Span>) -> NodeId {
        let key = (kind, args);
        if let Some(id) = self.known.get(&key) {
            return *id;
        }
        let (kind, args) = key.clone();
        let id = self.graph.add_node(Node { kind, args, shape, span });
        for (position, arg) in key.1.iter().enumerate() {
            self.graph.add_edge(*arg, id, position);
        }
        self.known.insert(key, id);
        id
    }
}
