//! Statements: definitions, in-place updates, returns.

use super::elaborate::Elaborator;
use super::expression::{mentions, name_value, one_line};
use super::value::{Operand, Value};
use crate::diagnostic::{Diagnostic, Diagnostics, Kind, Span};
use crate::ops::{self, Attr, Attrs, Lower, Notation, ParamKind};
use crate::shape::Name;
use crate::source::ast::{Expr, ExprKind, Stmt, StmtKind, Target};

/// The most mistakes told at once.
const MOST: usize = 10;

impl<'a> Elaborator<'a> {
    /// Reads statements up to the first return, and gives what that returns.
    /// What is wrong is added to `told`; later statements that do not depend
    /// on it are still read.
    pub fn block(&mut self, stmts: &'a [Stmt], told: &mut Diagnostics) -> Option<(Operand, &'a Expr)> {
        for stmt in stmts {
            if told.len() == MOST {
                return None;
            }
            let done = match &stmt.kind {
                StmtKind::Return(expr) if mentions(expr, &self.broken) => return None,
                StmtKind::Return(expr) => match self.operand(expr) {
                    Ok(operand) => return Some((operand, expr)),
                    Err(error) => Err(error),
                },
                _ => self.functions.step(stmt.span).and_then(|()| self.statement(stmt)),
            };
            if let Err(error) = done {
                told.push(error);
                self.break_targets(stmt);
                if matches!(stmt.kind, StmtKind::Return(_)) {
                    return None;
                }
            }
        }
        None
    }

    pub fn statement(&mut self, stmt: &'a Stmt) -> Result<(), Diagnostic> {
        match &stmt.kind {
            StmtKind::Assign(_, expr) | StmtKind::Augmented(_, _, expr) if mentions(expr, &self.broken) => {
                self.break_targets(stmt);
                Ok(())
            }
            StmtKind::Assign(targets, expr) => {
                let value = self.expr(expr)?;
                targets.iter().try_for_each(|target| self.assign(target, value.clone(), expr, stmt.span))
            }
            StmtKind::Augmented(target, name, expr) => self.augmented(target, name, expr, stmt.span),
            StmtKind::For(counter, place, iter, body) => self.repeat(counter, *place, iter, body, stmt.span),
            StmtKind::Unsupported(told) => Err(Diagnostic::clone(told)),
            StmtKind::Return(_) => {
                Err(Diagnostic::at(Kind::UnsupportedStatement, stmt.span, "nothing is returned from inside a loop"))
            }
            StmtKind::Ignored => Ok(()),
        }
    }

    fn assign(&mut self, target: &Target, value: Value, expr: &Expr, span: Span) -> Result<(), Diagnostic> {
        match target {
            Target::Name(name, _) => {
                let text = one_line(expr.span.of(self.text));
                self.define(name, value, text);
                Ok(())
            }
            Target::Tuple(targets) => {
                let values = self.unpacked(value, targets.len(), expr, span)?;
                let parts = match &expr.kind {
                    ExprKind::Tuple(parts) if parts.len() == targets.len() => Some(parts),
                    _ => None,
                };
                for (at, (target, value)) in targets.iter().zip(values).enumerate() {
                    // Sizes of a shape are no values of the program.
                    if let (None, Target::Name(name, _), Value::Number(_)) = (parts, target, &value) {
                        self.bind(name, value);
                        continue;
                    }
                    self.assign(target, value, parts.map_or(expr, |parts| &parts[at]), span)?;
                }
                Ok(())
            }
            Target::Unsupported(told) => Err(Diagnostic::clone(told)),
        }
    }

    /// The parts of a value assigned to `count` names.
    fn unpacked(&mut self, value: Value, count: usize, expr: &Expr, span: Span) -> Result<Vec<Value>, Diagnostic> {
        let wrong = |given: usize| {
            let message = format!("{given} values are unpacked into {count} names");
            Err(Diagnostic::at(Kind::WrongArity, span, message))
        };
        match value {
            Value::Tuple(values) if values.len() == count => Ok(values),
            Value::Tuple(values) => wrong(values.len()),
            Value::Node(node) => {
                let leading = self.program.shape(node).0.first().and_then(|dim| dim.as_size());
                let (Some(size), Some(op)) = (leading, ops::by_name("index")) else {
                    let message = "an array is unpacked only along an axis of known size";
                    return Err(Diagnostic::at(Kind::UnsupportedSyntax, span, message));
                };
                if size != count {
                    return wrong(size);
                }
                let entry = |at| {
                    let attrs = Attrs(vec![("at", Attr::Whole(at))]);
                    self.apply(op, &[(node, expr.span)], attrs, span, expr.span).map(Value::Node)
                };
                (0..).take(count).map(entry).collect()
            }
            other => {
                let message = format!("{} cannot be unpacked", other.sort());
                Err(Diagnostic::at(Kind::UnsupportedSyntax, span, message))
            }
        }
    }

    /// `x += e`: a new value under the name, where no other name sees the old one.
    fn augmented(&mut self, target: &Target, op: &str, expr: &Expr, span: Span) -> Result<(), Diagnostic> {
        let (name, place) = match target {
            Target::Name(name, place) => (name, *place),
            Target::Unsupported(told) => return Err(Diagnostic::clone(told)),
            Target::Tuple(_) => {
                return Err(Diagnostic::at(Kind::UnsupportedStatement, span, "a tuple is not updated in place"));
            }
        };
        let old = self.expr(&Expr { kind: ExprKind::Name(name.clone()), span: place })?;
        if let Value::Node(node) = old
            && (self.holders.get(&node).is_some_and(|count| *count > 1) || self.is_viewed(node))
        {
            let message = format!("another name holds the value of {name}: changing it in place would change that too");
            return Err(Diagnostic::at(Kind::UnsupportedStatement, span, message)
                .help(format!("write {name} = {name} … as a new value")));
        }
        let right = self.operand(expr)?;
        let sign = Span { start: place.end, end: expr.span.start };
        let sign = trimmed(sign, self.text);
        let value = self.binary(op, sign, Operand { value: old, span: place }, right)?;
        if let Value::Node(node) = value {
            self.program.place(node, span);
        }
        let text =
            one_line(&format!("{name} {} {}", sign.of(self.text).trim_end_matches('='), expr.span.of(self.text)));
        self.define(name, value, text);
        Ok(())
    }

    /// Does a transpose, an entry, a slice or the like of the node share its memory?
    fn is_viewed(&self, node: super::program::NodeId) -> bool {
        self.program.graph().neighbors(node).any(|user| {
            let Some((op, attrs)) = self.program.op(user) else { return false };
            let shape = self.program.shape(node);
            match op.lower {
                _ if matches!(op.notation, Notation::Transpose | Notation::Entry | Notation::Slice) => true,
                Lower::Linear { .. } => matches!(op.params.first().map(|p| p.kind), Some(ParamKind::Array)),
                // Axes renamed, added or dropped: nothing is summed.
                Lower::Labels(labels) if op.params.iter().filter(|p| p.is_array()).count() == 1 => {
                    let labels = labels(&[shape], attrs);
                    let stays = |(label, dim): (&u8, &crate::shape::Dim)| dim.is_one() || labels.out.contains(label);
                    labels.args.first().is_some_and(|own| own.iter().zip(&shape.0).all(stays))
                }
                _ => false,
            }
        })
    }

    /// Gives `name` a value; in the function asked for it becomes a definition.
    pub fn define(&mut self, name: &Name, value: Value, text: String) {
        if self.functions.active.len() <= 1 {
            match &value {
                Value::Node(node) => name_value(self.program, name, *node, text),
                Value::Number(number) => {
                    let node = self.program.number(*number);
                    name_value(self.program, name, node, text);
                }
                _ => {}
            }
        }
        self.bind(name, value);
    }

    pub fn bind(&mut self, name: &Name, value: Value) {
        self.broken.remove(name);
        self.hold(&value);
        if let Some(old) = self.scope.insert(name.clone(), value) {
            self.release(&old);
        }
    }

    fn hold(&mut self, value: &Value) {
        match value {
            Value::Node(node) => *self.holders.entry(*node).or_insert(0) += 1,
            Value::Tuple(items) => items.iter().for_each(|item| self.hold(item)),
            _ => {}
        }
    }

    pub fn release(&mut self, value: &Value) {
        match value {
            Value::Node(node) => {
                if let Some(count) = self.holders.get_mut(node) {
                    *count = count.saturating_sub(1);
                }
            }
            Value::Tuple(items) => items.iter().for_each(|item| self.release(item)),
            _ => {}
        }
    }

    /// Names that a refused statement would have set have no value to go on with.
    fn break_targets(&mut self, stmt: &Stmt) {
        let mut names = Vec::new();
        assigned(stmt, &mut names);
        self.broken.extend(names);
    }
}

/// The names a statement assigns, through loops, in order.
pub(super) fn assigned(stmt: &Stmt, names: &mut Vec<Name>) {
    match &stmt.kind {
        StmtKind::Assign(targets, _) => targets.iter().for_each(|target| target_names(target, names)),
        StmtKind::Augmented(target, _, _) => target_names(target, names),
        StmtKind::For(_, _, _, body) => body.iter().for_each(|stmt| assigned(stmt, names)),
        _ => {}
    }
}

fn target_names(target: &Target, names: &mut Vec<Name>) {
    match target {
        Target::Name(name, _) => names.push(name.clone()),
        Target::Tuple(targets) => targets.iter().for_each(|target| target_names(target, names)),
        Target::Unsupported(_) => {}
    }
}

fn trimmed(span: Span, text: &str) -> Span {
    let inner = span.of(text);
    let lead = inner.len() - inner.trim_start().len();
    let start = span.start + lead as u32;
    Span { start, end: start + inner.trim().trim_end_matches('(').trim_end().len() as u32 }
}
