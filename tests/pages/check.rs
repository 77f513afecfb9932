//! The check: right derivations pass, wrong ones are caught.

use crate::expression::expression;
use chainrule::derive::{self, Derivation, Factor, Map};
use chainrule::diagnostic::Kind;
use chainrule::graph::{self, Program};
use chainrule::reading::Answers;
use chainrule::witness;

const INPUTS: &[(&str, &str)] = &[
    ("x", "m n"),
    ("y", "m n"),
    ("v", "n"),
    ("u", "n"),
    ("a", ""),
    ("W", "n k"),
    ("V", "k n"),
    ("b", "k"),
    ("A", "n n"),
];

fn program(text: &str) -> Program {
    expression(text, INPUTS, &[])
}

/// Answers without readings: only the derivation is checked.
fn bare(d: &Derivation) -> Answers {
    Answers::none(d)
}

fn derived(p: &Program, wrt: &str) -> Derivation {
    derive::derive(p, p.output, p.input_named(wrt).unwrap()).unwrap_or_else(|d| panic!("{d}"))
}

const RIGHT: &[(&str, &str)] = &[
    ("x + relu(x @ W + b) @ V + u", "x"),
    ("x + relu(x @ W + b) @ V + u", "W"),
    ("x + relu(x @ W + b) @ V + u", "b"),
    ("sum((x @ W - b) ** 2)", "W"),
    ("v @ A @ v", "v"),
    ("v / (v @ v)", "v"),
    ("v * exp(a * v) / a", "a"),
    ("exp(exp(v)) * v + exp(exp(v))", "v"),
    ("softmax(A @ v, 0)", "v"),
    ("layer_norm(x)", "x"),
    ("maximum(v, u) - abs(u - v)", "v"),
    ("(x.T @ y) @ v", "x"),
    ("x - mean(x, 0)", "x"),
    ("where(v > u, v * u, u)", "v"),
    ("a ** 3 + a ** a", "a"),
    ("log(v @ v + 1)", "v"),
    ("inv(A + eye(n)) @ v", "A"),
    ("outer(v, v) @ u", "v"),
];

#[test]
fn right_derivations_pass() {
    for (text, wrt) in RIGHT {
        let d = derived(&program(text), wrt);
        let lines: usize = d.paragraphs.iter().map(|p| p.steps.len()).sum();
        let answers = bare(&d);
        let checked = witness::check(d, answers).unwrap_or_else(|d| panic!("{text} by {wrt}: {d}"));
        let report = checked.report().unwrap();
        assert_eq!(
            (report.steps, report.unchecked, report.answer, report.points),
            (lines, 0, true, 3),
            "{text} by {wrt}: {report:?}"
        );
        assert!(report.digits >= 7, "{text} by {wrt}: {report:?}");
    }
}

/// The map with its n-th factor multiplied by `by`.
fn tampered(program: &mut Program, map: &Map, n: &mut usize, by: &str) -> Map {
    match map {
        Map::Sum(parts) => Map::Sum(parts.iter().map(|p| tampered(program, p, n, by)).collect()),
        Map::Compose(parts) => Map::Compose(parts.iter().map(|p| tampered(program, p, n, by)).collect()),
        Map::Factor(f) => {
            let hit = *n == 0;
            *n = n.wrapping_sub(1);
            if !hit {
                return map.clone();
            }
            let number = program.number(chainrule::ops::Number::parse(by).unwrap());
            let node = program.call("mul", &[number, f.node]).unwrap();
            Map::Factor(Factor { node, of: f.of })
        }
        other => other.clone(),
    }
}

#[test]
fn wrong_factors_are_caught() {
    let (mut planted, mut caught) = (0, 0);
    for (text, wrt) in RIGHT {
        // A factor too many, by one part in a million, or of the wrong sign.
        for by in ["2", "1.000001"] {
            let right = derived(&program(text), wrt);
            for (p, s) in
                (0..right.paragraphs.len()).flat_map(|p| (0..right.paragraphs[p].steps.len()).map(move |s| (p, s)))
            {
                let mut wrong = right.clone();
                let became = wrong.paragraphs[p].steps[s].became.clone();
                let changed = tampered(&mut wrong.program, &became, &mut 0, by);
                if changed == became {
                    continue;
                }
                wrong.paragraphs[p].steps[s].became = changed;
                planted += 1;
                let answers = bare(&wrong);
                match witness::check(wrong, answers) {
                    Err(d) if d.kind == Kind::CheckFailed => caught += 1,
                    other => println!("{text} by {wrt}, line {s}: {:?}", other.map(|c| c.report().cloned())),
                }
            }
        }
    }
    assert!(planted > 60, "{planted} planted");
    assert_eq!(caught, planted, "all planted faults are caught");
}

#[test]
fn what_is_finite_nowhere_is_refused_with_a_hint() {
    let p = program("log(-(v @ v))");
    let d = derived(&p, "v");
    let answers = bare(&d);
    let refused = witness::check(d, answers).unwrap_err();
    assert_eq!(refused.kind, Kind::NotFinite);
    assert!(refused.help.unwrap().contains("--assume"));
}

#[test]
fn loops_are_checked_turn_by_turn_and_at_several_lengths() {
    let source = "
def stack(x: 'd', w: 'N d d', b: 'd'):
    for k in range(N):
        x = x + tanh(x @ w[k] + b)
    return x
";
    let p = graph::read(source, &graph::Request::default()).unwrap();
    for wrt in ["x", "b", "w"] {
        let d = derived(&p, wrt);
        let answers = bare(&d);
        let checked = witness::check(d, answers).unwrap_or_else(|d| panic!("{wrt}: {d}"));
        let report = checked.report().unwrap();
        assert_eq!(
            (report.unchecked, report.answer, report.turns.as_slice()),
            (0, true, [1, 2, 3].as_slice()),
            "{report:?}"
        );
    }
}
