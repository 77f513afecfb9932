//! Conditions that are known while reading: shapes, defaults, flags.
//!
//! A program is one graph; a branch is followed only where everything that decides
//! it is known before any number is.

use super::elaborate::Elaborator;
use super::program::NodeId;
use super::value::{Operand, Value};
use crate::diagnostic::{Diagnostic, Kind, Span};
use crate::ops::{self, Attrs, Notation, Number};
use crate::source::ast::{Branch, Expr, ExprKind, Stmt};

impl Elaborator<'_> {
    /// The statements of the branch that is taken; none where no condition holds.
    pub fn taken_branch<'b>(&mut self, branches: &'b [Branch]) -> Result<&'b [Stmt], Diagnostic> {
        for branch in branches {
            let holds = match &branch.test {
                Some(test) => self.condition(test, branch.place)?,
                None => true,
            };
            if holds {
                return Ok(&branch.body);
            }
        }
        Ok(&[])
    }

    /// Does the condition hold? `place` is told where that is not known.
    pub fn condition(&mut self, test: &Expr, place: Span) -> Result<bool, Diagnostic> {
        self.decided(test)?.ok_or_else(|| {
            let text = test.span.of(self.text).split_whitespace().collect::<Vec<_>>().join(" ");
            let message = format!("whether {text} holds is not known while reading");
            let told = Diagnostic::at(Kind::UnsupportedSyntax, place, message);
            told.help("use where(condition, a, b); sizes that decide it are fixed by --shape")
        })
    }

    fn decided(&mut self, test: &Expr) -> Result<Option<bool>, Diagnostic> {
        match &test.kind {
            ExprKind::Chain(first, links) => match links.as_slice() {
                [(name, _, right)] if COMPARISONS.contains(name) => {
                    let (left, right) = (self.expr(first)?, self.expr(right)?);
                    Ok(compared(name, &left, &right))
                }
                _ => self.expr(test).map(|value| truth(&value)),
            },
            ExprKind::Unary("not", inner) => Ok(self.decided(inner)?.map(|holds| !holds)),
            ExprKind::Logic(word, _, parts) => {
                let stops = *word == "or";
                let mut all = Some(!stops);
                for part in parts {
                    match self.decided(part)? {
                        Some(holds) if holds == stops => return Ok(Some(stops)),
                        Some(_) => {}
                        None => all = None,
                    }
                }
                Ok(all)
            }
            ExprKind::Call(function, arguments) if is_name(function, "isinstance") => match arguments.as_slice() {
                [value, of] => {
                    let (value, of) = (self.expr(&value.value)?, of.value.span.of(self.text));
                    let tensor = of.ends_with("Tensor") || of.ends_with("ndarray") || of.ends_with("Array");
                    Ok(tensor.then_some(matches!(value, Value::Node(_))))
                }
                _ => Ok(None),
            },
            _ => self.expr(test).map(|value| truth(&value)),
        }
    }

    /// `a and b`, `a or b` as a value: the operand that decides.
    pub fn logic(&mut self, word: &str, place: Span, parts: &[Expr]) -> Result<Value, Diagnostic> {
        let mut last = Value::Nothing;
        for (at, part) in parts.iter().enumerate() {
            last = match &part.kind {
                ExprKind::Chain(_, links) if links.iter().any(|(name, ..)| COMPARISONS.contains(name)) => {
                    match self.decided(part)? {
                        Some(holds) => Value::Flag(holds),
                        None => return Err(undecided(word, place)),
                    }
                }
                _ => self.expr(part)?,
            };
            match truth(&last) {
                Some(holds) if holds == (word == "or") => return Ok(last),
                Some(_) => {}
                None if at + 1 == parts.len() => return Ok(last),
                None => return Err(undecided(word, place)),
            }
        }
        Ok(last)
    }

    /// `a & b`, `a | b` of conditions on entries.
    pub fn of_conditions(
        &mut self,
        name: &str,
        sign: Span,
        left: &Operand,
        right: &Operand,
    ) -> Result<Option<Value>, Diagnostic> {
        if !matches!(name, "both" | "either") {
            return Ok(None);
        }
        let written = sign.of(self.text);
        let (Value::Node(a), Value::Node(b)) = (&left.value, &right.value) else {
            return Err(no_conditions(written, sign));
        };
        if !self.is_condition(*a) || !self.is_condition(*b) {
            return Err(no_conditions(written, sign));
        }
        let args = [(*a, left.span), (*b, right.span)];
        let whole = left.span.to(right.span);
        let op = |name: &str| ops::by_name(name).ok_or_else(|| no_conditions(written, sign));
        if name == "both" {
            return self.apply(op("mul")?, &args, Attrs::default(), sign, whole).map(|node| Some(Value::Node(node)));
        }
        let sum = self.apply(op("add")?, &args, Attrs::default(), sign, whole)?;
        let zero = self.program.number(Number::ZERO);
        let args = [(sum, whole), (zero, whole)];
        self.apply(op("gt")?, &args, Attrs::default(), sign, whole).map(|node| Some(Value::Node(node)))
    }

    /// `~c` of a condition: c == 0.
    pub fn inverted(&mut self, operand: &Operand, whole: Span) -> Result<Value, Diagnostic> {
        if let Value::Flag(flag) = operand.value {
            return Ok(Value::Flag(!flag));
        }
        let sign = Span { start: whole.start, end: whole.start + 1 };
        let node = self.node(operand)?;
        let is_input = self.program.inputs.contains(&node);
        let Some(op) = ops::by_name("eq").filter(|_| is_input || self.is_condition(node)) else {
            return Err(no_conditions("~", sign));
        };
        if is_input && let Some(name) = self.program.name(node) {
            let note = format!("{name} holds 0 and 1: ~{name} is read as {name} == 0");
            if !self.program.assumptions.contains(&note) {
                self.program.assumptions.push(note);
            }
        }
        let zero = self.program.number(Number::ZERO);
        self.apply(op, &[(node, operand.span), (zero, whole)], Attrs::default(), sign, whole).map(Value::Node)
    }

    /// `x.bool()`: x != 0, unless x is a condition already.
    pub fn as_condition(&mut self, operand: &Operand, whole: Span) -> Result<Value, Diagnostic> {
        let node = self.node(operand)?;
        let Some(op) = ops::by_name("ne").filter(|_| !self.is_condition(node)) else { return Ok(Value::Node(node)) };
        let zero = self.program.number(Number::ZERO);
        self.apply(op, &[(node, operand.span), (zero, whole)], Attrs::default(), whole, whole).map(Value::Node)
    }

    /// Is every entry true or false: a comparison, or comparisons moved about and multiplied?
    pub fn is_condition(&self, node: NodeId) -> bool {
        let mut open = vec![node];
        let mut seen = 0;
        while let Some(node) = open.pop() {
            let Some((op, _)) = self.program.op(node) else { return false };
            seen += 1;
            if matches!(op.notation, Notation::Comparison(_)) {
                continue;
            }
            let keeps = op.notation == Notation::Hadamard || op.params.iter().filter(|p| p.is_array()).count() == 1;
            let moves = op.notation == Notation::Hadamard || matches!(op.lower, ops::Lower::Linear { .. });
            if !keeps || !moves || seen > 50 {
                return false;
            }
            open.extend(&self.program.node(node).args);
        }
        true
    }
}

/// Comparisons, by the operation's name or the word.
const COMPARISONS: &[&str] = &["eq", "ne", "lt", "le", "gt", "ge", "is", "is not", "in", "not in"];

fn is_name(expr: &Expr, word: &str) -> bool {
    matches!(&expr.kind, ExprKind::Name(name) if &**name == word)
}

/// Does a value count as true, where that is known?
fn truth(value: &Value) -> Option<bool> {
    match value {
        Value::Flag(flag) => Some(*flag),
        Value::Number(number) => Some(*number != Number::ZERO),
        // A dimension is at least 1.
        Value::Size(_) | Value::Path(_) | Value::Opaque(_) | Value::Defined(_) | Value::Local(_) => Some(true),
        Value::Text(text) => Some(!text.is_empty()),
        Value::Nothing => Some(false),
        Value::Tuple(items) => Some(!items.is_empty()),
        Value::Node(_) | Value::Attr(_) | Value::Counter(_) | Value::Picked(_) => None,
    }
}

/// The outcome of a comparison, where it is known.
fn compared(name: &str, left: &Value, right: &Value) -> Option<bool> {
    match name {
        "is" | "is not" => {
            let nothing = |value: &Value| matches!(value, Value::Nothing);
            let same = match (left, right) {
                (Value::Flag(a), Value::Flag(b)) => Some(a == b),
                _ if nothing(left) || nothing(right) => Some(nothing(left) && nothing(right)),
                _ => None,
            };
            same.map(|same| same == (name == "is"))
        }
        "in" | "not in" => {
            let Value::Tuple(items) = right else { return None };
            let found: Option<Vec<bool>> = items.iter().map(|item| equal(left, item)).collect();
            found.map(|found| found.contains(&true) == (name == "in"))
        }
        "eq" => equal(left, right),
        "ne" => equal(left, right).map(|equal| !equal),
        _ => ordered(name, left, right),
    }
}

fn equal(left: &Value, right: &Value) -> Option<bool> {
    match (left, right) {
        (Value::Tuple(a), Value::Tuple(b)) if a.len() != b.len() => Some(false),
        (Value::Tuple(a), Value::Tuple(b)) => {
            let pairs: Option<Vec<bool>> = a.iter().zip(b).map(|(a, b)| equal(a, b)).collect();
            pairs.map(|pairs| pairs.iter().all(|same| *same))
        }
        (Value::Size(_), _) | (_, Value::Size(_)) => {
            let (a, b) = (left.dim()?, right.dim()?);
            (a == b).then_some(true)
        }
        (Value::Number(a), Value::Number(b)) => Some(a == b),
        (Value::Text(a), Value::Text(b)) => Some(a == b),
        (Value::Flag(a), Value::Flag(b)) => Some(a == b),
        (Value::Nothing, Value::Nothing) => Some(true),
        (Value::Node(_) | Value::Attr(_) | Value::Counter(_), _) => None,
        (_, Value::Node(_) | Value::Attr(_) | Value::Counter(_)) => None,
        _ => Some(false),
    }
}

fn ordered(name: &str, left: &Value, right: &Value) -> Option<bool> {
    let (Value::Number(a), Value::Number(b)) = (left, right) else { return None };
    let order = a.value().partial_cmp(&b.value())?;
    Some(match name {
        "lt" => order.is_lt(),
        "le" => order.is_le(),
        "gt" => order.is_gt(),
        "ge" => order.is_ge(),
        _ => return None,
    })
}

fn undecided(word: &str, place: Span) -> Diagnostic {
    let message = format!("what '{word}' gives here is not known while reading: use where(condition, a, b)");
    Diagnostic::at(Kind::UnsupportedOperator, place, message)
}

fn no_conditions(sign: &str, place: Span) -> Diagnostic {
    let message = format!("{sign} is supported between comparisons only");
    Diagnostic::at(Kind::UnsupportedOperator, place, message).help("write them in brackets: (a < b) & (b < c)")
}
