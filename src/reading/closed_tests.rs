//! Moves and cancellations, one by one: each keeps the value.

use super::reader::Reader;
use crate::array::Array;
use crate::evaluate::{evaluate, points};
use crate::form::{CANCELLATIONS, FormId, Forms, MOVES};
use crate::graph::{NodeId, Program, Request, read_expression};
use crate::reading::simplified;

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

#[test]
fn every_cancellation_fires_and_keeps_the_value() {
    let table: &[(&str, &[&str], &str)] = &[
        ("sum(y) * x", &["y one-hot"], "probabilities sum to one"),
        ("sum(softmax(x, 0)) * y", &[], "softmax sums to one"),
        ("y ** 2 * x", &["y labels -1/+1"], "labels square to one"),
        ("sign(x) * abs(x) ** 3", &["x nonzero"], "sign times size"),
        ("sign(x) / abs(x)", &["x nonzero"], "sign times size"),
        ("x * sign(x)", &[], "sign times size"),
        ("relu(x) ** 2 * where(x > 0, 1, 0)", &[], "relu absorbs its mask"),
        ("where(x > 0, x, 0) * where(x > 0, 0, y)", &[], "opposite masks"),
        ("exp(x) / sum(exp(x))", &[], "exp over its sum"),
        ("exp(A) / sum(exp(A), 1, keepdims=True)", &[], "exp over its sum"),
        ("exp(A) / sum(exp(A), 0)", &[], "exp over its sum"),
        ("exp(x) / (1 + exp(x))", &[], "exp over one plus exp"),
        ("y / (1 + exp(-x)) ** 2", &[], "exp over one plus exp"),
        ("y * exp(-x) / (1 + exp(-x))", &[], "exp over one plus exp"),
        ("inv(B) @ B @ x", &["B invertible"], "inverse cancels"),
        ("trace(B @ inv(B) @ S)", &["B invertible"], "inverse cancels"),
        ("inv(A.T @ A) @ A.T @ A @ x", &["A full column rank"], "inverse cancels"),
        ("inv(eye(n) + outer(x, y)) @ x", &[], "rank-one inverse"),
        ("y @ inv(eye(n) + outer(x, y)) @ B", &[], "rank-one inverse"),
        ("S.T @ S @ x", &["S orthogonal"], "orthogonal"),
        ("S @ (S.T @ x)", &["S orthogonal"], "orthogonal"),
        ("relu(x) + abs(x)", &["x positive"], "known sign"),
        ("inv(s * B @ S)", &["B invertible", "S invertible"], "inverse of a product"),
        ("inv(B.T)", &["B invertible"], "inverse of a product"),
        ("det(B @ S) * x", &[], "determinant of a product"),
        ("adj(B)", &["B invertible"], "adjugate"),
        ("det(eye(n) + s * outer(x, y)) * x", &[], "matrix determinant lemma"),
        ("log(exp(x)) * y", &[], "logarithm and exponential"),
        ("log(softmax(x, 0))", &[], "logarithm and exponential"),
        ("sigmoid(-x - y ** 2)", &[], "sigmoid of minus"),
    ];
    for (text, assume, name) in table {
        let mut program = program(text, assume);
        let node = program.output;
        let reading = simplified(&mut program, node);
        let fired = reading.steps.iter().any(|(step, _, _)| step == name);
        assert!(fired, "{text}: {:?}: {}", reading.steps, super::text(&program, reading.node));
        for attempt in 0..3 {
            let inputs = points::draw(&program, "cancellations", attempt).unwrap();
            let values = evaluate(&program, &[node, reading.node], &inputs).unwrap();
            let apart = apart(values.get(reading.node), values.get(node));
            assert!(apart < 1e-9, "{text}: {} is off by {apart}", super::text(&program, reading.node));
        }
    }
    for rule in CANCELLATIONS.iter().filter(|rule| !rule.respells) {
        assert!(table.iter().any(|(_, _, name)| *name == rule.name), "{} is not tried", rule.name);
    }
}

#[test]
fn a_normal_form_is_its_own() {
    for text in
        ["x @ B @ (x + y)", "softmax(x, 0) * (x - sum(x * y))", "inv(B @ B.T + eye(n)) @ x", "sqrt(1 + x ** 2) / s"]
    {
        let mut program = program(text, &[]);
        let node = program.output;
        let once = simplified(&mut program, node).node;
        let twice = simplified(&mut program, once).node;
        assert_eq!(super::text(&program, once), super::text(&program, twice));
    }
}
