//! What is given at the point: symmetric variables, named assumptions, excluded points.

use crate::expression::expression;
use chainrule::array::Array;
use chainrule::derive;
use chainrule::evaluate::{Inputs, evaluate, ill_conditioned};
use chainrule::graph::Program;
use chainrule::notation::{Sheet, page};
use chainrule::reading::{Answers, Condition, Structured, answers, derivative, gradient_program, text};
use chainrule::render;
use chainrule::witness::{self, Checked};

fn program(text: &str, assume: &[&str]) -> Program {
    expression(text, &[("x", "n"), ("y", "n"), ("A", "n n"), ("B", "n n"), ("S", "n n"), ("s", "")], assume)
}

fn found(text: &str, wrt: &str, assume: &[&str]) -> (derive::Derivation, Answers) {
    let p = program(text, assume);
    let wrt = p.named(wrt).unwrap();
    let mut derivation = derive::derive(&p, p.output, wrt).unwrap();
    let answers = answers(&mut derivation).unwrap();
    (derivation, answers)
}

fn checked(text: &str, wrt: &str, assume: &[&str]) -> Checked<(derive::Derivation, Answers)> {
    let (derivation, answers) = found(text, wrt, assume);
    witness::check(derivation, answers).unwrap_or_else(|d| panic!("{text}: {d}"))
}

#[test]
fn three_values_are_the_derivative_by_a_symmetric_matrix() {
    let table: &[(&str, &str, [&str; 3])] = &[
        ("logdet(S)", "S positive definite", ["inv(S)", "inv(S)", "2 * inv(S) - inv(S) * eye(n)"]),
        ("x @ S @ x", "S symmetric", ["outer(x, x)", "outer(x, x)", "2 * outer(x, x) - diag(x ** 2)"]),
        (
            "x @ S @ y",
            "S symmetric",
            ["outer(x, y)", "(outer(x, y) + outer(y, x)) / 2", "outer(x, y) + outer(y, x) - diag(x * y)"],
        ),
        ("trace(S)", "S symmetric", ["eye(n)", "eye(n)", "eye(n)"]),
        ("trace(S @ B)", "S symmetric", ["B.T", "(B + B.T) / 2", "B + B.T - B * eye(n)"]),
        ("sum(S ** 2)", "S symmetric", ["2 * S", "2 * S", "4 * S - 2 * S * eye(n)"]),
        ("trace(S @ B @ S)", "B symmetric", ["", "", ""]),
        (
            "x @ inv(S) @ x + logdet(S)",
            "S symmetric",
            [
                "u - outer(u @ x, u @ x)",
                "u - outer(u @ x, u @ x)",
                "diag((u @ x) ** 2 - diag(u)) + 2 * (u - outer(u @ x, u @ x))",
            ],
        ),
    ];
    for (text, assume, wanted) in table {
        let checked = checked(text, "S", &[assume]);
        let answers = &checked.value().1;
        let written = |node| chainrule::reading::text(&answers.program, node);
        match answers.structured {
            Some(Structured::Symmetric { gradient, tied }) => {
                let all = [written(answers.gradient.unwrap()), written(gradient), written(tied)];
                assert_eq!(all, wanted.map(str::to_string), "{text}");
            }
            None => assert_eq!(wanted[0], "", "{text}"),
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn a_value_by_another_name_does_not_pass() {
    let (derivation, answers) = found("x @ S @ y", "S", &["S symmetric"]);
    let Some(Structured::Symmetric { gradient, tied }) = answers.structured else { panic!("no values") };
    let g = answers.gradient.unwrap();
    for (gradient, tied) in [(g, tied), (gradient, g), (gradient, gradient), (tied, tied)] {
        let structured = Some(Structured::Symmetric { gradient, tied });
        let told = witness::check(derivation.clone(), Answers { structured, ..answers.clone() });
        assert!(told.is_err(), "{}", text(&answers.program, gradient));
    }
}

#[test]
fn diagonal_is_more_than_symmetric() {
    let table = [
        ("x @ A @ x", "outer(x, x)", "diag(x ** 2)"),
        ("trace(A @ B @ A)", "(B @ A + A @ B).T", "2 * (diag(diag(B)) @ A)"),
        ("trace(A)", "eye(n)", "eye(n)"),
    ];
    for (expr, independent, along) in table {
        let checked = checked(expr, "A", &["A diagonal"]);
        let answers = &checked.value().1;
        let Some(Structured::Diagonal(node)) = answers.structured else { panic!("{expr}") };
        let written = [text(&answers.program, answers.gradient.unwrap()), text(&answers.program, node)];
        assert_eq!(written, [independent, along], "{expr}");
    }
    let mut p = program("(A * eye(n)) @ x + A @ B @ x - B @ A @ x", &["A diagonal", "B diagonal"]);
    let (out, x) = (p.output, p.named("x").unwrap());
    let reading = derivative(&mut p, out, x, 1).unwrap();
    assert_eq!(text(&p, reading.node), "A");
}

#[test]
fn properties_of_the_variable_wait_for_the_last_differentiation() {
    let mut p = program("x @ A.T @ y", &["A symmetric"]);
    let (out, a) = (p.output, p.named("A").unwrap());
    let reading = derivative(&mut p, out, a, 1).unwrap();
    assert_eq!(text(&p, reading.node), "outer(y, x)");
    for (expr, assume, hessian) in [
        ("trace(A @ B @ A.T)", "A symmetric", "d(A) @ (B + B.T)"),
        ("trace(A @ B @ A.T)", "A @ B symmetric", "d(A) @ (B + B.T)"),
        ("logdet(A @ A.T)", "A @ A.T positive definite", "-2 * (u @ d(A) @ u).T"),
    ] {
        let p = program(expr, &[assume]);
        let a = p.named("A").unwrap();
        let gradient = gradient_program(&p, p.output, a).unwrap_or_else(|d| panic!("{expr}: {d}"));
        let mut derivation = derive::derive(&gradient, gradient.output, a).unwrap();
        let answers = answers(&mut derivation).unwrap();
        let written = text(&answers.program, answers.differential.unwrap());
        witness::check(derivation, answers).unwrap_or_else(|d| panic!("{expr}: {written}: {d}"));
        assert_eq!(written, hessian, "{expr}");
    }
}

/// An expression, what is assumed, which of it is used, names of steps.
type Assumed<'a> = (&'a str, &'a [&'a str], &'a [usize], &'a [&'a str]);

#[test]
fn every_property_used_is_named() {
    let table: &[Assumed] = &[
        ("x @ A @ x", &["B invertible", "A symmetric"], &[1], &["A symmetric"]),
        (
            "sum(y) * (x @ A @ x) + x @ B @ x",
            &["A symmetric", "y one-hot", "B symmetric"],
            &[0, 1, 2],
            &["A symmetric", "B symmetric", "probabilities sum to one (y one-hot)"],
        ),
        ("x @ A @ x", &["A symmetric", "A positive definite"], &[0], &["A symmetric"]),
        ("x @ A @ x", &["x positive"], &[], &[]),
    ];
    for (expr, assume, used, names) in table {
        let mut p = program(expr, assume);
        let (out, x) = (p.output, p.named("x").unwrap());
        let reading = derivative(&mut p, out, x, 1).unwrap();
        assert_eq!(reading.used, *used, "{expr}");
        let steps: Vec<&str> = reading.steps.iter().map(|(name, ..)| &**name).collect();
        for name in *names {
            assert!(steps.contains(name), "{expr}: {name} in {steps:?}");
        }
    }
}

#[test]
fn points_that_a_cancellation_leaves_out_are_said() {
    let table: &[(&str, &[&str], &str)] = &[
        ("log(exp(x))", &[], ""),
        ("exp(log(x))", &[], "x > 0"),
        ("exp(log(x))", &["x positive"], ""),
        ("log(x)", &[], ""),
        ("x / x", &[], "x != 0"),
        ("x / x", &["x nonzero"], ""),
        ("x ** 2 / x", &[], "x != 0"),
        ("1 / x", &[], ""),
        ("sqrt(x) ** 2", &[], "x > 0"),
        ("sqrt(x)", &[], ""),
        ("sign(x) ** 2 * x", &[], "x != 0"),
        ("x * sign(x)", &[], ""),
        ("x ** 0 + x", &[], ""),
        ("inv(B) @ B @ x", &[], "B invertible"),
        ("inv(B) @ B @ x", &["B invertible"], ""),
        ("inv(B) @ x", &[], ""),
        ("y * x / (x @ x) * (x @ x)", &[], "x @ x != 0"),
    ];
    for (expr, assume, wanted) in table {
        let mut p = program(expr, assume);
        let (out, x) = (p.output, p.named("x").unwrap());
        let reading = derivative(&mut p, out, x, 1).unwrap();
        let says = reading.domain.iter().map(|one| match one.unless {
            Condition::Nonzero => format!("{} != 0", text(&p, one.node)),
            Condition::Positive => format!("{} > 0", text(&p, one.node)),
            Condition::Invertible => format!("{} invertible", text(&p, one.node)),
        });
        assert_eq!(says.collect::<Vec<_>>().join(", "), *wanted, "{expr}: {}", text(&p, reading.node));
    }
}

#[test]
fn every_format_says_where_an_answer_holds() {
    let found = checked("sum(x ** 2 / x)", "x", &[]);
    let sheet = page(&found, &Sheet::default());
    let p = program("sum(x ** 2 / x)", &[]);
    let table = [
        ("text", render::text(&sheet, 100).to_string(), "x ≠ 0"),
        ("latex", render::latex(&sheet, false), r"\neq 0"),
        ("markdown", render::markdown(&sheet), "x ≠ 0"),
        ("html", render::html(&sheet, false), "≠"),
        ("typst", render::typst(&sheet, false), "≠ upright(\"0\")"),
        ("json", render::json(&p, &[found], &sheet), "x != 0"),
    ];
    for (format, written, wanted) in table {
        assert!(written.contains(wanted), "{format}: {written}");
    }
}

#[test]
fn badly_conditioned_matrices_are_told() {
    for (expr, entries, number) in [
        ("inv(A) @ x", [1.0, 1.0, 1.0, 1.0 + 1e-10], Some(4e10)),
        ("solve(A, x)", [1.0, 1.0, 1.0, 1.0 + 1e-10], Some(4e10)),
        ("logdet(A) + det(A)", [1.0, 1.0, 1.0, 1.0 + 1e-10], Some(4e10)),
        ("inv(A) @ x", [1.0, 2.0, 3.0, 4.0], None),
        ("A @ x", [1.0, 1.0, 1.0, 1.0], None),
    ] {
        let p = program(expr, &[]);
        let mut inputs = Inputs::new([("n".into(), 2)].into());
        for name in ["x", "A"] {
            let Some(id) = p.input_named(name) else { continue };
            let value =
                if name == "A" { Array::new(vec![2, 2], entries.to_vec()) } else { Array::new(vec![2], vec![1.0; 2]) };
            inputs.set(id, value.unwrap());
        }
        let values = evaluate(&p, &[p.output], &inputs).unwrap();
        let told = ill_conditioned(&p, &values);
        assert_eq!(told.len(), usize::from(number.is_some()), "{expr}: {told:?}");
        for (one, number) in told.iter().zip(number) {
            assert!((one.number / number - 1.0).abs() < 0.1 && one.matrix == "A", "{expr}: {one:?}");
        }
    }
}
