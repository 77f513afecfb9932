//! From nodes to forms.

use super::arena::{Atom, FormId, Forms, Label};
use super::monomial::Raw;
use super::{Refusal, words};
use crate::graph::{Bound, Env, Kind, NodeId, Program, build};
use crate::ops::{Axes, Lower, Number};
use petgraph::Direction;

/// What a node's form is made of.
enum Plan {
    /// Nothing: it is an atom, a number or a size.
    Leaf,
    /// The signed sum of these nodes.
    Sum(Vec<(NodeId, i8)>),
    /// The same value as this node.
    Same(NodeId),
    /// Its arguments.
    Args,
}

impl Forms {
    /// The index form of a node.
    ///
    /// # Errors
    /// What has no index form, see [`Refusal`].
    pub fn form_of(&mut self, program: &mut Program, node: NodeId) -> Result<FormId, Refusal> {
        // A work list instead of recursion: programs may be thousands deep.
        let mut open: Vec<(NodeId, Option<Plan>)> = vec![(node, None)];
        while let Some((id, plan)) = open.pop() {
            if self.nodes.contains_key(&id) {
                continue;
            }
            match plan {
                None => {
                    let plan = self.plan(program, id)?;
                    let needed: Vec<NodeId> = match &plan {
                        Plan::Leaf => Vec::new(),
                        Plan::Sum(terms) => terms.iter().map(|(node, _)| *node).collect(),
                        Plan::Same(node) => vec![*node],
                        Plan::Args => program.node(id).args.clone(),
                    };
                    open.push((id, Some(plan)));
                    open.extend(needed.into_iter().filter(|n| !self.nodes.contains_key(n)).map(|n| (n, None)));
                }
                Some(plan) => {
                    let form = self.assemble(program, id, plan)?;
                    self.nodes.insert(id, form);
                }
            }
        }
        self.nodes.get(&node).copied().ok_or(Refusal::TooLarge)
    }

    fn plan(&mut self, program: &mut Program, id: NodeId) -> Result<Plan, Refusal> {
        let Kind::Apply(op, attrs) = &program.node(id).kind else { return Ok(Plan::Leaf) };
        if self.opaque && program.name(id).is_some() {
            return Ok(Plan::Leaf);
        }
        self.hear(op);
        match op.lower {
            Lower::Sum(_) => Ok(Plan::Sum(self.addends(program, id))),
            // A statistic with a rule of its own keeps its name.
            Lower::As(_) if op.axes == Axes::ButAxis => Ok(Plan::Args),
            Lower::As(text) => {
                self.speaks_of_pi |= op.name == words::PI;
                let mut env = Env::new();
                for (param, arg) in op.params.iter().filter(|p| p.is_array()).zip(&program.node(id).args) {
                    env.bind(param.name, Bound::Node(*arg));
                }
                for (name, attr) in &attrs.0 {
                    env.bind(name, Bound::Attr(attr.clone()));
                }
                build(program, text, &env).map(Plan::Same).map_err(|d| Refusal::Rule(Box::new(d)))
            }
            Lower::Labels(_) | Lower::Linear { .. } | Lower::Power | Lower::Atom => Ok(Plan::Args),
        }
    }

    /// The terms of a chain of sums, so that a long sum is made once. A sum that
    /// others use too is not taken apart.
    fn addends(&self, program: &Program, id: NodeId) -> Vec<(NodeId, i8)> {
        let mut terms = Vec::new();
        let mut open = vec![(id, 1i8)];
        while let Some((id, sign)) = open.pop() {
            let node = program.node(id);
            let Some((op, _)) = program.op(id) else { continue };
            let Lower::Sum(signs) = op.lower else { continue };
            for (arg, own) in node.args.iter().zip(signs).rev() {
                let inner = program.op(*arg).is_some_and(|(op, _)| matches!(op.lower, Lower::Sum(s) if !s.is_empty()));
                let users = program.graph().neighbors_directed(*arg, Direction::Outgoing).take(2).count();
                let alone =
                    users == 1 && !self.nodes.contains_key(arg) && !(self.opaque && program.name(*arg).is_some());
                match inner && alone && program.shape(*arg) == &node.shape {
                    true => open.push((*arg, sign * own)),
                    false => terms.push((*arg, sign * own)),
                }
            }
        }
        terms
    }

    fn assemble(&mut self, program: &Program, id: NodeId, plan: Plan) -> Result<FormId, Refusal> {
        let shape: Vec<_> = program.shape(id).0.iter().map(|dim| self.dim_id(dim)).collect();
        let node = program.node(id);
        match plan {
            Plan::Leaf => match &node.kind {
                Kind::Number(number) => self.constant(*number, shape),
                Kind::Size(dim) => {
                    let dim = self.dim_id(dim);
                    let mut raw = Raw::new(&[], Vec::new());
                    raw.factors = self.size_factors(dim, Number::ONE, &mut raw.coefficient);
                    let terms = self.finish(raw, false)?;
                    self.intern_form(shape, terms)
                }
                Kind::Hole(of) => {
                    let atom = self.intern_atom(Atom::Hole(*of), shape);
                    self.of_atom(atom)
                }
                _ => {
                    let atom = self.intern_atom(Atom::Leaf(id), shape);
                    self.of_atom(atom)
                }
            },
            Plan::Same(node) => {
                let form = self.nodes[&node];
                self.spread(form, &shape)
            }
            Plan::Sum(addends) => {
                let mut terms = Vec::new();
                for (node, sign) in addends {
                    let form = self.spread(self.nodes[&node], &shape)?;
                    let signed = |c: Number| if sign < 0 { c.negated() } else { c };
                    terms.extend(self.form(form).terms.iter().map(|(m, c)| (*m, signed(*c))));
                }
                self.intern_form(shape, terms)
            }
            Plan::Args => {
                let form = self.of_operation(program, id, &shape)?;
                self.spread(form, &shape)
            }
        }
    }

    fn of_operation(
        &mut self,
        program: &Program,
        id: NodeId,
        shape: &[super::arena::DimId],
    ) -> Result<FormId, Refusal> {
        let node = program.node(id);
        let Kind::Apply(op, attrs) = &node.kind else { return Err(Refusal::TooLarge) };
        let args: Vec<FormId> = node.args.iter().map(|arg| self.nodes[arg]).collect();
        self.speaks_of_diagonals |= op.name == words::DIAG;
        match op.lower {
            Lower::Labels(labels) => {
                let shapes: Vec<_> = node.args.iter().map(|arg| program.shape(*arg)).collect();
                let contraction = labels(&shapes, attrs);
                let wide = |labels: &[u8]| labels.iter().map(|l| Label::from(*l)).collect::<Vec<Label>>();
                let parts: Vec<_> = args.iter().zip(&contraction.args).map(|(a, l)| (*a, wide(l))).collect();
                self.product(&parts, &wide(&contraction.out), shape.to_vec(), &wide(&contraction.divide))
            }
            Lower::Power => match self.as_constant(args[1]) {
                Some(exponent) => self.power(args[0], exponent),
                None => self.apply(op, attrs, &args),
            },
            _ => self.apply(op, attrs, &args),
        }
    }
}
