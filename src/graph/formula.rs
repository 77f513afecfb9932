//! A node in the input language, down to the names it uses.

use super::program::{Kind, NodeId, Program};
use crate::ops::Notation;

/// How deep a formula without names is written out.
const DEEPEST: usize = 40;

/// The right-hand side that defines `node`; named values in it stand by name.
pub(super) fn formula(program: &Program, node: NodeId) -> String {
    write(program, node, DEEPEST, false).0
}

/// The text, and how strongly it binds: 0 a sum, 1 a product, 2 a power, 3 closed.
fn write(program: &Program, node: NodeId, depth: usize, by_name: bool) -> (String, u8) {
    if let Some(name) = program.name(node).filter(|_| by_name) {
        return (name.to_string(), 3);
    }
    if depth == 0 {
        return ("…".into(), 3);
    }
    let args = &program.node(node).args;
    let inner = |at: usize, least: u8| {
        let (text, strength) = write(program, args[at], depth - 1, true);
        if strength < least { format!("({text})") } else { text }
    };
    match &program.node(node).kind {
        Kind::Input(name) => (name.to_string(), 3),
        Kind::Number(number) => (super::arguments::decimal(*number), if number.is_negative() { 0 } else { 3 }),
        Kind::Apply(op, attrs) if attrs.0.is_empty() => match (op.notation, args.len()) {
            (Notation::Infix("+"), 2) => (format!("{} + {}", inner(0, 0), inner(1, 1)), 0),
            (Notation::Infix(_), 2) => (format!("{} - {}", inner(0, 0), inner(1, 1)), 0),
            (Notation::Hadamard, 2) => (format!("{} * {}", inner(0, 1), inner(1, 2)), 1),
            (Notation::Product, 2) => (format!("{} @ {}", inner(0, 1), inner(1, 2)), 1),
            (Notation::Fraction, 2) => (format!("{} / {}", inner(0, 1), inner(1, 2)), 1),
            (Notation::Power, 2) => (format!("{} ** {}", inner(0, 3), inner(1, 3)), 2),
            (Notation::Negative, 1) => (format!("-{}", inner(0, 2)), 1),
            (Notation::Transpose, 1) => (format!("{}.T", inner(0, 3)), 3),
            _ => (call(op.name, (0..args.len()).map(|at| inner(at, 0))), 3),
        },
        Kind::Apply(op, _) => (call(op.name, (0..args.len()).map(|at| inner(at, 0))), 3),
        _ => ("…".into(), 3),
    }
}

fn call(name: &str, args: impl Iterator<Item = String>) -> String {
    format!("{name}({})", args.collect::<Vec<_>>().join(", "))
}
