//! Second derivatives: the gradient as a program of its own.

use super::{derivative, text};
use crate::diagnostic::{Diagnostic, Kind as Mistake};
use crate::graph::{Definition, NodeId, Program};
use crate::shape::Name;

/// The program whose result is the gradient of the scalar `out` by `wrt`, in
/// closed form, to be differentiated again: its derivative is the Hessian.
///
/// Properties and settings of the variable hold at the point only, so they are
/// left out of the gradient and hold again for what is derived from it.
///
/// # Errors
/// A result that is no scalar; a gradient without a matrix expression.
pub fn gradient_program(program: &Program, out: NodeId, wrt: NodeId) -> Result<Program, Diagnostic> {
    if program.shape(out).rank() > 0 {
        let message = format!("the second derivative of a value of shape {} has no matrix", program.shape(out));
        return Err(Diagnostic::new(Mistake::BadOrder, message).help("make it a scalar, or take --order 1"));
    }
    let mut first = program.clone();
    first.properties.retain(|(node, _)| *node != wrt);
    first.settings.clear();
    let refused = |message: String| Diagnostic::new(Mistake::TooLarge, message);
    let reading = derivative(&mut first, out, wrt, 1).map_err(|refusal| refused(refusal.to_string()))?;
    if !reading.matrix {
        return Err(refused("the gradient has no matrix expression to differentiate again".into()));
    }
    first.properties.clone_from(&program.properties);
    first.settings.clone_from(&program.settings);
    first.output = reading.node;
    if first.name(reading.node).is_none() {
        let name = free(&first);
        let written = text(&first, reading.node);
        first.set_name(reading.node, name.clone());
        first.definitions.push(Definition { name, node: reading.node, text: written });
    }
    Ok(first)
}

/// g, or the next letter that the program does not use.
fn free(program: &Program) -> Name {
    let used = |name: &Name| program.graph().node_indices().any(|id| program.name(id) == Some(name));
    let wishes = ["g", "grad", "gradient"].into_iter().map(Name::from);
    wishes.chain((1..).map(|i| Name::from(format!("g_{i}")))).find(|name| !used(name)).unwrap_or_default()
}
