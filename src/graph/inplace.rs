//! Updates in place, read as new values: `x += e`, `x[c] = v`, `xs.append(e)`.
//!
//! They are refused where another name may hold the value that changes.

use super::callee::Given;
use super::elaborate::Elaborator;
use super::expression::one_line;
use super::rearrange::Call;
use super::value::{Operand, Value};
use crate::diagnostic::{Diagnostic, Kind, Span};
use crate::ops::{Lower, Notation, ParamKind};
use crate::shape::Name;
use crate::source::ast::{Expr, ExprKind, IndexItem, Target};

impl Elaborator<'_> {
    /// `x += e`: a new value under the name, where no other name sees the old one.
    pub fn augmented(&mut self, target: &Target, op: &str, expr: &Expr, span: Span) -> Result<(), Diagnostic> {
        let (name, place) = match target {
            Target::Name(name, place) => (name, *place),
            Target::Unsupported(told) => return Err(Diagnostic::clone(told)),
            Target::Tuple(_) | Target::Rest(..) | Target::Items(..) => {
                return Err(Diagnostic::at(Kind::UnsupportedStatement, span, "only a name is updated in place"));
            }
        };
        let old = self.expr(&Expr { kind: ExprKind::Name(name.clone()), span: place })?;
        self.held_alone(name, &old, span)?;
        if let Value::Tuple(_) = old
            && !self.lists.contains(name)
        {
            return Err(shared_list(name, span));
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
        let text = self.in_this_turn(text);
        self.define(name, value, text);
        Ok(())
    }

    /// Changing the value in place must change no other name's.
    fn held_alone(&self, name: &Name, old: &Value, span: Span) -> Result<(), Diagnostic> {
        match old {
            Value::Node(node) if self.holders.get(node).is_some_and(|count| *count > 1) || self.is_viewed(*node) => {
                let message =
                    format!("another name holds the value of {name}: changing it in place would change that too");
                Err(Diagnostic::at(Kind::UnsupportedStatement, span, message)
                    .help(format!("write {name} = {name} … as a new value")))
            }
            _ => Ok(()),
        }
    }

    /// `x[c] = v` of a condition c, `x[arange(n), y] = v`: one of two, entry by entry.
    pub fn assign_items(
        &mut self,
        (name, items, place): (&Name, &[IndexItem], Span),
        value: Value,
        expr: &Expr,
        span: Span,
    ) -> Result<(), Diagnostic> {
        let base = Expr { kind: ExprKind::Name(name.clone()), span: place };
        let old = self.operand(&base)?;
        let given = Given { positional: vec![old.clone()], keywords: Vec::new() };
        let call = Call { name: "[]", framework: None, given: &given, place, whole: span };
        let Some(chosen) = self.chosen_entries(&old, items, &call)? else {
            let message = "only names are assigned to: an entry or attribute cannot be";
            let told = Diagnostic::at(Kind::UnsupportedStatement, place, message);
            return Err(told.help("make the array whole: where, stack and cat do"));
        };
        self.held_alone(name, &old.value, span)?;
        let (x, value) = (self.node(&old)?, self.node(&Operand { value, span: expr.span })?);
        let made = self.made("where", &[chosen, value, x], Vec::new(), &call)?;
        let made = self.node(&Operand { value: made, span })?;
        let shape = |node| self.program.unknowns.resolve_shape(self.program.shape(node));
        if shape(made) != shape(x) {
            let message = format!("what is assigned does not fit the entries of {name}");
            return Err(Diagnostic::at(Kind::ShapeMismatch, span, message));
        }
        let text = self.in_this_turn(one_line(span.of(self.text)));
        self.define(name, Value::Node(made), text);
        Ok(())
    }

    /// `name.append(item)`: a longer list under the name, where no other name sees the old one.
    pub fn append(&mut self, name: &Name, place: Span, item: &Expr) -> Result<(), Diagnostic> {
        let list = Expr { kind: ExprKind::Name(name.clone()), span: place };
        let Value::Tuple(mut items) = self.expr(&list)? else {
            let message = format!("{name} is no list: only a list made here with [] is appended to");
            return Err(Diagnostic::at(Kind::UnsupportedStatement, place, message));
        };
        if !self.lists.contains(name) || !self.scope.contains_key(name) {
            return Err(shared_list(name, place));
        }
        items.push(self.expr(item)?);
        self.bind(name, Value::Tuple(items));
        Ok(())
    }

    /// Notes which names hold a list that no other name holds.
    pub fn note_lists(&mut self, targets: &[Target], expr: &Expr) {
        let own = targets.len() == 1 && matches!(expr.kind, ExprKind::Tuple(_) | ExprKind::Each(..));
        if let ExprKind::Name(other) = &expr.kind {
            self.lists.remove(other);
        }
        for target in targets {
            match target {
                Target::Name(name, _) if own => _ = self.lists.insert(name.clone()),
                Target::Name(name, _) => _ = self.lists.remove(name),
                _ => {}
            }
        }
    }

    /// Does a transpose, an entry, a slice or the like of the node share its memory?
    fn is_viewed(&self, node: super::program::NodeId) -> bool {
        self.program.graph().neighbors(node).any(|user| {
            let Some((op, attrs)) = self.program.op(user) else { return false };
            let shape = self.program.shape(node);
            match op.lower {
                _ if op.notation.is_transpose() || matches!(op.notation, Notation::Entry | Notation::Slice) => true,
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
}

fn shared_list(name: &Name, span: Span) -> Diagnostic {
    let message = format!("another name may hold the list {name}: changing it in place would change that too");
    Diagnostic::at(Kind::UnsupportedStatement, span, message).help(format!("make it here: {name} = []"))
}

fn trimmed(span: Span, text: &str) -> Span {
    let inner = span.of(text);
    let lead = inner.len() - inner.trim_start().len();
    let start = span.start + lead as u32;
    Span { start, end: start + inner.trim().trim_end_matches('(').trim_end().len() as u32 }
}
