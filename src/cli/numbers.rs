//! Numbers for the inputs: from a file, the others drawn.

use super::args::Eval;
use crate::array::Array;
use crate::diagnostic::{Diagnostic, Kind};
use crate::evaluate::{Inputs, Nested, check_inputs, points};
use crate::graph::Program;
use crate::shape::{Name, Sizes};
use crate::task::Refusal;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// Where the program is evaluated.
pub fn at(program: &Program, args: &Eval) -> Result<Inputs, Refusal> {
    let refuse = |told: Diagnostic| Refusal::of(vec![told]);
    let mut sizes = program.sizes.clone();
    for flag in &args.dim {
        let (name, size) = dimension(flag).map_err(refuse)?;
        if !known(program, &name) {
            let message = format!("the program has no dimension {name}");
            let help = format!("its dimensions are {}", dimensions(program).join(", "));
            return Err(refuse(Diagnostic::new(Kind::UnknownName, message).help(help)));
        }
        sizes.insert(name, size);
    }
    let mut given = match &args.input {
        None => BTreeMap::new(),
        Some(path) => numbers(path)?,
    };
    infer(program, &given, &mut sizes);
    let drawn = points::draw_at(program, &sizes, &format!("eval {}", args.seed), 0).map_err(refuse)?;
    for input in &program.inputs {
        if let (Some(name), Some(value)) = (program.name(*input), drawn.get(*input)) {
            given.entry(name.clone()).or_insert_with(|| nested(value));
        }
    }
    let mut inputs = check_inputs(program, &given, &drawn.sizes).map_err(Refusal::of)?;
    points::apply_settings(program, &mut inputs);
    Ok(inputs)
}

fn dimension(flag: &str) -> Result<(Name, usize), Diagnostic> {
    let parts = flag.split_once('=').and_then(|(name, size)| Some((name.trim(), size.trim().parse().ok()?)));
    match parts {
        Some((name, size)) if size > 0 => Ok((Name::from(name), size)),
        _ => Err(Diagnostic::new(Kind::BadDeclaration, format!("{flag} gives no size")).help("write it as batch=2")),
    }
}

fn dimensions(program: &Program) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for name in program.inputs.iter().flat_map(|id| program.shape(*id).0.iter().flat_map(|dim| dim.names())) {
        if !names.contains(&name.to_string()) {
            names.push(name.to_string());
        }
    }
    names
}

fn known(program: &Program, name: &str) -> bool {
    program.graph().node_weights().any(|node| node.shape.0.iter().any(|dim| dim.names().any(|n| &**n == name)))
}

/// Sizes that follow from the numbers given, so that the others are drawn to fit.
/// What does not fit is told by the check of all inputs.
fn infer(program: &Program, given: &BTreeMap<Name, Nested>, sizes: &mut Sizes) {
    for (name, nested) in given {
        let (Some(input), Ok(array)) = (program.input_named(name), nested.to_array(name)) else { continue };
        for (dim, size) in program.shape(input).0.iter().zip(array.sizes()) {
            if let Some(name) = dim.as_name() {
                sizes.entry(name.clone()).or_insert(*size);
            }
        }
    }
}

fn numbers(path: &Path) -> Result<BTreeMap<Name, Nested>, Refusal> {
    let refuse = |message: String| Refusal::of(vec![Diagnostic::new(Kind::BadDeclaration, message)]);
    let text =
        std::fs::read_to_string(path).map_err(|error| refuse(format!("{} cannot be read: {error}", path.display())))?;
    let value: Value =
        serde_json::from_str(&text).map_err(|error| refuse(format!("{} is no JSON: {error}", path.display())))?;
    let Value::Object(entries) = value else {
        let message = format!("{} holds no object: numbers are given as {{\"x\": [[1, 2], [3, 4]]}}", path.display());
        return Err(refuse(message));
    };
    let number = |(name, value): (String, Value)| {
        let nested = of_json(&value).ok_or_else(|| refuse(format!("{name} holds something that is no number")))?;
        Ok((Name::from(name), nested))
    };
    entries.into_iter().map(number).collect()
}

/// Depth is bounded by the JSON parser.
fn of_json(value: &Value) -> Option<Nested> {
    match value {
        Value::Number(number) => number.as_f64().map(Nested::Number),
        Value::Array(items) => items.iter().map(of_json).collect::<Option<_>>().map(Nested::List),
        _ => None,
    }
}

/// An array as nested lists; depth is its rank.
fn nested(array: &Array) -> Nested {
    match array.sizes().first() {
        None => Nested::Number(array.data().first().copied().unwrap_or(f64::NAN)),
        Some(len) => Nested::List((0..*len).filter_map(|i| array.index(i)).map(|part| nested(&part)).collect()),
    }
}
