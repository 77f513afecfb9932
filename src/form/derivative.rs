//! Derivatives of programs, node by node.

use super::arena::{Atom, AtomId, DimId, Factor, FormId, MonoId};
use super::forward::Forward;
use super::rebuild::Rebuilt;
use super::{Forms, Refusal};
use crate::derive::{adjoint, rules};
use crate::graph::{NodeId, Program};
use crate::ops::{Lower, Number};
use std::collections::HashMap;

impl Forms {
    /// The derivative of `out` with respect to `wrt`, its axes those of `out`,
    /// then those of `wrt`. A scalar is differentiated backwards, else forwards.
    ///
    /// # Errors
    /// What has no derivative or does not fit.
    pub fn derivative(&mut self, program: &mut Program, out: NodeId, wrt: NodeId) -> Result<FormId, Refusal> {
        if program.shape(out).rank() == 0 {
            let one = self.constant(Number::ONE, Vec::new())?;
            return self.pullback(program, out, wrt, one);
        }
        self.jacobian(program, out, wrt)
    }

    /// The second derivative: the derivative of the first.
    ///
    /// # Errors
    /// What has no derivative or does not fit.
    pub fn second(&mut self, program: &mut Program, out: NodeId, wrt: NodeId) -> Result<FormId, Refusal> {
        let first = self.derivative(program, out, wrt)?;
        let variable = self.form_of(program, wrt)?;
        match self.as_atom(variable) {
            Some(atom) => Forward::new(self, atom).derivative(self, program, first),
            None => Err(Refusal::TooLarge),
        }
    }

    /// The adjoint of d(out)/d(wrt) applied to a cotangent of `out`.
    ///
    /// # Errors
    /// What has no derivative or does not fit.
    pub fn pullback(
        &mut self,
        program: &mut Program,
        out: NodeId,
        wrt: NodeId,
        cotangent: FormId,
    ) -> Result<FormId, Refusal> {
        let moves = moving(program, out, wrt);
        let mut parts: HashMap<NodeId, Vec<FormId>> = HashMap::from([(out, vec![cotangent])]);
        // Users have larger numbers than what they use.
        for index in (wrt.index() + 1..=out.index()).rev() {
            let node = NodeId::new(index);
            let Some(received) = parts.remove(&node).filter(|_| moves[index]) else { continue };
            let shape = self.shape_ids(program, node);
            let cotangent = self.collected(&shape, &received)?;
            let pulled = self.local(program, node, &moves).and_then(|linear| self.adjoint(linear, cotangent));
            let pulled = match pulled {
                Err(Refusal::Unlabelled) => self.without_labels(program, node, &moves, cotangent)?,
                pulled => pulled?,
            };
            for (of, part) in pulled {
                parts.entry(of).or_default().push(part);
            }
        }
        let shape = self.shape_ids(program, wrt);
        let received = parts.remove(&wrt).unwrap_or_default();
        self.collected(&shape, &received)
    }

    /// What each moving argument receives of a cotangent where the differential has
    /// no labels: operation by operation, then as forms.
    fn without_labels(
        &mut self,
        program: &mut Program,
        node: NodeId,
        moves: &[bool],
        cotangent: FormId,
    ) -> Result<Vec<(NodeId, FormId)>, Refusal> {
        let refuse = |d| Refusal::Rule(Box::new(d));
        let stand_in = program.cotangent(node);
        let mut args = program.node(node).args.clone();
        args.sort_unstable();
        args.dedup();
        args.retain(|arg| moves.get(arg.index()).copied().unwrap_or(false));
        let mut received = Vec::new();
        for arg in args {
            let local = rules::local(program, node, &|other| other == arg).map_err(refuse)?;
            let pulled = adjoint(program, local, arg, stand_in).map_err(refuse)?;
            let (pulled, leaf) = (self.form_of(program, pulled)?, self.form_of(program, stand_in)?);
            let mut replaced = Rebuilt::default();
            let atom = self.as_atom(leaf).ok_or(Refusal::Unlabelled)?;
            replaced.replace(atom, cotangent);
            received.push((arg, self.rebuild(pulled, &mut replaced)?));
        }
        Ok(received)
    }

    fn jacobian(&mut self, program: &mut Program, out: NodeId, wrt: NodeId) -> Result<FormId, Refusal> {
        let moves = moving(program, out, wrt);
        let extra = self.shape_ids(program, wrt);
        let mut known: HashMap<NodeId, FormId> = HashMap::from([(wrt, self.identity(&extra)?)]);
        for index in wrt.index() + 1..=out.index() {
            let node = NodeId::new(index);
            if !moves[index] {
                continue;
            }
            let linear = self.local(program, node, &moves)?;
            let parts = match self.filled(linear, &extra, &|of| known.get(&of).copied()) {
                Err(Refusal::Unlabelled) => vec![self.along_axes(program, node, &known, &extra)?],
                parts => parts?,
            };
            let mut shape = self.shape_ids(program, node);
            shape.extend(&extra);
            let derivative = self.collected(&shape, &parts)?;
            known.insert(node, derivative);
        }
        match known.get(&out) {
            Some(found) => Ok(*found),
            None => {
                let mut shape = self.shape_ids(program, out);
                shape.extend(&extra);
                self.intern_form(shape, Vec::new())
            }
        }
    }

    /// The derivative of a node that moves entries along axes: the derivatives of its
    /// arguments moved along the same axes.
    fn along_axes(
        &mut self,
        program: &Program,
        node: NodeId,
        known: &HashMap<NodeId, FormId>,
        extra: &[DimId],
    ) -> Result<FormId, Refusal> {
        let Some((op, attrs)) = program.op(node) else { return Err(Refusal::Unlabelled) };
        if !matches!(op.lower, Lower::Linear { .. }) || attrs.axes().is_empty() {
            return Err(Refusal::Unlabelled);
        }
        let mut parts = Vec::new();
        for arg in &program.node(node).args {
            parts.push(match known.get(arg) {
                Some(part) => *part,
                None => {
                    let mut shape = self.shape_ids(program, *arg);
                    shape.extend(extra);
                    self.intern_form(shape, Vec::new())?
                }
            });
        }
        self.apply(op, attrs, &parts)
    }

    /// The differential of a node, linear in the holes of its moving arguments.
    fn local(&mut self, program: &mut Program, node: NodeId, moves: &[bool]) -> Result<FormId, Refusal> {
        let moving = |n: NodeId| moves.get(n.index()).copied().unwrap_or(false);
        let linear = rules::local(program, node, &moving).map_err(|d| Refusal::Rule(Box::new(d)))?;
        let shape = self.shape_ids(program, node);
        let form = self.form_of(program, linear)?;
        self.spread(form, &shape)
    }

    pub(super) fn shape_ids(&mut self, program: &Program, node: NodeId) -> Vec<DimId> {
        program.shape(node).0.iter().map(|dim| self.dim_id(dim)).collect()
    }

    /// The sum of parts. A sum G that also stands as a factor of another part is
    /// not spelled out: G + M G is (I + M) G, so that stacks stay products.
    pub(super) fn collected(&mut self, shape: &[DimId], parts: &[FormId]) -> Result<FormId, Refusal> {
        let mut distinct: Vec<(FormId, i64)> = Vec::new();
        for part in parts {
            match distinct.iter_mut().find(|(p, _)| p == part) {
                Some((_, count)) => *count += 1,
                None => distinct.push((*part, 1)),
            }
        }
        if let Some(product) = self.stacked(shape, &distinct)? {
            return Ok(product);
        }
        let mut terms = Vec::new();
        for (part, count) in &distinct {
            let scaled = self.scaled(*part, Number::whole(*count))?;
            terms.extend(self.form(scaled).terms.clone());
        }
        let sum = self.intern_form(shape.to_vec(), terms)?;
        if shape.len() <= 2
            && let Some(group) = self.common_group(sum)
            && let Some(product) = self.factored(sum, group)?
        {
            return Ok(product);
        }
        Ok(sum)
    }

    /// A matrix or vector that is a sum and a factor of every term.
    fn common_group(&self, id: FormId) -> Option<AtomId> {
        let form = self.form(id);
        let (first, rest) = form.terms.split_first().filter(|(_, rest)| !rest.is_empty())?;
        let group = |f: &&Factor| !f.labels.is_empty() && matches!(&*self.atom(f.atom), Atom::Group(_));
        let holds = |mono: &MonoId, atom: AtomId| self.mono(*mono).factors.iter().any(|f| f.atom == atom);
        let first = self.mono(first.0);
        first.factors.iter().filter(group).map(|f| f.atom).find(|atom| rest.iter().all(|(m, _)| holds(m, *atom)))
    }

    fn stacked(&mut self, shape: &[DimId], parts: &[(FormId, i64)]) -> Result<Option<FormId>, Refusal> {
        for (i, (part, count)) in parts.iter().enumerate() {
            if self.form(*part).terms.len() < 2 || parts.len() < 2 || shape.len() > 2 {
                continue;
            }
            let Some(group) = self.as_group(*part)? else { continue };
            let holds = |forms: &Forms, id: FormId| {
                let form = forms.form(id);
                form.terms.iter().all(|(m, _)| forms.mono(*m).factors.iter().any(|f| f.atom == group.atom))
            };
            let others = parts.iter().enumerate().filter(|(j, _)| *j != i);
            if !others.clone().all(|(_, (other, _))| holds(self, *other)) {
                continue;
            }
            let labels: Vec<super::Label> = (0..shape.len() as super::Label).collect();
            let kept = self.kept_group(*part, &labels, &labels, shape.to_vec())?;
            let kept = self.scaled(kept, Number::whole(*count))?;
            let mut terms = self.form(kept).terms.clone();
            for (_, (other, count)) in others {
                let scaled = self.scaled(*other, Number::whole(*count))?;
                terms.extend(self.form(scaled).terms.clone());
            }
            let sum = self.intern_form(shape.to_vec(), terms)?;
            return Ok(self.factored(sum, group.atom)?.or(Some(sum)));
        }
        Ok(None)
    }
}

/// For each node up to `out`: does it depend on `wrt`, and `out` on it?
fn moving(program: &Program, out: NodeId, wrt: NodeId) -> Vec<bool> {
    let mut moves = vec![false; out.index() + 1];
    if wrt.index() < moves.len() {
        moves[wrt.index()] = true;
    }
    for index in wrt.index() + 1..moves.len() {
        moves[index] = program.node(NodeId::new(index)).args.iter().any(|a| moves[a.index()]);
    }
    let mut used = vec![false; moves.len()];
    used[out.index()] = true;
    for index in (0..moves.len()).rev() {
        moves[index] &= used[index];
        if moves[index] {
            program.node(NodeId::new(index)).args.iter().for_each(|a| used[a.index()] = true);
        }
    }
    moves
}
