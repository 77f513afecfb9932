//! Moves and cancellations, one by one: each keeps the value.

use super::reader::Reader;
use crate::array::Array;
use crate::evaluate::{evaluate, points};
use crate::form::{CANCELLATIONS, Cost, FormId, Forms, MOVES, Refusal, Search};
use crate::graph::{Program, Request, read_expression};
use crate::reading::simplified;

pub(super) fn program(text: &str, assume: &[&str]) -> Program {
    let mut request = Request { strict: true, ..Request::default() };
    request.assumptions = assume.iter().map(|a| (*a).to_string()).collect();
    let shapes =
        [("s", ""), ("x", "n"), ("y", "n"), ("u", "m"), ("A", "m n"), ("B", "n n"), ("S", "n n"), ("C", "m k")];
    shapes.iter().for_each(|(name, shape)| request.declare(name, shape).unwrap());
    read_expression(text, &request).unwrap_or_else(|told| panic!("{text}: {told:?}"))
}

pub(super) fn apart(a: &Array, b: &Array) -> f64 {
    match a.zip(b, |a, b| a - b) {
        Some(difference) if a.sizes() == b.sizes() => difference.max_abs() / (1.0 + b.max_abs()),
        _ => f64::INFINITY,
    }
}

/// Programs that moves shorten: text, variable, order.
pub(super) const SHORTENED: &[(&str, &str, usize)] = &[
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
    ("sum(x / (2 + x ** 2))", "x", 1),
    ("x / sqrt(1 + x @ x)", "x", 1),
    ("arctan(y / (2 + x ** 2))", "x", 1),
    ("sum(maximum(x, y) * y - 2 * minimum(x, y))", "x", 1),
    ("(trace(log_softmax(B, 0)) + trace(log_softmax(B, 1))) / 2", "B", 1),
    ("sum(relu(x) * y - relu(-x) * y)", "x", 1),
    ("relu(A @ x) + relu(-(A @ x))", "x", 1),
    ("s ** 2 * inv(B) + s * (inv(B) @ S @ inv(B))", "s", 1),
];

/// The derivative of a program as a form.
pub(super) fn start(program: &mut Program, forms: &mut Forms, wrt: &str, order: usize) -> Result<FormId, Refusal> {
    let (out, wrt) = (program.output, program.named(wrt).unwrap());
    match order {
        1 => forms.derivative(program, out, wrt),
        _ => forms.second(program, out, wrt),
    }
}

/// For each cancellation programs in which it fires.
pub(super) const FIRING: &[(&str, &[&str], &str)] = &[
    ("sum(y) * x", &["y one-hot"], "probabilities sum to one"),
    ("sum(softmax(x, 0)) * y", &[], "softmax sums to one"),
    ("sum(one_hot(arange(n), n), 1) * x", &[], "a one-hot row sums to one"),
    ("x * y / (y @ softmax(x, 0))", &["y one-hot"], "one-hot picks"),
    ("y * (y @ exp(x)) ** 0.5 * s", &["y one-hot"], "one-hot picks"),
    ("S / sum(S * exp(B), 1)[:, None]", &["S one-hot"], "one-hot picks"),
    ("y ** 2 * x", &["y labels -1/+1"], "labels square to one"),
    ("sign(x) ** 2 * y", &["x nonzero"], "sign squared"),
    ("sign(x) * abs(x) ** 3", &["x nonzero"], "sign times size"),
    ("sign(x) / abs(x)", &["x nonzero"], "sign times size"),
    ("x * sign(x)", &[], "sign times size"),
    ("relu(x) ** 2 * where(x > 0, 1, 0)", &[], "relu absorbs its mask"),
    ("where(x > 0, x, 0) * where(x > 0, 0, y)", &[], "opposite masks"),
    ("maximum(x, 0) ** 2 * heaviside(x, 0.5)", &[], "extreme absorbs its step"),
    ("minimum(0, x - y) * heaviside(y - x, 0.5)", &[], "extreme absorbs its step"),
    ("exp(x) / sum(exp(x))", &[], "exp over its sum"),
    ("exp(A) / sum(exp(A), 1, keepdims=True)", &[], "exp over its sum"),
    ("exp(A) / sum(exp(A), 0)", &[], "exp over its sum"),
    ("outer(exp(x), exp(x)) / sum(exp(x)) ** 2", &[], "exp over its sum"),
    ("exp(A) ** 2 / sum(exp(A), 0) ** 3", &[], "exp over its sum"),
    ("x * x ** (y - 1)", &["x positive"], "powers of one base"),
    ("(1 + x ** 2) ** (2 + y) / (1 + x ** 2) ** 3", &[], "powers of one base"),
    ("exp(x) / (1 + exp(x))", &[], "exp over one plus exp"),
    ("y / (1 + exp(-x)) ** 2", &[], "exp over one plus exp"),
    ("y * exp(-x) / (1 + exp(-x))", &[], "exp over one plus exp"),
    ("exp(x) / (exp(x) + exp(y))", &[], "exp over one plus exp"),
    ("y * sin(x) ** 2 / cos(x)", &[], "sine over cosine"),
    ("sinh(x) / cosh(x) ** 3", &[], "sine over cosine"),
    ("adj(B) / det(B)", &[], "adjugate over determinant"),
    ("adj(B @ S) @ x / det(B @ S) ** 2", &[], "adjugate over determinant"),
    ("inv(S) @ x + S @ y", &["S orthogonal"], "inverse of an orthogonal matrix"),
    ("S @ concatenate([x[1:], zeros(1)])", &[], "zeros around"),
    ("concatenate([zeros(1), y[:-1]]) @ S", &[], "zeros around"),
    ("var(x) * ((x - mean(x)) @ x)", &[], "deviations from the mean"),
    ("var(x) + sum((x - mean(x)) ** 2) * y", &[], "deviations from the mean"),
    ("inv(B) @ B @ x", &["B invertible"], "inverse cancels"),
    ("trace(B @ inv(B) @ S)", &["B invertible"], "inverse cancels"),
    ("inv(A.T @ A) @ A.T @ A @ x", &["A full column rank"], "inverse cancels"),
    ("inv(eye(n) + outer(x, y)) @ x", &[], "rank-one inverse"),
    ("y @ inv(eye(n) + outer(x, y)) @ B", &[], "rank-one inverse"),
    ("B * eye(n) + S", &["B diagonal"], "diagonal matrix"),
    ("diag(B @ S)", &["B diagonal"], "sum of one term"),
    ("diag(diag(B)) * s", &["B diagonal"], "diagonal matrix"),
    ("B @ S + S @ B", &["B diagonal", "S diagonal"], "diagonal matrices"),
    ("x @ B @ S @ B @ y", &["B diagonal", "S diagonal"], "diagonal matrices"),
    ("S.T @ S @ x", &["S orthogonal"], "orthogonal"),
    ("S @ (S.T @ x)", &["S orthogonal"], "orthogonal"),
    ("sum(S ** 2, 0) / x", &["S orthogonal"], "orthogonal"),
    ("sum(S ** 2) * x", &["S orthogonal"], "orthogonal"),
    ("relu(x) + abs(x)", &["x positive"], "known sign"),
    ("inv(s * B @ S)", &["B invertible", "S invertible"], "inverse of a product"),
    ("inv(B.T)", &["B invertible"], "inverse of a product"),
    ("det(B @ S) / det(B) * x", &["B invertible"], "determinant of a product"),
    ("adj(B)", &["B invertible"], "adjugate"),
    ("det(eye(n) + s * outer(x, y)) * x", &[], "matrix determinant lemma"),
    ("softmax(x - max(x), 0) * y", &[], "softmax of a shift"),
    ("log_softmax(A - sum(A, 1, keepdims=True), 1)", &[], "softmax of a shift"),
    ("inv(S @ diag(x) @ S.T) @ y", &["S orthogonal", "x positive"], "inverse of a product"),
    ("inv(outer(x, y) * B)", &["B invertible", "x positive", "y nonzero"], "inverse of a product"),
    ("reshape(s * tanh(reshape(A, m * n)), m, n)", &[], "reshaped back"),
    ("reshape(reshape(A, m * n) / (1 + reshape(A, m * n) ** 2), m, n)", &[], "reshaped back"),
    ("log(exp(x)) * y", &[], "logarithm and exponential"),
    ("log(softmax(x, 0))", &[], "logarithm and exponential"),
    ("sigmoid(-x - y ** 2)", &[], "sigmoid of minus"),
];

/// Programs in which what merely respells does so.
pub(super) const RESPELLING: &[&str] = &[
    "heaviside(2 * x, 0.5) * y",
    "heaviside(3 * x - 3 * y, 0.5)",
    "sin(-x) * y",
    "x * cos(y - x)",
    "where(x > y, 0, y)",
    "concatenate([zeros(2), x])",
];

#[test]
fn every_cancellation_fires_and_keeps_the_value() {
    for (text, assume, name) in FIRING {
        let mut program = program(text, assume);
        let node = program.output;
        let reading = simplified(&mut program, node);
        let fired = reading.steps.iter().any(|(step, _, _)| step.starts_with(name));
        assert!(fired, "{text}: {:?}: {}", reading.steps, super::text(&program, reading.node));
        for attempt in 0..3 {
            let inputs = points::draw(&program, "cancellations", attempt).unwrap();
            let values = evaluate(&program, &[node, reading.node], &inputs).unwrap();
            let apart = apart(values.get(reading.node), values.get(node));
            assert!(apart < 1e-9, "{text}: {} is off by {apart}", super::text(&program, reading.node));
        }
    }
    for rule in CANCELLATIONS.iter().filter(|rule| !rule.respells) {
        assert!(FIRING.iter().any(|(_, _, name)| *name == rule.name), "{} is not tried", rule.name);
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

#[test]
fn a_search_lowers_the_size_within_its_budget() {
    for (text, wrt, order) in SHORTENED {
        let mut program = program(text, &[]);
        let mut forms = Forms::new();
        let start = start(&mut program, &mut forms, wrt, *order);
        let mut reader = Reader::new();
        let mut search = Search::new(&mut reader);
        let found = search.shortest(&mut forms, start.unwrap()).unwrap();
        let (shown, tried) = (search.shown.clone(), search.tried());
        assert!(tried <= 200, "{text}: {tried}");
        // Moves between may lengthen; where any is made the whole is shorter.
        if let (Some(first), Some(last)) = (shown.first(), shown.last()) {
            let (before, after) = (reader.cost(&mut forms, first.before), reader.cost(&mut forms, last.after));
            assert!(after < before && last.after == found, "{text}: from {before:?} to {after:?}");
        }
    }
    for by in MOVES {
        assert!(by.sentence.ends_with('.') && !by.name.is_empty());
    }
}
