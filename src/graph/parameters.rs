//! The parameters of the function: shapes from flags, annotations, sessions, defaults.

use super::elaborate::Elaborator;
use super::request::Request;
use super::sessions::Session;
use super::value::Value;
use crate::diagnostic::{Diagnostic, Diagnostics, Kind, Span, did_you_mean};
use crate::shape::{Dim, Name, Shape};
use crate::source::ast::{Annotation, Expr, Function, Parameter};

/// Binds every parameter: to an input, a constant, or a function.
pub(super) fn parameters<'a>(
    elaborator: &mut Elaborator<'a>,
    function: &'a Function,
    request: &Request,
    session: &Session,
) -> Result<(), Diagnostics> {
    let mut told = undeclared(function, request);
    for param in &function.params {
        match parameter(elaborator, param, request, session) {
            Ok(Bound::Input(shape)) => {
                if request.shapes.iter().all(|(name, _)| *name != param.name) {
                    sized(elaborator, param, &shape, session, &mut told);
                }
                let dims = shape.0.iter().flat_map(Dim::names).cloned().collect::<Vec<_>>();
                elaborator.annotated.extend(dims);
                let input = elaborator.program.input(&param.name, shape);
                elaborator.program.place(input, param.span);
                elaborator.bind(&param.name, Value::Node(input));
            }
            Ok(Bound::Value(value)) => elaborator.bind(&param.name, value),
            Err(error) => told.push(error),
        }
    }
    suggest(elaborator, session);
    if told.is_empty() { Ok(()) } else { Err(told) }
}

enum Bound {
    Input(Shape),
    Value(Value),
}

fn parameter(
    elaborator: &mut Elaborator,
    param: &Parameter,
    request: &Request,
    session: &Session,
) -> Result<Bound, Diagnostic> {
    let name = &param.name;
    if let Some((_, shape)) = request.shapes.iter().find(|(declared, _)| declared == name) {
        return Ok(Bound::Input(shape.clone()));
    }
    if let Some(at) = request.functions.iter().position(|(declared, _, _)| declared == name) {
        return Ok(Bound::Value(Value::Opaque(at)));
    }
    match (&param.annotation, &param.default) {
        (Annotation::Shape(text, span), _) => annotated(name, text, *span).map(Bound::Input),
        (Annotation::Number | Annotation::Whole, Some(default)) => constant(elaborator, name, default),
        (Annotation::Number, None) => Ok(Bound::Input(Shape::scalar())),
        (Annotation::Whole, None) => Ok(Bound::Value(Value::Size(Dim::named(name)))),
        (_, default) => match (session.shape(name), default) {
            (Some(shape), _) => Ok(Bound::Input(shape)),
            (None, Some(default)) => constant(elaborator, name, default),
            (None, None) if matches!(param.annotation, Annotation::Function) => {
                let message = format!("{name} is a function without a body");
                Err(Diagnostic::at(Kind::MissingShape, param.span, message)
                    .help(format!("--function {name}:\"d -> d\" says what it takes and gives")))
            }
            (None, None) if &**name == "self" => {
                let told = Diagnostic::at(
                    Kind::MissingShape,
                    param.span,
                    "a method of a class is not read: self has no shape",
                );
                Err(told.help("write a function that takes the weights as arguments"))
            }
            (None, None) => {
                let told = Diagnostic::at(Kind::MissingShape, param.span, format!("nothing tells the shape of {name}"));
                Err(told.help(format!("--shape {name}=\"n m\" does, or the annotation {name}: \"n m\"")))
            }
        },
    }
}

fn annotated(name: &str, text: &str, span: Span) -> Result<Shape, Diagnostic> {
    Shape::parse(text).map_err(|why| {
        let told = Diagnostic::at(Kind::BadDeclaration, span, format!("the shape of {name}: {why}"));
        told.help(format!("--shape {name}=\"n m\" goes before the annotation"))
    })
}

/// A parameter that keeps its default.
fn constant(elaborator: &mut Elaborator, name: &Name, default: &Expr) -> Result<Bound, Diagnostic> {
    let value = elaborator.expr(default)?;
    if let Value::Number(_) = value {
        let text = default.span.of(elaborator.text);
        elaborator.program.assumptions.push(format!("{name} keeps its default {text}"));
    }
    Ok(Bound::Value(value))
}

/// Sizes that a session gives to the names of a shape are noted; they must agree.
fn sized(elaborator: &mut Elaborator, param: &Parameter, shape: &Shape, session: &Session, told: &mut Diagnostics) {
    let Some((seen, span)) = session.seen(&param.name) else { return };
    if seen.rank() != shape.rank() {
        let message = format!("{} is {} here and {} in the function", param.name, seen.as_tuple(), shape.as_tuple());
        told.push(Diagnostic::at(Kind::DimensionConflict, span, message).also(param.span, "declared here"));
        return;
    }
    for (dim, size) in shape.0.iter().zip(seen.0.iter().filter_map(Dim::as_size)) {
        let known = dim.eval(&elaborator.program.sizes);
        match (known, dim.as_name()) {
            (Some(known), _) if known != size => {
                let message = format!("{dim} is {known} before and {size} in {}", param.name);
                told.push(Diagnostic::at(Kind::DimensionConflict, span, message));
            }
            (None, Some(name)) => _ = elaborator.program.sizes.insert(name.clone(), size),
            _ => {}
        }
    }
}

/// Shapes and functions declared for names that are no parameters.
fn undeclared(function: &Function, request: &Request) -> Diagnostics {
    let names = || function.params.iter().map(|param| &*param.name);
    let declared = request.shapes.iter().map(|(name, _)| name);
    let missing = declared.chain(request.functions.iter().map(|(name, _, _)| name));
    missing
        .filter(|name| !names().any(|param| param == &***name))
        .map(|name| {
            let near = did_you_mean(name, names()).map(|near| format!("did you mean {near}?"));
            let message = format!("{} has no parameter {name}", function.name);
            Diagnostic { help: near, ..Diagnostic::new(Kind::UnknownName, message) }
        })
        .collect()
}

/// The input to differentiate by: one that wants a gradient, else the first.
fn suggest(elaborator: &mut Elaborator, session: &Session) {
    let inputs = elaborator.program.inputs.iter().copied();
    let named = inputs.filter_map(|id| Some((id, elaborator.program.name(id)?.clone())));
    let all: Vec<_> = named.collect();
    let wanted = all.iter().find(|(_, name)| session.wants_gradient(name));
    let suggested = match (wanted, all.first()) {
        (Some((id, name)), _) => Some((*id, format!("{name} has requires_grad=True"))),
        (None, Some((id, name))) => Some((*id, format!("{name} is the first parameter"))),
        (None, None) => None,
    };
    elaborator.program.suggested_wrt = suggested;
}
