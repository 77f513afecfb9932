//! What an expression stands for while it is read.

use super::picked::Picked;
use super::program::{NodeId, Program};
use crate::diagnostic::Span;
use crate::ops::{self, Attr, Number, Preset};
use crate::shape::{Dim, Name};

/// What an expression stands for. Numbers and sizes become nodes only when an
/// operation takes them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Value {
    Node(NodeId),
    Number(Number),
    /// A dimension, also one used as a number.
    Size(Dim),
    Flag(bool),
    Text(Name),
    Nothing,
    Tuple(Vec<Value>),
    /// An attribute of the operation whose rule is read.
    Attr(Attr),
    /// Something of a module: `torch.nn`.
    Path(String),
    /// A function without a body, by its place in the list of those declared.
    Opaque(usize),
    /// A function of the file, by its place there.
    Defined(usize),
    /// A function inside the function that is read, by its place in the list of those met.
    Local(usize),
    /// The counter of a loop, by the loop's depth.
    Counter(usize),
    /// The entries of an array at which a condition holds.
    Picked(Picked),
}

impl Value {
    /// What `node` stands for: its number if it is one.
    pub fn of(program: &Program, node: NodeId) -> Value {
        match program.number_of(node) {
            Some(number) => Value::Number(number),
            None => Value::Node(node),
        }
    }

    /// An attribute as what it stands for in arithmetic.
    pub fn of_attr(attr: &Attr) -> Value {
        match attr {
            Attr::Whole(n) => Value::Number(Number::whole(*n)),
            Attr::Text(text) => Number::parse(text).map_or_else(|| Value::Attr(attr.clone()), Value::Number),
            _ => Value::Attr(attr.clone()),
        }
    }

    /// The whole number, if it is one.
    pub fn whole(&self) -> Option<i64> {
        match self {
            Value::Number(number) => number.as_whole(),
            Value::Size(dim) => dim.as_size().and_then(|n| i64::try_from(n).ok()),
            Value::Attr(Attr::Axes(axes)) => match axes[..] {
                [axis] => i64::try_from(axis).ok(),
                _ => None,
            },
            Value::Attr(Attr::Whole(n)) => Some(*n),
            _ => None,
        }
    }

    /// The dimension, if it can be one.
    pub fn dim(&self) -> Option<Dim> {
        match self {
            Value::Size(dim) => Some(dim.clone()),
            Value::Attr(Attr::Dims(dims)) if dims.len() == 1 => dims.first().cloned(),
            Value::Number(number) => number.as_whole().and_then(|n| usize::try_from(n).ok()).map(Dim::size),
            _ => None,
        }
    }

    /// The value as spellings fix it. Words are looked up among those in use.
    pub fn preset(&self) -> Option<Preset> {
        let words = || ops::all().flat_map(|op| op.spellings).flat_map(|spelling| spelling.given);
        match self {
            Value::Flag(flag) => Some(Preset::Flag(*flag)),
            Value::Nothing => Some(Preset::Absent),
            Value::Text(text) => words()
                .map(|(_, preset)| *preset)
                .find(|p| matches!(p, Preset::Text(word) if *word == &**text))
                .or(Some(Preset::Present)),
            _ => self.whole().map(Preset::Whole).or(Some(Preset::Present)),
        }
    }

    /// What it is called in a message.
    pub fn sort(&self) -> &'static str {
        match self {
            Value::Node(_) => "an array",
            Value::Number(_) | Value::Size(_) | Value::Counter(_) => "a number",
            Value::Flag(_) => "a truth value",
            Value::Text(_) => "a string",
            Value::Nothing => "None",
            Value::Tuple(_) => "a tuple",
            Value::Attr(_) => "an attribute",
            Value::Path(_) => "a module",
            Value::Opaque(_) | Value::Defined(_) | Value::Local(_) => "a function",
            Value::Picked(_) => "a list of picked entries",
        }
    }
}

/// A value with its place.
#[derive(Clone, Debug)]
pub(super) struct Operand {
    pub value: Value,
    pub span: Span,
}
