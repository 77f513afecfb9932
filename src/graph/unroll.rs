//! Loops read turn by turn, and what a loop may run over.

use super::elaborate::Elaborator;
use super::program::NodeId;
use super::statements::{assigned, target_names};
use super::value::Value;
use crate::diagnostic::{Diagnostic, Kind, Span};
use crate::ops::{self, Attr, Attrs, Number};
use crate::shape::{Dim, Name};
use crate::source::ast::{Argument, Expr, ExprKind, Stmt, StmtKind, Target};
use std::collections::HashMap;

/// A loop of more turns is one node or refused.
const FEW: usize = 64;
/// So many turns are read in all.
const MOST: usize = 5_000;

/// What a loop runs over.
enum Turns {
    /// 0, 1, … up to this number.
    Range(Dim),
    /// These values.
    Values(Vec<Value>),
}

impl<'a> Elaborator<'a> {
    /// `for target in iter: body`: one node where one value is handed on from turn
    /// to turn, else turn by turn.
    pub fn for_loop(
        &mut self,
        (target, place): (&Target, Span),
        iter: &Expr,
        body: &'a [Stmt],
        span: Span,
    ) -> Result<(), Diagnostic> {
        let refuse = |place: Span, message: String| Err(Diagnostic::at(Kind::UnsupportedStatement, place, message));
        let mut set = Vec::new();
        body.iter().for_each(|stmt| assigned(stmt, &mut set));
        let mut counters = Vec::new();
        target_names(target, &mut counters);
        if let Some(counter) = counters.iter().find(|counter| set.contains(counter)) {
            return refuse(place, format!("{counter} is set inside its loop"));
        }
        let count = match self.turns(iter)? {
            Turns::Values(values) => return self.unrolled((target, place), values, iter, body),
            Turns::Range(count) => count,
        };
        let few = count.as_size().filter(|n| *n <= FEW);
        let Target::Name(counter, _) = target else {
            return refuse(place, "range(N) counts with one name: for k in range(N)".to_string());
        };
        let grows = body.iter().find_map(grown);
        if let (Some((name, at)), None) = (&grows, few) {
            let message = format!("the list {name} grows from turn to turn: the number of turns must be known");
            return refuse(*at, message).map_err(|told| told.help("give it by --shape: x=\"4 d\""));
        }
        let mut trouble = None;
        if grows.is_none() && !(self.unroll && few.is_some()) {
            let carried = self.carried(body, &set, span).and_then(|carried| self.all_carried(carried, &set, span));
            match carried {
                Ok(carried) if carried.len() > 1 && few.is_some() => {}
                Err(told) if few.is_none() => return Err(told),
                Err(told) => trouble = Some(told),
                Ok(carried) => match self.repeat((counter, count.clone()), set, carried, body, span) {
                    Ok(()) => return Ok(()),
                    Err(told) if few.is_none() => return Err(told),
                    Err(told) => trouble = Some(told),
                },
            }
        }
        let values = numbers(0..few.unwrap_or_default());
        let done = self.unrolled((target, place), values, iter, body);
        done.map_err(|told| trouble.unwrap_or(told))
    }

    /// What a loop as one node hands on is all that leaves it: is that all that is used after it?
    fn all_carried(
        &self,
        carried: Vec<(Name, NodeId)>,
        set: &[Name],
        span: Span,
    ) -> Result<Vec<(Name, NodeId)>, Diagnostic> {
        let later = |name: &Name| {
            let known = |(last, at): &(HashMap<Name, usize>, usize)| last.get(name).is_some_and(|last| last > at);
            self.uses.iter().any(known)
        };
        let handed = |name: &Name| carried.iter().any(|(carried, _)| carried == name);
        match set.iter().find(|name| !handed(name) && later(name)) {
            Some(name) => {
                let message = format!("{name} is used after the loop, but only what a turn hands on leaves it");
                let told = Diagnostic::at(Kind::UnsupportedStatement, span, message);
                Err(told.help(format!("compute {name} after the loop, or give the number of turns by --shape")))
            }
            None => Ok(carried),
        }
    }

    /// Reads the body once for each value.
    fn unrolled(
        &mut self,
        (target, place): (&Target, Span),
        values: Vec<Value>,
        iter: &Expr,
        body: &'a [Stmt],
    ) -> Result<(), Diagnostic> {
        for value in values {
            self.turns += 1;
            if self.turns > MOST {
                let message = format!("the loops come to more than {MOST} turns");
                return Err(Diagnostic::at(Kind::TooLarge, place, message));
            }
            let outside = self.counted.len();
            self.bind_turn(target, value, iter)?;
            let done =
                body.iter().try_for_each(|stmt| self.functions.step(stmt.span).and_then(|()| self.statement(stmt)));
            self.counted.truncate(outside);
            done?;
        }
        Ok(())
    }

    /// The text of a line as it stands in this turn: `x[t]` is `x[2]`.
    pub fn in_this_turn(&self, text: String) -> String {
        if self.counted.is_empty() {
            return text;
        }
        let is_letter = |c: char| c.is_alphanumeric() || c == '_';
        let (mut written, mut rest, mut before) = (String::new(), text.as_str(), ' ');
        while let Some(c) = rest.chars().next() {
            let length = if is_letter(c) { rest.find(|c| !is_letter(c)).unwrap_or(rest.len()) } else { c.len_utf8() };
            let (word, after) = rest.split_at(length);
            let keyword = after.starts_with('=') && !after.starts_with("==");
            let counter = self.counted.iter().rev().find(|(name, _)| &**name == word);
            match counter.filter(|_| before != '.' && !keyword) {
                Some((_, stands_for)) => written.push_str(stands_for),
                None => written.push_str(word),
            }
            before = word.chars().last().unwrap_or(' ');
            rest = after;
        }
        written
    }

    /// Binds the names that count a loop; they are no values of the program.
    fn bind_turn(&mut self, target: &Target, value: Value, iter: &Expr) -> Result<(), Diagnostic> {
        match target {
            Target::Name(name, _) | Target::Rest(name, _) => {
                let stands_for = match &value {
                    Value::Number(number) => number.as_whole().map(|n| n.to_string()),
                    Value::Node(node) => self.program.name(*node).map(Name::to_string),
                    _ => None,
                };
                self.counted.extend(stands_for.map(|text| (name.clone(), text)));
                self.bind(name, value);
                Ok(())
            }
            Target::Tuple(targets) => {
                let values = self.unpacked(value, targets, iter, iter.span)?;
                targets.iter().zip(values).try_for_each(|(target, value)| self.bind_turn(target, value, iter))
            }
            Target::Items(_, _, place) => {
                Err(Diagnostic::at(Kind::UnsupportedStatement, *place, "a loop counts with a name"))
            }
            Target::Unsupported(told) => Err(Diagnostic::clone(told)),
        }
    }

    /// `[item for target in iter]`.
    pub fn each(&mut self, (target, place): (&Target, Span), item: &Expr, iter: &Expr) -> Result<Value, Diagnostic> {
        let turns = self.turns(iter).map_err(|told| match told.kind {
            Kind::UnsupportedStatement => {
                let message = "a list is made of entries of known number, not over this";
                Diagnostic::at(Kind::UnsupportedSyntax, place, message).also(iter.span, "this")
            }
            _ => told,
        });
        let values = match turns? {
            Turns::Values(values) => values,
            Turns::Range(count) => match count.as_size().filter(|n| *n <= FEW) {
                Some(few) => numbers(0..few),
                None => {
                    let message =
                        format!("a list over range({count}) is supported up to {FEW} entries of known number");
                    return Err(Diagnostic::at(Kind::UnsupportedSyntax, place, message));
                }
            },
        };
        let mut names = Vec::new();
        target_names(target, &mut names);
        let before: Vec<_> = names.iter().map(|name| self.scope.remove(name)).collect();
        let mut items = Vec::new();
        let outside = self.counted.len();
        for value in values {
            self.bind_turn(target, value, iter)?;
            items.push(self.expr(item)?);
        }
        self.counted.truncate(outside);
        for (name, before) in names.into_iter().zip(before) {
            match before {
                Some(value) => _ = self.scope.insert(name, value),
                None => _ = self.scope.remove(&name),
            }
        }
        Ok(Value::Tuple(items))
    }

    /// What `iter` runs over.
    fn turns(&mut self, iter: &Expr) -> Result<Turns, Diagnostic> {
        if let ExprKind::Call(function, arguments) = &iter.kind
            && let ExprKind::Name(name) = &function.kind
            && !self.knows(name)
        {
            match &**name {
                "range" => return self.range(iter, arguments),
                "enumerate" | "zip" | "reversed" => return self.combined(name, iter, arguments),
                _ => {}
            }
        }
        match self.expr(iter)? {
            Value::Tuple(values) => Ok(Turns::Values(values)),
            Value::Node(node) => {
                let leading = self.dims(node).first().and_then(Dim::as_size).filter(|n| *n <= FEW);
                let (Some(size), Some(op)) = (leading, ops::by_name("index")) else {
                    let message =
                        "a loop of unknown length runs over range(N): write for k in range(len(w)) and use w[k]";
                    return Err(Diagnostic::at(Kind::UnsupportedStatement, iter.span, message));
                };
                let entry = |at| {
                    let attrs = Attrs(vec![("at", Attr::Whole(at))]);
                    self.apply(op, &[(node, iter.span)], attrs, iter.span, iter.span).map(Value::Node)
                };
                (0..).take(size).map(entry).collect::<Result<_, _>>().map(Turns::Values)
            }
            _ => {
                let message = "a loop runs over range(N): write for k in range(len(w)) and use w[k]";
                Err(Diagnostic::at(Kind::UnsupportedStatement, iter.span, message))
            }
        }
    }

    /// `range(end)`, `range(start, end)`, `range(start, end, step)`.
    fn range(&mut self, iter: &Expr, arguments: &[Argument]) -> Result<Turns, Diagnostic> {
        if arguments.len() > 1 {
            // A bound that cannot be read here is told below.
            let bounds = arguments.iter().map(|a| self.expr(&a.value).ok());
            let whole: Option<Vec<i64>> = bounds.map(|bound| bound.and_then(|bound| bound.whole())).collect();
            match whole.as_deref() {
                Some([0, _]) => {}
                Some([start, end]) => return stepped(*start, *end, 1, iter),
                Some([start, end, step]) => return stepped(*start, *end, *step, iter),
                _ => {}
            }
        }
        self.count(iter).map(Turns::Range)
    }

    /// `enumerate(x)`, `zip(x, y)`, `reversed(x)`.
    fn combined(&mut self, name: &str, iter: &Expr, arguments: &[Argument]) -> Result<Turns, Diagnostic> {
        let refuse = |message: String| Err(Diagnostic::at(Kind::UnsupportedStatement, iter.span, message));
        let mut lists = Vec::new();
        for argument in arguments.iter().take(if name == "enumerate" { 1 } else { usize::MAX }) {
            match self.turns(&argument.value)? {
                Turns::Values(values) => lists.push(values),
                Turns::Range(count) => match count.as_size().filter(|n| *n <= FEW) {
                    Some(few) => lists.push(numbers(0..few)),
                    None => return refuse(format!("{name} runs over a number of turns that is known")),
                },
            }
        }
        let start = match arguments.get(1) {
            Some(start) if name == "enumerate" => self.expr(&start.value)?.whole(),
            _ => Some(0),
        };
        let (Some(first), Some(start)) = (lists.first(), start) else {
            return refuse(format!("{name} runs over lists"));
        };
        let shortest = lists.iter().map(Vec::len).min().unwrap_or(0);
        Ok(Turns::Values(match name {
            "reversed" => first.iter().rev().cloned().collect(),
            "enumerate" => (start..)
                .zip(first)
                .map(|(at, value)| Value::Tuple(vec![Value::Number(Number::whole(at)), value.clone()]))
                .collect(),
            _ => (0..shortest).map(|at| Value::Tuple(lists.iter().map(|list| list[at].clone()).collect())).collect(),
        }))
    }
}

fn numbers(range: std::ops::Range<usize>) -> Vec<Value> {
    range.filter_map(|n| i64::try_from(n).ok()).map(|n| Value::Number(Number::whole(n))).collect()
}

/// The numbers from `start` to before `end`, `step` apart.
fn stepped(start: i64, end: i64, step: i64, iter: &Expr) -> Result<Turns, Diagnostic> {
    let refuse = |message: String| Err(Diagnostic::at(Kind::UnsupportedStatement, iter.span, message));
    if step == 0 {
        return refuse("a range takes steps of at least 1".to_string());
    }
    let mut values = Vec::new();
    let mut at = start;
    while (step > 0 && at < end) || (step < 0 && at > end) {
        if values.len() == FEW {
            return refuse(format!("a loop that does not count from 0 is read up to {FEW} turns"));
        }
        values.push(Value::Number(Number::whole(at)));
        at = at.saturating_add(step);
    }
    Ok(Turns::Values(values))
}

/// The list that a statement makes longer, and where.
fn grown(stmt: &Stmt) -> Option<(Name, Span)> {
    match &stmt.kind {
        StmtKind::Append(name, place, _) => Some((name.clone(), *place)),
        StmtKind::For(_, _, _, body) => body.iter().find_map(grown),
        StmtKind::If(branches) => branches.iter().flat_map(|branch| &branch.body).find_map(grown),
        _ => None,
    }
}
