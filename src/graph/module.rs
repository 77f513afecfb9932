//! Whole files: which function, what its parameters are, what it gives.

use super::assume::assume;
use super::dialect::Dialect;
use super::elaborate::{Elaborator, Mode};
use super::expression::{finish, name_value, one_line, result};
use super::functions::Functions;
use super::letters::all_names;
use super::parameters::parameters;
use super::program::Program;
use super::request::Request;
use super::sessions::Session;
use super::statements::assigned;
use super::value::{Operand, Value};
use crate::diagnostic::{Diagnostic, Diagnostics, Kind, Span, did_you_mean};
use crate::shape::Name;
use crate::source::ast::{Expr, ExprKind, Function, Module, Stmt, StmtKind};
use std::collections::HashSet;
use std::sync::Arc;

/// Reads a file of Python: the function asked for, else the last one that
/// returns something, else the file as a script.
///
/// # Errors
/// Everything that is wrong with what is reached, as far as it can be told at once.
///
/// ```
/// use chainrule::graph::{Request, read};
/// let program = read("def f(x: \"n\", w: \"n m\"):\n    h = x @ w\n    return h * 2\n", &Request::default()).unwrap();
/// assert_eq!(program.shape(program.output).to_string(), "m");
/// ```
#[cfg(feature = "python")]
pub fn read(text: &str, request: &Request) -> Result<Program, Diagnostics> {
    read_module(&crate::source::parse(text)?, text, request)
}

/// [`read`] for a file parsed before; `text` is what it was parsed from.
///
/// # Errors
/// As [`read`].
pub fn read_module(module: &Module, text: &str, request: &Request) -> Result<Program, Diagnostics> {
    let mut program = Program::new();
    program.source = Arc::from(text);
    let mut elaborator = Elaborator::new(&mut program, text, Mode::Program);
    elaborator.dialect = Dialect::new(&module.imports);
    elaborator.functions = Functions::of(&module.functions);
    elaborator.opaque = request.functions.clone();
    elaborator.unroll = request.unroll;
    let chosen = choose(module, request).map_err(|told| vec![told])?;
    let session = Session::read(module, chosen.map(|at| &module.functions[at]));
    let body = match chosen {
        Some(at) => function_inputs(&mut elaborator, module, at, request, &session)?,
        None => script_inputs(&mut elaborator, module, request),
    };
    let mut told = Diagnostics::new();
    let returned = elaborator.block(body, &mut told);
    if told.is_empty() {
        match returned {
            Some((operand, expr)) => told.extend(output(&mut elaborator, operand, expr, request).err()),
            None => told.extend(last_value(&mut elaborator, body, chosen.map(|at| &module.functions[at])).err()),
        }
    }
    if told.is_empty() {
        told = assume(&mut elaborator, request);
    }
    if !told.is_empty() {
        return Err(helped(told, chosen.is_none()));
    }
    finish(&mut program, request).map_err(|told| vec![told])?;
    // Other shapes than those of the session give another result.
    if request.shapes.is_empty() && request.of.is_none() {
        session.compare(&program).map_err(|told| vec![told])?;
    }
    Ok(program)
}

/// The position of the function to read; `None` for a script.
fn choose(module: &Module, request: &Request) -> Result<Option<usize>, Diagnostic> {
    let functions = &module.functions;
    let hollow = |function: &Function| {
        let told = Diagnostic::at(Kind::UnsupportedStatement, function.span, "this function has no body yet");
        told.help("write the lines that compute its result")
    };
    if let Some(name) = &request.function {
        let Some(at) = functions.iter().rposition(|function| *function.name == **name) else {
            let near = did_you_mean(name, functions.iter().map(|function| &*function.name));
            let help = near.map(|near| format!("did you mean {near}?"));
            let message = format!("there is no function {name} in the file");
            return Err(Diagnostic { help, ..Diagnostic::new(Kind::UnknownFunction, message) });
        };
        return if functions[at].body.is_empty() { Err(hollow(&functions[at])) } else { Ok(Some(at)) };
    }
    let returns = |f: &Function| f.body.iter().any(gives);
    let is_test = |f: &Function| f.name.starts_with("test") || &*f.name == "main";
    let best = functions.iter().rposition(|f| returns(f) && !is_test(f));
    match (best.or_else(|| functions.iter().rposition(|f| !f.body.is_empty() && !is_test(f))), functions.last()) {
        (Some(at), _) => Ok(Some(at)),
        (None, Some(_)) => match functions.iter().rfind(|f| f.body.is_empty()) {
            Some(function) => Err(hollow(function)),
            None => Ok(Some(functions.len() - 1)),
        },
        (None, None)
            if !module.classes.is_empty() && module.body.iter().all(|s| matches!(s.kind, StmtKind::Ignored)) =>
        {
            let place = module.classes.first().copied().unwrap_or_default();
            let told = Diagnostic::at(Kind::UnsupportedStatement, place, "classes are not read");
            Err(told.help("write what forward computes as a function of its weights: def forward(x, w1, b1): …"))
        }
        (None, None) if module.body.iter().all(|stmt| matches!(stmt.kind, StmtKind::Ignored)) => {
            Err(Diagnostic::at(Kind::Syntax, Span::default(), "the file holds no function and no expression"))
        }
        (None, None) => Ok(None),
    }
}

/// Does the statement return something, in a branch at least?
fn gives(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Return(_) => true,
        StmtKind::If(branches) => branches.iter().any(|branch| branch.body.iter().any(gives)),
        _ => false,
    }
}

fn function_inputs<'a>(
    elaborator: &mut Elaborator<'a>,
    module: &'a Module,
    at: usize,
    request: &Request,
    session: &Session,
) -> Result<&'a [Stmt], Diagnostics> {
    let function = &module.functions[at];
    elaborator.program.title = function.name.to_string();
    read_globals(elaborator, module);
    elaborator.functions.active.push(at);
    parameters(elaborator, function, request, session)?;
    Ok(&function.body)
}

/// Reads the constants of the module that its functions use.
fn read_globals<'a>(elaborator: &mut Elaborator<'a>, module: &'a Module) {
    let mut used = Vec::new();
    for function in &module.functions {
        function.params.iter().filter_map(|param| param.default.as_ref()).for_each(|e| all_names(e, &mut used));
        function.body.iter().for_each(|stmt| stmt_names(stmt, &mut used));
    }
    let mut needed: HashSet<Name> = used.into_iter().collect();
    let mut reached = Vec::new();
    for stmt in module.body.iter().rev() {
        let mut names = Vec::new();
        assigned(stmt, &mut names);
        if names.iter().any(|name| needed.contains(name)) {
            let mut used = Vec::new();
            stmt_names(stmt, &mut used);
            needed.extend(used);
            reached.push((stmt, names));
        }
    }
    // Definitions are those of the function alone: two levels count as a call.
    elaborator.functions.active.extend([usize::MAX, usize::MAX]);
    for (stmt, names) in reached.into_iter().rev() {
        let error = elaborator.statement(stmt).err();
        for name in names {
            let value = match (&error, elaborator.scope.get(&name)) {
                (Some(told), _) => Err(told.clone()),
                (None, Some(value)) => Ok(value.clone()),
                (None, None) => continue,
            };
            elaborator.functions.globals.insert(name, value);
        }
    }
    elaborator.functions.active.clear();
    elaborator.scope.clear();
}

pub(super) fn stmt_names(stmt: &Stmt, names: &mut Vec<Name>) {
    match &stmt.kind {
        StmtKind::Assign(_, expr) | StmtKind::Augmented(_, _, expr) | StmtKind::Return(expr) => all_names(expr, names),
        StmtKind::For(_, _, iter, body) => {
            all_names(iter, names);
            body.iter().for_each(|stmt| stmt_names(stmt, names));
        }
        StmtKind::If(branches) => {
            for branch in branches {
                branch.test.iter().for_each(|test| all_names(test, names));
                branch.body.iter().for_each(|stmt| stmt_names(stmt, names));
            }
        }
        StmtKind::Def(function) => function.body.iter().for_each(|stmt| stmt_names(stmt, names)),
        StmtKind::Append(name, _, expr) => {
            names.push(name.clone());
            all_names(expr, names);
        }
        _ => {}
    }
}

/// Declares the inputs of a script: those with a shape, and those it makes itself.
fn script_inputs<'a>(elaborator: &mut Elaborator<'a>, module: &'a Module, request: &Request) -> &'a [Stmt] {
    for (at, (name, _, _)) in request.functions.iter().enumerate() {
        elaborator.scope.insert(name.clone(), Value::Opaque(at));
    }
    for (name, shape) in &request.shapes {
        let input = elaborator.program.input(name, shape.clone());
        elaborator.bind(name, Value::Node(input));
    }
    let session = Session::read_body(&module.body);
    let lines = module.body.iter().take_while(|stmt| session.makes_inputs(stmt));
    let mut count = 0;
    for stmt in lines {
        count += 1;
        let mut names = Vec::new();
        assigned(stmt, &mut names);
        for name in names {
            if let Some(shape) = session.shape(&name)
                && elaborator.program.input_named(&name).is_none()
            {
                let input = elaborator.program.input(&name, shape);
                elaborator.bind(&name, Value::Node(input));
            }
        }
    }
    super::expression::suggest(elaborator.program);
    // Expressions by themselves show values and set none; the last one is the result.
    let rest = &module.body[count..];
    let shown = rest.iter().take_while(|stmt| matches!(stmt.kind, StmtKind::Return(_) | StmtKind::Ignored)).count();
    if shown < rest.len() { &rest[shown..] } else { rest }
}

/// Enters what is returned as the output; a tuple's first part, with a note.
fn output(elaborator: &mut Elaborator, operand: Operand, expr: &Expr, request: &Request) -> Result<(), Diagnostic> {
    let mut value = operand.value;
    while let Value::Tuple(items) = value {
        if request.of.is_none() && items.len() > 1 {
            let note = format!("{} values are returned: the first is taken (--of chooses)", items.len());
            if !elaborator.program.assumptions.contains(&note) {
                elaborator.program.assumptions.push(note);
            }
        }
        let Some(first) = items.into_iter().next() else {
            return Err(Diagnostic::at(Kind::NotAValue, expr.span, "nothing is returned"));
        };
        value = first;
    }
    let first = match &expr.kind {
        ExprKind::Tuple(parts) => parts.first().unwrap_or(expr),
        _ => expr,
    };
    let node = result(elaborator, &Operand { value, span: first.span }, first)?;
    elaborator.program.output = node;
    let program = &mut *elaborator.program;
    if program.name(node).is_none() && program.named("out").is_none() && !program.title.is_empty() {
        let text = one_line(first.span.of(elaborator.text));
        name_value(program, &Name::from("out"), node, text);
    }
    Ok(())
}

/// Without a return, a script gives what it set last; a function nothing.
fn last_value(elaborator: &mut Elaborator, body: &[Stmt], function: Option<&Function>) -> Result<(), Diagnostic> {
    if let Some(function) = function {
        let message = format!("{} returns nothing", function.name);
        return Err(Diagnostic::at(Kind::UnsupportedStatement, function.span, message).help("add a return"));
    }
    let mut names = Vec::new();
    body.iter().for_each(|stmt| assigned(stmt, &mut names));
    let value = names.last().and_then(|name| elaborator.scope.get(name).cloned());
    let span = body.last().map_or(Span::default(), |stmt| stmt.span);
    match value {
        Some(value) => {
            elaborator.program.output = elaborator.node(&Operand { value, span })?;
            Ok(())
        }
        None => Err(Diagnostic::at(Kind::NotAValue, span, "the file computes nothing")),
    }
}

/// In a script an unknown name may be an input that has no shape yet.
fn helped(told: Diagnostics, script: bool) -> Diagnostics {
    let name = |told: &Diagnostic| told.message.strip_suffix(" is not defined").map(str::to_string);
    let add = |told: Diagnostic| match name(&told) {
        Some(name) if script && !told.help.as_ref().is_some_and(|help| help.starts_with("did you mean")) => {
            told.help(format!("--shape {name}=\"…\" makes it an input"))
        }
        _ => told,
    };
    told.into_iter().map(add).collect()
}
