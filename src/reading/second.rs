//! Second derivatives: the gradient as a program of its own.

use super::{derivative, text};
use crate::diagnostic::{Diagnostic, Kind as Mistake};
use crate::graph::{Definition, NodeId, Program, Property};
use crate::shape::Name;

/// The program whose result is the first derivative of `out` by `wrt` in closed form,
/// to be differentiated again: the gradient of a scalar, whose derivative is the
/// Hessian, or the derivative of anything by a scalar.
///
/// Properties and settings hold at the point only. Those of what depends on the
/// variable are left out of the first derivative, unless they hold around it too,
/// and hold again for what is derived from it.
///
/// # Errors
/// No scalar at either end; a first derivative without a matrix expression.
pub fn gradient_program(program: &Program, out: NodeId, wrt: NodeId) -> Result<Program, Diagnostic> {
    if program.shape(out).rank() > 0 && program.shape(wrt).rank() > 0 {
        let (of, by) = (program.shape(out), program.shape(wrt));
        let message = format!("the second derivative of a value of shape {of} by one of shape {by} has no matrix");
        return Err(Diagnostic::new(Mistake::BadOrder, message).help("make one of them a scalar, or take --order 1"));
    }
    let mut first = program.clone();
    let depends = dependent(program, wrt);
    first.properties = program
        .properties
        .iter()
        .filter_map(|(node, property)| {
            let kept = if depends[node.index()] { around(property) } else { Some(property.clone()) };
            kept.map(|property| (*node, property))
        })
        .collect();
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

/// What of a property of a value holds around the point as well.
fn around(property: &Property) -> Option<Property> {
    match property {
        Property::Positive
        | Property::Nonzero
        | Property::Invertible
        | Property::FullColumnRank
        | Property::FullRowRank => Some(property.clone()),
        // Close to a definite matrix all have an inverse, but not all are symmetric.
        Property::PositiveDefinite | Property::Orthogonal => Some(Property::Invertible),
        Property::Symmetric
        | Property::Diagonal
        | Property::OneHot
        | Property::Probability
        | Property::SignLabels
        | Property::Binary => None,
    }
}

/// For each node: does it depend on `wrt`?
fn dependent(program: &Program, wrt: NodeId) -> Vec<bool> {
    let mut depends = vec![false; program.graph().node_count()];
    for id in program.graph().node_indices() {
        depends[id.index()] = id == wrt || program.node(id).args.iter().any(|arg| depends[arg.index()]);
    }
    depends
}

/// g, or the next letter that the program does not use.
fn free(program: &Program) -> Name {
    let used = |name: &Name| program.graph().node_indices().any(|id| program.name(id) == Some(name));
    let wishes = ["g", "grad", "gradient"].into_iter().map(Name::from);
    wishes.chain((1..).map(|i| Name::from(format!("g_{i}")))).find(|name| !used(name)).unwrap_or_default()
}
