//! The variable of differentiation.

use super::program::{NodeId, Program};
use crate::diagnostic::{Diagnostic, Kind, did_you_mean};
use crate::ops;
use crate::source::is_name;

/// The node that `--wrt text` names: an input, or a named value on the way.
///
/// # Errors
/// A text that names neither, with the name it may have meant.
pub fn resolve_wrt(program: &Program, text: &str) -> Result<NodeId, Diagnostic> {
    let text = text.trim();
    let bad = |message: String| Diagnostic::new(Kind::BadWrt, message);
    if text.is_empty() {
        return Err(bad("there is no variable to differentiate by".into()).help("name an input, as in --wrt x"));
    }
    // An input assigned anew keeps its name: x is the one that comes in.
    let named = program.input_named(text).or_else(|| program.named(text));
    if let Some(node) = named.filter(|node| program.number_of(*node).is_none()) {
        return Ok(node);
    }
    if program.named(text).is_some() {
        return Err(bad(format!("{text} is a number: it does not vary")));
    }
    let inputs = program.inputs.iter().filter_map(|id| program.name(*id)).map(|name| &**name);
    let names: Vec<&str> = inputs.chain(program.definitions.iter().map(|d| &*d.name)).collect();
    if !is_name(text) {
        let message = format!("\"{text}\" is an expression: the variable of differentiation is a name");
        return Err(bad(message).help(format!("one of {}", names.join(", "))));
    }
    if ops::by_name(text).is_some() || !ops::spelled(text, None).is_empty() {
        return Err(bad(format!("{text} is a function, not an input")));
    }
    if program.graph().node_weights().any(|node| node.shape.0.iter().any(|d| d.names().any(|n| &**n == text))) {
        return Err(bad(format!("{text} is a dimension, not an input")));
    }
    let told = bad(format!("{text} is neither an input nor a named value"));
    Err(match did_you_mean(text, names.iter().copied()) {
        Some(near) => told.help(format!("did you mean {near}?")),
        None => told.help(format!("one of {}", names.join(", "))),
    })
}

/// The order of derivative asked for.
///
/// # Errors
/// An order other than 1 and 2.
pub fn resolve_order(order: i64) -> Result<usize, Diagnostic> {
    match order {
        1 => Ok(1),
        2 => Ok(2),
        _ => Err(Diagnostic::new(Kind::BadOrder, format!("the order of a derivative is 1 or 2, not {order}"))),
    }
}
