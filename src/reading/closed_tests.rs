//! Moves and cancellations, one by one: each keeps the value.

use super::reader::Reader;
use crate::array::Array;
use crate::evaluate::{evaluate, points};
use crate::form::{FormId, Forms, MOVES};
use crate::graph::{NodeId, Program, Request, read_expression};

fn program(text: &str, assume: &[&str]) -> Program {
    let mut request = Request { strict: true, ..Request::default() };
    request.assumptions = assume.iter().map(|a| (*a).to_string()).collect();
    let shapes =
        [("s", ""), ("x", "n"), ("y", "n"), ("u", "m"), ("A", "m n"), ("B", "n n"), ("S", "n n"), ("C", "m k")];
    shapes.iter().for_each(|(name, shape)| request.declare(name, shape).unwrap());
    read_expression(text, &request).unwrap_or_else(|told| panic!("{text}: {told:?}"))
}

/// The value of a form at a point of the program, where matrix notation has it.
fn value(program: &mut Program, forms: &mut Forms, form: FormId, attempt: usize) -> Option<Array> {
    let mut reader = Reader::new();
    let tree = reader.form(forms, form, true)?;
    let node: NodeId = reader.trees.to_node(program, tree)?;
    let inputs = points::draw(program, "moves", attempt).unwrap();
    Some(evaluate(program, &[node], &inputs).unwrap().get(node).clone())
}

fn apart(a: &Array, b: &Array) -> f64 {
    match a.zip(b, |a, b| a - b) {
        Some(difference) if a.sizes() == b.sizes() => difference.max_abs() / (1.0 + b.max_abs()),
        _ => f64::INFINITY,
    }
}

#[test]
fn every_move_keeps_the_value() {
    let table = [
        ("B @ x + B.T @ x", "x", 1),
        ("x @ B @ x", "x", 1),
        ("var(sigmoid(x))", "x", 2),
        ("var(y / (2 + x ** 2))", "x", 2),
        ("(x @ x) / (1 + x @ y) ** 2", "x", 2),
        ("x / (1 + norm(x))", "x", 1),
        ("tanh(x) * (x + tanh(x))", "x", 1),
        ("logdet(B @ B.T + eye(n))", "x", 1),
        ("softmax(x, 0) @ y * (x @ y)", "x", 2),
        ("inv(eye(n) + s * B @ B.T) @ x @ y", "s", 2),
        ("layer_norm(x + tanh(B @ x))", "x", 1),
        ("sum((A @ x) ** 3) * sum(x)", "x", 2),
        ("x @ (s * B + B.T) @ x + s * sum(x)", "x", 1),
    ];
    for (text, wrt, order) in table {
        let mut program = program(text, &[]);
        let (out, wrt) = (program.output, program.named(wrt).unwrap());
        let mut forms = Forms::new();
        let start = match order {
            1 => forms.derivative(&mut program, out, wrt),
            _ => forms.second(&mut program, out, wrt),
        };
        let start = start.unwrap();
        let wanted = value(&mut program, &mut forms, start, 0).unwrap();
        let (mut open, mut seen) = (vec![start], vec![start]);
        while let Some(form) = open.pop() {
            for by in MOVES {
                for after in (by.apply)(&mut forms, form).unwrap() {
                    if seen.contains(&after) || seen.len() > 60 {
                        continue;
                    }
                    seen.push(after);
                    open.push(after);
                    let Some(found) = value(&mut program, &mut forms, after, 0) else { continue };
                    let show = |program: &mut Program, forms: &mut Forms, form| {
                        let mut reader = Reader::new();
                        let tree = reader.form(forms, form, true).and_then(|t| reader.trees.to_node(program, t));
                        tree.map_or_else(String::new, |node| super::text(program, node))
                    };
                    let (before, after) = (show(&mut program, &mut forms, form), show(&mut program, &mut forms, after));
                    assert!(apart(&found, &wanted) < 1e-9, "{text}: {}:\n{before}\n{after}", by.name);
                }
            }
        }
    }
}
