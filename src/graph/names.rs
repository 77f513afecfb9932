//! Names: what they stand for where they are used.

use super::build::{Bound, Env};
use super::elaborate::Elaborator;
use super::value::Value;
use crate::diagnostic::{Diagnostic, Kind, Span, did_you_mean};
use crate::ops::{self, Attrs};
use crate::shape::{Dim, Name};

impl Elaborator<'_> {
    /// Is `name` defined here?
    pub fn knows(&self, name: &str) -> bool {
        let around = self.loops.iter().skip(self.loops_outside);
        self.scope.contains_key(name)
            || around.rev().any(|around| around.scope.contains_key(name))
            || self.env.is_some_and(|env| env.get(name).is_some())
            || self.functions.globals.contains_key(name)
            || self.functions.by_name.contains_key(name)
    }

    /// The value `name` has here, if it has one.
    pub fn lookup(&mut self, name: &str) -> Result<Option<Value>, Diagnostic> {
        if let Some(value) = self.scope.get(name) {
            return Ok(Some(value.clone()));
        }
        for level in (self.loops_outside..self.loops.len()).rev() {
            if let Some(value) = self.loops[level].scope.get(name).cloned() {
                return Ok(Some(self.carry_in(value, level)));
            }
        }
        if let Some(bound) = self.env.and_then(|env| env.get(name)) {
            return Ok(Some(match bound {
                Bound::Node(node) => Value::of(self.program, *node),
                Bound::Attr(attr) => Value::Attr(attr.clone()),
            }));
        }
        match self.functions.globals.get(name).cloned() {
            Some(value) => value.map(|value| Some(self.carry_in(value, 0))),
            None => Ok(self.functions.by_name.get(name).map(|at| Value::Defined(*at))),
        }
    }

    /// What a name stands for.
    pub fn name(&mut self, name: &Name, span: Span) -> Result<Value, Diagnostic> {
        if let Some(value) = self.lookup(name)? {
            return Ok(value);
        }
        if self.dims.contains(name) {
            return Ok(Value::Size(Dim::named(name)));
        }
        if let Some(path) = self.dialect.path(name) {
            let path = path.to_string();
            let number = self.number_named(&path, span)?;
            return Ok(number.unwrap_or(Value::Path(path)));
        }
        match ops::by_name(name) {
            // A number with a name of its own.
            Some(op) if op.params.is_empty() => self.apply(op, &[], Attrs::default(), span, span).map(Value::Node),
            _ => Err(self.unknown_name(name, span)),
        }
    }

    fn unknown_name(&self, name: &str, span: Span) -> Diagnostic {
        if !ops::spelled(name, None).is_empty() || ops::by_name(name).is_some() {
            let message = format!("{name} is a function: it has no value without arguments");
            return Diagnostic::at(Kind::UnknownName, span, message).help(format!("write {name}(…)"));
        }
        let mut known: Vec<&str> = self.scope.keys().map(|name| &**name).collect();
        known.extend(self.loops.iter().skip(self.loops_outside).flat_map(|around| around.scope.keys()).map(|n| &**n));
        known.extend(self.env.into_iter().flat_map(Env::names));
        known.extend(self.dims.iter().map(|name| &**name));
        known.sort_unstable();
        known.dedup();
        let told = Diagnostic::at(Kind::UnknownName, span, format!("{name} is not defined"));
        match did_you_mean(name, known.iter().copied()) {
            Some(near) => told.help(format!("did you mean {near}?")),
            None if known.is_empty() || known.len() > 12 => told,
            None => told.help(format!("known here: {}", known.join(", "))),
        }
    }
}
