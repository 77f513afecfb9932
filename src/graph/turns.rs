//! What a turn of a loop sees: shared values, slices, the counter.

use super::elaborate::{Elaborator, unsupported};
use super::letters::{Place, walk};
use super::program::{NodeId, Program};
use super::value::Value;
use crate::diagnostic::{Diagnostic, Kind, Span};
use crate::shape::{Name, Shape};
use crate::source::ast::{Expr, ExprKind, IndexItem};

impl Elaborator<'_> {
    /// A value from outside the loop at `level` for use inside all loops from
    /// there on: its nodes become shared values.
    pub fn carry_in(&mut self, value: Value, level: usize) -> Value {
        match value {
            Value::Node(node) => Value::Node((level..self.loops.len()).fold(node, |node, at| self.share(node, at))),
            Value::Tuple(items) => Value::Tuple(items.into_iter().map(|item| self.carry_in(item, level)).collect()),
            other => other,
        }
    }

    /// The node inside the loop at `at` for one outside of it.
    fn share(&mut self, node: NodeId, at: usize) -> NodeId {
        let (before, inside) = self.loops.split_at_mut(at + 1);
        let around = &mut before[at];
        if let Some((_, inner)) = around.shared.iter().find(|(outer, _)| *outer == node) {
            return *inner;
        }
        let shape = around.program.shape(node).clone();
        let name = around.program.name(node).cloned().unwrap_or_else(|| Name::from(format!("v{}", node.index())));
        let inner = match inside.first_mut() {
            Some(next) => fresh_input(&mut next.program, &name, shape),
            None => fresh_input(self.program, &name, shape),
        };
        around.shared.push((node, inner));
        inner
    }

    /// The counter of the loop at `level` as a number.
    pub fn counter(&mut self, level: usize) -> NodeId {
        let name = self.loops[level].name.clone();
        let known = self.loops[level].counter;
        let node = known.unwrap_or_else(|| match self.loops.get_mut(level + 1) {
            Some(next) => next.program.input(&name, Shape::scalar()),
            None => self.program.input(&name, Shape::scalar()),
        });
        self.loops[level].counter = Some(node);
        match self.carry_in(Value::Node(node), level + 1) {
            Value::Node(node) => node,
            _ => node,
        }
    }

    /// `w[k]` with k the counter of the innermost loop and w from outside it:
    /// the slice of this turn.
    pub fn slice_of_turn(
        &mut self,
        base: &Expr,
        items: &[IndexItem],
        brackets: Span,
    ) -> Result<Option<Value>, Diagnostic> {
        let Some(level) = self.loops.len().checked_sub(1).filter(|level| *level >= self.loops_outside) else {
            return Ok(None);
        };
        let Some(IndexItem::At(at)) = items.first() else { return Ok(None) };
        let ExprKind::Name(index) = &at.kind else { return self.refuse_shifted(at) };
        if self.scope.get(index) != Some(&Value::Counter(level)) {
            return Ok(None);
        }
        let ExprKind::Name(name) = &base.kind else {
            return Err(unsupported(brackets, format!("only a name from outside the loop is indexed by {index}")));
        };
        if self.scope.contains_key(name) {
            let message = format!("{name} changes from turn to turn: {index} indexes what stands outside the loop");
            return Err(unsupported(brackets, message));
        }
        let outer = self.outer_node(name, level, base.span)?;
        let shape = self.loops[level].program.shape(outer).clone();
        let count = self.loops[level].count.clone();
        let fits = shape.0.first().is_some_and(|leading| self.program.unknowns.equal(leading, &count));
        if !fits {
            let message = format!("{name} is {} and is indexed over {count} turns", shape.as_tuple());
            return Err(Diagnostic::at(Kind::ShapeMismatch, base.span.to(brackets), message)
                .help(format!("its leading axis must be {count}")));
        }
        if let Some((_, inner)) = self.loops[level].stacked.iter().find(|(node, _)| *node == outer) {
            return Ok(Some(Value::Node(*inner)));
        }
        let inner = self.program.input(&format!("{name}[{index}]"), shape.without(0));
        self.loops[level].stacked.push((outer, inner));
        Ok(Some(Value::Node(inner)))
    }

    /// The node just outside the innermost loop that `name` stands for.
    fn outer_node(&mut self, name: &Name, level: usize, span: Span) -> Result<NodeId, Diagnostic> {
        for at in (self.loops_outside..=level).rev() {
            if let Some(value) = self.loops[at].scope.get(name).cloned() {
                let Value::Node(node) = value else {
                    return Err(unsupported(span, format!("{name} is {}, not an array", value.sort())));
                };
                return Ok((at..level).fold(node, |node, at| self.share(node, at)));
            }
        }
        Err(Diagnostic::at(Kind::UnknownName, span, format!("{name} is not defined")))
    }

    /// `w[k - 1]`: only the turn's own slice has a meaning here.
    fn refuse_shifted(&self, at: &Expr) -> Result<Option<Value>, Diagnostic> {
        let mut shifted = None;
        walk(at, &mut |name, place| {
            if matches!((place, self.scope.get(name)), (Place::Value, Some(Value::Counter(_)))) {
                shifted = Some(name.clone());
            }
        });
        match shifted {
            None => Ok(None),
            Some(name) => {
                let message = format!("inside the loop over {name} only the index [{name}] itself is supported");
                Err(unsupported(at.span, message))
            }
        }
    }
}

/// An input under `name`, or under that name with primes if it is taken.
fn fresh_input(program: &mut Program, name: &str, shape: Shape) -> NodeId {
    let mut name = name.to_string();
    while program.input_named(&name).is_some() {
        name.push('\'');
    }
    program.input(&name, shape)
}
