//! From syntax to nodes: names, operators, attributes, indices.

use super::build::Env;
use super::dialect::Dialect;
use super::fold;
use super::functions::Functions;
use super::loops::Loop;
use super::program::{NodeId, Program};
use super::value::{Operand, Value};
use crate::diagnostic::{Diagnostic, Kind, Span};
use crate::ops::{self, Attr, Attrs, Misfit, OpRef};
use crate::shape::{Dim, Name, Shape};
use crate::source::ast::{Expr, ExprKind};
use std::collections::{HashMap, HashSet};

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
    /// Dimensions that may count a loop by name.
    pub annotated: Vec<Name>,
    /// Functions without a body: name, shape taken, shape given.
    pub opaque: Vec<(Name, Shape, Shape)>,
    /// The functions of the file and what was learned by calling them.
    pub functions: Functions<'a>,
    /// The loops around what is read, outermost first.
    pub loops: Vec<Loop>,
    /// How many names hold a node.
    pub holders: HashMap<NodeId, usize>,
    /// Names whose definition was refused.
    pub broken: HashSet<Name>,
    /// Names that hold a list of their own, which may grow.
    pub lists: HashSet<Name>,
    /// Names that count loops read turn by turn, and what they stand for in this turn.
    pub counted: Vec<(Name, String)>,
    /// Where names are last mentioned, block by block, and the statement at hand.
    pub uses: Vec<(HashMap<Name, usize>, usize)>,
    /// Are loops over a number read turn by turn?
    pub unroll: bool,
    /// How many turns of loops were read one by one.
    pub turns: usize,
    /// How many of the loops surround the whole function that is read.
    pub loops_outside: usize,
    /// How many expressions surround this one, through calls.
    depth: usize,
}

/// How many expressions may surround another, through calls of functions.
const MAX_DEPTH: usize = 1_000;

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
            annotated: Vec::new(),
            opaque: Vec::new(),
            functions: Functions::default(),
            loops: Vec::new(),
            holders: HashMap::new(),
            broken: HashSet::new(),
            lists: HashSet::new(),
            counted: Vec::new(),
            uses: Vec::new(),
            unroll: false,
            turns: 0,
            loops_outside: 0,
            depth: 0,
        }
    }

    pub fn operand(&mut self, expr: &Expr) -> Result<Operand, Diagnostic> {
        Ok(Operand { value: self.expr(expr)?, span: expr.span })
    }

    pub fn expr(&mut self, expr: &Expr) -> Result<Value, Diagnostic> {
        if self.depth == MAX_DEPTH {
            let message = "calls and brackets are nested too deeply here";
            return Err(Diagnostic::at(Kind::TooLarge, expr.span, message));
        }
        self.depth += 1;
        let value = self.read(expr);
        self.depth -= 1;
        value
    }

    fn read(&mut self, expr: &Expr) -> Result<Value, Diagnostic> {
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
            ExprKind::Tuple(items) => {
                let mut values = Vec::new();
                items.iter().try_for_each(|item| self.items_of(item, &mut values))?;
                Value::Tuple(values.into_iter().map(|operand| operand.value).collect())
            }
            ExprKind::Logic(word, place, parts) => self.logic(word, *place, parts)?,
            ExprKind::If(place, test, first, second) => match self.condition(test, *place)? {
                true => self.expr(first)?,
                false => self.expr(second)?,
            },
            ExprKind::Each(place, item, target, iter) => self.each((target, *place), item, iter)?,
            ExprKind::Starred(inner) => {
                let star = Span { start: expr.span.start, end: expr.span.start + 1 };
                let message = "an operand is missing before '*', and nothing is unpacked here";
                return Err(Diagnostic::at(Kind::Syntax, star, message).also(inner.span, "this is unpacked"));
            }
        };
        Ok(value)
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
        if let (Value::Tuple(a), Value::Tuple(b), "add") = (&left.value, &right.value, name) {
            return Ok(Value::Tuple([a.as_slice(), b].concat()));
        }
        if let Some(value) = self.picked_operator(name, sign, &left, &right)? {
            return Ok(value);
        }
        if let Some(value) = self.of_conditions(name, sign, &left, &right)? {
            return Ok(value);
        }
        if let Some(value) = fold::constants(name, &left.value, &right.value) {
            return Ok(value);
        }
        if let ("floordiv", Some(whole), Some(part)) = (name, left.value.dim(), right.value.dim()) {
            let message = format!("whether {part} divides {whole} is not known");
            let told = Diagnostic::at(Kind::BadArgument, left.span.to(right.span), message);
            return Err(told.help(format!("write the dimension as {part}*k where its shape is declared")));
        }
        if self.mode == Mode::Rule
            && let Some(value) = fold::neutral(self.program, name, &left.value, &right.value)
        {
            return Ok(value);
        }
        let Some(op) = ops::by_name(name) else {
            let written = sign.of(self.text);
            let told = crate::source::refused_operator(written, sign);
            let message = format!("{written} is not supported");
            return Err(told.unwrap_or_else(|| Diagnostic::at(Kind::UnsupportedOperator, sign, message)));
        };
        let args = [(self.node(&left)?, left.span), (self.node(&right)?, right.span)];
        self.apply(op, &args, Attrs::default(), sign, left.span.to(right.span)).map(Value::Node)
    }

    fn unary(&mut self, name: &str, inner: &Expr, span: Span) -> Result<Value, Diagnostic> {
        if name == "not" {
            let place = Span { start: span.start, end: span.start + 3 };
            return self.condition(inner, place).map(|holds| Value::Flag(!holds));
        }
        let operand = plain(self.operand(inner)?);
        if name == "invert" {
            return self.inverted(&operand, span);
        }
        if let (Value::Number(number), "neg") = (&operand.value, name) {
            return Ok(Value::Number(number.negated()));
        }
        if let Value::Picked(picked) = operand.value {
            let array = self.program.call(name, &[picked.array]).map_err(|misfit| self.misfit(misfit, &[], span))?;
            return Ok(Value::Picked(super::picked::Picked { array, ..picked }));
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
            Value::Counter(level) => Ok(self.counter(*level)),
            Value::Opaque(_) | Value::Defined(_) | Value::Local(_) => {
                refuse("a function is not a value: give it an argument")
            }
            Value::Picked(_) => Err(super::picked::unknown_number(operand.span)),
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
                let alone = args.iter().filter(|(_, other)| other == span).count() == 1;
                let quoted = if alone { self.quoted(*node, *span, fenced) } else { self.counted(*node, i) };
                text.replace(&format!("{{{i}}}"), &quoted)
            })
        };
        let mut told = Diagnostic::at(misfit.kind, place, with(&misfit.message, false));
        // The transpose of a transpose is not what anyone writes.
        told.help = misfit.help.map(|help| with(&help, true).replace(".T.T", ""));
        for (node, span) in args {
            let shape = self.program.unknowns.resolve_shape(self.program.shape(*node));
            told.labels.push((*span, known_shape(&shape)));
        }
        told
    }

    /// What one item of a list is called.
    fn counted(&self, node: NodeId, at: usize) -> String {
        let place = ["the first", "the second", "the third"].get(at).copied().unwrap_or("another");
        self.program.name(node).map_or_else(|| format!("{place} of them"), Name::to_string)
    }

    /// The text of an argument, short; `fenced` in brackets where it needs them.
    fn quoted(&self, node: NodeId, span: Span, fenced: bool) -> String {
        let text = span.of(self.text).split_whitespace().collect::<Vec<_>>().join(" ");
        if text.is_empty() || text.chars().count() > 40 {
            return self.program.name(node).map_or_else(|| "the argument".into(), Name::to_string);
        }
        if fenced && is_open(&text) { format!("({text})") } else { text }
    }
}

/// Does an operator stand in `text` outside of brackets?
fn is_open(text: &str) -> bool {
    let mut depth = 0i32;
    text.chars().any(|c| {
        depth += i32::from(matches!(c, '(' | '[')) - i32::from(matches!(c, ')' | ']'));
        depth == 0 && c == ' '
    })
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
