//! Loops over `range(N)`: one node, whose body is a program of its own.

use super::elaborate::{Elaborator, known_shape, unsupported};
use super::expression::{name_value, one_line};
use super::letters::{Place, walk};
use super::program::{NodeId, Program, Repeat};
use super::statements::assigned;
use super::value::{Operand, Value};
use crate::diagnostic::{Diagnostic, Diagnostics, Kind, Span};
use crate::shape::{Dim, Name, Shape};
use crate::source::ast::{Expr, ExprKind, IndexItem, Stmt, StmtKind, Target};
use std::collections::{HashMap, HashSet};

/// A loop whose body is being read: what is outside of it, and what was
/// brought in.
pub(super) struct Loop {
    /// The program around the loop.
    program: Program,
    /// The names around the loop.
    pub scope: HashMap<Name, Value>,
    name: Name,
    count: Dim,
    /// Node outside and node inside: slices, and values shared by all turns.
    stacked: Vec<(NodeId, NodeId)>,
    shared: Vec<(NodeId, NodeId)>,
    counter: Option<NodeId>,
}

impl<'a> Elaborator<'a> {
    /// `for counter in iter: body`.
    pub fn repeat(
        &mut self,
        counter: &Name,
        place: Span,
        iter: &Expr,
        body: &'a [Stmt],
        span: Span,
    ) -> Result<(), Diagnostic> {
        let count = self.count(iter)?;
        let mut set = Vec::new();
        body.iter().for_each(|stmt| assigned(stmt, &mut set));
        if set.contains(counter) {
            return Err(Diagnostic::at(Kind::UnsupportedStatement, place, format!("{counter} is set inside its loop")));
        }
        let carried = self.carried(body, &set, span)?;
        let known = std::mem::take(&mut self.functions.known);
        let holders = std::mem::take(&mut self.holders);
        let broken = self.broken.clone();
        let starts = self.enter(counter, count, &carried);
        let mut told = Diagnostics::new();
        for stmt in body {
            if let Err(error) = self.functions.step(stmt.span).and_then(|()| self.statement(stmt)) {
                told.push(error);
                break;
            }
        }
        let ends = match told.pop() {
            Some(error) => Err(error),
            None => carried.iter().zip(&starts).map(|((name, _), start)| self.end(name, *start, span)).collect(),
        };
        let (around, inner) = self.leave();
        (self.functions.known, self.holders, self.broken) = (known, holders, broken);
        let ends: Vec<NodeId> = ends?;
        let results = self.close(around, inner, &carried, starts.into_iter().zip(ends).collect(), span);
        for ((name, _), node) in carried.iter().zip(results) {
            if self.functions.active.len() <= 1 {
                name_value(self.program, name, node, one_line(span.of(self.text)));
            }
            self.bind(name, Value::Node(node));
        }
        // What a turn leaves behind under other names is not carried out of the loop.
        let left = set.into_iter().filter(|name| !carried.iter().any(|(carried, _)| carried == name));
        for name in left.collect::<HashSet<_>>() {
            if let Some(old) = self.scope.remove(&name) {
                self.release(&old);
            }
        }
        Ok(())
    }

    /// How often `for … in iter` runs.
    fn count(&mut self, iter: &Expr) -> Result<Dim, Diagnostic> {
        let refuse = |span: Span, message: &str| Err(Diagnostic::at(Kind::UnsupportedStatement, span, message));
        let count = match &iter.kind {
            ExprKind::Call(function, arguments) if is_range(function) => match arguments.as_slice() {
                [one] if one.keyword.is_none() => &one.value,
                [zero, one] if matches!(&zero.value.kind, ExprKind::Number(n) if n.as_whole() == Some(0)) => &one.value,
                _ => return refuse(iter.span, "a loop runs from 0 in steps of one: range(N)"),
            },
            _ => return refuse(iter.span, "a loop runs over range(N): write for k in range(len(w)) and use w[k]"),
        };
        let value = match &count.kind {
            ExprKind::Name(name) if !self.knows(name) => match self.annotated.iter().any(|dim| dim == name) {
                true => Value::Size(Dim::named(name)),
                false => self.expr(count)?,
            },
            _ => self.expr(count)?,
        };
        match value.dim() {
            Some(dim) if dim.as_size() == Some(0) => refuse(count.span, "a loop over range(0) does nothing"),
            Some(dim) => Ok(dim),
            None => refuse(count.span, "the number of turns is a whole number or a dimension"),
        }
    }

    /// The names that one turn hands to the next, with their values before the
    /// loop: those set in the body and read before that.
    fn carried(&mut self, body: &[Stmt], set: &[Name], span: Span) -> Result<Vec<(Name, NodeId)>, Diagnostic> {
        let (mut read, mut written) = (Vec::new(), HashSet::new());
        read_first(body, &mut read, &mut written);
        let mut carried = Vec::new();
        for name in set {
            if !read.contains(name) || !self.knows(name) || carried.iter().any(|(known, _)| known == name) {
                continue;
            }
            let Some(value) = self.lookup(name)? else { continue };
            let node = self.node(&Operand { value, span })?;
            let updated = |stmt: &Stmt| matches!(&stmt.kind, StmtKind::Augmented(..));
            if body.iter().any(updated) && self.holders.get(&node).is_some_and(|count| *count > 1) {
                let message = format!("another name holds the value of {name}, which the loop changes in place");
                return Err(Diagnostic::at(Kind::UnsupportedStatement, span, message));
            }
            carried.push((name.clone(), node));
        }
        if carried.is_empty() {
            let message = "no turn of this loop uses what the turn before it made";
            return Err(Diagnostic::at(Kind::UnsupportedStatement, span, message));
        }
        Ok(carried)
    }

    /// Goes into the loop: a program of its own, with an input for each carried value.
    fn enter(&mut self, counter: &Name, count: Dim, carried: &[(Name, NodeId)]) -> Vec<NodeId> {
        let shapes: Vec<Shape> = carried.iter().map(|(_, node)| self.program.shape(*node).clone()).collect();
        let mut inner = Program::new();
        inner.source = self.program.source.clone();
        inner.unknowns = std::mem::take(&mut self.program.unknowns);
        let program = std::mem::replace(self.program, inner);
        let scope = std::mem::take(&mut self.scope);
        let level = self.loops.len();
        let (stacked, shared) = (Vec::new(), Vec::new());
        self.loops.push(Loop { program, scope, name: counter.clone(), count, stacked, shared, counter: None });
        self.bind(counter, Value::Counter(level));
        let mut starts = Vec::new();
        for ((name, _), shape) in carried.iter().zip(shapes) {
            let node = self.program.input(name, shape);
            self.bind(name, Value::Node(node));
            starts.push(node);
        }
        starts
    }

    /// The value of a carried name at the end of a turn.
    fn end(&mut self, name: &Name, start: NodeId, span: Span) -> Result<NodeId, Diagnostic> {
        let value = self.scope.get(name).cloned().unwrap_or(Value::Nothing);
        let end = self.node(&Operand { value, span })?;
        let (before, after) = (self.program.shape(start).clone(), self.program.shape(end).clone());
        let same = before.rank() == after.rank()
            && before.0.iter().zip(&after.0).all(|(a, b)| self.program.unknowns.equal(a, b));
        if same {
            return Ok(end);
        }
        let (before, after) = (known_shape(&before), known_shape(&after));
        let message = format!("{name} is {before} before a turn of the loop and {after} after it");
        Err(Diagnostic::at(Kind::ShapeMismatch, span, message).help("a value keeps its shape through a loop"))
    }

    /// Goes out of the loop again.
    fn leave(&mut self) -> (Option<Loop>, Program) {
        let Some(mut around) = self.loops.pop() else { return (None, Program::new()) };
        let mut program = std::mem::take(&mut around.program);
        self.scope = std::mem::take(&mut around.scope);
        let unknowns = std::mem::take(&mut self.program.unknowns);
        program.unknowns = unknowns;
        let inner = std::mem::replace(self.program, program);
        for note in &inner.assumptions {
            if !self.program.assumptions.contains(note) {
                self.program.assumptions.push(note.clone());
            }
        }
        (Some(around), inner)
    }

    /// Makes the node of the loop.
    fn close(
        &mut self,
        around: Option<Loop>,
        mut body: Program,
        carried: &[(Name, NodeId)],
        turns: Vec<(NodeId, NodeId)>,
        span: Span,
    ) -> Vec<NodeId> {
        let Some(around) = around else { return Vec::new() };
        body.output = turns.first().map_or(body.output, |(_, end)| *end);
        let outside = carried.iter().map(|(_, node)| *node);
        let brought = around.stacked.iter().chain(&around.shared).map(|(outer, _)| *outer);
        let args: Vec<NodeId> = outside.chain(brought).collect();
        let inner = |pairs: Vec<(NodeId, NodeId)>| pairs.into_iter().map(|(_, inner)| inner).collect();
        let repeat = Repeat {
            count: around.count,
            index: around.name,
            body,
            carried: turns,
            stacked: inner(around.stacked),
            shared: inner(around.shared),
            counter: around.counter,
        };
        let results = self.program.repeat(repeat, args);
        for node in &results {
            self.program.place(*node, span);
            let repeat = self.program.node(*node).args[0];
            self.program.place(repeat, span);
        }
        results
    }

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

fn is_range(function: &Expr) -> bool {
    matches!(&function.kind, ExprKind::Name(name) if &**name == "range")
}

/// An input under `name`, or under that name with primes if it is taken.
fn fresh_input(program: &mut Program, name: &str, shape: Shape) -> NodeId {
    let mut name = name.to_string();
    while program.input_named(&name).is_some() {
        name.push('\'');
    }
    program.input(&name, shape)
}

/// The names that `body` reads before it sets them.
fn read_first(body: &[Stmt], read: &mut Vec<Name>, written: &mut HashSet<Name>) {
    for stmt in body {
        match &stmt.kind {
            StmtKind::Assign(_, expr) => note(expr, read, written),
            StmtKind::Augmented(target, _, expr) => {
                note(expr, read, written);
                if let Target::Name(name, place) = target {
                    note(&Expr { kind: ExprKind::Name(name.clone()), span: *place }, read, written);
                }
            }
            StmtKind::For(_, _, iter, inner) => {
                note(iter, read, written);
                // A loop inside may hand its own values on from turn to turn.
                read_first(inner, read, &mut written.clone());
            }
            _ => {}
        }
        let mut names = Vec::new();
        assigned(stmt, &mut names);
        written.extend(names);
    }
}

fn note(expr: &Expr, read: &mut Vec<Name>, written: &HashSet<Name>) {
    walk(expr, &mut |name, _| {
        if !written.contains(name) && !read.contains(name) {
            read.push(name.clone());
        }
    });
}
