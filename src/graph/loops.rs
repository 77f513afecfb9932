//! Loops over `range(N)`: one node, whose body is a program of its own.

use super::elaborate::{Elaborator, known_shape};
use super::expression::{name_value, one_line};
use super::letters::walk;
use super::program::{NodeId, Program};
use super::repeat::Repeat;
use super::statements::assigned;
use super::value::{Operand, Value};
use crate::diagnostic::{Diagnostic, Diagnostics, Kind, Span};
use crate::shape::{Dim, Name, Shape};
use crate::source::ast::{Expr, ExprKind, Stmt, StmtKind, Target};
use std::collections::{HashMap, HashSet};

/// A loop whose body is being read: what is outside of it, and what was
/// brought in.
pub(super) struct Loop {
    /// The program around the loop.
    pub program: Program,
    /// The names around the loop.
    pub scope: HashMap<Name, Value>,
    pub name: Name,
    pub count: Dim,
    /// Node outside and node inside: slices, and values shared by all turns.
    pub stacked: Vec<(NodeId, NodeId)>,
    pub shared: Vec<(NodeId, NodeId)>,
    pub counter: Option<NodeId>,
}

impl<'a> Elaborator<'a> {
    /// `for counter in range(count): body`, as one node.
    pub fn repeat(
        &mut self,
        (counter, count): (&Name, Dim),
        set: Vec<Name>,
        carried: Vec<(Name, NodeId)>,
        body: &'a [Stmt],
        span: Span,
    ) -> Result<(), Diagnostic> {
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
        for (i, ((name, _), node)) in carried.iter().zip(results).enumerate() {
            if self.functions.active.len() <= 1 {
                let written = if i == 0 { turns(span.of(self.text)) } else { "by the same loop".to_string() };
                name_value(self.program, name, node, written);
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

    /// How often `for … in range(…)` runs.
    pub fn count(&mut self, iter: &Expr) -> Result<Dim, Diagnostic> {
        let refuse = |span: Span, message: &str| Err(Diagnostic::at(Kind::UnsupportedStatement, span, message));
        let count = match &iter.kind {
            ExprKind::Call(_, arguments) => match arguments.as_slice() {
                [one] if one.keyword.is_none() => &one.value,
                [zero, one] if matches!(&zero.value.kind, ExprKind::Number(n) if n.as_whole() == Some(0)) => &one.value,
                _ => return refuse(iter.span, "a loop of unknown length runs from 0 in steps of one: range(N)"),
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
    pub fn carried(&mut self, body: &[Stmt], set: &[Name], span: Span) -> Result<Vec<(Name, NodeId)>, Diagnostic> {
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
            StmtKind::If(branches) => {
                for branch in branches {
                    branch.test.iter().for_each(|test| note(test, read, written));
                    read_first(&branch.body, read, &mut written.clone());
                }
            }
            StmtKind::Def(function) => read_first(&function.body, read, &mut written.clone()),
            StmtKind::Append(name, place, expr) => {
                note(expr, read, written);
                note(&Expr { kind: ExprKind::Name(name.clone()), span: *place }, read, written);
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

/// A loop on one line: `for k in range(N): h = f(x); x = x + h`.
fn turns(text: &str) -> String {
    let mut written = String::new();
    for line in text.lines().map(one_line).filter(|line| !line.is_empty()) {
        written += match written.chars().last() {
            None => "",
            // After the head, and where a line goes on in the next one.
            Some(':' | '(' | '[' | ',') => " ",
            Some(_) => "; ",
        };
        written += &line;
    }
    one_line(&written)
}
