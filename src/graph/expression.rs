//! One-line expressions, with definitions before them.

use super::assume::assume;
use super::elaborate::{Elaborator, Mode};
use super::letters::{Sort, free_names, sort_of};
use super::program::{Definition, NodeId, Program};
use super::request::Request;
use super::value::{Operand, Value};
use crate::diagnostic::{Diagnostic, Diagnostics, Kind, Span, did_you_mean};
use crate::ops::Notation;
use crate::shape::{Dim, Name, Shape};
use crate::source::ast::{Expr, ExprKind};
use crate::source::{expression_in, is_name};
use std::collections::HashSet;
use std::sync::Arc;

/// A definition before the expression.
struct Let {
    name: Name,
    span: Span,
    value: Expr,
}

/// Reads one expression, the definitions of the request before it.
///
/// Places refer to [`Request::source`], which is `text` itself without definitions.
///
/// # Errors
/// Everything that is wrong, as far as it can be told at once.
///
/// ```
/// use chainrule::graph::{Request, read_expression};
/// let program = read_expression("x + relu(x @ W1 + b1) @ W2 + b2", &Request::default()).unwrap();
/// assert_eq!(program.inputs.len(), 5);
/// assert_eq!(program.shape(program.output), program.shape(program.inputs[0]));
/// ```
pub fn read_expression(text: &str, request: &Request) -> Result<Program, Diagnostics> {
    let source: Arc<str> = Arc::from(request.source(text));
    let mut program = Program::new();
    program.source = source.clone();
    let (lets, expr) = parse(&source, text, request)?;
    let mut elaborator = Elaborator::new(&mut program, &source, Mode::Program);
    inputs(&mut elaborator, request, &lets, &expr)?;
    let mut told = Diagnostics::new();
    let mut broken: HashSet<Name> = HashSet::new();
    for (at, item) in lets.iter().enumerate() {
        if let Err(error) = define(&mut elaborator, item, &lets[at..], &mut broken) {
            broken.insert(item.name.clone());
            told.extend(error);
        }
    }
    if !mentions(&expr, &broken) {
        match output(&mut elaborator, &expr) {
            Ok(node) => elaborator.program.output = node,
            Err(error) => told.push(error),
        }
    }
    if told.is_empty() {
        told = assume(&mut elaborator, request);
    }
    if !told.is_empty() {
        return Err(told);
    }
    finish(&mut program, request).map_err(|error| vec![error])?;
    Ok(program)
}

fn parse(source: &str, text: &str, request: &Request) -> Result<(Vec<Let>, Expr), Diagnostics> {
    let (mut lets, mut told, mut start) = (Vec::new(), Diagnostics::new(), 0);
    for line in &request.lets {
        match parse_let(source, start..start + line.len()) {
            Ok(item) => lets.push(item),
            Err(error) => told.push(error),
        }
        start += line.len() + 1;
    }
    match expression_in(source, start..start + text.len()) {
        Ok(expr) if told.is_empty() => return Ok((lets, expr)),
        Ok(_) => {}
        Err(error) => told.push(error),
    }
    Err(told)
}

fn parse_let(source: &str, range: std::ops::Range<usize>) -> Result<Let, Diagnostic> {
    let line = &source[range.clone()];
    let span = Span { start: range.start as u32, end: range.end as u32 };
    let equals = line.find('=').filter(|at| is_name(line[..*at].trim()));
    let Some(equals) = equals else {
        return Err(Diagnostic::at(Kind::Syntax, span, "a definition is written name = expression"));
    };
    let lead = line[..equals].len() - line[..equals].trim_start().len();
    let name = line[..equals].trim();
    let start = range.start + lead;
    let value = expression_in(source, range.start + equals + 1..range.end)?;
    let span = Span { start: start as u32, end: (start + name.len()) as u32 };
    Ok(Let { name: Name::from(name), span, value })
}

/// Declares the inputs: those of the request, then, unless it is strict, every
/// other name by its first letter.
fn inputs(elaborator: &mut Elaborator, request: &Request, lets: &[Let], expr: &Expr) -> Result<(), Diagnostics> {
    let defined: Vec<&str> = lets.iter().map(|item| &*item.name).collect();
    let mut free = Vec::new();
    for value in lets.iter().map(|item| &item.value).chain([expr]) {
        free_names(value, &elaborator.dialect, &mut free);
    }
    declare(elaborator, request);
    let mut told = Diagnostics::new();
    for (name, _) in request.shapes.iter().filter(|_| !request.strict) {
        if !free.contains(name) && !mentioned(request, name) {
            let message = format!("{name} has a shape but does not occur");
            let near = did_you_mean(name, free.iter().map(|name| &**name));
            let help = near.map(|near| format!("did you mean {near}?"));
            told.push(Diagnostic { help, ..Diagnostic::new(Kind::UnknownName, message) });
        }
    }
    if !request.strict {
        free.retain(|name| {
            let known = elaborator.knows(name) || elaborator.dims.contains(name);
            !known && !defined.contains(&&**name)
        });
        by_letter(elaborator, &free);
    }
    suggest(elaborator.program);
    if told.is_empty() { Ok(()) } else { Err(told) }
}

/// Does an assumption or setting name it?
fn mentioned(request: &Request, name: &str) -> bool {
    let words = |text: &String| text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name);
    request.assumptions.iter().any(words) || request.settings.iter().any(|(set, _)| &**set == name)
}

/// Declares what the request declares.
fn declare(elaborator: &mut Elaborator, request: &Request) {
    for (name, shape) in &request.shapes {
        let input = elaborator.program.input(name, shape.clone());
        elaborator.scope.insert(name.clone(), Value::Node(input));
    }
    let function = request.functions.iter().flat_map(|(_, takes, gives)| [takes, gives]);
    let shapes = request.shapes.iter().map(|(_, shape)| shape).chain(function);
    for dim in shapes.flat_map(|shape| &shape.0).flat_map(Dim::names) {
        if !elaborator.dims.contains(dim) {
            elaborator.dims.push(dim.clone());
        }
    }
    elaborator.opaque = request.functions.clone();
    for (at, (name, _, _)) in request.functions.iter().enumerate() {
        elaborator.scope.insert(name.clone(), Value::Opaque(at));
    }
}

fn by_letter(elaborator: &mut Elaborator, names: &[Name]) {
    let mut sorted: [Vec<&str>; 3] = Default::default();
    for name in names {
        let sort = sort_of(name);
        let shape = Shape((0..sort as usize).map(|_| elaborator.program.unknowns.fresh()).collect());
        let input = elaborator.program.input(name, shape);
        elaborator.scope.insert(name.clone(), Value::Node(input));
        sorted[sort as usize].push(name);
    }
    let mut parts = Vec::new();
    for (sort, one, many) in [
        (Sort::Matrix, "a matrix", "matrices"),
        (Sort::Vector, "a vector", "vectors"),
        (Sort::Scalar, "a scalar", "scalars"),
    ] {
        let names = &sorted[sort as usize];
        match names.len() {
            0 => {}
            1 => parts.push(format!("{} is {one}", names[0])),
            _ => parts.push(format!("{} are {many}", listed(names))),
        }
    }
    if !parts.is_empty() {
        let note = format!("{}, by the first letter (unless a shape is given)", parts.join(", "));
        elaborator.program.assumptions.push(note);
    }
}

fn listed(names: &[&str]) -> String {
    match names {
        [all @ .., last] if !all.is_empty() => format!("{} and {last}", all.join(", ")),
        names => names.concat(),
    }
}

/// Suggests the first input as the variable.
pub(super) fn suggest(program: &mut Program) {
    if let Some(first) = program.inputs.first().copied()
        && let Some(name) = program.name(first)
    {
        program.suggested_wrt = Some((first, format!("{name} is the first input")));
    }
}

fn define(
    elaborator: &mut Elaborator,
    item: &Let,
    later: &[Let],
    broken: &mut HashSet<Name>,
) -> Result<(), Option<Diagnostic>> {
    if mentions(&item.value, broken) {
        return Err(None);
    }
    if elaborator.scope.contains_key(&item.name) {
        let is_input = elaborator.program.input_named(&item.name).is_some();
        let what = if is_input { "an input" } else { "defined" };
        let message = format!("{} is already {what}", item.name);
        return Err(Some(Diagnostic::at(Kind::DuplicateName, item.span, message).help("give it another name")));
    }
    let operand = elaborator.operand(&item.value).map_err(|told| Some(forward(told, later)))?;
    if let Value::Picked(_) = operand.value {
        elaborator.scope.insert(item.name.clone(), operand.value);
        return Ok(());
    }
    let node = elaborator.node(&operand).map_err(Some)?;
    let value = if let Value::Number(_) | Value::Size(_) = operand.value { operand.value } else { Value::Node(node) };
    elaborator.scope.insert(item.name.clone(), value);
    let text = one_line(item.value.span.of(elaborator.text));
    name_value(elaborator.program, &item.name, node, text);
    Ok(())
}

/// An unknown name that is defined further down is told as that.
fn forward(told: Diagnostic, later: &[Let]) -> Diagnostic {
    let unknown = told.kind == Kind::UnknownName;
    match later.iter().find(|item| unknown && told.message == format!("{} is not defined", item.name)) {
        Some(item) => {
            let message = format!("{} is used before it is defined", item.name);
            Diagnostic { message, help: None, ..told }.also(item.span, "defined here")
        }
        None => told,
    }
}

/// Enters a named value; numbers keep no name, they are what they are.
pub(super) fn name_value(program: &mut Program, name: &Name, node: NodeId, text: String) {
    if program.number_of(node).is_none() {
        program.set_name(node, name.clone());
    }
    program.definitions.push(Definition { name: name.clone(), node, text });
}

/// A text with its comments and line breaks removed.
pub(super) fn one_line(text: &str) -> String {
    let code = text.lines().map(|line| line.split('#').next().unwrap_or("").trim().trim_end_matches('\\').trim());
    let joined = code.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    joined.replace("( ", "(").replace(" )", ")")
}

/// Does `expr` use one of `names`?
pub(super) fn mentions(expr: &Expr, names: &HashSet<Name>) -> bool {
    if names.is_empty() {
        return false;
    }
    let mut found = Vec::new();
    super::letters::all_names(expr, &mut found);
    found.iter().any(|name| names.contains(name))
}

/// The node of the result; a truth value is none.
pub(super) fn output(elaborator: &mut Elaborator, expr: &Expr) -> Result<NodeId, Diagnostic> {
    let operand = elaborator.operand(expr)?;
    result(elaborator, &operand, expr)
}

/// The node of a result that was read already.
pub(super) fn result(elaborator: &mut Elaborator, operand: &Operand, expr: &Expr) -> Result<NodeId, Diagnostic> {
    let node = elaborator.node(operand)?;
    let compares = |(op, _): &(crate::ops::OpRef, _)| matches!(op.notation, Notation::Comparison(_));
    if elaborator.program.op(node).filter(compares).is_some() {
        let place = match &expr.kind {
            ExprKind::Chain(_, links) => links.last().map_or(expr.span, |(_, sign, _)| *sign),
            _ => expr.span,
        };
        let message = "the result is true or false, which has no derivative";
        return Err(Diagnostic::at(Kind::NotAValue, place, message).help("use where(condition, a, b)"));
    }
    Ok(node)
}

/// Names the dimensions that nothing settled, and picks the output asked for.
pub(super) fn finish(program: &mut Program, request: &Request) -> Result<(), Diagnostic> {
    if let Some(of) = &request.of {
        program.output = match program.named(of) {
            Some(node) => node,
            None => {
                let names = program.definitions.iter().map(|d| &d.name);
                let near = did_you_mean(of, names.map(|name| &**name)).map(|near| format!("did you mean {near}?"));
                let message = format!("there is no value called {of}");
                return Err(Diagnostic { help: near, ..Diagnostic::new(Kind::UnknownName, message) });
            }
        };
    }
    let mut taken: HashSet<String> = program.definitions.iter().map(|d| d.name.to_string()).collect();
    for id in program.graph().node_indices() {
        taken.extend(program.shape(id).0.iter().flat_map(Dim::names).map(|name| name.to_string()));
    }
    taken.extend(program.inputs.iter().filter_map(|id| program.name(*id)).map(|name| name.to_string()));
    let letters = ["n", "m", "p", "q", "r", "k"].map(String::from).into_iter();
    let mut free = letters.chain((1..).map(|i| format!("n{i}"))).filter(move |name| !taken.contains(name));
    program.settle(|| Name::from(free.next().unwrap_or_default()));
    Ok(())
}
