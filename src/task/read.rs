//! From words to a program.

use super::Refusal;
use super::options::Question;
use crate::diagnostic::{Diagnostic, Kind};
use crate::graph::{Definition, Kind as NodeKind, NodeId, Program, Request, read, read_expression, resolve_wrt};
use crate::shape::Name;

/// A program as read, and where it comes from.
pub struct Opened {
    /// The program.
    pub program: Program,
    /// The file, as given; empty for an expression.
    pub origin: String,
}

/// Reads a program that is a whole text: `name` is one of its functions, the last
/// one where none is named.
///
/// # Errors
/// What cannot be read, with its place.
pub fn read_file(text: &str, origin: &str, name: Option<String>, question: &Question) -> Result<Opened, Refusal> {
    let request = Request { function: name, ..request(question)? };
    let program = read(text, &request).map_err(|told| Refusal::within(told, text, origin))?;
    Ok(finished(program, origin))
}

/// Reads a program that is one expression.
///
/// # Errors
/// What cannot be read, with its place.
pub fn read_line(expression: &str, question: &Question) -> Result<Opened, Refusal> {
    let request = request(question)?;
    let refuse = |told| Refusal::within(told, &request.source(expression), "");
    Ok(finished(read_expression(expression, &request).map_err(refuse)?, ""))
}

/// What is said beside the program.
fn request(question: &Question) -> Result<Request, Refusal> {
    let (of, assumptions) = (question.of.clone(), question.assume.clone());
    let mut request = Request { of, assumptions, ..Request::default() };
    let mut told = Vec::new();
    told.extend(question.shape.iter().filter_map(|flag| request.shape_flag(flag).err()));
    told.extend(question.function.iter().filter_map(|flag| request.function_flag(flag).err()));
    told.extend(question.set.iter().filter_map(|flag| request.setting_flag(flag).err()));
    if told.is_empty() { Ok(request) } else { Err(Refusal::of(told)) }
}

/// Gives the result a name, so that the page can speak of it.
fn finished(mut program: Program, origin: &str) -> Opened {
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
    Opened { program, origin: origin.to_string() }
}

fn mentions_dimension(program: &Program, name: &str) -> bool {
    program.graph().node_weights().any(|node| node.shape.0.iter().any(|dim| dim.names().any(|n| &**n == name)))
}

/// The variable asked for, or the one the program suggests; what is taken for
/// granted is noted in the program.
///
/// # Errors
/// A name that is no variable, a program without inputs.
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
    resolve_wrt(program, wrt)
}
