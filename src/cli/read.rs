//! From the words of the command line to a program.

use super::Refusal;
use super::args::Source;
use crate::diagnostic::{Diagnostic, Kind};
use crate::graph::{Definition, Kind as NodeKind, NodeId, Program, Request, read, read_expression, resolve_wrt};
use crate::shape::Name;
use std::io::Read;
use std::path::Path;

/// A program as read, and where it comes from.
pub struct Opened {
    /// The program.
    pub program: Program,
    /// The file, as given; empty for an expression.
    pub origin: String,
}

/// Reads the program that the words name.
pub fn open(source: &Source) -> Result<Opened, Refusal> {
    // A backward pass goes through a loop turn by turn.
    let unroll = source.wrt.as_deref() == Some("all");
    let (of, assumptions) = (source.of.clone(), source.assume.clone());
    let mut request = Request { of, assumptions, unroll, ..Request::default() };
    let mut told = Vec::new();
    told.extend(source.shape.iter().filter_map(|flag| request.shape_flag(flag).err()));
    told.extend(source.function.iter().filter_map(|flag| request.function_flag(flag).err()));
    told.extend(source.set.iter().filter_map(|flag| request.setting_flag(flag).err()));
    if !told.is_empty() {
        return Err(Refusal::of(told));
    }
    let (text, origin) = match file_of(&source.program) {
        None => {
            let expression = source.program.as_str();
            let refuse = |told| Refusal { told, source: request.source(expression), origin: String::new() };
            let program = read_expression(expression, &request).map_err(refuse)?;
            return finished(program, String::new());
        }
        Some((path, name)) => {
            request.function = name;
            (text_of(&path)?, path)
        }
    };
    let program = read(&text, &request).map_err(|told| Refusal { told, source: text, origin: origin.clone() })?;
    finished(program, origin)
}

/// Reads a program that is at hand as text.
pub fn built_in(text: &str, origin: &str) -> Result<Opened, Refusal> {
    let refuse = |told| Refusal { told, source: text.to_string(), origin: origin.to_string() };
    finished(read(text, &Request::default()).map_err(refuse)?, origin.to_string())
}

/// The path and the function's name, where the words name a file.
fn file_of(words: &str) -> Option<(String, Option<String>)> {
    let is_file = |path: &str| path == "-" || path.ends_with(".py") || Path::new(path).is_file();
    if is_file(words) {
        return Some((words.to_string(), None));
    }
    if let Some((path, name)) = words.rsplit_once(':')
        && is_file(path)
    {
        return Some((path.to_string(), Some(name.to_string())));
    }
    // A path with folders in it and nothing that an expression would have.
    let looks = words.contains('/') && !words.contains([' ', '(', '@', '*', '+']) && words.contains('.');
    looks.then(|| (words.to_string(), None))
}

fn text_of(path: &str) -> Result<String, Refusal> {
    let mut bytes = Vec::new();
    let outcome = match path {
        "-" => std::io::stdin().lock().read_to_end(&mut bytes).map(|_| ()),
        _ => std::fs::read(path).map(|read| bytes = read),
    };
    let refuse = |message: String| Refusal::of(vec![Diagnostic::new(Kind::Syntax, message)]);
    outcome.map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => refuse(format!("there is no file {path}")),
        _ => refuse(format!("{path} cannot be read: {error}")),
    })?;
    String::from_utf8(bytes).map_err(|_| refuse(format!("{path} is no text: it is not UTF-8")))
}

/// Gives the result a name, so that the page can speak of it.
fn finished(mut program: Program, origin: String) -> Result<Opened, Refusal> {
    let output = program.output;
    if program.name(output).is_none() && matches!(program.node(output).kind, NodeKind::Apply(..) | NodeKind::Carried(_))
    {
        let taken = |name: &&str| program.named(name).is_some() || mentions_dimension(&program, name);
        let name = ["out", "y", "result", "value"].into_iter().find(|name| !taken(name)).unwrap_or("out_1");
        let span = program.node(output).span;
        let text = span.map_or("", |span| span.of(&program.source)).split_whitespace().collect::<Vec<_>>().join(" ");
        program.set_name(output, Name::from(name));
        program.definitions.push(Definition { name: Name::from(name), node: output, text });
    }
    Ok(Opened { program, origin })
}

fn mentions_dimension(program: &Program, name: &str) -> bool {
    program.graph().node_weights().any(|node| node.shape.0.iter().any(|dim| dim.names().any(|n| &**n == name)))
}

/// The variable asked for, or the one the program suggests; what is taken for
/// granted is noted in the program.
pub fn variable(program: &mut Program, wrt: Option<&str>) -> Result<NodeId, Diagnostic> {
    let Some(wrt) = wrt else {
        let (node, why) = match &program.suggested_wrt {
            Some((node, why)) => (*node, why.clone()),
            None => {
                let none = || Diagnostic::new(Kind::BadWrt, "the program has no input to differentiate by");
                (*program.inputs.first().ok_or_else(none)?, "the first input is the variable".into())
            }
        };
        program.assumptions.push(format!("{why}, so it is the variable (--wrt names another)"));
        return Ok(node);
    };
    let node = resolve_wrt(program, wrt)?;
    Ok(node)
}
