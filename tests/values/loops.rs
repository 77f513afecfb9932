//! Loops of any length: one value or several, forwards and back.

use chainrule::derive::derive;
use chainrule::evaluate::{At, Inputs, evaluate, passed, points};
use chainrule::graph::{NodeId, Program, Request, read};
use chainrule::reading::{answers, backward, backward_pass};
use chainrule::shape::{Name, Sizes};
use chainrule::witness::{check, check_pass};

/// What a loop carries; parameters, a body. N turns each.
const LOOPS: &[(&str, &str, &str)] = &[
    (
        "one value",
        "h: 'd', x: 'N m', w: 'd d', u: 'm d'",
        "for t in range(N):\n    h = torch.tanh(h @ w + x[t] @ u)\nreturn h",
    ),
    (
        "a stack",
        "x: 'b d', w: 'N d f', v: 'N f d'",
        "for k in range(N):\n    x = x + F.relu(x @ w[k]) @ v[k]\nreturn x",
    ),
    (
        "a sum",
        "x: 'd', w: 'N d d'",
        "out = 0 * x\nfor k in range(N):\n    out = out + torch.tanh(x @ w[k])\nreturn out",
    ),
    (
        "momentum",
        "w: 'd', m: 'd', A: 'd d', b: 'N d', lr: '', beta: ''",
        "for k in range(N):\n    m = beta * m + A @ w - b[k]\n    w = w - lr * m\nreturn w",
    ),
    (
        "Adam",
        "w: 'd', A: 'd d', b: 'N d', lr: ''",
        "m = torch.zeros_like(w)\nv = torch.zeros_like(w)\nfor k in range(N):\n    g = A @ w - b[k]\n    m = 0.9 * m + 0.1 * g\n    v = 0.99 * v + 0.01 * g * g\n    w = w - lr * m / (torch.sqrt(v) + 0.1)\nreturn w",
    ),
    (
        "an LSTM",
        "x: 'N m', h: 'd', c: 'd', W: 'd m', U: 'd d', Wi: 'd m', Ui: 'd d'",
        "for t in range(N):\n    f = torch.sigmoid(Wi @ x[t] + Ui @ h)\n    g = torch.tanh(W @ x[t] + U @ h)\n    c = f * c + (1 - f) * g\n    h = f * torch.tanh(c)\nreturn h",
    ),
    (
        "a filter",
        "x: 'n', P: 'n n', G: 'n n', H: 'm n', R: 'm m', y: 'N m'",
        "for t in range(N):\n    x = G @ x\n    P = G @ P @ G.T\n    K = P @ H.T @ torch.linalg.inv(H @ P @ H.T + R)\n    x = x + K @ (y[t] - H @ x)\n    P = P - K @ H @ P\nreturn x",
    ),
    (
        "values that change places",
        "a: 'd', b: 'd', w: 'N d d'",
        "for k in range(N):\n    a, b = b, w[k] @ a + b\nreturn a",
    ),
    (
        "a loss on the way",
        "h: 'd', w: 'd d', y: 'N d'",
        "loss = 0.0\nfor t in range(N):\n    h = torch.tanh(h @ w)\n    loss = loss + torch.sum((h - y[t]) ** 2)\nreturn loss",
    ),
    (
        "what comes before and after",
        "h: 'd', w: 'd d', v: 'd d', x: 'N d'",
        "s = torch.exp(v @ h)\nc = v @ s\nfor t in range(N):\n    s, c = torch.tanh(w @ s) + c, c * s + x[t]\nreturn torch.sum((s * c - h) ** 2)",
    ),
    (
        "a loop within",
        "x: 'd', w: 'N d d', v: '2 d d'",
        "for k in range(N):\n    h = torch.tanh(w[k] @ x)\n    for j in range(2):\n        h = h + torch.tanh(v[j] @ h)\n    x = x + h\nreturn torch.sum(x * x)",
    ),
];

fn program(params: &str, body: &str, request: &Request) -> Program {
    let lines: String = body.split('\n').map(|line| format!("    {line}\n")).collect();
    let text = format!("import torch\nimport torch.nn.functional as F\ndef f({params}):\n{lines}");
    read(&text, request).unwrap_or_else(|told| panic!("{text}\n{told:?}"))
}

/// The loops with any number of turns.
fn open() -> impl Iterator<Item = (&'static str, Program)> {
    LOOPS.iter().map(|(name, params, body)| (*name, program(params, body, &Request::default())))
}

/// Every derivative through a loop, and the pass back by all inputs, agrees with
/// differences at N = 1, 2, 3.
#[test]
fn loops_of_any_length_agree_with_differences() {
    for (name, read) in open() {
        for wrt in read.inputs.clone() {
            let mut found = derive(&read, read.output, wrt).unwrap_or_else(|told| panic!("{name}: {told}"));
            let answers = answers(&mut found).unwrap();
            let of = read.name(wrt).unwrap();
            assert!(!answers.backward.is_empty(), "{name} by {of} has no way back");
            let checked = check(found, answers).unwrap_or_else(|told| panic!("{name} by {of}: {told}"));
            assert_eq!(checked.report().unwrap().turns, [1, 2, 3], "{name} by {of}");
        }
        let inputs = read.inputs.clone();
        let pass = backward_pass(read).unwrap();
        assert_eq!(pass.cotangents.iter().filter(|one| inputs.contains(&one.of)).count(), inputs.len(), "{name}");
        let checked = check_pass(pass).unwrap_or_else(|told| panic!("{name}: {told}"));
        assert_eq!(checked.report().unwrap().turns, [1, 2, 3], "{name}");
    }
}

/// The cotangents of all inputs, by name, for a cotangent drawn by the seed.
fn cotangents(program: &Program, inputs: &Inputs) -> Vec<(Name, Vec<f64>)> {
    let mut program = program.clone();
    let (out, wrt) = (program.output, program.inputs.clone());
    let pass = backward(&mut program, out, &wrt).unwrap();
    let values = evaluate(&program, &[out], inputs).unwrap();
    let given = points::direction(values.get(out).sizes(), "a cotangent", 1);
    let found = passed(&program, At { values: &values, inputs }, (out, &given), &pass).unwrap();
    let by = |wrt: &NodeId| found.iter().rev().find(|(of, _)| of == wrt).map(|(_, value)| value.data().to_vec());
    wrt.iter().map(|id| (program.name(*id).unwrap().clone(), by(id).unwrap_or_default())).collect()
}

/// Three turns as one node give what three turns written out give.
#[test]
fn the_way_back_is_that_of_the_turns_written_out() {
    for (name, params, body) in LOOPS {
        let open = program(params, body, &Request::default());
        let params = params.replace('N', "3");
        let body = body.replace("range(N)", "range(3)");
        let written = program(&params, &body, &Request { unroll: true, ..Request::default() });
        let sizes: Sizes = [("N", 3), ("d", 2), ("m", 3), ("n", 2), ("b", 2), ("f", 4)]
            .into_iter()
            .map(|(name, size)| (Name::from(name), size))
            .collect();
        let inputs = points::draw_at(&open, &sizes, name, 0).unwrap();
        let mut same = Inputs::new(sizes);
        for id in &written.inputs {
            let value = open.input_named(written.name(*id).unwrap()).and_then(|id| inputs.get(id)).unwrap();
            same.set(*id, value.clone());
        }
        let (one, other) = (cotangents(&open, &inputs), cotangents(&written, &same));
        for ((of, a), (by, b)) in one.iter().zip(&other) {
            assert_eq!((of, a.len()), (by, b.len()), "{name}");
            let scale = a.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
            let differs = a.iter().zip(b).find(|(a, b)| (*a - *b).abs() > 1e-10 * scale);
            assert!(differs.is_none(), "{name} by {of}: {differs:?}");
        }
    }
}

/// What does not lie on a way from the variable to the result is no part of the state.
#[test]
fn the_state_is_what_passes_the_change_on() {
    let table = [
        ("momentum", "w", "m w"),
        ("an LSTM", "c", "c h"),
        ("a filter", "x", "x"),
        ("a filter", "R", "x P"),
        ("a loss on the way", "y", "loss"),
        ("a loss on the way", "w", "h loss"),
    ];
    for (name, wrt, states) in table {
        let (_, read) = open().find(|(other, _)| *other == name).unwrap();
        let found = derive(&read, read.output, read.input_named(wrt).unwrap()).unwrap();
        let passed = &found.loops[0];
        let mut names: Vec<String> = passed.states.iter().map(|state| passed.state_name(*state).to_string()).collect();
        names.sort();
        let mut wanted: Vec<&str> = states.split(' ').collect();
        wanted.sort_unstable();
        assert_eq!(names, wanted, "{name} by {wrt}");
        assert_eq!(passed.alone().is_some(), names.len() == 1);
    }
}

/// A loop does not say anything of a value that it never reaches.
#[test]
fn what_a_loop_does_not_pass_on_is_zero() {
    let read = program(
        "a: 'd', b: 'd', w: 'N d d'",
        "for k in range(N):\n    a = w[k] @ a\n    b = b + a\nreturn a",
        &Request::default(),
    );
    let mut found = derive(&read, read.output, read.input_named("b").unwrap()).unwrap();
    assert_eq!(found.result, chainrule::derive::Map::Zero);
    let answers = answers(&mut found).unwrap();
    assert!(check(found, answers).is_ok());
}
