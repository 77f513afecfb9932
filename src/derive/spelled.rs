//! Composites spelled out as their definitions say, to be derived from there.

use super::copy::{Changes, copied};
use crate::diagnostic::{Diagnostic, Kind as Mistake};
use crate::graph::{Kind, Program};
use crate::ops::OpRef;

/// The program with every use of `ops` spelled out; what they are is noted in it.
///
/// # Errors
/// None of the operations has a definition, or none occurs before the result.
pub fn spelled_out(program: &Program, ops: &[OpRef]) -> Result<Program, Diagnostic> {
    let names = || ops.iter().map(|op| op.name).collect::<Vec<_>>().join(", ");
    let refused = |message: String| Diagnostic::new(Mistake::UnknownFunction, message);
    let defined: Vec<OpRef> = ops.iter().copied().filter(|op| op.definition.is_some()).collect();
    if defined.is_empty() {
        return Err(refused(format!("{} is not made of simpler operations: it has its rule alone", names())));
    }
    let met = met(program);
    let defined: Vec<OpRef> = defined.into_iter().filter(|op| met.contains(op)).collect();
    if defined.is_empty() {
        return Err(refused(format!("{} does not occur in the program", names())));
    }
    let changes = Changes { spelled: &defined, ..Changes::default() };
    let copy = copied(program, program.output, &changes);
    let (mut copy, _) = copy.ok_or_else(|| refused(format!("{} cannot be spelled out here", names())))?;
    for op in defined {
        let params: Vec<&str> = op.params.iter().filter(|param| param.is_array()).map(|param| param.name).collect();
        let definition = op.definition.unwrap_or_default();
        copy.assumptions.push(format!("{}({}) is spelled out as {definition}", op.name, params.join(", ")));
    }
    Ok(copy)
}

/// The operations of a program and of its loops, each once.
fn met(program: &Program) -> Vec<OpRef> {
    let mut found: Vec<OpRef> = Vec::new();
    let mut open: Vec<&Program> = vec![program];
    while let Some(next) = open.pop() {
        for id in next.graph().node_indices() {
            match &next.node(id).kind {
                Kind::Apply(op, _) if !found.contains(op) => found.push(op),
                Kind::Repeat(repeat) => open.push(&repeat.body),
                _ => {}
            }
        }
    }
    found
}
