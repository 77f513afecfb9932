//! Statements: definitions, in-place updates, returns.

use super::elaborate::Elaborator;
use super::expression::{mentions, name_value, one_line};
use super::module::stmt_names;
use super::value::{Operand, Value};
use crate::diagnostic::{Diagnostic, Diagnostics, Kind, Span};
use crate::ops::{self, Attr, Attrs};
use crate::shape::Name;
use crate::source::ast::{Expr, ExprKind, Stmt, StmtKind, Target};
use std::collections::HashMap;

/// The most mistakes told at once.
const MOST: usize = 10;

impl<'a> Elaborator<'a> {
    /// Reads statements up to the first return, and gives what that returns.
    /// What is wrong is added to `told`; later statements that do not depend
    /// on it are still read.
    pub fn block(&mut self, stmts: &'a [Stmt], told: &mut Diagnostics) -> Option<(Operand, &'a Expr)> {
        self.uses.push((last_uses(stmts), 0));
        let returned = self.each_of(stmts, told);
        self.uses.pop();
        returned
    }

    fn each_of(&mut self, stmts: &'a [Stmt], told: &mut Diagnostics) -> Option<(Operand, &'a Expr)> {
        for (at, stmt) in stmts.iter().enumerate() {
            if let Some((_, here)) = self.uses.last_mut() {
                *here = at;
            }
            if told.len() == MOST {
                return None;
            }
            let done = match &stmt.kind {
                StmtKind::If(branches) => match self.taken_branch(branches) {
                    Ok(body) => {
                        let before = told.len();
                        let returned = self.block(body, told);
                        // After a mistake in a branch it is not known whether it returns.
                        if returned.is_some() || told.len() > before {
                            return returned;
                        }
                        Ok(())
                    }
                    Err(error) => Err(error),
                },
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
                // What a statement outside the language sets is not known.
                if matches!(stmt.kind, StmtKind::Return(_) | StmtKind::Unsupported(_)) {
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
                targets.iter().try_for_each(|target| self.assign(target, value.clone(), expr, stmt.span))?;
                self.note_lists(targets, expr);
                Ok(())
            }
            StmtKind::Augmented(target, name, expr) => self.augmented(target, name, expr, stmt.span),
            StmtKind::For(target, place, iter, body) => self.for_loop((target, *place), iter, body, stmt.span),
            StmtKind::If(branches) => {
                let body = self.taken_branch(branches)?;
                body.iter().try_for_each(|stmt| self.functions.step(stmt.span).and_then(|()| self.statement(stmt)))
            }
            StmtKind::Append(name, place, item) => self.append(name, *place, item),
            StmtKind::Def(function) => {
                self.define_local(function);
                Ok(())
            }
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
                let text = self.in_this_turn(one_line(expr.span.of(self.text)));
                self.define(name, value, text);
                Ok(())
            }
            Target::Rest(name, _) => {
                self.bind(name, value);
                Ok(())
            }
            Target::Items(name, items, place) => self.assign_items((name, items, *place), value, expr, span),
            Target::Tuple(targets) => {
                let values = self.unpacked(value, targets, expr, span)?;
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

    /// The parts of a value assigned to several names.
    pub fn unpacked(
        &mut self,
        value: Value,
        targets: &[Target],
        expr: &Expr,
        span: Span,
    ) -> Result<Vec<Value>, Diagnostic> {
        let count = targets.len();
        let rest = targets.iter().position(|target| matches!(target, Target::Rest(..)));
        let wrong = |given: usize| {
            let message = format!("{given} values are unpacked into {count} names");
            Err(Diagnostic::at(Kind::WrongArity, span, message))
        };
        match (value, rest) {
            (Value::Tuple(mut values), Some(at)) if values.len() + 1 >= count => {
                let taken: Vec<Value> = values.drain(at..=at + values.len() - count).collect();
                values.insert(at, Value::Tuple(taken));
                Ok(values)
            }
            (Value::Tuple(values), None) if values.len() == count => Ok(values),
            (Value::Tuple(values), _) => wrong(values.len()),
            (Value::Node(node), None) => {
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
            (other, _) => {
                let message = format!("{} cannot be unpacked here", other.sort());
                Err(Diagnostic::at(Kind::UnsupportedSyntax, span, message))
            }
        }
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

/// The last statement that mentions each name; nothing where there is no loop.
fn last_uses(stmts: &[Stmt]) -> HashMap<Name, usize> {
    let mut last = HashMap::new();
    if stmts.iter().any(|stmt| matches!(stmt.kind, StmtKind::For(..) | StmtKind::If(_))) {
        for (at, stmt) in stmts.iter().enumerate() {
            let mut names = Vec::new();
            stmt_names(stmt, &mut names);
            last.extend(names.into_iter().map(|name| (name, at)));
        }
    }
    last
}

/// The names a statement assigns, through loops, in order.
pub(super) fn assigned(stmt: &Stmt, names: &mut Vec<Name>) {
    match &stmt.kind {
        StmtKind::Assign(targets, _) => targets.iter().for_each(|target| target_names(target, names)),
        StmtKind::Augmented(target, _, _) => target_names(target, names),
        StmtKind::For(_, _, _, body) => body.iter().for_each(|stmt| assigned(stmt, names)),
        StmtKind::If(branches) => {
            branches.iter().flat_map(|branch| &branch.body).for_each(|stmt| assigned(stmt, names));
        }
        StmtKind::Append(name, ..) => names.push(name.clone()),
        StmtKind::Def(function) => names.push(function.name.clone()),
        _ => {}
    }
}

pub(super) fn target_names(target: &Target, names: &mut Vec<Name>) {
    match target {
        Target::Name(name, _) | Target::Rest(name, _) => names.push(name.clone()),
        Target::Tuple(targets) => targets.iter().for_each(|target| target_names(target, names)),
        Target::Items(name, ..) => names.push(name.clone()),
        Target::Unsupported(_) => {}
    }
}
