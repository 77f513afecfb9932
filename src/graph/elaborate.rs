//! From syntax to nodes: names, operators, attributes, indices.

use super::build::{Bound, Env};
use super::dialect::Dialect;
use super::fold;
use super::program::{NodeId, Program};
use super::value::{Operand, Value};
use crate::diagnostic::{Diagnostic, Kind, Span, did_you_mean};
use crate::ops::{self, Attr, Attrs, Misfit, OpRef};
use crate::shape::{Dim, Name, Shape};
use crate::source::ast::{Expr, ExprKind};
use std::collections::HashMap;

/// What is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// A rule or definition of the table: neutral elements are folded, places
    /// are not kept, the table's own names come first.
    Rule,
    /// What a person wrote: kept as written.
    Program,
    /// Said about a program elsewhere: as written, without places.
    Aside,
}

/// Reads expressions into a program.
pub(super) struct Elaborator<'a> {
    pub program: &'a mut Program,
    /// What the places refer to.
    pub text: &'a str,
    pub mode: Mode,
    pub env: Option<&'a Env>,
    pub scope: HashMap<Name, Value>,
    pub dialect: Dialect,
    /// Dimensions that may be used as numbers by name.
    pub dims: Vec<Name>,
    /// Functions without a body: name, shape taken, shape given.
    pub opaque: Vec<(Name, Shape, Shape)>,
}

impl<'a> Elaborator<'a> {
    pub fn new(program: &'a mut Program, text: &'a str, mode: Mode) -> Elaborator<'a> {
        Elaborator {
            program,
            text,
            mode,
            env: None,
            scope: HashMap::new(),
            dialect: Dialect::default(),
            dims: Vec::new(),
            opaque: Vec::new(),
        }
    }

    pub fn operand(&mut self, expr: &Expr) -> Result<Operand, Diagnostic> {
        Ok(Operand { value: self.expr(expr)?, span: expr.span })
    }

    pub fn expr(&mut self, expr: &Expr) -> Result<Value, Diagnostic> {
        let value = match &expr.kind {
            ExprKind::Name(name) => self.name(name, expr.span)?,
            ExprKind::Number(number) => Value::Number(*number),
            ExprKind::BadNumber(told) | ExprKind::Unsupported(told) => return Err(Diagnostic::clone(told)),
            ExprKind::Flag(flag) => Value::Flag(*flag),
            ExprKind::None => Value::Nothing,
            ExprKind::Ellipsis => return Err(unsupported(expr.span, "'...' stands for no value")),
            ExprKind::Text(text) => Value::Text(text.clone()),
            ExprKind::Chain(first, links) => self.chain(first, links)?,
            ExprKind::Unary(name, inner) => self.unary(name, inner, expr.span)?,
            ExprKind::Call(function, arguments) => return self.call(function, arguments, expr.span),
            ExprKind::Attribute(base, name, place) => self.attribute(base, name, *place)?,
            ExprKind::Index(base, items) => self.index(base, items, expr.span)?,
            ExprKind::Tuple(items) => Value::Tuple(items.iter().map(|e| self.expr(e)).collect::<Result<_, _>>()?),
        };
        Ok(value)
    }

    /// The value `name` has here, if it has one.
    pub fn lookup(&self, name: &str) -> Option<Value> {
        if let Some(value) = self.scope.get(name) {
            return Some(value.clone());
        }
        match self.env.and_then(|env| env.get(name))? {
            Bound::Node(node) => Some(Value::of(self.program, *node)),
            Bound::Attr(attr) => Some(Value::Attr(attr.clone())),
        }
    }

    fn name(&mut self, name: &Name, span: Span) -> Result<Value, Diagnostic> {
        if let Some(value) = self.lookup(name) {
            return Ok(value);
        }
        if self.dims.contains(name) {
            return Ok(Value::Size(Dim::named(name)));
        }
        if let Some(path) = self.dialect.path(name) {
            return Ok(super::constant::named(path).unwrap_or_else(|| Value::Path(path.to_string())));
        }
        Err(self.unknown_name(name, span))
    }

    fn unknown_name(&self, name: &str, span: Span) -> Diagnostic {
        if !ops::spelled(name, None).is_empty() || ops::by_name(name).is_some() {
            let message = format!("{name} is a function: it has no value without arguments");
            return Diagnostic::at(Kind::UnknownName, span, message).help(format!("write {name}(…)"));
        }
        let mut known: Vec<&str> = self.scope.keys().map(|name| &**name).collect();
        known.extend(self.env.into_iter().flat_map(Env::names));
        known.extend(self.dims.iter().map(|name| &**name));
        known.sort_unstable();
        let told = Diagnostic::at(Kind::UnknownName, span, format!("{name} is not defined"));
        match did_you_mean(name, known.iter().copied()) {
            Some(near) => told.help(format!("did you mean {near}?")),
            None if known.is_empty() || known.len() > 12 => told,
            None => told.help(format!("known here: {}", known.join(", "))),
        }
    }

    fn chain(&mut self, first: &Expr, links: &[(&'static str, Span, Expr)]) -> Result<Value, Diagnostic> {
        let mut left = self.operand(first)?;
        for (name, sign, right) in links {
            let right = self.operand(right)?;
            let span = left.span.to(right.span);
            left = Operand { value: self.binary(name, *sign, left, right)?, span };
        }
        Ok(left.value)
    }

    /// `left op right`; `sign` is the place of the operator.
    pub fn binary(&mut self, name: &str, sign: Span, left: Operand, right: Operand) -> Result<Value, Diagnostic> {
        let (left, right) = (plain(left), plain(right));
        if let Some(value) = fold::constants(name, &left.value, &right.value) {
            return Ok(value);
        }
        if self.mode == Mode::Rule
            && let Some(value) = fold::neutral(self.program, name, &left.value, &right.value)
        {
            return Ok(value);
        }
        let Some(op) = ops::by_name(name) else {
            let message = format!("{} is not supported", sign.of(self.text));
            return Err(Diagnostic::at(Kind::UnsupportedOperator, sign, message));
        };
        let args = [(self.node(&left)?, left.span), (self.node(&right)?, right.span)];
        self.apply(op, &args, Attrs::default(), sign, left.span.to(right.span)).map(Value::Node)
    }

    fn unary(&mut self, name: &str, inner: &Expr, span: Span) -> Result<Value, Diagnostic> {
        let operand = plain(self.operand(inner)?);
        if let (Value::Number(number), "neg") = (&operand.value, name) {
            return Ok(Value::Number(number.negated()));
        }
        let arg = self.node(&operand)?;
        let sign = Span { start: span.start, end: span.start + 1 };
        let Some(op) = ops::by_name(name) else {
            return Err(Diagnostic::at(Kind::UnsupportedOperator, sign, format!("{name} is not supported")));
        };
        if self.mode == Mode::Rule && self.program.op(arg).is_some_and(|(inner, _)| inner == op) && name == "neg" {
            return Ok(Value::of(self.program, self.program.node(arg).args[0]));
        }
        self.apply(op, &[(arg, operand.span)], Attrs::default(), sign, span).map(Value::Node)
    }

    /// The node of a value that an operation takes as an array.
    pub fn node(&mut self, operand: &Operand) -> Result<NodeId, Diagnostic> {
        let refuse = |message: &str| Err(Diagnostic::at(Kind::BadArgument, operand.span, message));
        match &operand.value {
            Value::Node(node) => Ok(*node),
            Value::Number(number) => Ok(self.program.number(*number)),
            Value::Size(dim) => Ok(self.program.size(dim.clone())),
            Value::Attr(attr) => match Value::of_attr(attr) {
                Value::Number(number) => Ok(self.program.number(number)),
                _ => match attr {
                    Attr::Dims(dims) if dims.len() == 1 => Ok(self.program.size(dims[0].clone())),
                    _ => refuse("this attribute is not a number"),
                },
            },
            Value::Text(_) => Err(unsupported(operand.span, "a string is not a number")),
            Value::Flag(_) => refuse("a truth value is not a number"),
            Value::Nothing => refuse("None is not a value"),
            Value::Tuple(_) => refuse("a tuple is not an array"),
            Value::Path(path) => refuse(&format!("{path} is a module, not a value")),
            Value::Opaque(_) => refuse("a function is not a value: give it an argument"),
        }
    }

    /// Applies an operation. Misfits are told at `place`; the node stands at `whole`.
    pub fn apply(
        &mut self,
        op: OpRef,
        args: &[(NodeId, Span)],
        attrs: Attrs,
        place: Span,
        whole: Span,
    ) -> Result<NodeId, Diagnostic> {
        let nodes: Vec<NodeId> = args.iter().map(|(node, _)| *node).collect();
        match self.program.apply(op, &nodes, attrs) {
            Ok(node) => {
                if self.mode == Mode::Program {
                    self.program.place(node, whole);
                }
                Ok(node)
            }
            Err(misfit) => Err(self.misfit(misfit, args, place)),
        }
    }

    fn misfit(&self, misfit: Misfit, args: &[(NodeId, Span)], place: Span) -> Diagnostic {
        let with = |message: &str, fenced: bool| {
            args.iter().enumerate().fold(message.to_string(), |text, (i, (node, span))| {
                text.replace(&format!("{{{i}}}"), &self.quoted(*node, *span, fenced))
            })
        };
        let mut told = Diagnostic::at(misfit.kind, place, with(&misfit.message, false));
        told.help = misfit.help.map(|help| with(&help, true));
        for (node, span) in args {
            let shape = self.program.unknowns.resolve_shape(self.program.shape(*node));
            told.labels.push((*span, known_shape(&shape)));
        }
        told
    }

    /// The text of an argument, short; `fenced` in brackets where it needs them.
    fn quoted(&self, node: NodeId, span: Span, fenced: bool) -> String {
        let text = span.of(self.text).split_whitespace().collect::<Vec<_>>().join(" ");
        if text.is_empty() || text.chars().count() > 40 {
            return self.program.name(node).map_or_else(|| "the argument".into(), Name::to_string);
        }
        if fenced && text.contains(' ') && !text.ends_with(')') { format!("({text})") } else { text }
    }
}

/// A shape for a label; unknown dimensions show as `?`.
pub(super) fn known_shape(shape: &Shape) -> String {
    let hidden = shape.substitute(&|name| name.starts_with('?').then(|| Dim::named("?")));
    hidden.to_string()
}

pub(super) fn unsupported(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::at(Kind::UnsupportedSyntax, span, message)
}

fn plain(operand: Operand) -> Operand {
    match operand.value {
        Value::Attr(attr) => Operand { value: Value::of_attr(&attr), span: operand.span },
        _ => operand,
    }
}
